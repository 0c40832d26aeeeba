"""Where a bot's luck comes from: a stream that follows from its seed and the moment it decides."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

from engine.core.decision import Decision

T = TypeVar("T")

SPENT = 1 << 64  # below this a hash's number is used up


class Draws:
    """A stream of whole numbers from a seed text; `randrange` is what `Options.sample` asks for.

    Each number is the remainder of what is left of a hash of 512 bits, so the odds are even as far as
    any game could tell.
    """

    __slots__ = ("_block", "_left", "_seed")

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._block = 0
        self._left = 0

    def randrange(self, stop: int, /) -> int:
        """Return a whole number from 0 to stop - 1."""
        if self._left < SPENT:
            self._block += 1
            self._left = int.from_bytes(
                hashlib.blake2b(f"{self._seed}/{self._block}".encode()).digest(), "big"
            )
        self._left, value = divmod(self._left, stop)
        return value

    def pick(self, items: Sequence[T]) -> T:
        """Return one of some things, all equally likely."""
        return items[self.randrange(len(items))]


def draws_for(seed: str, decision: Decision) -> Draws:
    """Return the stream for one decision: the same whenever the same game comes to it again.

    So a game resumed from its record goes on as if it had never stopped, unless something was undone.
    """
    return Draws(f"{seed}/{decision.side}/{decision.kind}/{decision.revision}")
