"""3.1, 6.1: both sides set up in secret."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import overload

from engine.core.decision import Chain, Choice, Decision, IllegalChoice, Options
from engine.core.event import Telling, own_only, tell_all
from engine.fortress.masks import bits
from engine.raid import events, rooms
from engine.raid.choices import Place, Ready, SetAbilities, TakeBack
from engine.raid.figures import ABILITIES, CLONEMASTER, JELLY, KINDS, SIDES, TERMINATOR
from engine.raid.phases.naming import figure_of
from engine.raid.state import BOX, State
from engine.raid.tables import LEVEL_CAP


@lru_cache(maxsize=16)
def level_sets(total: int) -> tuple[tuple[int, int, int, int, int], ...]:
    """Return every way to spread levels over the five talents: at least 1, at most 3 each (6.1, R30).

    The order of the five is fist, kick, mist, soul, heart.
    """
    return tuple(
        (fist, kick, mist, soul, heart)
        for fist, kick, mist, soul, heart in product(range(1, LEVEL_CAP + 1), repeat=5)
        if fist + kick + mist + soul + heart == total
    )


def legal_squares(state: State, figure: int) -> int:
    """Return the squares where a counter may be set up, other counters disregarded (6.1, R5)."""
    board = state.game.board
    letter = rooms.LETTER_OF.get(KINDS[state.game.roster.kind[figure]])
    room = board.floor if letter is None else board.setup_mask(letter)
    return room & rooms.set_up_squares(board)


def placed_jellies(state: State) -> int:
    """Return how many Jellies have been placed."""
    where = state.where
    return len([figure for figure in state.game.roster.jelly_indices if where[figure] >= 0])


def full_rooms(state: State, figure: int) -> int:
    """Return the squares of the rooms that hold as many other counters as the scenario lets (6.3, R34)."""
    game = state.game
    limit = game.scenario.room_limit
    if not limit:
        return 0
    held = Counter(
        game.board.room_of[state.where[other]]
        for other in game.roster.counters
        if state.where[other] >= 0 and other != figure
    )
    mask = 0
    for room, number in held.items():
        if number >= limit:
            mask |= game.board.room_mask[room]
    return mask


def placeable(state: State) -> list[int]:
    """Return the counters in the box that still belong to the force; Jellies are picked (6.1, 7.3)."""
    roster, scenario, where = state.game.roster, state.game.scenario, state.where
    left = scenario.jellies - placed_jellies(state)
    required = [roster.index[f"J-{number}"] for number in scenario.required_jellies]
    missing = [figure for figure in required if where[figure] < 0]
    return [
        figure
        for figure in roster.counters
        if where[figure] < 0 and (roster.kind[figure] != JELLY or left > len(missing) - (figure in missing))
    ]


def is_complete(state: State, side: int) -> bool:
    """Return whether a side could declare itself ready."""
    roster = state.game.roster
    if side == 0:
        return all(state.total(figure) for figure in roster.terminator_indices)
    return placed_jellies(state) == state.game.scenario.jellies and all(
        state.where[figure] >= 0 for figure in roster.counters if roster.kind[figure] != JELLY
    )


class Places(Sequence[Choice]):
    """The squares where one counter may be placed."""

    __slots__ = ("_name", "_squares", "_xy")

    def __init__(self, state: State, figure: int) -> None:
        # Those of Terminators who start inside are taken too (6.3).
        taken = set(state.where)
        full = full_rooms(state, figure)
        self._name = state.game.roster.name[figure]
        self._xy = state.game.xy
        legal = bits(legal_squares(state, figure) & ~full)
        self._squares = [square for square in legal if square not in taken]

    def __len__(self) -> int:
        return len(self._squares)

    @overload
    def __getitem__(self, index: int) -> Choice: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Choice, ...]: ...
    def __getitem__(self, index: int | slice) -> Choice | tuple[Choice, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        return Place(self._name, self._xy[self._squares[index]])


def decisions(state: State) -> list[Decision]:
    """Return what each side that is not ready must still set up."""
    found = []
    if not state.ready[0]:
        found.append(
            Decision(
                TERMINATOR,
                "set-up-terminator",
                "6.1",
                f"Give each Terminator {state.game.scenario.levels} levels, at least one in each talent.",
                "The Terminator player chooses abilities.",
                _terminator_options(state),
            )
        )
    if not state.ready[1]:
        found.append(
            Decision(
                CLONEMASTER,
                "set-up-clonemaster",
                "6.1",
                "Place your counters face down: each in a room with its letter, not next to a door.",
                "The CloneMaster player places his counters.",
                _clonemaster_options(state),
            )
        )
    return found


def _terminator_options(state: State) -> Options:
    roster = state.game.roster
    sets = level_sets(state.game.scenario.levels)
    bare = [roster.name[figure] for figure in roster.terminator_indices if not state.total(figure)]
    done = [roster.name[figure] for figure in roster.terminator_indices if state.total(figure)]

    def make(group: str) -> Sequence[Choice]:
        return tuple(SetAbilities(group, *levels) for levels in sets) if group else (Ready(),)

    return Options(bare or ("",), make, done)


def _clonemaster_options(state: State) -> Options:
    roster = state.game.roster
    where = state.where
    placed = [
        roster.name[figure] for figure in roster.counters if where[figure] >= 0 and not state.face_up[figure]
    ]
    waiting = [roster.name[figure] for figure in placeable(state)]

    def make(group: str) -> Sequence[Choice]:
        if not group:
            return (Ready(),)
        places = Places(state, roster.index[group])
        return Chain((TakeBack(group),), places) if where[roster.index[group]] >= 0 else places

    return Options(waiting or ("",), make, placed)


def check(state: State, side: int, choice: Choice) -> None:
    """Refuse a set-up that 6.1 does not allow; raises IllegalChoice."""
    if state.ready[side]:
        raise IllegalChoice("your set-up is complete; the game waits for the other side", "3.1")
    if isinstance(choice, Ready):
        if not is_complete(state, side):
            raise IllegalChoice(_missing(state, side), "6.1")
    elif isinstance(choice, SetAbilities) and side == 0:
        figure_of(state, choice.figure, side, "6.1")
        _check_levels(state, choice)
    elif isinstance(choice, Place) and side == 1:
        _check_place(state, choice)
    elif isinstance(choice, TakeBack) and side == 1:
        figure = figure_of(state, choice.figure, side, "6.1")
        if state.where[figure] < 0:
            raise IllegalChoice(f"{choice.figure} is not on the map", "6.1")
        _check_fixed(state, figure)
    else:
        raise IllegalChoice("this is the time to set up, not to do this", "3.1")


def _missing(state: State, side: int) -> str:
    roster = state.game.roster
    if side == 0:
        rest = [roster.name[f] for f in roster.terminator_indices if not state.total(f)]
        return f"{', '.join(rest)} still needs levels"
    rest = [roster.name[f] for f in roster.counters if state.where[f] < 0 and roster.kind[f] != JELLY]
    jellies = state.game.scenario.jellies - placed_jellies(state)
    parts = ([f"{len(rest)} other counters"] if rest else []) + ([f"{jellies} Jellies"] if jellies else [])
    return f"still to be placed: {' and '.join(parts)}"


def _check_levels(state: State, choice: SetAbilities) -> None:
    levels = (choice.fist, choice.kick, choice.mist, choice.soul, choice.heart)
    total = state.game.scenario.levels
    if min(levels) < 1:
        raise IllegalChoice("every Terminator has at least one level in each of the five talents", "6.1")
    if max(levels) > LEVEL_CAP:
        raise IllegalChoice(f"no talent starts above {LEVEL_CAP}", "R30")
    if sum(levels) != total:
        raise IllegalChoice(f"these are {sum(levels)} levels, a Terminator starts with {total}", "6.1")


def _check_place(state: State, choice: Place) -> None:
    game = state.game
    figure = figure_of(state, choice.figure, 1, "6.1")
    if figure not in game.roster.counters:
        raise IllegalChoice(f"{choice.figure} comes in later and is not set up", "6.2")
    _check_fixed(state, figure)
    square = game.square(choice.square)
    board = game.board
    if square < 0 or not board.floor >> square & 1:
        raise IllegalChoice("there is no square there", "6.1")
    if board.tanks >> square & 1:
        raise IllegalChoice("a clone growth tank fills its square", "4.5")
    kind = KINDS[game.roster.kind[figure]]
    letter = rooms.LETTER_OF.get(kind)
    if letter is not None and not board.setup_mask(letter) >> square & 1:
        room = board.rooms[board.room_of[square]].name
        raise IllegalChoice(f'{room} has no letter "{letter}"', "6.1a")
    if board.beside_door >> square & 1:
        raise IllegalChoice("no counter is set up next to a door", "6.1b")
    if square != state.where[figure] and square in state.where:
        raise IllegalChoice("another counter is there already", "4.6")
    if full_rooms(state, figure) >> square & 1:
        limit = game.scenario.room_limit
        raise IllegalChoice(f"no more than {limit} counter{'s' if limit > 1 else ''} to a room", "6.3")
    if state.where[figure] != BOX or figure in placeable(state):
        return
    if placed_jellies(state) == game.scenario.jellies:
        raise IllegalChoice(f"all {game.scenario.jellies} Jellies are placed; take one back first", "6.1")
    numbers = " and ".join(str(number) for number in game.scenario.required_jellies)
    raise IllegalChoice(f"the places left are for Jelly {numbers}, who must be in the force", "7.3")


def _check_fixed(state: State, figure: int) -> None:
    """Refuse to move a figure that the scenario itself puts out (6.3)."""
    if state.face_up[figure]:
        raise IllegalChoice(f"{state.game.roster.name[figure]} starts where the scenario puts it", "6.3")


def apply(state: State, side: int, choice: Choice, tell: list[Telling]) -> None:
    """Carry out a checked choice; the second Ready starts the game."""
    game = state.game
    if isinstance(choice, SetAbilities):
        figure = game.roster.index[choice.figure]
        state.train(figure, [getattr(choice, word, 0) for word in ABILITIES])
        levels = (choice.fist, choice.kick, choice.mist, choice.soul, choice.heart)
        tell.append(own_only(0, events.AbilitiesSet("6.1", choice.figure, *levels)))
    elif isinstance(choice, Place):
        state.where[game.roster.index[choice.figure]] = game.square(choice.square)
        tell.append(own_only(1, events.Placed("6.1", choice.figure, choice.square)))
    elif isinstance(choice, TakeBack):
        state.where[game.roster.index[choice.figure]] = BOX
        tell.append(own_only(1, events.TakenBack("6.1", choice.figure)))
    elif isinstance(choice, Ready):
        state.ready[side] = True
        tell.append(tell_all(events.SetUpDone("3.1", SIDES[side])))
