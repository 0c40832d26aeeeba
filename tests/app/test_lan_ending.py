"""Leaving a game over the network: the window goes on at once, whatever the network holds up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from app.lan import ending
from app.lan.guest.link import Invitation, LinkDown, LinkState
from app.lan.guest.tickets import Ticket
from app.lan_game import LanGame
from app.panels.presence import own_presence
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


def test_a_line_that_ends_after_the_game_alarms_nobody() -> None:
    """Once the record is here nothing is missing; before that, and during the game, the loss is told."""

    def words(refusal: str = "", *, is_over: bool, has_record: bool) -> str:
        state = LinkState("lost", "the connection is lost", 0.0, refusal)
        game: Any = SimpleNamespace(
            state=state, is_over=is_over, has_record=has_record, is_connected=False, lost_for=5
        )
        return own_presence(game).words

    assert words(is_over=True, has_record=True) == "no connection, and none is needed any more"
    assert words(is_over=True, has_record=False).startswith("connection lost")
    assert words(is_over=False, has_record=False).startswith("connection lost")
    assert words("closing", is_over=False, has_record=False) == "the host does not host this game now"
