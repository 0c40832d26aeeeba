"""The axis of symmetry."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app import theme
from app.board.picking import UNIT
from editor.canvas.layers.layer import Z_AXIS, Layer, pixel
from editor.edits.symmetry import Symmetry
from engine.fortress.floorplan import FloorPlan


class AxisLayer(Layer):
    """The axis of symmetry, or the point that strokes are turned about."""

    def __init__(self) -> None:
        super().__init__(Z_AXIS)
        self._symmetry: Symmetry = "off"
        self._size = (0, 0)

    def set_symmetry(self, symmetry: Symmetry, plan: FloorPlan) -> None:
        """Show another axis."""
        self._symmetry, self._size = symmetry, (plan.width, plan.height)
        width, height = plan.width * UNIT, plan.height * UNIT
        box = QRectF()
        if symmetry == "x":
            box = QRectF(width / 2 - 12, -UNIT, 24, height + 2 * UNIT)
        elif symmetry == "y":
            box = QRectF(-UNIT, height / 2 - 12, width + 2 * UNIT, 24)
        elif symmetry == "half-turn":
            box = QRectF(width / 2 - UNIT, height / 2 - UNIT, 2 * UNIT, 2 * UNIT)
        self.cover(box)

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        unit = pixel(painter)
        middle = self._bounds.center()
        for colour, wide in ((colors.paper, 4.0), (colors.accent, 2.0)):
            pen = QPen(colour, wide * unit)
            if self._symmetry == "half-turn":
                painter.setPen(pen)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                radius = UNIT * 0.5
                box = QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius)
                for start in (20, 200):
                    painter.drawArc(box, start * 16, 130 * 16)
                painter.setBrush(colour)
                painter.drawEllipse(middle, 3 * unit, 3 * unit)
                continue
            if wide == 2.0:
                pen.setDashPattern([5, 2, 1, 2])
            painter.setPen(pen)
            if self._symmetry == "x":
                painter.drawLine(QLineF(middle.x(), self._bounds.top(), middle.x(), self._bounds.bottom()))
            else:
                painter.drawLine(QLineF(self._bounds.left(), middle.y(), self._bounds.right(), middle.y()))
