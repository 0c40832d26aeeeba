"""The line at the foot of the window: what the tool does, where the pointer is, problems, zoom."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app import theme
from app.markup import as_text
from app.panels.widgets import Label
from editor.bench import Bench
from editor.tools.base import Spot, Tool
from editor.words import at_square, sentence

BY_KEYS: Final = "Enter: click · Insert: hold the button"
SAID_TIME: Final = 6000  # ms
NAME_LETTERS: Final = 24
"""Of a room's name, what is shown of it."""


class StatusLine(QWidget):
    """The hint of the tool in hand, or for a while what was said; then square, problems and zoom."""

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bench = bench
        self._words = ""
        self.hint = Label("", "small", wraps=False)
        self.hint.setAccessibleName("Hint")
        # However much there is to say, the window does not grow for it.
        self.hint.installEventFilter(self)
        self.hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.square = Label("", "small", is_soft=True, wraps=False)
        self.overlay = Label("", "small", is_soft=True, wraps=False)
        self.problems = Label("", "small", wraps=False)
        self.zoom = Label("", "small", is_soft=True, wraps=False)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.SPACE, 0, theme.SPACE, 0)
        layout.setSpacing(theme.SPACE * 2)
        layout.addWidget(self.hint, 1)
        for label in (self.overlay, self.square, self.problems, self.zoom):
            layout.addWidget(label)
        self._said = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._forget)
        self._tool: Tool | None = None
        self._is_by_keys = False
        self._is_just_said = False
        self._spot: Spot | None = None
        bench.said.connect(self.say)
        bench.toolChanged.connect(self._follow_tool)
        bench.keysChanged.connect(self._write)
        bench.document.changed.connect(self._follow)
        bench.overlayChanged.connect(self._follow_overlay)
        self._follow_tool()
        self._follow_overlay()

    @property
    def words(self) -> str:
        """What the line says, more of it than there may be room for."""
        return self._words

    @Slot(str)
    def say(self, text: str) -> None:
        """Show a line for a while."""
        self._said = text
        self._is_just_said = True
        self._timer.start(SAID_TIME)
        # What is said in one go with a step, before or after it, is about that step.
        QTimer.singleShot(0, self, self._let_go)
        self._write()

    @Slot()
    def _let_go(self) -> None:
        self._is_just_said = False

    @Slot()
    def _forget(self) -> None:
        self._said = ""
        self._write()

    @Slot()
    def _follow(self) -> None:
        """Let what was said before this step go, and tell the square as it is now."""
        if not self._is_just_said:
            self._said = ""
        self._write()
        self.show_spot(self._spot)

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
    def _follow_overlay(self) -> None:
        """Show what stays on while any tool draws, and from where."""
        bench = self.bench
        kept, held = bench.overlay_kept, bench.overlay_from
        where = f"from {at_square(held)}" if held is not None else "on"
        self.overlay.setText(f"{kept.capitalize()} {where}" if kept != "off" else "")
        self.overlay.setVisible(kept != "off")

    @Slot()
    def _write(self) -> None:
        tool = self._tool
        reason = tool.ghost.reason if tool is not None else ""
        hint = tool.hint if tool is not None else ""
        if self._is_by_keys:
            hint = f"{BY_KEYS} · {hint}"
        words = self._said or (sentence(reason) if reason else hint)
        self.hint.set_tone("danger" if reason and not self._said else "")
        self._words = words
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cut the hint anew when there is other room for it."""
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return False

    def _fit(self) -> None:
        """Write what there is room for; the rest is in the tool tip."""
        metrics = QFontMetrics(self.hint.font())
        self.hint.setText(metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, self.hint.width()))
        self.hint.setToolTip(as_text(self._words) if self.hint.text() != self._words else "")
        self.hint.setAccessibleDescription(self._words)

    @Slot(int)
    def show_zoom(self, percent: int) -> None:
        """Show how large the map is."""
        self.zoom.setText(f"{percent} %")

    @Slot(bool)
    def show_keys(self, is_by_keys: bool) -> None:
        """Say how the keyboard clicks, while it is in use."""
        self._is_by_keys = is_by_keys
        self._write()

    @Slot(object)
    def show_spot(self, spot: Spot | None) -> None:
        """Show which square is under the pointer, and its room."""
        self._spot = spot
        if spot is None or spot.square is None:
            self.square.setText("")
            return
        x, y = spot.square
        room = self.bench.document.draft.plan.room_at(x, y)
        name = room.name if room is not None else "rock"
        shown = f"{name[:NAME_LETTERS]}…" if len(name) > NAME_LETTERS + 1 else name
        self.square.setText(f"{x},{y}  {shown}")
