"""A record gone through forwards and backwards."""

from __future__ import annotations

from typing import Any, Generic

from engine.core.course import Course, follow, started
from engine.core.event import Event, Telling
from engine.core.match import OPEN, PUBLIC
from engine.core.record import Record
from engine.core.rules import Rules, ScenarioT, StateT


class Replay(Generic[StateT, ScenarioT]):
    """A record gone through forwards and backwards.

    Every position is worked out once; secrets may be opened, since only finished games are replayed
    openly (`may_open`).
    """

    def __init__(
        self, rules: Rules[StateT, ScenarioT], record: Record, scenario: ScenarioT, path: str = ""
    ) -> None:
        self._rules = rules
        self.record = record
        self.scenario = scenario
        course = started(lambda: Course(rules, record, scenario, keeps_states=True), path)
        self._states = [course.state]
        self._told: list[Telling] = list(course.told_at_start)
        self._marks = [len(self._told)]
        for told in follow(rules, record, course.apply, path):
            self._told += told
            self._states.append(course.state)
            self._marks.append(len(self._told))
        self.position = 0

    @property
    def length(self) -> int:
        """The number of choices."""
        return len(self.record.choices)

    @property
    def may_open(self) -> bool:
        """Whether the game is finished, so that all secrets may be shown."""
        return self._rules.is_over(self._states[-1])

    def go(self, position: int) -> None:
        """Go to the moment after that many choices; beyond an end stops there."""
        self.position = max(0, min(position, self.length))

    def state(self) -> StateT:
        """Return the whole truth at this position; for code that checks, not for players."""
        return self._states[self.position]

    def view(self, viewer: str) -> Any:
        """Return what a viewer knew at this position; raises ValueError for "open" in an unfinished game."""
        if viewer == OPEN:
            self._check_open()
            return self._rules.view_open(self._states[self.position])
        return self._rules.view(self._states[self.position], viewer)

    def events(self, viewer: str, since: int = 0) -> tuple[Event, ...]:
        """Return what a viewer was told between positions `since` and this one; from the start by default."""
        if viewer == OPEN:
            self._check_open()
        start = 0 if since <= 0 else self._marks[min(since, self.length)]
        told = self._told[start : self._marks[self.position]]
        return tuple(event for telling in told if (event := self._version(telling, viewer)) is not None)

    def timeline(self, viewer: str) -> tuple[tuple[int, Event], ...]:
        """Return all that a viewer is told in the whole game, each event with the position it came by."""
        if viewer == OPEN:
            self._check_open()
        found: list[tuple[int, Event]] = []
        start = 0
        for position, end in enumerate(self._marks):
            for telling in self._told[start:end]:
                event = self._version(telling, viewer)
                if event is not None:
                    found.append((position, event))
            start = end
        return tuple(found)

    def is_over_at(self, position: int) -> bool:
        """Return whether the game has ended at a position."""
        return self._rules.is_over(self._states[position])

    def _version(self, telling: Telling, viewer: str) -> Event | None:
        if viewer == OPEN:
            return telling.full
        if viewer == PUBLIC:
            return telling.public
        return telling[self._rules.sides.index(viewer)]

    def _check_open(self) -> None:
        if not self.may_open:
            raise ValueError("secrets are open only when the game is over")
