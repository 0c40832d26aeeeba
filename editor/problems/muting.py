"""Warnings that their designer does not want to hear: muted by kind and by file, each with a note why."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from editor.document import Document
from editor.settings import EditorSettings
from engine.fortress.problems import Problem


class Muting(QObject):
    """The kinds of warnings that are muted in the file being edited; errors never are.

    What is muted is kept for the user, not in the file: whoever gets the file sees everything. In a draft
    without a file it is kept once the draft has one.
    """

    changed = Signal()

    def __init__(self, document: Document, settings: EditorSettings | None = None) -> None:
        super().__init__(document)
        self.document = document
        self._settings = settings if settings is not None else EditorSettings()
        self._path = document.path
        self._notes: dict[str, str] = self._kept(document.path)
        document.replaced.connect(self._read)
        document.pathChanged.connect(self._follow)

    @property
    def notes(self) -> Mapping[str, str]:
        """The muted kinds, by their codes, each with its note."""
        return self._notes

    def is_muted(self, problem: Problem) -> bool:
        """Return whether a problem is a warning of a muted kind."""
        return problem.severity == "warning" and problem.code in self._notes

    def mute(self, code: str, note: str = "") -> None:
        """Hear no more of a kind of warnings in this file."""
        if self._notes.get(code) != note:
            self._notes[code] = note
            self._write()
            self.changed.emit()

    def unmute(self, code: str) -> None:
        """Hear of a kind of warnings again."""
        if self._notes.pop(code, None) is not None:
            self._write()
            self.changed.emit()

    def _kept(self, path: Path | None) -> dict[str, str]:
        return dict(self._settings.muted(path)) if path is not None else {}

    def _write(self) -> None:
        if self.document.path is not None:
            self._settings.note_muted(self.document.path, self._notes)

    @Slot()
    def _read(self) -> None:
        """Take what is muted in another file."""
        self._path = self.document.path
        self._notes = self._kept(self._path)
        self.changed.emit()

    @Slot()
    def _follow(self) -> None:
        """Carry what is muted over to the file's new name."""
        if self.document.path != self._path:
            self._path = self.document.path
            self._write()
