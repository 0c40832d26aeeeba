"""The editor's window: modes, menus, keys, panels, what is kept for the user."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app import theme
from app.dialogs.ask import NumberQuestion
from app.help.topics import find_title
from editor.actions import RESERVED, Actions
from editor.dialogs.choose import ChoiceDialog
from editor.dialogs.find_action import FindActionDialog, ranked
from editor.dialogs.notice import Notice
from editor.dialogs.resize import ResizeDialog
from editor.dialogs.shortcuts import ShortcutsDialog
from editor.document import Document
from editor.draft import Draft, format_draft
from editor.edits.squares import paint, squares_of, with_new_room
from editor.selection import NOTHING, Selection
from editor.settings import EditorSettings
from editor.templates import empty, small_house, templates
from editor.window import EditorWindow, Mode
from engine.fortress.floorplan import ROCK
from engine.raid.scenario import Scenario, load_scenario, plan_of
from tests.helpers.canvas import square_point
from tests.helpers.editor import click, drag, open_editor, press
from tests.helpers.plans import drawn

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key
MODES: tuple[Mode, ...] = ("map", "scenario")


@pytest.fixture
def house(qtbot: QtBot, tmp_path: Path) -> EditorWindow:
    """Show the editor with the small house."""
    return open_editor(qtbot, tmp_path, Draft(small_house()))


def citadel() -> Draft:
    """Return the shipped Basic scenario on the citadel."""
    scenario = load_scenario("basic")
    return Draft(plan_of(scenario), scenario)


# Modes and tools


def test_a_mode_offers_only_its_tools(house: EditorWindow) -> None:
    """In map mode no tool of the scenario can be taken by key or button, and the other way round."""
    offered: set[str] = set()
    for mode in MODES:
        house.set_mode(mode)
        offered = {tool.key for tool in house.tools_of(house.mode)}
        for tool in house.tools:
            is_there = tool.key in offered
            assert house.named_actions[f"tool-{tool.key}"].isEnabled() is is_there, (mode, tool.key)
            assert house.toolbox.buttons[tool.key].isHidden() is not is_there, (mode, tool.key)
    assert {"room", "door"} & offered == set()
    assert {"place", "select"} <= offered


def test_changing_the_mode_returns_to_select(house: EditorWindow) -> None:
    """The door tool is put away when scenario mode comes."""
    press(house, Key.Key_D)
    assert house.bench.tool is not None
    assert house.bench.tool.key == "door"
    press(house, Key.Key_2, CTRL)
    modes = [str(house.mode)]
    assert house.bench.tool.key == "select"
    press(house, Key.Key_1, CTRL)
    assert [*modes, house.mode] == ["scenario", "map"]


def test_another_document_returns_to_select(house: EditorWindow) -> None:
    """A tool of the scenario does not stay in hand when a bare map is opened."""
    house.set_mode("scenario")
    house.bench.take(next(tool for tool in house.tools if tool.key == "place"))
    house.document.replace(Draft(empty()), None)
    assert house.bench.tool is not None
    assert house.bench.tool.key == "select"


def test_a_tools_key_again_goes_on_to_its_next_option(house: EditorWindow) -> None:
    """D takes the door, D once more the armored one."""
    press(house, Key.Key_D)
    press(house, Key.Key_D)
    assert house.bench.tool is not None
    assert house.bench.tool.option == "armored"


def test_esc_cancels_then_deselects_then_takes_select(house: EditorWindow) -> None:
    """One press for each of the three."""
    press(house, Key.Key_R)
    before = house.document.draft
    house.bench.select(Selection(squares=frozenset({(0, 0)})))
    view = house.canvas.viewport()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=square_point(house.canvas, (1, 1)))
    QTest.mouseMove(view, square_point(house.canvas, (3, 3)))
    assert house.document.draft != before
    press(house, Key.Key_Escape)
    assert house.document.draft == before
    assert house.bench.selection != NOTHING
    press(house, Key.Key_Escape)
    assert house.bench.selection == NOTHING
    assert house.bench.tool is not None
    assert house.bench.tool.key == "room"
    press(house, Key.Key_Escape)
    assert house.bench.tool.key == "select"
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=square_point(house.canvas, (3, 3)))
    assert house.document.draft == before
    assert house.document.stack.count() == 0


# Keys


def test_no_two_actions_have_one_key(house: EditorWindow) -> None:
    """Qt would let neither act; and no action has a key of the canvas itself."""
    given = Counter(
        key.toString()
        for known in house.named_actions
        for key in known.action.shortcuts()
        if not key.isEmpty()
    )
    assert [key for key, count in given.items() if count > 1] == []
    assert set(given) & {QKeySequence(key).toString() for key in RESERVED} == set()
    for known in house.named_actions:
        assert QKeySequence(known.key) == known.action.shortcut(), known.name


def test_every_action_stands_in_a_menu(house: EditorWindow) -> None:
    """Whoever knows no key finds everything in the menus."""
    found: set[str] = set()
    for menu in house.menuBar().findChildren(QMenu):
        found |= {action.objectName() for action in menu.actions()}
    assert {known.name for known in house.named_actions} - found == set()


def test_letters_are_typed_where_text_is(house: EditorWindow) -> None:
    """A room called "Door Xerox" does not take the door tool and erase: letters act only on the canvas."""
    click(house, (5, 3))
    house.properties.follow()
    field = house.properties.rooms.name
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "Bdxv")
    assert house.bench.tool is not None
    assert house.bench.tool.key == "select"
    press(house, Key.Key_Return)
    assert house.document.draft.plan.room_at(5, 3).name == "Bdxv"  # type: ignore[union-attr]
    assert QApplication.focusWidget() is house.canvas
    press(house, Key.Key_D)
    assert house.bench.tool.key == "door"


def test_own_keys_are_refused_where_they_clash(house: EditorWindow) -> None:
    """A key that another action has, a letter that would act while a name is typed, a key of the canvas."""
    commands = house.named_actions
    assert "File > Save" in commands.set_key("open", "Ctrl+S")
    assert "single letter" in commands.set_key("open", "Q")
    assert "map itself" in commands.set_key("tool-door", "5")
    assert commands.key_of("open") == "Ctrl+O"
    assert commands.set_key("open", "Ctrl+Alt+O") == ""
    assert commands.set_key("tool-door", "Q") == ""
    assert commands.own_keys() == {"open": "Ctrl+Alt+O", "tool-door": "Q"}
    commands.reset()
    assert commands.own_keys() == {}


def test_own_keys_are_kept_and_work_the_next_time(qtbot: QtBot, tmp_path: Path) -> None:
    """What the shortcuts' dialog changes acts at once and after the next start."""
    window = open_editor(qtbot, tmp_path)
    window.help_menu.shortcuts()
    dialog = window.findChild(ShortcutsDialog)
    assert dialog is not None
    dialog.search.setText("door")
    item = dialog.tree.topLevelItem(0)
    assert item is not None
    dialog.tree.setCurrentItem(item)
    dialog.key_box.setKeySequence(QKeySequence("R"))
    dialog.key_box.editingFinished.emit()
    assert "Tools > Room" in dialog.reason.text()
    assert item.text(1) == "D"
    dialog.key_box.setKeySequence(QKeySequence("Q"))
    dialog.key_box.editingFinished.emit()
    assert dialog.reason.text() == ""
    dialog.accept()
    again = open_editor(qtbot, tmp_path)
    press(again, Key.Key_Q)
    assert again.bench.tool is not None
    assert again.bench.tool.key == "door"
    assert again.toolbox.buttons["door"].key_label == "Q"


def test_what_is_said_of_keys_follows_own_keys(house: EditorWindow) -> None:
    """Panels, hints and messages name the key that an action has now, and its place where it has none."""
    for name, key in (("tool-room", "Y"), ("tool-select", "Q"), ("tool-level", ""), ("keep-1", "Ctrl+Alt+K")):
        assert house.named_actions.set_key(name, key) == ""
    house.on_keys()
    house.checker.check_now()
    house.rooms.follow()
    house.properties.follow()
    said = {tool.key: tool.hint for tool in house.tools}
    assert "(Y)" in house.rooms.empty.text()
    assert "(Q)" in house.properties.empty.text()
    assert "(Tools > Level)" in said["dropoff"]
    assert "Ctrl+Alt+K" in said["stamp"]
    assert "F5" in house.problems.empty.text()
    assert house.named_actions.set_key("playtest", "F7") == ""
    house.on_keys()
    assert "F7" in house.problems.empty.text()


def test_a_kept_key_that_clashes_now_leaves_the_built_in_one(qtbot: QtBot) -> None:
    """A file of kept keys from another version never takes a key from an action for good."""
    window, canvas = QWidget(), QLineEdit()
    qtbot.addWidget(window)
    qtbot.addWidget(canvas)
    commands = Actions(window, canvas, {"b": "Ctrl+A", "c": "7", "gone": "Ctrl+G"})
    for name, key in (("a", "Ctrl+A"), ("b", "Ctrl+B"), ("c", "Ctrl+C")):
        commands.add(name, name, key, window.close, menu="File")
    assert [commands.key_of(name) for name in "abc"] == ["Ctrl+A", "Ctrl+B", "Ctrl+C"]


def test_an_action_is_found_by_a_few_letters_and_done(house: EditorWindow) -> None:
    """Ctrl+Shift+P, "mirr all l", Return."""
    press(house, Key.Key_P, CTRL, SHIFT)
    dialog = house.findChild(FindActionDialog)
    assert dialog is not None
    dialog.box.setText("mirr all l")
    before = house.document.draft
    QTest.keyClick(dialog.box, Key.Key_Return)
    assert house.document.draft != before
    assert house.document.stack.undoText() == "Mirror the map left to right"
    assert [known.name for known in ranked(house.named_actions, "save as")] == ["save-as"]


def test_no_action_found_is_said(house: EditorWindow) -> None:
    """A list that stays empty says why, and Enter does nothing."""
    dialog = FindActionDialog(house.named_actions, house)
    dialog.box.setText("teleport")
    assert dialog.list.item(0).text() == "No action here is called “teleport”."
    dialog._on_item()
    assert dialog.chosen is None


def test_the_first_action_that_can_be_done_is_done(house: EditorWindow) -> None:
    """What cannot be done says why, and Return does the first that can."""
    dialog = FindActionDialog(house.named_actions, house)
    dialog.box.setText("left to")
    rows = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert rows[0] == "Edit > Mirror left to right    Ctrl+M    – no square is selected"
    QTest.keyClick(dialog.box, Key.Key_Return)
    assert dialog.chosen is not None
    assert dialog.chosen.name == "symmetry-x"
    dialog.box.setText("undo")
    assert dialog.list.item(0).text().endswith("there is nothing to take back")
    assert all(
        known.action.isEnabled() or house.named_actions.why_barred(known.name)
        for known in house.named_actions
    )


def test_the_float_button_of_a_panel_is_seen_in_the_dark(
    qtbot: QtBot, tmp_path: Path, qapp: QApplication
) -> None:
    """Its dark picture stands on light ground, as that of the close button does."""
    window = open_editor(qtbot, tmp_path, theme="dark")
    button = window.docks["properties"].findChild(QAbstractButton, "qt_dockwidget_floatbutton")
    assert isinstance(button, QAbstractButton)
    image = button.grab().toImage()
    ground = image.pixelColor(image.width() // 2, 3)
    assert ground.lightness() > 120
    theme.apply(qapp, "light")


# Edit and map menus


@pytest.mark.parametrize("name", ["map-mirror-x", "map-mirror-y", "map-turn", "mirror-x", "mirror-y", "turn"])
def test_mirroring_and_turning_can_be_undone(house: EditorWindow, name: str) -> None:
    """Each is one step, and Ctrl+Z gives back the same bytes."""
    before = format_draft(house.document.draft)
    house.bench.select(Selection(squares=frozenset((x, y) for x in range(3) for y in range(2))))
    house.named_actions[name].trigger()
    assert format_draft(house.document.draft) != before or name == "mirror-y"
    count = house.document.stack.count()
    assert count <= 1
    if count:
        press(house, Key.Key_Z, CTRL)
    assert format_draft(house.document.draft) == before


def test_a_selection_is_mirrored_with_what_is_in_it(house: EditorWindow) -> None:
    """The laboratory wing turned left to right has its computer at the other wall."""
    wing = frozenset((x, y) for x in range(8, 12) for y in range(8))
    house.bench.select(Selection(squares=wing))
    press(house, Key.Key_M, CTRL)
    plan = house.document.draft.plan
    computer = next(one for one in plan.equipment if one.kind == "computer")
    assert (computer.x, computer.y, computer.side) == (8, 3, "W")
    assert [room.letter for room in plan.rooms] == [room.letter for room in small_house().rooms]
    assert house.bench.selection.squares == wing


def test_resize_tells_what_would_be_lost_and_undo_brings_it_back(house: EditorWindow) -> None:
    """Four columns less on the right take the computer and the tank with them."""
    before = format_draft(house.document.draft)
    house.map_menu.resize()
    dialog = house.findChild(ResizeDialog)
    assert dialog is not None
    assert not dialog.resize_button.isEnabled()
    dialog.boxes["right"].setValue(-4)
    lost = " ".join(dialog.losses.item(row).text() for row in range(dialog.losses.count()))
    assert "computer" in lost
    assert "tank" in lost
    dialog.accept()
    assert house.document.draft.plan.width == 8
    press(house, Key.Key_Z, CTRL)
    assert format_draft(house.document.draft) == before


def test_resize_takes_the_map_as_it_is_by_then(house: EditorWindow) -> None:
    """What was taken in from the map's file while the dialog stood open is not lost; too much is refused."""
    for sides, name, width in ((3, "Taken in", 15), (-12, "Taken in again", 4)):
        house.map_menu.resize()
        dialog = house.findChildren(ResizeDialog)[-1]
        dialog.boxes["right"].setValue(sides)
        plan = house.document.draft.plan if sides > 0 else empty(4, 4)
        house.document.apply("Take in", Draft(msgspec.structs.replace(plan, name=name)))
        dialog.accept()
        assert (house.document.draft.name, house.document.draft.plan.width) == (name, width)
    (told,) = house.findChildren(Notice)
    assert "keeps its size" in told.windowTitle()


def test_copy_and_paste_by_keys(house: EditorWindow) -> None:
    """Ctrl+C, Ctrl+V, Enter puts the piece down at the cursor as one step."""
    before = format_draft(house.document.draft)
    house.bench.select(Selection(squares=frozenset((x, y) for x in range(4) for y in range(3))))
    house.canvas.set_cursor((5, 4))
    press(house, Key.Key_C, CTRL)
    press(house, Key.Key_V, CTRL)
    click(house, (6, 5))
    assert house.document.stack.count() == 1
    assert format_draft(house.document.draft) != before
    press(house, Key.Key_Z, CTRL)
    assert format_draft(house.document.draft) == before


def test_a_room_is_copied_by_double_click_and_keys(house: EditorWindow) -> None:
    """Double click, Ctrl+C, Ctrl+V: the focus stays on the map, and a copy of the room is in hand."""
    square = next(
        (x, y)
        for y, row in enumerate(house.document.draft.plan.grid)
        for x, one in enumerate(row)
        if one != "."
    )
    QTest.mouseDClick(
        house.canvas.viewport(), Qt.MouseButton.LeftButton, pos=square_point(house.canvas, square)
    )
    assert house.canvas.hasFocus()
    press(house, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    press(house, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert house.bench.tool is not None
    assert house.bench.tool.key == "stamp"


def test_undo_says_what_it_takes_back(house: EditorWindow) -> None:
    """The menu names the step, and an ampersand in a room's name does not become a mnemonic."""
    press(house, Key.Key_B)
    click(house, (0, 0))
    assert house.document.stack.undoText() in house.named_actions["undo"].text()
    assert house.named_actions["undo"].isEnabled()
    assert not house.named_actions["redo"].isEnabled()


def test_nothing_but_edits_marks_the_file_changed(house: EditorWindow) -> None:
    """Selecting, zooming, panels, modes and symmetry leave no star in the title."""
    click(house, (5, 3))
    house.canvas.zoom_by(1.5)
    press(house, Key.Key_F11)
    press(house, Key.Key_F11)
    house.set_mode("scenario")
    house.named_actions["symmetry-x"].trigger()
    assert not house.document.is_modified
    assert not house.isWindowModified()
    assert house.bench.symmetry == "x"


# New drafts


def test_every_template_begins_without_a_file_and_can_be_told_apart() -> None:
    """No template is on a path that a save would write over, and no two have one title."""
    found = templates()
    assert len({one.title for one in found}) == len(found)
    for template in found:
        draft = template.make()
        assert Document(draft).path is None
        assert template.about


def test_the_small_house_can_be_played() -> None:
    """It has no problem at all by the rules of the Basic scenario, but for how many it holds."""
    from engine.raid.problems import map_problems, problems

    assert map_problems(small_house()) == ()
    scenario = Scenario(name="", map=small_house())
    assert [one for one in problems(scenario) if one.severity == "error"] == []


def test_new_asks_for_a_template_and_a_size(house: EditorWindow) -> None:
    """An empty map of 10 by 7 comes without a question, as nothing was changed before."""
    from editor.dialogs.new_draft import NewDraftDialog

    press(house, Key.Key_N, CTRL)
    dialog = house.findChild(NewDraftDialog)
    assert dialog is not None
    dialog.width_box.setValue(10)
    dialog.height_box.setValue(7)
    dialog.accept()
    plan = house.document.draft.plan
    assert (plan.width, plan.height) == (10, 7)
    assert not house.document.is_modified
    assert not house.empty_state.isHidden()


def test_the_empty_state_goes_with_the_first_square(qtbot: QtBot, tmp_path: Path) -> None:
    """It says how to begin, lets the pointer through, and names the keys that are in force."""
    window = open_editor(qtbot, tmp_path)
    assert not window.empty_state.isHidden()
    assert "(R)" in window.empty_state.words.text()
    press(window, Key.Key_R)
    drag(window, (8, 6), (12, 9))
    assert window.empty_state.isHidden()
    assert len(window.document.draft.plan.rooms) == 1


def test_a_room_is_drawn_by_keys_alone_as_the_line_says(qtbot: QtBot, tmp_path: Path) -> None:
    """The first arrow key takes the card away, and the line says that Insert holds the button."""
    window = open_editor(qtbot, tmp_path)
    assert "Insert" not in window.status.words
    press(window, Key.Key_R)
    press(window, Key.Key_Right)
    assert window.empty_state.isHidden()
    assert window.status.words.startswith("Enter: click · Insert: hold the button")
    press(window, Key.Key_Insert)
    press(window, Key.Key_Right)
    press(window, Key.Key_Down)
    press(window, Key.Key_Insert)
    assert len(window.document.draft.plan.rooms) == 1
    window.document.undo()
    assert window.empty_state.isHidden()
    QTest.mouseMove(window.canvas.viewport(), QPoint(200, 200))
    qtbot.waitUntil(lambda: not window.empty_state.isHidden())
    assert "Insert" not in window.status.words


def test_letters_are_the_tools_own_over_rock_too(qtbot: QtBot, tmp_path: Path) -> None:
    """S with Set-up letters in hand never changes the tool, and the line tells at once what a room has."""
    window = open_editor(qtbot, tmp_path)
    press(window, Key.Key_R)
    drag(window, (8, 6), (12, 9))
    press(window, Key.Key_T)
    window.canvas.set_cursor((2, 2))
    press(window, Key.Key_S)
    assert window.bench.tool is not None
    assert window.bench.tool.key == "setup"
    assert window.status.words == "S in hand: Servants. There is no room here."
    window.canvas.set_cursor((9, 7))
    press(window, Key.Key_J)
    qtbot.waitUntil(lambda: "Room 1: J" in window.status.words, timeout=10000)
    assert "Room 1" in window.status.square.text()
    window.document.undo()
    assert "Room 1: nobody" in window.status.words
    window.document.undo()
    assert "rock" in window.status.square.text()


def test_what_was_said_goes_with_the_next_step(qtbot: QtBot, tmp_path: Path) -> None:
    """A line about the last thing done does not stand over the next one for seconds."""
    window = open_editor(qtbot, tmp_path)
    window.bench.say("Copied: 4 × 3")
    QApplication.processEvents()
    assert window.status.words == "Copied: 4 × 3"
    plan, _ = with_new_room(window.document.draft.plan, [(1, 1)])
    window.document.apply("Room", window.document.draft.with_plan(plan))
    assert window.status.words != "Copied: 4 × 3"
    window.bench.say("Said with the step")
    window.document.undo()
    assert window.status.words == "Said with the step"


def test_tools_stay_where_they_are(qtbot: QtBot, tmp_path: Path) -> None:
    """However many options the tool in hand has, no other tool moves under the pointer."""
    window = open_editor(qtbot, tmp_path)
    places = []
    for tool in window.tools_of("map"):
        window.bench.take(tool)
        QApplication.processEvents()
        buttons = window.toolbox.buttons.values()
        places.append([one.mapTo(window, QPoint(0, 0)).y() for one in buttons if one.isVisible()])
    assert all(one == places[0] for one in places)


def test_a_pasted_text_shows_every_fault_with_its_line(house: EditorWindow) -> None:
    """Nothing can be begun while there is one; a click on it goes to the line."""
    from editor.dialogs.paste_text import PasteTextDialog

    house.file_menu.new_from_text()
    dialog = house.findChild(PasteTextDialog)
    assert dialog is not None
    dialog.text.setPlainText("[grid]\nAAB\nAA\n[edges]\ngate 1,0 E\nhello\n")
    dialog.read()
    assert [dialog.faults.item(row).text().partition(":")[0] for row in range(dialog.faults.count())] == [
        "line 6"
    ]
    dialog.text.setPlainText("[grid]\nAAB\nAA\n[edges]\ngate 1,0 E\n")
    dialog.read()
    assert not dialog.begin_button.isEnabled()
    dialog.text.setPlainText("[grid]\nAAB\nAAB\n[edges]\ndoor 1,0 E\ndoor 2,0 W\n")
    dialog.read()
    shown = [dialog.faults.item(row).text() for row in range(dialog.faults.count())]
    assert any("line 6" in line and "line 5" in line for line in shown), shown
    dialog.accept()
    plan = house.document.draft.plan
    assert len(plan.edges) == 1
    assert [room.name for room in plan.rooms] == ["Room A", "Room B"]
    assert house.document.is_modified


# Panels


def test_rows_of_letters_alone_are_a_plan(house: EditorWindow) -> None:
    """[grid] above them is not asked for; faults name lines, and one without a line promises none."""
    from editor.dialogs.paste_text import PasteTextDialog

    dialog = PasteTextDialog(house)
    dialog.text.setPlainText("# my house\nAAB\nAAB\n\n[edges]\ndoor 1,0 E\n")
    dialog.read()
    assert dialog.plan is not None
    assert (dialog.plan.grid, len(dialog.plan.edges)) == (("AAB", "AAB"), 1)
    dialog.text.setPlainText("AAAAA\nAAAAA\nAAAAA\nAAAAAAAA\n")
    dialog.read()
    assert dialog.faults.item(0).text() == "line 4: has 8 squares, line 1 has 5"
    dialog.text.setPlainText("[grid]\n[rooms]\n")
    dialog.read()
    assert dialog.faults.item(0).text() == "there is no row of letters under [grid]"
    assert dialog.verdict.text() == "1 fault."


def test_a_text_that_was_left_is_there_the_next_time(house: EditorWindow) -> None:
    """Esc loses nothing of what was typed; once it has become a map the next one begins anew."""
    from editor.dialogs.paste_text import PasteTextDialog

    def opened() -> PasteTextDialog:
        house.file_menu.new_from_text()
        dialog = house.findChildren(PasteTextDialog)[-1]
        assert isinstance(dialog, PasteTextDialog)
        return dialog

    dialog = opened()
    dialog.text.setPlainText("AAB\nAA")
    dialog.reject()
    dialog = opened()
    assert dialog.text.toPlainText() == "AAB\nAA"
    dialog.text.setPlainText("AAB\nAAB")
    dialog.accept()
    assert opened().text.toPlainText() == ""


def test_a_room_is_renamed_in_place_and_pairs_follow(qtbot: QtBot, tmp_path: Path) -> None:
    """The table's name goes into the pair without sight too, as one step."""
    window = open_editor(qtbot, tmp_path, citadel())
    model = window.rooms.model
    row = next(at for at, room in enumerate(model.rooms) if room.name == "Central")
    assert model.setData(model.index(row, 1), "The Hall")
    plan = window.document.draft.plan
    assert ("The Hall", "Upper Main Corridor") in plan.no_sight
    assert window.document.stack.count() == 1
    assert not model.setData(model.index(row, 1), "Kitchen")
    assert not model.setData(model.index(row, 0), "Q")
    assert window.document.stack.count() == 1


def test_a_name_typed_for_a_room_that_is_gone_changes_nothing(house: EditorWindow) -> None:
    """A cell that is left when its room has just been painted over is told, and makes no step."""
    model, document = house.rooms.model, house.document
    room = document.draft.plan.rooms[0]
    squares = list(squares_of(document.draft.plan, room.letter))
    document.apply("Erase", document.draft.with_plan(paint(document.draft.plan, squares, ROCK)))
    model.rooms = (room,)
    before = document.draft
    for column, text in ((0, "Z"), (1, "Vault"), (2, "upper")):
        assert not model.setData(model.index(0, column), text)
    assert document.draft is before


def test_rooms_are_selected_merged_and_deleted_in_the_table(house: EditorWindow) -> None:
    """Two rows selected are two rooms selected on the map; merged they are one."""
    house.show_panel("rooms")
    table = house.rooms.table
    table.selectRow(0)
    table.selectionModel().select(
        house.rooms.model.index(1, 0),
        table.selectionModel().SelectionFlag.Select | table.selectionModel().SelectionFlag.Rows,
    )
    assert house.rooms.letters == ("S", "K")
    assert len(house.bench.selection.squares) == 20
    QTest.mouseClick(house.rooms.merge_button, Qt.MouseButton.LeftButton)
    assert "K" not in "".join(house.document.draft.plan.grid)
    house.rooms.follow()
    table.selectRow(0)
    table.setFocus()
    QTest.keyClick(table, Key.Key_Delete)
    assert "S" not in "".join(house.document.draft.plan.grid)
    assert house.document.stack.count() == 2


def test_a_pair_without_sight_is_made_and_unmade(house: EditorWindow) -> None:
    """Two rooms selected, one press; the list shows the pair, another press takes it out."""
    house.bench.select(Selection(squares=frozenset({(0, 0), (5, 0)})))
    house.rooms.follow()
    house.show_panel("rooms")
    QTest.mouseClick(house.rooms.pair_button, Qt.MouseButton.LeftButton)
    assert house.document.draft.plan.no_sight == (("Servants' Room", "Hall"),)
    house.rooms.follow()
    assert house.rooms.pairs.count() == 1
    house.rooms.pairs.setCurrentRow(0)
    QTest.mouseClick(house.rooms.restore_button, Qt.MouseButton.LeftButton)
    assert len(house.document.draft.plan.no_sight) == 0


def test_properties_of_several_rooms_at_once(house: EditorWindow) -> None:
    """A level given to two rooms is one step, and a half tick becomes a whole one for both."""
    house.bench.select(Selection(squares=frozenset({(0, 0), (0, 6)})))
    house.properties.follow()
    section = house.properties.rooms
    assert section.name.isHidden()
    assert section.ticks["S"].checkState() == Qt.CheckState.PartiallyChecked
    section.ticks["S"].click()
    plan = house.document.draft.plan
    assert [room.setup for room in plan.rooms if room.letter in "SJ"] == ["S", "SJ"]
    section.level.setFocus()
    section.level.selectAll()
    QTest.keyClicks(section.level, "cellar")
    QTest.keyClick(section.level, Key.Key_Return)
    plan = house.document.draft.plan
    assert [room.level for room in plan.rooms if room.letter in "SJ"] == ["cellar", "cellar"]
    assert house.document.stack.count() == 2


def test_a_refused_name_says_why_and_is_put_back(house: EditorWindow) -> None:
    """Two rooms of one name are refused where they are typed."""
    house.bench.select(Selection(squares=frozenset({(0, 0)})))
    house.properties.follow()
    section = house.properties.rooms
    section.name.setFocus()
    section.name.selectAll()
    QTest.keyClicks(section.name, "Hall")
    QTest.keyClick(section.name, Key.Key_Return)
    assert "another room is called" in section.reason.text().lower()
    assert section.name.text() == "Servants' Room"
    assert house.document.stack.count() == 0


def test_spin_box_edits_are_one_step_until_the_focus_leaves(house: EditorWindow) -> None:
    """Three turns of an entry's rate are one step; a fourth after leaving is another."""
    house.bench.select(Selection(entries=frozenset({0})))
    house.properties.follow()
    rate = house.properties.entries.leave
    rate.setFocus()
    for _ in range(3):
        QTest.keyClick(rate, Key.Key_Up)
    assert house.document.draft.plan.entries[0].leave == 4
    assert house.document.stack.count() == 1
    house.canvas.setFocus()
    rate.setFocus()
    QTest.keyClick(rate, Key.Key_Up)
    assert house.document.stack.count() == 2


def test_an_armored_door_at_an_entry_leaves_no_rate_to_set(house: EditorWindow) -> None:
    """4.11, R10: the field is shut and it is said who may enter; without the door it is open again."""
    plan = drawn("AAB AAB", "armored 0,0 W", "door 1,0 E", entries="0,0 W; 2,1 E")
    house.document.replace(Draft(plan), None)
    section = house.properties.entries
    house.bench.select(Selection(entries=frozenset({0})))
    house.properties.follow()
    assert not section.enter.isEnabled()
    assert section.barred.isVisibleTo(section)
    assert "4.11" in section.barred.text()
    house.bench.select(Selection(entries=frozenset({1})))
    house.properties.follow()
    assert section.enter.isEnabled()
    assert not section.barred.isVisibleTo(section)
    section.enter.setValue(0)
    assert house.document.draft.plan.entries[1].enter == 0
    house.bench.select(Selection(entries=frozenset({0, 1})))
    house.properties.follow()
    assert section.enter.isEnabled()
    assert section.barred.isVisibleTo(section)


def test_an_entry_renamed_takes_the_scenario_with_it(qtbot: QtBot, tmp_path: Path) -> None:
    """Reinforcements come by the entry's new name."""
    from engine.raid.scenario import Reinforcement

    row = Reinforcement(from_turn=2, number=1, entry="Front Door")
    window = open_editor(
        qtbot, tmp_path, Draft(small_house(), Scenario(name="Test", map="", reinforcements=(row,)))
    )
    window.bench.select(Selection(entries=frozenset({0})))
    window.properties.follow()
    name = window.properties.entries.name
    name.setFocus()
    name.selectAll()
    QTest.keyClicks(name, "Main Gate")
    QTest.keyClick(name, Key.Key_Return)
    scenario = window.document.draft.scenario
    assert scenario is not None
    assert scenario.reinforcements[0].entry == "Main Gate"
    assert window.document.stack.count() == 1


def test_equipment_and_edges_are_changed_in_the_properties(house: EditorWindow) -> None:
    """A tank becomes a computer along a wall there is; a door becomes an armored one."""
    tank = next(at for at, one in enumerate(house.document.draft.plan.equipment) if one.kind == "tank")
    house.bench.select(Selection(equipment=frozenset({tank}), edges=frozenset({(3, 1, "E")})))
    house.properties.follow()
    house.properties.equipment.kind.chosen.emit("computer")
    plan = house.document.draft.plan
    assert plan.equipment[tank].kind == "tank", "in the middle of a room no wall is beside it"
    assert not house.properties.equipment.reason.isHidden()
    house.properties.edges.kind.chosen.emit("armored")
    assert house.document.draft.plan.edge_kind(3, 1, "E") == "armored"


def test_the_history_goes_to_any_step(house: EditorWindow) -> None:
    """A click on the first line undoes everything, and the star in the title goes with it."""
    before = format_draft(house.document.draft)
    press(house, Key.Key_B)
    for square in ((0, 0), (5, 5), (9, 1)):
        click(house, square)
    assert house.document.stack.count() == 3
    assert house.isWindowModified()
    house.show_panel("history")
    index = house.history.model().index(0, 0)
    QTest.mouseClick(
        house.history.viewport(), Qt.MouseButton.LeftButton, pos=house.history.visualRect(index).center()
    )
    assert format_draft(house.document.draft) == before
    assert not house.isWindowModified()


def test_the_history_shows_the_step_it_is_at(qtbot: QtBot, house: EditorWindow) -> None:
    """Opened after many steps, and undone far back, the list shows where the draft is."""
    now = house.document.draft
    for number in range(60):
        plan = msgspec.structs.replace(now.plan, name=f"Map {number}")
        house.document.apply(f"Name {number}", now.with_plan(plan))
    house.show_panel("history")
    QApplication.processEvents()
    view = house.history

    def is_seen() -> bool:
        row = view.visualRect(view.currentIndex())
        is_inside = row.top() >= 0 and row.bottom() <= view.viewport().height()
        return view.currentIndex().row() == house.document.stack.index() and is_inside

    qtbot.waitUntil(is_seen)
    house.document.stack.setIndex(3)
    assert is_seen()


def test_a_reason_is_a_sentence_before_and_after_the_click(house: EditorWindow) -> None:
    """Why a door cannot be in rock is said in the same words while it is aimed at and when it is pressed."""
    house.document.replace(Draft(drawn("AA. AA. ...")), None)
    press(house, Key.Key_D)
    house.canvas.set_cursor((2, 2), "N")
    before = house.status.words
    assert before[:1].isupper()
    assert before.endswith(".")
    press(house, Key.Key_Return)
    assert house.status.words == before


def test_f11_hides_all_panels_and_brings_the_same_ones_back(house: EditorWindow) -> None:
    """What was closed before stays closed."""
    house.docks["history"].close()
    shown = {key for key, dock in house.docks.items() if not dock.isHidden()}
    press(house, Key.Key_F11)
    assert all(dock.isHidden() for dock in house.docks.values())
    press(house, Key.Key_F11)
    assert {key for key, dock in house.docks.items() if not dock.isHidden()} == shown


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_nothing_is_cut_off_in_a_small_window(qtbot: QtBot, tmp_path: Path, scale: float) -> None:
    """At 1280 by 720 the window keeps its size, and the canvas is the largest thing in it."""
    window = open_editor(qtbot, tmp_path, citadel(), text_scale=scale)
    assert (window.width(), window.height()) == (1280, 720)
    canvas = window.canvas.width() * window.canvas.height()
    for mode in MODES:
        window.set_mode(mode)
        QApplication.processEvents()
        assert (window.width(), window.height()) == (1280, 720)
        canvas = window.canvas.width() * window.canvas.height()
        for key, dock in window.docks.items():
            if dock.isVisible() and not dock.visibleRegion().isEmpty():
                assert dock.width() * dock.height() < canvas, (mode, key)
        for tool in window.tools_of(window.mode):
            button = window.toolbox.buttons[tool.key]
            assert button.width() >= button.minimumSizeHint().width(), tool.key
    bar = window.menuBar()
    right = max(bar.actionGeometry(action).right() for action in bar.actions())
    assert right < window.mode_bar.x()


def test_every_tool_has_a_picture_a_name_and_a_page_of_the_help(house: EditorWindow) -> None:
    """F1 opens the page about the tool in hand, and no topic leads nowhere."""
    from app.board.art import drawing
    from app.editing import TOPICS

    for tool in house.tools:
        assert drawing(f"tool-{tool.key}").shapes
        assert tool.title
        assert tool.topic in TOPICS, tool.topic
    for key in house.docks:
        assert f"editor-{key}" in TOPICS, key
    for title in TOPICS.values():
        assert find_title(title) is not None, title


# What is kept


def test_places_and_recent_files_are_found_again(qtbot: QtBot, tmp_path: Path) -> None:
    """A panel that was closed stays closed the next time, and the last file stands first."""
    window = open_editor(qtbot, tmp_path, Draft(small_house()))
    window.docks["rooms"].close()
    assert window.files.save_to(tmp_path / "house.json")
    window.close()
    again = open_editor(qtbot, tmp_path)
    assert again.docks["rooms"].isHidden()
    assert again.settings.recent == ((tmp_path / "house.json"),)
    again.file_menu.recent_menu.aboutToShow.emit()
    assert "house.json" in again.file_menu.recent_menu.actions()[0].text()
    again.file_menu.recent_menu.actions()[0].trigger()
    assert again.document.draft.plan == small_house()


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]", b'{"recent": 5}', b"\xff\xfe"])
def test_spoilt_keepings_are_as_good_as_none(tmp_path: Path, raw: bytes) -> None:
    """Whatever stands in the file, the editor opens."""
    path = tmp_path / "editor.json"
    path.write_bytes(raw)
    settings = EditorSettings(path)
    assert settings.recent == ()
    settings.note_file(path)
    assert EditorSettings(path).recent == (path,)


def test_the_tracing_image_is_kept_for_the_user_and_never_in_the_map(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The map's file knows nothing of the image; the next time it lies under the grid again."""
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QFileDialog

    image = QImage(200, 100, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.gray)
    assert image.save(str(tmp_path / "scan.png"))
    window = open_editor(qtbot, tmp_path, Draft(small_house()))
    assert window.files.save_to(tmp_path / "house.json")
    raw = (tmp_path / "house.json").read_bytes()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "scan.png"), ""))
    window.tracing.load_button.click()
    window.tracing.left.setValue(1.5)
    assert window.canvas.tracing is not None
    assert not window.document.is_modified
    window.files.save()
    assert (tmp_path / "house.json").read_bytes() == raw
    window.close()
    again = open_editor(qtbot, tmp_path)

    def left() -> float | None:
        return again.canvas.tracing.left if again.canvas.tracing is not None else None

    assert left() is None
    assert again.files.open_path(tmp_path / "house.json")
    assert left() == 1.5
    again.files.begin(Draft(empty()))
    assert left() is None


def scan(folder: Path) -> Path:
    """Return a new image to trace from."""
    path = folder / "scan.png"
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.gray)
    assert image.save(str(path))
    return path


def traced(window: EditorWindow) -> list[str]:
    """Return the names of the images that panel and canvas show."""
    return [Path(one.path).name for one in (window.tracing.tracing, window.canvas.tracing) if one is not None]


def test_an_image_that_cannot_be_read_leaves_no_other_in_its_place(qtbot: QtBot, tmp_path: Path) -> None:
    """The next file does not get the last one's image, and keeps its own scale for when the disk is back."""
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    window = open_editor(qtbot, tmp_path, Draft(small_house()))
    for path in (second, first):
        assert window.files.save_to(path)
    (tmp_path / "notes.png").write_text("no picture")
    scale = {"path": str(tmp_path / "notes.png"), "scale": 0.125}
    window.settings.note_tracing(second, scale)
    window.settings.note_tracing(first, {"path": str(scan(tmp_path))})
    window.files.open_path(first)
    assert traced(window) == ["scan.png"] * 2
    window.files.open_path(second)
    assert traced(window) == []
    assert not window.named_actions["tracing-remove"].isEnabled()
    press(window, Key.Key_M, CTRL, SHIFT)
    assert window.files.save()
    assert window.settings.tracing(second) == scale
    (tmp_path / "notes.png").unlink()
    window.files.open_path(first)
    window.files.open_path(second)
    assert window.files.save()
    assert window.settings.tracing(second) == scale


def test_a_locked_image_stays_where_it_is(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The menu locks it as the panel does: the tick stands in both, and the fields of its place are shut."""
    window = open_editor(qtbot, tmp_path)
    lock = window.named_actions["tracing-lock"]
    image = str(scan(tmp_path))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (image, ""))
    window.tracing.load_button.click()
    for is_on, way in ((True, lock.trigger), (False, window.tracing.lock.click), (True, lock.trigger)):
        way()
        assert window.tracing.tracing is not None
        said = (window.tracing.tracing.is_locked, lock.isChecked(), window.tracing.lock.isChecked())
        assert said == (is_on, is_on, is_on)
        assert window.tracing.left.isEnabled() is not is_on
        assert window.named_actions["tracing-scale"].isEnabled() is not is_on


def test_two_points_give_the_tracing_image_its_scale(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two clicks eight squares apart that are said to be four make the image half as large."""
    image = scan(tmp_path)
    window = open_editor(qtbot, tmp_path)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(image), ""))
    window.tracing.load_button.click()
    window.tracing.per_square.setValue(10)
    answered: list[NumberQuestion] = []

    def answer(dialog: NumberQuestion) -> int:
        answered.append(dialog)
        dialog.box.setValue(4)
        return 1

    monkeypatch.setattr(NumberQuestion, "exec", answer)
    window.named_actions["tracing-scale"].trigger()
    click(window, (4, 4))
    click(window, (12, 4))
    assert len(answered) == 1
    assert window.tracing.tracing is not None
    assert window.tracing.tracing.scale == pytest.approx(0.05, rel=0.02)
    assert window.bench.tool is not None
    assert window.bench.tool.key == "select"
    assert not window.document.is_modified


# Closing


@pytest.mark.parametrize("answer", ["save", "discard", ""])
def test_closing_asks_about_unsaved_changes(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    """Save writes the file, Discard does not, Cancel keeps the window open."""
    window = open_editor(qtbot, tmp_path, Draft(small_house()))
    assert window.files.save_to(tmp_path / "house.json")
    raw = (tmp_path / "house.json").read_bytes()
    press(window, Key.Key_B)
    click(window, (0, 0))

    def choose(dialog: ChoiceDialog) -> int:
        dialog.answer = answer
        return 1

    monkeypatch.setattr(ChoiceDialog, "exec", choose)
    assert window.close() is (answer != "")
    assert ((tmp_path / "house.json").read_bytes() != raw) is (answer == "save")
    assert window.isVisible() is (answer == "")


def test_the_file_of_kept_things_is_readable_text(tmp_path: Path) -> None:
    """A user may look into it and change it by hand."""
    settings = EditorSettings(tmp_path / "deep" / "editor.json")
    settings.keep(keys={"save": "Ctrl+Alt+S"})
    assert json.loads((tmp_path / "deep" / "editor.json").read_bytes())["keys"] == {"save": "Ctrl+Alt+S"}


def test_a_click_of_the_corner_goes_nowhere_while_panels_are_hidden(house: EditorWindow) -> None:
    """With all panels hidden the canvas takes the whole window but for menu and status line."""
    press(house, Key.Key_F11)
    QApplication.processEvents()
    assert house.canvas.width() >= house.width() - 4
    assert house.childAt(QPoint(house.width() // 2, house.height() // 2)) is house.canvas.viewport()


def test_selected_figures_are_named_in_the_properties(qtbot: QtBot, tmp_path: Path) -> None:
    """A fixed placement is no rock, and one press leads to the scenario's panel."""
    from engine.raid.scenario import Placement

    placed = Scenario(name="Test", map="", placements=(Placement(kind="servant", square=(1, 1)),))
    window = open_editor(qtbot, tmp_path, Draft(small_house(), placed))
    window.bench.select(Selection(placements=frozenset({0})))
    window.properties.follow()
    assert window.properties.rock.isHidden()
    assert "servant" in window.properties.figures.heading.text().lower()
    QTest.mouseClick(window.properties.figures.button, Qt.MouseButton.LeftButton)
    assert not window.scenario.visibleRegion().isEmpty()


def test_the_map_button_leaves_a_playtest(qtbot: QtBot, tmp_path: Path) -> None:
    """Ctrl+1 and the button of a mode come back from a playtest as Esc does."""
    window = open_editor(qtbot, tmp_path, citadel())
    press(window, Key.Key_F5)
    modes = [str(window.mode)]
    window.named_actions["mode-map"].trigger()
    modes.append(window.mode)
    press(window, Key.Key_F5)
    window.named_actions["mode-scenario"].trigger()
    assert [*modes, window.mode] == ["playtest", "map", "scenario"]
    assert window.named_actions["undo"].shortcut().toString() == "Ctrl+Z"
    assert window.docks["scenario"].isVisible()


def test_undo_keys_in_a_name_take_back_typing_first_then_steps(house: EditorWindow) -> None:
    """With a name half typed Ctrl+Z is about the letters; with nothing typed it is about the draft."""
    press(house, Key.Key_B)
    click(house, (0, 0))
    house.bench.select(Selection(squares=frozenset({(5, 0)})))
    house.properties.follow()
    name = house.properties.rooms.name
    name.setFocus()
    QTest.keyClicks(name, "x")
    QTest.keyClick(name, Key.Key_Z, CTRL)
    assert house.document.stack.index() == 1
    QTest.keyClick(name, Key.Key_Z, CTRL)
    assert house.document.stack.index() == 0


def test_the_window_does_not_grow_with_what_it_says(qtbot: QtBot, tmp_path: Path) -> None:
    """A hint or a room's name of any length is cut short, and stands in the tool tip in full."""
    window = open_editor(qtbot, tmp_path, citadel(), text_scale=1.5)
    for tool in window.tools_of("map"):
        window.bench.take(tool)
        QApplication.processEvents()
        assert window.width() == 1280, tool.key
    window.bench.say("A very long line. " * 40)
    QApplication.processEvents()
    assert window.width() == 1280
    assert window.status.hint.toolTip().endswith("line. ")


def test_every_panel_is_gone_to_by_keys(house: EditorWindow) -> None:
    """The focus is inside the panel afterwards, also one that lay behind others; F6 leads back to the map."""
    for key, dock in house.docks.items():
        house.named_actions[f"panel-{key}"].trigger()
        QApplication.processEvents()
        focus = QApplication.focusWidget()
        assert not dock.visibleRegion().isEmpty(), key
        assert focus is not None
        assert dock.isAncestorOf(focus), (key, focus)
        press(house, Key.Key_F6)
        assert QApplication.focusWidget() is house.canvas


def test_panels_hidden_before_a_playtest_are_hidden_after_it(house: EditorWindow) -> None:
    """F11, F5, Esc, F11: all panels are back, as if there had been no playtest."""
    shown = {key for key, dock in house.docks.items() if not dock.isHidden()}
    house.set_mode("scenario")
    press(house, Key.Key_F11)
    press(house, Key.Key_F5)
    assert house.page is not None
    house.page.leave()
    assert all(dock.isHidden() for dock in house.docks.values())
    press(house, Key.Key_F11)
    assert {key for key, dock in house.docks.items() if not dock.isHidden()} == shown


def test_what_cannot_be_played_brings_up_its_problems(qtbot: QtBot, tmp_path: Path) -> None:
    """F5 on an empty map opens no game: the Problems panel comes to the front, and the line says why."""
    window = open_editor(qtbot, tmp_path)
    window.show_panel("history")
    press(window, Key.Key_F5)
    assert window.page is None
    assert window.mode == "map"
    assert not window.docks["problems"].visibleRegion().isEmpty()
    assert "cannot be played" in window.status.hint.text()


def test_the_window_can_be_closed_in_a_playtest(qtbot: QtBot, tmp_path: Path) -> None:
    """The panels are kept as they were before it."""
    window = open_editor(qtbot, tmp_path, Draft(small_house()))
    press(window, Key.Key_F5)
    assert window.page is not None
    assert window.close()
    again = open_editor(qtbot, tmp_path)
    assert not again.docks["properties"].isHidden()
    assert not again.docks["tools"].isHidden()


@pytest.mark.parametrize("dpr", [1.0, 2.0])
def test_the_mark_of_what_is_saved_is_a_whole_dot(qtbot: QtBot, dpr: float) -> None:
    """At twice the resolution it is twice as large, not a quarter of itself."""
    from editor.panels.history import _saved_mark

    image = _saved_mark(dpr).toImage()
    side = image.width()
    assert side == round(_saved_mark(1.0).width() * dpr)
    half = side // 2
    corners = [image.pixelColor(x, y).alpha() for x, y in ((1, 1), (side - 2, side - 2), (1, side - 2))]
    assert image.pixelColor(half, half).alpha() == 255
    assert corners == [0, 0, 0]


def test_what_is_not_on_the_map_is_not_selected(house: EditorWindow) -> None:
    """A problem of the map as it was before it was turned may name squares beyond its rim."""
    house.bench.select(Selection(squares=frozenset({(1, 1), (40, 2)}), equipment=frozenset({0, 9})))
    assert house.bench.selection == Selection(squares=frozenset({(1, 1)}), equipment=frozenset({0}))
    house.properties.follow()
    house.rooms.follow()
    assert house.rooms.letters == ("S",)
