"""The map on paper: its sheets with cut lines and registration marks, and how they go together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from app import theme
from app.board.picking import UNIT
from app.board.plan import MARGIN, PlanArt
from app.board.things import draw_thing, things_of
from editor.printing import marks
from editor.printing.art import art_of
from editor.printing.inks import BLACK_AND_WHITE, MODE
from editor.printing.options import CannotPrint, PrintOptions
from editor.printing.paper import MM, Page, area_of
from editor.printing.tiling import Tile, tiles
from engine.fortress.floorplan import FloorPlan

_DOTS: Final = 47.0
"""Dots in a millimetre of a good printer; walls are made so wide that their edges fall between them."""


class Sheets(NamedTuple):
    """A map's sheets: the side of a square in mm, which way they lie, and what is on each."""

    square: float
    is_landscape: bool
    tiles: tuple[Tile, ...]


def map_sheets(plan: FloorPlan, options: PrintOptions) -> Sheets:
    """Return how a map is cut, lying the way that takes fewer sheets; raises CannotPrint."""
    if options.is_one_sheet:
        return max(
            (_one_sheet(plan, options, is_landscape) for is_landscape in options.lies_across()),
            key=lambda sheets: sheets.square,
        )
    found = []
    for is_landscape in options.lies_across():
        area, side = area_of(options, is_landscape), options.square * MM
        cut = tiles(
            plan.width,
            plan.height,
            MARGIN,
            area.width() / side,
            area.height() / side,
            options.overlap / options.square,
        )
        if cut:
            found.append(Sheets(options.square, is_landscape, cut))
    if not found:
        raise CannotPrint(
            f"a sheet of this paper has no room for squares of {options.square:g} mm with an overlap of "
            f"{options.overlap:g} mm"
        )
    return min(found, key=lambda sheets: len(sheets.tiles))


def _one_sheet(plan: FloorPlan, options: PrintOptions, is_landscape: bool) -> Sheets:
    area = area_of(options, is_landscape)
    wide, high = plan.width + 2 * MARGIN, plan.height + 2 * MARGIN
    side = min(area.width() / wide, area.height() / high)
    right, bottom = plan.width + MARGIN, plan.height + MARGIN
    tile = Tile(0, 0, -MARGIN, -MARGIN, right, bottom, right, bottom)
    return Sheets(side / MM, is_landscape, (tile,))


def map_pages(plan: FloorPlan, options: PrintOptions) -> Iterator[Page]:
    """Yield the sheets of a map, after a page that shows how they go together where they are several."""
    sheets = map_sheets(plan, options)
    art = art_of(plan, BLACK_AND_WHITE if options.is_black_and_white else MODE)
    if len(sheets.tiles) > 1:
        wide = plan.width > plan.height and True in options.lies_across()
        is_landscape = wide or False not in options.lies_across()
        area = area_of(options, is_landscape)
        yield Page("Assembly", "map", is_landscape, partial(_paint_assembly, area, art, sheets, options))
    for tile in sheets.tiles:
        area = area_of(options, sheets.is_landscape)
        yield Page(
            f"Map {tile.name}", "map", sheets.is_landscape, partial(_paint_tile, area, art, sheets, tile)
        )


def _draw_map(painter: QPainter, art: PlanArt, shown: QRectF, square: float) -> None:
    """Draw the part of a map that lies in a rectangle of its scene."""
    drawn = art if shown == art.bounds else art.part(shown)
    drawn.draw(painter, shown, max(4.0, square * _DOTS))
    for thing in things_of(art.plan, None):
        if thing.reach.intersects(shown):
            draw_thing(painter, thing, art.colors)


def _paint_tile(area: QRectF, art: PlanArt, sheets: Sheets, tile: Tile, painter: QPainter) -> None:
    side, colors = sheets.square * MM, art.colors
    box = QRectF(area.left(), area.top(), (tile.right - tile.left) * side, (tile.bottom - tile.top) * side)
    if len(sheets.tiles) == 1:
        box.moveCenter(area.center())
    shown = QRectF(
        tile.left * UNIT,
        tile.top * UNIT,
        (tile.right - tile.left) * UNIT,
        (tile.bottom - tile.top) * UNIT,
    )
    painter.save()
    painter.setClipRect(box)
    painter.translate(box.topLeft())
    painter.scale(side / UNIT, side / UNIT)
    painter.translate(-shown.topLeft())
    _draw_map(painter, art, shown, sheets.square)
    painter.restore()
    marks.crop_marks(painter, box, colors.ink)
    painter.save()
    painter.setClipRect(box)
    _draw_seams(painter, box, side, sheets.tiles, tile, colors)
    painter.restore()
    where = f"{art.plan.name}: squares of {sheets.square:.3g} mm"
    marks.foot(painter, area, f"Map {tile.name}", where, colors)


def _draw_seams(
    painter: QPainter, box: QRectF, side: float, sheets: Sequence[Tile], tile: Tile, colors: theme.Colors
) -> None:
    """Draw where the next sheets' edges lie, and registration marks on both sheets of every seam."""
    x = box.left() + (tile.cut_right - tile.left) * side
    y = box.top() + (tile.cut_bottom - tile.top) * side
    has_right = any(one.column > tile.column for one in sheets)
    has_below = any(one.row > tile.row for one in sheets)
    painter.setPen(marks.fine_pen(colors.soft, marks.FINE, Qt.PenStyle.DashLine))
    if has_right and tile.right > tile.cut_right:
        painter.drawLine(QLineF(x, box.top(), x, box.bottom()))
    if has_below and tile.bottom > tile.cut_bottom:
        painter.drawLine(QLineF(box.left(), y, box.right(), y))
    upright = [x] if has_right else []
    upright += [box.left()] if tile.column else []
    level = [y] if has_below else []
    level += [box.top()] if tile.row else []
    points = [
        QPointF(line, box.top() + (at - tile.top) * side)
        for line in upright
        for at in _quarters(tile.top, tile.cut_bottom)
    ] + [
        QPointF(box.left() + (at - tile.left) * side, line)
        for line in level
        for at in _quarters(tile.left, tile.cut_right)
    ]
    for point in points:
        marks.registration(painter, point, colors.ink, colors.paper)


def _quarters(start: float, end: float) -> tuple[float, ...]:
    """Return two points of a length of squares, both in the middle of a square's side where they can be."""
    first, last = start + (end - start) * 0.25, start + (end - start) * 0.75
    places = tuple(dict.fromkeys((int(first) + 0.5, int(last) + 0.5)))
    return tuple(place for place in places if start < place < end) or ((start + end) / 2,)


def _paint_assembly(
    area: QRectF, art: PlanArt, sheets: Sheets, options: PrintOptions, painter: QPainter
) -> None:
    """Draw the whole map small with its sheets on it, and say in what order to lay them."""
    colors, plan = art.colors, art.plan
    left, wide = area.left(), area.width()
    marks.write_line(
        painter, QRectF(left, area.top(), wide, 9 * MM), plan.name, 7.0, colors.ink, is_bold=True
    )
    rows = max(tile.row for tile in sheets.tiles) + 1
    columns = len(sheets.tiles) // rows
    size = (plan.width + 2 * MARGIN) * sheets.square / 10, (plan.height + 2 * MARGIN) * sheets.square / 10
    lines = [
        f"{len(sheets.tiles)} sheets, {columns} across and {rows} down; put together the map is "
        f"{size[0]:.1f} by {size[1]:.1f} cm, each square {sheets.square:g} mm.",
        "Print at 100 %, without “fit to page”. Measure the line at the foot of a sheet: it is 50 mm.",
    ]
    if options.overlap:
        lines.append(
            f"Cut each sheet at its left and upper edge along the crop marks. It lies {options.overlap:g} mm "
            "over the sheet before it: edge on the dashed line, cross on cross."
        )
    else:
        lines.append("Cut each sheet along the crop marks and lay them edge to edge, cross on cross.")
    top = area.top() + 11 * MM
    for line in lines:
        marks.write_line(painter, QRectF(left, top, wide, 5 * MM), line, 3.0, colors.ink)
        top += 5.2 * MM
    room = QRectF(left, top + 4 * MM, wide, area.bottom() - top - 4 * MM)
    _draw_overview(painter, room, art, sheets)
    marks.foot(painter, area, "Assembly", f"{plan.name}: how the sheets go together", colors)


def _draw_overview(painter: QPainter, room: QRectF, art: PlanArt, sheets: Sheets) -> None:
    plan, colors = art.plan, art.colors
    scale = min(room.width() / (plan.width + 2 * MARGIN), room.height() / (plan.height + 2 * MARGIN))
    corner = QPointF(room.center().x() - (plan.width / 2 + MARGIN) * scale, room.top())
    painter.save()
    painter.setClipRect(
        QRectF(corner.x(), corner.y(), (plan.width + 2 * MARGIN) * scale, (plan.height + 2 * MARGIN) * scale)
    )
    painter.translate(corner)
    painter.scale(scale / UNIT, scale / UNIT)
    painter.translate(-art.bounds.topLeft())
    _draw_map(painter, art, art.bounds, scale / MM)
    painter.restore()
    for tile in sheets.tiles:
        box = QRectF(
            corner.x() + (tile.left + MARGIN) * scale,
            corner.y() + (tile.top + MARGIN) * scale,
            (tile.cut_right - tile.left) * scale,
            (tile.cut_bottom - tile.top) * scale,
        )
        painter.setPen(marks.fine_pen(colors.danger, 0.5 * MM))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box)
        high = min(9.0, box.height() / MM / 3, box.width() / MM / 4)
        wide = marks.text_width(tile.name, high, is_bold=True) + 3 * MM
        plate = QRectF(0, 0, wide, (high + 2) * MM)
        plate.moveCenter(box.center())
        painter.setPen(marks.fine_pen(colors.danger, 0.2 * MM))
        painter.setBrush(colors.paper)
        painter.drawRoundedRect(plate, MM, MM)
        marks.write_line(painter, plate, tile.name, high, colors.danger, marks.MIDDLE, is_bold=True)
