"""Sight: what is seen from a square, and pairs of rooms that do not see one another (5.2, 5.9)."""

from __future__ import annotations

from PySide6.QtCore import Qt

from editor.bench import Bench
from editor.draft import Square
from editor.edits.rooms import has_sight_pair, with_sight_pair
from editor.edits.squares import squares_of
from editor.edits.strokes import twin_letter
from editor.tools.base import Ghost, Keys, Spot
from editor.tools.looking import LookingTool
from engine.fortress.floorplan import RoomInfo


class Sight(LookingTool):
    """Shows what is seen from the pointer; clicks on two rooms part their sight, or join it again."""

    key = "sight"
    title = "Sight"
    shortcut = "S"
    topic = "editor-sight"
    shows = "sight"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._first = ""

    @property
    def _first_room(self) -> RoomInfo | None:
        """The room that was clicked first, if it is still there."""
        return next((room for room in self.plan.rooms if room.letter == self._first), None)

    @property
    def hint(self) -> str:
        first = self._first_room
        if first is not None:
            return f"Left: the other room; no sight between it and {first.name}, or again · Esc: neither"
        return (
            "Point: what is seen from there · Left: two rooms without sight · Right: hold this square · "
            f"{self.bench.native_key('keep-sight')}: keep it on"
        )

    @property
    def ghost(self) -> Ghost:
        first, spot = self._first_room, self.spot
        if first is None:
            return Ghost()
        square = spot.square if spot is not None else None
        room = self.plan.room_at(*square) if square is not None else None
        letters = {first.letter} if room is None else {first.letter, room.letter}
        ring: frozenset[Square] = frozenset().union(*(squares_of(self.plan, one) for one in letters))
        return Ghost(ring=ring, reason="that is the same room" if room is first else "")

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        room = self.plan.room_at(*spot.square) if spot.square is not None else None
        if room is None:
            self.refuse("there is no room")
        elif button == Qt.MouseButton.RightButton:
            self.hold(spot.square)
        elif self._first_room is None:
            self._first = room.letter
            self.bench.say(f"{room.name} and … click the other room.")
        else:
            self._pair(self._first_room, room)

    def cancel(self) -> bool:
        had_first, self._first = bool(self._first_room), ""
        return super().cancel() or had_first

    def _pair(self, a: RoomInfo, b: RoomInfo) -> None:
        """Part or join the sight of two rooms, and of their twins."""
        if a is b:
            self.refuse("that is the same room")
            return
        self._first = ""
        plan = self.plan
        is_blind = not has_sight_pair(plan, a.name, b.name)
        pairs = [(a.name, b.name)]
        if self.bench.symmetry != "off":
            names = {room.letter: room.name for room in plan.rooms}
            mates = [names.get(twin_letter(plan, one.letter, self.bench.symmetry), "") for one in (a, b)]
            if all(mates) and mates[0] != mates[1]:
                pairs.append((mates[0], mates[1]))
        for one, other in pairs:
            plan = with_sight_pair(plan, one, other, is_blind)
        text = f"{'No sight' if is_blind else 'Sight'} between {a.name} and {b.name}"
        self.begin(text)
        self.show(plan)
        self.bench.say(f"{text}.")
