"""What an empty map says: how to begin. It lies over the canvas and lets the pointer through."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import theme
from app.panels.dressed import Drawn
from app.panels.widgets import Label
from editor.bench import Bench
from editor.canvas.view import MapCanvas
from engine.fortress.floorplan import ROCK

WIDTH: Final = 30  # times the size of the text


class EmptyState(Drawn, QWidget):
    """Shown while nothing is drawn, and gone with the first square; the keyboard's cursor hides it."""

    def __init__(self, bench: Bench, canvas: MapCanvas) -> None:
        view = canvas.viewport()
        super().__init__(view)
        self._bench = bench
        self._canvas = canvas
        self._view = view
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.words = Label("", "body")
        self.words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._column = layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.addWidget(Label("An empty map", "title", is_title=True))
        layout.addWidget(self.words)
        view.installEventFilter(self)
        bench.document.changed.connect(self.follow)
        bench.keysChanged.connect(self.follow)
        canvas.cursorShown.connect(self.follow)
        self.follow()

    @Slot()
    def follow(self) -> None:
        """Show whether there is nothing yet, and with which keys to begin."""
        plan = self._bench.document.draft.plan
        is_empty = not plan.rooms and all(row.strip(ROCK) == "" for row in plan.grid)
        if is_empty:
            key = self._bench.native_key
            self.words.setText(
                f"Take the Room tool ({key('tool-room')}) and drag a rectangle: that is a room. Draw others "
                "beside it; walls stand between them by themselves.\n\n"
                f"Then doors ({key('tool-door')}), an entry ({key('tool-entry')}) and vital equipment "
                f"({key('tool-equipment')}). What is still missing stands under Problems; "
                f"{key('playtest')} plays it.\n\n"
                f"Or begin with a house or the citadel: {key('new')}. Help on any tool: {key('help')}."
            )
            self._place()
        self.setVisible(is_empty and not self._canvas.has_cursor)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the middle of the view."""
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return False

    def _dress(self) -> None:
        super()._dress()
        self._place()

    def _place(self) -> None:
        room = self._view.rect().adjusted(theme.SPACE, theme.SPACE, -theme.SPACE, -theme.SPACE)
        width = min(theme.size("body") * WIDTH, room.width())
        self.resize(width, min(self._column.heightForWidth(width), room.height()))
        self.move(room.center() - self.rect().center())

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colors.soft)
        painter.setBrush(colors.field)
        painter.drawRoundedRect(
            self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), theme.RADIUS, theme.RADIUS
        )
