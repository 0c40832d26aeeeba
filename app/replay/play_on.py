"""Play on from a moment of a replay: a new game with its position and fresh dice."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QDialog, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from app import games, theme
from app.dialogs.new_game import NAME_LIMIT, SIDE_TITLES, seats_for
from app.dialogs.seats import chosen_seats, given_names
from app.panels.widgets import ActionButton, Bar, Label, row
from engine.raid.figures import SIDES
from engine.raid.match import RaidMatch

if TYPE_CHECKING:
    from engine.core.record import Record


class PlayOnDialog(QDialog):
    """Asks who plays on from the first `at` choices of a record; after `accepted`, `new_match` begins it."""

    def __init__(self, record: Record, at: int, moment: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._record = record
        self._at = at
        self.setWindowTitle("Play on from here")
        self.seat_boxes: dict[str, QComboBox] = {}
        self.name_boxes: dict[str, QLineEdit] = {}
        seats = {side: record.seats.get(side, "human") for side in SIDES}
        if "human" not in seats.values():
            # Bots played it: whoever looks on wants to try it himself.
            seats[SIDES[0]] = "human"
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.SPACE * 2)
        grid.setVerticalSpacing(theme.SPACE // 2)
        for at_column, side in enumerate(SIDES):
            grid.addWidget(Label(SIDE_TITLES[side], is_bold=True), 0, at_column)
            seat = QComboBox()
            seat.setAccessibleName(f"Who plays the {SIDE_TITLES[side]}")
            for value, text in seats_for(side):
                seat.addItem(text, value)
            seat.setCurrentIndex(max(seat.findData(seats[side]), 0))
            seat.currentIndexChanged.connect(self._follow)
            self.seat_boxes[side] = seat
            grid.addWidget(seat, 1, at_column)
            name = QLineEdit(record.names.get(side, "")[:NAME_LIMIT])
            name.setMaxLength(NAME_LIMIT)
            name.setPlaceholderText("Name (optional)")
            name.setAccessibleName(f"Name of the {SIDE_TITLES[side]} player")
            self.name_boxes[side] = name
            grid.addWidget(name, 2, at_column)
        self.start_button = ActionButton("Play on", "", is_main=True)
        self.start_button.set_key("Ctrl+Return")
        self.start_button.clicked.connect(self.accept)
        self.cancel_button = ActionButton("Cancel")
        self.cancel_button.clicked.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(Label(f"Play on from {moment}", "title", is_title=True))
        layout.addWidget(
            Label(
                "A new game begins here: everybody stands where he stands and knows what his side knew then, "
                "and what lay face down lies there. The dice are new. The finished game stays as it is."
            )
        )
        layout.addWidget(Bar())
        layout.addLayout(grid)
        layout.addWidget(
            Label(
                "Whoever has seen the replay with everything open knows the secrets.", "small", is_soft=True
            )
        )
        layout.addLayout(row(self.cancel_button, self.start_button))
        self.setMinimumWidth(min(theme.size("body") * 40, 1100))
        self._follow()
        self.start_button.setFocus()

    @property
    def seats(self) -> dict[str, str]:
        """Who sits where, by side: "human" or a bot's name."""
        return chosen_seats(self.seat_boxes)

    @property
    def names(self) -> dict[str, str]:
        """The players' names by side, as far as they were given."""
        return given_names(self.seats, self.name_boxes)

    def _follow(self) -> None:
        for side, seat in self.seats.items():
            self.name_boxes[side].setEnabled(seat == "human")

    def new_match(self) -> RaidMatch:
        """Return the new game, saved among the unfinished ones."""
        return RaidMatch.branch(
            self._record,
            self._at,
            secrets.token_hex(8),
            seats=self.seats,
            names=self.names,
            path=games.new_path(self._record.title),
        )
