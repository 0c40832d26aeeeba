"""The lobby of a game over the network: how others come to the table, who is there, who is waited for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from app import theme
from app.board.access import announce
from app.dialogs.new_game import SIDE_TITLES
from app.games import BOTS
from app.lan.codes import format_code, parse_code
from app.panels.dressed import Drawn, Dressed
from app.panels.widgets import Bar, Label, MoreSign, clear_layout, column, keyed_button, row
from engine.core.lan_protocol import SeatCard, TableAnswer
from engine.core.protocol import CLIENT
from engine.raid import switches
from engine.raid.scenario import Scenario

SIDE_BY_SIDE: Final = 60  # letters of width in which the people stand beside the code
WIDEST: Final = 84  # letters of width that the page fills
SAID_FOR: Final = 4000  # ms
FIREWALL_WORDS: Final = (
    "Where nobody can reach you, a firewall may be in the way: let this program take connections from your "
    "network (F1 tells how)."
)


class Selectable(Label):
    """A text that can be marked by mouse or keys, and copied."""

    def __init__(self, name: str, step: str, *, is_title: bool = False, is_bold: bool = False) -> None:
        super().__init__("", step, is_title=is_title, is_bold=is_bold)
        self.setAccessibleName(name)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


class _Card(Drawn, QWidget):
    """A framed part of the page."""

    def __init__(self, layout: QVBoxLayout) -> None:
        super().__init__()
        margin = theme.SPACE * 3
        layout.setContentsMargins(margin, theme.SPACE * 2, margin, theme.SPACE * 2)
        self.setLayout(layout)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(colors.field)
        painter.setPen(QPen(colors.soft, 1))
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme.RADIUS, theme.RADIUS
        )


class LobbyPage(Dressed, QWidget):
    """Waits for people; `cancelled` says that one does not wait any longer.

    The host's own has the join code and the addresses; a guest's has what he has joined.
    """

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Lobby")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._table: TableAnswer | None = None
        self._side = ""
        self._host = ""
        self._addresses: tuple[str, ...] = ()
        self._trouble = ""
        self._title = Label("", "display", is_title=True)
        self._about = Label("", is_soft=True)
        self._said = Label("", "small")
        self._said.setAccessibleName("What was done")
        self._said_for = QTimer(self)
        self._said_for.setSingleShot(True)
        self._said_for.setInterval(SAID_FOR)
        self._said_for.timeout.connect(self._on_said)
        self._make_invitation()
        self._terms = Label("", "small", is_soft=True)
        self._terms.setAccessibleName("What is played")
        self._terms.hide()
        self._people_title = Label("At the table", is_bold=True)
        self._people = QGridLayout()
        self._people.setHorizontalSpacing(theme.SPACE * 2)
        self._people.setVerticalSpacing(theme.SPACE)
        self._people.setColumnStretch(1, 1)
        self._people_box = _Card(column(self._people_title, self._people, self._terms))
        self._state = Label("", is_bold=True)
        self._state.setAccessibleName("Connection")
        self._notice = Label("")
        self._notice.set_tone("danger")
        self.cancel_button = keyed_button("Cancel", "Esc", self.cancelled)
        self._sides = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._inner = QWidget()
        self._scroll = QScrollArea()
        self._lay_out()
        self.dress()

    def _make_invitation(self) -> None:
        """Make what others need to come: the code, the addresses, and how they are used."""
        self.code = Selectable("Join code", "display", is_title=True)
        self.code.setWordWrap(False)
        self.copy_button = keyed_button("Copy the code", "Alt+C", self._on_copy, is_main=True)
        self.copy_all_button = keyed_button("Copy as an invitation", "Alt+I", self._on_copy_all)
        self._how = Label("")
        self.addresses = Selectable("Addresses of this machine", "body", is_bold=True)
        self._firewall = Label(FIREWALL_WORDS, "small", is_soft=True)
        self._invitation = _Card(
            column(
                Label("Join code", is_bold=True),
                self.code,
                row(self.copy_button, self.copy_all_button),
                self._said,
                self._how,
                self.addresses,
                self._firewall,
            )
        )
        self._invitation.hide()

    def _lay_out(self) -> None:
        self._sides.setSpacing(theme.SPACE * 2)
        self._sides.addWidget(self._invitation, 3, Qt.AlignmentFlag.AlignTop)
        self._sides.addWidget(self._people_box, 2, Qt.AlignmentFlag.AlignTop)
        inside = column(self._title, self._about, self._state, self._notice)
        inside.addSpacing(theme.SPACE)
        inside.addLayout(self._sides)
        inside.insertStretch(0, 1)
        inside.addStretch(2)
        self._inner.setLayout(inside)
        inner = QWidget()
        middle = row(self._inner, margin=theme.SPACE * 3)
        middle.setStretch(0, 100)
        middle.insertStretch(0, 1)
        middle.addStretch(1)
        inner.setLayout(middle)
        self._scroll.setWidget(inner)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        MoreSign(self._scroll)
        foot = row(self.cancel_button, margin=theme.SPACE)
        foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._scroll, 1)
        layout.addWidget(Bar())
        layout.addLayout(foot)
        self._notice.hide()

    # What is shown.

    def begin(self, title: str, about: str) -> None:
        """Show the page for another table, of which nothing is known yet."""
        self._table, self._side, self._host, self._addresses, self._trouble = None, "", "", (), ""
        self._title.setText(title)
        self._about.setText(about)
        self._about.setVisible(bool(about))
        self._invitation.hide()
        self._people_box.hide()
        self._terms.hide()
        self._notice.hide()
        self._on_said()
        self.show_state("")
        self.setAccessibleDescription(f"{title}. {about}")
        self._suit()

    def show_invitation(self, host: str, addresses: Sequence[str], trouble: str = "") -> None:
        """Show where others find this machine, which calls itself `host`, as "address:port".

        `trouble` is why it is in no list, "" where it is.
        """
        if (host, tuple(addresses), trouble) == (self._host, self._addresses, self._trouble):
            return
        self._host, self._addresses, self._trouble = host, tuple(addresses), trouble
        self._firewall.setText(f"{trouble} {FIREWALL_WORDS}" if trouble else FIREWALL_WORDS)
        self._how.setText(
            f"On another machine: “Join a game…”, choose “{host}” in the list, and type the code. "
            + ("Where the list stays empty, the address helps:" if addresses else "")
        )
        self.addresses.setText("\n".join(addresses))
        self.addresses.setVisible(bool(addresses))
        self._show_table()

    def show_table(self, table: TableAnswer, side: str) -> None:
        """Show who is at the table; `side` is one's own, "" where one looks on."""
        self._table, self._side = table, side
        self._show_table()

    def show_terms(self, scenario: Scenario, seconds: float | None) -> None:
        """Say what is agreed on: each side's time, None without clocks, and the rules that are changed."""
        self._terms.setText(terms_words(scenario, seconds))
        self._terms.show()

    def show_state(self, words: str, *, is_bad: bool = False, is_final: bool = False) -> None:
        """Say how the connection is, "" where it is as it should be; one that `is_final` comes to nothing."""
        way_out = "Back to the start screen" if is_final else "Cancel"
        if way_out != self.cancel_button.text():
            self.cancel_button.setText(way_out)
            self.cancel_button.setAccessibleName(way_out)
            self.cancel_button.updateGeometry()
        self._state.set_tone("danger" if is_bad else "")
        self._state.setText(words)
        self._state.setVisible(bool(words))

    def _show_table(self) -> None:
        table = self._table
        if table is None:
            return
        title = f"{table.card.title}: {waiting_for(table, self._side)}"
        if title != self._title.text():
            self._title.setText(title)
            announce(self, title)
        self._about.setText(f"{table.card.host}’s game. It begins by itself as soon as everybody is there.")
        self._about.show()
        self._notice.setText(table.notice)
        self._notice.setVisible(bool(table.notice))
        self.code.setText(format_code(*parse_code(table.code)) if table.code else "")
        is_first_shown = bool(table.code) and self._invitation.isHidden()
        self._invitation.setVisible(bool(table.code))
        if is_first_shown and self.window().focusWidget() is self:
            # Whatever Enter does here is harmless.
            self.copy_button.setFocus()
        clear_layout(self._people)
        for line, (side, card) in enumerate(table.card.seats.items()):
            who = Label(person_words(card, is_me=side == self._side))
            self._people.addWidget(Label(SIDE_TITLES.get(side, side), is_soft=True, wraps=False), line, 0)
            self._people.addWidget(who, line, 1)
        if table.watchers:
            self._people.addWidget(Label("Looking on", is_soft=True, wraps=False), len(table.card.seats), 0)
            self._people.addWidget(Label(", ".join(table.watchers)), len(table.card.seats), 1)
        self._people_box.show()
        self._suit()

    # Copying.

    @property
    def invitation(self) -> str:
        """What somebody needs to come, as a message to be sent to him."""
        way = f"“Join a game…”, choose “{self._host}”, join code {self.code.text()}"
        lines = [f"Kung Fu 2100 over the network: {way}"]
        if self._addresses:
            lines.append(f"or type the address {' or '.join(self._addresses)}")
        return "\n".join(lines)

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.code.text())
        self._say("The join code is copied.")

    @Slot()
    def _on_copy_all(self) -> None:
        QGuiApplication.clipboard().setText(self.invitation)
        self._say("An invitation with code and addresses is copied, to be sent to your guest.")

    def _say(self, words: str) -> None:
        self._said.setText(words)
        self._said_for.start()

    @Slot()
    def _on_said(self) -> None:
        self._said.setText("")

    # Looks.

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._suit()

    def _suit(self) -> None:
        """Put the people beside the code, or below it where large text leaves no room."""
        is_wide = self.width() >= theme.size("body") * SIDE_BY_SIDE
        self._title.set_step("display" if is_wide else "title")
        self._sides.setDirection(
            QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        )

    def _dress(self) -> None:
        font = theme.font("display", is_title=True)
        font.setPixelSize(round(theme.size("display") * 1.6))
        self.code.setFont(font)
        self._inner.setMaximumWidth(theme.size("body") * WIDEST)
        self._suit()


def terms_words(scenario: Scenario, seconds: float | None) -> str:
    """Return how long each side has, None for as long as it likes, and what differs in a scenario."""
    clock = "No clock" if seconds is None else f"Clock: {minutes_words(seconds)} for each side"
    turned = switches.differences(Scenario(name=""), scenario)
    if not turned:
        return f"{clock}. The rules of the Basic scenario."
    words = "; ".join(switches.difference_words(one, scenario) for one in turned)
    return f"{clock}. Unlike the Basic scenario: {words}."


def minutes_words(seconds: float) -> str:
    """Return a time as people agree on one."""
    minutes = round(seconds / 60)
    if not minutes:
        return f"{round(seconds)} seconds"
    return "a minute" if minutes == 1 else f"{minutes} minutes"


def person_words(card: SeatCard, *, is_me: bool) -> str:
    """Return who sits in a seat, and whether he is there."""
    if not card.player:
        return "free: waiting for a guest"
    if card.player != CLIENT:
        return BOTS.get(card.player, card.player) + (f", for {card.name}" if card.name else "")
    if is_me:
        return f"{card.name} (you)"
    if card.is_here:
        return f"{card.name}, here"
    return f"{card.name}, not connected" if card.name else "free: waiting for a guest"


def waiting_for(table: TableAnswer, side: str) -> str:
    """Return whom a table waits for, as a line goes on; `side` is one's own."""
    free = [one for one, card in table.card.seats.items() if not card.player or not _has_person(card)]
    away = [
        card.name
        for one, card in table.card.seats.items()
        if card.player == CLIENT and card.name and not card.is_here and one != side
    ]
    waits = []
    if len(free) > 1:
        waits.append("two guests")
    elif free:
        waits.append(f"a guest to play the {SIDE_TITLES.get(free[0], free[0])}")
    waits += away
    return f"waiting for {' and '.join(waits)}" if waits else "about to begin"


def _has_person(card: SeatCard) -> bool:
    return card.player != CLIENT or bool(card.name)
