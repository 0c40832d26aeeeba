"""JSON files: hundreds of bad ones, round trips, migrations, and writing that loses nothing."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any, Literal

import pytest

from engine.core import files
from engine.core.files import BadFile, NewerFile, Part, decode, encode, read_bytes, schema, write_atomic

KIND = "test.thing"


class Item(Part, frozen=True):
    """An item of a thing."""

    x: int
    colour: Literal["red", "blue"]


class Thing(Part, frozen=True, kw_only=True):
    """A thing with items."""

    name: str
    notes: str = ""
    rows: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    first: Item | None = None


GOOD = encode(
    Thing(name="good", rows=("ab", "cd"), items=tuple(Item(x=x, colour="red") for x in range(5))), KIND, 1
)


def read(raw: bytes) -> Thing:
    """Return the thing in a file's bytes."""
    return decode(raw, Thing, KIND, 1)


def refused(raw: bytes) -> tuple[str, ...]:
    """Return what is said of bytes that must be refused."""
    with pytest.raises(BadFile) as caught:
        read(raw)
    told = caught.value.problems
    assert told
    assert all(line and "\n" not in line for line in told)
    return told


def test_the_layout_is_one_item_a_line() -> None:
    """Two-space JSON in the model's order; defaults left out."""
    thing = Thing(name="n", rows=("a", "b"), items=(Item(x=1, colour="red"),))
    assert encode(thing, KIND, 1).decode().splitlines() == [
        "{",
        '  "format": "test.thing",',
        '  "version": 1,',
        '  "name": "n",',
        '  "rows": [',
        '    "a",',
        '    "b"',
        "  ],",
        '  "items": [',
        '    {"x": 1, "colour": "red"}',
        "  ]",
        "}",
    ]


def test_what_is_written_reads_back() -> None:
    """load(save(x)) == x, whatever order and spacing a person gave it by hand."""
    thing = read(GOOD)
    assert encode(thing, KIND, 1) == GOOD
    compact = json.dumps(json.loads(GOOD), separators=(",", ":")).encode()
    backwards = json.dumps(dict(reversed(list(json.loads(GOOD).items())))).encode()
    assert read(compact) == read(backwards) == thing


def test_unknown_keys_stay_where_they_were() -> None:
    """`extra` holds them, at the top and in items, and they are written again."""
    document = json.loads(GOOD) | {"later": {"a": [1, 2, {"b": None}]}, "$extra": {"x": 1}}
    document["items"][2]["shade"] = 3
    thing = read(json.dumps(document).encode())
    assert json.loads(encode(thing, KIND, 1)) == document
    assert thing.items[2].extra == (("shade", 3),)


@pytest.mark.parametrize("end", range(0, len(GOOD) - 2, 3))
def test_a_file_cut_short_is_refused(end: int) -> None:
    """Wherever a file is cut, one clear complaint follows."""
    refused(GOOD[:end])


@pytest.mark.parametrize("seed", range(300))
def test_scrambled_bytes_are_refused_or_read(seed: int) -> None:
    """Random damage gives a value or a BadFile, never another exception."""
    rng = random.Random(seed)
    raw = bytearray(GOOD)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(raw))
        kind = rng.randrange(4)
        if kind == 0:
            raw[at] = rng.randrange(256)
        elif kind == 1:
            del raw[at : at + rng.randint(1, 9)]
        elif kind == 2:
            raw[at:at] = rng.choice(
                [b'"', b"{", b"[", b"null", b"-", b"1e999", b"\\ud800", b"\xff", b":", b","]
            )
        else:
            start = rng.randrange(len(raw))
            raw[at:at] = raw[start : start + 30]
        if not raw:
            break
    try:
        thing = read(bytes(raw))
    except BadFile as error:
        assert error.problems  # noqa: PT017 - either outcome is right
    else:
        assert read(encode(thing, KIND, 1)) == thing


VALUES: list[Any] = [None, True, -1, 2**70, 1.5, "", "text", [], [1], {}, {"x": 1}, [[[]]], "ü" * 100]


@pytest.mark.parametrize("key", ["format", "version", "name", "notes", "rows", "items", "first"])
@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_mistyped_values_are_refused_by_their_key(key: str, value: Any) -> None:
    """A value of a wrong type is told with its place; one of a right type is taken."""
    document = json.loads(GOOD)
    document[key] = value
    try:
        read(json.dumps(document).encode())
    except BadFile as error:
        assert all(line.startswith(key) for line in error.problems)  # noqa: PT017
    else:
        assert key in ("name", "notes", "rows", "items", "first")


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_mistyped_items_are_refused_by_their_place(value: Any) -> None:
    """So is a wrong value deep in a list."""
    document = json.loads(GOOD)
    document["items"][3]["colour"] = value
    told = refused(json.dumps(document).encode())
    assert told[0].startswith("items[3].colour: ")
    document["items"][3] = value
    assert refused(json.dumps(document).encode())[0].startswith("items[3]")


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "line 1 column 1: not JSON"),
        (b"[]", "holds a list [...] where an object {...} must be"),
        (b"3", "holds 3 where an object {...} must be"),
        (b"{}", "format: missing"),
        (b'{"format": "other"}', 'format: "other" is not "test.thing"'),
        (b'{"format": "test.thing"}', "version: missing"),
        (
            b'{"format": "test.thing", "version": 1.0, "name": ""}',
            "version: 1.0 is not a whole number from 1",
        ),
        (b'{"format": "test.thing", "version": 0, "name": ""}', "version: 0 is not a whole number from 1"),
        (b"\xef\xbb\xbf" + GOOD, "byte 0: begins with a byte order mark"),
        (GOOD.decode().encode("utf-16"), "byte 0: not UTF-8 text"),
        (GOOD.replace(b"good", b"g\xf6\xf6d"), "byte 56: not UTF-8 text"),
        (GOOD.replace(b'"x": 2', b'"x": NaN'), "not JSON: NaN is not a JSON number"),
        (GOOD.replace(b'"x": 2', b'"x": 1e999'), "not JSON: 1e999 is too large a number"),
        (GOOD.replace(b'"x": 2', b'"x": ' + b"9" * 6000), "not JSON: "),
        (GOOD.replace(b'"x": 2', b'"x": 2, "x": 2'), "items[2].x: the key is given twice"),
        (GOOD.replace(b'"x": 2', b'"x": 2, "a": {"b": [0, {"c": 1, "c": 2}]}'), "items[2].a.b[1].c: the key"),
        (GOOD.replace(b'"name"', b'"name": "", "name"'), "name: the key is given twice"),
        (GOOD.replace(b'"version": 1', b'"version": 1, "version": 1'), "version: the key is given twice"),
        (GOOD.replace(b'"good"', b'"\\ud800"'), "name: holds half of a surrogate pair"),
        (GOOD.replace(b'"name"', b'"\\ud800": 1, "name"'), "the file: a key holds half of a surrogate pair"),
        (
            GOOD.replace(b'"good"', b'"good", "deep": ' + b"[" * 70 + b"]" * 70),
            "nested deeper than 64 levels",
        ),
        (GOOD.replace(b'"good"', b"[" * 200_000), "nested deeper than 64 levels"),
        (GOOD.replace(b'"good"', b'{"a":' * 200_000), "nested deeper than 64 levels"),
    ],
)
def test_a_bad_file_is_told_one_clear_line(raw: bytes, told: str) -> None:
    """Wrong encodings, nesting, numbers, headers and keys given twice."""
    lines = refused(raw)
    assert len(lines) == 1
    assert told in lines[0]


def test_a_key_given_twice_is_found_whatever_else_the_file_leaves_out() -> None:
    """A key left out does not make room for one given twice."""
    raw = b'{"format": "test.thing", "version": 1, "name": "a", "first": {"x": 1, "x": 2, "colour": "red"}}'
    assert refused(raw) == ("first.x: the key is given twice",)
    told = refused(raw.replace(b', "first"', b', "name": "b", "first"'))
    assert set(told) == {"name: the key is given twice", "first.x: the key is given twice"}


def test_many_faults_are_shortened() -> None:
    """A file with a thousand faults does not fill the screen."""
    document = json.loads(GOOD)
    document["items"] = [{"x": "a"}] * 1000
    told = refused(json.dumps(document).encode())
    assert len(told) == files.FAULTS_SHOWN
    assert told[-1] == "and 1901 more faults"


def test_a_file_beyond_the_limit_is_not_even_read(tmp_path: Path) -> None:
    """A huge file is refused by its size."""
    path = tmp_path / "huge.json"
    path.write_bytes(b" " * 1001)
    with pytest.raises(BadFile, match="larger than the limit"):
        read_bytes(path, limit=1000)
    assert len(read_bytes(path, limit=1001)) == 1001


@pytest.mark.parametrize("name", ["missing.json", ".", "a\0b"])
def test_a_file_that_cannot_be_read_is_a_bad_file(tmp_path: Path, name: str) -> None:
    """Missing files, folders and impossible names are told like any other fault."""
    with pytest.raises(BadFile, match="cannot be read"):
        read_bytes(f"{tmp_path}/{name}")


def test_old_versions_are_migrated_step_by_step() -> None:
    """Version 1 passes through each migration; one without a way is refused; a newer one says so."""
    migrations = {
        1: lambda old: old | {"name": old.pop("title")},
        2: lambda old: old | {"notes": old["name"] + "!"},
    }
    raw = b'{"format": "test.thing", "version": 1, "title": "old"}'
    assert decode(raw, Thing, KIND, 3, migrations) == Thing(name="old", notes="old!")
    with pytest.raises(BadFile, match="version: 1 is no longer readable"):
        decode(raw, Thing, KIND, 3, {2: migrations[2]})
    with pytest.raises(NewerFile) as caught:
        decode(raw.replace(b"1", b"4").replace(b"title", b"name"), Thing, KIND, 3, migrations)
    assert (caught.value.version, caught.value.value) == (4, Thing(name="old"))


def test_a_write_that_fails_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is lost when the disk gives up midway, and nothing is left lying about."""
    path = tmp_path / "kept.json"
    write_atomic(path, b"old")
    for step in ("fsync", "replace"):

        def fail(*_: object) -> None:
            raise OSError("no space")

        with monkeypatch.context() as patch:
            patch.setattr(os, step, fail)
            with pytest.raises(OSError, match="no space"):
                write_atomic(path, b"new")
        assert path.read_bytes() == b"old"
        assert os.listdir(tmp_path) == ["kept.json"]  # noqa: PTH208
    write_atomic(path, b"new")
    assert path.read_bytes() == b"new"


def test_writing_keeps_a_files_permissions(tmp_path: Path) -> None:
    """A file that others may read stays so."""
    path = tmp_path / "shared.json"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_atomic(path, b"new")
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o640


def test_the_schema_allows_unknown_keys_and_names_the_header() -> None:
    """A JSON Schema says what is needed and never forbids what a newer program adds."""
    made = schema(Thing, KIND, 1, "Thing")
    assert made["required"] == ["format", "version", "name"]
    assert "additionalProperties" not in json.dumps(made)
    assert "$extra" not in json.dumps(made)
    assert made["properties"]["format"] == {"const": KIND}


def test_a_number_of_thousands_of_digits_is_one_clear_line() -> None:
    """Bad input: Python's own limit on long numbers is not what the reader is told about."""
    with pytest.raises(BadFile) as caught:
        decode(b'{"format": "kind", "version": 1, "name": ' + b"9" * 10_000 + b"}", Part, "kind", 1)
    assert caught.value.problems == ("not JSON: a number of 10000 digits, more than 1000",)


def test_a_part_that_may_be_missing_keeps_its_unknown_keys_and_tells_every_fault() -> None:
    """An optional part, as the map inside a scenario, is read as carefully as any other."""
    raw = (
        b'{"format": "test.thing", "version": 1, "name": "a", "first": {"x": 1, "colour": "red", "new": [1]}}'
    )
    thing = read(raw)
    assert thing.first is not None
    assert thing.first.extra == (("new", [1]),)
    assert json.loads(encode(thing, KIND, 1)) == json.loads(raw)
    told = refused(
        raw.replace(b"1,", b'"1",').replace(b"red", b"pink").replace(b'"version": "1"', b'"version": 1')
    )
    assert told == ('first.x: "1" is not a whole number', 'first.colour: "pink" is not one of blue red')
