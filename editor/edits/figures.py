"""What of the scenario goes along when a part of the map moves: figures, destroyed doors and equipment."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from typing import Final

from msgspec.structs import replace

from editor.draft import Draft, Edge, Square
from editor.edits.squares import is_on
from engine.raid.scenario import Placement, StartFigure

_DOOR: Final = re.compile(r"door (\d+),(\d+) ([ES])")
_THING: Final = re.compile(r"(tank|computer) (\d+),(\d+)")


def placements_of(draft: Draft) -> tuple[Placement, ...]:
    """Return the scenario's fixed placements (6.3)."""
    return draft.scenario.placements if draft.scenario is not None else ()


def figures_of(draft: Draft) -> tuple[StartFigure, ...]:
    """Return the figures of the scenario's start position."""
    scenario = draft.scenario
    return scenario.start.figures if scenario is not None and scenario.start is not None else ()


def figures_in(draft: Draft, squares: Container[Square]) -> tuple[frozenset[int], frozenset[int]]:
    """Return the numbers of the placements, and of the start position's figures, in some squares."""
    return (
        frozenset(at for at, one in enumerate(placements_of(draft)) if one.square in squares),
        frozenset(
            at for at, one in enumerate(figures_of(draft)) if one.square is not None and one.square in squares
        ),
    )


def moved_figures(draft: Draft, placements: Iterable[int], figures: Iterable[int], step: Square) -> Draft:
    """Return the draft with some placements and figures so many columns and rows away, if that is on the map.

    A figure that is in no square stays where it is.
    """
    scenario = draft.scenario
    some, others = set(placements), set(figures)
    if scenario is None or not (some or others):
        return draft

    def there(square: Square) -> Square:
        moved = (square[0] + step[0], square[1] + step[1])
        return moved if is_on(draft.plan, moved) else square

    made = replace(
        scenario,
        placements=tuple(
            replace(one, square=there(one.square)) if at in some else one
            for at, one in enumerate(scenario.placements)
        ),
    )
    if made.start is not None:
        start = tuple(
            replace(one, square=there(one.square)) if at in others and one.square is not None else one
            for at, one in enumerate(made.start.figures)
        )
        made = replace(made, start=replace(made.start, figures=start))
    return draft._replace(scenario=made)


def moved_wrecks(draft: Draft, squares: Container[Square], edges: Container[Edge], step: Square) -> Draft:
    """Return the draft whose start position names destroyed equipment and doors where they have gone to.

    `squares` and `edges` are those that moved by a step.
    """
    scenario = draft.scenario
    if scenario is None or scenario.start is None:
        return draft
    dx, dy = step

    def thing(name: str) -> str:
        found = _THING.fullmatch(name)
        if found is None or (place := (int(found[2]), int(found[3]))) not in squares:
            return name
        return f"{found[1]} {place[0] + dx},{place[1] + dy}"

    def door(name: str) -> str:
        found = _DOOR.fullmatch(name)
        if found is None:
            return name
        x, y = int(found[1]), int(found[2])
        edge: Edge = (x, y, "E" if found[3] == "E" else "S")
        return f"door {x + dx},{y + dy} {edge[2]}" if edge in edges else name

    start = scenario.start
    equipment, doors = tuple(map(thing, start.equipment)), tuple(map(door, start.doors))
    if (equipment, doors) == (start.equipment, start.doors):
        return draft
    return draft._replace(scenario=replace(scenario, start=replace(start, equipment=equipment, doors=doors)))
