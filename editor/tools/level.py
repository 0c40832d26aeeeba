"""Level: which level of the fortress rooms lie on (2.1)."""

from __future__ import annotations

from editor.bench import Bench
from editor.edits.rooms import with_room
from editor.edits.squares import GROUND_LEVEL
from editor.tools.rooms import RoomsTool
from engine.fortress.floorplan import FloorPlan, RoomInfo

NEW = "+"
NAMES = ("lower", "upper")


class Level(RoomsTool):
    """Puts rooms on a level: one that other rooms are on, or a new one."""

    key = "level"
    title = "Level"
    shortcut = "L"
    topic = "editor-level"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._level = ""
        self.document.changed.connect(self._follow)
        self._shown = self.options

    @property
    def hint(self) -> str:
        room = self.room
        now = f"{room.name}: {room.level} · " if room is not None else ""
        return f"{now}Left: to level {self._chosen} · Drag: more rooms · Right: use its level · 1–9: another"

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        return (*((level, level) for level in self._levels), (NEW, f"new: {self._new}"))

    @property
    def option(self) -> str:
        return self._chosen if self._chosen in self._levels else NEW

    def choose(self, option: str) -> None:
        self._level = self._new if option == NEW else option
        self.optionsChanged.emit()
        self.changed.emit()

    @property
    def _levels(self) -> tuple[str, ...]:
        """The levels of the map's rooms, in the order of the list."""
        return tuple(dict.fromkeys(room.level for room in self.plan.rooms)) or (GROUND_LEVEL,)

    @property
    def _new(self) -> str:
        """A level that no room is on."""
        there = set(self._levels)
        number = len(there) + 1
        while f"level {number}" in there:
            number += 1
        return next((name for name in NAMES if name not in there), f"level {number}")

    @property
    def _chosen(self) -> str:
        return self._level or self._levels[0]

    def begins(self, room: RoomInfo, *, is_right: bool) -> None:
        if is_right:
            self.choose(room.level)

    def named(self, room: RoomInfo) -> str:
        return f"{room.name} on level {self._chosen}"

    def made(self, plan: FloorPlan, room: RoomInfo) -> FloorPlan:
        return with_room(plan, room.letter, level=self._chosen)

    def _follow(self) -> None:
        """Tell the panel when the levels to choose from are others."""
        if self._shown != self.options:
            self._shown = self.options
            self.optionsChanged.emit()
