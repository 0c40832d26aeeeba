"""The odds of a combat as a table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.markup import as_text
from app.panels import odds
from app.panels.dressed import Drawn
from app.panels.widgets import (
    ability_pixmap,
)
from engine.raid import tables
from engine.raid.view import FigureView, View


class OddsTable(Drawn, QWidget):
    """What each attack counter needs against one target, a column for every reply that may come."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[tuple[str, tuple[odds.Odds, ...]]] = []
        self._target: FigureView | None = None
        self._weapons: list[str | None] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def rows(self) -> tuple[tuple[str, tuple[odds.Odds, ...]], ...]:
        """The rows shown: counter and its odds."""
        return tuple(self._rows)

    def show_odds(
        self,
        attacks: Sequence[tuple[str, FigureView]],
        target: FigureView | None,
        view: View | None,
    ) -> None:
        """Show what these counters, each with a holder, need against a target; nothing without one."""
        self._rows = []
        self._weapons = []
        self._target = target
        said = []
        if target is not None and view is not None:
            for counter, attacker in attacks:
                found = odds.odds(counter, attacker, target, view)
                self._rows.append((counter, found))
                self._weapons.append(attacker.weapon)
                said.append(f"{odds.counter_name(counter, attacker)}: {odds.spoken(found, target)}")
        self.setAccessibleName(". ".join(said))
        self.setToolTip(as_text("\n".join(said)))
        self.setVisible(bool(self._rows))
        self.updateGeometry()
        self.update()

    def _side(self) -> int:
        return round(theme.size("small") * 1.7)

    def _heights(self) -> tuple[int, int]:
        small = QFontMetrics(theme.font("small")).height()
        return self._side() + 6, small * 2 + 8

    def sizeHint(self) -> QSize:
        head, line = self._heights()
        return QSize(240, head + line * len(self._rows) + 2 if self._rows else 0)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._rows or self._target is None:
            return
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("small"))
        metrics = QFontMetrics(painter.font())
        head, line = self._heights()
        side = self._side()
        first = side + theme.SPACE
        columns = self._rows[0][1]
        width = (self.width() - first) / max(len(columns), 1)
        painter.setPen(colors.soft)
        centre = Qt.AlignmentFlag.AlignCenter
        for number, one in enumerate(columns):
            box = QRectF(first + number * width, 0, width, head)
            if one.reply:
                pixmap = ability_pixmap(one.reply, self, side, weapon=self._target.weapon)
                painter.drawPixmap(QPointF(box.center().x() - side / 2, box.center().y() - side / 2), pixmap)
            else:
                word = "helpless" if one.column == tables.COLUMNS[tables.HELPLESS] else "no reply"
                painter.drawText(
                    box, centre, metrics.elidedText(word, Qt.TextElideMode.ElideRight, round(width))
                )
        for at, (counter, found) in enumerate(self._rows):
            top = head + at * line
            painter.setPen(QPen(colors.faint, 1))
            painter.drawLine(QPointF(0, top), QPointF(self.width(), top))
            pixmap = ability_pixmap(counter, self, side, weapon=self._weapons[at])
            painter.drawPixmap(QPointF(0, top + (line - side) / 2), pixmap)
            for number, one in enumerate(found):
                box = QRectF(first + number * width, top + 3, width, line - 6)
                self._paint_cell(painter, box, one)

    def _paint_cell(self, painter: QPainter, box: QRectF, one: odds.Odds) -> None:
        colors = theme.colors()
        inner = box.adjusted(2, 0, -2, 0)
        # The bar's length repeats the number, so that a row is read at a glance.
        painter.fillRect(QRectF(inner.left(), inner.bottom() - 3, inner.width() * one.chance, 3), colors.ink)
        painter.fillRect(
            QRectF(
                inner.left() + inner.width() * one.chance,
                inner.bottom() - 1,
                inner.width() * (1 - one.chance),
                1,
            ),
            colors.faint,
        )
        half = (inner.height() - 4) / 2
        painter.setPen(colors.ink if one.needs else colors.soft)
        flag = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
        top = QRectF(inner.left(), inner.top(), inner.width(), half)
        painter.drawText(top, flag, odds.format_needs(one.needs) if one.needs else "–")
        painter.setPen(colors.soft)
        painter.drawText(top.translated(0, half), flag, odds.format_chance(one.needs))
