"""The window's start-up: display, fonts, look, faults, and then the first page."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.command import command

if TYPE_CHECKING:
    from app.lan.guest.link import Invitation
    from app.lan.guest.tickets import Ticket
    from app.main_window import MainWindow

NO_DISPLAY = 2


def missing_display() -> str:
    """Return one line on why no window can be shown here, "" if one can.

    Qt ends the whole process where it finds no display, so this is found out before it is asked.
    """
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return ""
    if os.environ.get("WAYLAND_DISPLAY"):
        return ""
    display = os.environ.get("DISPLAY", "")
    if not display:
        return (
            "kungfu2100: no display to show a window on (DISPLAY and WAYLAND_DISPLAY are not set); "
            f"`{command('play')}` needs none"
        )
    if not _answers(display):
        return f'kungfu2100: the display "{display}" does not answer; `{command("play")}` needs none'
    return ""


def _answers(display: str) -> bool:
    """Return whether an X server listens at a display such as ":0" or "host:10.0"."""
    host, _, rest = display.rpartition(":")
    number = rest.partition(".")[0]
    if not number.isdigit():
        return False
    if host in ("", "unix"):
        for name in (f"/tmp/.X11-unix/X{number}", f"\0/tmp/.X11-unix/X{number}"):
            with socket.socket(socket.AF_UNIX) as link:
                link.settimeout(2)
                try:
                    link.connect(name)
                except OSError:
                    continue
                return True
        host = "localhost"
    try:
        with socket.create_connection((host, 6000 + int(number)), timeout=2):
            return True
    except OSError:
        return False


def run(paths: Sequence[str] = ()) -> int:
    """Show the window until it is closed; `paths` is a game to go on with. Return the exit code."""
    return _run(lambda window: _show(window, paths))


def join(way: Ticket | Invitation) -> int:
    """Show the window at a table of another machine, until it is closed. Return the exit code."""
    return _run(lambda window: _show_table(window, way))


def edit(name: str | None = None) -> int:
    """Show the editor until it is closed, with a file or what is shipped by a name. Return the exit code."""
    return _run(lambda window: window.editing.open(name))


def _show(window: MainWindow, paths: Sequence[str]) -> None:
    window.show()
    for path in paths[:1]:
        window.continue_game(Path(path))


def _show_table(window: MainWindow, way: Ticket | Invitation) -> None:
    window.show()
    window.lan.return_to(way)


def _run(begin: Callable[[MainWindow], object]) -> int:
    """Run the program until its last window is closed; `begin` shows the first one."""
    problem = missing_display()
    if problem:
        print(problem, file=sys.stderr)
        return NO_DISPLAY
    from PySide6.QtWidgets import QApplication

    from app.errors import ErrorReporter
    from app.garbage import SafeCollector
    from app.main_window import MainWindow, apply_theme
    from app.settings import SettingsStore

    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("kungfu2100")
    app.setDesktopFileName("kungfu2100")
    store = SettingsStore()
    apply_theme(store)
    window = MainWindow(store)
    reporter = ErrorReporter(window.save_now, window)
    reporter.install()
    # The windows' own collectors end with them; one may be shown again after it was closed.
    collector = SafeCollector(app)
    begin(window)
    code = app.exec()
    collector.stop()
    return code
