"""The plan's ink: paper, floor, walls, doorways, drop-offs, names; drawn once a zoom and then only copied.

All lengths are fractions of a square. Walls take a whole even number of device pixels, so that their
edges fall between pixels.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from copy import copy
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPainterPathStroker, QPen, QTransform

from app import theme
from app.board import labels
from app.board.picking import UNIT
from engine.fortress.floorplan import COMPASS, OPPOSITE, STEP, EdgeKind, Entry, FloorPlan, RoomInfo, Side
from engine.fortress.levels import compare_levels, is_high

MARGIN: Final = 1.1
"""The rim round a plan for arrows and the frame."""
OUTER: Final = 0.15  # 2.1: outer walls are heavy
INNER: Final = 0.08
GAP: Final = 0.66  # of a doorway
JAMB: Final = (0.07, 0.22)  # along the wall, across it
HAIR: Final = 0.02
DOT: Final = 0.075
HATCH: Final = 0.42  # depth of the hatched rock
HATCH_STEP: Final = 1 / 7  # from one line of the hatching to the next
SETUP_SIZE: Final = 0.24
WASH: Final = (0.5, 0.38, 0.26, 0.14)  # how wide tints gather along the walls, both sides together
WASH_SHARE: Final = 0.24

LOW_TINTS: Final = (0, 2, 4, 6)
HIGH_TINTS: Final = (1, 3, 5, 7)

_OUTWARD: Final[tuple[Side, ...]] = ("N", "W", "S", "E")
Segment = tuple[bool, int, float, float]
"""Is it upright, which grid line, from, to."""


def lower_side(side: Side, here: RoomInfo | None, there: RoomInfo | None) -> Side | None:
    """Return the side of an edge that lies lower by its rooms' levels; None where neither does (4.42)."""
    order = compare_levels(here.level, there.level) if here is not None and there is not None else None
    if not order:
        return None
    return side if order > 0 else OPPOSITE[side]


def edge_ends(x: int, y: int, side: str) -> QLineF:
    """Return an edge of a square as a line in scene units, from west to east or from north to south."""
    left, top, right, bottom = x * UNIT, y * UNIT, (x + 1) * UNIT, (y + 1) * UNIT
    if side == "N":
        return QLineF(left, top, right, top)
    if side == "S":
        return QLineF(left, bottom, right, bottom)
    if side == "W":
        return QLineF(left, top, left, bottom)
    return QLineF(right, top, right, bottom)


def computer_box(x: int, y: int, side: str | None) -> labels.Box:
    """Return a computer's rectangle along its wall, squares; a little deeper than in R2, for the asterisk."""
    deep = 0.33
    if side == "N":
        return x + 0.125, y + 0.0, x + 0.875, y + deep
    if side == "W":
        return x + 0.0, y + 0.125, x + deep, y + 0.875
    if side == "E":
        return x + 1 - deep, y + 0.125, x + 1.0, y + 0.875
    return x + 0.125, y + 1 - deep, x + 0.875, y + 1.0


def tints(plan: FloorPlan) -> dict[str, int]:
    """Return each room's tint by letter: even for lower levels, odd for upper ones, neighbours unlike."""
    touching: dict[str, set[str]] = defaultdict(set)
    for y, row in enumerate(plan.grid):
        for x, letter in enumerate(row):
            for other in (row[x + 1 : x + 2], plan.grid[y + 1][x] if y + 1 < plan.height else ""):
                if other and other != letter:
                    touching[letter].add(other)
                    touching[other].add(letter)
    fitting = {room.letter: HIGH_TINTS if is_high(room.level) else LOW_TINTS for room in plan.rooms}
    found: dict[str, int] = {}
    used = [0] * (len(HIGH_TINTS) + len(LOW_TINTS))
    # The room with the fewest tints left comes next, of those the one with the most neighbours.
    left = {letter: set(some) for letter, some in fitting.items()}
    places = {letter: at for at, letter in enumerate(left)}
    waiting = [(len(some), -len(touching[one]), places[one], one) for one, some in left.items()]
    heapify(waiting)
    while waiting:
        count, _, _, letter = heappop(waiting)
        if letter not in left or len(left[letter]) != count:
            continue  # in line again with fewer tints left
        near = [found[one] for one in touching[letter] if one in found]
        free = left.pop(letter) or fitting[letter]
        tint = min(free, key=lambda one: (near.count(one), used[one], one))
        found[letter] = tint
        used[tint] += 1
        for other in touching[letter]:
            if tint in left.get(other, ()):
                left[other].remove(tint)
                heappush(waiting, (len(left[other]), -len(touching[other]), places[other], other))
    return found


class PlanArt:
    """A plan ready to be drawn in one palette."""

    def __init__(self, plan: FloorPlan, colors: theme.Colors) -> None:
        self.plan = plan
        self.colors = colors
        self.bounds = QRectF(
            -MARGIN * UNIT,
            -MARGIN * UNIT,
            (plan.width + 2 * MARGIN) * UNIT,
            (plan.height + 2 * MARGIN) * UNIT,
        )
        self._squares: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for y, row in enumerate(plan.grid):
            for x, letter in enumerate(row):
                if plan.room_at(x, y) is not None:
                    self._squares[letter].append((x, y))
        self._rooms = {letter: self._area(squares) for letter, squares in self._squares.items()}
        self._tints = tints(plan)
        self._building = QPainterPath()
        for area in self._rooms.values():
            self._building = self._building.united(area) if len(self._rooms) < 80 else self._joined(area)
        self._edges = list(self._all_edges())
        self.labels = self._all_labels()
        self._hair = self._hair_lines()
        self._dots = self._all_dots()
        self._texts = self._text_path()
        self._setups = self._setup_path()
        self._walls: dict[int, QPainterPath] = {}
        self._rock = self._hatched()

    # Shapes

    def _joined(self, area: QPainterPath) -> QPainterPath:
        self._building.addPath(area)
        return self._building

    @staticmethod
    def _area(squares: Iterable[tuple[int, int]]) -> QPainterPath:
        """Return the outline of some squares, made of runs along the rows."""
        rows: dict[int, list[int]] = defaultdict(list)
        for x, y in squares:
            rows[y].append(x)
        path = QPainterPath()
        for y, columns in rows.items():
            columns.sort()
            start = last = columns[0]
            for x in [*columns[1:], -9]:
                if x != last + 1:
                    path.addRect(QRectF(start * UNIT, y * UNIT, (last - start + 1) * UNIT, UNIT))
                    start = x
                last = x
        return path.simplified()

    def _all_edges(self) -> Iterator[tuple[int, int, Side, EdgeKind, bool]]:
        """Yield every edge that is not open, once, with whether it is the building's rim."""
        plan = self.plan
        for y in range(plan.height):
            for x in range(plan.width):
                here = plan.room_at(x, y)
                for side in COMPASS:
                    dx, dy = STEP[side]
                    there = plan.room_at(x + dx, y + dy)
                    off = not (0 <= x + dx < plan.width and 0 <= y + dy < plan.height)
                    if (here is None and there is None) or (side in "NW" and not off):
                        continue
                    kind = plan.edge_kind(x, y, side)
                    if kind != "open":
                        yield x, y, side, kind, here is None or there is None

    def _all_labels(self) -> dict[str, labels.Label]:
        taken: dict[str, list[labels.Box]] = defaultdict(list)
        for thing in self.plan.equipment:
            x, y = thing.x, thing.y
            box = (x + 0.06, y + 0.06, x + 0.94, y + 0.94)
            if thing.kind == "computer":
                left, top, right, bottom = computer_box(x, y, thing.side)
                box = (left - 0.08, top - 0.08, right + 0.08, bottom + 0.08)
            taken[self.plan.grid[y][x]].append(box)
        found = {}
        for room in self.plan.rooms:
            squares = frozenset(self._squares.get(room.letter, ()))
            label = labels.place_label(room.name, squares, taken[room.letter])
            if label is not None:
                found[room.letter] = label
        return found

    def _covered(self, letter: str) -> list[QRectF]:
        """Return what a room's name covers, in scene units."""
        label = self.labels.get(letter)
        return [
            QRectF(
                (left - 0.1) * UNIT,
                (top - 0.09) * UNIT,
                (right - left + 0.2) * UNIT,
                (bottom - top + 0.18) * UNIT,
            )
            for left, top, right, bottom in (label.boxes if label is not None else ())
        ]

    def _hair_lines(self) -> list[QLineF]:
        """Return the open edges between squares, but for where a name stands on them."""
        plan = self.plan
        lines = []
        for letter, squares in self._squares.items():
            covered = self._covered(letter)
            for x, y in squares:
                for side in ("E", "S"):
                    if plan.edge_kind(x, y, side) == "open":
                        lines += _without(edge_ends(x, y, side), covered)
        return lines

    def _all_dots(self) -> list[QPointF]:
        tanks = {(thing.x, thing.y) for thing in self.plan.equipment if thing.kind == "tank"}
        found = []
        for letter, squares in self._squares.items():
            covered = self._covered(letter)
            dots = [QPointF((x + 0.5) * UNIT, (y + 0.5) * UNIT) for x, y in squares if (x, y) not in tanks]
            found += [dot for dot in dots if not any(box.contains(dot) for box in covered)]
        return found

    def _text_path(self) -> QPainterPath:
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        for label in self.labels.values():
            for text, left, base in label.lines:
                path.addPath(text_path(text, label.size, left, base))
        return path

    def _setup_path(self) -> QPainterPath:
        """Return the letters of who may be set up where, small in each room's lower left corner."""
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        for room in self.plan.rooms:
            squares = self._squares.get(room.letter)
            if squares and room.setup:
                x, y = max(squares, key=lambda square: (square[1], -square[0]))
                text = " ".join(room.setup)
                path.addPath(text_path(text, SETUP_SIZE, x + 0.2, y + 0.82))
        return path

    def _hatched(self) -> QPainterPath:
        """Return the rim of rock that is hatched."""
        stroker = QPainterPathStroker()
        stroker.setWidth(2 * HATCH * UNIT)
        stroker.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        if len(self._rooms) >= 80:
            return QPainterPath()
        return stroker.createStroke(self._building).subtracted(self._building)

    def wall_path(self, pixels: float) -> QPainterPath:
        """Return all walls and jambs as one filled shape for squares of so many device pixels."""
        key = round(pixels * 8)
        found = self._walls.get(key)
        if found is not None:
            return found

        def thick(share: float) -> float:
            return thickness(share, pixels) / pixels

        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        for is_rim, width in ((True, thick(OUTER)), (False, thick(INNER))):
            for upright, line, start, end in self._runs(is_rim):
                # A square cap on whole grid points closes every joint, buried in a heavier wall.
                start -= width / 2 if start == int(start) else 0
                end += width / 2 if end == int(end) else 0
                if upright:
                    path.addRect(QRectF(line - width / 2, start, width, end - start))
                else:
                    path.addRect(QRectF(start, line - width / 2, end - start, width))
        along = thick(JAMB[0])
        for x, y, side, kind, is_rim in self._edges:
            if kind in ("door", "armored"):
                across = thick(JAMB[1] + (0.08 if kind == "armored" else 0) + (0.05 if is_rim else 0))
                ends = edge_ends(x, y, side)
                for share in ((1 - GAP) / 2, (1 + GAP) / 2):
                    point = ends.pointAt(share) / UNIT
                    wide, high = (along, across) if side in "NS" else (across, along)
                    path.addRect(QRectF(point.x() - wide / 2, point.y() - high / 2, wide, high))
        found = QTransform.fromScale(UNIT, UNIT).map(path)
        found.setFillRule(Qt.FillRule.WindingFill)
        self._walls = {key: found}
        return found

    def _runs(self, is_rim: bool) -> Iterator[Segment]:
        """Yield the solid walls of one kind, joined to runs as long as may be."""
        lines: dict[tuple[bool, int], list[tuple[float, float]]] = defaultdict(list)
        for x, y, side, kind, rim in self._edges:
            if rim != is_rim or kind == "dropoff":
                continue
            upright = side in "EW"
            line = (x + (side == "E")) if upright else (y + (side == "S"))
            start = float(y if upright else x)
            pieces = [(0.0, 1.0)]
            if kind in ("door", "armored"):
                pieces = [(0.0, (1 - GAP) / 2), ((1 + GAP) / 2, 1.0)]
            lines[upright, line] += [(start + one, start + other) for one, other in pieces]
        for (upright, line), pieces in lines.items():
            pieces.sort()
            start, end = pieces[0]
            for one, other in pieces[1:]:
                if one > end:
                    yield upright, line, start, end
                    start = one
                end = other
            yield upright, line, start, end

    def part(self, exposed: QRectF) -> PlanArt:
        """Return this art without what lies outside of a rectangle of the scene.

        A sheet or a tile of a large map is then drawn with its own lines only; names stand where they
        stand on the whole.
        """
        reach = exposed.adjusted(-UNIT, -UNIT, UNIT, UNIT)
        _ = self._largest_rock  # found once for all parts
        made = copy(self)
        made._rooms = {
            letter: area for letter, area in self._rooms.items() if area.boundingRect().intersects(reach)
        }
        made._squares = defaultdict(list, {letter: self._squares[letter] for letter in made._rooms})
        made.labels = {letter: label for letter, label in self.labels.items() if letter in made._rooms}
        made._edges = [
            edge
            for edge in self._edges
            if reach.intersects(QRectF((edge[0] - 0.5) * UNIT, (edge[1] - 0.5) * UNIT, 2 * UNIT, 2 * UNIT))
        ]
        made._hair = [line for line in self._hair if reach.contains(line.center())]
        made._dots = [dot for dot in self._dots if reach.contains(dot)]
        made._texts = made._text_path()
        made._setups = made._setup_path()
        made._walls = {}
        near = QPainterPath()
        near.addRect(reach)
        made._rock = self._rock.intersected(near)
        return made

    # Drawing

    def draw(
        self, painter: QPainter, exposed: QRectF, pixels: float = 40.0, *, has_grid: bool = True
    ) -> None:
        """Draw what lies in the exposed rectangle of the scene, with squares of `pixels` device pixels.

        Without `has_grid` the lines between squares and their dots are left out.
        """
        self._draw_paper(painter, exposed)
        self._draw_floor(painter, has_grid=has_grid)
        self._draw_dropoffs(painter)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.colors.room_name)
        painter.drawPath(self._texts)
        painter.setBrush(faded(self.colors.room_name, 0.75))
        painter.drawPath(self._setups)
        painter.setBrush(self.colors.wall)
        painter.drawPath(self.wall_path(pixels))

    def _draw_paper(self, painter: QPainter, exposed: QRectF) -> None:
        colors, plan = self.colors, self.plan
        painter.fillRect(exposed, colors.paper)
        if colors.mode == "light":
            self._draw_fibres(painter, exposed)
        elif colors.mode == "dark":
            painter.setPen(QPen(faded(colors.faint, 0.35), HAIR * UNIT))
            painter.drawLines(
                [
                    QLineF(x * UNIT, self.bounds.top(), x * UNIT, self.bounds.bottom())
                    for x in range(-1, plan.width + 2)
                ]
                + [
                    QLineF(self.bounds.left(), y * UNIT, self.bounds.right(), y * UNIT)
                    for y in range(-1, plan.height + 2)
                ]
            )
        painter.save()
        painter.setClipPath(self._rock, Qt.ClipOperation.IntersectClip)
        painter.setPen(QPen(faded(colors.soft, 0.55), HAIR * 1.3 * UNIT))
        reach = self._rock.boundingRect().intersected(exposed.adjusted(-UNIT, -UNIT, UNIT, UNIT))
        step = HATCH_STEP * UNIT
        first = int((reach.left() - reach.bottom()) // step)
        last = int((reach.right() - reach.top()) // step) + 1
        painter.drawLines(
            [
                QLineF(at * step + reach.top(), reach.top(), at * step + reach.bottom(), reach.bottom())
                for at in range(first, last + 1)
            ]
        )
        painter.restore()
        self._draw_frame(painter)
        self._draw_arrows(painter)
        self._draw_title(painter)

    def _draw_fibres(self, painter: QPainter, exposed: QRectF) -> None:
        """Speckle the paper a little, the same specks at any zoom."""
        dice = random.Random(2100)
        bounds = self.bounds
        painter.setPen(Qt.PenStyle.NoPen)
        for share, colour in ((0.10, self.colors.soft), (0.35, self.colors.field)):
            painter.setBrush(faded(colour, share))
            path = QPainterPath()
            for _ in range(min(1500, int(bounds.width() * bounds.height() / UNIT**2))):
                x = bounds.left() + dice.random() * bounds.width()
                y = bounds.top() + dice.random() * bounds.height()
                wide, high = (0.01 + 0.05 * dice.random()) * UNIT, (0.01 + 0.02 * dice.random()) * UNIT
                if exposed.contains(x, y):
                    path.addEllipse(QRectF(x, y, wide, high))
            painter.drawPath(path)

    def _draw_frame(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(faded(self.colors.soft, 0.8))
        painter.drawPath(frame_path(self.plan.width, self.plan.height))

    def _draw_arrows(self, painter: QPainter) -> None:
        for entry in self.plan.entries:
            draw_arrow(painter, self.plan, entry, self.colors)

    @cached_property
    def _largest_rock(self) -> tuple[int, int, int, int] | None:
        """Return the largest free rectangle of rock, x, y, width, height."""
        plan = self.plan
        best: tuple[int, int, int, int, int] | None = None
        heights = [0] * plan.width
        for y in range(plan.height):
            for x in range(plan.width):
                heights[x] = heights[x] + 1 if plan.room_at(x, y) is None else 0
            for x in range(plan.width):
                low = plan.height
                for right in range(x, plan.width):
                    low = min(low, heights[right])
                    if low < 2:
                        break
                    wide = right - x + 1
                    if wide >= 7 and (best is None or wide * low > best[0]):
                        best = wide * low, x, y - low + 1, wide, low
        return best[1:] if best is not None else None

    def _draw_title(self, painter: QPainter) -> None:
        """Write the map's name into the largest stretch of rock, with a key to levels and set-up letters."""
        rock = self._largest_rock
        if rock is None or not self.plan.name:
            return
        x, y, wide, high = rock
        colors = self.colors
        middle = x + wide / 2
        text = self.plan.name.upper()
        size = min(0.62, (wide - 3.2) / (labels.text_width(text) + 0.1))
        half = labels.text_width(text) * size / 2
        base = y + high / 2 + 0.2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.ink)
        painter.drawPath(text_path(text, size, middle - half, base))
        rule = QPainterPath()
        for sign in (-1, 1):
            start = middle + sign * (half + 0.35)
            end = middle + sign * min(half + 2.6, wide / 2 - 0.7)
            level = base - size * labels.CAP / 2
            rule.addRect(QRectF(min(start, end), level - 0.015, abs(end - start), 0.03))
            diamond = QPainterPath(QPointF(start - sign * 0.0, level - 0.08))
            diamond.lineTo(start + 0.08, level)
            diamond.lineTo(start, level + 0.08)
            diamond.lineTo(start - 0.08, level)
            diamond.closeSubpath()
            rule.addPath(diamond)
        rule.setFillRule(Qt.FillRule.WindingFill)
        painter.drawPath(QTransform.fromScale(UNIT, UNIT).map(rule))
        self._draw_key(painter, middle, base + 0.62)

    def _draw_key(self, painter: QPainter, middle: float, base: float) -> None:
        high = {is_high(room.level) for room in self.plan.rooms}
        if len(high) < 2:
            return
        size = 0.27
        colors = self.colors
        parts = ((0, "LOWER LEVEL"), (1, "UPPER LEVEL"))
        box, gap = 0.34, 0.6
        total = sum(box + 0.14 + labels.text_width(text) * size for _, text in parts) + gap
        left = middle - total / 2
        for tint, text in parts:
            swatch = QRectF(left * UNIT, (base - 0.26) * UNIT, box * UNIT, box * UNIT)
            painter.setPen(QPen(colors.soft, 0.03 * UNIT))
            painter.setBrush(colors.rooms[tint])
            painter.drawRect(swatch)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors.soft)
            painter.drawPath(text_path(text, size, left + box + 0.14, base))
            left += box + 0.14 + labels.text_width(text) * size + gap

    def _draw_floor(self, painter: QPainter, *, has_grid: bool) -> None:
        colors = self.colors
        painter.setPen(Qt.PenStyle.NoPen)
        for letter, area in self._rooms.items():
            painter.setBrush(colors.rooms[self._tints.get(letter, 0)])
            painter.drawPath(area)
        # Tints gather along the walls, as washes do.
        if colors.mode != "contrast" and len(self._rooms) < 80:
            for letter, area in self._rooms.items():
                painter.save()
                painter.setClipPath(area, Qt.ClipOperation.IntersectClip)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                edge = wash_colour(colors.rooms[self._tints.get(letter, 0)], colors)
                for wide in WASH:
                    painter.setPen(QPen(edge, wide * UNIT))
                    painter.drawPath(area)
                painter.restore()
        if has_grid:
            painter.setPen(QPen(faded(colors.faint, 0.55), HAIR * UNIT))
            painter.drawLines(self._hair)
            painter.setPen(QPen(colors.soft, DOT * UNIT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawPoints(self._dots)
        painter.setPen(QPen(faded(colors.soft, 0.6), HAIR * UNIT))
        for x, y, side, kind, _ in self._edges:
            if kind == "door":
                line = edge_ends(x, y, side)
                painter.drawLine(QLineF(line.pointAt((1 - GAP) / 2), line.pointAt((1 + GAP) / 2)))

    def _draw_dropoffs(self, painter: QPainter) -> None:
        plan = self.plan
        for x, y, side, kind, _ in self._edges:
            if kind == "dropoff":
                dx, dy = STEP[side]
                here, there = plan.room_at(x, y), plan.room_at(x + dx, y + dy)
                draw_dropoff(painter, edge_ends(x, y, side), lower_side(side, here, there), self.colors)


def thickness(share: float, pixels: float) -> int:
    """Return how many device pixels thick a wall is, in squares of so many; always even."""
    return max(2, 2 * round(share * pixels / 2))


_kept: list[PlanArt] = []
"""What was made ready last: the next board is mostly of the same plan, and making it ready takes a while."""


def art_of(plan: FloorPlan, colors: theme.Colors) -> PlanArt:
    """Return a plan ready to be drawn in a palette; it may be shared."""
    for art in _kept:
        if art.colors is colors and art.plan == plan:
            return art
    _kept[:] = [PlanArt(plan, colors), *_kept[:1]]
    return _kept[0]


def wash_colour(tint: QColor, colors: theme.Colors) -> QColor:
    """Return what gathers along the walls of a room of this tint, once for each of WASH."""
    return faded(tint.lighter(122) if colors.mode == "dark" else tint.darker(112), WASH_SHARE)


def draw_dropoff(painter: QPainter, line: QLineF, down: Side | None, colors: theme.Colors) -> None:
    """Draw the line of dots (4.42), with strokes that run down from its high side, if it has one."""
    if down is not None:
        dx, dy = STEP[down]
        strokes = QPainterPath()
        along = QPointF(abs(dy), abs(dx)) * (0.045 * UNIT)
        for at in range(5):
            start = line.pointAt((at + 0.5) / 5) + QPointF(dx, dy) * (0.09 * UNIT)
            length = (0.34 if at % 2 == 0 else 0.22) * UNIT
            strokes.addPolygon([start - along, start + QPointF(dx, dy) * length, start + along])
            strokes.closeSubpath()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(faded(colors.soft, 0.7))
        painter.drawPath(strokes)
    painter.setPen(QPen(colors.wall, 0.085 * UNIT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawPoints([line.pointAt((at + 0.5) / 5) for at in range(5)])


def frame_path(width: int, height: int) -> QPainterPath:
    """Return a map's neat line: one band a square, every fifth numbered, as the notation counts them."""
    wide, inner = 0.11, MARGIN - 0.17
    right, bottom = width + inner, height + inner
    path = QPainterPath()
    for left, top, across, down in (
        (-inner - wide, -inner - wide, right + inner + 2 * wide, HAIR),
        (-inner - wide, bottom + wide - HAIR, right + inner + 2 * wide, HAIR),
        (-inner - wide, -inner - wide, HAIR, bottom + inner + 2 * wide),
        (right + wide - HAIR, -inner - wide, HAIR, bottom + inner + 2 * wide),
        (-inner, -inner, right + inner, HAIR),
        (-inner, bottom - HAIR, right + inner, HAIR),
        (-inner, -inner, HAIR, bottom + inner),
        (right - HAIR, -inner, HAIR, bottom + inner),
    ):
        path.addRect(QRectF(left, top, across, down))
    for x in range(0, width, 2):
        path.addRect(QRectF(x, -inner - wide, 1, wide))
        path.addRect(QRectF(x, bottom, 1, wide))
    for y in range(0, height, 2):
        path.addRect(QRectF(-inner - wide, y, wide, 1))
        path.addRect(QRectF(right, y, wide, 1))
    path.setFillRule(Qt.FillRule.WindingFill)
    numbers = QPainterPath()
    for x in range(0, width, 5):
        half = labels.text_width(str(x)) * 0.22 / 2
        numbers.addPath(text_path(str(x), 0.22, x + 0.5 - half, -inner + 0.24, is_scaled=False))
        numbers.addPath(text_path(str(x), 0.22, x + 0.5 - half, bottom - 0.08, is_scaled=False))
    for y in range(0, height, 5):
        wide_text = labels.text_width(str(y)) * 0.22
        numbers.addPath(text_path(str(y), 0.22, -inner + 0.08, y + 0.58, is_scaled=False))
        numbers.addPath(text_path(str(y), 0.22, right - 0.08 - wide_text, y + 0.58, is_scaled=False))
    path.addPath(numbers)
    made = QTransform.fromScale(UNIT, UNIT).map(path)
    made.setFillRule(Qt.FillRule.WindingFill)
    return made


def outward(plan: FloorPlan, x: int, y: int, side: Side | None) -> Side | None:
    """Return the side by which an entry's square is come to: its own, or one that lies on rock."""
    if side is not None:
        return side
    for one in _OUTWARD:
        dx, dy = STEP[one]
        if plan.room_at(x + dx, y + dy) is None:
            return one
    return None


def draw_arrow(painter: QPainter, plan: FloorPlan, entry: Entry, colors: theme.Colors) -> None:
    """Draw an arrow onto an entry, or out of one that is only left by; a broken one is a pipe (4.7, 4.12)."""
    side = outward(plan, entry.x, entry.y, entry.side)
    if side is None:
        return
    edge = edge_ends(entry.x, entry.y, side)
    middle = edge.pointAt(0.5)
    turn = {"N": 0, "E": 90, "S": 180, "W": 270}[side]
    painter.save()
    painter.translate(middle)
    painter.rotate(turn)
    # In this frame the map lies below, and the arrow points down.
    clear = QRectF(-0.24 * UNIT, -0.76 * UNIT, 0.48 * UNIT, 0.68 * UNIT)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colors.paper)
    painter.drawRoundedRect(clear, 0.06 * UNIT, 0.06 * UNIT)
    if not plan.lets_in(entry):
        painter.translate(clear.center())
        painter.rotate(180)
        painter.translate(-clear.center())
    painter.setBrush(colors.wall)
    head = QPainterPath(QPointF(0, -0.14 * UNIT))
    head.lineTo(0.17 * UNIT, -0.4 * UNIT)
    head.lineTo(-0.17 * UNIT, -0.4 * UNIT)
    head.closeSubpath()
    painter.drawPath(head)
    shafts = ((-0.72, 0.34),) if entry.side is not None else ((-0.72, 0.1), (-0.56, 0.1))
    for top, length in shafts:
        painter.drawRect(QRectF(-0.055 * UNIT, top * UNIT, 0.11 * UNIT, length * UNIT))
    painter.restore()


def text_path(text: str, size: float, left: float, base: float, *, is_scaled: bool = True) -> QPainterPath:
    """Return room-name capitals as a shape, placed in squares, in scene units or (not scaled) in squares."""
    path = QPainterPath()
    path.addText(0, 0, theme.small_capitals(100), text)
    path.setFillRule(Qt.FillRule.WindingFill)
    unit = UNIT if is_scaled else 1.0
    made = QTransform(size * unit / 100, 0, 0, size * unit / 100, left * unit, base * unit).map(path)
    made.setFillRule(Qt.FillRule.WindingFill)
    return made


def faded(colour: QColor, share: float) -> QColor:
    """Return a colour that covers only so much of what lies behind."""
    made = QColor(colour)
    made.setAlphaF(share)
    return made


def _without(line: QLineF, boxes: Iterable[QRectF]) -> list[QLineF]:
    """Return what is left of an upright or level line outside of boxes."""
    pieces = [(line.x1(), line.x2())] if line.y1() == line.y2() else [(line.y1(), line.y2())]
    level = line.y1() == line.y2()
    for box in boxes:
        if level and box.top() < line.y1() < box.bottom():
            low, high = box.left(), box.right()
        elif not level and box.left() < line.x1() < box.right():
            low, high = box.top(), box.bottom()
        else:
            continue
        pieces = [
            part
            for start, end in pieces
            for part in ((start, min(end, low)), (max(start, high), end))
            if part[0] < part[1]
        ]
    if level:
        return [QLineF(start, line.y1(), end, line.y1()) for start, end in pieces]
    return [QLineF(line.x1(), start, line.x1(), end) for start, end in pieces]
