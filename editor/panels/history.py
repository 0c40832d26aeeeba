"""The history: every step by its name, with a mark at what is saved; a click goes there."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, QTimer, Slot
from PySide6.QtGui import QIcon, QKeyEvent, QMouseEvent, QPainter, QPixmap, QResizeEvent, QShowEvent
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
        document.stack.indexChanged.connect(self._show_current)
        self.dress()

    def _dress(self) -> None:
        self.setCleanIcon(QIcon(_saved_mark(self.devicePixelRatioF())))

    @Slot()
    def _show_current(self) -> None:
        """Bring the step that the draft is at into view."""
        if not self.isVisible():
            return
        # Rows that were added while nobody looked are not laid out yet, and cannot be scrolled to.
        self.doItemsLayout()
        self.scrollTo(self.currentIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._show_current)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self._show_current)

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
