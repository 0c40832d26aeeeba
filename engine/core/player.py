"""Whoever sits in a seat: a screen, a bot, a guest."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from engine.core.decision import Choice, Decision
from engine.core.event import Event


class Player(ABC):
    """Decides for one side from its View alone.

    `wants_view` False spares a player that never looks at it the making of Views, `wants_events` that
    of being told. `said` is one line on why the last choice was made, "" if nothing is to be said. One who
    `follows_lines` acts by lines that all may read, so that what he says of it tells no secret.
    """

    wants_view: bool = True
    wants_events: bool = False
    said: str = ""
    follows_lines: bool = False

    def begin(self, side: str, scenario: Any, board: Any) -> None:
        """Take a seat: the side, and what is public of the game; once more when the board has changed."""
        return

    @abstractmethod
    def decide(self, view: Any, decision: Decision) -> Choice | None:
        """Return a choice, or None to let an optional decision lapse; `view` is None if none is wanted."""

    def see(self, events: Sequence[Event]) -> None:
        """Learn what happened since; only where `wants_events`."""
        return
