"""What the editor asks of the game around it: to play a draft, to show help, settings or the start screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.settings import SettingsStore
from engine.raid.scenario import Scenario


class Playtest(NamedTuple):
    """A game to try: the scenario with its map in it, who sits where, the seed, the turn to begin at.

    `seats` names a seat by side: "human" or a bot. With a `turn` after the first one bots play both sides
    up to its beginning. Where it `has_abilities` a person's Terminators come with suggested ones (6.1).
    """

    scenario: Scenario
    seats: Mapping[str, str]
    seed: str
    turn: int = 1
    has_abilities: bool = False


class PlaytestView(QWidget):
    """A page on which a playtest is played; `left` when the player wants back to the editor."""

    left = Signal()

    def restart(self) -> None:
        """Begin the same game again."""
        raise NotImplementedError

    def step_back(self) -> None:
        """Let go of what was begun in the game, or else of the game."""
        raise NotImplementedError

    def leave(self) -> None:
        """Let go of the game, and go back to the editor."""
        raise NotImplementedError

    def end(self) -> None:
        """Let go of the game and of all that runs for it; the page shows nothing any more."""
        raise NotImplementedError


class Host(Protocol):
    """The game around the editor."""

    @property
    def store(self) -> SettingsStore:
        """The settings, for the size of the text."""

    def playtest(self, playtest: Playtest, parent: QWidget) -> PlaytestView:
        """Return a page that plays, without a file.

        Raises BadFile where the scenario cannot be played.
        """

    def show_help(self, topic: str) -> None:
        """Show a page of the help."""

    def show_settings(self, parent: QWidget) -> None:
        """Let the settings be changed: theme, size of the text, speed of the game."""

    def show_start(self) -> None:
        """Show the start screen of the game."""
