"""The settings: look, text size, speed, and how often the program asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtWidgets import (
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
from app.panels.widgets import THEME_EVENTS, ActionButton, Label, row, rule_link
from app.settings import PACES, TEXT_SCALES, Settings

if TYPE_CHECKING:
    from app.settings import SettingsStore

THEMES: Final = (
    ("auto", "As the system has it"),
    ("light", "Light – printed paper"),
    ("dark", "Dark – blueprint"),
    ("contrast", "High contrast"),
)
LARGE_TEXT: Final = 20  # pixels; above it a label and its control no longer fit side by side
SCREEN_SHARE: Final = 0.92  # of the screen, leaving a window's frame its room
SPEEDS: Final = ((0.0, "Off"), (0.5, "Slow"), (1.0, "Normal"), (2.0, "Fast"))
RELEASES: Final = (
    ("told", "Never (use the button)"),
    ("phases", "Once a phase"),
    ("always", "Whenever possible"),
)


def _nearest(speed: float) -> int:
    return min(range(len(SPEEDS)), key=lambda at: abs(SPEEDS[at][0] - speed))


class SettingsDialog(QDialog):
    """Changes settings at once, so that their effect is seen behind the dialog."""

    def __init__(self, store: SettingsStore, parent: QWidget | None = None) -> None:
        self._text_size = theme.size("body")  # first: change events come from here on
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self._store = store
        self._is_showing = False
        self.theme = self._combo("Look", THEMES)
        self.text_scale = QSlider(Qt.Orientation.Horizontal)
        self.text_scale.setRange(round(TEXT_SCALES[0] * 10), round(TEXT_SCALES[1] * 10))
        self.text_scale.setPageStep(2)
        self.text_scale.setAccessibleName("Text size")
        self.text_scale.setMinimumWidth(120)
        self._text_scale_label = Label("", wraps=False)
        self.speed = QComboBox()
        self.speed.setAccessibleName("Animations")
        for _, text in SPEEDS:
            self.speed.addItem(text)
        self.pace = QSlider(Qt.Orientation.Horizontal)
        self.pace.setRange(PACES[0] // 100, PACES[1] // 100)
        self.pace.setPageStep(5)
        self.pace.setAccessibleName("Time between the computer's choices")
        self.pace.setMinimumWidth(120)
        self._pace_label = Label("", wraps=False)
        self.release = self._combo("When to ask about releasing the CloneMaster", RELEASES)
        self.heart_first = QCheckBox("Give injuries to Mountain Heart without asking")
        self.heart_first.setAccessibleName(self.heart_first.text())
        for signal in (
            self.theme.currentIndexChanged,
            self.text_scale.valueChanged,
            self.speed.currentIndexChanged,
            self.pace.valueChanged,
            self.release.currentIndexChanged,
        ):
            signal.connect(self._changed)
        self.heart_first.toggled.connect(self._changed)
        self._form = form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setVerticalSpacing(theme.SPACE * 2)
        form.addRow(Label("Look", wraps=False), self.theme)
        form.addRow(Label("Text size", wraps=False), self._with(self.text_scale, self._text_scale_label))
        form.addRow(Label("Animations and dice", wraps=False), self.speed)
        form.addRow(Label("Computer's pace", wraps=False), self._with(self.pace, self._pace_label))
        release_label = Label(f"Ask about the CloneMaster's release {rule_link('R13')}", wraps=False)
        form.addRow(release_label, self.release)
        form.addRow(Label(f"Injuries {rule_link('R24')}", wraps=False), self.heart_first)
        note = Label(
            "With two players at one screen injuries are always asked for: a question left out would tell "
            "the other what there was to lose.",
            "small",
            is_soft=True,
        )
        inner = QWidget()
        inside = QVBoxLayout(inner)
        inside.setContentsMargins(*(theme.SPACE * 2,) * 4)
        inside.addWidget(Label("Settings", "title", is_title=True))
        inside.addLayout(form)
        inside.addWidget(note)
        inside.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(inner)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        self.defaults_button = ActionButton("Back to the defaults")
        self.defaults_button.clicked.connect(self._to_defaults)
        self.close_button = ActionButton("Close", "", is_main=True)
        self.close_button.clicked.connect(self.accept)
        buttons = row(self.defaults_button, self.close_button, margin=theme.SPACE)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll, 1)
        layout.addLayout(buttons)
        store.changed.connect(self._show)
        self._show()
        self._suit_text()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in THEME_EVENTS and self._text_size != theme.size("body"):
            self._suit_text()

    def _suit_text(self) -> None:
        """Give the text in force the room it needs, as far as the screen has it."""
        self._text_size = body = theme.size("body")
        is_large = body > LARGE_TEXT
        policy = QFormLayout.RowWrapPolicy
        self._form.setRowWrapPolicy(policy.WrapAllRows if is_large else policy.WrapLongRows)
        room = self.screen().availableGeometry()
        wanted = QSize(min(body * 40, 1240), min(body * 31, 680))
        self.resize(wanted.boundedTo(room.size() * SCREEN_SHARE))
        if self.isVisible():
            place = self.frameGeometry()
            place.moveRight(min(place.right(), room.right()))
            place.moveBottom(min(place.bottom(), room.bottom()))
            self.move(max(place.left(), room.left()), max(place.top(), room.top()))

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
    def _with(slider: QSlider, label: Label) -> QWidget:
        box = QWidget()
        layout = row(slider, label)
        layout.setStretch(0, 1)
        box.setLayout(layout)
        return box

    @Slot()
    def _show(self) -> None:
        now = self._store.now
        self._is_showing = True
        self.theme.setCurrentIndex(self.theme.findData(now.theme))
        self.text_scale.setValue(round(now.text_scale * 10))
        self.speed.setCurrentIndex(_nearest(now.animation_speed))
        self.pace.setValue(now.pace // 100)
        self.release.setCurrentIndex(self.release.findData(now.ask_release))
        self.heart_first.setChecked(now.heart_first)
        self._text_scale_label.setText(f"{round(now.text_scale * 100)} %")
        self._pace_label.setText(f"{now.pace / 1000:.1f} s")
        self._is_showing = False

    @Slot()
    def _changed(self) -> None:
        if self._is_showing:
            return
        changes: dict[str, object] = {
            "theme": self.theme.currentData(),
            "text_scale": self.text_scale.value() / 10,
            "pace": self.pace.value() * 100,
            "ask_release": self.release.currentData(),
            "heart_first": self.heart_first.isChecked(),
        }
        if _nearest(self._store.now.animation_speed) != self.speed.currentIndex():
            changes["animation_speed"] = SPEEDS[self.speed.currentIndex()][0]
        self._store.set(**changes)

    @Slot()
    def _to_defaults(self) -> None:
        fresh = Settings()
        self._store.set(
            theme=fresh.theme,
            text_scale=fresh.text_scale,
            animation_speed=fresh.animation_speed,
            pace=fresh.pace,
            heart_first=fresh.heart_first,
            ask_release=fresh.ask_release,
        )
