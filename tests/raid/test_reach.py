"""4.3-4.6, R7-R9: where figures may go, worked out a second time from what their side sees."""

from __future__ import annotations

import heapq
import random

import pytest

from engine.fortress.floorplan import FloorPlan
from engine.raid.figures import TERMINATOR_NAMES
from engine.raid.match import RaidMatch
from engine.raid.view import FigureView, View
from tests.helpers.raid import STEPS, C, Square, T, destinations, match, plan

BOARD = plan(
    """
    AAAABBBB
    AAAABBBB
    AACCCCBB
    DDCCCCEE
    DDDDEEEE
    """,
    edges="""
    dropoff 3,0 E; dropoff 3,1 E; door 2,1 S; armored 5,2 E; door 1,2 E
    armored 1,3 E; door 3,4 E; door 5,3 E; dropoff 6,2 S; open 0,2 S
    """,
    equipment="tank 2,3; computer 5,2 N; tank 6,1",
)
DOORS = ["door 5,2 E", "door 1,3 E"]
TANKS = {(2, 3), (6, 1)}
KIND_NAMES = ["J-1", "J-2", "J-6", "J-7", "Servant 1", "Servant 2", "Technician 1", "Armed Technician 1"]


def scattered(seed: int) -> RaidMatch:
    """Return figures at random on a board of walls, doors, drop-offs and tanks."""
    chance = random.Random(seed)
    squares = [(x, y) for x in range(8) for y in range(5) if (x, y) not in TANKS]
    chance.shuffle(squares)
    lines = []
    for name in TERMINATOR_NAMES[:3]:
        x, y = squares.pop()
        levels = chance.choice(["fist1 soul1 heart1", "fist1 / fist1 soul1 heart1", "- / fist1 heart1"])
        lines.append(f"{name}  {x},{y}  {levels}")
    for name in (*chance.sample(KIND_NAMES, chance.randint(3, 8)), "CloneMaster"):
        x, y = squares.pop()
        state = chance.choice(["", "", "down", "- / kick2 heart1" if name == "J-1" else ""])
        lines.append(f"{name}  {x},{y}  {state}".rstrip())
    doors = [door for door in DOORS if chance.random() < 0.4]
    phase = chance.choice(["terminator-move-1", "clonemaster-move"])
    return match(BOARD, "\n".join(lines), phase=phase, doors=doors)


def step_cost(board: FloorPlan, view: View, mover: FigureView, here: Square, side: str) -> int | None:
    """Return what the step over one edge of a square costs, figures apart; None if there is none."""
    x, y = here[0] + STEPS[side][0], here[1] + STEPS[side][1]
    if board.room_at(x, y) is None or (x, y) in TANKS:
        return None
    kind = board.edge_kind(here[0], here[1], side)  # type: ignore[arg-type]
    if kind == "wall":
        return None
    if kind == "dropoff":
        return 1 if mover.levels is not None and mover.levels["soul"] else 3
    if kind == "armored":
        ends = {here, (x, y)}
        for door in view.doors:
            dx, dy = STEPS[door.side]
            if {door.square, (door.square[0] + dx, door.square[1] + dy)} == ends and door.is_destroyed:
                return 1
        return None if mover.side == T else 2
    return 1


def reach(board: FloorPlan, view: View, mover: FigureView) -> set[Square]:
    """Return the squares where a figure may stop, by the rules and by what its side sees."""
    entering: dict[Square, int] = {}
    taken: set[Square] = set(view.face_down)
    entering.update(dict.fromkeys(view.face_down, 2))
    for one in view.figures:
        if one.square is None or not one.is_conscious or one.name == mover.name:
            continue
        taken.add(one.square)
        if one.side != mover.side and one.kind in ("terminator", "jelly"):
            entering[one.square] = 2
    assert mover.square is not None
    points = mover.allowance
    best = {mover.square: 0}
    heap = [(0, mover.square)]
    while heap:
        spent, here = heapq.heappop(heap)
        for side, (dx, dy) in STEPS.items():
            cost = step_cost(board, view, mover, here, side)
            if cost is None:
                continue
            there = (here[0] + dx, here[1] + dy)
            total = spent + cost + entering.get(there, 0)
            if total <= points and total < best.get(there, 99):
                best[there] = total
                heapq.heappush(heap, (total, there))
    return set(best) - taken - {mover.square}


@pytest.mark.parametrize("seed", range(80))
def test_offered_squares_are_those_of_the_rules(seed: int) -> None:
    """4.3-4.6, R7-R9: every figure is offered exactly the squares where it can afford to stop."""
    game = scattered(seed)
    side = T if game.view(T).phase == "terminator-move-1" else C
    view = game.view(side)
    for figure in view.figures:
        if figure.side != side or figure.square is None:
            continue
        can_move = figure.is_conscious and figure.is_face_up
        assert destinations(game, figure.name) == (reach(BOARD, view, figure) if can_move else set())
