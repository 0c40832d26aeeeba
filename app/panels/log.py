"""The log: what happened, as the one at the screen may know it, a line each with its rule."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from PySide6.QtCore import QUrl, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import theme
from app.panels.dressed import Dressed
from app.panels.widgets import LinkBrowser, open_rule
from app.session import Session
from engine.core.event import Event
from engine.raid.events import GameEnded, PhaseBegan
from engine.raid.view import PHASE_NAMES

QUIET = ("recovery", "advance")
_RULE_FIRST = re.compile(r"((?:[1-8]\.\d{1,3}[a-z]?|R\d{1,2})): (.*)", re.DOTALL)


class Said(NamedTuple):
    """What a bot says of what it does next, for all to hear; it is no event and in no record."""

    speaker: str
    text: str


class LogView(Dressed, LinkBrowser):
    """Events as lines of text; a rule's number opens the help there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setAccessibleName("Log")
        self.setTabChangesFocus(True)
        self.setPlaceholderText("Nothing has happened yet.")
        self.anchorClicked.connect(self._on_link)
        self._shown: tuple[Event | Said, ...] = ()
        self._dressed_in = ""
        self._follows = True
        bar = self.verticalScrollBar()
        bar.actionTriggered.connect(self._on_scrolled)
        bar.rangeChanged.connect(self._follow)
        self.dress()

    def show_events(self, happened: Sequence[Event | Said]) -> None:
        """Show these events and what was said between; what is shown already stays where it is."""
        events = tuple(happened)
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

    def _line(self, event: Event | Said) -> str:
        from engine.raid.log import describe

        if isinstance(event, Said):
            return self._said_line(event)
        colors = theme.colors()
        if isinstance(event, PhaseBegan):
            colour = colors.soft if event.phase in QUIET else colors.ink
            name = PHASE_NAMES[event.phase]
            return f'<span style="color:{colour.name()}"><b>Turn {event.turn} · {name}</b></span>'
        text = escape(describe(event))
        if isinstance(event, GameEnded):
            text = f"<b>{text}</b>"
        link = self._link(getattr(event, "rule", ""))
        return f'<span style="color:{colors.ink.name()}">{text}</span>{link}'

    def _said_line(self, said: Said) -> str:
        head = _RULE_FIRST.fullmatch(said.text)
        rule, text = head.groups() if head is not None else ("", said.text)
        stop = "" if text.endswith((".", "!", "?")) else "."
        soft = theme.colors().soft.name()
        words = f"{escape(said.speaker)}: {escape(text)}{stop}"
        size = f"font-size:{theme.size('small')}px"
        return f'<span style="{size}"><span style="color:{soft}">{words}</span>{self._link(rule)}</span>'

    def _link(self, rule: str) -> str:
        if not rule or rule == "-":
            return ""
        return f' <a style="color:{theme.colors().soft.name()}" href="rule:{escape(rule)}">{escape(rule)}</a>'

    def _dress(self) -> None:
        # The lines have colours written into them, and some their size.
        look = f"{theme.colors().mode} {theme.size('small')}"
        if self._dressed_in == look:
            return
        self._dressed_in = look
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
    """The log of the game at this screen, with what its bot said while the game is on show."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.setAccessibleName("Log")
        self.log = LogView(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.log)
        self._viewer: str | None = None
        self._events: tuple[Event, ...] = ()  # what that viewer was told
        self._said: list[tuple[int, Said]] = []  # each with the number of those events before it
        self._coming: tuple[Event, ...] = ()  # the last of them, as long as the board is still to show them
        session.changed.connect(self.refresh)
        session.happened.connect(self._on_happened)
        session.botSaid.connect(self._on_bot_said)
        self.refresh()

    @Slot(object)
    def _on_happened(self, events: object) -> None:
        self.refresh()

    @Slot(str, str)
    def _on_bot_said(self, side: str, text: str) -> None:
        self.refresh()
        if self._viewer is not None:
            self._said.append((len(self._events), Said(self.session.speaker(side), text)))

    def wait_for(self, coming: Sequence[Event]) -> None:
        """Show these events no sooner than the board comes to them."""
        self._coming = tuple(coming)

    @Slot(object)
    def come_to(self, event: Event) -> None:
        """Show what happened up to an event that the board begins to show; a roll not before the die lies."""
        number = next((at for at, one in enumerate(self._coming) if one is event), None)
        if number is not None:
            is_rolled = getattr(event, "die", None) is not None
            self._coming = self._coming[number if is_rolled else number + 1 :]
            self.refresh()

    def catch_up(self) -> None:
        """Show all that happened: the board has shown it."""
        if self._coming:
            self._coming = ()
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what the viewer may know of what happened; under the curtain nothing."""
        self._follow(self.session.viewer, self.session.events())
        if self._viewer is None:
            self.log.forget()
            return
        shown = len(self._events) - len(self._coming)
        if self._events[max(shown, 0) :] != self._coming:
            # Taken back in the meantime.
            self._coming, shown = (), len(self._events)
        lines: list[Event | Said] = list(self._events[:shown])
        for place, said in reversed(self._said):
            if place <= shown:
                lines.insert(place, said)
        self.log.show_events(lines)

    def _follow(self, viewer: str | None, events: tuple[Event, ...]) -> None:
        """Keep what was said in its place, or forget it where it has none: taken back, or for other eyes."""
        known, before = len(self._events), self._events
        if viewer != self._viewer:
            self._coming = ()
            # What all were told is the same object for everybody; when the game is over all is open.
            places = {id(event): number for number, event in enumerate(events, 1)} if viewer == "open" else {}
            found = [
                (next((places[id(one)] for one in reversed(before[:place]) if id(one) in places), 0), said)
                for place, said in self._said
            ]
            self._said = found if viewer == "open" and self._viewer is not None else []
        elif events[:known] != before:
            pairs = enumerate(zip(before, events, strict=False))
            same = next((number for number, (old, new) in pairs if old != new), min(known, len(events)))
            self._said = [(place, said) for place, said in self._said if place < same]
        self._viewer, self._events = viewer, events
