"""Opens the editor, and is the game around it: playtests, help, the start screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from app.garbage import SafeCollector
from app.help.screens import HelpKey, open_at
from app.settings import SettingsStore
from editor.document import Document
from editor.files.reading import is_shipped, read_draft
from editor.host import Playtest, PlaytestView
from editor.window import EditorWindow

TOPICS: Final = {
    "editor": "The editor",
    "editor-select": "The Select tool",
    "editor-room": "The Room tool",
    "editor-brush": "The Brush tool",
    "editor-fill": "The Fill tool",
    "editor-wall": "The Wall tool",
    "editor-door": "The Door tool",
    "editor-dropoff": "The Drop-off tool",
    "editor-equipment": "The Equipment tool",
    "editor-entry": "The Entry tool",
    "editor-setup": "The Set-up letters tool",
    "editor-level": "The Level tool",
    "editor-stamp": "The Stamp tool",
    "editor-erase": "The Erase tool",
    "editor-sight": "The Sight tool",
    "editor-reach": "The Reach tool",
    "editor-place": "The Figures tool",
    "editor-tools": "The tools",
    "editor-properties": "Properties",
    "editor-rooms": "The table of rooms",
    "editor-scenario": "Scenario mode",
    "editor-problems": "Problems",
    "editor-doctor": "Problems",
    "editor-history": "Undo and history",
    "editor-overview": "Finding one's way on a map",
    "editor-tracing": "Tracing an image",
    "editor-trials": "Bot games",
    "editor-playtest": "Playtest",
    "editor-files": "Files, backups and recovery",
    "editor-export": "Export",
    "editor-print": "Print and play",
}
"""The titles of the help's parts about the editor, by topic."""


class GameHost(QObject):
    """What the editor asks of the game; `go_home` shows the start screen."""

    def __init__(self, store: SettingsStore, go_home: Callable[[], None]) -> None:
        super().__init__()
        self._store = store
        self._go_home = go_home
        self._help_key = HelpKey(self)

    @property
    def store(self) -> SettingsStore:
        """The settings in force."""
        return self._store

    def playtest(self, playtest: Playtest, parent: QWidget) -> PlaytestView:
        """Return a page that plays the game asked for; raises BadFile."""
        from app.playtest import PlaytestPage

        return PlaytestPage(playtest, self._store, parent)

    def show_help(self, topic: str) -> None:
        """Show a page of the help."""
        open_at(TOPICS.get(topic, TOPICS["editor"]))

    def show_settings(self, parent: QWidget) -> None:
        """Open the settings over a window."""
        from app.dialogs.settings import open_settings

        open_settings(self._store, parent)

    def show_start(self) -> None:
        """Show the start screen."""
        self._go_home()


class Editing(QObject):
    """The editor of this program: one window, made when first wanted, another when that was closed."""

    def __init__(
        self, store: SettingsStore, go_home: Callable[[], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.host = GameHost(store, go_home)
        self.window: EditorWindow | None = None
        self._collector: SafeCollector | None = None

    def open(self, name: str | None = None) -> EditorWindow:
        """Show the editor, with what a file or a shipped name holds; raises BadFile for such a name only."""
        shipped = read_draft(name) if name is not None and is_shipped(name) else None
        if self.window is None:
            self._collector = SafeCollector(self)
            self.window = EditorWindow(self.host, Document(shipped) if shipped is not None else None)
            self.window.closed.connect(self._on_closed)
        elif shipped is not None:
            self.window.files.begin(shipped)
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()
        if name is not None and shipped is None:
            self.window.files.open_path(Path(name))
        return self.window

    def close(self) -> bool:
        """Close the editor; return whether it is closed: unsaved work may keep it open."""
        return self.window is None or self.window.close()

    def keep_now(self) -> None:
        """Write unsaved work down, for when something has gone wrong."""
        if self.window is not None:
            self.window.files.keep_now()

    @Slot()
    def _on_closed(self) -> None:
        window, self.window = self.window, None
        if window is not None:
            window.deleteLater()
        if self._collector is not None:
            self._collector.stop()
            self._collector = None
