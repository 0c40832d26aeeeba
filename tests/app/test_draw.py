"""A draw by agreement at the screen: offered from the menu, asked openly, answered, and told at the end."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.dialogs.end import EndDialog, is_captured
from app.main_window import MainWindow
from app.panels.consent import DrawDialog
from engine.core.agreement import DRAW, AnswerDraw, AskDraw, DrawAnswered, DrawAsked
from engine.core.decision import IllegalChoice
from engine.core.event import Event
from engine.raid.match import RaidMatch
from engine.raid.scenario import Points
from tests.app.test_lesson_page import begin
from tests.app.test_takeback import in_a_fight, in_own_phase
from tests.helpers.gui import Driver, all_texts, brawl, hot_seat_match, open_window, screenshot


def offer(window: MainWindow) -> DrawDialog:
    """Use the menu and return the dialog that it opens."""
    action = next(one for one in window.findChildren(QAction) if "ffer a draw" in one.text())
    assert action.isEnabled()
    action.trigger()
    QApplication.processEvents()
    assert window.page is not None
    box = window.page.decision_panel.consent_question
    assert isinstance(box, DrawDialog)
    return box


def told(driver: Driver) -> list[Event]:
    """Return what was told of draws."""
    return [one for one in driver.session.events() if isinstance(one, DrawAsked | DrawAnswered)]


def test_both_may_offer_where_both_look_on(qtbot: QtBot, tmp_path: Path) -> None:
    """At a shared screen the dialog has a button for each player; Escape offers nothing."""
    window, driver = in_a_fight(qtbot, tmp_path)
    box = offer(window)
    texts = [button.text() for button in box.ask_buttons.values()]
    assert texts == ["Ann offers Bob a draw", "Bob offers Ann a draw"]
    assert "agreement of your own" in " ".join(label.text() for label in box.findChildren(QLabel))
    assert box.cancel_button.hasFocus()
    for mode, scale in (("light", 1.0), ("light", 2.0), ("dark", 1.0)):
        QTest.keyClick(box, Qt.Key.Key_Escape)
        QApplication.processEvents()
        assert driver.page.decision_panel.consent_question is None
        assert told(driver) == []
        window.store.set(theme=mode, text_scale=scale)
        box = offer(window)
        screenshot(box, f"draw-offer-{mode}-{scale}", tmp_path)
        for label in box.findChildren(QLabel):
            assert label.height() >= label.heightForWidth(label.width()), "cut off"
    box.reject()


def test_yes_ends_the_game(qtbot: QtBot, tmp_path: Path) -> None:
    """By keys alone: offered, asked openly in the middle of a combat, agreed; the end names no rule."""
    window, driver = in_a_fight(qtbot, tmp_path)
    session, panel = driver.session, driver.page.decision_panel
    QTest.keyClick(offer(window), Qt.Key.Key_1)
    qtbot.waitUntil(lambda: bool(told(driver)))
    assert session.decision is not None
    assert (session.decision.kind, session.decision.side) == (DRAW, "clonemaster")
    assert (session.viewer, session.curtain_for) == ("public", None)
    assert not panel.is_fighting
    assert [button.text() for button in panel.buttons] == ["Agree", "Decline"]
    assert panel.accessibleDescription().startswith("Bob (CloneMaster): The other player offers a draw")
    assert panel.undo_button.isHidden()
    for mode, scale in (("light", 2.0), ("dark", 1.0), ("light", 1.0)):
        window.store.set(theme=mode, text_scale=scale)
        QApplication.processEvents()
        screenshot(window, f"draw-question-{mode}-{scale}", tmp_path)
    # The platform of the tests leaves a window that has closed active until it is gone.
    qtbot.waitUntil(lambda: not window.findChildren(DrawDialog))
    window.activateWindow()
    QApplication.processEvents()
    QTest.keyClick(window, Qt.Key.Key_Y)
    qtbot.waitUntil(lambda: window.end_dialog is not None)
    assert session.is_over
    end = window.end_dialog
    assert isinstance(end, EndDialog)
    texts = " ".join(all_texts([end]).values())
    assert "A draw" in texts
    assert "house agreement" in texts
    assert "captured" not in texts
    assert "rule:" not in " ".join(label.text() for label in end.findChildren(QLabel))
    for mode, scale in (("dark", 1.0), ("light", 2.0), ("light", 1.0)):
        window.store.set(theme=mode, text_scale=scale)
        QApplication.processEvents()
        screenshot(end, f"draw-end-{mode}-{scale}", tmp_path)
    end.accept()
    QApplication.processEvents()
    screenshot(window, "draw-over", tmp_path)
    assert "Game over: A draw. Both players agreed" in panel.accessibleDescription()
    assert "Rule" not in panel.accessibleDescription()
    action = next(one for one in window.findChildren(QAction) if "ffer a draw" in one.text())
    action.trigger()
    assert "over" in panel.reason


def test_what_happened_tells_of_it(qtbot: QtBot, tmp_path: Path) -> None:
    """The page about a game that ended so comes up with its pictures."""
    window, driver = in_a_fight(qtbot, tmp_path)
    driver.click(offer(window).ask_buttons["terminator"])
    QApplication.processEvents()
    driver.press("Agree")
    qtbot.waitUntil(lambda: window.end_dialog is not None)
    assert window.end_dialog is not None
    window.end_dialog.after_button.click()
    qtbot.waitUntil(lambda: window.stack.currentWidget() in window.look_back.pages)
    QApplication.processEvents()
    page = window.stack.currentWidget()
    assert page is not None
    assert "What happened: A draw" in " ".join(all_texts([page]).values())
    screenshot(window, "draw-what-happened", tmp_path)


def test_no_goes_on(qtbot: QtBot, tmp_path: Path) -> None:
    """Declined, the panel says so, the combat goes on, and the same player must wait with another offer."""
    window, driver = in_a_fight(qtbot, tmp_path)
    session, panel = driver.session, driver.page.decision_panel
    assert session.decision is not None
    kind = session.decision.kind
    driver.click(offer(window).ask_buttons["terminator"])
    QApplication.processEvents()
    driver.press("Decline")
    qtbot.waitUntil(lambda: session.decision is not None and session.decision.kind == kind)
    assert panel.reason == "The CloneMaster player declines a draw."
    assert list(session.draw.askers) == ["clonemaster"]
    assert not session.draw.ask("terminator")
    assert "declined" in panel.reason
    box = offer(window)
    assert [button.text() for button in box.ask_buttons.values()] == ["Offer Ann a draw"]
    box.reject()
    # The platform of the tests leaves a window that has closed active until it is gone.
    qtbot.waitUntil(lambda: not window.findChildren(DrawDialog))
    window.activateWindow()
    for _ in range(3):
        driver.wait()
        driver.step()
    assert not session.is_over
    assert set(session.draw.askers) == {"terminator", "clonemaster"}


def test_it_is_offered_in_the_others_turn_after_the_curtain(qtbot: QtBot, tmp_path: Path) -> None:
    """In a secret phase only its player may; under the curtain nobody can, and the menu has it shut."""
    window, driver = in_own_phase(qtbot, tmp_path)
    session = driver.session
    assert session.viewer == "terminator"
    assert list(session.draw.askers) == ["terminator"]
    box = offer(window)
    assert [button.text() for button in box.ask_buttons.values()] == ["Offer Bob a draw"]
    driver.click(box.ask_buttons["terminator"])
    QApplication.processEvents()
    assert session.viewer == "public"
    driver.press("Decline")
    qtbot.waitUntil(lambda: session.curtain_for is not None)
    action = next(one for one in window.findChildren(QAction) if "ffer a draw" in one.text())
    assert not action.isEnabled()
    assert session.draw.askers == {}
    driver.lift_curtain()
    assert session.viewer == "terminator"
    assert session.draw.askers == {}
    action.trigger()
    assert "declined" in driver.page.decision_panel.reason


@pytest.mark.parametrize("bot", ["rulebook", "random"])
def test_a_bot_declines(bot: str, qtbot: QtBot, tmp_path: Path) -> None:
    """Against the computer the offer is declined at once, the log says so, and the game goes on."""
    window, driver = in_own_phase(qtbot, tmp_path, bot=bot)
    session = driver.session
    driver.click(offer(window).ask_buttons["terminator"])
    qtbot.waitUntil(lambda: any(isinstance(one, DrawAnswered) for one in told(driver)))
    driver.wait()
    assert told(driver) == [DrawAsked("", "terminator"), DrawAnswered("", "clonemaster", False)]
    assert session.decision is not None
    assert session.decision.kind == "terminator-move"
    assert session.viewer == "terminator"
    log = driver.page.log_panel.log.toPlainText()
    assert "The Terminator player offers a draw." in log
    assert "The CloneMaster player declines a draw." in log


def test_a_game_left_with_the_offer_open_asks_again(qtbot: QtBot, tmp_path: Path) -> None:
    """Taken up again, the question stands before the other player as it did."""
    window, driver = in_a_fight(qtbot, tmp_path)
    match = driver.session._match
    match.submit("clonemaster", AskDraw())
    window.begin(type(match).from_record(match.record), is_taken_up=True)
    driver = Driver(qtbot, window, 1)
    driver.wait()
    session = driver.session
    if session.curtain_for is not None:
        driver.lift_curtain()
    assert session.decision is not None
    assert (session.decision.kind, session.decision.side) == (DRAW, "terminator")
    assert session.submit(AnswerDraw(True))
    qtbot.waitUntil(lambda: window.end_dialog is not None)


def test_a_lesson_has_none(qtbot: QtBot, tmp_path: Path) -> None:
    """In a lesson the menu says why no draw is offered."""
    window = begin(qtbot, tmp_path, "first-fight")
    assert window.page is not None
    refused: list[IllegalChoice] = []
    window.page.session.refused.connect(refused.append)
    action = next(one for one in window.findChildren(QAction) if "ffer a draw" in one.text())
    assert action.isEnabled()
    action.trigger()
    assert window.page.decision_panel.consent_question is None
    assert ["lesson" in one.reason for one in refused] == [True]


def test_nobody_is_captured_by_an_agreement(qtbot: QtBot, tmp_path: Path) -> None:
    """6.3: where a game scores, who was inside is not told as captured, and points stay."""
    window = open_window(qtbot, tmp_path, recap="off")
    window.begin(hot_seat_match(scenario=msgspec.structs.replace(brawl(1), points=Points())))
    driver = Driver(qtbot, window, 3)
    driver.wait()
    if driver.session.curtain_for is not None:
        driver.lift_curtain()
    session = driver.session
    assert session.view is not None
    before = session.view.points
    assert before is not None
    driver.click(next(iter(offer(window).ask_buttons.values())))
    QApplication.processEvents()
    driver.press("Agree")
    qtbot.waitUntil(lambda: window.end_dialog is not None)
    assert session.view is not None
    assert session.view.points == before
    assert any(one.side == "terminator" and one.place == "map" for one in session.view.figures)
    assert not any(is_captured(one, session.view) for one in session.view.figures)
    assert window.end_dialog is not None
    screenshot(window.end_dialog, "draw-points", tmp_path)


def test_who_only_looks_on_is_told_so(qtbot: QtBot, tmp_path: Path) -> None:
    """Where bots play on both sides, nobody at the screen has a draw to offer."""
    window = open_window(qtbot, tmp_path, recap="off", pace=2000)
    seats = {"terminator": "rulebook", "clonemaster": "rulebook"}
    window.begin(RaidMatch.new(brawl(1), "1", seats=seats))
    assert window.session is not None
    assert not window.session.draw.ask()
    assert window.page is not None
    assert window.page.decision_panel.reason == "Nobody at this screen plays."


def test_not_while_a_recap_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    """What happened is told to its end first; an offer in between is refused and says so."""
    window, driver = in_a_fight(qtbot, tmp_path)
    session = driver.session
    refused: list[IllegalChoice] = []
    session.refused.connect(refused.append)
    assert session.recap.show()
    assert session.draw.askers == {}
    action = next(one for one in window.findChildren(QAction) if "ffer a draw" in one.text())
    action.trigger()
    assert ["being shown" in one.reason for one in refused] == [True]
    session.recap.end()
    assert len(session.draw.askers) == 2
