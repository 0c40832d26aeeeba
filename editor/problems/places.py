"""Where a problem is: squares and edges of the map, what to select, and the place in words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from editor.draft import Draft, Edge, Square
from editor.edits.squares import letter_at, squares_of
from editor.selection import NOTHING, Selection
from editor.words import at_edge, at_square
from engine.fortress.floorplan import ROCK, STEP, FloorPlan, RoomInfo, owner
from engine.fortress.problems import Problem
from engine.fortress.thing_names import parsed_name
from engine.raid.switches import place_words

_SQUARE: Final = re.compile(r"(?:map )?(\d+),(\d+)")
_PART: Final = re.compile(r"(?:map\.)?([a-z_]+)(?:\[(\d+)\])?(.*)", re.DOTALL)
_SCENARIO_PART: Final = re.compile(
    r"(placements|reinforcements|start\.figures|start\.doors|start\.equipment)\[(\d+)\]"
)


class Place(NamedTuple):
    """Where a problem is.

    `squares` are flashed and marked, `edges` stand among them; `field` is the place in the scenario's file
    where it is to be fixed there, "" on the map.
    """

    words: str
    squares: frozenset[Square] = frozenset()
    edges: frozenset[Edge] = frozenset()
    selection: Selection = NOTHING
    field: str = ""

    @property
    def first(self) -> Square | None:
        """The square to bring into view."""
        return min(self.squares, key=lambda one: (one[1], one[0]), default=None)


def place_of(problem: Problem, draft: Draft) -> Place:
    """Return where a problem of a draft is."""
    place, plan = problem.place, draft.plan
    square = _SQUARE.fullmatch(place)
    if square is not None:
        return _of_square(problem, plan, (int(square[1]), int(square[2])))
    if draft.scenario is None or place.startswith("map."):
        part = _PART.fullmatch(place)
        if part is not None:
            found = _of_part(problem, plan, part[1], -1 if part[2] is None else int(part[2]))
            if found is not None:
                return found
        return Place(_map_words(place))
    return _of_scenario(draft, place)


def marked_squares(problem: Problem, draft: Draft) -> Collection[Square]:
    """Return the squares to be marked on the map: of rooms and other large places only the first one.

    There may be thousands of problems, so no more is worked out than that.
    """
    plan = draft.plan
    part = _PART.fullmatch(problem.place)
    if part is not None and part[2] is not None:
        number = int(part[2])
        if part[1] == "edges" and number < len(plan.edges):
            edge = plan.edges[number]
            return _beside(plan, owner(edge.x, edge.y, edge.side))
        if part[1] == "rooms":
            letter = plan.rooms[number].letter if number < len(plan.rooms) else ROCK
            first = next(squares_of(plan, letter), None) if letter != ROCK else None
            return () if first is None else (first,)
    place = place_of(problem, draft)
    if place.first is None or len(place.squares) <= 2:
        return place.squares
    return (place.first,)


def _of_square(problem: Problem, plan: FloorPlan, square: Square) -> Place:
    """Return a square, with all others of no room that have its letter."""
    squares = {square}
    if problem.code == "unlisted-letter":
        squares.update(squares_of(plan, letter_at(plan, square)))
    words = at_square(square) if len(squares) == 1 else f"{at_square(square)} and {len(squares) - 1} more"
    return Place(words, frozenset(squares), selection=Selection(squares=frozenset(squares)))


def _map_words(place: str) -> str:
    bare = place.removeprefix("map.").removeprefix("map ")
    known = {"entries": "Entries", "rooms": "Rooms", "equipment": "Equipment", "map": "Map"}
    return known.get(bare, bare)


def _of_part(problem: Problem, plan: FloorPlan, part: str, number: int) -> Place | None:
    """Return a part of the map by its number; None where the map has no such part."""
    if part == "rooms" and 0 <= number < len(plan.rooms):
        return _of_room(problem, plan, plan.rooms[number])
    if part == "edges" and 0 <= number < len(plan.edges):
        record = plan.edges[number]
        edge = owner(record.x, record.y, record.side)
        selection = Selection(edges=frozenset((edge,)))
        return Place(at_edge(edge), _beside(plan, edge), frozenset((edge,)), selection)
    if part == "equipment" and 0 <= number < len(plan.equipment):
        thing = plan.equipment[number]
        words = f"{thing.kind.capitalize()} {at_square((thing.x, thing.y))}"
        selection = Selection(equipment=frozenset((number,)))
        return Place(words, _on(plan, [(thing.x, thing.y)]), selection=selection)
    if part == "entries" and 0 <= number < len(plan.entries):
        entry = plan.entries[number]
        selection = Selection(entries=frozenset((number,)))
        return Place(entry.name or "Entry", _on(plan, [(entry.x, entry.y)]), selection=selection)
    if part == "no_sight" and 0 <= number < len(plan.no_sight):
        pair = plan.no_sight[number]
        squares = {one for room in plan.rooms if room.name in pair for one in squares_of(plan, room.letter)}
        return Place(" / ".join(pair), frozenset(squares))
    if part == "grid" and 0 <= number < plan.height:
        return Place(f"Row {number}", frozenset((x, number) for x in range(len(plan.grid[number]))))
    return None


def _of_room(problem: Problem, plan: FloorPlan, room: RoomInfo) -> Place:
    """Return a room's squares; of one that is out of reach the entries too, since both ends matter."""
    squares = frozenset(squares_of(plan, room.letter))
    flashed = squares
    if problem.code == "room-unreachable":
        flashed |= _on(plan, [(entry.x, entry.y) for entry in plan.entries])
    return Place(room.name or f'Room "{room.letter}"', flashed, selection=Selection(squares=squares))


def _beside(plan: FloorPlan, edge: Edge) -> frozenset[Square]:
    x, y, side = edge
    dx, dy = STEP[side]
    return _on(plan, [(x, y), (x + dx, y + dy)])


def _on(plan: FloorPlan, squares: Iterable[Square]) -> frozenset[Square]:
    width, height = plan.width, plan.height
    return frozenset([(x, y) for x, y in squares if 0 <= x < width and 0 <= y < height])


def _of_scenario(draft: Draft, place: str) -> Place:
    """Return a place of the scenario's file: figures and what it names on the map have their squares."""
    scenario, plan = draft.scenario, draft.plan
    words, _ = place_words(place)
    part = _SCENARIO_PART.match(place)
    if scenario is None or part is None:
        return Place(words, field=place)
    kind, number = part[1], int(part[2])
    squares: list[Square] = []
    selection = NOTHING
    if kind == "placements" and number < len(scenario.placements):
        squares.append(scenario.placements[number].square)
        selection = Selection(placements=frozenset((number,)))
    elif kind == "reinforcements" and number < len(scenario.reinforcements):
        name = scenario.reinforcements[number].entry
        squares += [(entry.x, entry.y) for entry in plan.entries if entry.name == name]
    elif scenario.start is not None and kind == "start.figures" and number < len(scenario.start.figures):
        figure = scenario.start.figures[number]
        words = figure.name
        if figure.square is not None:
            squares.append(figure.square)
        selection = Selection(figures=frozenset((number,)))
    elif scenario.start is not None and kind in ("start.doors", "start.equipment"):
        names = scenario.start.doors if kind == "start.doors" else scenario.start.equipment
        named = parsed_name(names[number]) if number < len(names) else None
        if named is not None:
            squares.append((named.x, named.y))
    return Place(words, _on(plan, squares), selection=selection, field=place)
