"""From a point of the map to a square and the edge near it, by arithmetic."""

from __future__ import annotations

from typing import Final

from editor.draft import Edge
from editor.edits.edges import is_edge
from editor.edits.squares import is_on
from editor.tools.base import EDGE_REACH, Spot
from engine.fortress.floorplan import COMPASS, FloorPlan, owner

NEAR_PIXELS: Final = 6
"""How far from an edge, in pixels, the pointer still picks it where squares are small."""
TIE: Final = 1e-9


def spot_at(plan: FloorPlan, x: float, y: float, pixels: float, last: Edge | None = None) -> Spot:
    """Return the spot at a point in squares, where a square has so many logical pixels.

    The edge is the nearest one across; of two just as near, at a corner, the `last` one is kept.
    """
    column, row = int(x // 1), int(y // 1)
    across, down = x - column, y - row
    found: list[tuple[float, Edge]] = []
    for side, far in zip(COMPASS, (down, 1 - across, 1 - down, across), strict=True):
        edge = owner(column, row, side)
        if is_edge(plan, edge):
            found.append((far, edge))
    square = (column, row) if is_on(plan, (column, row)) else None
    if not found:
        return Spot(x, y, square, None, None)
    least = min(far for far, _ in found)
    tied = [edge for far, edge in found if far - least <= TIE]
    near = last if last in tied else tied[0]
    reach = max(EDGE_REACH, NEAR_PIXELS / pixels)
    return Spot(x, y, square, near if least <= reach else None, near)
