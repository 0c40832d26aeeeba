"""Fixes of the scenario: forces, reinforcements, figures on the map, aims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, Final

from msgspec.structs import replace

from editor.draft import Draft, Square
from editor.edits.figures import why_not_there
from editor.edits.rooms import with_setup_letter
from editor.edits.scenario import waiting_terminator
from editor.edits.squares import floor_by_distance
from editor.problems.fixes.fix import Finder, Fix, number_of
from editor.words import at_square, counted
from engine.fortress.board import compile_board
from engine.fortress.problems import Problem
from engine.raid.figures import KIND_NAMES, TERMINATOR_NAMES
from engine.raid.problems import set_up_problems
from engine.raid.rooms import LETTER_OF, SETUP_LETTERS
from engine.raid.scenario import (
    FORCE_FIELDS,
    MAX_TURNS,
    Points,
    Reinforcement,
    Scenario,
    StartFigure,
    StartPosition,
)
from engine.raid.tables import LEVEL_CAP

_ROUNDS: Final = 12  # of making the force smaller; each kind, two together and all of them may be too many
_FORCES: Final = {FORCE_FIELDS[kind]: letter for kind, letter in LETTER_OF.items()}


def _scenario(draft: Draft) -> Scenario:
    if draft.scenario is None:
        raise LookupError("a bare map has no scenario")
    return draft.scenario


def _with(draft: Draft, words: str, **changes: Any) -> Iterator[Fix]:
    """Yield a fix that changes fields of the scenario, where it may have such values."""
    try:
        yield Fix(words, draft._replace(scenario=replace(_scenario(draft), **changes)))
    except ValueError:
        return


def _rows(draft: Draft, number: int, row: Reinforcement | None, words: str) -> Iterator[Fix]:
    rows = _scenario(draft).reinforcements
    kept = () if row is None else (row,)
    yield from _with(draft, words, reinforcements=(*rows[:number], *kept, *rows[number + 1 :]))


def _entry(draft: Draft, problem: Problem) -> Iterator[Fix]:
    """Let reinforcements come by an entry that there is, of the nearest name first."""
    number = number_of(problem)
    row = _scenario(draft).reinforcements[number]
    names = [entry.name for entry in draft.plan.entries]
    near = get_close_matches(row.entry, names, 1)
    for name in dict.fromkeys([*near, *names[:2]]):
        yield from _rows(draft, number, replace(row, entry=name), f"Let them come by the {name}")
    yield from _rows(draft, number, None, "Remove the row")


def _never(draft: Draft, problem: Problem) -> Iterator[Fix]:
    scenario = _scenario(draft)
    if problem.place == "escape.from_turn":
        last = replace(scenario.escape, from_turn=scenario.turns)
        yield from _with(draft, f"Let them leave in turn {scenario.turns}", escape=last)
        yield from _with(draft, "Let nobody leave for it", escape=replace(scenario.escape, from_turn=0))
        return
    number = number_of(problem)
    row = scenario.reinforcements[number]
    if problem.place.endswith("to_turn"):
        yield from _rows(draft, number, replace(row, to_turn=None), "Let them come until the end")
    elif row.from_turn <= MAX_TURNS:
        yield from _with(draft, f"Let the game last {row.from_turn} turns", turns=row.from_turn)
    yield from _rows(draft, number, None, "Remove the row")


def _placement(draft: Draft, problem: Problem) -> Iterator[Fix]:
    """Put a fixed figure on the nearest free square, or take it out."""
    number = number_of(problem)
    scenario = _scenario(draft)
    placements = scenario.placements
    one = placements[number]
    square = _nearest(draft, one.square, can_be_by_a_door=one.kind == "terminator")
    if square is not None:
        moved = (*placements[:number], replace(one, square=square), *placements[number + 1 :])
        yield from _with(draft, f"Put it at {at_square(square)}", placements=moved)
    yield from _without_placement(draft, problem)


def _without_placement(draft: Draft, problem: Problem) -> Iterator[Fix]:
    number = number_of(problem)
    placements = _scenario(draft).placements
    words = f"Take the {KIND_NAMES[placements[number].kind]} off"
    yield from _with(draft, words, placements=(*placements[:number], *placements[number + 1 :]))


def _nearest(draft: Draft, square: Square, *, can_be_by_a_door: bool = True) -> Square | None:
    """Return the nearest square where a figure can be, and where it may be set up (6.3, R5)."""
    plan = draft.plan
    beside = 0 if can_be_by_a_door else compile_board(plan).beside_door
    free = (one for one in floor_by_distance(plan, square) if not beside >> plan.square(*one) & 1)
    return next((one for one in free if not why_not_there(draft, one)), None)


def _too_many(draft: Draft, problem: Problem) -> Iterator[Fix]:
    yield from _without_placement(draft, problem)
    scenario = _scenario(draft)
    kind = scenario.placements[number_of(problem)].kind
    if kind in FORCE_FIELDS:
        wanted = sum(one.kind == kind for one in scenario.placements)
        if kind != "terminator" or wanted <= len(TERMINATOR_NAMES):
            yield from _with(draft, f"Have {wanted} in the force", **{FORCE_FIELDS[kind]: wanted})


def as_many_as_fit(draft: Draft, problem: Problem) -> Iterator[Fix]:
    """Have no more additions, or counters, than find a place (6.1, 7.4)."""
    if problem.place == "map.rooms":
        yield from _letter(draft, problem)
        yield from _fewer(draft)
    elif problem.shortage is not None:
        places = problem.shortage.places
        yield from _with(draft, f"Add {places}", **{problem.place: places})


def _letter(draft: Draft, problem: Problem) -> Iterator[Fix]:
    """Let a kind that lacks places be set up in one room more, the largest, or else in every room (6.1a)."""
    plan, whole = draft.plan, draft.whole
    sight = whole.rules.corner_sight
    before = len(set_up_problems(whole, compile_board(plan, sight)))
    sizes = Counter("".join(plan.grid))
    for letter in problem.shortage.letters if problem.shortage is not None else "":
        lacking = [room for room in plan.rooms if letter not in room.setup]
        lacking.sort(key=lambda room: -sizes[room.letter])
        goals = [([room], room.name) for room in lacking[:1]]
        goals += [(lacking, "every room")] if len(lacking) > 1 else []
        for rooms, words in goals:
            made = plan
            for room in rooms:
                made = with_setup_letter(made, room.letter, letter, True)
            if len(set_up_problems(whole, compile_board(made, sight))) < before:
                yield Fix(f'Give the letter "{letter}" to {words}', draft.with_plan(made))
                break


def _fewer(draft: Draft) -> Iterator[Fix]:
    """Have so many counters fewer that all find a square, of the kinds with most of them."""
    whole = draft.whole
    board = compile_board(draft.plan, whole.rules.corner_sight)
    force = {field: int(getattr(whole, field)) for field in _FORCES}
    before = sum(force.values())
    for _ in range(_ROUNDS):
        try:
            found = set_up_problems(replace(whole, **force), board)
        except ValueError:  # fewer Jellies than are required (7.3)
            return
        short = found[0].shortage if found else None
        if short is None:
            break
        kinds = [field for field, letter in _FORCES.items() if letter in (short.letters or SETUP_LETTERS)]
        for _ in range(short.wanted - short.places):
            largest = max(kinds, key=lambda field: force[field])
            if not force[largest]:
                return
            force[largest] -= 1
    fewer = before - sum(force.values())
    if fewer:
        yield from _with(draft, f"Have {counted(fewer, 'counter')} fewer", **force)


def _start(draft: Draft, problem: Problem) -> Iterator[Fix]:
    """Fix what a start position names and the map or the force lacks."""
    scenario = _scenario(draft)
    start = scenario.start
    if start is None:
        raise LookupError("no start position")
    if problem.place == "start.turn":
        made = replace(start, turn=scenario.turns)
        yield from _with(draft, f"Begin with turn {scenario.turns}", start=made)
        return
    if problem.place == "start.figures":
        yield from _missing(draft, start)
        return
    number = number_of(problem)
    if problem.place.startswith("start.figures["):
        figure = start.figures[number]
        names = [one.name for one in start.figures]
        is_needed = figure.name == "CloneMaster" or figure.name in TERMINATOR_NAMES[: scenario.terminators]
        if problem.place.endswith("].square") and figure.square is not None:
            square = _nearest(draft, figure.square)
            if square is not None:
                moved = (
                    *start.figures[:number],
                    replace(figure, square=square),
                    *start.figures[number + 1 :],
                )
                made = replace(start, figures=moved)
                yield from _with(draft, f"Put {figure.name} at {at_square(square)}", start=made)
        if not is_needed or names.count(figure.name) > 1:
            kept = (*start.figures[:number], *start.figures[number + 1 :])
            yield from _with(draft, f"Take {figure.name} out", start=replace(start, figures=kept))
        return
    for field in ("doors", "equipment"):
        if problem.place.startswith(f"start.{field}["):
            names = list(getattr(start, field))
            del names[number]
            made = replace(start, **{field: tuple(names)})
            yield from _with(draft, "Take it off the list of what is destroyed", start=made)


def _missing(draft: Draft, start: StartPosition) -> Iterator[Fix]:
    """Add who a start position must have, or let the force have as many Jellies as it shows."""
    scenario = _scenario(draft)
    names = {one.name for one in start.figures}
    men = [name for name in TERMINATOR_NAMES[: scenario.terminators] if name not in names]
    if men:
        waiting = [waiting_terminator(scenario, name) for name in men]
        made = replace(start, figures=(*start.figures, *waiting))
        yield from _with(draft, f"Put {' and '.join(men)} off the map", start=made)
    if "CloneMaster" not in names:
        square = _nearest(draft, (draft.plan.width // 2, draft.plan.height // 2))
        if square is not None:
            figure = StartFigure(name="CloneMaster", square=square, is_face_up=False)
            made = replace(start, figures=(*start.figures, figure))
            yield from _with(draft, f"Put the CloneMaster at {at_square(square)}", start=made)
    jellies = sum(one.name.startswith("J-") for one in start.figures)
    if jellies > scenario.jellies:
        yield from _with(draft, f"Have {jellies} Jellies in the force", jellies=jellies)


def _to_cap(draft: Draft, problem: Problem) -> Iterator[Fix]:
    """Give a Terminator no more levels of any skill than the record sheet has boxes for (R30)."""
    start = _scenario(draft).start
    if start is None:
        raise LookupError("no start position")
    number = number_of(problem)
    figure = start.figures[number]

    def capped(levels: dict[str, int] | None) -> dict[str, int] | None:
        return None if levels is None else {word: min(most, LEVEL_CAP) for word, most in levels.items()}

    fewer = replace(figure, original=capped(figure.original), levels=capped(figure.levels))
    figures = (*start.figures[:number], fewer, *start.figures[number + 1 :])
    words = f"Give {figure.name} {LEVEL_CAP} of a skill at most"
    yield from _with(draft, words, start=replace(start, figures=figures))


def _in_force(draft: Draft, problem: Problem) -> Iterator[Fix]:
    if problem.place in ("servants", "technicians", "jellies"):
        yield from _with(draft, "Put one in the force", **{problem.place: 1})


def _as_usual(draft: Draft, problem: Problem) -> Iterator[Fix]:
    usual = getattr(Scenario(name=""), problem.place)
    yield from _with(draft, "Set it back", **{problem.place: usual})


def _nearest_two(draft: Draft, problem: Problem) -> Iterator[Fix]:
    yield from _with(draft, "Release the two nearest (6.3b)", release="nearest")


def _printed_points(draft: Draft, problem: Problem) -> Iterator[Fix]:
    yield from _with(draft, "Score as printed (6.3)", points=Points())
    yield from _with(draft, "Let the mission decide (6.1)", points=None)


def _stay(draft: Draft, problem: Problem) -> Iterator[Fix]:
    escape = replace(_scenario(draft).escape, levels_left=0)
    yield from _with(draft, "Let nobody leave for lost levels", escape=escape)


ON_SCENARIO: Final[dict[str, Finder]] = {
    "no-entry": _entry,
    "never": _never,
    "off-map": _placement,
    "on-tank": _placement,
    "taken": _placement,
    "in-doorway": _placement,
    "too-many": _too_many,
    "start": _start,
    "above-cap": _to_cap,
    "start-excludes": _as_usual,
    "letter-of-nobody": _in_force,
    "no-guards": _in_force,
    "rules-exclude": _nearest_two,
    "cannot-win": _printed_points,
    "never-total": _printed_points,
    "at-once": _stay,
}
"""The finders of fixes of the scenario, by the code of the problem."""
