"""What happened: turning points, luck and record sheets of a finished game."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QScrollArea,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.after import words
from app.after.plots import LuckPlot, Plot, StandingPlot
from app.after.points import PointList
from app.after.tables import LUCK_COLUMNS_MEAN, LuckTable, SheetTable
from app.panels.dressed import Dressed
from app.panels.widgets import Label, keyed_button, row, rule_link
from app.wording import ending_rule, reason_words, victory_words
from engine.raid.chronicle import chronicle

if TYPE_CHECKING:
    from engine.raid.match import RaidReplay

WIDE_ENOUGH = 38  # times the size of the text that two parts side by side need


class _Reading(QScrollArea):
    """Widgets under one another that scroll by keys where they do not fit."""

    def __init__(self, name: str, *parts: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, theme.SPACE, 0)
        column.setSpacing(theme.SPACE)
        for part in parts:
            column.addWidget(part, 1 if isinstance(part, Plot) else 0)
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)


class _Pair(Dressed, QWidget):
    """Two parts side by side, or under one another where the text is too large for that."""

    def __init__(self, first: QWidget, second: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(theme.SPACE, theme.SPACE, theme.SPACE, theme.SPACE)
        self._box.setSpacing(theme.SPACE * 2)
        self._box.addWidget(first, 10)
        self._box.addWidget(second, 11)
        self.dress()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    def _dress(self) -> None:
        self._turn()

    def _turn(self) -> None:
        is_wide = self.width() >= theme.size("body") * WIDE_ENOUGH
        way = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        if self._box.direction() != way:
            self._box.setDirection(way)


class AfterPage(QWidget):
    """What happened in one finished game.

    `momentWanted` carries the position in the replay that was asked for.
    """

    momentWanted = Signal(int)
    left = Signal()

    def __init__(self, replay: RaidReplay, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.replay = replay
        self.told = chronicle(replay)
        self.setAccessibleName("What happened")
        position = replay.position
        replay.go(replay.length)
        view = replay.view("open")
        rule = ending_rule(replay.events("open"))
        replay.go(position)
        headline = Label(f"What happened: {victory_words(view)}", "title", is_title=True)
        why = Label(
            escape(f"{view.scenario}, turn {view.turn} of {view.last_turn}. {reason_words(view)}")
            + f" {rule_link(rule)}",
            is_soft=True,
            is_rich=True,
        )
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName("What happened")
        self.tabs.addTab(self._turning(), "&Turning points")
        self.tabs.addTab(self._luck(), "&Luck")
        self.tabs.addTab(self._sheets(), "Record &sheets")
        self.replay_button = keyed_button("Replay from the start", "Alt+R", self._on_replay)
        self.leave_button = keyed_button("Back", "Esc", self.left)
        foot = row(self.replay_button, self.leave_button)
        foot.insertStretch(0, 1)
        layout = QVBoxLayout(self)
        margin = theme.SPACE * 2
        layout.setContentsMargins(margin, theme.SPACE, margin, theme.SPACE)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(headline)
        layout.addWidget(why)
        layout.addWidget(self.tabs, 1)
        layout.addLayout(foot)

    def _turning(self) -> QWidget:
        said = words.standing_words(self.told)
        self.standing_plot = StandingPlot(self.told, "How the sides stood", said)
        self.points = PointList(self.told)
        self.points.momentWanted.connect(self.momentWanted)
        self.moment_button = keyed_button("Show in the replay", "Alt+Y", self.points.show_moment)
        self.moment_button.setEnabled(bool(self.told.turning_points))
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE)
        if self.told.turning_points:
            column.addWidget(self.points, 1)
            column.addWidget(self.moment_button, 0, Qt.AlignmentFlag.AlignLeft)
        else:
            column.addWidget(Label("No moment of this game changed much."))
            column.addStretch(1)
        reading: list[QWidget] = [Label(said), self.standing_plot]
        if self.told.turning_points:
            reading.append(
                Label(
                    "Numbers are turning points: a triangle up favoured the Terminators, "
                    "one down the CloneMaster.",
                    "small",
                    is_soft=True,
                )
            )
        rough = Label(words.WHAT_STANDING_IS, "small", is_soft=True)
        return _Pair(_Reading("How the sides stood", *reading, rough), right)

    def _luck(self) -> QWidget:
        sentences = [words.luck_words(self.told.total(side)) for side in words.SIDES]
        self.luck_plot = LuckPlot(self.told, "Luck over the game", " ".join(sentences))
        self.luck_table = LuckTable(self.told)
        marks = Label(
            "Solid: the Terminators' dice. Dashed: the CloneMaster's. Above 0 they hit more than expected.",
            "small",
            is_soft=True,
        )
        said = [Label(sentence) for sentence in (*sentences, words.rare_words(self.told))]
        mean = Label(LUCK_COLUMNS_MEAN, "small", is_soft=True)
        return _Pair(_Reading("Luck", *said, self.luck_plot, marks, mean), self.luck_table)

    def _sheets(self) -> QWidget:
        self.sheet_table = SheetTable(self.told)
        self.sheet_words = Label()
        self.sheet_table.currentCellChanged.connect(self._on_cell)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(theme.SPACE, theme.SPACE, theme.SPACE, theme.SPACE)
        column.setSpacing(theme.SPACE)
        column.addWidget(
            Label(f"{words.letters_key()}. Bold where something changed.", "small", is_soft=True)
        )
        column.addWidget(self.sheet_table, 1)
        column.addWidget(self.sheet_words)
        if self.told.sheets:
            self.sheet_table.setCurrentCell(0, 0)
        return page

    @Slot(int, int, int, int)
    def _on_cell(self, at: int, column: int, _was: int, _from: int) -> None:
        self.sheet_words.setText(self.sheet_table.words_at(at, column))

    @Slot()
    def _on_replay(self) -> None:
        self.momentWanted.emit(0)
