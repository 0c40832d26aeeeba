"""A host's folder: one program at a time, and what it finds there again."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path
from random import Random

import pytest

from app.lan import hosting
from app.lan.hosting import FolderInUse, HostFolder
from app.lan.table import Options, Table
from engine.core.files import BadFile
from engine.core.lan_protocol import DEFAULT_PORT
from engine.core.protocol import CLIENT
from engine.raid.figures import SIDES
from engine.raid.scenario import load_scenario
from tests.helpers.lan import play_on, two_at

OPTIONS = Options(
    title="Basic: 1/2", host="Ann", scenario=load_scenario("basic"), seats=dict.fromkeys(SIDES, CLIENT)
)


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
