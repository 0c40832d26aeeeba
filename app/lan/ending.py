"""Ends what the network may hold up, beside the window, which must not stand still meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

WINDOW_WAITS: Final = 0.5  # seconds; an end that nothing holds up takes a tenth of that

_guard = threading.Lock()
_endings: list[threading.Thread] = []


def end_beside(end: Callable[[], None], name: str, within: float = WINDOW_WAITS) -> None:
    """Do what ends something in a thread of its own, and wait for so many seconds at most.

    The program ends after it, so that all is saved: `end` must take its time within bounds itself.
    """
    thread = threading.Thread(target=end, name=name)
    with _guard:
        _endings[:] = [one for one in _endings if one.is_alive()]
        try:
            thread.start()
        except RuntimeError:  # no room for another thread: better the window waits than nothing ends
            end()
            return
        _endings.append(thread)
    thread.join(within)


def wait_for_endings(within: float) -> None:
    """Wait until all that is being ended has ended, each for so many seconds at most."""
    with _guard:
        endings = list(_endings)
    for thread in endings:
        thread.join(within)
