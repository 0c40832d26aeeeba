"""A process beside the editor: it works on what it is sent, and ends with the editor, however that ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

NICE = 10  # drawing comes first


class Background:
    """A process that runs `work` with its end of a pipe; the other end is `pipe`.

    The function and what it needs come from modules without Qt: the process loads them anew.
    """

    def __init__(self, work: Callable[[Connection], None]) -> None:
        context = multiprocessing.get_context("spawn")
        pipe, theirs = context.Pipe()
        self.pipe: Connection[Any, Any] = pipe
        self._process = context.Process(target=_run, args=(work, theirs), daemon=True)
        self._process.start()
        # Held by the process alone: that it has gone is then told by the pipe.
        theirs.close()

    def send(self, message: object) -> None:
        """Send from a thread of its own: a large message fills the pipe until the process has read it."""
        threading.Thread(target=_send, args=(self.pipe, message), name="send", daemon=True).start()

    @property
    def number(self) -> int | None:
        """The number of the process in the operating system."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.is_alive()

    def end(self) -> int | None:
        """End the process at once, whatever it is at; return its exit code, negative for a signal."""
        if self._process.is_alive():
            self._process.kill()
        self._process.join()
        self.pipe.close()
        code = self._process.exitcode
        self._process.close()
        return code


def cores() -> int:
    """Return how many processes may work beside the window: one processor is left to it."""
    try:
        count = len(os.sched_getaffinity(0))
    except AttributeError:  # Windows and macOS do not say which of them are ours
        count = os.cpu_count() or 1
    return max(1, count - 1)


def _send(pipe: Connection, message: object) -> None:
    # The process is gone, or ended meanwhile: that is told by the other way of the pipe.
    with suppress(OSError, ValueError, TypeError):
        pipe.send(message)


def _run(work: Callable[[Connection], None], pipe: Connection) -> None:
    """Do the work of a process, in it."""
    # Ctrl+C in the terminal is the editor's, which ends its processes itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
    threading.Thread(target=_end_with_editor, name="end with the editor", daemon=True).start()
    # Nobody is there any more.
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        work(pipe)


def _end_with_editor() -> None:
    """End this process when the editor's has ended, be it killed."""
    editor = multiprocessing.parent_process()
    assert editor is not None
    wait([editor.sentinel])
    os._exit(1)
