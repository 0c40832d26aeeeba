"""What a scenario needs on the table: figures, tactics counters, markers; without Qt."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from engine.fortress.board import compile_board
from engine.raid.figures import (
    ABILITIES,
    CLONEMASTER,
    COUNTERS,
    FIGHTERS,
    GUNS,
    JELLIES,
    KINDS,
    TERMINATOR,
    TERMINATOR_NAMES,
)
from engine.raid.scenario import Scenario, figure_names, is_warrior, plan_of, start_levels, turns_of
from engine.raid.tables import JELLY_COUNTERS, LEVEL_CAP, TERMINATOR_COUNTERS
from engine.raid.view import FigureView

_KIND_OF: Final = {
    "CloneMaster": "clonemaster",
    "Armed Technician": "armed_technician",
    "Technician": "technician",
    "Servant": "servant",
    "LC": "lc",
}
_COMING: Final = {
    "lc": "LC",
    "armed_technician": "Armed Technician",
    "technician": "Technician",
    "servant": "Servant",
}
GUN_KINDS: Final = tuple(KINDS[kind] for kind in GUNS)
FIGHTER_KINDS: Final = tuple(KINDS[kind] for kind in FIGHTERS)


class Piece(NamedTuple):
    """A counter: its front, and what is on its back ("" for nothing, "back" for face down)."""

    front: FigureView
    back: FigureView | str


class Tactics(NamedTuple):
    """So many tactics counters of a kind for a side (2.52)."""

    side: str
    counter: str
    number: int


class Marker(NamedTuple):
    """So many markers of a kind: what they say, in a word that names their drawing too."""

    kind: str
    number: int


def pieces(scenario: Scenario) -> tuple[Piece, ...]:
    """Return every counter that stands for a human: those set up, then the reinforcements (2.55, 6.2)."""
    found = [_piece(scenario, name) for name in _names(scenario)]
    numbers: dict[str, int] = {}
    for row in scenario.reinforcements:
        # Those set up have the first numbers of their kind.
        first = numbers.setdefault(row.kind, _set_up(scenario, row.kind))
        coming = len(turns_of(row, scenario.turns)) * row.number
        numbers[row.kind] = first + coming
        for number in range(first + 1, first + coming + 1):
            front = _figure(scenario, f"{_COMING[row.kind]} {number}")
            # They come face up (6.2), so their backs can say that their guns are spent (R23).
            back = _figure(scenario, front.name, has_fired=True) if row.kind in GUN_KINDS else "back"
            found.append(Piece(front, back))
    return tuple(found)


def sample(name: str) -> FigureView:
    """Return a figure as its counter shows it, for a chart of what counters mean (2.2)."""
    return _figure(Scenario(name=""), name)


def _names(scenario: Scenario) -> tuple[str, ...]:
    if scenario.start is None:
        return figure_names(scenario)
    there = {figure.name for figure in scenario.start.figures}
    return tuple(name for name in figure_names(scenario) if name in there)


def _set_up(scenario: Scenario, kind: str) -> int:
    numbers = {
        "armed_technician": scenario.armed_technicians,
        "technician": scenario.technicians,
        "servant": scenario.servants,
    }
    return numbers.get(kind, 0)


def _piece(scenario: Scenario, name: str) -> Piece:
    front = _figure(scenario, name)
    if front.side == TERMINATOR:
        return Piece(front, _figure(scenario, name, is_conscious=False))  # never face down (3.1)
    return Piece(front, "back")


def _figure(
    scenario: Scenario, name: str, *, is_conscious: bool = True, has_fired: bool = False
) -> FigureView:
    """Return a figure as it is printed on its counter."""
    is_terminator = name in TERMINATOR_NAMES
    if is_terminator:
        kind = "terminator"
    elif is_warrior(name):
        kind = "jelly"
    else:
        kind = _KIND_OF[name.rstrip("0123456789").strip()]
    printed = JELLIES[int(name[2:])] if kind == "jelly" else None
    levels = dict(zip(ABILITIES, printed.levels, strict=True)) if printed is not None else None
    return FigureView(
        name=name,
        kind=kind,
        side=TERMINATOR if is_terminator else CLONEMASTER,
        place="box",
        square=None,
        is_face_up=True,
        is_conscious=is_conscious,
        original=levels,
        levels=levels,
        lost=0,
        weapon=printed.weapon if printed is not None else None,
        has_fired=has_fired,
        has_moved=False,
        allowance=getattr(scenario.allowances, kind),
        entry=None,
    )


def placed(scenario: Scenario) -> tuple[tuple[FigureView, tuple[int, int]], ...]:
    """Return the figures that a scenario places itself, each with its square (6.3).

    A placement says only the kind: the next of it, a Jelly without a number since it is drawn at random
    (R34).
    """
    if scenario.start is not None:
        found = []
        for one in scenario.start.figures:
            if one.square is None or one.name not in figure_names(scenario):
                continue
            is_awake = not is_warrior(one.name) or any(start_levels(one)[1])
            figure = _figure(scenario, one.name, is_conscious=is_awake)
            found.append((msgspec.structs.replace(figure, is_face_up=one.is_face_up), one.square))
        return tuple(found)
    numbers: dict[str, int] = {}
    placed_ = []
    for row in scenario.placements:
        number = numbers[row.kind] = numbers.get(row.kind, 0) + 1
        placed_.append((_next_of(scenario, row.kind, number), row.square))
    return tuple(placed_)


def _next_of(scenario: Scenario, kind: str, number: int) -> FigureView:
    if kind == "terminator":
        return _figure(scenario, TERMINATOR_NAMES[min(number, len(TERMINATOR_NAMES)) - 1])
    if kind == "clonemaster":
        return _figure(scenario, "CloneMaster")
    if kind == "jelly":
        return msgspec.structs.replace(_figure(scenario, "J-1"), name="J", original={}, levels={})
    return _figure(scenario, f"{_COMING[kind]} {number}")


def warriors(scenario: Scenario) -> tuple[FigureView, ...]:
    """Return those who have levels and need a place on a record sheet (2.4)."""
    return tuple(piece.front for piece in pieces(scenario) if piece.front.kind in FIGHTER_KINDS)


def tactics(scenario: Scenario) -> tuple[Tactics, ...]:
    """Return the tactics counters that are enough for all of a side in one combat (2.52, 5.4, R12)."""
    fighters = warriors(scenario)
    found = []
    for side in (TERMINATOR, CLONEMASTER):
        ours = [figure for figure in fighters if figure.side == side]
        most = TERMINATOR_COUNTERS if side == TERMINATOR else JELLY_COUNTERS
        for counter in COUNTERS:
            number = 0
            for figure in ours:
                top = min(LEVEL_CAP, scenario.levels) if counter != "weapon" else 0
                level = top if figure.original is None else figure.original[counter]
                number += min(most, level)
            if number:
                found.append(Tactics(side, counter, number))
    return tuple(found)


def markers(scenario: Scenario) -> tuple[Marker, ...]:
    """Return the markers: what is destroyed, out, spent and added, and the one for the turn (2.51-2.54)."""
    board = compile_board(plan_of(scenario), scenario.rules.corner_sight)
    tanks = sum(thing.kind == "tank" for thing in board.equipment)
    computers = len(board.equipment) - tanks + scenario.extra_computers
    figures = [piece.front for piece in pieces(scenario)]
    jellies = min(scenario.jellies, sum(figure.kind == "jelly" for figure in figures))
    guns = sum(figure.kind in ("clonemaster", "armed_technician") for figure in figures)
    wanted = (
        Marker("turn", 1),
        Marker("phase", 1),
        Marker("door-destroyed", len(board.armored) + scenario.extra_doors),
        Marker("tank-destroyed", tanks),
        Marker("computer-destroyed", computers),
        Marker("unconscious", jellies),
        Marker("fired", guns),
        Marker("extra-door", scenario.extra_doors),
        Marker("extra-computer", scenario.extra_computers),
    )
    return tuple(marker for marker in wanted if marker.number)
