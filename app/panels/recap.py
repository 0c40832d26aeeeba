"""What happened while the viewer was away, in lines by phase, and the way back to the present."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QUrl, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import theme
from app.board.access import announce
from app.panels.dressed import Dressed
from app.panels.widgets import ActionButton, Label, LinkBrowser, open_rule
from app.recap import Group, Recap
from engine.core.event import Event
from engine.raid.log import describe
from engine.raid.view import PHASE_NAMES

SKIP_KEYS = ("Esc", "Space")  # and F8, which ends every animation
TELLING_MARK = "◆"


def _line(event: Event, *, is_telling: bool) -> str:
    colors = theme.colors()
    text = escape(describe(event))
    if is_telling:
        text = f'<span style="color:{colors.ink.name()}">{TELLING_MARK} <b>{text}</b></span>'
    else:
        text = f'<span style="color:{colors.soft.name()}">{text}</span>'
    rule = getattr(event, "rule", "")
    if rule and rule != "-":
        text += f' <a style="color:{colors.soft.name()}" href="rule:{escape(rule)}">{escape(rule)}</a>'
    return text


def _anchor(turn: int, phase: str) -> str:
    return f"{turn}-{phase}"


def group_html(group: Group) -> str:
    """Return a phase's lines: those that tell most come first, marked and bold."""
    ink = theme.colors().ink.name()
    title = f"Turn {group.turn} · {PHASE_NAMES[group.phase]}"
    anchor = _anchor(group.turn, group.phase)
    lines = [f'<a name="{anchor}"></a><span style="color:{ink}"><b>{title}</b></span>']
    lines += [_line(event, is_telling=True) for event in group.telling]
    lines += [_line(event, is_telling=False) for event in group.plain]
    first, *rest = lines
    gap = theme.SPACE
    parts = [f'<p style="margin:{gap}px 0 2px 0">{first}</p>']
    parts += [f'<p style="margin:0 0 2px {gap}px">{line}</p>' for line in rest]
    return "".join(parts)


class RecapPanel(Dressed, QWidget):
    """Tells a recap in words while the board shows it; `ended` when the viewer has seen enough."""

    ended = Signal()
    boardWanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Since you last looked")
        self._recap: Recap | None = None
        self._title = Label("Since you last looked", "title", is_title=True)
        self._note = Label(step="body")
        self.lines = LinkBrowser()
        self.lines.setAccessibleName("What happened since you last looked")
        self.lines.setOpenLinks(False)
        self.lines.setTabChangesFocus(True)
        self.lines.anchorClicked.connect(self._on_link)
        self.end_button = ActionButton("Skip", is_main=True)
        self.end_button.set_key(SKIP_KEYS[0])
        self.end_button.clicked.connect(self.ended)
        self.board_button = ActionButton("Show it on the board")
        self.board_button.set_key("B")
        self.board_button.clicked.connect(self.boardWanted)
        self._space = QShortcut(QKeySequence(SKIP_KEYS[1]), self)
        self._space.activated.connect(self.ended)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE,) * 4)
        layout.setSpacing(theme.SPACE)
        for part in (self._title, self._note):
            layout.addWidget(part)
        layout.addWidget(self.lines, 1)
        layout.addWidget(self.board_button)
        layout.addWidget(self.end_button)
        self.dress()

    def show_recap(self, recap: Recap | None, *, is_read: bool = False, decides: bool = True) -> None:
        """Show the lines of a recap, told in words only where `is_read`; None forgets them.

        The viewer `decides` after it, or waits on.
        """
        is_new = recap is not self._recap
        self._recap = recap
        if recap is None:
            self.lines.clear()
            self.lines.document().clearUndoRedoStacks()
            return
        then = "Then you decide." if decides else "Then it is for others to decide."
        self._note.setText(then if is_read else f"It is shown on the board. {then}")
        self.end_button.setText("Go on" if is_read else "Skip")
        on = "Go on to your decision" if decides else "Go on to the present"
        self.end_button.setAccessibleName(on if is_read else "Skip what is being shown")
        self.board_button.setVisible(is_read)
        if is_new:
            self._fill()

    def _fill(self) -> None:
        if self._recap is None:
            return
        groups = self._recap.groups()
        self.lines.setHtml("".join(group_html(group) for group in groups))
        self.lines.moveCursor(QTextCursor.MoveOperation.Start)
        telling = [describe(event) for group in groups for event in group.telling]
        announce(self, " ".join(["Since you last looked:", *telling]))

    def follow(self, turn: int, phase: str) -> None:
        """Scroll to the lines of the phase that is being shown on the board."""
        self.lines.scrollToAnchor(_anchor(turn, phase))

    def _dress(self) -> None:
        if self._recap is not None:
            self._fill()

    @Slot(QUrl)
    def _on_link(self, link: QUrl) -> None:
        open_rule(link.toString())
