"""A designer's whole way: a small fortress drawn from nothing by mouse and keys, saved, played out."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from app.playtest import PlaytestPage
from editor.dialogs.playtest import PlaytestDialog
from editor.dialogs.seats import seat
from editor.draft import Edge, Square
from editor.window import EditorWindow
from engine.raid.problems import problems
from engine.raid.scenario import load_scenario
from tests.helpers.canvas import square_point
from tests.helpers.editor import click, drag, open_editor, press
from tests.helpers.gui import Driver, screenshot

CTRL = Qt.KeyboardModifier.ControlModifier
Key = Qt.Key
ROOMS: tuple[tuple[Square, Square, str, str], ...] = (
    ((4, 2), (7, 5), "Servants' Hall", "SJ"),
    ((8, 2), (11, 9), "Great Hall", "STJ"),
    ((12, 2), (16, 5), "Laboratory", "TJ"),
    ((4, 6), (7, 9), "Guard Room", "SJ"),
    ((12, 6), (16, 9), "Engine Room", "TJ"),
)
DOORS: tuple[Edge, ...] = ((7, 3, "E"), (7, 7, "E"), (11, 4, "E"), (11, 8, "E"))
LETTER_KEYS = {"S": Key.Key_S, "T": Key.Key_T, "J": Key.Key_J}
FORCES = {"turns": 2, "terminators": 2, "jellies": 2, "armed_technicians": 1, "technicians": 3, "servants": 3}


def type_text(window: EditorWindow, text: str) -> None:
    """Type where the focus is."""
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClicks(focus, text)


def is_playing(window: EditorWindow) -> bool:
    """Return whether a playtest is on."""
    return window.page is not None


def draw(window: EditorWindow) -> None:
    """Draw the fortress: rooms, names, letters, doors, an entry with its door, a tank and a computer."""
    press(window, Key.Key_R)
    for start, end, _, _ in ROOMS:
        drag(window, start, end)
    press(window, Key.Key_V)
    for start, _, name, _ in ROOMS:
        view = window.canvas.viewport()
        QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=square_point(window.canvas, start))
        press(window, Key.Key_F2)
        type_text(window, name)
        press(window, Key.Key_Return)
        assert QApplication.focusWidget() is window.canvas
    press(window, Key.Key_T)
    for start, _, _, letters in ROOMS:
        QTest.mouseMove(window.canvas.viewport(), square_point(window.canvas, start))
        for letter in letters:
            press(window, LETTER_KEYS[letter])
    press(window, Key.Key_D)
    press(window, Key.Key_1)
    for edge in DOORS:
        click(window, edge)
    press(window, Key.Key_N)
    click(window, (9, 9, "S"))
    press(window, Key.Key_D)
    press(window, Key.Key_2)
    click(window, (9, 9, "S"))
    press(window, Key.Key_E)
    press(window, Key.Key_1)
    click(window, (14, 3))
    press(window, Key.Key_2)
    click(window, (16, 8, "E"))


def make_scenario(window: EditorWindow) -> None:
    """Make a scenario of the map, a short one with few figures, by its panel."""
    press(window, Key.Key_2, CTRL)
    QTest.mouseClick(window.scenario.bare.make_button, Qt.MouseButton.LeftButton)
    for field, value in FORCES.items():
        box = window.scenario.controls[field].focus_widget()
        assert box is not None
        box.setFocus()
        press(window, Key.Key_A, CTRL)
        type_text(window, str(value))
        press(window, Key.Key_Tab)
    press(window, Key.Key_1, CTRL)
    window.canvas.setFocus()


def test_a_fortress_is_drawn_saved_and_played(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From nothing to a finished game, and back to the same view, undo step and unsaved star."""
    window = open_editor(qtbot, tmp_path)
    draw(window)
    plan = window.document.draft.plan
    assert [(room.name, room.setup) for room in plan.rooms] == [(name, setup) for _, _, name, setup in ROOMS]
    assert [plan.edge_kind(*edge) for edge in DOORS] == ["door"] * 4
    assert plan.edge_kind(9, 9, "S") == "armored"
    assert [thing.kind for thing in plan.equipment] == ["tank", "computer"]
    assert len(plan.entries) == 1
    make_scenario(window)
    scenario = window.document.draft.scenario
    assert scenario is not None
    assert {field: getattr(scenario, field) for field in FORCES} == FORCES
    assert [one.message for one in problems(window.document.draft.whole) if one.severity == "error"] == []
    qtbot.waitUntil(lambda: "Checking" not in window.status.problems.text(), timeout=30000)
    assert "error" not in window.status.problems.text()
    path = tmp_path / "fortress.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    press(window, Key.Key_S, CTRL)
    assert not window.isWindowModified()
    assert load_scenario(path).name == window.document.draft.name
    raw = path.read_bytes()

    # One more stroke that is not saved: it is played all the same.
    press(window, Key.Key_D)
    press(window, Key.Key_1)
    click(window, (7, 9, "E"))
    window.canvas.zoom_by(1.4)
    view = window.canvas.view_state()
    before = (window.document.stack.index(), window.document.is_modified)
    assert before[1] is True
    screenshot(window, "fortress-drawn", tmp_path)
    press(window, Key.Key_3, CTRL)
    dialog = window.findChild(PlaytestDialog)
    assert dialog is not None
    seat(dialog.seat_boxes["clonemaster"], "human")
    dialog.abilities_box.click()
    with qtbot.waitActive(window):  # as a desktop does it when a dialog goes
        dialog.accept()
        window.activateWindow()
    page = window.page
    assert isinstance(page, PlaytestPage)
    driver = Driver(qtbot, window, 3, page.stage)
    screenshot(window, "fortress-played", tmp_path)
    driver.play()
    assert driver.session.is_over
    assert {"set-up-terminator", "set-up-clonemaster", "terminator-move"} <= set(driver.kinds)
    qtbot.waitUntil(lambda: page.end_dialog is not None)
    assert page.end_dialog is not None
    with qtbot.waitActive(window):
        QTest.keyClick(page.end_dialog, Key.Key_Escape)
        window.activateWindow()
    press(window, Key.Key_Escape)
    assert not is_playing(window)
    assert (window.document.stack.index(), window.document.is_modified) == before
    assert window.canvas.view_state() == pytest.approx(view)
    assert path.read_bytes() == raw
    assert window.bench.tool is not None
    assert window.bench.tool.key == "door"
    assert QApplication.focusWidget() is window.canvas

    # F5 plays it with the same seats again, and every action of the editor is back after Esc.
    press(window, Key.Key_F5)
    assert is_playing(window)
    assert not window.named_actions["undo"].isEnabled()
    press(window, Key.Key_Escape)
    assert not is_playing(window)
    press(window, Key.Key_Z, CTRL)
    assert not window.isWindowModified()
