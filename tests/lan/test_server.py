"""What a host does with its connections: in, taken over, lost, slow, wrong, and ended."""

from __future__ import annotations

import errno
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from app.lan import limits
from app.lan.codes import GuestSide, HostSide
from app.lan.host import door, keeper, server
from app.lan.host.folder import HostFolder
from app.lan.host.server import PROGRAM, Happening, HostThread, Server
from app.lan.host.table import Options, Table
from engine.core.files import write_atomic
from engine.core.lan_protocol import (
    GUEST_LIMIT,
    LAN_VERSION,
    WATCH,
    ChatRequest,
    ChattedAnswer,
    GreetAnswer,
    JoinRequest,
    ProveRequest,
    ReturnRequest,
    TableAnswer,
    UpdateAnswer,
    WelcomeAnswer,
)
from engine.core.protocol import (
    CLIENT,
    ChooseRequest,
    ErrorAnswer,
    QuitAnswer,
    QuitRequest,
    StateAnswer,
    StateRequest,
)
from engine.core.record import load_record
from engine.core.shares import make_share
from engine.raid.figures import CLONEMASTER, SIDES, TERMINATOR
from engine.raid.scenario import load_scenario
from tests.helpers.caller import Caller, begin, hosted


class Host:
    """A host on loopback with its tables, and what it has heard."""

    def __init__(self, folder: HostFolder) -> None:
        self.folder = folder
        self.heard: list[Happening] = []
        self.server: Server
        self.thread: HostThread

    @contextmanager
    def anew(self) -> Iterator[None]:
        """Host, with what has been set in the meantime."""
        self.server = Server([], self.folder.identity, "Attic", bind="127.0.0.1", tell=self.heard.append)
        with hosted(self.server) as self.thread:
            yield

    def table(self, **seats: str) -> Table:
        """Lay another table, for people where nobody else is named."""
        options = Options(
            title="Basic",
            host="Attic",
            scenario=load_scenario("basic"),
            seats={**dict.fromkeys(SIDES, CLIENT), **seats},
        )

        def lay() -> Table:
            table = self.folder.new_table(options)
            self.server.add(table)
            return table

        return self.thread.call(lay)

    def caller(self) -> Caller:
        """Connect to it."""
        return Caller(self.server.port)

    def until(self, is_so: Callable[[], bool], within: float = 10.0) -> None:
        """Wait until something is so."""
        end = time.monotonic() + within
        while not self.thread.call(is_so):
            assert time.monotonic() < end, "it did not come about"
            time.sleep(0.01)


def code(table: Table) -> str:
    """Return a table's join code."""
    return table.name + table.secret


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """A host that ends with the test."""
    folder = HostFolder(tmp_path / "host")
    made = Host(folder)
    with made.anew():
        yield made
    folder.close()


def choose(caller: Caller, table: Table, random: Random) -> Any:
    """Make a choice of the caller's side at random; return the answer."""
    assert table.match is not None
    decision = table.match.decision(caller.side)
    assert decision is not None
    choice = msgspec.Raw(msgspec.json.encode(decision.options.sample(random)))
    return caller.ask(ChooseRequest(side=caller.side, choice=choice, revision=decision.revision))


# Coming in


def test_a_guest_joins_and_is_told_the_table_and_the_game(host: Host) -> None:
    """The welcome comes first, then people and game; the host hears of it."""
    table = host.table(clonemaster="rulebook")
    with host.caller() as ann:
        welcome = ann.join(code(table), "Ann")
        assert isinstance(welcome, WelcomeAnswer)
        assert (welcome.side, welcome.name, welcome.is_host) == (TERMINATOR, "Ann", False)
        assert not ann.pushed
        update = ann.until(UpdateAnswer)
        assert update.state.asked
        assert isinstance(ann.pushed[0], TableAnswer)
        assert host.heard == [Happening("joined", table, "Ann", TERMINATOR)]


def test_a_greeting_tells_of_the_tables_but_not_their_codes(host: Host) -> None:
    """Whoever is on the network may see what is played, and not how to get in."""
    tables = [host.table(), host.table()]
    with host.caller() as stranger:
        stranger.send(b'{"ask": "greet", "version": %d, "program": "x", "id": 1}' % LAN_VERSION)
        raw = stranger.wire.recv(5, decode=False)
        greeting = msgspec.json.decode(raw, type=GreetAnswer)
        assert (greeting.host, greeting.program) == ("Attic", PROGRAM)
        assert {card.table for card in greeting.tables} == {table.name for table in tables}
        for table in tables:
            assert table.secret.encode() not in raw


def test_a_greeting_does_not_tell_who_is_there(host: Host) -> None:
    """A stranger reads the same whether a player is here or away, his line slow, or somebody looks on."""
    table = host.table()

    def greeting() -> GreetAnswer:
        with host.caller() as stranger:
            told = stranger.greet()
            assert isinstance(told, GreetAnswer)
            return told

    with host.caller() as ann, host.caller() as cy:
        ann.join(code(table), "Ann", TERMINATOR)
        before = greeting()
        assert before.tables[0].seats[TERMINATOR].name == "Ann"
        assert before.tables[0].seats[CLONEMASTER].player == ""
        cy.join(code(table), "Cy", WATCH)
        host.thread.call(lambda: table.set_delay(table.guests[0], 90))
        assert greeting() == before
        ann.cut()
        host.until(lambda: not table.guests[0].is_here)
        assert greeting() == before


@pytest.mark.parametrize("more", [b"", b', "wishes": {"new": true}'])
def test_other_versions_are_told_both_programs(host: Host, more: bytes) -> None:
    """A version that is not spoken gets one clear line, whatever else its greeting holds."""
    with host.caller() as newer:
        newer.send(b'{"ask": "greet", "version": 99, "program": "kungfu2100 9.9", "id": 1%b}' % more)
        told = newer.answer(1)
        assert isinstance(told, ErrorAnswer)
        assert told.kind == "version"
        assert "kungfu2100 9.9" in told.reason
        assert PROGRAM in told.reason
        with pytest.raises(ConnectionClosed):
            newer.next()


def test_nothing_is_answered_before_the_greeting(host: Host) -> None:
    """Who does not greet may neither join nor ask."""
    table = host.table()
    with host.caller() as rude:
        told = rude.ask(ReturnRequest(table=table.name, token=make_share()))
        assert told.kind == "version"
        with pytest.raises(ConnectionClosed):
            rude.next()


def test_a_browser_or_another_path_is_refused(host: Host) -> None:
    """A page of the network cannot speak for its reader, and nothing else is served here."""
    with pytest.raises(InvalidStatus) as refused:
        Caller(host.server.port, additional_headers={"Origin": "https://example.org"})
    assert refused.value.response.status_code == 403
    with pytest.raises(InvalidStatus) as refused:
        Caller(host.server.port, path="/etc/passwd")
    assert refused.value.response.status_code == 404


def test_a_wrong_code_opens_nothing(host: Host) -> None:
    """A wrong code is told, costs the attempt, and the right one still works on another connection."""
    table = host.table()
    wrong = table.name + ("22222A" if table.secret != "22222A" else "22222B")
    with host.caller() as guesser:
        assert guesser.join(wrong, "Eve").kind == "wrong-code"
        proof = ProveRequest(proof=make_share(), name="Eve", seat="any", seals={}, token=make_share())
        assert guesser.ask(proof).kind == "no-table"
    assert not host.thread.call(lambda: table.guests)
    with host.caller() as ann:
        assert isinstance(ann.join(code(table), "Ann"), WelcomeAnswer)


@pytest.fixture
def impatient(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that bears two wrong codes at a table."""
    few = limits.Patience(free=2, first=60.0, last=9, locked=600.0, forgiven=300.0)
    monkeypatch.setattr(limits, "OF_TABLE", few)
    host.server._lockout = limits.Lockout()


def test_codes_cannot_be_guessed_by_trying(host: Host, impatient: None) -> None:
    """After some wrong codes one must wait, on however many connections one comes; returning goes on."""
    table = host.table()
    with host.caller() as ann:
        ann.join(code(table), "Ann")
        refused = []
        for _ in range(4):
            with host.caller() as guesser:
                refused.append(guesser.join(table.name + "222222", "Eve"))
        assert [told.kind for told in refused] == ["wrong-code"] * 3 + ["too-often"]
        assert "wait 60 seconds" in refused[-1].reason
    with host.caller() as back:
        assert isinstance(back.come_back(table.name, ann.token), WelcomeAnswer)


def test_guesses_at_once_count_each(host: Host, impatient: None) -> None:
    """An attempt counts from its answer on, so that many connections at once gain nothing."""
    table = host.table()
    callers = [host.caller() for _ in range(5)]
    kinds = []
    for each in callers:
        each.greet()
        told = each.ask(JoinRequest(table=table.name, pake=_pake(each)))
        kinds.append(getattr(told, "kind", "answered"))
    for each in callers:
        each.close()
    assert kinds == ["answered"] * 3 + ["too-often"] * 2


def _pake(caller: Caller) -> str:

    return GuestSide("222222", caller.fingerprint).message


def test_a_stranger_with_too_many_faults_is_cut_off(host: Host) -> None:
    """Before a seat is taken there is little patience."""
    with host.caller() as stranger:
        stranger.greet()
        for _ in range(limits.STRANGER_FAULTS):
            assert isinstance(stranger.ask(StateRequest()), ErrorAnswer)
        with pytest.raises(ConnectionClosed):
            stranger.next()


def test_who_does_nothing_is_sent_away(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that never joins does not keep its place."""
    monkeypatch.setattr(limits, "GREET_SECONDS", 0.2)
    monkeypatch.setattr(limits, "JOIN_SECONDS", 0.2)
    with host.caller() as silent:
        assert silent.next().kind == "ended"  # type: ignore[union-attr]
    with host.caller() as idle:
        idle.greet()
        assert idle.next().kind == "ended"  # type: ignore[union-attr]


# At the table


def test_the_update_comes_before_the_answer_to_its_choice(host: Host) -> None:
    """Who has an answer has the game it speaks of; the other player is told without asking."""
    table = host.table()
    with host.caller() as ann, host.caller() as bob:
        ann.join(code(table), "Ann", TERMINATOR)
        bob.join(code(table), "Bob", CLONEMASTER)
        begin(ann, bob)
        ann.pushed.clear()
        answer = choose(ann, table, Random(1))
        assert isinstance(answer, StateAnswer)
        (update,) = (told for told in ann.pushed if isinstance(told, UpdateAnswer))
        assert update.state.revision == answer.revision == 1
        assert table.match is not None
        chance = Random(1)
        while table.match.decision(TERMINATOR) is not None:  # what she chooses in secret is told to nobody
            answer = choose(ann, table, chance)
        assert bob.until(UpdateAnswer).state.revision == answer.revision


def test_a_message_sent_twice_is_known(host: Host) -> None:
    """An id that is missing, no number, or not larger is refused, and nothing changes."""
    table = host.table(clonemaster="rulebook")
    with host.caller() as ann:
        ann.join(code(table), "Ann")
        ann.until(UpdateAnswer)
        answer = choose(ann, table, Random(1))
        line = b'{"ask": "chat", "text": "hello", "id": %d}' % (ann.id + 1)
        revision = answer.revision
        ann.send(line)
        ann.answer(ann.id + 1)
        for again in (
            line,
            b'{"ask": "chat", "text": "hello"}',
            b'{"ask": "chat", "text": "hello", "id": "z"}',
        ):
            ann.send(again)
            while not isinstance(told := ann.next(), ErrorAnswer):
                ann.pushed.append(told)
            assert told.kind == "repeated"
        said = [told.text for told in ann.pushed if isinstance(told, ChattedAnswer)]
        assert said.count("hello") == 1
        ann.id += 1
        assert ann.ask(StateRequest()).revision == revision


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        (b"", "bad-line"),
        (b"\xff\xfe", "bad-line"),
        (b"[" * 50_000, "bad-line"),
        (b'{"ask": "dance", "id": 9}', "bad-line"),
        (b'{"ask": "chat", "text": "' + b"x" * GUEST_LIMIT + b'", "id": 9}', "bad-line"),
        (
            b'{"ask": "choose", "side": "terminator", "choice": {"do": "x"}, "revision": 0, "id": 9}',
            "bad-value",
        ),
        (b'{"ask": "view", "viewer": "clonemaster", "id": 9}', "not-yours"),
        (b'{"ask": "greet", "version": 1, "program": "x", "id": 9}', "bad-value"),
    ],
    ids=["empty", "not-utf-8", "nested", "unknown", "too-long", "no-choice", "foreign", "out-of-place"],
)
def test_a_wrong_message_is_refused_and_changes_nothing(host: Host, message: bytes, kind: str) -> None:
    """A reason is told, and the connection and the game go on."""
    table = host.table(clonemaster="rulebook")
    with host.caller() as ann:
        ann.join(code(table), "Ann")
        ann.until(UpdateAnswer)
        before = host.thread.call(lambda: table.match and table.match.record)
        ann.send(message)
        while not isinstance(told := ann.next(), ErrorAnswer):
            pass
        assert told.kind == kind
        assert told.reason
        ann.id = 9
        assert isinstance(ann.ask(StateRequest()), StateAnswer)
        assert host.thread.call(lambda: table.match and table.match.record) == before


def test_a_huge_message_ends_the_connection_alone(host: Host) -> None:
    """What is far too long is never held in memory; the seat is still there."""
    table = host.table(clonemaster="rulebook")
    with host.caller() as ann:
        ann.join(code(table), "Ann")
        token = ann.token
        with suppress(ConnectionClosed):  # the host may be gone before all of it has left
            ann.send(b"x" * (4 * GUEST_LIMIT))
        ann.wait_end()
        # 1006 where the system has thrown the goodbye away along with what the host did not read.
        assert ann.wire.close_code in (1009, 1006)
    with host.caller() as ann:
        assert isinstance(ann.come_back(table.name, token), WelcomeAnswer)


def test_refused_messages_without_end_cut_a_guest_off(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A guest's faults are borne for a while, then told for what they are."""
    monkeypatch.setattr(limits, "FAULT_BURST", 5)
    table = host.table(clonemaster="rulebook")
    with host.caller() as ann:
        ann.join(code(table), "Ann")
        ann.until(UpdateAnswer)
        with suppress(ConnectionClosed):
            for number in range(20):
                ann.send(ReturnRequest(table=table.name, token=ann.token, id=100 + number))
        assert ann.wait_end().kind == "too-often"


def test_chat_has_a_pace(host: Host) -> None:
    """Nobody fills the others' window."""
    table = host.table()
    with host.caller() as ann:
        ann.join(code(table), "Ann")
        answers = [ann.ask(ChatRequest(text="x")) for _ in range(limits.CHAT_BURST + 1)]
        assert [one for one in answers if isinstance(one, ErrorAnswer)] == [answers[-1]]
        assert answers[-1].kind == "too-often"


# Coming and going


def test_a_second_connection_takes_the_seat_over(host: Host) -> None:
    """Who comes back before his old connection is known to be dead has his seat at once."""
    table = host.table(clonemaster="rulebook")
    with host.caller() as old, host.caller() as new:
        old.join(code(table), "Ann")
        assert isinstance(new.come_back(table.name, old.token, old.share), WelcomeAnswer)
        while not isinstance(told := old.next(), ErrorAnswer):
            pass
        assert told.kind == "ended"
        with pytest.raises(ConnectionClosed):
            old.next()
        begin(new)
        assert isinstance(choose(new, table, Random(1)), StateAnswer)
        assert host.thread.call(lambda: [guest.is_here for guest in table.guests]) == [True]
        assert [one.what for one in host.heard] == ["joined", "returned"]


def test_joining_again_with_the_same_token_has_the_same_seat(host: Host) -> None:
    """Where the welcome was lost the guest joins again, and takes no second seat."""
    table = host.table()
    token = make_share()
    for _ in range(2):
        with host.caller() as ann:
            assert ann.join(code(table), "Ann", token=token).side == TERMINATOR
    assert [one.what for one in host.heard if one.what != "lost"] == ["joined", "returned"]


def test_a_foreign_token_leads_nowhere(host: Host) -> None:
    """A token that nobody was given is refused as if there were no such table."""
    table = host.table()
    with host.caller() as stranger:
        assert stranger.come_back(table.name, make_share()).kind == "no-table"


def test_a_cut_connection_is_noticed_and_the_other_told(host: Host) -> None:
    """The game waits for who is gone, and everybody sees it."""
    table = host.table()
    with host.caller() as ann, host.caller() as bob:
        ann.join(code(table), "Ann", TERMINATOR)
        bob.join(code(table), "Bob", CLONEMASTER)
        begin(ann, bob)
        ann.cut()
        while bob.until(TableAnswer).card.seats[TERMINATOR].is_here:
            pass
        refused = bob.ask(
            ChooseRequest(side=CLONEMASTER, choice=msgspec.Raw(b'{"do": "ask-takeback"}'), revision=0)
        )
        assert refused.kind == "paused"
        assert "Ann" in refused.reason


def test_who_says_goodbye_is_answered(host: Host) -> None:
    """Leaving is no loss of a connection; one may come back all the same."""
    table = host.table()
    with host.caller() as ann:
        ann.join(code(table), "Ann")
        assert isinstance(ann.ask(QuitRequest()), QuitAnswer)
        with pytest.raises(ConnectionClosed):
            ann.next()
        assert [one.what for one in host.heard] == ["joined", "left"]


def test_a_silent_peer_is_noticed(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who answers no ping is lost, though his connection looks open; the real times are below 10 s."""
    assert server.PING_SECONDS + server.PONG_SECONDS + limits.CLOSE_SECONDS <= 8.0  # of 10, for busy machines
    monkeypatch.setattr(server, "PING_SECONDS", 0.1)
    monkeypatch.setattr(server, "PONG_SECONDS", 0.3)
    with host.anew():
        table = host.table()
        with host.caller() as ann, host.caller() as bob:
            ann.join(code(table), "Ann")
            bob.join(code(table), "Bob")
            ann.deafen()
            while bob.until(TableAnswer).card.seats[TERMINATOR].is_here:
                pass


def test_who_does_not_read_is_dropped_and_keeps_nobody_waiting(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One guest who takes nothing in costs the others nothing, and himself his connection."""
    monkeypatch.setattr(limits, "SEND_SECONDS", 0.3)
    monkeypatch.setattr(server, "SLOWEST", 1 << 30)
    monkeypatch.setattr(door, "SEND_BUFFER", 4096)
    small = socket.socket()
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # else the system takes in megabytes for him
    with host.anew():
        table = host.table(terminator="rulebook", clonemaster="random")
        small.connect(("127.0.0.1", host.server.port))
        with host.caller() as ann, Caller(host.server.port, sock=small) as deaf:
            deaf.join(code(table), "Deaf", "watch")
            ann.join(code(table), "Ann", "watch")
            deaf.deafen()

            def tell() -> bool:
                for guest in table.guests:
                    guest.told.clear()
                    guest.wants_update = True
                table.on_change()
                return not next(guest for guest in table.guests if guest.name == "Deaf").is_here

            host.until(tell)
            assert isinstance(ann.ask(StateRequest()), StateAnswer)
            assert Happening("lost", table, "Deaf", "") in host.heard


def test_who_reads_slowly_is_told_less_often(host: Host) -> None:
    """What happens meanwhile comes as one update: nothing is left out, and nothing piles up."""
    table = host.table(clonemaster="random")
    random = Random(1)
    with host.caller() as ann, host.caller() as slow:
        ann.join(code(table), "Ann")
        slow.join(code(table), "Slow", "watch")
        begin(ann)
        before = slow.until(UpdateAnswer)
        peer = host.thread.call(lambda: host.server._rooms[table.name].peers[slow.token])
        host.thread.run(peer.sending.acquire)  # as while the last message to him does not leave
        for _ in range(5):
            choose(ann, table, random)
            host.until(lambda: table.match is not None and table.match.decision(TERMINATOR) is not None)
        host.thread.call(peer.sending.release)
        update = slow.until(UpdateAnswer)
        told = update.told["public"]
        assert update.length >= 10
        assert told.since == before.state.events["public"]
        assert told.since + len(told.events) == update.state.events["public"]


# Ending, and faults


def test_everybody_is_told_when_the_host_ends(host: Host) -> None:
    """A clean end says so, and what was said is kept."""
    table = host.table()
    with host.caller() as ann, host.caller() as stranger:
        ann.join(code(table), "Ann")
        stranger.greet()
        host.thread.stop()
        for each in (ann, stranger):
            while not isinstance(told := each.next(), ErrorAnswer):
                pass
            assert told.kind == "closing"
            assert "closing" in told.reason
    assert not host.thread.is_running
    with pytest.raises(RuntimeError):
        host.thread.call(lambda: None)


def test_a_table_that_is_closed_tells_its_guests(host: Host) -> None:
    """Other tables go on."""
    closed, open_ = host.table(), host.table()
    with host.caller() as ann, host.caller() as bob:
        ann.join(code(closed), "Ann")
        bob.join(code(open_), "Bob")
        host.thread.run(lambda: host.server.remove(closed.name))
        while not isinstance(told := ann.next(), ErrorAnswer):
            pass
        assert told.kind == "closing"
        assert isinstance(bob.ask(ChatRequest(text="still here")), msgspec.Struct)
        assert [table.name for table in host.server.tables] == [open_.name]


def test_a_fault_at_one_table_ends_no_other(
    host: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is written down and answered; what it was about is not told to a guest."""
    broken, sound = host.table(clonemaster="rulebook"), host.table(clonemaster="rulebook")

    def fail(*args: object) -> Any:
        raise ZeroDivisionError("a secret")

    with host.caller() as ann, host.caller() as bob:
        ann.join(code(broken), "Ann")
        bob.join(code(sound), "Bob")
        begin(ann)
        begin(bob)
        monkeypatch.setattr(broken, "answer", fail)
        monkeypatch.setattr(broken, "tick", fail)
        with caplog.at_level(logging.ERROR):
            told = ann.ask(StateRequest())
            host.thread.call(broken.on_change)
            host.until(lambda: "a fault at table" in caplog.text)
        assert told.kind == "internal"
        assert "a secret" not in told.reason
        assert "a secret" in caplog.text
        assert isinstance(choose(bob, sound, Random(1)), StateAnswer)
        monkeypatch.undo()
        assert isinstance(ann.ask(StateRequest()), StateAnswer)


def test_a_full_disk_is_told_and_the_game_saved_later(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game goes on in memory; as soon as it can, the record is whole again."""
    monkeypatch.setattr(server, "SAVE_AGAIN_SECONDS", 0.1)
    monkeypatch.setattr(server, "PING_SECONDS", 0.1)
    with host.anew():
        table = host.table(clonemaster="rulebook")
        with host.caller() as ann:
            ann.join(code(table), "Ann")
            ann.until(UpdateAnswer)

            def fail(path: Path, raw: bytes) -> None:
                raise OSError(errno.ENOSPC, "No space left on device")

            monkeypatch.setattr(keeper, "write_atomic", fail)
            assert isinstance(choose(ann, table, Random(1)), StateAnswer)
            while "No space left" not in ann.until(TableAnswer).notice:
                pass
            monkeypatch.setattr(keeper, "write_atomic", write_atomic)
            while ann.until(TableAnswer).notice:
                pass
            length = host.thread.call(lambda: table.match.length if table.match else 0)
        assert length > 0
        assert len(load_record(table.record_path).choices) >= length


def test_a_slow_disk_holds_up_one_table_alone(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told what a killed host would not know again, and no other table waits for it."""
    slow, quick = host.table(clonemaster="rulebook"), host.table(clonemaster="rulebook")
    is_free = threading.Event()

    def write(path: Path, raw: bytes) -> None:
        if path.parent == slow.folder:
            assert is_free.wait(20)
        write_atomic(path, raw)

    with host.caller() as ann, host.caller() as bob:
        ann.join(code(slow), "Ann")
        bob.join(code(quick), "Bob")
        begin(ann)
        begin(bob)
        ann.ask(StateRequest())  # all that was told before has come
        monkeypatch.setattr(keeper, "write_atomic", write)
        assert slow.match is not None
        decision = slow.match.decision(TERMINATOR)
        assert decision is not None
        choice = msgspec.Raw(msgspec.json.encode(decision.options.sample(Random(1))))
        ann.send(ChooseRequest(side=TERMINATOR, choice=choice, revision=decision.revision, id=50))
        host.until(lambda: slow.match is not None and slow.match.length > 0)
        assert isinstance(choose(bob, quick, Random(1)), StateAnswer)
        with pytest.raises(TimeoutError):
            ann.wire.recv(0.1)
        is_free.set()
        assert ann.answer(50).revision > 0  # type: ignore[union-attr]
        assert load_record(slow.record_path).choices


def test_the_system_bounds_the_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a program may open few files some stay free for the games, and guests are told of it."""
    assert door.most_connections() <= limits.CONNECTIONS
    monkeypatch.setattr(door, "most_connections", lambda: 10)
    small = door.Door()
    callers = [door.Caller("127.0.0.1", port) for port in range(12)]
    assert [(small.enter(one, lambda: None), small.is_full) for one in callers] == [(True, False)] * 6 + [
        (True, True)
    ] * 4 + [(False, True)] * 2


def test_a_full_host_says_so(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes when no more can be served is told, not left waiting."""
    monkeypatch.setattr(door, "most_connections", lambda: door.TOLD + 1)
    with host.anew(), host.caller() as first:
        assert isinstance(first.greet(), GreetAnswer)
        with host.caller() as second:
            assert second.greet().kind == "full"
            second.wait_end()


def test_a_game_begins_without_room_for_its_record(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk keeps nobody from the table; a host killed then begins the same game again."""

    def fail(path: Path, raw: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    table = host.table()
    with host.caller() as ann, host.caller() as bob:
        ann.join(code(table), "Ann", TERMINATOR)
        kept = (table.folder / "table.json").read_bytes()
        monkeypatch.setattr(keeper, "write_atomic", fail)
        bob.join(code(table), "Bob", CLONEMASTER)
        begin(ann, bob)
        assert isinstance(choose(ann, table, Random(1)), StateAnswer)
        assert not table.record_path.exists()
        assert (table.folder / "table.json").read_bytes() == kept
        again = Table.resume(table.folder)
        assert (again.name, again.match) == (table.name, None)
        monkeypatch.setattr(keeper, "write_atomic", write_atomic)
        assert isinstance(choose(bob, table, Random(1)), StateAnswer)
    host.thread.stop()
    again = Table.resume(table.folder)
    assert again.match is not None
    assert again.match.length == 2


def test_who_plays_has_turns_between_those_who_join(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Agreeing on a key takes the host a while, and many may come at once."""
    table = host.table(clonemaster="rulebook")
    replies: list[str] = []
    reply = HostSide.reply

    def slowly(side: HostSide, message: str) -> str:
        time.sleep(0.05)
        replies.append(message)
        return reply(side, message)

    with host.caller() as ann:
        ann.join(code(table), "Ann")
        ann.until(UpdateAnswer)
        monkeypatch.setattr(HostSide, "reply", slowly)
        joiners = [host.caller() for _ in range(8)]
        for each in joiners:
            each.greet()
        requests = [JoinRequest(table=table.name, pake=_pake(each), id=50) for each in joiners]
        for each, request in zip(joiners, requests, strict=True):
            each.send(request)
        assert isinstance(ann.ask(StateRequest()), StateAnswer)
        answered_first = len(replies)
        for each in joiners:
            each.answer(50)
            each.close()
    assert answered_first < len(replies) == len(joiners)
