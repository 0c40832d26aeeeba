"""Compiled sight against plain shapely, and the rules of sight and striking by name."""

from __future__ import annotations

import random
import subprocess
import sys

import msgspec
import numpy as np
import numpy.typing as npt
import pytest
import shapely

from engine.fortress import Board, EdgeOverride, FloorPlan, compile_board, load_floorplan
from engine.fortress.floorplan import STEP
from engine.fortress.sight import CornerSight, Walls
from engine.fortress.stencils import SHIPPED, ask_shapely, primitive_offsets, stencils
from tests.helpers.plans import CITADEL, drawn, random_plan

Table = npt.NDArray[np.bool_]


def plain_sight(plan: FloorPlan, doors: int) -> Table:
    """Return who sees whom by R2 and R3 (strict), from the plan's edges and shapely alone."""
    board = Board(plan)
    gone = {(one.x, one.y, one.side) for at, one in enumerate(board.armored) if doors >> at & 1}
    walls = []
    for y in range(plan.height):
        for x in range(plan.width):
            for side, corner in (("E", (x + 1, y)), ("S", (x, y + 1))):
                kind = plan.edge_kind(x, y, "E" if side == "E" else "S")
                if kind == "wall" or (kind == "armored" and (x, y, side) not in gone):
                    walls.append(shapely.LineString((corner, (x + 1, y + 1))))
    barrier = shapely.union_all(walls) if walls else shapely.MultiLineString()
    boxes = []
    for thing in plan.equipment:
        if thing.kind == "computer":
            x, y = thing.x, thing.y
            boxes.append(
                {
                    "N": shapely.box(x + 0.125, y, x + 0.875, y + 0.25),
                    "S": shapely.box(x + 0.125, y + 0.75, x + 0.875, y + 1),
                    "W": shapely.box(x, y + 0.125, x + 0.25, y + 0.875),
                    "E": shapely.box(x + 0.75, y + 0.125, x + 1, y + 0.875),
                }[str(thing.side)]
            )
    size = plan.width * plan.height
    floor = np.array([plan.room_at(*plan.xy(square)) is not None for square in range(size)])
    a, b = np.nonzero(np.outer(floor, floor))
    ends = np.stack([np.stack([s % plan.width + 0.5, s // plan.width + 0.5], axis=1) for s in (a, b)], axis=1)
    lines = shapely.linestrings(ends)
    shapely.prepare(barrier)
    clear: Table = ~np.asarray(shapely.intersects(barrier, lines))
    for box in boxes:
        clear &= ~shapely.intersects(box, lines)
    clear[a == b] = True
    for thing in plan.equipment:
        if thing.kind == "tank":
            square = plan.square(thing.x, thing.y)
            tank = shapely.Point(thing.x + 0.5, thing.y + 0.5)
            clear &= (shapely.distance(lines, tank) > 0.375) | (a == square) | (b == square)
    rooms = {room.name: room.letter for room in plan.rooms}
    letters = np.array([letter for row in plan.grid for letter in row])
    for first, second in plan.no_sight:
        one, other = rooms[first], rooms[second]
        pair = (letters[a] == one) & (letters[b] == other) | (letters[a] == other) & (letters[b] == one)
        clear[pair & (a != b)] = False
    seen = np.zeros((size, size), bool)
    seen[a[clear], b[clear]] = True
    return seen


def compiled_sight(board: Board, doors: int) -> Table:
    """Return who sees whom by the board."""
    return np.array([[board.sees(a, b, doors) for b in range(board.size)] for a in range(board.size)])


def test_every_pair_of_the_citadel_is_seen_as_shapely_says() -> None:
    """5.2, R2: no pair of the citadel's squares differs, whichever armored doors are destroyed."""
    plan = load_floorplan(CITADEL)
    board = compile_board(plan)
    for doors in range(1 << len(board.armored)):
        assert np.array_equal(compiled_sight(board, doors), plain_sight(plan, doors))


@pytest.mark.parametrize("tens", range(10))
def test_every_pair_of_random_maps_is_seen_as_shapely_says(tens: int) -> None:
    """R2, R3: nor on 300 random maps with tanks, computers and walls anywhere; and sight is mutual."""
    for seed in range(tens * 30, tens * 30 + 30):
        plan = random_plan(seed)
        board = compile_board(plan)
        for doors in {0, (1 << len(board.armored)) - 1}:
            seen = compiled_sight(board, doors)
            assert np.array_equal(seen, plain_sight(plan, doors)), f"seed {seed} doors {doors}"
            assert np.array_equal(seen, seen.T)
            masks = [
                [bool(board.sight(a, doors) >> b & 1) for b in range(board.size)] for a in range(board.size)
            ]
            assert np.array_equal(seen, masks)


@pytest.mark.parametrize("seed", range(40))
def test_grazing_sight_is_what_a_thin_corridor_lets_through(seed: int) -> None:
    """R3 graze: the tables agree with shapely's corridor past wall ends, pair by pair."""
    plan = random_plan(seed, 7)
    board = compile_board(plan, "graze")
    walls = Walls(board.obstacles(0), "graze")
    first, second = (
        [board.room_mask[[r.name for r in plan.rooms].index(n)] for n in plan.no_sight[0]]
        if (plan.no_sight)
        else (0, 0)
    )
    for a in range(board.size):
        for b in range(board.size):
            if a != b and board.floor >> a & 1 and board.floor >> b & 1:
                barred = (first >> a & 1 and second >> b & 1) or (first >> b & 1 and second >> a & 1)
                assert board.sees(a, b, 0) == (not barred and walls.sees(a, b))


def in_rock(plan: FloorPlan) -> FloorPlan:
    """Return a plan with a row and a column of rock all round it."""
    moved = {
        field: tuple(msgspec.structs.replace(one, x=one.x + 1, y=one.y + 1) for one in getattr(plan, field))
        for field in ("edges", "equipment", "entries")
    }
    rock = "." * (plan.width + 2)
    return msgspec.structs.replace(plan, grid=(rock, *(f".{row}." for row in plan.grid), rock), **moved)


@pytest.mark.parametrize("seed", range(12))
def test_walls_along_the_rim_of_the_map_hide_nothing_inside(seed: int) -> None:
    """R2: whether outer walls lie on the map's rim, are drawn there or stand off it, the same is seen."""
    plan = random_plan(seed) if seed else drawn("AAAAA AAAAA AAAAA AAAAA AAAAA")
    sides = [(x, y, side) for x in range(plan.width) for y, side in ((0, "N"), (plan.height - 1, "S"))]
    sides += [(x, y, side) for y in range(plan.height) for x, side in ((0, "W"), (plan.width - 1, "E"))]
    rim = [EdgeOverride(x=x, y=y, side=side, kind="wall") for x, y, side in sides]  # type: ignore[arg-type]
    free = msgspec.structs.replace(plan, edges=tuple(one for one in plan.edges if not _is_rim(plan, one)))
    walled = msgspec.structs.replace(free, edges=(*free.edges, *rim))
    seen = compiled_sight(compile_board(free), 0)
    assert np.array_equal(compiled_sight(compile_board(walled), 0), seen)
    apart = in_rock(free)
    inner = [apart.square(x + 1, y + 1) for y in range(plan.height) for x in range(plan.width)]
    assert np.array_equal(compiled_sight(compile_board(apart), 0)[np.ix_(inner, inner)], seen)


def _is_rim(plan: FloorPlan, edge: EdgeOverride) -> bool:
    dx, dy = STEP[edge.side]
    return not (0 <= edge.x + dx < plan.width and 0 <= edge.y + dy < plan.height)


@pytest.mark.parametrize("corner_sight", ["strict", "graze"])
@pytest.mark.parametrize("seed", range(10))
def test_an_edge_changes_only_the_sight_whose_line_touches_it(seed: int, corner_sight: CornerSight) -> None:
    """R2, R3: on 12 x 12 squares sight is mutual, and a wall that comes or goes far away changes nothing."""
    dice = random.Random(seed)
    grid = ["".join("A" if dice.random() < 0.95 else "." for _ in range(12)) for _ in range(12)]
    edges = [f"wall {x},{y} {dice.choice('ES')}" for x in range(12) for y in range(12) if dice.random() < 0.1]
    plan = drawn(" ".join(grid), *edges, things="tank 3,3; tank 8,6", entries="0,0")
    before = compiled_sight(compile_board(plan, corner_sight), 0)
    assert np.array_equal(before, before.T)
    changed = 0
    for _ in range(4):
        x, y, side = dice.randrange(11), dice.randrange(11), dice.choice("ES")
        kept = tuple(one for one in plan.edges if (one.x, one.y, one.side) != (x, y, side))
        is_torn_down = len(kept) < len(plan.edges)
        new = () if is_torn_down else (EdgeOverride(x=x, y=y, side=side, kind="wall"),)  # type: ignore[arg-type]
        other = msgspec.structs.replace(plan, edges=(*kept, *new))
        after = compiled_sight(compile_board(other, corner_sight), 0)
        assert np.array_equal(after, after.T)
        corner = (x + 1, y) if side == "E" else (x, y + 1)
        wall = shapely.LineString((corner, (x + 1, y + 1)))
        one, two = np.nonzero(before != after)
        ends = np.stack([np.stack([s % 12 + 0.5, s // 12 + 0.5], axis=1) for s in (one, two)], axis=1)
        assert shapely.intersects(wall, shapely.linestrings(ends)).all(), (x, y, side)
        # What has changed has changed one way: a wall never shows anything.
        assert (after[one, two] == is_torn_down).all()
        changed += len(one)
    assert changed


def test_the_shipped_stencils_are_what_shapely_answers() -> None:
    """The data that spares play from loading shapely is shapely's own answer for every offset."""
    offsets = primitive_offsets(SHIPPED, SHIPPED)
    shipped = stencils(SHIPPED, SHIPPED)
    assert {offset: shipped[offset] for offset in offsets} == ask_shapely(offsets)


def test_large_maps_are_seen_as_shapely_says() -> None:
    """R2: a map too large for one table asks a square at a time; shapely and the near table say the same."""
    small = random_plan(3)
    grid = tuple((row * 20)[:60] for row in small.grid) * 8
    rows = tuple(grid[:40])
    plan = msgspec.structs.replace(small, grid=rows, entries=())
    board = compile_board(plan)
    assert board.size > 2048
    near = board.visible(4, 4, 0)
    walls = Walls(board.obstacles(0))
    for a in range(0, board.size, 97):
        seen = board.sight(a, 0)
        if not plan.no_sight:
            assert seen == walls.sight(a)
        for delta, clear in near.items():
            x, b = a % board.width, a + delta
            if b < board.size and abs(b % board.width - x) < 4:
                assert bool(clear >> a & 1) == bool(seen >> b & 1) == board.sees(b, a, 0)


def squares(board: Board, mask: int) -> set[tuple[int, int]]:
    """Return a mask's squares as columns and rows."""
    return {board.plan.xy(square) for square in range(board.size) if mask >> square & 1}


def test_r1_hand_to_hand_reaches_the_eight_around_and_missiles_two_straight() -> None:
    """R1: eight squares and one's own by hand; the four exactly two away too by missile."""
    board = compile_board(drawn("AAAAA " * 5))
    around = {(x, y) for x in (1, 2, 3) for y in (1, 2, 3)}
    assert squares(board, board.hand(12, 0)) == around
    assert squares(board, board.missile(12, 0)) == around | {(0, 2), (4, 2), (2, 0), (2, 4)}
    assert squares(board, board.hand(0, 0)) == {(0, 0), (1, 0), (0, 1), (1, 1)}
    assert squares(board, board.missile(4, 0)) == {(4, 0), (3, 0), (4, 1), (3, 1), (2, 0), (4, 2)}


def test_r2_doors_are_openings_and_armored_doors_walls_until_destroyed() -> None:
    """R2: sight passes a common door and a drop-off, and an armored door once it is destroyed."""
    assert compile_board(drawn("AB", "door 0,0 E")).sees(0, 1, 0)
    assert compile_board(drawn("AB", "dropoff 0,0 E")).sees(0, 1, 0)
    assert not compile_board(drawn("AB")).sees(0, 1, 0)
    board = compile_board(drawn("AB", "armored 0,0 E"))
    assert not board.sees(0, 1, 0)
    assert board.sees(0, 1, 1)
    assert not board.hand(0, 0) >> 1 & 1
    assert board.hand(0, 1) >> 1 & 1


def test_r2_a_tank_stops_sight_but_not_to_itself() -> None:
    """R2: a clone tank blocks the line across its square; it can itself be struck from around it."""
    board = compile_board(drawn("AAA AAA AAA", things="tank 1,1"))
    assert not board.sees(0, 8, 0)
    assert not board.sees(3, 5, 0)
    assert board.sees(0, 2, 0)
    assert board.sees(0, 4, 0)
    assert squares(board, board.tank_reach(0, 0)) == {(x, y) for x in range(3) for y in range(3)} - {(1, 1)}
    assert board.strikes(0, 0) == (0,)


def test_r2_a_computer_stops_sight_along_its_wall_and_is_struck_from_its_square() -> None:
    """R2, R25: its rectangle blocks; only its own square strikes it."""
    board = compile_board(drawn("AAA AAA AAA", "wall 1,1 S", things="computer 1,1 S"))
    assert not board.sees(4, 7, 0)
    assert board.sees(3, 5, 0)
    assert squares(board, board.tank_reach(0, 0)) == {(1, 1)}
    assert board.strikes(4, 0) == (0,)
    assert board.strikes(1, 0) == ()
    slanting = compile_board(drawn("AAA AAA", things="computer 1,0 S"))
    assert not slanting.sees(0, 5, 0)
    assert compile_board(drawn("AAA AAA")).sees(0, 5, 0)


def test_r3_touching_blocks_unless_grazing_is_allowed() -> None:
    """R3: no diagonal past a door jamb; `graze` allows it, but never through to a wall's other side."""
    jamb = drawn("AA AA", "wall 0,0 E")
    assert not compile_board(jamb).sees(0, 3, 0)
    assert not compile_board(jamb).hand(0, 0) >> 3 & 1
    assert compile_board(jamb, "graze").sees(0, 3, 0)
    straight = drawn("AA AA", "wall 0,0 E", "wall 0,1 E")
    assert not compile_board(straight, "graze").sees(0, 3, 0)
    corner = drawn("AA AA", "wall 0,0 E", "wall 1,0 S")
    assert compile_board(corner, "graze").sees(0, 3, 0)
    assert not compile_board(corner, "graze").sees(1, 2, 0)


def test_r4_no_hand_crosses_a_drop_off_straight_or_diagonally() -> None:
    """R4, 5.9: hands stop at a drop-off's edges and corners; missiles and sight cross."""
    board = compile_board(drawn("AB AB AB", "dropoff 0,0 E", "dropoff 0,1 E", "dropoff 0,2 E"))
    assert squares(board, board.hand(2, 0)) == {(0, 0), (0, 1), (0, 2)}
    assert squares(board, board.hand(3, 0)) == {(1, 0), (1, 1), (1, 2)}
    assert squares(board, board.missile(2, 0)) == {(x, y) for x in (0, 1) for y in (0, 1, 2)}
    assert board.sees(2, 3, 0)
    tank = compile_board(drawn("AB AB", "dropoff 0,0 E", "dropoff 0,1 E", things="tank 0,0"))
    assert squares(tank, tank.tank_reach(0, 0)) == {(0, 1)}


def test_r4_holds_all_along_the_citadels_drop_off() -> None:
    """R4, 5.9: nobody in Central strikes anybody on the overlook by hand; spikes fly across."""
    board = compile_board(load_floorplan(CITADEL))
    names = [room.name for room in board.rooms]
    central, overlook = (board.room_mask[names.index(n)] for n in ("Central", "Overlook Corridor"))
    for square in range(board.size):
        if central >> square & 1:
            assert not board.hand(square, 3) & overlook
        if overlook >> square & 1:
            assert not board.hand(square, 3) & central
    assert board.missile(board.plan.square(15, 9), 0) >> board.plan.square(16, 9) & 1


def test_59_listed_rooms_do_not_see_one_another() -> None:
    """5.9: Central and the Upper Main Corridor, even through the destroyed armored door."""
    plan = load_floorplan(CITADEL)
    board = compile_board(plan)
    a, b = plan.square(12, 9), plan.square(20, 9)
    assert not board.sees(a, b, 3)
    assert compile_board(msgspec.structs.replace(plan, no_sight=())).sees(a, b, 3)


def test_importing_the_board_loads_neither_networkx_nor_shapely() -> None:
    """A window with the shipped map opens without the two libraries (and numpy) being loaded."""
    code = (
        "import sys; import engine.fortress as f; b = f.compile_board(f.load_floorplan(sys.argv[1]));"
        "b.sees(0, 1, 0); b.hand(0, 0); b.reach(b.steps(f.Walker(2, None), 0), 0, 4);"
        "assert not {'networkx', 'shapely', 'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, str(CITADEL)], check=True, cwd=CITADEL.parents[2])
