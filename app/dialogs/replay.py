"""A finished game gone through again: step, play, jump, with either side's eyes or with all secrets open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QSlider,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.board.scene import BoardView
from app.panels.log import LogView
from app.panels.turn_track import TurnTrack
from app.panels.widgets import Label
from app.settings import SettingsStore
from engine.raid.events import PhaseBegan
from engine.raid.view import PHASE_NAMES

if TYPE_CHECKING:
    from engine.raid.match import RaidReplay

EYES = (
    ("Everything open", "open"),
    ("The Terminator's eyes", "terminator"),
    ("The CloneMaster's eyes", "clonemaster"),
)
STEP_TIME = 900  # ms between two choices at speed 1


class ReplayPage(QWidget):
    """The replay of one record; keys: arrows step, Home and End jump, Space plays."""

    left = Signal()

    def __init__(self, replay: RaidReplay, store: SettingsStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.replay = replay
        self.store = store
        self.setAccessibleName("Replay")
        self.board_view = BoardView()
        self.board_view.set_board(replay.board)
        self.board_view.set_animation_speed(store.now.animation_speed)
        self.track = TurnTrack()
        self.log = LogView()
        self.eyes = QComboBox()
        self.eyes.setAccessibleName("Whose eyes")
        for text, viewer in EYES:
            if viewer != "open" or replay.may_open:
                self.eyes.addItem(text, viewer)
        self.eyes.currentIndexChanged.connect(self._on_eyes)
        self.phases = QComboBox()
        self.phases.setAccessibleName("Jump to a phase")
        self._fill_phases()
        self.phases.activated.connect(self._on_phase)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Position in the game")
        self.slider.setRange(0, replay.length)
        self.slider.valueChanged.connect(self.go)
        self.where = Label(wraps=False)
        self.first_button = self._button("Start", "Home", self._on_first)
        self.back_button = self._button("Back", "Ctrl+Left", self._on_back)
        self.play_button = self._button("Play", "Ctrl+Space", self._on_play)
        self.next_button = self._button("Step", "Ctrl+Right", self._on_next)
        self.last_button = self._button("End", "End", self._on_last)
        self.leave_button = QPushButton("&Leave the replay")
        self.leave_button.setAutoDefault(True)
        self.leave_button.clicked.connect(self._on_leave)
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(theme.SPACE, theme.SPACE, theme.SPACE, theme.SPACE)
        column.setSpacing(theme.SPACE)
        column.addWidget(self.eyes)
        column.addWidget(self.phases)
        column.addWidget(self.log, 1)
        column.addWidget(self.leave_button)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(self.board_view)
        splitter.addWidget(side)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        controls = QHBoxLayout()
        controls.setContentsMargins(theme.SPACE, theme.SPACE, theme.SPACE, theme.SPACE)
        controls.setSpacing(theme.SPACE)
        for button in (
            self.first_button,
            self.back_button,
            self.play_button,
            self.next_button,
            self.last_button,
        ):
            controls.addWidget(button)
        controls.addWidget(self.slider, 1)
        controls.addWidget(self.where)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.track)
        layout.addWidget(splitter, 1)
        layout.addLayout(controls)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_tick)
        self._is_playing = False
        self._show()

    @property
    def viewer(self) -> str:
        """Whose eyes look on."""
        return str(self.eyes.currentData())

    @property
    def is_playing(self) -> bool:
        """Whether the replay runs by itself."""
        return self._is_playing

    def _button(self, text: str, key: str, slot: object) -> QPushButton:
        button = QPushButton(text)
        button.setAccessibleName(text)
        button.setShortcut(key)
        # Outside a dialog only such a button takes Return.
        button.setAutoDefault(True)
        button.setToolTip(f"{text} ({key})")
        button.clicked.connect(slot)
        return button

    def _fill_phases(self) -> None:
        self.phases.addItem("Jump to a phase", -1)
        at = self.replay.position
        for position in range(self.replay.length + 1):
            self.replay.go(position)
            for event in (
                self.replay.events("public", position - 1) if position else self.replay.events("public")
            ):
                if isinstance(event, PhaseBegan):
                    self.phases.addItem(f"Turn {event.turn}, {PHASE_NAMES[event.phase]}", position)
        self.replay.go(at)

    @Slot(int)
    def go(self, position: int) -> None:
        """Show the game after that many choices."""
        before = self.replay.position
        if position == before:
            return
        self.replay.go(position)
        if position == before + 1 and self._is_playing:
            self.board_view.animate(self.replay.events(self.viewer, before), self._on_shown)
        self._show()

    def _show(self) -> None:
        view = self.replay.view(self.viewer)
        self.board_view.show_view(view)
        self.track.show_view(view)
        self.log.show_events(self.replay.events(self.viewer))
        position = self.replay.position
        self.slider.blockSignals(True)
        self.slider.setValue(position)
        self.slider.blockSignals(False)
        self.where.setText(f"{position} of {self.replay.length}")
        self.first_button.setEnabled(position > 0)
        self.back_button.setEnabled(position > 0)
        self.next_button.setEnabled(position < self.replay.length)
        self.last_button.setEnabled(position < self.replay.length)

    @Slot()
    def _on_shown(self) -> None:
        if self._is_playing and self.replay.position < self.replay.length:
            speed = self.store.now.animation_speed
            self._timer.start(round(STEP_TIME / speed) if speed > 0 else STEP_TIME // 3)
        else:
            self._play(False)

    @Slot()
    def _on_tick(self) -> None:
        if self._is_playing:
            self.go(self.replay.position + 1)

    def _play(self, is_playing: bool) -> None:
        self._is_playing = is_playing
        self.play_button.setText("Pause" if is_playing else "Play")
        self.play_button.setAccessibleName(self.play_button.text())
        # Qt forgets a button's key when its text changes.
        self.play_button.setShortcut("Ctrl+Space")
        if not is_playing:
            self._timer.stop()

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
        self._play(False)
        self.go(0)

    @Slot()
    def _on_back(self) -> None:
        self._play(False)
        self.go(self.replay.position - 1)

    @Slot()
    def _on_next(self) -> None:
        self._play(False)
        self.go(self.replay.position + 1)

    @Slot()
    def _on_last(self) -> None:
        self._play(False)
        self.go(self.replay.length)

    @Slot(int)
    def _on_eyes(self, index: int) -> None:
        self._show()

    @Slot(int)
    def _on_phase(self, index: int) -> None:
        position = self.phases.itemData(index)
        if position >= 0:
            self._play(False)
            self.go(position)
        self.phases.setCurrentIndex(0)

    @Slot()
    def _on_leave(self) -> None:
        self._play(False)
        self.left.emit()
