"""A new game: which scenario by which rules, who sits where, and what the players are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtGui import QResizeEvent
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

from app import games, theme
from app.dialogs.scenario_chooser import ScenarioChooser
from app.panels.dressed import Dressed
from app.panels.widgets import ActionButton, Bar, Label, column, row, with_rule_links
from engine.raid.figures import SIDES
from engine.raid.scenario import Scenario

if TYPE_CHECKING:
    from app.settings import SettingsStore

PERSON: Final = "A person at this screen"
SIDE_TITLES: Final = {"terminator": "Terminators", "clonemaster": "CloneMaster"}
SIDE_TEXTS: Final = {
    "terminator": "attack: break in, destroy everything, kill the CloneMaster",
    "clonemaster": "defend: survive, keep one tank or computer whole",
}
NAME_LIMIT: Final = 40
SOLITAIRE: Final = "solitaire"
USUAL_BOT: Final = "rulebook"


def seats_for(side: str) -> list[tuple[str, str]]:
    """Return who can play a side, each with what a list says."""
    return [("human", PERSON), *((bot, f"Computer – {text}") for bot, text in games.bots_for(side).items())]


class NewGameDialog(Dressed, QDialog):
    """Asks what to play. After `accepted`, `scenario`, `seats`, `names` and `seed` say it."""

    def __init__(self, store: SettingsStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self.setWindowTitle("New game")
        self.chooser = ScenarioChooser()
        self.seat_boxes: dict[str, QComboBox] = {}
        self.name_boxes: dict[str, QLineEdit] = {}
        for side in SIDES:
            self._make_boxes(side)
        self.swap_button = ActionButton("Change sides")
        self.swap_button.set_key("Alt+C")
        self.swap_button.clicked.connect(self._swap)
        self._note = Label("", "small", is_soft=True)
        self.seed_box = QLineEdit()
        self.seed_box.setMaxLength(80)
        self.seed_box.setPlaceholderText("empty: new dice; the same text gives the same dice again")
        self.seed_box.setAccessibleName("Seed of the dice, optional")
        self._why = Label("")
        self._why.set_tone("danger")
        self._why.setTextFormat(Qt.TextFormat.PlainText)
        self._why.hide()
        self.start_button = ActionButton("Start the game", "", is_main=True)
        self.start_button.set_key("Ctrl+Return")
        self.start_button.clicked.connect(self.accept)
        self.cancel_button = ActionButton("Cancel")
        self.cancel_button.clicked.connect(self.reject)
        self._scroll = QScrollArea()
        self._lay_out()
        self._remember()
        self._is_dealt = self._deals()
        self.chooser.changed.connect(self._scenario_chosen)
        for seat in self.seat_boxes.values():
            seat.currentIndexChanged.connect(self._follow)
        self._follow()
        self.dress()
        self.chooser.list.setFocus()

    def _make_boxes(self, side: str) -> None:
        """Make the boxes for who plays a side and what he is called."""
        seat = QComboBox()
        seat.setAccessibleName(f"Who plays the {SIDE_TITLES[side]}")
        seat.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        seat.setMinimumContentsLength(14)
        for value, text in seats_for(side):
            seat.addItem(text, value)
        self.seat_boxes[side] = seat
        name = QLineEdit()
        name.setMaxLength(NAME_LIMIT)
        name.setPlaceholderText("Name (optional)")
        name.setAccessibleName(f"Name of the {SIDE_TITLES[side]} player")
        self.name_boxes[side] = name

    def _lay_out(self) -> None:
        inner = QWidget()
        inside = QVBoxLayout(inner)
        inside.setContentsMargins(*(theme.SPACE * 2,) * 4)
        inside.setSpacing(theme.SPACE)
        inside.addWidget(Label("New game", "title", is_title=True))
        inside.addWidget(self.chooser, 1)
        inside.addWidget(Bar())
        inside.addLayout(self._seat_grid())
        inside.addWidget(self._note)
        inside.addWidget(self.swap_button)
        inside.addWidget(Label("Dice", is_bold=True))
        inside.addWidget(self.seed_box)
        self._scroll.setWidget(inner)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._scroll, 1)
        layout.addWidget(Bar())
        layout.addLayout(column(self._why, row(self.cancel_button, self.start_button), margin=theme.SPACE))

    def _seat_grid(self) -> QGridLayout:
        """Return who sits where, a column a side."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.SPACE * 2)
        grid.setVerticalSpacing(theme.SPACE // 2)
        for at, side in enumerate(SIDES):
            grid.setColumnStretch(at, 1)
            grid.addWidget(Label(SIDE_TITLES[side], is_bold=True), 0, at)
            grid.addWidget(Label(SIDE_TEXTS[side], "small", is_soft=True), 1, at)
            grid.addWidget(self.seat_boxes[side], 2, at)
            grid.addWidget(self.name_boxes[side], 3, at)
        return grid

    @property
    def scenario(self) -> Scenario:
        """The scenario chosen, its rules turned; raises ValueError where it cannot be read."""
        found = self.chooser.scenario
        if found is None:
            raise ValueError(self.chooser.problem)
        return found

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

    # What was chosen last time.

    def _remember(self) -> None:
        now = self._store.now
        self.chooser.choose(now.scenario)
        for side, seat, name in (
            ("terminator", now.terminator_seat, now.terminator_name),
            ("clonemaster", now.clonemaster_seat, now.clonemaster_name),
        ):
            self._seat(side, seat)
            self.name_boxes[side].setText(name[:NAME_LIMIT])

    def _seat(self, side: str, seat: str) -> None:
        """Let somebody play a side; a bot that cannot play it leaves it to the usual one."""
        box = self.seat_boxes[side]
        at = box.findData(seat)
        box.setCurrentIndex(at if at >= 0 else box.findData(USUAL_BOT))

    def accept(self) -> None:
        """Start the game, unless the scenario cannot be played: then say why."""
        problem = self.chooser.problem
        if problem:
            self._why.setText(with_rule_links(f"No game can start: {problem}"))
            self._why.show()
            return
        seats = self.seats
        texts = {side: box.text().strip() for side, box in self.name_boxes.items()}
        self._store.set(
            scenario=self.chooser.kept.key,
            terminator_seat=seats["terminator"],
            clonemaster_seat=seats["clonemaster"],
            terminator_name=texts["terminator"],
            clonemaster_name=texts["clonemaster"],
        )
        super().accept()

    # Following what is chosen.

    @Slot()
    def _scenario_chosen(self) -> None:
        """Suggest the seats that a scenario is made for (6.3)."""
        was_dealt, self._is_dealt = self._is_dealt, self._deals()
        with QSignalBlocker(self.seat_boxes["terminator"]), QSignalBlocker(self.seat_boxes["clonemaster"]):
            if self._is_dealt and not was_dealt:
                self._seat("terminator", "human")
                self._seat("clonemaster", SOLITAIRE)
            elif was_dealt and not self._is_dealt and self.seats["clonemaster"] == SOLITAIRE:
                self._seat("clonemaster", USUAL_BOT)
        self._follow()

    def _deals(self) -> bool:
        """Return whether chance sets up the counters, so that nobody knows them (6.3)."""
        scenario = self.chooser.scenario
        return scenario is not None and scenario.set_up == "random"

    @Slot()
    def _follow(self) -> None:
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
        problem = self.chooser.problem
        self.start_button.bar(bool(problem))
        self.start_button.set_detail("why not?" if problem else "")
        self._why.hide()

    @Slot()
    def _swap(self) -> None:
        first, second = (self.seats[side] for side in SIDES)
        self._seat(SIDES[0], second)
        self._seat(SIDES[1], first)
        one, other = (self.name_boxes[side] for side in SIDES)
        text = one.text()
        one.setText(other.text())
        other.setText(text)

    # Looks.

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.chooser.suit(self._scroll.viewport().width())

    def _dress(self) -> None:
        """Give the text in force the room it needs, as far as the screen has it."""
        body = theme.size("body")
        self.resize(min(body * 72, 1240), min(body * 47, 680))
        self.chooser.suit(self._scroll.viewport().width())
