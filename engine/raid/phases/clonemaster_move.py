"""3.2, 4.2 b: the CloneMaster Move: releases first, then the figures, one after another."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.decision import Choice, Decision, IllegalChoice, Options
from engine.core.event import Telling
from engine.raid import movement, release
from engine.raid.choices import EndPhase, Move, Release, ReleaseCloneMaster
from engine.raid.figures import CLONEMASTER
from engine.raid.phases.naming import figure_of
from engine.raid.roster import RELEASE_KIND, RELEASE_NAMES
from engine.raid.state import State


def decisions(state: State) -> list[Decision]:
    """Return the CloneMaster player's releases and moves."""
    roster = state.game.roster
    name, kind = roster.name, roster.kind
    where, face_up, moved, awake = state.where, state.face_up, state.moved, state.awake
    may_release = not _has_begun(state)
    groups: list[str] = []
    for figure in roster.clone_indices:
        if where[figure] < 0:
            continue
        if face_up[figure]:
            if awake[figure] and not moved[figure] and (figure != state.mover or state.points):
                groups.append(name[figure])
        elif figure == roster.clonemaster or (
            may_release and not state.released >> RELEASE_KIND[kind[figure]] & 1
        ):
            groups.append(name[figure])
    groups.append("")
    return [
        Decision(
            CLONEMASTER,
            "clonemaster-move",
            "4.2b" if may_release else "4.3",
            "Release one Jelly, one Servant and one Technician if you like, then move your face-up figures."
            if may_release
            else "Move your face-up figures, one after another, or end the phase.",
            "The CloneMaster player moves.",
            Options(groups, lambda group: _choices(state, group), price=movement.price(state)),
        )
    ]


def _choices(state: State, group: str) -> Sequence[Choice]:
    """Return what one figure can do, or the end of the phase for the group of no figure."""
    if not group:
        return (EndPhase(),)
    figure = state.game.roster.index[group]
    if state.face_up[figure]:
        return movement.Moves(state, figure, movement.points_of(state, figure))
    return (ReleaseCloneMaster(),) if figure == state.game.roster.clonemaster else (Release(group),)


def _has_begun(state: State) -> bool:
    """Return whether a figure has moved, so that releases are over for this turn (4.2 b)."""
    return state.mover >= 0 or any(state.moved)


def check(state: State, side: int, choice: Choice) -> None:
    """Refuse what the CloneMaster Move does not allow; raises IllegalChoice."""
    if side != 1:
        raise IllegalChoice("it is the CloneMaster player's movement phase", "3.2")
    if isinstance(choice, EndPhase):
        return
    if not isinstance(choice, Move | Release):
        raise IllegalChoice("this is a movement phase", "3.2")
    figure = figure_of(state, choice.figure, 1, "4.3")
    if state.where[figure] < 0:
        raise IllegalChoice(f"{choice.figure} is not on the map", "4.3")
    if isinstance(choice, Release):
        _check_release(state, figure)
        return
    if not state.face_up[figure]:
        raise IllegalChoice(f"{choice.figure} is not released yet", "4.2")
    if not state.awake[figure]:
        raise IllegalChoice(f"{choice.figure} is unconscious", "5.5")
    if state.moved[figure]:
        raise IllegalChoice(f"{choice.figure} has ended its movement for this phase", "R6")
    movement.check_move(state, figure, choice.path, movement.points_of(state, figure))


def _check_release(state: State, figure: int) -> None:
    roster = state.game.roster
    name = roster.name[figure]
    if state.face_up[figure]:
        raise IllegalChoice(f"{name} is released already", "4.22")
    if figure == roster.clonemaster:
        raise IllegalChoice("the CloneMaster has a release of his own", "4.21")
    if _has_begun(state):
        raise IllegalChoice(
            "counters are released at the beginning of the CloneMaster Move, before any moves", "4.2b"
        )
    group = RELEASE_KIND[roster.kind[figure]]
    if state.released >> group & 1:
        raise IllegalChoice(f"one {RELEASE_NAMES[group]} a turn, and this turn's is released", "4.2b")


def apply(state: State, side: int, choice: Choice, tell: list[Telling]) -> None:
    """Carry out a checked choice."""
    roster = state.game.roster
    if isinstance(choice, EndPhase):
        movement.finish_mover(state)
        state.closing = True
    elif isinstance(choice, Release):
        figure = roster.index[choice.figure]
        state.released |= 1 << RELEASE_KIND[roster.kind[figure]]
        release.turn_up(state, figure, "choice", "4.2b", tell)
    elif isinstance(choice, Move):
        figure = roster.index[choice.figure]
        if figure != state.mover:
            movement.finish_mover(state)
        movement.walk(state, figure, [state.game.square(xy) for xy in choice.path], tell)
