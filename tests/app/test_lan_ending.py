"""Leaving a game over the network: the window goes on at once, whatever the network holds up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from app.lan import ending
from app.lan.lan_game import LanGame
from app.lan.link import Invitation, LinkDown, LinkState
from app.lan.tickets import Ticket
from engine.core.protocol import Answer, Request

WITHIN = 10.0
WAY = Invitation("127.0.0.1", 1, "AB2QXMKP", "Ann")


class SlowLine:
    """A connection that takes long over everything, also over its end."""

    ticket: Ticket | None = None

    def __init__(self, _way: Any, on_told: Callable[[Answer], None], on_state: Callable[[LinkState], None]):
        self.tell = on_state
        self.is_asked = threading.Event()
        self.may_end = threading.Event()
        self.has_ended = threading.Event()

    def ask(self, request: Request, within: float = 3.0) -> Answer:
        """Answer nothing before the end."""
        self.is_asked.set()
        assert self.may_end.wait(WITHIN)
        raise LinkDown("the connection is closed")

    def put_away(self) -> None:
        """Have nothing to keep."""

    def close(self, *, for_good: bool = False) -> None:
        """End once that is allowed."""
        assert self.may_end.wait(WITHIN)
        self.has_ended.set()


def test_a_window_leaves_without_waiting_for_the_network(qtbot: QtBot) -> None:
    """While a name is looked up and a question hangs the game is closed; the rest ends beside the window."""
    lines: list[SlowLine] = []

    def connect(*args: Any) -> SlowLine:
        lines.append(SlowLine(*args))
        return lines[0]

    game = LanGame(WAY, connect=connect)
    game.start()
    (line,) = lines
    line.tell(LinkState("connected", "", time.monotonic()))
    qtbot.waitUntil(lambda: game.is_connected)
    game.chat("hello")
    assert line.is_asked.wait(WITHIN)
    refused: list[str] = []
    game.refused.connect(refused.append)
    began = time.monotonic()
    game.close()
    assert time.monotonic() - began < WITHIN / 2
    assert not line.has_ended.is_set()
    game.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    # What comes now is for nobody, and touches nothing that is gone.
    line.tell(LinkState("lost", "too late", time.monotonic()))
    line.may_end.set()
    assert line.has_ended.wait(WITHIN)
    ending.wait_for_endings(WITHIN)
    assert not [one for one in threading.enumerate() if one.name.startswith(("lan-leaving", "lan-asker"))]
    assert refused == []
