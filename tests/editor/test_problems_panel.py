"""The Problems panel lists, goes there, fixes and mutes; the doctor's view says how soon what is reached."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import theme
from editor.bench import Bench
from editor.document import Document
from editor.draft import OWN_MAP, Draft
from editor.problems.checking import Checker
from editor.problems.doctor_panel import DoctorPanel
from editor.problems.model import MESSAGE, PLACE, SEVERITY
from editor.problems.panel import NOTHING_WRONG, ProblemsPanel
from editor.problems.places import Place, place_of
from editor.settings import EditorSettings
from engine.fortress.floorplan import EdgeOverride, FloorPlan, RoomInfo
from engine.fortress.problems import Problem
from engine.raid.scenario import Scenario, load_scenario, plan_of
from tests.helpers.gui import screenshot
from tests.helpers.plans import drawn

CITADEL = plan_of(load_scenario("basic"))
SOUND = drawn("AAB AAB", "door 1,0 E", entries="0,0 W")
FAULTY = drawn(
    "AABB AABB ..CC",
    "door 1,0 E",
    "door 3,1 E",
    "armored 0,0 N",
    things="computer 1,1; tank 0,1",
    entries="0,0 W",
    no_sight="AA",
)


def large() -> FloorPlan:
    """Return a map of 60 x 60 squares with a door in rock on every edge that has one."""
    edges = tuple(EdgeOverride(x=x, y=y, side="E", kind="door") for y in range(60) for x in range(1, 60))
    room = RoomInfo(letter="A", name="Cell", level="lower", setup="STJ")
    return FloorPlan(name="Rock", grid=("A" + "." * 60, *("." * 61,) * 59), rooms=(room,), edges=edges)


class Stand:
    """A panel on show with all that it needs."""

    def __init__(self, qtbot: QtBot, tmp_path: Path, draft: Draft) -> None:
        self.bench = Bench(Document(draft))
        self.checker = Checker(self.bench, EditorSettings(tmp_path / "editor.json"))
        self.panel = ProblemsPanel(self.bench, self.checker)
        qtbot.addWidget(self.panel)
        vars(qtbot).setdefault("windows", []).append(self)
        self.said: list[str] = []
        self.gone: list[object] = []
        self.flashed: list[object] = []
        self.fields: list[str] = []
        self.bench.said.connect(self.said.append)
        self.bench.gone_to.connect(self.gone.append)
        self.bench.flashed.connect(self.flashed.append)
        self.panel.fieldWanted.connect(self.fields.append)
        self.panel.resize(1240, 210)
        self.checker.check_now()
        with qtbot.waitExposed(self.panel):
            self.panel.show()

    def text(self, row: int, column: int = MESSAGE) -> str:
        """Return what a row of the list says."""
        return str(self.panel.model.index(row, column).data())

    def select(self, code: str) -> None:
        """Select the first problem of a kind."""
        problem = next(one for one in self.panel.model.problems if one.code == code)
        self.panel.tree.setCurrentIndex(self.panel.model.index_of(problem))


@pytest.fixture
def stand(qtbot: QtBot, tmp_path: Path) -> Iterator[Stand]:
    """Return a panel that shows a faulty map."""
    stand = Stand(qtbot, tmp_path, Draft(FAULTY))
    yield stand
    stand.checker.close()


def test_problems_are_listed_errors_first_with_place_and_severity(stand: Stand) -> None:
    """Each row says how bad, what, and where in words; the counts stand above and in the status bar."""
    severities = [stand.text(row, SEVERITY) for row in range(len(stand.panel.model.groups))]
    assert severities == sorted(severities)
    assert {"Error", "Warning"} == set(severities)
    row = next(at for at, one in enumerate(stand.panel.model.groups) if one.code == "room-unreachable")
    assert "Room C" in stand.text(row)
    assert stand.text(row, PLACE) == "Room C"
    counts = stand.checker.counts
    assert stand.panel.summary.text() == f"{counts.errors} errors, {counts.warnings} warning"
    icon = stand.panel.model.index(0, SEVERITY).data(Qt.ItemDataRole.DecorationRole)
    assert not icon.isNull()


def test_many_of_a_kind_are_one_row_with_a_count(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """3,540 doors in rock are one row; unfolding lists them, and places are worked out for what is shown."""
    placed: list[Problem] = []

    def place(problem: Problem, draft: Draft) -> Place:
        placed.append(problem)
        return place_of(problem, draft)

    monkeypatch.setattr("editor.problems.checking.place_of", place)
    stand = Stand(qtbot, tmp_path, Draft(large()))
    row = next(at for at, one in enumerate(stand.panel.model.groups) if one.code == "edge-in-rock")
    assert stand.text(row) == "Door or drop-off in rock × 3,540"
    assert stand.text(row, PLACE) == "1,0 E and 3,539 more"
    top = stand.panel.model.index(row, 0)
    assert 0 < len(placed) < 20
    stand.panel.tree.expand(top)
    assert stand.panel.model.rowCount(top) == 3540
    assert stand.panel.model.index(2, PLACE, top).data() == "3,0 E"
    stand.checker.close()


def test_a_problem_and_its_fixes_are_read_without_scrolling(qtbot: QtBot, tmp_path: Path) -> None:
    """In the panel of a window of 1280 by 720 the message has the list, and the fixes are all seen."""
    stand = Stand(qtbot, tmp_path, Draft(FAULTY))
    stand.panel.resize(784, 116)
    details, tree = stand.panel.details, stand.panel.tree
    assert not details.asking.isVisible()
    assert tree.isColumnHidden(PLACE)
    assert tree.columnWidth(MESSAGE) > 0.8 * tree.viewport().width()
    for problem in stand.panel.model.problems:
        tree.setCurrentIndex(stand.panel.model.index_of(problem))
        QApplication.processEvents()
        assert len(details.buttons) > 3 or details.area.verticalScrollBar().maximum() == 0, problem
    stand.checker.close()


def test_enter_goes_there(stand: Stand) -> None:
    """Enter on a row brings the place into view, flashes and selects it; the keyboard is enough."""
    stand.select("room-unreachable")
    QTest.keyClick(stand.panel.tree, Qt.Key.Key_Return)
    assert stand.gone == [(0, 0)]
    assert stand.flashed == [frozenset({(2, 2), (3, 2), (0, 0)})]
    assert stand.bench.selection.squares == {(2, 2), (3, 2)}
    assert not stand.bench.document.is_modified


def test_next_and_previous_go_round(stand: Stand) -> None:
    """F8 goes through every problem and round again, Shift+F8 back; each is said with its number."""
    every = stand.panel.model.problems
    for number, problem in enumerate([*every, every[0]], 1):
        stand.panel.next_problem()
        assert stand.panel.current == problem
        assert f"{(number - 1) % len(every) + 1} of {len(every)}" in stand.said[-1]
    stand.panel.previous_problem()
    assert stand.panel.current == every[-1]
    stand.panel.previous_problem()
    assert stand.panel.current == every[-2]


def test_a_press_on_a_fix_mends_it_in_one_step(qtbot: QtBot, stand: Stand) -> None:
    """The button of a fix is one step with its name; the list follows, undo brings the problem back."""
    stand.select("computer-without-side")
    buttons = stand.panel.details.buttons
    assert buttons
    words = buttons[0].text()
    QTest.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    assert stand.bench.document.stack.undoText() == words
    stand.checker.check_now()
    assert "computer-without-side" not in {one.code for one in stand.checker.problems}
    stand.bench.document.undo()
    assert stand.checker.check_now()
    assert "computer-without-side" in {one.code for one in stand.checker.problems}


def test_a_fix_of_a_list_that_is_behind_says_so(stand: Stand) -> None:
    """When the map has changed since the check, an old fix does nothing wrong but says so."""
    stand.select("sight-room-twice")
    problem = stand.panel.current
    assert problem is not None
    stand.bench.document.apply("Clear the pairs", Draft(replace(FAULTY, no_sight=())))
    stand.panel.fix_current()
    assert "no fix" in stand.said[-1]
    assert stand.bench.document.stack.count() == 1


def test_the_first_fix_has_a_key_of_its_own(stand: Stand) -> None:
    """What the menu offers as Fix fixes the selected problem in the first way."""
    stand.panel.tree.setCurrentIndex(QModelIndex())
    stand.panel.fix_current()
    assert stand.said == ["Select a problem first."]
    stand.select("sight-room-twice")
    stand.panel.fix_current()
    assert stand.bench.document.draft.plan.no_sight == ()


def test_a_problem_of_the_scenario_leads_to_its_field(qtbot: QtBot, tmp_path: Path) -> None:
    """What no square shows is fixed in the scenario panel, which is told the place of the file."""
    alone = Scenario(name="Alone", map=OWN_MAP, set_up="random")
    stand = Stand(qtbot, tmp_path, Draft(CITADEL, alone))
    assert [one.code for one in stand.panel.model.problems] == ["rules-exclude"]
    stand.panel.next_problem()
    assert stand.fields == ["release"]
    assert stand.text(0, PLACE) != "release"
    stand.checker.close()


def test_muting_takes_a_note_and_can_be_taken_back(stand: Stand) -> None:
    """A muted kind leaves the list, is counted apart, and is found again under “Show muted”."""
    details = stand.panel.details
    warning = next(one for one in stand.panel.model.groups if one.severity == "warning")
    stand.select(warning.code)
    assert details.mute_button.isVisible()
    QTest.mouseClick(details.mute_button, Qt.MouseButton.LeftButton)
    QTest.keyClicks(details.note, "On purpose")
    QTest.keyClick(details.note, Qt.Key.Key_Return)
    assert stand.checker.muting.notes == {warning.code: "On purpose"}
    assert warning.code not in {one.code for one in stand.panel.model.groups}
    assert "muted" in stand.panel.summary.text()
    assert stand.panel.with_muted.isVisible()
    stand.panel.with_muted.setChecked(True)
    assert stand.text(len(stand.panel.model.groups) - 1, SEVERITY) == "Muted"
    stand.select(warning.code)
    assert "On purpose" in details.place.text()
    QTest.mouseClick(details.mute_button, Qt.MouseButton.LeftButton)
    assert stand.checker.muting.notes == {}


def test_errors_cannot_be_muted(stand: Stand) -> None:
    """What keeps a game from being played is always told."""
    stand.select("room-unreachable")
    assert not stand.panel.details.mute_button.isVisible()


def test_an_empty_list_says_what_to_do_next(qtbot: QtBot, tmp_path: Path) -> None:
    """Nothing wrong is said in words, with the key that plays it."""
    stand = Stand(qtbot, tmp_path, Draft(SOUND))
    words = f"{NOTHING_WRONG} {stand.bench.native_key('playtest')} tries it."
    assert stand.panel.empty.text() == words
    assert stand.panel.empty.isVisible()
    stand.panel.next_problem()
    assert stand.said == [words]
    stand.checker.close()


def test_what_was_selected_stays_selected(stand: Stand) -> None:
    """A check that finds the same again moves nothing under the reader's eyes."""
    stand.select("sight-room-twice")
    before = stand.panel.current
    stand.bench.document.apply("Rename", Draft(replace(FAULTY, name="Another")))
    stand.checker.check_now()
    assert stand.panel.current == before


# The doctor


def doctor_of(stand: Stand, qtbot: QtBot) -> DoctorPanel:
    """Show the doctor's view beside a panel of problems, and let him look."""
    doctor = DoctorPanel(stand.bench, stand.checker)
    qtbot.addWidget(doctor)
    vars(qtbot).setdefault("windows", []).append(doctor)
    with qtbot.waitExposed(doctor):
        doctor.show()
    doctor.look(True)
    return doctor


def test_the_doctor_tells_turns_by_room_and_goes_there(qtbot: QtBot, tmp_path: Path) -> None:
    """Earliest turns stand in a table; a room is gone to by Enter; the map has the same turns."""
    scenario = replace(load_scenario("basic"), turns=3)
    stand = Stand(qtbot, tmp_path, Draft(CITADEL, scenario))
    doctor = doctor_of(stand, qtbot)
    doctor.resize(480, 600)
    qtbot.waitUntil(lambda: stand.checker.diagnosis is not None, timeout=20_000)
    table = doctor.rooms.model()
    found = {table.index(at, 0).data(): table.index(at, 1).data() for at in range(table.rowCount())}
    assert found["Loo 5"] == "4 late"
    assert found["Entry Corridor"] == "1"
    doctor.rooms.setCurrentCell(list(found).index("Loo 5"), 0)
    QTest.keyClick(doctor.rooms, Qt.Key.Key_Return)
    assert stand.gone == [(31, 14)]
    assert doctor.heat.words_at((31, 14)) == "31,14: turn 4"
    assert doctor.letters.rowCount() == 3
    assert doctor.equipment.rowCount() == len(CITADEL.equipment)
    stand.checker.close()


def test_the_doctor_waits_for_a_map(qtbot: QtBot, tmp_path: Path) -> None:
    """On a map that is none there is nothing to be seen, which is said."""
    ragged = Draft(replace(SOUND, grid=("AAB", "AA")))
    stand = Stand(qtbot, tmp_path, ragged)
    doctor = doctor_of(stand, qtbot)
    qtbot.waitUntil(lambda: not stand.checker.is_busy, timeout=20_000)
    assert stand.checker.diagnosis is None
    assert not doctor.tabs.isEnabled()
    stand.checker.close()


def test_the_doctor_keeps_to_the_draft_he_saw(qtbot: QtBot, tmp_path: Path) -> None:
    """Behind another panel he sees nothing of a map that loses its rooms, and names none by number."""
    stand = Stand(qtbot, tmp_path, Draft(CITADEL))
    doctor = doctor_of(stand, qtbot)
    qtbot.waitUntil(lambda: stand.checker.diagnosis is not None, timeout=20_000)
    rows = doctor.rooms.rowCount()
    doctor.look(False)
    stand.bench.document.apply("Clear", Draft(SOUND))
    stand.checker.check_now()
    assert stand.checker.checked == stand.bench.document.draft
    stand.checker.changed.emit()
    assert doctor.rooms.rowCount() == rows
    stand.checker.close()


@pytest.fixture
def light(qapp: QApplication) -> Iterator[None]:
    """Leave the light theme behind."""
    yield
    theme.apply(qapp, "light")


@pytest.mark.usefixtures("light")
def test_the_doctors_view_follows_the_theme(qtbot: QtBot, tmp_path: Path, qapp: QApplication) -> None:
    """Another palette and larger text reach what is already listed, in the tables behind too."""
    theme.apply(qapp, "light")
    stand = Stand(qtbot, tmp_path, Draft(CITADEL, replace(load_scenario("basic"), turns=3)))
    doctor = doctor_of(stand, qtbot)
    qtbot.waitUntil(lambda: stand.checker.diagnosis is not None, timeout=20_000)
    least = doctor.heat.minimumHeight()
    theme.apply(qapp, "dark", 2.0)
    for table in (doctor.rooms, doctor.equipment, doctor.letters):
        model = table.model()
        for at in range(table.rowCount() * table.columnCount()):
            index = model.index(at // table.columnCount(), at % table.columnCount())
            is_bad = str(index.data()) == "4 late"
            colour = theme.colors().danger if is_bad else theme.colors().ink
            assert index.data(Qt.ItemDataRole.ForegroundRole).color() == colour, index.data()
    assert doctor.heat.minimumHeight() == 2 * least
    stand.checker.close()


@pytest.mark.parametrize("mode", ["light", "dark", "contrast"])
def test_the_panels_can_be_looked_at(qtbot: QtBot, tmp_path: Path, qapp: QApplication, mode: str) -> None:
    """A picture of both panels in every palette, and nothing in them is cut off sideways."""
    theme.apply(qapp, mode)
    stand = Stand(qtbot, tmp_path, Draft(FAULTY))
    stand.select("computer-without-side")
    QApplication.processEvents()
    screenshot(stand.panel, f"problems-{mode}", tmp_path)
    assert stand.panel.tree.horizontalScrollBar().maximum() == 0
    stand.panel.resize(420, 420)
    QApplication.processEvents()
    area = stand.panel.details.area
    inner, last = area.widget(), stand.panel.details.go_button
    assert inner is not None
    foot = last.mapTo(inner, last.rect().bottomLeft()).y()
    assert foot <= area.viewport().height() + area.verticalScrollBar().maximum()
    screenshot(stand.panel, f"problems-narrow-{mode}", tmp_path)
    doctor = doctor_of(stand, qtbot)
    doctor.resize(460, 620)
    stand.bench.document.replace(Draft(CITADEL, replace(load_scenario("basic"), turns=3)), None)
    qtbot.waitUntil(lambda: not stand.checker.is_busy, timeout=20_000)
    screenshot(doctor, f"doctor-{mode}", tmp_path)
    doctor.tabs.setCurrentWidget(doctor.heat)
    QApplication.processEvents()
    screenshot(doctor, f"doctor-map-{mode}", tmp_path)
    theme.apply(qapp, "light")
    stand.checker.close()
