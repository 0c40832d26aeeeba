"""A table's file: what a host must know, besides the game's record, to go on after it was killed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from engine.core.files import BadFile, Part, decode, encode, read_bytes, shortened, write_atomic
from engine.core.lan_protocol import Key, Name, NoOrKey, TableName
from engine.core.protocol import CLIENT
from engine.core.shares import seal_of
from engine.raid.figures import SIDES

KIND: Final = "kungfu2100.table"
VERSION: Final = 1
TABLE_NAME: Final = "table.json"
GAME_NAME: Final = "game.json"
OVER_NAME: Final = "over"  # beside them when nobody needs to come back to the table any more


Seconds = Annotated[float, msgspec.Meta(ge=0, le=360_000)]
# The letters of `codes`, which tables do not import, as they know nothing of the network.
Secret = Annotated[str, msgspec.Meta(pattern=r"^[2-9A-HJ-NP-Z]{6}$", max_length=6)]


class Person(Part, frozen=True, kw_only=True):
    """Who has joined: the side ("" for one who looks on), and what proves who comes back.

    `token` is a hash of the secret token, `seal` that of what a player adds to the dice and `share` what he
    has opened; "" where there is none, or none yet.
    """

    side: str
    name: Name
    token: Key
    seal: NoOrKey = ""
    share: NoOrKey = ""


class ChatLine(Part, frozen=True, kw_only=True):
    """A line of chat and who said it; without a name it is the table's own word, of the player of a side.

    `number` grows from line to line, also over an end of the host.
    """

    number: Annotated[int, msgspec.Meta(ge=0, le=2**50)] = 0
    side: str
    name: str
    text: str


class TableFile(Part, frozen=True, kw_only=True):
    """All of a table but its record, which is a file beside it.

    `seats` says who plays each side: "client" or a bot's name; `stand_ins` are bots that play for a
    person meanwhile, `bot_since` how many choices had been made when the bot of a person came who has made
    none himself since, `out_of_time` the sides whose time is up. `host_share` is the host's share of the
    dice. `scenario` is in JSON form, with its map; it stays here, as a record may not have been written.
    `clock` is what each side began with and `left` what it has left, in seconds. `begun` is when the table
    was, in seconds since 1970.
    """

    table: TableName
    secret: Secret
    title: str
    host: str
    begun: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    host_token: str = ""
    seats: dict[str, str]
    stand_ins: dict[str, str] = msgspec.field(default_factory=dict)
    bot_since: dict[str, Annotated[int, msgspec.Meta(ge=0)]] = msgspec.field(default_factory=dict)
    out_of_time: tuple[str, ...] = ()
    host_share: Key
    pace: Annotated[float, msgspec.Meta(ge=0, le=60)] = 0.0
    clock: Annotated[float, msgspec.Meta(gt=0, le=360_000)] | None = None
    left: dict[str, Seconds] = msgspec.field(default_factory=dict)
    is_paused: bool = False
    scenario: dict[str, Any] | None = None
    people: tuple[Person, ...] = ()
    chat: tuple[ChatLine, ...] = ()


def load_table(path: str | os.PathLike[str]) -> TableFile:
    """Return the table of a file; raises BadFile, also where its people and bots are none that can sit so."""
    table = decode(read_bytes(path), TableFile, KIND, VERSION, path=os.fspath(path))
    faults = list(_faults(table))
    if faults:
        raise BadFile(shortened(faults), os.fspath(path))
    return table


def _faults(table: TableFile) -> Iterator[str]:
    """Yield what a file says that no table can be, each led by its place."""
    from engine.bots import bots_of  # the start page lists tables, and has no use for bots before

    for side in SIDES:
        if side not in table.seats:
            yield f"seats: the {side}'s is missing"
    for side, player in table.seats.items():
        yield from _side_faults("seats", side)
        if side in SIDES and player not in (CLIENT, *bots_of(side)):
            yield f'seats.{side}: "{player[:40]}" is not one of {" ".join((CLIENT, *bots_of(side)))}'
    for side, bot in table.stand_ins.items():
        yield from _side_faults("stand_ins", side)
        if side in SIDES and bot not in bots_of(side):
            yield f'stand_ins.{side}: "{bot[:40]}" is not one of {" ".join(bots_of(side))}'
    for side in table.bot_since:
        yield from _side_faults("bot_since", side)
    for side in table.out_of_time:
        yield from _side_faults("out_of_time", side)
    for side in table.left:
        yield from _side_faults("left", side)
    seen: set[str] = set()
    for number, person in enumerate(table.people):
        place = f"people[{number}].side"
        if not person.side:  # who looks on
            continue
        yield from _side_faults(place, person.side)
        if person.side in seen:
            yield f"{place}: somebody sits there already"
        elif table.seats.get(person.side, CLIENT) != CLIENT:
            yield f"{place}: a bot sits there"
        seen.add(person.side)
        if not person.seal:
            yield f"people[{number}].seal: missing, though a player has one"
        elif person.share and seal_of(person.side, person.share) != person.seal:
            yield f"people[{number}].share: not the one that was sealed"


def _side_faults(place: str, side: str) -> Iterator[str]:
    if side not in SIDES:
        yield f'{place}: "{side[:40]}" is not one of {" ".join(SIDES)}'


def save_table(path: Path, table: TableFile, write: Callable[[Path, bytes], None] | None = None) -> None:
    """Write a table's file, here and now unless something else is to write it; raises OSError."""
    (write or write_atomic)(path, encode(table, KIND, VERSION))
