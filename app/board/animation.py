"""Motion that explains what happened: built from Events only, short, skippable, off at speed 0."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from engine.core.event import Event

if TYPE_CHECKING:
    from app.board.scene import BoardView


class Animator(QObject):
    """Plays events on a board one after the other, then calls back exactly once."""

    def __init__(self, board: BoardView) -> None:
        super().__init__(board)
        self._board = board
        self._done: Callable[[], None] | None = None
        self.speed = 1.0

    @property
    def is_running(self) -> bool:
        """Whether something is still moving."""
        return self._done is not None

    def play(self, events: Sequence[Event], done: Callable[[], None]) -> None:
        """Play events; whatever was still running is skipped first."""
        self.skip()
        self._done = done
        self.skip()

    def skip(self) -> None:
        """Go to the end at once."""
        done, self._done = self._done, None
        if done is not None:
            done()
