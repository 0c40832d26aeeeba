"""A lesson's file: a position with its dice, and the steps that lead through it.

A step tells something, and may wait for the learner (`tasks`) or let the other side act (`other`). The
other side's choices and all dice are written down, so a lesson goes the same way every time.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from engine.core.decision import Choice
from engine.core.files import BadFile, Part, decode
from engine.core.record import Face
from engine.raid.choices import AnyChoice, ChooseCounters, Move
from engine.raid.figures import OTHER_SIDE
from engine.raid.scenario import Scenario
from resources.path import resource

KIND = "kungfu2100.lesson"
VERSION = 1
SHIPPED = ("first-fight", "small-raid", "great-brawl")
"""The lessons in the order in which they are best taken."""
PANELS = ("sheets", "log", "track")
"""Parts of the game's page that a step can point to by name."""

Task = tuple[AnyChoice, ...]
"""Choices of which one is to be made; the first is the one that "Show me" makes."""


class Step(Part, frozen=True, kw_only=True):
    """One step of a lesson: what is said, what is done, what is said of it then.

    `show` names what to look at: figures, equipment, armored doors ("door 17,9 E"), squares ("4,4"), their
    edges ("4,4 E"), PANELS.
    `tasks` are the learner's, all to be done, in any order; `otherwise` is said when he makes another
    legal choice from which the lesson cannot go on. `other` are the other side's choices, made when the
    learner has read on. `after` is said when it has happened.
    """

    title: str
    text: str
    rule: str = ""
    show: tuple[str, ...] = ()
    tasks: tuple[Task, ...] = ()
    otherwise: str = ""
    other: Task = ()
    after: str = ""


class Lesson(Part, frozen=True, kw_only=True):
    """A lesson: the learner plays `side` in a scenario that has a position to start from."""

    title: str
    summary: str
    minutes: Annotated[int, msgspec.Meta(ge=1, le=60)]
    side: Literal["terminator", "clonemaster"] = "terminator"
    dice: tuple[Face, ...] = ()
    scenario: Scenario
    steps: tuple[Step, ...]

    @property
    def other_side(self) -> str:
        """The side that the lesson plays."""
        return OTHER_SIDE[self.side]


def parse_lesson(raw: bytes, path: str = "") -> Lesson:
    """Return the lesson that a file's bytes hold; raises BadFile."""
    lesson = decode(raw, Lesson, KIND, VERSION, path=path)
    found = [
        f"steps[{at}]: waits for the learner and for the other side at once"
        for at, step in enumerate(lesson.steps)
        if step.tasks and step.other
    ]
    found += [
        f"steps[{at}].otherwise: missing"
        for at, step in enumerate(lesson.steps)
        if step.tasks and not step.otherwise
    ]
    found += [f"steps[{at}].tasks: an empty task" for at, step in enumerate(lesson.steps) if () in step.tasks]
    if lesson.scenario.start is None:
        found.append("scenario.start: missing; a lesson begins in the middle of a game")
    if not lesson.steps:
        found.append("steps: empty")
    if found:
        raise BadFile(found, path)
    return lesson


def load_lesson(name: str) -> Lesson:
    """Return a shipped lesson by its short name; raises FileNotFoundError, BadFile."""
    return parse_lesson(resource(f"tutorial/{name}.json").read_bytes(), name)


def is_same(made: Choice, wanted: Choice) -> bool:
    """Return whether two choices come to the same: a walk by another way, counters in another order."""
    if isinstance(made, Move) and isinstance(wanted, Move):
        return (made.figure, made.path[-1:]) == (wanted.figure, wanted.path[-1:])
    if isinstance(made, ChooseCounters) and isinstance(wanted, ChooseCounters):
        return (made.figure, sorted(made.counters)) == (wanted.figure, sorted(wanted.counters))
    return made == wanted
