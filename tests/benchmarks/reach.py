"""Reach against networkx with occupancy (A1), and on a map a hundred times larger (A2).

`python -m tests.benchmarks.reach`
"""

from __future__ import annotations

import random
from typing import Any

import networkx as nx

from engine.fortress import compile_board, grid_graph
from engine.raid.tables import DROP_OFF_COST, TERMINATOR_WALKER
from tests.benchmarks.anchor import citadel, halved, machine, race, say

POINTS = 5


def main() -> None:
    """Measure and print."""
    print(f"machine: {machine():.1f} M adds/s")
    rates = {}
    for label, plan in (
        ("32x19", halved(32, 19, 200)),
        ("200x200", halved(200, 200, 20_000)),
        ("citadel", citadel()),
    ):
        board = compile_board(plan)
        steps = board.steps(TERMINATOR_WALKER, 0)
        rng = random.Random(3)
        left, top = (plan.width - 32) // 2, max(0, (plan.height - 19) // 2)
        window = [
            plan.square(left + x, top + y)
            for y in range(min(19, plan.height))
            for x in range(32)
            if plan.room_at(left + x, top + y) and not board.tanks >> plan.square(left + x, top + y) & 1
        ]
        figures = rng.sample(window, 35)
        extra = dict.fromkeys(figures[::2], 2)
        graph: nx.DiGraph[int] = nx.DiGraph(grid_graph(plan))
        graph.remove_nodes_from([square for square in graph if graph.nodes[square]["tank"]])

        def weight(a: int, b: int, data: dict[str, Any], extra: dict[int, int] = extra) -> int | None:
            if data["kind"] == "armored":
                return None
            return 1 + (DROP_OFF_COST if data["kind"] == "dropoff" else 0) + extra.get(b, 0)

        squares = 0
        for start in figures:
            found = board.reach(steps, start, POINTS, extra)
            assert found == nx.single_source_dijkstra_path_length(graph, start, cutoff=POINTS, weight=weight)
            squares += len(found)
        times = race(
            {
                "networkx": lambda graph=graph, figures=figures, weight=weight: [  # type: ignore[misc]
                    nx.single_source_dijkstra_path_length(graph, s, cutoff=POINTS, weight=weight)
                    for s in figures
                ],
                "reach": lambda board=board, steps=steps, figures=figures, extra=extra: [  # type: ignore[misc]
                    board.reach(steps, s, POINTS, extra) for s in figures
                ],
            }
        )
        rates[label] = len(figures) / times["reach"]
        say("A1", f"{label}: reach, {squares / 35:.0f} squares an answer", rates[label] / 1000, "k/s", "-")
        say(
            "A1", f"{label}: times networkx with occupancy", times["networkx"] / times["reach"], "x", ">= 2.5"
        )
    say("A2", "rate on 200x200 over 32x19", rates["200x200"] / rates["32x19"], "x", ">= 0.8")


if __name__ == "__main__":
    main()
