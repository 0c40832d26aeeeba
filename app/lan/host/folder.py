"""What a host keeps in a folder: its certificate, and each of its tables; one program at a time has it."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from app.file_names import clean_name, numbered
from app.lan.certificate import Identity, load_identity
from app.lan.codes import make_name, make_secret
from app.lan.host.folder_lock import FolderInUse, locked
from app.lan.host.table import Options, Table
from app.lan.host.table_file import GAME_NAME, OVER_NAME, TABLE_NAME
from engine.core.files import BadFile, write_atomic
from engine.core.lan_protocol import DEFAULT_PORT

PORT_NAME: Final = "port"
TABLES_NAME: Final = "tables"
OVER_KEPT: Final = 3600.0  # seconds for which a game that is over stays, for those who have not seen its end
FOLDERS_AT_MOST: Final = 20

log = logging.getLogger(__name__)


class HostFolder:
    """A host's folder, from which no other program hosts until it is closed.

    Raises FolderInUse, and OSError where it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = locked(path)
        try:
            self.identity: Identity = load_identity(path)
        except BaseException:
            self.close()
            raise
        self._names: set[str] = set()
        self._tables: list[Table] = []

    @classmethod
    def first_free(cls, path: Path) -> HostFolder:
        """Return this folder, or the next one of its name if another program has it."""
        for each, _ in zip(numbered(path, is_folder=True), range(FOLDERS_AT_MOST), strict=False):
            with suppress(FolderInUse):
                return cls(each)
        raise FolderInUse(f"{FOLDERS_AT_MOST} programs host from folders beside {path}")

    @property
    def ports(self) -> tuple[int, ...]:
        """Where to listen: where guests look for the host first, the usual port, or any."""
        last = 0
        with suppress(OSError, ValueError):
            last = int((self.path / PORT_NAME).read_text("ascii"))
        return tuple(dict.fromkeys((last if 0 < last < 2**16 else DEFAULT_PORT, DEFAULT_PORT, 0)))

    def keep_port(self, port: int) -> None:
        """Note where the host listens now, so that it does so again; no harm where that cannot be written."""
        with suppress(OSError):
            write_atomic(self.path / PORT_NAME, str(port).encode())

    def close(self) -> None:
        """Let other programs have it."""
        self._lock.close()

    def new_table(self, options: Options) -> Table:
        """Return a new table.

        Raises BadFile where the scenario cannot be played, OSError where nothing can be written, ValueError
        where there are too many.
        """
        name = make_name(self._names)
        folder = self._new_folder(options.title)
        try:
            table = Table.new(name, make_secret(), options, folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self._names.add(name)
        self._tables.append(table)
        return table

    def _new_folder(self, title: str) -> Path:
        tables = self.path / TABLES_NAME
        tables.mkdir(mode=0o700, exist_ok=True)  # a game under way holds all secrets of both sides
        name = f"{datetime.now():%Y-%m-%d %H.%M.%S} {clean_name(title)[:40].strip() or 'Game'}"
        for path in numbered(tables / name, is_folder=True):
            with suppress(FileExistsError):
                path.mkdir()
                return path
        raise AssertionError

    def resume(self) -> Iterator[Table | BadFile]:
        """Yield what is wrong with the tables that are spoilt, then those that somebody may come back to.

        They come in the order in which they were begun.
        """
        kept = []
        for path in sorted(self.path.glob(f"{TABLES_NAME}/*/{TABLE_NAME}")):
            folder = path.parent
            if _is_marked_over(folder):
                continue
            clear_drafts(folder)
            try:
                table = Table.resume(folder)
            except BadFile as error:
                yield error
                continue
            except Exception as fault:
                # Whatever one table's files hold, and whatever goes wrong over it, costs no other's game.
                log.exception("a fault over the table of %s", folder)
                yield BadFile([f"a fault of the program ({type(fault).__name__})"], str(path))
                continue
            if table.is_over and _age(folder / GAME_NAME) > OVER_KEPT:
                with suppress(OSError):
                    (folder / OVER_NAME).touch()
                continue
            kept.append(table)
        for table in sorted(kept, key=lambda one: one.begun):
            if table.name in self._names:
                yield BadFile(["table: another one has this name"], str(table.folder / TABLE_NAME))
                continue
            self._names.add(table.name)
            self._tables.append(table)
            yield table

    def drop(self, table: Table) -> None:
        """Throw a table away for good, which nobody may host any more; raises OSError."""
        shutil.rmtree(table.folder)
        self._tables.remove(table)

    def drop_unjoined(self) -> bool:
        """Throw away the tables that nobody has joined, unless bots play there; return whether any stay."""
        for table in [one for one in self._tables if not one.guests and one.match is None]:
            with suppress(OSError):
                self.drop(table)
        return bool(self._tables)


def clear_drafts(table_folder: Path) -> None:
    """Throw away what was being written at a table when its program was killed."""
    for draft in table_folder.rglob(".*.tmp"):
        with suppress(OSError):
            draft.unlink()


def _is_marked_over(table_folder: Path) -> bool:
    try:
        return (table_folder / OVER_NAME).exists()
    except OSError:  # a folder that cannot be looked into says so when its table is read
        return False


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0.0
