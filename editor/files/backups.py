"""Backups: what a file held before each of the last saves, in a hidden folder beside it."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from engine.core.files import write_atomic

FOLDER: Final = ".kungfu2100-backups"
KEPT: Final = 10
_STAMP: Final = "%Y-%m-%d %H.%M.%S"


class Backup(NamedTuple):
    """A file as it was before it was saved at `when`, for the `number`th time; `size` is in bytes."""

    path: Path
    when: datetime
    number: int
    size: int


def keep_backup(path: Path, raw: bytes, now: datetime | None = None) -> Path | None:
    """Keep what a file holds before it is written over, and let the oldest backups go.

    Return where it is kept; None where the last backup holds the same. Raises OSError; the others are as
    they were then.
    """
    others = backups(path)
    if others and others[0].path.read_bytes() == raw:
        return None
    folder = path.parent / FOLDER
    folder.mkdir(exist_ok=True)
    when = (now or datetime.now()).replace(microsecond=0)
    # Never a number that was free again: the order of one second's backups is that of their numbers.
    number = max((one.number for one in others if one.when == when), default=0) + 1
    name = f"{path.stem} {when.strftime(_STAMP)}{f' {number}' if number > 1 else ''}{path.suffix}"
    target = folder / name
    write_atomic(target, raw)
    with suppress(OSError):
        # Whoever may not read the file may not read what it was either.
        target.chmod(path.stat().st_mode & 0o777)
    for old in backups(path)[KEPT:]:
        with suppress(OSError):
            old.path.unlink()
    return target


def backups(path: Path) -> list[Backup]:
    """Return the backups of a file, the last first."""
    pattern = re.compile(
        rf"{re.escape(path.stem)} (\d{{4}}-\d\d-\d\d \d\d\.\d\d\.\d\d)(?: (\d+))?{re.escape(path.suffix)}"
    )
    found: list[Backup] = []
    with suppress(OSError):
        for one in (path.parent / FOLDER).iterdir():
            match = pattern.fullmatch(one.name)
            if match is None:
                continue
            with suppress(OSError, ValueError):
                when = datetime.strptime(match[1], _STAMP)
                if one.is_file():
                    found.append(Backup(one, when, int(match[2] or 1), one.stat().st_size))
    return sorted(found, key=lambda backup: (backup.when, backup.number), reverse=True)
