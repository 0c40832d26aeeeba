"""Watching: tells when a file on disk is no longer what was read or written here."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot

SETTLE: Final = 200  # ms in which another program comes to the end of its writing


class FileWatcher(QObject):
    """Watches files by their content: what is written without a change, or by ourselves, is no change.

    `changed` comes when a file has another content than the one known, once for each; `gone` when it is no
    longer there.
    """

    changed = Signal()
    gone = Signal()

    def __init__(self, parent: QObject | None = None, settle: int = SETTLE) -> None:
        super().__init__(parent)
        self._known: dict[Path, str] = {}
        self._told: dict[Path, str] = {}
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self.look_again)
        self._watcher.directoryChanged.connect(self._look_soon)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(settle)
        self._timer.timeout.connect(self.check)

    def watch(self, contents: Mapping[Path, bytes | str]) -> None:
        """Watch files, and no others, whose contents or their hashes are known."""
        self._known = {path: raw if isinstance(raw, str) else hash_of(raw) for path, raw in contents.items()}
        self._told = {}
        self._timer.stop()
        watched = [*self._watcher.files(), *self._watcher.directories()]
        if watched:
            self._watcher.removePaths(watched)
        self._look()

    def know(self, path: Path, raw: bytes) -> None:
        """Take this for the content of a watched file from now on."""
        self._known[path] = hash_of(raw)
        self._told.pop(path, None)
        self._look()

    @property
    def known(self) -> dict[Path, str]:
        """The watched files, with the hashes of what is known of them."""
        return dict(self._known)

    def changed_files(self) -> tuple[Path, ...]:
        """Return the watched files that hold something else now; one that is gone has nothing to lose."""
        return tuple(path for path, known in self._known.items() if _content(path) not in (known, ""))

    def _look(self) -> None:
        """Watch the files anew: one that another took the place of is no longer watched by itself.

        The folders are watched for files that come back.
        """
        wanted = {str(path) for path in self._known if path.exists()}
        wanted |= {str(path.parent) for path in self._known if path.parent.is_dir()}
        new = wanted - set(self._watcher.files()) - set(self._watcher.directories())
        if new:
            self._watcher.addPaths(sorted(new))

    @Slot()
    def _look_soon(self) -> None:
        # A folder in which something is always written must not put this off for ever.
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def look_again(self) -> None:
        """Look at the files in a moment, whether anything was told of them or not."""
        self._timer.start()

    @Slot()
    def check(self) -> None:
        """Compare the files with what is known of them; also for file systems that tell nothing."""
        self._look()
        has_changed = has_gone = False
        for path, known in self._known.items():
            found = _content(path)
            if found == self._told.get(path, known):
                continue
            self._told[path] = found
            if not found:
                has_gone = True
            elif found != known:
                has_changed = True
        if has_changed:
            self.changed.emit()
        elif has_gone:
            self.gone.emit()


def hash_of(raw: bytes) -> str:
    """Return the hash by which a content is known."""
    return hashlib.sha256(raw).hexdigest()


def _content(path: Path) -> str:
    """Return the hash of a file's content, "" where it cannot be read."""
    try:
        if not os.path.isfile(path):  # noqa: PTH113 - broken names are no files either
            return ""
        return hash_of(path.read_bytes())
    except (OSError, ValueError):
        return ""
