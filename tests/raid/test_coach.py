"""The coach's advice: on every decision of a combat, exact where it says so, without a leak (5.4, R29)."""

from __future__ import annotations

import random
import threading

import msgspec
import pytest

from engine.coach import beliefs, words
from engine.coach.advice import Advice, Cancelled, advise
from engine.coach.duel import NO_HAND
from engine.core.decision import Decision
from engine.raid import choices, rules, takeback
from engine.raid.figures import ABILITIES, COUNTERS, SIDES
from engine.raid.match import RaidMatch
from engine.raid.redact import view
from engine.raid.scenario import load_scenario
from engine.raid.view import PHASES
from tests.helpers.raid import (
    C,
    T,
    asked,
    begin_fight,
    decision,
    fight,
    kind,
    match,
    open_room,
    play,
)
from tests.raid.test_contracts import seated, state_of, step, twist

WHOLE = "fist1 kick2 mist1 soul1 heart2"
encode = msgspec.json.Encoder(order="deterministic").encode


def advice(game: RaidMatch, side: str) -> tuple[Advice, ...]:
    """Return the coach's advice for what a side is asked."""
    return advise(game.view(side), decision(game, side), game.scenario, game.board)


def begun(figures: str) -> RaidMatch:
    """Return a match in which the first combat has begun."""
    game = match(open_room(12, 10), figures, phase="combat-1")
    game.submit(T, choices.Fight(0))
    return game


def duel(dream: str = WHOLE, jelly: str = "J-1  5,4", near: str = "") -> RaidMatch:
    """Return a match in which Rising Dream fights a Jelly and counters are to be chosen."""
    return begun(f"Rising Dream  4,4  {dream}\nShadow Lotus  off\n{jelly}\n{near}".strip())


# What may be known


def test_a_fresh_terminator_may_have_any_set_of_seven_levels() -> None:
    """6.1, R30: seven levels, one at least in each of five skills, make fifteen sets."""
    game = duel()
    seen = game.view(C).figure("Rising Dream")
    assert seen.levels is None
    sets = beliefs.level_sets(seen, game.scenario.levels)
    assert len(sets) == 15
    assert all(sum(levels) == 7 and max(levels) <= 3 for levels in sets)
    assert all(levels[ABILITIES.index("weapon")] == 0 for levels in sets)
    # His own side knows the one he has.
    own = beliefs.level_sets(game.view(T).figure("Rising Dream"), game.scenario.levels)
    assert own == ((1, 2, 0, 1, 1, 2),)


def test_lost_levels_are_counted_but_not_known() -> None:
    """R29, R24: a Jelly's printed levels are public, which of them it lost is not."""
    game = duel(jelly="J-1  5,4  kick1 heart1 / kick2 heart1")
    seen = game.view(T).figure("J-1")
    sets = beliefs.level_sets(seen, game.scenario.levels)
    kick, heart = ABILITIES.index("kick"), ABILITIES.index("heart")
    assert sorted((levels[kick], levels[heart]) for levels in sets) == [(1, 1), (2, 0)]
    hurt = duel(dream="fist1 kick1 mist1 / fist1 kick2 mist1 soul1 heart2")
    sets = beliefs.level_sets(hurt.view(C).figure("Rising Dream"), hurt.scenario.levels)
    assert all(sum(levels) == 3 for levels in sets)
    # Seven at first, one of each at least: so none of five can have been at three twice.
    assert max(max(levels) for levels in sets) == 3


def test_what_was_shown_is_no_longer_held() -> None:
    """5.4: who has shown a kick of two may hold the rest of any whole hand with a kick in it."""
    sets = ((1, 1, 0, 1, 0, 0),)
    shown = beliefs.hand_of(("kick",))
    held = beliefs.still_held(sets, 2, shown, is_empty=False)
    assert {beliefs.words_of(hand) for hand in held} == {("fist",), ("mist",)}
    assert beliefs.still_held(sets, 2, shown, is_empty=True) == (NO_HAND,)


# Choosing


def test_a_duel_is_exact_and_its_mix_is_whole() -> None:
    """5.4: for two who fight alone every hand offered has its chances, and the shares sum to 1."""
    game = duel()
    for side in SIDES:
        (found,) = advice(game, side)
        asked_of = decision(game, side)
        assert [one.choice for one in found.options] == list(asked_of.options.of(found.figure))
        assert sum(one.share for one in found.options) == pytest.approx(1)
        assert found.best in asked_of.options
        assert found.is_exact
        assert found.value is not None
        assert max(one.worth for one in found.options) == pytest.approx(found.value, abs=1e-7)
    (mine,) = advice(game, T)
    # J-1 has nothing but kicks: 2 Lightning Foot, 1 Iron Fist or the like hits most.
    assert isinstance(mine.best, choices.ChooseCounters)
    assert set(mine.best.counters) <= {"fist", "kick"}
    assert "Take 1 Iron Fist, 2 Lightning Foot" in mine.reason
    # 3 levels of J-1 fall to three hits at 1-3, 1-4 and 1-4.
    assert next(one for one in mine.mix).foe_fall == pytest.approx(3 / 6 * (4 / 6) ** 2)
    ((counters, share),) = mine.foe_mix
    assert (counters, round(share, 6)) == (("kick", "kick"), 1)
    (theirs,) = advice(game, C)
    assert any("levels are secret: 7 in all" in said for said in theirs.assumptions)


def test_a_larger_combat_says_that_it_is_approximate() -> None:
    """With several at it figures are looked at one by one, and the advice says so."""
    game = duel(near="J-2  4,5\nServant 1  3,3")
    (found,) = advice(game, T)
    assert not found.is_exact
    assert found.foe == "J-1 and J-2"
    assert found.value == pytest.approx(max(one.worth for one in found.options), abs=1e-7)
    assert sum(one.share for one in found.options) == pytest.approx(1)
    said = " ".join(found.assumptions)
    assert "Approximate" in said
    assert "1 untrained attacker near Rising Dream: taken to attack" in said
    both = advice(game, C)
    assert [one.figure for one in both] == ["J-1", "J-2"]


def test_mist_is_taken_where_many_untrained_wait() -> None:
    """R22: with nobody to reply the hand weighs strikes against the untrained who attack afterwards."""
    servants = "\n".join(
        f"Servant {n}  {x},{y}"
        for n, (x, y) in enumerate(((3, 3), (4, 3), (5, 3), (3, 4), (5, 4), (4, 5)), 1)
    )
    game = begun(f"Rising Dream  4,4  {WHOLE}\nShadow Lotus  off\n{servants}")
    (found,) = advice(game, T)
    assert isinstance(found.best, choices.ChooseCounters)
    assert "mist" in found.best.counters
    best = next(one for one in found.options if one.share)
    assert best.lost == 0
    # Two strikes at the helpless, each at 1-5, at half a level each.
    assert best.worth == pytest.approx(2 * 5 / 6 / 2)


def test_equipment_is_struck_where_nobody_stands_by() -> None:
    """5.8: a combat against a door or equipment alone takes attacks."""
    game = match("citadel", f"Rising Dream  21,1  {WHOLE}\nShadow Lotus  off", phase="combat-1")
    game.submit(T, choices.Fight(0))
    (found,) = advice(game, T)
    assert isinstance(found.best, choices.ChooseCounters)
    assert {"fist", "kick"} >= set(found.best.counters)
    assert found.best.counters


# A combat under way


def test_who_begins_is_weighed_to_the_end() -> None:
    """5.4: to see the other's counter first is worth more where his is an attack one can turn aside."""
    game = duel()
    begin_fight(game, {"Rising Dream": "kick kick soul", "J-1": "kick kick"})
    (found,) = advice(game, T)
    assert found.best == choices.Begin(C)
    worth = {one.choice: one.worth for one in found.options}
    assert worth[choices.Begin(C)] > worth[choices.Begin(T)]
    assert found.is_exact


def test_a_reply_turns_the_attack_aside() -> None:
    """2.6: the reply of the example's Monkey Soul keeps a kick away for certain."""
    game = duel()
    fight(game, {"Rising Dream": "fist soul", "J-1": "kick kick"}, first=C)
    play(game, "J-1", "kick", "Rising Dream")
    (found,) = advice(game, T)
    by_counter = {
        one.choice.counter: one for one in found.options if isinstance(one.choice, choices.PlayCounter)
    }
    # Soul now and the fist unanswered at 1-4 later, or the fist now at 1-3 against a kick.
    assert by_counter["soul"].chance == 0
    assert by_counter["fist"].chance == 3 / 6
    assert by_counter["soul"].lost == pytest.approx(3 / 6)
    assert sum(one.share for one in found.options) == pytest.approx(1)
    assert found.best in decision(game, T).options


def test_spikes_are_thrown_where_they_can_be() -> None:
    """R19: not to throw leaves the spikes without a target."""
    game = duel(jelly="J-7  6,4")
    begin_fight(game, {"Rising Dream": "fist mist soul", "J-7": "fist weapon"})
    assert kind(game) == "throw-spikes"
    (found,) = advice(game, C)
    assert found.best == choices.Throw(True)
    thrown = next(one for one in found.options if one.choice == found.best)
    assert thrown.taken == pytest.approx(3 / 6)
    game.submit(C, choices.Throw(True))
    (found,) = advice(game, C)
    assert found.best == choices.PlayCounter("J-7", "weapon")


def test_mountain_heart_is_lost_first() -> None:
    """5.6: the ability that alone comes back is the one to lose."""
    game = match(
        open_room(12, 10),
        f"Rising Dream  4,4  {WHOLE}\nShadow Lotus  off\nJ-5  5,4",
        phase="combat-1",
        dice=(1,),
    )
    fight(game, {"Rising Dream": "", "J-5": "fist"})
    game.submit(C, choices.PlayCounter("J-5", "fist"))
    game.submit(C, choices.NameTarget("Rising Dream"))
    assert kind(game) == "lose-ability"
    (found,) = advice(game, T)
    assert found.best == choices.LoseAbility("Rising Dream", "heart")


# Every decision of whole games


def coached(game: RaidMatch) -> list[Decision]:
    """Return the open decisions that the coach has something to say about."""
    return [one for one in game.decisions() if one.kind in choices.COMBAT_DECISIONS]


@pytest.mark.parametrize("seed", [3, 5])
def test_every_decision_of_a_combat_gets_the_same_advice_for_the_same_knowledge(seed: int) -> None:
    """R29, contract 5: all that is offered is weighed, and twins unlike only in secrets are advised alike."""
    game = RaidMatch.new(load_scenario("basic"), str(seed))
    players = seated(game, "rulebook", seed)
    rng = random.Random(seed)
    kinds: set[str] = set()
    for _ in range(3000):
        if game.is_over:
            break
        for one in coached(game):
            side = SIDES.index(one.side)
            if one.kind in kinds and rng.random() < 0.85:
                continue
            kinds.add(one.kind)
            found = advise(game.view(one.side), one, game.scenario, game.board)
            assert found, one.kind
            for part in found:
                offered = one.options.of(part.figure) if part.figure else tuple(one.options)
                assert [option.choice for option in part.options] == list(offered)
                assert sum(option.share for option in part.options) == pytest.approx(1)
                assert part.best in offered
                for option in part.options:
                    chances = (option.own_fall, option.foe_fall, option.own_death, option.foe_death)
                    assert all(-1e-9 <= chance <= 1 + 1e-9 for chance in chances), (one.kind, option)
                assert part.reason
                assert part.assumptions
            other = twist(state_of(game), side, rng)
            twin = next((new for new in rules.decisions(other) if new.side == one.side), None)
            assert twin is not None
            again = advise(view(other, one.side), twin, game.scenario, game.board)
            assert encode(again) == encode(found)
        step(game, players)
    assert kinds >= {"choose-counters", "who-begins", "play-counter", "name-target", "lose-ability"}


def test_nobody_else_is_advised() -> None:
    """R29: a view that is not that of the side asked gets nothing, nor does anything outside a combat."""
    game = duel()
    asked_of = decision(game, T)
    assert advise(game.view("public"), asked_of, game.scenario, game.board) == ()
    assert advise(game.view(C), asked_of, game.scenario, game.board) == ()
    before = match(open_room(12, 10), f"Rising Dream  4,4  {WHOLE}\nJ-1  5,4", phase="combat-1")
    assert asked(before) == T
    assert advise(before.view(T), decision(before, T), before.scenario, before.board) == ()


def test_advice_nobody_waits_for_is_dropped() -> None:
    """A thought called off ends without an answer."""
    game = duel()
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        advise(game.view(T), decision(game, T), game.scenario, game.board, cancel)


def test_hands_are_those_of_the_rules() -> None:
    """5.4, R16: the hands the coach reckons with are those that are offered."""
    game = duel()
    offered = decision(game, T).options.of("Rising Dream")
    levels = game.view(T).figure("Rising Dream").levels
    assert levels is not None
    found = beliefs.hands(tuple(levels[word] for word in COUNTERS), 3)
    assert [beliefs.words_of(hand) for hand in found] == [
        one.counters for one in offered if isinstance(one, choices.ChooseCounters)
    ]


def test_things_are_named_as_everywhere() -> None:
    """5.7: the coach, and what a takeback goes back to, name a thing in words, not by its key."""
    strike = choices.NameTarget("tank 21,0")
    assert words.choice_words(strike, {}, "terminator") == "Strike the clone tank at 21,0"
    wanted = "the strike at the clone tank at 21,0 in turn 2"
    assert takeback.name_choice("terminator", strike, (2, PHASES.index("combat-1"))) == wanted
