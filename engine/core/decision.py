"""What a player is asked, and what he may answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, overload

import msgspec


class Choice(msgspec.Struct, frozen=True, gc=False, tag_field="do"):
    """A player's answer to a Decision: a small named value, never a number."""


REASON_LENGTH = 200  # letters; only names that no figure has make a reason longer


class IllegalChoice(Exception):
    """A choice that the rules refuse.

    `reason` is one sentence for the player who asked, computed from what his side may know, on one
    line whatever names the choice held; `rule` is the number or ruling that forbids it ("4.43", "R7").
    """

    def __init__(self, reason: str, rule: str) -> None:
        if len(reason) > REASON_LENGTH or not reason.isprintable():
            reason = " ".join(reason[:REASON_LENGTH].split()) + "..."
        super().__init__(f"{reason} ({rule})" if rule else reason)
        self.reason = reason
        self.rule = rule


class StaleChoice(IllegalChoice):
    """A choice that answers a decision no longer open."""

    def __init__(self, reason: str = "the game has moved on since this was offered") -> None:
        super().__init__(reason, "")


class Chooser(Protocol):
    """What sampling needs of a random generator; `random.Random` has it."""

    def randrange(self, stop: int, /) -> int: ...


class Options(Sequence[Choice]):
    """The choices a Decision offers, in named groups that are worked out only when looked at.

    All of them are legal. Of the ways to walk to a square one cheapest path is listed; another path is
    as legal if the rules let it be walked, which `Match.why` tells.

    A group is usually a figure's name; choices that belong to no figure are in the group "".
    `groups` lead on; `side_groups` are legal too but only take back or rearrange (a counter
    already placed during set-up), so a player who avoids them still reaches the end.
    """

    __slots__ = ("_known", "_make", "_price", "groups", "side_groups")

    def __init__(
        self,
        groups: Sequence[str],
        make: Callable[[str], Sequence[Choice]],
        side_groups: Sequence[str] = (),
        price: Callable[[Choice], int | None] | None = None,
    ) -> None:
        self.groups = tuple(groups)
        self.side_groups = tuple(side_groups)
        self._make = make
        self._price = price
        self._known: dict[str, Sequence[Choice]] = {}

    @classmethod
    def listed(cls, choices: Sequence[Choice]) -> Options:
        """Hold a short list as one group."""
        fixed = tuple(choices)
        return cls(("",), lambda group: fixed)

    def of(self, group: str) -> Sequence[Choice]:
        """Return one group's choices; empty where there is no such group."""
        known = self._known.get(group)
        if known is None:
            is_there = group in self.groups or group in self.side_groups
            known = self._known[group] = self._make(group) if is_there else ()
        return known

    def price(self, choice: Choice) -> int | None:
        """Return what a choice costs (movement points), None where nothing is paid."""
        return self._price(choice) if self._price is not None else None

    def sample(self, chooser: Chooser) -> Choice:
        """Return one choice that leads on: a random group first, then a random choice of it.

        Only where none leads on, one that takes back or rearranges.
        """
        for names in (self.groups, self.side_groups):
            groups = list(names)
            while groups:
                choices = self.of(groups.pop(chooser.randrange(len(groups))))
                if choices:
                    return choices[chooser.randrange(len(choices))]
        raise LookupError("a decision without a choice")

    def __len__(self) -> int:
        return len(self._chain())

    def __iter__(self) -> Iterator[Choice]:
        return iter(self._chain())

    def __contains__(self, choice: object) -> bool:
        return any(choice in self.of(group) for group in (*self.groups, *self.side_groups))

    @overload
    def __getitem__(self, index: int) -> Choice: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Choice, ...]: ...
    def __getitem__(self, index: int | slice) -> Choice | tuple[Choice, ...]:
        return self._chain()[index]

    def _chain(self) -> Chain:
        return Chain(*(self.of(group) for group in (*self.groups, *self.side_groups)))


class Chain(Sequence[Choice]):
    """Several lists of choices as one, none of them worked out before it is looked at."""

    __slots__ = ("_parts",)

    def __init__(self, *parts: Sequence[Choice]) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return sum(len(part) for part in self._parts)

    @overload
    def __getitem__(self, index: int) -> Choice: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Choice, ...]: ...
    def __getitem__(self, index: int | slice) -> Choice | tuple[Choice, ...]:
        if isinstance(index, slice):
            return tuple(self)[index]
        at = index + len(self) if index < 0 else index
        for part in self._parts:
            if at < len(part):
                return part[at]
            at -= len(part)
        raise IndexError(index)


class Decision(msgspec.Struct, frozen=True, eq=False):
    """A stop of the engine: who must decide what, and the choices open to him.

    `kind` names the stop ("terminator-move"), `prompt` says what to do now to the side asked,
    `waiting` is what everybody else may read meanwhile, `optional` marks a standing offer that
    lapses when the other side goes on (R13). `revision` is the game's since which it has been open.
    """

    side: str
    kind: str
    rule: str
    prompt: str
    waiting: str
    options: Options
    optional: bool = False
    revision: int = 0
