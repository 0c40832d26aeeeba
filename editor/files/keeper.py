"""The keeper of the document's file: opens, saves, watches, recovers, and asks what has to be asked.

The window connects its actions to `open`, `save`, `save_as`, `reload` and what shows something, puts `bars`
over the canvas, calls `offer_recovered` when it is shown, `is_free` before it closes, `close` when it does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from app.file_names import clean_name
from app.panels.widgets import ActionButton
from app.settings import data_folder
from editor.dialogs.choose import Answer, Question, choose
from editor.dialogs.differences import DifferencesDialog
from editor.dialogs.mend import question_of
from editor.dialogs.message_bar import MessageBars
from editor.dialogs.notice import tell
from editor.dialogs.recovered import RecoveredDialog, when_words
from editor.dialogs.unsaved import UnsavedDialog
from editor.document import Document
from editor.draft import OWN_MAP, Draft
from editor.files.backups import Backup, backups
from editor.files.differences import differences
from editor.files.mending import Mending, conflict, mended, picked
from editor.files.opening import Opened, open_file
from editor.files.reading import read_file
from editor.files.recovery import Recovered, Recovery
from editor.files.saving import NotSaved, clash, portable, save_draft
from editor.files.watching import FileWatcher, hash_of
from engine.core.files import BadFile
from engine.raid.scenario import MAPS

OPEN_FILTER: Final = "Maps and scenarios (*.json);;Texts that draw a plan (*.txt);;All files (*)"
SAVE_FILTER: Final = "Maps and scenarios (*.json)"
FOLDERS: Final = {"map": "maps", "scenario": "scenarios"}
"""The folders for what is one's own, by kind; the game lists the scenarios."""
ASKED_AGAIN: Final = 300  # ms
NO_FILE: Final = "This draft has no file yet."
NEWER_WORDS: Final = (
    "The file comes from a newer program. What this program does not know may be lost when it is saved."
)


class FileKeeper(QObject):
    """Opens and saves a document, and keeps it safe.

    `began` comes when another draft is on the bench, `opened` with an `Opened` when it comes from a file,
    `saved` with the path and the bytes written; `said` carries a line for the status bar, `flashed` squares
    to be shown. `ask` puts a `Question` and returns the key of its answer, "" for none.
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
        self.recovery = recovery if recovery is not None else Recovery(document, self)
        self.recovery.failed.connect(self._on_unkept)
        self.watcher = FileWatcher(self)
        self.watcher.changed.connect(self._on_changed)
        self.watcher.gone.connect(self._on_gone)
        self._sheet: DifferencesDialog | None = None
        document.modified.connect(self._on_modified)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Some file systems tell nothing; whoever comes back from another program may have changed the file.
        if event.type() == QEvent.Type.WindowActivate:
            self.watcher.look_again()
        return False

    # Leaving the draft that is there

    def is_free(self) -> bool:
        """Return whether the draft may go: it is saved, was saved when asked, or may be discarded."""
        document = self.document
        document.interrupt()
        if not document.is_modified:
            return True
        stack = document.stack
        steps = abs(stack.index() - stack.cleanIndex()) if stack.cleanIndex() >= 0 else 0
        dialog = UnsavedDialog(document.draft.name or "Untitled", steps, self.window)
        dialog.exec()
        dialog.deleteLater()
        if dialog.answer == "save":
            return self.save()
        return dialog.answer == "discard"

    def close(self) -> None:
        """End the session: whatever is not saved now is not wanted."""
        self.watcher.watch({})
        self.recovery.close()

    # Opening

    def begin(self, draft: Draft, *, is_modified: bool = False) -> bool:
        """Begin another draft, without a file; return whether the last one was free to go."""
        if not self.is_free():
            return False
        self._put(Opened(draft, None, is_changed=is_modified))
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
        opened = self._read(path)
        if opened is None:
            self.recovery.note_opened()
            return False
        self._put(opened)
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

    def _read(self, path: Path) -> Opened | None:
        """Return what a file holds, its map mended; None where nobody wants it so, or it cannot be opened."""
        try:
            opened = open_file(path)
        except BadFile as error:
            tell("This file cannot be opened", str(path), error.problems, self.window)
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
            tell("There is no map in this file", name, error.problems, self.window)
            return None

    def _put(self, opened: Opened) -> None:
        """Put what was opened on the bench, with the news about it."""
        self.bars.clear()
        self.document.replace(opened.draft, opened.path, is_modified=opened.is_changed)
        self._lock(bool(opened.newer))
        self._watch(opened)
        self._tell_about(opened)
        self.began.emit()

    def _lock(self, is_locked: bool) -> None:
        if self.document.is_locked != is_locked:
            self.document.is_locked = is_locked
            self.document.pathChanged.emit()

    def _watch(self, opened: Opened) -> None:
        self.watcher.watch(dict(opened.sources))
        self.recovery.base = hash_of(opened.sources[0][1]) if opened.sources else ""

    def _tell_about(self, opened: Opened) -> None:
        if opened.newer:
            words = f"This file comes from a newer program and is not written over: {opened.newer}."
            self.bars.tell("newer", words, (("Save a copy…", self.save_as),), is_urgent=True)
        if opened.repairs:
            count = len(opened.repairs)
            faults = "One fault was" if count == 1 else f"{count} faults were"
            words = f"{faults} mended to open this file. Nothing of it is written until you save."
            acts = (("Show what was mended", lambda: self._show_repairs(opened.repairs)),)
            self.bars.tell("repairs", words, acts, is_urgent=True)
        if opened.mending is not None and not opened.mending.must_choose:
            self.bars.tell("map", opened.mending.words, (("Choose…", self._choose_map),))

    def _show_repairs(self, repairs: Sequence[str]) -> None:
        words = (
            "What was wrong in the file, by its place there, and what was done. What else is wrong stands "
        )
        tell("What was mended", f"{words}under Problems.", repairs, self.window)

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
        answer = "over" if self.watcher.is_known(path) else self._write_over(path)
        if answer == "show":
            self.show_differences()
        elif answer == "as":
            return self.save_as()
        return answer == "over" and self._write(draft, path)

    def _write_over(self, path: Path) -> str:
        """Ask whether to write over what another program has made of the file since."""
        question = Question(
            "Write over the changes of another program?",
            f"“{path.name}” was changed by another program since it was opened here.",
            (
                Answer("as", "Save as another file…", "Both stay."),
                Answer("over", "Write over it", "The other version can be had back under Earlier versions."),
                Answer("show", "Show the differences first", "Nothing is saved."),
            ),
        )
        return self.ask(question)

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
        whole = portable(draft, path)
        if whole != draft:
            document.apply("Keep the map in the scenario's file", whole)
            self.said.emit("The map is in the scenario's own file now.")
        return self._write(whole, path)

    def _write(self, draft: Draft, path: Path) -> bool:
        try:
            saved = save_draft(draft, path)
        except NotSaved as error:
            return self._refuse(error)
        self.document.mark_saved(path)
        self.watcher.watch({path: saved.raw, **_map_beside(draft, path)})
        self.recovery.base = hash_of(saved.raw)
        for kind in ("outside", "newer", "repairs"):
            self.bars.drop(kind)
        self.said.emit(saved.note or f"Saved in {path.name}.")
        self.saved.emit(path, saved.raw)
        return True

    def _refuse(self, error: NotSaved) -> bool:
        tell("Not saved", f"{error} Your work is still here.", (), self.window)
        return False

    # What others do to the file

    @Slot()
    def _on_changed(self) -> None:
        """Follow the file where nothing is lost by that, or else tell."""
        path = self.document.path
        if path is None:
            return
        try:
            opened = open_file(path)
        except BadFile as error:
            self._lose(f"“{path.name}” was changed and cannot be opened now: {error.problems[0]}.")
            return
        if opened.draft == self.document.kept and not opened.newer:
            self._watch(opened)
            self.document.mark_saved(path)
            return
        must_choose = opened.mending is not None and opened.mending.must_choose
        if self.document.is_modified or must_choose or opened.repairs or opened.newer:
            words = f"“{path.name}” was changed by another program while you were at it here."
            acts = (
                ("Reload it", self.reload),
                ("Keep mine", self.keep_mine),
                ("Show the differences", self.show_differences),
            )
            self.bars.tell("outside", words, acts, is_urgent=True)
            return
        self._take_in(opened)
        self.said.emit(f"“{path.name}” was changed by another program and is reloaded.")

    @Slot()
    def _on_gone(self) -> None:
        path = self.document.path
        if path is not None and not path.exists():
            self._lose(f"“{path.name}” is no longer there: it was moved, renamed or deleted.")

    def _lose(self, words: str) -> None:
        """Tell that the draft has no file to stand on any more."""
        self.document.stack.resetClean()
        acts = (("Save it again", self.save), ("Save as…", self.save_as))
        self.bars.tell("outside", words, acts, is_urgent=True)

    @Slot()
    def reload(self) -> None:
        """Take in what the file holds now; undo brings back what was there."""
        path = self.document.path
        if path is None:
            self.said.emit(NO_FILE)
            return
        self.document.interrupt()
        opened = self._read(path)
        if opened is not None:
            self.bars.clear()
            self._take_in(opened)
            self.said.emit(f"“{path.name}” is reloaded; Undo brings back what was here.")

    def _take_in(self, opened: Opened) -> None:
        """Make what the file holds the next step, so that view, selection and history stay."""
        assert opened.path is not None
        self.document.apply("Reload the file", opened.draft)
        if not opened.is_changed:
            self.document.mark_saved(opened.path)
        self._lock(bool(opened.newer))
        self._watch(opened)
        self._tell_about(opened)

    @Slot()
    def keep_mine(self) -> None:
        """Leave the file to be written over by the next save; what it holds is kept among its versions."""
        path = self.document.path
        if path is not None:
            try:
                self.watcher.know(path, path.read_bytes())
            except OSError:
                self.said.emit(f"“{path.name}” cannot be read.")
            self.document.stack.resetClean()
        self.bars.drop("outside")

    @Slot()
    def show_differences(self) -> None:
        """Show in words what saving would change in the file."""
        path = self.document.path
        if path is None:
            self.said.emit(NO_FILE)
            return
        try:
            opened = open_file(path)
        except BadFile as error:
            tell("This file cannot be opened", str(path), error.problems, self.window)
            return
        found = differences(opened.draft, self.document.kept)
        words = f"What saving would change in “{path.name}”, as it is on the disk."
        acts = []
        if "outside" in self.bars.shown:
            for text, act in (("Reload it", self.reload), ("Keep mine", self.keep_mine)):
                button = ActionButton(text)
                button.clicked.connect(act)
                acts.append(button)
        sheet = DifferencesDialog("Differences", words, found, self.window, acts)
        sheet.flashed.connect(self.flashed)
        sheet.finished.connect(sheet.deleteLater)
        self._sheet = sheet
        sheet.show()
        sheet.stand_aside()

    @Slot(bool)
    def _on_modified(self, is_modified: bool) -> None:
        if not is_modified and self.document.path is not None and self.watcher.is_known(self.document.path):
            self.bars.drop("outside")

    # Earlier versions and recovery

    @Slot()
    def show_backups(self) -> None:
        """Ask which of the file's earlier versions to go back to; that is a step like any other."""
        path = self.document.path
        found = backups(path) if path is not None else []
        if not found:
            self.said.emit("There is no earlier version: the first one is kept when the file is saved again.")
            return
        now = datetime.now()
        answers = tuple(
            Answer(str(at), f"As it was until {when_words(one.when, now)}", self._backup_words(one))
            for at, one in enumerate(found)
        )
        words = "Each save keeps what the file held before. Going back can be undone like any other step."
        answer = self.ask(Question("Earlier versions", words, answers))
        if answer:
            self._go_back(found[int(answer)])

    def _backup_words(self, backup: Backup) -> str:
        """Return how large an earlier version is, and what going back to it would change."""
        size = f"{max(1, round(backup.size / 1024))} KB"
        try:
            found = differences(self.document.kept, self._backup_draft(backup))
        except BadFile:
            return f"{size}, cannot be opened"
        if not found:
            return f"{size}, the same as now"
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        return f"{size}. {found[0].text}{more}"

    def _backup_draft(self, backup: Backup) -> Draft:
        """Return what an earlier version held; a map that it only names is looked for where it was."""
        opened = open_file(backup.path)
        scenario, path = opened.draft.scenario, self.document.path
        if opened.mending is None or not opened.mending.must_choose or scenario is None or path is None:
            return opened.draft
        beside = open_file(path.parent / str(scenario.map))
        return Draft(beside.draft.plan, scenario)

    def _go_back(self, backup: Backup) -> None:
        try:
            draft = self._backup_draft(backup)
        except BadFile as error:
            tell("This version cannot be opened", str(backup.path), error.problems, self.window)
            return
        self.document.interrupt()
        self.document.apply(f"Back to the version until {backup.when:%H:%M:%S}", draft)

    @Slot()
    def offer_recovered(self) -> bool:
        """Offer the unsaved work of sessions that came to a sudden end; return whether one is open now.

        While something else is asked this waits: the answer may put another draft on the bench.
        """
        if QApplication.activeModalWidget() is not None:
            QTimer.singleShot(ASKED_AGAIN, self, self.offer_recovered)
            return False
        found = self.recovery.found()
        if not found:
            return False
        dialog = RecoveredDialog(found, lambda one: self.recovery.discard(one.session), self.window)
        dialog.exec()
        dialog.deleteLater()
        chosen = dialog.chosen
        for one in found:
            if one is not chosen:
                self.recovery.leave(one.session)
        if chosen is None:
            return False
        if not self.is_free():
            self.recovery.leave(chosen.session)
            return False
        self.recover(chosen)
        return True

    @Slot()
    def show_recovered(self) -> None:
        """Offer once more what was left for later."""
        if not self.recovery.found():
            self.said.emit("No other session has left unsaved work.")
        else:
            self.offer_recovered()

    def recover(self, one: Recovered) -> None:
        """Go on with unsaved work; it is this session's from now on."""
        self._put(Opened(one.draft, one.path, is_changed=True))
        if one.path is not None:
            try:
                there = open_file(one.path)
            except BadFile:
                there = None
            if there is not None:
                self._lock(bool(there.newer))
                if there.newer:
                    self._tell_about(there._replace(repairs=(), mending=None))
            self.watcher.watch({one.path: one.base or (there.sources[0][1] if there is not None else b"")})
            self.recovery.base = one.base
            self.watcher.check()
        self.recovery.keep()
        self.recovery.discard(one.session)

    @Slot()
    def keep_now(self) -> None:
        """Write the unsaved work down for recovery, without waiting for the next time."""
        self.recovery.keep()

    @Slot(str)
    def _on_unkept(self, reason: str) -> None:
        self.bars.tell("recovery", f"{reason} Save often.", is_urgent=True)


def _map_beside(draft: Draft, path: Path) -> dict[Path, bytes]:
    """Return the file of the map that a scenario names, with what it holds, if that is beside it."""
    scenario = draft.scenario
    if scenario is None or not isinstance(scenario.map, str) or scenario.map in (OWN_MAP, *MAPS):
        return {}
    beside = path.parent / scenario.map
    try:
        return {beside: read_file(beside)}
    except BadFile:
        return {}


def own_folder(draft: Draft) -> Path:
    """Return where files of one's own are kept unless told otherwise."""
    folder = data_folder() / FOLDERS[draft.kind]
    folder.mkdir(parents=True, exist_ok=True)
    return folder
