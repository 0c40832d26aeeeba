"""The Tools menu: every tool with its key."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from editor.tools.base import Tool

if TYPE_CHECKING:
    from editor.window import EditorWindow


class ToolsMenu(QObject):
    """The tools; a tool's key once more goes on to its next option."""

    def __init__(self, window: EditorWindow) -> None:
        super().__init__(window)
        self._window = window
        menu = window.menuBar().addMenu("&Tools")
        self.menu = menu
        self._actions: dict[str, QAction] = {}
        for tool in window.tools:
            action = window.named_actions.add(
                f"tool-{tool.key}",
                tool.title,
                tool.shortcut,
                partial(self.take, tool),
                menu="Tools",
                on_canvas=True,
                is_checkable=True,
            )
            self._actions[tool.key] = action
            menu.addAction(action)
        window.bench.toolChanged.connect(self._follow)

    def offer(self, tools: Sequence[Tool]) -> None:
        """Offer some of the tools."""
        for tool in self._window.tools:
            self._actions[tool.key].setVisible(tool in tools)
            self._actions[tool.key].setEnabled(tool in tools)

    def take(self, tool: Tool) -> None:
        """Take a tool in hand; the one in hand already goes on to its next option."""
        bench = self._window.bench
        if tool is bench.tool:
            tool.choose_next()
        bench.take(tool)
        self._follow()

    @Slot()
    def _follow(self) -> None:
        tool = self._window.bench.tool
        for key, action in self._actions.items():
            action.setChecked(tool is not None and key == tool.key)
