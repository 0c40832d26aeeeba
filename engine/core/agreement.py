"""Ending a game as a draw because both players agree to it: their house agreement, which no rule knows.

A player offers the draw at any time, the other agrees or declines. Both are choices of the game and
stand in its record.
"""

from __future__ import annotations

from typing import Final

from engine.core.decision import Choice, Decision, Options
from engine.core.event import Event
from engine.core.tags import tag_of

DRAW: Final = "draw"  # the kind of the decision


class AskDraw(Choice, frozen=True, tag=tag_of, forbid_unknown_fields=True):
    """Offer the other side a draw; may be chosen at any time."""


class AnswerDraw(Choice, frozen=True, tag=tag_of, forbid_unknown_fields=True):
    """Agree to the draw that the other side offers, which ends the game, or let the game go on."""

    agrees: bool


ABOUT_DRAWS: Final = (AskDraw, AnswerDraw)


class DrawAsked(Event, frozen=True, tag=tag_of):
    """A side offered a draw."""

    rule: str
    side: str


class DrawAnswered(Event, frozen=True, tag=tag_of):
    """A side agreed to the draw that the other offered, or declined it."""

    rule: str
    side: str
    agrees: bool


def question(side: str) -> Decision:
    """Return what the side is asked that must agree."""
    return Decision(
        side=side,
        kind=DRAW,
        rule="",
        prompt="The other player offers a draw, which would end the game here. Do you agree?",
        waiting="The other player says whether the game ends as a draw.",
        options=Options.listed((AnswerDraw(True), AnswerDraw(False))),
    )
