"""A player that chooses blindly: for tests, and as the least of opponents."""

from __future__ import annotations

from typing import Any

from engine.bots.drawing import draws_for
from engine.core.agreement import DRAW, AnswerDraw
from engine.core.decision import Choice, Decision
from engine.core.player import Player

# A standing offer comes at every step; taken once in so many times, it is taken at some time in a game.
OFFERS_TAKEN = 30


class RandomPlayer(Player):
    """Chooses any legal choice that leads on, from a seed."""

    wants_view = False
    said = "chosen blindly"

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def decide(self, view: Any, decision: Decision) -> Choice | None:
        """Return a random choice; a standing offer mostly lapses, and a draw is always declined."""
        if decision.kind == DRAW:
            return AnswerDraw(False)
        draws = draws_for(self.seed, decision)
        if decision.optional and draws.randrange(OFFERS_TAKEN):
            return None
        return decision.options.sample(draws)
