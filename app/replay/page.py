"""A game gone through again: step, play, jump, with either side's eyes or with all secrets open."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QHBoxLayout,
    QMessageBox,
    QSlider,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.board.scene import BoardView
from app.markup import as_text
from app.panels.dressed import Dressed
from app.panels.turn_track import TurnTrack
from app.panels.widgets import ActionButton, FlowLayout, Label, PromptKey
from app.replay.moment import MomentPanel
from app.replay.script import Script, lines_of
from app.settings import SettingsStore
from engine.raid.events import CombatBegan, PhaseBegan
from engine.raid.view import PHASE_NAMES

if TYPE_CHECKING:
    from app.replay.play_on import PlayOnDialog
    from engine.raid.match import RaidReplay

EYES = (
    ("Everything open", "open"),
    ("The Terminator's eyes", "terminator"),
    ("The CloneMaster's eyes", "clonemaster"),
    ("What both sides see", "public"),
)
STEP_TIME = 900  # ms between two choices at speed 1
SLIDER = 20  # times the size of the text that the slider needs to stand beside the buttons
NOT_SAVED = "The new game cannot be saved."
KEYS = (
    "Space plays and pauses, Ctrl+Left and Ctrl+Right step, Ctrl+Shift+Left and Right go by phases, "
    "Ctrl+Page Up and Down by turns, F3 and Shift+F3 by combats."
)


class _Button(PromptKey, ActionButton):
    """A button of the replay's: Space pauses at once what runs on."""


class ReplayPage(Dressed, QWidget):
    """The replay of one record.

    Only a finished game opens its secrets; of another one only what everybody knows is shown. `playOn`
    carries the new game that is to be played on from here, `afterWanted` the replay whose story is asked for.
    """

    left = Signal()
    playOn = Signal(object)
    afterWanted = Signal(object)

    def __init__(self, replay: RaidReplay, store: SettingsStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.replay = replay
        self.store = store
        self.setAccessibleName("Replay")
        self.setAccessibleDescription(KEYS)
        self.play_on_dialog: PlayOnDialog | None = None
        self._is_playing = False
        self._turn_places: list[int] = []
        self._phase_places: list[int] = []
        self._combat_places: list[int] = []
        self._seen_places: list[int] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_tick)
        self._steps = QWidget()
        self._controls = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._make_pictures()
        self._make_ways()
        self._make_controls()
        self._lay_out()
        store.changed.connect(self._on_settings)
        self._on_settings()
        self._on_eyes()
        self.dress()

    @property
    def viewer(self) -> str:
        """Whose eyes look on."""
        return str(self.eyes.currentData())

    @property
    def is_playing(self) -> bool:
        """Whether the replay runs by itself."""
        return self._is_playing

    # Making.

    def _make_pictures(self) -> None:
        self.board_view = BoardView()
        self._board = self.replay.board
        self.board_view.set_board(self._board)
        self.track = TurnTrack()
        self.moment = MomentPanel()
        self.script = Script()
        self.script.momentChosen.connect(self.jump)
        self.eyes = QComboBox()
        self.eyes.setAccessibleName("Whose eyes")
        for text, viewer in EYES:
            if self.replay.may_open or viewer == "public":
                self.eyes.addItem(text, viewer)
        self.eyes.currentIndexChanged.connect(self._on_eyes)

    def _make_ways(self) -> None:
        """Make the lists and keys that lead to turns, phases and combats."""
        self.phases = self._jumps("Jump to a turn or phase")
        self.combats = self._jumps("Jump to a combat")
        self._fill_jumps()
        self._ways: dict[QShortcut, tuple[Sequence[int], int]] = {}
        for key, places, way in (
            ("Ctrl+Shift+Left", self._phase_places, -1),
            ("Ctrl+Shift+Right", self._phase_places, 1),
            ("Ctrl+PgUp", self._turn_places, -1),
            ("Ctrl+PgDown", self._turn_places, 1),
            ("Shift+F3", self._combat_places, -1),
            ("F3", self._combat_places, 1),
        ):
            self._key(key, places, way)

    def _make_controls(self) -> None:
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Position in the game")
        self.slider.setRange(0, self.replay.length)
        self.slider.valueChanged.connect(self.jump)
        self.where = Label(wraps=False)
        self.first_button = self._button("Start", "Home", self._on_first)
        self.back_button = self._button("Back", "Ctrl+Left", self._on_back)
        self.play_button = self._button("Play", "Space", self._on_play)
        self.next_button = self._button("Step", "Ctrl+Right", self._on_next)
        self.last_button = self._button("End", "End", self._on_last)
        self.play_on_button = self._button("Play on from here…", "Ctrl+G", self._on_play_on)
        self.after_button = self._button("What happened", "Ctrl+H", self._on_after)
        # Luck and turning points are told of finished games only.
        self.after_button.setVisible(self.replay.may_open)
        self.leave_button = self._button("Leave the replay", "Esc", self._on_leave)

    def _lay_out(self) -> None:
        left = QWidget()
        stage = QVBoxLayout(left)
        stage.setContentsMargins(0, 0, 0, 0)
        stage.setSpacing(0)
        stage.addWidget(self.board_view, 1)
        stage.addWidget(self.moment)
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(theme.SPACE, theme.SPACE, theme.SPACE, theme.SPACE)
        column.setSpacing(theme.SPACE)
        column.addWidget(self.eyes)
        column.addWidget(self.phases)
        column.addWidget(self.combats)
        column.addWidget(self.script, 1)
        column.addWidget(self.after_button)
        column.addWidget(self.play_on_button)
        column.addWidget(self.leave_button)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(left)
        splitter.addWidget(side)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        controls = self._controls
        controls.setContentsMargins(theme.SPACE, theme.SPACE, theme.SPACE, theme.SPACE)
        controls.setSpacing(theme.SPACE)
        flow = FlowLayout(self._steps)
        for button in self._step_buttons():
            flow.addWidget(button)
        position = QHBoxLayout()
        position.setSpacing(theme.SPACE)
        position.addWidget(self.slider, 1)
        position.addWidget(self.where)
        controls.addLayout(position, 1)
        controls.addWidget(self._steps)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.track)
        layout.addWidget(splitter, 1)
        layout.addLayout(controls)

    def _step_buttons(self) -> tuple[ActionButton, ...]:
        return self.first_button, self.back_button, self.play_button, self.next_button, self.last_button

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._suit()

    def _dress(self) -> None:
        self._suit()

    def _suit(self) -> None:
        """Put the slider above the buttons where there is no room for both side by side."""
        room = sum(button.sizeHint().width() + theme.SPACE for button in self._step_buttons())
        is_wide = self.width() >= room + theme.size("body") * SLIDER
        self._steps.setMinimumWidth(room if is_wide else 0)
        way = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        if way != self._controls.direction():
            self._controls.setDirection(way)

    def _button(self, text: str, key: str, slot: Callable[[], None]) -> ActionButton:
        button = _Button(text)
        button.setAccessibleName(text.rstrip("…"))
        button.set_key(key)
        button.clicked.connect(slot)
        return button

    def _jumps(self, name: str) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        box.addItem(name, -1)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(12)
        box.activated.connect(self._on_jump)
        return box

    def _key(self, key: str, places: Sequence[int], way: int) -> None:
        shortcut = QShortcut(QKeySequence(key), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(self._on_way)
        self._ways[shortcut] = (places, way)

    def _fill_jumps(self) -> None:
        """List the turns, phases and combats; they are public."""
        turn = -1
        when = ""
        for position, event in self.replay.timeline("public"):
            if isinstance(event, PhaseBegan):
                when = f"Turn {event.turn}, {PHASE_NAMES[event.phase]}"
                self.phases.addItem(when, position)
                self._phase_places.append(position)
                if event.turn != turn:
                    turn = event.turn
                    self._turn_places.append(position)
            elif isinstance(event, CombatBegan):
                self.combats.addItem(f"{when}: {', '.join(event.figures)}", position)
                self._combat_places.append(position)
        self.combats.setVisible(bool(self._combat_places))
        if not self._combat_places:
            self.combats.setEnabled(False)

    # Going.

    @Slot(int)
    def go(self, position: int) -> None:
        """Show the game after that many choices; a step forwards is played on the board."""
        before = self.replay.position
        if position == before:
            return
        is_step = position in (before + 1, self._next_seen(before))
        # What is being shown ends here, and with it the wait for the next step.
        self.board_view.skip()
        self._timer.stop()
        self.replay.go(position)
        if is_step:
            self._set_board()
            self.board_view.animate(self.replay.events(self.viewer, before), self._on_shown)
        self._show()

    @Slot(int)
    def jump(self, position: int) -> None:
        """Stop playing and show the game after that many choices."""
        self._play(False)
        self.go(position)

    def _next_seen(self, position: int) -> int:
        """Return the next position that brings these eyes anything, the last one after all of them."""
        at = bisect_right(self._seen_places, position)
        return self._seen_places[at] if at < len(self._seen_places) else self.replay.length

    def _go_by(self, places: Sequence[int], way: int) -> None:
        """Go to the next of some places, or to the one before."""
        here = self.replay.position
        at = bisect_right(places, here) if way > 0 else bisect_left(places, here) - 1
        if 0 <= at < len(places):
            self.jump(places[at])
        elif way < 0:
            self.jump(0)

    def _set_board(self) -> None:
        # Doors and computers added in the set-up make another board (7.4).
        if self.replay.board is not self._board:
            self._board = self.replay.board
            self.board_view.set_board(self._board)

    def _show(self) -> None:
        viewer = self.viewer
        view = self.replay.view(viewer)
        self._set_board()
        self.board_view.show_view(view)
        self.track.show_view(view)
        position = self.replay.position
        self.script.set_position(position)
        self.moment.show_moment(position, self.script.now(), view, self.replay.events(viewer))
        self.slider.blockSignals(True)
        self.slider.setValue(position)
        self.slider.blockSignals(False)
        self.where.setText(f"{position} of {self.replay.length}")
        self.first_button.setEnabled(position > 0)
        self.back_button.setEnabled(position > 0)
        self.next_button.setEnabled(position < self.replay.length)
        self.last_button.setEnabled(position < self.replay.length)
        refusal = self.why_not_play_on()
        self.play_on_button.setEnabled(not refusal)
        self.play_on_button.setToolTip(as_text(refusal or "Begin a new game from here"))
        self.play_on_button.setAccessibleDescription(refusal)

    # Playing.

    @Slot()
    def _on_shown(self) -> None:
        if not self._is_playing:
            return
        if self.replay.position < self.replay.length:
            speed = self.store.now.animation_speed
            self._timer.start(round(STEP_TIME / speed) if speed > 0 else STEP_TIME // 3)
        else:
            self._play(False)

    @Slot()
    def _on_tick(self) -> None:
        if self._is_playing:
            self.go(self._next_seen(self.replay.position))

    def _play(self, is_playing: bool) -> None:
        if is_playing == self._is_playing:
            return
        self._is_playing = is_playing
        self.play_button.setText("Pause" if is_playing else "Play")
        self.play_button.setAccessibleName(self.play_button.text())
        if not is_playing:
            self._timer.stop()

    def pause(self) -> None:
        """Stop playing; what is being shown is shown to its end."""
        self._play(False)

    @Slot()
    def _on_play(self) -> None:
        if self._is_playing:
            self._play(False)
            return
        if self.replay.position == self.replay.length:
            self.go(0)
        self._play(True)
        self._on_tick()

    @Slot()
    def _on_first(self) -> None:
        self.jump(0)

    @Slot()
    def _on_back(self) -> None:
        self.jump(self.replay.position - 1)

    @Slot()
    def _on_next(self) -> None:
        self.jump(self.replay.position + 1)

    @Slot()
    def _on_last(self) -> None:
        self.jump(self.replay.length)

    @Slot()
    def _on_eyes(self) -> None:
        timeline = self.replay.timeline(self.viewer)
        self._seen_places = sorted({position for position, _ in timeline})
        self.script.set_lines(lines_of(timeline))
        self._show()

    @Slot()
    def _on_way(self) -> None:
        shortcut = self.sender()
        if isinstance(shortcut, QShortcut):
            self._go_by(*self._ways[shortcut])

    @Slot(int)
    def _on_jump(self, index: int) -> None:
        box = self.sender()
        if not isinstance(box, QComboBox):
            return
        position = box.itemData(index)
        box.setCurrentIndex(0)
        if position >= 0:
            self.jump(position)

    @Slot()
    def _on_settings(self) -> None:
        self.board_view.set_animation_speed(self.store.now.animation_speed)

    @Slot()
    def _on_after(self) -> None:
        self._play(False)
        self.afterWanted.emit(self.replay)

    @Slot()
    def _on_leave(self) -> None:
        self._play(False)
        self.left.emit()

    # Playing on.

    def why_not_play_on(self) -> str:
        """Return why no game can be played on from here, "" where one can."""
        if not self.replay.may_open:
            return "Only a finished game is played on from an earlier moment: this one still has its secrets."
        if self.replay.is_over_at(self.replay.position):
            return "The game is over here: go to an earlier moment."
        return ""

    @Slot()
    def _on_play_on(self) -> None:
        from app.replay.play_on import PlayOnDialog

        self._play(False)
        view = self.replay.view("public")
        phase = PHASE_NAMES[view.phase]
        moment = "the set-up" if view.phase == "set-up" else f"turn {view.turn}, {phase}"
        dialog = PlayOnDialog(self.replay.record, self.replay.position, moment, self)
        dialog.accepted.connect(self._on_play_on_accepted)
        dialog.finished.connect(dialog.deleteLater)
        self.play_on_dialog = dialog
        dialog.open()

    @Slot()
    def _on_play_on_accepted(self) -> None:
        if self.play_on_dialog is None:
            return
        try:
            match = self.play_on_dialog.new_match()
        except OSError as error:
            QMessageBox.warning(self, "Play on from here", as_text(f"{NOT_SAVED}\n\n{error}"))
            return
        self.playOn.emit(match)
