"""An image under the map to be traced: where it lies, how strong; kept by the session, never in the map."""

from __future__ import annotations

from math import hypot
from pathlib import Path
from typing import Final

import msgspec
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImageReader, QPainter, QPixmap
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from app.board.picking import UNIT

LARGEST: Final = 8192
"""Pixels of an image's longer side that are kept."""

Point = tuple[float, float]


class Tracing(msgspec.Struct, frozen=True, kw_only=True):
    """An image file under the map.

    `left` and `top` are where its corner lies, `scale` how many squares one of its pixels covers, all in
    squares; `opacity` is 0 to 1. A locked image cannot be moved.
    """

    path: str
    left: float = 0.0
    top: float = 0.0
    scale: float = 1 / 40
    opacity: float = 0.6
    is_locked: bool = False

    def calibrated(self, first: Point, second: Point, squares: float) -> Tracing:
        """Return the tracing with two points of the map that it covers so many squares apart.

        The first point of the image stays where it is.

        Raises ValueError when the points are the same, or the distance is not above 0.
        """
        apart = hypot(second[0] - first[0], second[1] - first[1])
        if apart < 1e-6 or squares <= 0:
            raise ValueError("two different points are needed, and a distance above 0")
        factor = squares / apart
        return msgspec.structs.replace(
            self,
            scale=self.scale * factor,
            left=first[0] - (first[0] - self.left) * factor,
            top=first[1] - (first[1] - self.top) * factor,
        )

    def moved(self, dx: float, dy: float) -> Tracing:
        """Return the tracing so many squares further; a locked one stays."""
        if self.is_locked:
            return self
        return msgspec.structs.replace(self, left=self.left + dx, top=self.top + dy)


def load_image(path: str) -> QPixmap:
    """Return an image, made smaller where it is very large.

    Raises ValueError with the reason when the file is no image that can be read.
    """
    reader = QImageReader(path)
    reader.setAutoTransform(True)
    size = reader.size()
    if size.isValid() and max(size.width(), size.height()) > LARGEST:
        raise ValueError(f"{Path(path).name} has more than {LARGEST} pixels on a side")
    image = reader.read()
    if image.isNull():
        raise ValueError(f"{Path(path).name}: {reader.errorString()}")
    return QPixmap.fromImage(image)


class TracingItem(QGraphicsItem):
    """The image, under everything else."""

    def __init__(self) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.setZValue(-10)
        self.tracing: Tracing | None = None
        self._picture: QPixmap | None = None
        self.setVisible(False)

    def set_tracing(self, tracing: Tracing | None) -> None:
        """Show an image, or none; raises ValueError when it cannot be read, and shows what it did before."""
        if tracing is None:
            self._picture = None
        elif self.tracing is None or tracing.path != self.tracing.path or self._picture is None:
            self._picture = load_image(tracing.path)
        self.prepareGeometryChange()
        self.tracing = tracing
        self.setVisible(tracing is not None)
        if tracing is not None:
            self.setOpacity(tracing.opacity)
        self.update()

    def boundingRect(self) -> QRectF:
        if self.tracing is None or self._picture is None:
            return QRectF()
        scale = self.tracing.scale * UNIT
        return QRectF(
            QPointF(self.tracing.left, self.tracing.top) * UNIT,
            QPointF(
                self.tracing.left * UNIT + self._picture.width() * scale,
                self.tracing.top * UNIT + self._picture.height() * scale,
            ),
        )

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        if self.tracing is None or self._picture is None:
            return
        box = self.boundingRect()
        exposed = option.exposedRect.intersected(box)
        scale = self.tracing.scale * UNIT
        source = QRectF((exposed.topLeft() - box.topLeft()) / scale, exposed.size() / scale)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(exposed, self._picture, source)
        painter.restore()
