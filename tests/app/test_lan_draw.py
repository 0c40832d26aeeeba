"""A draw by agreement between two windows at a table: offered in the other's turn, declined, agreed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.panels.consent import DrawDialog
from app.panels.decision import READ_FIRST
from engine.core.agreement import DRAW, DrawAnswered
from engine.core.decision import IllegalChoice
from tests.app.test_lan_game import C, T, play, prompt, two
from tests.helpers.gui import brawl, screenshot
from tests.helpers.lan_window import Seat, answer, sit


def offer(seat: Seat) -> None:
    """Offer a draw from a window's menu."""
    next(one for one in seat.window.findChildren(QAction) if "ffer a draw" in one.text()).trigger()
    QApplication.processEvents()
    box = seat.page.decision_panel.consent_question
    assert isinstance(box, DrawDialog)
    next(iter(box.ask_buttons.values())).click()


def test_a_draw_is_offered_and_agreed_between_two_windows(qtbot: QtBot, tmp_path: Path) -> None:
    """Declined, both play on and the offer must wait; agreed, the game is over in both, the dice proved."""
    room, ann, bob = two(qtbot, tmp_path, brawl(1))
    eve = sit(qtbot, tmp_path, room, "Eve", "watch")
    play(qtbot, ann, bob, until=lambda: bob.session.decision is not None)
    offer(ann)
    qtbot.waitUntil(lambda: bob.session.decision is not None and bob.session.decision.kind == DRAW)
    assert prompt(bob).startswith("The other player offers a draw")
    qtbot.waitUntil(lambda: "says whether" in prompt(ann))
    qtbot.waitUntil(lambda: prompt(eve).startswith("Bob says whether"))
    screenshot(bob.window, "lan-draw-asked", tmp_path)
    screenshot(ann.window, "lan-draw-waits", tmp_path)
    answer(qtbot, bob, "Decline")
    qtbot.waitUntil(lambda: isinstance(ann.session.events()[-1], DrawAnswered))
    qtbot.waitUntil(lambda: ann.page.decision_panel.reason == "The CloneMaster player declines a draw.")
    assert ann.session.draw.askers == {}
    refused: list[IllegalChoice] = []
    ann.session.refused.connect(refused.append)
    assert not ann.session.draw.ask()
    assert "declined" in refused[-1].reason
    offer(bob)
    qtbot.waitUntil(lambda: ann.session.decision is not None and ann.session.decision.kind == DRAW)
    answer(qtbot, ann, "Agree")
    for seat in (ann, bob, eve):
        qtbot.waitUntil(lambda seat=seat: seat.session.is_over)  # type: ignore[misc]
        assert seat.session.view.outcome.is_agreed
    qtbot.waitUntil(lambda: ann.game.has_record and bob.game.has_record)
    assert ann.window.end_dialog is not None
    words = ann.window.end_dialog.record_words
    qtbot.waitUntil(lambda: words.text().startswith("The record is sound"))
    assert {seat.game.side for seat in (ann, bob)} == {T, C}


def test_a_key_meant_for_a_choice_agrees_to_no_draw(qtbot: QtBot, tmp_path: Path) -> None:
    """The digit that Bob was about to press does nothing, nor does an answer before he can have read."""
    room, ann, bob = two(qtbot, tmp_path, brawl(1))
    play(qtbot, ann, bob, until=lambda: bob.session.decision is not None)
    offer(ann)
    qtbot.waitUntil(lambda: bob.session.decision is not None and bob.session.decision.kind == DRAW)
    panel = bob.page.decision_panel
    bob.window.activateWindow()
    QApplication.processEvents()
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_Y, Qt.Key.Key_N):
        QTest.keyClick(bob.window, key)
    panel.buttons[0].click()
    assert panel.reason.startswith(READ_FIRST)
    assert bob.session.decision.kind == DRAW
    qtbot.waitUntil(lambda: not panel.buttons[0].is_barred)
    assert panel.reason == ""
    QTest.keyClick(bob.window, Qt.Key.Key_1)
    assert bob.session.decision.kind == DRAW
    QTest.keyClick(bob.window, Qt.Key.Key_N)
    assert not panel._reading.isActive()  # his own choice is there again because he answered
    qtbot.waitUntil(lambda: isinstance(ann.session.events()[-1], DrawAnswered))
    assert not room.match.is_over


def test_who_looks_on_offers_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    """A spectator's menu says why; a player whose line is down is told that it is."""
    room, ann, bob = two(qtbot, tmp_path, brawl(1))
    eve = sit(qtbot, tmp_path, room, "Eve", "watch")
    qtbot.waitUntil(lambda: eve.window.session is not None)
    refused: list[IllegalChoice] = []
    eve.session.refused.connect(refused.append)
    assert not eve.session.draw.ask()
    assert refused[-1].reason
    play(qtbot, ann, bob, until=lambda: ann.session.decision is not None)
    ann.session.refused.connect(refused.append)
    ann.line.cut()
    qtbot.waitUntil(lambda: bool(ann.session.held_up))
    assert ann.session.draw.askers == {}
    assert not ann.session.draw.ask()
    assert refused[-1].reason == ann.session.held_up
