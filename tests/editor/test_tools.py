"""What holds for every tool: its names and hints, one gesture one step, nothing off the map."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt

from editor.selection import Selection
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
from engine.fortress.floorplan import load_floorplan
from tests.helpers.bench import RIGHT, Desk
from tests.helpers.plans import CITADEL, house

MAP_TOOLS = tuple(kind for kind in TOOLS if kind.mode == "map")
SHIFT, CTRL, ALT = Keys(shift=True), Keys(ctrl=True), Keys(alt=True)
pytestmark = pytest.mark.usefixtures("qapp")


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


def test_the_citadel_can_be_edited_by_every_tool() -> None:
    """All uses in a row on the citadel, undone to its bytes."""
    desk = Desk(load_floorplan(CITADEL))
    for use in USES.values():
        use(desk)
    assert len(desk.steps) >= 8
    desk.undo_all()
    assert desk.bytes == desk.first
