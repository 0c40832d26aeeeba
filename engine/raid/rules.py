"""The raid as a whole: what is to be decided now, and what a choice does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from engine.core.decision import Choice, Decision, IllegalChoice
from engine.core.dice import Dice
from engine.core.event import Telling
from engine.fortress.board import compile_board
from engine.raid import dealing, release, sequence
from engine.raid.choices import ReleaseCloneMaster
from engine.raid.figures import KINDS, SIDES, TERMINATOR
from engine.raid.phases import (
    clonemaster_move,
    combat,
    extras,
    fire,
    free_move,
    injuries,
    recovery,
    setup,
    tactics,
    terminator_move,
)
from engine.raid.problems import check_playable
from engine.raid.redact import known, turn_of
from engine.raid.roster import Roster
from engine.raid.scenario import Scenario, StartPosition, plan_of, start_levels, stations_of, turns_of
from engine.raid.state import (
    ASK_WHEN,
    CLONEMASTER_MOVE,
    COMBAT_1,
    DEAD,
    ESCAPED,
    FREE_MOVING,
    NO_FREE_MOVE,
    OFF,
    OVER,
    SET_UP,
    SETTLE,
    STATION,
    TERMINATOR_MOVE_1,
    TERMINATOR_MOVE_2,
    Game,
    State,
)
from engine.raid.view import PHASES


def game_of(scenario: Scenario) -> Game:
    """Return a scenario's compiled game, made once and kept with the scenario itself.

    Raises BadFile where it cannot be played.
    """
    kept: Game | None = vars(scenario).get(_GAME)
    if kept is not None:
        return kept
    check_playable(scenario)
    board = compile_board(plan_of(scenario), scenario.rules.corner_sight)
    roster = Roster(
        scenario.terminators,
        scenario.armed_technicians,
        scenario.technicians,
        scenario.servants,
        scenario.jelly_numbers,
        scenario.allowances,
        [
            (KINDS.index(row.kind), len(turns_of(row, scenario.turns)) * row.number)
            for row in scenario.reinforcements
        ],
    )
    game = vars(scenario)[_GAME] = Game(scenario, board, roster)
    return game


_GAME = "_game"


def start(scenario: Scenario, dice: Dice) -> tuple[State, list[Telling]]:
    """Return a new game's state, run to its first decision, and what happened on the way."""
    state = State(game_of(scenario), dice)
    tell: list[Telling] = []
    if scenario.start is not None:
        state.is_built = True
        _take_position(state, scenario.start)
        sequence.begin_phase(state, PHASES.index(scenario.start.phase), tell)
    elif state.is_built:
        dealing.begin(state, tell)
    sequence.run(state, tell)
    return state, tell


def _take_position(state: State, start: StartPosition) -> None:
    """Set a state to a scenario's start position."""
    game = state.game
    roster = game.roster
    state.ready = [True, True]
    state.turn = start.turn
    places = {"off": OFF, "dead": DEAD, "escaped": ESCAPED}
    for entry in start.figures:
        figure = roster.index[entry.name]
        if entry.square is not None:
            state.where[figure] = game.square(entry.square)
        elif entry.place == "station":
            (number,) = stations_of(game.board, entry)
            state.where[figure] = STATION - number
        else:
            state.where[figure] = places[entry.place]
        state.face_up[figure] = entry.is_face_up
        if not roster.is_fighter[figure]:
            continue
        original, levels = start_levels(entry)
        state.train(figure, original)
        state.set_levels(figure, levels)
        state.awake[figure] = 1 if any(levels) else 0
    for name in start.doors:
        state.doors |= 1 << game.door_names.index(name)
    for name in start.equipment:
        state.wrecked |= 1 << game.equipment_names.index(name)


class Stage(Protocol):
    """A part of the rules at which the game stops: who decides what, and what a choice does.

    The modules of `phases` are stages. `check` raises IllegalChoice; `apply` carries out what `check` let
    through.
    """

    def decisions(self, state: State) -> Sequence[Decision]: ...

    def check(self, state: State, side: int, choice: Choice) -> None: ...

    def apply(self, state: State, side: int, choice: Choice, tell: list[Telling]) -> None: ...


def _stage(state: State) -> Stage:
    """Return where a game that is not over stands: the innermost of what waits to be decided."""
    if state.phase == SET_UP:
        return setup if state.is_built else extras
    if state.free_move in (ASK_WHEN, FREE_MOVING) or state.window:
        return free_move
    if state.displaced >= 0:
        return recovery
    if state.fight is not None:
        if state.fight.injured >= 0:
            return injuries
        return tactics if state.fight.step <= SETTLE else fire
    if state.phase in (TERMINATOR_MOVE_1, TERMINATOR_MOVE_2):
        return terminator_move
    return clonemaster_move if state.phase == CLONEMASTER_MOVE else combat


def decisions(state: State) -> tuple[Decision, ...]:
    """Return the open decisions, at most one a side; none when the game is over."""
    if state.phase == OVER:
        return ()
    stage = _stage(state)
    found = tuple(stage.decisions(state))
    return (*found, free_move.standing_offer()) if _has_standing_offer(state, stage) else found


def _has_standing_offer(state: State, stage: Stage) -> bool:
    """Return whether the CloneMaster may be released while the Terminator player decides (R13)."""
    is_waiting = stage is terminator_move or (stage is combat and combat.order_side(state) == 0)
    return is_waiting and state.is_hidden_clonemaster()


def sealed_decisions(state: State) -> tuple[Decision, ...]:
    """Return the open decisions, each made from a state that holds only what its side may know (R29)."""
    if state.phase == OVER:
        return ()
    stage = _stage(state)
    if _has_standing_offer(state, stage):  # it holds nothing of the state
        return (*stage.decisions(known(state, 0)), free_move.standing_offer())
    guess = _likely(state)
    found = stage.decisions(known(state, guess))
    if all(decision.side == SIDES[guess] for decision in found):
        return tuple(found)
    others = stage.decisions(known(state, 1 - guess))
    return tuple(
        mine if mine.side == SIDES[guess] else other for mine, other in zip(found, others, strict=True)
    )


def asked(redacted: State, side: int) -> Decision | None:
    """Return what a side is asked, worked out from a State of what it knows; None where it waits."""
    return next((decision for decision in decisions(redacted) if decision.side == SIDES[side]), None)


def _likely(state: State) -> int:
    """Return the side that is probably asked, and often alone, so that one redacted state is enough."""
    if state.fight is not None:
        return 0 if turn_of(state, state.fight) == TERMINATOR else 1
    return 0 if state.phase in (TERMINATOR_MOVE_1, COMBAT_1, TERMINATOR_MOVE_2) else 1


def _check(state: State, side: int, choice: Choice) -> None:
    """Refuse a choice that the rules do not allow in a state; raises IllegalChoice."""
    if state.phase == OVER:
        raise IllegalChoice("the game is over", "R31")
    if isinstance(choice, ReleaseCloneMaster) and state.phase != SET_UP:
        # R13: open at other stages than its own.
        if state.free_move in (ASK_WHEN, FREE_MOVING):
            raise IllegalChoice("the CloneMaster is released already", "4.22")
        free_move.check_release(state, side)
    else:
        _stage(state).check(state, side, choice)


def why(state: State, side: str, choice: Choice) -> IllegalChoice | None:
    """Return why a side may not choose something now, or None where it may.

    The answer follows from what that side may know, so it can tell no more.
    """
    number = SIDES.index(side)
    return refusal(known(state, number), number, choice)


def refusal(redacted: State, side: int, choice: Choice) -> IllegalChoice | None:
    """Return what `why` does, worked out from a State of what the side knows."""
    try:
        _check(redacted, side, choice)
    except IllegalChoice as error:
        return error
    return None


def advance(state: State, side: str, choice: Choice) -> tuple[State, list[Telling]]:
    """Return the state after a choice, run to the next decision, and what happened; `state` stays as it was.

    Raises IllegalChoice for whatever the rules do not allow, whoever asks.
    """
    number = SIDES.index(side)
    try:
        _check(state, number, choice)
    except IllegalChoice:
        told = why(state, side, choice)
        if told is None:
            raise
        raise told from None
    new = state.copy()
    tell: list[Telling] = []
    _apply(new, number, choice, tell)
    sequence.run(new, tell)
    return new, tell


def _apply(state: State, side: int, choice: Choice, tell: list[Telling]) -> None:
    if isinstance(choice, ReleaseCloneMaster):
        state.window = False
        release.release_clonemaster(state, tell)
        return
    was_moving = state.free_move == FREE_MOVING
    _stage(state).apply(state, side, choice, tell)
    if was_moving and state.free_move == NO_FREE_MOVE:
        sequence.after_free_move(state, tell)
