"""The list of rooms: letters, names, levels, who is set up where, and which rooms do not see one another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from editor.edits.squares import without_rooms
from engine.fortress.floorplan import ROCK, FloorPlan, RoomInfo
from engine.raid.rooms import SETUP_LETTERS


def room_of(plan: FloorPlan, letter: str) -> RoomInfo:
    """Return the room with a letter; raises LookupError where none has it."""
    for room in plan.rooms:
        if room.letter == letter:
            return room
    raise LookupError(f'no room has the letter "{letter}"')


def why_no_room(
    plan: FloorPlan, letter: str, *, new_letter: str | None = None, name: str | None = None
) -> str:
    """Return why a room cannot have another letter or name, "" if it can."""
    others = [room for room in plan.rooms if room.letter != letter]
    if new_letter is not None:
        if len(new_letter) != 1 or new_letter.isspace() or not new_letter.isprintable():
            return "a room has one letter"
        if new_letter in (ROCK, "#"):
            return f'"{new_letter}" stands for something else in a plan'
        taken = next((room for room in others if room.letter == new_letter), None)
        if taken is not None:
            return f'"{new_letter}" is the letter of {taken.name}'
        if new_letter != letter and any(new_letter in row for row in plan.grid):
            return f'squares of no listed room have the letter "{new_letter}"'
    if name is not None:
        if not name.strip():
            return "a room has a name"
        if any(room.name == name for room in others):
            return f'another room is called "{name}"'
    return ""


def with_room(
    plan: FloorPlan,
    letter: str,
    *,
    new_letter: str | None = None,
    name: str | None = None,
    level: str | None = None,
    setup: str | None = None,
) -> FloorPlan:
    """Return the plan with another letter, name, level or set-up of a room, wherever the plan names it.

    Raises ValueError where `why_no_room` has a reason, LookupError where no room has the letter.
    """
    reason = why_no_room(plan, letter, new_letter=new_letter, name=name)
    if reason:
        raise ValueError(reason)
    room = room_of(plan, letter)
    made = replace(
        room,
        letter=room.letter if new_letter is None else new_letter,
        name=room.name if name is None else name,
        level=room.level if level is None else level,
        setup=room.setup if setup is None else "".join(one for one in SETUP_LETTERS if one in setup),
    )
    if made == room:
        return plan
    rooms = tuple(made if one is room else one for one in plan.rooms)
    grid, pairs = plan.grid, plan.no_sight
    if made.letter != letter:
        grid = tuple(row.replace(letter, made.letter) for row in grid)
    if made.name != room.name:
        pairs = _renamed(pairs, {room.name: made.name})
    return replace(plan, rooms=rooms, grid=grid, no_sight=pairs)


def _renamed(pairs: tuple[tuple[str, str], ...], names: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return pairs without sight with other names, each pair once and none of a room with itself."""
    made: list[tuple[str, str]] = []
    for a, b in pairs:
        pair = (names.get(a, a), names.get(b, b))
        if (a, b) != pair and (pair[0] == pair[1] or pair in made or pair[::-1] in made):
            continue
        made.append(pair)
    return tuple(made)


def with_setup_letter(plan: FloorPlan, letter: str, unit: str, is_on: bool) -> FloorPlan:
    """Return the plan in which a kind of unit may, or may not, be set up in a room (6.1a)."""
    setup = room_of(plan, letter).setup
    return with_room(plan, letter, setup=setup + unit if is_on else setup.replace(unit, ""))


def merged(plan: FloorPlan, into: str, letters: Iterable[str]) -> FloorPlan:
    """Return the plan with some rooms made part of another; what stands between them stays (a partition).

    The room keeps its name and level; whoever may be set up in one of them may be in the whole.
    """
    kept = room_of(plan, into)
    gone = [room_of(plan, letter) for letter in dict.fromkeys(letters) if letter != into]
    if not gone:
        return plan
    table = str.maketrans(dict.fromkeys((room.letter for room in gone), into))
    pairs = _renamed(plan.no_sight, {room.name: kept.name for room in gone})
    made = replace(plan, grid=tuple(row.translate(table) for row in plan.grid), no_sight=pairs)
    made = without_rooms(made, [room.letter for room in gone])
    return with_room(made, into, setup="".join([kept.setup, *(room.setup for room in gone)]))


def relettered(plan: FloorPlan, letter: str, other: str) -> FloorPlan:
    """Return the plan with every square of one letter given to another room, or to rock."""
    if letter == other or not any(letter in row for row in plan.grid):
        return plan
    made = replace(plan, grid=tuple(row.replace(letter, other) for row in plan.grid))
    return made if letter == ROCK else without_rooms(made, [letter])


def has_sight_pair(plan: FloorPlan, a: str, b: str) -> bool:
    """Return whether no sight line runs between two rooms, named (5.9)."""
    return (a, b) in plan.no_sight or (b, a) in plan.no_sight


def with_sight_pair(plan: FloorPlan, a: str, b: str, is_blind: bool) -> FloorPlan:
    """Return the plan in which no sight line runs, or some may run, between two rooms, named (5.9)."""
    pairs = tuple(pair for pair in plan.no_sight if set(pair) != {a, b})
    if not is_blind:
        return plan if pairs == plan.no_sight else replace(plan, no_sight=pairs)
    if a == b or has_sight_pair(plan, a, b):
        return plan
    return replace(plan, no_sight=(*plan.no_sight, (a, b)))
