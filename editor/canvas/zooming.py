"""A view of a map that zooms by whole pixels a square, pans, and knows what part is on show."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Signal, Slot
from PySide6.QtGui import QPainter, QResizeEvent, QTransform
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView, QWidget

from app.board.picking import UNIT

MIN_PIXELS: Final = 2  # device pixels a square
MAX_PIXELS: Final = 192
NORMAL: Final = 40
"""Logical pixels of a square at 100 %."""
LARGEST_FIT: Final = 96
"""Logical pixels of a square that a small map is at most fitted to."""
ROUND: Final = 4
"""Squares round the map that can be scrolled to, to draw at its border."""


class ViewState(NamedTuple):
    """What part of a map is on show: device pixels a square, the scene's point in the middle."""

    pixels: int
    x: float
    y: float
    is_fitted: bool


class ZoomView(QGraphicsView):
    """A view whose squares are a whole number of device pixels, so that walls and dots stay crisp.

    `map_bounds` is what is to be seen of the scene; a subclass says it. `zoomed` carries the zoom in per
    cent of a square's normal size.
    """

    zoomed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene = QGraphicsScene(self)
        self.setScene(self._scene)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontAdjustForAntialiasing)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.MinimalViewportUpdate)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self._pixels = NORMAL
        self._is_fitted = True

    @property
    def map_bounds(self) -> QRectF:
        """The scene's rectangle that is fitted into the view."""
        raise NotImplementedError

    @property
    def percent(self) -> int:
        """The zoom in per cent of a square's normal size."""
        return round(100 * self._pixels / (NORMAL * self.devicePixelRatioF()))

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom about a point of the viewport, the middle without one."""
        wanted = round(self._pixels * factor)
        if wanted == self._pixels:
            wanted += 1 if factor > 1 else -1
        wanted = max(MIN_PIXELS, min(round(MAX_PIXELS * self.devicePixelRatioF()), wanted))
        self._is_fitted = False
        self._set_pixels(wanted, at)

    @Slot()
    def zoom_to_size(self) -> None:
        """Show squares in their normal size."""
        self._is_fitted = False
        self._set_pixels(round(NORMAL * self.devicePixelRatioF()), None)

    @Slot()
    def fit(self) -> None:
        """Show the whole map, and keep doing so when the window changes."""
        self._is_fitted = True
        self._fit()

    def show_place(self, place: QPointF) -> None:
        """Bring a point of the scene to the middle of the view."""
        if self._is_fitted:
            self._is_fitted = False
            self._set_pixels(self._pixels, None)
        self.centerOn(place)

    def view_state(self) -> ViewState:
        """Return what part of the map is on show."""
        # The very middle, which lies between two pixels where their number is even: else each return
        # would move the map a little.
        room = self.viewport().size()
        corner = self.mapToScene(0, 0)
        scale = self.transform().m11() * 2
        x, y = corner.x() + room.width() / scale, corner.y() + room.height() / scale
        return ViewState(self._pixels, x, y, self._is_fitted)

    def restore(self, state: object) -> None:
        """Show that part of the map again."""
        if isinstance(state, ViewState):
            self._is_fitted = state.is_fitted
            if state.is_fitted:
                self._fit()
            else:
                self._set_pixels(state.pixels, None)
                # A hair more: what is no whole pixel is cut off.
                self.centerOn(QPointF(state.x + 0.01, state.y + 0.01))

    def _fitting_pixels(self) -> int:
        dpr = self.devicePixelRatioF()
        room = self.map_bounds
        size = self.maximumViewportSize()
        fitting = min(size.width() * dpr * UNIT / room.width(), size.height() * dpr * UNIT / room.height())
        return max(MIN_PIXELS, min(round(LARGEST_FIT * dpr), int(fitting)))

    def _fit(self) -> None:
        self._set_pixels(self._fitting_pixels(), None)
        self.centerOn(self.map_bounds.center())

    def _set_pixels(self, pixels: int, at: QPointF | None) -> None:
        """Show squares in a whole number of device pixels, so that walls and dots stay crisp."""
        grown = 0.0 if self._is_fitted else ROUND * UNIT
        self._scene.setSceneRect(self.map_bounds.adjusted(-grown, -grown, grown, grown))
        point = (at if at is not None else QPointF(self.viewport().rect().center())).toPoint()
        before = self.mapToScene(point)
        self._pixels = pixels
        scale = pixels / (UNIT * self.devicePixelRatioF())
        self.setTransform(QTransform.fromScale(scale, scale))
        middle = self.mapToScene(self.viewport().rect().center())
        self.centerOn(middle + before - self.mapToScene(point))
        self.zoomed.emit(self.percent)

    def scroll_by(self, across: int, down: int) -> None:
        """Scroll by so many pixels."""
        bars = self.horizontalScrollBar(), self.verticalScrollBar()
        if self._is_fitted and (across or down):
            # A map that fits has no room to move until it is let go.
            self._is_fitted = False
            self._set_pixels(self._pixels, None)
        for bar, far in zip(bars, (across, down), strict=True):
            bar.setValue(bar.value() + far)

    def shown_area(self) -> QRectF:
        """Return the scene's rectangle on show."""
        return self.mapToScene(self.viewport().rect()).boundingRect()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_fitted:
            self._fit()
