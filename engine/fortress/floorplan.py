"""The map file's model: rooms, squares, edges, equipment and entries.

A plan stores each square's room and only those edges that differ from what follows from the rooms, so
a door can never lose its wall nor lie on one twice. Column x runs east from 0, row y south from 0.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import Annotated, Final, Literal

import msgspec

from engine.core.files import BadFile, Part, decode, encode, read_bytes, shortened

KIND = "kungfu2100.map"
VERSION = 1
ROCK = "."
MAX_SIDE = 256  # squares; the largest map that is still drawn and searched at once

Side = Literal["N", "E", "S", "W"]
EdgeKind = Literal["door", "armored", "dropoff", "open", "wall"]
Coordinate = Annotated[int, msgspec.Meta(ge=0, lt=MAX_SIDE)]

STEP: dict[Side, tuple[int, int]] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
COMPASS: Final[tuple[Side, Side, Side, Side]] = ("N", "E", "S", "W")
COMPASS_NAMES: Final[dict[str, str]] = {"N": "north", "E": "east", "S": "south", "W": "west"}
OPPOSITE: Final[dict[Side, Side]] = {"N": "S", "E": "W", "S": "N", "W": "E"}


class RoomInfo(Part, frozen=True, gc=False):
    """A room or hall: its letter in the grid, and who may be set up in it ("S", "T", "J", in this order)."""

    letter: Annotated[str, msgspec.Meta(min_length=1, max_length=1)]
    name: str
    level: str
    setup: Annotated[str, msgspec.Meta(pattern="^S?T?J?$")]


class EdgeOverride(Part, frozen=True, gc=False):
    """An edge of a square that is not what its two rooms make it.

    Drop-offs may be crossed at a price (4.42), armored doors broken down (4.41).
    """

    x: Coordinate
    y: Coordinate
    side: Side
    kind: EdgeKind


class Equipment(Part, frozen=True, gc=False):
    """A clone tank, or a computer and the side of its square that it stands along (4.5)."""

    kind: Literal["tank", "computer"]
    x: Coordinate
    y: Coordinate
    side: Side | None = None


class Entry(Part, frozen=True, gc=False):
    """A square through which Terminators come and go, with rates per movement phase (4.1, 4.7, R11).

    `enter` 0 is a way out only. Where an armored door shuts the entry, it says nothing (4.11, R10).
    """

    name: str
    x: Coordinate
    y: Coordinate
    enter: int
    leave: int
    side: Side | None = None


class FloorPlan(Part, frozen=True, kw_only=True, dict=True):
    """A map: one letter a square in `grid`, "." for rock, and what stands in and between the squares.

    `no_sight` lists pairs of room names between which no sight line runs (5.9).
    """

    name: str
    notes: str = ""
    grid: tuple[str, ...]
    rooms: tuple[RoomInfo, ...]
    edges: tuple[EdgeOverride, ...] = ()
    equipment: tuple[Equipment, ...] = ()
    entries: tuple[Entry, ...] = ()
    no_sight: tuple[tuple[str, str], ...] = ()

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.grid[0])

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.grid)

    def square(self, x: int, y: int) -> int:
        """Return the number of the square in column x, row y."""
        return y * self.width + x

    def xy(self, square: int) -> tuple[int, int]:
        """Return the column and row of a square."""
        y, x = divmod(square, self.width)
        return x, y

    def room_at(self, x: int, y: int) -> RoomInfo | None:
        """Return the room of a square; None for rock, an unlisted letter and anywhere off the map."""
        if 0 <= x < self.width and 0 <= y < self.height:
            return self._rooms.get(self.grid[y][x])
        return None

    def edge_kind(self, x: int, y: int, side: Side) -> EdgeKind:
        """Return what stands on an edge: the override there, else a wall where the rooms differ."""
        kind = self._overrides.get(owner(x, y, side))
        if kind is not None:
            return kind
        dx, dy = STEP[side]
        return "open" if self._letter(x, y) == self._letter(x + dx, y + dy) else "wall"

    def is_barred(self, entry: Entry) -> bool:
        """Return whether an armored door shuts an entry: all who stand outside it may come in (4.11, R10)."""
        return entry.side is not None and self.edge_kind(entry.x, entry.y, entry.side) == "armored"

    def lets_in(self, entry: Entry) -> bool:
        """Return whether Terminators can come in by an entry; by others they only leave (4.1, 4.7)."""
        return entry.enter > 0 or self.is_barred(entry)

    def _letter(self, x: int, y: int) -> str:
        if 0 <= x < self.width and 0 <= y < self.height:
            return self.grid[y][x]
        return ROCK

    @cached_property
    def _rooms(self) -> dict[str, RoomInfo]:
        rooms = {room.letter: room for room in reversed(self.rooms)}
        rooms.pop(ROCK, None)
        return rooms

    @cached_property
    def _overrides(self) -> dict[tuple[int, int, Side], EdgeKind]:
        return {owner(edge.x, edge.y, edge.side): edge.kind for edge in self.edges}


def owner(x: int, y: int, side: Side) -> tuple[int, int, Side]:
    """Return an edge's one canonical name: the square west or north of it, and "E" or "S".

    On the west and north rim that square lies off the map (-1).
    """
    if side == "N":
        return x, y - 1, "S"
    if side == "W":
        return x - 1, y, "E"
    return x, y, side


def next_in_line(x: int, y: int, side: Side) -> tuple[tuple[int, int, Side], tuple[int, int, Side]]:
    """Return the two edges that carry an edge, named by its owner, on in a straight line."""
    return ((x, y - 1, side), (x, y + 1, side)) if side == "E" else ((x - 1, y, side), (x + 1, y, side))


def written(x: int, y: int, side: Side) -> tuple[int, int, Side]:
    """Return an edge as files and names write it: by its owner, on the rim by the square on the map."""
    x, y, side = owner(x, y, side)
    if x < 0:
        return 0, y, "W"
    if y < 0:
        return x, 0, "N"
    return x, y, side


def faults(plan: FloorPlan) -> list[str]:
    """Return, a line each, what keeps a plan from being a map at all: a ragged grid, things off the grid."""
    found: list[str] = []
    if not plan.grid or not plan.grid[0]:
        return ["grid: has no squares"]
    width, height = plan.width, plan.height
    if width > MAX_SIDE or height > MAX_SIDE:
        found.append(f"grid: {width} x {height} squares are beyond the limit of {MAX_SIDE} x {MAX_SIDE}")
    found.extend(
        f"grid[{y}]: has {len(row)} squares, grid[0] has {width}"
        for y, row in enumerate(plan.grid)
        if len(row) != width
    )
    places: tuple[tuple[str, tuple[EdgeOverride | Equipment | Entry, ...]], ...] = (
        ("edges", plan.edges),
        ("equipment", plan.equipment),
        ("entries", plan.entries),
    )
    for key, things in places:
        for at, thing in enumerate(things):
            if not 0 <= thing.x < width:
                found.append(f"{key}[{at}].x: {thing.x} is off the grid (0 to {width - 1})")
            if not 0 <= thing.y < height:
                found.append(f"{key}[{at}].y: {thing.y} is off the grid (0 to {height - 1})")
    return found


def parse_floorplan(raw: bytes, path: str = "") -> FloorPlan:
    """Return the plan that a map file's bytes hold.

    Raises BadFile with a line for every fault, NewerFile for a version not known yet.
    """
    plan = decode(raw, FloorPlan, KIND, VERSION, path=path)
    found = faults(plan)
    if found:
        raise BadFile(shortened(found), path)
    return plan


def load_floorplan(path: str | os.PathLike[str]) -> FloorPlan:
    """Return the plan of a map file.

    Raises BadFile, NewerFile.
    """
    return parse_floorplan(read_bytes(path), os.fspath(path))


def format_floorplan(plan: FloorPlan) -> bytes:
    """Return a map file's bytes; the same plan always gives the same bytes."""
    return encode(plan, KIND, VERSION)


def tidied(plan: FloorPlan) -> FloorPlan:
    """Return the plan as two designers who drew the same map would both save it.

    Edges are named by their owner (off the map's west and north rim excepted), once each, in reading
    order; overrides that say what the rooms say anyway are gone, doors never. Equipment and entries keep
    their order, which numbers them.
    """
    plain = msgspec.structs.replace(plan, edges=())
    last = {owner(edge.x, edge.y, edge.side): edge for edge in plan.edges}
    edges = []
    for (x, y, side), edge in sorted(last.items(), key=lambda item: (item[0][1], item[0][0], item[0][2])):
        if edge.kind in ("open", "wall") and plain.edge_kind(x, y, side) == edge.kind and not edge.extra:
            continue
        x, y, side = written(x, y, side)
        edges.append(msgspec.structs.replace(edge, x=x, y=y, side=side))
    return msgspec.structs.replace(plan, edges=tuple(edges))
