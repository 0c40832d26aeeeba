"""Equipment and entries: what stands in the squares, and why something cannot stand there."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from editor.draft import Square
from editor.edits.squares import is_on
from engine.fortress.floorplan import STEP, Entry, Equipment, FloorPlan
from engine.fortress.problems import MAX_RATE


def number_at(things: Iterable[Equipment | Entry], square: Square) -> int | None:
    """Return the number of the equipment, or of the entry, in a square; None where there is none."""
    return next((at for at, one in enumerate(things) if (one.x, one.y) == square), None)


def why_no_equipment(plan: FloorPlan, thing: Equipment, at: int | None = None) -> str:
    """Return why equipment cannot stand somewhere, "" if it can (4.5); `at` is its number if it has one."""
    place = (thing.x, thing.y)
    if not is_on(plan, place):
        return "that is off the map"
    if plan.room_at(*place) is None:
        return "there is rock"
    if any((one.x, one.y) == place for number, one in enumerate(plan.equipment) if number != at):
        return "other equipment stands there"
    if thing.kind == "tank":
        if any((entry.x, entry.y) == place for entry in plan.entries):
            return "a tank would fill an entry (4.1, 4.5)"
        return ""
    if thing.side is None:
        return "a computer stands along a wall (4.5)"
    if plan.edge_kind(*place, thing.side) != "wall":
        return f"no wall on side {thing.side} for a computer to stand along (4.5)"
    return ""


def with_equipment(plan: FloorPlan, thing: Equipment) -> FloorPlan:
    """Return the plan with one more piece of equipment, the last by number."""
    return replace(plan, equipment=(*plan.equipment, thing))


def changed_equipment(plan: FloorPlan, at: int, thing: Equipment) -> FloorPlan:
    """Return the plan with a piece of equipment made another, its number kept."""
    if plan.equipment[at] == thing:
        return plan
    return replace(plan, equipment=(*plan.equipment[:at], thing, *plan.equipment[at + 1 :]))


def without_equipment(plan: FloorPlan, numbers: Iterable[int]) -> FloorPlan:
    """Return the plan without some equipment, by number."""
    gone = set(numbers)
    left = tuple(one for at, one in enumerate(plan.equipment) if at not in gone)
    return plan if len(left) == len(plan.equipment) else replace(plan, equipment=left)


def new_entry_name(plan: FloorPlan) -> str:
    """Return a name that no entry of the plan has."""
    names = {entry.name for entry in plan.entries}
    number = len(names) + 1
    while f"Entry {number}" in names:
        number += 1
    return f"Entry {number}"


def why_no_entry(plan: FloorPlan, entry: Entry, at: int | None = None) -> str:
    """Return why an entry cannot be somewhere, "" if it can (4.1, R11); `at` is its number if it has one."""
    place = (entry.x, entry.y)
    if not is_on(plan, place):
        return "that is off the map"
    if plan.room_at(*place) is None:
        return "there is rock"
    if any(thing.kind == "tank" and (thing.x, thing.y) == place for thing in plan.equipment):
        return "a tank stands there (4.5)"
    if entry.side is not None:
        dx, dy = STEP[entry.side]
        if plan.room_at(entry.x + dx, entry.y + dy) is not None:
            return f"side {entry.side} leads into the fortress, not out of it"
    others = [one for number, one in enumerate(plan.entries) if number != at]
    if any((one.x, one.y, one.side) == (*place, entry.side) for one in others):
        return "an entry is there already"
    if not entry.name.strip():
        return "an entry has a name"
    if any(one.name == entry.name for one in others):
        return f'another entry is called "{entry.name}"'
    if not 0 <= entry.enter <= MAX_RATE:
        return f"from 0 to {MAX_RATE} may enter in a phase (R11)"
    if not 0 <= entry.leave <= MAX_RATE:
        return f"from 0 to {MAX_RATE} may leave in a phase (R11)"
    if not entry.leave and not plan.lets_in(entry):
        return "somebody comes in or leaves by an entry (4.1, 4.7)"
    return ""


def with_entry(plan: FloorPlan, entry: Entry) -> FloorPlan:
    """Return the plan with one more entry."""
    return replace(plan, entries=(*plan.entries, entry))


def changed_entry(plan: FloorPlan, at: int, entry: Entry) -> FloorPlan:
    """Return the plan with an entry made another, its number kept."""
    if plan.entries[at] == entry:
        return plan
    return replace(plan, entries=(*plan.entries[:at], entry, *plan.entries[at + 1 :]))


def without_entries(plan: FloorPlan, numbers: Iterable[int]) -> FloorPlan:
    """Return the plan without some entries, by number."""
    gone = set(numbers)
    left = tuple(one for at, one in enumerate(plan.entries) if at not in gone)
    return plan if len(left) == len(plan.entries) else replace(plan, entries=left)
