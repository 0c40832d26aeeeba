"""Whoever only listens to the encrypted line learns nothing from how long its messages are."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.connection import Connection

from app.lan.certificate import load_identity
from app.lan.guest.link import Invitation, Link, LinkState
from app.lan.host.server import Server
from engine.core.lan_protocol import (
    GUEST_LIMIT,
    HOST_LIMIT,
    STEP,
    ChatRequest,
    ChattedAnswer,
    LanAnswer,
    format_lan_message,
    parse_lan_answer,
    parse_lan_request,
)
from engine.core.protocol import ChooseRequest
from tests.helpers.caller import hosted
from tests.helpers.lan import SECRET, T, new_table

WITHIN = 10.0


def choice(counters: int) -> bytes:
    """Return the message of a choice that names so many counters."""
    names = [f"Rescuer {number}" for number in range(counters)]
    named = msgspec.Raw(msgspec.json.encode({"kind": "move", "counters": names}))
    return format_lan_message(ChooseRequest(id=17, side=T, choice=named, revision=40))


def test_few_counters_and_many_are_equally_long() -> None:
    """How many counters a secret choice names cannot be counted from outside."""
    assert len({len(choice(counters)) for counters in range(8)}) == 1


@given(text=st.text(min_size=1, max_size=200))
def test_a_message_is_a_whole_number_of_steps_and_reads_as_before(text: str) -> None:
    """What is filled up is read as what was meant, both ways, and never passes a limit by it."""
    asked, told = ChatRequest(id=1, text=text), ChattedAnswer(number=1, side="", name="Ann", text=text)
    for message, parse in ((asked, parse_lan_request), (told, parse_lan_answer)):
        line = format_lan_message(message)
        assert len(line) % STEP == 0
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        assert parse(line) == message
    assert GUEST_LIMIT % STEP == HOST_LIMIT % STEP == 0


def test_all_that_leaves_either_end_is_filled_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the greeting to the goodbye no message of host or guest has a length of its own."""
    lengths: list[int] = []
    has_come = threading.Event()

    def tell(answer: LanAnswer) -> None:
        if isinstance(answer, ChattedAnswer) and answer.text == "hello":
            has_come.set()

    is_in = threading.Event()

    def note(state: LinkState) -> None:
        if state.kind == "connected":
            is_in.set()

    send = Connection.send

    async def weighed(self: Connection, message: Any, *args: Any, **named: Any) -> None:
        lengths.append(len(message))
        await send(self, message, *args, **named)

    monkeypatch.setattr(Connection, "send", weighed)
    table = new_table(tmp_path / "table")
    with hosted(Server([table], load_identity(tmp_path), "Host", bind="127.0.0.1")) as host:
        way = Invitation("127.0.0.1", host.server.port, "AB" + SECRET, "Ann")
        guest = Link(way, tell, note, folder=tmp_path / "tickets", look=None)
        try:
            assert is_in.wait(WITHIN)
            guest.ask(ChatRequest(text="hello"))
            assert has_come.wait(WITHIN)
        finally:
            guest.close()
    assert len(lengths) > 8
    assert not [length for length in lengths if length % STEP]
