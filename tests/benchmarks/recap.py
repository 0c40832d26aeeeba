"""How long a recap takes to begin and to be over; run it by hand.

    QT_QPA_PLATFORM=offscreen python -m tests.benchmarks.recap

A recap of 200 events and more is to begin within 50 ms and, at speed 1, to be over in about 12 s. Prints the
median processor milliseconds from the call to the first event on the board, and the seconds by the clock of
one whole recap.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["KUNGFU2100_SILENT"] = "1"

from PySide6.QtWidgets import QApplication

from app.game_page import GamePage
from app.recap import Recap
from app.session import Session
from app.settings import SettingsStore
from engine.bots.rulebook import RulebookPlayer
from engine.core.match import Table
from engine.raid.match import RaidMatch
from engine.raid.scenario import load_scenario

EVENTS = 200
TIMES = 9


def main() -> None:
    """Play a shared game to turn 4, take it up again, and tell its last turn several times over."""
    app = QApplication([])
    match = RaidMatch.new(load_scenario("basic"), "3")
    table = Table(match, {"terminator": RulebookPlayer("1"), "clonemaster": RulebookPlayer("2")})
    while match.view("public").turn < 4:
        table.step()
    with tempfile.TemporaryDirectory() as folder:
        store = SettingsStore(Path(folder, "settings.json"))
        session = Session(match, store)
        page = GamePage(session, store)
        page.resize(1280, 720)
        page.show()
        session.start(is_taken_up=True)
        session.lift_curtain()
        told = session.recap.now
        assert told is not None
        session.recap.end()
        acts = list(told.acts)
        while sum(len(act.events) for act in acts) < EVENTS:
            acts += told.acts
        long = Recap(told.viewer, told.before, tuple(acts))
        began: list[float] = []
        page.board_view.eventBegan.connect(lambda event: began.append(time.process_time()))
        waits, start = [], 0.0
        for number in range(TIMES):
            began.clear()
            app.processEvents()
            start = time.process_time()
            session.recap.begin(long, is_read=False)
            session.changed.emit()
            while not began:
                app.processEvents()
            waits.append(began[0] - start)
            if number < TIMES - 1:
                session.recap.end()
        begun = time.perf_counter()
        while session.recap.now is not None:
            app.processEvents()
            time.sleep(0.002)
        print(f"{len(long.events)} events: begins after {statistics.median(waits) * 1000:.1f} ms")
        print(f"over after {time.perf_counter() - begun:.1f} s")
        page.end()


if __name__ == "__main__":
    main()
