"""What wall and drop-off have in common: lines of edges along the grid, and one edge by a click."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Qt

from editor.bench import Bench
from editor.draft import Edge
from editor.edits.edges import KIND_WORDS, why_not, with_edges
from editor.edits.lines import Axis, axis_of, line
from editor.tools.base import Ghost, Keys, Spot
from editor.tools.edge import NO_EDGE, EdgeTool
from editor.words import at_edge
from engine.fortress.floorplan import EdgeKind


class LineTool(EdgeTool):
    """Draws one kind of edge along a grid line, or with the right button another.

    A click turns a single edge about. A line goes past what is neither wall nor opening nor of the tool's
    own kind, unless Shift is down.
    """

    left_kind: ClassVar[EdgeKind]
    right_kind: ClassVar[EdgeKind | None]
    """What the right button leaves; None takes the tool's own kind away."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._from = (0.0, 0.0)
        self._edge: Edge = (0, 0, "E")
        self._axis: Axis | None = None
        self._is_right = False
        self._reason_of_line = ""
        self._line: tuple[tuple[Edge, EdgeKind], ...] = ()

    @property
    def ghost(self) -> Ghost:
        if self.gesture is not None:
            return Ghost(edges=self._line, reason=self._reason_of_line)
        edge = self.edge_of(self.spot)
        if edge is None:
            return Ghost()
        kinds, reason = self._made((edge,), self._turned(edge), is_all=True)
        return Ghost(edges=self._shown(kinds) or ((edge, self.left_kind),), reason=reason)

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        edge = self.edge_of(spot)
        if edge is None:
            self.refuse(NO_EDGE)
            return
        self._is_right = button == Qt.MouseButton.RightButton
        self._from, self._edge, self._axis = (spot.x, spot.y), edge, None
        self.begin(self.title)
        self._draw((edge,), self.right_kind if self._is_right else self._turned(edge), is_all=True)

    def go_on(self, spot: Spot, keys: Keys) -> None:
        here = (spot.x, spot.y)
        if self._axis is None:
            self._axis = axis_of(self._from, here)
        if self._axis is not None:
            kind = self.right_kind if self._is_right else self.left_kind
            self._draw(line(self._from, here, self._axis), kind, is_all=keys.shift)

    def finish(self, spot: Spot, keys: Keys) -> None:
        if self._reason_of_line:
            self.refuse(self._reason_of_line)

    def _turned(self, edge: Edge) -> EdgeKind | None:
        """Return what a click makes of an edge: the tool's kind, or where that is, what is left without."""
        return self.right_kind if self.plan.edge_kind(*edge) == self.left_kind else self.left_kind

    def _made(
        self, edges: tuple[Edge, ...], kind: EdgeKind | None, *, is_all: bool
    ) -> tuple[dict[Edge, EdgeKind | None], str]:
        """Return what becomes of edges and their twins, and why of none of them anything."""
        gesture = self.gesture
        plan = gesture.before.plan if gesture is not None else self.plan
        kinds: dict[Edge, EdgeKind | None] = {}
        reason = ""
        for edge in (*edges, *sorted(self.with_twins(edges).difference(edges))):
            now = plan.edge_kind(*edge)
            if kind is None:
                if now == self.left_kind:
                    kinds[edge] = None
                else:
                    reason = reason or f"there is no {KIND_WORDS[self.left_kind]}"
                continue
            why = why_not(plan, edge, kind)
            if not why and (is_all or now in ("open", "wall", self.left_kind)):
                kinds[edge] = kind
            else:
                reason = reason or why or f"Shift draws over a {KIND_WORDS[now]}, too"
        return kinds, "" if kinds else reason

    def _shown(self, kinds: dict[Edge, EdgeKind | None]) -> tuple[tuple[Edge, EdgeKind], ...]:
        """Return edges with what there will be to see on them."""
        plan = with_edges(self.plan, kinds)
        return tuple((edge, plan.edge_kind(*edge)) for edge in sorted(kinds))

    def _draw(self, edges: tuple[Edge, ...], kind: EdgeKind | None, *, is_all: bool) -> None:
        gesture = self.gesture
        if gesture is None:
            return
        kinds, self._reason_of_line = self._made(edges, kind, is_all=is_all)
        self._line = self._shown(kinds)
        self.show(with_edges(gesture.before.plan, kinds))
        place = at_edge(next(iter(kinds), edges[0]))
        word = KIND_WORDS[self.left_kind if kind is None else kind]
        gesture.text = f"Remove {word} at {place}" if kind is None else f"{word.capitalize()} at {place}"
