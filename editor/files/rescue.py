"""Rescue: the unsaved work of sessions that came to a sudden end is offered, and gone on with."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication

from editor.dialogs.recovered import RecoveredDialog
from editor.files.opening import Opened, open_file
from editor.files.recovery import Recovered
from editor.files.watching import hash_of
from engine.core.files import BadFile

if TYPE_CHECKING:
    from editor.files.keeper import FileKeeper

ASKED_AGAIN: Final = 300  # ms


class Rescue(QObject):
    """Offers what the keeper's recovery has found."""

    def __init__(self, keeper: FileKeeper) -> None:
        super().__init__(keeper)
        self._keeper = keeper
        self._recovery = keeper.recovery
        self._recovery.failed.connect(self._on_unkept)

    @Slot()
    def offer(self) -> bool:
        """Offer the unsaved work of sessions that came to a sudden end; return whether one is open now.

        While something else is asked this waits: the answer may put another draft on the bench.
        """
        if QApplication.activeModalWidget() is not None:
            QTimer.singleShot(ASKED_AGAIN, self, self.offer)
            return False
        found = self._recovery.found()
        if not found:
            return False
        window = self._keeper.window
        dialog = RecoveredDialog(found, lambda one: self._recovery.discard(one.session), window)
        dialog.exec()
        dialog.deleteLater()
        chosen = dialog.chosen
        for one in found:
            if one is not chosen:
                self._recovery.leave(one.session)
        if chosen is None:
            return False
        if not self._keeper.is_free():
            self._recovery.leave(chosen.session)
            return False
        self.recover(chosen)
        return True

    @Slot()
    def show(self) -> None:
        """Offer once more what was left for later."""
        if not self._recovery.found():
            self._keeper.said.emit("No other session has left unsaved work.")
        else:
            self.offer()

    def recover(self, one: Recovered) -> None:
        """Go on with unsaved work; it is this session's from now on."""
        made = Opened(one.draft, one.path, is_changed=True)
        base = one.base
        if one.path is not None:
            with suppress(BadFile):
                there = open_file(one.path)
                made = made._replace(sources=there.sources, newer=there.newer)
            # Where it is not known what the work began from, whatever the file holds is taken for it.
            base = base or hash_of(made.sources[0][1] if made.sources else b"")
        self._keeper.put(made, base)
        self._keeper.watcher.check()
        self._recovery.keep()
        self._recovery.discard(one.session)

    @Slot(str)
    def _on_unkept(self, reason: str) -> None:
        self._keeper.bars.tell("recovery", f"{reason} Save often.", is_urgent=True)
