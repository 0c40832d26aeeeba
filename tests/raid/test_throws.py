"""Which numbers of the dice's stream a recorded game used: all of them, in order, and no others."""

from __future__ import annotations

from hypothesis import given, settings

from engine.core.dice import Dice
from engine.raid.match import RaidMatch
from engine.raid.scenario import load_scenario
from engine.raid.throws import throws
from tests.raid.test_contracts import SLOW, moments, seated, state_of, step
from tests.raid.test_takeback import combat, restless


@settings(SLOW, max_examples=20)
@given(moments)
def test_every_number_falls_once(moment: tuple[int, int, bool]) -> None:
    """With takebacks, undos and branches anywhere, each seed's numbers fall one after another."""
    game = restless(*moment)
    record = game.record
    found = list(throws(record))
    starts = {0: record.seed, **{reseed.at: reseed.seed for reseed in record.reseeds}}
    assert [throw.choice for throw in found] == sorted(throw.choice for throw in found)
    fallen = dict.fromkeys(starts.values(), 0)
    for throw in found:
        since = max((at for at in starts if at < throw.choice or at == throw.choice == 0), default=0)
        assert throw.seed == (record.seed if throw.choice == 0 else starts[since])
        assert throw.first == fallen[throw.seed] + 1
        fallen[throw.seed] = throw.last
        stream = iter([Dice(throw.seed, place - 1).roll() for place in range(throw.first, throw.last + 1)])
        assert all(die in stream for die in throw.dice), "the dice are among the numbers, in their order"
    dice = state_of(game).dice
    assert fallen[dice.seed] == dice.count


def test_a_whole_game_is_told() -> None:
    """From what chance dealt before the first choice to the last die."""
    game = RaidMatch.new(load_scenario("solitaire"), "5")
    players = seated(game, "rulebook", 5)
    while not game.is_over:
        step(game, players)
    found = list(throws(game.record))
    assert (found[0].choice, found[0].first, found[0].dice) == (0, 1, ())
    assert sum(throw.numbers for throw in found) == state_of(game).dice.count
    assert sum(len(throw.dice) for throw in found) > 20


def test_scripted_dice_have_no_places() -> None:
    """Where dice are scripted, only their faces are told."""
    found = list(throws(combat((1, 6, 5)).record))
    assert [(throw.first, throw.last, throw.dice, throw.numbers) for throw in found] == [(0, 0, (1,), 0)]
