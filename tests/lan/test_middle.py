"""Somebody between a guest and his host, who passes on every message through TLS of his own."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import pytest

from app.lan.certificate import guest_context, host_context, load_identity
from app.lan.guest.link import Invitation, Link, LinkState
from app.lan.guest.tickets import load_all
from app.lan.host.server import Server
from app.lan.host.table import Table
from engine.core.lan_protocol import LanAnswer, WelcomeAnswer
from tests.helpers.caller import hosted
from tests.helpers.lan import SECRET, new_table


class Middle:
    """Shows a certificate of its own, and pipes what it reads to the host and back."""

    def __init__(self, folder: Path, host_port: int) -> None:
        self._identity = load_identity(folder)
        self._host_port = host_port
        self._from_guest, self._from_host = bytearray(), bytearray()
        self.port = 0

    @property
    def read(self) -> bytes:
        """All that both sides said, in the clear."""
        return _unmasked(bytes(self._from_guest)) + bytes(self._from_host)

    async def serve(self, ready: threading.Event, end: asyncio.Event) -> None:
        """Listen until the end."""
        server = await asyncio.start_server(self._pass, "127.0.0.1", 0, ssl=host_context(self._identity))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        async with server:
            await end.wait()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward, to_host = await asyncio.open_connection("127.0.0.1", self._host_port, ssl=guest_context())
        await asyncio.gather(
            self._pipe(reader, to_host, self._from_guest), self._pipe(onward, writer, self._from_host)
        )

    async def _pipe(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, heard: bytearray) -> None:
        with suppress(OSError):
            while piece := await source.read(65536):
                heard += piece
                sink.write(piece)
                await sink.drain()
        sink.close()


def _unmasked(said: bytes) -> bytes:
    """Return what a guest said, whose frames are each masked with four bytes of their own (RFC 6455, 5.3)."""
    head, _, rest = said.partition(b"\r\n\r\n")
    clear = head
    while len(rest) > 1:
        length, at = rest[1] & 0x7F, 2
        if length >= 126:
            at = 4 if length == 126 else 10
            length = int.from_bytes(rest[2:at], "big")
        mask, data = rest[at : at + 4], rest[at + 4 : at + 4 + length]
        clear += bytes(byte ^ mask[number % 4] for number, byte in enumerate(data))
        rest = rest[at + 4 + length :]
    return clear


@contextmanager
def in_the_middle(folder: Path, host_port: int) -> Iterator[Middle]:
    """Let somebody stand before a host."""
    middle = Middle(folder, host_port)
    ready, loops = threading.Event(), []
    end = asyncio.Event()

    async def run() -> None:
        loops.append(asyncio.get_running_loop())
        await middle.serve(ready, end)

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    assert ready.wait(10.0)
    try:
        yield middle
    finally:
        loops[0].call_soon_threadsafe(end.set)
        thread.join(10.0)


class Guest:
    """A real link, and what came of it."""

    def __init__(self, port: int, folder: Path) -> None:
        self.told: list[LanAnswer] = []
        self.states: list[LinkState] = []
        way = Invitation("127.0.0.1", port, f"AB-{SECRET}", "Ann")
        self.link = Link(way, self.told.append, self.states.append, folder=folder, look=None)

    def wait_for(self, *kinds: str) -> LinkState:
        """Return the state of one of these kinds once it is there."""
        patience = time.monotonic() + 10.0
        while self.link.state.kind not in kinds and time.monotonic() < patience:
            time.sleep(0.01)
        assert self.link.state.kind in kinds
        return self.link.state


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table that waits for two."""
    return new_table(tmp_path / "table", time=time.monotonic)  # type: ignore[arg-type]


def test_a_relay_comes_in_neither_at_the_host_nor_at_the_guest(tmp_path: Path, table: Table) -> None:
    """With the right code on both sides the guest gives up, nobody sits down, and no way back is kept."""
    server = Server([table], load_identity(tmp_path / "host"), "Host", bind="127.0.0.1")
    with hosted(server) as host, in_the_middle(tmp_path / "middle", server.port) as middle:
        guest = Guest(middle.port, tmp_path / "tickets")
        try:
            state = guest.wait_for("refused", "connected")
        finally:
            guest.link.close()
        assert state.kind == "refused"
        assert "code" in state.reason
        assert not any(isinstance(one, WelcomeAnswer) for one in guest.told)
        assert host.call(lambda: table.guests) == []
        assert load_all(tmp_path / "tickets") == []
        # It did read all that was said.
        assert b'"ask":"prove"' in middle.read
        assert b'"tell":"join"' in middle.read
        assert SECRET.encode() not in middle.read


def test_the_way_back_is_shown_to_nobody_else(tmp_path: Path, table: Table) -> None:
    """Who takes the host's address later is not even greeted by a guest who has a seat: his token is safe."""
    server = Server([table], load_identity(tmp_path / "host"), "Host", bind="127.0.0.1")
    with hosted(server), in_the_middle(tmp_path / "middle", server.port) as middle:
        guest = Guest(server.port, tmp_path / "tickets")
        guest.wait_for("connected")
        guest.link.close()
        (ticket,) = load_all(tmp_path / "tickets")
        elsewhere = msgspec.structs.replace(ticket, port=middle.port)
        states: list[LinkState] = []
        link = Link(elsewhere, lambda answer: None, states.append, folder=tmp_path / "tickets", look=None)
        patience = time.monotonic() + 10.0
        while link.state.kind == "connecting" and time.monotonic() < patience:
            time.sleep(0.01)
        link.close()
        assert any("another host" in state.reason for state in states)
        assert ticket.token.encode() not in middle.read
        assert b"greet" not in middle.read
