"""The list of what a search of the help found: a heading, and the text around the words below it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QListWidget, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app import theme

SNIPPET_ROLE: Final = Qt.ItemDataRole.UserRole
_WRAP: Final = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_Index = QModelIndex | QPersistentModelIndex


class ResultDelegate(QStyledItemDelegate):
    """Draws a result: its heading bold, its snippet small, both wrapped to the list's width."""

    def __init__(self, view: QListWidget) -> None:
        super().__init__(view)
        self._view = view

    def _boxes(self, index: _Index, width: int) -> tuple[QRect, QRect]:
        """Return the places of heading and snippet in an item whose corner is 0,0."""
        room = max(60, width - theme.SPACE * 2)
        title = QFontMetrics(theme.font("body", is_bold=True)).boundingRect(
            QRect(0, 0, room, 9999), _WRAP, str(index.data())
        )
        text = str(index.data(SNIPPET_ROLE) or "")
        small = QFontMetrics(theme.font("small"))
        high = small.boundingRect(QRect(0, 0, room, 9999), _WRAP, text).height() if text else 0
        first = QRect(theme.SPACE, theme.SPACE // 2, room, title.height())
        return first, QRect(theme.SPACE, first.bottom() + 2, room, high)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        width = self._view.viewport().width()
        _, second = self._boxes(index, width)
        return QSize(width, second.bottom() + theme.SPACE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        state, rect, palette = option.state, option.rect, option.palette
        is_chosen = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        if is_chosen:
            painter.fillRect(rect, palette.color(QPalette.ColorRole.Highlight))
        colors = theme.colors()
        first, second = self._boxes(index, rect.width())
        painter.translate(rect.topLeft())
        painter.setFont(theme.font("body", is_bold=True))
        painter.setPen(colors.field if is_chosen else colors.ink)
        painter.drawText(first, _WRAP, str(index.data()))
        painter.setFont(theme.font("small"))
        painter.setPen(colors.field if is_chosen else colors.soft)
        painter.drawText(second, _WRAP, str(index.data(SNIPPET_ROLE) or ""))
        painter.restore()


class ResultList(QListWidget):
    """The results of a search."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Found")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setItemDelegate(ResultDelegate(self))
