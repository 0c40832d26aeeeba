"""The squares that a field of a scenario is about, to be shown on the map."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from editor.draft import Draft, Square
from editor.edits.figures import kind_of
from editor.edits.squares import squares_of
from engine.fortress.floorplan import STEP, FloorPlan
from engine.raid.rooms import LETTER_OF
from engine.raid.scenario import FORCE_FIELDS, Reinforcement, Scenario

_KINDS: Final = {
    **{field: kind for kind, field in FORCE_FIELDS.items()},
    "jelly_numbers": "jelly",
    "required_jellies": "jelly",
}
"""The kinds of figures that a field is about."""


def squares_about(draft: Draft, path: str) -> frozenset[Square]:
    """Return the squares that a field is about: where a force is set up or comes in, what is scored."""
    scenario, plan = draft.scenario, draft.plan
    if scenario is None:
        return frozenset()
    return frozenset(square for square in _about(scenario, plan, path) if plan.room_at(*square) is not None)


def _about(scenario: Scenario, plan: FloorPlan, path: str) -> Iterator[Square]:
    if _KINDS.get(path) in LETTER_OF:
        yield from _set_up(plan, LETTER_OF[_KINDS[path]])
    if path in FORCE_FIELDS.values():
        yield from (one.square for one in scenario.placements if one.kind == _KINDS[path])
        if scenario.start is not None:
            yield from (
                one.square
                for one in scenario.start.figures
                if one.square is not None and kind_of(one) == _KINDS[path]
            )
    match path:
        case "terminators" | "levels" | "escape.levels_left" | "escape.from_turn":
            yield from ((one.x, one.y) for one in plan.entries)
        case "extra_doors":
            yield from _beside_edges(plan, "door")
        case "hits.door" | "start.doors":
            yield from _beside_edges(plan, "armored")
        case "points.equipment" | "points.everything" | "start.equipment":
            yield from ((one.x, one.y) for one in plan.equipment)
        case "points.clonemaster":
            yield from (one.square for one in scenario.placements if one.kind == "clonemaster")
        case "reinforcements":
            for row in scenario.reinforcements:
                yield from entry_squares(plan, row.entry)
        case "placements":
            yield from (one.square for one in scenario.placements)
        case "start.figures" if scenario.start is not None:
            yield from (one.square for one in scenario.start.figures if one.square is not None)


def squares_of_part(draft: Draft, part: Any) -> frozenset[Square]:
    """Return the squares of a row of the scenario: a placement, a figure, a reinforcement's entry."""
    if isinstance(part, Reinforcement):
        return frozenset(entry_squares(draft.plan, part.entry))
    if getattr(part, "entry", None):
        return frozenset(entry_squares(draft.plan, part.entry))
    square = getattr(part, "square", None)
    return frozenset() if square is None else frozenset((square,))


def entry_squares(plan: FloorPlan, name: str) -> Iterator[Square]:
    """Yield the square of an entry by its name."""
    yield from ((one.x, one.y) for one in plan.entries if one.name == name)


def entry_at(plan: FloorPlan, square: Square) -> str:
    """Return the name of the entry in a square, "" where there is none."""
    return next((one.name for one in plan.entries if (one.x, one.y) == square), "")


def _set_up(plan: FloorPlan, letter: str) -> Iterator[Square]:
    for room in plan.rooms:
        if letter in room.setup:
            yield from squares_of(plan, room.letter)


def _beside_edges(plan: FloorPlan, kind: str) -> Iterator[Square]:
    for edge in plan.edges:
        if edge.kind == kind:
            dx, dy = STEP[edge.side]
            yield edge.x, edge.y
            yield edge.x + dx, edge.y + dy
