"""The ground on the screen: kept as picture tiles of the present zoom, of which an edit redraws a corner."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Final

from PySide6.QtCore import QObject, QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from app import theme
from app.board.picking import UNIT
from editor.canvas.ground import RIM, Ground, bounds_of
from editor.canvas.sprites import Sprites
from editor.draft import Square
from engine.fortress.floorplan import ROCK

TILE: Final = 512  # device pixels, at most
MEMORY: Final = 64 << 20  # bytes of tiles kept
BUDGET: Final = 0.008  # seconds of a paint spent on new tiles; the rest follow in the next ones


def side_of(pixels: int) -> int:
    """Return how many squares a side of a tile has, at so many device pixels a square."""
    return max(2, 1 << (TILE // pixels).bit_length() - 1)


def coarse_image(ground: Ground, colors: theme.Colors) -> QImage:
    """Return the map with a pixel for each square."""
    image = QImage(ground.width, ground.height, QImage.Format.Format_RGB32)
    values = {ROCK: colors.paper.rgb()}
    for y in range(ground.height):
        for x, letter in enumerate(ground.row(y)):
            value = values.get(letter)
            if value is None:
                value = values[letter] = colors.rooms[ground.tint_of(letter) or 0].rgb()
            image.setPixel(x, y, value)
    return image


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
        self._dirty: dict[tuple[int, int], QRect] = {}
        self._sprites: Sprites | None = None
        self._dpr = 1.0
        self._coarse: QImage | None = None
        self._owed: set[tuple[int, int]] = set()
        self._later = QTimer(parent)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._pay)

    # What changed

    def reset(self) -> None:
        """Draw everything anew: another size, palette or look."""
        self.prepareGeometryChange()
        self._bounds = bounds_of(self.ground.plan)
        self._sprites = None
        self.redraw()

    def redraw(self) -> None:
        """Draw every tile anew."""
        self._tiles.clear()
        self._dirty.clear()
        self._coarse = None
        self.update()

    def set_look(self, *, is_clear: bool, has_grid: bool) -> None:
        """Let an image under the map through, and show the squares of the rock, or not."""
        if (is_clear, has_grid) != (self.is_clear, self.has_grid):
            self.is_clear, self.has_grid = is_clear, has_grid
            self._sprites = None
            self.redraw()

    def touch(self, squares: Iterable[Square] | None) -> None:
        """Draw squares and their neighbours anew, or everything."""
        if squares is None:
            self.reset()
            return
        self._coarse = None
        if self._sprites is None:
            self.update()
            return
        side = side_of(self._sprites.pixels)
        fresh: dict[tuple[int, int], QRect] = {}
        for x, y in squares:
            box = QRect(x - 1, y - 1, 3, 3)
            for row in range(box.top() // side, box.bottom() // side + 1):
                for column in range(box.left() // side, box.right() // side + 1):
                    part = box & QRect(column * side, row * side, side, side)
                    fresh[column, row] = fresh.get((column, row), QRect()) | part
        for tile, box in fresh.items():
            if tile in self._tiles:
                self._dirty[tile] = self._dirty.get(tile, QRect()) | box
            self.update(QRectF(box.x() * UNIT, box.y() * UNIT, box.width() * UNIT, box.height() * UNIT))

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
            self._sprites = sprites = Sprites(
                pixels, theme.colors(), is_clear=self.is_clear, has_grid=self.has_grid
            )
            self._dpr = dpr
            self._tiles.clear()
            self._dirty.clear()
        exposed: QRectF = option.exposedRect.intersected(self._bounds)
        corner = world.map(QPointF(0, 0))
        left, top = round(corner.x() * dpr), round(corner.y() * dpr)
        side = side_of(pixels)
        until = time.perf_counter() + self.budget
        whole = self._squares()
        painter.save()
        painter.resetTransform()
        for row in range(int(exposed.top() // UNIT // side), int(exposed.bottom() // UNIT // side) + 1):
            for column in range(
                int(exposed.left() // UNIT // side), int(exposed.right() // UNIT // side) + 1
            ):
                area = whole & QRect(column * side, row * side, side, side)
                if area.isEmpty():
                    continue
                tile = self._tile((column, row), area, sprites, until)
                x, y = (left + area.x() * pixels) / dpr, (top + area.y() * pixels) / dpr
                if tile is not None:
                    painter.drawPixmap(QPointF(x, y), tile)
                elif not self.is_clear:
                    self._draw_coarse(painter, area, QPointF(x, y), pixels / dpr)
        painter.restore()
        if self._owed:
            self._later.start()

    def _squares(self) -> QRect:
        ground = self.ground
        return QRect(-RIM, -RIM, ground.width + 2 * RIM, ground.height + 2 * RIM)

    def _tile(self, key: tuple[int, int], area: QRect, sprites: Sprites, until: float) -> QPixmap | None:
        """Return a tile as it is now; the one that was, or None, where there is no time for it."""
        found = self._tiles.get(key)
        dirty = self._dirty.get(key) if found is not None else area
        if dirty is None:
            return found
        if time.perf_counter() > until:
            self._owed.add(key)
            return found
        if found is None:
            side = side_of(sprites.pixels) * sprites.pixels
            if len(self._tiles) >= max(16, MEMORY // (4 * side * side)):
                del self._tiles[next(iter(self._tiles))]
            found = QPixmap(area.width() * sprites.pixels, area.height() * sprites.pixels)
            if self.is_clear:
                found.fill(Qt.GlobalColor.transparent)
            self._tiles[key] = found
        found.setDevicePixelRatio(1.0)
        self._dirty.pop(key, None)
        painter = QPainter(found)
        painter.translate(-area.x() * sprites.pixels, -area.y() * sprites.pixels)
        self.ground.draw(painter, dirty & area, sprites)
        painter.end()
        found.setDevicePixelRatio(self._dpr)
        return found

    def _draw_coarse(self, painter: QPainter, area: QRect, at: QPointF, scale: float) -> None:
        if self._coarse is None:
            self._coarse = coarse_image(self.ground, theme.colors())
        target = QRectF(at.x(), at.y(), area.width() * scale, area.height() * scale)
        painter.fillRect(target, theme.colors().paper)
        on_map = area & self._coarse.rect()
        shift = QPointF((on_map.x() - area.x()) * scale, (on_map.y() - area.y()) * scale)
        target = QRectF(at + shift, QPointF(at + shift) + QPointF(on_map.width(), on_map.height()) * scale)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
        painter.drawImage(target, self._coarse, QRectF(on_map))

    def _pay(self) -> None:
        side = side_of(self._sprites.pixels) if self._sprites is not None else 1
        for column, row in self._owed:
            self.update(QRectF(column * side * UNIT, row * side * UNIT, side * UNIT, side * UNIT))
        self._owed.clear()

    def finish(self, repaint: Callable[[], object]) -> None:
        """Draw everything that is on show, however long it takes; `repaint` paints the view at once."""
        budget, self.budget = self.budget, float("inf")
        self.update()
        repaint()
        self.budget = budget
        self._owed.clear()
