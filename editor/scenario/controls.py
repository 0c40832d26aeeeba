"""The controls of what no switch turns: words, squares, levels, lists of names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from app import theme
from app.dialogs.switch_controls import SpinBox, SwitchControl
from app.panels.dressed import Dressed
from app.panels.widgets import ActionButton, FlowLayout, Label, clear_layout, column
from editor.draft import Square
from engine.fortress.floorplan import MAX_SIDE
from engine.raid.figures import ABILITIES, ABILITY_NAMES

NAME_LENGTH = 200  # letters
MAX_LEVEL = 9


class TextControl(SwitchControl):
    """A line of text."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.box = QLineEdit()
        self.box.setMaxLength(NAME_LENGTH)
        self.box.setAccessibleName(name)
        self.box.textChanged.connect(self._turned)
        self._lay(self.box)

    @property
    def value(self) -> str:
        return self.box.text()

    def _show(self, value: str) -> None:
        if len(value) > self.box.maxLength():
            self.box.setMaxLength(len(value))
        at = self.box.cursorPosition()
        self.box.setText(value)
        self.box.setCursorPosition(min(at, len(value)))

    def focus_widget(self) -> QWidget:
        return self.box


class NotesBox(Dressed, QPlainTextEdit):
    """A text of some lines, a few of which are seen at once; Tab leaves it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.dress()

    def _dress(self) -> None:
        self.setFixedHeight(self.fontMetrics().lineSpacing() * 4 + theme.SPACE * 2)

    def sizeHint(self) -> QSize:
        return QSize(theme.size("body") * 12, self.minimumHeight())

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.size("body") * 8, self.minimumHeight())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class NotesControl(SwitchControl):
    """A text of some lines."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.box = NotesBox(name)
        self.box.textChanged.connect(self._turned)
        self._lay(self.box)

    @property
    def value(self) -> str:
        return self.box.toPlainText()

    def _show(self, value: str) -> None:
        self.box.setPlainText(value)

    def focus_widget(self) -> QWidget:
        return self.box


class SquareControl(SwitchControl):
    """A square by column and row; `pickWanted` asks to have it clicked on the map."""

    pickWanted = Signal()

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.column_box = SpinBox(0, MAX_SIDE - 1, "", f"{name}, column")
        self.row_box = SpinBox(0, MAX_SIDE - 1, "", f"{name}, row")
        self.pick_button = small_button("Pick on the map", f"{name}: pick on the map")
        self.pick_button.setCheckable(True)
        self.pick_button.clicked.connect(self.pickWanted)
        layout = FlowLayout(self)
        for word, box in (("x", self.column_box), ("y", self.row_box)):
            box.setPrefix(f"{word} ")
            box.valueChanged.connect(self._turned)
            layout.addWidget(box)
        layout.addWidget(self.pick_button)

    @property
    def value(self) -> Square:
        return self.column_box.value(), self.row_box.value()

    def _show(self, value: Square) -> None:
        self.column_box.setValue(value[0])
        self.row_box.setValue(value[1])

    def focus_widget(self) -> QWidget:
        return self.column_box


class LevelsControl(SwitchControl):
    """The levels of a warrior by ability, or none of its own: then the `usual` ones stand."""

    def __init__(self, name: str, own: str, abilities: Sequence[str] = ABILITIES) -> None:
        super().__init__(name)
        self._usual: Mapping[str, int] = {}
        self.tick = QCheckBox(own)
        self.tick.setAccessibleName(f"{name}: {own}")
        self.tick.toggled.connect(self._own)
        self.boxes: dict[str, SpinBox] = {}
        self._cells = QWidget()
        flow = FlowLayout(self._cells, spacing=theme.SPACE)
        for word in abilities:
            title = ABILITY_NAMES[word].split()[-1]
            box = SpinBox(0, MAX_LEVEL, "", f"{name}, {ABILITY_NAMES[word]}")
            box.valueChanged.connect(self._turned)
            self.boxes[word] = box
            cell = QWidget()
            label = Label(title, "small", is_soft=True, wraps=False)
            cell.setLayout(column(label, box, spacing=theme.SPACE // 2))
            flow.addWidget(cell)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.SPACE // 2)
        layout.addWidget(self.tick)
        layout.addWidget(self._cells)

    def set_usual(self, usual: Mapping[str, int]) -> None:
        """Set the levels that stand where there are none of its own, and with which these begin."""
        self._usual = usual

    @property
    def value(self) -> dict[str, int] | None:
        if not self.tick.isChecked():
            return None
        return {word: box.value() for word, box in self.boxes.items() if box.value()}

    def _show(self, value: Mapping[str, int] | None) -> None:
        self.tick.setChecked(value is not None)
        self._cells.setVisible(value is not None)
        for word, box in self.boxes.items():
            box.setValue((self._usual if value is None else value).get(word, 0))

    @Slot(bool)
    def _own(self, is_on: bool) -> None:
        if not self._is_showing:
            self.show_value(dict(self._usual) if is_on else None)
            self._turned()

    def focus_widget(self) -> QWidget:
        return self.tick


class ChecksControl(SwitchControl):
    """Some of the names on offer, a check box each; those that nobody offers are kept and can be cleared."""

    def __init__(self, name: str, nothing: str) -> None:
        super().__init__(name)
        self._nothing = Label(nothing, "small", is_soft=True)
        self._offered: tuple[str, ...] = ()
        self.boxes: dict[str, QCheckBox] = {}
        self._chosen: tuple[str, ...] = ()
        self._flow = FlowLayout(spacing=theme.SPACE)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._nothing)
        layout.addLayout(self._flow)

    def offer(self, names: Sequence[str]) -> None:
        """Offer other names."""
        if tuple(names) != self._offered:
            self._offered = tuple(names)
            self._make()

    @property
    def value(self) -> tuple[str, ...]:
        return tuple(name for name, box in self.boxes.items() if box.isChecked())

    def _show(self, value: Sequence[str]) -> None:
        self._chosen = tuple(value)
        if not set(self._chosen) <= set(self.boxes):
            self._make()
        for name, box in self.boxes.items():
            box.setChecked(name in self._chosen)

    def _make(self) -> None:
        was_showing, self._is_showing = self._is_showing, True
        clear_layout(self._flow)
        self.boxes = {}
        for name in (*self._offered, *(one for one in self._chosen if one not in self._offered)):
            box = QCheckBox(name if name in self._offered else f"{name} (not on the map)")
            box.setAccessibleName(f"{self.name}: {box.text()}")
            box.setChecked(name in self._chosen)
            box.toggled.connect(self._turned)
            self.boxes[name] = box
            self._flow.addWidget(box)
        self._nothing.setVisible(not self.boxes)
        self._is_showing = was_showing

    def focus_widget(self) -> QWidget:
        return next(iter(self.boxes.values()), self)


class TickBox(SwitchControl):
    """A check box with its words beside it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.box = QCheckBox(name)
        self.box.toggled.connect(self._turned)
        self._lay(self.box)

    @property
    def value(self) -> bool:
        return self.box.isChecked()

    def _show(self, value: bool) -> None:
        self.box.setChecked(value)

    def focus_widget(self) -> QWidget:
        return self.box


def small_button(text: str, said: str) -> ActionButton:
    """Return a small button of a row, as wide as its words; `said` is how it reads aloud."""
    button = ActionButton(text, is_small=True)
    button.setAccessibleName(said)
    button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return button
