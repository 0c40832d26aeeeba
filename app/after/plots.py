"""Plots of a game's course; the only module that loads the plotting library, so import it late."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import theme
from app.panels.dressed import Dressed
from engine.raid.chronicle import Chronicle
from engine.raid.figures import SIDES

LINES = {"terminator": Qt.PenStyle.SolidLine, "clonemaster": Qt.PenStyle.DashLine}
INSIDE = 0.7  # of the range: a mark beyond it has its number on the inner side, or the edge would cut it
NEAR = 0.03  # of the game: how far to either side a mark's number reaches
LEAST_RANGE = 2.0  # hits shown above and below at least, so that little luck looks little


def _pen(colour: QColor, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    pen = QPen(colour, width, style)
    pen.setCosmetic(True)
    return pen


class Plot(Dressed, QWidget):
    """A plot over the turns of a game that follows the theme; to be looked at, not to be worked.

    Its accessible description says in words what it shows.
    """

    def __init__(self, told: Chronicle, name: str, said: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.told = told
        self._look: tuple[str, int] | None = None
        self.setAccessibleName(name)
        self.setAccessibleDescription(said)
        self._canvas = pg.PlotWidget(self)
        self._canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._canvas.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._item = self._canvas.getPlotItem()
        self._item.setMenuEnabled(False)
        self._item.setMouseEnabled(False, False)
        self._item.hideButtons()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._canvas)
        self.dress()

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.size("body") * 16, theme.size("body") * 11)

    def sizeHint(self) -> QSize:
        return QSize(theme.size("body") * 30, theme.size("body") * 16)

    def _dress(self) -> None:
        """Draw everything anew in the theme's colours and sizes, once for each look."""
        look = (theme.colors().mode, theme.size("body"))
        if look == self._look:
            return
        self._look = look
        self.updateGeometry()
        colors = theme.colors()
        self._canvas.setBackground(colors.field)
        self._item.clear()
        font = theme.font("small")
        for side in ("left", "bottom"):
            axis = self._item.getAxis(side)
            axis.setPen(_pen(colors.soft, 1))
            axis.setTextPen(colors.ink)
            axis.setStyle(tickFont=font, tickTextOffset=theme.SPACE // 2)
        first, last = self.told.standing[0].position, self.told.standing[-1].position
        self._item.getAxis("bottom").setTicks([self._turn_ticks()])
        label = {"color": colors.ink.name(), "font-size": f"{theme.size('small')}px"}
        self._item.setLabel("bottom", "Turn", **label)
        self._item.setXRange(first, last, padding=0.02)
        self._item.addItem(pg.InfiniteLine(0, 0, pen=_pen(colors.soft, 1)))
        self._draw()

    def _turn_ticks(self) -> list[tuple[int, str]]:
        """Return where each turn begins."""
        begins: dict[int, int] = {}
        for one in self.told.standing:
            begins.setdefault(one.turn, one.position)
        return [(position, str(turn)) for turn, position in begins.items()]

    def _line(self, xs: Sequence[float], ys: Sequence[float], colour: QColor, style: Qt.PenStyle) -> None:
        """Draw a line with a rim of ink, so that it is seen on any ground."""
        ink = theme.colors().ink
        width = max(2.0, theme.size("body") / 7)
        if style == Qt.PenStyle.SolidLine:
            self._item.plot(xs, ys, pen=_pen(ink, width + 2), antialias=True)
            self._item.plot(xs, ys, pen=_pen(colour, width), antialias=True)
            return
        self._item.plot(xs, ys, pen=_pen(ink, width + 2, style), antialias=True)
        inner = _pen(colour, width, style)
        # Dashes are measured in pen widths: the same lengths for both pens.
        inner.setDashPattern([length * (width + 2) / width for length in inner.dashPattern()])
        self._item.plot(xs, ys, pen=inner, antialias=True)

    def _draw(self) -> None:
        raise NotImplementedError


class StandingPlot(Plot):
    """How the sides stood after every choice, the turning points marked by their numbers."""

    def _draw(self) -> None:
        colors = theme.colors()
        xs = [one.position for one in self.told.standing]
        ys = [one.value for one in self.told.standing]
        self._item.setYRange(-1, 1, padding=0.06)
        self._item.getAxis("left").setTicks([[(1, "Terminators"), (0, "level"), (-1, "CloneMaster")]])
        self._line(xs, ys, colors.ink, Qt.PenStyle.SolidLine)
        at = dict(zip(xs, ys, strict=True))
        for number, point in enumerate(self.told.turning_points, 1):
            value = at.get(point.position, 0.0)
            is_up = (point.luck if point.is_luck else point.swing) > 0
            side = SIDES[0] if is_up else SIDES[1]
            self._item.plot(
                [point.position],
                [value],
                pen=None,
                symbol="t1" if is_up else "t",
                symbolSize=theme.size("body"),
                symbolBrush=colors.side(side),
                symbolPen=_pen(colors.ink, 1.5),
                antialias=True,
            )
            is_above = value < -INSIDE or (value <= INSIDE and self._is_free_above(point.position, value))
            anchor = (0.5, 1.4 if is_above else -0.4)
            text = pg.TextItem(str(number), color=colors.ink, anchor=anchor)
            text.setFont(theme.font("small", is_bold=True))
            text.setPos(point.position, value)
            self._item.addItem(text)

    def _is_free_above(self, position: int, value: float) -> bool:
        """Return whether the line near a place runs rather below it than above."""
        course = self.told.standing
        near = (course[-1].position - course[0].position) * NEAR
        values = [one.value for one in course if abs(one.position - position) <= near]
        return not values or max(values) - value <= value - min(values)


class LuckPlot(Plot):
    """The hits of either side beyond those to be expected, summed over the game."""

    def _draw(self) -> None:
        colors = theme.colors()
        first, last = self.told.standing[0].position, self.told.standing[-1].position
        most = LEAST_RANGE
        for side in SIDES:
            xs: list[float] = [first]
            ys: list[float] = [0.0]
            for position, value in self.told.running[side]:
                xs += [position, position]
                ys += [ys[-1], value]
            xs.append(last)
            ys.append(ys[-1])
            most = max(most, *(abs(value) for value in ys))
            self._line(xs, ys, colors.side(side), LINES[side])
        self._item.setYRange(-most, most, padding=0.06)
        label = {"color": colors.ink.name(), "font-size": f"{theme.size('small')}px"}
        self._item.setLabel("left", "Hits beyond expected", **label)
