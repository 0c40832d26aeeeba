"""Python's garbage collector, run between two events and in the window's thread only.

Left to itself it runs wherever an object happens to be made: inside a paint event, where it takes apart the
page of a game that is over, or in a bot's thread, where Qt's objects must not be deleted at all. Either can
end the process.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

INTERVAL = 500  # ms


def collect_due() -> None:
    """Collect what Python itself would have collected by now, by its own thresholds."""
    counts, thresholds = gc.get_count(), gc.get_threshold()
    for generation in (2, 1, 0):
        if counts[generation] > thresholds[generation]:
            gc.collect(generation)
            return


class SafeCollector(QObject):
    """Takes garbage collection over from the moment it is made until `stop`; the last one gives it back."""

    _at_work = 0

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        SafeCollector._at_work += 1
        self._is_stopped = False
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    @Slot()
    def collect(self) -> None:
        """Collect what is due."""
        collect_due()

    def stop(self) -> None:
        """Give garbage collection back to Python."""
        if self._is_stopped:
            return
        self._is_stopped = True
        SafeCollector._at_work -= 1
        self._timer.stop()
        gc.collect()
        if not SafeCollector._at_work:
            gc.enable()
