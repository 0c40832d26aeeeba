"""Figures put on the map before the game: fixed placements, or a start position where there is one.

Both go by number: the placement or the figure of that place in its list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace

from editor.draft import Draft, Square
from editor.edits.scenario import waiting_terminator
from editor.edits.squares import is_on, squares_of
from editor.words import counted
from engine.fortress.floorplan import FloorPlan
from engine.raid.figures import JELLIES, KIND_NAMES, TERMINATOR_NAMES
from engine.raid.scenario import (
    Placement,
    Scenario,
    StartFigure,
    StartPosition,
    figure_names,
    force,
    is_warrior,
    start_levels,
)

Figure: TypeAlias = Placement | StartFigure
FigureKind = Literal["terminator", "clonemaster", "armed_technician", "technician", "servant", "jelly"]
FIGURE_KINDS: Final[tuple[FigureKind, ...]] = (
    "terminator",
    "clonemaster",
    "jelly",
    "armed_technician",
    "technician",
    "servant",
)
"""The kinds that can be on the map at the start, in the order in which they are offered."""

_PREFIXES: Final[tuple[tuple[str, FigureKind], ...]] = (
    ("CloneMaster", "clonemaster"),
    ("Armed Technician", "armed_technician"),
    ("Technician", "technician"),
    ("Servant", "servant"),
    ("J-", "jelly"),
)


def kind_of(figure: Figure) -> FigureKind:
    """Return a figure's kind; a name that nobody has is taken for a Terminator's."""
    if isinstance(figure, Placement):
        return figure.kind
    return kind_of_name(figure.name)


def kind_of_name(name: str) -> FigureKind:
    """Return the kind of a figure of a start position by its name."""
    return next((kind for prefix, kind in _PREFIXES if name.startswith(prefix)), "terminator")


def placements_of(draft: Draft) -> tuple[Placement, ...]:
    """Return the scenario's fixed placements (6.3)."""
    return draft.scenario.placements if draft.scenario is not None else ()


def start_figures_of(draft: Draft) -> tuple[StartFigure, ...]:
    """Return the figures of the scenario's start position."""
    scenario = draft.scenario
    return scenario.start.figures if scenario is not None and scenario.start is not None else ()


def figures_in(draft: Draft, squares: Container[Square]) -> tuple[frozenset[int], frozenset[int]]:
    """Return the numbers of the placements, and of the start position's figures, in some squares."""
    return (
        frozenset(at for at, one in enumerate(placements_of(draft)) if one.square in squares),
        frozenset(
            at
            for at, one in enumerate(start_figures_of(draft))
            if one.square is not None and one.square in squares
        ),
    )


def shown_figures(draft: Draft) -> tuple[Figure, ...]:
    """Return the figures of the start position, or without one the fixed placements (6.3)."""
    scenario = draft.scenario
    if scenario is None:
        return ()
    return scenario.placements if scenario.start is None else scenario.start.figures


def figures_at(draft: Draft, square: Square) -> tuple[int, ...]:
    """Return the figures in a square, by number."""
    return tuple(at for at, one in enumerate(shown_figures(draft)) if one.square == square)


def figure_words(figure: Figure) -> str:
    """Return what a figure is called: its name, or a placement's kind."""
    return KIND_NAMES[figure.kind] if isinstance(figure, Placement) else figure.name


def is_printed(name: str) -> bool:
    """Return whether a name is that of one of the twelve Jellies (2.4)."""
    return name in _JELLIES


def is_awake(figure: Figure) -> bool:
    """Return whether a figure keeps others out of its square: a warrior without a level does not (4.6)."""
    if isinstance(figure, Placement) or not is_warrior(figure.name) or figure.name not in _WARRIORS:
        return True
    return any(start_levels(figure)[1])


_JELLIES: Final = frozenset(f"J-{number}" for number in JELLIES)
_WARRIORS: Final = _JELLIES.union(TERMINATOR_NAMES)


# Refusals


def why_not_there(draft: Draft, square: Square, number: int | None = None) -> str:
    """Return why no figure, or not the one with a number, can be in a square, "" if it can."""
    plan = draft.plan
    if draft.scenario is None:
        return "a bare map has no figures; make a scenario of it first"
    if not is_on(plan, square):
        return "that is off the map"
    if plan.room_at(*square) is None:
        return "there is rock"
    if any(one.kind == "tank" and (one.x, one.y) == square for one in plan.equipment):
        return "a clone growth tank fills the square (4.5)"
    figures = shown_figures(draft)
    if number is not None and not is_awake(figures[number]):
        return ""
    for at in figures_at(draft, square):
        if at != number and is_awake(figures[at]):
            return f"{figure_words(figures[at])} is there already (4.6)"
    return ""


def why_no_more(draft: Draft, kind: FigureKind) -> str:
    """Return why no more figures of a kind can be put on the map, "" if one can (6.1)."""
    scenario = draft.scenario
    if scenario is None:
        return "a bare map has no figures; make a scenario of it first"
    if scenario.start is not None and kind == "jelly" and not _jelly_wanted(scenario, scenario.start):
        return f"the force has no more than {counted(scenario.jellies, KIND_NAMES['jelly'])} (6.1)"
    if next_figure(scenario, kind, (0, 0)) is None:
        return f"the force has no more than {counted(force(scenario)[kind], KIND_NAMES[kind])} (6.1, 7)"
    return ""


def why_not_placed(draft: Draft, kind: FigureKind, square: Square) -> str:
    """Return why one more figure of a kind cannot be put in a square, "" if it can."""
    return why_not_there(draft, square) or why_no_more(draft, kind)


def _jelly_wanted(scenario: Scenario, start: StartPosition) -> bool:
    return sum(kind_of(one) == "jelly" for one in start.figures) < scenario.jellies


# Putting and taking


def next_figure(scenario: Scenario, kind: FigureKind, square: Square) -> Figure | None:
    """Return what would be put in a square: the next of a kind; None where the force has no more of them.

    In a start position that is the first who is not on the map yet; CloneMaster's units lie face down.
    """
    if scenario.start is None:
        there = Counter(one.kind for one in scenario.placements)[kind]
        return Placement(kind=kind, square=square) if there < force(scenario)[kind] else None
    known = {one.name: one for one in scenario.start.figures}
    for name in figure_names(scenario):
        if kind_of_name(name) != kind:
            continue
        if name not in known:
            is_face_up = kind == "terminator"
            original = waiting_terminator(scenario, name).original if is_face_up else None
            return StartFigure(name=name, square=square, is_face_up=is_face_up, original=original)
        if kind == "terminator" and known[name].place != "map":
            return put_in(known[name], square)
    return None


def put_in(figure: StartFigure, square: Square) -> StartFigure:
    """Return a figure of a start position on the map, in a square."""
    return replace(figure, square=square, place="map", entry=None)


def with_figure(draft: Draft, kind: FigureKind, square: Square) -> Draft:
    """Return the draft with one more figure of a kind on the map.

    Raises ValueError where `why_not_placed` has a reason.
    """
    reason = why_not_placed(draft, kind, square)
    if reason:
        raise ValueError(reason)
    assert draft.scenario is not None
    made = next_figure(draft.scenario, kind, square)
    assert made is not None
    figures = shown_figures(draft)
    if isinstance(made, StartFigure):
        for at, one in enumerate(figures):
            if isinstance(one, StartFigure) and one.name == made.name:
                return _with_figures(draft, (*figures[:at], made, *figures[at + 1 :]))
    return _with_figures(draft, (*figures, made))


def moved_figure(draft: Draft, number: int, square: Square) -> Draft:
    """Return the draft with a figure in another square, and a figure that was elsewhere now on the map."""
    figures = shown_figures(draft)
    one = figures[number]
    made = put_in(one, square) if isinstance(one, StartFigure) else replace(one, square=square)
    return _with_figures(draft, (*figures[:number], made, *figures[number + 1 :]))


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


def taken_away(draft: Draft, numbers: Iterable[int]) -> Draft:
    """Return the draft without some figures.

    A start position keeps its Terminators, who go off the map, and the CloneMaster where he is.
    """
    gone = set(numbers)
    left: list[Figure] = []
    for at, one in enumerate(shown_figures(draft)):
        if at not in gone or (isinstance(one, StartFigure) and kind_of(one) == "clonemaster"):
            left.append(one)
        elif isinstance(one, StartFigure) and one.name in TERMINATOR_NAMES:
            left.append(replace(one, place="off", square=None, entry=None))
    return _with_figures(draft, left)


def _with_figures(draft: Draft, figures: Iterable[Figure]) -> Draft:
    """Return the draft with other figures, of the kind that `shown_figures` gives."""
    scenario = draft.scenario
    made = tuple(figures)
    if scenario is None or made == shown_figures(draft):
        return draft
    if scenario.start is None:
        placements = tuple(one for one in made if isinstance(one, Placement))
        return draft._replace(scenario=replace(scenario, placements=placements))
    start = replace(scenario.start, figures=tuple(one for one in made if isinstance(one, StartFigure)))
    return draft._replace(scenario=replace(scenario, start=start))


def first_start(draft: Draft) -> StartPosition:
    """Return a start position to begin with: the Terminators outside, the CloneMaster in a room of his own.

    Figures with a fixed place keep it, as far as their kinds have figures.
    """
    scenario = draft.scenario
    assert scenario is not None
    made = draft._replace(
        scenario=replace(
            scenario,
            start=StartPosition(
                figures=tuple(
                    waiting_terminator(scenario, name) for name in TERMINATOR_NAMES[: scenario.terminators]
                )
            ),
        )
    )
    for one in scenario.placements:
        if not why_not_placed(made, one.kind, one.square):
            made = with_figure(made, one.kind, one.square)
    if not any(kind_of(one) == "clonemaster" for one in shown_figures(made)):
        for square in _rooms_last(draft.plan):
            if not why_not_there(made, square):
                made = with_figure(made, "clonemaster", square)
                break
    assert made.scenario is not None
    assert made.scenario.start is not None
    return made.scenario.start


def _rooms_last(plan: FloorPlan) -> Iterator[Square]:
    """Yield the squares of the rooms, the last room first, where the CloneMaster's own usually are."""
    for room in reversed(plan.rooms):
        if room.setup:
            yield from squares_of(plan, room.letter)
    for room in plan.rooms:
        yield from squares_of(plan, room.letter)
