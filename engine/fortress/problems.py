"""Every fault of a map, as named values; what a scenario adds is checked elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Literal, NamedTuple

from engine.core.files import BadFile
from engine.fortress.floorplan import (
    COMPASS,
    ROCK,
    STEP,
    EdgeKind,
    EdgeOverride,
    FloorPlan,
    RoomInfo,
    Side,
    faults,
    format_floorplan,
    next_in_line,
    owner,
    parse_floorplan,
)
from engine.fortress.graph import grid_graph
from engine.fortress.ground import PASSABLE, Ground, pieces
from engine.fortress.masks import bits, mask_of
from engine.fortress.sight import Obstacles, Walls

MAX_RATE = 99  # figures per phase through one entry
MAX_SIGHT_LINES = 500_000  # tried for one pair of rooms before it is taken to be of use


class Shortage(NamedTuple):
    """What there is too little of: so many places for so many who want one.

    `letters` are those of the kinds that share the rooms in question ("ST"), "" where it is not about them.
    """

    places: int
    wanted: int
    letters: str = ""


class Problem(NamedTuple):
    """A fault of a map.

    `code` names the kind, `severity` says whether the map can be played ("warning") or not ("error"),
    `place` is a part of the file (`edges[3]`) or a square (`4,7`). `shortage` says in numbers what the
    message says in words.
    """

    code: str
    severity: Literal["error", "warning"]
    place: str
    message: str
    shortage: Shortage | None = None


def problems(plan: FloorPlan, letters: Mapping[str, str] | None = None) -> tuple[Problem, ...]:
    """Return the faults of a plan, errors first.

    `letters` names who is set up in rooms with a letter, by letter: each needs such a room.
    """
    broken = faults(plan) or _unreadable(plan)
    if broken:
        lines = (line.split(": ", 1) for line in broken)
        return tuple(Problem("not-a-map", "error", place, message) for place, message in lines)
    ground = Ground(plan)
    found = [
        *_rooms(plan, ground),
        *_letters(plan, letters or {}),
        *_edges(plan, ground),
        *_equipment(plan, ground),
        *_entries(plan, ground),
        *_sight(plan, ground),
    ]
    return tuple(sorted(found, key=lambda problem: problem.severity))


def meant(name: str, known: Iterable[str]) -> str:
    """Return a question for the nearest of the known names, to stand behind a message; "" if none is near."""
    near = get_close_matches(name, list(dict.fromkeys(known)), 1)
    return f'; is "{near[0]}" meant?' if near else ""


def _unreadable(plan: FloorPlan) -> list[str]:
    """Return what would keep a plan from being read again once it is saved: values that no file may hold."""
    try:
        parse_floorplan(format_floorplan(plan))
    except BadFile as error:
        return list(error.problems)
    return []


def _error(code: str, place: str, message: str) -> Problem:
    return Problem(code, "error", place, message)


def _warning(code: str, place: str, message: str, shortage: Shortage | None = None) -> Problem:
    return Problem(code, "warning", place, message, shortage)


def _rooms(plan: FloorPlan, ground: Ground) -> Iterator[Problem]:
    squares = ground.squares
    listed = {room.letter for room in plan.rooms}
    for letter, some in squares.items():
        if letter not in listed:
            yield _error(
                "unlisted-letter",
                _at(plan, bits(some)[0]),
                f'{_squares(some.bit_count())} with the letter "{letter}" belong to no listed room',
            )
    walkable = ground.floor & ~ground.tanks
    ways_in = [entry for entry in plan.entries if plan.lets_in(entry)]
    gates = mask_of(plan.square(entry.x, entry.y) for entry in ways_in)
    reached = ground.flood(gates, ground.passable, walkable)
    climbed = 0
    if "dropoff" in ground.kinds.values():
        climbed = reached & ~ground.flood(gates, ground.edges(PASSABLE - {"dropoff"}), walkable)
    joined = {letter for letters in _joins(plan, ground) for letter in letters}
    parts = pieces(plan)
    names = ", ".join(entry.name for entry in ways_in)
    yield from _twice(plan.rooms, "letter")
    yield from _twice(plan.rooms, "name")
    for at, room in enumerate(plan.rooms):
        place, some = f"rooms[{at}]", squares.get(room.letter, 0)
        if room.letter == ROCK:
            yield _error("rock-letter", place, f'the letter "{ROCK}" of {room.name} stands for rock')
            continue
        if not some:
            yield _error("room-empty", place, f"{room.name} has no squares")
            continue
        if parts[room.letter] > 1:
            yield _warning(
                "room-in-pieces",
                place,
                f"{room.name} is in {parts[room.letter]} pieces that do not touch",
            )
        if len(squares) > 1 and room.letter not in joined:
            yield _warning("room-closed", place, f"{room.name} has no door or opening")
        # An error also where Terminators begin in there (6.3): a map is one fortress for every scenario,
        # and bots and doctor reckon from its ways in.
        if ways_in and not reached & some and some & walkable:
            yield _error(
                "room-unreachable",
                place,
                f"{room.name} cannot be reached from any entry ({names}), all doors open (4.1)",
            )
        if some & reached and not some & reached & ~climbed:
            yield _warning(
                "dropoff-only-way",
                place,
                f"{room.name} is reached over drop-offs only, which cost 2 more without Monkey Soul (4.42)",
            )


def _joins(plan: FloorPlan, ground: Ground) -> dict[frozenset[str], set[EdgeKind]]:
    """Return which rooms can be walked between, by their letters, and what stands on the edges there.

    Rooms are parted by walls unless the plan says otherwise, so its overrides are all there is to see.
    """
    joins: dict[frozenset[str], set[EdgeKind]] = {}
    for (x, y, side), kind in ground.kinds.items():
        dx, dy = STEP[side]
        here, there = plan.room_at(x, y), plan.room_at(x + dx, y + dy)
        if kind != "wall" and here is not None and there is not None and here.letter != there.letter:
            joins.setdefault(frozenset((here.letter, there.letter)), set()).add(kind)
    return joins


def _letters(plan: FloorPlan, letters: Mapping[str, str]) -> Iterator[Problem]:
    for letter, who in letters.items():
        if plan.rooms and not any(letter in room.setup for room in plan.rooms):
            message = f'no room has the letter "{letter}": {who} have no place (6.1)'
            yield _warning("no-setup-room", "rooms", message, Shortage(0, 1, letter))


def _twice(rooms: tuple[RoomInfo, ...], what: Literal["letter", "name"]) -> Iterator[Problem]:
    said = [room.letter if what == "letter" else room.name for room in rooms]
    for value, count in Counter(said).items():
        if count > 1:
            first, *others = (at for at, one in enumerate(said) if one == value)
            for at in others:
                yield _error(
                    f"room-{what}-twice",
                    f"rooms[{at}]",
                    f'the {what} "{value}" is that of rooms[{first}] too',
                )


_WHAT: dict[EdgeKind, str] = {
    "door": "a door",
    "armored": "an armored door",
    "dropoff": "a drop-off",
    "open": "an opening",
    "wall": "a wall",
}


def _edges(plan: FloorPlan, ground: Ground) -> Iterator[Problem]:
    seen: dict[tuple[int, int, Side], int] = {}
    gates = {owner(entry.x, entry.y, entry.side) for entry in plan.entries if entry.side}
    joins = _joins(plan, ground)
    doors: set[tuple[int, int, Side]] = set()
    for at, edge in enumerate(plan.edges):
        place, name = owner(edge.x, edge.y, edge.side), f"edges[{at}]"
        if place in seen:
            first = plan.edges[seen[place]]
            same = first.kind == edge.kind
            yield Problem(
                "edge-twice",
                "warning" if same else "error",
                name,
                f"is the same edge as edges[{seen[place]}]"
                + ("" if same else f", there {first.kind}, here {edge.kind}"),
            )
            continue
        seen[place] = at
        dx, dy = STEP[edge.side]
        here, there = plan.room_at(edge.x, edge.y), plan.room_at(edge.x + dx, edge.y + dy)
        if here is None or there is None:
            yield from _edge_of_rock(
                edge, name, is_between=here is None and there is None, is_gate=place in gates
            )
            continue
        if edge.kind in ("open", "wall"):
            if (edge.kind == "open") == (here is there):
                yield _warning("edge-says-nothing", name, f"{_WHAT[edge.kind]} where one is anyway")
            continue
        if edge.kind == "dropoff":
            if here is not there and here.level == there.level:
                yield _warning(
                    "dropoff-on-one-level",
                    name,
                    f"a drop-off between {here.name} and {there.name}, both {here.level} (4.42)",
                )
            if here is there and not _wall_goes_on(plan, place):
                yield _warning(
                    "dropoff-parts-nothing",
                    name,
                    f"a drop-off inside {here.name} that one walks around for the same cost (4.42)",
                )
            elif here is there:
                yield _warning(
                    "dropoff-on-one-level",
                    name,
                    f"a drop-off inside {here.name}, all of which is {here.level} (4.42)",
                )
            continue
        if here is there and not _wall_goes_on(plan, place):
            yield _error(
                "door-without-wall",
                name,
                f"{_WHAT[edge.kind]} inside {here.name} with no wall to either side of it (2.1)",
            )
        kinds = joins.get(frozenset((here.letter, there.letter)), set())
        if edge.kind == "armored" and {"open", "door"} & kinds:
            yield _warning(
                "door-guards-nothing",
                name,
                f"{here.name} and {there.name} are also joined without an armored door (4.41)",
            )
        x, y, side = place
        for neighbour in next_in_line(*place):
            if neighbour in doors and _rooms_of(plan, neighbour) == _rooms_of(plan, place):
                yield _warning("doors-side-by-side", name, f"two doors side by side at {x},{y} {side}")
        doors.add(place)


def _edge_of_rock(edge: EdgeOverride, name: str, *, is_between: bool, is_gate: bool) -> Iterator[Problem]:
    """Find what is wrong with an edge that has rock on one side, or on both."""
    what = _WHAT[edge.kind]
    if is_between:
        if edge.kind == "wall":
            yield _warning("wall-in-rock", name, f"{what} with rock on both sides parts nothing")
        elif edge.kind != "open":
            yield _error("edge-in-rock", name, f"{what} with rock on both sides")
    elif edge.kind == "dropoff":
        yield _error("dropoff-into-rock", name, "a drop-off with no floor on one side (4.42)")
    elif edge.kind == "wall":
        yield _warning("edge-says-nothing", name, f"{what} where one is anyway")
    elif not is_gate:
        yield _error("leads-off-the-map", name, f"{what} leads off the map where no entry is (4.1)")


def _rooms_of(plan: FloorPlan, place: tuple[int, int, Side]) -> tuple[str, str]:
    x, y, side = place
    dx, dy = STEP[side]
    return _letter(plan, x, y), _letter(plan, x + dx, y + dy)


def _wall_goes_on(plan: FloorPlan, place: tuple[int, int, Side]) -> bool:
    return any(plan.edge_kind(*one) != "open" for one in next_in_line(*place))


def _letter(plan: FloorPlan, x: int, y: int) -> str:
    return plan.grid[y][x] if 0 <= x < plan.width and 0 <= y < plan.height else ROCK


def _equipment(plan: FloorPlan, ground: Ground) -> Iterator[Problem]:
    taken: dict[int, int] = {}
    cuts: frozenset[int] | None = None
    for at, thing in enumerate(plan.equipment):
        place, square = f"equipment[{at}]", plan.square(thing.x, thing.y)
        if plan.room_at(thing.x, thing.y) is None:
            yield _error(
                "equipment-in-rock", place, f"a {thing.kind} stands in rock at {thing.x},{thing.y} (4.5)"
            )
            continue
        if square in taken:
            yield _error("equipment-overlaps", place, f"stands where equipment[{taken[square]}] does (4.5)")
            continue
        taken[square] = at
        if thing.kind == "computer":
            if thing.side is None:
                yield _error(
                    "computer-without-side", place, "a computer must say along which side it stands (4.5)"
                )
            elif plan.edge_kind(thing.x, thing.y, thing.side) != "wall":
                yield _error(
                    "computer-without-wall",
                    place,
                    f"no wall on side {thing.side} of {thing.x},{thing.y} (4.5)",
                )
            continue
        if ground.may_be_bridge(square) and cuts is None:
            cuts = _cuts(plan)
        if cuts is not None and square in cuts:
            yield _warning("tank-blocks-way", place, "a tank stands on the only way between squares (4.5)")
        elif is_in_doorway(plan, thing.x, thing.y):
            yield _warning("tank-in-doorway", place, "a tank stands before a door (4.5)")


def _cuts(plan: FloorPlan) -> frozenset[int]:
    """Return the squares that are the only way between others, tanks or not."""
    import networkx as nx

    return frozenset(nx.articulation_points(grid_graph(plan)))


def is_in_doorway(plan: FloorPlan, x: int, y: int) -> bool:
    """Return whether a square has a door to another one on a side of it."""
    return any(
        plan.edge_kind(x, y, side) in ("door", "armored") and plan.room_at(x + dx, y + dy) is not None
        for side, (dx, dy) in STEP.items()
    )


def _entries(plan: FloorPlan, ground: Ground) -> Iterator[Problem]:
    names: dict[str, int] = {}
    # Asked for also where every Terminator begins inside (6.3): see room-unreachable.
    if not plan.entries:
        yield _error("no-entry", "entries", "the map has no entry (4.1)")
    elif all(entry.enter == 0 < entry.leave and not plan.lets_in(entry) for entry in plan.entries):
        yield _error("no-way-in", "entries", "no entry lets anybody in (4.1, R11)")
    for at, entry in enumerate(plan.entries):
        place, square = f"entries[{at}]", plan.square(entry.x, entry.y)
        if entry.name in names:
            yield _error(
                "entry-name-twice", place, f'"{entry.name}" is the name of entries[{names[entry.name]}] too'
            )
        names.setdefault(entry.name, at)
        if not ground.floor >> square & 1:
            yield _error("entry-in-rock", place, f"no floor at {entry.x},{entry.y} (4.1)")
        elif ground.tanks >> square & 1:
            yield _error("entry-on-tank", place, f"a tank stands at {entry.x},{entry.y} (4.5)")
        if entry.side is not None:
            dx, dy = STEP[entry.side]
            if plan.room_at(entry.x + dx, entry.y + dy) is not None:
                yield _error(
                    "entry-inside",
                    place,
                    f"side {entry.side} of {entry.x},{entry.y} is not the map's edge (4.1)",
                )
        if not 0 <= entry.enter <= MAX_RATE:
            yield _error("entry-rate", f"{place}.enter", f"{entry.enter} is not from 0 to {MAX_RATE} (R11)")
        elif entry.leave == 0 and not plan.lets_in(entry):
            yield _error("entry-rate", f"{place}.enter", "nobody comes in or leaves by it (R11)")
        if not 0 <= entry.leave <= MAX_RATE:
            yield _error("entry-rate", f"{place}.leave", f"{entry.leave} is not from 0 to {MAX_RATE} (R11)")


def _sight(plan: FloorPlan, ground: Ground) -> Iterator[Problem]:
    names = {room.name: at for at, room in reversed(list(enumerate(plan.rooms)))}
    seen: dict[frozenset[str], int] = {}
    for at, pair in enumerate(plan.no_sight):
        place = f"no_sight[{at}]"
        missing = [name for name in pair if name not in names]
        for name in missing:
            yield _error(
                "sight-room-missing", place, f'there is no room called "{name}"{meant(name, names)} (5.9)'
            )
        if missing:
            continue
        if pair[0] == pair[1]:
            yield _error("sight-room-twice", place, f'"{pair[0]}" is named twice (5.9)')
            continue
        if frozenset(pair) in seen:
            yield _warning("sight-pair-twice", place, f"is the same as no_sight[{seen[frozenset(pair)]}]")
            continue
        seen[frozenset(pair)] = at
        rooms = [_squares_of(ground, plan.rooms[names[name]]) for name in pair]
        if not _see_one_another(plan, ground, *rooms):
            yield _warning(
                "sight-changes-nothing",
                place,
                f"{pair[0]} and {pair[1]} do not see one another anyway (5.9)",
            )


def _squares_of(ground: Ground, room: RoomInfo) -> int:
    """Return the squares of a room as the board knows it: of two with one letter the first has them."""
    first = next(one for one in ground.plan.rooms if one.letter == room.letter)
    return ground.squares.get(room.letter, 0) if first is room and room.letter != ROCK else 0


def _see_one_another(plan: FloorPlan, ground: Ground, first: int, second: int) -> bool:
    """Return whether a sight line runs between two rooms, all doors destroyed (5.2).

    Lines stay in the box around both rooms, so only what stands there is looked at.
    """
    if not first or not second:
        return False
    width = ground.width
    squares = bits(first | second)
    columns = [square % width for square in squares]
    row = (1 << max(columns) + 1) - (1 << min(columns))
    box = 0
    for y in range(squares[0] // width, squares[-1] // width + 1):
        box |= row << y * width
    walls = [
        int("".join(["1" if kind == "wall" else "0" for kind in reversed(layer)]), 2) & box
        for layer in ground.layers
    ]
    along = [
        mask_of(
            plan.square(one.x, one.y) for one in plan.equipment if one.kind == "computer" and one.side == side
        )
        & box
        for side in COMPASS
    ]
    shapes = Walls(
        Obstacles(
            width,
            plan.height,
            ground.floor,
            walls[0],
            walls[1],
            ground.tanks & box,
            (along[0], along[1], along[2], along[3]),
        )
    )
    few, many = sorted((first, second), key=int.bit_count)
    for number, square in enumerate(bits(few)):
        if shapes.sight(square, many) & many:
            return True
        if number * many.bit_count() > MAX_SIGHT_LINES:
            return True
    return False


def _at(plan: FloorPlan, square: int) -> str:
    x, y = plan.xy(square)
    return f"{x},{y}"


def _squares(count: int) -> str:
    return "1 square" if count == 1 else f"{count} squares"
