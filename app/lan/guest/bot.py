"""A guest without a window: a bot at one seat of a host's table, on a machine of its own."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from app.game_files import keep_finished
from app.lan.guest.inbox import Inbox
from app.lan.guest.link import Invitation, Link, LinkDown, LinkState
from app.lan.guest.received import REASON_LENGTH, line
from app.lan.guest.remote import RemoteMatch
from app.lan.guest.tickets import Ticket
from app.lan.guest.verdict import Verdict
from engine.bots import bots_of, make_bot
from engine.core.decision import Choice, Decision, IllegalChoice, StaleChoice
from engine.core.files import BadFile
from engine.core.lan_protocol import (
    AgreeRequest,
    LanAnswer,
    TableAnswer,
    UpdateAnswer,
    WelcomeAnswer,
)
from engine.core.player import Player
from engine.core.protocol import CLIENT, Answer, RecordAnswer, RecordRequest, Refusal, Request
from engine.raid.figures import OTHER_SIDE, SIDES
from engine.raid.seats import BOT_NAMES

SOON: Final = 1.0  # seconds; after so many a bot also tries again what the host has refused
REFUSED_AT_MOST: Final = 20  # times in a row
RECORD_WITHIN: Final = 30.0  # seconds for a whole record to come

Say = Callable[[str], None]


class CannotPlay(Exception):
    """Why a seat cannot be taken or played, in one line; `kind` is that of the host's refusal, if any."""

    def __init__(self, reason: str, kind: str = "") -> None:
        super().__init__(reason)
        self.kind = kind


class Ended(NamedTuple):
    """A game played to its end: the match, what the record proves, and where it was saved."""

    match: RemoteMatch
    verdict: Verdict
    path: Path


class BotGuest:
    """A bot at one seat of a host's table; `play` does all of it.

    `say` is told, in a line, whenever the connection stands otherwise. Raises CannotPlay.
    """

    def __init__(self, way: Ticket | Invitation, bot: str, say: Say) -> None:
        self._bot = bot
        self._say = say
        self._has_heard_all = not isinstance(way, Ticket) or not way.seals
        self._news = Inbox()
        self._match: RemoteMatch | None = None
        self._player: Player | None = None
        self._table: TableAnswer | None = None
        self._state: LinkState | None = None
        self._is_present = False  # what is known here is how the game stands
        self._board: Any = None
        self._seen = 0
        self._lapsed: tuple[int, str] | None = None
        self._refused = 0
        self._link = Link(way, self._news.put, self._news.put)

    def play(self) -> Ended:
        """Play to the end, and save the record among the games; however often the connection is lost."""
        try:
            while True:
                self._take_all()
                match = self._match
                if match is not None and self._is_present:
                    if not match.is_over:
                        self._decide(match)
                    if match.is_over:
                        with suppress(LinkDown):
                            return self._end(match)
                        self._is_present = False
                self._wait()
        finally:
            self._link.close()

    # Taking in what comes.

    def _wait(self) -> None:
        """Take in what comes next, if it comes soon: some systems interrupt nobody who waits for ever."""
        news = self._news.take(SOON)
        if news is not None:
            self._take(news)

    def _take_all(self) -> None:
        while (news := self._news.take()) is not None:
            self._take(news)

    def _take(self, news: Answer | LinkState) -> None:
        try:
            if isinstance(news, LinkState):
                self._take_state(news)
            elif isinstance(news, WelcomeAnswer):
                self._take_welcome(news)
            elif isinstance(news, UpdateAnswer) and self._match is not None:
                self._match.take(news)
                self._is_present = True
            elif isinstance(news, TableAnswer):
                self._take_table(news)
        except (BadFile, ValueError) as error:
            raise CannotPlay(f"the host sent what makes no sense: {_line(error)}") from error

    def _take_state(self, state: LinkState) -> None:
        before, self._state = self._state, state
        if state.kind == "refused":
            raise CannotPlay(state.reason, state.refusal)
        if state.kind == "connected":
            self._refused = 0
            self._say(state.reason or "connected")
        else:
            self._is_present = False
            if before is None or (before.kind, before.reason) != (state.kind, state.reason):
                self._say(state.reason)

    def _take_welcome(self, welcome: WelcomeAnswer) -> None:
        if self._match is not None:
            self._match.begin_anew()
            return
        if welcome.side not in SIDES:
            raise CannotPlay("a bot plays, it does not look on")
        if self._bot not in bots_of(welcome.side):
            raise CannotPlay(f"the {self._bot} bot does not play the {welcome.side}")
        self._match = RemoteMatch(welcome, self._ask)
        # Its own secret: what a bot does must not follow from what others may come to know.
        self._player = make_bot(self._bot, secrets.token_hex(16))
        self._say(f"{welcome.name} plays the {welcome.side} ({BOT_NAMES.get(self._bot, self._bot)})")

    def _take_table(self, table: TableAnswer) -> None:
        self._table = table
        if self._match is not None:
            self._match.name({side: card.name for side, card in table.card.seats.items()})
            if OTHER_SIDE[self._match.side] in table.asks:
                with suppress(Refusal, LinkDown):
                    self._link.ask(AgreeRequest(agrees=True))

    def _ask(self, request: Request) -> LanAnswer:
        """Ask the host; what he tells comes before the answer to what brought it about."""
        try:
            return self._link.ask(request)
        finally:
            self._take_all()

    # Deciding.

    def _decide(self, match: RemoteMatch) -> None:
        """Make every choice that is to be made now, standing offers first."""
        while self._is_present and not match.is_over and not self._is_held_up():
            answered = self._next_choice(match)
            if answered is None:
                return
            decision, choice = answered
            try:
                match.submit(decision.side, choice, decision.revision)
                self._refused = 0
            except StaleChoice:
                pass  # what overtook it is here already
            except IllegalChoice as refusal:
                self._refused += 1
                if self._refused > REFUSED_AT_MOST:
                    raise CannotPlay(f"the host refuses a legal choice: {refusal.reason}") from refusal
                self._lapsed = None
                self._wait()
                self._take_all()
                if self._is_held_up():
                    self._refused = 0

    def _is_held_up(self) -> bool:
        """Whether the game is paused, or waits for somebody; the table tells when it goes on."""
        table = self._table
        if table is None or table.is_paused:
            return True
        seats = table.card.seats.values()
        return any(card.player == CLIENT and card.name and not card.is_here for card in seats)

    def _next_choice(self, match: RemoteMatch) -> tuple[Decision, Choice] | None:
        player, side = self._player, match.side
        assert player is not None
        if match.board is not self._board:
            self._board = match.board
            player.begin(side, match.scenario, match.board)
        count = match.event_count(side)
        if player.wants_events and count > self._seen:
            player.see(match.events(side, self._seen))
        self._seen = count
        for decision in sorted(match.decisions(), key=lambda one: not one.optional):
            if self._lapsed == (match.revision, decision.kind):
                continue
            choice = player.decide(match.view(side) if player.wants_view else None, decision)
            if choice is not None:
                return decision, choice
            self._lapsed = match.revision, decision.kind
        return None

    # The end.

    def _end(self, match: RemoteMatch) -> Ended:
        """Take the record, check it and save it. Raises LinkDown where it must be asked for again."""
        try:
            answer = self._link.ask(RecordRequest(), RECORD_WITHIN)
        except Refusal as refusal:
            raise CannotPlay(
                f"the game is over, but the host keeps its record: {refusal.reason}"
            ) from refusal
        if not isinstance(answer, RecordAnswer):
            raise CannotPlay("the host sent what makes no sense: no record of the game")
        ticket = self._link.ticket
        receipt = ticket.receipt if ticket is not None else None
        try:
            verdict = match.take_record(answer.record, receipt, has_heard_all=self._has_heard_all)
        except BadFile as error:
            raise CannotPlay(f"the host's record cannot be used: {_line(error)}") from error
        try:
            path = keep_finished(verdict.record, ticket.id if ticket is not None else "")
            self._link.put_away()
        except OSError as error:
            raise CannotPlay(f"the record cannot be saved: {error.strerror or error}") from error
        return Ended(match, verdict, path)


def _line(error: Exception) -> str:
    text = error.problems[0] if isinstance(error, BadFile) and error.problems else str(error)
    return line(text, REASON_LENGTH)
