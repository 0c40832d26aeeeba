"""Rows of a list that hold lines of text, each as high as its own letters are."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize
from PySide6.QtGui import QTextLayout
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem


class LineRows(QStyledItemDelegate):
    """Gives each row the room of its letters, which another font may have to lend and which may be taller.

    The usual one counts lines by the list's own font, and then leaves the last one out.
    """

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        size = super().sizeHint(option, index)
        needed, plain = 0.0, 0.0
        for text in str(index.data()).splitlines():
            layout = QTextLayout(text, option.font)
            layout.beginLayout()
            line = layout.createLine()
            layout.endLayout()
            needed += ceil(line.height())
            plain += option.fontMetrics.height()
        return QSize(size.width(), size.height() + max(0, ceil(2 * (needed - plain))))
