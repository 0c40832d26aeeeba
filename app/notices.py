"""What a player is told who does not look: somebody leaves, returns or speaks, or it is his turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication

from app.board.access import announce
from app.panels.decision import ASKED
from engine.core.lan_protocol import ChattedAnswer, TableAnswer
from engine.raid.figures import SIDES

if TYPE_CHECKING:
    from app.game_page import GamePage
    from app.lan.guest.link import LinkState
    from app.lan_game import LanGame


class Notices(QObject):
    """Follows a table for its page: by sounds, a line at the foot of the window, and the desktop's own sign.

    `unseenChanged` follows how many lines of chat have not been seen.
    """

    unseenChanged = Signal()

    def __init__(self, game: LanGame, page: GamePage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._game, self._page = game, page
        self._here = self._present(game.table)
        self._was_connected = game.is_connected
        self._was_asked = False
        self._question = ""  # the kind of what the other player asks
        # What was said before this window came is no news to whoever comes back.
        self._first_new = game.welcome.chat if game.welcome is not None else 0
        self.unseen = 0
        self.is_panel_seen = False
        game.tableChanged.connect(self._on_table)
        game.linkChanged.connect(self._on_link)
        game.chatted.connect(self._on_chatted)
        page.session.changed.connect(self._on_changed)

    @staticmethod
    def _present(table: TableAnswer | None) -> dict[str, bool]:
        """Return for each side that a person has whether he is connected."""
        seats = table.card.seats if table is not None else {}
        return {side: seats[side].is_here for side in SIDES if side in seats and seats[side].name}

    @Slot(object)
    def _on_table(self, table: TableAnswer) -> None:
        here = self._present(table)
        others = [side for side in here if side != self._game.side and side in self._here]
        if any(self._here[side] and not here[side] for side in others):
            self._page.sounds.ring("left")
        elif any(here[side] and not self._here[side] for side in others):
            self._page.sounds.ring("back")
        self._here = here

    @Slot(object)
    def _on_link(self, state: LinkState) -> None:
        is_connected = state.kind == "connected"
        if is_connected != self._was_connected:
            self._page.sounds.ring("back" if is_connected else "left")
        self._was_connected = is_connected

    @Slot(object)
    def _on_chatted(self, line: ChattedAnswer) -> None:
        if self._is_of_oneself(line) or line.number < self._first_new:
            return
        if not self.is_panel_seen:
            # What the table says by itself is to be seen elsewhere too.
            self.unseen += bool(line.name) and line.name != self._own_name()
            self.unseenChanged.emit()
            self._page.window_status(f"{line.name}: {line.text}" if line.name else line.text)
        if self._page.table_panel is not None and line.name != self._own_name():
            announce(self._page.table_panel.chat, f"{line.name}: {line.text}" if line.name else line.text)
        # What the table says by itself has its own sounds.
        if line.name and line.name != self._own_name():
            self._page.sounds.ring("said")
            self._wave()

    def _is_of_oneself(self, line: ChattedAnswer) -> bool:
        """Return whether the table tells others of this screen's own player."""
        return not line.name and bool(line.side) and line.side == self._game.side

    def _own_name(self) -> str:
        return self._game.welcome.name if self._game.welcome is not None else ""

    @Slot(bool)
    def on_panel_shown(self, is_visible: bool) -> None:
        """Count everything as seen once the table's panel is to be seen, and not behind another's tab."""
        self.is_panel_seen = is_visible
        if is_visible and self.unseen:
            self.unseen = 0
            self.unseenChanged.emit()

    @Slot()
    def _on_changed(self) -> None:
        decision = self._page.session.decision
        is_asked = decision is not None
        if is_asked and not self._was_asked:
            self._wave()
        self._was_asked = is_asked
        question = decision.kind if decision is not None and decision.kind in ASKED else ""
        if question and question != self._question:
            self._page.sounds.ring("said")
            self._wave()
        self._question = question

    def _wave(self) -> None:
        """Let the desktop show that this window wants to be looked at, unless it is."""
        window = self._page.window()
        if not window.isActiveWindow():
            QApplication.alert(window)
