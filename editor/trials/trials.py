"""Many bot games at once: processes beside the editor play them, their results come in as they are done."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from editor.background import Background, cores
from editor.trials import game
from editor.trials.game import Trial
from editor.trials.results import Results, results
from engine.raid.scenario import Scenario, format_scenario

LOOKED_AFTER: Final = 100  # ms between two looks at what the processes have sent
AHEAD: Final = 8
"""Games a process has at hand, so that it goes on with the next before it is looked at."""


class _Worker:
    """A process with the games it was given and has not told of yet, the one it plays first."""

    def __init__(self, raw: bytes, seats: Mapping[str, str]) -> None:
        self.process = Background(game.work)
        self.seeds: deque[int] = deque()
        self.is_ready = False
        self.process.send((raw, dict(seats)))


class Trials(QObject):
    """So many games of one scenario between bots, with seeds counted upwards.

    `progressed` follows every handful of results, `ended` the last one, a cancel, and errors of the
    scenario, which are `problems` then. The same scenario, seats and seeds give the same results, however
    many processes there are. A process that breaks off is one broken game; the others are played all the
    same. Where the system starts no more processes those that there are play on; with none left the trials
    end, and `refusal` says why.
    """

    progressed = Signal()
    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.count = 0
        self.problems: tuple[str, ...] = ()
        self.refusal = ""
        self._raw = b""
        self._seats: dict[str, str] = {}
        self._todo: deque[int] = deque()
        self._found: list[Trial] = []
        self._workers: list[_Worker] = []
        self._look = QTimer(self)
        self._look.setInterval(LOOKED_AFTER)
        self._look.timeout.connect(self._collect)
        # A window may go without being closed; its processes are not to play on.
        self.destroyed.connect(_ender(self._workers))

    @property
    def is_running(self) -> bool:
        """Whether games are being played."""
        return bool(self._workers)

    @property
    def done(self) -> int:
        """How many games are over or broken off."""
        return len(self._found)

    @property
    def found(self) -> Sequence[Trial]:
        """The games that are over or broken off, as they came."""
        return self._found

    @property
    def playing(self) -> tuple[int, ...]:
        """The seeds of the games being played just now."""
        return tuple(sorted(worker.seeds[0] for worker in self._workers if worker.is_ready and worker.seeds))

    @property
    def results(self) -> Results:
        """What the games so far tell."""
        return results(self._found)

    def start(self, scenario: Scenario, seats: Mapping[str, str], first: int, count: int) -> None:
        """Play so many games, the first with the seed `first`; any that are being played are cancelled."""
        self._end_all()
        self.count = count
        self.problems = ()
        self.refusal = ""
        self._raw, self._seats = format_scenario(scenario), dict(seats)
        self._todo = deque(range(first, first + count))
        self._found = []
        for _ in range(min(cores(), count)):
            if not self._employ():
                break
        if self.is_running:
            self._look.start()
        else:
            self._todo.clear()
            self.ended.emit()

    def _employ(self) -> bool:
        """Start another process; return whether the system let it, saying why it did not if none is left."""
        try:
            self._workers.append(_Worker(self._raw, self._seats))
        except OSError as error:
            if not self._workers:
                self.refusal = f"no process could be started to play them ({error.strerror or error})"
            return False
        return True

    @Slot()
    def cancel(self) -> None:
        """Stop at once; the results so far stay."""
        if self.is_running:
            self._end_all()
            self.ended.emit()

    def _end_all(self) -> None:
        self._look.stop()
        while self._workers:
            self._workers.pop().process.end()
        self._todo.clear()

    @Slot()
    def _collect(self) -> None:
        """Take in what the processes have sent, and give them more to do."""
        before = self.done
        for worker in tuple(self._workers):
            try:
                self._hear(worker)
            except (EOFError, OSError):
                self._bury(worker)
        if self.problems or self.done == self.count or not self.is_running:
            self._end_all()
        if self.done != before:
            self.progressed.emit()
        if not self.is_running:
            self.ended.emit()

    def _hear(self, worker: _Worker) -> None:
        """Read what a process has sent; raises EOFError where it has gone."""
        pipe = worker.process.pipe
        while pipe.poll():
            told = pipe.recv()
            if not worker.is_ready:
                self.problems = self.problems or told
                worker.is_ready = True
            else:
                worker.seeds.popleft()
                self._found.append(told)
        while worker.is_ready and self._todo and len(worker.seeds) < AHEAD:
            pipe.send(self._todo[0])
            worker.seeds.append(self._todo.popleft())

    def _bury(self, worker: _Worker) -> None:
        """Count the game a process broke off in as broken, and let another play what else it had."""
        self._workers.remove(worker)
        code = worker.process.end()
        if not worker.seeds and not worker.is_ready and self._todo:
            # It did not even read the scenario, and no other would.
            worker.seeds.append(self._todo.popleft())
        if worker.seeds:
            seed = worker.seeds.popleft()
            self._found.append(Trial(seed, error=f"the process that played it ended with code {code}"))
            self._todo.extendleft(reversed(worker.seeds))
        if self._todo and not self.problems:
            self._employ()


def _ender(workers: list[_Worker]) -> Callable[[], None]:
    """Return what ends processes when their owner is gone; it must not hold on to the owner itself."""

    def end() -> None:
        while workers:
            workers.pop().process.end()

    return end
