"""Sight against shapely: one pair (B1), the whole table (B2), large maps (B3), disagreements (B5).

`python -m tests.benchmarks.sight`
"""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np
import shapely

from engine.fortress import Board, FloorPlan
from engine.fortress import sight as compiled
from engine.fortress import stencils as shipped
from engine.fortress.sight import Walls
from tests.benchmarks.anchor import citadel, halved, machine, race, say


def pair_lines(board: Board) -> tuple[list[tuple[int, int]], Any]:
    """Return every pair a < b of floor squares, and shapely's lines for them."""
    squares = [square for square in range(board.size) if board.floor >> square & 1]
    pairs = [(a, b) for at, a in enumerate(squares) for b in squares[at + 1 :]]
    ends = np.array(pairs)
    xy = np.stack([ends % board.width + 0.5, ends // board.width + 0.5], axis=2)
    return pairs, shapely.linestrings(xy)


def one_pair(label: str, plan: FloorPlan) -> None:
    """B1."""
    board = Board(plan)
    walls = Walls(board.obstacles(0)).walls
    rng = random.Random(1)
    squares = [square for square in range(board.size) if board.floor >> square & 1]
    pairs = [(rng.choice(squares), rng.choice(squares)) for _ in range(400)]
    width = board.width
    ends = [((a % width + 0.5, a // width + 0.5), (b % width + 0.5, b // width + 0.5)) for a, b in pairs]

    def by_shapely() -> None:
        for one in ends:
            walls.intersects(shapely.LineString(one))

    def by_board() -> None:
        sees = board.sees
        for a, b in pairs:
            sees(a, b, 0)

    times = race({"shapely": by_shapely, "board": by_board})
    say("B1", f"{label}: warm sees()", len(pairs) / times["board"] / 1e6, "M/s", "about 5")
    say("B1", f"{label}: times shapely, 1 pair, prepared", times["shapely"] / times["board"], "x", ">= 50")


def whole_table(label: str, plan: FloorPlan) -> None:
    """B2."""
    board = Board(plan)
    _, lines = pair_lines(board)
    walls = Walls(board.obstacles(0)).walls

    def by_shapely() -> object:
        return ~shapely.intersects(walls, lines)

    def table() -> object:
        return board.visible(board.width, board.height, 0)

    times = race({"shapely": by_shapely, "table": table, "toggle": lambda: toggled(plan)}, rounds=5)
    say("B2", f"{label}: whole table", times["table"] * 1000, "ms", "-")
    say("B2", f"{label}: times shapely's best bulk", times["shapely"] / times["table"], "x", ">= 40")
    say("B2", f"{label}: after a door toggle, first answer", times["toggle"] * 1000, "ms", "<= 5")
    shipped._known.clear()
    compiled._lines.cache_clear()
    start = time.process_time()
    Board(plan).sees(0, 1, 0)
    say("B2", f"{label}: cold, stencils unpacked too", (time.process_time() - start) * 1000, "ms", "<= 60")


_boards: dict[str, Board] = {}


def toggled(plan: FloorPlan) -> bool:
    """Ask a board with warm stencils about doors that it has not been asked about."""
    board = _boards.setdefault(plan.name, Board(plan))
    board._sight.clear()
    board._rows.clear()
    return board.sees(0, 1, 0)


def disagreements(label: str, plan: FloorPlan) -> None:
    """B5, every pair, with all armored doors intact and all destroyed."""
    board = Board(plan)
    pairs, lines = pair_lines(board)
    wrong = 0
    for doors in {0, (1 << len(board.armored)) - 1}:
        walls = Walls(board.obstacles(doors))
        clear = ~(shapely.intersects(walls.walls, lines) | shapely.intersects(walls.computers, lines))
        for tank, point in walls.tanks.items():
            ends = np.array([tank in pair for pair in pairs])
            clear &= ends | ~shapely.dwithin(lines, point, 0.375)
        for first, second in board._no_sight:
            apart = [
                (first >> a & 1 and second >> b & 1) or (first >> b & 1 and second >> a & 1) for a, b in pairs
            ]
            clear &= ~np.array(apart, bool)
        got = np.array([board.sees(a, b, doors) for a, b in pairs])
        back = np.array([board.sees(b, a, doors) for a, b in pairs])
        wrong += int((got != clear).sum() + (back != clear).sum())
    say("B5", f"{label}: disagreements over {len(pairs)} pairs", wrong, "", "0")


def main() -> None:
    """Measure and print."""
    print(f"machine: {machine():.1f} M adds/s (times in ms are meant at 25)")
    maps = (("32x19", halved(32, 19, 200)), ("citadel", citadel()))
    for label, plan in maps:
        one_pair(label, plan)
        whole_table(label, plan)
        disagreements(label, plan)
    large = Board(halved(200, 200, 20_000))
    obstacles = large.obstacles(0)
    times = race({"radius 3": lambda: compiled.visible(obstacles, 4, 4)})
    say("B3", "200x200: table of radius 3", times["radius 3"] * 1000, "ms", "<= 5")


if __name__ == "__main__":
    main()
