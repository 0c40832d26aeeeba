"""How far a learner is in a lesson: what he is to do now, and what comes of what he does instead.

No window here. A choice that the lesson does not ask for is legal all the same: it is made, and the rest of
the lesson is tried on a copy. Where the lesson still works out, the learner just goes on; where it does
not, he is told and takes the choice back.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from app.tutorial.lesson import Lesson, Step, Task, is_same
from engine.core.decision import Choice, Decision, IllegalChoice
from engine.core.dice import OutOfDice
from engine.core.player import Player
from engine.core.record import Record
from engine.raid.choices import Move
from engine.raid.figures import SIDES
from engine.raid.match import RaidMatch
from engine.raid.view import View

SPARE_ROLLS = (3, 4, 2, 5, 1, 6) * 4
"""Dice for choices that leave the lesson's way."""


class Stage(Enum):
    """Where in a step the learner is."""

    ASK = "ask"  # the step is told; something is to be read, seen or done
    AFTER = "after"  # it has happened and is explained
    ASTRAY = "astray"  # a choice was made from which the lesson cannot go on
    DONE = "done"  # the lesson is over


class Script(Player):
    """Plays the other side of a lesson as it is written."""

    wants_view = False

    def __init__(self) -> None:
        self._lines: list[Choice] = []

    def learn(self, lines: Sequence[Choice]) -> None:
        """Take the choices to make next."""
        self._lines = list(lines)

    @property
    def has_lines(self) -> bool:
        """Whether there is something left to do."""
        return bool(self._lines)

    def decide(self, view: Any, decision: Decision) -> Choice | None:
        """Return the next choice of the script; None while it has none."""
        return self._lines.pop(0) if self._lines else None


class Walkthrough:
    """One learner's way through a lesson, over a match in memory; it begins at a step, counted from 0."""

    def __init__(self, lesson: Lesson, step: int = 0) -> None:
        self.lesson = lesson
        self.number = 0
        self.stage = Stage.ASK
        self.is_detour = False  # the last choice was another than asked for, and does no harm
        self.left: list[Task] = list(lesson.steps[0].tasks)
        self.match = new_match(lesson)
        self._starts = [self.match.record]  # by step, up to this one
        self._before = self.match.record  # what to go back to from ASTRAY
        self.script = Script()
        for passed in lesson.steps[: min(step, len(lesson.steps) - 1)]:
            play_out(self.match, lesson.side, [task[0] for task in passed.tasks])
            play_out(self.match, lesson.other_side, passed.other)
            self._next()

    @property
    def step(self) -> Step:
        """The present step."""
        return self.lesson.steps[self.number]

    @property
    def text(self) -> str:
        """What there is to say now."""
        if self.stage is Stage.ASTRAY:
            return self.step.otherwise
        return self.step.after if self.stage is Stage.AFTER else self.step.text

    @property
    def wanted(self) -> tuple[Choice, ...]:
        """What "Show me" would do: a choice of each task left."""
        return tuple(task[0] for task in self.left) if self.stage is Stage.ASK else ()

    @property
    def can_go_back(self) -> bool:
        """Whether there is a step, or a part of one, to take back."""
        return self.number > 0 or self.stage is not Stage.ASK or self._is_under_way

    @property
    def _is_under_way(self) -> bool:
        return len(self.match.record.choices) > len(self._starts[self.number].choices)

    # Going on

    def why_not(self) -> IllegalChoice | None:
        """Return why the learner may make no choice now; None where the step asks for one."""
        if self.stage is Stage.ASTRAY:
            return IllegalChoice("first take back what led off the lesson's way (Back)", "-")
        if self.stage is not Stage.ASK or not self.left:
            return IllegalChoice("read on first; the lesson says when it is your turn (Next)", "-")
        return None

    def made(self, choice: Choice, before: Record) -> None:
        """Follow a choice that the learner has made; `before` is the record without it."""
        task = next((one for one in self.left if any(is_same(choice, wanted) for wanted in one)), None)
        left = [one for one in self.left if one is not task]
        is_asked_for = task is not None and choice in task
        self.is_detour = False
        if is_asked_for or self._still_works(before, left):
            self.is_detour = task is None
            self.left = left
            if not left:
                self._finish_doing()
        else:
            self._before = before
            self.stage = Stage.ASTRAY

    def lines(self) -> tuple[Choice, ...]:
        """Return what the other side does now that the learner reads on."""
        return self.step.other if self.stage is Stage.ASK else ()

    def read(self) -> None:
        """Go on from what was read, once the other side's choices are made; not past what is to be done."""
        if self.stage is Stage.ASK and self.step.other:
            self._finish_doing()
        elif self.stage is Stage.AFTER or (self.stage is Stage.ASK and not self.left):
            self._next()

    def _finish_doing(self) -> None:
        if self.step.after:
            self.stage = Stage.AFTER
        else:
            self._next()

    def _next(self) -> None:
        if self.number + 1 == len(self.lesson.steps):
            self.stage = Stage.DONE
            return
        self.number += 1
        self.stage = Stage.ASK
        self.is_detour = False
        self.left = list(self.step.tasks)
        del self._starts[self.number :]
        self._starts.append(self.match.record)

    # Going back

    def back(self) -> RaidMatch:
        """Take back a choice that led astray, else this step, else the one before; return the match then."""
        if self.stage is Stage.ASTRAY:
            self.stage = Stage.ASK
            return self._resume(self._before)
        if self.stage is Stage.ASK and not self._is_under_way and self.number:
            self.number -= 1
        self.stage = Stage.ASK
        self.is_detour = False
        self.left = list(self.step.tasks)
        del self._starts[self.number + 1 :]
        return self._resume(self._starts[self.number])

    def _resume(self, record: Record) -> RaidMatch:
        self.match = RaidMatch.from_record(record)
        return self.match

    # Whether the lesson still works

    def _still_works(self, before: Record, left: Sequence[Task]) -> bool:
        """Return whether the rest can be played, from a position no other than the lesson's.

        Compared is the position when the step is done, with dice and all that both sides know; of a
        movement only the points left may differ, as long as they last.
        """
        side = self.lesson.side
        here = RaidMatch.from_record(self.match.record)
        straight = RaidMatch.from_record(before)
        wanted = tuple(task[0] for task in left)
        missing = tuple(task[0] for task in self.left)
        if not (play_out(here, side, wanted) and play_out(straight, side, missing)):
            return False
        return position(here) == position(straight) and self._rest_works(here)

    def _rest_works(self, match: RaidMatch) -> bool:
        lesson = self.lesson
        return all(
            play_out(match, lesson.side, [task[0] for task in step.tasks])
            and play_out(match, lesson.other_side, step.other)
            for step in lesson.steps[self.number + 1 :]
        )


def new_match(lesson: Lesson) -> RaidMatch:
    """Return a lesson's game at its start; no file holds it."""
    seats = {lesson.side: "human", lesson.other_side: "lesson"}
    names = {lesson.side: "You", lesson.other_side: "The lesson"}
    dice = (*lesson.dice, *SPARE_ROLLS)
    return RaidMatch.new(lesson.scenario, "lesson", seats=seats, names=names, dice=dice)


def play_out(match: RaidMatch, side: str, choices: Sequence[Choice]) -> bool:
    """Make choices for a side; return whether all of them could be made."""
    for choice in choices:
        try:
            match.submit(side, as_offered(match, side, choice))
        except (IllegalChoice, OutOfDice):
            return False
    return True


def as_offered(match: RaidMatch, side: str, choice: Choice) -> Choice:
    """Return a choice so that it fits where the figure stands: a walk by the way that is offered."""
    if isinstance(choice, Move) and match.why(side, choice) is not None:
        decision = match.decision(side)
        for one in decision.options.of(choice.figure) if decision is not None else ():
            if is_same(one, choice):
                return one
    return choice


def position(match: RaidMatch) -> tuple[object, ...]:
    """Return all that matters of a position: what both sides know, and the dice that have fallen."""
    dice = [die for event in match.events("public") if (die := getattr(event, "die", None)) is not None]
    return (*(_standing(match.view(side)) for side in SIDES), dice)


def _standing(view: View) -> tuple[object, ...]:
    moving = (view.movement.figure, view.movement.must_go_on) if view.movement is not None else None
    return (
        view.turn,
        view.phase,
        view.figures,
        view.face_down,
        view.doors,
        view.equipment,
        view.fight,
        view.combats,
        view.released,
        view.free_move_kept,
        moving,
        view.outcome,
    )
