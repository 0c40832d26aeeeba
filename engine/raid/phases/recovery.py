"""5.6, 5.61: Mountain Heart, waking, and who is put aside for it."""

from __future__ import annotations

from engine.core.decision import Choice, Decision, IllegalChoice, Options
from engine.core.event import Telling, tell_all
from engine.raid import events, injury, movement, release
from engine.raid.choices import Displace
from engine.raid.figures import SIDES
from engine.raid.phases.naming import figure_of
from engine.raid.state import State


def queue(state: State) -> tuple[int, ...]:
    """Return the figures that roll this turn, once each (5.6)."""
    return tuple(
        figure
        for figure in range(state.game.roster.size)
        if state.game.roster.is_fighter[figure]
        and (state.where[figure] >= 0 or movement.is_outside(state, figure))
        and state.heart_is_damaged(figure)
    )


def proceed(state: State, tell: list[Telling]) -> bool:
    """Roll for the next figure; return whether a player must decide or nobody is left to roll."""
    if state.displaced >= 0 or not state.recovering:
        return True
    figure, state.recovering = state.recovering[0], state.recovering[1:]
    if state.where[figure] < 0 and not movement.is_outside(state, figure):
        return False
    name = state.game.roster.name[figure]
    needs = state.game.scenario.hits.recovery
    die = state.dice.roll()
    recovered = die <= needs
    tell.append(tell_all(events.RecoveryRolled("5.6", name, needs, die, recovered)))
    if recovered:
        injury.restore_heart(state, figure)
        if not state.awake[figure]:
            _wake(state, figure, tell)
    return False


def _wake(state: State, figure: int, tell: list[Telling]) -> None:
    state.awake[figure] = 1
    tell.append(tell_all(events.Woke("5.61", state.game.roster.name[figure])))
    if not state.shares_square(figure):
        return
    squares = movement.closest_empty(state, figure)
    if len(squares) == 1:
        displace(state, figure, squares[0], tell)
    elif squares:
        state.displaced = figure


def displace(state: State, figure: int, square: int, tell: list[Telling]) -> None:
    """Put a woken figure aside; a Terminator who comes into a room so turns it up (R14)."""
    state.displaced = -1
    game = state.game
    before = game.board.room_of[state.where[figure]]
    state.where[figure] = square
    tell.append(tell_all(events.Displaced("R14", game.roster.name[figure], game.xy[square])))
    if figure < game.roster.terminators and game.board.room_of[square] != before:
        release.reveal_room(state, square, tell)


def decisions(state: State) -> list[Decision]:
    """Return the owner's choice among equally close squares (R14)."""
    figure = state.displaced
    name = state.game.roster.name[figure]
    return [
        Decision(
            SIDES[state.game.roster.side(figure)],
            "displace",
            "5.61",
            f"{name} comes to on an occupied square: choose the empty square beside it.",
            f"{name}'s owner puts him aside.",
            Options.listed(
                [Displace(name, state.game.xy[square]) for square in movement.closest_empty(state, figure)]
            ),
        )
    ]


def check(state: State, side: int, choice: Choice) -> None:
    """Refuse a square that is not one of the closest; raises IllegalChoice."""
    figure = state.displaced
    if side != state.game.roster.side(figure) or not isinstance(choice, Displace):
        raise IllegalChoice("the game waits for a woken figure to be put aside", "5.61")
    if figure_of(state, choice.figure, side, "5.61") != figure:
        raise IllegalChoice(f"it is {state.game.roster.name[figure]} who woke", "5.61")
    if state.game.square(choice.square) not in movement.closest_empty(state, figure):
        raise IllegalChoice("that is not one of the closest empty squares", "R14")


def apply(state: State, side: int, choice: Choice, tell: list[Telling]) -> None:
    """Put the woken figure aside."""
    assert isinstance(choice, Displace)
    displace(state, state.displaced, state.game.square(choice.square), tell)
