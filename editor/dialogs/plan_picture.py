"""A small picture of a map, as large as there is room for."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.board.picture import board_image, picture_size
from app.panels.dressed import Drawn
from engine.fortress.floorplan import FloorPlan

LEAST: Final = 2.0
MOST: Final = 40.0
"""Pixels of a square."""


class PlanPicture(Drawn, QWidget):
    """Shows a map, or nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plan: FloorPlan | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_plan(self, plan: FloorPlan | None) -> None:
        """Show another map."""
        self._plan = plan
        words = f"{plan.name}, {plan.width} × {plan.height} squares" if plan is not None else ""
        self.setAccessibleName(f"Picture of the map: {words}" if words else "No map")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.size("body") * 24, theme.size("body") * 14)

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.size("body") * 12, theme.size("body") * 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        plan = self._plan
        if plan is None:
            return
        whole = picture_size(plan, 100)
        pixels = 100 * min(self.width() / whole.width(), self.height() / whole.height())
        image = board_image(plan, None, min(max(pixels, LEAST), MOST), self.devicePixelRatioF())
        size = image.deviceIndependentSize().scaled(self.size().toSizeF(), Qt.AspectRatioMode.KeepAspectRatio)
        size = size.boundedTo(image.deviceIndependentSize())
        box = self.rect().toRectF()
        box.setSize(size)
        box.moveCenter(self.rect().toRectF().center())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(box, image)
