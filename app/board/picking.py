"""From a point of the scene to a square or an edge, by arithmetic."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF

from engine.raid.choices import Square

UNIT: Final = 64.0
"""The side of a square, scene units."""


def square_at(point: QPointF, width: int, height: int) -> Square | None:
    """Return the square under a point of the scene; None outside a map of `width` by `height` squares."""
    x, y = int(point.x() // UNIT), int(point.y() // UNIT)
    return (x, y) if 0 <= x < width and 0 <= y < height else None


def edge_at(point: QPointF, width: int, height: int) -> tuple[int, int, str] | None:
    """Return the edge closest to a point as a square and the side of it; None outside the map."""
    square = square_at(point, width, height)
    if square is None:
        return None
    across, down = point.x() / UNIT - square[0], point.y() / UNIT - square[1]
    distances = {"N": down, "E": 1 - across, "S": 1 - down, "W": across}
    return *square, min(distances, key=lambda side: distances[side])


def centre(square: Square) -> QPointF:
    """Return the point of the scene at a square's dot."""
    return QPointF((square[0] + 0.5) * UNIT, (square[1] + 0.5) * UNIT)


def square_rect(square: Square) -> QRectF:
    """Return the scene's rectangle of a square."""
    return QRectF(square[0] * UNIT, square[1] * UNIT, UNIT, UNIT)
