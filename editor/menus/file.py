"""The File menu: drafts from templates, text and files, and back into them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

if TYPE_CHECKING:
    from editor.window import EditorWindow


class FileMenu(QObject):
    """New, open, save, export, print, close."""

    def __init__(self, window: EditorWindow) -> None:
        super().__init__(window)
        self._window = window
        menu = window.menuBar().addMenu("&File")
        self.menu = menu
        add = window.commands.add
        menu.addAction(add("new", "&New…", "Ctrl+N", self.new, menu="File"))
        menu.addAction(add("paste-text", "New from &text…", "Ctrl+Shift+N", self.new_from_text, menu="File"))
        menu.addAction(add("open", "&Open…", "Ctrl+O", self.open, menu="File"))
        self.recent_menu = menu.addMenu("Open &recent")
        menu.addSeparator()
        menu.addAction(add("save", "&Save", "Ctrl+S", self.save, menu="File"))
        menu.addAction(add("save-as", "Save &as…", "Ctrl+Shift+S", self.save_as, menu="File"))
        menu.addSeparator()
        menu.addAction(add("export", "&Export…", "Ctrl+E", self.export, menu="File"))
        menu.addAction(add("print", "&Print…", "Ctrl+P", self.print, menu="File"))
        menu.addSeparator()
        menu.addAction(add("close", "&Close", "Ctrl+W", window.close, menu="File"))

    @Slot()
    def new(self) -> None:
        """Ask what to begin with."""

    @Slot()
    def new_from_text(self) -> None:
        """Begin with a floor plan from pasted text."""

    @Slot()
    def open(self) -> None:
        """Ask for a file."""

    @Slot()
    def save(self) -> None:
        """Save into the file the draft came from."""

    @Slot()
    def save_as(self) -> None:
        """Ask where to save."""

    @Slot()
    def export(self) -> None:
        """Ask for a form to take the draft out in."""

    @Slot()
    def print(self) -> None:
        """Print and play."""
