"""The dialog that comes before the other player is asked to take something back."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from app import theme
from app.panels.widgets import ActionButton, Label
from app.session import Session
from engine.raid.figures import OTHER_SIDE, SIDE_NAMES


class TakebackDialog(QDialog):
    """Says what would be taken back, and at a shared screen whose wish it is; `wished` carries the side."""

    wished = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.askers: Mapping[str, str] = session.takeback.askers
        self.ask_buttons: dict[str, ActionButton] = {}
        self.setWindowTitle("Ask to take back")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(Label("Ask to take back", "title", is_title=True))
        layout.addWidget(
            Label(
                "If the other player agrees, all that has happened since is undone. What was seen stays "
                "seen, and dice are thrown anew."
            )
        )
        for number, (side, what) in enumerate(self.askers.items(), 1):
            asker, other = self._name(session, side), self._name(session, OTHER_SIDE[side])
            words = f"{asker[:1].upper()}{asker[1:]} asks {other}" if len(self.askers) > 1 else f"Ask {other}"
            button = ActionButton(words, f"back to before {what}")
            button.set_key(str(number))
            button.clicked.connect(self._on_asked)
            self.ask_buttons[side] = button
            layout.addWidget(button)
        self.cancel_button = ActionButton("Cancel")
        self.cancel_button.clicked.connect(self.reject)
        layout.addWidget(self.cancel_button)
        layout.addStretch(1)
        self.setMinimumWidth(min(theme.size("body") * 30, 1000))
        self.cancel_button.setFocus()

    @staticmethod
    def _name(session: Session, side: str) -> str:
        return session.names.get(side) or f"the {SIDE_NAMES[side]} player"

    @Slot()
    def _on_asked(self) -> None:
        button = self.sender()
        side = next(side for side, ask in self.ask_buttons.items() if ask is button)
        self.accept()
        self.wished.emit(side)
