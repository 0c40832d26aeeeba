"""The tools that show who sees and reaches what, and part the sight of rooms."""

from __future__ import annotations

import pytest

from editor.bench import Walk
from editor.tools.reach import Reach
from editor.tools.room import Room
from editor.tools.sight import Sight
from tests.helpers.bench import RIGHT, Desk
from tests.helpers.plans import house

pytestmark = pytest.mark.usefixtures("qapp")


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
    assert (desk.bench.walk.points, tool.in_force) == (7, frozenset({"terminator", "7"}))
    desk.click((4, 2))
    desk.take(Room)
    assert seen[-2:] == [("reach", (4, 2)), ("off", None)]
    assert desk.steps == []


def test_sight_stays_on_while_drawing_and_the_tools_own_overlay_comes_first() -> None:
    """What is kept on is there with any tool, from the held square too; without it nothing is held."""
    desk = Desk(house())
    bench = desk.bench
    desk.take(Room)
    bench.keep_overlay("sight")
    bench.hold((2, 2))
    assert (bench.overlay, bench.overlay_from) == ("sight", (2, 2))
    desk.take(Reach)
    assert (bench.overlay, bench.overlay_from) == ("reach", (2, 2))
    desk.take(Sight)
    desk.take(Room)
    assert (bench.overlay, bench.overlay_from) == ("sight", (2, 2))
    bench.keep_overlay("off")
    assert (bench.overlay, bench.overlay_from) == ("off", None)


def test_reach_is_of_whoever_walks() -> None:
    """Who walks, points and armored doors are chosen one by one; M again goes on to who walks next."""
    desk = Desk(house())
    tool = desk.take(Reach)
    for option in ("clonemaster", "4", "doors"):
        tool.choose(option)
    assert desk.bench.walk == Walk("clonemaster", 4, are_doors_destroyed=True)
    assert tool.in_force == {"clonemaster", "4", "doors"}
    tool.choose("doors")
    tool.choose_next()
    assert tool.in_force == {"terminator", "4"}


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
