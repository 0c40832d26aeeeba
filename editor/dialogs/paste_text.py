"""A map from pasted text, in the format of hand-drawn plans: what it gives, and every fault with its line."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QPlainTextEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.panels.widgets import Label, keyed_button, row
from editor.dialogs.lines import lines_list
from editor.dialogs.plan_picture import PlanPicture
from editor.draft import Draft, Edge
from editor.edits.names import with_rooms_of_all_letters
from editor.words import counted
from engine.core.files import BadFile
from engine.fortress.floorplan import FloorPlan, owner, tidied
from engine.fortress.plan_text import parse_floorplan_text, text_lines

DELAY: Final = 300  # ms after the last key, when the text is read
EXAMPLE: Final = """\
[grid]
HHHHKKK
HHHHKKK
HHHHKKK

[rooms]
H  Hall     ground  STJ
K  Kitchen  ground  S

[edges]
door  3,1  E

[equipment]
tank  5,1

[entries]
Front Door  0,1  2  1  W
"""
"""A text that shows every section of the format."""
HOW: Final = (
    "Paste a floor plan: rows with a letter a square, “.” for rock. They are enough; the rooms get names of "
    "their own. More can follow under [rooms], [edges], [equipment], [entries] and [sight]."
)


def notes(plan: FloorPlan, text: str) -> list[str]:
    """Return what is worth knowing of a text that can be read: letters without a row, edges given twice."""
    lines = text_lines(text)
    named = with_rooms_of_all_letters(plan).rooms[len(plan.rooms) :]
    found = [f'letter "{room.letter}" has no row under [rooms]: it is called {room.name}' for room in named]
    seen: dict[Edge, int] = {}
    for at, edge in enumerate(plan.edges):
        line = lines.get(f"edges[{at}]", 0)
        place = owner(edge.x, edge.y, edge.side)
        if place in seen:
            found.append(f"line {line}: the edge of line {seen[place]} once more; this one counts")
        seen[place] = line
    return found


class PasteTextDialog(QDialog):
    """Reads a text as it is typed, at first `text` or else the clipboard's; `draft` is what it gives."""

    def __init__(self, parent: QWidget | None = None, text: str = "") -> None:
        super().__init__(parent)
        self.setWindowTitle("New from text")
        self.plan: FloorPlan | None = None
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("The text of the plan")
        self.text.setPlaceholderText(EXAMPLE)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setTabChangesFocus(True)
        self.picture = PlanPicture()
        self.verdict = Label("", "body", is_bold=True)
        self.faults = lines_list("Faults of the text, by line")
        self.faults.itemActivated.connect(self._on_fault)
        self.faults.itemClicked.connect(self._on_fault)
        self.begin_button = keyed_button("Begin", "Ctrl+Return", self.accept, is_main=True)
        self.example_button = keyed_button("Example", "Alt+E", self._on_example)
        cancel = keyed_button("Cancel", "Esc", self.reject)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.verdict)
        column.addWidget(self.picture, 2)
        column.addWidget(self.faults, 1)
        splitter = QSplitter()
        splitter.addWidget(self.text)
        splitter.addWidget(right)
        splitter.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(Label("A map from text", "title", is_title=True))
        layout.addWidget(Label(HOW, "small", is_soft=True))
        layout.addWidget(splitter, 1)
        layout.addLayout(row(cancel, self.example_button, self.begin_button))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY)
        self._timer.timeout.connect(self.read)
        self.text.textChanged.connect(self._timer.start)
        self.resize(min(theme.size("body") * 64, 1240), min(theme.size("body") * 40, 660))
        clipboard = QGuiApplication.clipboard().text()
        if text.strip():
            self.text.setPlainText(text)
        elif "[grid]" in clipboard:
            self.text.setPlainText(clipboard)
        self.read()
        self.text.setFocus()

    @property
    def draft(self) -> Draft:
        """The draft to begin with."""
        assert self.plan is not None
        return Draft(self.plan)

    @Slot()
    def read(self) -> None:
        """Read the text, and show what it gives or what is wrong with it."""
        self._timer.stop()
        self.faults.clear()
        self.plan = None
        text = self.text.toPlainText()
        if not text.strip():
            self.verdict.setText("Nothing is pasted yet. “Example” shows what such a text looks like.")
        else:
            try:
                found = parse_floorplan_text(text, "New map")
            except BadFile as error:
                self.faults.addItems(list(error.problems))
                count = len(error.problems)
                has_line = any(one.startswith("line ") for one in error.problems)
                hint = " A click goes to the line." if has_line else ""
                self.verdict.setText(f"{counted(count, 'fault')}.{hint}")
            else:
                self.plan = tidied(with_rooms_of_all_letters(found))
                self.faults.addItems(list(notes(found, text)))
                size = f"{self.plan.width} × {self.plan.height} squares"
                rooms = len(self.plan.rooms)
                self.verdict.setText(f"{size}, {counted(rooms, 'room')}.")
        is_broken = self.plan is None and bool(self.faults.count())
        self.verdict.set_tone("danger" if is_broken else "")
        self.faults.setVisible(bool(self.faults.count()))
        self.picture.show_plan(self.plan)
        self.begin_button.setEnabled(self.plan is not None)

    def accept(self) -> None:
        self.read()
        if self.plan is not None:
            super().accept()

    @Slot()
    def _on_example(self) -> None:
        self.text.setPlainText(EXAMPLE)
        self.read()

    @Slot()
    def _on_fault(self) -> None:
        for item in self.faults.selectedItems():
            head, _, rest = item.text().partition(" ")
            number = rest.partition(":")[0]
            if head != "line" or not number.isdigit():
                continue
            block = self.text.document().findBlockByNumber(int(number) - 1)
            cursor = self.text.textCursor()
            cursor.setPosition(block.position())
            cursor.movePosition(cursor.MoveOperation.EndOfBlock, cursor.MoveMode.KeepAnchor)
            self.text.setTextCursor(cursor)
            self.text.setFocus()
