"""What a game's rules must be able to do for a Match and a Replay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from engine.core.decision import Choice, Decision, IllegalChoice
from engine.core.dice import Dice
from engine.core.event import Telling

StateT = TypeVar("StateT")
ScenarioT = TypeVar("ScenarioT")


class Rules(Protocol[StateT, ScenarioT]):
    """A game's rules as a Match needs them."""

    sides: tuple[str, str]

    def start(self, scenario: ScenarioT, dice: Dice) -> tuple[StateT, list[Telling]]: ...

    def decisions(self, state: StateT) -> tuple[Decision, ...]:
        """Return the open decisions, each made from nothing but what its side may know."""
        ...

    def advance(self, state: StateT, side: str, choice: Choice) -> tuple[StateT, list[Telling]]: ...

    def why(self, state: StateT, side: str, choice: Choice) -> IllegalChoice | None: ...

    def view(self, state: StateT, viewer: str) -> Any: ...

    def view_open(self, state: StateT) -> Any: ...

    def board(self, state: StateT) -> Any:
        """Return the board, which is public; another object where a choice has changed it."""
        ...

    def is_over(self, state: StateT) -> bool: ...

    def end_as_draw(self, state: StateT) -> tuple[StateT, list[Telling]]:
        """Return the end of a game that goes on, which both sides have agreed to call a draw."""
        ...

    def may_undo(self, before: StateT, after: StateT, told: Sequence[Telling]) -> bool:
        """Return whether a choice brought neither a roll nor a secret to light (contract 6)."""
        ...

    def dice(self, state: StateT) -> Dice:
        """Return a state's dice."""
        ...

    def with_dice(self, state: StateT, dice: Dice) -> StateT:
        """Return an equal state whose rolls go on with a copy of these dice."""
        ...

    def moment(self, state: StateT) -> Any:
        """Return when in the game a state is, small enough to be kept for every choice."""
        ...

    def name_choice(self, side: str, choice: Choice, moment: Any) -> str:
        """Return what a choice was, in words that tell nobody more than he knows: "x's move in turn 3"."""
        ...

    def pack_scenario(self, scenario: ScenarioT) -> dict[str, Any]: ...

    def unpack_scenario(self, packed: dict[str, Any], path: str) -> ScenarioT: ...

    def pack_choice(self, choice: Choice) -> dict[str, Any]: ...

    def unpack_choice(self, packed: dict[str, Any]) -> Choice:
        """Return the choice; raises ValueError with the reason where there is none like it."""
        ...
