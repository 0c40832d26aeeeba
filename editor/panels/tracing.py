"""The image that a map is traced from: how strong, where, how large; of this user, never of the map."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.dialogs.switch_controls import DecimalBox
from app.panels.widgets import FlowLayout, Label
from editor.canvas.tracing import Tracing
from editor.panels.fields import Tick

FILTER: Final = "Pictures (*.png *.jpg *.jpeg *.webp *.bmp *.gif *.svg);;All files (*)"
FAR: Final = 1000.0  # squares
NO_IMAGE: Final = "No image yet. Load a scan or a sketch: it lies under the grid, and you draw over it."


class TracingPanel(QWidget):
    """Turns the tracing image. `tracing` is the one there is; `changed` follows every change of it.

    `scaleWanted` asks for two points on the map that are a known distance apart.
    """

    changed = Signal()
    scaleWanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Tracing image")
        self.tracing: Tracing | None = None
        self.name = Label(NO_IMAGE, "small", is_soft=True)
        self.load_button = QPushButton("Load…")
        self.load_button.clicked.connect(self.load)
        self.remove_button = QPushButton("Remove")
        self.remove_button.clicked.connect(self.remove)
        self.scale_button = QPushButton("Two points…")
        self.scale_button.setToolTip("Click two points of the image and say how many squares apart they are")
        self.scale_button.clicked.connect(self.scaleWanted)
        self.opacity = QSlider(Qt.Orientation.Horizontal)
        self.opacity.setRange(5, 100)
        self.opacity.setAccessibleName("Opacity, per cent")
        self.opacity.valueChanged.connect(self._on_values)
        self.left = self._number("Left edge, squares", -FAR, FAR)
        self.top = self._number("Top edge, squares", -FAR, FAR)
        self.per_square = self._number("Pixels of the image to a square", 0.5, 5000.0)
        self.lock = Tick("Locked", "The image cannot be moved")
        self.lock.chosen.connect(self.set_locked)
        buttons = QWidget()
        flow = FlowLayout(buttons, theme.SPACE // 2)
        for button in (self.load_button, self.scale_button, self.remove_button):
            flow.addWidget(button)
        grid = QGridLayout()
        grid.setSpacing(theme.SPACE // 2)
        grid.setColumnStretch(1, 1)
        for at, (words, field) in enumerate(
            (
                ("Opacity", self.opacity),
                ("Left", self.left),
                ("Top", self.top),
                ("Pixels a square", self.per_square),
            )
        ):
            grid.addWidget(Label(words, "small", is_soft=True, wraps=False), at, 0)
            grid.addWidget(field, at, 1)
        grid.addWidget(self.lock, 4, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE,) * 4)
        layout.addWidget(self.name)
        layout.addWidget(buttons)
        layout.addLayout(grid)
        layout.addStretch(1)
        self.show_tracing(None)

    def sizeHint(self) -> QSize:
        return QSize(theme.size("body") * 18, super().sizeHint().height())

    def _number(self, name: str, least: float, most: float) -> DecimalBox:
        box = DecimalBox(least, most, name)
        box.valueChanged.connect(self._on_values)
        return box

    def show_tracing(self, tracing: Tracing | None) -> None:
        """Show another image's values."""
        self.tracing = tracing
        self.name.setText(Path(tracing.path).name if tracing is not None else NO_IMAGE)
        self.load_button.setText("Load…" if tracing is None else "Another…")
        is_there = tracing is not None
        fields = (self.opacity, self.left, self.top, self.per_square)
        for widget in (*fields, self.lock, self.scale_button, self.remove_button):
            widget.setEnabled(is_there)
        if tracing is None:
            return
        values = (round(tracing.opacity * 100), tracing.left, tracing.top, 1 / tracing.scale)
        for field, value in zip(fields, values, strict=True):
            with QSignalBlocker(field):
                field.setValue(value)  # type: ignore[attr-defined]
        self.lock.show_tick(tracing.is_locked)
        for field in (self.left, self.top, self.per_square):
            field.setEnabled(not tracing.is_locked)
        self.scale_button.setEnabled(not tracing.is_locked)

    def _turn(self, tracing: Tracing | None) -> None:
        if tracing != self.tracing:
            self.show_tracing(tracing)
            self.changed.emit()

    @Slot()
    def _on_values(self) -> None:
        tracing = self.tracing
        if tracing is None:
            return
        made = replace(
            tracing,
            opacity=self.opacity.value() / 100,
        )
        if not tracing.is_locked:
            left, top, pixels = (box.value() for box in (self.left, self.top, self.per_square))
            # What is shown is rounded, and being shown must not move the image.
            if round(tracing.left, 2) != left:
                made = replace(made, left=left)
            if round(tracing.top, 2) != top:
                made = replace(made, top=top)
            if round(1 / tracing.scale, 2) != pixels:
                made = replace(made, scale=1 / pixels)
        self._turn(made)

    def set_locked(self, is_locked: bool) -> None:
        """Keep the image where it is, or let it be moved."""
        if self.tracing is not None:
            self._turn(replace(self.tracing, is_locked=is_locked))

    @Slot()
    def load(self) -> None:
        """Ask for an image."""
        folder = str(Path(self.tracing.path).parent) if self.tracing is not None else ""
        name, _ = QFileDialog.getOpenFileName(self, "Tracing image", folder, FILTER)
        if name:
            self._turn(Tracing(path=name))

    @Slot()
    def remove(self) -> None:
        """Do without an image."""
        self._turn(None)

    def calibrate(self, first: tuple[float, float], second: tuple[float, float], squares: float) -> None:
        """Make the image so large that two points of it are so many squares apart; raises ValueError."""
        if self.tracing is not None:
            self._turn(self.tracing.calibrated(first, second, squares))


def kept(tracing: Tracing | None) -> dict[str, object] | None:
    """Return a tracing in the form in which it is kept."""
    if tracing is None:
        return None
    made: dict[str, object] = msgspec.to_builtins(tracing)
    return made


def read(kept_form: dict[str, object] | None) -> Tracing | None:
    """Return the tracing of its kept form; None where that cannot be read, or its image is gone."""
    if kept_form is None:
        return None
    try:
        tracing = msgspec.convert(kept_form, Tracing)
    except msgspec.ValidationError:
        return None
    return tracing if Path(tracing.path).is_file() and tracing.scale > 0 else None
