"""Work that was never saved, offered after the program came to a sudden end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from app import theme
from app.dialogs.ask import is_sure
from app.panels.widgets import Label, keyed_button, row
from editor.dialogs.lines import lines_list
from editor.files.recovery import Recovered

WIDTH: Final = 44  # times the size of the text
MANY: Final = 100  # differences that are counted no further


def when_words(when: datetime, now: datetime) -> str:
    """Return a time as one says it: today and yesterday by their names."""
    days = (now.date() - when.date()).days
    day = {0: "today", 1: "yesterday"}.get(days, f"{when:%d %b %Y}")
    return f"{day} at {when:%H:%M}"


def recovered_words(one: Recovered, now: datetime) -> str:
    """Return what was left unsaved, in two lines: what and whose, then when, how large, how different."""
    where = f"of {one.path}" if one.path is not None else "never saved"
    if one.path is None:
        changes = "all of it new"
    elif one.changes is None:
        changes = "its file cannot be opened any more"
    else:
        count = len(one.changes)
        number = f"more than {MANY}" if count > MANY else str(count)
        changes = f"{number} difference{'' if count == 1 else 's'} from its file"
    plan = one.draft.plan
    size = f"{plan.width} × {plan.height} squares, {max(1, round(one.size / 1024))} KB"
    title = one.draft.name or "Untitled"
    kind = one.draft.kind.capitalize()
    return f"{kind} “{title}”, {where}\nKept {when_words(one.when, now)} · {size} · {changes}"


class RecoveredDialog(QDialog):
    """Lists unsaved work. After `accepted`, `chosen` is what to open; the rest is left for later.

    `discard` deletes something for good.
    """

    def __init__(
        self,
        found: list[Recovered],
        discard: Callable[[Recovered], None],
        parent: QWidget | None = None,
        now: datetime | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Unsaved work")
        self._found = list(found)
        self._discard = discard
        self.chosen: Recovered | None = None
        self.list = lines_list("Unsaved work", [recovered_words(one, now or datetime.now()) for one in found])
        self.list.setSpacing(theme.SPACE // 2)
        self.list.itemActivated.connect(self._open)
        self.open_button = keyed_button("Open it", "Alt+O", self._open, is_main=True)
        self.delete_button = keyed_button("Delete for good…", "Del", self._delete)
        self.later_button = keyed_button("Later", "Esc", self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(Label("There is work that was not saved", "title", is_title=True))
        layout.addWidget(
            Label(
                "The editor came to a sudden end. What it had kept until then can be opened; your files are "
                "as you saved them last."
            )
        )
        layout.addWidget(self.list, 1)
        layout.addLayout(row(self.later_button, self.delete_button, self.open_button))
        self.setMinimumWidth(min(theme.size("body") * WIDTH, 1000))
        self.resize(self.minimumWidth(), min(theme.size("body") * 24, 560))
        self.list.setCurrentRow(0)
        self.list.setFocus()

    @property
    def _current(self) -> int:
        return self.list.currentRow()

    @Slot()
    def _open(self) -> None:
        if 0 <= self._current < len(self._found):
            self.chosen = self._found[self._current]
            self.accept()

    @Slot()
    def _delete(self) -> None:
        at = self._current
        if not 0 <= at < len(self._found):
            return
        name = self._found[at].draft.name or "Untitled"
        words = f"What was not saved of “{name}” is gone then; its file stays as it is."
        if not is_sure(self, "Delete the unsaved work?", words, "Delete", is_final=True):
            return
        self._discard(self._found.pop(at))
        self.list.takeItem(at)
        if not self._found:
            self.reject()
