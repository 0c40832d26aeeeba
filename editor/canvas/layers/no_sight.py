"""The pairs of rooms that do not see one another."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app import theme
from app.board.picking import UNIT
from app.board.plan import faded
from editor.canvas.layers.layer import Z_NO_SIGHT, Layer, pixel
from editor.canvas.layers.shapes import united


class NoSightLayer(Layer):
    """Dashed lines between the rooms that do not see one another (5.9)."""

    def __init__(self) -> None:
        super().__init__(Z_NO_SIGHT)
        self._lines: tuple[QLineF, ...] = ()

    def set_lines(self, lines: Iterable[QLineF]) -> None:
        """Show other lines."""
        self._lines = tuple(lines)
        self.cover(united(map(_box, self._lines)))

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        # Lines run far over the map, and most of what is drawn anew lies beside them.
        lines = [line for line in self._lines if _box(line).intersects(exposed)]
        if not lines:
            return
        unit = pixel(painter)
        width = max(1.4 * unit, 0.045 * UNIT)
        for colour, wide in ((colors.paper, 2.4), (colors.danger, 1.0)):
            pen = QPen(faded(colour, 0.85), width * wide)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            if wide == 1.0:
                pen.setDashPattern([6, 4])
            painter.setPen(pen)
            painter.drawLines(lines)
        painter.setPen(QPen(colors.danger, width))
        painter.setBrush(colors.field)
        radius = UNIT * 0.13
        for line in lines:
            middle = line.pointAt(0.5)
            painter.drawEllipse(middle, radius, radius)
            across = QPointF(radius, -radius) * 0.7
            painter.drawLine(QLineF(middle - across, middle + across))
            for end in (line.p1(), line.p2()):
                painter.drawEllipse(end, radius * 0.4, radius * 0.4)


def _box(line: QLineF) -> QRectF:
    """Return the rectangle that a line and its marks are never outside of."""
    grown = UNIT * 0.4
    return QRectF(line.p1(), line.p2()).normalized().adjusted(-grown, -grown, grown, grown)
