"""The keeper of the document's file: opens and saves it, and asks what has to be asked.

The window connects its actions to `open`, `save`, `save_as` and to those of `outside`, `versions` and
`rescue`, puts `bars` over the canvas, calls `rescue.offer` when it is shown, `is_free` before it closes,
`close` when it does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from app.file_names import clean_name
from app.folders import data_folder
from editor.dialogs.choose import Answer, Question, choose
from editor.dialogs.mend import question_of
from editor.dialogs.message_bar import MessageBars
from editor.dialogs.notice import tell
from editor.dialogs.unsaved import unsaved_question
from editor.document import Document
from editor.draft import Change, Draft
from editor.files.mending import Mending, conflict, mended, picked
from editor.files.opening import Opened, open_file
from editor.files.outside import Outside
from editor.files.reading import read_file
from editor.files.recovery import Recovery
from editor.files.rescue import Rescue
from editor.files.saving import NotSaved, clash, map_beside, portable, save_draft
from editor.files.versions import Versions
from editor.files.watching import FileWatcher, hash_of
from engine.core.files import BadFile

OPEN_FILTER: Final = "Maps and scenarios (*.json);;Texts that draw a plan (*.txt);;All files (*)"
SAVE_FILTER: Final = "Maps and scenarios (*.json)"
FOLDERS: Final = {"map": "maps", "scenario": "scenarios"}
"""The folders for what is one's own, by kind; the game lists the scenarios."""
NEWER_WORDS: Final = (
    "The file comes from a newer program. What this program does not know may be lost when it is saved."
)


class FileKeeper(QObject):
    """Opens and saves a document; `outside`, `versions` and `rescue` do what else there is to its file.

    `began` comes when another draft is on the bench, `opened` with an `Opened` when it comes from a file,
    `saved` with the path and the bytes written; `said` carries a line for the status bar, `flashed` squares
    to be shown. `ask` puts a `Question` and returns the key of its answer, "" for none; `tell` tells
    something with a heading and lines of detail.
    """

    began = Signal()
    opened = Signal(object)
    saved = Signal(object, bytes)
    said = Signal(str)
    flashed = Signal(object)  # frozenset[Square]

    def __init__(self, document: Document, window: QWidget, recovery: Recovery | None = None) -> None:
        super().__init__(window)
        self.document = document
        self.window = window
        self.bars = MessageBars(window)
        self.ask: Callable[[Question], str] = lambda question: choose(question, window)
        self.tell: Callable[[str, str, Sequence[str]], object] = partial(tell, parent=window)
        self.recovery = recovery if recovery is not None else Recovery(document, self)
        self.watcher = FileWatcher(self)
        self.outside = Outside(self)
        self.versions = Versions(self)
        self.rescue = Rescue(self)
        document.changed.connect(self._on_draft)

    # Leaving the draft that is there

    def is_free(self) -> bool:
        """Return whether the draft may go: it is saved, was saved when asked, or may be discarded."""
        document = self.document
        document.interrupt()
        if not document.is_modified:
            return True
        stack = document.stack
        steps = abs(stack.index() - stack.cleanIndex()) if stack.cleanIndex() >= 0 else 0
        answer = self.ask(unsaved_question(document.draft.name or "Untitled", steps))
        return self.save() if answer == "save" else answer == "discard"

    def close(self) -> None:
        """End the session: whatever is not saved now is not wanted."""
        self.watcher.watch({})
        self.recovery.close()

    # Opening

    def begin(self, draft: Draft, *, is_modified: bool = False) -> bool:
        """Begin another draft, without a file; return whether the last one was free to go."""
        if not self.is_free():
            return False
        self.put(Opened(draft, None, is_changed=is_modified))
        return True

    @Slot()
    def open(self) -> None:
        """Ask for a file and open it."""
        path = self.document.path
        folder = str(path.parent if path is not None else own_folder(self.document.draft))
        name, _ = QFileDialog.getOpenFileName(self.window, "Open", folder, OPEN_FILTER)
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path, *, is_automatic: bool = False) -> bool:
        """Open a file; return whether it is open now.

        What is wrong with it is told. A file that brought the program down is not opened again unless
        somebody says so; if it `is_automatic`, nobody does.
        """
        path = path.absolute()
        if self.recovery.has_crashed_on(path) and not self._may_open_again(path, is_automatic):
            return False
        if not self.is_free():
            return False
        self.recovery.note_opening(path)
        opened = self.read(path)
        if opened is None:
            self.recovery.note_opened()
            return False
        self.put(opened)
        self.opened.emit(opened)
        return True

    def _may_open_again(self, path: Path, is_automatic: bool) -> bool:
        if is_automatic:
            self.said.emit(f"“{path.name}” is not opened: the program ended when it was opened last.")
            return False
        question = Question(
            "Open it again?",
            f"The program came to a sudden end the last time “{path.name}” was opened.",
            (Answer("open", "Open it anyway"),),
        )
        if self.ask(question) != "open":
            return False
        self.recovery.forgive(path)
        return True

    def read(self, path: Path) -> Opened | None:
        """Return what a file holds, its map mended; None where nobody wants it so, or it cannot be opened."""
        try:
            opened = open_file(path)
        except BadFile as error:
            self.tell("This file cannot be opened", str(path), error.problems)
            return None
        if opened.mending is not None and opened.mending.must_choose:
            return self._mended(opened, opened.mending)
        return opened

    def _mended(self, opened: Opened, mending: Mending) -> Opened | None:
        """Ask what to do about a scenario's map and do it; return None where nothing is to be done."""
        answer = self.ask(question_of(mending))
        if not answer:
            return None
        remedy = mending.remedies[int(answer)]
        if remedy.key != "pick":
            return mended(opened, remedy)
        folder = str(opened.path.parent if opened.path is not None else own_folder(self.document.draft))
        name, _ = QFileDialog.getOpenFileName(self.window, "Pick the map", folder, OPEN_FILTER)
        if not name:
            return None
        try:
            return mended(opened, picked(opened, Path(name)))
        except BadFile as error:
            self.tell("There is no map in this file", name, error.problems)
            return None

    def put(self, opened: Opened, base: str = "") -> None:
        """Put what was opened on the bench, with the news about it; `base` as for `watch`."""
        self.bars.clear()
        self.document.replace(opened.draft, opened.path, is_modified=opened.is_changed)
        self.settle_on(opened, base)
        self.began.emit()

    def settle_on(self, opened: Opened, base: str = "") -> None:
        """Take what was opened, which the document is now, for what its file holds, and tell about it."""
        if self.document.is_locked != bool(opened.newer):
            self.document.is_locked = bool(opened.newer)
            self.document.pathChanged.emit()
        self.watch(opened, base)
        self._tell_about(opened)

    def watch(self, opened: Opened, base: str = "") -> None:
        """Watch the files that were read; `base` is the hash of what the draft's own held, if not that."""
        contents: dict[Path, bytes | str] = dict(opened.sources)
        if opened.path is not None and base:
            contents[opened.path] = base
        self.watcher.watch(contents)
        self.recovery.base = base or (hash_of(opened.sources[0][1]) if opened.sources else "")
        self._watch_map()

    def _watch_map(self) -> None:
        """Watch the file of the map that the scenario names now, and of no other."""
        path, known = self.document.path, self.watcher.known
        if path is None or path not in known:
            return
        beside = map_beside(self.document.kept, path)
        wanted: dict[Path, bytes | str] = {path: known[path]}
        if beside is not None and beside in known:
            wanted[beside] = known[beside]
        elif beside is not None:
            with suppress(BadFile):
                wanted[beside] = read_file(beside)
        if wanted.keys() != known.keys():
            self.watcher.watch(wanted)
            self.watcher.look_again()

    @Slot(object)
    def _on_draft(self, change: Change) -> None:
        if "scenario" in change.fields:
            self._watch_map()

    def _tell_about(self, opened: Opened) -> None:
        if opened.newer:
            words = f"This file comes from a newer program and is not written over: {opened.newer}."
            self.bars.tell("newer", words, (("Save a copy…", self.save_as),), is_urgent=True)
        if opened.repairs:
            count = len(opened.repairs)
            faults = "One fault was" if count == 1 else f"{count} faults were"
            words = f"{faults} repaired to open this file. Nothing of it is written until you save."
            acts = (("Show what was repaired", lambda: self._show_repairs(opened.repairs)),)
            self.bars.tell("repairs", words, acts, is_urgent=True)
        if opened.mending is not None and not opened.mending.must_choose:
            self.bars.tell("map", opened.mending.words, (("Choose…", self._choose_map),))

    def _show_repairs(self, repairs: Sequence[str]) -> None:
        words = (
            "What was wrong in the file, by its place there, and what was done. What else is wrong stands "
            "under Problems."
        )
        self.tell("What was repaired", words, repairs)

    def _choose_map(self) -> None:
        """Ask which of two maps of one name to use; what is chosen is a step like any other."""
        self.document.interrupt()
        now, path = self.document.draft, self.document.path
        mending = conflict(now, path) if path is not None else None
        made = self._mended(Opened(now, path), mending) if mending is not None else None
        if mending is None or made is not None:
            self.bars.drop("map")
        if made is not None:
            self.document.apply("Use another map", made.draft)

    # Saving

    @Slot()
    def save(self) -> bool:
        """Save into the draft's file, or ask for one; return whether it is saved."""
        document = self.document
        document.interrupt()
        path = document.path
        if path is None or document.is_locked:
            return self.save_as()
        draft = document.draft
        try:
            if clash(draft, path) == "other-kind":
                # A map that became a scenario: its map's file is not the place for it.
                return self.save_as()
        except NotSaved as error:
            return self._refuse(error)
        answer = self.outside.may_write(path)
        if answer == "as":
            return self.save_as()
        return answer == "over" and self._write(draft, path)

    @Slot()
    def save_as(self) -> bool:
        """Ask for a file and save there; return whether it is saved."""
        document = self.document
        document.interrupt()
        draft, old = document.draft, document.path
        if document.is_locked:
            question = Question("Save a copy?", NEWER_WORDS, (Answer("copy", "Save a copy…"),))
            if self.ask(question) != "copy":
                return False
        name = f"{clean_name(draft.name).lower().replace(' ', '-')[:80] or draft.kind}.json"
        if old is None:
            with suppress(OSError):
                (data_folder() / FOLDERS[draft.kind]).mkdir(parents=True, exist_ok=True)
        folder = old.parent if old is not None else own_folder(draft)
        chosen, _ = QFileDialog.getSaveFileName(
            self.window, f"Save the {draft.kind}", str(folder / name), SAVE_FILTER
        )
        if not chosen:
            return False
        path = Path(chosen)
        if path.suffix or not (bare := path.with_suffix(".json")).exists():
            return self.save_to(path if path.suffix else bare)
        # The system asked about the name without its ending, where nothing was.
        words = f"“{bare.name}” is there already."
        question = Question("Write over it?", words, (Answer("over", "Write over it"),))
        return self.ask(question) == "over" and self.save_to(bare)

    def save_to(self, path: Path) -> bool:
        """Save the draft as another file, asking where it would take the place of something else."""
        path = path.absolute()
        document = self.document
        draft = document.kept
        try:
            found = clash(draft, path)
        except NotSaved as error:
            return self._refuse(error)
        other = "scenario" if draft.kind == "map" else "map"
        words = {
            "other-kind": f"“{path.name}” holds a {other}; a {draft.kind} would take its place.",
            "newer": f"“{path.name}” comes from a newer program and would be written over.",
            "no-plan": f"“{path.name}” is no map and no scenario, and would be written over.",
            "": "",
        }[found]
        if words:
            question = Question(
                "Write over it?",
                words,
                (
                    Answer("as", "Choose another name…", "What is there stays."),
                    Answer(
                        "over", "Write over it", "What is there is kept among the file's earlier versions."
                    ),
                ),
            )
            answer = self.ask(question)
            if answer != "over":
                return self.save_as() if answer == "as" else False
        return self._write(draft, path)

    def _write(self, draft: Draft, path: Path) -> bool:
        whole = portable(draft, path)
        try:
            saved = save_draft(whole, path)
        except NotSaved as error:
            return self._refuse(error)
        if whole != draft:
            self.document.apply("Keep the map in the scenario's file", whole)
        self.document.mark_saved(path)
        self.watcher.watch({path: saved.raw})
        self._watch_map()
        self.recovery.base = hash_of(saved.raw)
        for kind in ("outside", "newer", "repairs"):
            self.bars.drop(kind)
        words = (
            f"Saved in {path.name}." if whole == draft else f"Saved in {path.name}, which holds the map now."
        )
        self.said.emit(saved.note or words)
        self.saved.emit(path, saved.raw)
        return True

    def _refuse(self, error: NotSaved) -> bool:
        self.tell("Not saved", f"{error} Your work is still here.", ())
        return False

    @Slot()
    def keep_now(self) -> None:
        """Write the unsaved work down for recovery, without waiting for the next time."""
        self.recovery.keep()


def own_folder(draft: Draft) -> Path:
    """Return where files of one's own are kept unless told otherwise; home where that folder is missing."""
    folder = data_folder() / FOLDERS[draft.kind]
    return folder if folder.is_dir() else Path.home()
