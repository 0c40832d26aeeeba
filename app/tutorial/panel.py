"""The strip above the board that leads through a lesson."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QRect, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QProgressBar,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.board.access import announce
from app.panels.dressed import Dressed
from app.panels.widgets import ActionButton, Label, Pressable, PromptKey, key_text, rule_link
from app.tutorial.session import LessonSession
from app.tutorial.walkthrough import Stage
from app.wording import choice_words
from engine.core.decision import Choice
from engine.raid.choices import ChooseCounters, Enter, Move
from engine.raid.figures import ABILITY_NAMES

USUAL: Final = 0.24  # of the page's height
KEYS: Final = {"next": "N", "back": "B", "show": "M", "skip": "K", "leave": "L"}
ASTRAY_TITLE: Final = "Another choice"
DETOUR: Final = "That works as well."
DONE_TITLE: Final = "Lesson done"
DONE_TEXT: Final = "Well done. Go to the list for the next lesson, or step back to look at something again."
BOARD_KEYS: Final = "arrow keys on the board, then Enter"


def to_do_words(choice: Choice, key: str = "") -> str:
    """Return what the learner is to do in a few words, with the key that does it."""
    if isinstance(choice, ChooseCounters):
        counts = Counter(choice.counters)
        hand = ", ".join(
            f"{ABILITY_NAMES[word]} ×{number}" if number > 1 else ABILITY_NAMES[word]
            for word, number in counts.items()
        )
        return f"{choice.figure}: {hand}" + (f" [{key}]" if key else "")
    text, detail = choice_words(choice)
    words = f"{text} ({detail})" if detail and len(detail) < 30 and "," not in detail else text
    if not key and isinstance(choice, Move | Enter):
        key = BOARD_KEYS
    return f"{words} [{key}]" if key else words


class LessonPanel(Dressed, QWidget):
    """Says what this step is about, and goes on, back, and out of the lesson."""

    leaveWanted = Signal()

    def __init__(
        self, session: LessonSession, below: QWidget | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.session = session
        self._below = below  # what must keep its room under the strip
        self.setAccessibleName("Lesson")
        self._keys: dict[Choice, str] = {}
        self._heights: dict[tuple[int, int], int] = {}
        self._head = Label("", "small", is_soft=True, is_rich=True, wraps=False)
        self._title = Label("", "title", is_title=True)
        self._text = Label("")
        self._text.setAccessibleName("What the lesson says")
        self._to_do = Label("", is_bold=True)
        self._to_do.setAccessibleName("To do")
        self.progress_bar = QProgressBar()
        self.progress_bar.setTextVisible(False)
        self.progress_bar.setFixedHeight(theme.SPACE // 2)
        self.progress_bar.setRange(0, len(session.way.lesson.steps))
        self.progress_bar.setAccessibleName("How far the lesson is")
        self.next_button = self._button("Next", "next", self._on_next, is_main=True)
        self.back_button = self._button("Back", "back", session.back)
        self.show_button = self._button("Show me", "show", session.show_me)
        self.skip_button = self._button("Skip", "skip", session.skip)
        self.leave_button = self._button("Leave", "leave", self.leaveWanted)
        self._scroll, self._buttons = self._words(), self._button_grid()
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.SPACE)
        line.addWidget(self._scroll, 1)
        line.addWidget(self._buttons)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.progress_bar)
        outer.addLayout(line, 1)
        session.moved.connect(self.refresh)
        session.delayed.connect(self._on_delayed)
        self.refresh()
        self.dress()

    def _words(self) -> QScrollArea:
        """Return what is said, under its title, to be scrolled in large text."""
        words = QVBoxLayout()
        words.setContentsMargins(theme.SPACE, theme.SPACE // 2, theme.SPACE, theme.SPACE // 2)
        words.setSpacing(theme.SPACE // 2)
        self._title.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._head.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._head)
        words.addLayout(head)
        for label in (self._text, self._to_do):
            words.addWidget(label)
        words.addStretch(1)
        inner = QWidget()
        inner.setLayout(words)
        scroll = QScrollArea()
        scroll.setWidget(inner)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        scroll.setAccessibleName("What the lesson says")
        return scroll

    def _button_grid(self) -> QWidget:
        buttons = QWidget()
        grid = QGridLayout(buttons)
        grid.setContentsMargins(0, theme.SPACE // 2, theme.SPACE, theme.SPACE // 2)
        grid.setSpacing(theme.SPACE // 2)
        grid.addWidget(self.next_button, 0, 0, 1, 2)
        grid.addWidget(self.back_button, 1, 0)
        grid.addWidget(self.show_button, 1, 1)
        grid.addWidget(self.skip_button, 2, 0)
        grid.addWidget(self.leave_button, 2, 1)
        grid.setRowStretch(3, 1)
        return buttons

    def _button(self, text: str, key: str, slot: object, *, is_main: bool = False) -> ActionButton:
        button = StepButton(text, is_main=is_main)
        button.set_key(KEYS[key])
        # A click leaves the focus on the board, where the arrow keys are needed.
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(slot)
        return button

    @property
    def title(self) -> str:
        """The headline shown."""
        return self._title.text()

    @property
    def text(self) -> str:
        """What is said."""
        return self._text.text()

    @property
    def to_do(self) -> str:
        """What the learner is to do, "" if nothing."""
        return self._to_do.text()

    def set_keys(self, keys: Mapping[Choice, str]) -> None:
        """Take the keys that make the choices wanted, to be told beside them."""
        if dict(keys) != self._keys:
            self._keys = dict(keys)
            self._show_to_do()

    @Slot()
    def refresh(self) -> None:
        """Show the present step."""
        way = self.session.way
        count = len(way.lesson.steps)
        number = count if way.stage is Stage.DONE else way.number
        self.progress_bar.setValue(number)
        rule = way.step.rule
        words = [f"step {way.number + 1} of {count}"]
        if rule and way.stage is not Stage.DONE:
            words.append(f"rule {rule_link(rule)}")
        self._head.setText(" · ".join(words))
        title, text = way.step.title, way.text
        if way.stage is Stage.ASTRAY:
            title = ASTRAY_TITLE
        elif way.stage is Stage.DONE:
            title, text = DONE_TITLE, DONE_TEXT
        self._title.setText(title)
        self._text.setText(text)
        self._keys = {}
        self._show_to_do()
        is_waiting = bool(way.wanted)
        self.next_button.setText("All lessons" if way.stage is Stage.DONE else "Next")
        if way.stage is Stage.ASTRAY:
            self.next_button.setText("Take it back")
        self.next_button.setEnabled(not is_waiting)
        self.back_button.setEnabled(way.can_go_back)
        self.show_button.setEnabled(is_waiting or way.stage is Stage.ASTRAY)
        self.skip_button.setEnabled(way.stage is not Stage.DONE)
        self._scroll.verticalScrollBar().setValue(0)
        announce(self, f"{title}. {text} {self.to_do}")

    def _show_to_do(self) -> None:
        way = self.session.way
        words = [to_do_words(one, self._keys.get(one, "")) for one in way.wanted]
        text = f"To do: {'; '.join(words)}" if words else ""
        if words and way.is_detour:
            text = f"{DETOUR} {text}"
        self._to_do.setText(text)
        self._to_do.setVisible(bool(text))
        self.fit()

    @Slot()
    def _on_delayed(self) -> None:
        # Next ends what is being shown.
        self.next_button.setEnabled(True)

    @Slot()
    def _on_next(self) -> None:
        stage = self.session.way.stage
        if self.session.is_late:
            self.session.hurry()
        elif stage is Stage.DONE:
            self.leaveWanted.emit()
        elif stage is Stage.ASTRAY:
            self.session.back()
        else:
            self.session.read_on()

    # Size: as high as the longest step needs, so that the board does not jump; in large text, where
    # that would leave the board too little, as high as the present one needs.

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def _dress(self) -> None:
        self.fit()

    def fit(self) -> None:
        """Take the height that the words need at the present width."""
        page = self.parentWidget()
        whole = page.height() if page is not None else 9999
        buttons = self._buttons.sizeHint()
        room = max(120, self.width() - buttons.width() - theme.SPACE * 4)
        height = max(buttons.height(), self._height_of_all(room))
        if height > whole * USUAL:
            now = [(self.text, self.to_do)]
            left = whole - (self._below.minimumSizeHint().height() if self._below is not None else 0)
            height = min(left - theme.SPACE // 2, max(buttons.height(), self._height_of(now, room)))
        if self.height() != height or self.minimumHeight() != height:
            self.setFixedHeight(height)

    @property
    def _all_words(self) -> Sequence[tuple[str, str]]:
        """What is said and what is to be done in every step of the lesson."""
        said = [(DONE_TEXT, "")]
        for step in self.session.way.lesson.steps:
            words = [to_do_words(task[0], "Ctrl+Return") for task in step.tasks]
            said.append((step.text, f"To do: {'; '.join(words)}" if words else ""))
            said += [(step.after, ""), (step.otherwise, "")]
        return said

    def _height_of_all(self, room: int) -> int:
        """Return the height of the longest step, measured once for each width and size of the text."""
        key = (room, theme.size("body"))
        if key not in self._heights:
            self._heights[key] = self._height_of(self._all_words, room)
        return self._heights[key]

    def _height_of(self, said: Iterable[tuple[str, str]], room: int) -> int:
        body, bold = QFontMetrics(theme.font("body")), QFontMetrics(theme.font("body", is_bold=True))
        title = QFontMetrics(theme.font("title", is_title=True))
        flags = Qt.TextFlag.TextWordWrap

        def tall(metrics: QFontMetrics, text: str) -> int:
            return metrics.boundingRect(QRect(0, 0, room, 9999), flags, text).height() if text else 0

        highest = max(tall(body, text) + tall(bold, to_do) for text, to_do in said)
        return title.height() + highest + theme.SPACE * 3


class StepButton(PromptKey, ActionButton):
    """A button of the lesson's; no press in a row is lost."""


def key_of_button(button: Pressable) -> str:
    """Return how the key that presses a button is called, "" if it has none."""
    return key_text(button.shortcut().toString())
