"""What comes and goes over the ground: a layer an item, shown only while there is something on it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPixmapCache,
    QPolygonF,
)
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from app import theme
from app.board import counters
from app.board.picking import UNIT, centre, square_rect
from app.board.plan import draw_arrow, edge_ends, faded, outward
from app.board.stacks import Spot as Place
from editor.bench import Overlay, Selection, Severity
from editor.canvas.figures import places_of
from editor.draft import Draft, Edge, Square
from editor.edits.symmetry import Symmetry
from engine.fortress.floorplan import STEP, Entry, FloorPlan, Side

Z_OVERLAY, Z_NO_SIGHT, Z_ENTRIES, Z_FIGURES, Z_SELECTION, Z_MARKS, Z_AXIS, Z_GHOST, Z_FLASH = range(1, 10)
Z_CURSOR: Final = 20
SMALLEST_TEXT: Final = 8
"""Logical pixels of a cost or an entry's words below which they are not drawn."""


class Layer(QGraphicsItem):
    """One layer. A subclass paints what `option.exposedRect` shows and calls `cover` when that changes."""

    def __init__(self, height: float) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.setZValue(height)
        self._bounds = QRectF()
        self.setVisible(False)

    def cover(self, bounds: QRectF) -> None:
        """Lie over another rectangle of the scene, or, an empty one, show nothing."""
        if bounds != self._bounds:
            self.prepareGeometryChange()
            self._bounds = bounds
        self.setVisible(not bounds.isEmpty())
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        painter.save()
        try:
            self.draw(painter, option.exposedRect, theme.colors())
        finally:
            painter.restore()

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        """Draw what is exposed."""
        raise NotImplementedError


def pixel(painter: QPainter) -> float:
    """Return how long a logical pixel is in the painter's units."""
    return 1 / painter.worldTransform().m11()


def rect_of(squares: Iterable[Square], grown: float = 0.0) -> QRectF:
    """Return the scene's rectangle round some squares, grown by so many squares."""
    some = list(squares)
    if not some:
        return QRectF()
    left, right = min(x for x, _ in some), max(x for x, _ in some) + 1
    top, bottom = min(y for _, y in some), max(y for _, y in some) + 1
    box = QRectF(left * UNIT, top * UNIT, (right - left) * UNIT, (bottom - top) * UNIT)
    return box.adjusted(-grown * UNIT, -grown * UNIT, grown * UNIT, grown * UNIT)


def united(boxes: Iterable[QRectF]) -> QRectF:
    """Return the rectangle round some rectangles."""
    whole = QRectF()
    for box in boxes:
        whole = box if whole.isEmpty() else whole if box.isEmpty() else whole.united(box)
    return whole


def outline(squares: frozenset[Square]) -> list[QLineF]:
    """Return the lines round an area of squares."""
    lines = []
    for x, y in squares:
        for side, (dx, dy) in STEP.items():
            if (x + dx, y + dy) not in squares:
                lines.append(edge_ends(x, y, side))
    return lines


def shown(squares: Collection[Square], exposed: QRectF) -> list[Square]:
    """Return those of some squares that are exposed."""
    left, right = int((exposed.left() - 1) // UNIT), int((exposed.right() + 1) // UNIT)
    top, bottom = int((exposed.top() - 1) // UNIT), int((exposed.bottom() + 1) // UNIT)
    if len(squares) <= (right - left + 1) * (bottom - top + 1):
        return [(x, y) for x, y in squares if left <= x <= right and top <= y <= bottom]
    return [(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1) if (x, y) in squares]


def bar_on(edge: Edge, deep: float = 0.2) -> QRectF:
    """Return a bar that lies on an edge, `deep` squares across."""
    line = edge_ends(*edge)
    half = deep / 2 * UNIT
    return QRectF(line.p1(), line.p2()).normalized().adjusted(-half, -half, half, half)


def stripes(box: QRectF, step: float) -> list[QLineF]:
    """Return slanting lines that fill a rectangle, `step` units apart."""
    lines = []
    first = int((box.left() + box.top()) // step)
    last = int((box.right() + box.bottom()) // step) + 1
    for at in range(first, last + 1):
        # x + y = at * step, cut at the box.
        total = at * step
        left, right = max(box.left(), total - box.bottom()), min(box.right(), total - box.top())
        if left < right:
            lines.append(QLineF(left, total - left, right, total - right))
    return lines


# Sight and reach


class OverlayLayer(Layer):
    """What is seen or reached from a square: a tint, and how, in a number or in hatching."""

    def __init__(self) -> None:
        super().__init__(Z_OVERLAY)
        self._kind: Overlay = "off"
        self._cells: Mapping[Square, str] = {}
        self._start: Square | None = None

    @property
    def cells(self) -> Mapping[Square, str]:
        """The squares on show: with their cost, or "seen" or "barred" (5.9)."""
        return self._cells

    def show_cells(self, kind: Overlay, cells: Mapping[Square, str], start: Square | None) -> None:
        """Show other squares; only those that change are drawn anew."""
        before, was_start, was_kind = self._cells, self._start, self._kind
        self._kind, self._cells, self._start = kind, cells, start
        whole = rect_of([*before, *cells])
        if was_kind != kind or not self._bounds.contains(whole) or not cells:
            self.cover(rect_of(cells))
            return
        for square in before.keys() | cells.keys():
            if before.get(square) != cells.get(square) or square in (was_start, start):
                self.update(square_rect(square))

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        unit = pixel(painter)
        is_legible = UNIT * 0.32 / unit >= SMALLEST_TEXT
        share = {"light": 0.2, "dark": 0.24}.get(colors.mode, 0.34)
        ink = _mixed(colors.accent, colors.ink, 0.35)
        barred: list[QRectF] = []
        for square in shown(self._cells.keys(), exposed):
            box, text = square_rect(square), self._cells[square]
            if text == "barred":
                barred.append(box)
                continue
            painter.fillRect(box.adjusted(1.5, 1.5, -1.5, -1.5), faded(colors.accent, share))
            if self._kind == "reach" and is_legible and square != self._start:
                painter.setPen(Qt.PenStyle.NoPen)
                # The number makes room for itself, on names too.
                painter.setBrush(faded(_mixed(colors.rooms[1], colors.accent, 0.2), 0.85))
                painter.drawEllipse(box.center(), UNIT * 0.27, UNIT * 0.27)
                counters.write(painter, text, box.center(), UNIT * 0.3, ink, UNIT * 0.6)
        if barred:
            painter.setPen(QPen(faded(colors.danger, 0.8), max(unit, 1.2)))
            for box in barred:
                painter.drawLines(stripes(box.adjusted(3, 3, -3, -3), UNIT / 5))
        if self._start is not None:
            box = square_rect(self._start).adjusted(4, 4, -4, -4)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colors.accent, max(2 * unit, UNIT * 0.06)))
            painter.drawEllipse(box)


# Pairs without sight


class NoSightLayer(Layer):
    """Dashed lines between the rooms that do not see one another (5.9)."""

    def __init__(self) -> None:
        super().__init__(Z_NO_SIGHT)
        self._lines: tuple[QLineF, ...] = ()

    def set_lines(self, lines: Iterable[QLineF]) -> None:
        """Show other lines."""
        self._lines = tuple(lines)
        grown = UNIT * 0.4
        self.cover(
            united(
                QRectF(line.p1(), line.p2()).normalized().adjusted(-grown, -grown, grown, grown)
                for line in self._lines
            )
        )

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        unit = pixel(painter)
        width = max(1.4 * unit, 0.045 * UNIT)
        for colour, wide in ((colors.paper, 2.4), (colors.danger, 1.0)):
            pen = QPen(faded(colour, 0.85), width * wide)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            if wide == 1.0:
                pen.setDashPattern([6, 4])
            painter.setPen(pen)
            painter.drawLines(list(self._lines))
        painter.setPen(QPen(colors.danger, width))
        painter.setBrush(colors.field)
        radius = UNIT * 0.13
        for line in self._lines:
            middle = line.pointAt(0.5)
            painter.drawEllipse(middle, radius, radius)
            across = QPointF(radius, -radius) * 0.7
            painter.drawLine(QLineF(middle - across, middle + across))
            for end in (line.p1(), line.p2()):
                painter.drawEllipse(end, radius * 0.4, radius * 0.4)


def between(one: QRectF, other: QRectF) -> QLineF:
    """Return the line from one box to another, which begins and ends at their rims."""
    whole = QLineF(one.center(), other.center())
    return QLineF(_leaving(one, whole), _leaving(other, QLineF(whole.p2(), whole.p1())))


def _leaving(box: QRectF, line: QLineF) -> QPointF:
    """Return the point where a line from a box's middle leaves it, and a little further."""
    shares = [1.0]
    if line.dx():
        shares.append((box.width() / 2 + UNIT * 0.15) / abs(line.dx()))
    if line.dy():
        shares.append((box.height() / 2 + UNIT * 0.15) / abs(line.dy()))
    return line.pointAt(min(shares) if box.width() else 0.0)


# Entries and counters


TEXT: Final = 0.2
"""Height of the words at an entry, squares."""
READ: Final = 0.88
"""Their height in small text, at least, as long as that is not too large for the squares."""


class Plate(NamedTuple):
    """The words at an entry, and where they stand in the scene."""

    box: QRectF
    lines: tuple[str, ...]
    high: float


def entry_box(plan: FloorPlan, entry: Entry) -> QRectF:
    """Return the scene's rectangle that an entry's arrow and words are never outside of."""
    side = outward(plan, entry.x, entry.y, entry.side) or "N"
    dx, dy = STEP[side]
    return rect_of([(entry.x, entry.y), (entry.x + dx, entry.y + dy)], 2.5)


class EntriesLayer(Layer):
    """Entries: the game's arrow, with the name and the rates in and out (4.1, 4.7)."""

    def __init__(self) -> None:
        super().__init__(Z_ENTRIES)
        self._plan: FloorPlan | None = None
        self._known: tuple[tuple[Entry, Side | None], ...] = ()
        self._plates: tuple[float, list[Plate]] = (0.0, [])

    def set_plan(self, plan: FloorPlan) -> None:
        """Show the entries of another plan."""
        self._plan = plan
        now = tuple((one, outward(plan, one.x, one.y, one.side)) for one in plan.entries)
        if now != self._known:
            self._known = now
            self._plates = (0.0, [])
            self.cover(united(entry_box(plan, one) for one in plan.entries))

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        if self._plan is None:
            return
        for entry, side in self._known:
            if entry_box(self._plan, entry).intersects(exposed):
                _draw_mouth(painter, self._plan, entry, side, colors)
        high = text_height(painter)
        if not high:
            return
        if self._plates[0] != high:
            self._plates = high, plates(self._known, high)
        for plate in self._plates[1]:
            if plate.box.adjusted(-9, -9, 9, 9).intersects(exposed):
                _draw_plate(painter, plate, colors)


def draw_entry(painter: QPainter, plan: FloorPlan, entry: Entry, colors: theme.Colors) -> None:
    """Draw an entry that is on its way, with its words where they can be read."""
    side = outward(plan, entry.x, entry.y, entry.side)
    _draw_mouth(painter, plan, entry, side, colors)
    high = text_height(painter)
    for plate in plates(((entry, side),), high) if high else ():
        _draw_plate(painter, plate, colors)


def text_height(painter: QPainter) -> float:
    """Return how high an entry's words are in the scene; 0 where they could not be read."""
    unit = pixel(painter)
    high = min(max(UNIT * TEXT, READ * theme.size("small") * unit), UNIT * 0.36)
    return high if high / unit >= SMALLEST_TEXT else 0.0


def plates(entries: Iterable[tuple[Entry, Side | None]], high: float) -> list[Plate]:
    """Return where the words of entries stand, none on another and none on an arrow as far as may be."""
    known = list(entries)
    metrics = QFontMetricsF(_words_font())
    taken = []
    for entry, side in known:
        middle = centre((entry.x, entry.y))
        dx, dy = STEP[side] if side is not None else (0, 0)
        mouth = QRectF(0, 0, UNIT * 0.5, UNIT * 0.5)
        mouth.moveCenter(middle + QPointF(dx, dy) * (UNIT * 0.9))
        taken.append(mouth)
    found = []
    for entry, side in known:
        lines = (*_wrapped(entry.name), f"in {entry.enter} · out {entry.leave}")
        wide = max(metrics.horizontalAdvance(line) for line in lines) * high / 100
        box = QRectF(0, 0, wide + 0.8 * high, (1.22 * len(lines) + 0.45) * high)
        places = list(_beside(box, centre((entry.x, entry.y)), side))
        free = [one for one in places if not any(one.intersects(other) for other in taken)]
        chosen = (free or places)[0]
        taken.append(chosen)
        found.append(Plate(chosen, lines, high))
    return found


def _wrapped(name: str) -> tuple[str, ...]:
    """Return a name in two lines where it is long enough for them."""
    words = name.split()
    if len(name) < 9 or len(words) < 2:
        return (name,)
    cuts = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return min(cuts, key=lambda cut: max(map(len, cut)))


def _beside(box: QRectF, middle: QPointF, side: Side | None) -> Iterator[QRectF]:
    """Yield where an entry's words can stand outside its wall, the best place first."""
    dx, dy = STEP[side] if side is not None else (0, 0)
    gap = UNIT * 0.28
    shifts: list[QPointF] = []
    if dx:
        far = middle.x() + dx * (UNIT * 0.62 + box.width() / 2)
        shifts = [
            QPointF(far, middle.y() + gap + box.height() / 2),
            QPointF(far, middle.y() - gap - box.height() / 2),
        ]
    else:
        far = middle.y() + (dy or -1) * (UNIT * 0.62 + box.height() / 2)
        shifts = [
            QPointF(middle.x() + gap + box.width() / 2, far),
            QPointF(middle.x() - gap - box.width() / 2, far),
            QPointF(middle.x(), far + (dy or -1) * UNIT * 0.5),
        ]
    for shift in shifts:
        placed = QRectF(box)
        placed.moveCenter(shift)
        yield placed


def _words_font() -> QFont:
    font = theme.small_capitals(100)
    font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 102)
    return font


def _draw_mouth(
    painter: QPainter, plan: FloorPlan, entry: Entry, side: Side | None, colors: theme.Colors
) -> None:
    """Draw an entry's arrow; in the midst of rooms a pipe's mouth in the floor."""
    draw_arrow(painter, plan, entry, colors)
    if side is None:
        middle = centre((entry.x, entry.y))
        painter.setPen(QPen(colors.wall, UNIT * 0.055))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(middle, UNIT * 0.3, UNIT * 0.3)
        painter.drawEllipse(middle, UNIT * 0.18, UNIT * 0.18)


def _draw_plate(painter: QPainter, plate: Plate, colors: theme.Colors) -> None:
    """Draw the words at an entry from their kept picture."""
    world, dpr = painter.worldTransform(), painter.device().devicePixelRatio()
    scale = world.m11() * dpr
    wide, high = round(plate.box.width() * scale) + 2, round(plate.box.height() * scale) + 2
    key = f"kf2100|entry|{colors.mode}|{wide}|{high}|{dpr}|{plate.lines}"
    made = QPixmap()
    if not QPixmapCache.find(key, made):
        made = QPixmap(wide, high)
        made.fill(Qt.GlobalColor.transparent)
        inner = QPainter(made)
        inner.setRenderHint(QPainter.RenderHint.Antialiasing)
        inner.translate(1, 1)
        inner.scale(scale, scale)
        _draw_words(inner, plate, 1 / scale, colors)
        inner.end()
        made.setDevicePixelRatio(dpr)
        QPixmapCache.insert(key, made)
    corner = world.map(plate.box.topLeft())
    painter.resetTransform()
    painter.drawPixmap(QPointF(round(corner.x() * dpr - 1) / dpr, round(corner.y() * dpr - 1) / dpr), made)
    painter.setWorldTransform(world)


def _draw_words(painter: QPainter, plate: Plate, unit: float, colors: theme.Colors) -> None:
    """Draw a plate with its corner at the origin."""
    box, lines, high = plate
    painter.setPen(QPen(faded(colors.soft, 0.8), unit))
    painter.setBrush(faded(colors.field, 0.92))
    painter.drawRoundedRect(QRectF(0, 0, box.width(), box.height()), high * 0.25, high * 0.25)
    font = _words_font()
    for at, text in enumerate(lines):
        path = QPainterPath()
        path.addText(0, 0, font, text)
        path.setFillRule(Qt.FillRule.WindingFill)
        painter.save()
        painter.translate(0.4 * high, (at * 1.22 + 1.12) * high)
        painter.scale(high / 100, high / 100)
        painter.fillPath(path, colors.soft if at == len(lines) - 1 else colors.ink)
        painter.restore()


class FiguresLayer(Layer):
    """The scenario's counters where they start, as the game lays them."""

    def __init__(self) -> None:
        super().__init__(Z_FIGURES)
        self.places: list[Place] = []
        """The counters on show, the undermost first."""

    def set_draft(self, draft: Draft) -> None:
        """Show the counters of another draft."""
        self.places = sorted(places_of(draft), key=lambda one: one.layer)
        self.cover(rect_of((place.square for place in self.places), 0.3))

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        for place in self.places:
            box = square_rect(place.square).adjusted(-UNIT / 4, -UNIT / 4, UNIT / 4, UNIT / 4)
            if box.intersects(exposed):
                draw_figure(painter, place)


def draw_figure(painter: QPainter, place: Place, opacity: float = 1.0) -> None:
    """Draw a counter, from its kept picture."""
    side = UNIT * place.size
    world, dpr = painter.worldTransform(), painter.device().devicePixelRatio()
    pixels = max(1, round(side * world.m11() * dpr))
    middle = world.map(centre(place.square) + QPointF(*place.offset))
    corner = QPointF(round(middle.x() * dpr - pixels / 2) / dpr, round(middle.y() * dpr - pixels / 2) / dpr)
    painter.save()
    painter.resetTransform()
    painter.setOpacity(opacity)
    painter.drawPixmap(corner, counters.counter_pixmap(place.face, pixels / dpr, dpr))
    painter.restore()


# Selection, marks, axis, flash


class SelectionLayer(Layer):
    """What is selected, outlined."""

    def __init__(self) -> None:
        super().__init__(Z_SELECTION)
        self._squares: frozenset[Square] = frozenset()
        self._lines: list[QLineF] = []
        self._bars: list[QRectF] = []
        self._boxes: list[QRectF] = []

    def set_selection(self, selection: Selection, draft: Draft) -> None:
        """Outline other things."""
        self._squares = selection.squares
        self._lines = outline(selection.squares)
        self._bars = [bar_on(edge, 0.26) for edge in sorted(selection.edges)]
        places = _places(selection, draft)
        inset = UNIT * 0.04
        self._boxes = [square_rect(one).adjusted(inset, inset, -inset, -inset) for one in places]
        self.cover(
            united([rect_of(self._squares, 0.15), *self._bars, *self._boxes]).adjusted(-9, -9, 9, 9)
            if selection != Selection()
            else QRectF()
        )

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        unit = pixel(painter)
        wash = faded(colors.accent, 0.16)
        for square in shown(self._squares, exposed):
            painter.fillRect(square_rect(square), wash)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width, dashes in ((colors.paper, 5.0, None), (colors.accent, 2.5, [3.0, 2.0])):
            pen = QPen(colour, width * unit, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
            painter.setPen(QPen(colour, width * unit, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap))
            painter.drawLines(self._lines)
            if dashes:
                pen.setDashPattern(dashes)
                pen.setColor(colors.accent)
            painter.setPen(pen)
            for box in self._bars + self._boxes:
                painter.drawRoundedRect(box, 4, 4)


def _places(selection: Selection, draft: Draft) -> list[Square]:
    """Return where the selected equipment, entries and figures stand."""
    plan, scenario = draft.plan, draft.scenario
    things = [plan.equipment[at] for at in sorted(selection.equipment) if at < len(plan.equipment)]
    entries = [plan.entries[at] for at in sorted(selection.entries) if at < len(plan.entries)]
    places = [(one.x, one.y) for one in things] + [(one.x, one.y) for one in entries]
    if scenario is None:
        return places
    figures = scenario.start.figures if scenario.start is not None else ()
    squares = [scenario.placements[at].square for at in selection.placements if at < len(scenario.placements)]
    starts = [figures[at].square for at in selection.figures if at < len(figures)]
    return places + squares + [square for square in starts if square is not None]


class MarksLayer(Layer):
    """The squares with problems: a frame and a sign, a triangle for errors and a dot for warnings."""

    def __init__(self) -> None:
        super().__init__(Z_MARKS)
        self._marks: Mapping[Square, Severity] = {}

    def set_marks(self, marks: Mapping[Square, Severity]) -> None:
        """Mark other squares; only those that change are drawn anew."""
        before, self._marks = self._marks, marks
        whole = rect_of(marks, 0.1)
        if not before or not marks or not self._bounds.contains(whole):
            self.cover(whole)
            return
        for square in before.keys() | marks.keys():
            if before.get(square) != marks.get(square):
                self.update(square_rect(square).adjusted(-4, -4, 4, 4))

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        unit = pixel(painter)
        is_small = UNIT / unit < 14
        for square in shown(self._marks.keys(), exposed):
            box, severity = square_rect(square), self._marks[square]
            colour = colors.danger if severity == "error" else colors.soft
            if is_small:
                painter.fillRect(box, faded(colour, 0.65))
                continue
            pen = QPen(colour, max(1.6 * unit, UNIT * 0.04))
            if severity == "warning":
                pen.setDashPattern([2.5, 2])
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(4, 4, -4, -4), 5, 5)
            self._draw_sign(painter, box, colour, colors, is_error=severity == "error")

    @staticmethod
    def _draw_sign(
        painter: QPainter, box: QRectF, colour: QColor, colors: theme.Colors, *, is_error: bool
    ) -> None:
        middle = QPointF(box.right() - UNIT * 0.2, box.top() + UNIT * 0.2)
        painter.setPen(QPen(colors.field, UNIT * 0.025))
        painter.setBrush(colour)
        if is_error:
            size = UNIT * 0.17
            painter.drawPolygon(
                QPolygonF(
                    [
                        middle + QPointF(0, -size),
                        middle + QPointF(size, size * 0.8),
                        middle + QPointF(-size, size * 0.8),
                    ]
                )
            )
        else:
            painter.drawEllipse(middle, UNIT * 0.13, UNIT * 0.13)
        counters.write(painter, "!", middle + QPointF(0, UNIT * 0.025), UNIT * 0.16, colors.field)


class AxisLayer(Layer):
    """The axis of symmetry, or the point that strokes are turned about."""

    def __init__(self) -> None:
        super().__init__(Z_AXIS)
        self._symmetry: Symmetry = "off"
        self._size = (0, 0)

    def set_symmetry(self, symmetry: Symmetry, plan: FloorPlan) -> None:
        """Show another axis."""
        self._symmetry, self._size = symmetry, (plan.width, plan.height)
        width, height = plan.width * UNIT, plan.height * UNIT
        box = QRectF()
        if symmetry == "x":
            box = QRectF(width / 2 - 12, -UNIT, 24, height + 2 * UNIT)
        elif symmetry == "y":
            box = QRectF(-UNIT, height / 2 - 12, width + 2 * UNIT, 24)
        elif symmetry == "half-turn":
            box = QRectF(width / 2 - UNIT, height / 2 - UNIT, 2 * UNIT, 2 * UNIT)
        self.cover(box)

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        unit = pixel(painter)
        middle = self._bounds.center()
        for colour, wide in ((colors.paper, 4.0), (colors.accent, 2.0)):
            pen = QPen(colour, wide * unit)
            if self._symmetry == "half-turn":
                painter.setPen(pen)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                radius = UNIT * 0.5
                box = QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius)
                for start in (20, 200):
                    painter.drawArc(box, start * 16, 130 * 16)
                painter.setBrush(colour)
                painter.drawEllipse(middle, 3 * unit, 3 * unit)
                continue
            if wide == 2.0:
                pen.setDashPattern([5, 2, 1, 2])
            painter.setPen(pen)
            if self._symmetry == "x":
                painter.drawLine(QLineF(middle.x(), self._bounds.top(), middle.x(), self._bounds.bottom()))
            else:
                painter.drawLine(QLineF(self._bounds.left(), middle.y(), self._bounds.right(), middle.y()))


class FlashLayer(Layer):
    """Squares that are pointed out for a moment."""

    def __init__(self) -> None:
        super().__init__(Z_FLASH)
        self._squares: frozenset[Square] = frozenset()
        self._lines: list[QLineF] = []
        self.strength = 0.0

    @property
    def squares(self) -> frozenset[Square]:
        """The squares pointed out now."""
        return self._squares

    def flash(self, squares: frozenset[Square], strength: float) -> None:
        """Point squares out so strongly, 0 to 1."""
        if squares != self._squares:
            self._squares, self._lines = squares, outline(squares)
        self.strength = strength
        self.cover(rect_of(squares, 0.3) if strength > 0 else QRectF())

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        unit = pixel(painter)
        wash = faded(colors.accent, 0.5 * self.strength)
        for square in shown(self._squares, exposed):
            painter.fillRect(square_rect(square), wash)
        pen = QPen(faded(colors.accent, self.strength), 4 * unit)
        pen.setCapStyle(Qt.PenCapStyle.SquareCap)
        painter.setPen(pen)
        painter.drawLines(self._lines)


def _mixed(one: QColor, other: QColor, share: float) -> QColor:
    return QColor.fromRgbF(
        one.redF() + (other.redF() - one.redF()) * share,
        one.greenF() + (other.greenF() - one.greenF()) * share,
        one.blueF() + (other.blueF() - one.blueF()) * share,
    )
