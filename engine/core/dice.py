"""Dice that live in the state: seeded, copied in no time, the same on every machine."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

FACES = 6


class Dice:
    """A stream of numbers that follows from a seed text and a count of those drawn.

    Each draw hashes the seed with its place in the stream (BLAKE2b), so a copy is two words and a
    doubter can check any roll by itself.
    """

    __slots__ = ("count", "seed")

    def __init__(self, seed: str, count: int = 0) -> None:
        self.seed = seed
        self.count = count

    def copy(self) -> Dice:
        """Return dice that go on alike but apart."""
        return Dice(self.seed, self.count)

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to limit - 1, all equally likely; raises ValueError above 2**16."""
        if limit > 65536:
            raise ValueError("no draw goes above 65536")
        self.count += 1
        digest = hashlib.blake2b(f"{self.seed}/{self.count}".encode(), digest_size=32).digest()
        bound = 65536 - 65536 % limit
        for at in range(0, 32, 2):
            value = digest[at] << 8 | digest[at + 1]
            if value < bound:  # values past the last whole multiple would favour the low numbers
                return value % limit
        return self.below(limit)

    def roll(self) -> int:
        """Return the throw of one six-sided die, 1 to 6."""
        return self.below(FACES) + 1

    def shuffle(self, items: list[int]) -> None:
        """Put a list in random order, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


class OutOfDice(Exception):
    """More was rolled than scripted dice hold."""


class ScriptedDice(Dice):
    """Dice that fall as a script says, for tests and worked examples.

    Only rolls are scripted; other draws (a shuffle that nobody sees) follow the seed.

    Raises OutOfDice when more is rolled than the script holds, ValueError for a face no die has.
    """

    __slots__ = ("rolls", "used")

    def __init__(self, rolls: Sequence[int], seed: str = "script", count: int = 0, used: int = 0) -> None:
        super().__init__(seed, count)
        self.rolls = tuple(rolls)
        if any(not 1 <= roll <= FACES for roll in self.rolls):
            raise ValueError(f"a die shows 1 to {FACES}")
        self.used = used

    def copy(self) -> ScriptedDice:
        """Return dice that go on alike but apart."""
        return ScriptedDice(self.rolls, self.seed, self.count, self.used)

    def roll(self) -> int:
        """Return the next throw of the script."""
        if self.used >= len(self.rolls):
            raise OutOfDice("the scripted rolls are used up")
        value = self.rolls[self.used]
        self.used += 1
        return value
