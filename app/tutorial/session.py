"""A Session that follows a lesson: it checks the choices of the learner and makes those of the other side."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from app.session import Session
from app.settings import SettingsStore
from app.tutorial.lesson import Lesson
from app.tutorial.walkthrough import Stage, Walkthrough, as_offered
from engine.core.decision import Choice


class LessonSession(Session):
    """The game of a lesson at this screen; `moved` follows every change of the learner's place in it.

    There is no bot and no file. Undo goes back in the lesson, past dice and reveals too. What is said of
    something waits until it has been shown, so that no text tells a die before it lies: then `delayed`
    comes first, and `hurried` asks for the showing to end.
    """

    moved = Signal()
    delayed = Signal()
    hurried = Signal()
    finished = Signal()

    def __init__(
        self, lesson: Lesson, settings: SettingsStore, parent: QObject | None = None, *, step: int = 0
    ) -> None:
        self.way = Walkthrough(lesson, step)
        self._is_late = False
        super().__init__(self.way.match, settings, parent=parent, is_guided=True)

    # The learner's choices

    def submit(self, choice: Choice) -> bool:
        if self._is_late:
            self.hurry()
        refusal = self.way.why_not()
        if refusal is not None:
            self.refused.emit(refusal)
            return False
        before = self.way.match.record
        if not super().submit(choice):
            return False
        self.way.made(choice, before)
        self._tell()
        return True

    def can_undo(self) -> bool:
        return self.way.can_go_back

    def undo(self) -> bool:
        if not self.can_undo():
            return super().undo()
        self.back()
        return True

    # Going through the lesson

    @Slot()
    def read_on(self) -> None:
        """Let the other side do its part if it is its turn, then go on to what is said next.

        While something is being shown, end that instead: nobody reads past what he has not seen.
        """
        if self.is_late:
            self.hurry()
            return
        way = self.way
        if way.stage is Stage.ASTRAY or way.wanted or way.stage is Stage.DONE:
            return
        way.script.learn(way.lines())
        self._play_script()
        way.read()
        self._tell()

    def _play_script(self) -> None:
        side = self.way.lesson.other_side
        match = self.way.match
        while self.way.script.has_lines:
            decision = next(one for one in match.decisions() if one.side == side)
            choice = self.way.script.decide(None, decision)
            assert choice is not None
            self.submit_for(side, choice)

    @Slot()
    def show_me(self) -> None:
        """Do what the learner is to do, by the choices that he would make."""
        if self._is_late:
            self.hurry()
            return
        if self.way.stage is Stage.ASTRAY:
            self.back()
        for choice in self.way.wanted:
            self.submit(as_offered(self.way.match, self.way.lesson.side, choice))

    @Slot()
    def skip(self) -> None:
        """Go to the next step, with everything done that this one is about."""
        if self._is_late:
            self.hurry()
            return
        way, number = self.way, self.way.number
        self.show_me()
        while self.is_late or (way.number == number and way.stage is not Stage.DONE and not way.wanted):
            self.read_on()

    @Slot()
    def back(self) -> None:
        """Take back what led astray, else this step, else the one before."""
        if self.way.can_go_back:
            if self._is_late:
                self.hurry()
            self.show(self.way.back())
            self._say()

    @property
    def is_late(self) -> bool:
        """Whether what is said next waits for something being shown."""
        return self._is_late

    def hurry(self) -> None:
        self.hurried.emit()
        if self._is_late:
            self._say()

    def resume(self) -> None:
        super().resume()
        if self._is_late and not self.is_showing:
            self._say()

    def _tell(self) -> None:
        if self.is_showing:
            self._is_late = True
            self.delayed.emit()
        else:
            self._say()

    def _say(self) -> None:
        self._is_late = False
        self.moved.emit()
        self.changed.emit()
        if self.way.stage is Stage.DONE:
            self.finished.emit()
