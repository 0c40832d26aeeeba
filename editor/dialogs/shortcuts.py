"""All actions with their keys, to be given others; a key that another action has is refused at once."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.panels.widgets import ActionButton, Label, keyed_button, row
from editor.actions import Actions
from editor.dialogs.find_action import ranked
from editor.words import sentence

AT: Final = Qt.ItemDataRole.UserRole
HOW: Final = (
    "Choose an action, then press its new key in the box below. Single letters are for what acts on the "
    "map: they work while the map has the focus."
)


class ShortcutsDialog(QDialog):
    """Changes keys at once; there is nothing to confirm."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Shortcuts")
        self._actions = actions
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search an action")
        self.search.setAccessibleName("Search an action")
        self.search.textChanged.connect(self._fill)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Actions and their keys")
        self.tree.setRootIsDecorated(False)
        self.tree.setHeaderLabels(["Action", "Key"])
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.currentItemChanged.connect(self._follow)
        self.key_box = QKeySequenceEdit()
        self.key_box.setMaximumSequenceLength(1)
        self.key_box.setAccessibleName("New key")
        self.key_box.editingFinished.connect(self._on_key)
        self.clear_button = ActionButton("No key", is_small=True)
        self.clear_button.clicked.connect(self._on_clear)
        self.built_in_button = ActionButton("Built-in key", is_small=True)
        self.built_in_button.clicked.connect(self._on_built_in)
        self.all_button = keyed_button("All built-in keys", "", self._on_all)
        close = keyed_button("Close", "", self.accept, is_main=True)
        self.reason = Label("", "body")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(Label("Shortcuts", "title", is_title=True))
        layout.addWidget(Label(HOW, "small", is_soft=True))
        layout.addWidget(self.search)
        layout.addWidget(self.tree, 1)
        line = row(Label("New key", wraps=False), self.key_box, self.clear_button, self.built_in_button)
        line.setStretch(1, 1)
        layout.addLayout(line)
        layout.addWidget(self.reason)
        layout.addLayout(row(self.all_button, close))
        self.resize(min(theme.size("body") * 48, 1240), min(theme.size("body") * 40, 660))
        self._fill()
        self.search.setFocus()

    @property
    def _name(self) -> str:
        item = self.tree.currentItem()
        return str(item.data(0, AT)) if item is not None else ""

    @Slot()
    def _fill(self) -> None:
        had = self._name
        self.tree.clear()
        for known in ranked(self._actions, self.search.text()):
            item = QTreeWidgetItem([known.path, ""])
            item.setData(0, AT, known.name)
            self.tree.addTopLevelItem(item)
            if known.name == had:
                self.tree.setCurrentItem(item)
        first = self.tree.topLevelItem(0)
        if self.tree.currentItem() is None and first is not None:
            self.tree.setCurrentItem(first)
        self._show_keys()

    def _show_keys(self) -> None:
        own = self._actions.own_keys()
        for at in range(self.tree.topLevelItemCount()):
            item = self.tree.topLevelItem(at)
            if item is None:
                continue
            action = self._actions[str(item.data(0, AT))]
            item.setText(1, action.shortcut().toString(QKeySequence.SequenceFormat.NativeText))
            font = theme.font("body", is_bold=item.data(0, AT) in own)
            item.setFont(1, font)
        self._follow()

    @Slot()
    def _follow(self) -> None:
        name = self._name
        self.reason.setText("")
        self.key_box.setEnabled(bool(name))
        self.key_box.setKeySequence(self._actions[name].shortcut() if name else QKeySequence())
        self.clear_button.setEnabled(bool(name) and not self._actions[name].shortcut().isEmpty())
        self.built_in_button.setEnabled(name in self._actions.own_keys())

    def _give(self, key: str) -> None:
        name = self._name
        if not name:
            return
        reason = self._actions.set_key(name, key)
        self._show_keys()
        self.reason.setText(sentence(reason))
        self.reason.set_tone("danger" if reason else "")

    @Slot()
    def _on_key(self) -> None:
        key = self.key_box.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        if self._name and key != self._actions.key_of(self._name):
            self._give(key)

    @Slot()
    def _on_clear(self) -> None:
        self._give("")

    @Slot()
    def _on_built_in(self) -> None:
        name = self._name
        known = next((one for one in self._actions if one.name == name), None)
        if known is not None:
            self._give(known.key)

    @Slot()
    def _on_all(self) -> None:
        self._actions.reset()
        self._show_keys()
