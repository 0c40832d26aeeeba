"""Tables of several people without a network, and what their guests do there."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec

from app.lan.host.table import Guest, Options, Table
from engine.core.course import BY_CONSENT
from engine.core.lan_protocol import LanRequest, parse_lan_answer, parse_lan_request
from engine.core.protocol import CLIENT, Answer, format_message
from engine.core.shares import seal_of
from engine.raid.figures import CLONEMASTER, SIDES, TERMINATOR
from engine.raid.scenario import Scenario, load_scenario

T, C = TERMINATOR, CLONEMASTER
SECRET = "2QXMKP"


class Time:
    """A clock that goes on when told to; call it for the time in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def go(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


def key(letter: str) -> str:
    """Return 32 bytes in hexadecimal digits, all of them one digit."""
    return letter * 64


def new_table(
    folder: Path,
    *,
    scenario: str | Scenario = "basic",
    time: Time | None = None,
    seats: dict[str, str] | None = None,
    share: str = "f",
    **options: Any,
) -> Table:
    """Return a new table for two people, or whom `seats` says; the host's share is of one digit."""
    played = load_scenario(scenario) if isinstance(scenario, str) else scenario
    laid = Options(
        title=played.name,
        host="Host",
        scenario=played,
        seats={**dict.fromkeys(SIDES, CLIENT), **(seats or {})},
        **options,
    )
    # The same dice in every run, for the shares of the players are the same too.
    with patch("app.lan.host.table.make_share", lambda: key(share)):
        return Table.new("AB", SECRET, laid, folder, time or Time())


def seals_of(share: str) -> dict[str, str]:
    """Return the seals of a share for whichever side its giver may be."""
    return {side: seal_of(side, share) for side in SIDES}


def sit(table: Table, name: str, seat: str, letter: str, token: str) -> Guest:
    """Let somebody come in, whose share and token are of one digit each."""
    return table.sit(name, seat, seals_of(key(letter)), key(token))


def open_shares(table: Table, *letters: str) -> None:
    """Let the players of a table open their shares, one of a digit each; then the game begins."""
    for letter in letters:
        share = key(letter)
        for guest in table.guests:
            if guest.side and guest.seal == seal_of(guest.side, share):
                ask(table, guest, "open", share=share)


def two_at(table: Table) -> tuple[Guest, Guest]:
    """Return Ann as the Terminator and Bob as the CloneMaster, both come in; the game has begun."""
    both = sit(table, "Ann", T, "a", "1"), sit(table, "Bob", C, "b", "2")
    open_shares(table, "a", "b")
    return both


def ask(table: Table, guest: Guest, ask: str, **fields: Any) -> Any:
    """Return the answer to a request as its receiver reads it; it goes through the wire's form both ways."""
    line = msgspec.json.encode({"ask": ask, **fields})
    request: LanRequest = parse_lan_request(line)
    return parse_lan_answer(format_message(table.answer(guest, request)))


def told(table: Table, guest: Guest) -> list[Any]:
    """Return what a guest is told now, as he reads it."""
    return [parse_lan_answer(format_message(answer)) for answer in table.pushes(guest)]


def only(answers: list[Any], kind: type[Answer]) -> Any:
    """Return the one answer of a kind."""
    (found,) = (one for one in answers if isinstance(one, kind))
    return found


def choose(table: Table, guest: Guest, choice: Any) -> Any:
    """Make a guest's choice in answer to what he is asked, or one that may be made at any time."""
    assert table.match is not None
    decision = table.match.decision(guest.side)
    revision = table.match.revision
    if decision is not None and not isinstance(choice, BY_CONSENT):
        revision = decision.revision
    packed = msgspec.to_builtins(choice)
    return ask(table, guest, "choose", side=guest.side, choice=packed, revision=revision)


def undo(table: Table, guest: Guest) -> Any:
    """Take a guest's last choice back."""
    assert table.match is not None
    decision = table.match.decision(guest.side)
    revision = table.match.revision if decision is None else decision.revision
    return ask(table, guest, "undo", side=guest.side, revision=revision)


def play_on(table: Table, random: Random, choices: int = 1_000_000) -> int:
    """Let the people of a table choose at random; return how many choices were made before the end."""
    made = 0
    assert table.match is not None
    while not table.is_over and made < choices:
        people = {side for side, seat in table.card().seats.items() if seat.player == CLIENT}
        asked = [one for one in table.match.decisions() if not one.optional and one.side in people]
        guest = next(one for one in table.guests if one.side == asked[0].side)
        choose(table, guest, asked[0].options.sample(random))
        made += 1
    return made
