"""What went wrong inside the program: said once, kept in a file, and never in the way of a saved game."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication

from app.folders import data_folder

LOG_NAME = "errors.log"
LOG_LIMIT = 1_000_000  # bytes; the file starts anew beyond


class ErrorReporter(QObject):
    """Catches what nobody caught, in any thread, writes it down and shows one dialog."""

    _arrived = Signal(object)

    def __init__(self, save: Callable[[], None] | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.save = save
        self._is_showing = False
        self._last = ""
        self._arrived.connect(self._show)

    def install(self) -> None:
        """Take over both of Python's hooks for exceptions that nobody caught."""
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread

    def _on_exception(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        import traceback

        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(text)
        write_down(text)
        self._arrived.emit((f"{kind.__name__}: {error}", text))

    def _on_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self._on_exception(args.exc_type, args.exc_value, args.exc_traceback)

    @Slot(object)
    def _show(self, told: tuple[str, str]) -> None:
        # The same fault in every repaint must not bury the screen in dialogs.
        if self._is_showing or told[1] == self._last:
            return
        from PySide6.QtWidgets import QMessageBox

        self._is_showing, self._last = True, told[1]
        try:
            state = self._save()
            box = QMessageBox(QApplication.activeWindow())
            box.setIcon(QMessageBox.Icon.Warning)
            box.setWindowTitle("Something went wrong")
            box.setText(f"The program made a mistake. {state}")
            box.setInformativeText(f"{told[0]}\n\nWritten to {log_file()}")
            box.setDetailedText(told[1])
            box.exec()
        finally:
            self._is_showing = False

    def _save(self) -> str:
        """Save the game once more; return what has become of it."""
        try:
            if self.save is not None:
                self.save()
        except OSError as error:
            return f"Your game could not be saved just now ({error.strerror or error}); you may go on."
        return (
            "Your game is saved up to the last choice; you may go on, or close the window and continue later."
        )


def log_file() -> Path:
    """Return the file that faults are written to."""
    return data_folder() / LOG_NAME


def write_down(text: str) -> None:
    """Append a fault to the file of faults; a disk that cannot take it is no further fault."""
    from datetime import datetime

    file = log_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        is_full = file.exists() and file.stat().st_size > LOG_LIMIT
        with file.open("w" if is_full else "a", encoding="utf-8") as out:
            out.write(f"{datetime.now().isoformat(timespec='seconds')}\n{text}\n")
    except OSError:
        return
