"""6.1, 6.3, R31: when a game ends, what each side has scored, and who has won."""

from __future__ import annotations

from engine.core.event import Telling, tell_all
from engine.raid import events, injury
from engine.raid.figures import ABILITIES, CLONEMASTER, HEART, TERMINATOR
from engine.raid.scenario import Points
from engine.raid.state import BOX, DEAD, ESCAPED, NO_FREE_MOVE, OVER, Outcome, State

VICTORY, TOTAL = "victory", "total victory"
AGREED = "Both players agreed on a draw: a house agreement, which no rule knows."


def clonemaster_is_dead(state: State) -> bool:
    """Return whether the CloneMaster has been killed."""
    return state.where[state.game.roster.clonemaster] == DEAD


def all_is_wrecked(state: State) -> bool:
    """Return whether every piece of vital equipment is destroyed."""
    return state.wrecked == (1 << len(state.game.board.equipment)) - 1


def is_done(state: State) -> bool:
    """Return whether the mission is done: the CloneMaster dead and all equipment destroyed (6.1)."""
    return clonemaster_is_dead(state) and all_is_wrecked(state)


def may_escape(state: State, figure: int) -> bool:
    """Return whether a Terminator may leave: the mission is done, or the scenario lets him go (6.3, R11)."""
    if is_done(state):
        return True
    escape = state.game.scenario.escape
    if escape.from_turn and state.turn >= escape.from_turn:
        return True
    return state.total(figure) <= escape.levels_left


def can_go_on(state: State, figure: int) -> bool:
    """Return whether a Terminator could still act or recover (R31)."""
    place = state.where[figure]
    if place in (DEAD, ESCAPED):
        return False
    return bool(state.awake[figure]) or state.original_of(figure)[HEART] > 0


def is_early_end(state: State) -> bool:
    """Return whether no Terminator is left who could act or recover (R31)."""
    return not any(can_go_on(state, figure) for figure in state.game.roster.terminator_indices)


def points(state: State) -> dict[str, int] | None:
    """Return what each side has scored so far; None where the scenario does not score (6.3)."""
    if state.outcome is not None:
        return state.outcome.points
    values = state.game.scenario.points
    return None if values is None else _score(state, values)


def _score(state: State, values: Points) -> dict[str, int]:
    roster, where = state.game.roster, state.where
    mine = values.start + values.equipment * state.wrecked.bit_count()
    mine += values.jelly * sum(where[figure] == DEAD for figure in roster.jelly_indices)
    if clonemaster_is_dead(state):
        mine += values.clonemaster
    if is_done(state):
        mine += values.everything
    killed = sum(where[figure] == DEAD for figure in roster.terminator_indices)
    captured = 0
    if state.phase == OVER:
        captured = sum(where[figure] >= 0 for figure in roster.terminator_indices)
    theirs = values.killed * killed + values.captured * captured
    return {TERMINATOR: mine, CLONEMASTER: theirs}


def judge(state: State) -> Outcome:
    """Return the result of a game that is over: by points where the scenario scores, else by the mission."""
    values = state.game.scenario.points
    return _judge_mission(state) if values is None else _judge_points(state, values)


def _judge_points(state: State, values: Points) -> Outcome:
    """Return who has scored more; by more than the margin it is total, equal points are a draw (6.3, R31)."""
    scored = _score(state, values)
    mine, theirs = scored[TERMINATOR], scored[CLONEMASTER]
    reason = f"The Terminator side has {mine} points, the CloneMaster {theirs}."
    if mine == theirs:
        return Outcome("draw", None, reason, "R31", scored)
    level = TOTAL if abs(mine - theirs) > values.total_margin else VICTORY
    return Outcome(TERMINATOR if mine > theirs else CLONEMASTER, level, reason, "6.3", scored)


def _judge_mission(state: State) -> Outcome:
    """Return who has won by the mission (6.1): the CloneMaster's survival outranks the equipment."""
    escaped = any(state.where[f] == ESCAPED for f in state.game.roster.terminator_indices)
    left = len(state.game.board.equipment) - state.wrecked.bit_count()
    if not clonemaster_is_dead(state):
        return Outcome(
            CLONEMASTER, TOTAL, "The CloneMaster lives and every Terminator inside is lost.", "6.1"
        )
    if left:
        pieces = "1 piece of vital equipment is" if left == 1 else f"{left} pieces of vital equipment are"
        return Outcome(
            CLONEMASTER, VICTORY, f"The CloneMaster is dead, but {pieces} whole: he will live again.", "6.1"
        )
    if escaped:
        reason = "The CloneMaster and all his equipment are destroyed, and a Terminator got away."
        return Outcome(TERMINATOR, TOTAL, reason, "6.1")
    reason = "The CloneMaster and all his equipment are destroyed; no Terminator lived to tell."
    return Outcome(TERMINATOR, VICTORY, reason, "6.1")


def end(state: State, tell: list[Telling]) -> None:
    """End the game: those still inside are lost, secrets are opened, the result is told (R31, R29)."""
    roster = state.game.roster
    for figure in roster.terminator_indices:
        if state.where[figure] < 0:
            continue
        if state.game.scenario.points is None:
            injury.kill(state, figure, "R31", tell)
        else:
            tell.append(tell_all(events.Captured("R31", roster.name[figure])))
    state.phase = OVER
    _close(state, judge(state), tell)


def end_as_draw(state: State, tell: list[Telling]) -> None:
    """End the game where it stands, as both players agree; nobody is lost, and points stay as they are."""
    outcome = Outcome("draw", None, AGREED, "", points(state), is_agreed=True)
    state.phase = OVER
    state.mover = state.displaced = -1
    state.points = state.free_points = 0
    state.trail = state.recovering = ()
    state.free_move = NO_FREE_MOVE
    state.window = state.closing = False
    state.combats = ()
    state.fight = None
    _close(state, outcome, tell)


def _close(state: State, outcome: Outcome, tell: list[Telling]) -> None:
    _open_secrets(state, tell)
    state.outcome = outcome
    tell.append(
        tell_all(
            events.GameEnded(
                outcome.rule, outcome.winner, outcome.level, outcome.reason, state.turn, outcome.points
            )
        )
    )


def _open_secrets(state: State, tell: list[Telling]) -> None:
    roster = state.game.roster
    for figure in range(roster.size):
        place = state.where[figure]
        if place == BOX or (figure >= roster.terminators and place == DEAD):
            continue
        is_fighter = roster.is_fighter[figure]
        if not is_fighter and state.face_up[figure]:
            continue
        original = dict(zip(ABILITIES, state.original_of(figure), strict=True)) if is_fighter else None
        levels = dict(zip(ABILITIES, state.levels_of(figure), strict=True)) if is_fighter else None
        square = state.game.xy[place] if place >= 0 and not state.face_up[figure] else None
        tell.append(tell_all(events.Secret("R29", roster.name[figure], square, original, levels)))
