"""4.2, R13, R29: how counters are turned up, and the CloneMaster's own release."""

import pytest

from engine.core.decision import Choice
from engine.raid import events
from engine.raid.choices import (
    EndMove,
    EndPhase,
    Fight,
    FreeMove,
    Move,
    Pass,
    PlayCounter,
    Release,
    ReleaseCloneMaster,
)
from engine.raid.match import RaidMatch
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    C,
    T,
    assert_refused,
    begin_fight,
    c,
    destinations,
    go_to,
    go_until,
    idle,
    kind,
    match,
    offered,
    open_room,
    phases,
    plan,
    seen,
    steps,
    t,
    told,
    walk,
    where,
)

TWO_ROOMS = plan("AAABBBBB\nAAABBBBB", edges="door 2,0 E")


def two_rooms(figures: str, **more: object) -> RaidMatch:
    """Return a position in two rooms with a door between 2,0 and 3,0."""
    return match(TWO_ROOMS, figures, **more)  # type: ignore[arg-type]


def is_up(game: RaidMatch, name: str) -> bool:
    """Return whether a counter is face up."""
    return seen(game, name).is_face_up


# 4.2 a: by a Terminator's movement


def test_entering_a_room_turns_up_all_its_counters() -> None:
    """4.2 a: all counters of the room, and of no other, are released at the instant he enters."""
    game = match(
        plan("AAABBBCC\nAAABBBCC", edges="door 2,0 E; door 5,1 E"),
        "Rising Dream  1,0\nServant 1  5,0  down\nJ-1  4,1  down\nServant 2  6,0  down",
    )
    walk(game, DREAM, "E")
    assert not told(game, events.Revealed)
    walk(game, DREAM, "E")
    assert {event.figure for event in told(game, events.Revealed)} == {"Servant 1", "J-1"}
    assert all(event.by == "entry" for event in told(game, events.Revealed))
    assert game.view(T).face_down == ((6, 0),)


def test_the_path_pauses_at_the_reveal() -> None:
    """4.2 a, R8: he stops where the room is turned up and may go on, or right back out, with what is left."""
    game = two_rooms("Rising Dream  1,0\nServant 1  6,1  down")
    walk(game, DREAM, "EEEE")
    assert where(game, DREAM) == (3, 0)
    assert game.view(T).movement.points == 3  # type: ignore[union-attr]
    walk(game, DREAM, "WW")
    assert where(game, DREAM) == (1, 0)


def test_no_pause_without_a_reveal() -> None:
    """4.2 a: a room whose counters are all face up does not stop him."""
    game = two_rooms("Rising Dream  1,0\nServant 1  7,1")
    walk(game, DREAM, "EEEE")
    assert where(game, DREAM) == (5, 0)


def test_a_drop_off_parts_two_rooms() -> None:
    """4.2 a, 4.42: crossing the drop-off enters the other room."""
    game = match(
        plan("AAABBB", edges="dropoff 2,0 E"), "Rising Dream  2,0  fist1 soul1\nServant 1  5,0  down"
    )
    walk(game, DREAM, "E")
    assert told(game, events.Revealed)[0].figure == "Servant 1"


def test_the_clonemasters_figures_turn_up_nobody() -> None:
    """4.2 a: only a Terminator's entry releases a room."""
    game = two_rooms("Rising Dream  0,1\nTechnician 1  2,0\nServant 1  6,1  down", phase="clonemaster-move")
    walk(game, "Technician 1", "E")
    assert not is_up(game, "Servant 1")


# 4.2 b: by choice

CROWD = """
Rising Dream          0,0
CloneMaster           7,1  down
J-1                   4,0  down
J-2                   4,1  down
Servant 1             5,0  down
Servant 2             5,1  down
Technician 1          6,0  down
Armed Technician 1    6,1  down
"""


def test_one_of_each_kind_a_turn() -> None:
    """4.2 b: one Jelly, one Servant and one Technician a turn."""
    game = two_rooms(CROWD, phase="clonemaster-move")
    c(game, Release("J-1"), Release("Servant 2"), Release("Technician 1"))
    assert game.view(C).released == ("Jelly", "Servant", "Technician")
    assert_refused(game, C, Release("J-2"), "4.2b", "one Jelly a turn")
    assert_refused(game, C, Release("Servant 1"), "4.2b", "one Servant a turn")
    assert offered(game, C, Release) == []
    go_to(game, "clonemaster-move", turn=2)
    c(game, Release("J-2"))
    assert is_up(game, "J-2")


def test_a_technician_armed_or_not() -> None:
    """4.2 b: an armed technician counts as the one technician."""
    game = two_rooms(CROWD, phase="clonemaster-move")
    c(game, Release("Armed Technician 1"))
    assert_refused(game, C, Release("Technician 1"), "4.2b", "one Technician a turn")


def test_no_extra_one_of_another_kind() -> None:
    """4.2 b: where all of a kind are out there is no extra one of another."""
    game = two_rooms(
        "Rising Dream  0,0\nJ-1  4,0\nServant 1  5,0  down\nServant 2  5,1  down", phase="clonemaster-move"
    )
    c(game, Release("Servant 1"))
    assert_refused(game, C, Release("Servant 2"), "4.2b", "one Servant a turn")


def test_release_comes_before_all_moves() -> None:
    """4.2 b: counters are released at the beginning of the CloneMaster Move."""
    game = two_rooms(CROWD, phase="clonemaster-move")
    c(game, Release("J-1"))
    walk(game, "J-1", "W")
    assert_refused(game, C, Release("Servant 1"), "4.2b", "before any moves")


def test_nobody_has_to_be_released() -> None:
    """4.2 b: the CloneMaster never has to activate a counter."""
    game = two_rooms(CROWD, phase="clonemaster-move")
    c(game, EndPhase())
    assert not told(game, events.Revealed)


def test_released_counters_move_at_once() -> None:
    """3.2, 4.2: each counter now face up may move up to its full allowance; face-down ones never."""
    game = two_rooms(CROWD, phase="clonemaster-move")
    assert_refused(game, C, Move("J-2", ((3, 1),)), "4.2", "not released")
    c(game, Release("J-2"))
    walk(game, "J-2", "WNWWS")
    assert where(game, "J-2") == (1, 1)


def test_units_remain_released() -> None:
    """4.22: a unit once released stays face up and is not released again."""
    game = two_rooms(CROWD, phase="clonemaster-move")
    c(game, Release("J-1"))
    assert_refused(game, C, Release("J-1"), "4.22", "released already")
    go_to(game, "clonemaster-move", turn=3)
    assert is_up(game, "J-1")
    assert_refused(game, C, Release("J-1"), "4.22", "released already")


def test_the_clonemaster_is_no_ordinary_release() -> None:
    """4.21: the CloneMaster is not released under 4.2 b, nor by the other player, nor one not his."""
    game = two_rooms(CROWD, phase="clonemaster-move")
    assert_refused(game, C, Release("CloneMaster"), "4.21", "release of his own")
    assert_refused(game, C, Release(DREAM), "4.3", "not yours")
    assert_refused(game, T, ReleaseCloneMaster(), "4.21", "only his own player")


def test_face_down_counters_are_unknown() -> None:
    """4.2, R29: the Terminator sees squares of face-down counters and no names."""
    game = two_rooms(CROWD)
    view = game.view(T)
    assert len(view.face_down) == 7
    assert [figure.name for figure in view.figures] == [DREAM]


# 4.21, R13: the CloneMaster's release by choice

HIDDEN = "Rising Dream  0,0\nCloneMaster  7,1  down"


@pytest.mark.parametrize(
    "phase",
    [
        "terminator-move-1",
        "combat-1",
        "terminator-move-2",
        "clonemaster-move",
        "combat-2",
        "recovery",
        "advance",
    ],
)
def test_release_at_the_start_of_any_phase(phase: str) -> None:
    """4.21, R13: he may be released at the start of every phase, also of an empty combat phase."""
    game = two_rooms(HIDDEN, phase=phase)
    assert game.view("public").phase == phase
    assert ReleaseCloneMaster() in game.decision(C).options  # type: ignore[union-attr]
    c(game, ReleaseCloneMaster())
    assert kind(game) == "free-move"
    walk(game, "CloneMaster", "WWWN")
    assert where(game, "CloneMaster") == (4, 0)
    assert game.view("public").phase != "over"


def test_a_window_passed_does_not_come_back_in_its_phase() -> None:
    """R13: Pass lets the phase go on; each later phase asks again, and nobody else may answer."""
    game = two_rooms(HIDDEN, phase="combat-1")
    assert_refused(game, T, EndPhase(), "R13", "waits for the CloneMaster player")
    assert_refused(game, C, EndPhase(), "R13", "waits for whether")
    c(game, Pass())
    assert phases(game)[-1] == "terminator-move-2"


def test_no_window_once_he_is_out_or_dead() -> None:
    """4.22, R13: with the CloneMaster face up or dead nobody is asked."""
    for figures in ("Rising Dream  0,0\nCloneMaster  7,1", "Rising Dream  0,0"):
        game = two_rooms(figures)
        assert game.decision(C) is None
        refusal = game.why(C, ReleaseCloneMaster())
        assert refusal is not None
        assert refusal.rule == "4.22"
        t(game, EndPhase(), EndPhase())
        assert phases(game)[-1] == "clonemaster-move"


def test_free_move_of_four_squares() -> None:
    """4.21: at his release he gets four squares at once, in parts if he likes, and may stop early."""
    game = two_rooms(HIDDEN)
    c(game, ReleaseCloneMaster())
    movement = game.view("public").movement
    assert movement is not None
    assert (movement.points, movement.is_free_move) == (4, True)
    assert_refused(game, C, steps(game, "CloneMaster", "WWWWN"), "4.3", "costs 5")
    walk(game, "CloneMaster", "WW")
    walk(game, "CloneMaster", "N")
    assert_refused(game, C, steps(game, "CloneMaster", "EE"), "4.3", "has 1 left")
    c(game, EndMove("CloneMaster"))
    assert kind(game) == "terminator-move"


def test_the_free_move_may_be_blocked() -> None:
    """4.21, 4.4: the free move pays like any other: two more past a Terminator, three up a drop-off."""
    game = match(plan("AAAABBB", edges="dropoff 3,0 E"), "Rising Dream  6,0  fist1\nCloneMaster  5,0  down")
    c(game, ReleaseCloneMaster())
    # 4,0 costs 1, then 3 more down the drop-off; past the Terminator there is no square left.
    assert destinations(game, "CloneMaster") == {(4, 0), (3, 0)}


def test_only_the_clonemaster_moves_in_his_free_move() -> None:
    """4.21: while he takes it nobody else moves, and only his player decides."""
    game = two_rooms(HIDDEN + "\nServant 1  5,0")
    c(game, ReleaseCloneMaster())
    assert_refused(game, T, EndPhase(), "R13", "waits for the CloneMaster player")
    assert_refused(game, C, steps(game, "Servant 1", "W"), "4.21", "only the CloneMaster")
    assert_refused(game, C, EndMove("Servant 1"), "4.21", "only the CloneMaster")
    assert_refused(game, C, EndPhase(), "4.21", "taking his free move")
    assert_refused(game, C, ReleaseCloneMaster(), "4.22", "released already")


def test_he_moves_as_usual_in_his_own_move() -> None:
    """R13: released in the CloneMaster Move he has the free move and his ordinary one, and releases go on."""
    game = two_rooms(HIDDEN + "\nServant 1  4,0  down", phase="clonemaster-move")
    c(game, ReleaseCloneMaster())
    walk(game, "CloneMaster", "WWNE")
    assert kind(game) == "clonemaster-move"
    c(game, Release("Servant 1"))
    walk(game, "CloneMaster", "WWWW")
    assert where(game, "CloneMaster") == (2, 0)


def test_release_while_a_terminator_pauses() -> None:
    """R13: he may be released whenever a moving figure stops; the figure then goes on."""
    game = two_rooms(HIDDEN)
    walk(game, DREAM, "E")
    c(game, ReleaseCloneMaster(), EndMove("CloneMaster"))
    walk(game, DREAM, "EEEE")
    assert where(game, DREAM) == (5, 0)


def test_release_while_his_own_figure_pauses() -> None:
    """R13: likewise between the moves of his own figures, who go on with what is left."""
    game = two_rooms(HIDDEN + "\nServant 1  4,0", phase="clonemaster-move")
    walk(game, "Servant 1", "W")
    c(game, ReleaseCloneMaster(), EndMove("CloneMaster"))
    walk(game, "Servant 1", "WW")
    assert where(game, "Servant 1") == (1, 0)


# 4.21: found by a Terminator


def test_found_and_moves_at_once() -> None:
    """4.21: found in his room he may take the free move at the instant the Terminator enters."""
    game = two_rooms("Rising Dream  2,0\nCloneMaster  4,0  down")
    walk(game, DREAM, "E")
    assert kind(game) == "free-move-when"
    assert offered(game, C, FreeMove) == [FreeMove(True), FreeMove(False)]
    assert_refused(game, C, Pass(), "4.21", "first say when")
    assert_refused(game, T, EndPhase(), "R13", "waits for the CloneMaster player")
    c(game, FreeMove(True))
    walk(game, "CloneMaster", "EEES")
    assert where(game, "CloneMaster") == (7, 1)
    walk(game, DREAM, "E")
    assert where(game, DREAM) == (4, 0)


def test_found_and_waits_for_the_end_of_the_move() -> None:
    """4.21, R13: or he waits until the end of that Terminator Move, after all the Terminators."""
    game = two_rooms("Rising Dream  2,0\nShadow Lotus  1,0\nCloneMaster  4,0  down")
    walk(game, DREAM, "E")
    c(game, FreeMove(False))
    assert game.view("public").free_move_kept
    walk(game, DREAM, "S")
    walk(game, LOTUS, "E")
    t(game, EndPhase())
    assert (kind(game), game.view("public").phase) == ("free-move", "terminator-move-1")
    walk(game, "CloneMaster", "EEES")
    assert game.view("public").phase == "terminator-move-2"
    assert not game.view("public").free_move_kept
    # It is spent: none at the end of the next Terminator Move.
    t(game, EndPhase())
    assert game.view("public").phase == "clonemaster-move"


def test_kept_free_move_in_the_second_terminator_move() -> None:
    """4.21: a free move kept in Terminator Move II comes before the CloneMaster Move."""
    game = two_rooms("Rising Dream  2,0\nCloneMaster  4,0  down", phase="terminator-move-2")
    walk(game, DREAM, "E")
    c(game, FreeMove(False))
    t(game, EndPhase())
    walk(game, "CloneMaster", "E")
    c(game, EndMove("CloneMaster"))
    assert game.view("public").phase == "clonemaster-move"
    walk(game, "CloneMaster", "EE")


def test_his_find_pauses_a_path_on_his_own_square() -> None:
    """R8, R9: a Terminator who finds him on the square he enters stands there until he goes on."""
    game = two_rooms("Rising Dream  2,0\nCloneMaster  3,0  down")
    walk(game, DREAM, "EE")
    assert where(game, DREAM) == (3, 0)
    c(game, FreeMove(True), EndMove("CloneMaster"))
    assert_refused(game, T, EndPhase(), "4.6", "cannot stop")
    walk(game, DREAM, "E")


# R13 and combat

BATTLE = """
Rising Dream   0,0  fist1 heart1
Shadow Lotus   7,0  fist1 heart1
J-1            1,0
J-3            6,0
CloneMaster    4,1  down
"""


def test_release_between_combats_finds_the_rest_anew() -> None:
    """R13: a release between two combats joins him to a combat not yet fought."""
    game = match(open_room(8, 2), BATTLE, phase="combat-1")
    assert game.view("public").combats == ((DREAM, "J-1"), (LOTUS, "J-3"))
    begin_fight(game, {})
    assert kind(game) == "fight-order"
    c(game, ReleaseCloneMaster())
    walk(game, "CloneMaster", "EE")
    c(game, EndMove("CloneMaster"))
    assert game.view("public").combats == ((LOTUS, "CloneMaster", "J-3"),)


def test_who_has_fought_does_not_fight_again() -> None:
    """R13: only combats not yet fought are found anew."""
    game = match(open_room(8, 2), BATTLE, phase="combat-1")
    begin_fight(game, {})
    c(game, ReleaseCloneMaster())
    walk(game, "CloneMaster", "WWW")
    c(game, EndMove("CloneMaster"))
    assert game.view("public").combats == ((LOTUS, "J-3"),)


def test_release_in_an_empty_combat_phase_makes_a_combat() -> None:
    """R13: released in an empty combat phase, he may walk into a combat."""
    game = two_rooms("Rising Dream  3,1\nCloneMaster  7,1  down", phase="combat-1")
    c(game, ReleaseCloneMaster())
    walk(game, "CloneMaster", "WWW")
    c(game, EndMove("CloneMaster"))
    assert game.view("public").combats == ((DREAM, "CloneMaster"),)
    t(game, Fight(0))


def test_no_release_inside_a_combat() -> None:
    """R13: never inside a combat."""
    game = match(open_room(8, 2), BATTLE, phase="combat-2")
    begin_fight(game, {DREAM: "fist", "J-1": "kick"})
    assert kind(game) == "who-begins"
    assert_refused(game, C, ReleaseCloneMaster(), "R13", "not inside a combat")


def test_release_before_the_first_combat() -> None:
    """R13: the start of a combat phase with combats is a window too, in both phases."""
    for phase in ("combat-1", "combat-2"):
        game = match(open_room(8, 2), BATTLE, phase=phase)
        c(game, ReleaseCloneMaster(), EndMove("CloneMaster"))
        assert kind(game) == "fight-order"


def test_a_release_does_not_make_combat_of_face_down_counters() -> None:
    """5.1: counters never released neither fight nor are fought."""
    game = match(open_room(4, 1), "Rising Dream  0,0\nJ-1  1,0  down", phase="combat-1")
    assert game.view("public").phase != "combat-1"
    assert told(game, events.CombatsFound)[0].combats == ()


@pytest.mark.parametrize(
    "choice", [Pass(), FreeMove(True), EndMove("CloneMaster"), PlayCounter("J-1", "kick")]
)
def test_nothing_to_answer_outside_a_window(choice: Choice) -> None:
    """R13: answers to a release are refused where none is under way."""
    game = two_rooms(HIDDEN, phase="clonemaster-move")
    assert_refused(game, C, choice, "3.2", "movement phase")


def test_a_whole_turn_of_passing_ends() -> None:
    """R13: passing at each window leads through the turn."""
    game = two_rooms(HIDDEN)
    for _ in range(30):
        if game.view("public").turn == 2:
            break
        idle(game)
    assert phases(game)[-1] == "terminator-move-1"
    go_until(game, "clonemaster-move")
