"""Which counters may be set up in which room: a table of the rooms and their letters (6.1a)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app import theme
from app.dialogs.switch_controls import SwitchControl
from app.markup import as_text
from app.panels.dressed import Dressed
from engine.fortress.floorplan import FloorPlan
from engine.raid.rooms import SETUP_LETTERS

LINES: Final = 8  # of the table that are seen at once


class RoomLetters(NamedTuple):
    """A room's letters: its letter on the map, its name, who may be set up in it, how many squares it has."""

    letter: str
    name: str
    setup: str
    squares: int


def letters_of(plan: FloorPlan) -> tuple[RoomLetters, ...]:
    """Return the letters of every room of a map."""
    squares = Counter("".join(plan.grid))
    return tuple(RoomLetters(one.letter, one.name, one.setup, squares[one.letter]) for one in plan.rooms)


class LettersTable(Dressed, QTableWidget):
    """The rooms, a line each: name, the three letters to be ticked, squares."""

    def __init__(self, name: str) -> None:
        super().__init__(0, 5)
        self.setAccessibleName(name)
        self.setHorizontalHeaderLabels(["Room", *SETUP_LETTERS, "Squares"])
        for at, letter in enumerate(SETUP_LETTERS, 1):
            head_item = QTableWidgetItem(letter)
            head_item.setToolTip(f"{letter}: {SETUP_LETTERS[letter]}")
            self.setHorizontalHeaderItem(at, head_item)
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        head.setMinimumSectionSize(1)
        self.dress()

    def _dress(self) -> None:
        self.fit()

    def fit(self) -> None:
        """Take the height that the lines need."""
        line = self.fontMetrics().lineSpacing() + theme.SPACE
        self.verticalHeader().setDefaultSectionSize(line)
        self.setFixedHeight(line * (min(max(self.rowCount(), 1), LINES) + 1) + theme.SPACE)

    def sizeHint(self) -> QSize:
        return QSize(theme.size("body") * 14, self.minimumHeight())

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.size("body") * 10, self.minimumHeight())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class SetupLettersControl(SwitchControl):
    """Ticks the letters of each room. `turned` carries a room's letter, a unit's, and whether it is there.

    `chosen` carries the letter of the room whose line is chosen.
    """

    turned = Signal(str, str, bool)
    chosen = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._rooms: tuple[RoomLetters, ...] = ()
        self.table = LettersTable(name)
        self.table.itemChanged.connect(self._on_item)
        self.table.currentCellChanged.connect(self._on_cell)
        self._lay(self.table)

    @property
    def value(self) -> tuple[RoomLetters, ...]:
        return self._rooms

    def _show(self, value: Sequence[RoomLetters]) -> None:
        if tuple(value) == self._rooms:
            return
        before, self._rooms = self._rooms, tuple(value)
        if len(before) != len(self._rooms):
            self.table.setRowCount(len(self._rooms))
            self.table.fit()
        for at, room in enumerate(self._rooms):
            if at < len(before) and before[at] == room:
                continue
            self.table.setItem(at, 0, _item(room.name))
            for column, letter in enumerate(SETUP_LETTERS, 1):
                item = _item("")
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                is_on = letter in room.setup
                item.setCheckState(Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked)
                said = f"{room.name}: {SETUP_LETTERS[letter]}, {'yes' if is_on else 'no'}"
                item.setData(Qt.ItemDataRole.AccessibleTextRole, said)
                item.setToolTip(as_text(f"{SETUP_LETTERS[letter]} may be set up in {room.name}"))
                self.table.setItem(at, column, item)
            item = _item(str(room.squares))
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.table.setItem(at, 4, item)

    @Slot(QTableWidgetItem)
    def _on_item(self, item: QTableWidgetItem) -> None:
        if self._is_showing or not 1 <= item.column() <= 3:
            return
        unit = tuple(SETUP_LETTERS)[item.column() - 1]
        room = self._rooms[item.row()]
        self.turned.emit(room.letter, unit, item.checkState() == Qt.CheckState.Checked)

    @Slot(int, int, int, int)
    def _on_cell(self, row: int, _column: int, _row_before: int, _column_before: int) -> None:
        if not self._is_showing and 0 <= row < len(self._rooms):
            self.chosen.emit(self._rooms[row].letter)

    def focus_widget(self) -> QWidget:
        return self.table


def _item(text: str) -> QTableWidgetItem:
    item = QTableWidgetItem(text)
    item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
    return item
