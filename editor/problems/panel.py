"""The Problems panel: what is wrong, where, and what can be done about it at one press."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QCheckBox,
    QHeaderView,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.panels.dressed import Dressed
from app.panels.widgets import ActionButton, FlowLayout, Label, column, escaped, row, with_rule_links
from editor.bench import Bench
from editor.problems.checking import Checker
from editor.problems.fixes.find import fixes_of
from editor.problems.fixes.fix import Fix
from editor.problems.kinds import title_of
from editor.problems.model import MESSAGE, PLACE, SEVERITY, ProblemsModel
from editor.words import capitalized
from engine.fortress.problems import Problem

FIXES_SHOWN: Final = 4
WIDE: Final = 74  # widths of "n" from which the details stand beside the list
WITH_PLACE: Final = 90  # widths of "n" of the list from which it has a column for places
TALL: Final = 13  # text heights from which the counts stand above the list
ROWS: Final = 4  # of the list that are always seen
NOTHING_WRONG: Final = "No problems: this can be played."
ALL_MUTED: Final = "Nothing but muted warnings: this can be played."
CHECKING: Final = "Checking…"
BROKEN_OFF: Final = "The checks broke off. They are tried again after the next change."


class ProblemsPanel(Dressed, QWidget):
    """The problems of the draft by kind, with the details of the one selected beside or below them.

    Enter or a double click goes there: the squares flash, what is wrong is selected. `fieldWanted` carries
    a place of the scenario's file where it is to be fixed in the scenario panel. `summaryChanged` carries
    the counts for the status bar.
    """

    fieldWanted = Signal(str)
    summaryChanged = Signal(str)

    def __init__(self, bench: Bench, checker: Checker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bench = bench
        self.checker = checker
        self.model = ProblemsModel(checker, self)
        self._shown: Problem | None = None
        self._unfolded: set[str] = set()
        self.summary = Label("", wraps=False, is_bold=True)
        self.summary.setAccessibleName("Problems in all")
        self.with_muted = QCheckBox("Show muted")
        self.with_muted.toggled.connect(self._fill)
        self._visited: Problem | None = None
        self._is_filling = False
        self.tree = _Tree(self)
        self.tree.selectionModel().currentChanged.connect(self.show_current)
        self.empty = Label("")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.tree)
        self.pages.addWidget(self.empty)
        self.details = _Details(self)
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.setSpacing(theme.SPACE)
        self._body.addWidget(self.pages, 1)
        self._body.addWidget(self.details, 1)
        head = row(self.summary)
        head.addStretch(1)
        head.addWidget(self.with_muted)
        self.head = QWidget()
        self.head.setLayout(head)
        layout = column(self.head, self._body, spacing=theme.SPACE // 2, margin=theme.SPACE // 2)
        self.setLayout(layout)
        bench.document.replaced.connect(self._forget)
        checker.changed.connect(self._fill)
        checker.busy.connect(self._tell)
        bench.keysChanged.connect(self._fill)
        self._fill()
        self.dress()

    def _dress(self) -> None:
        self.tree.dress_columns()

    # What is listed

    @property
    def current(self) -> Problem | None:
        """The problem that is selected."""
        return self.model.problem_at(self.tree.currentIndex())

    def summary_words(self) -> str:
        """Return how many problems there are: "2 errors, 1 warning, 3 muted"."""
        counts = self.checker.counts
        parts = [
            f"{number:,} {word}{'s' if number != 1 and word != 'muted' else ''}"
            for number, word in (
                (counts.errors, "error"),
                (counts.warnings, "warning"),
                (counts.muted, "muted"),
            )
            if number
        ]
        if not parts and self.checker.checked is None:
            return CHECKING
        return ", ".join(parts) or "No problems"

    @Slot()
    def _forget(self) -> None:
        """Begin with the first problem: the draft is another one."""
        self._shown = self._visited = None

    @Slot()
    def _fill(self) -> None:
        """List what is found now; what was selected and unfolded stays so where it is still there."""
        before, listed = self._shown, self.model.problems
        self._is_filling = True
        self.model.show(with_muted=self.with_muted.isChecked())
        for at, group in enumerate(self.model.groups):
            if group.code in self._unfolded:
                self.tree.expand(self.model.index(at, 0))
        if before is not None and self.model.problems:
            index = self.model.index_of(before)
            if not index.isValid():  # fixed: what now stands in its place comes next
                at = listed.index(before) if before in listed else 0
                index = self.model.index_of(self.model.problems[min(at, len(self.model.problems) - 1)])
            self.tree.setCurrentIndex(index)
        self._is_filling = False
        self._tell()
        self.show_current()

    @Slot()
    def _tell(self) -> None:
        words = self.summary_words()
        if words != self.summary.text():
            self.summary.setText(words)
            self.summaryChanged.emit(words)
        self.summary.set_tone("danger" if self.checker.counts.errors else "")
        self.with_muted.setVisible(self.checker.counts.muted > 0)
        self._show_head()
        if self.checker.is_broken:
            words = BROKEN_OFF
        elif self.checker.checked is None:
            words = CHECKING
        else:
            fine = ALL_MUTED if self.checker.counts.muted else NOTHING_WRONG
            words = f"{fine} {self.bench.native_key('playtest')} tries it."
        self.empty.setText(words)
        self.pages.setCurrentWidget(self.tree if self.model.groups else self.empty)
        self.details.setVisible(bool(self.model.groups))

    @Slot()
    def show_current(self) -> None:
        """Show the selected problem in full."""
        if self._is_filling:
            return
        self._shown = self.current
        self.details.show_problem(self._shown, self.model.group_at(self.tree.currentIndex()))

    def note_unfolded(self, index: QModelIndex, is_on: bool) -> None:
        """Remember which kinds are unfolded."""
        group = self.model.group_at(index)
        if group is not None and not self._is_filling:
            (self._unfolded.add if is_on else self._unfolded.discard)(group.code)

    # Going there

    @Slot()
    def next_problem(self) -> None:
        """Go to the next problem, after the last one to the first."""
        self._step(1)

    @Slot()
    def previous_problem(self) -> None:
        """Go to the problem before, before the first one to the last."""
        self._step(-1)

    def _step(self, by: int) -> None:
        every = self.model.problems
        if not every:
            self.bench.say(self.empty.text())
            return
        at = 0 if by > 0 else len(every) - 1
        if self._shown in every:
            # A row that is only selected, as the first is when the list takes the focus, is gone to first.
            is_fresh = by > 0 and self._shown != self._visited
            at = every.index(self._shown) + (0 if is_fresh else by)
        at %= len(every)
        index = self.model.index_of(every[at])
        self.tree.setCurrentIndex(index)
        self.go_to(every[at])
        group = self.model.group_at(index)
        word = group.word if group is not None else ""
        self.bench.say(f"{word} {at + 1} of {len(every)}: {every[at].message}")

    def go_to(self, problem: Problem) -> None:
        """Show where a problem is: on the map, or in the scenario panel."""
        self._visited = problem
        place = self.checker.place_of(problem)
        first = place.first
        if first is not None:
            self.bench.select(place.selection)
            self.bench.gone_to.emit(first)
            self.bench.flashed.emit(place.squares)
        elif place.field:
            self.fieldWanted.emit(place.field)

    @Slot()
    def go_to_current(self) -> None:
        """Show where the selected problem is."""
        problem = self.current
        if problem is not None:
            self.go_to(problem)

    @Slot()
    def fix_current(self) -> None:
        """Fix the selected problem in the first way that is offered."""
        problem = self.current
        if problem is None:
            self.bench.say("Select a problem first.")
            return
        fixes = fixes_of(self.bench.document.draft, problem)
        if fixes:
            self.details.fix(problem, fixes[0].words)
        else:
            self.bench.say("There is no fix for this at one press.")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() >= self.fontMetrics().horizontalAdvance("n") * WIDE
        direction = QBoxLayout.Direction
        is_beside = is_wide or not self._is_tall
        self._body.setDirection(direction.LeftToRight if is_beside else direction.TopToBottom)
        self._show_head()

    @property
    def _is_tall(self) -> bool:
        return self.height() >= theme.size("body") * TALL

    def _show_head(self) -> None:
        """Leave the room to the list where there is little: the counts stand in the status bar too."""
        self.head.setVisible(self._is_tall or self.checker.counts.muted > 0)


class _Tree(QTreeView):
    """The list itself."""

    def __init__(self, panel: ProblemsPanel) -> None:
        super().__init__()
        self._panel = panel
        self.setModel(panel.model)
        self.setAccessibleName("Problems")
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setExpandsOnDoubleClick(False)
        self.setHeaderHidden(True)
        self.header().setStretchLastSection(False)
        self.header().setMinimumSectionSize(theme.SPACE * 4)
        self.header().setSectionResizeMode(SEVERITY, QHeaderView.ResizeMode.Interactive)
        self.header().setSectionResizeMode(MESSAGE, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(PLACE, QHeaderView.ResizeMode.Interactive)
        self.doubleClicked.connect(panel.go_to_current)
        self.expanded.connect(lambda index: panel.note_unfolded(index, True))
        self.collapsed.connect(lambda index: panel.note_unfolded(index, False))

    def dress_columns(self) -> None:
        """Give the narrow columns the room that their words need."""
        metrics = self.fontMetrics()
        self.setMinimumHeight(round(metrics.height() * 1.2 * ROWS) + 2)
        is_wide = self.width() >= metrics.horizontalAdvance("n" * WITH_PLACE)
        # The sign alone says it where there is little room for the message.
        word = metrics.horizontalAdvance("Warning") + theme.SPACE * 3 if is_wide else theme.SPACE
        self.header().resizeSection(SEVERITY, self.indentation() + theme.size("body") + word)
        self.header().resizeSection(PLACE, min(metrics.horizontalAdvance("n" * 18), self.width() * 3 // 10))
        # The details say the place too; what is wrong is not to be guessed from its first letters.
        self.setColumnHidden(PLACE, not is_wide)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.dress_columns()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self._panel.go_to_current()
        else:
            super().keyPressEvent(event)


def _button(text: str) -> ActionButton:
    """Return a small button: the height is the list's and the message's."""
    button = ActionButton(text, is_small=True)
    button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return button


class _Details(QWidget):
    """The problem that is selected, in full: its rule, its place, its fixes, and muting of its kind."""

    def __init__(self, panel: ProblemsPanel) -> None:
        super().__init__()
        self._panel = panel
        self._problem: Problem | None = None
        self._code = ""
        self.message = Label("", is_rich=True)
        self.place = Label("", "small", is_soft=True)
        self.go_button = _button("Go there")
        self.go_button.clicked.connect(panel.go_to_current)
        self.mute_button = _button("Mute this kind…")
        self.mute_button.clicked.connect(self._ask_note)
        self.fixes = FlowLayout(spacing=theme.SPACE // 2)
        self.fixes.addWidget(self.go_button)
        self.fixes.addWidget(self.mute_button)
        self.note = QLineEdit()
        self.note.setPlaceholderText("Why? (a note to yourself)")
        self.note.setAccessibleName("Why this kind of warning is muted")
        self.note.returnPressed.connect(self._mute)
        self.mute_now = _button("Mute")
        self.mute_now.clicked.connect(self._mute)
        self.asking = QWidget()
        self.asking.setLayout(row(self.note, self.mute_now))
        leave = QAction("Cancel", self.note)
        leave.setShortcut(Qt.Key.Key_Escape)
        leave.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        leave.triggered.connect(self._stop_asking)
        self.note.addAction(leave)
        inner = QWidget()
        self.asking.hide()
        body = column(self.message, self.place, self.asking, self.fixes, spacing=theme.SPACE // 2)
        body.addStretch(1)
        inner.setLayout(body)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(inner)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.area)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self.show_problem(None, None)

    def show_problem(self, problem: Problem | None, group: object) -> None:
        """Show a problem, or how to choose one."""
        if problem != self._problem:
            self._stop_asking()
        self._problem = problem
        checker = self._panel.checker
        if problem is None:
            self._code = ""
            key = self._panel.bench.native_key
            words = f"{key('problem-next')} goes to the next one, {key('problem-previous')} back."
            self.message.setText(f"<b>Select a problem for its details.</b><br>{escaped(words)}")
            self.place.setText("")
        else:
            self._code = problem.code
            said = with_rule_links(capitalized(problem.message))
            self.message.setText(f"<b>{escaped(title_of(problem.code))}.</b> {said}")
            note = checker.muting.notes.get(problem.code, "") if checker.muting.is_muted(problem) else ""
            place = checker.place_of(problem).words
            # Where there is little height a line that says nothing new is in the way of the fixes.
            lines = [f"Place: {place}"] if place.casefold() not in problem.message.casefold() else []
            self.place.setText(". ".join([*lines, *([f"Muted: {note}"] if note else [])]))
        self.place.setVisible(bool(self.place.text()))
        is_muted = problem is not None and checker.muting.is_muted(problem)
        self.go_button.setVisible(problem is not None)
        self.mute_button.setVisible(problem is not None and problem.severity == "warning")
        self.mute_button.setText("Hear it again" if is_muted else "Mute this kind…")
        self._offer()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._offer()

    def _offer(self) -> None:
        """Offer the fixes that there are; finding them takes a while, so not while nobody looks."""
        problem, draft = self._problem, self._panel.checker.checked
        found: tuple[Fix, ...] = ()
        if problem is not None and draft is not None and self.isVisible():
            found = fixes_of(draft, problem)[:FIXES_SHOWN]
        words = [fix.words for fix in found]
        if words == [button.text() for button in self.buttons]:
            return
        for fix_button in self.buttons:
            self.fixes.removeWidget(fix_button)
            fix_button.hide()
            fix_button.deleteLater()
        for one in (self.go_button, self.mute_button):
            self.fixes.removeWidget(one)
        for text in words:
            button = _button(text)
            button.setAccessibleDescription("Fixes the selected problem; can be undone.")
            button.clicked.connect(lambda _=False, text=text: self._fix_shown(text))
            self.fixes.addWidget(button)
        for one in (self.go_button, self.mute_button):
            self.fixes.addWidget(one)

    @property
    def buttons(self) -> list[ActionButton]:
        """The buttons of the fixes."""
        found = [self.fixes.itemAt(at) for at in range(self.fixes.count())]
        widgets = [item.widget() for item in found if item is not None]
        own = (self.go_button, self.mute_button)
        return [widget for widget in widgets if isinstance(widget, ActionButton) and widget not in own]

    def _fix_shown(self, words: str) -> None:
        if self._problem is not None:
            self.fix(self._problem, words)

    def fix(self, problem: Problem, words: str) -> None:
        """Fix a problem in one of the ways that are offered, as one step."""
        document = self._panel.bench.document
        for fix in fixes_of(document.draft, problem):
            if fix.words == words and document.apply(fix.words, fix.draft):
                undo = self._panel.bench.native_key("undo")
                self._panel.bench.say(f"{fix.words}: done. {undo} takes it back.")
                return
        self._panel.bench.say("The map has changed meanwhile: this can no longer be fixed so.")

    # Muting

    @Slot()
    def _ask_note(self) -> None:
        checker, problem = self._panel.checker, self._problem
        if problem is None:
            return
        if checker.muting.is_muted(problem):
            checker.muting.unmute(problem.code)
            return
        self.asking.show()
        self.note.clear()
        self.note.setFocus()
        self.area.ensureWidgetVisible(self.asking)

    @Slot()
    def _mute(self) -> None:
        code, note = self._code, self.note.text().strip()
        self._stop_asking()
        if code:
            self._panel.checker.muting.mute(code, note)
            self._panel.bench.say(f"Muted in this file: {title_of(code)}. “Show muted” brings it back.")

    @Slot()
    def _stop_asking(self) -> None:
        had_focus = self.note.hasFocus()
        self.asking.hide()
        if had_focus:
            self._panel.tree.setFocus()
