"""A list whose lines fold: the one that every dialog reads out of."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget


def lines_list(name: str, lines: Iterable[str] = ()) -> QListWidget:
    """Return a list of lines, each folded to its width."""
    made = QListWidget()
    made.setAccessibleName(name)
    made.setWordWrap(True)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    made.addItems(list(lines))
    return made
