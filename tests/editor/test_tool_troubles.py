"""What users of other editors suffered from, tried with our tools."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from editor.draft import Draft, format_draft
from editor.edits import whole
from editor.edits.symmetry import Symmetry
from editor.selection import Selection
from editor.tools.base import Keys
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
from engine.fortress.board import compile_board
from engine.fortress.floorplan import COMPASS, FloorPlan, load_floorplan, parse_floorplan
from engine.fortress.plan_text import parse_floorplan_text
from engine.fortress.problems import problems
from tests.helpers.bench import RIGHT, Desk
from tests.helpers.plans import CITADEL, drawn

SHIFT, CTRL, ALT = Keys(shift=True), Keys(ctrl=True), Keys(alt=True)
pytestmark = pytest.mark.usefixtures("qapp")


def rock(width: int, height: int) -> FloorPlan:
    """Return a map of nothing but rock."""
    return FloorPlan(name="rock", grid=("." * width,) * height, rooms=())


# Walls from rooms, doors on edges


def test_a_new_room_beside_a_door_keeps_the_door() -> None:
    """A room drawn to the south of a door lays no wall over it."""
    desk = Desk(drawn("AAA ... ...", "door 1,0 S"))
    desk.take(Room)
    desk.drag((0, 1), (2, 2))
    assert desk.kind(1, 0, "S") == "door"
    assert desk.records(1, 0, "S") == 1


def test_drawing_elsewhere_keeps_an_armored_door_armored() -> None:
    """Brush, wall and erase far off leave an armored door as it is."""
    desk = Desk(drawn("AABB.... AABB....", "armored 1,0 E"))
    desk.take(Brush)
    desk.drag((6, 0), (7, 1))
    desk.take(Wall)
    desk.drag(desk.spot(0.1, 1.0), desk.spot(1.9, 1.0))
    desk.take(Erase)
    desk.click((7, 1))
    assert len(desk.steps) == 3
    assert desk.kind(1, 0, "E") == "armored"


def test_a_neighbour_has_a_wall_and_an_extended_room_has_none() -> None:
    """A second rectangle beside the first is parted from it; with Shift, begun in it, it is the same room."""
    desk = Desk(rock(6, 4))
    desk.take(Room)
    desk.drag((0, 0), (1, 1))
    desk.drag((2, 0), (3, 1))
    assert desk.kind(1, 0, "E") == "wall"
    desk.drag((1, 1), (2, 3), keys=SHIFT)
    assert desk.plan.grid == ("AABB..", "AAAB..", ".AA...", ".AA...")
    assert desk.kind(1, 1, "E") == "open"


def test_a_hole_has_four_walls_and_the_outer_twenty_stay() -> None:
    """The middle of a 5 by 5 room erased leaves its other walls alone."""
    desk = Desk(rock(7, 7))
    desk.take(Room)
    desk.drag((1, 1), (5, 5))
    desk.take(Erase)
    desk.click((3, 3))
    assert all(desk.kind(3, 3, side) == "wall" for side in COMPASS)
    inside = [(x, y) for x in range(1, 6) for y in range(1, 6) if (x, y) != (3, 3)]
    assert sum(desk.kind(x, y, side) == "wall" for x, y in inside for side in COMPASS) == 24


def test_a_door_clicked_near_an_edge_is_exactly_on_it_and_blocks_sight() -> None:
    """A click a fifth of a square from the edge: the door is on the edge, and an armored one blocks sight."""
    desk = Desk(drawn("AABB"))
    desk.take(Door).choose("armored")
    desk.click(desk.spot(1.8, 0.4))
    assert desk.kind(1, 0, "E") == "armored"
    board = compile_board(desk.plan)
    assert not board.sees(0, 3, 0)
    assert board.sees(0, 3, 1)


def test_an_edge_has_one_record_whatever_was_set_on_it() -> None:
    """A door in a drawn wall takes its place; walls and doors set again and again are one record."""
    desk = Desk(drawn("AAAA AAAA"))
    desk.take(Wall)
    desk.drag(desk.spot(0, 1), desk.spot(4, 1))
    door = desk.take(Door)
    for option in ("plain", "armored"):
        door.choose(option)
        desk.click(desk.on(2, 0, "S"))
        assert desk.records(2, 0, "S") == 1
    desk.take(Wall)
    for _ in range(2):
        desk.drag(desk.spot(0, 1), desk.spot(4, 1), keys=SHIFT)
    assert [desk.records(x, 0, "S") for x in range(4)] == [1, 1, 1, 1]


def test_an_edge_given_twice_in_a_text_is_one_edge_and_one_warning() -> None:
    """An import with a doubled edge warns once; the first step leaves one record."""
    plan = parse_floorplan_text(
        "[grid]\nAABB\n[rooms]\nA Ann lower STJ\nB Bob lower STJ\n[edges]\ndoor 1,0 E\ndoor 2,0 W\n"
    )
    assert [one.code for one in problems(plan)].count("edge-twice") == 1
    desk = Desk(plan)
    desk.take(SetupLetters)
    desk.click((0, 0))
    assert desk.records(1, 0, "E") == 1


@pytest.mark.parametrize("spot", [(1.1, 1.1), (5.5, 5.9), (8.2, 3.7), (9.9, 9.9)])
def test_a_pasted_piece_is_on_the_grid_wherever_the_pointer_is(spot: tuple[float, float]) -> None:
    """A 3 by 3 copy with doors and a partition: every edge on the same side of the same square."""
    plan = drawn(
        "AAB....... AAB....... AAB....... .......... .......... .......... .......... .......... .......... "
        "..........",
        "door 1,0 E",
        "armored 1,2 E",
        "wall 0,1 S",
    )
    desk = Desk(plan)
    tool = desk.take(Stamp)
    desk.bench.select(Selection(squares=frozenset((x, y) for x in range(3) for y in range(3))))
    desk.hover(desk.spot(*spot))
    tool.duplicate()
    assert tool.ghost.piece is not None
    left, top = tool.ghost.piece[1]
    desk.click(desk.spot(*spot))
    for x in range(3):
        for y in range(3):
            if x < 2 and left + x + 1 < 10 and top + y < 10:
                assert desk.kind(left + x, top + y, "E") == plan.edge_kind(x, y, "E")
            if y < 2 and top + y + 1 < 10 and left + x < 10:
                assert desk.kind(left + x, top + y, "S") == plan.edge_kind(x, y, "S")


def test_walls_after_undo_and_after_esc_start_anew() -> None:
    """Three walls, undo, another wall; Esc or the other button amid a wall commits nothing."""
    desk = Desk(drawn("AAAAA AAAAA AAAAA AAAAA"))
    tool = desk.take(Wall)
    for y in (1, 2, 3):
        desk.drag(desk.spot(0, y), desk.spot(5, y))
    desk.document.undo()
    assert tool.gesture is None
    desk.drag(desk.spot(2, 0), desk.spot(2, 4))
    assert len(desk.steps) == 3
    assert [desk.kind(1, y, "E") for y in range(4)] == ["wall"] * 4
    before = desk.bytes
    desk.drag(desk.spot(4, 0), desk.spot(4, 2), is_released=False)
    assert desk.bytes != before
    tool.cancel()
    tool.move(desk.spot(4, 3), Keys())
    tool.release(desk.spot(4, 3), Keys())
    desk.drag(desk.spot(4, 0), desk.spot(4, 2), is_released=False)
    tool.press(desk.spot(4, 2), RIGHT, Keys())
    tool.release(desk.spot(4, 3), Keys())
    desk.drag(desk.spot(4, 0), desk.spot(4, 2), is_released=False)
    desk.document.undo()
    tool.move(desk.spot(4, 3), Keys())
    tool.release(desk.spot(4, 3), Keys())
    assert (desk.bytes, len(desk.steps)) == (before, 3)


# Undo


def test_two_drags_are_two_steps_and_a_long_one_is_one() -> None:
    """Drag, release, drag are two steps; one drag over thirty squares is one."""
    desk = Desk(rock(40, 3))
    desk.take(Brush)
    desk.drag(*((x, 0) for x in range(30)))
    assert len(desk.steps) == 1
    desk.drag((0, 2), (3, 2))
    assert len(desk.steps) == 2


def test_a_painted_room_and_all_that_follows_from_it_is_one_step() -> None:
    """A room painted over another, whose last square it takes: one undo brings back squares, walls, list."""
    desk = Desk(drawn("AAB BBB", "door 1,0 E", no_sight="AB"))
    desk.take(Room)
    desk.drag((0, 0), (2, 0))
    assert [room.letter for room in desk.plan.rooms] == ["B", "C"]
    assert desk.plan.no_sight == ()
    desk.document.undo()
    assert (desk.bytes, desk.steps) == (desk.first, [])


def test_looking_and_choosing_never_dirty_the_map() -> None:
    """Select, overlays, options, the room in hand and symmetry are no changes."""
    desk = Desk(load_floorplan(CITADEL))
    select = desk.take(Select)
    desk.click((3, 3))
    desk.drag((3, 3), (8, 8), keys=SHIFT)
    desk.key(Qt.Key.Key_Tab)
    select.select_all()
    desk.take(Sight)
    desk.click((11, 11), button=RIGHT)
    desk.take(Reach).choose("7")
    desk.click((11, 11))
    desk.take(Level).choose("+")
    desk.take(Brush).choose("4")
    desk.click((3, 3), keys=ALT)
    desk.bench.set_symmetry("x")
    stamp = desk.take(Stamp)
    stamp.store("1")
    stamp.copy()
    stamp.recall("1")
    desk.hover((5, 5))
    assert (desk.document.is_modified, desk.steps, desk.bytes) == (False, [], desk.first)


def test_undo_to_the_saved_step_is_clean(tmp_path: Path) -> None:
    """A step makes dirty, a save clean, undo past it dirty, redo to it clean."""
    desk = Desk(rock(4, 4))
    desk.take(Brush)
    desk.click((0, 0))
    assert desk.document.is_modified
    desk.document.mark_saved(tmp_path / "map.json")
    states = [desk.document.is_modified]
    desk.click((1, 1))
    states.append(desk.document.is_modified)
    desk.document.undo()
    states.append(desk.document.is_modified)
    desk.document.undo()
    states.append(desk.document.is_modified)
    assert states == [False, True, False, True]


def test_copy_paste_undo_ten_times() -> None:
    """Copy, paste, undo, paste, undo, again and again: no error, and the map is as it was."""
    desk = Desk(drawn("AAB... AAB... ......", "door 1,0 E", things="tank 0,0", entries="0,1 W"))
    select = desk.take(Select)
    stamp = Stamp(desk.bench)
    for _ in range(10):
        desk.bench.select(Selection(squares=frozenset((x, y) for x in range(3) for y in range(2))))
        assert stamp.copy()
        for place in ((4, 1), (5, 2)):
            desk.hover(place)
            assert stamp.paste()
            desk.click(place)
            assert desk.bench.tool is select
            desk.document.undo()
    assert desk.bytes == desk.first


def test_a_deleted_entry_does_not_come_back_with_a_paste() -> None:
    """Delete an entry, copy its square, paste: no entry."""
    desk = Desk(drawn("AA..", entries="0,0 W"))
    desk.take(Erase)
    desk.click((0, 0))
    assert desk.plan.entries == ()
    stamp = desk.take(Stamp)
    desk.bench.select(Selection(squares=frozenset({(0, 0)})))
    desk.hover((3, 0))
    stamp.duplicate()
    desk.click((3, 0))
    assert desk.plan.grid == ("AA.B",)
    assert desk.plan.entries == ()


@pytest.mark.parametrize("way", ["mirror x", "mirror y", "turn", "larger", "smaller"])
def test_changes_of_the_whole_map_are_undone_to_the_byte(way: str) -> None:
    """Each is one step, and undo gives the first bytes."""
    desk = Desk(load_floorplan(CITADEL))
    draft = desk.document.draft
    made = {
        "mirror x": lambda: whole.mirrored(draft, "x"),
        "mirror y": lambda: whole.mirrored(draft, "y"),
        "turn": lambda: whole.turned(draft),
        "larger": lambda: whole.resized(draft, 1, 2, 3, 4),
        "smaller": lambda: whole.resized(draft, -4, -1, 0, -2),
    }[way]()
    assert desk.document.apply(way, made)
    assert desk.bytes != desk.first
    assert desk.steps == [way]
    desk.document.undo()
    assert desk.bytes == desk.first


def test_a_stroke_that_begins_on_its_own_colour_is_undone_whole() -> None:
    """Begun in the room that it extends, a stroke into others is one step and comes back whole."""
    desk = Desk(drawn("AABB AABB"))
    desk.take(Brush)
    desk.drag((0, 0), (1, 0), (3, 0), (3, 1), keys=SHIFT)
    assert desk.plan.grid == ("AAAA", "AABA")
    desk.document.undo()
    assert (desk.bytes, desk.steps) == (desk.first, [])


def test_a_merge_of_rooms_is_undone_whole() -> None:
    """All of a room made another: squares, list, pairs without sight come back to the byte."""
    desk = Desk(drawn("AABB CCBB", "door 1,0 E", no_sight="AC AB"))
    desk.take(Fill)
    desk.bench.choose_room("B")
    desk.click((0, 0), keys=CTRL)
    assert desk.plan.grid == ("BBBB", "CCBB")
    desk.document.undo()
    assert desk.bytes == desk.first


def test_a_cancelled_or_undone_move_leaves_no_trace_in_the_file() -> None:
    """Move a part of the citadel, Esc; move it and undo: it loads, and is what it was."""
    desk = Desk(load_floorplan(CITADEL))
    tool = desk.take(Select)
    desk.drag((31, 15), (16, 5))
    squares = desk.bench.selection
    assert len(squares.squares) > 100
    desk.drag((18, 6), (10, 9), is_released=False)
    assert desk.bytes != desk.first
    assert parse_floorplan(format_draft(Draft(desk.plan))) == desk.plan
    tool.cancel()
    assert (desk.bytes, desk.bench.selection) == (desk.first, squares)
    desk.drag((18, 6), (10, 9))
    assert parse_floorplan(desk.bytes) == desk.plan
    desk.document.undo()
    assert desk.bytes == desk.first
    assert parse_floorplan(desk.bytes) == load_floorplan(CITADEL)


# Symmetry


def _mirror(plan: FloorPlan, symmetry: Symmetry) -> Draft:
    draft = Draft(plan)
    if symmetry in ("x", "half-turn"):
        draft = whole.mirrored(draft, "x")
    if symmetry in ("y", "half-turn"):
        draft = whole.mirrored(draft, "y")
    return draft


def _shape(plan: FloorPlan) -> tuple[object, ...]:
    """Return what a map is apart from letters and names: which squares are one room, what stands where."""
    squares = [(x, y) for y in range(plan.height) for x in range(plan.width)]
    first: dict[str, int] = {}
    letters = [plan.grid[y][x] for x, y in squares]
    rooms = [-1 if one == "." else first.setdefault(one, n) for n, one in enumerate(letters)]
    kinds = [plan.edge_kind(x, y, side) for x, y in squares for side in COMPASS]
    setups = [room.setup if (room := plan.room_at(x, y)) else "-" for x, y in squares]
    levels = [room.level if (room := plan.room_at(x, y)) else "-" for x, y in squares]
    return (
        rooms,
        kinds,
        setups,
        levels,
        sorted((one.kind, one.x, one.y, str(one.side)) for one in plan.equipment),
        sorted((one.x, one.y, str(one.side), one.enter, one.leave) for one in plan.entries),
    )


def _draw_a_fortress(desk: Desk) -> None:
    """Use every tool on one half of the map, and across the middle."""
    desk.take(Room)
    desk.drag((0, 0), (1, 1))
    desk.drag((0, 2), (2, 3))
    desk.drag((2, 0), (4, 1))
    desk.take(Brush)
    desk.drag((0, 4), (1, 5), (3, 5))
    desk.click((0, 6))
    desk.take(Wall)
    desk.drag(desk.spot(1, 2), desk.spot(1, 4))
    door = desk.take(Door)
    desk.click(desk.on(1, 1, "E"))
    door.choose("armored")
    desk.click(desk.on(0, 1, "S"))
    desk.take(DropOff)
    desk.drag(desk.spot(0.1, 4.0), desk.spot(1.9, 4.0))
    equipment = desk.take(Equipment)
    desk.click((2, 2))
    equipment.choose("computer")
    desk.click(desk.on(0, 0, "N"))
    entry = desk.take(Entry)
    entry.choose("3-0")
    desk.click(desk.on(0, 2, "W"))
    desk.take(SetupLetters).choose("J")
    desk.click((0, 0))
    desk.take(Level).choose("+")
    desk.click((0, 0))


@pytest.mark.parametrize("symmetry", ["x", "y", "half-turn"])
@pytest.mark.parametrize(("width", "height"), [(7, 7), (8, 8), (7, 8), (8, 7)])
def test_what_is_drawn_with_symmetry_is_its_own_mirror(symmetry: Symmetry, width: int, height: int) -> None:
    """On odd and even maps, rooms, doors and their kinds, equipment, entries, letters and levels."""
    desk = Desk(rock(width, height))
    desk.bench.set_symmetry(symmetry)
    _draw_a_fortress(desk)
    plan = desk.plan
    assert _shape(_mirror(plan, symmetry).plan) == _shape(plan)
    assert len(desk.steps) >= 13
    assert len({one.kind for one in plan.equipment}) == 2
    assert len(plan.entries) in (1, 2)
    desk.undo_all()
    assert desk.bytes == desk.first


@pytest.mark.parametrize("symmetry", ["x", "y", "half-turn"])
def test_moving_deleting_and_stamping_keep_the_mirror(symmetry: Symmetry) -> None:
    """Select moves the twin the twin way, Delete takes it too, Stamp puts it down mirrored, one step each."""
    desk = Desk(rock(16, 16))
    desk.bench.set_symmetry(symmetry)
    _draw_a_fortress(desk)
    stamp = desk.take(Stamp)
    desk.bench.select(Selection(squares=frozenset((x, y) for x in range(2) for y in range(2))))
    desk.hover((6, 6))
    stamp.duplicate()
    count = len(desk.steps)
    desk.click((5, 5))
    desk.take(Select)
    desk.bench.select(Selection(squares=frozenset((x, y) for x in (5, 6) for y in (5, 6))))
    desk.drag((5, 5), (5, 4))
    desk.drag((5, 4), (4, 4))
    assert len(desk.steps) == count + 3
    assert _shape(_mirror(desk.plan, symmetry).plan) == _shape(desk.plan)
    desk.bench.select(Selection(squares=frozenset({(0, 0), (1, 0)})))
    desk.key(Qt.Key.Key_Delete)
    desk.take(Erase)
    desk.click((2, 2))
    desk.drag((0, 2), (1, 2))
    desk.take(Fill)
    desk.click((4, 0))
    assert len(desk.steps) == count + 7
    assert _shape(_mirror(desk.plan, symmetry).plan) == _shape(desk.plan)
    desk.undo_all()
    assert desk.bytes == desk.first
