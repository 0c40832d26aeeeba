"""A host's folder: one program at a time, and what it finds there again."""

from __future__ import annotations

import json
import os
import re
import stat
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from app.lan.codes import ALPHABET, SECRET_LENGTH
from app.lan.host import folder as hosting
from app.lan.host.folder import HostFolder
from app.lan.host.folder_lock import FolderInUse
from app.lan.host.table import Options, Table
from app.lan.host.table_file import TABLE_NAME, Secret
from app.lan.kept import kept_games
from engine.core.files import BadFile
from engine.core.lan_protocol import DEFAULT_PORT
from engine.core.protocol import CLIENT
from engine.raid.figures import SIDES
from engine.raid.scenario import load_scenario
from tests.helpers.lan import play_on, two_at

OPTIONS = Options(
    title="Basic: 1/2", host="Ann", scenario=load_scenario("basic"), seats=dict.fromkeys(SIDES, CLIENT)
)

PERSON = {"name": "Ann", "token": "a" * 64}


def test_one_program_hosts_from_a_folder(tmp_path: Path) -> None:
    """Two hosts of the same tables would tear their games apart; a second one takes a folder beside it."""
    first = HostFolder(tmp_path / "host")
    with pytest.raises(FolderInUse):
        HostFolder(tmp_path / "host")
    second = HostFolder.first_free(tmp_path / "host")
    assert second.path == tmp_path / "host 2"
    assert second.identity.fingerprint != first.identity.fingerprint
    first.close()
    again = HostFolder(tmp_path / "host")
    assert again.identity == first.identity
    again.close()
    second.close()


def test_tables_are_found_again(tmp_path: Path) -> None:
    """Names, codes and people outlast the program; new tables get other names."""
    folder = HostFolder(tmp_path)
    begun, waiting = folder.new_table(OPTIONS), folder.new_table(OPTIONS)
    two_at(begun)
    folder.close()
    again = HostFolder(tmp_path)
    found = [table for table in again.resume() if isinstance(table, Table)]
    assert {(one.name, one.secret) for one in found} == {(one.name, one.secret) for one in (begun, waiting)}
    assert [one.name for one in found if one.match is not None] == [begun.name]
    assert again.new_table(OPTIONS).name not in {begun.name, waiting.name}
    again.close()


def test_tables_of_one_second_have_plain_folders_and_keep_their_order(tmp_path: Path) -> None:
    """The time in a folder's name is no file's ending; tables come back in the order they were begun."""
    folder = HostFolder(tmp_path)
    titles = ["Tea", "Basic", "Tea", *["Basic"] * 10]
    tables = [folder.new_table(replace(OPTIONS, title=title)) for title in titles]
    folder.close()
    for table in tables:
        assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d (Tea|Basic)( \d+)?", table.folder.name)
    again = HostFolder(tmp_path)
    assert [one.name for one in again.resume() if isinstance(one, Table)] == [one.name for one in tables]
    again.close()


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_others_of_the_machine_cannot_look(tmp_path: Path) -> None:
    """A game under way holds the secrets of both sides, and the join code."""
    folder = HostFolder(tmp_path / "new" / "host")
    table = folder.new_table(OPTIONS)
    folder.close()
    assert stat.S_IMODE(table.folder.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "new" / "host").stat().st_mode) == 0o700


def test_a_finished_game_stays_until_nobody_can_miss_its_end(tmp_path: Path) -> None:
    """A host killed at the last moment tells the end; games of old are not read again and again."""
    folder = HostFolder(tmp_path)
    table = folder.new_table(OPTIONS)
    two_at(table)
    play_on(table, Random(1))
    assert table.is_over
    folder.close()
    again = HostFolder(tmp_path)
    assert [one.name for one in again.resume() if isinstance(one, Table)] == [table.name]
    again.close()
    old = time.time() - hosting.OVER_KEPT - 1
    os.utime(table.record_path, (old, old))
    for _ in range(2):
        later = HostFolder(tmp_path)
        assert list(later.resume()) == []
        later.close()
    assert table.record_path.exists()


def test_a_spoilt_table_is_told_and_keeps_no_other_away(tmp_path: Path) -> None:
    """One damaged file costs one game."""
    folder = HostFolder(tmp_path)
    spoilt, sound = folder.new_table(OPTIONS), folder.new_table(OPTIONS)
    (spoilt.folder / "table.json").write_bytes(b"{")
    folder.close()
    again = HostFolder(tmp_path)
    found = list(again.resume())
    again.close()
    assert [one.name for one in found if isinstance(one, Table)] == [sound.name]
    (problem,) = (one for one in found if isinstance(one, BadFile))
    assert problem.path == str(spoilt.folder / "table.json")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"seats": {}}, "seats: the terminator's is missing"),
        (
            {"seats": {"terminator": "client", "clonemaster": "deep"}},
            'seats.clonemaster: "deep" is not one of',
        ),
        ({"seats": {"terminator": "solitaire", "clonemaster": "client"}}, 'seats.terminator: "solitaire"'),
        ({"stand_ins": {"nobody": "random"}}, 'stand_ins: "nobody" is not one of'),
        ({"stand_ins": {"terminator": "client"}}, 'stand_ins.terminator: "client" is not one of'),
        ({"out_of_time": ["x"]}, 'out_of_time: "x" is not one of'),
        ({"left": {"x": 1.0}}, 'left: "x" is not one of'),
        ({"left": {"terminator": -1.0}}, "left[...]: expected"),
        ({"secret": "??"}, "secret: "),
        ({"people": [{"side": "red", **PERSON}]}, 'people[0].side: "red" is not one of'),
        ({"people": [{"side": "terminator", **PERSON}] * 2}, "people[1].side: somebody sits there already"),
    ],
)
def test_a_table_that_none_can_be_costs_one_game(
    tmp_path: Path, changes: dict[str, Any], problem: str
) -> None:
    """Seats, bots and sides of a spoilt file are checked where it is read, for the host and for the list."""
    folder = HostFolder(tmp_path / "host")
    spoilt, sound = folder.new_table(OPTIONS), folder.new_table(OPTIONS)
    folder.close()
    path = spoilt.folder / TABLE_NAME
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    again = HostFolder(tmp_path / "host")
    found = list(again.resume())
    again.close()
    (bad,) = (one for one in found if isinstance(one, BadFile))
    assert any(one.startswith(problem) for one in bad.problems), bad.problems
    assert [one.name for one in found if isinstance(one, Table)] == [sound.name]
    assert [game.path for game in kept_games(tmp_path / "none", tmp_path / "host")] == [sound.folder]


def test_a_fault_over_one_table_costs_one_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Also a fault of the program over one table is told, and the others go on."""
    folder = HostFolder(tmp_path)
    hurt, sound = folder.new_table(OPTIONS), folder.new_table(OPTIONS)
    folder.close()
    resume = Table.resume

    def fail(path: Path) -> Table:
        if path == hurt.folder:
            raise KeyError("terminator")
        return resume(path)

    monkeypatch.setattr(Table, "resume", fail)
    again = HostFolder(tmp_path)
    found = list(again.resume())
    again.close()
    assert [one.name for one in found if isinstance(one, Table)] == [sound.name]
    assert [one.problems for one in found if isinstance(one, BadFile)] == [
        ("a fault of the program (KeyError)",)
    ]
    assert "a fault over the table" in caplog.text


def test_the_port_is_kept(tmp_path: Path) -> None:
    """Guests look for a host where it was; nonsense in the file is no harm."""
    folder = HostFolder(tmp_path)
    unknown = folder.ports
    folder.keep_port(40_000)
    known = folder.ports
    (tmp_path / "port").write_text("x")
    assert (unknown, known) == ((DEFAULT_PORT, 0), (40_000, DEFAULT_PORT, 0))
    assert folder.ports == unknown
    folder.close()


def test_every_code_that_is_made_can_be_kept() -> None:
    """What a table's file takes for a secret is what the codes are made of, letter for letter."""
    for letter in map(chr, range(32, 127)):
        secret = letter * SECRET_LENGTH
        is_taken = True
        try:
            msgspec.convert(secret, Secret)
        except msgspec.ValidationError:
            is_taken = False
        assert is_taken == (letter in ALPHABET), letter
