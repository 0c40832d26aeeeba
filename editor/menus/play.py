"""The Play menu: the draft as a game, at once or many times by bots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from editor.host import Playtest
from engine.bots import usual_bot
from engine.core.files import BadFile
from engine.raid.figures import CLONEMASTER, TERMINATOR

if TYPE_CHECKING:
    from editor.window import EditorWindow


class PlayMenu(QObject):
    """Playtest, again with other seats, and bot games."""

    def __init__(self, window: EditorWindow) -> None:
        super().__init__(window)
        self._window = window
        self._last: Playtest | None = None
        menu = window.menuBar().addMenu("&Play")
        self.menu = menu
        add = window.commands.add
        menu.addAction(add("playtest", "&Playtest", "F5", self.playtest, menu="Play"))
        self.with_action = add(
            "mode-playtest", "Playtest &with…", "Ctrl+3", self.playtest_with, menu="Play", is_checkable=True
        )
        self.with_action.setIconText("Playtest")
        menu.addAction(self.with_action)
        menu.addSeparator()
        menu.addAction(add("trials", "Play &bot games…", "Ctrl+F5", self.trials, menu="Play"))

    @Slot()
    def playtest(self) -> None:
        """Play the draft with the seats of the last time; during a playtest, begin it again."""
        if self._window.page is not None:
            self._window.page.restart()
            return
        scenario = self._window.document.kept.whole
        seats = {TERMINATOR: "human", CLONEMASTER: usual_bot(CLONEMASTER, scenario)}
        self._begin(Playtest(scenario, seats, "1"))

    @Slot()
    def playtest_with(self) -> None:
        """Ask who plays, from which seed and turn, and play the draft."""
        self.with_action.setChecked(self._window.mode == "playtest")
        self.playtest()

    def _begin(self, playtest: Playtest) -> None:
        window = self._window
        window.document.interrupt()
        self._last = playtest
        try:
            page = window.host.playtest(playtest, window.pages)
        except BadFile as error:
            window.show_panel("problems")
            window.bench.say(f"It cannot be played yet: {error.problems[0]}")
            return
        window.show_playtest(page)
        page.restart()

    @Slot()
    def trials(self) -> None:
        """Let bots play the draft many times."""
