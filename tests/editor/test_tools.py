"""Each tool by itself: what its clicks, drags and keys make, what it refuses, and how it names its steps."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from editor.draft import Draft
from editor.edits.rooms import room_of
from editor.edits.stamping import parse_piece
from editor.selection import NOTHING, Selection
from editor.tools import TOOLS
from editor.tools.base import Keys, Tool
from editor.tools.brush import Brush
from editor.tools.door import Door
from editor.tools.dropoff import DropOff
from editor.tools.entry import Entry
from editor.tools.equipment import Equipment
from editor.tools.erase import Erase
from editor.tools.fill import Fill
from editor.tools.level import Level
from editor.tools.reach import Reach
from editor.tools.room import Room
from editor.tools.select import Select
from editor.tools.setup_letters import SetupLetters
from editor.tools.sight import Sight
from editor.tools.stamp import Stamp
from editor.tools.wall import Wall
from engine.core.files import BadFile
from engine.fortress.floorplan import FloorPlan, load_floorplan
from engine.raid.scenario import Placement, Scenario, StartFigure, StartPosition
from tests.helpers.bench import RIGHT, Desk
from tests.helpers.plans import CITADEL, drawn

MAP_TOOLS = tuple(kind for kind in TOOLS if kind.mode == "map")
SHIFT, CTRL, ALT = Keys(shift=True), Keys(ctrl=True), Keys(alt=True)
pytestmark = pytest.mark.usefixtures("qapp")


def house() -> FloorPlan:
    """Return two rooms side by side with a door, rock round them, a tank, a computer and an entry."""
    return drawn(
        "....... .AAABB. .AAABB. .AAABB. .......",
        "door 3,2 E",
        things="tank 1,1; computer 5,1 E",
        entries="1,3 W",
    )


Use = Callable[[Desk], None]


def _stamp(desk: Desk) -> None:
    tool = desk.take(Stamp)
    desk.bench.select(Selection(squares=frozenset({(1, 1), (2, 1), (1, 2), (2, 2)})))
    desk.hover((4, 3))
    assert tool.duplicate()
    desk.click((4, 3))


def _select(desk: Desk) -> None:
    desk.take(Select)
    desk.drag((1, 1), (1, 2))


def _level(desk: Desk) -> None:
    desk.take(Level).choose("+")
    desk.click((2, 2))


def _using(kind: type[Tool], *squares: tuple[int, int], at: tuple[int, int, str] | None = None) -> Use:
    def use(desk: Desk) -> None:
        desk.take(kind)
        desk.drag(*(squares if at is None else (desk.on(at[0], at[1], at[2]),)))  # type: ignore[arg-type]

    return use


USES: dict[type[Tool], Use] = {
    Select: _select,
    Room: _using(Room, (4, 2), (5, 4)),
    Brush: _using(Brush, (0, 0), (6, 4)),
    Fill: _using(Fill, (2, 2)),
    Wall: _using(Wall, at=(2, 2, "E")),
    Door: _using(Door, at=(3, 1, "E")),
    DropOff: _using(DropOff, at=(3, 1, "E")),
    Equipment: _using(Equipment, (4, 3)),
    Entry: _using(Entry, (5, 3)),
    SetupLetters: _using(SetupLetters, (2, 2)),
    Level: _level,
    Stamp: _stamp,
    Erase: _using(Erase, (2, 2)),
}
"""A use of each tool that changes the house; Sight and Reach change it only by a pair, or never."""


def test_every_tool_is_tried_here() -> None:
    """No tool of the box is left out of the tests that go through them all."""
    assert set(USES) | {Sight, Reach} == set(MAP_TOOLS)


def test_keys_titles_and_topics_are_each_tools_own() -> None:
    """No two tools share a name or a shortcut; each has its page of the help."""
    for what in ("key", "title", "shortcut"):
        said = [getattr(kind, what) for kind in TOOLS]
        assert len(set(said)) == len(said), what
    assert all(kind.topic == f"editor-{kind.key}" for kind in MAP_TOOLS)


@pytest.mark.parametrize("kind", MAP_TOOLS, ids=lambda kind: kind.key)
def test_a_hint_says_what_the_buttons_do_in_one_line(kind: type[Tool]) -> None:
    """The hint fits a status bar, before and while the pointer is on the map, with every modifier."""
    desk = Desk(house())
    tool = desk.take(kind)
    for keys in (Keys(), SHIFT, CTRL, ALT):
        for square in ((0, 0), (2, 2)):
            desk.hover(square, keys)
            assert 20 < len(tool.hint) <= 125, tool.hint


@pytest.mark.parametrize("kind", USES, ids=lambda kind: kind.key)
def test_one_gesture_is_one_step_that_undo_takes_back_to_the_byte(kind: type[Tool]) -> None:
    """One press to release is one named step; undo gives the first bytes, redo the last."""
    desk = Desk(house())
    USES[kind](desk)
    assert len(desk.steps) == 1
    assert "," in desk.steps[0] or "Room" in desk.steps[0]
    last = desk.bytes
    assert last != desk.first
    desk.document.undo()
    assert desk.bytes == desk.first
    desk.document.redo()
    assert desk.bytes == last


@pytest.mark.parametrize("button", [Qt.MouseButton.LeftButton, RIGHT], ids=["left", "right"])
@pytest.mark.parametrize("kind", MAP_TOOLS, ids=lambda kind: kind.key)
def test_a_cancelled_gesture_pushes_nothing(kind: type[Tool], button: Qt.MouseButton) -> None:
    """Esc with the button down leaves bytes, stack and saved mark as they were."""
    desk = Desk(house())
    tool = desk.take(kind)
    desk.drag(desk.on(1, 1, "N"), (2, 2), (3, 3), button=button, is_released=False)
    tool.cancel()
    assert desk.bytes == desk.first
    tool.release(desk.at((3, 3)), Keys())
    assert (desk.bytes, desk.steps, desk.document.is_modified) == (desk.first, [], False)


@pytest.mark.parametrize("kind", MAP_TOOLS, ids=lambda kind: kind.key)
def test_off_the_map_no_tool_does_anything(kind: type[Tool]) -> None:
    """A click beside the map changes nothing."""
    desk = Desk(house())
    desk.take(kind)
    for button in (Qt.MouseButton.LeftButton, RIGHT):
        desk.click(desk.spot(-3, -3), button)
        desk.click(desk.spot(12, 2.5), button)
    assert (desk.bytes, desk.steps) == (desk.first, [])


# Room and brush


def test_a_room_takes_squares_from_others_and_is_named() -> None:
    """A rectangle over another room is a new room with a name of its own, and the step has name and place."""
    desk = Desk(house())
    desk.take(Room)
    desk.drag((3, 1), (4, 0))
    assert desk.plan.grid[:2] == ("...CC..", ".AACCB.")
    assert room_of(desk.plan, "C").name == "Room 1"
    assert desk.steps == ["Room 1 at 3,0"]
    assert desk.said == ["1 × 1 squares.", "2 × 2 squares."]


def test_a_new_room_is_on_the_level_of_its_neighbours() -> None:
    """Drawn beside rooms of the upper level, a room is on the upper level too."""
    desk = Desk(house())
    desk.take(Level).choose("+")
    desk.click((4, 2))
    desk.take(Room)
    desk.drag((6, 1), (6, 3))
    assert room_of(desk.plan, "C").level == room_of(desk.plan, "B").level == "upper"


def test_the_chosen_room_is_extended_and_alt_chooses() -> None:
    """Alt+click takes a room in hand, on rock none; the brush then extends it."""
    desk = Desk(house())
    desk.take(Brush)
    desk.click((4, 2), keys=ALT)
    assert desk.bench.room == "B"
    desk.drag((6, 1), (6, 3))
    assert desk.steps == ["Extend Room B at 6,1"]
    assert desk.plan.grid[1:4] == (".AAABBB", ".AAABBB", ".AAABBB")
    desk.click((0, 0), keys=ALT)
    assert desk.bench.room == ""


def test_shift_in_rock_says_why_not() -> None:
    """Shift extends the room under the pointer; in rock there is none, and the ghost says so first."""
    desk = Desk(house())
    tool = desk.take(Brush)
    desk.hover((0, 0), SHIFT)
    assert "rock" in tool.ghost.reason
    desk.click((0, 0), keys=SHIFT)
    assert desk.steps == []
    assert "rock" in desk.said[-1]


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_a_fast_stroke_has_no_gaps(size: int) -> None:
    """A stroke of two events across the map is one piece whose squares all have sides in common."""
    desk = Desk(drawn(" ".join(["." * 30] * 30)))
    desk.take(Brush).choose(str(size))
    desk.drag(desk.spot(0.2, 0.9), desk.spot(29.7, 13.4), desk.spot(3.1, 29.9))
    squares = {(x, y) for y, row in enumerate(desk.plan.grid) for x, one in enumerate(row) if one != "."}
    todo = [next(iter(squares))]
    seen = set(todo)
    while todo:
        x, y = todo.pop()
        beside = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & squares - seen
        seen |= beside
        todo += beside
    assert seen == squares
    assert {(0, 0), (29, 13), (3, 29)} <= squares
    assert len(desk.steps) == 1


def test_the_ghost_is_what_the_click_paints() -> None:
    """The squares of the ghost are those that the click paints, with every size and its twins."""
    for symmetry in ("off", "x", "half-turn"):
        for size in "1234":
            desk = Desk(drawn(" ".join(["." * 9] * 8)))
            desk.bench.set_symmetry(symmetry)
            tool = desk.take(Brush)
            tool.choose(size)
            desk.hover((1, 2))
            ghost = tool.ghost.squares
            desk.click((1, 2))
            assert {
                (x, y) for y, row in enumerate(desk.plan.grid) for x, one in enumerate(row) if one != "."
            } == {one for one in ghost if one[0] >= 0 and one[1] >= 0}


# Fill


def test_fill_stays_within_walls_and_ctrl_takes_the_whole_room() -> None:
    """A partition stops a fill; Ctrl makes the whole room another, and it is gone from the list."""
    desk = Desk(drawn("AAAA AAAA BBBB", "wall 1,0 E", "wall 1,1 E"))
    desk.take(Fill)
    desk.click((0, 0))
    assert desk.plan.grid == ("CCAA", "CCAA", "BBBB")
    assert desk.steps == ["Fill with Room 1 at 0,0"]
    desk.click((3, 0), keys=CTRL)
    assert "Shift+click" in desk.said[-1]
    desk.click((1, 2), keys=SHIFT)
    desk.click((3, 0), keys=CTRL)
    assert desk.plan.grid == ("CCBB", "CCBB", "BBBB")
    assert desk.steps[-1] == "Make Room B of Room A"
    assert [room.letter for room in desk.plan.rooms] == ["B", "C"]


def test_fill_ghosts_the_area_and_refuses_what_changes_nothing() -> None:
    """The ghost is the area; a room cannot be filled with itself."""
    desk = Desk(house())
    tool = desk.take(Fill)
    desk.hover((2, 2))
    assert len(tool.ghost.squares) == 9
    desk.bench.choose_room("A")
    desk.hover((2, 3))
    assert tool.ghost.reason == "that is Room A already"
    desk.click((2, 3), button=RIGHT)
    assert "A" not in "".join(desk.plan.grid)


# Edges


def test_a_wall_goes_straight_and_past_doors() -> None:
    """The axis is locked after half a square; a line leaves doors alone, and takes them with Shift."""
    desk = Desk(drawn("AAAAA AAAAA AAAAA", "door 2,0 S"))
    desk.take(Wall)
    desk.drag(desk.spot(0.1, 0.95), desk.spot(0.7, 1.1), desk.spot(4.9, 2.4))
    assert [desk.kind(x, 0, "S") for x in range(5)] == ["wall", "wall", "door", "wall", "wall"]
    assert desk.steps == ["Wall at 0,0 S"]
    desk.drag(desk.spot(0.1, 0.95), desk.spot(4.9, 1.1), keys=SHIFT)
    assert [desk.kind(x, 0, "S") for x in range(5)] == ["wall"] * 5
    desk.drag(desk.spot(4.9, 0.95), desk.spot(0.1, 1.1), button=RIGHT)
    assert desk.plan.edges == ()


def test_a_click_of_the_wall_tool_turns_an_edge_about() -> None:
    """A click closes an open edge and opens a closed one, between rooms and within one."""
    desk = Desk(house())
    desk.take(Wall)
    desk.click(desk.on(1, 1, "E"))
    assert desk.kind(1, 1, "E") == "wall"
    desk.click(desk.on(1, 1, "E"))
    assert desk.bytes == desk.first
    desk.click(desk.on(3, 1, "E"))
    assert desk.kind(3, 1, "E") == "open"
    assert desk.steps == ["Wall at 1,1 E", "Opening at 1,1 E", "Opening at 3,1 E"]


def test_an_opening_into_rock_is_refused() -> None:
    """A wall that keeps rock out cannot be opened; the line says why."""
    desk = Desk(house())
    tool = desk.take(Wall)
    desk.hover(desk.on(2, 1, "N"))
    assert "lead off the map" in tool.ghost.reason
    desk.click(desk.on(2, 1, "N"))
    assert desk.steps == []
    assert "lead off the map" in desk.said[-1]


def test_a_door_goes_in_and_out_and_leaves_its_wall() -> None:
    """A click puts a door into a wall, one of the other kind in its place, and takes that out again."""
    desk = Desk(house())
    tool = desk.take(Door)
    desk.click(desk.on(4, 1, "W"))
    assert desk.kind(3, 1, "E") == "door"
    tool.choose("armored")
    desk.click(desk.on(3, 1, "E"))
    assert (desk.kind(3, 1, "E"), desk.records(3, 1, "E")) == ("armored", 1)
    desk.hover(desk.on(3, 1, "E"))
    assert tool.ghost.edges == (((3, 1, "E"), "wall"),)
    desk.click(desk.on(3, 1, "E"))
    assert desk.bytes == desk.first
    assert desk.steps == ["Door at 3,1 E", "Armored door at 3,1 E", "Remove armored door at 3,1 E"]


def test_a_door_without_a_wall_is_refused_and_alt_makes_the_wall() -> None:
    """Within a room there is no wall; Alt makes a partition from wall to wall with the door in it."""
    desk = Desk(house())
    tool = desk.take(Door)
    desk.hover(desk.on(2, 2, "W"))
    assert tool.ghost.reason == "no wall here: both sides are Room A"
    desk.click(desk.on(2, 2, "W"))
    assert desk.said[-1] == "No wall here: both sides are Room A."
    assert desk.steps == []
    desk.click(desk.on(2, 2, "W"), keys=ALT)
    assert [desk.kind(1, y, "E") for y in (1, 2, 3)] == ["wall", "door", "wall"]
    assert desk.steps == ["Door at 1,2 E"]
    desk.click(desk.on(2, 2, "W"))
    assert desk.kind(1, 2, "E") == "wall"


def test_a_partition_ends_at_the_first_wall_it_meets() -> None:
    """Alt+click in one half of a parted room does not reach into the other half."""
    desk = Desk(drawn("AAAA AAAA AAAA AAAA", "wall 0,1 S", "wall 1,1 S", "wall 2,1 S", "wall 3,1 S"))
    desk.take(Door)
    desk.click(desk.on(1, 0, "E"), keys=ALT)
    assert [desk.kind(1, y, "E") for y in range(4)] == ["door", "wall", "open", "open"]


def test_a_door_may_lead_out_at_an_entry_only() -> None:
    """On the rim a door is refused, but on the side of an entry both kinds may be (4.1)."""
    desk = Desk(house())
    tool = desk.take(Door)
    desk.click(desk.on(1, 2, "W"))
    assert desk.steps == []
    for option, kind in (("plain", "door"), ("armored", "armored")):
        tool.choose(option)
        desk.click(desk.on(1, 3, "W"))
        assert desk.kind(1, 3, "W") == kind


def test_a_drop_off_is_drawn_in_a_line_and_says_when_the_levels_are_the_same() -> None:
    """A drag makes a whole drop-off; with both rooms on one level the line names the Level tool (4.42)."""
    desk = Desk(house())
    desk.take(DropOff)
    desk.drag(desk.spot(4.0, 1.1), desk.spot(4.0, 3.9))
    assert [desk.kind(3, y, "E") for y in (1, 2, 3)] == ["dropoff", "door", "dropoff"]
    assert "Level tool" in desk.said[-1]
    desk.drag(desk.spot(4.0, 3.9), desk.spot(4.0, 1.1), button=RIGHT)
    assert desk.bytes == desk.first
    assert desk.steps == ["Drop-off at 3,1 E", "Remove drop-off at 3,1 E"]
    desk.click(desk.on(1, 1, "N"))
    assert "4.42" in desk.said[-1]


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


# Rooms


def test_letters_are_typed_on_the_room_under_the_pointer() -> None:
    """S, T and J turn a letter of that room on and off; off the rooms they are shortcuts again."""
    desk = Desk(house())
    tool = desk.take(SetupLetters)
    desk.hover((2, 2))
    assert all(tool.wants_key(key, Keys()) for key in (Qt.Key.Key_S, Qt.Key.Key_T, Qt.Key.Key_J))
    assert desk.key(Qt.Key.Key_T)
    assert room_of(desk.plan, "A").setup == "SJ"
    assert desk.key(Qt.Key.Key_T)
    assert room_of(desk.plan, "A").setup == "STJ"
    assert desk.steps == ["T no more for Room A", "T for Room A"]
    desk.hover((0, 0))
    assert not tool.wants_key(Qt.Key.Key_T, Keys())
    assert not desk.key(Qt.Key.Key_T)


def test_a_drag_gives_a_letter_to_every_room_it_crosses() -> None:
    """What the first room needs is done to all of them, in one step."""
    desk = Desk(house())
    desk.take(SetupLetters).choose("J")
    desk.drag((1, 2), (5, 2))
    assert [room.setup for room in desk.plan.rooms] == ["ST", "ST"]
    assert desk.steps == ["J no more for Room A"]


def test_levels_are_offered_as_they_come_up() -> None:
    """A new level has a name at once; once used it is offered, and the next new one has another name."""
    desk = Desk(house())
    tool = desk.take(Level)
    assert tool.options == (("lower", "lower"), ("+", "new: upper"))
    tool.choose("+")
    desk.click((4, 2))
    assert room_of(desk.plan, "B").level == "upper"
    assert tool.option == "upper"
    assert tool.options[-1] == ("+", "new: level 3")
    assert desk.steps == ["Room B on level upper"]


# Sight and reach


def test_sight_is_on_show_while_its_tool_is_in_hand() -> None:
    """The overlay comes with the tool and goes with it; the right button holds a square."""
    desk = Desk(house())
    desk.take(Sight)
    seen = [(desk.bench.overlay, desk.bench.overlay_from)]
    desk.bench.overlayChanged.connect(lambda: seen.append((desk.bench.overlay, desk.bench.overlay_from)))
    desk.click((2, 2), button=RIGHT)
    desk.click((2, 2), button=RIGHT)
    assert seen == [("sight", None), ("sight", (2, 2)), ("sight", None)]
    tool = desk.take(Reach)
    tool.choose("7")
    assert (desk.bench.points, tool.option) == (7, "7")
    desk.click((4, 2))
    desk.take(Room)
    assert seen[-2:] == [("reach", (4, 2)), ("off", None)]
    assert desk.steps == []


def test_two_clicks_part_the_sight_of_two_rooms_and_two_more_join_it() -> None:
    """A pair without sight is made and unmade; a room and itself are refused; Esc forgets the first (5.9)."""
    desk = Desk(house())
    tool = desk.take(Sight)
    desk.click((2, 2))
    desk.click((1, 1))
    assert desk.said[-1] == "That is the same room."
    assert tool.cancel()
    assert not tool.cancel()
    for _ in range(2):
        desk.click((2, 2))
        desk.click((4, 2))
    assert desk.steps == ["No sight between Room A and Room B", "Sight between Room A and Room B"]
    assert desk.bytes == desk.first
    desk.document.undo()
    assert desk.plan.no_sight == (("Room A", "Room B"),)


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


# Select


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


def test_a_double_click_selects_the_room_and_asks_for_its_name() -> None:
    """The window hears which room is to be named; F2 asks the same by key."""
    desk = Desk(house())
    tool = desk.take(Select)
    asked: list[str] = []
    tool.nameAsked.connect(asked.append)
    desk.click((4, 2))
    tool.double_click(desk.at((4, 2)), Keys())
    assert len(desk.bench.selection.squares) == 6
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


# Stamp


def test_a_slot_keeps_a_piece_and_stamps_it_again_and_again() -> None:
    """Ctrl+Shift+digit keeps the selection, the digit recalls it, every click puts it down."""
    desk = Desk(drawn(" ".join(["AA......"] * 2 + ["........"] * 4)))
    tool = desk.take(Stamp)
    assert not tool.recall("3")
    assert "slot 3 is empty" in desk.said[-1].lower()
    desk.bench.select(Selection(squares=frozenset({(0, 0), (1, 0), (0, 1)})))
    assert tool.store("3")
    assert desk.key(Qt.Key.Key_3)
    desk.click((4, 3))
    desk.click((6, 3))
    assert desk.plan.grid[3:5] == ("....BBCC", "....B.C.")
    assert [room.name for room in desk.plan.rooms] == ["Room A", "Room A 2", "Room A 3"]
    assert desk.steps == ["Stamp at 4,3", "Stamp at 6,3"]
    assert tool.cancel()
    assert tool.piece is None


def test_a_piece_is_turned_and_mirrored_in_hand() -> None:
    """] turns clockwise, [ back, backslash mirrors; the ghost shows what will be put down."""
    desk = Desk(drawn(" ".join(["AA......", "A.......", *["........"] * 4])))
    tool = desk.take(Stamp)
    desk.bench.select(Selection(squares=frozenset({(0, 0), (1, 0), (0, 1)})))
    desk.hover((5, 3))
    tool.duplicate()
    assert desk.key(Qt.Key.Key_BracketRight)
    assert desk.key(Qt.Key.Key_BracketLeft)
    assert desk.key(Qt.Key.Key_Backslash)
    desk.hover((5, 3))
    ring = tool.ghost.ring
    assert ring == {(5, 3), (6, 3), (6, 4)}
    assert tool.wants_key(Qt.Key.Key_Return, Keys())
    assert desk.key(Qt.Key.Key_Return)
    assert desk.plan.grid[3:5] == (".....BB.", "......B.")


def test_the_ring_comes_with_a_piece_only_with_shift() -> None:
    """Doors round a piece are put down with Shift; else only what stands inside it."""
    for keys in (Keys(), SHIFT):
        desk = Desk(house())
        tool = desk.take(Stamp)
        desk.bench.select(Selection(squares=frozenset({(3, 2)})))
        desk.hover((2, 2))
        tool.duplicate()
        desk.click((2, 2), keys=keys)
        assert desk.kind(2, 2, "E") == ("door" if keys.shift else "open")


def test_slots_are_offered_up_to_the_last_one_in_use() -> None:
    """The digit of a slot is its place in the list, and empty ones at the end are left out."""
    desk = Desk(house())
    tool = desk.take(Stamp)
    offered = [tool.options]
    desk.bench.select(Selection(squares=frozenset({(3, 2)})))
    tool.store("3")
    offered.append(tool.options)
    assert offered == [(), (("1", "empty"), ("2", "empty"), ("3", "1 × 1, 1 square"))]


def test_a_paste_comes_once_and_gives_the_tool_before_back() -> None:
    """After Ctrl+V one click puts the piece down, selected, and Select is in hand again; Esc drops it."""
    desk = Desk(house())
    select = desk.take(Select)
    stamp = Stamp(desk.bench)
    desk.drag((0, 0), (2, 2))
    assert stamp.copy()
    desk.hover((5, 3))
    assert stamp.paste()
    in_hand = [desk.bench.tool]
    assert stamp.ghost.piece is not None
    assert stamp.cancel()
    in_hand.append(desk.bench.tool)
    assert stamp.paste()
    desk.click((5, 3))
    assert [*in_hand, desk.bench.tool] == [stamp, select, select]
    assert desk.bench.selection.squares == {(5, 3), (6, 3), (5, 4), (6, 4)}
    assert desk.steps == ["Paste at 5,3"]


def test_a_copied_thing_takes_no_floor_along() -> None:
    """A copied tank or door is put down alone."""
    desk = Desk(house())
    tool = desk.take(Stamp)
    desk.bench.select(Selection(equipment=frozenset({0})))
    desk.hover((4, 3))
    tool.duplicate()
    desk.click((4, 3))
    assert [(one.x, one.y) for one in desk.plan.equipment] == [(1, 1), (5, 1), (4, 3)]
    assert desk.plan.grid == house().grid


def test_cut_and_paste_bring_a_room_back_as_itself() -> None:
    """A room that is cut and pasted has its name and letter again."""
    desk = Desk(house())
    desk.take(Select)
    stamp = Stamp(desk.bench)
    desk.hover((2, 2))
    desk.key(Qt.Key.Key_Tab)
    desk.key(Qt.Key.Key_Tab)
    assert len(desk.bench.selection.squares) == 9
    assert stamp.cut()
    assert [room.letter for room in desk.plan.rooms] == ["B"]
    stamp.paste()
    desk.click((2, 2))
    assert {room.name for room in desk.plan.rooms} == {"Room A", "Room B"}
    assert desk.plan.grid == house().grid


def test_a_foreign_clipboard_is_no_piece() -> None:
    """Text in the clipboard that is no map is refused in a line, whatever it is."""
    desk = Desk(house())
    stamp = desk.take(Stamp)
    for text in (
        "",
        "hello",
        "{}",
        "[1, 2]",
        '{"format": "kungfu2100.piece"}',
        "[grid]\n...\n",
        "x" * 5_000_000,
    ):
        QGuiApplication.clipboard().setText(text)
        assert not stamp.paste()
        assert desk.said[-1] == "Nothing of a map was copied."


def test_half_a_letter_in_the_clipboard_is_no_piece() -> None:
    """A text that no file can hold is refused like any other that is no map."""
    with pytest.raises(BadFile, match="half of a surrogate pair"):
        parse_piece("[grid]\nAA\n[rooms]\nA H\ud800ll lower -\n")


def test_a_floor_plan_in_the_clipboard_is_a_piece() -> None:
    """A plan in the text format, out of a letter or a chat, is pasted like a copy."""
    desk = Desk(house())
    stamp = desk.take(Stamp)
    text = "[grid]\nXX\n[rooms]\nX Cell upper -\n[edges]\ndoor 0,0 E\n"
    QGuiApplication.clipboard().setText(text)
    desk.hover((0, 0))
    assert stamp.paste()
    desk.click((0, 0))
    assert desk.plan.grid[0] == "XX....."
    assert desk.kind(0, 0, "E") == "door"


def test_a_copy_does_not_crash_the_program_at_its_end() -> None:
    """Copy, quit: the process ends with 0."""
    script = (
        "from PySide6.QtWidgets import QApplication\n"
        "app = QApplication([])\n"
        "from editor.selection import Selection\n"
        "from editor.tools.stamp import Stamp\n"
        "from tests.editor.test_tools import house\n"
        "from tests.helpers.bench import Desk\n"
        "desk = Desk(house())\n"
        "stamp = desk.take(Stamp)\n"
        "desk.bench.select(Selection(squares=frozenset({(1, 1)})))\n"
        "assert stamp.copy()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=Path(__file__).parents[2], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_citadel_can_be_edited_by_every_tool() -> None:
    """All uses in a row on the citadel, undone to its bytes."""
    desk = Desk(load_floorplan(CITADEL))
    for use in USES.values():
        use(desk)
    assert len(desk.steps) >= 8
    desk.undo_all()
    assert desk.bytes == desk.first
