"""Drop-off: the edge of an upper level that figures leap down and climb up (4.42)."""

from __future__ import annotations

from editor.edits.edges import rooms_beside
from editor.tools.base import Keys, Spot
from editor.tools.line import LineTool
from engine.fortress.levels import compare_levels


class DropOff(LineTool):
    """Draws drop-offs along a grid line, or takes them away; which side is high, the levels say."""

    key = "dropoff"
    title = "Drop-off"
    shortcut = "O"
    topic = "editor-dropoff"

    left_kind = "dropoff"
    right_kind = None

    @property
    def hint(self) -> str:
        level = self.bench.native_key("tool-level")
        return (
            "Left: drag a drop-off, or click an edge · Right: drag away · Shift: doors, too · "
            f"High side: by the levels ({level})"
        )

    def finish(self, spot: Spot, keys: Keys) -> None:
        super().finish(spot, keys)
        drawn = [edge for edge, kind in self._line if kind == "dropoff"]
        for edge in drawn[:1]:
            here, there = rooms_beside(self.plan, edge)
            if here is None or there is None or here is there:
                continue
            order, tool = compare_levels(here.level, there.level), self.bench.native_key("tool-level")
            if order is None:
                self.bench.say(
                    f"Neither side is high: levels {here.level} and {there.level} do not tell which is. "
                    f"Call them lower, ground, upper, or level 1, level 2 with the Level tool ({tool})."
                )
            elif not order:
                self.bench.say(
                    f"{here.name} and {there.name} are both on level {here.level}: "
                    f"give one of them another with the Level tool ({tool})."
                )
