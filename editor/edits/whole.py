"""The whole map: larger or smaller, mirrored or turned, and the scenario on it goes along.

Placements and start positions name squares, destroyed doors and equipment by their place ("door 17,9 E",
"tank 21,0"); all of these follow the map, or are lost with their squares.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Literal, TypeVar

from msgspec.structs import replace

from editor.draft import Draft, Edge, Square
from editor.edits.edges import KIND_WORDS, is_edge
from editor.edits.squares import is_on, squares_of, without_rooms
from engine.fortress.floorplan import MAX_SIDE, ROCK, EdgeOverride, Entry, Equipment, FloorPlan, Side, owner
from engine.raid.scenario import Scenario

_DOOR = re.compile(r"door (\d+),(\d+) ([NESW])")
_THING = re.compile(r"(tank|computer) (\d+),(\d+)")

Way = Callable[[int, int], Square]
Sides = Mapping[Side, Side]
Thing = TypeVar("Thing", Equipment, Entry)


def _carried(draft: Draft, grid: tuple[str, ...], to: Way, sides: Sides) -> Draft:
    """Return the draft with everything carried to its new place; what is off the new grid is gone."""
    plan = draft.plan
    made = replace(
        plan,
        grid=grid,
        edges=tuple(_edges_carried(plan, FloorPlan(name="", grid=grid, rooms=()), to, sides)),
        equipment=tuple(_things_carried(plan.equipment, grid, to, sides)),
        entries=tuple(_things_carried(plan.entries, grid, to, sides)),
    )
    drawn = {room.letter for room in plan.rooms if any(room.letter in row for row in plan.grid)}
    made = without_rooms(made, drawn - set().union(*grid))
    scenario = draft.scenario
    if scenario is not None:
        scenario = _scenario_carried(scenario, made, to, sides)
    return Draft(plan, scenario).with_plan(made)


def _things_carried(
    things: tuple[Thing, ...], grid: tuple[str, ...], to: Way, sides: Sides
) -> Iterator[Thing]:
    for one in things:
        x, y = to(one.x, one.y)
        if 0 <= x < len(grid[0]) and 0 <= y < len(grid):
            yield replace(one, x=x, y=y, side=None if one.side is None else sides.get(one.side, one.side))


def _edges_carried(plan: FloorPlan, new: FloorPlan, to: Way, sides: Sides) -> Iterator[EdgeOverride]:
    for edge in plan.edges:
        named = _named(new, *to(edge.x, edge.y), sides.get(edge.side, edge.side))
        if named is not None:
            x, y, side = named
            yield replace(edge, x=x, y=y, side=side)


def _named(plan: FloorPlan, x: int, y: int, side: Side) -> Edge | None:
    """Return an edge named from a square on the map, its owner where that is one; None off the map."""
    edge = owner(x, y, side)
    if not is_edge(plan, edge):
        return None
    x, y, side = edge
    if x < 0:
        return 0, y, "W"
    if y < 0:
        return x, 0, "N"
    return edge


def _scenario_carried(scenario: Scenario, plan: FloorPlan, to: Way, sides: Sides) -> Scenario:
    placements = tuple(
        replace(one, square=to(*one.square)) for one in scenario.placements if is_on(plan, to(*one.square))
    )
    start = scenario.start
    if start is not None:
        figures = tuple(
            one if one.square is None else replace(one, square=to(*one.square))
            for one in start.figures
            if one.square is None or is_on(plan, to(*one.square))
        )
        doors = tuple(made for name in start.doors if (made := _door(plan, name, to, sides)))
        equipment = tuple(made for name in start.equipment if (made := _thing(plan, name, to)))
        start = replace(start, figures=figures, doors=doors, equipment=equipment)
    return replace(scenario, placements=placements, start=start)


def _door(plan: FloorPlan, name: str, to: Way, sides: Sides) -> str:
    """Return the name of a door in its new place, as the board names it; "" where it is off the map."""
    found = _DOOR.fullmatch(name)
    if found is None:
        return name
    side: Side = found[3]  # type: ignore[assignment]  # the pattern knows only the four
    named = _named(plan, *to(int(found[1]), int(found[2])), sides.get(side, side))
    return "" if named is None else f"door {named[0]},{named[1]} {named[2]}"


def _thing(plan: FloorPlan, name: str, to: Way) -> str:
    found = _THING.fullmatch(name)
    if found is None:
        return name
    x, y = to(int(found[2]), int(found[3]))
    return f"{found[1]} {x},{y}" if is_on(plan, (x, y)) else ""


# Size


def why_not_resized(plan: FloorPlan, left: int, top: int, right: int, bottom: int) -> str:
    """Return why columns and rows cannot be added (below 0: taken away) at the sides, "" if they can."""
    width, height = plan.width + left + right, plan.height + top + bottom
    if width < 1 or height < 1:
        return "nothing would be left of the map"
    if width > MAX_SIDE or height > MAX_SIDE:
        return f"{width} x {height} squares are beyond the limit of {MAX_SIDE} x {MAX_SIDE}"
    return ""


def resized(draft: Draft, left: int = 0, top: int = 0, right: int = 0, bottom: int = 0) -> Draft:
    """Return the draft with columns and rows of rock added at its sides, or (below 0) taken away.

    Raises ValueError where `why_not_resized` has a reason.
    """
    plan = draft.plan
    reason = why_not_resized(plan, left, top, right, bottom)
    if reason:
        raise ValueError(reason)
    if not (left or top or right or bottom):
        return draft
    width = plan.width + left + right
    rows = []
    for y in range(-top, plan.height + bottom):
        row = plan.grid[y] if 0 <= y < plan.height else ROCK * plan.width
        row = ROCK * left + row if left >= 0 else row[-left:]
        rows.append((row + ROCK * max(right, 0))[:width])
    return _carried(draft, tuple(rows), lambda x, y: (x + left, y + top), {})


def losses(draft: Draft, left: int, top: int, right: int, bottom: int) -> tuple[str, ...]:
    """Return, a line each, what `resized` with the same numbers would lose."""
    plan, scenario = draft.plan, draft.scenario
    if why_not_resized(plan, left, top, right, bottom):
        return ()
    inside = FloorPlan(
        name="", grid=(ROCK * (plan.width + left + right),) * (plan.height + top + bottom), rooms=()
    )

    def is_lost(x: int, y: int) -> bool:
        return not is_on(inside, (x + left, y + top))

    found = []
    for room in plan.rooms:
        squares = list(squares_of(plan, room.letter))
        lost = sum(is_lost(*square) for square in squares)
        if lost:
            what = "the whole room" if lost == len(squares) else f"{lost} of {len(squares)} squares"
            found.append(f"{room.name}: {what}")
    found += [
        f"{KIND_WORDS[edge.kind]} at {edge.x},{edge.y} {edge.side}"
        for edge in plan.edges
        if _named(inside, edge.x + left, edge.y + top, edge.side) is None
    ]
    found += [f"{one.kind} at {one.x},{one.y}" for one in plan.equipment if is_lost(one.x, one.y)]
    found += [f'entry "{one.name}"' for one in plan.entries if is_lost(one.x, one.y)]
    if scenario is None:
        return tuple(found)
    found += [
        f"fixed placement {number}: {one.kind.replace('_', ' ')} at {one.square[0]},{one.square[1]}"
        for number, one in enumerate(scenario.placements, 1)
        if is_lost(*one.square)
    ]
    if scenario.start is not None:
        found += [
            f"start position: {one.name} at {one.square[0]},{one.square[1]}"
            for one in scenario.start.figures
            if one.square is not None and is_lost(*one.square)
        ]
    return tuple(found)


# Turning


def mirrored(draft: Draft, axis: Literal["x", "y"]) -> Draft:
    """Return the draft mirrored left to right ("x") or top to bottom ("y")."""
    plan = draft.plan
    width, height = plan.width, plan.height
    if axis == "x":
        grid = tuple(row[::-1] for row in plan.grid)
        return _carried(draft, grid, lambda x, y: (width - 1 - x, y), {"E": "W", "W": "E"})
    return _carried(draft, plan.grid[::-1], lambda x, y: (x, height - 1 - y), {"N": "S", "S": "N"})


def turned(draft: Draft) -> Draft:
    """Return the draft turned clockwise by a quarter."""
    plan = draft.plan
    grid = tuple("".join(column) for column in zip(*plan.grid[::-1], strict=True))
    sides: Sides = {"N": "E", "E": "S", "S": "W", "W": "N"}
    return _carried(draft, grid, lambda x, y: (plan.height - 1 - y, x), sides)
