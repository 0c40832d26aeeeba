"""Where things of the map are in the canvas, for the mouse of a test."""

from __future__ import annotations

from PySide6.QtCore import QPoint

from app.board.picking import centre
from app.board.plan import edge_ends
from editor.canvas.view import MapCanvas
from editor.draft import Edge, Square


def square_point(canvas: MapCanvas, square: Square) -> QPoint:
    """Return the point of the viewport in the middle of a square."""
    return canvas.mapFromScene(centre(square))


def edge_point(canvas: MapCanvas, edge: Edge) -> QPoint:
    """Return the point of the viewport in the middle of an edge."""
    return canvas.mapFromScene(edge_ends(*edge).pointAt(0.5))
