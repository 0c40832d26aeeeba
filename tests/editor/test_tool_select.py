"""The tool that selects, moves, nudges and deletes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from editor.draft import Draft
from editor.edits.turning import turned_in_place
from editor.selection import NOTHING, Selection
from editor.tools.base import Keys
from editor.tools.brush import Brush
from editor.tools.door import Door
from editor.tools.room import Room
from editor.tools.select import Select
from engine.raid.scenario import Placement, Scenario, StartFigure, StartPosition
from tests.helpers.bench import Desk
from tests.helpers.plans import drawn, house

SHIFT, CTRL = Keys(shift=True), Keys(ctrl=True)
pytestmark = pytest.mark.usefixtures("qapp")


def test_a_click_selects_the_topmost_and_tab_what_lies_beneath() -> None:
    """Equipment, then the square, then the room, then round again; nothing of it dirties the draft."""
    desk = Desk(house())
    desk.take(Select)
    desk.click((1, 1))
    assert desk.bench.selection == Selection(equipment=frozenset({0}))
    assert desk.key(Qt.Key.Key_Tab)
    assert desk.bench.selection == Selection(squares=frozenset({(1, 1)}))
    assert desk.key(Qt.Key.Key_Tab)
    assert len(desk.bench.selection.squares) == 9
    assert desk.key(Qt.Key.Key_Backtab)
    assert desk.key(Qt.Key.Key_Backtab)
    assert desk.bench.selection == Selection(equipment=frozenset({0}))
    desk.click(desk.on(3, 2, "E"))
    assert desk.bench.selection == Selection(edges=frozenset({(3, 2, "E")}))
    desk.click((0, 0))
    assert desk.bench.selection == NOTHING
    assert not desk.document.is_modified


def test_a_box_selects_floor_and_modifiers_add_and_take_away() -> None:
    """A drag from unselected floor is a box; Shift adds to it, Ctrl takes out of it."""
    desk = Desk(house())
    desk.take(Select)
    desk.drag((0, 0), (2, 2))
    assert desk.bench.selection.squares == {(1, 1), (2, 1), (1, 2), (2, 2)}
    desk.drag((4, 1), (5, 1), keys=SHIFT)
    assert len(desk.bench.selection.squares) == 6
    desk.drag((0, 1), (2, 1), keys=CTRL)
    assert desk.bench.selection.squares == {(1, 2), (2, 2), (4, 1), (5, 1)}
    desk.click(desk.on(3, 2, "E"), keys=SHIFT)
    assert desk.bench.selection.edges == {(3, 2, "E")}


def test_a_double_click_selects_the_room_and_f2_asks_for_its_name() -> None:
    """A double click asks nothing, so that Copy and Delete are of the room; F2 asks for the name."""
    desk = Desk(house())
    tool = desk.take(Select)
    asked: list[str] = []
    tool.nameAsked.connect(asked.append)
    desk.click((4, 2))
    tool.double_click(desk.at((4, 2)), Keys())
    assert len(desk.bench.selection.squares) == 6
    assert asked == []
    assert desk.key(Qt.Key.Key_F2)
    desk.hover((2, 2))
    assert desk.key(Qt.Key.Key_F2)
    assert asked == ["B", "A"]


def test_a_moved_thing_must_be_able_to_stand_there() -> None:
    """A tank is dragged to free floor; into rock it stays where it was, and the line says why."""
    desk = Desk(house())
    tool = desk.take(Select)
    desk.drag((1, 1), (0, 0), is_released=False)
    assert tool.ghost.reason == "there is rock"
    tool.release(desk.at((0, 0)), Keys())
    assert desk.steps == []
    assert desk.said[-1] == "There is rock."
    desk.drag((1, 1), (2, 3))
    assert (desk.plan.equipment[0].x, desk.plan.equipment[0].y) == (2, 3)
    assert desk.steps == ["Move tank at 1,1 to 2,3"]


def test_two_things_side_by_side_move_into_each_others_places() -> None:
    """Things that are moved together are not in one another's way."""
    desk = Desk(drawn("AAAA", things="tank 0,0; tank 1,0"))
    desk.take(Select)
    desk.bench.select(Selection(equipment=frozenset({0, 1})))
    desk.drag((0, 0), (1, 0))
    assert [one.x for one in desk.plan.equipment] == [1, 2]
    assert desk.bench.selection == Selection(equipment=frozenset({0, 1}))


def test_a_moved_computer_and_entry_take_a_side_that_is_there() -> None:
    """In the new square the wall, or the way out, may be on another side."""
    desk = Desk(house())
    desk.take(Select)
    desk.drag((5, 1), (4, 1))
    assert (desk.plan.equipment[1].x, desk.plan.equipment[1].side) == (4, "N")
    desk.drag((1, 3), (2, 3))
    assert (desk.plan.entries[0].x, desk.plan.entries[0].side) == (2, "S")
    desk.drag((2, 3), (2, 2))
    assert desk.plan.entries[0].side is None


def test_a_moved_door_needs_a_wall() -> None:
    """A door is dragged along its wall; where there is none it is refused."""
    desk = Desk(house())
    desk.take(Select)
    desk.drag(desk.on(3, 2, "E"), desk.on(3, 1, "E"))
    assert (desk.kind(3, 1, "E"), desk.kind(3, 2, "E")) == ("door", "wall")
    assert desk.steps == ["Move door at 3,2 E to 3,1"]
    desk.drag(desk.on(3, 1, "E"), desk.on(2, 1, "E"))
    assert len(desk.steps) == 1
    assert desk.said[-1] == "No wall here: both sides are Room A."


def test_arrows_nudge_and_a_second_of_them_is_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nudges of the same selection within a second merge; what they pass over comes back."""
    now = 100.0
    monkeypatch.setattr("editor.tools.select.monotonic", lambda: now)
    desk = Desk(drawn("AA.BB.. ......."))
    desk.take(Select)
    desk.bench.select(Selection(squares=frozenset({(0, 0)})))
    for _ in range(5):
        assert desk.key(Qt.Key.Key_Right)
        now += 0.5
    assert desk.plan.grid[0] == ".A.BBA."
    assert desk.steps == ["Move square 0,0, Room A to 5,0"]
    now += 2.0
    desk.key(Qt.Key.Key_Down)
    assert len(desk.steps) == 2
    desk.undo_all()
    assert desk.bytes == desk.first


def test_undo_and_redo_of_a_move_take_the_selection_along() -> None:
    """The selection is where its squares are, after undo, redo, and the same move again."""
    desk = Desk(house())
    desk.take(Select)
    desk.drag((0, 0), (3, 3))
    first = desk.bench.selection
    for _ in range(2):
        desk.drag((2, 2), (2, 3))
        moved = desk.bench.selection
        assert moved.squares == {(x, y + 1) for x, y in first.squares}
        desk.key(Qt.Key.Key_Right)
        desk.key(Qt.Key.Key_Right)
        nudged = desk.bench.selection
        seen = []
        for step in (desk.document.undo, desk.document.undo, desk.document.redo, desk.document.redo):
            step()
            seen.append(desk.bench.selection)
        assert seen == [moved, first, moved, nudged]
        desk.undo_all()


def test_undo_and_redo_of_a_turn_take_the_selection_along() -> None:
    """Squares turned where they are are selected as they lay, things with them, once that is undone."""
    desk = Desk(house())
    tool = desk.take(Select)
    first = Selection(frozenset({(1, 1), (2, 1), (3, 1)}), equipment=frozenset({0}))
    desk.bench.select(first)
    for _ in range(2):
        made, squares = turned_in_place(desk.document.draft, first.squares)
        assert squares != first.squares
        assert tool.put_again("Turn clockwise", made, squares)
        seen = [desk.bench.selection]
        for step in (desk.document.undo, desk.document.redo, desk.document.undo):
            step()
            seen.append(desk.bench.selection)
        assert seen == [Selection(squares), first, Selection(squares), first]
    assert not tool.put_again("Turn clockwise", desk.document.draft, first.squares)


def test_a_stroke_may_begin_beside_the_map() -> None:
    """A rectangle or stroke drawn in from outside takes the squares on the map."""
    for kind in (Room, Brush):
        desk = Desk(drawn("..... ..... ....."))
        desk.take(kind)
        desk.drag(desk.spot(-2.5, 1.5), desk.spot(1.5, 1.5))
        assert desk.plan.grid == (".....", "AA...", ".....")
        assert desk.steps == ["Room 1 at 0,1"]


def test_ctrl_does_what_alt_does_where_the_desktop_keeps_alt() -> None:
    """Many desktops move windows with Alt and the mouse: Ctrl picks rooms and parts rooms, too."""
    desk = Desk(house())
    desk.take(Brush)
    desk.click((4, 2), keys=CTRL)
    assert (desk.bench.room, desk.steps) == ("B", [])
    desk.take(Door)
    desk.click(desk.on(1, 2, "E"), keys=CTRL)
    assert [desk.kind(1, y, "E") for y in (1, 2, 3)] == ["wall", "door", "wall"]


def test_a_nudge_back_leaves_no_step() -> None:
    """There and back again within a second is nothing."""
    desk = Desk(house())
    desk.take(Select)
    desk.bench.select(Selection(equipment=frozenset({0})))
    desk.key(Qt.Key.Key_Right)
    desk.key(Qt.Key.Key_Left)
    assert (desk.bytes, desk.steps) == (desk.first, [])


def test_a_move_stops_at_the_rim() -> None:
    """Nothing is lost by moving over the rim: the step is cut short."""
    desk = Desk(house())
    desk.take(Select)
    desk.drag((0, 0), (5, 3))
    before = {one for row in desk.plan.grid for one in row}
    desk.drag((2, 2), (-9, -9))
    assert desk.plan.grid[:3] == ("AAABB..", "AAABB..", "AAABB..")
    assert {one for row in desk.plan.grid for one in row} == before
    assert desk.bench.selection.squares == {(x, y) for x in range(5) for y in range(3)}


def test_delete_leaves_rock_and_nothing_in_it() -> None:
    """Floor goes with its things and with doors that have rock on both sides; a thing goes alone."""
    desk = Desk(house())
    desk.take(Select)
    assert not desk.key(Qt.Key.Key_Delete)
    desk.drag((0, 0), (6, 4))
    assert desk.key(Qt.Key.Key_Delete)
    plan = desk.plan
    assert (set("".join(plan.grid)), plan.equipment, plan.entries, plan.edges) == ({"."}, (), (), ())
    assert desk.steps == ["Delete 15 squares at 1,1"]
    desk.document.undo()
    desk.click(desk.on(3, 2, "E"))
    desk.key(Qt.Key.Key_Delete)
    assert (desk.kind(3, 2, "E"), desk.steps) == ("wall", ["Delete door at 3,2 E"])


def test_figures_go_along_with_their_squares_and_can_be_moved_alone() -> None:
    """Placements move with the floor under them; alone they stop where nobody can stand (4.5, 6.3)."""
    scenario = Scenario(
        name="s", map="", placements=(Placement(kind="terminator", square=(2, 2)),), terminators=1
    )
    desk = Desk(Draft(house(), scenario))
    desk.take(Select)

    def square() -> tuple[int, int]:
        assert desk.document.draft.scenario is not None
        return desk.document.draft.scenario.placements[0].square

    desk.click((2, 2))
    assert desk.bench.selection == Selection(placements=frozenset({0}))
    desk.drag((2, 2), (1, 1))
    assert (square(), desk.steps) == ((2, 2), [])
    assert "4.5" in desk.said[-1]
    desk.drag((2, 2), (3, 3))
    assert square() == (3, 3)
    desk.bench.select(Selection(squares=frozenset({(3, 3), (2, 3)})))
    desk.drag((2, 3), (2, 4))
    assert (square(), desk.plan.grid[4]) == ((3, 4), "..AA...")


def test_what_is_destroyed_at_the_start_keeps_its_name_when_it_moves() -> None:
    """The start position names wrecks by their place; moved squares and things take the name along."""
    start = StartPosition(
        figures=(StartFigure(name="CloneMaster", square=(2, 2)),),
        equipment=("tank 1,1",),
        doors=("door 3,2 E",),
    )
    plan = drawn("....... .AAABB. .AAABB. .AAABB. .......", "armored 3,2 E", things="tank 1,1")
    desk = Desk(Draft(plan, Scenario(name="s", map="", start=start)))
    desk.take(Select)
    desk.drag((0, 0), (6, 4))
    desk.drag((2, 2), (3, 3))
    scenario = desk.document.draft.scenario
    assert scenario is not None
    assert scenario.start is not None
    assert (scenario.start.equipment, scenario.start.doors) == (("tank 2,2",), ("door 4,3 E",))
    assert scenario.start.figures[0].square == (3, 3)
