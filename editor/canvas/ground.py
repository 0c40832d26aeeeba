"""The ground: what of a plan is where, as far as it tells how squares look.

It follows the plan as it is edited: `follow` says which squares look different now, and what takes its
time (tints, names) waits for `settle`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Generator, Iterable
from typing import Final

from PySide6.QtCore import QRectF

from app.board.picking import UNIT
from app.board.plan import HIGH_TINTS, LOW_TINTS, MARGIN, frame_path, lower_side, tints
from app.board.things import Thing
from editor.canvas.names import Name, placing_name
from editor.draft import Change, Edge, Square
from editor.edits.squares import squares_of
from engine.fortress.floorplan import ROCK, STEP, EdgeKind, FloorPlan, RoomInfo, Side, owner
from engine.fortress.levels import is_high
from engine.fortress.thing_names import equipment_name, parsed_name

RIM: Final = 2
"""Squares round the map that belong to its picture: the frame and its numbers."""
PAD: Final = RIM + 2
"""Squares of rock kept round the map, so that no neighbour needs to be asked whether it is there."""
MANY_ROOMS: Final = 256
"""Rooms beyond which tints are chosen one after the other, without looking ahead."""


Area = tuple[int, int, int, int]
"""Squares from a column and row up to, and without, others."""


class Ground:
    """What a plan looks like, square by square.

    `rows` are the letters with rock round them, PAD squares wide; `edges` what stands on edges by row,
    column and side where the rooms do not say it; `equipment` the things and `tanks` the squares of tanks;
    `names` rooms' names by letter, `names_at` the letter of the name on a square; `destroyed` the names of
    what the start position destroys; `frame` the outline of the map's frame.
    """

    def __init__(self, plan: FloorPlan) -> None:
        self.destroyed: frozenset[str] = frozenset()
        self._reset(plan)

    def _reset(self, plan: FloorPlan) -> None:
        self.plan = plan
        self.width, self.height = plan.width, plan.height
        self.frame = frame_path(plan.width, plan.height)
        self._blank = ROCK * (plan.width + 2 * PAD)
        self._rooms = {room.letter: room for room in reversed(plan.rooms) if room.letter != ROCK}
        self.rows = [self._blank] * (plan.height + 2 * PAD)
        for y in range(plan.height):
            self._take_row(y)
        self._take_edges()
        self._take_equipment()
        self.names: dict[str, Name] = {}
        self.names_at: dict[Square, str] = {}
        self._tints: dict[str, int] = {}
        self._high = {letter for letter, room in self._rooms.items() if is_high(room.level)}
        self._first_tints()
        self._stale_names = dict.fromkeys(self._rooms)
        self._placing: tuple[str, Generator[None, None, Name | None]] | None = None
        self._are_tints_stale = True

    # Following the plan

    def _take_row(self, y: int) -> None:
        row = self.plan.grid[y]
        for letter in set(row):
            if letter not in self._rooms:
                row = row.replace(letter, ROCK)
        pad = ROCK * PAD
        self.rows[y + PAD] = pad + row + pad

    def _take_edges(self) -> None:
        self.edges: dict[int, dict[tuple[int, Side], EdgeKind]] = defaultdict(dict)
        for edge in self.plan.edges:
            x, y, side = owner(edge.x, edge.y, edge.side)
            self.edges[y][x, side] = edge.kind

    def _take_equipment(self) -> None:
        self.equipment: dict[Square, list[Thing]] = defaultdict(list)
        for one in self.plan.equipment:
            name = equipment_name(one.kind, one.x, one.y)
            thing = Thing(name, one.kind, one.x, one.y, one.side, name in self.destroyed)
            self.equipment[one.x, one.y].append(thing)
        self.tanks = {(one.x, one.y) for one in self.plan.equipment if one.kind == "tank"}

    def set_destroyed(self, names: Iterable[str]) -> list[Area]:
        """Show equipment and armored doors as destroyed ("tank 21,0", "door 17,9 E"); return what changes."""
        before, self.destroyed = self.destroyed, frozenset(names)
        if before == self.destroyed:
            return []
        self._take_equipment()
        squares = set()
        for name in before ^ self.destroyed:
            named = parsed_name(name)
            if named is not None:
                x, y = named.x, named.y
                squares |= {(x, y), (x + 1, y), (x, y + 1)}
        return _round(squares)

    def _first_tints(self) -> None:
        """Give rooms without a tint one until all are chosen again."""
        self._tints = {letter: tint for letter, tint in self._tints.items() if letter in self._rooms}
        used = [0] * (len(LOW_TINTS) + len(HIGH_TINTS))
        for tint in self._tints.values():
            used[tint] += 1
        for letter in self._rooms:
            fitting = HIGH_TINTS if letter in self._high else LOW_TINTS
            if self._tints.get(letter) not in fitting:
                self._tints[letter] = min(fitting, key=lambda one: used[one])
                used[self._tints[letter]] += 1

    def follow(self, plan: FloorPlan, change: Change) -> list[Area] | None:
        """Take over an edited plan; return the areas that look different, None for everything."""
        if change.squares is None or change.edges is None:
            self._reset(plan)
            return None
        before, self.plan = self.plan, plan
        if self._placing is not None:
            # Its squares may be others now.
            self._stale_names[self._placing[0]] = None
            self._placing = None
        dirty: set[Square] = set()
        if "rooms" in change.fields:
            was = self._rooms
            self._rooms = {room.letter: room for room in reversed(plan.rooms) if room.letter != ROCK}
            self._high = {letter for letter, room in self._rooms.items() if is_high(room.level)}
            others = {one for one in was.keys() | self._rooms.keys() if was.get(one) != self._rooms.get(one)}
            self._first_tints()
            self._are_tints_stale = True
            for letter in others:
                self._stale_names[letter] = None
            # Rooms that are listed no more, or again, with squares that did not change, and other levels.
            if any(_look(was.get(one)) != _look(self._rooms.get(one)) for one in others):
                for y in range(self.height):
                    if any(letter in plan.grid[y] for letter in others):
                        self._take_row(y)
                        dirty.update((x, y) for x, one in enumerate(plan.grid[y]) if one in others)
        for y in {y for _, y in change.squares}:
            self._take_row(y)
        for x, y in change.squares:
            self._stale_names[before.grid[y][x]] = self._stale_names[plan.grid[y][x]] = None
            self._are_tints_stale = True
        if before.edges is not plan.edges:
            self._take_edges()
        if "equipment" in change.fields:
            self._take_equipment()
            was_there, is_there = Counter(before.equipment), Counter(plan.equipment)
            for one in (was_there - is_there) + (is_there - was_there):
                dirty.add((one.x, one.y))
                letter = plan.grid[one.y][one.x] if one.x < plan.width and one.y < plan.height else ROCK
                self._stale_names[letter] = None
        dirty |= change.squares
        areas: list[Area] = []
        for x, y, side in change.edges:
            # Walls that come and go with squares are drawn with these.
            if side == "E" and (x, y) not in dirty and (x + 1, y) not in dirty:
                areas.append((x, y - 1, x + 2, y + 2))
            elif side == "S" and (x, y) not in dirty and (x, y + 1) not in dirty:
                areas.append((x - 1, y, x + 2, y + 2))
        # A name over squares that are its room's no more goes at once.
        for letter in {self.names_at[one] for one in change.squares if one in self.names_at}:
            dirty |= self._forget(letter)
        return areas + _round(dirty)

    def _forget(self, letter: str) -> frozenset[Square]:
        name = self.names.pop(letter, None)
        if name is None:
            return frozenset()
        for square in name.cuts:
            if self.names_at.get(square) == letter:
                del self.names_at[square]
        return frozenset(name.cuts)

    # What takes its time

    @property
    def is_settled(self) -> bool:
        """Whether tints and names are those of the plan as it is."""
        return not self._stale_names and not self._are_tints_stale and self._placing is None

    def settle(self) -> list[Area] | None:
        """Do the next part of what takes its time; return the areas that look different, None for all."""
        if self._are_tints_stale:
            self._are_tints_stale = False
            before = self._tints
            self._tints = dict.fromkeys(self._rooms, 0) | self._all_tints()
            return [] if before == self._tints else None
        if self._placing is None:
            letter = next(iter(self._stale_names))
            del self._stale_names[letter]
            room = self._rooms.get(letter)
            if room is None:
                return _round(self._forget(letter))
            self._placing = letter, self._placed(room)
        letter, steps = self._placing
        try:
            next(steps)
        except StopIteration as end:
            name: Name | None = end.value
            self._placing = None
        else:
            return []
        dirty = set(self._forget(letter))
        if name is not None:
            self.names[letter] = name
            self.names_at.update(dict.fromkeys(name.cuts, letter))
            dirty |= name.cuts.keys()
        return _round(dirty)

    def _all_tints(self) -> dict[str, int]:
        if len(self._rooms) <= MANY_ROOMS:
            return tints(self.plan)
        beside: dict[str, set[str]] = defaultdict(set)
        rows = self.rows
        for at, row in enumerate(rows[:-1]):
            for here, right, below in zip(row, row[1:], rows[at + 1], strict=False):
                for other in (right, below):
                    if other != here:
                        beside[here].add(other)
                        beside[other].add(here)
        found: dict[str, int] = {}
        used = [0] * (len(LOW_TINTS) + len(HIGH_TINTS))
        for letter in self._rooms:
            near = [found[one] for one in beside[letter] if one in found]
            fitting = HIGH_TINTS if letter in self._high else LOW_TINTS
            tint = min(fitting, key=lambda one: (near.count(one), used[one]))
            found[letter] = tint
            used[tint] += 1
        return found

    def _placed(self, room: RoomInfo) -> Generator[None, None, Name | None]:
        squares = frozenset(squares_of(self.plan, room.letter))
        inside = squares & self.equipment.keys()
        return placing_name(room, squares, (thing for one in inside for thing in self.equipment[one]))

    def name_box(self, letter: str) -> QRectF | None:
        """Return the scene's rectangle of a room's name, or of one of its squares' dots without one."""
        name = self.names.get(letter)
        if name is not None and name.size:
            return name.text.boundingRect()
        square = next(iter(squares_of(self.plan, letter)), None)
        if square is None:
            return None
        return QRectF((square[0] + 0.5) * UNIT, (square[1] + 0.5) * UNIT, 0, 0)

    @property
    def tints(self) -> dict[str, int]:
        """The number of each room's tint by its letter."""
        return self._tints

    def tint_of(self, letter: str) -> int | None:
        """Return the number of a room's tint; None for rock."""
        return self._tints.get(letter)

    def row(self, y: int) -> str:
        """Return the letters of a row of the map; those of no listed room are rock."""
        return self.rows[y + PAD][PAD:-PAD]

    def letters_beside(self, edge: Edge) -> tuple[str, str]:
        """Return the letters on the two sides of an edge."""
        x, y, side = edge
        dx, dy = STEP[side]
        pad = PAD
        return self.rows[y + pad][x + pad], self.rows[y + dy + pad][x + dx + pad]

    def separates(self, edge: Edge, kind: EdgeKind) -> bool:
        """Return whether what stands on an edge parts anything; in rock nothing does, nor a lone door."""
        here, there = self.letters_beside(edge)
        if here == there == ROCK or (kind == "dropoff" and ROCK in (here, there)):
            return False
        if kind in ("open", "wall") or here != there:
            return True
        x, y, side = edge
        along = ((x, y - 1), (x, y + 1)) if side == "E" else ((x - 1, y), (x + 1, y))
        for column, row in along:
            set_here = self.edges.get(row, {}).get((column, side))
            one, other = self.letters_beside((column, row, side))
            if (set_here or ("wall" if one != other else "open")) != "open":
                return True
        return False

    def down(self, edge: Edge) -> Side | None:
        """Return the side of an edge that lies lower, None where both are on one level (4.42)."""
        here, there = self.letters_beside(edge)
        return lower_side(edge[2], self._rooms.get(here), self._rooms.get(there))


def _round(squares: Iterable[Square]) -> list[Area]:
    """Return the areas that squares have a part in: their own and their neighbours'."""
    return [(x - 1, y - 1, x + 2, y + 2) for x, y in squares]


def _look(room: RoomInfo | None) -> str | None:
    """Return what of a room tells how its squares look."""
    return room.level if room is not None else None


def bounds_of(plan: FloorPlan) -> QRectF:
    """Return the scene's rectangle of a map with its frame."""
    return QRectF(
        -MARGIN * UNIT, -MARGIN * UNIT, (plan.width + 2 * MARGIN) * UNIT, (plan.height + 2 * MARGIN) * UNIT
    )
