"""How long the whole editor takes for one move of a stroke with every panel on show, and to open a map.

    QT_QPA_PLATFORM=offscreen python tests/benchmarks/editor_window.py

A move should take less than 16 ms on a map of 60 x 60 squares, problems checked meanwhile; a map of
200 x 200 opens in seconds.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["KUNGFU2100_DATA"] = tempfile.mkdtemp()

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.editing import GameHost
from app.main_window import apply_theme
from app.settings import SettingsStore
from editor.document import Document
from editor.draft import Draft
from editor.edits.squares import with_new_room
from editor.templates import empty
from editor.window import EditorWindow
from engine.fortress.floorplan import FloorPlan
from tests.benchmarks.anchor import machine
from tests.helpers.canvas import square_point


def rooms(side: int) -> FloorPlan:
    """Return a map all of rooms of six by six squares."""
    plan = empty(side, side)
    for top in range(0, side, 6):
        for left in range(0, side, 6):
            squares = [(x, y) for x in range(left, left + 6) for y in range(top, top + 6)]
            plan, _ = with_new_room(plan, squares)
    return plan


def opened(store: SettingsStore, plan: FloorPlan) -> tuple[EditorWindow, float]:
    """Return the editor with a map on show, and the seconds that took."""
    start = time.perf_counter()
    window = EditorWindow(GameHost(store, lambda: None), Document(Draft(plan)))
    window.resize(1280, 720)
    window.show()
    QApplication.processEvents()
    return window, time.perf_counter() - start


def stroke(window: EditorWindow, side: int) -> list[float]:
    """Paint across the map, and return the milliseconds of each move."""
    for _ in range(50):
        QApplication.processEvents()
        time.sleep(0.02)
    QTest.keyClick(window.canvas, Qt.Key.Key_B)
    view = window.canvas.viewport()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=square_point(window.canvas, (2, 2)))
    taken = []
    for x in range(2, side - 2):
        start = time.perf_counter()
        QTest.mouseMove(view, square_point(window.canvas, (x, 2 + (x * 7) % (side - 4))))
        QApplication.processEvents()
        taken.append(1000 * (time.perf_counter() - start))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=square_point(window.canvas, (side - 3, 5)))
    return taken


def main() -> None:
    """Measure and print."""
    app = QApplication([])
    print(f"machine: {machine():.1f} million additions a second (25 where the targets were set)")
    store = SettingsStore()
    apply_theme(store)
    for side in (60, 200):
        window, seconds = opened(store, rooms(side))
        taken = stroke(window, side)
        late = sum(1 for one in taken if one >= 16) / len(taken)
        print(f"{side} x {side}: opened in {seconds:.2f} s; a move of the brush", end=" ")
        print(f"{statistics.median(taken):.1f} ms, at most {max(taken):.1f} ms, {late:.0%} at 16 ms or more")
        window.document.stack.setClean()
        window.close()
        app.processEvents()


if __name__ == "__main__":
    main()
