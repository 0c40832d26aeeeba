"""A scenario that begins in the middle of a game, as one side may know it: its file tells secrets (R29).

What is face down lies where it lies, but by other names; the other side's warriors are as they came, or
unconscious. What is left is a scenario that can be played, with the same figures in it.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.raid.figures import CLONEMASTER, TERMINATOR, TERMINATOR_NAMES
from engine.raid.scenario import Scenario, StartFigure, figure_names, is_warrior, start_levels

_AS_THEY_CAME = {"fist": 1, "kick": 1, "mist": 1, "soul": 1, "heart": 1}


def sealed_start(scenario: Scenario, viewer: str) -> Scenario:
    """Return a scenario as a side may know it, or "public" who only looks on; mostly the scenario itself."""
    start = scenario.start
    if start is None:
        return scenario
    is_told = viewer == CLONEMASTER and scenario.set_up != "random"
    known = [one for one in start.figures if one.is_face_up or one.name in TERMINATOR_NAMES or is_told]
    hidden = [one for one in start.figures if one not in known]
    figures = (*(_seen(one, viewer) for one in known), *_renamed(scenario, known, hidden))
    order = {name: at for at, name in enumerate(figure_names(scenario))}
    sealed = msgspec.structs.replace(start, figures=tuple(sorted(figures, key=lambda one: order[one.name])))
    return msgspec.structs.replace(scenario, start=sealed)


def _seen(figure: StartFigure, viewer: str) -> StartFigure:
    """Return a figure without the levels that a viewer may not know, but for whether it is conscious."""
    is_terminator = figure.name in TERMINATOR_NAMES
    if not is_warrior(figure.name) or viewer == (TERMINATOR if is_terminator else CLONEMASTER):
        return figure
    is_conscious = any(start_levels(figure)[1])
    return msgspec.structs.replace(
        figure,
        original=_AS_THEY_CAME if is_terminator else None,
        levels=None if is_conscious else {},
    )


def _renamed(
    scenario: Scenario, known: list[StartFigure], hidden: list[StartFigure]
) -> Iterator[StartFigure]:
    """Give the squares of counters in their order to the first figures that could be there.

    Other counters come before Jellies, so that there are no more of these than there were.
    """
    taken = {one.name for one in known}
    names = (name for name in figure_names(scenario) if name not in taken)
    squares = sorted(one.square for one in hidden if one.square is not None)
    for name, square in zip(names, squares, strict=False):
        yield StartFigure(name=name, square=square, is_face_up=False)
