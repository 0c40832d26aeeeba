"""5.4, 2.6: random brawls, followed from their public events alone by a second reading of the rules."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.core.event import Event
from engine.raid import events
from engine.raid.figures import TERMINATOR_NAMES
from engine.raid.match import RaidMatch
from tests.helpers.raid import C, T, open_room, position

SEEDS = range(60)
TABLE = {
    "fist": {"helpless": 5, "inactive": 4, "fist": 3, "kick": 3, "mist": 0, "soul": 1},
    "kick": {"helpless": 5, "inactive": 4, "fist": 3, "kick": 3, "mist": 1, "soul": 0},
    "weapon": {"helpless": 4, "inactive": 3, "fist": 2, "kick": 2, "mist": 1, "soul": 1},
}
SPIKES = ("J-7", "J-12")


def brawl(seed: int) -> RaidMatch:
    """Return a crowd in a small room, all face up, some of them hurt."""
    chance = random.Random(seed)
    squares = [(x, y) for x in range(5) for y in range(4)]
    chance.shuffle(squares)
    lines = []
    names = list(TERMINATOR_NAMES[: chance.randint(1, 3)])
    names += chance.sample([f"J-{number}" for number in range(1, 13)], chance.randint(1, 5))
    names += ["CloneMaster", "Armed Technician 1", "Technician 1", "Servant 1", "Servant 2"]
    for name in names:
        x, y = squares.pop()
        line = f"{name}  {x},{y}"
        if name in TERMINATOR_NAMES:
            line += chance.choice(
                [
                    "  fist2 kick2 mist1 soul1 heart1",
                    "  kick1 soul2 / fist1 kick2 soul2 heart1",
                    "  - / fist1 heart2",
                ]
            )
        lines.append(line)
    scenario = position(open_room(5, 4), "\n".join(lines), phase="combat-1", turns=2)
    return RaidMatch.new(scenario, str(seed))


def side_of(figure: str) -> str:
    """Return a figure's side."""
    return T if figure in TERMINATOR_NAMES else C


class Audit:
    """Follows one game's public events and checks each against the rules."""

    def __init__(self, awake: dict[str, bool]) -> None:
        self.awake = awake
        self.seen: Counter[str] = Counter()
        self.fired: set[str] = set()

    def begin(self, members: tuple[str, ...]) -> None:
        """Start a combat."""
        self.members = members
        self.played: Counter[str] = Counter()
        self.empty: set[str] = {
            side
            for side in (T, C)
            if not any(
                side_of(one) == side and self.awake[one] and (side == T or one.startswith("J-"))
                for one in members
            )
        }
        self.turn = ""
        self.open: tuple[str, str, str] | None = None
        self.reply: tuple[str, str] | None = None
        self.other_counters_of_c = False
        self.untrained: dict[str, str] = {}
        self.misted: set[str] = set()
        self.shots: Counter[str] = Counter()
        self.dodged: Counter[str] = Counter()

    def follow(self, event: Event) -> None:
        """Check one event."""
        self.seen[type(event).__name__] += 1
        match event:
            case events.PhaseBegan(phase="terminator-move-1"):
                self.fired.clear()
            case events.CombatBegan():
                self.begin(event.figures)
            case events.HandEmpty():
                self.empty.add(event.side)
            case events.FirstPlayer():
                self.turn = event.side
            case events.CounterPlayed():
                self.counter_played(event)
            case events.TargetNamed():
                self.target_named(event)
            case events.AttackResolved():
                self.resolved(event)
            case events.FellUnconscious():
                self.awake[event.figure] = False
            case events.Killed():
                self.awake[event.figure] = False
            case events.Woke():
                self.awake[event.figure] = True
            case events.UntrainedDeclared():
                assert event.figure not in self.untrained
                assert event.figure.startswith(("Servant", "Technician"))
                self.untrained[event.figure] = event.target
            case events.MistShown():
                self.misted.add(event.figure)
            case events.UntrainedRolled():
                number = sum(target == event.target for target in self.untrained.values())
                assert event.target not in self.misted
                assert event.hit == (event.die <= number)
            case events.ShotDeclared():
                assert event.figure not in self.fired
                self.fired.add(event.figure)
                self.shots[event.target] += 1
            case events.SoulShown():
                self.dodged[event.figure] += 1
                assert self.dodged[event.figure] <= self.shots[event.figure]
            case events.ShotRolled():
                self.shots[event.target] -= 1
                assert self.shots[event.target] >= self.dodged[event.target]
                assert event.hit == (event.die <= 3)

    def counter_played(self, event: events.CounterPlayed) -> None:
        """Check whose turn it was, how many he has played, and whether it answers an attack."""
        side = side_of(event.figure)
        if not self.open and self.turn in self.empty:
            self.turn = C if self.turn == T else T
        assert side == self.turn, event
        assert self.awake[event.figure]
        assert event.figure in self.members
        self.played[event.figure] += 1
        assert self.played[event.figure] <= (3 if side == T else 2)
        assert event.is_reply == (self.open is not None)
        self.reply = (event.figure, event.counter) if self.open else None
        self.turn = C if side == T else T
        if side == C and not (event.counter == "weapon" and event.figure in SPIKES):
            self.other_counters_of_c = True

    def target_named(self, event: events.TargetNamed) -> None:
        """Check that an attack is of a conscious member on a foe, spikes before all else."""
        assert event.counter in TABLE
        assert self.awake[event.figure]
        assert self.open is None
        assert side_of(event.target) != side_of(event.figure)
        assert event.target in self.members
        if event.counter == "weapon" and event.figure in SPIKES:
            assert not self.other_counters_of_c
        self.open = (event.figure, event.counter, event.target)

    def resolved(self, event: events.AttackResolved) -> None:
        """Check the column, the number needed and the result."""
        assert self.open == (event.figure, event.counter, event.target)
        column = "inactive"
        if self.reply and self.reply[0] == event.target:
            column = "inactive" if self.reply[1] == "weapon" else self.reply[1]
        elif event.target.startswith("Servant") or not self.awake[event.target]:
            column = "helpless"
        assert event.column == column
        is_throw = event.counter == "weapon" and event.figure in SPIKES
        assert event.needs == (3 if is_throw else TABLE[event.counter][column])
        assert (event.die is None) == (event.needs == 0)
        assert event.hit == (event.die is not None and event.die <= event.needs)
        if not self.reply:
            assert self.turn in self.empty
            self.turn = side_of(event.figure)
        self.open = self.reply = None


@pytest.fixture(scope="module")
def audits() -> list[Audit]:
    """Play the brawls with random players and follow each to its end."""
    done = []
    for seed in SEEDS:
        game = brawl(seed)
        audit = Audit({one.name: one.is_conscious for one in game.view(C).figures})
        chooser = random.Random(seed)
        told = 0
        while not game.is_over:
            asked = next(one for one in game.decisions() if not one.optional)
            game.submit(asked.side, asked.options.sample(chooser))
            for event in game.events("public", told):
                audit.follow(event)
            told = game.event_count("public")
        done.append(audit)
    return done


def test_brawls_follow_the_rules(audits: list[Audit]) -> None:
    """5.4, 2.6, R16-R23: turns, replies, columns, numbers, spikes and guns in random combats."""
    seen: Counter[str] = sum((audit.seen for audit in audits), Counter())
    for name in ("CounterPlayed", "AttackResolved", "UntrainedRolled", "ShotRolled", "SpikesDeclared"):
        assert seen[name] > len(SEEDS), f"{name} is hardly ever tried"
    for name in ("SoulShown", "MistShown", "FellUnconscious", "AttackVoid", "CounterDiscarded"):
        assert seen[name] > 2, f"{name} is hardly ever tried"
