"""A new game: choosing a scenario, turning its rules, keeping one's own, and who sits where (6, 7)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QScrollArea,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app import scenarios
from app.dialogs.change_rules import ChangeRulesDialog
from app.dialogs.name_scenario import NameScenarioDialog
from app.dialogs.new_game import NewGameDialog, seats_for
from app.dialogs.switch_controls import ChoiceControl, JelliesControl, NumberControl, RowsControl, TickControl
from app.help.topics import find_rule
from app.settings import SettingsStore
from app.trash import TRASH
from engine.core.files import BadFile, Part
from engine.core.record import format_record, load_record
from engine.fortress.floorplan import FloorPlan
from engine.raid import switches
from engine.raid.match import RaidMatch
from engine.raid.notation import format_game
from engine.raid.problems import check_playable
from engine.raid.scenario import (
    Points,
    Reinforcement,
    Scenario,
    format_scenario,
    load_scenario,
    parse_scenario,
    shipped,
)
from tests.helpers.gui import Driver, hot_seat_match, open_window, screenshot, small_scenario
from tests.helpers.panels import in_every_look, settle

SHIPPED = len(shipped())


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the scenarios of a test to itself."""
    monkeypatch.setenv("KUNGFU2100_DATA", str(tmp_path / "data"))


@pytest.fixture
def store(tmp_path: Path) -> SettingsStore:
    """Return settings kept in the test's own folder."""
    return SettingsStore(tmp_path / "settings.json")


@pytest.fixture
def dialog(qtbot: QtBot, store: SettingsStore) -> NewGameDialog:
    """Return the shown dialog."""
    made = NewGameDialog(store)
    qtbot.addWidget(made)
    made.show()
    settle()
    return made


@pytest.fixture
def rules(qtbot: QtBot) -> ChangeRulesDialog:
    """Return the shown switches of the Basic scenario."""
    made = ChangeRulesDialog(load_scenario("basic"))
    qtbot.addWidget(made)
    made.show()
    settle()
    return made


def has_focus(widget: QWidget) -> bool:
    """Return whether a control, or a part of it, has the focus."""
    focus = QApplication.focusWidget()
    return focus is not None and widget.isAncestorOf(focus)


def is_marked(rules: ChangeRulesDialog, path: str) -> bool:
    """Return whether a switch is shown as turned."""
    return rules.rows[path].is_marked


def coming(rules: ChangeRulesDialog) -> tuple[Reinforcement, ...]:
    """Return the reinforcements as they are turned."""
    return rules.scenario.reinforcements


def turn(rules: ChangeRulesDialog, path: str, value: int) -> None:
    """Turn a spin box as a player does, by typing a number."""
    control = rules.rows[path].control
    assert isinstance(control, NumberControl)
    control.box.selectAll()
    QTest.keyClicks(control.box, str(value))


# The table of switches


def _parts_of(type_: object) -> list[type[Part]]:
    """Return the file parts that a field's type names, itself or within."""
    if isinstance(type_, type) and issubclass(type_, Part):
        return [type_]
    return [part for inner in get_args(type_) for part in _parts_of(inner)]


def _leaves() -> set[str]:
    """Return the path of every value of a scenario that is not for an editor, lists as `list[].field`."""
    found: set[str] = set()
    for field in msgspec.structs.fields(Scenario):
        if field.name in (*switches.DRAWN_FIELDS, "extra"):
            continue
        parts = [part for part in _parts_of(field.type) if part is not FloorPlan]
        is_list = "tuple" in str(field.type) and bool(parts)
        if not parts or type(None) in get_args(field.type) or is_list:
            found.add(field.name)
        for part in parts:
            within = [one.name for one in msgspec.structs.fields(part) if one.name != "extra"]
            found |= {f"{field.name}{'[]' if is_list else ''}.{name}" for name in within}
    return found


def _turned_paths() -> set[str]:
    """Return the path of every value that has a control."""
    found: set[str] = set()
    for switch in switches.SWITCHES:
        found.add(switch.path)
        if isinstance(switch.control, switches.Rows):
            found |= {f"{switch.path}[].{column.field}" for column in switch.control.columns}
    return found


def test_every_field_of_a_scenario_is_a_switch_or_drawn() -> None:
    """6, 7: whatever a scenario can say has a control, but for the named few that an editor draws."""
    leaves = _leaves()
    assert {"turns", "hits.gun", "points", "points.jelly", "reinforcements[].entry"} <= leaves
    assert leaves - _turned_paths() == set()
    assert _turned_paths() - leaves == set()


def test_every_switch_names_its_rules_and_says_what_it_does() -> None:
    """Each has a sentence, one of the pages, and rules that the help explains; no two have one name."""
    for switch in switches.SWITCHES:
        assert switch.rules, switch.path
        assert [rule for rule in switch.rules if find_rule(rule) is None] == [], switch.path
        assert switch.sentence.endswith("."), switch.path
        assert switch.part in switches.PARTS
    assert len({switch.title for switch in switches.SWITCHES}) == len(switches.SWITCHES)


def test_every_control_covers_what_a_file_may_say() -> None:
    """A number's range is the file's own, so that no legal scenario is changed by being shown."""
    schema = json.loads(
        Path(__file__).parents[2].joinpath("resources/schema/scenario.json").read_text(encoding="utf-8")
    )
    parts = schema["$defs"]
    for switch in switches.SWITCHES:
        outer, _, inner = switch.path.partition(".")
        owner = {"escape": "Escape", "points": "Points", "allowances": "Allowances", "hits": "HitNumbers"}
        fields = parts[owner[outer]]["properties"] if inner and outer in owner else schema["properties"]
        said = fields.get(inner or outer, {})
        if isinstance(switch.control, switches.Number) and "maximum" in said:
            most = 12 if switch.path == "jellies" else said["maximum"]  # there are twelve (7.3)
            assert (switch.control.least, switch.control.most) == (said["minimum"], most), switch.path


# Turning


def test_each_switch_can_be_turned_and_reset(rules: ChangeRulesDialog) -> None:
    """Each control changes its value and nothing else, is marked then, and goes back by its button."""
    base = load_scenario("basic")
    for path in (switch.path for switch in switches.SWITCHES):
        if path.startswith("points.") and base.points is None:
            rules.rows["points"].control.focus_widget().click()  # type: ignore[attr-defined]
            base = rules.scenario
        row = rules.rows[path]
        before = switches.value_of(base, path)
        assert not is_marked(rules, path), path
        match row.control:
            case NumberControl():
                row.control.box.setValue(before + (1 if before < row.control.box.maximum() else -1))
            case ChoiceControl():
                row.control.box.setCurrentIndex(1 - row.control.box.currentIndex())
            case TickControl():
                row.control.box.click()
            case JelliesControl():
                row.control.boxes[1 if path == "required_jellies" else 12].click()
            case RowsControl():
                row.control.add_button.click()
            case _:
                row.control.boxes[0].setValue(6)  # type: ignore[attr-defined]
        assert is_marked(rules, path), path
        after = switches.differences(base, rules.scenario)
        assert [switch.path for switch in after] == [path]
        row.reset_button.click()
        assert not is_marked(rules, path), path
        assert switches.differences(base, rules.scenario) == [], path


def test_turning_a_switch_moves_no_other(rules: ChangeRulesDialog) -> None:
    """The line that says what was changed has its place, so that the next control stays under the mouse."""
    lines = [rules.rows[path] for path in ("turns", "terminators") if rules.rows[path].isVisible()]
    every = [line for line in rules.rows.values() if line.isVisible()]
    before = [line.geometry() for line in every]
    assert lines
    for line in lines:
        turn(rules, line.switch.path, 2)
    settle()
    assert all(line.is_marked for line in lines)
    assert [line.geometry() for line in every] == before


def test_what_does_not_go_together_is_told_and_kept_from_starting(rules: ChangeRulesDialog) -> None:
    """Eleven Jellies out of ten numbers: the error stands there in words, and the button explains itself."""
    turn(rules, "jellies", 11)
    assert rules.faults[0].is_error
    assert rules.fault_list.item(0).text() == "✖ Error – Jellies: 11 cannot be picked from 10 (6.1)"
    assert rules.use_button.is_barred
    rules.use_button.click()
    assert rules.isVisible()
    assert has_focus(rules.rows["jellies"].control)
    turn(rules, "jellies", 10)
    assert rules.faults == []
    assert not rules.use_button.is_barred


def test_a_full_fortress_is_an_error_at_once(rules: ChangeRulesDialog) -> None:
    """6.3: one counter to a room leaves some without a place; the engine's check speaks while one types."""
    turn(rules, "room_limit", 1)
    assert rules.faults
    assert rules.faults[0].is_error
    assert rules.use_button.is_barred


def test_a_fault_leads_to_its_switch(rules: ChangeRulesDialog) -> None:
    """Enter on a line of what is wrong opens the page and puts the focus on the control."""
    turn(rules, "jellies", 12)
    rules.parts.setCurrentRow(0)
    rules.fault_list.setCurrentRow(0)
    rules.fault_list.itemActivated.emit(rules.fault_list.item(0))
    assert rules.parts.currentItem().text().startswith("CloneMaster's counters")
    assert has_focus(rules.rows["jellies"].control)


def test_the_forces_follow_the_switches(rules: ChangeRulesDialog) -> None:
    """One line says who fights whom, as it stands."""
    summary = next(one for one in rules.findChildren(QLabel) if one.accessibleName() == "The forces")
    assert summary.text().startswith("3 Terminators with 7 levels each")
    turn(rules, "terminators", 1)
    turn(rules, "levels", 8)
    assert summary.text().startswith("1 Terminator with 8 levels against")
    rules.reset_button.click()
    assert summary.text().startswith("3 Terminators with 7 levels each")
    assert rules.changed_paths == []


def test_reinforcements_are_added_and_removed_by_row(rules: ChangeRulesDialog) -> None:
    """6.2: a new row is the printed one; its fields are typed; Remove takes it out."""
    control = rules.rows["reinforcements"].control
    assert isinstance(control, RowsControl)
    control.add_button.click()
    assert coming(rules) == (Reinforcement(from_turn=6, number=3, entry="Front Door"),)
    control.add_button.click()
    until = control.rows[1]["to_turn"]
    assert isinstance(until, QSpinBox)
    assert until.text() == "the last"
    until.setValue(8)
    kind = control.rows[1]["kind"]
    assert isinstance(kind, QComboBox)
    kind.setCurrentIndex(kind.findData("servant"))
    second = Reinforcement(from_turn=6, to_turn=8, kind="servant", number=3, entry="Front Door")
    assert coming(rules)[1:] == (second,)
    control.remove_row(0)
    assert [row.kind for row in coming(rules)] == ["servant"]
    control.remove_row(0)
    assert not rules.rows["reinforcements"].is_marked


def test_points_can_be_turned_only_where_there_are_points(rules: ChangeRulesDialog) -> None:
    """6.3: without scoring their numbers are greyed; with it they begin as printed."""
    assert not rules.rows["points.jelly"].control.isEnabled()
    rules.rows["points"].control.focus_widget().click()  # type: ignore[attr-defined]
    assert rules.rows["points.jelly"].control.isEnabled()
    assert rules.scenario.points == Points()
    turn(rules, "points.jelly", 3)
    assert rules.scenario.points == Points(jelly=3)
    rules.rows["points"].control.focus_widget().click()  # type: ignore[attr-defined]
    assert rules.scenario.points is None


def test_opening_the_switches_changes_nothing(qtbot: QtBot) -> None:
    """Every shipped scenario comes out of the dialog as it went in."""
    for name in shipped():
        scenario = load_scenario(name)
        dialog = ChangeRulesDialog(scenario)
        qtbot.addWidget(dialog)
        for path, row in dialog.rows.items():
            same = switches.is_same(row.switch, row.control.value, switches.value_of(scenario, path))
            assert same, (name, path)
        assert dialog.scenario == scenario
        assert dialog.faults == [], name


# Choosing


def test_the_turned_scenario_is_the_one_that_is_played(qtbot: QtBot, tmp_path: Path) -> None:
    """7.1, 7.2: two Terminators of eight levels and one turn, chosen by keys; the game is just that."""
    window = open_window(qtbot, tmp_path)
    window.new_game()
    dialog = window.findChild(NewGameDialog)
    assert dialog is not None
    dialog.seat_boxes["clonemaster"].setCurrentIndex(dialog.seat_boxes["clonemaster"].findData("random"))
    qtbot.waitUntil(dialog.isActiveWindow)
    QTest.keyClick(dialog, Qt.Key.Key_R, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: dialog.findChild(ChangeRulesDialog) is not None)
    rules = dialog.findChild(ChangeRulesDialog)
    assert rules is not None
    qtbot.waitUntil(rules.isActiveWindow)
    turn(rules, "terminators", 2)
    turn(rules, "levels", 8)
    turn(rules, "turns", 1)
    QTest.keyClick(rules, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: dialog.chooser.is_changed)
    dialog.start_button.click()
    session = window.session
    assert session is not None
    assert (session.scenario.terminators, session.scenario.levels, session.scenario.turns) == (2, 8, 1)
    assert session.scenario.name == "Basic, changed"
    view = session.view
    assert view is not None
    assert view.last_turn == 1
    assert sum(figure.kind == "terminator" for figure in view.figures) == 2
    driver = Driver(qtbot, window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    driver.wait()
    while session.decision is not None and session.decision.kind == "set-up-terminator":
        driver.step()
        driver.wait()
    assert session.view is not None
    trained = [one.original or {} for one in session.view.figures if one.kind == "terminator"]
    assert [sum(levels.values()) for levels in trained] == [8, 8]
    driver.play()
    assert session.is_over
    window.leave_game()


def test_a_fortress_with_additions_is_played_to_the_end(qtbot: QtBot, tmp_path: Path) -> None:
    """7.4: two at one screen add a door and a computer by clicks, set up, and play on that map."""
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match(scenario=small_scenario(extra_doors=1, extra_computers=1)))
    driver = Driver(qtbot, window)
    session = driver.session
    before = len(session.board.equipment)
    driver.play()
    assert driver.kinds[:3] == ["place-extras"] * 3
    assert session.is_over
    assert len(session.board.equipment) == before + 1
    assert len(session.view.doors) == 3
    window.leave_game()


def test_another_scenario_keeps_its_own_rules(dialog: NewGameDialog) -> None:
    """What is turned for one scenario is neither carried to another nor lost when one looks there."""
    chooser = dialog.chooser
    chooser.turn(switches.turned(load_scenario("basic"), {"turns": 12}))
    assert dialog.scenario.turns == 12
    chooser.keep("Mine", "")
    assert not chooser.is_changed
    assert dialog.scenario.turns == 12
    chooser.choose("basic")
    assert dialog.scenario == load_scenario("basic")
    chooser.turn(switches.turned(load_scenario("basic"), {"turns": 8}))
    chooser.choose("own:mine.json")
    assert dialog.scenario.turns == 12
    chooser.choose("basic")
    assert dialog.scenario.turns == 8
    chooser.unchanged_button.click()
    assert dialog.scenario == load_scenario("basic")


# One's own


def test_a_turned_scenario_is_saved_and_found_again(qtbot: QtBot, store: SettingsStore) -> None:
    """Name and notes are asked for; another start lists it, chosen as it was saved."""
    first = NewGameDialog(store)
    qtbot.addWidget(first)
    first.chooser.turn(switches.turned(load_scenario("basic"), {"terminators": 2, "hits.gun": 4}))
    first.chooser.save_button.click()
    asked = first.findChild(NameScenarioDialog)
    assert asked is not None
    asked.title_box.setText("Two against guns")
    asked.notes_box.setPlainText("House rule.\nSharp eyes.")
    asked.save_button.click()
    assert first.scenario.name == "Two against guns"
    second = NewGameDialog(store)
    qtbot.addWidget(second)
    assert second.chooser.choose("own:two-against-guns.json")
    assert second.scenario.terminators == 2
    assert second.scenario.hits.gun == 4
    assert second.scenario.notes == "House rule.\nSharp eyes."
    assert "Sharp eyes." in second.chooser._notes.text()


def test_own_scenarios_are_renamed_and_deleted_with_a_way_back(dialog: NewGameDialog) -> None:
    """Delete moves the file to the trash, Undo brings it back; renaming takes the file along."""
    chooser = dialog.chooser
    chooser.keep("First", "")
    chooser.rename_to("Second")
    assert chooser.kept.title == "Second"
    assert [path.name for path in scenarios.folder().glob("*.json")] == ["second.json"]
    chooser.delete_button.click()
    assert chooser.list.count() == SHIPPED
    assert (scenarios.folder() / TRASH / "second.json").exists()
    chooser.undo_button.click()
    assert chooser.kept.title == "Second"
    assert chooser.list.count() == SHIPPED + 1


def test_saving_over_a_name_loses_nothing(dialog: NewGameDialog) -> None:
    """The older scenario of that name goes to the trash, and the question says so."""
    chooser = dialog.chooser
    chooser.keep("Mine", "old")
    chooser.keep("Mine", "new")
    assert dialog.scenario.notes == "new"
    old = parse_scenario((scenarios.folder() / TRASH / "mine.json").read_bytes())
    assert old.notes == "old"
    asked = NameScenarioDialog("Save", "Save", "Mine", "")
    assert "goes to the trash" in asked._note.text()
    asked.deleteLater()


def test_the_replaced_scenario_comes_back(dialog: NewGameDialog) -> None:
    """Undo after saving over a title brings the old scenario back; once more, and the new one is there."""
    chooser = dialog.chooser
    chooser.keep("Mine", "old")
    assert chooser.undo_button.isHidden()
    chooser.keep("Mine", "new")
    for notes in ("old", "new", "old"):
        chooser.undo_button.click()
        assert dialog.scenario.notes == notes
        assert [one.title for one in scenarios.listed() if one.path is not None] == ["Mine"]


def test_titles_alike_are_titles_apart(dialog: NewGameDialog) -> None:
    """“Raid A+B” does not take the place of “Raid A/B”, though a file can be called neither."""
    chooser = dialog.chooser
    chooser.keep("Raid A/B", "slash")
    asked = NameScenarioDialog("Save", "Save", "Raid A+B", "")
    assert asked._note.text() == ""
    asked.deleteLater()
    chooser.keep("Raid A+B", "plus")
    own = {one.title: one.scenario.notes for one in scenarios.listed() if one.path and one.scenario}
    assert own == {"Raid A/B": "slash", "Raid A+B": "plus"}
    chooser.rename_to("Raid A-B")
    assert scenarios.titles().keys() == {"Raid A/B", "Raid A-B"}
    chooser.rename_to("Raid A/B")
    assert "already" in chooser._notice.text()
    assert scenarios.titles().keys() == {"Raid A/B", "Raid A-B"}


def test_a_scenario_that_cannot_be_written_leaves_the_old_one(
    dialog: NewGameDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk while saving over a title, or renaming: the old scenario stays, nothing else is left."""
    chooser = dialog.chooser
    chooser.keep("Mine", "old")
    before = sorted(scenarios.folder().rglob("*"))

    def full(path: Path, raw: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(scenarios, "write_atomic", full)
    chooser.keep("Mine", "new")
    assert "No space left" in chooser._notice.text()
    chooser.rename_to("Yours")
    assert "No space left" in chooser._notice.text()
    assert sorted(scenarios.folder().rglob("*")) == before
    chooser.refresh()
    assert dialog.scenario.notes == "old"


def test_shipped_scenarios_are_nobodys_to_change(dialog: NewGameDialog) -> None:
    """Neither rename nor delete is offered, nor do their keys do anything."""
    chooser = dialog.chooser
    chooser.choose("basic")
    assert chooser.rename_button.isHidden()
    assert chooser.delete_button.isHidden()
    chooser.list.setFocus()
    QTest.keyClick(chooser.list, Qt.Key.Key_Delete)
    QTest.keyClick(chooser.list, Qt.Key.Key_F2)
    assert chooser.list.count() == SHIPPED
    assert dialog.findChild(NameScenarioDialog) is None


def test_a_spoilt_file_is_listed_with_its_first_fault(qtbot: QtBot, store: SettingsStore) -> None:
    """It can be chosen and deleted, not played: Start says why."""
    scenarios.folder().mkdir(parents=True)
    (scenarios.folder() / "bad.json").write_text(
        '{"format": "kungfu2100.scenario", "version": 1, "name": "Bad", "turns": 0}', encoding="utf-8"
    )
    dialog = NewGameDialog(store)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.chooser.choose("own:bad.json")
    assert "turns: 0 is below 1" in dialog.chooser._problem.text()
    assert dialog.start_button.is_barred
    dialog.start_button.click()
    assert dialog.isVisible()
    assert "turns" in dialog._why.text()
    assert dialog.chooser.delete_button.isEnabled()
    dialog.chooser.delete_button.click()
    assert dialog.chooser.list.count() == SHIPPED


def test_an_unplayable_scenario_can_be_mended_by_its_switches(qtbot: QtBot, store: SettingsStore) -> None:
    """6.3: a file with too few places for its counters is told, and plays once it is turned."""
    crowded = switches.turned(load_scenario("basic"), {"room_limit": 1})
    with pytest.raises(BadFile):
        check_playable(crowded)
    scenarios.save(msgspec.structs.replace(crowded, name="Crowd"))
    dialog = NewGameDialog(store)
    qtbot.addWidget(dialog)
    dialog.chooser.choose("own:crowd.json")
    assert dialog.start_button.is_barred
    base = dialog.chooser.kept.scenario
    assert base is not None
    dialog.chooser.turn(switches.turned(base, {"room_limit": 3}))
    assert not dialog.start_button.is_barred


def test_an_exported_scenario_needs_no_other_file(dialog: NewGameDialog, tmp_path: Path) -> None:
    """Its map is within; importing it keeps it beside another of the name, and it can be played."""
    chooser = dialog.chooser
    chooser.turn(switches.turned(load_scenario("basic"), {"turns": 4}))
    chooser.keep("Short", "")
    file = tmp_path / "short.json"
    chooser.export_to(file)
    sent = parse_scenario(file.read_bytes())
    assert isinstance(sent.map, FloorPlan)
    chooser.import_from(file)
    assert (chooser.kept.key, chooser.kept.title) == ("own:short-2.json", "Short 2")
    assert dialog.scenario == msgspec.structs.replace(sent, name="Short 2")
    RaidMatch.new(dialog.scenario, "1", seats=dialog.seats)


def test_a_bad_file_is_not_imported_and_says_why(dialog: NewGameDialog, tmp_path: Path) -> None:
    """The first fault stands there with its place in words; nothing is kept."""
    file = tmp_path / "bad.json"
    file.write_text(
        '{"format": "kungfu2100.scenario", "version": 1, "name": "Bad", "jellies": 11}', encoding="utf-8"
    )
    dialog.chooser.import_from(file)
    assert "11 cannot be picked from 10" in dialog.chooser._notice.text()
    assert dialog.chooser.list.count() == SHIPPED


def test_every_fault_of_a_bad_file_is_told(dialog: NewGameDialog, tmp_path: Path) -> None:
    """A file with many faults tells all of them at once, so that it can be mended in one go."""
    document = json.loads(format_scenario(load_scenario("advanced")))
    document |= {"turns": "ten", "jellies": -1, "servants": None}
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    dialog.chooser.import_from(file)
    assert "It has 3 faults" in dialog.chooser._notice.text()
    assert dialog.chooser.more.isVisible()
    assert len(dialog.chooser.more.toPlainText().splitlines()) == 3
    dialog.chooser.import_from(tmp_path / "none.json")
    assert not dialog.chooser.more.isVisible()


def test_an_imported_file_tells_what_is_not_known(dialog: NewGameDialog, tmp_path: Path) -> None:
    """A mistyped name is told with its place; the scenario is kept with it."""
    document = json.loads(format_scenario(load_scenario("basic")))
    file = tmp_path / "typo.json"
    file.write_text(json.dumps(document | {"turnz": 12}), encoding="utf-8")
    dialog.chooser.import_from(file)
    assert "is now one of yours" in dialog.chooser._notice.text()
    assert dialog.chooser.more.toPlainText() == "turnz: an unknown field; is turns meant?"
    assert dialog.scenario.extra == (("turnz", 12),)


@pytest.mark.parametrize("form", ["record", "notation"])
def test_a_saved_game_is_no_scenario(dialog: NewGameDialog, tmp_path: Path, form: str) -> None:
    """Importing a game where scenarios are imported says where games are opened."""
    record = load_record(Path(__file__).parents[1] / "records" / "random.json")
    file = tmp_path / "game"
    file.write_bytes(format_record(record) if form == "record" else format_game(record).encode())
    dialog.chooser.import_from(file)
    assert "not imported. This is a saved game; open it under Saved games" in dialog.chooser._notice.text()


# Seats


def test_no_side_is_offered_a_bot_that_cannot_play_it() -> None:
    """Every bot that there is is offered to somebody; one of a single side to that side alone."""
    from engine.bots import BOTS, ONLY_SIDE

    offered = {side: [seat for seat, _ in seats_for(side)] for side in ("terminator", "clonemaster")}
    assert {seat for seats in offered.values() for seat in seats} == {"human", *BOTS}
    for bot, side in ONLY_SIDE.items():
        for other, seats in offered.items():
            assert (bot in seats) == (other == side)


def test_a_solitaire_scenario_suggests_its_seats(dialog: NewGameDialog) -> None:
    """6.3: nobody knows the counters, so a person attacks and the printed lines defend; then back."""
    dialog.chooser.choose("solitaire")
    assert dialog.seats == {"terminator": "human", "clonemaster": "solitaire"}
    dialog.swap_button.click()
    assert dialog.seats == {"terminator": "rulebook", "clonemaster": "human"}
    dialog.chooser.choose("basic")
    dialog.chooser.choose("solitaire")
    assert dialog.seats == {"terminator": "human", "clonemaster": "solitaire"}
    dialog.chooser.choose("basic")
    assert dialog.seats == {"terminator": "human", "clonemaster": "rulebook"}


def test_changing_sides_twice_gives_back_what_was_there(dialog: NewGameDialog) -> None:
    """A bot that cannot play the other side is said to be stood in for, and comes back."""
    dialog.chooser.choose("solitaire")
    before = dialog.seats
    dialog.swap_button.click()
    assert "Solitaire rules cannot play the Terminators" in dialog._note.text()
    dialog.swap_button.click()
    assert dialog.seats == before
    assert "cannot play" not in dialog._note.text()


def test_a_bot_chosen_since_the_sides_changed_stays(dialog: NewGameDialog) -> None:
    """Who is stood in for is forgotten when the player chooses another for that side."""
    dialog.chooser.choose("solitaire")
    dialog.swap_button.click()
    box = dialog.seat_boxes["terminator"]
    box.setCurrentIndex(box.findData("random"))
    dialog.swap_button.click()
    assert dialog.seats == {"terminator": "human", "clonemaster": "random"}


def test_the_remembered_scenario_follows_a_rename(qtbot: QtBot, store: SettingsStore) -> None:
    """A dealt scenario that was played and then renamed is the one shown next time, with its seats."""
    first = NewGameDialog(store)
    qtbot.addWidget(first)
    first.chooser.choose("solitaire")
    first.chooser.keep("Mine", "")
    first.accept()
    second = NewGameDialog(store)
    qtbot.addWidget(second)
    second.chooser.rename_to("Renamed")
    second.reject()
    third = NewGameDialog(SettingsStore(store.path))
    qtbot.addWidget(third)
    assert third.chooser.kept.title == "Renamed"
    assert third.seats["clonemaster"] == "solitaire"


def test_the_seats_fit_the_scenario_shown_where_the_last_is_gone(qtbot: QtBot, store: SettingsStore) -> None:
    """6.3: the printed lines are for dealt counters; Basic in place of a lost scenario has the usual bot."""
    store.set(scenario="own:gone.json", terminator_seat="human", clonemaster_seat="solitaire")
    dialog = NewGameDialog(store)
    qtbot.addWidget(dialog)
    assert dialog.chooser.kept.key == "basic"
    assert dialog.seats == {"terminator": "human", "clonemaster": "rulebook"}


def test_a_prisoner_breaks_out(dialog: NewGameDialog) -> None:
    """6.3: a Terminator who starts inside does not break in, and a CloneMaster face up needs no release."""
    assert dialog.side_texts["terminator"].text().startswith("attack: break in")
    dialog.seat_boxes["clonemaster"].setCurrentIndex(dialog.seat_boxes["clonemaster"].findData("human"))
    assert "starts face down" in dialog._note.text()
    dialog.chooser.choose("solitaire-two-players")
    assert dialog.side_texts["terminator"].text().startswith("break out")
    assert "starts face down" not in dialog._note.text()


def test_what_a_file_says_is_shown_as_it_stands(dialog: NewGameDialog) -> None:
    """Names and notes are no markup: marks and quotes come out as typed."""
    dialog.chooser.keep("Bob's <b>best</b> & last", "It's <i>hard</i>\nby night")
    for label, text in (
        (dialog.chooser._title, "Bob's <b>best</b> & last"),
        (dialog.chooser._notes, "It's <i>hard</i>\nby night"),
    ):
        assert label.text() == text
        assert label.textFormat() == Qt.TextFormat.PlainText


def test_the_last_choices_are_remembered(qtbot: QtBot, store: SettingsStore) -> None:
    """Scenario, seats and names come back; a scenario that is gone gives way to the first."""
    first = NewGameDialog(store)
    qtbot.addWidget(first)
    first.chooser.keep("Mine", "")
    first.seat_boxes["terminator"].setCurrentIndex(first.seat_boxes["terminator"].findData("random"))
    first.seat_boxes["clonemaster"].setCurrentIndex(0)
    first.name_boxes["clonemaster"].setText("Bob")
    first.accept()
    second = NewGameDialog(SettingsStore(store.path))
    qtbot.addWidget(second)
    assert second.chooser.kept.title == "Mine"
    assert second.seats == {"terminator": "random", "clonemaster": "human"}
    assert second.names == {"clonemaster": "Bob"}
    second.chooser.delete()
    third = NewGameDialog(SettingsStore(store.path))
    qtbot.addWidget(third)
    assert third.scenario == load_scenario("basic")


# Looks


def test_everything_can_be_reached_and_has_a_name(
    qtbot: QtBot, dialog: NewGameDialog, rules: ChangeRulesDialog
) -> None:
    """A screen reader finds a name on each control of both dialogs."""
    named = QComboBox | QLineEdit | QAbstractButton | QAbstractSpinBox | QListWidget
    control = rules.rows["reinforcements"].control
    assert isinstance(control, RowsControl)
    control.add_row()
    for widget in (*dialog.findChildren(QWidget), *rules.findChildren(QWidget)):
        if not isinstance(widget, named) or widget.objectName().startswith("qt_"):
            continue
        if isinstance(widget.parent(), QComboBox | QAbstractSpinBox):
            continue  # Qt's own parts inside a control
        text = widget.text() if isinstance(widget, QAbstractButton) else ""
        assert widget.accessibleName() or text, widget


def test_it_draws_in_every_look(
    qtbot: QtBot, qapp: QApplication, dialog: NewGameDialog, rules: ChangeRulesDialog, tmp_path: Path
) -> None:
    """Light, dark and contrast, 80 to 250 %: both fit 1280x720, and no page scrolls sideways."""
    turn(rules, "jellies", 12)

    def check(look: str, image: QImage) -> None:
        screenshot(dialog, f"new-game-{look}", tmp_path)
        for at in range(rules.parts.count()):
            rules.parts.setCurrentRow(at)
            settle()
            screenshot(rules, f"rules-{look}-{at}", tmp_path)
            page = rules._pages.currentWidget()
            assert isinstance(page, QScrollArea)
            assert page.horizontalScrollBar().maximum() == 0, (look, at)
        for widget in (dialog, rules):
            assert widget.width() <= 1280, look
            assert widget.height() <= 720, look

    in_every_look(qapp, rules, check)
