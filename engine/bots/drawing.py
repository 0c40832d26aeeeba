"""Where a bot's luck comes from: a stream that follows from its seed and the moment it decides."""

from __future__ import annotations

from engine.core.decision import Decision
from engine.core.dice import Dice


class Draws(Dice):
    """A stream of choices; `randrange` is what `Options.sample` asks for."""

    def randrange(self, stop: int, /) -> int:
        """Return a whole number from 0 to stop - 1."""
        return self.below(stop)


def draws_for(seed: str, decision: Decision) -> Draws:
    """Return the stream for one decision: the same whenever the same game comes to it again.

    So a game resumed from its record goes on as if it had never stopped.
    """
    return Draws(f"{seed}/{decision.side}/{decision.kind}/{decision.revision}")
