"""The checks: how long they take, and how little of that is felt while drawing with them on.

`QT_QPA_PLATFORM=offscreen python -m tests.benchmarks.editor_problems`
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from editor.bench import Bench
from editor.document import Document
from editor.draft import Draft
from editor.edits.squares import paint, with_new_room
from editor.problems.checking import Checker
from editor.problems.panel import ProblemsPanel
from editor.settings import EditorSettings
from engine.fortress.floorplan import ROCK, FloorPlan
from engine.raid.doctor import examine
from engine.raid.problems import map_problems, problems
from engine.raid.scenario import load_scenario
from tests.benchmarks.anchor import citadel, machine, race, say

FRAME = 16.0  # ms


def tiled(side: int) -> FloorPlan:
    """Return a map of citadels beside and below one another, rooms of one letter being one room."""
    plan = citadel()
    places = [(x, y) for y in range(0, side, plan.height) for x in range(0, side, plan.width)]

    def repeated(things: tuple[Any, ...]) -> tuple[Any, ...]:
        moved = (replace(one, x=one.x + x, y=one.y + y) for x, y in places for one in things)
        return tuple(one for one in moved if one.x < side and one.y < side)

    grid = tuple((row * (side // plan.width + 1))[:side] for row in plan.grid * (side // plan.height + 1))
    return replace(
        plan,
        grid=grid[:side],
        edges=repeated(plan.edges),
        equipment=repeated(plan.equipment),
    )


def strokes(checker: Checker, count: int, edge_side: int) -> list[float]:
    """Return the ms of each event while squares are painted one by one, the event loop turning."""
    document = checker.document
    letter = document.draft.plan.rooms[0].letter
    took = []
    for at in range(count):
        start = time.perf_counter()
        square = (1 + at % (edge_side - 2), 1 + at // (edge_side - 2))
        document.apply("Paint", document.draft.with_plan(paint(document.draft.plan, [square], letter)))
        QApplication.processEvents()
        took.append((time.perf_counter() - start) * 1000)
        QTest.qWait(8)
    return took


def settle(checker: Checker) -> tuple[float, float]:
    """Return the ms until nothing is left to be checked, and the ms of the longest turn of the loop."""
    start = time.perf_counter()
    longest = 0.0
    while checker.is_busy:
        turn = time.perf_counter()
        QApplication.processEvents()
        longest = max(longest, time.perf_counter() - turn)
        time.sleep(0.001)
    QApplication.processEvents()
    return (time.perf_counter() - start) * 1000, longest * 1000


def main() -> None:
    """Measure and print."""
    app = QApplication([])
    print(f"machine: {machine():.1f} M adds/s")
    plan, large = citadel(), tiled(200)
    times = race(
        {
            "citadel": lambda: map_problems(plan),
            "basic": lambda: problems(load_scenario("basic")),
            "doctor": lambda: examine(load_scenario("basic")),
            "200x200": lambda: map_problems(large),
        },
        rounds=5,
    )
    say("E6", "checks of the citadel", times["citadel"] * 1000, "ms", "<= 5")
    say("E6", "checks of the Basic scenario", times["basic"] * 1000, "ms", "<= 5")
    say("", "doctor of the Basic scenario", times["doctor"] * 1000, "ms", "-")
    say("", "checks of 200 x 200 squares", times["200x200"] * 1000, "ms", "-")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["KUNGFU2100_DATA"] = folder
        rock = FloorPlan(name="Rock", grid=(ROCK * 60,) * 60, rooms=())
        cell, _ = with_new_room(rock, [(0, 0)])
        rows: list[tuple[str, FloorPlan, int]] = [("60 x 60", cell, 60), ("200 x 200", large, 200)]
        for words, drawn, side in rows:
            bench = Bench(Document(Draft(drawn)))
            checker = Checker(bench, EditorSettings(Path(folder) / "editor.json"))
            panel = ProblemsPanel(bench, checker)
            panel.resize(800, 200)
            panel.show()
            settle(checker)
            took = strokes(checker, 100, side)
            say(
                "45",
                f"painting {words}, checks on: median event",
                statistics.median(took),
                "ms",
                f"< {FRAME}",
            )
            say("45", f"painting {words}, checks on: longest event", max(took), "ms", f"< {FRAME}")
            until, longest = settle(checker)
            say("", f"until {words} is checked after the last stroke", until, "ms", "-")
            say("45", f"sending {words} and showing the answer: longest turn", longest, "ms", f"< {FRAME}")
            checker.close()
            panel.close()
    app.quit()


if __name__ == "__main__":
    main()
