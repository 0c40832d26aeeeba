"""Who is there: a sign for each person of a table, told by its form as well as by its colour, and words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app import theme
from app.lan.people import away_words, name_of, time_words
from app.markup import as_text, breakable
from app.panels.dressed import Drawn
from app.panels.widgets import ActionButton, Label
from engine.core.protocol import CLIENT
from engine.raid.figures import OTHER_SIDE, SIDE_NAMES, SIDES
from engine.raid.seats import BOT_NAMES

if TYPE_CHECKING:
    from app.lan_game import LanGame

SLOW: Final = 400  # milliseconds there and back, from which on a line is called slow
SHORT: Final = 14  # letters of a name in the status bar
LEAST: Final = 6  # letters of a line that are seen in the narrowest window
HURRY: Final = 60  # seconds left on a clock, from which on it is marked

CHAT: Final = "Chat"
HERE, SLOWLY, AWAY, BOT, FREE, UNKNOWN = "here", "slow", "away", "bot", "free", "unknown"


class Presence(NamedTuple):
    """How somebody is there: which sign stands for it, and the words, long and short."""

    sign: str
    words: str
    short: str


def presence_of(game: LanGame, side: str) -> Presence:
    """Return how whoever sits on a side is there, as far as this machine knows."""
    card = game.table.card.seats.get(side) if game.table is not None else None
    if side == game.side and not game.is_connected:
        return own_presence(game)
    if card is None or not game.is_connected:
        return Presence(UNKNOWN, "not known without a connection", "not known")
    if not card.player:
        return Presence(FREE, "nobody yet", "nobody yet")
    bot = BOT_NAMES.get(card.player, card.player)
    away = game.away_for(side)
    if card.player != CLIENT:
        if not card.name:
            return Presence(BOT, "a program of the host", "bot")
        whose = "you" if side == game.side else card.name
        clock = game.table.clocks.get(side) if game.table is not None else None
        why = ", time is up" if clock is not None and clock.left == 0 else ""
        return Presence(BOT, f"{bot} plays for {whose}{why}", "bot")
    if away is not None:
        return Presence(AWAY, away_words(away), away_words(away))
    if card.delay is None:
        return Presence(HERE, "here", "here")
    if card.delay >= SLOW:
        return Presence(SLOWLY, f"slow line, {card.delay} ms", f"slow, {card.delay} ms")
    return Presence(HERE, f"here, {card.delay} ms", f"here, {card.delay} ms")


def own_presence(game: LanGame) -> Presence:
    """Return how this screen's own connection is."""
    state = game.state
    if state is None or state.kind == "connecting":
        return Presence(UNKNOWN, "connecting to the host", "connecting")
    if game.is_over and game.has_record and not game.is_connected:
        return Presence(UNKNOWN, "no connection, and none is needed any more", "game over")
    if state.kind == "lost" and state.refusal:
        return Presence(AWAY, "the host does not host this game now", "host is away")
    if state.kind == "lost":
        gone = time_words(game.lost_for)
        return Presence(AWAY, f"connection lost {gone} ago, trying again", f"connection lost, {gone}")
    if state.kind != "connected":
        return Presence(AWAY, "no connection any more", "no connection")
    return Presence(HERE, "connected", "connected")


def _shortened(name: str) -> str:
    """Return a name that leaves room for others in one line."""
    return name if len(name) <= SHORT else f"{name[: SHORT - 1]}…"


class Sign(Drawn, QWidget):
    """A mark for a presence: a disc, half a disc, a crossed ring, a square face, a dotted ring."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = UNKNOWN
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_kind(self, kind: str) -> None:
        """Show the mark of a kind of presence."""
        if kind != self.kind:
            self.kind = kind
            self.update()

    def sizeHint(self) -> QSize:
        side = round(theme.size("body") * 1.1)
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        size = min(self.width(), self.height())
        line = max(1.5, size / 9)
        box = QRectF(0, 0, size, size).adjusted(line, line, -line, -line)
        tones = {HERE: colors.ok, SLOWLY: colors.ok, AWAY: colors.danger}
        pen = QPen(tones.get(self.kind, colors.soft), line)
        painter.setPen(pen)
        if self.kind == HERE:
            painter.setBrush(pen.color())
            painter.drawEllipse(box)
        elif self.kind == SLOWLY:
            painter.drawEllipse(box)
            painter.setBrush(pen.color())
            painter.drawPie(box, 90 * 16, 180 * 16)
        elif self.kind == AWAY:
            painter.drawEllipse(box)
            cross = box.adjusted(size * 0.2, size * 0.2, -size * 0.2, -size * 0.2)
            painter.drawLine(cross.topLeft(), cross.bottomRight())
            painter.drawLine(cross.topRight(), cross.bottomLeft())
        elif self.kind == BOT:
            painter.drawRoundedRect(box, size * 0.15, size * 0.15)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(pen.color())
            for x in (0.33, 0.67):
                painter.drawEllipse(QPointF(box.left() + box.width() * x, box.center().y()), line, line)
        elif self.kind == FREE:
            pen.setStyle(Qt.PenStyle.DotLine)
            painter.setPen(pen)
            painter.drawEllipse(box)
        else:
            painter.setFont(theme.font("body", is_bold=True))
            painter.drawText(QRectF(self.rect()), Qt.AlignmentFlag.AlignCenter, "?")


class LineLabel(Label):
    """Words in one line that end in "…" where there is no room for all of them; the tip has them whole."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", "small", parent, wraps=False)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * LEAST, super().minimumSizeHint().height())

    @property
    def shown(self) -> str:
        """What there is room for."""
        room = self.contentsRect().width()
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.shown == self.text():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), Qt.AlignmentFlag.AlignVCenter, self.shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tip()

    def setText(self, text: str) -> None:
        super().setText(text)
        self._tip()

    def _tip(self) -> None:
        self.setToolTip(as_text("" if self.shown == self.text() else self.text()))


class ClockLabel(Label):
    """What is left of a side's time; marked by a pointer while it runs, and in words when it is short."""

    def __init__(self, step: str, parent: QWidget | None = None) -> None:
        super().__init__("", step, parent, is_bold=True, wraps=False)
        self.hide()

    def show_clock(self, clock: tuple[float, bool] | None, whose: str) -> None:
        """Show the seconds left and whether they run; None shows no clock."""
        self.setVisible(clock is not None)
        if clock is None:
            return
        left, runs = clock
        words = f"{'▸ ' if runs else ''}{time_words(left)}"
        if words != self.text():
            self.setText(words)
            self.setAccessibleName(f"Time of {whose}: {time_words(left)}{', running' if runs else ''}")
            self.set_tone("danger" if left < HURRY else "")


class PersonRow(QWidget):
    """One seat of a table: its sign, who has it and how he is there, his clock."""

    def __init__(self, game: LanGame, side: str, parent: QWidget | None = None, *, is_short: bool) -> None:
        super().__init__(parent)
        self._game, self.side, self._is_short = game, side, is_short
        step = "small" if is_short else "body"
        self.sign = Sign()
        self.words = LineLabel() if is_short else Label("", step)
        self.clock = ClockLabel(step)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.SPACE)
        top = Qt.AlignmentFlag.AlignTop if not is_short else Qt.AlignmentFlag.AlignVCenter
        layout.addWidget(self.sign, 0, top)
        layout.addWidget(self.words, 0 if is_short else 1, top)
        layout.addWidget(self.clock, 0, top)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what is known of the seat now."""
        game, side = self._game, self.side
        seats = game.table.card.seats if game.table is not None else {}
        how = presence_of(game, side)
        name = name_of(seats, side)
        if self._is_short:
            who = "You" if side == game.side else _shortened(name)
            words = f"{who}: {how.short}"
        else:
            # Whose name is only that of his side needs it said once.
            card = seats.get(side)
            role = f" ({SIDE_NAMES[side]}{', you' if side == game.side else ''})"
            # A name stands as its owner typed it.
            shown = name if card is not None and card.name else f"{name[:1].upper()}{name[1:]}"
            words = f"{shown}{role if card is not None and card.player else ''}: {how.words}"
        self.sign.show_kind(how.sign)
        if words != self.accessibleName():
            self.words.setText(words if self._is_short else breakable(words))
            self.setAccessibleName(words)
        self.clock.show_clock(game.clock(side), name)


class PresenceStrip(QWidget):
    """All seats in one line of the status bar, where they are always to be seen.

    A button leads to the chat where nothing else does; then `chatWanted` follows.
    """

    chatWanted = Signal()

    def __init__(self, game: LanGame, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._game = game
        self.setAccessibleName("Who is connected")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.SPACE, 0, theme.SPACE, 0)
        layout.setSpacing(theme.SPACE * 2)
        self.chat_button = ActionButton(CHAT, is_small=True)
        self.chat_button.show_key("F2")
        self.chat_button.clicked.connect(self.chatWanted)
        self.chat_button.hide()
        layout.addWidget(self.chat_button)
        self.own: OwnLine | None = None
        if not game.side:
            self.own = OwnLine(game)
            layout.addWidget(self.own)
        order = [game.side, OTHER_SIDE[game.side]] if game.side else list(SIDES)
        self.rows = [PersonRow(game, side, is_short=True) for side in order]
        for row in self.rows:
            layout.addWidget(row)
        game.tableChanged.connect(self.refresh)
        game.linkChanged.connect(self.refresh)
        game.ticked.connect(self.refresh)

    def show_chat(self, is_shown: bool, unseen: int) -> None:
        """Show the button that leads to the chat, with the number of unseen lines, or hide it."""
        words = f"{CHAT} ({unseen})" if unseen else CHAT
        if words != self.chat_button.text():
            self.chat_button.setText(words)
            self.chat_button.setAccessibleName(words)
            self.chat_button.updateGeometry()
        self.chat_button.setVisible(is_shown)

    @Slot()
    def refresh(self) -> None:
        """Show what is known now."""
        if self.own is not None:
            self.own.refresh()
        for row in self.rows:
            row.refresh()
        self._fit()

    def _fit(self) -> None:
        """Give the words their room now: till the layouts come to it they would stand in that of others."""
        bar = self.parentWidget()
        for widget in (self.own, *self.rows, self, bar):
            layout = widget.layout() if widget is not None else None
            if layout is not None:
                layout.activate()


class OwnLine(QWidget):
    """The connection of one who has no seat."""

    def __init__(self, game: LanGame, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._game = game
        self.sign = Sign()
        self.words = LineLabel()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(self.sign)
        layout.addWidget(self.words)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show how the connection is."""
        how = own_presence(self._game)
        self.sign.show_kind(how.sign)
        words = f"You: {how.short}"
        if words != self.words.text():
            self.words.setText(words)
            self.setAccessibleName(words)
