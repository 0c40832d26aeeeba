"""Both sides' set-up: the record sheet, the tray, deployments (6.1, R5, R30)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSplitter, QToolTip
from pytestqt.qtbot import QtBot

from app.board.picking import centre
from app.board.scene import FIGURE_MIME, BoardView
from app.dialogs import deployments
from app.dialogs.deployments import Deployment, DeploymentsDialog, Forces, PlacedCounter, misfit
from app.dialogs.place_extras import PlaceExtras
from app.dialogs.setup_clonemaster import SetUpCloneMaster
from app.dialogs.setup_terminator import SetUpTerminator
from app.session import Session
from app.suggestions import SKILLS, SUGGESTIONS
from engine.core.files import BadFile
from engine.raid.choices import Place, Ready, SetAbilities
from engine.raid.scenario import Scenario, load_scenario
from engine.raid.view import FigureView
from tests.helpers.gui import all_texts, leaks, screenshot
from tests.helpers.panels import in_every_look, session_of, settle

KEPT: list[QSplitter] = []
NAMES = ("Rising Dream", "Shadow Lotus", "Golden Song")


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep deployments of a test to itself, and its windows until its end."""
    monkeypatch.setenv("KUNGFU2100_DATA", str(tmp_path / "data"))
    yield
    KEPT.clear()


def terminator_panel(qtbot: QtBot, session: Session) -> SetUpTerminator:
    """Return the shown panel of the Terminator player's set-up."""
    panel = SetUpTerminator(session)
    qtbot.addWidget(panel)
    panel.resize(430, 1100)
    panel.show()
    settle()
    return panel


def tray(qtbot: QtBot, session: Session) -> tuple[SetUpCloneMaster, BoardView]:
    """Return the tray beside a board, both shown."""
    board = BoardView()
    board.set_board(session.board)
    board.set_animation_speed(0)
    session.changed.connect(lambda: board.show_view(session.view))
    board.show_view(session.view)
    panel = SetUpCloneMaster(session, board)
    both = QSplitter()
    both.addWidget(board)
    both.addWidget(panel)
    both.resize(1280, 720)
    both.setSizes([840, 440])
    qtbot.addWidget(both)
    KEPT.append(both)
    both.show()
    settle()
    return panel, board


def can_be_ready(panel: SetUpTerminator | SetUpCloneMaster) -> bool:
    """Return whether Ready acts when it is pressed."""
    return not panel.ready_button.is_barred


def click_square(board: BoardView, square: tuple[int, int]) -> None:
    """Click a square of the board."""
    point = board.mapFromScene(centre(square))
    QTest.mouseClick(board.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)
    settle()


def figure(session: Session, name: str) -> FigureView:
    """Return a figure as the screen's player knows it."""
    view = session.view
    assert view is not None
    return view.figure(name)


def squares(session: Session) -> dict[str, tuple[int, int]]:
    """Return where the CloneMaster player's counters are."""
    view = session.view
    assert view is not None
    return {one.name: one.square for one in view.figures if one.side == "clonemaster" and one.square}


def clonemaster_session(tmp_path: Path, scenario: Scenario | None = None) -> Session:
    """Return a session whose screen sets up the CloneMaster's counters."""
    return session_of(tmp_path, scenario, humans=("clonemaster",))


def asks(session: Session) -> str:
    """Return what kind of question the screen must answer, "" for none."""
    return session.decision.kind if session.decision is not None else ""


def turned(**changes: Any) -> Scenario:
    """Return the Basic scenario with some rules turned."""
    return msgspec.structs.replace(load_scenario("basic"), **changes)


# The Terminators


def test_suggestions_are_legal_for_every_number_of_levels() -> None:
    """6.1, R30: at least one in each, none above three, and the sum, for seven and for any other number."""
    for suggestion in SUGGESTIONS:
        for total in range(5, 16):
            levels = suggestion.levels(total)
            assert set(levels) == set(SKILLS)
            assert sum(levels.values()) == total
            assert min(levels.values()) >= 1
            assert max(levels.values()) <= 3
    assert len({tuple(one.levels(7).values()) for one in SUGGESTIONS}) == 3


def test_a_suggestion_fills_one_sheet_and_goes_on_to_the_next(qtbot: QtBot, tmp_path: Path) -> None:
    """Three clicks fill three sheets, each at once a choice of the game, then Ready opens up."""
    session = session_of(tmp_path, humans=("terminator",))
    panel = terminator_panel(qtbot, session)
    assert not can_be_ready(panel)
    for button, name in zip(panel.suggestion_buttons, NAMES, strict=True):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        settle()
        assert sum((figure(session, name).levels or {}).values()) == 7
    assert can_be_ready(panel)
    QTest.mouseClick(panel.ready_button, Qt.MouseButton.LeftButton)
    settle()
    assert session.view is not None
    assert "terminator" in session.view.ready


def test_the_sheet_just_filled_is_given_to_all(qtbot: QtBot, tmp_path: Path) -> None:
    """A suggestion goes on to the next sheet; "all the same" means the one filled, not the bare next one."""
    session = session_of(tmp_path, turned(levels=8), humans=("terminator",))
    panel = terminator_panel(qtbot, session)
    panel.suggestion_buttons[0].click()
    panel._same.click()
    settle()
    assert can_be_ready(panel)
    levels = [figure(session, name).levels for name in NAMES]
    assert levels[0] == levels[1] == levels[2]


@pytest.mark.parametrize(("number", "total"), [(1, 5), (2, 8), (5, 15)])
def test_any_number_of_terminators_and_levels_is_set_up(
    qtbot: QtBot, tmp_path: Path, number: int, total: int
) -> None:
    """7.1, 7.2: as many sheets as Terminators, each with so many levels; the optional rule is named."""
    session = session_of(tmp_path, turned(terminators=number, levels=total), humans=("terminator",))
    panel = terminator_panel(qtbot, session)
    assert len(panel.sheets) == number
    assert "7.2" in panel._prompt.text()
    for _ in range(number):
        panel.suggestion_buttons[2].click()
    assert {sheet.total for sheet in panel.sheets.values()} == {total}
    assert can_be_ready(panel)
    assert panel._same.isHidden() == (number == 1)


def test_ready_says_why_not(qtbot: QtBot, tmp_path: Path) -> None:
    """6.1: before the sheets add up, a click on Ready names the Terminator and the rule."""
    session = session_of(tmp_path, humans=("terminator",))
    panel = terminator_panel(qtbot, session)
    QTest.mouseClick(panel.ready_button, Qt.MouseButton.LeftButton)
    assert "Rising Dream: these are 5 levels" in panel.reason
    assert 'href="rule:6.1"' in panel.reason
    assert session.view is not None
    assert session.view.ready == ()


@pytest.mark.parametrize("way", ["suggestion", "same", "key"])
def test_a_refusal_goes_with_the_next_change(qtbot: QtBot, tmp_path: Path, way: str) -> None:
    """What was wrong with one sheet is not said any more once it is filled, though others are still bare."""
    panel = terminator_panel(qtbot, session_of(tmp_path, humans=("terminator",)))
    panel.ready_button.click()
    assert "these are 5 levels" in panel.reason
    if way == "suggestion":
        panel.suggestion_buttons[0].click()
    elif way == "same":
        panel._same.click()
    else:
        next(iter(panel.sheets.values())).rows[0].set_level(2)
    assert panel.reason == ""
    assert not panel._why.isVisible()


def test_a_refusal_beside_the_pointer_goes_once_ready_is_legal(qtbot: QtBot, tmp_path: Path) -> None:
    """What Ready lacked is shown no longer, in no tooltip either, when both set-ups lack nothing."""
    panel = terminator_panel(qtbot, session_of(tmp_path / "one", humans=("terminator",)))
    panel.ready_button.click()
    assert "Rising Dream" in QToolTip.text()
    for _ in NAMES:
        panel.suggestion_buttons[0].click()
    assert can_be_ready(panel)
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    other, _ = tray(qtbot, clonemaster_session(tmp_path / "two"))
    other.ready_button.click()
    assert "25 other counters" in QToolTip.text()
    other.place_rest()
    assert can_be_ready(other)
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_a_sheet_is_filled_by_keys_alone(qtbot: QtBot, tmp_path: Path) -> None:
    """Digits and arrows change levels, up and down go through the skills, the count runs along."""
    session = session_of(tmp_path, humans=("terminator",))
    panel = terminator_panel(qtbot, session)
    panel.activateWindow()
    qtbot.waitUntil(panel.isActiveWindow)
    sheet = panel.sheets["Shadow Lotus"]
    sheet.rows[0].setFocus()
    QTest.keyClick(sheet.rows[0], Qt.Key.Key_3)
    assert sheet.levels["fist"] == 3
    assert sheet.total == 7
    QTest.keyClick(sheet.rows[0], Qt.Key.Key_Down)
    assert sheet.rows[1].hasFocus()
    QTest.keyClick(sheet.rows[1], Qt.Key.Key_Right)
    assert (sheet.levels["kick"], sheet.total) == (2, 8)
    assert figure(session, "Shadow Lotus").levels == {
        "fist": 3,
        "kick": 1,
        "weapon": 0,
        "mist": 1,
        "soul": 1,
        "heart": 1,
    }  # eight levels are no choice; the last legal sheet stands
    QTest.mouseClick(panel.ready_button, Qt.MouseButton.LeftButton)
    assert "Rising Dream" in panel.reason
    QTest.keyClick(sheet.rows[1], Qt.Key.Key_Left)
    QTest.keyClick(sheet.rows[1], Qt.Key.Key_Left)
    assert (sheet.levels["kick"], sheet.total) == (0, 6)


def test_a_click_on_a_box_fills_up_to_it(qtbot: QtBot, tmp_path: Path) -> None:
    """As on paper: the third box gives three levels, and a click on the last filled one takes it away."""
    panel = terminator_panel(qtbot, session_of(tmp_path, humans=("terminator",)))
    line = panel.sheets["Rising Dream"].rows[2]
    third = line._box(2).center().toPoint()
    QTest.mouseClick(line, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, third)
    assert line.level == 3
    QTest.mouseClick(line, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, third)
    assert line.level == 2


def test_the_sheets_vanish_under_the_curtain(qtbot: QtBot, tmp_path: Path) -> None:
    """R29: the other player finds no word of them."""
    session = session_of(tmp_path)
    session.lift_curtain()
    panel = terminator_panel(qtbot, session)
    for button in panel.suggestion_buttons:
        button.click()
    panel.ready_button.click()
    settle()
    assert session.curtain_for == "clonemaster"
    assert panel.sheets == {}
    assert leaks(("Rising Dream", "of 3", "7 of 7"), all_texts((panel,))) == []


# The CloneMaster


def test_a_pile_places_one_counter_after_the_other(qtbot: QtBot, tmp_path: Path) -> None:
    """A chosen pile lights its squares; each click on one places the next of its kind, at once a choice."""
    session = clonemaster_session(tmp_path)
    panel, board = tray(qtbot, session)
    QTest.mouseClick(panel.counters["servant"], Qt.MouseButton.LeftButton)
    assert panel.chosen == "Servant 1"
    lit = set(board._lit)
    assert (2, 2) in lit
    assert (4, 2) not in lit  # beside a door (R5)
    assert (13, 1) not in lit  # no S in the Jelly Jar
    click_square(board, (2, 2))
    assert figure(session, "Servant 1").square == (2, 2)
    assert panel.chosen == "Servant 2"
    assert (2, 2) not in board._lit  # one to a square
    click_square(board, (3, 2))
    assert figure(session, "Servant 2").square == (3, 2)
    assert panel.counters["servant"].count == "10 of 12"


def test_a_placed_counter_is_moved_and_taken_back(qtbot: QtBot, tmp_path: Path) -> None:
    """A click picks it up, the next puts it down elsewhere; Delete puts it into the tray."""
    session = clonemaster_session(tmp_path)
    panel, board = tray(qtbot, session)
    panel.counters["J-3"].click()
    click_square(board, (12, 1))
    assert panel.chosen == ""
    click_square(board, (12, 1))
    assert panel.chosen == "J-3"
    click_square(board, (13, 1))
    assert figure(session, "J-3").square == (13, 1)
    click_square(board, (13, 1))
    panel.window().activateWindow()
    qtbot.waitUntil(panel.window().isActiveWindow)
    QTest.keyClick(panel, Qt.Key.Key_Delete)
    assert figure(session, "J-3").place == "box"
    assert "J-3" in panel.counters


def test_a_counter_is_dropped_on_the_board(qtbot: QtBot, tmp_path: Path) -> None:
    """Dragging from the tray ends as a click does: on a legal square a choice, on another the reason."""
    session = clonemaster_session(tmp_path)
    panel, board = tray(qtbot, session)

    def drop(name: str, square: tuple[int, int]) -> None:
        mime = QMimeData()
        mime.setData(FIGURE_MIME, name.encode())
        point = QPointF(board.mapFromScene(centre(square)))
        board.dropEvent(
            QDropEvent(
                point,
                Qt.DropAction.MoveAction,
                mime,
                Qt.MouseButton.LeftButton,
                Qt.KeyboardModifier.NoModifier,
            )
        )
        settle()

    drop("Technician 1", (4, 12))
    assert figure(session, "Technician 1").square == (4, 12)
    drop("Technician 2", (0, 0))
    assert figure(session, "Technician 2").place == "box"
    assert 'no letter "T"' in panel.reason.replace("&quot;", '"')
    assert 'href="rule:6.1a"' in panel.reason


def test_a_wrong_square_says_why_not(qtbot: QtBot, tmp_path: Path) -> None:
    """R5, 6.1: a click on an unlit square, and a right click, answer with the reason and its rule."""
    session = clonemaster_session(tmp_path)
    panel, board = tray(qtbot, session)
    panel.counters["servant"].click()
    click_square(board, (4, 2))
    assert "next to a door" in panel.reason
    assert 'href="rule:6.1b"' in panel.reason
    board.squareContext.emit((13, 1))
    assert "Jelly Jar" in panel.reason
    assert figure(session, "Servant 1").place == "box"


def test_eight_of_ten_jellies(qtbot: QtBot, tmp_path: Path) -> None:
    """6.1: each Jelly says what it can do; a ninth is refused with the rule."""
    session = clonemaster_session(tmp_path)
    panel, _ = tray(qtbot, session)
    assert panel.counters["J-1"].accessibleName() == "J-1: Lightning Foot 2, Mountain Heart"
    for number, square in enumerate([(10 + n % 6, 8 + n // 6) for n in range(8)], 1):
        session.submit(Place(f"J-{number}", square))
    settle()
    panel.counters["J-9"].click()
    assert panel.chosen == ""
    assert "All 8 Jellies are placed" in panel.reason
    panel.counters["J-2"].click()  # one on the map is picked up from the tray as well
    assert panel.chosen == "J-2"


@pytest.mark.parametrize("seed", range(8))
def test_the_rest_is_placed_legally_and_differently(qtbot: QtBot, tmp_path: Path, seed: int) -> None:
    """Whatever was placed by hand stays; the others get legal squares, and Ready opens up."""
    session = clonemaster_session(tmp_path)
    panel, _ = tray(qtbot, session)
    session.submit(Place("CloneMaster", (29, 0)))
    session.submit(Place("J-6", (12, 1)))
    panel.random = random.Random(seed)
    panel.place_rest()
    settle()
    assert figure(session, "CloneMaster").square == (29, 0)
    assert figure(session, "J-6").square == (12, 1)
    assert can_be_ready(panel)
    assert panel.reason == ""
    placed = squares(session)
    assert len(placed) == 33
    panel.clear()
    settle()
    assert not can_be_ready(panel)
    panel.random = random.Random(seed + 100)
    panel.place_rest()
    assert squares(session) != placed


def test_ready_says_what_is_missing(qtbot: QtBot, tmp_path: Path) -> None:
    """6.1: an incomplete set-up is refused with what is still in the tray."""
    panel, _ = tray(qtbot, clonemaster_session(tmp_path))
    panel.ready_button.click()
    assert "25 other counters and 8 Jellies" in panel.reason


def test_required_jellies_keep_their_places(qtbot: QtBot, tmp_path: Path) -> None:
    """7.3: with two places for J-11 and J-12 no other Jelly can be put out, and the tray says why."""
    scenario = turned(jelly_numbers=tuple(range(1, 13)), required_jellies=(11, 12), jellies=2)
    session = clonemaster_session(tmp_path, scenario)
    panel, _ = tray(qtbot, session)
    assert "J-11, J-12 must be among them" in panel._jelly_head.text()
    assert panel.counters["J-11"].count == "J-11!"
    panel.counters["J-1"].click()
    assert "Jelly 11 and 12" in panel.reason
    assert "7.3" in panel.reason
    panel.place_rest()
    settle()
    assert {name for name in squares(session) if name.startswith("J-")} == {"J-11", "J-12"}
    assert can_be_ready(panel)


def test_a_full_room_is_not_lit_and_says_why(qtbot: QtBot, tmp_path: Path) -> None:
    """6.3: with two to a room a third finds no square there, and a click names the limit and the rule."""
    session = clonemaster_session(tmp_path, turned(room_limit=2))
    panel, board = tray(qtbot, session)
    assert "No more than 2 to a room" in panel._prompt.text()
    panel.counters["servant"].click()
    room: list[tuple[int, int]] = []
    by_room: dict[int, list[tuple[int, int]]] = {}
    for square in panel._legal("Servant 1"):
        room = by_room.setdefault(session.board.room_of[session.board.square(*square)], [])
        room.append(square)
        if len(room) == 3:
            break
    for square in room[:2]:
        click_square(board, square)
    assert room[2] not in panel._legal(panel.chosen)
    click_square(board, room[2])
    assert "No more than 2 counters to a room" in panel.reason
    assert "6.3" in panel.reason


@pytest.mark.parametrize("seed", range(4))
def test_what_the_scenario_puts_out_stays_there(qtbot: QtBot, tmp_path: Path, seed: int) -> None:
    """6.3, R34: CloneMaster and first Jelly are nobody's to move; the rest fits two to a room."""
    session = clonemaster_session(tmp_path, load_scenario("solitaire-two-players"))
    panel, board = tray(qtbot, session)
    before = squares(session)
    assert "CloneMaster" in before
    assert len(before) == 2
    click_square(board, before["CloneMaster"])
    assert panel.chosen == ""
    assert "6.3" in panel.reason
    panel.random = random.Random(seed)
    panel.place_rest()
    settle()
    assert panel.reason == ""
    assert can_be_ready(panel)
    panel.clear()
    assert squares(session) == before


def test_additions_are_put_up_in_the_open_first(qtbot: QtBot, tmp_path: Path) -> None:
    """7.4, R35: a door by mouse, a computer by keys, one taken away again; then the set-up on that map."""
    session = clonemaster_session(tmp_path, turned(extra_doors=1, extra_computers=1))
    board = BoardView()
    board.set_board(session.board)
    board.set_animation_speed(0)

    def follow() -> None:
        board.set_board(session.board)
        board.show_view(session.view)

    session.changed.connect(follow)
    panel = PlaceExtras(session, board)
    both = QSplitter()
    both.addWidget(board)
    both.addWidget(panel)
    both.resize(1280, 720)
    qtbot.addWidget(both)
    KEPT.append(both)
    both.show()
    settle()
    assert asks(session) == "place-extras"
    doors = {square: sides for square, sides in panel.places.items() if len(sides) == 1}
    square = next(iter(doors))
    before = len(session.board.armored)
    click_square(board, square)
    assert len(session.board.armored) == before + 1
    assert panel.chosen == "computer"
    board.setFocus()
    corner = next(at for at, sides in panel.places.items() if len(sides) == 2)
    board.set_cursor_square(corner)
    QTest.keyClick(board, Qt.Key.Key_Return)
    settle()
    assert len(panel.side_buttons) == 2
    QTest.keyClick(panel.side_buttons[0], Qt.Key.Key_Escape)
    assert panel.side_buttons == []
    QTest.keyClick(board, Qt.Key.Key_Return)
    settle()
    QTest.keyClick(panel.side_buttons[1], Qt.Key.Key_Space)
    settle()
    assert len(session.board.equipment) == 8
    assert board.cursor_square == corner
    panel.kind_buttons["door"].click()
    assert "No armored door is left" in panel.reason
    panel.remove_buttons[0].click()
    settle()
    assert len(session.board.armored) == before
    assert panel.chosen == "door"
    panel.ready_button.click()
    settle()
    assert asks(session) == "set-up-clonemaster"


def test_a_wrong_edge_for_an_addition_says_why(qtbot: QtBot, tmp_path: Path) -> None:
    """R35: where there is no common door the click is answered with the rule."""
    session = clonemaster_session(tmp_path, turned(extra_doors=1))
    board = BoardView()
    board.set_board(session.board)
    panel = PlaceExtras(session, board)
    both = QSplitter()
    both.addWidget(board)
    both.addWidget(panel)
    qtbot.addWidget(both)
    KEPT.append(both)
    inside = next(
        session.board.xy(at)
        for at in range(session.board.size)
        if session.board.room_of[at] >= 0 and session.board.xy(at) not in panel.places
    )
    board.squareClicked.emit(inside)
    assert "common door" in panel.reason
    assert "R35" in panel.reason


def test_the_tray_vanishes_under_the_curtain(qtbot: QtBot, tmp_path: Path) -> None:
    """R29: no counter's name is left in the panel or the board when the other player comes."""
    session = session_of(tmp_path)
    session.lift_curtain()
    for name in NAMES:
        session.submit(SetAbilities(name, 2, 2, 1, 1, 1))
    session.submit(Ready())
    session.lift_curtain()
    panel, board = tray(qtbot, session)
    panel.place_rest()
    panel.counters["J-1"].click()
    panel.ready_button.click()
    settle()
    assert session.view is None or session.viewer != "clonemaster"
    texts = all_texts((panel, board))
    assert leaks([f"J-{number}" for number in range(1, 11)] + ["Servant 1"], texts) == []
    assert board._lit == {}


# Deployments


def test_the_shipped_deployment_is_a_whole_legal_set_up(qtbot: QtBot, tmp_path: Path) -> None:
    """One click sets up the Basic scenario with it, and Ready opens up."""
    session = clonemaster_session(tmp_path)
    panel, _ = tray(qtbot, session)
    shipped = [one for one in deployments.stored() if one.path is None]
    assert shipped
    for one in shipped:
        assert one.deployment is not None
        panel.load(one.deployment)
        settle()
        assert panel.reason == ""
        assert can_be_ready(panel)


def test_a_deployment_is_saved_by_name_and_loaded_again(qtbot: QtBot, tmp_path: Path) -> None:
    """What was saved comes back square by square, also in another game."""
    session = clonemaster_session(tmp_path)
    panel, _ = tray(qtbot, session)
    panel.random = random.Random(1)
    panel.place_rest()
    panel.open_deployments()
    dialog = panel.findChild(DeploymentsDialog)
    assert dialog is not None
    assert dialog.list.count() == 1  # the shipped one
    QTest.keyClicks(dialog.name, "My wall / 2")
    dialog.save_button.click()
    assert dialog.list.count() == 2
    dialog.close_button.click()
    before = squares(session)
    other = clonemaster_session(tmp_path)
    panel, _ = tray(qtbot, other)
    kept = next(one.deployment for one in deployments.stored() if one.path is not None)
    assert kept is not None
    assert kept.name == "My wall / 2"
    panel.load(kept)
    assert squares(other) == before


def test_what_does_not_fit_is_told_and_left_in_the_tray(qtbot: QtBot, tmp_path: Path) -> None:
    """A deployment of another map places what it can; the rest is counted, with the first reason."""
    session = clonemaster_session(tmp_path)
    panel, _ = tray(qtbot, session)
    panel.load(
        Deployment(
            name="odd",
            map="elsewhere",
            counters=(
                PlacedCounter(figure="Servant 1", square=(2, 2)),
                PlacedCounter(figure="Servant 2", square=(4, 2)),
                PlacedCounter(figure="Dragon", square=(0, 0)),
            ),
        )
    )
    settle()
    assert figure(session, "Servant 1").square == (2, 2)
    assert figure(session, "Servant 2").place == "box"
    assert "2 of 3 counters do not fit" in panel.reason


def test_deployments_say_whether_they_fit_the_forces(qtbot: QtBot, tmp_path: Path) -> None:
    """6.2: what was kept for the Basic forces says what of it an Advanced game cannot use."""
    basic, _ = tray(qtbot, clonemaster_session(tmp_path))
    basic.open_deployments()
    assert basic._dialog is not None
    shipped = basic._dialog.selected()
    assert shipped is not None
    assert shipped.deployment is not None
    assert misfit(shipped.deployment, basic._dialog._forces) == ""
    advanced, _ = tray(qtbot, clonemaster_session(tmp_path, load_scenario("advanced")))
    advanced.open_deployments()
    assert advanced._dialog is not None
    assert "fits in part" in advanced._dialog.list.item(0).text()
    assert "2 of its counters are not in this game" in advanced._dialog._note.text()
    assert "stay in the tray" in advanced._dialog._note.text()


def test_a_spoilt_file_is_listed_with_its_fault(qtbot: QtBot, tmp_path: Path) -> None:
    """A deployment that cannot be read is shown as such, can be deleted, and breaks nothing."""
    deployments.folder().mkdir(parents=True)
    (deployments.folder() / "broken.json").write_text('{"format": "kungfu2100.deployment", "version": 1}')
    with pytest.raises(BadFile):
        deployments.parse_deployment(b"{}")
    dialog = DeploymentsDialog(Deployment(name="", map="x"), Forces("The Citadel", (), 0))
    qtbot.addWidget(dialog)
    dialog.list.setCurrentRow(1)
    assert not dialog.load_button.isEnabled()
    assert dialog._note.text()
    dialog.delete_button.click()
    assert dialog.list.count() == 1


@pytest.mark.parametrize("name", ["../../evil", "CON", "a" * 300, "日本", "x/y\\z:*?"])
def test_any_name_makes_a_file_in_the_folder(tmp_path: Path, name: str) -> None:
    """A deployment's name never leaves the folder, whatever is typed."""
    path = deployments.save(Deployment(name=name, map="x"))
    assert path.parent == deployments.folder()
    assert deployments.stored()[-1].name == name


def test_it_draws_in_every_look(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    """Both set-ups in light, dark and contrast, 80 to 250 %: Ready stays in sight at the foot."""
    session = clonemaster_session(tmp_path)
    panel, _ = tray(qtbot, session)
    panel.counters["J-1"].click()

    def check(look: str, image: QImage) -> None:
        screenshot(panel.window(), f"setup-clonemaster-{look}", tmp_path)
        foot = panel.ready_button.mapTo(panel, panel.ready_button.rect().bottomLeft()).y()
        assert foot <= panel.height()

    in_every_look(qapp, panel.window(), check)
    sheets = terminator_panel(qtbot, session_of(tmp_path, humans=("terminator",)))
    sheets.resize(430, 720)

    def check_sheets(look: str, image: QImage) -> None:
        screenshot(sheets, f"setup-terminator-{look}", tmp_path)
        foot = sheets.ready_button.mapTo(sheets, sheets.ready_button.rect().bottomLeft()).y()
        assert foot <= sheets.height()

    in_every_look(qapp, sheets, check_sheets)
