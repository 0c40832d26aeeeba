"""The canvas: a view of the map under way, by mouse and by keyboard."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPixmapCache, QWheelEvent
from PySide6.QtWidgets import QWidget

from app import theme
from app.board.access import announce
from app.board.items import CursorItem
from app.board.picking import UNIT, centre, square_rect
from app.board.plan import outward
from editor.bench import Bench
from editor.canvas.ground import Ground, bounds_of
from editor.canvas.layers.axis import AxisLayer
from editor.canvas.layers.entries import EntriesLayer
from editor.canvas.layers.figures import FiguresLayer
from editor.canvas.layers.flash import FlashLayer
from editor.canvas.layers.ghost import GhostLayer
from editor.canvas.layers.layer import Z_CURSOR
from editor.canvas.layers.marks import MarksLayer
from editor.canvas.layers.no_sight import NoSightLayer
from editor.canvas.layers.overlay import OverlayLayer
from editor.canvas.layers.selection import SelectionLayer
from editor.canvas.layers.shapes import between
from editor.canvas.overlays import Outlook
from editor.canvas.picking import spot_at
from editor.canvas.tiles import GroundItem
from editor.canvas.tracing import Tracing, TracingItem
from editor.canvas.words import describe_map, describe_spot
from editor.canvas.zooming import NORMAL, ZoomView
from editor.document import Document
from editor.draft import Change, Edge, Square
from editor.tools.base import NO_GHOST, Keys, Spot, Tool
from engine.fortress.floorplan import STEP, FloorPlan, Side

EDGING: Final = 0.4
"""Squares round the map's frame for the words at its entries."""
PAUSE: Final = 140  # ms without an edit, after which tints and names are worked out again
SLICE: Final = 0.006  # seconds of that at once
SLOW: Final = 0.008  # seconds that an overlay took after an edit, from which on it waits for a pause
OVERLAY_PAUSE: Final = 150  # ms without an edit, then
FLASH_STEPS: Final = (1.0, 0.35, 1.0, 0.8, 0.6, 0.4, 0.2, 0.0)
FLASH_TIME: Final = 120  # ms a step
SCROLL_TIME: Final = 30  # ms
PIXMAPS: Final = 64 * 1024  # kB: counters on a fine screen
PIPE: Final = 0.06
"""How far inside a square the cursor aims at its edge, in squares."""

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
_ARROWS: Final[Mapping[Qt.Key, tuple[int, int]]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_PRESSES: Final[Mapping[Qt.Key, Qt.MouseButton]] = {
    Qt.Key.Key_Return: LEFT,
    Qt.Key.Key_Enter: LEFT,
    Qt.Key.Key_Insert: LEFT,
    Qt.Key.Key_Backspace: RIGHT,
}
"""Keys that are the mouse's buttons at the cursor; Insert holds the left one down until it is hit again."""
_MODIFIERS: Final = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt)


class MapCanvas(ZoomView):
    """The map on the bench, drawn as the game draws it, with all that belongs to editing it.

    The mouse: left and right press the tool, the middle button or Space with the left one pans, the wheel
    scrolls (with Shift sideways), Ctrl with the wheel zooms at the pointer. Keys: arrows move a cursor, with
    Alt they aim at a side of its square; Enter or Space is the left button there, held as long as the
    key is, Backspace the right one; Insert holds the left one down until it is hit again. Digits choose
    the tool's options. Every other key is offered to the tool.

    `spotHovered` carries the spot under the pointer or cursor, None when it leaves; `zoomed` the zoom in
    per cent; `cursorShown` whether the keyboard's cursor is. `tinted` follows when rooms were given other
    tints.
    """

    spotHovered = Signal(object)
    cursorShown = Signal(bool)
    tinted = Signal()

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        # Asked for by the first events, which come while this is made.
        self._tool: Tool | None = None
        self._is_made = False
        super().__init__(parent)
        self.bench = bench
        plan = bench.document.draft.plan
        self.ground = Ground(plan)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumSize(240, 160)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        QPixmapCache.setCacheLimit(max(QPixmapCache.cacheLimit(), PIXMAPS))
        self.tracing_item = TracingItem()
        self.ground_item = GroundItem(self.ground, self)
        self.overlay_layer = OverlayLayer()
        self.no_sight_layer = NoSightLayer()
        self.entries_layer = EntriesLayer()
        self.figures_layer = FiguresLayer()
        self.selection_layer = SelectionLayer()
        self.marks_layer = MarksLayer()
        self.axis_layer = AxisLayer()
        self.ghost_layer = GhostLayer(self.ground)
        self.flash_layer = FlashLayer()
        self._cursor_item = CursorItem()
        self._cursor_item.setZValue(Z_CURSOR)
        for item in (
            self.tracing_item,
            self.ground_item,
            self.overlay_layer,
            self.no_sight_layer,
            self.entries_layer,
            self.figures_layer,
            self.selection_layer,
            self.marks_layer,
            self.axis_layer,
            self.ghost_layer,
            self.flash_layer,
            self._cursor_item,
        ):
            self._scene.addItem(item)
        self._spot: Spot | None = None
        self._last_edge: Edge | None = None
        self._cursor: Square = (plan.width // 2, plan.height // 2)
        self._aim: Side | None = None
        self._button: Qt.MouseButton | None = None
        self._is_held = False  # by Insert
        self._pressed_by_key: Qt.Key | None = None
        self._pointer: QPointF | None = None
        self._keys = Keys()
        self._is_space_down = False
        self._has_panned = False
        self._pan: QPoint | None = None
        self._turned = 0
        self._is_replaced = False
        self._outlook: Outlook | None = None
        self._is_outlook_slow = False
        self._flash_step = 0
        self._pause = self._timer(PAUSE, self._settle)
        self._overlay_timer = self._timer(0, self._show_overlay)
        self._flash_timer = self._timer(FLASH_TIME, self._go_on_flashing)
        self._scroll_timer = self._timer(SCROLL_TIME, self._scroll_on)
        document = bench.document
        document.replaced.connect(self._on_replaced)
        document.changed.connect(self._on_changed)
        bench.selectionChanged.connect(self._show_selection)
        bench.toolChanged.connect(self._take_tool)
        bench.roomChanged.connect(self._show_ghost)
        bench.symmetryChanged.connect(self._show_axis)
        bench.overlayChanged.connect(self._ask_overlay)
        bench.marksChanged.connect(self._show_marks)
        bench.flashed.connect(self.flash)
        bench.gone_to.connect(self.go_to)
        self._take_palette()
        self._take_map()
        self._take_tool()
        self._show_marks()
        self._ask_overlay()
        self._is_made = True

    def _timer(self, interval: int, slot: Callable[[], object]) -> QTimer:
        made = QTimer(self)
        made.setSingleShot(True)
        made.setInterval(interval)
        made.timeout.connect(slot)
        return made

    # Following the document and the bench

    @property
    def document(self) -> Document:
        """The document on the bench."""
        return self.bench.document

    @property
    def plan(self) -> FloorPlan:
        """The map as it is shown."""
        return self.bench.document.draft.plan

    @Slot()
    def _on_replaced(self) -> None:
        self._is_replaced = True

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        if change.is_of_map:
            dirty = self.ground.follow(self.plan, change)
            if dirty is None:
                self._take_map()
            else:
                self.ground_item.touch(dirty)
            if not self.ground.is_settled:
                self._pause.start(PAUSE)
            self.entries_layer.follow(self.plan, change)
            if "no_sight" in change.fields:
                self._show_no_sight()
            if change.fields & {"name", "rooms"} or dirty is None:
                self.setAccessibleName(describe_map(self.plan))
            if self.bench.overlay != "off":
                self._ask_overlay()
        if change.fields & {"scenario", "entries"}:
            self._show_start()
        if change.fields & {"equipment", "entries", "scenario"}:
            self._show_selection()
        self._show_ghost()
        if self._is_replaced:
            self._is_replaced = False
            self._is_fitted = True
            self._fit()

    def _take_map(self) -> None:
        """Take over a map of another size, or another map altogether."""
        plan = self.plan
        self.ground_item.reset()
        self._set_pixels(self._pixels, None)
        self._cursor = min(self._cursor[0], plan.width - 1), min(self._cursor[1], plan.height - 1)
        self._last_edge = None
        self.entries_layer.set_plan(plan)
        self._show_start()
        self._show_axis()
        self._show_selection()
        self._show_no_sight()
        self.setAccessibleName(describe_map(plan))
        self._pause.start(0)
        if self._is_fitted:
            self._fit()

    def _take_palette(self) -> None:
        self.setBackgroundBrush(theme.colors().paper)

    @Slot()
    def _take_tool(self) -> None:
        if self._tool is not None:
            self._tool.changed.disconnect(self._show_ghost)
        self._let_go()
        self._tool = self.bench.tool
        if self._tool is not None:
            self._tool.changed.connect(self._show_ghost)
            self._tool.hover(self._spot, self._keys)
        self._show_ghost()

    @Slot()
    def _show_ghost(self) -> None:
        ghost = self._tool.ghost if self._tool is not None else NO_GHOST
        self.ghost_layer.set_ghost(ghost, self.document.draft)

    def _show_start(self) -> None:
        """Show the scenario's counters, and what its start position says is destroyed already."""
        draft = self.document.draft
        self.figures_layer.set_draft(draft)
        start = draft.scenario.start if draft.scenario is not None else None
        destroyed = (*start.doors, *start.equipment) if start is not None else ()
        self.ground_item.touch(self.ground.set_destroyed(destroyed))

    @Slot()
    def _show_selection(self) -> None:
        self.selection_layer.set_selection(self.bench.selection, self.document.draft)

    @Slot()
    def _show_axis(self) -> None:
        self.axis_layer.set_symmetry(self.bench.symmetry, self.plan)

    @Slot()
    def _show_marks(self) -> None:
        self.marks_layer.set_marks(self.bench.marks)

    def _show_no_sight(self) -> None:
        letters = {room.name: room.letter for room in reversed(self.plan.rooms)}
        lines = []
        for pair in self.plan.no_sight:
            boxes = [self.ground.name_box(letters[name]) for name in pair if name in letters]
            ends = [box for box in boxes if box is not None]
            if len(ends) == 2:
                lines.append(between(ends[0], ends[1]))
        self.no_sight_layer.set_lines(lines)

    @Slot()
    def _settle(self) -> None:
        """Work out tints and names, a little at a time, when nothing is being drawn."""
        if self._button is not None:
            self._pause.start(PAUSE)
            return
        until = time.perf_counter() + SLICE
        while not self.ground.is_settled and time.perf_counter() < until:
            self._settle_next()
        if not self.ground.is_settled:
            self._pause.start(0)
        elif self.plan.no_sight:
            self._show_no_sight()

    def _settle_next(self) -> None:
        areas = self.ground.settle()
        if areas is None:
            self.ground_item.redraw()
            self.tinted.emit()
        elif areas:
            self.ground_item.touch(areas)

    def finish(self) -> None:
        """Work out at once all that waits for a pause, and draw what a paint had no time for."""
        self._pause.stop()
        while not self.ground.is_settled:
            self._settle_next()
        self._show_no_sight()
        self._overlay_timer.stop()
        self._show_overlay()
        self.ground_item.finish(self.viewport().grab)

    # Overlays

    @Slot()
    def _ask_overlay(self) -> None:
        if self.bench.overlay == "off":
            self._overlay_timer.stop()
            self.overlay_layer.show_cells("off", {}, None)
            return
        is_ready = self._outlook is not None and self._outlook.is_of(self.document.draft)
        self._overlay_timer.start(OVERLAY_PAUSE if self._is_outlook_slow and not is_ready else 0)

    @Slot()
    def _show_overlay(self) -> None:
        bench, draft = self.bench, self.document.draft
        start = bench.overlay_from
        if start is None and self._spot is not None:
            start = self._spot.square
        if bench.overlay == "off" or start is None:
            self.overlay_layer.show_cells("off", {}, None)
            return
        began = time.perf_counter()
        outlook = self._outlook
        is_new = outlook is None or not outlook.is_of(draft)
        if outlook is None or is_new:
            outlook = self._outlook = Outlook(draft)
        cells = outlook.sight(start) if bench.overlay == "sight" else outlook.reach(start, bench.walk)
        if is_new:
            self._is_outlook_slow = time.perf_counter() - began > SLOW
        self.overlay_layer.show_cells(bench.overlay, cells, start if cells else None)

    # Zoom and place

    @Slot(object)
    def go_to(self, square: Square) -> None:
        """Bring a square into view, with what lies round it, and put the cursor there."""
        self._cursor = square
        self._place_cursor()
        box = square_rect(square).adjusted(-2 * UNIT, -2 * UNIT, 2 * UNIT, 2 * UNIT)
        if not self.mapToScene(self.viewport().rect()).boundingRect().contains(square_rect(square)):
            self.centerOn(centre(square))
        self.ensureVisible(box, 0, 0)

    @Slot(object)
    def flash(self, squares: Iterable[Square]) -> None:
        """Point squares out for a moment."""
        self._flash_step = 0
        self.flash_layer.flash(frozenset(squares), FLASH_STEPS[0])
        self._flash_timer.start()

    @Slot()
    def _go_on_flashing(self) -> None:
        self._flash_step += 1
        self.flash_layer.flash(self.flash_layer.squares, FLASH_STEPS[self._flash_step])
        if self._flash_step < len(FLASH_STEPS) - 1:
            self._flash_timer.start()

    def set_tracing(self, tracing: Tracing | None) -> None:
        """Show an image under the map, or none.

        Raises ValueError when it cannot be read.
        """
        self.tracing_item.set_tracing(tracing)
        self.ground_item.set_look(is_clear=tracing is not None, has_grid=self.ground_item.has_grid)

    @property
    def tracing(self) -> Tracing | None:
        """The image under the map."""
        return self.tracing_item.tracing

    def set_grid(self, is_on: bool) -> None:
        """Show the squares of the rock, or not."""
        self.ground_item.set_look(is_clear=self.ground_item.is_clear, has_grid=is_on)

    @property
    def map_bounds(self) -> QRectF:
        """The scene's rectangle of the map with its frame and the words at its entries."""
        plan, more = self.plan, EDGING * UNIT
        sides = {outward(plan, one.x, one.y, one.side) for one in plan.entries}
        left, right = (3 * more if side in sides else more for side in ("W", "E"))
        return bounds_of(plan).adjusted(-left, -more, right, more)

    # Picking

    def spot_of(self, point: QPoint | QPointF) -> Spot:
        """Return the spot at a point of the viewport."""
        whole = point if isinstance(point, QPoint) else point.toPoint()
        place = self.mapToScene(whole)
        pixels = self._pixels / self.devicePixelRatioF()
        return spot_at(self.plan, place.x() / UNIT, place.y() / UNIT, pixels, self._last_edge)

    @property
    def spot(self) -> Spot | None:
        """The spot under the pointer or cursor."""
        return self._spot

    def _hover(self, spot: Spot | None, keys: Keys) -> None:
        before, self._spot, self._keys = self._spot, spot, keys
        if spot is not None:
            self._last_edge = spot.near
        if self._tool is not None:
            if self._button is not None and spot is not None:
                self._tool.move(spot, keys)
            elif self._button is None:
                self._tool.hover(spot, keys)
        was = before and (before.square, before.edge)
        now = spot and (spot.square, spot.edge)
        if was == now:
            return
        follows = self.bench.overlay != "off" and self.bench.overlay_from is None
        if follows and (before and before.square) != (spot and spot.square):
            self._ask_overlay()
        if spot is not None:
            words = describe_spot(self.document.draft, spot, self.bench.marks)
            if self._cursor_item.isVisible():
                announce(self, words)
            else:
                self.setAccessibleDescription(words)
        self.spotHovered.emit(spot)

    def _press(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        if self._tool is None:
            return
        if self._button is not None:
            # The other button calls off what the first one is doing.
            self._let_go()
            self._tool.cancel()
            self._tool.hover(spot, keys)
            return
        self._hover(spot, keys)
        self._button = button
        self._tool.press(spot, button, keys)
        self._show_ghost()

    def _release(self, spot: Spot, keys: Keys) -> None:
        if self._button is None or self._tool is None:
            return
        self._let_go()
        self._scroll_timer.stop()
        self._tool.release(spot, keys)
        self._hover(spot, keys)
        self._show_ghost()

    def _let_go(self) -> None:
        """Hold no button down, whatever the tool was doing."""
        self._button = self._pressed_by_key = None
        self._is_held = False

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        button = event.button()
        point = event.position()
        self._show_cursor(False)
        if button == MIDDLE or (self._is_space_down and button == LEFT):
            self._pan = point.toPoint()
            self._has_panned = True
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        elif button in (LEFT, RIGHT):
            self._pointer = point
            spot = self.spot_of(point)
            if spot.square is not None:
                self._cursor, self._aim = spot.square, None
            self._press(spot, button, Keys.of(event.modifiers()))
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        if self._pan is not None:
            moved = point.toPoint() - self._pan
            self._pan = point.toPoint()
            self.scroll_by(-moved.x(), -moved.y())
            return
        self._pointer = point
        self._show_cursor(False)
        self._hover(self.spot_of(point), Keys.of(event.modifiers()))
        if self._button is not None and not self.viewport().rect().contains(point.toPoint()):
            self._scroll_timer.start()
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        button = event.button()
        if self._pan is not None and button in (MIDDLE, LEFT):
            self._pan = None
            self._show_hand()
        elif button == self._button and self._pressed_by_key is None:
            self._release(self.spot_of(event.position()), Keys.of(event.modifiers()))
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        # To a tool that knows no double clicks they are clicks in quick succession.
        knows = self._tool is not None and type(self._tool).double_click is not Tool.double_click
        if self._tool is None or not knows or event.button() != LEFT or self._is_space_down:
            self.mousePressEvent(event)
            return
        self._tool.double_click(self.spot_of(event.position()), Keys.of(event.modifiers()))
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._pointer = None
        if self._button is None and not self._cursor_item.isVisible():
            self._hover(None, self._keys)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            # Touchpads send many small turns: count them up to a notch.
            self._turned += turn.y()
            steps = int(self._turned / 120)
            if steps:
                self._turned -= steps * 120
                self.zoom_by(1.2**steps, event.position())
        else:
            pixels = event.pixelDelta()
            moved = pixels if not pixels.isNull() else turn / 120 * 60
            across, down = moved.x(), moved.y()
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not across:
                across, down = down, 0
            self.scroll_by(-across, -down)
        self._hover(self.spot_of(event.position()), Keys.of(event.modifiers()))
        event.accept()

    @Slot()
    def _scroll_on(self) -> None:
        """Scroll while a gesture is pulled over the border of the view."""
        if self._button is None or self._pointer is None:
            return
        room, point = self.viewport().rect(), self._pointer.toPoint()
        across = min(0, point.x()) + max(0, point.x() - room.right())
        down = min(0, point.y()) + max(0, point.y() - room.bottom())
        if across or down:
            self.scroll_by(max(-40, min(40, across)), max(-40, min(40, down)))
            self._hover(self.spot_of(self._pointer), self._keys)
            self._scroll_timer.start()

    def _show_hand(self) -> None:
        if self._is_space_down:
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self.viewport().unsetCursor()

    # Keyboard

    @property
    def cursor_square(self) -> Square:
        """The keyboard's square."""
        return self._cursor

    def set_cursor(self, square: Square, aim: Side | None = None) -> None:
        """Put the keyboard's cursor on a square, aimed at a side of it or at its middle, and read it out."""
        self._cursor, self._aim = square, aim
        self._show_cursor(True)
        self._place_cursor()
        if not self._is_fitted:
            self.ensureVisible(square_rect(square), 24, 24)
        self._hover(self._cursor_spot(), self._keys)

    @property
    def has_cursor(self) -> bool:
        """Whether the keyboard's cursor is shown: the map is worked on by keys."""
        return self._cursor_item.isVisible()

    def _show_cursor(self, is_shown: bool) -> None:
        if is_shown != self.has_cursor:
            self._cursor_item.setVisible(is_shown)
            self.cursorShown.emit(is_shown)

    def _place_cursor(self) -> None:
        self._cursor_item.setPos(square_rect(self._cursor).topLeft())

    def _cursor_spot(self) -> Spot:
        """Return the spot in the middle of the cursor's square, or at the edge that it aims at."""
        x, y = self._cursor
        if self._aim is None:
            spot = spot_at(self.plan, x + 0.5, y + 0.5, NORMAL)
            return spot._replace(edge=None)
        dx, dy = STEP[self._aim]
        far = 0.5 - PIPE
        return spot_at(self.plan, x + 0.5 + dx * far, y + 0.5 + dy * far, NORMAL)

    def event(self, event: QEvent) -> bool:
        """Offer Tab to the tool before it moves the focus, and keys that it wants before shortcuts.

        At Esc no button is held down any more; it is an action of the window, which cancels what the tool
        is doing.
        """
        if isinstance(event, QKeyEvent) and self._tool is not None:
            tool = self._tool
            key, keys = Qt.Key(event.key()), Keys.of(event.modifiers())
            if event.type() == QEvent.Type.KeyPress:
                is_tab = key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab) and not keys.ctrl and not keys.alt
                if is_tab and tool.key_press(key, keys):
                    return True
            elif event.type() == QEvent.Type.ShortcutOverride:
                if key == Qt.Key.Key_Escape:
                    self._let_go()
                if tool.wants_key(key, keys):
                    event.accept()
                    return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, keys = Qt.Key(event.key()), Keys.of(event.modifiers())
        if key in _MODIFIERS:
            self._follow_modifier(key, is_down=True)
            return
        if self._tool is not None and self._tool.wants_key(key, keys) and self._offered(key, keys):
            self._show_ghost()
            return
        if key == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self._is_space_down, self._has_panned = True, False
                self._show_hand()
            return
        if key == Qt.Key.Key_Escape:
            self._let_go()
        if key in _ARROWS and self._button is None and self._offered(key, keys):
            return
        if key in _ARROWS:
            self._steer(_ARROWS[key], keys)
        elif key in _PRESSES:
            if not event.isAutoRepeat():
                self._press_by_key(key, keys)
        elif self._offered(key, keys) or self._chosen(key, keys):
            self._show_ghost()
        else:
            event.ignore()

    def _offered(self, key: Qt.Key, keys: Keys) -> bool:
        return self._tool is not None and self._tool.key_press(key, keys)

    def _chosen(self, key: Qt.Key, keys: Keys) -> bool:
        """Choose an option of the tool by its digit."""
        number = key - Qt.Key.Key_0
        if self._tool is None or keys != Keys() or not 1 <= number <= len(self._tool.options):
            return False
        self._tool.choose(self._tool.options[number - 1][0])
        return True

    def _steer(self, step: tuple[int, int], keys: Keys) -> None:
        plan = self.plan
        self._keys = keys._replace(alt=False)
        if keys.alt:
            side = next(one for one, moved in STEP.items() if moved == step)
            self.set_cursor(self._cursor, None if side == self._aim else side)
            return
        if not self._cursor_item.isVisible():
            self.set_cursor(self._cursor, self._aim)
            return
        x, y = self._cursor[0] + step[0], self._cursor[1] + step[1]
        self.set_cursor((max(0, min(plan.width - 1, x)), max(0, min(plan.height - 1, y))), self._aim)

    def _press_by_key(self, key: Qt.Key, keys: Keys) -> None:
        if not self._cursor_item.isVisible():
            self.set_cursor(self._cursor, self._aim)
        spot = self._cursor_spot()
        if self._is_held:
            self._release(spot, keys)
        elif self._button is None:
            self._press(spot, _PRESSES[key], keys)
            self._pressed_by_key = key
            self._is_held = key == Qt.Key.Key_Insert and self._button is not None

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _MODIFIERS:
            self._follow_modifier(key, is_down=False)
        elif event.isAutoRepeat():
            return
        elif key == Qt.Key.Key_Space:
            self._is_space_down = False
            if self._pan is None:
                self._show_hand()
                if not self._has_panned:
                    self._press_by_key(Qt.Key.Key_Return, Keys.of(event.modifiers()))
                    self._release(self._cursor_spot(), Keys.of(event.modifiers()))
        elif key == self._pressed_by_key and not self._is_held:
            self._release(self._cursor_spot(), Keys.of(event.modifiers()))
        else:
            super().keyReleaseEvent(event)

    def _follow_modifier(self, key: Qt.Key, *, is_down: bool) -> None:
        """Show what the tool does with another modifier, though the pointer rests."""
        shift, ctrl, alt = self._keys
        self._keys = Keys(
            is_down if key == Qt.Key.Key_Shift else shift,
            is_down if key == Qt.Key.Key_Control else ctrl,
            is_down if key == Qt.Key.Key_Alt else alt,
        )
        if self._spot is not None:
            self._hover(self._spot, self._keys)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.set_cursor(self._cursor, self._aim)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        # Also sent while the view is taken apart, when its parts may be gone already.
        if getattr(self, "_cursor_item", None) is not None:
            self._show_cursor(False)
            self._is_space_down = False
            self._keys = Keys()
            self.viewport().unsetCursor()

    # Events

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._is_made:
            self._take_palette()
            self.ground_item.reset()
            self.viewport().update()
