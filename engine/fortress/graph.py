"""Walking: the networkx graph of a plan, and the compiled step tables that play searches.

`grid_graph` is the readable truth, asked for what cuts a plan in two; the step tables hold the same edges
as plain tuples, for searches tens of thousands of times a second. Tests hold the two equal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from engine.fortress.floorplan import ROCK, EdgeKind, FloorPlan, owner

if TYPE_CHECKING:
    import networkx as nx


class Walker(NamedTuple):
    """What crossing edges costs one who walks, on top of the square entered; the game sets the prices.

    `drop_off` is 0 for one who climbs; `armored_door`, an intact one, is None for one who cannot open it.
    """

    drop_off: int
    armored_door: int | None


SQUARE_COST = 1  # points for entering a square

FAR = 1 << 20
"""The distance of a square that cannot be reached; larger than any walk."""

Steps: TypeAlias = tuple[tuple[tuple[int, int], ...], ...]
"""For each square its (neighbour, cost) pairs, north, east, south, west."""

EdgeLayers: TypeAlias = tuple[list[EdgeKind], list[EdgeKind]]


def edge_layers(plan: FloorPlan) -> EdgeLayers:
    """Return the kinds of every square's east edge, and of every square's south edge."""
    width, height, grid = plan.width, plan.height, plan.grid
    east: list[EdgeKind] = []
    south: list[EdgeKind] = []
    for y, row in enumerate(grid):
        below = grid[y + 1] if y + 1 < height else ROCK * width
        east += ["open" if here == there else "wall" for here, there in zip(row, row[1:] + ROCK, strict=True)]
        south += ["open" if here == there else "wall" for here, there in zip(row, below, strict=True)]
    for edge in plan.edges:
        x, y, side = owner(edge.x, edge.y, edge.side)
        if x >= 0 and y >= 0:
            (east if side == "E" else south)[y * width + x] = edge.kind
    return east, south


def grid_graph(plan: FloorPlan) -> nx.Graph[int]:
    """Return the graph of a plan's squares.

    Nodes are square numbers, with `tank` where a clone tank stands. Neighbours without a wall between
    them are joined; an edge says its `kind`.
    """
    import networkx as nx

    width, size = plan.width, plan.width * plan.height
    tanks = {plan.square(thing.x, thing.y) for thing in plan.equipment if thing.kind == "tank"}
    listed = {room.letter for room in plan.rooms} - {ROCK}
    is_floor = [letter in listed for row in plan.grid for letter in row]
    east, south = edge_layers(plan)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from((at, {"tank": at in tanks}) for at in range(size) if is_floor[at])
    for square in range(size):
        if is_floor[square]:
            if east[square] != "wall" and (square + 1) % width and is_floor[square + 1]:
                graph.add_edge(square, square + 1, kind=east[square])
            if south[square] != "wall" and square + width < size and is_floor[square + width]:
                graph.add_edge(square, square + width, kind=south[square])
    return graph


def step_table(
    width: int,
    floor: int,
    tanks: int,
    layers: EdgeLayers,
    destroyed: frozenset[tuple[int, str]],
    walker: Walker,
) -> Steps:
    """Return what each step costs a walker, figures apart; squares with a tank are never entered.

    `destroyed` names the armored doors that are gone by square and side ("E" or "S").
    """
    costs: dict[EdgeKind, int | None] = {
        "open": SQUARE_COST,
        "door": SQUARE_COST,
        "dropoff": SQUARE_COST + walker.drop_off,
        "armored": None if walker.armored_door is None else SQUARE_COST + walker.armored_door,
        "wall": None,
    }
    east = [costs[kind] for kind in layers[0]]
    south = [costs[kind] for kind in layers[1]]
    for square, side in destroyed:
        (east if side == "E" else south)[square] = SQUARE_COST
    size = len(east)
    open_squares = [floor >> square & 1 and not tanks >> square & 1 for square in range(size)]
    table = []
    for square in range(size):
        row = []
        if open_squares[square]:
            for other, cost in (
                (square - width, south[square - width] if square >= width else None),
                (square + 1, east[square] if (square + 1) % width else None),
                (square + width, south[square] if square + width < size else None),
                (square - 1, east[square - 1] if square % width else None),
            ):
                if cost is not None and open_squares[other]:
                    row.append((other, cost))
        table.append(tuple(row))
    return tuple(table)


def reach(
    steps: Steps, start: int, points: int, extra: Mapping[int, int] | Sequence[int] | None = None
) -> dict[int, int]:
    """Return the cheapest cost to every square within `points`, the start itself at 0.

    `extra` is what entering a square costs on top of its step: a mapping of the squares that have
    any, or a sequence with a number for every square.
    """
    if extra is not None and not isinstance(extra, dict):
        extra = (
            dict(extra) if isinstance(extra, Mapping) else {s: more for s, more in enumerate(extra) if more}
        )
    extra = extra or {}
    cost = {start: 0}
    rings: list[list[int]] = [[] for _ in range(points + 1)]
    rings[0].append(start)
    for spent in range(points):
        for square in rings[spent]:
            if cost[square] < spent:
                continue  # reached more cheaply since
            for other, step in steps[square]:
                total = spent + step
                if other in extra:
                    total += extra[other]
                if total <= points and (other not in cost or total < cost[other]):
                    cost[other] = total
                    rings[total].append(other)
    return cost


def path(
    steps: Steps, start: int, goal: int, points: int, extra: Mapping[int, int] | Sequence[int] | None = None
) -> tuple[int, ...]:
    """Return one cheapest path, the start left out; of equal ones always the same.

    Going back from the goal, the neighbour listed first (north, east, south, west) is taken.

    Raises LookupError when the goal is out of reach.
    """
    cost = reach(steps, start, points, extra)
    if goal not in cost:
        raise LookupError(f"square {goal} cannot be reached from {start} with {points}")
    back = [goal]
    while back[-1] != start:
        here = back[-1]
        entering = cost[here] - _extra_at(extra, here)
        # Steps cost the same both ways, so the neighbours of a square are those that it is entered from.
        back.append(next(other for other, step in steps[here] if cost.get(other, FAR) + step == entering))
    back.pop()
    return tuple(reversed(back))


def _extra_at(extra: Mapping[int, int] | Sequence[int] | None, square: int) -> int:
    if extra is None:
        return 0
    return extra.get(square, 0) if isinstance(extra, Mapping) else extra[square]


def distances(steps: Steps, goal: int) -> tuple[int, ...]:
    """Return the cost of the cheapest walk from every square to `goal`, figures apart (FAR: none)."""
    field = [FAR] * len(steps)
    field[goal] = 0
    rings: dict[int, list[int]] = {0: [goal]}
    spent = 0
    while rings:
        for square in rings.pop(spent, ()):
            if field[square] < spent:
                continue
            for other, step in steps[square]:
                total = spent + step
                if total < field[other]:
                    field[other] = total
                    rings.setdefault(total, []).append(other)
        spent += 1
    return tuple(field)
