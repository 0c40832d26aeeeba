"""Every field of both file models has a control or a tool: what the engine can express the editor edits."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QWidget,
)

from app.dialogs.switch_controls import (
    ChoiceControl,
    JelliesControl,
    NumberControl,
    NumbersControl,
    TickControl,
)
from editor.draft import OWN_MAP, Draft, Square, format_draft
from editor.edits.figures import first_start
from editor.panels.properties.panel import PropertiesPanel
from editor.scenario.controls import NotesControl, TextControl
from editor.scenario.panel import ScenarioPanel
from editor.selection import Selection
from editor.tools import TOOLS
from editor.tools.base import Tool
from engine.core.files import Part
from engine.fortress.floorplan import FloorPlan
from engine.raid.scenario import Placement, Points, Reinforcement, Scenario, StartFigure
from tests.helpers.bench import Desk
from tests.helpers.plans import drawn

# Walking the models.


def parts_in(kind: Any) -> list[type[Part]]:
    """Return the parts that a field's type can hold."""
    if isinstance(kind, type) and issubclass(kind, Part):
        return [kind]
    return [part for one in typing.get_args(kind) for part in parts_in(one)]


def leaves(model: type[Part], at: str = "") -> Iterator[str]:
    """Yield the path of every field of a model and of the parts in it, `extra` excepted."""
    hints = typing.get_type_hints(model, include_extras=True)
    for name in model.__struct_fields__:
        if name == "extra":
            continue
        path = f"{at}.{name}" if at else name
        inner = [part for part in parts_in(hints[name]) if part is not FloorPlan]
        is_there_or_not = type(None) in typing.get_args(hints[name]) or not inner
        if is_there_or_not:
            yield path
        for part in inner:
            yield from leaves(part, path)


def values_at(part: Any, path: str) -> list[Any]:
    """Return what stands at a path, of every part in a list."""
    found = [part]
    for name in path.split("."):
        found = [getattr(one, name) for one in found if one is not None]
        found = [inner for one in found for inner in _spread(one)]
    return found


def _spread(value: Any) -> tuple[Any, ...]:
    is_list = isinstance(value, tuple) and bool(value) and isinstance(value[0], msgspec.Struct)
    return value if is_list else (value,)


SCENARIO = tuple(leaves(Scenario))
MAP = tuple(leaves(FloorPlan))


# A designer at the desk.


def house() -> Draft:
    """Return a scenario in which every part is there: two entries, placements, points, a start position."""
    plan = drawn(
        "AAAABBBB AAAABBBB AAAABBBB AAAABBBB",
        "door 3,1 E",
        "armored 0,2 W",
        things="tank 6,0; computer 4,3 S",
        entries="0,2 W; 7,1 E",
    )
    scenario = Scenario(
        name="House",
        map=OWN_MAP,
        jellies=2,
        servants=2,
        technicians=1,
        reinforcements=(Reinforcement(from_turn=6, number=3, entry="0,2 W"),),
        placements=(Placement(kind="servant", square=(5, 1)),),
        points=Points(),
    )
    draft = Draft(plan, scenario)
    start = first_start(draft)
    hurt = StartFigure(name="J-1", square=(2, 2), levels={"kick": 1})
    start = msgspec.structs.replace(start, figures=(*start.figures, hurt))
    return draft._replace(scenario=msgspec.structs.replace(scenario, start=start))


class Designer(Desk):
    """A desk with the panels on it, all shown."""

    def __init__(self) -> None:
        super().__init__(house())
        self.panel = ScenarioPanel(self.bench)
        self.properties = PropertiesPanel(self.bench)
        for box in self.panel.page.sections.values():
            box.unfold()
        for widget in (self.panel, self.properties):
            widget.resize(420, 900)
            widget.show()

    def named(self, key: str) -> Tool:
        """Take a tool in hand by its key."""
        return self.take(next(kind for kind in TOOLS if kind.key == key))

    def figure(self, number: int) -> None:
        """Choose a figure of the start position in its list."""
        self.panel.page.form.start_figures.list.setCurrentRow(number)

    def select(self, selection: Selection) -> None:
        """Select something on the map and let the properties follow."""
        self.bench.select(selection)
        self.properties.follow()


def press_up(box: QSpinBox) -> None:
    """Make a number another by its keys."""
    is_top = box.value() >= box.maximum()
    QTest.keyClick(box, Qt.Key.Key_Down if is_top else Qt.Key.Key_Up)


def choose_other(box: QComboBox, value: str = "") -> None:
    """Choose another entry of a combo box by its keys, or the one that stands for a value."""
    goal = box.findData(value) if value else (1 if box.currentIndex() == 0 else 0)
    assert goal >= 0, (value, [box.itemData(at) for at in range(box.count())])
    for _ in range(abs(goal - box.currentIndex())):
        QTest.keyClick(box, Qt.Key.Key_Down if box.currentIndex() < goal else Qt.Key.Key_Up)


def write(box: QWidget, text: str) -> None:
    """Type a text in the place of what is there."""
    assert isinstance(box, QLineEdit | QPlainTextEdit)
    box.selectAll()
    QTest.keyClicks(box, text)


def tick(box: QAbstractButton) -> None:
    """Press a check box by its key."""
    QTest.keyClick(box, Qt.Key.Key_Space)


@pytest.fixture(scope="module")
def desk(qapp: QApplication) -> Iterator[Designer]:
    """Return one desk for all fields: they are many, and a document can be another one at any time."""
    made = Designer()
    yield made
    for widget in (made.panel, made.properties):
        widget.close()
        widget.deleteLater()


Way = Callable[[Designer], None]


def by_control(path: str) -> Way:
    """Return a way that uses the control of a path in the panel."""

    def turn(desk: Designer) -> None:
        control = desk.panel.controls[path]
        match control:
            case NumberControl():
                press_up(control.box)
            case ChoiceControl():
                choose_other(control.box)
            case TickControl():
                tick(control.box)
            case JelliesControl():
                tick(control.boxes[1])
            case NumbersControl():
                press_up(control.boxes[0])
            case TextControl() | NotesControl():
                write(control.box, "Other words")
            case _:
                raise AssertionError(f"no way to turn {path}")

    return turn


def by_row(field: str) -> Way:
    """Return a way that uses a cell of the reinforcements."""

    def turn(desk: Designer) -> None:
        cell = desk.panel.page.form.reinforcements.rows[0][field]
        if isinstance(cell, QComboBox):
            choose_other(cell)
        else:
            press_up(cell)

    return turn


def by_placement(name: str) -> Way:
    """Return a way that uses a field of the first fixed placement."""

    def turn(desk: Designer) -> None:
        control = desk.panel.page.form.placements
        control.list.setCurrentRow(0)
        if name == "kind":
            choose_other(control.part_kind)
        else:
            press_up(control.square.column_box)

    return turn


def by_figure(number: int, act: Callable[[Any], None]) -> Way:
    """Return a way that uses the fields of a figure of the start position, by its place in the list."""

    def turn(desk: Designer) -> None:
        desk.figure(number)
        act(desk.panel.page.form.start_figures)

    return turn


def leave_by_entry(figures: Any) -> None:
    """Let a Terminator stand outside an entry of a certain name."""
    choose_other(figures.place_box, "station")
    choose_other(figures.entry_box, "0,2 W")


def by_tool(key: str, *squares: Square) -> Way:
    """Return a way that drags a tool from one square to the next."""

    def turn(desk: Designer) -> None:
        desk.named(key)
        desk.drag(*squares)

    return turn


def by_door(desk: Designer) -> None:
    """Put a door on another edge of the wall between the rooms."""
    desk.named("door")
    desk.click(desk.on(3, 2, "E"))


def by_armored(desk: Designer) -> None:
    """Make a door an armored one."""
    desk.named("door").choose("armored")
    desk.click(desk.on(3, 1, "E"))


def by_dropoff(desk: Designer) -> None:
    """Draw a drop-off from north to south inside a room."""
    desk.named("dropoff")
    desk.click(desk.on(1, 1, "S"))


def by_computer(desk: Designer) -> None:
    """Put a computer along another wall."""
    desk.named("equipment").choose("computer")
    desk.click(desk.on(7, 3, "E"))


def by_no_sight(desk: Designer) -> None:
    """Part the sight of two rooms."""
    desk.named("sight")
    desk.click((0, 0))
    desk.click((7, 0))


def by_entry_field(act: Callable[[Any], None], number: int = 0) -> Way:
    """Return a way that uses the properties of an entry; an armored door shuts the first one."""

    def turn(desk: Designer) -> None:
        desk.select(Selection(entries=frozenset((number,))))
        act(desk.properties.entries)

    return turn


def by_room_field(act: Callable[[Any], None]) -> Way:
    """Return a way that uses the properties of a room."""

    def turn(desk: Designer) -> None:
        desk.select(Selection(squares=frozenset(((0, 0),))))
        act(desk.properties.rooms)

    return turn


def typed(box: QLineEdit, text: str) -> None:
    """Type a text and press Return."""
    write(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)


def by_letter(desk: Designer) -> None:
    """Tick a letter in the table of the rooms."""
    table = desk.panel.page.form.letters.table
    table.setCurrentCell(0, 1)
    QTest.keyClick(table, Qt.Key.Key_Space)


WAYS: dict[str, Way] = {
    **{path: by_control(path) for path in SCENARIO if path.count(".") < 2},
    "map": lambda desk: choose_other(desk.panel.page.form.map.box),
    **{f"reinforcements.{field}": by_row(field) for field in Reinforcement.__struct_fields__},
    "placements.kind": by_placement("kind"),
    "placements.square": by_placement("square"),
    "start.figures.name": by_figure(4, lambda figures: choose_other(figures.name_box)),
    "start.figures.square": by_figure(3, lambda figures: press_up(figures.square.row_box)),
    "start.figures.place": by_figure(0, lambda figures: choose_other(figures.place_box, "dead")),
    "start.figures.entry": by_figure(0, leave_by_entry),
    "start.figures.is_face_up": by_figure(3, lambda figures: tick(figures.face_up.box)),
    "start.figures.original": by_figure(0, lambda figures: press_up(figures.trained.boxes["kick"])),
    "start.figures.levels": by_figure(5, lambda figures: tick(figures.present.tick)),
    "start.doors": lambda desk: tick(next(iter(desk.panel.page.form.doors.boxes.values()))),
    "start.equipment": lambda desk: tick(next(iter(desk.panel.page.form.equipment.boxes.values()))),
    "map.name": by_control("map.name"),
    "map.notes": by_control("map.notes"),
    "map.grid": by_tool("room", (1, 1), (2, 2)),
    "map.rooms.letter": by_room_field(lambda rooms: typed(rooms.letter, "Q")),
    "map.rooms.name": by_room_field(lambda rooms: typed(rooms.name, "Hall of Mirrors")),
    "map.rooms.level": by_room_field(lambda rooms: typed(rooms.level, "tower")),
    "map.rooms.setup": by_letter,
    "map.edges.x": by_dropoff,
    "map.edges.y": by_door,
    "map.edges.side": by_dropoff,
    "map.edges.kind": by_armored,
    "map.equipment.kind": by_tool("equipment", (1, 1)),
    "map.equipment.x": by_tool("equipment", (1, 1)),
    "map.equipment.y": by_tool("equipment", (1, 1)),
    "map.equipment.side": by_computer,
    "map.entries.name": by_entry_field(lambda entries: typed(entries.name, "Gate")),
    "map.entries.x": by_tool("entry", (2, 0)),
    "map.entries.y": by_tool("entry", (2, 0)),
    "map.entries.enter": by_entry_field(lambda entries: press_up(entries.enter), 1),
    "map.entries.leave": by_entry_field(lambda entries: press_up(entries.leave)),
    "map.entries.side": by_entry_field(lambda entries: QTest.keyClick(entries.side, Qt.Key.Key_Home)),
    "map.no_sight": by_no_sight,
}
LEAVES = (*SCENARIO, *(f"map.{path}" for path in MAP))


def read(draft: Draft, leaf: str) -> list[Any]:
    """Return what a draft says at a leaf."""
    if leaf.startswith("map."):
        return values_at(draft.plan, leaf.removeprefix("map."))
    return values_at(draft.scenario, leaf)


def test_the_walk_finds_every_part() -> None:
    """The walk goes down into the parts of both models; a field added to any of them is found by itself."""
    assert {"turns", "hits.gun", "points", "points.jelly", "start.figures.levels", "map"} <= set(SCENARIO)
    assert {"grid", "rooms.setup", "edges.kind", "entries.leave", "no_sight"} <= set(MAP)
    assert not any("extra" in leaf for leaf in LEAVES if not leaf.startswith("extra_"))

    class Deeper(Part, frozen=True, kw_only=True):
        inner: tuple[Placement, ...] = ()
        new: int = 0

    assert set(leaves(Deeper)) == {"inner.kind", "inner.square", "new"}


@pytest.mark.parametrize("leaf", LEAVES)
def test_every_field_can_be_edited(desk: Designer, leaf: str) -> None:
    """A real control or tool changes the field; the file is modified then, until undo or a save."""
    assert leaf in WAYS, f"the editor has no way to edit {leaf}"
    document = desk.document
    document.replace(house(), Path("house.json"))
    before, first = read(document.draft, leaf), format_draft(document.draft)
    WAYS[leaf](desk)
    QApplication.processEvents()
    assert read(document.draft, leaf) != before, leaf
    assert document.is_modified
    desk.undo_all()
    assert format_draft(document.draft) == first
    assert not document.is_modified
