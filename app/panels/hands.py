"""Choosing counters in secret, and looking at them when others look on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QShowEvent, QWindow
from PySide6.QtWidgets import QWidget

from app import theme
from app.markup import as_text
from app.panels import odds
from app.panels.widgets import (
    ActionButton,
    CounterButton,
    FlowLayout,
    Label,
    column,
    figure_pixmap,
    icon_size,
    row,
)
from engine.core.decision import Choice
from engine.raid import choices
from engine.raid.figures import COUNTERS, SPIKES
from engine.raid.view import FigureView

if TYPE_CHECKING:
    from app.session import Session


LATCH: Final = 300  # ms; a shorter press on the peek button keeps the hand open


# What a counter does in a combat, and where that is written.
EFFECTS: Final = {
    "fist": "A punch: hits most often unanswered; Body of Mist stops it for certain (5.4, 2.6).",
    "kick": "A kick: hits most often unanswered; Monkey Soul stops it for certain (5.4, 2.6).",
    "weapon": "An armed attack: no reply stops it for certain; as a reply it guards nobody (5.4, 2.6).",
    "mist": "A defence: stops punches and the untrained, hinders kicks and weapons, not shots (5.4, 2.6).",
    "soul": "A defence: stops kicks, hinders punches and weapons, dodges shots (5.4, 2.6).",
}
SPIKES_EFFECT: Final = (
    "An attack from afar, before any other counter: hits on 1 to 3 whatever the reply (5.4, R19)."
)


def counter_effect(counter: str, figure: FigureView) -> str:
    """Return one line on what a figure's counter does in a combat (5.4, 2.6)."""
    return SPIKES_EFFECT if counter == "weapon" and figure.weapon == SPIKES else EFFECTS[counter]


class HandPicker(QWidget):
    """One figure's secret choice of counters: a counter for each level it has, up to the limit (5.4)."""

    changed = Signal()
    refused = Signal(str, str)

    def __init__(
        self,
        figure: FigureView,
        offered: Sequence[Choice],
        next_key: Callable[[], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.figure = figure
        self._hands = {
            tuple(sorted(one.counters)): one for one in offered if isinstance(one, choices.ChooseCounters)
        }
        self.limit = max((len(hand) for hand in self._hands), default=0)
        self._count = Label("", "small", is_soft=True, wraps=False)
        picture = Label(wraps=False)
        picture.setPixmap(figure_pixmap(figure, self))
        picture.setFixedWidth(icon_size())
        name = Label(figure.name, is_bold=True)
        head = row(picture, name)
        head.setStretch(1, 1)
        head.addWidget(self._count)
        self.buttons: list[CounterButton] = []
        chips = QWidget()
        flow = FlowLayout(chips, spacing=theme.SPACE // 2)
        for counter in COUNTERS:
            most = max((hand.count(counter) for hand in self._hands), default=0)
            for number in range(most):
                title = odds.counter_name(counter, figure)
                button = CounterButton(counter, title, chips)
                button.setCheckable(True)
                button.weapon = figure.weapon
                button.setToolTip(as_text(f"{title}\n{counter_effect(counter, figure)}"))
                copy = f" ({number + 1} of {most})" if most > 1 else ""
                button.setAccessibleName(f"{figure.name}: {title}{copy}")
                key = next_key()
                if key:
                    button.set_key(key)
                button.clicked.connect(self._picked)
                self.buttons.append(button)
                flow.addWidget(button)
        layout = column(head, chips, spacing=theme.SPACE // 2)
        self.setLayout(layout)
        if not self.buttons:
            layout.addWidget(Label("Has no ability left that has a counter.", "small", is_soft=True))
        self._refresh()

    @property
    def counters(self) -> tuple[str, ...]:
        """What is picked."""
        return tuple(button.counter for button in self.buttons if button.isChecked() and button.counter)

    def pick(self, counters: Sequence[str]) -> None:
        """Pick these counters and no others."""
        left = list(counters)
        for button in self.buttons:
            is_wanted = button.counter in left
            button.setChecked(is_wanted)
            if is_wanted and button.counter is not None:
                left.remove(button.counter)
        self._refresh()
        self.changed.emit()

    def choice(self) -> choices.ChooseCounters:
        """Return the choice picked, as it was offered where it is legal."""
        picked = self.counters
        return self._hands.get(tuple(sorted(picked))) or choices.ChooseCounters(self.figure.name, picked)

    @Slot()
    def _picked(self) -> None:
        button = self.sender()
        if isinstance(button, CounterButton) and button.isChecked() and len(self.counters) > self.limit:
            button.setChecked(False)
            self.refused.emit(
                f"{self.figure.name} takes at most {self.limit} into a combat; put one back first", "5.4"
            )
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        self._count.setText(f"{len(self.counters)} of {self.limit}")


class PeekButton(ActionButton):
    """Shows the mover his own hand: held for as long as it is pressed, or kept open by a short press."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("Look at my hand", "hold, or press once to keep it open", parent)
        self._session = session
        self._clock = QElapsedTimer()
        self._is_latched = False
        self._is_key_down = False
        self._watched: QWindow | None = None
        self.set_key("H")
        self.pressed.connect(self._open)
        self.released.connect(self._close)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # A shortcut tells of a key going down; that it is let go only the window hears.
        window = self.window().windowHandle()
        if window is not self._watched:
            window.installEventFilter(self)
            self._watched = window

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyRelease and self._is_own_key(event):
            self._is_key_down = False
            if self._is_latched and self._clock.elapsed() >= LATCH:
                self._is_latched = False
                self._session.peek(False)
        return False

    def _is_own_key(self, event: QEvent) -> bool:
        if not self._is_key_down or not isinstance(event, QKeyEvent):
            return False
        return event.key() == Qt.Key.Key_H and not event.isAutoRepeat()

    def refresh(self) -> None:
        """Follow what the session shows."""
        if not self._session.peeking:
            self._is_latched = False
        self.setText("Hide my hand" if self._session.peeking else "Look at my hand")
        self.setAccessibleName(self.text())
        self.update()

    @Slot()
    def _open(self) -> None:
        if self._is_latched:
            return
        self._clock.start()
        self._is_key_down = True
        self._session.peek(True)

    @Slot()
    def _close(self) -> None:
        if self._is_latched:
            self._is_latched = False
            self._session.peek(False)
        elif self._clock.elapsed() < LATCH:
            self._is_latched = self._session.peeking
        else:
            self._session.peek(False)
