"""The table of rooms, edited in place, and the pairs of rooms that do not see one another (5.9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    QTimer,
    Slot,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QListWidget,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.markup import as_text
from app.panels.dressed import Dressed
from app.panels.widgets import FlowLayout, Label
from editor.bench import Bench
from editor.document import Document
from editor.draft import Change
from editor.edits.rooms import (
    has_sight_pair,
    merged,
    why_no_room,
    with_room,
    with_setup_letter,
    with_sight_pair,
)
from editor.edits.squares import paint, squares_of_all, without_rooms
from editor.selection import Selection
from editor.words import sentence
from engine.fortress.floorplan import ROCK, FloorPlan, RoomInfo
from engine.raid.rooms import SETUP_LETTERS

DELAY: Final = 50  # ms, in which several changes are shown as one
PAIRS_SHOWN: Final = 4
LETTER, NAME, LEVEL, FIRST_UNIT, SQUARES = 0, 1, 2, 3, 6
HEADINGS: Final = ("", "Name", "Level", *SETUP_LETTERS, "□")
TIPS: Final = (
    "Letter of the room in the plan",
    "Name",
    "Level",
    *(f"{words} may be set up there (6.1a)" for words in SETUP_LETTERS.values()),
    "Number of squares",
)

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole


class RoomsModel(QAbstractTableModel):
    """The rooms of the draft, a row each; what is set is a step of the document."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._bench = bench
        self._document: Document = bench.document
        self.rooms: tuple[RoomInfo, ...] = ()
        self._counts: Counter[str] = Counter()
        self.follow()

    def follow(self) -> bool:
        """Show the rooms as they are now; return whether the rows are others than before."""
        plan = self._document.draft.plan
        counts = Counter("".join(plan.grid))
        same = [room.letter for room in plan.rooms] == [room.letter for room in self.rooms]
        if same:
            self.rooms, self._counts = plan.rooms, counts
            if plan.rooms:
                self.dataChanged.emit(self.index(0, 0), self.index(len(plan.rooms) - 1, SQUARES))
            return False
        self.beginResetModel()
        self.rooms, self._counts = plan.rooms, counts
        self.endResetModel()
        return True

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rooms)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Role.DisplayRole:
            return HEADINGS[section]
        if role in (Role.ToolTipRole, Role.AccessibleTextRole):
            return TIPS[section]
        return None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.rooms):
            return None
        room, column = self.rooms[index.row()], index.column()
        unit = self.unit(column)
        if unit is not None:
            if role == Role.CheckStateRole:
                return Qt.CheckState.Checked if unit in room.setup else Qt.CheckState.Unchecked
            if role == Role.AccessibleTextRole:
                return f"{SETUP_LETTERS[unit]} in {room.name}"
            return TIPS[column] if role == Role.ToolTipRole else None
        if role == Role.TextAlignmentRole and column == SQUARES:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role in (Role.DisplayRole, Role.EditRole):
            return {LETTER: room.letter, NAME: room.name, LEVEL: room.level}.get(
                column, self._counts[room.letter]
            )
        if role == Role.ToolTipRole and column == NAME:
            return room.name
        return None

    @staticmethod
    def unit(column: int) -> str | None:
        """Return the kind of unit that a column of ticks is about."""
        units = tuple(SETUP_LETTERS)
        return units[column - FIRST_UNIT] if FIRST_UNIT <= column < SQUARES else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flag = Qt.ItemFlag
        flags = flag.ItemIsSelectable | flag.ItemIsEnabled
        if index.column() in (LETTER, NAME, LEVEL):
            flags |= flag.ItemIsEditable
        elif index.column() != SQUARES:
            flags |= flag.ItemIsUserCheckable
        return flags

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if not index.isValid() or index.row() >= len(self.rooms):
            return False
        room, column = self.rooms[index.row()], index.column()
        plan = self._document.draft.plan
        if all(one.letter != room.letter for one in plan.rooms):
            # A cell being edited is given up late, when the stroke that ends it has painted the room over.
            self._bench.say(f"{room.name} is gone.")
            return False
        unit = self.unit(column)
        if unit is not None and role == Role.CheckStateRole:
            is_on = Qt.CheckState(value) == Qt.CheckState.Checked
            made = with_setup_letter(plan, room.letter, unit, is_on)
            return self._apply(f"{SETUP_LETTERS[unit]} {'in' if is_on else 'not in'} {room.name}", made)
        if role != Role.EditRole:
            return False
        text = str(value).strip()
        reason = ""
        if column == LETTER:
            reason = why_no_room(plan, room.letter, new_letter=text)
        elif column == NAME:
            reason = why_no_room(plan, room.letter, name=text)
        elif not text:
            reason = "a room is on a level"
        if reason:
            self._bench.say(sentence(reason))
            return False
        if column == LETTER:
            made = with_room(plan, room.letter, new_letter=text)
            return self._apply(f"Letter {text} for {room.name}", made)
        if column == NAME:
            return self._apply(f"Rename {room.name} to {text}", with_room(plan, room.letter, name=text))
        return self._apply(f"Level {text} for {room.name}", with_room(plan, room.letter, level=text))

    def _apply(self, text: str, plan: FloorPlan) -> bool:
        return self._document.apply(text, self._document.draft.with_plan(plan))


class _Table(QTableView):
    """The table; Delete deletes the selected rooms."""

    def __init__(self, panel: RoomsPanel) -> None:
        super().__init__()
        self._panel = panel

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self._panel.delete()
        else:
            super().keyPressEvent(event)


class RoomsPanel(Dressed, QWidget):
    """The rooms, what can be done with the selected ones, and the pairs without sight."""

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bench = bench
        self.setAccessibleName("Rooms")
        self.model = RoomsModel(bench)
        self.empty = Label("", "small", is_soft=True)
        self.table = _Table(self)
        self.table.setAccessibleName("Rooms")
        self.table.setModel(self.model)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setMinimumSectionSize(10)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        self.draw_button = self._button(
            "Draw this room", "Brush and Room extend this room from now on", self._on_draw
        )
        self.merge_button = self._button(
            "Merge", "The room first in the list keeps its name; partitions and doors stay", self._on_merge
        )
        self.delete_button = self._button("Delete", "The squares of the rooms become rock", self.delete)
        self.pair_button = self._button(
            "No sight", "No sight line runs between these two rooms (5.9)", self._on_pair
        )
        self.pair_button.setCheckable(True)
        self.pairs_title = Label("No sight between (5.9)", "small", is_soft=True)
        self.pairs = QListWidget()
        self.pairs.setAccessibleName("Pairs of rooms without sight (5.9)")
        self.pairs.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.pairs.itemSelectionChanged.connect(self._on_pair_selected)
        self.restore_button = self._button(
            "Let them see", "Sight lines run between them again", self._on_restore
        )
        buttons = QWidget()
        flow = FlowLayout(buttons, theme.SPACE // 2)
        for button in (self.draw_button, self.merge_button, self.delete_button, self.pair_button):
            flow.addWidget(button)
        below = QWidget()
        FlowLayout(below).addWidget(self.restore_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE // 2,) * 4)
        layout.setSpacing(theme.SPACE // 2)
        layout.addWidget(self.empty)
        layout.addWidget(self.table, 1)
        layout.addWidget(buttons)
        layout.addWidget(self.pairs_title)
        layout.addWidget(self.pairs)
        layout.addWidget(below)
        layout.addStretch(0)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY)
        self._timer.timeout.connect(self.follow)
        self._is_following = False
        bench.document.changed.connect(self._on_changed)
        bench.selectionChanged.connect(self._timer.start)
        bench.roomChanged.connect(self._follow_buttons)
        bench.keysChanged.connect(self._timer.start)
        self.table.selectionModel().selectionChanged.connect(self._on_selected)
        self.follow()
        self.dress()

    def _button(self, text: str, tip: str, slot: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(tip)
        button.setAccessibleDescription(tip)
        button.clicked.connect(slot)
        return button

    def _dress(self) -> None:
        text = theme.size("small")
        font = theme.font("small")
        for widget in (self.table, self.table.horizontalHeader(), self.pairs):
            widget.setFont(font)
        self.table.verticalHeader().setDefaultSectionSize(round(text * 2))
        widths = {LETTER: 1.6, LEVEL: 3.8, SQUARES: 2.4, **dict.fromkeys(range(FIRST_UNIT, SQUARES), 1.8)}
        for column, width in widths.items():
            self.table.setColumnWidth(column, round(text * width))
        self.table.horizontalHeader().setStyleSheet("QHeaderView::section { padding: 4px 2px; }")
        self._fit_pairs()

    def sizeHint(self) -> QSize:
        return QSize(theme.size("body") * 26, theme.size("body") * 24)

    def _fit_pairs(self) -> None:
        """Give the pairs the height of a few lines at most."""
        lines = min(max(self.pairs.count(), 1), PAIRS_SHOWN)
        self.pairs.setFixedHeight(round(lines * theme.size("small") * 1.8) + 8)

    # What is selected.

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the selected rooms, in the order of the list."""
        rows = sorted({index.row() for index in self.table.selectionModel().selectedRows()})
        return tuple(self.model.rooms[row].letter for row in rows if row < len(self.model.rooms))

    @property
    def _plan(self) -> FloorPlan:
        return self.bench.document.draft.plan

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        if change.is_of_map:
            self._timer.start()

    @Slot()
    def follow(self) -> None:
        """Show the rooms as they are now, with those selected that are on the map."""
        if self.table.state() == QAbstractItemView.State.EditingState:
            self._timer.start()
            return
        self._is_following = True
        self.model.follow()
        plan = self._plan
        key = self.bench.native_key("tool-room")
        self.empty.setText(f"No rooms yet. Take the Room tool ({key}) and drag a rectangle on the map.")
        self.empty.setVisible(not plan.rooms)
        self.table.setVisible(bool(plan.rooms))
        chosen = {plan.grid[y][x] for x, y in self.bench.selection.squares}
        if chosen != set(self.letters):
            rows = QItemSelection()
            for row, room in enumerate(self.model.rooms):
                if room.letter in chosen:
                    rows.select(self.model.index(row, 0), self.model.index(row, SQUARES))
            self.table.selectionModel().select(rows, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            if rows.indexes():
                self.table.scrollTo(rows.indexes()[0])
        self._is_following = False
        self._follow_pairs()
        self._follow_buttons()

    def _follow_pairs(self) -> None:
        texts = [f"{a} – {b}" for a, b in self._plan.no_sight]
        if texts != [self.pairs.item(row).text() for row in range(self.pairs.count())]:
            self.pairs.clear()
            self.pairs.addItems(texts)
            for row, text in enumerate(texts):
                self.pairs.item(row).setToolTip(as_text(text))
            self._fit_pairs()
        for widget in (self.pairs_title, self.pairs, self.restore_button):
            widget.setVisible(bool(texts))
        self._on_pair_selected()

    @Slot()
    def _follow_buttons(self) -> None:
        letters = self.letters
        names = self._names(letters)
        self.draw_button.setEnabled(len(letters) == 1)
        self.merge_button.setEnabled(len(letters) > 1)
        self.delete_button.setEnabled(bool(letters))
        self.pair_button.setEnabled(len(letters) == 2)
        self.pair_button.setChecked(len(names) == 2 and has_sight_pair(self._plan, *names))

    def _names(self, letters: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(room.name for room in self._plan.rooms if room.letter in letters)

    @Slot()
    def _on_selected(self) -> None:
        """Select on the map what is selected in the list, and show where it is."""
        self._follow_buttons()
        if self._is_following:
            return
        squares = squares_of_all(self._plan, self.letters)
        self.bench.select(Selection(squares=squares))
        if squares:
            self.bench.flashed.emit(squares)

    # What is done with them.

    def _apply(self, text: str, plan: FloorPlan) -> None:
        self.bench.document.apply(text, self.bench.document.draft.with_plan(plan))

    @Slot()
    def _on_draw(self) -> None:
        letters = self.letters
        if len(letters) == 1:
            self.bench.choose_room(letters[0])
            self.bench.say(f"Brush and Room draw {self._names(letters)[0]} from now on.")

    @Slot()
    def _on_merge(self) -> None:
        letters = self.letters
        if len(letters) > 1:
            into = self._names(letters[:1])[0]
            self._apply(
                f"Merge {len(letters)} rooms into {into}", merged(self._plan, letters[0], letters[1:])
            )

    @Slot()
    def delete(self) -> None:
        """Delete the selected rooms."""
        letters = self.letters
        if not letters:
            return
        names = self._names(letters)
        plan = paint(self._plan, squares_of_all(self._plan, letters), ROCK)
        self._apply(
            f"Delete {names[0]}" if len(names) == 1 else f"Delete {len(names)} rooms",
            without_rooms(plan, letters),
        )

    @Slot()
    def _on_pair(self) -> None:
        names = self._names(self.letters)
        if len(names) == 2:
            is_blind = not has_sight_pair(self._plan, *names)
            words = "No sight" if is_blind else "Sight"
            text = f"{words} between {names[0]} and {names[1]}"
            self._apply(text, with_sight_pair(self._plan, *names, is_blind))

    @Slot()
    def _on_pair_selected(self) -> None:
        rows = [index.row() for index in self.pairs.selectedIndexes()]
        self.restore_button.setEnabled(bool(rows))
        names = {name for row in rows if row < len(self._plan.no_sight) for name in self._plan.no_sight[row]}
        letters = frozenset(room.letter for room in self._plan.rooms if room.name in names)
        if letters:
            self.bench.flashed.emit(squares_of_all(self._plan, letters))

    @Slot()
    def _on_restore(self) -> None:
        for index in self.pairs.selectedIndexes():
            if index.row() < len(self._plan.no_sight):
                a, b = self._plan.no_sight[index.row()]
                self._apply(f"Sight between {a} and {b}", with_sight_pair(self._plan, a, b, False))
                return
