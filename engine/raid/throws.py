"""Which numbers of its dice's stream a recorded game used at which choice, so that each can be checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from engine.core.match import PUBLIC
from engine.core.record import Record
from engine.raid.events import RaidEvent
from engine.raid.match import RaidReplay


class Throw(NamedTuple):
    """The numbers that fell at one choice: the places `first` to `last` in the stream of a seed.

    `choice` counts from 1, 0 is the start. `dice` are the faces thrown among them; the others served
    chance that shows no face, such as a shuffle. Scripted dice have no places: then `last` is 0.
    """

    choice: int
    seed: str
    first: int
    last: int
    dice: tuple[int, ...]

    @property
    def numbers(self) -> int:
        """How many numbers of the stream fell."""
        return self.last - self.first + 1 if self.last else 0


def throws(record: Record) -> Iterator[Throw]:
    """Yield what fell in a game, in its order; raises BadFile where the record does not follow the rules.

    Where other dice were put in, the game up to there is gone through by itself: it alone tells how
    many numbers of the earlier ones had fallen.
    """
    starts = [0, *(reseed.at for reseed in record.reseeds)]
    ends = [*starts[1:], len(record.choices)]
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        part = msgspec.structs.replace(record, choices=record.choices[:end], reseeds=record.reseeds[:number])
        yield from _throws(RaidReplay.of(part), 0 if not number else start + 1)


def _throws(replay: RaidReplay, start: int) -> Iterator[Throw]:
    """Yield what fell from a choice on, in a game whose dice are the same from there on."""
    faces: dict[int, list[int]] = {}
    for position, event in replay.timeline(PUBLIC):
        if isinstance(event, RaidEvent) and getattr(event, "die", None) is not None:
            faces.setdefault(position, []).append(event.die)  # type: ignore[attr-defined]
    replay.go(start - 1)
    before = replay.state().dice.count if start else 0
    for position in range(start, replay.length + 1):
        replay.go(position)
        dice = replay.state().dice
        thrown = tuple(faces.get(position, ()))
        if dice.count > before:
            yield Throw(position, dice.seed, before + 1, dice.count, thrown)
        elif thrown:
            yield Throw(position, dice.seed, 0, 0, thrown)
        before = dice.count
