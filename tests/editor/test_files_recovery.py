"""Recovery: what a killed editor left is offered at the next start, and junk in the folder stops nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QTimer
from pytestqt.qtbot import QtBot

import run
from editor.document import Document
from editor.draft import OWN_MAP, Draft
from editor.files.recovery import INTERVAL, UNREADABLE, Recovery
from editor.files.saving import save_draft
from engine.fortress.floorplan import FloorPlan
from engine.raid.scenario import Scenario
from tests.helpers.drafts import random_draft
from tests.helpers.plans import drawn

pytestmark = pytest.mark.usefixtures("qapp")
HOUSE = Draft(drawn("AAAA AAAA BBBB BBBB", "door 1,1 S", entries="0,0 N"))
NOON = datetime(2026, 11, 30, 12)


def named(name: str) -> Draft:
    """Return HOUSE under another name."""
    return HOUSE.with_plan(replace(HOUSE.plan, name=name))


def session(folder: Path, document: Document, **changes: int) -> Recovery:
    """Begin a session that keeps a document in a folder."""
    return Recovery(document, document, folder=folder, now=lambda: NOON, **changes)


def test_unsaved_work_is_kept_seconds_after_the_first_edit_and_again(tmp_path: Path) -> None:
    """The time runs from the first unsaved edit, goes on while there is one, and stops with a save."""
    document = Document(HOUSE)
    recovery = session(tmp_path, document)
    (timer,) = [one for one in recovery.findChildren(QTimer) if not one.isSingleShot()]
    assert not timer.isActive()
    document.apply("Rename", named("one"))
    assert (timer.interval(), timer.isActive()) == (INTERVAL, True) == (5_000, True)
    assert not recovery.file.exists()
    timer.timeout.emit()
    assert b"one" in recovery.file.read_bytes()
    document.apply("Rename", named("two"))
    assert b"one" in recovery.file.read_bytes()
    assert timer.isActive()
    timer.timeout.emit()
    assert b"two" in recovery.file.read_bytes()
    document.mark_saved(tmp_path / "m.json")
    assert not recovery.file.exists()
    assert not timer.isActive()
    recovery.close()
    assert list(tmp_path.iterdir()) == []


def test_a_large_map_is_kept_less_often(tmp_path: Path) -> None:
    """Writing 200 x 200 squares takes longer than a frame, so it comes every half minute only."""
    document = Document(Draft(FloorPlan(name="Large", grid=("." * 200,) * 200, rooms=())))
    recovery = session(tmp_path, document)
    (timer,) = [one for one in recovery.findChildren(QTimer) if not one.isSingleShot()]
    document.apply("Rename", Draft(replace(document.draft.plan, name="Larger")))
    assert (timer.interval(), timer.isActive()) == (30_000, True)
    recovery.close()


def test_edits_that_are_taken_back_leave_nothing(tmp_path: Path) -> None:
    """Undo to what is saved is as good as a save."""
    document = Document(HOUSE)
    recovery = session(tmp_path, document)
    document.apply("Rename", named("one"))
    recovery.keep()
    assert recovery.file.exists()
    document.undo()
    assert not recovery.file.exists()


def test_a_gesture_on_its_way_is_not_kept(tmp_path: Path) -> None:
    """What is kept is what would be saved: no half of a stroke."""
    document = Document(HOUSE)
    recovery = session(tmp_path, document)
    document.apply("Rename", named("one"))
    gesture = document.begin("Rename")
    gesture.show(named("half"))
    recovery.keep()
    assert b"one" in recovery.file.read_bytes()
    assert b"half" not in recovery.file.read_bytes()


# What a killed editor leaves

_EDITOR = """
import sys, os, signal
from pathlib import Path
from PySide6.QtWidgets import QApplication
from msgspec.structs import replace
from editor.document import Document
from editor.files.opening import open_file
from editor.files.recovery import Recovery
app = QApplication([])
folder, path = Path(sys.argv[1]), Path(sys.argv[2])
opened = open_file(path)
document = Document(opened.draft, path)
recovery = Recovery(document, folder=folder, interval=50)
if sys.argv[3] == "opening":
    recovery.note_opening(path)
    os.kill(os.getpid(), signal.SIGKILL)
plan = document.draft.plan
for name in ("first", "second", "third"):
    document.apply("Rename", document.draft.with_plan(replace(document.draft.plan, name=name, notes=name)))
def tell():
    if recovery.file.exists():
        print("kept", flush=True)
from PySide6.QtCore import QTimer
timer = QTimer(); timer.timeout.connect(tell); timer.start(20)
app.exec()
"""


def killed_editor(folder: Path, path: Path, how: str = "edit") -> None:
    """Start an editor in a process of its own, edit, wait for the work to be kept, and kill it."""
    root = str(Path(run.__file__).parent)
    with subprocess.Popen(
        [sys.executable, "-c", _EDITOR, str(folder), str(path), how],
        env={**os.environ, "PYTHONPATH": root, "QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    assert said == (b"kept\n" if how == "edit" else b"")
    assert process.returncode == -signal.SIGKILL


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_killed_editor_is_offered_at_the_next_start(tmp_path: Path) -> None:
    """Edits of a killed process come back with their file, time, size and differences."""
    folder, path = tmp_path / "recovery", tmp_path / "m.json"
    raw = save_draft(HOUSE, path).raw
    killed_editor(folder, path)
    assert path.read_bytes() == raw
    document = Document(HOUSE)
    recovery = session(folder, document)
    (found,) = recovery.found()
    assert found.path == path
    assert found.draft.plan.name == "third"
    assert found.size > 100
    assert found.changes is not None
    assert len(found.changes) == 2
    assert abs((datetime.now() - found.when).total_seconds()) < 60
    other = session(folder, Document(HOUSE))
    assert other.found() == [], "another start is not offered what this one is asked about"
    recovery.leave(found.session)
    assert len(other.found()) == 1
    other.discard(found.session)
    assert recovery.found() == []
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_file_that_brought_the_program_down_is_known(tmp_path: Path) -> None:
    """The next session knows which file was being opened, until it is forgiven."""
    folder, path = tmp_path / "recovery", tmp_path / "m.json"
    save_draft(HOUSE, path)
    killed_editor(folder, path, "opening")
    recovery = session(folder, Document(HOUSE))
    assert recovery.has_crashed_on(path)
    assert not recovery.has_crashed_on(tmp_path / "other.json")
    recovery.forgive(path)
    assert not recovery.has_crashed_on(path)
    assert recovery.found() == []
    recovery.close()
    assert list(folder.iterdir()) == []


def test_a_file_that_did_no_harm_is_not_marked(tmp_path: Path, qtbot: QtBot) -> None:
    """Some seconds after a file is opened it is no longer suspected; a session that goes on is no crash."""
    one = session(tmp_path, Document(HOUSE), settled=50)
    other = session(tmp_path, Document(HOUSE))
    one.note_opening(tmp_path / "m.json")
    assert list(tmp_path.glob("*.opening"))
    assert not other.has_crashed_on(tmp_path / "m.json")
    qtbot.waitUntil(lambda: not list(tmp_path.glob("*.opening")))


def kept_by_a_dead_session(folder: Path, draft: Draft, path: Path | None = None, base: Draft = HOUSE) -> Path:
    """Leave unsaved work as a killed session does, and return its file."""
    document = Document(base, path)
    recovery = session(folder, document)
    document.apply("Draw", draft)
    recovery.keep()
    raw, file = recovery.file.read_bytes(), recovery.file
    recovery.close()
    file.write_bytes(raw)
    return file


@pytest.mark.parametrize("seed", range(6))
def test_work_comes_back_as_it_was(tmp_path: Path, seed: int) -> None:
    """Maps and scenarios are recovered whole, unknown keys and all."""
    draft = random_draft(seed)
    kept_by_a_dead_session(tmp_path, draft.tidied(HOUSE))
    (found,) = session(tmp_path, Document(HOUSE)).found()
    assert found.draft == draft.tidied(HOUSE)
    assert found.path is None
    assert found.changes is None


def test_a_scenario_that_names_its_map_goes_on_naming_it(tmp_path: Path) -> None:
    """The recovery file has the map in it, lest that be gone; the draft still only names it."""
    draft = Draft(HOUSE.plan, Scenario(name="s", map="house.json"))
    kept_by_a_dead_session(tmp_path, draft)
    (found,) = session(tmp_path, Document(HOUSE)).found()
    assert found.draft == draft


def test_work_that_was_saved_after_all_is_not_offered(tmp_path: Path) -> None:
    """A session killed between its save and the end of the recovery file has lost nothing."""
    path = tmp_path / "m.json"
    save_draft(HOUSE, path)
    folder = tmp_path / "recovery"
    kept_by_a_dead_session(folder, named("saved"), path)
    save_draft(named("saved"), path)
    assert session(folder, Document(HOUSE)).found() == []
    assert list(folder.iterdir()) == []


def test_work_whose_file_is_gone_is_offered_all_the_same(tmp_path: Path) -> None:
    """Without the file nothing can be compared, and the work is all there is."""
    path = tmp_path / "m.json"
    save_draft(HOUSE, path)
    kept_by_a_dead_session(tmp_path / "recovery", named("only here"), path)
    path.unlink()
    (found,) = session(tmp_path / "recovery", Document(HOUSE)).found()
    assert (found.path, found.changes) == (path, None)


# Junk


def test_unreadable_recovery_files_are_set_aside_once(tmp_path: Path) -> None:
    """A torn or foreign file is moved away at the first start, and never tried again."""
    good = kept_by_a_dead_session(tmp_path, named("good"))
    (tmp_path / "torn.json").write_bytes(good.read_bytes()[:100])
    (tmp_path / "foreign.json").write_bytes(b'{"format": "kungfu2100.map", "version": 1}')
    recovery = session(tmp_path, Document(HOUSE))
    assert [one.draft.name for one in recovery.found()] == ["good"]
    assert sorted(one.name for one in (tmp_path / UNREADABLE).iterdir()) == ["foreign.json", "torn.json"]
    assert [one.draft.name for one in recovery.found()] == ["good"]
    (tmp_path / "torn.json").write_bytes(b"again")
    recovery.found()
    assert len(list((tmp_path / UNREADABLE).iterdir())) == 3


def test_a_recovery_file_that_brings_the_program_down_does_so_once(tmp_path: Path) -> None:
    """Work that was being looked at when the program ended is set aside at the next start."""
    file = kept_by_a_dead_session(tmp_path, named("deadly"))
    file.with_suffix(".tried").touch()
    assert session(tmp_path, Document(HOUSE)).found() == []
    assert [one.name for one in (tmp_path / UNREADABLE).iterdir()] == [file.name]
    kept_by_a_dead_session(tmp_path, named("good"))
    assert [one.draft.name for one in session(tmp_path, Document(HOUSE)).found()] == ["good"]


def test_a_recovery_file_that_no_fault_was_foreseen_in_is_set_aside_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exception out of the reading ends the program as a crash does: once, not at every start."""
    file = kept_by_a_dead_session(tmp_path, named("deadly"))

    def deadly(*_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr("editor.files.recovery.read_content", deadly)
        first = session(tmp_path, Document(HOUSE))
        with pytest.raises(RuntimeError):
            first.found()
        first.close()
    assert session(tmp_path, Document(HOUSE)).found() == []
    assert [one.name for one in (tmp_path / UNREADABLE).iterdir()] == [file.name]


@pytest.mark.skipif(os.name != "posix", reason="names of bytes")
def test_a_file_whose_name_is_no_text_is_kept_all_the_same(tmp_path: Path) -> None:
    """Its name is lost, its work is not."""
    document = Document(HOUSE, Path(os.fsdecode(b"/odd/\xff\xfe.json")))
    recovery = session(tmp_path, document)
    document.apply("Rename", named("kept"))
    recovery.keep()
    raw, file = recovery.file.read_bytes(), recovery.file
    recovery.close()
    file.write_bytes(raw)
    (found,) = session(tmp_path, Document(HOUSE)).found()
    assert (found.path, found.draft.name) == (None, "kept")


def test_a_program_that_ends_without_closing_keeps_what_is_unsaved(tmp_path: Path) -> None:
    """At the end of the session of the desktop nobody is asked; the work is offered at the next start."""
    document = Document(HOUSE)
    recovery = session(tmp_path, document)
    document.apply("Rename", named("one"))
    recovery.note_opening(tmp_path / "m.json")
    app = QCoreApplication.instance()
    assert app is not None
    app.aboutToQuit.emit()
    assert recovery.file.exists()
    assert not list(tmp_path.glob("*.opening")), "the file did no harm"
    recovery.close()
    app.aboutToQuit.emit()
    assert not recovery.file.exists()


def test_junk_in_the_folder_does_not_stop_the_keeping(tmp_path: Path) -> None:
    """Oddly named files, folders and locks of nobody are left alone."""
    for name in ("ünïcode 力 \n.json", "a" * 200 + ".json", ".json", "x.lock", "notes.txt", ".opening"):
        (tmp_path / name).write_bytes(b"\xff\x00 junk")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "folder.lock").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.json")
    document = Document(HOUSE)
    recovery = session(tmp_path, document)
    recovery.found()
    assert not recovery.has_crashed_on(tmp_path / "m.json")
    document.apply("Rename", named("kept"))
    recovery.keep()
    assert b"kept" in recovery.file.read_bytes()
    assert (tmp_path / "notes.txt").exists()


def test_a_folder_that_cannot_be_written_is_told_once(tmp_path: Path) -> None:
    """Where nothing can be kept a sentence says why; drawing goes on, and a later try may succeed."""
    (tmp_path / "taken").write_bytes(b"")
    document = Document(HOUSE)
    recovery = session(tmp_path / "taken", document)
    told: list[str] = []
    recovery.failed.connect(told.append)
    document.apply("Rename", named("one"))
    recovery.keep()
    recovery.keep()
    assert len(told) == 1
    assert "cannot be kept" in told[0]
    (tmp_path / "taken").unlink()
    recovery.keep()
    assert recovery.file.exists()


def test_two_sessions_keep_their_own(tmp_path: Path) -> None:
    """Two windows on the same file do not write into each other's recovery, nor offer it to one another."""
    documents = [Document(HOUSE, tmp_path / "m.json") for _ in range(2)]
    sessions = [session(tmp_path / "recovery", one) for one in documents]
    for number, (document, recovery) in enumerate(zip(documents, sessions, strict=True)):
        document.apply("Rename", named(f"window {number}"))
        recovery.keep()
    assert sessions[0].file != sessions[1].file
    assert sessions[0].found() == []
    assert sessions[1].found() == []


def test_an_own_map_is_kept_as_one(tmp_path: Path) -> None:
    """A scenario with its map in its file comes back so."""
    draft = Draft(HOUSE.plan, Scenario(name="s", map=OWN_MAP))
    kept_by_a_dead_session(tmp_path, draft)
    (found,) = session(tmp_path, Document(HOUSE)).found()
    assert found.draft == draft
