"""What a window hosts and what it can go back to: the host's own player, and games kept for later."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import msgspec
import pytest

from app.lan import ending, serve
from app.lan.certificate import load_identity
from app.lan.guest.link import Invitation, Link, LinkState
from app.lan.guest.tickets import Ticket, load_all
from app.lan.host.folder_lock import FolderInUse, locked
from app.lan.host.server import HostThread, Server
from app.lan.host.table import Options
from app.lan.host.table_file import OVER_NAME
from app.lan.kept import forget, kept_games
from app.lan.network.addresses import Own
from app.lan.network.discovery import Announcer
from app.lan.own_host import LOOPBACK, Network, OwnHost
from engine.core.lan_protocol import LanAnswer, WelcomeAnswer
from engine.core.protocol import CLIENT
from engine.raid.scenario import load_scenario

HERE = Network((LOOPBACK,), (0,))
WITHIN = 10.0


def options() -> Options:
    """Return a table of Ann's for two people."""
    return Options(
        title="Basic",
        host="Ann",
        scenario=load_scenario("basic"),
        seats={"terminator": CLIENT, "clonemaster": CLIENT},
    )


def come(way: Ticket | Invitation, folder: Path) -> tuple[Link, WelcomeAnswer]:
    """Come to a table, and return the welcome."""
    told: list[LanAnswer] = []
    states: list[LinkState] = []
    link = Link(way, told.append, states.append, folder=folder, look=None)
    until = time.monotonic() + WITHIN
    while not told and time.monotonic() < until:
        time.sleep(0.01)
    assert told, states
    assert isinstance(told[0], WelcomeAnswer)
    return link, told[0]


def test_host_and_guest_come_back_to_their_seats(tmp_path: Path) -> None:
    """Hosted again, the table knows both by their tickets; each is listed where he is."""
    host = OwnHost.new(options(), "terminator", tmp_path / "host", HERE)
    assert isinstance(host.way, Invitation)
    own, welcome = come(host.way, host.seat_folder)
    assert (welcome.side, welcome.is_host) == ("terminator", True)
    tickets = tmp_path / "tickets"
    guest, welcome = come(host.way._replace(name="Bob", seat="any", token=""), tickets)
    assert (welcome.side, welcome.is_host) == ("clonemaster", False)
    kept = {game.kind: game.title for game in kept_games(tickets, tmp_path / "host")}
    assert kept["return"] == "Return to Ann’s game (Basic, as CloneMaster)"
    assert kept["host"] == "Host again: Basic, Ann against Bob"
    own.close()
    guest.close()
    folder = host.table_folder
    host.close()
    again = OwnHost.again(folder, HERE)
    own, welcome = come(again.way, again.seat_folder)
    assert (welcome.side, welcome.is_host) == ("terminator", True)
    with pytest.raises(FolderInUse):
        OwnHost.again(folder, HERE)
    own.close()
    again.close()


def test_table_given_up_is_gone(tmp_path: Path) -> None:
    """A table closed for good leaves nothing to host again, nor does one that is over."""
    host = OwnHost.new(options(), "watch", tmp_path / "host", HERE)
    host.close(for_good=True)
    assert kept_games(tmp_path / "none", tmp_path / "host") == []
    host = OwnHost.new(options(), "watch", tmp_path / "host", HERE)
    host.close()
    assert len(kept_games(tmp_path / "none", tmp_path / "host")) == 1
    (host.table_folder / OVER_NAME).touch()
    assert kept_games(tmp_path / "none", tmp_path / "host") == []


def test_second_program_hosts_from_a_folder_of_its_own(tmp_path: Path) -> None:
    """Two programs of one user host at once, and what either hosted is found afterwards."""
    first = OwnHost.new(options(), "watch", tmp_path / "host", HERE)
    second = OwnHost.new(options(), "watch", tmp_path / "host", HERE)
    assert first.port != second.port
    first.close()
    second.close()
    games = kept_games(tmp_path / "none", tmp_path / "host")
    assert len(games) == 2
    for game in games:
        forget(game)
    assert kept_games(tmp_path / "none", tmp_path / "host") == []


def test_nothing_is_left_where_hosting_fails(tmp_path: Path) -> None:
    """Where the port cannot be had nothing is kept, and the folder is free again."""
    host = OwnHost.new(options(), "watch", tmp_path / "host", HERE)
    with pytest.raises(OSError):
        OwnHost.new(options(), "watch", tmp_path / "other", Network((LOOPBACK,), (host.port,)))
    assert kept_games(tmp_path / "none", tmp_path / "other") == []
    OwnHost.new(options(), "watch", tmp_path / "other", HERE).close(for_good=True)
    host.close(for_good=True)


def test_end_that_was_missed_can_be_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ticket of a game that is over is listed until the record is there, and stays as a receipt."""
    monkeypatch.setenv("KUNGFU2100_DATA", str(tmp_path))
    host = OwnHost.new(options(), "terminator", tmp_path / "host", HERE)
    assert isinstance(host.way, Invitation)
    guest, _ = come(host.way._replace(name="Bob", token=""), tmp_path / "tickets")
    guest.close()
    host.close(for_good=True)
    (ticket,) = load_all(tmp_path / "tickets")
    msgspec.structs.replace(ticket, is_over=True).save(tmp_path / "tickets")
    (game,) = kept_games(tmp_path / "tickets", tmp_path / "host")
    assert game.title == "See the end of Ann’s game (Basic, as Terminators)"
    finished = tmp_path / "games" / "finished"
    finished.mkdir(parents=True)
    (finished / f"Basic {ticket.id}.json").touch()
    assert kept_games(tmp_path / "tickets", tmp_path / "host") == []
    assert len(load_all(tmp_path / "tickets")) == 1


def test_spoilt_files_are_passed_over(tmp_path: Path) -> None:
    """What is no ticket and no table is not listed, and stops nothing."""
    (tmp_path / "tickets").mkdir()
    (tmp_path / "tickets" / "x.json").write_text("{}")
    folder = tmp_path / "host" / "tables" / "one"
    folder.mkdir(parents=True)
    (folder / "table.json").write_text("{")
    assert kept_games(tmp_path / "tickets", tmp_path / "host") == []
    assert load_all(tmp_path / "tickets") == []


def test_what_another_window_hosts_cannot_be_forgotten(tmp_path: Path) -> None:
    """A table is not thrown away under the host that plays on it; once that has ended, it may be."""
    host = OwnHost.new(options(), "watch", tmp_path / "host", HERE)
    (game,) = kept_games(tmp_path / "none", tmp_path / "host")
    with pytest.raises(FolderInUse, match="another program hosts"):
        forget(game)
    assert (host.table_folder / "table.json").exists()
    host.close()
    forget(game)
    assert not host.table_folder.exists()


def test_nothing_goes_on_where_announcing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that cannot be announced for want of threads ends whole: no thread, no folder, no lock."""

    def fail(announcer: Announcer) -> None:
        raise OSError("this machine has no room for another thread")

    with monkeypatch.context() as patched:
        patched.setattr(Announcer, "start", fail)
        with pytest.raises(OSError, match="no room"):
            OwnHost.new(options(), "watch", tmp_path / "host", HERE)
    assert not [one for one in threading.enumerate() if one.name == "host"]
    assert not list((tmp_path / "host" / "tables").iterdir())
    locked(tmp_path / "host").close()


def test_hosting_again_clears_what_a_kill_left_half_written(tmp_path: Path) -> None:
    """Drafts of the table and of the host's own ticket are gone once the table is hosted again."""
    host = OwnHost.new(options(), "terminator", tmp_path / "host", HERE)
    link, _ = come(host.way, host.seat_folder)
    link.close()
    host.close()
    drafts = [host.table_folder / ".table.json.x1.tmp", host.seat_folder / ".ab.json.x2.tmp"]
    for draft in drafts:
        draft.write_bytes(b"{")
    again = OwnHost.again(host.table_folder, HERE)
    assert not [draft for draft in drafts if draft.exists()]
    again.close()


def test_host_that_never_begins_is_told_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a loop, or with one that stands still, whoever starts a host gets a reason and not a hang."""
    identity = load_identity(tmp_path)

    def no_runner() -> asyncio.Runner:
        raise OSError(24, "Too many open files")

    with monkeypatch.context() as patched:
        patched.setattr("app.lan.host.server.new_runner", no_runner)
        thread = HostThread(Server([], identity, "Ann", bind=LOOPBACK))
        with pytest.raises(OSError, match="Too many open files"):
            thread.start()
        assert thread.stop()

    begin = threading.Event()

    async def slow(server: Server) -> int:
        await asyncio.to_thread(begin.wait, WITHIN)
        return 0

    monkeypatch.setattr("app.lan.host.server.START_SECONDS", 0.05)
    monkeypatch.setattr(Server, "start", slow)
    thread = HostThread(Server([], identity, "Ann", bind=LOOPBACK))
    with pytest.raises(OSError, match="has not begun"):
        thread.start()
    begin.set()
    assert thread.stop()  # and what begins too late ends by itself


def test_closing_does_not_hold_the_window_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that is slow to end goes on ending beside the window; hosting it again waits for that."""
    host = OwnHost.new(options(), "terminator", tmp_path / "host", HERE)
    link, _ = come(host.way, host.seat_folder)
    link.close()
    may_end = threading.Event()
    stop = HostThread.stop

    def slow(thread: HostThread) -> bool:
        assert may_end.wait(WITHIN)
        return stop(thread)

    with monkeypatch.context() as patched:
        patched.setattr(HostThread, "stop", slow)
        began = time.monotonic()
        host.close()
        assert time.monotonic() - began < WITHIN / 2
        with pytest.raises(FolderInUse):
            locked(tmp_path / "host")
        threading.Timer(0.1, may_end.set).start()
        OwnHost.again(host.table_folder, HERE).close()
    ending.wait_for_endings(WITHIN)


def test_folder_of_a_host_that_hangs_stays_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has not ended in time may still write: nobody else gets the folder, and nothing is thrown away."""
    host = OwnHost.new(options(), "watch", tmp_path / "host", HERE)
    with monkeypatch.context() as patched:
        patched.setattr(HostThread, "stop", lambda thread: False)
        host.close(for_good=True)
    with pytest.raises(FolderInUse):
        locked(tmp_path / "host")
    assert host.table_folder.exists()
    host.close(for_good=True)
    assert not host.table_folder.exists()


def test_machine_that_does_not_know_its_addresses_hosts_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system names no addresses the lobby and the server's words show none, and nothing ends."""

    def fail(interfaces: object = None) -> tuple[Own, ...]:
        raise OSError(24, "Too many open files")

    host = OwnHost.new(options(), "watch", tmp_path / "host", HERE)
    monkeypatch.setattr("app.lan.network.addresses.own_addresses", fail)
    assert (host.places, serve._addresses("")) == ([], [])
    host.close(for_good=True)
