"""What a player is told who does not look at the people of his table."""

from __future__ import annotations

from pathlib import Path

import msgspec
from pytestqt.qtbot import QtBot

from app.notices import Notices
from engine.core.lan_protocol import ChattedAnswer
from engine.raid.figures import CLONEMASTER, TERMINATOR
from tests.helpers.gui import brawl
from tests.helpers.lan import Time, new_table
from tests.helpers.lan_window import Plain, Room, sit


def test_nobody_is_told_at_the_foot_that_he_himself_is_back(qtbot: QtBot, tmp_path: Path) -> None:
    """What the table tells the others of a player is no news to him; the other's return is."""
    clock = Time()
    room = Room(new_table(tmp_path / "table", scenario=brawl(1), time=clock), clock)
    ann = sit(qtbot, tmp_path, room, "Ann", TERMINATOR)
    bob = Plain(room, "Bob", CLONEMASTER)
    qtbot.waitUntil(lambda: ann.window.session is not None)
    ann.settle()
    ann.page.log_dock.raise_()
    qtbot.waitUntil(lambda: not ann.page.notices.is_panel_seen)
    foot = ann.window.statusBar()
    bob.cut()
    bob.back()
    qtbot.waitUntil(lambda: foot.currentMessage() == "Bob is back.")
    ann.line.cut()
    ann.line.back()
    qtbot.waitUntil(lambda: "Ann is back." in ann.panel.chat.toPlainText())
    assert foot.currentMessage() == "Bob is back."


def test_what_was_said_before_is_no_news(qtbot: QtBot, tmp_path: Path) -> None:
    """A window begun anew counts no line of chat that is older, and none of one's own."""
    clock = Time()
    room = Room(new_table(tmp_path / "table", scenario=brawl(1), time=clock), clock)
    ann = sit(qtbot, tmp_path, room, "Ann", TERMINATOR)
    Plain(room, "Bob", CLONEMASTER)
    qtbot.waitUntil(lambda: ann.window.session is not None)
    ann.settle()
    assert ann.game.welcome is not None
    ann.game.welcome = msgspec.structs.replace(ann.game.welcome, chat=100)
    notices = Notices(ann.game, ann.page)
    for number, name, unseen in ((99, "Bob", 0), (100, "Bob", 1), (101, "Ann", 1), (102, "Bob", 2)):
        ann.game.chatted.emit(ChattedAnswer(number=number, side="", name=name, text="hello"))
        assert notices.unseen == unseen
