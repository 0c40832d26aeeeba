"""The layers of the scene, an item each, and the figures, an item each."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap, QPixmapCache, QPolygonF, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from app import theme
from app.board import counters, things
from app.board.picking import UNIT, centre, square_rect
from app.board.plan import PlanArt
from app.board.stacks import ALONE
from app.board.things import Thing
from engine.raid.choices import Square

TILE = 512  # device pixels
MAX_TILES = 96


def _scale(painter: QPainter) -> tuple[QTransform, float]:
    return painter.worldTransform(), painter.device().devicePixelRatio()


class PlanItem(QGraphicsItem):
    """The plan without anything that can change, kept as picture tiles of the present zoom."""

    def __init__(self) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.setZValue(0)
        self._art: PlanArt | None = None
        self._tiles: dict[tuple[int, int], QPixmap] = {}
        self._key: tuple[float, float] = (0.0, 0.0)

    def set_art(self, art: PlanArt | None) -> None:
        """Show another plan, or the same one in another palette."""
        self.prepareGeometryChange()
        self._art = art
        self._tiles.clear()
        self.update()

    def boundingRect(self) -> QRectF:
        return self._art.bounds if self._art is not None else QRectF()

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        art = self._art
        if art is None:
            return
        if widget is None:
            # A print or a picture of the scene: lines, not pixels.
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            art.draw(painter, option.exposedRect)
            painter.restore()
            return
        world, dpr = _scale(painter)
        scale = world.m11() * dpr
        if self._key != (scale, dpr):
            self._tiles.clear()
            self._key = (scale, dpr)
        # Tiles are counted from the first square's corner, so that its lines fall between pixels.
        corner = world.map(QPointF(0, 0))
        left, top = round(corner.x() * dpr), round(corner.y() * dpr)
        exposed: QRectF = option.exposedRect.intersected(art.bounds)
        side = TILE / scale
        painter.save()
        painter.resetTransform()
        rows = range(int(exposed.top() // side), int(exposed.bottom() // side) + 1)
        columns = range(int(exposed.left() // side), int(exposed.right() // side) + 1)
        for row in rows:
            for column in columns:
                tile = self._tile(column, row, scale, dpr)
                painter.drawPixmap(QPointF((left + column * TILE) / dpr, (top + row * TILE) / dpr), tile)
        painter.restore()

    def _tile(self, column: int, row: int, scale: float, dpr: float) -> QPixmap:
        found = self._tiles.get((column, row))
        if found is not None:
            return found
        assert self._art is not None
        if len(self._tiles) >= MAX_TILES:
            del self._tiles[next(iter(self._tiles))]
        side = TILE / scale
        exposed = QRectF(column * side, row * side, side, side)
        made = QPixmap(TILE, TILE)
        made.fill(self._art.colors.paper)
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        painter.translate(-exposed.topLeft())
        self._art.draw(painter, exposed, scale * UNIT)
        painter.end()
        made.setDevicePixelRatio(dpr)
        self._tiles[column, row] = made
        return made


class ThingsItem(QGraphicsItem):
    """Equipment and armored doors, whole or destroyed, and which of them may be attacked."""

    def __init__(self) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.setZValue(1)
        self._bounds = QRectF()
        self._things: tuple[Thing, ...] = ()
        self._reaches: list[QRectF] = []
        self._targets: frozenset[str] = frozenset()
        self._flashing: str | None = None

    def set_things(self, bounds: QRectF, things: tuple[Thing, ...]) -> None:
        """Show these; only those that change are drawn anew."""
        if bounds != self._bounds:
            self.prepareGeometryChange()
            self._bounds = bounds
        before, after = set(self._things), set(things)
        self._things = things
        self._reaches = [thing.reach for thing in things]
        for thing in before ^ after:
            self.update(thing.reach)

    def set_targets(self, names: frozenset[str]) -> None:
        """Mark the things that may be attacked."""
        changed = names ^ self._targets
        self._targets = names
        for thing in self._things:
            if thing.name in changed:
                self.update(thing.reach)

    def set_flashing(self, name: str | None) -> None:
        """Flash one thing, or none."""
        for thing in self._things:
            if thing.name in (name, self._flashing):
                self.update(thing.reach)
        self._flashing = name

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        colors = theme.colors()
        exposed: QRectF = option.exposedRect
        painter.save()
        for thing, reach in zip(self._things, self._reaches, strict=True):
            if reach.intersects(exposed):
                things.draw_thing(painter, thing, colors)
                if thing.name == self._flashing:
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(_faded(colors.danger, 0.45))
                    painter.drawEllipse(reach)
                if thing.name in self._targets:
                    draw_sight(painter, thing.target_box, colors)
        painter.restore()


class MarksItem(QGraphicsItem):
    """Lit squares and the path, under the counters."""

    def __init__(self) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.setZValue(2)
        self._bounds = QRectF()
        self._lit: dict[Square, str] = {}
        self._occupied: frozenset[Square] = frozenset()
        self._path: tuple[Square, ...] = ()
        self._hovered: Square | None = None

    def set_bounds(self, bounds: QRectF) -> None:
        """Cover another map."""
        self.prepareGeometryChange()
        self._bounds = bounds

    def set_lit(self, squares: Mapping[Square, str]) -> None:
        """Light these squares; only those that change are drawn anew."""
        before, self._lit = self._lit, dict(squares)
        for square in before.keys() | self._lit.keys():
            if before.get(square) != self._lit.get(square):
                self.update(square_rect(square))

    def set_occupied(self, squares: frozenset[Square]) -> None:
        """Say where counters stand: there a cost goes into the corner."""
        for square in squares ^ self._occupied:
            if square in self._lit:
                self.update(square_rect(square))
        self._occupied = squares

    def set_hovered(self, square: Square | None) -> None:
        """Strengthen the lit square under the pointer or cursor."""
        for one in (square, self._hovered):
            if one is not None and one in self._lit:
                self.update(square_rect(one))
        self._hovered = square

    def set_path(self, squares: tuple[Square, ...]) -> None:
        """Show a path through these squares."""
        for square in {*self._path, *squares}:
            self.update(square_rect(square))
        self._path = squares

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        if not self._lit and not self._path:
            return
        exposed: QRectF = option.exposedRect
        painter.save()
        self._paint_lit(painter, exposed, is_screen=widget is not None)
        if len(self._path) > 1:
            self._paint_path(painter)
        painter.restore()

    def _paint_lit(self, painter: QPainter, exposed: QRectF, *, is_screen: bool) -> None:
        world, dpr = _scale(painter)
        pixels = round(UNIT * world.m11() * dpr)
        for square, text in self._lit.items():
            rect = square_rect(square)
            if not rect.intersects(exposed):
                continue
            shown = "" if square in self._path[:-1] else text
            is_corner = square in self._occupied or square in self._path
            is_strong = square == self._hovered
            if not is_screen:
                painter.save()
                painter.translate(rect.topLeft())
                _draw_lit(painter, shown, is_corner=is_corner, is_strong=is_strong)
                painter.restore()
                continue
            corner = world.map(rect.topLeft())
            painter.resetTransform()
            painter.drawPixmap(
                QPointF(round(corner.x() * dpr) / dpr, round(corner.y() * dpr) / dpr),
                _lit_pixmap(shown, pixels, dpr, is_corner=is_corner, is_strong=is_strong),
            )
            painter.setWorldTransform(world)

    def _paint_path(self, painter: QPainter) -> None:
        colors = theme.colors()
        points = [centre(square) for square in self._path]
        last, before = points[-1], points[-2]
        ahead = QPointF(last.x() - before.x(), last.y() - before.y()) / UNIT
        aside = QPointF(-ahead.y(), ahead.x())
        line = QPainterPath(points[0])
        for point in points[1:-1]:
            line.lineTo(point)
        line.lineTo(last - ahead * (UNIT * 0.12))
        head = QPolygonF(
            [
                last + ahead * (UNIT * 0.3),
                last - ahead * (UNIT * 0.12) + aside * (UNIT * 0.24),
                last - ahead * (UNIT * 0.12) - aside * (UNIT * 0.24),
            ]
        )
        painter.setBrush(Qt.BrushStyle.NoBrush)
        round_line = (Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        for colour, width in ((colors.paper, 0.24), (colors.accent, 0.13)):
            painter.setPen(QPen(colour, UNIT * width, *round_line))
            painter.drawPath(line)
            painter.setPen(QPen(colour, UNIT * (width - 0.13), *round_line))
            painter.setBrush(colour)
            painter.drawPolygon(head)
            painter.setBrush(Qt.BrushStyle.NoBrush)


def _draw_lit(painter: QPainter, text: str, *, is_corner: bool, is_strong: bool) -> None:
    """Draw a lit square whose corner is the origin, with what it costs."""
    colors = theme.colors()
    rect = QRectF(0, 0, UNIT, UNIT)
    inner = rect.adjusted(UNIT * 0.09, UNIT * 0.09, -UNIT * 0.09, -UNIT * 0.09)
    painter.setPen(QPen(colors.accent, UNIT * 0.045))
    painter.setBrush(_faded(colors.accent, 0.4 if is_strong else 0.16 if colors.mode == "light" else 0.2))
    painter.drawRoundedRect(inner, UNIT * 0.08, UNIT * 0.08)
    if not text:
        return
    ink = _mixed(colors.accent, colors.ink, 0.35)
    if is_corner:
        counters.write(painter, text, QPointF(UNIT * 0.24, UNIT * 0.25), UNIT * 0.2, ink, UNIT * 0.24)
        return
    # The dot makes room for the number.
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_mixed(colors.rooms[1], colors.accent, 0.16))
    painter.drawEllipse(rect.center(), UNIT * 0.06, UNIT * 0.06)
    counters.write(painter, text, rect.center(), UNIT * 0.32, ink, UNIT * 0.62)


def _lit_pixmap(text: str, pixels: int, dpr: float, *, is_corner: bool, is_strong: bool) -> QPixmap:
    key = f"kf2100|lit|{theme.colors().mode}|{pixels}|{dpr}|{is_corner}|{is_strong}|{text}"
    made = QPixmap()
    if QPixmapCache.find(key, made):
        return made
    made = QPixmap(pixels, pixels)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(pixels / UNIT, pixels / UNIT)
    _draw_lit(painter, text, is_corner=is_corner, is_strong=is_strong)
    painter.end()
    made.setDevicePixelRatio(dpr)
    QPixmapCache.insert(key, made)
    return made


class CursorItem(QGraphicsItem):
    """The keyboard's square, above the counters."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(20)
        self.hide()

    def boundingRect(self) -> QRectF:
        return QRectF(-2, -2, UNIT + 4, UNIT + 4)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        colors = theme.colors()
        painter.save()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        rect = QRectF(0, 0, UNIT, UNIT).adjusted(1, 1, -1, -1)
        painter.setPen(QPen(colors.paper, UNIT * 0.12))
        painter.drawRoundedRect(rect, 5, 5)
        pen = QPen(colors.ink, UNIT * 0.06)
        pen.setDashPattern([2.2, 1.4])
        painter.setPen(pen)
        painter.drawRoundedRect(rect, 5, 5)
        painter.restore()


class FigureItem(QGraphicsItem):
    """A counter on the board; `name` is empty for one that the viewer does not know.

    `flip` is the width it shows while it turns over, `flash` how strongly a hit glows.
    """

    def __init__(self, face: counters.Face) -> None:
        super().__init__()
        self.setZValue(10)
        self.face = face
        self.size = ALONE
        self.flip = 1.0
        self.flash = 0.0
        self.note = ""
        self._marks = (False, False, False)

    @property
    def name(self) -> str:
        """The figure's name, empty for a face-down counter that the viewer does not know."""
        return "" if isinstance(self.face, str) else self.face.name

    def set_face(self, face: counters.Face, size: float, note: str = "") -> None:
        """Show another state of the figure, at a size in squares, with a small note in its corner."""
        if (face, size, note) != (self.face, self.size, self.note):
            self.face, self.size, self.note = face, size, note
            self.update()

    def set_marks(self, *, is_marked: bool, is_selected: bool, is_target: bool) -> None:
        """Ring the counter as one that may act, is chosen, or may be attacked."""
        now = (is_marked, is_selected, is_target)
        if now != self._marks:
            # Rings stand out beyond the square; without them neighbours need not be drawn again.
            self.prepareGeometryChange()
            self._marks = now
            self.update()

    def set_turn(self, flip: float) -> None:
        """Show the counter `flip` of its width wide, as it turns over."""
        self.flip = flip
        self.update()

    def set_flash(self, flash: float) -> None:
        """Let a hit glow, 0 to 1."""
        self.flash = flash
        self.update()

    def boundingRect(self) -> QRectF:
        reach = UNIT * (0.64 if any(self._marks) else 0.5)
        return QRectF(-reach, -reach, 2 * reach, 2 * reach)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        side = UNIT * self.size
        rect = QRectF(-side / 2, -side / 2, side, side)
        is_marked, is_selected, is_target = self._marks
        colors = theme.colors()
        painter.save()
        if is_marked or is_selected:
            _draw_ring(painter, rect, colors, is_strong=is_selected)
        world, dpr = _scale(painter)
        if widget is None or self.flip != 1.0 or world.isRotating():
            painter.save()
            painter.scale(max(self.flip, 0.01), 1.0)
            counters.draw_counter(painter, rect, self.face)
            painter.restore()
        else:
            pixels = round(side * world.m11() * dpr)
            middle = world.map(QPointF(0, 0))
            corner = QPointF(
                round(middle.x() * dpr - pixels / 2) / dpr, round(middle.y() * dpr - pixels / 2) / dpr
            )
            painter.resetTransform()
            painter.drawPixmap(corner, counters.counter_pixmap(self.face, pixels / dpr, dpr))
            painter.setWorldTransform(world)
        if self.flash > 0:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(_faded(colors.danger, 0.65 * self.flash))
            painter.drawRoundedRect(rect, side * 0.09, side * 0.09)
        if self.note:
            draw_note(painter, rect, self.note, colors)
        if is_target:
            draw_sight(painter, rect, colors)
        painter.restore()


def _draw_ring(painter: QPainter, rect: QRectF, colors: theme.Colors, *, is_strong: bool) -> None:
    """Ring a counter: thin for one that may act, a thick double ring for the chosen one."""
    width = UNIT * (0.11 if is_strong else 0.07)
    grown = UNIT * 0.035
    painter.setBrush(Qt.BrushStyle.NoBrush)
    outline = rect.adjusted(-grown, -grown, grown, grown)
    painter.setPen(QPen(colors.paper, width + UNIT * (0.12 if is_strong else 0.05)))
    painter.drawRoundedRect(outline, UNIT * 0.1, UNIT * 0.1)
    painter.setPen(QPen(colors.accent, width))
    painter.drawRoundedRect(outline, UNIT * 0.1, UNIT * 0.1)


def draw_sight(painter: QPainter, rect: QRectF, colors: theme.Colors) -> None:
    """Draw four corners of a gun sight: this may be attacked."""
    grown = UNIT * 0.05
    box = rect.adjusted(-grown, -grown, grown, grown)
    arm = UNIT * 0.26
    corners = (
        (box.topLeft(), 1, 1),
        (box.topRight(), -1, 1),
        (box.bottomLeft(), 1, -1),
        (box.bottomRight(), -1, -1),
    )
    path = QPainterPath()
    for corner, across, down in corners:
        path.moveTo(corner + QPointF(across * arm, 0))
        path.lineTo(corner)
        path.lineTo(corner + QPointF(0, down * arm))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    join = (Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(QPen(colors.paper, UNIT * 0.2, *join))
    painter.drawPath(path)
    painter.setPen(QPen(colors.accent, UNIT * 0.11, *join))
    painter.drawPath(path)


def draw_note(painter: QPainter, rect: QRectF, note: str, colors: theme.Colors) -> None:
    """Draw a small note in the corner of a counter."""
    font = theme.small_capitals(UNIT * 0.24)
    font.setWeight(font.Weight.Bold)
    side = UNIT * 0.34
    box = QRectF(rect.right() - side * 0.8, rect.bottom() - side * 0.8, side, side)
    painter.setPen(QPen(colors.field, UNIT * 0.03))
    painter.setBrush(colors.ink)
    painter.drawEllipse(box)
    painter.setFont(font)
    painter.setPen(colors.field)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, note)


def _faded(colour: QColor, share: float) -> QColor:
    made = QColor(colour)
    made.setAlphaF(share)
    return made


def _mixed(one: QColor, other: QColor, share: float) -> QColor:
    return QColor.fromRgbF(
        one.redF() + (other.redF() - one.redF()) * share,
        one.greenF() + (other.greenF() - one.greenF()) * share,
        one.blueF() + (other.blueF() - one.blueF()) * share,
    )
