"""The scenario panel: the page of the scenario on the bench, or of a map that has none yet."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app import theme
from app.dialogs.switch_controls import SwitchControl
from editor.bench import Bench
from editor.edits.scenario import with_scenario, without_scenario
from editor.scenario.bare import BarePage
from editor.scenario.page import ScenarioPage
from editor.tools.select import Select


class ScenarioPanel(QWidget):
    """Shows the one page or the other, and goes from map to scenario and back.

    The page of a scenario, with its many controls, is made when it is first shown or asked for.
    `toolWanted` asks for a tool by its key: the one that puts figures on the map, or Select when the
    scenario goes that such a tool is in hand for. `mapWanted` asks for the focus to go to the map.
    """

    toolWanted = Signal(str)
    mapWanted = Signal()

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Scenario")
        self.bench = bench
        self.document = bench.document
        self.bare = BarePage(bench)
        self.bare.makeWanted.connect(self.make_scenario)
        self._page: ScenarioPage | None = None
        self._waiting = QWidget()
        self.pages = QStackedWidget()
        self.pages.addWidget(self.bare)
        self.pages.addWidget(self._waiting)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.pages)
        self.document.changed.connect(self._follow)
        self._turn_page()

    def sizeHint(self) -> QSize:
        return QSize(theme.size("body") * 26, theme.size("body") * 40)

    def minimumSizeHint(self) -> QSize:
        """Return the least size that shows anything; the rest is scrolled to."""
        return QSize(theme.size("body") * 9, theme.size("body") * 9)

    @property
    def page(self) -> ScenarioPage:
        """The page of a scenario."""
        if self._page is None:
            self._page = ScenarioPage(self.bench)
            self._page.toolWanted.connect(self.toolWanted)
            self._page.mapWanted.connect(self.mapWanted)
            self._page.reduceWanted.connect(self.keep_only_map)
            self.pages.addWidget(self._page)
            self._turn_page()
        return self._page

    @property
    def controls(self) -> dict[str, SwitchControl]:
        """The controls of all fields of a scenario, by path."""
        return self.page.controls

    def go_to(self, place: str) -> bool:
        """Show the field at a place of the scenario's file, as problems name it; return whether there is one.

        "reinforcements[2].entry", "start.figures[0].square", "jellies".
        """
        return self.document.draft.scenario is not None and self.page.go_to(place)

    @Slot()
    def make_scenario(self) -> None:
        """Make a scenario of the map."""
        self.document.settle()
        self.document.apply("Make a scenario of the map", with_scenario(self.document.draft))
        self.page.search.setFocus()

    @Slot()
    def keep_only_map(self) -> None:
        """Take the scenario away and keep its map; undo brings it back."""
        self.document.settle()
        self.document.apply("Keep only the map", without_scenario(self.document.draft))
        self.bench.say("Only the map is kept. Undo brings the scenario back.")
        self.bare.make_button.setFocus()

    @Slot()
    def _follow(self) -> None:
        self._turn_page()
        tool = self.bench.tool
        if self.document.draft.scenario is None and tool is not None and tool.mode == "scenario":
            tool.cancel()
            self.toolWanted.emit(Select.key)

    def _turn_page(self) -> None:
        """Show the page of what there is."""
        if self.document.draft.scenario is None:
            wanted: QWidget = self.bare
        elif self._page is None and not self.isVisible():
            wanted = self._waiting
        else:
            wanted = self.page
        if self.pages.currentWidget() is not wanted:
            self.pages.setCurrentWidget(wanted)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._turn_page()
