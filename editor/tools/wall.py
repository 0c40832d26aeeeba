"""Wall: partitions within rooms, and openings between them."""

from __future__ import annotations

from PySide6.QtCore import Qt

from editor.bench import Bench
from editor.draft import Edge
from editor.edits.edges import why_not, with_edges
from editor.edits.lines import Axis, axis_of, line
from editor.tools.base import Ghost, Keys, Spot
from editor.tools.edge import NO_EDGE, EdgeTool
from editor.tools.words import at_edge
from engine.fortress.floorplan import EdgeKind


class Wall(EdgeTool):
    """Draws walls along a grid line, or opens them; a click turns one edge about.

    A line goes past doors and drop-offs, unless Shift is down.
    """

    key = "wall"
    title = "Wall"
    shortcut = "W"
    topic = "editor-wall"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._kind: EdgeKind = "wall"
        self._from = (0.0, 0.0)
        self._edge: Edge | None = None
        self._axis: Axis | None = None
        self._line: tuple[Edge, ...] = ()
        self._is_right = False

    @property
    def hint(self) -> str:
        return (
            "Left: drag a wall along a grid line, click an edge to close or open it · Right: drag open · "
            "Shift: doors and drop-offs too · [ ]: another edge of the square"
        )

    @property
    def ghost(self) -> Ghost:
        if self.gesture is not None:
            return Ghost(edges=tuple((edge, self._kind) for edge in self._line))
        edge = self.edge_of(self.spot)
        return self.ghost_of(edge, self._turned(edge)) if edge is not None else Ghost()

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        edge = self.edge_of(spot)
        if edge is None:
            self.refuse(NO_EDGE)
            return
        self._is_right = button == Qt.MouseButton.RightButton
        self._from, self._edge, self._axis = (spot.x, spot.y), edge, None
        self.begin(self.title)
        self._draw((edge,), "open" if self._is_right else self._turned(edge), is_one=True)

    def go_on(self, spot: Spot, keys: Keys) -> None:
        here = (spot.x, spot.y)
        if self._axis is None:
            self._axis = axis_of(self._from, here)
            if self._axis is None:
                return
        kind: EdgeKind = "open" if self._is_right else "wall"
        self._draw(line(self._from, here, self._axis), kind, is_one=keys.shift)

    def finish(self, spot: Spot, keys: Keys) -> None:
        if not self._line and self._edge is not None:
            self.refuse(why_not(self.plan, self._edge, self._kind))

    def _turned(self, edge: Edge) -> EdgeKind:
        """Return what a click makes of an edge: a wall, or an opening where there is one."""
        return "open" if self.plan.edge_kind(*edge) == "wall" else "wall"

    def _draw(self, edges: tuple[Edge, ...], kind: EdgeKind, *, is_one: bool) -> None:
        """Show a line; only a single edge, or one with Shift, takes doors and drop-offs away."""
        gesture = self.gesture
        if gesture is None:
            return
        plan = gesture.before.plan
        self._kind = kind
        self._line = tuple(
            edge
            for edge in sorted(self.with_twins(edges))
            if not why_not(plan, edge, kind) and (is_one or plan.edge_kind(*edge) in ("open", "wall"))
        )
        self.show(with_edges(plan, dict.fromkeys(self._line, kind)))
        place = at_edge(self._line[0] if self._line else edges[0])
        gesture.text = f"{'Wall' if kind == 'wall' else 'Opening'} at {place}"
