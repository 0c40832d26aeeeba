"""The list of lessons, and the lesson taken from it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from app import theme
from app.game_page import GamePage
from app.panels.widgets import ActionButton, Label, clear_layout
from app.settings import SettingsStore
from app.tutorial.lesson import SHIPPED, load_lesson
from app.tutorial.page import LessonPage
from app.tutorial.panel import StepButton
from app.tutorial.progress import mark_done, mark_step, progress
from app.tutorial.walkthrough import Stage

TITLE: Final = "Learn to play"


class TutorialPage(QStackedWidget):
    """Learn to play: the list of lessons, or the lesson being taken.

    `shown` follows every change between the two.
    """

    left = Signal()
    newWanted = Signal()
    shown = Signal()

    def __init__(self, store: SettingsStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(TITLE)
        self._store = store
        self._name = ""
        self.lesson_page: LessonPage | None = None
        self.buttons: list[ActionButton] = []
        self.anew_buttons: dict[str, ActionButton] = {}
        inner = QWidget()
        self._list = QVBoxLayout(inner)
        margin = theme.SPACE * 4
        self._list.setContentsMargins(margin, margin, margin, margin)
        self._list.setSpacing(theme.SPACE)
        scroll = QScrollArea()
        scroll.setWidget(inner)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.addWidget(scroll)
        self._scroll = scroll
        self._fill()

    @property
    def title(self) -> str:
        """What is shown: the lesson's title, or that of the list."""
        return TITLE if self.lesson_page is None else f"Lesson: {self.lesson_page.session.way.lesson.title}"

    @property
    def game_page(self) -> GamePage | None:
        """The game page of the lesson being taken, None while the list is shown."""
        return self.lesson_page.game_page if self.lesson_page is not None else None

    def _fill(self) -> None:
        """List the lessons, with those done and those begun marked."""
        clear_layout(self._list)
        self.buttons = []
        self.anew_buttons = {}
        done = progress().done
        first = self._next_lesson()
        self._list.addWidget(Label(TITLE, "display", is_title=True))
        self._list.addWidget(
            Label(
                "Each lesson is a game whose other side and dice are written down. It tells you what to do "
                "and why; you play it on the real board.",
                is_soft=True,
            )
        )
        for number, name in enumerate(SHIPPED, 1):
            self._add_lesson(number, name, is_done=name in done, is_main=name == first)
        self.leave_button = StepButton("Start screen")
        self.leave_button.set_key("Esc")
        self.leave_button.clicked.connect(self.left)
        self._list.addSpacing(theme.SPACE)
        self._list.addWidget(self.leave_button)
        self._list.addStretch(1)
        for widget in (*self.buttons, *self.anew_buttons.values(), self.leave_button):
            # At once, and not when the event loop comes to it: one of them takes the focus.
            widget.show()

    def _add_lesson(self, number: int, name: str, *, is_done: bool, is_main: bool) -> None:
        """List a lesson; one that is begun goes on where it was left, or anew by the button beside it."""
        lesson = load_lesson(name)
        step = _step_in(name)
        state = "Begun. " if step else "Done. " if is_done else ""
        mark = " ✓" if is_done else ""
        title = f"{number}. {lesson.title}{mark}"
        if step:
            title += f" – Go on at step {step + 1} of {len(lesson.steps)}"
        button = StepButton(
            title, f"{state}{lesson.summary} About {lesson.minutes} minutes.", is_main=is_main
        )
        button.set_key(str(number))
        button.setProperty("step", step)
        self.buttons.append(button)
        line = QHBoxLayout()
        line.setSpacing(theme.SPACE)
        line.addWidget(button, 1)
        if step:
            anew = StepButton("Start anew")
            anew.setAccessibleName(f"Start lesson {number} anew")
            anew.set_key(f"Alt+{number}")
            anew.setProperty("step", 0)
            self.anew_buttons[name] = anew
            line.addWidget(anew)
        for one in (button, self.anew_buttons.get(name)):
            if one is not None:
                one.setProperty("lesson", name)
                one.clicked.connect(self._on_lesson)
        self._list.addLayout(line)

    @staticmethod
    def _next_lesson() -> str:
        """Return the lesson to take next: one that is begun, else the first that is not done."""
        begun = [name for name in SHIPPED if _step_in(name)]
        fresh = [name for name in SHIPPED if name not in progress().done]
        return (*begun, *fresh, SHIPPED[0])[0]

    def focus_list(self) -> None:
        """Give the focus to the lesson to take next."""
        next((one for one in self.buttons if one.is_main), self.buttons[0]).setFocus()

    @Slot()
    def _on_lesson(self) -> None:
        button = self.sender()
        if isinstance(button, ActionButton):
            self.take(str(button.property("lesson")), int(button.property("step")))

    def take(self, name: str, step: int = 0) -> None:
        """Take a lesson by its short name, from a step on that counts from 0."""
        self.end()
        self._name = name
        self.lesson_page = page = LessonPage(load_lesson(name), self._store, step=step)
        page.left.connect(self.show_list)
        page.newWanted.connect(self.newWanted)
        page.startWanted.connect(self.left)
        page.session.moved.connect(self._on_moved)
        page.session.finished.connect(self._on_finished)
        self.addWidget(page)
        self.setCurrentWidget(page)
        page.start()
        self.shown.emit()

    @Slot()
    def show_list(self) -> None:
        """Leave the lesson and show the list."""
        self.end()
        self._fill()
        self.setCurrentWidget(self._scroll)
        self.shown.emit()
        self.focus_list()

    @Slot()
    def _on_moved(self) -> None:
        if self.lesson_page is not None and self.lesson_page.session.way.stage is not Stage.DONE:
            mark_step(self._name, self.lesson_page.session.way.number)

    @Slot()
    def _on_finished(self) -> None:
        mark_done(self._name)

    def end(self) -> None:
        """Let go of the lesson under way; the step reached is known already."""
        if self.lesson_page is not None:
            page, self.lesson_page = self.lesson_page, None
            page.end()
            self.removeWidget(page)
            page.hide()
            page.deleteLater()


def _step_in(name: str) -> int:
    """Return the step at which a lesson was left; 0 for one that is not begun, or not that long any more."""
    step = progress().steps.get(name, 0)
    return step if 0 < step < len(load_lesson(name).steps) else 0
