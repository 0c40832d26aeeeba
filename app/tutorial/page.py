"""A lesson on the screen: the ordinary game page with the lesson's strip above it."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from app import theme
from app.game_page import GamePage
from app.panels.dressed import Dressed
from app.panels.widgets import ActionButton, Bar, Pressable
from app.settings import SettingsStore
from app.tutorial.lesson import Lesson
from app.tutorial.panel import LessonPanel, key_of_button
from app.tutorial.pointer import BoardRings, Rings
from app.tutorial.session import LessonSession
from app.tutorial.walkthrough import Stage
from engine.core.decision import Choice, IllegalChoice
from engine.raid import choices as c

CHOICES_LINES = 7  # of body text, the least that shows a choice; the rest scrolls
LOW = 21  # lines of body text; a game page lower than this shows the choices alone


class LessonPage(Dressed, QWidget):
    """One lesson being gone through, from a step on that counts from 0."""

    left = Signal()
    newWanted = Signal()
    startWanted = Signal()

    def __init__(
        self, lesson: Lesson, store: SettingsStore, parent: QWidget | None = None, *, step: int = 0
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(f"Lesson: {lesson.title}")
        self.session = LessonSession(lesson, store, self, step=step)
        self.game_page = GamePage(self.session, store)
        self.panel = LessonPanel(self.session, self.game_page)
        self.rings = Rings()
        self.board_rings = BoardRings(self.game_page.board_view)
        self._docks = "usual"
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.panel)
        layout.addWidget(Bar())
        layout.addWidget(self.game_page, 1)
        self.panel.leaveWanted.connect(self.left)
        ways_on = self.game_page.decision_panel
        ways_on.replayWanted.connect(self._on_replay)
        ways_on.newWanted.connect(self.newWanted)
        ways_on.startWanted.connect(self.startWanted)
        # Buttons are made while the game tells of a change; pointing at them comes after.
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self.point)
        self.session.changed.connect(self._later.start)
        self.session.moved.connect(self._on_moved)
        self.session.hurried.connect(self.game_page.skip)
        self.game_page.seat.selectionChanged.connect(self._later.start)
        self.dress()

    def start(self) -> None:
        """Begin the lesson."""
        self.session.start()
        self.game_page.board_view.setFocus()
        self.panel.refresh()
        self.point()

    def end(self) -> None:
        """Let go of the game."""
        self._later.stop()
        self.game_page.end()

    @Slot()
    def _on_replay(self) -> None:
        while self.session.way.can_go_back:
            self.session.back()

    @Slot()
    def _on_moved(self) -> None:
        wanted = self.session.way.wanted
        if any(isinstance(one, c.Move | c.Enter) for one in wanted):
            self.game_page.board_view.setFocus()
        self._later.start()

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Say of a key that chooses nothing here what the lesson waits for instead."""
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        is_letter = bool(event.text().strip()) and event.text().isprintable()
        way = self.session.way
        if not (is_return or is_letter) or self.session.is_late or way.stage is Stage.DONE:
            super().keyPressEvent(event)
            return
        waiting = IllegalChoice(f"that key does nothing in this step. {self.panel.to_do}", "-")
        self.session.refused.emit(way.why_not() or waiting)

    # Pointing

    @Slot()
    def point(self) -> None:
        """Ring what this step is about and what is to be done, and tell the keys that do it."""
        if self.session.is_late:
            return
        way = self.session.way
        wanted = way.wanted
        show = way.step.show if way.stage is not Stage.DONE else ()
        names = [*show, *(one for choice in wanted for one in self._squares_of(choice))]
        self.board_rings.show_names(names)
        buttons, keys = self._buttons_for(wanted)
        self.rings.show_around(buttons, self._panels_of(show))
        self.panel.set_keys(keys)
        for area in self.game_page.decision_panel.findChildren(QScrollArea):
            area.verticalScrollBar().setValue(0)
        for button in reversed(buttons):
            _bring_into_view(button)

    def _panels_of(self, words: tuple[str, ...]) -> list[QWidget]:
        page = self.game_page
        docks = {"sheets": page.sheets_dock, "log": page.log_dock}
        found: list[QWidget] = [page.track] if "track" in words else []
        lower = [dock for word, dock in docks.items() if word in words]
        if not lower:
            self._arrange_docks("alone" if self._is_low else "usual")
        else:
            self._arrange_docks("usual" if self.session.way.step.tasks else "look")
        for dock in lower:
            dock.show()
            dock.raise_()
        return [*found, *lower]

    @property
    def _is_low(self) -> bool:
        """Whether the page has no height for choices and log one below the other."""
        return self.game_page.height() < theme.size("body") * LOW

    def _arrange_docks(self, wanted: str) -> None:
        """Share the height beside the board.

        "usual" as in any game, "look" most of it for the log and the sheets, "alone" all for the choices.
        """
        if wanted == self._docks:
            return
        self._docks = wanted
        page = self.game_page
        page.decision_dock.setVisible(wanted != "look" or not self._is_low)
        page.log_dock.setVisible(wanted != "alone")
        page.sheets_dock.setVisible(wanted != "alone")
        if wanted == "alone":
            return
        page.arrange()
        if wanted == "look":
            docks = [page.decision_dock, page.log_dock]
            page.resizeDocks(docks, [1, page.height()], Qt.Orientation.Vertical)

    def _squares_of(self, choice: Choice) -> list[str]:
        if isinstance(choice, c.Move):
            return [f"{choice.path[-1][0]},{choice.path[-1][1]}"]
        if isinstance(choice, c.Enter | c.Station):
            board = self.session.board
            at = [board.xy(one.square) for one in board.entries if one.name == choice.entry]
            return [f"{x},{y}" for x, y in at]
        return []

    def _buttons_for(self, wanted: tuple[Choice, ...]) -> tuple[list[Pressable], dict[Choice, str]]:
        """Return the buttons that make these choices, and the keys of those that have one."""
        buttons: list[Pressable] = []
        keys: dict[Choice, str] = {}
        page = self.game_page
        offered: list[ActionButton] = [*page.decision_panel.buttons, *page.fight_panel.buttons()]
        for button in offered:
            choice = getattr(button, "choice", None) or button.property("choice")
            if isinstance(choice, c.RaidChoice) and choice in wanted:
                buttons.append(button)
                keys[choice] = key_of_button(button)
        hands = [one for one in wanted if isinstance(one, c.ChooseCounters)]
        for hand in hands:
            to_press = self._counters_for(hand)
            buttons += to_press
            pressed = [key_of_button(one) for one in to_press]
            keys[hand] = " ".join(key for key in pressed if key)
        if hands and page.fight_panel.pickers:
            commit = [one for one in offered if one.is_main and "Ctrl" in one.shortcut().toString()]
            buttons += commit
            last = hands[-1]
            keys[last] = ", then ".join((keys[last], *(key_of_button(one) for one in commit)))
        return buttons, keys

    def _counters_for(self, hand: c.ChooseCounters) -> list[Pressable]:
        """Return the picker's buttons that make a hand."""
        missing = list(hand.counters)
        found: list[Pressable] = []
        for picker in self.game_page.fight_panel.pickers:
            if picker.figure.name != hand.figure:
                continue
            for button in picker.buttons:
                if button.counter in missing:
                    missing.remove(button.counter)
                    found.append(button)
        return found

    # Size

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.panel.fit()

    def _fit_choices(self) -> None:
        """Let the choices be low enough for the lesson to have room above them in large text."""
        self.game_page.decision_panel.setMinimumHeight(theme.size("body") * CHOICES_LINES)

    def _dress(self) -> None:
        self._fit_choices()
        # Buttons are made anew for another look.
        self._later.start()


def _bring_into_view(widget: QWidget) -> None:
    """Scroll to a widget if it is out of sight in what it lies in."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(widget, theme.SPACE, theme.SPACE)
            return
        parent = parent.parentWidget()
