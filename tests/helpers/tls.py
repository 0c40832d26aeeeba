"""TLS for clients that read in one thread and write in another, which OpenSSL forbids without a lock."""

from __future__ import annotations

import select
import ssl
import threading
from typing import Any

from app.lan.certificate import guest_context


class _Guarded(ssl.SSLSocket):
    """A TLS socket of which one thread at a time reads or writes; nobody waits for data holding the lock."""

    @property
    def _guard(self) -> threading.Lock:
        guard: threading.Lock = self.__dict__.setdefault("guard", threading.Lock())
        return guard

    def recv(self, count: int = 1024, flags: int = 0) -> bytes:
        while True:
            if not self.pending():
                select.select([self], [], [], self.gettimeout())
            with self._guard:
                patience = self.gettimeout()
                self.settimeout(0.0)
                try:
                    return super().recv(count, flags)
                except ssl.SSLWantReadError:
                    if patience is not None and not select.select([self], [], [], patience)[0]:
                        raise TimeoutError from None
                finally:
                    self.settimeout(patience)

    def sendall(self, data: Any, flags: int = 0) -> None:
        with self._guard:
            super().sendall(data, flags)


def guarded_context() -> ssl.SSLContext:
    """Return how a guest speaks TLS in two threads."""
    context = guest_context()
    context.sslsocket_class = _Guarded
    return context
