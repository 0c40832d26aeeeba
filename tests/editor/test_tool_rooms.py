"""Tools that make rooms: drawing, painting, filling, letters of the set-up, levels."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from editor.edits.rooms import room_of
from editor.tools.base import Keys
from editor.tools.brush import Brush
from editor.tools.fill import Fill
from editor.tools.level import Level
from editor.tools.room import Room
from editor.tools.setup_letters import SetupLetters
from tests.helpers.bench import RIGHT, Desk
from tests.helpers.plans import drawn, house

SHIFT, CTRL, ALT = Keys(shift=True), Keys(ctrl=True), Keys(alt=True)
pytestmark = pytest.mark.usefixtures("qapp")


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


# Rooms


def test_letters_are_typed_on_the_room_under_the_pointer() -> None:
    """S, T and J turn a letter of that room on and off; off the rooms they only take the letter in hand."""
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
    assert desk.key(Qt.Key.Key_J)
    assert tool.option == "J"
    assert len(desk.steps) == 2
    assert not tool.wants_key(Qt.Key.Key_T, CTRL)


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
