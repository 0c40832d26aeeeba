"""What leads a guest back to his seat, also after his program was killed: a file a table."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from app.folders import data_folder
from engine.core.files import BadFile, Part, decode, encode, read_bytes, write_atomic
from engine.core.lan_protocol import Key, NoOrKey, TableName
from engine.core.shares import Receipt

KIND: Final = "kungfu2100.ticket"
VERSION: Final = 1
SIZE: Final = 64 * 1024  # bytes; a ticket has less than one of them

Text = Annotated[str, msgspec.Meta(max_length=300)]


class Ticket(Part, frozen=True, kw_only=True):
    """One guest's seat at one table, kept from the moment when he asks for it.

    `host` is what the host calls itself and `fingerprint` that of its certificate: nobody else is ever
    shown the `token`. `address` and `port` are where it was last. `side` is "" for one who looks on, `seat`
    what he asked for, `commitment` the host's. `share` is what he adds to the dice, and `seals` is what all
    had sealed, once he was told; they make the ticket his receipt. Once the game `is_over` there is only its
    record to be had, and after that there is no token any more. One who `is_host` has a host of his own.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{16}$")]
    table: TableName
    address: Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)]
    host: Text
    fingerprint: Text
    token: NoOrKey
    side: Literal["terminator", "clonemaster", ""]
    seat: Text
    name: Text
    title: Text
    commitment: Key
    share: Key
    seals: dict[str, Key] = msgspec.field(default_factory=dict)
    is_host: bool = False
    is_over: bool = False

    @property
    def receipt(self) -> Receipt:
        """What is kept of the dice."""
        return Receipt(side=self.side, share=self.share, seals=self.seals)

    def save(self, folder: Path) -> None:
        """Write the ticket where only this user can read it. Raises OSError."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self.path(folder)
        # What stands in a file's place keeps its permissions: first a private file, then the secret in it.
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        write_atomic(path, encode(self, KIND, VERSION))

    def drop(self, folder: Path) -> None:
        """Throw the ticket away; no harm where it is gone already. Raises OSError."""
        self.path(folder).unlink(missing_ok=True)

    def path(self, folder: Path) -> Path:
        """Return the ticket's file."""
        return folder / f"{self.id}.json"


def new_id() -> str:
    """Return a name for a ticket's file that no other has."""
    return secrets.token_hex(8)


def tickets_folder() -> Path:
    """Return the folder of this user's tickets, whether it is there or not."""
    return data_folder() / "lan" / "tickets"


def load_all(folder: Path) -> list[Ticket]:
    """Return the tickets of a folder, the one used last first; what is no ticket is passed over."""
    found = sorted(_found(folder), key=lambda one: -one[0])
    return [ticket for _, ticket in found]


def _found(folder: Path) -> Iterator[tuple[float, Ticket]]:
    for path in folder.glob("*.json"):
        with suppress(BadFile, OSError):
            ticket = decode(read_bytes(path, SIZE), Ticket, KIND, VERSION, path=str(path))
            if ticket.id == path.stem:
                yield path.stat().st_mtime, ticket
