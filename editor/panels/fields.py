"""The fields that panels are made of: each says what was put in, and gives the focus back when it is done."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QCheckBox, QLineEdit, QSizePolicy, QWidget

from app import theme
from app.dialogs.switch_controls import ComboBox, SpinBox

SEVERAL = "several"
"""What a field says where the things selected differ."""


class TextField(QLineEdit):
    """A line of text. `committed` carries it when it is left or Return is pressed, if it is another one.

    `done` follows Return and Esc, which puts back what was there.
    """

    committed = Signal(str)
    done = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: str | None = None
        self._before: str | None = None
        self.setAccessibleName(name)
        self.editingFinished.connect(self._commit)

    def show_value(self, text: str | None) -> None:
        """Show a text, None where several differ; what is being typed is left alone."""
        if text == self._shown:
            return
        self._shown = self._before = text
        self.setPlaceholderText(SEVERAL if text is None else "")
        self.setText(text or "")
        self.setCursorPosition(0)

    def put_back(self) -> None:
        """Show again what is there: what was typed cannot be."""
        self._shown = self._before
        self.setText(self._shown or "")

    @Slot()
    def _commit(self) -> None:
        text = self.text()
        if text != (self._shown or ""):
            self._shown = text
            self.committed.emit(text)

    def event(self, event: QEvent) -> bool:
        """Take the undo keys for what is being typed only; the rest of the time they are the document's."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and self.text() == (self._shown or "")
            and (event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo))
        ):
            event.ignore()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.put_back()
            self.done.emit()
            return
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            self.done.emit()


class NumberField(SpinBox):
    """A number. `changed` carries it at once, `settled` follows when the field is left or Return pressed."""

    changed = Signal(int)
    settled = Signal()
    done = Signal()

    def __init__(self, least: int, most: int, name: str) -> None:
        super().__init__(least, most, "", name)
        self.valueChanged.connect(self.changed)

    def show_value(self, value: int) -> None:
        """Show a number and tell nobody."""
        if value != self.value():
            with QSignalBlocker(self):
                self.setValue(value)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.settled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            event.accept()
            self.settled.emit()
            self.done.emit()


class Choice(ComboBox):
    """One of a few. `chosen` carries its value; `done` follows when it was picked from the open list."""

    chosen = Signal(str)
    done = Signal()

    def __init__(self, options: Sequence[tuple[str, str]], name: str) -> None:
        super().__init__(options, name)
        self._was_open = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setPlaceholderText(SEVERAL)
        self.activated.connect(self._on_activated)

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.size("body") * 6, super().minimumSizeHint().height())

    def show_choice(self, value: str | None) -> None:
        """Show a value, None where several differ, and tell nobody."""
        at = -1 if value is None else self.findData(value)
        if at != self.currentIndex():
            with QSignalBlocker(self):
                self.setCurrentIndex(at)

    def showPopup(self) -> None:
        self._was_open = True
        super().showPopup()

    @Slot(int)
    def _on_activated(self, at: int) -> None:
        was_open, self._was_open = self._was_open, False
        self.chosen.emit(str(self.itemData(at)))
        if was_open:
            self.done.emit()


class Tick(QCheckBox):
    """Yes or no; half ticked where the things selected differ. `chosen` carries the answer."""

    chosen = Signal(bool)

    def __init__(self, text: str, name: str = "") -> None:
        super().__init__(text)
        self.setAccessibleName(name or text)
        self.clicked.connect(self._on_clicked)

    def show_tick(self, is_on: bool | None) -> None:
        """Show a tick, none, or for None half of one, and tell nobody."""
        state = Qt.CheckState
        self.setTristate(is_on is None)
        self.setCheckState(
            state.PartiallyChecked if is_on is None else state.Checked if is_on else state.Unchecked
        )

    @Slot()
    def _on_clicked(self) -> None:
        # Half a tick stands for what differs, and is never an answer.
        is_on = self.checkState() != Qt.CheckState.Unchecked
        self.show_tick(is_on)
        self.chosen.emit(is_on)
