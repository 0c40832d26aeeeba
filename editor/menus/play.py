"""The Play menu: the draft as a game, at once or a hundred times by bots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

if TYPE_CHECKING:
    from editor.window import EditorWindow


class PlayMenu(QObject):
    """Playtest, again with other seats, and bot games."""

    def __init__(self, window: EditorWindow) -> None:
        super().__init__(window)
        self._window = window
        menu = window.menuBar().addMenu("&Play")
        self.menu = menu
        add = window.commands.add
        menu.addAction(add("playtest", "&Playtest", "F5", self.playtest, menu="Play"))
        menu.addAction(add("mode-playtest", "Playtest &with…", "Ctrl+3", self.playtest_with, menu="Play"))
        menu.addSeparator()
        menu.addAction(add("trials", "Play 100 &bot games…", "Ctrl+F5", self.trials, menu="Play"))

    @Slot()
    def playtest(self) -> None:
        """Play the draft with the seats of the last time."""

    @Slot()
    def playtest_with(self) -> None:
        """Ask who plays, from which seed and turn, and play the draft."""

    @Slot()
    def trials(self) -> None:
        """Let bots play the draft many times."""
