"""The squares with problems."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app import theme
from app.board import counters
from app.board.picking import UNIT, square_rect
from app.board.plan import faded
from editor.bench import Severity
from editor.canvas.layers.layer import Z_MARKS, Layer, pixel
from editor.canvas.layers.shapes import rect_of, shown
from editor.draft import Square


class MarksLayer(Layer):
    """The squares with problems: a frame and a sign, a triangle for errors and a dot for warnings."""

    def __init__(self) -> None:
        super().__init__(Z_MARKS)
        self._marks: Mapping[Square, Severity] = {}

    def set_marks(self, marks: Mapping[Square, Severity]) -> None:
        """Mark other squares; only those that change are drawn anew."""
        before, self._marks = self._marks, marks
        whole = rect_of(marks, 0.1)
        if not before or not marks or not self._bounds.contains(whole):
            self.cover(whole)
            return
        for square in before.keys() | marks.keys():
            if before.get(square) != marks.get(square):
                self.update(square_rect(square).adjusted(-4, -4, 4, 4))

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        unit = pixel(painter)
        is_small = UNIT / unit < 14
        for square in shown(self._marks.keys(), exposed):
            box, severity = square_rect(square), self._marks[square]
            colour = colors.danger if severity == "error" else colors.soft
            if is_small:
                painter.fillRect(box, faded(colour, 0.65))
                continue
            pen = QPen(colour, max(1.6 * unit, UNIT * 0.04))
            if severity == "warning":
                pen.setDashPattern([2.5, 2])
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(4, 4, -4, -4), 5, 5)
            self._draw_sign(painter, box, colour, colors, is_error=severity == "error")

    @staticmethod
    def _draw_sign(
        painter: QPainter, box: QRectF, colour: QColor, colors: theme.Colors, *, is_error: bool
    ) -> None:
        middle = QPointF(box.right() - UNIT * 0.2, box.top() + UNIT * 0.2)
        painter.setPen(QPen(colors.field, UNIT * 0.025))
        painter.setBrush(colour)
        if is_error:
            size = UNIT * 0.17
            painter.drawPolygon(
                QPolygonF(
                    [
                        middle + QPointF(0, -size),
                        middle + QPointF(size, size * 0.8),
                        middle + QPointF(-size, size * 0.8),
                    ]
                )
            )
        else:
            painter.drawEllipse(middle, UNIT * 0.13, UNIT * 0.13)
        counters.write(painter, "!", middle + QPointF(0, UNIT * 0.025), UNIT * 0.16, colors.field)
