"""The record sheets: one's own in full, the other side's only as far as it is known (2.4, R29)."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.panels.sheets import SheetsPanel
from app.session import Session
from engine.raid.choices import Fight, Ready, SetAbilities
from tests.helpers.gui import all_texts, leaks, screenshot
from tests.helpers.panels import big_combat, in_every_look, session_of, settle


def panel_of(qtbot: QtBot, session: Session) -> SheetsPanel:
    """Return the shown panel."""
    panel = SheetsPanel(session)
    qtbot.addWidget(panel)
    panel.resize(360, 800)
    panel.show()
    settle()
    return panel


def test_own_levels_are_shown_and_lost_ones_counted(qtbot: QtBot, tmp_path: Path) -> None:
    """2.4: a Terminator's five skills, what is left of what there was."""
    panel = panel_of(qtbot, session_of(tmp_path, big_combat(), humans=("terminator",)))
    sheet = panel.sheets["Shadow Lotus"]
    said = [boxes.accessibleName() for boxes in sheet.rows]
    assert said == [
        "Iron Fist: 1 of 2",
        "Lightning Foot: 1",
        "Body of Mist: 0 of 1",
        "Monkey Soul: 1",
        "Mountain Heart: 1 of 2",
    ]
    assert "3 of 7 lost" in sheet.accessibleName()


def test_a_jelly_shows_what_is_printed_and_how_much_was_lost(qtbot: QtBot, tmp_path: Path) -> None:
    """R29: printed levels once face up; of injuries only the number."""
    panel = panel_of(qtbot, session_of(tmp_path, big_combat(), humans=("terminator",)))
    unhurt, hurt = panel.sheets["J-2"], panel.sheets["J-7"]
    assert [boxes.accessibleName() for boxes in unhurt.rows] == [
        "Lightning Foot: 1",
        "Kon-Go: 1",
        "Monkey Soul: 1",
    ]
    assert "2 of 3 lost – which is secret" in hurt.accessibleName()
    assert [boxes.accessibleName() for boxes in hurt.rows] == [
        "Iron Fist: 1 printed, what is left is secret",
        "Lightning Foot: 1 printed, what is left is secret",
        "Throwing Spikes: 1 printed, what is left is secret",
    ]


def test_the_terminators_levels_are_not_told_to_the_other_side(qtbot: QtBot, tmp_path: Path) -> None:
    """R29: the CloneMaster player reads the number of injuries and question marks."""
    panel = panel_of(qtbot, session_of(tmp_path, big_combat(), humans=("clonemaster",)))
    assert next(iter(panel.sheets)) == "J-1"  # his own first
    sheet = panel.sheets["Rising Dream"]
    assert {boxes.accessibleName() for boxes in sheet.rows} == {"not known"}
    assert "5 of 7 lost – which is secret" in sheet.accessibleName()
    own = panel.sheets["J-7"]
    assert [boxes.accessibleName() for boxes in own.rows] == [
        "Iron Fist: 0 of 1",
        "Lightning Foot: 0 of 1",
        "Throwing Spikes: 1",
    ]


def test_a_walk_leaves_the_sheets_alone(qtbot: QtBot, tmp_path: Path) -> None:
    """Sheets are made anew only when something on them changes."""
    session = session_of(tmp_path, big_combat(), humans=("terminator",))
    panel = panel_of(qtbot, session)
    before = panel.sheets["Golden Song"]
    session.submit(Fight(0))
    settle()
    assert panel.sheets["Golden Song"] is before


def test_nothing_is_left_under_the_curtain(qtbot: QtBot, tmp_path: Path) -> None:
    """With two at one screen the sheets are gone before the other player is asked for."""
    session = session_of(tmp_path)
    session.lift_curtain()
    panel = panel_of(qtbot, session)
    for name in ("Rising Dream", "Shadow Lotus", "Golden Song"):
        session.submit(SetAbilities(name, 3, 1, 1, 1, 1))
    settle()
    assert panel.sheets["Golden Song"].rows[0].accessibleName() == "Iron Fist: 3"
    session.submit(Ready())
    settle()
    assert session.curtain_for == "clonemaster"
    assert panel.sheets == {}
    assert leaks(("Golden Song", "Iron Fist"), all_texts((panel,))) == []


def test_it_draws_in_every_look(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    """Light, dark and contrast, 80 to 250 %: a lost level's cross is drawn in the palette's own colour."""
    panel = panel_of(qtbot, session_of(tmp_path, big_combat(), humans=("terminator",)))
    heights = {}

    def check(look: str, image: QImage) -> None:
        screenshot(panel, f"sheets-{look}", tmp_path)
        heights[look] = panel.sheets["Rising Dream"].sizeHint().height()
        assert image.width() == panel.width() * image.devicePixelRatio()

    in_every_look(qapp, panel, check)
    assert heights["dark-250"] > 2 * heights["dark-100"] > 2 * heights["contrast-80"]
