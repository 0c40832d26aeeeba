"""A host as far as strangers see one: it shows its certificate on a port, and says nothing.

As a program, `python -m tests.helpers.lan_host announce FOLDER NAME` announces such a host, and `browse`
prints what is found as a line of JSON whenever it changes, on all interfaces it has: for machines that a
test has made up.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from dataclasses import astuple
from pathlib import Path
from types import TracebackType
from typing import Self

from app.lan.certificate import Identity, host_context, load_identity
from app.lan.network import discovery
from app.lan.network.discovery import Announcer, Browser, Found


class LanHost:
    """Answers with TLS on a port of its own until it is closed."""

    def __init__(self, identity: Identity, *addresses: str) -> None:
        self._identity = identity
        self._addresses = addresses or ("127.0.0.1",)
        self._is_ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop
        self._is_closing: asyncio.Event
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self.port = 0

    def __enter__(self) -> Self:
        self._thread.start()
        self._is_ready.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._is_closing.set)
        self._thread.join()

    async def _serve(self) -> None:
        self._loop, self._is_closing = asyncio.get_running_loop(), asyncio.Event()
        servers = []
        for address in self._addresses:
            server = await asyncio.start_server(
                lambda _, writer: writer.close(), address, self.port, ssl=host_context(self._identity)
            )
            self.port = server.sockets[0].getsockname()[1]
            servers.append(server)
        self._is_ready.set()
        await self._is_closing.wait()
        for server in servers:
            server.close()


def announce(folder: Path, name: str) -> None:
    """Announce a host until the end of the input, or until the process is killed."""
    identity = load_identity(folder)
    with LanHost(identity, "::", "0.0.0.0") as host:
        announcer = Announcer(name, host.port, identity.fingerprint, 1)
        announcer.start()
        print(identity.fingerprint, host.port, flush=True)
        sys.stdin.read()
        announcer.stop()


def browse() -> None:
    """Print what is found until the end of the input."""

    def show(found: tuple[Found, ...]) -> None:
        print(json.dumps({"found": [astuple(one) for one in found], "told": browser.told}), flush=True)

    browser = Browser(show)
    browser.start()
    sys.stdin.read()
    browser.stop()


if __name__ == "__main__":
    discovery.NETWORK_SECONDS = discovery.CHECK_SECONDS = 0.5  # type: ignore[misc]
    if sys.argv[1] == "announce":
        announce(Path(sys.argv[2]), sys.argv[3])
    else:
        browse()
