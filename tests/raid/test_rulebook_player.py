"""The rulebook bot: what it must manage on any map that can be drawn."""

from __future__ import annotations

import pytest

from engine.bots import make_bot
from engine.core.match import OPEN, Table
from engine.raid.match import RaidMatch
from engine.raid.problems import problems
from engine.raid.scenario import Scenario
from tests.helpers.plans import drawn


@pytest.mark.parametrize("seed", range(3))
def test_terminators_break_the_door_that_bars_the_only_way(seed: int) -> None:
    """4.41: machines behind an armored door and no other way to them: the door is walked up to and broken."""
    plan = drawn(
        "AAAAAABBB AAAAAABBB AAAAAABBB",
        "armored 5,1 E",
        things="tank 7,1; computer 8,0 N",
        entries="0,0 N; 0,2 S",
    )
    scenario = Scenario(
        name="Vault", map=plan, jellies=1, armed_technicians=0, technicians=1, servants=1, turns=10
    )
    assert not [problem for problem in problems(scenario) if problem.severity == "error"]
    match = RaidMatch.new(scenario, str(seed))
    table = Table(
        match,
        {"terminator": make_bot("rulebook", str(seed)), "clonemaster": make_bot("random", str(seed))},
    )
    while not match.is_over:
        table.step()
    view = match.view(OPEN)
    assert all(door.is_destroyed for door in view.doors)
    assert all(thing.is_destroyed for thing in view.equipment)
