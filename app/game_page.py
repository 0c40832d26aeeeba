"""The board with everything around it, for one game."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer, Slot
from PySide6.QtGui import (
    QCursor,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QSplitter, QVBoxLayout, QWidget

from app import theme
from app.board.access import BoardList
from app.board.scene import BoardView
from app.panels.decision import DecisionPanel
from app.panels.fight import FightPanel
from app.panels.log import LogPanel
from app.panels.sheets import SheetsPanel
from app.panels.turn_track import TurnTrack
from app.panels.widgets import Label, refusal_words
from app.recap import Act, Recap
from app.seats.human import SET_UPS, HumanSeat
from app.session import Session
from app.settings import SettingsStore
from app.sounds import Sounds
from engine.core.decision import IllegalChoice
from engine.core.event import Event
from engine.raid.choices import Square

if TYPE_CHECKING:
    from app.lan_game import LanGame
    from app.notices import Notices
    from app.panels.presence import PresenceStrip
    from app.panels.table import TablePanel

BUBBLE_TIME = 6000  # ms
NOW = "What &now"
SHEETS = "Record &sheets"
TABLE = "At the &table"
UNSEEN = " •"
WRITE_KEY = "F2"
SAID_TIME = 5000  # ms
RECAP_TIME = 12000  # ms at speed 1: a longer recap is shown faster
LINES_FOR_BOTH = 32  # of body text in the height of the page, for the choices to stand above the log


class Bubble(Label):
    """A few words at a place of the board, which go away by themselves or at a click."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(step="body", parent=parent, is_rich=True)
        self._room = parent
        self.setObjectName("bubble")
        self.setAccessibleName("Why not")
        self.setMargin(theme.SPACE)
        self.setAutoFillBackground(True)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.forget)
        self.hide()

    def say(self, text: str, at: QPoint) -> None:
        """Show a text near a point of the parent, wholly inside it."""
        colors = theme.colors()
        self.setStyleSheet(
            f"#bubble {{ background: {colors.field.name()}; border: 2px solid {colors.danger.name()};"
            f" border-radius: {theme.RADIUS}px; }}"
        )
        self.setText(text)
        room = self._room.rect()
        width = min(theme.size("body") * 20, room.width() - theme.SPACE * 2)
        self.setFixedWidth(width)
        self.setFixedHeight(self.heightForWidth(width))
        place = QRect(at + QPoint(theme.SPACE * 2, theme.SPACE * 2), self.size())
        if place.right() > room.right():
            place.moveRight(at.x() - theme.SPACE)
        if place.bottom() > room.bottom():
            place.moveBottom(at.y() - theme.SPACE)
        place.moveLeft(max(theme.SPACE, place.left()))
        place.moveTop(max(theme.SPACE, place.top()))
        self.move(place.topLeft())
        self.show()
        self.raise_()
        self._timer.start(BUBBLE_TIME)

    @Slot()
    def forget(self) -> None:
        """Say nothing any more."""
        self._timer.stop()
        self.clear()
        self.hide()


class GamePage(QMainWindow):
    """One game: board in the middle, docks beside it, none of which can leave the window (the curtain).

    A `lan_game` brings the people at its table, in a dock of their own and in the window's status bar.
    """

    def __init__(
        self,
        session: Session,
        store: SettingsStore,
        lan_game: LanGame | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Widget)
        self.session = session
        self.store = store
        self.board_view = BoardView()
        self._board = session.board
        self.board_view.set_board(self._board)
        self.track = TurnTrack(session)
        middle = QWidget()
        layout = QVBoxLayout(middle)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.track)
        layout.addWidget(self.board_view, 1)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(middle)
        self._split.setStretchFactor(0, 1)
        self.setCentralWidget(self._split)
        # Before the seat, whose marks belong on the new picture.
        session.changed.connect(self._on_changed)
        session.happened.connect(self._on_happened)
        session.botSaid.connect(self._on_bot_said)
        self.seat = HumanSeat(session, self.board_view, self)
        self.seat.explained.connect(self._on_explained)
        self.bubble = Bubble(self.board_view)
        self.sounds = Sounds(session, self.board_view, store, self)
        self.fight_panel = FightPanel(session)
        self.fight_panel.coach.opened.connect(self._on_coach)
        self.decision_panel = DecisionPanel(session, self.seat, self.fight_panel)
        self.decision_panel.recapWanted.connect(self.show_recap)
        self.sheets_panel = SheetsPanel(session)
        self.log_panel = LogPanel(session)
        self.board_view.eventBegan.connect(self.log_panel.come_to)
        self.setDockOptions(QMainWindow.DockOption.AllowTabbedDocks | QMainWindow.DockOption.AllowNestedDocks)
        self.setTabPosition(
            Qt.DockWidgetArea.AllDockWidgetAreas, self.tabPosition(Qt.DockWidgetArea.TopDockWidgetArea)
        )
        self.decision_dock = self._dock(NOW, "decision", self.decision_panel)
        self.sheets_dock = self._dock(SHEETS, "sheets", self.sheets_panel)
        self.log_dock = self._dock("&Log", "log", self.log_panel)
        self.board_list = BoardList()
        self.board_list.set_plan(session.board.plan)
        self.board_list.squareChosen.connect(self._on_listed)
        self.list_dock = self._dock("&Board as a list", "list", self.board_list)
        self.docks: tuple[QDockWidget, ...] = (
            self.decision_dock,
            self.log_dock,
            self.sheets_dock,
            self.list_dock,
        )
        self.table_dock: QDockWidget | None = None
        self.table_panel: TablePanel | None = None
        self.strip: PresenceStrip | None = None
        self.notices: Notices | None = None
        if lan_game is not None:
            self._lay_table(lan_game)
        for dock in self.docks:
            self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
        for before, dock in pairwise(self.docks[1:]):
            self.tabifyDockWidget(before, dock)
        self.list_dock.hide()
        self.log_dock.raise_()
        self._set_up_kind = ""
        self._shown_before = [True] * len(self.docks)
        self._is_arranged = False
        self._is_tabbed = False  # all docks in one place, for want of height
        self._own_width = 0  # of the docks, as the player dragged it; 0 as long as he has not
        self._width_pressed = 0  # when the mouse button went down
        self._asked: tuple[int, str] | None = None  # the last question that came to the front
        self._recap: Recap | None = None  # the one on the board
        self._acts: list[Act] = []
        self._lengths: list[int] = []  # of those acts, in milliseconds at speed 1
        self._recap_began = 0.0
        self._set_up: QWidget | None = None
        self._cancel_choice: Callable[[], bool] | None = None  # in the set-up, where there is a choice
        store.changed.connect(self._on_settings)
        for dock in self.docks:
            dock.visibilityChanged.connect(self._name_table)
        self._on_settings()
        self._on_changed()

    def _dock(self, title: str, name: str, panel: QWidget) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(name)
        dock.setAccessibleName(title.replace("&", ""))
        dock.setFeatures(
            QDockWidget.DockWidgetFeature.DockWidgetMovable | QDockWidget.DockWidgetFeature.DockWidgetClosable
        )
        dock.setWidget(panel)
        return dock

    def _lay_table(self, game: LanGame) -> None:
        """Add what shows the people at the table of a game over the network."""
        from app.notices import Notices
        from app.panels.presence import PresenceStrip
        from app.panels.table import TablePanel

        self.table_panel = TablePanel(game)
        self.table_panel.boardWanted.connect(self.board_view.setFocus)
        self.table_dock = self._dock(TABLE, "table", self.table_panel)
        self.docks = (*self.docks[:2], self.table_dock, *self.docks[2:])
        self.strip = PresenceStrip(game)
        self.strip.chatWanted.connect(self._on_write)
        self.notices = Notices(game, self, self)
        self.notices.unseenChanged.connect(self._name_table)
        self.table_dock.visibilityChanged.connect(self.notices.on_panel_shown)
        write = QShortcut(QKeySequence(WRITE_KEY), self)
        write.activated.connect(self._on_write)

    def show_table(self) -> None:
        """Bring the people at the table to the front."""
        if self.table_dock is not None:
            self.table_dock.show()
            self.table_dock.raise_()

    @Slot()
    def _on_write(self) -> None:
        self.show_table()
        if self.table_panel is not None:
            self.table_panel.write()

    # Showing.

    @Slot()
    def _on_changed(self) -> None:
        view = self.session.view
        self.bubble.forget()
        if self._board is not self.session.board:
            # Doors and computers were added, or taken away again (7.4).
            self._board = self.session.board
            self.board_view.set_board(self._board)
            self.board_list.set_plan(self._board.plan)
        if self._is_showing_recap():
            return
        self.board_view.show_view(view)
        self.board_list.show_view(view)
        decision = self.session.decision
        self._show_set_up(decision.kind if decision is not None and decision.kind in SET_UPS else "")
        asked = (self.session.revision, decision.kind) if decision is not None else None
        if asked is not None and asked != self._asked and self._is_tabbed:
            self.decision_dock.raise_()
        self._asked = asked

    @Slot(object)
    def _on_happened(self, told: tuple[Event, ...]) -> None:
        self.board_view.skip()
        self.session.hold()
        self.log_panel.wait_for(told)
        self.board_view.animate(told, self._on_shown)

    @Slot()
    def _on_shown(self) -> None:
        self.log_panel.catch_up()
        self.session.resume()

    # Recap.

    def _is_showing_recap(self) -> bool:
        """Begin or end showing the session's recap on the board; return whether it has the board."""
        session = self.session
        recap = session.recap.now if not session.recap.is_read else None
        if recap is self._recap:
            return recap is not None
        self._recap, self._acts = recap, []
        self.board_view.skip()
        if recap is None:
            return False
        self._acts = list(recap.acts)
        self._show_set_up("")
        self.board_view.show_view(recap.before)
        self.board_list.show_view(recap.before)
        self._lengths = [self.board_view.length_of(act.events) for act in recap.acts]
        self._recap_began = time.monotonic()
        self._show_act()
        return True

    def _hurry(self) -> float:
        """Return how many times faster than usual the rest must be shown to be over when it should."""
        gone = (time.monotonic() - self._recap_began) * 1000 * self.store.now.animation_speed
        return max(1.0, sum(self._lengths) / max(RECAP_TIME - gone, RECAP_TIME / 20))

    @Slot()
    def _show_act(self) -> None:
        """Show the next act of the recap; after the last one the viewer is back in the present."""
        if not self._acts:
            if self._recap is not None:
                self.session.recap.end()
            return
        act = self._acts.pop(0)
        shown = self.board_view.view
        if shown is not None:
            # Where the act began: its own view may be of the phase after it.
            self.decision_panel.recap_panel.follow(shown.turn, shown.phase)
        self.track.show_view(act.view)
        hurry = self._hurry()
        del self._lengths[0]
        self.board_view.animate(act.events, self._on_act_shown, hurry)
        self.board_view.show_view(act.view)

    @Slot()
    def _on_act_shown(self) -> None:
        if self._acts or self._recap is not None:
            # Later: an act without anything to see ends while it is being begun.
            QTimer.singleShot(0, self, self._show_act)

    @Slot()
    def show_recap(self) -> None:
        """Tell again what happened since the viewer's own last move."""
        self.board_view.skip()
        self.session.recap.show()

    def skip(self) -> None:
        """End whatever is being shown."""
        self.session.recap.end()
        self.board_view.skip()
        self.fight_panel.skip()

    @Slot(object)
    def _on_listed(self, square: Square) -> None:
        self.board_view.set_cursor_square(square)
        self.board_view.squareClicked.emit(square)

    @Slot(str, str)
    def _on_bot_said(self, side: str, said: str) -> None:
        self.window_status(f"{self.session.speaker(side)}: {said}")

    def window_status(self, text: str) -> None:
        """Show a line at the foot of the window for a while."""
        window = self.window()
        if isinstance(window, QMainWindow):
            bar = window.statusBar()
            taken = self.strip.width() if self.strip is not None and self.strip.isVisible() else 0
            room = bar.width() - taken - theme.SPACE * 4
            shown = bar.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, max(room, 0))
            bar.showMessage(shown, SAID_TIME)

    @Slot(object, object)
    def _on_explained(self, refusal: IllegalChoice, square: Square | None) -> None:
        at = self.board_view.mapFromGlobal(QCursor.pos())
        if square is not None:
            at = self._point_of(square)
        if self.board_view.rect().contains(at):
            self.bubble.say(refusal_words(refusal.reason, refusal.rule), at)

    def _point_of(self, square: Square) -> QPoint:
        from app.board.picking import centre

        return self.board_view.viewport().mapTo(self.board_view, self.board_view.mapFromScene(centre(square)))

    # Set-up.

    @property
    def set_up(self) -> QWidget | None:
        """The set-up panel, while a side sets up."""
        return self._set_up

    def _show_set_up(self, kind: str) -> None:
        """Put the panel of a side's set-up beside the board in the place of the docks, or those back."""
        if kind == self._set_up_kind:
            return
        if not self._set_up_kind:
            self._shown_before = [not dock.isHidden() for dock in self.docks]
        self._set_up_kind = kind
        self._cancel_choice = None
        if self._set_up is not None:
            closing, self._set_up = self._set_up, None
            focus = QApplication.focusWidget()
            if focus is not None and self.isAncestorOf(focus):
                # It would go to whatever is next in the window, out of this page too.
                self.board_view.setFocus()
            closing.hide()
            closing.deleteLater()
        for dock, was_shown in zip(self.docks, self._shown_before, strict=True):
            dock.setVisible(was_shown and not kind)
        self._name_table()
        if not kind:
            (self.decision_dock if self._is_tabbed else self.log_dock).raise_()
            # The docks come back as they were put together, not as they were arranged.
            QTimer.singleShot(0, self, self.arrange)
            return
        if kind == "set-up-terminator":
            from app.dialogs.setup_terminator import SetUpTerminator

            self._set_up = SetUpTerminator(self.session)
        elif kind == "place-extras":
            from app.dialogs.place_extras import PlaceExtras

            extras = PlaceExtras(self.session, self.board_view)
            self._set_up, self._cancel_choice = extras, extras.cancel_choice
        else:
            from app.dialogs.setup_clonemaster import SetUpCloneMaster

            counters = SetUpCloneMaster(self.session, self.board_view)
            self._set_up, self._cancel_choice = counters, counters.cancel_choice
        self._split.addWidget(self._set_up)
        self._fit_set_up()
        self._set_up.setFocus()

    def _fit_set_up(self) -> None:
        if self._set_up is not None:
            width = min(theme.size("body") * 30, round(self.width() * 0.42))
            self._set_up.setFixedWidth(width)
            self._split.setSizes([self.width() - width, width])

    def cancel(self) -> bool:
        """Let go of what was begun here: a recap, a counter in hand; return whether there was anything."""
        if self.session.recap.now is not None:
            self.session.recap.end()
            return True
        return self._cancel_choice is not None and self._cancel_choice()

    # Settings and size.

    @Slot()
    def _on_settings(self) -> None:
        speed = self.store.now.animation_speed
        self.board_view.set_animation_speed(speed)
        self.fight_panel.set_animation_speed(speed)
        self.fight_panel.coach.set_open(self.store.now.coach)

    @Slot(bool)
    def _on_coach(self, is_open: bool) -> None:
        self.store.set(coach=is_open)

    @Slot()
    def arrange(self) -> None:
        """Give the docks the width that their text needs, and the board all the rest."""
        self._share_height()
        self._arrange_width()
        if not self._is_tabbed:
            first = round(self.height() * (0.7 if self.table_dock is None else 0.58))
            docks = [self.decision_dock, self.log_dock]
            self.resizeDocks(docks, [first, self.height() - first], Qt.Orientation.Vertical)

    def _arrange_width(self) -> None:
        wanted = self._own_width or min(theme.size("body") * 25, round(self.width() * 0.36))
        self.resizeDocks([self.decision_dock, self.log_dock], [wanted, wanted], Qt.Orientation.Horizontal)

    @property
    def _is_low(self) -> bool:
        return self.height() < theme.size("body") * LINES_FOR_BOTH

    def _share_height(self) -> None:
        """Put the log below what to do now; where the height is too little for both, behind its tab."""
        is_low = self._is_low
        if is_low == self._is_tabbed:
            return
        self._is_tabbed = is_low
        # All tabs side by side in large text.
        self.sheets_dock.setWindowTitle("&Sheets" if is_low else SHEETS)
        self._name_table()
        shown = [not dock.isHidden() for dock in self.docks]
        before = self.decision_dock
        for dock in self.docks[1:]:
            # Out of its place first: what stands in a tab cannot be put beside it.
            self.removeDockWidget(dock)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.log_dock)
        for dock in self.docks[1:]:
            if is_low or dock is not self.log_dock:
                self.tabifyDockWidget(before, dock)
            before = dock
        for dock, was_shown in zip(self.docks, shown, strict=True):
            dock.setVisible(was_shown)
        (self.decision_dock if is_low else self.log_dock).raise_()

    @Slot()
    def _name_table(self) -> None:
        """Say in the table's tab how much has been said that nobody has seen."""
        if self.table_dock is None or self.notices is None:
            return
        unseen = self.notices.unseen
        if self.strip is not None:
            # In a set-up no tab leads there.
            self.strip.show_chat(bool(self._set_up_kind) and self.table_dock.isHidden(), unseen)
        # With one tab more than at one screen, all of them side by side in large text.
        self.decision_dock.setWindowTitle("&Now" if self._is_tabbed else NOW)
        if self._is_tabbed:
            self.table_dock.setWindowTitle(f"&Table{UNSEEN}" if unseen else "&Table")
        else:
            self.table_dock.setWindowTitle(f"{TABLE} ({unseen})" if unseen else TABLE)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        # The edges of the docks are the page's own: who drags them presses and lets go on the page.
        if event.type() == QEvent.Type.MouseButtonPress:
            self._width_pressed = self.decision_dock.width()
        elif event.type() == QEvent.Type.MouseButtonRelease and self._width_pressed:
            if self.decision_dock.width() != self._width_pressed:
                self._own_width = self.decision_dock.width()
            self._width_pressed = 0
        elif isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self.board_view.follows_keys = True
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_set_up()
        if not self._is_arranged:
            return
        if self._is_low != self._is_tabbed:
            self.arrange()
        elif event.size().width() > event.oldSize().width():
            # What a narrow window took from the docks they do not get back by themselves.
            self._arrange_width()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        window = self.window()
        if self.strip is not None and isinstance(window, QMainWindow) and window is not self:
            window.statusBar().addPermanentWidget(self.strip)
            self.strip.show()
        if not self._is_arranged:
            # Once the page has its size, which it does not have yet.
            self._is_arranged = True
            QTimer.singleShot(0, self, self.arrange)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.isVisible():
            self.arrange()
            self._fit_set_up()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        # Also sent while the page is taken apart, when its parts may be gone already.
        if (bubble := getattr(self, "bubble", None)) is not None:
            bubble.forget()
        self._take_strip_away()

    def _take_strip_away(self) -> None:
        strip = getattr(self, "strip", None)
        window = self.window()
        if strip is not None and isinstance(window, QMainWindow) and window is not self:
            window.statusBar().removeWidget(strip)

    def end(self) -> None:
        """Stop the bots and let go of the session."""
        if self.strip is not None:
            self._take_strip_away()
            self.strip.deleteLater()
            self.strip = None
        self.board_view.skip()
        self.fight_panel.coach.stop()
        self.session.close()
