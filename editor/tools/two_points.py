"""Two points on the map, for the scale of the tracing image; no tool of the toolbox."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal

from editor.tools.base import Keys, Spot, Tool


class TwoPoints(Tool):
    """Takes two clicks; `measured` carries both points, in squares from the map's corner."""

    key = "two-points"
    title = "Two points"
    shortcut = ""
    topic = "editor-tracing"

    measured = Signal(object, object)

    _first: tuple[float, float] | None = None

    @property
    def hint(self) -> str:
        if self._first is None:
            return "Click the first of two points of the image whose distance you know. Esc: leave it"
        return "Click the second point. Right: the first one again. Esc: leave it"

    def press(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        if button == Qt.MouseButton.RightButton:
            self.cancel()
            return
        here = (spot.x, spot.y)
        if self._first is None:
            self._first = here
            self.optionsChanged.emit()
            return
        first, self._first = self._first, None
        self.measured.emit(first, here)

    def cancel(self) -> bool:
        was_there, self._first = self._first is not None, None
        if was_there:
            self.optionsChanged.emit()
        return was_there
