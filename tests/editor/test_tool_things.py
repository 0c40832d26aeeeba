"""Tools that place equipment and entries, and the one that takes things away again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from editor.draft import Draft
from editor.selection import Selection
from editor.tools.base import Keys
from editor.tools.brush import Brush
from editor.tools.entry import Entry
from editor.tools.equipment import Equipment
from editor.tools.erase import Erase
from editor.tools.fill import Fill
from editor.tools.room import Room
from engine.raid.scenario import Placement, Scenario
from tests.helpers.bench import RIGHT, Desk
from tests.helpers.plans import drawn, house

SHIFT = Keys(shift=True)
pytestmark = pytest.mark.usefixtures("qapp")


# Things


def test_a_computer_stands_along_the_nearest_wall_and_brackets_turn_it() -> None:
    """The wall nearest the pointer is taken; ] goes on to the next wall; a door is no wall (4.5)."""
    desk = Desk(house())
    tool = desk.take(Equipment)
    tool.choose("computer")
    desk.hover(desk.spot(3.9, 1.4))
    sides = [tool.ghost.equipment[0].side]
    assert desk.key(Qt.Key.Key_BracketRight)
    sides.append(tool.ghost.equipment[0].side)
    assert sides == ["E", "N"]
    desk.click(desk.spot(3.9, 1.4))
    assert (desk.plan.equipment[-1].side, desk.steps) == ("N", ["Computer at 3,1"])
    desk.hover(desk.spot(3.9, 2.5))
    assert "no wall" in tool.ghost.reason
    desk.click(desk.spot(3.9, 2.5))
    assert "4.5" in desk.said[-1]


def test_equipment_replaces_and_goes_with_a_second_click() -> None:
    """Another kind takes the place and the number; the same once more, or the right button, takes away."""
    desk = Desk(house())
    tool = desk.take(Equipment)
    tool.choose("computer")
    desk.click(desk.on(1, 1, "N"))
    assert [(one.kind, one.side) for one in desk.plan.equipment] == [("computer", "N"), ("computer", "E")]
    desk.click(desk.on(1, 1, "N"))
    desk.click((5, 1), button=RIGHT)
    assert len(desk.plan.equipment) == 0
    assert desk.steps == ["Computer at 1,1", "Remove computer at 1,1", "Remove computer at 5,1"]


def test_a_new_thing_is_selected_for_its_properties() -> None:
    """Equipment and entries that were just put down are selected."""
    desk = Desk(house())
    desk.take(Equipment)
    desk.click((4, 3))
    assert desk.bench.selection == Selection(equipment=frozenset({2}))
    desk.take(Entry)
    desk.click((5, 3))
    assert desk.bench.selection == Selection(entries=frozenset({1}))


def test_an_entry_may_be_a_way_out_only() -> None:
    """4.7, R11: the last of the offered rates lets nobody in and one out, and is drawn as it is put down."""
    desk = Desk(house())
    tool = desk.take(Entry)
    tool.choose("0-1")
    assert "none in, 1 out" in dict(tool.options)["0-1"]
    desk.click((5, 3))
    assert (desk.plan.entries[1].enter, desk.plan.entries[1].leave) == (0, 1)


def test_an_entry_takes_the_side_that_leads_out() -> None:
    """Beside rock the nearest side is taken, [ and ] go on to none; inside an entry has no side."""
    desk = Desk(house())
    tool = desk.take(Entry)
    tool.choose("3-0")
    desk.hover(desk.spot(5.5, 3.9))
    sides = [tool.ghost.entries[0].side]
    desk.key(Qt.Key.Key_BracketRight)
    sides.append(tool.ghost.entries[0].side)
    assert sides == ["S", None]
    desk.click(desk.spot(5.9, 3.5))
    desk.click((2, 2))
    one, other = desk.plan.entries[1:]
    assert (one.enter, one.leave, other.side) == (3, 0, None)
    assert len({entry.name for entry in desk.plan.entries}) == 3


def test_a_click_on_an_entry_gives_it_the_rates_and_right_takes_it_away() -> None:
    """The rates in force are given to an entry that is there already."""
    desk = Desk(house())
    tool = desk.take(Entry)
    tool.choose("2-2")
    desk.click((1, 3))
    assert (desk.plan.entries[0].enter, desk.plan.entries[0].leave) == (2, 2)
    name = desk.plan.entries[0].name
    desk.click((1, 3), button=RIGHT)
    assert desk.plan.entries == ()
    assert desk.steps == [f"Rates of {name}", f"Remove {name}"]


def test_an_entry_on_a_tank_is_refused() -> None:
    """A tank fills its square (4.5)."""
    desk = Desk(house())
    tool = desk.take(Entry)
    desk.hover((1, 1))
    assert "4.5" in tool.ghost.reason
    desk.click((1, 1))
    assert desk.steps == []


# Erase


def test_erase_takes_the_topmost_thing_and_leaves_the_rest() -> None:
    """Tank, then floor; a door leaves its wall; the wall that two rooms make stays (6 of the layers)."""
    desk = Desk(house())
    desk.take(Erase)
    desk.click((1, 1))
    assert (len(desk.plan.equipment), desk.plan.grid[1]) == (1, ".AAABB.")
    desk.click((1, 1))
    assert desk.plan.grid[1] == "..AABB."
    desk.click(desk.on(3, 2, "E"))
    assert desk.kind(3, 2, "E") == "wall"
    desk.click(desk.on(3, 2, "E"))
    assert desk.plan.grid[2] == ".AA.BB."
    assert desk.steps == [
        "Erase tank at 1,1",
        "Erase square 1,1, Room A",
        "Erase door at 3,2 E",
        "Erase square 3,2, Room A",
    ]


def test_floor_takes_along_what_stands_on_it() -> None:
    """No tank, entry or figure is left standing in rock by eraser, brush, rectangle or fill."""
    placed = Scenario(name="s", map="", placements=(Placement(kind="servant", square=(3, 3)),))
    for kind, button in ((Erase, Qt.MouseButton.LeftButton), (Brush, RIGHT), (Room, RIGHT), (Fill, RIGHT)):
        desk = Desk(Draft(house(), placed))
        desk.take(kind)
        way = ((1, 1), (3, 3)) if kind is Room else ((2, 1), (1, 1), (1, 3), (3, 3))
        desk.drag(*way, button=button)
        assert not any(one.x < 4 for one in desk.plan.equipment), kind.key
        assert (desk.plan.entries, desk.plan.grid[3][1]) == ((), "."), kind.key
        assert desk.document.draft.scenario is not None
        assert desk.document.draft.scenario.placements == ()
        desk.document.undo()
        assert desk.bytes == desk.first


def test_erase_drags_over_things_of_one_kind() -> None:
    """A drag that begins at a partition erases edges, and no floor beside them."""
    desk = Desk(drawn("AAAA AAAA", "wall 0,0 S", "wall 1,0 S", "door 2,0 S"))
    desk.take(Erase)
    desk.drag(desk.spot(0.5, 0.9), desk.spot(2.5, 0.95))
    assert desk.plan.edges == ()
    assert desk.plan.grid == ("AAAA", "AAAA")
    desk.undo_all()
    assert desk.bytes == desk.first


def test_shift_clears_whole_squares() -> None:
    """With Shift, and with the right button, all in the square and on its edges is gone."""
    for keys, button in ((SHIFT, Qt.MouseButton.LeftButton), (Keys(), RIGHT)):
        desk = Desk(house())
        desk.take(Erase)
        desk.drag((3, 2), (1, 2), (1, 3), button=button, keys=keys)
        assert desk.plan.grid[2:4] == ("....BB.", "..AABB.")
        assert (desk.plan.entries, desk.plan.edges) == ((), ())
        assert desk.steps == ["Clear square 3,2"]
