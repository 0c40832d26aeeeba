"""6.2, R12: the Advanced scenario and everything that reinforcements bring with them."""

import msgspec
import pytest

from engine.raid import events
from engine.raid.choices import EndPhase, Enter, Move, Shoot
from engine.raid.match import RaidMatch
from engine.raid.scenario import Reinforcement, load_scenario
from tests.helpers.raid import (
    C,
    T,
    assert_refused,
    c,
    decision,
    go_to,
    go_until,
    idle,
    kind,
    plan,
    position,
    seen,
    told,
    walk,
    where,
)

HALL = plan("AAAAAA\nAAAAAA", edges="armored 0,0 W", entries="Front Door  0,0  3  0  W; Loo  5,1  1  1  -")
FRONT = (Reinforcement(from_turn=2, number=3, entry="Front Door"),)


def game_of(figures: str, coming: tuple[Reinforcement, ...] = FRONT, **more: object) -> RaidMatch:
    """Return a position of the first turn, with reinforcements to come."""
    scenario = position(HALL, figures, **more)  # type: ignore[arg-type]
    return RaidMatch.new(msgspec.structs.replace(scenario, reinforcements=coming), "test", dice=())


def test_forces_of_the_advanced_scenario() -> None:
    """6.2: four armed and eight unarmed technicians, three LC from turn 6 on by the front door, 12 turns."""
    scenario = load_scenario("advanced")
    kinds = [figure.kind for figure in RaidMatch.new(scenario, "x").view(C).figures]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "terminator": 3,
        "clonemaster": 1,
        "armed_technician": 4,
        "technician": 8,
        "servant": 12,
        "jelly": 10,
    }
    assert scenario.turns == 12
    assert [(row.from_turn, row.kind, row.number, row.entry) for row in scenario.reinforcements] == [
        (6, "lc", 3, "Front Door")
    ]
    assert msgspec.structs.replace(
        scenario, name="Basic", notes="", turns=10, armed_technicians=2, technicians=10, reinforcements=()
    ) == load_scenario("basic")


def test_three_come_each_turn_from_the_sixth_to_the_last() -> None:
    """6.2: twelve policemen by the CloneMaster Move of turn 9, twenty-one in all; none before turn 6."""
    scenario = load_scenario("advanced")
    start = position("citadel", "Rising Dream  29,0\nCloneMaster  8,0", turns=12).start
    game = RaidMatch.new(
        msgspec.structs.replace(
            scenario, terminators=1, jellies=0, armed_technicians=0, technicians=0, servants=0, start=start
        ),
        "test",
        dice=(),
    )
    go_to(game, "terminator-move-1", turn=6)
    assert not told(game, events.ReinforcementsCame)
    while not game.is_over:
        idle(game)
    came = told(game, events.ReinforcementsCame)
    assert len(came) == 7
    assert [name for event in came for name in event.figures] == [f"LC {n}" for n in range(1, 22)]
    assert {event.entry for event in came} == {"Front Door"}


def test_constabulary_is_released_and_waits_outside_for_all_to_see() -> None:
    """6.2: an LC is face up from the start; until it is brought in it stands outside, which all know."""
    game = game_of("Rising Dream  5,0\nCloneMaster  5,1")
    assert all(figure.kind != "lc" for figure in game.view(C).figures)
    go_to(game, "clonemaster-move", turn=2)
    for viewer in (T, C, "public"):
        assert [f.place for f in game.view(viewer).figures if f.kind == "lc"] == ["waiting"] * 3


def test_entry_through_the_front_door_costs_as_any_way_does() -> None:
    """R12, R7: a square, and one more while the armored door stands; then the rest of four points."""
    game = game_of("Rising Dream  5,0\nCloneMaster  5,1")
    go_to(game, "clonemaster-move", turn=2)
    c(game, Enter("LC 1", "Front Door"))
    assert told(game, events.Entered)[-1].cost == 2
    assert decision(game, C).options.price(Move("LC 1", ((1, 0), (2, 0)))) == 2
    assert_refused(game, C, Move("LC 1", ((1, 0), (2, 0), (3, 0))), "4.3", "costs 3")
    walk(game, "LC 1", "EE")
    broken = game_of("Rising Dream  5,0\nCloneMaster  5,1", doors=["door 0,0 W"])
    go_to(broken, "clonemaster-move", turn=2)
    c(broken, Enter("LC 1", "Front Door"))
    assert told(broken, events.Entered)[-1].cost == 1


def test_entry_past_a_terminator_costs_two_more() -> None:
    """R7, 4.43: a conscious Terminator on the first square is hostile to the constabulary as well."""
    game = game_of("Rising Dream  0,0\nCloneMaster  5,1", doors=["door 0,0 W"])
    go_to(game, "clonemaster-move", turn=2)
    c(game, Enter("LC 1", "Front Door"))
    assert told(game, events.Entered)[-1].cost == 3
    assert seen(game, "LC 1").square == (0, 0)
    assert_refused(game, C, EndPhase(), "4.6", "cannot stop")
    assert_refused(game, C, Enter("LC 2", "Front Door"), "R6", "cannot stop")
    walk(game, "LC 1", "E")
    assert where(game, "LC 1") == (1, 0)


def test_one_who_stands_in_the_way_is_passed() -> None:
    """R8, R12: the first square may be taken as long as the points reach a free one behind it."""
    game = game_of("Rising Dream  5,0\nCloneMaster  5,1")
    go_to(game, "clonemaster-move", turn=2)
    c(game, Enter("LC 1", "Front Door"), Enter("LC 2", "Front Door"))
    assert kind(game) == "clonemaster-move"
    assert decision(game, C).options.groups == ("LC 2",)
    walk(game, "LC 2", "ES")
    assert where(game, "LC 2") == (1, 1)


def test_those_who_find_no_room_come_later_on_top_of_the_three() -> None:
    """R12: with the way blocked they wait outside; the next turn's three come as well."""
    lane = plan(
        "AB", edges="armored 0,0 W; armored 0,0 E", entries="Front Door  0,0  3  0  W; Loo  1,0  1  1  -"
    )
    scenario = msgspec.structs.replace(
        position(lane, "Rising Dream  1,0\nServant 1  0,0\nCloneMaster  dead"), reinforcements=FRONT
    )
    game = RaidMatch.new(scenario, "test", dice=())
    go_to(game, "clonemaster-move", turn=2)
    assert_refused(game, C, Enter("LC 1", "Front Door"), "R8", "no free one")
    assert not [group for group in decision(game, C).options.groups if group.startswith("LC")]
    go_to(game, "clonemaster-move", turn=3)
    assert sum(figure.place == "waiting" for figure in game.view("public").figures) == 6


def test_who_finds_room_must_come_in() -> None:
    """6.2, R12: only those for whom there is none wait outside; then they may stand where they came in."""
    game = game_of("Rising Dream  5,0\nCloneMaster  5,1")
    go_to(game, "clonemaster-move", turn=2)
    assert_refused(game, C, EndPhase(), "R12", "LC 1 waits outside and finds room")
    for name, way in (("LC 1", "EE"), ("LC 2", "ES"), ("LC 3", "")):
        assert "" not in decision(game, C).options.groups
        c(game, Enter(name, "Front Door"))
        if way:
            walk(game, name, way)
    assert "" in decision(game, C).options.groups
    c(game, EndPhase())


def test_only_reinforcements_come_in_and_by_their_own_entry() -> None:
    """6.2: nobody else of the CloneMaster's enters, they use the entry of their row, and once."""
    game = game_of("Rising Dream  5,0\nCloneMaster  5,1")
    go_to(game, "clonemaster-move", turn=1)
    assert_refused(game, C, Enter("CloneMaster", "Front Door"), "6.2", "only reinforcements")
    assert_refused(game, C, Enter("LC 1", "Front Door"), "6.2", "only reinforcements")
    go_to(game, "clonemaster-move", turn=2)
    assert_refused(game, C, Enter("LC 1", "Loo"), "6.2", "Front Door")
    assert_refused(game, C, Move("LC 1", ((0, 0),)), "R12", "bring it in")
    c(game, Enter("LC 1", "Front Door"))
    assert_refused(game, C, Enter("LC 1", "Front Door"), "6.2", "only reinforcements")


def test_constabulary_fires_at_any_range() -> None:
    """5.1, 6.2: an LC shoots as far as it sees; an armed technician at the same distance does not."""
    lane = plan("AAAAAAAAAA", entries="Way in  0,0  1  1  -")
    scenario = position(
        lane, "Rising Dream  9,0\nArmed Technician 1  2,0\nCloneMaster  dead", phase="clonemaster-move"
    )
    coming = (Reinforcement(from_turn=1, to_turn=1, number=1, entry="Way in"),)
    game = RaidMatch.new(msgspec.structs.replace(scenario, reinforcements=coming), "test", dice=(3,))
    c(game, Enter("LC 1", "Way in"), EndPhase())
    go_until(game, "gunfire")
    shots = [choice for choice in decision(game, C).options if isinstance(choice, Shoot)]
    assert shots == [Shoot("LC 1", "Rising Dream")]
    c(game, shots[0])
    go_until(game, "lose-ability")
    (roll,) = told(game, events.ShotRolled)
    assert (roll.needs, roll.die, roll.hit) == (3, 3, True)


@pytest.mark.parametrize("kind_of", ["armed_technician", "technician", "servant"])
def test_other_kinds_can_come_too(kind_of: str) -> None:
    """7: a scenario's table may bring other kinds, numbered after those of the force."""
    coming = (Reinforcement(from_turn=1, to_turn=2, kind=kind_of, number=1, entry="Loo"),)  # type: ignore[arg-type]
    game = game_of("Rising Dream  0,0\nServant 1  0,1\nCloneMaster  dead", coming)
    go_to(game, "terminator-move-1", turn=4)
    names = [name for event in told(game, events.ReinforcementsCame) for name in event.figures]
    first = 2 if kind_of == "servant" else 1
    word = {"armed_technician": "Armed Technician", "technician": "Technician", "servant": "Servant"}[kind_of]
    assert names == [f"{word} {first}", f"{word} {first + 1}"]
