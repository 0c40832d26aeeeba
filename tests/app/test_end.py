"""The end of a game and its replay."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from app import game_files, games
from app.dialogs.end import EndDialog, left_words, secrets_html
from app.folders import games_folder
from app.main_window import MainWindow
from app.replay.page import ReplayPage
from app.wording import victory_words
from tests.helpers.gui import Driver, all_texts, brawl, hot_seat_match, nearly_over, open_window, screenshot


def played(qtbot: QtBot, tmp_path: Path, seed: int = 12) -> tuple[MainWindow, Driver]:
    """Return a window with a fight at its end, the last choices made in it."""
    window = open_window(qtbot, tmp_path)
    window.begin(nearly_over(games.new_path("Brawl"), seed=str(seed)))
    driver = Driver(qtbot, window, seed)
    driver.play()
    return window, driver


def end_dialog(window: MainWindow) -> EndDialog:
    """Return the dialog of the end."""
    assert window.end_dialog is not None
    return window.end_dialog


def replay_page(window: MainWindow) -> ReplayPage:
    """Return the replay on show."""
    assert window.replay_page is not None
    return window.replay_page


def test_the_end_says_which_victory_and_why(qtbot: QtBot, tmp_path: Path) -> None:
    """6.1: winner and level as a headline, the reason, what each side had left, and every secret."""
    window, driver = played(qtbot, tmp_path)
    dialog = end_dialog(window)
    view = driver.session.view
    texts = " ".join(all_texts([dialog]).values())
    outcome = view.outcome
    assert outcome.winner == "clonemaster"
    assert victory_words(view) == f"CloneMaster {outcome.level}"
    assert victory_words(view) in texts
    assert outcome.reason[1:] in texts
    for line in left_words(view):
        assert line in texts
    screenshot(dialog, "end", tmp_path)


def test_both_sides_secrets_are_open_at_the_end(qtbot: QtBot, tmp_path: Path) -> None:
    """Levels of Terminators and Jellies and what lay face down where are told (R29 ends with the game)."""
    window, driver = played(qtbot, tmp_path)
    secrets = secrets_html(driver.session.view)
    assert "Rising Dream" in secrets
    assert "Mountain Heart" in secrets
    assert "Technician 1" in secrets
    assert "face down at 2,2" in secrets
    assert end_dialog(window).isVisible()


def test_the_end_is_told_where_the_file_cannot_be_moved(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that takes no file is told of, and the end of the game is shown all the same."""
    warned: list[str] = []
    monkeypatch.setattr(QMessageBox, "warning", lambda parent, title, text: warned.append(text))

    def refuse(path: Path) -> Path:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(game_files, "put_away", refuse)
    window, _ = played(qtbot, tmp_path)
    assert [text.count("Permission denied") for text in warned] == [1]
    assert end_dialog(window).isVisible()


def test_a_finished_game_leaves_the_list_of_unfinished_ones(qtbot: QtBot, tmp_path: Path) -> None:
    """The start screen offers it for replay instead."""
    window, _ = played(qtbot, tmp_path)
    assert game_files.unfinished() == []
    assert [one.problem for one in game_files.finished()] == [""]
    window.leave_game()
    assert window.start_page.games.count() == 0
    assert window.start_page.finished.count() == 1
    window.start_page.finished.itemActivated.emit(window.start_page.finished.item(0))
    assert window.stack.currentWidget() is window.replay_page


def test_the_replay_steps_plays_jumps_and_slides(qtbot: QtBot, tmp_path: Path) -> None:
    """From the start, by buttons, keys, slider and list of phases."""
    window, _ = played(qtbot, tmp_path)
    QTest.mouseClick(end_dialog(window).replay_button, Qt.MouseButton.LeftButton)
    page = replay_page(window)
    length = page.replay.length
    assert page.replay.position == 0
    QTest.mouseClick(page.next_button, Qt.MouseButton.LeftButton)
    assert page.replay.position == 1
    QTest.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page.replay.position == 2)
    QTest.mouseClick(page.back_button, Qt.MouseButton.LeftButton)
    assert page.replay.position == 1
    page.slider.setValue(length // 2)
    assert page.replay.position == length // 2
    screenshot(window, "replay", tmp_path)
    QTest.mouseClick(page.last_button, Qt.MouseButton.LeftButton)
    assert page.replay.position == length
    assert not page.next_button.isEnabled()
    QTest.mouseClick(page.play_button, Qt.MouseButton.LeftButton)
    assert page.is_playing
    qtbot.waitUntil(lambda: page.replay.position >= 3, timeout=5000)
    QTest.mouseClick(page.play_button, Qt.MouseButton.LeftButton)
    stopped = page.replay.position
    qtbot.wait(700)
    assert page.replay.position == stopped
    at = page.phases.count() - 1
    page.phases.setCurrentIndex(at)
    position = page.phases.itemData(at)
    page.phases.activated.emit(at)
    assert page.replay.position == position
    QTest.mouseClick(page.leave_button, Qt.MouseButton.LeftButton)
    assert window.stack.currentWidget() is window.page


def test_the_replay_has_either_sides_eyes(qtbot: QtBot, tmp_path: Path) -> None:
    """Through the Terminator player's eyes face-down counters stay unnamed, in board and log."""
    window, _ = played(qtbot, tmp_path)
    QTest.mouseClick(end_dialog(window).replay_button, Qt.MouseButton.LeftButton)
    page = replay_page(window)
    assert page.viewer == "open"
    assert page.board_view.figure_at((2, 2)) == ("Technician 1",)
    page.eyes.setCurrentIndex(page.eyes.findData("terminator"))
    QApplication.processEvents()
    assert page.board_view.figure_at((2, 2)) == ()
    page.go(page.replay.length)
    page.eyes.setCurrentIndex(page.eyes.findData("clonemaster"))
    assert page.board_view.figure_at((2, 2)) == ("Technician 1",)
    assert page.replay.view("clonemaster").figure("Shadow Lotus").levels is None


def test_the_board_after_the_end_says_who_won_and_leads_on(qtbot: QtBot, tmp_path: Path) -> None:
    """With the dialog gone, and back from the replay, the panel has the victory and the ways on."""
    window, driver = played(qtbot, tmp_path)
    QTest.mouseClick(end_dialog(window).board_button, Qt.MouseButton.LeftButton)
    panel = driver.page.decision_panel
    assert victory_words(driver.session.view) in panel.accessibleDescription()
    assert not panel.is_fighting
    ways = ["What happened", "Replay from the start", "New game…", "Start screen"]
    assert [one.text() for one in panel.buttons] == ways
    driver.press("What happened")
    assert window.after_page is not None
    QTest.mouseClick(window.after_page.leave_button, Qt.MouseButton.LeftButton)
    assert [one.text() for one in panel.buttons] == ways
    driver.press("Replay from the start")
    QTest.mouseClick(replay_page(window).leave_button, Qt.MouseButton.LeftButton)
    assert window.stack.currentWidget() is window.page
    driver.press("Start screen")
    assert window.stack.currentWidget() is window.start_page


def test_finished_games_say_who_won_and_have_a_replay_button(qtbot: QtBot, tmp_path: Path) -> None:
    """The start screen's row names the victory; the button waits for a selection."""
    window, driver = played(qtbot, tmp_path)
    words = victory_words(driver.session.view)
    window.leave_game()
    page = window.start_page
    qtbot.waitUntil(lambda: words in page.finished.item(0).text())
    assert not page.replay_button.isEnabled()
    page.finished.setCurrentRow(0)
    QTest.mouseClick(page.replay_button, Qt.MouseButton.LeftButton)
    assert window.stack.currentWidget() is window.replay_page


def test_the_first_unfinished_game_that_can_be_opened_is_selected(qtbot: QtBot, tmp_path: Path) -> None:
    """A broken file on top does not bar the way on; rows say turn and phase."""
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match(games.new_path("Brawl"), scenario=brawl(1)))
    Driver(qtbot, window).step()
    broken = games_folder() / "broken.json"
    broken.write_text("{")
    os.utime(broken, (2**31, 2**31))
    window.leave_game()
    page = window.start_page
    assert page.games.count() == 2
    assert "cannot be opened" in page.games.item(0).text()
    assert page.games.currentRow() == 1
    assert page.continue_button.isEnabled()
    qtbot.waitUntil(lambda: "turn 1, Combat I" in page.games.item(1).text())


def test_return_presses_the_focused_button_of_the_replay(qtbot: QtBot, tmp_path: Path) -> None:
    """Return plays and pauses where the focus is on Play, as Space does."""
    window, _ = played(qtbot, tmp_path)
    QTest.mouseClick(end_dialog(window).replay_button, Qt.MouseButton.LeftButton)
    page = replay_page(window)
    assert page.play_button.hasFocus()
    QTest.keyClick(page.play_button, Qt.Key.Key_Return)
    assert page.is_playing
    QTest.keyClick(page.play_button, Qt.Key.Key_Return)
    assert not page.is_playing
