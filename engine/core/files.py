"""JSON files in and out: header, migrations, every fault with its place, atomic writes.

A file is one JSON object that begins with `{"format": KIND, "version": N`. Its model is a `Part`; parts
keep the keys that they do not know, so a file passed through an older program loses nothing.
"""

from __future__ import annotations

import gc
import json
import math
import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_args

import msgspec

SIZE_LIMIT = 64 * 1024 * 1024  # bytes; far above any map, far below what fills a small machine
DEPTH_LIMIT = 64  # containers inside one another; a map needs three
FAULTS_SHOWN = 100
DIGITS_LIMIT = 1000  # of a whole number; beyond some thousands Python itself refuses, in words of its own

Migration = Callable[[dict[str, Any]], dict[str, Any]]
T = TypeVar("T", bound=msgspec.Struct)

_EXTRA = "$extra"
# The mask can be asked for only by setting it: two threads at once could leave it at nothing.
_asking_mask = threading.Lock()
# In whole sentences what the decoder of JSON breaks off, its place being told apart.
_JSON_FAULTS = {
    "Unterminated string starting at": "the text that begins here has no closing quotation mark",
    "Invalid control character at": "a line break or another control character in the middle of a text",
    "Extra data": "something follows after the end",
}


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a file that keeps, in `extra`, the keys that it does not know, each with its value."""

    extra: tuple[tuple[str, Any], ...] = msgspec.field(default=(), name=_EXTRA)


class BadFile(Exception):
    """A file that cannot be used.

    `path` names the file ("" when bytes came from elsewhere); `problems` has one line a fault, each
    led by its place (`edges[3].side: "Q" is not one of N E S W`).
    """

    def __init__(self, problems: Sequence[str], path: str = "") -> None:
        self.problems = tuple(problems)
        self.path = path
        super().__init__("\n".join(f"{path}: {line}" if path else line for line in self.problems))


class NewerFile(BadFile):
    """A file of a version that this program does not know yet.

    `value` is what could be read of it with today's model, to be shown but not written over; None
    when even that failed. `version` is the file's.
    """

    def __init__(self, problem: str, path: str, version: int, value: Any = None) -> None:
        super().__init__((problem,), path)
        self.version = version
        self.value = value


# Reading


def read_bytes(path: str | os.PathLike[str], limit: int = SIZE_LIMIT) -> bytes:
    """Return a file's bytes.

    Raises BadFile if it cannot be read or holds more than `limit` bytes.
    """
    name = os.fspath(path)
    try:
        with Path(name).open("rb") as stream:
            raw = stream.read(limit + 1)
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BadFile((f"cannot be read: {reason}",), name) from error
    if len(raw) > limit:
        raise BadFile((f"larger than the limit of {limit // (1024 * 1024)} MB",), name)
    return raw


@contextmanager
def gc_paused() -> Iterator[None]:
    """Hold off the cycle collector, which triples the time of making many small objects."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def decode(
    raw: bytes,
    type_: type[T],
    kind: str,
    version: int,
    migrations: Mapping[int, Migration] | None = None,
    path: str = "",
) -> T:
    """Return the value that a file's bytes hold.

    `migrations[n]` turns the JSON object of version n into that of n + 1.

    Raises NewerFile for a version above `version`, BadFile for anything else that is wrong.
    """
    if len(raw) > SIZE_LIMIT:
        raise BadFile((f"larger than the limit of {SIZE_LIMIT // (1024 * 1024)} MB",), path)
    with gc_paused():
        value = _decode_fast(raw, type_, kind, version)
        if value is not None:
            return value
        document = _parse(raw, path)
        faults: list[str] = []
        found = _header(document, kind, path)
        if found > version:
            body = {key: value for key, value in document.items() if key not in ("format", "version")}
            readable = _take(body, type_, "", faults)
            raise NewerFile(
                f"version: {found} is newer than {version}, the newest this program knows; "
                "open it with a newer program",
                path,
                found,
                None if faults else readable,
            )
        for step in range(found, version):
            migration = (migrations or {}).get(step)
            if migration is None:
                raise BadFile((f"version: {step} is no longer readable",), path)
            document = migration(document)
        body = {key: value for key, value in document.items() if key not in ("format", "version")}
        value = _take(body, type_, "", faults)
    if faults:
        raise BadFile(shortened(faults), path)
    assert isinstance(value, type_)
    return value


def shortened(faults: Sequence[str]) -> list[str]:
    """Return at most FAULTS_SHOWN lines, the last saying how many were left out."""
    if len(faults) <= FAULTS_SHOWN:
        return list(faults)
    return [*faults[: FAULTS_SHOWN - 1], f"and {len(faults) - FAULTS_SHOWN + 1} more faults"]


_HEADER = re.compile(rb'\{\s*"format"\s*:\s*"([\w.]{1,64})"\s*,\s*"version"\s*:\s*(\d{1,6})\s*,')


@cache
def _fields(type_: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(type_)


@cache
def _decoder(type_: type[T]) -> msgspec.json.Decoder[T]:
    """Return the decoder of a file's whole object: its header, then the model's keys."""
    whole = msgspec.defstruct(
        type_.__name__,
        [("format", str), ("version", int)],
        bases=(type_,),
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )
    return msgspec.json.Decoder(whole)


def _decode_fast(raw: bytes, type_: type[T], kind: str, version: int) -> T | None:
    """Return the value of a file with nothing odd about it, or None: then the careful way decides."""
    header = _HEADER.match(raw)
    if header is None or header[1] != kind.encode() or int(header[2]) != version:
        return None
    if b"$" in raw or (b"\\" in raw and b"\\u" in raw):  # looking for one byte is ten times as fast
        return None
    try:
        whole = _decoder(type_).decode(raw)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
        return None
    value = type_(**{field.name: getattr(whole, field.name) for field in _fields(type_)})
    # A key given twice is accepted by the decoder. Every key has its colon, so as many colons as there
    # are keys that must be there leave no room for another.
    if raw.count(b":") != 2 + _keys_needed(value):
        return None
    return value


def _keys_needed(value: msgspec.Struct) -> int:
    """Count the keys that a file must have to give this value (defaults may be left out)."""
    count = 0
    for field in _fields(type(value)):
        inner = getattr(value, field.name)
        if field.name == "extra" or _is_default(field, inner):
            continue
        count += 1
        if isinstance(inner, msgspec.Struct):
            count += _keys_needed(inner)
        elif isinstance(inner, (tuple, list)):
            item = _item_type(field.type)
            if _is_flat(item):
                count += len(inner) * (len(_fields(item)) - 1)
            else:
                count += sum(_keys_needed(one) for one in inner if isinstance(one, msgspec.Struct))
        elif isinstance(inner, dict):
            count += len(inner)
    return count


@cache
def _is_flat(kind: Any) -> bool:
    """Say whether a part has only required plain values (beside `extra`)."""
    if not (isinstance(kind, type) and issubclass(kind, Part)):
        return False
    fields = _fields(kind)
    return all(
        field.name == "extra"
        or (field.required and msgspec.inspect.type_info(field.type).__class__ in _PLAIN)
        for field in fields
    )


_PLAIN = (
    msgspec.inspect.IntType,
    msgspec.inspect.StrType,
    msgspec.inspect.LiteralType,
    msgspec.inspect.BoolType,
)


def _is_default(field: msgspec.structs.FieldInfo, value: object) -> bool:
    if field.default is not msgspec.NODEFAULT:
        return bool(value == field.default)
    if field.default_factory is not msgspec.NODEFAULT:
        return bool(value == field.default_factory())
    return False


class _Twice(dict[str, Any]):
    """An object in which a key stands twice."""

    keys_twice: tuple[str, ...] = ()


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    seen: set[str] = set()
    twice = []
    for key, _ in pairs:
        if key in seen and key not in twice:
            twice.append(key)
        seen.add(key)
    marked = _Twice(made)
    marked.keys_twice = tuple(twice)
    return marked


def _constant(text: str) -> float:
    raise ValueError(f"{text} is not a JSON number")


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is too large a number")
    return number


def _int(text: str) -> int:
    if len(text) > DIGITS_LIMIT:
        raise ValueError(f"a number of {len(text)} digits, more than {DIGITS_LIMIT}")
    return int(text)


def _parse(raw: bytes, path: str) -> dict[str, Any]:
    """Return a file's JSON object, every key once.

    Raises BadFile.
    """
    if raw.startswith(b"\xef\xbb\xbf"):
        raise BadFile(("byte 0: begins with a byte order mark; the file must be plain UTF-8",), path)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadFile((f"byte {error.start}: not UTF-8 text",), path) from error
    try:
        document = json.loads(
            text, object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, parse_int=_int
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        raise BadFile((f"{place}: not JSON: {_JSON_FAULTS.get(error.msg, error.msg)}",), path) from error
    except RecursionError as error:
        raise BadFile((f"nested deeper than {DEPTH_LIMIT} levels",), path) from error
    except ValueError as error:  # NaN, a number beyond all bounds, thousands of digits
        raise BadFile((f"not JSON: {error}",), path) from error
    if not isinstance(document, dict):
        raise BadFile((f"holds {_said(document)} where an object {{...}} must be",), path)
    faults: list[str] = []
    _inspect(document, path, faults)
    if faults:
        raise BadFile(shortened(faults), path)
    return document


def _inspect(document: dict[str, Any], path: str, faults: list[str]) -> None:
    """Find keys given twice, lone surrogates and too deep nesting."""
    todo: list[tuple[str, Any, int]] = [("", document, 1)]
    while todo:
        place, value, depth = todo.pop()
        if depth > DEPTH_LIMIT:
            raise BadFile((f"{place[:80]}...: nested deeper than {DEPTH_LIMIT} levels",), path)
        if type(value) is str:
            if not value.isascii() and _is_broken(value):
                faults.append(f"{place}: holds half of a surrogate pair")
        elif isinstance(value, dict):
            if isinstance(value, _Twice):
                faults.extend(f"{_join(place, key)}: the key is given twice" for key in value.keys_twice)
            for key, inner in value.items():
                if _is_broken(key):
                    faults.append(f"{place or 'the file'}: a key holds half of a surrogate pair")
                elif isinstance(inner, (dict, list)) or (type(inner) is str and not inner.isascii()):
                    todo.append((_join(place, key), inner, depth + 1))
        elif isinstance(value, list):
            todo.extend(
                (f"{place}[{at}]", inner, depth + 1)
                for at, inner in enumerate(value)
                if isinstance(inner, (dict, list)) or (type(inner) is str and not inner.isascii())
            )


def _is_broken(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _header(document: dict[str, Any], kind: str, path: str) -> int:
    """Return a file's version.

    Raises BadFile when the file is of another kind or says nothing about itself.
    """
    found = document.get("format")
    if found is None:
        raise BadFile((f'format: missing; a file of this kind says "{kind}"',), path)
    if found != kind:
        raise BadFile((f'format: {_said(found)} is not "{kind}"',), path)
    version = document.get("version")
    if version is None:
        raise BadFile(("version: missing",), path)
    if type(version) is not int or version < 1:
        raise BadFile((f"version: {_said(version)} is not a whole number from 1",), path)
    return version


# Structure


def _take(value: Any, type_: Any, place: str, faults: list[str]) -> Any:
    """Return `value` as `type_`, noting every fault with its place; what comes back is unused then."""
    if isinstance(type_, type) and issubclass(type_, Part):
        return _take_part(value, type_, place, faults)
    if isinstance(value, dict) and (part := _part_among(type_)) is not None:
        return _take_part(value, part, place, faults)
    info = _info(type_)
    if isinstance(info, (msgspec.inspect.VarTupleType, msgspec.inspect.ListType)):
        if not isinstance(value, list):
            faults.append(f"{place}: {_said(value)} is not a list [...]")
            return ()
        item = _item_type(type_)
        items = [_take(inner, item, f"{place}[{at}]", faults) for at, inner in enumerate(value)]
        return tuple(items) if isinstance(info, msgspec.inspect.VarTupleType) else items
    try:
        return msgspec.convert(value, type_, strict=True)
    except (msgspec.ValidationError, RecursionError, OverflowError) as error:
        inner_place, reason = _explained(error, value, info)
        faults.append(f"{place}{inner_place}: {reason}")
        return None


def _take_part(value: Any, type_: type[Part], place: str, faults: list[str]) -> Any:
    if not isinstance(value, dict):
        faults.append(f"{place or 'the file'}: {_said(value)} is not an object {{...}}")
        return None
    before = len(faults)
    rest = dict(value)
    known: dict[str, Any] = {}
    for field in _fields(type_):
        if field.name == "extra":
            continue
        if field.encode_name in rest:
            known[field.name] = _take(
                rest.pop(field.encode_name), field.type, _join(place, field.encode_name), faults
            )
        elif field.required:
            faults.append(f"{_join(place, field.encode_name)}: missing")
    if len(faults) > before:
        return None
    try:
        return type_(**known, extra=tuple(rest.items()))
    except (ValueError, TypeError) as error:
        faults.append(f"{place or 'the file'}: {error}")
        return None


def format_of(raw: bytes) -> str | None:
    """Return what a file says it is, "" where it says nothing, None where it is no JSON object."""
    try:
        found = msgspec.json.decode(msgspec.json.decode(raw, type=_Head).format)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, str) else msgspec.json.encode(found).decode()


class _Head(msgspec.Struct):
    """What any file says first."""

    format: msgspec.Raw = msgspec.Raw(b'""')


class UnknownField(NamedTuple):
    """A key that a part of a file keeps without knowing it: where it is, and a known one that is like it."""

    place: str
    meant: str


def unknown_fields(part: Part, place: str = "") -> list[UnknownField]:
    """Return the keys that a part and the parts within it do not know, in the order of the model."""
    names = [field.encode_name for field in _fields(type(part)) if field.name != "extra"]
    found = [
        UnknownField(_join(place, key), "".join(get_close_matches(key, names, 1))) for key, _ in part.extra
    ]
    for field in _fields(type(part)):
        value = getattr(part, field.name)
        inner = _join(place, field.encode_name)
        if isinstance(value, Part):
            found += unknown_fields(value, inner)
        elif isinstance(value, (tuple, list)) and field.name != "extra":
            for at, one in enumerate(value):
                if isinstance(one, Part):
                    found += unknown_fields(one, f"{inner}[{at}]")
    return found


@cache
def _info(type_: Any) -> msgspec.inspect.Type:
    return msgspec.inspect.type_info(type_)


@cache
def _part_among(type_: Any) -> type[Part] | None:
    """Return the kind of part that a field such as `str | FloorPlan` may hold; None where it holds none."""
    parts = [one for one in get_args(type_) if isinstance(one, type) and issubclass(one, Part)]
    is_either = isinstance(_info(type_), msgspec.inspect.UnionType)
    return parts[0] if is_either and len(parts) == 1 else None


@cache
def _item_type(type_: Any) -> Any:
    arguments = getattr(type_, "__args__", ())
    return arguments[0] if arguments else Any


def _join(place: str, key: str) -> str:
    shown = key if re.fullmatch(r"[\w$-]{1,40}", key) else json.dumps(key[:40], ensure_ascii=False)
    return f"{place}.{shown}" if place else shown


_AT = re.compile(r" - at `(?:key in )?\$?(.*)`$", re.DOTALL)
_NAMES = {
    "int": "a whole number",
    "str": "a text",
    "bool": "true or false",
    "float": "a number",
    "array": "a list [...]",
    "object": "an object {...}",
    "null": "null",
}


def _explained(error: Exception, value: Any, info: msgspec.inspect.Type) -> tuple[str, str]:
    """Return the rest of the place, and a reason in plain words, for a value that was refused."""
    text = str(error)
    found = _AT.search(text)
    place = found[1] if found else ""
    if found:
        text = text[: found.start()]
    if len(text) > 120 or not text.isprintable():  # it says again what the file holds
        text = f"{' '.join(text[:120].split())}..."
    if place:
        return (place if place.startswith("[") else f".{place.lstrip('.')}"), text[:1].lower() + text[1:]
    options = [info] if not isinstance(info, msgspec.inspect.UnionType) else list(info.types)
    literal = next((one for one in options if isinstance(one, msgspec.inspect.LiteralType)), None)
    if literal is not None:
        return "", f"{_said(value)} is not one of {' '.join(str(one) for one in literal.values)}"
    expected = re.match(r"Expected `([\w| ]+)`, got", text)
    if expected:
        wanted = " or ".join(_NAMES.get(name, name) for name in expected[1].split(" | "))
        return "", f"{_said(value)} is not {wanted}"
    bound = re.match(r"Expected `\w+` (>=|<=|>|<) (\S+)$", text)
    if bound:
        words = {">=": "below", "<=": "above", ">": "not above", "<": "not below"}[bound[1]]
        return "", f"{_said(value)} is {words} {bound[2]}"
    return "", f"{_said(value)}: {text[:1].lower()}{text[1:]}"


def _said(value: Any) -> str:
    """Return a value as a short piece of JSON."""
    if isinstance(value, dict):
        return "an object {...}"
    if isinstance(value, list):
        return "a list [...]"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**15:
        return "a number of many digits"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:36]}..."


# Writing


def encode(value: msgspec.Struct, kind: str, version: int) -> bytes:
    """Return a file's bytes: two-space JSON in a fixed order, each item of a list on a line of its own."""
    document: dict[str, Any] = {"format": kind, "version": version}
    document.update(_plain(value))
    return (_lines(document, "") + "\n").encode()


def _plain(value: Any) -> Any:
    """Return a value as dicts, lists and plain values: known keys in the model's order, then the others."""
    if isinstance(value, Part):
        made: dict[str, Any] = {}
        for name, key, default in _layout(type(value)):
            inner = getattr(value, name)
            if default is not msgspec.NODEFAULT and inner == default:
                continue
            made[key] = inner if type(inner) in (int, str) else _plain(inner)
        made.update(value.extra)
        return made
    if isinstance(value, (tuple, list)):
        return [_plain(inner) for inner in value]
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, msgspec.Struct):
        return msgspec.to_builtins(value)
    return value


@cache
def _layout(type_: type[Part]) -> tuple[tuple[str, str, Any], ...]:
    """Return (attribute, key, default or NODEFAULT) for each field of a part."""
    rows = []
    for field in _fields(type_):
        if field.name == "extra":
            continue
        default = field.default
        if field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        rows.append((field.name, field.encode_name, default))
    return tuple(rows)


_one_line = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def _lines(value: Any, indent: str) -> str:
    """Return JSON in which a key of an outer object and an item of a list each have a line."""
    deeper = f"{indent}  "
    if isinstance(value, dict) and value:
        rows = [f"{_one_line(key)}: {_lines(inner, deeper)}" for key, inner in value.items()]
        opening, closing = "{", "}"
    elif isinstance(value, list) and value:
        rows = [_one_line(inner) for inner in value]
        opening, closing = "[", "]"
    else:
        return _one_line(value)
    separator = f",\n{deeper}"
    return f"{opening}\n{deeper}{separator.join(rows)}\n{indent}{closing}"


def write_atomic(path: str | os.PathLike[str], raw: bytes) -> None:
    """Put bytes into a file so that at every moment it holds either all the old or all the new.

    Raises OSError; the old file is whole then and nothing else is left behind.
    """
    target = Path(path)
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(raw)
            stream.flush()
            os.fsync(stream.fileno())
        _keep_mode(target, temporary)
        os.replace(temporary, target)  # noqa: PTH105 - the target may be given as any path
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise


def _keep_mode(target: Path, temporary: str) -> None:
    """Give the new file the old one's permissions, or those of any newly made file."""
    try:
        mode = target.stat().st_mode & 0o777
    except OSError:
        with _asking_mask:
            mask = os.umask(0)
            os.umask(mask)
        mode = 0o666 & ~mask
    with suppress(OSError):  # file systems without permissions
        Path(temporary).chmod(mode)


# Schema


def schema(type_: type[msgspec.Struct], kind: str, version: int, title: str) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a kind of file; keys it does not name are allowed."""
    (reference,), components = msgspec.json.schema_components([type_], ref_template="#/$defs/{name}")
    del reference
    for component in components.values():
        component.get("properties", {}).pop(_EXTRA, None)
        if component.get("additionalProperties") is False:
            del component["additionalProperties"]
    root = components.pop(type_.__name__)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": root.get("description", ""),
        "type": "object",
        "properties": {
            "format": {"const": kind},
            "version": {"type": "integer", "minimum": 1, "maximum": version},
            **root["properties"],
        },
        "required": ["format", "version", *root["required"]],
        "$defs": components,
    }
