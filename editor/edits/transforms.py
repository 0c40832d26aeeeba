"""Transforms of a box of squares: mirrored, turned, shifted; where its squares, edges and sides go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple

from editor.draft import Edge, Square
from engine.fortress.floorplan import Side, owner

Axis = Literal["x", "y"]

_MIRRORED: Final[dict[Axis, Mapping[Side, Side]]] = {
    "x": {"N": "N", "E": "W", "S": "S", "W": "E"},
    "y": {"N": "S", "E": "E", "S": "N", "W": "W"},
}
_TURNED: Final[Mapping[Side, Side]] = {"N": "E", "E": "S", "S": "W", "W": "N"}
_KEPT: Final[Mapping[Side, Side]] = {"N": "N", "E": "E", "S": "S", "W": "W"}


class Transform(NamedTuple):
    """Where columns and rows go, and sides of squares; the size of the box is that of afterwards."""

    to: Callable[[int, int], Square]
    sides: Mapping[Side, Side]
    width: int
    height: int

    def square(self, square: Square) -> Square:
        """Return where a square goes."""
        return self.to(*square)

    def edge(self, edge: Edge) -> Edge:
        """Return where an edge goes."""
        x, y, side = edge
        return owner(*self.to(x, y), self.sides[side])

    def side(self, side: Side | None) -> Side | None:
        """Return the side that a side of a square becomes."""
        return None if side is None else self.sides[side]


def mirror(axis: Axis, width: int, height: int) -> Transform:
    """Return how a box so large is mirrored left to right ("x") or top to bottom ("y")."""
    if axis == "x":
        return Transform(lambda x, y: (width - 1 - x, y), _MIRRORED["x"], width, height)
    return Transform(lambda x, y: (x, height - 1 - y), _MIRRORED["y"], width, height)


def turn(width: int, height: int) -> Transform:
    """Return how a box so large is turned clockwise by a quarter."""
    return Transform(lambda x, y: (height - 1 - y, x), _TURNED, height, width)


def shift(dx: int, dy: int, width: int, height: int) -> Transform:
    """Return how squares go so many columns and rows away, into a box so large."""
    return Transform(lambda x, y: (x + dx, y + dy), _KEPT, width, height)
