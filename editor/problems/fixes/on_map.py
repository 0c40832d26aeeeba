"""Fixes of the map: rooms, edges, equipment, entries, pairs without sight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Final

from msgspec.structs import replace

from editor.draft import Draft, Edge, Square
from editor.edits.edges import KIND_WORDS, with_edges
from editor.edits.pieces import free_name
from editor.edits.rooms import relettered, with_setup_letter
from editor.edits.squares import GROUND_LEVEL, floor_by_distance, free_letter, squares_of, with_new_room
from editor.edits.things import (
    changed_entry,
    changed_equipment,
    new_entry_name,
    why_no_entry,
    why_no_equipment,
    with_entry,
    without_entries,
    without_equipment,
)
from editor.problems.fixes.fix import Finder, Fix, number_of
from editor.words import at_edge, at_square
from engine.fortress.floorplan import (
    COMPASS_NAMES,
    OPPOSITE,
    ROCK,
    STEP,
    EdgeKind,
    Entry,
    Equipment,
    FloorPlan,
    RoomInfo,
    Side,
    owner,
)
from engine.fortress.ground import Ground
from engine.fortress.masks import mask_of
from engine.fortress.problems import MAX_RATE, Problem, is_in_doorway
from engine.raid.rooms import SETUP_LETTERS


def _unlisted(draft: Draft, problem: Problem) -> Iterator[Fix]:
    plan = draft.plan
    x, y = map(int, problem.place.removeprefix("map ").split(","))
    letter = plan.grid[y][x]
    names = {room.name for room in plan.rooms}
    level = plan.rooms[0].level if plan.rooms else GROUND_LEVEL
    room = RoomInfo(letter=letter, name=free_name(f"Room {letter}", names), level=level, setup="")
    yield Fix(f"Make them {room.name}", draft.with_plan(replace(plan, rooms=(*plan.rooms, room))))
    yield Fix("Make them rock", draft.with_plan(relettered(plan, letter, ROCK)))


def _without_room(draft: Draft, number: int) -> Draft:
    """Return the draft without one line of the list of rooms, and without the pairs that only it is in."""
    plan = draft.plan
    rooms = (*plan.rooms[:number], *plan.rooms[number + 1 :])
    names = {room.name for room in rooms}
    name = plan.rooms[number].name
    pairs = tuple(pair for pair in plan.no_sight if name in names or name not in pair)
    return draft.with_plan(replace(plan, rooms=rooms, no_sight=pairs))


def _remove_room(draft: Draft, problem: Problem) -> Iterator[Fix]:
    number = number_of(problem)
    name = draft.plan.rooms[number].name
    yield Fix(f"Remove {name} from the list of rooms", _without_room(draft, number))


def _letter_twice(draft: Draft, problem: Problem) -> Iterator[Fix]:
    yield from _remove_room(draft, problem)
    letter = free_letter(draft.plan)
    room = replace(draft.plan.rooms[number_of(problem)], letter=letter)
    yield Fix(f'Give {room.name} the free letter "{letter}"', _with_room(draft, number_of(problem), room))


def _name_twice(draft: Draft, problem: Problem) -> Iterator[Fix]:
    number = number_of(problem)
    room = draft.plan.rooms[number]
    name = free_name(room.name, [one.name for one in draft.plan.rooms])
    yield Fix(f"Call it {name}", _with_room(draft, number, replace(room, name=name)))


def _with_room(draft: Draft, number: int, room: RoomInfo) -> Draft:
    rooms = draft.plan.rooms
    return draft.with_plan(replace(draft.plan, rooms=(*rooms[:number], room, *rooms[number + 1 :])))


def _in_pieces(draft: Draft, problem: Problem) -> Iterator[Fix]:
    """Make every piece but the largest a room of its own."""
    plan = draft.plan
    room = plan.rooms[number_of(problem)]
    left = set(squares_of(plan, room.letter))
    pieces: list[set[Square]] = []
    while left:
        piece, todo = set(), [left.pop()]
        while todo:
            x, y = todo.pop()
            piece.add((x, y))
            near = {(x + dx, y + dy) for dx, dy in STEP.values()} & left
            left -= near
            todo += near
        pieces.append(piece)
    largest = max(pieces, key=lambda piece: (len(piece), min(piece)))
    made = plan
    for piece in sorted((one for one in pieces if one is not largest), key=min):
        made, _ = with_new_room(made, piece, room.level)
    count = len(pieces) - 1
    words = "Make the smaller piece a room" if count == 1 else f"Make the {count} smaller pieces rooms"
    yield Fix(f"{words} of its own" if count == 1 else f"{words} of their own", draft.with_plan(made))


def _closed(draft: Draft, problem: Problem) -> Iterator[Fix]:
    plan = draft.plan
    squares = frozenset(squares_of(plan, plan.rooms[number_of(problem)].letter))
    yield from _doors(draft, squares, lambda square: square not in squares)


def _unreachable(draft: Draft, problem: Problem) -> Iterator[Fix]:
    """Put a door where the room borders on what can be reached."""
    plan = draft.plan
    squares = frozenset(squares_of(plan, plan.rooms[number_of(problem)].letter))
    ground = Ground(plan)
    gates = mask_of(plan.square(entry.x, entry.y) for entry in plan.entries)
    reached = ground.flood(gates, ground.passable, ground.floor & ~ground.tanks)
    yield from _doors(draft, squares, lambda square: bool(reached >> plan.square(*square) & 1))


def _doors(draft: Draft, squares: frozenset[Square], leads: Callable[[Square], bool]) -> Iterator[Fix]:
    """Put a door in the middle of the longest wall that a room shares with others that it may lead to."""
    plan = draft.plan
    shared: dict[str, list[Edge]] = {}
    tanks = {(one.x, one.y) for one in plan.equipment if one.kind == "tank"}
    computers = {owner(one.x, one.y, one.side) for one in plan.equipment if one.side is not None}
    for x, y in sorted(squares, key=lambda one: (one[1], one[0])):
        for side, (dx, dy) in STEP.items():
            other = (x + dx, y + dy)
            room = plan.room_at(*other)
            edge = owner(x, y, side)
            is_free = tanks.isdisjoint((other, (x, y))) and edge not in computers
            if room is not None and other not in squares and leads(other) and is_free:
                shared.setdefault(room.name, []).append(edge)
    for name, edges in sorted(shared.items(), key=lambda item: -len(item[1]))[:2]:
        edge = edges[len(edges) // 2]
        made = with_edges(plan, {edge: "door"})
        yield Fix(f"Put a door to {name} at {at_edge(edge)}", draft.with_plan(made))


def _all_letters(draft: Draft, problem: Problem) -> Iterator[Fix]:
    room = draft.plan.rooms[number_of(problem)]
    for letters, words in (("STJ", "everybody"), *SETUP_LETTERS.items()):
        made = _with_room(draft, number_of(problem), replace(room, setup=letters))
        yield Fix(f"Let {words} be set up in {room.name}", made)


def _letter_to_largest(draft: Draft, problem: Problem) -> Iterator[Fix]:
    """Give the missing letter to the largest room."""
    plan = draft.plan
    missing = problem.shortage.letters if problem.shortage is not None else ""
    sizes = Counter("".join(plan.grid))
    room = max(plan.rooms, key=lambda one: sizes[one.letter])
    for letter in SETUP_LETTERS:
        if letter in missing:
            made = with_setup_letter(plan, room.letter, letter, True)
            yield Fix(f'Give the letter "{letter}" to {room.name}', draft.with_plan(made))


# Edges


def _remove_record(draft: Draft, problem: Problem) -> Iterator[Fix]:
    """Remove one of two records of an edge."""
    number = number_of(problem)
    edges = draft.plan.edges
    made = replace(draft.plan, edges=(*edges[:number], *edges[number + 1 :]))
    yield Fix(f"Remove the second {KIND_WORDS[edges[number].kind]}", draft.with_plan(made))


def _remove_edge(draft: Draft, problem: Problem) -> Iterator[Fix]:
    """Remove what the map says of an edge, however often it does."""
    record = draft.plan.edges[number_of(problem)]
    made = with_edges(draft.plan, {owner(record.x, record.y, record.side): None})
    yield Fix(f"Remove the {KIND_WORDS[record.kind]}", draft.with_plan(made))


def _off_the_map(draft: Draft, problem: Problem) -> Iterator[Fix]:
    yield from _remove_edge(draft, problem)
    plan = draft.plan
    edge = plan.edges[number_of(problem)]
    x, y, side = edge.x, edge.y, edge.side
    if plan.room_at(x, y) is None:
        dx, dy = STEP[side]
        x, y, side = x + dx, y + dy, OPPOSITE[side]
    entry = Entry(name=new_entry_name(plan), x=x, y=y, enter=1, leave=1, side=side)
    if not why_no_entry(plan, entry):
        yield Fix(f"Make {entry.name} there", draft.with_plan(with_entry(plan, entry)))


def _partition(draft: Draft, problem: Problem) -> Iterator[Fix]:
    """Draw the wall that a door in a room's midst needs, to both sides until something stops it."""
    plan = draft.plan
    edge = plan.edges[number_of(problem)]
    x, y, side = owner(edge.x, edge.y, edge.side)
    dx, dy = (0, 1) if side == "E" else (1, 0)
    walls: dict[Edge, EdgeKind | None] = {}
    room = plan.room_at(x, y)
    for step in (-1, 1):
        at = step
        while True:
            place: Edge = (x + at * dx, y + at * dy, side)
            if plan.room_at(place[0], place[1]) is not room or plan.edge_kind(*place) != "open":
                break
            walls[place] = "wall"
            at += step
    made = draft.with_plan(with_edges(plan, walls))
    yield Fix("Draw the partition wall that it stands in", made)
    yield from _remove_edge(draft, problem)


def _common_door(draft: Draft, problem: Problem) -> Iterator[Fix]:
    number = number_of(problem)
    edges = draft.plan.edges
    door = replace(edges[number], kind="door")
    made = replace(draft.plan, edges=(*edges[:number], door, *edges[number + 1 :]))
    yield Fix("Make it a common door", draft.with_plan(made))
    yield from _remove_edge(draft, problem)


# Equipment


def _remove_equipment(draft: Draft, problem: Problem) -> Iterator[Fix]:
    number = number_of(problem)
    kind = draft.plan.equipment[number].kind
    yield Fix(f"Remove the {kind}", draft.with_plan(without_equipment(draft.plan, [number])))


def _move_equipment(draft: Draft, problem: Problem) -> Iterator[Fix]:
    """Move a piece to the nearest place where it stands without a problem."""
    plan = draft.plan
    number = number_of(problem)
    thing = plan.equipment[number]
    ground = Ground(plan)
    for x, y in floor_by_distance(plan, (thing.x, thing.y)):
        if (x, y) == (thing.x, thing.y):
            continue
        moved = _standing(plan, thing, number, x, y)
        if moved is None:
            continue
        if thing.kind == "tank" and (ground.may_be_bridge(plan.square(x, y)) or is_in_doorway(plan, x, y)):
            continue
        made = changed_equipment(plan, number, moved)
        yield Fix(f"Move the {thing.kind} to {at_square((x, y))}", draft.with_plan(made))
        break
    yield from _remove_equipment(draft, problem)


def _standing(plan: FloorPlan, thing: Equipment, number: int, x: int, y: int) -> Equipment | None:
    """Return a piece of equipment as it can stand in a square, along the side it stands along if possible."""
    sides: list[Side | None] = [thing.side, *(side for side in STEP if side != thing.side)]
    for side in [None] if thing.kind == "tank" else sides:
        moved = replace(thing, x=x, y=y, side=side)
        if not why_no_equipment(plan, moved, number):
            return moved
    return None


def _along_wall(draft: Draft, problem: Problem) -> Iterator[Fix]:
    """Turn a computer to a wall of its square, or draw one."""
    plan = draft.plan
    number = number_of(problem)
    thing = plan.equipment[number]
    for side in STEP:
        if plan.edge_kind(thing.x, thing.y, side) == "wall":
            made = changed_equipment(plan, number, replace(thing, side=side))
            yield Fix(f"Stand it along the {COMPASS_NAMES[side]} wall", draft.with_plan(made))
    if thing.side is not None:
        edge = owner(thing.x, thing.y, thing.side)
        made = with_edges(plan, {edge: "wall"})
        yield Fix(f"Draw the wall on its {COMPASS_NAMES[thing.side]} side", draft.with_plan(made))
    yield from _remove_equipment(draft, problem)


# Entries


def _new_entry(draft: Draft, problem: Problem) -> Iterator[Fix]:
    """Make an entry on the rim of the fortress."""
    plan = draft.plan
    tanks = {(one.x, one.y) for one in plan.equipment if one.kind == "tank"}
    for x, y in floor_by_distance(plan, (-1, -1)):
        is_rim = any(plan.room_at(x + dx, y + dy) is None for dx, dy in STEP.values())
        if is_rim and (x, y) not in tanks:
            entry = Entry(name=new_entry_name(plan), x=x, y=y, enter=2, leave=2)
            made = draft.with_plan(with_entry(plan, entry))
            yield Fix(f"Make {entry.name} at {at_square((x, y))}", made)
            return


def _remove_entry(draft: Draft, problem: Problem) -> Iterator[Fix]:
    number = number_of(problem)
    words = f"Remove the {draft.plan.entries[number].name}"
    yield Fix(words, draft.with_plan(without_entries(draft.plan, [number])))


def _move_entry(draft: Draft, problem: Problem) -> Iterator[Fix]:
    plan = draft.plan
    number = number_of(problem)
    entry = plan.entries[number]
    for x, y in floor_by_distance(plan, (entry.x, entry.y)):
        if (x, y) == (entry.x, entry.y):
            continue
        for side in (entry.side, None):
            moved = replace(entry, x=x, y=y, side=side)
            if not why_no_entry(plan, moved, number):
                made = draft.with_plan(changed_entry(plan, number, moved))
                yield Fix(f"Move the {entry.name} to {at_square((x, y))}", made)
                break
        else:
            continue
        break
    if problem.code == "entry-on-tank":
        gone = [
            at
            for at, one in enumerate(plan.equipment)
            if (one.kind, one.x, one.y) == ("tank", entry.x, entry.y)
        ]
        yield Fix("Remove the tank", draft.with_plan(without_equipment(plan, gone)))
    yield from _remove_entry(draft, problem)


def _outward(draft: Draft, problem: Problem) -> Iterator[Fix]:
    plan = draft.plan
    number = number_of(problem)
    entry = plan.entries[number]
    for side, (dx, dy) in STEP.items():
        if plan.room_at(entry.x + dx, entry.y + dy) is None:
            made = changed_entry(plan, number, replace(entry, side=side))
            yield Fix(f"Let it come from the {COMPASS_NAMES[side]}", draft.with_plan(made))
    made = changed_entry(plan, number, replace(entry, side=None))
    yield Fix("Let it come from no side", draft.with_plan(made))


def _entry_name(draft: Draft, problem: Problem) -> Iterator[Fix]:
    number = number_of(problem)
    entry = draft.plan.entries[number]
    name = free_name(entry.name, [one.name for one in draft.plan.entries])
    made = changed_entry(draft.plan, number, replace(entry, name=name))
    yield Fix(f"Call it {name}", draft.with_plan(made))


def _rate(draft: Draft, problem: Problem) -> Iterator[Fix]:
    number = number_of(problem)
    entry = draft.plan.entries[number]
    enter, leave = min(max(entry.enter, 0), MAX_RATE), min(max(entry.leave, 0), MAX_RATE)
    is_of_use = enter or leave or draft.plan.is_barred(entry)
    for rates in ((enter, leave),) if is_of_use else ((1, 0), (1, 1)):
        made = changed_entry(draft.plan, number, replace(entry, enter=rates[0], leave=rates[1]))
        yield Fix(f"Let {rates[0]} in and {rates[1]} out", draft.with_plan(made))


def _let_in(draft: Draft, _: Problem) -> Iterator[Fix]:
    """Let Terminators in where now they only leave, by as many as leave."""
    entries = tuple(replace(one, enter=max(1, one.leave)) for one in draft.plan.entries)
    yield Fix("Let as many in as out", draft.with_plan(replace(draft.plan, entries=entries)))


def _way_out(draft: Draft, problem: Problem) -> Iterator[Fix]:
    plan = draft.plan
    entries = tuple(replace(entry, leave=min(max(entry.enter, 1), MAX_RATE)) for entry in plan.entries)
    words = "Let as many out by each entry as come in"
    yield Fix(words, draft.with_plan(replace(plan, entries=entries)))


# Sight


def _remove_pair(draft: Draft, problem: Problem) -> Iterator[Fix]:
    number = number_of(problem)
    pairs = draft.plan.no_sight
    made = replace(draft.plan, no_sight=(*pairs[:number], *pairs[number + 1 :]))
    yield Fix("Remove the pair", draft.with_plan(made))


def _name_in_pair(draft: Draft, problem: Problem) -> Iterator[Fix]:
    number = number_of(problem)
    plan = draft.plan
    names = [room.name for room in plan.rooms]
    pair = plan.no_sight[number]
    nearest = [one if one in names else "".join(get_close_matches(one, names, 1)) for one in pair]
    if all(nearest) and nearest[0] != nearest[1]:
        pairs = (*plan.no_sight[:number], (nearest[0], nearest[1]), *plan.no_sight[number + 1 :])
        yield Fix(f"Name {nearest[0]} and {nearest[1]}", draft.with_plan(replace(plan, no_sight=pairs)))
    yield from _remove_pair(draft, problem)


ON_MAP: Final[dict[str, Finder]] = {
    "unlisted-letter": _unlisted,
    "rock-letter": _remove_room,
    "room-empty": _remove_room,
    "room-letter-twice": _letter_twice,
    "room-name-twice": _name_twice,
    "room-in-pieces": _in_pieces,
    "room-closed": _closed,
    "room-unreachable": _unreachable,
    "dropoff-only-way": _unreachable,
    "room-without-letter": _all_letters,
    "no-setup-room": _letter_to_largest,
    "edge-twice": _remove_record,
    "edge-in-rock": _remove_edge,
    "edge-says-nothing": _remove_edge,
    "wall-in-rock": _remove_edge,
    "dropoff-into-rock": _remove_edge,
    "dropoff-on-one-level": _remove_edge,
    "dropoff-parts-nothing": _remove_edge,
    "leads-off-the-map": _off_the_map,
    "door-without-wall": _partition,
    "door-guards-nothing": _common_door,
    "doors-side-by-side": _remove_edge,
    "equipment-in-rock": _move_equipment,
    "equipment-overlaps": _move_equipment,
    "computer-without-side": _along_wall,
    "computer-without-wall": _along_wall,
    "tank-blocks-way": _move_equipment,
    "tank-in-doorway": _move_equipment,
    "no-entry": _new_entry,
    "entry-name-twice": _entry_name,
    "entry-in-rock": _move_entry,
    "entry-on-tank": _move_entry,
    "entry-inside": _outward,
    "entry-rate": _rate,
    "no-way-in": _let_in,
    "no-way-out": _way_out,
    "sight-room-missing": _name_in_pair,
    "sight-room-twice": _remove_pair,
    "sight-pair-twice": _remove_pair,
    "sight-changes-nothing": _remove_pair,
}
"""The finders of fixes of the map, by the code of the problem."""
