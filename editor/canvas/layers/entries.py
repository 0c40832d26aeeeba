"""Entries, with their names and rates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap, QPixmapCache

from app import theme
from app.board.picking import UNIT, centre
from app.board.plan import draw_arrow, faded, outward
from editor.canvas.layers.layer import SMALLEST_TEXT, Z_ENTRIES, Layer, pixel
from editor.canvas.layers.shapes import rect_of, united
from editor.draft import Change, Square
from editor.words import rate_in
from engine.fortress.floorplan import STEP, Entry, FloorPlan, Side

TEXT: Final = 0.2
"""Height of the words at an entry, squares."""
READ: Final = 0.88
"""Their height in small text, at least, as long as that is not too large for the squares."""


class Plate(NamedTuple):
    """The words at an entry, and where they stand in the scene."""

    box: QRectF
    lines: tuple[str, ...]
    high: float


class Known(NamedTuple):
    """An entry, the side by which it is come to, and its rates in words."""

    entry: Entry
    side: Side | None
    rates: str


def known_of(plan: FloorPlan, entry: Entry) -> Known:
    """Return what is drawn of an entry; the door before it counts too (4.11)."""
    rates = f"in {rate_in(plan, entry)} · out {entry.leave}"
    return Known(entry, outward(plan, entry.x, entry.y, entry.side), rates)


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
        self._known: tuple[Known, ...] = ()
        self._plates: tuple[float, list[Plate]] = (0.0, [])
        self._near: set[Square] = set()

    def follow(self, plan: FloorPlan, change: Change) -> None:
        """Show the entries of an edited plan; what is edited far from all of them changes none."""
        squares, edges = change.squares, change.edges
        if (
            squares is not None
            and edges is not None
            and not change.fields & {"entries", "rooms"}
            and self._near.isdisjoint(squares)
            and self._near.isdisjoint((x, y) for x, y, _ in edges)
        ):
            self._plan = plan
        else:
            self.set_plan(plan)

    def set_plan(self, plan: FloorPlan) -> None:
        """Show the entries of another plan."""
        self._plan = plan
        self._near = {(one.x + dx, one.y + dy) for one in plan.entries for dx, dy in ((0, 0), *STEP.values())}
        now = tuple(known_of(plan, one) for one in plan.entries)
        if now != self._known:
            self._known = now
            self._plates = (0.0, [])
            self.cover(united(entry_box(plan, one) for one in plan.entries))

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        if self._plan is None:
            return
        for one in self._known:
            if entry_box(self._plan, one.entry).intersects(exposed):
                _draw_mouth(painter, self._plan, one.entry, one.side, colors)
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
    known = known_of(plan, entry)
    _draw_mouth(painter, plan, entry, known.side, colors)
    high = text_height(painter)
    for plate in plates((known,), high) if high else ():
        _draw_plate(painter, plate, colors)


def text_height(painter: QPainter) -> float:
    """Return how high an entry's words are in the scene; 0 where they could not be read."""
    unit = pixel(painter)
    high = min(max(UNIT * TEXT, READ * theme.size("small") * unit), UNIT * 0.36)
    return high if high / unit >= SMALLEST_TEXT else 0.0


def plates(entries: Iterable[Known], high: float) -> list[Plate]:
    """Return where the words of entries stand, none on another and none on an arrow as far as may be."""
    known = list(entries)
    metrics = QFontMetricsF(_words_font())
    taken = []
    for entry, side, _ in known:
        middle = centre((entry.x, entry.y))
        dx, dy = STEP[side] if side is not None else (0, 0)
        mouth = QRectF(0, 0, UNIT * 0.5, UNIT * 0.5)
        mouth.moveCenter(middle + QPointF(dx, dy) * (UNIT * 0.9))
        taken.append(mouth)
    found = []
    for entry, side, rates in known:
        lines = (*_wrapped(entry.name), rates)
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
