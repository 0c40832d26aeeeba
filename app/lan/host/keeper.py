"""Writes a table's files beside the loop that serves all tables, so that no slow disk holds up their games.

What a guest is told has been written before: `settled` is waited for in between. Choices that come while
the disk is busy are written together, the newest content of each file once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from engine.core.files import write_atomic

log = logging.getLogger(__name__)


class Keeper:
    """Writes for one table; of a write that fails `note` is told, and again with None once one succeeds."""

    def __init__(self, note: Callable[[OSError | None], None]) -> None:
        self._note = note
        self._waiting: dict[Path, bytes] = {}
        self._task: asyncio.Task[None] | None = None
        self._trouble: OSError | None = None

    def put(self, path: Path, raw: bytes) -> None:
        """Let a file be written, in the loop; raises the OSError of the last write while none succeeds."""
        self._waiting[path] = raw
        if self._task is None:
            self._task = asyncio.create_task(self._write())
        if self._trouble is not None:
            raise self._trouble

    async def settled(self) -> None:
        """Wait until all that was put has been written, or could not be."""
        while self._task is not None:
            await asyncio.shield(self._task)

    async def _write(self) -> None:
        try:
            while self._waiting:
                files, self._waiting = self._waiting, {}
                try:
                    await asyncio.to_thread(_write_all, files)
                except Exception as error:
                    if not isinstance(error, OSError):
                        log.exception("a fault in writing")
                        error = OSError(f"a fault of the program ({type(error).__name__})")
                    self._trouble = error
                    self._note(error)
                else:
                    if self._trouble is not None:
                        self._trouble = None
                        self._note(None)
        finally:
            self._task = None


def _write_all(files: dict[Path, bytes]) -> None:
    for path, raw in files.items():
        write_atomic(path, raw)
