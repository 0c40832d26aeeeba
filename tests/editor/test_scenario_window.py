"""Scenario mode in the editor's window: figures by mouse and keys, pickers on the canvas, the way out."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from editor.draft import OWN_MAP, Draft
from editor.templates import small_house
from editor.window import EditorWindow
from engine.raid.scenario import Placement, Scenario, load_scenario, plan_of
from tests.helpers.editor import click, drag, open_editor, press

CTRL = Qt.KeyboardModifier.ControlModifier
Key = Qt.Key


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> EditorWindow:
    """Show the editor in scenario mode with the Solitaire scenario."""
    scenario = load_scenario("solitaire")
    made = open_editor(qtbot, tmp_path, Draft(plan_of(scenario), replace(scenario, map=OWN_MAP)))
    press(made, Key.Key_2, CTRL)
    return made


def placements(window: EditorWindow) -> tuple[Placement, ...]:
    """Return the fixed placements."""
    scenario = window.document.draft.scenario
    assert scenario is not None
    return scenario.placements


def test_figures_are_put_down_dragged_and_taken_away_on_the_canvas(window: EditorWindow) -> None:
    """The button of the panel takes the tool; then mouse and digits do it; every stroke is one step."""
    QTest.mouseClick(window.scenario.page.form.tool_buttons[0], Qt.MouseButton.LeftButton)
    assert window.canvas.hasFocus()
    press(window, Key.Key_6)
    click(window, (2, 2))
    assert placements(window)[-1] == Placement(kind="servant", square=(2, 2))
    drag(window, (2, 2), (3, 4))
    assert placements(window)[-1].square == (3, 4)
    assert window.scenario.page.form.placements.current == 3
    press(window, Key.Key_Delete)
    assert len(placements(window)) == 3
    assert window.document.stack.count() == 3


def test_a_picker_waits_for_a_click_on_the_canvas(qtbot: QtBot, window: EditorWindow) -> None:
    """The button arms it, a click fills it, Esc leaves it; Select is in hand again after either."""
    form = window.scenario.page.form
    assert window.scenario.go_to("placements[0]")
    form.placements.square.pick_button.setFocus()
    press(window, Key.Key_Space)
    assert window.canvas.hasFocus()
    click(window, (4, 4))
    assert form.placements.square.pick_button.hasFocus()
    assert placements(window)[0].square == (4, 4)
    tool = window.bench.tool
    qtbot.waitUntil(lambda: window.bench.tool is not None and window.bench.tool.key == "select")
    assert tool is not None
    press(window, Key.Key_Space)
    armed = [window.scenario.page.picker.is_armed]
    press(window, Key.Key_Escape)
    armed.append(window.scenario.page.picker.is_armed)
    assert armed == [True, False]
    qtbot.waitUntil(lambda: window.bench.tool is not None and window.bench.tool.key == "select")
    assert window.document.stack.count() == 1


def test_a_tool_of_scenarios_goes_with_the_scenario(window: EditorWindow) -> None:
    """With the figures' tool in hand the scenario goes: Select is in hand, and no click does any harm."""
    for go in (window.scenario.keep_only_map, lambda: window.document.replace(Draft(small_house()), None)):
        window.scenario.toolWanted.emit("place")
        assert window.bench.tool is not None
        assert window.bench.tool.key == "place"
        go()
        QApplication.processEvents()
        assert window.bench.tool.key == "select"
        click(window, (2, 2))
        window.document.replace(Draft(small_house(), Scenario(name="House", map=OWN_MAP)), None)


def test_undo_in_a_box_of_the_panel_is_the_editors_undo(window: EditorWindow) -> None:
    """One press of Ctrl+Z while a number has the focus is one step back, and no text is undone instead."""
    panel = window.scenario
    assert panel.go_to("servants")
    press(window, Key.Key_Up)
    panel.go_to("turns")
    press(window, Key.Key_Up)
    press(window, Key.Key_Z, CTRL)
    assert window.document.stack.index() == 1
    assert (panel.controls["turns"].value, panel.controls["servants"].value) == (12, 13)
    press(window, Key.Key_Z, CTRL)
    assert window.document.stack.index() == 0
    assert panel.controls["servants"].value == 12
