"""Brush: floor painted freehand."""

from __future__ import annotations

from math import floor

from PySide6.QtCore import Qt

from editor.bench import Bench
from editor.edits.squares import is_on
from editor.edits.strokes import block, crossed
from editor.tools.base import Ghost, Keys, Spot
from editor.tools.drawing import DrawingTool

SIZES = (1, 2, 3, 4)


class Brush(DrawingTool):
    """Paints a room along the pointer's way, however fast it goes."""

    key = "brush"
    title = "Brush"
    shortcut = "B"
    topic = "editor-brush"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._size = 1
        self._last = (0.0, 0.0)

    @property
    def hint(self) -> str:
        return self.hint_of("paint") + " · 1–4: size"

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        return tuple((str(size), f"{size} × {size}" if size > 1 else "1 square") for size in SIZES)

    @property
    def option(self) -> str:
        return str(self._size)

    def choose(self, option: str) -> None:
        self._size = int(option)
        self.optionsChanged.emit()
        self.changed.emit()

    @property
    def ghost(self) -> Ghost:
        if self.spot is None:
            return Ghost()
        x, y = self._anchor(self.spot)
        return self.ghost_of(block((floor(x), floor(y)), self._size))

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        super().start(spot, button, keys)
        if self.gesture is not None:
            self._last = self._anchor(spot)
            self.go_on(spot, keys)

    def go_on(self, spot: Spot, keys: Keys) -> None:
        here = self._anchor(spot)
        squares = self._squares.union(*(block(at, self._size) for at in crossed(self._last, here)))
        self._last = here
        plan = self.plan
        self.draw(frozenset(one for one in squares if is_on(plan, one)))

    def _anchor(self, spot: Spot) -> tuple[float, float]:
        """Return the point whose square is the brush's north-west corner."""
        middle = (self._size - 1) / 2
        return spot.x - middle, spot.y - middle
