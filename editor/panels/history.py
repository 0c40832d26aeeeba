"""The history: every step by its name, with a mark at what is saved; a click goes there."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QMouseEvent, QPainter, QPixmap
from PySide6.QtWidgets import QUndoView, QWidget

from app import theme
from app.panels.dressed import Dressed
from editor.document import Document


class HistoryPanel(Dressed, QUndoView):
    """The steps of the undo stack."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document.stack, parent)
        self._document = document
        self.setAccessibleName("History")
        self.setEmptyLabel("As it was opened")
        self.dress()

    def _dress(self) -> None:
        self.setCleanIcon(QIcon(_saved_mark(self.devicePixelRatioF())))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._document.interrupt()
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._document.interrupt()
        super().keyPressEvent(event)


def _saved_mark(dpr: float) -> QPixmap:
    """Return the mark of what is saved: a dot."""
    side = theme.size("small")
    pixmap = QPixmap(round(side * dpr), round(side * dpr))
    pixmap.setDevicePixelRatio(dpr)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(theme.colors().ink)
    painter.setBrush(theme.colors().ink)
    inset = side * 0.25
    painter.drawEllipse(QRectF(0, 0, side, side).adjusted(inset, inset, -inset, -inset))
    painter.end()
    return pixmap
