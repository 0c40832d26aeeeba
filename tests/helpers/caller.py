"""A guest made of nothing but messages, for tests that must see each of them, or send wrong ones."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from app.lan.certificate import fingerprint_of
from app.lan.codes import GuestSide
from app.lan.host.server import HostThread, Server
from engine.core.lan_protocol import (
    LAN_VERSION,
    GreetRequest,
    JoinAnswer,
    JoinRequest,
    LanAnswer,
    OpenRequest,
    ProveRequest,
    ReturnRequest,
    SealsAnswer,
    UpdateAnswer,
    WelcomeAnswer,
    parse_lan_answer,
)
from engine.core.protocol import ErrorAnswer, Request, format_message
from engine.core.shares import make_share
from tests.helpers.lan import seals_of
from tests.helpers.tls import guarded_context

WITHIN = 10.0  # seconds for any answer; a busy machine may need some of them


class Caller:
    """A connection to a host; `pushed` is what the host told by itself, in its order.

    Its share of the dice is opened when the seals are read.
    """

    def __init__(self, port: int, address: str = "127.0.0.1", path: str = "/", **options: Any) -> None:
        self.wire: ClientConnection = connect(
            f"wss://{address}:{port}{path}",
            ssl=guarded_context(),
            proxy=None,
            compression=None,
            ping_interval=None,
            max_size=None,
            max_queue=None,
            close_timeout=1.0,
            **options,
        ).__enter__()
        tls: Any = self.wire.socket
        self.fingerprint = fingerprint_of(tls.getpeercert(True))
        self._is_deaf = False
        self.pushed: list[LanAnswer] = []
        self.id = 0
        self.token = ""
        self.side = ""
        self.share = make_share()
        self._opening: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *what: object) -> None:
        self.close()

    def close(self) -> None:
        """Say goodbye."""
        if self._is_deaf:
            self._is_deaf = False
            self.wire.recv_flow_control.release()
        self.wire.close()

    def cut(self) -> None:
        """End the connection without a word, as a killed program does."""
        with suppress(OSError):
            self.wire.socket.shutdown(socket.SHUT_RDWR)
        self.close()

    def deafen(self) -> None:
        """Read nothing more, not even pings, until the end."""
        self._is_deaf = self.wire.recv_flow_control.acquire()

    def send(self, message: bytes | Request) -> None:
        """Send a message as it is."""
        self.wire.send(message if isinstance(message, bytes) else format_message(message), text=True)

    def next(self) -> LanAnswer:
        """Return the next message of the host, but for the answer to an opened share."""
        while True:
            told = parse_lan_answer(self.wire.recv(WITHIN, decode=False))
            if isinstance(told, SealsAnswer) and self.side:
                self.id += 1
                self._opening = self.id
                with suppress(ConnectionClosed):  # what came before the end can still be read
                    self.send(OpenRequest(id=self.id, share=self.share))
            if self._opening is None or told.id != self._opening:
                return told

    def answer(self, id: int | None = None) -> LanAnswer:  # noqa: A002 - the message's word
        """Return the answer to the request of that id, else the last; what came before it is in `pushed`."""
        wanted = self.id if id is None else id
        while True:
            told = self.next()
            if told.id == wanted:
                return told
            self.pushed.append(told)

    def wait_end(self) -> Any:
        """Read until the host ends the connection; return the last message read, None if none came."""
        told = None
        with suppress(ConnectionClosed):
            while True:
                told = self.next()
                self.pushed.append(told)
        return told

    def until(self, kind: type[LanAnswer]) -> Any:
        """Return the next message of a kind that the host tells by itself; the others are in `pushed`."""
        while True:
            told = self.next()
            self.pushed.append(told)
            if isinstance(told, kind):
                return told

    def ask(self, request: Request) -> Any:
        """Return the answer to a request, an error too."""
        self.id += 1
        self.send(msgspec.structs.replace(request, id=self.id))
        return self.answer()

    def greet(self) -> Any:
        """Say which version is spoken."""
        return self.ask(GreetRequest(version=LAN_VERSION, program="test"))

    def join(self, code: str, name: str, seat: str = "any", token: str = "") -> Any:
        """Greet, and take a seat with a code as "ABXXXXXX"; return the welcome, or the error."""
        greeting = self.greet()
        if isinstance(greeting, ErrorAnswer):
            return greeting
        return self.join_greeted(code, name, seat, token)

    def join_greeted(self, code: str, name: str, seat: str = "any", token: str = "") -> Any:
        """Take a seat; return the welcome, or the error."""
        table, secret = code[:2], code[2:]
        guest = GuestSide(secret, self.fingerprint)
        joined = self.ask(JoinRequest(table=table, pake=guest.message))
        if not isinstance(joined, JoinAnswer):
            return joined
        proof = guest.prove(joined.pake, joined.commitment)
        token = token or make_share()
        welcome = self.ask(
            ProveRequest(proof=proof, name=name, seat=seat, seals=seals_of(self.share), token=token)
        )
        if isinstance(welcome, WelcomeAnswer):
            assert guest.accepts(welcome.proof)
            self.token, self.side = token, welcome.side
        return welcome

    def come_back(self, table: str, token: str, share: str = "") -> Any:
        """Greet, and return to a seat with the share sealed there; return the welcome, or the error."""
        self.share = share or self.share
        self.greet()
        welcome = self.ask(ReturnRequest(table=table, token=token))
        if isinstance(welcome, WelcomeAnswer):
            self.token, self.side = token, welcome.side
        return welcome


def begin(*players: Caller) -> None:
    """Let all players of a table open their shares, and read on until the game has begun."""
    for player in players:
        player.until(SealsAnswer)
    for player in players:
        player.until(UpdateAnswer)


@contextmanager
def hosted(server: Server) -> Iterator[HostThread]:
    """Let a server run in a thread of its own."""
    thread = HostThread(server)
    thread.start()
    try:
        yield thread
    finally:
        thread.stop()
