"""Lines of edges: those that a pointer is drawn along, and a partition wall across a room."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor
from typing import Final, Literal

from editor.draft import Edge
from editor.edits.edges import is_edge, rooms_beside, with_edges
from engine.fortress.floorplan import FloorPlan, Side, next_in_line

Axis = Literal["across", "down"]
LOCK: Final = 0.5
"""How far a pointer goes, in squares, before the axis of its line is decided."""
SHARE: Final = 0.3
"""How much of an edge a line must cover to take it in."""
_DOORS: Final = ("door", "armored")
_CLOSED: Final = ("wall", *_DOORS)


def axis_of(start: tuple[float, float], end: tuple[float, float]) -> Axis | None:
    """Return which way a line goes; None while it is too short to say."""
    dx, dy = abs(end[0] - start[0]), abs(end[1] - start[1])
    if max(dx, dy) < LOCK:
        return None
    return "across" if dx >= dy else "down"


def line(start: tuple[float, float], end: tuple[float, float], axis: Axis) -> tuple[Edge, ...]:
    """Return the edges on the grid line nearest to `start`, from there to as far as `end` is, in order."""
    at = 0 if axis == "across" else 1
    grid_line = round(start[1 - at]) - 1
    low, high = sorted((start[at], end[at]))
    shares = {one: min(high, one + 1) - max(low, one) for one in range(floor(low), floor(high) + 1)}
    taken = [one for one, share in shares.items() if share >= SHARE]
    if not taken:
        taken = [max(shares, key=lambda one: shares[one])]
    if axis == "across":
        return tuple((one, grid_line, "S") for one in taken)
    return tuple((grid_line, one, "E") for one in taken)


def partition(plan: FloorPlan, edge: Edge) -> frozenset[Edge]:
    """Return the edges of a wall through an open edge, carried on both ways to the walls it meets.

    It is none where the edge is not open or has rock on a side.
    """
    beside = rooms_beside(plan, edge)
    if not is_edge(plan, edge) or plan.edge_kind(*edge) != "open" or None in beside:
        return frozenset()
    found = {edge}
    for way in (0, 1):
        here = edge
        while not _is_met(plan, here, way):
            here = next_in_line(*here)[way]
            if plan.edge_kind(*here) != "open" or rooms_beside(plan, here) != beside:
                break
            found.add(here)
    return frozenset(found)


def _is_met(plan: FloorPlan, edge: Edge, way: int) -> bool:
    """Return whether a wall crosses or meets the line at one end of an edge (0: north or west)."""
    x, y, side = edge
    other: Side
    if side == "E":
        row = y - 1 if way == 0 else y
        ends: tuple[Edge, Edge] = (x, row, "S"), (x + 1, row, "S")
    else:
        column = x - 1 if way == 0 else x
        other = "E"
        ends = (column, y, other), (column, y + 1, other)
    return any(plan.edge_kind(*one) != "open" for one in ends)


def bared(plan: FloorPlan, edges: Iterable[Edge]) -> FloorPlan:
    """Return the plan with nothing on some edges but what the rooms make of them.

    A door in a partition that goes on leaves a piece of it.
    """
    some = tuple(edges)
    doors = {edge for edge in some if plan.edge_kind(*edge) in _DOORS and is_inside(plan, edge)}
    made = with_edges(plan, dict.fromkeys(some))
    while True:
        walls = {
            edge
            for edge in doors
            if any(
                is_inside(plan, one) and made.edge_kind(*one) in ("wall", *_DOORS)
                for one in next_in_line(*edge)
            )
        }
        if not walls:
            return made
        made = with_edges(made, dict.fromkeys(walls, "wall"))
        doors -= walls


def is_inside(plan: FloorPlan, edge: Edge) -> bool:
    """Return whether an edge has the same room on both sides."""
    here, there = rooms_beside(plan, edge)
    return here is there and here is not None


def edge_near(x: float, y: float, reach: float) -> Edge | None:
    """Return the edge nearest to a point, if it is within `reach` squares."""
    column, row = round(x), round(y)
    if min(abs(x - column), abs(y - row)) > reach:
        return None
    if abs(x - column) <= abs(y - row):
        return column - 1, floor(y), "E"
    return floor(x), row - 1, "S"


def edges_passed(start: tuple[float, float], end: tuple[float, float], reach: float) -> frozenset[Edge]:
    """Return the edges that a straight line comes within `reach` squares of."""
    (x0, y0), (x1, y1) = start, end
    steps = 1 + floor(max(abs(x1 - x0), abs(y1 - y0)) / (reach / 2))
    points = ((x0 + (x1 - x0) * at / steps, y0 + (y1 - y0) * at / steps) for at in range(steps + 1))
    return frozenset(edge for x, y in points if (edge := edge_near(x, y, reach)) is not None)
