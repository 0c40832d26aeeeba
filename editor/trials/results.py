"""What many bot games tell together: shares with their intervals, lengths, causes; as numbers and as text."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from editor.trials.game import Trial
from engine.raid.figures import SIDE_NAMES, SIDES

Z: Final = statistics.NormalDist().inv_cdf(0.975)
"""Standard deviations on either side of the mean that hold 95 % of a normal distribution."""

ENDINGS: Final = {
    "limit": "The turn limit was reached",
    "away": "Terminators got away, and nobody was left to go on (R31)",
    "lost": "No Terminator was left to go on (R31)",
}
VERDICTS: Final = {
    "lives": "The CloneMaster lived (6.1)",
    "equipment": "The CloneMaster died, equipment was left (6.1)",
    "away": "All was destroyed, a Terminator got away (6.1)",
    "lost": "All was destroyed, no Terminator got away (6.1)",
}


class Share(NamedTuple):
    """So many of so many, and between which shares the true one lies in 95 of 100 cases."""

    number: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The part of all, from 0 to 1."""
        return self.number / self.of if self.of else 0.0


def share(number: int, of: int) -> Share:
    """Return a share with its Wilson score interval.

    By our own few lines: `scipy.stats`, which has it too, takes over a second to be imported.
    """
    if not of:
        return Share(0, 0, 0.0, 1.0)
    part, square = number / of, Z * Z / of
    middle = (part + square / 2) / (1 + square)
    reach = Z / (1 + square) * ((part * (1 - part) / of + square / of / 4) ** 0.5)
    # At the ends exactly, where sums of fractions are off by a hair.
    low = middle - reach if number else 0.0
    return Share(number, of, low, middle + reach if number < of else 1.0)


class Results(NamedTuple):
    """Games played to their end, and those that broke off; `wins` and `totals` go by side."""

    games: tuple[Trial, ...]
    broken: tuple[Trial, ...]

    @property
    def wins(self) -> dict[str, Share]:
        """How many games each side won."""
        won = Counter(game.winner for game in self.games)
        return {side: share(won[side], len(self.games)) for side in SIDES}

    @property
    def totals(self) -> dict[str, int]:
        """How many of its victories were total."""
        return {side: sum(one.winner == side and one.is_total for one in self.games) for side in SIDES}

    @property
    def draws(self) -> Share:
        """How many games nobody won."""
        return share(sum(game.winner == "draw" for game in self.games), len(self.games))

    @property
    def turns(self) -> list[int]:
        """How long each game was, in turns."""
        return [game.turn for game in self.games]

    def tally(self, names: Mapping[str, str], what: Iterable[str]) -> list[tuple[str, Share]]:
        """Return how often each of some causes was the one, in words, the most frequent first."""
        counts = Counter(what)
        return [(names[key], share(count, len(self.games))) for key, count in counts.most_common() if key]

    @property
    def endings(self) -> list[tuple[str, Share]]:
        """Why games stopped."""
        return self.tally(ENDINGS, (game.ending for game in self.games))

    @property
    def verdicts(self) -> list[tuple[str, Share]]:
        """What decided missions; nothing where points decide."""
        return self.tally(VERDICTS, (game.verdict for game in self.games))

    @property
    def points(self) -> tuple[float, float] | None:
        """The mean points of either side; None where the mission decides."""
        scored = [game.points for game in self.games if game.points is not None]
        if not scored:
            return None
        return statistics.mean(one for one, _ in scored), statistics.mean(other for _, other in scored)


def results(trials: Iterable[Trial]) -> Results:
    """Return what trials tell, by rising seed, in whatever order they came."""
    ordered = sorted(trials, key=lambda trial: trial.seed)
    return Results(tuple(one for one in ordered if not one.error), tuple(one for one in ordered if one.error))


def percent(part: float) -> str:
    """Return a share in percent."""
    return f"{part * 100:.0f} %"


def share_words(found: Share) -> str:
    """Return a share in words: how many, how much, and how sure."""
    return (
        f"{found.number} of {found.of}, {percent(found.share)} "
        f"(95 %: {percent(found.low)} to {percent(found.high)})"
    )


def length_words(found: Results) -> str:
    """Return how long games were."""
    if not found.games:
        return ""
    mean, median = statistics.mean(found.turns), statistics.median(found.turns)
    return f"{mean:.1f} turns on average, median {median:g}, from {min(found.turns)} to {max(found.turns)}"


def lines(found: Results) -> list[str]:
    """Return everything that games tell, a line each, to be read or pasted anywhere."""
    made: list[str] = []
    if found.games:
        for side in SIDES:
            totals = f", {found.totals[side]} of them total" if found.wins[side].number else ""
            made.append(f"{SIDE_NAMES[side]} wins {share_words(found.wins[side])}{totals}")
        made.append(f"Draws {share_words(found.draws)}")
        made.append(f"Length: {length_words(found)}")
        if found.points is not None:
            one, other = found.points
            made.append(
                f"Points on average: {SIDE_NAMES[SIDES[0]]} {one:.1f}, {SIDE_NAMES[SIDES[1]]} {other:.1f}"
            )
        made.append("Why games ended:")
        made += [f"  {words}: {one.number}, {percent(one.share)}" for words, one in found.endings]
        if found.verdicts:
            made.append("What decided:")
            made += [f"  {words}: {one.number}, {percent(one.share)}" for words, one in found.verdicts]
    for game in found.broken:
        made.append(f"Broken off, seed {game.seed}: {game.error.strip().splitlines()[-1]}")
    return made
