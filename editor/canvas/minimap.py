"""The minimap: the whole map at a glance, where the problems are, and which part is on show."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.board.picking import UNIT
from app.board.plan import faded
from app.panels.dressed import Dressed
from editor.bench import Bench
from editor.canvas.ground import Ground
from editor.canvas.layers.layer import mixed
from editor.canvas.view import MapCanvas
from engine.fortress.floorplan import ROCK

DELAY: Final = 100  # ms after the last change
PAD: Final = 6
SMALLEST_MARK: Final = 4  # pixels


class Minimap(Dressed, QWidget):
    """The whole map, small. A click or drag brings a place into view; arrows move the part on show."""

    def __init__(self, bench: Bench, canvas: MapCanvas, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bench = bench
        self._canvas = canvas
        self._picture = QPixmap()
        self.drawn = 0
        """How often the map was drawn anew."""
        self.setAccessibleName("Overview of the map")
        self.setAccessibleDescription("Arrow keys move the part of the map on show.")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY)
        self._timer.timeout.connect(self._draw)
        bench.document.changed.connect(self._wait)
        canvas.tinted.connect(self._wait)
        bench.marksChanged.connect(self.update)
        canvas.zoomed.connect(self.update)
        canvas.horizontalScrollBar().valueChanged.connect(self.update)
        canvas.verticalScrollBar().valueChanged.connect(self.update)
        self.dress()

    def _dress(self) -> None:
        self._timer.start()

    def sizeHint(self) -> QSize:
        """Return a size that shows a map well."""
        return QSize(theme.SPACE * 28, theme.SPACE * 20)

    def minimumSizeHint(self) -> QSize:
        """Return the least size that shows anything."""
        return QSize(theme.SPACE * 12, theme.SPACE * 9)

    @Slot()
    def _wait(self) -> None:
        self._timer.start()

    @property
    def _scale(self) -> float:
        """Logical pixels of a square."""
        ground = self._canvas.ground
        return max(
            0.1,
            min((self.width() - 2 * PAD) / ground.width, (self.height() - 2 * PAD) / ground.height),
        )

    def _box(self) -> QRectF:
        """Return the widget's rectangle of the map."""
        ground, scale = self._canvas.ground, self._scale
        wide, high = ground.width * scale, ground.height * scale
        return QRectF((self.width() - wide) / 2, (self.height() - high) / 2, wide, high)

    @Slot()
    def _draw(self) -> None:
        box, dpr = self._box(), self.devicePixelRatioF()
        self._picture = QPixmap(max(1, round(box.width() * dpr)), max(1, round(box.height() * dpr)))
        painter = QPainter(self._picture)
        draw_small(painter, self._canvas.ground, self._scale * dpr, theme.colors())
        painter.end()
        self._picture.setDevicePixelRatio(dpr)
        self.drawn += 1
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._timer.start()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        box, scale = self._box(), self._scale
        painter.drawPixmap(box, self._picture, QRectF(self._picture.rect()))
        self._draw_marks(painter, box, scale)
        shown = self._canvas.shown_area()
        view = QRectF(shown.topLeft() / UNIT * scale, shown.size() / UNIT * scale).translated(box.topLeft())
        view = view.intersected(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colors.paper, 4))
        painter.drawRect(view)
        painter.setPen(QPen(colors.ink, 2))
        painter.drawRect(view)
        if self.hasFocus():
            painter.setPen(QPen(colors.ink, 1, Qt.PenStyle.DashLine))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _draw_marks(self, painter: QPainter, box: QRectF, scale: float) -> None:
        colors = theme.colors()
        side = max(scale, SMALLEST_MARK)
        painter.setPen(Qt.PenStyle.NoPen)
        for severity, colour in (("warning", colors.soft), ("error", colors.danger)):
            painter.setBrush(colour)
            painter.drawRects(
                [
                    QRectF(
                        box.left() + (x + 0.5) * scale - side / 2,
                        box.top() + (y + 0.5) * scale - side / 2,
                        side,
                        side,
                    )
                    for (x, y), one in self.bench.marks.items()
                    if one == severity
                ]
            )

    def _go(self, point: QPointF) -> None:
        place = (point - self._box().topLeft()) / self._scale
        self._canvas.show_place(QPointF(place.x() * UNIT, place.y() * UNIT))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._go(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, -1),
            Qt.Key.Key_Down: (0, 1),
        }.get(Qt.Key(event.key()))
        if step is None:
            event.ignore()
            return
        shown = self._canvas.shown_area()
        far = QPointF(step[0] * shown.width(), step[1] * shown.height()) / 4
        self._canvas.show_place(shown.center() + far)


def draw_small(painter: QPainter, ground: Ground, scale: float, colors: theme.Colors) -> None:
    """Draw rooms as plain tints and walls as thin lines, with squares of `scale` pixels."""
    painter.fillRect(QRectF(0, 0, ground.width * scale, ground.height * scale), colors.paper)
    share = {"light": 0.16, "dark": 0.16}.get(colors.mode, 0.3)
    tints: dict[str, QColor] = {}
    walls = []
    thick = max(1.0, scale * 0.2)
    last = " " * ground.width
    for y in range(ground.height + 1):
        row = ground.row(y) if y < ground.height else ROCK * ground.width
        last = last if y else ROCK * ground.width
        start = 0
        for x in range(1, ground.width + 1):
            if x == ground.width or row[x] != row[start]:
                letter = row[start]
                if letter != ROCK:
                    if letter not in tints:
                        tints[letter] = mixed(colors.rooms[ground.tint_of(letter) or 0], colors.ink, share)
                    painter.fillRect(
                        QRectF(start * scale, y * scale, (x - start) * scale, scale), tints[letter]
                    )
                start = x
        walls += [
            QRectF(x * scale - thick / 2, y * scale, thick, scale)
            for x, (one, other) in enumerate(zip(ROCK + row, row + ROCK, strict=True))
            if one != other
        ]
        walls += [
            QRectF(x * scale, y * scale - thick / 2, scale, thick)
            for x, (one, other) in enumerate(zip(last, row, strict=True))
            if one != other
        ]
        last = row
    if scale >= 2.5:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(faded(colors.wall, 0.75))
        painter.drawRects(walls)
