"""Every rule's number on the screen opens its place in the help, by keys alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.dialogs.change_rules import ChangeRulesDialog
from app.dialogs.end import EndDialog
from app.dialogs.settings import SettingsDialog
from app.game_page import GamePage
from app.help import window as help_window
from app.help.topics import find_rule
from app.main_window import MainWindow
from app.panels.log import LogView
from app.panels.sheets import SheetsPanel
from app.panels.widgets import Label, with_rule_links
from app.session import Session
from app.settings import SettingsStore
from engine.raid import choices as c
from engine.raid.match import RaidMatch
from engine.raid.scenario import load_scenario
from tests.helpers.gui import Driver, brawl, hot_seat_match, open_window, small_scenario
from tests.helpers.panels import settle


@pytest.fixture(autouse=True)
def closed_help() -> Iterator[None]:
    """Close the help after each test."""
    yield
    help_window.close()


def labels_with_rules(widget: QWidget) -> list[Label]:
    """Return the shown texts of a widget that name a rule."""
    return [one for one in widget.findChildren(Label) if one.isVisible() and 'href="rule:' in one.text()]


def opened_by_keys(qtbot: QtBot, text: QWidget) -> str:
    """Go to the first link of a text by Tab, follow it by Enter; return the rule that the help shows."""
    text.window().activateWindow()
    qtbot.waitUntil(text.window().isActiveWindow)
    text.setFocus(Qt.FocusReason.TabFocusReason)
    if isinstance(text, LogView):
        QTest.keyClick(text, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is text
    QTest.keyClick(text, Qt.Key.Key_Return)
    shown = help_window.window()
    assert shown.isVisible()
    assert shown.topic is not None
    return shown.topic.rule


def open_game(qtbot: QtBot, tmp_path: Path, match: RaidMatch) -> tuple[MainWindow, GamePage, Session]:
    """Show a game for two at one screen, its curtain lifted."""
    window = open_window(qtbot, tmp_path)
    window.begin(match)
    driver = Driver(qtbot, window)
    driver.wait()
    if driver.session.curtain_for is not None:
        driver.lift_curtain()
    settle()
    assert window.page is not None
    assert window.session is not None
    return window, window.page, window.session


def test_what_is_asked_and_what_is_refused(qtbot: QtBot, tmp_path: Path) -> None:
    """The rule beside a question and the rule of a refusal, in the panel and near the board."""
    start = small_scenario()
    _, page, session = open_game(qtbot, tmp_path, hot_seat_match(scenario=start))
    panel = page.set_up
    assert panel is not None
    first = labels_with_rules(panel)
    assert first
    assert opened_by_keys(qtbot, first[0]) == "6.1"
    session.submit(c.SetAbilities("Rising Dream", 5, 1, 1, 1, 1))
    settle()
    refused = [one for one in labels_with_rules(page.window()) if one not in first]
    assert refused
    assert find_rule(opened_by_keys(qtbot, refused[0])) is not None


def test_a_combat(qtbot: QtBot, tmp_path: Path) -> None:
    """The question in the fight panel, and its odds."""
    _, page, session = open_game(qtbot, tmp_path, hot_seat_match(scenario=brawl()))
    assert session.decision is not None
    texts = labels_with_rules(page.fight_panel)
    assert texts
    for text in texts:
        assert find_rule(opened_by_keys(qtbot, text)) is not None


def test_the_log(qtbot: QtBot, tmp_path: Path) -> None:
    """The rule at the end of a line."""
    _, page, _session = open_game(qtbot, tmp_path, hot_seat_match(scenario=brawl()))
    log = page.log_panel.log
    page.log_dock.raise_()
    settle()
    assert 'href="rule:' in log.toHtml()
    assert find_rule(opened_by_keys(qtbot, log)) is not None


def test_the_record_sheets(qtbot: QtBot, tmp_path: Path) -> None:
    """Why the other side's levels are not shown."""
    _, page, _session = open_game(qtbot, tmp_path, hot_seat_match(scenario=brawl()))
    sheets = page.findChild(SheetsPanel)
    assert sheets is not None
    page.sheets_dock.raise_()
    settle()
    texts = labels_with_rules(sheets)
    assert [opened_by_keys(qtbot, one) for one in texts[:1]] == ["R29"]


def test_the_end(qtbot: QtBot, tmp_path: Path) -> None:
    """The rule by which the game was won, in the dialog and in the panel behind it."""
    window, page, _session = open_game(qtbot, tmp_path, hot_seat_match(scenario=brawl(1)))
    driver = Driver(qtbot, window)
    driver.play()
    qtbot.waitUntil(lambda: window.findChild(EndDialog) is not None)
    dialog = window.findChild(EndDialog)
    assert dialog is not None
    settle()
    assert dialog.focusWidget() is dialog.after_button
    texts = labels_with_rules(dialog)
    assert texts
    assert opened_by_keys(qtbot, texts[0]) in ("6.1", "R31")
    dialog.close()
    settle()
    behind = labels_with_rules(page.decision_panel)
    assert behind
    assert opened_by_keys(qtbot, behind[0]) in ("6.1", "R31")


def test_switches_and_settings(qtbot: QtBot, tmp_path: Path) -> None:
    """The rule beside every switch of a scenario, and beside the settings that touch a rule."""
    dialog = ChangeRulesDialog(load_scenario("basic"), load_scenario("basic"))
    settings = SettingsDialog(SettingsStore(tmp_path / "settings.json"))
    for widget in (dialog, settings):
        qtbot.addWidget(widget)
        widget.show()
        settle()
        texts = labels_with_rules(widget)
        assert texts
        for text in texts[:3]:
            assert find_rule(opened_by_keys(qtbot, text)) is not None
        widget.close()


def test_messages_of_files_and_scenarios() -> None:
    """Rules in parentheses in a message become links, and nothing else in it is taken for HTML."""
    said = with_rule_links('levels: "<b>" is wrong (6.1, R30), see line (3)')
    assert said == (
        'levels: "&lt;b&gt;" is wrong (<a href="rule:6.1">6.1</a>, <a href="rule:R30">R30</a>), see line (3)'
    )
