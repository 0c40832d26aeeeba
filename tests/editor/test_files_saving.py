"""Saving: all or nothing, the same bytes for the same draft, backups, and what it refuses."""

from __future__ import annotations

import difflib
import errno
import os
import random
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

import run
from editor.draft import OWN_MAP, Draft, format_draft
from editor.edits.edges import with_edges
from editor.files.backups import FOLDER, KEPT, backups, keep_backup
from editor.files.opening import open_file
from editor.files.saving import NotSaved, clash, encoded, portable, save_draft
from engine.fortress.floorplan import FloorPlan, format_floorplan
from engine.raid.scenario import Scenario
from tests.helpers.drafts import drafts, random_draft
from tests.helpers.plans import drawn

HOUSE = Draft(drawn("AAAA AAAA BBBB BBBB", "door 1,1 S", entries="0,0 N"))
KILLS = 12  # of a process that saves again and again


# The same bytes


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drafts())
def test_opening_and_saving_five_times_gives_the_same_bytes(tmp_path: Path, draft: Draft) -> None:
    """Nothing grows and nothing moves from save to save."""
    path = tmp_path / "five.json"
    first = save_draft(draft, path).raw
    assert path.read_bytes() == first
    for _ in range(5):
        opened = open_file(path)
        assert not opened.is_changed
        assert save_draft(opened.draft, path).raw == first
        assert path.read_bytes() == first


def test_a_changed_door_is_one_changed_line(tmp_path: Path) -> None:
    """Files are compared by line: a door that becomes an armored one changes one."""
    path = tmp_path / "m.json"
    before = save_draft(HOUSE, path).raw.decode().splitlines()
    after = save_draft(HOUSE.with_plan(with_edges(HOUSE.plan, {(1, 1, "S"): "armored"})), path).raw.decode()
    lines = [one for one in difflib.ndiff(before, after.splitlines()) if one[0] in "+-"]
    assert len(lines) == 2


def test_an_unchanged_draft_leaves_its_file_alone(tmp_path: Path) -> None:
    """Saving what the file holds anyway neither touches it nor makes a backup."""
    path = tmp_path / "m.json"
    save_draft(HOUSE, path)
    os.utime(path, (1, 1))
    save_draft(HOUSE, path)
    assert path.stat().st_mtime == 1
    assert backups(path) == []


# All or nothing

STEPS = ("mkdir", "mkstemp", "write", "fsync", "chmod", "replace")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EIO])
@pytest.mark.parametrize("step", STEPS)
def test_a_write_that_fails_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, code: int
) -> None:
    """Whichever step the disk refuses, the file is the old one and a sentence says why."""
    path = tmp_path / "m.json"
    old = save_draft(HOUSE, path).raw

    def fail(*args: object, **kwargs: object) -> None:
        raise OSError(code, os.strerror(code))

    target = {
        "mkdir": (Path, "mkdir"),
        "mkstemp": (tempfile, "mkstemp"),
        "write": (os, "fdopen"),
        "fsync": (os, "fsync"),
        "chmod": (Path, "chmod"),
        "replace": (os, "replace"),
    }[step]
    other = HOUSE.with_plan(replace(HOUSE.plan, name="other"))
    with monkeypatch.context() as patch:
        patch.setattr(*target, fail)
        if step in ("mkdir", "chmod"):
            # Permissions and backups are worth less than the work itself.
            saved = save_draft(other, path)
            assert path.read_bytes() == saved.raw
            assert bool(saved.note) == (step == "mkdir")
            return
        with pytest.raises(NotSaved, match=os.strerror(code)):
            save_draft(other, path)
    assert path.read_bytes() == old
    assert [one.name for one in tmp_path.iterdir() if one.name.endswith(".tmp")] == []


# The process that is killed is another one each time, forked where all is imported already.
_SAVER = """
import itertools, os, signal, sys
from pathlib import Path
from editor.files.saving import save_draft
from tests.helpers.drafts import random_draft
path = Path(sys.argv[1])
first, second = (random_draft(seed, is_scenario=True) for seed in (1, 2))
calls = 0
def step(name, real):
    def counted(*args, **kwargs):
        global calls
        calls += 1
        if calls == at:
            os.kill(os.getpid(), signal.SIGKILL)
        done = real(*args, **kwargs)
        calls += 1
        if calls == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return done
    return counted
for line in sys.stdin:
    at = int(line)
    child = os.fork()
    if child:
        if not at:
            print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    if at:
        for name in ("open", "write", "fsync", "replace", "unlink", "chmod", "fdopen", "mkdir"):
            setattr(os, name, step(name, getattr(os, name)))
        save_draft(second, path)
        os._exit(0)
    for draft in itertools.cycle((first, second)):
        save_draft(draft, path)
"""


@contextmanager
def _saver(path: Path) -> Iterator[Callable[..., int]]:
    """Give a way to ask a process for a save that is killed at a step, and to read its numbers."""
    root = str(Path(run.__file__).parent)
    with subprocess.Popen(
        [sys.executable, "-c", _SAVER, str(path)],
        env={**os.environ, "PYTHONPATH": root},
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as process:

        def number(at: int | None = None) -> int:
            assert process.stdin is not None
            assert process.stdout is not None
            if at is not None:
                process.stdin.write(f"{at}\n")
            return int(process.stdout.readline())

        yield number


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_kill_between_any_two_steps_leaves_the_old_or_the_new_file_whole(tmp_path: Path) -> None:
    """The process is killed before and after each call to the system in turn."""
    path = tmp_path / "s.json"
    old = save_draft(random_draft(1, is_scenario=True), path).raw
    new = encoded(random_draft(2, is_scenario=True))
    seen = set()
    with _saver(path) as number:
        for at in range(1, 60):
            path.write_bytes(old)
            code = number(at)
            seen.add(path.read_bytes())
            assert path.read_bytes() in (old, new)
            assert open_file(path).repairs == ()
            if code == 0:
                break
            assert code == -signal.SIGKILL
        else:
            raise AssertionError("the save never came to its end")
    assert at > 8
    assert seen == {old, new}


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_kill_at_any_moment_leaves_the_old_or_the_new_file_whole(tmp_path: Path) -> None:
    """A process that saves without a pause is killed many times; what is there can always be opened."""
    path = tmp_path / "s.json"
    both = {encoded(random_draft(seed, is_scenario=True)) for seed in (1, 2)}
    rng = random.Random(5)
    save_draft(random_draft(1, is_scenario=True), path)
    with _saver(path) as number:
        for _ in range(KILLS):
            child = number(0)
            time.sleep(rng.random() / 20)
            os.kill(child, signal.SIGKILL)
            assert number() == -signal.SIGKILL
            assert path.read_bytes() in both
    for one in backups(path):
        assert one.path.read_bytes() in both


def test_leftovers_of_killed_saves_go_with_the_next_save(tmp_path: Path) -> None:
    """Old unfinished writes of this file are deleted, those of other files and young ones are not."""
    path = tmp_path / "m.json"
    names = (".m.json.abc.tmp", ".other.json.abc.tmp", ".m.json.def.tmp")
    for name in names:
        (tmp_path / name).write_bytes(b"x")
    os.utime(tmp_path / names[0], (1, 1))
    os.utime(tmp_path / names[1], (1, 1))
    save_draft(HOUSE, path)
    assert sorted(one.name for one in tmp_path.iterdir()) == [names[2], names[1], "m.json"]


@pytest.mark.skipif(os.name != "posix", reason="permission bits and links")
def test_permissions_and_links_stay(tmp_path: Path) -> None:
    """A private file stays private, its backup too, and a link goes on pointing to its file."""
    (tmp_path / "real").mkdir()
    real, link = tmp_path / "real" / "m.json", tmp_path / "m.json"
    save_draft(HOUSE, real)
    real.chmod(0o640)
    link.symlink_to(real)
    save_draft(HOUSE.with_plan(replace(HOUSE.plan, name="other")), link)
    assert link.is_symlink()
    assert open_file(real).draft.plan.name == "other"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    (backup,) = backups(real)
    assert stat.S_IMODE(backup.path.stat().st_mode) == 0o640
    assert backups(link) == []


@pytest.mark.skipif(os.name != "posix", reason="permission bits")
def test_a_file_marked_as_read_only_is_not_written_over(tmp_path: Path) -> None:
    """The mark means what it says, though the folder would allow to put another file in its place."""
    path = tmp_path / "m.json"
    raw = save_draft(HOUSE, path).raw
    path.chmod(0o444)
    with pytest.raises(NotSaved, match="read-only"):
        save_draft(HOUSE.with_plan(replace(HOUSE.plan, name="other")), path)
    assert path.read_bytes() == raw


def test_a_folder_is_not_written_over(tmp_path: Path) -> None:
    """A folder in the place of the file, or no folder at all, is told."""
    with pytest.raises(NotSaved, match="is a folder"):
        save_draft(HOUSE, tmp_path)
    with pytest.raises(NotSaved):
        save_draft(HOUSE, tmp_path / "no" / "folder.json")


def test_a_draft_that_could_not_be_opened_again_is_not_saved(tmp_path: Path) -> None:
    """What is written is read back first: half a letter, or a size beyond a map's, is refused."""
    path = tmp_path / "m.json"
    for plan in (
        replace(HOUSE.plan, name="\ud800"),
        replace(HOUSE.plan, extra=(("x", float("nan")),)),
        replace(HOUSE.plan, extra=(("name", "twice"),)),
    ):
        with pytest.raises(NotSaved):
            save_draft(Draft(plan), path)
    assert not path.exists()


# Backups


def test_ten_backups_are_kept_in_a_hidden_folder(tmp_path: Path) -> None:
    """Each save keeps what the file held, the oldest of more than ten go, other files' stay."""
    path = tmp_path / "m.json"
    other = tmp_path / "m 2026.json"
    for number in range(15):
        save_draft(HOUSE.with_plan(replace(HOUSE.plan, name=f"version {number}")), path)
    save_draft(HOUSE, other)
    save_draft(HOUSE.with_plan(replace(HOUSE.plan, name="again")), other)
    found = backups(path)
    assert len(found) == KEPT
    names = [open_file(one.path).draft.plan.name for one in found]
    assert names == [f"version {number}" for number in range(13, 3, -1)]
    assert len(backups(other)) == 1
    assert sorted(one.name for one in tmp_path.iterdir()) == [FOLDER, "m 2026.json", "m.json"]


def test_backups_are_listed_by_their_time(tmp_path: Path) -> None:
    """The last one first; what is no backup of the file is none."""
    path = tmp_path / "a[1].json"
    path.write_bytes(b"")
    begin = datetime(2026, 1, 1, 12)
    for hours in (0, 1, 1, 2):
        keep_backup(path, str(hours).encode() * (1 + len(backups(path))), begin + timedelta(hours=hours))
    (tmp_path / FOLDER / "a[1] junk.json").write_bytes(b"")
    (tmp_path / FOLDER / "a[1] 2026-99-99 00.00.00.json").write_bytes(b"")
    found = backups(path)
    assert [one.when.hour for one in found] == [14, 13, 13, 12]
    assert [one.path.read_bytes() for one in found] == [b"2222", b"111", b"11", b"0"]
    assert keep_backup(path, b"2222") is None
    assert backups(tmp_path / "none.json") == []


# What is refused, and what goes along


def test_a_map_is_not_put_in_the_place_of_a_scenario_unasked(tmp_path: Path) -> None:
    """A file of the other kind, a newer one and one that is neither are told apart."""
    scenario = Draft(HOUSE.plan, Scenario(name="s", map=OWN_MAP))
    path = tmp_path / "x.json"
    assert clash(HOUSE, path) == ""
    save_draft(HOUSE, path)
    assert clash(HOUSE, path) == ""
    assert clash(scenario, path) == "other-kind"
    save_draft(scenario, path)
    assert clash(HOUSE, path) == "other-kind"
    path.write_bytes(format_floorplan(HOUSE.plan).replace(b'"version": 1', b'"version": 9'))
    assert clash(HOUSE, path) == "newer"
    path.write_bytes(b"my shopping list")
    assert clash(HOUSE, path) == "no-plan"
    path.write_bytes(b"")
    assert clash(HOUSE, path) == ""


def test_a_saved_game_is_never_written_over(tmp_path: Path) -> None:
    """A game that somebody played cannot be drawn again."""
    path = tmp_path / "game.json"
    path.write_bytes(b'{"format": "kungfu2100.record", "version": 1}')
    with pytest.raises(NotSaved, match="saved game"):
        clash(HOUSE, path)


def test_a_scenario_saved_elsewhere_takes_its_map_along(tmp_path: Path) -> None:
    """A map named from the old folder goes into the file unless the new folder has the same map."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    save_draft(HOUSE, here / "house.json")
    named = Draft(HOUSE.plan, Scenario(name="s", map="house.json"))
    assert portable(named, here / "b.json") == named
    moved = portable(named, there / "a.json")
    assert isinstance(moved.content, Scenario)
    assert isinstance(moved.content.map, FloorPlan)
    save_draft(HOUSE, there / "house.json")
    assert portable(named, there / "a.json") == named
    shipped = Draft(HOUSE.plan, Scenario(name="s", map="citadel"))
    assert portable(shipped, there / "a.json") == shipped


def test_a_scenario_takes_its_map_into_its_file_where_the_map_s_file_has_another(tmp_path: Path) -> None:
    """What is on the screen is what is saved; only the rock of a map that nobody has is not taken in."""
    named = Draft(HOUSE.plan, Scenario(name="s", map="house.json"))
    for other in (None, Draft(drawn("BB BB"))):
        if other is not None:
            save_draft(other, tmp_path / "house.json")
        assert portable(named, tmp_path / "s.json") == Draft(HOUSE.plan, Scenario(name="s", map=OWN_MAP))
    bare = Draft(FloorPlan(name="house", grid=("...", "..."), rooms=()), named.scenario)
    assert portable(bare, tmp_path / "s.json") == bare


def test_saving_a_scenario_leaves_the_file_of_its_map_alone(tmp_path: Path) -> None:
    """A scenario that names a map never writes that map's file, drawn on or not."""
    save_draft(HOUSE, tmp_path / "house.json")
    raw = (tmp_path / "house.json").read_bytes()
    path = tmp_path / "s.json"
    save_draft(Draft(HOUSE.plan, Scenario(name="s", map="house.json")), path)
    draft = open_file(path).draft
    save_draft(draft.with_plan(replace(draft.plan, name="drawn on")), path)
    assert (tmp_path / "house.json").read_bytes() == raw
    assert open_file(path).draft.plan.name == "drawn on"


def test_a_new_draft_is_a_file_that_opens_without_a_fault(tmp_path: Path) -> None:
    """An untouched new map and scenario are what the model says they are."""
    for draft in (Draft(drawn("AA")), Draft(drawn("AA"), Scenario(name="new", map=OWN_MAP))):
        path = tmp_path / f"{draft.kind}.json"
        save_draft(draft, path)
        opened = open_file(path)
        assert opened.draft == draft
        assert opened.repairs == ()
    assert format_draft(open_file(tmp_path / "map.json").draft) == (tmp_path / "map.json").read_bytes()
