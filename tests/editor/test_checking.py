"""The checks run beside the window: late answers are thrown away, and a dead process is no end of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from editor.background import Background
from editor.bench import Bench
from editor.document import Document
from editor.draft import OWN_MAP, Draft
from editor.edits.squares import paint, with_new_room
from editor.problems import checking
from editor.problems.check import check
from editor.problems.checking import Checker
from editor.settings import EditorSettings
from engine.fortress.floorplan import ROCK, FloorPlan, format_floorplan, load_floorplan
from engine.raid.problems import problems
from engine.raid.scenario import SHIPPED, Scenario, load_scenario, plan_of
from tests.helpers.plans import drawn, random_plan
from tests.helpers.processes import Started
from tests.helpers.timers import is_waiting

CITADEL = Draft(plan_of(load_scenario("basic")), load_scenario("basic"))
SOUND = Draft(drawn("AAB AAB", "door 1,0 E", entries="0,0 W"))
FAULTY = Draft(replace(SOUND.plan, entries=()))


@pytest.fixture
def started() -> Started:
    """Return which processes the test has started."""
    return Started()


@pytest.fixture
def checker(qtbot: QtBot, tmp_path: Path, started: Started) -> Iterator[Checker]:
    """Return the checker of a sound map, its own process warm."""
    bench = Bench(Document(SOUND))
    checker = Checker(bench, EditorSettings(tmp_path / "editor.json"))
    vars(qtbot)["bench"] = bench
    qtbot.waitUntil(lambda: checker.is_current, timeout=20_000)
    yield checker
    checker.close()


def wait(qtbot: QtBot, checker: Checker) -> None:
    """Wait until nothing is left to be checked."""
    qtbot.waitUntil(lambda: not checker.is_busy, timeout=20_000)


# What is found


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_shipped_has_no_problems_in_the_editor(name: str) -> None:
    """The editor says what the command line says, with the map in the scenario or by its name."""
    scenario = load_scenario(name)
    assert check(Draft(plan_of(scenario), scenario)) == problems(scenario) == ()


@pytest.mark.parametrize("seed", range(30))
def test_the_editor_finds_what_a_loaded_file_has(seed: int, tmp_path: Path) -> None:
    """Valid in the editor is valid after saving and loading, and the other way round."""
    plan = random_plan(seed)
    path = tmp_path / "map.json"
    path.write_bytes(format_floorplan(plan))
    assert check(Draft(plan)) == check(Draft(load_floorplan(path)))


def test_zero_forces_are_told_and_break_nothing(qtbot: QtBot, checker: Checker) -> None:
    """A scenario without any figures for the CloneMaster is told so; nothing crashes."""
    empty = Scenario(name="Empty", map=OWN_MAP, servants=0, technicians=0, armed_technicians=0, jellies=0)
    checker.document.apply("Make a scenario", Draft(SOUND.plan, empty))
    wait(qtbot, checker)
    assert "no-guards" in {problem.code for problem in checker.problems}


def test_a_goal_walled_off_is_an_error_at_both_ends(qtbot: QtBot, checker: Checker) -> None:
    """The room that cannot be reached is told with its squares and those of the entries."""
    checker.document.apply("Wall it off", Draft(replace(SOUND.plan, edges=())))
    wait(qtbot, checker)
    found = next(problem for problem in checker.problems if problem.code == "room-unreachable")
    assert checker.has_errors
    assert checker.place_of(found).squares == {(2, 0), (2, 1), (0, 0)}


def test_a_bad_map_opens_with_every_error_and_its_square(qtbot: QtBot, checker: Checker) -> None:
    """A map that could not be played is no blank refusal: each fault is listed, and found on the map."""
    bad = drawn(
        "AAB AAB ..C",
        "door 1,0 E",
        "dropoff 1,1 S",
        things="tank 0,2; computer 1,1 N",
        entries="0,0 W; 1,2",
    )
    checker.document.replace(Draft(bad), None)
    wait(qtbot, checker)
    found = {one.code: checker.place_of(one).squares for one in checker.problems if one.severity == "error"}
    assert found == {
        "room-unreachable": {(2, 2), (0, 0), (1, 2)},
        "dropoff-into-rock": {(1, 1), (1, 2)},
        "equipment-in-rock": {(0, 2)},
        "computer-without-wall": {(1, 1)},
        "entry-in-rock": {(1, 2)},
    }
    assert {(2, 2), (0, 2), (1, 1), (1, 2)} <= checker.bench.marks.keys()


# When it is found


def test_problems_follow_the_draft(qtbot: QtBot, checker: Checker) -> None:
    """A fault is found after a moment's rest, marked on the map, and gone after undo."""
    assert checker.counts == (0, 0, 0)
    with qtbot.waitSignal(checker.changed, timeout=20_000):
        checker.document.apply("Take the entry away", FAULTY)
    assert [(one.code, one.severity) for one in checker.problems] == [("no-entry", "error")]
    assert checker.has_errors
    checker.document.undo()
    wait(qtbot, checker)
    assert checker.problems == ()
    assert not checker.has_errors


def test_squares_with_problems_are_marked(qtbot: QtBot, checker: Checker) -> None:
    """The bench has the worst of each square, for the canvas and the minimap."""
    plan = replace(SOUND.plan, entries=(replace(SOUND.plan.entries[0], enter=100),))
    checker.document.apply("Spoil the rate", Draft(plan))
    wait(qtbot, checker)
    assert checker.bench.marks == {(0, 0): "error"}


def test_a_gesture_on_its_way_is_not_checked(qtbot: QtBot, checker: Checker) -> None:
    """What is only shown is no change; what is committed is."""
    gesture = checker.document.begin("Take the entry away")
    gesture.show(FAULTY)
    assert (checker.is_current, checker.is_busy) == (True, False)
    assert checker.check_now() == ()
    gesture.commit()
    assert checker.is_busy
    wait(qtbot, checker)
    assert checker.has_errors


def test_late_answers_are_thrown_away(
    qtbot: QtBot, checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is found about a draft that has changed since is never shown."""
    shown: list[Draft | None] = []
    sent: list[object] = []
    send = Background.send

    def note(process: Background, message: object) -> None:
        sent.append(message)
        send(process, message)

    monkeypatch.setattr(Background, "send", note)
    checker.changed.connect(lambda: shown.append(checker.checked))
    checker.document.apply("Take the entry away", FAULTY)
    qtbot.waitUntil(lambda: bool(sent), timeout=20_000)
    checker.document.undo()
    checker.document.apply("Name it", Draft(replace(SOUND.plan, name="Another")))
    wait(qtbot, checker)
    assert shown == [checker.document.draft]
    assert checker.problems == ()


def test_painting_runs_no_check_in_the_window(
    qtbot: QtBot, checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred strokes on 60 x 60 squares: the window checks nothing itself, the process does it all."""

    def never(*_: object) -> None:
        raise AssertionError("checked in the window")

    for name in ("engine.raid.problems.map_problems", "engine.raid.problems.problems"):
        monkeypatch.setattr(name, never)
    plan = FloorPlan(name="Large", grid=(ROCK * 60,) * 60, rooms=())
    plan, letter = with_new_room(plan, [(0, 0)])
    checker.document.replace(Draft(plan), None)
    for at in range(1, 101):
        checker.document.apply(
            "Paint", Draft(paint(checker.document.draft.plan, [(at % 60, at // 60)], letter))
        )
    wait(qtbot, checker)
    assert [one.code for one in checker.problems if one.severity == "error"] == ["no-entry"]
    assert checker.checked is checker.document.draft


def test_before_playing_the_draft_is_checked_at_once(checker: Checker) -> None:
    """A playtest does not wait for the moment's rest, nor go by what was found before."""
    checker.document.apply("Take the entry away", FAULTY)
    assert not checker.has_errors
    assert [one.code for one in checker.check_now()] == ["no-entry"]
    assert checker.has_errors


# When the process dies


def test_a_process_that_is_killed_is_started_again(qtbot: QtBot, checker: Checker, started: Started) -> None:
    """Checks go on after their process was killed, at rest or at work."""
    (number,) = started.numbers
    os.kill(number, signal.SIGKILL)
    checker.document.apply("Take the entry away", FAULTY)
    wait(qtbot, checker)
    assert checker.has_errors
    assert len(started.numbers) == 1
    assert started.numbers != [number]


def test_a_draft_that_kills_the_process_is_given_up(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The checks are not started for ever; the next change tries again."""
    starts = []

    def start(_: object) -> Background:
        starts.append(Background(die))
        return starts[-1]

    monkeypatch.setattr(checking, "Background", start)
    bench = Bench(Document(SOUND))
    checker = Checker(bench, EditorSettings(tmp_path / "editor.json"))
    qtbot.waitUntil(lambda: checker.is_broken, timeout=20_000)
    assert len(starts) == checking.LIVES
    monkeypatch.undo()
    checker.document.apply("Take the entry away", FAULTY)
    wait(qtbot, checker)
    assert not checker.is_broken
    assert checker.has_errors
    checker.close()


def die(pipe: object) -> None:
    """End the process at once."""
    os._exit(3)


def test_a_fault_in_a_check_is_raised_in_the_window(qtbot: QtBot, checker: Checker) -> None:
    """What breaks off in the process is not swallowed there; until the next draft nothing is looked for."""
    broken = Draft(SOUND.plan, "no scenario")  # type: ignore[arg-type]
    with qtbot.captureExceptions() as caught:
        checker.document.replace(broken, None)
        qtbot.waitUntil(lambda: bool(caught), timeout=20_000)
    assert [kind for kind, *_ in caught] == [checking.Broken]
    assert checker.is_broken
    assert not is_waiting(checker)
    checker.document.replace(FAULTY, None)
    wait(qtbot, checker)
    assert checker.has_errors


def test_the_process_ends_with_the_checker(checker: Checker, started: Started) -> None:
    """Closing ends it at once, and may be done twice."""
    (number,) = started.numbers
    checker.close()
    checker.close()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_a_program_that_never_closes_it_ends_all_the_same() -> None:
    """Neither a window left open nor the end of the interpreter hangs on the process."""
    program = (
        "from PySide6.QtCore import QCoreApplication, QTimer\n"
        "from editor.bench import Bench; from editor.document import Document\n"
        "from editor.draft import Draft\n"
        "from editor.problems.checking import Checker; from editor.templates import empty\n"
        "if __name__ == '__main__':\n"
        "    app = QCoreApplication([])\n"
        "    bench = Bench(Document(Draft(empty())))\n"
        "    checker = Checker(bench)\n"
        "    checker.changed.connect(app.quit)\n"
        "    QTimer.singleShot(20000, app.quit)\n"
        "    app.exec()\n"
        "    print(checker.is_current)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "True\n"
    assert done.stderr == ""


# Muting


def test_a_muted_kind_of_warning_is_kept_for_its_file(qtbot: QtBot, tmp_path: Path) -> None:
    """Muted with a note, it counts apart, also next time; errors never are; the file holds nothing of it."""
    path = tmp_path / "map.json"
    draft = Draft(replace(SOUND.plan, rooms=(replace(SOUND.plan.rooms[0], setup=""), SOUND.plan.rooms[1])))
    path.write_bytes(format_floorplan(draft.plan))
    for is_first in (True, False):
        bench = Bench(Document(draft, path))
        checker = Checker(bench, EditorSettings(tmp_path / "editor.json"))
        checker.check_now()
        assert checker.counts == ((0, 1, 0) if is_first else (0, 0, 1))
        checker.muting.mute("room-without-letter", "A corridor")
        checker.muting.mute("no-entry", "Errors stay")
        assert checker.counts == (0, 0, 1)
        assert checker.bench.marks == {}
        assert checker.muting.notes["room-without-letter"] == "A corridor"
        checker.document.apply("Take the entry away", Draft(replace(draft.plan, entries=())))
        checker.check_now()
        assert checker.counts == (1, 0, 1)
        checker.close()
    assert b"muted" not in path.read_bytes()
    other = Checker(Bench(Document(draft, tmp_path / "other.json")), EditorSettings(tmp_path / "editor.json"))
    other.check_now()
    assert other.counts == (0, 1, 0)
    other.close()


def test_what_is_muted_before_the_first_save_is_kept_with_it(qtbot: QtBot, tmp_path: Path) -> None:
    """A draft without a file keeps its muted kinds until it has one."""
    document = Document(SOUND)
    checker = Checker(Bench(document), EditorSettings(tmp_path / "editor.json"))
    checker.muting.mute("room-closed", "An oubliette")
    document.mark_saved(tmp_path / "new.json")
    assert EditorSettings(tmp_path / "editor.json").muted(tmp_path / "new.json") == {
        "room-closed": "An oubliette"
    }
    checker.muting.unmute("room-closed")
    assert EditorSettings(tmp_path / "editor.json").muted(tmp_path / "new.json") == {}
    checker.close()
