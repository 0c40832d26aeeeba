"""The board: a view of the plan and its counters, by mouse and by keyboard.

Squares are (x, y); figures go by name. The view never sees more than a `View` and Events; where those
say less, it draws less. Every method may be called at any time, also without a board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Protocol

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPixmapCache,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QGraphicsScene, QGraphicsView, QToolTip, QWidget

from app import theme
from app.board import access
from app.board.animation import Animator, length_of
from app.board.items import CursorItem, FigureItem, MarksItem, PlanItem, ThingsItem
from app.board.picking import UNIT, centre, square_at, square_rect
from app.board.plan import art_of
from app.board.stacks import ALONE, spots
from app.board.things import things_of
from app.markup import as_text
from engine.core.event import Event
from engine.fortress.floorplan import FloorPlan
from engine.raid.choices import Square
from engine.raid.view import FigureView, View

FIGURE_MIME: Final = "application/x-kungfu2100-figure"
"""A figure dragged onto the board from elsewhere: its name in UTF-8."""
MIN_PIXELS: Final = 4
MAX_PIXELS: Final = 192
PIXMAPS: Final = 64 * 1024  # kB: a zoomed board's counters on a fine screen
LONG_PRESS: Final = 600  # milliseconds

_ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class HasPlan(Protocol):
    """What the view needs of a Board."""

    @property
    def plan(self) -> FloorPlan: ...


class BoardView(QGraphicsView):
    """The plan with its counters.

    Keys: arrows move a cursor from square to square, Enter is a click, Shift+Enter asks "why not?", + and -
    zoom, 0 fits the whole plan, Tab goes through the figures that may act and then on to the next control.
    """

    squareHovered = Signal(object)
    squareClicked = Signal(object)
    squareContext = Signal(object)
    figureDropped = Signal(object, object)
    cursorMoved = Signal(object)
    eventBegan = Signal(object)  # an event's animation begins

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene = QGraphicsScene(self)
        self.setScene(self._scene)
        self.setAccessibleName("Board")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setMinimumSize(320, 200)
        self.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontAdjustForAntialiasing)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.MinimalViewportUpdate)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        QPixmapCache.setCacheLimit(max(QPixmapCache.cacheLimit(), PIXMAPS))
        self._plan: FloorPlan | None = None
        self._view: View | None = None
        self._pending: View | None = None
        self._plan_item = PlanItem()
        self.things_item = ThingsItem()
        self._marks = MarksItem()
        self._cursor_item = CursorItem()
        for item in (self._plan_item, self.things_item, self._marks, self._cursor_item):
            self._scene.addItem(item)
        self._figures: dict[str, FigureItem] = {}
        # Who stands outside an entry, by the square of the margin drawn for it (R10, R12).
        self._outside: dict[Square, tuple[str, ...]] = {}
        self._lit: dict[Square, str] = {}
        self._marked: tuple[str, ...] = ()
        self._selected: str | None = None
        self._targets: frozenset[str] = frozenset()
        self._cursor: Square | None = None
        self.follows_keys = False  # whether whoever plays uses keys, and is to see their square at once
        self._hovered: Square | None = None
        self._is_fitted = True
        self._pixels = 0
        self._turned = 0
        self._press: QPoint | None = None
        self._press_square: Square | None = None
        self._is_panning = False
        self._dragged: FigureItem | None = None
        self._long_press = QTimer(self)
        self._long_press.setSingleShot(True)
        self._long_press.setInterval(LONG_PRESS)
        self._long_press.timeout.connect(self._on_long_press)
        self._animator = Animator(self)
        self._animator.began.connect(self.eventBegan)
        self._paint_ground()

    # What is shown

    def set_board(self, board: HasPlan | None) -> None:
        """Draw another plan, without counters."""
        self.show_view(None)
        self._plan = board.plan if board is not None else None
        self._cursor = self._hovered = None
        self._cursor_item.hide()
        self._rebuild_plan()
        self._is_fitted = True
        self._fit()

    @property
    def plan(self) -> FloorPlan | None:
        """The plan on show."""
        return self._plan

    @property
    def view(self) -> View | None:
        """What is on show; None for the bare plan."""
        return self._view

    def show_view(self, view: View | None) -> None:
        """Show what one viewer knows; None draws the bare plan and forgets everything else at once.

        While an animation runs the new view waits for its end, but None never waits.
        """
        if view is None:
            # Forget first: what `done` asks for must not be answered from the old view.
            self._pending = None
            self._clear()
            self._animator.skip()
            return
        if self._animator.is_running:
            self._pending = view
            return
        self._view = view
        self._refresh_things()
        self._refresh_figures()

    def set_lit(self, squares: Mapping[Square, str]) -> None:
        """Light the squares that may be chosen, each with its cost or ""."""
        self._lit = dict(squares)
        self._marks.set_lit(self._lit)

    def set_marked(self, names: Iterable[str]) -> None:
        """Ring the figures that may act; Tab goes through them in this order."""
        self._marked = tuple(names)
        self._refresh_marks()

    def set_selected(self, name: str | None) -> None:
        """Ring the figure that is being moved."""
        self._selected = name
        self._refresh_marks()

    def set_targets(self, names: Iterable[str]) -> None:
        """Mark figures, doors ("door 17,9 E") and equipment ("tank 21,0") that may be attacked."""
        self._targets = frozenset(names)
        self._refresh_marks()

    def set_path(self, squares: Sequence[Square]) -> None:
        """Show the path that a move would take, beginning with the square it leaves."""
        self._marks.set_path(tuple(squares))

    def figure_at(self, square: Square) -> tuple[str, ...]:
        """Return the names of the known figures in a square, the conscious one first."""
        if square in self._outside:
            return self._outside[square]
        return tuple(figure.name for figure in access.figures_at(self._view, square))

    # Animation

    def animate(self, events: Sequence[Event], done: Callable[[], None], hurry: float = 1.0) -> None:
        """Play what happened, then call `done` once; at speed 0 or without a view at once.

        `hurry` is how many times faster than usual.
        """
        self._animator.play(events, done, hurry)

    def length_of(self, events: Sequence[Event]) -> int:
        """Return how long events take to show at speed 1 at most, in milliseconds."""
        return length_of(self, events)

    def skip(self) -> None:
        """End the animation at once."""
        self._animator.skip()

    def set_animation_speed(self, speed: float) -> None:
        """Set the speed of animation: 1 is as designed, 2 twice as fast, 0 is off."""
        self._animator.speed = speed
        if speed <= 0:
            self._animator.skip()

    # Cursor and zoom

    @property
    def cursor_square(self) -> Square | None:
        """The keyboard's square."""
        return self._cursor

    def set_cursor_square(self, square: Square | None) -> None:
        """Put the keyboard's cursor on a square and have it read out."""
        self._cursor_item.setVisible(square is not None)
        if square == self._cursor:
            return
        self._cursor = square
        if square is None:
            return
        self._cursor_item.setPos(square_rect(square).topLeft())
        self._marks.set_hovered(square)
        self.ensureVisible(square_rect(square), 24, 24)
        access.announce(
            self, access.describe_square(self._plan, self._view, square, self._lit.get(square, ""))
        )
        self.cursorMoved.emit(square)

    def fit(self) -> None:
        """Show the whole plan, and keep doing so when the window changes."""
        self._is_fitted = True
        self._fit()

    def zoom(self, steps: int, at: QPointF | None = None) -> None:
        """Zoom in (steps > 0) or out about a point of the viewport."""
        factor = 1.15**steps
        wanted = round(self._pixels * factor)
        if wanted == self._pixels:
            wanted += 1 if steps > 0 else -1
        wanted = max(min(self._fitting_pixels(), MAX_PIXELS), min(MAX_PIXELS, wanted))
        if wanted <= self._fitting_pixels():
            self.fit()
            return
        self._is_fitted = False
        self._set_pixels(wanted, at)

    # Within

    def _paint_ground(self) -> None:
        self.setBackgroundBrush(theme.colors().paper)

    def _rebuild_plan(self) -> None:
        if self._plan is None:
            self._plan_item.set_art(None)
            return
        art = art_of(self._plan, theme.colors())
        self._plan_item.set_art(art)
        self._marks.set_bounds(art.bounds)
        self._scene.setSceneRect(art.bounds)
        self._refresh_things()

    def _clear(self) -> None:
        self._view = None
        for item in self._figures.values():
            self._scene.removeItem(item)
        self._figures = {}
        self._outside = {}
        self._refresh_things()
        self.set_lit({})
        self.set_path(())
        self._marks.set_occupied(frozenset())
        self._marked, self._selected = (), None
        self.set_targets(())
        self._dragged = None
        QToolTip.hideText()
        self.setAccessibleDescription("")

    def _refresh_things(self) -> None:
        if self._plan is None:
            self.things_item.set_things(QRectF(), ())
        else:
            self.things_item.set_things(self._scene.sceneRect(), things_of(self._plan, self._view))

    def _refresh_figures(self) -> None:
        """Bring the counters in line with the view, touching only those that differ."""
        view = self._view
        if view is None or self._plan is None:
            return
        before, self._figures = self._figures, {}
        outside: dict[Square, tuple[str, ...]] = {}
        for spot in spots(view, self._plan):
            if self._plan.room_at(*spot.square) is None:
                outside[spot.square] = (*outside.get(spot.square, ()), spot.key)
            item = before.pop(spot.key, None)
            if item is None:
                item = FigureItem(spot.face)
                self._scene.addItem(item)
            item.set_face(spot.face, spot.size, spot.note)
            item.setZValue(spot.layer)
            item.setPos(centre(spot.square) + QPointF(*spot.offset))
            self._figures[spot.key] = item
        for item in before.values():
            self._scene.removeItem(item)
        self._outside = outside
        known = {one.square for one in view.figures if one.place == "map" and one.square is not None}
        self._marks.set_occupied(frozenset(known) | frozenset(view.face_down))
        self._refresh_marks()

    def _refresh_marks(self) -> None:
        for item in self._figures.values():
            name = item.name
            is_known = bool(name)
            item.set_marks(
                is_marked=is_known and name in self._marked,
                is_selected=is_known and name == self._selected,
                is_target=is_known and name in self._targets,
            )
        self.things_item.set_targets(self._targets)

    # For the animation

    def item_of(self, name: str) -> FigureItem | None:
        """Return the counter of a figure that the viewer knows and that is on the map."""
        return self._figures.get(name)

    def back_at(self, square: Square) -> FigureItem | None:
        """Return the unknown face-down counter in a square."""
        x, y = square
        return next(
            (item for item in self._figures.values() if not item.name and item.pos() == centre((x, y))), None
        )

    def face_of(self, name: str) -> FigureView | None:
        """Return what the newest view says of a figure."""
        for view in (self._pending, self._view):
            for figure in view.figures if view is not None else ():
                if figure.name == name:
                    return figure
        return None

    def add_for_now(self, name: str, square: Square) -> FigureItem | None:
        """Put a counter that comes onto the map; the next view decides whether it stays."""
        face = self.face_of(name)
        if face is None:
            return None
        item = FigureItem(face)
        item.set_face(face, ALONE)
        item.setPos(centre(square))
        self._scene.addItem(item)
        self._figures[name] = item
        return item

    def square_of(self, name: str) -> Square | None:
        """Return where a figure stands."""
        if self._view is not None:
            for figure in self._view.figures:
                if figure.name == name and figure.place == "map":
                    return figure.square
        return None

    def place_of(self, name: str) -> QPointF | None:
        """Return the point of the scene where a figure or thing is."""
        item = self._figures.get(name)
        if item is not None:
            return item.pos()
        if self._plan is not None:
            for thing in things_of(self._plan, self._view):
                if thing.name == name:
                    return thing.box.center()
        return None

    def bring_into_view(self, point: QPointF) -> None:
        """Scroll to a point if it is out of sight."""
        if not self._is_fitted:
            self.ensureVisible(QRectF(point.x() - UNIT, point.y() - UNIT, 2 * UNIT, 2 * UNIT), 0, 0)

    def settle(self) -> None:
        """Show the view that waited for the animation, or put everything in its place again."""
        if self._pending is not None:
            self._view, self._pending = self._pending, None
        self._refresh_things()
        self._refresh_figures()

    def _fitting_pixels(self) -> int:
        if self._plan is None:
            return MIN_PIXELS
        dpr = self.devicePixelRatioF()
        room = self._scene.sceneRect()
        size = self.viewport().size()
        fitting = min(size.width() * dpr * UNIT / room.width(), size.height() * dpr * UNIT / room.height())
        return max(MIN_PIXELS, int(fitting))

    def _fit(self) -> None:
        if self._plan is not None:
            self._set_pixels(self._fitting_pixels(), None)
            self.centerOn(self._scene.sceneRect().center())

    def _set_pixels(self, pixels: int, at: QPointF | None) -> None:
        # A whole number of device pixels a square: walls, dots and counters stay crisp.
        point = at if at is not None else QPointF(self.viewport().rect().center())
        before = self.mapToScene(point.toPoint())
        self._pixels = pixels
        scale = pixels / (UNIT * self.devicePixelRatioF())
        self.setTransform(QTransform.fromScale(scale, scale))
        after = self.mapToScene(point.toPoint())
        middle = self.mapToScene(self.viewport().rect().center())
        self.centerOn(middle + before - after)

    def _square_at(self, point: QPointF) -> Square | None:
        if self._plan is None:
            return None
        place = self.mapToScene(point.toPoint())
        square = square_at(place, self._plan.width, self._plan.height)
        if square is not None or not self._outside:
            return square
        return next((one for one in self._outside if square_rect(one).contains(place)), None)

    def _hover(self, square: Square | None) -> None:
        if square != self._hovered:
            self._hovered = square
            self._marks.set_hovered(square)
            self.squareHovered.emit(square)

    @Slot()
    def _on_long_press(self) -> None:
        square, self._press_square = self._press_square, None
        self._press = None
        if square is not None:
            self.squareContext.emit(square)

    # Events

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_animator"):
            self._paint_ground()
            self._rebuild_plan()
            self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_fitted:
            self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        # Touchpads send many small turns: count them up to a notch.
        self._turned += event.angleDelta().y()
        steps = int(self._turned / 120)
        if steps:
            self._turned -= steps * 120
            self.zoom(steps, event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._animator.skip()
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._press = event.position().toPoint()
        self._press_square = self._square_at(event.position())
        self._long_press.start()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        square = self._square_at(event.position())
        if self._press is not None:
            moved = event.position().toPoint() - self._press
            if moved.manhattanLength() >= QApplication.startDragDistance() and not self._is_panning:
                self._long_press.stop()
                if self._dragged is None:
                    self._begin_drag()
            if self._dragged is not None:
                self._dragged.setPos(self.mapToScene(event.position().toPoint()))
            elif self._is_panning:
                across, down = self.horizontalScrollBar(), self.verticalScrollBar()
                across.setValue(across.value() - moved.x())
                down.setValue(down.value() - moved.y())
                self._press = event.position().toPoint()
        self._hover(square)

    def _begin_drag(self) -> None:
        square = self._press_square
        names = self.figure_at(square) if square is not None else ()
        for item in self._figures.values():
            if item.name and item.name in names and item.name in self._marked:
                self._dragged = item
                item.setZValue(30)
                return
        self._is_panning = not self._is_fitted

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._long_press.stop()
        square = self._square_at(event.position())
        start, self._press_square, self._press = self._press_square, None, None
        dragged, self._dragged = self._dragged, None
        was_panning, self._is_panning = self._is_panning, False
        if dragged is not None:
            name = dragged.name
            self._refresh_figures()
            if square is not None and square != start:
                self.figureDropped.emit(name, square)
        elif square is not None and square == start and not was_panning:
            # The arrow keys go on from here, but the mouse needs no cursor.
            self._cursor = square
            self._cursor_item.setPos(square_rect(square).topLeft())
            self._cursor_item.hide()
            self.squareClicked.emit(square)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            square = self._cursor
        else:
            square = self._square_at(QPointF(event.pos()))
        if square is not None:
            self.squareContext.emit(square)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        self.follows_keys = True
        is_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        was_running = self._animator.is_running
        self._animator.skip()
        if was_running and key == Qt.Key.Key_Escape:
            return
        if key in _ARROWS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self._move_cursor(*_ARROWS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._cursor is not None and not is_control:
            is_context = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            (self.squareContext if is_context else self.squareClicked).emit(self._cursor)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(1)
        elif key == Qt.Key.Key_Minus:
            self.zoom(-1)
        elif key == Qt.Key.Key_0:
            self.fit()
        else:
            event.ignore()

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Go to the next figure that may act; past the last one to the next control."""
        squares = [self.square_of(name) for name in self._marked]
        there = [square for square in squares if square is not None]
        at = there.index(self._cursor) if self._cursor in there else None
        wanted = (0 if is_next else len(there) - 1) if at is None else at + (1 if is_next else -1)
        if 0 <= wanted < len(there):
            self.set_cursor_square(there[wanted])
            return True
        return super().focusNextPrevChild(is_next)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        # The focus of a widget that is hidden goes on as if by Tab, whoever uses the mouse alone.
        by_tab = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if not by_tab or not self.follows_keys:
            return
        if self._cursor is not None:
            self._cursor_item.show()
        elif self._plan is not None:
            marked = [self.square_of(name) for name in self._marked]
            first = next((square for square in marked if square is not None), None)
            self.set_cursor_square(first or (self._plan.width // 2, self._plan.height // 2))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        # Also sent while the view is taken apart, when its parts may be gone already.
        if (cursor := getattr(self, "_cursor_item", None)) is not None:
            cursor.hide()

    def _move_cursor(self, across: int, down: int) -> None:
        plan = self._plan
        if plan is None:
            return
        if self._cursor is None:
            chosen = self.square_of(self._selected) if self._selected else None
            self.set_cursor_square(chosen or (plan.width // 2, plan.height // 2))
            return
        x, y = self._cursor
        self._cursor_item.show()
        self.set_cursor_square(
            (max(0, min(plan.width - 1, x + across)), max(0, min(plan.height - 1, y + down)))
        )

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            square = self._square_at(QPointF(event.pos()))
            if square is None:
                QToolTip.hideText()
            else:
                text = access.describe_square(self._plan, self._view, square, self._lit.get(square, ""))
                QToolTip.showText(event.globalPos(), as_text(text), self.viewport())
            return True
        return super().viewportEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(FIGURE_MIME):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._hover(self._square_at(event.position()))
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        square = self._square_at(event.position())
        if square is not None and event.mimeData().hasFormat(FIGURE_MIME):
            name = bytes(event.mimeData().data(FIGURE_MIME).data()).decode()
            event.acceptProposedAction()
            self.figureDropped.emit(name, square)
