"""The board in play: a plan compiled into tables of plain integers.

Squares are numbers (y * width + x, rock included), sets of squares bit masks, doors and equipment indices
in the plan's order. `doors` in every question is the mask of the armored doors destroyed so far. Nothing
here changes once compiled; answers are worked out when first asked for and kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from engine.fortress.floorplan import (
    COMPASS,
    STEP,
    FloorPlan,
    RoomInfo,
    Side,
    faults,
    format_floorplan,
    owner,
    parse_floorplan,
    written,
)
from engine.fortress.graph import Steps, Walker, distances, edge_layers, path, reach, step_table
from engine.fortress.lookout import Lookout
from engine.fortress.masks import bits, mask_of
from engine.fortress.sight import CornerSight, Obstacles, visible
from engine.fortress.thing_names import armored_edges

WHOLE_TABLE_LIMIT = 2048  # squares; on larger maps far sight is worked out a square at a time
KEPT_DISTANCES = 1 << 22  # numbers kept of walks worked out, 32 MB; then they are forgotten
KEPT_REACHES = 1 << 14  # reaches kept, some 32 MB; then they are forgotten
NEAR = 3  # columns and rows of a table that holds every neighbour and missile target (R1)


class ArmoredDoor(NamedTuple):
    """An armored door, its edge, and the squares on its two sides (`b` None off the map)."""

    a: int
    b: int | None
    x: int
    y: int
    side: Side


class BoardEquipment(NamedTuple):
    """A clone tank, or a computer and the side of its square that it stands along."""

    kind: str
    square: int
    side: Side | None


class BoardEntry(NamedTuple):
    """A square where Terminators come and go, with rates per phase (R11); `door` bars it (-1: none does)."""

    name: str
    square: int
    enter: int
    leave: int
    side: Side | None
    door: int


class _Sight:
    """What is seen with certain doors destroyed."""

    __slots__ = ("hand", "lookout", "matrix", "missile", "near", "rows", "seen", "table")

    def __init__(self, size: int) -> None:
        self.near: dict[int, int] = {}
        self.table: dict[int, int] | None = None
        self.matrix = ""
        self.lookout: Lookout | None = None
        self.seen: list[int | None] = [None] * size
        self.rows: list[tuple[bool, ...] | None] = [None] * size
        self.hand: tuple[int, ...] = ()
        self.missile: tuple[int, ...] = ()


class Board:
    """A compiled plan; made by `compile_board`."""

    def __init__(self, plan: FloorPlan, corner_sight: CornerSight = "strict") -> None:
        found = faults(plan)
        if found:
            raise ValueError("; ".join(found))
        self.plan = plan
        self.corner_sight: CornerSight = corner_sight
        self.width = width = plan.width
        self.height = plan.height
        self.size = size = width * plan.height
        self.rooms: tuple[RoomInfo, ...] = plan.rooms
        numbers = {room.letter: at for at, room in reversed(list(enumerate(plan.rooms)))}
        numbers.pop(".", None)
        self.room_of: tuple[int, ...] = tuple(numbers.get(letter, -1) for row in plan.grid for letter in row)
        masks = [0] * len(plan.rooms)
        for square, room in enumerate(self.room_of):
            if room >= 0:
                masks[room] |= 1 << square
        self.room_mask: tuple[int, ...] = tuple(masks)
        self.floor: int = sum(masks)

        self._layers = edge_layers(plan)
        self._rim = tuple(
            owner(edge.x, edge.y, edge.side) for edge in plan.edges if edge.kind in ("door", "armored")
        )
        self._door_places = armored_edges(plan)
        self.armored: tuple[ArmoredDoor, ...] = tuple(self._armored(*edge) for edge in self._door_places)
        self.equipment: tuple[BoardEquipment, ...] = tuple(
            BoardEquipment(thing.kind, plan.square(thing.x, thing.y), thing.side) for thing in plan.equipment
        )
        self.tanks: int = mask_of(thing.square for thing in self.equipment if thing.kind == "tank")
        door_ids = {place: at for at, place in enumerate(self._door_places)}
        self.entries: tuple[BoardEntry, ...] = tuple(
            BoardEntry(
                entry.name,
                plan.square(entry.x, entry.y),
                entry.enter,
                entry.leave,
                entry.side,
                door_ids.get(owner(entry.x, entry.y, entry.side), -1) if entry.side else -1,
            )
            for entry in plan.entries
        )
        self.ways_in: tuple[int, ...] = tuple(
            at for at, entry in enumerate(self.entries) if entry.enter > 0 or entry.door >= 0
        )
        beside = 0
        doors_of: list[list[int]] = [[] for _ in range(size)]
        for x, y, side in dict.fromkeys(self._rim):
            if plan.edge_kind(x, y, side) not in ("door", "armored"):
                continue
            dx, dy = STEP[side]
            for column, row in ((x, y), (x + dx, y + dy)):
                if plan.room_at(column, row) is not None:
                    square = plan.square(column, row)
                    beside |= 1 << square
                    if (x, y, side) in door_ids:
                        doors_of[square].append(door_ids[x, y, side])
        self.beside_door: int = beside
        self._doors_of = tuple(tuple(sorted(ids)) for ids in doors_of)
        self._no_sight = self._unseen_rooms()
        along = [
            mask_of(one.square for one in self.equipment if one.kind == "computer" and one.side == side)
            for side in COMPASS
        ]
        self._walls = (
            mask_of(square for square, kind in enumerate(self._layers[0]) if kind == "wall"),
            mask_of(square for square, kind in enumerate(self._layers[1]) if kind == "wall"),
            (along[0], along[1], along[2], along[3]),
        )
        self._set_up: dict[str, int] = {}
        self._steps: dict[tuple[Walker, int], Steps] = {}
        self._distances: dict[tuple[Walker, int, int], tuple[int, ...]] = {}
        self._reaches: dict[tuple[Walker, int, int, int], dict[int, int]] = {}
        self._sight: dict[int, _Sight] = {}
        self._rows: dict[int, list[tuple[bool, ...] | None]] = {}
        self._struck: dict[int, tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]] = {}

    def square(self, x: int, y: int) -> int:
        """Return the number of the square in column x, row y; -1 off the map."""
        return y * self.width + x if 0 <= x < self.width and 0 <= y < self.height else -1

    def xy(self, square: int) -> tuple[int, int]:
        """Return the column and row of a square."""
        y, x = divmod(square, self.width)
        return x, y

    def _armored(self, x: int, y: int, side: Side) -> ArmoredDoor:
        """Return the door on an edge, named by its owner wherever that is on the map."""
        x, y, side = written(x, y, side)
        dx, dy = STEP[side]
        other = (x + dx, y + dy)
        inside = 0 <= other[0] < self.width and 0 <= other[1] < self.height
        return ArmoredDoor(self.plan.square(x, y), self.plan.square(*other) if inside else None, x, y, side)

    def _unseen_rooms(self) -> tuple[tuple[int, int], ...]:
        names = {room.name: self.room_mask[at] for at, room in reversed(list(enumerate(self.rooms)))}
        return tuple((names[a], names[b]) for a, b in self.plan.no_sight if a in names and b in names)

    def setup_mask(self, letter: str) -> int:
        """Return the squares of the rooms where units of a letter may be set up."""
        mask = self._set_up.get(letter)
        if mask is None:
            rooms = zip(self.rooms, self.room_mask, strict=True)
            mask = self._set_up[letter] = _mask_or(squares for room, squares in rooms if letter in room.setup)
        return mask

    # Walking

    reach = staticmethod(reach)
    path = staticmethod(path)

    def steps(self, walker: Walker, doors: int) -> Steps:
        """Return what each step costs a walker with these doors destroyed, figures apart."""
        known = self._steps.get((walker, doors))
        if known is None:
            destroyed = frozenset(
                (y * self.width + x, str(side))
                for at, (x, y, side) in enumerate(self._door_places)
                if doors >> at & 1 and x >= 0 and y >= 0
            )
            known = step_table(self.width, self.floor, self.tanks, self._layers, destroyed, walker)
            self._steps[walker, doors] = known
        return known

    def reach_of(
        self, walker: Walker, doors: int, start: int, points: int, extra: Mapping[int, int]
    ) -> Mapping[int, int]:
        """Return the cheapest cost to every square within `points`, with what `extra` some cost on top.

        The reach over a map without figures is kept; it holds wherever none of these squares lies in it.
        """
        known = self._reaches.get((walker, doors, start, points))
        if known is None:
            if len(self._reaches) >= KEPT_REACHES:
                self._reaches.clear()
            known = reach(self.steps(walker, doors), start, points)
            self._reaches[walker, doors, start, points] = known
        if known.keys().isdisjoint(extra):
            return known
        return reach(self.steps(walker, doors), start, points, extra)

    def distances(self, walker: Walker, doors: int, goal: int) -> tuple[int, ...]:
        """Return the cost of the cheapest walk from every square to `goal`; FAR where there is none."""
        known = self._distances.get((walker, doors, goal))
        if known is None:
            if len(self._distances) * self.size >= KEPT_DISTANCES:
                self._distances.clear()
            known = distances(self.steps(walker, doors), goal)
            self._distances[walker, doors, goal] = known
        return known

    # Sight

    def sees(self, a: int, b: int, doors: int) -> bool:
        """Say whether two squares see one another (5.2, R2, R3, 5.9)."""
        try:
            return self._rows[doors][a][b]  # type: ignore[index]
        except (KeyError, TypeError):
            return self._seen_row(a, doors)[b]

    def _seen_row(self, a: int, doors: int) -> tuple[bool, ...]:
        mask = self.sight(a, doors)
        row = tuple([one == "1" for one in f"{mask:0{self.size}b}"[::-1]])
        self._rows.setdefault(doors, self._sight[doors].rows)[a] = row
        return row

    def sight(self, a: int, doors: int) -> int:
        """Return the mask of the squares seen from a square, itself included."""
        sight = self._sight.get(doors) or self._new_sight(doors)
        mask = sight.seen[a]
        if mask is None:
            mask = self._look(a, sight, doors)
            sight.seen[a] = mask
        return mask

    def _new_sight(self, doors: int) -> _Sight:
        sight = self._sight[doors] = _Sight(self.size)
        return sight

    def _look(self, a: int, sight: _Sight, doors: int) -> int:
        if self.size <= WHOLE_TABLE_LIMIT:
            size = self.size
            if not sight.matrix:
                sight.matrix = self._matrix(self._table(sight, doors))
            # The rows of the differences from -a to size - 1 - a, in the column of a.
            start = (size - 1 - a) * size + size - 1 - a
            return int(sight.matrix[start : start + size * size : size][::-1], 2)
        if sight.lookout is None:
            sight.lookout = Lookout(self.obstacles(doors), self.corner_sight)
        mask = sight.lookout.sight(a)
        for first, second in self._no_sight:
            if first >> a & 1:
                mask &= ~second
            if second >> a & 1:
                mask &= ~first
        return mask | (1 << a & self.floor)

    def _matrix(self, table: dict[int, int]) -> str:
        """Return "0" and "1" for every difference b - a from 1 - size (a row each) and square a."""
        size = self.size
        rows = []
        for delta in range(1 - size, size):
            clear = self.floor if not delta else table.get(abs(delta), 0)
            rows.append(f"{clear << -delta if delta < 0 else clear:0{size}b}")
        return "".join(rows)

    def _table(self, sight: _Sight, doors: int) -> dict[int, int]:
        if sight.table is None:
            sight.table = self.visible(self.width, self.height, doors)
        return sight.table

    def visible(self, columns: int, rows: int, doors: int) -> dict[int, int]:
        """Return who sees whom at fewer than `columns` and `rows` apart (see `sight.visible`), with 5.9."""
        table = visible(
            self.obstacles(doors), min(columns, self.width), min(rows, self.height), self.corner_sight
        )
        for first, second in self._no_sight:
            for delta, clear in table.items():
                table[delta] = clear & ~(first & second >> delta | second & first >> delta)
        return table

    def obstacles(self, doors: int) -> Obstacles:
        """Return all that stands in the way of sight with these doors destroyed (R2)."""
        east, south, computers = self._walls
        for at, (x, y, side) in enumerate(self._door_places):
            if not doors >> at & 1 and x >= 0 and y >= 0:
                if side == "E":
                    east |= 1 << y * self.width + x
                else:
                    south |= 1 << y * self.width + x
        return Obstacles(self.width, self.height, self.floor, east, south, self.tanks, computers)

    # Striking

    def hand(self, a: int, doors: int) -> int:
        """Return the squares struck hand-to-hand from a square (R1, R2), itself included.

        Drop-offs stop it, also at the corner that a diagonal runs through (R4).
        """
        sight = self._sight.get(doors) or self._new_sight(doors)
        if not sight.hand:
            self._arm(sight, doors)
        return sight.hand[a]

    def missile(self, a: int, doors: int) -> int:
        """Return the squares that a missile reaches from a square (R1, R2, R4), itself included."""
        sight = self._sight.get(doors) or self._new_sight(doors)
        if not sight.hand:
            self._arm(sight, doors)
        return sight.missile[a]

    def _arm(self, sight: _Sight, doors: int) -> None:
        """Work out hand and missile reach of every square."""
        width = self.width
        near = self.visible(NEAR, NEAR, doors)
        east = mask_of(square for square, kind in enumerate(self._layers[0]) if kind == "dropoff")
        south = mask_of(square for square, kind in enumerate(self._layers[1]) if kind == "dropoff")
        # Drop-offs that end at the south-east corner of a square, for the squares at its upper left.
        corner = east | east >> width | south | south >> 1
        hand = [1 << square & self.floor for square in range(self.size)]
        missile = list(hand)
        last_column = mask_of(range(width - 1, self.size, width))
        first_column = mask_of(range(0, self.size, width))
        for dx, dy, barred, off in (
            (1, 0, east, last_column),
            (0, 1, south, 0),
            (1, 1, corner, last_column),
            (-1, 1, corner << 1, first_column),
            (2, 0, -1, last_column | last_column >> 1),
            (0, 2, -1, 0),
        ):
            delta = dy * width + dx
            clear = near.get(delta, 0) & ~off
            for square in bits(clear):
                missile[square] |= 1 << square + delta
                missile[square + delta] |= 1 << square
            for square in bits(clear & ~barred):
                hand[square] |= 1 << square + delta
                hand[square + delta] |= 1 << square
        sight.missile = tuple(missile)
        sight.hand = tuple(hand)

    def tank_reach(self, equipment_id: int, doors: int) -> int:
        """Return the squares from which a piece of equipment can be struck (R1, R2, R4, R25).

        For a tank those adjacent with a clear line, for a computer its own.
        """
        thing = self.equipment[equipment_id]
        if thing.kind == "computer":
            return 1 << thing.square & self.floor
        return self.hand(thing.square, doors) & ~self.tanks

    def strikes(self, a: int, doors: int) -> tuple[int, ...]:
        """Return the equipment that can be struck from a square, by number (R25)."""
        return self._targets(doors)[1][a]

    def doors_at(self, a: int, doors: int) -> tuple[int, ...]:
        """Return the intact armored doors on the edges of a square, by number (R25)."""
        return tuple(door for door in self._doors_of[a] if not doors >> door & 1)

    def _targets(self, doors: int) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
        known = self._struck.get(doors)
        if known is None:
            reaches = tuple(self.tank_reach(at, doors) for at in range(len(self.equipment)))
            by_square: list[list[int]] = [[] for _ in range(self.size)]
            for at, mask in enumerate(reaches):
                for square in bits(mask):
                    by_square[square].append(at)
            known = self._struck[doors] = (reaches, tuple(map(tuple, by_square)))
        return known

    def __repr__(self) -> str:
        return f"Board({self.plan.name!r}, {self.width} x {self.height})"


def _mask_or(masks: Iterable[int]) -> int:
    whole = 0
    for mask in masks:
        whole |= mask
    return whole


@lru_cache(maxsize=32)
def _compiled(raw: bytes, corner_sight: CornerSight) -> Board:
    return Board(parse_floorplan(raw), corner_sight)


def compile_board(plan: FloorPlan, corner_sight: CornerSight = "strict") -> Board:
    """Return the board of a plan; equal plans share one.

    `corner_sight` is R3: "strict" or "graze".

    Raises ValueError when the plan is no map at all (a ragged grid, things off the grid).
    """
    found = faults(plan)
    if found:
        raise ValueError("; ".join(found))
    return _compiled(format_floorplan(plan), corner_sight)
