"""A choice of a few things to do, each said in a line and explained in another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app import theme
from app.panels.widgets import ActionButton, Label, MoreSign, column, keyed_button, row
from editor.dialogs.lines import lines_list

WIDTH = 40  # times the size of the text
LINES_SHOWN = 6
HEIGHT = 420  # pixels of many answers, beyond which they scroll


class Answer(NamedTuple):
    """Something to do: its key, what it is, and what comes of it."""

    key: str
    text: str
    detail: str = ""


class Question(NamedTuple):
    """What has to be decided; the first answer is the usual one. `lines` are details to be read before."""

    heading: str
    words: str
    answers: tuple[Answer, ...]
    lines: tuple[str, ...] = ()
    cancel: str = "Cancel"


class ChoiceDialog(QDialog):
    """Asks a question; `answer` is the key of what was chosen, "" where nothing was."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(question.heading)
        self.answer = ""
        words = Label(question.words)
        self.buttons: list[ActionButton] = []
        for number, one in enumerate(question.answers, 1):
            button = ActionButton(one.text, one.detail, is_main=number == 1)
            if number < 10:
                button.set_key(str(number))
            button.clicked.connect(partial(self._choose, one.key))
            self.buttons.append(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE * 2)
        layout.addWidget(Label(question.heading, "title", is_title=True))
        layout.addWidget(words)
        if question.lines:
            lines = lines_list(question.heading, question.lines)
            line = lines.fontMetrics().lineSpacing() + theme.SPACE // 2
            lines.setMinimumHeight(line * min(len(question.lines), LINES_SHOWN) + theme.SPACE)
            layout.addWidget(lines, 1)
        width = min(theme.size("body") * WIDTH, 1000)
        body = _scrolled(self.buttons, width - theme.SPACE * 4)
        layout.addWidget(body, 1)
        self.cancel_button = keyed_button(question.cancel, "Esc", self.reject)
        foot = row(self.cancel_button)
        foot.insertStretch(0, 1)
        layout.addLayout(foot)
        self.setMinimumWidth(width)
        # What scrolls has no height by itself.
        self.resize(width, layout.totalHeightForWidth(width) + body.minimumHeight())
        self.buttons[0].setFocus()

    @Slot(str)
    def _choose(self, key: str) -> None:
        self.answer = key
        self.accept()


def _scrolled(buttons: Sequence[ActionButton], width: int) -> QWidget:
    """Return buttons in a column so many pixels wide, which scrolls where there are many."""
    inner = QWidget()
    layout = column(*buttons)
    inner.setLayout(layout)
    height = layout.totalHeightForWidth(width)
    layout.addStretch(1)
    if height <= HEIGHT:
        return inner
    scroll = QScrollArea()
    scroll.setWidget(inner)
    scroll.setWidgetResizable(True)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setMinimumHeight(HEIGHT)
    scroll.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
    MoreSign(scroll)
    return scroll


def choose(question: Question, parent: QWidget) -> str:
    """Ask a question and wait; return the key of the answer, "" where there is none."""
    dialog = ChoiceDialog(question, parent)
    dialog.exec()
    dialog.deleteLater()
    return dialog.answer
