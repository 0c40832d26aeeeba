"""Figures that go along with the squares they stand in."""

from __future__ import annotations

from collections.abc import Container, Iterable

from msgspec.structs import replace

from editor.draft import Draft, Square
from editor.edits.squares import is_on
from engine.raid.scenario import Placement, StartFigure


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
