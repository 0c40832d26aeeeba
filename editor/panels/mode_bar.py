"""The three modes, to be chosen at a glance."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from app import theme


class ModeBar(QWidget):
    """A button for each mode's action."""

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
