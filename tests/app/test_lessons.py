"""Lessons as data: their scripts play, their dice fall as written, and what a learner may do instead."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.folders import data_folder
from app.tutorial import progress
from app.tutorial.lesson import PANELS, SHIPPED, Lesson, load_lesson, parse_lesson
from app.tutorial.pointer import place_named
from app.tutorial.walkthrough import Stage, Walkthrough, as_offered, new_match, play_out, position
from engine.core.decision import Choice
from engine.core.files import BadFile
from engine.fortress.thing_names import door_names, equipment_names
from engine.raid import choices as c
from engine.raid import events
from engine.raid.match import RaidMatch
from engine.raid.problems import check_playable
from engine.raid.scenario import figure_names, plan_of
from resources.path import resource

EXAMPLES = Path(__file__).parents[1] / "raid" / "examples"


def played(lesson: Lesson) -> RaidMatch:
    """Return a lesson's game played through as "Show me" does, with no die beyond those written down."""
    match = RaidMatch.new(lesson.scenario, "lesson", dice=lesson.dice)
    for step in lesson.steps:
        for side, made in (
            (lesson.side, [task[0] for task in step.tasks]),
            (lesson.other_side, list(step.other)),
        ):
            for choice in made:
                match.submit(side, choice)
    return match


def do(way: Walkthrough, *made: Choice) -> None:
    """Make the learner's choices."""
    for choice in made:
        assert way.why_not() is None
        before = way.match.record
        way.match.submit(way.lesson.side, choice)
        way.made(choice, before)


def go_on(way: Walkthrough) -> None:
    """Do what a step is about, and read on."""
    if way.wanted:
        do(way, *(as_offered(way.match, way.lesson.side, choice) for choice in way.wanted))
        return
    assert play_out(way.match, way.lesson.other_side, way.lines())
    way.read()


def go_to(way: Walkthrough, title: str) -> None:
    """Go through the lesson to the first step of that title, not yet done."""
    for _ in range(300):
        if way.step.title == title and way.stage is Stage.ASK:
            return
        go_on(way)
    raise AssertionError(f"no step {title!r}")


# The files


@pytest.mark.parametrize("name", SHIPPED)
def test_a_lesson_plays_to_its_end_with_exactly_its_dice(name: str) -> None:
    """Every choice of a lesson's script is legal when its turn comes; no roll is missing, none left over."""
    lesson = load_lesson(name)
    match = played(lesson)
    rolled = [die for event in match.events("public") if (die := getattr(event, "die", None)) is not None]
    assert rolled == list(lesson.dice)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_lesson_stands_on_a_sound_map(name: str) -> None:
    """A lesson's scenario has no fault that would keep a game from being played."""
    check_playable(load_lesson(name).scenario)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_step_says_little_and_points_at_what_is_there(name: str) -> None:
    """At most three sentences a text; every name and square that a step points at exists."""
    lesson = load_lesson(name)
    plan = plan_of(lesson.scenario)
    names = {*figure_names(lesson.scenario), *door_names(plan), *equipment_names(plan), *PANELS}
    for step in lesson.steps:
        for text in (step.text, step.after, step.otherwise):
            assert len(re.findall(r"[.!?](?:\s|$)", text)) <= 3, text
            assert len(text) <= 300, text
        for word in step.show:
            place = place_named(word)
            assert word in names or (place is not None and plan.room_at(*place[0])), (step.title, word)
        assert bool(step.otherwise) == bool(step.tasks), step.title


def test_every_rule_of_a_lesson_leads_to_the_help() -> None:
    """A step's rule number is a link: the help has a text for it."""
    from app.help.topics import find_rule

    rules = {step.rule for name in SHIPPED for step in load_lesson(name).steps if step.rule}
    assert [rule for rule in sorted(rules) if find_rule(rule) is None] == []


def test_the_lessons_come_by_every_rule_of_the_game() -> None:
    """Each concept of the basic game has a step that cites its rule."""
    taught = {step.rule for name in SHIPPED for step in load_lesson(name).steps}
    assert {"2.4", "2.5", "2.6", "3.2", "6.1"} <= taught
    assert {"4.1", "4.2", "4.21", "4.3", "4.41", "4.43", "4.6", "4.7"} <= taught
    assert {"5.1", "5.3", "5.4", "5.5", "5.6", "5.62", "5.7", "5.8"} <= taught


@pytest.mark.parametrize(("name", "number"), [("first-fight", 1), ("great-brawl", 2)])
def test_a_lesson_is_the_rulebooks_worked_example(name: str, number: int) -> None:
    """5.4: two lessons have the hands, numbers needed, dice and hits of the rulebook's two examples."""
    example: dict[str, Any] = json.loads((EXAMPLES / f"combat-{number}.json").read_text(encoding="utf-8"))
    match = played(load_lesson(name))
    wanted = [
        (row[key]["column"], row[key]["needs"], row[key]["die"], row[key]["hit"])
        for row in example["play"]
        for key in ("resolves", "resolves_itself")
        if "column" in row.get(key, ())
    ]
    told = match.events("public")
    attacks = [
        (one.column, one.needs, one.die, one.hit) for one in told if isinstance(one, events.AttackResolved)
    ]
    assert attacks == wanted
    hands = sorted(
        tuple(sorted(figure["counters"])) for figure in example["figures"].values() if "counters" in figure
    )
    chosen = [
        tuple(sorted(choice.counters))
        for step in load_lesson(name).steps
        for choice in (*(task[0] for task in step.tasks), *step.other)
        if isinstance(choice, c.ChooseCounters)
    ]
    assert sorted(chosen) == hands
    rolled = [one for one in told if isinstance(one, events.UntrainedRolled | events.ShotRolled)]
    written = [*example.get("untrained", ()), *example.get("gunfire", ())]
    assert [(one.needs, one.die, one.hit) for one in rolled] == [
        (row["needs"], row["die"], row["hit"]) for row in written
    ]


def test_the_raid_ends_in_total_victory() -> None:
    """6.1: the guided raid kills the CloneMaster, destroys everything and gets out."""
    outcome = played(load_lesson("small-raid")).view("public").outcome
    assert outcome is not None
    assert (outcome.winner, outcome.level) == ("terminator", "total victory")


def test_a_spoilt_lesson_is_refused_with_the_place() -> None:
    """A lesson that could not be gone through says where it is wrong."""
    raw = json.loads(resource("tutorial/first-fight.json").read_bytes())
    raw["steps"][7]["other"] = [{"do": "stop"}]
    del raw["steps"][9]["otherwise"]
    del raw["scenario"]["start"]
    with pytest.raises(BadFile) as caught:
        parse_lesson(json.dumps(raw).encode())
    assert [line.split(":")[0] for line in caught.value.problems] == [
        "steps[7]",
        "steps[9].otherwise",
        "scenario.start",
    ]
    raw["steps"][8]["other"] = [{"do": "fly"}]
    with pytest.raises(BadFile, match=r"steps\[8\]\.other"):
        parse_lesson(json.dumps(raw).encode())


# Going through


def test_another_way_to_the_same_square_does_no_harm() -> None:
    """A walk in two parts is no mistake: the lesson goes on when the figure has arrived."""
    way = Walkthrough(load_lesson("small-raid"))
    go_to(way, "Points")
    do(way, c.Move("Rising Dream", ((0, 2),)))
    assert (way.stage, way.is_detour) == (Stage.ASK, True)
    do(way, c.Move("Rising Dream", ((1, 2),)))
    assert (way.stage, way.is_detour) == (Stage.AFTER, False)
    go_to(way, "What you have learnt")
    assert way.match.is_over


def test_a_roundabout_way_that_costs_the_lessons_points_leads_astray() -> None:
    """A legal walk after which the lesson's next walk is too far is explained and taken back."""
    way = Walkthrough(load_lesson("small-raid"))
    go_to(way, "Points")
    do(way, c.Move("Rising Dream", ((0, 2), (0, 3), (0, 2), (1, 2))))
    assert way.stage is Stage.ASTRAY
    assert way.text == way.step.otherwise
    way.back()
    assert (way.stage, way.step.title) == (Stage.ASK, "Points")
    assert way.match.view("terminator").figure("Rising Dream").square == (0, 3)


def test_another_legal_choice_is_made_explained_and_taken_back() -> None:
    """A counter that the lesson needs later is played all the same, and taken back then."""
    way = Walkthrough(load_lesson("first-fight"))
    go_to(way, "Your reply")
    before = way.match.record
    do(way, c.PlayCounter("Rising Dream", "soul"))
    assert way.stage is Stage.ASTRAY
    assert way.match.record != before
    refusal = way.why_not()
    assert refusal is not None
    assert "take back" in refusal.reason
    way.read()
    assert way.stage is Stage.ASTRAY, "reading on does not lead out of it"
    way.back()
    assert way.match.record == before
    go_to(way, "What you have learnt")


def test_counters_named_in_another_order_are_the_same_hand() -> None:
    """R16: a hand has no order."""
    way = Walkthrough(load_lesson("first-fight"))
    go_to(way, "Your hand")
    do(way, c.ChooseCounters("Rising Dream", ("soul", "kick", "kick")))
    assert way.stage is Stage.AFTER


def test_back_goes_through_the_whole_lesson_past_dice_and_reveals() -> None:
    """Every step can be taken back, to the very start, and played again to the same end."""
    for name in SHIPPED:
        way = Walkthrough(load_lesson(name))
        start = way.match.record
        for _ in range(500):
            if way.stage is Stage.DONE:
                break
            go_on(way)
        end = way.match.record
        for _ in range(500):
            if not way.can_go_back:
                break
            way.back()
        assert (way.number, way.match.record) == (0, start)
        for _ in range(500):
            if way.stage is Stage.DONE:
                break
            go_on(way)
        assert way.match.record == end


@pytest.mark.parametrize("name", SHIPPED)
def test_every_legal_choice_at_every_step_is_answered(name: str) -> None:
    """Whatever legal thing a learner tries, the lesson either goes on or says so and takes it back."""
    way = Walkthrough(load_lesson(name))
    tried = astray = 0
    for _ in range(300):
        if way.stage is Stage.DONE:
            break
        if way.wanted:
            decision = way.match.decision(way.lesson.side)
            assert decision is not None
            number, left, before = way.number, list(way.left), way.match.record
            for choice in list(decision.options)[:8]:
                do(way, choice)
                tried += 1
                if way.stage is Stage.ASTRAY:
                    astray += 1
                    way.back()
                while way.match.record != before:
                    way.back()
                assert (way.number, way.left, way.stage) == (number, left, Stage.ASK)
        go_on(way)
    assert way.stage is Stage.DONE
    assert tried > astray > 0


def test_a_lesson_gives_no_turn_while_something_is_to_be_read() -> None:
    """A step without a task takes no choice, and says why."""
    way = Walkthrough(load_lesson("first-fight"))
    refusal = way.why_not()
    assert refusal is not None
    assert "read on" in refusal.reason


def test_the_match_of_a_lesson_has_no_file() -> None:
    """A lesson is not one of the player's games."""
    assert new_match(load_lesson("first-fight")).path is None


# Progress


def test_lessons_done_are_remembered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A lesson done stays done; a spoilt or unwritable file is no trouble."""
    monkeypatch.setenv("KUNGFU2100_DATA", str(tmp_path / "data"))
    assert progress.progress().done == ()
    progress.mark_done("first-fight")
    progress.mark_done("small-raid")
    progress.mark_done("first-fight")
    assert progress.progress().done == ("first-fight", "small-raid")
    assert progress.progress_path().parent == data_folder()
    progress.progress_path().write_text("{", encoding="utf-8")
    assert progress.progress().done == ()
    monkeypatch.setenv("KUNGFU2100_DATA", str(tmp_path / "data" / "lessons.json" / "below a file"))
    progress.mark_done("first-fight")
    assert progress.progress().done == ()


def test_the_step_a_lesson_is_left_at_is_remembered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A lesson is begun from its second step on, until it is done."""
    monkeypatch.setenv("KUNGFU2100_DATA", str(tmp_path / "data"))
    progress.mark_done("small-raid")
    progress.mark_step("first-fight", 4)
    progress.mark_step("great-brawl", 7)
    assert progress.progress().steps == {"first-fight": 4, "great-brawl": 7}
    progress.mark_step("great-brawl", 0)
    progress.mark_done("first-fight")
    assert progress.progress() == progress.Progress(done=("small-raid", "first-fight"))


@pytest.mark.parametrize("name", SHIPPED)
def test_a_lesson_goes_on_at_any_step_as_if_played_to_there(name: str) -> None:
    """Taken up at a step it has the position, the dice and the way back that following it gives."""
    straight = Walkthrough(load_lesson(name))
    for number in range(len(straight.lesson.steps)):
        while straight.number < number:
            go_on(straight)
        taken_up = Walkthrough(straight.lesson, number)
        assert (taken_up.number, taken_up.stage, taken_up.wanted) == (number, Stage.ASK, straight.wanted)
        assert taken_up.match.record.choices == straight.match.record.choices
        assert position(taken_up.match) == position(straight.match)
        if number:
            taken_up.back()
            assert taken_up.number == number - 1
    assert Walkthrough(straight.lesson, 999).number == len(straight.lesson.steps) - 1


def test_an_alternative_named_by_a_lesson_is_accepted() -> None:
    """A task may name several choices: any of them does."""
    lesson = load_lesson("first-fight")
    steps = list(lesson.steps)
    at = next(number for number, step in enumerate(steps) if step.title == "Your hand")
    other = c.ChooseCounters("Rising Dream", ("fist", "kick", "kick"))
    steps[at] = msgspec.structs.replace(steps[at], tasks=((steps[at].tasks[0][0], other),))
    way = Walkthrough(msgspec.structs.replace(lesson, steps=tuple(steps)))
    go_to(way, "Your hand")
    do(way, other)
    assert way.stage is Stage.AFTER
