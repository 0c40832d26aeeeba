"""The tools' pictures, drawn in one stroke weight on a grid of 24."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

GRID: Final = 24.0
STROKE: Final = 1.8

Stroke = tuple[tuple[float, float], ...]

STROKES: Final[dict[str, tuple[Stroke, ...]]] = {
    "select": (((6, 3), (6, 19), (10, 15), (13, 21), (15.5, 20), (12.5, 14), (18, 14), (6, 3)),),
}


def paint_icon(painter: QPainter, key: str, box: QRectF, colour: QColor) -> None:
    """Draw a tool's picture into a box; a tool that has none gets its first letter."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(box.topLeft())
    painter.scale(box.width() / GRID, box.height() / GRID)
    pen = QPen(colour, STROKE, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    strokes = STROKES.get(key)
    if strokes is None:
        font = painter.font()
        font.setPixelSize(16)
        painter.setFont(font)
        painter.drawText(QRectF(0, 0, GRID, GRID), Qt.AlignmentFlag.AlignCenter, key[:1].upper())
    for stroke in strokes or ():
        path = QPainterPath(QPointF(*stroke[0]))
        for point in stroke[1:]:
            path.lineTo(QPointF(*point))
        painter.drawPath(path)
    painter.restore()
