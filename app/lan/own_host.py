"""A host inside the window's own program: one table of its player's, as long as he plays it."""

from __future__ import annotations

import logging
import secrets
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from app.lan.ending import end_beside, wait_for_endings
from app.lan.guest.link import Invitation
from app.lan.guest.tickets import Ticket, load_all
from app.lan.host.folder import HostFolder, clear_drafts
from app.lan.host.table import Options, Table
from app.lan.host.table_file import OVER_NAME
from app.lan.places import place_words
from engine.core.lan_protocol import LAN_VERSION

if TYPE_CHECKING:
    from app.lan.host.server import Happening, HostThread
    from app.lan.network.discovery import Announcer

SEAT_NAME: Final = "seat"  # in a table's folder: the ticket of the host's own player
GOODBYE: Final = 0.5  # seconds for the network to hear that the host is gone
LOOPBACK: Final = "127.0.0.1"
STILL_CLOSING: Final = 2.0  # seconds for a host of this program to let go of the folder

log = logging.getLogger(__name__)


class Network(NamedTuple):
    """Where a window hosts and looks for games: everywhere, unless addresses of this machine are given.

    `ports` are tried one after the other, by default those of the host's folder.
    """

    addresses: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()

    @property
    def interfaces(self) -> tuple[str, ...] | None:
        """The addresses for finding and being found; None for all."""
        return self.addresses or None


EVERYWHERE: Final = Network()


class OwnHost:
    """Hosts one table, and makes it known on the network, from `start` until it is closed.

    `way` leads the host's own player to his seat. The folder is the host's from now on.
    """

    def __init__(
        self, folder: HostFolder, table: Table, way: Ticket | Invitation, name: str, network: Network
    ) -> None:
        from app.lan.host.server import HostThread, Server

        self._folder, self._table, self._network = folder, table, network
        self.way = way
        self.name = name
        self.port = 0
        # Who has not seen the end: for him the table must be hosted again.
        self._unseen = {one.side for one in table.guests if one.side and table.is_over}
        self._is_for_good = False
        self._bind = network.addresses[0] if network.addresses else ""
        self._thread: HostThread = HostThread(
            Server(
                [table],
                folder.identity,
                name,
                bind=self._bind,
                port=network.ports or folder.ports,
                tell=self._on_happening,
            )
        )
        self._announcer: Announcer | None = None

    def start(self) -> None:
        """Begin; where that fails all has ended again, and the folder is free. Raises OSError."""
        from app.lan.network.discovery import Announcer

        with ExitStack() as begun:
            begun.callback(self._end)
            self.port = self._thread.start()
            self._folder.keep_port(self.port)
            self._lead_to(self._bind or LOOPBACK, self.port)
            announcer = Announcer(
                self.name,
                self.port,
                self._folder.identity.fingerprint,
                LAN_VERSION,
                self._network.interfaces,
            )
            announcer.start()
            self._announcer = announcer
            begun.pop_all()

    def _lead_to(self, address: str, port: int) -> None:
        """Let the host's own player find his seat there."""
        way = self.way
        self.way = (
            msgspec.structs.replace(way, address=address, port=port)
            if isinstance(way, Ticket)
            else way._replace(address=address, port=port)
        )

    @classmethod
    def new(cls, options: Options, seat: str, path: Path, network: Network = EVERYWHERE) -> OwnHost:
        """Return the host of a new table, whose own player takes a seat: a side or "watch".

        Raises BadFile where the scenario cannot be played, OSError and ValueError where nothing can be
        hosted.
        """
        from app.lan.codes import format_code

        token = secrets.token_hex(32)
        with _open(HostFolder.first_free(path)) as folder:
            table = folder.new_table(replace(options, host_token=token))
            code = format_code(table.name, table.secret)
            way = Invitation(LOOPBACK, 0, code, options.host, seat, token)
            try:
                host = cls(folder, table, way, options.host, network)
                host.start()
            except BaseException:
                shutil.rmtree(table.folder, ignore_errors=True)
                raise
            return host

    @classmethod
    def again(cls, table_folder: Path, network: Network = EVERYWHERE) -> OwnHost:
        """Return the host of a table kept in a folder.

        Raises BadFile where it is spoilt, OSError where it cannot be hosted or another program has it.
        """
        wait_for_endings(STILL_CLOSING)
        with _open(HostFolder(table_folder.parent.parent)) as folder:
            clear_drafts(table_folder)
            table = Table.resume(table_folder)
            tickets = load_all(table_folder / SEAT_NAME)
            if not tickets:
                raise OSError("the way back to the host's own seat is lost")
            host = cls(folder, table, tickets[0], tickets[0].name, network)
            host.start()
            return host

    def _on_happening(self, happening: Happening) -> None:
        """Keep in mind, in the host's thread, who has seen the end of the game."""
        if happening.what == "over":
            self._unseen = {one.side for one in self._table.guests if one.side and not one.is_here}
        elif happening.what == "returned":
            self._unseen.discard(happening.side)

    @property
    def table_folder(self) -> Path:
        """Where the table is kept."""
        return self._table.folder

    @property
    def fingerprint(self) -> str:
        """The fingerprint of its certificate, by which it is told from all other hosts."""
        return self._folder.identity.fingerprint

    @property
    def seat_folder(self) -> Path:
        """Where the ticket of the host's own player is kept."""
        return self._table.folder / SEAT_NAME

    @property
    def places(self) -> list[str]:
        """Where guests find this machine, as "address:port"; none where the system does not say."""
        from app.lan.network.addresses import own_addresses

        try:
            found = own_addresses(self._network.interfaces)
        except OSError:
            return []
        own = [one.ip for one in found if not one.ip.is_link_local]
        # Nobody spells out an IPv6 address who has a shorter one; bridges to virtual machines come last.
        short = [str(ip) for ip in own if ip.version == 4] or [str(ip) for ip in own]
        first = "" if self._network.addresses else _way_out()
        short.sort(key=lambda address: address != first)
        return [place_words(address, self.port) for address in dict.fromkeys(short)]

    @property
    def trouble(self) -> str:
        """Why the game cannot be found by name, in a sentence; "" where it can."""
        return self._announcer.trouble if self._announcer is not None else ""

    def close(self, *, for_good: bool = False) -> None:
        """End it; the table is kept to be hosted again, unless it is thrown away `for_good`.

        Where guests or a disk are slow it goes on beside the window.
        """
        self._is_for_good = for_good
        end_beside(self._end, "host-end")

    def _end(self) -> None:
        announcer = self._announcer
        if announcer is not None:
            announcer.stop(0.0)
            with suppress(RuntimeError):  # without room for a thread nobody waits for the goodbye
                threading.Thread(target=announcer.stop, args=(GOODBYE,), name="host-goodbye").start()
        if not self._thread.stop():
            # What it may still write must not meet another program's writing.
            log.warning("the host of %s has not ended in time: its folder stays in use", self._table.folder)
            return
        if self._is_for_good:
            shutil.rmtree(self._table.folder, ignore_errors=True)
        elif self._table.is_over and not self._unseen:
            with suppress(OSError):
                (self._table.folder / OVER_NAME).touch()
        self._folder.close()


def _way_out() -> str:
    """Return the address of this machine that leads to others, "" where none does; nothing is sent."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
    except OSError:
        return ""


@contextmanager
def _open(folder: HostFolder) -> Iterator[HostFolder]:
    """Let other programs have the folder where what is done with it fails."""
    try:
        yield folder
    except BaseException:
        folder.close()
        raise
