"""A host and its bot guests as processes of their own, which tests cut off and kill; what must come of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from engine.core.record import Record, load_record
from engine.raid.scenario import SHIPPED
from tests.helpers.lan_bot import REFUSED, SENT, TAKEN, UNKNOWN
from tests.helpers.program import ROOT

WITHIN: Final = 60.0  # seconds for what takes one or two
LOOPBACK: Final = "127.0.0.1"
HOME_MADE: Final = str(ROOT / "tests/designs/version-1/scenario.json")
SCENARIOS: Final = (*SHIPPED, HOME_MADE)


class Program:
    """One process after another that do the same, each with its output in a file of its own."""

    def __init__(self, folder: Path, home: Path) -> None:
        self._folder = folder
        self._home = home
        self._count = 0
        self.process: subprocess.Popen[bytes] | None = None
        self.out = self.errors = folder / "none"

    def start(self, *args: str) -> None:
        """Start it anew."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self.out = self._folder / f"out-{self._count}.txt"
        self.errors = self._folder / f"errors-{self._count}.txt"
        self._count += 1
        home = {
            f"XDG_{name}_HOME": str(self._home / name.lower())
            for name in ("DATA", "CONFIG", "STATE", "CACHE")
        }
        # Each has a home of its own, whatever a test before has left for its own process.
        inherited = {name: value for name, value in os.environ.items() if name != "KUNGFU2100_DATA"}
        with self.out.open("wb") as out, self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", *args],
                cwd=ROOT,
                env={**inherited, **home, "PYTHONPATH": str(ROOT)},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=errors,
            )

    @property
    def is_running(self) -> bool:
        """Whether the process is there."""
        return self.process is not None and self.process.poll() is None

    @property
    def code(self) -> int | None:
        """The exit code of the last process, None while it runs."""
        return None if self.process is None else self.process.poll()

    def told(self, event: str) -> dict[str, Any]:
        """Return what it says of an event in a line of JSON, once it does."""
        found: list[dict[str, Any]] = []

        def is_told() -> bool:
            lines = self.out.read_text("utf-8").splitlines(keepends=True)
            found[:] = [json.loads(line) for line in lines if line.endswith("\n")]
            assert self.is_running, self.errors.read_text("utf-8")
            return any(one["event"] == event for one in found)

        wait_until(is_told)
        return next(one for one in found if one["event"] == event)

    def kill(self) -> None:
        """End it as a power cut does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()


class Host(Program):
    """`kungfu2100 serve` on loopback, unannounced."""

    port = 0
    codes: tuple[str, ...] = ()
    records: tuple[Path, ...] = ()

    def begin(self, *scenarios: str, games: int = 1) -> None:
        """Start it with new games."""
        self._serve(*scenarios, "--games", str(games))
        told = self.told("serving")
        self.port = told["port"]
        self.codes = tuple(table["code"] for table in told["tables"])
        self.records = tuple(Path(table["record"]) for table in told["tables"])

    def again(self) -> None:
        """Start it with the games it had, where it was; does not wait until it is there."""
        self._serve()

    def _serve(self, *more: str) -> None:
        self.start(
            *("app", "serve", *more, "--folder", str(self._folder / "games"), "--bind", LOOPBACK),
            *("--port", str(self.port), "--no-announce", "--json", "--pace", "0"),
        )


class Player(Program):
    """A program that plays a side and keeps a diary."""

    def __init__(self, folder: Path, side: str) -> None:
        super().__init__(folder, folder / "home")
        self.side = side
        self.diary_path = folder / "diary.txt"

    @property
    def result(self) -> dict[str, Any]:
        """What it said of the finished game."""
        raise NotImplementedError

    @property
    def attempts(self) -> list[tuple[Any, str]]:
        """What it chose, and what the host said to each as far as it heard."""
        attempts: list[tuple[Any, str]] = []
        for line in self.diary_path.read_text("utf-8").split("\n"):
            if line.endswith("}"):  # a program that is killed may leave half a line
                told = json.loads(line)
                if told["what"] != SENT:
                    attempts.pop()
                attempts.append((told["choice"], UNKNOWN if told["what"] == SENT else told["what"]))
        return attempts


class Bot(Player):
    """`kungfu2100 join --bot` with a diary, which comes back to its seat whenever it is started again."""

    def __init__(self, folder: Path, side: str, code: str, bot: str = "random", pause: float = 0.0) -> None:
        super().__init__(folder, side)
        self._code = code
        self._bot = bot
        self._pause = pause
        self.started = 0

    def play(self, port: int) -> None:
        """Start it: it takes its seat, or comes back to it."""
        has_ticket = any((self._home / "data/kungfu2100/lan/tickets").glob("*.json"))
        # A host that was killed before it noted the seat does not know of it: a person joins again.
        is_unknown = self.started and "knows of no seat" in self.errors.read_text("utf-8")
        seat = ("--back",) if has_ticket and not is_unknown else ("--seat", self.side)
        self.started += 1
        self.start(
            *("tests.helpers.lan_bot", str(self.diary_path), str(self._pause)),
            *("join", f"{LOOPBACK}:{port}", self._code, "--bot", self._bot, "--json", *seat),
        )

    @property
    def has_been_welcomed(self) -> bool:
        """Whether it has ever had its seat, and so must find back to it by itself."""
        lines = (path.read_text("utf-8") for path in self._folder.glob("errors-*.txt"))
        return any("connected" in line.splitlines() for line in lines)

    @property
    def result(self) -> dict[str, Any]:
        """What it said of the finished game."""
        assert self.code == 0, self.errors.read_text("utf-8")
        result = json.loads(self.out.read_text("utf-8"))
        assert isinstance(result, dict)
        return result


class Window(Player):
    """A whole window that plays by itself, and goes on where it is started again."""

    def play(self, pause: float, *how: str) -> None:
        """Show it; `how` is that of `lan_player`."""
        self.start("tests.helpers.lan_player", str(self.diary_path), str(pause), *how)

    @property
    def result(self) -> dict[str, Any]:
        """What it says of the finished game, once it is finished."""
        return self.told("over")


def wait_until(holds: Callable[[], bool], within: float = WITHIN) -> None:
    """Wait for something, but not for ever."""
    end = time.monotonic() + within
    while not holds():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.01)


def check_game(host_record: Path, bots: Sequence[Player]) -> Record:
    """Return a game's record, which must be whole, the same for all, and hold what was chosen once."""
    results = [bot.result for bot in bots]
    record = load_record(host_record)
    for bot, result in zip(bots, results, strict=True):
        assert result["sound"], result["proof"]
        assert load_record(result["record"]) == record, "the records differ"
        taken = [one.choice for one in record.choices if one.side == bot.side]
        assert is_explained(taken, bot.attempts), f"the {bot.side}'s choices are not those of the record"
    return record


def is_explained(taken: Sequence[Any], attempts: Sequence[tuple[Any, str]]) -> bool:
    """Whether choices are what a host took of a guest's attempts, in their order, none left out or twice.

    Of an attempt without an answer either may be true.
    """
    ends = {0}  # how many choices the attempts so far may have made
    for choice, what in attempts:
        on = {end + 1 for end in ends if end < len(taken) and taken[end] == choice}
        ends = on if what == TAKEN else ends if what == REFUSED else ends | on
    return len(taken) in ends
