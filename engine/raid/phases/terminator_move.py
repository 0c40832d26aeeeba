"""3.2, 4.1, 4.7: the Terminators' two movement phases."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.decision import Chain, Choice, Decision, IllegalChoice, Options
from engine.core.event import Telling, tell_all
from engine.raid import events, movement, release, victory
from engine.raid.choices import EndPhase, Enter, Exit, Move, Station
from engine.raid.figures import TERMINATOR
from engine.raid.phases.naming import figure_of
from engine.raid.state import ESCAPED, KEPT, STATION, State


def decisions(state: State) -> list[Decision]:
    """Return the Terminator player's movement."""
    roster = state.game.roster
    mover = state.mover
    if mover >= 0 and movement.must_go_on(state, mover):
        groups = [roster.name[mover]]
        prompt = f"{roster.name[mover]} cannot stop here: move him on."
    else:
        groups = [roster.name[figure] for figure in roster.terminator_indices if _can_act(state, figure)]
        groups.append("")
        prompt = "Move your Terminators, one after another, or end the phase."
    return [
        Decision(
            TERMINATOR,
            "terminator-move",
            "4.3",
            prompt,
            "The Terminator player moves.",
            Options(groups, lambda group: _choices(state, group), price=movement.price(state)),
        )
    ]


def _can_act(state: State, figure: int) -> bool:
    if state.moved[figure] or not state.awake[figure]:
        return False
    return movement.is_outside(state, figure) or (
        state.where[figure] >= 0 and movement.points_of(state, figure) > 0
    )


def _choices(state: State, group: str) -> Sequence[Choice]:
    """Return what one Terminator can do, or the end of the phase for the group of no figure."""
    if not group:
        return (EndPhase(),)
    figure = state.game.roster.index[group]
    square = state.where[figure]
    if square >= 0:
        points = movement.points_of(state, figure)
        moves = movement.Moves(state, figure, points)
        return Chain(moves, (Exit(group),)) if movement.way_out(state, figure, square, points) >= 0 else moves
    tries: list[Choice] = []
    for entry in state.game.board.entries:
        tries.append(Enter(group, entry.name))
        if entry.door >= 0:
            tries.append(Station(group, entry.name))
    return tuple(choice for choice in tries if _is_legal(state, choice))


def _is_legal(state: State, choice: Choice) -> bool:
    try:
        check(state, 0, choice)
    except IllegalChoice:
        return False
    return True


def check(state: State, side: int, choice: Choice) -> None:
    """Refuse what a Terminator cannot do in his movement phase; raises IllegalChoice."""
    if side != 0:
        raise IllegalChoice("it is the Terminator player's movement phase", "3.2")
    mover = state.mover
    stuck = mover >= 0 and movement.must_go_on(state, mover)
    if isinstance(choice, EndPhase):
        if stuck:
            raise IllegalChoice(f"{state.game.roster.name[mover]} cannot stop on another figure", "4.6")
        return
    if not isinstance(choice, (Move, Enter, Station, Exit)):
        raise IllegalChoice("this is a movement phase", "3.2")
    figure = figure_of(state, choice.figure, 0, "4.3")
    if stuck and figure != mover:
        raise IllegalChoice(
            f"{state.game.roster.name[mover]} cannot stop on another figure: move him on first", "R6"
        )
    if state.moved[figure]:
        raise IllegalChoice(f"{choice.figure} has ended his movement for this phase", "R6")
    if not state.awake[figure]:
        raise IllegalChoice(f"{choice.figure} is unconscious", "5.5")
    if isinstance(choice, Move):
        if state.where[figure] < 0:
            raise IllegalChoice(f"{choice.figure} is not on the map", "4.1")
        movement.check_move(state, figure, choice.path, movement.points_of(state, figure))
    elif isinstance(choice, Exit):
        _check_exit(state, figure)
    else:
        _check_outside(state, figure, choice)


def _check_outside(state: State, figure: int, choice: Enter | Station) -> None:
    if not movement.is_outside(state, figure):
        raise IllegalChoice(f"{choice.figure} is not outside", "4.1")
    board = state.game.board
    number = next((i for i, entry in enumerate(board.entries) if entry.name == choice.entry), -1)
    if number < 0:
        raise IllegalChoice(f'there is no entry called "{choice.entry}"', "4.1")
    entry = board.entries[number]
    if isinstance(choice, Station):
        if entry.door < 0:
            raise IllegalChoice("station is taken only outside an armored door", "R10")
        if state.where[figure] == STATION - number:
            raise IllegalChoice(f"{choice.figure} stands there already", "R10")
        return
    if entry.door >= 0:
        if not state.doors >> entry.door & 1:
            raise IllegalChoice("the armored door must be destroyed first", "4.11")
        if state.where[figure] != STATION - number:
            raise IllegalChoice("only one who stands outside the door may come in by it", "R10")
    elif state.entered[number] >= entry.enter:
        raise IllegalChoice(
            "nobody comes in there"
            if entry.enter == 0
            else f"only {entry.enter} may come in there in a phase",
            "R11",
        )
    movement.check_entry(state, figure, number)


def _check_exit(state: State, figure: int) -> None:
    square = state.where[figure]
    board = state.game.board
    here = [i for i, entry in enumerate(board.entries) if entry.square == square and entry.leave > 0]
    if square < 0 or not here:
        raise IllegalChoice("there is no way out here", "4.7")
    if not victory.may_escape(state, figure):
        raise IllegalChoice(_why_stay(state), "R11")
    if movement.points_of(state, figure) < 1:
        raise IllegalChoice("leaving takes one movement point", "4.7")
    if all(state.left[i] >= board.entries[i].leave for i in here):
        raise IllegalChoice("no more may leave there in this phase", "R11")


def _why_stay(state: State) -> str:
    """Return when a Terminator of this scenario may leave (6.1, 6.3)."""
    escape = state.game.scenario.escape
    ways = ["when the CloneMaster is dead and all vital equipment destroyed"]
    if escape.levels_left:
        ways.append(f"with no more than {escape.levels_left} levels left")
    if escape.from_turn:
        ways.append(f"from turn {escape.from_turn} on")
    return f"Terminators leave only {', or '.join(ways)}"


def apply(state: State, side: int, choice: Choice, tell: list[Telling]) -> None:
    """Carry out a checked choice."""
    roster = state.game.roster
    if isinstance(choice, EndPhase):
        movement.finish_mover(state)
        state.closing = True
        if state.free_move == KEPT:
            release.start_free_move(state)
        return
    assert isinstance(choice, (Move, Enter, Station, Exit))
    figure = roster.index[choice.figure]
    if figure != state.mover:
        movement.finish_mover(state)
    if isinstance(choice, Move):
        movement.walk(state, figure, state.game.squares(choice.path), tell)
    elif isinstance(choice, Enter):
        _enter(state, figure, choice.entry, tell)
    elif isinstance(choice, Station):
        number = next(i for i, entry in enumerate(state.game.board.entries) if entry.name == choice.entry)
        state.where[figure] = STATION - number
        state.moved[figure] = 1
        tell.append(tell_all(events.Stationed("R10", choice.figure, choice.entry)))
    else:
        _exit(state, figure, tell)


def _enter(state: State, figure: int, name: str, tell: list[Telling]) -> None:
    board = state.game.board
    number = next(i for i, entry in enumerate(board.entries) if entry.name == name)
    state.entered[number] += 1
    movement.enter(state, figure, number, "4.11" if board.entries[number].door >= 0 else "4.1", tell)


def _exit(state: State, figure: int, tell: list[Telling]) -> None:
    board = state.game.board
    number = movement.way_out(state, figure, state.where[figure], movement.points_of(state, figure))
    state.left[number] += 1
    state.where[figure] = ESCAPED
    state.mover = figure
    movement.finish_mover(state)
    tell.append(tell_all(events.Exited("4.7", state.game.roster.name[figure], board.entries[number].name)))
