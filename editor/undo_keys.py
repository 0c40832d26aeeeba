"""One history: the undo keys act on the document wherever the focus is, never on the text of one box."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit, QWidget

from editor.document import Document

TYPED = (QAbstractSpinBox, QLineEdit, QPlainTextEdit, QComboBox)


class UndoKeys(QObject):
    """Takes the undo keys from the boxes that it watches and gives them to the document."""

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document

    def watch(self, widget: QWidget | None) -> None:
        """Watch a box that can be typed in; any other widget leaves the keys alone anyway."""
        if isinstance(widget, TYPED):
            widget.removeEventFilter(self)
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent):
            return False
        is_undo = event.matches(QKeySequence.StandardKey.Undo)
        if not is_undo and not event.matches(QKeySequence.StandardKey.Redo):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            # Not wanted here: an action of the window that has the key may act.
            event.ignore()
            return True
        if event.type() == QEvent.Type.KeyPress:
            (self._document.undo if is_undo else self._document.redo)()
            return True
        return False
