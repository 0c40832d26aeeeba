"""A table without a network: who sits where, who may ask what, what all are told, what outlasts a kill."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from app.lan.host import table as module
from app.lan.host.table import Guest, Table
from app.lan.host.table_file import GAME_NAME, TABLE_NAME, load_table, save_table
from engine.core.agreement import AskDraw
from engine.core.decision import IllegalChoice, StaleChoice
from engine.core.files import BadFile
from engine.core.lan_protocol import ChattedAnswer, SealsAnswer, TableAnswer, UpdateAnswer
from engine.core.protocol import Refusal
from engine.core.record import format_record, load_record
from engine.core.shares import faults, seal_of
from engine.core.takeback import AskTakeback
from engine.raid.match import RULES, RaidReplay
from engine.raid.scenario import load_scenario
from tests.helpers.lan import (
    C,
    T,
    Time,
    ask,
    choose,
    key,
    new_table,
    only,
    open_shares,
    play_on,
    seals_of,
    sit,
    told,
    two_at,
    undo,
)


def chat_of(table: Table, guest: Guest) -> list[tuple[str, str]]:
    """Return the lines of chat that a guest is told now."""
    return [(one.name, one.text) for one in told(table, guest) if isinstance(one, ChattedAnswer)]


def refused(table: Table, guest: Guest, asked: str, **fields: Any) -> str:
    """Return the kind of the refusal of a request."""
    with pytest.raises(Refusal) as caught:
        ask(table, guest, asked, **fields)
    return caught.value.kind


# Coming in


def test_game_begins_when_nobody_is_missing(tmp_path: Path) -> None:
    """The first to come waits; when both have opened their shares the game begins, as all are told."""
    table = new_table(tmp_path)
    ann = sit(table, "Ann", T, "a", "1")
    assert table.card().phase == "waiting"
    assert [type(one) for one in told(table, ann)] == [TableAnswer, ChattedAnswer]
    assert refused(table, ann, "state") == "no-game"
    bob = sit(table, "Bob", "any", "b", "2")
    assert (bob.side, table.card().phase) == (C, "waiting")
    open_shares(table, "b")
    assert table.card().phase == "waiting"
    for each in (ann, bob):
        told(table, each)
    open_shares(table, "a")
    assert table.card().phase == "playing"
    anns, bobs = told(table, ann), told(table, bob)
    assert [only(each, TableAnswer).card.phase for each in (anns, bobs)] == ["playing", "playing"]
    update = only(bobs, UpdateAnswer)
    assert set(update.views) == {C, "public"}
    assert [one.kind for one in update.state.asked] == ["set-up-clonemaster"]
    assert {side: seat.name for side, seat in table.card().seats.items()} == {T: "Ann", C: "Bob"}


def test_token_has_its_own_seat_only(tmp_path: Path) -> None:
    """Who joins again with the same token has his seat again; another token is another person."""
    table = new_table(tmp_path)
    ann = sit(table, "Ann", T, "a", "1")
    assert sit(table, "Ann", "any", "c", "1") is ann
    assert ann.seal == seal_of(T, key("a"))
    with pytest.raises(Refusal, match="taken"):
        sit(table, "Eve", T, "e", "9")
    with pytest.raises(Refusal) as caught:
        table.return_(key("9"))
    assert caught.value.kind == "no-table"
    assert table.return_(key("1")) is ann


def test_one_who_looks_on_sees_what_is_public(tmp_path: Path) -> None:
    """A spectator is told the public view and events alone, and may decide nothing; the end opens all."""
    table = new_table(tmp_path)
    ann, _ = two_at(table)
    eve = sit(table, "Eve", "watch", "e", "3")
    update = only(told(table, eve), UpdateAnswer)
    assert (set(update.views), set(update.told), update.known) == ({"public"}, {"public"}, None)
    for asked, fields in (
        ("view", {"viewer": T}),
        ("events", {"viewer": C}),
        ("options", {"side": T}),
        ("why", {"side": T, "choice": {"do": "ready"}}),
        ("choose", {"side": T, "choice": {"do": "ready"}, "revision": 0}),
        ("undo", {"side": T, "revision": 0}),
        ("seat", {"side": T, "player": "random"}),
        ("record", {}),
        ("offer", {"what": "pause"}),
        ("view", {"viewer": "open"}),
    ):
        assert refused(table, eve, asked, **fields) == "not-yours", asked
    assert refused(table, ann, "view", viewer=C) == "not-yours"
    play_on(table, Random(1))
    update = only(told(table, eve), UpdateAnswer)
    assert set(update.views) == {"public", "open"}
    assert ask(table, eve, "record").record["seats"] == {T: "human", C: "human"}


def test_watchers_are_no_crowd(tmp_path: Path) -> None:
    """There is an end to those who look on; one who has left makes room."""
    table = new_table(tmp_path)
    eves = [table.sit("Eve", "watch", {}, f"{number:064x}") for number in range(module.WATCHERS)]
    assert len({eve.name for eve in eves}) == module.WATCHERS
    with pytest.raises(Refusal, match="look on already"):
        sit(table, "Eve", "watch", "e", "f")
    table.leave(eves[3], eves[3].visit)
    assert sit(table, "Eve", "watch", "e", "f") not in eves
    assert eves[3] not in table.guests


@pytest.mark.parametrize("name", ["\n", "   ", "a\x00b", "abc\u202edef", "\u200b"])
def test_names_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    """Control letters, and such as turn the line round, are no name."""
    with pytest.raises(Refusal, match="name"):
        sit(new_table(tmp_path), name, T, "a", "1")


def test_seat_is_free_again_when_its_person_stays_away(tmp_path: Path) -> None:
    """Before the game begins a seat is kept for a while only, but for the host's own."""
    time = Time()
    table = new_table(tmp_path, time=time, host_token=key("2"))
    ann = sit(table, "Ann", T, "a", "1")
    host = sit(table, "Host", C, "b", "2")
    for one in (ann, host):
        table.leave(one, one.visit)
    assert table.tick() is None
    time.go(10 * module.LOBBY_GRACE)
    table.tick()
    assert len(table.guests) == 2, "all seats are taken, and what was sealed there stays"
    table = new_table(tmp_path / "other", time=time, host_token=key("1"))
    host = sit(table, "Host", T, "a", "1")
    assert host.is_host
    table.leave(host, host.visit)
    assert table.tick() is None
    time.go(module.LOBBY_GRACE + 1)
    table.tick()
    assert table.guests == [host]
    table = new_table(tmp_path / "third", time=time)
    ann = sit(table, "Ann", T, "a", "1")
    table.leave(ann, ann.visit)
    assert table.tick() == time.now + module.LOBBY_GRACE
    time.go(module.LOBBY_GRACE)
    table.tick()
    assert table.guests == []
    assert sit(table, "Bob", T, "b", "2").side == T


def test_seat_is_free_at_once_when_its_person_leaves_for_good(tmp_path: Path) -> None:
    """Who leaves the lobby can take his seat again, or somebody else; the host's own player keeps his."""
    table = new_table(tmp_path, host_token=key("1"))
    ann = sit(table, "Ann", T, "a", "1")
    cleo = sit(table, "Cleo", "watch", "c", "3")
    table.leave(cleo, cleo.visit, for_good=True)
    table.leave(ann, ann.visit, for_good=True)
    assert table.card().seats[T].name == "Ann"
    table = new_table(tmp_path / "other")
    bob = sit(table, "Bob", T, "b", "2")
    table.leave(bob, bob.visit, for_good=True)
    assert table.card().seats[T].player == ""
    assert sit(table, "Bob", T, "b", "4").side == T
    eve = sit(table, "Eve", C, "e", "5")
    table.leave(eve, eve.visit, for_good=True)
    assert table.card().seats[C].name == "Eve", "all seats were taken, and what was sealed there stays"


def test_end_of_an_old_connection_does_not_count(tmp_path: Path) -> None:
    """Who has come back by a new connection stays when the old one ends after it."""
    table = new_table(tmp_path)
    ann = sit(table, "Ann", T, "a", "1")
    old = ann.visit
    table.return_(key("1"))
    table.leave(ann, old)
    assert ann.is_here
    table.leave(ann, ann.visit)
    assert not ann.is_here


def test_join_code_is_told_to_the_host_alone(tmp_path: Path) -> None:
    """A guest cannot hand on the code that he may have been given for himself only."""
    table = new_table(tmp_path, host_token=key("1"))
    ann, bob = two_at(table)
    assert only(told(table, ann), TableAnswer).code == "AB2QXMKP"
    assert only(told(table, bob), TableAnswer).code == ""


# Dice


def test_dice_follow_from_all_shares(tmp_path: Path) -> None:
    """The record holds all shares, the host's own player's too, and its seed follows from them."""
    table = new_table(tmp_path, host_token=key("1"))
    commitment = table.commitment
    two_at(table)
    assert table.match is not None
    record = table.match.record
    assert record.shares is not None
    assert seal_of("host", record.shares["host"]) == commitment
    assert record.shares == {"host": record.shares["host"], T: key("a"), C: key("b")}
    assert faults(record, (T, C)) == []


def test_no_share_is_opened_before_all_are_sealed(tmp_path: Path) -> None:
    """The seals are told with the last seat taken; a share is taken from its player, as it was sealed."""
    table = new_table(tmp_path)
    with pytest.raises(Refusal, match="seals: none for the CloneMaster"):
        table.sit("Bob", C, {T: key("b")}, key("2"))
    ann = sit(table, "Ann", T, "a", "1")
    assert not any(isinstance(one, SealsAnswer) for one in told(table, ann))
    assert refused(table, ann, "open", share=key("a")) == "no-game"
    eve = sit(table, "Eve", "watch", "e", "3")
    bob = sit(table, "Bob", C, "b", "2")
    sealed = {"host": table.commitment, T: seal_of(T, key("a")), C: seal_of(C, key("b"))}
    for guest in (ann, bob, eve):
        news = told(table, guest)
        assert [type(one) for one in news[:2]] == [TableAnswer, SealsAnswer]
        assert only(news, SealsAnswer).seals == sealed
        assert not any(isinstance(one, SealsAnswer) for one in told(table, guest))
    assert refused(table, ann, "open", share=key("b")) == "bad-value"
    assert refused(table, eve, "open", share=key("e")) == "not-yours"
    open_shares(table, "a", "a", "b", "a")
    assert table.card().phase == "playing"
    assert only(told(table, table.return_(key("1"))), SealsAnswer).seals == sealed


def test_any_seat_is_one_that_was_sealed_for(tmp_path: Path) -> None:
    """Who leaves it to the host gets a free side for which he has sent a seal."""
    table = new_table(tmp_path)
    assert table.sit("Bob", "any", {C: seals_of(key("b"))[C]}, key("2")).side == C
    with pytest.raises(Refusal, match="seals: none"):
        table.sit("Ann", "any", {C: key("a")}, key("1"))


# Playing


def test_messages_out_of_time_change_nothing(tmp_path: Path) -> None:
    """A choice repeated, of the other side, of another moment or of no sense is refused."""
    table = new_table(tmp_path)
    ann, bob = two_at(table)
    assert table.match is not None
    decision = table.match.decision(C)
    assert decision is not None
    first = {"do": "place", "figure": "CloneMaster", "square": [0, 0]}
    before = format_record(table.match.record)
    with pytest.raises(StaleChoice):
        ask(table, bob, "choose", side=C, choice=first, revision=decision.revision + 1)
    assert refused(table, ann, "choose", side=C, choice=first, revision=decision.revision) == "not-yours"
    assert refused(table, bob, "choose", side=C, choice={"do": "fly"}, revision=0) == "bad-value"
    assert refused(table, bob, "choose", side="x", choice={"do": "ready"}, revision=0) == "bad-value"
    with pytest.raises(IllegalChoice):
        ask(table, bob, "choose", side=C, choice={"do": "ready"}, revision=decision.revision)
    assert format_record(table.match.record) == before
    choice = decision.options[0]
    choose(table, bob, choice)
    with pytest.raises(StaleChoice):
        ask(
            table,
            bob,
            "choose",
            side=C,
            choice={"do": "take-back", "figure": "Servant 1"},
            revision=decision.revision,
        )


def test_updates_hold_what_is_new(tmp_path: Path) -> None:
    """After the first update each holds the events since, and several choices make one update."""
    table = new_table(tmp_path)
    _, bob = two_at(table)
    first = only(told(table, bob), UpdateAnswer)
    assert all(part.since == 0 for part in first.told.values())
    assert told(table, bob) == []
    assert not table.has_news(bob)
    play_on(table, Random(3), 5)
    update = only(told(table, bob), UpdateAnswer)
    assert update.length == 5
    assert table.match is not None
    for viewer, part in update.told.items():
        assert part.since == len(first.told[viewer].events)
        assert part.since + len(part.events) == table.match.event_count(viewer)


def test_undo_takes_back_what_was_told(tmp_path: Path) -> None:
    """After an undo and another choice the update begins where the undone choice had been told."""
    table = new_table(tmp_path)
    _, bob = two_at(table)
    assert table.match is not None
    choose(table, bob, table.match.decisions()[-1].options[0])
    before = only(told(table, bob), UpdateAnswer)
    count = before.told[C].since + len(before.told[C].events)
    undo(table, bob)
    decision = table.match.decision(C)
    assert decision is not None
    choose(table, bob, decision.options[1])
    update = only(told(table, bob), UpdateAnswer)
    assert update.told[C].since == count - 1
    assert len(update.told[C].events) == 1
    # So did the revision: no later moment has that of an earlier one.
    assert update.state.revision == before.state.revision + 2


def test_whole_game_and_one_record(tmp_path: Path) -> None:
    """Two people play a game to its end; everybody may then have the record, which is the host's file."""
    table = new_table(tmp_path)
    ann, bob = two_at(table)
    assert refused(table, ann, "record") == "not-yours"
    play_on(table, Random(5))
    update = only(told(table, ann), UpdateAnswer)
    assert update.state.over
    assert update.known is None
    assert ask(table, ann, "record") == ask(table, bob, "record")
    kept = load_record(tmp_path / GAME_NAME)
    assert table.match is not None
    assert format_record(kept) == format_record(table.match.record) == (tmp_path / GAME_NAME).read_bytes()


def test_bots_fill_seats_at_their_pace(tmp_path: Path) -> None:
    """A bot makes a choice whenever its pace has passed, and only while nobody else must decide."""
    time = Time()
    table = new_table(tmp_path, time=time, seats={C: "rulebook"}, pace=0.5)
    ann = sit(table, "Ann", T, "a", "1")
    open_shares(table, "a")
    assert table.match is not None
    while table.match.decision(T) is not None:
        play_on(table, Random(1), 1)
    at = table.tick()
    assert at == time.now + 0.5
    made = table.match.length
    assert table.tick() == at
    assert table.match.length == made
    time.go(0.5)
    table.tick()
    assert table.match.length == made + 1
    assert only(told(table, ann), TableAnswer).card.seats[C].player == "rulebook"


def test_two_bots_play_for_those_who_look_on(tmp_path: Path) -> None:
    """A table without a person's seat plays by itself to the end."""
    time = Time()
    table = new_table(tmp_path, time=time, seats={T: "random", C: "random"})
    for _ in range(10_000):
        if table.tick() is None:
            break
    assert table.is_over


# People


def test_game_waits_for_who_is_away(tmp_path: Path) -> None:
    """While a player is away nobody decides and no bot moves; when he is back it goes on."""
    time = Time()
    table = new_table(tmp_path, time=time)
    ann, bob = two_at(table)
    table.leave(ann, ann.visit)
    time.go(7)
    assert refused(table, bob, "undo", side=C, revision=0) == "paused"
    assert refused(table, bob, "choose", side=C, choice={"do": "ready"}, revision=0) == "paused"
    card = only(told(table, bob), TableAnswer).card
    assert (card.seats[T].is_here, card.seats[T].away) == (False, 7)
    assert table.tick() is None
    table.return_(key("1"))
    play_on(table, Random(1), 1)


def test_recap_for_who_comes_back(tmp_path: Path) -> None:
    """Who was away while a bot played for the other is told what he missed, with his own eyes alone."""
    table = new_table(tmp_path)
    ann, bob = two_at(table)
    play_on(table, Random(2), 60)
    assert table.match is not None
    while table.match.view("public").turn < 2:
        play_on(table, Random(2), 1)
    told(table, ann)
    ask(table, ann, "seat", side=T, player="random")
    table.leave(ann, ann.visit)
    for _ in range(300):
        if table.tick() is None:
            play_on(table, Random(4), 1)
    table.return_(key("1"))
    update = only(told(table, ann), UpdateAnswer)
    assert update.missed is not None
    assert update.missed.before["viewer"] == T
    assert all(view["viewer"] == T for _, view in update.missed.acts)
    assert update.told[T].since == 0
    assert only(told(table, ann) or [update], UpdateAnswer) is update
    del bob


def test_what_a_bot_did_in_ones_place_is_told_from_ones_own_last_choice(tmp_path: Path) -> None:
    """A stand-in's moves are none of its person's: he is told them, also by a host that was killed since."""
    table = new_table(tmp_path)
    ann, _ = two_at(table)
    match = table.match
    assert match is not None
    random = Random(2)
    while match.view("public").phase != "terminator-move-1" or match.view("public").turn < 2:
        play_on(table, random, 1)
    play_on(table, random, 1)
    begun = match.event_count(T)
    told(table, ann)
    ask(table, ann, "seat", side=T, player="random")
    table.leave(ann, ann.visit)
    while match.view("public").turn < 4 and not match.is_over:
        if table.tick() is None:
            play_on(table, random, 1)
    events = match.events(T, begun)
    for host in (table, Table.resume(tmp_path)):
        back = host.return_(key("1"))
        missed = only(told(host, back), UpdateAnswer).missed
        assert missed is not None
        assert len(missed.acts) <= 200
        assert sum(len(told) for told, _ in missed.acts) == len(events)
        host.leave(back, back.visit)


def test_program_begun_anew_is_told_all_since_ones_own_last_move(tmp_path: Path) -> None:
    """After a kill a window knows nothing: it is told what had been told before, a line that broke is not."""
    table = new_table(tmp_path)
    _, bob = two_at(table)
    match = table.match
    assert match is not None
    random = Random(2)
    while match.view("public").phase != "clonemaster-move":
        play_on(table, random, 1)
    told(table, bob)
    table.leave(bob, bob.visit)
    table.return_(key("2"))
    assert only(told(table, bob), UpdateAnswer).missed is None
    for is_here in (True, False):
        if not is_here:
            table.leave(bob, bob.visit)
        table.return_(key("2"), is_new=True)
        missed = only(told(table, bob), UpdateAnswer).missed
        assert missed is not None
        assert missed.before["phase"] != "clonemaster-move"


def test_seat_handed_to_a_bot_and_taken_back(tmp_path: Path) -> None:
    """A player may let a bot decide for him and take over again; meanwhile he decides nothing."""
    table = new_table(tmp_path)
    _, bob = two_at(table)
    ask(table, bob, "seat", side=C, player="rulebook")
    assert only(told(table, bob), TableAnswer).card.seats[C].player == "rulebook"
    assert refused(table, bob, "choose", side=C, choice={"do": "ready"}, revision=0) == "not-yours"
    assert refused(table, bob, "seat", side=C, player="client ") == "bad-value"
    ask(table, bob, "seat", side=C, player="client")
    assert table.match is not None
    play_on(table, Random(1), 1)


def test_stand_in_for_who_stays_away(tmp_path: Path) -> None:
    """After a while the other player may put a bot on a seat; its person alone takes it back."""
    time = Time()
    table = new_table(tmp_path, time=time)
    ann, bob = two_at(table)
    assert refused(table, bob, "seat", side=T, player="rulebook") == "not-yours"
    table.leave(ann, ann.visit)
    time.go(10)
    assert refused(table, bob, "seat", side=T, player="rulebook") == "too-often"
    time.go(module.STAND_IN_AFTER)
    assert refused(table, bob, "seat", side=T, player="random") == "bad-value"
    ask(table, bob, "seat", side=T, player="rulebook")
    assert table.away() == []
    assert refused(table, bob, "seat", side=T, player="client") == "not-yours"
    table.return_(key("1"))
    ask(table, ann, "seat", side=T, player="client")
    assert table.card().seats[T].player == "client"


@pytest.mark.parametrize("bot", ["rulebook", "random"])
def test_stand_in_agrees_to_nothing(tmp_path: Path, bot: str) -> None:
    """A bot on a person's seat declines in his name what both must agree on."""
    table = new_table(tmp_path)
    _, bob = two_at(table)
    ask(table, next(one for one in table.guests if one.side == T), "seat", side=T, player=bot)
    assert table.match is not None
    for choice in (AskTakeback(), AskDraw()):
        play_on(table, Random(1), 1)
        length = table.match.length
        choose(table, bob, choice)
        while table.tick() is not None:
            pass
        answers = [row.choice for row in table.match.record.choices[length:] if "agrees" in row.choice]
        assert [one["agrees"] for one in answers] == [False]


def test_secret_choices_make_no_sound(tmp_path: Path) -> None:
    """What the other does in his secret set-up is no news, however often he changes his mind (R16, 6.1)."""
    table = new_table(tmp_path)
    ann, bob = two_at(table)
    told(table, ann)
    assert table.match is not None
    for _ in range(3):
        decision = table.match.decision(C)
        assert decision is not None
        choose(table, bob, decision.options[0])
        assert not [one for one in told(table, ann) if isinstance(one, UpdateAnswer)]
        assert only(told(table, bob), UpdateAnswer).told[C].events
    undo(table, bob)
    assert told(table, ann) == []
    # What she asks with the revision she knows is of the present all the same.
    assert ask(table, ann, "choose", side=T, choice={"do": "ask-draw"}, revision=0).revision == 5


def is_paused(table: Table) -> bool:
    """Return whether a table's game is paused."""
    return table.is_paused


def test_pause_by_consent(tmp_path: Path) -> None:
    """A pause needs both, going on needs one; while it lasts nobody decides."""
    table = new_table(tmp_path)
    ann, bob = two_at(table)
    assert refused(table, bob, "agree", agrees=True) == "bad-value"
    ask(table, ann, "offer", what="pause")
    assert only(told(table, bob), TableAnswer).asks == (T,)
    assert not is_paused(table)
    ask(table, bob, "agree", agrees=False)
    assert not is_paused(table)
    assert ("", "Bob would rather play on.") in chat_of(table, ann)
    ask(table, ann, "offer", what="pause")
    ask(table, bob, "agree", agrees=True)
    assert is_paused(table)
    assert refused(table, bob, "choose", side=C, choice={"do": "ready"}, revision=0) == "paused"
    assert table.tick() is None
    ask(table, bob, "offer", what="go-on")
    ask(table, ann, "offer", what="pause")
    ask(table, bob, "offer", what="pause")
    assert table.card().phase == "playing"
    assert refused(table, ann, "undo", side=T, revision=0) == "paused"


def test_takeback_is_a_choice_of_the_game(tmp_path: Path) -> None:
    """Asking to take back goes to the other player as a question of the game, and stands in the record."""
    table = new_table(tmp_path)
    _, bob = two_at(table)
    assert table.match is not None
    decision = table.match.decision(C)
    assert decision is not None
    choose(table, bob, decision.options[0])
    choose(table, bob, AskTakeback())
    asked = table.match.decision(T)
    assert asked is not None
    assert asked.kind == "takeback"
    assert [row.choice["do"] for row in table.match.record.choices][-1] == "ask-takeback"


def test_chat_is_one_line_at_a_time(tmp_path: Path) -> None:
    """A line goes to everybody once, as plain letters; later ones are kept up to a number."""
    table = new_table(tmp_path)
    ann, bob = two_at(table)
    chat_of(table, bob)
    ask(table, ann, "chat", text="  good \n luck ")
    assert chat_of(table, bob) == [("Ann", "good luck")]
    assert chat_of(table, bob) == []
    assert refused(table, ann, "chat", text="a\x1b[31mb") == "bad-value"
    assert refused(table, ann, "chat", text="a\u202eb") == "bad-value"
    for number in range(module.CHAT_KEPT + 50):
        ask(table, ann, "chat", text=str(number))
    lines = chat_of(table, bob)
    assert len(lines) == module.CHAT_KEPT
    assert lines[-1] == ("Ann", str(module.CHAT_KEPT + 49))
    table.return_(key("2"))
    assert len(chat_of(table, bob)) == module.CHAT_TOLD


def test_who_comes_back_to_a_host_begun_anew_is_back(tmp_path: Path) -> None:
    """Nobody joins twice, nor is "not connected" the last word of one who is; it is told of whom it is."""
    table = new_table(tmp_path)
    ann, _ = two_at(table)
    assert ("", "Ann has joined and plays the Terminators.") in chat_of(table, ann)
    table.leave(ann, ann.visit)
    table.save()
    again = Table.resume(tmp_path)
    ann = again.return_(key("1"))
    last = [one for one in told(again, ann) if isinstance(one, ChattedAnswer)][-1]
    assert (last.side, last.name, last.text) == (T, "", "Ann is back.")


def test_lines_said_after_a_kill_are_new_to_who_heard_those_before(tmp_path: Path) -> None:
    """Chat outlasts a kill of the host, and what is said later has numbers that nobody has been told."""
    table = new_table(tmp_path)
    ann, bob = two_at(table)
    for number in range(module.CHAT_KEPT + 9):
        ask(table, ann, "chat", text=str(number))
    table.leave(ann, ann.visit)  # said by the table, and not kept before the kill
    before = [one for one in told(table, bob) if isinstance(one, ChattedAnswer)]
    again = Table.resume(tmp_path)
    bob = again.return_(key("2"))
    ask(again, bob, "chat", text="still there?")
    lines = [one for one in told(again, bob) if isinstance(one, ChattedAnswer)]
    assert [one.text for one in lines if one.number > before[-1].number][-1] == "still there?"
    heard = {one.number: one.text for one in before}
    earlier = [one for one in lines if one.number <= before[-1].number]
    assert earlier
    assert all(heard[one.number] == one.text for one in earlier)
    numbers = [one.number for one in lines]
    assert numbers == sorted(set(numbers))


# Clocks


def test_clock_runs_while_one_must_decide(tmp_path: Path) -> None:
    """Time runs for whoever must decide, and in no pause; who is away is the only one to lose any."""
    time = Time()
    table = new_table(tmp_path, time=time, clock=600.0)
    ann, bob = two_at(table)
    time.go(10)
    clocks = only(told(table, bob), TableAnswer).clocks
    waits = {one.side for one in table.match.decisions() if not one.optional} if table.match else set()
    assert waits
    for side, clock in clocks.items():
        assert clock.runs == (side in waits)
        assert clock.left == (590_000 if side in waits else 600_000)
    table.leave(ann, ann.visit)
    time.go(100)
    clocks = only(told(table, bob), TableAnswer).clocks
    assert {side: (clock.left, clock.runs) for side, clock in clocks.items()} == {
        T: (490_000, True),
        C: (590_000, False),
    }
    table.return_(key("1"))
    ask(table, ann, "offer", what="pause")
    ask(table, bob, "agree", agrees=True)
    time.go(100)
    ask(table, bob, "offer", what="go-on")
    clocks = only(told(table, bob), TableAnswer).clocks
    assert {side: clock.left for side, clock in clocks.items()} == {T: 490_000, C: 590_000}


def test_no_time_is_lost_while_the_host_was_gone(tmp_path: Path) -> None:
    """After the host was killed nobody's time runs before he has had the chance to come back."""
    time = Time()
    table = new_table(tmp_path, time=time, clock=600.0)
    two_at(table)
    again = Table.resume(tmp_path, time)
    assert again.tick() is None
    time.go(100)
    ann, _ = again.return_(key("1")), again.return_(key("2"))
    assert all(clock.left == 600_000 for clock in only(told(again, ann), TableAnswer).clocks.values())


def test_leaving_stops_no_clock(tmp_path: Path) -> None:
    """Whose time runs out while he is away has a bot play on for him, and the other goes on."""
    time = Time()
    table = new_table(tmp_path, time=time, clock=60.0)
    ann, _ = two_at(table)
    table.leave(ann, ann.visit)
    time.go(61)
    table.tick()
    assert table.card().seats[T].player == module.STAND_IN
    assert table.away() == []
    play_on(table, Random(1), 1)


def test_bot_plays_on_when_time_is_up(tmp_path: Path) -> None:
    """When a side's time is up a bot plays for it to the end, and its person cannot take the seat back."""
    time = Time()
    table = new_table(tmp_path, time=time, clock=60.0)
    two_at(table)
    at = table.tick()
    assert at is not None
    time.go(61)
    table.tick()
    out = [one for one, seat in table.card().seats.items() if seat.player == module.STAND_IN]
    assert out == [T, C]  # both set up at the same time
    side = out[0]
    guest = next(one for one in table.guests if one.side == side)
    assert refused(table, guest, "seat", side=side, player="client") == "bad-value"
    assert any("time is up" in text for _, text in chat_of(table, guest))


def test_what_the_table_says_of_a_pause_is_kept(tmp_path: Path) -> None:
    """A table taken up again says of its pauses what it said before, and a welcome tells where chat began."""
    table = new_table(tmp_path)
    ann, bob = two_at(table)
    ask(table, ann, "offer", what="pause")
    ask(table, bob, "agree", agrees=True)
    ask(table, bob, "offer", what="go-on")
    ask(table, ann, "offer", what="pause")
    ask(table, bob, "agree", agrees=False)
    ask(table, ann, "seat", side=T, player="random")
    again = Table.resume(tmp_path)
    guest = again.return_(key("1"))
    said = [text for name, text in chat_of(again, guest) if not name]
    for text in (
        "The game is paused.",
        "Bob goes on.",
        "Bob would rather play on.",
        "The random bot plays for Ann.",
    ):
        assert text in said
    assert again.welcome(guest, "").chat == again._chat_count


# What outlasts a kill


def test_host_killed_at_any_moment(tmp_path: Path) -> None:
    """A table taken up from its folder alone has the same code, people, chat, clocks and game."""
    time = Time()
    table = new_table(tmp_path, time=time, clock=600.0)
    ann, _ = two_at(table)
    play_on(table, Random(6), 30)
    ask(table, ann, "chat", text="still there?")
    time.go(module.CLOCKS_KEPT_EVERY + 1)
    table.tick()
    again = Table.resume(tmp_path, time)
    assert (again.name, again.secret, again.commitment) == (table.name, table.secret, table.commitment)
    assert again.match is not None
    assert table.match is not None
    assert format_record(again.match.record) == format_record(table.match.record)
    assert len(again.away()) == 2
    bob = again.return_(key("2"))
    ann = again.return_(key("1"))
    assert (ann.side, bob.side) == (T, C)
    lines = chat_of(again, ann)
    assert ("Ann", "still there?") in lines
    clocks = again._clocks.left(time())
    assert clocks == pytest.approx(table._clocks.left(time()))
    play_on(again, Random(7))
    assert again.is_over


def test_host_killed_in_the_lobby(tmp_path: Path) -> None:
    """A table whose game has not begun is taken up too, and begins when the last one comes."""
    table = new_table(tmp_path)
    sit(table, "Ann", T, "a", "1")
    again = Table.resume(tmp_path)
    assert again.card().phase == "waiting"
    assert again.return_(key("1")).name == "Ann"
    sit(again, "Bob", C, "b", "2")
    open_shares(again, "a", "b")
    assert again.card().phase == "playing"


@pytest.mark.parametrize("opened", ["", "a", "b", "ab"])
def test_host_killed_between_seals_and_game(tmp_path: Path, opened: str) -> None:
    """Killed when some have opened their shares, it tells the same seals again, and the dice are the same."""
    expected = new_table(tmp_path / "whole")
    share = load_table(tmp_path / "whole" / TABLE_NAME).host_share
    two_at(expected)
    table = new_table(tmp_path / "killed")
    table._file = msgspec.structs.replace(table._file, host_share=share)
    ann, _ = sit(table, "Ann", T, "a", "1"), sit(table, "Bob", C, "b", "2")
    sealed = only(told(table, ann), SealsAnswer)
    open_shares(table, *opened)
    (tmp_path / "killed" / GAME_NAME).unlink(missing_ok=True)
    again = Table.resume(tmp_path / "killed")
    assert (again.match is not None) == (opened == "ab")
    ann, bob = again.return_(key("1")), again.return_(key("2"))
    assert only(told(again, ann), SealsAnswer) == only(told(again, bob), SealsAnswer) == sealed
    open_shares(again, "a", "b")
    assert again.match is not None
    assert expected.match is not None
    assert again.match.record == expected.match.record


def test_host_killed_while_the_game_begins(tmp_path: Path) -> None:
    """Killed between the last one's coming and the record's first bytes, it begins with the same dice."""
    table = new_table(tmp_path)
    two_at(table)
    assert table.match is not None
    scenario = RULES.pack_scenario(table.scenario)
    file = msgspec.structs.replace(load_table(tmp_path / TABLE_NAME), scenario=scenario)
    save_table(tmp_path / TABLE_NAME, file)
    (tmp_path / GAME_NAME).unlink()
    again = Table.resume(tmp_path)
    assert again.match is not None
    assert again.match.record == table.match.record


def test_who_asks_for_a_pause_may_take_that_back(tmp_path: Path) -> None:
    """Before the other has answered; then he is asked nothing any more."""
    table = new_table(tmp_path)
    ann, bob = two_at(table)
    ask(table, ann, "offer", what="pause")
    assert refused(table, bob, "offer", what="go-on") == "bad-value"
    ask(table, ann, "offer", what="go-on")
    assert only(told(table, bob), TableAnswer).asks == ()
    assert refused(table, bob, "agree", agrees=True) == "bad-value"
    assert not is_paused(table)


def test_pause_and_stand_ins_outlast_a_kill(tmp_path: Path) -> None:
    """A paused game is paused afterwards, and a bot still plays for whom it did."""
    table = new_table(tmp_path)
    ann, bob = two_at(table)
    ask(table, bob, "seat", side=C, player="random")
    ask(table, ann, "offer", what="pause")
    again = Table.resume(tmp_path)
    assert again.is_paused
    assert again.card().seats[C].player == "random"
    assert [guest.name for guest in again.away()] == ["Ann"]


def test_full_disk_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the record cannot be written the game goes on, everybody is told, and it is written later."""
    table = new_table(tmp_path)
    ann, _ = two_at(table)

    def full(path: object, raw: bytes) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("engine.core.match.write_atomic", full)
        play_on(table, Random(8), 3)
    notice = only(told(table, ann), TableAnswer).notice
    assert notice == "The game goes on, but the host cannot save it: No space left on device"
    assert table.match is not None
    assert table.match.length == 3
    play_on(table, Random(8), 1)
    assert only(told(table, ann), TableAnswer).notice == ""
    assert len(load_record(tmp_path / GAME_NAME).choices) == 4


def test_damaged_table_is_told_with_its_place(tmp_path: Path) -> None:
    """A table's file that somebody has been at is refused with the field."""
    table = new_table(tmp_path)
    sit(table, "Ann", T, "a", "1")
    path = tmp_path / TABLE_NAME
    path.write_bytes(path.read_bytes().replace(b'"name": "Ann"', b'"name": 7'))
    with pytest.raises(BadFile, match=r"people\[0\].name"):
        Table.resume(tmp_path)


def test_record_of_a_table_replays(tmp_path: Path) -> None:
    """What was told to a side during the game is what the record tells it afterwards."""
    table = new_table(tmp_path, seats={C: "rulebook"})
    sit(table, "Ann", T, "a", "1")
    open_shares(table, "a")
    assert table.match is not None
    events: list[Any] = []
    while not table.is_over:
        if table.tick() is None and not table.is_over:
            play_on(table, Random(len(events)), 1)
        events = list(table.match.events(T))
    replay = RaidReplay.of(table.match.record)
    replay.go(replay.length)
    assert list(replay.events(T)) == events


def test_strangers_are_not_told_who_is_there(tmp_path: Path) -> None:
    """Who leaves, how long ago, and which bot sits in for him is for those at the table alone."""
    time = Time()
    table = new_table(tmp_path, time=time)
    ann, bob = two_at(table)
    before = table.card_for_strangers()
    assert {side: seat.name for side, seat in before.seats.items()} == {T: "Ann", C: "Bob"}
    table.leave(bob, bob.visit)
    time.go(module.STAND_IN_AFTER + 1)
    ask(table, ann, "seat", side=C, player=module.STAND_IN)
    assert table.card().seats[C].player == module.STAND_IN
    assert table.card_for_strangers() == before


def test_strangers_are_told_what_is_agreed_on(tmp_path: Path) -> None:
    """Who looks for a game sees the clock and how many rules are changed before he joins."""
    plain = new_table(tmp_path / "a").card_for_strangers()
    assert (plain.clock, plain.changes) == (0, 0)
    turned = msgspec.structs.replace(load_scenario("basic"), turns=12)
    card = new_table(tmp_path / "b", scenario=turned, clock=300.0).card_for_strangers()
    assert (card.clock, card.changes) == (300, 1)
