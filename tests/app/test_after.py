"""After a game: the page that tells what happened, and its ways into the replay."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pyqtgraph as pg
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import theme
from app.after import words
from app.after.page import AfterPage
from app.after.plots import StandingPlot
from app.dialogs.end import EndDialog, PointsTile, left_words
from app.main_window import MainWindow
from engine.core.numbers import signed
from engine.core.record import load_record
from engine.raid.chronicle import Luck, chronicle
from engine.raid.match import RaidReplay
from engine.raid.scenario import Points
from tests.helpers.gui import Driver, all_texts, nearly_over, open_window, screenshot

RECORD = Path(__file__).parents[1] / "records" / "clonemaster-victory.json"
MODES = [("light", 1.0), ("dark", 1.0), ("contrast", 1.0), ("light", 2.0)]


def replayed(qtbot: QtBot, tmp_path: Path, **settings: Any) -> MainWindow:
    """Return a window with the replay of a kept game."""
    window = open_window(qtbot, tmp_path, **settings)
    window.open_replay(RECORD)
    return window


def after_page(window: MainWindow) -> AfterPage:
    """Return the page that tells what happened."""
    page = window.after_page
    assert page is not None
    assert window.stack.currentWidget() is page
    return page


def told(qtbot: QtBot, tmp_path: Path, **settings: Any) -> tuple[MainWindow, AfterPage]:
    """Return a window with what happened in a kept game."""
    window = replayed(qtbot, tmp_path, **settings)
    assert window.replay_page is not None
    QTest.mouseClick(window.replay_page.after_button, Qt.MouseButton.LeftButton)
    return window, after_page(window)


def test_the_end_leads_to_what_happened_and_on_to_a_turning_point_by_keys(
    qtbot: QtBot, tmp_path: Path
) -> None:
    """Return at the end, Down and Return in the list: the replay stands there; leaving it leads back."""
    window = open_window(qtbot, tmp_path)
    window.begin(nearly_over(turns=2, seed="2"))
    Driver(qtbot, window, 2).play()
    dialog = window.end_dialog
    assert dialog is not None
    assert dialog.after_button.isDefault()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    page = after_page(window)
    assert page.points.hasFocus()
    assert page.points.count() > 1
    QTest.keyClick(page.points, Qt.Key.Key_Down)
    QTest.keyClick(page.points, Qt.Key.Key_Return)
    replay = window.replay_page
    assert replay is not None
    assert window.stack.currentWidget() is replay
    assert replay.replay.position == page.told.turning_points[1].position > 0
    QTest.mouseClick(replay.leave_button, Qt.MouseButton.LeftButton)
    assert after_page(window) is page
    assert page.points.hasFocus()
    QTest.mouseClick(page.leave_button, Qt.MouseButton.LeftButton)
    assert window.stack.currentWidget() is window.page


def test_the_button_shows_the_selected_moment(qtbot: QtBot, tmp_path: Path) -> None:
    """Without a double click: select, press the button; from a replay it is the same replay that moves."""
    window, page = told(qtbot, tmp_path)
    replay = window.replay_page
    page.points.setCurrentRow(3)
    QTest.mouseClick(page.moment_button, Qt.MouseButton.LeftButton)
    assert window.replay_page is replay
    assert replay is not None
    assert replay.replay.position == page.told.turning_points[3].position
    QTest.mouseClick(replay.after_button, Qt.MouseButton.LeftButton)
    QTest.mouseClick(after_page(window).leave_button, Qt.MouseButton.LeftButton)
    assert window.stack.currentWidget() is replay


def test_what_plots_show_is_said_in_words(qtbot: QtBot, tmp_path: Path) -> None:
    """Luck and standing stand in sentences on the page and in the plots' descriptions."""
    _, page = told(qtbot, tmp_path)
    texts = " ".join(all_texts([page]).values())
    luck = page.told.total("terminator")
    assert f"hit {luck.hits} times with {luck.dice} dice" in texts
    assert words.standing_words(page.told) in texts
    for plot in (page.standing_plot, page.luck_plot):
        assert plot.accessibleName()
        assert plot.accessibleDescription()
        assert plot.accessibleDescription().split(". ")[0] in texts


def test_record_sheets_are_read_cell_by_cell(qtbot: QtBot, tmp_path: Path) -> None:
    """The arrows move through the table; below it stands in full what the letters of a cell mean."""
    _, page = told(qtbot, tmp_path)
    page.tabs.setCurrentIndex(2)
    table = page.sheet_table
    table.setFocus()
    assert page.sheet_words.text().startswith("Rising Dream began with Iron Fist 2")
    for _turn in range(5):
        QTest.keyClick(table, Qt.Key.Key_Right)
    assert "Rising Dream at the end of turn 5: unconscious" in page.sheet_words.text()
    assert "fell unconscious" in page.sheet_words.text()
    figures = [sheet.figure for sheet in page.told.sheets]
    row = figures.index("J-3")
    cells = [table.item(row, column) for column in (1, 4, 5)]
    assert [cell.text() for cell in cells if cell is not None] == ["face down", "killed", "–"]


@pytest.mark.parametrize(("mode", "scale"), MODES, ids=str)
def test_nothing_is_cut_off(qtbot: QtBot, tmp_path: Path, mode: str, scale: float) -> None:
    """At 1280x720 every tab fits in every look, buttons whole; what is long scrolls."""
    window, page = told(qtbot, tmp_path, theme=mode, text_scale=scale)
    for number in range(page.tabs.count()):
        page.tabs.setCurrentIndex(number)
        QApplication.processEvents()
        assert window.height() == 720
        for button in (page.replay_button, page.leave_button):
            assert button.height() >= button.sizeHint().height()
            assert page.rect().contains(button.geometry())
        screenshot(window, f"after-{number}-{mode}-{scale:.0f}", tmp_path)
    for row in range(page.points.count()):
        item = page.points.item(row)
        assert page.points.visualItemRect(item).width() <= page.points.viewport().width()


def test_plots_follow_the_look(qtbot: QtBot, tmp_path: Path) -> None:
    """A change of colours and text size while the page is shown redraws them."""
    window, page = told(qtbot, tmp_path)
    before = page.standing_plot.minimumSizeHint().height()
    window.store.set(theme="contrast", text_scale=1.5)
    QApplication.processEvents()
    picture = page.standing_plot.grab().toImage()
    assert picture.pixelColor(picture.width() - 3, 3) == theme.colors().field
    assert page.standing_plot.minimumSizeHint().height() > before


def test_a_finished_game_alone_tells_what_happened(qtbot: QtBot, tmp_path: Path) -> None:
    """The replay of a game under way has no such button: its secrets are closed."""
    from app.replay.page import ReplayPage
    from app.settings import SettingsStore

    record = load_record(RECORD)
    page = ReplayPage(RaidReplay.of(record.cut(300)), SettingsStore(tmp_path / "settings.json"))
    qtbot.addWidget(page)
    assert page.after_button.isHidden()


def test_points_of_both_sides_and_a_draw(qtbot: QtBot, tmp_path: Path) -> None:
    """6.3, R31: where the scenario scores, the end shows what either side has; a draw has no winner."""
    nothing = Points(clonemaster=0, equipment=0, everything=0, jelly=0, killed=0, captured=0)
    for points, headline in ((nothing, "A draw"), (Points(), "CloneMaster")):
        window = open_window(qtbot, tmp_path)
        window.begin(nearly_over(seed="3", points=points))
        driver = Driver(qtbot, window, 3)
        driver.play()
        dialog = window.end_dialog
        assert isinstance(dialog, EndDialog)
        view = driver.session.view
        tiles = dialog.findChildren(PointsTile)
        assert {tile.side: tile.points for tile in tiles} == view.outcome.points
        winners = [tile.side for tile in tiles if tile.is_winner]
        assert winners == [view.outcome.winner] * (headline != "A draw")
        texts = " ".join(all_texts([dialog]).values())
        assert headline in texts
        assert "captured" in left_words(view)[0]
        screenshot(dialog, f"end-{headline.split()[-1].lower()}", tmp_path)
        window.store.set(text_scale=2.0)
        assert dialog.minimumSizeHint().width() <= 1280
        assert dialog.minimumSizeHint().height() <= 720
        window.store.set(text_scale=1.0)
        window.leave_game()


def test_luck_in_words() -> None:
    """Counts and rarity are spoken as a person would."""
    row = Luck("terminator", "all", 62, 31, 27.4, 3.6, 0.223)
    assert words.luck_words(row) == (
        "The Terminators hit 31 times with 62 dice, where 27.4 hits were to be expected; "
        "such luck or more, good or bad, comes in 22 of 100 games."
    )
    assert words.in_games(0.002) == "fewer than 1 of 100 games"
    assert words.in_games(1.0) == "nearly all games"
    assert (
        words.luck_words(Luck("clonemaster", "all", 0, 0, 0, 0, 1))
        == "The CloneMaster's side rolled no dice."
    )
    assert signed(-0.04) == "0.0"
    assert signed(-1.26) == "−1.3"


def test_standing_in_words() -> None:
    """The best moments of either side are named by turn and phase."""
    said = words.standing_words(chronicle(RaidReplay.of(load_record(RECORD))))
    assert said.startswith("The Terminators stood best in turn 9, Terminator Move II (+0.21)")


def test_no_number_of_a_turning_point_is_cut_at_the_edge(qtbot: QtBot) -> None:
    """A game that stood as high or as low as can be: the number goes to the inner side of its mark."""
    whole = chronicle(RaidReplay.of(load_record(RECORD)))
    for value in (1.0, -1.0):
        at = {point.position for point in whole.turning_points}
        course = tuple(one._replace(value=value if one.position in at else 0.0) for one in whole.standing)
        plot = StandingPlot(whole._replace(standing=course), "How the sides stood", "")
        qtbot.addWidget(plot)
        plot.resize(plot.minimumSizeHint())
        plot.show()
        QApplication.processEvents()
        numbers = [one for one in plot._item.items if isinstance(one, pg.TextItem)]
        assert len(numbers) == len(whole.turning_points) > 0
        room = plot._item.getViewBox().sceneBoundingRect()
        for number in numbers:
            box = number.mapRectToScene(number.boundingRect())
            assert room.top() <= box.top(), value
            assert box.bottom() <= room.bottom(), value


def test_only_marks_that_are_there_are_explained(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without turning points nothing is said of triangles; with them it is."""
    replay = RaidReplay.of(load_record(RECORD))
    whole = chronicle(replay)
    for points in (whole.turning_points, ()):
        monkeypatch.setattr(
            "app.after.page.chronicle", lambda _, points=points: whole._replace(turning_points=points)
        )
        page = AfterPage(replay)
        qtbot.addWidget(page)
        assert any("triangle" in text for text in all_texts([page]).values()) == bool(points)


def test_escape_leaves_what_happened_as_it_leaves_a_dialog(qtbot: QtBot, tmp_path: Path) -> None:
    """Esc goes back to the replay that it was opened from."""
    window, page = told(qtbot, tmp_path)
    window.activateWindow()
    QTest.qWaitForWindowActive(window)
    QTest.keyClick(page.points, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.stack.currentWidget() is window.replay_page)


def test_the_plotting_library_is_not_loaded_at_start() -> None:
    """Neither the window nor what happened in words loads it or numpy: only the page does."""
    code = (
        "import sys, app.main_window, app.after.words, engine.raid.chronicle\n"
        "print([one for one in ('pyqtgraph', 'numpy', 'scipy') if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
