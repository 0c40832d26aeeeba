"""Room: rectangles of floor."""

from __future__ import annotations

from math import floor

from PySide6.QtCore import Qt

from editor.draft import Square
from editor.edits.strokes import rectangle
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
        if self.gesture is not None and spot.square is not None:
            self._corner = spot.square
            self.go_on(spot, keys)

    def go_on(self, spot: Spot, keys: Keys) -> None:
        x = min(max(floor(spot.x), 0), self.plan.width - 1)
        y = min(max(floor(spot.y), 0), self.plan.height - 1)
        self.draw(rectangle(self._corner, (x, y)))
