"""Which lessons are done, kept among the player's own files."""

from __future__ import annotations

from pathlib import Path

import msgspec

from app.settings import data_folder
from engine.core.files import BadFile, Part, decode, encode, read_bytes, write_atomic

KIND = "kungfu2100.lessons-done"
VERSION = 1


class Progress(Part, frozen=True, kw_only=True):
    """The lessons gone through to their end, by short name."""

    done: tuple[str, ...] = ()


def progress_path() -> Path:
    """Return the file of the lessons done."""
    return data_folder() / "lessons.json"


def lessons_done() -> tuple[str, ...]:
    """Return the lessons done; none where the file is missing or spoilt, which must not stop a lesson."""
    try:
        return decode(read_bytes(progress_path()), Progress, KIND, VERSION).done
    except BadFile:
        return ()


def mark_done(name: str) -> None:
    """Remember that a lesson is done; a disk that cannot be written on is no reason to stop."""
    try:
        found = decode(read_bytes(progress_path()), Progress, KIND, VERSION)
    except BadFile:
        found = Progress()
    if name in found.done:
        return
    path = progress_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, encode(msgspec.structs.replace(found, done=(*found.done, name)), KIND, VERSION))
    except OSError:
        return
