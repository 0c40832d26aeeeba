"""The board as a picture: small ones for lists, large ones to keep, and lines for a drawing program."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QImage, QPainter, QPen

from app import theme
from app.board.counters import draw_counter
from app.board.items import draw_note
from app.board.picking import UNIT, centre
from app.board.plan import MARGIN, PlanArt
from app.board.stacks import spots
from app.board.things import draw_thing, things_of
from engine.fortress.floorplan import FloorPlan, format_floorplan, parse_floorplan
from engine.raid.figures import CLONEMASTER
from engine.raid.view import View

CHIP: Final = 10
"""Pixels of a square below which a counter is only a chip in its side's colour."""


def picture_size(plan: FloorPlan, pixels: float) -> QSize:
    """Return how large a picture is whose squares have so many pixels."""
    return QSize(
        math.ceil((plan.width + 2 * MARGIN) * pixels), math.ceil((plan.height + 2 * MARGIN) * pixels)
    )


def draw_board(
    painter: QPainter,
    plan: FloorPlan,
    view: View | None,
    pixels: float,
    colors: theme.Colors | None = None,
) -> None:
    """Draw what a view knows onto its plan, as lines and not as pixels, with squares of `pixels`.

    In the palette in force, unless another is given.
    """
    chosen = colors or theme.colors()
    art = PlanArt(plan, chosen)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(pixels / UNIT, pixels / UNIT)
    painter.translate(-art.bounds.topLeft())
    art.draw(painter, art.bounds, pixels)
    _draw_counters(painter, plan, view, pixels, chosen)
    painter.restore()


def board_image(plan: FloorPlan, view: View | None, pixels: float, dpr: float = 1.0) -> QImage:
    """Return a picture of what a view knows, with squares of so many logical pixels."""
    image = _ground(format_floorplan(plan), theme.colors().mode, pixels * dpr).copy()
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(pixels * dpr / UNIT, pixels * dpr / UNIT)
    painter.translate(MARGIN * UNIT, MARGIN * UNIT)
    _draw_counters(painter, plan, view, pixels * dpr, theme.colors())
    painter.end()
    image.setDevicePixelRatio(dpr)
    return image


@lru_cache(maxsize=8)
def _ground(plan: bytes, mode: str, pixels: float) -> QImage:
    """Return the picture of a map without anything that can change, kept for the next of the same map."""
    floorplan = parse_floorplan(plan)
    colors = theme.colors()
    image = QImage(picture_size(floorplan, pixels), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(colors.paper)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(pixels / UNIT, pixels / UNIT)
    art = PlanArt(floorplan, colors)
    painter.translate(-art.bounds.topLeft())
    art.draw(painter, art.bounds, pixels)
    painter.end()
    return image


def _draw_counters(
    painter: QPainter, plan: FloorPlan, view: View | None, pixels: float, colors: theme.Colors
) -> None:
    for thing in things_of(plan, view):
        draw_thing(painter, thing, colors)
    if view is None:
        return
    for spot in sorted(spots(view, plan), key=lambda one: one.layer):
        middle = centre(spot.square) + QPointF(*spot.offset)
        side = UNIT * spot.size
        box = QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side)
        if pixels >= CHIP:
            draw_counter(painter, box, spot.face, colors)
            if spot.note:
                draw_note(painter, box, spot.note, colors)
            continue
        is_standing = isinstance(spot.face, str) or spot.face.is_conscious
        painter.setPen(QPen(colors.chip_edge, UNIT * 0.1))
        ground = colors.side(CLONEMASTER if isinstance(spot.face, str) else spot.face.side)
        painter.setBrush(ground if is_standing else colors.field)
        painter.drawRect(box)
