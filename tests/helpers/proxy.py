"""A bad line between guests and a host: a TCP proxy on loopback that delays, splits, spoils and cuts.

What it does follows from a seed and from how many bytes have gone by, not from the clock, so that cuts fall
into handshakes, questions, answers and pushes alike.
"""

from __future__ import annotations

import asyncio
import random
import socket
import struct
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Literal, Self

LOOPBACK: Final = "127.0.0.1"
CHUNK: Final = 64 * 1024
SPOILT: Final = 40  # bytes that come twice or not at all
# Bytes after which a guest has come in, and has played for a while.
PLAYING: Final = (20_000, 120_000)
PLAYING_TOWARDS_HOST: Final = (2_000, 4_500)

Fate = Literal["close", "reset", "half", "repeat", "drop", "flip", "swallow"]
FATES: Final[tuple[Fate, ...]] = ("close", "reset", "half", "repeat", "drop", "flip", "swallow")


@dataclass(frozen=True)
class Line:
    """How one connection behaves.

    Each piece of at most `piece` bytes (None: as it comes) waits up to `delay` seconds. After so many bytes
    in one direction its fate comes: it is closed or reset, or ends in this direction only ("half"), some
    bytes come twice, are missing or changed, or all are swallowed from now on.
    """

    delay: float = 0.0
    piece: int | None = None
    fate: Fate | None = None
    after: int = 0
    is_towards_host: bool = False


def lines(seed: int, count: int, fates: tuple[Fate, ...] = FATES[:-1]) -> Iterator[Line]:
    """Yield a number of connections with a fate, delayed and split by chance, then sound ones.

    Every fourth ends while its guest still comes in, the others while the game goes on.
    """
    chance = random.Random(seed)
    for number in range(count):
        is_towards_host = chance.random() < 0.4
        if number % 4 == 3:
            after = int(10 ** chance.uniform(1.5, 4.0))
        else:
            after = chance.randrange(*(PLAYING_TOWARDS_HOST if is_towards_host else PLAYING))
        yield Line(
            delay=chance.choice((0.0, 0.0, 0.002, 0.01)),
            piece=chance.choice((None, None, 1000, 300)),
            fate=chance.choice(fates),
            after=after,
            is_towards_host=is_towards_host,
        )
    while True:
        yield Line()


class Proxy:
    """Carries connections to a port of this machine, in a thread of its own.

    `done` counts the fates that have come, `gone` the bytes towards the host (True) and from it (False).
    """

    def __init__(self, target: int, plan: Iterator[Line], seed: int = 0) -> None:
        self.target = target
        self.port = 0
        self.done: Counter[Fate] = Counter()
        self.gone: Counter[bool] = Counter()
        self.is_swallowing = False
        self._plan = plan
        self._chance = random.Random(seed)
        self._is_ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop
        self._is_closing: asyncio.Event
        self._carried: set[asyncio.Task[None]] = set()
        self._ends: set[asyncio.StreamWriter] = set()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="proxy", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._is_ready.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._is_closing.set)
        self._thread.join()

    def cut(self) -> None:
        """End all connections there are, without a word."""
        self._loop.call_soon_threadsafe(self._cut)

    def swallow(self, is_on: bool = True) -> None:
        """Let nothing through any more, on the connections there are and on new ones, which it accepts."""
        self.is_swallowing = is_on

    # The thread.

    async def _serve(self) -> None:
        self._loop, self._is_closing = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._meet, LOOPBACK, 0)
        self.port = server.sockets[0].getsockname()[1]
        self._is_ready.set()
        await self._is_closing.wait()
        server.close()
        carried = tuple(self._carried)
        for task in carried:
            task.cancel()
        await asyncio.gather(*carried, return_exceptions=True)
        self._cut()

    def _cut(self) -> None:
        for writer in self._ends:
            writer.transport.abort()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._carried.add(task)
        self._ends.add(writer)
        try:
            if self.is_swallowing:
                await reader.read()  # whatever comes, until the caller gives up
                return
            # Cancelled at the end only; a stream's own callback must not hear of it.
            with suppress(OSError, asyncio.CancelledError):
                await self._carry(reader, writer, next(self._plan))
        finally:
            writer.transport.abort()
            self._carried.discard(task)
            self._ends.discard(writer)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, line: Line) -> None:
        host_reader, host_writer = await asyncio.open_connection(LOOPBACK, self.target)
        self._ends.add(host_writer)
        doomed = _Doomed(line)
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pump(reader, host_writer, doomed, is_towards_host=True))
                both.create_task(self._pump(host_reader, writer, doomed, is_towards_host=False))
        except* (_Cut, OSError):
            if line.fate == "reset":
                _make_reset(writer)
                _make_reset(host_writer)
        finally:
            host_writer.transport.abort()
            self._ends.discard(host_writer)

    async def _pump(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        doomed: _Doomed,
        *,
        is_towards_host: bool,
    ) -> None:
        line = doomed.line
        gone = 0
        while data := await reader.read(CHUNK):
            size = line.piece or len(data)
            for start in range(0, len(data), size):
                piece = data[start : start + size]
                if line.delay:
                    await asyncio.sleep(self._chance.uniform(0.0, line.delay))
                if doomed.is_due(gone + len(piece), is_towards_host=is_towards_host):
                    assert line.fate is not None
                    self.done[line.fate] += 1
                    piece = await doomed.come(piece, line.after - gone, writer)
                    if line.fate == "half":
                        writer.write(piece)
                        writer.write_eof()
                        return
                gone += len(piece)
                self.gone[is_towards_host] += len(piece)
                if not (self.is_swallowing or doomed.is_swallowed):
                    writer.write(piece)
                    await writer.drain()
        if not (self.is_swallowing or doomed.is_swallowed):
            writer.write_eof()


class _Cut(Exception):
    """The connection ends here."""


class _Doomed:
    """A connection whose fate comes once."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.is_swallowed = False
        self._has_come = False

    def is_due(self, gone: int, *, is_towards_host: bool) -> bool:
        """Whether the fate comes now, when so many bytes will have gone in a direction."""
        line = self.line
        is_mine = line.fate is not None and line.is_towards_host == is_towards_host
        if self._has_come or not is_mine or gone <= line.after:
            return False
        self._has_come = True
        return True

    async def come(self, piece: bytes, at: int, writer: asyncio.StreamWriter) -> bytes:
        """Bring the fate about at a byte of a piece, and return what goes on instead; raises _Cut."""
        before, after = piece[:at], piece[at:]
        match self.line.fate:
            case "repeat":
                return before + after[:SPOILT] + after
            case "drop":
                return before + after[SPOILT:]
            case "flip":
                return before + bytes((after[0] ^ 0x40,)) + after[1:]
            case "swallow":
                self.is_swallowed = True
                return b""
            case "half":
                return before
        writer.write(before)
        await writer.drain()
        raise _Cut


def _make_reset(writer: asyncio.StreamWriter) -> None:
    """Let a connection end as if its machine had never known of it."""
    end: socket.socket | None = writer.get_extra_info("socket")
    if end is not None:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
