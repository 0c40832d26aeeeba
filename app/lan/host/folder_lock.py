"""One program at a time has a host's folder, and may change what is in it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO, Final

LOCK_NAME: Final = "in-use"


class FolderInUse(OSError):
    """Another program hosts from the folder."""


def locked(folder: Path) -> IO[bytes]:
    """Return a file that keeps a folder from all others while it is open; the system frees it when we die.

    Raises FolderInUse where another program has it, OSError where nothing can be written there.
    """
    stream = (folder / LOCK_NAME).open("ab")
    try:
        if sys.platform == "win32":
            import msvcrt

            stream.seek(0)
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        stream.close()
        raise FolderInUse(f"another program hosts from {os.fspath(folder)}") from error
    return stream
