"""Wall: partitions within rooms, and openings between them."""

from __future__ import annotations

from editor.tools.line import LineTool


class Wall(LineTool):
    """Draws walls along a grid line, or opens them; a click closes or opens one edge."""

    key = "wall"
    title = "Wall"
    shortcut = "W"
    topic = "editor-wall"

    left_kind = "wall"
    right_kind = "open"

    @property
    def hint(self) -> str:
        return "Left: drag a wall, or click an edge · Right: open · Shift: doors, too"
