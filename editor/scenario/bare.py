"""The page of a map without a scenario: its words, and the way to a scenario on it."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget

from app import theme
from app.dialogs.switch_controls import SwitchControl
from app.panels.widgets import ActionButton, Label, column, with_rule_links
from editor.bench import Bench
from editor.scenario.map_words import map_word_rows, show_map_words, turn_map_words
from editor.undo_keys import UndoKeys

WORDS = (
    "A map by itself can be tried by the rules of the Basic scenario (6.1). Who fights on it, for how long "
    "and by which rules is said by a scenario."
)


class BarePage(QWidget):
    """A map alone: `makeWanted` asks for a scenario of it, `controls` are its name and its notes."""

    makeWanted = Signal()

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self._document = bench.document
        self._keys = UndoKeys(bench.document, self)
        self.make_button = ActionButton(
            "Make a scenario of this map",
            "forces, length and rules as in the Basic one, to be changed here",
            is_main=True,
        )
        self.make_button.clicked.connect(self.makeWanted)
        rows = map_word_rows()
        self.controls: dict[str, SwitchControl] = {row.path: row.control for row in rows}
        for row in rows:
            row.changed.connect(self._turn)
        title = Label("A map alone", "title", is_title=True)
        layout = column(title, Label(with_rule_links(WORDS), is_rich=True), self.make_button, *rows)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.addStretch(1)
        self.setLayout(layout)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus)
        self._document.changed.connect(self.follow)
        self.follow()

    @Slot(str)
    def _turn(self, path: str) -> None:
        if self._document.draft.scenario is None:
            turn_map_words(self._document, path, self.controls[path].value)

    @Slot()
    def follow(self) -> None:
        """Show what the map says."""
        show_map_words(self._document.draft.plan, self.controls)

    @Slot("QWidget*", "QWidget*")
    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None and self.isAncestorOf(old):
            self._document.settle()
        if new is not None and self.isAncestorOf(new):
            self._keys.watch(new)
