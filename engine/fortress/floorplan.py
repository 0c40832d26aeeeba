"""The map file's model: rooms, squares, edges, equipment and entries.

A plan stores each square's room and only those edges that differ from what follows from the rooms, so
a door can never lose its wall nor lie on one twice. Column x runs east from 0, row y south from 0.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal

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
    """A square through which Terminators come and go, with rates per movement phase (4.1, 4.7, R11)."""

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
        named = msgspec.structs.replace(edge, x=x, y=y, side=side) if x >= 0 and y >= 0 else edge
        edges.append(named)
    return msgspec.structs.replace(plan, edges=tuple(edges))


# The text format of hand-drawn plans


def parse_floorplan_text(text: str, name: str = "", path: str = "") -> FloorPlan:
    """Return the plan that a text draws in [grid] [rooms] [edges] [equipment] [entries] [sight].

    "#" begins a comment, in the grid only before its first row; "-" stands for none.

    Raises BadFile with a line for every fault.
    """
    sections, found = _sections(text)
    parts: dict[str, list[dict[str, object]]] = {
        key: [] for key in ("rooms", "edges", "equipment", "entries")
    }
    readers = {"rooms": _room_row, "edges": _edge_row, "equipment": _equipment_row, "entries": _entry_row}
    for key, reader in readers.items():
        for number, row in sections[key]:
            try:
                parts[key].append(reader(row))
            except ValueError:
                found.append(f"line {number}: {row[:60]!r} is not a row of [{key}]")
    pairs = []
    for number, row in sections["sight"]:
        pair = [one.strip() for one in row.split("|")]
        if len(pair) != 2:
            found.append(f"line {number}: {row[:60]!r} is not two room names parted by |")
        else:
            pairs.append(pair)
    if found:
        raise BadFile(shortened(found), path)
    document = {
        "format": KIND,
        "version": VERSION,
        "name": name,
        "grid": [row for _, row in sections["grid"]],
        **parts,
        "no_sight": pairs,
    }
    try:
        return parse_floorplan(msgspec.json.encode(document), path)
    except BadFile as error:
        lines = text_lines(text)
        raise BadFile([_with_line(fault, lines) for fault in error.problems], path) from error


def text_lines(text: str) -> dict[str, int]:
    """Return on which line of a text that draws a plan each part of it stands, by its place ("edges[3]")."""
    sections, _ = _sections(text)
    places = {"sight": "no_sight"}
    return {
        f"{places.get(key, key)}[{at}]": number
        for key, rows in sections.items()
        for at, (number, _) in enumerate(rows)
    }


def _with_line(fault: str, lines: Mapping[str, int]) -> str:
    """Return a fault led by its line instead of its place, where that is a row of the text."""
    found = re.match(r"([a-z_]+\[\d+\])(?:\.(\w+))?: ", fault)
    if found is None or found[1] not in lines:
        return fault
    field = f"{found[2]}: " if found[2] else ""
    return f"line {lines[found[1]]}: {field}{fault[found.end() :]}"


def _sections(text: str) -> tuple[dict[str, list[tuple[int, str]]], list[str]]:
    """Return the rows of each section with the numbers of their lines, and what is no section."""
    sections: dict[str, list[tuple[int, str]]] = {
        key: [] for key in ("grid", "rooms", "edges", "equipment", "entries", "sight")
    }
    found: list[str] = []
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if bare.startswith("[") and bare.endswith("]") and bare[1:-1].isalpha():
            section = bare[1:-1]
            if section not in sections:
                found.append(f"line {number}: [{section[:20]}] is not a section of a plan")
                section = ""
            continue
        if section != "grid" or not sections["grid"]:
            bare = "" if bare.startswith("#") else bare
        if section != "grid":
            bare = bare.split(" #")[0].rstrip()
        if bare and section:
            sections[section].append((number, bare))
    return sections, found


def _place(text: str) -> tuple[int, int]:
    x, y = text.split(",")
    return int(x), int(y)


def _room_row(row: str) -> dict[str, object]:
    letter, rest = row.split(maxsplit=1)
    named, level, setup = rest.rsplit(maxsplit=2)
    return {"letter": letter, "name": named, "level": level, "setup": "" if setup == "-" else setup}


def _edge_row(row: str) -> dict[str, object]:
    kind, place, side = row.split()
    x, y = _place(place)
    return {"x": x, "y": y, "side": side, "kind": kind}


def _equipment_row(row: str) -> dict[str, object]:
    kind, place, *rest = row.split()
    x, y = _place(place)
    if len(rest) > 1:
        raise ValueError(row)
    return {"kind": kind, "x": x, "y": y, "side": rest[0] if rest and rest[0] != "-" else None}


def _entry_row(row: str) -> dict[str, object]:
    named, place, enter, leave, side = row.rsplit(maxsplit=4)
    x, y = _place(place)
    return {
        "name": named,
        "x": x,
        "y": y,
        "enter": int(enter),
        "leave": int(leave),
        "side": None if side == "-" else side,
    }


def text_losses(plan: FloorPlan) -> tuple[str, ...]:
    """Return, a line each, what the text of a plan cannot hold: it is left out or written in another way."""
    found = []
    if plan.notes:
        found.append("notes: the text has no place for them")
    for at, room in enumerate(plan.rooms):
        if _one_word(room.level) != room.level:
            found.append(f'rooms[{at}].level: "{room.level}" is written as {_one_word(room.level)}')
        if _in_a_line(room.name) != room.name:
            found.append(f"rooms[{at}].name: is written as {_in_a_line(room.name)}")
    found += [
        f"entries[{at}].name: is written as {_in_a_line(entry.name)}"
        for at, entry in enumerate(plan.entries)
        if _in_a_line(entry.name) != entry.name
    ]
    parts: tuple[tuple[str, tuple[Part, ...]], ...] = (
        ("rooms", plan.rooms),
        ("edges", plan.edges),
        ("equipment", plan.equipment),
        ("entries", plan.entries),
    )
    found += [
        f"{key}[{at}].{name}: has no place"
        for key, some in parts
        for at, one in enumerate(some)
        for name, _ in one.extra
    ]
    return (*found, *(f"{name}: has no place" for name, _ in plan.extra))


def format_floorplan_text(plan: FloorPlan) -> str:
    """Return a plan as the text that `parse_floorplan_text` reads, but for what `text_losses` names.

    Comments say what the rooms on both sides of an edge are called.
    """
    lines = [f"# {_in_a_line(plan.name)}", "", "[grid]", *plan.grid, "", "[rooms]"]
    lines.append("# letter  name  level  who may be set up there (S servants, T technicians, J Jellies)")
    names = [_in_a_line(room.name) for room in plan.rooms]
    wide, high = max(map(len, names), default=0), max((len(r.level) for r in plan.rooms), default=0)
    lines += [
        f"{room.letter}  {name:{wide}}  {_one_word(room.level):{high}}  {room.setup or '-'}"
        for room, name in zip(plan.rooms, names, strict=True)
    ]
    lines += ["", "[edges]", "# kind  x,y  side"]
    for edge in plan.edges:
        dx, dy = STEP[edge.side]
        beside = (plan.room_at(edge.x, edge.y), plan.room_at(edge.x + dx, edge.y + dy))
        words = " - ".join("rock" if room is None else _in_a_line(room.name) for room in beside)
        place = f"{edge.x},{edge.y}"
        lines.append(f"{edge.kind:8} {place:>7} {edge.side}  # {words}")
    lines += ["", "[equipment]", "# kind  x,y  the wall that a computer stands along"]
    for thing in plan.equipment:
        place = f"{thing.x},{thing.y}"
        lines.append(f"{thing.kind:8} {place:>7} {thing.side or '-'}")
    lines += ["", "[entries]", "# name  x,y  in a phase  out a phase  edge"]
    for entry in plan.entries:
        place = f"{entry.x},{entry.y}"
        lines.append(
            f"{_in_a_line(entry.name):20} {place:>7} {entry.enter:2} {entry.leave:2} {entry.side or '-'}"
        )
    if plan.no_sight:
        lines += ["", "[sight]", "# no sight line runs between these rooms (5.9)"]
        lines += [f"{_in_a_line(a)} | {_in_a_line(b)}" for a, b in plan.no_sight]
    return "\n".join(lines) + "\n"


def _one_word(text: str) -> str:
    return "-".join(text.split()) or "-"


def _in_a_line(text: str) -> str:
    """Return a name without what would end it in the text: line ends, the sign of a comment, a bar."""
    return " ".join(text.replace("#", "No.").replace("|", "/").split()) or "-"
