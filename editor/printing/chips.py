"""Counters, tactics counters and markers on sheets, to be folded or printed on both sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from app import theme
from app.board.art import drawing
from app.board.counters import Face, draw_counter, write
from app.board.picking import UNIT
from app.board.things import Thing, draw_thing
from editor.printing import marks
from editor.printing.inks import inks
from editor.printing.options import SMALLEST_COUNTER, USUAL_SQUARE, Part, PrintOptions
from editor.printing.paper import MM, Page, area_of
from editor.printing.pieces import Marker, Piece, Tactics, markers, pieces, tactics
from engine.raid.figures import ABILITY_NAMES
from engine.raid.scenario import Scenario

SHARE: Final = 0.9
"""The side of a printed counter, in squares of the printed map."""
INSET: Final = 0.5 * MM
"""White between a counter and the line to cut along."""
HINT: Final = 6.0 * MM
GAP: Final = 1.6 * MM  # between strips to be folded

Draw = Callable[[QPainter, QRectF], None]


class Chip(NamedTuple):
    """A counter to be cut out: its front, and its back or None."""

    front: Draw
    back: Draw | None = None


class Grid(NamedTuple):
    """How chips lie on a sheet: columns and strips of one row each, two with backs to be folded; units."""

    is_landscape: bool
    side: float
    columns: int
    strips: int
    is_folded: bool

    @property
    def room(self) -> int:
        """How many chips a sheet has."""
        return self.columns * self.strips


def counter_side(square: float) -> float:
    """Return the side of a printed counter for squares of so many mm, mm."""
    return max(SMALLEST_COUNTER, square * SHARE)


def table_side(square: float) -> float:
    """Return the side of what lies beside the map or over a square of it, and is to be read, mm."""
    return max(counter_side(USUAL_SQUARE), counter_side(square))


def counter_pages(scenario: Scenario, square: float, options: PrintOptions) -> Iterator[Page]:
    """Yield the sheets of the counters that stand for humans (2.55)."""
    colors = inks(options.is_black_and_white)
    chips = [_figure_chip(piece, colors) for piece in pieces(scenario)]
    yield from _sheets("Counters", "counters", chips, counter_side(square), options, colors)


def tactics_pages(scenario: Scenario, square: float, options: PrintOptions) -> Iterator[Page]:
    """Yield the sheets of the tactics counters (2.52)."""
    colors = inks(options.is_black_and_white)
    chips = [_tactics_chip(one, colors) for one in tactics(scenario) for _ in range(one.number)]
    yield from _sheets("Tactics", "tactics", chips, table_side(square), options, colors)


def marker_pages(scenario: Scenario, square: float, options: PrintOptions) -> Iterator[Page]:
    """Yield the sheets of the markers (2.51, 2.53, 2.54)."""
    colors = inks(options.is_black_and_white)
    chips = [_marker_chip(one, colors) for one in markers(scenario) for _ in range(one.number)]
    yield from _sheets("Markers", "markers", chips, table_side(square), options, colors)


# Sheets


def _sheets(
    name: str,
    part: Part,
    chips: Sequence[Chip],
    side: float,
    options: PrintOptions,
    colors: theme.Colors,
) -> Iterator[Page]:
    if not chips:
        return
    has_backs = any(chip.back is not None for chip in chips)
    is_folded = has_backs and options.backs == "fold"
    is_duplex = has_backs and options.backs == "duplex"
    # Turned over its long edge an upright sheet is mirrored from left to right.
    ways = (False,) if is_duplex else options.lies_across()
    grids = [_grid(options, is_landscape, side * MM, is_folded) for is_landscape in ways]
    grid = min(grids, key=lambda one: -(-len(chips) // one.room))
    sheets = [chips[at : at + grid.room] for at in range(0, len(chips), grid.room)]
    for number, some in enumerate(sheets, 1):
        called = f"{name} {number}" if len(sheets) > 1 else name
        area = area_of(options, grid.is_landscape)
        hint = "Cut along the fine lines."
        if is_folded:
            hint = "Cut the strips apart, fold them along the dashed lines, glue, cut along the fine lines."
        if is_duplex:
            hint = "Print this page and the next by themselves, on both sides, turned over the long edge."
        yield Page(
            called, part, grid.is_landscape, partial(_paint, area, grid, some, False, called, hint, colors)
        )
        if is_duplex:
            called += ", backs"
            hint = "The backs of the page before, mirrored for the long edge."
            yield Page(
                called, part, grid.is_landscape, partial(_paint, area, grid, some, True, called, hint, colors)
            )


def _grid(options: PrintOptions, is_landscape: bool, side: float, is_folded: bool) -> Grid:
    area = area_of(options, is_landscape)
    high = area.height() - HINT
    strips = int((high + GAP) // (2 * side + GAP)) if is_folded else int(high // side)
    return Grid(is_landscape, side, max(1, int(area.width() // side)), max(1, strips), is_folded)


def _cell(area: QRectF, grid: Grid, number: int, *, is_back: bool) -> QRectF:
    """Return where a chip's front lies, or its back: below the fold, or mirrored on the other side."""
    strip, column = divmod(number, grid.columns)
    if is_back and not grid.is_folded:
        column = grid.columns - 1 - column
    left = area.center().x() - grid.columns * grid.side / 2 + column * grid.side
    top = area.top() + HINT + strip * (2 * grid.side + GAP if grid.is_folded else grid.side)
    if is_back and grid.is_folded:
        top += grid.side
    return QRectF(left, top, grid.side, grid.side)


def _paint(
    area: QRectF,
    grid: Grid,
    chips: Sequence[Chip],
    are_backs: bool,
    name: str,
    hint: str,
    colors: theme.Colors,
    painter: QPainter,
) -> None:
    marks.write_line(
        painter, QRectF(area.left(), area.top() - MM, area.width(), 4 * MM), hint, 2.7, colors.soft
    )
    for number, chip in enumerate(chips):
        if not are_backs or grid.is_folded:
            _place(painter, chip.front, _cell(area, grid, number, is_back=False))
        if chip.back is not None and (are_backs or grid.is_folded):
            box = _cell(area, grid, number, is_back=True)
            painter.save()
            if grid.is_folded:
                # Upside down, so that it stands upright once it is folded behind.
                painter.translate(box.center())
                painter.rotate(180)
                painter.translate(-box.center())
            _place(painter, chip.back, box)
            painter.restore()
    _draw_cuts(painter, area, grid, len(chips), are_backs, colors)
    marks.foot(painter, area, name, f"counters of {grid.side / MM:.3g} mm", colors)


def _place(painter: QPainter, draw: Draw, box: QRectF) -> None:
    painter.save()
    draw(painter, box.adjusted(INSET, INSET, -INSET, -INSET))
    painter.restore()


def _draw_cuts(
    painter: QPainter, area: QRectF, grid: Grid, number: int, are_backs: bool, colors: theme.Colors
) -> None:
    """Draw the lines to cut along, and those to fold along."""
    tick = 2.5 * MM
    short = GAP / 2 if grid.is_folded else tick
    for first in range(0, number, grid.columns):
        count = min(grid.columns, number - first)
        one = _cell(area, grid, first, is_back=are_backs)
        other = _cell(area, grid, first + count - 1, is_back=are_backs)
        row = one.united(other)
        rows = [row, row.translated(0, grid.side)] if grid.is_folded else [row]
        painter.setPen(marks.fine_pen(colors.faint, 0.08 * MM))
        for box in rows:
            for y in (box.top(), box.bottom()):
                if grid.is_folded and abs(y - row.bottom()) < 1:
                    continue
                painter.drawLine(QLineF(box.left() - tick, y, box.right() + tick, y))
        upper, lower = rows[0].top() - short, rows[-1].bottom() + short
        for column in range(count + 1):
            x = row.left() + column * grid.side
            painter.drawLine(QLineF(x, upper, x, lower))
        if grid.is_folded:
            painter.setPen(marks.fine_pen(colors.ink, 0.12 * MM, Qt.PenStyle.DashLine))
            painter.drawLine(QLineF(row.left() - tick, row.bottom(), row.right() + tick, row.bottom()))


# What is on them


def _figure_chip(piece: Piece, colors: theme.Colors) -> Chip:
    back = partial(_draw_figure, piece.back, colors) if piece.back else None
    return Chip(partial(_draw_figure, piece.front, colors), back)


def _draw_figure(face: Face, colors: theme.Colors, painter: QPainter, box: QRectF) -> None:
    draw_counter(painter, box, face, colors)


def _tactics_chip(one: Tactics, colors: theme.Colors) -> Chip:
    return Chip(
        partial(_draw_tactics, one.counter, one.side, colors), partial(_draw_tactics_back, one.side, colors)
    )


def _draw_tactics(counter: str, side: str, colors: theme.Colors, painter: QPainter, box: QRectF) -> None:
    _draw_blank(painter, box, colors, side)
    symbol = box.width() * 0.52
    place = QRectF(box.center().x() - symbol / 2, box.top() + box.height() * 0.15, symbol, symbol)
    drawing(counter).draw(painter, place, colors.ink, colors.field)
    _caption(painter, box, ABILITY_NAMES[counter], colors, 0.8)


def _draw_tactics_back(side: str, colors: theme.Colors, painter: QPainter, box: QRectF) -> None:
    round_ = box.width() * 0.09
    painter.setBrush(colors.side(side))
    painter.setPen(marks.fine_pen(colors.chip_edge, box.width() * 0.02))
    painter.drawRoundedRect(box, round_, round_)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(marks.fine_pen(colors.side_art(side), box.width() * 0.05))
    for radius in (0.27, 0.11):
        painter.drawEllipse(box.center(), box.width() * radius, box.width() * radius)


def _marker_chip(marker: Marker, colors: theme.Colors) -> Chip:
    return Chip(partial(draw_marker, marker.kind, colors))


_CAPTIONS: Final = {
    "turn": "Turn",
    "phase": "Phase",
    "door-destroyed": "Destroyed",
    "tank-destroyed": "Destroyed",
    "computer-destroyed": "Destroyed",
    "unconscious": "Unconscious",
    "fired": "Has fired",
    "extra-door": "Armored door",
    "extra-computer": "Computer",
}
_THINGS: Final = {
    "door-destroyed": Thing("", "armored", 0, 0, "S", True),
    "tank-destroyed": Thing("", "tank", 0, 0, None, True),
    "computer-destroyed": Thing("", "computer", 0, 0, "S", True),
    "extra-door": Thing("", "armored", 0, 0, "S", False),
    "extra-computer": Thing("", "computer", 0, 0, "S", False),
}


def draw_marker(kind: str, colors: theme.Colors, painter: QPainter, box: QRectF) -> None:
    """Draw a marker of a kind, as `pieces.Marker` names it."""
    _draw_blank(painter, box, colors, None)
    middle = QPointF(box.center().x(), box.top() + box.height() * 0.42)
    thing = _THINGS.get(kind)
    if thing is not None:
        painter.save()
        painter.translate(middle)
        scale = box.width() * 0.72 / UNIT
        painter.scale(scale, scale)
        painter.translate(-thing.box.center())
        draw_thing(painter, thing, colors)
        painter.restore()
    elif kind in ("turn", "phase"):
        write(painter, kind[0].upper(), middle, box.height() * 0.34, colors.ink)
    else:
        side = box.width() * 0.5
        place = QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side)
        drawing("gun" if kind == "fired" else kind).draw(painter, place, colors.ink, colors.field)
        if kind == "fired":
            painter.setPen(marks.fine_pen(colors.danger, box.width() * 0.06))
            painter.drawLine(place.bottomLeft(), place.topRight())
    _caption(painter, box, _CAPTIONS[kind], colors, 0.86)


def _draw_blank(painter: QPainter, box: QRectF, colors: theme.Colors, side: str | None) -> None:
    """Draw an empty counter, with a rim in its side's colour."""
    round_ = box.width() * 0.09
    painter.setBrush(colors.field)
    painter.setPen(marks.fine_pen(colors.chip_edge, box.width() * 0.02))
    painter.drawRoundedRect(box, round_, round_)
    if side is not None:
        edge = box.width() * 0.045
        painter.setPen(marks.fine_pen(colors.side(side), edge))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(edge, edge, -edge, -edge), round_ * 0.6, round_ * 0.6)


def _caption(painter: QPainter, box: QRectF, text: str, colors: theme.Colors, at: float) -> None:
    write(
        painter,
        text.upper(),
        QPointF(box.center().x(), box.top() + box.height() * at),
        box.height() * 0.085,
        colors.ink,
        box.width() * 0.8,
    )
