"""What the tools of walls, doors and drop-offs have in common: which edge is meant, and its twins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from editor.draft import Edge
from editor.edits.edges import KIND_WORDS
from editor.edits.symmetry import with_twin_edges
from editor.tools.base import Spot
from editor.tools.gestures import GestureTool
from editor.words import at_edge
from engine.fortress.floorplan import EdgeKind

NO_EDGE: Final = "that is off the map"


class EdgeTool(GestureTool):
    """A tool for edges. It means the edge nearest to the pointer, however far that is."""

    def edge_of(self, spot: Spot | None) -> Edge | None:
        """Return the edge that is meant at a spot; None off the map."""
        if spot is None:
            return None
        return spot.edge if spot.edge is not None else spot.near

    def with_twins(self, edges: Iterable[Edge]) -> frozenset[Edge]:
        """Return edges with those that symmetry draws them again at."""
        return with_twin_edges(edges, self.bench.symmetry, self.plan.width, self.plan.height)


def named(kind: EdgeKind, edge: Edge) -> str:
    """Return a step's text: "Armored door at 4,7 E"."""
    return f"{KIND_WORDS[kind].capitalize()} at {at_edge(edge)}"
