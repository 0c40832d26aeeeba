"""The curtain: the only page to be seen while the screen goes from one player to the other."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app import theme
from app.panels.widgets import Label

GUARD_TIME = 400  # ms in which a key that was still being pressed for the board does not lift the curtain


class _LiftButton(QPushButton):
    """Lifts the curtain by a click or a key pressed for it, never by one held down or meant for the board."""

    def __init__(self) -> None:
        super().__init__()
        self._since = QElapsedTimer()
        self.arm()

    def arm(self) -> None:
        """Begin to wait for a fresh key."""
        self._since.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        is_press = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if is_press and (event.isAutoRepeat() or not is_plain or self._since.elapsed() < GUARD_TIME):
            return
        super().keyPressEvent(event)


class CurtainPage(QWidget):
    """Says who must come to the screen and why; `lifted` when he says he is there."""

    lifted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Curtain")
        self.setAutoFillBackground(True)
        self._side = ""
        self._title = Label(step="display", is_title=True)
        self._title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._reason = Label(step="title")
        self._reason.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._others = Label(step="body", is_soft=True)
        self._others.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.button = _LiftButton()
        self.button.setAutoDefault(True)
        self.button.clicked.connect(self._on_clicked)
        line = QHBoxLayout()
        line.addStretch(1)
        line.addWidget(self.button)
        line.addStretch(1)
        layout = QVBoxLayout(self)
        margin = theme.SPACE * 6
        layout.setContentsMargins(margin, margin, margin, margin)
        layout.setSpacing(theme.SPACE * 2)
        layout.addStretch(3)
        layout.addWidget(self._title)
        layout.addWidget(self._reason)
        layout.addWidget(self._others)
        layout.addSpacing(theme.SPACE * 2)
        layout.addLayout(line)
        layout.addStretch(2)

    def drop(self, side: str, player: str, side_name: str, reason: str, other: str) -> None:
        """Fall for a side: `player` is to come, for `reason`; `other` is to look away."""
        self._side = side
        self.button.arm()
        who = player if player == side_name else f"{player} ({side_name})"
        self._title.setText(f"{who}, please come to the screen")
        self._reason.setText(f"It is your turn {reason}." if reason else "It is your turn.")
        self._others.setText(
            f"{other}, please look away until the curtain falls again or the board is open to both."
        )
        self.button.setText(f"I am {player}: &lift the curtain")
        self.button.setAccessibleName(f"Lift the curtain for {player}")
        self.setAccessibleDescription(f"{self._title.text()}. {self._reason.text()}")
        self.update()

    @Slot()
    def _on_clicked(self) -> None:
        self.lifted.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Hang a folded curtain in the colour of the side that is called."""
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), colors.paper)
        if not self._side:
            return
        colour = colors.side(self._side)
        fold = theme.SPACE * 6.0
        height = theme.SPACE * 7.0
        count = int(self.width() // fold) + 1
        painter.setPen(Qt.PenStyle.NoPen)
        for number in range(count):
            painter.setBrush(colour if number % 2 else colour.darker(112))
            box = QRectF(number * fold, 0, fold + 1, height)
            painter.drawRect(box)
            painter.drawEllipse(QPointF(box.center().x(), height), fold / 2 + 0.5, fold / 3)
        painter.setPen(QPen(colors.chip_edge, 3))
        painter.drawLine(QPointF(0, 1.5), QPointF(self.width(), 1.5))
