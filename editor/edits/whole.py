"""The whole map: larger or smaller, mirrored or turned, and the scenario on it goes along."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from msgspec.structs import replace

from editor.draft import Draft, Edge, Square
from editor.edits.carrying import carried
from editor.edits.edges import KIND_WORDS, is_edge
from editor.edits.squares import is_on, squares_of, without_rooms
from editor.edits.transforms import Axis, Transform, mirror, shift, turn
from engine.fortress.floorplan import MAX_SIDE, ROCK, EdgeOverride, Entry, Equipment, FloorPlan, written
from engine.raid.figures import TERMINATOR_NAMES

Thing = TypeVar("Thing", Equipment, Entry)


def _transformed(draft: Draft, grid: tuple[str, ...], transform: Transform) -> Draft:
    """Return the draft with everything in its new place; what is off the new grid is gone."""
    plan = draft.plan
    bare = FloorPlan(name="", grid=grid, rooms=())
    made = replace(
        plan,
        grid=grid,
        edges=tuple(_edges_kept(plan, bare, transform)),
        equipment=tuple(_things_kept(plan.equipment, bare, transform)),
        entries=tuple(_things_kept(plan.entries, bare, transform)),
    )
    drawn = {room.letter for room in plan.rooms if any(room.letter in row for row in plan.grid)}
    made = without_rooms(made, drawn - set().union(*grid))

    def square(one: Square) -> Square | None:
        there = transform.square(one)
        return there if is_on(bare, there) else None

    def edge(one: Edge) -> Edge | None:
        there = transform.edge(one)
        return there if is_edge(bare, there) else None

    return carried(draft, square, edge).with_plan(made)


def _things_kept(things: tuple[Thing, ...], new: FloorPlan, transform: Transform) -> Iterator[Thing]:
    for one in things:
        x, y = transform.to(one.x, one.y)
        if is_on(new, (x, y)):
            yield replace(one, x=x, y=y, side=transform.side(one.side))


def _edges_kept(plan: FloorPlan, new: FloorPlan, transform: Transform) -> Iterator[EdgeOverride]:
    for record in plan.edges:
        edge = transform.edge((record.x, record.y, record.side))
        if is_edge(new, edge):
            x, y, side = written(*edge)
            yield replace(record, x=x, y=y, side=side)


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
    return _transformed(draft, tuple(rows), shift(left, top, width, plan.height + top + bottom))


def losses(draft: Draft, left: int, top: int, right: int, bottom: int) -> tuple[str, ...]:
    """Return, a line each, what `resized` with the same numbers would lose."""
    plan, scenario = draft.plan, draft.scenario
    if why_not_resized(plan, left, top, right, bottom):
        return ()
    way = shift(left, top, plan.width + left + right, plan.height + top + bottom)
    inside = FloorPlan(name="", grid=(ROCK * way.width,) * way.height, rooms=())

    def is_lost(x: int, y: int) -> bool:
        return not is_on(inside, way.to(x, y))

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
        if not is_edge(inside, way.edge((edge.x, edge.y, edge.side)))
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
            + (" goes off the map" if one.name in TERMINATOR_NAMES else "")
            for one in scenario.start.figures
            if one.square is not None and is_lost(*one.square)
        ]
    return tuple(found)


# Turning


def mirrored(draft: Draft, axis: Axis) -> Draft:
    """Return the draft mirrored left to right ("x") or top to bottom ("y")."""
    plan = draft.plan
    grid = tuple(row[::-1] for row in plan.grid) if axis == "x" else plan.grid[::-1]
    return _transformed(draft, grid, mirror(axis, plan.width, plan.height))


def turned(draft: Draft) -> Draft:
    """Return the draft turned clockwise by a quarter."""
    plan = draft.plan
    grid = tuple("".join(column) for column in zip(*plan.grid[::-1], strict=True))
    return _transformed(draft, grid, turn(plan.width, plan.height))
