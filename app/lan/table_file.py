"""A table's file: what a host must know, besides the game's record, to go on after it was killed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from engine.core.files import Part, decode, encode, read_bytes, write_atomic
from engine.core.lan_protocol import Key, Name, TableName

KIND: Final = "kungfu2100.table"
VERSION: Final = 1
TABLE_NAME: Final = "table.json"
GAME_NAME: Final = "game.json"
OVER_NAME: Final = "over"  # beside them when nobody needs to come back to the table any more


class Person(Part, frozen=True, kw_only=True):
    """Who has joined: the side ("" for one who looks on), and what proves who comes back.

    `token` is a hash of the secret token, `share` what the person added to the dice.
    """

    side: str
    name: Name
    token: Key
    share: Key


class ChatLine(Part, frozen=True, kw_only=True):
    """A line of chat and who said it; without a name it is the table's own word."""

    side: str
    name: str
    text: str


class TableFile(Part, frozen=True, kw_only=True):
    """All of a table but its record, which is a file beside it.

    `seats` says who plays each side: "client" or a bot's name; `stand_ins` are bots that play for a
    person meanwhile, `out_of_time` the sides whose time is up. `host_share` is the host's share of the
    dice. `scenario` is in JSON form, with its map; it stays here, as a record may not have been written.
    `clock` is what each side began with and `left` what it has left, in seconds.
    """

    table: TableName
    secret: str
    title: str
    host: str
    host_token: str = ""
    seats: dict[str, str]
    stand_ins: dict[str, str] = msgspec.field(default_factory=dict)
    out_of_time: tuple[str, ...] = ()
    host_share: Key
    pace: Annotated[float, msgspec.Meta(ge=0, le=60)] = 0.0
    clock: Annotated[float, msgspec.Meta(gt=0, le=360_000)] | None = None
    left: dict[str, float] = msgspec.field(default_factory=dict)
    is_paused: bool = False
    scenario: dict[str, Any] | None = None
    people: tuple[Person, ...] = ()
    chat: tuple[ChatLine, ...] = ()


def load_table(path: str | os.PathLike[str]) -> TableFile:
    """Return the table of a file; raises BadFile."""
    return decode(read_bytes(path), TableFile, KIND, VERSION, path=os.fspath(path))


def save_table(path: Path, table: TableFile, write: Callable[[Path, bytes], None] | None = None) -> None:
    """Write a table's file, here and now unless something else is to write it; raises OSError."""
    (write or write_atomic)(path, encode(table, KIND, VERSION))
