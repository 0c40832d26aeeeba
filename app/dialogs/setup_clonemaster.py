"""The CloneMaster player's set-up: a tray of counters beside the board (6.1).

Every counter put down, moved or taken back is at once a choice of the game, so it is saved. Which
squares are lit and why another is refused come from the game itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import msgspec
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import (
    QDrag,
    QFontMetrics,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QShortcut,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from app import theme
from app.board.scene import FIGURE_MIME
from app.dialogs.deployments import Deployment, DeploymentsDialog, Forces, sensible, taken_down
from app.markup import as_text, refusal_tip
from app.panels import odds
from app.panels.dressed import Dressed
from app.panels.widgets import (
    ActionButton,
    Bar,
    FlowLayout,
    Label,
    Pressable,
    clear_layout,
    column,
    escaped,
    figure_pixmap,
    icon_size,
    rule_link,
    scrolled,
)
from engine.core.decision import IllegalChoice
from engine.raid.choices import Place, Ready, Square, TakeBack
from engine.raid.figures import ABILITIES, KIND_NAMES
from engine.raid.view import FigureView, View

if TYPE_CHECKING:
    from app.board.scene import BoardView
    from app.session import Session

KIND: Final = "set-up-clonemaster"
TRAY_KINDS: Final = ("clonemaster", "armed_technician", "technician", "servant")
LETTERS: Final = {
    "clonemaster": "any room",
    "armed_technician": "rooms with a T",
    "technician": "rooms with a T",
    "servant": "rooms with an S",
    "jelly": "rooms with a J",
}
PLURALS: Final = {
    "clonemaster": "CloneMaster",
    "armed_technician": "Armed technicians",
    "technician": "Technicians",
    "servant": "Servants",
}


def abilities_text(figure: FigureView) -> str:
    """Return a Jelly's printed levels in words."""
    levels = figure.original or {}
    return ", ".join(
        odds.counter_name(word, figure) + (f" {levels[word]}" if levels[word] > 1 else "")
        for word in ABILITIES
        if levels.get(word, 0)
    )


class TrayCounter(Pressable):
    """A counter of the tray, or a pile of like ones: click to place the next, or drag it to the board."""

    def __init__(self, figure: FigureView, caption: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure = figure
        self.caption = caption
        self.count = ""
        self._pressed_at: QPoint | None = None
        self._is_spent = False
        self.setCheckable(True)
        self.setAccessibleName(caption)

    def show_state(self, figure: FigureView, count: str, said: str, *, is_spent: bool) -> None:
        """Show which counter comes next, how many there are, and whether any is left."""
        self.figure = figure
        self.count = count
        self._is_spent = is_spent
        self.setAccessibleName(said)
        self.setToolTip(as_text(said))
        self.updateGeometry()
        self.update()

    @property
    def is_spent(self) -> bool:
        """Whether nothing of it is left to place."""
        return self._is_spent

    @property
    def _face(self) -> FigureView:
        # In the tray a counter lies face up: its owner picks it by what is on it.
        return msgspec.structs.replace(self.figure, is_face_up=True)

    def _side(self) -> int:
        return max(44, round(icon_size() * 1.35))

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(theme.font("small"))
        width = max(self._side(), metrics.horizontalAdvance(self.count)) + theme.SPACE
        return QSize(width, self._side() + theme.SPACE + metrics.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = self._side()
        box = QRectF((self.width() - side) / 2, theme.SPACE / 2, side, side)
        painter.setOpacity(0.35 if self._is_spent else 1.0)
        painter.drawPixmap(box.topLeft(), figure_pixmap(self._face, self, side))
        painter.setOpacity(1.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.isChecked():
            painter.setPen(QPen(colors.accent, 3))
            painter.drawRoundedRect(box.adjusted(-2, -2, 2, 2), theme.RADIUS, theme.RADIUS)
        elif self.hasFocus() or self.underMouse():
            painter.setPen(QPen(colors.ink, 2 if self.hasFocus() else 1))
            painter.drawRoundedRect(box.adjusted(-2, -2, 2, 2), theme.RADIUS, theme.RADIUS)
        painter.setFont(theme.font("small", is_bold=self.isChecked()))
        painter.setPen(colors.soft if self._is_spent else colors.ink)
        foot = QRectF(0, box.bottom() + 2, self.width(), QFontMetrics(painter.font()).height())
        painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, self.count)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed_at = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        start = self._pressed_at
        if start is None or self._is_spent or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        if (event.position().toPoint() - start).manhattanLength() < QApplication.startDragDistance():
            return
        self._pressed_at = None
        self.setDown(False)
        if not self.isChecked():
            self.click()
        drag = QDrag(self)
        mime = QMimeData()
        mime.setData(FIGURE_MIME, self.figure.name.encode())
        drag.setMimeData(mime)
        picture: QPixmap = figure_pixmap(self._face, self, self._side())
        drag.setPixmap(picture)
        drag.setHotSpot(QPointF(self._side() / 2, self._side() / 2).toPoint())
        drag.exec(Qt.DropAction.MoveAction)


class SetUpCloneMaster(Dressed, QWidget):
    """The tray, and what to do with it; the board beside it stays the thing one looks at.

    The window has only to show the panel while `is_wanted`.
    """

    def __init__(self, session: Session, board: BoardView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._board = board
        self._chosen = ""  # the figure that the next click on the board places
        self._key: Any = None
        self._is_quiet = False  # many choices at once: the board is drawn after the last
        self._was_wanted = False
        self.random = random.Random()
        self._counters: dict[str, TrayCounter] = {}
        self._dialog: DeploymentsDialog | None = None

        self._title = Label("Set-up: your counters", "title", is_title=True)
        self._prompt = Label("", is_rich=True)
        self._piles = QWidget()
        self._pile_layout = FlowLayout(self._piles, spacing=theme.SPACE // 2)
        self._jelly_head = Label("", "small", is_soft=True, is_rich=True)
        self._jellies = QWidget()
        self._jelly_layout = FlowLayout(self._jellies, spacing=theme.SPACE // 2)
        self._hint = Label("", is_bold=True)
        self._hint_detail = Label("", "small", is_soft=True)
        self._take_back = ActionButton("Take it back to the tray")
        self._take_back.setToolTip("Delete")
        self._take_back.clicked.connect(self.take_back)
        self._ready = ActionButton("Ready", "", is_main=True)
        self._ready.set_key("Ctrl+Return")
        self._ready.clicked.connect(self._submit_ready)
        self._why = Label("", "small", is_rich=True)
        self._why.set_tone("danger")
        self._why.hide()
        self._tip = ""  # what was last said beside the pointer
        self._rest = ActionButton("Place the rest for me", "sensible squares, a little different every time")
        self._rest.set_key("Alt+R")
        self._rest.clicked.connect(self.place_rest)
        self._clear_button = ActionButton("Take all back")
        self._clear_button.set_key("Alt+C")
        self._clear_button.clicked.connect(self.clear)
        self._deployments = ActionButton("Save or load a deployment…")
        self._deployments.set_key("Alt+D")
        self._deployments.clicked.connect(self.open_deployments)
        layout = column(
            self._title,
            self._prompt,
            self._piles,
            self._jelly_head,
            self._jellies,
            Bar(),
            self._hint,
            self._hint_detail,
            self._take_back,
            Bar(),
            self._rest,
            self._deployments,
            self._clear_button,
            margin=theme.SPACE,
        )
        scrolled(self, layout, column(self._why, self._ready, margin=theme.SPACE))
        self.setAccessibleName("Set-up of the CloneMaster's counters")
        for keys in (QKeySequence(Qt.Key.Key_Delete), QKeySequence(Qt.Key.Key_Backspace)):
            shortcut = QShortcut(keys, self)
            shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
            shortcut.activated.connect(self.take_back)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.activated.connect(self.cancel_choice)

        board.squareClicked.connect(self._clicked)
        board.figureDropped.connect(self._dropped)
        board.squareContext.connect(self._asked_why)
        session.changed.connect(self._refresh)
        session.refused.connect(self._refused)
        self._refresh()
        self.dress()

    # What others use.

    @property
    def is_wanted(self) -> bool:
        """Whether this is what the screen must answer now."""
        decision = self._session.decision
        return decision is not None and decision.kind == KIND and self._session.view is not None

    @property
    def chosen(self) -> str:
        """The figure that the next click on the board places, "" for none."""
        return self._chosen

    @property
    def ready_button(self) -> ActionButton:
        """The button that completes the set-up."""
        return self._ready

    @property
    def counters(self) -> dict[str, TrayCounter]:
        """The tray: piles by kind, Jellies by name."""
        return dict(self._counters)

    @property
    def reason(self) -> str:
        """Why the last thing asked for is not possible, "" if nothing was refused."""
        return self._why.text()

    # Following the session.

    @Slot()
    def _refresh(self) -> None:
        if self._is_quiet:
            return
        view = self._session.view
        if view is None or not self.is_wanted:
            self._forget()
            return
        self._was_wanted = True
        decision = self._session.decision
        assert decision is not None
        asked = f"{escaped(decision.prompt)} {self._limit_words()}"
        self._prompt.setText(f"{asked}{rule_link('6.1')} {rule_link('R5')}")
        self._show_tray(view)
        self._show_chosen(view)
        refusal = self._session.why(Ready())
        if refusal is None:
            self._say(None)
        self._ready.bar(refusal is not None)
        self._ready.set_detail("why not?" if refusal is not None else "nothing can be changed afterwards")
        is_full = all(counter.is_spent for counter in self._counters.values())
        self._rest.setEnabled(not is_full)
        self._clear_button.setEnabled(bool(self._movable(view)))

    def _forget(self) -> None:
        """Leave no trace of the counters, here or on the board's marks."""
        if self._was_wanted:
            self._was_wanted = False
            self._board.set_lit({})
            self._board.set_marked(())
            self._board.set_selected(None)
        self._chosen = ""
        self._key = None
        self._counters.clear()
        clear_layout(self._pile_layout)
        clear_layout(self._jelly_layout)
        for label in (self._prompt, self._hint, self._hint_detail, self._jelly_head, self._why):
            label.setText("")
        if self._dialog is not None:
            self._dialog.reject()

    def _limit_words(self) -> str:
        """Return how many counters a room may hold, where that is limited (6.3)."""
        limit = self._session.scenario.room_limit
        if not limit:
            return ""
        return f"No more than {limit} to a room. {rule_link('6.3')} "

    @staticmethod
    def _own(view: View) -> list[FigureView]:
        """Return the counters to be set up; what comes in later is not among them (6.2)."""
        return [
            figure for figure in view.figures if figure.side == "clonemaster" and figure.place != "waiting"
        ]

    @staticmethod
    def _is_fixed(figure: FigureView) -> bool:
        """Return whether the scenario itself has put a figure out, face up (6.3)."""
        return figure.place == "map" and figure.is_face_up

    def _movable(self, view: View) -> list[FigureView]:
        """Return the counters that have been placed and can still be moved."""
        return [one for one in self._own(view) if one.place == "map" and not one.is_face_up]

    def _show_tray(self, view: View) -> None:
        own = self._own(view)
        jellies = [figure for figure in own if figure.kind == "jelly"]
        piles = {kind: [figure for figure in own if figure.kind == kind] for kind in TRAY_KINDS}
        piles = {kind: figures for kind, figures in piles.items() if figures}
        key = (tuple(piles), tuple(figure.name for figure in jellies))
        if key != self._key:
            self._key = key
            self._build(piles, jellies)
        for kind, figures in piles.items():
            left = [figure for figure in figures if figure.place == "box"]
            fixed = sum(self._is_fixed(figure) for figure in figures)
            count = f"{len(left)} of {len(figures)}"
            said = f"{PLURALS[kind]}: {count} in the tray, {LETTERS[kind]}"
            if fixed:
                said += f"; {fixed} placed by the scenario"
            self._counters[kind].show_state((left or figures)[0], count, said, is_spent=not left)
        wanted = self._session.scenario.jellies
        placed = sum(figure.place == "map" for figure in jellies)
        required = self._required()
        missing = [one.name for one in jellies if one.name in required and one.place != "map"]
        must = f" {', '.join(required)} must be among them ({rule_link('7.3')})." if required else ""
        self._jelly_head.setText(
            f"Jellies: <b>{placed} of {wanted}</b> placed, {LETTERS['jelly']}. "
            f"Choose among these {len(jellies)}.{must}"
        )
        for figure in jellies:
            is_placed = figure.place == "map"
            said = f"{figure.name}: {abilities_text(figure)}"
            said += " (must be taken)" if figure.name in required else ""
            said += " (starts there)" if self._is_fixed(figure) else " (placed)" if is_placed else ""
            counter = self._counters[figure.name]
            # The places that are left may be spoken for by those who must be in the force.
            others = sum(name != figure.name for name in missing)
            count = f"{figure.name}!" if figure.name in missing else figure.name
            counter.show_state(figure, count, said, is_spent=is_placed or placed + others >= wanted)

    def _required(self) -> list[str]:
        return [f"J-{number}" for number in self._session.scenario.required_jellies]

    def _build(self, piles: dict[str, list[FigureView]], jellies: list[FigureView]) -> None:
        clear_layout(self._pile_layout)
        clear_layout(self._jelly_layout)
        self._counters.clear()
        for kind, figures in piles.items():
            self._add(kind, TrayCounter(figures[0], PLURALS[kind], self._piles), self._pile_layout)
        for figure in jellies:
            self._add(figure.name, TrayCounter(figure, figure.name, self._jellies), self._jelly_layout)

    def _add(self, key: str, counter: TrayCounter, layout: FlowLayout) -> None:
        counter.setProperty("key", key)
        counter.clicked.connect(self._tray_clicked)
        self._counters[key] = counter
        layout.addWidget(counter)
        counter.show()

    def _show_chosen(self, view: View) -> None:
        """Mark the chosen counter in the tray and on the board, and light its squares."""
        own = {figure.name: figure for figure in self._own(view)}
        figure = own.get(self._chosen)
        if figure is None:
            self._chosen = ""
        for key, counter in self._counters.items():
            is_it = figure is not None and figure.place == "box" and key in (figure.kind, figure.name)
            counter.setChecked(is_it)
        self._board.set_marked(one.name for one in self._movable(view))
        is_placed = figure is not None and figure.place == "map"
        self._board.set_selected(self._chosen if is_placed else None)
        self._board.set_lit(dict.fromkeys(self._legal(self._chosen), "") if figure is not None else {})
        self._take_back.setEnabled(is_placed)
        if figure is None:
            self._hint.setText("Choose a counter.")
            self._hint_detail.setText(
                "Then click a lit square, or drag it there. A click on a placed counter moves it; "
                "Delete takes it back."
            )
            return
        name = figure.name if figure.kind == "jelly" else KIND_NAMES[figure.kind]
        self._hint.setText(f"{'Move' if is_placed else 'Place'}: {name}")
        detail = abilities_text(figure) if figure.kind == "jelly" else LETTERS[figure.kind]
        where = LETTERS[figure.kind] if figure.kind == "jelly" else "not next to a door"
        self._hint_detail.setText(f"{detail}; {where}. Lit squares are free for it.")

    def _legal(self, name: str) -> list[Square]:
        decision = self._session.decision
        if decision is None or decision.kind != KIND:
            return []
        return [one.square for one in decision.options.of(name) if isinstance(one, Place)]

    # What the player does.

    @Slot()
    def _tray_clicked(self) -> None:
        counter = self.sender()
        view = self._session.view
        if not isinstance(counter, TrayCounter) or view is None:
            return
        self._say(None)
        name = counter.figure.name
        if counter.is_spent:
            # All of its kind are out: a Jelly on the map is picked up, anything else explains itself.
            if self._is_fixed(counter.figure):
                self._say(self._session.why(TakeBack(name)))
            elif counter.figure.kind == "jelly" and counter.figure.place == "map":
                self._chosen = name
            elif counter.figure.kind == "jelly":
                # A square that would suit another Jelly: what is wrong then is the number alone.
                jellies = (one.name for one in self._own(view) if one.kind == "jelly")
                free = next((legal for other in jellies if (legal := self._legal(other))), [])
                self._say(self._session.why(Place(name, free[0])) if free else None)
            else:
                self._say(IllegalChoice(f"all {PLURALS[counter.figure.kind]} are on the map", "6.1"))
        else:
            self._chosen = "" if self._chosen == name else name
        self._show_chosen(view)

    @Slot(object)
    def _clicked(self, square: Square) -> None:
        view = self._session.view
        if not self.is_wanted or view is None:
            return
        self._say(None)
        here = next((one for one in self._own(view) if one.square == square), None)
        if here is not None and self._is_fixed(here):
            self._say(self._session.why(TakeBack(here.name)))
        elif here is not None:
            self._chosen = "" if here.name == self._chosen else here.name
            self._show_chosen(view)
        elif self._chosen:
            self._place(self._chosen, square)
        else:
            self._hint_detail.setText("Choose a counter in the tray first.")

    @Slot(object, object)
    def _dropped(self, name: str, square: Square) -> None:
        if self.is_wanted:
            self._say(None)
            self._place(name, square)

    def _place(self, name: str, square: Square) -> None:
        view = self._session.view
        if view is None:
            return
        figure = view.figure(name)
        was_placed = figure.place == "map"
        refusal = self._session.why(Place(name, square))
        if refusal is not None:
            self._say(refusal)
            return
        # Chosen before the choice is made: what follows it shows the next counter's squares at once.
        self._chosen = "" if was_placed else self._next_like(view, figure)
        self._session.submit(Place(name, square))

    def _next_like(self, view: View, figure: FigureView) -> str:
        """Return the next counter of a pile; a Jelly has no like."""
        if figure.kind == "jelly":
            return ""
        rest = [
            one.name
            for one in self._own(view)
            if one.kind == figure.kind and one.place == "box" and one.name != figure.name
        ]
        return rest[0] if rest else ""

    @Slot()
    def take_back(self) -> None:
        """Put the chosen counter back into the tray."""
        view = self._session.view
        if not self.is_wanted or view is None or not self._chosen:
            return
        if view.figure(self._chosen).place == "map":
            self._say(None)
            self._session.submit(TakeBack(self._chosen))

    @Slot()
    def cancel_choice(self) -> bool:
        """Let go of the counter in hand; return whether there was one."""
        was_chosen, self._chosen = bool(self._chosen), ""
        if self._session.view is not None and self.is_wanted:
            self._show_chosen(self._session.view)
        return was_chosen

    @Slot()
    def place_rest(self) -> None:
        """Place whatever is left in the tray, sensibly."""
        view, decision = self._session.view, self._session.decision
        if not self.is_wanted or view is None or decision is None:
            return
        self._say(None)
        found = sensible(
            self._session.board,
            self._own(view),
            decision.options,
            self._session.scenario,
            self.random,
        )
        self._chosen = ""
        refusal = self._session.why(Ready()) if self._submit_all(found) else None
        if refusal is not None:
            self._say(refusal)

    @Slot()
    def clear(self) -> bool:
        """Take every counter back; return whether all are."""
        view = self._session.view
        if not self.is_wanted or view is None:
            return False
        self._chosen = ""
        self._say(None)
        return self._submit_all(TakeBack(one.name) for one in self._movable(view))

    def _submit_all(self, found: Iterable[Place | TakeBack]) -> bool:
        """Make choices one after another up to the first refusal; return whether all were made."""
        self._is_quiet = True
        try:
            return self._session.submit_all(found)
        finally:
            self._is_quiet = False
            self._refresh()

    @Slot()
    def open_deployments(self) -> None:
        """Open the kept deployments."""
        view = self._session.view
        if not self.is_wanted or view is None:
            return
        plan = self._session.board.plan
        current = taken_down("", plan.name, self._movable(view))
        waiting = [one for one in self._own(view) if not self._is_fixed(one)]
        forces = Forces(plan.name, tuple(waiting), self._session.scenario.jellies)
        self._dialog = DeploymentsDialog(current, forces, self)
        self._dialog.loaded.connect(self.load)
        self._dialog.open()

    @Slot(object)
    def load(self, deployment: Deployment) -> None:
        """Put the counters where a deployment has them; what does not fit stays in the tray and is told."""
        view = self._session.view
        if view is None or not self.clear():
            return
        known = {figure.name for figure in self._own(view)}
        refused: list[IllegalChoice] = []

        def fitting() -> Iterator[Place]:
            for counter in deployment.counters:
                choice = Place(counter.figure, counter.square)
                refusal = self._session.why(choice)
                if refusal is None and counter.figure in known:
                    yield choice
                elif refusal is not None:
                    refused.append(IllegalChoice(f"{counter.figure}: {refusal.reason}", refusal.rule))

        if self._submit_all(fitting()) and refused:
            more = f"{len(refused)} of {len(deployment.counters)} counters do not fit here; the first: "
            self._say(IllegalChoice(more + refused[0].reason, refused[0].rule))

    # Why not.

    @Slot()
    def _submit_ready(self) -> None:
        refusal = self._session.why(Ready())
        if refusal is not None:
            self._say(refusal)
            return
        self._session.submit(Ready())

    @Slot(object)
    def _asked_why(self, square: Square) -> None:
        if self.is_wanted and self._chosen:
            refusal = self._session.why(Place(self._chosen, square))
            self._say(refusal)
            if refusal is None:
                self._hint_detail.setText("That square is free for it.")

    @Slot(object)
    def _refused(self, refusal: IllegalChoice) -> None:
        if self.is_wanted:
            self._say(refusal)

    def _say(self, refusal: IllegalChoice | None) -> None:
        if refusal is None:
            self._why.setText("")
            self._why.hide()
            if self._tip and QToolTip.text() == self._tip:
                QToolTip.hideText()
            self._tip = ""
            return
        reason = escaped(refusal.reason[:1].upper() + refusal.reason[1:])
        self._why.setText(f"{reason}. {rule_link(refusal.rule)}")
        self._why.show()
        if self.isVisible():
            self._tip = refusal_tip(refusal.reason, refusal.rule)
            QToolTip.showText(self.cursor().pos(), self._tip, self)

    def _dress(self) -> None:
        self._piles.updateGeometry()
        self._jellies.updateGeometry()
