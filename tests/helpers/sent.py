"""What a sound host sends, a message of each kind, to be bent; and the texts in what is made of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from app.lan.host.table import Guest, Table
from engine.core.lan_protocol import LAN_VERSION, GreetAnswer
from engine.core.protocol import Answer, RecordAnswer, Refusal, StateRequest, format_message
from tests.helpers.lan import T


def messages(table: Table) -> dict[str, dict[str, Any]]:
    """Return a message of each kind that a host with this table sends, as JSON."""
    guest = guest_of(table, T)
    guest.told.clear()
    guest.wants_table = guest.wants_update = True
    guest.chat_told = 0
    found: list[Answer] = [
        GreetAnswer(
            version=LAN_VERSION, program="kungfu2100 1", host="Ann's machine", tables=(table.card(),)
        ),
        table.welcome(guest, ""),
        table.answer(guest, StateRequest()),
        Refusal("illegal-choice", "too far", "4.2", ("a", "b")).answer(1),
        *table.pushes(guest),
    ]
    if table.match is not None and table.is_over:
        found.append(RecordAnswer(record=msgspec.json.decode(table.record_path.read_bytes())))
    kept: dict[str, dict[str, Any]] = {}
    for one in found:
        message = msgspec.json.decode(format_message(one))
        kept.setdefault(message["tell"], message)
    return kept


def guest_of(table: Table, side: str) -> Guest:
    """Return who has a side."""
    return next(one for one in table.guests if one.side == side)


def texts(value: Any) -> Iterator[str]:
    """Yield all texts in something that has been read, keys too, but not what is not read yet."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from (*texts(name), *texts(one))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts(one)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from texts(getattr(value, name))
