"""Sight from one square, as the editor and large maps ask for it, against the tables and shapely."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from engine.fortress import Board, FloorPlan
from engine.fortress.lookout import Lookout, obstacles_of
from engine.fortress.masks import bits
from engine.fortress.sight import CornerSight, Walls
from tests.helpers.plans import drawn, random_plan


@pytest.mark.parametrize("corner_sight", ["strict", "graze"])
@pytest.mark.parametrize("tens", range(3))
def test_one_square_sees_what_the_tables_say(tens: int, corner_sight: CornerSight) -> None:
    """R2, R3: from every square of random maps, doors intact and destroyed; rock sees nothing."""
    for seed in range(tens * 10, tens * 10 + 10):
        plan = replace(random_plan(seed), no_sight=())
        board = Board(plan, corner_sight)
        for doors in (0, (1 << len(board.armored)) - 1):
            obstacles = obstacles_of(plan, are_doors_destroyed=bool(doors))
            assert obstacles == board.obstacles(doors)
            lookout = Lookout(obstacles, corner_sight)
            for square in range(board.size):
                assert lookout.sight(square) == board.sight(square, doors), f"seed {seed}, {board.xy(square)}"


def _large(seed: int, *, is_one_room: bool) -> FloorPlan:
    """Return a map of 60 by 50: a small one again and again, or one room with pillars; equipment about."""
    dice = random.Random(seed)
    small = random_plan(seed)
    grid = [(row * 60)[:60] for row in small.grid * 50][:50]
    if is_one_room:
        letter = small.rooms[0].letter
        grid = ["".join("." if dice.random() < 0.05 else letter for _ in range(60)) for _ in range(50)]
    things = []
    for one in small.equipment:
        things += [replace(one, x=dice.randrange(60), y=dice.randrange(50)) for _ in range(8)]
    return replace(small, grid=tuple(grid), equipment=tuple(things), entries=(), no_sight=())


@pytest.mark.parametrize("is_one_room", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_one_square_of_a_large_map_sees_what_shapely_says(seed: int, is_one_room: bool) -> None:
    """R2: far over the map, past tanks and computers, square by square."""
    plan = _large(seed, is_one_room=is_one_room)
    obstacles = obstacles_of(plan)
    walls, lookout = Walls(obstacles), Lookout(obstacles)
    for square in random.Random(seed).sample(bits(obstacles.floor), 6):
        assert lookout.sight(square) == walls.sight(square), plan.xy(square)


def test_grazing_far_over_a_map_is_what_shapely_says() -> None:
    """R3 graze: a line past wall ends stays clear however far it goes."""
    obstacles = obstacles_of(_large(2, is_one_room=True))
    walls, lookout = Walls(obstacles, "graze"), Lookout(obstacles, "graze")
    for square in bits(obstacles.floor)[700:702]:
        assert lookout.sight(square) == walls.sight(square)


def test_a_row_sees_itself_to_its_ends() -> None:
    """A map one square high or wide has lanes without sides."""
    for plan in (drawn("AAAAA"), drawn("A\nA\nA\nA")):
        lookout = Lookout(obstacles_of(plan))
        whole = (1 << plan.width * plan.height) - 1
        assert all(lookout.sight(square) == whole for square in range(plan.width * plan.height))
