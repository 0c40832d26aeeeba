"""How many games a second the engine plays, and how fast a state is copied; run it by hand.

    python -m tests.benchmarks.games [GAMES]

The anchor of C1 is a skirmish of plain Python objects with an event log: 35 figures on the same map, ten
turns, a move and an attack each. C1 asks for 0.35 of its games a second with the full rules and the log
on. The anchor of C3 is a flat list of a state's size copied by `[:]`; C3 asks for 0.2 of its copies a
second. All in processor seconds of one run, turn about. Memory is the peak after 100 games: below 150 MB.
"""

from __future__ import annotations

import random
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from engine.bots import make_bot
from engine.core.match import play
from engine.fortress.board import Board
from engine.raid.figures import SIDES
from engine.raid.match import RaidMatch
from engine.raid.scenario import load_scenario
from engine.raid.state import State
from engine.raid.tables import CLONE_WALKER

ROUNDS = 5
FIGURES, TURNS = 35, 10


@dataclass(slots=True)
class Fighter:
    """A figure of the anchor's skirmish."""

    number: int
    side: int
    square: int
    strength: int = 3


class Skirmish:
    """The anchor: everyday objects, reach by cost buckets over an occupancy list, sight by a table, a log."""

    def __init__(self, board: Board) -> None:
        self.steps = board.steps(CLONE_WALKER, 0)
        masks = [board.sight(s, 0) if board.floor >> s & 1 else 0 for s in range(board.size)]
        self.sight = [bytes(mask >> s & 1 for s in range(board.size)) for mask in masks]
        self.width, self.size = board.width, board.size
        self.squares = [s for s in range(board.size) if board.floor >> s & 1 and not board.tanks >> s & 1]

    def reach(self, start: int, points: int, taken: list[int]) -> list[int]:
        """Return the squares within so many points, `taken` being what entering each costs on top."""
        costs = {start: 0}
        rings: list[list[int]] = [[] for _ in range(points + 1)]
        rings[0].append(start)
        for spent, ring in enumerate(rings):
            for here in ring:
                for there, cost in self.steps[here]:
                    total = spent + cost + taken[there]
                    if total <= points and total < costs.get(there, 99):
                        costs[there] = total
                        rings[total].append(there)
        return [square for square in costs if not taken[square]]

    def play(self, rng: random.Random) -> int:
        """Play one game; return the number of activations."""
        places = rng.sample(self.squares, FIGURES)
        fighters = [Fighter(number, number & 1, place) for number, place in enumerate(places)]
        log: list[tuple[object, ...]] = []
        count = 0
        for _ in range(TURNS):
            for fighter in fighters:
                if fighter.strength > 0:
                    count += 1
                    self.activate(fighter, fighters, rng, log)
        return count

    def activate(
        self, fighter: Fighter, fighters: list[Fighter], rng: random.Random, log: list[tuple[object, ...]]
    ) -> None:
        """Move a fighter and let it strike the nearest foe in sight."""
        taken = [0] * self.size
        for other in fighters:
            if other.strength > 0 and other is not fighter:
                taken[other.square] = 1 if other.side == fighter.side else 99
        to = rng.choice(self.reach(fighter.square, 3 + rng.randrange(3), taken))
        log.append(("move", fighter.number, fighter.square, to))
        fighter.square = to
        x, y = to % self.width, to // self.width
        nearest, near = None, 9
        for other in fighters:
            if other.side != fighter.side and other.strength > 0 and self.sight[to][other.square]:
                far = max(abs(other.square % self.width - x), abs(other.square // self.width - y))
                if far < near:
                    nearest, near = other, far
        if nearest is not None:
            roll, guard = rng.randint(1, 6) + rng.randint(1, 6), 7 + near // 3
            log.append(("attack", fighter.number, nearest.number, roll, guard))
            if roll > guard:
                nearest.strength -= 1


def timed(work: Callable[[], int]) -> tuple[float, int]:
    """Return the processor seconds of some work and what it counted."""
    start = time.process_time()
    count = work()
    return time.process_time() - start, count


def play_games(first: int, games: int) -> int:
    """Play random games of the Basic scenario; return the number of choices."""
    scenario = load_scenario("basic")
    choices = 0
    for seed in range(first, first + games):
        match = RaidMatch.new(scenario, str(seed))
        play(match, {side: make_bot("random", f"{seed}-{side}") for side in SIDES})
        choices += match.revision
    return choices


def state_in_play() -> State:
    """Return a state in the middle of a game."""
    match = RaidMatch.new(load_scenario("basic"), "clone")
    players = {side: make_bot("rulebook", side) for side in SIDES}
    for side, player in players.items():
        player.begin(side, match.scenario, match.board)
    while match.revision < 300:
        for decision in match.decisions():
            choice = players[decision.side].decide(match.view(decision.side), decision)
            if choice is not None:
                match.submit(decision.side, choice)
                break
    return match._state


def copies(copy: Callable[[], object], times: int = 20_000) -> float:
    """Return the copies a second, the best of some rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(times):
            copy()
        best = max(best, times / (time.process_time() - start))
    return best


def main() -> None:
    """Measure and print."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    skirmish = Skirmish(RaidMatch.new(load_scenario("basic"), "board").board)
    play_games(0, 2)
    rates: list[tuple[float, float, float, float]] = []
    for number in range(ROUNDS):
        rng = random.Random(number)
        theirs, acts = timed(lambda rng=rng: sum(skirmish.play(rng) for _ in range(games)))  # type: ignore[misc]
        ours, choices = timed(lambda number=number: play_games(number * games, games))  # type: ignore[misc]
        rates.append((games / ours, choices / ours, games / theirs, acts / theirs))
    mine, decisions, anchor, acts_rate = (statistics.median(column) for column in zip(*rates, strict=True))
    print(f"C1 games/s: {mine:.1f}, anchor {anchor:.1f}: r = {mine / anchor:.2f} (asked: 0.35)")
    print(f"   decisions/s: {decisions:,.0f}; anchor activations/s {acts_rate:,.0f}")
    state = state_in_play()
    flat = [0] * 600
    clone, list_copy = copies(state.copy), copies(lambda: flat[:])
    print(f"C3 copies/s: {clone:,.0f}, flat list {list_copy:,.0f}: r = {clone / list_copy:.2f} (asked: 0.2)")
    play_games(10_000, 100)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"Memory: {peak:.0f} MB at the peak after more than 100 games (asked: below 150 MB)")


if __name__ == "__main__":
    main()
