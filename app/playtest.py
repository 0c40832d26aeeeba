"""A playtest on the screen: a draft of the editor played as any game is, without a file."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from app import games, theme
from app.dialogs.end import EndDialog
from app.look_back import LookBack
from app.panels.dressed import Dressed
from app.panels.widgets import ActionButton, Bar, Label, row
from app.settings import SettingsStore
from app.stage import Stage
from app.suggestions import suggested_abilities
from editor.host import Playtest, PlaytestView
from engine.bots import make_bot, usual_bot
from engine.core.match import Table
from engine.raid.choices import Ready
from engine.raid.events import PhaseBegan
from engine.raid.figures import SIDES, TERMINATOR
from engine.raid.match import RaidMatch, RaidReplay
from engine.raid.scenario import Scenario

AGAIN_KEY, BACK_KEY = "F5", "Esc"
SET_UP: Final = "set-up-terminator"
LOOKED_AFTER: Final = 50  # ms between two looks at how far the bots have come


class TurnsBefore(threading.Thread):
    """Bots who play both sides of a match up to the beginning of a turn, beside the window.

    `turn` is how far they are. Once the thread `is_done`, the match is the window's; `error` is what broke
    the bots off, None where nothing did.
    """

    def __init__(self, match: RaidMatch, seats: Mapping[str, str], seed: str, turn: int) -> None:
        super().__init__(name="turns before a playtest", daemon=True)
        self.turn = 0
        self.error: Exception | None = None
        self.is_done = False
        self._match = match
        self._seats = dict(seats)
        self._seed = seed
        self._to = turn
        self._is_cancelled = False

    def cancel(self) -> None:
        """End the thread after the choice under way."""
        self._is_cancelled = True

    def run(self) -> None:
        try:
            self._play()
        except Exception as error:  # noqa: BLE001  it is raised again in the window's thread
            self.error = error
        self.is_done = True

    def _play(self) -> None:
        match = self._match
        players = {side: make_bot(self._seats[side], f"{self._seed} {side}") for side in SIDES}
        table = Table(match, players)
        told = 0
        while not self._is_cancelled:
            began = [one.turn for one in match.events("public", told) if isinstance(one, PhaseBegan)]
            told = match.event_count("public")
            self.turn = max((self.turn, *began))
            if self.turn >= self._to or match.is_over:
                return
            table.step()


def _new_match(playtest: Playtest) -> RaidMatch:
    """Return the game of a playtest at its start, which saves itself nowhere; raises BadFile."""
    return RaidMatch.new(playtest.scenario, playtest.seed, seats=playtest.seats)


class PlaytestPage(Dressed, PlaytestView):
    """One playtest: a strip that says what is played, and below it the game as it always is.

    Esc lets go of what was begun in the game (a recap, a counter in hand), and leaves at the next press; F5
    begins the same game again. Neither asks: nothing of a playtest is kept. It begins with `restart`, once it
    is on show. Raises BadFile where the scenario cannot be played.
    """

    def __init__(self, playtest: Playtest, store: SettingsStore, parent: QWidget | None = None) -> None:
        # Before there is a widget: one that is refused must not stay behind in its parent.
        first = _new_match(playtest)
        super().__init__(parent)
        self.setAccessibleName("Playtest")
        self._playtest = playtest
        self._first: RaidMatch | None = first
        self._before: TurnsBefore | None = None
        self._match: RaidMatch | None = None  # while the turns before are played
        self._needs_abilities = False
        self.end_dialog: EndDialog | None = None
        self.stack = QStackedWidget()
        self.stage = Stage(self.stack, store, self)
        self.stage.shown.connect(self._show)
        self.stage.ended.connect(self._on_ended)
        self.look_back = LookBack(self.stack, store, self, can_play_on=False)
        self.look_back.shown.connect(self._show)
        self.look_back.left.connect(self._on_looked_back)
        self._make_strip()
        self._make_waiting()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._strip)
        layout.addWidget(Bar())
        layout.addWidget(self.stack, 1)
        self._look = QTimer(self)
        self._look.setInterval(LOOKED_AFTER)
        self._look.timeout.connect(self._follow_bots)
        self.dress()

    def _make_strip(self) -> None:
        self.title = Label(step="body", is_bold=True)
        self.again_button = ActionButton("Start again", is_small=True)
        self.again_button.show_key(AGAIN_KEY)
        self.again_button.clicked.connect(self.restart)
        self.back_button = ActionButton("Back to the editor", is_small=True)
        self.back_button.show_key(BACK_KEY)
        self.back_button.clicked.connect(self.leave)
        for button in (self.again_button, self.back_button):
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.again_button.setAccessibleDescription("F5 begins the same game again")
        self.back_button.setAccessibleDescription("Esc returns to the editor")
        self._strip = row(self.title, self.again_button, self.back_button)
        self._strip.setStretch(0, 1)

    def _make_waiting(self) -> None:
        """Make the page for the time that bots play the turns before."""
        self.waiting = QWidget()
        self.waiting.setAccessibleName("The turns before")
        self.waiting_title = Label(step="title", is_title=True)
        self.waiting_words = Label()
        for label in (self.waiting_title, self.waiting_words):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Turns played")
        self.stop_button = ActionButton("Stop and go back")
        self.stop_button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.stop_button.show_key(BACK_KEY)
        self.stop_button.clicked.connect(self.leave)
        lines = QVBoxLayout(self.waiting)
        lines.setSpacing(theme.SPACE * 2)
        lines.addStretch(1)
        lines.addWidget(self.waiting_title)
        lines.addWidget(self.waiting_words)
        for part in (self.progress, self.stop_button):
            lines.addWidget(part, 0, Qt.AlignmentFlag.AlignHCenter)
        lines.addStretch(2)
        self.stack.addWidget(self.waiting)

    def _dress(self) -> None:
        margin = theme.SPACE
        self._strip.setContentsMargins(margin, margin // 2, margin, margin // 2)
        self.progress.setFixedWidth(theme.size("body") * 24)

    # The game.

    @property
    def _scenario(self) -> Scenario:
        return self._playtest.scenario

    @property
    def _seats_before(self) -> dict[str, str]:
        """The bots that play up to the first turn, the usual one in the place of a person."""
        seats = self._playtest.seats
        return {
            side: seats[side] if seats[side] != "human" else usual_bot(side, self._scenario) for side in SIDES
        }

    def _begin(self, match: RaidMatch) -> None:
        """Play a new game from the turn asked for."""
        start = self._scenario.start
        is_there = self._playtest.turn <= (start.turn if start is not None else 1)
        if is_there:
            self._play(match)
            return
        self._match = match
        self._before = TurnsBefore(match, self._seats_before, self._playtest.seed, self._playtest.turn)
        self.progress.setRange(0, self._playtest.turn - 1)
        self._show(self.waiting)
        self.stop_button.setFocus()
        self._show_progress(self._before)
        self._before.start()
        self._look.start()

    def _play(self, match: RaidMatch) -> None:
        self._needs_abilities = self._playtest.has_abilities and match.seats[TERMINATOR] == "human"
        decision = match.decision(TERMINATOR)
        if self._needs_abilities and decision is not None and decision.kind == SET_UP:
            self._needs_abilities = False
            for choice in (*suggested_abilities(self._scenario), Ready()):
                match.submit(TERMINATOR, choice)
        page = self.stage.set(match, games.make_bots(match.seats, match.record.last_seed))
        panel = page.decision_panel
        panel.new_words, panel.start_words = "Play again", "Back to the editor"
        panel.afterWanted.connect(self._on_after_wanted)
        panel.replayWanted.connect(self._on_replay_wanted)
        panel.newWanted.connect(self.restart)
        panel.startWanted.connect(self.leave)
        page.board_view.installEventFilter(self)
        assert self.stage.session is not None
        self.stage.session.changed.connect(self._retitle)
        self.stage.session.changed.connect(self._give_abilities)
        self.stage.play()
        self._retitle()

    @Slot()
    def _give_abilities(self) -> None:
        """Give a person's Terminators suggested abilities, where the other side had to add things first."""
        session = self.stage.session
        decision = session.decision if session is not None else None
        if session is None or not self._needs_abilities or decision is None or decision.kind != SET_UP:
            return
        self._needs_abilities = False
        session.submit_all([*suggested_abilities(self._scenario), Ready()])

    @Slot()
    def _follow_bots(self) -> None:
        before, match = self._before, self._match
        if before is None or match is None:
            return
        self._show_progress(before)
        if not before.is_done:
            return
        self._look.stop()
        self._before = self._match = None
        if before.error is not None:
            self.waiting_title.setText(f"The bots broke off in turn {max(1, before.turn)}")
            self.waiting_words.setText(f"The seed {self._playtest.seed} shows it again.")
            raise before.error
        self._play(match)

    def _show_progress(self, before: TurnsBefore) -> None:
        now, to = max(1, before.turn), self._playtest.turn
        self.progress.setValue(now - 1)
        self.waiting_title.setText(f"Bots play both sides up to turn {to}")
        self.waiting_words.setText(f"They are in turn {now}. Then the game is yours.")
        self._retitle()

    @Slot()
    def restart(self) -> None:
        """Begin the same game again: the same dice, and bots that choose the same."""
        self._drop()
        match, self._first = self._first or _new_match(self._playtest), None
        self._begin(match)

    @Slot()
    def step_back(self) -> None:
        """Let go of what was begun: a page that looks back, a recap, a counter in hand; or else leave."""
        if self._is_looking_back:
            self.look_back.step_back()
        elif self.stage.page is None or not self.stage.page.cancel():
            self.leave()

    @Slot()
    def leave(self) -> None:
        """Go back to the editor."""
        self.end()
        self.left.emit()

    def end(self) -> None:
        """Let go of the game, its bots and their threads."""
        self._first = None
        self._drop()

    def _drop(self) -> None:
        self._look.stop()
        if self._before is not None:
            self._before.cancel()
            self._before = self._match = None
        if self.end_dialog is not None:
            self.end_dialog.close()
            self.end_dialog.deleteLater()
            self.end_dialog = None
        self.look_back.close()
        self.stage.drop()

    # The end.

    @Slot()
    def _on_ended(self) -> None:
        session, page = self.stage.session, self.stage.page
        if session is None or page is None:
            return
        self._show(page)
        dialog = EndDialog(session, self, new_words="Play &again", start_words="Back to the &editor")
        dialog.new_button.setShortcut(AGAIN_KEY)
        dialog.replayWanted.connect(self._on_replay_wanted)
        dialog.afterWanted.connect(self._on_after_wanted)
        dialog.newWanted.connect(self.restart)
        dialog.startWanted.connect(self.leave)
        self.end_dialog = dialog
        dialog.open()

    @Slot()
    def _on_replay_wanted(self) -> None:
        if self.stage.match is not None:
            self.look_back.show_replay(RaidReplay.of(self.stage.match.record))

    @Slot()
    def _on_after_wanted(self) -> None:
        if self.stage.match is not None:
            self.look_back.show_after(RaidReplay.of(self.stage.match.record))

    @Slot()
    def _on_looked_back(self) -> None:
        if self.stage.page is not None:
            self._show(self.stage.page)
            self.stage.page.board_view.setFocus()

    # Showing.

    @Slot(QWidget)
    def _show(self, page: QWidget) -> None:
        self.stack.setCurrentWidget(page)

    @Slot()
    def _retitle(self) -> None:
        """Say what is played, and in which turn, which is no secret under the curtain either."""
        match = self._match or self.stage.match
        if match is None:
            return
        turn = self._before.turn if self._before is not None else match.view("public").turn
        self.title.setText(
            f"Playtest: {self._scenario.name}, turn {max(1, turn)} of {self._scenario.turns}, "
            f"seed {self._playtest.seed}"
        )

    # Keys.

    @property
    def _is_looking_back(self) -> bool:
        """Whether the replay or what happened is in front, which have an Esc of their own."""
        return self.stack.currentWidget() in self.look_back.pages

    def _hears(self, event: QEvent) -> bool:
        """Return whether a key is one of this page's own, before any shortcut of the window around it."""
        if not isinstance(event, QKeyEvent) or event.modifiers() != Qt.KeyboardModifier.NoModifier:
            return False
        if event.key() == Qt.Key.Key_F5:
            return True
        return event.key() == Qt.Key.Key_Escape and not self._is_looking_back

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self._hears(event):
            event.accept()
            return True
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The board would take Esc for the animation it is showing, of which bots have one after another.
        if event.type() == QEvent.Type.KeyPress and self._hears(event):
            assert isinstance(event, QKeyEvent)
            self.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._hears(event):
            super().keyPressEvent(event)
        elif event.isAutoRepeat():
            event.accept()
        elif event.key() == Qt.Key.Key_F5:
            self.restart()
        else:
            self.step_back()
