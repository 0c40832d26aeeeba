"""Drafts at random: maps and scenarios with something in every field, and keys nobody knows."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from editor.draft import OWN_MAP, Draft
from engine.raid.scenario import (
    Escape,
    HouseRules,
    Placement,
    Points,
    Reinforcement,
    Scenario,
    StartFigure,
    StartPosition,
)
from engine.raid.tables import Allowances
from tests.helpers.plans import random_plan

_NAMES = ("", "A house", 'with "quotes"', "ünïcode 力", "two\nlines")


def random_extra(rng: random.Random) -> tuple[tuple[str, Any], ...]:
    """Return keys that no program knows, or none."""
    made = {"$note": "kept", "zeal": [1, {"deep": None}], "x-rate": 1.5, "flag": True}
    return tuple((key, made[key]) for key in made if rng.random() < 0.2)


def random_draft(seed: int, *, is_scenario: bool | None = None) -> Draft:
    """Return a map, or a scenario with its map in it or with the name of a shipped one."""
    rng = random.Random(seed)
    plan = replace(random_plan(seed), extra=random_extra(rng))
    plan = replace(plan, rooms=tuple(replace(room, extra=random_extra(rng)) for room in plan.rooms))
    if not (rng.random() < 0.6 if is_scenario is None else is_scenario):
        return Draft(plan)

    def square() -> tuple[int, int]:
        return rng.randrange(12), rng.randrange(12)

    numbers = tuple(sorted(rng.sample(range(1, 13), rng.randint(2, 12))))
    scenario = Scenario(
        name=rng.choice(_NAMES),
        notes=rng.choice(_NAMES),
        map=OWN_MAP,
        turns=rng.randint(1, 99),
        terminators=rng.randint(1, 5),
        jellies=rng.randint(1, len(numbers)),
        jelly_numbers=numbers,
        required_jellies=numbers[: rng.randint(0, 1)],
        extra_doors=rng.randint(0, 9),
        reinforcements=tuple(
            Reinforcement(from_turn=rng.randint(1, 9), number=1, entry=rng.choice(("way 0", "Way")))
            for _ in range(rng.randint(0, 2))
        ),
        set_up=rng.choice(("player", "random")),
        placements=tuple(Placement(kind="servant", square=square()) for _ in range(rng.randint(0, 3))),
        escape=Escape(levels_left=rng.randint(0, 3)),
        points=rng.choice((None, Points(start=rng.randint(0, 9)))),
        allowances=Allowances(jelly=rng.randint(1, 9), extra=random_extra(rng)),
        rules=HouseRules(may_underpick=rng.random() < 0.5),
        start=rng.choice(
            (
                None,
                StartPosition(
                    turn=rng.randint(1, 9),
                    figures=(
                        StartFigure(name="CloneMaster", square=square()),
                        StartFigure(name="Rising Dream", place="off", original={"fist": 2, "kick": 1}),
                    ),
                    doors=("door 1,1 E",),
                ),
            )
        ),
        extra=random_extra(rng),
    )
    return Draft(plan, scenario)


def drafts(*, is_scenario: bool | None = None) -> st.SearchStrategy[Draft]:
    """Draw drafts."""
    return st.integers(0, 10**6).map(lambda seed: random_draft(seed, is_scenario=is_scenario))
