"""One guest's connection to a host: made, kept, made again, and never to anybody else.

A `Link` lives in a thread of its own, in which an event loop does all that concerns the network: OpenSSL
forbids that one thread reads from a connection while another writes to it, as a client without a loop does.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol

import msgspec
from msgspec import UNSET

from app.lan.guest.calling import (
    FOR_NOW,
    Absent,
    Ended,
    Lost,
    NoReturn,
    Refused,
    Stranger,
    Talk,
    connected,
    greeted,
    refusal_of,
)
from app.lan.guest.received import GREETING_LIMIT
from app.lan.guest.tickets import Ticket, new_id, tickets_folder
from app.lan.limits import Allowance
from app.lan.places import place_words
from engine.core.lan_protocol import (
    ANY,
    WATCH,
    ChattedAnswer,
    GreetAnswer,
    JoinAnswer,
    JoinRequest,
    LanAnswer,
    OpenRequest,
    ProveRequest,
    ReturnRequest,
    SealsAnswer,
    TableAnswer,
    UpdateAnswer,
    WelcomeAnswer,
    format_lan_message,
)
from engine.core.protocol import ErrorAnswer, QuitAnswer, QuitRequest, Refusal, Request
from engine.core.shares import HOST, make_share, seal_of
from engine.raid.figures import SIDES

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

    from app.lan.network.discovery import Found

COMING_IN: Final = 15.0  # seconds from the connection to the seat
FIRST_WAIT, LAST_WAIT = 0.2, 5.0  # seconds between two attempts; it doubles
LOOK_AROUND: Final = 1.0  # seconds after the loss when the host is looked for at other addresses too
TRIES: Final = 3  # of an invitation that nobody answers
REFUSALS: Final = 6  # in a row, after which there is no way back
JOINS: Final = 3  # of which a host has had the proof, and given no seat
RESEALED: Final = "resealed"  # refused here: what the host tells of the dice is not what it told before
MESSAGES, MESSAGE_BURST = 400.0, 2000  # a second, of a host; bots in a hurry make some hundred choices
GOODBYE: Final = 0.5  # seconds for a host to hear that somebody leaves for good

TOLD: Final = (TableAnswer, SealsAnswer, UpdateAnswer, ChattedAnswer)  # what a host sends by itself

NO_SEAT: Final = "no-seat"  # the kind of refusal where the host knows of no seat that the ticket leads to

Kind = Literal["connecting", "connected", "lost", "refused", "closed"]


class Invitation(NamedTuple):
    """What a guest types or picks to join a table: where, the join code, his name, the seat he wants.

    The `token` is that of his seat where his own program is the host, which knows him by it, else "".
    """

    address: str
    port: int
    code: str
    name: str
    seat: str = ANY
    token: str = ""


class LinkState(NamedTuple):
    """How a connection stands, why, and since when (seconds of `time.monotonic`).

    "lost" tries on by itself, "refused" and "closed" do not. `refusal` is the kind of the host's refusal,
    NO_SEAT, or "" where there was none, `field` what of the request was at fault, `wait` the seconds after
    which the same may be asked again. A line that is lost has "closing" where the host has gone on purpose,
    "no-table" where it hosts other games now.
    """

    kind: Kind
    reason: str
    since: float
    refusal: str = ""
    field: str = ""
    wait: int = 0


class LinkDown(Exception):
    """A request that was not answered, as the connection is lost; whether it was met is not known."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Greeting(NamedTuple):
    """What a host says to anybody who greets it, and the fingerprint of its certificate."""

    host: GreetAnswer
    fingerprint: str


class Looking(Protocol):
    """A search for hosts on the network, as `discovery.Browser` does it."""

    def start(self) -> None: ...
    def stop(self) -> None: ...


Look = Callable[[Callable[[tuple["Found", ...]], None]], Looking]


def look_around(on_change: Callable[[tuple[Found, ...]], None]) -> Looking:
    """Return a search for hosts on all networks of this machine."""
    from app.lan.network.discovery import Browser

    return Browser(on_change)


class Link:
    """One guest's connection, from now until it is closed.

    `on_told` is called with the welcome, also after every return, and with all that the host tells by
    itself, `on_state` when the connection changes; both in the thread of the link, where they must not wait.
    """

    def __init__(
        self,
        goal: Ticket | Invitation,
        on_told: Callable[[LanAnswer], None],
        on_state: Callable[[LinkState], None],
        *,
        folder: Path | None = None,
        look: Look | None = look_around,
    ) -> None:
        self._invitation = goal if isinstance(goal, Invitation) else None
        self.ticket: Ticket | None = goal if isinstance(goal, Ticket) else None
        self._has_been_welcomed = self.ticket is not None
        self._is_host = bool(goal.token) if isinstance(goal, Invitation) else goal.is_host
        self._table: TableAnswer | None = None
        self._opening: Future[LanAnswer] | None = None
        self._proofs = 0  # sent, since there was a welcome
        self._on_told, self._on_state = on_told, on_state
        self._folder = folder if folder is not None else tickets_folder()
        self._look = look
        self._search: Looking | None = None
        self._goodbyes: list[asyncio.Task[None]] = []
        self._found: tuple[tuple[str, int], ...] = ()
        self._is_kept = True
        self._is_closing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._out: asyncio.Queue[bytes] | None = None
        self._waiting: dict[int, Future[LanAnswer]] = {}
        self._id = 0
        self._lost_at: float | None = None
        self._absent: Absent | None = None  # what the host said itself of why it is not there
        self._state = LinkState("connecting", "", time.monotonic())
        self._guard = threading.Lock()
        self._is_done = False
        self._saving = threading.Lock()
        self._thread = threading.Thread(target=self._live, name="lan-link", daemon=True)
        self._thread.start()

    # For its owner, from any thread.

    @property
    def state(self) -> LinkState:
        """How the connection stands."""
        return self._state

    def ask(self, request: Request, within: float = 3.0) -> LanAnswer:
        """Return the host's answer.

        Raises Refusal where the host refuses, LinkDown where it does not answer within so many seconds or
        the connection is lost.
        """
        if threading.current_thread() is self._thread:
            raise RuntimeError("the thread that must receive the answer cannot wait for it")
        answered: Future[LanAnswer] = Future()
        with self._guard:
            loop = self._loop
            if loop is None:
                raise LinkDown(self._state.reason or "there is no connection")
            loop.call_soon_threadsafe(self._send, request, answered)
        try:
            answer = answered.result(within)
        except TimeoutError:
            with self._guard:
                if self._loop is not None:
                    self._loop.call_soon_threadsafe(self._drop_question, answered)
            raise LinkDown(f"the host has not answered for {within:g} seconds") from None
        if isinstance(answer, ErrorAnswer):
            raise refusal_of(answer)
        return answer

    def close(self, *, for_good: bool = False) -> None:
        """End the connection and the thread; the seat can be returned to with the ticket.

        Who closes it `for_good` lets go of the seat, as far as the host hears of that, and has no ticket
        any more, whatever comes meanwhile.
        """
        self._is_closing = True
        if for_good:
            self._is_kept = False
        with self._guard:
            if self._loop is not None and self._task is not None:
                self._loop.call_soon_threadsafe(self._task.cancel)
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(3.0)
        if for_good and not self._thread.is_alive():
            self._drop_ticket()  # it had ended before

    def _drop_ticket(self) -> None:
        if self.ticket is not None:
            with suppress(OSError):
                self.ticket.drop(self._folder)

    def put_away(self) -> None:
        """Keep the ticket as a receipt only, as the game is over and its record is here. Raises OSError."""
        self._is_done = True
        if self._is_kept:
            self._save_ticket()

    def _save_ticket(self) -> None:
        with self._saving:
            ticket = self.ticket
            if ticket is None:
                return
            # The host's own seat leads to the table as long as others may come to see the end.
            is_receipt = self._is_done and not ticket.is_host
            (msgspec.structs.replace(ticket, token="") if is_receipt else ticket).save(self._folder)

    # The thread.

    def _live(self) -> None:
        self._tell_state("connecting", f"connecting to {place_words(*next(self._places()))}")
        try:
            with suppress(asyncio.CancelledError):
                asyncio.run(self._run())
            self._tell_end("closed", "")
        except Refused as refused:
            self._tell_end("refused", refused.reason, refused)
        except BaseException:
            self._tell_end("refused", "a fault of the program ended the connection")
            raise

    def _tell_end(self, kind: Kind, reason: str, refused: Refused | None = None) -> None:
        self._drop_waiting(reason or "the connection is closed")
        self._tell_state(kind, reason, refused)

    def _tell_state(self, kind: Kind, reason: str, refused: Refused | Absent | None = None) -> None:
        since = self._state.since if kind == self._state.kind else time.monotonic()
        of: tuple[Any, ...] = ()
        if isinstance(refused, Refused):
            of = refused.kind, refused.field, refused.wait
        elif refused is not None:
            of = (refused.kind,)
        self._state = LinkState(kind, reason, since, *of)
        self._on_state(self._state)

    async def _run(self) -> None:
        with self._guard:
            self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        try:
            if not self._is_closing:
                await self._keep_connected()
        finally:
            with self._guard:
                self._loop = self._task = None
            if not self._is_kept:
                self._drop_ticket()
            self._stop_looking()
            await asyncio.gather(*self._goodbyes)

    async def _keep_connected(self) -> None:
        wait, tries = FIRST_WAIT, 0
        while True:
            why: Lost | None = None
            for address, port in self._places():
                try:
                    await self._visit(address, port)
                except Lost as lost:
                    # That a stranger has the old address tells less than why the host is not at its new one.
                    why = lost if why is None or isinstance(why, Stranger) else why
                if self._was_connected():
                    break
            assert why is not None
            if self._was_connected():
                if isinstance(why, Ended):
                    # The window that has come last has the seat; two would take it from each other for ever.
                    raise Refused(why.reason)
                wait, tries = FIRST_WAIT, 0
            elif self.ticket is None or isinstance(why, NoReturn):
                tries += 1
            if tries >= (TRIES if self.ticket is None else REFUSALS):
                raise Refused(why.reason, NO_SEAT if isinstance(why, NoReturn) else "")
            if self._proofs >= JOINS:
                raise Refused(f"the host takes the code and gives no seat: {why.reason}")
            await self._rest(wait, self._told_reason(why))
            wait = min(2 * wait, LAST_WAIT)

    def _was_connected(self) -> bool:
        return self._state.kind == "connected"

    def _told_reason(self, why: Lost) -> str:
        """Return why there is no connection, as the host said itself while nobody answers in its place."""
        if isinstance(why, Absent):
            self._absent = why
        elif isinstance(why, Stranger | NoReturn):
            self._absent = None
        return self._absent.reason if self._absent is not None else why.reason

    async def _rest(self, wait: float, reason: str) -> None:
        """Wait for the next attempt, or for news of where the host is."""
        if not self._has_been_welcomed:
            self._tell_state("connecting", f"{reason}; trying again")
        else:
            self._tell_state("lost", f"{reason}; trying again by itself", self._absent)
            if self._lost_at is None:
                self._lost_at = time.monotonic()
            elif time.monotonic() - self._lost_at >= LOOK_AROUND:
                self._start_looking()
        self._news.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), wait)

    def _places(self) -> Iterator[tuple[str, int]]:
        """Yield where the host may be, where it was last first."""
        if self.ticket is None:
            assert self._invitation is not None
            yield self._invitation.address, self._invitation.port
            return
        first = self.ticket.address, self.ticket.port
        yield first
        yield from (place for place in self._found if place != first)

    # Looking for the host.

    def _start_looking(self) -> None:
        if self._look is None or self._search is not None:
            return
        with suppress(OSError):  # a machine without any network may get one
            search = self._look(self._on_found)
            search.start()
            self._search = search

    def _stop_looking(self) -> None:
        """End the search; it says its goodbyes in a thread of its own, for which nobody waits."""
        search, self._search, self._found = self._search, None, ()
        if search is not None:
            self._goodbyes = [one for one in self._goodbyes if not one.done()]
            self._goodbyes.append(asyncio.create_task(asyncio.to_thread(search.stop)))

    def _on_found(self, found: tuple[Found, ...]) -> None:
        """Take in, in the thread of the search, which hosts there are."""
        with self._guard:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._take_found, found)

    def _take_found(self, found: tuple[Found, ...]) -> None:
        ticket = self.ticket
        if ticket is None:
            return
        self._found = tuple((one.address, one.port) for one in found if one.fingerprint == ticket.fingerprint)
        if any(place != (ticket.address, ticket.port) for place in self._found):
            self._news.set()

    # One connection.

    async def _visit(self, address: str, port: int) -> None:
        """Connect, come in, and carry messages until the connection is lost; raises Lost, Refused."""

        async def stay(socket_: ClientConnection, fingerprint: str) -> None:
            ticket = self.ticket
            if ticket is not None and fingerprint != ticket.fingerprint:
                # Not even greeted: neither the token nor the code is for anybody else.
                raise Stranger(f"another host than that of this game answers at {place_words(address, port)}")
            talk = Talk(socket_)
            try:
                await come_in(talk, fingerprint)
            except asyncio.CancelledError:
                if not self._is_kept:
                    await self._quit(talk)
                raise

        async def come_in(talk: Talk, fingerprint: str) -> None:
            async with asyncio.timeout(COMING_IN):
                greeting = await greeted(talk, place_words(address, port))
                welcome = await self._come_in(talk, greeting, fingerprint, address, port)
            self._check(welcome)
            # Who it says of others that he is its own player would be told what only that one may have.
            welcome = msgspec.structs.replace(welcome, is_host=welcome.is_host and self._is_host)
            self._stop_looking()
            self._has_been_welcomed, self._lost_at, self._absent, self._proofs = True, None, None, 0
            unsaved = self._keep(
                address=address,
                port=port,
                side=welcome.side,
                name=welcome.name,
                host=greeting.host,
                is_host=welcome.is_host,
            )
            self._hand_on(welcome)
            await self._carry(talk, unsaved)

        await connected(address, port, stay)

    async def _quit(self, talk: Talk) -> None:
        """Tell the host that the seat is free, also where its welcome is still to come."""
        with suppress(Exception):  # a host that does not hear it frees the seat by itself after a while
            async with asyncio.timeout(GOODBYE):
                quitting = QuitRequest(id=max(talk.id, self._id) + 1)
                await talk.send(format_lan_message(quitting))
                while not isinstance(await talk.receive(), QuitAnswer):
                    pass

    async def _come_in(
        self, talk: Talk, greeting: GreetAnswer, fingerprint: str, address: str, port: int
    ) -> WelcomeAnswer:
        """Return to the seat, or take one."""
        if self.ticket is not None:
            try:
                back: WelcomeAnswer = await talk.ask(
                    ReturnRequest(
                        table=self.ticket.table,
                        token=self.ticket.token,
                        is_new=not self._has_been_welcomed,
                    ),
                    WelcomeAnswer,
                )
                return back
            except Refusal as refusal:
                if refusal.kind in FOR_NOW:
                    raise Lost(refusal.reason) from refusal
                if self._has_been_welcomed or self._invitation is None:
                    if refusal.kind == "no-table" and not _hosts(greeting, self.ticket.table):
                        reason = f"{greeting.host} does not host this game at the moment"
                        raise Absent(reason, "no-table") from refusal
                    raise NoReturn(refusal.reason) from refusal
                # The host never heard of the seat that was asked for before the connection broke.
        assert self._invitation is not None
        try:
            return await self._join(talk, self._invitation, greeting, fingerprint, address, port)
        except Refusal as refusal:
            raise Refused.of(refusal) from refusal

    async def _join(
        self,
        talk: Talk,
        invitation: Invitation,
        greeting: GreetAnswer,
        fingerprint: str,
        address: str,
        port: int,
    ) -> WelcomeAnswer:
        from app.lan.codes import GuestSide, parse_code

        try:
            table, secret = parse_code(invitation.code)
        except ValueError as error:
            raise Refused(str(error)) from error
        side = GuestSide(secret, fingerprint)
        reply = await talk.ask(JoinRequest(table=table, pake=side.message), JoinAnswer)
        try:
            proof = side.prove(reply.pake, reply.commitment)
        except ValueError as error:
            raise Refused(f"the host sent what makes no sense: {error}") from error
        before = self.ticket
        ticket = Ticket(
            id=before.id if before is not None else new_id(),
            table=table,
            address=address,
            port=port,
            host=greeting.host,
            fingerprint=fingerprint,
            token=before.token if before is not None else invitation.token or secrets.token_hex(32),
            side="",
            seat=invitation.seat,
            name=invitation.name,
            title=next((card.title for card in greeting.tables if card.table == table), ""),
            commitment=reply.commitment,
            share=before.share if before is not None else make_share(),
        )
        # Kept before it is sent: the way back must be there whenever the seat is.
        with suppress(OSError):
            ticket.save(self._folder)
        self._proofs += 1
        try:
            welcome: WelcomeAnswer = await talk.ask(
                ProveRequest(
                    proof=proof,
                    name=ticket.name,
                    seat=ticket.seat,
                    seals={side: seal_of(side, ticket.share) for side in _sides_of(ticket.seat)},
                    token=ticket.token,
                ),
                WelcomeAnswer,
            )
        except Refusal:
            with suppress(OSError):
                ticket.drop(self._folder)
            raise
        except BaseException:
            self.ticket = ticket  # the seat may have been given all the same
            raise
        if not side.accepts(welcome.proof) or welcome.commitment != ticket.commitment:
            with suppress(OSError):
                ticket.drop(self._folder)
            raise Refused("whoever answers there does not know the join code, so it is not the host")
        self.ticket = ticket
        return welcome

    def _check(self, welcome: WelcomeAnswer) -> None:
        """Refuse a welcome to another game than that of the ticket."""
        assert self.ticket is not None
        if welcome.side not in ("", *SIDES):
            raise Refused("the host sent what makes no sense: a side that no game has")
        if self._has_been_welcomed and not _leads_to(self.ticket, welcome.side):
            raise Refused("the host gives this seat another side than before")
        if welcome.commitment != self.ticket.commitment:
            raise Refused("the host has sealed its dice anew, so this is another game", RESEALED)

    def _keep(self, **changes: Any) -> str:
        """Bring the ticket up to date; return why it could not be saved, "" where it was."""
        assert self.ticket is not None
        self.ticket = msgspec.structs.replace(self.ticket, **changes)
        if self._is_kept:
            try:
                self._save_ticket()
            except OSError as error:
                return f"the way back to this game could not be saved: {error.strerror or error}"
        return ""

    async def _carry(self, talk: Talk, unsaved: str) -> None:
        """Carry messages both ways until the connection is lost."""
        self._id = talk.id
        out: asyncio.Queue[bytes] = asyncio.Queue()
        self._out = out
        self._tell_state("connected", unsaved)
        writer = asyncio.create_task(_write(talk, out))
        patience = Allowance(MESSAGES, MESSAGE_BURST)
        try:
            while True:
                self._receive(await talk.receive())
                # A host that floods is read slowly, and so cut off by its own missing answers to pings.
                await asyncio.sleep(patience.spend())
        finally:
            self._out = None
            writer.cancel()
            with suppress(asyncio.CancelledError, Exception):  # why it failed the reader tells better
                await writer
            self._drop_waiting("the connection is lost")

    def _receive(self, answer: LanAnswer) -> None:
        if answer.id is not UNSET:
            answered = self._waiting.pop(answer.id, None) if isinstance(answer.id, int) else None
            if answered is not None:
                answered.set_result(answer)
                if answered is self._opening and isinstance(answer, ErrorAnswer):
                    raise (Lost if answer.kind in FOR_NOW else Refused)(refusal_of(answer).reason)
            return
        if isinstance(answer, ErrorAnswer):
            if answer.kind == "closing" and self.ticket is not None:
                raise Absent(f"{self.ticket.host} has stopped hosting for now", "closing")
            raise (Ended if answer.kind == "ended" else Lost)(answer.reason)
        if not isinstance(answer, TOLD):
            raise Refused("the host sent what makes no sense: an answer to no question")
        self._hand_on(answer)

    def _hand_on(self, answer: LanAnswer) -> None:
        if isinstance(answer, TableAnswer):
            self._table = answer
        elif isinstance(answer, SealsAnswer):
            self._take_seals(answer.seals)
        elif isinstance(answer, UpdateAnswer) and self.ticket is not None and not self.ticket.seals:
            raise Refused("the host has begun the game before it told what was sealed", RESEALED)
        self._on_told(answer)
        is_over = isinstance(answer, UpdateAnswer) and answer.state.over
        if is_over and self.ticket is not None and not self.ticket.is_over:
            self._keep(is_over=True)

    def _take_seals(self, seals: dict[str, str]) -> None:
        """Keep what all have sealed, and only then open one's own share; raises Refused.

        Who opened it again to other seals would let a host throw the dice again that it does not like.
        """
        ticket = self.ticket
        assert ticket is not None
        if ticket.seals and seals != ticket.seals:
            raise Refused("the host has changed what was sealed for the dice", RESEALED)
        if not ticket.seals:
            self._check_seals(ticket, seals)
            unsaved = self._keep(seals=seals)
            if unsaved:
                self._tell_state("connected", unsaved)
        if ticket.side and (self._opening is None or self._opening.done()):
            self._opening = Future()
            self._send(OpenRequest(share=ticket.share), self._opening)

    def _check_seals(self, ticket: Ticket, seals: dict[str, str]) -> None:
        seats = self._table.card.seats if self._table is not None else {}
        people = {side for side, card in seats.items() if card.name}
        if seals.keys() != {HOST, *people}:
            raise Refused("the host has sealed for others than those who play", RESEALED)
        if seals[HOST] != ticket.commitment:
            raise Refused("the host has sealed its dice anew, so this is another game", RESEALED)
        if ticket.side and seals.get(ticket.side) != seal_of(ticket.side, ticket.share):
            raise Refused("the host does not hold what this side has sealed for the dice", RESEALED)

    def _send(self, request: Request, answered: Future[LanAnswer]) -> None:
        if self._out is None:
            answered.set_exception(LinkDown(self._state.reason or "there is no connection"))
            return
        self._id += 1
        self._waiting[self._id] = answered
        self._out.put_nowait(format_lan_message(msgspec.structs.replace(request, id=self._id)))

    def _drop_question(self, answered: Future[LanAnswer]) -> None:
        """Forget a question for whose answer nobody waits any more."""
        self._waiting = {id_: one for id_, one in self._waiting.items() if one is not answered}

    def _drop_waiting(self, reason: str) -> None:
        waiting, self._waiting = self._waiting, {}
        for answered in waiting.values():
            answered.set_exception(LinkDown(reason))


def _hosts(greeting: GreetAnswer, table: str) -> bool:
    return any(card.table == table for card in greeting.tables)


def _leads_to(ticket: Ticket, side: str) -> bool:
    """Whether a ticket's seat can be of this side; one kept before a welcome only says what was asked for."""
    if ticket.side or ticket.seat == WATCH:
        return side == ticket.side
    return side != "" and ticket.seat in (ANY, side)


def _sides_of(seat: str) -> tuple[str, ...]:
    """Return the sides that a seat asked for can turn out to be."""
    return SIDES if seat == ANY else () if seat == WATCH else (seat,)


async def _write(talk: Talk, out: asyncio.Queue[bytes]) -> None:
    while True:
        await talk.send(await out.get())


def greet(address: str, port: int, within: float = 3.0) -> Greeting:
    """Return what a host tells anybody: its tables. Raises LinkDown with the reason."""
    found: list[Greeting] = []

    async def stay(socket_: ClientConnection, fingerprint: str) -> None:
        found.append(Greeting(await greeted(Talk(socket_), place_words(address, port)), fingerprint))

    async def visit() -> None:
        async with asyncio.timeout(within):
            await connected(address, port, stay, GREETING_LIMIT)

    try:
        asyncio.run(visit())
    except TimeoutError:
        raise LinkDown(f"{place_words(address, port)} does not answer") from None
    except (Refused, Lost) as error:
        raise LinkDown(error.reason) from error
    return found[0]
