"""Symmetry: one stroke drawn two times, mirrored or turned about the middle of the map."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from editor.draft import Edge, Square
from engine.fortress.floorplan import OPPOSITE, Side, owner

Symmetry = Literal["off", "x", "y", "half-turn"]
"""Off; mirrored left to right; mirrored top to bottom; turned by 180 degrees.

The axis lies in the middle of the map: on a grid line where the size is even, through squares where odd.
"""

_SIDES: dict[Symmetry, dict[Side, Side]] = {
    "off": {"N": "N", "E": "E", "S": "S", "W": "W"},
    "x": {"N": "N", "E": "W", "S": "S", "W": "E"},
    "y": {"N": "S", "E": "E", "S": "N", "W": "W"},
    "half-turn": OPPOSITE,
}


def twin(square: Square, symmetry: Symmetry, width: int, height: int) -> Square:
    """Return the square that a square is drawn again at."""
    x, y = square
    if symmetry in ("x", "half-turn"):
        x = width - 1 - x
    if symmetry in ("y", "half-turn"):
        y = height - 1 - y
    return x, y


def twin_side(side: Side, symmetry: Symmetry) -> Side:
    """Return the side that a side of a square becomes."""
    return _SIDES[symmetry][side]


def twin_edge(edge: Edge, symmetry: Symmetry, width: int, height: int) -> Edge:
    """Return the edge that an edge is drawn again at."""
    x, y, side = edge
    return owner(*twin((x, y), symmetry, width, height), twin_side(side, symmetry))


def with_twins(squares: Iterable[Square], symmetry: Symmetry, width: int, height: int) -> frozenset[Square]:
    """Return squares together with those that they are drawn again at."""
    given = frozenset(squares)
    return given if symmetry == "off" else given | {twin(one, symmetry, width, height) for one in given}


def with_twin_edges(edges: Iterable[Edge], symmetry: Symmetry, width: int, height: int) -> frozenset[Edge]:
    """Return edges together with those that they are drawn again at."""
    given = frozenset(edges)
    if symmetry == "off":
        return given
    return given | {twin_edge(one, symmetry, width, height) for one in given}
