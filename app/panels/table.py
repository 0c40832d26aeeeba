"""At the table of a game over the network: who is there, what can be agreed on with them, what is said."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QFontMetrics, QKeyEvent, QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QLayout,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import games, theme
from app.board.access import announce
from app.lan.codes import format_code
from app.lan.host.table import STAND_IN_AFTER
from app.lan.people import time_words
from app.lan_game import GO_ON, OUT_OF_TIME, TAKE_BACK
from app.markup import breakable
from app.panels.dressed import Dressed
from app.panels.presence import PersonRow
from app.panels.widgets import ActionButton, FlowLayout, Label, MoreSign
from engine.bots import usual_bot
from engine.core.lan_protocol import CHAT_LENGTH, ChattedAnswer
from engine.core.protocol import CLIENT
from engine.raid.figures import OTHER_SIDE, SIDES

if TYPE_CHECKING:
    from app.lan_game import LanGame

CHAT_KEPT: Final = 500  # lines
LINES: Final = 3  # of chat that are to be seen at least
ASK_PAUSE, ASK_NO_MORE, LET_PLAY = "Ask for a pause", "Ask no longer", "Let a bot play for me"
TOO_LONG: Final = f"A line has room for {CHAT_LENGTH} letters; what comes after them is left out."
ENTERS: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ChatView(Dressed, QPlainTextEdit):
    """Lines of chat as they were typed, and what the table says by itself, in another colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setMaximumBlockCount(CHAT_KEPT)
        self.setAccessibleName("What is said at the table")
        self.setPlaceholderText("Nothing has been said yet.")
        self._lines: deque[ChattedAnswer] = deque(maxlen=CHAT_KEPT)
        self._follows = True
        bar = self.verticalScrollBar()
        bar.actionTriggered.connect(self._on_scrolled)
        bar.rangeChanged.connect(self._follow)
        self.dress()

    def sizeHint(self) -> QSize:
        # A scrolling column gives each part the height of its hint: as much as must be seen, and no more.
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        lines = QFontMetrics(theme.font("body")).lineSpacing() * LINES
        return QSize(theme.size("body") * 8, lines + theme.SPACE * 2)

    def add(self, line: ChattedAnswer) -> None:
        """Show one more line."""
        self._lines.append(line)
        self._write(line)
        self._follow()

    @Slot()
    def _on_scrolled(self) -> None:
        # Only what a player does to the bar comes here; it is told before the bar's value follows.
        bar = self.verticalScrollBar()
        self._follows = bar.sliderPosition() >= bar.maximum()

    @Slot()
    def _follow(self) -> None:
        """Stay at the last line, also where the height changes, unless the player reads further up."""
        if self._follows:
            bar = self.verticalScrollBar()
            bar.setValue(bar.maximum())

    def _write(self, line: ChattedAnswer) -> None:
        colors = theme.colors()
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if not self.document().isEmpty():
            cursor.insertBlock()
        said, by = QTextCharFormat(), QTextCharFormat()
        said.setForeground(colors.ink if line.name else colors.soft)
        by.setForeground(colors.ink)
        by.setFontWeight(700)
        # As plain text: what somebody else has typed is no markup.
        if line.name:
            cursor.insertText(f"{line.name}: ", by)
        cursor.insertText(line.text, said)

    def _dress(self) -> None:
        self.setFont(theme.font("body"))
        self.updateGeometry()
        self.clear()
        for line in self._lines:
            self._write(line)
        self._follow()


class ChatBox(QLineEdit):
    """A line to be said; Return says it, Escape goes back to the board."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaxLength(CHAT_LENGTH)
        self.setAccessibleName("Say a line to everybody at the table")

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._is_own(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def _is_own(self, event: QKeyEvent) -> bool:
        """Return whether a key is meant for this line, and not for the game."""
        if event.key() not in ENTERS:
            return event.key() == Qt.Key.Key_Escape
        # Nobody who writes means to end his phase; who has written nothing may.
        has_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        return not has_control or bool(self.text()) or event.isAutoRepeat()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTERS:
            if not event.isAutoRepeat():
                self.returnPressed.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class _Giving(QScrollArea):
    """A scrolling column as high as what is in it, which gives way to the chat below where room is short."""

    def __init__(self, inner: QWidget, layout: QLayout) -> None:
        super().__init__()
        self._inner_layout = layout
        self.setWidget(inner)

    def sizeHint(self) -> QSize:
        width = max(self.width(), self._inner_layout.minimumSize().width())
        height = self._inner_layout.totalHeightForWidth(width)
        return QSize(width, max(height, self.minimumSizeHint().height()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The outer layout does not hear by itself of changes within.
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.size("body") * 8, theme.size("body") * 3)


class TablePanel(Dressed, QWidget):
    """Who sits where and how he is connected, pauses, seats given to bots, and the chat.

    `boardWanted` asks for the focus to go back to the board.
    """

    boardWanted = Signal()

    def __init__(self, game: LanGame, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.game = game
        self.setAccessibleName("At the table")
        self.rows = [PersonRow(game, side, is_short=False) for side in self._order()]
        self._watchers = Label("", "small", is_soft=True)
        self._code = Label("", "small")
        self._code.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._notice = Label("", "small")
        self._notice.set_tone("danger")
        self._record = Label("", "small")
        self._record.setAccessibleName("What the record proves")
        self._why = Label("", "small")
        self._why.set_tone("danger")
        self._why.setAccessibleName("Why not")
        self.pause_button = ActionButton(ASK_PAUSE, is_small=True)
        self.pause_button.clicked.connect(self._on_pause)
        self.bot_button = ActionButton(LET_PLAY, is_small=True)
        self.bot_button.clicked.connect(self._on_bot)
        self.stand_in_button = ActionButton("", is_small=True)
        self.stand_in_button.clicked.connect(self._on_stand_in)
        self.chat = ChatView()
        self.box = ChatBox()
        self.box.returnPressed.connect(self._on_said)
        self.box.left.connect(self.boardWanted)
        self.box.inputRejected.connect(self._on_too_long)
        self.box.textEdited.connect(self._on_edited)
        self._menu: QMenu | None = None
        for label in (self._watchers, self._code, self._notice, self._record, self._why):
            label.hide()
        self._lay_out()
        for line in game.lines:
            self.chat.add(line)
        game.tableChanged.connect(self.refresh)
        game.linkChanged.connect(self.refresh)
        game.updated.connect(self.refresh)
        game.ticked.connect(self._tick)
        game.chatted.connect(self.chat.add)
        game.refused.connect(self.show_refusal)
        game.recordCame.connect(self.refresh)
        self.refresh()
        self.dress()

    def _dress(self) -> None:
        """Give buttons whose words change the width of the longest, so that none moves under the mouse."""
        metrics = QFontMetrics(theme.font("small"))
        both = (
            (self.pause_button, (ASK_PAUSE, ASK_NO_MORE, GO_ON)),
            (self.bot_button, (LET_PLAY, TAKE_BACK)),
        )
        for button, words in both:
            button.setMinimumWidth(max(map(metrics.horizontalAdvance, words)) + theme.SPACE * 2 + 4)

    def _order(self) -> list[str]:
        own = self.game.side
        return [own, OTHER_SIDE[own]] if own else list(SIDES)

    def _lay_out(self) -> None:
        buttons = QWidget()
        flow = FlowLayout(buttons, spacing=theme.SPACE // 2)
        for button in (self.pause_button, self.bot_button, self.stand_in_button):
            flow.addWidget(button)
        self._buttons = buttons
        inner = QWidget()
        layout = QVBoxLayout(inner)
        layout.setContentsMargins(theme.SPACE, theme.SPACE // 2, theme.SPACE, theme.SPACE // 2)
        layout.setSpacing(theme.SPACE // 2)
        for part in (*self.rows, self._watchers, self._code, self._notice, self._record):
            layout.addWidget(part)
        layout.addWidget(buttons)
        layout.addStretch(1)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetMinimumSize)
        scroll = _Giving(inner, layout)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName("At the table")
        MoreSign(scroll)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(scroll)
        # In sight however much there is to be told above it.
        foot = QVBoxLayout()
        foot.setContentsMargins(theme.SPACE, 0, theme.SPACE, theme.SPACE // 2)
        foot.setSpacing(theme.SPACE // 2)
        foot.addWidget(self.chat, 1)
        foot.addWidget(self._why)
        foot.addWidget(self.box)
        outer.addLayout(foot, 1)

    def write(self) -> None:
        """Let the player write a line."""
        self.box.setFocus()

    # What it shows.

    @Slot()
    def refresh(self) -> None:
        """Show how the table is now."""
        game, table = self.game, self.game.table
        for person in self.rows:
            person.refresh()
        watchers = table.watchers if table is not None else ()
        self._put(self._watchers, breakable(f"Looking on: {', '.join(watchers)}") if watchers else "")
        code = table.code if table is not None and not game.is_over else ""
        self._put(self._code, f"Join code: {format_code(code[:2], code[2:])}" if code else "")
        # What the host cannot do, and what this machine could not.
        troubles = (table.notice if table is not None else "", game.line_problem)
        self._put(self._notice, "\n".join(one for one in troubles if one))
        self._put(self._record, game.record_words if game.is_over else "")
        self._record.set_tone("danger" if game.is_record_faulty else "")
        self.box.setPlaceholderText("Say something (F2)")
        self._show_buttons()

    @staticmethod
    def _put(label: Label, text: str) -> None:
        if text != label.text():
            label.setText(text)
        label.setVisible(bool(text))

    @Slot()
    def _tick(self) -> None:
        for person in self.rows:
            person.refresh()
        self._show_buttons()

    def _show_buttons(self) -> None:
        game, table = self.game, self.game.table
        self._buttons.setVisible(bool(game.side) and not game.is_over)
        if table is None or not game.side:
            return
        why = self._why_not()
        is_asked = game.side in table.asks
        self._name(self.pause_button, GO_ON if table.is_paused else ASK_NO_MORE if is_asked else ASK_PAUSE)
        self.pause_button.bar(bool(why))
        self._name(self.bot_button, TAKE_BACK if game.has_bot else LET_PLAY)
        self.bot_button.bar(bool(why) or game.is_out_of_time)
        other = OTHER_SIDE[game.side]
        card = table.card.seats[other]
        is_gone = card.player == CLIENT and game.away_for(other) is not None
        self._name(self.stand_in_button, f"Let a bot play for {card.name}")
        self.stand_in_button.setVisible(is_gone)
        self.stand_in_button.bar(bool(why or self._too_soon()))

    def _too_soon(self) -> str:
        """Return why no bot can play for the other player yet, "" where one can."""
        game = self.game
        away = game.away_for(OTHER_SIDE.get(game.side, ""))
        if away is None or away >= STAND_IN_AFTER:
            return ""
        return f"In {time_words(STAND_IN_AFTER - away)}, if {game.other} has not come back by then."

    @staticmethod
    def _name(button: ActionButton, words: str) -> None:
        # A name may hold what would be the sign of a key.
        text = breakable(words).replace("&", "&&")
        if text != button.text():
            button.setText(text)
            button.setAccessibleName(words)
            button.updateGeometry()

    def _why_not(self) -> str:
        """Return why nothing can be asked of the table now, "" where it can."""
        game, table = self.game, self.game.table
        if not game.is_connected:
            return "There is no connection to the host."
        if table is None or table.card.phase == "waiting":
            return "The game has not begun."
        return ""

    @Slot(str)
    def show_refusal(self, reason: str) -> None:
        """Say why something was not done."""
        self._put(self._why, reason)
        announce(self._why, reason)

    def _forget_refusal(self) -> None:
        self._put(self._why, "")

    # What the player does.

    @Slot()
    def _on_pause(self) -> None:
        self._forget_refusal()
        game, table = self.game, self.game.table
        if self.pause_button.is_barred or table is None:
            self.show_refusal(self._why_not())
        elif table.is_paused or game.side in table.asks:
            game.go_on()
        else:
            game.ask_for_pause()

    @Slot()
    def _on_bot(self) -> None:
        self._forget_refusal()
        game = self.game
        if self.bot_button.is_barred:
            self.show_refusal(self._why_not() or OUT_OF_TIME)
        elif game.has_bot:
            game.take_seat_back()
        else:
            self._choose_bot(self.bot_button, game.side)

    @Slot()
    def _on_stand_in(self) -> None:
        self._forget_refusal()
        match, other = self.game.match, OTHER_SIDE[self.game.side]
        if self.stand_in_button.is_barred or match is None:
            self.show_refusal(self._why_not() or self._too_soon())
        else:
            # The table takes no other: nobody picks a weak one for his opponent.
            self.game.let_play(other, usual_bot(other, match.scenario))

    def _choose_bot(self, button: ActionButton, side: str) -> None:
        """Let the player say which bot is to play for him."""
        self._menu = menu = QMenu(self)
        menu.setAccessibleName("Which bot")
        match = self.game.match
        usual = usual_bot(side, match.scenario) if match is not None else ""
        # The one that plays best stands first.
        for bot, name in sorted(games.bots_for(side).items(), key=lambda one: one[0] != usual):
            action = QAction(f"&{name}", menu)
            action.setData((side, bot))
            menu.addAction(action)
        menu.triggered.connect(self._on_bot_chosen)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))
        menu.setActiveAction(menu.actions()[0])

    @Slot(QAction)
    def _on_bot_chosen(self, action: QAction) -> None:
        side, bot = action.data()
        self.game.let_play(side, bot)

    @Slot()
    def _on_too_long(self) -> None:
        if len(self.box.text()) >= CHAT_LENGTH:
            self.show_refusal(TOO_LONG)

    @Slot()
    def _on_edited(self) -> None:
        if self._why.text() == TOO_LONG and len(self.box.text()) < CHAT_LENGTH:
            self._forget_refusal()

    @Slot()
    def _on_said(self) -> None:
        self._forget_refusal()
        if not self.game.is_connected:
            self.show_refusal("There is no connection to the host: nobody would read it.")
            return
        self.game.chat(self.box.text())
        self.box.clear()
