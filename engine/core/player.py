"""Whoever sits in a seat: a screen, a bot, a guest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from engine.core.decision import Choice, Decision
from engine.core.event import Event


class Player(Protocol):
    """Decides for one side from its View alone.

    `begin` tells the side it plays and what is public of the game; `decide` returns a Choice, or
    None to let an optional decision lapse; `see` tells what happened since. `wants_view` False spares
    a player that never looks at it the making of Views, `wants_events` that of being told. `said` is
    one line on why the last choice was made, "" if nothing is to be said.
    """

    wants_view: bool
    wants_events: bool
    said: str

    def begin(self, side: str, scenario: Any, board: Any) -> None: ...

    def decide(self, view: Any, decision: Decision) -> Choice | None: ...

    def see(self, events: Sequence[Event]) -> None: ...
