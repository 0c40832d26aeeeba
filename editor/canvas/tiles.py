"""The ground on the screen: kept as picture tiles of the present zoom, of which an edit redraws a corner."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import Final

from PySide6.QtCore import QObject, QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from app import theme
from app.board.picking import UNIT
from editor.canvas.drawing import draw_ground
from editor.canvas.ground import RIM, Area, Ground, bounds_of
from editor.canvas.sprites import Sprites
from engine.fortress.floorplan import ROCK

TILE: Final = 320  # device pixels, at most
MEMORY: Final = 64 << 20  # bytes of tiles kept
BUDGET: Final = 0.006  # seconds of a paint spent on new tiles; the rest follow in the next ones


MANY: Final = 50
"""Areas that change at once, beyond which all that lies between them is copied to the screen too."""


def _round(areas: Collection[Area]) -> Area:
    """Return the area round some areas."""
    lefts, tops, rights, bottoms = zip(*areas, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def side_of(pixels: int) -> int:
    """Return how many squares a side of a tile has, at so many device pixels a square."""
    return max(2, 1 << max(1, TILE // pixels).bit_length() - 1)


def coarse_image(ground: Ground, colors: theme.Colors) -> QImage:
    """Return the map with a pixel for each square."""
    # A letter's number in the table of colours is that of its tint; rock comes after all tints.
    numbers = {ord(letter): tint for letter, tint in ground.tints.items()}
    numbers[ord(ROCK)] = len(colors.rooms)
    rows = b"".join(ground.row(y).translate(numbers).encode("latin-1") for y in range(ground.height))
    image = QImage(rows, ground.width, ground.height, ground.width, QImage.Format.Format_Indexed8)
    image.setColorTable([colour.rgb() for colour in (*colors.rooms, colors.paper)])
    return image.convertToFormat(QImage.Format.Format_RGB32)


class GroundItem(QGraphicsItem):
    """The ground as tiles.

    A paint makes new tiles for as long as it may take, and shows the map's plain tints where there was no
    time; those tiles follow at once in paints of their own.
    """

    def __init__(self, ground: Ground, parent: QObject) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.ground = ground
        self.budget = BUDGET
        self.is_clear = False
        self.has_grid = True
        self._bounds = bounds_of(ground.plan)
        self._tiles: dict[tuple[int, int], QPixmap] = {}
        self._dirty: dict[tuple[int, int], Area] = {}
        self._sprites: Sprites | None = None
        self._dpr = 1.0
        self._coarse: QImage | None = None
        self._owed: set[tuple[int, int]] = set()
        # The tiles of the zoom before this one, and their pixels a square, until all are drawn again.
        self._former: tuple[int, dict[tuple[int, int], QPixmap]] = (1, {})
        self._later = QTimer(parent)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._pay)

    # What changed

    def reset(self) -> None:
        """Draw everything anew: another size, palette or look."""
        self.prepareGeometryChange()
        self._bounds = bounds_of(self.ground.plan)
        self._forget()

    def _forget(self) -> None:
        """Draw everything anew, with nothing to show meanwhile."""
        self._sprites = None
        self._tiles.clear()
        self._dirty.clear()
        self._former = (1, {})
        self._coarse = None
        self.update()

    def redraw(self) -> None:
        """Draw every tile anew; what there is stays on show until then."""
        self._coarse = None
        if self._sprites is not None:
            side = side_of(self._sprites.pixels)
            self._dirty = {(column, row): self._area(column, row, side) for column, row in self._tiles}
        self.update()

    def set_look(self, *, is_clear: bool, has_grid: bool) -> None:
        """Let an image under the map through, and show the squares of the rock, or not."""
        if (is_clear, has_grid) != (self.is_clear, self.has_grid):
            self.is_clear, self.has_grid = is_clear, has_grid
            self._forget()

    def touch(self, areas: Collection[Area]) -> None:
        """Draw areas anew."""
        self._coarse = None
        if self._sprites is None:
            self.update()
            return
        side = side_of(self._sprites.pixels)
        tiles, dirty = self._tiles, self._dirty
        for left, top, right, bottom in areas if len(areas) <= MANY else [_round(areas)]:
            self.update(left * UNIT, top * UNIT, (right - left) * UNIT, (bottom - top) * UNIT)
        for left, top, right, bottom in areas:
            for row in range(top // side, (bottom - 1) // side + 1):
                for column in range(left // side, (right - 1) // side + 1):
                    key = (column, row)
                    if key not in tiles:
                        continue
                    known = dirty.get(key)
                    if known is None:
                        dirty[key] = (left, top, right, bottom)
                    else:
                        a, b, c, d = known
                        dirty[key] = (min(a, left), min(b, top), max(c, right), max(d, bottom))

    # Painting

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        world, dpr = painter.worldTransform(), painter.device().devicePixelRatio()
        pixels = max(1, round(world.m11() * dpr * UNIT))
        sprites = self._sprites
        if sprites is None or (pixels, dpr) != (sprites.pixels, self._dpr):
            if sprites is not None and self._tiles and dpr == self._dpr:
                self._former = sprites.pixels, self._tiles
            self._sprites = sprites = Sprites(
                pixels, theme.colors(), is_clear=self.is_clear, has_grid=self.has_grid
            )
            self._dpr = dpr
            self._tiles, self._dirty = {}, {}
        exposed: QRectF = option.exposedRect.intersected(self._bounds)
        corner = world.map(QPointF(0, 0))
        left, top = round(corner.x() * dpr), round(corner.y() * dpr)
        side = side_of(pixels)
        until = time.perf_counter() + self.budget
        painter.save()
        painter.resetTransform()
        for row in range(int(exposed.top() // UNIT // side), int(exposed.bottom() // UNIT // side) + 1):
            for column in range(
                int(exposed.left() // UNIT // side), int(exposed.right() // UNIT // side) + 1
            ):
                area = self._area(column, row, side)
                if area[0] >= area[2] or area[1] >= area[3]:
                    continue
                tile = self._tile((column, row), area, sprites, until)
                place = QPointF((left + area[0] * pixels) / dpr, (top + area[1] * pixels) / dpr)
                if tile is not None:
                    painter.drawPixmap(place, tile)
                elif not self.is_clear:
                    self._draw_for_now(painter, area, place, pixels / dpr)
        painter.restore()
        if self._owed:
            self._later.start()
        else:
            self._former = (1, {})

    def _area(self, column: int, row: int, side: int) -> Area:
        """Return the squares of a tile."""
        ground = self.ground
        return (
            max(-RIM, column * side),
            max(-RIM, row * side),
            min(ground.width + RIM, (column + 1) * side),
            min(ground.height + RIM, (row + 1) * side),
        )

    def _tile(self, key: tuple[int, int], area: Area, sprites: Sprites, until: float) -> QPixmap | None:
        """Return a tile as it is now; the one that was, or None, where there is no time for it."""
        found = self._tiles.get(key)
        dirty = self._dirty.get(key) if found is not None else area
        if dirty is None:
            return found
        if time.perf_counter() > until:
            self._owed.add(key)
            return found
        pixels = sprites.pixels
        if found is None:
            side = side_of(pixels) * pixels
            if len(self._tiles) >= max(16, MEMORY // (4 * side * side)):
                del self._tiles[next(iter(self._tiles))]
            found = QPixmap((area[2] - area[0]) * pixels, (area[3] - area[1]) * pixels)
            if self.is_clear:
                found.fill(Qt.GlobalColor.transparent)
            self._tiles[key] = found
        else:
            dirty = (
                max(dirty[0], area[0]),
                max(dirty[1], area[1]),
                min(dirty[2], area[2]),
                min(dirty[3], area[3]),
            )
            found.setDevicePixelRatio(1.0)
        self._dirty.pop(key, None)
        painter = QPainter(found)
        painter.translate(-area[0] * pixels, -area[1] * pixels)
        draw_ground(painter, self.ground, dirty, sprites)
        painter.end()
        found.setDevicePixelRatio(self._dpr)
        return found

    def _draw_for_now(self, painter: QPainter, area: Area, at: QPointF, scale: float) -> None:
        """Draw an area as it was at the zoom before, or else in plain tints, until there is time for it."""
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
        self._draw_coarse(painter, area, at, scale)
        pixels, tiles = self._former
        side = side_of(pixels)
        left, top, right, bottom = area
        for row in range(top // side, (bottom - 1) // side + 1):
            for column in range(left // side, (right - 1) // side + 1):
                tile = tiles.get((column, row))
                if tile is None:
                    continue
                a, b, c, d = self._area(column, row, side)
                x, y, across, down = max(a, left), max(b, top), min(c, right), min(d, bottom)
                corner = at + QPointF(x - left, y - top) * scale
                target = QRectF(corner.x(), corner.y(), (across - x) * scale, (down - y) * scale)
                source = QRectF(
                    (x - a) * pixels, (y - b) * pixels, (across - x) * pixels, (down - y) * pixels
                )
                painter.drawPixmap(target, tile, source)

    def _draw_coarse(self, painter: QPainter, area: Area, at: QPointF, scale: float) -> None:
        if self._coarse is None:
            self._coarse = coarse_image(self.ground, theme.colors())
        left, top, right, bottom = area
        target = QRectF(at.x(), at.y(), (right - left) * scale, (bottom - top) * scale)
        painter.fillRect(target, theme.colors().paper)
        on_map = QRect(left, top, right - left, bottom - top) & self._coarse.rect()
        corner = at + QPointF(on_map.x() - left, on_map.y() - top) * scale
        target = QRectF(corner.x(), corner.y(), on_map.width() * scale, on_map.height() * scale)
        painter.drawImage(target, self._coarse, QRectF(on_map))

    def _pay(self) -> None:
        side = side_of(self._sprites.pixels) if self._sprites is not None else 1
        for column, row in self._owed:
            self.update(QRectF(column * side * UNIT, row * side * UNIT, side * UNIT, side * UNIT))
        self._owed.clear()

    def finish(self, paint_all: Callable[[], object]) -> None:
        """Draw everything that is on show, however long it takes; `paint_all` paints the view at once."""
        budget, self.budget = self.budget, float("inf")
        self.update()
        paint_all()
        self.budget = budget
        self._owed.clear()
