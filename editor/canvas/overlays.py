"""Sight and reach from a square, by the engine, worked out for that square alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from editor.bench import Walk
from editor.draft import Draft, Square
from engine.fortress.floorplan import ROCK, EdgeOverride, faults, owner
from engine.fortress.graph import Walker, edge_layers, reach, step_table
from engine.fortress.lookout import Lookout, obstacles_of
from engine.fortress.masks import mask_of
from engine.raid import tables
from engine.raid.figures import CLONEMASTER, SIDES, TERMINATOR

SEEN: Final = "seen"
BARRED: Final = "barred"
"""A square that would be seen, were its room not one of a pair without sight (5.9)."""
WALKERS: Final[Mapping[str, Walker]] = {
    "terminator": tables.walker(SIDES.index(TERMINATOR), climbs=False),
    "climber": tables.walker(SIDES.index(TERMINATOR), climbs=True),
    "clonemaster": tables.walker(SIDES.index(CLONEMASTER), climbs=False),
}

Cells = Mapping[Square, str]


class Outlook:
    """What is seen and reached on one draft's map.

    Sight follows the scenario's R3, past armored doors that are intact. Raises nothing: of what is no map
    (see `floorplan.faults`) nothing is seen or reached.
    """

    def __init__(self, draft: Draft) -> None:
        self.plan = draft.plan
        self._corner_sight = draft.scenario.rules.corner_sight if draft.scenario is not None else "strict"
        self._is_map = not faults(draft.plan)

    def is_of(self, draft: Draft) -> bool:
        """Return whether a draft has the same map and looks past corners alike."""
        rules = draft.scenario.rules if draft.scenario is not None else None
        return self.plan is draft.plan and self._corner_sight == (rules.corner_sight if rules else "strict")

    @cached_property
    def _lookout(self) -> Lookout:
        return Lookout(obstacles_of(self.plan), self._corner_sight)

    def sight(self, start: Square) -> Cells:
        """Return the squares that are seen, SEEN or BARRED."""
        room = self.plan.room_at(*start) if self._is_map else None
        if room is None:
            return {}
        plan, width = self.plan, self.plan.width
        letters = {room.name: room.letter for room in reversed(plan.rooms)}
        apart = set()
        for pair in plan.no_sight:
            one, other = (letters.get(name, "") for name in pair)
            apart |= {other} if one == room.letter else set()
            apart |= {one} if other == room.letter else set()
        mask = self._lookout.sight(plan.square(*start))
        found: dict[Square, str] = {}
        for y, row in enumerate(plan.grid):
            seen = mask >> y * width & (1 << width) - 1
            if seen:
                text = f"{seen:b}"[::-1]
                if apart.isdisjoint(row):
                    found.update(((x, y), SEEN) for x, bit in enumerate(text) if bit == "1")
                else:
                    for x, bit in enumerate(text):
                        if bit == "1":
                            found[x, y] = BARRED if row[x] in apart else SEEN
        found[start] = SEEN
        return found

    @cached_property
    def _edges(self) -> Mapping[int, list[EdgeOverride]]:
        """What stands on edges, by row."""
        edges: dict[int, list[EdgeOverride]] = defaultdict(list)
        for edge in self.plan.edges:
            x, y, side = owner(edge.x, edge.y, edge.side)
            edges[y].append(EdgeOverride(x, y, side, edge.kind))
        return edges

    def reach(self, start: Square, walk: Walk) -> Cells:
        """Return what each square within reach costs (4.3-4.43), on a map without figures."""
        plan, points = self.plan, walk.points
        if not self._is_map or plan.room_at(*start) is None:
            return {}
        # Nobody comes further than so many squares: the rest of the map need not be looked at.
        left, top = max(0, start[0] - points), max(0, start[1] - points)
        grid = tuple(row[left : start[0] + points + 1] for row in plan.grid[top : start[1] + points + 1])
        width, height = len(grid[0]), len(grid)
        edges = [
            replace(edge, x=edge.x - left, y=edge.y - top)
            for y in range(top, top + height)
            for edge in self._edges.get(y, ())
            if left <= edge.x < left + width
        ]
        if walk.are_doors_destroyed:
            edges = [replace(one, kind="open") if one.kind == "armored" else one for one in edges]
        letters = {room.letter for room in plan.rooms} - {ROCK}
        floor = mask_of(at for at, letter in enumerate("".join(grid)) if letter in letters)
        tanks = mask_of(
            (one.y - top) * width + one.x - left
            for one in plan.equipment
            if one.kind == "tank" and 0 <= one.x - left < width and 0 <= one.y - top < height
        )
        cut = replace(plan, grid=grid, edges=tuple(edges), equipment=(), entries=())
        steps = step_table(width, floor, tanks, edge_layers(cut), frozenset(), WALKERS[walk.who])
        costs = reach(steps, (start[1] - top) * width + start[0] - left, points)
        return {(at % width + left, at // width + top): str(cost) for at, cost in costs.items()}
