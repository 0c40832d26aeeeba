"""Machines that claim to be hosts: what they say ends in one line, and never in a fault of the program."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.lan.certificate import Identity, host_context, load_identity
from app.lan.guest.calling import TOO_MUCH, Refused
from app.lan.guest.finding import Finder, Host
from app.lan.guest.inbox import Inbox
from app.lan.guest.link import Invitation, Link, LinkDown, LinkState, greet
from app.lan.guest.received import GREETING_LIMIT
from app.lan.places import parse_place
from engine.core.lan_protocol import LAN_VERSION, DoneAnswer, LanAnswer, TableAnswer, WelcomeAnswer
from engine.core.protocol import QuitAnswer, StateRequest
from engine.raid.figures import SIDES
from tests.helpers.fake_host import CODE, LOOPBACK, FakeHost, Script, Wire, welcome

WITHIN = 20.0  # seconds for what takes a fraction of one


@pytest.fixture
def identity(tmp_path: Path) -> Identity:
    """The certificate of a host."""
    return load_identity(tmp_path / "identity")


class Guest:
    """A link and what became of it."""

    def __init__(self, port: int, folder: Path) -> None:
        self.told: list[LanAnswer] = []
        self.states: list[LinkState] = []
        self._news = threading.Condition()
        way = Invitation(LOOPBACK, port, CODE, "Ann", "watch")
        self.link = Link(way, self.told.append, self._on_state, folder=folder, look=None)

    def close(self) -> None:
        """End the link."""
        self.link.close()

    def _on_state(self, state: LinkState) -> None:
        with self._news:
            self.states.append(state)
            self._news.notify_all()

    def wait_for(self, *kinds: str) -> LinkState:
        """Return the first state of one of these kinds."""
        with self._news:
            assert self._news.wait_for(lambda: any(one.kind in kinds for one in self.states), WITHIN)
            return next(one for one in self.states if one.kind in kinds)


@contextmanager
def web_server(identity: Identity, answer: bytes) -> Iterator[int]:
    """Answer everybody over TLS with the same bytes, as what is no host of the game may; yield the port."""
    context = host_context(identity)
    with socket.create_server((LOOPBACK, 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    plain, _ = server.accept()
                    with suppress(OSError), context.wrap_socket(plain, server_side=True) as line:
                        line.recv(65536)
                        line.sendall(answer)
                        line.recv(65536)

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)


def moved(to: str, status: str = "302 Found") -> bytes:
    """Return an answer that leads elsewhere."""
    return f"HTTP/1.1 {status}\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n".encode()


ANSWERS = {
    "elsewhere": moved("https://192.0.2.1/"),
    "to another port": moved("wss://kungfu2100:1/"),
    "without TLS": moved("ws://kungfu2100/"),
    "to itself": moved("/", "308 Permanent Redirect"),
    "to nonsense": moved("gopher://[x"),
    "a page": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    "no HTTP": b"220 mail.example ESMTP\r\n",
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
def test_what_leads_elsewhere_is_no_host(identity: Identity, answer: bytes) -> None:
    """A web server that redirects is followed nowhere: the list of games says that it is no host."""
    with web_server(identity, answer) as port, pytest.raises(LinkDown) as down:
        greet(LOOPBACK, port)
    assert "no host of this game" in down.value.reason


def test_a_guest_is_led_nowhere_else(identity: Identity, tmp_path: Path) -> None:
    """A link to a server that redirects ends as to any that is no host, without a fault of the program."""
    with (
        web_server(identity, moved("https://192.0.2.1/")) as port,
        closing(Guest(port, tmp_path / "a")) as ann,
    ):
        assert "no host of this game" in ann.wait_for("refused").reason


@pytest.mark.parametrize("address", ["an\x00na", "x" * 70, "a..b", "\udcff", "ann\u200b"])
def test_an_address_that_none_can_be_is_no_machine(address: str) -> None:
    """Pasted with what cannot be seen, or too long for a name: said in one line."""
    with pytest.raises(LinkDown) as down:
        greet(address, 21100)
    assert "no machine called" in down.value.reason
    assert down.value.reason.isprintable()


@pytest.mark.parametrize("typed", ["an\x00na", "anna\x07:21100", "ann\u200ba", "[fe80::1\x00]"])
def test_an_address_with_what_cannot_be_seen_is_refused_where_it_is_typed(typed: str) -> None:
    """It would look like another address."""
    with pytest.raises(ValueError, match="name of a machine"):
        parse_place(typed)


def greeting(**fields: Any) -> bytes:
    """Return the answer to a greeting that comes first."""
    sound = {"tell": "greet", "id": 1, "version": LAN_VERSION, "program": "x", "host": "x", "tables": []}
    return msgspec.json.encode({**sound, **fields})


def card(**fields: Any) -> dict[str, Any]:
    """Return a table's card."""
    seats = {side: {"player": ""} for side in SIDES}
    sound = {"table": "AB", "title": "t", "host": "h", "phase": "waiting", "seats": seats, "watchers": 0}
    return {**sound, **fields}


def says(raw: bytes) -> Script:
    """Return what a host does that answers a greeting so."""

    async def run(wire: Wire) -> None:
        await wire.hear()
        await wire.tell(raw)
        await wire.stay()

    return run


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (greeting(tables=[card(seats={"x": {"player": "client"}})]), "makes no sense"),
        (greeting(tables=[card(table=f"A{n % 10}") for n in range(2000)]), "makes no sense"),
        (greeting(version=10**400), "makes no sense"),
        (greeting(host="x" * GREETING_LIMIT), TOO_MUCH),
        (b"\x00", "makes no sense"),
    ],
)
def test_a_greeting_that_no_host_sends_is_its_hosts_problem(
    identity: Identity, raw: bytes, words: str
) -> None:
    """Sides that no game has, thousands of tables, megabytes: the list never sees them."""
    with FakeHost(identity, says(raw)) as host, pytest.raises(LinkDown, match=words):
        greet(LOOPBACK, host.port)


def test_what_a_host_calls_itself_is_one_short_line(identity: Identity) -> None:
    """Names and titles with line breaks and without end are cut to what the list has room for."""
    evil = "Ann\n\u202eevil" + "x" * 5000
    raw = greeting(host=evil, tables=[card(title=evil, host=evil)])
    with FakeHost(identity, says(raw)) as host:
        said, _ = greet(LOOPBACK, host.port)
    for text in (said.host, said.tables[0].title, said.tables[0].host):
        assert text.isprintable()
        assert len(text) <= 100


def test_a_fault_with_one_host_does_not_end_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a host brings about while it is asked, it stands in the list with a problem, and so on."""
    heard: list[tuple[Host, ...]] = []
    is_told = threading.Condition()

    def hear(hosts: tuple[Host, ...], told: str) -> None:
        with is_told:
            heard.append(hosts)
            is_told.notify_all()

    def break_down(address: str, port: int) -> Any:
        raise KeyError(address)

    monkeypatch.setattr("app.lan.network.discovery.Browser", NoBrowser)
    finder = Finder(hear, greeter=break_down)
    finder.start()
    try:
        for port in (1, 2):
            finder.look_at(("anna", port))
            with is_told:
                assert is_told.wait_for(lambda: heard and heard[-1] and heard[-1][0].port == port, WITHIN)  # noqa: B023
            assert "a fault" in heard[-1][0].problem
    finally:
        finder.stop()


class NoBrowser:
    """A search on a network where there is nothing."""

    told = ""

    def __init__(self, *what: Any) -> None: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...


def at_the_table(raw: bytes | Any) -> Script:
    """Return what a host does that lets a guest in and then says something."""

    async def run(wire: Wire) -> None:
        await wire.join()
        await wire.tell(raw)
        await wire.stay()

    return run


def people(**fields: Any) -> bytes:
    """Return what is told of a table's people."""
    sound = {
        "tell": "table",
        "card": card(),
        "watchers": [],
        "is_paused": False,
        "asks": [],
        "clocks": {},
        "code": "",
        "notice": "",
    }
    return msgspec.json.encode({**sound, **fields})


@pytest.mark.parametrize(
    "raw",
    [
        people(card=card(seats={})),
        people(clocks={SIDES[0]: {"left": 10**400, "runs": True}}),
        people(code="??"),
        b'{"tell": "chatted", "number": -1, "side": "", "name": "", "text": ""}',
        DoneAnswer(),
        QuitAnswer(),
        welcome(),
    ],
)
def test_what_no_table_tells_never_reaches_the_window(identity: Identity, tmp_path: Path, raw: Any) -> None:
    """Nonsense of people, clocks and chat, and answers to no question: the connection ends with one line."""
    with FakeHost(identity, at_the_table(raw)) as host, closing(Guest(host.port, tmp_path / "a")) as ann:
        state = ann.wait_for("refused")
        assert state.reason.startswith("the host sent what makes no sense")
        assert [type(one) for one in ann.told] == [WelcomeAnswer]


def test_words_of_a_table_reach_the_window_cut_to_length(identity: Identity, tmp_path: Path) -> None:
    """A notice of megabytes is a sentence when it comes to the window."""
    raw = people(notice="The disk is full.\n" * 200_000)
    with FakeHost(identity, at_the_table(raw)) as host, closing(Guest(host.port, tmp_path / "a")) as ann:
        wait(lambda: any(isinstance(one, TableAnswer) for one in ann.told))
        (table,) = (one for one in ann.told if isinstance(one, TableAnswer))
        assert len(table.notice) <= 400
        assert table.notice.isprintable()


def test_a_question_nobody_waits_for_any_more_is_forgotten(identity: Identity, tmp_path: Path) -> None:
    """A host that answers nothing fills no memory here with what it was asked."""

    async def ignore(wire: Wire) -> None:
        await wire.join()
        await wire.stay()

    with FakeHost(identity, ignore) as host, closing(Guest(host.port, tmp_path / "a")) as ann:
        ann.wait_for("connected")
        for _ in range(5):
            with pytest.raises(LinkDown, match="has not answered"):
                ann.link.ask(StateRequest(), 0.01)
        wait(lambda: not ann.link._waiting)


def test_a_link_whose_host_tells_too_much_says_so(identity: Identity, tmp_path: Path) -> None:
    """Where an inbox takes no more, the state of the connection still comes through, with the reason."""

    class Small(Inbox):
        """An inbox that takes in no tables."""

        def put(self, news: Any) -> None:
            if isinstance(news, TableAnswer):
                raise Refused("the host tells more than any game has")
            super().put(news)

    inbox = Small()
    way = Invitation(LOOPBACK, 0, CODE, "Ann", "watch")
    with FakeHost(identity, at_the_table(people())) as host:
        link = Link(way._replace(port=host.port), inbox.put, inbox.put, folder=tmp_path / "a", look=None)
        with closing(link):
            wait(lambda: link.state.kind == "refused")
            assert link.state.reason == "the host tells more than any game has"
    states = [one for one in iter(inbox.take, None) if isinstance(one, LinkState)]
    assert states[-1].kind == "refused"


def wait(holds: Callable[[], bool]) -> None:
    """Wait until something is so."""
    until = time.monotonic() + WITHIN
    while not holds() and time.monotonic() < until:
        time.sleep(0.005)
    assert holds()
