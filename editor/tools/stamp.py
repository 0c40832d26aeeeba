"""Stamp: pieces of the map copied, kept in slots, turned and put down again."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from editor.bench import Bench
from editor.draft import Draft, Square
from editor.edits.pieces import Piece, cut, mirrored, turned
from editor.edits.selected import deleted, squares_with_things
from editor.edits.squares import is_on
from editor.edits.stamping import format_piece, parse_piece, put, twin_of, without_ring
from editor.picks import described
from editor.selection import NOTHING, Selection
from editor.tools.base import Ghost, Keys, Spot, Tool
from editor.tools.gestures import GestureTool
from editor.words import at_square, counted
from engine.core.files import BadFile
from engine.fortress.floorplan import ROCK

SLOTS: Final = tuple("123456789")
LONGEST: Final = 4_000_000
"""Letters of a text in the clipboard that is still read; far more than the largest map has."""


class Stamp(GestureTool):
    """Puts pieces down. It keeps nine of them in slots, and the one that was copied in the clipboard.

    A pasted piece is put down once, then the tool before is in hand again; one of a slot again and again.
    """

    key = "stamp"
    title = "Stamp"
    shortcut = "C"
    topic = "editor-stamp"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._slots: dict[str, Piece] = {}
        self._slot = SLOTS[0]
        self._piece: Piece | None = None
        self._back_to: Tool | None = None

    # What is in hand

    @property
    def piece(self) -> Piece | None:
        """The piece in hand, as it would be put down: with Shift with what stands round it, too."""
        if self._piece is None or self.keys.shift:
            return self._piece
        return without_ring(self._piece)

    @property
    def hint(self) -> str:
        if self._piece is None:
            key = self.bench.native_key
            return (
                f"1–9: a piece from its slot · {key('keep-1')}: selection into slot 1 · {key('paste')}: paste"
            )
        return "Left or Enter: put down · Shift: with outer doors · [ ]: turn · \\: mirror · 1–9: slots"

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        last = max((at for at, slot in enumerate(SLOTS) if slot in self._slots), default=-1)
        return tuple((slot, _words(self._slots.get(slot))) for slot in SLOTS[: last + 1])

    @property
    def option(self) -> str:
        return self._slot if self._back_to is None else ""

    def choose(self, option: str) -> None:
        self.recall(option)

    @property
    def ghost(self) -> Ghost:
        piece, at = self.piece, self._corner()
        if piece is None or at is None or self.gesture is not None:
            return Ghost()
        plan = self.plan
        squares = frozenset((x + at[0], y + at[1]) for x, y in piece.squares)
        if self.bench.symmetry != "off":
            other, there = twin_of(piece, at, self.bench.symmetry, plan)
            squares |= frozenset((x + there[0], y + there[1]) for x, y in other.squares)
        ring = frozenset(one for one in squares if is_on(plan, one))
        return Ghost(piece=(piece, at), ring=ring)

    def _corner(self) -> Square | None:
        """Return where the corner of the piece would be, its middle under the pointer."""
        if self._piece is None or self.spot is None or self.spot.square is None:
            return None
        x, y = self.spot.square
        plan = self._piece.plan
        return x - (plan.width - 1) // 2, y - (plan.height - 1) // 2

    # Putting down

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        if button == Qt.MouseButton.RightButton:
            self.cancel()
        elif self._piece is None:
            self.refuse("nothing in hand: 1–9 takes a piece from its slot")
        elif spot.square is None:
            self.refuse("that is off the map")
        else:
            self.begin("Stamp")
            self.go_on(spot, keys)

    def go_on(self, spot: Spot, keys: Keys) -> None:
        gesture, piece, at = self.gesture, self.piece, self._corner()
        if gesture is None or piece is None or at is None:
            return
        gesture.text = f"{'Paste' if self._back_to else 'Stamp'} at {at_square(at)}"
        self.show(put(gesture.before.plan, piece, at, self.bench.symmetry))

    def done(self) -> None:
        piece, at, back = self.piece, self._corner(), self._back_to
        if back is None or piece is None or at is None:
            return
        self._drop()
        self.bench.take(back)
        plan = self.plan
        squares = frozenset((x + at[0], y + at[1]) for x, y in piece.squares)
        there = {(one.x + at[0], one.y + at[1]) for one in piece.plan.equipment}
        ways = {(one.x + at[0], one.y + at[1]) for one in piece.plan.entries}
        self.bench.select(
            Selection(squares=frozenset(one for one in squares if is_on(plan, one)))
            if squares
            else Selection(
                edges=frozenset((x + at[0], y + at[1], side) for (x, y, side), _ in piece.edges),
                equipment=frozenset(n for n, one in enumerate(plan.equipment) if (one.x, one.y) in there),
                entries=frozenset(n for n, one in enumerate(plan.entries) if (one.x, one.y) in ways),
            )
        )

    def cancel(self) -> bool:
        if self.take_back():
            return True
        had_piece, back = self._piece is not None, self._back_to
        self._drop()
        if back is not None:
            self.bench.take(back)
        return had_piece

    def _drop(self) -> None:
        self._piece, self._back_to = None, None
        self.optionsChanged.emit()
        self.changed.emit()

    def _hold(self, piece: Piece) -> None:
        self._piece = piece
        self.optionsChanged.emit()
        self.changed.emit()

    # Keys

    def wants_key(self, key: Qt.Key, keys: Keys) -> bool:
        """Return whether a key is for the tool: Enter puts down where the piece is shown."""
        return key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._corner() is not None

    def key_press(self, key: Qt.Key, keys: Keys) -> bool:
        at = key - Qt.Key.Key_1
        if 0 <= at < len(SLOTS) and not keys.alt:
            if keys.ctrl:
                self.store(SLOTS[at])
            else:
                self.recall(SLOTS[at])
            return True
        if self._piece is None or self.gesture is not None:
            return False
        if key in (Qt.Key.Key_BracketRight, Qt.Key.Key_BracketLeft):
            for _ in range(1 if key == Qt.Key.Key_BracketRight else 3):
                self._piece = turned(self._piece)
        elif key in (Qt.Key.Key_Backslash, Qt.Key.Key_Bar):
            upside_down = keys.shift or key == Qt.Key.Key_Bar
            self._piece = mirrored(self._piece, "y" if upside_down else "x")
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.spot is not None:
            spot = self.spot
            self.press(spot, Qt.MouseButton.LeftButton, keys)
            self.release(spot, keys)
        else:
            return False
        self.changed.emit()
        return True

    # Slots and clipboard, for the actions

    def store(self, slot: str) -> bool:
        """Keep the selection in a slot; return whether there is one."""
        piece = piece_of(self.draft, self.bench.selection)
        if piece is None:
            self.refuse("nothing is selected to keep")
            return False
        self._slots[slot] = piece
        self.optionsChanged.emit()
        self.bench.say(f"Slot {slot}: {_words(piece)}.")
        return True

    def recall(self, slot: str) -> bool:
        """Take the piece of a slot in hand; return whether there is one."""
        self._slot, self._back_to = slot, None
        piece = self._slots.get(slot)
        self._piece = piece
        if piece is None:
            self.refuse(
                f"slot {slot} is empty; {self.bench.native_key(f'keep-{slot}')} keeps the selection there"
            )
        self.optionsChanged.emit()
        self.changed.emit()
        return piece is not None

    def copy(self) -> bool:
        """Copy the selection; return whether there is one."""
        piece = piece_of(self.draft, self.bench.selection)
        if piece is None:
            self.refuse("nothing is selected to copy")
            return False
        # Text only: a QMimeData made here would crash the program at its end.
        QGuiApplication.clipboard().setText(format_piece(piece))
        self.bench.say(f"Copied: {_words(piece)}.")
        return True

    def cut(self) -> bool:
        """Copy the selection and take it away; return whether there is one."""
        chosen = self.bench.selection
        words = described(self.draft, chosen)
        if not self.copy():
            return False
        self.document.apply(
            f"Cut {words[:1].lower()}{words[1:]}", deleted(self.draft, chosen, self.bench.symmetry)
        )
        self.bench.select(NOTHING)
        return True

    def paste(self) -> bool:
        """Take what was copied in hand, to be put down once; return whether there is anything."""
        text = QGuiApplication.clipboard().text()
        try:
            piece = parse_piece(text if len(text) <= LONGEST else "")
        except BadFile:
            self.refuse("nothing of a map was copied")
            return False
        self._take(piece)
        return True

    def duplicate(self) -> bool:
        """Take a copy of the selection in hand, to be put down once; return whether there is one."""
        piece = piece_of(self.draft, self.bench.selection)
        if piece is None:
            self.refuse("nothing is selected to copy")
            return False
        self._take(piece)
        return True

    def _take(self, piece: Piece) -> None:
        """Take a piece in hand, at the pointer of the tool before, which comes back afterwards."""
        before = self.bench.tool
        if before is not self:
            self.bench.take(self)
            if before is not None:
                self.spot, self.keys = before.spot, before.keys
        elif self._back_to is not None:
            before = self._back_to
        self._back_to = before if before is not self else None
        self._hold(piece)


def piece_of(draft: Draft, chosen: Selection) -> Piece | None:
    """Return what is selected as a piece; None where nothing of the map is."""
    plan = draft.plan
    map_only = chosen._replace(placements=frozenset(), figures=frozenset())
    squares = squares_with_things(draft, map_only)
    if not squares:
        return None
    whole, (left, top) = cut(plan, squares, with_ring=True)
    inside = frozenset((x - left, y - top) for x, y in chosen.squares)
    equipment = {(plan.equipment[at].x - left, plan.equipment[at].y - top) for at in chosen.equipment}
    entries = {(plan.entries[at].x - left, plan.entries[at].y - top) for at in chosen.entries}
    own = frozenset((x - left, y - top, side) for x, y, side in chosen.edges)
    small = whole.plan
    grid = tuple(
        "".join(letter if (x, y) in inside else ROCK for x, letter in enumerate(row))
        for y, row in enumerate(small.grid)
    )
    letters = set().union(*grid)
    bare = replace(
        small,
        grid=grid,
        rooms=tuple(room for room in small.rooms if room.letter in letters),
        equipment=tuple(one for one in small.equipment if (one.x, one.y) in inside | equipment),
        entries=tuple(one for one in small.entries if (one.x, one.y) in inside | entries),
    )
    edges = tuple(
        (edge, kind)
        for edge, kind in whole.edges
        if edge in own or (edge[0], edge[1]) in inside or _other(edge) in inside
    )
    return whole._replace(plan=bare, squares=inside, edges=edges)


def _other(edge: tuple[int, int, str]) -> Square:
    x, y, side = edge
    return (x + 1, y) if side == "E" else (x, y + 1)


def _words(piece: Piece | None) -> str:
    """Return what a piece is in words."""
    if piece is None:
        return "empty"
    size = f"{piece.plan.width} × {piece.plan.height}"
    things = len(piece.plan.equipment) + len(piece.plan.entries)
    what = counted(len(piece.squares), "square") if piece.squares else "no floor"
    return f"{size}, {what}" + (f", {counted(things, 'thing')}" if things else "")
