"""Fill: everything within walls, or a whole room."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt

from editor.bench import Bench
from editor.draft import Square
from editor.edits.rooms import relettered
from editor.edits.squares import area_at, letter_at, squares_of
from editor.edits.strokes import NEW_ROOM, drawn, twin_letter
from editor.edits.symmetry import Symmetry, twin
from editor.tools.base import Ghost, Keys, Spot
from editor.tools.drawing import DrawingTool
from editor.words import at_square, room_here, room_name
from engine.fortress.floorplan import ROCK, FloorPlan


class _Kept(NamedTuple):
    """What the last click or ghost was about."""

    plan: FloorPlan
    symmetry: Symmetry
    area: frozenset[Square]
    other: frozenset[Square]


class Fill(DrawingTool):
    """Gives a room all that lies within the same walls; with Ctrl all of another room, wherever it is."""

    key = "fill"
    title = "Fill"
    shortcut = "F"
    topic = "editor-fill"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._kept: _Kept | None = None

    @property
    def hint(self) -> str:
        room = room_name(self.plan, self.bench.room)
        return f"Left: fill with {room} up to walls · Right: rock · Ctrl: the whole room · Shift: pick a room"

    @property
    def ghost(self) -> Ghost:
        spot, keys = self.spot, self.keys
        if spot is None or spot.square is None or self.gesture is not None:
            return Ghost()
        if self.picks(keys):
            return Ghost(ring=frozenset((spot.square,)))
        reason = self.why_not(spot.square, keys)
        if reason:
            return Ghost(squares=frozenset((spot.square,)), reason=reason)
        if keys.ctrl and letter_at(self.plan, spot.square) != ROCK:
            letters = self._whole_rooms(self.plan, letter_at(self.plan, spot.square))
            squares = frozenset(one for letter in letters for one in squares_of(self.plan, letter))
        else:
            area, other = self._areas(spot.square)
            squares = area | other
        return Ghost(squares=squares, letter=self.bench.room)

    def picks(self, keys: Keys) -> bool:
        return keys.alt or keys.shift

    def target(self, square: Square | None, keys: Keys) -> str:
        return self.bench.room

    def why_not(self, square: Square | None, keys: Keys) -> str:
        if square is None:
            return "that is off the map"
        if self.picks(keys):
            return ""
        here = letter_at(self.plan, square)
        if keys.ctrl and self.bench.room == NEW_ROOM and here != ROCK:
            return f"{room_here(self.plan, square)} is a room; Shift+click chooses what to make of it"
        if here == self.bench.room:
            return f"that is {room_here(self.plan, square)} already"
        return ""

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        square = spot.square
        if square is None:
            self.refuse(self.why_not(square, keys))
            return
        super().start(spot, button, keys)
        gesture = self.gesture
        if gesture is None:
            return
        plan, here = self.plan, letter_at(self.plan, square)
        if keys.ctrl and here != ROCK and self._letter != NEW_ROOM:
            text = "Erase" if self._letter == ROCK else f"Make {room_name(plan, self._letter)} of"
            gesture.text = f"{text} {room_here(plan, square)}"
            self.show(self._whole_room(plan, here))
        else:
            self._squares = frozenset()
            self._fill(plan, square)

    def _fill(self, plan: FloorPlan, square: Square) -> None:
        """Show an area and its twin filled."""
        area, other = self._areas(square)
        made, letter = drawn(plan, area, self._letter)
        if other:
            is_new = self._letter in (ROCK, NEW_ROOM)
            mate = self._letter if is_new else twin_letter(plan, letter, self.bench.symmetry)
            made, _ = drawn(made, other, mate)
        self.show(made)
        if self.gesture is not None:
            what = "Erase" if self._letter == ROCK else f"Fill with {room_name(made, letter)}"
            self.gesture.text = f"{what} at {at_square(square)}"

    def _whole_room(self, plan: FloorPlan, letter: str) -> FloorPlan:
        """Return the plan with a room, and its twin, made the chosen one, and its twin."""
        letter, *mates = self._whole_rooms(plan, letter)
        made = relettered(plan, letter, self._letter)
        for mate in mates:
            into = ROCK if self._letter == ROCK else twin_letter(plan, self._letter, self.bench.symmetry)
            made = relettered(made, mate, into or self._letter)
        return made

    def _whole_rooms(self, plan: FloorPlan, letter: str) -> tuple[str, ...]:
        """Return a room with its twin, if that is another one."""
        mate = twin_letter(plan, letter, self.bench.symmetry) if self.bench.symmetry != "off" else NEW_ROOM
        return (letter,) if mate in (NEW_ROOM, letter) else (letter, mate)

    def _areas(self, square: Square) -> tuple[frozenset[Square], frozenset[Square]]:
        """Return what lies within the same walls, and within those round the twin if that is elsewhere.

        They are kept while the pointer stays within.
        """
        plan, symmetry = self.plan, self.bench.symmetry
        kept = self._kept
        if kept is None or kept.plan is not plan or kept.symmetry != symmetry or square not in kept.area:
            area = area_at(plan, square)
            other: frozenset[Square] = frozenset()
            if symmetry != "off":
                other = area_at(plan, twin(square, symmetry, plan.width, plan.height))
            kept = self._kept = _Kept(plan, symmetry, area, frozenset() if other & area else other)
        return kept.area, kept.other
