"""A game on show: its session, its page, and the curtain that falls over it between two players."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

if TYPE_CHECKING:
    from app.dialogs.curtain import CurtainPage
    from app.game_page import GamePage
    from app.lan.guest.remote import RemoteMatch
    from app.lan_game import LanGame
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
        self.match: RaidMatch | RemoteMatch | None = None
        self._own: RaidMatch | None = None  # the same, where it is decided here
        self.lan_game: LanGame | None = None
        self.session: Session | None = None
        self.page: GamePage | None = None
        self.curtain: CurtainPage | None = None

    def set(self, match: RaidMatch, bots: Mapping[str, Player] | None = None) -> GamePage:
        """Take a game up in the place of the last one, and return its page; `play` begins it.

        `bots` replaces the players that the game's seats name.
        """
        from app import games
        from app.session import Session

        self.drop()
        players = games.make_bots(match.seats, match.record.last_seed) if bots is None else bots
        self.match = self._own = match
        return self._take_up(Session(match, self._store, players, self))

    def set_lan(self, game: LanGame) -> GamePage:
        """Take a game up that a host decides, in the place of the last one; return its page.

        From now on the game belongs to the stage, which closes it when it is dropped.
        """
        from app.session import Session

        assert game.match is not None
        if self.lan_game is not game:
            self.drop()
        self.match, self.lan_game = game.match, game
        game.setParent(self)
        session = Session(game.match, self._store, {}, self, host=game)
        game.updated.connect(session.catch_up)
        game.ticked.connect(session.waited)
        return self._take_up(session)

    def _take_up(self, session: Session) -> GamePage:
        from app.game_page import GamePage

        self.session = session
        self.session.changed.connect(self._on_changed)
        self.session.curtain.connect(self._on_curtain)
        self.session.ended.connect(self.ended)
        self.page = GamePage(self.session, self._store, self.lan_game)
        self._stack.addWidget(self.page)
        return self.page

    @property
    def path(self) -> Path | None:
        """The file of the game; None where it has none here, as one that a host decides."""
        return self._own.path if self._own is not None else None

    def save(self) -> None:
        """Write the game once more, unless it is over; a host's is not written here."""
        if self._own is not None and not self._own.is_over:
            self._own.save()

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
        if self.lan_game is not None:
            self.lan_game.close()
            self.lan_game.deleteLater()
            self.lan_game = None
        self.match = self._own = None

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
