"""Hosting a game over the network: what is played, who sits where, and what that trusts this machine with."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Slot
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
from app.command import command
from app.dialogs.new_game import PRISONER_TEXT, SIDE_TEXTS, SIDE_TITLES
from app.dialogs.scenario_chooser import ScenarioChooser
from app.dialogs.switch_controls import SpinBox
from app.panels.dressed import Dressed
from app.panels.widgets import Bar, Label, MoreSign, column, keyed_button, row, with_rule_links
from engine.core.lan_protocol import NAME_LENGTH, WATCH
from engine.core.protocol import CLIENT
from engine.raid.figures import OTHER_SIDE, SIDES
from engine.raid.scenario import Scenario

if TYPE_CHECKING:
    from app.settings import SettingsStore

CLOCK_MINUTES: Final = (0, 600)  # for each side; 0 is none
ME: Final = "me"
GUEST: Final = "guest"
TRUST_WORDS: Final = (
    "While you host, this machine holds everything: the secrets of both sides and the dice to come. Your "
    "window shows you no more than your side may know, but your guest has only your word for it. For those "
    "who care: “{serve}” runs the game on a third machine, and both of you join it there."
)
NO_NAME: Final = "Say what the others are to call you."


def seats_for(side: str) -> list[tuple[str, str]]:
    """Return who can sit on a side of a hosted game, each with what a list says."""
    bots = games.bots_for(side).items()
    return [
        (ME, "I, at this screen"),
        (GUEST, "A guest, over the network"),
        *((bot, f"Computer – {text}") for bot, text in bots),
    ]


class HostGameDialog(Dressed, QDialog):
    """Asks what to host. After `accepted`, `scenario`, `seats`, `seat`, `name` and `clock_minutes` say it."""

    def __init__(self, store: SettingsStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self.setWindowTitle("Host a game over the network")
        self.chooser = ScenarioChooser()
        self.seat_boxes: dict[str, QComboBox] = {}
        self.side_texts = {side: Label(text, "small", is_soft=True) for side, text in SIDE_TEXTS.items()}
        for side in SIDES:
            self._make_seat(side)
        self.swap_button = keyed_button("Change sides", "Alt+C", self._swap)
        self._note = Label("", is_rich=True)
        self.name_box = QLineEdit()
        self.name_box.setMaxLength(NAME_LENGTH)
        self.name_box.setPlaceholderText("what the others call you")
        self.name_box.setAccessibleName("Your name")
        self.name_box.returnPressed.connect(self.accept)
        self.clock_box = SpinBox(*CLOCK_MINUTES, "No clock", "Clock, minutes for each side")
        self.clock_box.setSuffix(" minutes for each side")
        self.clock_box.setSingleStep(5)
        self._name_problem = _problem()
        self._why = _problem(is_rich=True)
        self.host_button = keyed_button("Host the game", "Ctrl+Return", self.accept, is_main=True)
        self.cancel_button = keyed_button("Cancel", "Esc", self.reject)
        self._scroll = QScrollArea()
        self._lay_out()
        self._remember()
        self.chooser.changed.connect(self._follow)
        for side, box in self.seat_boxes.items():
            box.currentIndexChanged.connect(partial(self._reseated, side))
        self.name_box.textChanged.connect(self._name_problem.hide)
        self._follow()
        self.dress()
        self.chooser.list.setFocus()

    def _make_seat(self, side: str) -> None:
        """Make the box for who sits on a side."""
        box = QComboBox()
        box.setAccessibleName(f"Who plays the {SIDE_TITLES[side]}")
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(14)
        for value, text in seats_for(side):
            box.addItem(text, value)
        self.seat_boxes[side] = box

    def _lay_out(self) -> None:
        inner = QWidget()
        inside = QVBoxLayout(inner)
        inside.setContentsMargins(*(theme.SPACE * 2,) * 4)
        inside.setSpacing(theme.SPACE)
        inside.addWidget(Label("Host a game over the network", "title", is_title=True))
        inside.addWidget(self.chooser, 1)
        inside.addWidget(Bar())
        inside.addLayout(self._seat_grid())
        inside.addWidget(self._note)
        inside.addWidget(self.swap_button, 0, Qt.AlignmentFlag.AlignLeft)
        inside.addWidget(Bar())
        inside.addLayout(self._own_grid())
        inside.addWidget(Bar())
        inside.addWidget(Label("Who holds what", is_bold=True))
        inside.addWidget(Label(TRUST_WORDS.format(serve=command("serve"))))
        self._scroll.setWidget(inner)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        MoreSign(self._scroll)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._scroll, 1)
        layout.addWidget(Bar())
        layout.addLayout(column(self._why, row(self.cancel_button, self.host_button), margin=theme.SPACE))

    def _seat_grid(self) -> QGridLayout:
        """Return who sits where, a column a side."""
        grid = _grid()
        for at, side in enumerate(SIDES):
            grid.addWidget(Label(SIDE_TITLES[side], is_bold=True), 0, at)
            grid.addWidget(self.side_texts[side], 1, at)
            grid.addWidget(self.seat_boxes[side], 2, at)
        return grid

    def _own_grid(self) -> QGridLayout:
        """Return the name and the clock, side by side."""
        grid = _grid()
        grid.addWidget(Label("Your name", is_bold=True), 0, 0)
        grid.addWidget(self.name_box, 1, 0)
        grid.addWidget(self._name_problem, 2, 0)
        grid.addWidget(Label("Clock", is_bold=True), 0, 1)
        grid.addWidget(self.clock_box, 1, 1)
        return grid

    # What was chosen.

    @property
    def scenario(self) -> Scenario:
        """The scenario chosen, its rules turned; raises ValueError where it cannot be read."""
        found = self.chooser.scenario
        if found is None:
            raise ValueError(self.chooser.problem)
        return found

    @property
    def seats(self) -> dict[str, str]:
        """Who sits where, by side: "client" for a person, else a bot's name."""
        chosen = {side: str(box.currentData()) for side, box in self.seat_boxes.items()}
        return {side: CLIENT if who in (ME, GUEST) else who for side, who in chosen.items()}

    @property
    def seat(self) -> str:
        """The side that the host plays, "watch" where he looks on."""
        return next((side for side, box in self.seat_boxes.items() if box.currentData() == ME), WATCH)

    @property
    def name(self) -> str:
        """What the host is called."""
        return self.name_box.text().strip()

    @property
    def clock_minutes(self) -> float | None:
        """The time of each side; None without clocks."""
        return float(self.clock_box.value()) or None

    def accept(self) -> None:
        """Host the game, unless something is missing: then say what."""
        problem = self.chooser.problem
        if problem:
            self._why.setText(with_rule_links(f"No game can be hosted: {problem}"))
            self._why.show()
            return
        if not self.name:
            self._name_problem.setText(NO_NAME)
            self._name_problem.show()
            self.name_box.setFocus()
            # Once the line has been given its room.
            QTimer.singleShot(0, self, self._bring_into_sight)
            return
        other = OTHER_SIDE.get(self.seat)
        self._store.set(
            scenario=self.chooser.kept.key,
            lan_name=self.name,
            lan_seat=self.seat,
            lan_opponent=GUEST if other is None else str(self.seat_boxes[other].currentData()),
        )
        super().accept()

    @Slot()
    def _bring_into_sight(self) -> None:
        self._scroll.ensureWidgetVisible(self._name_problem)

    def _remember(self) -> None:
        """Choose what was chosen last time."""
        now = self._store.now
        self.chooser.choose(now.scenario)
        self.name_box.setText((now.lan_name or now.terminator_name or now.clonemaster_name)[:NAME_LENGTH])
        for side in SIDES:
            self._seat(side, GUEST)
        if now.lan_seat in SIDES:
            self._seat(now.lan_seat, ME)
            self._seat(OTHER_SIDE[now.lan_seat], now.lan_opponent)

    def _seat(self, side: str, who: str) -> None:
        """Let somebody sit on a side; a guest where that bot cannot play it."""
        box = self.seat_boxes[side]
        at = box.findData(who)
        with QSignalBlocker(box):
            box.setCurrentIndex(at if at >= 0 else box.findData(GUEST))

    # Following what is chosen.

    def _reseated(self, side: str, _chosen: int) -> None:
        """Let go of the other side where the host takes this one: he plays one at most."""
        other = OTHER_SIDE[side]
        if self.seat_boxes[side].currentData() == self.seat_boxes[other].currentData() == ME:
            self._seat(other, GUEST)
        self._follow()

    @Slot()
    def _swap(self) -> None:
        first, second = (str(self.seat_boxes[side].currentData()) for side in SIDES)
        self._seat(SIDES[0], second)
        self._seat(SIDES[1], first)
        self._follow()

    @Slot()
    def _follow(self) -> None:
        scenario = self.chooser.scenario
        starts = {one.kind for one in scenario.placements} if scenario is not None else set()
        self.side_texts["terminator"].setText(
            PRISONER_TEXT if "terminator" in starts else SIDE_TEXTS["terminator"]
        )
        self._note.setText(with_rule_links(self._note_words()))
        problem = self.chooser.problem
        self.host_button.bar(bool(problem))
        self.host_button.set_detail("why not?" if problem else "")
        self._why.hide()

    def _note_words(self) -> str:
        """Return what the seats chosen mean."""
        guests = [side for side, box in self.seat_boxes.items() if box.currentData() == GUEST]
        who = f"You play the {SIDE_TITLES[self.seat]}" if self.seat != WATCH else "You look on"
        if len(guests) == len(SIDES):
            return f"{who}; two guests with the join code play."
        if guests:
            return f"{who}; a guest with the join code plays the {SIDE_TITLES[guests[0]]}."
        return f"{who}. The game begins at once; whoever has the join code can look on."

    # Looks.

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.chooser.suit(self._scroll.viewport().width())

    def _dress(self) -> None:
        """Give the text in force the room it needs, as far as the screen has it."""
        body = theme.size("body")
        self.resize(min(body * 72, 1240), min(body * 47, 680))
        self.chooser.suit(self._scroll.viewport().width())


def _grid() -> QGridLayout:
    """Return a grid of two columns that are as wide as one another."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(theme.SPACE * 2)
    grid.setVerticalSpacing(theme.SPACE // 2)
    grid.setColumnStretch(0, 1)
    grid.setColumnStretch(1, 1)
    return grid


def _problem(*, is_rich: bool = False) -> Label:
    """Return a line that says what is wrong at its place, hidden while nothing is."""
    label = Label("", is_rich=is_rich)
    label.set_tone("danger")
    label.hide()
    return label
