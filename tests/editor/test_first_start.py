"""The window as it is first seen, in 1280 by 720, also with text twice as large."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QTabBar
from pytestqt.qtbot import QtBot

from editor.draft import Draft
from engine.fortress.floorplan import load_floorplan
from engine.raid.scenario import load_scenario
from tests.helpers.editor import open_editor
from tests.helpers.gui import screenshot
from tests.helpers.plans import CITADEL


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_nothing_is_cut_off_when_the_editor_first_opens(qtbot: QtBot, tmp_path: Path, scale: float) -> None:
    """The scenario's fields have their width, tabs are read in full, and the map is the largest of all."""
    draft = Draft(load_floorplan(CITADEL), load_scenario("basic"))
    window = open_editor(qtbot, tmp_path, draft, text_scale=scale)
    window.set_mode("scenario")
    QApplication.processEvents()
    assert (window.width(), window.height()) == (1280, 720)
    page = window.scenario.page
    for box in page.sections.values():
        box.unfold(True)
    for _ in range(3):
        QApplication.processEvents()
    assert page.area.horizontalScrollBar().maximum() == 0
    right = window.docks["scenario"]
    assert right.width() >= 300
    for dock in window.docks.values():
        if not dock.isHidden() and not dock.visibleRegion().isEmpty():
            is_at_foot = dock is window.docks["problems"]
            assert (
                window.canvas.height() > dock.height() if is_at_foot else window.canvas.width() > dock.width()
            )
            if scale < 2:
                area = window.canvas.width() * window.canvas.height()
                assert area > dock.width() * dock.height(), dock.windowTitle()
    bars = [bar for bar in window.findChildren(QTabBar) if bar.parent() is window and bar.isVisible()]
    assert bars
    for bar in bars:
        assert sum(bar.tabRect(at).width() for at in range(bar.count())) <= bar.width()
    screenshot(window, f"first-start-{round(scale * 100)}", tmp_path)


def test_where_names_do_not_fit_tools_have_them_as_tips(qtbot: QtBot, tmp_path: Path) -> None:
    """With large text the toolbox keeps to pictures and keys, rather than take the map's room."""
    window = open_editor(qtbot, tmp_path, text_scale=2.0)
    button = window.toolbox.buttons["setup"]
    assert button.toolTip() == "Set-up letters"
    assert button.accessibleName() == "Set-up letters"
    window.resizeDocks([window.docks["tools"]], [420], Qt.Orientation.Horizontal)
    QApplication.processEvents()
    assert button.toolTip() == ""
