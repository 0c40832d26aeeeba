"""The page of a scenario: every rule and field in sections that fold, with a search over all."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QWidget,
)

from app import theme
from app.dialogs.switch_controls import NumberControl, NumbersControl, SwitchControl
from app.panels.widgets import Label, column, row
from editor.bench import Bench
from editor.draft import Change, Draft, Square
from editor.edits.figures import first_start, why_not_there
from editor.edits.rooms import with_setup_letter
from editor.edits.scenario import on_map, value_of, with_value
from editor.edits.squares import squares_of
from editor.scenario import fields
from editor.scenario.controls import NotesControl, TextControl, small_button
from editor.scenario.figures import FiguresControl
from editor.scenario.form import Form
from editor.scenario.map_words import MAP_WORDS, show_map_words, turn_map_words
from editor.scenario.picking import Picker
from editor.scenario.places import entry_at, squares_about, squares_of_part
from editor.scenario.reinforcements import ReinforcementsControl
from editor.scenario.rows import Row
from editor.scenario.setup_letters import letters_of
from editor.selection import NOTHING, Selection
from editor.tools.place import PlaceTool
from editor.undo_keys import UndoKeys
from editor.words import sentence
from engine.fortress.thing_names import door_names, equipment_names
from engine.raid import switches

TWO_COLUMNS: Final = 64
"""A panel so many letters wide shows its sections in two columns."""
IDLE: Final = 200
"""Milliseconds after the last stroke on the map until the squares of its rooms are counted again."""
_MERGED: Final = (TextControl, NotesControl, NumberControl, NumbersControl)
_ELSEWHERE: Final = {"map.rooms": fields.SETUP_LETTERS.path}
"""Fields that are fixed at another one: rooms with too few squares for the counters by their letters."""


class ScenarioPage(QWidget):
    """Edits the scenario on the bench; while there is none it stays as it is.

    `controls` are by the path of their field in the scenario ("hits.gun"), those of the map by "map." and
    the map's field. `toolWanted` asks for the tool that puts figures on the map, by its key, `mapWanted`
    for the focus to go to the map, where a square is to be picked.
    """

    toolWanted = Signal(str)
    reduceWanted = Signal()
    mapWanted = Signal()

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bench = bench
        self.document = bench.document
        self.form = Form()
        self.controls = self.form.controls
        self.sections = self.form.sections
        self.picker = Picker(bench, self)
        self._refused: set[str] = set()
        self._is_wide: bool | None = None  # not laid out yet
        self._is_behind = False  # whether the document has gone on while it had no scenario
        self._keys = UndoKeys(self.document, self)
        self._idle = QTimer(self)
        self._idle.setSingleShot(True)
        self._idle.setInterval(IDLE)
        self._idle.timeout.connect(self._count_squares)
        self._lay_out()
        self._connect()
        self._follow_path()
        self._show_all()

    # Making.

    def _lay_out(self) -> None:
        self.search = QLineEdit()
        self.search.setPlaceholderText("Find a rule: turns, 6.2, points …")
        self.search.setAccessibleName("Find a rule")
        self.search.setClearButtonEnabled(True)
        self.fold_button = small_button("Fold all", "Fold all sections, or unfold them")
        self.forces = Label("", "small", is_soft=True)
        self.not_found = Label("No rule and no field is called so.", is_soft=True)
        self.not_found.hide()
        inner = QWidget()
        self._columns = (column(spacing=0), column(spacing=0))
        self._lines = QHBoxLayout(inner)
        self._lines.setContentsMargins(0, 0, 0, theme.SPACE)
        for one in self._columns:
            one.addStretch(1)
            self._lines.addLayout(one, 1)
        self._place_sections(is_wide=False)
        self.area = QScrollArea()
        self.area.setWidget(inner)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        top = row(self.search, self.fold_button)
        top.setStretch(0, 1)
        head = column(top, self.forces, self.not_found, spacing=theme.SPACE // 2)
        head.setContentsMargins(theme.SPACE, theme.SPACE, theme.SPACE, theme.SPACE // 2)
        layout = column(head, self.area, spacing=0)
        layout.setStretch(1, 1)
        self.setLayout(layout)

    def _connect(self) -> None:
        self.document.changed.connect(self._follow)
        self.document.pathChanged.connect(self._follow_path)
        self.document.replaced.connect(self._clear_refusals)
        self.bench.selectionChanged.connect(self._follow_selection)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus)
        form = self.form
        for one in dict.fromkeys(form.rows.values()):
            one.changed.connect(self._turn)
            one.touched.connect(self._flash)
        self._keys.watch(self.search)
        self.search.textChanged.connect(self._narrow)
        leave = QAction("Find no rule", self.search)
        leave.setShortcut(Qt.Key.Key_Escape)
        leave.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        leave.triggered.connect(self._leave_search)
        self.search.addAction(leave)
        self.fold_button.clicked.connect(self.fold_all)
        form.reduce_button.clicked.connect(self.reduceWanted)
        for button in form.tool_buttons:
            button.clicked.connect(partial(self.toolWanted.emit, PlaceTool.key))
        form.map.refused.connect(partial(self._refuse, "map"))
        form.letters.turned.connect(self._turn_letter)
        form.letters.chosen.connect(self._flash_room)
        form.reinforcements.pickWanted.connect(self._pick_entry)
        self.picker.changed.connect(self._follow_picker)
        for path, figures in (("placements", form.placements), ("start.figures", form.start_figures)):
            figures.refused.connect(partial(self._refuse, path))
            figures.chosen.connect(partial(self._choose_figure, path))
            figures.square.pickWanted.connect(partial(self._pick_square, path))
            self.picker.changed.connect(partial(_show_armed, self.picker, figures))

    @Slot()
    def _leave_search(self) -> None:
        """Show every rule again; without anything to find, go back to the map."""
        if self.search.text():
            self.search.clear()
        else:
            self.mapWanted.emit()

    # Edits.

    @Slot(str)
    def _turn(self, path: str) -> None:
        """Take over what a control says."""
        draft, control = self.document.draft, self.controls[path]
        if draft.scenario is None:
            return
        if path in MAP_WORDS:
            turn_map_words(self.document, path, control.value)
            return
        try:
            made = self._turned(draft, path, control.value)
        except ValueError as error:
            self._refuse(path, switches.fault_of_line(str(error)).message)
            return
        self._refused.discard(path)
        self.form.rows[path].refuse("")
        self.document.apply(self._step(path, made), made, _merge(path, control))

    def _turned(self, draft: Draft, path: str, value: Any) -> Draft:
        """Return the draft with another value of a field; raises ValueError."""
        if path == "map":
            return on_map(draft, value, self.form.map.plan or draft.plan)
        if path == "start" and value is not None and draft.scenario is not None:
            value = draft.scenario.start or first_start(draft)
        return with_value(draft, path, value)

    @Slot(str, str, bool)
    def _turn_letter(self, letter: str, unit: str, is_on: bool) -> None:
        draft = self.document.draft
        name = next((room.name for room in draft.plan.rooms if room.letter == letter), letter)
        made = draft.with_plan(with_setup_letter(draft.plan, letter, unit, is_on))
        self.document.apply(f"{unit} {'in' if is_on else 'not in'} {name}", made)
        self._count_squares()

    @staticmethod
    def _step(path: str, made: Draft) -> str:
        """Return what a step is called in the history."""
        switch = switches.BY_PATH.get(path)
        if switch is None or made.scenario is None:
            return next(one.title for one in fields.FIELDS if one.path == path)
        words = switches.difference_words(switch, made.scenario)
        return words if len(words) <= fields.STEP_LENGTH else switch.title

    def _refuse(self, path: str, reason: str) -> None:
        """Say why a value was not taken, and show again what there is.

        A box in which a number is being typed keeps it until it is left: it may be on its way to another.
        """
        said = sentence(reason.rstrip("."))
        self.bench.say(said)
        control = self.controls[path]
        if not (isinstance(control, NumberControl) and control.box.hasFocus()):
            self._show(path)
        self._refused.add(path)
        self.form.rows[path].refuse(said)

    @Slot()
    def _clear_refusals(self) -> None:
        """Show what there is where something was refused."""
        for path in tuple(self._refused):
            self._show(path)
            self.form.rows[path].refuse("")
        self._refused.clear()

    # Following the document.

    @Slot(object)
    def _follow(self, change: Change) -> None:
        if self.document.draft.scenario is None:
            self._is_behind = True
            return
        if change.squares is None or self._is_behind:
            self._is_behind = False
            self._show_all()
            return
        if "scenario" in change.fields:
            self._show_scenario()
        if change.is_of_map:
            self._show_map(change)

    def _show_all(self) -> None:
        self._show_map(None)
        self._show_scenario()
        self._count_squares()

    def _show_scenario(self) -> None:
        draft, form = self.document.draft, self.form
        scenario = draft.scenario
        if scenario is None:
            return
        form.placements.follow(draft)
        form.start_figures.follow(draft)
        for path in self.controls:
            self._show(path)
        for path, one in form.rows.items():
            if path.startswith("points."):
                self.controls[path].setEnabled(scenario.points is not None)
            if path.startswith("start."):
                one.is_apt = scenario.start is not None
        form.unused.setVisible(scenario.start is not None and bool(scenario.placements))
        form.totals.setText(fields.totals_words(scenario))
        form.totals.setVisible(bool(form.totals.text()))
        form.summarize(scenario)
        self.forces.setText(switches.forces(scenario))
        self._narrow()

    def _show(self, path: str) -> None:
        """Show a field's value unless its control says it already."""
        scenario = self.document.draft.scenario
        if scenario is None or path.startswith("map."):
            return
        value = value_of(scenario, path)
        control = self.controls[path]
        if value is None and path.startswith("start."):
            return  # there is none, and the row is hidden
        # The lines of the lists name rooms too, which may have changed.
        if control.value != value or isinstance(control, FiguresControl):
            control.show_value(value)

    def _show_map(self, change: Change | None) -> None:
        """Follow the map; counting on it waits until the pen rests. None stands for another map."""
        plan, form = self.document.draft.plan, self.form
        fields_changed = None if change is None else change.fields
        if fields_changed is None or fields_changed & {"name", "notes"}:
            show_map_words(plan, form.controls)
        if fields_changed is None or "entries" in fields_changed:
            form.reinforcements.offer_entries([one.name for one in plan.entries])
        if fields_changed is None or "equipment" in fields_changed:
            form.equipment.offer(equipment_names(plan))
        if change is None or change.edges is None or change.edges:
            form.doors.offer(door_names(plan))
        self._idle.start()

    @Slot()
    def _count_squares(self) -> None:
        self._idle.stop()
        if self.document.draft.scenario is not None:
            self.form.letters.show_value(letters_of(self.document.draft.plan))

    @Slot()
    def _follow_path(self) -> None:
        path = self.document.path
        self.form.map.set_folder(None if path is None else path.parent)

    # Selection and squares.

    @Slot()
    def _follow_selection(self) -> None:
        chosen, form = self.bench.selection, self.form
        for control, numbers in (
            (form.placements, chosen.placements),
            (form.start_figures, chosen.figures),
        ):
            if len(numbers) == 1 and control.current not in numbers:
                control.choose(next(iter(numbers)))

    def _choose_figure(self, path: str, number: int) -> None:
        if number < 0:
            self.bench.select(NOTHING)
            return
        chosen = frozenset((number,))
        is_placement = path == "placements"
        self.bench.select(Selection(placements=chosen) if is_placement else Selection(figures=chosen))
        part = self.controls[path].value[number]
        self._flash_squares(squares_of_part(self.document.draft, part))

    @Slot(str)
    def _flash(self, path: str) -> None:
        self._flash_squares(squares_about(self.document.draft, path))

    @Slot(str)
    def _flash_room(self, letter: str) -> None:
        self._flash_squares(frozenset(squares_of(self.document.draft.plan, letter)))

    def _flash_squares(self, squares: frozenset[Square]) -> None:
        if squares:
            self.bench.flashed.emit(squares)

    @Slot("QWidget*", "QWidget*")
    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        """End a run of changes where the focus leaves a box; show on the map what the next one is about."""
        if old is not None and self.isAncestorOf(old):
            self.document.settle()
            self._clear_refusals()
        if new is None or not self.isAncestorOf(new):
            return
        self._keys.watch(new)
        at = self.form.reinforcements.row_of(new)
        if at >= 0:
            part = self.form.reinforcements.value[at]
            self._flash_squares(squares_of_part(self.document.draft, part))
            return
        above = _row_above(new)
        if above is not None and above.controls and not (old is not None and above.isAncestorOf(old)):
            self._flash(
                next((path for path, one in above.controls.items() if one.isAncestorOf(new)), above.path)
            )

    # Picking.

    def _pick_square(self, path: str) -> None:
        control = self.controls[path]
        assert isinstance(control, FiguresControl)
        number = control.current
        if number >= 0:
            self.picker.arm(
                "where the figure starts",
                lambda square: why_not_there(_listing(self.document.draft, path), square, number),
                control.set_square,
            )

    @Slot()
    def _follow_picker(self) -> None:
        if self.picker.is_armed:
            self.mapWanted.emit()

    @Slot(int)
    def _pick_entry(self, number: int) -> None:
        def entry(square: Square) -> str:
            return entry_at(self.document.draft.plan, square)

        self.picker.arm(
            "the entry by which they come",
            lambda square: "" if entry(square) else "no entry is there (6.2)",
            lambda square: self.form.reinforcements.set_entry(number, entry(square)),
        )

    # Looking.

    @Slot()
    def _narrow(self) -> None:
        """Show only what is looked for."""
        words = self.search.text().lower().split()
        found = [box.narrow(words) for box in self.sections.values()]
        self.not_found.setVisible(bool(words) and not any(found))

    @Slot()
    def fold_all(self) -> None:
        """Fold all sections, or unfold them where all are folded."""
        is_open = not any(box.is_open for box in self.sections.values())
        for box in self.sections.values():
            box.unfold(is_open)

    def go_to(self, place: str) -> bool:
        """Show the field at a place of the scenario's file, as problems name it; return whether there is one.

        "reinforcements[2].entry", "start.figures[0].square", "jellies".
        """
        path, _, rest = place.partition("[")
        path = _ELSEWHERE.get(path, path)
        while path and path not in self.controls:
            path = "" if path.startswith("map.") else path.rpartition(".")[0]
        if not path or self.document.draft.scenario is None:
            return False
        self.search.clear()
        line, control = self.form.rows[path], self.controls[path]
        for box in self.sections.values():
            if line in box.rows:
                box.unfold()
        number, _, field = rest.partition("]")
        at = int(number) if number.isdecimal() else -1
        if isinstance(control, FiguresControl) and at >= 0:
            control.choose(at)
        target = control.focus_widget()
        if isinstance(control, ReinforcementsControl) and 0 <= at < len(control.rows):
            cells = control.rows[at]
            target = cells.get(field.strip("."), next(iter(cells.values())))
        self._scroll_to(line)
        target.setFocus()
        return True

    def _scroll_to(self, line: QWidget) -> None:
        QApplication.sendPostedEvents()  # what was folded takes its place first
        top = line.mapTo(self.area.viewport(), QPoint(0, 0)).y()
        if not 0 <= top <= self.area.viewport().height() - line.height():
            bar = self.area.verticalScrollBar()
            bar.setValue(bar.value() + top - theme.size("body") * 4)  # below the head of its section

    # Looks.

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_sections(is_wide=self.width() >= theme.size("body") * TWO_COLUMNS)

    def _place_sections(self, *, is_wide: bool) -> None:
        """Put the sections into one column, or two."""
        if is_wide == self._is_wide:
            return
        self._is_wide = is_wide
        self._lines.setStretch(1, int(is_wide))
        self._lines.setSpacing(theme.SPACE if is_wide else 0)
        half = fields.SECTIONS.index(fields.COMING)
        for at, section in enumerate(fields.SECTIONS):
            box = self.sections[section.title]
            for one in self._columns:
                # Not by takeAt: an item that Python keeps would go on answering for the size of the box.
                one.removeWidget(box)
            one = self._columns[1 if is_wide and at >= half else 0]
            one.insertWidget(one.count() - 1, box)


def _merge(path: str, control: SwitchControl) -> str:
    """Return what a change through a control is one step with; "" for nothing."""
    if isinstance(control, FiguresControl | ReinforcementsControl):
        return f"{path} {control.merge}"
    return path if isinstance(control, _MERGED) else ""


def _show_armed(picker: Picker, figures: FiguresControl) -> None:
    figures.square.pick_button.setChecked(picker.is_armed)
    figures.square.pick_button.setText("Click a square …" if picker.is_armed else "Pick on the map")


def _row_above(widget: QWidget) -> Row | None:
    above: QWidget | None = widget
    while above is not None and not isinstance(above, Row):
        above = above.parentWidget()
    return above


def _listing(draft: Draft, path: str) -> Draft:
    """Return the draft whose figures on the map are those of a list."""
    if path != "placements" or draft.scenario is None:
        return draft
    return draft._replace(scenario=replace(draft.scenario, start=None))
