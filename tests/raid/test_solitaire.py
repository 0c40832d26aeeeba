"""6.3, R29, R31, R32, R34: the Solitaire scenario, alone and for two."""

from collections import Counter

import msgspec
import pytest

from engine.core.decision import Choice
from engine.raid import events
from engine.raid.choices import (
    EndPhase,
    Exit,
    NameTarget,
    Place,
    PlayCounter,
    Ready,
    Release,
    ReleaseCloneMaster,
    SetAbilities,
    TakeBack,
)
from engine.raid.match import RaidMatch
from engine.raid.scenario import Escape, Points, Scenario, load_scenario
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    C,
    T,
    assert_refused,
    c,
    fight,
    go_to,
    idle,
    kind,
    plan,
    play,
    position,
    seen,
    t,
    told,
    walk,
    where,
)

SEVEN = SetAbilities(DREAM, 1, 3, 1, 1, 1)


def solitaire(seed: str = "alone", *, name: str = "solitaire") -> RaidMatch:
    """Return the scenario before the Terminator player is ready."""
    return RaidMatch.new(load_scenario(name), seed)


def begun(seed: str = "alone") -> RaidMatch:
    """Return the Solitaire scenario at its first move."""
    game = solitaire(seed)
    t(game, SEVEN, Ready())
    return game


def hidden(game: RaidMatch) -> dict[str, tuple[int, int]]:
    """Return what lies face down, which tests alone may know."""
    state = game._state
    roster = state.game.roster
    return {
        roster.name[f]: state.game.xy[state.where[f]]
        for f in roster.clone_indices
        if state.where[f] >= 0 and not state.face_up[f]
    }


# The start


def test_forces_of_the_solitaire_scenario() -> None:
    """6.3: one Terminator with seven levels against the Advanced force; LC as in the Advanced scenario."""
    alone, advanced = load_scenario("solitaire"), load_scenario("advanced")
    assert (alone.terminators, alone.levels, alone.turns) == (1, 7, 12)
    for field in (
        "armed_technicians",
        "technicians",
        "servants",
        "jellies",
        "jelly_numbers",
        "reinforcements",
    ):
        assert getattr(alone, field) == getattr(advanced, field)


@pytest.mark.parametrize("name", ["solitaire", "solitaire-two-players"])
def test_prisoner_clonemaster_and_a_jelly_start_side_by_side(name: str) -> None:
    """6.3, R34: the Terminator at 29,0, the CloneMaster south of him, a Jelly east of that, both face up."""
    jellies = set()
    for seed in range(12):
        view = solitaire(str(seed), name=name).view("public")
        assert view.figure(DREAM).square == (29, 0)
        assert view.figure("CloneMaster").square == (29, 1)
        (jelly,) = [figure for figure in view.figures if figure.kind == "jelly"]
        assert jelly.square == (30, 1)
        jellies.add(jelly.name)
        assert view.movement is None  # no free move for the CloneMaster
    assert len(jellies) > 2


def test_counters_are_dealt_over_the_house() -> None:
    """R34: one to each of 24 rooms, one more to each of four vital ones, three anywhere; two at most."""
    for seed in range(20):
        game = begun(str(seed))
        board = game.board
        lying = hidden(game)
        assert len(lying) == 31
        rooms = Counter(board.rooms[board.room_of[board.square(*square)]].name for square in lying.values())
        assert not any(room.startswith("Loo") or room == "Servants' Work Area" for room in rooms)
        assert len(rooms) == 24
        assert max(rooms.values()) == 2
        vital = {board.rooms[board.room_of[thing.square]].name for thing in board.equipment}
        assert len(vital) == 4
        assert all(rooms[room] == 2 for room in vital)
        assert not any(board.beside_door >> board.square(*square) & 1 for square in lying.values())
        kinds = Counter(name.rstrip("0123456789 ") for name in lying)
        assert kinds == {"Armed Technician": 4, "Technician": 8, "Servant": 12, "J-": 7}


def test_nobody_knows_what_lies_face_down() -> None:
    """R29: neither side is told a name or asked to place anything; both see the same 31 backs."""
    game = begun()
    views = [game.view(viewer) for viewer in (T, C, "public")]
    for view in views:
        assert view.face_down == tuple(sorted(hidden(game).values(), key=lambda s: (s[1], s[0])))
        assert {figure.name for figure in view.figures} == {
            DREAM,
            "CloneMaster",
            *(figure.name for figure in views[2].figures if figure.kind == "jelly"),
        }
    assert not told(game, events.Placed, C)
    assert told(game, events.CountersDealt, C)[0].number == 31
    assert game.why(C, ReleaseCloneMaster()) is not None


def test_placing_is_refused_where_chance_deals() -> None:
    """R34: the CloneMaster's side is ready from the start and has nothing to place."""
    game = solitaire()
    assert game.decision(C) is None
    assert_refused(game, C, Place("Servant 1", (2, 2)), "3.1", "complete")


def test_the_player_of_two_places_by_letters_two_to_a_room() -> None:
    """R34: the CloneMaster player sets up by the letters; no third counter goes into a room."""
    game = solitaire(name="solitaire-two-players")
    c(game, Place("Servant 1", (2, 2)), Place("Servant 2", (3, 3)))
    assert_refused(game, C, Place("Servant 3", (1, 1)), "6.3", "no more than 2")
    c(game, Place("Servant 1", (3, 2)))  # within the room it may still be moved
    assert_refused(game, C, Place("Servant 3", (28, 3)), "6.3", "no more than 2")  # the prisoner's room
    assert_refused(game, C, Place("Technician 1", (2, 3)), "6.1a", "no letter")
    assert_refused(game, C, Place("CloneMaster", (9, 9)), "6.3", "starts where")
    (jelly,) = [f.name for f in game.view("public").figures if f.kind == "jelly"]
    assert_refused(game, C, TakeBack(jelly), "6.3", "starts where")
    assert_refused(game, C, Place("LC 1", (9, 9)), "6.2", "later")
    assert told(game, events.Placed, T) == []


# Release


ROW = plan("ABCDEF\nABCDEF", edges="; ".join(f"door {x},0 E" for x in range(5)))


def at_row(figures: str, *, seed: str = "test", **more: object) -> RaidMatch:
    """Return a position on a row of rooms where the nearest counters come out."""
    scenario = msgspec.structs.replace(position(ROW, figures), release="nearest", **more)
    return RaidMatch.new(scenario, seed)


def test_the_two_nearest_come_out_each_clonemaster_move() -> None:
    """6.3b, R32: by the Terminator's own walk, two a turn, and no more by choice."""
    game = at_row(
        "Rising Dream  0,0\nCloneMaster  dead\n"
        "Servant 1  2,0  down\nServant 2  3,0  down\nServant 3  5,0  down"
    )
    go_to(game, "clonemaster-move")
    assert [(event.figure, event.by, event.rule) for event in told(game, events.Revealed)] == [
        ("Servant 1", "nearest", "6.3b"),
        ("Servant 2", "nearest", "6.3b"),
    ]
    assert_refused(game, C, Release("Servant 3"), "6.3b", "nearest")
    go_to(game, "clonemaster-move", turn=2)
    assert told(game, events.Revealed)[-1].figure == "Servant 3"


def test_distance_is_walked_not_flown() -> None:
    """R32: a wall between makes a near counter far; figures and the price of a drop-off do not count."""
    board = plan("AAAB\nAAAB", edges="door 2,1 E; dropoff 0,0 E; dropoff 0,1 E")
    scenario = position(
        board,
        "Rising Dream  2,0\nCloneMaster  dead\n"
        "Servant 1  3,0  down\nServant 2  0,1  down\nServant 3  3,1  down",
    )
    others = set()
    for seed in range(12):
        game = RaidMatch.new(msgspec.structs.replace(scenario, release="nearest"), str(seed))
        go_to(game, "clonemaster-move")
        out = {event.figure for event in told(game, events.Revealed)}
        # From 2,0 it is two steps to 3,1; by 2,1 and 3,1 three to 3,0; over the drop-off three to 0,1.
        assert "Servant 3" in out
        others |= out - {"Servant 3"}
    assert others == {"Servant 1", "Servant 2"}


def test_equals_are_parted_by_the_games_own_dice() -> None:
    """R32: of counters equally near chance picks, whichever they are, the same for the same seed."""
    figures = (
        "Rising Dream  2,0\nCloneMaster  dead\n"
        "Servant 1  1,0  down\nServant 2  3,0  down\nServant 3  2,1  down"
    )
    three = plan("AAAAA\nAAAAA")
    found = set()
    for seed in range(24):
        scenario = msgspec.structs.replace(position(three, figures), release="nearest")
        game = RaidMatch.new(scenario, str(seed))
        go_to(game, "clonemaster-move")
        out = frozenset(event.figure for event in told(game, events.Revealed))
        again = RaidMatch.new(scenario, str(seed))
        go_to(again, "clonemaster-move")
        assert out == frozenset(event.figure for event in told(again, events.Revealed))
        assert len(out) == 2
        found.add(out)
    assert len(found) == 3


def test_entering_a_room_still_releases_all_in_it() -> None:
    """6.3a: the first way of release stays as it is."""
    game = at_row("Rising Dream  0,0\nCloneMaster  dead\nServant 1  1,1  down")
    walk(game, DREAM, "E")
    assert [event.by for event in told(game, events.Revealed)] == ["entry"]


def test_a_clonemaster_found_by_the_nearest_rule_has_his_free_move() -> None:
    """R32, 4.21: turned up in his own phase he takes the four squares of his release at once."""
    game = at_row("Rising Dream  0,0\nCloneMaster  2,0  down")
    go_to(game, "clonemaster-move")
    assert kind(game) == "free-move"


# Leaving


OUT = plan("AAAA\nAAAA", equipment="computer 3,1 E", entries="Loo  0,0  1  1  -")
ESCAPE = Escape(levels_left=2, from_turn=11)


def prisoner(
    levels: str, *, turn: int = 1, escape: Escape = ESCAPE, equipment: tuple[str, ...] = ()
) -> RaidMatch:
    """Return the prisoner beside the way out."""
    scenario = position(
        OUT, f"Rising Dream  0,0  {levels}\nCloneMaster  3,0", turn=turn, turns=12, equipment=equipment
    )
    return RaidMatch.new(msgspec.structs.replace(scenario, escape=escape, points=Points()), "test", dice=())


@pytest.mark.parametrize("levels", ["fist1 / fist2 kick2 heart3", "fist1 soul1 / fist3 soul3 heart1"])
def test_a_prisoner_down_to_one_or_two_levels_may_leave(levels: str) -> None:
    """6.3 (a): with one or two levels left he may try to escape."""
    game = prisoner(levels)
    t(game, Exit(DREAM))
    assert where(game, DREAM) == "escaped"


def test_a_prisoner_with_three_levels_stays() -> None:
    """6.3: with more levels, before turn 11 and with the work undone, he may not leave."""
    game = prisoner("fist1 kick1 soul1 / fist3 kick3 soul1", turn=10)
    assert_refused(game, T, Exit(DREAM), "R11", "no more than 2 levels left, or from turn 11 on")


@pytest.mark.parametrize("turn", [11, 12])
def test_in_the_last_two_turns_a_prisoner_may_leave(turn: int) -> None:
    """6.3 (2): in turns 11 and 12 he may go, whatever he has left."""
    game = prisoner("fist3 kick3 soul1", turn=turn)
    t(game, Exit(DREAM))
    assert game.is_over


def test_with_the_work_done_a_prisoner_may_leave() -> None:
    """6.3 (3): the CloneMaster dead and all equipment destroyed opens the way out at once."""
    scenario = position(OUT, "Rising Dream  0,0\nCloneMaster  dead", equipment=["computer 3,1"])
    game = RaidMatch.new(msgspec.structs.replace(scenario, escape=ESCAPE), "test", dice=())
    t(game, Exit(DREAM))
    assert where(game, DREAM) == "escaped"


# Points


def scored(
    figures: str,
    *,
    equipment: tuple[str, ...] = (),
    turn: int = 12,
    points: Points | None = None,
    escape: Escape | None = None,
    dice: tuple[int, ...] = (),
) -> RaidMatch:
    """Return a position that scores."""
    board = plan(
        "AAAAAAA\nAAAAAAA",
        equipment="computer 6,0 E; computer 6,1 E",
        entries="Loo  0,0  1  1  -",
    )
    scenario = position(board, figures, turn=turn, turns=12, equipment=equipment)
    changed = msgspec.structs.replace(
        scenario, points=points or Points(), escape=escape or Escape(from_turn=1)
    )
    return RaidMatch.new(changed, "test", dice=dice)


def ended(game: RaidMatch) -> tuple[str, str | None, dict[str, int] | None]:
    """Let everybody idle to the end and return the result."""
    while not game.is_over:
        idle(game)
    outcome = game.view("public").outcome
    assert outcome is not None
    assert outcome.points == game.view("public").points
    return outcome.winner, outcome.level, outcome.points


def test_points_of_the_terminator() -> None:
    """6.3: 5 for the CloneMaster, 5 for each machine, 50 more for all of it, 2 for each Jelly killed."""
    game = scored("Rising Dream  0,0\nCloneMaster  1,1\nJ-1  dead\nJ-2  dead")
    assert game.view("public").points == {T: 4, C: 0}
    game = scored("Rising Dream  0,0\nCloneMaster  1,1", equipment=("computer 6,0",))
    assert game.view("public").points == {T: 5, C: 0}
    game = scored("Rising Dream  0,0\nCloneMaster  dead")
    assert game.view("public").points == {T: 5, C: 0}
    game = scored("Rising Dream  0,0\nCloneMaster  dead", equipment=("computer 6,0", "computer 6,1"))
    assert game.view("public").points == {T: 5 + 10 + 50, C: 0}


def test_others_killed_and_jellies_only_hurt_score_nothing() -> None:
    """6.3: no points for servants and technicians, nor for a Jelly that lies unconscious."""
    game = scored(
        "Rising Dream  0,0\nCloneMaster  1,1\nServant 1  dead\nTechnician 1  dead\nJ-1  3,0  - / kick2 heart1"
    )
    assert game.view("public").points == {T: 0, C: 0}


def test_capture_at_the_end_scores_sixty() -> None:
    """6.3, R31: in the building after the last turn he is captured, not killed."""
    game = scored("Rising Dream  0,0\nCloneMaster  6,1")
    assert ended(game) == (C, "total victory", {T: 0, C: 60})
    assert told(game, events.Captured)[0].figure == DREAM
    assert not told(game, events.Killed)


def test_capture_of_one_who_lies_unconscious_ends_the_game_early() -> None:
    """R31: with nobody left who could act or recover the game ends, and the fallen are captured."""
    game = scored("Rising Dream  0,0  - / fist2\nCloneMaster  6,1", turn=3)
    assert game.is_over
    assert ended(game) == (C, "total victory", {T: 0, C: 60})


def test_death_scores_thirty_and_is_no_total_victory() -> None:
    """6.3: 30 for killing him; a lead of just 30 is not more than 30."""
    game = scored("Rising Dream  dead\nCloneMaster  6,1")
    assert ended(game) == (C, "victory", {T: 0, C: 30})


def test_escape_gives_neither_thirty_nor_sixty() -> None:
    """R34: who leaves alive costs nothing; without any points it is a draw (R31)."""
    game = scored("Rising Dream  0,0\nCloneMaster  6,1")
    t(game, Exit(DREAM))
    assert ended(game) == ("draw", None, {T: 0, C: 0})
    assert told(game, events.GameEnded)[0].winner == "draw"


def test_a_lead_of_more_than_thirty_is_total() -> None:
    """6.3: by more than 30 points a side wins totally, by 30 or less it wins."""
    for start, level in ((30, "victory"), (31, "total victory")):
        game = scored("Rising Dream  0,0\nCloneMaster  6,1", points=Points(start=start))
        t(game, Exit(DREAM))
        assert ended(game) == (T, level, {T: start, C: 0})


def test_ten_points_to_start_with_for_two_players() -> None:
    """6.3, R34: against a player the Terminator starts with ten points."""
    assert load_scenario("solitaire-two-players").points == Points(start=10)
    game = solitaire(name="solitaire-two-players")
    assert game.view("public").points == {T: 10, C: 0}


def test_several_terminators_each_count() -> None:
    """6.3 with 7.1: each Terminator killed or captured scores."""
    game = scored("Rising Dream  dead\nShadow Lotus  1,0\nCloneMaster  6,1", escape=Escape())
    assert ended(game) == (C, "total victory", {T: 0, C: 90})
    assert game.view("public").figure(LOTUS).place == "map"


def test_a_jelly_without_mountain_heart_stays_to_be_killed_for_points() -> None:
    """5.62, R28: where Jellies score, one who falls without Mountain Heart lies there until hit once more."""
    figures = "Rising Dream  0,0  fist3\nJ-4  1,0  fist1\nCloneMaster  3,0"
    scenario = position(plan("AAAB", edges="door 2,0 E"), figures, phase="combat-1")
    game = RaidMatch.new(msgspec.structs.replace(scenario, points=Points()), "test", dice=(1, 5))
    fight(game, {DREAM: "fist fist"})
    play(game, DREAM, "fist", "J-4", lost="fist")
    assert seen(game, "J-4").place == "map"
    assert not seen(game, "J-4").is_conscious
    assert game.view("public").points == {T: 0, C: 0}
    do: list[Choice] = [PlayCounter(DREAM, "fist"), NameTarget("J-4")]
    t(game, *do)
    assert seen(game, "J-4").place == "dead"
    assert game.view("public").points == {T: 2, C: 0}


def test_where_jellies_do_not_score_such_a_one_leaves_play() -> None:
    """R28: with no points for Jellies the fallen without Mountain Heart is out at once."""
    scenario = position(
        plan("AAA"), "Rising Dream  0,0  fist3\nJ-4  1,0  fist1\nCloneMaster  dead", phase="combat-1"
    )
    game = RaidMatch.new(msgspec.structs.replace(scenario, points=Points(jelly=0)), "test", dice=(1,))
    fight(game, {DREAM: "fist"})
    play(game, DREAM, "fist", "J-4", lost="fist")
    assert seen(game, "J-4").place == "dead"


def test_the_clonemaster_does_nothing_in_a_free_start() -> None:
    """R34: he starts face up without a free move, and moves in his own phase like anybody."""
    game = begun()
    t(game, EndPhase())
    assert kind(game) in ("fight-order", "terminator-move")
    assert not told(game, events.FreeMoveKept)


@pytest.mark.parametrize("seats", [1, 2])
def test_same_seed_same_deal(seats: int) -> None:
    """Contract 6: the deal follows from the seed alone, however the Terminator is trained."""
    one, other = begun("deal"), solitaire("deal")
    t(other, SetAbilities(DREAM, 3, 1, 1, 1, 1), Ready())
    assert hidden(one) == hidden(other)
    assert hidden(one) != hidden(begun(f"another {seats}"))


def test_any_scenario_can_be_dealt() -> None:
    """7: dealing by chance is a switch of its own; the hidden CloneMaster then surprises his own player."""
    game = RaidMatch.new(Scenario(name="Dealt", set_up="random"), "x")
    assert all(figure.kind != "clonemaster" for figure in game.view(C).figures)
    assert len(hidden(game)) == 33
