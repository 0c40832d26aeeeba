"""A map as a picture: PNG in pixels, SVG in lines, with or without its grid, its rim and its counters."""

from __future__ import annotations

import math
import os
import tempfile
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QPoint, QPointF, QRect, QRectF, QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from app import theme
from app.board.counters import draw_counter
from app.board.picking import UNIT, centre
from app.board.plan import MARGIN
from app.board.stacks import ALONE
from app.board.things import draw_thing, things_of
from editor.draft import Draft
from editor.exports.forms import CannotExport, ExportOptions
from editor.printing.art import art_of
from editor.printing.pieces import placed

LARGEST: Final = 150_000_000
"""Pixels; a picture of as many takes 600 MB while it is drawn."""
LONGEST: Final = 32_000  # pixels; longer ones many programs do not open


def picture_size(draft: Draft, options: ExportOptions) -> QSize:
    """Return how large a picture is, pixels."""
    rim = 2 * MARGIN if options.has_rim else 0.0
    plan = draft.plan
    return QSize(
        math.ceil((plan.width + rim) * options.pixels), math.ceil((plan.height + rim) * options.pixels)
    )


def draw_picture(painter: QPainter, draft: Draft, options: ExportOptions) -> None:
    """Draw a map with squares of `options.pixels`, from the upper left corner of what is shown."""
    colors = theme.palette_of(options.look)
    art = art_of(draft.plan, options.look)
    shown = art.bounds
    if not options.has_rim:
        shown = QRectF(0, 0, draft.plan.width * UNIT, draft.plan.height * UNIT)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(options.pixels / UNIT, options.pixels / UNIT)
    painter.translate(-shown.topLeft())
    painter.setClipRect(shown)
    art.draw(painter, shown, options.pixels, has_grid=options.has_grid)
    for thing in things_of(draft.plan, None):
        draw_thing(painter, thing, colors)
    if options.has_figures and draft.scenario is not None:
        side = UNIT * ALONE
        for figure, square in placed(draft.scenario):
            middle = centre(square)
            corner = QPointF(middle.x() - side / 2, middle.y() - side / 2)
            face = figure if figure.is_face_up else "back"
            draw_counter(painter, QRectF(corner.x(), corner.y(), side, side), face, colors)
    painter.restore()


def picture(draft: Draft, options: ExportOptions) -> QImage:
    """Return a map as pixels; raises CannotExport where they would be too many."""
    size = picture_size(draft, options)
    if size.width() * size.height() > LARGEST or max(size.width(), size.height()) > LONGEST:
        raise CannotExport(
            f"a picture of {size.width()} x {size.height()} pixels is too large; choose fewer pixels a square"
        )
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(theme.palette_of(options.look).paper)
    painter = QPainter(image)
    draw_picture(painter, draft, options)
    painter.end()
    return image


def png_bytes(draft: Draft, options: ExportOptions) -> bytes:
    """Return a map as a PNG; raises CannotExport."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not picture(draft, options).save(buffer, "PNG"):  # type: ignore[call-overload]
        raise CannotExport("the picture could not be made")
    return bytes(buffer.data().data())


def svg_bytes(draft: Draft, options: ExportOptions) -> bytes:
    """Return a map as an SVG, text as outlines, so that it looks the same everywhere."""
    # The generator ends what it writes only when it is taken apart, so it writes a file of its own.
    handle, name = tempfile.mkstemp(suffix=".svg")
    os.close(handle)
    try:
        # 1.1, not the default Tiny, which cannot keep what is drawn inside of what it belongs to.
        generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
        generator.setFileName(name)
        size = picture_size(draft, options)
        generator.setSize(size)
        generator.setResolution(96)  # what a pixel is in such a file
        generator.setViewBox(QRect(QPoint(0, 0), size))
        generator.setTitle(draft.name)
        painter = QPainter(generator)
        draw_picture(painter, draft, options)
        painter.end()
        return Path(name).read_bytes()
    finally:
        Path(name).unlink(missing_ok=True)
