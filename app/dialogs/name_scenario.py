"""What a scenario of the player's own is called, and what he notes of it."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from app import scenarios, theme
from app.panels.widgets import ActionButton, Label, row

TITLE_LIMIT = 60  # letters


class NameScenarioDialog(QDialog):
    """Asks for a scenario's title and, unless `notes` is None, its notes."""

    def __init__(
        self, heading: str, button: str, title: str, notes: str | None = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(heading)
        self._had = title.strip()
        self._taken = scenarios.titles()
        self._replaces = notes is not None
        self.title_box = QLineEdit(title)
        self.title_box.setMaxLength(TITLE_LIMIT)
        self.title_box.setAccessibleName("Name of the scenario")
        self.title_box.selectAll()
        self.title_box.textChanged.connect(self._follow)
        self.notes_box = QPlainTextEdit(notes or "")
        self.notes_box.setAccessibleName("Notes on the scenario")
        self.notes_box.setTabChangesFocus(True)
        self._note = Label("", "small")
        self.save_button = ActionButton(button, "", is_main=True)
        self.save_button.set_key("Ctrl+Return")
        self.save_button.clicked.connect(self.accept)
        self.title_box.returnPressed.connect(self.save_button.click)
        cancel = ActionButton("Cancel")
        cancel.clicked.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.addWidget(Label(heading, "title", is_title=True))
        layout.addWidget(Label("Name"))
        layout.addWidget(self.title_box)
        if notes is not None:
            layout.addWidget(Label("Notes"))
            layout.addWidget(self.notes_box, 1)
        layout.addWidget(self._note)
        layout.addLayout(row(cancel, self.save_button))
        self.resize(
            min(theme.size("body") * 34, 1240),
            min(theme.size("body") * (26 if notes is not None else 14), 680),
        )
        self._follow()

    @property
    def title(self) -> str:
        """The title given."""
        return self.title_box.text().strip()

    @property
    def notes(self) -> str:
        """The notes given."""
        return self.notes_box.toPlainText().strip()

    @Slot()
    def _follow(self) -> None:
        is_in_the_way = self.title in self._taken and (self._replaces or self.title != self._had)
        if not self.title:
            note = "A scenario needs a name."
        elif is_in_the_way and self._replaces:
            note = "You have a scenario of this name. This takes its place; the old one goes to the trash."
        elif is_in_the_way:
            note = "You have another scenario of this name."
        else:
            note = ""
        self._note.setText(note)
        self.save_button.setEnabled(bool(self.title) and (self._replaces or not is_in_the_way))
