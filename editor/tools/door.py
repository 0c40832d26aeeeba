"""Door: plain and armored doors."""

from __future__ import annotations

from PySide6.QtCore import Qt

from editor.bench import Bench
from editor.draft import Edge
from editor.edits.edges import KIND_WORDS, why_not, with_edges
from editor.edits.lines import bared, partition
from editor.tools.base import Ghost, Keys, Spot
from editor.tools.edge import NO_EDGE, EdgeTool, named
from editor.words import at_edge
from engine.fortress.floorplan import EdgeKind

KINDS: dict[str, EdgeKind] = {"plain": "door", "armored": "armored"}


class Door(EdgeTool):
    """Puts a door into a wall, or takes it out again; Ctrl or Alt makes the wall, too (4.41, R35)."""

    key = "door"
    title = "Door"
    shortcut = "D"
    topic = "editor-door"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._option = "plain"

    @property
    def hint(self) -> str:
        return (
            f"Left: {KIND_WORDS[self._kind]}, again takes it out · Right: take out · "
            "Ctrl: with a partition wall · 1 2: plain, armored"
        )

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        return (("plain", "Door"), ("armored", "Armored door"))

    @property
    def option(self) -> str:
        return self._option

    def choose(self, option: str) -> None:
        self._option = option
        self.optionsChanged.emit()
        self.changed.emit()

    @property
    def _kind(self) -> EdgeKind:
        return KINDS[self._option]

    @property
    def ghost(self) -> Ghost:
        edge = self.edge_of(self.spot)
        if edge is None or self.gesture is not None:
            return Ghost()
        if self.plan.edge_kind(*edge) == self._kind:
            doors = self._twin_doors(edge, (self._kind,))
            left = bared(self.plan, doors)
            return Ghost(edges=tuple((one, left.edge_kind(*one)) for one in doors))
        kinds, reason = self._made(edge, self.keys)
        return Ghost(edges=tuple(sorted(kinds.items())) or ((edge, self._kind),), reason=reason)

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        edge = self.edge_of(spot)
        if edge is None:
            self.refuse(NO_EDGE)
        elif button == Qt.MouseButton.RightButton:
            self._take_out(edge, ("door", "armored"))
        elif self.plan.edge_kind(*edge) == self._kind:
            self._take_out(edge, (self._kind,))
        else:
            self._put(edge, keys)

    def _put(self, edge: Edge, keys: Keys) -> None:
        kinds, reason = self._made(edge, keys)
        if reason:
            self.refuse(reason)
            return
        self.begin(named(self._kind, edge))
        self.show(with_edges(self.plan, dict(kinds)))
        for one in self.with_twins((edge,)).difference(kinds):
            self.refuse(f"no door at its twin, {at_edge(one)}: {why_not(self.plan, one, self._kind)}")

    def _made(self, edge: Edge, keys: Keys) -> tuple[dict[Edge, EdgeKind], str]:
        """Return what a click puts on edges, a door and its twins and maybe walls; and why it cannot."""
        plan = self.plan
        walls: dict[Edge, EdgeKind] = {}
        if _is_parting(keys):
            walls = {
                one: "wall"
                for one in self.with_twins(partition(plan, edge))
                if plan.edge_kind(*one) == "open" and not why_not(plan, one, "wall")
            }
        made = with_edges(plan, dict(walls))
        reason = why_not(made, edge, self._kind)
        if reason:
            return {}, reason
        doors = self.with_twins((edge,))
        return walls | {one: self._kind for one in doors if not why_not(made, one, self._kind)}, ""

    def _take_out(self, edge: Edge, kinds: tuple[EdgeKind, ...]) -> None:
        plan = self.plan
        found = plan.edge_kind(*edge)
        if found not in kinds:
            self.refuse("there is no door")
            return
        self.begin(f"Remove {KIND_WORDS[found]} at {at_edge(edge)}")
        self.show(bared(plan, self._twin_doors(edge, kinds)))

    def _twin_doors(self, edge: Edge, kinds: tuple[EdgeKind, ...]) -> tuple[Edge, ...]:
        """Return an edge and its twins where there are doors of some kinds."""
        return tuple(one for one in sorted(self.with_twins((edge,))) if self.plan.edge_kind(*one) in kinds)


def _is_parting(keys: Keys) -> bool:
    """Return whether keys ask for the wall, too: Ctrl does what Alt does, which many desktops keep."""
    return keys.ctrl or keys.alt
