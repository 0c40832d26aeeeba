"""`kungfu2100 serve` as a program of its own: begun, joined, killed, started again, interrupted."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from app.cli import main
from app.command import STARTED_BY
from app.lan import serve
from app.lan.certificate import load_identity
from app.lan.host.folder import HostFolder
from app.lan.host.server import Happening, Server
from app.lan.host.table import Table
from app.lan.serve import Words
from engine.core.lan_protocol import UpdateAnswer, WelcomeAnswer
from engine.core.protocol import ChooseRequest, ErrorAnswer, OptionsRequest, StateRequest
from engine.core.record import load_record
from engine.raid.figures import TERMINATOR
from engine.raid.match import RaidReplay
from tests.helpers.caller import Caller
from tests.helpers.lan import new_table, play_on, sit, two_at
from tests.helpers.program import ROOT

# Whatever needs Qt fails: the referee of a machine without a screen must run.
WITHOUT_QT = """
import sys
sys.modules["PySide6"] = sys.modules["shiboken6"] = None
from app.cli import main
sys.exit(main(sys.argv[1:]))
"""


QUIETLY = ("--json", "--no-announce", "--bind", "127.0.0.1", "--pace", "0")


class Program:
    """A running `kungfu2100 serve --json`; `began` is its first line."""

    def __init__(self, *args: str) -> None:
        posix: dict[str, Any] = {}
        if os.name == "posix":
            # A test run in the background ignores interrupts, and a new process would do so too.
            posix["preexec_fn"] = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", WITHOUT_QT, "serve", *args, *QUIETLY],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **posix,
        )
        self.began = self.next()

    def next(self) -> dict[str, Any]:
        """Return the next thing that it says."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate()[1].decode()
        told: dict[str, Any] = json.loads(line)
        return told

    @property
    def port(self) -> int:
        """Where it listens."""
        port: int = self.began["port"]
        return port

    def code(self, number: int = 0) -> str:
        """Return a table's code without its dash."""
        code: str = self.began["tables"][number]["code"]
        return code.replace("-", "")


@contextmanager
def serving(*args: str) -> Iterator[Program]:
    """Let the program run meanwhile."""
    program = Program(*args)
    try:
        yield program
    finally:
        program.process.kill()
        program.process.communicate()


def test_a_killed_host_goes_on_where_it_was(tmp_path: Path) -> None:
    """After kill -9 the port, the certificate, the codes, the tokens and the games are the same."""
    folder = ("--folder", str(tmp_path / "games"))
    with serving("basic", "--clonemaster", "random", "--port", "0", *folder) as program:
        with Caller(program.port) as ann:
            assert isinstance(ann.join(program.code(), "Ann"), WelcomeAnswer)
            revision = ann.until(UpdateAnswer).state.revision
            options = ann.ask(OptionsRequest(side=TERMINATOR, limit=1))
            choice = msgspec.Raw(msgspec.json.encode(options.options[0].choice))
            chosen = ann.ask(ChooseRequest(side=TERMINATOR, choice=choice, revision=options.revision))
            assert chosen.revision == revision + 1
            joined = program.next()
            assert (joined["event"], joined["name"], joined["side"]) == ("joined", "Ann", TERMINATOR)
            program.process.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
            program.process.wait()
            # The game may have gone on before the end; what Ann was told of is kept in any case.
            kept = load_record(program.began["tables"][0]["record"])
            assert len(kept.choices) >= 1
        with serving(*folder) as again:
            assert (again.port, again.code()) == (program.port, program.code())
            assert again.began["tables"][0]["phase"] == "playing"
            with Caller(again.port) as back:
                assert back.fingerprint == ann.fingerprint
                assert isinstance(back.come_back(again.code()[:2], ann.token), WelcomeAnswer)
                assert back.until(UpdateAnswer).length >= len(kept.choices)
                assert again.next()["event"] == "returned"
                assert main(["serve", *folder]) == 2  # one program at a time


def test_an_interrupted_host_tells_everybody(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Ctrl+C ends it cleanly, with the code that interrupted commands have."""
    with serving("basic", "--port", "0", "--folder", str(tmp_path)) as program, Caller(program.port) as ann:
        ann.join(program.code(), "Ann")
        ann.ask(StateRequest())
        if os.name == "posix":
            program.process.send_signal(signal.SIGINT)
            told = ann.wait_end()
            assert isinstance(told, ErrorAnswer)
            assert told.kind == "closing"
            _, errors = program.process.communicate(timeout=20)
            assert program.process.returncode == 130
            assert errors.decode().startswith("Interrupted; the games are kept")


def test_bots_play_to_the_end_by_themselves(tmp_path: Path) -> None:
    """A table for bots needs nobody; its end is told, with the record."""
    seats = ("--terminator", "random", "--clonemaster", "random", "--games", "2")
    with serving("basic", *seats, "--port", "0", "--folder", str(tmp_path)) as program:
        over = [program.next() for _ in range(2)]
    assert [one["event"] for one in over] == ["over", "over"]
    for one in over:
        replay = RaidReplay.of(load_record(one["record"]))
        replay.go(replay.length)
        outcome = replay.view("public").outcome
        assert outcome is not None
        assert (outcome.winner, outcome.reason) == (one["winner"], one["reason"])


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ([], "name a scenario"),
        (["no-such-thing"], "no-such-thing"),
        (["basic", "--port", "70000"], "at most 65535"),
        (["basic", "--clock", "0"], "minutes"),
        (["basic", "--terminator", "solitaire"], "invalid choice"),
        (["basic", "--bind", "192.0.2.77"], "cannot listen"),
        (["--games", "3"], "--games is for new games"),
        (["--clock", "5"], "--clock is for new games"),
        (["--terminator", "random"], "--terminator is for new games"),
        (["basic", "--forget", "AB"], "leave the scenario out"),
        (["--forget", "AB"], "no game here whose code begins with AB"),
    ],
)
def test_what_cannot_be_served_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], args: list[str], reason: str
) -> None:
    """A line says why, and nothing is left running."""
    assert main(["serve", *args, "--folder", str(tmp_path), "--no-announce"]) == 2
    assert reason in capsys.readouterr().err
    assert not list(tmp_path.glob("tables/*"))


def test_a_folder_that_cannot_be_had_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which of the paths that were typed is at fault is part of the line."""
    path = tmp_path / "file" / "games"
    path.parent.write_bytes(b"")
    assert main(["serve", "basic", "--folder", str(path), "--no-announce"]) == 2
    assert f"no games can be kept in {path}" in capsys.readouterr().err


def test_games_that_nobody_joined_end_with_their_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They would be announced for ever; those that have somebody, or two bots, are kept."""
    has_guest = False

    def interrupted(args: Any, folder: HostFolder, tables: Any, new: Any, tell: Any) -> None:
        made = [folder.new_table(options) for options in new]
        if has_guest:
            sit(made[0], "Ann", TERMINATOR, "a", "1")
        raise KeyboardInterrupt

    monkeypatch.setattr(serve, "_host", interrupted)
    words = ["serve", "basic", "--folder", str(tmp_path), "--games", "3"]
    assert main(words) == 130
    assert "no game to keep" in capsys.readouterr().err
    assert not list(tmp_path.glob("tables/*"))
    has_guest = True
    assert main(words) == 130
    assert "the games are kept" in capsys.readouterr().err
    (kept,) = tmp_path.glob("tables/*")
    folder = HostFolder(tmp_path)
    (table,) = folder.resume()
    folder.close()
    assert isinstance(table, Table)
    assert main(["serve", "--folder", str(tmp_path), "--forget", f"{table.name.lower()}{table.secret}"]) == 0
    assert "thrown away" in capsys.readouterr().out
    assert not kept.exists()


def test_who_goes_at_the_end_has_not_lost_the_connection(tmp_path: Path) -> None:
    """However a guest's program ends after the game, it is no trouble of the network."""
    table = new_table(tmp_path)
    two_at(table)
    said = Words(is_json=False)
    assert said.of(Happening("lost", table, "Ann", TERMINATOR)).endswith("has lost the connection")
    play_on(table, Random(1))
    assert said.of(Happening("lost", table, "Ann", TERMINATOR)).endswith("Ann (Terminator) has left")


def test_the_host_names_the_command_that_started_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who has only run.py is told of no other command."""
    monkeypatch.setenv(STARTED_BY, "python3 run.py")
    server = Server([], load_identity(tmp_path), "Attic")
    assert "python3 run.py join ADDRESS CODE" in Words(is_json=False).of_beginning(server, [])[-1]
    assert main(["serve", "--help"]) == 0
    assert "usage: python3 run.py serve" in capsys.readouterr().out


def test_a_taken_port_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who asks for a port gets that one or none."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        args = ["basic", "--folder", str(tmp_path), "--no-announce", "--bind", "127.0.0.1"]
        assert main(["serve", *args, "--port", str(port)]) == 2
    assert f"at port {port}" in capsys.readouterr().err


def test_what_strangers_call_themselves_only_prints(tmp_path: Path) -> None:
    """A name can neither move the cursor of the host's terminal nor begin a new line."""
    table = new_table(tmp_path / "table")
    said = Words(is_json=False).of(Happening("joined", table, "Eve\x1b[2J\nBob has left", TERMINATOR))
    assert said == f"{table.name}  Eve?[2J?Bob has left (Terminator) has joined"


def test_sentences_name_the_code_and_who_sits_where(tmp_path: Path) -> None:
    """What a person reads when the host begins leads guests to it."""
    folder = HostFolder(tmp_path)
    table = new_table(tmp_path / "table", seats={"clonemaster": "rulebook"})
    server = Server([table], folder.identity, "Attic")
    said = Words(is_json=False).of_beginning(server, ["192.0.2.1"])
    folder.close()
    assert said[0] == "Attic hosts on port 0 of 192.0.2.1"
    assert said[1] == f"AB2Q-XMKP  {table.title}: Terminator free, CloneMaster Rulebook bot"
