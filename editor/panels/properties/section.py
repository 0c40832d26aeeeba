"""What every section of the properties is: a heading, fields, and why something cannot be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from app import theme
from app.panels.widgets import Label
from editor.bench import Bench
from editor.document import Document
from editor.draft import Draft
from editor.panels.fields import NumberField
from editor.undo_keys import UndoKeys
from editor.words import sentence
from engine.fortress.floorplan import FloorPlan

Value = TypeVar("Value")


def common(values: Iterable[Value]) -> Value | None:
    """Return what all values are, None where they differ."""
    found = list(dict.fromkeys(values))
    return found[0] if len(found) == 1 else None


class Section(QWidget):
    """A part of the properties. `follow` shows what is selected, or hides the section.

    `done` follows when a field was left for the canvas.
    """

    done = Signal()

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bench = bench
        self._undo_keys = UndoKeys(bench.document, self)
        self.heading = Label("", "body", is_bold=True)
        self.reason = Label("", "small")
        self.reason.set_tone("danger")
        self.reason.hide()
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(theme.SPACE)
        self._grid.setVerticalSpacing(theme.SPACE // 2)
        self._grid.setColumnStretch(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, theme.SPACE)
        layout.setSpacing(theme.SPACE // 2)
        layout.addWidget(self.heading)
        layout.addLayout(self._grid)
        layout.addWidget(self.reason)

    @property
    def document(self) -> Document:
        """The document on the bench."""
        return self.bench.document

    @property
    def draft(self) -> Draft:
        """The draft as it is kept."""
        return self.bench.document.draft

    @property
    def plan(self) -> FloorPlan:
        """The map."""
        return self.draft.plan

    def add(self, words: str, field: QWidget) -> Label:
        """Add a field with its words in front, and return these."""
        label = Label(words, "small", is_soft=True, wraps=False)
        label.setBuddy(field)
        row = self._grid.rowCount()
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(field, row, 1)
        return label

    def add_wide(self, field: QWidget) -> None:
        """Add a field over the whole width."""
        self._grid.addWidget(field, self._grid.rowCount(), 0, 1, 2)

    def add_number(self, words: str, field: NumberField) -> Label:
        """Add a number, whose changes are one step until it is left."""
        self._undo_keys.watch(field)
        field.settled.connect(self.document.settle)
        field.done.connect(self.done)
        return self.add(words, field)

    def refuse(self, reason: str) -> None:
        """Say why something cannot be, or nothing any more for ""."""
        self.reason.setText(sentence(reason))
        self.reason.setVisible(bool(reason))
        if reason:
            self.bench.say(self.reason.text())

    def follow(self) -> None:
        """Show what is selected, and hide the section where nothing of its kind is."""
