"""What is selected."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app import theme
from app.board.picking import UNIT, square_rect
from app.board.plan import faded
from editor.canvas.layers.layer import Z_SELECTION, Layer, pixel
from editor.canvas.layers.shapes import bar_on, outline, rect_of, shown, united
from editor.draft import Draft, Square
from editor.selection import Selection


class SelectionLayer(Layer):
    """What is selected, outlined."""

    def __init__(self) -> None:
        super().__init__(Z_SELECTION)
        self._squares: frozenset[Square] = frozenset()
        self._lines: list[QLineF] = []
        self._bars: list[QRectF] = []
        self._boxes: list[QRectF] = []

    def set_selection(self, selection: Selection, draft: Draft) -> None:
        """Outline other things."""
        self._squares = selection.squares
        self._lines = outline(selection.squares)
        self._bars = [bar_on(edge, 0.26) for edge in sorted(selection.edges)]
        places = _places(selection, draft)
        inset = UNIT * 0.04
        self._boxes = [square_rect(one).adjusted(inset, inset, -inset, -inset) for one in places]
        self.cover(
            united([rect_of(self._squares, 0.15), *self._bars, *self._boxes]).adjusted(-9, -9, 9, 9)
            if selection != Selection()
            else QRectF()
        )

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        unit = pixel(painter)
        wash = faded(colors.accent, 0.16)
        for square in shown(self._squares, exposed):
            painter.fillRect(square_rect(square), wash)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width, dashes in ((colors.paper, 5.0, None), (colors.accent, 2.5, [3.0, 2.0])):
            pen = QPen(colour, width * unit, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
            painter.setPen(QPen(colour, width * unit, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap))
            painter.drawLines(self._lines)
            if dashes:
                pen.setDashPattern(dashes)
                pen.setColor(colors.accent)
            painter.setPen(pen)
            for box in self._bars + self._boxes:
                painter.drawRoundedRect(box, 4, 4)


def _places(selection: Selection, draft: Draft) -> list[Square]:
    """Return where the selected equipment, entries and figures stand."""
    plan, scenario = draft.plan, draft.scenario
    things = [plan.equipment[at] for at in sorted(selection.equipment) if at < len(plan.equipment)]
    entries = [plan.entries[at] for at in sorted(selection.entries) if at < len(plan.entries)]
    places = [(one.x, one.y) for one in things] + [(one.x, one.y) for one in entries]
    if scenario is None:
        return places
    figures = scenario.start.figures if scenario.start is not None else ()
    squares = [scenario.placements[at].square for at in selection.placements if at < len(scenario.placements)]
    starts = [figures[at].square for at in selection.figures if at < len(figures)]
    return places + squares + [square for square in starts if square is not None]
