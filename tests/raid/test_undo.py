"""Contract 6: what may be taken back: never past a roll, a reveal or a change of player."""

import pytest

from engine.core.decision import IllegalChoice
from engine.raid.choices import (
    Begin,
    ChooseCounters,
    EndMove,
    EndPhase,
    Fight,
    NameTarget,
    PlayCounter,
    Release,
    ReleaseCloneMaster,
)
from engine.raid.match import RaidMatch
from tests.helpers.raid import DREAM, LOTUS, C, T, c, kind, lose, match, open_room, plan, t, walk, where


def assert_final(game: RaidMatch, *sides: str) -> None:
    """Check that nobody may take the last choice back."""
    for side in sides or (T, C):
        assert not game.can_undo(side)
        with pytest.raises(IllegalChoice):
            game.undo(side)


def test_a_move_is_taken_back() -> None:
    """Contract 6: a move that showed nothing is undone, and the record is a choice shorter."""
    game = match(open_room(8, 1), "Rising Dream  0,0\nServant 1  7,0")
    before = (game.view(T), game.events("public"))
    walk(game, DREAM, "EE")
    assert game.can_undo(T)
    assert not game.can_undo(C)
    game.undo(T)
    assert (game.view(T), game.events("public"), len(game.record.choices)) == (*before, 0)
    walk(game, DREAM, "EEEEE")


def test_several_moves_are_taken_back_one_by_one() -> None:
    """Contract 6: undo goes back choice by choice, also past the end of another figure's movement."""
    game = match(open_room(8, 2), "Rising Dream  0,0\nShadow Lotus  0,1\nServant 1  7,0")
    walk(game, DREAM, "E")
    walk(game, LOTUS, "E")
    game.undo(T)
    game.undo(T)
    assert where(game, DREAM) == (0, 0)
    assert_final(game)


def test_not_past_a_reveal() -> None:
    """Contract 6: a move that turned a counter up stands."""
    game = match(plan("AABB", edges="door 1,0 E"), "Rising Dream  0,0\nServant 1  3,0  down")
    walk(game, DREAM, "E")
    walk(game, DREAM, "E")
    assert_final(game)


def test_not_past_a_release_by_choice() -> None:
    """Contract 6: a counter once turned up stays up."""
    game = match(open_room(8, 1), "Rising Dream  0,0\nServant 1  7,0  down", phase="clonemaster-move")
    c(game, Release("Servant 1"))
    assert_final(game)


def test_not_past_the_other_side() -> None:
    """Contract 6: once the other side has chosen, nothing before is taken back."""
    game = match(open_room(8, 1), "Rising Dream  0,0\nCloneMaster  7,0  down")
    walk(game, DREAM, "E")
    c(game, ReleaseCloneMaster(), EndMove("CloneMaster"))
    assert_final(game)


def test_not_past_a_change_of_player() -> None:
    """Contract 6: with the other player's turn begun, the end of the own one stands."""
    game = match(open_room(8, 1), "Rising Dream  0,0\nServant 1  7,0", phase="terminator-move-2")
    t(game, EndPhase())
    assert kind(game) == "clonemaster-move"
    assert_final(game)


def test_own_phase_after_own_phase_is_no_change_of_player() -> None:
    """Contract 6: where nobody else decides between, the end of a phase is taken back."""
    game = match(open_room(8, 1), "Rising Dream  0,0\nServant 1  7,0")
    t(game, EndPhase())
    assert game.view(T).phase == "terminator-move-2"
    game.undo(T)
    assert game.view(T).phase == "terminator-move-1"


def combat(dice: tuple[int, ...]) -> RaidMatch:
    """Return a combat of two Terminators with a Jelly, counters to be chosen."""
    game = match(
        open_room(5, 1), "Rising Dream  0,0\nJ-1  1,0\nShadow Lotus  2,0", phase="combat-1", dice=dice
    )
    t(game, Fight(0))
    return game


def test_counters_chosen_in_secret() -> None:
    """Contract 6, R16: a hand is taken back while its side is choosing, not once the other has chosen."""
    game = combat(())
    t(game, ChooseCounters(DREAM, ("fist",)))
    game.undo(T)
    t(game, ChooseCounters(DREAM, ("kick",)))
    c(game, ChooseCounters("J-1", ("kick",)))
    assert_final(game)
    t(game, ChooseCounters(LOTUS, ("kick",)))
    assert kind(game) == "who-begins"


def test_a_counter_before_its_target_is_named() -> None:
    """Contract 6: a lead may be taken back until its target is named and the other side must answer."""
    game = combat((6, 6, 6))
    t(game, ChooseCounters(DREAM, ("kick", "fist")), ChooseCounters(LOTUS, ()))
    c(game, ChooseCounters("J-1", ("kick",)))
    t(game, Begin(T))
    t(game, PlayCounter(DREAM, "kick"))
    game.undo(T)
    t(game, PlayCounter(DREAM, "fist"))
    t(game, NameTarget("J-1"))
    assert_final(game)


def test_not_past_a_roll() -> None:
    """Contract 6: a reply that let a die fall stands, and so does what the die did."""
    game = combat((1, 6))
    t(game, ChooseCounters(DREAM, ("kick", "fist")), ChooseCounters(LOTUS, ()))
    c(game, ChooseCounters("J-1", ("kick", "kick")))
    t(game, Begin(T), PlayCounter(DREAM, "fist"), NameTarget("J-1"))
    c(game, PlayCounter("J-1", "kick"))
    assert_final(game)
    lose(game, "heart")
    # Marking the injury rolled nothing and told the other side no more than the roll had.
    game.undo(C)
    lose(game, "kick")


def test_nobody_but_the_last_chooser() -> None:
    """Contract 6: at the start nothing can be taken back."""
    assert_final(match(open_room(8, 1), "Rising Dream  0,0\nServant 1  7,0"))
