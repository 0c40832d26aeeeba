"""A host under siege: wrong messages and connections of every kind, while two people play on.

Run it as a program for the whole: `python -m tests.lan.test_hostile 20000` sends so many messages and prints
what they cost.
"""

from __future__ import annotations

import ast
import logging
import os
import sys
import tempfile
import threading
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from websockets.exceptions import ConnectionClosed

import app.lan
from app.lan import limits
from app.lan.certificate import load_identity
from app.lan.host.server import HostThread, Server
from app.lan.host.table import WATCHERS, Options, Table
from engine.core import lan_protocol, protocol
from engine.core.lan_protocol import (
    GUEST_LIMIT,
    LAN_ERRORS,
    ChatRequest,
    JoinAnswer,
    JoinRequest,
    LanAnswer,
    ReturnRequest,
    UpdateAnswer,
    WelcomeAnswer,
)
from engine.core.protocol import (
    CLIENT,
    ERRORS,
    ChooseRequest,
    ErrorAnswer,
    OptionsAnswer,
    OptionsRequest,
    SeatRequest,
    StateAnswer,
    StateRequest,
)
from engine.core.shares import faults, make_share
from engine.raid.figures import CLONEMASTER, SIDES, TERMINATOR
from engine.raid.match import RaidReplay
from engine.raid.scenario import load_scenario
from tests.helpers.caller import Caller, begin
from tests.helpers.hostile import (
    PATHS,
    UNREADABLE,
    Doings,
    break_off,
    frame,
    is_ended,
    is_refused_at_sight,
    knock,
    mangled,
    misshapen,
    nonsense,
    raw_socket,
    secured,
)

SECRET = "2QXMKP"
BOTH = {TERMINATOR: CLIENT, CLONEMASTER: CLIENT}
KINDS = {*ERRORS, *LAN_ERRORS}
LONGEST = 8.0  # seconds in which a player's choice is answered, whatever goes on here or on the machine


class Player:
    """A guest who plays at random in a thread of his own, until he is told to leave the rest to a bot."""

    def __init__(self, port: int, name: str, side: str) -> None:
        self.caller = Caller(port)
        welcome = self.caller.join(f"AB{SECRET}", name, side)
        assert isinstance(welcome, WelcomeAnswer), welcome
        self.side = side
        self.chosen = 0
        self.longest = 0.0
        self.trouble: BaseException | None = None
        self.hurries = threading.Event()
        self.thread = threading.Thread(target=self._live, name=name, daemon=True)

    def _live(self) -> None:
        try:
            self._play(Random(self.side))
        except BaseException as error:  # noqa: BLE001 - the test's own thread tells
            self.trouble = error

    def _play(self, random: Random) -> None:
        begin(self.caller)
        state = self._ask(StateRequest())
        while not state.over:
            if self.hurries.is_set():
                state = self._ask(SeatRequest(side=self.side, player="rulebook"))
                break
            asked = [one for one in state.asked if not one.optional]
            if not asked:
                state = self.caller.until(UpdateAnswer).state
                continue
            self.hurries.wait(0.1)
            page = self._ask(OptionsRequest(side=self.side, limit=50))
            choice = msgspec.Raw(msgspec.json.encode(random.choice(page.options).choice))
            state = self._ask(ChooseRequest(side=self.side, choice=choice, revision=page.revision))
            self.chosen += 1
            self.caller.pushed.clear()
        while not state.over:
            state = self.caller.until(UpdateAnswer).state

    def _ask(self, request: Any) -> Any:
        began = time.monotonic()
        answer = self.caller.ask(request)
        self.longest = max(self.longest, time.monotonic() - began)
        assert not isinstance(answer, ErrorAnswer), answer
        return answer


class Alarms(logging.Handler):
    """Whatever a host logs as wrong."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        # What the clients of the tests say is none of the host's doing.
        if not record.name.startswith("websockets.client"):
            self.heard.append(f"{record.name}: {self.format(record)}")


class Siege:
    """A host with three tables: AB where Ann and Bob play, CD with Eve's own game, EF that waits."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.alarms = Alarms()
        logging.getLogger().addHandler(self.alarms)
        self.server = Server(
            [
                self._table("AB", BOTH),
                self._table("CD", {TERMINATOR: "random", CLONEMASTER: CLIENT}),
                self._table("EF", BOTH),
            ],
            load_identity(folder / "host"),
            "Host",
            bind="127.0.0.1",
        )
        self.host = HostThread(self.server)
        self.port = self.host.start()
        self.players = [Player(self.port, "Ann", TERMINATOR), Player(self.port, "Bob", CLONEMASTER)]
        for player in self.players:
            player.thread.start()
        self.watcher = make_share()
        self.eve = make_share()
        for table, name, seat, token in (
            ("AB", "Mal", "watch", self.watcher),
            ("CD", "Eve", "any", self.eve),
        ):
            with Caller(self.port) as caller:
                assert isinstance(caller.join(f"{table}{SECRET}", name, seat, token), WelcomeAnswer)
                if caller.side:
                    begin(caller)

    def _table(self, name: str, seats: dict[str, str]) -> Table:
        options = Options(title="Mountain", host="Host", scenario=load_scenario("mountain"), seats=seats)
        return Table.new(name, SECRET, options, self.folder / "tables" / name)

    @property
    def chosen(self) -> int:
        """How many choices Ann and Bob have made."""
        return sum(player.chosen for player in self.players)

    @contextmanager
    def goes_on(self) -> Iterator[None]:
        """Check that the game goes on during an attack, and that nothing went wrong on the host."""
        before = self.chosen
        for player in self.players:
            player.longest = 0.0
        yield
        patience = time.monotonic() + 10.0
        while self.chosen == before and time.monotonic() < patience:
            time.sleep(0.01)
        for player in self.players:
            assert player.trouble is None
            assert player.longest < LONGEST
        assert self.chosen > before
        assert self.alarms.heard == []

    def standing(self, table: str) -> Any:
        """Return all that a table's game is made of: its number of choices, its revision, its seats."""

        def look() -> Any:
            (found,) = (one for one in self.server.tables if one.name == table)
            match = found.match
            seats = {side: seat.player for side, seat in found.card().seats.items()}
            return (match.length, match.revision, seats) if match is not None else seats

        return self.host.call(look)

    def end(self) -> None:
        """End everything."""
        for player in self.players:
            player.hurries.set()
        self.host.stop()
        for player in self.players:
            player.thread.join(10.0)
            player.caller.close()
        logging.getLogger().removeHandler(self.alarms)


@pytest.fixture(scope="module")
def siege(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Siege]:
    """A host where two people play; its patience with strangers is shortened so that tests are quick."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "HANDSHAKE_SECONDS", 1.0)
        patch.setattr(limits, "GREET_SECONDS", 1.5)
        patch.setattr(limits, "JOIN_SECONDS", 3.0)
        made = Siege(tmp_path_factory.mktemp("siege"))
        try:
            yield made
        finally:
            made.end()


class Eve:
    """One who sends what she likes, and comes back whenever she is thrown out."""

    def __init__(self, port: int, table: str = "", token: str = "") -> None:
        self._port = port
        self._table, self._token = table, token
        self._caller: Caller | None = None
        self.thrown_out = 0
        self.told: Counter[str] = Counter()

    def _come(self) -> Caller:
        if self._caller is None:
            self._caller = caller = Caller(self._port)
            if self._token:
                assert isinstance(caller.come_back(self._table, self._token), WelcomeAnswer)
        return self._caller

    def send(self, raw: bytes) -> LanAnswer | None:
        """Return the answer to a message, or None where the connection ended instead.

        An id of 1 becomes the next one, so that the message is not refused for that alone.
        """
        caller = self._come()
        if b'"id":1,' in raw:
            caller.id += 1
            raw = raw.replace(b'"id":1,', b'"id":%d,' % caller.id, 1)
        try:
            caller.send(raw)
            while True:
                told = caller.next()
                if told.id is not UNSET or isinstance(told, ErrorAnswer):
                    break
        except ConnectionClosed:
            self.leave()
            self.thrown_out += 1
            return None
        self.told[told.kind if isinstance(told, ErrorAnswer) else "answered"] += 1
        return told

    def ask(self, ask: str, **fields: Any) -> LanAnswer | None:
        """Return the answer to a request with the next id."""
        caller = self._come()
        caller.id += 1
        return self.send(msgspec.json.encode({"ask": ask, "id": caller.id, **fields}))

    def send_again(self, raw: bytes) -> ErrorAnswer:
        """Return the refusal of a message, sent again where the connection ended before it was read."""
        for _ in range(3):
            told = self.send(raw)
            if told is not None:
                assert isinstance(told, ErrorAnswer), (raw[:200], told)
                assert told.kind in KINDS
                assert told.reason
                return told
        raise AssertionError(f"never answered: {raw[:200]!r}")

    def leave(self) -> None:
        """Leave for now."""
        if self._caller is not None:
            with suppress(OSError, ConnectionClosed):
                self._caller.close()
            self._caller = None


# Messages


def test_what_is_no_message_is_refused_from_a_stranger(siege: Siege) -> None:
    """No JSON, NaN, depth, huge numbers, unknown requests: each is refused with its reason."""
    eve = Eve(siege.port)
    with siege.goes_on():
        for raw in nonsense():
            assert eve.send_again(raw).kind == "bad-line", raw[:100]
    eve.leave()
    assert eve.thrown_out > 10


def test_what_is_no_message_is_refused_from_a_guest(siege: Siege) -> None:
    """Who has a seat is told the same, and is thrown out in the end; the seat stays his."""
    for table, token in (("AB", siege.watcher), ("CD", siege.eve)):
        before = siege.standing("CD")
        eve = Eve(siege.port, table, token)
        with siege.goes_on():
            for raw in nonsense():
                assert eve.send_again(raw).kind in ("bad-line", "too-often"), raw[:100]
        eve.leave()
        assert siege.standing("CD") == before


def test_misshapen_requests_change_nothing(siege: Siege) -> None:
    """Each request with each field wrong, missing or too many; hundreds of them, by one who looks on."""
    eve = Eve(siege.port, "AB", siege.watcher)
    before = siege.standing("EF"), siege.standing("CD")
    with siege.goes_on():
        for raw in misshapen(TERMINATOR):
            told = eve.send(raw)
            if is_refused_at_sight(raw) and told is not None:
                assert isinstance(told, ErrorAnswer), (raw[:200], told)
                assert told.kind in ("bad-line", "too-often")
    eve.leave()
    assert eve.told.total() > 600
    assert eve.told["internal"] == 0
    assert (siege.standing("EF"), siege.standing("CD")) == before


def test_misshapen_requests_of_a_player_change_nothing_either(siege: Siege) -> None:
    """The same by a player at his own table, whose seat he may not lose by it."""
    eve = Eve(siege.port, "CD", siege.eve)
    length, revision, seats = siege.standing("CD")
    with siege.goes_on():
        for raw in misshapen(CLONEMASTER):
            # Of these a player may do some: put a bot on his seat, ask for a pause.
            if b'"ask":"seat"' not in raw and b'"ask":"offer"' not in raw:
                eve.send(raw)
    eve.leave()
    assert eve.told["internal"] == 0
    assert siege.standing("CD") == (length, revision, seats)


def test_mangled_requests_never_end_in_a_fault(siege: Siege) -> None:
    """Requests with bytes changed, cut out and doubled are refused or answered, and are no fault."""
    eve = Eve(siege.port, "AB", siege.watcher)
    with siege.goes_on():
        for raw in mangled(Random(7), 500):
            eve.send(raw)
    eve.leave()
    assert eve.told.total() > 450
    assert eve.told["internal"] == 0


def test_a_message_just_too_long_is_refused_and_a_huge_one_ends_the_connection(siege: Siege) -> None:
    """64 kB and a byte more are told; what is far larger is not even read."""
    eve = Eve(siege.port, "AB", siege.watcher)
    with siege.goes_on():
        told = eve.send(b'{"ask":"state","id":1000}'.ljust(GUEST_LIMIT + 1))
        assert isinstance(told, ErrorAnswer)
        assert "64 kB" in told.reason
        assert isinstance(eve.send(b'{"ask":"state","id":1000}'.ljust(GUEST_LIMIT)), StateAnswer)
        assert eve.send(b" " * (8 * GUEST_LIMIT)) is None
    eve.leave()


def test_a_choice_for_the_other_side_or_of_the_past_is_refused(siege: Siege) -> None:
    """Foreign, stale, illegal and repeated choices change nothing."""
    eve = Eve(siege.port, "CD", siege.eve)
    before = siege.standing("CD")
    state = eve.ask("state")
    assert isinstance(state, StateAnswer)
    revision = state.asked[0].revision
    page: Any = eve.ask("options", side=CLONEMASTER, limit=1)
    choice = page.options[0].choice
    with siege.goes_on():
        for wrong, kind in (
            ({"side": TERMINATOR}, "not-yours"),
            ({"side": "both"}, "bad-value"),
            ({"revision": revision + 1}, "stale-choice"),
            ({"revision": 2**53}, "stale-choice"),
            ({"choice": {"kind": "no-such-choice"}}, "bad-value"),
            ({"choice": {"type": "../../etc/passwd"}}, "bad-value"),
            ({"choice": None}, "bad-value"),
        ):
            told = eve.ask("choose", **{"side": CLONEMASTER, "choice": choice, "revision": revision, **wrong})
            assert isinstance(told, ErrorAnswer), wrong
            assert told.kind == kind, wrong
        for viewer, kind in ((TERMINATOR, "not-yours"), ("open", "not-yours"), ("../public", "bad-value")):
            told = eve.ask("view", viewer=viewer)
            assert isinstance(told, ErrorAnswer)
            assert told.kind == kind
        for ask in ("record", "new", "resume", "go"):
            assert isinstance(eve.ask(ask), ErrorAnswer)
    eve.leave()
    assert siege.standing("CD") == before


def test_a_request_sent_again_is_known_by_its_id(siege: Siege) -> None:
    """The same id, an older one, none, or a word for one: refused as repeated, and not done twice."""
    eve = Eve(siege.port, "AB", siege.watcher)
    with siege.goes_on():
        for id_ in (100, 100, 7, "101", None):
            fields = {"ask": "state"} if id_ is None else {"ask": "state", "id": id_}
            told = eve.send(msgspec.json.encode(fields))
            if eve.told.total() == 1:
                assert isinstance(told, StateAnswer)
            else:
                assert isinstance(told, ErrorAnswer)
                assert told.kind == "repeated"
    eve.leave()


def test_a_message_in_binary_frames_is_no_way_round(siege: Siege) -> None:
    """A binary frame is read like a text, so that nothing comes in by it that would not otherwise."""
    with siege.goes_on(), Caller(siege.port) as caller:
        caller.wire.send(b"\x80\x04\x95", text=False)
        told = caller.next()
        assert isinstance(told, ErrorAnswer)
        assert told.kind == "bad-line"


def test_one_who_asks_for_much_leaves_time_for_the_others(siege: Siege) -> None:
    """Thousands of options, as often as a guest may ask for them: the host has time for the others too."""
    eve = Eve(siege.port, "CD", siege.eve)
    with siege.goes_on():
        for _ in range(6):
            assert isinstance(eve.ask("options", side=CLONEMASTER, limit=1_000_000), OptionsAnswer)
    eve.leave()


def test_a_flood_of_chat_is_dammed(siege: Siege) -> None:
    """Some lines are let through, the others refused, also after coming back; what is kept stays bounded."""
    eve = Eve(siege.port, "AB", siege.watcher)
    with siege.goes_on():
        began = time.monotonic()
        for number in range(200):
            eve.ask("chat", text=f"flood {number}")
        assert eve.thrown_out > 1
        assert eve.told["answered"] <= limits.CHAT_BURST + limits.CHATS * (time.monotonic() - began)
        assert eve.told["too-often"] > 100
    eve.leave()


def test_nobody_is_pestered_with_offers(siege: Siege) -> None:
    """Pauses, and bots that come and go, are lines to everybody, of which there are so many and no more."""
    eve = Eve(siege.port, "CD", siege.eve)
    table = siege.server.tables[1]
    before = siege.host.call(lambda: table._chat_count)
    with siege.goes_on():
        began = time.monotonic()
        for _ in range(50):
            eve.ask("offer", what="pause")
            eve.ask("offer", what="go-on")
        answered = eve.told["answered"]
        assert 1 <= answered <= limits.CHAT_BURST + limits.CHATS * (time.monotonic() - began)
    eve.leave()
    assert eve.told["too-often"] > 50
    said = siege.host.call(lambda: table._chat_count) - before
    coming_and_going = 2 * (eve.thrown_out + 1)
    assert answered // 2 <= said <= answered + coming_and_going
    siege.host.call(lambda: table._set_paused(is_paused=False))


@pytest.mark.parametrize("text", [*UNREADABLE, "x" * 201, ""])
def test_a_line_of_chat_that_cannot_be_read_is_refused(siege: Siege, text: str) -> None:
    """No control characters, nothing that turns the line round, nothing empty reaches the others."""
    with Caller(siege.port) as caller:
        assert isinstance(caller.join(f"AB{SECRET}", "Ida", "watch"), WelcomeAnswer)
        told = caller.ask(ChatRequest(text=text))
    assert isinstance(told, ErrorAnswer)
    assert told.kind in ("bad-value", "bad-line")
    assert siege.alarms.heard == []


# Coming in


@pytest.mark.parametrize("name", [*UNREADABLE, "", "x" * 25])
def test_a_name_that_cannot_be_read_is_refused(siege: Siege, name: str) -> None:
    """A name has letters that can be read, and no more of them than fit."""
    with Caller(siege.port) as caller:
        told = caller.join(f"EF{SECRET}", name, "watch")
        assert isinstance(told, ErrorAnswer)
        assert told.kind in ("bad-value", "bad-line")
    assert siege.alarms.heard == []


def test_names_tables_and_tokens_that_look_like_paths_touch_no_file(siege: Siege) -> None:
    """Nothing in a message is used as a path, imported or run: the host stays inside its folder."""
    doings = Doings("host", "asyncio")  # the loop's thread, and those in which it writes
    with siege.goes_on(), doings:
        for path in PATHS:
            with Caller(siege.port) as caller:
                caller.join(f"EF{SECRET}", path[:24], "watch", make_share())
            for fields in (
                {"ask": "return", "table": path, "token": "a" * 64},
                {"ask": "return", "table": "EF", "token": path},
                {"ask": "join", "table": path, "pake": path},
            ):
                stranger = Eve(siege.port)
                assert isinstance(stranger.send(msgspec.json.encode({**fields, "id": 1})), ErrorAnswer)
                stranger.leave()
            guest = Eve(siege.port, "CD", siege.eve)
            guest.ask("chat", text=path)
            for ask, field in (("view", "viewer"), ("options", "side"), ("undo", "side"), ("seat", "side")):
                needed: dict[str, dict[str, Any]] = {"seat": {"player": path}, "undo": {"revision": 0}}
                more = needed.get(ask, {})
                guest.ask(ask, **{field: path, **more})
            guest.ask("seat", side=CLONEMASTER, player=path)
            guest.leave()
    assert doings.opened
    outside = {path for path in doings.opened if not path.is_relative_to(siege.folder)}
    assert outside == set()
    assert doings.run == []


def test_a_join_code_cannot_be_found_by_trying(siege: Siege) -> None:
    """After some wrong codes a table takes none for a while; its players and the other tables do not care."""
    token = make_share()
    with Caller(siege.port) as guest:
        assert isinstance(guest.join(f"EF{SECRET}", "Zoe", "watch", token), WelcomeAnswer)
    kinds: Counter[str] = Counter()
    reason = ""
    with siege.goes_on():
        for number in range(limits.OF_TABLE.last + 10):
            with Caller(siege.port) as caller:
                told = caller.join(f"EF23456{number % 8 + 2}", "Eve", "watch")
                assert isinstance(told, ErrorAnswer)
                kinds[told.kind] += 1
                reason = told.reason
    assert kinds["wrong-code"] <= limits.OF_TABLE.free + 3
    assert kinds["too-often"] >= 10
    assert "wait" in reason
    with Caller(siege.port) as guest:
        assert isinstance(guest.join(f"EF{SECRET}", "Late", "watch"), ErrorAnswer)
    with Caller(siege.port) as guest:
        assert isinstance(guest.come_back("EF", token), WelcomeAnswer)
    with Caller(siege.port) as guest:
        assert isinstance(guest.join(f"AB{SECRET}", "Yan", "watch"), WelcomeAnswer)


def test_many_codes_at_once_are_no_way_round_the_lock(siege: Siege) -> None:
    """Attempts that are begun and not proved count as wrong."""
    from app.lan.codes import GuestSide

    callers = []
    begun = 0
    try:
        with siege.goes_on():
            for _ in range(limits.OF_TABLE.free + 15):
                caller = Caller(siege.port)
                callers.append(caller)
                caller.greet()
                told = caller.ask(
                    JoinRequest(table="CD", pake=GuestSide("234567", caller.fingerprint).message)
                )
                begun += isinstance(told, JoinAnswer)
    finally:
        for caller in callers:
            caller.cut()
    assert begun <= limits.OF_TABLE.free + 3


def test_a_token_cannot_be_found_by_trying(siege: Siege) -> None:
    """Tokens are too many, and who tries them is thrown out soon."""
    with siege.goes_on():
        for number in range(20):
            with Caller(siege.port) as caller:
                caller.greet()
                told = caller.ask(ReturnRequest(table="AB", token=f"{number:064x}"))
                assert isinstance(told, ErrorAnswer)
                assert told.kind == "no-table"


def test_so_many_look_on_and_no_more(siege: Siege) -> None:
    """A crowd that has the code fills the places of those who look on, and nobody else's."""
    callers: list[Caller] = []
    told: list[Any] = []
    try:
        with siege.goes_on():
            for number in range(20):
                callers.append(Caller(siege.port))
                told.append(callers[-1].join(f"AB{SECRET}", f"Crowd {number}", "watch"))
    finally:
        for caller in callers:
            caller.cut()
    came_in = sum(isinstance(one, WelcomeAnswer) for one in told)
    assert 10 <= came_in <= WATCHERS
    assert {one.kind for one in told if isinstance(one, ErrorAnswer)} == {"taken"}


# Below the messages


def test_what_is_no_tls_or_no_websocket_is_let_go(siege: Siege) -> None:
    """Plain HTTP, noise, other paths, browsers, endless headers: the connection ends, and that is all."""
    wrong_headers = (
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET /../../etc/passwd HTTP/1.1\r\nHost: host\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 999999999\r\n\r\n",
        b"\x00" * 100_000,
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 5_000 + b"\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"y" * 100_000 + b"\r\n\r\n",
    )
    with siege.goes_on():
        for raw in (
            b"GET / HTTP/1.1\r\nHost: host\r\n\r\n",
            os.urandom(2000),
            b"\x16\x03\x01\xff\xff" + b"x" * 500,
        ):
            with knock(siege.port) as line:
                line.sendall(raw)
                assert is_ended(line, 5.0)
        for raw in wrong_headers:
            with secured(siege.port) as line:
                with suppress(OSError):
                    line.sendall(raw)
                assert is_ended(line, 5.0)
        with pytest.raises(ConnectionError):
            raw_socket(siege.port, "Origin: https://example.org")


def test_frames_that_break_the_rules_end_the_connection(siege: Siege) -> None:
    """Deflate bombs, frames without a mask, false lengths, fragments without an end, floods of pings."""
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = squeezed.compress(b"x" * 50_000_000) + squeezed.flush()
    attacks = {
        "deflate bomb": [frame(1, bomb[:60_000], bits=0xC0)],
        "no mask": [frame(1, b"{}", is_masked=False)],
        "reserved kind": [frame(3, b"{}")],
        "huge length": [frame(1, b"x", length=2**62)],
        "large ping": [frame(9, b"x" * 200)],
        "fragmented ping": [frame(9, b"x", bits=0)],
        "going on with nothing": [frame(0, b"x")],
        "fragments without an end": [frame(1, b"", bits=0), *[frame(0, b"", bits=0) * 1000] * 200],
        "fragments beyond any size": [frame(1, b"", bits=0), *[frame(0, b"x" * 1000, bits=0)] * 1000],
        "flood of pings": [frame(9, b"x" * 125) * 100] * 500,
        "flood of pongs": [frame(10, b"x" * 125) * 100] * 500,
        "flood of empty messages": [frame(1, b"") * 1000] * 100,
        "no reason to close": [frame(8, b"\x00")],
    }
    with siege.goes_on():
        for name, frames in attacks.items():
            with raw_socket(siege.port, "Sec-WebSocket-Extensions: permessage-deflate") as line:
                with suppress(OSError):
                    for one in frames:
                        line.sendall(one)
                assert is_ended(line, 5.0), name


def test_a_message_in_many_fragments_is_one_message(siege: Siege) -> None:
    """Fragments are put together as long as they are few and small; then the message is read as any."""
    raw = b'{"ask":"eval","id":1}'
    pieces = [frame(1, raw[:1], bits=0)]
    pieces += [frame(0, raw[at : at + 1], bits=0) for at in range(1, len(raw))]
    with raw_socket(siege.port) as line, siege.goes_on():
        for piece in (*pieces, frame(0, b"")):
            line.sendall(piece)
        line.settimeout(5.0)
        told = b""
        while b"bad-line" not in told:
            piece = line.recv(4096)
            assert piece
            told += piece


def test_connections_broken_off_at_any_moment_leave_no_trace(siege: Siege) -> None:
    """In the middle of TLS, of a message, of a return, or by two for the same seat: no fault, no log."""
    with siege.goes_on():
        for _ in range(50):
            line = knock(siege.port)
            line.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc")
            break_off(line)
            begun = raw_socket(siege.port)
            begun.sendall(frame(1, b'{"ask":"greet"', bits=0))
            break_off(begun)
        for _ in range(20):
            caller = Caller(siege.port)
            caller.come_back("CD", siege.eve)
            break_off(caller.wire.socket)
            caller.close()
        rivals = [Caller(siege.port) for _ in range(10)]
        for rival in rivals:
            assert isinstance(rival.come_back("CD", siege.eve), WelcomeAnswer)
        for rival in rivals:
            rival.cut()


def test_who_takes_his_time_is_let_go(siege: Siege) -> None:
    """Half-open connections, TLS that stops, headers a byte at a time, no greeting, no table: all end."""
    with ExitStack() as lines, siege.goes_on():
        slow = [lines.enter_context(knock(siege.port)) for _ in range(5)]
        begun = lines.enter_context(knock(siege.port))
        begun.sendall(b"\x16\x03\x01\x02\x00\x01")
        dripping = lines.enter_context(secured(siege.port))
        silent = lines.enter_context(raw_socket(siege.port))
        greeted = lines.enter_context(Caller(siege.port))
        greeted.greet()
        half = lines.enter_context(raw_socket(siege.port))
        half.sendall(frame(1, b'{"ask":', bits=0))
        with suppress(OSError):
            for byte in b"GET / HTTP/1.1\r\nHost: host\r\nX-Slow: " + b"x" * 100:
                dripping.sendall(bytes((byte,)))
                time.sleep(0.02)
        for line in (*slow, begun, dripping, silent, half):
            assert is_ended(line, 5.0)
        with pytest.raises(ConnectionClosed):
            greeted.until(UpdateAnswer)


def test_a_flood_of_connections_keeps_nobody_out(siege: Siege) -> None:
    """More idle connections than may wait: the longest waiting make room, and a guest still comes in."""
    with ExitStack() as lines, siege.goes_on():
        for _ in range(limits.WAITING + 30):
            lines.enter_context(knock(siege.port))
        with Caller(siege.port) as guest:
            assert isinstance(guest.come_back("CD", siege.eve), WelcomeAnswer)
        assert siege.host.call(lambda: siege.server._door.waiting) <= limits.WAITING


def test_one_who_never_reads_costs_no_memory(siege: Siege) -> None:
    """A guest who asks for much and reads nothing is dropped, and what waits for him stays small."""
    eve = Caller(siege.port)
    assert isinstance(eve.come_back("CD", siege.eve), WelcomeAnswer)
    before = _memory()
    with siege.goes_on():
        eve.deafen()
        with suppress(OSError, ConnectionClosed):
            for number in range(100, 700):
                eve.send(b'{"ask":"scenario","id":%d}' % number)
    eve.cut()
    assert _memory() - before < 32_000_000


def test_nothing_is_left_of_an_attack(siege: Siege) -> None:
    """File handles and connections are given back."""
    assert _is_quiet(siege)
    before = _handles()
    with siege.goes_on():
        for _ in range(100):
            with suppress(OSError), knock(siege.port) as line:
                line.sendall(b"\x16\x03\x01")
        for _ in range(30):
            raw_socket(siege.port).close()
    assert _is_quiet(siege)
    # The players' records are being written all the time, a file or two of them at any moment.
    assert min(_handles() for _ in range(100)) <= before + 2


def test_the_game_ends_as_if_nothing_had_been(siege: Siege) -> None:
    """Ann and Bob play to the end, with bots at last, and the record holds every one of their choices."""
    for player in siege.players:
        player.hurries.set()
    for player in siege.players:
        player.thread.join(60.0)
        assert player.trouble is None
        assert not player.thread.is_alive()
    table = next(one for one in siege.server.tables if one.name == "AB")
    record = siege.host.call(lambda: table.match.record if table.match is not None else None)
    assert record is not None
    assert table.is_over
    assert RaidReplay.of(record).length >= siege.chosen > 0
    assert faults(record, SIDES) == []
    assert siege.alarms.heard == []


def test_nothing_in_a_message_can_be_run() -> None:
    """No module that handles messages evaluates, imports by name, unpickles or starts anything."""
    forbidden = {
        "eval",
        "exec",
        "compile",
        "__import__",
        "import_module",
        "loads",
        "Popen",
        "system",
        "run_path",
    }
    folder = Path(app.lan.__file__).parent
    files = [
        *folder.rglob("*.py"),
        folder.parent / "desk.py",
        Path(protocol.__file__),
        Path(lan_protocol.__file__),
    ]
    assert len(files) > 30
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = node.func
                name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
                # What a pattern of ours compiles to is no program.
                is_pattern = isinstance(called, ast.Attribute) and ast.unparse(called) == "re.compile"
                assert is_pattern or name not in forbidden, f"{file.name}:{node.lineno}"
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {alias.name for alias in node.names} | {getattr(node, "module", "")}
                assert not names & {"pickle", "marshal", "shelve", "subprocess", "runpy"}, file.name


def _handles() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


def _memory() -> int:
    file = Path("/proc/self/statm")
    return int(file.read_text().split()[1]) * 4096 if file.exists() else 0


def _is_quiet(siege: Siege) -> bool:
    """Whether soon nobody is connected but the players."""
    patience = time.monotonic() + limits.SEND_SECONDS + 5.0
    while siege.host.call(lambda: siege.server._door.count) > len(siege.players):
        if time.monotonic() > patience:
            return False
        time.sleep(0.05)
    return True


def _besiege(count: int) -> None:
    """Send so many wrong messages to a host where two people play, and print what it cost."""
    random = Random(1)
    with tempfile.TemporaryDirectory() as folder:
        siege = Siege(Path(folder))
        try:
            peers = [Eve(siege.port), Eve(siege.port, "AB", siege.watcher), Eve(siege.port, "CD", siege.eve)]
            told: Counter[str] = Counter()
            memory, handles, began, chosen = _memory(), _handles(), time.monotonic(), siege.chosen
            standing = siege.standing("CD")
            with siege.goes_on():
                for number in range(count):
                    raw = next(mangled(random, 1)) if number % 2 else random.choice(_WHOLE)
                    # A stranger is slowed down more, so he sends less.
                    peers[0 if number % 20 == 0 else 1 + number % 2].send(raw)
            for peer in peers:
                told += peer.told
                peer.leave()
            took = time.monotonic() - began
            print(
                f"{count} messages in {took:.0f} s, {sum(peer.thrown_out for peer in peers)} times thrown out"
            )
            print("  ".join(f"{kind} {times}" for kind, times in told.most_common()))
            longest = max(player.longest for player in siege.players)
            print(f"{siege.chosen - chosen} choices meanwhile, the longest answered after {longest:.2f} s")
            print(f"memory {(_memory() - memory) / 1e6:+.1f} MB, file handles {_handles() - handles:+d}")
            print(f"Eve's table {'as it was' if siege.standing('CD') == standing else 'CHANGED'}")
            print(f"wrong at the host: {siege.alarms.heard or 'nothing'}")
        finally:
            siege.end()


_WHOLE = [*nonsense(), *misshapen(TERMINATOR), *misshapen(CLONEMASTER)]

if __name__ == "__main__":
    _besiege(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
