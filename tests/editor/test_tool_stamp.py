"""The tool that copies, turns and stamps pieces of the map."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from editor.edits.stamping import parse_piece
from editor.selection import Selection
from editor.tools.base import Keys
from editor.tools.select import Select
from editor.tools.stamp import Stamp
from engine.core.files import BadFile
from tests.helpers.bench import Desk
from tests.helpers.plans import drawn, house

SHIFT = Keys(shift=True)
pytestmark = pytest.mark.usefixtures("qapp")


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
