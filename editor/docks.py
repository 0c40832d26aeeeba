"""The docks round the canvas: put behind one another, shown, hidden all at once, found again as they were."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QByteArray, QChildEvent, QEvent, QObject, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QWidget

from app import theme

Area = Qt.DockWidgetArea
TOOLS_SHARE: Final = 0.16
SIDE_SHARE: Final = 0.35
FOOT_SHARE: Final = 0.25
"""Of the window's width and height, the most that the panels on the left, on the right and at the foot take
at first; where the tools' names would take more, their pictures stand alone."""


class Docks(QObject):
    """The docks of a window, in `all` by their keys."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.all: dict[str, QDockWidget] = {}
        self._areas: dict[QDockWidget, Area] = {}
        self._hidden: tuple[QDockWidget, ...] = ()
        self._is_placed = False
        window.setCorner(Qt.Corner.BottomLeftCorner, Area.LeftDockWidgetArea)
        window.setCorner(Qt.Corner.BottomRightCorner, Area.RightDockWidgetArea)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the names of panels behind one another be read in full; what has no room is scrolled to."""
        if isinstance(event, QChildEvent) and event.polished():
            bar = event.child()
            if isinstance(bar, QTabBar):
                bar.setElideMode(Qt.TextElideMode.ElideNone)
                bar.setUsesScrollButtons(True)
        return False

    def add(self, key: str, title: str, widget: QWidget, area: Area) -> QDockWidget:
        """Put a widget into a dock of that area; once shown it is a tab behind those that were there."""
        dock = QDockWidget(title, self._window)
        dock.setObjectName(key)
        dock.setWidget(widget)
        others = [one for one, where in self._areas.items() if where == area]
        # One above the other, as they would stand until then, they might need more height than there is.
        if not others:
            self._window.addDockWidget(area, dock)
        elif self._is_placed:
            self._window.tabifyDockWidget(others[-1], dock)
        self._areas[dock] = area
        self.all[key] = dock
        return dock

    def show(self, key: str) -> None:
        """Bring a panel to the front."""
        dock = self.all.get(key)
        if dock is not None:
            dock.show()
            dock.raise_()

    def go_to(self, key: str) -> None:
        """Bring a panel to the front, and give the focus to the first thing in it that takes it."""
        self.show(key)
        panel = self.all[key].widget()
        for widget in (panel, *panel.findChildren(QWidget)):
            takes_it = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isEnabled()
            if takes_it and not widget.isHidden():
                widget.setFocus(Qt.FocusReason.TabFocusReason)
                return

    def hide_all(self, is_on: bool) -> None:
        """Hide every panel, or show those again that were hidden."""
        if is_on:
            shown = tuple(dock for dock in self.all.values() if not dock.isHidden())
            self._hidden = shown or self._hidden
            for dock in shown:
                dock.hide()
        else:
            for dock in self._hidden:
                dock.show()
            self._hidden = ()

    def place(self, kept: str) -> bool:
        """Put panels behind one another, the first time the window is shown; return whether it is the first.

        Done before, Qt would leave tab bars about. `kept` is the state of another time, "" for none.
        """
        if self._is_placed:
            return False
        self._is_placed = True
        last: dict[Area, QDockWidget] = {}
        first: dict[Area, QDockWidget] = {}
        for dock, area in self._areas.items():
            if area in last:
                self._window.tabifyDockWidget(last[area], dock)
            last[area] = dock
            first.setdefault(area, dock)
        for dock in first.values():
            dock.raise_()
        text = theme.size("body")
        # The canvas is the largest thing, however large the text is.
        width = self._window.width()
        left = text * 13 if text * 13 <= width * TOOLS_SHARE else round(text * 7.5)
        right = min(text * 22, round(width * SIDE_SHARE))
        foot = min(text * 11, round(self._window.height() * FOOT_SHARE))
        sides = [first[Area.LeftDockWidgetArea], first[Area.RightDockWidgetArea]]
        self._window.resizeDocks(sides, [left, right], Qt.Orientation.Horizontal)
        self._window.resizeDocks([last[Area.BottomDockWidgetArea]], [foot], Qt.Orientation.Vertical)
        if kept:
            self._window.restoreState(QByteArray.fromBase64(kept.encode()))
        return True
