"""Files in the whole window: a killed editor comes back, reloads keep the view, playtests touch nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import run
from app import theme
from app.editing import Editing
from app.settings import SettingsStore
from editor.dialogs.choose import ChoiceDialog
from editor.dialogs.differences import DifferencesDialog
from editor.dialogs.recovered import RecoveredDialog
from editor.draft import Draft
from editor.files.opening import open_file
from editor.files.saving import save_draft
from editor.host import Playtest
from editor.selection import Selection
from editor.window import EditorWindow
from engine.raid.scenario import Scenario, format_scenario, load_scenario
from tests.editor.test_files_recovery import kept_by_a_dead_session
from tests.helpers.gui import screenshot
from tests.helpers.plans import drawn

HOUSE = Draft(drawn("AAAAAA AAAAAA BBBBBB BBBBBB", "door 1,1 S", entries="0,0 N"))


def named(name: str) -> Draft:
    """Return HOUSE under another name."""
    return HOUSE.with_plan(replace(HOUSE.plan, name=name))


Open = Callable[..., EditorWindow]


@pytest.fixture
def open_it(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Return what opens the editor with folders of the test's own; closes it in the end, asking nothing."""
    monkeypatch.setenv("KUNGFU2100_DATA", str(tmp_path / "data"))
    windows: list[EditorWindow] = []

    def opened(path: Path | None = None, mode: str = "light") -> EditorWindow:
        if theme.colors().mode != mode or not QApplication.instance().styleSheet():  # type: ignore[union-attr]
            theme.apply(QApplication.instance(), mode, 1.0)  # type: ignore[arg-type]
        editing = Editing(SettingsStore(tmp_path / "settings.json"), lambda: None)
        window = editing.open(str(path) if path is not None else None)
        editing.setParent(window)
        windows.append(window)
        vars(qtbot).setdefault("windows", []).append(window)
        qtbot.waitExposed(window)
        return window

    yield opened
    for window in windows:
        window.files.document.stack.setClean()
        window.close()
    if theme.colors().mode != "light":
        theme.apply(QApplication.instance(), "light", 1.0)  # type: ignore[arg-type]


_EDITOR = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from msgspec.structs import replace
app = QApplication([])
from app.editing import Editing
from app.settings import SettingsStore
editing = Editing(SettingsStore(), app.quit)
window = editing.open(sys.argv[1])
document = window.document
for name in ("first", "second"):
    plan = document.draft.plan
    document.apply("Rename", document.draft.with_plan(replace(plan, name=name, notes=name)))
window.files.keep_now()
QTimer.singleShot(300, lambda: print("drawn", flush=True))
app.exec()
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_killed_editor_offers_its_work_at_the_next_start(
    open_it: Open, tmp_path: Path, qtbot: QtBot
) -> None:
    """The program is killed after edits; started again it offers them, and goes on with them."""
    path = tmp_path / "house.json"
    raw = save_draft(HOUSE, path).raw
    root = str(Path(run.__file__).parent)
    with subprocess.Popen(
        [sys.executable, "-c", _EDITOR, str(path)],
        env={**os.environ, "PYTHONPATH": root, "KUNGFU2100_DATA": str(tmp_path / "data")},
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    assert said == b"drawn\n"
    assert path.read_bytes() == raw
    seen: list[str] = []

    def accept() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, RecoveredDialog):
            QTimer.singleShot(50, accept)
            return
        seen.append(dialog.list.item(0).text())
        dialog.open_button.click()

    QTimer.singleShot(50, accept)
    window = open_it()
    qtbot.waitUntil(lambda: window.document.is_modified, timeout=10_000)
    assert "2 differences from its file" in seen[0]
    assert "6 × 4 squares" in seen[0]
    assert window.document.draft.name == "second"
    assert window.document.path == path
    assert path.read_bytes() == raw
    assert window.files.save()
    assert open_file(path).draft.name == "second"


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_file_that_brought_the_program_down_leads_to_an_empty_map(open_it: Open, tmp_path: Path) -> None:
    """Started with the file that it died on, the editor asks before it opens it again."""
    path = tmp_path / "house.json"
    save_draft(HOUSE, path)
    folder = tmp_path / "data" / "recovery"
    folder.mkdir(parents=True)
    (folder / "dead.opening").write_bytes(str(path).encode())
    asked: list[str] = []

    def refuse() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, ChoiceDialog):
            QTimer.singleShot(50, refuse)
            return
        asked.append(dialog.windowTitle())
        dialog.reject()

    QTimer.singleShot(50, refuse)
    window = open_it(path)
    assert asked == ["Open it again?"]
    assert window.document.path is None


def test_unsaved_work_is_offered_after_what_is_asked_already(
    open_it: Open, tmp_path: Path, qtbot: QtBot
) -> None:
    """Started with a scenario whose map is missing, the editor first mends that."""
    path = tmp_path / "raid.json"
    save_draft(Draft(HOUSE.plan, Scenario(name="raid", map="gone.json")), path)
    kept_by_a_dead_session(tmp_path / "data" / "recovery", named("unsaved"))
    seen: list[str] = []

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, ChoiceDialog) and not seen:
            seen.append("map")
            QTimer.singleShot(600, dialog.buttons[-1].click)
            QTimer.singleShot(700, answer)
        elif isinstance(dialog, RecoveredDialog):
            seen.append("unsaved")
            dialog.open_button.click()
        else:
            QTimer.singleShot(50, answer)

    QTimer.singleShot(50, answer)
    window = open_it(path)
    assert seen == ["map"]
    assert window.document.path == path
    qtbot.waitUntil(lambda: window.document.draft.name == "unsaved")
    assert seen == ["map", "unsaved"]
    assert window.document.path is None


@pytest.mark.skipif(sys.platform != "linux", reason="names of bytes")
def test_a_file_whose_name_is_no_text_opens_and_is_saved(open_it: Open, tmp_path: Path) -> None:
    """Disks hold names that no text can: nothing that keeps names stumbles over them."""
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/odd\xff.json"))
    save_draft(HOUSE, path)
    window = open_it(path)
    assert window.document.path == path
    window.document.apply("Rename", named("mine"))
    window.files.keep_now()
    assert window.files.save()
    assert open_file(path).draft.name == "mine"


def test_a_reload_keeps_view_selection_and_history(open_it: Open, tmp_path: Path, qtbot: QtBot) -> None:
    """Another program's save is followed without moving the map under the user's eyes."""
    path = tmp_path / "house.json"
    save_draft(HOUSE, path)
    window = open_it(path)
    window.document.apply("Rename", named("mine"))
    assert window.files.save()
    QApplication.processEvents()  # the panels take their places
    window.canvas.zoom_by(2.0)
    window.bench.select(Selection(squares=frozenset({(1, 1)})))
    before = window.canvas.view_state()
    save_draft(named("theirs"), path)
    qtbot.waitUntil(lambda: window.document.draft.name == "theirs")
    after = window.canvas.view_state()
    assert (after.x, after.y) == pytest.approx((before.x, before.y))
    assert after._replace(x=0, y=0) == before._replace(x=0, y=0)
    assert window.bench.selection.squares == {(1, 1)}
    assert window.document.stack.count() == 2
    assert not window.isWindowModified()
    assert window.files.bars.isHidden()


def test_keeping_playing_and_reloading_leave_the_file_alone(
    open_it: Open, tmp_path: Path, qtbot: QtBot
) -> None:
    """Autosave, playtest and reload change neither the user's file nor which file it is."""
    path = tmp_path / "raid.json"
    path.write_bytes(format_scenario(load_scenario("basic")))
    os.utime(path, (1, 1))
    window = open_it(path)
    document = window.document
    assert document.draft.scenario is not None
    document.apply("Turns", Draft(document.draft.plan, replace(document.draft.scenario, turns=9)))
    window.files.keep_now()
    page = window.host.playtest(
        Playtest(document.draft.whole, {"terminator": "human", "clonemaster": "rulebook"}, "1"), window
    )
    window.show_playtest(page)
    QApplication.processEvents()
    page.leave()
    qtbot.waitUntil(lambda: window.page is None)
    assert document.is_modified
    window.files.outside.reload()
    assert (document.path, path.stat().st_mtime) == (path, 1)
    assert not document.is_modified


def test_the_file_menu_has_all_that_the_keeper_can_do(open_it: Open, tmp_path: Path) -> None:
    """Reload, differences, earlier versions and unsaved work are actions that are told what they lack."""
    window = open_it()
    said: list[str] = []
    window.bench.said.connect(said.append)
    for name in ("reload", "differences", "backups", "unsaved"):
        window.named_actions[name].trigger()
    assert len(said) == 4


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_news_stand_over_the_canvas(open_it: Open, tmp_path: Path, qtbot: QtBot, mode: str) -> None:
    """A repaired file's bar has room for its words and buttons in the window."""
    path = tmp_path / "house.json"
    raw = save_draft(HOUSE, path).raw
    path.write_bytes(raw.replace(b'"AAAAAA"', b'"AAA"', 1))
    window = open_it(path, mode)
    window.resize(1280, 720)
    assert list(window.files.bars.shown) == ["repairs"]
    window.document.apply("Rename", named("mine"))
    save_draft(named("theirs"), path)
    qtbot.waitUntil(lambda: "outside" in window.files.bars.shown)
    QApplication.processEvents()
    for bar in window.files.bars.shown.values():
        assert bar.isVisible()
        assert bar.height() >= bar.heightForWidth(bar.width())
        assert all(button.isVisible() for button in bar.buttons)
    screenshot(window, f"files-window-{mode}", tmp_path)
    window.files.outside.show_differences()
    QApplication.processEvents()
    (sheet,) = window.findChildren(DifferencesDialog)
    screenshot(sheet, f"files-sheet-{mode}", tmp_path)
    sheet.close()
