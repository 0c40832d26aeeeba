"""3.1, 6.1, R5, R30: how both sides set up the Basic scenario."""

import random

import msgspec
import pytest

from engine.bots import BOTS, ONLY_SIDE, make_bot
from engine.core.decision import Choice
from engine.raid import events
from engine.raid.choices import EndPhase, Move, Place, Ready, SetAbilities, TakeBack
from engine.raid.match import RaidMatch
from engine.raid.scenario import load_scenario
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    SONG,
    C,
    T,
    assert_refused,
    c,
    kind,
    levels,
    offered,
    seen,
    t,
    told,
)

SEVEN = (1, 3, 1, 1, 1)


def new(**changes: object) -> RaidMatch:
    """Return the Basic scenario before its set-up."""
    return RaidMatch.new(msgspec.structs.replace(load_scenario("basic"), **changes), "set-up")


def ready_up(game: RaidMatch, side: str) -> None:
    """Let a side set up somehow and be ready."""
    chooser = random.Random(4)
    while (mine := game.decision(side)) is not None and mine.kind.startswith("set-up"):
        game.submit(side, mine.options.sample(chooser))


def squares_of(game: RaidMatch, name: str) -> set[tuple[int, int]]:
    """Return the squares that a counter is offered."""
    return {choice.square for choice in offered(game, C, Place) if choice.figure == name}  # type: ignore[attr-defined]


def test_forces_of_the_basic_scenario() -> None:
    """6.1: 3 Terminators; 1 CloneMaster, 2 armed and 10 unarmed technicians, 12 servants, 8 of 10 Jellies."""
    game = new()
    kinds = [figure.kind for figure in game.view(C).figures]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "terminator": 3,
        "clonemaster": 1,
        "armed_technician": 2,
        "technician": 10,
        "servant": 12,
        "jelly": 10,
    }
    ready_up(game, C)
    placed = [figure for figure in game.view(C).figures if figure.square is not None]
    assert len(placed) == 1 + 2 + 10 + 12 + 8
    assert game.view(C).last_turn == 10


def test_jellies_11_and_12_stay_in_the_box() -> None:
    """6.1: Jellies 11 and 12 may not be used."""
    game = new()
    for name in ("J-11", "J-12"):
        assert_refused(game, C, Place(name, (17, 10)), "6.1", "no figure called")


def test_no_ninth_jelly() -> None:
    """6.1: eight Jellies are picked; a ninth needs one taken back."""
    game = new()
    free = sorted(squares_of(game, "J-1"))
    for number in range(1, 9):
        c(game, Place(f"J-{number}", free[number]))
    assert_refused(game, C, Place("J-9", free[20]), "6.1", "take one back")
    c(game, TakeBack("J-3"), Place("J-9", free[20]))
    assert seen(game, "J-9").square == free[20]
    assert_refused(game, C, TakeBack("J-3"), "6.1", "not on the map")


@pytest.mark.parametrize(
    ("name", "allowed", "barred"),
    [
        ("Servant 1", (0, 0), (1, 8)),  # Servants' Quarters; Entry Corridor has J only
        ("Technician 1", (10, 15), None),
        ("Technician 2", (4, 14), (0, 0)),
        ("Armed Technician 1", (4, 14), (0, 0)),
        ("J-1", (12, 1), (0, 0)),
    ],
)
def test_letters(name: str, allowed: tuple[int, int], barred: tuple[int, int] | None) -> None:
    """6.1 a: servants only where there is an S, technicians a T, Jellies a J."""
    game = new()
    if barred is not None:
        assert_refused(game, C, Place(name, barred), "6.1a", "no letter")
        c(game, Place(name, allowed))
        assert seen(game, name).square == allowed
    letter = {"S": "S", "T": "T", "A": "T", "J": "J"}[name[0]]
    plan = game.board.plan
    for x, y in squares_of(game, name):
        room = plan.room_at(x, y)
        assert room is not None
        assert letter in room.setup


def test_clonemaster_may_go_anywhere() -> None:
    """6.1 a: the CloneMaster may be set up in any room, also one without a letter."""
    game = new()
    plan = game.board.plan
    rooms = {room.name for x, y in squares_of(game, "CloneMaster") if (room := plan.room_at(x, y))}
    blank = {room.name for room in plan.rooms if not room.setup}
    assert "Servants' Quarters" in rooms
    assert "Main Biological Lab" in rooms
    # Rooms that he cannot use are loos whose every square lies next to the door.
    assert {room.name for room in plan.rooms} - rooms <= blank


def test_nobody_next_to_a_door() -> None:
    """6.1 b, R5: no counter on either side of a door, common or armored; diagonally is not next to it."""
    game = new()
    assert_refused(game, C, Place("CloneMaster", (4, 2)), "6.1b", "next to a door")
    assert_refused(game, C, Place("CloneMaster", (5, 2)), "6.1b", "next to a door")
    assert_refused(game, C, Place("J-1", (17, 9)), "6.1b", "next to a door")  # armored, from the Overlook
    assert_refused(game, C, Place("J-1", (18, 9)), "6.1b", "next to a door")
    assert_refused(game, C, Place("J-1", (0, 8)), "6.1b", "next to a door")  # the front door
    c(game, Place("J-1", (17, 8)), Place("J-2", (0, 7)))


def test_a_drop_off_is_no_door() -> None:
    """R5: counters may be set up next to the drop-off."""
    game = new()
    c(game, Place("J-1", (15, 10)), Place("J-2", (16, 10)))
    assert seen(game, "J-1").square == (15, 10)


def test_tanks_and_computers() -> None:
    """4.5: no counter on a clone tank's square, any on a computer's."""
    game = new()
    assert_refused(game, C, Place("CloneMaster", (21, 0)), "4.5", "tank")
    c(game, Place("CloneMaster", (25, 7)))


def test_one_counter_a_square() -> None:
    """4.6: two counters never share a square, nor lie off the map."""
    game = new()
    c(game, Place("Servant 1", (0, 0)))
    assert_refused(game, C, Place("Servant 2", (0, 0)), "4.6", "there already")
    assert_refused(game, C, Place("Servant 2", (27, 0)), "6.1", "no square")
    assert_refused(game, C, Place("Servant 2", (99, 0)), "6.1", "no square")
    c(game, Place("Servant 1", (0, 1)), Place("Servant 2", (0, 0)))


def test_ready_only_when_complete() -> None:
    """3.1: a side is ready when all its counters are placed, or all Terminators have levels."""
    game = new()
    assert_refused(game, C, Ready(), "6.1", "25 other counters and 8 Jellies")
    t(game, SetAbilities(DREAM, *SEVEN))
    assert_refused(game, T, Ready(), "6.1", "Shadow Lotus, Golden Song")
    t(game, SetAbilities(LOTUS, *SEVEN), SetAbilities(SONG, *SEVEN), Ready())
    assert_refused(game, T, SetAbilities(DREAM, *SEVEN), "3.1", "complete")


@pytest.mark.parametrize("split", [(1, 3, 1, 1, 1), (2, 1, 1, 1, 2), (1, 1, 1, 1, 3), (1, 1, 2, 2, 1)])
def test_seven_levels(split: tuple[int, int, int, int, int]) -> None:
    """6.1: one level in each of the five talents and two more anywhere."""
    game = new()
    t(game, SetAbilities(DREAM, *split))
    assert tuple(levels(game, DREAM).values()) == split  # fist, kick, mist, soul, heart: no weapon


@pytest.mark.parametrize(
    ("split", "rule", "words"),
    [
        ((2, 2, 2, 1, 0), "6.1", "at least one"),
        ((1, 1, 1, 1, 2), "6.1", "6 levels"),
        ((2, 2, 2, 1, 1), "6.1", "8 levels"),
        ((4, 1, 1, 1, 1), "R30", "above 3"),
    ],
)
def test_levels_refused(split: tuple[int, int, int, int, int], rule: str, words: str) -> None:
    """6.1, R30: no talent at 0, seven in all, none above three."""
    assert_refused(new(), T, SetAbilities(DREAM, *split), rule, words)


def test_eight_levels_under_the_same_cap() -> None:
    """R30: with eight abilities one more level is added under the same cap."""
    game = new(levels=8)
    assert_refused(game, T, SetAbilities(DREAM, 1, 3, 1, 1, 1), "6.1", "starts with 8")
    assert_refused(game, T, SetAbilities(DREAM, 4, 1, 1, 1, 1), "R30", "above 3")
    t(game, SetAbilities(DREAM, 2, 3, 1, 1, 1))
    assert max(max(choice.fist, choice.kick) for choice in offered(game, T, SetAbilities)) == 3  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("side", "choice"),
    [
        (T, Place("Servant 1", (0, 0))),
        (C, SetAbilities(DREAM, *SEVEN)),
        (T, EndPhase()),
        (C, Move("Servant 1", ((0, 0),))),
        (T, TakeBack("Servant 1")),
    ],
)
def test_nothing_but_the_own_set_up(side: str, choice: Choice) -> None:
    """3.1: during set-up nobody moves, and nobody touches the other side's things."""
    assert_refused(new(), side, choice, "3.1", "time to set up")


def test_others_counters_are_not_yours() -> None:
    """6.1: each side places only its own."""
    game = new()
    assert_refused(game, C, Place(DREAM, (0, 0)), "6.1", "not yours")
    assert_refused(game, T, SetAbilities("J-1", *SEVEN), "6.1", "not yours")
    assert_refused(game, C, TakeBack(DREAM), "6.1", "not yours")


def test_play_begins_with_the_first_move() -> None:
    """3.1: with both sides ready, turn 1 begins with Terminator Move I, every counter face down."""
    game = new()
    ready_up(game, T)
    assert kind(game) == "set-up-clonemaster"
    ready_up(game, C)
    view = game.view(T)
    assert (view.turn, view.phase, kind(game)) == (1, "terminator-move-1", "terminator-move")
    assert len(view.face_down) == 33
    assert [figure.side for figure in view.figures] == [T] * 3
    assert {figure.place for figure in view.figures} == {"off"}


def test_like_counters_are_dealt_anew() -> None:
    """3.1, R29: which of two like counters lies where is left to chance, so a name tells nothing later."""
    game = new()
    free = sorted(squares_of(game, "Servant 1"))
    names = [f"Servant {number}" for number in range(1, 13)]
    for name, square in zip(names, free, strict=False):
        c(game, Place(name, square))
    ready_up(game, C)
    before = [seen(game, name).square for name in names]
    ready_up(game, T)
    after = [seen(game, name).square for name in names]
    assert sorted(map(str, before)) == sorted(map(str, after))
    assert before != after


def test_set_up_is_secret() -> None:
    """3.1, R29: neither side nor the public sees the other's set-up while it is made."""
    game = new()
    t(game, SetAbilities(DREAM, *SEVEN))
    c(game, Place("CloneMaster", (25, 7)))
    assert game.view(T).face_down == ()
    for viewer in (C, "public"):
        assert game.view(viewer).figure(DREAM).levels is None
        assert not told(game, events.AbilitiesSet, viewer)
    for viewer in (T, "public"):
        assert not told(game, events.Placed, viewer)
    placed = told(game, events.Placed, C)
    assert [event.figure for event in placed] == ["CloneMaster"]
    assert [event.figure for event in told(game, events.AbilitiesSet, T)] == [DREAM]


@pytest.mark.parametrize("total", range(5, 16))
@pytest.mark.parametrize("bot", [bot for bot in BOTS if ONLY_SIDE.get(bot, T) == T])
def test_bots_spread_any_number_of_levels(bot: str, total: int) -> None:
    """6.1, 7.2, R30: whatever number of levels a scenario gives, a bot's sets are legal."""
    scenario = msgspec.structs.replace(load_scenario("basic"), levels=total)
    game = RaidMatch.new(scenario, "levels")
    player = make_bot(bot, "1")
    player.begin("terminator", scenario, game.board)
    while "terminator" not in game.view("public").ready:
        decision = game.decision("terminator")
        assert decision is not None
        choice = player.decide(game.view("terminator"), decision)
        assert choice is not None
        game.submit("terminator", choice)
    assert {sum((f.levels or {}).values()) for f in game.view("terminator").figures} == {total}
