"""3.2: the seven phases of a turn, and who acts in each."""

import pytest

from engine.core.decision import Choice
from engine.raid import events
from engine.raid.choices import ChooseCounters, EndPhase, Fight, Move, Release, Station
from engine.raid.match import RaidMatch
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    C,
    T,
    assert_refused,
    c,
    destinations,
    go_to,
    idle,
    kind,
    match,
    open_room,
    phases,
    steps,
    t,
    told,
    walk,
    where,
)

FAR_APART = """
Rising Dream  0,0
Shadow Lotus  0,2
CloneMaster   11,3
Servant 1     9,0
"""


def far_apart(**more: object) -> RaidMatch:
    """Return two Terminators and two of the CloneMaster's, out of each other's reach."""
    return match(open_room(12, 4), FAR_APART, **more)  # type: ignore[arg-type]


def test_the_seven_phases_in_order() -> None:
    """3.2: each turn runs through its seven phases and the next begins with Terminator Move I."""
    game = far_apart()
    go_to(game, "terminator-move-1", turn=2)
    assert phases(game) == [
        "terminator-move-1",
        "combat-1",
        "terminator-move-2",
        "clonemaster-move",
        "combat-2",
        "recovery",
        "advance",
        "terminator-move-1",
    ]
    assert [event.turn for event in told(game, events.PhaseBegan)] == [1] * 7 + [2]


def test_terminators_move_twice_a_turn() -> None:
    """3.2, 2.551: a Terminator has five squares in each of two movement phases a turn."""
    game = far_apart()
    walk(game, DREAM, "EEEEE")
    assert DREAM not in game.decision(T).options.groups  # type: ignore[union-attr]
    go_to(game, "terminator-move-2")
    walk(game, DREAM, "SSSWW")
    assert where(game, DREAM) == (3, 3)


def test_clonemaster_units_move_once_a_turn() -> None:
    """3.2, 4.3: units of the CloneMaster move only in the CloneMaster Move."""
    game = far_apart()
    assert_refused(game, C, Move("Servant 1", ((8, 0),)), "3.2", "Terminator player's movement")
    go_to(game, "clonemaster-move")
    walk(game, "Servant 1", "WWW")
    c(game, EndPhase())
    assert kind(game) != "clonemaster-move"
    go_to(game, "clonemaster-move", turn=2)
    walk(game, "Servant 1", "W")
    assert where(game, "Servant 1") == (5, 0)


def test_terminators_rest_in_the_clonemaster_move() -> None:
    """3.2: in the CloneMaster Move the Terminator player moves nobody and ends nothing."""
    game = far_apart(phase="clonemaster-move")
    assert_refused(game, T, Move(DREAM, ((1, 0),)), "3.2", "CloneMaster player's movement")
    assert_refused(game, T, EndPhase(), "3.2", "CloneMaster player's movement")


@pytest.mark.parametrize("choice", [Fight(0), ChooseCounters(DREAM, ()), Release("Servant 1")])
def test_no_combat_in_a_movement_phase(choice: Choice) -> None:
    """3.2, 5.1: combat takes place in the combat phases only, release in the CloneMaster Move only."""
    assert_refused(far_apart(), T, choice, "3.2", "movement phase")


def test_no_other_choice_in_the_clonemaster_move() -> None:
    """3.2: the CloneMaster Move knows releases and moves only."""
    assert_refused(far_apart(phase="clonemaster-move"), C, Fight(0), "3.2", "movement phase")
    assert_refused(far_apart(phase="clonemaster-move"), C, Station("Servant 1", "x"), "3.2", "movement")


def test_no_movement_in_a_combat_phase() -> None:
    """3.2: nobody moves in a combat phase."""
    game = match(open_room(6, 1), "Rising Dream  0,0\nJ-1  1,0\nCloneMaster  5,0", phase="combat-1")
    assert_refused(game, T, Move(DREAM, ((0, 0),)), "5.3", "combat phase")
    assert_refused(game, T, EndPhase(), "5.3", "combat phase")


def test_one_figure_at_a_time() -> None:
    """R6: a figure that another has moved after is done for this phase, points left or not."""
    game = far_apart()
    walk(game, DREAM, "E")
    walk(game, DREAM, "E")
    walk(game, LOTUS, "E")
    assert_refused(game, T, steps(game, DREAM, "E"), "R6", "ended his movement")
    assert destinations(game, DREAM) == set()
    go_to(game, "terminator-move-2")
    walk(game, DREAM, "E")


def test_one_unit_at_a_time_for_the_clonemaster() -> None:
    """R6: the same holds for the CloneMaster's figures."""
    game = match(
        open_room(9, 2), "Rising Dream  0,0\nServant 1  7,0\nServant 2  7,1", phase="clonemaster-move"
    )
    walk(game, "Servant 1", "W")
    walk(game, "Servant 2", "W")
    assert_refused(game, C, steps(game, "Servant 1", "W"), "R6", "ended its movement")


def test_nobody_has_to_move() -> None:
    """4.3: a player may end his phase without moving anybody."""
    game = far_apart()
    before = [where(game, name) for name in (DREAM, LOTUS, "Servant 1")]
    t(game, EndPhase())
    go_to(game, "terminator-move-1", turn=2)
    assert [where(game, name) for name in (DREAM, LOTUS, "Servant 1")] == before


def test_the_game_has_as_many_turns_as_the_scenario_says() -> None:
    """6.1, R31: the game ends after the last turn's last phase."""
    game = far_apart(turn=2, turns=2)
    while not game.is_over:
        idle(game)
    assert phases(game)[-1] == "advance"
    assert told(game, events.GameEnded)[0].turn == 2
    assert_refused(game, T, EndPhase(), "R31", "over")
