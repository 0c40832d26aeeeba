"""The Help menu: the page about the tool in hand, all actions by a few letters, and their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

if TYPE_CHECKING:
    from editor.window import EditorWindow


class HelpMenu(QObject):
    """Help, the search for actions, shortcuts."""

    def __init__(self, window: EditorWindow) -> None:
        super().__init__(window)
        self._window = window
        menu = window.menuBar().addMenu("&Help")
        self.menu = menu
        add = window.commands.add
        menu.addAction(add("help", "&Help on this", "F1", self.help, menu="Help"))
        menu.addAction(add("help-editor", "The &editor", "", self.help_editor, menu="Help"))
        menu.addSeparator()
        menu.addAction(add("find-action", "&Find an action…", "Ctrl+Shift+P", self.find_action, menu="Help"))
        menu.addAction(add("shortcuts", "&Shortcuts…", "", self.shortcuts, menu="Help"))

    @Slot()
    def help(self) -> None:
        """Show the help's page about the tool in hand."""
        tool = self._window.bench.tool
        self._window.host.show_help(tool.topic if tool is not None else "editor", self._window)

    @Slot()
    def help_editor(self) -> None:
        """Show the help's first page about the editor."""
        self._window.host.show_help("editor", self._window)

    @Slot()
    def find_action(self) -> None:
        """Ask for an action by a few letters of its name."""

    @Slot()
    def shortcuts(self) -> None:
        """Show all shortcuts, to be changed."""
