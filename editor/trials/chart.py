"""The results of bot games drawn: who won with the interval, and how long games were."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.panels.dressed import Drawn
from editor.trials.results import Results, length_words, percent, share_words
from engine.raid.figures import CLONEMASTER, SIDE_NAMES, SIDES, TERMINATOR

WIDTH, LEAST = 16, 8  # times the size of the text


class Chart(Drawn, QWidget):
    """Two drawings one below the other, both told by `accessibleDescription` too."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._results = Results((), ())
        self._turns = 1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Who won, and how long games were")

    def show_results(self, found: Results, turns: int) -> None:
        """Draw other results, of games of so many turns."""
        self._results, self._turns = found, turns
        said = [f"{SIDE_NAMES[side]} {share_words(found.wins[side])}" for side in SIDES]
        self.setAccessibleDescription(". ".join((*said, length_words(found))))
        self.update()

    def sizeHint(self) -> QSize:
        line = QFontMetrics(theme.font("small")).height()
        return QSize(theme.size("body") * WIDTH, line * 10 + theme.SPACE * 5)

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.size("body") * LEAST, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        found = self._results
        if not found.games:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("small"))
        line = painter.fontMetrics().height()
        room = QRectF(self.rect()).adjusted(1, 0, -1, 0)
        self._paint_shares(painter, QRectF(room.left(), line + 2, room.width(), line * 1.5))
        painter.setPen(theme.colors().soft)
        top = line * 3.5 + theme.SPACE
        painter.drawText(QRectF(room.left(), top, room.width(), line), "Games by their last turn")
        top += line + 2
        self._paint_lengths(
            painter, QRectF(room.left(), top, room.width(), self.height() - top - line - theme.SPACE)
        )

    def _paint_shares(self, painter: QPainter, bar: QRectF) -> None:
        """Draw the games as a bar from the Terminators' to the CloneMaster's, draws between them."""
        colors = theme.colors()
        wins = self._results.wins
        left = bar.left() + bar.width() * wins[TERMINATOR].share
        right = bar.right() - bar.width() * wins[CLONEMASTER].share
        painter.fillRect(QRectF(bar.left(), bar.top(), left - bar.left(), bar.height()), colors.terminator)
        painter.fillRect(QRectF(right, bar.top(), bar.right() - right, bar.height()), colors.clonemaster)
        painter.setPen(QPen(colors.ink, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(bar)
        names = bar.translated(0, -bar.height() / 1.5 - 4)
        flag = Qt.AlignmentFlag
        texts = {side: f"{SIDE_NAMES[side]} {percent(wins[side].share)}" for side in SIDES}
        if painter.fontMetrics().horizontalAdvance("  ".join(texts.values())) > bar.width():
            texts = {side: percent(wins[side].share) for side in SIDES}
        for side, align in ((TERMINATOR, flag.AlignLeft), (CLONEMASTER, flag.AlignRight)):
            painter.drawText(names, align | flag.AlignVCenter, texts[side])
        # Where the true share of the Terminators' victories may lie, below the bar.
        low, high = (bar.left() + bar.width() * part for part in wins[TERMINATOR][2:])
        y, tip = bar.bottom() + theme.SPACE, theme.SPACE / 2
        painter.setPen(QPen(colors.ink, 2))
        painter.drawLine(QLineF(low, y, high, y))
        for x in (low, high):
            painter.drawLine(QLineF(x, y - tip, x, y + tip))
        painter.setBrush(colors.ink)
        painter.drawEllipse(QPointF(left, y), tip / 1.5, tip / 1.5)

    def _paint_lengths(self, painter: QPainter, room: QRectF) -> None:
        """Draw for each turn how many games ended in it."""
        colors = theme.colors()
        counts = Counter(self._results.turns)
        most, last = max(counts.values()), max(self._turns, *counts)
        step = room.width() / last
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.soft)
        for turn, count in counts.items():
            height = max(2.0, room.height() * count / most)
            box = QRectF(room.left() + (turn - 1) * step, room.bottom() - height, step, height)
            painter.drawRect(box.adjusted(step * 0.1, 0, -step * 0.1, 0))
        painter.setPen(QPen(colors.ink, 1))
        painter.drawLine(room.bottomLeft(), room.bottomRight())
        width = painter.fontMetrics().horizontalAdvance(f" {last} ")
        every = max(1, round(width / step + 0.5))
        for turn in range(1, last + 1):
            if (turn - 1) % every and turn != last:
                continue
            if turn != last and last - turn < every and turn != 1:
                continue
            middle = room.left() + (turn - 0.5) * step
            place = QRectF(middle - width, room.bottom() + 2, width * 2, painter.fontMetrics().height())
            painter.drawText(place, Qt.AlignmentFlag.AlignHCenter, str(turn))
