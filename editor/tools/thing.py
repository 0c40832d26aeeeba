"""What equipment and entries have in common: a thing in a square, along one of its sides."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt

from editor.bench import Bench
from editor.draft import Square
from editor.edits.symmetry import twin
from editor.tools.base import Keys, Spot
from editor.tools.gestures import GestureTool
from engine.fortress.floorplan import COMPASS, STEP, Side


class ThingTool(GestureTool):
    """A tool for things that stand in a square and may have a side. The side nearest the pointer is meant.

    ] and [ go round the sides that there are to choose from, until the pointer goes to another square.
    """

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.is_putting = False  # whether the gesture puts something down
        self._turns = 0
        self._place: Square | None = None

    def inward(self, spot: Spot) -> Spot:
        """Return the spot as it is meant: on a wall to the rock, the square on the floor's side of it."""
        here = spot.square is not None and self.plan.room_at(*spot.square) is not None
        if here or spot.edge is None:
            return spot
        x, y, side = spot.edge
        dx, dy = STEP[side]
        for square in ((x, y), (x + dx, y + dy)):
            if self.plan.room_at(*square) is not None:
                return spot._replace(square=square)
        return spot

    def hover(self, spot: Spot | None, keys: Keys) -> None:
        super().hover(None if spot is None else self.inward(spot), keys)

    def press(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        super().press(self.inward(spot), button, keys)

    def move(self, spot: Spot, keys: Keys) -> None:
        super().move(self.inward(spot), keys)

    def release(self, spot: Spot, keys: Keys) -> None:
        super().release(self.inward(spot), keys)

    def sides(self, square: Square) -> tuple[Side | None, ...]:
        """Return the sides that a thing in a square can have, clockwise."""
        return (None,)

    def side_at(self, spot: Spot, square: Square) -> Side | None:
        """Return the side that is meant: the nearest one, or that which was turned to."""
        there = self.sides(square)
        if not there:
            return None
        first = there.index(_nearest(spot, square, there))
        turns = self._turns if self._place == square else 0
        return there[(first + turns) % len(there)]

    def twin_of(self, square: Square) -> Square | None:
        """Return where symmetry puts the thing again; None for nowhere else."""
        if self.bench.symmetry == "off":
            return None
        other = twin(square, self.bench.symmetry, self.plan.width, self.plan.height)
        return other if other != square else None

    def key_press(self, key: Qt.Key, keys: Keys) -> bool:
        steps = {Qt.Key.Key_BracketRight: 1, Qt.Key.Key_BracketLeft: -1}
        square = self.spot.square if self.spot is not None else None
        if key not in steps or square is None or self.gesture is not None:
            return super().key_press(key, keys)
        self._turns = steps[key] + (self._turns if self._place == square else 0)
        self._place = square
        self.hover(self.spot, keys)
        self.changed.emit()
        return True


def _nearest(spot: Spot, square: Square, sides: Iterable[Side | None]) -> Side | None:
    """Return the side of a square that a spot is nearest to, the first of equal ones; None comes last."""
    across, down = spot.x - square[0], spot.y - square[1]
    far: dict[Side | None, float] = {"N": down, "E": 1 - across, "S": 1 - down, "W": across, None: 2.0}
    return min(sides, key=lambda side: (far[side], COMPASS.index(side) if side else 4))
