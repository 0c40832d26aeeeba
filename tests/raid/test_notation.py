"""Choices, positions and games as text: copied out of the program, pasted back, and nothing lost or told."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.core.decision import Choice
from engine.core.files import BadFile
from engine.core.record import Record, RecordedChoice, format_record, load_record
from engine.core.takeback import AnswerTakeback, AskTakeback
from engine.raid import choices as c
from engine.raid.figures import SIDES
from engine.raid.match import GameChoice, RaidMatch, RaidReplay
from engine.raid.notation import (
    format_choice,
    format_game,
    format_position,
    parse_choice,
    parse_game,
)
from engine.raid.scenario import SHIPPED, load_scenario
from tests.helpers.raid import match, open_room

RECORDS = Path(__file__).parents[1] / "records"
KINDS = GameChoice.__args__
names = st.sampled_from(["Rising Dream", "J-3", "Servant 12", "Armed Technician 1", "none"]) | st.text(
    max_size=12
)
values = {
    "str": names,
    "int": st.integers(-9, 99),
    "bool": st.booleans(),
    "Square": st.tuples(st.integers(-9, 255), st.integers(-9, 255)),
    "tuple[Square, ...]": st.lists(st.tuples(st.integers(0, 255), st.integers(0, 255)), max_size=6).map(
        tuple
    ),
    "tuple[str, ...]": st.lists(
        st.sampled_from(["fist", "kick", "none"]) | st.text(max_size=5), max_size=3
    ).map(tuple),
}


def choices_of(kind: type[Choice]) -> st.SearchStrategy[Choice]:
    """Return a strategy of all choices of one kind, with names that no figure has among them."""
    hints = {name: kind.__annotations__[name] for name in kind.__struct_fields__}
    return st.builds(kind, **{name: values[hint] for name, hint in hints.items()})


def assert_one_line(text: str) -> None:
    """Check that a refusal is one line."""
    assert len(text.splitlines()) == 1


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_choice_comes_back_from_its_line(kind: type[Choice]) -> None:
    """Round trip for every kind of choice, whatever names it holds, on one line and never as JSON."""

    @settings(max_examples=60, deadline=None, derandomize=True)
    @given(choices_of(kind))
    def check(choice: Choice) -> None:
        line = format_choice(choice)
        assert len(line.splitlines()) == 1
        assert not line.startswith("{")
        assert parse_choice(line) == choice

    check()


@pytest.mark.parametrize(
    ("choice", "line"),
    [
        (c.Move("Rising Dream", ((5, 6), (5, 7))), "Rising Dream: move 5,6 5,7"),
        (
            c.SetAbilities("Golden Song", 2, 1, 0, 1, 3),
            "Golden Song: levels fist 2 kick 1 mist 0 soul 1 heart 3",
        ),
        (c.ChooseCounters("J-3", ()), "J-3: choose none"),
        (c.Fight(0), "fight 1"),
        (c.NameTarget("door 17,9 E"), "target door 17,9 E"),
        (c.ReleaseCloneMaster(), "release CloneMaster"),
        (c.Release("Servant 4"), "Servant 4: release"),
        (c.FreeMove(False), "free move later"),
        (c.Enter("Shadow Lotus", "Garbage: Disposal"), 'Shadow Lotus: enter "Garbage: Disposal"'),
        (AskTakeback(), "ask takeback"),
        (AnswerTakeback(True), "agree"),
    ],
    ids=str,
)
def test_a_line_reads_like_the_game(choice: Choice, line: str) -> None:
    """The text is fixed: old logs and bug reports stay readable."""
    assert format_choice(choice) == line
    assert parse_choice(f"  {line} ") == choice


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("", "nothing is said"),
        ("Rising Dream: mvoe 5,6", '"mvoe 5,6" is nothing that a figure does; that is levels, place'),
        ("Rising Dream: move 5;6", '"5;6" is no square'),
        ("jump", '"jump" is no choice; those without a figure are ready'),
        ("fight one", '"one" is no number of a combat'),
        ("done now", '"now" is too much'),
        ("Golden Song: levels fist 2 fist 1", "fist is given twice"),
        ("Golden Song: levels fist 2", "the level of kick is missing"),
        ("Golden Song: levels fist", '"" is no level of fist'),
        ("Golden Song: play", "the counter is missing"),
        ('"Golden Song: play fist', "not closed"),
        ('{"do": "fly"}', "no choice"),
    ],
)
def test_a_line_that_is_no_choice_says_what_is_wrong(line: str, wrong: str) -> None:
    """An unreadable line is refused in one line that names what is wrong with it."""
    with pytest.raises(ValueError, match=re.escape(wrong)) as caught:
        parse_choice(line)
    assert len(str(caught.value).splitlines()) == 1


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(max_size=60) | st.text("abcdefghij :,.\"'0123456789{}", max_size=40))
def test_any_text_is_a_choice_or_refused(line: str) -> None:
    """Whatever is pasted, nothing but a ValueError comes of it."""
    try:
        choice = parse_choice(line)
    except ValueError as error:
        assert_one_line(str(error))
    else:
        assert parse_choice(format_choice(choice)) == choice


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10_000), st.integers(0, 500), st.sampled_from(SHIPPED))
def test_random_games_come_back_from_their_text(seed: int, length: int, scenario: str) -> None:
    """A game of any shipped scenario, cut anywhere, is the same record byte for byte after copy and paste."""
    game = RaidMatch.new(load_scenario(scenario), str(seed), names={"terminator": 'Ann "A"\n[x]'})
    chance = random.Random(seed)
    while not game.is_over and game.revision < length:
        decision = game.decisions()[0]
        game.submit(decision.side, decision.options.sample(chance))
    text = format_game(game.record)
    assert f'[Scenario "{scenario}"]' in text
    assert '"do"' not in text
    assert format_record(parse_game(text)) == format_record(game.record)


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.json")), ids=lambda path: path.stem)
def test_kept_games_come_back_from_their_text(path: Path) -> None:
    """The records kept for the rules survive the notation, with windows' line ends too."""
    record = load_record(path)
    text = format_game(record)
    assert parse_game(text.replace("\n", "\r\n")) == record
    assert "== Turn 1, Terminator Move I\n" in text


def test_what_has_no_short_form_is_kept_as_json() -> None:
    """Own scenarios, branches, scripted dice, keys of newer programs and broken rows are all still there."""
    game = match(open_room(5, 3), "Rising Dream  1,1\nCloneMaster  3,1", dice=[1, 2, 3])
    record = game.record.branched(0, "again", (4, 5))
    record = msgspec.structs.replace(
        record,
        extra=(("mood", {"a": [1]}),),
        choices=(
            RecordedChoice("terminator", {"do": "end-phase"}),
            RecordedChoice("terminator", {"do": "fly", "to": 3}),
            RecordedChoice("referee", {"do": "end-phase"}),
            RecordedChoice("terminator", {"do": "end-phase"}, extra=(("why", "tired"),)),
        ),
    )
    text = format_game(record)
    assert "1. T end phase\n2. {" in text
    assert parse_game(text) == record


GOOD = '[Title "x"]\n[Seed "1"]\n[Scenario "basic"]\n1. T ready\n2. C ready\n'


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("1. T ready", "1. T raedy", 'line 4: "raedy" is no choice'),
        ("1. T ready", "1. X ready", 'line 4: "X" is no side'),
        ("1. T ready\n", "", "line 4: choice 1 must come here, not 2"),
        ("2. C ready", "two", 'line 5: "two" is neither a header nor a numbered choice'),
        ('"basic"', '"basis"', 'line 3: "basis" is no shipped scenario'),
        ('"basic"', "basic", 'line 3: [Scenario]: "basic" is not JSON'),
        ('[Scenario "basic"]\n', "", "[Scenario] is missing"),
        ('"basic"]', '"basic"]\n[Digest "0"]', 'line 4: the scenario "basic" was another'),
        ("[Title", "[Titel", "line 1: [Titel] is not known"),
        ('[Seed "1"]', '[Title "1"]', "line 2: [Title] stands twice, first in line 1"),
        ('[Seed "1"]', "[Seed 1]", "line 2: seed: "),
        ('[Seed "1"]', '[Seed "1"]\n[Dice [1, 7]]', "line 3: dice[1]: "),
        ('[Seed "1"]', '[Seed "1"]\n[Extra {"seed": "2"}]', 'line 3: [Extra] must not hold "seed"'),
        ('[Seed "1"]', '[Seed "1"]\n[Extra 3]', "line 3: [Extra] must hold an object"),
        ("2. C ready", '2. {"side": 3, "choice": {}}', "line 5: choices[1].side: "),
    ],
)
def test_a_fault_of_a_game_names_its_line(old: str, new: str, fault: str) -> None:
    """Whoever mends a pasted game by hand is told the line and what is wrong with it."""
    assert len(parse_game(GOOD).choices) == 2
    with pytest.raises(BadFile) as caught:
        parse_game(GOOD.replace(old, new, 1))
    assert len(caught.value.problems) == 1
    assert fault in caught.value.problems[0]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.text(max_size=80)
    | st.lists(st.sampled_from([*GOOD.splitlines(), "[Dice []]", "7. T x", '1. {"a":']), max_size=8).map(
        "\n".join
    )
)
def test_any_text_is_a_game_or_refused(text: str) -> None:
    """Whatever is opened as a game, nothing but BadFile comes of it."""
    try:
        record = parse_game(text)
    except BadFile as error:
        for line in error.problems:
            assert_one_line(line)
    else:
        assert isinstance(record, Record)


# Positions


def test_a_position_shows_no_more_than_its_viewer_knows() -> None:
    """A counter face down is "??" to the other side, not its name, and nothing else tells it."""
    game = match(
        open_room(6, 3),
        """
        Rising Dream  1,1  fist2 heart1
        CloneMaster  3,1  down
        Servant 1  5,2  down
        J-1  2,0  - / kick2 heart1
        """,
    )
    plan = game.board.plan
    public = format_position(game.view("public"), plan)
    assert " 1  A   RD  A   ??  A   A\n" in f" {public}".replace("\n1  ", "\n 1  ")
    assert "j1" in public
    assert "CloneMaster  " not in public
    assert "Servant" not in public
    assert "fist" not in public
    assert "Face down, unknown (2): 3,1 5,2" in public
    own = format_position(game.view("clonemaster"), plan)
    assert "CM" in own
    assert re.search(r"S1 +Servant 1 +5,2 +face down", own)
    assert "unconscious, - / kick2 heart1" in own
    assert "fist2 heart1" in format_position(game.view("terminator"), plan)


def test_equal_views_give_equal_positions() -> None:
    """The text is made of the View alone: at each moment of a game both sides' texts follow from theirs."""
    replay = RaidReplay.of(load_record(RECORDS / "random.json"))
    for at in range(0, replay.length, 40):
        replay.go(at)
        for viewer in (*SIDES, "public"):
            view = replay.view(viewer)
            copied = msgspec.convert(json.loads(msgspec.json.encode(view)), type(view))
            assert format_position(copied, replay.board.plan) == format_position(view, replay.board.plan)
