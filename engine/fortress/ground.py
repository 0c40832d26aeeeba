"""The ground of a plan as bit masks: rooms, floor, and which edges can be crossed; for checks that flood it.

Bit n stands for square n. A mask of edges has the bit of the square west of an east edge, north of a south
edge; only edges with floor on both sides are in one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container
from functools import cached_property
from typing import NamedTuple

from engine.fortress.floorplan import ROCK, EdgeKind, FloorPlan, Side, owner
from engine.fortress.graph import edge_layers
from engine.fortress.masks import mask_of

PASSABLE: frozenset[EdgeKind] = frozenset(("open", "door", "armored", "dropoff"))
_RUN = re.compile(r"(.)\1*", re.DOTALL)


class Edges(NamedTuple):
    """Edges between squares of floor."""

    east: int
    south: int


class Ground:
    """A plan's squares and edges as masks."""

    def __init__(self, plan: FloorPlan) -> None:
        self.plan = plan
        self.width = width = plan.width
        self.size = width * plan.height
        self.layers = edge_layers(plan)
        self.kinds: dict[tuple[int, int, Side], EdgeKind] = {
            owner(edge.x, edge.y, edge.side): edge.kind for edge in plan.edges
        }
        """What the plan says of edges, by their owner."""
        backwards = "".join(plan.grid)[::-1]
        letters = dict.fromkeys(backwards[::-1])
        letters.pop(ROCK, None)
        zeros = dict.fromkeys(map(ord, (*letters, ROCK)), "0")
        self.squares: dict[str, int] = {
            letter: int(backwards.translate(zeros | {ord(letter): "1"}), 2) for letter in letters
        }
        """The squares of each letter in the grid but rock's, in the order in which they first stand there."""
        self.floor = 0
        for letter in {room.letter for room in plan.rooms}:
            self.floor |= self.squares.get(letter, 0)
        self.tanks = mask_of(plan.square(one.x, one.y) for one in plan.equipment if one.kind == "tank")
        last_column = (1 << width - 1) * (((1 << self.size) - 1) // ((1 << width) - 1))
        self._both = Edges(
            self.floor & self.floor >> 1 & ~last_column,
            self.floor & self.floor >> width,
        )

    def edges(self, kinds: Container[EdgeKind]) -> Edges:
        """Return the edges of some kinds between squares of floor."""
        found = [
            int("".join(["1" if kind in kinds else "0" for kind in reversed(layer)]), 2)
            for layer in self.layers
        ]
        return Edges(found[0] & self._both.east, found[1] & self._both.south)

    @cached_property
    def passable(self) -> Edges:
        """The edges that somebody can cross, doors open."""
        return self.edges(PASSABLE)

    def neighbours(self, square: int) -> list[int]:
        """Return the squares of floor that can be stepped to from a square, doors open."""
        east, south = self.passable
        width = self.width
        found = []
        if square >= width and south >> square - width & 1:
            found.append(square - width)
        if east >> square & 1:
            found.append(square + 1)
        if south >> square & 1:
            found.append(square + width)
        if square and east >> square - 1 & 1:
            found.append(square - 1)
        return found

    def flood(self, start: int, edges: Edges, within: int) -> int:
        """Return the squares of `within` that are connected with those of `start` across some edges."""
        reached = frontier = start & within
        while frontier:
            frontier = self.spread(frontier, edges) & within & ~reached
            reached |= frontier
        return reached

    def spread(self, squares: int, edges: Edges) -> int:
        """Return the squares one step from some, across some edges."""
        east, south = edges
        width = self.width
        return (
            (squares & east) << 1
            | squares >> 1 & east
            | (squares & south) << width
            | squares >> width & south
        )

    def may_be_bridge(self, square: int) -> bool:
        """Return whether a square may be the only way between its neighbours; False is certain.

        It is not where the eight squares around it lead from each neighbour to every other.
        """
        sides = self.neighbours(square)
        if len(sides) < 2:
            return False
        near = {square + dy * self.width + dx for dx, dy in _RING} - {square}
        found, todo = {sides[0]}, [sides[0]]
        while todo:
            new = [one for one in self.neighbours(todo.pop()) if one in near and one not in found]
            found.update(new)
            todo += new
        return not found.issuperset(sides)


_RING = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))


def pieces(plan: FloorPlan) -> Counter[str]:
    """Return in how many pieces the squares of each letter lie, walls or not."""
    found: Counter[str] = Counter()
    parent: list[int] = []

    def root(one: int) -> int:
        while parent[one] != one:
            parent[one] = one = parent[parent[one]]
        return one

    above, runs_above = "", [0] * plan.width
    for row in plan.grid:
        runs = []
        for run in _RUN.finditer(row):
            start, end = run.span()
            letter, number = row[start], len(parent)
            parent.append(number)
            found[letter] += 1
            runs += [number] * (end - start)
            at = above.find(letter, start, end)
            last = -1
            while at >= 0:
                if runs_above[at] != last:
                    last = runs_above[at]
                    one, other = root(last), root(number)
                    if one != other:
                        parent[other] = one
                        found[letter] -= 1
                at = above.find(letter, at + 1, end)
        above, runs_above = row, runs
    return found
