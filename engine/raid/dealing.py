"""6.3, R34: what the scenario itself puts on the map before the players set up, and what chance deals."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.event import Telling, tell_all
from engine.fortress.masks import bits
from engine.raid import events, release, rooms
from engine.raid.figures import JELLY, KINDS
from engine.raid.roster import Roster
from engine.raid.state import BOX, State


def begin(state: State, tell: list[Telling]) -> None:
    """Put out what starts on fixed squares, then deal the rest if nobody places it (6.3, R34)."""
    _put_out(state, tell)
    if state.game.is_dealt:
        _deal(state, tell)
        state.ready[1] = True


def _put_out(state: State, tell: list[Telling]) -> None:
    """Put the figures of fixed placements face up on their squares, a Jelly drawn at random (R34)."""
    game = state.game
    for placement in game.scenario.placements:
        left = [f for f in game.roster.of(KINDS.index(placement.kind)) if state.where[f] < 0]
        if placement.kind == "jelly":
            left = _drawable(state, left)
            figure = left[state.dice.below(len(left))]
        else:
            figure = left[0]
        state.where[figure] = game.square(placement.square)
        state.face_up[figure] = 1
        tell.append(tell_all(events.StartsAt("6.3", game.roster.name[figure], placement.square)))


def _drawable(state: State, jellies: list[int]) -> list[int]:
    """Return the Jellies of these that may be drawn, so that those required still find a place (7.3)."""
    scenario, roster = state.game.scenario, state.game.roster
    required = [f for f in jellies if int(roster.name[f][2:]) in scenario.required_jellies]
    on_map = sum(state.where[figure] >= 0 for figure in roster.jelly_indices)
    return required if scenario.jellies - on_map <= len(required) else jellies


def _deal(state: State, tell: list[Telling]) -> None:
    """Deal the counters face down: one to each room, one more to each vital one, the rest anywhere.

    None next to a door, none in a loo, no more than the limit to a room (6.3, R34).
    """
    board = state.game.board
    dealing = _Dealing(state)
    counters = _drawn(state)
    state.dice.shuffle(counters)
    places = list(range(len(board.rooms)))
    state.dice.shuffle(places)
    places = [room for room in places if not rooms.is_loo(board, room)]
    left = list(counters)
    for room in (*(room for room in places if not dealing.held[room]), *filter(dealing.is_vital, places)):
        if left and dealing.has_room(room):
            dealing.put(left.pop(), room)
    while left:
        free = [square for room in places if dealing.has_room(room) for square in dealing.free(room)]
        dealing.put_on(left.pop(), free[state.dice.below(len(free))])
    tell.append(tell_all(events.CountersDealt("R34", len(counters))))


def _drawn(state: State) -> list[int]:
    """Return the counters still to be dealt; which Jellies are among them chance decides as well."""
    game = state.game
    roster = game.roster
    waiting = [figure for figure in roster.counters if state.where[figure] == BOX]
    jellies = [figure for figure in waiting if roster.kind[figure] == JELLY]
    required = [f"J-{number}" for number in game.scenario.required_jellies]
    taken = [figure for figure in jellies if roster.name[figure] in required]
    others = [figure for figure in jellies if figure not in taken]
    state.dice.shuffle(others)
    on_map = sum(state.where[figure] >= 0 for figure in roster.jelly_indices)
    wanted = game.scenario.jellies - on_map - len(taken)
    return [figure for figure in waiting if roster.kind[figure] != JELLY] + taken + others[: max(0, wanted)]


class _Dealing:
    """The squares and rooms while counters are dealt."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._board = board = state.game.board
        self._squares = rooms.set_up_squares(board)
        self._limit = state.game.scenario.room_limit
        self._taken = 0
        self.held = [0] * len(board.rooms)
        for figure in range(state.game.roster.size):
            square = state.where[figure]
            if square >= 0:
                self._taken |= 1 << square
                self.held[board.room_of[square]] += figure >= state.game.roster.terminators

    def is_vital(self, room: int) -> bool:
        return rooms.is_vital(self._board, room)

    def free(self, room: int) -> Sequence[int]:
        return bits(self._board.room_mask[room] & self._squares & ~self._taken)

    def has_room(self, room: int) -> bool:
        squares = self._board.room_mask[room] & self._squares
        return rooms.room_for(squares, self._taken, self.held[room], self._limit) > 0

    def put(self, figure: int, room: int) -> None:
        free = self.free(room)
        self.put_on(figure, free[self._state.dice.below(len(free))])

    def put_on(self, figure: int, square: int) -> None:
        self._state.where[figure] = square
        self._taken |= 1 << square
        self.held[self._board.room_of[square]] += 1


def finish(state: State, tell: list[Telling]) -> None:
    """Deal like counters' names anew, and turn up what lies where Terminators start (R29, 4.2a)."""
    roster = state.game.roster
    _shuffle_alike(state, roster)
    for figure in roster.terminator_indices:
        if state.where[figure] >= 0:
            release.reveal_room(state, state.where[figure], tell)


def _shuffle_alike(state: State, roster: Roster) -> None:
    """Deal the names of like counters anew, so that "Servant 3" does not tell where it was placed (R29)."""
    for kind in ("armed_technician", "technician", "servant"):
        alike = [
            figure
            for figure in roster.of(KINDS.index(kind))
            if state.where[figure] >= 0 and not state.face_up[figure]
        ]
        places = [state.where[figure] for figure in alike]
        state.dice.shuffle(places)
        for figure, place in zip(alike, places, strict=True):
            state.where[figure] = place
