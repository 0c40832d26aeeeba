"""Lessons on the screen: gone through by keys alone, left in the middle, readable in every look."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from app.folders import games_folder
from app.main_window import MainWindow
from app.tutorial.lesson import SHIPPED, load_lesson
from app.tutorial.lessons import TutorialPage
from app.tutorial.page import LessonPage
from app.tutorial.panel import ASTRAY_TITLE, KEYS
from app.tutorial.progress import Progress, mark_step, progress
from app.tutorial.walkthrough import Stage
from engine.core.decision import IllegalChoice
from engine.raid import choices as c
from tests.helpers.gui import open_window, screenshot
from tests.helpers.panels import settle

ARROWS = {(-1, 0): Qt.Key.Key_Left, (1, 0): Qt.Key.Key_Right, (0, -1): Qt.Key.Key_Up, (0, 1): Qt.Key.Key_Down}


def press(window: MainWindow, keys: str) -> None:
    """Press keys, as they are written on buttons, one after another."""
    for key in keys.split():
        QTest.keySequence(window, QKeySequence(key))


def lesson(window: MainWindow) -> LessonPage:
    """Return the lesson being taken."""
    assert window.tutorial_page is not None
    page = window.tutorial_page.lesson_page
    assert page is not None
    return page


def tutorial(window: MainWindow) -> TutorialPage | None:
    """Return the lessons' page if it is there."""
    return window.tutorial_page


def begin(qtbot: QtBot, tmp_path: Path, name: str, **settings: Any) -> MainWindow:
    """Open the window and take a lesson by keys: the menu's, then the number in the list."""
    window = open_window(qtbot, tmp_path, **settings)
    press(window, "Ctrl+T")
    press(window, str(SHIPPED.index(name) + 1))
    qtbot.waitUntil(lambda: window.tutorial_page is not None and window.tutorial_page.lesson_page is not None)
    settle()
    return window


def walk(window: MainWindow, square: tuple[int, int]) -> None:
    """Go to a square of the board by arrow keys and press Enter."""
    board = lesson(window).game_page.board_view
    assert QApplication.focusWidget() is board, "the arrow keys reach the board at once"
    if board.cursor_square is None:
        QTest.keyClick(board, Qt.Key.Key_Left)
    for _ in range(40):
        assert board.cursor_square is not None
        across, down = (wanted - here for wanted, here in zip(square, board.cursor_square, strict=True))
        if not across and not down:
            break
        step = ((across > 0) - (across < 0), 0) if across else (0, (down > 0) - (down < 0))
        QTest.keyClick(board, ARROWS[step])
    QTest.keyClick(board, Qt.Key.Key_Return)


def answer(window: MainWindow) -> None:
    """Do what the lesson asks for, by the keys that it tells."""
    page = lesson(window)
    wanted = page.session.way.wanted
    if isinstance(wanted[0], c.Move):
        walk(window, wanted[0].path[-1])
        return
    told = re.findall(r"\[([^\]]+)\]", page.panel.to_do)
    assert len(told) == len(wanted), page.panel.to_do
    for keys in told:
        for part in keys.split(", then "):
            for key in part.split():
                press(window, key)
                if key.isdigit() and isinstance(wanted[0], c.ChooseCounters):
                    # A counter goes down under its key for a tenth of a second.
                    picked = sum(len(one.counters) for one in page.game_page.fight_panel.pickers)
                    QTest.qWait(130)
                    after = sum(len(one.counters) for one in page.game_page.fight_panel.pickers)
                    assert after == picked + 1 or after == picked, key


def where(page: LessonPage) -> tuple[object, ...]:
    """Return the place in a lesson, to be compared."""
    way = page.session.way
    return way.number, way.stage, len(way.left), page.session.revision


def go_on(qtbot: QtBot, window: MainWindow) -> None:
    """Do a step by keys: what is asked for, or reading on."""
    page = lesson(window)
    before = where(page)
    if page.session.way.wanted:
        answer(window)
    else:
        press(window, KEYS["next"])
    qtbot.waitUntil(lambda: where(page) != before, timeout=3000)
    settle()


def go_to(qtbot: QtBot, window: MainWindow, title: str) -> None:
    """Follow "Show me" to the first step of that title."""
    page = lesson(window)
    for _ in range(300):
        if page.panel.title == title and page.session.way.stage is Stage.ASK:
            settle()
            return
        press(window, KEYS["show"] if page.session.way.wanted else KEYS["next"])
    raise AssertionError(f"no step {title!r}")


@pytest.mark.parametrize("name", SHIPPED)
def test_a_lesson_is_played_by_keys_alone(qtbot: QtBot, tmp_path: Path, name: str) -> None:
    """From the start screen to the end of a lesson and back to the list, with the keys that it tells."""
    window = begin(qtbot, tmp_path, name)
    page = lesson(window)
    for _ in range(300):
        if page.session.way.stage is Stage.DONE:
            break
        go_on(qtbot, window)
    assert page.session.way.stage is Stage.DONE
    assert progress().done == (name,)
    press(window, KEYS["next"])
    assert window.tutorial_page is not None
    assert window.tutorial_page.lesson_page is None
    number = SHIPPED.index(name)
    assert "✓" in window.tutorial_page.buttons[number].text()
    wanted = next(one for one in SHIPPED if one != name)
    assert window.tutorial_page.buttons[SHIPPED.index(wanted)].hasFocus(), "the next lesson is at hand"


def test_show_me_leads_through_every_lesson(qtbot: QtBot, tmp_path: Path) -> None:
    """Who only looks on gets to the end as well; each step has words, and a ring where there is something."""
    window = open_window(qtbot, tmp_path)
    for number in range(1, len(SHIPPED) + 1):
        press(window, f"Ctrl+T {number}")
        settle()
        page = lesson(window)
        for _ in range(300):
            way = page.session.way
            if way.stage is Stage.DONE:
                break
            assert page.panel.title
            assert page.panel.text
            settle(1)
            if way.wanted:
                assert page.rings.around or page.board_rings.points, way.step.title
            press(window, KEYS["show"] if way.wanted else KEYS["next"])
        assert page.session.way.stage is Stage.DONE
    assert progress().done == SHIPPED


def test_skip_leads_through_a_lesson_a_step_at_a_time(qtbot: QtBot, tmp_path: Path) -> None:
    """Skip does what a step is about and says no more of it."""
    window = begin(qtbot, tmp_path, "small-raid")
    way = lesson(window).session.way
    for number in range(len(way.lesson.steps)):
        assert (way.number, way.stage) == (number, Stage.ASK)
        press(window, KEYS["skip"])
    assert way.stage is Stage.DONE
    assert way.match.is_over


def test_back_takes_a_step_back_in_the_game_too(qtbot: QtBot, tmp_path: Path) -> None:
    """A die is no obstacle; the log and the board are those of the earlier moment. Ctrl+Z does the same."""
    window = begin(qtbot, tmp_path, "first-fight")
    page = lesson(window)
    go_to(qtbot, window, "The safe answer")
    log = page.game_page.log_panel.log.toPlainText()
    press(window, KEYS["show"])
    assert page.game_page.log_panel.log.toPlainText() != log
    for key in (KEYS["back"], KEYS["back"], KEYS["back"]):
        press(window, key)
    assert page.panel.title == "An injury"
    for _ in range(2):
        press(window, "Ctrl+Z")
        QTest.qWait(130)
    assert page.panel.title == "Name your target"
    go_to(qtbot, window, "The safe answer")
    assert page.game_page.log_panel.log.toPlainText() == log


def test_another_legal_choice_is_explained_and_taken_back(qtbot: QtBot, tmp_path: Path) -> None:
    """The learner may try it; then the lesson says why it asks for something else, and N takes it back."""
    window = begin(qtbot, tmp_path, "first-fight")
    page = lesson(window)
    go_to(qtbot, window, "Your reply")
    revision = page.session.revision
    press(window, "2")
    qtbot.waitUntil(lambda: page.panel.title == ASTRAY_TITLE, timeout=2000)
    assert page.panel.text == page.session.way.step.otherwise
    assert page.session.revision == revision + 1
    screenshot(window, "lesson-astray", tmp_path)
    press(window, KEYS["next"])
    assert page.panel.title == "Your reply"
    assert page.session.revision == revision
    settle()
    press(window, "1")
    qtbot.waitUntil(lambda: page.session.way.stage is Stage.AFTER, timeout=2000)


def test_a_choice_out_of_turn_is_refused_with_the_reason(qtbot: QtBot, tmp_path: Path) -> None:
    """While there is something to read no choice is taken, and it is said why."""
    window = begin(qtbot, tmp_path, "small-raid")
    page = lesson(window)
    press(window, "1")
    qtbot.waitUntil(lambda: "ead on first" in page.game_page.decision_panel.reason, timeout=2000)
    assert page.session.revision == 0


def test_a_lesson_is_left_in_the_middle_and_leaves_no_game(qtbot: QtBot, tmp_path: Path) -> None:
    """Leaving goes to the list; no game of a lesson is among the player's, and a real game can begin."""
    window = begin(qtbot, tmp_path, "great-brawl", animation_speed=1.0)
    go_to(qtbot, window, "Smash the tank")
    assert "The great brawl" in window.windowTitle()
    press(window, KEYS["leave"])
    assert window.tutorial_page is not None
    assert window.tutorial_page.game_page is None
    press(window, "F6 F8")
    press(window, "3")
    qtbot.waitUntil(lambda: window.page is not None, timeout=2000)
    press(window, "F6 F7 F8")
    press(window, "Ctrl+L")
    assert window.stack.currentWidget() is window.start_page
    assert tutorial(window) is None
    assert list(games_folder().glob("*.json")) == []
    assert progress().done == ()
    window.play_now()
    assert window.page is not None
    assert window.stack.currentWidget() is window.page


def test_a_lesson_left_goes_on_at_its_step(qtbot: QtBot, tmp_path: Path) -> None:
    """The list marks it as begun; its number goes on at the step, "Start anew" begins again."""
    window = begin(qtbot, tmp_path, "small-raid")
    go_to(qtbot, window, "Punch")
    step = lesson(window).session.way.number
    log = lesson(window).game_page.log_panel.log.toPlainText()
    press(window, KEYS["leave"])
    page = window.tutorial_page
    assert page is not None
    button = page.buttons[1]
    assert button.text() == f"2. A small raid – Go on at step {step + 1} of 63"
    assert button.detail.startswith("Begun. ")
    assert button.hasFocus()
    settle()
    screenshot(window, "lessons-begun", tmp_path)
    press(window, "Ctrl+L Ctrl+T 2")
    settle()
    again = lesson(window)
    assert again.panel.title == "Punch"
    assert f"step {step + 1} of 63" in again.panel._head.text()
    assert again.game_page.log_panel.log.toPlainText() == log
    assert again.rings.around, "the step's ring is there at once"
    press(window, KEYS["back"])
    assert again.session.way.number == step - 1
    press(window, KEYS["leave"])
    press(window, "Alt+2")
    assert lesson(window).session.way.number == 0
    press(window, KEYS["leave"])
    assert progress().steps == {"small-raid": step - 1}, "looking in loses no place"
    press(window, "Alt+2")
    press(window, KEYS["next"])
    assert progress().steps == {"small-raid": 1}


def test_the_last_step_is_gone_on_with_after_the_game(qtbot: QtBot, tmp_path: Path) -> None:
    """A raid that is over is taken up at what is said of it, and ends as done."""
    window = open_window(qtbot, tmp_path)
    last = len(load_lesson("small-raid").steps) - 1
    mark_step("small-raid", last)
    press(window, "Ctrl+T 2")
    settle()
    page = lesson(window)
    assert page.session.is_over
    assert page.session.way.number == last
    while page.session.way.stage is not Stage.DONE:
        press(window, KEYS["next"])
    assert progress() == Progress(done=("small-raid",))


def test_enter_takes_the_lesson_that_has_the_focus(qtbot: QtBot, tmp_path: Path) -> None:
    """Tab to any button of the list and Enter does what the space bar does."""
    window = open_window(qtbot, tmp_path)
    mark_step("first-fight", 3)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        for number in range(len(SHIPPED)):
            press(window, "Ctrl+T")
            page = window.tutorial_page
            assert page is not None
            page.buttons[number].setFocus()
            QTest.keyClick(page.buttons[number], key)
            assert lesson(window).session.way.number == (3 if number == 0 else 0)
    press(window, "Ctrl+T")
    page = window.tutorial_page
    assert page is not None
    QTest.keyClick(page.anew_buttons["first-fight"], Qt.Key.Key_Return)
    assert lesson(window).session.way.number == 0
    press(window, "Ctrl+T")
    page = window.tutorial_page
    assert page is not None
    QTest.keyClick(page.leave_button, Qt.Key.Key_Return)
    assert window.stack.currentWidget() is window.start_page


@pytest.mark.parametrize("at_cursor", [False, True])
def test_a_key_that_does_nothing_is_answered(qtbot: QtBot, tmp_path: Path, at_cursor: bool) -> None:
    """Where something is to be done a wrong key says what; where something is to be read, that."""
    window = begin(qtbot, tmp_path, "small-raid")
    page = lesson(window)
    board = page.game_page.board_view
    for title, keys, said in (
        ("Your mission", "5 Q", "Read on first"),
        ("Come in", "5 Q", "Enter by the Sewage Outlet"),
        ("Choose your three", "9 Q", "To do: "),
        ("At whom", "5 Ctrl+Return", "To do: "),
    ):
        go_to(qtbot, window, title)
        length = page.session.length
        for key in keys.split():
            page.session.refused.emit(IllegalChoice("something else", "-"))
            board.setFocus()
            if at_cursor:
                QTest.keyClick(board, Qt.Key.Key_Left)
            QTest.keySequence(board, QKeySequence(key))
            fight, panel = page.game_page.fight_panel, page.game_page.decision_panel
            shown = [one for one in (fight._why, panel._why) if one.isVisible()]
            assert [said in one.text() for one in shown] == [True], (title, key)
            settle()
            screenshot(window, f"lesson-key-{title}-{key}", tmp_path)
        assert page.session.length == length
        assert page.session.way.stage is Stage.ASK


def test_nothing_is_said_before_it_is_seen(qtbot: QtBot, tmp_path: Path) -> None:
    """While the die rolls the text that tells its result waits; N ends the showing first, then reads on."""
    window = begin(qtbot, tmp_path, "first-fight", animation_speed=1.0)
    page = lesson(window)
    go_to(qtbot, window, "Your reply")
    qtbot.waitUntil(lambda: not page.session.is_late, timeout=5000)
    for presses in (0, 1):
        press(window, KEYS["show"])
        assert page.session.is_late
        assert page.panel.text == page.session.way.step.text
        if presses:
            press(window, KEYS["next"])
        qtbot.waitUntil(lambda: page.panel.text == page.session.way.step.after, timeout=5000)
        assert page.session.way.stage is Stage.AFTER
        press(window, KEYS["back"])
        assert page.panel.text == page.session.way.step.text


def test_the_start_screen_has_the_lessons_one_press_away(qtbot: QtBot, tmp_path: Path) -> None:
    """A newcomer finds "Learn to play" on the first screen; Escape goes back there."""
    window = open_window(qtbot, tmp_path)
    window.start_page.learn_button.setFocus()
    QTest.keyClick(window.start_page.learn_button, Qt.Key.Key_Return)
    assert window.tutorial_page is not None
    assert window.stack.currentWidget() is window.tutorial_page
    assert window.tutorial_page.buttons[0].hasFocus()
    assert window.windowTitle().startswith("Learn to play")
    QTest.keyClick(window.tutorial_page.buttons[0], Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.stack.currentWidget() is window.start_page, timeout=2000)


def test_the_start_screen_has_room_for_the_lessons_in_large_text(qtbot: QtBot, tmp_path: Path) -> None:
    """At 1280x720 and 200 % every button of the start screen is as high as its words."""
    window = open_window(qtbot, tmp_path, text_scale=2.0)
    settle()
    page = window.start_page
    for button in (page.play_button, page.learn_button, page.new_button, page.help_button, page.quit_button):
        assert button.height() >= button.sizeHint().height(), button.text()
        assert button.width() >= button.sizeHint().width(), button.text()


def test_a_setting_does_not_answer_for_the_learner(qtbot: QtBot, tmp_path: Path) -> None:
    """R24: "Mountain Heart first" would take the question away that a lesson is about."""
    window = begin(qtbot, tmp_path, "great-brawl", heart_first=True)
    go_to(qtbot, window, "Take it on the Heart")
    decision = lesson(window).session.decision
    assert decision is not None
    assert decision.kind == "lose-ability"


def test_the_lesson_is_spoken_to_a_screen_reader(qtbot: QtBot, tmp_path: Path) -> None:
    """Title, text and what to do are the strip's description, and every control has a name."""
    window = begin(qtbot, tmp_path, "small-raid")
    go_to(qtbot, window, "Come in")
    panel = lesson(window).panel
    said = panel.accessibleDescription()
    assert said.startswith(f"{panel.title}. {panel.text}")
    assert "Enter by the Sewage Outlet" in said
    for button in (panel.next_button, panel.back_button, panel.show_button, panel.skip_button):
        assert button.accessibleName()


@pytest.mark.parametrize(("mode", "scale"), [("dark", 2.0), ("contrast", 1.4), ("light", 0.8)])
def test_every_step_fits_a_small_window(qtbot: QtBot, tmp_path: Path, mode: str, scale: float) -> None:
    """At 1280x720 and 200 % text the whole text of a step is seen, above a board that is still one."""
    window = begin(qtbot, tmp_path, "great-brawl", theme=mode, text_scale=scale)
    page = lesson(window)
    for number in range(200):
        way = page.session.way
        if way.stage is Stage.DONE:
            break
        settle(2)
        strip = page.panel.findChild(QScrollArea)
        assert strip is not None
        assert strip.verticalScrollBar().maximum() == 0, (way.step.title, page.panel.text, page.panel.to_do)
        assert (window.width(), window.height()) == (1280, 720), way.step.title
        assert page.game_page.board_view.height() >= 200, way.step.title
        labels = [one for one in page.panel.findChildren(QLabel) if one.isVisible() and one.text()]
        for label in labels:
            assert label.height() >= label.heightForWidth(label.width()), label.text()
        if number in (0, 6, 7, 20):
            screenshot(window, f"lesson-{mode}-{round(scale * 100)}-{number}", tmp_path)
        press(window, KEYS["show"] if way.wanted else KEYS["next"])
    assert page.session.way.stage is Stage.DONE


def test_the_strip_does_not_jump_at_usual_text_size(qtbot: QtBot, tmp_path: Path) -> None:
    """The board stays where it is from the first step to the last."""
    window = begin(qtbot, tmp_path, "small-raid")
    page = lesson(window)
    heights = set()
    for _ in load_lesson("small-raid").steps:
        settle(1)
        heights.add(page.panel.height())
        press(window, KEYS["skip"])
    assert len(heights) == 1


def test_a_change_of_look_keeps_the_lesson_and_its_rings(qtbot: QtBot, tmp_path: Path) -> None:
    """Text made larger in the middle of a step: the buttons are new, the rings are around them."""
    window = begin(qtbot, tmp_path, "first-fight")
    page = lesson(window)
    go_to(qtbot, window, "Your hand")
    assert len(page.rings.around) == 4
    window.store.set(text_scale=1.5, theme="dark")
    qtbot.waitUntil(lambda: len(page.rings.around) == 4 and all(one.isVisible() for one in page.rings.around))
    assert page.panel.title == "Your hand"
    assert "[2 3 5, then Ctrl+Return]" in page.panel.to_do
