"""Lets connections in, and keeps out those beyond the limits before anything of theirs is read."""

from __future__ import annotations

import socket
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from app.lan import limits

SEND_BUFFER = 256 * 1024  # bytes that the system holds for one peer, however little he reads
BACKLOG = 64
SELECTED = 512  # sockets that a loop of Windows can look at
SPARE = 64  # files and sockets that the program has open otherwise
TOLD = 4  # connections that are let in only to be told that there are too many


def most_connections() -> int:
    """Return how many connections the system allows this program, besides the files it needs."""
    if sys.platform == "win32":
        return min(limits.CONNECTIONS, SELECTED - SPARE)
    import resource

    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return limits.CONNECTIONS if allowed < 0 else max(SPARE, min(limits.CONNECTIONS, allowed - SPARE))


class Caller(NamedTuple):
    """Where a connection comes from."""

    address: str
    port: int


class Door:
    """Counts the connections; one waits until it has joined a table.

    Where too many wait, the one that has waited longest makes room, so that idle connections keep nobody
    out; one address alone is refused before that.
    """

    def __init__(self) -> None:
        self._most = most_connections()
        self._from: Counter[str] = Counter()
        self._waiting: dict[Caller, Callable[[], None]] = {}
        self._arrivals = limits.Arrivals()

    @property
    def count(self) -> int:
        """How many connections there are."""
        return self._from.total()

    @property
    def is_full(self) -> bool:
        """Whether only as many more may come as are told so."""
        return self.count > self._most - TOLD

    @property
    def waiting(self) -> int:
        """How many of them are at no table yet."""
        return len(self._waiting)

    def enter(self, caller: Caller, drop: Callable[[], None]) -> bool:
        """Count a connection, which `drop` would end, unless there are too many."""
        address = limits.plain_address(caller.address)
        waiting = sum(limits.plain_address(one.address) == address for one in self._waiting)
        is_stranger = not limits.is_own_machine(address)
        if (
            self.count >= self._most
            or self._from[address] >= limits.connections_of(address)
            or (is_stranger and waiting >= limits.WAITING_PER_ADDRESS)
            or self._arrivals.take(address)
        ):
            return False
        if len(self._waiting) >= limits.WAITING:
            longest = next(iter(self._waiting))
            self._waiting.pop(longest)()
        self._from[address] += 1
        self._waiting[caller] = drop
        return True

    def join(self, caller: Caller) -> None:
        """Note that a connection waits no longer."""
        self._waiting.pop(caller, None)

    def leave(self, caller: Caller) -> None:
        """Note that a connection has ended."""
        address = limits.plain_address(caller.address)
        self._waiting.pop(caller, None)
        self._from[address] -= 1
        if self._from[address] <= 0:
            del self._from[address]


class _Taken(socket.socket):
    """A peer's socket, which tells when it is closed."""

    on_close: Callable[[], None] | None = None

    def close(self) -> None:
        told, self.on_close = self.on_close, None
        super().close()
        if told is not None:
            told()

    def drop(self) -> None:
        """End the connection; whoever reads from it notices, and closes."""
        with suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)


class Listener(socket.socket):
    """The host's socket: whom the door refuses is closed before TLS begins, so that a flood costs little.

    It is for loops that accept by themselves, as asyncio's SelectorEventLoop does.
    """

    door: Door

    @classmethod
    def at(cls, address: str, port: int, door: Door) -> Listener:
        """Listen at an address, all of the machine's for ""; port 0 is any that is free. Raises OSError."""
        has_both = not address and socket.has_dualstack_ipv6()
        made = socket.create_server(
            (address, port),
            family=socket.AF_INET6 if has_both or ":" in address else socket.AF_INET,
            backlog=BACKLOG,
            dualstack_ipv6=has_both,
        )
        listener = cls(made.family, made.type, made.proto, fileno=made.detach())
        listener.door = door
        listener.setblocking(False)
        return listener

    @property
    def port(self) -> int:
        """Where it listens."""
        number: int = self.getsockname()[1]
        return number

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection that the door lets in; raises BlockingIOError where none waits."""
        while True:
            made, address = super().accept()
            caller = Caller(*address[:2])
            taken = _Taken(made.family, made.type, made.proto, fileno=made.detach())
            if not self.door.enter(caller, taken.drop):
                taken.close()
                continue
            taken.on_close = lambda caller=caller: self.door.leave(caller)
            with suppress(OSError):
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
                taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return taken, address
