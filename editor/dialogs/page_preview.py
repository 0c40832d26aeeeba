"""A page of a print, drawn by the very code that prints it, as large as there is room for."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.panels.dressed import Drawn
from editor.printing.booklet import page_image
from editor.printing.options import PrintOptions
from editor.printing.paper import MM, Page, size_of

LEAST_DPI: Final = 110
"""Counters on a coarser picture would leave out what they show on paper."""
RIM: Final = 6  # pixels around the sheet, for its edge and shadow


class PagePreview(Drawn, QWidget):
    """Shows a page, or says in its place why there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page: Page | None = None
        self._options = PrintOptions()
        self._words = ""
        self._image = QImage()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Preview")

    def show_page(self, page: Page | None, options: PrintOptions, words: str = "") -> None:
        """Show another page."""
        self._page, self._options, self._words = page, options, words
        self._image = QImage()
        self.setAccessibleName(f"Preview: {page.name}" if page is not None else f"No preview: {words}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.size("body") * 34, theme.size("body") * 34)

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.size("body") * 14, theme.size("body") * 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        room = self.rect().toRectF().adjusted(RIM, RIM, -RIM, -RIM)
        if self._page is None:
            painter.setFont(theme.font("body"))
            painter.setPen(colors.soft)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(room, flags, self._words)
            return
        size = size_of(self._options, self._page.is_landscape)
        size.scale(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        box = QRectF(room.topLeft(), size)
        box.moveCenter(room.center())
        image = self._drawn(box.width() * self.devicePixelRatioF())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(box.translated(3, 3), colors.faint)
        painter.drawImage(box, image)
        painter.setPen(QPen(colors.soft, 1))
        painter.drawRect(box)

    def _drawn(self, pixels: float) -> QImage:
        """Return the page as a picture so many pixels wide, drawn once for a page and a size."""
        assert self._page is not None
        if self._image.width() != round(pixels):
            inches = size_of(self._options, self._page.is_landscape).width() / MM / 25.4
            image = page_image(self._page, self._options, max(LEAST_DPI, pixels / inches))
            self._image = image.scaledToWidth(
                max(1, round(pixels)), Qt.TransformationMode.SmoothTransformation
            )
        return self._image
