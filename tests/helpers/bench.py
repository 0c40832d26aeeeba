"""Drives the editor's tools without a canvas: a pointer and keys on a bench."""

from __future__ import annotations

from math import floor
from typing import TypeVar

from PySide6.QtCore import Qt

from editor.bench import Bench
from editor.document import Document
from editor.draft import Draft, Edge, Square, format_draft
from editor.edits.lines import edge_near
from editor.tools.base import EDGE_REACH, Keys, Spot, Tool
from engine.fortress.floorplan import EdgeKind, FloorPlan, Side, owner

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
T = TypeVar("T", bound=Tool)


class Desk:
    """A bench with a draft on it, a tool in hand, a pointer, and what was said."""

    def __init__(self, content: FloorPlan | Draft) -> None:
        draft = Draft(content) if isinstance(content, FloorPlan) else content
        self.document = Document(draft)
        self.bench = Bench(self.document, self.document)
        self.said: list[str] = []
        self.bench.said.connect(self.said.append)
        self.first = self.bytes

    @property
    def plan(self) -> FloorPlan:
        """The map as it is shown."""
        return self.document.draft.plan

    @property
    def bytes(self) -> bytes:
        """The file that would be saved."""
        return format_draft(self.document.draft)

    @property
    def steps(self) -> list[str]:
        """The texts of the steps that can be taken back."""
        stack = self.document.stack
        return [stack.text(at) for at in range(stack.index())]

    def take(self, kind: type[T]) -> T:
        """Take a tool in hand, and return it."""
        tool = self.bench.findChild(kind) or kind(self.bench)
        self.bench.take(tool)
        return tool

    def spot(self, x: float, y: float) -> Spot:
        """Return the spot of a point in squares from the map's corner."""
        inside = 0 <= x < self.plan.width and 0 <= y < self.plan.height
        near = edge_near(x, y, 1.0)
        return Spot(x, y, (floor(x), floor(y)) if inside else None, edge_near(x, y, EDGE_REACH), near)

    def at(self, square: Square) -> Spot:
        """Return the spot in the middle of a square, where the keyboard's cursor is."""
        return self.spot(square[0] + 0.5, square[1] + 0.5)

    def on(self, x: int, y: int, side: Side) -> Spot:
        """Return a spot a fifth of a square inside an edge of a square."""
        dx, dy = {"N": (0.5, 0.2), "S": (0.5, 0.8), "W": (0.2, 0.5), "E": (0.8, 0.5)}[side]
        return self.spot(x + dx, y + dy)

    def hover(self, spot: Spot | Square, keys: Keys = Keys()) -> None:  # noqa: B008  (a NamedTuple)
        """Bring the pointer somewhere, no button down."""
        self._tool.hover(self._spot(spot), keys)

    def click(self, spot: Spot | Square, button: Qt.MouseButton = LEFT, keys: Keys = Keys()) -> None:  # noqa: B008
        """Press and release a button."""
        self.drag(spot, button=button, keys=keys)

    def drag(
        self,
        *spots: Spot | Square,
        button: Qt.MouseButton = LEFT,
        keys: Keys = Keys(),  # noqa: B008
        is_released: bool = True,
    ) -> None:
        """Press at the first spot, go to each of the others, release at the last."""
        places = [self._spot(one) for one in spots]
        self._tool.hover(places[0], keys)
        self._tool.press(places[0], button, keys)
        for one in places[1:]:
            self._tool.move(one, keys)
        if is_released:
            self._tool.release(places[-1], keys)

    def key(self, key: Qt.Key, keys: Keys = Keys()) -> bool:  # noqa: B008
        """Press a key."""
        return self._tool.key_press(key, keys)

    def undo_all(self) -> None:
        """Take every step back."""
        while self.document.stack.canUndo():
            self.document.undo()

    def redo_all(self) -> None:
        """Make every step again."""
        while self.document.stack.canRedo():
            self.document.redo()

    def kind(self, x: int, y: int, side: Side) -> EdgeKind:
        """Return what stands on an edge."""
        return self.plan.edge_kind(x, y, side)

    def records(self, x: int, y: int, side: Side) -> int:
        """Return how many records the map has of an edge."""
        edge: Edge = owner(x, y, side)
        return sum(owner(one.x, one.y, one.side) == edge for one in self.plan.edges)

    @property
    def _tool(self) -> Tool:
        tool = self.bench.tool
        assert tool is not None, "no tool in hand"
        return tool

    def _spot(self, place: Spot | Square) -> Spot:
        return place if isinstance(place, Spot) else self.at((place[0], place[1]))
