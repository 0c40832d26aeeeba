"""The Play menu: the draft as a game, at once or many times by bots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from editor.dialogs.playtest import PlaytestDialog, Wishes, usual_wishes
from editor.host import Playtest
from engine.core.files import BadFile

if TYPE_CHECKING:
    from editor.window import EditorWindow


class PlayMenu(QObject):
    """Playtest, again with other seats, and bot games."""

    def __init__(self, window: EditorWindow) -> None:
        super().__init__(window)
        self._window = window
        self._wishes: Wishes | None = None  # as long as the window is open
        self.dialog: PlaytestDialog | None = None
        menu = window.menuBar().addMenu("&Play")
        self.menu = menu
        add = window.named_actions.add
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
        """Play the draft as the last time: same seats, seed and turn; during a playtest, begin it again."""
        if self._window.page is not None:
            self._window.page.restart()
            return
        self._window.document.interrupt()
        checker = self._window.checker
        checker.check_now()
        if checker.has_errors:
            self.show_problems()
            self._window.bench.say(f"It cannot be played yet: {checker.problems[0].message}")
            return
        scenario = self._window.document.kept.whole
        self.play((self._wishes or usual_wishes(scenario)).playtest(scenario))

    @Slot()
    def playtest_with(self) -> None:
        """Ask who plays, from which seed and turn, and play the draft."""
        window = self._window
        self.with_action.setChecked(window.mode == "playtest")
        if window.page is not None:
            return
        window.document.interrupt()
        draft = window.document.kept
        self.dialog = PlaytestDialog(draft, self._wishes or usual_wishes(draft.whole), window)
        self.dialog.problemsWanted.connect(self.show_problems)
        self.dialog.finished.connect(self._on_answered)
        self.dialog.open()

    @Slot(int)
    def _on_answered(self, answer: int) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is None:
            return
        dialog.deleteLater()
        if answer == PlaytestDialog.DialogCode.Accepted:
            self._wishes = dialog.wishes
            self.playtest()

    @Slot(object)
    def play(self, playtest: Playtest) -> None:
        """Play any playtest, such as one of the bot games; errors bring up the problems."""
        window = self._window
        window.document.interrupt()
        try:
            page = window.host.playtest(playtest, window.pages)
        except BadFile as error:
            if window.document.kept.scenario is None:
                # What is wrong may be that the forces of the Basic scenario do not fit, which no map tells.
                self.playtest_with()
            else:
                self.show_problems()
            window.bench.say(f"It cannot be played yet: {error.problems[0].split(': ', 1)[-1]}")
            return
        window.show_playtest(page)
        page.restart()

    @Slot()
    def show_problems(self) -> None:
        """Bring the problems of the draft to the front."""
        self._window.show_panel("problems")

    @Slot()
    def trials(self) -> None:
        """Bring the panel to the front in which bots play the draft many times."""
        self._window.show_panel("trials")
        self._window.trials.play_button.setFocus()
