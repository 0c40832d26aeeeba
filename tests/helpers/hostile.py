"""Peers that mean harm: wrong messages of every kind, and connections that keep to no rule."""

from __future__ import annotations

import os
import socket
import ssl
import struct
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from app.lan.certificate import guest_context
from engine.core.lan_protocol import LAN_VERSION, parse_lan_request
from engine.core.protocol import Refusal

PATHS: Final = (
    "../../etc/passwd",
    "..\\..\\windows\\win.ini",
    "/etc/passwd",
    "file:///etc/passwd",
    "C:\\CON",
    "~/.ssh/id_rsa",
    "table.json\x00.txt",
)
UNREADABLE: Final = (
    "\x00",
    "\x1b[2J\x07",
    "Ann\u202emoT",
    "\u2066\u2069",
    "\ud7ff\u200b\u200e",
    "\u2028",
    " \n\t",
)
WRONG: Final[tuple[Any, ...]] = (
    None,
    True,
    -1,
    1.5,
    1e308,
    2**53 + 1,
    2**70,
    "",
    "x" * 300,
    "__import__('os').system('true')",
    "{0.__class__}%s%n",
    [],
    [[]],
    {},
    {"__class__": "x"},
    {"$extra": {}, "kind": "hold"},
    *PATHS,
    *UNREADABLE,
)

_KEY = "a" * 64
SAMPLES: Final[dict[str, dict[str, Any]]] = {
    "greet": {"version": LAN_VERSION, "program": "kungfu2100"},
    "join": {"table": "AB", "pake": "41" + "58" + "66" * 31},
    "prove": {"proof": _KEY, "name": "Eve", "seat": "any", "seals": {"terminator": _KEY}, "token": _KEY},
    "return": {"table": "AB", "token": _KEY},
    "open": {"share": _KEY},
    "chat": {"text": "a line"},
    "offer": {"what": "pause"},
    "agree": {"agrees": False},
    "state": {},
    "scenario": {},
    "view": {"viewer": "public"},
    "decisions": {},
    "options": {"side": "terminator", "group": None, "start": 0, "limit": 10},
    "choose": {"side": "terminator", "choice": {"kind": "hold"}, "revision": 0},
    "why": {"side": "terminator", "choice": {"kind": "hold"}},
    "events": {"viewer": "public", "since": 0, "limit": 10},
    "undo": {"side": "terminator"},
    "seat": {"side": "terminator", "player": "random"},
    "record": {},
}


def is_refused_at_sight(raw: bytes) -> bool:
    """Whether a message is none of the wire's."""
    try:
        parse_lan_request(raw)
    except Refusal:
        return True
    return False


def nonsense() -> Iterator[bytes]:
    """Yield messages that are none: no JSON, no object, too deep, too large, or not of the wire."""
    yield from (b"", b" ", b"{", b"}", b"null", b"true", b"0", b'""', b"[]", b"{}", b"\x00", b"\xff\xfe{}")
    yield from (b'{"ask":"state"', b'{"ask":"state"}{', b"{'ask':'state'}", b'{"ask":"\xc3\x28"}')
    yield from (b'{"ask":NaN}', b'{"ask":"view","viewer":Infinity}', b'{"ask":"state","id":-Infinity}')
    yield from (b'{"ask":"options","side":"terminator","start":1e999}', b'{"ask":"state","id":1e5}')
    yield b'{"ask":"choose","side":"terminator","revision":' + b"9" * 5000 + b',"choice":{}}'
    yield b'{"ask":"state","id":' + b"1" * 20_000 + b"}"
    for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
        yield opening * 10_000 + b"1" + closing * 10_000
        deep = opening * 9_000 + b"1" + closing * 9_000
        yield b'{"ask":"why","side":1,"choice":' + deep + b"}"
        yield opening * 10_000
    yield b'{"ask":"chat","text":"' + b"x" * (64 * 1024) + b'"}'
    yield b" " * (64 * 1024 + 1)
    for name in (
        "",
        "hello",
        "new",
        "resume",
        "go",
        "eval",
        "import",
        "__class__",
        "greet\x00",
        "STATE",
        "os.system",
    ):
        yield msgspec.json.encode({"ask": name})
    for word in (*PATHS, *UNREADABLE):
        yield msgspec.json.encode({"ask": word})


def misshapen(side: str) -> Iterator[bytes]:
    """Yield each request of a side with one field wrong, missing or too many; all have the id 1."""
    for name, fields in SAMPLES.items():
        whole = {"ask": name, "id": 1, **fields, **({"side": side} if "side" in fields else {})}
        for field in fields:
            yield msgspec.json.encode({key: value for key, value in whole.items() if key != field})
            for value in WRONG:
                yield msgspec.json.encode({**whole, field: value})
        yield msgspec.json.encode({**whole, "extra": 1})
        yield msgspec.json.encode({**whole, "record": "/etc/passwd"})


def mangled(random: Random, count: int) -> Iterator[bytes]:
    """Yield requests with some bytes changed, cut out or doubled."""
    whole = [msgspec.json.encode({"ask": name, "id": 1, **fields}) for name, fields in SAMPLES.items()]
    for _ in range(count):
        raw = bytearray(random.choice(whole))
        for _ in range(random.randint(1, 4)):
            at = random.randrange(len(raw))
            match random.randrange(3):
                case 0:
                    raw[at] = random.randrange(256)
                case 1:
                    del raw[at : at + random.randint(1, 8)]
                    raw = raw or bytearray(b"{")
                case _:
                    raw[at:at] = raw[at : at + 8] * random.randint(1, 20)
        yield bytes(raw)


def bent(random: Random, value: Any, others: Sequence[Any] = ()) -> Any:
    """Return JSON with some places changed, left out, doubled, or taken from elsewhere in it or in others."""
    value = deepcopy(value)
    for _ in range(random.choice((1, 1, 2, 4))):
        paths = [path for path in _places(value) if path]
        if not paths:
            break
        *way, last = random.choice(paths)
        inside = _at(value, way)
        match random.randrange(5):
            case 0:
                inside[last] = random.choice(WRONG)
            case 1:
                del inside[last]
            case 2:
                other = random.choice((value, *others))
                inside[last] = deepcopy(_at(other, random.choice(_places(other))))
            case 3 if isinstance(inside, list):
                inside.insert(last, inside[last])
            case _ if isinstance(inside[last], int):
                inside[last] += random.choice((-1, 1, 100, 10**9))
    return value


def _places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way, *(place for key, one in inside for place in _places(one, (*way, key)))]


def _at(value: Any, way: Sequence[Any]) -> Any:
    for key in way:
        value = value[key]
    return value


# Below the messages


def knock(port: int) -> socket.socket:
    """Return a connection on which nothing has been said."""
    return socket.create_connection(("127.0.0.1", port), timeout=10.0)


def secured(port: int) -> ssl.SSLSocket:
    """Return a connection that speaks TLS and nothing yet over it."""
    return guest_context().wrap_socket(knock(port))


def raw_socket(port: int, *headers: str) -> ssl.SSLSocket:
    """Return a WebSocket whose frames are ours to make."""
    line = secured(port)
    asked = (
        "GET / HTTP/1.1",
        "Host: host",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        *headers,
    )
    line.sendall("\r\n".join((*asked, "", "")).encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        piece = line.recv(1)
        if not piece:
            raise ConnectionError("refused")
        answer += piece
    if b" 101 " not in answer.splitlines()[0]:
        line.close()
        raise ConnectionError(answer.splitlines()[0].decode())
    return line


def frame(
    opcode: int, data: bytes, *, bits: int = 0x80, is_masked: bool = True, length: int | None = None
) -> bytes:
    """Return a frame as a client sends it; `bits` are FIN and the reserved ones, `length` what it claims."""
    count = len(data) if length is None else length
    mask = 0x80 if is_masked else 0
    if count < 126:
        head = struct.pack("!BB", bits | opcode, mask | count)
    elif count < 65536:
        head = struct.pack("!BBH", bits | opcode, mask | 126, count)
    else:
        head = struct.pack("!BBQ", bits | opcode, mask | 127, count)
    return head + (b"\0\0\0\0" if is_masked else b"") + data


def is_ended(line: socket.socket, within: float) -> bool:
    """Whether the host ends a connection within so many seconds, whatever it says before."""
    line.settimeout(within)
    try:
        while line.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


def break_off(line: socket.socket) -> None:
    """End a connection at once, with a reset and what was not read thrown away."""
    linger = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
    socket.socket.close(line)


# What the host does meanwhile


class Doings:
    """What the threads of a host do to files and programs while it is watched."""

    def __init__(self, *threads: str) -> None:
        self._threads = threads  # what their names begin with
        self._is_on = False
        self.opened: set[Path] = set()
        self.run: list[str] = []
        sys.addaudithook(self._hear)

    def __enter__(self) -> None:
        self._is_on = True

    def __exit__(self, *what: object) -> None:
        self._is_on = False

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._is_on or not threading.current_thread().name.startswith(self._threads):
            return
        if event in (
            "open",
            "os.remove",
            "os.rename",
            "os.mkdir",
            "os.link",
            "os.listdir",
            "os.scandir",
            "os.rmdir",
        ):
            for path in args[:2] if event in ("os.rename", "os.link") else args[:1]:
                if isinstance(path, str | bytes | os.PathLike):
                    self.opened.add(Path(os.fsdecode(path)).absolute())
        elif event in (
            "exec",
            "compile",
            "import",
            "subprocess.Popen",
            "os.system",
            "os.exec",
            "ctypes.dlopen",
        ):
            self.run.append(f"{event} {str(args)[:200]}")
