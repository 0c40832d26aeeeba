"""The scenario panel: one history, refusals, what goes together, following, flashing, picking, finding."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QListWidget,
    QSpinBox,
    QTableWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app import theme
from app.dialogs.switch_controls import JelliesControl, NumberControl, TickControl
from app.panels.widgets import ActionButton
from editor.draft import OWN_MAP, Draft, Square
from editor.edits.figures import first_start
from editor.edits.scenario import value_of
from editor.edits.squares import with_new_room
from editor.scenario import fields
from editor.scenario.controls import ChecksControl, TextControl
from editor.scenario.panel import ScenarioPanel
from editor.scenario.rows import FieldRow
from editor.selection import Selection
from editor.tools.select import Select
from engine.fortress.floorplan import format_floorplan
from engine.raid import switches
from engine.raid.problems import problems
from engine.raid.scenario import Points, Reinforcement, Scenario, StartPosition, load_scenario, plan_of
from tests.helpers.bench import Desk
from tests.helpers.gui import screenshot
from tests.helpers.plans import drawn

UNDO = Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier
PANELS: list[ScenarioPanel] = []  # a shown window is kept until it is closed


def shipped(name: str = "solitaire") -> Draft:
    """Return a shipped scenario with its map kept in its file."""
    scenario = load_scenario(name)
    return Draft(plan_of(scenario), replace(scenario, map=OWN_MAP))


class Office(Desk):
    """A desk with the scenario panel on it, shown and active, every section open."""

    def __init__(self, qtbot: QtBot, draft: Draft, width: int = 400) -> None:
        super().__init__(draft)
        self.flashed: list[frozenset[Square]] = []
        self.bench.flashed.connect(self.flashed.append)
        self.panel = ScenarioPanel(self.bench)
        PANELS.append(self.panel)
        qtbot.addWidget(self.panel)
        self.panel.resize(width, 700)
        for box in self.panel.page.sections.values():
            box.unfold()
        with qtbot.waitActive(self.panel):
            self.panel.show()
            self.panel.activateWindow()

    @property
    def scenario(self) -> Scenario:
        """The scenario as it is shown."""
        scenario = self.document.draft.scenario
        assert scenario is not None
        return scenario

    def number(self, path: str) -> NumberControl:
        """Return the control of a number, with the focus in it."""
        control = self.panel.controls[path]
        assert isinstance(control, NumberControl)
        control.box.setFocus()
        control.box.selectAll()
        return control

    def reason(self, path: str) -> str:
        """Return why a field's value was not taken, as it is shown below it."""
        label = self.panel.page.form.rows[path].reason
        return "" if label.isHidden() else label.text()


@pytest.fixture(autouse=True)
def _no_windows_left() -> Iterator[None]:
    yield
    PANELS.clear()


# One history.


def test_a_number_turned_several_times_is_one_step_until_it_is_left(qtbot: QtBot) -> None:
    """A run in one box is a step; the next box, and the same box come back to, begin another."""
    office = Office(qtbot, shipped())
    for _ in range(3):
        QTest.keyClick(office.number("servants").box, Qt.Key.Key_Up)
    assert office.steps == ["Servants: 15"]
    QTest.keyClick(office.number("turns").box, Qt.Key.Key_Down)
    QTest.keyClick(office.number("servants").box, Qt.Key.Key_Up)
    assert office.steps == ["Servants: 15", "Turns: 11", "Servants: 16"]
    office.undo_all()
    assert office.bytes == office.first


def test_undo_shows_at_once_and_acts_on_the_document_wherever_the_focus_is(qtbot: QtBot) -> None:
    """Ctrl+Z in a number or a text takes back the last step, not what was typed in that box."""
    office = Office(qtbot, shipped())
    QTest.keyClick(office.number("servants").box, Qt.Key.Key_Up)
    name = office.panel.controls["name"]
    assert isinstance(name, TextControl)
    name.box.setFocus()
    name.box.setCursorPosition(4)
    QTest.keyClicks(name.box, "xyz")
    assert office.scenario.name == "Solixyztaire"
    assert name.box.cursorPosition() == 7
    QTest.keyClick(name.box, *UNDO)
    assert (office.scenario.name, name.box.text()) == ("Solitaire", "Solitaire")
    QTest.keyClick(name.box, *UNDO)
    assert office.scenario.servants == 12
    assert office.panel.controls["servants"].value == 12
    QTest.keyClick(office.number("servants").box, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert office.panel.controls["servants"].value == 13
    assert name.box.text() == "Solitaire"


def test_the_focus_and_the_place_stay_when_the_document_changes(qtbot: QtBot) -> None:
    """Undo and edits from elsewhere neither take the focus nor scroll the panel away."""
    office = Office(qtbot, shipped())
    office.panel.go_to("reinforcements[0].from_turn")
    QApplication.processEvents()
    box = office.panel.page.form.reinforcements.rows[0]["from_turn"]
    assert box.hasFocus()
    place = office.panel.page.area.verticalScrollBar().value()
    QTest.keyClick(box, Qt.Key.Key_Up)
    office.document.apply("Room", office.document.draft.with_plan(with_new_room(office.plan, [(0, 15)])[0]))
    office.document.undo()
    office.document.undo()
    QApplication.processEvents()
    assert box is office.panel.page.form.reinforcements.rows[0]["from_turn"]
    assert box.hasFocus()
    assert box.value() == 6  # type: ignore[union-attr]
    assert office.panel.page.area.verticalScrollBar().value() == place


# What does not go together.


def test_what_cannot_be_is_refused_with_its_reason(qtbot: QtBot) -> None:
    """More Jellies than there are numbers: the sentence is said, the draft stays, nothing is on the stack."""
    office = Office(qtbot, shipped())
    control = office.number("jellies")
    QTest.keyClicks(control.box, "11")
    # "1" on its way to "11" can be: it was taken and is part of the run.
    assert office.scenario.jellies == 1
    assert "cannot be picked from 10" in office.reason("jellies")
    assert "cannot be picked from 10" in office.said[-1]
    assert control.box.value() == 11  # still being typed
    office.number("turns")
    assert control.box.value() == office.scenario.jellies
    assert office.reason("jellies") == ""


def test_a_number_may_pass_through_one_that_cannot_be(qtbot: QtBot) -> None:
    """Typing 10 over 8 passes 1, fewer than must be taken: the 10 is taken all the same."""
    draft = shipped()
    assert draft.scenario is not None
    office = Office(qtbot, draft._replace(scenario=replace(draft.scenario, required_jellies=(1, 2))))
    QTest.keyClicks(office.number("jellies").box, "1")
    assert office.scenario.jellies == 8
    assert "More than the 1 Jellies" in office.reason("jellies")
    QTest.keyClicks(office.panel.controls["jellies"].focus_widget(), "0")
    assert office.scenario.jellies == 10
    assert office.reason("jellies") == ""


def test_what_can_only_be_meant_goes_along_in_one_step(qtbot: QtBot) -> None:
    """Fewer to pick from gives a smaller force; a Jelly that must be taken is among those to pick from."""
    draft = shipped()
    assert draft.scenario is not None
    office = Office(qtbot, draft._replace(scenario=replace(draft.scenario, jellies=10)))
    pick, take = (office.panel.controls[path] for path in ("jelly_numbers", "required_jellies"))
    assert isinstance(pick, JelliesControl)
    assert isinstance(take, JelliesControl)
    QTest.keyClick(take.boxes[12], Qt.Key.Key_Space)
    assert 12 in office.scenario.required_jellies
    assert 12 in office.scenario.jelly_numbers
    assert pick.boxes[12].isChecked()
    QTest.keyClick(pick.boxes[12], Qt.Key.Key_Space)
    QTest.keyClick(pick.boxes[1], Qt.Key.Key_Space)
    assert not office.scenario.required_jellies
    assert office.scenario.jellies == 9
    assert len(office.steps) == 3
    office.undo_all()
    assert office.bytes == office.first


def test_a_start_position_follows_the_forces(qtbot: QtBot) -> None:
    """A Terminator more waits outside, one fewer is gone: nobody has to correct the list of figures."""
    office = Office(qtbot, shipped("basic"))
    tick = office.panel.controls["start"]
    assert isinstance(tick, TickControl)
    QTest.keyClick(tick.box, Qt.Key.Key_Space)
    assert office.scenario.start is not None
    for key, count in ((Qt.Key.Key_Up, 4), (Qt.Key.Key_Down, 3), (Qt.Key.Key_Down, 2)):
        QTest.keyClick(office.number("terminators").box, key)
        assert office.scenario.start is not None
        assert sum(one.original is not None for one in office.scenario.start.figures) == count
        assert not [one for one in problems(office.document.draft.whole) if one.severity == "error"]
    QTest.keyClick(tick.box, Qt.Key.Key_Space)
    assert office.scenario.start is None


def test_a_scenario_without_any_forces_is_told_not_crashed(qtbot: QtBot) -> None:
    """Every count at its least, no entry, no room: the panel shows it, and the problems name it."""
    office = Office(qtbot, Draft(drawn("..", entries=""), Scenario(name="", map=OWN_MAP)))
    for path in ("jellies", "armed_technicians", "technicians", "servants", "terminators"):
        QTest.keyClicks(office.number(path).box, "0")
    office.panel.page.form.reinforcements.add_row()
    assert office.scenario.reinforcements[0].entry == ""
    office.panel.page.form.placements.add()
    assert "no free square" in office.reason("placements")
    assert any(one.severity == "error" for one in problems(office.document.draft.whole))


def test_a_row_is_removed_by_its_own_button(qtbot: QtBot) -> None:
    """The button in focus goes with its row; nothing asks for a table that is half taken down."""
    office = Office(qtbot, shipped())
    rows = office.panel.page.form.reinforcements
    QTest.keyClick(rows.add_button, Qt.Key.Key_Space)
    for left in (1, 0):
        QApplication.processEvents()  # a row that is new is shown by now
        button = next(
            one
            for one in rows.findChildren(QAbstractButton)
            if one.accessibleName().startswith("Remove row 1")
        )
        button.setFocus()
        QTest.keyClick(button, Qt.Key.Key_Space)
        assert len(rows.rows) == len(office.scenario.reinforcements) == left
    assert rows.add_button.hasFocus()


@pytest.mark.parametrize("seed", range(2))
def test_after_any_run_of_keys_the_panel_says_what_the_draft_says(qtbot: QtBot, seed: int) -> None:
    """Whatever is pressed: controls and draft agree, undo brings the first bytes back, redo the last."""
    rng = random.Random(seed)
    office = Office(qtbot, shipped())
    office.take(Select)
    panel = office.panel
    keys = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_1, Qt.Key.Key_Space)
    kinds = (QAbstractButton, QSpinBox, QComboBox, QListWidget, QTableWidget)
    for _ in range(120):
        boxes = [
            one
            for one in panel.findChildren(QWidget)
            if isinstance(one, kinds) and one.isVisible() and one.isEnabled() and one.accessibleName()
        ]
        box = rng.choice([one for one in boxes if "beside the scenario" not in one.accessibleName()])
        if box in [section.head for section in panel.page.sections.values()] or box is panel.page.fold_button:
            continue
        box.setFocus()
        if isinstance(box, QAbstractButton):
            QTest.keyClick(box, Qt.Key.Key_Space)
        else:
            QTest.keyClick(box, rng.choice(keys))
        if rng.random() < 0.15:
            rng.choice((office.document.undo, office.document.redo))()
        if rng.random() < 0.1:
            office.click((rng.randrange(32), rng.randrange(16)))
        QApplication.processEvents()
    panel.setFocus()
    panel.page.search.setFocus()
    scenario = office.document.draft.scenario
    for path, control in panel.controls.items() if scenario is not None else ():
        assert scenario is not None
        value = None if path.startswith("map.") else value_of(scenario, path)
        if not path.startswith("map.") and (value is not None or not path.startswith("start.")):
            assert control.value == value, path
    office.redo_all()
    last = office.bytes
    office.undo_all()
    assert office.bytes == office.first
    office.redo_all()
    assert office.bytes == last


# A map and a scenario.


def test_a_map_becomes_a_scenario_and_a_scenario_a_map_each_in_one_step(qtbot: QtBot) -> None:
    """The button makes the Basic scenario of a bare map; what is kept of a scenario is its map."""
    office = Office(qtbot, Draft(shipped().plan))
    QTest.keyClick(office.panel.bare.make_button, Qt.Key.Key_Space)
    assert office.scenario == Scenario(name="The Citadel", map=OWN_MAP)
    assert office.panel.page.search.isVisible()
    QTest.keyClick(office.panel.page.form.reduce_button, Qt.Key.Key_Space)
    assert office.document.draft.scenario is None
    assert office.panel.bare.isVisible()
    assert office.steps == ["Make a scenario of the map", "Keep only the map"]
    office.document.undo()
    assert office.panel.page.search.isVisible()
    office.document.undo()
    assert office.bytes == office.first


def test_another_map_by_name_and_back(qtbot: QtBot) -> None:
    """A shipped map is only named in the file; drawn on, it is kept there; undo brings back one's own."""
    office = Office(qtbot, Draft(drawn("AABB", "door 1,0 E"), Scenario(name="House", map=OWN_MAP)))
    box = office.panel.page.form.map.box
    box.setCurrentIndex(box.findData("citadel"))
    assert office.scenario.map == "citadel"
    assert office.plan == plan_of(load_scenario("basic"))
    assert b'"grid"' not in office.bytes
    office.document.apply("Room", office.document.draft.with_plan(with_new_room(office.plan, [(0, 15)])[0]))
    assert box.currentData() == OWN_MAP
    office.document.undo()
    assert box.currentData() == "citadel"
    office.document.undo()
    assert office.bytes == office.first
    assert box.currentData() == OWN_MAP


def test_a_map_beside_the_scenario(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A map in the scenario's folder is named as seen from there; without a folder it is said what to do."""
    office = Office(qtbot, Draft(drawn("AABB", "door 1,0 E"), Scenario(name="House", map=OWN_MAP)))
    office.panel.page.form.map.ask()
    assert "Save the scenario first" in office.reason("map")
    (tmp_path / "maps").mkdir()
    other = tmp_path / "maps" / "hut.json"
    other.write_bytes(format_floorplan(drawn("AAA")))
    office.document.mark_saved(tmp_path / "house.json")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: ("", ""))
    office.panel.page.form.map.ask()
    assert office.steps == []  # a dialog that is left changes nothing
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(other), ""))
    office.panel.page.form.map.ask()
    assert (office.scenario.map, office.plan) == ("maps/hut.json", drawn("AAA"))
    other.write_bytes(b"{}")
    office.panel.page.form.map.ask()
    assert office.reason("map").startswith("Hut.json: ")
    assert office.plan == drawn("AAA")
    assert len(office.steps) == 1


# On the map.


def test_what_one_turns_to_is_shown_on_the_map(qtbot: QtBot) -> None:
    """A force, a reinforcement, a placement and a room of the table flash their squares."""
    office = Office(qtbot, shipped())
    office.number("servants")
    quarters = {(x, y) for x in range(5) for y in range(5)}
    assert quarters <= office.flashed[-1]
    office.panel.page.form.reinforcements.rows[0]["number"].setFocus()
    front = next(one for one in office.plan.entries if one.name == "Front Door")
    assert office.flashed[-1] == {(front.x, front.y)}
    office.panel.page.form.placements.list.setCurrentRow(2)
    assert office.flashed[-1] == {(30, 1)}
    assert office.bench.selection.placements == {2}
    office.panel.page.form.letters.table.setCurrentCell(0, 1)
    assert office.flashed[-1] == quarters
    before = len(office.flashed)
    row = office.panel.page.form.rows["points.equipment"]
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=row.rect().bottomRight())
    assert len(office.flashed) > before


def test_a_figure_selected_on_the_map_is_chosen_in_the_list(qtbot: QtBot) -> None:
    """List and map always agree on the one figure."""
    office = Office(qtbot, shipped())
    office.bench.select(Selection(placements=frozenset((1,))))
    placements = office.panel.page.form.placements
    assert placements.current == 1
    assert placements.part_kind.currentData() == "clonemaster"


def test_a_click_on_the_map_fills_an_armed_picker(qtbot: QtBot) -> None:
    """The square is taken, or refused with the reason and still waited for; then the tool is back in hand."""
    office = Office(qtbot, shipped())
    select = office.take(Select)
    placements = office.panel.page.form.placements
    placements.list.setCurrentRow(0)
    QTest.keyClick(placements.square.pick_button, Qt.Key.Key_Space)
    assert placements.square.pick_button.isChecked()
    office.click((29, 1))
    assert office.said[-1] == "CloneMaster is there already (4.6)."
    office.click((2, 2))
    assert office.scenario.placements[0].square == (2, 2)
    assert placements.square.value == (2, 2)
    qtbot.waitUntil(lambda: office.bench.tool is select)
    assert not placements.square.pick_button.isChecked()
    assert office.steps == ["Figures with a fixed place"]


def test_a_picker_is_left_by_escape_and_by_another_tool(qtbot: QtBot) -> None:
    """Nothing changes, and the tool that was taken stays in hand."""
    office = Office(qtbot, shipped())
    select = office.take(Select)
    rows = office.panel.page.form.reinforcements
    for _ in range(2):
        QTest.keyClick(rows.pick_buttons[0], Qt.Key.Key_Space)
        tool = office.bench.tool
        assert tool is not None
        assert tool.cancel()
        qtbot.waitUntil(lambda: office.bench.tool is select)
    QTest.keyClick(rows.pick_buttons[0], Qt.Key.Key_Space)
    other = office.take(type(next(iter([select]))))
    assert office.bench.tool is other
    QApplication.processEvents()
    assert office.bench.tool is other
    assert not office.panel.page.picker.is_armed
    assert office.steps == []
    QTest.keyClick(rows.pick_buttons[0], Qt.Key.Key_Space)
    office.click((5, 5))
    assert office.said[-1] == "No entry is there (6.2)."
    entry = office.plan.entries[1]
    office.click((entry.x, entry.y))
    assert office.scenario.reinforcements[0].entry == entry.name


def test_the_map_is_followed(qtbot: QtBot) -> None:
    """Entries, doors and equipment of the map are on offer as they are drawn; what is gone stays named."""
    office = Office(qtbot, shipped())
    form = office.panel.page.form
    entries = tuple(
        replace(one, name="Gate") if one.name == "Front Door" else one for one in office.plan.entries
    )
    plan = replace(office.plan, entries=entries, equipment=office.plan.equipment[1:])
    office.document.apply("Rename", office.document.draft.with_plan(plan))
    box = form.reinforcements.rows[0]["entry"]
    assert box.findData("Gate") >= 0  # type: ignore[union-attr]
    assert box.currentData() == "Front Door"  # type: ignore[union-attr]
    assert len(form.equipment.boxes) == len(plan.equipment)
    office.document.undo()
    assert len(form.equipment.boxes) == len(office.plan.equipment)


# Reading and finding.


def test_doors_are_offered_by_the_names_the_game_gives_them(qtbot: QtBot) -> None:
    """A file that writes an edge from its other side offers the door that a start position can name."""
    plan = drawn("AAAA AAAA BBBB BBBB", "armored 2,2 N", "armored 0,1 W", entries="0,1 W")
    office = Office(qtbot, Draft(plan, Scenario(name="s", map=OWN_MAP, start=StartPosition())))
    doors = office.panel.controls["start.doors"]
    assert isinstance(doors, ChecksControl)
    assert list(doors.boxes) == ["door 2,1 S", "door 0,1 W"]
    for box in doors.boxes.values():
        box.click()
    assert not [one for one in problems(office.document.draft.whole) if one.place.startswith("start.doors")]


def test_totals_of_the_reinforcements() -> None:
    """The foot of the table says how many come each turn, all rows together, within the game's length."""
    rows = (
        Reinforcement(from_turn=2, to_turn=4, number=3, entry="a"),
        Reinforcement(from_turn=4, number=1, entry="b"),
        Reinforcement(from_turn=90, number=9, entry="b"),
    )
    scenario = Scenario(name="", turns=6, reinforcements=rows)
    assert fields.totals_words(scenario) == "Turns 2–3: 3 each; turn 4: 4; turns 5–6: 1 each. In all 12."
    assert fields.totals_words(replace(scenario, reinforcements=rows[2:])) == "Nobody comes."
    assert fields.totals_words(replace(scenario, reinforcements=())) == ""


def test_every_switch_and_field_is_explained_with_its_rule(qtbot: QtBot) -> None:
    """Every control is there once, in a section, with a sentence; all but plain words have links to rules."""
    office = Office(qtbot, shipped())
    form = office.panel.page.form
    assert set(form.controls) == {one.path for one in switches.SWITCHES} | {one.path for one in fields.FIELDS}
    placed = [row for box in form.sections.values() for row in box.rows]
    plain = {"name", "notes", "map.name", "map.notes"}
    for path, row in form.rows.items():
        assert placed.count(row) == 1, path
        assert path in plain or 'href="rule:' in " ".join(one.text() for one in row.findChildren(QLabel)), (
            path
        )
        if isinstance(row, FieldRow):
            assert row.sentence.text(), path
        else:
            assert form.controls[path].toolTip(), path


def test_esc_finds_every_rule_again(qtbot: QtBot) -> None:
    """Esc clears what is looked for; once more it goes back to the map."""
    page = Office(qtbot, shipped()).panel.page
    page.search.setFocus()
    QTest.keyClicks(page.search, "dragons")
    assert page.not_found.isVisible()
    gone: list[int] = []
    page.mapWanted.connect(lambda: gone.append(1))
    QTest.keyClick(page.search, Qt.Key.Key_Escape)
    assert page.search.text() == ""
    assert not page.not_found.isVisible()
    assert gone == []
    QTest.keyClick(page.search, Qt.Key.Key_Escape)
    assert gone == [1]


def test_the_buttons_of_a_reinforcements_row_stand_in_one_line(qtbot: QtBot) -> None:
    """Pick on the map and Remove are of one height, at one height."""
    rows = Office(qtbot, shipped("basic")).panel.page.form.reinforcements
    if not rows.rows:
        rows.add_row()
    QApplication.processEvents()
    pick = rows.pick_buttons[0]
    remove = next(one for one in rows.findChildren(ActionButton) if one.text() == "Remove")
    assert pick.sizeHint().height() == remove.sizeHint().height()


def test_a_rule_is_found_by_words_and_by_number(qtbot: QtBot) -> None:
    """The search shows rows in which all words stand, opens their sections, and says when there are none."""
    office = Office(qtbot, shipped())
    panel = office.panel.page
    panel.fold_all()
    assert not any(box.is_open for box in panel.sections.values())
    QTest.keyClicks(panel.search, "5.4 gun")
    shown = [row.title for box in panel.sections.values() for row in box.rows if row.isVisible()]
    assert shown == ["A gun hits up to"]
    head = panel.sections["Dice"].head
    assert "open" in head.accessibleName()
    QTest.keyClick(head, Qt.Key.Key_Space)
    QTest.keyClick(head, Qt.Key.Key_Space)
    assert not panel.sections["Dice"].body.isVisible()
    panel.search.setText("jelly")
    assert panel.form.rows["jellies"].isVisible()
    panel.search.setText("doors")
    assert panel.form.rows["hits.door"].isVisible()
    panel.search.setText("dragons")
    assert panel.not_found.isVisible()
    panel.search.clear()
    assert not panel.not_found.isVisible()
    assert not any(box.is_open or box.body.isVisible() for box in panel.sections.values())


def test_a_problem_leads_to_its_field(qtbot: QtBot) -> None:
    """A place as problems name it opens its section and gives the field the focus."""
    draft = shipped()
    assert draft.scenario is not None
    draft = draft._replace(scenario=replace(draft.scenario, start=first_start(draft)))
    office = Office(qtbot, draft)
    panel = office.panel.page
    panel.fold_all()
    for place, widget in (
        ("jellies", panel.controls["jellies"].focus_widget()),
        ("reinforcements[0].entry", panel.form.reinforcements.rows[0]["entry"]),
        ("placements[1].square", panel.form.placements.list),
        ("start.figures[2].levels.fist", panel.form.start_figures.list),
        ("start.turn", panel.controls["start.turn"].focus_widget()),
    ):
        assert panel.go_to(place), place
        QApplication.processEvents()
        assert widget.hasFocus(), place
        assert widget.visibleRegion().boundingRect().isValid(), place
    assert panel.form.placements.current == 1
    assert panel.form.start_figures.current == 2
    assert panel.go_to("map.rooms")  # what too few squares for the counters are told of
    assert panel.form.letters.table.hasFocus()
    assert not panel.go_to("map.equipment[2]")
    assert not panel.go_to("nowhere[3]")


def test_points_are_out_of_reach_without_a_score(qtbot: QtBot) -> None:
    """Without points their numbers cannot be turned; with them they can, and begin as printed (6.3)."""
    office = Office(qtbot, shipped("basic"))
    control = office.panel.controls["points.jelly"]
    assert not control.isEnabled()
    tick = office.panel.controls["points"]
    assert isinstance(tick, TickControl)
    QTest.keyClick(tick.box, Qt.Key.Key_Space)
    assert office.scenario.points == Points()
    assert control.isEnabled()


def test_every_control_has_a_name_and_tab_reaches_it(qtbot: QtBot) -> None:
    """What takes the focus says what it is; Tab goes through the panel from its top to its end."""
    office = Office(qtbot, shipped())
    seen: list[QWidget] = []
    office.panel.page.search.setFocus()
    for _ in range(400):
        widget = QApplication.focusWidget()
        if widget is None or widget in seen[:-1]:
            break
        if widget not in seen:  # a name with several links is gone through link by link
            seen.append(widget)
        QTest.keyClick(widget, Qt.Key.Key_Tab)
    for widget in seen:
        is_label = isinstance(widget, QLabel) and "href" in widget.text()
        assert widget.accessibleName() or is_label or isinstance(widget, QAbstractButton), widget
    heads = [box.head for box in office.panel.page.sections.values()]
    assert [one for one in seen if one in heads] == heads
    boxes = [office.panel.controls[path].focus_widget() for path in ("name", "jellies", "turns", "hits.gun")]
    assert [one for one in seen if one in boxes] == boxes


@pytest.mark.parametrize(
    ("mode", "width", "scale"), [("contrast", 360, 1.0), ("dark", 360, 1.5), ("light", 1100, 1.0)]
)
def test_nothing_is_cut_off(qtbot: QtBot, tmp_path: Path, mode: str, width: int, scale: float) -> None:
    """In a narrow dock, a wide page and with large text no row is cut off or lies over another."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme.apply(app, mode, scale)
    try:
        draft = shipped()
        assert draft.scenario is not None
        draft = draft._replace(scenario=replace(draft.scenario, start=first_start(draft)))
        office = Office(qtbot, draft, width)
        office.panel.page.form.start_figures.choose(0)
        office.panel.page.form.placements.choose(0)
        area = office.panel.page.area

        def is_whole() -> None:
            inner = area.widget()
            assert inner is not None
            assert inner.width() <= area.viewport().width()
            for box in office.panel.page.sections.values():
                shown = [row for row in box.rows if row.isVisible()]
                for above, below in pairwise(shown):
                    assert above.geometry().bottom() < below.geometry().top()
                for row in shown:
                    assert row.height() >= row.heightForWidth(row.width()), row.title

        qtbot.waitUntil(is_whole, timeout=3000)
        office.panel.resize(width, 4200 if width < 1000 else 2200)
        QApplication.processEvents()
        file = screenshot(office.panel, f"scenario-{mode}-{width}-{round(scale * 100)}", tmp_path)
        assert not QImage(str(file)).isNull()
    finally:
        theme.apply(app, "light", 1.0)
