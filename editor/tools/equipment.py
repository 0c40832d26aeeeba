"""Equipment: clone tanks, and computers along a wall (4.5)."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace
from PySide6.QtCore import Qt

from editor.bench import Bench
from editor.draft import Square
from editor.edits.symmetry import twin_side
from editor.edits.things import (
    changed_equipment,
    number_at,
    why_no_equipment,
    with_equipment,
    without_equipment,
)
from editor.selection import Selection
from editor.tools.base import Ghost, Keys, Spot
from editor.tools.thing import ThingTool
from editor.words import at_square
from engine.fortress.floorplan import COMPASS, FloorPlan, Side
from engine.fortress.floorplan import Equipment as Thing

Kind = Literal["tank", "computer"]


class Equipment(ThingTool):
    """Puts a tank or a computer into a square; takes it away where it is already."""

    key = "equipment"
    title = "Equipment"
    shortcut = "E"
    topic = "editor-equipment"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._kind: Kind = "tank"
        self._square: Square = (0, 0)

    @property
    def hint(self) -> str:
        turn = " · [ ]: along another wall" if self._kind == "computer" else ""
        return f"Left: {self._kind}, again takes it away · Right: take away · 1 2: tank, computer{turn}"

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        return (("tank", "Clone tank"), ("computer", "Computer"))

    @property
    def option(self) -> str:
        return self._kind

    def choose(self, option: str) -> None:
        self._kind = "tank" if option == "tank" else "computer"
        self.optionsChanged.emit()
        self.changed.emit()

    def sides(self, square: Square) -> tuple[Side | None, ...]:
        if self._kind == "tank":
            return (None,)
        walls = tuple(side for side in COMPASS if self.plan.edge_kind(*square, side) == "wall")
        return walls or COMPASS

    @property
    def ghost(self) -> Ghost:
        spot = self.spot
        if spot is None or spot.square is None or self.gesture is not None:
            return Ghost()
        thing = self._thing(spot, spot.square)
        at = number_at(self.plan.equipment, spot.square)
        if self._is_there(thing, at):
            return Ghost(ring=frozenset((spot.square,)))
        reason = why_no_equipment(self.plan, thing, at)
        twins = () if reason else self._twins(self.plan, thing)
        return Ghost(equipment=(thing, *twins), reason=reason)

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        self.is_putting = False
        if spot.square is None:
            self.refuse("that is off the map")
            return
        at = number_at(self.plan.equipment, spot.square)
        thing = self._thing(spot, spot.square)
        if button == Qt.MouseButton.RightButton or self._is_there(thing, at):
            self._take_away(spot.square)
            return
        reason = why_no_equipment(self.plan, thing, at)
        if reason:
            self.refuse(reason)
            return
        self.begin(self.title)
        self.is_putting = True
        self.go_on(spot, keys)

    def go_on(self, spot: Spot, keys: Keys) -> None:
        gesture = self.gesture
        if gesture is None or spot.square is None or not self.is_putting:
            return
        plan = gesture.before.plan
        thing = self._thing(spot, spot.square)
        if why_no_equipment(plan, thing, number_at(plan.equipment, spot.square)):
            return
        made = self._put(plan, thing)
        for other in self._twins(made, thing):
            made = self._put(made, other)
        gesture.text = f"{thing.kind.capitalize()} at {at_square(spot.square)}"
        self.show(made)
        self._square = spot.square

    def done(self) -> None:
        at = number_at(self.plan.equipment, self._square)
        self.bench.select(Selection(equipment=frozenset(() if at is None else (at,))))

    def _take_away(self, square: Square) -> None:
        at = number_at(self.plan.equipment, square)
        if at is None:
            self.refuse("there is no equipment")
            return
        found = self.plan.equipment[at]
        gone = [at]
        other = self.twin_of(square)
        mate = number_at(self.plan.equipment, other) if other is not None else None
        if mate is not None and self.plan.equipment[mate].kind == found.kind:
            gone.append(mate)
        self._square = square
        self.begin(f"Remove {found.kind} at {at_square(square)}")
        self.show(without_equipment(self.plan, gone))

    def _thing(self, spot: Spot, square: Square) -> Thing:
        return Thing(kind=self._kind, x=square[0], y=square[1], side=self.side_at(spot, square))

    def _is_there(self, thing: Thing, at: int | None) -> bool:
        """Return whether the equipment with a number is just such a thing."""
        return at is not None and _of(self.plan.equipment[at]) == _of(thing)

    def _twins(self, plan: FloorPlan, thing: Thing) -> tuple[Thing, ...]:
        """Return the thing drawn again by symmetry, where it can stand."""
        other = self.twin_of((thing.x, thing.y))
        if other is None:
            return ()
        side = None if thing.side is None else twin_side(thing.side, self.bench.symmetry)
        made = replace(thing, x=other[0], y=other[1], side=side)
        reason = why_no_equipment(plan, made, number_at(plan.equipment, other))
        if reason and self.gesture is not None:
            self.refuse(f"no {made.kind} at its twin, {at_square(other)}: {reason}")
        return () if reason else (made,)

    def _put(self, plan: FloorPlan, thing: Thing) -> FloorPlan:
        """Return the plan with a thing, in the place of one that is there."""
        at = number_at(plan.equipment, (thing.x, thing.y))
        if at is None:
            return with_equipment(plan, thing)
        return changed_equipment(plan, at, replace(plan.equipment[at], **_of(thing)))


def _of(thing: Thing) -> dict[str, object]:
    return {"kind": thing.kind, "side": thing.side}
