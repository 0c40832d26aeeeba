"""What the panel shows of a map without a scenario: its words, and the way to a scenario on it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app import theme
from app.dialogs.switch_controls import SwitchControl
from app.panels.widgets import ActionButton, Label, column, with_rule_links
from editor.scenario.form import map_word_rows
from editor.scenario.rows import Row

WORDS = (
    "A map by itself can be tried by the rules of the Basic scenario (6.1). Who fights on it, for how long "
    "and by which rules is said by a scenario."
)


class BarePage(QWidget):
    """A map alone: `make_button` makes a scenario of it, `controls` are its name and its notes."""

    def __init__(self) -> None:
        super().__init__()
        self.make_button = ActionButton(
            "Make a scenario of this map",
            "forces, length and rules as in the Basic one, to be changed here",
            is_main=True,
        )
        self.rows: dict[str, Row] = {row.path: row for row in map_word_rows()}
        self.controls: dict[str, SwitchControl] = {
            path: row.controls[path] for path, row in self.rows.items()
        }
        title = Label("A map alone", "title", is_title=True)
        layout = column(title, Label(with_rule_links(WORDS)), self.make_button, *self.rows.values())
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.addStretch(1)
        self.setLayout(layout)
