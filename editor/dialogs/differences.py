"""What differs between two drafts, line by line; a line shows its squares on the map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, Signal, Slot
from PySide6.QtWidgets import QDialog, QListWidgetItem, QVBoxLayout, QWidget

from app import theme
from app.panels.widgets import ActionButton, Label, keyed_button, row
from editor.dialogs.lines import lines_list
from editor.files.differences import Difference

WIDTH: Final = 42  # times the size of the text
SHOWN: Final = 1000
"""Lines that are listed; nobody reads more."""


class DifferencesDialog(QDialog):
    """Lists differences beside the map it speaks of.

    `flashed` carries the squares of the line that was gone to.
    """

    flashed = Signal(object)  # frozenset[Square]

    def __init__(
        self,
        heading: str,
        words: str,
        found: Sequence[Difference],
        parent: QWidget | None = None,
        acts: Sequence[ActionButton] = (),
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(heading)
        self._found = found
        about = Label(words)
        self.lines = lines_list(heading, [one.text for one in found[:SHOWN]])
        if len(found) > SHOWN:
            self.lines.addItem(f"and {len(found) - SHOWN} more")
        if not found:
            self.lines.addItem("There is no difference.")
        self.lines.itemActivated.connect(self._go)
        self.lines.itemClicked.connect(self._go)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(Label(heading, "title", is_title=True))
        layout.addWidget(about)
        layout.addWidget(self.lines, 1)
        if any(one.squares for one in found):
            layout.addWidget(
                Label("Enter or a click shows a line's squares on the map.", "small", is_soft=True)
            )
        for one in acts:
            one.clicked.connect(self.accept)
        self.close_button = keyed_button("Close", "Esc", self.accept)
        foot = row(*acts, self.close_button)
        foot.insertStretch(0, 1)
        layout.addLayout(foot)
        self.setMinimumWidth(min(theme.size("body") * WIDTH, 1000))
        lines = min(max(len(found), 4), 20)
        self.resize(self.minimumWidth(), min(theme.size("body") * (12 + 2 * lines), 620))
        self.lines.setCurrentRow(0)
        self.lines.setFocus()

    def stand_aside(self) -> None:
        """Go to a corner of the window, so that the map can be seen."""
        window = self.parentWidget()
        if window is not None:
            corner = window.mapToGlobal(QPoint(window.width() - self.width(), 0))
            self.move(corner - QPoint(theme.SPACE * 2, -theme.SPACE * 8))

    @Slot(QListWidgetItem)
    def _go(self, item: QListWidgetItem) -> None:
        at = self.lines.row(item)
        if at < min(len(self._found), SHOWN):
            self.flashed.emit(self._found[at].squares)
