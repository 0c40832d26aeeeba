"""Compiled steps, reach, paths and distances against networkx, and the movement rules by name."""

from __future__ import annotations

import random
from typing import Any

import networkx as nx
import pytest

from engine.fortress import (
    FAR,
    Board,
    FloorPlan,
    Walker,
    compile_board,
    grid_graph,
    load_floorplan,
)
from tests.helpers.plans import CITADEL, drawn, random_plan

# 4.41, 4.42: with and without an undisabled Monkey Soul.
TERMINATOR, TERMINATOR_CLIMBER = Walker(2, None), Walker(0, None)
CLONE, CLONE_CLIMBER = Walker(2, 1), Walker(0, 1)
WALKERS = (TERMINATOR, TERMINATOR_CLIMBER, CLONE, CLONE_CLIMBER)


def walk_graph(
    board: Board, walker: Walker, doors: int, extra: dict[int, int] | None = None
) -> nx.DiGraph[int]:
    """Return the graph of a walker's steps, from the plan's graph and the rules alone."""
    destroyed = {frozenset((door.a, door.b)) for at, door in enumerate(board.armored) if doors >> at & 1}
    graph: nx.DiGraph[int] = nx.DiGraph()
    plain = grid_graph(board.plan)
    graph.add_nodes_from(square for square, tank in plain.nodes(data="tank") if not tank)

    def add(a: int, b: int, data: dict[str, Any]) -> None:
        intact = data["kind"] == "armored" and frozenset((a, b)) not in destroyed
        if intact and walker in (TERMINATOR, TERMINATOR_CLIMBER):
            return
        cost = 2 if intact else 1
        if data["kind"] == "dropoff" and walker in (TERMINATOR, CLONE):
            cost += 2
        graph.add_edge(a, b, weight=cost + (extra or {}).get(b, 0))

    for a, b, data in plain.edges(data=True):
        if a in graph and b in graph:
            add(a, b, data)
            add(b, a, data)
    return graph


def check_pairs(plan: FloorPlan, walkers: tuple[Walker, ...] = WALKERS, every: int = 1) -> None:
    """Compare costs from one of `every` so many squares with networkx, doors intact and destroyed."""
    board = compile_board(plan)
    for walker in walkers:
        for doors in {0, (1 << len(board.armored)) - 1}:
            graph = walk_graph(board, walker, doors)
            steps = board.steps(walker, doors)
            for square in range(0, board.size, every):
                is_floor = square in graph
                near = nx.single_source_dijkstra_path_length(graph, square) if is_floor else {square: 0.0}
                field = board.distances(walker, doors, square)
                assert {s: cost for s, cost in enumerate(field) if cost < FAR} == near
                assert board.reach(steps, square, 5) == {s: cost for s, cost in near.items() if cost <= 5}


def test_pairs_of_the_citadel_cost_what_networkx_says() -> None:
    """R7, 4.4: the compiled walk from a third of the citadel's squares to all is networkx's shortest."""
    check_pairs(load_floorplan(CITADEL), (TERMINATOR, CLONE_CLIMBER), every=3)


@pytest.mark.parametrize("tens", range(10))
def test_every_pair_of_random_maps_costs_what_networkx_says(tens: int) -> None:
    """R7: the same on 300 random maps, for every kind of walker, doors intact and destroyed."""
    for seed in range(tens * 30, tens * 30 + 30):
        check_pairs(random_plan(seed, 7))


def test_reach_and_paths_among_figures_are_networkx_shortest() -> None:
    """4.43: with enemies about, reach and path cost what networkx finds with their squares dearer."""
    board = compile_board(load_floorplan(CITADEL))
    rng = random.Random(1)
    squares = [square for square in range(board.size) if board.floor >> square & 1]
    steps = board.steps(TERMINATOR, 0)
    for _ in range(60):
        extra = dict.fromkeys(rng.sample(squares, 30), 2)
        start = rng.choice(squares)
        truth = (
            nx.single_source_dijkstra_path_length(walk_graph(board, TERMINATOR, 0, extra), start, cutoff=6)
            if not board.tanks >> start & 1
            else {start: 0}
        )
        found = board.reach(steps, start, 6, extra)
        assert found == truth
        as_sequence = [extra.get(square, 0) for square in range(board.size)]
        assert board.reach(steps, start, 6, as_sequence) == truth
        for goal, cost in found.items():
            way = board.path(steps, start, goal, 6, extra)
            assert way == board.path(steps, start, goal, 6, as_sequence)
            spent = 0
            for here, there in zip((start, *way), way, strict=False):
                spent += dict(steps[here])[there] + extra.get(there, 0)
            assert spent == cost
            assert (way[-1] if way else start) == goal


def test_a_path_beyond_the_points_is_refused() -> None:
    """4.3: nobody walks farther than his points."""
    board = compile_board(drawn("AAAAAA"))
    steps = board.steps(TERMINATOR, 0)
    assert board.path(steps, 0, 4, 4) == (1, 2, 3, 4)
    with pytest.raises(LookupError):
        board.path(steps, 0, 5, 4)


def test_41_an_armored_door_bars_terminators_and_costs_others_one_more() -> None:
    """4.41: intact it stops a Terminator and costs others one point; destroyed it is an opening."""
    board = compile_board(drawn("AB", "armored 0,0 E"))
    for walker in (TERMINATOR, TERMINATOR_CLIMBER):
        assert board.reach(board.steps(walker, 0), 0, 9) == {0: 0}
        assert board.reach(board.steps(walker, 1), 0, 9) == {0: 0, 1: 1}
    for walker in (CLONE, CLONE_CLIMBER):
        assert board.reach(board.steps(walker, 0), 0, 9) == {0: 0, 1: 2}
        assert board.reach(board.steps(walker, 1), 0, 9) == {0: 0, 1: 1}


def test_42_a_drop_off_costs_two_more_without_monkey_soul() -> None:
    """4.42: either way, for both sides; with an undisabled Monkey Soul it costs nothing extra."""
    board = compile_board(drawn("AB", "dropoff 1,0 W"))
    for start, end in ((0, 1), (1, 0)):
        for walker, cost in ((TERMINATOR, 3), (CLONE, 3), (TERMINATOR_CLIMBER, 1), (CLONE_CLIMBER, 1)):
            assert board.reach(board.steps(walker, 0), start, 9)[end] == cost


def test_45_walls_and_tanks_are_never_crossed_but_computers_are() -> None:
    """4.5: no step through a wall nor onto a tank's square; a computer's square is entered."""
    board = compile_board(drawn("AAAB", things="tank 1,0"))
    assert board.reach(board.steps(CLONE_CLIMBER, 0), 0, 9) == {0: 0}
    board = compile_board(drawn("AAAB", things="computer 1,0 N"))
    assert board.reach(board.steps(TERMINATOR, 0), 0, 9) == {0: 0, 1: 1, 2: 2}


def test_r7_hostile_figures_cost_two_more_and_may_be_walked_around() -> None:
    """R7, 4.43: the dearer square is entered at its price, or avoided when that is cheaper."""
    board = compile_board(drawn("AAA AAA"))
    found = board.reach(board.steps(TERMINATOR, 0), 0, 4, {1: 2})
    assert found == {0: 0, 1: 3, 3: 1, 4: 2, 5: 3, 2: 4}


def test_the_front_door_bars_its_entry() -> None:
    """R10: the citadel's front door stands on the edge of its entry, with nothing beyond."""
    board = compile_board(load_floorplan(CITADEL))
    entry = board.entries[0]
    door = board.armored[entry.door]
    assert (entry.name, door.a, door.b, door.side) == ("Front Door", entry.square, None, "W")
    assert board.doors_at(entry.square, 0) == (entry.door,)
    assert board.doors_at(entry.square, 1 << entry.door) == ()
    assert [one.door for one in board.entries[1:]] == [-1] * 4


def test_r5_beside_a_door_is_a_door_on_an_edge() -> None:
    """R5: both squares of a common or armored door, no other; drop-offs and openings are no doors."""
    board = compile_board(
        drawn("AABB AABB CCCC", "door 1,0 E", "open 1,1 E", "dropoff 0,1 S", "armored 3,1 S")
    )
    beside = {board.plan.xy(square) for square in range(board.size) if board.beside_door >> square & 1}
    assert beside == {(1, 0), (2, 0), (3, 1), (3, 2)}


def test_squares_are_numbered_and_named_alike_everywhere() -> None:
    """A board's numbers are its plan's, there and back; off the map there is none."""
    board = compile_board(drawn("AAA AAA"))
    assert [board.square(*board.xy(square)) for square in range(board.size)] == list(range(board.size))
    assert [board.xy(square) for square in range(board.size)] == [
        board.plan.xy(square) for square in range(board.size)
    ]
    assert {board.square(*off) for off in ((-1, 0), (3, 0), (0, -1), (0, 2))} == {-1}


def test_distances_are_told_apart_by_walker_and_doors_and_not_kept_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """4.41: what is kept for one walker and set of doors answers no other; memory stays bounded."""
    board = Board(drawn("AB", "armored 0,0 E"))
    for _ in range(2):
        assert board.distances(TERMINATOR, 0, 1) == (FAR, 0)
        assert board.distances(TERMINATOR, 1, 1) == (1, 0)
        assert board.distances(CLONE, 0, 1) == (2, 0)
    assert len(board._distances) == 3
    monkeypatch.setattr("engine.fortress.board.KEPT_DISTANCES", 6)
    assert board.distances(CLONE, 1, 1) == (1, 0)
    assert len(board._distances) == 1


def test_a_kept_reach_holds_only_where_nothing_costs_more_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """4.43: a square that costs more counts wherever it can be reached; memory stays bounded."""
    board = Board(drawn("AAAA"))
    for _ in range(2):
        assert board.reach_of(CLONE, 0, 0, 3, {}) == {0: 0, 1: 1, 2: 2, 3: 3}
        assert board.reach_of(CLONE, 0, 0, 3, {2: 2}) == {0: 0, 1: 1}
        assert board.reach_of(CLONE, 0, 0, 2, {3: 2}) == {0: 0, 1: 1, 2: 2}
    assert len(board._reaches) == 2
    monkeypatch.setattr("engine.fortress.board.KEPT_REACHES", 2)
    assert board.reach_of(CLONE, 0, 3, 1, {}) == {3: 0, 2: 1}
    assert len(board._reaches) == 1
