"""The line at the foot of the window: what the tool does, where the pointer is, problems, zoom."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app import theme
from app.panels.widgets import Label
from editor.bench import Bench
from editor.tools.base import Spot, Tool

SAID_TIME: Final = 6000  # ms


class StatusLine(QWidget):
    """The hint of the tool in hand, or for a while what was said; then square, problems and zoom."""

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bench = bench
        self.hint = Label("", "small", wraps=False)
        self.hint.setAccessibleName("Hint")
        self.square = Label("", "small", is_soft=True, wraps=False)
        self.problems = Label("", "small", wraps=False)
        self.zoom = Label("", "small", is_soft=True, wraps=False)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.SPACE, 0, theme.SPACE, 0)
        layout.setSpacing(theme.SPACE * 2)
        layout.addWidget(self.hint, 1)
        for label in (self.square, self.problems, self.zoom):
            layout.addWidget(label)
        self._said = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._forget)
        self._tool: Tool | None = None
        bench.said.connect(self.say)
        bench.toolChanged.connect(self._follow_tool)
        self._follow_tool()

    @Slot(str)
    def say(self, text: str) -> None:
        """Show a line for a while."""
        self._said = text
        self._timer.start(SAID_TIME)
        self._write()

    @Slot()
    def _forget(self) -> None:
        self._said = ""
        self._write()

    @Slot()
    def _follow_tool(self) -> None:
        if self._tool is not None:
            self._tool.changed.disconnect(self._write)
            self._tool.optionsChanged.disconnect(self._write)
        self._tool = self.bench.tool
        if self._tool is not None:
            self._tool.changed.connect(self._write)
            self._tool.optionsChanged.connect(self._write)
        self._forget()

    @Slot()
    def _write(self) -> None:
        tool = self._tool
        reason = tool.ghost.reason if tool is not None else ""
        words = self._said or reason or (tool.hint if tool is not None else "")
        self.hint.set_tone("danger" if reason and not self._said else "")
        self.hint.setText(words)

    @Slot(int)
    def show_zoom(self, percent: int) -> None:
        """Show how large the map is."""
        self.zoom.setText(f"{percent} %")

    @Slot(object)
    def show_spot(self, spot: Spot | None) -> None:
        """Show which square is under the pointer, and its room."""
        if spot is None or spot.square is None:
            self.square.setText("")
            return
        x, y = spot.square
        room = self.bench.document.draft.plan.room_at(x, y)
        self.square.setText(f"{x},{y}  {room.name if room is not None else 'rock'}")
