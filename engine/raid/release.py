"""4.2: turning counters up, by a Terminator's entry or by choice, and the CloneMaster's own release."""

from __future__ import annotations

from engine.core.event import Telling, tell_all
from engine.raid import events, tables
from engine.raid.figures import CLONE
from engine.raid.state import ASK_WHEN, FREE_MOVING, State
from engine.raid.tables import FREE_MOVE


def turn_up(state: State, figure: int, by: str, rule: str, tell: list[Telling]) -> None:
    """Turn one counter up for the rest of the game (4.22)."""
    state.face_up[figure] = 1
    game = state.game
    tell.append(tell_all(events.Revealed(rule, game.roster.name[figure], game.xy[state.where[figure]], by)))


def reveal_room(state: State, square: int, tell: list[Telling]) -> None:
    """Turn up every counter in the room of a square that a Terminator entered (4.2 a).

    Counters are told in the order of their squares, which tells nothing about their kinds before.
    """
    board = state.game.board
    room = board.room_mask[board.room_of[square]]
    where, face_up = state.where, state.face_up
    found = sorted(
        (where[figure], figure)
        for figure in state.game.roster.clone_indices
        if not face_up[figure] and where[figure] >= 0 and room >> where[figure] & 1
    )
    for _, figure in found:
        turn_up(state, figure, "entry", "4.2a", tell)
        if state.game.roster.kind[figure] == CLONE:
            state.free_move = ASK_WHEN


def turn_up_nearest(state: State, tell: list[Telling]) -> None:
    """Turn up the two face-down counters nearest to the Terminators (6.3b, R32).

    Nearest is by the shortest path that a Terminator could walk, figures and the price of a drop-off
    left aside; chance decides between equals.
    """
    board = state.game.board
    goals = [state.where[f] for f in state.game.roster.terminator_indices if state.where[f] >= 0]
    ways = [board.distances(tables.walker(0, climbs=True), state.doors, goal) for goal in goals]
    waiting: dict[int, list[int]] = {}
    for figure in state.game.roster.clone_indices:
        square = state.where[figure]
        if square >= 0 and not state.face_up[figure] and ways:
            waiting.setdefault(min(way[square] for way in ways), []).append(figure)
    left = tables.NEAREST_RELEASED
    for distance in sorted(waiting):
        if not left:
            break
        # In the order of their squares, which tells nothing about their kinds.
        equals = sorted(waiting[distance], key=lambda one: state.where[one])
        if len(equals) > left:
            state.dice.shuffle(equals)
        for figure in sorted(equals[:left], key=lambda one: state.where[one]):
            turn_up(state, figure, "nearest", "6.3b", tell)
            if figure == state.game.roster.clonemaster:
                start_free_move(state)
        left -= min(left, len(equals))


def release_clonemaster(state: State, tell: list[Telling]) -> None:
    """Turn the CloneMaster up by his player's choice; his free move comes at once (4.21, R13)."""
    turn_up(state, state.game.roster.clonemaster, "choice", "4.21", tell)
    start_free_move(state)


def start_free_move(state: State) -> None:
    """Give the CloneMaster the four points of his release (4.21)."""
    state.free_move = FREE_MOVING
    state.free_points = FREE_MOVE
