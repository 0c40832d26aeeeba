"""Something to be told, with lines of detail, and nothing to be decided."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from app import theme
from app.panels.widgets import Label, keyed_button, row
from editor.dialogs.lines import lines_list


class Notice(QDialog):
    """Tells, and is closed."""

    def __init__(
        self, heading: str, words: str, lines: Sequence[str] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(heading)
        self.words = Label(words)
        self.lines = lines_list(heading, lines)
        close = keyed_button("Close", "Esc", self.accept, is_main=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(Label(heading, "title", is_title=True))
        layout.addWidget(self.words)
        if lines:
            layout.addWidget(self.lines, 1)
        line = row(close)
        line.insertStretch(0, 1)
        layout.addLayout(line)
        self.setMinimumWidth(min(theme.size("body") * 32, 1000))
        close.setFocus()


def tell(heading: str, words: str, lines: Sequence[str], parent: QWidget) -> Notice:
    """Tell something without waiting until it is read; return the dialog."""
    dialog = Notice(heading, words, lines, parent)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog
