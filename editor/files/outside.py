"""What other programs do to the document's file: followed where nothing is lost by that, told where it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Slot

from app.panels.widgets import ActionButton
from editor.dialogs.choose import Answer, Question
from editor.dialogs.differences import DifferencesDialog
from editor.files.differences import differences
from editor.files.opening import Opened, open_file
from editor.files.saving import map_beside
from engine.core.files import BadFile

if TYPE_CHECKING:
    from editor.files.keeper import FileKeeper

NO_FILE: Final = "This draft has no file yet."


class Outside(QObject):
    """Follows what others make of the keeper's file and its map's, and asks before either is lost."""

    def __init__(self, keeper: FileKeeper) -> None:
        super().__init__(keeper)
        self._keeper = keeper
        self._document = keeper.document
        self._bars = keeper.bars
        self._watcher = keeper.watcher
        self._watcher.changed.connect(self._on_changed)
        self._watcher.gone.connect(self._on_gone)
        self._document.modified.connect(self._on_modified)
        keeper.window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Some file systems tell nothing; whoever comes back from another program may have changed the file.
        if event.type() == QEvent.Type.WindowActivate:
            self._watcher.look_again()
        return False

    @Slot()
    def _on_changed(self) -> None:
        path = self._document.path
        if path is None:
            return
        try:
            opened = open_file(path)
        except BadFile as error:
            self._lose(f"“{path.name}” was changed and cannot be opened now: {error.problems[0]}.")
            return
        if opened.path is None:
            self._lose(f"“{path.name}” was changed and holds a text that draws a plan now.")
            return
        if opened.draft == self._document.kept and not opened.newer:
            self._keeper.watch(opened)
            self._document.mark_saved(path)
            return
        names = _names(self._watcher.changed_files() or (path,))
        must_choose = opened.mending is not None and opened.mending.must_choose
        if self._document.is_modified or must_choose or opened.repairs or opened.newer:
            acts = (
                ("Reload it", self.reload),
                ("Keep mine", self.keep_mine),
                ("Show the differences", self.show_differences),
            )
            words = f"{names} changed by another program while you were at it here."
            self._bars.tell("outside", words, acts, is_urgent=True)
            return
        self._take_in(opened, path)
        self._keeper.said.emit(f"{names} changed by another program and is reloaded.")

    @Slot()
    def _on_gone(self) -> None:
        path = self._document.path
        if path is None:
            return
        beside = map_beside(self._document.kept, path)
        if not path.exists():
            self._lose(f"“{path.name}” is no longer there: it was moved, renamed or deleted.")
        elif beside is not None and not beside.exists():
            self._lose(
                f"“{beside.name}”, the map of this scenario, is no longer there: it was moved, renamed or "
                "deleted. Saving keeps the map in the scenario's own file."
            )

    def _lose(self, words: str) -> None:
        """Tell that the draft has no file to stand on any more."""
        self._document.stack.resetClean()
        acts = (("Save it again", self._keeper.save), ("Save as…", self._keeper.save_as))
        self._bars.tell("outside", words, acts, is_urgent=True)

    @Slot()
    def reload(self) -> None:
        """Take in what the file holds now; undo brings back what was there."""
        path = self._document.path
        if path is None:
            self._keeper.said.emit(NO_FILE)
            return
        self._document.interrupt()
        opened = self._keeper.read(path)
        if opened is None:
            return
        if opened.path is None:
            words = f"“{path.name}” holds a text that draws a plan now. Open it to begin a map from it."
            self._keeper.said.emit(words)
            return
        self._bars.clear()
        self._take_in(opened, path)
        self._keeper.said.emit(f"“{path.name}” is reloaded; Undo brings back what was here.")

    def _take_in(self, opened: Opened, path: Path) -> None:
        """Make what the file holds the next step, so that view, selection and history stay."""
        self._document.apply("Reload the file", opened.draft)
        if not opened.is_changed:
            self._document.mark_saved(path)
        self._keeper.settle_on(opened)

    @Slot()
    def keep_mine(self) -> None:
        """Leave the file to be written over by the next save; what it holds is kept among its versions."""
        for path in self._watcher.changed_files():
            try:
                self._watcher.know(path, path.read_bytes())
            except OSError:
                self._keeper.said.emit(f"“{path.name}” cannot be read.")
        if self._document.path is not None:
            self._document.stack.resetClean()
        self._bars.drop("outside")

    def may_write(self, path: Path) -> str:
        """Ask about what others have made of the files since; return "over" to save, "as" to do so elsewhere.

        Nothing is saved for any other answer.
        """
        changed = self._watcher.changed_files()
        if not changed:
            return "over"
        answer = self._keeper.ask(_over_file(path) if path in changed else _over_map(changed[0]))
        if answer == "show":
            self.show_differences()
        elif answer == "reload":
            self.reload()
        return answer

    @Slot()
    def show_differences(self) -> None:
        """Show in words what saving would change in the file."""
        path = self._document.path
        if path is None:
            self._keeper.said.emit(NO_FILE)
            return
        try:
            opened = open_file(path)
        except BadFile as error:
            self._keeper.tell("This file cannot be opened", str(path), error.problems)
            return
        found = differences(opened.draft, self._document.kept)
        words = f"What saving would change in “{path.name}”, as it is on the disk."
        acts = []
        if "outside" in self._bars.shown:
            for text, act in (("Reload it", self.reload), ("Keep mine", self.keep_mine)):
                button = ActionButton(text)
                button.clicked.connect(act)
                acts.append(button)
        sheet = DifferencesDialog("Differences", words, found, self._keeper.window, acts)
        sheet.flashed.connect(self._keeper.flashed)
        sheet.finished.connect(sheet.deleteLater)
        sheet.show()
        sheet.stand_aside()

    @Slot(bool)
    def _on_modified(self, is_modified: bool) -> None:
        if not is_modified and self._document.path is not None and not self._watcher.changed_files():
            self._bars.drop("outside")


def _names(paths: Sequence[Path]) -> str:
    """Return the subject of a sentence about files, with its verb in the past."""
    return f"{' and '.join(f'“{path.name}”' for path in paths)} {'was' if len(paths) == 1 else 'were'}"


def _over_file(path: Path) -> Question:
    return Question(
        "Write over the changes of another program?",
        f"“{path.name}” was changed by another program since it was opened here.",
        (
            Answer("as", "Save as another file…", "Both stay."),
            Answer("over", "Write over it", "The other version can be had back under Earlier versions."),
            Answer("show", "Show the differences first", "Nothing is saved."),
        ),
    )


def _over_map(path: Path) -> Question:
    return Question(
        "Keep the map as it is here?",
        f"“{path.name}”, the map of this scenario, was changed by another program since it was opened here.",
        (
            Answer("over", "Save with the map as it is here", f"“{path.name}” stays as the other made it."),
            Answer("reload", "Take in the other map", "Undo brings back this one. Nothing is saved."),
            Answer("show", "Show the differences first", "Nothing is saved."),
        ),
    )
