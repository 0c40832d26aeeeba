"""A new game: which scenario by which rules, who sits where, and what the players are called."""

from __future__ import annotations

from functools import partial
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
from app.dialogs.seats import chosen_seats, given_names
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
PRISONER_TEXT: Final = "break out: destroy what you can, kill the CloneMaster, escape"
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
        self._replaced: dict[
            str, str
        ] = {}  # by side, the bot that cannot play it and that another stands in for
        self.setWindowTitle("New game")
        self.chooser = ScenarioChooser()
        self.seat_boxes: dict[str, QComboBox] = {}
        self.name_boxes: dict[str, QLineEdit] = {}
        self.side_texts = {side: Label(text, "small", is_soft=True) for side, text in SIDE_TEXTS.items()}
        for side in SIDES:
            self._make_boxes(side)
        self.swap_button = ActionButton("Change sides")
        self.swap_button.set_key("Alt+C")
        self.swap_button.clicked.connect(self._swap)
        self._note = Label("", "small", is_soft=True, is_rich=True)
        self.seed_box = QLineEdit()
        self.seed_box.setMaxLength(80)
        self.seed_box.setPlaceholderText("empty: new dice; the same text gives the same dice again")
        self.seed_box.setAccessibleName("Seed of the dice, optional")
        self._why = Label("", is_rich=True)
        self._why.set_tone("danger")
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
        self.chooser.renamed.connect(self._scenario_renamed)
        for side, seat in self.seat_boxes.items():
            seat.currentIndexChanged.connect(partial(self._reseated, side))
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
            grid.addWidget(self.side_texts[side], 1, at)
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
        return chosen_seats(self.seat_boxes)

    @property
    def names(self) -> dict[str, str]:
        """The players' names by side, as far as they were given."""
        return given_names(self.seats, self.name_boxes)

    @property
    def seed(self) -> str | None:
        """The seed of the dice; None for fresh ones."""
        return self.seed_box.text().strip() or None

    # What was chosen last time.

    def _remember(self) -> None:
        now = self._store.now
        is_found = self.chooser.choose(now.scenario)
        for side, seat, name in (
            ("terminator", now.terminator_seat, now.terminator_name),
            ("clonemaster", now.clonemaster_seat, now.clonemaster_name),
        ):
            self._seat(side, seat)
            self.name_boxes[side].setText(name[:NAME_LIMIT])
        if not is_found and self.seats["clonemaster"] == SOLITAIRE and not self._deals():
            self._seat("clonemaster", USUAL_BOT)  # the seat was made for the scenario that is gone (6.3)

    def _seat(self, side: str, seat: str) -> None:
        """Let somebody play a side; the usual bot stands in for one that cannot play it."""
        box = self.seat_boxes[side]
        at = box.findData(seat)
        box.setCurrentIndex(at if at >= 0 else box.findData(USUAL_BOT))
        if at < 0:
            self._replaced[side] = seat
        else:
            self._replaced.pop(side, None)

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
            elif was_dealt and not self._is_dealt:
                self._replaced.clear()
                if self.seats["clonemaster"] == SOLITAIRE:
                    self._seat("clonemaster", USUAL_BOT)
        self._follow()

    def _placed(self) -> set[str]:
        """Return the kinds of figures that start face up on a square of their own (6.3)."""
        scenario = self.chooser.scenario
        return {one.kind for one in scenario.placements} if scenario is not None else set()

    def _deals(self) -> bool:
        """Return whether chance sets up the counters, so that nobody knows them (6.3)."""
        scenario = self.chooser.scenario
        return scenario is not None and scenario.set_up == "random"

    @Slot(str, str)
    def _scenario_renamed(self, old: str, new: str) -> None:
        """Keep the scenario of the last time in mind under its new key."""
        if self._store.now.scenario == old:
            self._store.set(scenario=new)

    def _reseated(self, side: str, _chosen: int) -> None:
        """Forget who was stood in for where another is chosen."""
        self._replaced.pop(side, None)
        self._follow()

    @Slot()
    def _follow(self) -> None:
        people = [side for side, seat in self.seat_boxes.items() if seat.currentData() == "human"]
        note = {
            0: "The computer plays both sides; you look on.",
            1: f"You play the {SIDE_TITLES[people[0]]}." if people else "",
            2: "Two at one screen: a curtain hides each side's secrets from the other.",
        }[len(people)]
        starts = self._placed()
        if "clonemaster" in people and "clonemaster" not in starts and self._store.now.ask_release == "told":
            note += (
                " Your CloneMaster starts face down and may be turned up in any phase (4.21): a button for "
                "it is there all the time. If you prefer to be asked, choose so in the Settings."
            )
        for side, bot in self._replaced.items():
            note += f" {games.BOTS.get(bot, bot)} cannot play the {SIDE_TITLES[side]}: another bot stands in."
        self.side_texts["terminator"].setText(
            PRISONER_TEXT if "terminator" in starts else SIDE_TEXTS["terminator"]
        )
        self._note.setText(with_rule_links(note))
        for side, name in self.name_boxes.items():
            name.setEnabled(side in people)
        problem = self.chooser.problem
        self.start_button.bar(bool(problem))
        self.start_button.set_detail("why not?" if problem else "")
        self._why.hide()

    @Slot()
    def _swap(self) -> None:
        first, second = (self._replaced.get(side, self.seats[side]) for side in SIDES)
        self._seat(SIDES[0], second)
        self._seat(SIDES[1], first)
        one, other = (self.name_boxes[side] for side in SIDES)
        text = one.text()
        one.setText(other.text())
        other.setText(text)
        self._follow()

    # Looks.

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.chooser.suit(self._scroll.viewport().width())

    def _dress(self) -> None:
        """Give the text in force the room it needs, as far as the screen has it."""
        body = theme.size("body")
        self.resize(min(body * 72, 1240), min(body * 47, 680))
        self.chooser.suit(self._scroll.viewport().width())
