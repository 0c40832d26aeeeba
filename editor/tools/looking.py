"""What sight and reach have in common: an overlay that is there while the tool is in hand."""

from __future__ import annotations

from typing import ClassVar

from editor.bench import Bench, Overlay
from editor.draft import Square
from editor.tools.gestures import GestureTool


class LookingTool(GestureTool):
    """A tool that shows something about the square under the pointer, or about one that is held.

    An overlay that is kept on with every tool is there again when this one is put away, and so is its square.
    """

    shows: ClassVar[Overlay]

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._is_in_hand = False
        bench.toolChanged.connect(self._follow_tool)

    def _follow_tool(self) -> None:
        is_in_hand = self.bench.tool is self
        if is_in_hand == self._is_in_hand:
            return
        self._is_in_hand = is_in_hand
        held = self.bench.overlay_from
        if is_in_hand:
            self.bench.set_overlay(self.shows, held)
        elif not isinstance(self.bench.tool, LookingTool):
            self.bench.set_overlay("off", held if self.bench.overlay_kept != "off" else None)

    def hold(self, square: Square | None) -> None:
        """Show what is to be seen from a square until told otherwise; the same square again lets go."""
        self.bench.hold(None if square == self.bench.overlay_from else square)
