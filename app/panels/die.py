"""The die, seen to fall: it rolls, and stops beside the number it needs."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.panels import odds
from app.panels.dressed import Drawn

ROLL_TIME: Final = 300  # ms the die rolls
READ_TIME: Final = 700  # ms a result stands before the next die
FRAME: Final = 30  # ms


class Die(Drawn, QWidget):
    """A die that rolls and stops beside the number it needs; a click or a key cuts it short."""

    stopped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._queue: list[tuple[str, int, int]] = []
        self._text = ""
        self._needs = 0
        self._result = 0
        self._shown = 0
        self._spent = 0
        self._speed = 1.0
        self._is_rolling = False
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME)
        self._timer.timeout.connect(self._tick)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip("Click to stop the die at once")
        self._say()

    @property
    def is_busy(self) -> bool:
        """Whether a die rolls, or stands to be read before the next."""
        return self._timer.isActive()

    @property
    def shown(self) -> int:
        """The face up, 0 before the first roll."""
        return self._shown

    def set_speed(self, speed: float) -> None:
        """Set how fast dice roll; 0 shows results at once."""
        self._speed = speed
        if speed <= 0:
            self.skip()

    def roll(self, text: str, needs: int, result: int) -> None:
        """Show a roll that has fallen, after those still waiting."""
        self._queue.append((text, needs, result))
        if not self._timer.isActive():
            self._next()

    def skip(self) -> None:
        """Stop at the last result at once."""
        if self._queue:
            self._text, self._needs, self._result = self._queue[-1]
            self._queue.clear()
        if self._timer.isActive():
            self._timer.stop()
            self._land()
            self.stopped.emit()

    def clear(self) -> None:
        """Put the die away."""
        self._queue.clear()
        was_busy = self._timer.isActive()
        self._timer.stop()
        self._text, self._needs, self._result, self._shown = "", 0, 0, 0
        self._is_rolling = False
        self._say()
        self.update()
        if was_busy:
            self.stopped.emit()

    def _next(self) -> None:
        self._text, self._needs, self._result = self._queue.pop(0)
        if self._speed <= 0:
            self._land()
            if self._queue:
                self._next()
            else:
                self.stopped.emit()
            return
        self._spent = 0
        self._is_rolling = True
        self._shown = self._result % 6 + 1
        self._timer.start()
        self.update()

    @Slot()
    def _tick(self) -> None:
        self._spent += round(FRAME * self._speed)
        if self._is_rolling and self._spent >= ROLL_TIME:
            self._land()
        elif self._is_rolling:
            # Any face but the one before: a rolling die never seems to stand.
            self._shown = self._shown % 6 + 1
            self.update()
        elif self._spent >= ROLL_TIME + (READ_TIME if self._queue else 0):
            self._timer.stop()
            if self._queue:
                self._next()
            else:
                self.stopped.emit()

    def _land(self) -> None:
        self._is_rolling = False
        self._shown = self._result
        self._say()
        self.update()

    def _verdict(self) -> str:
        return "hit" if self._result <= self._needs else "miss"

    def _say(self) -> None:
        if self._shown:
            needed = odds.format_needs(self._needs)
            said = f"{self._text}: needed {needed}, rolled {self._result}, {self._verdict()}"
        else:
            said = "No die rolled yet"
        self.setAccessibleName(said)

    def _side(self) -> int:
        return max(40, round(theme.size("body") * 3.2))

    def sizeHint(self) -> QSize:
        # Room for two lines of text whether there is any or not: nothing jumps when the die falls.
        small = QFontMetrics(theme.font("small")).height()
        title = QFontMetrics(theme.font("title", is_bold=True)).height()
        return QSize(200, max(self._side(), small * 2 + title) + theme.SPACE)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.skip()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = self._side()
        box = QRectF(2, (self.height() - side) / 2, side - 2, side - 2)
        if self._is_rolling:
            painter.save()
            painter.translate(box.center())
            painter.rotate((self._spent * 0.6) % 90 - 45)
            painter.translate(-box.center())
            box = box.adjusted(side * 0.09, side * 0.09, -side * 0.09, -side * 0.09)
        painter.setBrush(colors.field)
        painter.setPen(QPen(colors.ink if self._shown else colors.faint, 2))
        painter.drawRoundedRect(box, side / 7, side / 7)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.ink)
        for x, y in _PIPS.get(self._shown, ()):
            painter.drawEllipse(
                QPointF(box.left() + box.width() * x, box.top() + box.height() * y), side / 12, side / 12
            )
        if self._is_rolling:
            painter.restore()
        self._paint_text(painter, side)

    def _paint_text(self, painter: QPainter, side: int) -> None:
        colors = theme.colors()
        left = side + theme.SPACE * 1.5
        room = QRectF(left, 0, self.width() - left, self.height())
        painter.setFont(theme.font("small"))
        painter.setPen(colors.soft)
        if not self._text:
            painter.drawText(
                room, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, "The die rolls here."
            )
            return
        small = QFontMetrics(painter.font())
        title = theme.font("title", is_bold=True)
        lines = QFontMetrics(title).height()
        top = (self.height() - small.height() * 2 - lines) / 2
        line = small.elidedText(self._text, Qt.TextElideMode.ElideRight, round(room.width()))
        painter.drawText(QPointF(left, top + small.ascent()), line)
        needed = f"needs {odds.format_needs(self._needs)} · {odds.format_chance(self._needs)}"
        painter.drawText(QPointF(left, top + small.height() + small.ascent()), needed)
        if not self._is_rolling and self._shown:
            is_hit = self._result <= self._needs
            painter.setFont(title)
            painter.setPen(colors.ink)
            word = f"{self._result} – {'Hit' if is_hit else 'Miss'}"
            painter.drawText(QPointF(left, top + small.height() * 2 + QFontMetrics(title).ascent()), word)


_PIPS: Final = {
    1: ((0.5, 0.5),),
    2: ((0.27, 0.27), (0.73, 0.73)),
    3: ((0.27, 0.27), (0.5, 0.5), (0.73, 0.73)),
    4: ((0.27, 0.27), (0.73, 0.27), (0.27, 0.73), (0.73, 0.73)),
    5: ((0.27, 0.27), (0.73, 0.27), (0.5, 0.5), (0.27, 0.73), (0.73, 0.73)),
    6: ((0.27, 0.25), (0.73, 0.25), (0.27, 0.5), (0.73, 0.5), (0.27, 0.75), (0.73, 0.75)),
}
