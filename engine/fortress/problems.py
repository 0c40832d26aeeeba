"""Every fault of a map, as named values; what a scenario adds is checked elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from engine.fortress.board import Board
from engine.fortress.floorplan import ROCK, STEP, FloorPlan, RoomInfo, Side, faults, owner
from engine.fortress.graph import grid_graph
from engine.fortress.masks import bits
from engine.fortress.sight import Walls

if TYPE_CHECKING:
    import networkx as nx

MAX_RATE = 99  # figures per phase through one entry


class Problem(NamedTuple):
    """A fault of a map.

    `code` names the kind, `severity` says whether the map can be played ("warning") or not ("error"),
    `place` is a part of the file (`edges[3]`) or a square (`4,7`).
    """

    code: str
    severity: Literal["error", "warning"]
    place: str
    message: str


def problems(plan: FloorPlan, letters: Mapping[str, str] | None = None) -> tuple[Problem, ...]:
    """Return the faults of a plan, errors first.

    `letters` names who is set up in rooms with a letter, by letter: each needs such a room.
    """
    broken = faults(plan)
    if broken:
        return tuple(Problem("not-a-map", "error", *line.split(": ", 1)) for line in broken)
    graph = grid_graph(plan)
    found = [
        *_rooms(plan, graph),
        *_letters(plan, letters or {}),
        *_edges(plan, graph),
        *_equipment(plan, graph),
        *_entries(plan, graph),
        *_sight(plan),
    ]
    return tuple(sorted(found, key=lambda problem: problem.severity))


def _error(code: str, place: str, message: str) -> Problem:
    return Problem(code, "error", place, message)


def _warning(code: str, place: str, message: str) -> Problem:
    return Problem(code, "warning", place, message)


def _rooms(plan: FloorPlan, graph: nx.Graph[int]) -> Iterator[Problem]:
    import networkx as nx

    squares: dict[str, list[int]] = {}
    for y, row in enumerate(plan.grid):
        for x, letter in enumerate(row):
            squares.setdefault(letter, []).append(plan.square(x, y))
    squares.pop(ROCK, None)
    listed = {room.letter for room in plan.rooms}
    for letter, some in squares.items():
        if letter not in listed:
            yield _error(
                "unlisted-letter",
                _at(plan, some[0]),
                f'{_squares(len(some))} with the letter "{letter}" belong to no listed room',
            )
    walkable = {square for square, data in graph.nodes.items() if not data["tank"]}
    reached: set[int] = set()
    todo = [plan.square(entry.x, entry.y) for entry in plan.entries]
    while todo:
        square = todo.pop()
        if square in walkable and square not in reached:
            reached.add(square)
            todo.extend(graph[square])
    yield from _twice(plan.rooms, "letter")
    yield from _twice(plan.rooms, "name")
    for at, room in enumerate(plan.rooms):
        place, some = f"rooms[{at}]", squares.get(room.letter, [])
        if room.letter == ROCK:
            yield _error("rock-letter", place, f'the letter "{ROCK}" of {room.name} stands for rock')
            continue
        if not some:
            yield _error("room-empty", place, f"{room.name} has no squares")
            continue
        pieces = nx.number_connected_components(_touching(plan, some))
        if pieces > 1:
            yield _warning("room-in-pieces", place, f"{room.name} is in {pieces} pieces that do not touch")
        inside = set(some)
        if len(squares) > 1 and all(other in inside for square in some for other in graph[square]):
            yield _warning("room-closed", place, f"{room.name} has no door or opening")
        if plan.entries and not reached & inside and any(s in walkable for s in some):
            yield _error(
                "room-unreachable", place, f"{room.name} cannot be reached from any entry, all doors open"
            )


def _letters(plan: FloorPlan, letters: Mapping[str, str]) -> Iterator[Problem]:
    for letter, who in letters.items():
        if plan.rooms and not any(letter in room.setup for room in plan.rooms):
            yield _warning(
                "no-setup-room", "rooms", f'no room has the letter "{letter}": {who} have no place'
            )


def _touching(plan: FloorPlan, some: list[int]) -> nx.Graph[int]:
    """Return the graph of a room's squares in which all neighbours are joined, walls or not."""
    import networkx as nx

    inside = set(some)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(some)
    graph.add_edges_from((s, s + 1) for s in some if s + 1 in inside and (s + 1) % plan.width)
    graph.add_edges_from((s, s + plan.width) for s in some if s + plan.width in inside)
    return graph


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


def _edges(plan: FloorPlan, graph: nx.Graph[int]) -> Iterator[Problem]:
    seen: dict[tuple[int, int, Side], int] = {}
    gates = {owner(entry.x, entry.y, entry.side) for entry in plan.entries if entry.side}
    joins: dict[frozenset[str], list[str]] = {}
    for a, b, data in graph.edges(data=True):
        letters = frozenset((_letter(plan, *plan.xy(a)), _letter(plan, *plan.xy(b))))
        if len(letters) == 2:
            joins.setdefault(letters, []).append(data["kind"])
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
        what = {
            "door": "a door",
            "armored": "an armored door",
            "dropoff": "a drop-off",
            "open": "an opening",
        }.get(edge.kind, "")
        if not what:
            continue
        if here is None and there is None:
            if edge.kind != "open":
                yield _error("edge-in-rock", name, f"{what} with rock on both sides")
            continue
        if here is None or there is None:
            if edge.kind == "dropoff":
                yield _error("dropoff-into-rock", name, "a drop-off with no floor on one side")
            elif place not in gates:
                yield _error("leads-off-the-map", name, f"{what} leads off the map where no entry is")
            continue
        if edge.kind == "dropoff":
            if here is not there and here.level == there.level:
                yield _warning(
                    "dropoff-on-one-level",
                    name,
                    f"a drop-off between {here.name} and {there.name}, both {here.level}",
                )
            continue
        if edge.kind == "open":
            continue
        if here is there and not _wall_goes_on(plan, place):
            yield _error(
                "door-without-wall", name, f"{what} inside {here.name} with no wall to either side of it"
            )
        kinds = joins.get(frozenset((here.letter, there.letter)), [])
        if edge.kind == "armored" and {"open", "door"} & set(kinds):
            yield _warning(
                "door-guards-nothing",
                name,
                f"{here.name} and {there.name} are also joined without an armored door",
            )
        x, y, side = place
        for neighbour in _along(place):
            if neighbour in doors and _rooms_of(plan, neighbour) == _rooms_of(plan, place):
                yield _warning("doors-side-by-side", name, f"two doors side by side at {x},{y} {side}")
        doors.add(place)


def _along(place: tuple[int, int, Side]) -> tuple[tuple[int, int, Side], tuple[int, int, Side]]:
    """Return the two edges that carry an edge on in a straight line."""
    x, y, side = place
    return ((x, y - 1, side), (x, y + 1, side)) if side == "E" else ((x - 1, y, side), (x + 1, y, side))


def _rooms_of(plan: FloorPlan, place: tuple[int, int, Side]) -> tuple[str, str]:
    x, y, side = place
    dx, dy = STEP[side]
    return _letter(plan, x, y), _letter(plan, x + dx, y + dy)


def _wall_goes_on(plan: FloorPlan, place: tuple[int, int, Side]) -> bool:
    return any(plan.edge_kind(*one) != "open" for one in _along(place))


def _letter(plan: FloorPlan, x: int, y: int) -> str:
    return plan.grid[y][x] if 0 <= x < plan.width and 0 <= y < plan.height else ROCK


def _equipment(plan: FloorPlan, graph: nx.Graph[int]) -> Iterator[Problem]:
    import networkx as nx

    taken: dict[int, int] = {}
    cuts = set(nx.articulation_points(graph))
    for at, thing in enumerate(plan.equipment):
        place, square = f"equipment[{at}]", plan.square(thing.x, thing.y)
        if plan.room_at(thing.x, thing.y) is None:
            yield _error("equipment-in-rock", place, f"a {thing.kind} stands in rock at {thing.x},{thing.y}")
            continue
        if square in taken:
            yield _error("equipment-overlaps", place, f"stands where equipment[{taken[square]}] does")
            continue
        taken[square] = at
        if thing.kind == "computer":
            if thing.side is None:
                yield _error("computer-without-side", place, "a computer must say along which side it stands")
            elif plan.edge_kind(thing.x, thing.y, thing.side) != "wall":
                yield _error(
                    "computer-without-wall", place, f"no wall on side {thing.side} of {thing.x},{thing.y}"
                )
            continue
        if square in cuts:
            yield _warning("tank-blocks-way", place, "a tank stands on the only way between squares")
        elif any(graph.edges[square, other]["kind"] in ("door", "armored") for other in graph[square]):
            yield _warning("tank-in-doorway", place, "a tank stands before a door")


def _entries(plan: FloorPlan, graph: nx.Graph[int]) -> Iterator[Problem]:
    names: dict[str, int] = {}
    if not plan.entries:
        yield _error("no-entry", "entries", "the map has no entry")
    for at, entry in enumerate(plan.entries):
        place, square = f"entries[{at}]", plan.square(entry.x, entry.y)
        if entry.name in names:
            yield _error(
                "entry-name-twice", place, f'"{entry.name}" is the name of entries[{names[entry.name]}] too'
            )
        names.setdefault(entry.name, at)
        if square not in graph:
            yield _error("entry-in-rock", place, f"no floor at {entry.x},{entry.y}")
        elif graph.nodes[square]["tank"]:
            yield _error("entry-on-tank", place, f"a tank stands at {entry.x},{entry.y}")
        if entry.side is not None:
            dx, dy = STEP[entry.side]
            if plan.room_at(entry.x + dx, entry.y + dy) is not None:
                yield _error(
                    "entry-inside", place, f"side {entry.side} of {entry.x},{entry.y} is not the map's edge"
                )
        if not 1 <= entry.enter <= MAX_RATE:
            yield _error("entry-rate", f"{place}.enter", f"{entry.enter} is not from 1 to {MAX_RATE}")
        if not 0 <= entry.leave <= MAX_RATE:
            yield _error("entry-rate", f"{place}.leave", f"{entry.leave} is not from 0 to {MAX_RATE}")


def _sight(plan: FloorPlan) -> Iterator[Problem]:
    names = {room.name: at for at, room in reversed(list(enumerate(plan.rooms)))}
    seen: dict[frozenset[str], int] = {}
    board: Board | None = None
    walls: Walls | None = None
    for at, pair in enumerate(plan.no_sight):
        place = f"no_sight[{at}]"
        missing = [name for name in pair if name not in names]
        for name in missing:
            yield _error("sight-room-missing", place, f'there is no room called "{name}"')
        if missing:
            continue
        if pair[0] == pair[1]:
            yield _error("sight-room-twice", place, f'"{pair[0]}" is named twice')
            continue
        if frozenset(pair) in seen:
            yield _warning("sight-pair-twice", place, f"is the same as no_sight[{seen[frozenset(pair)]}]")
            continue
        seen[frozenset(pair)] = at
        if board is None or walls is None:
            board = Board(msgspec.structs.replace(plan, no_sight=()))
            walls = Walls(board.obstacles((1 << len(board.armored)) - 1))
        first, second = sorted((board.room_mask[names[name]] for name in pair), key=int.bit_count)
        if not any(walls.sight(square) & second for square in bits(first)):
            yield _warning(
                "sight-changes-nothing", place, f"{pair[0]} and {pair[1]} do not see one another anyway"
            )


def _at(plan: FloorPlan, square: int) -> str:
    x, y = plan.xy(square)
    return f"{x},{y}"


def _squares(count: int) -> str:
    return "1 square" if count == 1 else f"{count} squares"
