"""The checks beside the window: what is wrong with the draft, found in a process while drawing goes on."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Final, NamedTuple

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, Slot

from editor.background import Background
from editor.bench import Bench, Severity
from editor.draft import Draft, Square
from editor.problems.check import Checked, check, work
from editor.problems.muting import Muting
from editor.problems.places import Place, marked_squares, place_of
from editor.settings import EditorSettings
from engine.fortress.problems import Problem
from engine.raid.doctor import Diagnosis

DELAY: Final = 250  # ms from the last change to the check
LOOK: Final = 15  # ms between two looks for the answer
LIVES: Final = 2  # processes that a draft may cost before it is given up


class Counts(NamedTuple):
    """How many problems there are; muted warnings are not among the warnings."""

    errors: int = 0
    warnings: int = 0
    muted: int = 0


class Broken(Exception):
    """The checks themselves broke off; the traceback is that of their process."""


class Checker(QObject):
    """Checks the draft whenever it has been at rest for a moment, in a process of its own.

    `problems` are those of the last draft that was checked, `checked`, errors first; `changed` follows
    whenever they or what is muted change, `busy` whenever `is_busy` does. A gesture on its way is no
    change: only what is kept is checked. Answers about older drafts are thrown away.

    With `diagnoses` set the doctor looks at it too, and `diagnosis` says what he found.

    A process that dies is started again; where that is of no use, `is_broken` until the next change.
    """

    changed = Signal()
    busy = Signal()

    def __init__(self, bench: Bench, settings: EditorSettings | None = None) -> None:
        super().__init__(bench)
        self.bench = bench
        self.document = bench.document
        self.muting = Muting(bench.document, settings)
        self.problems: tuple[Problem, ...] = ()
        self.checked: Draft | None = None
        self.diagnosis: Diagnosis | None = None
        self._is_diagnosing = False
        self._diagnosed: Draft | None = None
        self.is_broken = False
        self._wanted = self.document.kept
        self._number = 0
        self._asked = 0  # the number of the draft that the process is at, 0 for none
        self._died = 0
        self._is_ready = False
        self._is_closed = False
        self._process: Background | None = None
        self._end: weakref.finalize[[], Checker] | None = None
        self._places: dict[Problem, Place] = {}
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(DELAY)
        self._rest.timeout.connect(self._ask)
        self._look = QTimer(self)
        self._look.setInterval(LOOK)
        self._look.timeout.connect(self._listen)
        self.document.changed.connect(self._follow)
        self.muting.changed.connect(self._tell)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.close)
        self._number = 1
        self._rest.start(0)

    # What was found

    @property
    def is_current(self) -> bool:
        """Whether the problems are those of the draft as it is kept."""
        return self.checked is not None and self.checked is self.document.kept

    @property
    def is_busy(self) -> bool:
        """Whether a check is on its way or about to begin."""
        return not self._is_done and not self.is_broken

    @property
    def _is_done(self) -> bool:
        return self.is_current and not (self._is_diagnosing and self._diagnosed is not self.checked)

    @property
    def diagnosed(self) -> Draft | None:
        """The draft that `diagnosis` is about, which the check may have left behind."""
        return self._diagnosed

    @property
    def diagnoses(self) -> bool:
        """Whether the doctor looks at every draft."""
        return self._is_diagnosing

    @diagnoses.setter
    def diagnoses(self, is_on: bool) -> None:
        if is_on != self._is_diagnosing:
            self._is_diagnosing = is_on
            if not self._is_done and not self._is_closed:
                self._number += 1
                self._rest.start(0)

    @property
    def has_errors(self) -> bool:
        """Whether something is known that keeps the draft from being played; it can be saved all the same."""
        return any(problem.severity == "error" for problem in self.problems)

    @property
    def told(self) -> tuple[Problem, ...]:
        """The problems without muted warnings."""
        return tuple(problem for problem in self.problems if not self.muting.is_muted(problem))

    @property
    def muted(self) -> tuple[Problem, ...]:
        """The muted warnings."""
        return tuple(problem for problem in self.problems if self.muting.is_muted(problem))

    @property
    def counts(self) -> Counts:
        """How many problems there are."""
        errors = sum(problem.severity == "error" for problem in self.problems)
        muted = len(self.muted)
        return Counts(errors, len(self.problems) - errors - muted, muted)

    def place_of(self, problem: Problem) -> Place:
        """Return where a problem is, in the draft that it was found in."""
        place = self._places.get(problem)
        if place is None:
            place = self._places[problem] = place_of(problem, self.checked or self.document.kept)
        return place

    def check_now(self) -> tuple[Problem, ...]:
        """Return the problems of the draft as it is, checked here and now if need be: before it is played."""
        kept = self.document.kept
        if self.checked is not kept:
            self._take(check(kept), kept)
        return self.problems

    # The process

    @Slot()
    def close(self) -> None:
        """End the process; nothing is checked any more."""
        self._is_closed = True
        self._rest.stop()
        self._look.stop()
        self._stop()

    @Slot()
    def _follow(self) -> None:
        """Note another draft to check, and wait for more."""
        if self.document.kept is self._wanted or self._is_closed:
            return
        was_busy = self.is_busy
        self._wanted = self.document.kept
        self._number += 1
        self._died = 0
        self.is_broken = False
        self._rest.start(DELAY)
        if not was_busy:
            self.busy.emit()

    @Slot()
    def _ask(self) -> None:
        """Send the draft, unless the process is at another one: then it is sent when that is done."""
        if self._process is None:
            self._start()
        process = self._process
        if process is None or not self._is_ready or self._asked:
            return
        if self._rest.isActive() or self._is_done:
            return
        process.send((self._number, self._wanted, self._is_diagnosing))
        self._asked = self._number
        self._look.start()

    def _start(self) -> None:
        self._is_ready = False
        self._asked = 0
        try:
            process = Background(work)
        except OSError:  # no more processes: better slowly than not at all
            self._take(check(self._wanted), self._wanted)
            return
        self._process = process
        self._end = weakref.finalize(self, process.end)
        self._look.start()

    def _stop(self) -> None:
        self._process = None
        self._asked = 0
        if self._end is not None:
            self._end()

    @Slot()
    def _listen(self) -> None:
        """Look whether the process has said something."""
        process = self._process
        if process is None:
            self._look.stop()
            return
        try:
            if not process.pipe.poll():
                return
            answer = process.pipe.recv()
        except (EOFError, OSError):
            self._lose()
            return
        self._look.stop()
        if not isinstance(answer, Checked):
            self._is_ready = True
        else:
            self._asked = 0
            if answer.number == self._number:
                self._hear(answer)
        self._ask()

    def _hear(self, answer: Checked) -> None:
        if answer.error:
            self._give_up()
            raise Broken(answer.error)
        if answer.diagnosis is not None or self._is_diagnosing:
            self.diagnosis = answer.diagnosis
            self._diagnosed = self._wanted
        self._take(answer.problems, self._wanted)

    def _lose(self) -> None:
        """Go on after the process died: with another one, unless the draft itself seems to kill them."""
        self._stop()
        self._died += 1
        if self._died < LIVES:
            self._ask()
        else:
            self._give_up()

    def _give_up(self) -> None:
        self.is_broken = True
        self.busy.emit()
        self.changed.emit()

    def _take(self, problems: tuple[Problem, ...], draft: Draft) -> None:
        self.problems = problems
        self.checked = draft
        self._places.clear()
        self._tell()
        self.busy.emit()

    @Slot()
    def _tell(self) -> None:
        self.bench.set_marks(self._marks())
        self.changed.emit()

    def _marks(self) -> Mapping[Square, Severity]:
        """Return the squares with problems, each with the worst; of whole rooms only the first square."""
        draft = self.checked
        marks: dict[Square, Severity] = {}
        if draft is None:
            return marks
        for problem in reversed(self.told):
            for square in marked_squares(problem, draft):
                marks[square] = problem.severity
        return marks
