"""5.7, 5.8, R25: breaking down armored doors and destroying vital equipment."""

import pytest

from engine.raid import events
from engine.raid.choices import NameTarget, PlayCounter
from engine.raid.match import RaidMatch
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    C,
    T,
    asked,
    assert_refused,
    c,
    fight,
    go_to,
    kind,
    match,
    offered,
    plan,
    play,
    t,
    told,
    walk,
    where,
)

DOOR, TANK, COMPUTER = "door 2,0 E", "tank 1,2", "computer 0,0"
BOARD = plan(
    """
    AAABB
    AAABB
    AAABB
    AAABB
    """,
    edges="armored 2,0 E",
    equipment="tank 1,2; computer 0,0 W",
)


def combat(figures: str, *dice: int, **more: object) -> RaidMatch:
    """Return a position with a door, a tank and a computer at the beginning of Combat I."""
    return match(BOARD, figures, **{"phase": "combat-1", "dice": dice, **more})  # type: ignore[arg-type]


def targets(game: RaidMatch) -> set[str]:
    """Return what the counter just played may strike."""
    return {choice.target for choice in offered(game, T, NameTarget)}  # type: ignore[attr-defined]


# 5.7


@pytest.mark.parametrize("counter", ["fist", "kick"])
@pytest.mark.parametrize(("die", "destroyed"), [(1, True), (2, True), (3, False), (6, False)])
def test_a_door_falls_on_one_or_two(counter: str, die: int, destroyed: bool) -> None:
    """5.7: a kick or punch, and a roll of 1 or 2."""
    game = combat("Rising Dream  2,0", die)
    fight(game, {DREAM: counter})
    play(game, DREAM, counter, DOOR)
    struck = told(game, events.DoorStruck)[0]
    assert (struck.needs, struck.die, struck.destroyed) == (2, die, destroyed)
    assert game.view("public").doors[0].is_destroyed is destroyed


def test_from_both_sides_of_the_door_only() -> None:
    """R25: from a square that has the door on an edge, not from next to it."""
    for square, can in (("2,0", True), ("3,0", True), ("2,1", False), ("1,0", False)):
        game = combat(f"Rising Dream  {square}", equipment=[TANK])
        assert told(game, events.CombatsFound)[0].combats == (((DREAM,),) if can else ())


def test_the_door_is_open_from_then_on() -> None:
    """R25: destroyed in a combat it is open at once, for attacks by members and in the next move."""
    game = match(
        plan("AABB", edges="armored 1,0 E"),
        "Rising Dream  1,0  fist2 kick1\nJ-1  0,0\nServant 1  3,0",
        phase="combat-1",
        dice=(2, 6),
    )
    fight(game, {DREAM: "fist"})
    play(game, DREAM, "fist", "door 1,0 E")
    go_to(game, "terminator-move-2")
    walk(game, DREAM, "E")
    assert where(game, DREAM) == (2, 0)


def test_not_twice() -> None:
    """5.7: a destroyed door is no target."""
    game = combat("Rising Dream  2,0\nJ-1  2,1", doors=[DOOR])
    fight(game, {DREAM: "fist", "J-1": "kick"})
    t(game, PlayCounter(DREAM, "fist"))
    assert_refused(game, T, NameTarget(DOOR), "5.7", "destroyed or out of reach")
    assert targets(game) == {"J-1"}


def test_out_of_reach() -> None:
    """R25: a door or thing elsewhere is no target."""
    game = combat("Rising Dream  2,1\nJ-1  2,0")
    fight(game, {DREAM: "fist", "J-1": "kick"})
    t(game, PlayCounter(DREAM, "fist"))
    assert_refused(game, T, NameTarget(DOOR), "5.7", "out of reach")
    assert_refused(game, T, NameTarget(COMPUTER), "5.8", "out of reach")
    assert_refused(game, T, NameTarget("tank 0,0"), "R17", "nothing called")


# 5.8


@pytest.mark.parametrize("counter", ["fist", "kick"])
@pytest.mark.parametrize("square", ["0,1", "1,1", "2,1", "0,2", "2,2", "0,3", "1,3", "2,3"])
def test_a_tank_from_any_adjacent_square(square: str, counter: str) -> None:
    """5.8, R1, R25: a tank is destroyed from the eight squares around it, without a die."""
    game = combat(f"Rising Dream  {square}")
    fight(game, {DREAM: counter})
    play(game, DREAM, counter, TANK)
    destroyed = told(game, events.EquipmentDestroyed)[0]
    assert (destroyed.target, destroyed.counter) == (TANK, counter)
    assert [thing.is_destroyed for thing in game.view("public").equipment] == [True, False]


def test_a_tank_not_from_two_squares_away_nor_through_a_wall() -> None:
    """5.8, R2: adjacent and with a clear line."""
    assert told(combat("Rising Dream  1,0"), events.CombatsFound)[0].combats == ()
    walled = match(plan("AB", equipment="tank 1,0"), "Rising Dream  0,0", phase="combat-1")
    assert told(walled, events.CombatsFound)[0].combats == ()
    through_door = match(
        plan("AB", equipment="tank 1,0", edges="door 0,0 E"), "Rising Dream  0,0", phase="combat-1"
    )
    assert told(through_door, events.CombatsFound)[0].combats == ((DREAM,),)


def test_a_computer_from_its_own_square_only() -> None:
    """5.8, R25: a computer is destroyed from its own square."""
    assert told(combat("Rising Dream  1,0"), events.CombatsFound)[0].combats == ()
    assert told(combat("Rising Dream  0,1"), events.CombatsFound)[0].combats == ((DREAM,),)  # the tank
    game = combat("Rising Dream  0,0")
    fight(game, {DREAM: "kick"})
    play(game, DREAM, "kick", COMPUTER)
    assert [thing.is_destroyed for thing in game.view("public").equipment] == [False, True]


def test_with_kick_or_punch_only() -> None:
    """5.8, 5.7: a defence strikes nothing, so a Terminator without attacks destroys nothing."""
    game = combat("Rising Dream  0,0  mist1 soul1")
    fight(game, {DREAM: "mist soul"})
    assert offered(game, T, PlayCounter) == []


def test_jellies_destroy_nothing() -> None:
    """5.8, 5.7: doors and equipment are targets for Terminators alone."""
    game = combat("Rising Dream  2,1\nJ-1  1,1")
    fight(game, {"J-1": "kick"})
    c(game, PlayCounter("J-1", "kick"))
    assert {choice.target for choice in offered(game, C, NameTarget)} == {DREAM}  # type: ignore[attr-defined]
    assert_refused(game, C, NameTarget(TANK), "5.8", "out of reach")


def test_several_in_one_combat() -> None:
    """5.8: one counter each, as many as he has."""
    board = plan("AA\nAA", equipment="tank 1,0; tank 1,1; computer 0,0 W")
    game = match(board, "Rising Dream  0,0  fist2 kick1", phase="combat-1")
    fight(game, {DREAM: "fist fist kick"})
    play(game, DREAM, "fist", "tank 1,0")
    assert_refused(game, T, NameTarget("tank 1,0"), "5.4", "turn to play")
    t(game, PlayCounter(DREAM, "fist"))
    assert_refused(game, T, NameTarget("tank 1,0"), "5.8", "destroyed or out of reach")
    t(game, NameTarget("tank 1,1"))
    play(game, DREAM, "kick", "computer 0,0")
    assert all(thing.is_destroyed for thing in game.view("public").equipment)


def test_such_an_attack_is_settled_at_once_and_the_other_leads() -> None:
    """R25: the next counter of the other player is a lead, not a reply."""
    game = combat("Rising Dream  0,0  fist1 soul1\nJ-1  1,0\nJ-5  1,1", 6, 6, 6)
    fight(game, {DREAM: "fist soul", "J-1": "kick"})
    play(game, DREAM, "fist", COMPUTER)
    assert (kind(game), asked(game)) == ("play-counter", C)
    view = game.view("public")
    assert view.fight is not None
    assert view.fight.open_attack is None
    c(game, PlayCounter("J-1", "kick"))
    assert told(game, events.CounterPlayed)[-1].is_reply is False


def test_as_a_reply_it_guards_like_any_fist() -> None:
    """R17, 5.4 note: a reply thrown at equipment sets the column all the same."""
    game = combat("Rising Dream  0,0  fist1 heart1\nJ-1  1,0", 3)
    fight(game, {DREAM: "fist", "J-1": "kick"}, first=C)
    play(game, "J-1", "kick", DREAM)
    play(game, DREAM, "fist", COMPUTER, lost="heart")
    assert told(game, events.AttackResolved)[0].column == "fist"


def test_the_fallen_destroy_nothing() -> None:
    """5.62: a reply at equipment does not happen if its owner fell to the attack replied to."""
    game = combat("Rising Dream  0,0  fist1 / fist1 heart1\nShadow Lotus  4,3\nJ-1  1,0", 3)
    fight(game, {DREAM: "fist", "J-1": "kick"}, first=C)
    play(game, "J-1", "kick", DREAM)
    t(game, PlayCounter(DREAM, "fist"))
    game.submit(T, game.decision(T).options[0])  # type: ignore[union-attr]
    assert told(game, events.AttackVoid)[0].rule == "5.62"
    assert not any(thing.is_destroyed for thing in game.view("public").equipment)


def test_equipment_beside_a_fight_is_in_that_combat() -> None:
    """R15: a Terminator with a foe strikes equipment in that same combat."""
    game = combat("Rising Dream  0,1\nShadow Lotus  4,3\nJ-1  0,0")
    assert game.view("public").combats == ((DREAM, "J-1"),)
    fight(game, {DREAM: "fist"})
    t(game, PlayCounter(DREAM, "fist"))
    assert targets(game) == {"J-1", TANK}
    assert LOTUS not in targets(game)


def test_the_citadel_has_seven_pieces_and_two_doors() -> None:
    """2.1, 6.1, 5.7: seven pieces of vital equipment, two armored doors, all whole at the start."""
    view = match("citadel", "Rising Dream  off").view("public")
    assert sorted(thing.kind for thing in view.equipment) == ["computer"] * 3 + ["tank"] * 4
    assert len(view.doors) == 2
    assert not any(thing.is_destroyed for thing in view.equipment)
    assert not any(door.is_destroyed for door in view.doors)
