"""A game as scenario, seed and choices: saved after every choice, replayed, cut short, resumed."""

from __future__ import annotations

import json
import os
from itertools import pairwise
from typing import Annotated, Any, Literal
from uuid import uuid4

import msgspec

from engine.core.dice import Dice, ScriptedDice
from engine.core.files import BadFile, Part, decode, encode, read_bytes
from engine.core.shares import Shares

KIND = "kungfu2100.record"
VERSION = 1


Face = Annotated[int, msgspec.Meta(ge=1, le=6)]


class RecordedChoice(Part, frozen=True):
    """One choice and the side that made it; `choice` is in its JSON form."""

    side: str
    choice: dict[str, Any]


class Reseed(Part, frozen=True, kw_only=True):
    """Other dice from a place on: a game played on from the first `at` choices of another.

    Rolls follow from `seed`, or are scripted by `dice`.
    """

    at: Annotated[int, msgspec.Meta(ge=0)]
    seed: str
    dice: tuple[Face, ...] | None = None

    def make_dice(self) -> Dice:
        """Return the dice of that place."""
        return Dice(self.seed) if self.dice is None else ScriptedDice(self.dice, self.seed)


class Record(Part, frozen=True, kw_only=True):
    """All that a game is: the same record gives the same events and the same end on any machine.

    `scenario` is the whole scenario with its map, in JSON form, so that a record needs no other file.
    `dice` are scripted rolls, None where all rolls follow from the seed. `shares` are what the seed follows
    from where host and players of several machines made it together. `seats` and `names` say who played each
    side ("human", "rulebook", ...). `reseeds` are the places, in their order, where it was played on from
    with other dice.
    """

    game: Literal["raid"] = "raid"
    title: str = ""
    seed: str
    dice: tuple[Face, ...] | None = None
    shares: Shares | None = None
    seats: dict[str, str] = msgspec.field(default_factory=dict)
    names: dict[str, str] = msgspec.field(default_factory=dict)
    scenario: dict[str, Any]
    reseeds: tuple[Reseed, ...] = ()
    choices: tuple[RecordedChoice, ...] = ()

    def make_dice(self) -> Dice:
        """Return the game's dice at its start."""
        return Dice(self.seed) if self.dice is None else ScriptedDice(self.dice, self.seed)

    @property
    def last_seed(self) -> str:
        """The seed that the dice follow at the end of the record."""
        return self.reseeds[-1].seed if self.reseeds else self.seed

    def cut(self, length: int) -> Record:
        """Return the record of the first choices only."""
        kept = self.choices[:length]
        reseeds = tuple(one for one in self.reseeds if one.at <= len(kept))
        return msgspec.structs.replace(self, choices=kept, reseeds=reseeds)

    def branched(self, at: int, seed: str, dice: tuple[int, ...] | None = None) -> Record:
        """Return the record of a game played on from the first `at` choices with other dice.

        Raises ValueError where there are not so many.
        """
        if not 0 <= at <= len(self.choices):
            raise ValueError(f"there are only {len(self.choices)} choices")
        cut = self.cut(at)
        reseeds = tuple(one for one in cut.reseeds if one.at < at)
        return msgspec.structs.replace(cut, reseeds=(*reseeds, Reseed(at=at, seed=seed, dice=dice)))


def parse_record(raw: bytes, path: str = "") -> Record:
    """Return the record that a file's bytes hold; raises BadFile."""
    record = decode(raw, Record, KIND, VERSION, path=path)
    places = [-1, *(reseed.at for reseed in record.reseeds)]
    problems = []
    for number, (before, at) in enumerate(pairwise(places)):
        if at <= before:
            problems.append(f"reseeds[{number}].at: not after the one before")
        elif at > len(record.choices):
            problems.append(f"reseeds[{number}].at: there are only {len(record.choices)} choices")
    if problems:
        raise BadFile(problems, path)
    return record


def load_record(path: str | os.PathLike[str]) -> Record:
    """Return the record of a file; raises BadFile."""
    return parse_record(read_bytes(path), os.fspath(path))


def format_record(record: Record) -> bytes:
    """Return the bytes of a record's file, a choice a line."""
    return encode(record, KIND, VERSION)


class RecordWriter:
    """The bytes of a growing record, without writing all of it anew for each choice."""

    def __init__(self, record: Record) -> None:
        # A list without items is left out of a file: its place is found with a row that no file holds.
        mark = RecordedChoice(uuid4().hex, {})
        whole = format_record(msgspec.structs.replace(record, choices=(mark,)))
        line = self._line(mark)
        at = whole.index(line)
        self._head, self._tail = whole[:at], whole[at + len(line) :]
        self._empty = format_record(record.cut(0))
        self._lines = [self._line(row) for row in record.choices]

    @staticmethod
    def _line(row: RecordedChoice) -> bytes:
        text = json.dumps({"side": row.side, "choice": row.choice}, ensure_ascii=False)
        return b"\n    " + text.encode()

    def append(self, row: RecordedChoice) -> None:
        """Add a choice."""
        self._lines.append(self._line(row))

    def shorten(self) -> None:
        """Take the last choice off again."""
        self._lines.pop()

    def to_bytes(self) -> bytes:
        """Return the whole file."""
        if not self._lines:
            return self._empty
        return self._head + b",".join(self._lines) + self._tail
