"""What the coach says: a decision's choices with their chances, the one it would take, and why.

`advise` answers every decision of a combat from one side's View. Where one Terminator and one Jelly fight
alone the numbers are exact: the whole duel is solved. In a larger combat figures are looked at one by one.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final

from engine.coach import lone, words
from engine.coach.beliefs import hand_of, holdings, words_of
from engine.coach.duel import LIMITS, NOTHING, Hand, Move, Outcome
from engine.coach.equilibrium import Answer, Cancelled, Holding, Pick, solve_duel, solve_matrix
from engine.coach.options import Advice, Option
from engine.coach.situation import Situation
from engine.core.decision import Choice, Decision
from engine.core.dice import FACES
from engine.fortress.board import Board
from engine.raid import choices
from engine.raid.choices import COMBAT_DECISIONS
from engine.raid.figures import COUNTERS, SIDES
from engine.raid.scenario import Scenario
from engine.raid.view import View

__all__ = ["Advice", "Cancelled", "Option", "advise"]

MOST_PAIRS: Final = 6  # duels looked at where one decision is for all of them
SAME: Final = 1e-6  # worths closer than this are alike


def advise(
    view: View,
    decision: Decision,
    scenario: Scenario,
    board: Board,
    cancel: threading.Event | None = None,
) -> tuple[Advice, ...]:
    """Return advice for a decision of a combat, for each figure asked; nothing where there is none.

    `view` is that of the side asked. Raises Cancelled once `cancel` is set.
    """
    if view.fight is None or view.viewer != decision.side or decision.kind not in COMBAT_DECISIONS:
        return ()
    if not len(decision.options):
        return ()
    now = Situation(view, decision, scenario, board)
    if decision.kind == "choose-counters":
        return tuple(_choose(now, name, cancel) for name in decision.options.groups)
    if decision.kind in ("throw-spikes", "who-begins"):
        return _open(now, cancel)
    if decision.kind == "play-counter":
        return (_play(now, cancel),)
    return lone.advise(now)


# Choosing counters


def _choose(now: Situation, name: str, cancel: threading.Event | None) -> Advice:
    offered = {
        hand_of(one.counters): one
        for one in now.decision.options.of(name)
        if isinstance(one, choices.ChooseCounters)
    }
    linked = [other for other in now.linked(name) if now.is_fighter(other)]
    foes = [foe for foe in linked if now.in_hand_reach(name, foe)] or linked
    if not foes:
        return lone.choose(now, name, offered)
    answers: list[Answer] = []
    solved: dict[object, Answer] = {}  # fresh Terminators are all alike to the other side
    for foe in foes:
        duel = now.duel(*_pair(now, name, foe))
        mine = (Holding(1.0, tuple(offered)),)
        theirs = holdings(now.picks(foe), LIMITS[1 - now.side], now.scenario.rules.may_underpick)
        key = (duel.key, theirs)
        if key not in solved:
            solved[key] = solve_duel(duel, now.side, mine, theirs, cancel=cancel)
        answers.append(solved[key])
    value, picks = (answers[0].value, answers[0].picks) if len(foes) == 1 else _among(answers)
    options = [
        Option.of(choice, picks[hand].tally, now.side, worth=picks[hand].worth, share=picks[hand].share)
        for hand, choice in offered.items()
    ]
    best = max(options, key=lambda one: (round(one.share, 6), one.worth))
    pairs = [_pair(now, name, foe) for foe in foes]
    is_exact = len(linked) == 1 and now.is_alone_together(*pairs[0])
    shares = answers[0].theirs if len(foes) == 1 else {}
    return Advice(
        figure=name,
        foe=" and ".join(foes),
        options=tuple(options),
        best=best.choice,
        value=value,
        reason=words.why_counters(now, name, foes, options, best, value),
        assumptions=words.assumptions(now, pairs, len(linked), is_choosing=True),
        is_exact=is_exact,
        foe_mix=tuple((words_of(hand), share) for hand, share in shares.items() if share),
    )


def _pair(now: Situation, name: str, foe: str) -> tuple[str, str]:
    return (name, foe) if now.side == 0 else (foe, name)


def _among(answers: Sequence[Answer]) -> tuple[float, dict[Hand, Pick]]:
    """Return the value and the picks of a figure that any of several foes may fight.

    Which of them it is counts as their choice: a matrix game of the hands against the foes, each cell being
    what the hand is worth against that foe's own best mix.
    """
    hands = list(answers[0].picks)
    found = solve_matrix([[answer.picks[hand].worth for answer in answers] for hand in hands])
    picks = {}
    for hand, share in zip(hands, found.rows, strict=True):
        tally, worth = NOTHING, 0.0
        for answer, weight in zip(answers, found.columns, strict=True):
            tally = tally.plus(answer.picks[hand].tally, weight)
            worth += weight * answer.picks[hand].worth
        picks[hand] = Pick(share, worth, tally)
    return found.value, picks


# A combat under way

Ways = dict[Move, Choice]


def _open(now: Situation, cancel: threading.Event | None) -> tuple[Advice, ...]:
    """Return advice on throwing spikes and on who begins."""
    ways: Ways = {}
    for one in now.decision.options:
        if isinstance(one, choices.Begin):
            ways[Move("begin", SIDES.index(one.side))] = one
        elif isinstance(one, choices.Throw):
            ways[Move("throw", int(one.spikes))] = one
    pairs = sorted(now.pairs(), key=lambda pair: not now.in_hand_reach(*pair))[:MOST_PAIRS]
    return (_weigh(now, pairs, ways, cancel),) if pairs else ()


def _play(now: Situation, cancel: threading.Event | None) -> Advice:
    """Return advice on the counter to play: to the end of a duel, else for the coming exchange alone."""
    ways: Ways = {}
    for one in now.decision.options:
        if isinstance(one, choices.PlayCounter):
            ways[Move("play", COUNTERS.index(one.counter))] = one
        elif isinstance(one, choices.Discard):
            ways[Move("discard", COUNTERS.index(one.counter))] = one
        elif isinstance(one, choices.Stop):
            ways[Move("stop", 0)] = one
    if len(now.fight.figures) == 2 and len(now.pairs()) == 1:
        return _weigh(now, now.pairs(), ways, cancel)
    return lone.exchange(now)


def _weigh(
    now: Situation, pairs: Sequence[tuple[str, str]], ways: Ways, cancel: threading.Event | None
) -> Advice:
    """Return advice on moves of a duel under way; of several duels the means."""
    tallies = dict.fromkeys(ways, NOTHING)
    worths = dict.fromkeys(ways, 0.0)
    shares: dict[Move, float] = {}
    value: float | None = None
    for pair in pairs:
        for move in ways:
            answer = _solve_from(now, pair, move, cancel)
            worths[move] += answer.value / len(pairs)
            tally = next(iter(answer.picks.values())).tally
            tallies[move] = tallies[move].plus(tally, 1 / len(pairs))
        if len(pairs) == 1:
            whole = _solve_from(now, pair, None, cancel)
            shares, value = whole.moves, whole.value
    if not set(shares) <= set(ways) or not shares:
        top = max(worths.values())
        shares = {next(move for move in ways if worths[move] >= top - SAME): 1.0}
    options = tuple(
        Option.of(
            choice,
            tallies[move],
            now.side,
            worth=worths[move],
            share=shares.get(move, 0.0),
            chance=_coming(now, pairs[0], move) if len(pairs) == 1 else None,
        )
        for move, choice in ways.items()
    )
    best = max(options, key=lambda one: (round(one.share, 6), one.worth))
    is_one = len(pairs) == 1
    return Advice(
        figure="",
        foe=pairs[0][1 - now.side] if is_one else "",
        options=options,
        best=best.choice,
        value=value,
        reason=words.why_move(now, options, best),
        assumptions=words.assumptions(now, pairs, len(pairs), is_choosing=False),
        is_exact=is_one and now.is_alone_together(*pairs[0]),
    )


def _coming(now: Situation, pair: tuple[str, str], move: Move) -> float | None:
    """Return the chance that the open attack hits if it is replied to so; None where there is no reply."""
    position = now.position(*pair)
    if move.do != "play" or position.attack < 0:
        return None
    return now.duel(*pair).needed(1 - now.side, position.attack, move.what) / FACES


def _solve_from(
    now: Situation, pair: tuple[str, str], move: Move | None, cancel: threading.Event | None
) -> Answer:
    """Return how a duel under way goes on after a move, or with this side's best one for None."""
    duel, position = now.duel(*pair), now.position(*pair)
    held = now.still_held(pair[1 - now.side])

    def opening(terminator: Hand, jelly: Hand) -> list[Outcome]:
        at = duel.capped(position._replace(hands=(terminator, jelly)))
        return duel.settle(at) if move is None else duel.after(at, move)

    mine = (Holding(1.0, (position.hands[now.side],)),)
    theirs = tuple(Holding(1 / len(held), (one,)) for one in held)
    return solve_duel(duel, now.side, mine, theirs, opening, cancel)
