"""The layers of the scene, an item each, and the figures, an item each."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from app import theme
from app.board import counters
from app.board.picking import UNIT, centre, square_rect
from app.board.plan import PlanArt
from engine.raid.choices import Square

TILE = 512  # device pixels
MAX_TILES = 96
COUNTER = 0.86  # of a square


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
            art.draw(painter, option.exposedRect)
            painter.restore()
            return
        world, dpr = _scale(painter)
        scale = world.m11() * dpr
        if self._key != (scale, dpr):
            self._tiles.clear()
            self._key = (scale, dpr)
        origin = art.bounds.topLeft()
        corner = world.map(origin)
        left, top = round(corner.x() * dpr), round(corner.y() * dpr)
        exposed: QRectF = option.exposedRect.intersected(art.bounds)
        side = TILE / scale
        painter.save()
        painter.resetTransform()
        for row in range(
            int((exposed.top() - origin.y()) // side), int((exposed.bottom() - origin.y()) // side) + 1
        ):
            for column in range(
                int((exposed.left() - origin.x()) // side), int((exposed.right() - origin.x()) // side) + 1
            ):
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
        origin = self._art.bounds.topLeft()
        side = TILE / scale
        exposed = QRectF(origin.x() + column * side, origin.y() + row * side, side, side)
        made = QPixmap(TILE, TILE)
        made.fill(self._art.colors.paper)
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        painter.translate(-exposed.topLeft())
        self._art.draw(painter, exposed)
        painter.end()
        made.setDevicePixelRatio(dpr)
        self._tiles[column, row] = made
        return made


class MarksItem(QGraphicsItem):
    """Lit squares and the path, under the counters."""

    def __init__(self, bounds: QRectF) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.setZValue(2)
        self._bounds = bounds
        self._lit: dict[Square, str] = {}
        self._path: tuple[Square, ...] = ()

    def set_bounds(self, bounds: QRectF) -> None:
        """Cover another map."""
        self.prepareGeometryChange()
        self._bounds = bounds

    def set_lit(self, squares: Mapping[Square, str]) -> None:
        """Light these squares; only those that change are drawn anew."""
        for square in self._lit.keys() | squares.keys():
            if self._lit.get(square) != squares.get(square):
                self.update(square_rect(square))
        self._lit = dict(squares)

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
        colors = theme.colors()
        painter.save()
        font = theme.font("small", is_bold=True)
        font.setPixelSize(int(UNIT * 0.36))
        painter.setFont(font)
        exposed: QRectF = option.exposedRect
        fill = QColor(colors.accent)
        fill.setAlphaF(0.2)
        for square, text in self._lit.items():
            rect = square_rect(square)
            if rect.intersects(exposed):
                painter.setPen(QPen(colors.accent, UNIT / 24))
                painter.setBrush(fill)
                painter.drawRect(rect.adjusted(4, 4, -4, -4))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
        painter.setPen(QPen(colors.accent, UNIT / 10))
        if len(self._path) > 1:
            painter.drawPolyline([centre(square) for square in self._path])
        painter.restore()


class CursorItem(QGraphicsItem):
    """The keyboard's square and the targets that are no figures, above the counters."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(20)
        self.hide()

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, UNIT, UNIT)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        painter.save()
        painter.setPen(QPen(theme.colors().ink, UNIT / 20, Qt.PenStyle.DashLine))
        painter.drawRect(self.boundingRect().adjusted(2, 2, -2, -2))
        painter.restore()


class FigureItem(QGraphicsItem):
    """A counter on the board; `name` is empty for one that the viewer does not know."""

    def __init__(self, face: counters.Face) -> None:
        super().__init__()
        self.setZValue(10)
        self.face = face
        self.is_marked = False
        self.is_selected = False
        self.is_target = False

    @property
    def name(self) -> str:
        """The figure's name, empty for a face-down counter that the viewer does not know."""
        return "" if isinstance(self.face, str) else self.face.name

    def set_marks(self, *, is_marked: bool, is_selected: bool, is_target: bool) -> None:
        """Ring the counter as one that may act, is chosen, or may be attacked."""
        now = (is_marked, is_selected, is_target)
        if now != (self.is_marked, self.is_selected, self.is_target):
            self.is_marked, self.is_selected, self.is_target = now
            self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(-UNIT * 0.6, -UNIT * 0.6, UNIT * 1.2, UNIT * 1.2)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        half = UNIT * COUNTER / 2
        rect = QRectF(-half, -half, 2 * half, 2 * half)
        counters.draw_counter(painter, rect, self.face)
        if self.is_marked or self.is_selected or self.is_target:
            painter.save()
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.colors().accent, UNIT / (10 if self.is_selected else 18)))
            painter.drawRect(rect.adjusted(-3, -3, 3, 3))
            painter.restore()
