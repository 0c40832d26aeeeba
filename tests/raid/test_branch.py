"""Played on from a position of a record: the same secrets, other dice, and still a record like any other."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from engine.core.dice import ScriptedDice
from engine.core.files import BadFile
from engine.core.match import play
from engine.core.record import format_record, load_record, parse_record
from engine.raid import events
from engine.raid.choices import Begin, ChooseCounters, Fight, NameTarget, PlayCounter
from engine.raid.figures import SIDES
from engine.raid.match import RaidMatch, RaidReplay
from engine.raid.scenario import load_scenario
from tests.helpers.raid import DREAM, LOTUS, C, T, c, match, open_room, t, told, walk
from tests.raid.test_contracts import encode, seated, state_of

RECORDS = Path(__file__).parents[1] / "records"


def finished(seed: int = 3) -> RaidMatch:
    """Return a game played by bots."""
    game = RaidMatch.new(load_scenario("basic"), str(seed), seats=dict.fromkeys(SIDES, "rulebook"))
    play(game, seated(game, "rulebook", seed))
    return game


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.json")), ids=lambda path: path.stem)
def test_records_of_before_stay_as_they_are(path: Path) -> None:
    """A version 1 file without a branch opens, and is written byte for byte the same."""
    raw = path.read_bytes()
    assert b'"version": 1' in raw
    record = parse_record(raw)
    assert record.reseeds == ()
    assert format_record(record) == raw
    assert RaidReplay.of(record).length == len(record.choices)


@pytest.mark.parametrize("at", [0, 5, 40, 90])
def test_a_branch_has_the_true_position_and_fresh_dice(at: int) -> None:
    """All that was hidden is where it was; each side is told its own events only; the dice are others."""
    record = finished().record
    replay = RaidReplay.of(record)
    replay.go(at)
    game = RaidMatch.branch(record, at, "fresh", seats={T: "human", C: "random"}, names={T: "Ann"})
    assert state_of(game).dice.seed == "fresh"
    assert (game.seats, game.names) == ({T: "human", C: "random"}, {T: "Ann"})
    assert game.record.last_seed == "fresh"
    assert state_of(game).where == replay.state().where
    assert state_of(game).levels == replay.state().levels
    for side in SIDES:
        assert game.events(side) == replay.events(side)
        assert encode(game.view(side)) == encode(replay.view(side))
    with pytest.raises(ValueError, match="open"):
        game.events("open")


def test_a_branch_saves_itself_and_is_resumed(tmp_path: Path) -> None:
    """The file has the place and seed of the branch; taken up in the middle it goes on alike."""
    record = finished().record
    path = tmp_path / "branch.json"
    game = RaidMatch.branch(record, 60, "fresh", path=path)
    assert b'"reseeds"' in path.read_bytes()
    with pytest.raises(FileExistsError):
        RaidMatch.branch(record, 60, "fresh", path=path)
    halfway = RaidMatch.resume(path)
    for one in (game, halfway):
        one.path, one._writer = None, None
        play(one, seated(one, "rulebook", 8))
    assert game.record == halfway.record
    assert game.record.choices != record.choices
    assert format_record(parse_record(format_record(game.record))) == format_record(game.record)
    replay = RaidReplay.of(game.record)
    replay.go(replay.length)
    assert replay.events("open") == game.events("open")


def test_a_branch_of_a_branch() -> None:
    """Played on again, each part of the game keeps its own dice, and a place played on twice the last."""
    game = RaidMatch.branch(finished().record, 60, "second")
    play(game, seated(game, "random", 9))
    again = RaidMatch.branch(game.record, 80, "third")
    assert [(one.at, one.seed) for one in again.record.reseeds] == [(60, "second"), (80, "third")]
    play(again, seated(again, "random", 10))
    replay = RaidReplay.of(again.record)
    replay.go(79)
    assert replay.state().dice.seed == "second"
    replay.go(80)
    assert replay.state().dice.seed == "third"
    assert [one.seed for one in RaidMatch.branch(again.record, 80, "fourth").record.reseeds] == [
        "second",
        "fourth",
    ]
    assert [one.seed for one in again.record.cut(70).reseeds] == ["second"]


def fight(dice: tuple[int, ...]) -> RaidMatch:
    """Return a combat whose next choice lets a die fall."""
    game = match(
        open_room(5, 1), "Rising Dream  0,0\nJ-1  1,0\nShadow Lotus  2,0", phase="combat-1", dice=dice
    )
    t(game, Fight(0), ChooseCounters(DREAM, ("kick", "fist")), ChooseCounters(LOTUS, ()))
    c(game, ChooseCounters("J-1", ("kick", "kick")))
    t(game, Begin(T), PlayCounter(DREAM, "fist"), NameTarget("J-1"))
    return game


def test_scripted_dice_branch_too() -> None:
    """A worked example is played on with seeded dice, or with a script of its own."""
    record = fight((1, 6)).record
    scripted = RaidMatch.branch(record, len(record.choices), "x", dice=(6,))
    assert isinstance(state_of(scripted).dice, ScriptedDice)
    c(scripted, PlayCounter("J-1", "kick"))
    assert [event.die for event in told(scripted, events.AttackResolved)] == [6]
    again = RaidMatch.from_record(scripted.record)
    assert again.events("public") == scripted.events("public")
    seeded = RaidMatch.branch(record, len(record.choices), "x")
    assert not isinstance(state_of(seeded).dice, ScriptedDice)
    c(seeded, PlayCounter("J-1", "kick"))
    assert told(seeded, events.AttackResolved)


def test_what_is_over_is_not_played_on() -> None:
    """At the end there is nothing to play on from."""
    record = finished().record
    with pytest.raises(ValueError, match="over"):
        RaidMatch.branch(record, len(record.choices), "fresh")
    assert not RaidMatch.branch(record, len(record.choices) - 1, "fresh").is_over


def test_undo_does_not_cross_the_branch() -> None:
    """What the branch was made from stands: the record could not say where its dice changed."""
    game = match(open_room(8, 1), "Rising Dream  0,0\nServant 1  7,0")
    walk(game, DREAM, "E")
    assert game.can_undo(T)
    assert not RaidMatch.branch(game.record, 1, "fresh").can_undo(T)


@pytest.mark.parametrize(
    ("places", "problem"),
    [
        ((5, 5), r"reseeds\[1\].at: not after the one before"),
        ((5, 3), r"reseeds\[1\].at: not after the one before"),
        ((500_000,), r"reseeds\[0\].at: there are only \d+ choices"),
    ],
)
def test_a_bad_place_is_named(places: tuple[int, ...], problem: str) -> None:
    """A hand-made file with branches out of order or beyond its end is refused."""
    record = load_record(RECORDS / "random.json")
    made = record.branched(5, "x").reseeds[0]
    reseeds = tuple(msgspec.structs.replace(made, at=at) for at in places)
    raw = format_record(msgspec.structs.replace(record, reseeds=reseeds))
    with pytest.raises(BadFile, match=problem):
        parse_record(raw)
