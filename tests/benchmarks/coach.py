"""How long the coach thinks: whole duels, all hands against all hands, and the choice of a big combat.

`python -m tests.benchmarks.coach`
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

from engine.coach.advice import advise
from engine.coach.beliefs import hands
from engine.coach.duel import Duel
from engine.coach.equilibrium import Holding, solve_duel, solve_matrix
from engine.raid.choices import Fight
from engine.raid.figures import COUNTERS, HEART, JELLIES, SIDES, SPIKES
from engine.raid.match import RaidMatch
from engine.raid.tables import HitNumbers
from tests.benchmarks.anchor import machine, say
from tests.helpers.panels import big_combat, first_example

FRESH = ((2, 2, 0, 1, 1), (1, 3, 0, 1, 1), (1, 1, 0, 2, 2), (1, 1, 0, 1, 1))
LEFT = (7, 3)  # levels of a Terminator unhurt, and of one close to falling


def timed(call: Callable[[], object]) -> float:
    """Return the seconds one call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def duels(side: int) -> list[float]:
    """Return the seconds for each Jelly against several Terminators, each solved whole."""
    found = []
    for printed in JELLIES.values():
        for levels in FRESH:
            for left in LEFT:
                picks = (hands(levels, 3), hands(printed.levels[: len(COUNTERS)], 2))
                mine, theirs = Holding(1, picks[side]), Holding(1, picks[1 - side])
                duel = Duel(
                    HitNumbers(),
                    (left, sum(printed.levels)),
                    throws=printed.weapon == SPIKES,
                    stays=(True, bool(printed.levels[HEART])),
                )
                found.append(timed(partial(solve_duel, duel, side, (mine,), (theirs,))))
    return found


def main() -> None:
    """Measure and print."""
    print(f"machine: {machine():.1f} M adds/s")
    first = timed(partial(solve_matrix, [[1, -1], [-1, 1]]))
    say("", "first matrix game, with the import of scipy", first, "s", "-")
    for side, name in enumerate(SIDES):
        found = duels(side)
        pairs = f"{len(found)} duels, {name}"
        say("", f"{pairs}: median", 1000 * statistics.median(found), "ms", "<= 1000")
        say("", f"{pairs}: worst", 1000 * max(found), "ms", "<= 1000")
    for name, scenario in (("example one", first_example()), ("big combat", big_combat())):
        match = RaidMatch.new(scenario, "1")
        match.submit(SIDES[0], Fight(0))
        for asked in SIDES:
            decision = match.decision(asked)
            assert decision is not None
            took = timed(partial(advise, match.view(asked), decision, match.scenario, match.board))
            say("", f"choosing counters, {name}, {asked}", 1000 * took, "ms", "<= 1000")


if __name__ == "__main__":
    main()
