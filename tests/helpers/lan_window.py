"""Windows at a real table without a network between them: each has a line that can be cut."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.lan.guest.link import Invitation, LinkDown, LinkState
from app.lan.guest.tickets import Ticket
from app.lan.host.table import Guest, Table
from app.lan_game import LanGame
from app.main_window import MainWindow
from app.panels.widgets import ActionButton
from engine.core.decision import Decision
from engine.core.lan_protocol import (
    ChatRequest,
    LanRequest,
    OfferRequest,
    OpenRequest,
    SealsAnswer,
    parse_lan_answer,
    parse_lan_request,
)
from engine.core.protocol import Answer, Request, SeatRequest, format_message
from engine.raid.match import RaidMatch
from tests.helpers.gui import open_window
from tests.helpers.lan import Time, choose, key, seals_of


class Room:
    """A table with the lines that lead to it; whatever changes is told to all of them."""

    def __init__(self, table: Table, clock: Time) -> None:
        self.table = table
        self.clock = clock
        self.lines: list[FakeLink] = []
        self.lock = threading.RLock()
        self.tokens = iter("123456789")

    @property
    def match(self) -> RaidMatch:
        """The game, which has begun."""
        assert self.table.match is not None
        return self.table.match

    def tell(self) -> None:
        """Tell everybody who is connected what is new for him."""
        with self.lock:
            for line in self.lines:
                line.tell()

    def tick(self) -> None:
        """Let bots and clocks go on."""
        with self.lock:
            self.table.tick()
            self.tell()


class FakeLink:
    """The line of one window to a room; messages go through the wire's form both ways.

    It joins at once; `cut` loses it, `back` brings it back to the same seat.
    """

    def __init__(self, room: Room, way: Invitation, on_told: Any, on_state: Any) -> None:
        self._room, self._on_told, self._on_state = room, on_told, on_state
        self.asked: list[Request] = []
        token = key(next(room.tokens))
        with room.lock:
            room.lines.append(self)
            self.guest: Guest = room.table.sit(way.name, way.seat, seals_of(key("a")), token)
            self.ticket: Ticket | None = Ticket(
                id=token[:16],
                table="AB",
                address="127.0.0.1",
                port=1,
                host="Host",
                fingerprint="f",
                token=token,
                side=self.guest.side,  # type: ignore[arg-type]
                seat=way.seat,
                name=self.guest.name,
                title="t",
                commitment=room.table.commitment,
                share=key("a"),
            )
            self._token = token
            self.is_up = True
            self._come("")
            room.tell()

    def _come(self, proof: str) -> None:
        self._visit = self.guest.visit
        self._on_told(_read(self._room.table.welcome(self.guest, proof)))
        self._on_state(LinkState("connected", "", time.monotonic()))

    def tell(self) -> None:
        """Hand on what the table has to tell."""
        if self.is_up:
            seals = None
            for answer in self._room.table.pushes(self.guest):
                self._on_told(_read(answer))
                seals = answer if isinstance(answer, SealsAnswer) else seals
            if seals is not None:
                self._open(seals)

    def _open(self, told: SealsAnswer) -> None:
        """Keep what was sealed, and open what this line adds to it, as a `Link` does."""
        assert self.ticket is not None
        self.ticket = msgspec.structs.replace(self.ticket, seals=told.seals)
        if self.guest.side:
            self._room.table.answer(self.guest, OpenRequest(share=self.ticket.share))
            self._room.tell()

    def ask(self, request: Request, within: float = 3.0) -> Any:
        """Return the table's answer."""
        if not self.is_up:
            raise LinkDown("the connection is lost")
        self.asked.append(request)
        line = format_message(request)
        asked: LanRequest = parse_lan_request(line)
        with self._room.lock:
            try:
                answer = self._room.table.answer(self.guest, asked)
            except Exception as error:
                refusal = _refusal(error)
                if refusal is None:
                    raise
                raise refusal from error
            self._room.tell()
        return _read(answer)

    def put_away(self) -> None:
        """Keep no secret of the seat any more."""
        assert self.ticket is not None
        self.ticket = msgspec.structs.replace(self.ticket, token="")

    def cut(self) -> None:
        """Lose the connection."""
        with self._room.lock:
            self.is_up = False
            self._on_state(
                LinkState("lost", "the connection is lost; trying again by itself", time.monotonic())
            )
            self._room.table.leave(self.guest, self._visit)
            self._room.tell()

    def lead_to(self, on_told: Any, on_state: Any) -> None:
        """Come back to the seat with another window."""
        self._on_told, self._on_state = on_told, on_state
        self.back()

    def back(self) -> None:
        """Come back to the seat."""
        with self._room.lock:
            self._room.table.return_(self._token)
            self.is_up = True
            self._come("")
            self._room.tell()

    def close(self, *, for_good: bool = False) -> None:
        """End the connection for good."""
        if self.is_up:
            with self._room.lock:
                self.is_up = False
                self._room.table.leave(self.guest, self._visit)
                self._room.tell()


class Plain(FakeLink):
    """A player without a window, who does what he is told to do."""

    def __init__(self, room: Room, name: str, seat: str) -> None:
        way = Invitation("127.0.0.1", 1, "AB2QXMKP", name, seat)
        super().__init__(room, way, lambda answer: None, lambda state: None)

    @property
    def asked_now(self) -> Decision | None:
        """What the game asks of him and nobody else may answer."""
        match = self._room.table.match
        decision = match.decision(self.guest.side) if match is not None else None
        return decision if decision is not None and not decision.optional else None

    def choose(self, choice: Any) -> None:
        """Make a choice."""
        with self._room.lock:
            choose(self._room.table, self.guest, choice)
            self._room.tell()

    def chat(self, text: str) -> None:
        """Say a line."""
        self.ask(ChatRequest(text=text))

    def ask_for_pause(self) -> None:
        """Ask the other player for a pause."""
        self.ask(OfferRequest(what="pause"))

    def let_play(self, player: str) -> None:
        """Give the seat to a bot, or take it back."""
        self.ask(SeatRequest(side=self.guest.side, player=player))


def _refusal(error: Exception) -> Exception | None:
    from engine.core.decision import IllegalChoice
    from engine.core.protocol import Refusal

    if isinstance(error, IllegalChoice):
        return Refusal.of(error)
    return error if isinstance(error, Refusal) else None


def _read(answer: Answer) -> Any:
    return parse_lan_answer(msgspec.json.encode(answer))


class Seat:
    """One window at a table."""

    def __init__(self, window: MainWindow, game: LanGame, line: Any) -> None:
        self.window: Any = window
        self.game, self.line = game, line

    @property
    def session(self) -> Any:
        """The window's session."""
        assert self.window.session is not None
        return self.window.session

    @property
    def page(self) -> Any:
        """The window's game page."""
        assert self.window.page is not None
        return self.window.page

    @property
    def panel(self) -> Any:
        """What is at the table."""
        return self.page.table_panel

    def settle(self) -> None:
        """Take in what has come to any window."""
        for _ in range(5):
            QApplication.processEvents()


def answer(qtbot: QtBot, seat: Seat, text: str) -> None:
    """Click an answer to what the other player asks, once the window takes one."""

    def button() -> ActionButton | None:
        buttons: list[ActionButton] = seat.page.decision_panel.buttons
        return next((one for one in buttons if one.text() == text and not one.is_barred), None)

    qtbot.waitUntil(lambda: button() is not None)
    found = button()
    assert found is not None
    found.click()


def sit(
    qtbot: QtBot, tmp_path: Path, room: Room, name: str, seat: str, *, line: Any = None, **settings: Any
) -> Seat:
    """Open a window and take a seat with it, or that of a `line` cut; the game is shown once it begins."""
    folder = tmp_path / seat
    folder.mkdir(exist_ok=True)
    window = open_window(qtbot, folder, **settings)
    made: list[FakeLink] = []

    def connect(way: Any, on_told: Any, on_state: Any) -> FakeLink:
        if line is not None:
            line.lead_to(on_told, on_state)
        made.append(line or FakeLink(room, way, on_told, on_state))
        return made[0]

    game = LanGame(Invitation("127.0.0.1", 1, "AB2QXMKP", name, seat), window, connect=connect)
    game.begun.connect(lambda match: window.play_lan(game))
    game.start()
    return Seat(window, game, made[0])
