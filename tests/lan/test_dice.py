"""The dice and the draws of a game between machines: what its people keep and agree upon."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from random import Random
from time import sleep

import msgspec
import pytest

from app.cli import main
from app.lan.certificate import load_identity
from app.lan.link import Invitation, Link
from app.lan.table import Table
from app.lan.tickets import Ticket, new_id
from engine.core.agreement import AnswerDraw, AskDraw
from engine.core.lan_protocol import OpenRequest, ProveRequest, SealsAnswer, UpdateAnswer
from engine.core.protocol import Refusal
from engine.core.record import load_record
from tests.helpers import fake_host
from tests.helpers.fake_host import CODE, LOOPBACK, FakeHost, Wire
from tests.helpers.lan import C, T, ask, choose, key, new_table, only, open_shares, play_on, sit, told, two_at


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
    other = new_table(tmp_path / "other")
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


def test_every_players_share_moves_the_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's is left out, not that of the host's own player either, who has sealed it as all others have."""
    monkeypatch.setattr("app.lan.table.make_share", lambda: key("7"))

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
