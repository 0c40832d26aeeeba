"""The settings by section: look, sound, pace, recap, and how often the program asks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QFrame,
    QScrollArea,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.panels.dressed import Dressed
from app.panels.widgets import ActionButton, Bar, Label, row, rule_link
from app.settings import PACES, TEXT_SCALES, VOLUMES, Settings

if TYPE_CHECKING:
    from app.settings import SettingsStore

THEMES: Final = (
    ("auto", "As the system has it"),
    ("light", "Light – printed paper"),
    ("dark", "Dark – blueprint"),
    ("contrast", "High contrast"),
)
HANDLE: Final = 20  # pixels a slider needs for its handle
TEXT_STEPS: Final = 20  # of the slider in a factor of 1: 5 % each
LARGE_TEXT: Final = 20  # pixels; above it a label and its control no longer fit side by side
SCREEN_SHARE: Final = 0.92  # of the screen, leaving a window's frame its room
SPEEDS: Final = ((0.0, "Off"), (0.5, "Slow"), (1.0, "Normal"), (2.0, "Fast"))
RECAPS: Final = (
    ("animated", "On the board, with text beside it"),
    ("text", "As text only"),
    ("off", "Not at all (a button is always at hand)"),
)
TRIED: Final = (("reveal", 0.0), ("dice", 0.7), ("hit", 1.1))  # sound and its beginning in seconds
RELEASES: Final = (
    ("told", "Never (use the button)"),
    ("phases", "Once a phase"),
    ("always", "Whenever possible"),
)


def _nearest(speed: float) -> int:
    return min(range(len(SPEEDS)), key=lambda at: abs(SPEEDS[at][0] - speed))


class SettingsDialog(Dressed, QDialog):
    """Changes settings at once, so that their effect is seen behind the dialog."""

    def __init__(self, store: SettingsStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self._store = store
        self._is_showing = False
        self._text_size = 0
        self._forms: list[QFormLayout] = []
        self._labels: list[Label] = []
        self._make_controls()
        self._follow_controls()
        self._lay_out()
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus)
        store.changed.connect(self._show)
        self._show()
        self.dress()

    def _make_controls(self) -> None:
        self.theme = self._combo("Colours", THEMES)
        lowest, highest = (round(end * TEXT_STEPS) for end in TEXT_SCALES)
        self.text_scale = self._slider("Text size", lowest, highest, 4)
        self._text_scale_label = Label("", wraps=False)
        self.colours_button = ActionButton("Check colours…")
        self.colours_button.set_detail("see the screen as other eyes see it")
        self.colours_button.clicked.connect(self._on_colours)
        self.sound = self._check_box("Play sounds")
        self.volume = self._slider("Volume", *VOLUMES, 10)
        self._volume_label = Label("", wraps=False)
        self.try_button = ActionButton("Try")
        self.try_button.setAccessibleName("Try the sounds at this volume")
        self.try_button.clicked.connect(self._on_try)
        self.speed = QComboBox()
        self.speed.setAccessibleName("Animations")
        for _, text in SPEEDS:
            self.speed.addItem(text)
        self.pace = self._slider("Time between the computer's choices", PACES[0] // 100, PACES[1] // 100, 5)
        self._pace_label = Label("", wraps=False)
        self.recap = self._combo("How to tell what happened since you last looked", RECAPS)
        self.release = self._combo("When to ask about releasing the CloneMaster", RELEASES)
        self.heart_first = self._check_box("Mountain Heart first, without asking")
        self.coach = self._check_box("Coach in combats")
        self.defaults_button = ActionButton("Back to the defaults")
        self.defaults_button.clicked.connect(self._to_defaults)
        self.close_button = ActionButton("Close", "", is_main=True)
        self.close_button.clicked.connect(self.accept)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._scroll = self._sections()
        layout.addWidget(self._scroll, 1)
        layout.addWidget(Bar())
        layout.addLayout(row(self.defaults_button, self.close_button, margin=theme.SPACE))

    def _sections(self) -> QScrollArea:
        """Return all groups of settings, one below the other."""
        inner = QWidget()
        inside = QVBoxLayout(inner)
        inside.setContentsMargins(*(theme.SPACE * 2,) * 4)
        inside.setSpacing(theme.SPACE)
        self._section(
            inside,
            "Look",
            ("Colours", self.theme),
            ("Text size", self._with(self.text_scale, self._text_scale_label)),
            ("Colour vision", self.colours_button),
        )
        self._section(
            inside,
            "Sound",
            ("Sounds", self.sound),
            ("Volume", self._with(self.volume, self._volume_label, self.try_button)),
        )
        self._section(
            inside,
            "Pace",
            ("Animations and dice", self.speed),
            ("Computer's pace", self._with(self.pace, self._pace_label)),
        )
        self._section(inside, "Recap", ("Since you last looked", self.recap))
        self._section(
            inside,
            "Play",
            (f"Ask about the CloneMaster's release {rule_link('R13')}", self.release),
            (f"Injuries {rule_link('R24')}", self.heart_first),
            (f"Tactics counters {rule_link('5.4')}", self.coach),
        )
        note = Label(
            "With two players at one screen injuries are always asked for: a question left out would tell "
            "the other what there was to lose.",
            "small",
            is_soft=True,
        )
        inside.addWidget(note)
        inside.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(inner)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The tab key goes through the settings themselves.
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return scroll

    @Slot(QWidget, QWidget)
    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        """Bring whatever has the focus into sight whole."""
        if now is not None and self._scroll.isAncestorOf(now):
            self._scroll.ensureWidgetVisible(now, theme.SPACE, theme.SPACE)

    def _dress(self) -> None:
        is_large = theme.size("body") > LARGE_TEXT
        policy = QFormLayout.RowWrapPolicy
        # In one column across the sections, as long as they stand beside their controls.
        widest = 0 if is_large else max(label.sizeHint().width() for label in self._labels)
        for label in self._labels:
            label.setMinimumWidth(widest)
        for form in self._forms:
            form.setRowWrapPolicy(policy.WrapAllRows if is_large else policy.WrapLongRows)
        if self._text_size != theme.size("body"):
            self._text_size = theme.size("body")
            self._take_room()

    def _take_room(self) -> None:
        """Give the text in force the room it needs, as far as the screen has it."""
        body = self._text_size
        room = self.screen().availableGeometry()
        wanted = QSize(min(body * 48, 1240), min(body * 48, 680))
        self.resize(wanted.boundedTo(room.size() * SCREEN_SHARE))
        if self.isVisible():
            place = self.frameGeometry()
            place.moveRight(min(place.right(), room.right()))
            place.moveBottom(min(place.bottom(), room.bottom()))
            self.move(max(place.left(), room.left()), max(place.top(), room.top()))

    def _section(self, inside: QVBoxLayout, title: str, *rows: tuple[str, QWidget]) -> None:
        """Add a titled group of settings."""
        if self._forms:
            inside.addSpacing(theme.SPACE)
        inside.addWidget(Label(title, "title", is_title=True))
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setVerticalSpacing(theme.SPACE)
        form.setContentsMargins(theme.SPACE * 2, 0, 0, 0)
        for text, widget in rows:
            label = Label(text, is_rich=True, wraps=False)
            self._labels.append(label)
            form.addRow(label, widget)
        self._forms.append(form)
        inside.addLayout(form)

    @staticmethod
    def _check_box(text: str) -> QCheckBox:
        box = QCheckBox(text)
        box.setAccessibleName(text)
        return box

    @staticmethod
    def _slider(name: str, lowest: int, highest: int, page: int) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(lowest, highest)
        slider.setPageStep(page)
        slider.setAccessibleName(name)
        slider.setMinimumSize(120, HANDLE)
        return slider

    @staticmethod
    def _combo(name: str, rows: tuple[tuple[str, str], ...]) -> QComboBox:
        combo = QComboBox()
        combo.setAccessibleName(name)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(16)
        for value, text in rows:
            combo.addItem(text, value)
        return combo

    @staticmethod
    def _with(slider: QSlider, *others: QWidget) -> QWidget:
        box = QWidget()
        layout = row(slider, *others)
        layout.setStretch(0, 1)
        box.setLayout(layout)
        return box

    @Slot()
    def _show(self) -> None:
        now = self._store.now
        self._is_showing = True
        self.theme.setCurrentIndex(self.theme.findData(now.theme))
        self.text_scale.setValue(round(now.text_scale * TEXT_STEPS))
        self.sound.setChecked(now.sound)
        self.volume.setValue(now.volume)
        self.volume.setEnabled(now.sound)
        self.try_button.setEnabled(now.sound)
        self._volume_label.setText(f"{now.volume} %")
        self.speed.setCurrentIndex(_nearest(now.animation_speed))
        self.pace.setValue(now.pace // 100)
        self.recap.setCurrentIndex(self.recap.findData(now.recap))
        self.release.setCurrentIndex(self.release.findData(now.ask_release))
        self.heart_first.setChecked(now.heart_first)
        self.coach.setChecked(now.coach)
        self._text_scale_label.setText(f"{round(now.text_scale * 100)} %")
        self._pace_label.setText(f"{now.pace / 1000:.1f} s")
        self._is_showing = False

    def _follow_controls(self) -> None:
        """Have each control change its own setting and no other, which may lie between two of its steps."""
        for name, combo in (("theme", self.theme), ("recap", self.recap), ("ask_release", self.release)):
            combo.currentIndexChanged.connect(partial(self._set_from, name, combo.itemData))
        for name, box in (("sound", self.sound), ("heart_first", self.heart_first), ("coach", self.coach)):
            box.toggled.connect(partial(self._set_from, name, bool))
        self.text_scale.valueChanged.connect(
            partial(self._set_from, "text_scale", lambda value: value / TEXT_STEPS)
        )
        self.volume.valueChanged.connect(partial(self._set_from, "volume", int))
        self.speed.currentIndexChanged.connect(
            partial(self._set_from, "animation_speed", lambda at: SPEEDS[at][0])
        )
        self.pace.valueChanged.connect(partial(self._set_from, "pace", lambda value: value * 100))

    def _set_from(self, name: str, setting: Callable[[int], object], shown: int) -> None:
        """Change a setting to what its control now shows."""
        if not self._is_showing:
            self._store.set(**{name: setting(shown)})

    @Slot()
    def _on_try(self) -> None:
        from app import sounds

        for name, after in TRIED:
            sounds.player().play(name, sounds.loudness(self._store.now.volume), after)

    @Slot()
    def _on_colours(self) -> None:
        from app.dialogs.colours import ColoursDialog

        window = self.parentWidget()
        dialog = ColoursDialog(window if window is not None else self, self)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot()
    def _to_defaults(self) -> None:
        fresh = Settings()
        self._store.set(
            theme=fresh.theme,
            text_scale=fresh.text_scale,
            animation_speed=fresh.animation_speed,
            sound=fresh.sound,
            volume=fresh.volume,
            pace=fresh.pace,
            recap=fresh.recap,
            heart_first=fresh.heart_first,
            coach=fresh.coach,
            ask_release=fresh.ask_release,
        )


def open_settings(store: SettingsStore, parent: QWidget) -> None:
    """Open the settings over a window."""
    dialog = SettingsDialog(store, parent)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
