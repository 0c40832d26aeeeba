"""A host and a guest killed at each single write of their files: what they take up again is all there."""

from __future__ import annotations

import shutil
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import pytest

from app import game_files
from app.lan.certificate import load_identity
from app.lan.codes import format_code
from app.lan.guest import link as links
from app.lan.guest import tickets
from app.lan.guest.bot import BotGuest, CannotPlay
from app.lan.guest.link import Invitation, Link
from app.lan.guest.tickets import load_all
from app.lan.host import table as tables
from app.lan.host import table_file
from app.lan.host.folder import clear_drafts
from app.lan.host.server import Server
from app.lan.host.table import Guest, Table
from app.lan.host.table_file import GAME_NAME, TABLE_NAME
from engine.core import match as matches
from engine.core.files import write_atomic
from engine.core.record import load_record
from engine.core.shares import faults
from engine.raid.figures import SIDES
from engine.raid.match import RULES, RaidReplay
from tests.helpers.caller import hosted
from tests.helpers.lan import SECRET, C, T, ask, choose, key, new_table, open_shares, sit
from tests.helpers.proxy import LOOPBACK
from tests.helpers.small_games import small_scenario

TOKENS: Final = {T: "1", C: "2"}


class KillNow(BaseException):
    """The program ends here, and with it all that was not written."""


class Power:
    """Writes files, and fails at every single write: first before it, and when it is tried again after it."""

    def __init__(self) -> None:
        self.killed: Counter[tuple[str, str]] = Counter()
        self._is_next_done = False

    def write(self, path: Path, raw: bytes) -> None:
        """Write, or not; then the program is killed."""
        is_done, self._is_next_done = self._is_next_done, not self._is_next_done
        if is_done:
            write_atomic(path, raw)
        self.killed[path.name, "after" if is_done else "before"] += 1
        raise KillNow


class Killed:
    """A table whose host is killed at every write, and taken up again from its folder.

    Its files are written one by one where they change or, `is_beside`, together at the end of each request,
    as a server has them written.
    """

    def __init__(self, folder: Path, power: Power, *, is_beside: bool) -> None:
        self._folder, self._power, self._is_beside = folder, power, is_beside
        self._waiting: dict[Path, bytes] = {}
        self._table: Table | None = None
        self.do(lambda table: None, until=lambda table: True)

    def _up(self) -> Table:
        """Return the table, taken up again if its host was killed, with all who have a seat back."""
        if self._table is None:
            self._waiting.clear()
            if (self._folder / TABLE_NAME).exists():
                clear_drafts(self._folder)
                table = Table.resume(self._folder)
            else:
                table = new_table(self._folder, scenario=small_scenario())
            if self._is_beside:
                table.write_with(self._waiting.__setitem__)
            for guest in list(table.guests):
                table.return_(key(TOKENS[guest.side]))
            self._table = table
        return self._table

    def do(self, act: Callable[[Table], object], until: Callable[[Table], bool]) -> Table:
        """Ask for something until it has been done, however often the host is killed over it."""
        for _ in range(20):
            try:
                table = self._up()
                if until(table):
                    return table
                act(table)
                while self._waiting:
                    path = next(iter(self._waiting))
                    self._power.write(path, self._waiting.pop(path))
                assert until(table)  # what needed no writing
            except KillNow:
                self._table = None
        raise AssertionError("it never gets done")


def seat(table: Table, side: str) -> Guest:
    """Return who plays a side."""
    return next(one for one in table.guests if one.side == side)


def come_in(host: Killed, name: str, side: str) -> None:
    """Let somebody take a side."""
    host.do(
        lambda table: sit(table, name, side, name[0].lower(), TOKENS[side]),
        until=lambda table: any(one.side == side for one in table.guests),
    )


def choose_anything(host: Killed, table: Table, random: Random) -> tuple[Table, tuple[str, Any]]:
    """Let whoever is asked choose; return the table as it is then, and who chose what."""
    assert table.match is not None
    decision = next(one for one in table.match.decisions() if not one.optional)
    choice, side, length = decision.options.sample(random), decision.side, table.match.length
    table = host.do(
        lambda table: choose(table, seat(table, side), choice),
        until=lambda table: table.match is not None and table.match.length == length + 1,
    )
    return table, (side, msgspec.json.decode(msgspec.json.encode(RULES.pack_choice(choice))))


@pytest.mark.parametrize("is_beside", [False, True], ids=["at-once", "beside"])
def test_a_host_killed_at_every_write_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_beside: bool
) -> None:
    """Before and after each write of table and game: no seat, no line, no choice is lost or there twice."""
    power = Power()
    for module in (tables, table_file, matches):
        monkeypatch.setattr(module, "write_atomic", power.write)
    host = Killed(tmp_path, power, is_beside=is_beside)
    come_in(host, "Ann", T)
    come_in(host, "Bob", C)
    table = host.do(
        lambda table: ask(table, seat(table, T), "chat", text="good luck"),
        until=lambda table: any(line.text == "good luck" for line in table._chat),
    )
    assert sum(line.text == "good luck" for line in table._chat) == 1
    table = host.do(lambda table: open_shares(table, "a", "b"), until=lambda table: table.match is not None)
    random = Random(1)
    made = []
    while not table.is_over:
        table, choice = choose_anything(host, table, random)
        made.append(choice)
    record = load_record(tmp_path / GAME_NAME)
    assert [(one.side, one.choice) for one in record.choices] == made
    assert RaidReplay.of(record).length == len(made)
    assert faults(record, SIDES) == []
    assert {file for file, _ in power.killed} == {TABLE_NAME, GAME_NAME}
    for when in ("before", "after"):
        assert power.killed[TABLE_NAME, when] >= 4
        assert power.killed[GAME_NAME, when] > len(made)


class Lives:
    """A guest's bot, killed before and after each kind of write and started again with what was written.

    A kind is the record, or a ticket by what it has: a side, seals, the end, its secret still. Who is killed
    stands still where he is, and his next life has a copy of his folder as it was.
    """

    def __init__(self, folder: Path, invitation: Invitation, patch: pytest.MonkeyPatch) -> None:
        self._folder, self._invitation, self._patch = folder, invitation, patch
        self.killed: set[tuple[object, str]] = set()
        self.faults: tuple[str, ...] | None = None
        """What is wrong with the record, once one life has ended by itself."""
        self.heard: list[str] = []
        self._count = 0
        self._guard = threading.Lock()
        self._has_stopped = threading.Event()  # by a kill, or at the end
        self._is_done = threading.Event()
        self._threads: list[threading.Thread] = []

    @property
    def data(self) -> Path:
        """The folder of the present life."""
        return self._folder / str(self._count)

    def live(self) -> None:
        """Play to the end, as often as it takes."""
        self.data.mkdir(parents=True)
        try:
            while self.faults is None:
                assert self._count < 30
                self._has_stopped.clear()
                self._patch.setenv("KUNGFU2100_DATA", str(self.data))
                thread = threading.Thread(target=self._play, args=(self.data / "lan/tickets",), daemon=True)
                self._threads.append(thread)
                thread.start()
                assert self._has_stopped.wait(20.0), self.heard
        finally:
            self._is_done.set()
            for thread in self._threads:
                thread.join(20.0)

    def _play(self, folder: Path) -> None:
        ticket = next(iter(load_all(folder)), None)
        if ticket is not None and not ticket.token:  # the record is here, there is nothing to come back for
            self._stop(())
            return
        for way in (ticket, self._invitation):  # who was killed before he asked for a seat joins again
            if way is None or self._is_done.is_set():
                continue
            try:
                self._stop(BotGuest(way, "random", self.heard.append).play().verdict.faults)
                return
            except CannotPlay as error:
                self.heard.append(str(error))

    def _stop(self, found: tuple[str, ...]) -> None:
        self.faults = found
        self._has_stopped.set()

    def write(self, path: Path, raw: bytes) -> None:
        """Write as the program does, unless it is killed over it."""
        told = msgspec.json.decode(raw)
        kind = (
            tuple(bool(told.get(key)) for key in ("side", "seals", "is_over", "token"))
            if "token" in told
            else "record"
        )
        for when in ("before", "after"):
            with self._guard:
                if when == "after":
                    write_atomic(path, raw)
                is_killed = (kind, when) not in self.killed and path.is_relative_to(self.data)
                if is_killed:
                    self.killed.add((kind, when))
                    before = self.data
                    self._count += 1
                    shutil.copytree(before, self.data)
            if is_killed:
                self._has_stopped.set()
                self._is_done.wait()
                raise KillNow


def test_a_guest_killed_at_every_write_comes_back_to_his_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before and after each write of ticket and record: he has the same seat, and one sound record."""
    table = new_table(tmp_path / "table", scenario=small_scenario(), seats={C: "random"})
    identity = load_identity(tmp_path / "host")
    defaults = Link.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "look", None)
    monkeypatch.setattr(links, "FIRST_WAIT", 0.02)
    with hosted(Server([table], identity, "Attic", bind=LOOPBACK)) as host:
        invitation = Invitation(LOOPBACK, host.server.port, format_code("AB", SECRET), "Ann", T)
        lives = Lives(tmp_path / "guest", invitation, monkeypatch)
        told = threading.excepthook
        monkeypatch.setattr(
            threading, "excepthook", lambda args: told(args) if args.exc_type is not KillNow else None
        )
        for module in (tickets, game_files):
            monkeypatch.setattr(module, "write_atomic", lives.write)
        lives.live()
    assert lives.faults == ()
    assert [guest.name for guest in table.guests] == ["Ann"]
    (record,) = (lives.data / "games/finished").glob("*.json")
    assert record.read_bytes() == table.record_path.read_bytes()
    kinds = Counter(when for _, when in lives.killed)
    assert kinds["before"] == kinds["after"] >= 6, lives.killed
