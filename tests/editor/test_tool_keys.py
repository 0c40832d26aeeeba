"""The tools by keyboard alone, on the canvas: cursor, Enter and Space, Insert to hold, digits, letters."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from editor.canvas.view import MapCanvas
from editor.selection import NOTHING, Selection
from editor.tools.base import Tool
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
from tests.helpers.bench import Desk
from tests.helpers.canvas import square_point
from tests.helpers.plans import house

NAMES = {"Alt": Qt.KeyboardModifier.AltModifier, "Shift": Qt.KeyboardModifier.ShiftModifier}
NAMES["Ctrl"] = Qt.KeyboardModifier.ControlModifier


def typed(canvas: MapCanvas, keys: str) -> None:
    """Press keys, "Right Alt+Up Space J"."""
    for word in keys.split():
        *held, name = word.split("+")
        modifiers = Qt.KeyboardModifier.NoModifier
        for one in held:
            modifiers |= NAMES[one]
        key = getattr(Qt.Key, f"Key_{name}")
        QTest.keyClick(canvas, key, modifiers)


def at(x: int, y: int) -> str:
    """Return the keys that bring the cursor from the north-west corner to a square."""
    return "Right " * x + "Down " * y


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    """Return a house on a bench."""
    return Desk(house())


@pytest.fixture
def canvas(desk: Desk, qtbot: QtBot) -> MapCanvas:
    """Return a canvas with the keyboard's cursor in the north-west corner."""
    made = MapCanvas(desk.bench)
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show()
    made.set_cursor((0, 0))
    return made


@pytest.mark.parametrize(
    ("kind", "keys", "steps"),
    [
        (Room, at(4, 2) + "Insert Right Down Down Insert", ["Room 1 at 4,2"]),
        (Brush, at(0, 4) + "2 Insert Right Right Right Insert", ["Room 1 at 0,4"]),
        (Fill, at(2, 2) + "Space", ["Fill with Room 1 at 2,2"]),
        (Wall, at(2, 2) + "Alt+Right Space", ["Wall at 2,2 E"]),
        (Door, at(3, 1) + "2 Alt+Right Return", ["Armored door at 3,1 E"]),
        (Door, at(2, 2) + "Alt+Left Alt+Return", ["Door at 1,2 E"]),
        (DropOff, at(3, 1) + "Alt+Right Insert Down Down Insert", ["Drop-off at 3,1 E"]),
        (Equipment, at(3, 3) + "2 BracketRight Space", ["Computer at 3,3"]),
        (Entry, at(5, 3) + "3 Space", ["Entry at 5,3"]),
        (SetupLetters, at(2, 2) + "J T", ["J no more for Room A", "T no more for Room A"]),
        (Level, at(2, 2) + "2 Space", ["Room A on level upper"]),
        (Erase, at(1, 1) + "Space Shift+Space", ["Erase tank at 1,1", "Clear square 1,1"]),
        (Sight, at(2, 2) + "Space Right Right Space", ["No sight between Room A and Room B"]),
        (Select, at(1, 1) + "Space Down", ["Move tank at 1,1 to 1,2"]),
        (Select, at(2, 1) + "Space Tab Delete", ["Delete all of Room A"]),
        (Select, at(2, 1) + "Space Ctrl+Right Shift+Space Down", ["Move 2 squares at 2,1 to 2,2"]),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else None,
)
def test_a_tool_is_used_without_a_mouse(
    desk: Desk, canvas: MapCanvas, kind: type[Tool], keys: str, steps: list[str]
) -> None:
    """The same steps as by mouse, undone to the first byte."""
    desk.take(kind)
    typed(canvas, keys)
    assert desk.steps == steps
    desk.undo_all()
    assert desk.bytes == desk.first


def test_reach_is_held_by_key(desk: Desk, canvas: MapCanvas) -> None:
    """Space holds the square under the cursor, digits choose the points."""
    desk.take(Reach)
    typed(canvas, at(2, 2) + "5 Space")
    assert (desk.bench.overlay_from, desk.bench.walk.points) == ((2, 2), 7)


def test_a_piece_is_put_down_by_key(desk: Desk, canvas: MapCanvas) -> None:
    """A copy goes with the cursor, is turned by ] and put down by Enter."""
    desk.take(Select)
    stamp = Stamp(desk.bench)
    desk.bench.select(Selection(squares=frozenset({(1, 2), (2, 2)})))
    stamp.duplicate()
    typed(canvas, at(5, 3) + "BracketRight Return")
    assert desk.steps == ["Paste at 5,3"]
    assert (desk.plan.grid[3][5], desk.plan.grid[4][5]) == ("C", "C")


def test_enter_puts_a_piece_where_the_mouse_shows_it(desk: Desk, canvas: MapCanvas) -> None:
    """With the pointer over the map, Enter means the place of the ghost, not the old cursor."""
    desk.take(Select)
    stamp = Stamp(desk.bench)
    desk.bench.select(Selection(squares=frozenset({(1, 2)})))
    stamp.duplicate()
    QTest.mouseMove(canvas.viewport(), square_point(canvas, (6, 4)))
    stamp.hover(desk.at((6, 4)), stamp.keys)
    typed(canvas, "Return")
    assert desk.steps == ["Paste at 6,4"]


def test_the_letter_of_a_tool_is_typed_into_a_room_only_with_its_tool(desk: Desk, canvas: MapCanvas) -> None:
    """S over a room with the set-up tool is the room's letter; no other tool takes it."""
    desk.take(SetupLetters)
    typed(canvas, at(2, 2) + "S")
    assert desk.steps == ["S no more for Room A"]
    desk.take(Erase)
    typed(canvas, "S")
    assert len(desk.steps) == 1


def test_a_shortcut_yields_to_a_set_up_letter(desk: Desk, canvas: MapCanvas, qtbot: QtBot) -> None:
    """Though S is the key of an action on the canvas, it is a letter while the set-up tool is in hand."""
    from PySide6.QtGui import QAction

    acted: list[bool] = []
    action = QAction("Sight", canvas)
    action.setShortcut("S")
    action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    action.triggered.connect(lambda: acted.append(True))
    canvas.addAction(action)
    canvas.activateWindow()
    canvas.setFocus()
    qtbot.waitUntil(canvas.isActiveWindow)
    desk.take(SetupLetters)
    typed(canvas, at(2, 2) + "S")
    assert (acted, desk.steps) == ([], ["S no more for Room A"])
    # Over rock too: the same key is never once a letter and once another tool.
    canvas.set_cursor((0, 0))
    typed(canvas, "S")
    assert (acted, len(desk.steps)) == ([], 1)
    desk.take(Room)
    typed(canvas, "S")
    assert acted == [True]


def test_esc_drops_a_stroke_held_by_insert(desk: Desk, canvas: MapCanvas) -> None:
    """The tool's cancel, which Esc calls, leaves nothing; the next stroke begins anew."""
    tool = desk.take(Brush)
    typed(canvas, at(0, 4) + "Insert Right Right")
    assert desk.bytes != desk.first
    assert tool.cancel()
    assert (desk.bytes, desk.steps) == (desk.first, [])
    assert desk.bench.selection == NOTHING


def test_no_tool_swallows_every_key(desk: Desk, canvas: MapCanvas) -> None:
    """F8 and other keys of the window go on to it from every tool."""
    kinds: list[Callable[..., Tool]] = [Select, Room, Brush, Fill, Wall, Door, DropOff, Equipment, Entry]
    for kind in (*kinds, SetupLetters, Level, Stamp, Erase, Sight, Reach):
        tool = kind(desk.bench)
        desk.bench.take(tool)
        for key in (Qt.Key.Key_F8, Qt.Key.Key_A, Qt.Key.Key_Home):
            assert not tool.key_press(key, tool.keys)
