"""The editor's window: the canvas in the middle, panels round it, and the menus over all."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from editor.actions import Actions
from editor.bench import Bench
from editor.canvas.minimap import Minimap
from editor.canvas.view import MapCanvas
from editor.docks import Area, Docks
from editor.document import Document
from editor.draft import Draft
from editor.empty_state import EmptyState
from editor.files.keeper import FileKeeper
from editor.files.opening import Opened
from editor.host import Host, PlaytestView
from editor.menus.edit import EditMenu
from editor.menus.file import FileMenu
from editor.menus.help import HelpMenu
from editor.menus.map import MapMenu
from editor.menus.play import PlayMenu
from editor.menus.problems import ProblemsMenu
from editor.menus.tools import ToolsMenu
from editor.menus.view import ViewMenu
from editor.panels.history import HistoryPanel
from editor.panels.mode_bar import ModeBar
from editor.panels.properties.panel import PropertiesPanel
from editor.panels.rooms import RoomsPanel
from editor.panels.toolbox import Toolbox
from editor.panels.tracing import TracingPanel
from editor.problems.checking import Checker
from editor.problems.doctor_panel import DoctorPanel
from editor.problems.panel import ProblemsPanel
from editor.scenario.panel import ScenarioPanel
from editor.settings import EditorSettings
from editor.status import StatusLine
from editor.templates import empty
from editor.tools import TOOLS
from editor.tools.base import Tool
from editor.tools.select import Select
from editor.tools.stamp import Stamp
from editor.trials.panel import TrialsPanel

TITLE: Final = "Kung Fu 2100 editor"
Mode = Literal["map", "scenario", "playtest"]
FRAME: Final = QSize(16, 48)
TAB_STYLE: Final = """
EditorWindow > QTabBar::tab { padding: 4px 7px; }
EditorWindow > QTabBar::scroller { width: 44px; }
EditorWindow > QTabBar QToolButton { padding: 0px; border-width: 1px; border-style: solid;
    background: palette(base); border-color: palette(dark); }
"""
OFFERED_AFTER: Final = 100  # ms after the window is shown
FOR_BOTH: Final = ("select", "sight", "reach")
"""The tools that are offered for maps and scenarios alike, by their keys."""
IN_PLAYTEST: Final = (
    "playtest",
    "mode-map",
    "mode-scenario",
    "help",
    "help-editor",
    "text-larger",
    "text-smaller",
    "text-normal",
    "settings",
)
"""The actions that act while a playtest is on; its own keys are the game's."""


class EditorWindow(QMainWindow):
    """The editor. `host` is the game around it, `document` what is edited, an empty map without one.

    `add_panel` puts a widget into a dock, `add_bar` a strip of news over the canvas. `modeChanged` carries
    the mode, `closed` follows when the window is.
    """

    modeChanged = Signal(str)
    closed = Signal()

    def __init__(
        self,
        host: Host,
        document: Document | None = None,
        parent: QWidget | None = None,
        *,
        settings: EditorSettings | None = None,
    ) -> None:
        super().__init__(parent)
        self.host = host
        self.settings = settings if settings is not None else EditorSettings()
        self.document = document if document is not None else Document(Draft(empty()), parent=self)
        self.bench = Bench(self.document, self)
        self.mode: Mode = "map"
        self.page: PlaytestView | None = None
        self._docks = Docks(self)
        self.docks = self._docks.all
        self._able: tuple[str, ...] = ()
        self._mode_before: Mode = "map"
        self._view_before: object = None
        self._docks_before = QByteArray()
        self.canvas = MapCanvas(self.bench)
        select, stamp = Select(self.bench), Stamp(self.bench)
        made: dict[type[Tool], Tool] = {Select: select, Stamp: stamp}
        self.tools: tuple[Tool, ...] = tuple(made.get(kind) or kind(self.bench) for kind in TOOLS)
        self.named_actions = Actions(self, self.canvas, self.settings.now.keys)
        self.bench.native_key = self.named_actions.native_key
        self.bars = QVBoxLayout()
        self.pages = QStackedWidget()
        self.tracing = TracingPanel()
        self.files = FileKeeper(self.document, self)
        self.files.began.connect(self._on_begun)
        self.files.opened.connect(self._on_opened)
        self.files.saved.connect(self._on_saved)
        self.files.said.connect(self.bench.say)
        self.files.flashed.connect(self.bench.flashed)
        self._lay_out()
        self.file_menu = FileMenu(self)
        self.edit_menu = EditMenu(self, select, stamp)
        self.map_menu = MapMenu(self, self.tracing)
        self.tools_menu = ToolsMenu(self)
        self.view_menu = ViewMenu(self)
        self.problems_menu = ProblemsMenu(self)
        self.play_menu = PlayMenu(self)
        self.help_menu = HelpMenu(self)
        modes = [self.named_actions[f"mode-{one}"] for one in ("map", "scenario", "playtest")]
        self.mode_bar = ModeBar(modes)
        self.mode_bar.escaped.connect(self._on_escaped)
        self.menuBar().setCornerWidget(self.mode_bar)
        self._make_panels()
        self.status = StatusLine(self.bench, self.canvas)
        self.canvas.spotHovered.connect(self.status.show_spot)
        self.canvas.zoomed.connect(self.status.show_zoom)
        self.canvas.cursorShown.connect(self.status.show_keys)
        self.status.show_zoom(self.canvas.percent)
        self.problems.summaryChanged.connect(self.status.problems.setText)
        self.status.problems.setText(self.problems.summary_words())
        self.statusBar().addWidget(self.status, 1)
        self.statusBar().setSizeGripEnabled(False)
        self.empty_state = EmptyState(self.bench, self.canvas)
        select.nameAsked.connect(self._on_name_asked)
        self.document.modified.connect(self.setWindowModified)
        self.document.pathChanged.connect(self._retitle)
        self.document.changed.connect(self._retitle)
        self.document.replaced.connect(self._on_replaced)
        self.on_keys()
        self._retitle()
        self.set_mode("map")
        self._take_places()

    def _lay_out(self) -> None:
        self.menuBar().setNativeMenuBar(False)
        self.setAcceptDrops(True)
        # The names of panels behind one another are read in full, narrow as their place is.
        self.setStyleSheet(TAB_STYLE)
        middle = QWidget()
        layout = QVBoxLayout(middle)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self.bars)
        self.add_bar(self.files.bars)
        layout.addWidget(self.pages, 1)
        self.pages.addWidget(self.canvas)
        self.setCentralWidget(middle)

    def _make_panels(self) -> None:
        self.toolbox = Toolbox(self.bench, self.tools)
        self.toolbox.toolWanted.connect(self._on_tool_wanted)
        self.toolbox.done.connect(self.canvas.setFocus)
        self.properties = PropertiesPanel(self.bench)
        self.properties.done.connect(self.canvas.setFocus)
        self.properties.figures.scenarioWanted.connect(self._on_scenario_wanted)
        self.rooms = RoomsPanel(self.bench)
        self.scenario = ScenarioPanel(self.bench)
        self.scenario.toolWanted.connect(self._on_scenario_tool)
        self.scenario.mapWanted.connect(self.canvas.setFocus)
        self.minimap = Minimap(self.bench, self.canvas)
        self.history = HistoryPanel(self.document)
        self.checker = Checker(self.bench, self.settings)
        self.problems = ProblemsPanel(self.bench, self.checker)
        self.problems.fieldWanted.connect(self.problems_menu.show_field)
        self.doctor = DoctorPanel(self.bench, self.checker)
        self.add_panel("tools", "Tools", self.toolbox, Area.LeftDockWidgetArea)
        self.add_panel("properties", "Properties", self.properties, Area.RightDockWidgetArea)
        self.add_panel("rooms", "Rooms", self.rooms, Area.RightDockWidgetArea)
        self.add_panel("scenario", "Scenario", self.scenario, Area.RightDockWidgetArea)
        self.add_panel("tracing", "Tracing image", self.tracing, Area.RightDockWidgetArea).hide()
        self.trials = TrialsPanel(self.bench)
        self.trials.playWanted.connect(self.play_menu.play)
        self.trials.problemsWanted.connect(self.play_menu.show_problems)
        self.add_panel("trials", "Bot games", self.trials, Area.RightDockWidgetArea).hide()
        dock = self.add_panel("doctor", "Doctor", self.doctor, Area.RightDockWidgetArea)
        dock.visibilityChanged.connect(self.doctor.look)
        dock.hide()
        self.add_panel("problems", "Problems", self.problems, Area.BottomDockWidgetArea)
        self.add_panel("history", "History", self.history, Area.BottomDockWidgetArea)
        self.add_panel("overview", "Overview", self.minimap, Area.BottomDockWidgetArea)
        self.view_menu.list_panels()

    def add_panel(self, key: str, title: str, widget: QWidget, area: Area) -> QDockWidget:
        """Put a widget into a dock of that area; once shown it is a tab behind those that were there."""
        return self._docks.add(key, title, widget, area)

    def show_panel(self, key: str) -> None:
        """Bring a panel to the front."""
        self._docks.show(key)

    def go_to_panel(self, key: str) -> None:
        """Bring a panel to the front, and give it the focus."""
        self._docks.go_to(key)

    def hide_panels(self, is_on: bool) -> None:
        """Hide every panel, or show those again that were hidden."""
        self._docks.hide_all(is_on)

    def add_bar(self, bar: QWidget) -> None:
        """Put a strip of news over the canvas."""
        self.bars.addWidget(bar)

    def event(self, event: QEvent) -> bool:
        """Keep a held Ctrl+Return from ending one phase of a playtest after another."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.isAutoRepeat()
            and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        ):
            event.accept()
            return True
        return super().event(event)

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
        for one in ("map", "scenario", "playtest"):
            self.named_actions[f"mode-{one}"].setChecked(one == mode)
        if is_new:
            if mode != "playtest":
                self.show_panel("scenario" if mode == "scenario" else "properties")
            self.modeChanged.emit(mode)

    def go_to_mode(self, mode: Mode) -> None:
        """Go over to a mode as somebody asks for it, out of a playtest too."""
        if self.page is not None:
            self.page.leave()
        if mode != self.mode:
            self.set_mode(mode)
        self.named_actions[f"mode-{self.mode}"].setChecked(True)
        self.canvas.setFocus()

    @Slot(object)
    def _on_tool_wanted(self, tool: Tool) -> None:
        self.tools_menu.take(tool)
        self.canvas.setFocus()

    @Slot(str)
    def _on_scenario_tool(self, key: str) -> None:
        """Take the tool that the scenario panel asks for."""
        tool = next((one for one in self.tools if one.key == key), None)
        if tool is not None:
            self.set_mode("scenario")
            self.bench.take(tool)
            self.canvas.setFocus()

    @Slot()
    def _on_scenario_wanted(self) -> None:
        self.show_panel("scenario")
        self.scenario.setFocus()

    @Slot(str)
    def _on_name_asked(self, _letter: str) -> None:
        self.show_panel("properties")
        self.properties.follow()
        self.properties.rooms.name.setFocus()
        self.properties.rooms.name.selectAll()

    @Slot()
    def _on_replaced(self) -> None:
        """Let a playtest of the last draft go, and take the Select tool."""
        if self.page is not None:
            self.page.leave()
        self.set_mode(self.mode)

    @Slot()
    def _on_begun(self) -> None:
        """Show another draft from its beginning."""
        self.canvas.fit()
        self.map_menu.find_tracing()
        self.set_mode("map" if self.document.draft.scenario is None else self.mode)
        self.canvas.setFocus()

    @Slot(object)
    def _on_opened(self, opened: Opened) -> None:
        if opened.path is not None:
            self.settings.note_file(opened.path)

    @Slot(object, bytes)
    def _on_saved(self, path: Path, _raw: bytes) -> None:
        self.settings.note_file(path)
        self.map_menu.keep_tracing()

    def on_keys(self) -> None:
        """Show the keys that actions have now."""
        keys = {
            tool.key: self.named_actions[f"tool-{tool.key}"]
            .shortcut()
            .toString(QKeySequence.SequenceFormat.NativeText)
            for tool in self.tools
        }
        self.toolbox.show_keys(keys)
        self.bench.keysChanged.emit()

    # Playtest.

    def show_playtest(self, page: PlaytestView) -> None:
        """Show a playtest in the place of map and panels, until it is left."""
        self._mode_before = self.mode
        self._view_before = self.canvas.view_state()
        tool = self.bench.tool
        if tool is not None:
            tool.cancel()
        self.page = page
        page.left.connect(self._on_playtest_left)
        self.pages.addWidget(page)
        self._able = tuple(known.name for known in self.named_actions if known.action.isEnabled())
        self._docks_before = self.saveState()
        for dock in self.docks.values():
            dock.hide()
        self.statusBar().hide()
        self.mode = "playtest"
        for known in self.named_actions:
            known.action.setEnabled(known.name in IN_PLAYTEST)
        for one in ("map", "scenario", "playtest"):
            self.named_actions[f"mode-{one}"].setChecked(one == "playtest")
        self.pages.setCurrentWidget(page)
        self.modeChanged.emit("playtest")

    @Slot()
    def _on_playtest_left(self) -> None:
        """Return to the same view, the same tool and the same panels."""
        page, self.page = self.page, None
        if page is None:
            return
        self.pages.setCurrentWidget(self.canvas)
        self.pages.removeWidget(page)
        page.deleteLater()
        # What a bot said last in the game would lie over the editor's own line.
        self.statusBar().clearMessage()
        self.statusBar().show()
        self.restoreState(self._docks_before)
        self.mode = self._mode_before
        for name in self._able:
            self.named_actions[name].setEnabled(True)
        for one in ("map", "scenario", "playtest"):
            self.named_actions[f"mode-{one}"].setChecked(one == self.mode)
        self.edit_menu.follow()
        self.canvas.restore(self._view_before)
        self.canvas.setFocus()
        self.modeChanged.emit(self.mode)

    @Slot()
    def _on_escaped(self) -> None:
        if self.page is not None:
            self.page.step_back()
        else:
            self.canvas.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step back from a playtest at Esc, wherever in the window the focus is."""
        if self.page is not None and event.key() == Qt.Key.Key_Escape:
            if not event.isAutoRepeat():
                self.page.step_back()
            return
        super().keyPressEvent(event)

    # Files dropped onto the window.

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() and self.page is None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        if paths:
            # Only after the drop is over: opening may ask.
            QTimer.singleShot(0, self, lambda: self.files.open_path(paths[0]))

    # Title, places, closing.

    @Slot()
    def _retitle(self) -> None:
        name = self.document.draft.name or "Untitled"
        path = self.document.path
        where = f" ({path.name})" if path is not None else ""
        locked = " – read-only" if self.document.is_locked else ""
        self.setWindowTitle(f"{name}{where}{locked}[*] – {TITLE}")

    def _take_places(self) -> None:
        room = self.screen().availableGeometry().size()
        self.resize(room * 0.9 if room.width() > 1400 else room - FRAME)
        if self.settings.now.geometry:
            self.restoreGeometry(QByteArray.fromBase64(self.settings.now.geometry.encode()))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._docks.place(self.settings.now.docks):
            QTimer.singleShot(OFFERED_AFTER, self, self.files.rescue.offer)
        self.canvas.setFocus()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close, once the draft may go."""
        if not self.files.is_free():
            event.ignore()
            return
        if self.page is not None:
            self.page.leave()
        self.trials.end()
        self.checker.close()
        if self.named_actions["hide-panels"].isChecked():
            self.hide_panels(False)
        self.settings.keep(
            geometry=bytes(self.saveGeometry().toBase64().data()).decode(),
            docks=bytes(self.saveState().toBase64().data()).decode(),
        )
        self.files.close()
        event.accept()
        self.closed.emit()
