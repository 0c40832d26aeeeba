"""Drawing the ground: any area of squares, in the game's look, alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from PySide6.QtCore import QLineF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from app.board.picking import UNIT
from app.board.plan import (
    GAP,
    HAIR,
    INNER,
    JAMB,
    OUTER,
    SETUP_SIZE,
    draw_dropoff,
    edge_ends,
    faded,
    thickness,
)
from app.board.things import Thing, draw_thing
from editor.canvas.ground import PAD, Area, Ground
from editor.canvas.names import Cuts
from editor.canvas.sprites import (
    EAST,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
    Sprites,
)
from editor.draft import Edge, Square
from engine.fortress.floorplan import ROCK, EdgeKind
from engine.fortress.thing_names import door_name

LEGIBLE: Final = 5
"""Device pixels of text below which it is not drawn."""


def draw_ground(painter: QPainter, ground: Ground, area: Area, sprites: Sprites) -> None:
    """Draw an area of squares; the painter's unit is the device pixel, its origin the map's corner."""
    _Drawing(painter, ground, area, sprites).draw()


class _Drawing:
    """One area being drawn."""

    def __init__(self, painter: QPainter, ground: Ground, area: Area, sprites: Sprites) -> None:
        self._painter = painter
        self._ground = ground
        self._area = area
        self._sprites = sprites

    def draw(self) -> None:
        """Draw the area."""
        painter, sprites = self._painter, self._sprites
        pixels = sprites.pixels
        left, top, right, bottom = self._area
        box = QRect(left * pixels, top * pixels, (right - left) * pixels, (bottom - top) * pixels)
        painter.setClipRect(box)
        self._draw_rock(box)
        if sprites.is_detailed:
            named = self._draw_squares()
        else:
            named = set()
            self._draw_tints()
        overridden = self._overridden()
        has_rim = left < 0 or top < 0 or right > self._ground.width or bottom > self._ground.height
        if not (has_rim or overridden or named or self._ground.equipment):
            self._draw_walls(overridden)
            return
        scale = pixels / UNIT
        flat = painter.worldTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        if has_rim:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(faded(sprites.colors.soft, 0.8))
            painter.drawPath(self._ground.frame)
        self._draw_passages(overridden)
        if named:
            self._draw_names(named)
        # Set back, not scaled back: walls are to lie on whole pixels exactly.
        painter.setWorldTransform(flat)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        self._draw_walls(overridden)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        self._draw_things(overridden)

    def _draw_rock(self, box: QRect) -> None:
        painter, sprites = self._painter, self._sprites
        pixels = sprites.pixels
        on_map = box.intersected(QRect(0, 0, self._ground.width * pixels, self._ground.height * pixels))
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

    def _draw_squares(self) -> set[str]:
        """Draw floors and hatching; return the letters whose names lie there."""
        painter, sprites = self._painter, self._sprites
        left, top, right, bottom = self._area
        pixels, tint_of, pad = sprites.pixels, self._ground.tints, PAD
        floor, rock, draw = sprites.floor, sprites.rock, painter.drawPixmap
        lay = _laying(painter, sprites)
        names_at, tanks = self._ground.names_at, self._ground.tanks
        named: set[str] = set()
        for y in range(top, bottom):
            above, row, below = self._ground.rows[y + pad - 1 : y + pad + 2]
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
                    self._draw_named(square, mask, self._ground.names[name].cuts[square])
                else:
                    lay(x * pixels, high, floor(tint_of[here], mask, has_dot=square not in tanks))
        return named

    def _draw_named(self, square: Square, mask: int, cuts: Cuts) -> None:
        """Draw a floor on which a name stands, which covers its lines, and its dot if that lies under it."""
        painter, sprites = self._painter, self._sprites
        pixels, tint = sprites.pixels, self._ground.tints[self._ground.rows[square[1] + PAD][square[0] + PAD]]
        left, top = square[0] * pixels, square[1] * pixels
        lay = _laying(painter, sprites)
        lay(left, top, sprites.floor(tint, mask, has_dot=False))
        bare = sprites.bare(tint, mask)
        has_dot = square not in self._ground.tanks
        for a, b, c, d in cuts:
            x, y = max(0, round(a * pixels)), max(0, round(b * pixels))
            wide, high = min(pixels, round(c * pixels)) - x, min(pixels, round(d * pixels)) - y
            if wide > 0 and high > 0:
                lay(left + x, top + y, bare, x, y, wide, high)
            if a < 0.5 < c and b < 0.5 < d:
                has_dot = False
        if has_dot:
            painter.drawPixmap(left, top, sprites.dot)

    def _draw_tints(self) -> None:
        """Draw floors in runs of one room, where squares are too small for more."""
        painter, sprites = self._painter, self._sprites
        left, top, right, bottom = self._area
        pixels, pad = sprites.pixels, PAD
        colours = sprites.floor_colours
        for y in range(top, bottom):
            row = self._ground.rows[y + pad][left + pad : right + pad]
            for start, end, letter in _runs(row):
                if letter != ROCK:
                    painter.fillRect(
                        (left + start) * pixels,
                        y * pixels,
                        (end - start) * pixels,
                        pixels,
                        colours[self._ground.tints[letter]],
                    )

    def _overridden(self) -> list[tuple[Edge, EdgeKind]]:
        """Return the edges round an area that are not what their rooms make them."""
        left, top, right, bottom = self._area
        return [
            ((x, y, side), kind)
            for y in range(top - 1, bottom + 1)
            if y in self._ground.edges
            for (x, side), kind in self._ground.edges[y].items()
            if left - 1 <= x <= right
        ]

    def _draw_passages(self, overridden: list[tuple[Edge, EdgeKind]]) -> None:
        """Draw doorsteps, open edges between rooms and drop-offs."""
        painter, sprites = self._painter, self._sprites
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
                draw_dropoff(painter, line, self._ground.down(edge), colors)

    def _draw_names(self, named: set[str]) -> None:
        painter, sprites = self._painter, self._sprites
        painter.setPen(Qt.PenStyle.NoPen)
        for letter in named:
            name = self._ground.names[letter]
            if name.size * sprites.pixels >= LEGIBLE:
                painter.setBrush(sprites.colors.room_name)
                painter.drawPath(name.text)
            if SETUP_SIZE * sprites.pixels >= LEGIBLE:
                painter.setBrush(faded(sprites.colors.room_name, 0.75))
                painter.drawPath(name.setup)

    def _draw_walls(self, overridden: list[tuple[Edge, EdgeKind]]) -> None:
        """Draw walls of whole pixels, and what is left of them round doors."""
        painter, sprites = self._painter, self._sprites
        left, top, right, bottom = self._area
        pixels, pad = sprites.pixels, PAD
        if sprites.is_detailed:
            rim, inner = thickness(OUTER, pixels), thickness(INNER, pixels)
        else:
            rim, inner = (2, 1) if pixels >= 4 else (1, 1)
        fill, wall = painter.fillRect, sprites.colors.wall
        known = {edge for edge, _ in overridden}
        for y in range(top - 1, bottom + 1):
            row, below = self._ground.rows[y + pad], self._ground.rows[y + 1 + pad]
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
            letters = self._ground.letters_beside(edge)
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

    def _draw_things(self, overridden: list[tuple[Edge, EdgeKind]]) -> None:
        """Draw equipment and armored doors, and hatch what parts nothing."""
        painter, sprites = self._painter, self._sprites
        left, top, right, bottom = self._area
        colors = sprites.colors
        if self._ground.equipment:
            for y in range(top - 1, bottom + 1):
                for x in range(left - 1, right + 1):
                    for thing in self._ground.equipment.get((x, y), ()):
                        if sprites.is_detailed:
                            draw_thing(painter, thing, colors)
                        else:
                            painter.fillRect(thing.box, colors.wall)
        for edge, kind in overridden:
            if kind == "armored" and sprites.is_detailed:
                is_destroyed = door_name(*edge) in self._ground.destroyed
                draw_thing(painter, Thing("", "armored", *edge, is_destroyed), colors)
            if kind != "open" and not self._ground.separates(edge, kind):
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
