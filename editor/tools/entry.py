"""Entry: the squares where Terminators come and go, with their rates (4.1, 4.7, R11)."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import Qt

from editor.bench import Bench
from editor.draft import Square
from editor.edits.symmetry import twin_side
from editor.edits.things import (
    changed_entry,
    new_entry_name,
    number_at,
    why_no_entry,
    with_entry,
    without_entries,
)
from editor.selection import Selection
from editor.tools.base import Ghost, Keys, Spot
from editor.tools.thing import ThingTool
from editor.words import at_square
from engine.fortress.floorplan import COMPASS, STEP, FloorPlan, Side
from engine.fortress.floorplan import Entry as Way

RATES = ((1, 1), (2, 2), (3, 3), (1, 0), (2, 0), (3, 0), (0, 1))
"""The rates that are offered, in and out; the properties of an entry take any."""


class Entry(ThingTool):
    """Makes a square an entry; on the rim, and beside rock, through the side nearest the pointer."""

    key = "entry"
    title = "Entry"
    shortcut = "N"
    topic = "editor-entry"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._rates = RATES[0]
        self._square: Square = (0, 0)

    @property
    def hint(self) -> str:
        enter, leave = self._rates
        return (
            f"Left: entry, {enter} in (armored door: all), {leave} out a phase · Right: take away · "
            f"1–{len(RATES)}: other rates · [ ]: another side, or none"
        )

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        return tuple(
            (f"{enter}-{leave}", f"{enter or 'none'} in, {leave or 'none'} out") for enter, leave in RATES
        )

    @property
    def option(self) -> str:
        return f"{self._rates[0]}-{self._rates[1]}"

    def choose(self, option: str) -> None:
        self._rates = next(rates for rates in RATES if option == f"{rates[0]}-{rates[1]}")
        self.optionsChanged.emit()
        self.changed.emit()

    def sides(self, square: Square) -> tuple[Side | None, ...]:
        """Return the sides of a square that lead out of the fortress, and none."""
        x, y = square
        out = [side for side in COMPASS if self.plan.room_at(x + STEP[side][0], y + STEP[side][1]) is None]
        return (*out, None)

    @property
    def ghost(self) -> Ghost:
        spot = self.spot
        if spot is None or spot.square is None or self.gesture is not None:
            return Ghost()
        if number_at(self.plan.entries, spot.square) is not None:
            return Ghost(ring=frozenset((spot.square,)))
        way = self._way(self.plan, spot, spot.square)
        reason = why_no_entry(self.plan, way)
        return Ghost(entries=(way,) if reason else (way, *self._twins(self.plan, way)), reason=reason)

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        self.is_putting = False
        if spot.square is None:
            self.refuse("that is off the map")
            return
        at = number_at(self.plan.entries, spot.square)
        if button == Qt.MouseButton.RightButton:
            self._take_away(spot.square)
        elif at is not None:
            self._give_rates(at)
        elif reason := why_no_entry(self.plan, self._way(self.plan, spot, spot.square)):
            self.refuse(reason)
        else:
            self.begin(self.title)
            self.is_putting = True
            self.go_on(spot, keys)

    def go_on(self, spot: Spot, keys: Keys) -> None:
        gesture = self.gesture
        if gesture is None or spot.square is None or not self.is_putting:
            return
        plan = gesture.before.plan
        way = self._way(plan, spot, spot.square)
        if why_no_entry(plan, way) or number_at(plan.entries, spot.square) is not None:
            return
        made = with_entry(plan, way)
        for other in self._twins(made, way):
            made = with_entry(made, other)
        gesture.text = f"Entry at {at_square(spot.square)}"
        self.show(made)
        self._square = spot.square

    def done(self) -> None:
        at = number_at(self.plan.entries, self._square)
        self.bench.select(Selection(entries=frozenset(() if at is None else (at,))))

    def _give_rates(self, at: int) -> None:
        """Select an entry, and give it, and its twin, the rates in force."""
        found = self.plan.entries[at]
        enter, leave = self._rates
        self._square = (found.x, found.y)
        self.bench.select(Selection(entries=frozenset((at,))))
        self.begin(f"Rates of {found.name}")
        made = changed_entry(self.plan, at, replace(found, enter=enter, leave=leave))
        other = self.twin_of((found.x, found.y))
        mate = number_at(made.entries, other) if other is not None else None
        if mate is not None:
            made = changed_entry(made, mate, replace(made.entries[mate], enter=enter, leave=leave))
        self.show(made)

    def _take_away(self, square: Square) -> None:
        at = number_at(self.plan.entries, square)
        if at is None:
            self.refuse("there is no entry")
            return
        other = self.twin_of(square)
        mate = number_at(self.plan.entries, other) if other is not None else None
        self._square = square
        self.begin(f"Remove {self.plan.entries[at].name}")
        self.show(without_entries(self.plan, [at] if mate is None else [at, mate]))

    def _way(self, plan: FloorPlan, spot: Spot, square: Square) -> Way:
        enter, leave = self._rates
        side = self.side_at(spot, square)
        return Way(name=new_entry_name(plan), x=square[0], y=square[1], enter=enter, leave=leave, side=side)

    def _twins(self, plan: FloorPlan, way: Way) -> tuple[Way, ...]:
        """Return the entry drawn again by symmetry, where it can be."""
        other = self.twin_of((way.x, way.y))
        if other is None or number_at(plan.entries, other) is not None:
            return ()
        side = None if way.side is None else twin_side(way.side, self.bench.symmetry)
        made = replace(way, name=new_entry_name(plan), x=other[0], y=other[1], side=side)
        reason = why_no_entry(plan, made)
        if reason and self.gesture is not None:
            self.refuse(f"no entry at its twin, {at_square(other)}: {reason}")
        return () if reason else (made,)
