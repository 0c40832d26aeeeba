"""The doctor's view: how soon everything is reached and struck, and what that says against a scenario."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLayout,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.markup import as_text
from app.panels.dressed import Drawn, Dressed
from app.panels.widgets import Label, clear_layout, column, scrolled, with_rule_links
from editor.bench import Bench
from editor.draft import Square
from editor.edits.squares import squares_of
from editor.problems.checking import Checker
from editor.selection import Selection
from editor.words import capitalized
from engine.fortress.floorplan import FloorPlan
from engine.raid.doctor import Diagnosis
from engine.raid.rooms import SETUP_LETTERS

BROKEN_MAP: Final = "The doctor can see nothing yet: fix the errors first."
WELL: Final = "Nothing to find fault with: everything can be reached and struck in time."
NAME_WIDTH: Final = 6  # widths of "n" that any column has at least
NEVER: Final = "never"
LATE: Final = " late"
TIPS: Final = {
    "First": "The turn in which a Terminator can be there first; late is after the last one",
    "Whole": "The turn by which Terminators can have been in every square; late is after the last one",
    "Counters": "Counters of the force that are set up by this letter",
    "Squares": "Squares of rooms with this letter that take counters",
}
LUCK: Final = (
    "The best that can happen to the Terminators: nobody in their way, every door falls at once, "
    "no drop-off holds them up. Nobody is anywhere sooner."
)


class DoctorPanel(QWidget):
    """Findings, earliest turns by room, equipment and letters, and a map in the colours of the turns.

    The draft is diagnosed only while somebody wants to `look`.
    """

    def __init__(self, bench: Bench, checker: Checker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bench = bench
        self.checker = checker
        self.findings = QVBoxLayout()
        self.rooms = _Table(("Room", "First", "Whole"))
        self.rooms.setAccessibleName("Earliest turns by room")
        self.rooms.chosen = self._go_to_room
        self.equipment = _Table(("Equipment", "First"))
        self.equipment.setAccessibleName("Earliest turns by equipment")
        self.equipment.chosen = self._go_to_equipment
        self.letters = _Table(("Letter", "Counters", "Squares"))
        self.letters.setAccessibleName("Squares by letter")
        self.heat = HeatMap(bench)
        tabs = QTabWidget()
        for title, widget in (
            ("Rooms", self.rooms),
            ("Equipment", self.equipment),
            ("Letters", self.letters),
            ("Map", self.heat),
        ):
            tabs.addTab(widget, title)
        # The names of all four are read in full, narrow as the panel is.
        tabs.setStyleSheet("QTabBar::tab { padding: 4px 8px; }")
        self.tabs = tabs
        body = column(
            self.findings, Label(LUCK, "small", is_soft=True), spacing=theme.SPACE, margin=theme.SPACE
        )
        foot = column(tabs, margin=theme.SPACE)
        top = QWidget()
        scrolled(top, body, QVBoxLayout())
        layout = column(top, foot, spacing=0)
        layout.setStretch(0, 2)
        layout.setStretch(1, 3)
        self.setLayout(layout)
        checker.changed.connect(self._fill)
        self._fill()

    @Slot(bool)
    def look(self, is_on: bool) -> None:
        """Diagnose the draft from now on, or no longer: the dock tells whether it is on show."""
        self.checker.diagnoses = is_on

    @Slot()
    def _fill(self) -> None:
        found = self.checker.diagnosis
        clear_layout(self.findings)
        draft = self.checker.diagnosed
        self.tabs.setEnabled(found is not None)
        if found is None or draft is None:
            self.findings.addWidget(Label(BROKEN_MAP if draft is not None else "Looking…"))
            for table in (self.rooms, self.equipment, self.letters):
                table.fill([])
            self.heat.show_turns(None, None)
            return
        _list_findings(self.findings, found)
        plan, last = draft.plan, found.last_turn
        self.rooms.fill(
            [
                (plan.rooms[one.room].name, _turn(one.first, last), _turn(one.whole, last))
                for one in found.rooms
                if one.squares
            ],
            [one.room for one in found.rooms if one.squares],
        )
        self.equipment.fill(
            [
                (
                    f"{plan.equipment[one.equipment].kind.capitalize()} "
                    f"{plan.equipment[one.equipment].x},{plan.equipment[one.equipment].y}",
                    "destroyed" if one.turn == 0 else _turn(one.turn, last),
                )
                for one in found.equipment
            ],
            [one.equipment for one in found.equipment],
        )
        self.letters.fill(
            [
                (f"{one.letter}  {SETUP_LETTERS[one.letter]}", str(one.counters), str(one.places))
                for one in found.supplies
            ]
        )
        self.heat.show_turns(plan, found)

    def _go_to_room(self, number: int) -> None:
        rooms = self.bench.document.draft.plan.rooms
        if number < len(rooms):
            squares = frozenset(squares_of(self.bench.document.draft.plan, rooms[number].letter))
            if squares:
                self.bench.select(Selection(squares=squares))
                self.bench.gone_to.emit(min(squares, key=lambda one: (one[1], one[0])))
                self.bench.flashed.emit(squares)

    def _go_to_equipment(self, number: int) -> None:
        things = self.bench.document.draft.plan.equipment
        if number < len(things):
            square = (things[number].x, things[number].y)
            self.bench.select(Selection(equipment=frozenset((number,))))
            self.bench.gone_to.emit(square)
            self.bench.flashed.emit(frozenset((square,)))


def _list_findings(layout: QLayout, found: Diagnosis) -> None:
    if not any(finding.severity == "warning" for finding in found.findings):
        layout.addWidget(Label(WELL))
    for finding in found.findings:
        word = "Warning: " if finding.severity == "warning" else "Note: "
        label = Label(f"<b>{word}</b>{with_rule_links(capitalized(finding.message))}", is_rich=True)
        layout.addWidget(label)


def _turn(turn: int | None, last: int) -> str:
    """Return a turn in words; one after the last says so."""
    if turn is None:
        return NEVER
    return str(turn) if turn <= last else f"{turn}{LATE}"


class _Table(Dressed, QTableWidget):
    """Rows to read; Enter or a double click on one goes there."""

    def __init__(self, headings: tuple[str, ...]) -> None:
        super().__init__(0, len(headings))
        self.setHorizontalHeaderLabels(headings)
        for at, heading in enumerate(headings):
            item = self.horizontalHeaderItem(at)
            if item is not None and heading in TIPS:
                item.setToolTip(TIPS[heading])
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        header = self.horizontalHeader()
        for at in range(len(headings)):
            mode = QHeaderView.ResizeMode.ResizeToContents if at else QHeaderView.ResizeMode.Stretch
            header.setSectionResizeMode(at, mode)
        self.numbers: list[int] = []
        self.chosen: Callable[[int], None] = _nowhere
        self.cellDoubleClicked.connect(self._choose)
        self.dress()

    def _dress(self) -> None:
        for at in range(self.rowCount()):
            for column_ in range(self.columnCount()):
                item = self.item(at, column_)
                if item is not None:
                    _colour(item)
        # A name that is longer than its column is wide goes on in the next line.
        self.horizontalHeader().setMinimumSectionSize(self.fontMetrics().horizontalAdvance("n" * NAME_WIDTH))

    def fill(self, rows: list[tuple[str, ...]], numbers: list[int] | None = None) -> None:
        """Show other rows; `numbers` are those of the things they are about."""
        self.numbers = numbers or []
        self.setRowCount(len(rows))
        for at, cells in enumerate(rows):
            for column_, text in enumerate(cells):
                item = self.item(at, column_)
                if item is None:
                    item = QTableWidgetItem()
                    self.setItem(at, column_, item)
                item.setText(text)
                item.setToolTip(as_text(text))
                _colour(item)
                if column_:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    @Slot(int)
    def _choose(self, row: int) -> None:
        if row < len(self.numbers):
            self.chosen(self.numbers[row])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.currentRow())
        else:
            super().keyPressEvent(event)


def _colour(item: QTableWidgetItem) -> None:
    """Write a cell in the theme's colours, what is too late or never in that of danger."""
    is_bad = item.column() > 0 and (item.text() == NEVER or item.text().endswith(LATE))
    item.setForeground(theme.colors().danger if is_bad else theme.colors().ink)


def _nowhere(_number: int) -> None:
    """Go nowhere."""


class HeatMap(Drawn, QWidget):
    """The map with the turn in which each square is first reached, in colour and, where it fits, as a number.

    A click goes to the square.
    """

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._plan: FloorPlan | None = None
        self._found: Diagnosis | None = None
        self._tanks: frozenset[Square] = frozenset()
        self.setAccessibleName("Map of earliest turns")
        self.setAccessibleDescription("The table of rooms has the same turns in words.")
        self.dress()

    def _dress(self) -> None:
        self.setMinimumHeight(theme.size("body") * 6)
        super()._dress()

    def show_turns(self, plan: FloorPlan | None, found: Diagnosis | None) -> None:
        """Show another map with its turns, or none."""
        self._plan, self._found = plan, found
        things = plan.equipment if plan is not None else ()
        self._tanks = frozenset((one.x, one.y) for one in things if one.kind == "tank")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.size("body") * 24, theme.size("body") * 12)

    def _side(self) -> float:
        if self._plan is None:
            return 1
        return min(self.width() / self._plan.width, self.height() / self._plan.height)

    def square_at(self, x: float, y: float) -> Square | None:
        """Return the square at a point of the widget; None beside the map."""
        if self._plan is None:
            return None
        column_, row_ = int(x // self._side()), int(y // self._side())
        is_on = 0 <= column_ < self._plan.width and 0 <= row_ < self._plan.height
        return (column_, row_) if is_on else None

    def words_at(self, square: Square) -> str:
        """Return when a square is reached, in words."""
        if self._plan is None or self._found is None or self._plan.room_at(*square) is None:
            return ""
        if square in self._tanks:
            return f"{square[0]},{square[1]}: a tank"
        turn = self._found.squares.get(self._plan.square(*square))
        when = "never" if turn is None else f"turn {turn}"
        return f"{square[0]},{square[1]}: {when}"

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            square = self.square_at(event.pos().x(), event.pos().y())
            QToolTip.showText(event.globalPos(), as_text(self.words_at(square)) if square else "", self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        square = self.square_at(event.position().x(), event.position().y())
        if square is not None:
            self._bench.gone_to.emit(square)
            self._bench.flashed.emit(frozenset((square,)))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        plan, found, colors = self._plan, self._found, theme.colors()
        if plan is None or found is None:
            return
        side = self._side()
        font = theme.font("small")
        has_numbers = side >= font.pixelSize() * 1.2
        painter.setFont(font)
        for y, line in enumerate(plan.grid):
            for x, _ in enumerate(line):
                if plan.room_at(x, y) is None:
                    continue
                turn = found.squares.get(plan.square(x, y))
                box = QRectF(x * side, y * side, side, side)
                if (x, y) in self._tanks:
                    painter.fillRect(box, colors.panel)
                    painter.setPen(QPen(colors.wall, 1))
                    painter.drawEllipse(box.center(), side * 0.3, side * 0.3)
                    continue
                painter.fillRect(box, turn_colour(turn, found.last_turn))
                if has_numbers:
                    late = turn is None or turn > found.last_turn
                    painter.setPen(colors.field if late else colors.ink)
                    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "–" if turn is None else str(turn))
        painter.setPen(QPen(colors.wall, 1))
        for y, line in enumerate(plan.grid):
            for x, _ in enumerate(line):
                corner = QPointF((x + 1) * side, (y + 1) * side)
                if plan.edge_kind(x, y, "E") == "wall":
                    painter.drawLine(QPointF((x + 1) * side, y * side), corner)
                if plan.edge_kind(x, y, "S") == "wall":
                    painter.drawLine(QPointF(x * side, (y + 1) * side), corner)


def turn_colour(turn: int | None, last: int) -> QColor:
    """Return the colour of a turn: paler is sooner; too late and never in the colour of danger."""
    colors = theme.colors()
    if turn is None or turn > last:
        return colors.danger
    share = 0.08 + 0.5 * (turn - 1) / max(1, last - 1)
    field, ink = colors.field, colors.soft
    return QColor.fromRgbF(
        field.redF() + (ink.redF() - field.redF()) * share,
        field.greenF() + (ink.greenF() - field.greenF()) * share,
        field.blueF() + (ink.blueF() - field.blueF()) * share,
    )
