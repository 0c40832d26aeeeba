"""4.21, R13: when the CloneMaster may be released, and the free move he gets."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.decision import Choice, Decision, IllegalChoice, Options
from engine.core.event import Telling, tell_all
from engine.raid import events, movement, release
from engine.raid.choices import EndMove, FreeMove, Move, Pass, ReleaseCloneMaster
from engine.raid.figures import CLONEMASTER
from engine.raid.phases.naming import figure_of
from engine.raid.state import (
    ASK_WHEN,
    FREE_MOVING,
    KEPT,
    NO_FREE_MOVE,
    TERMINATOR_MOVE_1,
    TERMINATOR_MOVE_2,
    State,
)

PROMPT = "You may turn the CloneMaster up now; he then moves up to four squares at once."
WAITING = "The CloneMaster player may release the CloneMaster."


def standing_offer() -> Decision:
    """Return the CloneMaster player's offer to release while the Terminator player decides (R13)."""
    options = Options.listed((ReleaseCloneMaster(),))
    return Decision(CLONEMASTER, "release-clonemaster", "4.21", PROMPT, WAITING, options, optional=True)


def decisions(state: State) -> list[Decision]:
    """Return the CloneMaster player's decision on a release or a free move under way."""
    name = state.game.roster.name[state.game.roster.clonemaster]
    if state.free_move == ASK_WHEN:
        choices = [FreeMove(True)]
        if may_keep(state):
            choices.append(FreeMove(False))
        return [
            Decision(
                CLONEMASTER,
                "free-move-when",
                "4.21",
                "The CloneMaster is found: take his free move now, or at the end of this Terminator Move?",
                "The CloneMaster player decides when to take the free move.",
                Options.listed(choices),
            )
        ]
    if state.free_move == FREE_MOVING:
        clone = state.game.roster.clonemaster

        def make(group: str) -> Sequence[Choice]:
            return movement.Moves(state, clone, state.free_points) if group else (EndMove(name),)

        return [
            Decision(
                CLONEMASTER,
                "free-move",
                "4.21",
                f"Move the CloneMaster up to {state.free_points} squares, or end his free move.",
                "The CloneMaster takes his free move.",
                Options((name, ""), make, price=movement.price(state)),
            )
        ]
    return [
        Decision(
            CLONEMASTER,
            "release-clonemaster",
            "4.21",
            PROMPT,
            WAITING,
            Options.listed((ReleaseCloneMaster(), Pass())),
        )
    ]


def may_keep(state: State) -> bool:
    """Return whether a free move can wait for the end of this Terminator Move (4.21)."""
    return state.phase in (TERMINATOR_MOVE_1, TERMINATOR_MOVE_2)


def check(state: State, side: int, choice: Choice) -> None:
    """Refuse what does not fit the release under way; raises IllegalChoice."""
    if side != 1:
        raise IllegalChoice("the game waits for the CloneMaster player", "R13")
    if state.free_move == ASK_WHEN:
        if not isinstance(choice, FreeMove):
            raise IllegalChoice("first say when the CloneMaster takes his free move", "4.21")
        if not choice.now and not may_keep(state):
            raise IllegalChoice("the free move can wait only for the end of a Terminator Move", "4.21")
    elif state.free_move == FREE_MOVING:
        if not isinstance(choice, (Move, EndMove)):
            raise IllegalChoice("the CloneMaster is taking his free move", "4.21")
        figure = figure_of(state, choice.figure, 1, "4.21")
        if figure != state.game.roster.clonemaster:
            raise IllegalChoice("only the CloneMaster has a free move", "4.21")
        if isinstance(choice, Move):
            movement.check_move(state, figure, choice.path, state.free_points)
    elif not isinstance(choice, Pass):
        raise IllegalChoice("the game waits for whether the CloneMaster is released", "R13")


def check_release(state: State, side: int) -> None:
    """Refuse a release of the CloneMaster where there is no window for it; raises IllegalChoice (R13)."""
    if side != 1:
        raise IllegalChoice("only his own player releases the CloneMaster", "4.21")
    if not state.is_hidden_clonemaster():
        raise IllegalChoice("the CloneMaster is released already", "4.22")
    if state.fight is not None:
        raise IllegalChoice("not inside a combat; wait for its end", "R13")
    if state.displaced >= 0:
        raise IllegalChoice("not while a figure is being displaced", "R13")


def apply(state: State, side: int, choice: Choice, tell: list[Telling]) -> None:
    """Carry out a checked choice."""
    if isinstance(choice, FreeMove):
        if choice.now:
            release.start_free_move(state)
        else:
            state.free_move = KEPT
            clone = state.game.roster.name[state.game.roster.clonemaster]
            tell.append(tell_all(events.FreeMoveKept("4.21", clone)))
    elif isinstance(choice, Move):
        movement.walk(state, state.game.roster.clonemaster, state.game.squares(choice.path), tell)
        if state.free_points == 0:
            state.free_move = NO_FREE_MOVE
    elif isinstance(choice, EndMove):
        state.free_move = NO_FREE_MOVE
    else:
        state.window = False
