"""A game taken out of the program: log, position and choices as text, the board as a picture, no secrets."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from app import exports, games, theme
from app.board.picture import board_image, picture_size
from app.dialogs.export import FORMS, ExportDialog
from app.dialogs.saved_games import SavedGamesDialog
from app.folders import games_folder
from app.game_files import FINISHED
from app.main_window import MainWindow
from app.panels.widgets import ActionButton
from engine.core.record import format_record, load_record
from engine.raid.log import describe
from engine.raid.match import RaidMatch, RaidReplay
from engine.raid.notation import parse_game
from tests.helpers.gui import all_texts, hot_seat_match, leaks, open_window, screenshot

RECORDS = Path(__file__).parents[1] / "records"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test a folder of games of its own, the one that its window looks into."""
    monkeypatch.setenv("KUNGFU2100_DATA", str(tmp_path / "data"))


def begun(seats: dict[str, str], length: int = 60) -> RaidMatch:
    """Return a game in the middle, its counters placed, with these seats."""
    record = load_record(RECORDS / "random.json").cut(length)
    return RaidMatch.from_record(msgspec.structs.replace(record, seats=seats, names={"terminator": "Ann"}))


def hidden_names(match: RaidMatch) -> list[str]:
    """Return the names that only the CloneMaster player knows."""
    figures = match.view("clonemaster").figures
    # "CloneMaster" is what his player is called, too.
    return [one.name for one in figures if not one.is_face_up and one.name != "CloneMaster"]


def opened(window: MainWindow) -> ExportDialog:
    """Open the dialog by its key."""
    window.activateWindow()
    QTest.qWaitForWindowActive(window)
    QTest.keyClick(window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    QApplication.processEvents()
    dialog = window.findChild(ExportDialog)
    assert dialog is not None
    return dialog


def test_at_a_shared_screen_only_public_knowledge_leaves(qtbot: QtBot, tmp_path: Path) -> None:
    """A hot seat under way: all forms hold what both know, and the dialog says so."""
    match = begun({"terminator": "human", "clonemaster": "human"})
    hidden = hidden_names(match)
    assert len(hidden) > 10
    window = open_window(qtbot, tmp_path)
    window.begin(match)
    assert window.curtain is not None
    for _ in range(2):
        dialog = opened(window)
        assert dialog.shared.isVisible()
        assert "only what both sides know" in dialog.shared.text()
        assert dialog.export.view == match.view("public")
        for form, _ in FORMS:
            dialog.choose(form)
            assert leaks(hidden, all_texts([dialog])) == []
        dialog.choose("notation")
        assert "when the game is over" in dialog.words.text()
        assert not dialog.save_button.isEnabled()
        screenshot(dialog, "export-shared", tmp_path)
        dialog.reject()
        dialog.deleteLater()
        QApplication.sendPostedEvents(None, 52)
        QTest.mouseClick(window.curtain.button, Qt.MouseButton.LeftButton)


def test_alone_against_a_bot_the_own_knowledge_leaves(qtbot: QtBot, tmp_path: Path) -> None:
    """One person at the screen exports what his side knows, and no more."""
    match = begun({"terminator": "human", "clonemaster": "rulebook"})
    window = open_window(qtbot, tmp_path, pace=3000)
    window.begin(match)
    dialog = opened(window)
    assert not dialog.shared.isVisible()
    position = dialog.export.text("position")
    assert "fist" in position
    texts = {"position": position, "log": dialog.export.text("log")}
    assert leaks(hidden_names(match), texts) == []
    own = [describe(event) for event in match.events("terminator")]
    assert all(line in texts["log"] for line in own)
    with pytest.raises(ValueError, match="when the game is over"):
        dialog.export.text("notation")


def test_after_the_end_everything_leaves() -> None:
    """A finished game: the log with what was secret, and the choices, which read back as the same game."""
    record = load_record(RECORDS / "random.json")
    export = exports.of_end(RaidReplay.of(record))
    assert parse_game(export.text("notation")) == record
    assert "is placed at" in export.text("log")
    assert "everything open" in export.text("position")
    assert export.why_not("notation") == ""


def test_the_file_of_a_finished_game_leaves_from_wherever_it_is_seen(tmp_path: Path) -> None:
    """All is open after the end, so the file is no secret; while a game goes on it stays one."""
    record = load_record(RECORDS / "random.json")
    for export in (exports.of_end(RaidReplay.of(record)), exports.of_replay(RaidReplay.of(record), "public")):
        assert export.why_not("file") == ""
        export.save("file", tmp_path / "game.json")
        assert load_record(tmp_path / "game.json") == record
    under_way = exports.of_end(RaidReplay.of(record.cut(60)))
    assert "secret" in under_way.why_not("file")
    with pytest.raises(ValueError, match="secret"):
        under_way.save("file", tmp_path / "other.json")
    assert not (tmp_path / "other.json").exists()


def test_a_replay_is_exported_as_it_is_seen(qtbot: QtBot, tmp_path: Path) -> None:
    """From a replay go the position shown and the log up to it, with the eyes chosen there."""
    window = open_window(qtbot, tmp_path)
    window.open_replay(RECORDS / "random.json")
    page = window.replay_page
    assert page is not None
    page.jump(60)
    page.play_button.click()
    was_playing = page.is_playing
    QTest.keyClick(window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert (was_playing, page.is_playing) == (True, False), "it would run on behind the dialog"
    first = window.findChild(ExportDialog)
    assert first is not None
    first.reject()
    first.deleteLater()
    QApplication.sendPostedEvents(None, 52)
    page.jump(60)
    page.eyes.setCurrentIndex(page.eyes.findData("terminator"))
    dialog = opened(window)
    assert dialog.export.view == page.replay.view("terminator")
    assert dialog.export.events == page.replay.events("terminator")
    assert dialog.export.record is not None


def test_nothing_to_export_on_the_start_screen(qtbot: QtBot, tmp_path: Path) -> None:
    """Where no game is on show the menu's entry is grey."""
    window = open_window(qtbot, tmp_path)
    assert not window.menus.export_action.isEnabled()
    window.begin(hot_seat_match(games.new_path("Now")))
    assert window.menus.export_action.isEnabled()
    window.leave_game()
    assert not window.menus.export_action.isEnabled()


def test_texts_are_copied_and_saved_as_shown(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copy and Save as… give just what the dialog shows, in UTF-8; a suffix left out is added."""
    export = exports.of_end(RaidReplay.of(load_record(RECORDS / "random.json")))
    dialog = ExportDialog(export)
    qtbot.addWidget(dialog)
    with qtbot.waitActive(dialog):
        dialog.show()
        dialog.activateWindow()
    for form in exports.TEXTS:
        dialog.choose(form)
        QTest.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
        assert QGuiApplication.clipboard().text() == export.text(form)
        assert dialog.text.toPlainText() == export.text(form)
        target = tmp_path / f"my {form}"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args, at=target: (str(at), ""))
        QTest.keyClick(dialog, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: dialog.said.text().startswith("Saved"))
        assert target.with_suffix(".txt").read_bytes().decode() == export.text(form)


def test_a_place_that_cannot_be_written_is_told(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that is not there: one line why, and the dialog stays."""
    dialog = ExportDialog(exports.of_end(RaidReplay.of(load_record(RECORDS / "random.json"))))
    qtbot.addWidget(dialog)
    dialog.show()
    told: list[str] = []
    monkeypatch.setattr(QMessageBox, "warning", lambda *args: told.append(args[2]))
    for form, _ in FORMS[:5]:
        dialog.choose(form)
        dialog.save_to(tmp_path / "nowhere" / "x")
    assert len(told) == 5
    assert all("No such file" in one for one in told)
    assert list(tmp_path.glob("**/*.svg")) == []


def test_pictures_hold_the_whole_board(qtbot: QtBot, tmp_path: Path) -> None:
    """PNG and SVG show the position, the latter as lines: both have the same picture."""
    replay = RaidReplay.of(load_record(RECORDS / "random.json"))
    replay.go(60)
    export = exports.of_replay(replay, "public")
    png, svg = tmp_path / "board.png", tmp_path / "board.svg"
    export.save("png", png)
    export.save("svg", svg)
    drawn = QImage(str(png))
    assert drawn.size() == picture_size(export.plan, exports.PIXELS)
    assert b"<image" not in svg.read_bytes()
    renderer = QSvgRenderer(str(svg))
    assert renderer.isValid()
    assert renderer.viewBox().size() == drawn.size()
    # A counter face down is there in the CloneMaster's colour, and nothing says which it is.
    x, y = export.view.face_down[0]
    near = [drawn.pixelColor(int((x + 1.1 + at / 10) * 48), int((y + 1.1 + 0.2) * 48)) for at in range(2, 9)]
    ground = theme.colors().side("clonemaster")
    assert any(_is_like(one, ground) for one in near)
    assert leaks(["Servant", "Technician"], {"svg": svg.read_text(encoding="utf-8")}) == []


def _is_like(one: QColor, other: QColor) -> bool:
    apart = (one.red() - other.red(), one.green() - other.green(), one.blue() - other.blue())
    return all(abs(part) < 40 for part in apart)


def test_a_small_picture_has_chips_for_counters(qapp: QApplication) -> None:
    """Pictures of a list show each side's counters as chips of its colour, where nothing more can be seen."""
    replay = RaidReplay.of(load_record(RECORDS / "random.json"))
    replay.go(250)
    view, plan = replay.view("public"), replay.board.plan
    image = board_image(plan, view, 6)
    figure = next(one for one in view.figures if one.side == "terminator" and one.square and one.is_conscious)
    assert figure.square is not None
    x, y = figure.square
    colour = image.pixelColor(int((x + 1.1 + 0.5) * 6), int((y + 1.1 + 0.5) * 6))
    assert _is_like(colour, theme.colors().side("terminator"))


def test_export_from_the_saved_games(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A saved game leaves as its own file, byte for byte, or in any other form that may."""
    folder = games_folder() / FINISHED
    folder.mkdir()
    path = folder / "mine.json"
    path.write_bytes(format_record(load_record(RECORDS / "random.json")))
    window = open_window(qtbot, tmp_path)
    saved = window.show_saved_games()
    assert isinstance(saved, SavedGamesDialog)
    qtbot.waitUntil(lambda: not saved._idle.isActive(), timeout=20000)
    QTest.mouseClick(saved.export_button, Qt.MouseButton.LeftButton)
    dialog = saved.findChild(ExportDialog)
    assert dialog is not None
    assert dialog.form == "file"
    target = tmp_path / "copy.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(target), ""))
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    assert target.read_bytes() == path.read_bytes()
    dialog.choose("notation")
    assert parse_game(dialog.text.toPlainText()) == load_record(path)


def test_no_form_is_written_over_a_saved_game(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game's file named by mistake as where to save a text or picture: refused, and the game stays."""
    folder = games_folder() / FINISHED
    folder.mkdir()
    path = folder / "mine.json"
    path.write_bytes(format_record(load_record(RECORDS / "random.json")))
    before = path.read_bytes()
    dialog = ExportDialog(exports.of_end(RaidReplay.of(load_record(path)), path))
    qtbot.addWidget(dialog)
    told: list[str] = []
    monkeypatch.setattr(QMessageBox, "warning", lambda *args: told.append(args[2]))
    for form, _ in FORMS:
        dialog.choose(form)
        dialog.save_to(path)
        assert path.read_bytes() == before
    assert ["another game is there" in one for one in told] == [True] * len(FORMS)
    dialog.choose("log")
    dialog.save_to(folder / "mine.txt")
    dialog.save_to(folder / "mine.txt")
    assert len(told) == len(FORMS)


def test_each_button_shows_the_key_that_presses_it(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No letter is underlined in vain: Copy, Save and Close act by what stands on them."""
    window = open_window(qtbot, tmp_path)
    window.begin(begun({"terminator": "human", "clonemaster": "human"}))
    dialog = opened(window)
    buttons = dialog.findChildren(ActionButton)
    assert not any("&" in button.text() for button in buttons)
    target = tmp_path / "log.txt"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(target), ""))
    said: list[str] = []
    for button in (dialog.copy_button, dialog.save_button):
        QTest.keySequence(dialog, button.shortcut())
        qtbot.waitUntil(lambda: dialog.said.text() not in ("", *said))
        said.append(dialog.said.text())
    assert said == ["Copied.", f"Saved as {target}."]
    with qtbot.waitSignal(dialog.finished):
        QTest.keySequence(dialog, dialog.close_button.shortcut())


@pytest.mark.parametrize(("mode", "scale"), [("light", 1.0), ("dark", 2.0), ("contrast", 2.0)], ids=str)
def test_nothing_is_clipped(qtbot: QtBot, tmp_path: Path, mode: str, scale: float) -> None:
    """In every look, at normal and double text, all buttons are whole inside 1280x720."""
    window = open_window(qtbot, tmp_path)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme.apply(app, mode, scale)
    window.begin(begun({"terminator": "human", "clonemaster": "human"}))
    dialog = opened(window)
    dialog.resize(round(1280 * 0.92), round(720 * 0.92))
    for form in ("log", "position", "png", "notation"):
        dialog.choose(form)
        QApplication.processEvents()
        screenshot(dialog, f"export-{form}-{mode}-{scale:.0f}", tmp_path)
        assert dialog.height() <= 720
        for button in dialog.findChildren(QAbstractButton):
            if button.isVisible() and button.text():
                assert button.width() >= button.sizeHint().width(), button.text()
                assert dialog.rect().contains(button.geometry()), button.text()
