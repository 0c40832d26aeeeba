"""The log: what happened, as the one at the screen may know it, a line each with its rule."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QUrl, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QTextBrowser, QVBoxLayout, QWidget

from app import theme
from app.panels.dressed import Dressed
from app.panels.widgets import open_rule
from app.session import Session
from engine.core.event import Event
from engine.raid.events import GameEnded, PhaseBegan
from engine.raid.view import PHASE_NAMES

QUIET = ("recovery", "advance")


class LogView(Dressed, QTextBrowser):
    """Events as lines of text; a rule's number opens the help there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setAccessibleName("Log")
        self.setTabChangesFocus(True)
        self.setPlaceholderText("Nothing has happened yet.")
        self.anchorClicked.connect(self._on_link)
        self._shown: tuple[Event, ...] = ()
        self._dressed_in = ""
        self._follows = True
        bar = self.verticalScrollBar()
        bar.actionTriggered.connect(self._on_scrolled)
        bar.rangeChanged.connect(self._follow)
        self.dress()

    def show_events(self, events: Sequence[Event]) -> None:
        """Show these events; what is shown already stays where it is."""
        events = tuple(events)
        known = len(self._shown)
        bar = self.verticalScrollBar()
        place = bar.value()
        if events[:known] != self._shown:
            self.clear()
            known = 0
        self._shown = events
        if not events:
            self.clear()
            return
        lines = [self._line(event) for event in events[known:]]
        if not lines:
            return
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        for line in lines:
            if not self.document().isEmpty():
                cursor.insertBlock()
            cursor.insertHtml(line)
        cursor.endEditBlock()
        bar.setValue(bar.maximum() if self._follows else place)

    def forget(self) -> None:
        """Hold nothing any more, not even what could be undone or copied."""
        self._shown = ()
        self._follows = True
        self.clear()
        self.setHtml("")
        self.document().clearUndoRedoStacks()

    def _line(self, event: Event) -> str:
        from engine.raid.log import describe

        colors = theme.colors()
        if isinstance(event, PhaseBegan):
            colour = colors.soft if event.phase in QUIET else colors.ink
            name = PHASE_NAMES[event.phase]
            return f'<span style="color:{colour.name()}"><b>Turn {event.turn} · {name}</b></span>'
        text = escape(describe(event))
        if isinstance(event, GameEnded):
            text = f"<b>{text}</b>"
        rule = getattr(event, "rule", "")
        link = ""
        if rule and rule != "-":
            link = f' <a style="color:{colors.soft.name()}" href="rule:{escape(rule)}">{escape(rule)}</a>'
        return f'<span style="color:{colors.ink.name()}">{text}</span>{link}'

    def _dress(self) -> None:
        # The lines have colours written into them; their size is the page's.
        if self._dressed_in == theme.colors().mode:
            return
        self._dressed_in = theme.colors().mode
        shown, self._shown = self._shown, ()
        place = self.verticalScrollBar().value()
        self.clear()
        self.show_events(shown)
        if not self._follows:
            self.verticalScrollBar().setValue(place)

    @Slot()
    def _on_scrolled(self) -> None:
        # Only what a player does to the bar comes here; it is told before the bar's value follows.
        bar = self.verticalScrollBar()
        self._follows = bar.sliderPosition() >= bar.maximum() - 4

    @Slot()
    def _follow(self) -> None:
        # Text is laid out late and anew at every width, so the end moves after the lines were added.
        if self._follows:
            bar = self.verticalScrollBar()
            bar.setValue(bar.maximum())

    @Slot(QUrl)
    def _on_link(self, link: QUrl) -> None:
        open_rule(link.toString())


class LogPanel(QWidget):
    """The log of the game at this screen."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.setAccessibleName("Log")
        self.log = LogView(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.log)
        session.changed.connect(self.refresh)
        session.happened.connect(self._on_happened)
        self.refresh()

    @Slot(object)
    def _on_happened(self, events: object) -> None:
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what the viewer may know of what happened; under the curtain nothing."""
        if self.session.viewer is None:
            self.log.forget()
        else:
            self.log.show_events(self.session.events())
