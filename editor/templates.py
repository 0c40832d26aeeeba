"""What a new draft can begin with: an empty map, a small house, a shipped map or scenario."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from editor.draft import Draft
from engine.fortress.floorplan import ROCK, FloorPlan
from engine.fortress.plan_text import parse_floorplan_text
from engine.raid.scenario import MAPS, SHIPPED, Scenario, load_scenario, plan_of
from resources.path import resource

SIZE: Final = (24, 16)
"""Columns and rows of an empty map that nobody gave another size."""


class Template(NamedTuple):
    """Something to begin with; `make` returns a draft of one's own, without a file."""

    key: str
    title: str
    about: str
    make: Callable[[], Draft]


def empty(width: int = SIZE[0], height: int = SIZE[1], name: str = "New map") -> FloorPlan:
    """Return a map with nothing on it but rock."""
    return FloorPlan(name=name, grid=(ROCK * width,) * height, rooms=())


def small_house() -> FloorPlan:
    """Return a small house with all that a fortress needs, to be changed."""
    text = resource("templates/small-house.txt").read_text(encoding="utf-8")
    return parse_floorplan_text(text, "Small house")


def templates() -> tuple[Template, ...]:
    """Return everything to begin with; an empty map, whose size is asked for, comes first."""
    return (
        Template("empty", "Empty map", "Nothing but rock, in the size you give.", lambda: Draft(empty())),
        Template(
            "small-house",
            "Small house (map)",
            "A few rooms with doors, a tank, a computer and one entry, to be changed.",
            lambda: Draft(small_house()),
        ),
        *(_of_map(name) for name in MAPS),
        *(_of_scenario(name) for name in SHIPPED),
    )


def _of_map(name: str) -> Template:
    plan = plan_of(Scenario(name=name, map=name))
    about = "The map alone. Draw on it, and make a scenario of your own for it."
    return Template(f"map {name}", f"{plan.name} (map)", about, lambda: Draft(plan))


def _of_scenario(name: str) -> Template:
    scenario = load_scenario(name)
    plan = plan_of(scenario)
    about = f"A scenario of {scenario.turns} turns on the map “{plan.name}”. {scenario.notes}"
    return Template(
        f"scenario {name}", f"{scenario.name} (scenario)", about.strip(), lambda: Draft(plan, scenario)
    )
