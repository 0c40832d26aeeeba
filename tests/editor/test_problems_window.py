"""Problems in the editor's window: by keys alone from one to the next, fixed, and no obstacle to saving."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from editor.draft import OWN_MAP, Draft
from editor.window import EditorWindow
from engine.fortress.floorplan import load_floorplan
from engine.raid.scenario import Scenario, load_scenario, plan_of
from tests.helpers.editor import open_editor, press
from tests.helpers.plans import drawn
from tests.helpers.processes import Started

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
Key = Qt.Key
CITADEL = plan_of(load_scenario("basic"))
FAULTY = drawn("AAB AAB", "door 1,0 E", "door 0,1 W", entries="0,0 W", no_sight="AA")


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> EditorWindow:
    """Show the editor with a map that has two errors, checked."""
    window = open_editor(qtbot, tmp_path, Draft(FAULTY))
    qtbot.waitUntil(lambda: window.checker.is_current, timeout=20_000)
    return window


def test_keys_go_from_problem_to_problem_and_mend_them(qtbot: QtBot, window: EditorWindow) -> None:
    """F8 goes there and selects, Shift+F8 back, Ctrl+F8 fixes; the counts stand in the status bar."""
    assert window.status.problems.text() == "2 errors"
    press(window, Key.Key_F8)
    assert window.bench.selection.edges == {(-1, 1, "E")}
    press(window, Key.Key_F8)
    assert window.problems.current is not None
    assert window.problems.current.code == "sight-room-twice"
    press(window, Key.Key_F8, SHIFT)
    press(window, Key.Key_F8, CTRL)
    assert window.document.stack.undoText() == "Remove the door"
    qtbot.waitUntil(lambda: window.checker.is_current, timeout=20_000)
    assert window.status.problems.text() == "1 error"
    press(window, Key.Key_F8, CTRL)
    qtbot.waitUntil(lambda: window.checker.is_current, timeout=20_000)
    assert window.status.problems.text() == "No problems"
    press(window, Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: window.checker.is_current, timeout=20_000)
    assert window.status.problems.text() == "1 error"


def test_another_file_begins_with_its_first_problem(qtbot: QtBot, window: EditorWindow) -> None:
    """F8 does not go on from where it was in the file before."""
    press(window, Key.Key_F8)
    press(window, Key.Key_F8)
    window.document.replace(Draft(replace(FAULTY, name="Another")), None)
    qtbot.waitUntil(lambda: window.checker.is_current, timeout=20_000)
    press(window, Key.Key_F8)
    assert window.bench.selection.edges == {(-1, 1, "E")}


def test_the_list_comes_to_the_front_by_its_key(window: EditorWindow) -> None:
    """Alt+F8 shows the list as it is now, ready for the arrow keys."""
    window.show_panel("history")
    press(window, Key.Key_F8, ALT)
    assert window.problems.tree.hasFocus()
    assert window.problems.isVisible()


def test_errors_bar_the_playtest_and_never_saving(window: EditorWindow, tmp_path: Path) -> None:
    """F5 shows the problems instead of a broken game; the file is written all the same."""
    press(window, Key.Key_F5)
    assert window.page is None
    assert window.mode == "map"
    assert window.problems.isVisible()
    assert window.files.save_to(tmp_path / "faulty.json")
    assert load_floorplan(tmp_path / "faulty.json") == FAULTY


def test_a_problem_of_the_scenario_opens_its_field(qtbot: QtBot, tmp_path: Path) -> None:
    """F8 on what no square shows goes over to the scenario and its control."""
    draft = Draft(CITADEL, Scenario(name="Odd", map=OWN_MAP, set_up="random"))
    window = open_editor(qtbot, tmp_path, draft)
    qtbot.waitUntil(lambda: window.checker.is_current, timeout=20_000)
    press(window, Key.Key_F8)
    assert window.mode == "scenario"
    assert window.scenario.isVisible()
    assert window.scenario.controls["release"].focus_widget().hasFocus()


def test_the_doctor_looks_only_while_he_is_asked(qtbot: QtBot, tmp_path: Path) -> None:
    """The doctor's panel is brought up by its key, and what it shows costs nothing while it is hidden."""
    scenario = replace(load_scenario("basic"), turns=3)
    window = open_editor(qtbot, tmp_path, Draft(CITADEL, scenario))
    qtbot.waitUntil(lambda: window.checker.is_current, timeout=20_000)
    assert window.checker.diagnosis is None
    press(window, Key.Key_F8, CTRL, SHIFT)
    qtbot.waitUntil(lambda: window.checker.diagnosis is not None, timeout=20_000)
    assert window.doctor.isVisible()
    window.show_panel("rooms")
    qtbot.waitUntil(lambda: not window.checker.diagnoses, timeout=5_000)


def test_closing_the_window_ends_the_process(qtbot: QtBot, tmp_path: Path) -> None:
    """Nothing is left running."""
    started = Started()
    window = open_editor(qtbot, tmp_path, Draft(CITADEL))
    qtbot.waitUntil(lambda: window.checker.is_current, timeout=20_000)
    assert len(started.numbers) == 1
    window.close()
    assert started.numbers == []
