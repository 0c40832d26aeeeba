"""Select: chooses things, moves them, nudges them, deletes them."""

from __future__ import annotations

from collections import deque
from math import floor
from time import monotonic
from typing import Final, Literal, NamedTuple

from PySide6.QtCore import Qt, Signal, Slot

from editor.bench import Bench
from editor.draft import Draft, Square
from editor.edits.selected import clamped, deleted, moved_by, squares_with_things
from editor.edits.squares import letter_at, squares_of
from editor.edits.strokes import clipped, rectangle
from editor.picks import Pick, described, picks
from editor.selection import NOTHING, Selection, has, united, without
from editor.tools.base import Ghost, Keys, Spot
from editor.tools.gestures import GestureTool
from editor.words import at_square, corner, sentence
from engine.fortress.floorplan import ROCK

NUDGE_SECONDS: Final = 1.0
"""Nudges of the same selection within this time are one step."""
REMEMBERED: Final = 100
"""Moves whose undoing still takes the selection along."""
ARROWS: Final[dict[Qt.Key, Square]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class _Moves(NamedTuple):
    """A step that moved or turned a selection: the drafts before and after, and what was selected in each."""

    before: Draft
    chosen_before: Selection
    after: Draft
    chosen_after: Selection


class _Nudged(NamedTuple):
    """A run of nudges: from where, how far, what they led to, and when the last one was."""

    draft: Draft
    selection: Selection
    step: Square
    made: Draft
    chosen: Selection
    time: float


class Select(GestureTool):
    """Selects the topmost thing under the pointer; a drag moves it, or draws a box over the floor.

    `nameAsked` asks for a new name of the room with a letter.
    """

    key = "select"
    title = "Select"
    shortcut = "V"
    topic = "editor-select"

    nameAsked = Signal(str)

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._drag: Literal["", "move", "box"] = ""
        self._pressed: Spot | None = None
        self._pick: Pick | None = None
        self._before = NOTHING
        self._step: Square = (0, 0)
        self._reason_of_move = ""
        self._nudged: _Nudged | None = None
        self._moves: deque[_Moves] = deque(maxlen=REMEMBERED)
        self.document.changed.connect(self._follow_undo)
        self.document.replaced.connect(self._forget)

    @property
    def hint(self) -> str:
        if self.bench.selection != NOTHING:
            return "Drag or arrows: move · Del: delete · Shift: add · Ctrl: take out · Tab: what is beneath"
        return "Click: the topmost thing · Drag: a box · Double click: the room · F2: its name · Tab: beneath"

    @property
    def ghost(self) -> Ghost:
        if self._drag == "box":
            return Ghost(ring=self._box())
        if self.gesture is not None and self._reason_of_move:
            return Ghost(ring=self._goal(), letter=None, reason=self._reason_of_move)
        return Ghost()

    # The pointer

    def press(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        self.spot, self.keys = spot, keys
        if self.cancel():
            return
        if button == Qt.MouseButton.RightButton:
            self._select_room(spot, keys)
            return
        self._nudged = None
        self._pressed, self._before = spot, self.bench.selection
        self._pick = next(picks(self.draft, spot.square, spot.edge), None)
        pick = self._pick
        if keys.shift or keys.ctrl or pick is None:
            self._drag = ""
        elif has(self._before, pick.selection) or spot.square in self._before.squares:
            self._drag = "move"
        elif pick.layer != "square":
            self.bench.select(pick.selection)
            self._drag = "move"
        else:
            self._drag = ""

    def move(self, spot: Spot, keys: Keys) -> None:
        self.spot, self.keys = spot, keys
        pressed = self._pressed
        if pressed is None:
            return
        step = (floor(spot.x) - floor(pressed.x), floor(spot.y) - floor(pressed.y))
        if self._drag == "move":
            self._drag_to(step)
        elif self._drag == "box" or step != (0, 0):
            self._drag = "box"
        self.changed.emit()

    def release(self, spot: Spot, keys: Keys) -> None:
        self.spot, self.keys = spot, keys
        pressed, drag = self._pressed, self._drag
        if pressed is None:
            return
        if drag == "box":
            box = self._box()
            self._choose(Selection(frozenset(one for one in box if letter_at(self.plan, one) != ROCK)), keys)
        elif self.gesture is not None:
            if self._reason_of_move:
                self.refuse(self._reason_of_move)
            before, chosen = self.gesture.before, self.bench.selection
            if self.gesture.commit():
                self._remember(_Moves(before, self._before, self.draft, chosen))
            self.bench.select(chosen)
        else:
            self._choose(self._pick.selection if self._pick is not None else NOTHING, keys)
        self._rest()
        self.changed.emit()

    def double_click(self, spot: Spot, keys: Keys) -> None:
        if spot.square is not None and letter_at(self.plan, spot.square) != ROCK:
            self._select_room(spot, keys)

    def cancel(self) -> bool:
        was_down = self._pressed is not None
        if self.gesture is not None:
            super().cancel()
            self.bench.select(self._before)
        self._rest()
        if was_down:
            self.changed.emit()
        return was_down

    def _rest(self) -> None:
        self._gesture = None
        self._drag, self._pressed, self._pick = "", None, None
        self._step, self._reason_of_move = (0, 0), ""

    def _choose(self, chosen: Selection, keys: Keys) -> None:
        """Select something, or add it (Shift), or take it away (Ctrl)."""
        now = self.bench.selection
        if keys.ctrl:
            chosen = without(now, chosen)
        elif keys.shift:
            chosen = united(now, chosen)
        self.bench.select(chosen)
        self.bench.say(described(self.draft, chosen))

    def _select_room(self, spot: Spot, keys: Keys) -> None:
        square = spot.square
        if square is None or letter_at(self.plan, square) == ROCK:
            self.refuse("there is no room")
            return
        self._choose(Selection(frozenset(squares_of(self.plan, letter_at(self.plan, square)))), keys)

    def _box(self) -> frozenset[Square]:
        if self._pressed is None or self.spot is None:
            return frozenset()
        a, b = ((floor(one.x), floor(one.y)) for one in (self._pressed, self.spot))
        inside = clipped(a, b, self.plan.width, self.plan.height)
        return frozenset() if inside is None else rectangle(*inside)

    # Moving

    def _goal(self) -> frozenset[Square]:
        dx, dy = self._step
        return frozenset((x + dx, y + dy) for x, y in squares_with_things(self.draft, self._before))

    def _drag_to(self, step: Square) -> None:
        """Show the selection moved by a step from where it was pressed."""
        if self.gesture is None:
            if step == (0, 0):
                return
            if self._gesture is not None:  # an undo ended it
                self._rest()
                return
            self._before = self.bench.selection
            self.begin("Move")
        gesture = self.gesture
        if gesture is None or step == self._step:
            return
        draft = gesture.before
        self._step = clamped(draft.plan, squares_with_things(draft, self._before), step)
        moved = moved_by(draft, self._before, step, self.bench.symmetry)
        gesture.text = self._move_text(draft, self._before, self._step)
        self._reason_of_move = moved.reason
        gesture.show(moved.draft)
        self.bench.select(moved.selection)
        self.bench.say(sentence(moved.reason or gesture.text))

    @staticmethod
    def _move_text(draft: Draft, chosen: Selection, step: Square) -> str:
        words = described(draft, chosen)
        x, y = corner(squares_with_things(draft, chosen))
        return f"Move {words[:1].lower()}{words[1:]} to {at_square((x + step[0], y + step[1]))}"

    def nudge(self, step: Square) -> bool:
        """Move the selection by a step; steps within a second are one. Return whether it could be."""
        if self.bench.selection == NOTHING or self._pressed is not None:
            return False
        run = self._nudged
        now = monotonic()
        if (
            run is None
            or run.made is not self.draft
            or run.chosen != self.bench.selection
            or now - run.time > NUDGE_SECONDS
        ):
            self.document.settle()
            run = _Nudged(self.draft, self.bench.selection, (0, 0), self.draft, self.bench.selection, now)
        wanted = (run.step[0] + step[0], run.step[1] + step[1])
        wanted = clamped(run.draft.plan, squares_with_things(run.draft, run.selection), wanted)
        moved = moved_by(run.draft, run.selection, wanted, self.bench.symmetry)
        if moved.reason:
            self.refuse(moved.reason)
            return False
        text = self._move_text(run.draft, run.selection, wanted)
        self.document.apply(text, moved.draft, merge="nudge")
        self.bench.select(moved.selection)
        self._nudged = _Nudged(run.draft, run.selection, wanted, self.draft, moved.selection, now)
        self._remember(_Moves(run.draft, run.selection, self.draft, moved.selection))
        self.bench.say(f"{text}.")
        return True

    def put_again(self, text: str, draft: Draft, squares: frozenset[Square]) -> bool:
        """Show the selected squares elsewhere, where a draft has them; return whether that is a change."""
        before, chosen = self.draft, self.bench.selection
        if not self.document.apply(text, draft):
            return False
        self.bench.select(Selection(squares=squares))
        self._remember(_Moves(before, chosen, self.draft, self.bench.selection))
        return True

    def _remember(self, moves: _Moves) -> None:
        """Let the selection go along when a move is undone and done again."""
        if self._moves and self._moves[-1].before is moves.before:
            self._moves.pop()
        self._moves.append(moves)

    @Slot()
    def _forget(self) -> None:
        self._moves.clear()
        self._nudged = None

    @Slot()
    def _follow_undo(self) -> None:
        """Select where it was what was just undone, or done again, had moved or turned."""
        draft, chosen = self.draft, self.bench.selection
        for moves in self._moves:
            if draft is moves.before and chosen == moves.chosen_after:
                self.bench.select(moves.chosen_before)
                return
            if draft is moves.after and chosen == moves.chosen_before:
                self.bench.select(moves.chosen_after)
                return

    # Keys and actions

    def key_press(self, key: Qt.Key, keys: Keys) -> bool:
        if key in ARROWS and keys == Keys() and self.bench.selection != NOTHING:
            self.nudge(ARROWS[key])
            return True
        if key == Qt.Key.Key_Delete:
            return self.delete()
        if key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            return self._cycle(-1 if key == Qt.Key.Key_Backtab or keys.shift else 1)
        if key == Qt.Key.Key_F2:
            return self._ask_name()
        return super().key_press(key, keys)

    def _ask_name(self) -> bool:
        """Ask for a name of the room at the pointer, or else of the one that is selected."""
        at_pointer = () if self.spot is None or self.spot.square is None else (self.spot.square,)
        for square in (*at_pointer, *sorted(self.bench.selection.squares)[:1]):
            room = self.plan.room_at(*square)
            if room is not None:
                self.nameAsked.emit(room.letter)
                return True
        return False

    def _cycle(self, way: int) -> bool:
        """Select what lies beneath, or above, what is selected at the pointer."""
        found = (
            []
            if self.spot is None
            else [pick.selection for pick in picks(self.draft, self.spot.square, self.spot.edge)]
        )
        if not found:
            return False
        now = self.bench.selection
        at = found.index(now) + way if now in found else 0
        chosen = found[at % len(found)]
        self.bench.select(chosen)
        self.bench.say(described(self.draft, chosen))
        return True

    def delete(self) -> bool:
        """Take away what is selected; return whether there was anything."""
        chosen = self.bench.selection
        words = described(self.draft, chosen)
        if not words:
            return False
        made = deleted(self.draft, chosen, self.bench.symmetry)
        if not self.document.apply(f"Delete {words[:1].lower()}{words[1:]}", made):
            self.refuse("two rooms make that wall; the Wall tool opens it")
        else:
            self.bench.select(NOTHING)
        return True

    def select_all(self) -> None:
        """Select all floor."""
        plan = self.plan
        self._choose(
            Selection(
                frozenset(
                    (x, y)
                    for y, row in enumerate(plan.grid)
                    for x, letter in enumerate(row)
                    if letter != ROCK
                )
            ),
            Keys(),
        )
