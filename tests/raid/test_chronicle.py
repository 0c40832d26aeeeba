"""What is told after a game: luck, standing, turning points, record sheets over time."""

from __future__ import annotations

import itertools
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.bots import make_bot
from engine.core.match import play
from engine.core.record import load_record
from engine.core.takeback import AnswerTakeback, AskTakeback
from engine.raid import events as e
from engine.raid.choices import Done, EndPhase, Enter, Exit, Shoot, UntrainedAttack
from engine.raid.chronicle import (
    LEAST_LUCK,
    LEAST_SWING,
    MOST_TURNING_POINTS,
    Chronicle,
    Roll,
    chance_of_such_luck,
    chronicle,
    luck_table,
)
from engine.raid.figures import SIDES
from engine.raid.match import RaidMatch, RaidReplay
from engine.raid.scenario import Escape, Points, Reinforcement, load_scenario
from tests.helpers.raid import C, T, fight, idle, lose, match, open_room, plan, position
from tests.helpers.raid import play as play_counter
from tests.raid import test_examples as examples

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.json"))


def told_of(game: RaidMatch) -> Chronicle:
    """Let everybody idle to the end and return what happened."""
    for _ in range(3000):
        if game.is_over:
            return chronicle(RaidReplay.of(game.record))
        idle(game)
    raise AssertionError("the game did not end")


def roll(needs: int, hit: bool, side: str = T, kind: str = "inactive") -> Roll:
    """Return a die for the luck table."""
    return Roll(0, side, kind, needs, hit, e.HandEmpty("R16", side))


# Luck


def test_the_chance_of_such_luck_is_that_of_the_dice() -> None:
    """Counted over all throws of the dice, for unlike needs."""
    needs = (1, 3, 4, 5, 6)
    expected = sum(needs)
    for hits in range(len(needs) + 1):
        far = abs(6 * hits - expected)
        throws = [
            sum(die <= need for die, need in zip(dice, needs, strict=True))
            for dice in itertools.product(range(1, 7), repeat=len(needs))
        ]
        as_far = sum(abs(6 * number - expected) >= far for number in throws)
        assert chance_of_such_luck(needs, hits) == pytest.approx(as_far / len(throws))


def test_the_chance_by_hand() -> None:
    """Two dice that hit on 3: none or two hits come in half of all throws, one or fewer or more in all."""
    assert chance_of_such_luck((3, 3), 2) == 0.5
    assert chance_of_such_luck((3, 3), 0) == 0.5
    assert chance_of_such_luck((3, 3), 1) == 1.0
    assert chance_of_such_luck((), 0) == 1.0


def test_luck_by_side_and_kind() -> None:
    """Expected hits are the sum of needs over six, the deviation that of independent dice."""
    rolls = [roll(4, True), roll(4, True), roll(2, False, kind="door"), roll(3, True, C, "gunfire")]
    rows = {(row.side, row.kind): row for row in luck_table(rolls)}
    assert list(rows) == [(T, "all"), (T, "inactive"), (T, "door"), (C, "all"), (C, "gunfire")]
    every = rows[T, "all"]
    assert (every.dice, every.hits) == (3, 2)
    assert every.expected == pytest.approx(10 / 6)
    assert every.deviation == pytest.approx((8 + 8 + 8) ** 0.5 / 6)
    assert rows[C, "gunfire"].chance == 1.0


def test_the_first_worked_example() -> None:
    """5.4 Example I: a die missed and two hit, read in the columns the example names."""
    example = examples.load(1)
    game = examples.start(example, [*examples.rolls(example), *[6] * 40])
    examples.choose(game, example)
    examples.play_counters(game, example)
    told = told_of(game)
    fought = [one for one in told.rolls if one.kind != "recovery"]
    assert [(one.side, one.kind, one.needs, one.hit) for one in fought] == [
        (C, "kick", 3, False),
        (T, "kick", 3, True),
        (T, "inactive", 4, True),
    ]
    assert told.total(T).expected == pytest.approx(7 / 6)
    assert [place for place, _ in told.running[T][:2]] == [fought[1].position, fought[2].position]
    assert [sum_ for _, sum_ in told.running[T][:2]] == [0.5, pytest.approx(0.5 + 1 / 3)]


def test_the_second_worked_example() -> None:
    """5.4 Example II: a die for every counter that could hit; the tank needs none."""
    example = examples.load(2)
    game = examples.start(example, [*examples.rolls(example), *[6] * 60])
    examples.choose(game, example)
    examples.play_counters(game, example)
    while not game.is_over and not any(isinstance(one, e.CombatEnded) for one in game.events("public")):
        idle(game)
    told = told_of(game)
    dice = [row[key] for row in example["play"] for key in ("resolves", "resolves_itself") if key in row]
    expected = [(row["needs"], row["hit"]) for row in dice if row.get("die") is not None]
    assert [(one.needs, one.hit) for one in told.rolls if one.kind != "recovery"] == expected


def test_untrained_gunfire_and_recovery_have_their_owners() -> None:
    """R22, R23, 5.6: who attacks owns the die, and who recovers; seven against one are sure to hit."""
    servants = "\n".join(
        f"Servant {n}  {x},{y}"
        for n, (x, y) in enumerate(((0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2)), 1)
    )
    game = match(
        open_room(8, 3),
        f"Rising Dream  1,1  fist3 heart1\nArmed Technician 1  3,1\nCloneMaster  7,2\n{servants}",
        phase="combat-2",
        turns=1,
        dice=[6, 2, 1],
    )
    fight(game, {})
    for number in range(1, 8):
        game.submit(C, UntrainedAttack(f"Servant {number}", "Rising Dream"))
    lose(game, "heart")
    game.submit(C, Shoot("Armed Technician 1", "Rising Dream"))
    while not any(isinstance(one, e.ShotRolled) for one in game.events("public")):
        game.submit(*next((one.side, Done()) for one in game.decisions()))
    lose(game, "fist")
    told = told_of(game)
    assert [(one.side, one.kind, one.needs, one.hit) for one in told.rolls] == [
        (C, "untrained", 6, True),
        (C, "gunfire", 3, True),
        (T, "recovery", 2, True),
    ]
    assert told.total(C).expected == 1.5


# Standing and turning points


def wrecking() -> RaidMatch:
    """Return a game in which Rising Dream wrecks one of two tanks, then is hit by a Jelly."""
    game = match(
        plan("\n".join("A" * 7 for _ in range(3)), equipment="tank 0,0; tank 6,2"),
        "Rising Dream  1,1  fist3 heart3\nJ-1  2,1\nCloneMaster  4,2",
        phase="combat-1",
        turns=2,
        dice=[1, 6, 6, 6, 6, 6, 6],
    )
    fight(game, {"Rising Dream": "fist", "J-1": "kick"})
    play_counter(game, "Rising Dream", "fist", "tank 0,0")
    play_counter(game, "J-1", "kick", "Rising Dream", lost="heart")
    return game


def test_the_standing_by_hand() -> None:
    """Level at the start; up with a tank, down with a level, down as time passes, then the result."""
    told = told_of(wrecking())
    values = [one.value for one in told.standing]
    assert values[0] == 0
    tank = (1 - 4 / 5) / (1 + 4 / 5)  # three for the CloneMaster, one for either tank
    assert max(values) == pytest.approx(tank)
    hit = (5 / 6 - 4 / 5) / (5 / 6 + 4 / 5)
    assert hit in [pytest.approx(value) for value in values]
    later = (5 / 12 - 4 / 5) / (5 / 12 + 4 / 5)
    assert later in [pytest.approx(value) for value in values]
    assert values[-1] == -1


def test_a_combat_is_one_turning_point_with_its_blow() -> None:
    """The tank outweighs the level lost in the same combat; the replay shows the tank destroyed there."""
    game = wrecking()
    told = told_of(game)
    (point,) = told.turning_points
    assert point.text == "Rising Dream destroys the tank 0,0 with Iron Fist."
    assert (point.turn, point.phase, point.is_luck) == (1, "combat-1", False)
    hit = (5 / 6 - 4 / 5) / (5 / 6 + 4 / 5)
    assert point.swing == pytest.approx(hit)
    replay = RaidReplay.of(game.record)
    replay.go(point.position)
    here = replay.events("open", point.position - 1)
    assert any(isinstance(one, e.EquipmentDestroyed) for one in here)
    assert (point.before.equipment, point.after.equipment) == (2, 1)
    assert (point.before.terminator_levels, point.after.terminator_levels) == (6, 5)


def test_the_blow_that_ends_the_game_is_a_turning_point() -> None:
    """R31: the last Terminator falls without Mountain Heart; that the rest follows at once hides nothing."""
    game = match(
        open_room(7, 3),
        "Rising Dream  1,1  fist1\nJ-1  2,1\nCloneMaster  4,2",
        phase="combat-1",
        turns=5,
        dice=[1],
    )
    fight(game, {"J-1": "kick"}, first=C)
    play_counter(game, "J-1", "kick", "Rising Dream", lost="fist")
    assert game.is_over
    (point,) = told_of(game).turning_points
    assert "J-1's Lightning Foot on Rising Dream" in point.text
    assert point.swing == -1


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_turning_points_of_kept_games(path: Path) -> None:
    """At most ten, in order, none twice, none of a mere passing of time, the same whenever asked."""
    replay = RaidReplay.of(load_record(path))
    told = chronicle(replay)
    points = told.turning_points
    assert 1 < len(points) <= MOST_TURNING_POINTS
    assert [one.position for one in points] == sorted({one.position for one in points})
    assert len({one.start for one in points}) == len(points)
    assert all(
        abs(one.luck) >= LEAST_LUCK if one.is_luck else abs(one.swing) >= LEAST_SWING for one in points
    )
    assert all(-1 <= one.value <= 1 for one in told.standing)
    replay.go(5)
    assert chronicle(replay) == told
    assert replay.position == 5


def test_the_killing_of_the_clonemaster_is_told_with_its_blow() -> None:
    """The blow and what came of it stand in one line."""
    told = chronicle(
        RaidReplay.of(load_record(next(one for one in RECORDS if one.stem == "terminator-victory")))
    )
    point = max(told.turning_points, key=lambda one: one.swing)
    assert point.text.endswith("hit. CloneMaster is out of the game.")
    assert point.before.clonemaster_lives
    assert not point.after.clonemaster_lives


# Record sheets


def test_sheets_by_turn() -> None:
    """A column for each turn; when it fell and died stands beside; Jellies never found have no sheet."""
    game = match(
        open_room(9, 3),
        "Rising Dream  1,1  fist3\nJ-1  2,1  kick1 / kick2 heart1\nJ-2  8,0  down\nCloneMaster  8,2",
        phase="combat-1",
        turns=2,
        dice=[1, 1, *[6] * 9],
    )
    fight(game, {"Rising Dream": "fist fist", "J-1": ""})
    play_counter(game, "Rising Dream", "fist", "J-1", lost="kick")
    play_counter(game, "Rising Dream", "fist", "J-1")
    told = told_of(game)
    sheets = {sheet.figure: sheet for sheet in told.sheets}
    assert told.turns == (1, 2)
    assert "J-1" in sheets
    jelly = sheets["J-1"]
    assert [one.what for one in jelly.happenings] == ["fell", "died"]
    assert [(one.turn, one.place) for one in jelly.columns] == [(1, "dead"), (2, "dead")]
    dream = sheets["Rising Dream"]
    assert [(one.turn, one.place, one.levels["fist"]) for one in dream.columns] == [
        (1, "map", 3),
        (2, "dead", 3),
    ]


def test_what_was_taken_back_is_told_no_more_but_its_die_fell() -> None:
    """A hit taken back by consent leaves sheets and turning points; the die stays in the luck."""
    game = match(
        open_room(9, 3),
        "Rising Dream  1,1  fist3\nJ-1  2,1\nCloneMaster  8,2",
        phase="combat-1",
        turns=1,
        dice=[1, 6, *[6] * 9],
    )
    fight(game, {"Rising Dream": "fist", "J-1": ""})
    play_counter(game, "Rising Dream", "fist", "J-1", lost="kick")
    game.submit(T, AskTakeback())
    game.submit(C, AnswerTakeback(True))
    told = told_of(game)
    assert [one.hit for one in told.rolls][:1] == [True]
    assert len([one for one in told.rolls if one.side == T]) == 2
    jelly = next(sheet for sheet in told.sheets if sheet.figure == "J-1")
    assert sum(jelly.columns[-1].levels.values()) == 3
    assert told.turning_points == ()


# Any scenario


def scored(captured: int = 5) -> Chronicle:
    """Return a short game that scores, in which Rising Dream wrecks a tank for 5 points."""
    scenario = position(
        plan("\n".join("A" * 7 for _ in range(3)), equipment="tank 0,0; tank 6,2"),
        "Rising Dream  1,1  fist3\nCloneMaster  4,2",
        phase="combat-1",
        turns=1,
    )
    points = Points(killed=0, captured=captured)
    game = RaidMatch.new(msgspec.structs.replace(scenario, points=points), "test", dice=())
    fight(game, {"Rising Dream": "fist"})
    play_counter(game, "Rising Dream", "fist", "tank 0,0")
    return told_of(game)


def test_a_draw_by_points_ends_level() -> None:
    """6.3, R31: equal points are a draw, whose standing is 0; only the tank is a turning point."""
    told = scored()
    assert told.standing[-1].value == 0
    assert [one.text for one in told.turning_points] == ["Rising Dream destroys the tank 0,0 with Iron Fist."]
    assert (told.turning_points[0].before.points, told.turning_points[0].after.points) == ((0, 0), (5, 0))
    assert [one.what for one in told.sheets[0].happenings] == ["captured"]


def test_points_weigh_in_the_last_turn_alone() -> None:
    """6.3: with no time left what was scored decides: 5 of the 65 points that a side could make."""
    told = scored(captured=0)
    assert told.standing[-2].value == pytest.approx(5 / (5 + 50 + 2 * 5))
    assert told.standing[-1].value == 0.75


def test_an_unfinished_game_tells_nothing() -> None:
    """Secrets stay closed while a game is under way."""
    game = match(open_room(5, 3), "Rising Dream  1,1\nCloneMaster  4,2")
    with pytest.raises(ValueError, match="over"):
        chronicle(RaidReplay.of(game.record))


@pytest.mark.parametrize("name", ["basic", "advanced", "solitaire", "solitaire-two-players"])
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10_000), bot=st.sampled_from(["random", "rulebook"]))
def test_every_die_is_counted_and_sheets_end_as_the_game_did(name: str, seed: int, bot: str) -> None:
    """Dice in the events are dice in the luck; the last column is the open view; both hold in any game."""
    game = RaidMatch.new(load_scenario(name), str(seed))
    play(game, {side: make_bot(bot, f"{seed}-{side}") for side in SIDES})
    replay = RaidReplay.of(game.record)
    told = chronicle(replay)
    replay.go(replay.length)
    fallen = [one for one in replay.events("open") if getattr(one, "die", None) is not None]
    assert len(told.rolls) == len(fallen) == sum(told.total(side).dice for side in SIDES)
    assert sum(row.dice for row in told.luck if row.kind != "all") == len(fallen)
    view = replay.view("open")
    for sheet in told.sheets:
        figure, last = view.figure(sheet.figure), sheet.columns[-1]
        assert (last.place, last.is_conscious, last.levels) == (
            figure.place,
            figure.is_conscious,
            figure.levels,
        )
        assert tuple(one.turn for one in sheet.columns) == told.turns
    assert len(told.turning_points) <= MOST_TURNING_POINTS


def test_a_reinforcement_whose_coming_was_taken_back_still_had_its_dice() -> None:
    """A die that fell counts, though the one who threw it is in no view that stands (6.2)."""
    board = plan("AAAAAAAAAA", entries="In  9,0  1  1  -; Out  0,0  1  1  -")
    scenario = position(board, "Rising Dream  0,0\nCloneMaster  dead", phase="terminator-move-2")
    game = RaidMatch.new(
        msgspec.structs.replace(
            scenario,
            reinforcements=(Reinforcement(from_turn=1, number=1, entry="In"),),
            escape=Escape(from_turn=1),
        ),
        "test",
        dice=(6,),
    )
    game.submit(T, EndPhase())
    game.submit(C, Enter("LC 1", "In"))
    while not any(isinstance(event, e.ShotRolled) for event in game.events("public")):
        shots = [shot for one in game.decisions() for shot in one.options if isinstance(shot, Shoot)]
        if shots:
            game.submit(C, shots[0])
        else:
            idle(game)
    for _ in range(3):
        game.submit(T, AskTakeback())
        game.submit(C, AnswerTakeback(True))
        if game.view("public").phase == "terminator-move-2":
            break
    game.submit(T, Exit("Rising Dream"))
    assert game.is_over
    told = chronicle(RaidReplay.of(game.record))
    assert [(one.side, one.hit) for one in told.rolls] == [(C, False)]
