"""The scenario's figures on the map: fixed placements and the figures of its start position."""

from __future__ import annotations

from collections.abc import Container, Iterable

from msgspec.structs import replace

from editor.draft import Draft, Square
from editor.edits.squares import is_on
from engine.raid.scenario import Placement, Scenario, StartFigure


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


def without_figures(draft: Draft, placements: Iterable[int], figures: Iterable[int]) -> Draft:
    """Return the draft without some placements and figures of the start position, by number."""
    gone, left = set(placements), set(figures)
    return _with(
        draft,
        tuple(one for at, one in enumerate(placements_of(draft)) if at not in gone),
        tuple(one for at, one in enumerate(figures_of(draft)) if at not in left),
    )


def moved_figures(draft: Draft, placements: Iterable[int], figures: Iterable[int], step: Square) -> Draft:
    """Return the draft with some placements and figures so many columns and rows away, if that is on the map.

    A figure that stands outside an entry, or nowhere on the map, stays.
    """
    gone, left = set(placements), set(figures)

    def there(square: Square) -> Square:
        moved = (square[0] + step[0], square[1] + step[1])
        return moved if is_on(draft.plan, moved) else square

    return _with(
        draft,
        tuple(
            replace(one, square=there(one.square)) if at in gone else one
            for at, one in enumerate(placements_of(draft))
        ),
        tuple(
            replace(one, square=there(one.square)) if at in left and one.square is not None else one
            for at, one in enumerate(figures_of(draft))
        ),
    )


def _with(draft: Draft, placements: tuple[Placement, ...], figures: tuple[StartFigure, ...]) -> Draft:
    scenario = draft.scenario
    if scenario is None:
        return draft
    made: Scenario = scenario
    if placements != scenario.placements:
        made = replace(made, placements=placements)
    if scenario.start is not None and figures != scenario.start.figures:
        made = replace(made, start=replace(scenario.start, figures=figures))
    return draft if made is scenario else draft._replace(scenario=made)
