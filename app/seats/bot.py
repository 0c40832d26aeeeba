"""A bot in a thread of its own: it is handed a View and a Decision and answers when it is done."""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal, Slot

from engine.core.decision import Choice, Decision
from engine.core.player import Player


class Asked:
    """One question to a bot, passed between threads as it stands."""

    __slots__ = ("decision", "events", "number", "view")

    def __init__(self, number: int, view: Any, decision: Decision, events: Sequence[Any]) -> None:
        self.number = number
        self.view = view
        self.decision = decision
        self.events = events


class Answer:
    """A bot's answer: its choice (None lets an optional decision lapse), what it says, or what went wrong."""

    __slots__ = ("choice", "error", "number", "said")

    def __init__(
        self, number: int, choice: Choice | None, said: str, error: BaseException | None = None
    ) -> None:
        self.number = number
        self.choice = choice
        self.said = said
        self.error = error


class _Worker(QObject):
    """Runs the bot inside the thread; only slots of QObjects are connected (others run outside)."""

    answered = Signal(object)

    def __init__(self, player: Player) -> None:
        super().__init__()
        self._player = player

    @Slot(object)
    def think(self, asked: Asked) -> None:
        try:
            if asked.events and self._player.wants_events:
                self._player.see(asked.events)
            choice = self._player.decide(asked.view, asked.decision)
        except Exception as error:  # noqa: BLE001  it is raised again in the window's thread
            self.answered.emit(Answer(asked.number, None, "", error))
            return
        self.answered.emit(Answer(asked.number, choice, self._player.said))


# Threads under way with their workers. A thread dropped while it runs ends the whole process, and a window
# may go without being closed; so they are kept here until they have ended, if need be by `_end_all`.
_running: dict[QThread, _Worker] = {}


def _end_all() -> None:
    for thread in _running:
        thread.quit()
    for thread in _running:
        thread.wait()
    _running.clear()


atexit.register(_end_all)


class BotSeat(QObject):
    """A bot's seat: `ask` returns at once, `answered` follows in the window's thread with an Answer."""

    answered = Signal(object)
    _asked = Signal(object)

    def __init__(self, side: str, player: Player, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.side = side
        self.player = player
        for ended in [thread for thread in _running if thread.isFinished()]:
            del _running[ended]
        self._thread = QThread()
        self._thread.setObjectName(f"bot {side}")
        worker = _Worker(player)
        worker.moveToThread(self._thread)
        self._asked.connect(worker.think)
        worker.answered.connect(self.answered)
        self.destroyed.connect(self._thread.quit)
        _running[self._thread] = worker
        self._thread.start()

    def ask(self, asked: Asked) -> None:
        """Hand the bot a question; it thinks beside the window."""
        self._asked.emit(asked)

    def close(self) -> None:
        """End the thread, waiting for a thought under way."""
        self._thread.quit()
        self._thread.wait()
        _running.pop(self._thread, None)
