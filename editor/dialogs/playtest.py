"""How the draft is to be played: who sits where, from which seed, from which turn on."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from app import theme
from app.dialogs.switch_controls import SpinBox
from app.panels.widgets import ActionButton, Bar, Label, keyed_button, row, with_rule_links
from editor.dialogs.seats import seat, seat_box
from editor.draft import Draft
from editor.host import Playtest
from editor.problems.places import place_of
from editor.words import capitalized
from engine.bots import bots_of, usual_bot
from engine.raid.figures import SIDE_NAMES, SIDES, TERMINATOR
from engine.raid.problems import problems
from engine.raid.scenario import Scenario

SEED_LENGTH = 80  # letters
WIDTH = 38  # times the size of the text
SHOWN = 6  # errors; there may be hundreds


class Wishes(NamedTuple):
    """How to play, whatever the draft will be by then; `seats` goes by side."""

    seats: Mapping[str, str]
    seed: str = "1"
    turn: int = 1
    has_abilities: bool = True

    def playtest(self, scenario: Scenario) -> Playtest:
        """Return the playtest of a scenario; a bot that cannot play it and a turn it has not give way."""
        seats = {
            side: who if who in ("human", *bots_of(side)) else usual_bot(side, scenario)
            for side, who in self.seats.items()
        }
        turn = min(self.turn, scenario.turns)
        return Playtest(scenario, seats, self.seed, turn, self.has_abilities)


def usual_wishes(scenario: Scenario) -> Wishes:
    """Return how a scenario is played where nobody has said: the Terminators against the usual bot."""
    return Wishes({side: "human" if side == TERMINATOR else usual_bot(side, scenario) for side in SIDES})


class PlaytestDialog(QDialog):
    """Asks how to play the draft; `problemsWanted` follows the wish to see what keeps it from that."""

    problemsWanted = Signal()

    def __init__(self, draft: Draft, wishes: Wishes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft = draft
        self._scenario = draft.whole
        self.setWindowTitle("Playtest")
        self.seat_boxes = {side: seat_box(side, is_for_people=True) for side in SIDES}
        for side, box in self.seat_boxes.items():
            seat(box, wishes.seats[side])
            box.currentIndexChanged.connect(self._follow)
        self.seed_box = QLineEdit(wishes.seed)
        self.seed_box.setMaxLength(SEED_LENGTH)
        self.seed_box.setAccessibleName("Seed of the dice")
        self.seed_box.textChanged.connect(self._follow)
        self.seed_button = ActionButton("Draw another", is_small=True)
        self.seed_button.clicked.connect(self.draw_seed)
        start = self._scenario.start
        first = start.turn if start is not None else 1
        self.turn_box = SpinBox(first, self._scenario.turns, "", "Turn to begin with")
        self.turn_box.setValue(wishes.turn)
        self.turn_box.setSuffix(f" of {self._scenario.turns}")
        self.turn_box.valueChanged.connect(self._follow)
        self.abilities_box = QCheckBox("Abilities as suggested")
        self.abilities_box.setToolTip("Or you fill in the Record Sheet of each Terminator yourself (6.1)")
        self.abilities_box.setChecked(wishes.has_abilities)
        self._note = Label(step="small", is_soft=True)
        self._why = Label()
        self._why.set_tone("danger")
        self.errors = Label(is_rich=True)
        self.problems_button = ActionButton("Show the problems", is_small=True)
        self.problems_button.clicked.connect(self._on_problems)
        self.play_button = keyed_button("Play", "Ctrl+Return", self.accept, is_main=True)
        self.cancel_button = keyed_button("Cancel", "Esc", self.reject)
        self._lay_out()
        self._show_errors()
        self._follow()
        (self.play_button if self.play_button.isEnabled() else self.cancel_button).setFocus()

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setSpacing(theme.SPACE)
        rows: list[tuple[str, QWidget]] = [(SIDE_NAMES[side], box) for side, box in self.seat_boxes.items()]
        rows += [("Seed", self.seed_box), ("Turn", self.turn_box)]
        for at, (text, widget) in enumerate(rows):
            grid.addWidget(Label(text, wraps=False), at, 0)
            grid.addWidget(widget, at, 1, 1, 1 if widget is self.seed_box else 2)
        grid.addWidget(self.seed_button, 2, 2)
        grid.addWidget(self.abilities_box, len(rows), 1, 1, 2)
        grid.setColumnStretch(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE)
        title = Label(f"Playtest: {self._draft.name}", "title", is_title=True)
        layout.addWidget(title)
        layout.addLayout(grid)
        layout.addWidget(self._note)
        layout.addWidget(Bar())
        for part in (self._why, self.errors, self.problems_button):
            layout.addWidget(part)
        layout.addLayout(row(self.cancel_button, self.play_button))
        self.setMinimumWidth(min(theme.size("body") * WIDTH, 1100))

    @property
    def wishes(self) -> Wishes:
        """What was chosen."""
        seats = {side: str(box.currentData()) for side, box in self.seat_boxes.items()}
        return Wishes(
            seats, self.seed_box.text().strip(), self.turn_box.value(), self.abilities_box.isChecked()
        )

    @property
    def note(self) -> str:
        """What the choices come to, in words."""
        return self._note.text()

    @Slot()
    def draw_seed(self) -> None:
        """Draw another seed."""
        self.seed_box.setText(str(secrets.randbelow(1_000_000)))

    def _show_errors(self) -> None:
        whole = Draft(self._draft.plan, self._scenario)
        found = [problem for problem in problems(self._scenario) if problem.severity == "error"]
        self._errors = [f"{place_of(one, whole).words}: {capitalized(one.message)}" for one in found]
        why = "The draft cannot be played as long as this is wrong:"
        if self._draft.scenario is None:
            why = "The map cannot be played by the Basic scenario; one of its own can have other forces:"
        self._why.setText(why)
        said = [with_rule_links(f"– {line}") for line in self._errors[:SHOWN]]
        more = len(self._errors) - SHOWN
        if more > 0:
            said.append(f"– and {more} more")
        self.errors.setText("<br>".join(said))
        for part in (self._why, self.errors, self.problems_button):
            part.setVisible(bool(found))

    @Slot()
    def _follow(self) -> None:
        """Say what the choices come to."""
        wishes = self.wishes
        # Bots choose for themselves, and have chosen when the game begins later.
        is_early = wishes.turn == 1 and self._scenario.start is None
        self.abilities_box.setEnabled(wishes.seats[TERMINATOR] == "human" and is_early)
        people = [side for side, who in wishes.seats.items() if who == "human"]
        words = [
            {
                0: "Bots play both sides; you look on.",
                1: f"You play the {SIDE_NAMES[people[0]]} side." if people else "",
                2: "Two people at this screen: the curtain hides each side's secrets.",
            }[len(people)]
        ]
        if self._draft.scenario is None:
            words.append("A map alone is played with the forces and rules of the Basic scenario (6.1).")
        if wishes.turn > self.turn_box.minimum():
            words.append(f"Bots play both sides up to turn {wishes.turn}; then it begins.")
        words.append("The same seed gives the same dice and the same bots. Nothing of it is saved.")
        self._note.setText(" ".join(words))
        self.play_button.setEnabled(not self._errors and bool(wishes.seed))

    @Slot()
    def _on_problems(self) -> None:
        self.reject()
        self.problemsWanted.emit()
