"""A new game: which scenario, who sits where, and what the players are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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

if TYPE_CHECKING:
    from app.settings import SettingsStore

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


def about(scenario: Scenario) -> str:
    """Return a scenario in a line: forces and length."""
    return (
        f"{scenario.terminators} Terminators with {scenario.levels} levels each against the CloneMaster, "
        f"{scenario.jellies} Jellies, {scenario.armed_technicians + scenario.technicians} technicians "
        f"({scenario.armed_technicians} armed) and {scenario.servants} servants; {scenario.turns} turns."
    )


class NewGameDialog(QDialog):
    """Asks what to play. After `accepted`, `scenario`, `seats`, `names` and `seed` say it."""

    def __init__(self, store: SettingsStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self.setWindowTitle("New game")
        self.scenario_box = QComboBox()
        self.scenario_box.setAccessibleName("Scenario")
        for name, title in shipped().items():
            self.scenario_box.addItem(f"{title} scenario", name)
        self.scenario_box.currentIndexChanged.connect(self._follow)
        self._about = Label("", "small", is_soft=True)
        self.seat_boxes: dict[str, QComboBox] = {}
        self.name_boxes: dict[str, QLineEdit] = {}
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
            self.seat_boxes[side] = seat
            grid.addWidget(seat, 2, at)
            player = QLineEdit()
            player.setMaxLength(NAME_LIMIT)
            player.setPlaceholderText("Name (optional)")
            player.setAccessibleName(f"Name of the {SIDE_TITLES[side]} player")
            self.name_boxes[side] = player
            grid.addWidget(player, 3, at)
        self.swap_button = ActionButton("Change sides")
        self.swap_button.set_key("Alt+C")
        self.swap_button.clicked.connect(self._swap)
        self._note = Label("", "small", is_soft=True)
        self.seed_box = QLineEdit()
        self.seed_box.setMaxLength(80)
        self.seed_box.setPlaceholderText("empty: new dice; the same text gives the same dice again")
        self.seed_box.setAccessibleName("Seed of the dice, optional")
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
        inside.addWidget(self.scenario_box)
        inside.addWidget(self._about)
        inside.addSpacing(theme.SPACE)
        inside.addLayout(grid)
        inside.addWidget(self._note)
        inside.addWidget(self.swap_button)
        inside.addSpacing(theme.SPACE)
        inside.addWidget(Label("Dice", is_bold=True))
        inside.addWidget(self.seed_box)
        inside.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(inner)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll, 1)
        layout.addLayout(row(self.cancel_button, self.start_button, margin=theme.SPACE))
        self.resize(min(theme.size("body") * 46, 1240), min(theme.size("body") * 33, 680))
        self._follow()

    @property
    def scenario(self) -> Scenario:
        """The scenario chosen."""
        return load_scenario(self.scenario_box.currentData())

    @property
    def seats(self) -> dict[str, str]:
        """Who sits where, by side: "human" or a bot's name."""
        return {side: seat.currentData() for side, seat in self.seat_boxes.items()}

    @property
    def names(self) -> dict[str, str]:
        """The players' names by side, as far as they were given."""
        seats = self.seats
        given = {
            side: name.text().strip() for side, name in self.name_boxes.items() if seats[side] == "human"
        }
        return {side: name for side, name in given.items() if name}

    @property
    def seed(self) -> str | None:
        """The seed of the dice; None for fresh ones."""
        return self.seed_box.text().strip() or None

    @Slot()
    def _follow(self) -> None:
        scenario = self.scenario
        self._about.setText(scenario.notes or about(scenario))
        people = [side for side, seat in self.seat_boxes.items() if seat.currentData() == "human"]
        note = {
            0: "The computer plays both sides; you look on.",
            1: f"You play the {SIDE_TITLES[people[0]]}." if people else "",
            2: "Two at one screen: a curtain hides each side's secrets from the other.",
        }[len(people)]
        if "clonemaster" in people and self._store.now.ask_release == "told":
            note += " The CloneMaster is released by his button; Settings can make the program ask."
        self._note.setText(note)
        for side, name in self.name_boxes.items():
            name.setEnabled(side in people)

    @Slot()
    def _swap(self) -> None:
        first, second = (self.seat_boxes[side] for side in SIDES)
        here, there = first.currentIndex(), second.currentIndex()
        first.setCurrentIndex(there)
        second.setCurrentIndex(here)
        one, other = (self.name_boxes[side] for side in SIDES)
        text = one.text()
        one.setText(other.text())
        other.setText(text)
