"""What a record proves of its dice, in lines for the command line; the help tells how ("Dice")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from engine.core.record import Record
from engine.core.shares import HOST, Receipt, faults
from engine.raid.figures import SIDES
from engine.raid.throws import Throw, throws


class Proof(NamedTuple):
    """What was found: lines to print, and whether all of it is as it should be."""

    lines: tuple[str, ...]
    is_sound: bool


def prove(record: Record, receipt: Receipt | None) -> Proof:
    """Check a record's dice against its shares, and against what a guest kept when he joined.

    Raises BadFile where the record does not follow the rules.
    """
    found = faults(record, SIDES, receipt)
    lines = [*_share_lines(record, is_sound=not found), *_roll_lines(tuple(throws(record)))]
    if receipt is not None and not found:
        lines += _receipt_lines(record, receipt)
    return Proof((*(f"fault: {fault}" for fault in found), *lines), not found)


def throw_lines(record: Record) -> Iterator[str]:
    """Yield a seed, then a line for every choice at which numbers of its stream fell, and the dice thrown.

    Raises BadFile where the record does not follow the rules.
    """
    for (seed, is_scripted), group in groupby(throws(record), _source):
        yield "dice as scripted" if is_scripted else f"seed {seed}"
        for throw in group:
            places = (
                f"number {throw.first}" if throw.numbers == 1 else f"numbers {throw.first} to {throw.last}"
            )
            parts = [] if is_scripted else [places]
            parts += [f"dice {' '.join(map(str, throw.dice))}"] if throw.dice else []
            yield f"{_place(throw)}: {', '.join(parts)}"


def _source(throw: Throw) -> tuple[str, bool]:
    """Return what numbers follow from: a seed, and whether a script stands in its place."""
    return throw.seed, not throw.last


def _share_lines(record: Record, *, is_sound: bool) -> Iterator[str]:
    """Say where the seed came from."""
    shares = record.shares
    if shares is None:
        yield "dice: this record has no shares, so nothing tells where its seed came from"
    elif is_sound:
        givers = [f"the {who}'s" for who in (HOST, *SIDES) if who in shares]
        yield f"dice: the seed follows from {_listed(givers)} share{'s' if len(givers) > 1 else ''}"


def _roll_lines(thrown: Sequence[Throw]) -> Iterator[str]:
    """Say how many dice fell, and which seed they follow from."""
    if not thrown:
        yield "dice: nothing was thrown"
    for (seed, is_scripted), group in groupby(thrown, _source):
        some = tuple(group)
        dice = sum(len(throw.dice) for throw in some)
        others = sum(throw.numbers for throw in some) - dice
        where = f"{_place(some[0])} to {_place(some[-1])}" if len(some) > 1 else _place(some[0])
        if is_scripted:
            yield f"dice: {where}: {dice} thrown as scripted; they follow from nothing"
        else:
            also = f" and {others} other numbers drawn" if others else ""
            yield f"dice: {where}: {dice} thrown{also}, and every one follows from seed {seed}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _place(throw: Throw) -> str:
    return f"choice {throw.choice}" if throw.choice else "start"


def _receipt_lines(record: Record, receipt: Receipt) -> Iterator[str]:
    """Say what a receipt that agrees with its record proves."""
    assert record.shares is not None
    yield "receipt: every share is the one that had been sealed, and there is no other"
    if not receipt.side:
        yield "receipt: one who looks on adds no share; those of the others they may have chosen together"
