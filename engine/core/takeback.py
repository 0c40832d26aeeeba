"""Taking back by consent what undo does not reach: past rolls, reveals and the other side's choices.

A player asks to go back to before his own last choice, the other agrees or declines. Both are choices
of the game and stand in its record; what was told stays told, and the dice go on where they are.
"""

from __future__ import annotations

from typing import Final

from engine.core.decision import Choice, Decision, Options
from engine.core.event import Event
from engine.core.tags import tag_of

TAKEBACK: Final = "takeback"  # the kind of the decision


class AskTakeback(Choice, frozen=True, tag=tag_of, forbid_unknown_fields=True):
    """Ask the other side to go back to before one's own last choice; may be chosen at any time."""


class AnswerTakeback(Choice, frozen=True, tag=tag_of, forbid_unknown_fields=True):
    """Agree to what the other side asks to take back, or let the game go on as it is."""

    agrees: bool


ABOUT_TAKEBACKS: Final = (AskTakeback, AnswerTakeback)


class TakebackAsked(Event, frozen=True, tag=tag_of):
    """A side asked to go back to before a choice of its own; `what` is that choice in public words."""

    rule: str
    side: str
    what: str


class TakebackAnswered(Event, frozen=True, tag=tag_of):
    """A side agreed or declined to go back to before the other's choice `what`."""

    rule: str
    side: str
    agrees: bool
    what: str


def question(side: str, what: str) -> Decision:
    """Return what the side is asked that must agree."""
    return Decision(
        side=side,
        kind=TAKEBACK,
        rule="",
        prompt=f"The other player asks to go back to before {what}, with dice thrown anew. Do you agree?",
        waiting=f"The other player says whether the game goes back to before {what}.",
        options=Options.listed((AnswerTakeback(True), AnswerTakeback(False))),
    )
