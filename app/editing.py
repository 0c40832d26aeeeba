"""Opens the editor, and is the game around it: playtests, help, the start screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.settings import SettingsStore
from editor.host import Playtest, PlaytestView
from editor.window import EditorWindow


class GameHost:
    """What the editor asks of the game; `go_home` shows the start screen."""

    def __init__(self, store: SettingsStore, go_home: Callable[[], None]) -> None:
        self._store = store
        self._go_home = go_home

    @property
    def store(self) -> SettingsStore:
        """The settings in force."""
        return self._store

    def playtest(self, playtest: Playtest, parent: QWidget) -> PlaytestView:
        """Return a page that plays the game asked for; raises BadFile."""
        from app.playtest import PlaytestPage

        return PlaytestPage(playtest, self._store, parent)

    def show_help(self, topic: str, parent: QWidget) -> None:
        """Show a page of the help."""

    def show_start(self) -> None:
        """Show the start screen."""
        self._go_home()


def open_editor(
    store: SettingsStore, path: Path | None = None, go_home: Callable[[], None] = lambda: None
) -> EditorWindow:
    """Return a window of the editor, with the draft of a file in it; raises BadFile."""
    return EditorWindow(GameHost(store, go_home))
