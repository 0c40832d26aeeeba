"""3.2, 4.2 b: the CloneMaster Move: releases first, then the figures, one after another."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.decision import Choice, Decision, IllegalChoice, Options
from engine.core.event import Telling
from engine.raid import movement, release
from engine.raid.choices import EndPhase, Enter, Move, Release, ReleaseCloneMaster
from engine.raid.figures import CLONEMASTER
from engine.raid.phases.naming import figure_of
from engine.raid.roster import RELEASE_KIND, RELEASE_NAMES
from engine.raid.state import WAITING, State


def decisions(state: State) -> list[Decision]:
    """Return the CloneMaster player's releases and moves."""
    name = state.game.roster.name
    if state.mover >= 0 and movement.must_go_on(state, state.mover):
        return [
            _decision(state, [name[state.mover]], "4.3", f"{name[state.mover]} cannot stop here: move on.")
        ]
    awaited, may_release = _awaited(state), _may_release(state)
    where, face_up, moved, awake = state.where, state.face_up, state.moved, state.awake
    spent = -1 if state.points else state.mover
    movable = [
        figure
        for figure in state.game.roster.clone_indices
        if face_up[figure] and not moved[figure] and where[figure] >= 0 and awake[figure] and figure != spent
    ]
    groups = [name[figure] for figure in sorted([*movable, *awaited, *_releasable(state, may_release)])]
    if not awaited:
        groups.append("")
    if may_release:
        rule = "4.2b"
        prompt = (
            "Release one Jelly, one Servant and one Technician if you like, then move your face-up figures."
        )
    else:
        rule, prompt = "4.3", "Move your face-up figures, one after another, or end the phase."
    if awaited:
        prompt += " Reinforcements wait outside: bring them in before you end the phase."
    return [_decision(state, groups, rule, prompt)]


def _decision(state: State, groups: list[str], rule: str, prompt: str) -> Decision:
    options = Options(groups, lambda group: _choices(state, group), price=movement.price(state))
    waiting = "The CloneMaster player moves."
    return Decision(CLONEMASTER, "clonemaster-move", rule, prompt, waiting, options)


def _choices(state: State, group: str) -> Sequence[Choice]:
    """Return what one figure can do, or the end of the phase for the group of no figure."""
    if not group:
        return (EndPhase(),)
    figure = state.game.roster.index[group]
    if state.where[figure] == WAITING:
        return (Enter(group, state.game.board.entries[state.game.entry_of[figure]].name),)
    if state.face_up[figure]:
        return movement.Moves(state, figure, movement.points_of(state, figure))
    return (ReleaseCloneMaster(),) if figure == state.game.roster.clonemaster else (Release(group),)


def _awaited(state: State) -> list[int]:
    """Return the reinforcements that wait outside and find room to come in; then they must (6.2, R12)."""
    return [
        figure
        for figures in state.game.roster.reinforcements
        for figure in figures
        if state.where[figure] == WAITING and _can_enter(state, figure)
    ]


def _releasable(state: State, may_release: bool) -> list[int]:
    """Return the face-down counters that their player may turn up now (4.21, 4.2 b)."""
    roster = state.game.roster
    found = [roster.clonemaster] if state.is_hidden_clonemaster() else []
    if may_release:
        found += [
            figure
            for figure in roster.clone_indices
            if not state.face_up[figure]
            and state.where[figure] >= 0
            and figure != roster.clonemaster
            and not state.released >> RELEASE_KIND[roster.kind[figure]] & 1
        ]
    return found


def _can_enter(state: State, figure: int) -> bool:
    """Return whether a figure that waits outside finds room to come in (R12)."""
    if state.moved[figure]:
        return False
    try:
        movement.check_entry(state, figure, state.game.entry_of[figure])
    except IllegalChoice:
        return False
    return True


def _may_release(state: State) -> bool:
    """Return whether the player may turn counters up now (4.2 b); not by the release of 6.3 (b)."""
    return state.game.scenario.release == "choice" and not state.game.is_dealt and not _has_begun(state)


def _has_begun(state: State) -> bool:
    """Return whether a figure has moved, so that releases are over for this turn (4.2 b)."""
    return state.mover >= 0 or any(state.moved)


def check(state: State, side: int, choice: Choice) -> None:
    """Refuse what the CloneMaster Move does not allow; raises IllegalChoice."""
    if side != 1:
        raise IllegalChoice("it is the CloneMaster player's movement phase", "3.2")
    mover = state.mover
    is_stuck = mover >= 0 and movement.must_go_on(state, mover)
    if isinstance(choice, EndPhase):
        if is_stuck:
            raise IllegalChoice(f"{state.game.roster.name[mover]} cannot stop on another figure", "4.6")
        _check_none_waits(state)
        return
    if not isinstance(choice, (Move, Release, Enter)):
        raise IllegalChoice("this is a movement phase", "3.2")
    figure = figure_of(state, choice.figure, 1, "4.3")
    if is_stuck and figure != mover:
        raise IllegalChoice(
            f"{state.game.roster.name[mover]} cannot stop on another figure: move it on first", "R6"
        )
    if isinstance(choice, Enter):
        _check_enter(state, figure, choice.entry)
        return
    if state.where[figure] == WAITING:
        raise IllegalChoice(f"{choice.figure} waits at the entry: bring it in first", "R12")
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


def _check_none_waits(state: State) -> None:
    """Refuse to leave reinforcements outside for whom there is room (6.2, R12)."""
    awaited = _awaited(state)
    if awaited:
        name = state.game.roster.name[awaited[0]]
        raise IllegalChoice(f"{name} waits outside and finds room: bring it in first", "R12")


def _check_enter(state: State, figure: int, name: str) -> None:
    if state.where[figure] != WAITING:
        raise IllegalChoice("only reinforcements come in by an entry", "6.2")
    number = state.game.entry_of[figure]
    entry = state.game.board.entries[number].name
    if name != entry:
        raise IllegalChoice(f"they come in by the {entry}", "6.2")
    if state.moved[figure]:
        raise IllegalChoice(f"{state.game.roster.name[figure]} has ended its movement for this phase", "R6")
    movement.check_entry(state, figure, number)


def _check_release(state: State, figure: int) -> None:
    roster = state.game.roster
    name = roster.name[figure]
    if state.face_up[figure]:
        raise IllegalChoice(f"{name} is released already", "4.22")
    if state.game.scenario.release == "nearest":
        raise IllegalChoice("in this scenario the two counters nearest to the Terminator come out", "6.3b")
    if state.game.is_dealt:
        raise IllegalChoice("nobody knows which counter lies where, so none is picked", "R34")
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
    elif isinstance(choice, Enter):
        movement.finish_mover(state)
        figure = roster.index[choice.figure]
        movement.enter(state, figure, state.game.entry_of[figure], "R12", tell)
    elif isinstance(choice, Move):
        figure = roster.index[choice.figure]
        if figure != state.mover:
            movement.finish_mover(state)
        movement.walk(state, figure, state.game.squares(choice.path), tell)
