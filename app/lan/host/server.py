"""Carries messages between the tables of a host and their guests, and stands against hostile ones.

A connection is TLS, then a WebSocket, then the messages of `lan_protocol`. Each has a reader, which answers
one request after the other, and a writer, which asks the table what is new for its guest whenever it is
woken. So whoever reads slowly is told less often and nothing piles up for him, whoever sends fast is read
slowly, and whoever does neither for too long is cut off. A fault of the program at one table is written
down and ends no other's game.

All tables of a server are touched in its loop's thread only; `HostThread.call` leads there.
"""

from __future__ import annotations

import asyncio
import logging
import math
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import msgspec
from msgspec import UNSET, UnsetType

from app import __version__
from app.lan import limits
from app.lan.certificate import Identity, host_context
from app.lan.codes import HostSide
from app.lan.host.door import Caller, Door, Listener
from app.lan.host.keeper import Keeper
from app.lan.host.table import Guest, Table
from app.lan.limits import Allowance, Lockout
from engine.core.decision import IllegalChoice
from engine.core.files import BadFile
from engine.core.lan_protocol import (
    GUEST_LIMIT,
    HOST_LIMIT,
    LAN_ERRORS,
    LAN_VERSION,
    PATH,
    ChatRequest,
    GreetAnswer,
    GreetRequest,
    JoinAnswer,
    JoinRequest,
    LanRequest,
    OfferRequest,
    ProveRequest,
    ReturnRequest,
    WelcomeAnswer,
    format_lan_message,
    parse_lan_request,
)
from engine.core.protocol import (
    Answer,
    Id,
    QuitAnswer,
    QuitRequest,
    Refusal,
    SeatRequest,
    parse_id,
)

if TYPE_CHECKING:
    from ssl import SSLContext

    from websockets.asyncio.server import Server as WebSocketServer
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

PROGRAM: Final = f"kungfu2100 {__version__}"
PING_SECONDS: Final = 2.0
# With a ping's 2 and a goodbye's 1, a lost peer is noticed within 8: on a busy machine within 10.
PONG_SECONDS: Final = 5.0
WRITE_LIMIT: Final = 64 * 1024  # bytes that wait for one guest before nothing more is made for him
QUEUE: Final = 8  # requests of one guest that wait to be read
SLOWEST: Final = 64 * 1024  # bytes a second that a guest must read, beyond the time any message has
SAVE_AGAIN_SECONDS: Final = 5.0
DELAY_STEP: Final = 10  # milliseconds by which a line must have changed to be told of
DONE, GOING_AWAY = 1000, 1001  # why a WebSocket was closed
END_SECONDS: Final = 3.0  # for all connections to close
START_SECONDS: Final = 10.0  # for a host's thread to listen; it takes a tenth of one
STOP_SECONDS: Final = 15.0  # for it to end, of which guests who do not answer may take five
FAULT_SECONDS: Final = 5.0  # between two tries of a table that had a fault

log = logging.getLogger(__name__)
_silent = logging.getLogger(f"{__name__}.websockets")  # what strangers do wrong is no news
_silent.addHandler(logging.NullHandler())
_silent.propagate = False
_silent.setLevel(logging.CRITICAL)


def _is_news(record: logging.LogRecord) -> bool:
    """Whether asyncio tells more than that a peer had gone when something was written to him."""
    return record.getMessage() not in ("SSL connection is closed", "socket.send() raised exception.")


logging.getLogger("asyncio").addFilter(_is_news)

T = TypeVar("T")


class Happening(NamedTuple):
    """What the host may want to hear of; `name` and `side` are of who did it, "" where nobody did."""

    what: Literal["joined", "returned", "lost", "left", "over"]
    table: Table
    name: str = ""
    side: str = ""


class _Greeting(msgspec.Struct):
    """As much of a greeting as every version has."""

    ask: Literal["greet"]
    version: int
    program: str = ""
    id: Id | UnsetType = UNSET


_FAULT: Final = Refusal("internal", "a fault of the program ended this connection").answer(0)
_greetings = msgspec.json.Decoder(_Greeting)


class _End(Exception):
    """The connection is to be closed; the answer, if there is one, is told before."""

    def __init__(self, answer: Answer | None = None) -> None:
        super().__init__()
        self.answer = answer


class _Peer:
    """One connection, and who is at its other end."""

    def __init__(self, connection: ServerConnection) -> None:
        self.connection = connection
        self.caller = Caller(*connection.remote_address[:2])
        self.address = limits.plain_address(self.caller.address)
        self.line = 0
        self.last_id = -1
        self.refused = 0
        self.join_until: float | None = None  # in the loop's time, once it has greeted
        self.attempt: tuple[Table, HostSide] | None = None
        self.seat: _Seat | None = None
        self.messages = Allowance(limits.STRANGER_MESSAGES, limits.STRANGER_BURST)
        self.faults = Allowance(limits.FAULTS, limits.FAULT_BURST)
        self.work = Allowance(limits.WORK, limits.WORK_BURST)
        self.news = asyncio.Event()
        self.sending = asyncio.Lock()

    def sit(self, seat: _Seat) -> None:
        """Note where the guest sits, who is believed more than a stranger."""
        self.seat = seat
        self.messages = Allowance(limits.MESSAGES, limits.MESSAGE_BURST)

    def take_id(self, id: Id | UnsetType) -> bool:  # noqa: A002 - the message's word
        """Return whether an id is larger than all before it, and note it then."""
        is_new = isinstance(id, int) and id > self.last_id
        if isinstance(id, int) and is_new:
            self.last_id = id
        return is_new

    def has_enough(self) -> bool:
        """Count a refused message, and return whether that is one too many."""
        self.refused += 1
        if self.seat is None:
            return self.refused >= limits.STRANGER_FAULTS
        return self.faults.take() > 0


class _Seat(NamedTuple):
    """A guest at a table, on the connection of one visit."""

    room: _Room
    guest: Guest
    visit: int
    token: str


class _Room:
    """A table with the connections of those who sit there."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.peers: dict[str, _Peer] = {}  # by token
        # Of the guest and not of a connection: who comes back has no more lines than who stays.
        self.chats: WeakKeyDictionary[Guest, Allowance] = WeakKeyDictionary()
        self.keeper = Keeper(table.note_trouble)
        self.changed = asyncio.Event()
        self.was_over = table.is_over
        self.task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Let the bots, the clocks and the writers look what is new."""
        self.changed.set()
        for peer in self.peers.values():
            peer.news.set()


class Server:
    """A host: its tables, and whoever is connected to them.

    It listens at the first of the ports that is free, any for 0. `tell` hears what happens, in the loop's
    thread.
    """

    def __init__(
        self,
        tables: Iterable[Table],
        identity: Identity,
        host_name: str,
        *,
        bind: str = "",
        port: int | Sequence[int] = 0,
        tell: Callable[[Happening], None] = lambda happening: None,
    ) -> None:
        self.host_name = host_name
        self.identity = identity
        self.tell = tell
        self._bind = bind
        self._ports = (port,) if isinstance(port, int) else tuple(port)
        self._rooms = {table.name: _Room(table) for table in tables}
        self._door = Door()
        self._lockout = Lockout()
        self._agreeing = asyncio.Lock()
        self._agreements = Allowance(limits.AGREEMENTS, limits.AGREEMENT_BURST)
        self._peers: set[_Peer] = set()
        self._ends: set[asyncio.Task[None]] = set()
        self._listener: Listener | None = None
        self._server: WebSocketServer | None = None
        self._care: asyncio.Task[None] | None = None
        self._is_ending = False

    @property
    def tables(self) -> tuple[Table, ...]:
        """Its tables."""
        return tuple(room.table for room in self._rooms.values())

    @property
    def port(self) -> int:
        """Where it listens; 0 before it does."""
        return self._listener.port if self._listener is not None else 0

    # Beginning and ending.

    async def start(self) -> int:
        """Listen, and return the port. Raises OSError where that cannot be done."""
        context = host_context(self.identity)
        self._listener = self._listen()
        try:
            self._server = await self._serve(self._listener, context)
        except BaseException:
            self._listener.close()
            raise
        for room in self._rooms.values():
            self._run(room)
        self._care = asyncio.create_task(self._take_care())
        return self.port

    async def _serve(self, listener: Listener, context: SSLContext) -> WebSocketServer:
        from websockets.asyncio.server import serve

        from app.lan.host.wire import Wire

        return await serve(
            self._meet,
            sock=listener,
            create_connection=Wire,
            ssl=context,
            ssl_handshake_timeout=limits.HANDSHAKE_SECONDS,
            ssl_shutdown_timeout=limits.CLOSE_SECONDS,
            origins=[None],  # a browser names one; no page of the network is to speak for its reader
            process_request=_check_path,
            server_header=None,
            compression=None,
            open_timeout=limits.HANDSHAKE_SECONDS,
            close_timeout=limits.CLOSE_SECONDS,
            ping_interval=PING_SECONDS,
            ping_timeout=PONG_SECONDS,
            # A message that is a little too long is answered, one far too long ends the connection.
            max_size=2 * GUEST_LIMIT,
            max_queue=QUEUE,
            write_limit=WRITE_LIMIT,
            logger=_silent,
        )

    def _listen(self) -> Listener:
        for port in self._ports[:-1]:
            with suppress(OSError):
                return Listener.at(self._bind, port, self._door)
        return Listener.at(self._bind, self._ports[-1], self._door)

    async def stop(self, reason: str = "the host is closing") -> None:
        """Tell everybody, save everything, and end all connections."""
        if self._server is None or self._is_ending:
            return
        self._is_ending = True
        for task in (self._care, *(room.task for room in self._rooms.values())):
            if task is not None:
                task.cancel()
        await asyncio.gather(*(self._let_go(room) for room in self._rooms.values()))
        goodbye = Refusal("closing", reason).answer(0)
        ends = [self._end(peer, goodbye) for peer in tuple(self._peers)]
        await asyncio.gather(*ends, return_exceptions=True)
        self._server.close()
        with suppress(TimeoutError):  # whatever still hangs ends with the loop
            async with asyncio.timeout(END_SECONDS):
                await self._server.wait_closed()

    def add(self, table: Table) -> None:
        """Take in another table; raises ValueError where one has its name."""
        if table.name in self._rooms:
            raise ValueError(f"there is a table {table.name} already")
        room = _Room(table)
        self._rooms[table.name] = room
        if self._server is not None:
            self._run(room)

    async def remove(self, name: str, reason: str = "the host has closed the table") -> None:
        """Close a table, whose guests are told; its files stay."""
        room = self._rooms.pop(name)
        if room.task is not None:
            room.task.cancel()
        await self._let_go(room)
        goodbye = Refusal("closing", reason).answer(0)
        ends = [self._end(peer, goodbye) for peer in tuple(room.peers.values())]
        await asyncio.gather(*ends, return_exceptions=True)

    # Tables going on.

    def _run(self, room: _Room) -> None:
        room.table.on_change = room.wake
        room.table.write_with(room.keeper.put)
        room.task = asyncio.create_task(self._play(room))

    async def _let_go(self, room: _Room) -> None:
        """Save a table, which writes its files itself again afterwards."""
        self._guarded(room, room.table.save)
        await room.keeper.settled()
        room.table.write_with(None)

    async def _play(self, room: _Room) -> None:
        """Let a table's bots and clocks go on, as long as it is there."""
        while True:
            room.changed.clear()
            due = self._guarded(room, room.table.tick, time.monotonic() + FAULT_SECONDS)
            # What the table changed itself has been seen.
            room.changed.clear()
            # A slow disk slows the bots of its table, so that they are not far ahead of what is kept.
            await room.keeper.settled()
            if room.table.is_over and not room.was_over:
                room.was_over = True
                self._guarded(room, lambda: self.tell(Happening("over", room.table)))
            wait = None if due is None else max(0.0, due - time.monotonic())
            if wait == 0.0:
                await asyncio.sleep(0)  # bots in a hurry still let others have a turn
                continue
            with suppress(TimeoutError):
                await asyncio.wait_for(room.changed.wait(), wait)

    async def _take_care(self) -> None:
        """See to what nobody asks for: slow lines are told of, and what could not be saved is saved."""
        saved = time.monotonic()
        while True:
            await asyncio.sleep(PING_SECONDS)
            for room in tuple(self._rooms.values()):
                self._guarded(room, lambda room=room: self._tell_delays(room))  # type: ignore[misc]
            if time.monotonic() - saved >= SAVE_AGAIN_SECONDS:
                saved = time.monotonic()
                for room in tuple(self._rooms.values()):
                    if room.table.notice:
                        self._guarded(room, room.table.save)

    def _tell_delays(self, room: _Room) -> None:
        for peer in room.peers.values():
            if peer.seat is None or not peer.connection.latency:
                continue
            delay, told = round(peer.connection.latency * 1000), peer.seat.guest.delay
            if told is None or abs(delay - told) >= max(DELAY_STEP, told // 4):
                room.table.set_delay(peer.seat.guest, delay)

    def _guarded(self, room: _Room, work: Callable[[], T], otherwise: Any = None) -> T | Any:
        """Do something with a table; a fault of the program is written down, and ends nothing else."""
        try:
            return work()
        except Exception:
            log.exception("a fault at table %s", room.table.name)
            return otherwise

    # One connection.

    async def _meet(self, connection: ServerConnection) -> None:
        """Serve a connection from its greeting to its end."""
        from websockets.exceptions import ConnectionClosed

        peer = _Peer(connection)
        self._peers.add(peer)
        writer: asyncio.Task[None] | None = None
        try:
            if self._is_ending:
                raise _End(Refusal("closing", "the host is closing").answer(0))
            try:
                async with asyncio.timeout(limits.GREET_SECONDS) as patience:
                    while True:
                        await self._take(peer, await connection.recv(decode=False))
                        if peer.seat is None:
                            if peer.join_until is not None:
                                patience.reschedule(peer.join_until)
                        elif writer is None:
                            patience.reschedule(None)
                            writer = asyncio.create_task(self._write(peer, peer.seat))
            except TimeoutError:
                reason = "no table was joined in time"
                raise _End(Refusal("ended", reason).answer(peer.line)) from None
        except _End as end:
            await self._end(peer, end.answer)
        except ConnectionClosed:
            pass
        except Exception:
            log.exception("a fault on a connection")
            await self._end(peer, _FAULT)
        finally:
            self._peers.discard(peer)
            if writer is not None:
                writer.cancel()
            self._leave(peer, "lost")

    async def _take(self, peer: _Peer, raw: bytes) -> None:
        """Answer one message."""
        wait = max(peer.messages.spend(), peer.work.spend(0.0))
        if wait:
            await asyncio.sleep(wait)
        began = time.perf_counter()
        peer.line += 1
        id: Id | UnsetType = UNSET  # noqa: A001 - the message's word
        try:
            try:
                request = parse_lan_request(raw)
            except Refusal:
                id = parse_id(raw) if len(raw) <= GUEST_LIMIT else UNSET  # noqa: A001
                peer.take_id(id)
                if peer.join_until is None:
                    _check_greeting(raw)
                raise
            id = request.id  # noqa: A001
            if not peer.take_id(id):
                raise Refusal("repeated", LAN_ERRORS["repeated"])
            answer = await self._answer(peer, request)
        except Refusal as refusal:
            answer = self._refused(peer, refusal, id)
        except BadFile as error:
            answer = self._refused(peer, Refusal("bad-file", error.problems[0], problems=error.problems), id)
        except IllegalChoice as refused:
            answer = self._refused(peer, Refusal.of(refused), id)
        except Exception as error:
            log.exception("a fault over a request")
            # Its words may hold what this guest must not know; its kind does not.
            reason = f"a fault of the program ({type(error).__name__})"
            answer = self._refused(peer, Refusal("internal", reason), id)
        peer.work.spend(time.perf_counter() - began)
        await self._send(peer, answer)
        if isinstance(answer, QuitAnswer):
            self._leave(peer, "left")
            raise _End

    def _refused(self, peer: _Peer, refusal: Refusal, id: Id | UnsetType) -> Answer:  # noqa: A002
        """Return a refusal; with one too many the connection ends."""
        answer = refusal.answer(peer.line, id)
        if refusal.kind in ("version", "full"):
            raise _End(answer)
        if peer.has_enough():
            if peer.seat is not None:
                answer = Refusal("too-often", "too many messages that had to be refused").answer(
                    peer.line, id
                )
            raise _End(answer)
        return answer

    async def _answer(self, peer: _Peer, request: LanRequest) -> Answer:
        if isinstance(request, QuitRequest):
            return QuitAnswer(id=request.id)
        if peer.seat is not None:
            return self._at_table(peer, peer.seat, request)
        if isinstance(request, GreetRequest):
            return self._greet(peer, request)
        if peer.join_until is None:
            raise Refusal("version", f"the first message is a greeting in version {LAN_VERSION}")
        if isinstance(request, JoinRequest):
            return await self._join(peer, request)
        if isinstance(request, ProveRequest):
            return self._prove(peer, request)
        if isinstance(request, ReturnRequest):
            return self._return(peer, request)
        raise Refusal("no-table", "no table has been joined on this connection")

    def _at_table(self, peer: _Peer, seat: _Seat, request: LanRequest) -> Answer:
        if isinstance(request, GreetRequest | JoinRequest | ProveRequest | ReturnRequest):
            raise Refusal("bad-value", "this connection has its table already")
        if isinstance(request, ChatRequest | OfferRequest | SeatRequest):
            chats = seat.room.chats.setdefault(seat.guest, Allowance(limits.CHATS, limits.CHAT_BURST))
            wait = chats.take()
            if wait:
                raise Refusal("too-often", f"one line after the other: wait {_seconds(wait)}", wait=wait)
        return seat.room.table.answer(seat.guest, request)

    # Coming in.

    def _greet(self, peer: _Peer, request: GreetRequest) -> Answer:
        _check_versions(request.version, request.program)
        if self._door.is_full:
            raise Refusal("full", LAN_ERRORS["full"])
        peer.join_until = asyncio.get_running_loop().time() + limits.JOIN_SECONDS
        cards = [self._guarded(room, room.table.card_for_strangers) for room in self._rooms.values()]
        return GreetAnswer(
            id=request.id,
            version=LAN_VERSION,
            program=PROGRAM,
            host=self.host_name,
            tables=tuple(card for card in cards if card is not None),
        )

    async def _join(self, peer: _Peer, request: JoinRequest) -> Answer:
        peer.attempt = None
        room = self._room(request.table)
        wait = self._lockout.wait(peer.address, request.table)
        if wait:
            raise Refusal(
                "too-often", f"too many wrong codes: wait {_seconds(wait)}, then try again", wait=wait
            )
        wait = self._agreements.take()
        if wait:
            raise Refusal("too-often", f"too many are joining just now: wait {_seconds(wait)}", wait=wait)
        # It counts as wrong until the proof comes, for else many could be tried at once. So does what is no
        # attempt at all: it takes the host's time, of which all who join have only so much together.
        self._lockout.failed(peer.address, request.table)
        side = HostSide(room.table.secret, self.identity.fingerprint)
        try:
            # Ten milliseconds each: when a club room joins at once, those who play have their turns between.
            # A thread would not do, since it takes the interpreter from the loop at every message.
            async with self._agreeing:
                await asyncio.sleep(0)
                reply = side.reply(request.pake)
        except ValueError as error:
            raise Refusal.at("pake", str(error)) from error
        peer.attempt = (room.table, side)
        return JoinAnswer(id=request.id, pake=reply, commitment=room.table.commitment)

    def _prove(self, peer: _Peer, request: ProveRequest) -> Answer:
        if peer.attempt is None:
            raise Refusal("no-table", "a proof comes after a table was asked for, and once")
        (table, side), peer.attempt = peer.attempt, None
        room = self._room(table.name)
        if not side.accepts(request.proof, table.commitment):
            raise Refusal("wrong-code", LAN_ERRORS["wrong-code"])
        self._lockout.succeeded(peer.address, table.name)
        self._take_over(room, request.token)
        known = tuple(table.guests)
        guest = table.sit(request.name, request.seat, request.seals, request.token)
        self._seat(peer, room, guest, request.token, "returned" if guest in known else "joined")
        return msgspec.structs.replace(table.welcome(guest, side.proof()), id=request.id)

    def _return(self, peer: _Peer, request: ReturnRequest) -> Answer:
        room = self._room(request.table)
        self._take_over(room, request.token)
        guest = room.table.return_(request.token, is_new=request.is_new)
        self._seat(peer, room, guest, request.token, "returned")
        return msgspec.structs.replace(room.table.welcome(guest, ""), id=request.id)

    def _room(self, name: str) -> _Room:
        room = self._rooms.get(name)
        if room is None:
            raise Refusal("no-table", f"no game here has a code that begins with {name}")
        return room

    def _take_over(self, room: _Room, token: str) -> None:
        """End the older connection of a seat."""
        old = room.peers.pop(token, None)
        if old is not None:
            old.seat = None  # so that its end is not taken for the guest's
            reason = "your seat is open in another window of this program now"
            end = asyncio.create_task(self._end(old, Refusal("ended", reason).answer(old.line)))
            self._ends.add(end)
            end.add_done_callback(self._ends.discard)

    def _seat(
        self, peer: _Peer, room: _Room, guest: Guest, token: str, what: Literal["joined", "returned"]
    ) -> None:
        peer.sit(_Seat(room, guest, guest.visit, token))
        room.peers[token] = peer
        self._door.join(peer.caller)
        peer.news.set()
        self.tell(Happening(what, room.table, guest.name, guest.side))

    def _leave(self, peer: _Peer, what: Literal["lost", "left"]) -> None:
        """Note that a connection has ended."""
        seat, peer.seat = peer.seat, None
        if seat is None:
            return
        if seat.room.peers.get(seat.token) is peer:
            del seat.room.peers[seat.token]
        self._guarded(
            seat.room, lambda: seat.room.table.leave(seat.guest, seat.visit, for_good=what == "left")
        )
        if not self._is_ending:
            self.tell(Happening(what, seat.room.table, seat.guest.name, seat.guest.side))

    # Telling.

    async def _write(self, peer: _Peer, seat: _Seat) -> None:
        """Tell a guest what is new, whenever there is something."""
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                await peer.news.wait()
                peer.news.clear()
                await self._send(peer)
        except ConnectionClosed:
            pass
        except Exception:
            log.exception("a fault in telling a guest at table %s", seat.room.table.name)
            await self._end(peer, _FAULT)

    async def _send(self, peer: _Peer, answer: Answer | None = None) -> None:
        """Send what is new to a guest, then the answer: it is never ahead of what it is about."""
        async with peer.sending:
            if peer.seat is not None:
                # Nobody knows more than a host that is killed now knows when it is started again.
                await peer.seat.room.keeper.settled()
            if isinstance(answer, WelcomeAnswer):
                await self._deliver(peer, answer)
                answer = None
            if peer.seat is not None:
                for news in peer.seat.room.table.pushes(peer.seat.guest):
                    await self._deliver(peer, news)
            if answer is not None:
                await self._deliver(peer, answer)

    async def _deliver(self, peer: _Peer, answer: Answer) -> None:
        began = time.perf_counter()
        raw = format_lan_message(answer)
        if answer.id is not UNSET:
            peer.work.spend(time.perf_counter() - began)
        if len(raw) > HOST_LIMIT:
            raise ValueError(f"a message of {len(raw)} bytes, which no guest takes")
        try:
            async with asyncio.timeout(limits.SEND_SECONDS + len(raw) / SLOWEST):
                await peer.connection.send(raw, text=True)
                # Only now the loop can tell of a line that broke: else all the rest is written to it in vain.
                await asyncio.sleep(0)
        except TimeoutError:
            peer.connection.transport.abort()

    async def _end(self, peer: _Peer, answer: Answer | None) -> None:
        """Close a connection, saying why."""
        with suppress(Exception):
            async with asyncio.timeout(limits.CLOSE_SECONDS):
                if answer is not None:
                    await peer.connection.send(format_lan_message(answer), text=True)
                await peer.connection.close(GOING_AWAY if answer is not None else DONE)
        peer.connection.transport.abort()


def _check_path(connection: ServerConnection, request: Request) -> Response | None:
    """Refuse what is asked of another service than this."""
    return (
        None
        if request.path == PATH
        else connection.respond(HTTPStatus.NOT_FOUND, "There is no such thing here.\n")
    )


def _check_greeting(raw: bytes) -> None:
    """Refuse a greeting in another version, however it may look otherwise."""
    try:
        greeting = _greetings.decode(raw)
    except (ValueError, RecursionError):
        return
    _check_versions(greeting.version, greeting.program)


def _check_versions(version: int, program: str) -> None:
    if version != LAN_VERSION:
        name = program[:40] if program.isprintable() else "a program without a name"
        raise Refusal(
            "version",
            f"{name} speaks version {version} of the messages, but this host, {PROGRAM}, "
            f"version {LAN_VERSION}: both need the same version of the program",
        )


def _seconds(wait: float) -> str:
    whole = math.ceil(wait)
    return (
        "a second" if whole <= 1 else f"{whole} seconds" if whole < 120 else f"{math.ceil(wait / 60)} minutes"
    )


class HostThread:
    """A server in a thread of its own, for a program that has something else to do."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end: asyncio.Event | None = None
        self._thread: threading.Thread | None = None

    @property
    def is_running(self) -> bool:
        """Whether the server can be reached."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> int:
        """Begin, and return the port. Raises OSError where the server cannot listen, or not in time."""
        begun: Future[int] = Future()
        thread = threading.Thread(target=self._run, args=(begun,), name="host", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:
            raise OSError(f"this machine has no room for another thread: {error}") from error
        self._thread = thread
        try:
            return begun.result(START_SECONDS)
        except TimeoutError:
            if begun.cancel():
                raise OSError(f"the host has not begun for {START_SECONDS:g} seconds") from None
            return begun.result()

    def _run(self, begun: Future[int]) -> None:
        try:
            with new_runner() as runner:
                runner.run(self._serve(begun))
        except BaseException as error:
            if begun.done() or not begun.set_running_or_notify_cancel():
                raise
            begun.set_exception(error)  # whoever waits for the start is told

    async def _serve(self, begun: Future[int]) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        port = await self.server.start()
        try:
            if begun.set_running_or_notify_cancel():
                begun.set_result(port)
                await self._end.wait()
        finally:
            await self.server.stop()

    def call(self, work: Callable[[], T]) -> T:
        """Do something with the server or its tables where they live, and return what it returns.

        Raises RuntimeError when the host has ended.
        """
        if threading.current_thread() is self._thread:
            return work()

        async def do() -> T:
            return work()

        return self.run(do)

    def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Do something there that takes its time, such as `server.remove`; not from the host's own thread.

        Raises RuntimeError when the host has ended.
        """
        if self._loop is None or not self.is_running:
            raise RuntimeError("the host has ended")
        return asyncio.run_coroutine_threadsafe(work(), self._loop).result()

    def stop(self, within: float = STOP_SECONDS) -> bool:
        """Tell everybody, save everything, and wait until all has ended.

        Return whether it has within so many seconds.
        """
        if self._thread is None:
            return True
        if self._loop is not None and self._end is not None and self._thread.is_alive():
            with suppress(RuntimeError):  # it has ended this very moment
                self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(within)
        return not self._thread.is_alive()


def new_runner() -> asyncio.Runner:
    """Return what runs a server: a loop that accepts connections by itself, on every system."""
    return asyncio.Runner(loop_factory=asyncio.SelectorEventLoop)
