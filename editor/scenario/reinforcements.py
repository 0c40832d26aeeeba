"""Reinforcements: a row each, their entries picked on the map too, with totals by turn at the foot (6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.dialogs.switch_controls import ComboBox, RowsControl
from app.panels.widgets import ActionButton
from engine.raid import switches


class ReinforcementsControl(RowsControl):
    """The rows of the reinforcements; `pickWanted` asks for a row's entry to be clicked on the map."""

    pickWanted = Signal(int)

    def __init__(self, control: switches.Rows, name: str, entries: Sequence[str]) -> None:
        self.pick_buttons: list[QWidget] = []
        super().__init__(control, name, entries)

    def _row_buttons(self, number: int) -> Sequence[QWidget]:
        button = ActionButton("Pick on the map")
        button.setAccessibleName(f"{self.name}, row {number + 1}: pick the entry on the map")
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        button.clicked.connect(partial(self.pickWanted.emit, number))
        del self.pick_buttons[number:]
        self.pick_buttons.append(button)
        return (button,)

    @property
    def merge(self) -> str:
        """What a change of a row is one step with."""
        return str(len(self.rows))

    def row_of(self, widget: QObject | None) -> int:
        """Return the row in which a widget stands, from 0; -1 for none."""
        while widget is not None and widget is not self:
            for at, cells in enumerate(self.rows):
                if widget in cells.values() or widget is self.pick_buttons[at]:
                    return at
            widget = widget.parent()
        return -1

    def set_entry(self, number: int, name: str) -> None:
        """Let a row come in by another entry."""
        cell = self.rows[number]["entry"]
        if isinstance(cell, ComboBox):
            cell.show_value(name)
