"""Who can strike whom in a combat, as a diagram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.panels import odds
from app.panels.dressed import Drawn
from app.panels.widgets import (
    figure_pixmap,
    icon_size,
)
from engine.raid.view import FightView, FigureView, View

CROWD: Final = 4  # figures on a side that still have room for two lines each


class LinksDiagram(Drawn, QWidget):
    """Who can strike whom: Terminators left, foes right, a line for each pair.

    The open attack is an arrow.
    """

    figureClicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._left: list[FigureView] = []
        self._right: list[FigureView] = []
        self._fight: FightView | None = None
        self._targets: frozenset[str] = frozenset()
        self._picked = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_fight(self, view: View | None, targets: Sequence[str] = (), picked: str = "") -> None:
        """Show a fight's figures and links; None clears every trace of them."""
        fight = view.fight if view is not None else None
        self._fight = fight
        self._targets = frozenset(targets)
        self._picked = picked
        self._left, self._right = [], []
        if view is not None and fight is not None:
            known = {figure.name: figure for figure in view.figures}
            here = [known[name] for name in fight.figures if name in known]
            self._left = [one for one in here if one.side == "terminator"]
            self._right = [one for one in here if one.side != "terminator"]
        self.setAccessibleName(self._described())
        self.setToolTip("")
        self.setVisible(bool(self._left or self._right))
        self.updateGeometry()
        self.update()

    def _described(self) -> str:
        if self._fight is None:
            return ""
        said = []
        for one in self._left:
            foes = [other for first, other in self._fight.links if first == one.name]
            said.append(f"{one.name} and {', '.join(foes)} can strike" if foes else f"{one.name} has no foe")
        return "; ".join(said)

    @property
    def _is_crowded(self) -> bool:
        return max(len(self._left), len(self._right)) > CROWD

    def _side(self) -> int:
        """Return the side of a counter: smaller in a big combat, so that the choices below stay in sight."""
        return max(24, round(theme.size("body") * 1.6)) if self._is_crowded else icon_size()

    def _row(self) -> int:
        return self._side() + (6 if self._is_crowded else theme.SPACE + 4)

    def sizeHint(self) -> QSize:
        return QSize(280, max(len(self._left), len(self._right), 1) * self._row())

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.sizeHint().height())

    def _places(self) -> list[tuple[FigureView, QRectF, bool]]:
        """Return each figure with its counter's place, and whether it stands left."""
        side = self._side()
        found = []
        for figures, is_left in ((self._left, True), (self._right, False)):
            top = (self.height() - len(figures) * self._row()) / 2
            x = 4.0 if is_left else self.width() - side - 4.0
            for number, figure in enumerate(figures):
                found.append((figure, QRectF(x, top + number * self._row() + 3, side, side), is_left))
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._fight is None:
            return
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = self._places()
        boxes = {figure.name: box for figure, box, _ in places}
        attack = self._fight.open_attack
        pair = {attack.figure, attack.target} if attack is not None else set()
        for one, other in self._fight.links:
            if one in boxes and other in boxes and {one, other} != pair:
                painter.setPen(QPen(colors.soft, 1))
                painter.drawLine(*self._ends(boxes, one, other))
        if attack is not None and attack.figure in boxes and attack.target in boxes:
            self._paint_arrow(painter, boxes, attack.figure, attack.target)
        for figure, box, is_left in places:
            pixmap = figure_pixmap(figure, self, round(box.width()))
            painter.setOpacity(1.0 if figure.is_conscious and figure.place != "dead" else 0.45)
            painter.drawPixmap(box.toRect(), pixmap)
            painter.setOpacity(1.0)
            if figure.name in self._targets or figure.name == self._picked:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                is_target = figure.name in self._targets
                painter.setPen(QPen(colors.accent if is_target else colors.ink, 2))
                painter.drawRoundedRect(box.adjusted(-2.5, -2.5, 2.5, 2.5), theme.RADIUS, theme.RADIUS)
            self._paint_name(painter, figure, box, is_left)

    def _name_width(self, *, is_left: bool) -> int:
        """Return the room beside a side's counters for their names, so that its lines start in one column."""
        metrics = QFontMetrics(theme.font("small"))
        figures = self._left if is_left else self._right
        lines = (line for one in figures for line in self._lines(one))
        widest = max((metrics.horizontalAdvance(line) for line in lines), default=0)
        return min(widest + theme.SPACE, max(0, round(self.width() / 2 - self._side() - theme.SPACE * 3)))

    def _lines(self, figure: FigureView) -> tuple[str, ...]:
        if figure.place == "dead":
            state = "out"
        elif not figure.is_conscious:
            state = "unconscious"
        elif odds.is_fighter(figure):
            state = f"{figure.lost} lost" if figure.lost else "unhurt"
        else:
            state = "has fired" if figure.has_fired else ""
        name = figure.name.replace("Armed Technician", "Armed tech").replace("Technician", "Tech")
        if self._is_crowded:
            # Injuries are on the counters and on the record sheets; room here is for the lines.
            return (f"{name} ({state})" if not figure.is_conscious else name,)
        return (name, state) if state else (name,)

    def _paint_name(self, painter: QPainter, figure: FigureView, box: QRectF, is_left: bool) -> None:
        width = self._name_width(is_left=is_left)
        colors = theme.colors()
        painter.setFont(theme.font("small"))
        metrics = QFontMetrics(painter.font())
        flag = Qt.AlignmentFlag.AlignLeft if is_left else Qt.AlignmentFlag.AlignRight
        x = box.right() + theme.SPACE if is_left else box.left() - theme.SPACE - width
        lines = self._lines(figure)
        top = box.center().y() - metrics.height() * len(lines) / 2
        for number, line in enumerate(lines):
            painter.setPen(colors.ink if not number else colors.soft)
            shown = metrics.elidedText(line, Qt.TextElideMode.ElideRight, width)
            painter.drawText(QRectF(x, top + number * metrics.height(), width, metrics.height()), flag, shown)

    def _ends(self, boxes: dict[str, QRectF], one: str, other: str) -> tuple[QPointF, QPointF]:
        first, second = boxes[one], boxes[other]
        ends = []
        for box in (first, second):
            is_left = box.center().x() < self.width() / 2
            gap = self._name_width(is_left=is_left) + theme.SPACE * 1.5
            ends.append(QPointF(box.right() + gap if is_left else box.left() - gap, box.center().y()))
        return ends[0], ends[1]

    def _paint_arrow(self, painter: QPainter, boxes: dict[str, QRectF], figure: str, target: str) -> None:
        colors = theme.colors()
        start, end = self._ends(boxes, figure, target)
        painter.setPen(QPen(colors.ink, 3))
        painter.drawLine(start, end)
        way = end - start
        length = max(1.0, (way.x() ** 2 + way.y() ** 2) ** 0.5)
        ahead = QPointF(way.x() / length, way.y() / length)
        aside = QPointF(-ahead.y(), ahead.x())
        painter.setBrush(colors.ink)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon([end + ahead * 4, end - ahead * 8 + aside * 6, end - ahead * 8 - aside * 6])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for figure, box, _ in self._places():
            if box.adjusted(-4, -4, 4, 4).contains(event.position()):
                self.figureClicked.emit(figure.name)
                return
        super().mousePressEvent(event)
