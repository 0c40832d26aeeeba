"""The coach's duel is the rules' duel, and its mixes cannot be exploited (5.4, 2.6, R16-R21)."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from engine.coach.beliefs import hand_of, hands, words_of
from engine.coach.duel import NOTHING, Duel, Hand, Move, Outcome, Position, Tally, balance
from engine.coach.equilibrium import Answer, Cancelled, Holding, solve_duel, solve_matrix
from engine.core.decision import Choice, Decision
from engine.core.dice import FACES, OutOfDice, ScriptedDice
from engine.raid import choices, rules
from engine.raid.figures import COUNTERS, JELLIES, SIDES
from engine.raid.state import DEAD, State
from engine.raid.tables import HitNumbers
from tests.helpers.raid import begin_fight, match, open_room

Case = tuple[str, int, str, str, str, int, int]


# Small games


def test_matching_pennies() -> None:
    """A game of matching pennies is worth nothing and played half and half."""
    found = solve_matrix([[1, -1], [-1, 1]])
    assert found.value == pytest.approx(0)
    assert found.rows == pytest.approx((0.5, 0.5))
    assert found.columns == pytest.approx((0.5, 0.5))


def test_rock_paper_scissors() -> None:
    """Rock, paper and scissors are taken a third each."""
    found = solve_matrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert found.value == pytest.approx(0)
    assert found.rows == pytest.approx((1 / 3,) * 3)


def test_dominated_rows_are_never_taken() -> None:
    """A row that is worse everywhere gets no share; a saddle point is pure."""
    found = solve_matrix([[2, 3], [1, 2], [4, 1]])
    # By hand: rows 1 and 3, p with 2p + 4(1 - p) = 3p + (1 - p), so p = 3/4 and the value 5/2.
    assert found.rows == pytest.approx((0.75, 0, 0.25))
    assert found.value == pytest.approx(2.5)
    assert found.columns == pytest.approx((0.5, 0.5))
    saddle = solve_matrix([[1, 4], [3, 5]])
    assert saddle.value == pytest.approx(3)
    assert (saddle.rows, saddle.columns) == ((0.0, 1.0), (1.0, 0.0))


def test_an_empty_table_is_refused() -> None:
    """A game without choices has no value."""
    with pytest.raises(ValueError, match="at least one"):
        solve_matrix([])


# The same game as the rules'


def rolled(state: State, side: str, choice: Choice) -> Iterator[tuple[float, State]]:
    """Yield every state after a choice, with its chance: each roll of each die is tried."""
    left: list[tuple[int, ...]] = [()]
    while left:
        script = left.pop()
        trial = state.copy()
        trial.dice = ScriptedDice(script)
        try:
            new, _ = rules.advance(trial, side, choice)
        except OutOfDice:
            left += [(*script, face) for face in range(1, FACES + 1)]
            continue
        yield FACES ** -len(script), new


class Truth:
    """A duel played by the rules engine itself, from the moment both hands are chosen."""

    def __init__(self, state: State, is_best: bool) -> None:
        self.start = state
        self.is_best = is_best
        self.index = state.game.roster.index
        self.jelly = next(name for name in self.index if name.startswith("J-"))
        self._known: dict[object, float] = {}

    def worth(self, state: State) -> float:
        """Return `_worth`, worked out once for states that differ only in how they came about."""
        fight = state.fight
        parts = () if fight is None else tuple(repr(getattr(fight, part)) for part in type(fight).__slots__)
        key = (bytes(state.levels), tuple(state.where), bytes(state.awake), parts)
        if key not in self._known:
            self._known[key] = self._worth(state)
        return self._known[key]

    def tally(self, state: State) -> Tally:
        """Return what has happened so far."""
        dream, jelly = self.index["Rising Dream"], self.index[self.jelly]
        lost = [self.start.total(one) - state.total(one) for one in (dream, jelly)]
        falls = [float(self.start.total(one) > 0 and not state.total(one)) for one in (dream, jelly)]
        dead = [float(state.where[one] == DEAD) for one in (dream, jelly)]
        return Tally(*map(float, lost), *falls, *dead)

    def _worth(self, state: State) -> float:
        """Return the balance to be expected if all choose the best with open hands, or each move alike."""
        if state.fight is None:
            return balance(self.tally(state))
        (asked,) = rules.decisions(state)
        offered = self._offered(asked)
        sign = 1 if asked.side == SIDES[0] else -1
        found = [
            sum(chance * self.worth(new) for chance, new in rolled(state, asked.side, choice))
            for choice in offered
        ]
        if self.is_best or choices.Stop() in offered or asked.kind not in ("play-counter", "who-begins"):
            return sign * max(sign * one for one in found)
        return sum(found) / len(found)

    def _offered(self, asked: Decision) -> list[Choice]:
        options = list(asked.options)
        if asked.kind == "lose-ability":
            return options[:1]  # R21: which one it is makes no difference to this combat
        if asked.kind in ("untrained", "gunfire") and len(options) > 1:
            return options[:1]
        if asked.kind == "name-target":
            return [choices.NameTarget(one) for one in ("Rising Dream", self.jelly) if _names(options, one)]
        return options


def _names(options: Sequence[Choice], target: str) -> bool:
    return choices.NameTarget(target) in options


def duel_worth(duel: Duel, outcomes: list[Outcome], is_best: bool) -> float:
    """Return the same of a duel as `Truth.worth` of the rules."""

    @cache
    def worth(position: Position) -> float:
        sign = 1 if position.turn == 0 else -1
        found = [over(duel.after(position, move)) for move in duel.moves(position)]
        if is_best or position.step == "spikes":
            return sign * max(sign * one for one in found)
        return sum(found) / len(found)

    def over(some: list[Outcome]) -> float:
        return sum(
            one.chance * (balance(one.tally) + (worth(one.then) if one.then is not None else 0))
            for one in some
        )

    return over(outcomes)


def truth_of(figures: str, dream: Hand, jelly: Hand, number: int, is_best: bool) -> Truth:
    """Return the rules' duel of Rising Dream against a Jelly once both have picked."""
    game = match(open_room(8, 8), figures, phase="combat-1")
    begin_fight(game, {"Rising Dream": " ".join(words_of(dream)), f"J-{number}": " ".join(words_of(jelly))})
    return Truth(game._state, is_best)


CASES = [
    # (levels of Rising Dream, Jelly and its levels, where it stands, others near, untrained, guns)
    ("fist1 kick2 mist1 soul1 heart2", 1, "", "5,4", "", 0, 0),
    ("fist2 kick1 mist1 soul1 heart1", 8, "mist1", "5,4", "", 0, 0),
    ("fist1 kick1 / fist1 kick1 mist1 soul1 heart3", 10, "", "5,4", "", 0, 0),
    ("kick2 / fist1 kick2 mist1 soul1 heart2", 5, "fist2", "5,4", "", 0, 0),
    ("fist1 kick1 soul1 / fist1 kick2 mist1 soul1 heart2", 12, "", "5,4", "", 0, 0),
    ("fist1 kick1 / fist1 kick1 mist1 soul1 heart3", 7, "", "5,4", "", 0, 0),
    ("mist1 kick1 / fist1 kick1 mist1 soul1 heart3", 12, "", "6,4", "", 0, 0),
    (
        "mist1 soul1 kick1 / fist1 kick1 mist1 soul1 heart3",
        6,
        "",
        "5,4",
        "Servant 1  3,3;Servant 2  4,3",
        2,
        0,
    ),
    (
        "mist1 soul1 kick1 / fist1 kick1 mist1 soul1 heart3",
        4,
        "soul1 fist1",
        "5,4",
        "Armed Technician 1  4,3",
        0,
        1,
    ),
]


def lines(dream: str, number: int, jelly: str, square: str, others: str) -> str:
    """Return the figures of a duel; Shadow Lotus outside keeps the game going."""
    printed = f"   {jelly} / {original(number)}" if jelly else ""
    near = others.replace(";", "\n")
    return f"Rising Dream  4,4  {dream}\nShadow Lotus  off\nJ-{number}  {square}{printed}\n{near}".strip()


def original(number: int) -> str:
    """Return a Jelly's printed levels as the position's words."""
    words = (*COUNTERS, "heart")
    return " ".join(f"{word}{n}" for word, n in zip(words, JELLIES[number].levels, strict=True) if n)


def levels_of(text: str) -> dict[str, int]:
    """Return present levels."""
    return {word[:-1]: int(word[-1]) for word in text.partition("/")[0].split()}


def duel_of(case: Case) -> Duel:
    """Return the coach's duel of a case."""
    dream, number, jelly, square, _, untrained, guns = case
    printed = JELLIES[number]
    return Duel(
        HitNumbers(),
        (sum(levels_of(dream).values()), sum(levels_of(jelly or original(number)).values())),
        throws=printed.weapon == "throwing spikes",
        stays=(True, bool(printed.levels[5])),
        in_hand_reach=square == "5,4",
        untrained=untrained,
        shots=guns,
    )


def picks_of(text: str, limit: int) -> tuple[Hand, ...]:
    """Return the hands that levels allow."""
    levels = levels_of(text)
    return hands(tuple(levels.get(word, 0) for word in COUNTERS), limit)


def both_picks(case: Case) -> tuple[tuple[Hand, ...], tuple[Hand, ...]]:
    """Return what the two of a case may pick."""
    return picks_of(case[0], 3), picks_of(case[2] or original(case[1]), 2)


def name_of(case: Case) -> str:
    """Return a case's name."""
    return " ".join((f"J-{case[1]}", case[3], case[4])).strip()


@pytest.mark.parametrize("is_best", [True, False], ids=["best", "every move"])
@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_duel_goes_as_the_rules_have_it(case: Case, is_best: bool) -> None:
    """5.4: with every die enumerated through the rules, each pair of hands is worth what the coach says."""
    dream, number, jelly, square, others, _, _ = case
    duel = duel_of(case)
    pairs = list(itertools.product(*both_picks(case)))
    # Full hands come first; every so many of them is enough.
    for one, two in [pairs[0], *pairs[2 :: max(len(pairs) // 8, 1)]]:
        truth = truth_of(lines(dream, number, jelly, square, others), one, two, number, is_best)
        found = duel_worth(duel, duel.open(one, two), is_best)
        assert found == pytest.approx(truth.worth(truth.start)), (words_of(one), words_of(two))


def along(duel: Duel, outcomes: list[Outcome], moves: Sequence[Move]) -> Tally:
    """Return what the coach's duel expects when these moves are made, one after another."""
    total = NOTHING
    for one in outcomes:
        total = total.plus(one.tally, one.chance)
        if one.then is not None:
            total = total.plus(along(duel, duel.after(one.then, moves[0]), moves[1:]), one.chance)
    return total


def by_all_dice(truth: Truth, state: State, made: Sequence[Choice]) -> Tally:
    """Return what the rules expect when these choices are made; injuries are marked as they come."""
    if state.fight is None:
        return truth.tally(state)
    (asked,) = rules.decisions(state)
    is_own = asked.kind in ("play-counter", "who-begins")
    choice, rest = (made[0], made[1:]) if is_own else (asked.options[0], made)
    total = NOTHING
    for chance, new in rolled(state, asked.side, choice):
        total = total.plus(by_all_dice(truth, new, rest), chance)
    return total


def test_the_first_example_by_enumeration() -> None:
    """5.4, Example of Combat - I: counter by counter the coach expects what all the dice together say."""
    one, two = hand_of(("kick", "kick", "soul")), hand_of(("kick", "kick"))
    kick, soul = (COUNTERS.index(word) for word in ("kick", "soul"))
    moves = [Move("begin", 1), *(Move("play", counter) for counter in (kick, kick, kick, soul))]
    made = [
        choices.Begin(SIDES[1]),
        choices.PlayCounter("J-1", "kick"),
        choices.PlayCounter("Rising Dream", "kick"),
        choices.PlayCounter("J-1", "kick"),
        choices.PlayCounter("Rising Dream", "soul"),
        choices.PlayCounter("Rising Dream", "kick"),
    ]
    duel = duel_of(CASES[0])
    found = along(duel, duel.open(one, two), moves)
    truth = truth_of(lines(CASES[0][0], 1, "", "5,4", ""), one, two, 1, is_best=True)
    assert found == pytest.approx(by_all_dice(truth, truth.start, made))
    # Each takes a kick at 1-3, the Jelly one more at 1-4.
    assert found == pytest.approx((3 / 6, 3 / 6 + 4 / 6, 0, 0, 0, 0))
    answer = solve_duel(duel, 0, (Holding(1, (one,)),), (Holding(1, (two,)),))
    assert answer.value == pytest.approx(truth.worth(truth.start))


# What cannot be exploited


def solved(case: Case, side: int) -> Answer:
    """Return a case solved from one side, both knowing what the other may pick from."""
    picks = both_picks(case)
    return solve_duel(duel_of(case), side, (Holding(1, picks[side]),), (Holding(1, picks[1 - side]),))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_both_sides_find_the_same_value(case: Case) -> None:
    """What one side is sure of is what the other cannot keep from it: neither plan can be exploited."""
    one, two = solved(case, 0), solved(case, 1)
    assert one.value == pytest.approx(-two.value, abs=1e-7)
    for answer in (one, two):
        assert sum(pick.share for pick in answer.picks.values()) == pytest.approx(1)
        best = max(pick.worth for pick in answer.picks.values())
        assert best == pytest.approx(answer.value, abs=1e-7)
        for pick in answer.picks.values():
            assert pick.share == 0 or pick.worth == pytest.approx(best, abs=1e-7)


@pytest.mark.parametrize("case", CASES[:4], ids=name_of)
def test_no_pure_hand_does_better_against_the_mix(case: Case) -> None:
    """Against the mix no hand of the foe, however well it is played, brings him more than the value."""
    answer = solved(case, 0)
    mix = [Holding(pick.share, (hand,)) for hand, pick in answer.picks.items() if pick.share]
    for hand in both_picks(case)[1]:
        found = solve_duel(duel_of(case), 1, (Holding(1, (hand,)),), mix)
        assert found.value <= -answer.value + 1e-7, words_of(hand)


def test_a_guess_between_two_is_taken_half_and_half() -> None:
    """2.6: one attack against one defence, where each guesses: worth 1/12 by hand, half and half."""
    duel = duel_of(CASES[2])
    fist, kick, mist, soul = (hand_of((word,)) for word in ("fist", "kick", "mist", "soul"))

    def opening(terminator: Hand, jelly: Hand) -> list[Outcome]:
        return duel.settle(Position("play", 0, -1, (terminator, jelly), (5, 5), (1, 1)))

    answer = solve_duel(duel, 0, (Holding(1, (fist, kick)),), (Holding(1, (mist, soul)),), opening)
    assert answer.value == pytest.approx(1 / 12)
    assert {hand: pick.share for hand, pick in answer.picks.items()} == pytest.approx({fist: 0.5, kick: 0.5})
    assert answer.theirs == pytest.approx({mist: 0.5, soul: 0.5})


def test_what_the_foe_may_have_is_weighed() -> None:
    """A foe who has one of two hands for certain is met by what is best on average."""
    duel = duel_of(CASES[2])
    fist, kick, mist, soul = (hand_of((word,)) for word in ("fist", "kick", "mist", "soul"))

    def opening(terminator: Hand, jelly: Hand) -> list[Outcome]:
        return duel.settle(Position("play", 0, -1, (terminator, jelly), (5, 5), (1, 1)))

    theirs = (Holding(0.75, (mist,)), Holding(0.25, (soul,)))
    answer = solve_duel(duel, 0, (Holding(1, (fist, kick)),), theirs, opening)
    # A kick gets through Body of Mist on a 1, a fist through Monkey Soul.
    assert {hand: pick.worth for hand, pick in answer.picks.items()} == pytest.approx(
        {fist: 0.25 / 6, kick: 0.75 / 6}
    )
    assert answer.picks[kick].share == pytest.approx(1)


def test_a_solution_nobody_waits_for_is_dropped() -> None:
    """A thought that is called off ends at once."""
    cancel = threading.Event()
    cancel.set()
    picks = both_picks(CASES[0])
    with pytest.raises(Cancelled):
        solve_duel(duel_of(CASES[0]), 0, (Holding(1, picks[0]),), (Holding(1, picks[1]),), cancel=cancel)
