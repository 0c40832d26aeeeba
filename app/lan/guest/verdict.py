"""What a guest finds out about the record that his host opens at the end.

It must be the game that was announced, played by its rules, with the dice that all had sealed before anybody
opened his share; and gone through again it must tell exactly what the guest was told while it was played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from engine.core.event import Event
from engine.core.files import BadFile
from engine.core.match import PUBLIC
from engine.core.record import Record, parse_record
from engine.core.shares import Receipt, faults
from engine.raid.figures import SIDES
from engine.raid.match import RULES, RaidReplay, ends_undo
from engine.raid.scenario import Scenario
from engine.raid.sealed_start import sealed_start


class Verdict(NamedTuple):
    """A record with all that is wrong with it, a line a fault, and one `line` that says so."""

    record: Record
    faults: tuple[str, ...]
    line: str


def judge(
    packed: Any,
    scenario: Scenario,
    told: Mapping[str, Sequence[Event]],
    gone: Sequence[Event],
    receipt: Receipt | None,
    *,
    has_heard_all: bool = True,
) -> Verdict:
    """Return what there is to be said of a record in its JSON form.

    `told` is what the guest was told by viewer, `gone` what he was told and then no longer, `receipt` what he
    kept of joining. A guest whose program was started again meanwhile has not heard all: what he was told
    before is gone. Raises BadFile for what is no record, or cannot be played by the rules.
    """
    record = parse_record(msgspec.json.encode(packed))
    replay = RaidReplay.of(record)
    if not replay.may_open:
        raise BadFile(["the game of the record has not ended"])
    replay.go(replay.length)
    found = [*_faults(record, replay, scenario, told, gone), *faults(record, SIDES, receipt)]
    line = _line(found, replay.length, receipt, has_heard_all=has_heard_all)
    return Verdict(record, tuple(found), line)


def _faults(
    record: Record,
    replay: RaidReplay,
    scenario: Scenario,
    told: Mapping[str, Sequence[Event]],
    gone: Sequence[Event],
) -> Iterator[str]:
    if not _is_announced(record, scenario):
        yield "scenario: not the one that was sent when you joined"
    for viewer, events in told.items():
        if tuple(events) != replay.events(viewer):
            yield f"choices: they tell the {viewer} viewer something else than you were told"
    if any(map(ends_undo, gone)):
        yield "choices: a roll or a reveal that you saw was taken back without a word"


def _is_announced(record: Record, scenario: Scenario) -> bool:
    """Return whether a record is of the scenario that a guest was sent, without the secrets of its start."""
    announced = RULES.pack_scenario(scenario)
    if record.scenario == announced:
        return True
    whole = RULES.unpack_scenario(record.scenario, "")
    return any(RULES.pack_scenario(sealed_start(whole, viewer)) == announced for viewer in (*SIDES, PUBLIC))


def _line(found: Sequence[str], length: int, receipt: Receipt | None, *, has_heard_all: bool) -> str:
    if found:
        more = f", and {len(found) - 1} more" if len(found) > 1 else ""
        return f"The record does not prove this game: {found[0]}{more}."
    mine = ", yours among them" if receipt is not None and receipt.side else ""
    dice = (
        f"the dice follow from the shares that all had sealed{mine}"
        if receipt is not None
        else "nothing was kept here of what sealed the dice"
    )
    told = "what you were told" if has_heard_all else "what you were told since you came back"
    return f"The record is sound: all {length} choices are legal, they tell {told}, and {dice}."
