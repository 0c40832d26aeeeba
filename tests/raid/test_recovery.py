"""5.6, 5.61, R14, R27: Mountain Heart, waking up, and being put aside for it."""

import pytest

from engine.raid import events
from engine.raid.choices import (
    ChooseCounters,
    Displace,
    EndMove,
    EndPhase,
    Fight,
    FreeMove,
    ReleaseCloneMaster,
)
from engine.raid.match import RaidMatch
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    C,
    T,
    asked,
    assert_refused,
    c,
    go_to,
    go_until,
    kind,
    levels,
    match,
    offered,
    open_room,
    plan,
    seen,
    t,
    told,
    walk,
    where,
)


def recovery(figures: str, *dice: int, board: object = None, **more: object) -> RaidMatch:
    """Return a position that has just gone through its Recovery phase, or waits in it."""
    return match(board or open_room(7, 3), figures, phase="recovery", dice=dice, **more)  # type: ignore[arg-type]


# 5.6


@pytest.mark.parametrize(("die", "level"), [(1, 2), (2, 2), (3, 1), (6, 1)])
def test_one_level_on_a_one_or_two(die: int, level: int) -> None:
    """5.6: on 1 or 2 one level of Mountain Heart comes back."""
    game = recovery("Rising Dream  0,0  fist1 heart1 / fist1 heart3\nServant 1  5,0", die)
    assert levels(game, DREAM)["heart"] == level
    rolled = told(game, events.RecoveryRolled)[0]
    assert (rolled.figure, rolled.needs, rolled.die, rolled.recovered) == (DREAM, 2, die, level == 2)


def test_one_roll_a_turn() -> None:
    """5.6: one roll a turn, however many levels are lost."""
    game = recovery("Rising Dream  0,0  fist1 / fist1 heart3\nServant 1  5,0", 1, 1)
    assert len(told(game, events.RecoveryRolled)) == 1
    go_to(game, "terminator-move-1", turn=3)
    assert len(told(game, events.RecoveryRolled)) == 2
    assert levels(game, DREAM)["heart"] == 2


def test_never_past_the_original_level() -> None:
    """5.6: a figure whose Mountain Heart is whole again rolls no more."""
    game = recovery("Rising Dream  0,0  fist1 heart1 / fist1 heart2\nServant 1  5,0", 2)
    go_to(game, "terminator-move-1", turn=4)
    assert levels(game, DREAM)["heart"] == 2
    assert len(told(game, events.RecoveryRolled)) == 1


def test_other_skills_never_recover() -> None:
    """5.6: nobody rolls for another ability, nor a Jelly for a Mountain Heart it never had."""
    game = recovery("Rising Dream  0,0  heart1 / fist3 kick1 heart1\nJ-7  5,0  fist1 / fist1 kick1 weapon1")
    assert told(game, events.RecoveryRolled) == []


def test_jellies_roll_too() -> None:
    """5.6: each figure with a damaged Mountain Heart rolls, of both sides; the rolls are public."""
    game = recovery("Rising Dream  0,0  fist1 / fist1 heart1\nJ-1  5,0  kick2 / kick2 heart1", 3, 1)
    rolled = told(game, events.RecoveryRolled, "public")
    assert [(roll.figure, roll.die) for roll in rolled] == [(DREAM, 3), ("J-1", 1)]
    assert levels(game, "J-1") == {"kick": 2, "heart": 1}


def test_the_dead_do_not_roll() -> None:
    """5.6: figures that left play roll for nothing."""
    game = recovery("Rising Dream  0,0\nShadow Lotus  dead  - / heart2\nServant 1  5,0")
    assert told(game, events.RecoveryRolled) == []


# 5.61, R27


@pytest.mark.parametrize(("die", "wakes"), [(2, True), (3, False)])
def test_waking_up(die: int, wakes: bool) -> None:
    """5.61: an unconscious figure with Mountain Heart wakes on 1 or 2, with nothing else."""
    game = recovery("Rising Dream  0,0  - / fist2 heart2\nShadow Lotus  6,2\nServant 1  5,0", die)
    assert seen(game, DREAM).is_conscious is wakes
    assert levels(game, DREAM) == ({"heart": 1} if wakes else {})
    assert len(told(game, events.Woke)) == wakes


def test_with_mountain_heart_only_he_moves_and_blocks() -> None:
    """R27: conscious again he moves, hinders and may be hit, but has no counters and destroys nothing."""
    board = plan("AAAAAAA", equipment="computer 0,0 W")
    game = recovery("Rising Dream  1,0  - / fist2 heart1\nJ-1  6,0", 1, board=board)
    go_to(game, "terminator-move-1", turn=2)
    walk(game, DREAM, "W")
    go_to(game, "combat-1", turn=2)
    t(game, Fight(0))
    assert offered(game, T, ChooseCounters) == [ChooseCounters(DREAM, ())]
    go_to(game, "clonemaster-move", turn=2)
    walk(game, "J-1", "WWWWW")
    c(game, EndPhase())
    assert game.view("public").combats == ((DREAM, "J-1"),)


def test_he_costs_two_more_to_pass() -> None:
    """R27, 4.43: a Jelly with Mountain Heart only is a conscious enemy like any other."""
    game = recovery("Rising Dream  1,0\nJ-1  2,0  - / kick2 heart1", 1)
    go_to(game, "terminator-move-1", turn=2)
    walk(game, DREAM, "EE")
    movement = game.view(T).movement
    assert movement is not None
    assert movement.points == 1


# R14


def test_no_displacement_without_another_conscious_figure() -> None:
    """R14: alone or among the unconscious he stays where he wakes."""
    game = recovery("Rising Dream  3,1  - / heart1\nJ-1  3,1  - / kick2 heart1\nShadow Lotus  6,2", 1, 6)
    assert where(game, DREAM) == (3, 1)
    assert told(game, events.Displaced) == []


def test_the_owner_chooses_among_the_closest_squares() -> None:
    """5.61, R14: he is put to the closest empty square, ties chosen by his owner."""
    game = recovery(
        "Rising Dream  3,1  - / heart1\nShadow Lotus  3,0\nJ-1  3,1\nServant 1  2,1\nCloneMaster  6,2  down",
        1,
    )
    c(game, game.decision(C).options[1])  # type: ignore[union-attr]
    assert (kind(game), asked(game)) == ("displace", T)
    assert set(offered(game, T, Displace)) == {Displace(DREAM, (4, 1)), Displace(DREAM, (3, 2))}
    assert_refused(game, T, Displace(DREAM, (5, 1)), "R14", "not one of the closest")
    assert_refused(game, T, Displace(DREAM, (3, 0)), "R14", "not one of the closest")
    assert_refused(game, T, Displace(LOTUS, (4, 1)), "5.61", "who woke")
    assert_refused(game, C, Displace(DREAM, (4, 1)), "5.61", "waits for a woken figure")
    assert_refused(game, T, EndPhase(), "5.61", "waits for a woken figure")
    assert_refused(game, C, ReleaseCloneMaster(), "R13", "being displaced")
    t(game, Displace(DREAM, (3, 2)))
    assert where(game, DREAM) == (3, 2)


def test_a_jelly_is_displaced_by_its_owner() -> None:
    """R14: the owner is the CloneMaster player for his Jellies."""
    game = recovery("Rising Dream  3,1\nJ-1  3,1  - / kick2 heart1", 2)
    assert (kind(game), asked(game)) == ("displace", C)
    c(game, Displace("J-1", (3, 0)))
    assert where(game, "J-1") == (3, 0)


def test_one_closest_square_needs_no_choice() -> None:
    """R14: with one closest square he goes there at once; unconscious figures do not take it."""
    game = recovery(
        "Rising Dream  0,0  - / heart1\nShadow Lotus  1,0  - / heart1\nJ-1  0,0\nServant 1  5,0",
        1,
        6,
        board=plan("AAAAAA"),
    )
    assert where(game, DREAM) == (1, 0)
    assert told(game, events.Displaced)[0].square == (1, 0)


def test_closest_by_cost_of_the_way() -> None:
    """R14: by movement cost, where the drop-off counts three for one without Monkey Soul."""
    board = plan(".AAA.\n.ABB.\n", edges="dropoff 1,1 E; dropoff 2,0 S; dropoff 3,0 S")
    # From 2,1: west over the drop-off 3, north 3, east 1.
    game = recovery("Rising Dream  2,1  - / heart1\nJ-1  2,1\nServant 1  1,0", 1, board=board)
    assert where(game, DREAM) == (3, 1)
    game = recovery("Rising Dream  2,1  - / heart1\nJ-1  2,1\nServant 1  3,1", 1, board=board)
    assert kind(game) == "displace"
    assert {choice.square for choice in offered(game, T, Displace)} == {(1, 1), (2, 0)}  # type: ignore[attr-defined]


def test_hostile_costs_do_not_count() -> None:
    """R14: past enemies at the plain cost of the squares."""
    game = recovery(
        "Rising Dream  2,0  - / heart1\nJ-1  2,0\nJ-3  1,0\nServant 1  3,0", 1, board=plan("AAAAA")
    )
    # 0,0 lies behind a Jelly and 4,0 behind a servant: both are two squares off.
    assert {choice.square for choice in offered(game, T, Displace)} == {(0, 0), (4, 0)}  # type: ignore[attr-defined]


def test_a_terminator_is_not_put_through_an_armored_door() -> None:
    """R14: a Terminator is not displaced through an intact armored door; the CloneMaster's are, at two."""
    board = plan("ABBBB\nCCBBB", edges="armored 0,0 E; door 0,0 S; door 1,1 E")
    game = recovery("Rising Dream  0,0  - / heart1\nJ-1  0,0\nServant 1  0,1", 1, board=board)
    assert where(game, DREAM) == (1, 1)
    game = recovery(
        "Rising Dream  4,0\nJ-1  0,0  - / kick2 heart1\nTechnician 1  0,0\nServant 1  0,1", 1, board=board
    )
    assert kind(game) == "displace"
    assert {choice.square for choice in offered(game, C, Displace)} == {(1, 0), (1, 1)}  # type: ignore[attr-defined]


def test_entering_a_room_this_way_releases_it() -> None:
    """R14, 4.2 a: a Terminator displaced into another room turns its counters up."""
    board = plan("ABBB", edges="door 0,0 E")
    game = recovery("Rising Dream  0,0  - / heart1\nJ-1  0,0\nServant 1  3,0  down", 1, board=board)
    assert where(game, DREAM) == (1, 0)
    assert told(game, events.Revealed)[0].figure == "Servant 1"


def test_the_clonemaster_found_this_way_moves_at_once() -> None:
    """R14, 4.21: found in the Recovery phase he has no Terminator Move to wait for."""
    board = plan("ABBB", edges="door 0,0 E")
    game = recovery("Rising Dream  0,0  - / heart1\nJ-1  0,0\nCloneMaster  3,0  down", 1, board=board)
    go_until(game, "free-move-when")
    assert offered(game, C, FreeMove) == [FreeMove(True)]
    assert_refused(game, C, FreeMove(False), "4.21", "only for the end of a Terminator Move")
    c(game, FreeMove(True), EndMove("CloneMaster"))
    assert game.view("public").turn == 2


def test_face_down_counters_take_squares() -> None:
    """R14, R9: a face-down counter counts as a conscious figure there."""
    board = plan("AAAA")
    game = recovery("Rising Dream  1,0  - / heart1\nJ-1  1,0\nServant 1  0,0  down", 1, board=board)
    assert where(game, DREAM) == (2, 0)
