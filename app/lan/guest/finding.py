"""The games that can be joined from here: hosts found on the network or typed, greeted for their tables."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple

from app.lan.guest.link import Greeting, LinkDown, greet
from app.lan.places import place_words
from engine.core.lan_protocol import LAN_VERSION, TableCard

if TYPE_CHECKING:
    from app.lan.network.discovery import Browser, Found

log = logging.getLogger(__name__)

GREET_SECONDS: Final = 4.0  # between two greetings of a host
AT_ONCE: Final = 8  # greetings

Place = tuple[str, int]
Greet = Callable[[str, int], Greeting]


class Host(NamedTuple):
    """A host and its tables as it tells them itself; `problem` says why none of them can be joined, or "".

    `name` is "" where only its address is known; `fingerprint` is that of the certificate it showed.
    """

    name: str
    address: str
    port: int
    tables: tuple[TableCard, ...] = ()
    problem: str = ""
    fingerprint: str = ""


class Finder:
    """Looks for hosts, and greets them again and again, in threads of its own until it is stopped.

    `on_change` is called there with the hosts, those found by name first, and how the search stands in a
    sentence, "" while it has found something.
    """

    def __init__(
        self,
        on_change: Callable[[tuple[Host, ...], str], None],
        interfaces: Sequence[str] | None = None,
        *,
        greeter: Greet = greet,
    ) -> None:
        self._on_change = on_change
        self._interfaces = interfaces
        self._greeter = greeter
        self._browser: Browser | None = None
        self._found: tuple[Found, ...] = ()
        self._typed: Place | None = None
        self._news = threading.Condition()
        self._is_fresh = False  # there is something new to be greeted
        self._is_stopping = False
        self._told: tuple[tuple[Host, ...], str] | None = None
        self._thread = threading.Thread(target=self._run, name="lan-finder", daemon=True)

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()

    def stop(self) -> None:
        """End; nothing is told any more once this has returned. Does not wait for slow hosts."""
        with self._news:
            self._is_stopping = True
            self._news.notify_all()

    def look_at(self, place: Place | None) -> None:
        """Greet the host at an address that was typed too; None: no more."""
        with self._news:
            if place != self._typed:
                self._typed = place
                self._wake()

    def _wake(self) -> None:
        self._is_fresh = True
        self._news.notify_all()

    def _on_found(self, found: tuple[Found, ...]) -> None:
        with self._news:
            self._found = found
            self._wake()

    # The thread.

    def _run(self) -> None:
        from app.lan.network.discovery import Browser

        self._browser = Browser(self._on_found, self._interfaces)
        self._browser.start()
        pool = ThreadPoolExecutor(AT_ONCE, "lan-greeting")
        try:
            while True:
                with self._news:
                    if self._is_stopping:
                        return
                    self._is_fresh = False
                    found, typed = self._found, self._typed
                self._tell(self._greet_all(pool, found, typed), self._browser.told)
                with self._news:
                    self._news.wait_for(lambda: self._is_fresh or self._is_stopping, GREET_SECONDS)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            self._browser.stop()

    def _greet_all(
        self, pool: ThreadPoolExecutor, found: Sequence[Found], typed: Place | None
    ) -> tuple[Host, ...]:
        hosts = [pool.submit(self._visit, one) for one in found]
        if typed is not None and typed not in {(one.address, one.port) for one in found}:
            hosts.append(pool.submit(self._ask, Host("", *typed)))
        return tuple(host.result() for host in hosts)

    def _visit(self, found: Found) -> Host:
        here = Host(found.name, found.address, found.port)
        if found.version != LAN_VERSION:
            words = version_words(found.version)
            return here._replace(problem=f"{words}: both need the same version of the program")
        return self._ask(here)

    def _ask(self, here: Host) -> Host:
        try:
            said, fingerprint = self._greeter(here.address, here.port)
        except LinkDown as down:
            return here._replace(problem=down.reason)
        except Exception:
            # One host must not keep the others from being listed.
            log.exception("greeting %s", place_words(here.address, here.port))
            return here._replace(problem="this program had a fault when it asked for its games")
        return here._replace(name=said.host or here.name, tables=said.tables, fingerprint=fingerprint)

    def _tell(self, hosts: tuple[Host, ...], told: str) -> None:
        with self._news:
            if self._is_stopping or (hosts, told) == self._told:
                return
            self._told = hosts, told
            # Called within the guard, so that `stop` ends it.
            self._on_change(hosts, told)


def version_words(version: int) -> str:
    """Return that a host speaks another version than this program, and which is the newer."""
    age = "a newer" if version > LAN_VERSION else "an older"
    return f"plays with {age} version ({version}, here {LAN_VERSION})"
