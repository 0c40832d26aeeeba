"""The pages that look back at a game: its replay, and what happened in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

if TYPE_CHECKING:
    from app.after.page import AfterPage
    from app.exports import Export
    from app.replay.page import ReplayPage
    from app.settings import SettingsStore
    from engine.raid.match import RaidReplay


class LookBack(QObject):
    """Opens both pages over the others, and goes from the one to the other and back.

    `shown` carries the page that is to come to the front, `left` follows when the last of them is gone,
    `playOn` carries the match of a game that is to be played on from an earlier moment; without `can_play_on`
    none is, as such a game has a file.
    """

    shown = Signal(QWidget)
    left = Signal()
    playOn = Signal(object)

    def __init__(
        self,
        stack: QStackedWidget,
        store: SettingsStore,
        parent: QObject | None = None,
        *,
        can_play_on: bool = True,
    ) -> None:
        super().__init__(parent)
        self._can_play_on = can_play_on
        self._stack = stack
        self._store = store
        self.replay_page: ReplayPage | None = None
        self.after_page: AfterPage | None = None

    @property
    def pages(self) -> tuple[QWidget, ...]:
        """The pages that are open."""
        return tuple(page for page in (self.replay_page, self.after_page) if page is not None)

    def export(self) -> Export | None:
        """Return what may leave of the page in front; None where it is another's."""
        from app import exports

        page = self._stack.currentWidget()
        if self.replay_page is not None and page is self.replay_page:
            self.replay_page.pause()
            return exports.of_replay(self.replay_page.replay, self.replay_page.viewer)
        if self.after_page is not None and page is self.after_page:
            return exports.of_end(self.after_page.replay)
        return None

    def close(self) -> None:
        """Let both pages go, and tell nobody."""
        self._leave_after()
        self._leave_replay()

    def step_back(self) -> None:
        """Leave the page in front."""
        if self.after_page is not None and self._stack.currentWidget() is self.after_page:
            self._on_after_left()
        elif self.replay_page is not None:
            self._on_replay_left()

    # The replay.

    def show_replay(self, replay: RaidReplay) -> None:
        """Show a replay from its start."""
        from app.replay.page import ReplayPage

        self._leave_replay()
        self.replay_page = ReplayPage(replay, self._store)
        self.replay_page.left.connect(self._on_replay_left)
        self.replay_page.afterWanted.connect(self.show_after)
        self.replay_page.playOn.connect(self.playOn)
        if not self._can_play_on:
            self.replay_page.play_on_button.hide()
        self._stack.addWidget(self.replay_page)
        self._to_replay()

    def _to_replay(self) -> None:
        assert self.replay_page is not None
        self.shown.emit(self.replay_page)
        self.replay_page.play_button.setFocus()

    def _leave_replay(self) -> None:
        if self.replay_page is not None:
            self._stack.removeWidget(self.replay_page)
            self.replay_page.deleteLater()
            self.replay_page = None

    @Slot()
    def _on_replay_left(self) -> None:
        self._leave_replay()
        if self.after_page is not None:
            self._to_after()
        else:
            self.left.emit()

    # What happened.

    @Slot(object)
    def show_after(self, replay: RaidReplay) -> None:
        """Show what happened in a finished game."""
        from app.after.page import AfterPage

        self._leave_after()
        self.after_page = AfterPage(replay)
        self.after_page.left.connect(self._on_after_left)
        self.after_page.momentWanted.connect(self._on_moment_wanted)
        self._stack.addWidget(self.after_page)
        self._to_after()

    def _to_after(self) -> None:
        assert self.after_page is not None
        self.shown.emit(self.after_page)
        self.after_page.points.setFocus()

    def _leave_after(self) -> None:
        if self.after_page is not None:
            self._stack.removeWidget(self.after_page)
            self.after_page.deleteLater()
            self.after_page = None

    @Slot()
    def _on_after_left(self) -> None:
        self._leave_after()
        if self.replay_page is not None:
            self._to_replay()
        else:
            self.left.emit()

    @Slot(int)
    def _on_moment_wanted(self, position: int) -> None:
        """Show one moment of the game that is told of, in its replay."""
        if self.after_page is None:
            return
        replay = self.after_page.replay
        if self.replay_page is None or self.replay_page.replay is not replay:
            self.show_replay(replay)
        assert self.replay_page is not None
        self.replay_page.go(position)
        self._to_replay()
