"""Earlier versions: the backups of the document's file, listed with what differs, one to go back to."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

from editor.dialogs.choose import Answer, Question
from editor.dialogs.recovered import when_words
from editor.draft import Draft
from editor.files.backups import Backup, backups
from editor.files.differences import differences
from editor.files.opening import open_file
from engine.core.files import BadFile

if TYPE_CHECKING:
    from editor.files.keeper import FileKeeper

COMPARED: Final = 2 * 1024 * 1024
"""Bytes of earlier versions that are opened, the last first, to say what differs: the window waits for it."""


class Versions(QObject):
    """Goes back to what the keeper's file held before one of its last saves."""

    def __init__(self, keeper: FileKeeper) -> None:
        super().__init__(keeper)
        self._keeper = keeper
        self._document = keeper.document

    @Slot()
    def show(self) -> None:
        """Ask which of the file's earlier versions to go back to; that is a step like any other."""
        path = self._document.path
        found = backups(path) if path is not None else []
        if not found:
            words = "There is no earlier version: the first one is kept when the file is saved again."
            self._keeper.said.emit(words)
            return
        now = datetime.now()
        answers = []
        left = COMPARED
        for at, one in enumerate(found):
            left -= one.size
            detail = self._compared(one) if left >= 0 else _size(one)
            answers.append(Answer(str(at), f"As it was until {when_words(one.when, now)}", detail))
        words = "Each save keeps what the file held before. Going back can be undone like any other step."
        answer = self._keeper.ask(Question("Earlier versions", words, tuple(answers)))
        if answer:
            self._go_back(found[int(answer)])

    def _compared(self, backup: Backup) -> str:
        """Return how large an earlier version is, and what going back to it would change."""
        try:
            found = differences(self._document.kept, self._draft_of(backup))
        except BadFile:
            return f"{_size(backup)}, cannot be opened"
        if not found:
            return f"{_size(backup)}, the same as now"
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        return f"{_size(backup)}. {found[0].text}{more}"

    def _draft_of(self, backup: Backup) -> Draft:
        """Return what an earlier version held; a map that it only names is looked for where it was.

        Raises BadFile.
        """
        opened = open_file(backup.path)
        scenario, path = opened.draft.scenario, self._document.path
        if opened.mending is None or not opened.mending.must_choose or scenario is None or path is None:
            return opened.draft
        beside = open_file(path.parent / str(scenario.map))
        return Draft(beside.draft.plan, scenario)

    def _go_back(self, backup: Backup) -> None:
        try:
            draft = self._draft_of(backup)
        except BadFile as error:
            self._keeper.tell("This version cannot be opened", str(backup.path), error.problems)
            return
        self._document.interrupt()
        self._document.apply(f"Back to the version until {backup.when:%H:%M:%S}", draft)


def _size(backup: Backup) -> str:
    return f"{max(1, round(backup.size / 1024))} KB"
