"""The three modes, to be chosen at a glance."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from app import theme


class ModeBar(QWidget):
    """A button for each mode's action; `escaped` follows Esc on one of them."""

    escaped = Signal()

    def __init__(self, actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Modes")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, theme.SPACE, 0)
        layout.setSpacing(0)
        for action in actions:
            button = QToolButton()
            button.setDefaultAction(action)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            layout.addWidget(button)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # The menu bar around it would take it for itself.
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)
