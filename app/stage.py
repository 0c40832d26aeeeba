"""A game on show: its session, its page, and the curtain that falls over it between two players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

if TYPE_CHECKING:
    from app.dialogs.curtain import CurtainPage
    from app.game_page import GamePage
    from app.session import Session
    from app.settings import SettingsStore
    from engine.core.player import Player
    from engine.raid.match import RaidMatch


class Stage(QObject):
    """Puts one game at a time on a stack of pages.

    `shown` carries the page that is to come to the front, the game's or the curtain; `ended` follows the end
    of the game.
    """

    shown = Signal(QWidget)
    ended = Signal()

    def __init__(self, stack: QStackedWidget, store: SettingsStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stack = stack
        self._store = store
        self.match: RaidMatch | None = None
        self.session: Session | None = None
        self.page: GamePage | None = None
        self.curtain: CurtainPage | None = None

    def set(self, match: RaidMatch, bots: Mapping[str, Player] | None = None) -> GamePage:
        """Take a game up in the place of the last one, and return its page; `play` begins it.

        `bots` replaces the players that the game's seats name.
        """
        from app import games
        from app.game_page import GamePage
        from app.session import Session

        self.drop()
        players = games.make_bots(match.seats, match.record.last_seed) if bots is None else bots
        self.match = match
        self.session = Session(match, self._store, players, self)
        self.session.changed.connect(self._on_changed)
        self.session.curtain.connect(self._on_curtain)
        self.session.ended.connect(self.ended)
        self.page = GamePage(self.session, self._store)
        self._stack.addWidget(self.page)
        return self.page

    def play(self, *, is_taken_up: bool = False) -> None:
        """Show the game and let it go on; one `is_taken_up` when it was played at another time."""
        if self.session is None or self.page is None:
            return
        self.shown.emit(self.page)
        self.page.board_view.setFocus()
        self.session.start(is_taken_up=is_taken_up)

    def drop(self) -> None:
        """Let go of the game, and end its bots' threads."""
        if self.page is not None:
            self.page.end()
            self._stack.removeWidget(self.page)
            self.page.deleteLater()
            self.page = None
        if self.session is not None:
            self.session.close()
            self.session.deleteLater()
            self.session = None
        self.match = None

    @Slot()
    def _on_changed(self) -> None:
        if self.session is None or self.page is None:
            return
        if self.session.viewer is not None and self._stack.currentWidget() is self.curtain:
            self.shown.emit(self.page)
            self.page.board_view.setFocus()

    @Slot(object)
    def _on_curtain(self, side: str) -> None:
        from PySide6.QtWidgets import QToolTip

        from app.dialogs.curtain import CurtainPage
        from engine.raid.figures import OTHER_SIDE, SIDE_NAMES

        if self.session is None:
            return
        if self.curtain is None:
            self.curtain = CurtainPage()
            self.curtain.lifted.connect(self._on_lifted)
            self._stack.addWidget(self.curtain)
        self.curtain.drop(
            side,
            self.session.player(side),
            SIDE_NAMES[side],
            self.session.curtain_reason,
            self.session.player(OTHER_SIDE[side]),
        )
        QToolTip.hideText()
        self.shown.emit(self.curtain)
        self.curtain.button.setFocus()

    @Slot()
    def _on_lifted(self) -> None:
        if self.session is not None:
            self.session.lift_curtain()
