"""Squares that are pointed out for a moment."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app import theme
from app.board.picking import square_rect
from app.board.plan import faded
from editor.canvas.layers.layer import Z_FLASH, Layer, pixel
from editor.canvas.layers.shapes import outline, rect_of, shown
from editor.draft import Square


class FlashLayer(Layer):
    """Squares that are pointed out for a moment."""

    def __init__(self) -> None:
        super().__init__(Z_FLASH)
        self._squares: frozenset[Square] = frozenset()
        self._lines: list[QLineF] = []
        self.strength = 0.0

    @property
    def squares(self) -> frozenset[Square]:
        """The squares pointed out now."""
        return self._squares

    def flash(self, squares: frozenset[Square], strength: float) -> None:
        """Point squares out so strongly, 0 to 1."""
        if squares != self._squares:
            self._squares, self._lines = squares, outline(squares)
        self.strength = strength
        self.cover(rect_of(squares, 0.3) if strength > 0 else QRectF())

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        unit = pixel(painter)
        wash = faded(colors.accent, 0.5 * self.strength)
        for square in shown(self._squares, exposed):
            painter.fillRect(square_rect(square), wash)
        pen = QPen(faded(colors.accent, self.strength), 4 * unit)
        pen.setCapStyle(Qt.PenCapStyle.SquareCap)
        painter.setPen(pen)
        painter.drawLines(self._lines)
