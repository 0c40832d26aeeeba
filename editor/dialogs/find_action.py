"""The search for an action: a few letters of its name, and Return does it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app import theme
from editor.actions import Actions, Known

MOVES: Final = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
AT: Final = Qt.ItemDataRole.UserRole


def ranked(actions: Iterable[Known], words: str) -> list[Known]:
    """Return the actions whose place and name have all words, those that begin with them first."""
    wanted = words.casefold().split()
    found = []
    for known in actions:
        text = known.path.casefold()
        if all(word in text for word in wanted):
            name = text.rpartition("> ")[2]
            starts = sum(any(part.startswith(word) for part in name.split()) for word in wanted)
            found.append((-starts, known))
    return [known for _, known in sorted(found, key=lambda one: one[0])]


class FindActionDialog(QDialog):
    """Lists actions as letters are typed; `chosen` is the one to do when it is accepted."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Find an action")
        self.chosen: Known | None = None
        self._actions = actions
        self.box = QLineEdit()
        self.box.setPlaceholderText("A few letters of what you want to do")
        self.box.setAccessibleName("Search")
        self.box.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName("Actions")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.itemClicked.connect(self._on_item)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE,) * 4)
        layout.addWidget(self.box)
        layout.addWidget(self.list)
        self.box.textChanged.connect(self._fill)
        self.box.returnPressed.connect(self._on_item)
        self.resize(min(theme.size("body") * 40, 1200), min(theme.size("body") * 26, 600))
        self._fill()

    @Slot()
    def _fill(self) -> None:
        self.list.clear()
        for known in ranked(self._actions, self.box.text()):
            if not known.action.isVisible():
                continue
            key = known.action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            reason = self._actions.why_barred(known.name)
            parts = (known.path, key, f"– {reason}" if reason else "")
            item = QListWidgetItem("    ".join(part for part in parts if part))
            item.setData(AT, known.name)
            if reason:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
                item.setForeground(theme.colors().soft)
            self.list.addItem(item)
            if not reason and self.list.currentItem() is None:
                self.list.setCurrentItem(item)
        if not self.list.count():
            item = QListWidgetItem(f"No action here is called “{self.box.text().strip()}”.")
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            item.setForeground(theme.colors().soft)
            self.list.addItem(item)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move through the list while letters are typed."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in MOVES:
            self.list.event(event)
            return True
        return super().eventFilter(watched, event)

    @Slot()
    def _on_item(self) -> None:
        for item in self.list.selectedItems():
            if item.flags() & Qt.ItemFlag.ItemIsEnabled:
                self.chosen = next(one for one in self._actions if one.name == item.data(AT))
                self.accept()
