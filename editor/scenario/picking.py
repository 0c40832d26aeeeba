"""Pickers: the next click on the map fills a field."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from editor.bench import Bench
from editor.draft import Square
from editor.tools.base import Tool
from editor.tools.pick import PickTool


class Picker(QObject):
    """Arms one picker at a time, and gives the tool that was in hand, and the focus, back afterwards.

    `changed` follows when it is armed and when it is no longer.
    """

    changed = Signal()

    def __init__(self, bench: Bench, parent: QObject) -> None:
        super().__init__(parent)
        self._bench = bench
        self._tool: PickTool | None = None

    @property
    def is_armed(self) -> bool:
        """Whether a click on the map is waited for."""
        return self._tool is not None

    def arm(self, what: str, why_not: Callable[[Square], str], put: Callable[[Square], None]) -> None:
        """Let the next click on the map fill a field by `put`; where one is waited for already, leave that.

        `what` says what the square is for, `why_not` why one cannot be meant.
        """
        if self._tool is not None:
            self._tool.cancel()
            return
        bench, former = self._bench, self._bench.tool
        focused = QApplication.focusWidget()
        tool = PickTool(bench, what, why_not)

        def leave() -> None:
            self._tool = None
            self.changed.emit()
            if focused is not None and isValid(focused) and focused.isVisible():
                focused.setFocus()
            # Later: the bench may be about to take another tool, which then stays.
            QTimer.singleShot(0, tool, lambda: _give_back(bench, tool, former))

        def take(square: Square) -> None:
            leave()
            bench.document.settle()
            put(square)
            bench.document.settle()

        tool.picked.connect(take)
        tool.left.connect(leave)
        self._tool = tool
        bench.take(tool)
        bench.say(tool.hint)
        self.changed.emit()


def _give_back(bench: Bench, tool: PickTool, former: Tool | None) -> None:
    if bench.tool is tool and former is not None:
        bench.take(former)
    if bench.tool is not tool:
        tool.deleteLater()
