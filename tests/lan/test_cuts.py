"""Games over a line that delays, splits, repeats, loses and cuts: nothing is lost, nothing is played twice.

`python -m tests.lan.test_cuts 200` makes as many cuts, in games of all scenarios and of a home-made one, and
tells what came.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, cycle
from pathlib import Path
from typing import Final

import msgspec
import pytest

from app.lan import limits
from app.lan.codes import format_code
from app.lan.guest import calling, link
from app.lan.guest.link import Invitation, Link
from app.lan.host import server
from app.lan.host.folder import HostFolder
from app.lan.host.server import Server
from app.lan.host.table import Options, Table
from engine.core.lan_protocol import ANY, WATCH
from engine.core.protocol import CLIENT
from engine.core.record import Record
from engine.raid.figures import SIDES, TERMINATOR
from engine.raid.scenario import load_scenario
from tests.helpers.caller import hosted
from tests.helpers.lan_processes import SCENARIOS, Bot, Host, check_game, wait_until
from tests.helpers.proxy import FATES, LOOPBACK, Fate, Line, Proxy, lines

CUTS_OF_A_GAME: Final = 18  # at most, so that 200 of them reach every scenario


def play_through(
    folder: Path, scenario: str, seed: int, cuts: int, fates: tuple[Fate, ...]
) -> tuple[Record, Proxy, list[Bot]]:
    """Play one game of two bots through a line that breaks so many times, if the game lasts so long."""
    host = Host(folder / "host", folder / "host/home")
    bots: list[Bot] = []
    try:
        host.begin(scenario)
        with Proxy(host.port, lines(seed, cuts, fates), seed) as proxy:
            bots = [Bot(folder / side, side, host.codes[0]) for side in SIDES]
            for bot in bots:
                bot.play(proxy.port)

            def is_over() -> bool:
                for bot in bots:
                    if bot.code not in (None, 0):  # it had not come in yet, and gave up; a person tries again
                        assert bot.started < 10, bot.errors.read_text("utf-8")
                        bot.play(proxy.port)
                return all(bot.code == 0 for bot in bots)

            wait_until(is_over, within=600.0)
            return check_game(host.records[0], bots), proxy, bots
    finally:
        for program in (host, *bots):
            program.kill()


def test_a_game_over_a_line_that_breaks_loses_nothing(tmp_path: Path) -> None:
    """Cuts at any byte, doubled, missing and changed bytes: both come back, and all have the same record."""
    _, proxy, _ = play_through(tmp_path, "tea-house", seed=158, cuts=12, fates=FATES[:-1])
    assert proxy.done.total() >= 6


@contextmanager
def laid(folder: Path) -> Iterator[tuple[Table, int, list[str]]]:
    """Host a table for two people; yields it, the port, and what the host hears of it."""
    held = HostFolder(folder / "host")
    options = Options(
        title="Basic", host="Attic", scenario=load_scenario("basic"), seats=dict.fromkeys(SIDES, CLIENT)
    )
    table = held.new_table(options)
    heard: list[str] = []
    host = Server(
        [table], held.identity, "Attic", bind=LOOPBACK, tell=lambda happening: heard.append(happening.what)
    )
    try:
        with hosted(host):
            yield table, host.port, heard
    finally:
        held.close()


def linked(table: Table, port: int, folder: Path, states: list[str], seat: str = ANY) -> Link:
    """Join a table as Ann; the kinds of the connection's states go into a list."""
    code = format_code(table.name, table.secret)
    return Link(
        Invitation(LOOPBACK, port, code, "Ann", seat),
        lambda answer: None,
        lambda state: states.append(state.kind),
        folder=folder / "tickets",
        look=None,
    )


def fall_silent(folder: Path) -> tuple[float, float]:
    """Let the line between a guest and his host swallow everything, and the guest come back when it does not.

    Returns the seconds after which the host and the guest noticed.
    """
    states: list[str] = []
    with laid(folder) as (table, port, heard), Proxy(port, lines(0, 0)) as proxy:
        way = linked(table, proxy.port, folder, states)
        try:
            wait_until(lambda: states[-1:] == ["connected"] and heard[-1:] == ["joined"])
            proxy.swallow()
            began = time.monotonic()
            noticed: dict[str, float] = {}

            def have_noticed() -> bool:
                if "lost" in heard:
                    noticed.setdefault("host", time.monotonic() - began)
                if "lost" in states:
                    noticed.setdefault("guest", time.monotonic() - began)
                return len(noticed) == 2

            wait_until(have_noticed)
            proxy.swallow(False)
            proxy.cut()  # what was tried meanwhile
            wait_until(lambda: states[-1] == "connected" and heard[-1] == "returned")
        finally:
            way.close()
    return noticed["host"], noticed["guest"]


def join_through(folder: Path, plan: Iterator[Line]) -> Proxy:
    """Join a table through a line, and come in once whatever becomes of it; returns the line, closed."""
    states: list[str] = []
    with laid(folder) as (table, port, heard), Proxy(port, plan) as proxy:
        way = linked(table, proxy.port, folder, states)
        try:
            wait_until(lambda: heard in (["joined"], ["joined", "lost", "returned"]) and table.away() == [])
            wait_until(lambda: states[-1] == "connected")
            assert [guest.name for guest in table.guests] == ["Ann"]
        finally:
            way.close()
    return proxy


@pytest.mark.parametrize("seat", [ANY, TERMINATOR, WATCH])
def test_a_guest_killed_before_his_welcome_came_returns(tmp_path: Path, seat: str) -> None:
    """Between the host's yes and its arrival only the host knows the side; the ticket leads there as well."""
    with laid(tmp_path) as (table, port, heard):
        way = linked(table, port, tmp_path, [], seat)
        wait_until(lambda: way.state.kind == "connected")
        way.close()
        assert way.ticket is not None
        wait_until(lambda: len(heard) == 2)
        kept = msgspec.structs.replace(way.ticket, side="")
        back = Link(kept, lambda answer: None, lambda state: None, folder=tmp_path / "tickets", look=None)
        try:
            wait_until(lambda: back.state.kind not in ("connecting", "lost"))
            assert back.state.kind == "connected", back.state.reason
            assert back.ticket is not None
            assert back.ticket.side == way.ticket.side
        finally:
            back.close()


@pytest.mark.parametrize("is_towards_host", [True, False], ids=["question", "answer"])
def test_a_guest_cut_off_while_he_joins_has_one_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_towards_host: bool
) -> None:
    """Wherever joining breaks off, also between the host's yes and its arrival, the guest sits down once."""
    monkeypatch.setattr(link, "FIRST_WAIT", 0.02)
    most = join_through(tmp_path / "whole", lines(0, 0)).gone[is_towards_host]
    for after in range(0, most * 9 // 10, most // 14):
        line = Line(fate="close", after=after, is_towards_host=is_towards_host)
        proxy = join_through(tmp_path / str(after), chain([line], lines(0, 0)))
        assert proxy.done.total() == 1, after


def test_a_line_that_falls_silent_is_noticed_at_both_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing tells that a cable was pulled: both ends ask, and the guest is back when it is in again."""
    # A connection that has failed still waits for the goodbye of its other end.
    # Ten seconds are allowed, of which two are for machines that are busy with something else.
    assert server.PING_SECONDS + server.PONG_SECONDS + limits.CLOSE_SECONDS <= 8
    assert calling.PING + calling.PING_LIMIT + limits.CLOSE_SECONDS <= 8
    for module, name in ((server, "PING_SECONDS"), (calling, "PING")):
        monkeypatch.setattr(module, name, 0.1)
    for module, name in ((server, "PONG_SECONDS"), (calling, "PING_LIMIT")):
        monkeypatch.setattr(module, name, 0.4)
    fall_silent(tmp_path)


def main(cuts: int, seed: int = 0) -> None:
    """Let a line fall silent once, then make so many cuts, and print what came of them."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = fall_silent(Path(folder))
        print(
            "silence noticed after {:.1f} s by the host, {:.1f} s by the guest".format(*seconds), flush=True
        )
    done: Counter[str] = Counter()
    began = time.monotonic()
    for number, scenario in enumerate(cycle(SCENARIOS)):
        if done.total() >= cuts:
            break
        # A line that is silent is noticed only after seconds: a few of them are enough.
        fates = FATES if number % 4 == 0 else FATES[:-1]
        with tempfile.TemporaryDirectory() as folder:
            record, proxy, bots = play_through(
                Path(folder), scenario, seed + number, min(CUTS_OF_A_GAME, cuts - done.total()), fates
            )
            answers = Counter(what for bot in bots for _, what in bot.attempts)
        done += proxy.done
        print(
            f"{Path(scenario).stem}: {len(record.choices)} choices, {proxy.done.total()} cuts; "
            + ", ".join(f"{count} {what}" for what, count in sorted(answers.items()))
            + f"; joined again by hand {sum(bot.started - 1 for bot in bots)} times",
            flush=True,
        )
    kinds = ", ".join(f"{count} {fate}" for fate, count in done.most_common())
    print(f"{done.total()} cuts ({kinds}) in {time.monotonic() - began:.0f} s: all records equal, all sound")


if __name__ == "__main__":
    main(int(sys.argv[1]), *map(int, sys.argv[2:]))
