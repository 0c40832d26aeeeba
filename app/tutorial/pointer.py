"""What a lesson points at: rings on the board, and rings around buttons and panels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget
from shiboken6 import isValid

from app import theme
from app.board.picking import UNIT, centre
from app.board.scene import BoardView
from app.panels.widgets import Pressable, paint_ring
from engine.raid.choices import Square

ABOVE_ALL = 50  # above the counters and the animation
_PLACE = re.compile(r"(\d+),(\d+)(?: ([NESW]))?")
_TO_EDGE = {"N": (0.0, -0.5), "E": (0.5, 0.0), "S": (0.0, 0.5), "W": (-0.5, 0.0)}


def place_named(word: str) -> tuple[Square, str] | None:
    """Return the square that "4,12" means, or square and side for "4,12 E"; None for anything else."""
    found = _PLACE.fullmatch(word)
    return ((int(found[1]), int(found[2])), found[3] or "") if found else None


def point_of_place(square: Square, side: str) -> QPointF:
    """Return the middle of a square, or of one of its edges, in the scene."""
    across, down = _TO_EDGE.get(side, (0.0, 0.0))
    return centre(square) + QPointF(across * UNIT, down * UNIT)


class BoardRings(QGraphicsItem):
    """Rings around squares, figures and things of the board; they never take a click."""

    def __init__(self, board_view: BoardView) -> None:
        super().__init__()
        self._board_view = board_view
        self._points: tuple[QPointF, ...] = ()
        self.setZValue(ABOVE_ALL)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        board_view.scene().addItem(self)

    @property
    def points(self) -> tuple[QPointF, ...]:
        """The middles of the rings, in the scene."""
        return self._points

    def show_names(self, names: Iterable[str]) -> None:
        """Ring what these names mean, as far as it is on the board."""
        found = []
        for name in names:
            place = place_named(name)
            point = point_of_place(*place) if place is not None else self._board_view.place_of(name)
            if point is not None and point not in found:
                found.append(point)
        self.prepareGeometryChange()
        self._points = tuple(found)
        self.update()

    def boundingRect(self) -> QRectF:
        box = QRectF()
        for point in self._points:
            box = box.united(QRectF(point.x() - UNIT, point.y() - UNIT, 2 * UNIT, 2 * UNIT))
        return box

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        colors = theme.colors()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for point in self._points:
            box = QRectF(point.x() - UNIT * 0.54, point.y() - UNIT * 0.54, UNIT * 1.08, UNIT * 1.08)
            # Two rims, so that it is seen on floor, wall and counters alike.
            for colour, width in ((colors.field, 9.0), (colors.accent, 5.0)):
                painter.setPen(QPen(colour, width))
                painter.drawRoundedRect(box, UNIT * 0.16, UNIT * 0.16)


class Ring(QWidget):
    """A ring around a part of the page that stays, lying over it; it never takes a click or the focus."""

    def __init__(self, around: QWidget) -> None:
        super().__init__(around)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        around.installEventFilter(self)
        self.hide()

    def show_over(self) -> None:
        """Show the ring over what it is around."""
        self._fit()
        self.show()
        self.raise_()

    def _fit(self) -> None:
        around = self.parentWidget()
        if around is not None:
            self.setGeometry(around.rect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ring(painter, QRectF(self.rect()))


class Rings:
    """The rings around buttons and parts of the page.

    The buttons of a moment come and go, so they draw their rings themselves; the parts of the page keep
    theirs for good, shown or hidden.
    """

    def __init__(self) -> None:
        self._buttons: list[Pressable] = []
        self._rings: dict[QWidget, Ring] = {}

    @property
    def around(self) -> tuple[QWidget, ...]:
        """What is ringed now."""
        buttons = (one for one in self._buttons if isValid(one) and one.is_ringed)
        return (*buttons, *(part for part, ring in self._rings.items() if not ring.isHidden()))

    def show_around(self, buttons: Sequence[Pressable], parts: Sequence[QWidget]) -> None:
        """Ring these and nothing else."""
        for button in self._buttons:
            if isValid(button):
                button.ring(button in buttons)
        self._buttons = list(buttons)
        for button in buttons:
            button.ring(True)
        for part in parts:
            if part not in self._rings:
                self._rings[part] = Ring(part)
        for part, ring in self._rings.items():
            if part in parts:
                ring.show_over()
            else:
                ring.hide()
