"""7, R35, R36: the optional rules, each a switch of the scenario."""

from collections.abc import Callable

import msgspec
import pytest

from engine.bots import make_bot
from engine.core.files import BadFile
from engine.raid import events, victory
from engine.raid.choices import (
    EndPhase,
    Move,
    NameTarget,
    Place,
    PlaceComputer,
    PlaceDoor,
    PlayCounter,
    Ready,
    RemoveExtra,
    SetAbilities,
)
from engine.raid.figures import TERMINATOR_NAMES
from engine.raid.match import RaidMatch
from engine.raid.problems import problems
from engine.raid.scenario import (
    SHIPPED,
    Placement,
    Reinforcement,
    Scenario,
    format_scenario,
    load_scenario,
    parse_scenario,
)
from engine.raid.tables import Allowances, HitNumbers
from tests.helpers.raid import (
    DREAM,
    C,
    T,
    assert_refused,
    c,
    decision,
    destinations,
    fight,
    go_to,
    idle,
    kind,
    levels,
    match,
    offered,
    plan,
    play,
    position,
    t,
    told,
    where,
)


def new(**changes: object) -> RaidMatch:
    """Return the Basic scenario with switches turned, before its set-up."""
    return RaidMatch.new(msgspec.structs.replace(load_scenario("basic"), **changes), "options")


# 7.1, 7.2


@pytest.mark.parametrize("number", [1, 2, 4, 5])
def test_more_or_fewer_terminators(number: int) -> None:
    """7.1, R36: one to five Terminators, by the five names."""
    game = new(terminators=number)
    names = [figure.name for figure in game.view(T).figures if figure.kind == "terminator"]
    assert names == list(TERMINATOR_NAMES[:number])
    for name in names:
        t(game, SetAbilities(name, 1, 3, 1, 1, 1))
    t(game, Ready())


@pytest.mark.parametrize("total", [5, 8, 9, 15])
def test_other_numbers_of_levels(total: int) -> None:
    """7.2, R30: eight levels or any other number, still one in each talent and none above three."""
    game = new(levels=total)
    sets = offered(game, T, SetAbilities)
    assert sets
    for choice in sets:
        assert isinstance(choice, SetAbilities)
        spread = (choice.fist, choice.kick, choice.mist, choice.soul, choice.heart)
        assert sum(spread) == total
        assert min(spread) >= 1
        assert max(spread) <= 3
    assert_refused(game, T, SetAbilities(DREAM, 4, 1, 1, 1, total - 7 if total > 7 else 1), "R30", "above 3")


# 7.3


def place_anywhere(game: RaidMatch, name: str) -> None:
    """Place a counter on the first square offered for it."""
    c(game, next(one for one in decision(game, C).options.of(name) if isinstance(one, Place)))


def test_all_twelve_jellies() -> None:
    """7, 7.3: four Terminators against all twelve, whose two best may be placed."""
    scenario = load_scenario("all-twelve")
    assert (scenario.terminators, scenario.jellies) == (4, 12)
    game = RaidMatch.new(scenario, "x")
    for number in range(1, 13):
        place_anywhere(game, f"J-{number}")
    assert sum(levels(game, "J-11").values()) == sum(levels(game, "J-12").values()) == 4


def test_required_jellies_must_be_in_the_force() -> None:
    """7.3: in the old handicap 11 and 12 stand among the eight, the other six are picked."""
    game = RaidMatch.new(load_scenario("old-review-handicap"), "x")
    for number in range(1, 7):
        place_anywhere(game, f"J-{number}")
    assert_refused(game, C, Place("J-7", (0, 7)), "7.3", "Jelly 11 and 12")
    assert "J-7" not in decision(game, C).options.groups
    place_anywhere(game, "J-12")
    place_anywhere(game, "J-11")
    assert_refused(game, C, Place("J-8", (0, 7)), "6.1", "all 8")


@pytest.mark.parametrize("name", ["solitaire", "solitaire-two-players"])
def test_a_start_jelly_leaves_room_for_those_required(name: str) -> None:
    """7.3, R34: where all the force is required, the Jelly who starts beside the CloneMaster is one of it."""
    scenario = msgspec.structs.replace(load_scenario(name), required_jellies=tuple(range(1, 9)))
    for seed in range(12):
        game = RaidMatch.new(scenario, str(seed))
        assert not {"J-9", "J-10"} & {figure.name for figure in game.view("public").figures}


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"required_jellies": (11,)}, "Jelly 11 is not among jelly_numbers"),
        ({"required_jellies": (1, 1)}, "a Jelly is named twice"),
        ({"required_jellies": (1, 2), "jellies": 1}, "more than the 1 Jellies"),
    ],
)
def test_required_jellies_that_cannot_be(changes: dict[str, object], line: str) -> None:
    """7.3: a file whose required Jellies contradict its other fields says so in a line."""
    raw = msgspec.json.decode(format_scenario(load_scenario("basic")))
    with pytest.raises(BadFile, match=line):
        parse_scenario(msgspec.json.encode({**raw, **changes}))


# 7.4


def test_extras_are_added_in_the_open_before_anything_is_set_up() -> None:
    """7.4, R35: the CloneMaster player adds first; everybody sees it, and only then are counters placed."""
    game = new(extra_doors=1, extra_computers=1)
    assert [one.kind for one in game.decisions()] == ["place-extras"]
    assert_refused(game, T, SetAbilities(DREAM, 1, 3, 1, 1, 1), "7.4", "first the CloneMaster")
    assert_refused(game, C, Place("Servant 1", (2, 2)), "7.4", "not to do this")
    c(game, PlaceDoor((4, 2), "E"), PlaceComputer((0, 0), "W"))
    for viewer in (T, C, "public"):
        view = game.view(viewer)
        assert "door 4,2 E" in [door.name for door in view.doors]
        assert "computer 0,0" in [thing.name for thing in view.equipment]
        assert [event.name for event in told(game, events.ExtraPlaced, viewer)] == [
            "door 4,2 E",
            "computer 0,0",
        ]
    c(game, Ready())
    assert {one.kind for one in game.decisions()} == {"set-up-terminator", "set-up-clonemaster"}


def test_an_extra_can_be_taken_away_again() -> None:
    """7.4: until the additions are done each may be moved; the board is then as it was."""
    game = new(extra_doors=1, extra_computers=1)
    before = game.board
    c(game, PlaceDoor((4, 2), "E"), PlaceComputer((0, 0), "W"))
    assert game.board is not before
    c(game, RemoveExtra("door 4,2 E"), RemoveExtra("computer 0,0"))
    assert game.board is before
    assert_refused(game, C, RemoveExtra("door 4,2 E"), "7.4", "nothing called")
    assert decision(game, C).options.groups == ("armored door", "computer", "")


def test_no_more_extras_than_the_scenario_gives() -> None:
    """7.4: so many doors and so many computers and no more."""
    game = new(extra_doors=1, extra_computers=1)
    c(game, PlaceDoor((4, 2), "E"), PlaceComputer((0, 0), "W"))
    assert_refused(game, C, PlaceDoor((19, 1), "E"), "7.4", "no armored door is left")
    assert_refused(game, C, PlaceComputer((2, 0), "N"), "7.4", "no computer is left")
    assert decision(game, C).options.groups == ("",)


def test_where_extra_doors_and_computers_may_stand() -> None:
    """R35: a door on a common door's edge; a computer along a wall, one to a square, in no loo."""
    game = new(extra_doors=2, extra_computers=2)
    assert_refused(game, C, PlaceDoor((0, 0), "W"), "R35", "place of a common door")
    assert_refused(game, C, PlaceDoor((17, 9), "E"), "R35", "place of a common door")  # armored already
    assert_refused(game, C, PlaceDoor((4, 2), "Q"), "7.4", "not one of N E S W")
    assert_refused(game, C, PlaceComputer((1, 1), "N"), "R35", "along a wall")
    assert_refused(game, C, PlaceComputer((4, 2), "E"), "R35", "along a wall")  # a door's edge
    assert_refused(game, C, PlaceComputer((11, 0), "N"), "R35", "loo")
    assert_refused(game, C, PlaceComputer((20, 7), "W"), "R35", "equipment on that square")
    assert_refused(game, C, PlaceComputer((27, 0), "W"), "R35", "no square")
    assert_refused(game, C, PlaceComputer((40, 0), "W"), "R35", "no square")


def test_only_a_loo_is_a_loo() -> None:
    """R34, R35: a Lookout Post has walls for a computer like any room."""
    board = plan("AAAB", edges="door 2,0 E")
    named = msgspec.structs.replace(
        board,
        rooms=tuple(
            msgspec.structs.replace(room, name={"A": "Lookout Post", "B": "Loo 7"}[room.letter])
            for room in board.rooms
        ),
    )
    game = new(map=named, extra_computers=1, jellies=0, servants=0, technicians=0, armed_technicians=0)
    assert game.why(C, PlaceComputer((0, 0), "N")) is None
    assert_refused(game, C, PlaceComputer((3, 0), "N"), "R35", "loo")


def test_all_equipment_counts_for_victory() -> None:
    """R35: with an extra computer there are eight machines to destroy, and seven are not enough."""
    game = new(extra_computers=1)
    c(game, PlaceComputer((0, 0), "W"), Ready())
    assert len(game.view("public").equipment) == 8
    state = game._state.copy()
    state.where[state.game.roster.clonemaster] = -2
    state.wrecked = (1 << 7) - 1
    assert not victory.is_done(state)
    state.wrecked = (1 << 8) - 1
    assert victory.is_done(state)


def test_no_counter_is_set_up_beside_a_new_door() -> None:
    """R35, R5: the squares beside the door stay closed to the set-up; it bars Terminators like any other."""
    game = new(extra_doors=1)
    c(game, PlaceDoor((4, 2), "E"), Ready())
    assert_refused(game, C, Place("Servant 1", (4, 2)), "6.1b", "next to a door")
    door = next(one for one in game.view(T).doors if one.name == "door 4,2 E")
    assert not door.is_destroyed


def test_a_game_with_extras_is_its_record() -> None:
    """Contract 6, 7.4: additions are choices; a resumed game has the same board and names."""
    game = new(extra_doors=1, extra_computers=1)
    c(game, PlaceComputer((0, 0), "W"), PlaceDoor((4, 2), "E"), Ready(), Place("Servant 1", (2, 2)))
    again = RaidMatch.from_record(game.record)
    assert again.board is game.board
    assert again.view(C) == game.view(C)
    assert game.scenario.map == "citadel"


def test_an_addition_can_be_undone() -> None:
    """Contract 6: nothing came to light, so the additions can be taken back one by one."""
    game = new(extra_doors=1, extra_computers=1)
    before = game.board
    c(game, PlaceDoor((4, 2), "E"))
    game.undo(C)
    assert game.board is before


# Turns, numbers, allowances, dice


def test_turn_limit() -> None:
    """7: the game ends after the turn that the scenario names."""
    game = match(plan("AAA"), "Rising Dream  0,0\nCloneMaster  2,0", turns=3)
    while not game.is_over:
        idle(game)
    assert game.view("public").turn == 3


def test_movement_allowances() -> None:
    """7, 2.55: each kind moves as many squares as the scenario says, and its counter says so."""
    scenario = msgspec.structs.replace(
        position(plan("AAAAAAAAA"), "Rising Dream  0,0\nCloneMaster  8,0"),
        allowances=Allowances(terminator=2, clonemaster=1),
    )
    game = RaidMatch.new(scenario, "x")
    assert destinations(game, DREAM) == {(1, 0), (2, 0)}
    assert game.view(C).figure(DREAM).allowance == 2
    assert_refused(game, T, Move(DREAM, ((1, 0), (2, 0), (3, 0))), "4.3", "costs 3")
    t(game, EndPhase())
    while kind(game) != "clonemaster-move":
        t(game, EndPhase())
    assert destinations(game, "CloneMaster") == {(7, 0)}


def hit_with(hits: HitNumbers, dice: tuple[int, ...]) -> RaidMatch:
    """Return a combat of a Terminator and a servant under other hit numbers."""
    scenario = position(plan("AAA"), "Rising Dream  0,0\nServant 1  1,0\nCloneMaster  dead", phase="combat-1")
    game = RaidMatch.new(msgspec.structs.replace(scenario, hits=hits), "x", dice=dice)
    fight(game, {DREAM: "fist"})
    play(game, DREAM, "fist", "Servant 1")
    return game


def test_hit_numbers_of_the_table() -> None:
    """7, 2.6: the scenario's own numbers decide, and a 0 needs no die."""
    six = HitNumbers(fist=(6, 4, 3, 3, 0, 1))
    assert where(hit_with(six, (6,)), "Servant 1") == "dead"
    assert where(hit_with(HitNumbers(), (6,)), "Servant 1") == (1, 0)
    never = hit_with(HitNumbers(fist=(0, 0, 0, 0, 0, 0)), ())
    assert where(never, "Servant 1") == (1, 0)
    assert told(never, events.AttackResolved)[0].die is None
    assert hit_with(six, (6,)).view("public").hits == six


def test_hit_number_of_doors_and_recovery() -> None:
    """7, 5.7, 5.6: the numbers for armored doors and Mountain Heart are switches as well."""
    board = plan("AB", edges="armored 0,0 E", entries="Loo  0,0  1  1  -; Back  1,0  1  1  -")
    scenario = position(board, "Rising Dream  0,0  fist1 / fist1 heart1\nCloneMaster  dead", phase="combat-1")
    game = RaidMatch.new(
        msgspec.structs.replace(scenario, hits=HitNumbers(door=5, recovery=6)), "x", dice=(5, 6)
    )
    fight(game, {DREAM: "fist"})
    t(game, PlayCounter(DREAM, "fist"), NameTarget("door 0,0 E"))
    assert told(game, events.DoorStruck)[0].destroyed
    go_to(game, "terminator-move-1", turn=2)
    assert levels(game, DREAM) == {"fist": 1, "heart": 1}


# Files and problems


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_scenarios_are_whole(name: str) -> None:
    """Every scenario that ships has a title, notes but for the Basic one, no problems, and saves as it is."""
    scenario = load_scenario(name)
    assert scenario.name
    assert scenario.notes or name == "basic"
    assert problems(scenario) == ()
    assert parse_scenario(format_scenario(scenario)) == scenario


def test_presets_differ_from_the_basic_scenario_in_their_switches_only() -> None:
    """7.1, 7.2, 7.3: what the presets are named for."""
    basic = msgspec.to_builtins(load_scenario("basic"))

    def changed(name: str) -> dict[str, object]:
        other = msgspec.to_builtins(load_scenario(name))
        return {
            key: value for key, value in other.items() if value != basic[key] and key not in ("name", "notes")
        }

    assert changed("hard-for-terminators") == {"terminators": 2}
    assert changed("eight-abilities") == {"levels": 8}
    twelve = tuple(range(1, 13))
    assert changed("all-twelve") == {"terminators": 4, "jellies": 12, "jelly_numbers": twelve}
    assert changed("old-review-handicap") == {"jelly_numbers": twelve, "required_jellies": (11, 12)}


def _with(**changes: object) -> Scenario:
    return msgspec.structs.replace(load_scenario("basic"), **changes)


@pytest.mark.parametrize(
    ("scenario", "place", "words"),
    [
        (
            lambda: _with(reinforcements=(Reinforcement(from_turn=1, number=1, entry="Chimney"),)),
            "reinforcements[0].entry",
            '"Chimney" is no entry',
        ),
        (
            lambda: _with(
                reinforcements=(Reinforcement(from_turn=5, to_turn=4, number=1, entry="Front Door"),)
            ),
            "reinforcements[0].to_turn",
            "before from_turn 5",
        ),
        (
            lambda: _with(reinforcements=(Reinforcement(from_turn=11, number=1, entry="Front Door"),)),
            "reinforcements[0].from_turn",
            "ends with turn 10",
        ),
        (
            lambda: _with(placements=(Placement(kind="clonemaster", square=(27, 0)),)),
            "placements[0].square",
            "no square of the map",
        ),
        (
            lambda: _with(placements=(Placement(kind="servant", square=(21, 0)),)),
            "placements[0].square",
            "tank fills",
        ),
        (
            lambda: _with(placements=(Placement(kind="servant", square=(1, 1)),) * 2),
            "placements[1].square",
            "another figure",
        ),
        (
            lambda: _with(
                placements=(
                    Placement(kind="clonemaster", square=(1, 1)),
                    Placement(kind="clonemaster", square=(2, 1)),
                )
            ),
            "placements[1].kind",
            "not so many figures",
        ),
        (lambda: _with(room_limit=1), "map.rooms", "to be set up"),
        (lambda: _with(set_up="random", release="nearest", room_limit=1), "map.rooms", "to be dealt"),
    ],
)
def test_problems_of_the_new_fields(scenario: Callable[[], Scenario], place: str, words: str) -> None:
    """What cannot work is told with its place, before a game begins."""
    found = problems(scenario())
    assert [(problem.place, words in problem.message) for problem in found] == [(place, True)]
    if found[0].severity == "error":
        with pytest.raises(BadFile, match=r"map\.rooms|placements|reinforcements"):
            RaidMatch.new(scenario(), "x")
    else:
        RaidMatch.new(scenario(), "x")


def test_too_many_reinforcements_are_refused_at_once() -> None:
    """A table that would bring thousands of figures is no scenario."""
    with pytest.raises(ValueError, match="more than 200"):
        _with(turns=99, reinforcements=(Reinforcement(from_turn=1, number=20, entry="Front Door"),))


@pytest.mark.parametrize("bot", ["rulebook", "solitaire"])
def test_bots_add_computers_where_no_door_can_be_added(bot: str) -> None:
    """7.4: a map without common doors still takes the computers."""
    hall = plan("AAAAA\nAAAAA")
    game = new(
        map=hall, extra_doors=2, extra_computers=2, jellies=1, servants=0, technicians=0, armed_technicians=0
    )
    player = make_bot(bot, "extras")
    player.begin(C, game.scenario, game.board)
    while game.decisions()[0].kind == "place-extras":
        choice = player.decide(game.view(C), decision(game, C))
        assert choice is not None
        c(game, choice)
        player.begin(C, game.scenario, game.board)
    assert len(game.view(C).equipment) == 2
