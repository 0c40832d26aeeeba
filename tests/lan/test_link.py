"""A guest's connection: to his host and nobody else, back by itself, and one clear line where it cannot."""

from __future__ import annotations

import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.lan.certificate import Identity, load_identity
from app.lan.codes import format_code
from app.lan.guest import calling
from app.lan.guest import link as links
from app.lan.guest.link import Invitation, Link, LinkDown, LinkState, greet
from app.lan.guest.tickets import Ticket, load_all
from app.lan.host.folder import HostFolder
from app.lan.host.server import HostThread, Server
from app.lan.host.table import Options, Table
from app.lan.network import advert, discovery
from app.lan.network.advert import NAME_LENGTH
from app.lan.network.discovery import Announcer, Browser, Found
from app.lan.places import parse_place, place_words
from engine.core.lan_protocol import (
    ANY,
    DEFAULT_PORT,
    LAN_VERSION,
    WATCH,
    ChatRequest,
    ChattedAnswer,
    DoneAnswer,
    LanAnswer,
    ProveRequest,
    ReturnRequest,
    SeatCard,
    TableAnswer,
    TableCard,
    UpdateAnswer,
    WelcomeAnswer,
)
from engine.core.protocol import CLIENT, QuitAnswer, QuitRequest, Refusal, StateAnswer, StateRequest
from engine.raid.figures import SIDES
from engine.raid.scenario import load_scenario
from tests.helpers import fake_host
from tests.helpers.fake_host import CODE, COMMITMENT, LOOPBACK, FakeHost, Wire, welcome

WITHIN = 20.0  # seconds for what takes a fraction of one


class Guest:
    """A link with what it told; `folder` has its tickets."""

    def __init__(self, way: Ticket | Invitation, folder: Path, look: Any = None) -> None:
        self.folder = folder
        self.told: list[LanAnswer] = []
        self.states: list[LinkState] = []
        self._news = threading.Condition()
        self.link = Link(way, self._on_told, self._on_state, folder=folder, look=look)

    def close(self) -> None:
        """End the link."""
        self.link.close()

    def _on_told(self, answer: LanAnswer) -> None:
        with self._news:
            self.told.append(answer)
            self._news.notify_all()

    def _on_state(self, state: LinkState) -> None:
        with self._news:
            self.states.append(state)
            self._news.notify_all()

    def wait(self, holds: Callable[[], bool]) -> None:
        """Wait until what has come makes something true."""
        with self._news:
            assert self._news.wait_for(holds, WITHIN), self.states

    def wait_for(self, kind: str, times: int = 1) -> LinkState:
        """Return the state of a kind, once it was told so often."""
        self.wait(lambda: sum(state.kind == kind for state in self.states) >= times)
        return [state for state in self.states if state.kind == kind][times - 1]

    def wait_told(self, kind: type[LanAnswer], times: int = 1) -> Any:
        """Return what was told of a kind, once there is so much of it."""
        self.wait(lambda: sum(isinstance(one, kind) for one in self.told) >= times)
        return [one for one in self.told if isinstance(one, kind)][times - 1]

    @property
    def ticket(self) -> Ticket:
        """The one ticket in the folder."""
        (found,) = load_all(self.folder)
        return found


def invite(port: int, code: str = CODE, name: str = "Ann", seat: str = "") -> Invitation:
    """Return an invitation to a host on loopback; a fake one only lets look on."""
    return Invitation(LOOPBACK, port, code, name, seat or (WATCH if code == CODE else ANY))


@pytest.fixture
def identity(tmp_path: Path) -> Identity:
    """The certificate of a host."""
    return load_identity(tmp_path / "identity")


class Attic:
    """A real host with one table."""

    def __init__(self, folder: Path) -> None:
        self.folder = HostFolder(folder)
        options = Options(
            title="Basic",
            host="Attic",
            scenario=load_scenario("basic"),
            seats={SIDES[0]: CLIENT, SIDES[1]: "rulebook"},
        )
        self.table = self.folder.new_table(options)
        self.port = 0

    @property
    def code(self) -> str:
        """The table's join code."""
        return format_code(self.table.name, self.table.secret)

    @contextmanager
    def open(self, table: Table | None = None, *, is_moved: bool = False) -> Iterator[HostThread]:
        """Host at the port it had before, if it had one and has not moved."""
        port = 0 if is_moved else self.port
        server = Server([table or self.table], self.folder.identity, "Attic", bind=LOOPBACK, port=port)
        thread = HostThread(server)
        self.port = thread.start()
        try:
            yield thread
        finally:
            thread.stop()


@pytest.fixture
def attic(tmp_path: Path) -> Iterator[Attic]:
    """A real host, not open yet."""
    host = Attic(tmp_path / "host")
    yield host
    host.folder.close()


# Coming in


def test_a_guest_joins_by_code_and_is_told_of_table_and_game(attic: Attic, tmp_path: Path) -> None:
    """The code may be typed in any way; the welcome comes first, then the table and the game."""
    with (
        attic.open(),
        closing(Guest(invite(attic.port, attic.code.lower().replace("-", " ")), tmp_path / "a")) as ann,
    ):
        ann.wait_told(UpdateAnswer)
        assert isinstance(ann.told[0], WelcomeAnswer)
        assert ann.wait_told(TableAnswer).card.title == "Basic"
        assert isinstance(ann.link.ask(StateRequest()), StateAnswer)
        assert [state.kind for state in ann.states] == ["connecting", "connected"]


def test_the_way_back_is_kept_for_this_user_alone(attic: Attic, tmp_path: Path) -> None:
    """The ticket holds the secret token, so nobody else on the machine may read it."""
    with attic.open(), closing(Guest(invite(attic.port, attic.code), tmp_path / "a")) as ann:
        ann.wait_for("connected")
        ticket = ann.ticket
        assert (ticket.host, ticket.title, ticket.side) == ("Attic", "Basic", SIDES[0])
        assert ticket.fingerprint == attic.folder.identity.fingerprint
        if os.name == "posix":
            assert ticket.path(ann.folder).stat().st_mode & 0o077 == 0


def test_a_guest_whose_program_was_killed_returns_to_his_seat(attic: Attic, tmp_path: Path) -> None:
    """His ticket is enough; the code is not asked for again."""
    with attic.open():
        with closing(Guest(invite(attic.port, attic.code), tmp_path / "a")) as ann:
            side = ann.wait_told(WelcomeAnswer).side
        with closing(Guest(ann.ticket, tmp_path / "a")) as again:
            assert again.wait_told(WelcomeAnswer).side == side
            assert again.wait_told(UpdateAnswer).told[side].since == 0


@pytest.mark.parametrize(
    ("code", "kind"), [("AB7K-2QXM", "no-table"), ("XX", ""), ("", ""), ("WRONG", "wrong-code")]
)
def test_a_wrong_code_is_refused_in_a_line_and_leaves_nothing(
    attic: Attic, tmp_path: Path, code: str, kind: str
) -> None:
    """What is no code, one of no table, and one that is not the table's."""
    if code == "WRONG":
        code = format_code(attic.table.name, "222222" if attic.table.secret != "222222" else "333333")
    elif code.startswith("AB") and attic.table.name == "AB":
        pytest.skip("by chance this is the table's name")
    with attic.open(), closing(Guest(invite(attic.port, code), tmp_path / "a")) as ann:
        state = ann.wait_for("refused")
        assert state.reason
        assert "\n" not in state.reason
        assert state.refusal == kind
        assert load_all(tmp_path / "a") == []


def test_whoever_answers_without_knowing_the_code_is_not_taken_for_the_host(
    identity: Identity, tmp_path: Path
) -> None:
    """A stranger who lets everybody in cannot prove that he has the code."""

    async def pretend(wire: Wire) -> None:
        await wire.greet()
        request, _ = await wire.agree()
        await wire.tell(welcome("f" * 64), request)
        await wire.stay()

    with FakeHost(identity, pretend) as host, closing(Guest(invite(host.port), tmp_path / "a")) as ann:
        assert "does not know the join code" in ann.wait_for("refused").reason
        assert load_all(tmp_path / "a") == []
        assert not any(isinstance(one, WelcomeAnswer) for one in ann.told)


def test_the_token_comes_back_where_the_welcome_was_lost(identity: Identity, tmp_path: Path) -> None:
    """Cut off between proof and welcome, a guest tries his token, and else joins anew with the same one."""

    async def cut_off(wire: Wire) -> None:
        await wire.greet()
        await wire.agree()

    async def forget(wire: Wire) -> None:
        await wire.greet()
        request = await wire.hear()
        assert isinstance(request, ReturnRequest)
        await wire.tell(Refusal("no-table", "nobody with this token sits here").answer(0), request)
        await wire.prove()
        await wire.stay()

    with (
        FakeHost(identity, cut_off, forget) as host,
        closing(Guest(invite(host.port, seat=ANY), tmp_path / "a")) as ann,
    ):
        ann.wait_for("connected")
        first, second = (one for one in host.heard if isinstance(one, ProveRequest))
        returned = next(one for one in host.heard if isinstance(one, ReturnRequest))
        assert first.token == second.token == returned.token == ann.ticket.token
        assert first.seals == second.seals
        assert first.seals.keys() == set(SIDES)


def test_who_gives_up_between_proof_and_welcome_leaves_nothing(identity: Identity, tmp_path: Path) -> None:
    """He quits on the same line, so that the seat is free, and no ticket comes after he has closed it."""
    has_proved, has_quit = threading.Event(), threading.Event()

    async def hold_back(wire: Wire) -> None:
        await wire.greet()
        request, side = await wire.agree()
        assert side.accepts(request.proof, COMMITMENT)
        has_proved.set()
        quitting = await wire.hear()
        assert isinstance(quitting, QuitRequest)
        await wire.tell(welcome(side.proof()), request)
        await wire.tell(QuitAnswer(), quitting)
        has_quit.set()

    with FakeHost(identity, hold_back) as host, closing(Guest(invite(host.port), tmp_path / "a")) as ann:
        assert has_proved.wait(WITHIN)
        assert len(load_all(tmp_path / "a")) == 1
        ann.link.close(for_good=True)
        assert has_quit.wait(WITHIN)
        assert load_all(tmp_path / "a") == []
        assert ann.states[-1].kind == "closed"
        assert not any(isinstance(one, WelcomeAnswer) for one in ann.told)


def test_who_leaves_for_good_frees_his_seat(attic: Attic, tmp_path: Path) -> None:
    """At once, also where the line has its welcome; who only closes it has the seat still."""
    seats = dict.fromkeys(SIDES, CLIENT)
    table = attic.folder.new_table(
        Options(title="Basic", host="Attic", scenario=load_scenario("basic"), seats=seats)
    )
    with attic.open(table) as thread:
        for name, is_for_good in (("Ann", True), ("Bob", False)):
            ann = Guest(invite(attic.port, format_code(table.name, table.secret), name), tmp_path / name)
            ann.wait_told(TableAnswer)
            ann.link.close(for_good=is_for_good)
            assert len(load_all(tmp_path / name)) == (not is_for_good)
        assert thread.call(lambda: [one.name for one in table.guests]) == ["Bob"]


# Nobody else


def test_a_token_is_never_shown_to_another_certificate(identity: Identity, tmp_path: Path) -> None:
    """Whoever takes the host's address over gets not a byte of the protocol, and the guest says why."""

    async def stay(wire: Wire) -> None:
        await wire.join()
        await wire.stay()

    with FakeHost(identity, stay) as host, closing(Guest(invite(host.port), tmp_path / "a")) as ann:
        ann.wait_for("connected")
    ticket = ann.ticket
    stranger = load_identity(tmp_path / "stranger")
    with FakeHost(stranger, stay, port=host.port) as other, closing(Guest(ticket, tmp_path / "a")) as ann:
        assert "another host" in ann.wait_for("lost", 2).reason
        assert other.visits >= 2
        assert other.heard == []


# Lost and found again


def test_a_guest_comes_back_by_himself_when_the_host_is_back(attic: Attic, tmp_path: Path) -> None:
    """The host is killed and started again; nobody has to do anything."""
    with attic.open():
        ann = Guest(invite(attic.port, attic.code), tmp_path / "a")
        ann.wait_told(UpdateAnswer)
    with closing(ann):
        lost = ann.wait_for("lost")
        assert "trying again" in lost.reason
        with pytest.raises(LinkDown):
            ann.link.ask(StateRequest())
        with attic.open(Table.resume(attic.table.folder)):
            ann.wait_for("connected", 2)
            ann.wait_told(WelcomeAnswer, 2)
            assert isinstance(ann.link.ask(StateRequest()), StateAnswer)


def test_a_host_that_is_back_at_another_address_is_followed(
    identity: Identity, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is known by its certificate, whatever it calls itself; others that are announced are not tried."""
    monkeypatch.setattr(links, "LOOK_AROUND", 0.0)

    async def stay(wire: Wire) -> None:
        await wire.join()
        await wire.stay()

    async def come_back(wire: Wire) -> None:
        await wire.greet()
        await wire.tell(welcome(), await wire.hear())
        await wire.stay()

    stranger = load_identity(tmp_path / "stranger")
    with FakeHost(identity, stay) as host:
        search = Search()
        ann = Guest(invite(host.port), tmp_path / "a", search)
        ann.wait_for("connected")
    with closing(ann), FakeHost(stranger, come_back) as other, FakeHost(identity, come_back) as moved:
        search.wait()
        search.found(
            Found("Fake", LOOPBACK, other.port, LAN_VERSION, stranger.fingerprint),
            Found("Renamed", LOOPBACK, moved.port, LAN_VERSION, identity.fingerprint),
        )
        ann.wait_for("connected", 2)
        assert ann.ticket.port == moved.port
        assert other.visits == 0
        assert moved.heard[-1] == ReturnRequest(id=2, table="AB", token=ann.ticket.token)
        search.wait_stopped()


def test_a_host_that_has_moved_is_found_by_the_real_search(
    attic: Attic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Announced on loopback at another port, as after a restart that did not get the old one."""
    name = f"_kf{secrets.token_hex(5)}._tcp.local."  # all programs of a machine hear each other
    monkeypatch.setattr(discovery, "SERVICE_TYPE", name)
    monkeypatch.setattr(advert, "SERVICE_TYPE", name)
    monkeypatch.setattr(links, "LOOK_AROUND", 0.0)
    with attic.open():
        ann = Guest(invite(attic.port, attic.code), tmp_path / "a", search_loopback)
        ann.wait_for("connected")
    with closing(ann), attic.open(Table.resume(attic.table.folder), is_moved=True):
        announcer = Announcer("Attic", attic.port, attic.folder.identity.fingerprint, LAN_VERSION, [LOOPBACK])
        announcer.start()
        try:
            ann.wait_for("connected", 2)
        finally:
            announcer.stop()
        assert ann.ticket.port == attic.port
        assert isinstance(ann.link.ask(StateRequest()), StateAnswer)


def search_loopback(on_change: Callable[[tuple[Found, ...]], None]) -> Browser:
    """Search where the tests may."""
    return Browser(on_change, [LOOPBACK])


class Search:
    """A search of the network whose finds a test makes up."""

    def __init__(self) -> None:
        self._on_change: Callable[[tuple[Found, ...]], None] | None = None
        self._has_begun, self._has_ended = threading.Event(), threading.Event()

    def __call__(self, on_change: Callable[[tuple[Found, ...]], None]) -> Search:
        self._on_change = on_change
        return self

    def start(self) -> None:
        """Begin."""
        self._has_begun.set()

    def stop(self) -> None:
        """End."""
        self._has_ended.set()

    def wait(self) -> None:
        """Wait until it has begun."""
        assert self._has_begun.wait(WITHIN)

    def wait_stopped(self) -> None:
        """Wait until it is over."""
        assert self._has_ended.wait(WITHIN)

    def found(self, *hosts: Found) -> None:
        """Tell of hosts."""
        assert self._on_change is not None
        self._on_change(hosts)


def test_two_programs_at_one_seat_do_not_throw_each_other_out_for_ever(attic: Attic, tmp_path: Path) -> None:
    """The later one keeps the seat, the other says why it has lost it."""
    with attic.open(), closing(Guest(invite(attic.port, attic.code), tmp_path / "a")) as old:
        old.wait_for("connected")
        with closing(Guest(old.ticket, tmp_path / "a")) as new:
            assert "open in another window" in old.wait_for("refused").reason
            new.wait(lambda: new.link.state.kind == "connected")
            assert isinstance(new.link.ask(StateRequest()), StateAnswer)


def test_a_host_that_plays_another_game_meanwhile_is_waited_for(
    identity: Identity, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may host the guest's game again at any time: he is told how it is, and nothing is given up."""
    monkeypatch.setattr(links, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(links, "LAST_WAIT", 0.02)

    async def stay(wire: Wire) -> None:
        await wire.join()

    async def forget(wire: Wire) -> None:
        await wire.greet()
        reason = "no game here has a code that begins with AB"
        await wire.tell(Refusal("no-table", reason).answer(0), await wire.hear())
        await wire.stay()

    with FakeHost(identity, stay, forget) as host, closing(Guest(invite(host.port), tmp_path / "a")) as ann:
        ann.wait(lambda: host.visits > 3 * links.REFUSALS)
        state = ann.link.state
        assert (state.kind, state.refusal) == ("lost", "no-table")
        assert state.reason.startswith(f"{fake_host.NAME} does not host this game at the moment")


def test_a_host_who_stops_on_purpose_is_said_to_have_stopped(attic: Attic, tmp_path: Path) -> None:
    """It is no broken line, also once nobody answers there any more; only a return ends it."""
    with attic.open():
        ann = Guest(invite(attic.port, attic.code), tmp_path / "a")
        ann.wait_told(UpdateAnswer)
    with closing(ann):
        ann.wait(lambda: len([one for one in ann.states if one.kind == "lost"]) > 1)
        lost = [one for one in ann.states if one.kind == "lost"]
        assert {one.refusal for one in lost} == {"closing"}
        assert {one.reason.partition(";")[0] for one in lost} == {"Attic has stopped hosting for now"}
        with attic.open(Table.resume(attic.table.folder)):
            ann.wait_for("connected", 2)
            assert ann.link.state.refusal == ""


def test_a_host_without_the_seat_is_given_up_after_a_while(
    identity: Identity, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that does not know this seat never will: the guest is told so."""
    seats = dict.fromkeys(SIDES, SeatCard(player=CLIENT, name="Bob"))
    card = TableCard(table=CODE[:2], title="Basic", host="Ann", phase="playing", seats=seats, watchers=0)
    monkeypatch.setattr(links, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(links, "LAST_WAIT", 0.02)

    async def forget(wire: Wire) -> None:
        await wire.greet(tables=(card,))
        reason = "this table knows of no seat of yours"
        await wire.tell(Refusal("no-table", reason).answer(0), await wire.hear())
        await wire.stay()

    async def stay(wire: Wire) -> None:
        await wire.join()

    with FakeHost(identity, stay, forget) as host, closing(Guest(invite(host.port), tmp_path / "a")) as ann:
        assert ann.wait_for("refused").reason == "this table knows of no seat of yours"
        assert host.visits == 1 + links.REFUSALS


def test_a_lost_host_is_noticed_within_ten_seconds(
    identity: Identity, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host whose machine has died says nothing more; here both times are a hundredth of theirs."""
    assert calling.PING + calling.PING_LIMIT + 1.0 <= 8.0  # of 10, for busy machines
    monkeypatch.setattr(calling, "PING", calling.PING / 20)
    monkeypatch.setattr(calling, "PING_LIMIT", calling.PING_LIMIT / 20)

    async def die(wire: Wire) -> None:
        await wire.join()
        time.sleep(1.2)  # the whole host with it

    with FakeHost(identity, die) as host, closing(Guest(invite(host.port), tmp_path / "a")) as ann:
        ann.wait_for("connected")
        assert "does not answer" in ann.wait_for("lost").reason


def test_nobody_at_the_address_is_said_soon(tmp_path: Path) -> None:
    """Who has typed an address wants to know at once that nobody is there."""
    with socket.socket() as free:
        free.bind((LOOPBACK, 0))
        port = free.getsockname()[1]
        # Bound but not listening: nobody else takes the port meanwhile.
        with closing(Guest(invite(port), tmp_path / "a")) as ann:
            assert ann.wait_for("refused").reason == f"nobody hosts a game at {LOOPBACK}:{port}"


def test_what_is_no_host_is_said_to_be_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something else listens there: a printer, say, that hangs up on what it does not understand."""
    monkeypatch.setattr(links, "FIRST_WAIT", 0.01)
    with socket.create_server((LOOPBACK, 0)) as printer:

        def answer() -> None:
            for _ in range(links.TRIES):
                line, _ = printer.accept()
                with line:
                    line.recv(1000)
                    line.sendall(b"@PJL ERROR\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with closing(Guest(invite(printer.getsockname()[1]), tmp_path / "a")) as ann:
            assert "no host of this game" in ann.wait_for("refused").reason
        thread.join()


# One clear line


def test_another_version_is_told_in_one_line(identity: Identity, tmp_path: Path) -> None:
    """Whether the host refuses the greeting or answers it in its own version."""

    async def refuse(wire: Wire) -> None:
        request = await wire.hear()
        reason = "kungfu2100 0.1 speaks version 1 of the messages, but this host version 99"
        await wire.tell(Refusal("version", reason).answer(1), request)
        await wire.stay()

    async def answer(wire: Wire) -> None:
        await wire.greet(99)
        await wire.stay()

    for script in (refuse, answer):
        with FakeHost(identity, script) as host, closing(Guest(invite(host.port), tmp_path / "a")) as ann:
            state = ann.wait_for("refused")
            assert state.refusal == "version"
            assert "99" in state.reason
            assert str(LAN_VERSION) in state.reason
            assert "\n" not in state.reason


@pytest.mark.parametrize(
    "nonsense",
    [
        b"hello",
        b"{}",
        b'{"tell": "update"}',
        b'{"tell": "table", "card": 5}',
        b"[" * 200_000,
        b'{"tell": "choose"}',
        b'\xff\xfe{"tell": "done"}',
    ],
)
def test_nonsense_ends_the_connection_with_one_line(
    identity: Identity, tmp_path: Path, nonsense: bytes
) -> None:
    """What is no message of a host is not tried again; the ticket stays, as it may have been an accident."""

    async def babble(wire: Wire) -> None:
        await wire.join()
        await wire.connection.send(nonsense, text=not nonsense.startswith(b"\xff"))
        await wire.stay()

    with FakeHost(identity, babble) as host, closing(Guest(invite(host.port), tmp_path / "a")) as ann:
        state = ann.wait_for("refused")
        assert state.reason.startswith("the host sent what makes no sense")
        assert "\n" not in state.reason
        assert len(state.reason) < 400
        assert ann.ticket.table == "AB"


def test_a_message_too_large_for_any_ends_the_connection(
    identity: Identity, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host cannot fill a guest's memory."""
    monkeypatch.setattr(calling, "HOST_LIMIT", 10_000)

    async def flood(wire: Wire) -> None:
        await wire.join()
        await wire.connection.send(b"x" * 10_001, text=True)
        await wire.stay()

    with FakeHost(identity, flood) as host, closing(Guest(invite(host.port), tmp_path / "a")) as ann:
        assert "more at once" in ann.wait_for("refused").reason


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"side": "nobody"}, "no game has"),
        ({"side": SIDES[0]}, "another side than before"),
        ({"commitment": "d" * 64}, "sealed its dice anew"),
    ],
)
def test_a_welcome_to_another_game_is_not_taken(
    identity: Identity, tmp_path: Path, fields: dict[str, Any], words: str
) -> None:
    """A host that is back cannot change what it has given its word on before the game began."""

    async def hang_up(wire: Wire) -> None:
        await wire.join()

    async def change(wire: Wire) -> None:
        await wire.greet()
        await wire.tell(msgspec.structs.replace(welcome(), **fields), await wire.hear())
        await wire.stay()

    host = FakeHost(identity, hang_up, change)
    with host, closing(Guest(invite(host.port), tmp_path / "a")) as ann:
        assert words in ann.wait_for("refused").reason
        assert ann.ticket.side == ""


def test_a_host_with_a_long_name_leaves_a_ticket_that_can_be_read(
    identity: Identity, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names are the host's to choose, but the way back must not depend on them."""
    monkeypatch.setattr(fake_host, "NAME", "x" * 5000)

    async def stay(wire: Wire) -> None:
        await wire.join()
        await wire.stay()

    with FakeHost(identity, stay) as host, closing(Guest(invite(host.port), tmp_path / "a")) as ann:
        ann.wait_for("connected")
        assert ann.ticket.host == "x" * (NAME_LENGTH - 1) + "…"


def test_a_host_that_floods_is_read_slowly(
    identity: Identity, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it says without end must not fill a guest's memory."""
    monkeypatch.setattr(links, "MESSAGES", 200.0)
    monkeypatch.setattr(links, "MESSAGE_BURST", 20)
    sent = 0

    async def flood(wire: Wire) -> None:
        nonlocal sent
        await wire.join()
        while sent < 300:
            await wire.tell(ChattedAnswer(number=sent, side="", name="Ann", text="x"))
            sent += 1
        await wire.stay()

    began = time.monotonic()
    with FakeHost(identity, flood) as host, closing(Guest(invite(host.port), tmp_path / "a")) as ann:
        ann.wait_told(ChattedAnswer, 100)
        assert time.monotonic() - began >= (100 - 20) / 200.0


def test_the_window_that_came_last_keeps_the_seat(identity: Identity, tmp_path: Path) -> None:
    """Whose connection was taken over does not take it back, but says where the seat is now."""

    async def hand_over(wire: Wire) -> None:
        await wire.join()
        await wire.tell(Refusal("ended", "your seat is open in another window of this program now").answer(0))
        await wire.stay()

    with FakeHost(identity, hand_over) as host, closing(Guest(invite(host.port), tmp_path / "a")) as ann:
        assert "another window" in ann.wait_for("refused").reason
        assert host.visits == 1
        assert ann.ticket.token


# Asking


def test_answers_find_their_questions_whatever_comes_between(identity: Identity, tmp_path: Path) -> None:
    """Answers in another order, one to nobody's question, and what the host tells by itself."""

    async def mix(wire: Wire) -> None:
        await wire.join()
        first, second = await wire.hear(), await wire.hear()
        assert first.id < second.id
        await wire.tell(DoneAnswer(id=999))
        await wire.tell(Refusal("taken", f"not {second.text}").answer(1), second)
        await wire.tell(DoneAnswer(), first)
        await wire.stay()

    with FakeHost(identity, mix) as host, closing(Guest(invite(host.port), tmp_path / "a")) as ann:
        ann.wait_for("connected")
        results: dict[str, object] = {}

        def ask(text: str) -> None:
            try:
                results[text] = ann.link.ask(ChatRequest(text=text), WITHIN)
            except Refusal as refusal:
                results[text] = refusal.reason

        threads = [threading.Thread(target=ask, args=(text,)) for text in ("a", "b")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(map(type, results.values()), key=str) == sorted([DoneAnswer, str], key=str)


def test_a_question_ends_when_the_connection_does_or_the_time(identity: Identity, tmp_path: Path) -> None:
    """Whoever waits for an answer is not left waiting; afterwards he is told at once."""

    async def hang_up(wire: Wire) -> None:
        await wire.join()
        await wire.hear()
        await wire.hear()

    with FakeHost(identity, hang_up, hang_up) as host:
        with closing(Guest(invite(host.port), tmp_path / "a")) as ann:
            ann.wait_for("connected")
            with pytest.raises(LinkDown, match="has not answered"):
                ann.link.ask(StateRequest(), within=0.05)
            with pytest.raises(LinkDown, match="lost"):  # and not that the time is over
                ann.link.ask(StateRequest(), within=WITHIN)
        with pytest.raises(LinkDown):
            ann.link.ask(StateRequest())


def test_closing_ends_the_thread_at_once(identity: Identity, tmp_path: Path) -> None:
    """Also while a host that says nothing is being greeted."""

    async def say_nothing(wire: Wire) -> None:
        await wire.stay()

    with FakeHost(identity, say_nothing) as host:
        ann = Guest(invite(host.port), tmp_path / "a")
        ann.wait(lambda: host.visits > 0 or bool(ann.states))
        ann.close()
        assert ann.states[-1].kind == "closed"
        assert not ann.link._thread.is_alive()


# Greeting and addresses


def test_a_host_tells_its_tables_to_whoever_greets_it(attic: Attic) -> None:
    """A list of games needs no code; a host that is gone is said to be."""
    with attic.open():
        greeting = greet(LOOPBACK, attic.port)
        assert [card.title for card in greeting.host.tables] == ["Basic"]
        assert greeting.fingerprint == attic.folder.identity.fingerprint
    with pytest.raises(LinkDown, match="nobody hosts"):
        greet(LOOPBACK, attic.port)


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("anna-pc", ("anna-pc", DEFAULT_PORT)),
        (" 192.168.1.5 ", ("192.168.1.5", DEFAULT_PORT)),
        ("192.168.1.5:80", ("192.168.1.5", 80)),
        ("fe80::1", ("fe80::1", DEFAULT_PORT)),
        ("[fe80::1%eth0]:5", ("fe80::1%eth0", 5)),
        ("[::1]", ("::1", DEFAULT_PORT)),
    ],
)
def test_an_address_is_read_as_people_type_it(typed: str, place: tuple[str, int]) -> None:
    """With a port or without, by name, number, or in brackets."""
    assert parse_place(typed) == place
    assert parse_place(place_words(*place)) == place


@pytest.mark.parametrize(
    "typed", ["", " ", ":5", "a b", "a:0", "a:65536", "a:x", "a:-1", "[::1", "[::1]5", "a/b"]
)
def test_what_is_no_address_says_why(typed: str) -> None:
    """A line for whoever typed it."""
    with pytest.raises(ValueError, match=r"address|port"):
        parse_place(typed)


# Tickets


def test_tickets_are_listed_the_latest_first_and_what_is_none_is_passed_over(tmp_path: Path) -> None:
    """A damaged file, one under another's name, and one with a path in it lead nowhere."""
    ticket = Ticket(
        id="0" * 16,
        table="AB",
        address=LOOPBACK,
        port=1,
        host="h",
        fingerprint="f",
        token="a" * 64,
        side="",
        seat="any",
        name="Ann",
        title="Basic",
        commitment="b" * 64,
        share="c" * 64,
    )
    later = msgspec.structs.replace(ticket, id="1" * 16)
    for number, one in enumerate((ticket, later)):
        one.save(tmp_path)
        os.utime(one.path(tmp_path), (number, number))
    (tmp_path / "2222222222222222.json").write_bytes(ticket.path(tmp_path).read_bytes())
    (tmp_path / "3333333333333333.json").write_text("{}")
    (tmp_path / "4444444444444444.json").write_bytes(b"\0" * 100)
    wrong = ticket.path(tmp_path).read_text("utf-8").replace("0" * 16, "../../evil")
    (tmp_path / "5555555555555555.json").write_text(wrong)
    assert load_all(tmp_path) == [later, ticket]
    later.drop(tmp_path)
    later.drop(tmp_path)
    assert load_all(tmp_path) == [ticket]
    assert load_all(tmp_path / "nowhere") == []
