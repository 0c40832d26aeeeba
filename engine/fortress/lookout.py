"""Sight from one square: obstacles cast shadows outwards, lane by lane, on maps of any size.

The lines from a square's centre fall into eight sectors, each between an axis and a diagonal. In a sector
square (k, j) lies k lanes ahead and j squares, at most k, to the side; a line has a slope of 0 to 1, and
every obstacle shades the slopes between two of its corners for all that lies beyond. Slopes are quotients of
small whole numbers, so that rounded ones are equal only where they are, and in order: nothing is lost in
comparing them. Shapely says the same of every pair (see `sight`); tests hold it to that.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, sqrt
from typing import Final, NamedTuple

from engine.fortress.floorplan import COMPASS, ROCK, EdgeKind, FloorPlan
from engine.fortress.graph import edge_layers
from engine.fortress.masks import bits, mask_of
from engine.fortress.sight import CornerSight, Obstacles
from engine.fortress.stencils import COMPUTER_DEPTH, COMPUTER_WIDTH, TANK_RADIUS

HALF: Final = COMPUTER_WIDTH / 2
INNER: Final = 0.5 - COMPUTER_DEPTH
"""How far from a square's centre a computer's front is."""
HAIR: Final = 1e-9
"""Less than any two slopes on the largest of maps are apart."""

Span = tuple[float, float]
"""Slopes that are still clear; without their ends where touching blocks (R3), else with them."""


class _Lanes(NamedTuple):
    """A map's masks by row or by column, one number a lane, bit n for its square n.

    `ahead` and `aside` are walls between a square and the next lane's, or the next of its own lane; the last
    four computers at the end of a square towards the last lane or the next one, the last square or the next.
    """

    floor: list[int]
    ahead: list[int]
    aside: list[int]
    tanks: list[int]
    before: list[int]
    after: list[int]
    near: list[int]
    far: list[int]


class Lookout:
    """A map's obstacles, ready to be looked over from any square.

    `corner_sight` is R3, as for `sight.Walls`.
    """

    def __init__(self, obstacles: Obstacles, corner_sight: CornerSight = "strict") -> None:
        self.obstacles = obstacles
        self._is_strict = corner_sight == "strict"
        width, height, floor, east, south, tanks, (north, right, bottom, left) = obstacles
        # Of lanes that are columns and of those that are rows, from the first square on and from the last.
        self._lanes: list[tuple[_Lanes, _Lanes]] = []
        for is_row, masks in (
            (False, (floor, east, south, tanks, left, right, north, bottom)),
            (True, (floor, south, east, tanks, north, bottom, left, right)),
        ):
            laid = [_laid_out(mask, width, height, is_row) for mask in masks]
            forth, back = [one for one, _ in laid], [other for _, other in laid]
            flipped = _Lanes(*back)
            self._lanes.append((_Lanes(*forth), flipped._replace(near=flipped.far, far=flipped.near)))

    def sight(self, a: int) -> int:
        """Return the mask of the floor squares that a square sees (R2, R3), itself included; 0 from rock."""
        width, height = self.obstacles[:2]
        if not self.obstacles.floor >> a & 1:
            return 0
        y, x = divmod(a, width)
        columns, rows = [0] * width, [0] * height
        for found, lane, at, (forth, back) in (
            (columns, x, y, self._lanes[0]),
            (rows, y, x, self._lanes[1]),
        ):
            last = (width if found is rows else height) - 1 - at
            for step in (1, -1):
                for k, mask in self._sector(forth, lane, step, at, 0):
                    found[lane + step * k] |= mask << at
                for k, mask in self._sector(back, lane, step, last, 1):
                    found[lane + step * k] |= int(f"{mask:0{at + 1}b}"[::-1], 2)
        seen = 1 << a
        for row, mask in enumerate(rows):
            seen |= mask << row * width
        upright = zip(*[f"{mask:0{height}b}" for mask in reversed(columns)], strict=True)
        return seen | int("".join(map("".join, upright)), 2)

    def _sector(
        self, lanes: _Lanes, lane: int, step: int, shift: int, more: int
    ) -> Iterator[tuple[int, int]]:
        """Yield how many lanes ahead what squares are seen, as a mask from the looker's own square on.

        `step` is 1 or -1 from lane to lane, `shift` the looker's place in his, and `more` 1 where lanes are
        counted from their ends, when the wall of a square is that of the one before.
        """
        count = len(lanes.floor)
        before, after = (lanes.before, lanes.after) if step > 0 else (lanes.after, lanes.before)
        spans: list[Span] = [(-HAIR, 1 + HAIR)] if self._is_strict else [(0.0, 1.0)]
        barred: set[float] = set()  # slopes within spans
        at, k = lane, 0
        while spans:
            aside = lanes.aside[at] >> shift + more if shift + more >= 0 else 0
            if k:
                shadows = [(_first(k, j), (2 * j + 1) / (2 * k - 1)) for j in self._within(aside, spans, k)]
                boxes = [
                    _box(k - 0.5, k - INNER, j - HALF, j + HALF)
                    for j in self._within(before[at] >> shift, spans, k)
                ] + [
                    _box(k - HALF, k + HALF, j - 0.5, j - INNER)
                    for j in self._within(lanes.near[at] >> shift, spans, k)
                ]
                spans = self._shaded(spans, shadows, boxes, barred)
                seen = self._seen(spans, k, barred) & lanes.floor[at] >> shift
                if seen:
                    yield k, seen
            edge = at if step > 0 else at - 1
            if not 0 <= at + step < count:
                return
            ahead = lanes.ahead[edge] >> shift
            shadows = [
                (_slope(j + 0.5, k + 0.5), _slope(j + 0.5, k - 0.5)) for j in self._within(aside, spans, k)
            ]
            shadows += [
                ((start - 0.5) / (k + 0.5), (end + 0.5) / (k + 0.5))
                for start, end in _runs(self._cut(ahead, spans, k))
            ]
            if k:
                shadows += [_disc(k, j) for j in self._within(lanes.tanks[at] >> shift, spans, k)]
            boxes = [
                _box(k + INNER, k + 0.5, j - HALF, j + HALF)
                for j in self._within(after[at] >> shift, spans, k)
            ] + [
                _box(k - HALF, k + HALF, j + INNER, j + 0.5)
                for j in self._within(lanes.far[at] >> shift, spans, k)
            ]
            if not self._is_strict and (aside or ahead):
                beyond = lanes.aside[at + step] >> shift + more
                # A line passes a corner unless there is a wall on either side of it.
                corners = (ahead | beyond) & (ahead >> 1 | aside)
                barred.update((j + 0.5) / (k + 0.5) for j in self._within(corners, spans, k))
            spans = self._shaded(spans, shadows, boxes, barred)
            at += step
            k += 1

    def _cut(self, mask: int, spans: list[Span], k: int) -> int:
        """Return what of a lane's mask lies near the slopes that are still clear."""
        if not mask:
            return 0
        near = 0
        for low, high in spans:
            first = max(0, int(low * (k - 0.5)) - 1)
            near |= (1 << int(high * (k + 0.5)) + 3) - (1 << first)
        return mask & near

    def _within(self, mask: int, spans: list[Span], k: int) -> Iterator[int]:
        """Yield the squares of a mask that matter, those of this sector."""
        mask = self._cut(mask, spans, k) & (1 << k + 1) - 1
        while mask:
            low = mask & -mask
            yield low.bit_length() - 1
            mask ^= low

    def _shaded(
        self, spans: list[Span], shadows: list[Span], boxes: list[Span], barred: set[float]
    ) -> list[Span]:
        """Return what of the clear slopes is left outside of shadows; touching a computer always blocks."""
        if boxes and not self._is_strict:
            barred.update(slope for box in boxes for slope in box)
        shadows += boxes
        if not shadows:
            return spans
        shadows.sort()
        left: list[Span] = []
        touches = not self._is_strict
        at = 0
        for low, high in spans:
            clear = low
            # A shadow that ends before this span ends before the later ones, too.
            while at < len(shadows) and shadows[at][1] < low:
                at += 1
            for start, end in shadows[at:]:
                if start > high:
                    break
                if start > clear or (touches and start == clear):
                    left.append((clear, start))
                if start < clear < end or start >= clear:
                    clear = end
            if clear < high or (touches and clear == high):
                left.append((clear, high))
        return left

    def _seen(self, spans: list[Span], k: int, barred: set[float]) -> int:
        """Return the squares of a lane whose centres lie at clear slopes."""
        seen = 0
        for low, high in spans:
            first, last = max(0, int(low * k) - 1), min(k, int(high * k) + 1)
            if self._is_strict:
                while first / k <= low:
                    first += 1
                while last / k >= high:
                    last -= 1
            else:
                while first / k < low:
                    first += 1
                while last / k > high:
                    last -= 1
            if last >= first:
                seen |= (1 << last + 1) - (1 << first)
        if barred:
            for j in bits(seen):
                if j / k in barred:
                    seen ^= 1 << j
        return seen


def _laid_out(mask: int, width: int, height: int, is_row: bool) -> tuple[list[int], list[int]]:
    """Return a mask by rows or columns, with the bits of each from its first square on and from its last."""
    count = height if is_row else width
    if not mask:
        return [0] * count, [0] * count
    text = f"{mask:0{width * height}b}"[::-1]
    lanes = [text[at * width : (at + 1) * width] if is_row else text[at::width] for at in range(count)]
    return [int(lane[::-1], 2) for lane in lanes], [int(lane, 2) for lane in lanes]


def _runs(mask: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last bits of every run of a mask."""
    while mask:
        start = (mask & -mask).bit_length() - 1
        rest = ~(mask >> start)
        length = (rest & -rest).bit_length() - 1
        yield start, start + length - 1
        mask &= -1 << start + length


def _slope(up: float, across: float) -> float:
    return up / across if across > 0 else inf


def _first(k: int, j: int) -> float:
    """Return the slope at which a line meets the wall beyond square j in the middle of lane k."""
    return (2 * j + 1) / (2 * k)


def _box(left: float, right: float, top: float, bottom: float) -> Span:
    """Return the slopes between which a rectangle is met."""
    return top / (right if top >= 0 else left), _slope(bottom, left)


def _disc(k: int, j: int) -> Span:
    """Return the slopes between which a tank is met; none that leads to a square's centre is as near."""
    reach = TANK_RADIUS * sqrt(k * k + j * j - TANK_RADIUS**2)
    across = k * k - TANK_RADIUS**2
    return (k * j - reach) / across, (k * j + reach) / across


def obstacles_of(plan: FloorPlan, *, are_doors_destroyed: bool = False) -> Obstacles:
    """Return all that stands in the way of sight on a plan (R2), without compiling its board.

    The plan is a map (see `floorplan.faults`); its armored doors are all intact or all destroyed.
    """
    width, height = plan.width, plan.height
    kinds: set[EdgeKind] = {"wall"} if are_doors_destroyed else {"wall", "armored"}
    east, south = (
        int("".join(["1" if kind in kinds else "0" for kind in reversed(layer)]), 2)
        for layer in edge_layers(plan)
    )
    listed = {room.letter for room in plan.rooms} - {ROCK}
    letters = "".join(plan.grid)
    is_floor = {ord(letter): "1" if letter in listed else "0" for letter in set(letters)}
    along = [
        mask_of(
            plan.square(one.x, one.y) for one in plan.equipment if one.kind == "computer" and one.side == side
        )
        for side in COMPASS
    ]
    return Obstacles(
        width,
        height,
        int(letters[::-1].translate(is_floor), 2),
        east,
        south,
        mask_of(plan.square(one.x, one.y) for one in plan.equipment if one.kind == "tank"),
        (along[0], along[1], along[2], along[3]),
    )
