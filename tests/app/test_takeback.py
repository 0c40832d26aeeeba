"""Taking back by consent at the screen: who may ask, who is asked openly, which curtain falls then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.panels.consent import TakebackDialog
from engine.bots.random import RandomPlayer
from engine.core.decision import Choice, Decision
from engine.core.takeback import TAKEBACK, AnswerTakeback, TakebackAnswered, TakebackAsked
from engine.raid.choices import EndPhase, Pass
from engine.raid.match import RaidMatch
from engine.raid.scenario import StartFigure, StartPosition
from tests.helpers.gui import Driver, brawl, hot_seat_match, open_window, screenshot, small_scenario


def in_a_fight(qtbot: QtBot, tmp_path: Path, **settings: Any) -> tuple[MainWindow, Driver]:
    """Return a combat of two at one screen, after the first die."""
    window = open_window(qtbot, tmp_path, recap="off", **settings)
    window.begin(hot_seat_match(scenario=brawl(1)))
    driver = Driver(qtbot, window, 3)
    for _ in range(100):
        driver.wait()
        session = driver.session
        rolled = any(type(event).__name__ == "AttackResolved" for event in session.events())
        if (
            rolled
            and session.viewer == "public"
            and not session.can_undo()
            and len(session.takeback.askers) == 2
        ):
            break
        driver.step()
    QApplication.processEvents()
    return window, driver


def in_own_phase(
    qtbot: QtBot, tmp_path: Path, *, bot: str = "human", raider: str = "human", **settings: Any
) -> tuple[MainWindow, Driver]:
    """Return a game in the first Terminator Move, nobody near anybody."""
    levels = {"fist": 2, "kick": 2, "mist": 1, "soul": 1, "heart": 1}
    start = StartPosition(
        phase="terminator-move-1",
        figures=(
            StartFigure(name="Rising Dream", square=(12, 11), original=levels),
            StartFigure(name="Shadow Lotus", square=(2, 6), original=levels),
            StartFigure(name="Servant 1", square=(20, 6), is_face_up=False),
            StartFigure(name="CloneMaster", square=(30, 12), is_face_up=False),
        ),
    )
    window = open_window(qtbot, tmp_path, recap="off", **settings)
    match = RaidMatch.new(
        small_scenario(2, start=start),
        "1",
        seats={"terminator": raider, "clonemaster": bot},
        names={"terminator": "Ann", "clonemaster": "Bob" if bot == "human" else "Rulebook bot"},
    )
    window.begin(match)
    driver = Driver(qtbot, window, 1)
    driver.wait()
    if driver.session.curtain_for is not None:
        driver.lift_curtain()
    return window, driver


def ask_dialog(driver: Driver) -> TakebackDialog:
    """Press the button beside the choices and return the dialog that it opens."""
    QApplication.processEvents()
    button = driver.page.decision_panel.undo_button
    assert button.text() == "Ask to take back…"
    assert not button.is_barred
    driver.click(button)
    box = driver.page.decision_panel.consent_question
    assert isinstance(box, TakebackDialog)
    return box


def test_both_may_ask_where_both_look_on(qtbot: QtBot, tmp_path: Path) -> None:
    """In the open the dialog has a button for each player, with what would go; Cancel asks nothing."""
    window, driver = in_a_fight(qtbot, tmp_path)
    box = ask_dialog(driver)
    texts = {side: (button.text(), button.detail) for side, button in box.ask_buttons.items()}
    assert [text for text, _ in texts.values()] == ["Ann asks Bob", "Bob asks Ann"]
    assert all(
        detail == f"back to before {driver.session.takeback.askers[side]}"
        for side, (_, detail) in texts.items()
    )
    screenshot(box, "takeback-ask", tmp_path)
    QTest.keyClick(box, Qt.Key.Key_Escape)
    QApplication.processEvents()
    assert driver.page.decision_panel.consent_question is None
    assert not any(isinstance(event, TakebackAsked) for event in driver.session.events())
    assert window.page is not None


def test_yes_at_the_hot_seat(qtbot: QtBot, tmp_path: Path) -> None:
    """The other is asked openly, beside the combat; having agreed, the game is where it was."""
    window, driver = in_a_fight(qtbot, tmp_path)
    session = driver.session
    what = session.takeback.askers["clonemaster"]
    box = ask_dialog(driver)
    driver.click(box.ask_buttons["clonemaster"])
    QApplication.processEvents()
    assert session.decision is not None
    assert (session.decision.kind, session.decision.side) == ("takeback", "terminator")
    assert session.viewer == "public"
    assert session.curtain_for is None
    panel = driver.page.decision_panel
    assert not panel.is_fighting
    assert [button.text() for button in panel.buttons] == ["Agree", "Decline"]
    assert what in panel.accessibleDescription()
    assert panel.accessibleDescription().startswith("Ann (Terminator)")
    for mode, scale in (("light", 2.0), ("dark", 1.0), ("light", 1.0)):
        window.store.set(theme=mode, text_scale=scale)
        QApplication.processEvents()
        assert [button.text() for button in panel.buttons] == ["Agree", "Decline"]
        screenshot(window, f"takeback-question-{mode}-{scale}", tmp_path)
    # The platform of the tests leaves a window that has closed active until it is gone.
    qtbot.waitUntil(lambda: not window.findChildren(TakebackDialog))
    window.activateWindow()
    QApplication.processEvents()
    QTest.keyClick(window, Qt.Key.Key_Y)
    qtbot.waitUntil(lambda: session.decision is None or session.decision.kind != "takeback")
    told = session._match.events("public")
    assert isinstance(told[-1], TakebackAnswered)
    assert told[-1].agrees
    assert session.takeback.askers.get("clonemaster") != what
    # The game is played to its end from there.
    driver.play()


def test_no_at_the_hot_seat(qtbot: QtBot, tmp_path: Path) -> None:
    """Declined, the panel says so, the combat goes on, and the same is not asked again."""
    window, driver = in_a_fight(qtbot, tmp_path)
    session = driver.session
    kind = session.decision.kind
    driver.click(ask_dialog(driver).ask_buttons["terminator"])
    QApplication.processEvents()
    driver.press("Decline")
    qtbot.waitUntil(lambda: session.decision is not None and session.decision.kind == kind)
    assert driver.page.decision_panel.reason == "The CloneMaster player declines to go back."
    assert "terminator" not in session.takeback.askers
    assert not session.takeback.ask("terminator")
    assert "declined" in driver.page.decision_panel.reason
    assert window.page is not None


def end_phases(driver: Driver) -> None:
    """End both Terminator Moves."""
    session = driver.session
    for phase in ("terminator-move-1", "terminator-move-2"):
        driver.wait()
        assert session.view.phase == phase
        assert session.submit(EndPhase())


def test_the_right_curtain_falls_after_a_yes(qtbot: QtBot, tmp_path: Path) -> None:
    """From the other's turn it is asked openly; after a yes the curtain falls for whoever moves again."""
    window, driver = in_own_phase(qtbot, tmp_path)
    session = driver.session
    assert session.viewer == "terminator"
    end_phases(driver)
    driver.wait()
    assert session.curtain_for == "clonemaster"
    assert session.takeback.askers == {}
    assert not session.takeback.ask("terminator")
    driver.lift_curtain()
    # At the CloneMaster's eyes the Terminator player has no say.
    assert session.viewer == "clonemaster"
    assert "terminator" not in session.takeback.askers
    session.submit(EndPhase())
    driver.wait()
    driver.lift_curtain()
    assert set(session.takeback.askers) == {"terminator"}
    assert session.takeback.ask("terminator")
    assert session.viewer == "public"
    QApplication.processEvents()
    assert window.stack.currentWidget() is window.page
    driver.press("Agree")
    qtbot.waitUntil(lambda: session.curtain_for is not None)
    assert session.curtain_for == "terminator"
    assert window.stack.currentWidget() is window.curtain
    assert session.events() == ()
    driver.lift_curtain()
    assert session.view.phase == "terminator-move-2"


def test_a_bot_answers_by_itself(qtbot: QtBot, tmp_path: Path) -> None:
    """Against the rulebook bot the dialog names it, it agrees, and no curtain falls."""
    window, driver = in_own_phase(qtbot, tmp_path, bot="rulebook")
    session = driver.session
    end_phases(driver)
    qtbot.waitUntil(lambda: session.view.phase not in ("terminator-move-1", "terminator-move-2", "combat-1"))
    driver.wait()
    box = ask_dialog(driver)
    assert box.ask_buttons["terminator"].text() == "Ask Rulebook bot"
    driver.click(box.ask_buttons["terminator"])
    qtbot.waitUntil(lambda: any(isinstance(event, TakebackAnswered) for event in session.events()))
    answer = next(event for event in session.events() if isinstance(event, TakebackAnswered))
    assert answer.agrees
    driver.wait()
    assert session.viewer == "terminator"
    assert session.curtain_for is None
    assert window.stack.currentWidget() is window.page
    assert "agrees: back to before" in driver.page.log_panel.log.toPlainText()


def test_what_the_settings_answered_is_asked_after_a_yes(qtbot: QtBot, tmp_path: Path) -> None:
    """R13: gone back to before an answer that the settings gave, the player gives it himself."""
    window, driver = in_own_phase(qtbot, tmp_path, raider="rulebook")
    session = driver.session
    driver.wait()
    assert session.decision.kind == "clonemaster-move"
    assert session.takeback.askers == {"clonemaster": "the word on the CloneMaster's release in turn 1"}
    assert session.takeback.ask()
    qtbot.waitUntil(lambda: session.decision is not None)
    assert session.decision.kind == "release-clonemaster"
    assert session.submit(Pass())
    driver.wait()
    assert session.decision.kind == "clonemaster-move"
    assert window.stack.currentWidget() is window.page


class Stubborn(RandomPlayer):
    """A bot that lets nobody take anything back."""

    def decide(self, view: Any, decision: Decision) -> Choice | None:
        return AnswerTakeback(False) if decision.kind == TAKEBACK else super().decide(view, decision)


def test_a_bots_no_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    """A bot that declines lets the game go on where it was, and the log says so."""
    window = open_window(qtbot, tmp_path, recap="off")
    seats = {"terminator": "human", "clonemaster": "rulebook"}
    window.begin(RaidMatch.new(brawl(1), "4", seats=seats), bots={"clonemaster": Stubborn("4")})
    driver = Driver(qtbot, window, 3)
    for _ in range(60):
        driver.wait()
        if driver.session.takeback.askers and not driver.session.can_undo():
            break
        driver.step()
    session = driver.session
    assert session.takeback.ask()
    qtbot.waitUntil(lambda: any(isinstance(event, TakebackAnswered) for event in session.events()))
    driver.wait()
    answers = [event for event in session.events() if isinstance(event, TakebackAnswered)]
    assert [event.agrees for event in answers] == [False]
    assert "declines to go back" in driver.page.log_panel.log.toPlainText()
    driver.play()
