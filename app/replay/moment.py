"""What happens at the moment shown: its lines of the log, and the counters of a combat as they fall."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app import theme
from app.panels.dressed import Dressed
from app.panels.story import StoryLine, story
from app.panels.widgets import Label, clear_layout, rule_link
from app.replay.script import Line
from engine.core.event import Event
from engine.core.match import OPEN
from engine.raid.view import View

LINES = 3
LARGE = 18  # px of body text: beyond, the words take the room of the counters
MOST_COUNTERS = 8
BEGINNING = "The beginning of the game: nobody has chosen anything yet. Space plays, Ctrl+Right steps."
UNTOLD = "A choice of which the log says nothing."
NOTHING = "Nothing that these eyes could see."


class MomentPanel(Dressed, QFrame):
    """The step of the replay in words, always of the same height, so that the board stays where it is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("What happens here")
        self._text = Label(is_rich=True)
        self._text.setAccessibleName("What happens here")
        self._text.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._scroll = self._area(self._text)
        self._scroll.setAccessibleName("What happens here")
        self._scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._counters = QWidget()
        self._story = QVBoxLayout(self._counters)
        self._story.setContentsMargins(0, 0, 0, 0)
        self._story.setSpacing(2)
        self._fight = self._area(self._counters)
        self._fight.setAccessibleName("The combat so far, the latest counter first")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.SPACE, theme.SPACE // 2, theme.SPACE, theme.SPACE // 2)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(self._scroll, 1)
        layout.addWidget(self._fight, 1)
        self.dress()

    def _area(self, inner: QWidget) -> QScrollArea:
        area = QScrollArea()
        area.setWidget(inner)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return area

    @property
    def text(self) -> str:
        """What is said of the moment, with the links to its rules."""
        return self._text.text()

    @property
    def story_lines(self) -> list[StoryLine]:
        """The last counters of the combat that is being shown, the latest first."""
        items = [self._story.itemAt(at) for at in range(self._story.count())]
        widgets = [item.widget() for item in items if item is not None]
        return [one for one in widgets if isinstance(one, StoryLine)]

    def show_moment(self, position: int, lines: Sequence[Line], view: View, told: Sequence[Event]) -> None:
        """Show the lines of the moment after so many choices, one below the other.

        In a combat also its counters, from all that the eyes were told so far.
        """
        said = [escape(line.text) + (f" ({rule_link(line.rule)})" if line.rule else "") for line in lines]
        if not said:
            said = [BEGINNING if position == 0 else UNTOLD if view.viewer == OPEN else NOTHING]
        self._text.setText("<br>".join((f"<b>{said[0]}</b>", *said[1:])))
        self._scroll.verticalScrollBar().setValue(0)
        clear_layout(self._story)
        rows = story(told) if view.fight is not None else []
        figures = {figure.name: figure for figure in view.figures}
        for number in range(len(rows), max(0, len(rows) - MOST_COUNTERS), -1):
            row = rows[number - 1]
            self._story.addWidget(StoryLine(number, row, figures.get(row.figure), self._counters))
        self._story.addStretch(1)
        # In large text the words need all the room, and tell of the counters too.
        self._fight.setVisible(bool(rows) and not self._is_large())
        self._fight.verticalScrollBar().setValue(0)

    def _is_large(self) -> bool:
        return theme.size("body") > LARGE

    def _dress(self) -> None:
        if self._is_large():
            self._fight.hide()
        self._text.set_step("small" if self._is_large() else "body")
        height = QFontMetrics(self._text.font()).lineSpacing()
        self.setFixedHeight(height * LINES + theme.SPACE * 2)
