"""What one `kungfu2100 serve` bears: many games at once, played by bot guests over TLS; run it by hand.

    python -m tests.benchmarks.lan [GAMES] [BOT] [SECONDS]

With SECONDS each guest thinks so long before a choice, as people do, and all stop after a minute; without
them they play as fast as they can, to the end, so that the host has always all games waiting for it.

All games begin together on one host on loopback; its guests are two more processes, one for each side. Then
the same bots play as many games in one process, without any network. Reported are games and choices a
second, the host's processor time and memory, how long an answer took, and how many times the processor time
of the games alone the host takes for serving them. What the host writes goes to a real disk.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from app.lan.certificate import fingerprint_of, guest_context
from app.lan.codes import GuestSide, parse_code
from app.lan.guest.remote import RemoteMatch
from engine.bots import make_bot
from engine.core.lan_protocol import (
    LAN_VERSION,
    WATCH,
    GreetRequest,
    JoinAnswer,
    JoinRequest,
    LanAnswer,
    OpenRequest,
    ProveRequest,
    SealsAnswer,
    UpdateAnswer,
    WelcomeAnswer,
    parse_lan_answer,
)
from engine.core.match import play
from engine.core.protocol import (
    Answer,
    ChooseRequest,
    ErrorAnswer,
    Request,
    StateAnswer,
    StateRequest,
    format_message,
)
from engine.core.shares import make_share, seal_of
from engine.raid.figures import SIDES
from engine.raid.match import RULES, RaidMatch
from engine.raid.scenario import load_scenario
from tests.helpers.caller import Caller

MINUTE = 60.0
LOOPBACK = "127.0.0.1"
AT_ONCE = 8  # guests of a process that come in at the same time
TICK = os.sysconf("SC_CLK_TCK")


# The guests


class Guest:
    """A bot at one seat, on one of many connections of this process; `pause` are seconds before a choice."""

    def __init__(self, port: int, side: str, bot: str, code: str, pause: float) -> None:
        self.pause = pause
        self.port, self.side, self.code = port, side, code
        self.player = make_bot(bot, f"{code} {side}")
        self.choices = 0
        self._share = make_share()
        self._id = 0
        self._match: RemoteMatch | None = None
        self._board: Any = None
        self._seen = 0
        self._lapsed: tuple[int, str] | None = None

    async def play(self, coming_in: asyncio.Semaphore) -> None:
        """Take the seat and play to the end."""
        from websockets.asyncio.client import connect

        async with coming_in:
            wire = await connect(
                f"wss://{LOOPBACK}:{self.port}/",
                ssl=guest_context(),
                proxy=None,
                compression=None,
                max_size=None,
                open_timeout=60,
                ping_interval=None,
            ).__aenter__()
            await self._join(wire)
        assert self._match is not None
        end = time.monotonic() + MINUTE if self.pause else math.inf
        while not self._match.is_over and time.monotonic() < end:
            with suppress(TimeoutError):
                async with asyncio.timeout(end - time.monotonic() if self.pause else None):
                    await self._take(parse_lan_answer(await wire.recv(decode=False)), wire)
            while time.monotonic() < end and (request := self._next()) is not None:
                await self._ask(wire, request)
                # Not all at the same moment, as no clock strikes for people.
                await asyncio.sleep(self.pause * (0.5 + random.random()))
        await wire.close()

    async def _join(self, wire: Any) -> None:
        certificate = wire.transport.get_extra_info("ssl_object").getpeercert(binary_form=True)
        table, secret = parse_code(self.code)
        half = GuestSide(secret, fingerprint_of(certificate))
        await self._ask(wire, GreetRequest(version=LAN_VERSION, program="benchmark"))
        joined = await self._ask(wire, JoinRequest(table=table, pake=half.message))
        while not isinstance(joined, JoinAnswer):  # too many joined just then
            await asyncio.sleep(1.0)
            joined = await self._ask(wire, JoinRequest(table=table, pake=half.message))
        proof = half.prove(joined.pake, joined.commitment)
        welcome = await self._ask(
            wire,
            ProveRequest(
                proof=proof,
                name=self.side,
                seat=self.side,
                seals={self.side: seal_of(self.side, self._share)},
                token=make_share(),
            ),
        )
        assert isinstance(welcome, WelcomeAnswer)
        self._match = RemoteMatch(welcome, _ask_nobody)

    async def _ask(self, wire: Any, request: Request) -> LanAnswer:
        self._id += 1
        await wire.send(format_message(msgspec.structs.replace(request, id=self._id)), text=True)
        while True:
            answer = parse_lan_answer(await wire.recv(decode=False))
            if answer.id == self._id:
                if isinstance(answer, ErrorAnswer):
                    # At the end of the minute the other player is gone first.
                    assert answer.kind in ("stale-choice", "paused", "too-often"), answer
                return answer
            await self._take(answer, wire)

    async def _take(self, told: LanAnswer, wire: Any) -> None:
        if isinstance(told, SealsAnswer):
            await self._ask(wire, OpenRequest(share=self._share))
        if isinstance(told, UpdateAnswer) and self._match is not None:
            self._match.take(told)

    def _next(self) -> Request | None:
        match = self._match
        assert match is not None
        if not match.has_begun or match.is_over:
            return None
        if match.board is not self._board:
            self._board = match.board
            self.player.begin(self.side, match.scenario, match.board)
        count = match.event_count(self.side)
        if self.player.wants_events and count > self._seen:
            self.player.see(match.events(self.side, self._seen))
        self._seen = count
        for decision in sorted(match.decisions(), key=lambda one: not one.optional):
            if self._lapsed == (match.revision, decision.kind):
                continue
            view = match.view(self.side) if self.player.wants_view else None
            choice = self.player.decide(view, decision)
            if choice is not None:
                self.choices += 1
                packed = msgspec.Raw(msgspec.json.encode(RULES.pack_choice(choice)))
                return ChooseRequest(side=self.side, choice=packed, revision=decision.revision)
            self._lapsed = match.revision, decision.kind
        return None


def _ask_nobody(request: Request) -> Answer:
    raise AssertionError("the guest sends what it chooses itself")


async def play_all(port: int, side: str, bot: str, pause: float, codes: Sequence[str]) -> dict[str, Any]:
    """Play one side of many games at once."""
    guests = [Guest(port, side, bot, code, pause) for code in codes]
    coming_in = asyncio.Semaphore(AT_ONCE)
    await asyncio.gather(*(guest.play(coming_in) for guest in guests))
    return {"choices": sum(guest.choices for guest in guests)}


class Onlooker:
    """One more guest, who looks on at one table and asks ten times a second; in a thread of this process.

    The other guests would measure how long they wait for one another in their process.
    """

    def __init__(self, port: int, code: str) -> None:
        self._caller = Caller(port)
        self._caller.join(code.replace("-", ""), "Onlooker", WATCH)
        self._is_over = threading.Event()
        self._waits: list[float] = []
        self._thread = threading.Thread(target=self._ask)
        self._thread.start()

    def _ask(self) -> None:
        while not self._is_over.wait(0.1):
            began = time.monotonic()
            answer = self._caller.ask(StateRequest())
            if isinstance(answer, StateAnswer):  # the game has begun
                self._waits.append(time.monotonic() - began)
            self._caller.pushed.clear()
        self._caller.close()

    def stop(self) -> list[float]:
        """Return how long each answer took, the shortest first."""
        self._is_over.set()
        self._thread.join()
        return sorted(self._waits)


# The host


class Host:
    """`kungfu2100 serve` as a process of its own."""

    def __init__(self, folder: Path, games: int, bot: str) -> None:
        command = [
            sys.executable,
            "-m",
            "app",
            "serve",
            "basic",
            "--games",
            str(games),
            "--folder",
            str(folder),
        ]
        profile = os.environ.get("PROFILE")
        if profile:
            command[1:1] = ["-m", "cProfile", "-o", profile]
        self.process = subprocess.Popen(
            [*command, "--bind", LOOPBACK, "--port", "0", "--no-announce", "--json"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        assert self.process.stdout is not None
        self.told = json.loads(self.process.stdout.readline())

    @property
    def seconds(self) -> tuple[float, float]:
        """The processor time it has taken, all of it and what the system took for it."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        user, system = int(fields[11]) / TICK, int(fields[12]) / TICK
        return user + system, system

    @property
    def peak(self) -> float:
        """The most memory it has had, in MB."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
        return 0.0

    def stop(self) -> None:
        """Interrupt it."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=60)


def served(games: int, bot: str, pause: float) -> dict[str, float]:
    """Play games on one host; return the figures."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", ".")) as folder:
        host = Host(Path(folder) / "host", games, bot)
        try:
            codes = [table["code"] for table in host.told["tables"]]
            before, began = host.seconds, time.monotonic()
            guests = [
                subprocess.Popen(
                    [
                        sys.executable,
                        "-m",
                        "tests.benchmarks.lan",
                        "guests",
                        str(host.told["port"]),
                        side,
                        bot,
                        str(pause),
                        *codes,
                    ],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                )
                for side in SIDES
            ]
            onlooker = Onlooker(host.told["port"], codes[0])
            told = [json.loads(guest.communicate(timeout=1800)[0]) for guest in guests]
            wall = time.monotonic() - began
            cpu, system = (now - then for now, then in zip(host.seconds, before, strict=True))
            choices = sum(one["choices"] for one in told)
            waits = onlooker.stop()
            return {
                "wall": wall,
                "cpu": cpu,
                "system": system,
                "peak": host.peak,
                "choices": choices,
                "median": statistics.median(waits),
                "p99": waits[len(waits) * 99 // 100],
                "longest": waits[-1],
            }
        finally:
            host.stop()


def alone(games: int, bot: str) -> tuple[float, int]:
    """Play games in this process, saved as the host saves them; return processor seconds and choices."""
    scenario = load_scenario("basic")
    choices = 0
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", ".")) as folder:
        began = time.process_time()
        for seed in range(games):
            match = RaidMatch.new(scenario, str(seed), path=Path(folder) / f"{seed}.json")
            play(match, {side: make_bot(bot, f"{seed} {side}") for side in SIDES})
            choices += match.length
        return time.process_time() - began, choices


def main() -> None:
    """Measure and print."""
    if sys.argv[1:2] == ["guests"]:
        port, side, bot, seconds_each, *codes = sys.argv[2:]
        print(json.dumps(asyncio.run(play_all(int(port), side, bot, float(seconds_each), codes))))
        return
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    bot = sys.argv[2] if len(sys.argv) > 2 else "rulebook"
    pause = float(sys.argv[3]) if len(sys.argv) > 3 else 0.0
    own = max(3, games // 10)
    seconds, choices = alone(own, bot)
    rate = choices / seconds
    print(f"In one process: {seconds / own:.2f} s of the processor a game, {rate:,.0f} choices a second")
    found = served(games, bot, pause)
    speed = f"{games / found['wall']:.2f} games/s, " if not pause else ""
    print(
        f"{games} games at once on one host: {found['wall']:.0f} s, {speed}"
        f"{found['choices'] / found['wall']:,.0f} choices/s"
    )
    print(
        f"The host: {1000 * found['cpu'] / found['choices']:.2f} ms of the processor a choice "
        f"({found['system'] / found['cpu']:.0%} of it in the system), "
        f"{found['cpu'] / found['wall']:.0%} of one processor; "
        f"{found['peak']:.0f} MB at the peak"
    )
    median, rare, longest = (1000 * found[key] for key in ("median", "p99", "longest"))
    print(
        f"One who looks on had answers in {median:.0f} ms, 1 of 100 took longer than {rare:.0f} ms, "
        f"none longer than {longest:.0f} ms"
    )
    ratio = found["cpu"] / found["choices"] * rate
    print(f"Serving takes r = {ratio:.2f} times the processor time of the games alone")


if __name__ == "__main__":
    main()
