"""What room and brush have in common: which room a stroke goes to, and picking one from the map."""

from __future__ import annotations

from PySide6.QtCore import Qt

from editor.draft import Square, change_between
from editor.edits.pieces import without_things
from editor.edits.selected import without_figures
from editor.edits.squares import letter_at
from editor.edits.strokes import NEW_ROOM, drawn
from editor.edits.symmetry import with_twins
from editor.selection import Selection
from editor.tools.base import Ghost, Keys, Spot
from editor.tools.gestures import GestureTool
from editor.words import at_square, corner, room_here, room_name
from engine.fortress.floorplan import ROCK, FloorPlan


class DrawingTool(GestureTool):
    """A tool that gives squares to a room: the chosen one, else a new one.

    Shift extends the room that the stroke starts in, the right button draws rock, which leaves
    nothing standing; Ctrl or Alt picks a room.
    """

    _letter = NEW_ROOM
    _squares: frozenset[Square] = frozenset()

    def picks(self, keys: Keys) -> bool:
        """Return whether a click with these keys chooses a room: Ctrl too, since many desktops keep Alt."""
        return keys.alt or keys.ctrl

    def target(self, square: Square | None, keys: Keys) -> str:
        """Return the letter that a stroke from a square gives its squares to."""
        return letter_at(self.plan, square) if keys.shift and square is not None else self.bench.room

    def why_not(self, square: Square | None, keys: Keys) -> str:
        """Return why no stroke can start at a square, "" if it can; None is off the map."""
        if square is None:
            return "that is off the map" if keys.shift or self.picks(keys) else ""
        if keys.shift and not self.picks(keys) and letter_at(self.plan, square) == ROCK:
            return "Shift extends the room that a stroke starts in, and there is rock"
        return ""

    def pick(self, square: Square) -> None:
        """Draw the room of a square from now on; rock stands for a new one."""
        letter = letter_at(self.plan, square)
        room = self.plan.room_at(*square)
        self.bench.choose_room(NEW_ROOM if room is None else letter)
        self.bench.say(f"Drawing {room_name(self.plan, self.bench.room)} from now on.")

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        is_rock = button == Qt.MouseButton.RightButton
        reason = "" if is_rock else self.why_not(spot.square, keys)
        if reason:
            self.refuse(reason)
            return
        if self.picks(keys) and not is_rock and spot.square is not None:
            self.pick(spot.square)
            return
        self._letter = ROCK if is_rock else self.target(spot.square, keys)
        self._squares = frozenset()
        self.begin(self.title)

    def draw(self, squares: frozenset[Square]) -> None:
        """Show the stroke with its squares, all of them on the map."""
        gesture = self.gesture
        if gesture is None or squares == self._squares:
            return
        self._squares = squares
        if not squares:
            self.show(gesture.before.plan)
            return
        plan, letter = drawn(gesture.before.plan, squares, self._letter, self.bench.symmetry)
        self.show(plan)
        place = at_square(corner(squares))
        if self._letter == ROCK:
            gesture.text = f"Erase squares at {place}"
        elif self._letter == NEW_ROOM:
            gesture.text = f"{room_name(plan, letter)} at {place}"
        else:
            gesture.text = f"Extend {room_name(plan, letter)} at {place}"

    def show(self, plan: FloorPlan) -> None:
        """Show the gesture's map; what stands on floor goes with it."""
        gesture = self.gesture
        if gesture is None:
            return
        draft = gesture.before
        gone = change_between(draft, draft.with_plan(plan)).squares if self._letter == ROCK else None
        if gone:
            draft = without_figures(draft, Selection(gone))
            plan = without_things(plan, gone)
        gesture.show(draft.with_plan(plan))

    def ghost_of(self, squares: frozenset[Square]) -> Ghost:
        """Return the ghost of some squares under the pointer."""
        spot, keys = self.spot, self.keys
        if spot is None or spot.square is None or self.gesture is not None:
            return Ghost()
        if self.picks(keys):
            return Ghost(ring=frozenset((spot.square,)))
        reason = self.why_not(spot.square, keys)
        plan = self.plan
        shown = with_twins(squares, self.bench.symmetry, plan.width, plan.height)
        return Ghost(squares=shown, letter=None if reason else self.target(spot.square, keys), reason=reason)

    def hint_of(self, what: str) -> str:
        """Return the hint line; `what` says what the left button does."""
        room = room_name(self.plan, self.bench.room)
        if self.keys.shift and self.spot is not None and self.spot.square is not None:
            room = room_here(self.plan, self.spot.square)
        return f"Left: {what} {room} · Right: rock · Shift: extend the room you start in · Ctrl: pick a room"
