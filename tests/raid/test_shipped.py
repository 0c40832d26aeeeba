"""What ships: scenarios that both sides can win, on maps without a fault."""

from __future__ import annotations

import pytest

from engine.bots import make_bot
from engine.core.match import PUBLIC, Table
from engine.raid.match import RaidMatch
from engine.raid.problems import map_problems, problems
from engine.raid.scenario import MAPS, SHIPPED, Scenario, load_scenario, plan_of

GAMES = 40  # more than enough for the side that wins one in ten


def winner(scenario: Scenario, seed: int) -> str:
    """Return who wins a game between two rulebook bots."""
    match = RaidMatch.new(scenario, str(seed))
    sides = ("terminator", "clonemaster")
    table = Table(match, {side: make_bot("rulebook", f"{seed} {side}") for side in sides})
    while not match.is_over:
        table.step()
    outcome = match.view(PUBLIC).outcome
    assert outcome is not None
    return str(outcome.winner)


@pytest.mark.parametrize("name", ["basic", "tea-house", "mountain"])
def test_each_side_wins_some_games(name: str) -> None:
    """Neither side is without hope: of a few games between bots each side wins one."""
    scenario = load_scenario(name)
    winners: set[str] = set()
    for seed in range(GAMES):
        winners.add(winner(scenario, seed))
        if {"terminator", "clonemaster"} <= winners:
            return
    pytest.fail(f"of {GAMES} games all went to {winners}")


@pytest.mark.parametrize("name", MAPS)
def test_shipped_maps_have_no_problems(name: str) -> None:
    """A shipped map passes every check that a designer's map must."""
    assert map_problems(plan_of(Scenario(name="", map=name))) == ()


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_scenarios_have_no_problems(name: str) -> None:
    """So does every shipped scenario."""
    assert problems(load_scenario(name)) == ()
