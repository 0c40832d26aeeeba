"""The dialog that asks before the other player is asked to take something back."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QAbstractButton, QMessageBox, QWidget

from app.session import SIDE_NAMES, Session

SIDES_OF = {"terminator": "clonemaster", "clonemaster": "terminator"}


class TakebackBox(QMessageBox):
    """Says what would be taken back, and at a shared screen whose wish it is; `wished` carries the side."""

    wished = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.askers: Mapping[str, str] = session.askers
        self.ask_buttons: dict[str, QAbstractButton] = {}
        self.setIcon(QMessageBox.Icon.Question)
        self.setWindowTitle("Ask to take back")
        if len(self.askers) == 1:
            ((side, what),) = self.askers.items()
            self.setText(f"Ask {self._name(session, SIDES_OF[side])} to go back to before {what}?")
            self._add(side, "&Ask")
        else:
            self.setText("Who asks the other to take back, and what?")
            for side, what in self.askers.items():
                self._add(side, f"{self._name(session, side)}: back to before {what}")
        self.setInformativeText(
            "All that has happened since is undone if the other agrees. What was seen stays seen, "
            "and dice are thrown anew."
        )
        cancel = self.addButton(QMessageBox.StandardButton.Cancel)
        self.setDefaultButton(cancel)
        self.setEscapeButton(cancel)
        self.buttonClicked.connect(self._on_clicked)

    @staticmethod
    def _name(session: Session, side: str) -> str:
        return session.names.get(side) or f"the {SIDE_NAMES[side]} player"

    def _add(self, side: str, text: str) -> None:
        self.ask_buttons[side] = self.addButton(text, QMessageBox.ButtonRole.AcceptRole)

    @Slot(QAbstractButton)
    def _on_clicked(self, button: QAbstractButton) -> None:
        for side, ask in self.ask_buttons.items():
            if ask is button:
                self.wished.emit(side)
