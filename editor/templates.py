"""What a new draft can begin with: an empty map, a small house, a shipped map or scenario."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from editor.draft import Draft
from engine.fortress.floorplan import ROCK, FloorPlan, parse_floorplan_text
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
            "Small house",
            "A few rooms with doors, a tank, a computer and one entry, to be changed.",
            lambda: Draft(small_house()),
        ),
        *(
            Template(
                f"map {name}", plan.name, f"The shipped map, {plan.width} × {plan.height} squares.", made
            )
            for name, plan, made in ((one, _map(one), _maker(one)) for one in MAPS)
        ),
        *(
            Template(f"scenario {name}", _scenario(name).name, _scenario(name).notes, _scenario_maker(name))
            for name in SHIPPED
        ),
    )


def _map(name: str) -> FloorPlan:
    return plan_of(Scenario(name=name, map=name))


def _scenario(name: str) -> Scenario:
    return load_scenario(name)


def _maker(name: str) -> Callable[[], Draft]:
    return lambda: Draft(_map(name))


def _scenario_maker(name: str) -> Callable[[], Draft]:
    def make() -> Draft:
        scenario = _scenario(name)
        return Draft(plan_of(scenario), scenario)

    return make
