"""Figures of the scenario: which they are; what they are like is said in the scenario's panel (6.3)."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.panels.widgets import Label
from editor.bench import Bench
from editor.edits.figures import figure_words, placements_of, start_figures_of
from editor.panels.properties.section import Section

SHOWN = 6  # names


class FigureSection(Section):
    """The selected placements and figures of the start position; `scenarioWanted` asks for their panel."""

    scenarioWanted = Signal()

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self.names = Label("", "small", is_soft=True)
        self.button = QPushButton("Show in the scenario")
        self.button.clicked.connect(self.scenarioWanted)
        self.add_wide(self.names)
        self.add_wide(self.button)

    def follow(self) -> None:
        chosen, draft = self.bench.selection, self.draft
        placements, figures = placements_of(draft), start_figures_of(draft)
        some = [placements[at] for at in sorted(chosen.placements)]
        others = [figures[at] for at in sorted(chosen.figures)]
        names = [*map(figure_words, some), *map(figure_words, others)]
        self.setVisible(bool(names))
        if not names:
            return
        self.heading.setText(names[0] if len(names) == 1 else f"{len(names)} figures")
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        what = "Fixed placement" if some else "Figure of the start position"
        listed = ", ".join(names[:SHOWN]) + more
        self.names.setText(f"{what} (6.3)." if len(names) == 1 else f"{listed} (6.3).")
