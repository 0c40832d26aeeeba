"""Squares as small pictures: every floor and every rock there can be at one zoom, drawn once."""

from __future__ import annotations

import random
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap

from app import theme
from app.board.picking import UNIT
from app.board.plan import DOT, HAIR, HATCH, HATCH_STEP, WASH, faded, wash_colour

NORTH, EAST, SOUTH, WEST, NORTH_EAST, SOUTH_EAST, SOUTH_WEST, NORTH_WEST = (1 << at for at in range(8))
"""The neighbours of a square, a bit each."""
_SIDES: Final = ((NORTH, 0, -1), (EAST, 1, 0), (SOUTH, 0, 1), (WEST, -1, 0))
_CORNERS: Final = (
    (NORTH_EAST, NORTH | EAST, 1, -1),
    (SOUTH_EAST, SOUTH | EAST, 1, 1),
    (SOUTH_WEST, SOUTH | WEST, -1, 1),
    (NORTH_WEST, NORTH | WEST, -1, -1),
)
PAPER_SQUARES: Final = 8
"""Every so many squares the paper's specks are the same again."""
DETAIL: Final = 7
"""Device pixels of a square below which only tints and walls are drawn."""
SEE_THROUGH: Final = 0.45
"""How much of an image under the map the floor covers."""


def simplified(mask: int) -> int:
    """Return a mask without the corners that lie between unlike sides: they change nothing."""
    for corner, sides, _, _ in _CORNERS:
        if mask & corner and mask & sides:
            mask &= ~corner
    return mask


_SIMPLE: Final = tuple(simplified(mask) for mask in range(256))


class Sprites:
    """The pictures of squares of `pixels` device pixels in one palette.

    With `is_clear` they let through what lies under the map; with `has_grid` rock shows its squares.
    """

    def __init__(self, pixels: int, colors: theme.Colors, *, is_clear: bool, has_grid: bool) -> None:
        self.pixels = pixels
        self.colors = colors
        self.is_clear = is_clear
        self.has_grid = has_grid
        self.is_detailed = pixels >= DETAIL
        self.floor_colours = tuple(
            faded(colour, SEE_THROUGH) if is_clear else colour for colour in colors.rooms
        )
        self._floors: dict[tuple[int, int, bool], QPixmap] = {}
        self._bare: dict[tuple[int, int], QPixmap] = {}
        self._dot: QPixmap | None = None
        self._rocks: dict[int, QPixmap] = {}
        self._paper: QPixmap | None = None

    def floor(self, tint: int, mask: int, *, has_dot: bool) -> QPixmap:
        """Return a square of a room; `mask` are the neighbours of other rooms."""
        key = (tint, mask, has_dot)
        found = self._floors.get(key)
        if found is None:
            found = self._floors[key] = self._drawn_floor(tint, _SIMPLE[mask], has_dot=has_dot)
        return found

    def bare(self, tint: int, mask: int) -> QPixmap:
        """Return a square of a room without lines and dot."""
        key = (tint, mask)
        found = self._bare.get(key)
        if found is None:
            found, painter = self._washed(tint, _SIMPLE[mask])
            painter.end()
            self._bare[key] = found
        return found

    @property
    def dot(self) -> QPixmap:
        """The dot of a square alone."""
        if self._dot is None:
            self._dot, painter = self._blank()
            self._draw_dot(painter)
            painter.end()
        return self._dot

    def rock(self, mask: int) -> QPixmap | None:
        """Return the hatching of a square of rock, None for none; `mask` are the neighbours with a floor."""
        if not mask or not self.is_detailed:
            return None
        found = self._rocks.get(mask)
        if found is None:
            found = self._rocks[mask] = self._drawn_rock(_SIMPLE[mask])
        return found

    @property
    def paper(self) -> QPixmap:
        """The paper, some squares of it, to be laid side by side."""
        if self._paper is None:
            self._paper = self._drawn_paper()
        return self._paper

    def _blank(self, ground: QColor | None = None, squares: int = 1) -> tuple[QPixmap, QPainter]:
        """Return a picture to draw on, see-through or of one colour."""
        made = QPixmap(self.pixels * squares, self.pixels * squares)
        made.fill(ground if ground is not None else QColor(Qt.GlobalColor.transparent))
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(self.pixels / UNIT, self.pixels / UNIT)
        return made, painter

    def _washed(self, tint: int, mask: int) -> tuple[QPixmap, QPainter]:
        """Return a square of a room with its tint gathered along the walls, to be drawn on."""
        made, painter = self._blank(self.floor_colours[tint])
        colors = self.colors
        if mask and colors.mode != "contrast":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(wash_colour(colors.rooms[tint], colors))
            for wide in WASH:
                painter.drawPath(_gathered(mask, wide / 2))
        return made, painter

    def _drawn_floor(self, tint: int, mask: int, *, has_dot: bool) -> QPixmap:
        made, painter = self._washed(tint, mask)
        painter.setPen(QPen(faded(self.colors.faint, 0.55), HAIR * UNIT))
        painter.drawLines([_side(dx, dy) for side, dx, dy in _SIDES if not mask & side])
        if has_dot:
            self._draw_dot(painter)
        painter.end()
        return made

    def _draw_dot(self, painter: QPainter) -> None:
        painter.setPen(QPen(self.colors.soft, DOT * UNIT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPoint(QPointF(UNIT / 2, UNIT / 2))

    def _drawn_rock(self, mask: int) -> QPixmap:
        made, painter = self._blank()
        near = QPainterPath()
        near.setFillRule(Qt.FillRule.WindingFill)
        for side, dx, dy in _SIDES:
            if mask & side:
                near.addRect(_strip(dx, dy, HATCH * UNIT))
        for corner, _, dx, dy in _CORNERS:
            if mask & corner:
                point = QPointF(UNIT * (dx > 0), UNIT * (dy > 0))
                near.addEllipse(point, HATCH * UNIT, HATCH * UNIT)
        painter.setClipPath(near)
        painter.setPen(QPen(faded(self.colors.soft, 0.55), HAIR * 1.3 * UNIT))
        step = HATCH_STEP * UNIT
        painter.drawLines(
            [
                QLineF(at * step - UNIT, -UNIT, at * step + 2 * UNIT, 2 * UNIT)
                for at in range(-round(1 / HATCH_STEP), round(1 / HATCH_STEP) + 1)
            ]
        )
        painter.end()
        return made

    def _drawn_paper(self) -> QPixmap:
        colors, whole = self.colors, PAPER_SQUARES * UNIT
        made, painter = self._blank(None if self.is_clear else colors.paper, PAPER_SQUARES)
        if colors.mode == "light" and self.is_detailed and not self.is_clear:
            dice = random.Random(2100)
            painter.setPen(Qt.PenStyle.NoPen)
            for share, colour in ((0.10, colors.soft), (0.35, colors.field)):
                painter.setBrush(faded(colour, share))
                for _ in range(PAPER_SQUARES**2):
                    x, y = dice.random() * whole, dice.random() * whole
                    wide, high = (0.01 + 0.05 * dice.random()) * UNIT, (0.01 + 0.02 * dice.random()) * UNIT
                    painter.drawEllipse(QRectF(x, y, wide, high))
        if self.has_grid and self.is_detailed:
            share = 0.35 if colors.mode == "dark" else 0.6
            painter.setPen(QPen(faded(colors.faint, share), max(HAIR * UNIT, UNIT / self.pixels)))
            lines = []
            for at in range(PAPER_SQUARES + 1):
                lines += [QLineF(at * UNIT, 0, at * UNIT, whole), QLineF(0, at * UNIT, whole, at * UNIT)]
            painter.drawLines(lines)
        painter.end()
        return made


def _side(dx: int, dy: int) -> QLineF:
    """Return a side of the square at the origin."""
    if dx:
        return QLineF(UNIT * (dx > 0), 0, UNIT * (dx > 0), UNIT)
    return QLineF(0, UNIT * (dy > 0), UNIT, UNIT * (dy > 0))


def _strip(dx: int, dy: int, deep: float) -> QRectF:
    """Return what lies within `deep` of a side of the square at the origin."""
    if dx:
        return QRectF(UNIT - deep if dx > 0 else 0, 0, deep, UNIT)
    return QRectF(0, UNIT - deep if dy > 0 else 0, UNIT, deep)


def _gathered(mask: int, deep: float) -> QPainterPath:
    """Return where the tint of a square at the origin gathers, `deep` squares along the room's rim."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for side, dx, dy in _SIDES:
        if mask & side:
            path.addRect(_strip(dx, dy, deep * UNIT))
    for corner, _, dx, dy in _CORNERS:
        if mask & corner:
            x, y = UNIT * (dx > 0), UNIT * (dy > 0)
            path.moveTo(x, y)
            path.lineTo(x - dx * deep * UNIT, y)
            path.lineTo(x, y - dy * deep * UNIT)
            path.closeSubpath()
    return path
