"""Walls, doors and drop-offs: what stands on the edges of squares, and why something cannot stand there."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from editor.draft import Edge, Square
from editor.edits.squares import letter_at
from engine.fortress.floorplan import STEP, EdgeKind, EdgeOverride, Entry, FloorPlan, RoomInfo, owner, written

Extra = tuple[tuple[str, Any], ...]
"""The fields of a record that are not known, each with its value."""
KIND_WORDS: dict[EdgeKind, str] = {
    "door": "door",
    "armored": "armored door",
    "dropoff": "drop-off",
    "open": "opening",
    "wall": "wall",
}


def with_edges(plan: FloorPlan, kinds: Mapping[Edge, EdgeKind | None]) -> FloorPlan:
    """Return the plan with something else on some edges; None is what the rooms on both sides make it.

    An edge off the map is left out. What an edge's record holds beside its kind is kept.
    """
    wanted = {edge: kind for edge, kind in kinds.items() if is_edge(plan, edge)}
    edges = []
    for record in plan.edges:
        place = owner(record.x, record.y, record.side)
        if place not in kinds:
            edges.append(record)
        elif place in wanted:
            kind = wanted.pop(place)
            if kind is not None:
                edges.append(record if record.kind == kind else replace(record, kind=kind))
    bare = replace(plan, edges=())
    for edge, kind in wanted.items():
        if kind is not None and (kind not in ("open", "wall") or bare.edge_kind(*edge) != kind):
            edges.append(EdgeOverride(*written(*edge), kind))
    made = tuple(edges)
    return plan if made == plan.edges else replace(plan, edges=made)


def extras_of(plan: FloorPlan) -> dict[Edge, Extra]:
    """Return what the records of edges hold that is not known, by edge; only where there is any."""
    return {owner(one.x, one.y, one.side): one.extra for one in plan.edges if one.extra}


def with_extras(plan: FloorPlan, extras: Mapping[Edge, Extra]) -> FloorPlan:
    """Return the plan with what is not known on some edges other; an edge off the map is left out."""
    wanted = {edge: extra for edge, extra in extras.items() if is_edge(plan, edge)}
    edges = []
    for record in plan.edges:
        extra = wanted.pop(owner(record.x, record.y, record.side), record.extra)
        edges.append(record if extra == record.extra else replace(record, extra=extra))
    edges += [
        EdgeOverride(*written(*edge), plan.edge_kind(*edge), extra=extra)
        for edge, extra in wanted.items()
        if extra
    ]
    made = tuple(edges)
    return plan if made == plan.edges else replace(plan, edges=made)


def is_edge(plan: FloorPlan, edge: Edge) -> bool:
    """Return whether an edge has a square of the map on at least one side."""
    x, y, side = edge
    if side == "E":
        return -1 <= x < plan.width and 0 <= y < plan.height
    return 0 <= x < plan.width and -1 <= y < plan.height


def edges_of(square: Square) -> tuple[Edge, Edge, Edge, Edge]:
    """Return the four edges of a square, north, east, south, west."""
    x, y = square
    return (x, y - 1, "S"), (x, y, "E"), (x, y, "S"), (x - 1, y, "E")


def is_between(edge: Edge, squares: Container[Square]) -> bool:
    """Return whether an edge has some squares on both sides."""
    x, y, side = edge
    dx, dy = STEP[side]
    return (x, y) in squares and (x + dx, y + dy) in squares


def is_own(plan: FloorPlan, edge: Edge) -> bool:
    """Return whether an edge is not what its two rooms make it."""
    kind = plan.edge_kind(*edge)
    if kind not in ("open", "wall"):
        return True
    x, y, side = edge
    there = (x + 1, y) if side == "E" else (x, y + 1)
    return (kind == "wall") == (letter_at(plan, (x, y)) == letter_at(plan, there))


def is_something(plan: FloorPlan, edge: Edge) -> bool:
    """Return whether there is anything to see on an edge."""
    return plan.edge_kind(*edge) != "open" or is_own(plan, edge)


def rooms_beside(plan: FloorPlan, edge: Edge) -> tuple[RoomInfo | None, RoomInfo | None]:
    """Return the rooms west and east, or north and south, of an edge; None for rock."""
    x, y, side = edge
    dx, dy = STEP[side]
    return plan.room_at(x, y), plan.room_at(x + dx, y + dy)


def doorways(entries: Iterable[Entry]) -> frozenset[Edge]:
    """Return the edges that entries lead through; one without a side has none."""
    return frozenset(owner(entry.x, entry.y, entry.side) for entry in entries if entry.side is not None)


def gates(plan: FloorPlan, squares: Container[Square]) -> frozenset[Edge]:
    """Return the edges on which a door of an entry in some squares leads off the map, or an opening."""
    return frozenset(
        edge
        for edge in doorways(entry for entry in plan.entries if (entry.x, entry.y) in squares)
        if None in rooms_beside(plan, edge) and is_own(plan, edge)
    )


def why_not(plan: FloorPlan, edge: Edge, kind: EdgeKind) -> str:
    """Return why something cannot stand on an edge, "" if it can (2.1, 4.41, 4.42).

    A door needs a wall, which a partition can be; only at an entry may it lead off the map (4.1).
    """
    if not is_edge(plan, edge):
        return "that edge is off the map"
    here, there = rooms_beside(plan, edge)
    if here is None and there is None:
        return "there is rock on both sides"
    if kind == "wall":
        return ""
    if kind == "dropoff":
        return "" if here is not None and there is not None else "a drop-off needs floor on both sides (4.42)"
    if here is None or there is None:
        return (
            "" if edge in doorways(plan.entries) else "it would lead off the map, and no entry is there (4.1)"
        )
    if kind in ("door", "armored") and plan.edge_kind(*edge) == "open":
        if here is there:
            return f"no wall here: both sides are {here.name}"
        return "no wall here"
    return ""
