"""How long the first window takes against a bare PySide6 window, both cold; the target is 1.5 times."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 9
WARM_UP = 2

BARE = """
import time
start = time.perf_counter()
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication(["bare"])
window = QMainWindow()
window.resize(1280, 720)
window.show()
app.processEvents()
print(time.perf_counter() - start)
"""
OURS = """
import time
start = time.perf_counter()
from PySide6.QtWidgets import QApplication
from app.errors import ErrorReporter
from app.main_window import MainWindow, apply_theme
from app.settings import SettingsStore
app = QApplication(["ours"])
store = SettingsStore()
apply_theme(store)
window = MainWindow(store)
reporter = ErrorReporter(window.save_now, window)
reporter.install()
window.show()
app.processEvents()
print(time.perf_counter() - start)
"""


def cold(code: str, environment: dict[str, str]) -> float:
    """Return the seconds that one start took, the interpreter's own start left out."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def main() -> None:
    """Start both in turn and print the medians and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", KUNGFU2100_DATA=folder)
        times: dict[str, list[float]] = {BARE: [], OURS: []}
        for number in range(ROUNDS + WARM_UP):
            for code, found in times.items():
                took = cold(code, environment)
                if number >= WARM_UP:
                    found.append(took)
    bare, ours = (statistics.median(times[code]) for code in (BARE, OURS))
    print(f"bare window {bare * 1000:7.1f} ms")
    print(f"our window  {ours * 1000:7.1f} ms")
    print(f"ratio       {ours / bare:7.2f}   (target 1.50 or less)")


if __name__ == "__main__":
    main()
