"""One connection of a guest to a host: made, greeted, questions and answers one after another."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

import msgspec

from app import __version__
from app.lan.guest.received import line, parse_told
from app.lan.places import place_words
from engine.core.lan_protocol import (
    HOST_LIMIT,
    LAN_VERSION,
    PATH,
    GreetAnswer,
    GreetRequest,
    LanAnswer,
    LanRequest,
    format_lan_message,
)
from engine.core.protocol import ErrorAnswer, Refusal

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

PROGRAM: Final = f"kungfu2100 {__version__}"
PING: Final = 2.0  # seconds between two looks at whether the host is there
PING_LIMIT: Final = 5.0  # seconds without its answer after which it is lost, and one more for a goodbye
OPENING: Final = 5.0  # seconds for a connection to be made

GOODBYE_LENGTH: Final = 120  # letters of why a connection was ended
TOO_MUCH: Final = "the host sent more at once than any message has"
ADDRESS_LENGTH: Final = 80  # letters of an address in a sentence

# What may have changed when it is asked again; any other refusal of a return stays one.
FOR_NOW: Final = frozenset({"too-often", "full", "ended", "closing", "internal"})


class Refused(Exception):
    """There is no use in trying on, and why; `kind`, `field` and `wait` are those of the host's refusal."""

    def __init__(self, reason: str, kind: str = "", field: str = "", wait: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.kind = kind
        self.field = field
        self.wait = wait

    @classmethod
    def of(cls, refusal: Refusal) -> Refused:
        """Return what a host's refusal comes to where there is no use in trying on."""
        return cls(refusal.reason, refusal.kind, refusal.field, refusal.wait)


class Lost(Exception):
    """The host cannot be reached now, and why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Stranger(Lost):
    """Somebody else answers at the host's address."""


class Ended(Lost):
    """The host ended the connection: somebody else has come back to the seat."""


class Absent(Lost):
    """The host has gone on purpose ("closing"), or hosts other games than this one now ("no-table")."""

    def __init__(self, reason: str, kind: str) -> None:
        super().__init__(reason)
        self.kind = kind


class NoReturn(Lost):
    """The host does not know the token."""


class Talk:
    """Questions and answers one after another on one connection, as they are when a guest comes in."""

    def __init__(self, socket_: ClientConnection) -> None:
        self.socket = socket_
        self.id = 0

    async def ask(self, request: LanRequest, kind: type[Any]) -> Any:
        """Return the answer, of one kind; raises Refusal, Refused for anything else."""
        self.id += 1
        await self.send(format_lan_message(msgspec.structs.replace(request, id=self.id)))
        while True:
            answer = await self.receive()
            if isinstance(answer, ErrorAnswer):
                raise refusal_of(answer)
            if answer.id == self.id:
                if isinstance(answer, kind):
                    return answer
                raise Refused("the host sent what makes no sense: it answers another question")

    async def send(self, message: bytes) -> None:
        """Send a message."""
        await self.socket.send(message, text=True)

    async def receive(self) -> LanAnswer:
        """Return the next message; raises Refused for one that is none."""
        message = await self.socket.recv(decode=False)
        try:
            return parse_told(message)
        except Refusal as refusal:
            raise Refused(f"the host sent what makes no sense: {refusal.reason}") from refusal


async def greeted(talk: Talk, place: str) -> GreetAnswer:
    """Greet a host; raises Refused where it speaks another version."""
    try:
        greeting: GreetAnswer = await talk.ask(
            GreetRequest(version=LAN_VERSION, program=PROGRAM), GreetAnswer
        )
    except Refusal as refusal:
        if refusal.kind in FOR_NOW:
            raise Lost(refusal.reason) from refusal
        raise Refused.of(refusal) from refusal
    if greeting.version != LAN_VERSION:
        raise Refused(
            f"{place} and this program are of different versions: there {greeting.program} speaks "
            f"version {greeting.version}, here {PROGRAM} speaks version {LAN_VERSION}",
            "version",
        )
    return greeting


async def connected(
    address: str,
    port: int,
    stay: Callable[[ClientConnection, str], Awaitable[None]],
    limit: int | None = None,
) -> None:
    """Connect and stay; raises Lost where that is no longer possible, and whatever `stay` raises.

    No message of the host may have more than `limit` bytes; without one, what the largest message has.
    """
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed, WebSocketException

    from app.lan.certificate import fingerprint_of, guest_context

    place = place_words(address, port)
    is_open = False

    class ConnectHere(connect):
        """Leads where it was told to, and nowhere else."""

        def process_redirect(self, exc: Exception) -> Exception | str:
            return exc

    try:
        async with ConnectHere(
            f"wss://kungfu2100{PATH}",
            host=address,
            port=port,
            happy_eyeballs_delay=0.25,
            ssl=guest_context(),
            proxy=None,
            compression=None,
            max_size=HOST_LIMIT if limit is None else limit,
            open_timeout=OPENING,
            close_timeout=1.0,
            ping_interval=PING,
            ping_timeout=PING_LIMIT,
        ) as socket_:
            is_open = True
            secured = socket_.transport.get_extra_info("ssl_object")
            await stay(socket_, fingerprint_of(secured.getpeercert(binary_form=True)))
    except ConnectionClosed as closed:
        if closed.sent is not None and closed.sent.code == 1009 and closed.rcvd is None:
            raise Refused(TOO_MUCH) from closed
        raise Lost(_closed_words(closed, place)) from closed
    except TimeoutError as error:
        raise Lost(f"{place} does not answer") from error
    except (WebSocketException, ssl.SSLError) as error:
        raise Lost(f"what answers at {place} is no host of this game") from error
    except OSError as error:
        raise Lost("the connection is lost" if is_open else _network_words(error, address, place)) from error
    except ValueError as error:
        if is_open:
            raise
        raise Lost(_network_words(error, address, place)) from error


def _closed_words(closed: Any, place: str) -> str:
    said = closed.rcvd.reason if closed.rcvd is not None else ""
    if said:
        return f"{place} has ended the connection: {line(said, GOODBYE_LENGTH)}"
    if closed.rcvd is None and closed.sent is not None and "keepalive" in closed.sent.reason:
        return f"{place} does not answer any more"
    return f"the connection to {place} is lost"


def _network_words(error: Exception, address: str, place: str) -> str:
    if isinstance(error, socket.gaierror | ValueError):
        return f"there is no machine called {line(address, ADDRESS_LENGTH)}"
    if isinstance(error, ConnectionRefusedError):
        return f"nobody hosts a game at {place}"
    if isinstance(error, OSError) and error.strerror:
        return f"{place} cannot be reached: {error.strerror}"
    return f"{place} cannot be reached"


def refusal_of(answer: ErrorAnswer) -> Refusal:
    """Return the refusal that a host's error tells of."""
    problems = answer.problems if isinstance(answer.problems, tuple) else ()
    field = answer.field if isinstance(answer.field, str) else ""
    wait = answer.wait if isinstance(answer.wait, int) else 0
    return Refusal(answer.kind, answer.reason, answer.rule, problems, field=field, wait=wait)
