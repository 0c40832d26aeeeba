"""Strips of news over the canvas: what happened to the file, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from app import theme
from app.panels.dressed import Dressed
from app.panels.widgets import ActionButton, Bar, FlowLayout, Label, clear_layout, column

Act = tuple[str, Callable[[], object]]
"""A button: what it says and what it does."""
STRIPE = 4  # pixels


class MessageBar(Dressed, QFrame):
    """A line of news with buttons; one that `is_urgent` has a stripe in the colour of danger."""

    def __init__(
        self, text: str, acts: Sequence[Act], *, is_urgent: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._is_urgent = is_urgent
        self.label = Label(f"▲ {text}" if is_urgent else text, is_bold=is_urgent)
        self.setAccessibleName(text)
        self.setFrameShape(QFrame.Shape.NoFrame)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.buttons: list[ActionButton] = []
        line = QWidget()
        flow = FlowLayout(line)
        for words, act in acts:
            button = ActionButton(words, is_small=True)
            button.clicked.connect(lambda _=False, act=act: act())
            self.buttons.append(button)
            flow.addWidget(button)
        layout = column(self.label, line, spacing=theme.SPACE // 2)
        layout.setContentsMargins(theme.SPACE * 2, theme.SPACE, theme.SPACE, theme.SPACE)
        outer = column(layout, Bar(), spacing=0)
        self.setLayout(outer)
        self.dress()

    def _dress(self) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors.field)
        stripe: QColor = colors.danger if self._is_urgent else colors.soft
        painter.fillRect(0, 0, STRIPE, self.height(), stripe)


class MessageBars(QWidget):
    """The news that have not been answered yet, one of a kind at a time."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.shown: dict[str, MessageBar] = {}
        self.hide()

    def tell(self, kind: str, text: str, acts: Sequence[Act] = (), *, is_urgent: bool = False) -> MessageBar:
        """Tell something with buttons, in the place of what was told of its kind; "Dismiss" is added."""
        self.drop(kind)
        acts = (*acts, ("Dismiss", lambda: self.drop(kind)))
        bar = MessageBar(text, acts, is_urgent=is_urgent)
        self.shown[kind] = bar
        self._layout.addWidget(bar)
        self.show()
        return bar

    def drop(self, kind: str) -> None:
        """Tell nothing of a kind any more."""
        bar = self.shown.pop(kind, None)
        if bar is not None:
            bar.hide()
            self._layout.removeWidget(bar)
            bar.deleteLater()
        self.setVisible(bool(self.shown))

    def clear(self) -> None:
        """Tell nothing any more."""
        self.shown.clear()
        clear_layout(self._layout)
        self.hide()
