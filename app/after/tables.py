"""Luck and record sheets as tables."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from app import theme
from app.after import words
from app.markup import as_text
from app.panels.dressed import Dressed
from engine.core.numbers import signed
from engine.raid.chronicle import Chronicle

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LUCK_COLUMNS = ("Dice for", "Dice", "Hits", "Expected", "Beyond", "Spread", "In 100")
LUCK_COLUMNS_MEAN = (
    "In the table, beyond: hits more or fewer than expected; spread: their standard deviation; "
    "in 100: so many of 100 games go as far off or farther, either way."
)


class _Table(Dressed, QTableWidget):
    """A table to be read: no editing, Tab leads on, rows fit the text."""

    step = "body"

    def __init__(self, rows: int, columns: int, parent: QWidget | None = None) -> None:
        super().__init__(rows, columns, parent)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setCornerButtonEnabled(False)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)

    def _dress(self) -> None:
        """Make rows and columns as large as the text needs."""
        for number in range(self.rowCount()):
            for column in range(self.columnCount()):
                item = self.item(number, column)
                if item is not None:
                    is_bold = bool(item.data(Qt.ItemDataRole.UserRole))
                    item.setFont(theme.font(self.step, is_bold=is_bold))
        self.resizeColumnsToContents()
        self.resizeRowsToContents()

    def put(self, row: int, column: int, text: str, *, is_bold: bool = False, said: str = "") -> None:
        """Write a cell; `said` is what it tells in full."""
        item = QTableWidgetItem(text)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        item.setData(Qt.ItemDataRole.UserRole, is_bold)
        item.setToolTip(as_text(said))
        if said:
            item.setData(Qt.ItemDataRole.AccessibleTextRole, said)
        self.setItem(row, column, item)


class LuckTable(_Table):
    """Dice, hits and what was to be expected, by side and kind."""

    def __init__(self, told: Chronicle, parent: QWidget | None = None) -> None:
        super().__init__(len(told.luck), len(LUCK_COLUMNS), parent)
        self.setAccessibleName("Luck by kind of dice")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.verticalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        for column, title in enumerate(LUCK_COLUMNS):
            head = QTableWidgetItem(title)
            head.setTextAlignment(RIGHT if column else LEFT)
            self.setHorizontalHeaderItem(column, head)
        for number, row in enumerate(told.luck):
            is_all = row.kind == "all"
            title = words.SIDE_TITLES[row.side] if is_all else words.kind_title(row.kind)
            cells = (
                title,
                str(row.dice),
                str(row.hits),
                f"{row.expected:.1f}",
                signed(row.hits - row.expected),
                f"{row.deviation:.1f}",
                f"{row.chance * 100:.0f}",
            )
            for column, text in enumerate(cells):
                said = words.luck_words(row)
                self.put(number, column, text, is_bold=is_all, said=said)
                item = self.item(number, column)
                if column and item is not None:
                    item.setTextAlignment(RIGHT)
        self.dress()


class SheetTable(_Table):
    """The record sheets of all Terminators and Jellies that came into play, a column for each turn."""

    step = "small"

    def __init__(self, told: Chronicle, parent: QWidget | None = None) -> None:
        super().__init__(len(told.sheets), len(told.turns) + 1, parent)
        self.told = told
        self.setAccessibleName("Record sheets over time")
        self.setHorizontalHeaderLabels(["At first", *(f"Turn {turn}" for turn in told.turns)])
        self.setVerticalHeaderLabels([sheet.figure for sheet in told.sheets])
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for number, sheet in enumerate(told.sheets):
            last = words.letters(sheet.original)
            self.put(number, 0, last, said=words.began_words(sheet))
            for column, one in enumerate(sheet.columns, 1):
                text = words.column_words(one)
                # What changed stands out; what is over is said once.
                is_over = text == last and text in words.OVER
                is_bold = text not in (last, words.FACE_DOWN)
                said = words.cell_words(sheet, one.turn)
                self.put(number, column, "–" if is_over else text, is_bold=is_bold, said=said)
                last = text
        self.dress()

    def words_at(self, row: int, column: int) -> str:
        """Return what a cell tells in full."""
        item = self.item(row, column)
        return item.toolTip() if item is not None else ""
