"""The host's end of a WebSocket, which bears no flood of the frames that the library answers by itself."""

from __future__ import annotations

from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode

from app.lan import limits
from app.lan.limits import Allowance

_CONTROLS = frozenset({Opcode.PING, Opcode.PONG})


class Wire(ServerConnection):
    """A connection that ends where its peer sends more pings or pongs than any program does.

    Messages wait until they are read, but a ping is answered at once, also to one who never reads: the
    answers would pile up here, and all others would wait meanwhile.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._controls = Allowance(limits.CONTROLS, limits.CONTROL_BURST)

    def process_event(self, event: Any) -> None:
        if isinstance(event, Frame) and event.opcode in _CONTROLS and self._controls.take():
            self.transport.abort()
            return
        super().process_event(event)
