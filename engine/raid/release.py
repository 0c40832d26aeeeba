"""4.2: turning counters up, by a Terminator's entry or by choice, and the CloneMaster's own release."""

from __future__ import annotations

from engine.core.event import Telling, tell_all
from engine.raid import events
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


def release_clonemaster(state: State, tell: list[Telling]) -> None:
    """Turn the CloneMaster up by his player's choice; his free move comes at once (4.21, R13)."""
    turn_up(state, state.game.roster.clonemaster, "choice", "4.21", tell)
    start_free_move(state)


def start_free_move(state: State) -> None:
    """Give the CloneMaster the four points of his release (4.21)."""
    state.free_move = FREE_MOVING
    state.free_points = FREE_MOVE
