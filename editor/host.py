"""What the editor asks of the game around it: to play a draft, to show a page of the help, to go home."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from PySide6.QtWidgets import QWidget

from app.settings import SettingsStore
from engine.raid.scenario import Scenario


class Playtest(NamedTuple):
    """A game to try: the scenario with its map in it, who sits where, the seed, the turn to begin at.

    `seats` names a seat by side: "human" or a bot. With a `turn` after the first one bots play both sides
    up to its beginning.
    """

    scenario: Scenario
    seats: Mapping[str, str]
    seed: str
    turn: int = 1


class Host(Protocol):
    """The game around the editor."""

    @property
    def store(self) -> SettingsStore:
        """The settings, for the size of the text."""

    def playtest(self, playtest: Playtest, parent: QWidget) -> QWidget:
        """Return a page that plays, without a file; it has a signal `left` for when the player wants back.

        Raises BadFile where the scenario cannot be played.
        """

    def show_help(self, topic: str, parent: QWidget) -> None:
        """Show a page of the help."""

    def show_start(self) -> None:
        """Show the start screen of the game."""
