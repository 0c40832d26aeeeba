"""The CloneMaster player's additions in the open, before the set-up: armored doors and computers (7.4, R35).

Each one put up or taken away is at once a choice of the game, so it is saved. Which squares are lit and
why another is refused come from the game itself.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget

from app import theme
from app.panels.widgets import (
    ActionButton,
    Bar,
    FlowLayout,
    Label,
    clear_layout,
    column,
    escaped,
    rule_link,
    scrolled,
)
from engine.core.decision import IllegalChoice
from engine.fortress.floorplan import COMPASS_NAMES, OPPOSITE, STEP, Side
from engine.raid.choices import PlaceComputer, PlaceDoor, Ready, RemoveExtra, Square
from engine.raid.log import thing

if TYPE_CHECKING:
    from app.board.scene import BoardView
    from app.session import Session
    from engine.core.decision import Decision

KIND: Final = "place-extras"
TITLES: Final = {"door": "Armored door", "computer": "Computer"}
RULES: Final = {
    "door": "It takes the place of any common door.",
    "computer": "It stands along any wall of a room, one to a square, in no loo.",
}

Extra = PlaceDoor | PlaceComputer


class PlaceExtras(QWidget):
    """What is left to add, the squares for it lit on the board, and what was added so far."""

    def __init__(self, session: Session, board: BoardView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._board = board
        self._chosen = ""  # what the next click on the board adds: "door", "computer" or nothing
        self.places: dict[Square, dict[Side, Extra]] = {}  # what the lit squares stand for, by side
        self._was_wanted = False
        self._prompt = Label("", is_rich=True)
        self.kind_buttons: dict[str, ActionButton] = {}
        for number, kind in enumerate(TITLES, 1):
            button = ActionButton(TITLES[kind], RULES[kind])
            button.setCheckable(True)
            button.set_key(f"Alt+{number}")
            button.clicked.connect(partial(self.choose, kind))
            self.kind_buttons[kind] = button
        self._hint = Label("", is_bold=True)
        self._side_box = QWidget()
        self._sides = FlowLayout(self._side_box)
        self._added_head = Label("", "small", is_soft=True)
        self._added_box = QWidget()
        self._added = QVBoxLayout(self._added_box)
        self._added.setContentsMargins(0, 0, 0, 0)
        self.ready_button = ActionButton("Ready", "", is_main=True)
        self.ready_button.set_key("Ctrl+Return")
        self.ready_button.clicked.connect(self._submit_ready)
        self._why = Label("", "small", is_rich=True)
        self._why.set_tone("danger")
        self._why.hide()
        layout = column(
            Label("Set-up: your additions", "title", is_title=True),
            self._prompt,
            *self.kind_buttons.values(),
            self._hint,
            self._side_box,
            Bar(),
            self._added_head,
            self._added_box,
            margin=theme.SPACE,
        )
        scrolled(self, layout, column(self._why, self.ready_button, margin=theme.SPACE))
        self.setAccessibleName("Additions to the fortress")
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.activated.connect(self.cancel_choice)
        board.squareClicked.connect(self._clicked)
        board.squareContext.connect(self._asked_why)
        session.changed.connect(self._refresh)
        session.refused.connect(self._refused)
        self._refresh()

    # What others use.

    @property
    def is_wanted(self) -> bool:
        """Whether this is what the screen must answer now."""
        return self._decision() is not None

    @property
    def chosen(self) -> str:
        """What the next click on the board adds, "" for nothing."""
        return self._chosen

    @property
    def side_buttons(self) -> list[ActionButton]:
        """The sides to choose from, where a square has several."""
        return _buttons(self._sides)

    @property
    def remove_buttons(self) -> list[ActionButton]:
        """The way back of each addition."""
        return _buttons(self._added)

    @property
    def reason(self) -> str:
        """Why the last thing asked for is not possible, "" if nothing was refused."""
        return self._why.text()

    # Following the session.

    def _decision(self) -> Decision | None:
        decision = self._session.decision
        return decision if decision is not None and decision.kind == KIND else None

    @Slot()
    def _refresh(self) -> None:
        decision = self._decision()
        if decision is None:
            if self._was_wanted:
                self._was_wanted = False
                self._board.set_lit({})
            return
        self._was_wanted = True
        self._prompt.setText(f"{escaped(decision.prompt)} {rule_link('7.4')} {rule_link('R35')}")
        placed = self._placed(decision)
        scenario = self._session.scenario
        totals = {"door": scenario.extra_doors, "computer": scenario.extra_computers}
        left = {kind: total - sum(name.startswith(kind) for name in placed) for kind, total in totals.items()}
        if not left.get(self._chosen, 0):
            self._chosen = next((kind for kind, number in left.items() if number), "")
        for kind, button in self.kind_buttons.items():
            button.setVisible(bool(totals[kind]))
            button.setText(f"{TITLES[kind]}: {left[kind]} of {totals[kind]} left")
            button.setAccessibleName(button.text())
            button.bar(not left[kind])
            button.setChecked(kind == self._chosen)
        self._light(decision)
        self._show_placed(placed)
        unused = sum(left.values())
        stays = f"{unused} of them {'stays' if unused == 1 else 'stay'} unused"
        self.ready_button.set_detail(stays if unused else "then the set-up begins")

    @staticmethod
    def _placed(decision: Decision) -> tuple[str, ...]:
        """Return what was added so far, by name."""
        return tuple(
            choice.name
            for group in decision.options.side_groups
            for choice in decision.options.of(group)
            if isinstance(choice, RemoveExtra)
        )

    def _light(self, decision: Decision) -> None:
        """Light the squares for what is chosen, each with the sides that it can stand on."""
        self.places = {}
        for group in decision.options.groups:
            for choice in decision.options.of(group):
                if self._chosen == "door" and isinstance(choice, PlaceDoor):
                    x, y = choice.square
                    side = _side(choice.side)
                    dx, dy = STEP[side]
                    # A door is struck from both its squares, so it can be chosen from both.
                    self.places.setdefault((x, y), {})[side] = choice
                    self.places.setdefault((x + dx, y + dy), {})[OPPOSITE[side]] = choice
                elif self._chosen == "computer" and isinstance(choice, PlaceComputer):
                    self.places.setdefault(choice.square, {})[_side(choice.side)] = choice
        self._board.set_lit({square: " ".join(sides) for square, sides in self.places.items()})
        clear_layout(self._sides)
        self._hint.setText(
            f"Click a lit square for the {TITLES[self._chosen].lower()}; its letters name the sides."
            if self._chosen
            else "All is added."
        )

    def _show_placed(self, placed: tuple[str, ...]) -> None:
        clear_layout(self._added)
        self._added_head.setText("Added so far:" if placed else "Nothing is added yet.")
        for name in placed:
            words = thing(name)
            button = ActionButton(f"{words[:1].upper()}{words[1:]}", "take it away again")
            button.clicked.connect(partial(self._submit, RemoveExtra(name)))
            self._added.addWidget(button)

    # What the player does.

    def choose(self, kind: str, *_: object) -> None:
        """Choose what the next click on the board adds; what is used up says so."""
        decision = self._decision()
        if decision is None:
            return
        button = self.kind_buttons[kind]
        if button.is_barred:
            self._say(IllegalChoice(f"no {TITLES[kind].lower()} is left to add", "7.4"))
            return
        self._say(None)
        self._chosen = kind
        for name, one in self.kind_buttons.items():
            one.setChecked(name == kind)
        self._light(decision)

    @Slot(object)
    def _clicked(self, square: Square) -> None:
        if not self.is_wanted:
            return
        sides = self.places.get(square, {})
        if not sides:
            self._asked_why(square)
        elif len(sides) == 1:
            self._submit(*sides.values())
        else:
            self._ask_side(square, sides)

    def _ask_side(self, square: Square, sides: dict[Side, Extra]) -> None:
        """Let the player say on which side of a square he means."""
        self._say(None)
        clear_layout(self._sides)
        self._hint.setText(f"On which side of {square[0]},{square[1]}? Esc for another square.")
        for side, choice in sides.items():
            button = ActionButton(COMPASS_NAMES[side].capitalize())
            button.set_key(side)
            button.clicked.connect(partial(self._submit, choice))
            self._sides.addWidget(button)
        self._board.set_lit({square: " ".join(sides)})
        self.side_buttons[0].setFocus()

    @Slot()
    def cancel_choice(self) -> bool:
        """Ask for no side any more; return whether one was asked for."""
        was_asked = bool(self.side_buttons)
        decision = self._decision()
        if decision is not None:
            self._light(decision)
            self._board.setFocus()
        return was_asked

    def _submit(self, choice: Extra | RemoveExtra, *_: object) -> None:
        if not self.is_wanted:
            return
        self._say(None)
        cursor = self._board.cursor_square
        self._session.submit(choice)
        if cursor is not None and self.is_wanted:
            # The board was drawn anew with what was added; whoever works by keys goes on where he was.
            self._board.setFocus()
            self._board.set_cursor_square(cursor)

    @Slot()
    def _submit_ready(self) -> None:
        self._say(None)
        self._session.submit(Ready())

    # Why not.

    @Slot(object)
    def _asked_why(self, square: Square) -> None:
        if not self.is_wanted or not self._chosen:
            return
        make = PlaceDoor if self._chosen == "door" else PlaceComputer
        refusals = [self._session.why(make(square, side)) for side in STEP]
        self._say(None if None in refusals else refusals[0])

    @Slot(object)
    def _refused(self, refusal: IllegalChoice) -> None:
        if self.is_wanted:
            self._say(refusal)

    def _say(self, refusal: IllegalChoice | None) -> None:
        self._why.setVisible(refusal is not None)
        text = ""
        if refusal is not None:
            text = f"{escaped(refusal.reason[:1].upper() + refusal.reason[1:])}. {rule_link(refusal.rule)}"
        self._why.setText(text)


def _side(word: str) -> Side:
    return next(side for side in STEP if side == word)


def _buttons(layout: QLayout) -> list[ActionButton]:
    items = (layout.itemAt(at) for at in range(layout.count()))
    widgets = (item.widget() for item in items if item is not None)
    return [widget for widget in widgets if isinstance(widget, ActionButton)]
