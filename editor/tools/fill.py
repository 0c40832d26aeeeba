"""Fill: everything within walls, or a whole room."""

from __future__ import annotations

from PySide6.QtCore import Qt

from editor.bench import Bench
from editor.draft import Square
from editor.edits.rooms import relettered
from editor.edits.squares import area_at, letter_at, squares_of
from editor.edits.strokes import NEW_ROOM, drawn, twin_letter
from editor.edits.symmetry import twin, with_twins
from editor.tools.base import Ghost, Keys, Spot
from editor.tools.drawing import DrawingTool
from editor.tools.words import at_square, room_here, room_name
from engine.fortress.floorplan import ROCK, FloorPlan


class Fill(DrawingTool):
    """Gives a room all that lies within the same walls; with Ctrl all of another room, wherever it is."""

    key = "fill"
    title = "Fill"
    shortcut = "F"
    topic = "editor-fill"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._area: tuple[FloorPlan, frozenset[Square]] | None = None

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
        squares = self._squares_at(spot.square, is_whole=keys.ctrl)
        plan = self.plan
        shown = with_twins(squares, self.bench.symmetry, plan.width, plan.height)
        return Ghost(squares=shown, letter=self.bench.room)

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
        symmetry = self.bench.symmetry
        area = self._squares_at(square, is_whole=False)
        made, letter = drawn(plan, area, self._letter)
        if symmetry != "off":
            # The twin of an area is what lies within the walls there, not what lies within these.
            other = area_at(plan, twin(square, symmetry, plan.width, plan.height))
            mate = self._letter
            if mate not in (ROCK, NEW_ROOM):
                mate = twin_letter(plan, letter, symmetry)
            if not other & area:
                made, _ = drawn(made, other, mate)
        self.show(made)
        if self.gesture is not None:
            what = "Erase" if self._letter == ROCK else f"Fill with {room_name(made, letter)}"
            self.gesture.text = f"{what} at {at_square(square)}"

    def _whole_room(self, plan: FloorPlan, letter: str) -> FloorPlan:
        """Return the plan with a room, and its twin, made the chosen one, and its twin."""
        made = relettered(plan, letter, self._letter)
        symmetry = self.bench.symmetry
        mate = twin_letter(plan, letter, symmetry) if symmetry != "off" else NEW_ROOM
        if mate in (NEW_ROOM, letter):
            return made
        into = ROCK if self._letter == ROCK else twin_letter(plan, self._letter, symmetry) or self._letter
        return relettered(made, mate, into)

    def _squares_at(self, square: Square, *, is_whole: bool) -> frozenset[Square]:
        """Return what a click fills; an area is kept while the pointer stays in it."""
        plan = self.plan
        if is_whole:
            return frozenset(squares_of(plan, letter_at(plan, square)))
        if self._area is None or self._area[0] is not plan or square not in self._area[1]:
            self._area = plan, area_at(plan, square)
        return self._area[1]
