"""The document: one draft, its undo stack, and the one signal that says that something changed."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from editor.draft import Change, Draft, change_between

STEP_ID: Final = 1


class _Step(QUndoCommand):
    """One step: the drafts before and after it. Drafts share what they have in common, so steps are small."""

    def __init__(self, document: Document, text: str, before: Draft, after: Draft, merge: str) -> None:
        super().__init__(text)
        self._document = document
        self._before = before
        self._after = after
        self._merge = merge

    def redo(self) -> None:
        self._document._set(self._after)

    def undo(self) -> None:
        self._document._set(self._before)

    def id(self) -> int:
        return STEP_ID if self._merge else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Step) or other._merge != self._merge:
            return False
        self._after = other._after
        self.setText(other.text())
        self.setObsolete(self._after == self._before)
        return True


class Gesture:
    """An edit on its way, from a press to a release: shown at once, one step when committed, else nothing.

    What a gesture does is worked out from `before`, or from `now` where a stroke goes on.
    """

    def __init__(self, document: Document, text: str) -> None:
        self._document = document
        self.text = text
        self.before = document.draft
        self.is_open = True

    @property
    def now(self) -> Draft:
        """The draft as the gesture has made it so far."""
        return self._document.draft

    def show(self, draft: Draft) -> None:
        """Show what the gesture makes; it is not on the undo stack yet."""
        if self.is_open:
            self._document._set(draft)

    def commit(self) -> bool:
        """Make what is shown one step; return whether there was anything to keep."""
        if not self.is_open:
            return False
        made = self.now
        self.cancel()
        return self._document.apply(self.text, made)

    def cancel(self) -> None:
        """Take back what is shown."""
        if self.is_open:
            self.is_open = False
            self._document._gesture = None
            self._document._set(self.before)


class Document(QObject):
    """A draft being edited, where it is kept, and every step that led to it.

    `changed` carries a `Change` and follows every change of the draft, whoever made it; `replaced` comes
    before it where the draft is another one altogether (a new or reloaded file). `modified` says whether
    there is anything to save, `pathChanged` where that goes. `path` is None for a draft that has no file;
    `is_locked` says that the file may not be written over (it comes from a newer program).
    """

    changed = Signal(object)
    replaced = Signal()
    modified = Signal(bool)
    pathChanged = Signal()

    def __init__(self, draft: Draft, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._draft = draft
        self._gesture: Gesture | None = None
        self._settled = 0  # how often, for steps that are merged only until then
        self.path = path
        self.is_locked = False
        self.stack = QUndoStack(self)
        self.stack.cleanChanged.connect(self._on_clean)
        # A stack that goes tells once more of its index, to whoever then asks it in vain.
        self.destroyed.connect(partial(self.stack.blockSignals, True))

    @property
    def draft(self) -> Draft:
        """The draft as it is shown."""
        return self._draft

    @property
    def kept(self) -> Draft:
        """The draft without the gesture that is still on its way: what is saved, checked and played."""
        return self._gesture.before if self._gesture is not None else self._draft

    @property
    def is_modified(self) -> bool:
        """Whether the draft is not what its file holds."""
        return not self.stack.isClean()

    def begin(self, text: str) -> Gesture:
        """Begin a gesture, ending one that was not ended; `text` names the step in the history."""
        if self._gesture is not None:
            self._gesture.cancel()
        self._gesture = Gesture(self, text)
        return self._gesture

    def apply(self, text: str, draft: Draft, merge: str = "") -> bool:
        """Make a step to another draft; return whether it differs.

        Steps in a row with the same `merge` are one step, until `settle`.
        """
        if self._gesture is not None:
            self._gesture.cancel()
        before = self._draft
        after = draft.tidied(before)
        if after == before:
            return False
        self.stack.push(_Step(self, text, before, after, merge and f"{merge} {self._settled}"))
        return True

    @Slot()
    def settle(self) -> None:
        """Let the next step be one of its own, whatever it could be merged with."""
        self._settled += 1

    @Slot()
    def interrupt(self) -> None:
        """Cancel the gesture on its way and settle: somebody is about to go to another step by himself."""
        if self._gesture is not None:
            self._gesture.cancel()
        self.settle()

    @Slot()
    def undo(self) -> None:
        """Take back the gesture on its way, or else the last step."""
        if self._gesture is not None:
            self._gesture.cancel()
        else:
            self.settle()
            self.stack.undo()

    @Slot()
    def redo(self) -> None:
        """Make the step that was taken back last."""
        if self._gesture is None:
            self.settle()
            self.stack.redo()

    def replace(self, draft: Draft, path: Path | None, *, is_modified: bool = False) -> None:
        """Edit another draft; its history begins here."""
        if self._gesture is not None:
            self._gesture.cancel()
        self.path = path
        self.is_locked = False
        self.stack.clear()
        if is_modified:
            self.stack.resetClean()
        before, self._draft = self._draft, draft
        self.replaced.emit()
        self.changed.emit(Change(None, None, change_between(before, draft).fields))
        self.pathChanged.emit()
        self.modified.emit(self.is_modified)

    def mark_saved(self, path: Path) -> None:
        """Note that the draft is what its file holds."""
        self.settle()
        self.stack.setClean()
        if path != self.path or self.is_locked:
            self.path = path
            self.is_locked = False
            self.pathChanged.emit()

    def _set(self, draft: Draft) -> None:
        before = self._draft
        if draft is before:
            return
        self._draft = draft
        change = change_between(before, draft)
        if change.squares is None or change.squares or change.edges or change.fields:
            self.changed.emit(change)

    @Slot(bool)
    def _on_clean(self, is_clean: bool) -> None:
        self.modified.emit(not is_clean)
