"""Reach: where somebody comes to with so many movement points (4.3, R7)."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt

from editor.bench import Who
from editor.tools.base import Keys, Spot
from editor.tools.looking import LookingTool
from engine.raid.tables import Allowances

POINTS: Final = (3, 4, 5, 6, 7)
WALKERS: Final[dict[Who, str]] = {
    "terminator": "Terminator",
    "climber": "who climbs",
    "clonemaster": "CloneMaster's",
}
HINT_WORDS: Final[dict[Who, str]] = {
    "terminator": "Terminator",
    "climber": "Terminator who climbs",
    "clonemaster": "CloneMaster's unit",
}
DOORS: Final = "doors"


class Reach(LookingTool):
    """Shows where a walk from the pointer leads; a click holds the square it starts from."""

    key = "reach"
    title = "Reach"
    shortcut = "M"
    topic = "editor-reach"
    shows = "reach"

    @property
    def hint(self) -> str:
        who, points, are_destroyed = self.bench.walk
        doors = ", armored doors destroyed" if are_destroyed else ""
        return (
            f"{HINT_WORDS[who]}, {points} points{doors} · Left: hold · 1–5: points, 6–8: who, 9: doors · "
            f"{self.bench.native_key('keep-reach')}: keep on"
        )

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        points = [(str(one), f"{one} points") for one in (*POINTS, *self._other_points)]
        doors = (DOORS, "no armored doors")
        return (*points[: len(POINTS)], *WALKERS.items(), doors, *points[len(POINTS) :])

    @property
    def _other_points(self) -> tuple[int, ...]:
        """What figures of the scenario move besides (2.551-2.557)."""
        scenario = self.document.draft.scenario
        allowances = scenario.allowances if scenario is not None else Allowances()
        moved = {getattr(allowances, field) for field in Allowances.__struct_fields__ if field != "extra"}
        return tuple(sorted(moved - set(POINTS)))

    @property
    def option(self) -> str:
        return self.bench.walk.who

    @property
    def in_force(self) -> frozenset[str]:
        who, points, are_destroyed = self.bench.walk
        return frozenset({who, str(points), *([DOORS] if are_destroyed else ())})

    def choose(self, option: str) -> None:
        walk = self.bench.walk
        if option == DOORS:
            walk = walk._replace(are_doors_destroyed=not walk.are_doors_destroyed)
        elif option.isdigit():
            walk = walk._replace(points=int(option))
        else:
            walk = walk._replace(who=next(who for who in WALKERS if who == option))
        self.bench.set_walk(walk)
        self.optionsChanged.emit()
        self.changed.emit()

    def choose_next(self) -> None:
        walkers = list(WALKERS)
        self.choose(walkers[(walkers.index(self.bench.walk.who) + 1) % len(walkers)])

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        room = self.plan.room_at(*spot.square) if spot.square is not None else None
        if room is None:
            self.refuse("there is no floor")
        else:
            self.hold(spot.square)
