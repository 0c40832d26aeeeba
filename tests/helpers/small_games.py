"""Games that end soon."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.raid.scenario import Scenario, StartFigure, StartPosition, load_scenario


def small_scenario(turns: int = 1, **changes: Any) -> Scenario:
    """Return the Basic scenario with few figures and few turns, for games that end soon."""
    few: dict[str, Any] = {
        "turns": turns,
        "terminators": 2,
        "jellies": 3,
        "jelly_numbers": (1, 2, 3),
        "armed_technicians": 1,
        "technicians": 2,
        "servants": 2,
    }
    return msgspec.structs.replace(load_scenario("basic"), **(few | changes))


def brawl(turns: int = 2) -> Scenario:
    """Return a game that begins in the middle of a fight: warriors, a gun and a servant in Central."""
    levels = {"fist": 2, "kick": 2, "mist": 1, "soul": 1, "heart": 1}
    figures = [
        StartFigure(name="Rising Dream", square=(11, 11), original=levels),
        StartFigure(name="Shadow Lotus", square=(13, 12), original=levels),
        StartFigure(name="J-1", square=(12, 11)),
        StartFigure(name="J-2", square=(11, 12)),
        StartFigure(name="J-7", square=(13, 13)),
        StartFigure(name="Servant 1", square=(10, 11)),
        StartFigure(name="Armed Technician 1", square=(12, 13)),
        StartFigure(name="CloneMaster", square=(30, 12), is_face_up=False),
        StartFigure(name="Technician 1", square=(2, 2), is_face_up=False),
    ]
    start = StartPosition(phase="combat-1", figures=tuple(figures))
    return small_scenario(turns, jelly_numbers=(1, 2, 7), technicians=1, servants=1, start=start)
