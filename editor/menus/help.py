"""The Help menu: the page about the tool in hand, all actions by a few letters, and their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QApplication

from editor.dialogs.find_action import FindActionDialog
from editor.dialogs.shortcuts import ShortcutsDialog

if TYPE_CHECKING:
    from editor.window import EditorWindow


class HelpMenu(QObject):
    """Help, the search for actions, shortcuts."""

    def __init__(self, window: EditorWindow) -> None:
        super().__init__(window)
        self._window = window
        menu = window.menuBar().addMenu("&Help")
        self.menu = menu
        add = window.named_actions.add
        menu.addAction(add("help", "&Help on this", "F1", self.help, menu="Help"))
        menu.addAction(add("help-editor", "The &editor", "", self.help_editor, menu="Help"))
        menu.addSeparator()
        menu.addAction(add("find-action", "&Find an action…", "Ctrl+Shift+P", self.find_action, menu="Help"))
        menu.addAction(add("shortcuts", "&Shortcuts…", "Ctrl+K", self.shortcuts, menu="Help"))

    @property
    def topic(self) -> str:
        """The topic of what has the focus: a panel's, or else that of the tool in hand."""
        window = self._window
        if window.mode == "playtest":
            return "editor-playtest"
        focus = QApplication.focusWidget()
        for key, dock in window.docks.items():
            if focus is not None and dock.isAncestorOf(focus):
                return f"editor-{key}"
        tool = window.bench.tool
        return tool.topic if tool is not None else "editor"

    @Slot()
    def help(self) -> None:
        """Show the help's page about what has the focus."""
        self._window.host.show_help(self.topic)

    @Slot()
    def help_editor(self) -> None:
        """Show the help's first page about the editor."""
        self._window.host.show_help("editor")

    @Slot()
    def find_action(self) -> None:
        """Ask for an action by a few letters of its name."""
        dialog = FindActionDialog(self._window.named_actions, self._window)
        dialog.finished.connect(dialog.deleteLater)
        dialog.accepted.connect(self._on_found)
        dialog.open()

    @Slot()
    def _on_found(self) -> None:
        dialog = self.sender()
        if isinstance(dialog, FindActionDialog) and dialog.chosen is not None:
            self._window.canvas.setFocus()
            dialog.chosen.action.trigger()

    @Slot()
    def shortcuts(self) -> None:
        """Show all shortcuts, to be changed."""
        dialog = ShortcutsDialog(self._window.named_actions, self._window)
        dialog.finished.connect(dialog.deleteLater)
        dialog.finished.connect(self._on_shortcuts)
        dialog.open()

    @Slot()
    def _on_shortcuts(self) -> None:
        window = self._window
        window.settings.keep(keys=window.named_actions.own_keys())
        window.on_keys()
