"""The dice and the draws of a game between machines: what its people keep and agree upon."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import msgspec
import pytest

from app.cli import main
from app.lan.certificate import load_identity
from app.lan.guest.link import RESEALED, Invitation, Link, LinkState
from app.lan.guest.tickets import Ticket, load_all, new_id
from app.lan.host.server import Server
from app.lan.host.table import Table
from engine.core.agreement import AnswerDraw, AskDraw
from engine.core.lan_protocol import (
    LanAnswer,
    OpenRequest,
    ProveRequest,
    SealsAnswer,
    SeatCard,
    TableAnswer,
    TableCard,
    UpdateAnswer,
    WelcomeAnswer,
)
from engine.core.protocol import Refusal
from engine.core.record import load_record
from engine.core.shares import faults
from tests.helpers import fake_host
from tests.helpers.caller import hosted
from tests.helpers.fake_host import CODE, LOOPBACK, FakeHost, Wire, welcome
from tests.helpers.lan import (
    SECRET,
    C,
    T,
    ask,
    choose,
    key,
    new_table,
    only,
    open_shares,
    play_on,
    sit,
    told,
    two_at,
)


def ticket(folder: Path, table: Table, side: str, letter: str, **changed: object) -> str:
    """Keep a guest's ticket as his machine does; return its path."""
    kept = Ticket(
        id=new_id(),
        table="AB",
        address="127.0.0.1",
        port=21100,
        host="Host",
        fingerprint="",
        token=key("3"),
        side=side,  # type: ignore[arg-type]
        seat="any",
        name="Ann",
        title="Basic",
        commitment=table.commitment,
        share=key(letter),
        seals=only(told(table, next(one for one in table.guests if one.side == side)), SealsAnswer).seals,
    )
    kept = msgspec.structs.replace(kept, **changed)
    kept.save(folder)
    return str(kept.path(folder))


def test_a_guests_ticket_is_his_receipt(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A whole game at a table, its record checked with the ticket as the guest's machine wrote it."""
    table = new_table(tmp_path / "table", scenario="tea-house", host_token=key("1"))
    other = new_table(tmp_path / "other", share="e")
    for one in (table, other):
        two_at(one)
    mine = ticket(tmp_path / "tickets", table, C, "b")
    others = ticket(tmp_path / "tickets", other, C, "b")
    hosts = ticket(tmp_path / "tickets", table, T, "a", is_host=True, token="")
    play_on(table, Random(1))
    record = str(table.record_path)
    for sound in (mine, hosts):
        assert main(["replay", record, "--verify", "--receipt", sound]) == 0
        out = capfd.readouterr().out
        assert "the seed follows from the host's, the terminator's and the clonemaster's shares" in out
        assert "every share is the one that had been sealed" in out
    assert main(["replay", record, "--verify", "--receipt", others]) == 1
    assert "shares.host: not the one that had been sealed" in capfd.readouterr().out


def test_every_players_share_moves_the_seed(tmp_path: Path) -> None:
    """Nobody's is left out, not that of the host's own player either, who has sealed it as all have."""

    def seed(own: str, guests: str) -> str:
        table = new_table(tmp_path / f"{own}{guests}", host_token=key("1"))
        sit(table, "Bob", C, guests, "2")
        sit(table, "Ann", T, own, "1")
        open_shares(table, own, guests)
        return load_record(table.record_path).seed

    assert len({seed("a", "b"), seed("c", "b"), seed("a", "d")}) == 3


def test_a_draw_is_agreed_between_machines(tmp_path: Path) -> None:
    """One offers in the other's turn, is told nothing but the offer, and a yes ends the game for all."""
    table = new_table(tmp_path)
    ann, bob = two_at(table)
    eve = sit(table, "Eve", "watch", "e", "3")
    play_on(table, Random(1), 30)
    assert table.match is not None
    revision = table.match.revision
    packed = {"do": "ask-draw"}
    with pytest.raises(Refusal):
        ask(table, eve, "choose", side=T, choice=packed, revision=revision)
    with pytest.raises(Refusal):
        ask(table, ann, "choose", side=C, choice=packed, revision=revision)
    assert T in only(told(table, ann), UpdateAnswer).state.draw
    choose(table, ann, AskDraw())
    assert [one.kind for one in only(told(table, bob), UpdateAnswer).state.asked] == ["draw"]
    assert only(told(table, ann), UpdateAnswer).state.draw == ()
    choose(table, bob, AnswerDraw(False))
    with pytest.raises(Exception, match="declined"):
        choose(table, ann, AskDraw())
    choose(table, bob, AskDraw())
    choose(table, ann, AnswerDraw(True))
    assert table.is_over
    assert table.card().phase == "over"
    for guest in (ann, bob, eve):
        update = only(told(table, guest), UpdateAnswer)
        assert update.state.over
        assert update.state.outcome["is_agreed"]
        assert ask(table, guest, "record").record["choices"][-1]["choice"] == {
            "do": "answer-draw",
            "agrees": True,
        }


def test_a_bot_at_the_table_declines(tmp_path: Path) -> None:
    """Where a bot sits opposite, the answer comes by itself, and the game goes on."""
    table = new_table(tmp_path, seats={C: "rulebook"})
    ann = sit(table, "Ann", T, "a", "1")
    open_shares(table, "a")
    choose(table, ann, AskDraw())
    for _ in range(10):
        table.tick()
    assert table.match is not None
    events = [type(one).__name__ for one in table.match.events("public")]
    assert "DrawAnswered" in events
    assert not table.is_over


# A guest's link


class Told:
    """A link with what it told; `kept` is its ticket as another program would find it."""

    def __init__(self, way: Ticket | Invitation, folder: Path) -> None:
        self.folder = folder
        self.answers: list[LanAnswer] = []
        self.states: list[LinkState] = []
        self.link = Link(way, self.answers.append, self.states.append, folder=folder, look=None)

    def close(self) -> None:
        """End it."""
        self.link.close()

    @property
    def kept(self) -> Ticket:
        """The one ticket that there is."""
        (found,) = load_all(self.folder)
        return found

    def refused(self) -> LinkState:
        """Return how it was refused."""
        wait_until(lambda: any(state.kind == "refused" for state in self.states))
        return self.states[-1]

    def has_told(self, kind: type[LanAnswer]) -> bool:
        """Whether it has told something of a kind."""
        return any(isinstance(one, kind) for one in self.answers)


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = monotonic() + 20.0
    while not holds():
        assert monotonic() < end
        sleep(0.01)


def opened(host: FakeHost) -> list[str]:
    """Return the shares that a host has been told."""
    return [one.share for one in host.heard if isinstance(one, OpenRequest)]


def proofs(host: FakeHost) -> list[ProveRequest]:
    """Return how often somebody has asked a host for a seat."""
    return [one for one in host.heard if isinstance(one, ProveRequest)]


async def give_seat(wire: Wire, **fields: Any) -> None:
    """Give the Terminator's seat to a guest, or let him come back to it."""
    await wire.greet()
    if any(isinstance(one, ProveRequest) for one in wire.heard):
        request = await wire.hear()
        await wire.tell(msgspec.structs.replace(welcome(), side=T, **fields), request)
    else:
        request, side = await wire.agree()
        assert side.accepts(request.proof, fake_host.COMMITMENT)
        await wire.tell(msgspec.structs.replace(welcome(side.proof()), side=T, **fields), request)
    seats = {T: SeatCard(player="client", name="Ann"), C: SeatCard(player="client", name="Bob")}
    card = TableCard(table="AB", title="t", host="Fake", phase="waiting", seats=seats, watchers=0)
    await wire.tell(
        TableAnswer(card=card, watchers=(), is_paused=False, asks=(), clocks={}, code="", notice="")
    )


def sealed_by(wire: Wire, **others: str) -> SealsAnswer:
    """Return what a guest was promised to be told: his own seal, the host's, and another player's."""
    mine = next(one.seals for one in wire.heard if isinstance(one, ProveRequest))
    return SealsAnswer(seals={"host": fake_host.COMMITMENT, T: mine[T], C: key("b"), **others})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"host": key("d")}, "sealed its dice anew"),
        ({T: key("d")}, "does not hold what this side has sealed"),
        ({C: None}, "others than those who play"),
        ({T: None}, "others than those who play"),
        ({"host": None}, "others than those who play"),
        ({T: None, C: None, "host": None}, "others than those who play"),
    ],
)
def test_a_share_is_opened_to_sound_seals_only(
    tmp_path: Path, change: dict[str, str | None], words: str
) -> None:
    """One's own seal, that of the host from the start, one of each who plays; else nothing is opened."""

    async def lie(wire: Wire) -> None:
        await give_seat(wire)
        seals = {**sealed_by(wire).seals, **change}
        await wire.tell(SealsAnswer(seals={who: seal for who, seal in seals.items() if seal is not None}))
        await wire.stay()

    with FakeHost(load_identity(tmp_path / "identity"), lie) as host:
        way = Invitation(LOOPBACK, host.port, CODE, "Ann", "any")
        with closing(Told(way, tmp_path / "tickets")) as ann:
            state = ann.refused()
            assert words in state.reason
            assert state.refusal == RESEALED
            assert opened(host) == []
            assert ann.kept.seals == {}


def test_no_game_begins_before_the_seals_are_told(tmp_path: Path) -> None:
    """A host that leaves them out is told so at once, not when the record comes."""
    table = new_table(tmp_path / "table")
    ann, _ = two_at(table)
    update = only(told(table, ann), UpdateAnswer)

    async def hurry(wire: Wire) -> None:
        await give_seat(wire)
        await wire.tell(update)
        await wire.stay()

    with FakeHost(load_identity(tmp_path / "identity"), hurry) as host:
        way = Invitation(LOOPBACK, host.port, CODE, "Ann", T)
        with closing(Told(way, tmp_path / "tickets")) as guest:
            assert "before it told what was sealed" in guest.refused().reason
            assert not guest.has_told(UpdateAnswer)


def test_a_host_cannot_have_the_dice_thrown_again(tmp_path: Path) -> None:
    """It hangs up when it has seen a share: it must go on with the same seals, and gets no other share."""

    async def hang_up(wire: Wire) -> None:
        await give_seat(wire)
        await wire.tell(sealed_by(wire))
        while not isinstance(await wire.hear(), OpenRequest):
            pass

    async def seal_anew(wire: Wire) -> None:
        await give_seat(wire)
        await wire.tell(sealed_by(wire, **{C: key("e")}))
        await wire.stay()

    folder = tmp_path / "tickets"
    with FakeHost(load_identity(tmp_path / "identity"), hang_up, hang_up, seal_anew) as host:
        with closing(Told(Invitation(LOOPBACK, host.port, CODE, "Ann", T), folder)) as ann:
            state = ann.refused()
            assert state.reason == "the host has changed what was sealed for the dice"
            assert state.refusal == RESEALED
        mine = ann.kept.share
        assert opened(host) == [mine, mine]
        assert ann.kept.seals[C] == key("b")
        with closing(Told(ann.kept, folder)) as again:
            assert again.refused().refusal == RESEALED
        assert opened(host) == [mine, mine]
        assert len(proofs(host)) == 1, "he joins by himself no second time"


def test_nobody_joins_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that takes the proof and hangs up is left after two more tries, and has seen one seal only."""
    monkeypatch.setattr("app.lan.guest.link.FIRST_WAIT", 0.01)

    async def hang_up(wire: Wire) -> None:
        await wire.greet()
        if proofs(host):
            request = await wire.hear()
            await wire.tell(Refusal("no-table", "nobody with this token sits here").answer(0), request)
        await wire.agree()

    with FakeHost(load_identity(tmp_path / "identity"), hang_up) as host:
        with closing(Told(Invitation(LOOPBACK, host.port, CODE, "Ann", T), tmp_path / "tickets")) as ann:
            assert "gives no seat" in ann.refused().reason
        assert len(proofs(host)) == 3
        assert len({one.seals[T] for one in proofs(host)}) == 1
        assert len({one.token for one in proofs(host)}) == 1


def test_nobody_is_the_hosts_own_player_by_its_word(tmp_path: Path) -> None:
    """Only who hosts in his own program is told so."""

    async def flatter(wire: Wire) -> None:
        await give_seat(wire, is_host=True)
        await wire.stay()

    for number, token in enumerate(("", key("7"))):
        with FakeHost(load_identity(tmp_path / "identity"), flatter) as host:
            way = Invitation(LOOPBACK, host.port, CODE, "Ann", T, token)
            with closing(Told(way, tmp_path / str(number))) as ann:
                wait_until(lambda ann=ann: ann.has_told(WelcomeAnswer))  # type: ignore[misc]
                told_first = next(one for one in ann.answers if isinstance(one, WelcomeAnswer))
                assert told_first.is_host == ann.kept.is_host == bool(token)


# Killed at each point


@pytest.mark.parametrize("point", ["proof", "welcome", "seals", "opened", "begun"])
def test_a_guest_killed_at_any_point_goes_on(tmp_path: Path, point: str) -> None:
    """His ticket leads back to the seat with what he has sealed, and the game begins with it, or goes on."""
    table = new_table(tmp_path / "table")
    server = Server([table], load_identity(tmp_path / "identity"), "Host", bind=LOOPBACK)
    with hosted(server) as thread:
        way = Invitation(LOOPBACK, server.port, f"AB{SECRET}", "Ann", "any")
        with closing(Told(way, tmp_path / "ann")) as ann:
            if point == "seals":
                ann.link._send = lambda request, answered: None  # type: ignore[method-assign]
            wait_until(lambda: ann.has_told(WelcomeAnswer))
            if point not in ("proof", "welcome"):
                thread.call(lambda: sit(table, "Bob", C, "b", "2"))
                wait_until(lambda: ann.has_told(SealsAnswer))
            if point in ("opened", "begun"):
                wait_until(lambda: bool(table.guests[0].share))
            if point == "begun":
                thread.call(lambda: open_shares(table, "b"))
                wait_until(lambda: ann.has_told(UpdateAnswer))
        assert bool(table.guests[0].share) == (point in ("opened", "begun"))
        kept = ann.kept
        assert bool(kept.seals) == (point not in ("proof", "welcome"))
        if point == "proof":
            kept = msgspec.structs.replace(kept, side="")  # as it is kept before the welcome
        with closing(Told(kept, tmp_path / "ann")) as ann:
            wait_until(lambda: ann.has_told(WelcomeAnswer))
            if point in ("proof", "welcome"):
                thread.call(lambda: sit(table, "Bob", C, "b", "2"))
            thread.call(lambda: open_shares(table, "b"))
            wait_until(lambda: ann.has_told(UpdateAnswer))
    record = load_record(table.record_path)
    assert record.shares is not None
    assert record.shares[T] == kept.share
    assert faults(record, (T, C), ann.kept.receipt) == []


@pytest.mark.parametrize("point", ["seals", "opened", "begun"])
def test_a_host_killed_at_any_point_goes_on(tmp_path: Path, point: str) -> None:
    """Both guests come back by themselves to the same seals, and open the same shares again."""
    folder = tmp_path / "table"
    new_table(folder)
    identity = load_identity(tmp_path / "identity")
    table = Table.resume(folder)
    server = Server([table], identity, "Host", bind=LOOPBACK)
    with hosted(server):
        port = server.port
        if point != "begun":
            # As if the host died before the last message came: nothing that is opened is heard.
            only_of = T if point == "opened" else ""
            hear = table._open
            table._open = lambda guest, share: hear(guest, share) if guest.side == only_of else None  # type: ignore[method-assign]
        guests = [
            Told(Invitation(LOOPBACK, port, f"AB{SECRET}", name, seat), tmp_path / name)
            for name, seat in (("Ann", T), ("Bob", C))
        ]
        for guest in guests:
            wait_until(lambda guest=guest: bool(load_all(guest.folder)) and bool(guest.kept.seals))  # type: ignore[misc]
            if point == "begun":
                wait_until(lambda guest=guest: guest.has_told(UpdateAnswer))  # type: ignore[misc]
        before = [guest.kept for guest in guests]
    assert (folder / "game.json").exists() == (point == "begun")
    table = Table.resume(folder)
    with hosted(Server([table], identity, "Host", bind=LOOPBACK, port=port)):
        for guest in guests:
            wait_until(lambda guest=guest: guest.has_told(UpdateAnswer))  # type: ignore[misc]
            guest.close()
    record = load_record(folder / "game.json")
    for guest, kept in zip(guests, before, strict=True):
        assert guest.kept.seals == kept.seals
        assert faults(record, (T, C), kept.receipt) == []
