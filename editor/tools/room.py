"""Room: rectangles of floor."""

from __future__ import annotations

from math import floor

from PySide6.QtCore import Qt

from editor.draft import Square
from editor.edits.strokes import clipped, rectangle
from editor.tools.base import Ghost, Keys, Spot
from editor.tools.drawing import DrawingTool


class Room(DrawingTool):
    """Draws a room as a rectangle from corner to corner."""

    key = "room"
    title = "Room"
    shortcut = "R"
    topic = "editor-room"

    _corner: Square = (0, 0)

    @property
    def hint(self) -> str:
        return self.hint_of("drag a rectangle of")

    @property
    def ghost(self) -> Ghost:
        if self.gesture is not None:
            return Ghost(ring=self._squares)
        square = self.spot.square if self.spot is not None else None
        return self.ghost_of(frozenset() if square is None else frozenset((square,)))

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        super().start(spot, button, keys)
        if self.gesture is not None:
            self._corner = self._square(spot)
            self.go_on(spot, keys)

    def go_on(self, spot: Spot, keys: Keys) -> None:
        x, y = self._square(spot)
        width, height = self.plan.width, self.plan.height
        inside = clipped(self._corner, (x, y), width, height)
        before = self._squares
        self.draw(frozenset() if inside is None else rectangle(*inside))
        if inside is not None and self._squares != before:
            (left, top), (right, bottom) = inside
            self.bench.say(f"{right - left + 1} × {bottom - top + 1} squares.")

    def _square(self, spot: Spot) -> Square:
        """Return the square of a spot; one just off the map stands for all beyond it."""
        x = min(max(floor(spot.x), -1), self.plan.width)
        y = min(max(floor(spot.y), -1), self.plan.height)
        return x, y
