"""Bot games of a draft: the same from the same seeds, beside the editor, stopped at once and for good."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from scipy.stats import binomtest

from app import theme
from editor.background import Background
from editor.bench import Bench
from editor.document import Document
from editor.draft import OWN_MAP, Draft
from editor.host import Playtest
from editor.trials import game
from editor.trials import trials as trials_module
from editor.trials.game import Trial, play_trial
from editor.trials.panel import TrialsPanel
from editor.trials.results import lines, results, share
from editor.trials.trials import Trials
from engine.bots import make_bot
from engine.core.match import play
from engine.raid.match import RaidMatch
from engine.raid.scenario import Points, Scenario, load_scenario, plan_of
from tests.helpers.gui import brawl, screenshot, small_scenario
from tests.helpers.processes import Started

ROOT = Path(__file__).parents[2]
BOTS = {"terminator": "rulebook", "clonemaster": "rulebook"}
BLIND = {"terminator": "random", "clonemaster": "random"}


def whole(scenario: Scenario) -> Scenario:
    """Return a scenario with its map in it, as a draft is played."""
    return msgspec.structs.replace(scenario, map=plan_of(scenario))


def draft(scenario: Scenario) -> Draft:
    """Return a draft of a scenario."""
    return Draft(plan_of(scenario), msgspec.structs.replace(scenario, map=OWN_MAP))


def is_there(number: int) -> bool:
    """Return whether a process runs; one that has ended and was not waited for does not."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.fixture
def started() -> Started:
    """Return which processes the test has started."""
    return Started()


def wait_for(what: Callable[[], bool], limit: float = 10) -> bool:
    """Wait until something is so; return whether it came to be."""
    end = time.monotonic() + limit
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


# One game


def test_a_trial_is_the_game_of_its_seed() -> None:
    """What a trial tells is what the game with that seed comes to wherever it is played."""
    scenario = load_scenario("basic")
    told = play_trial(scenario, BOTS, 5)
    match = RaidMatch.new(scenario, "5", seats=BOTS)
    play(match, {side: make_bot("rulebook", f"5 {side}") for side in match.sides})
    view = match.view("open")
    assert view.outcome is not None
    assert (told.winner, told.turn, told.choices) == (view.outcome.winner, view.turn, match.length)
    assert not told.error


@pytest.mark.parametrize("seed", range(12))
def test_why_a_game_ended(seed: int) -> None:
    """R31: a game is told to have ended early exactly when it did, and 6.1 by what the view shows."""
    told = play_trial(small_scenario(3), BLIND if seed % 2 else BOTS, seed)
    assert not told.error
    if told.turn < 3:
        assert told.ending in ("away", "lost")
    assert (told.verdict in ("away", "lost")) == (told.winner == "terminator")
    assert told.is_total == (told.verdict in ("lives", "away"))


def test_points_decide() -> None:
    """6.3: with points there is no verdict of the mission, and both sides' points are told."""
    told = play_trial(msgspec.structs.replace(brawl(2), points=Points()), BOTS, 1)
    assert told.verdict == ""
    assert told.points is not None
    assert told.winner == ("draw" if told.points[0] == told.points[1] else told.winner)


def test_a_game_that_breaks_is_told_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in a bot is no end of the trials: it is told with its seed and where it was."""

    def broken(*_: object) -> None:
        raise RuntimeError("no choice left")

    monkeypatch.setattr(game, "play", broken)
    told = play_trial(small_scenario(), BOTS, 17)
    assert (told.seed, told.ending, told.winner) == (17, "broken", "")
    assert told.error.strip().endswith("RuntimeError: no choice left")
    assert lines(results([told])) == ["Broken off, seed 17: RuntimeError: no choice left"]


# What games tell together


@pytest.mark.parametrize("of", [1, 2, 7, 10, 100, 1000])
def test_interval_is_that_of_wilson(of: int) -> None:
    """The interval is the Wilson score interval at 95 %, as scipy works it out."""
    for number in {0, 1, of // 3, of // 2, of - 1, of}:
        known = binomtest(number, of).proportion_ci(0.95, method="wilson")
        found = share(number, of)
        assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=1e-9)
        assert 0 <= found.low <= found.share <= found.high <= 1


def test_interval_of_nothing() -> None:
    """Without a game every share is possible."""
    assert share(0, 0)[2:] == (0, 1)


def test_summary() -> None:
    """Shares, total victories, draws, lengths and causes are counted, whatever order games came in."""
    games = [
        Trial(3, "terminator", True, 4, 9, "away", "away"),
        Trial(1, "clonemaster", True, 10, 9, "limit", "lives"),
        Trial(2, "clonemaster", False, 7, 9, "lost", "equipment"),
        Trial(4, "draw", False, 10, 9, "limit", "", (5, 5)),
        Trial(5, error="Traceback\nValueError: x"),
    ]
    found = results(games)
    assert found == results(reversed(games))
    assert [one.seed for one in found.games] == [1, 2, 3, 4]
    assert {side: (one.number, one.of) for side, one in found.wins.items()} == {
        "terminator": (1, 4),
        "clonemaster": (2, 4),
    }
    assert found.totals == {"terminator": 1, "clonemaster": 1}
    text = "\n".join(lines(found))
    assert "Terminator wins 1 of 4, 25 % (95 %: 5 % to 70 %), 1 of them total" in text
    assert "Draws 1 of 4" in text
    assert "7.8 turns on average, median 8.5, from 4 to 10" in text
    assert "The turn limit was reached: 2, 50 %" in text
    assert "Broken off, seed 5: ValueError: x" in text


# Many at once


def test_same_seeds_same_results(started: Started, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same draft, bots and seeds give the same results, by one process or by three."""
    found = []
    for count in (1, 3):
        monkeypatch.setattr("editor.trials.trials.cores", lambda count=count: count)
        trials = Trials()
        with qtbot.waitSignal(trials.ended, timeout=60000):
            trials.start(whole(small_scenario(3)), BLIND, 40, 12)
            assert len(started.numbers) == count
        found.append(trials.results)
        assert not trials.is_running
    assert found[0] == found[1]
    assert [one.seed for one in found[0].games] == list(range(40, 52))
    assert found[0].games[3] == play_trial(whole(small_scenario(3)), BLIND, 43)


def test_cancel_is_at_once(started: Started, qtbot: QtBot) -> None:
    """Stopping does not wait for the game under way, and leaves no process."""
    trials = Trials()
    ends: list[int] = []
    trials.ended.connect(lambda: ends.append(1))
    trials.start(whole(load_scenario("all-twelve")), BOTS, 1, 1000)
    numbers = started.numbers
    qtbot.waitUntil(lambda: trials.done > 0, timeout=60000)
    done = trials.done
    trials.cancel()
    assert ends == [1]
    assert trials.done == done
    assert 0 < trials.done < 1000
    assert not any(map(is_there, numbers))
    trials.cancel()
    assert ends == [1]


def test_a_process_that_dies_is_one_broken_game(
    started: Started, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is killed counts as one broken game; the rest is played by another."""
    monkeypatch.setattr("editor.trials.trials.cores", lambda: 1)
    trials = Trials()
    trials.start(whole(small_scenario(3)), BOTS, 1, 30)
    qtbot.waitUntil(lambda: trials.done > 2, timeout=60000)
    with qtbot.waitSignal(trials.ended, timeout=60000):
        os.kill(started.numbers[0], signal.SIGKILL)
    found = trials.results
    assert len(found.games) + len(found.broken) == 30
    assert [one.error for one in found.broken] == ["the process that played it ended with code -9"]


def test_what_cannot_be_played_is_told(qtbot: QtBot) -> None:
    """Errors of the scenario end the trials before the first game, with all of their lines."""
    trials = Trials()
    with qtbot.waitSignal(trials.ended, timeout=60000):
        trials.start(whole(msgspec.structs.replace(load_scenario("basic"), room_limit=1)), BOTS, 1, 10)
    assert trials.done == 0
    assert any("to be set up (6.1)" in line for line in trials.problems)


class NoProcess:
    """A system that starts so many processes and no more."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
        self.limit = limit
        monkeypatch.setattr(trials_module, "Background", self.start)

    def start(self, work: Callable[[Connection], None]) -> Background:
        """Start a process, or refuse to."""
        if self.limit == 0:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        self.limit -= 1
        return Background(work)


def test_fewer_processes_than_wished_play_all_games(
    started: Started, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system starts one process of three, that one plays all of the games."""
    monkeypatch.setattr(trials_module, "cores", lambda: 3)
    NoProcess(monkeypatch, 1)
    trials = Trials()
    with qtbot.waitSignal(trials.ended, timeout=60000):
        trials.start(whole(small_scenario(3)), BLIND, 1, 6)
        assert len(started.numbers) == 1
    assert len(trials.results.games) == 6
    assert not trials.refusal


def test_no_process_at_all_ends_the_trials_and_says_why(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A system that starts no process leaves a panel that says so, and plays as soon as there is one."""
    system = NoProcess(monkeypatch, 0)
    panel = open_panel(qtbot, small_scenario(3))
    panel.count_box.setCurrentIndex(0)
    panel.play_button.click()
    assert not panel.trials.is_running
    assert panel.play_button.text() == "Play 10 bot games"
    assert "Stopped after 0 of 10 games: no process could be started" in panel.status.text()
    assert panel.status.isVisible()
    assert not panel.list.isVisible()
    system.limit = 1
    with qtbot.waitSignal(panel.trials.ended, timeout=60000):
        panel.play_button.click()
    assert panel.status.text().endswith("10 games played.")


def test_a_dead_process_that_cannot_be_replaced_ends_the_trials(
    started: Started, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was played stays, and the trials do not go on for ever with nobody to play."""
    monkeypatch.setattr(trials_module, "cores", lambda: 1)
    NoProcess(monkeypatch, 1)
    trials = Trials()
    trials.start(whole(small_scenario(3)), BOTS, 1, 200)
    qtbot.waitUntil(lambda: trials.done > 2, timeout=60000)
    with qtbot.waitSignal(trials.ended, timeout=60000):
        os.kill(started.numbers[0], signal.SIGKILL)
    assert not trials.is_running
    assert 2 < trials.done < 200
    assert trials.refusal


def test_starting_does_not_wait_for_the_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scenario larger than a pipe holds is not sent by the window, which would wait until it is read."""
    monkeypatch.setattr(game, "work", _deaf)
    trials = Trials()
    large = msgspec.structs.replace(small_scenario(3), notes="x" * 2**20)
    trials.start(whole(large), BOTS, 1, 10)  # would never come back
    assert trials.is_running
    trials.cancel()


def _deaf(_pipe: Connection) -> None:
    """Read nothing."""
    time.sleep(600)


# No process is left


def test_processes_go_with_their_owner(started: Started, qtbot: QtBot) -> None:
    """Trials that are taken apart while they run, as with a window, take their processes along."""
    parent = QObject()
    trials = Trials(parent)
    trials.start(whole(load_scenario("basic")), BOTS, 1, 1000)
    numbers = started.numbers
    assert all(map(is_there, numbers))
    parent.deleteLater()
    del trials
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert wait_for(lambda: not any(map(is_there, numbers)))


EDITOR = """
import multiprocessing, sys
from PySide6.QtCore import QCoreApplication
from editor.trials.trials import Trials
from engine.raid.scenario import load_scenario

if __name__ == "__main__":
    app = QCoreApplication([])
    trials = Trials()
    bots = {"terminator": "rulebook", "clonemaster": "rulebook"}
    at_work = multiprocessing.active_children
    trials.progressed.connect(lambda: print(*[one.pid for one in at_work()], flush=True))
    if sys.argv[1] == "quit":
        trials.progressed.connect(app.quit)
    trials.start(load_scenario("basic"), bots, 1, 1000)
    app.exec()
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("how", ["kill", "terminate", "quit"])
def test_no_orphans(tmp_path: Path, how: str) -> None:
    """An editor that is closed, terminated or killed in the middle of its trials leaves no process behind."""
    script = tmp_path / "editor_with_trials.py"
    script.write_text(EDITOR)
    with subprocess.Popen(
        [sys.executable, str(script), how],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as editor:
        assert editor.stdout is not None
        numbers = [int(one) for one in editor.stdout.readline().split()]
        assert numbers
        if how == "kill":
            editor.kill()
        elif how == "terminate":
            editor.terminate()
        editor.wait(20)
        assert wait_for(lambda: not any(map(is_there, numbers)))


# The panel


def open_panel(qtbot: QtBot, scenario: Scenario, mode: str = "light") -> TrialsPanel:
    """Show the panel of a draft of a scenario."""
    app = QGuiApplication.instance()
    theme.apply(app, mode, 1.0)  # type: ignore[arg-type]
    panel = TrialsPanel(Bench(Document(draft(scenario))))
    qtbot.addWidget(panel)
    vars(qtbot).setdefault("windows", []).append(panel)
    panel.resize(420, 720)
    panel.show()
    return panel


def test_panel_plays_and_tells(qtbot: QtBot, tmp_path: Path) -> None:
    """The panel plays so many games of the draft, tells what came of them, and copies that as text."""
    panel = open_panel(qtbot, small_scenario(3))
    panel.count_box.setCurrentIndex(0)
    QCoreApplication.processEvents()
    screenshot(panel, "trials-before", tmp_path)
    assert panel.play_button.text() == "Play 10 bot games"
    with qtbot.waitSignal(panel.trials.ended, timeout=60000):
        panel.play_button.click()
        assert panel.play_button.text() == "Stop"
    assert panel.play_button.text() == "Play 10 bot games"
    assert panel.list.count() == 10
    assert "Terminator wins" in panel.words.text()
    panel.copy_button.click()
    text = QGuiApplication.clipboard().text()
    assert text.startswith("Basic: 10 bot games, Rulebook bot against Rulebook bot, seeds 1 to 10\n")
    assert "Version: as it was opened" in text
    QCoreApplication.processEvents()
    screenshot(panel, "trials-after", tmp_path)


def test_panel_says_of_which_version_it_is(qtbot: QtBot, tmp_path: Path) -> None:
    """Results of an earlier version of the draft say so, until the draft is that version again."""
    panel = open_panel(qtbot, small_scenario(2))
    document = panel.bench.document
    now = document.draft
    assert now.scenario is not None
    document.apply("Fewer servants", now._replace(scenario=msgspec.structs.replace(now.scenario, servants=1)))
    panel.count_box.setCurrentIndex(0)
    with qtbot.waitSignal(panel.trials.ended, timeout=60000):
        panel.play_button.click()
    assert panel.changed_label.isHidden()
    assert "step 1, Fewer servants" in panel.status.text()
    document.undo()
    assert not panel.changed_label.isHidden()
    QCoreApplication.processEvents()
    screenshot(panel, "trials-changed", tmp_path)
    document.redo()
    assert panel.changed_label.isHidden()


def test_a_gesture_on_its_way_is_not_followed(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a stroke is drawn the panel makes no scenario of it and compares nothing; its end is followed."""
    panel = open_panel(qtbot, small_scenario(2))
    document = panel.bench.document
    before = document.draft.scenario
    assert before is not None
    made: list[Scenario] = []

    def usual(side: str, scenario: Scenario) -> str:
        made.append(scenario)
        return "rulebook"

    monkeypatch.setattr("editor.trials.panel.usual_bot", usual)
    gesture = document.begin("Fewer servants")
    for servants in (3, 2, 1):
        scenario = msgspec.structs.replace(before, servants=servants)
        gesture.show(gesture.before._replace(scenario=scenario))
    assert made == []
    gesture.commit()
    assert {one.servants for one in made} == {1}


def test_the_last_seeds_are_played_as_asked(qtbot: QtBot) -> None:
    """The highest seed there is to choose is the first one played; the others count on from it."""
    panel = open_panel(qtbot, small_scenario(2))
    panel.count_box.setCurrentIndex(0)
    panel.seed_box.setValue(panel.seed_box.maximum())
    with qtbot.waitSignal(panel.trials.ended, timeout=60000):
        panel.play_button.click()
    first = panel.seed_box.value()
    assert first == panel.seed_box.maximum()
    assert [one.seed for one in panel.trials.results.games] == list(range(first, first + 10))
    assert f"seeds {first} to {first + 9}" in panel.text


def test_panel_shows_a_game_again(qtbot: QtBot) -> None:
    """A game of the list is played once more on the board: the version that was played, by the same bots."""
    panel = open_panel(qtbot, small_scenario(2))
    wanted: list[Playtest] = []
    panel.playWanted.connect(wanted.append)
    panel.count_box.setCurrentIndex(0)
    panel.seed_box.setValue(30)
    with qtbot.waitSignal(panel.trials.ended, timeout=60000):
        panel.play_button.click()
    panel.list.setCurrentRow(4)
    panel.watch_button.click()
    (playtest,) = wanted
    assert (playtest.seed, dict(playtest.seats), playtest.turn) == ("34", BOTS, 1)
    assert playtest.scenario == panel.bench.document.draft.whole


def test_panel_offers_the_problems(qtbot: QtBot, tmp_path: Path) -> None:
    """A draft with errors is not played: the first is told, and the way to all of them."""
    panel = open_panel(qtbot, msgspec.structs.replace(load_scenario("basic"), room_limit=1))
    asked: list[int] = []
    panel.problemsWanted.connect(lambda: asked.append(1))
    with qtbot.waitSignal(panel.trials.ended, timeout=60000):
        panel.play_button.click()
    assert "cannot be played" in panel.problem_label.text()
    QCoreApplication.processEvents()
    screenshot(panel, "trials-problems", tmp_path)
    panel.problems_button.click()
    assert asked == [1]


def test_panel_takes_the_usual_bots(qtbot: QtBot) -> None:
    """6.3: a draft whose counters chance sets up is played by the printed lines, until others are chosen."""
    panel = open_panel(qtbot, load_scenario("solitaire"))
    assert panel.seat_boxes["clonemaster"].currentData() == "solitaire"
    assert panel.seat_boxes["terminator"].currentData() == "rulebook"


def test_drawing_goes_on(qtbot: QtBot) -> None:
    """While games are played the editor's own events go on: many of them between one game and the next."""
    panel = open_panel(qtbot, load_scenario("basic"))
    ticks: list[int] = []
    timer = QTimer(panel)
    timer.timeout.connect(lambda: ticks.append(panel.trials.done))
    timer.start(2)
    panel.play_button.click()
    qtbot.waitUntil(lambda: panel.trials.done >= 5, timeout=60000)
    panel.end()
    assert not panel.trials.is_running
    assert len(ticks) > 5 * len(set(ticks))


def test_dark(qtbot: QtBot, tmp_path: Path) -> None:
    """The chart is drawn in the theme in force."""
    panel = open_panel(qtbot, small_scenario(8), "dark")
    panel.count_box.setCurrentIndex(0)
    with qtbot.waitSignal(panel.trials.ended, timeout=60000):
        panel.play_button.click()
    QCoreApplication.processEvents()
    screenshot(panel, "trials-dark", tmp_path)
    theme.apply(QGuiApplication.instance(), "light", 1.0)  # type: ignore[arg-type]
    assert panel.chart.accessibleDescription().startswith("Terminator ")


def test_games_that_broke_off_follow_the_theme(
    started: Started, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are listed in the colour of danger, also after the palette has changed."""
    monkeypatch.setattr(trials_module, "cores", lambda: 1)
    panel = open_panel(qtbot, small_scenario(3))
    panel.count_box.setCurrentIndex(2)
    panel.play_button.click()
    qtbot.waitUntil(lambda: panel.trials.done > 0, timeout=60000)
    os.kill(started.numbers[0], signal.SIGKILL)
    qtbot.waitUntil(lambda: bool(panel.trials.results.broken), timeout=60000)
    panel.play_button.click()
    assert panel.list.item(0).text().startswith("Seed ")
    assert "broken off" in panel.list.item(0).text()
    for mode in ("dark", "light"):
        theme.apply(QGuiApplication.instance(), mode, 1.0)  # type: ignore[arg-type]
        assert panel.list.item(0).foreground().color() == theme.colors().danger
