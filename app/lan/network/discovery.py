"""Hosts make themselves known on the network by name, and are found there: DNS-SD over multicast DNS.

Both ends work in a thread of their own, so that nobody waits for a network that is slow to answer or
not there; they look for themselves whether the machine has come into another network meanwhile. A host is
listed once it has proved at one of its addresses that it is the one announced, and as long as it answers
there: records of a host that was killed stay alive for many minutes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from app.lan.network.addresses import Own, Reach, own_addresses, reach, reachable
from app.lan.network.advert import ADDRESSES_AT_MOST, SERVICE_TYPE, Advert, from_service, to_service

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, ServiceStateChange
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf

CHECK_SECONDS: Final = 3.0  # between two looks whether a listed host still answers
RETRY_SECONDS: Final = 10.0  # until an announced host that did not answer is tried again
FORGET_SECONDS: Final = 150.0  # without an answer; by then its records are gone, so that a new start is news
NETWORK_SECONDS: Final = 3.0  # between two looks at this machine's addresses
SEEK_SECONDS: Final = 4.0  # after which it is said that nothing was found
RESOLVE_SECONDS: Final = 3.0
GOODBYE_SECONDS: Final = 1.5
HOSTS_AT_MOST: Final = 64  # that are followed; who announces more names only hides himself
TRIES_AT_ONCE: Final = 8

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Found:
    """A host on the network: what it calls itself, where it is, the version it speaks, its fingerprint.

    `address` is the one of its addresses at which it was reached from here.
    """

    name: str
    address: str
    port: int
    version: int
    fingerprint: str


class _Worker(ABC):
    """A thread that works on the network until it is stopped, wherever the machine goes meanwhile."""

    def __init__(self, interfaces: Sequence[str] | None) -> None:
        self._interfaces = None if interfaces is None else tuple(interfaces)
        self._own: tuple[Own, ...] = ()
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._woken: asyncio.Event
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name=type(self).__name__, daemon=True)

    def start(self) -> None:
        """Begin; returns at once. Raises OSError where the machine has no room for another thread."""
        try:
            self._thread.start()
        except RuntimeError as error:
            raise OSError(f"this machine has no room for another thread: {error}") from error

    def stop(self, within: float = GOODBYE_SECONDS) -> None:
        """End, and wait for so many seconds at most until it is done; may be called in any thread."""
        self._ended.set()
        self._wake()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(within)

    @property
    def _is_stopping(self) -> bool:
        return self._ended.is_set()

    def _run(self) -> None:
        while not self._is_stopping:
            try:
                # Windows' usual loop hears nothing more once a datagram could not be delivered.
                with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
                    runner.run(self._work())
            except OSError as error:  # a machine without a handle left for a loop
                self._fail(_reason(error))
                self._ended.wait(NETWORK_SECONDS)

    async def _work(self) -> None:
        with self._lock:
            self._loop, self._woken = asyncio.get_running_loop(), asyncio.Event()
        try:
            while not self._is_stopping:
                try:
                    await self._round()
                except Exception as error:
                    # Whatever the network did to this round, it may let the next one be.
                    if not _is_of_network(error):
                        log.exception("a fault in %s", type(self).__name__)
                    self._fail(_reason(error))
                    await self._rest(NETWORK_SECONDS)
        finally:
            with self._lock:
                self._loop = None

    async def _round(self) -> None:
        """Work until stopped, or until something fails; the sockets are closed either way."""
        self._own = own_addresses(self._interfaces)
        async with _opened(self._own) as line:
            await self._work_on(line)

    @abstractmethod
    async def _work_on(self, line: AsyncZeroconf) -> None:
        """Work until stopped."""

    @abstractmethod
    def _fail(self, reason: str) -> None:
        """Say that the network cannot be used now."""

    async def _look_around(self, line: AsyncZeroconf) -> None:
        """Use the networks that the machine is in by now; a new address takes some seconds to be usable.

        Raises OSError where the machine is in others than before and the sockets cannot follow.
        """
        before, self._own = self._own, own_addresses(self._interfaces)
        try:
            await line.async_update_interfaces(_places(self._own))
        except OSError:
            # An adapter that takes no multicast refuses at every look; the others go on.
            if self._own != before:
                raise

    def _wake(self) -> None:
        with self._lock:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._woken.set)

    async def _rest(self, seconds: float) -> None:
        """Wait, but not where there is something to do."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        self._woken.clear()


class Announcer(_Worker):
    """Makes a host known on the network, until it is stopped."""

    def __init__(
        self,
        host_name: str,
        port: int,
        fingerprint: str,
        version: int,
        interfaces: Sequence[str] | None = None,
    ) -> None:
        super().__init__(interfaces)
        self._advert = Advert(host_name, port, version, fingerprint, ())
        self.is_announced = False
        self.trouble = ""
        """Why the host cannot be announced now, in a sentence; guests may still type its address."""

    def update(self, host_name: str) -> None:
        """Announce the host under another name."""
        with self._lock:
            self._advert = replace(self._advert, name=host_name)
        self._wake()

    async def _work_on(self, line: AsyncZeroconf) -> None:
        from zeroconf import Error

        service: ServiceInfo | None = None
        announced: Advert | None = None
        while not self._is_stopping:
            await self._look_around(line)
            addresses = tuple(str(each.ip) for each in self._own)[:ADDRESSES_AT_MOST]
            with self._lock:
                advert = replace(self._advert, addresses=addresses)
            if advert != announced:
                try:
                    service = await _announce(line, to_service(advert), service)
                except (OSError, Error) as error:
                    self._fail(_reason(error))
                else:
                    announced = advert
                    self.is_announced, self.trouble = True, ""
            await self._rest(NETWORK_SECONDS)
        self.is_announced = False

    def _fail(self, reason: str) -> None:
        self.is_announced = False
        self.trouble = f"The network does not let this machine announce the game: {reason}."


class Browser(_Worker):
    """Looks for hosts on the network until it is stopped.

    `on_change` is called in the thread of the search whenever other hosts are found, or the search stands
    otherwise; hosts come in the order of their names.
    """

    def __init__(
        self, on_change: Callable[[tuple[Found, ...]], None], interfaces: Sequence[str] | None = None
    ) -> None:
        super().__init__(interfaces)
        self._on_change = on_change
        self._found: dict[str, Found] = {}
        self._silent: dict[str, Advert] = {}
        self._followers: dict[str, tuple[asyncio.Task[None], asyncio.Event]] = {}
        self._turns = asyncio.Semaphore(TRIES_AT_ONCE)
        self._failure = ""
        self._began = time.monotonic()
        self.found: tuple[Found, ...] = ()
        self.told = "Looking for games on this network."
        """How the search stands, in a sentence for the player; "" while it has found something."""

    async def _work_on(self, line: AsyncZeroconf) -> None:
        self._failure = ""
        browser: AsyncServiceBrowser | None = None
        asked: list[Any] = []
        try:
            while not self._is_stopping:
                await self._look_around(line)
                places = [sender.sock_name for sender in line.zeroconf.engine.senders]
                if places != asked:  # else nobody would be asked in a network that was not there before
                    if browser is not None:
                        await browser.async_cancel()
                    browser, asked = self._ask(line), places
                self._tell()
                await self._rest(NETWORK_SECONDS if self.found else 1.0)
        finally:
            if browser is not None:
                await browser.async_cancel()
            followers = [task for task, _ in self._followers.values()]
            for name in list(self._followers):
                self._drop(name)
            await asyncio.gather(*followers, return_exceptions=True)

    def _ask(self, line: AsyncZeroconf) -> AsyncServiceBrowser:
        """Ask in all networks who is there, and go on listening."""
        from zeroconf import DNSQuestionType
        from zeroconf.asyncio import AsyncServiceBrowser

        return AsyncServiceBrowser(
            line.zeroconf,
            SERVICE_TYPE,
            handlers=[lambda **change: self._hear(line, **change)],
            # By multicast: the answers to questions for one asker alone go to whichever program of this
            # machine the system picks, of all that listen on the port.
            question_type=DNSQuestionType.QM,
        )

    def _fail(self, reason: str) -> None:
        self._failure = reason
        self._tell()

    def _hear(
        self,
        line: AsyncZeroconf,
        *,
        name: str,
        state_change: ServiceStateChange,
        **_: Any,
    ) -> None:
        """Take in that a service has come, changed or gone."""
        from zeroconf import ServiceStateChange

        if state_change is ServiceStateChange.Removed:
            self._drop(name)
        elif name in self._followers:
            self._followers[name][1].set()
        else:
            silent = next((each for each in self._followers if each not in self._found), None)
            if len(self._followers) >= HOSTS_AT_MOST and silent is not None:
                self._drop(silent)
            if len(self._followers) < HOSTS_AT_MOST:
                news = asyncio.Event()
                task = asyncio.create_task(self._follow(line, name, news), name=name)
                task.add_done_callback(self._end)
                self._followers[name] = task, news

    async def _follow(self, line: AsyncZeroconf, name: str, news: asyncio.Event) -> None:
        """Keep one announced host listed while it answers, and return when it has long been silent."""
        heard = time.monotonic()
        advert: Advert | None = None
        while time.monotonic() - heard < FORGET_SECONDS:
            news.clear()
            # Multicast gets lost on wireless networks; that the host still answers says more.
            said = await _resolve(line, self._own, name) or advert
            # A host that has other addresses by now may be reached at a better one.
            before = self._found.get(name) if said == advert else None
            advert = said
            address = None if advert is None else await self._find(advert, before)
            if advert is not None and address is not None:
                heard = time.monotonic()
                self._found[name] = Found(
                    advert.name, address, advert.port, advert.version, advert.fingerprint
                )
                self._silent.pop(name, None)
            else:
                self._found.pop(name, None)
                if advert is not None:
                    self._silent[name] = advert
            self._woken.set()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CHECK_SECONDS if name in self._found else RETRY_SECONDS):
                    await news.wait()

    async def _find(self, advert: Advert, before: Found | None) -> str | None:
        """Return an address at which a host answers: where it was found before, if it still does there."""
        # A host with all its lines taken has no time for strangers, but is there.
        if before is not None and await reach(before.address, advert.port, advert.fingerprint) in (
            Reach.PROVED,
            Reach.BUSY,
        ):
            return before.address
        async with self._turns:
            return await reachable(advert.addresses, advert.port, advert.fingerprint)

    def _drop(self, name: str) -> None:
        """Follow a service no longer."""
        if name in self._followers:
            self._followers.pop(name)[0].cancel()
        self._found.pop(name, None)
        self._silent.pop(name, None)
        self._woken.set()

    def _end(self, task: asyncio.Task[None]) -> None:
        """Take in that the following of a service has ended by itself."""
        name = task.get_name()
        if name in self._followers and self._followers[name][0] is task:
            self._drop(name)
            if not task.cancelled() and (fault := task.exception()) is not None:
                task.get_loop().call_exception_handler(
                    {"message": "a host is lost sight of", "exception": fault}
                )

    def _tell(self) -> None:
        """Call `on_change` if there is anything new."""
        # A host that was renamed is announced twice for a moment.
        latest = {(each.fingerprint, each.address, each.port): each for each in self._found.values()}
        found = tuple(
            sorted(latest.values(), key=lambda each: (each.name.casefold(), each.address, each.port))
        )
        told = "" if found else self._words()
        if (found, told) != (self.found, self.told):
            self.found, self.told = found, told
            self._on_change(found)

    def _words(self) -> str:
        """Return how a search that has found nothing stands."""
        if self._failure:
            return (
                f"The network does not let this machine look for games: {self._failure}. "
                "A game can still be joined by its host's address."
            )
        if self._silent:
            name = min(advert.name for advert in self._silent.values())
            return f"“{name}” is announced but does not answer; a firewall may stand between."
        if time.monotonic() - self._began < SEEK_SECONDS:
            return "Looking for games on this network."
        return (
            "No game was found on this network so far; the search goes on. "
            "If there is one, type the address that its host’s lobby shows."
        )


async def _announce(line: AsyncZeroconf, service: ServiceInfo, before: ServiceInfo | None) -> ServiceInfo:
    """Announce a host in place of what was announced of it before, without it ever being away."""
    if before is not None and before.name == service.name:
        await (await line.async_update_service(service))
        return service
    await (await line.async_register_service(service, allow_name_change=True))
    if before is not None:
        await (await line.async_unregister_service(before))
    return service


async def _resolve(line: AsyncZeroconf, own: tuple[Own, ...], name: str) -> Advert | None:
    """Return what a service says of its host; None where it says nothing sensible in time."""
    from zeroconf import Error
    from zeroconf.asyncio import AsyncServiceInfo

    try:
        service = AsyncServiceInfo(SERVICE_TYPE, name)
        if not await service.async_request(line.zeroconf, RESOLVE_SECONDS * 1000):
            return None
    except Error:  # a name that is none
        return None
    return from_service(service, own)


@contextlib.asynccontextmanager
async def _opened(own: tuple[Own, ...]) -> AsyncIterator[AsyncZeroconf]:
    """Open the sockets of multicast DNS, and say goodbye and close them at the end.

    Raises OSError, RuntimeError or zeroconf's Error where the machine has no network that takes them.
    """
    from zeroconf import InterfaceChoice, IPVersion
    from zeroconf.asyncio import AsyncZeroconf

    if not own:
        raise OSError("it is in no network")
    # What strangers send that makes no sense is no news, nor is a network that has gone.
    logging.getLogger("zeroconf").setLevel(logging.CRITICAL)
    try:
        line = AsyncZeroconf(interfaces=_places(own))
    except OSError:
        # Machines without IPv6, and adapters of VPNs on Windows that refuse multicast.
        try:
            line = AsyncZeroconf(interfaces=InterfaceChoice.All, ip_version=IPVersion.V4Only)
        except OSError:
            line = AsyncZeroconf(interfaces=InterfaceChoice.Default, ip_version=IPVersion.V4Only)
    try:
        await line.zeroconf.async_wait_for_start()
        yield line
    finally:
        await line.async_close()


def _places(own: tuple[Own, ...]) -> list[str | int | tuple[tuple[str, int, int], int]]:
    """Return where to speak and listen, as zeroconf wants it: IPv4 addresses, and IPv6 interfaces once."""
    return [
        *(str(each.ip) for each in own if each.ip.version == 4),
        *sorted({each.interface for each in own if each.ip.version == 6}),
    ]


def _is_of_network(error: Exception) -> bool:
    """Return whether an error is the system's or the network's, and not a fault of the program."""
    from zeroconf import Error

    return isinstance(error, OSError | RuntimeError | TimeoutError | Error)


def _reason(error: Exception) -> str:
    """Return why something failed, in the system's words."""
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
