"""What the tools for whole rooms have in common: the rooms that a stroke comes to, and their twins."""

from __future__ import annotations

from PySide6.QtCore import Qt

from editor.bench import Bench
from editor.draft import Square
from editor.edits.squares import letter_at, squares_of
from editor.edits.strokes import NEW_ROOM, crossed, twin_letter
from editor.tools.base import Ghost, Keys, Spot
from editor.tools.gestures import GestureTool
from engine.fortress.floorplan import FloorPlan, RoomInfo


class RoomsTool(GestureTool):
    """A tool that does the same to every room that a stroke comes to, once.

    Subclasses say in `made` what becomes of a room, in `named` how the step is called.
    """

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._letters: tuple[str, ...] = ()
        self._last = (0.0, 0.0)

    @property
    def room(self) -> RoomInfo | None:
        """The room under the pointer."""
        square = self.spot.square if self.spot is not None else None
        return self.plan.room_at(*square) if square is not None else None

    @property
    def ghost(self) -> Ghost:
        room = self.room
        if room is None or self.gesture is not None:
            return Ghost()
        letters = self.with_twins((room.letter,))
        ring: frozenset[Square] = frozenset().union(*(squares_of(self.plan, one) for one in letters))
        return Ghost(ring=ring)

    def made(self, plan: FloorPlan, room: RoomInfo) -> FloorPlan:
        """Return the plan with a room as the stroke makes it."""
        raise NotImplementedError

    def named(self, room: RoomInfo) -> str:
        """Return the text of a stroke that begins at a room."""
        raise NotImplementedError

    def begins(self, room: RoomInfo, *, is_right: bool) -> None:
        """Decide at the stroke's first room what it does to all."""

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        room = self.room
        if room is None:
            self.refuse("there is no room")
            return
        self.begins(room, is_right=button == Qt.MouseButton.RightButton)
        self._letters, self._last = (), (spot.x, spot.y)
        self.begin(self.named(room))
        self.go_on(spot, keys)

    def go_on(self, spot: Spot, keys: Keys) -> None:
        here = (spot.x, spot.y)
        passed = (letter_at(self.plan, square) for square in crossed(self._last, here))
        self._last = here
        before = self._letters
        self._letters = self.with_twins((*before, *passed))
        if self._letters != before:
            self.do_rooms()

    def do_rooms(self) -> None:
        """Show what becomes of the rooms."""
        gesture = self.gesture
        if gesture is None:
            return
        plan = gesture.before.plan
        for room in gesture.before.plan.rooms:
            if room.letter in self._letters:
                plan = self.made(plan, room)
        self.show(plan)

    def with_twins(self, letters: tuple[str, ...]) -> tuple[str, ...]:
        """Return the letters of rooms with those of their twins, once each."""
        listed = {room.letter for room in self.plan.rooms}
        found = dict.fromkeys(letters)
        if self.bench.symmetry != "off":
            found |= dict.fromkeys(twin_letter(self.plan, one, self.bench.symmetry) for one in letters)
        return tuple(one for one in found if one in listed and one != NEW_ROOM)
