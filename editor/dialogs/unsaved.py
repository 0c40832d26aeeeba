"""What becomes of changes that are not saved, before the draft goes."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from app import theme
from app.panels.widgets import Label, keyed_button, row
from editor.words import counted

Answer = Literal["save", "discard", "cancel"]


class UnsavedDialog(QDialog):
    """Asks whether to save; `answer` is "cancel" until something else is chosen."""

    def __init__(self, name: str, steps: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Not saved")
        self.answer: Answer = "cancel"
        changes = counted(steps, "step") if steps else "Changes"
        words = f"{changes} of “{name}” {'is' if steps == 1 else 'are'} not saved, and would be lost."
        self.save_button = keyed_button("Save", "Alt+S", self._on_save, is_main=True)
        self.discard_button = keyed_button("Discard", "Alt+D", self._on_discard)
        self.cancel_button = keyed_button("Cancel", "Esc", self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE * 2)
        layout.addWidget(Label("Save the changes?", "title", is_title=True))
        layout.addWidget(Label(words))
        layout.addLayout(row(self.cancel_button, self.discard_button, self.save_button))
        self.setMinimumWidth(min(theme.size("body") * 32, 1000))
        self.save_button.setFocus()

    @Slot()
    def _on_save(self) -> None:
        self.answer = "save"
        self.accept()

    @Slot()
    def _on_discard(self) -> None:
        self.answer = "discard"
        self.accept()
