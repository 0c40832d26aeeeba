"""5.1-5.3, R1-R3, R15: who can strike whom, and which combats follow from it."""

import pytest

from engine.fortress.floorplan import FloorPlan
from engine.raid import events
from engine.raid.choices import EndPhase, Fight, NameTarget, PlayCounter, Shoot
from engine.raid.match import RaidMatch
from engine.raid.scenario import HouseRules
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    SONG,
    C,
    T,
    assert_refused,
    begin_fight,
    c,
    fight,
    go_to,
    go_until,
    idle,
    match,
    offered,
    open_room,
    plan,
    play,
    t,
    told,
    walk,
)

AROUND = [(x, y) for y in (1, 2, 3) for x in (1, 2, 3) if (x, y) != (2, 2)]
TWO_AWAY = [(2, 0), (4, 2), (2, 4), (0, 2)]
BEYOND = [(0, 0), (1, 0), (4, 3), (0, 4)]


def combats(board: FloorPlan, figures: str, **more: object) -> tuple[tuple[str, ...], ...]:
    """Return the combats found at the beginning of Combat I."""
    return told(combat(board, figures, **more), events.CombatsFound)[0].combats


def combat(board: FloorPlan, figures: str, **more: object) -> RaidMatch:
    """Return a match at the beginning of Combat I."""
    return match(board, figures, **{"phase": "combat-1", **more})  # type: ignore[arg-type]


# 5.1, R1: reach


@pytest.mark.parametrize("square", AROUND)
def test_hand_to_hand_reaches_the_eight_squares_around(square: tuple[int, int]) -> None:
    """5.1, R1: hand-to-hand attacks reach the eight squares around, diagonals too."""
    found = combats(open_room(5, 5), f"Rising Dream  2,2\nJ-1  {square[0]},{square[1]}")
    assert found == ((DREAM, "J-1"),)


@pytest.mark.parametrize("square", TWO_AWAY)
def test_missiles_reach_two_squares_straight(square: tuple[int, int]) -> None:
    """5.1, R1: missiles also reach the four squares two away in a straight line; hands do not."""
    place = f"{square[0]},{square[1]}"
    assert combats(open_room(5, 5), f"Rising Dream  2,2\nJ-7  {place}") == ((DREAM, "J-7"),)
    assert combats(open_room(5, 5), f"Rising Dream  2,2\nArmed Technician 1  {place}") == (
        (DREAM, "Armed Technician 1"),
    )
    assert combats(open_room(5, 5), f"Rising Dream  2,2\nJ-1  {place}") == ()
    assert combats(open_room(5, 5), f"Rising Dream  2,2\nServant 1  {place}") == ()


@pytest.mark.parametrize("square", BEYOND)
def test_no_missile_reaches_farther(square: tuple[int, int]) -> None:
    """5.1: nobody is attacked farther away."""
    place = f"{square[0]},{square[1]}"
    for name in ("J-7", "Armed Technician 1", "CloneMaster"):
        assert combats(open_room(5, 5), f"Rising Dream  2,2\n{name}  {place}") == ()


def test_same_square_counts_as_adjacent() -> None:
    """R1: a figure in the same square, one of the two unconscious, is in reach."""
    assert combats(open_room(3, 1), "Rising Dream  0,0\nJ-1  0,0  - / kick2 heart1") == ((DREAM, "J-1"),)


# 5.1: who fights


def test_only_released_units_fight() -> None:
    """5.1, R15: a face-down counter takes no part in any combat."""
    assert combats(open_room(3, 1), "Rising Dream  0,0\nJ-1  1,0  down") == ()


def test_combat_is_voluntary() -> None:
    """5.1, R16: where nobody chooses a counter, attacks or shoots, nothing happens."""
    game = combat(open_room(3, 2), "Rising Dream  0,0\nJ-1  1,0\nServant 1  0,1\nArmed Technician 1  1,1")
    begin_fight(game, {})
    while game.view("public").phase == "combat-1":
        idle(game)
    assert len(told(game, events.CombatEnded)) == 1
    assert not told(game, events.AttackResolved)
    assert not told(game, events.Injured)


def test_every_side_by_side_pair_is_a_combat_in_both_phases() -> None:
    """5.1: combat takes place in either combat phase."""
    game = combat(open_room(3, 1), "Rising Dream  0,0\nJ-1  1,0")
    begin_fight(game, {})
    go_to(game, "combat-2")
    assert game.view("public").combats == ((DREAM, "J-1"),)
    c(game, Fight(0))


# 5.2, R2, R3: the sight line


@pytest.mark.parametrize(
    ("edge", "found"), [("", False), ("door 0,0 E", True), ("armored 0,0 E", False), ("open 0,0 E", True)]
)
def test_walls_and_doors(edge: str, found: bool) -> None:
    """5.2, 2.1, 4.41, R2: walls and intact armored doors stop attacks, common doors do not."""
    board = plan("AB", edges=edge, entries="West  0,0  1  1  -; East  1,0  1  1  -")
    # In front of an armored door a Terminator is a combat of his own, against the door.
    assert any("J-1" in members for members in combats(board, "Rising Dream  0,0\nJ-1  1,0")) == found


def test_through_a_destroyed_armored_door() -> None:
    """4.41, R2: once destroyed an armored door is an opening."""
    board = plan("AB", edges="armored 0,0 E")
    assert combats(board, "Rising Dream  0,0\nJ-1  1,0", doors=["door 0,0 E"]) == ((DREAM, "J-1"),)


def test_equipment_blocks_missiles() -> None:
    """5.2, R2: a clone tank between blocks the line, destroyed or not."""
    board = plan("AAA", equipment="tank 1,0")
    for wrecked in ([], ["tank 1,0"]):
        found = combats(board, "Rising Dream  0,0\nArmed Technician 1  2,0", equipment=wrecked)
        assert ("Rising Dream", "Armed Technician 1") not in found


def test_figures_never_block() -> None:
    """5.2: a figure between does not block a missile."""
    found = combats(open_room(3, 1), "Rising Dream  0,0\nServant 1  1,0\nArmed Technician 1  2,0")
    assert found == ((DREAM, "Armed Technician 1", "Servant 1"),)


def test_no_diagonal_attack_past_a_door_jamb() -> None:
    """R3: a line that touches a wall's end is blocked by default; `graze` lets it pass."""
    board = plan("AB\nAB", edges="door 0,0 E")
    figures = "Rising Dream  0,1\nJ-1  1,0"
    assert combats(board, figures) == ()
    corner = plan("AA\nAB", edges="door 0,1 E")
    figures = "Rising Dream  0,1\nJ-1  1,0"
    assert combats(corner, figures) == ()
    assert combats(corner, figures, rules=HouseRules(corner_sight="graze")) == ((DREAM, "J-1"),)


# 5.3, R15: groups


def test_two_terminators_with_a_common_foe_are_one_combat() -> None:
    """5.3: who can strike, or be struck by, the same foe is in one combat."""
    found = combats(open_room(3, 1), "Rising Dream  0,0\nJ-1  1,0\nShadow Lotus  2,0")
    assert found == ((DREAM, LOTUS, "J-1"),)


def test_no_common_foe_makes_different_combats() -> None:
    """5.3: otherwise they are in different combats, however close they stand."""
    found = combats(open_room(4, 1), "J-1  0,0\nRising Dream  1,0\nShadow Lotus  2,0\nJ-3  3,0")
    assert found == ((DREAM, "J-1"), (LOTUS, "J-3"))


@pytest.mark.parametrize("name", ["Armed Technician 1", "CloneMaster", "J-7"])
def test_guns_and_spikes_join_combats(name: str) -> None:
    """5.3: gunshots and thrown spikes count as striking."""
    found = combats(
        open_room(7, 1), f"J-1  0,0\nRising Dream  1,0\n{name}  3,0\nShadow Lotus  5,0\nServant 1  6,0"
    )
    assert len(found) == 1
    assert set(found[0]) == {"J-1", DREAM, name, LOTUS, "Servant 1"}


def test_chains_are_one_combat() -> None:
    """5.3, R15: each connected group is one combat."""
    found = combats(
        open_room(5, 1), "Rising Dream  0,0\nJ-1  1,0\nShadow Lotus  2,0\nJ-3  3,0\nGolden Song  4,0"
    )
    assert found == ((DREAM, LOTUS, SONG, "J-1", "J-3"),)


def test_lost_spikes_still_join() -> None:
    """R15: combats follow from public facts, so a Jelly whose spikes are lost joins all the same."""
    found = combats(open_room(3, 1), "Rising Dream  0,0\nJ-7  2,0  kick1")
    assert found == ((DREAM, "J-7"),)


def test_unconscious_jelly_throws_nothing() -> None:
    """R15: only a conscious Jelly links at missile reach; next to a Terminator it is still a target."""
    assert combats(open_room(3, 1), "Rising Dream  0,0\nJ-12  2,0  - / fist1 kick1 weapon1 heart1") == ()
    assert combats(open_room(3, 1), "Rising Dream  0,0\nJ-12  1,0  - / fist1 kick1 weapon1 heart1") == (
        (DREAM, "J-12"),
    )


def test_at_least_one_of_a_pair_is_conscious() -> None:
    """R15: two unconscious figures have no combat; an unconscious Terminator and a conscious foe have."""
    down = "Rising Dream  0,0  - / heart1"
    assert combats(open_room(3, 1), f"{down}\nShadow Lotus  2,0\nJ-1  1,0  - / kick2 heart1") == (
        (LOTUS, "J-1"),
    )
    assert combats(open_room(3, 1), f"{down}\nJ-1  1,0") == ((DREAM, "J-1"),)
    assert combats(open_room(3, 1), f"{down}\nServant 1  1,0") == ((DREAM, "Servant 1"),)


def test_a_gun_that_has_fired_joins_no_more_this_turn() -> None:
    """R15, R23: at missile reach a gun counts only while it has not fired this turn."""
    game = combat(open_room(3, 1), "Rising Dream  0,0\nArmed Technician 1  2,0", dice=[6, 6])
    begin_fight(game, {})
    c(game, Shoot("Armed Technician 1", DREAM))
    go_to(game, "terminator-move-1", turn=2)
    assert told(game, events.CombatsFound)[1].combats == ()
    go_to(game, "combat-1", turn=2)
    assert game.view("public").combats == ((DREAM, "Armed Technician 1"),)


def test_a_terminator_beside_equipment_or_a_door_is_his_own_combat() -> None:
    """R15: without a link, where a door or equipment can be struck."""
    board = plan("AAB", edges="armored 1,0 E", equipment="computer 0,0 W")
    found = combats(board, "Rising Dream  0,0\nShadow Lotus  1,0")
    assert found == ((DREAM,), (LOTUS,))
    found = combats(
        board, "Rising Dream  0,0\nShadow Lotus  1,0", equipment=["computer 0,0"], doors=["door 1,0 E"]
    )
    assert found == ()


def test_an_unconscious_terminator_strikes_no_equipment() -> None:
    """R15, 5.5: an unconscious one beside equipment has no combat."""
    board = plan("AA", equipment="computer 0,0 W")
    assert combats(board, "Rising Dream  0,0  - / heart1\nShadow Lotus  1,0") == ()


def test_groups_are_fixed_when_the_phase_begins() -> None:
    """5.3, R15: a combat keeps its figures although a foe was killed in an earlier one."""
    game = combat(open_room(9, 1), "Rising Dream  0,0\nJ-1  1,0\nShadow Lotus  4,0\nJ-3  5,0")
    begin_fight(game, {})
    assert game.view("public").combats == ((LOTUS, "J-3"),)


def test_only_members_are_targets() -> None:
    """R15: only members of the combat, doors and equipment may be named, within reach and sight."""
    # Song stands beside J-3 alone; J-1 and J-3 belong to different combats.
    game = combat(
        open_room(7, 2),
        "Rising Dream  0,0\nJ-1  1,0\nServant 1  0,1\nGolden Song  5,0\nJ-3  6,0\nShadow Lotus  1,1",
    )
    fight(game, {DREAM: "fist kick", "J-1": "kick"})
    t(game, PlayCounter(DREAM, "kick"))
    assert_refused(game, T, NameTarget("J-3"), "R15", "not in this combat")
    assert_refused(game, T, NameTarget(LOTUS), "5.4", "own side")
    assert_refused(game, T, NameTarget("J-10"), "R17", "nothing called")
    assert_refused(game, T, PlayCounter(DREAM, "fist"), "R17", "first name the target")
    assert {choice.target for choice in offered(game, T, NameTarget)} == {"J-1", "Servant 1"}  # type: ignore[attr-defined]


def test_reach_is_judged_when_the_target_is_named() -> None:
    """R15, 5.1: a member out of hand-to-hand reach cannot be named."""
    game = combat(open_room(4, 1), "Rising Dream  0,0\nJ-1  1,0\nShadow Lotus  2,0\nServant 1  3,0")
    fight(game, {DREAM: "kick", "J-1": "kick"})
    t(game, PlayCounter(DREAM, "kick"))
    assert_refused(game, T, NameTarget("Servant 1"), "5.1", "out of reach")


# The order of combats

PAIRS = "Rising Dream  0,0\nJ-1  1,0\nShadow Lotus  5,0\nJ-3  6,0"


def test_the_terminator_picks_the_order_in_combat_one() -> None:
    """R15: the Terminator player picks the order in Combat I; one combat ends before the next begins."""
    game = combat(open_room(7, 1), PAIRS)
    assert_refused(game, C, Fight(0), "R15", "Terminator player picks")
    assert_refused(game, T, Fight(2), "5.3", "no combat of that number")
    assert_refused(game, T, Fight(-1), "5.3", "no combat of that number")
    assert_refused(game, T, EndPhase(), "5.3", "combat phase")
    t(game, Fight(1))
    assert told(game, events.CombatBegan)[0].figures == (LOTUS, "J-3")
    assert_refused(game, T, Fight(0), "5.4", "time to choose")
    go_until(game, "fight-order")
    assert game.view("public").combats == ((DREAM, "J-1"),)


def test_the_clonemaster_picks_the_order_in_combat_two() -> None:
    """R15: the CloneMaster player picks the order in Combat II."""
    game = combat(open_room(7, 1), PAIRS, phase="combat-2")
    assert_refused(game, T, Fight(0), "R15", "CloneMaster player picks")
    c(game, Fight(1))
    assert told(game, events.CombatBegan)[0].figures == (LOTUS, "J-3")


def test_combats_follow_the_movement() -> None:
    """5.3: what was moved in the phase before decides which combats there are."""
    game = match(open_room(7, 1), "Rising Dream  0,0\nJ-1  6,0")
    walk(game, DREAM, "EEEEE")
    t(game, EndPhase())
    assert game.view("public").combats == ((DREAM, "J-1"),)


def test_door_opened_in_an_earlier_combat_makes_no_new_combat() -> None:
    """R15, R25: groups stay although a door destroyed in an earlier combat opens a line."""
    game = combat(
        plan("AB\nAB", edges="armored 0,0 E"),
        "Rising Dream  0,0\nShadow Lotus  0,1\nJ-1  1,0",
        dice=[1],
    )
    assert game.view("public").combats == ((DREAM,),)
    begin_fight(game, {DREAM: "fist kick"})
    play(game, DREAM, "fist", "door 0,0 E")
    # The door is open now, but J-1 is no member of this combat.
    assert offered(game, T, PlayCounter) == []
