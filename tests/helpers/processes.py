"""The processes beside the tests': which of them a test has started."""

from __future__ import annotations

import multiprocessing


class Started:
    """The processes that have been started since; those of others do not count."""

    def __init__(self) -> None:
        self._before = set(_numbers())

    @property
    def numbers(self) -> list[int]:
        """The numbers of those that run."""
        return [number for number in _numbers() if number not in self._before]


def _numbers() -> list[int]:
    return [one.pid for one in multiprocessing.active_children() if one.pid is not None]
