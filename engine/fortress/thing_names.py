"""What equipment and armored doors are called: by kind and place ("tank 21,0", "door 17,9 E").

Targets, start positions and records name them so.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from engine.fortress.floorplan import FloorPlan, Side, owner, written

_NAME: Final = re.compile(r"(?:(tank|computer) (\d{1,9}),(\d{1,9})|(door) (\d{1,9}),(\d{1,9}) ([NESW]))")


class ThingName(NamedTuple):
    """A name taken apart; `side` is None for equipment, however it stands."""

    kind: str
    x: int
    y: int
    side: Side | None = None


def equipment_name(kind: str, x: int, y: int) -> str:
    """Return the name of a piece of equipment."""
    return f"{kind} {x},{y}"


def door_name(x: int, y: int, side: Side) -> str:
    """Return the name of the armored door on an edge, whichever of its squares it is given by."""
    x, y, side = written(x, y, side)
    return f"door {x},{y} {side}"


def parsed_name(name: str) -> ThingName | None:
    """Return a name taken apart, a door's place as the name gives it; None where it is no such name."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    if found[4] is None:
        return ThingName(found[1], int(found[2]), int(found[3]))
    side: Side = found[7]  # type: ignore[assignment]  # the pattern knows only the four
    return ThingName(found[4], int(found[5]), int(found[6]), side)


def armored_edges(plan: FloorPlan) -> tuple[tuple[int, int, Side], ...]:
    """Return the edges with armored doors, by owner and in the plan's order, which numbers the doors."""
    edges = dict.fromkeys(owner(edge.x, edge.y, edge.side) for edge in plan.edges)
    return tuple(edge for edge in edges if plan.edge_kind(*edge) == "armored")


def door_names(plan: FloorPlan) -> tuple[str, ...]:
    """Return the names of a map's armored doors by number."""
    return tuple(door_name(*edge) for edge in armored_edges(plan))


def equipment_names(plan: FloorPlan) -> tuple[str, ...]:
    """Return the names of a map's vital equipment by number."""
    return tuple(equipment_name(one.kind, one.x, one.y) for one in plan.equipment)
