"""One bot game of a draft, played in a process of its own: what came of it, or what broke it off."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from multiprocessing.connection import Connection
from typing import Final, Literal, NamedTuple

from engine.bots import make_bot
from engine.core.files import BadFile
from engine.core.match import play
from engine.raid.events import PhaseBegan
from engine.raid.figures import CLONEMASTER, SIDES, TERMINATOR
from engine.raid.match import RaidMatch
from engine.raid.problems import check_playable
from engine.raid.scenario import Scenario, parse_scenario
from engine.raid.victory import TOTAL

CHOICES_LIMIT: Final = 200_000
"""Choices in one game; no scenario that can be written needs nearly so many."""

Ending = Literal["limit", "away", "lost", "broken"]
Verdict = Literal["", "lives", "equipment", "away", "lost"]


class Trial(NamedTuple):
    """What came of a game.

    `winner` is a side or "draw", `turn` the last one played. `ending` says why it stopped: at the turn
    `limit`, as every Terminator who could act was `away` or all were `lost` (R31). `verdict` is what decided
    a mission (6.1): the CloneMaster `lives`, `equipment` was left, or all was destroyed and a Terminator got
    `away` or all were `lost`; "" where points decide. A game that is `broken` has an `error` and no winner.
    """

    seed: int
    winner: str = ""
    is_total: bool = False
    turn: int = 0
    choices: int = 0
    ending: Ending = "broken"
    verdict: Verdict = ""
    points: tuple[int, int] | None = None
    error: str = ""


def play_trial(scenario: Scenario, seats: Mapping[str, str], seed: int) -> Trial:
    """Return what comes of a game between bots; the same seed gives the same game as anywhere else."""
    try:
        match = RaidMatch.new(scenario, str(seed), seats=seats)
        play(match, {side: make_bot(seats[side], f"{seed} {side}") for side in SIDES}, CHOICES_LIMIT)
        return _told(match, seed)
    except Exception:  # noqa: BLE001  told with its seed, so that it can be played again
        return Trial(seed, error=traceback.format_exc())


def _told(match: RaidMatch, seed: int) -> Trial:
    view = match.view("open")
    outcome = view.outcome
    assert outcome is not None
    places = [one.place for one in view.figures if one.side == TERMINATOR]
    is_away = "escaped" in places
    last = [event for event in match.events("public") if isinstance(event, PhaseBegan)][-1]
    is_limit = last.turn >= match.scenario.turns and last.phase == "advance"
    verdict: Verdict = ""
    points: tuple[int, int] | None = None
    if outcome.points is not None:
        points = (outcome.points[TERMINATOR], outcome.points[CLONEMASTER])
    elif view.figure("CloneMaster").place != "dead":
        verdict = "lives"
    elif not all(thing.is_destroyed for thing in view.equipment):
        verdict = "equipment"
    else:
        verdict = "away" if is_away else "lost"
    return Trial(
        seed,
        outcome.winner,
        outcome.level == TOTAL,
        view.turn,
        match.length,
        "limit" if is_limit else "away" if is_away else "lost",
        verdict,
        points,
    )


def work(pipe: Connection) -> None:
    """Play the games that are asked for by their seeds; before the first say what keeps them from it."""
    raw, seats = pipe.recv()
    try:
        scenario = parse_scenario(raw)
        check_playable(scenario)
    except BadFile as error:
        pipe.send(tuple(error.problems))
        return
    pipe.send(())
    while True:
        pipe.send(play_trial(scenario, seats, pipe.recv()))
