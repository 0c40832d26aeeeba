"""The way into the editor: from the start screen, the menu and the command line, and out of it."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import gui, theme
from app.cli import main
from app.dialogs.settings import SettingsDialog
from app.main_window import MainWindow
from editor.dialogs.choose import ChoiceDialog
from editor.draft import Draft, format_draft
from editor.templates import small_house
from editor.window import IN_PLAYTEST, EditorWindow
from engine.raid.scenario import load_scenario
from tests.helpers.editor import let_go
from tests.helpers.gui import open_window


@pytest.fixture
def game(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """Show the game's window."""
    return open_window(qtbot, tmp_path)


def editor_of(window: MainWindow) -> EditorWindow:
    """Return the editor that a window has opened."""
    found = window.editing.window
    assert found is not None
    return found


def saved_house(tmp_path: Path) -> Path:
    """Return the file of a small house."""
    path = tmp_path / "house.json"
    path.write_bytes(format_draft(Draft(small_house())))
    return path


def test_the_start_screen_opens_the_editor(game: MainWindow) -> None:
    """One press; another brings the same window forward, and after closing a new one comes."""
    QTest.mouseClick(game.start_page.draw_button, Qt.MouseButton.LeftButton)
    first = editor_of(game)
    assert first.isVisible()
    game.draw()
    assert editor_of(game) is first
    assert first.close()
    assert game.editing.window is None
    game.draw()
    assert editor_of(game) is not first
    assert editor_of(game).close()


def test_text_size_follows_the_settings_in_both_windows(game: MainWindow) -> None:
    """Larger text in the editor is larger text in the game."""
    game.draw()
    window = editor_of(game)
    height = window.toolbox.buttons["select"].sizeHint().height()
    window.named_actions["text-larger"].trigger()
    window.named_actions["text-larger"].trigger()
    assert game.store.now.text_scale == pytest.approx(1.21)
    assert window.toolbox.buttons["select"].sizeHint().height() > height
    window.named_actions["text-normal"].trigger()
    assert game.store.now.text_scale == 1.0
    assert window.close()


def test_the_settings_open_from_the_editor(game: MainWindow) -> None:
    """Ctrl+, changes theme and size of the text where one draws, in a playtest too."""
    game.draw()
    window = editor_of(game)
    assert window.named_actions.key_of("settings") == "Ctrl+,"
    window.named_actions["settings"].trigger()
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    assert dialog.isVisible()
    dialog.theme.setCurrentIndex(dialog.theme.findData("dark"))
    assert theme.colors().mode == "dark"
    dialog.close()
    assert "settings" in IN_PLAYTEST
    assert window.close()


def test_quitting_asks_about_unsaved_drafts_first(game: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cancel in the editor keeps both windows open."""
    game.draw()
    window = editor_of(game)
    window.document.apply("Draw", Draft(small_house()))
    monkeypatch.setattr(ChoiceDialog, "exec", lambda _: 0)
    game.quit()
    assert game.isVisible()
    assert window.isVisible()
    let_go(window)
    game.quit()
    assert not game.isVisible()
    assert not window.isVisible()


def test_the_editor_shows_the_start_screen(game: MainWindow) -> None:
    """Ctrl+L in the editor brings the game's window forward; the editor stays as it is."""
    game.draw()
    window = editor_of(game)
    game.hide()
    window.named_actions["start-screen"].trigger()
    assert game.isVisible()
    assert window.isVisible()
    assert window.close()


def test_shipped_names_open_without_a_file(game: MainWindow) -> None:
    """What is opened by a name cannot be written over what ships."""
    window = game.editing.open("basic")
    assert window.document.draft.scenario == load_scenario("basic")
    assert window.document.path is None
    assert not window.document.is_modified
    assert window.close()


def test_a_file_dropped_onto_the_editor_is_opened(game: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """As the Open action would do it."""
    path = saved_house(tmp_path)
    game.draw()
    window = editor_of(game)
    carried = QMimeData()
    carried.setUrls([QUrl.fromLocalFile(str(path))])
    action, button, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPointF(5, 5).toPoint(), action, carried, button, keys)
    QApplication.sendEvent(window, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(5, 5), action, carried, button, keys))
    qtbot.waitUntil(lambda: window.document.path == path)
    assert window.close()


def test_garbage_is_collected_safely_until_the_last_window_goes(game: MainWindow) -> None:
    """The editor goes, and the game's window still keeps Python from collecting in the midst of events."""
    game.draw()
    assert editor_of(game).close()
    assert not gc.isenabled()
    game.close()
    assert gc.isenabled()


# The command line


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("gone.json", None),
        ("broken.json", b'{"format": "kungfu2100.map", '),
        ("game.json", b'{"format": "kungfu2100.record", "version": 1}'),
        ("picture.json", b"\x89PNG\r\n"),
        ("other.json", b'{"format": "other"}'),
    ],
)
def test_a_bad_file_is_one_clear_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    raw: bytes | None,
) -> None:
    """`kungfu2100 edit FILE` says what is wrong with the file, shows no window and ends with 2."""
    path = tmp_path / name
    if raw is not None:
        path.write_bytes(raw)
    monkeypatch.setattr(gui, "edit", lambda _name: pytest.fail("a window was opened"))
    assert main(["edit", str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert name in said.err


def test_the_command_line_opens_the_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a file, with one, and with a shipped name."""
    asked: list[str | None] = []

    def edit(name: str | None = None) -> int:
        asked.append(name)
        return 0

    monkeypatch.setattr(gui, "edit", edit)
    path = saved_house(tmp_path)
    assert [main(["edit"]), main(["edit", str(path)]), main(["edit", "Tea-House"])] == [0, 0, 0]
    assert asked == [None, str(path), "Tea-House"]


def test_edit_says_when_there_is_no_display(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Qt would end the process; one line is told instead."""
    monkeypatch.setattr(gui, "missing_display", lambda: "kungfu2100: no display")
    assert gui.edit() == 2
    assert capsys.readouterr().err == "kungfu2100: no display\n"
