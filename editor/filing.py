"""From files into the document and back, with all that has to be asked on the way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog

from app.dialogs.ask import is_sure
from app.file_names import clean_name
from app.settings import data_folder
from editor.dialogs.notice import tell
from editor.dialogs.unsaved import UnsavedDialog
from editor.document import Document
from editor.draft import Draft
from editor.files.opening import Opened, open_file
from editor.files.saving import NotSaved, clash, portable, save_draft
from engine.core.files import BadFile

if TYPE_CHECKING:
    from editor.window import EditorWindow

FILTER: Final = "Maps and scenarios (*.json);;Texts that draw a plan (*.txt);;All files (*)"
SAVE_FILTER: Final = "Maps and scenarios (*.json)"
SCENARIOS: Final = "scenarios"
"""The folder of the player's own scenarios, which the game lists."""


class Filing(QObject):
    """Opens and saves. `opened` carries what was opened, `saved` the path and the bytes written."""

    opened = Signal(object)
    saved = Signal(object, bytes)

    def __init__(self, window: EditorWindow) -> None:
        super().__init__(window)
        self._window = window

    @property
    def _document(self) -> Document:
        return self._window.document

    def is_free(self) -> bool:
        """Return whether the draft may go: it is saved, was saved when asked, or may be discarded."""
        document = self._document
        document.interrupt()
        if not document.is_modified:
            return True
        stack = document.stack
        steps = abs(stack.index() - stack.cleanIndex()) if stack.cleanIndex() >= 0 else 0
        dialog = UnsavedDialog(document.draft.name or "Untitled", steps, self._window)
        dialog.exec()
        dialog.deleteLater()
        if dialog.answer == "save":
            return self.save()
        return dialog.answer == "discard"

    # Opening.

    def begin(self, draft: Draft, *, is_modified: bool = False) -> bool:
        """Begin another draft, without a file; return whether the last one was free to go."""
        if not self.is_free():
            return False
        self._document.replace(draft, None, is_modified=is_modified)
        self._window.on_new_draft()
        return True

    @Slot()
    def open(self) -> None:
        """Ask for a file and open it."""
        path = self._document.path
        folder = str(path.parent if path is not None else self._folder())
        name, _ = QFileDialog.getOpenFileName(self._window, "Open", folder, FILTER)
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path) -> bool:
        """Open a file; return whether it is open now. What is wrong with it is told."""
        if not self.is_free():
            return False
        try:
            opened = open_file(path)
        except BadFile as error:
            tell("This file cannot be opened", str(path), error.problems, self._window)
            return False
        self.take(opened)
        return True

    def take(self, opened: Opened) -> None:
        """Edit what was opened, and tell what had to be done for it."""
        document = self._document
        document.replace(opened.draft, opened.path, is_modified=opened.is_changed)
        document.is_locked = bool(opened.newer)
        if opened.path is not None:
            self._window.keeping.note_file(opened.path)
        self._window.on_new_draft()
        self.opened.emit(opened)

    # Saving.

    @Slot()
    def save(self) -> bool:
        """Save into the draft's file, or ask for one; return whether it is saved."""
        document = self._document
        document.interrupt()
        path = document.path
        if path is None or document.is_locked:
            return self.save_as()
        try:
            if clash(document.draft, path) == "other-kind":
                return self.save_as()
        except NotSaved as error:
            return self._refuse(error)
        return self._write(document.draft, path)

    @Slot()
    def save_as(self) -> bool:
        """Ask for a file and save there; return whether it is saved."""
        document = self._document
        document.interrupt()
        draft, old = document.draft, document.path
        if document.is_locked and not is_sure(
            self._window,
            "Save a copy?",
            "The file comes from a newer program. What this program does not know may be lost in the copy.",
            "Save a copy",
        ):
            return False
        name = f"{clean_name(draft.name).lower().replace(' ', '-') or draft.kind}.json"
        folder = old.parent if old is not None else self._folder()
        chosen, _ = QFileDialog.getSaveFileName(
            self._window, f"Save the {draft.kind}", str(folder / name), SAVE_FILTER
        )
        if not chosen:
            return False
        path = Path(chosen)
        if not path.suffix:
            path = path.with_suffix(".json")
        return self.save_to(path)

    def save_to(self, path: Path) -> bool:
        """Save the draft as another file; return whether it is saved."""
        document = self._document
        draft = document.draft
        try:
            found = clash(draft, path)
        except NotSaved as error:
            return self._refuse(error)
        if found == "other-kind":
            kind = "scenario" if draft.kind == "map" else "map"
            words = f"“{path.name}” holds a {kind}; a {draft.kind} is never put in its place."
            tell("Not saved", words, (), self._window)
            return False
        words = {
            "newer": f"“{path.name}” comes from a newer program and would be written over.",
            "no-plan": f"“{path.name}” is no map and no scenario, and would be written over.",
        }.get(found, "")
        if words and not is_sure(self._window, "Write over it?", words, "Write over it", is_final=True):
            return False
        whole = portable(draft, path, document.path)
        if whole != draft:
            document.apply("Keep the map in the scenario's file", whole)
        return self._write(whole, path)

    def _write(self, draft: Draft, path: Path) -> bool:
        try:
            saved = save_draft(draft, path)
        except NotSaved as error:
            return self._refuse(error)
        self._document.mark_saved(path)
        self._window.keeping.note_file(path)
        self._window.bench.say(saved.note or f"Saved in {path.name}.")
        self.saved.emit(path, saved.raw)
        return True

    def _refuse(self, error: NotSaved) -> bool:
        tell("Not saved", f"{error}", (), self._window)
        return False

    def _folder(self) -> Path:
        """Return where files of one's own are kept unless told otherwise: where the game lists them."""
        folder = data_folder() / SCENARIOS
        folder.mkdir(parents=True, exist_ok=True)
        return folder
