"""What every layer is."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from app import theme

Z_OVERLAY, Z_NO_SIGHT, Z_ENTRIES, Z_FIGURES, Z_SELECTION, Z_MARKS, Z_AXIS, Z_GHOST, Z_FLASH = range(1, 10)
"""Which layer lies over which; the ground is at 0."""
Z_CURSOR: Final = 20
SMALLEST_TEXT: Final = 8
"""Logical pixels of a cost or an entry's words below which they are not drawn."""


class Layer(QGraphicsItem):
    """One layer. A subclass paints what `option.exposedRect` shows and calls `cover` when that changes."""

    def __init__(self, height: float) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.setZValue(height)
        self._bounds = QRectF()
        self.setVisible(False)

    def cover(self, bounds: QRectF) -> None:
        """Lie over another rectangle of the scene, or, an empty one, show nothing."""
        if bounds != self._bounds:
            self.prepareGeometryChange()
            self._bounds = bounds
        self.setVisible(not bounds.isEmpty())
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        painter.save()
        try:
            self.draw(painter, option.exposedRect, theme.colors())
        finally:
            painter.restore()

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        """Draw what is exposed."""
        raise NotImplementedError


def pixel(painter: QPainter) -> float:
    """Return how long a logical pixel is in the painter's units."""
    return 1 / painter.worldTransform().m11()


def mixed(one: QColor, other: QColor, share: float) -> QColor:
    """Return a colour `share` of the way from one to another."""
    return QColor.fromRgbF(
        one.redF() + (other.redF() - one.redF()) * share,
        one.greenF() + (other.greenF() - one.greenF()) * share,
        one.blueF() + (other.blueF() - one.blueF()) * share,
    )
