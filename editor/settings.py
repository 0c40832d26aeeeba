"""What the editor keeps for its user, never in a map: places of windows, recent files, own shortcuts."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from app.folders import data_folder
from engine.core.files import write_atomic

FILE_NAME = "editor.json"
RECENT_LIMIT = 10
TRACING_LIMIT = 100  # files whose tracing images are remembered
MUTED_LIMIT = 200  # files whose muted warnings are remembered


class Values(msgspec.Struct, frozen=True, kw_only=True):
    """The file's content.

    `geometry` and `docks` are Qt's own bytes in Base64, `recent` paths with the last one first, `keys` the
    shortcuts that differ from the built-in ones, by action, `tracing` the image under each file's grid, and
    `muted` the kinds of warnings muted in each file, with a note. `has_grid` shows the squares of
    the rock.
    """

    geometry: str = ""
    docks: str = ""
    recent: tuple[str, ...] = ()
    keys: dict[str, str] = {}
    tracing: dict[str, dict[str, Any]] = {}
    muted: dict[str, dict[str, str]] = {}
    has_grid: bool = True


class EditorSettings:
    """Reads and writes what is kept; a file that is missing or spoilt is as good as an empty one."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path if path is not None else data_folder() / FILE_NAME
        self._now = Values()
        with suppress(OSError, msgspec.MsgspecError):
            self._now = msgspec.json.decode(self.path.read_bytes(), type=Values)

    @property
    def now(self) -> Values:
        """What is kept."""
        return self._now

    def keep(self, **changes: Any) -> None:
        """Keep something else; a disk that cannot take it is no fault, it then lasts until the end."""
        new = msgspec.structs.replace(self._now, **changes)
        if new == self._now:
            return
        self._now = new
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(self.path, msgspec.json.format(msgspec.json.encode(new), indent=2) + b"\n")

    @property
    def recent(self) -> tuple[Path, ...]:
        """The files that were open last and are still there."""
        return tuple(path for path in map(Path, self._now.recent) if path.is_file())

    def note_file(self, path: Path) -> None:
        """Put a file at the head of the recent ones."""
        name = _name(path)
        others = [one for one in self._now.recent if one != name]
        self.keep(recent=(name, *others)[:RECENT_LIMIT])

    def tracing(self, path: Path | None) -> dict[str, Any] | None:
        """Return what was kept about the image under a file's grid."""
        return self._now.tracing.get(_name(path)) if path is not None else None

    def note_tracing(self, path: Path, tracing: dict[str, Any] | None) -> None:
        """Keep the image under a file's grid, or that there is none."""
        name = _name(path)
        others = {key: one for key, one in self._now.tracing.items() if key != name}
        if tracing is not None:
            others[name] = tracing
        self.keep(tracing=dict(list(others.items())[-TRACING_LIMIT:]))

    def muted(self, path: Path) -> dict[str, str]:
        """Return the kinds of warnings that are muted in a file, each with its note."""
        return self._now.muted.get(_name(path), {})

    def note_muted(self, path: Path, muted: Mapping[str, str]) -> None:
        """Keep which kinds of warnings are muted in a file."""
        name = _name(path)
        others = {key: one for key, one in self._now.muted.items() if key != name}
        if muted:
            others[name] = dict(muted)
        self.keep(muted=dict(list(others.items())[-MUTED_LIMIT:]))


def _name(path: Path) -> str:
    """Return a path as a file can hold it, also where a name on the disk is no text."""
    return str(path.absolute()).encode(errors="backslashreplace").decode()
