"""Tools that draw edges: walls, doors, drop-offs."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from editor.tools.base import Keys
from editor.tools.door import Door
from editor.tools.dropoff import DropOff
from editor.tools.wall import Wall
from tests.helpers.bench import RIGHT, Desk
from tests.helpers.plans import drawn, house

SHIFT, ALT = Keys(shift=True), Keys(alt=True)
pytestmark = pytest.mark.usefixtures("qapp")


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


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        (("lower", "lower"), "are both on level lower"),
        (("east wing", "upper"), "do not tell which is"),
        (("level 3", "upper"), ""),
    ],
)
def test_a_drop_off_without_a_high_side_says_what_to_do(levels: tuple[str, str], words: str) -> None:
    """Levels of one height, or of names that tell no height, leave it open which side is high (4.42)."""
    plan = house()
    rooms = tuple(
        replace(room, level=levels["AB".index(room.letter)]) if room.letter in "AB" else room
        for room in plan.rooms
    )
    desk = Desk(replace(plan, rooms=rooms))
    desk.take(DropOff)
    desk.click(desk.on(3, 2, "E"))
    assert desk.kind(3, 2, "E") == "dropoff"
    assert (words in desk.said[-1]) if words else not any("level" in said for said in desk.said)
