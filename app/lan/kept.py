"""The games over the network that go on without this machine, or wait for it: seats kept, tables hosted."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final, Literal, NamedTuple

from app.folders import data_folder
from app.game_files import FINISHED
from app.lan.guest.tickets import Ticket, load_all, tickets_folder
from app.lan.host.folder_lock import locked
from app.lan.host.table_file import GAME_NAME, OVER_NAME, TABLE_NAME, TableFile, load_table
from engine.core.files import BadFile
from engine.core.protocol import CLIENT
from engine.raid.figures import SIDES
from engine.raid.seats import BOT_NAMES

AS_SIDE: Final = {"terminator": "as Terminators", "clonemaster": "as CloneMaster", "": "looking on"}


class KeptGame(NamedTuple):
    """A game to `return` to as a guest, or to `host` again; `path` is the ticket or the table's folder."""

    kind: Literal["return", "host"]
    title: str
    detail: str
    path: Path


def host_folder() -> Path:
    """Return the folder of what this user's windows host, whether it is there or not."""
    return data_folder() / "lan" / "host"


def kept_games(tickets: Path | None = None, hosts: Path | None = None) -> list[KeptGame]:
    """Return what is unfinished in the folder of tickets and in the folders of hosts, the latest first.

    Without folders in those of this user.
    """
    found = [*_seats(tickets or tickets_folder()), *_tables(hosts or host_folder())]
    return [game for _, game in sorted(found, key=lambda one: -one[0])]


def forget(game: KeptGame) -> None:
    """Throw a seat or a hosted table away.

    Raises FolderInUse while another program hosts from the table's folder, OSError where it cannot be done.
    """
    if game.kind == "host":
        with locked(game.path.parent.parent):
            shutil.rmtree(game.path)
    else:
        game.path.unlink(missing_ok=True)


def _seats(folder: Path) -> Iterator[tuple[float, KeptGame]]:
    for ticket in load_all(folder):
        path = ticket.path(folder)
        when = _when(path)
        if when and not has_record(ticket):
            yield when, KeptGame("return", seat_words(ticket), f"over the network; {_day(when)}", path)


def has_record(ticket: Ticket) -> bool:
    """Return whether there is nothing more to come back for.

    Of a game that is over the ticket stays as a receipt, and only the record is still to be had.
    """
    finished = data_folder() / "games" / FINISHED
    return ticket.is_over and (not ticket.token or any(finished.glob(f"*{ticket.id}.json")))


def seat_words(ticket: Ticket) -> str:
    """Return what a ticket leads back to."""
    what = "See the end of" if ticket.is_over else "Return to"
    return f"{what} {ticket.host}’s game ({ticket.title}, {AS_SIDE[ticket.side]})"


def _tables(folder: Path) -> Iterator[tuple[float, KeptGame]]:
    # A second program of the same user has a folder of its own, with a number behind the name.
    for path in folder.parent.glob(f"{folder.name}*/tables/*/{TABLE_NAME}"):
        if (path.parent / OVER_NAME).exists():
            continue
        with suppress(BadFile, OSError):
            table = load_table(path)
            when = max(_when(path), _when(path.parent / GAME_NAME))
            title = f"Host again: {table.title}, {players_words(table)}"
            yield when, KeptGame("host", title, f"over the network, hosted here; {_day(when)}", path.parent)


def players_words(table: TableFile) -> str:
    """Return who plays at a table."""
    names = {one.side: one.name for one in table.people if one.side}
    return " against ".join(
        names.get(side) or ("a guest" if (who := table.seats[side]) == CLIENT else BOT_NAMES.get(who, who))
        for side in SIDES
    )


def _when(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _day(when: float) -> str:
    return f"{datetime.fromtimestamp(when):%d %b %Y, %H:%M}"
