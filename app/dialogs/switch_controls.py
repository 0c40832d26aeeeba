"""The controls that turn a scenario's switches: one kind of widget for each kind of value."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.markup import as_text
from app.panels.widgets import ActionButton, FlowLayout, Label, clear_layout, column
from engine.raid import switches
from engine.raid.figures import JELLIES

if TYPE_CHECKING:
    _Base = QWidget
else:
    _Base = object

NARROWEST = 14
"""Times the size of the text that a box of choices can be narrowed to, whatever it offers."""


class _Steady(_Base):
    """A box that the wheel turns only while it has the focus, so that a page can be scrolled past it."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class SpinBox(_Steady, QSpinBox):
    """A whole number."""

    def __init__(self, least: int, most: int, zero: str, name: str) -> None:
        super().__init__()
        self.setRange(least, most)
        if zero and least == 0:
            self.setSpecialValueText(zero)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.lineEdit().setTextMargins(theme.SPACE, 0, 0, 0)

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(theme.SPACE, 0)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class DecimalBox(_Steady, QDoubleSpinBox):
    """A number with two decimals, told when it is typed to its end."""

    def __init__(self, least: float, most: float, name: str) -> None:
        super().__init__()
        self.setRange(least, most)
        self.setDecimals(2)
        self.setSingleStep(0.1)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setKeyboardTracking(False)
        self.lineEdit().setTextMargins(theme.SPACE, 0, 0, 0)


class ComboBox(_Steady, QComboBox):
    """A choice of a few."""

    def __init__(self, options: Sequence[tuple[str, str]], name: str) -> None:
        super().__init__()
        for value, text in options:
            self.addItem(text, value)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), theme.size("body") * NARROWEST), hint.height())

    def show_value(self, value: str) -> None:
        """Choose a value; one that is not offered is added, so that nothing is changed by being shown."""
        if self.findData(value) < 0:
            self.addItem(value, value)
        self.setCurrentIndex(self.findData(value))

    def offer(self, options: Sequence[tuple[str, str]]) -> None:
        """Offer other values; the chosen one stays, offered or not."""
        kept = self.currentData()
        self.clear()
        for value, text in options:
            self.addItem(text, value)
        if kept is not None:
            self.show_value(kept)


class SwitchControl(QWidget):
    """Turns one switch. `changed` follows what the player does, never what is shown by the program."""

    changed = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self._is_showing = False

    @property
    def value(self) -> Any:
        """The value as it stands."""
        raise NotImplementedError

    def show_value(self, value: Any) -> None:
        """Show a value, telling nobody."""
        self._is_showing = True
        try:
            self._show(value)
        finally:
            self._is_showing = False

    def _show(self, value: Any) -> None:
        raise NotImplementedError

    def focus_widget(self) -> QWidget:
        """Return the part that takes the focus first."""
        raise NotImplementedError

    @Slot()
    def _turned(self) -> None:
        if not self._is_showing:
            self.changed.emit()

    def _lay(self, widget: QWidget) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(widget)


class NumberControl(SwitchControl):
    """A spin box."""

    def __init__(self, control: switches.Number, name: str) -> None:
        super().__init__(name)
        self.box = SpinBox(control.least, control.most, control.zero, name)
        self.box.valueChanged.connect(self._turned)
        self._lay(self.box)

    @property
    def value(self) -> int:
        return self.box.value()

    def _show(self, value: int) -> None:
        self.box.setValue(value)

    def focus_widget(self) -> QWidget:
        return self.box


class ChoiceControl(SwitchControl):
    """A combo box."""

    def __init__(self, control: switches.Choice, name: str) -> None:
        super().__init__(name)
        self.box = ComboBox(control.options, name)
        self.box.currentIndexChanged.connect(self._turned)
        self._lay(self.box)

    @property
    def value(self) -> str:
        return str(self.box.currentData())

    def _show(self, value: str) -> None:
        self.box.show_value(value)

    def focus_widget(self) -> QWidget:
        return self.box


class TickControl(SwitchControl):
    """A check box."""

    def __init__(self, control: switches.Tick | switches.Presence, name: str) -> None:
        super().__init__(name)
        self.box = QCheckBox(control.text)
        self.box.setAccessibleName(name)
        self.box.toggled.connect(self._turned)
        self._lay(self.box)

    @property
    def value(self) -> Any:
        return self.box.isChecked()

    def _show(self, value: Any) -> None:
        self.box.setChecked(bool(value))

    def focus_widget(self) -> QWidget:
        return self.box


class PresenceControl(TickControl):
    """A check box for a part that is there or not; its inside is turned by other switches."""

    def __init__(self, control: switches.Presence, name: str) -> None:
        super().__init__(control, name)
        self._part = control.made

    @property
    def value(self) -> Any:
        return self._part if self.box.isChecked() else None

    def _show(self, value: Any) -> None:
        if value is not None:
            self._part = value
        self.box.setChecked(value is not None)


class JelliesControl(SwitchControl):
    """A check box for each of the twelve."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.boxes: dict[int, QCheckBox] = {}
        layout = FlowLayout(self, spacing=theme.SPACE * 2)
        for number in JELLIES:
            box = QCheckBox(f"J-{number}")
            said = switches.jelly_words(number)
            box.setToolTip(as_text(said))
            box.setAccessibleName(f"{name}: {said}")
            box.toggled.connect(self._turned)
            self.boxes[number] = box
            layout.addWidget(box)

    @property
    def value(self) -> tuple[int, ...]:
        return tuple(number for number, box in self.boxes.items() if box.isChecked())

    def _show(self, value: Sequence[int]) -> None:
        for number, box in self.boxes.items():
            box.setChecked(number in value)

    def focus_widget(self) -> QWidget:
        return self.boxes[1]


class NumbersControl(SwitchControl):
    """Spin boxes side by side, each under its heading."""

    def __init__(self, control: switches.Numbers, name: str) -> None:
        super().__init__(name)
        self.boxes: list[SpinBox] = []
        layout = FlowLayout(self, spacing=theme.SPACE * 2)
        for heading in control.headings:
            box = SpinBox(control.least, control.most, control.zero, f"{name}, {heading}")
            box.valueChanged.connect(self._turned)
            self.boxes.append(box)
            layout.addWidget(_under(heading, box))

    @property
    def value(self) -> tuple[int, ...]:
        return tuple(box.value() for box in self.boxes)

    def _show(self, value: Sequence[int]) -> None:
        for box, number in zip(self.boxes, value, strict=True):
            box.setValue(number)

    def focus_widget(self) -> QWidget:
        return self.boxes[0]


def _under(heading: str, control: QWidget) -> QWidget:
    """Return a control under its heading."""
    cell = QWidget()
    label = Label(heading, "small", is_soft=True, wraps=False)
    cell.setLayout(column(label, control, spacing=theme.SPACE // 2))
    return cell


class RowsControl(SwitchControl):
    """A row of controls for each part of a list; rows are added below and removed one by one."""

    def __init__(self, control: switches.Rows, name: str, entries: Sequence[str]) -> None:
        super().__init__(name)
        self._control = control
        self._entries = tuple(entries)
        self._rows: list[dict[str, SpinBox | ComboBox]] = []
        self._kept: list[msgspec.Struct] = []  # what each row is made from, with keys that nobody here knows
        self._lines = column()
        self.add_button = ActionButton("Add a row")
        self.add_button.setAccessibleName(f"Add a row to: {name}")
        self.add_button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.add_button.clicked.connect(self.add_row)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(self._lines)
        layout.addWidget(self.add_button)

    @property
    def value(self) -> tuple[Any, ...]:
        return tuple(
            msgspec.structs.replace(kept, **{field: self._read(cell) for field, cell in cells.items()})
            for kept, cells in zip(self._kept, self._rows, strict=True)
        )

    @staticmethod
    def _read(cell: SpinBox | ComboBox) -> Any:
        if isinstance(cell, ComboBox):
            return str(cell.currentData())
        # The words that a spin box shows for 0 stand for what the row leaves open.
        return None if cell.specialValueText() and cell.value() == 0 else cell.value()

    @property
    def rows(self) -> list[dict[str, SpinBox | ComboBox]]:
        """The controls of each row, by field."""
        return list(self._rows)

    def _show(self, value: Sequence[msgspec.Struct]) -> None:
        parts = list(value)
        if len(parts) == len(self._rows):
            # The same widgets, so that the one in focus keeps it.
            self._kept = parts
            for cells, part in zip(self._rows, parts, strict=True):
                for field, cell in cells.items():
                    if isinstance(cell, ComboBox):
                        cell.show_value(getattr(part, field))
                    else:
                        cell.setValue(getattr(part, field) or 0)
            return
        # Taking the rows out moves the focus, and whoever follows that asks for the value.
        self._kept, self._rows = [], []
        clear_layout(self._lines)
        for number, part in enumerate(parts, 1):
            self._kept.append(part)
            self._add_cells(number, part)

    def offer_entries(self, entries: Sequence[str]) -> None:
        """Offer the names of other entries; the rows keep theirs."""
        if tuple(entries) == self._entries:
            return
        self._entries = tuple(entries)
        self._is_showing = True
        try:
            for cells in self._rows:
                for one in self._control.columns:
                    cell = cells[one.field]
                    if isinstance(one.control, switches.EntryName) and isinstance(cell, ComboBox):
                        cell.offer([(name, name) for name in self._entries])
        finally:
            self._is_showing = False

    def _row_buttons(self, number: int) -> Sequence[QWidget]:
        """Return what else stands in a row, counted from 0, before the button that removes it."""
        return ()

    def _add_cells(self, number: int, part: msgspec.Struct) -> None:
        cells: dict[str, SpinBox | ComboBox] = {}
        line = QWidget()
        flow = FlowLayout(line)
        for one in self._control.columns:
            value = getattr(part, one.field)
            said = f"{self.name}, row {number}, {one.heading.lower()}"
            cell: SpinBox | ComboBox
            match one.control:
                case switches.Number(least, most, zero):
                    cell = SpinBox(least, most, zero, said)
                    cell.setValue(value or 0)
                    cell.valueChanged.connect(self._turned)
                case switches.Choice(options):
                    cell = ComboBox(options, said)
                    cell.show_value(value)
                    cell.currentIndexChanged.connect(self._turned)
                case switches.EntryName():
                    cell = ComboBox([(name, name) for name in self._entries], said)
                    cell.show_value(value)
                    cell.currentIndexChanged.connect(self._turned)
            cells[one.field] = cell
            flow.addWidget(_under(one.heading, cell))
        for button in self._row_buttons(number - 1):
            flow.addWidget(_under("", button))
        remove = ActionButton("Remove")
        remove.setAccessibleName(f"Remove row {number} of: {self.name}")
        remove.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        remove.clicked.connect(partial(self.remove_row, number - 1))
        flow.addWidget(_under("", remove))
        self._lines.addWidget(line)
        self._rows.append(cells)

    @Slot()
    def add_row(self) -> None:
        """Add a row like the last one, or the printed one where there is none (6.2)."""
        rows = list(self.value)
        made = rows[-1] if rows else self._first()
        self.show_value([*rows, made])
        self._rows[-1][self._control.columns[0].field].setFocus()
        self.changed.emit()

    def _first(self) -> msgspec.Struct:
        return self._control.made(from_turn=6, number=3, entry=self._entries[0] if self._entries else "")

    def remove_row(self, number: int) -> None:
        """Remove a row, counted from 0."""
        rows = list(self.value)
        del rows[number]
        self.show_value(rows)
        self.add_button.setFocus()
        self.changed.emit()

    def focus_widget(self) -> QWidget:
        return self._rows[0][self._control.columns[0].field] if self._rows else self.add_button


def control_for(switch: switches.Switch, entries: Sequence[str]) -> SwitchControl:
    """Return the widget that turns a switch, on a map with entries of these names."""
    name = switch.title
    match switch.control:
        case switches.Number() as number:
            return NumberControl(number, name)
        case switches.Choice() as choice:
            return ChoiceControl(choice, name)
        case switches.Presence() as presence:
            return PresenceControl(presence, name)
        case switches.Tick() as tick:
            return TickControl(tick, name)
        case switches.Jellies():
            return JelliesControl(name)
        case switches.Numbers() as numbers:
            return NumbersControl(numbers, name)
        case switches.Rows() as rows:
            return RowsControl(rows, name, entries)
