"""Reach: where somebody comes to with so many movement points (4.3, R7)."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt

from editor.tools.base import Keys, Spot
from editor.tools.looking import LookingTool

POINTS: Final = (3, 4, 5, 6, 7)


class Reach(LookingTool):
    """Shows where a walk from the pointer leads; a click holds the square it starts from."""

    key = "reach"
    title = "Reach"
    shortcut = "M"
    topic = "editor-reach"
    shows = "reach"

    @property
    def hint(self) -> str:
        points = self.bench.points
        return f"Point: where {points} movement points lead from there · Left: hold it · 1–5: 3–7 points"

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        return tuple((str(points), f"{points} points") for points in POINTS)

    @property
    def option(self) -> str:
        return str(self.bench.points)

    def choose(self, option: str) -> None:
        self.bench.set_overlay(self.bench.overlay, self.bench.overlay_from, int(option))
        self.optionsChanged.emit()
        self.changed.emit()

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        room = self.plan.room_at(*spot.square) if spot.square is not None else None
        if room is None:
            self.refuse("there is no floor")
        else:
            self.hold(spot.square)
