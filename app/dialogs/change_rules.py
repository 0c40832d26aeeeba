"""Turning the rules of a game: every switch of a scenario, with what differs and what is wrong (6, 7)."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.dialogs.switch_controls import SwitchControl, control_for
from app.panels.dressed import Dressed
from app.panels.widgets import (
    ActionButton,
    Bar,
    Label,
    column,
    row,
    rule_link,
)
from engine.core.files import BadFile
from engine.raid import switches
from engine.raid.scenario import Scenario, plan_of
from engine.raid.switches import Fault, Switch

WIDE: Final = (switches.Jellies, switches.Numbers, switches.Rows)
"""Controls that need a line of their own."""
FIXED: Final = "Fixed by the scenario"
FAULTS_SHOWN: Final = 3  # lines of the list of what is wrong
SIDE_BY_SIDE: Final = 34  # a page so many letters wide holds sentence and control beside each other


class SwitchRow(QWidget):
    """One switch: name and rule, its sentence, its control, and the way back where it is turned."""

    changed = Signal(str)
    resetWanted = Signal(str)

    def __init__(self, switch: Switch, control: SwitchControl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.switch = switch
        self.control = control
        links = " ".join(rule_link(rule) for rule in switch.rules)
        self._head = Label(f"<b>{escape(switch.title)}</b> &nbsp;{links}", is_rich=True)
        self._sentence = Label(switch.sentence, "small", is_soft=True)
        self._was = Label("", "small", is_bold=True)
        self.reset_button = ActionButton("Reset")
        self.reset_button.clicked.connect(self._reset)
        self._changed_line = QWidget()
        line = row(self._was, self.reset_button)
        line.setStretch(0, 1)
        self._changed_line.setLayout(line)
        # Its place is kept, or the next control would slide away under the mouse.
        policy = self._changed_line.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._changed_line.setSizePolicy(policy)
        words = column(self._head, self._sentence, self._changed_line, spacing=theme.SPACE // 2)
        is_wide = isinstance(switch.control, WIDE)
        way = QBoxLayout.Direction.TopToBottom if is_wide else QBoxLayout.Direction.LeftToRight
        self._line = QBoxLayout(way)
        self._line.setSpacing(theme.SPACE * 2)
        self._line.addLayout(words, 0 if is_wide else 1)
        self._line.addWidget(control, 0, Qt.AlignmentFlag(0) if is_wide else Qt.AlignmentFlag.AlignTop)
        layout = column(self._line, Bar())
        layout.setContentsMargins(0, theme.SPACE, 0, 0)
        self.setLayout(layout)
        control.changed.connect(self._turned)
        self.mark(None)

    @property
    def is_marked(self) -> bool:
        """Whether the switch is shown as turned."""
        return not self._changed_line.isHidden()

    def mark(self, was: str | None) -> None:
        """Show that the switch is turned, and what it was; None where it is not."""
        self._changed_line.setVisible(was is not None)
        if was is not None:
            self._was.setText(f"● Changed; the scenario says: {was}")
            self.reset_button.setAccessibleName(f"Reset {self.switch.title} to {was}")

    def suit(self, width: int) -> None:
        """Put the control beside the words where there is room for both, below them elsewhere."""
        if isinstance(self.switch.control, WIDE):
            return
        is_wide = width >= theme.size("body") * SIDE_BY_SIDE
        way = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        if way != self._line.direction():
            self._line.setDirection(way)

    @Slot()
    def _turned(self) -> None:
        self.changed.emit(self.switch.path)

    @Slot()
    def _reset(self) -> None:
        self.control.focus_widget().setFocus()
        self.resetWanted.emit(self.switch.path)


class Page(QScrollArea):
    """A scrolled page of switches."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.rows: list[SwitchRow] = []
        self._inner = QWidget()
        self.body = QVBoxLayout(self._inner)
        self.body.setContentsMargins(theme.SPACE * 2, 0, theme.SPACE * 2, theme.SPACE)
        self.body.setSpacing(theme.SPACE)
        self.setWidget(self._inner)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)

    def add(self, line: SwitchRow) -> None:
        """Add a switch below."""
        self.rows.append(line)
        self.body.addWidget(line)

    def suit(self) -> None:
        """Let every line suit the page's width and the size of the text."""
        for line in self.rows:
            line.suit(self.viewport().width() - theme.SPACE * 4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.suit()


class ChangeRulesDialog(Dressed, QDialog):
    """Turns the switches of a scenario for one game. After `accepted`, `scenario` is the turned one."""

    def __init__(self, base: Scenario, now: Scenario | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Change the rules of this game")
        self._base = base
        self._values: dict[str, Any] = {}  # what is turned, by path
        self._faults: list[Fault] = []
        self.rows: dict[str, SwitchRow] = {}
        self.parts = QListWidget()
        self.parts.setAccessibleName("Parts of the rules")
        self.parts.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.parts.currentRowChanged.connect(self._turn_page)
        self._pages = QStackedWidget()
        self._make_pages()
        self._summary = Label("", "small", is_bold=True)
        self._summary.setAccessibleName("The forces")
        self.fault_list = QListWidget()
        self.fault_list.setAccessibleName("What is wrong")
        self.fault_list.setWordWrap(True)
        self.fault_list.itemActivated.connect(self._go_to_fault)
        self.fault_list.itemClicked.connect(self._go_to_fault)
        self.reset_button = ActionButton("Reset all")
        self.reset_button.set_key("Alt+R")
        self.reset_button.clicked.connect(self.reset_all)
        self.cancel_button = ActionButton("Cancel")
        self.cancel_button.clicked.connect(self.reject)
        self.use_button = ActionButton("Use these rules", "", is_main=True)
        self.use_button.set_key("Ctrl+Return")
        self.use_button.clicked.connect(self.accept)
        middle = row(self.parts, self._pages)
        middle.setStretch(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        title = Label(f"Rules of “{base.name}”", "title", is_title=True)
        layout.addWidget(title)
        layout.addLayout(middle, 1)
        layout.addWidget(self._summary)
        layout.addWidget(self.fault_list)
        foot = row(self.reset_button, self.cancel_button, self.use_button)
        foot.setStretch(2, 1)
        layout.addLayout(foot)
        if now is not None:
            self._values = {
                switch.path: switches.value_of(now, switch.path)
                for switch in switches.SWITCHES
                if not switches.is_same(
                    switch, switches.value_of(base, switch.path), switches.value_of(now, switch.path)
                )
            }
        for path in self.rows:
            self.rows[path].control.show_value(self._value(path))
        self.parts.setCurrentRow(0)
        self.dress()
        self._follow()
        self.parts.setFocus()

    def _make_pages(self) -> None:
        try:
            entries = [entry.name for entry in plan_of(self._base).entries]
        except BadFile:
            entries = []
        for part in switches.PARTS:
            page = Page(part)
            for switch in switches.SWITCHES:
                if switch.part == part:
                    line = SwitchRow(switch, control_for(switch, entries))
                    line.changed.connect(self._turned)
                    line.resetWanted.connect(self.reset)
                    self.rows[switch.path] = line
                    page.add(line)
            page.body.addStretch(1)
            self._add_page(part, page)
        page = Page(FIXED)
        note = "Maps, fixed places and start positions are drawn, not turned here."
        for text in (note, *switches.drawn_words(self._base)):
            label = Label(text, is_soft=text == note)
            page.body.addWidget(label)
        page.body.addStretch(1)
        self._add_page(FIXED, page)

    def _add_page(self, name: str, page: Page) -> None:
        self.parts.addItem(QListWidgetItem(name))
        self._pages.addWidget(page)

    # What others use.

    @property
    def scenario(self) -> Scenario:
        """The scenario with the switches turned; raises ValueError where they do not go together."""
        return switches.turned(self._base, self._values)

    @property
    def faults(self) -> list[Fault]:
        """What is wrong now, worst first."""
        return list(self._faults)

    @property
    def changed_paths(self) -> list[str]:
        """The switches that are turned."""
        return [path for path in self.rows if path in self._values]

    # Following the controls.

    def _value(self, path: str) -> Any:
        return self._values[path] if path in self._values else switches.value_of(self._base, path)

    @Slot(str)
    def _turned(self, path: str) -> None:
        line = self.rows[path]
        value = line.control.value
        if switches.is_same(line.switch, value, switches.value_of(self._base, path)):
            self._values.pop(path, None)
        else:
            self._values[path] = value
        self._follow()

    @Slot(str)
    def reset(self, path: str) -> None:
        """Turn a switch back to what the scenario says."""
        self._values.pop(path, None)
        self.rows[path].control.show_value(switches.value_of(self._base, path))
        self._follow()

    @Slot()
    def reset_all(self) -> None:
        """Turn all switches back."""
        for path in self.changed_paths:
            self.rows[path].control.show_value(switches.value_of(self._base, path))
        self._values.clear()
        self._follow()

    def _follow(self) -> None:
        is_scored = self._value("points") is not None
        counts = dict.fromkeys(switches.PARTS, 0)
        for path, line in self.rows.items():
            is_turned = path in self._values
            base = switches.value_of(self._base, path)
            line.mark(switches.value_words(line.switch, base) if is_turned else None)
            counts[line.switch.part] += is_turned
            if path.startswith("points."):
                line.control.setEnabled(is_scored)
        for at, part in enumerate(switches.PARTS):
            item = self.parts.item(at)
            item.setText(f"{part}  ●{counts[part]}" if counts[part] else part)
            item.setData(
                Qt.ItemDataRole.AccessibleTextRole,
                f"{part}, {counts[part]} changed" if counts[part] else part,
            )
        try:
            scenario = self.scenario
        except ValueError as error:
            self._faults = [switches.fault_of_line(str(error))]
            self._summary.setText("These numbers do not go together yet.")
        else:
            self._faults = switches.faults(scenario)
            self._summary.setText(switches.forces(scenario))
        self.reset_button.setEnabled(bool(self._values))
        self._show_faults()

    def _show_faults(self) -> None:
        self.fault_list.clear()
        for fault in self._faults:
            self.fault_list.addItem(f"{'✖ Error' if fault.is_error else '▲ Warning'} – {fault.text}")
        if not self._faults:
            self.fault_list.addItem("✔ Nothing is wrong: a game can be played by these rules.")
        self._fit_faults()
        errors = sum(fault.is_error for fault in self._faults)
        self.use_button.bar(bool(errors))
        self.use_button.set_detail("why not? see the errors above" if errors else "")

    @Slot(QListWidgetItem)
    def _go_to_fault(self, item: QListWidgetItem) -> None:
        """Show the switch that a fault is about."""
        at = self.fault_list.row(item)
        if at < len(self._faults) and self._faults[at].path:
            self.go_to(self._faults[at].path)

    def go_to(self, path: str) -> None:
        """Show a switch and give it the focus."""
        line = self.rows[path]
        self.parts.setCurrentRow(switches.PARTS.index(line.switch.part))
        page = self._pages.currentWidget()
        if isinstance(page, Page):
            page.ensureWidgetVisible(line)
        line.control.focus_widget().setFocus()

    @Slot(int)
    def _turn_page(self, number: int) -> None:
        self._pages.setCurrentIndex(number)

    def accept(self) -> None:
        """Take the rules as they stand, unless something in them keeps a game from starting."""
        errors = [fault for fault in self._faults if fault.is_error]
        if errors:
            self.fault_list.setCurrentRow(0)
            if errors[0].path:
                self.go_to(errors[0].path)
            return
        super().accept()

    # Looks.

    def _fit_faults(self) -> None:
        """Give the list of what is wrong a few lines, and no more than it fills."""
        lines = min(max(1, len(self._faults)), FAULTS_SHOWN)
        line = self.fault_list.fontMetrics().lineSpacing() + theme.SPACE // 2
        self.fault_list.setFixedHeight(line * lines + theme.SPACE)

    def _dress(self) -> None:
        """Give the text in force the room it needs, as far as the screen has it."""
        body = theme.size("body")
        self.resize(min(body * 76, 1240), min(body * 48, 680))
        metrics = self.parts.fontMetrics()
        widest = max(metrics.horizontalAdvance(f"{name}  ●99") for name in (*switches.PARTS, FIXED))
        room = widest + theme.SPACE * 4 + self.parts.verticalScrollBar().sizeHint().width()
        self.parts.setFixedWidth(min(room, self.width() * 9 // 20))
        self._fit_faults()
        for at in range(self._pages.count()):
            page = self._pages.widget(at)
            if isinstance(page, Page):
                page.suit()
