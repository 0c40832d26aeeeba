"""What a screen reader hears of the square and the edge under the pointer or cursor."""

from __future__ import annotations

from collections.abc import Mapping

from editor.bench import Severity
from editor.draft import Draft, Square
from editor.edits.edges import KIND_WORDS
from editor.tools.base import Spot
from editor.words import counted, rate_in
from engine.fortress.floorplan import COMPASS, COMPASS_NAMES, STEP, Entry, FloorPlan, Side


def describe_spot(draft: Draft, spot: Spot, marks: Mapping[Square, Severity]) -> str:
    """Return the square of a spot in words, and the edge near it first if there is one."""
    if spot.square is None:
        return "off the map"
    words = describe_square(draft, spot.square, marks)
    side = side_near(spot)
    if side is None:
        return words
    kind = draft.plan.edge_kind(*spot.square, side)
    what = "no wall" if kind == "open" else KIND_WORDS[kind]
    return f"{COMPASS_NAMES[side]} side of {spot.square[0]},{spot.square[1]}, {what}; {words}"


def side_near(spot: Spot) -> Side | None:
    """Return the side of the spot's square that its edge is."""
    if spot.square is None or spot.edge is None:
        return None
    x, y, side = spot.edge
    if (x, y) == spot.square:
        return side
    return "W" if side == "E" else "N"


def describe_square(draft: Draft, square: Square, marks: Mapping[Square, Severity]) -> str:
    """Return a square in words: place, room, what stands on its sides, what is in it."""
    plan = draft.plan
    x, y = square
    room = plan.room_at(x, y)
    words = [f"{x},{y}", f"{room.name}, {room.level} level" if room is not None else "rock"]
    for side in COMPASS:
        dx, dy = STEP[side]
        kind = plan.edge_kind(x, y, side)
        if kind != "open" and (room is not None or plan.room_at(x + dx, y + dy) is not None):
            words.append(f"{KIND_WORDS[kind]} {COMPASS_NAMES[side]}")
    found = [", ".join(words)]
    for one in plan.equipment:
        if (one.x, one.y) == square:
            along = f" along the {COMPASS_NAMES[one.side]} wall" if one.side is not None else ""
            found.append(("clone tank" if one.kind == "tank" else "computer") + along)
    found += [f"entry {describe_entry(plan, one)}" for one in plan.entries if (one.x, one.y) == square]
    found += _figures(draft, square)
    if room is not None and room.setup:
        found.append(f"set-up {' '.join(room.setup)}")
    if square in marks:
        found.append("a problem here" if marks[square] == "error" else "a warning here")
    return "; ".join(found)


def describe_entry(plan: FloorPlan, entry: Entry) -> str:
    """Return an entry's name and its rates (4.1, 4.7)."""
    return f"{entry.name}, in {rate_in(plan, entry)}, out {entry.leave}"


def _figures(draft: Draft, square: Square) -> list[str]:
    scenario = draft.scenario
    if scenario is None:
        return []
    found = [
        f"placed: {one.kind.replace('_', ' ')}" for one in scenario.placements if tuple(one.square) == square
    ]
    if scenario.start is not None:
        found += [one.name for one in scenario.start.figures if one.square == square]
    return found


def describe_map(plan: FloorPlan) -> str:
    """Return a map's name and size in words."""
    rooms = counted(len(plan.rooms), "room")
    return f"{plan.name or 'Map'}, {plan.width} by {plan.height} squares, {rooms}"
