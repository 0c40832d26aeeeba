"""What the canvas shows of sight and reach, against the engine's tables, and while tools draw."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from editor.bench import Walk, Who
from editor.canvas.overlays import BARRED, SEEN, Outlook
from editor.draft import Draft
from engine.fortress.board import Board
from engine.fortress.floorplan import load_floorplan
from engine.fortress.masks import bits
from engine.raid import tables
from engine.raid.scenario import load_scenario
from tests.helpers.canvas import edge_point, square_point
from tests.helpers.editor import open_editor
from tests.helpers.plans import CITADEL, drawn, random_plan


@pytest.mark.parametrize("seed", range(20))
def test_the_overlays_show_what_the_game_says(seed: int) -> None:
    """Sight (5.2, 5.9) and reach (4.3-4.43) of every square, for all who walk, doors intact and destroyed."""
    plan = random_plan(seed)
    board, free = Board(plan), Board(replace(plan, no_sight=()))
    outlook = Outlook(Draft(plan))
    doors = (1 << len(board.armored)) - 1
    walkers: list[tuple[Who, int, bool]] = [
        ("terminator", 0, False),
        ("climber", 0, True),
        ("clonemaster", 1, False),
    ]
    for square in range(board.size):
        seen, without = board.sight(square, 0), free.sight(square, 0)
        expected = {board.xy(one): SEEN if seen >> one & 1 else BARRED for one in bits(without)}
        assert outlook.sight(board.xy(square)) == expected
        if not board.floor >> square & 1:
            continue
        for who, side, climbs in walkers:
            for gone in (0, doors):
                costs = board.reach_of(tables.walker(side, climbs), gone, square, 4, {})
                walk = Walk(who, 4, are_doors_destroyed=bool(gone))
                assert outlook.reach(board.xy(square), walk) == {
                    board.xy(one): str(cost) for one, cost in costs.items()
                }


def test_only_the_clonemasters_units_walk_through_armored_doors() -> None:
    """4.41: an intact armored door stops Terminators and costs the others a point; destroyed it is open."""
    outlook = Outlook(Draft(drawn("AB", "armored 0,0 E")))
    assert outlook.reach((0, 0), Walk("terminator")) == {(0, 0): "0"}
    assert outlook.reach((0, 0), Walk("clonemaster")) == {(0, 0): "0", (1, 0): "2"}
    assert outlook.reach((0, 0), Walk("terminator", are_doors_destroyed=True)) == {(0, 0): "0", (1, 0): "1"}


def test_who_has_monkey_soul_climbs_for_nothing() -> None:
    """4.42: a drop-off costs two points more, but not him."""
    outlook = Outlook(Draft(drawn("AB", "dropoff 0,0 E")))
    assert outlook.reach((0, 0), Walk("terminator"))[1, 0] == "3"
    assert outlook.reach((0, 0), Walk("climber"))[1, 0] == "1"


def test_sight_past_corners_is_the_scenarios() -> None:
    """R3: a scenario whose lines may graze corners sees more of its map."""
    scenario = load_scenario("basic")
    plan = load_floorplan(CITADEL)
    grazing = replace(scenario, rules=replace(scenario.rules, corner_sight="graze"))
    outlook = Outlook(Draft(plan, grazing))
    assert outlook.is_of(Draft(plan, grazing))
    assert not outlook.is_of(Draft(plan, scenario))
    board = Board(plan, "graze")
    for square in bits(board.floor)[::7]:
        seen = {one for one, how in outlook.sight(board.xy(square)).items() if how == SEEN}
        assert seen == {board.xy(one) for one in bits(board.sight(square, 0))}


def test_of_what_is_no_map_nothing_is_seen() -> None:
    """A tank beyond the border, as a file may have it, ends no hover in an error."""
    plan = drawn("AA", things="tank 5,5")
    outlook = Outlook(Draft(plan))
    assert (outlook.sight((0, 0)), outlook.reach((0, 0), Walk())) == ({}, {})


def test_sight_is_kept_on_while_walls_are_drawn(qtbot: QtBot, tmp_path: Path) -> None:
    """Shift+S keeps sight on with any tool, Shift+H holds a square; it follows a drag under way."""
    window = open_editor(qtbot, tmp_path, Draft(drawn("AAAAAA AAAAAA AAAAAA")))
    canvas, bench = window.canvas, window.bench
    bench.take(next(tool for tool in window.tools if tool.key == "wall"))
    canvas.setFocus()
    QTest.mouseMove(canvas.viewport(), square_point(canvas, (0, 1)))
    QTest.keyClick(canvas, Qt.Key.Key_S, Qt.KeyboardModifier.ShiftModifier)
    assert window.status.overlay.text() == "Sight on"
    assert "Shift+H" in window.status.hint.toolTip() or "Shift+H" in window.status.hint.text()
    QTest.keyClick(canvas, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    assert window.status.overlay.text() == "Sight from 0,1"
    view = canvas.viewport()
    qtbot.waitUntil(lambda: len(canvas.overlay_layer.cells) == 18)
    QTest.mouseMove(view, edge_point(canvas, (2, 0, "E")))
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=edge_point(canvas, (2, 0, "E")))
    QTest.mouseMove(view, edge_point(canvas, (2, 2, "E")))
    qtbot.waitUntil(lambda: len(canvas.overlay_layer.cells) == 9)
    assert not window.document.stack.canUndo(), "the drag is still under way"
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=edge_point(canvas, (2, 2, "E")))
    window.document.undo()
    qtbot.waitUntil(lambda: len(canvas.overlay_layer.cells) == 18)
    QTest.keyClick(canvas, Qt.Key.Key_S, Qt.KeyboardModifier.ShiftModifier)
    assert canvas.overlay_layer.cells == {}
    assert not window.status.overlay.isVisible()
