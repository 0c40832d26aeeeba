"""Erase: takes away the topmost thing under the pointer, or the whole square."""

from __future__ import annotations

from PySide6.QtCore import Qt

from editor.bench import Bench
from editor.draft import Draft, Edge, Square
from editor.edits.edges import edges_of, is_own, with_edges
from editor.edits.lines import bared, edges_passed
from editor.edits.pieces import cleared, without_things
from editor.edits.selected import without_figures
from editor.edits.squares import paint
from editor.edits.strokes import crossed
from editor.edits.symmetry import with_twin_edges, with_twins
from editor.edits.things import without_entries, without_equipment
from editor.picks import Layer, Pick, described, picks
from editor.selection import Selection
from editor.tools.base import EDGE_REACH, Ghost, Keys, Spot
from editor.tools.gestures import GestureTool
from editor.words import at_square
from engine.fortress.floorplan import ROCK


class Erase(GestureTool):
    """Erases what is topmost, and on a drag all of that kind that the pointer passes over.

    The right button, or Shift, clears whole squares with all in them.
    """

    key = "erase"
    title = "Erase"
    shortcut = "X"
    topic = "editor-erase"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._layer: Layer | None = None  # None for whole squares
        self._squares: frozenset[Square] = frozenset()
        self._edges: frozenset[Edge] = frozenset()
        self._last = (0.0, 0.0)

    @property
    def hint(self) -> str:
        return "Left: erase the topmost thing, drag for all of its kind · Right or Shift: whole squares"

    @property
    def ghost(self) -> Ghost:
        spot = self.spot
        if spot is None or self.gesture is not None:
            return Ghost()
        if self.keys.shift:
            ring = frozenset() if spot.square is None else self._twins(frozenset((spot.square,)))
            return Ghost(squares=ring, letter=ROCK)
        pick = self._topmost(spot)
        if pick is None:
            return Ghost()
        chosen, plan = pick.selection, self.plan
        if pick.layer == "square":
            return Ghost(squares=self._twins(chosen.squares), letter=ROCK)
        if pick.layer == "edge":
            twins = sorted(one for one in self._twin_edges(chosen.edges) if is_own(plan, one))
            left = bared(plan, twins)
            return Ghost(edges=tuple((one, left.edge_kind(*one)) for one in twins))
        return Ghost(ring=frozenset() if spot.square is None else self._twins(frozenset((spot.square,))))

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        pick = self._topmost(spot)
        is_whole = keys.shift or button == Qt.MouseButton.RightButton
        if spot.square is None and (is_whole or pick is None):
            self.refuse("that is off the map")
            return
        if pick is None and not is_whole:
            self.refuse("there is nothing to erase")
            return
        self._layer = None if is_whole or pick is None else pick.layer
        self._squares, self._edges, self._last = frozenset(), frozenset(), (spot.x, spot.y)
        if is_whole or pick is None:
            text = f"Clear square {at_square(spot.square or (0, 0))}"
        else:
            words = described(self.draft, pick.selection)
            text = f"Erase {words[:1].lower()}{words[1:]}"
        self.begin(text)
        if self._layer == "edge" and pick is not None:
            self._edges = pick.selection.edges
        self.go_on(spot, keys)

    def go_on(self, spot: Spot, keys: Keys) -> None:
        gesture = self.gesture
        if gesture is None:
            return
        here = (spot.x, spot.y)
        if self._layer == "edge":
            if here != self._last:
                self._edges |= edges_passed(self._last, here, EDGE_REACH)
        else:
            self._squares = self._squares.union(crossed(self._last, here))
        self._last = here
        gesture.show(self._erased(gesture.before))

    def _topmost(self, spot: Spot) -> Pick | None:
        """Return what a click would erase; walls that two rooms make cannot be."""
        for pick in picks(self.draft, spot.square, spot.edge):
            if pick.layer == "room":
                return None
            if pick.layer != "edge" or all(is_own(self.plan, edge) for edge in pick.selection.edges):
                return pick
        return None

    def _erased(self, draft: Draft) -> Draft:
        """Return a draft without what the gesture has passed over."""
        plan, squares = draft.plan, self._twins(self._squares)
        if self._layer is None:
            plan = cleared(plan, squares)
            rims = {edge for square in squares for edge in edges_of(square)}
            made = draft.with_plan(with_edges(plan, dict.fromkeys(rims)))
            return without_figures(made, Selection(squares))
        if self._layer == "edge":
            own = (one for one in self._twin_edges(self._edges) if is_own(plan, one))
            return draft.with_plan(bared(plan, own))
        if self._layer == "square":
            made = without_figures(draft, Selection(squares))
            return made.with_plan(paint(without_things(plan, squares), squares, ROCK))
        if self._layer == "equipment":
            gone = (at for at, one in enumerate(plan.equipment) if (one.x, one.y) in squares)
            return draft.with_plan(without_equipment(plan, gone))
        if self._layer == "entry":
            gone = (at for at, one in enumerate(plan.entries) if (one.x, one.y) in squares)
            return draft.with_plan(without_entries(plan, gone))
        return without_figures(draft, Selection(self._squares))

    def _twins(self, squares: frozenset[Square]) -> frozenset[Square]:
        return with_twins(squares, self.bench.symmetry, self.plan.width, self.plan.height)

    def _twin_edges(self, edges: frozenset[Edge]) -> frozenset[Edge]:
        return with_twin_edges(edges, self.bench.symmetry, self.plan.width, self.plan.height)
