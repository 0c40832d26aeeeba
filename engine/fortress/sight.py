"""Sight lines: what shapely says of one pair, and the compiled tables that play reads.

A pair of squares sees one another when the segment between their centres meets no wall, tank or
computer (5.2, R2). `Walls` asks shapely, pair by pair; the tables come from stencils, where shapely has
been asked once for each offset (see `stencils`), by shifting bitmaps of the walls over one another. What a
single square sees, on maps too large for tables, `lookout` works out.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING, Literal, NamedTuple

from engine.fortress.floorplan import COMPASS
from engine.fortress.masks import bits
from engine.fortress.stencils import (
    TANK_RADIUS,
    Places,
    Stencil,
    computer_box,
    stencils,
)

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

CornerSight = Literal["strict", "graze"]


class Obstacles(NamedTuple):
    """Everything that stands in the way of sight on a map, as bit masks of squares.

    `east` and `south`: a wall (or an intact armored door) on that edge; `computers`: along N, E, S, W.
    """

    width: int
    height: int
    floor: int
    east: int
    south: int
    tanks: int
    computers: tuple[int, int, int, int]


# One pair at a time, by shapely


class Walls:
    """A map's obstacles as shapely shapes.

    `corner_sight` is R3: "strict" stops a line that touches a wall at all; "graze" lets a line pass
    that meets walls only at their ends and has no wall on its other side there.
    """

    def __init__(self, obstacles: Obstacles, corner_sight: CornerSight = "strict") -> None:
        import shapely

        width = obstacles.width
        self.obstacles = obstacles
        self.corner_sight = corner_sight
        segments = []
        for square in bits(obstacles.east):
            y, x = divmod(square, width)
            segments.append(((x + 1, y), (x + 1, y + 1)))
        for square in bits(obstacles.south):
            y, x = divmod(square, width)
            segments.append(((x, y + 1), (x + 1, y + 1)))
        self.walls: BaseGeometry = shapely.MultiLineString(_joined(segments))
        shapely.prepare(self.walls)
        self.tanks = {s: shapely.Point(s % width + 0.5, s // width + 0.5) for s in bits(obstacles.tanks)}
        self.computers: BaseGeometry = shapely.MultiPolygon(
            [
                shapely.box(*computer_box(square % width, square // width, side))
                for side, mask in zip(COMPASS, obstacles.computers, strict=True)
                for square in bits(mask)
            ]
        )
        shapely.prepare(self.computers)

    def sees(self, a: int, b: int) -> bool:
        """Say whether the line between the centres of two squares is clear (R2, R3)."""
        import shapely

        width = self.obstacles.width
        start, end = (a % width + 0.5, a // width + 0.5), (b % width + 0.5, b // width + 0.5)
        line = shapely.LineString((start, end))
        if a != b and (self.walls.intersects(line) or self.computers.intersects(line)):
            if self.corner_sight == "strict" or self.computers.intersects(line):
                return False
            if not self._grazes(line, a, b):
                return False
        return not any(
            line.dwithin(tank, TANK_RADIUS) for square, tank in self.tanks.items() if square not in (a, b)
        )

    def _grazes(self, line: BaseGeometry, a: int, b: int) -> bool:
        """Say whether one can pass along a line past the walls it meets, in a hair-thin corridor."""
        import shapely

        width = self.obstacles.width
        # Closer than any wall's end can be to a line without touching it, on the largest of maps.
        corridor = line.buffer(2**-11, cap_style="flat", quad_segs=1)
        passable = corridor.difference(self.walls.intersection(corridor.envelope).buffer(2**-14, quad_segs=1))
        start = shapely.Point(a % width + 0.5, a // width + 0.5)
        end = shapely.Point(b % width + 0.5, b // width + 0.5)
        near = 2**-12  # the corridor's ends, rounded, may miss the centres by a hair
        return any(
            piece.dwithin(start, near) and piece.dwithin(end, near) for piece in shapely.get_parts(passable)
        )

    def sight(self, a: int, among: int = -1) -> int:
        """Return the mask of the floor squares, of those asked about, that a square sees; itself included."""
        import shapely

        obstacles = self.obstacles
        width = obstacles.width
        if not obstacles.floor >> a & 1:
            return 0
        squares = list(bits(obstacles.floor & among))
        x, y = a % width + 0.5, a // width + 0.5
        lines = shapely.linestrings([((x, y), (s % width + 0.5, s // width + 0.5)) for s in squares])
        blocked = shapely.intersects(self.walls, lines) | shapely.intersects(self.computers, lines)
        clear = ~blocked
        for square, tank in self.tanks.items():
            if square != a:
                clear &= ~shapely.dwithin(lines, tank, TANK_RADIUS)
        mask = 1 << a
        for square, is_clear in zip(squares, clear.tolist(), strict=True):
            if is_clear or ((self.corner_sight == "graze" or square in self.tanks) and self.sees(a, square)):
                mask |= 1 << square
        return mask


Cell = tuple[int, int]


def _joined(segments: Iterable[tuple[Cell, Cell]]) -> list[tuple[Cell, Cell]]:
    """Return unit walls joined into the longest straight ones: the same points, a quarter of the shapes."""
    ends: dict[Cell, dict[bool, Cell]] = {}
    made: list[tuple[Cell, Cell]] = []
    for start, end in sorted(segments, key=lambda one: (one[0][0] != one[1][0], one)):
        upright = start[0] == end[0]
        begin = ends.get(start, {}).pop(upright, start)
        ends.setdefault(end, {})[upright] = begin
    for end, begins in ends.items():
        made.extend((begin, end) for begin in begins.values())
    return made


# The tables, by stencils


class _Line(NamedTuple):
    """All lines over one offset on a map of one width, as bit distances from the upper square of each.

    `delta`: from the upper square to the lower. `start`: from the upper left square of the lines' box to
    the upper square. `box`: the boxes that lie on the map. `multiple`: of how many shorter lines of
    `delta` // `multiple` it is made; the shifts are empty then. `equipment`, for computers along N, E, S
    and W and for tanks: which upper left squares' lines meet one, as a mask that begins so many squares
    before it.
    """

    delta: int
    multiple: int
    start: int
    box: int
    east: tuple[int, ...]
    south: tuple[int, ...]
    corners: tuple[int, ...]
    is_mirrored: bool
    equipment: tuple[tuple[int, int], ...]


@lru_cache(maxsize=16)
def _lines(width: int, height: int, columns: int, rows: int) -> tuple[_Line, ...]:
    """Return the lines over every offset below `columns` and `rows`, multiples after their parts."""
    known = stencils(columns, rows)
    stacked = [0]  # one bit a row, for so many rows
    for y in range(height):
        stacked.append(stacked[-1] | 1 << y * width)
    made = []
    for dy in range(rows):
        for dx in range(columns):
            if not (dx or dy):
                continue
            box = stacked[height - dy] * ((1 << width - dx) - 1)
            multiple = gcd(dx, dy)
            for is_mirrored in (False, True) if dx and dy else (False,):
                delta = dy * width + (-dx if is_mirrored else dx)
                start = dx if is_mirrored else 0
                if multiple > 1:
                    made.append(_Line(delta, multiple, start, box, (), (), (), is_mirrored, ()))
                    continue
                stencil = known[dx, dy]
                if is_mirrored:
                    stencil = _mirrored(stencil, dx)
                east, south, corners = (_shifted(places, width) for places in stencil[:3])
                equipment = tuple(
                    _spread(_shifted(places, width)) for places in (*stencil.computers, stencil.tanks)
                )
                made.append(_Line(delta, 1, start, box, east, south, corners, is_mirrored, equipment))
    return tuple(made)


def _shifted(places: Places, width: int) -> tuple[int, ...]:
    less = 256 - width
    return tuple([place - (place >> 8) * less for place in places])


def _spread(shifts: tuple[int, ...]) -> tuple[int, int]:
    """Return the largest shift, and a bit for each shift, counted back from there."""
    reach = max(shifts, default=0)
    mask = 0
    for shift in shifts:
        mask |= 1 << reach - shift
    return reach, mask


def _mirrored(stencil: Stencil, dx: int) -> Stencil:
    """Return the stencil of the line to the lower left, counted from the upper left square of its box."""

    def turned(places: Places, last: int) -> Places:
        return tuple([place + last - 2 * (place & 255) for place in places])

    north, east, south, west = (turned(places, dx) for places in stencil.computers)
    return Stencil(
        turned(stencil.east, dx - 1),
        turned(stencil.south, dx),
        turned(stencil.corners, dx - 1),
        turned(stencil.tanks, dx),
        (north, west, south, east),
    )


def visible(
    obstacles: Obstacles, columns: int, rows: int, corner_sight: CornerSight = "strict"
) -> dict[int, int]:
    """Return who sees whom over every offset below `columns` and `rows`.

    A key is the difference b - a > 0 of two square numbers, its value the mask of the squares a that see
    b. Each pair lies under one key alone: where two offsets share a difference, no square is in both.
    """
    width, _, floor, east, south, tanks, computers = obstacles
    if corner_sight == "strict":  # R3: any of the four walls that end at the corner
        falling = rising = east | east >> width | south | south >> 1
    else:  # a wall on either side of the line
        falling = (east | south >> 1) & (east >> width | south)
        rising = (east | south) & (east >> width | south >> 1)
    table: dict[int, int] = {}
    clear_over: dict[tuple[int, bool, int], int] = {}
    equipment = [(side, square) for side, mask in enumerate((*computers, tanks)) for square in bits(mask)]
    for line in _lines(width, obstacles.height, columns, rows):
        delta, multiple, start, box = line[:4]
        if multiple == 1:
            blocked = 0
            for shift in line.east:
                blocked |= east >> shift
            for shift in line.south:
                blocked |= south >> shift
            for shift in line.corners:
                blocked |= (rising if line.is_mirrored else falling) >> shift
            for side, square in equipment:
                reach, spread = line.equipment[side]
                blocked |= spread << square >> reach
            clear = (box & ~blocked) << start
        else:
            short = delta // multiple
            most = delta - short
            clear = (
                clear_over[most, line.is_mirrored, multiple - 1]
                & (clear_over[short, line.is_mirrored, 1] & ~tanks) >> most
            )
        clear_over[delta, line.is_mirrored, multiple] = clear
        table[delta] = table.get(delta, 0) | clear
    for delta, clear in table.items():
        table[delta] = clear & floor & floor >> delta
    return table
