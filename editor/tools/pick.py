"""The picker: the next click on the map fills a field of a panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import Qt, Signal

from editor.bench import Bench
from editor.draft import Square
from editor.tools.base import NO_GHOST, Ghost, Keys, Mode, Spot, Tool
from editor.words import sentence


class PickTool(Tool):
    """Waits for one click on a square; in hand only while a panel's picker is armed.

    `picked` carries the square, `left` follows when it is put away without one (Esc, another tool).
    `why_not` says why a square cannot be meant, "" if it can.
    """

    key: ClassVar[str] = "pick"
    title: ClassVar[str] = "Pick"
    shortcut: ClassVar[str] = ""
    mode: ClassVar[Mode] = "scenario"
    topic: ClassVar[str] = "editor-scenario"

    picked = Signal(object)  # Square
    left = Signal()

    def __init__(self, bench: Bench, what: str, why_not: Callable[[Square], str]) -> None:
        super().__init__(bench)
        self.what = what
        self._why_not = why_not
        self._is_armed = True

    @property
    def hint(self) -> str:
        return f"Left: {self.what} · Right, Esc: leave it as it is"

    @property
    def ghost(self) -> Ghost:
        square = self.spot.square if self.spot is not None else None
        if square is None or not self._is_armed:
            return NO_GHOST
        return Ghost(ring=frozenset((square,)), reason=self._why_not(square))

    def press(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        if not self._is_armed:
            return
        if button == Qt.MouseButton.RightButton:
            self.cancel()
            return
        reason = self._why_not(spot.square) if spot.square is not None else "that is off the map"
        if reason:
            self.bench.say(sentence(reason))
            return
        self._is_armed = False
        self.picked.emit(spot.square)

    def cancel(self) -> bool:
        was_armed, self._is_armed = self._is_armed, False
        if was_armed:
            self.left.emit()
        return was_armed
