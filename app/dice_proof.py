"""What a record proves of its dice, in lines for the command line; the help tells how ("Dice")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from engine.core.record import Record
from engine.core.shares import Receipt, faults, receipt_faults
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
    found = faults(record)
    strange = record.shares.guests.keys() - SIDES if record.shares is not None else ()
    found += [f"shares.guests: {side[:40]!r} is no side" for side in sorted(strange)]
    if receipt is not None:
        found += receipt_faults(record, receipt)
    lines = [*_share_lines(record, is_sound=not found), *_roll_lines(tuple(throws(record)))]
    if receipt is not None and not found:
        lines += _receipt_lines(record, receipt)
    return Proof((*(f"fault: {fault}" for fault in dict.fromkeys(found)), *lines), not found)


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
        givers = [f"the {side}'s" for side in SIDES if side in shares.guests]
        yield "dice: the host's share is the one it was bound to by its commitment"
        if givers:
            yield f"dice: the seed follows from that share and {' and '.join(givers)}"
        else:
            yield "dice: the seed follows from that share alone; nobody else added one"


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


def _place(throw: Throw) -> str:
    return f"choice {throw.choice}" if throw.choice else "start"


def _receipt_lines(record: Record, receipt: Receipt) -> Iterator[str]:
    """Say what a receipt that agrees with its record proves."""
    assert record.shares is not None
    if not receipt.giver:
        who = "the host's own player" if receipt.is_host else "one who looks on"
        yield f"receipt: the commitment is the record's; {who} adds no share"
        return
    yield f"receipt: the commitment and the {receipt.side}'s share are the record's"
    for side in record.shares.guests:
        if side != receipt.side:
            yield f"receipt: had the {side} been in league with the host, he could have chosen his share last"
