"""Messages that are almost right: choices of a hostile guest, and what a hostile host tells."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from app.lan.remote import RemoteMatch
from app.lan.table import Guest, Table
from engine.core.decision import IllegalChoice
from engine.core.files import BadFile
from engine.core.lan_protocol import UpdateAnswer, parse_lan_answer
from engine.core.protocol import Answer, Refusal, Request, format_message
from engine.raid.match import RULES
from tests.helpers.hostile import bent
from tests.helpers.lan import ask, new_table, play_on, told, two_at

ROUNDS = 30


def _choices(table: Table, guest: Guest, random: Random) -> list[Any]:
    """Return some choices that the guest may make, as JSON."""
    assert table.match is not None
    decision = table.match.decision(guest.side)
    if decision is None:
        return []
    options = [decision.options.sample(random) for _ in range(3)]
    return [msgspec.json.decode(msgspec.json.encode(RULES.pack_choice(one))) for one in options]


@pytest.mark.parametrize("scenario", ["advanced", "mountain"])
def test_a_bent_choice_is_legal_or_refused(tmp_path: Path, scenario: str) -> None:
    """Whatever a choice is made of, it is made, or it is refused and the game is as it was."""
    random = Random(5)
    table = new_table(tmp_path / "table", scenario=scenario)
    guests = two_at(table)
    seen: list[Any] = []
    made: Counter[str] = Counter()
    for _ in range(ROUNDS):
        assert table.match is not None
        seen += [choice for guest in guests for choice in _choices(table, guest, random)]
        for _ in range(12):
            guest = random.choice(guests)
            decision = table.match.decision(guest.side)
            revision = decision.revision if decision is not None else table.match.revision
            choice = bent(random, random.choice(seen[-20:]), seen)
            before = table.match.length, table.match.revision
            try:
                ask(table, guest, "why", side=guest.side, choice=choice)
                ask(table, guest, "choose", side=guest.side, choice=choice, revision=revision)
            except (Refusal, IllegalChoice) as refused:
                made[type(refused).__name__] += 1
                assert (table.match.length, table.match.revision) == before
            else:
                made["made"] += 1
        play_on(table, random, 2)
    assert made["Refusal"] > 100
    assert made.total() == ROUNDS * 12


def test_a_bent_update_is_taken_or_refused_by_a_guest(tmp_path: Path) -> None:
    """A host that lies ends a guest's game with a reason and never with a fault of his program."""
    random = Random(6)
    table = new_table(tmp_path / "table", scenario="advanced")
    guests = two_at(table)
    came: Counter[str] = Counter()
    for _ in range(5):
        for guest in guests:
            welcome: Any = parse_lan_answer(format_message(table.welcome(guest, "")))
            guest.told.clear()
            guest.wants_update = True
            update = next(one for one in told(table, guest) if isinstance(one, UpdateAnswer))
            whole = msgspec.json.decode(msgspec.json.encode(update))
            match = RemoteMatch(welcome, _asks_nothing)
            for _ in range(10):
                try:
                    lie = parse_lan_answer(msgspec.json.encode(bent(random, whole)))
                    if isinstance(lie, UpdateAnswer):
                        match.take(lie)
                        [one.options.sample(random) for one in match.decisions()]
                except (Refusal, BadFile, ValueError) as refused:
                    came[type(refused).__name__] += 1
                    assert not match.has_begun
                else:
                    came["taken"] += 1
                    match = RemoteMatch(welcome, _asks_nothing)
        play_on(table, random, 20)
    assert came.total() == 100
    assert came["taken"] < came.total() // 2


def _asks_nothing(request: Request) -> Answer:
    raise AssertionError("no question is put to the host")
