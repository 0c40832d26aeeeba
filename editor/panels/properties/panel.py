"""The panel that shows the sections of what is selected, or says how to select."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app import theme
from app.panels.widgets import Label
from editor.bench import Bench
from editor.panels.properties.edges import EdgeSection
from editor.panels.properties.entries import EntrySection
from editor.panels.properties.equipment import EquipmentSection
from editor.panels.properties.figures import FigureSection
from editor.panels.properties.rooms import RoomSection
from editor.selection import NOTHING

DELAY: Final = 30  # ms, in which several changes are shown as one


class PropertiesPanel(QWidget):
    """Everything about what is selected. `done` follows when a field was left for the canvas."""

    done = Signal()

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bench = bench
        self.setAccessibleName("Properties")
        self.empty = Label("", "small", is_soft=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.rock = Label("Only rock is selected.", "small", is_soft=True)
        self.rooms = RoomSection(bench)
        self.edges = EdgeSection(bench)
        self.equipment = EquipmentSection(bench)
        self.entries = EntrySection(bench)
        self.figures = FigureSection(bench)
        self.sections = (self.figures, self.rooms, self.edges, self.equipment, self.entries)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(*(theme.SPACE,) * 4)
        column.setSpacing(theme.SPACE)
        column.addWidget(self.empty)
        column.addWidget(self.rock)
        for section in self.sections:
            column.addWidget(section)
            section.done.connect(self.done)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(inner)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY)
        self._timer.timeout.connect(self.follow)
        bench.selectionChanged.connect(self._timer.start)
        bench.keysChanged.connect(self._timer.start)
        bench.document.changed.connect(self._on_changed)
        self.follow()

    def sizeHint(self) -> QSize:
        return QSize(theme.size("body") * 18, theme.size("body") * 16)

    @Slot(object)
    def _on_changed(self, _change: object) -> None:
        if self.bench.selection != NOTHING:
            self._timer.start()

    @Slot()
    def follow(self) -> None:
        """Show what is selected now."""
        is_empty = self.bench.selection == NOTHING
        key = self.bench.native_key("tool-select")
        self.empty.setText(
            f"Nothing is selected.\n\nWith Select ({key}) click a room, a door, a piece of equipment or an "
            "entry: what it is called and what it does is changed here. Drag a box to select several at once."
        )
        self.empty.setVisible(is_empty)
        for section in self.sections:
            section.follow()
        self.rock.setVisible(not is_empty and all(section.isHidden() for section in self.sections))
