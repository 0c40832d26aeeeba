"""A game over the network for a window: its connection and its match, with Qt's signals.

The connection lives in a thread of its own. What comes from there waits here until the window's thread
takes it in, in the order in which it came; whoever listens to the signals is always in that thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from app.lan import pause
from app.lan.ending import end_beside
from app.lan.guest.inbox import LINES as CHAT_KEPT
from app.lan.guest.inbox import Inbox
from app.lan.guest.link import Invitation, Link, LinkDown
from app.lan.people import away_words, name_of, time_words
from app.recap import Act, Recap
from engine.core.decision import Choice, Decision
from engine.core.files import BadFile
from engine.core.lan_protocol import (
    AgreeRequest,
    ChatRequest,
    ChattedAnswer,
    OfferRequest,
    TableAnswer,
    UpdateAnswer,
    WelcomeAnswer,
)
from engine.core.match import PUBLIC
from engine.core.protocol import (
    CLIENT,
    Answer,
    RecordAnswer,
    RecordRequest,
    Refusal,
    Request,
    SeatRequest,
    StateAnswer,
)
from engine.core.shares import Receipt
from engine.raid.figures import OTHER_SIDE, SIDES

if TYPE_CHECKING:
    from app.lan.guest.link import LinkState
    from app.lan.guest.remote import RemoteMatch
    from app.lan.guest.tickets import Ticket
    from engine.core.record import Record

WITHIN: Final = 3.0  # seconds for an answer of the host
RECORD_WITHIN: Final = 20.0  # seconds for a whole record
AT_ONCE: Final = 50  # of what has come taken in without a pause
AT_AN_ANSWER: Final = 1000  # the same while an answer is waited for; more than ever is in an inbox

GO_ON: Final = "Go on"
TAKE_BACK: Final = "Take my seat back"
OUT_OF_TIME: Final = "Your time is up: the rulebook bot plays your side to the end."


class WayOn(NamedTuple):
    """What a player can do about what holds his game up: its words, its key, and what does it."""

    words: str
    key: str
    do: Callable[[], None]


class Line(Protocol):
    """What a game needs of its connection; see app/lan/guest/link.py."""

    ticket: Ticket | None

    def ask(self, request: Request, within: float = WITHIN) -> Answer: ...
    def put_away(self) -> None: ...
    def close(self, *, for_good: bool = False) -> None: ...


Connect = Callable[..., Line]


class LanGame(QObject):
    """One seat at a table of a host, from the moment it is asked for; `start` begins to connect.

    `welcomed` carries the match once there is a seat, `begun` the same once the game has begun and can be
    shown. `updated` follows whatever a Session must `catch_up` with, with a Recap after a return or None;
    `tableChanged`, `linkChanged` and `chatted` carry the answers and the state of their names. `ticked`
    comes by the second while a time is to be shown. `refused` says why something asked of the table was
    not done, `failed` why this seat can never be played from here. `recordCame` follows the end.
    """

    welcomed = Signal(object)
    begun = Signal(object)
    updated = Signal(object)
    tableChanged = Signal(object)
    linkChanged = Signal(object)
    chatted = Signal(object)
    ticked = Signal()
    refused = Signal(str)
    failed = Signal(str)
    recordCame = Signal()
    _came = Signal()
    _answered = Signal(object)

    def __init__(
        self, way: Ticket | Invitation, parent: QObject | None = None, *, connect: Connect = Link
    ) -> None:
        super().__init__(parent)
        self._way = way
        self._connect = connect
        self._line: Line | None = None
        self._asker: ThreadPoolExecutor | None = None
        self._is_closed = False
        self._telling = Lock()  # held where another thread emits: what is closed may be gone the next moment
        self._inbox = Inbox()  # what has come from the connection's thread
        self.match: RemoteMatch | None = None
        self.welcome: WelcomeAnswer | None = None
        self.table: TableAnswer | None = None
        self.state: LinkState | None = None
        self.record_problem = ""  # why there is no record although the game is over
        self.lines: list[ChattedAnswer] = []
        self._has_begun = False
        self._is_back = False  # the connection has been made anew, and nothing has come since
        self._is_asking = False  # the host is asked, and the window waits
        self._missed: Recap | None = None
        self._table_at = 0.0  # when the table's times were true
        self._question: Decision | None = None
        self._is_fetching = False
        self._came.connect(self._take_in, Qt.ConnectionType.QueuedConnection)
        self._answered.connect(self._on_answered, Qt.ConnectionType.QueuedConnection)
        self._second = QTimer(self)
        self._second.setInterval(1000)
        self._second.timeout.connect(self.ticked)

    # Beginning and ending.

    def start(self) -> None:
        """Begin to connect; from here on signals come."""
        if self._line is not None or self._is_closed:
            return
        self._asker = ThreadPoolExecutor(1, "lan-asker")
        self._line = self._connect(self._way, self._on_told, self._on_state)

    def close(self, *, for_good: bool = False) -> None:
        """Leave the table, unless it is `for_good` with a ticket that leads back to the seat."""
        if self._is_closed:
            return
        with self._telling:
            self._is_closed = True
        self._second.stop()
        line, asker = self._line, self._asker

        def end() -> None:
            if line is not None:
                line.close(for_good=for_good)
            if asker is not None:
                asker.shutdown(cancel_futures=True)

        # A name that is being looked up, or a record being checked, holds a thread up and not the window.
        end_beside(end, "lan-leaving")

    # In the threads of the connection and of questions to the table.

    def _on_told(self, answer: Answer) -> None:
        self._arrive(answer)

    def _on_state(self, state: LinkState) -> None:
        self._arrive(state)

    def _arrive(self, news: Answer | LinkState) -> None:
        self._inbox.put(news)
        with self._telling:
            if not self._is_closed:
                self._came.emit()

    # Who and how.

    @property
    def side(self) -> str:
        """The side that this screen plays, "" where it only looks on."""
        return self.welcome.side if self.welcome is not None else ""

    @property
    def is_new(self) -> bool:
        """Whether a seat was asked for that one did not have before."""
        return isinstance(self._way, Invitation)

    @property
    def is_host(self) -> bool:
        """Whether the table is this player's own."""
        return self.welcome is not None and self.welcome.is_host

    @property
    def other(self) -> str:
        """What the player of the other side is called."""
        return name_of(self.table.card.seats if self.table is not None else {}, OTHER_SIDE.get(self.side, ""))

    @property
    def is_connected(self) -> bool:
        """Whether the host can be asked."""
        return self.state is not None and self.state.kind == "connected"

    @property
    def line_problem(self) -> str:
        """What this machine could not do for a connection that stands, such as keep the way back."""
        return _sentence(self.state.reason) if self.is_connected and self.state and self.state.reason else ""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.match is not None and self._has_begun and self.match.is_over

    @property
    def has_record(self) -> bool:
        """Whether the record of the game, which is over, is here."""
        # Not while the other thread still judges and keeps it.
        return self.match is not None and self.match.has_record and not self._is_fetching

    @property
    def is_record_faulty(self) -> bool:
        """Whether the record, or that there is none, gives a reason to doubt the game."""
        faults = self.match.faults if self.match is not None and self.has_record else ()
        return bool(faults or self.record_problem)

    @property
    def record_words(self) -> str:
        """What is to be said of the record of a game that is over, and of its dice."""
        if self.match is not None and self.has_record:
            return f"{self.match.verified} {self.record_problem}".strip()
        return self.record_problem or "The host is asked for the record, with which the dice can be checked."

    @property
    def has_bot(self) -> bool:
        """Whether a bot plays for this screen's player."""
        return bool(self.side) and self._player(self.side) != CLIENT

    @property
    def is_out_of_time(self) -> bool:
        """Whether a bot plays for this screen's player to the end, whose time is up."""
        clock = self.table.clocks.get(self.side) if self.table is not None else None
        return self.has_bot and clock is not None and clock.left == 0

    @property
    def ways_on(self) -> tuple[WayOn, ...]:
        """What this player can do about what holds his game up."""
        if not self.side or not self.is_connected or self.table is None or self.is_over:
            return ()
        ways: list[WayOn] = []
        if self.table.is_paused:
            ways.append(WayOn(GO_ON, "P", self.go_on))
        if self.has_bot and not self.is_out_of_time:
            ways.append(WayOn(TAKE_BACK, "S", self.take_seat_back))
        return tuple(ways)

    def _player(self, side: str) -> str:
        card = self.table.card.seats.get(side) if self.table is not None else None
        return card.player if card is not None else CLIENT

    def away_for(self, side: str) -> int | None:
        """Return for how many seconds a side's person has not been connected; None where he is."""
        card = self.table.card.seats.get(side) if self.table is not None else None
        if card is None or card.is_here or not card.name:
            return None
        return card.away + round(time.monotonic() - self._table_at)

    def clock(self, side: str) -> tuple[float, bool] | None:
        """Return the seconds left of a side's time and whether it runs; None where there is no clock."""
        card = self.table.clocks.get(side) if self.table is not None else None
        if card is None:
            return None
        gone = time.monotonic() - self._table_at if card.runs and self.is_connected else 0.0
        return max(0.0, card.left / 1000 - gone), card.runs

    @property
    def lost_for(self) -> int:
        """For how many seconds there has been no connection; 0 while there is one."""
        state = self.state
        return 0 if state is None or self.is_connected else round(time.monotonic() - state.since)

    # What a Session asks of a host.

    @property
    def waiting(self) -> str:
        """What keeps this screen from deciding, whatever the game asks; "" if nothing."""
        state, table = self.state, self.table
        if state is None or state.kind != "connected":
            return self._waiting_for_line()
        if table is None or self.is_over:
            return ""
        if table.card.phase == "waiting":
            return "Waiting for somebody to take the other seat."
        if table.is_paused:
            return "The game is paused. Either player can go on."
        away = [(name_of(table.card.seats, side), self.away_for(side)) for side in self._away_sides()]
        if away:
            return "Waiting for " + " and ".join(
                f"{name}, {away_words(seconds or 0)}" for name, seconds in away
            )
        if self.is_out_of_time:
            return OUT_OF_TIME
        if self.has_bot:
            return "A bot plays for you. Take your seat back to decide for yourself."
        return ""

    def _away_sides(self) -> list[str]:
        return [
            side
            for side in SIDES
            if side != self.side and self._player(side) == CLIENT and self.away_for(side) is not None
        ]

    def _waiting_for_line(self) -> str:
        state = self.state
        if state is None or state.kind == "connecting":
            return "Connecting to the host."
        if state.kind == "lost" and state.refusal:
            return f"{_sentence(state.reason.partition(';')[0])} The game waits; it is tried again by itself."
        if state.kind == "lost":
            return (
                f"No connection to the host for {time_words(self.lost_for)}. The game waits; it is tried "
                "again by itself."
            )
        return f"The connection has ended: {state.reason}." if state.reason else "The connection has ended."

    @property
    def question(self) -> Decision | None:
        """What the other player asks this one outside the game: whether to pause."""
        table = self.table
        is_asked = (
            table is not None
            and self.is_connected
            and bool(self.side)
            and not self.has_bot
            and OTHER_SIDE[self.side] in table.asks
        )
        if not is_asked:
            self._question = None
        elif self._question is None:
            self._question = pause.question(self.side, self.other)
        return self._question

    def answer(self, choice: Choice) -> bool:
        """Answer that question; return whether it was there to be answered."""
        if self.question is None or not isinstance(choice, pause.AnswerPause):
            return False
        self._ask_table(AgreeRequest(agrees=choice.agrees))
        return True

    @property
    def receipt(self) -> Receipt | None:
        """What this seat was told of the dice, and added to them, as its record must have it."""
        ticket = self._line.ticket if self._line is not None else None
        return ticket.receipt if ticket is not None else None

    @property
    def _has_heard_all(self) -> bool:
        """Whether this program has been told the game from its beginning."""
        return isinstance(self._way, Invitation) or not self._way.seals

    # What is asked of the table; the window does not wait for it.

    def chat(self, text: str) -> None:
        """Say a line to everybody at the table."""
        line = " ".join(text.split())
        if line:
            self._ask_table(ChatRequest(text=line))

    def ask_for_pause(self) -> None:
        """Ask the other player for a pause."""
        self._ask_table(OfferRequest(what="pause"))

    def go_on(self) -> None:
        """End a pause, or take back that one has asked for it."""
        self._ask_table(OfferRequest(what="go-on"))

    def take_seat_back(self) -> None:
        """Decide for oneself again, instead of the bot."""
        self.let_play(self.side, CLIENT)

    def let_play(self, side: str, player: str) -> None:
        """Let a bot play a side for its person, or give it back to him ("client")."""
        self._ask_table(SeatRequest(side=side, player=player))

    def fetch_record(self) -> None:
        """Ask for the record of a game that is over, unless it is here; `recordCame` follows."""
        line, match = self._line, self.match
        if line is None or match is None or self._is_fetching or not self.is_over or match.has_record:
            return
        self._is_fetching = True
        self.record_problem = ""

        def fetch() -> str:
            """Return why there is no record, "" where there is."""
            answer = line.ask(RecordRequest(), RECORD_WITHIN)
            if not isinstance(answer, RecordAnswer):
                return "the host has not sent the record"
            # Here, since to go through a whole game takes its time.
            try:
                match.take_record(answer.record, self.receipt, has_heard_all=self._has_heard_all)
            except BadFile as error:
                return f"the record that the host sent is not that of a game: {error.problems[0]}"
            return self._keep(line, match.record)

        self._in_background(fetch, self._on_record)

    def _keep(self, line: Line, record: Record) -> str:
        """Keep the record among the finished games; return why it cannot be, "" where it is."""
        from app import game_files

        try:
            game_files.keep_finished(record, line.ticket.id if line.ticket is not None else "")
            line.put_away()
        except OSError as error:
            return f"the record cannot be kept among the finished games: {error.strerror or error}"
        return ""

    def _on_record(self, problem: str) -> None:
        self._is_fetching = False
        self.record_problem = _sentence(problem) if problem else ""
        self.recordCame.emit()

    def _ask_table(self, request: Request) -> None:
        line = self._line
        if line is not None:

            def ask() -> str:
                line.ask(request, WITHIN)
                return ""

            self._in_background(ask, self._on_table_asked)

    def _on_table_asked(self, problem: str) -> None:
        if problem:
            self.refused.emit(_sentence(problem))

    def _in_background(self, work: Callable[[], str], then: Callable[[str], None]) -> None:
        """Do something that may take long in another thread, `then` go on here with its problem or ""."""
        if self._asker is None or self._is_closed:
            return

        def do() -> tuple[Callable[[str], None], str]:
            try:
                return then, work()
            except (Refusal, LinkDown, BadFile) as error:
                return then, str(error)

        self._asker.submit(do).add_done_callback(self._on_done)

    def _on_done(self, done: Future[tuple[Callable[[str], None], str]]) -> None:
        with self._telling:
            if not self._is_closed and not done.cancelled():
                self._answered.emit(done)

    @Slot(object)
    def _on_answered(self, done: Future[tuple[Callable[[str], None], str]]) -> None:
        if not self._is_closed:
            then, problem = done.result()
            then(problem)

    # What is asked of the host while the window waits: choices, whose answer changes the board.

    def ask(self, request: Request) -> Answer:
        """Ask the host, and return once what his answer speaks of has been taken in too.

        Raises Refusal and LinkDown.
        """
        assert self._line is not None
        until = time.monotonic() + WITHIN
        answer = self._line.ask(request, WITHIN)
        if isinstance(answer, StateAnswer):
            self._await_update(answer.revision, until)
        self._is_asking = True
        try:
            self._take_in()
        finally:
            self._is_asking = False
        return answer

    def _await_update(self, revision: int, until: float) -> None:
        def has_come(news: Answer | LinkState) -> bool:
            if isinstance(news, Answer):
                return isinstance(news, UpdateAnswer) and news.state.revision >= revision
            return news.kind != "connected"  # it will not come by this connection

        self._inbox.wait_for(has_come, max(0.0, until - time.monotonic()))

    # Taking in, in the window's thread.

    @Slot()
    def _take_in(self) -> None:
        """Take in what has come; where that is much, the window has its turn in between."""
        for _ in range(AT_AN_ANSWER if self._is_asking else AT_ONCE):
            news = self._inbox.take() if not self._is_closed else None
            if news is None:
                break
            self._take(news)
        if self._inbox and not self._is_closed:
            self._came.emit()
        if not self._is_asking and self._missed is not None and not self._is_closed:
            missed, self._missed = self._missed, None
            self.updated.emit(missed)

    def _take(self, news: Answer | LinkState) -> None:
        match news:
            case UpdateAnswer():
                self._take_update(news)
            case WelcomeAnswer():
                self._take_welcome(news)
            case TableAnswer():
                self._take_table(news)
            case ChattedAnswer():
                self._take_line(news)
            case Answer():
                pass
            case _:
                self._take_state(news)

    def _take_welcome(self, welcome: WelcomeAnswer) -> None:
        if self.match is not None:
            self._is_back = True  # what was missed comes with the next update
            self.match.begin_anew()
            return
        from app.lan.guest.remote import RemoteMatch

        try:
            match = RemoteMatch(welcome, self.ask)
        except BadFile as error:
            self._fail(f"the scenario that the host sent cannot be played: {'; '.join(error.problems)}")
            return
        self.welcome, self.match = welcome, match
        self.welcomed.emit(match)

    def _take_update(self, update: UpdateAnswer) -> None:
        if self.match is None:
            return
        try:
            missed = self._take_moment(self.match, update)
        except (BadFile, ValueError) as error:
            self._fail(f"what the host sent of the game makes no sense: {error}")
            return
        is_first, self._has_begun = not self._has_begun, True
        if is_first:
            self.begun.emit(self.match)
        if missed is not None:
            # Told once all that came with it has been taken in.
            self._missed = missed
        elif not self._is_asking:
            self.updated.emit(None)
        if self.match.is_over:
            self.fetch_record()

    def _take_moment(self, match: RemoteMatch, update: UpdateAnswer) -> Recap | None:
        """Go on to the game's present moment; return what happened while this screen was away, if it was."""
        viewer = self.side or PUBLIC
        is_back, self._is_back = self._is_back and self._has_begun, False
        before = (match.view(viewer), match.event_count(viewer)) if is_back else None
        match.take(update)
        if update.missed is not None:
            return match.read_missed(update.missed)
        if before is None:
            return None
        # Nothing that the host thinks worth telling: it has happened all the same, and not just now.
        view, told = before
        return Recap(viewer, view, (Act(match.events(viewer, told), match.view(viewer)),))

    def _take_table(self, table: TableAnswer) -> None:
        before = self._held_up()
        self.table, self._table_at = table, time.monotonic()
        if self.match is not None:
            self.match.name({side: card.name for side, card in table.card.seats.items()})
        self.tableChanged.emit(table)
        self._tell_held_up(before)

    def _take_state(self, state: LinkState) -> None:
        before = self._held_up()
        self.state = state
        self.linkChanged.emit(state)
        self._tell_held_up(before)
        if self.is_connected:
            self.fetch_record()

    def _take_line(self, line: ChattedAnswer) -> None:
        if self.lines and line.number <= self.lines[-1].number:
            return  # told again after a return
        self.lines.append(line)
        del self.lines[:-CHAT_KEPT]
        self.chatted.emit(line)

    def _fail(self, why: str) -> None:
        self.close()
        self.failed.emit(_sentence(why))

    def _held_up(self) -> tuple[object, ...]:
        """Return what holds the game up, without the seconds that it has."""
        table, state = self.table, self.state
        return (
            state.kind if state is not None else "",
            table is not None and (table.is_paused, table.card.phase),
            tuple(self._away_sides()),
            self.has_bot,
            self.question is not None,
        )

    def _tell_held_up(self, before: tuple[object, ...]) -> None:
        runs = any(clock.runs for clock in self.table.clocks.values()) if self.table is not None else False
        if runs or not self.is_connected or any(self.away_for(side) is not None for side in SIDES):
            self._second.start()
        else:
            self._second.stop()
        if self._is_closed:
            return
        if self._has_begun and before != self._held_up() and not self._is_asking:
            self.updated.emit(None)
        else:
            # Whoever asks looks at it anew by itself, once he has his answer.
            self.ticked.emit()


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
