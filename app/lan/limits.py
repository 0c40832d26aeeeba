"""What a host grants to strangers and guests, so that none of them can hurt the game of the others.

Sizes of messages, names and lines are part of the wire: `engine.core.lan_protocol`. A limit that was
reached is told with its reason where an answer is due, and what is over it waits or is dropped; nothing
that a peer sends makes a list grow without an end.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

Clock = Callable[[], float]  # seconds, never going back

# Connections

CONNECTIONS: Final = 512  # in all; each is a file handle, of which many systems give 1024 to a program
CONNECTIONS_PER_ADDRESS: Final = 16  # a household or a club room behind one router
CONNECTIONS_OF_OWN_MACHINE: Final = 400  # two bots at each of 100 tables, and their spectators
WAITING: Final = 128  # in all that are not at a table yet; beyond, the longest waiting one makes room
WAITING_PER_ADDRESS: Final = 8
ARRIVALS: Final = 5.0  # connections a second of an address; each costs the host two milliseconds for TLS
ARRIVAL_BURST: Final = 40  # a club room comes back after its router fell over

# Time, in seconds

HANDSHAKE_SECONDS: Final = 5.0  # for TLS, and again for WebSocket: a fraction of a second on any network
GREET_SECONDS: Final = 5.0  # from there to the greeting, which a program sends at once
JOIN_SECONDS: Final = 30.0  # from the greeting to a seat; who types a code meanwhile needs no connection
SEND_SECONDS: Final = 10.0  # for a message to leave; who does not read is no better than one who is gone
CLOSE_SECONDS: Final = 1.0  # for a goodbye

# Messages. Who sends faster is read more slowly, so that his own line fills up and not the host's memory.

STRANGER_MESSAGES: Final = 5.0  # a second, before a seat is taken: a greeting and a code are three
STRANGER_BURST: Final = 10
STRANGER_FAULTS: Final = 3  # refused messages before a seat is taken, then the connection ends
MESSAGES: Final = 100.0  # a second, of a guest; a person's window sends three, a bot as many as it can
MESSAGE_BURST: Final = 200
WORK: Final = 0.5  # seconds of the host's time in a second, for one guest's requests; others need the rest
WORK_BURST: Final = 2.0
FAULTS: Final = 1.0  # refused messages a second of a guest; beyond, with the burst used up, he is cut off
FAULT_BURST: Final = 60
CHATS: Final = 1.0  # lines a second of a guest, also such as the table says of his offers and his bot
CHAT_BURST: Final = 10  # more are refused
CONTROLS: Final = 5.0  # pings and pongs a second; ours are answered, and a program sends few of its own
CONTROL_BURST: Final = 50
AGREEMENTS: Final = 20.0  # a second of all strangers: each costs the host 10 ms
AGREEMENT_BURST: Final = 100


# Memory

ADDRESSES_KEPT: Final = 1024  # whose doings are remembered; some 200 kB


def is_own_machine(address: str) -> bool:
    """Whether a connection comes from the host's machine itself."""
    try:
        return ipaddress.ip_address(plain_address(address)).is_loopback
    except ValueError:
        return False


def connections_of(address: str) -> int:
    """Return how many connections an address may have."""
    return CONNECTIONS_OF_OWN_MACHINE if is_own_machine(address) else CONNECTIONS_PER_ADDRESS


def plain_address(address: str) -> str:
    """Return an IP address in the one form it is counted by.

    All of a home network shares one /64 of IPv6, so whole addresses are counted there as well: who makes
    himself many is stopped by the limits for all.
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return str(mapped or found)


class Allowance:
    """So many of something a second, and a burst of them after a quiet time: a token bucket."""

    def __init__(self, rate: float, burst: float, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._left = float(burst)
        self._since = clock()

    def take(self, cost: float = 1.0) -> float:
        """Return 0.0 and spend `cost`, or spend nothing and return the seconds until it can be spent.

        What costs more than the burst can never be spent: math.inf.
        """
        now = self._clock()
        self._left = min(self._burst, self._left + max(0.0, now - self._since) * self._rate)
        self._since = now
        if cost <= self._left:
            self._left -= cost
            return 0.0
        return math.inf if cost > self._burst else (cost - self._left) / self._rate

    def spend(self, cost: float = 1.0) -> float:
        """Spend `cost` whether it is there or not, and return the seconds until that debt is paid."""
        self.take(0.0)
        self._left -= cost
        return max(0.0, -self._left / self._rate)


class Arrivals:
    """How often each address may connect; the host's own machine as often as it likes.

    Of many addresses the one that has not come for longest is forgotten.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._allowances: OrderedDict[str, Allowance] = OrderedDict()

    def take(self, address: str) -> float:
        """Return 0.0 and count a connection, or the seconds until there may be one."""
        if is_own_machine(address):
            return 0.0
        name = plain_address(address)
        if name not in self._allowances:
            if len(self._allowances) >= ADDRESSES_KEPT:
                self._allowances.popitem(last=False)
            self._allowances[name] = Allowance(ARRIVALS, ARRIVAL_BURST, self._clock)
        self._allowances.move_to_end(name)
        return self._allowances[name].take()

    def __len__(self) -> int:
        return len(self._allowances)


# Join codes


@dataclass(frozen=True, slots=True)
class Patience:
    """How many wrong codes are borne.

    `free` of them cost nothing, as people mistype; the next makes wait `first` seconds, each further one
    twice as long as the one before, and from the `last` on it is locked for `locked` seconds. One is
    forgiven every `forgiven` seconds.
    """

    free: int
    first: float
    last: int
    locked: float
    forgiven: float

    def wait(self, failures: float) -> float:
        """Return the seconds to wait after so many wrong codes, of which some are half forgiven."""
        count = math.ceil(failures - 1e-9)
        if count >= self.last:
            return self.locked
        return self.first * 2.0 ** (count - self.free - 1) if count > self.free else 0.0


# In the long run either leaves 12 codes an hour, 288 a day, of more than a thousand million.
OF_ADDRESS: Final = Patience(free=4, first=1.0, last=10, locked=600.0, forgiven=300.0)
# More is borne here, so that one guesser alone is stopped before he keeps others from the table.
OF_TABLE: Final = Patience(free=20, first=1.0, last=29, locked=600.0, forgiven=300.0)
TABLES_KEPT: Final = 36 * 36  # as many as there are names, so that none is ever forgotten for another


class Lockout:
    """Wrong join codes, counted for each address and for each table, with waiting times that double.

    It is for joining alone: who returns to his seat by a token is not asked about here, so a table that
    is locked stays open for its players. A code counts as wrong from the moment the host answers it until
    the proof shows otherwise, for else many could be tried at once: ask `wait`, then tell `failed` before
    the answer leaves, and `succeeded` when the proof fits. What is refused because of `wait` is not told,
    so nobody can lengthen another's lock by trying on.

    The host's own machine is counted at the tables only: its bots may come a hundred at a time.
    The count of an address may be given up for another's when very many are kept, mildest first; a table's
    never is, so that many addresses gain a guesser nothing.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._addresses = _Counts(OF_ADDRESS, ADDRESSES_KEPT)
        self._tables = _Counts(OF_TABLE, TABLES_KEPT)

    def wait(self, address: str, table: str) -> float:
        """Return the seconds until an address may try a code at a table; 0.0 for at once."""
        now = self._clock()
        return max(self._addresses.wait(plain_address(address), now), self._tables.wait(table, now))

    def __len__(self) -> int:
        return len(self._addresses) + len(self._tables)

    def failed(self, address: str, table: str) -> None:
        """Count a code as wrong."""
        now = self._clock()
        if not is_own_machine(address):
            self._addresses.add(plain_address(address), now)
        self._tables.add(table, now)

    def succeeded(self, address: str, table: str) -> None:
        """Take back what `failed` counted last, as the code was right after all."""
        now = self._clock()
        self._addresses.take_back(plain_address(address), now)
        self._tables.take_back(table, now)


@dataclass(slots=True)
class _Count:
    """Wrong codes at the time `since`, and until when nothing more is tried."""

    failures: float
    since: float
    until: float


class _Counts:
    """The counts of many addresses or tables, of which at most `kept` are remembered."""

    def __init__(self, patience: Patience, kept: int) -> None:
        self._patience = patience
        self._kept = kept
        self._counts: OrderedDict[str, _Count] = OrderedDict()

    def wait(self, name: str, now: float) -> float:
        count = self._counts.get(name)
        return max(0.0, count.until - now) if count else 0.0

    def add(self, name: str, now: float) -> None:
        failures = self._failures(name, now) + 1
        if name not in self._counts and len(self._counts) >= self._kept:
            self._make_room(now)
        self._counts[name] = _Count(failures, now, now + self._patience.wait(failures))
        self._counts.move_to_end(name)

    def take_back(self, name: str, now: float) -> None:
        failures = self._failures(name, now) - 1
        if failures <= 0:
            self._counts.pop(name, None)
        elif name in self._counts:
            # The wait goes with the failure that began it; older ones had been waited for.
            self._counts[name] = _Count(failures, now, now)

    def _failures(self, name: str, now: float) -> float:
        count = self._counts.get(name)
        if count is None:
            return 0.0
        return max(0.0, count.failures - (now - count.since) / self._patience.forgiven)

    def _make_room(self, now: float) -> None:
        for name in [name for name in self._counts if not self._failures(name, now)]:
            del self._counts[name]
        if len(self._counts) >= self._kept:
            # Going through all of them is bounded, and the longest lock must not be the one to go.
            del self._counts[min(self._counts, key=lambda name: self._failures(name, now))]

    def __len__(self) -> int:
        return len(self._counts)
