"""The window: start screen, movement by mouse and keys, "why not?", settings, saved games, start-up."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import weakref
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAction, QScreen
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from app import theme
from app.errors import ErrorReporter, log_file
from app.main_window import MainWindow
from app.settings import Settings, SettingsStore
from engine.raid import choices as c
from engine.raid.match import RaidMatch
from tests.helpers.gui import Driver, all_texts, brawl, hot_seat_match, leaks, open_window, screenshot

ROOT = Path(__file__).resolve().parents[2]
CONTROL_TYPES = (
    "Button",
    "ComboBox",
    "Slider",
    "ListWidget",
    "ListView",
    "TextBrowser",
    "LogView",
    "BoardView",
)


def play_now(qtbot: QtBot, window: MainWindow) -> Driver:
    """Start with one click, always with the same dice (an empty kitchen), and wait."""
    with patch("secrets.token_hex", return_value="w3"):
        QTest.mouseClick(window.start_page.play_button, Qt.MouseButton.LeftButton)
    driver = Driver(qtbot, window)
    driver.wait()
    QApplication.processEvents()
    return driver


def test_one_click_brings_the_board(qtbot: QtBot, tmp_path: Path) -> None:
    """Play now: Basic, the Terminators with suggested abilities, ready to move; a bot holds the fortress."""
    window = open_window(qtbot, tmp_path)
    driver = play_now(qtbot, window)
    session = driver.session
    assert session.decision.kind == "terminator-move"
    assert session.scenario.name == "Basic"
    assert session.viewer == "terminator"
    own = [one for one in session.view.figures if one.kind == "terminator"]
    assert [sum(one.levels.values()) for one in own] == [7, 7, 7]
    assert len({tuple(one.levels.items()) for one in own}) == 3
    assert len(session.view.face_down) == 33
    screenshot(window, "board", tmp_path)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_the_board_is_the_largest_thing(qtbot: QtBot, tmp_path: Path, size: tuple[int, int]) -> None:
    """At 1280x720 and above the board takes more room than everything else together."""
    window = open_window(qtbot, tmp_path, size)
    driver = play_now(qtbot, window)
    qtbot.wait(30)
    board = driver.page.board_view.size()
    assert board.width() * board.height() > 0.6 * size[0] * size[1]
    for dock in (driver.page.decision_dock, driver.page.log_dock):
        assert dock.geometry().right() <= driver.page.rect().right()


def test_the_docks_get_their_width_back(qtbot: QtBot, tmp_path: Path) -> None:
    """A window made small and large again has its docks as before; as wide as dragged, if they were."""
    window = open_window(qtbot, tmp_path)
    page = play_now(qtbot, window).page
    qtbot.wait(30)
    before = page.decision_dock.size()

    def there_and_back() -> None:
        for width, height in ((500, 400), (1280, 720)):
            window.resize(width, height)
            qtbot.wait(30)

    there_and_back()
    assert page.decision_dock.width() == before.width()
    # How Qt shares out a height between docks is rounded another way after each change.
    assert abs(page.decision_dock.height() - before.height()) <= 1
    edge = QPoint(page.decision_dock.x() - 2, 200)
    QTest.mouseMove(page, edge)
    QTest.mousePress(page, Qt.MouseButton.LeftButton, pos=edge)
    QTest.mouseMove(page, edge - QPoint(60, 0))
    qtbot.wait(30)
    QTest.mouseRelease(page, Qt.MouseButton.LeftButton, pos=edge - QPoint(60, 0))
    dragged = page.decision_dock.width()
    assert dragged > before.width()
    there_and_back()
    assert page.decision_dock.width() == dragged


def test_the_log_has_its_height_after_the_set_up(qtbot: QtBot, tmp_path: Path) -> None:
    """The docks come back from behind a set-up as they are in a game begun without one."""
    window = open_window(qtbot, tmp_path)
    page = play_now(qtbot, window).page
    qtbot.wait(30)
    usual = page.log_dock.height()
    window.begin(hot_seat_match())
    driver = Driver(qtbot, window)
    driver.wait()
    while driver.session.decision is None or driver.session.decision.kind != "terminator-move":
        driver.step()
        driver.wait()
    qtbot.wait(30)
    assert driver.page.log_dock.height() > 0.9 * usual


def test_large_text_puts_the_log_behind_a_tab(qtbot: QtBot, tmp_path: Path) -> None:
    """At 200 % the choices have all the height and the log a tab beside them; what is asked comes up."""
    window = open_window(qtbot, tmp_path)
    driver = play_now(qtbot, window)
    page = driver.page
    window.store.set(text_scale=2.0)
    qtbot.wait(30)
    assert page.log_dock in page.tabifiedDockWidgets(page.decision_dock)
    assert page.decision_dock.height() > 0.8 * page.height()
    assert not page.decision_dock.visibleRegion().isEmpty()
    page.log_dock.raise_()
    qtbot.wait(30)
    assert page.log_panel.log.viewport().height() > 6 * theme.size("body")
    enter(driver)
    qtbot.wait(30)
    assert not page.decision_dock.visibleRegion().isEmpty()
    window.store.set(text_scale=1.0)
    qtbot.wait(30)
    assert page.log_dock not in page.tabifiedDockWidgets(page.decision_dock)
    assert page.log_dock.y() > page.decision_dock.geometry().bottom()


def enter(driver: Driver) -> tuple[int, int]:
    """Bring the first Terminator in by the kitchen with a click on its lit square; return where he stands."""
    seat = driver.page.seat
    square: tuple[int, int] = next(
        square
        for square, choice in seat.goals.items()
        if isinstance(choice, c.Enter) and choice.entry == "Garbage Disposal"
    )
    driver.click_square(square)
    driver.wait()
    return square


def test_a_click_moves_and_the_path_is_drawn_before(qtbot: QtBot, tmp_path: Path) -> None:
    """Reachable squares are lit with their costs; hovering shows the way, a click goes it (4.3)."""
    window = open_window(qtbot, tmp_path)
    driver = play_now(qtbot, window)
    enter(driver)
    seat, view = driver.page.seat, driver.page.board_view
    assert seat.selected == "Rising Dream"
    goal, move = next(
        (square, choice)
        for square, choice in seat.goals.items()
        if isinstance(choice, c.Move) and len(choice.path) == 2
    )
    assert driver.session.decision.options.price(move) == 2
    shown: list[tuple[tuple[int, int], ...]] = []
    view.set_path = shown.append
    view.squareHovered.emit(goal)
    assert shown[-1][1:] == move.path
    driver.click_square(goal)
    driver.wait()
    assert driver.session.view.figure("Rising Dream").square == goal


def test_keys_alone_move_a_figure(qtbot: QtBot, tmp_path: Path) -> None:
    """Tab finds the figure, arrows the square, Enter goes; Ctrl+Enter ends the phase, Ctrl+Z takes back."""
    window = open_window(qtbot, tmp_path)
    driver = play_now(qtbot, window)
    board = driver.page.board_view
    QTest.keyClick(window, Qt.Key.Key_2)  # enter by the garbage disposal: the second button
    qtbot.waitUntil(lambda: driver.session.view.figure("Rising Dream").square is not None)
    driver.wait()
    QApplication.processEvents()
    board.setFocus()
    QTest.keyClick(board, Qt.Key.Key_Tab)
    here = driver.session.view.figure("Rising Dream").square
    assert board.cursor_square == here
    # One step, inside the room: nothing is turned up that could not be taken back.
    goal = next(
        square
        for square, choice in driver.page.seat.goals.items()
        if isinstance(choice, c.Move) and len(choice.path) == 1
    )
    for key, count in (
        (Qt.Key.Key_Right, goal[0] - here[0]),
        (Qt.Key.Key_Left, here[0] - goal[0]),
        (Qt.Key.Key_Down, goal[1] - here[1]),
        (Qt.Key.Key_Up, here[1] - goal[1]),
    ):
        for _ in range(count):
            QTest.keyClick(board, key)
    assert board.cursor_square == goal
    QTest.keyClick(board, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: driver.session.view.figure("Rising Dream").square == goal)
    driver.wait()
    QApplication.processEvents()
    before = driver.session.length
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: driver.session.length == before - 1)
    driver.wait()
    QApplication.processEvents()
    QTest.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: driver.session.view.phase != "terminator-move-1")


def test_why_not_is_answered_on_board_and_buttons(qtbot: QtBot, tmp_path: Path) -> None:
    """A square out of reach, a foe, a shut door: each refusal gives its reason and its rule."""
    window = open_window(qtbot, tmp_path)
    driver = play_now(qtbot, window)
    panel, bubble = driver.page.decision_panel, driver.page.bubble
    barred = next(one for one in panel.buttons if one.is_barred)
    assert barred.text() == "Enter by the Front Door"
    driver.click(barred)
    assert "4.11" in panel.reason
    enter(driver)
    driver.click_square((30, 3))
    assert "4.3" in panel.reason or "4.4" in panel.reason
    assert "points" in panel.reason or "costs" in panel.reason
    assert bubble.isVisible()
    assert driver.page.board_view.rect().contains(bubble.geometry())
    screenshot(window, "why-not", tmp_path)
    driver.page.board_view.squareContext.emit((11, 3))
    assert bubble.text() != ""


def test_station_takes_a_terminator_before_the_front_door(qtbot: QtBot, tmp_path: Path) -> None:
    """R10: the button for it is there, and it is one choice."""
    window = open_window(qtbot, tmp_path)
    driver = play_now(qtbot, window)
    driver.press("Take station")
    qtbot.waitUntil(lambda: driver.session.view.figure("Rising Dream").place == "station")


def answer_release(driver: Driver, answer: QMessageBox.StandardButton) -> None:
    """Press a button of the question whether to release the CloneMaster."""
    box = driver.page.decision_panel.release_question
    driver.click(box.button(answer))
    driver.qtbot.waitUntil(lambda: driver.page.decision_panel.release_question is None)


def test_two_at_one_screen_are_asked_before_the_clonemaster_is_released(qtbot: QtBot, tmp_path: Path) -> None:
    """R13: the key alone does nothing for good; Return on the question is no, and it tells nothing."""
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match(scenario=brawl(1)))
    driver = Driver(qtbot, window)
    driver.wait()
    QApplication.processEvents()
    before = driver.session.revision
    QTest.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert window.findChildren(QMessageBox) == []
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window, Qt.Key.Key_R, both)
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)))
    (box,) = window.findChildren(QMessageBox)
    texts = all_texts([box])
    assert any(text.startswith("Bob: release the CloneMaster now?") for text in texts.values())
    assert leaks(["30,12", "Technician 1", "face down"], texts) == []
    QTest.keyClick(box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.findChildren(QMessageBox))
    assert driver.session.revision == before


def test_the_release_button_is_always_at_hand(qtbot: QtBot, tmp_path: Path) -> None:
    """R13: while the Terminator player moves, a button releases the CloneMaster, after a question."""
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match(scenario=brawl(1)))
    driver = Driver(qtbot, window)
    driver.wait()
    QApplication.processEvents()
    button = driver.page.decision_panel.release_button
    assert button.isVisible()
    driver.click(button)
    answer_release(driver, QMessageBox.StandardButton.Yes)
    driver.wait()
    assert driver.session.decision.kind == "free-move"
    assert driver.session.viewer == "public"
    driver.press("End the free move")
    driver.wait()
    assert not button.isVisible()


def test_who_decides_is_named_at_a_shared_screen(qtbot: QtBot, tmp_path: Path) -> None:
    """R13: the order of combats is asked by name, and the release says whose it is in the other's turn."""
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match(scenario=brawl(1)))
    driver = Driver(qtbot, window)
    driver.wait()
    QApplication.processEvents()
    assert driver.session.decision.kind == "fight-order"
    panel = driver.page.decision_panel
    assert panel.release_button.text() == "Bob: release the CloneMaster"
    assert any(one.text().startswith("<b>Ann:</b>") for one in driver.page.fight_panel.findChildren(QLabel))


def test_the_foot_leaves_the_room_to_the_choices(qtbot: QtBot, tmp_path: Path) -> None:
    """All three buttons below the choices need less height than two choices, and none is clipped."""
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match(scenario=brawl(1)))
    driver = Driver(qtbot, window)
    driver.wait()
    panel = driver.page.decision_panel
    buttons = (panel.undo_button, panel.recap_button, panel.release_button)
    panel.undo_button.setText("Ask to take back…")
    for button in buttons:
        button.show()
    qtbot.wait(30)
    places = [QRect(one.mapTo(panel, QPoint()), one.size()) for one in buttons]
    assert all(panel.rect().contains(place) for place in places)
    choice = driver.page.fight_panel.buttons()[0]
    assert max(one.bottom() for one in places) - min(one.top() for one in places) < 2 * choice.height()


def test_tab_goes_through_the_choices(qtbot: QtBot, tmp_path: Path) -> None:
    """From the figures to the choices in their order, and only then to Undo; in a combat too."""
    window = open_window(qtbot, tmp_path)
    panel = play_now(qtbot, window).page.decision_panel
    at: QWidget = panel._figures
    at.setFocus()
    for button in (*panel.buttons, panel.undo_button):
        QTest.keyClick(at, Qt.Key.Key_Tab)
        assert button.hasFocus()
        at = button
    window.begin(hot_seat_match(scenario=brawl(1)))
    driver = Driver(qtbot, window)
    driver.wait()
    while len(driver.page.fight_panel.buttons()) < 3:
        driver.step()
        driver.wait()
    qtbot.wait(30)
    buttons = driver.page.fight_panel.buttons()
    buttons[0].setFocus()
    for before, after in pairwise(buttons):
        QTest.keyClick(before, Qt.Key.Key_Tab)
        assert after.hasFocus()


def test_the_mouse_needs_no_cursor(qtbot: QtBot, tmp_path: Path) -> None:
    """A focus that goes on by itself shows no square of the keys; Tab and the arrows do."""
    window = open_window(qtbot, tmp_path)
    page = play_now(qtbot, window).page
    board, button = page.board_view, page.decision_panel.buttons[0]

    def show_by_hiding() -> None:
        button.setFocus(Qt.FocusReason.MouseFocusReason)
        board.setFocus(Qt.FocusReason.TabFocusReason)

    show_by_hiding()
    assert board.hasFocus()
    assert board.cursor_square is None
    assert not board._cursor_item.isVisible()
    QTest.keyClick(board, Qt.Key.Key_Right)
    assert board._cursor_item.isVisible()
    board.follows_keys = False
    QTest.keyClick(button, Qt.Key.Key_Tab)
    show_by_hiding()
    assert board._cursor_item.isVisible()


def test_every_control_has_a_name(qtbot: QtBot, tmp_path: Path) -> None:
    """A screen reader finds a name on every control of start screen, board, curtain, end and replay."""
    window = open_window(qtbot, tmp_path)
    nameless = nameless_controls(window)
    window.begin(hot_seat_match(scenario=brawl(1)))
    driver = Driver(qtbot, window, 2)
    for _ in range(300):
        driver.wait()
        QApplication.processEvents()
        nameless += nameless_controls(window)
        if driver.session.is_over:
            break
        driver.step()
    assert window.end_dialog is not None
    nameless += nameless_controls(window.end_dialog)
    driver.click(window.end_dialog.replay_button)
    nameless += nameless_controls(window)
    assert nameless == []


def nameless_controls(root: QWidget) -> list[str]:
    """Return the shown controls without an accessible name."""
    found = []
    for widget in root.findChildren(QWidget):
        is_inner = widget.objectName().startswith("qt_") or "ScrollBar" in type(widget).__name__
        is_control = isinstance(widget, QAbstractButton) or type(widget).__name__.endswith(CONTROL_TYPES)
        if is_control and widget.isVisible() and not is_inner and not widget.accessibleName():
            text = widget.text() if isinstance(widget, QAbstractButton | QLabel) else ""
            if not text:
                found.append(f"{type(widget).__name__} {widget.objectName()} in {widget.parent()}")
    return found


def test_no_two_shortcuts_of_the_window_are_alike(qtbot: QtBot, tmp_path: Path) -> None:
    """With two actions of one key Qt does neither."""
    window = open_window(qtbot, tmp_path)
    driver = play_now(qtbot, window)
    enter(driver)
    QApplication.processEvents()
    keys = [one.shortcut().toString() for one in window.findChildren(QAction) if not one.shortcut().isEmpty()]
    keys += [
        one.shortcut().toString()
        for one in window.findChildren(QAbstractButton)
        if one.isVisible() and not one.shortcut().isEmpty()
    ]
    assert len(keys) == len(set(keys)), sorted(keys)


@pytest.mark.parametrize(
    ("mode", "scale"), [("contrast", 0.8), ("dark", 1.0), ("light", 2.0), ("dark", 2.5)], ids=str
)
def test_text_size_and_theme_change_at_once(qtbot: QtBot, tmp_path: Path, mode: str, scale: float) -> None:
    """Every look takes effect in the middle of a game, and nothing is cut off at 1280x720."""
    window = open_window(qtbot, tmp_path)
    driver = play_now(qtbot, window)
    window.store.set(theme=mode, text_scale=scale)
    qtbot.wait(50)
    assert theme.colors().mode == mode
    assert QApplication.font().pixelSize() == round(14 * scale)
    assert window.width() <= 1280
    assert window.height() <= 720
    page = driver.page
    assert page.rect().contains(page.decision_dock.geometry())
    screenshot(window, f"game-{mode}-{scale}", tmp_path)
    window.leave_game()
    qtbot.wait(20)
    start = window.start_page
    for button in (start.play_button, start.new_button, start.help_button, start.quit_button):
        assert start.rect().contains(button.mapTo(start, button.rect().topLeft()))
        assert start.rect().contains(button.mapTo(start, button.rect().bottomRight()))
    screenshot(window, f"start-{mode}-{scale}", tmp_path)


def test_settings_are_kept_and_kept_in_range(tmp_path: Path) -> None:
    """Settings are found again; values out of range and spoilt files do no harm."""
    path = tmp_path / "settings.json"
    store = SettingsStore(path)
    told: list[int] = []
    store.changed.connect(lambda: told.append(1))
    store.set(text_scale=9.0, theme="dark", ask_release="phases")
    store.set(theme="dark")
    assert told == [1]
    again = SettingsStore(path).now
    assert (again.text_scale, again.theme, again.ask_release) == (2.5, "dark", "phases")
    path.write_text("{ spoilt")
    assert SettingsStore(path).now == Settings()


def test_closing_in_mid_game_loses_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    """The window closes without a question; the start screen offers the game where it stood."""
    window = open_window(qtbot, tmp_path)
    driver = play_now(qtbot, window)
    enter(driver)
    revision = driver.session.revision
    window.close()
    assert not window.isVisible()
    again = open_window(qtbot, tmp_path)
    start = again.start_page
    qtbot.waitUntil(lambda: start.games.count() == 1)
    assert "Basic" in start.games.item(0).text()
    QTest.mouseClick(start.continue_button, Qt.MouseButton.LeftButton)
    other = Driver(qtbot, again)
    other.wait()
    assert other.session.revision == revision
    assert other.session.view.figure("Rising Dream").square is not None


def test_a_spoilt_game_is_listed_with_its_fault(qtbot: QtBot, tmp_path: Path) -> None:
    """A file that is no game says so in the list, cannot be opened, and stays as it is."""
    folder = tmp_path / "data" / "games"
    folder.mkdir(parents=True)
    spoilt = folder / "old.json"
    spoilt.write_text('{"format": "kungfu2100.record", "version": 1, "seed": 4}')
    window = open_window(qtbot, tmp_path)
    start = window.start_page
    qtbot.waitUntil(lambda: start.games.count() == 1)
    assert "cannot be opened" in start.games.item(0).text()
    assert not start.continue_button.isEnabled()
    start.games.itemActivated.emit(start.games.item(0))
    assert window.session is None
    assert spoilt.read_text().endswith('"seed": 4}')


def test_a_fault_is_shown_written_down_and_survived(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exception nobody caught saves the game, goes to the file of faults, and is said once."""
    from PySide6.QtWidgets import QMessageBox

    monkeypatch.setenv("KUNGFU2100_DATA", str(tmp_path))
    said: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: said.append(box.informativeText()))
    saved: list[int] = []
    reporter = ErrorReporter(lambda: saved.append(1))
    for _ in range(2):
        try:
            raise RuntimeError("the roof fell in")
        except RuntimeError as error:
            reporter._on_exception(type(error), error, error.__traceback__)
    assert len(said) == 1
    assert "the roof fell in" in said[0]
    assert saved == [1]
    assert log_file().read_text().count("RuntimeError: the roof fell in") == 2


def test_a_fault_on_a_full_disk_is_shown_all_the_same(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the game cannot be saved either, the fault is told, and that the game is not on disk."""
    monkeypatch.setattr("app.errors.write_down", lambda text: None)
    said: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: said.append(f"{box.text()} {box.informativeText()}"))

    def save() -> None:
        raise OSError(28, "No space left on device")

    reporter = ErrorReporter(save)
    error = RuntimeError("the roof fell in")
    reporter._on_exception(RuntimeError, error, None)
    assert len(said) == 1
    assert "could not be saved just now (No space left on device)" in said[0]
    assert "the roof fell in" in said[0]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only X11 can be missing")
@pytest.mark.parametrize("display", ["", ":97"])
def test_a_missing_display_is_one_line_and_exit_2(display: str) -> None:
    """Where no window can be shown the program says so in one line instead of dying in Qt."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    if display:
        environment["DISPLAY"] = display
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from app.gui import run; sys.exit(run())"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "display" in done.stderr


def test_the_first_window_needs_no_networkx_and_no_shapely() -> None:
    """What only maps and their checks need is not loaded on the way to the start screen."""
    code = (
        "import sys\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from app.main_window import MainWindow, apply_theme\n"
        "from app.settings import SettingsStore\n"
        "app = QApplication([])\n"
        "store = SettingsStore()\n"
        "apply_theme(store)\n"
        "window = MainWindow(store)\n"
        "window.show()\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'networkx', 'shapely', 'numpy'}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.strip() == "[]", done.stderr


def test_a_bots_moves_can_be_followed_and_hurried(qtbot: QtBot, tmp_path: Path) -> None:
    """With a pace the bot waits between its moves; the panel offers to pause and to go on at once."""
    window = open_window(qtbot, tmp_path)
    match = RaidMatch.new(
        brawl(1), "2", seats={"terminator": "random", "clonemaster": "random"}, path=tmp_path / "game.json"
    )
    window.store.set(pace=1500)
    window.begin(match)
    driver = Driver(qtbot, window)
    qtbot.waitUntil(lambda: bool(driver.page.decision_panel.buttons))
    before = driver.session.revision
    qtbot.wait(100)
    assert driver.session.revision <= before + 1
    QApplication.processEvents()
    driver.press("Next")
    qtbot.waitUntil(lambda: driver.session.revision > before, timeout=1000)
    window.close()


def test_animated_moves_reach_the_same_board(qtbot: QtBot, tmp_path: Path) -> None:
    """With animation on, the board ends up showing what the session knows, and goes on by itself."""
    window = open_window(qtbot, tmp_path, animation_speed=3.0)
    driver = play_now(qtbot, window)
    enter(driver)
    goal = next(square for square, choice in driver.page.seat.goals.items() if isinstance(choice, c.Move))
    driver.click_square(goal)
    qtbot.waitUntil(lambda: driver.page.board_view.figure_at(goal) == ("Rising Dream",), timeout=5000)
    assert driver.page.board_view.view is driver.session.view


def test_a_new_game_begins_with_what_the_dialog_says(qtbot: QtBot, tmp_path: Path) -> None:
    """New game: seats and names from the dialog, the game saved under the player's games."""
    from app.dialogs.new_game import NewGameDialog

    window = open_window(qtbot, tmp_path)
    QTest.mouseClick(window.start_page.new_button, Qt.MouseButton.LeftButton)
    dialog = window.findChild(NewGameDialog)
    assert dialog is not None
    assert dialog.isVisible()
    seats, names = dialog.seats, dialog.names
    dialog.accept()
    driver = Driver(qtbot, window)
    driver.wait()
    assert dict(driver.session.seats) == seats
    assert dict(driver.session.names) == names
    assert len(list((tmp_path / "data" / "games").glob("*.json"))) == 1


@pytest.fixture
def warned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what the window has warned of, answered at once."""
    said: list[str] = []
    monkeypatch.setattr(QMessageBox, "warning", lambda parent, title, text: said.append(text))
    return said


FULL = OSError(28, "No space left on device")


@pytest.mark.parametrize("failing_write", [0, 3], ids=["first", "later"])
def test_play_now_on_a_full_disk_says_so(
    qtbot: QtBot, tmp_path: Path, warned: list[str], failing_write: int
) -> None:
    """Where no game can be written, the start screen stays and the reason is told."""
    window = open_window(qtbot, tmp_path)
    with patch("engine.core.match.write_atomic", side_effect=[None] * failing_write + [FULL]):
        QTest.mouseClick(window.start_page.play_button, Qt.MouseButton.LeftButton)
    assert [text.count("No space left on device") for text in warned] == [1]
    assert window.session is None
    assert window.stack.currentWidget() is window.start_page


def test_a_new_game_on_a_full_disk_says_so(qtbot: QtBot, tmp_path: Path, warned: list[str]) -> None:
    """A new game that cannot be written leaves the game on show as it was, and the reason is told."""
    from app.dialogs.new_game import NewGameDialog

    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match())
    session = window.session
    window.new_game()
    dialog = window.findChild(NewGameDialog)
    assert dialog is not None
    with patch("engine.core.match.write_atomic", side_effect=FULL):
        dialog.accept()
    assert [text.count("No space left on device") for text in warned] == [1]
    assert window.session is session


def test_help_and_settings_open_beside_the_game(qtbot: QtBot, tmp_path: Path) -> None:
    """F1 and Ctrl+comma work wherever one is."""
    from app.dialogs.settings import SettingsDialog
    from app.help import window as help_window

    window = open_window(qtbot, tmp_path)
    play_now(qtbot, window)
    QTest.keyClick(window, Qt.Key.Key_F1)
    shown = [one for one in QApplication.topLevelWidgets() if isinstance(one, help_window.HelpWindow)]
    assert [one.isVisible() for one in shown] == [True]
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    assert dialog.isVisible()


def test_closing_the_window_closes_the_help_and_ends_the_program(tmp_path: Path) -> None:
    """An open help window does not keep the program alive, and is gone with it."""
    code = (
        "import sys\n"
        "from PySide6.QtCore import QTimer\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from app import gui\n"
        "from app.main_window import MainWindow\n"
        "app = QApplication([])\n"
        "def window():\n"
        "    return next(one for one in app.topLevelWidgets() if isinstance(one, MainWindow))\n"
        "def shown():\n"
        "    return [type(one).__name__ for one in app.topLevelWidgets() if one.isVisible()]\n"
        "def close():\n"
        "    window().show_help()\n"
        "    print(sorted(shown()))\n"
        "    QTimer.singleShot(0, window().close)\n"
        "QTimer.singleShot(0, close)\n"
        "print(gui.run(), shown())\n"
    )
    env = os.environ | {"KUNGFU2100_DATA": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines() == ["['HelpWindow', 'MainWindow']", "0 []"]


def test_garbage_is_collected_between_events_only(qtbot: QtBot, tmp_path: Path) -> None:
    """Python's collector must not take Qt's objects apart inside a paint event or in a bot's thread."""
    import gc

    window = open_window(qtbot, tmp_path)
    assert not gc.isenabled()
    cycle: list[object] = []
    cycle.append(cycle)
    watched = weakref.ref(window.start_page)
    for _ in range(1000):
        more: list[object] = []
        more.append(more)
    with qtbot.waitSignal(window._collector._timer.timeout, timeout=2000):
        pass
    assert gc.get_count()[0] < 900
    assert watched() is window.start_page
    window.close()
    assert gc.isenabled()


def test_the_first_window_fits_the_screen_with_its_frame(qtbot: QtBot, tmp_path: Path) -> None:
    """On 1280x720 the title bar and the foot of the window stay on the screen."""
    window = MainWindow(SettingsStore(tmp_path / "settings.json"))
    qtbot.addWidget(window)
    with patch.object(QScreen, "availableGeometry", return_value=QRect(0, 0, 1280, 720)):
        size = window._first_size()
    assert size.width() < 1280
    assert size.height() <= 720 - 40
    assert window.minimumSizeHint().height() <= size.height()


def test_the_window_has_an_icon_and_says_what_it_is(qtbot: QtBot, tmp_path: Path) -> None:
    """A counter's back as icon; Help, About tells version and licence, the version of the package."""
    window = open_window(qtbot, tmp_path)
    qtbot.waitUntil(lambda: not window.windowIcon().isNull())
    next(one for one in window.findChildren(QAction) if one.text() == "&About").trigger()
    (box,) = window.findChildren(QMessageBox)
    assert box.isVisible()
    packaged = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert packaged["version"] in box.text()
    assert packaged["license"] in box.informativeText()
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert not box.isVisible()
