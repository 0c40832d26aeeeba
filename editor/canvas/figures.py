"""The scenario's counters as they stand at the start: fixed placements, or the start position."""

from __future__ import annotations

from collections import Counter
from typing import Final

from app.board.stacks import Spot as Place
from app.board.stacks import spots
from editor.draft import Draft
from editor.edits.figures import is_printed, kind_of_name
from engine.raid.figures import ABILITIES, CLONEMASTER, JELLIES, KIND_NAMES, TERMINATOR, TERMINATOR_NAMES
from engine.raid.scenario import Placement, Scenario, StartFigure, start_levels
from engine.raid.view import FigureView, View

UNKNOWN_JELLY: Final = "J-?"
"""A placed Jelly, which is drawn at random (R34)."""


def placed_figure(placement: Placement, number: int, scenario: Scenario | None = None) -> FigureView:
    """Return the counter of a fixed placement, the `number`th of its kind from 1 (6.3)."""
    kind = placement.kind
    if kind == "terminator":
        name = TERMINATOR_NAMES[(number - 1) % len(TERMINATOR_NAMES)]
    elif kind == "jelly":
        name = UNKNOWN_JELLY
    elif kind == "clonemaster":
        name = KIND_NAMES[kind]
    else:
        name = f"{KIND_NAMES[kind]} {number}"
    return _view(name, kind, (placement.square[0], placement.square[1]), scenario)


def start_figure(figure: StartFigure, scenario: Scenario | None = None) -> FigureView:
    """Return the counter of a figure of the start position."""
    kind = kind_of_name(figure.name)
    made = _view(figure.name, kind, figure.square, scenario)
    levels: dict[str, int] | None = None
    original: dict[str, int] | None = None
    is_conscious, lost = True, 0
    if figure.name in TERMINATOR_NAMES or (kind == "jelly" and is_printed(figure.name)):
        most, now = start_levels(figure)
        original = dict(zip(ABILITIES, most, strict=True))
        levels = dict(zip(ABILITIES, now, strict=True))
        lost = max(0, sum(most) - sum(now))
        is_conscious = any(now)
    return FigureView(
        made.name, made.kind, made.side, figure.place, figure.square, figure.is_face_up, is_conscious,
        original, levels, lost, made.weapon, False, False, made.allowance, figure.entry,
    )  # fmt: skip


def _view(name: str, kind: str, square: tuple[int, int] | None, scenario: Scenario | None) -> FigureView:
    side = TERMINATOR if kind == "terminator" else CLONEMASTER
    allowances = (scenario or Scenario(name="")).allowances
    levels = weapon = None
    if kind == "jelly" and is_printed(name):
        printed = JELLIES[int(name[2:])]
        levels, weapon = dict(zip(ABILITIES, printed.levels, strict=True)), printed.weapon
    elif kind == "jelly":
        levels = {}
    allowance = getattr(allowances, kind)
    return FigureView(
        name, kind, side, "map", square, True, True, levels, levels, 0, weapon, False, False, allowance, None
    )


def figures_of(scenario: Scenario) -> tuple[FigureView, ...]:
    """Return the counters that a scenario says the places of: its start position, or its placements."""
    if scenario.start is not None:
        return tuple(start_figure(one, scenario) for one in scenario.start.figures)
    numbers: Counter[str] = Counter()
    found = []
    for one in scenario.placements:
        numbers[one.kind] += 1
        found.append(placed_figure(one, numbers[one.kind], scenario))
    return tuple(found)


def places_of(draft: Draft) -> list[Place]:
    """Return the scenario's counters as the game would lay them on its squares."""
    if draft.scenario is None:
        return []
    return spots(_view_of(figures_of(draft.scenario), draft.scenario), draft.plan)


def _view_of(figures: tuple[FigureView, ...], scenario: Scenario) -> View:
    return View(
        viewer="open", scenario="", turn=1, last_turn=scenario.turns, phase="", figures=figures,
        face_down=(), doors=(), equipment=(), movement=None, released=(), free_move_kept=False, combats=(),
        fight=None, ready=(), points=None, hits=scenario.hits, outcome=None,
    )  # fmt: skip
