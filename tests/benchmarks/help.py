"""How long the help takes to open, to turn a page, to draw pictures and to search; the target is 150 ms.

The help opens in a program whose window is there; the first opening loads what it is made of. All is time of
the processor, so that what else the machine does is not counted.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from app.main_window import MainWindow, apply_theme
from app.settings import SettingsStore

TARGET = 0.150


def main() -> None:
    """Print how long each takes, and its share of the target."""
    app = QApplication(["help"])
    with tempfile.TemporaryDirectory() as folder:
        store = SettingsStore(Path(folder) / "settings.json")
        apply_theme(store)
        window = MainWindow(store)
        window.show()
        app.processEvents()

        def measure(what: str, act: Callable[[], object]) -> None:
            start = time.process_time()
            act()
            app.processEvents()
            taken = time.process_time() - start
            print(f"{what:44} {taken * 1000:6.0f} ms  {taken / TARGET:5.2f} of the target")

        measure("F1 for the first time", window.show_help)
        from app.help import window as help_window

        shown = help_window.window()
        shown.close()
        measure("F1 again", window.show_help)
        measure("a rule, its page without pictures", lambda: help_window.open_rule("R18"))
        measure("a rule, its first pictures drawn", lambda: help_window.open_rule("R3"))
        measure("another, two pictures drawn", lambda: help_window.open_rule("5.1"))
        measure("the same, pictures kept", lambda: (shown.back(), shown.forward()))
        measure("the longest page", lambda: help_window.open_help("How we read it"))
        measure("the first letter of a search", lambda: shown.search_box.setText("s"))
        measure("a word searched for", lambda: shown.search_box.setText("servants"))
        help_window.close()
        window.close()


if __name__ == "__main__":
    main()
