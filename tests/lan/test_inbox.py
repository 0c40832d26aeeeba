"""What waits for a busy window or bot: the newest of everything, and no more than that."""

from __future__ import annotations

import threading
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from app.lan.guest import inbox as inboxes
from app.lan.guest.calling import Refused
from app.lan.guest.inbox import Inbox
from app.lan.guest.link import LinkState
from app.lan.guest.remote import RemoteMatch
from app.lan.host.table import Guest, Table
from engine.core.lan_protocol import ChattedAnswer, Missed, TableAnswer, Told, UpdateAnswer, WelcomeAnswer
from engine.core.protocol import Answer, Request
from tests.helpers.lan import new_table, play_on, told, two_at


def asks_nothing(request: Request) -> Answer:
    """Answer no question."""
    raise AssertionError("no question is put to the host")


def all_of(inbox: Inbox) -> list[Any]:
    """Return all that is in an inbox, taken out."""
    found = []
    while (news := inbox.take()) is not None:
        found.append(news)
    return found


def line(number: int) -> ChattedAnswer:
    """Return a line of chat."""
    return ChattedAnswer(number=number, side="", name="Ann", text="x")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table whose game has begun."""
    return new_table(tmp_path / "table", scenario="tea-house")


def update_of(table: Table, guest: Guest) -> UpdateAnswer:
    """Return what a guest is told of the game first."""
    return next(one for one in told(table, guest) if isinstance(one, UpdateAnswer))


def test_updates_that_nobody_took_in_come_to_the_same_as_one(table: Table) -> None:
    """However many wait, one is left, and the game is as if each had been taken in by itself."""
    ann, _ = two_at(table)
    welcome = table.welcome(ann, "")
    quick, slow = RemoteMatch(welcome, asks_nothing), RemoteMatch(welcome, asks_nothing)
    inbox, random, updates = Inbox(), Random(4), 0
    for number in range(40):
        play_on(table, random, 2)
        if number % 7 == 6 and table.match is not None and table.match.can_undo(ann.side):
            table.match.undo(ann.side)
            table._game_changed()
        for update in (one for one in told(table, ann) if isinstance(one, UpdateAnswer)):
            updates += 1
            quick.take(update)
            inbox.put(update)
        assert len(inbox) <= 1
        if number % 10 == 9:
            slow.take(all_of(inbox)[0])
            assert slow.view(ann.side) == quick.view(ann.side)
            for viewer in (ann.side, "public"):
                assert slow.events(viewer) == quick.events(viewer)
            assert [one.kind for one in slow.decisions()] == [one.kind for one in quick.decisions()]
            assert (slow.revision, slow.length) == (quick.revision, quick.length)
    assert updates > 20


def test_what_was_missed_is_told_once_the_updates_are_one(table: Table) -> None:
    """The recap of a return is not lost where more has happened since."""
    ann, _ = two_at(table)
    update = update_of(table, ann)
    missed = msgspec.structs.replace(update, missed=Missed(before={}, acts=()))
    inbox = Inbox()
    inbox.put(missed)
    inbox.put(update)
    (left,) = all_of(inbox)
    assert left.missed == missed.missed


def test_the_inbox_does_not_grow_whatever_comes(table: Table) -> None:
    """Thousands of messages while a window is busy: one table, update and welcome, some lines and states."""
    ann, _ = two_at(table)
    update, welcome = update_of(table, ann), table.welcome(ann, "")
    ann.wants_table = True
    people = next(one for one in told(table, ann) if isinstance(one, TableAnswer))
    inbox = Inbox()
    for number in range(2_000):
        inbox.put(msgspec.structs.replace(people, notice=str(number)))
        inbox.put(msgspec.structs.replace(update, length=number))
        inbox.put(msgspec.structs.replace(welcome, name=str(number)))
        inbox.put(line(number))
        inbox.put(LinkState("lost", str(number), 0.0))
    assert len(inbox) == 3 + inboxes.LINES + inboxes.STATES
    left = all_of(inbox)
    (last_table,) = (one for one in left if isinstance(one, TableAnswer))
    (last_update,) = (one for one in left if isinstance(one, UpdateAnswer))
    (last_welcome,) = (one for one in left if isinstance(one, WelcomeAnswer))
    assert (last_table.notice, last_update.length, last_welcome.name) == ("1999", 1999, "1999")
    assert [one.number for one in left if isinstance(one, ChattedAnswer)][-1] == 1999
    assert [one.reason for one in left if isinstance(one, LinkState)][-1] == "1999"


def test_a_full_inbox_still_hears_that_the_line_is_lost() -> None:
    """A window never goes on believing in a connection that is dead."""
    inbox = Inbox()
    inbox.put(LinkState("connected", "", 0.0))
    for number in range(5_000):
        inbox.put(line(number))
    inbox.put(LinkState("lost", "gone", 0.0))
    assert all_of(inbox)[-1] == LinkState("lost", "gone", 0.0)


def test_a_host_that_tells_more_than_any_game_has_is_left(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many updates may become one that is too large: counted in bytes, not in messages."""
    monkeypatch.setattr(inboxes, "TOLD_LIMIT", 100_000)
    ann, _ = two_at(table)
    update = update_of(table, ann)
    inbox = Inbox()
    put = 0
    with pytest.raises(Refused, match="more than any game has"):  # noqa: PT012 - one of them, not the first
        while put < 1_000:
            news = Told(since=put, events=({"kind": "x" * 1000},))
            inbox.put(msgspec.structs.replace(update, told={"public": news}))
            put += 1
    assert 80 < put < 100


def test_updates_with_a_gap_between_them_are_no_updates(table: Table) -> None:
    """Events that are left out between two updates cannot be made up for."""
    ann, _ = two_at(table)
    update = update_of(table, ann)
    inbox = Inbox()
    inbox.put(msgspec.structs.replace(update, told={"public": Told(since=0, events=({},))}))
    with pytest.raises(Refused, match="left out"):
        inbox.put(msgspec.structs.replace(update, told={"public": Told(since=5, events=({},))}))


def test_who_waits_hears_of_what_comes() -> None:
    """The thread that waits for something gets it from the one that puts it in; nothing comes in no time."""
    inbox = Inbox()
    assert inbox.take(0.01) is None
    threading.Timer(0.02, inbox.put, (line(7),)).start()
    inbox.wait_for(lambda news: isinstance(news, ChattedAnswer) and news.number == 7, 10.0)
    assert inbox.take() == line(7)
    threading.Timer(0.02, inbox.put, (line(8),)).start()
    assert inbox.take(10.0) == line(8)
