"""A question in the program's own looks: yes or no, another name for something, or a number."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout, QWidget

from app import theme
from app.dialogs.switch_controls import DecimalBox
from app.panels.widgets import Label, keyed_button, row

WIDTH = 30  # times the size of the text
TITLE_LIMIT = 80  # letters


class SureQuestion(QDialog):
    """Asks whether to do something; the answer that has the focus is yes, or no where it `is_final`.

    Alt and the first letter of `yes` say yes.
    """

    def __init__(
        self, heading: str, words: str, yes: str, parent: QWidget | None = None, *, is_final: bool = False
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(heading)
        self.words = Label(words)
        self.yes_button = keyed_button(yes, f"Alt+{yes[0].upper()}", self.accept, is_main=not is_final)
        self.no_button = keyed_button("Cancel", "Esc", self.reject, is_main=is_final)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE * 2)
        layout.addWidget(Label(heading, "title", is_title=True))
        layout.addWidget(self.words)
        layout.addLayout(row(self.no_button, self.yes_button))
        self.setMinimumWidth(min(theme.size("body") * WIDTH, 1000))
        (self.no_button if is_final else self.yes_button).setFocus()


class NameQuestion(QDialog):
    """Asks for another name; nothing but a name that is new is taken."""

    def __init__(self, heading: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._had = name
        self.setWindowTitle(heading)
        self.box = QLineEdit(name)
        self.box.setMaxLength(max(TITLE_LIMIT, len(name)))
        self.box.setAccessibleName("Name")
        self.box.selectAll()
        self.box.textChanged.connect(self._follow)
        self.save_button = keyed_button("Rename", "Ctrl+Return", self.accept, is_main=True)
        self.box.returnPressed.connect(self.save_button.click)
        self.cancel_button = keyed_button("Cancel", "Esc", self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(Label(heading, "title", is_title=True))
        layout.addWidget(Label("Name"))
        layout.addWidget(self.box)
        layout.addLayout(row(self.cancel_button, self.save_button))
        self.setMinimumWidth(min(theme.size("body") * WIDTH, 1000))
        self._follow()
        self.box.setFocus()

    @property
    def name(self) -> str:
        """The name given."""
        return self.box.text().strip()

    @Slot()
    def _follow(self) -> None:
        self.save_button.setEnabled(self.name not in ("", self._had))


class NumberQuestion(QDialog):
    """Asks for a number with decimals."""

    def __init__(
        self,
        heading: str,
        words: str,
        number: float,
        least: float,
        most: float,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(heading)
        self.box = DecimalBox(least, most, words)
        self.box.setValue(number)
        self.box.selectAll()
        self.ok_button = keyed_button("OK", "Ctrl+Return", self.accept, is_main=True)
        self.box.lineEdit().returnPressed.connect(self.ok_button.click)
        self.cancel_button = keyed_button("Cancel", "Esc", self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(Label(heading, "title", is_title=True))
        layout.addWidget(Label(words))
        layout.addWidget(self.box)
        layout.addLayout(row(self.cancel_button, self.ok_button))
        self.setMinimumWidth(min(theme.size("body") * WIDTH, 1000))
        self.box.setFocus()

    @property
    def number(self) -> float:
        """The number given."""
        self.box.interpretText()  # it may still be under the cursor
        return self.box.value()


def is_sure(
    parent: QWidget,
    heading: str,
    words: str,
    yes: str,
    *,
    is_final: bool = False,
    question: type[SureQuestion] = SureQuestion,
) -> bool:
    """Ask whether to do something, and wait for the answer; by the kind of question F1 finds its help."""
    dialog = question(heading, words, yes, parent, is_final=is_final)
    answer = dialog.exec()
    dialog.deleteLater()
    return answer == QDialog.DialogCode.Accepted


def new_name(parent: QWidget, heading: str, name: str) -> str | None:
    """Ask for another name, and wait for it; None where it stays as it is."""
    dialog = NameQuestion(heading, name, parent)
    answer = dialog.exec()
    dialog.deleteLater()
    return dialog.name if answer == QDialog.DialogCode.Accepted else None


def new_number(
    parent: QWidget, heading: str, words: str, number: float, least: float, most: float
) -> float | None:
    """Ask for a number, and wait for it; None where there is none."""
    dialog = NumberQuestion(heading, words, number, least, most, parent)
    answer = dialog.exec()
    dialog.deleteLater()
    return dialog.number if answer == QDialog.DialogCode.Accepted else None
