"""Sight and reach from a square."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app import theme
from app.board import counters
from app.board.picking import UNIT, square_rect
from app.board.plan import faded
from editor.bench import Overlay
from editor.canvas.layers.layer import SMALLEST_TEXT, Z_OVERLAY, Layer, mixed, pixel
from editor.canvas.layers.shapes import rect_of, shown, stripes
from editor.canvas.overlays import BARRED, SEEN
from editor.draft import Square

MANY: Final = 400
"""Squares on show beyond which all are drawn anew, without looking which of them change."""
COARSE: Final = 12
"""Pixels of a square below which those side by side are drawn as one."""


class OverlayLayer(Layer):
    """What is seen or reached from a square: a tint, and how, in a number or in hatching."""

    def __init__(self) -> None:
        super().__init__(Z_OVERLAY)
        self._kind: Overlay = "off"
        self._cells: Mapping[Square, str] = {}
        self._start: Square | None = None

    @property
    def cells(self) -> Mapping[Square, str]:
        """The squares on show: with their cost, or "seen" or "barred" (5.9)."""
        return self._cells

    def show_cells(self, kind: Overlay, cells: Mapping[Square, str], start: Square | None) -> None:
        """Show other squares; only those that change are drawn anew."""
        before, was_start, was_kind = self._cells, self._start, self._kind
        self._kind, self._cells, self._start = kind, cells, start
        box = rect_of(cells)
        if was_kind != kind or not self._bounds.contains(box) or not cells:
            self.cover(box)
            return
        if len(before) + len(cells) > 2 * MANY:
            self.update()
            return
        both = before.keys() | cells.keys()
        others = [one for one in both if before.get(one) != cells.get(one) or one in (was_start, start)]
        for square in others:
            self.update(square_rect(square))

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        unit = pixel(painter)
        is_legible = UNIT * 0.32 / unit >= SMALLEST_TEXT
        share = {"light": 0.2, "dark": 0.24}.get(colors.mode, 0.34)
        ink = mixed(colors.accent, colors.ink, 0.35)
        barred: list[QRectF] = []
        if UNIT / unit < COARSE and self._kind == "sight":
            self._draw_rows(painter, exposed, colors, share)
            squares: list[Square] = []
        else:
            squares = shown(self._cells.keys(), exposed)
        for square in squares:
            box, text = square_rect(square), self._cells[square]
            if text == BARRED:
                barred.append(box)
                continue
            painter.fillRect(box.adjusted(1.5, 1.5, -1.5, -1.5), faded(colors.accent, share))
            if self._kind == "reach" and is_legible and square != self._start:
                painter.setPen(Qt.PenStyle.NoPen)
                # The number makes room for itself, on names too.
                painter.setBrush(faded(mixed(colors.rooms[1], colors.accent, 0.2), 0.85))
                painter.drawEllipse(box.center(), UNIT * 0.27, UNIT * 0.27)
                counters.write(painter, text, box.center(), UNIT * 0.3, ink, UNIT * 0.6)
        if barred:
            painter.setPen(QPen(faded(colors.danger, 0.8), max(unit, 1.2)))
            for box in barred:
                painter.drawLines(stripes(box.adjusted(3, 3, -3, -3), UNIT / 5))
        if self._start is not None:
            box = square_rect(self._start).adjusted(4, 4, -4, -4)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colors.accent, max(2 * unit, UNIT * 0.06)))
            painter.drawEllipse(box)

    def _draw_rows(self, painter: QPainter, exposed: QRectF, colors: theme.Colors, share: float) -> None:
        """Draw what is seen as rows, whose squares could not be told apart."""
        tints = {SEEN: faded(colors.accent, share), BARRED: faded(colors.danger, share)}
        start = last = (-2, -2)
        how = ""
        for square, text in [*self._cells.items(), ((-2, -2), "")]:
            if text != how or square[0] != last[0] + 1 or square[1] != last[1]:
                if how:
                    box = square_rect(start).united(square_rect(last))
                    if box.intersects(exposed):
                        painter.fillRect(box, tints[how])
                start, how = square, text
            last = square
