"""4.7, R11: how Terminators leave the map alive."""

import pytest
from msgspec.structs import replace

from engine.bots import make_bot
from engine.core.match import play
from engine.raid import events
from engine.raid.choices import EndPhase, Enter, Exit
from engine.raid.match import RaidMatch
from engine.raid.problems import problems
from engine.raid.scenario import Scenario
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    SONG,
    C,
    T,
    assert_refused,
    c,
    destinations,
    go_to,
    match,
    offered,
    plan,
    steps,
    t,
    told,
    walk,
    where,
)

HOUSE = plan(
    """
    KKKKKL
    BBBBBB
    """,
    edges="door 4,0 E; door 2,0 S; armored 0,1 W",
    equipment="computer 5,1 S",
    entries="Garbage Disposal  0,0  2  2  N; Sewage Outlet 1  5,0  1  1  -; Front Door  0,1  3  0  W",
)
DONE = ["computer 5,1"]


def house(figures: str, **more: object) -> RaidMatch:
    """Return the house with the CloneMaster dead and his equipment destroyed."""
    return match(HOUSE, figures, **{"equipment": DONE, **more})  # type: ignore[arg-type]


def test_leaving_by_a_loo() -> None:
    """4.7: from the loo's square, for one movement point, never to come back."""
    game = house("Rising Dream  4,0\nShadow Lotus  3,0")
    walk(game, DREAM, "E")
    t(game, Exit(DREAM))
    assert where(game, DREAM) == "escaped"
    exited = told(game, events.Exited)[0]
    assert (exited.figure, exited.entry) == (DREAM, "Sewage Outlet 1")
    go_to(game, "terminator-move-2")
    assert_refused(game, T, Enter(DREAM, "Sewage Outlet 1"), "4.1", "not outside")


def test_leaving_needs_a_point() -> None:
    """4.7, R11: one movement point must be left on the square."""
    game = house("Rising Dream  0,0")
    walk(game, DREAM, "EEWW")
    t(game, Exit(DREAM))
    game = house("Rising Dream  1,0")
    walk(game, DREAM, "EEWWW")
    assert where(game, DREAM) == (0, 0)
    assert_refused(game, T, Exit(DREAM), "4.7", "one movement point")
    go_to(game, "terminator-move-2")
    t(game, Exit(DREAM))


def test_only_from_an_exit_square() -> None:
    """4.7: nobody leaves from another square, nor by the front door, broken or not."""
    game = house("Rising Dream  3,0\nShadow Lotus  0,1", doors=["door 0,1 W"])
    assert_refused(game, T, Exit(DREAM), "4.7", "no way out here")
    assert_refused(game, T, Exit(LOTUS), "4.7", "no way out here")


def test_one_a_phase_by_a_loo() -> None:
    """4.7, R11: one Terminator a movement phase leaves by a loo."""
    game = house("Rising Dream  5,0\nShadow Lotus  4,0")
    t(game, Exit(DREAM))
    walk(game, LOTUS, "E")
    assert_refused(game, T, Exit(LOTUS), "R11", "no more may leave")
    go_to(game, "terminator-move-2")
    t(game, Exit(LOTUS))
    assert game.is_over


def test_two_a_phase_through_the_kitchen() -> None:
    """4.7, R11: two a movement phase leave through the kitchen."""
    game = house("Rising Dream  0,0\nShadow Lotus  1,0\nGolden Song  2,0")
    t(game, Exit(DREAM))
    walk(game, LOTUS, "W")
    t(game, Exit(LOTUS))
    walk(game, SONG, "WW")
    assert_refused(game, T, Exit(SONG), "R11", "no more may leave")


def test_not_before_the_mission_is_done() -> None:
    """R11, 6.1: only with the CloneMaster dead and every piece of equipment destroyed."""
    game = house("Rising Dream  5,0", equipment=[])
    assert_refused(game, T, Exit(DREAM), "R11", "only when the CloneMaster is dead")
    game = house("Rising Dream  5,0\nCloneMaster  2,1")
    assert_refused(game, T, Exit(DREAM), "R11", "only when the CloneMaster is dead")
    assert offered(game, T, Exit) == []


def test_the_clonemasters_units_never_leave() -> None:
    """4.7: no unit of the CloneMaster leaves the map."""
    game = house("Rising Dream  0,1\nServant 1  5,0", phase="clonemaster-move")
    assert_refused(game, C, Exit("Servant 1"), "3.2", "movement phase")
    assert_refused(game, C, steps(game, "Servant 1", "E"), "4.5", "no square")
    game = house("Rising Dream  0,1\nServant 1  5,0")
    assert_refused(game, T, Exit("Servant 1"), "4.3", "not yours")


def test_through_a_figure_on_the_way_out() -> None:
    """4.7, R8: leaving is no stop, so a conscious figure on the exit square does not bar the way out."""
    game = house("Rising Dream  3,0\nServant 1  5,0")
    assert (5, 0) in destinations(game, DREAM)
    walk(game, DREAM, "EE")
    assert_refused(game, T, EndPhase(), "4.6", "cannot stop")
    assert offered(game, T, Exit) == [Exit(DREAM)]
    t(game, Exit(DREAM))
    assert where(game, DREAM) == "escaped"


def test_no_point_left_on_a_taken_way_out() -> None:
    """4.7, 4.6: without a point to leave with, a taken exit square is no place to go."""
    game = house("Rising Dream  4,0\nJ-1  5,0")
    assert (5, 0) in destinations(game, DREAM)  # 3 points, two left
    game = house("Rising Dream  0,0\nServant 1  5,0")
    assert_refused(game, T, steps(game, DREAM, "EEEEE"), "4.6", "not stop on it")
    game = house("Rising Dream  4,0\nServant 1  5,0", equipment=[])
    assert_refused(game, T, steps(game, DREAM, "E"), "4.6", "not stop on it")


def test_a_taken_way_out_used_up_for_this_phase() -> None:
    """R11, 4.6: when the exit's rate is used up, a taken exit square is no place to go either."""
    game = house("Rising Dream  5,0\nShadow Lotus  3,0\nServant 1  5,1  down\nServant 2  4,0")
    t(game, Exit(DREAM))
    assert (5, 0) in destinations(game, LOTUS)
    game = house("Rising Dream  4,0\nShadow Lotus  3,0\nServant 2  5,0")
    walk(game, DREAM, "E")
    t(game, Exit(DREAM))
    assert (5, 0) not in destinations(game, LOTUS)
    assert_refused(game, T, steps(game, LOTUS, "EE"), "4.6", "not stop on it")


def test_nobody_leaves_in_the_clonemaster_move() -> None:
    """4.7: Terminators leave in their own movement phases only."""
    game = house("Rising Dream  5,0\nServant 1  2,1", phase="clonemaster-move")
    assert_refused(game, T, Exit(DREAM), "3.2", "CloneMaster player's movement")
    c(game, EndPhase())


WAY_OUT = plan(
    """
    KKKKKL
    BBBBBB
    """,
    edges="door 4,0 E; door 2,0 S; armored 0,1 W",
    equipment="computer 5,1 S",
    entries="Postern  0,0  0  2  N; Loo  5,0  1  0  -; Gate  0,1  0  0  W",
)


def test_a_way_out_only_lets_nobody_in() -> None:
    """4.7, R11: whoever is inside leaves by it, and nobody comes in; he is told why not."""
    game = match(WAY_OUT, "Rising Dream  1,0\nShadow Lotus  off", equipment=DONE)
    assert_refused(game, T, Enter(LOTUS, "Postern"), "R11", "nobody comes in there")
    assert offered(game, T, Enter) == [Enter(LOTUS, "Loo")]
    walk(game, DREAM, "W")
    t(game, Exit(DREAM))
    assert where(game, DREAM) == "escaped"


@pytest.mark.parametrize("bot", ["rulebook", "random"])
def test_bots_play_where_some_only_leave_and_a_gate_has_no_rate(bot: str) -> None:
    """4.1, 4.7, R10: games end wherever the ways in are, and nobody ever comes in by a way out only."""
    ways_in: set[str] = set()
    for board in (WAY_OUT, replace(WAY_OUT, entries=(WAY_OUT.entries[0], WAY_OUT.entries[2]))):
        scenario = Scenario(
            name="x", map=board, turns=4, jellies=1, servants=1, technicians=1, armed_technicians=0
        )
        assert not [one for one in problems(scenario) if one.severity == "error"]
        for seed in range(6):
            game = RaidMatch.new(scenario, str(seed))
            play(game, {side: make_bot(bot, f"{seed}-{side}") for side in game.sides})
            assert game.is_over
            ways_in |= {one.entry for one in game.events("public") if isinstance(one, events.Entered)}
    assert "Postern" not in ways_in
    assert ways_in
