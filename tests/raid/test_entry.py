"""4.1, R7-R11: how Terminators come in, by the loos, the kitchen and the front door."""

import pytest

from engine.core.decision import Choice
from engine.raid import events
from engine.raid.choices import EndMove, EndPhase, Enter, FreeMove, Move, ReleaseCloneMaster, Station, Stop
from engine.raid.match import RaidMatch
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    SONG,
    C,
    T,
    assert_refused,
    begin_fight,
    c,
    destinations,
    fight,
    go_to,
    kind,
    match,
    offered,
    plan,
    play,
    steps,
    t,
    told,
    walk,
    where,
)

DUCK, GOLDMAN = "Leaping Dragon", "Arnie Goldman"
LOO, KITCHEN, FRONT = "Sewage Outlet 1", "Garbage Disposal", "Front Door"
DOOR = "door 0,1 W"
HOUSE = plan(
    """
    KKKKKL
    BBBBBB
    """,
    edges="door 4,0 E; door 2,0 S; armored 0,1 W",
    entries=f"{KITCHEN}  0,0  2  2  N; {LOO}  5,0  1  1  -; {FRONT}  0,1  3  0  W",
)
FIVE = "\n".join(f"{name}  off" for name in (DREAM, LOTUS, SONG, DUCK, GOLDMAN))


def house(figures: str = FIVE, **more: object) -> RaidMatch:
    """Return Terminators outside a kitchen, a loo and a hall behind the front door."""
    return match(HOUSE, figures, **more)  # type: ignore[arg-type]


# The loos


def test_first_square_of_a_loo() -> None:
    """4.12: the loo is the first square of movement, so four are left."""
    game = house()
    t(game, Enter(DREAM, LOO))
    assert where(game, DREAM) == (5, 0)
    assert game.view(T).movement.points == 4  # type: ignore[union-attr]
    assert told(game, events.Entered)[0].cost == 1
    walk(game, DREAM, "WWWW")
    assert where(game, DREAM) == (1, 0)


def test_one_a_phase_from_each_loo() -> None:
    """4.12, R11: one Terminator a movement phase comes out of a loo, also where it is free again."""
    game = house()
    t(game, Enter(DREAM, LOO))
    walk(game, DREAM, "W")
    assert_refused(game, T, Enter(LOTUS, LOO), "R11", "only 1 may")
    go_to(game, "terminator-move-2")
    t(game, Enter(LOTUS, LOO))
    assert where(game, LOTUS) == (5, 0)


def test_no_entry_by_the_upper_loos() -> None:
    """4.12: Loo 4 and Loo 5 are no entries; the citadel has its five others."""
    game = match("citadel", "Rising Dream  off")
    entries = {choice.entry for choice in offered(game, T, Enter)}  # type: ignore[attr-defined]
    assert entries == {KITCHEN, LOO, "Sewage Outlet 2", "Sewage Outlet 3"}
    assert offered(game, T, Station) == [Station(DREAM, FRONT)]
    for name in ("Sewage Outlet 4", "Sewage Outlet 5", "Loo 4"):
        assert_refused(game, T, Enter(DREAM, name), "4.1", "no entry called")


# The kitchen


def test_two_a_phase_through_the_kitchen() -> None:
    """4.13, R11: two a movement phase come in through the kitchen, and two more in the next."""
    game = house()
    t(game, Enter(DREAM, KITCHEN))
    walk(game, DREAM, "EEE")
    t(game, Enter(LOTUS, KITCHEN))
    walk(game, LOTUS, "E")
    assert_refused(game, T, Enter(SONG, KITCHEN), "R11", "only 2 may")
    go_to(game, "terminator-move-2")
    t(game, Enter(SONG, KITCHEN))
    assert where(game, SONG) == (0, 0)
    assert game.view(T).movement.points == 4  # type: ignore[union-attr]


def test_entries_count_apart() -> None:
    """R11: each entry point has its own rate."""
    game = house()
    t(game, Enter(DREAM, LOO), Enter(LOTUS, KITCHEN))
    assert (where(game, DREAM), where(game, LOTUS)) == ((5, 0), (0, 0))


def test_entry_may_be_delayed() -> None:
    """4.1: nobody has to come in; he still may in a later turn."""
    game = house()
    go_to(game, "terminator-move-2", turn=3)
    t(game, Enter(GOLDMAN, LOO))
    assert where(game, GOLDMAN) == (5, 0)


def test_nobody_inside_enters() -> None:
    """4.1: only a Terminator outside enters or takes station; nobody outside walks."""
    game = house("Rising Dream  3,1\nShadow Lotus  off")
    assert_refused(game, T, Enter(DREAM, LOO), "4.1", "not outside")
    assert_refused(game, T, Station(DREAM, FRONT), "4.1", "not outside")
    assert_refused(game, T, Move(LOTUS, ((0, 0),)), "4.1", "not on the map")


# The first square


def test_first_square_taken_but_free_ones_behind() -> None:
    """R8: where somebody is on the first square a Terminator comes in and must go on."""
    game = house("Rising Dream  off\nServant 1  5,0")
    t(game, Enter(DREAM, LOO))
    assert where(game, DREAM) == (5, 0)
    assert game.view(T).movement.must_go_on  # type: ignore[union-attr]
    assert_refused(game, T, EndPhase(), "4.6", "cannot stop")
    walk(game, DREAM, "W")
    t(game, EndPhase())


def test_first_square_taken_and_none_free_behind() -> None:
    """R8: with no free square in reach behind the first one there is no entry."""
    servants = "\n".join(f"Servant {x}  {x},0" for x in range(1, 6))
    game = house("Rising Dream  off\n" + servants + "\nJ-1  2,1")
    # Loo and kitchen up to 1,0 are full; 0,0 is five squares from the loo's first.
    assert_refused(game, T, Enter(DREAM, LOO), "R8", "no free one")
    t(game, Enter(DREAM, KITCHEN))


def test_first_square_costs_like_any_other() -> None:
    """R7, 4.43: a conscious Jelly on the first square costs two more."""
    game = house("Rising Dream  off\nJ-1  5,0")
    t(game, Enter(DREAM, LOO))
    assert told(game, events.Entered)[0].cost == 3
    assert destinations(game, DREAM) == {(4, 0), (3, 0)}


@pytest.mark.parametrize(("name", "cost"), [("Servant 1", 1), ("J-1", 3)])
def test_face_down_on_the_first_square(name: str, cost: int) -> None:
    """R9: a face-down counter there must be affordable as a Jelly, and costs what it turns out to be."""
    game = house(f"Rising Dream  off\n{name}  5,0  down")
    t(game, Enter(DREAM, LOO))
    assert told(game, events.Entered)[0].cost == cost
    assert told(game, events.Revealed)[0].figure == name
    assert game.view(T).movement.points == 5 - cost  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["Servant 1", "J-1"])
def test_face_down_on_the_first_square_not_affordable(name: str) -> None:
    """R9: what he is offered does not depend on what the face-down counter is."""
    game = house(f"Rising Dream  off\n{name}  5,0  down\nServant 2  4,0\nServant 3  3,0")
    # As a Jelly: 3 points, then two servants' squares are in reach and both are taken.
    assert_refused(game, T, Enter(DREAM, LOO), "R8", "no free one")


def test_entry_turns_up_the_room_before_the_man_goes_on() -> None:
    """4.2 a: the counters of the room are turned up when he comes in, and he then moves on."""
    game = house("Rising Dream  off\nServant 1  3,0  down\nServant 2  3,1  down")
    t(game, Enter(DREAM, KITCHEN))
    assert [event.figure for event in told(game, events.Revealed)] == ["Servant 1"]
    walk(game, DREAM, "EE")


def test_put_back_off_the_map() -> None:
    """R8: one who was entering and finds no free square goes back off the map, his movement over."""
    game = match(
        plan("LBBBB", edges="door 0,0 E", entries=f"{LOO}  0,0  1  1  -"),
        "Rising Dream  off\nServant 1  0,0  down\nJ-1  2,0\nJ-3  3,0\nCloneMaster  4,0  down",
    )
    t(game, Enter(DREAM, LOO))
    c(game, ReleaseCloneMaster())
    walk(game, "CloneMaster", "WWW")  # onto the one free square within his reach
    assert where(game, DREAM) == (0, 0)
    c(game, EndMove("CloneMaster"))
    assert where(game, DREAM) == "off"
    assert told(game, events.PutBack)[0].square is None
    assert_refused(game, T, Enter(DREAM, LOO), "R6", "ended his movement")


def test_found_on_the_first_square() -> None:
    """4.21, R8: the CloneMaster found on the first square says when he moves, then the Terminator goes on."""
    game = house("Rising Dream  off\nCloneMaster  5,0  down")
    t(game, Enter(DREAM, LOO))
    assert kind(game) == "free-move-when"
    c(game, FreeMove(False))
    walk(game, DREAM, "W")
    assert where(game, DREAM) == (4, 0)


# The front door


def test_station_takes_the_movement_phase() -> None:
    """4.11, R10: who takes station outside the front door does nothing else in that movement phase."""
    game = house()
    t(game, Station(DREAM, FRONT))
    assert where(game, DREAM) == "station"
    assert_refused(game, T, Enter(DREAM, LOO), "R6", "ended his movement")
    assert told(game, events.Stationed)[0].figure == DREAM


@pytest.mark.parametrize(
    ("choice", "rule", "words"),
    [
        (Station(DREAM, LOO), "R10", "only outside an armored door"),
        (Station(LOTUS, FRONT), "R10", "stands there already"),
        (Enter(DREAM, FRONT), "4.11", "must be destroyed first"),
        (Enter(LOTUS, FRONT), "4.11", "must be destroyed first"),
        (Station(DREAM, "Back Door"), "4.1", "no entry called"),
    ],
)
def test_front_door_refusals(choice: Choice, rule: str, words: str) -> None:
    """4.11, R10: station is for the front door; nobody passes it while it is whole."""
    assert_refused(house("Rising Dream  off\nShadow Lotus  station"), T, choice, rule, words)


@pytest.mark.parametrize(("die", "destroyed"), [(1, True), (2, True), (3, False), (6, False)])
def test_attack_on_the_door_from_outside(die: int, destroyed: bool) -> None:
    """4.11, 5.7: one at the front door attacks it in the combat phase; 1 or 2 destroys it."""
    game = house("Rising Dream  off\nServant 1  5,1", dice=[die])
    t(game, Station(DREAM, FRONT))
    go_to(game, "combat-1")
    assert game.view(T).combats == ((DREAM,),)
    fight(game, {DREAM: "kick"})
    play(game, DREAM, "kick", DOOR)
    assert [door.is_destroyed for door in game.view("public").doors] == [destroyed]
    assert told(game, events.DoorStruck)[0].needs == 2


def test_all_at_the_door_attack_it_in_every_combat_phase() -> None:
    """4.11, R10: each of them attacks with up to three counters, in both combat phases."""
    game = house("Rising Dream  station\nShadow Lotus  station", phase="combat-1", dice=[3] * 8)
    assert sorted(game.view(T).combats) == [(DREAM,), (LOTUS,)]
    for name in (DREAM, LOTUS):
        begin_fight(game, {name: "fist kick"})
        play(game, name, "fist", DOOR)
        play(game, name, "kick", DOOR)
    go_to(game, "combat-2")
    for name in (DREAM, LOTUS):
        begin_fight(game, {name: "fist kick"})
        play(game, name, "fist", DOOR)
        play(game, name, "kick", DOOR)
    assert len(told(game, events.DoorStruck)) == 8


def test_all_who_stand_there_come_in_once_it_is_destroyed() -> None:
    """4.11, R10: any or all of them enter in a later movement phase; the printed 3 limits LC only."""
    names = (DREAM, LOTUS, SONG, DUCK, GOLDMAN)
    game = house("\n".join(f"{name}  station" for name in names), doors=[DOOR])
    for name, way in zip(names, ("EEEE", "EEE", "EE", "E", ""), strict=True):
        t(game, Enter(name, FRONT))
        if way:
            walk(game, name, way)
    assert [where(game, name) for name in names] == [(4, 1), (3, 1), (2, 1), (1, 1), (0, 1)]
    assert told(game, events.Entered)[0].rule == "4.11"


def test_break_in_from_station_to_hall() -> None:
    """4.11: station in Move I, the door broken in Combat I, inside in Move II."""
    game = house("Rising Dream  off\nShadow Lotus  off\nServant 1  5,1", dice=[5, 2])
    t(game, Station(DREAM, FRONT), Station(LOTUS, FRONT), EndPhase())
    begin_fight(game, {DREAM: "kick"})
    play(game, DREAM, "kick", DOOR)
    begin_fight(game, {LOTUS: "fist"})
    play(game, LOTUS, "fist", DOOR)
    assert game.view("public").phase == "terminator-move-2"
    t(game, Enter(LOTUS, FRONT))
    walk(game, LOTUS, "EE")
    t(game, Enter(DREAM, FRONT))
    assert (where(game, LOTUS), where(game, DREAM)) == ((2, 1), (0, 1))


def test_the_second_at_a_door_already_broken() -> None:
    """5.3, R18: who comes after the door fell has nothing to strike and stops."""
    game = house("Rising Dream  station\nShadow Lotus  station", phase="combat-1", dice=[1])
    begin_fight(game, {DREAM: "kick"})
    play(game, DREAM, "kick", DOOR)
    begin_fight(game, {LOTUS: "kick fist"})
    assert list(game.decision(T).options) == [Stop()]  # type: ignore[union-attr]


def test_only_who_stands_there_comes_in_by_it() -> None:
    """R10: through the open front door come those who took station outside it before."""
    game = house("Rising Dream  off", doors=[DOOR])
    assert_refused(game, T, Enter(DREAM, FRONT), "R10", "stands outside the door")
    t(game, Station(DREAM, FRONT))
    go_to(game, "terminator-move-2")
    t(game, Enter(DREAM, FRONT))
    assert where(game, DREAM) == (0, 1)


def test_station_may_be_left_again() -> None:
    """R10: in a later movement phase he may come in elsewhere instead."""
    game = house("Rising Dream  station")
    t(game, Enter(DREAM, LOO))
    assert where(game, DREAM) == (5, 0)


def test_figures_outside_cannot_be_attacked() -> None:
    """R10: a Jelly, a gun and spikes right behind the door have no combat with those outside it."""
    inside = "J-1  0,1\nArmed Technician 1  1,1\nJ-7  2,1\nCloneMaster  5,1"
    for doors in ([], [DOOR]):
        game = house(f"Rising Dream  station\n{inside}", phase="combat-1", doors=doors)
        assert game.view(C).combats == (() if doors else ((DREAM,),))


def test_entry_square_behind_the_door_by_its_own_price() -> None:
    """R7, 4.11: the square behind the front door is the first of his movement."""
    game = house("Rising Dream  station\nJ-1  0,1", doors=[DOOR])
    t(game, Enter(DREAM, FRONT))
    assert told(game, events.Entered)[0].cost == 3
    assert steps(game, DREAM, "E") in game.decision(T).options  # type: ignore[union-attr]
