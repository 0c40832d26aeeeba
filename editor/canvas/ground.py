"""The ground: rock, floor, walls, doors, names and equipment of any rectangle of squares, drawn alone.

Everything here follows the plan as it is edited: `follow` says which squares look different now, and what
takes its time (tints, names) waits for `settle`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from PySide6.QtCore import QLineF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from app.board import labels
from app.board.picking import UNIT
from app.board.plan import (
    GAP,
    HAIR,
    HIGH_TINTS,
    INNER,
    JAMB,
    LOW_TINTS,
    MARGIN,
    OPPOSITE,
    OUTER,
    SETUP_SIZE,
    computer_box,
    draw_dropoff,
    edge_ends,
    faded,
    frame_path,
    is_high,
    text_path,
    thickness,
    tints,
)
from app.board.things import Thing, draw_thing
from editor.canvas.sprites import (
    EAST,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
    Cuts,
    Sprites,
)
from editor.draft import Change, Edge, Square
from editor.edits.squares import squares_of
from engine.fortress.floorplan import ROCK, STEP, EdgeKind, FloorPlan, RoomInfo, Side, owner

RIM: Final = 2
"""Squares round the map that belong to its picture: the frame and its numbers."""
PAD: Final = RIM + 2
"""Squares of rock kept round the map, so that no neighbour needs to be asked whether it is there."""
MANY_ROOMS: Final = 256
"""Rooms beyond which tints are chosen one after the other, without looking ahead."""
NAME_WINDOW: Final = 30
"""Columns and rows of a large room in which a place for its name is looked for."""
LEGIBLE: Final = 5
"""Device pixels of text below which it is not drawn."""


Area = tuple[int, int, int, int]
"""Squares from a column and row up to, and without, others."""


class _Name(NamedTuple):
    """A room's name and set-up letters on the floor, and what of each square's lines and dot they cover."""

    text: QPainterPath
    setup: QPainterPath
    size: float
    cuts: Mapping[Square, Cuts]


class Ground:
    """What a plan looks like, square by square."""

    def __init__(self, plan: FloorPlan) -> None:
        self._destroyed: frozenset[str] = frozenset()
        self._reset(plan)

    def _reset(self, plan: FloorPlan) -> None:
        self.plan = plan
        self.width, self.height = plan.width, plan.height
        self.frame = frame_path(plan.width, plan.height)
        self._blank = ROCK * (plan.width + 2 * PAD)
        self._rooms = {room.letter: room for room in reversed(plan.rooms) if room.letter != ROCK}
        self._rows = [self._blank] * (plan.height + 2 * PAD)
        for y in range(plan.height):
            self._take_row(y)
        self._take_edges()
        self._take_equipment()
        self._names: dict[str, _Name] = {}
        self._names_at: dict[Square, str] = {}
        self._tints: dict[str, int] = {}
        self._high = {letter for letter, room in self._rooms.items() if is_high(room.level)}
        self._first_tints()
        self._stale_names = dict.fromkeys(self._rooms)
        self._are_tints_stale = True

    # Following the plan

    def _take_row(self, y: int) -> None:
        row = self.plan.grid[y]
        for letter in set(row):
            if letter not in self._rooms:
                row = row.replace(letter, ROCK)
        pad = ROCK * PAD
        self._rows[y + PAD] = pad + row + pad

    def _take_edges(self) -> None:
        self._edges: dict[int, dict[tuple[int, Side], EdgeKind]] = defaultdict(dict)
        for edge in self.plan.edges:
            x, y, side = owner(edge.x, edge.y, edge.side)
            self._edges[y][x, side] = edge.kind

    def _take_equipment(self) -> None:
        self._equipment: dict[Square, list[Thing]] = defaultdict(list)
        for one in self.plan.equipment:
            name = f"{one.kind} {one.x},{one.y}"
            thing = Thing(name, one.kind, one.x, one.y, one.side, name in self._destroyed)
            self._equipment[one.x, one.y].append(thing)
        self._tanks = {(one.x, one.y) for one in self.plan.equipment if one.kind == "tank"}

    def set_destroyed(self, names: Iterable[str]) -> list[Area]:
        """Show equipment and armored doors as destroyed ("tank 21,0", "door 17,9 E"); return what changes."""
        before, self._destroyed = self._destroyed, frozenset(names)
        if before == self._destroyed:
            return []
        self._take_equipment()
        squares = set()
        for name in before ^ self._destroyed:
            place = name.split()[1:2]
            x, _, y = place[0].partition(",") if place else ("", "", "")
            if x.isdigit() and y.isdigit():
                squares |= {(int(x), int(y)), (int(x) + 1, int(y)), (int(x), int(y) + 1)}
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
        for letter in {self._names_at[one] for one in change.squares if one in self._names_at}:
            dirty |= self._forget(letter)
        return areas + _round(dirty)

    def _forget(self, letter: str) -> frozenset[Square]:
        name = self._names.pop(letter, None)
        if name is None:
            return frozenset()
        for square in name.cuts:
            if self._names_at.get(square) == letter:
                del self._names_at[square]
        return frozenset(name.cuts)

    # What takes its time

    @property
    def is_settled(self) -> bool:
        """Whether tints and names are those of the plan as it is."""
        return not self._stale_names and not self._are_tints_stale

    def settle(self) -> list[Area] | None:
        """Do the next part of what takes its time; return the areas that look different, None for all."""
        if self._are_tints_stale:
            self._are_tints_stale = False
            before = self._tints
            self._tints = dict.fromkeys(self._rooms, 0) | self._all_tints()
            return [] if before == self._tints else None
        letter = next(iter(self._stale_names))
        del self._stale_names[letter]
        dirty = set(self._forget(letter))
        room = self._rooms.get(letter)
        name = self._placed(room) if room is not None else None
        if name is not None:
            self._names[letter] = name
            self._names_at.update(dict.fromkeys(name.cuts, letter))
            dirty |= name.cuts.keys()
        return _round(dirty)

    def _all_tints(self) -> dict[str, int]:
        if len(self._rooms) <= MANY_ROOMS:
            return tints(self.plan)
        beside: dict[str, set[str]] = defaultdict(set)
        rows = self._rows
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

    def _placed(self, room: RoomInfo) -> _Name | None:
        squares = frozenset(squares_of(self.plan, room.letter))
        if not squares:
            return None
        taken = []
        for square in squares & self._equipment.keys():
            for thing in self._equipment[square]:
                x, y = square
                box = (x + 0.06, y + 0.06, x + 0.94, y + 0.94)
                if thing.kind == "computer":
                    left, top, right, bottom = computer_box(x, y, thing.side)
                    box = (left - 0.08, top - 0.08, right + 0.08, bottom + 0.08)
                taken.append(box)
        label = labels.place_label(room.name, _near_the_middle(squares), taken)
        text, setup = QPainterPath(), QPainterPath()
        for path in (text, setup):
            path.setFillRule(Qt.FillRule.WindingFill)
        boxes: tuple[labels.Box, ...] = ()
        if label is not None:
            for line, left, base in label.lines:
                text.addPath(text_path(line, label.size, left, base))
            boxes = tuple((a - 0.1, b - 0.09, c + 0.1, d + 0.09) for a, b, c, d in label.boxes)
        cuts: dict[Square, Cuts] = {
            (x, y): tuple((a - x, b - y, c - x, d - y) for a, b, c, d in boxes)
            for left, top, right, bottom in boxes
            for y in range(int(top), int(bottom) + 1)
            for x in range(int(left), int(right) + 1)
        }
        if room.setup:
            x, y = max(squares, key=lambda square: (square[1], -square[0]))
            setup = text_path(" ".join(room.setup), SETUP_SIZE, x + 0.2, y + 0.82)
            cuts.setdefault((x, y), ())
        return _Name(text, setup, label.size if label is not None else 0.0, cuts)

    def name_box(self, letter: str) -> QRectF | None:
        """Return the scene's rectangle of a room's name, or of one of its squares' dots without one."""
        name = self._names.get(letter)
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
        return self._rows[y + PAD][PAD:-PAD]

    # Drawing

    def draw(self, painter: QPainter, area: Area, sprites: Sprites) -> None:
        """Draw an area of squares; the painter's unit is the device pixel, its origin the map's corner."""
        pixels = sprites.pixels
        left, top, right, bottom = area
        box = QRect(left * pixels, top * pixels, (right - left) * pixels, (bottom - top) * pixels)
        painter.setClipRect(box)
        self._draw_rock(painter, box, sprites)
        if sprites.is_detailed:
            named = self._draw_squares(painter, area, sprites)
        else:
            named = set()
            self._draw_tints(painter, area, sprites)
        overridden = self._overridden(area)
        has_rim = left < 0 or top < 0 or right > self.width or bottom > self.height
        if not (has_rim or overridden or named or self._equipment):
            self._draw_walls(painter, area, overridden, sprites)
            return
        scale = pixels / UNIT
        flat = painter.worldTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        if has_rim:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(faded(sprites.colors.soft, 0.8))
            painter.drawPath(self.frame)
        self._draw_passages(painter, overridden, sprites)
        if named:
            self._draw_names(painter, named, sprites)
        # Set back, not scaled back: walls are to lie on whole pixels exactly.
        painter.setWorldTransform(flat)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        self._draw_walls(painter, area, overridden, sprites)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        self._draw_things(painter, area, overridden, sprites)

    def _draw_rock(self, painter: QPainter, box: QRect, sprites: Sprites) -> None:
        pixels = sprites.pixels
        on_map = box.intersected(QRect(0, 0, self.width * pixels, self.height * pixels))
        if sprites.is_clear:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
            painter.fillRect(box, Qt.GlobalColor.transparent)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        elif on_map != box:
            painter.fillRect(box, sprites.colors.paper)
        if on_map.isEmpty():
            return
        paper, draw = sprites.paper, painter.drawPixmap
        side = paper.width()
        left, top, right, bottom = on_map.left(), on_map.top(), on_map.right() + 1, on_map.bottom() + 1
        for y in range(top // side * side, bottom, side):
            first, last = max(top, y), min(bottom, y + side)
            for x in range(left // side * side, right, side):
                start, end = max(left, x), min(right, x + side)
                draw(start, first, paper, start - x, first - y, end - start, last - first)

    def _draw_squares(self, painter: QPainter, area: Area, sprites: Sprites) -> set[str]:
        """Draw floors and hatching; return the letters whose names lie there."""
        left, top, right, bottom = area
        pixels, tint_of, pad = sprites.pixels, self._tints, PAD
        floor, rock, draw = sprites.floor, sprites.rock, painter.drawPixmap
        lay = _laying(painter, sprites)
        names_at, tanks = self._names_at, self._tanks
        named: set[str] = set()
        for y in range(top, bottom):
            above, row, below = self._rows[y + pad - 1 : y + pad + 2]
            high = y * pixels
            for x in range(left, right):
                at = x + pad
                here = row[at]
                if here == ROCK:
                    mask = (
                        (above[at] != ROCK) * NORTH
                        | (row[at + 1] != ROCK) * EAST
                        | (below[at] != ROCK) * SOUTH
                        | (row[at - 1] != ROCK) * WEST
                        | (above[at + 1] != ROCK) * NORTH_EAST
                        | (below[at + 1] != ROCK) * SOUTH_EAST
                        | (below[at - 1] != ROCK) * SOUTH_WEST
                        | (above[at - 1] != ROCK) * NORTH_WEST
                    )
                    picture = rock(mask) if mask else None
                    if picture is not None:
                        draw(x * pixels, high, picture)
                    continue
                mask = (
                    (above[at] != here) * NORTH
                    | (row[at + 1] != here) * EAST
                    | (below[at] != here) * SOUTH
                    | (row[at - 1] != here) * WEST
                    | (above[at + 1] != here) * NORTH_EAST
                    | (below[at + 1] != here) * SOUTH_EAST
                    | (below[at - 1] != here) * SOUTH_WEST
                    | (above[at - 1] != here) * NORTH_WEST
                )
                square = (x, y)
                if square in names_at:
                    name = names_at[square]
                    named.add(name)
                    self._draw_named(painter, square, mask, self._names[name].cuts[square], sprites)
                else:
                    lay(x * pixels, high, floor(tint_of[here], mask, has_dot=square not in tanks))
        return named

    def _draw_named(self, painter: QPainter, square: Square, mask: int, cuts: Cuts, sprites: Sprites) -> None:
        """Draw a floor on which a name stands, which covers its lines, and its dot if that lies under it."""
        pixels, tint = sprites.pixels, self._tints[self._rows[square[1] + PAD][square[0] + PAD]]
        left, top = square[0] * pixels, square[1] * pixels
        lay = _laying(painter, sprites)
        lay(left, top, sprites.floor(tint, mask, has_dot=False))
        bare = sprites.bare(tint, mask)
        has_dot = square not in self._tanks
        for a, b, c, d in cuts:
            x, y = max(0, round(a * pixels)), max(0, round(b * pixels))
            wide, high = min(pixels, round(c * pixels)) - x, min(pixels, round(d * pixels)) - y
            if wide > 0 and high > 0:
                lay(left + x, top + y, bare, x, y, wide, high)
            if a < 0.5 < c and b < 0.5 < d:
                has_dot = False
        if has_dot:
            painter.drawPixmap(left, top, sprites.dot)

    def _draw_tints(self, painter: QPainter, area: Area, sprites: Sprites) -> None:
        """Draw floors in runs of one room, where squares are too small for more."""
        left, top, right, bottom = area
        pixels, pad = sprites.pixels, PAD
        colours = sprites.floor_colours
        for y in range(top, bottom):
            row = self._rows[y + pad][left + pad : right + pad]
            for start, end, letter in _runs(row):
                if letter != ROCK:
                    painter.fillRect(
                        (left + start) * pixels,
                        y * pixels,
                        (end - start) * pixels,
                        pixels,
                        colours[self._tints[letter]],
                    )

    def _overridden(self, area: Area) -> list[tuple[Edge, EdgeKind]]:
        """Return the edges round an area that are not what their rooms make them."""
        left, top, right, bottom = area
        return [
            ((x, y, side), kind)
            for y in range(top - 1, bottom + 1)
            if y in self._edges
            for (x, side), kind in self._edges[y].items()
            if left - 1 <= x <= right
        ]

    def letters_beside(self, edge: Edge) -> tuple[str, str]:
        """Return the letters on the two sides of an edge."""
        x, y, side = edge
        dx, dy = STEP[side]
        pad = PAD
        return self._rows[y + pad][x + pad], self._rows[y + dy + pad][x + dx + pad]

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
            set_here = self._edges.get(row, {}).get((column, side))
            one, other = self.letters_beside((column, row, side))
            if (set_here or ("wall" if one != other else "open")) != "open":
                return True
        return False

    def _draw_passages(
        self, painter: QPainter, overridden: list[tuple[Edge, EdgeKind]], sprites: Sprites
    ) -> None:
        """Draw doorsteps, open edges between rooms and drop-offs."""
        colors = sprites.colors
        for edge, kind in overridden:
            line = edge_ends(*edge)
            if kind == "door":
                painter.setPen(QPen(faded(colors.soft, 0.6), HAIR * UNIT))
                painter.drawLine(QLineF(line.pointAt((1 - GAP) / 2), line.pointAt((1 + GAP) / 2)))
            elif kind == "open":
                painter.setPen(QPen(faded(colors.faint, 0.55), HAIR * UNIT))
                painter.drawLine(line)
            elif kind == "dropoff":
                draw_dropoff(painter, line, self.down(edge), colors)

    def down(self, edge: Edge) -> Side | None:
        """Return the side of an edge that lies lower, None where both are on one level (4.42)."""
        here, there = self.letters_beside(edge)
        if ROCK in (here, there) or (here in self._high) == (there in self._high):
            return None
        return edge[2] if here in self._high else OPPOSITE[edge[2]]

    def _draw_names(self, painter: QPainter, named: set[str], sprites: Sprites) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        for letter in named:
            name = self._names[letter]
            if name.size * sprites.pixels >= LEGIBLE:
                painter.setBrush(sprites.colors.room_name)
                painter.drawPath(name.text)
            if SETUP_SIZE * sprites.pixels >= LEGIBLE:
                painter.setBrush(faded(sprites.colors.room_name, 0.75))
                painter.drawPath(name.setup)

    def _draw_walls(
        self,
        painter: QPainter,
        area: Area,
        overridden: list[tuple[Edge, EdgeKind]],
        sprites: Sprites,
    ) -> None:
        """Draw walls of whole pixels, and what is left of them round doors."""
        left, top, right, bottom = area
        pixels, pad = sprites.pixels, PAD
        if sprites.is_detailed:
            rim, inner = thickness(OUTER, pixels), thickness(INNER, pixels)
        else:
            rim, inner = (2, 1) if pixels >= 4 else (1, 1)
        fill, wall = painter.fillRect, sprites.colors.wall
        known = {edge for edge, _ in overridden}
        for y in range(top - 1, bottom + 1):
            row, below = self._rows[y + pad], self._rows[y + 1 + pad]
            for x in range(left - 1, right + 1):
                here, east, south = row[x + pad], row[x + 1 + pad], below[x + pad]
                if here != east and not (known and (x, y, "E") in known):
                    thick = rim if here == ROCK or east == ROCK else inner
                    half = thick // 2
                    fill((x + 1) * pixels - half, y * pixels - half, thick, pixels + thick, wall)
                if here != south and not (known and (x, y, "S") in known):
                    thick = rim if here == ROCK or south == ROCK else inner
                    half = thick // 2
                    fill(x * pixels - half, (y + 1) * pixels - half, pixels + thick, thick, wall)
        if not overridden:
            return
        pieces = QPainterPath()
        pieces.setFillRule(Qt.FillRule.WindingFill)
        for edge, kind in overridden:
            x, y, side = edge
            letters = self.letters_beside(edge)
            thick = rim if ROCK in letters else inner
            half = thick // 2
            if kind == "wall" and side == "E":
                fill((x + 1) * pixels - half, y * pixels - half, thick, pixels + thick, wall)
            elif kind == "wall":
                fill(x * pixels - half, (y + 1) * pixels - half, pixels + thick, thick, wall)
            elif kind in ("door", "armored"):
                for piece in _doorway(edge, kind, thick, pixels, is_rim=ROCK in letters):
                    pieces.addRect(piece)
        if not pieces.isEmpty():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(wall)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawPath(pieces)

    def _draw_things(
        self,
        painter: QPainter,
        area: Area,
        overridden: list[tuple[Edge, EdgeKind]],
        sprites: Sprites,
    ) -> None:
        """Draw equipment and armored doors, and hatch what parts nothing."""
        left, top, right, bottom = area
        colors = sprites.colors
        if self._equipment:
            for y in range(top - 1, bottom + 1):
                for x in range(left - 1, right + 1):
                    for thing in self._equipment.get((x, y), ()):
                        if sprites.is_detailed:
                            draw_thing(painter, thing, colors)
                        else:
                            painter.fillRect(thing.box, colors.wall)
        for edge, kind in overridden:
            if kind == "armored" and sprites.is_detailed:
                is_destroyed = _door_name(edge) in self._destroyed
                draw_thing(painter, Thing("", "armored", *edge, is_destroyed), colors)
            if kind != "open" and not self.separates(edge, kind):
                draw_hatched(painter, edge_ends(*edge), sprites)


def draw_hatched(painter: QPainter, line: QLineF, sprites: Sprites) -> None:
    """Hatch an edge whose door or wall parts nothing."""
    colors = sprites.colors
    across, down = (-4, 9) if line.dy() == 0 else (9, -4)
    band = QRectF(line.p1(), line.p2()).adjusted(-across, -down, across, down)
    painter.setPen(QPen(colors.danger, max(0.03 * UNIT, UNIT / sprites.pixels)))
    painter.setBrush(faded(colors.danger, 0.16))
    painter.drawRect(band)
    along = max(band.width(), band.height())
    deep = min(band.width(), band.height())
    strokes = []
    for at in range(2, 7):
        far = at * along / 8
        if band.width() > band.height():
            x = band.left() + far
            strokes.append(QLineF(x - deep / 2, band.bottom(), x + deep / 2, band.top()))
        else:
            y = band.top() + far
            strokes.append(QLineF(band.left(), y + deep / 2, band.right(), y - deep / 2))
    painter.drawLines(strokes)


def _laying(painter: QPainter, sprites: Sprites) -> Callable[..., None]:
    """Return how a piece of floor is drawn: over nothing else, also where it lets an image through."""
    if not sprites.is_clear:
        return painter.drawPixmap

    def lay(*where: object) -> None:
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        painter.drawPixmap(*where)  # type: ignore[call-overload]
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)

    return lay


def _round(squares: Iterable[Square]) -> list[Area]:
    """Return the areas that squares have a part in: their own and their neighbours'."""
    return [(x - 1, y - 1, x + 2, y + 2) for x, y in squares]


def _door_name(edge: Edge) -> str:
    """Return what a start position calls an armored door; one on the rim goes by its square on the map."""
    x, y, side = edge
    if x < 0:
        return f"door 0,{y} W"
    return f"door {x},0 N" if y < 0 else f"door {x},{y} {side}"


def _look(room: RoomInfo | None) -> tuple[bool, bool]:
    """Return what of a room tells how its squares look."""
    return room is not None, room is not None and is_high(room.level)


def _near_the_middle(squares: frozenset[Square]) -> frozenset[Square]:
    """Return a large room's squares nearest to its middle, among which its name is put."""
    if len(squares) <= NAME_WINDOW**2 // 2:
        return squares
    x = sum(x for x, _ in squares) / len(squares)
    y = sum(y for _, y in squares) / len(squares)
    middle = min(squares, key=lambda one: (abs(one[0] - x) + abs(one[1] - y), one))
    half = NAME_WINDOW // 2
    return frozenset(
        one for one in squares if abs(one[0] - middle[0]) <= half and abs(one[1] - middle[1]) <= half // 2
    )


def _doorway(edge: Edge, kind: EdgeKind, thick: int, pixels: int, *, is_rim: bool) -> Iterable[QRectF]:
    """Return the wall on both sides of a doorway, and its jambs, in device pixels."""
    x, y, side = edge
    is_upright = side == "E"
    half = thick / 2
    line = ((x + 1) if is_upright else (y + 1)) * pixels
    start = (y if is_upright else x) * pixels
    along = thickness(JAMB[0], pixels)
    across = thickness(JAMB[1] + (0.08 if kind == "armored" else 0) + (0.05 if is_rim else 0), pixels)
    gap = (1 - GAP) / 2 * pixels
    spans = [
        (start - half, start + gap, thick),
        (start + pixels - gap, start + pixels + half, thick),
        (start + gap - along / 2, start + gap + along / 2, across),
        (start + pixels - gap - along / 2, start + pixels - gap + along / 2, across),
    ]
    for one, other, wide in spans:
        if is_upright:
            yield QRectF(line - wide / 2, one, wide, other - one)
        else:
            yield QRectF(one, line - wide / 2, other - one, wide)


def _runs(row: str) -> Iterator[tuple[int, int, str]]:
    """Yield the stretches of one letter: from, to, letter."""
    start = 0
    for at in range(1, len(row) + 1):
        if at == len(row) or row[at] != row[start]:
            yield start, at, row[start]
            start = at


def bounds_of(plan: FloorPlan) -> QRectF:
    """Return the scene's rectangle of a map with its frame."""
    return QRectF(
        -MARGIN * UNIT, -MARGIN * UNIT, (plan.width + 2 * MARGIN) * UNIT, (plan.height + 2 * MARGIN) * UNIT
    )
