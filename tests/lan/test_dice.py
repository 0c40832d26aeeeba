"""The dice and the draws of a game between machines: what its people keep and agree upon."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from random import Random
from time import sleep

import pytest

from app.cli import main
from app.lan.certificate import load_identity
from app.lan.link import Invitation, Link
from app.lan.tickets import Ticket, new_id
from engine.core.agreement import AnswerDraw, AskDraw
from engine.core.lan_protocol import ProveRequest, UpdateAnswer
from engine.core.protocol import Refusal
from engine.core.record import load_record
from tests.helpers import fake_host
from tests.helpers.fake_host import CODE, LOOPBACK, FakeHost, Wire
from tests.helpers.lan import C, T, ask, choose, key, new_table, only, play_on, told, two_at


def ticket(folder: Path, commitment: str, share: str, side: str, *, is_host: bool = False) -> str:
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
        commitment=commitment,
        share=share,
        is_host=is_host,
    )
    kept.save(folder)
    return str(kept.path(folder))


def test_a_guests_ticket_is_his_receipt(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A whole game at a table, its record checked with the ticket as the guest's machine wrote it."""
    table = new_table(tmp_path / "table", scenario="tea-house", host_token=key("1"))
    mine = ticket(tmp_path / "tickets", table.commitment, key("b"), C)
    others = ticket(tmp_path / "tickets", new_table(tmp_path / "other").commitment, key("b"), C)
    hosts = ticket(tmp_path / "tickets", table.commitment, key("a"), T, is_host=True)
    two_at(table)
    play_on(table, Random(1))
    record = str(table.record_path)
    assert main(["replay", record, "--verify", "--receipt", mine]) == 0
    out = capfd.readouterr().out
    assert "the seed follows from that share and the clonemaster's" in out
    assert "in league" not in out
    assert main(["replay", record, "--verify", "--receipt", hosts]) == 0
    assert "the host's own player adds no share" in capfd.readouterr().out
    assert main(["replay", record, "--verify", "--receipt", others]) == 1
    assert "not the one that the guest was given" in capfd.readouterr().out


def test_the_hosts_own_share_is_in_no_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the host's own player gives the seed is the same: he cannot choose it to suit the others."""
    monkeypatch.setattr("app.lan.table.make_share", lambda: key("7"))

    def seed(own: str, guests: str) -> str:
        table = new_table(tmp_path / f"{own}{guests}", host_token=key("1"))
        table.sit("Bob", C, key(guests), key("2"))
        table.sit("Ann", T, key(own), key("1"))
        return load_record(table.record_path).seed

    first = seed("a", "b")
    assert seed("c", "b") == first
    assert seed("a", "d") != first


def test_a_draw_is_agreed_between_machines(tmp_path: Path) -> None:
    """One offers in the other's turn, is told nothing but the offer, and a yes ends the game for all."""
    table = new_table(tmp_path)
    ann, bob = two_at(table)
    eve = table.sit("Eve", "watch", key("e"), key("3"))
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
    ann = table.sit("Ann", T, key("a"), key("1"))
    choose(table, ann, AskDraw())
    for _ in range(10):
        table.tick()
    assert table.match is not None
    events = [type(one).__name__ for one in table.match.events("public")]
    assert "DrawAnswered" in events
    assert not table.is_over


def test_a_share_is_never_told_to_two_commitments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that cuts a guest off when it has his share, and binds itself anew, gets another share."""
    commitments = iter([key("1"), key("1"), key("2"), key("2")])

    async def cut_off(wire: Wire) -> None:
        monkeypatch.setattr(fake_host, "COMMITMENT", next(commitments))
        await wire.greet()
        if any(isinstance(one, ProveRequest) for one in wire.heard):
            request = await wire.hear()
            await wire.tell(Refusal("no-table", "nobody with this token sits here").answer(0), request)
        await wire.agree()

    shares: list[str] = []
    with FakeHost(load_identity(tmp_path / "identity"), cut_off) as host:
        way = Invitation(LOOPBACK, host.port, CODE, "Ann", "any")
        link = Link(way, lambda told: None, lambda state: None, folder=tmp_path / "tickets")
        with closing(link):
            for _ in range(200):
                shares = [one.share for one in host.heard if isinstance(one, ProveRequest)]
                if len(shares) >= 4:
                    break
                sleep(0.05)
    assert shares[0] == shares[1]
    assert shares[1] != shares[2]
    assert shares[2] == shares[3]
