"""3.2: the seven phases in their order, and the loop that runs until somebody must decide."""

from __future__ import annotations

from engine.core.event import Telling, tell_all
from engine.raid import dealing, events, movement, reinforcements, release, victory
from engine.raid.phases import combat, fire, recovery, tactics
from engine.raid.state import (
    ADVANCE,
    ASK_WHEN,
    CLONEMASTER_MOVE,
    COMBAT_1,
    COMBAT_2,
    FREE_MOVING,
    NO_FREE_MOVE,
    OVER,
    RECOVERY,
    SET_UP,
    SETTLE,
    TERMINATOR_MOVE_1,
    State,
)
from engine.raid.view import PHASES

COMBATS = (COMBAT_1, COMBAT_2)


def begin_phase(state: State, phase: int, tell: list[Telling]) -> None:
    """Start a phase; where nobody else decides, the CloneMaster's window stands open first (R13)."""
    state.phase = phase
    state.closing = False
    state.mover = -1
    size = state.game.roster.size
    state.moved = bytearray(size)
    state.entered = bytearray(len(state.entered))
    state.left = bytearray(len(state.left))
    tell.append(tell_all(events.PhaseBegan("3.2", state.turn, PHASES[phase])))
    if phase in COMBATS:
        state.fought = frozenset()
        combat.find(state, tell)
        state.window = not state.combats and state.is_hidden_clonemaster()
    elif phase == RECOVERY:
        state.recovering = recovery.queue(state)
        state.window = state.is_hidden_clonemaster()
    elif phase == ADVANCE:
        is_last = state.turn >= state.game.scenario.turns
        state.window = state.is_hidden_clonemaster() and not is_last
    else:
        state.released = 0
    if phase == CLONEMASTER_MOVE:
        reinforcements.arrive(state, tell)
        if state.game.scenario.release == "nearest":
            release.turn_up_nearest(state, tell)


def _next_phase(state: State, tell: list[Telling]) -> None:
    if state.phase != ADVANCE:
        begin_phase(state, state.phase + 1, tell)
    elif state.turn >= state.game.scenario.turns:
        victory.end(state, tell)
    else:
        state.turn += 1
        state.fired = bytearray(state.game.roster.size)
        begin_phase(state, TERMINATOR_MOVE_1, tell)


def run(state: State, tell: list[Telling]) -> None:
    """Go on until a player must decide or the game is over."""
    while _goes_on(state, tell):
        pass


def _goes_on(state: State, tell: list[Telling]) -> bool:
    """Do the next thing that needs no decision; return whether there was one."""
    if state.phase == OVER:
        return False
    if state.phase == SET_UP:
        if not all(state.ready):
            return False
        dealing.finish(state, tell)
        begin_phase(state, TERMINATOR_MOVE_1, tell)
        return True
    if (state.fight is None or state.fight.injured < 0) and victory.is_early_end(state):
        victory.end(state, tell)
        return False
    if state.free_move in (ASK_WHEN, FREE_MOVING):
        return False
    if state.mover >= 0 and movement.put_back_if_stuck(state, tell):
        movement.finish_mover(state)
        return True
    if state.closing:
        _next_phase(state, tell)
        return True
    if state.window:
        return False
    if state.fight is not None:
        fight = state.fight
        if fight.injured >= 0:
            return False
        in_play = fight.step <= SETTLE
        return not (tactics.proceed(state, fight, tell) if in_play else fire.proceed(state, fight, tell))
    if state.phase in COMBATS:
        if state.combats:
            return False
        _next_phase(state, tell)
    elif state.phase == RECOVERY:
        if recovery.proceed(state, tell):
            if state.displaced >= 0:
                return False
            _next_phase(state, tell)
    elif state.phase == ADVANCE:
        _next_phase(state, tell)
    else:
        return False
    return True


def after_free_move(state: State, tell: list[Telling]) -> None:
    """Find the combats not yet fought anew once the CloneMaster has come out in a combat phase (R13)."""
    if state.phase in COMBATS and state.fight is None and state.free_move == NO_FREE_MOVE:
        combat.find(state, tell)
