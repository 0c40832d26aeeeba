"""The canvas by mouse and keyboard: what tools are told, what is drawn again, what is said aloud."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QImage, QPaintEvent, QRegion, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.board.picking import UNIT
from editor.bench import Walk
from editor.canvas.layers.entries import known_of
from editor.canvas.minimap import Minimap
from editor.canvas.tracing import Tracing
from editor.canvas.view import MapCanvas
from editor.canvas.words import describe_entry
from editor.draft import Draft, Edge
from editor.edits.squares import paint, with_new_room
from editor.edits.whole import resized
from editor.selection import NOTHING, Selection
from editor.tools.base import NO_GHOST, Ghost, Keys, Spot, Tool
from engine.fortress.floorplan import FloorPlan, RoomInfo, load_floorplan
from engine.raid.scenario import Placement, Scenario, StartFigure, StartPosition
from tests.helpers.bench import Desk
from tests.helpers.canvas import edge_point, square_point
from tests.helpers.plans import CITADEL, drawn
from tests.helpers.timers import fire, is_waiting

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
pytestmark = pytest.mark.usefixtures("qapp")


class Pen(Tool):
    """A tool that notes what it is told and shows a ghost of the square under the pointer."""

    key, title, shortcut = "pen", "Pen", "P"

    def __init__(self, bench: object) -> None:
        super().__init__(bench)  # type: ignore[arg-type]
        self.told: list[tuple[str, object]] = []
        self.chosen = ""
        self.takes: frozenset[Qt.Key] = frozenset()
        self.reason = ""

    @property
    def ghost(self) -> Ghost:
        if self.spot is None or self.spot.square is None:
            return NO_GHOST
        return Ghost(squares=frozenset({self.spot.square}), letter="A", reason=self.reason)

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        return ("thin", "Thin"), ("thick", "Thick")

    def choose(self, option: str) -> None:
        self.chosen = option

    def press(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        self.told.append(("press", (spot.square, button, keys)))

    def move(self, spot: Spot, keys: Keys) -> None:
        self.told.append(("move", spot.square))

    def release(self, spot: Spot, keys: Keys) -> None:
        self.told.append(("release", spot.square))

    def double_click(self, spot: Spot, keys: Keys) -> None:
        self.told.append(("double", spot.square))

    def cancel(self) -> bool:
        self.told.append(("cancel", None))
        return True

    def key_press(self, key: Qt.Key, keys: Keys) -> bool:
        return key in self.takes

    @property
    def words(self) -> list[str]:
        """What was told, without where."""
        return [word for word, _ in self.told]


class Quick(Tool):
    """A tool that counts its presses and knows no double clicks."""

    key, title, shortcut = "quick", "Quick", "Q"
    pressed = 0

    def press(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        self.pressed += 1


class Stage:
    """A canvas on show with a pen in hand."""

    def __init__(self, qtbot: QtBot, content: FloorPlan | Draft, size: tuple[int, int] = (800, 600)) -> None:
        self.desk = Desk(content)
        self.canvas = MapCanvas(self.desk.bench)
        qtbot.addWidget(self.canvas)
        # The bot refers to it weakly; a window on show must not be taken apart by the collector.
        vars(qtbot).setdefault("windows", []).append(self.canvas)
        self.canvas.resize(*size)
        with qtbot.waitActive(self.canvas):
            self.canvas.show()
            self.canvas.activateWindow()
        self.canvas.setFocus()
        self.pen = Pen(self.desk.bench)
        self.desk.bench.take(self.pen)
        self.canvas.finish()
        QApplication.processEvents()

    def edge(self) -> Edge | None:
        """Return the edge under the pointer or cursor."""
        assert self.canvas.spot is not None
        return self.canvas.spot.edge

    def point(self, square: tuple[int, int]) -> QPoint:
        """Return the middle of a square on the viewport."""
        return square_point(self.canvas, square)

    def key(self, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Hit a key on the canvas."""
        QTest.keyClick(self.canvas, key, held)

    def wheel(self, turn: int, point: QPoint, held: Qt.KeyboardModifier) -> None:
        """Turn the wheel over a point."""
        viewport = self.canvas.viewport()
        event = QWheelEvent(
            QPointF(point),
            QPointF(viewport.mapToGlobal(point)),
            QPoint(),
            QPoint(0, turn),
            Qt.MouseButton.NoButton,
            held,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(viewport, event)


HOUSE = drawn(
    "....... .AAABB. .AAABB. .AAABB. .......",
    "door 3,2 E",
    things="tank 1,1; computer 5,1 E",
    entries="1,3 W",
)


@pytest.fixture
def stage(qtbot: QtBot) -> Stage:
    """A small house on a canvas."""
    return Stage(qtbot, HOUSE)


# Following the document


def test_an_undone_edit_is_drawn_as_it_was_before(stage: Stage) -> None:
    """Undo and redo come through the same signal as edits, and look the same."""
    canvas, document = stage.canvas, stage.desk.document
    stage.desk.bench.take(Tool(stage.desk.bench))
    canvas.finish()
    first = canvas.grab().toImage()
    document.apply("Room", Draft(with_new_room(HOUSE, [(5, 4), (6, 4)])[0]))
    canvas.finish()
    assert canvas.grab().toImage() != first
    document.undo()
    canvas.finish()
    assert canvas.grab().toImage() == first


def test_another_map_is_fitted_and_a_resized_one_stays_in_place(stage: Stage) -> None:
    """A document replaced shows all of the new map; growing it keeps the zoom."""
    canvas, document = stage.canvas, stage.desk.document
    document.replace(Draft(load_floorplan(CITADEL)), None)
    fitted = canvas.view_state()
    assert fitted.is_fitted
    assert canvas.shown_area().width() >= 32 * UNIT
    canvas.zoom_to_size()
    before = canvas.view_state()
    document.apply("Resize", resized(document.draft, right=4, bottom=2))
    after = canvas.view_state()
    assert (after.pixels, after.is_fitted) == (before.pixels, False)
    assert canvas.ground.width == 36


def test_the_view_comes_back_as_it_was(stage: Stage) -> None:
    """After a playtest the same part of the map is on show, in the same size."""
    canvas = stage.canvas
    canvas.zoom_by(3)
    canvas.scroll_by(40, 25)
    before = canvas.view_state()
    canvas.fit()
    assert canvas.view_state() != before
    canvas.restore(before)
    after = canvas.view_state()
    assert after.pixels == before.pixels
    assert abs(after.x - before.x) < 2
    assert abs(after.y - before.y) < 2


def test_names_and_tints_wait_for_a_pause_in_drawing(stage: Stage, qtbot: QtBot) -> None:
    """While a button is down no name is placed; soon after it is up all are."""
    canvas, document = stage.canvas, stage.desk.document
    QTest.mousePress(canvas.viewport(), LEFT, pos=stage.point((5, 4)))
    document.apply("Room", Draft(with_new_room(HOUSE, [(5, 4), (6, 4), (4, 4)])[0]))
    assert is_waiting(canvas)
    fire(canvas)
    assert not canvas.ground.is_settled
    QTest.mouseRelease(canvas.viewport(), LEFT, pos=stage.point((5, 4)))
    qtbot.waitUntil(lambda: canvas.ground.is_settled, timeout=3000)


# The mouse


def test_a_click_is_a_press_and_a_release_at_the_square(stage: Stage) -> None:
    """The tool is told square, button and modifiers."""
    QTest.mouseClick(stage.canvas.viewport(), LEFT, Qt.KeyboardModifier.ShiftModifier, stage.point((2, 3)))
    assert stage.pen.told == [("press", ((2, 3), LEFT, Keys(shift=True))), ("release", (2, 3))]


def test_a_drag_is_moves_between_and_no_hover(stage: Stage) -> None:
    """From press to release the tool is told of moves only."""
    viewport = stage.canvas.viewport()
    QTest.mousePress(viewport, RIGHT, pos=stage.point((1, 1)))
    for square in ((2, 1), (3, 1)):
        QTest.mouseMove(viewport, stage.point(square))
    QTest.mouseRelease(viewport, RIGHT, pos=stage.point((3, 1)))
    assert stage.pen.told[0] == ("press", ((1, 1), RIGHT, Keys()))
    assert [square for word, square in stage.pen.told if word == "move"][-1] == (3, 1)
    assert stage.pen.words[-1] == "release"


def test_the_other_button_calls_off_what_the_first_is_doing(stage: Stage) -> None:
    """A right click in the middle of a drag commits nothing, and leaves no tool stuck."""
    viewport = stage.canvas.viewport()
    QTest.mousePress(viewport, LEFT, pos=stage.point((1, 1)))
    QTest.mousePress(viewport, RIGHT, pos=stage.point((2, 1)))
    QTest.mouseRelease(viewport, RIGHT, pos=stage.point((2, 1)))
    QTest.mouseRelease(viewport, LEFT, pos=stage.point((2, 1)))
    assert stage.pen.words == ["press", "cancel"]
    QTest.mouseClick(viewport, LEFT, pos=stage.point((3, 1)))
    assert stage.pen.words[-2:] == ["press", "release"]


def test_a_door_is_picked_at_the_edge_that_is_clicked(stage: Stage) -> None:
    """The point of an edge is on that edge, at any zoom."""
    canvas = stage.canvas
    for factor in (1.0, 0.4, 3.0):
        canvas.zoom_by(factor)
        for edge in ((3, 2, "E"), (2, 1, "S"), (0, 2, "E")):
            assert canvas.spot_of(edge_point(canvas, edge)).edge == edge


def test_the_middle_button_and_space_pan_without_telling_the_tool(stage: Stage) -> None:
    """Panning is no gesture."""
    canvas, viewport = stage.canvas, stage.canvas.viewport()
    canvas.zoom_by(4)
    for press, release in ((MIDDLE, None), (LEFT, Qt.Key.Key_Space)):
        before = canvas.view_state()
        if release is not None:
            QTest.keyPress(canvas, release)
        QTest.mousePress(viewport, press, pos=QPoint(300, 300))
        QTest.mouseMove(viewport, QPoint(240, 270))
        QTest.mouseRelease(viewport, press, pos=QPoint(240, 270))
        if release is not None:
            QTest.keyRelease(canvas, release)
        assert canvas.view_state().x > before.x
    assert stage.pen.told == []


def test_ctrl_and_the_wheel_zoom_at_the_pointer_and_the_wheel_alone_scrolls(stage: Stage) -> None:
    """The square under the pointer stays under it."""
    canvas = stage.canvas
    canvas.zoom_by(2.5)
    point = QPoint(610, 410)
    before = canvas.spot_of(point)
    percent = canvas.percent
    stage.wheel(120, point, Qt.KeyboardModifier.ControlModifier)
    after = canvas.spot_of(point)
    assert canvas.percent > percent
    assert abs(after.x - before.x) < 0.1
    assert abs(after.y - before.y) < 0.1
    state = canvas.view_state()
    stage.wheel(-120, point, Qt.KeyboardModifier.NoModifier)
    assert canvas.view_state().y > state.y
    assert canvas.view_state().pixels == state.pixels
    stage.wheel(-120, point, Qt.KeyboardModifier.ShiftModifier)
    assert canvas.view_state().x > state.x


def test_a_gesture_pulled_over_the_border_scrolls(stage: Stage, qtbot: QtBot) -> None:
    """A rectangle can be larger than what is on show; when the button is up the view rests."""
    canvas, viewport = stage.canvas, stage.canvas.viewport()
    canvas.zoom_by(6)
    canvas.scroll_by(-10_000, -10_000)
    before = canvas.view_state()
    QTest.mousePress(viewport, LEFT, pos=QPoint(300, 300))
    QTest.mouseMove(viewport, QPoint(viewport.width() + 30, 300))
    qtbot.waitUntil(lambda: canvas.view_state().x > before.x + UNIT, timeout=3000)
    QTest.mouseRelease(viewport, LEFT, pos=QPoint(viewport.width() + 30, 300))
    after = canvas.view_state()
    fire(canvas)
    assert canvas.view_state() == after
    assert len([word for word in stage.pen.words if word == "move"]) > 2


def test_a_click_gives_the_canvas_the_keyboard(stage: Stage) -> None:
    """Single letters are tools only while the canvas has the focus, so a click on it must bring it there."""
    stage.canvas.clearFocus()
    assert not stage.canvas.hasFocus()
    QTest.mouseClick(stage.canvas.viewport(), LEFT, pos=stage.point((2, 2)))
    assert stage.canvas.hasFocus()


def test_zooming_never_shows_an_empty_map(stage: Stage) -> None:
    """Until there is time for the new zoom the old one is on show, enlarged."""
    canvas = stage.canvas
    canvas.zoom_by(1.5)
    canvas.ground_item.budget = 0.0
    early = canvas.grab().toImage()
    canvas.finish()
    late = canvas.grab().toImage()
    wall = edge_point(canvas, (3, 1, "E"))
    assert early.pixelColor(wall).lightness() < 80
    assert late.pixelColor(wall).lightness() < 80
    assert early != late


def test_the_border_can_be_drawn_at(stage: Stage) -> None:
    """However far in, the view scrolls past the map's border."""
    canvas = stage.canvas
    canvas.zoom_by(6)
    canvas.scroll_by(-10_000, -10_000)
    spot = canvas.spot_of(QPoint(5, 5))
    assert spot.x < -1
    assert spot.y < -1


# What is drawn again


class _Paints(QObject):
    """How many squares each paint of a viewport draws."""

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__()
        self._canvas = canvas
        self.squares: list[float] = []
        canvas.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            side = self._canvas.transform().m11() * UNIT
            self.squares.append(_area(event.region()) / side**2)
        return False


def _area(region: QRegion) -> int:
    return sum(one.width() * one.height() for one in region)  # type: ignore[attr-defined]


def test_a_hover_over_sixty_by_sixty_draws_less_than_200_squares(qtbot: QtBot) -> None:
    """The ghost costs its own squares and no others."""
    room = RoomInfo(letter="A", name="Hall", level="lower", setup="")
    stage = Stage(qtbot, FloorPlan(name="Large", grid=("A" * 60,) * 60, rooms=(room,)))
    paints = _Paints(stage.canvas)
    for at in range(30):
        QTest.mouseMove(stage.canvas.viewport(), stage.point((10 + at, 30 + at % 4)))
        QApplication.processEvents()
    assert len(paints.squares) > 10
    assert max(paints.squares) < 200


def test_an_edited_square_draws_itself_and_its_neighbours(qtbot: QtBot) -> None:
    """An edit draws a few squares again, wherever there are equipment, entries and pairs without sight."""
    stage = Stage(qtbot, load_floorplan(CITADEL))
    document = stage.desk.document
    stage.desk.bench.take(Tool(stage.desk.bench))
    QApplication.processEvents()
    paints = _Paints(stage.canvas)
    document.apply("Erase", document.draft.with_plan(paint(document.draft.plan, [(12, 11)], ".")))
    QApplication.processEvents()
    assert paints.squares
    assert max(paints.squares) < 40


# The keyboard


def test_arrows_and_enter_do_what_the_mouse_does(stage: Stage) -> None:
    """The cursor is shown, moves by squares, and Enter clicks there."""
    stage.canvas.set_cursor((2, 2))
    stage.key(Qt.Key.Key_Right)
    stage.key(Qt.Key.Key_Down)
    stage.key(Qt.Key.Key_Return)
    assert stage.canvas.cursor_square == (3, 3)
    assert stage.pen.told[-2:] == [("press", ((3, 3), LEFT, Keys())), ("release", (3, 3))]
    stage.key(Qt.Key.Key_Backspace)
    assert stage.pen.told[-2] == ("press", ((3, 3), RIGHT, Keys()))
    stage.key(Qt.Key.Key_Space)
    assert stage.pen.told[-2:] == [("press", ((3, 3), LEFT, Keys())), ("release", (3, 3))]


def test_enter_held_down_drags_and_insert_holds_by_itself(stage: Stage) -> None:
    """A rectangle can be pulled out with keys alone, with two hands or one."""
    canvas, pen = stage.canvas, stage.pen
    canvas.set_cursor((1, 1))
    pen.told.clear()
    QTest.keyPress(canvas, Qt.Key.Key_Return)
    stage.key(Qt.Key.Key_Right)
    QTest.keyRelease(canvas, Qt.Key.Key_Return)
    assert pen.words == ["press", "move", "release"]
    pen.told.clear()
    stage.key(Qt.Key.Key_Insert)
    stage.key(Qt.Key.Key_Right)
    stage.key(Qt.Key.Key_Down)
    assert pen.words == ["press", "move", "move"]
    stage.key(Qt.Key.Key_Insert)
    assert pen.told[-1] == ("release", (3, 2))


def test_escape_lets_go_of_a_held_button(stage: Stage) -> None:
    """After Esc the next Insert presses again, and nothing is released that was cancelled."""
    stage.canvas.set_cursor((1, 1))
    stage.key(Qt.Key.Key_Insert)
    stage.key(Qt.Key.Key_Escape)
    stage.pen.told.clear()
    stage.key(Qt.Key.Key_Right)
    stage.key(Qt.Key.Key_Insert)
    assert stage.pen.words == ["press"]


def test_quick_clicks_are_all_clicks_to_a_tool_without_double_clicks(stage: Stage) -> None:
    """Who toggles doors quickly loses none; a tool that knows double clicks is told of them."""
    viewport, point = stage.canvas.viewport(), stage.point((2, 2))
    QTest.mouseClick(viewport, LEFT, pos=point)
    QTest.mouseDClick(viewport, LEFT, pos=point)
    assert "double" in stage.pen.words
    plain = Quick(stage.desk.bench)
    stage.desk.bench.take(plain)
    QTest.mouseClick(viewport, LEFT, pos=point)
    pressed = plain.pressed
    QTest.mouseDClick(viewport, LEFT, pos=point)
    assert plain.pressed > pressed


def test_alt_and_an_arrow_aim_at_a_side_of_the_square(stage: Stage) -> None:
    """Doors can be set by keys: the aim is an edge, and it stays while the cursor moves on."""
    canvas = stage.canvas
    alt = Qt.KeyboardModifier.AltModifier
    canvas.set_cursor((2, 2))
    assert stage.edge() is None
    stage.key(Qt.Key.Key_Right, alt)
    assert stage.edge() == (2, 2, "E")
    stage.key(Qt.Key.Key_Up)
    assert stage.edge() == (2, 1, "E")
    stage.key(Qt.Key.Key_Right, alt)
    assert stage.edge() is None


def test_digits_choose_the_tools_options_and_tab_is_offered_to_the_tool(stage: Stage) -> None:
    """A key that the tool wants is its own; Tab that it does not want moves on."""
    stage.key(Qt.Key.Key_2)
    assert stage.pen.chosen == "thick"
    stage.key(Qt.Key.Key_7)
    assert stage.pen.chosen == "thick"
    stage.pen.takes = frozenset({Qt.Key.Key_Tab, Qt.Key.Key_Right})
    stage.key(Qt.Key.Key_Tab)
    assert stage.canvas.hasFocus()
    at = stage.canvas.cursor_square
    stage.key(Qt.Key.Key_Right)
    assert stage.canvas.cursor_square == at


def test_a_modifier_alone_shows_what_it_would_do(stage: Stage) -> None:
    """Shift pressed over a resting pointer changes the tool's keys at once."""
    QTest.mouseMove(stage.canvas.viewport(), stage.point((2, 2)))
    QTest.keyPress(stage.canvas, Qt.Key.Key_Shift)
    assert stage.pen.keys.shift
    QTest.keyRelease(stage.canvas, Qt.Key.Key_Shift)
    assert not stage.pen.keys.shift


# What is said


def test_the_words_at_an_entry_follow_the_door_before_it() -> None:
    """4.11, R10: with an armored door all come in, and the words say so as soon as it stands there."""
    plan = drawn("AA AA", entries="0,0 W")
    barred = drawn("AA AA", "armored 0,0 W", entries="0,0 W")
    assert [known_of(one, one.entries[0]).rates for one in (plan, barred)] == [
        "in 1 · out 1",
        "in all · out 1",
    ]
    assert describe_entry(barred, barred.entries[0]) == "0,0 W, in all, out 1"


def test_the_square_under_the_cursor_is_read_out(stage: Stage) -> None:
    """A screen reader hears place, room, what stands on its sides, and what is in it."""
    canvas = stage.canvas
    assert canvas.accessibleName() == "drawn, 7 by 5 squares, 2 rooms"
    canvas.set_cursor((3, 2))
    assert canvas.accessibleDescription() == "3,2, Room A, lower level, door east; set-up S T J"
    canvas.set_cursor((1, 1))
    assert "wall north, wall west; clone tank" in canvas.accessibleDescription()
    canvas.set_cursor((1, 3))
    assert "entry 1,3 W, in 1, out 1" in canvas.accessibleDescription()
    canvas.set_cursor((3, 2), "E")
    assert canvas.accessibleDescription().startswith("east side of 3,2, door; ")
    stage.desk.bench.set_marks({(0, 0): "error"})
    canvas.set_cursor((0, 0))
    assert canvas.accessibleDescription() == "0,0, rock; a problem here"


def test_the_spot_is_told_when_square_or_edge_change(stage: Stage) -> None:
    """The status bar hears of a spot once, and of None when the pointer leaves."""
    told: list[Spot | None] = []
    stage.canvas.spotHovered.connect(told.append)
    for _ in range(2):
        QTest.mouseMove(stage.canvas.viewport(), stage.point((2, 2)))
        QTest.mouseMove(stage.canvas.viewport(), stage.point((2, 2)) + QPoint(1, 1))
    assert [one.square if one is not None else None for one in told] == [(2, 2)]
    QApplication.sendEvent(stage.canvas, QEvent(QEvent.Type.Leave))
    assert told[-1] is None


# Layers


def test_sight_shows_what_is_seen_and_what_a_pair_without_sight_bars(qtbot: QtBot) -> None:
    """The engine's own table, armored doors intact, with 5.9."""
    plan = drawn("AAABBB", "open 2,0 E", no_sight="AB")
    stage = Stage(qtbot, plan)
    bench, canvas = stage.desk.bench, stage.canvas
    bench.set_overlay("sight", (0, 0))
    canvas.finish()
    assert canvas.overlay_layer.cells == {
        **{(x, 0): "seen" for x in range(3)},
        **{(x, 0): "barred" for x in range(3, 6)},
    }
    bench.set_overlay("off")
    assert canvas.overlay_layer.cells == {}


def test_reach_follows_the_pointer_and_the_drawing(stage: Stage) -> None:
    """What each square costs a Terminator (4.3), worked out anew when a wall is gone."""
    bench, canvas, document = stage.desk.bench, stage.canvas, stage.desk.document
    bench.set_overlay("reach")
    bench.set_walk(Walk(points=2))
    QTest.mouseMove(canvas.viewport(), stage.point((3, 1)))
    canvas.finish()
    assert canvas.overlay_layer.cells == {
        (3, 1): "0", (2, 1): "1", (3, 2): "1", (2, 2): "2", (3, 3): "2", (4, 2): "2"
    }  # fmt: skip
    open_plan = replace(HOUSE, edges=(replace(HOUSE.edges[0], y=1, kind="open"), *HOUSE.edges))
    document.apply("Open", Draft(open_plan))
    canvas.finish()
    assert canvas.overlay_layer.cells[4, 1] == "1"


def test_the_scenarios_counters_stand_where_it_puts_them(qtbot: QtBot) -> None:
    """Placements, or the start position with its figures outside a door."""
    scenario = Scenario(
        name="Trial",
        map="",
        placements=(Placement(kind="servant", square=(2, 2)), Placement(kind="jelly", square=(3, 3))),
    )
    stage = Stage(qtbot, Draft(HOUSE, scenario))
    layer, document = stage.canvas.figures_layer, stage.desk.document
    assert [(one.key, one.square) for one in layer.places] == [("Servant 1", (2, 2)), ("J-?", (3, 3))]
    start = StartPosition(figures=(StartFigure(name="J-3", square=(4, 1)),))
    document.apply("Start", Draft(HOUSE, replace(scenario, start=start)))
    assert [(one.key, one.square) for one in layer.places] == [("J-3", (4, 1))]


def test_what_a_start_position_destroys_is_drawn_destroyed(qtbot: QtBot) -> None:
    """Its doors and equipment by their names, and whole again when it is gone."""
    scenario = Scenario(name="Trial", map="")
    stage = Stage(
        qtbot, Draft(drawn("AAB AAB", "armored 1,0 E", "armored 0,0 W", things="tank 0,1"), scenario)
    )
    document, canvas = stage.desk.document, stage.canvas
    whole = canvas.grab().toImage()
    start = StartPosition(doors=("door 1,0 E", "door 0,0 W"), equipment=("tank 0,1",))
    document.apply("Start", document.draft._replace(scenario=replace(scenario, start=start)))
    canvas.finish()
    burst = canvas.grab().toImage()
    for point in (stage.point((0, 1)), edge_point(canvas, (1, 0, "E")), edge_point(canvas, (-1, 0, "E"))):
        box = QRect(point - QPoint(20, 20), point + QPoint(20, 20))
        assert burst.copy(box) != whole.copy(box)
    document.undo()
    canvas.finish()
    assert canvas.grab().toImage() == whole


def test_selection_marks_axis_and_flash_are_shown_and_gone(stage: Stage, qtbot: QtBot) -> None:
    """Each layer is there only while there is something on it."""
    bench, canvas = stage.desk.bench, stage.canvas
    layers = (canvas.selection_layer, canvas.marks_layer, canvas.axis_layer, canvas.flash_layer)
    assert not any(layer.isVisible() for layer in layers)
    bench.select(Selection(squares=frozenset({(1, 1)}), edges=frozenset({(3, 2, "E")})))
    bench.set_marks({(2, 2): "error", (3, 3): "warning"})
    bench.set_symmetry("x")
    bench.flashed.emit(frozenset({(4, 2)}))
    assert all(layer.isVisible() for layer in layers)
    canvas.grab()
    bench.select(NOTHING)
    bench.set_marks({})
    bench.set_symmetry("off")
    qtbot.waitUntil(lambda: not canvas.flash_layer.isVisible(), timeout=3000)
    assert not any(layer.isVisible() for layer in layers)


def test_a_refused_ghost_is_told_by_hatching_not_by_colour_alone(stage: Stage) -> None:
    """Green and red differ in their shape as well."""
    canvas, pen = stage.canvas, stage.pen

    def inks() -> int:
        image: QImage = canvas.grab().toImage()
        middle = stage.point((3, 3))
        row = [image.pixel(middle.x() + at, middle.y()) for at in range(-30, 31)]
        return sum(one != other for one, other in pairwise(row))

    QTest.mouseMove(canvas.viewport(), stage.point((3, 3)))
    legal = inks()
    pen.reason = "no wall here"
    pen.changed.emit()
    assert inks() > legal + 4


def test_go_to_brings_a_square_into_view_and_moves_the_cursor_there(qtbot: QtBot) -> None:
    """F8 shows the next problem, and Enter then acts there."""
    stage = Stage(qtbot, load_floorplan(CITADEL))
    canvas = stage.canvas
    canvas.zoom_by(5)
    stage.desk.bench.gone_to.emit((1, 14))
    assert canvas.viewport().rect().contains(stage.point((1, 14)))
    stage.desk.bench.gone_to.emit((31, 1))
    assert canvas.viewport().rect().contains(stage.point((31, 1)))
    assert canvas.cursor_square == (31, 1)


def test_the_grid_on_rock_is_shown_or_not(stage: Stage) -> None:
    """Without it rock is bare paper, as it is in print; rooms keep their lines."""
    canvas = stage.canvas
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    rock, room = (
        QRect(stage.point(one), stage.point(other)) for one, other in (((0, 4), (1, 4)), ((2, 2), (3, 3)))
    )
    canvas.finish()
    with_grid = canvas.grab().toImage()
    canvas.set_grid(is_on=False)
    canvas.finish()
    without = canvas.grab().toImage()
    assert without.copy(rock) != with_grid.copy(rock)
    assert without.copy(room) == with_grid.copy(room)


# Minimap and tracing


def test_the_minimap_waits_for_a_pause_and_moves_the_view(stage: Stage, qtbot: QtBot) -> None:
    """It is drawn once for many edits, and a click brings the place into view."""
    minimap = Minimap(stage.desk.bench, stage.canvas)
    qtbot.addWidget(minimap)
    minimap.resize(220, 160)
    qtbot.waitUntil(lambda: minimap.drawn >= 1 and not is_waiting(minimap), timeout=2000)
    before = minimap.drawn
    document = stage.desk.document
    for x in range(3):
        document.apply("Erase", document.draft.with_plan(paint(document.draft.plan, [(1 + x, 1)], ".")))
    assert minimap.drawn == before
    qtbot.waitUntil(lambda: minimap.drawn == before + 1, timeout=2000)
    stage.canvas.zoom_by(6)
    QTest.mouseClick(minimap, LEFT, pos=QPoint(200, 140))
    right = stage.canvas.view_state()
    QTest.mouseClick(minimap, LEFT, pos=QPoint(20, 20))
    left = stage.canvas.view_state()
    assert left.x < right.x
    assert left.y < right.y
    QTest.keyClick(minimap, Qt.Key.Key_Right)
    assert stage.canvas.view_state().x > left.x


def test_the_minimap_shows_problem_squares_red(stage: Stage, qtbot: QtBot) -> None:
    """As the problems of large maps are to be seen at a glance."""
    from app import theme

    minimap = Minimap(stage.desk.bench, stage.canvas)
    qtbot.addWidget(minimap)
    minimap.resize(220, 160)
    qtbot.waitUntil(lambda: minimap.drawn >= 1, timeout=2000)
    danger = theme.colors().danger

    def reds() -> int:
        image = minimap.grab().toImage()
        return sum(
            image.pixelColor(x, y) == danger for x in range(0, image.width(), 2) for y in range(0, 160, 2)
        )

    assert reds() == 0
    stage.desk.bench.set_marks({(5, 3): "error"})
    assert reds() > 20


def test_two_points_a_known_distance_apart_scale_the_tracing() -> None:
    """Of two points said to be 12 squares apart the first stays, the second is 12 squares off."""
    tracing = Tracing(path="scan.png", left=1.0, top=2.0, scale=0.05)
    made = tracing.calibrated((3.0, 4.0), (6.0, 8.0), 12)

    def moved(point: tuple[float, float]) -> tuple[float, float]:
        across, down = ((one - at) / tracing.scale for one, at in zip(point, (1.0, 2.0), strict=True))
        return made.left + across * made.scale, made.top + down * made.scale

    assert moved((3.0, 4.0)) == pytest.approx((3.0, 4.0))
    there = moved((6.0, 8.0))
    assert ((there[0] - 3) ** 2 + (there[1] - 4) ** 2) ** 0.5 == pytest.approx(12)
    with pytest.raises(ValueError, match="two different points"):
        tracing.calibrated((1, 1), (1, 1), 12)
    assert replace(tracing, is_locked=True).moved(1, 1).left == tracing.left


def test_the_tracing_image_shows_through_the_floor_and_is_no_edit(stage: Stage, tmp_path: Path) -> None:
    """It lies under the map, and the document knows nothing of it; a bad file is refused with its reason."""
    canvas, document = stage.canvas, stage.desk.document
    image = QImage(100, 100, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.blue)
    file = tmp_path / "scan.png"
    image.save(str(file))
    before = canvas.grab().toImage()
    canvas.set_tracing(Tracing(path=str(file), left=0, top=0, scale=7 / 100, opacity=1.0))
    canvas.finish()
    after = canvas.grab().toImage()
    spot = stage.point((2, 2)) + QPoint(14, 14)
    assert after.pixelColor(spot).blue() > after.pixelColor(spot).red() + 60
    assert not document.is_modified
    notes = tmp_path / "notes.txt"
    notes.write_text("no picture")
    with pytest.raises(ValueError, match=r"notes\.txt"):
        canvas.set_tracing(Tracing(path=str(notes)))
    assert canvas.tracing is not None
    canvas.set_tracing(None)
    canvas.finish()
    assert canvas.grab().toImage() == before
