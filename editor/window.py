"""The editor's window: the canvas in the middle, panels round it, and the menus over all."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtCore import QByteArray, QSize, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

import editor.tools
from editor.actions import Actions
from editor.bench import Bench
from editor.document import Document
from editor.draft import Draft
from editor.host import Host
from editor.keeping import Keeping
from editor.menus.edit import EditMenu
from editor.menus.file import FileMenu
from editor.menus.help import HelpMenu
from editor.menus.map import MapMenu
from editor.menus.play import PlayMenu
from editor.menus.tools import ToolsMenu
from editor.menus.view import ViewMenu
from editor.panels.toolbox import Toolbox
from editor.scenario.panel import ScenarioPanel
from editor.status import StatusLine
from editor.templates import empty
from editor.tools.base import Tool

TITLE: Final = "Kung Fu 2100 editor"
Mode = Literal["map", "scenario", "playtest"]
FRAME: Final = QSize(16, 48)
AREA = Qt.DockWidgetArea
FOR_BOTH: Final = ("select", "sight", "reach")
"""The tools that are offered for maps and scenarios alike, by their keys."""


class Canvas(QWidget):
    """A place for the canvas."""

    spotHovered = Signal(object)

    def zoom_by(self, factor: float) -> None:
        """Zoom."""

    def fit(self) -> None:
        """Show the whole map."""

    def zoom_to_size(self) -> None:
        """Show squares in their normal size."""


class EditorWindow(QMainWindow):
    """The editor. `host` is the game around it, `document` what is edited, an empty map without one.

    `add_panel` puts a widget into a dock, `add_bar` a strip of news over the canvas.
    """

    modeChanged = Signal(str)

    def __init__(
        self,
        host: Host,
        document: Document | None = None,
        parent: QWidget | None = None,
        *,
        keeping: Keeping | None = None,
    ) -> None:
        super().__init__(parent)
        self.host = host
        self.keeping = keeping if keeping is not None else Keeping()
        self.document = document if document is not None else Document(Draft(empty()), parent=self)
        self.bench = Bench(self.document, self)
        self.mode: Mode = "map"
        self.docks: dict[str, QDockWidget] = {}
        self._hidden: tuple[QDockWidget, ...] = ()
        self.canvas = Canvas()
        self.tools: tuple[Tool, ...] = tuple(kind(self.bench) for kind in getattr(editor.tools, "TOOLS", ()))
        self.commands = Actions(self, self.canvas, self.keeping.now.keys)
        self.bars = QVBoxLayout()
        self.pages = QStackedWidget()
        self._lay_out()
        self.file_menu = FileMenu(self)
        self.edit_menu = EditMenu(self)
        self.map_menu = MapMenu(self)
        self.tools_menu = ToolsMenu(self)
        self.view_menu = ViewMenu(self)
        self.play_menu = PlayMenu(self)
        self.help_menu = HelpMenu(self)
        self.toolbox = Toolbox(self.bench, self.tools)
        self.toolbox.toolWanted.connect(self.tools_menu.take)
        self._make_panels()
        self.status = StatusLine(self.bench, self.canvas)
        self.statusBar().addWidget(self.status, 1)
        self.statusBar().setSizeGripEnabled(False)
        self.document.modified.connect(self.setWindowModified)
        self.document.pathChanged.connect(self._retitle)
        self.document.changed.connect(self._retitle)
        self.document.changed.connect(self._put_scenario_tool_away)
        self.document.replaced.connect(self._on_replaced)
        self._retitle()
        self.set_mode("map")
        self._take_places()

    def _lay_out(self) -> None:
        self.menuBar().setNativeMenuBar(False)
        self.setDockNestingEnabled(True)
        middle = QWidget()
        layout = QVBoxLayout(middle)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self.bars)
        layout.addWidget(self.pages, 1)
        self.pages.addWidget(self.canvas)
        self.setCentralWidget(middle)

    def _make_panels(self) -> None:
        self.add_panel("tools", "Tools", self.toolbox, AREA.LeftDockWidgetArea)
        self.add_panel("properties", "Properties", QWidget(), AREA.RightDockWidgetArea)
        self.add_panel("rooms", "Rooms", QWidget(), AREA.RightDockWidgetArea)
        self.scenario = ScenarioPanel(self.bench)
        self.scenario.toolWanted.connect(self._take_for_scenario)
        self.add_panel("scenario", "Scenario", self.scenario, AREA.RightDockWidgetArea)
        self.add_panel("problems", "Problems", QWidget(), AREA.BottomDockWidgetArea)
        self.add_panel("history", "History", QWidget(), AREA.BottomDockWidgetArea)
        self.view_menu.list_panels()

    def add_panel(self, key: str, title: str, widget: QWidget, area: AREA) -> QDockWidget:
        """Put a widget into a dock of that area, as a tab behind those that are there."""
        dock = QDockWidget(title, self)
        dock.setObjectName(key)
        dock.setWidget(widget)
        others = [one for one in self.docks.values() if self.dockWidgetArea(one) == area]
        self.addDockWidget(area, dock)
        if others:
            self.tabifyDockWidget(others[-1], dock)
            others[0].raise_()
        self.docks[key] = dock
        return dock

    def add_bar(self, bar: QWidget) -> None:
        """Put a strip of news over the canvas."""
        self.bars.addWidget(bar)

    # Modes and tools.

    def tools_of(self, mode: Mode) -> tuple[Tool, ...]:
        """Return the tools that a mode offers."""
        if mode == "playtest":
            return ()
        return tuple(tool for tool in self.tools if tool.mode == mode or tool.key in FOR_BOTH)

    def set_mode(self, mode: Mode) -> None:
        """Go over to another mode, with the Select tool in hand."""
        is_new, self.mode = mode != self.mode, mode
        offered = self.tools_of(mode)
        self.toolbox.offer(offered)
        self.tools_menu.offer(offered)
        if offered:
            self.bench.take(offered[0])
        for one in ("map", "scenario"):
            self.commands[f"mode-{one}"].setChecked(one == mode)
        if is_new:
            self.modeChanged.emit(mode)

    @Slot(str)
    def _take_for_scenario(self, key: str) -> None:
        """Take a tool that the scenario panel asks for."""
        self.set_mode("scenario")
        for tool in self.tools_of("scenario"):
            if tool.key == key:
                self.bench.take(tool)
        self.canvas.setFocus()

    @Slot()
    def _put_scenario_tool_away(self) -> None:
        """Take the Select tool in hand where the scenario has gone that the one in hand was for."""
        tool = self.bench.tool
        if self.document.draft.scenario is None and tool is not None and tool.mode == "scenario":
            self.bench.take(self.tools[0])

    @Slot()
    def _on_replaced(self) -> None:
        self.set_mode("map" if self.mode == "playtest" else self.mode)

    def hide_panels(self, is_on: bool) -> None:
        """Hide every panel, or show those again that were hidden."""
        if is_on:
            self._hidden = tuple(dock for dock in self.docks.values() if not dock.isHidden())
            for dock in self._hidden:
                dock.hide()
        else:
            for dock in self._hidden:
                dock.show()
            self._hidden = ()

    # Title, places, closing.

    @Slot()
    def _retitle(self) -> None:
        name = self.document.draft.name or "Untitled"
        path = self.document.path
        where = f" ({path.name})" if path is not None else ""
        self.setWindowTitle(f"{name}{where}[*] – {TITLE}")

    def _take_places(self) -> None:
        room = self.screen().availableGeometry().size()
        self.resize(room * 0.9 if room.width() > 1400 else room - FRAME)
        if self.keeping.now.geometry:
            self.restoreGeometry(QByteArray.fromBase64(self.keeping.now.geometry.encode()))
        if self.keeping.now.docks:
            self.restoreState(QByteArray.fromBase64(self.keeping.now.docks.encode()))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.canvas.setFocus()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.keeping.keep(
            geometry=bytes(self.saveGeometry().toBase64().data()).decode(),
            docks=bytes(self.saveState().toBase64().data()).decode(),
        )
        event.accept()
