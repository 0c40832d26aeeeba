"""Whatever a designer draws without an error is played to its end by every bot."""

from __future__ import annotations

import msgspec
import pytest

from engine.bots import make_bot
from engine.core.match import play
from engine.raid.match import RaidMatch
from engine.raid.problems import problems
from engine.raid.scenario import Scenario, format_scenario, parse_scenario
from tests.helpers.designs import random_design

BATCHES, EACH = 20, 10
PAIRS = (("rulebook", "rulebook"), ("random", "random"), ("random", "rulebook"), ("rulebook", "solitaire"))
LIMIT = 20_000  # choices; none of these games has a tenth


@pytest.mark.parametrize("batch", range(BATCHES))
def test_designs_without_errors_end(batch: int) -> None:
    """Contract: 200 small houses with random forces and switches and no error reach their end by all bots."""
    for seed in range(batch * EACH, (batch + 1) * EACH):
        scenario = random_design(seed)
        assert not [one for one in problems(scenario) if one.severity == "error"]
        for pair in PAIRS:
            match = RaidMatch.new(scenario, str(seed))
            bots = {
                side: make_bot(bot, f"{seed} {side}") for side, bot in zip(match.sides, pair, strict=True)
            }
            play(match, bots, LIMIT)
            view = match.view("open")
            assert view.outcome is not None, (seed, pair)
            assert 1 <= view.turn <= scenario.turns


def test_a_design_is_its_file() -> None:
    """A record of such a game is read again, and the scenario comes back from its file as it was."""
    for seed in range(EACH):
        scenario = random_design(seed)
        assert parse_scenario(format_scenario(scenario)) == scenario
        match = RaidMatch.new(scenario, str(seed))
        play(match, {side: make_bot("random", side) for side in match.sides}, LIMIT)
        assert RaidMatch.from_record(match.record).is_over


def test_designs_turn_every_switch() -> None:
    """The random designs leave no field of a scenario at its usual value throughout."""
    usual = Scenario(name="")
    fields = {field.name for field in msgspec.structs.fields(Scenario)} - {"notes", "extra"}
    turned: set[str] = set()
    for seed in range(BATCHES * EACH):
        scenario = random_design(seed)
        turned |= {name for name in fields if getattr(scenario, name) != getattr(usual, name)}
    assert turned == fields
