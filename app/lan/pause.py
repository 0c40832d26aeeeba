"""The question whether the game is to be paused, put to a player like a decision of the game.

It is no choice of the game and stands in no record: the answer goes to the table.
"""

from __future__ import annotations

from typing import Final

from engine.core.decision import Choice, Decision, Options
from engine.core.tags import tag_of

PAUSE: Final = "pause"  # the kind of the decision


class AnswerPause(Choice, frozen=True, tag=tag_of):
    """Agree to the pause that the other player asks for, or play on."""

    agrees: bool


def question(side: str, asker: str) -> Decision:
    """Return what the side is asked when the other player, called `asker`, wants a pause."""
    return Decision(
        side=side,
        kind=PAUSE,
        rule="",
        prompt=f"{asker} asks for a pause. Do you agree?",
        waiting="",
        options=Options.listed((AnswerPause(True), AnswerPause(False))),
    )
