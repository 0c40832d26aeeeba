"""Edges: what stands on them."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from editor.bench import Bench
from editor.draft import Edge
from editor.edits.edges import rooms_beside, why_not, with_edges
from editor.panels.fields import Choice
from editor.panels.properties.section import Section, common
from engine.fortress.floorplan import EdgeKind

KINDS: Final[tuple[tuple[EdgeKind, str], ...]] = (
    ("open", "Opening"),
    ("wall", "Wall"),
    ("door", "Door"),
    ("armored", "Armored door"),
    ("dropoff", "Drop-off"),
)


class EdgeSection(Section):
    """The selected edges."""

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self.kind = Choice(KINDS, "What stands on the edge")
        self.kind.chosen.connect(self._on_kind)
        self.kind.done.connect(self.done)
        self.add("Kind", self.kind)

    @property
    def _edges(self) -> tuple[Edge, ...]:
        return tuple(sorted(self.bench.selection.edges))

    def follow(self) -> None:
        self.setVisible(bool(self._edges))
        if not self._edges:
            return
        self.refuse("")
        plan = self.plan
        if len(self._edges) == 1:
            here, there = rooms_beside(plan, self._edges[0])
            words = " · ".join(room.name if room is not None else "rock" for room in (here, there))
            self.heading.setText(
                f"Edge: {words}" if here is not there else f"Edge in {words.split(' · ')[0]}"
            )
        else:
            self.heading.setText(f"{len(self._edges)} edges")
        self.kind.show_choice(common(plan.edge_kind(*edge) for edge in self._edges))

    @Slot(str)
    def _on_kind(self, wanted: str) -> None:
        kind = next(kind for kind, _ in KINDS if kind == wanted)
        plan = self.plan
        refused = [reason for edge in self._edges if (reason := why_not(plan, edge, kind))]
        allowed = [edge for edge in self._edges if not why_not(plan, edge, kind)]
        words = dict(KINDS)[kind]
        where = f"{len(allowed)} edges" if len(allowed) > 1 else "an edge"
        made = with_edges(plan, dict.fromkeys(allowed, kind))
        self.document.apply(f"{words} on {where}", self.draft.with_plan(made))
        self.follow()
        self.refuse(refused[0] if refused else "")
