"""A new game: which scenario, who sits where, and what the players are called."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFrame,
    QGridLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.panels.widgets import ActionButton, Label, row
from engine.raid.figures import SIDES
from engine.raid.scenario import Scenario, load_scenario, shipped

SEATS: Final = (
    ("human", "A person at this screen"),
    ("rulebook", "Computer – rulebook bot"),
    ("random", "Computer – random moves"),
)
SIDE_TITLES: Final = {"terminator": "Terminators", "clonemaster": "CloneMaster"}
SIDE_TEXTS: Final = {
    "terminator": "attack: break in, destroy everything, kill the CloneMaster",
    "clonemaster": "defend: survive, keep one tank or computer whole",
}
NAME_LIMIT: Final = 40


class NewGame(NamedTuple):
    """What was chosen: scenario by its short name, seats and names by side, `seed` "" for a fresh one."""

    scenario: str
    seats: dict[str, str]
    names: dict[str, str]
    seed: str


def about(scenario: Scenario) -> str:
    """Return a scenario in a line: forces and length."""
    return (
        f"{scenario.terminators} Terminators with {scenario.levels} levels each against the CloneMaster, "
        f"{scenario.jellies} Jellies, {scenario.armed_technicians + scenario.technicians} technicians "
        f"({scenario.armed_technicians} armed) and {scenario.servants} servants; {scenario.turns} turns."
    )


class NewGameDialog(QDialog):
    """Asks what to play. After `accepted`, `choice` says it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("New game")
        self.scenario = QComboBox()
        self.scenario.setAccessibleName("Scenario")
        for name, title in shipped().items():
            self.scenario.addItem(f"{title} scenario", name)
        self.scenario.currentIndexChanged.connect(self._follow)
        self._about = Label("", "small", is_soft=True)
        self.seats: dict[str, QComboBox] = {}
        self.names: dict[str, QLineEdit] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.SPACE * 2)
        grid.setVerticalSpacing(theme.SPACE // 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        for at, side in enumerate(SIDES):
            grid.addWidget(Label(SIDE_TITLES[side], is_bold=True), 0, at)
            grid.addWidget(Label(SIDE_TEXTS[side], "small", is_soft=True), 1, at)
            seat = QComboBox()
            seat.setAccessibleName(f"Who plays the {SIDE_TITLES[side]}")
            seat.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            seat.setMinimumContentsLength(14)
            for value, text in SEATS:
                seat.addItem(text, value)
            seat.setCurrentIndex(0 if side == SIDES[0] else 1)
            seat.currentIndexChanged.connect(self._follow)
            self.seats[side] = seat
            grid.addWidget(seat, 2, at)
            name = QLineEdit()
            name.setMaxLength(NAME_LIMIT)
            name.setPlaceholderText("Name (optional)")
            name.setAccessibleName(f"Name of the {SIDE_TITLES[side]} player")
            self.names[side] = name
            grid.addWidget(name, 3, at)
        self.swap_button = ActionButton("Change sides")
        self.swap_button.set_key("Alt+C")
        self.swap_button.clicked.connect(self._swap)
        self._note = Label("", "small", is_soft=True)
        self.seed = QLineEdit()
        self.seed.setMaxLength(80)
        self.seed.setPlaceholderText("empty: new dice; the same text gives the same dice again")
        self.seed.setAccessibleName("Seed of the dice, optional")
        self.start_button = ActionButton("Start the game", "", is_main=True)
        self.start_button.set_key("Ctrl+Return")
        self.start_button.clicked.connect(self.accept)
        self.cancel_button = ActionButton("Cancel")
        self.cancel_button.clicked.connect(self.reject)
        inner = QWidget()
        inside = QVBoxLayout(inner)
        inside.setContentsMargins(*(theme.SPACE * 2,) * 4)
        inside.setSpacing(theme.SPACE)
        inside.addWidget(Label("New game", "title", is_title=True))
        inside.addWidget(self.scenario)
        inside.addWidget(self._about)
        inside.addSpacing(theme.SPACE)
        inside.addLayout(grid)
        inside.addWidget(self._note)
        inside.addWidget(self.swap_button)
        inside.addSpacing(theme.SPACE)
        inside.addWidget(Label("Dice", is_bold=True))
        inside.addWidget(self.seed)
        inside.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(inner)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll, 1)
        layout.addLayout(row(self.cancel_button, self.start_button, margin=theme.SPACE))
        self.resize(theme.size("body") * 46, theme.size("body") * 33)
        self._follow()

    @property
    def choice(self) -> NewGame:
        """What is chosen now."""
        return NewGame(
            self.scenario.currentData(),
            {side: seat.currentData() for side, seat in self.seats.items()},
            {side: name.text().strip() for side, name in self.names.items() if name.text().strip()},
            self.seed.text().strip(),
        )

    @Slot()
    def _follow(self) -> None:
        scenario = load_scenario(self.scenario.currentData())
        self._about.setText(scenario.notes or about(scenario))
        people = [side for side, seat in self.seats.items() if seat.currentData() == "human"]
        self._note.setText(
            {
                0: "The computer plays both sides; you look on.",
                1: f"You play the {SIDE_TITLES[people[0]]}." if people else "",
                2: "Two at one screen: a curtain hides each side's secrets from the other.",
            }[len(people)]
        )
        for side, name in self.names.items():
            name.setEnabled(side in people)

    @Slot()
    def _swap(self) -> None:
        first, second = (self.seats[side] for side in SIDES)
        here, there = first.currentIndex(), second.currentIndex()
        first.setCurrentIndex(there)
        second.setCurrentIndex(here)
        one, other = (self.names[side] for side in SIDES)
        text = one.text()
        one.setText(other.text())
        other.setText(text)
