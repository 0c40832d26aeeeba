"""What a player is told who does not look at the people of his table."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

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
