"""Messages that are almost right: choices of a hostile guest, and what a hostile host tells."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from app.lan.codes import format_code, parse_code
from app.lan.guest.received import REASON_LENGTH, parse_told
from app.lan.guest.remote import RemoteMatch
from app.lan.host.table import Guest, Table
from app.lan.people import name_of
from engine.core.decision import IllegalChoice
from engine.core.files import BadFile
from engine.core.lan_protocol import GreetAnswer, TableAnswer, UpdateAnswer, WelcomeAnswer, parse_lan_answer
from engine.core.protocol import Answer, RecordAnswer, Refusal, Request, StateAnswer, format_message
from engine.raid.figures import SIDES
from engine.raid.match import RULES
from tests.helpers.hostile import bent
from tests.helpers.lan import ask, new_table, play_on, told, two_at
from tests.helpers.sent import messages, texts

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
                    lie = parse_told(msgspec.json.encode(bent(random, whole)))
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
    assert 0 < came["taken"] < came.total() // 2


def test_any_bent_message_of_a_host_is_refused_or_fit_to_be_shown(tmp_path: Path) -> None:
    """Of every kind that a host sends: what comes through has the sides of the game, and short lines only."""
    random = Random(7)
    going, over = (
        new_table(tmp_path / "going", clock=900.0),
        new_table(tmp_path / "over", scenario="tea-house"),
    )
    for table in (going, over):
        two_at(table)
        play_on(table, random, 15 if table is going else 10**6)
    came: Counter[str] = Counter()
    unreadable = 0
    for table in (going, over):
        sent = messages(table)
        seen = _match(sent)
        for kind, message in sent.items():
            for _ in range(25):
                lie = msgspec.json.encode({**bent(random, message, list(sent.values())), "tell": kind})
                try:
                    answer = parse_told(lie)
                    if isinstance(answer, RecordAnswer):
                        seen.take_record(answer.record, None)
                    else:
                        _show(answer)
                except (Refusal, BadFile) as refused:
                    came["refused"] += 1
                    reason = refused.problems[0] if isinstance(refused, BadFile) else refused.reason
                    unreadable += "\n" in reason
                else:
                    came[kind] += 1
    assert unreadable == 0
    assert came["refused"] > 100
    # A welcome and a record are as sound as the scenario and the game in them.
    assert came.keys() >= {"greet", "table", "chatted", "state", "error", "update", "seals"}


def _match(sent: dict[str, Any]) -> RemoteMatch:
    """Return a guest's match that was told all."""
    welcome, update = (parse_told(msgspec.json.encode(sent[kind])) for kind in ("welcome", "update"))
    assert isinstance(welcome, WelcomeAnswer)
    assert isinstance(update, UpdateAnswer)
    match = RemoteMatch(welcome, _asks_nothing)
    match.take(update)
    return match


def _show(answer: Any) -> None:
    """Look at an answer as the windows do."""
    if isinstance(answer, WelcomeAnswer):
        RemoteMatch(answer, _asks_nothing)
        return
    cards = answer.tables if isinstance(answer, GreetAnswer) else ()
    if isinstance(answer, TableAnswer):
        cards = (answer.card,)
        assert all(0 <= clock.left / 1000 < 1e9 for clock in answer.clocks.values())
        assert not answer.code or format_code(*parse_code(answer.code))
    for card in cards:
        assert all(name_of(card.seats, side) for side in SIDES)
        assert tuple(card.seats) == SIDES
    if not isinstance(answer, UpdateAnswer):  # of which the match reads the rest
        outcome = {"outcome": None} if isinstance(answer, StateAnswer) else {}
        for text in texts(msgspec.structs.replace(answer, **outcome)):
            assert text.isprintable()
            assert len(text) <= REASON_LENGTH


def _asks_nothing(request: Request) -> Answer:
    raise AssertionError("no question is put to the host")
