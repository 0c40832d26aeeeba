"""What sight and reach have in common: an overlay that is there while the tool is in hand."""

from __future__ import annotations

from typing import ClassVar

from editor.bench import Bench, Overlay
from editor.draft import Square
from editor.tools.gestures import GestureTool


class LookingTool(GestureTool):
    """A tool that shows something about the square under the pointer, or about one that is held."""

    shows: ClassVar[Overlay]

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._before: Overlay = "off"
        self._is_in_hand = False
        bench.toolChanged.connect(self._follow_tool)

    def _follow_tool(self) -> None:
        is_in_hand = self.bench.tool is self
        if is_in_hand == self._is_in_hand:
            return
        self._is_in_hand = is_in_hand
        if is_in_hand:
            self._before = self.bench.overlay if self.bench.overlay != self.shows else "off"
            self.bench.set_overlay(self.shows)
        elif self.bench.overlay == self.shows:
            self.bench.set_overlay(self._before)

    def hold(self, square: Square | None) -> None:
        """Show what is to be seen from a square until told otherwise; the same square again lets go."""
        held = None if square == self.bench.overlay_from else square
        self.bench.set_overlay(self.shows, held)
