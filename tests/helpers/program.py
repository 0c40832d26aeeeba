"""The program in a process of its own, as a user starts it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import run

ROOT = Path(run.__file__).parent
# Qt and the network are out of bounds: a command that needs either fails.
ALONE = """
import socket, sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("PySide6", "shiboken6"):
            raise ImportError(f"{name} is out of bounds for a command")

def refuse(*args, **kwargs):
    raise OSError("the network is out of bounds for a command")

sys.meta_path.insert(0, Block())
socket.socket = socket.create_connection = socket.getaddrinfo = refuse
from app.cli import main
sys.exit(main(sys.argv[1:]))
"""


def _listen_to_interrupts() -> None:
    # A test run in the background ignores interrupts, and a new process would do so too.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(
    *args: str, folder: Path | None = None, is_alone: bool = False, out: IO[bytes] | None = None
) -> subprocess.Popen[bytes]:
    """Start `kungfu2100 ARGS` with pipes on all three streams, or its output into a file.

    `is_alone` denies it Qt and the network.
    """
    how = ["-c", ALONE] if is_alone else ["-m", "app"]
    posix: dict[str, Any] = {"preexec_fn": _listen_to_interrupts} if os.name == "posix" else {}
    return subprocess.Popen(
        [sys.executable, "-P", *how, *args],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=out or subprocess.PIPE,
        stderr=subprocess.PIPE,
        **posix,
    )


def done(
    *args: str, folder: Path | None = None, is_alone: bool = False, given: bytes = b""
) -> tuple[int, str, str]:
    """Run `kungfu2100 ARGS` and return its exit code and what it wrote on the two outputs."""
    with start(*args, folder=folder, is_alone=is_alone) as process:
        out, err = process.communicate(given, timeout=60)
        return process.returncode, out.decode(), err.decode()
