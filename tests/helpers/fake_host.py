"""A host that says what a test tells it to say, over real TLS and a real WebSocket on loopback."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Final, Self

import msgspec
from websockets.asyncio.server import ServerConnection, serve

from app.lan.certificate import Identity, host_context
from app.lan.codes import HostSide
from engine.core.lan_protocol import (
    LAN_VERSION,
    GreetAnswer,
    GreetRequest,
    JoinAnswer,
    JoinRequest,
    LanRequest,
    ProveRequest,
    ReturnRequest,
    TableCard,
    WelcomeAnswer,
    parse_lan_request,
)
from engine.core.protocol import Answer, format_message

LOOPBACK: Final = "127.0.0.1"
COMMITMENT: Final = "c" * 64
SECRET: Final = "2QXMKP"
CODE: Final = f"AB{SECRET}"
NAME = "Fake"


class Wire:
    """One guest at a fake host; `heard` is all he has sent."""

    def __init__(self, connection: ServerConnection, identity: Identity, heard: list[LanRequest]) -> None:
        self.connection = connection
        self.heard = heard
        self._fingerprint = identity.fingerprint

    async def hear(self) -> Any:
        """Return the guest's next request."""
        request = parse_lan_request(await self.connection.recv(decode=False))
        self.heard.append(request)
        return request

    async def tell(self, answer: Answer | bytes, to: LanRequest | None = None) -> None:
        """Say something, by itself or as the answer to a request."""
        if isinstance(answer, Answer):
            answer = format_message(msgspec.structs.replace(answer, id=to.id) if to is not None else answer)
        await self.connection.send(answer, text=True)

    async def greet(self, version: int = LAN_VERSION, tables: tuple[TableCard, ...] = ()) -> None:
        """Answer the greeting."""
        request = await self.hear()
        assert isinstance(request, GreetRequest)
        await self.tell(GreetAnswer(version=version, program="fake 1", host=NAME, tables=tables), request)

    async def agree(self, secret: str = SECRET) -> tuple[ProveRequest, HostSide]:
        """Agree on a key with the guest, and return how he proves that he has the code."""
        request = await self.hear()
        assert isinstance(request, JoinRequest)
        side = HostSide(secret, self._fingerprint)
        await self.tell(JoinAnswer(pake=side.reply(request.pake), commitment=COMMITMENT), request)
        proof = await self.hear()
        assert isinstance(proof, ProveRequest)
        return proof, side

    async def join(self) -> None:
        """Give the guest a seat, all in order, or let him return to it."""
        await self.greet()
        if self.heard and any(isinstance(one, ProveRequest) for one in self.heard):
            request = await self.hear()
            assert isinstance(request, ReturnRequest)
            await self.tell(welcome(), request)
            return
        await self.prove()

    async def prove(self) -> None:
        """Agree with the guest, each having the code, and welcome him."""
        request, side = await self.agree()
        assert side.accepts(request.proof, COMMITMENT)
        await self.tell(welcome(side.proof()), request)

    async def stay(self) -> None:
        """Hear the guest out until he is gone, and answer nothing."""
        while True:
            await self.hear()


def welcome(proof: str = "") -> WelcomeAnswer:
    """Return a welcome to one who looks on."""
    return WelcomeAnswer(
        proof=proof, side="", name="Ann", commitment=COMMITMENT, is_host=False, scenario=msgspec.Raw(b"{}")
    )


Script = Callable[[Wire], Awaitable[None]]


class FakeHost:
    """Lets each guest in turn have the next of its scripts, all others the last, and then hangs up."""

    def __init__(self, identity: Identity, *scripts: Script, port: int = 0) -> None:
        self.identity = identity
        self.heard: list[LanRequest] = []
        self.visits = 0
        self.port = port
        self._scripts = scripts
        self._loop: asyncio.AbstractEventLoop
        self._is_closing: asyncio.Event
        self._is_ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._is_ready.wait(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._is_closing.set)
        self._thread.join(10)

    async def _serve(self) -> None:
        self._loop, self._is_closing = asyncio.get_running_loop(), asyncio.Event()
        context = host_context(self.identity)
        async with serve(
            self._meet, LOOPBACK, self.port, ssl=context, compression=None, close_timeout=0.2
        ) as server:
            self.port = next(iter(server.sockets)).getsockname()[1]
            self._is_ready.set()
            await self._is_closing.wait()

    async def _meet(self, connection: ServerConnection) -> None:
        script = self._scripts[min(self.visits, len(self._scripts) - 1)]
        self.visits += 1
        await script(Wire(connection, self.identity, self.heard))
