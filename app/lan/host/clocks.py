"""What is left of each side's time, counted while that side must decide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.core.lan_protocol import ClockCard


class Clocks:
    """The clocks of a game; times are in seconds, and `now` grows at every call."""

    def __init__(self, left: Mapping[str, float]) -> None:
        self._left = dict(left)
        self._running: frozenset[str] = frozenset()
        self._since = 0.0

    @property
    def running(self) -> frozenset[str]:
        """The sides whose time runs."""
        return self._running

    def run(self, sides: Iterable[str], now: float) -> None:
        """Let the time of these sides run, and stop that of all others."""
        self._take(now)
        self._running = frozenset(side for side in sides if side in self._left)

    def _take(self, now: float) -> None:
        for side in self._running:
            self._left[side] = max(0.0, self._left[side] - (now - self._since))
        self._since = now

    def left(self, now: float) -> dict[str, float]:
        """Return what is left of each side's time."""
        self._take(now)
        return dict(self._left)

    def out(self, now: float) -> list[str]:
        """Return the sides whose time runs and has run out."""
        left = self.left(now)
        return [side for side in self._running if left[side] <= 0]

    def next_out(self, now: float) -> float | None:
        """Return when the first of them will run out, None where no time runs."""
        left = self.left(now)
        return min((now + left[side] for side in self._running), default=None)

    def cards(self, now: float) -> dict[str, ClockCard]:
        """Return the clocks as everybody sees them."""
        return {
            side: ClockCard(left=round(left * 1000), runs=side in self._running)
            for side, left in self.left(now).items()
        }
