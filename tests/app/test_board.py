"""The board shows what one side knows, can be worked by mouse and keyboard alike, and forgets at once."""

import os
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QImage, QPixmap, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app import theme
from app.board import access, counters, labels
from app.board.access import BoardList
from app.board.items import FigureItem
from app.board.picking import UNIT, centre, edge_at, square_at
from app.board.plan import PlanArt, art_of, computer_box, tints
from app.board.scene import BoardView
from app.board.things import things_of
from engine.core.event import Event
from engine.fortress.floorplan import FloorPlan, RoomInfo, load_floorplan
from engine.fortress.levels import is_high
from engine.raid import events
from engine.raid.choices import Square
from engine.raid.figures import ABILITIES, JELLIES, TERMINATOR_NAMES
from engine.raid.tables import HitNumbers
from engine.raid.view import DoorView, EquipmentView, FigureView, View
from resources.path import resource
from tests.helpers.plans import drawn

SECRET = ("J-7", "J-1", "Rising Dream", "CloneMaster", "Servant 3")


class Stub:
    """A board reduced to its plan."""

    def __init__(self, plan: FloorPlan) -> None:
        self.plan = plan


@pytest.fixture(scope="module")
def citadel() -> FloorPlan:
    """Return the shipped plan."""
    return load_floorplan(str(resource("maps/citadel.json")))


def figure(
    name: str,
    kind: str,
    square: Square | None = (0, 0),
    *,
    is_face_up: bool = True,
    is_conscious: bool = True,
    lost: int = 0,
    levels: dict[str, int] | None = None,
    has_fired: bool = False,
) -> FigureView:
    """Return a figure as its owner sees it."""
    printed = JELLIES[int(name[2:])] if kind == "jelly" else None
    original = dict(zip(ABILITIES, printed.levels, strict=True)) if printed else None
    return FigureView(
        name=name,
        kind=kind,
        side="terminator" if kind == "terminator" else "clonemaster",
        place="map" if square is not None else "box",
        square=square,
        is_face_up=is_face_up,
        is_conscious=is_conscious,
        original=original,
        levels=levels if levels is not None else original,
        lost=lost,
        weapon=printed.weapon if printed else None,
        has_fired=has_fired,
        has_moved=False,
        allowance=5,
        entry=None,
    )


FIGURES = (
    figure("Rising Dream", "terminator", (8, 6)),
    figure("CloneMaster", "clonemaster", (25, 14)),
    figure("J-1", "jelly", (9, 6)),
    figure("J-4", "jelly", (5, 9), is_conscious=False, lost=3),
    figure("J-7", "jelly", (5, 9), is_conscious=False, lost=3),
    figure("Servant 3", "servant", (5, 9)),
    figure("Technician 2", "technician", (18, 6)),
)


def view(figures: tuple[FigureView, ...] = FIGURES, *, is_broken: bool = False) -> View:
    """Return what the Terminator player may see in a game under way."""
    return View(
        viewer="terminator",
        scenario="basic",
        turn=2,
        last_turn=10,
        phase="terminator-move-1",
        figures=figures,
        face_down=((2, 2), (30, 11)),
        doors=(
            DoorView("door 0,8 W", (0, 8), "W", is_broken),
            DoorView("door 17,9 E", (17, 9), "E", False),
        ),
        equipment=(
            EquipmentView("tank 21,0", "tank", (21, 0), None, is_broken),
            EquipmentView("computer 20,7", "computer", (20, 7), "S", is_broken),
        ),
        movement=None,
        released=(),
        free_move_kept=False,
        combats=(),
        fight=None,
        ready=(),
        points=None,
        hits=HitNumbers(),
        outcome=None,
    )


@pytest.fixture
def board(qapp: QApplication, qtbot: QtBot, citadel: FloorPlan) -> Iterator[BoardView]:
    """Return a shown board of the citadel."""
    theme.apply(qapp)
    made = BoardView()
    qtbot.addWidget(made)
    made.resize(1000, 560)
    made.set_board(Stub(citadel))
    made.set_animation_speed(0)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.set_animation_speed(0)
    theme.apply(qapp)


def at(board: BoardView, square: Square) -> QPoint:
    """Return the viewport's point over a square's dot."""
    return board.mapFromScene(centre(square))


def picture(board: BoardView) -> QImage:
    """Return what is on the screen."""
    return board.grab().toImage()


def signals(board: BoardView) -> list[tuple[str, object]]:
    """Return the list that the board's signals will fill."""
    heard: list[tuple[str, object]] = []
    board.squareClicked.connect(lambda square: heard.append(("click", square)))
    board.squareContext.connect(lambda square: heard.append(("context", square)))
    board.squareHovered.connect(lambda square: heard.append(("hover", square)))
    board.cursorMoved.connect(lambda square: heard.append(("cursor", square)))
    board.figureDropped.connect(lambda name, square: heard.append(("drop", (name, square))))
    return heard


# The plan


def test_every_room_name_stands_whole_inside_its_room(qapp: QApplication, citadel: FloorPlan) -> None:
    """No name of the citadel is left out, crosses a wall or covers a tank or computer."""
    art = PlanArt(citadel, theme.colors())
    assert set(art.labels) == {room.letter for room in citadel.rooms}
    for letter, label in art.labels.items():
        for left, top, right, bottom in label.boxes:
            corners = ((left, top), (right, top), (left, bottom), (right, bottom))
            assert all(citadel.grid[int(y)][int(x)] == letter for x, y in corners)
            for thing in citadel.equipment:
                box = (thing.x + 0.125, thing.y + 0.125, thing.x + 0.875, thing.y + 0.875)
                if thing.kind == "computer":
                    box = computer_box(thing.x, thing.y, thing.side)
                assert right <= box[0] or box[2] <= left or bottom <= box[1] or box[3] <= top


def test_a_name_that_cannot_fit_is_left_to_the_tooltip(qapp: QApplication) -> None:
    """A room too small for its name shows none rather than half of one."""
    assert labels.place_label("Incomprehensibilities", {(0, 0)}, ()) is None
    assert labels.place_label("Loo", {(0, 0)}, ()) is not None


def test_neighbouring_rooms_have_unlike_tints(citadel: FloorPlan) -> None:
    """Two rooms that share a wall never share a tint, and the levels have tints of their own."""
    found = tints(citadel)
    for y, row in enumerate(citadel.grid):
        for x, letter in enumerate(row):
            for other in (row[x + 1 : x + 2], citadel.grid[y + 1][x] if y + 1 < citadel.height else ""):
                if other not in ("", ".", letter) and letter != ".":
                    assert found[letter] != found[other], (letter, other)
    for room in citadel.rooms:
        assert found[room.letter] % 2 == is_high(room.level)


@pytest.mark.parametrize(
    "plan",
    [
        FloorPlan(name="", grid=("A",), rooms=(RoomInfo(letter="A", name="", level="", setup=""),)),
        FloorPlan(name="Rock", grid=("...", "..."), rooms=()),
        FloorPlan(name="Unlisted letters", grid=("XY", "YX"), rooms=()),
    ],
    ids=["one square", "only rock", "letters without a room"],
)
def test_unfinished_maps_can_be_drawn(board: BoardView, plan: FloorPlan) -> None:
    """A map that is just being drawn in the editor has neither names nor rooms, and shows all the same."""
    board.set_board(Stub(plan))
    assert not picture(board).isNull()
    board.set_board(None)
    assert not picture(board).isNull()


def test_a_wall_is_as_crisp_at_every_zoom(board: BoardView, citadel: FloorPlan) -> None:
    """Walls begin and end between two pixels: nothing grey lies along them."""
    wall = theme.colors().wall.rgb()
    for _ in range(4):
        board.zoom(1)
        board.centerOn(centre((9, 11)))
        image = picture(board)
        # The wall between Technicians' Quarters and Central, beside the square (8, 10), above its middle.
        point = board.mapFromScene(QPointF(9 * UNIT, 11.8 * UNIT))
        across = [image.pixel(point.x() + off, point.y()) for off in range(-8, 8)]
        run = [index for index, colour in enumerate(across) if colour == wall]
        assert run
        assert run == list(range(run[0], run[-1] + 1))
        assert len(run) % 2 == 0
        for beside in (across[run[0] - 1], across[run[-1] + 1]):
            assert beside & 0xFF > 120


def test_a_point_finds_its_square_and_edge() -> None:
    """Squares and edges are found by arithmetic, and nothing lies outside the map."""
    assert square_at(QPointF(UNIT * 3.5, UNIT * 2.1), 5, 5) == (3, 2)
    assert square_at(QPointF(-1, 5), 5, 5) is None
    assert square_at(QPointF(-0.5, 5), 5, 5) is None
    assert square_at(QPointF(UNIT * 5, 5), 5, 5) is None
    assert edge_at(QPointF(UNIT * 3.9, UNIT * 2.5), 5, 5) == (3, 2, "E")
    assert edge_at(QPointF(UNIT * 3.5, UNIT * 2.1), 5, 5) == (3, 2, "N")


@pytest.mark.parametrize("mode", theme.MODES)
def test_destroyed_things_differ_in_shape(board: BoardView, qapp: QApplication, mode: str) -> None:
    """2.53: a destroyed tank, computer or door is told from a whole one in black and white as well."""
    theme.apply(qapp, mode)
    board.show_view(view())
    whole = picture(board).convertToFormat(QImage.Format.Format_Grayscale8)
    board.show_view(view(is_broken=True))
    broken = picture(board).convertToFormat(QImage.Format.Format_Grayscale8)
    assert board.plan is not None
    for thing in things_of(board.plan, view()):
        box = board.mapFromScene(thing.box).boundingRect()
        differs = difference(whole.copy(box), broken.copy(box))
        assert (differs > 0.08) == (thing.name != "door 17,9 E"), (thing.name, differs)


def test_a_map_without_a_game_shows_its_doors_under_their_names() -> None:
    """A map's armored doors are named and told apart as in a game, however its file writes their edges."""
    plan = drawn("AAB AAB", "armored 2,1 W", "armored 1,1 E", "armored 0,0 W", things="tank 1,1")
    assert [one.name for one in things_of(plan, None)] == ["tank 1,1", "door 1,1 E", "door 0,0 W"]


def difference(one: QImage, other: QImage) -> float:
    """Return the share of pixels that differ clearly in lightness."""
    assert one.size() == other.size()
    step = 1 + one.width() // 60
    points = [(x, y) for x in range(0, one.width(), step) for y in range(0, one.height(), step)]
    apart = sum(abs((one.pixel(x, y) & 0xFF) - (other.pixel(x, y) & 0xFF)) > 40 for x, y in points)
    return apart / len(points)


# Counters


def gray(face: counters.Face, size: int) -> QImage:
    """Return a counter without its colours, on white."""
    image = counters.counter_pixmap(face, size).toImage()
    return image.convertToFormat(QImage.Format.Format_RGB32).convertToFormat(QImage.Format.Format_Grayscale8)


@pytest.mark.parametrize("size", [28, 48, 120])
def test_no_two_counters_look_alike(qapp: QApplication, size: int) -> None:
    """2.55: every kind, every Terminator and every Jelly differs from all others in black and white."""
    theme.apply(qapp)
    faces: list[counters.Face] = ["back"]
    faces += [figure(name, "terminator") for name in TERMINATOR_NAMES]
    faces += [figure(f"J-{number}", "jelly") for number in JELLIES]
    faces += [
        figure("CloneMaster", "clonemaster"),
        figure("Armed Technician 1", "armed_technician"),
        figure("Technician 1", "technician"),
        figure("Servant 1", "servant"),
        figure("LC 1", "lc"),
    ]
    pictures = [gray(face, size) for face in faces]
    for (one, first), (other, second) in combinations(zip(faces, pictures, strict=True), 2):
        assert difference(first, second) > 0.012, (one, other)


@pytest.mark.parametrize(
    "change",
    [{"is_conscious": False}, {"is_face_up": False}, {"lost": 1}],
    ids=["unconscious", "face down", "a level lost"],
)
@pytest.mark.parametrize("size", [28, 120])
def test_a_state_changes_the_shape_and_not_only_the_colour(
    qapp: QApplication, size: int, change: dict[str, object]
) -> None:
    """Unconscious, hidden and wounded figures are told apart in black and white."""
    theme.apply(qapp)
    for one in (figure("J-10", "jelly"), figure("Golden Song", "terminator")):
        changed = msgspec.structs.replace(one, **change)
        assert difference(gray(one, size), gray(changed, size)) > 0.004


@pytest.mark.parametrize("one", [figure("Rising Dream", "terminator"), figure("J-1", "jelly")])
def test_the_sign_of_the_unconscious_covers_neither_letters_nor_the_rim(
    qapp: QApplication, one: FigureView
) -> None:
    """The white disc lies inside the counter, and away from the initials, numbers and symbols on it."""
    theme.apply(qapp)
    size = 200
    image = counters.counter_pixmap(msgspec.structs.replace(one, is_conscious=False), size).toImage()
    white = theme.colors().field.rgb()
    at = [(x, y) for x in range(size) for y in range(size) if image.pixelColor(x, y).rgb() == white]
    assert at
    left, right = min(x for x, _ in at), max(x for x, _ in at)
    top, bottom = min(y for _, y in at), max(y for _, y in at)
    # Lying on its side a counter has its letters in the upper half, and is free in the lower left corner.
    assert size * 0.04 < left
    assert right < size * 0.35
    assert size * 0.68 < top
    assert bottom < size * 0.96


def test_two_levels_are_two_symbols() -> None:
    """2.553: J-1 shows Lightning Foot twice, and a level known to be lost is marked as lost."""
    assert counters.symbols_of(figure("J-1", "jelly")) == (("kick", True), ("kick", True), ("heart", True))
    wounded = figure("J-1", "jelly", lost=1, levels={"kick": 1, "heart": 1})
    assert counters.symbols_of(wounded) == (("kick", True), ("kick", False), ("heart", True))
    # R24: the opponent knows that one was lost, not which.
    unknown = msgspec.structs.replace(wounded, levels=None)
    assert counters.symbols_of(unknown) == (("kick", True), ("kick", True), ("heart", True))


def test_each_weapon_has_its_own_symbol(qapp: QApplication) -> None:
    """The weapons of the Jelly Record Sheet look unlike one another and unlike the tactics counter."""
    names = [print_.weapon for print_ in JELLIES.values() if print_.weapon]
    pictures = [
        counters.counter_symbol_pixmap("weapon", 24, weapon=weapon).toImage() for weapon in {*names, None}
    ]
    assert len(pictures) == 5
    for one, other in combinations(pictures, 2):
        assert one != other


def test_any_number_lie_in_a_square_and_one_stands(board: BoardView) -> None:
    """4.6: all three counters of a square can be seen, the conscious one in front, inside the square."""
    board.show_view(view())
    items = [board.item_of(name) for name in ("J-4", "J-7", "Servant 3")]
    assert all(items)
    places = {(item.pos().x(), item.pos().y()) for item in items if item}
    assert len(places) == 3
    lying, also, standing = (item for item in items if item)
    assert standing.zValue() > max(lying.zValue(), also.zValue())
    for item in items:
        assert item is not None
        half = item.size * UNIT / 2
        for along in (item.pos().x() - centre((5, 9)).x(), item.pos().y() - centre((5, 9)).y()):
            assert abs(along) + half <= UNIT * 0.52
    assert board.figure_at((5, 9))[0] == "Servant 3"
    assert set(board.figure_at((5, 9))) == {"Servant 3", "J-4", "J-7"}


# Secrets


def texts_of(board: BoardView, rooms: BoardList) -> str:
    """Return every word that the board would tell, by any way."""
    assert board.plan is not None
    words = [board.accessibleDescription(), board.accessibleName(), board.toolTip()]
    for y in range(board.plan.height):
        for x in range(board.plan.width):
            words.append(access.describe_square(board.plan, board.view, (x, y)))
            words += board.figure_at((x, y))
    words += [item.toolTip() for item in board.scene().items()]
    words += [item.name for item in board.scene().items() if isinstance(item, FigureItem)]
    model = rooms.model()
    words += [str(model.index(row, 0).data()) for row in range(model.rowCount())]
    return "\n".join(words)


def test_the_curtain_leaves_no_trace_of_a_counter(board: BoardView, citadel: FloorPlan) -> None:
    """A view of None takes every counter, mark, word and pixel of the last player's view away."""
    rooms = BoardList()
    rooms.set_plan(citadel)
    bare = picture(board)
    silent = texts_of(board, rooms)
    board.show_view(view())
    rooms.show_view(view())
    board.set_marked(["Rising Dream"])
    board.set_selected("Rising Dream")
    board.set_targets(["J-1", "tank 21,0"])
    board.set_lit({(7, 6): "1"})
    board.set_path([(8, 6), (7, 6)])
    board.set_cursor_square((8, 6))
    assert all(name in texts_of(board, rooms) for name in SECRET)
    assert picture(board) != bare
    board.show_view(None)
    rooms.show_view(None)
    board.set_cursor_square(None)
    assert texts_of(board, rooms) == silent
    assert not any(isinstance(item, FigureItem) for item in board.scene().items())
    assert board.item_of("Rising Dream") is None
    assert picture(board) == bare


def test_the_curtain_falls_during_an_animation(board: BoardView) -> None:
    """R29: of a move still being shown nothing stays, and the game goes on."""
    board.set_animation_speed(1)
    board.show_view(view())
    ended: list[bool] = []
    board.animate(
        (walk("Rising Dream", (8, 6), (7, 6)),),
        lambda: ended.append(board.view is None),
    )
    board.show_view(view())
    board.show_view(None)
    assert ended == [True]
    assert not any(isinstance(item, FigureItem) for item in board.scene().items())


def test_an_unknown_counter_has_no_name(board: BoardView) -> None:
    """R29: a face-down counter shows its back and its square, to the program too."""
    board.show_view(view())
    backs = [item for item in board.scene().items() if isinstance(item, FigureItem) and not item.name]
    assert {(item.pos().x(), item.pos().y()) for item in backs} == {
        (centre(square).x(), centre(square).y()) for square in ((2, 2), (30, 11))
    }
    assert all(item.face == "back" for item in backs)
    assert board.figure_at((2, 2)) == ()
    assert "face-down" in access.describe_square(board.plan, board.view, (2, 2))


# Mouse


def test_a_click_names_its_square(board: BoardView, qtbot: QtBot) -> None:
    """A click in the corner of a square picks that square and no neighbour."""
    heard = signals(board)
    corner = board.mapFromScene(QPointF(8.9 * UNIT, 6.9 * UNIT))
    QTest.mouseClick(board.viewport(), Qt.MouseButton.LeftButton, pos=corner)
    assert ("click", (8, 6)) in heard


def test_the_right_button_and_a_long_press_ask_why_not(board: BoardView, qtbot: QtBot) -> None:
    """Both ways of asking tell the square and do not click it."""
    heard = signals(board)
    point = at(board, (3, 3))
    QApplication.sendEvent(
        board.viewport(),
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, board.viewport().mapToGlobal(point)),
    )
    assert heard == [("context", (3, 3))]
    heard.clear()
    QTest.mousePress(board.viewport(), Qt.MouseButton.LeftButton, pos=at(board, (4, 4)))
    qtbot.waitUntil(lambda: ("context", (4, 4)) in heard, timeout=3000)
    QTest.mouseRelease(board.viewport(), Qt.MouseButton.LeftButton, pos=at(board, (4, 4)))
    assert not any(what == "click" for what, _ in heard)


def drag(board: BoardView, qtbot: QtBot, start: Square, stop: Square) -> None:
    """Drag with the left button from one square to another."""
    port = board.viewport()
    QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=at(board, start))
    for share in (0.3, 0.6, 1.0):
        point = at(board, start) + (at(board, stop) - at(board, start)) * share
        QTest.mouseMove(port, point)
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=at(board, stop))


def test_only_a_figure_that_may_act_can_be_dragged(board: BoardView, qtbot: QtBot) -> None:
    """Dragging a marked counter tells where it was dropped; the board itself moves nothing."""
    heard = signals(board)
    board.show_view(view())
    drag(board, qtbot, (8, 6), (6, 6))
    assert not any(what == "drop" for what, _ in heard)
    board.set_marked(["Rising Dream"])
    drag(board, qtbot, (8, 6), (6, 6))
    assert ("drop", ("Rising Dream", (6, 6))) in heard
    assert not any(what == "click" for what, _ in heard)
    item = board.item_of("Rising Dream")
    assert item is not None
    assert item.pos() == centre((8, 6))


def test_the_wheel_zooms_about_the_pointer(board: BoardView) -> None:
    """What lies under the pointer stays there, to less than half a square."""
    point = at(board, (20, 8))
    for _ in range(6):
        QApplication.sendEvent(
            board.viewport(),
            QWheelEvent(
                QPointF(point),
                QPointF(board.viewport().mapToGlobal(point)),
                QPoint(0, 0),
                QPoint(0, 120),
                Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            ),
        )
    off = board.mapToScene(point) - centre((20, 8))
    assert off.manhattanLength() < UNIT / 2
    assert board.transform().m11() * UNIT > 40


# Keyboard and words


def test_everything_can_be_done_by_keyboard(board: BoardView, qtbot: QtBot) -> None:
    """Arrows move a cursor, Enter clicks, Shift+Enter asks why not, plus and 0 zoom and fit."""
    heard = signals(board)
    board.show_view(view())
    board.set_cursor_square((8, 6))
    for key, square in ((Qt.Key.Key_Left, (7, 6)), (Qt.Key.Key_Up, (7, 5)), (Qt.Key.Key_Right, (8, 5))):
        QTest.keyClick(board, key)
        assert heard[-1] == ("cursor", square)
    QTest.keyClick(board, Qt.Key.Key_Return)
    assert heard[-1] == ("click", (8, 5))
    QTest.keyClick(board, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert heard[-1] == ("context", (8, 5))
    fitted = board.transform().m11()
    QTest.keyClick(board, Qt.Key.Key_Plus)
    assert board.transform().m11() > fitted
    QTest.keyClick(board, Qt.Key.Key_0)
    assert board.transform().m11() == fitted


def test_the_cursor_stays_on_the_map(board: BoardView, qtbot: QtBot) -> None:
    """An arrow key at the rim does nothing."""
    board.set_cursor_square((0, 0))
    QTest.keyClick(board, Qt.Key.Key_Left)
    QTest.keyClick(board, Qt.Key.Key_Up)
    assert board.cursor_square == (0, 0)


def test_tab_goes_through_the_figures_that_may_act_and_then_on(qtbot: QtBot, citadel: FloorPlan) -> None:
    """Tab visits each marked figure once and then leaves the board: the keyboard is never caught in it."""
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    board, button = BoardView(), QPushButton("Next")
    layout.addWidget(board)
    layout.addWidget(button)
    board.set_board(Stub(citadel))
    board.show_view(view())
    board.set_marked(["J-1", "Rising Dream"])
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    board.setFocus()
    QTest.keyClick(board, Qt.Key.Key_Tab)
    assert board.cursor_square == (9, 6)
    QTest.keyClick(board, Qt.Key.Key_Tab)
    assert board.cursor_square == (8, 6)
    QTest.keyClick(board, Qt.Key.Key_Tab)
    assert button.hasFocus()


def test_a_square_is_told_in_words(board: BoardView) -> None:
    """A screen reader hears the room, the counter and the price of the square under the cursor."""
    board.show_view(view())
    board.set_lit({(9, 6): "3"})
    board.set_cursor_square((9, 6))
    told = board.accessibleDescription()
    for words in ("Lower Main Corridor", "J-1", "3 movement points"):
        assert words in told
    assert "entry: Front Door" in access.describe_square(board.plan, board.view, (0, 8))


def test_the_list_holds_what_the_board_shows(qtbot: QtBot, citadel: FloorPlan) -> None:
    """Every room, known counter, face-down counter and tank has a line, and Enter on it tells the square."""
    rooms = BoardList()
    qtbot.addWidget(rooms)
    rooms.set_plan(citadel)
    rooms.show_view(view())
    model = rooms.model()
    lines = [str(model.index(row, 0).data()) for row in range(model.rowCount())]
    text = "\n".join(lines)
    assert all(room.name in text for room in citadel.rooms)
    assert all(one.name in text for one in FIGURES)
    assert text.count("Face-down counter") == 2
    assert "Clone tank" in text
    chosen: list[object] = []
    rooms.squareChosen.connect(chosen.append)
    row = next(at for at, line in enumerate(lines) if "J-1," in line)
    rooms.setCurrentIndex(model.index(row, 0))
    rooms.activated.emit(model.index(row, 0))
    assert chosen == [(9, 6)]


# Marks


def test_a_lit_square_redraws_nothing_else(board: BoardView, monkeypatch: pytest.MonkeyPatch) -> None:
    """One change costs one square: counters elsewhere are not painted again."""
    board.show_view(view())
    picture(board)
    QApplication.processEvents()
    painted: list[str] = []
    plain = counters.counter_pixmap

    def watched(face: counters.Face, size: float, dpr: float = 1.0) -> QPixmap:
        painted.append(face if isinstance(face, str) else face.name)
        return plain(face, size, dpr)

    monkeypatch.setattr(counters, "counter_pixmap", watched)
    board.set_lit({(12, 10): "2"})
    QApplication.processEvents()
    assert painted == []
    board.set_marked(["CloneMaster"])
    QApplication.processEvents()
    assert painted
    assert set(painted) == {"CloneMaster"}


def test_marks_are_seen_without_colour(board: BoardView) -> None:
    """Figures that may act, the chosen one, targets and lit squares differ in shape from plain ones."""
    board.show_view(view())
    box = board.mapFromScene(
        centre((9, 6)).x() - UNIT * 0.65, centre((9, 6)).y() - UNIT * 0.65, UNIT * 1.3, UNIT * 1.3
    ).boundingRect()

    def look() -> QImage:
        return picture(board).copy(box).convertToFormat(QImage.Format.Format_Grayscale8)

    looks = [look()]
    board.set_marked(["J-1"])
    looks.append(look())
    board.set_selected("J-1")
    looks.append(look())
    board.set_marked([])
    board.set_selected(None)
    board.set_targets(["J-1"])
    looks.append(look())
    for one, other in combinations(looks, 2):
        assert difference(one, other) > 0.02


# Animation


def walk(name: str, *path: Square) -> Event:
    """Return the event of a move."""
    return events.Moved("4.3", name, path, len(path) - 1, 0)


def moved(name: str, square: Square) -> View:
    """Return the view after a figure has moved."""
    return view(
        tuple(msgspec.structs.replace(one, square=square) if one.name == name else one for one in FIGURES)
    )


def test_a_figure_walks_and_the_new_view_waits(board: BoardView, qtbot: QtBot) -> None:
    """The board shows the way first and the outcome after it, and calls back once."""
    board.set_animation_speed(1)
    board.show_view(view())
    ended: list[str] = []
    board.animate((walk("Rising Dream", (8, 6), (7, 6), (6, 6)),), lambda: ended.append("done"))
    board.show_view(moved("Rising Dream", (6, 6)))
    assert board.figure_at((6, 6)) == ()
    item = board.item_of("Rising Dream")
    assert item is not None
    on_the_way = False

    def is_done() -> bool:
        nonlocal on_the_way
        on_the_way = on_the_way or centre((6, 6)).x() < item.pos().x() < centre((8, 6)).x()
        return bool(ended)

    qtbot.waitUntil(is_done, timeout=3000)
    assert on_the_way
    assert item.pos() == centre((6, 6))
    assert board.figure_at((6, 6)) == ("Rising Dream",)
    assert ended == ["done"]


def test_an_animation_can_be_skipped_or_switched_off(board: BoardView, qtbot: QtBot) -> None:
    """Escape or a click ends it at once at the outcome; at speed 0 nothing moves at all."""
    board.set_animation_speed(1)
    board.show_view(view())
    ended: list[int] = []
    way = walk("Rising Dream", (8, 6), (7, 6), (6, 6))
    board.animate((way,), lambda: ended.append(1))
    board.show_view(moved("Rising Dream", (6, 6)))
    QTest.keyClick(board, Qt.Key.Key_Escape)
    assert ended == [1]
    item = board.item_of("Rising Dream")
    assert item is not None
    assert item.pos() == centre((6, 6))
    board.set_animation_speed(0)
    board.animate((way,), lambda: ended.append(2))
    assert ended == [1, 2]


def test_every_kind_of_event_plays_to_its_end(board: BoardView, qtbot: QtBot) -> None:
    """Entry, reveal, dice, hits, falls and deaths run through and leave only the new view behind."""
    board.set_animation_speed(20)
    board.show_view(view())
    after = view(
        (
            *(
                msgspec.structs.replace(one, is_conscious=False) if one.name == "J-1" else one
                for one in FIGURES
                if one.name != "Technician 2"
            ),
            figure("Golden Song", "terminator", (0, 13)),
            figure("J-5", "jelly", (2, 2)),
        ),
        is_broken=True,
    )
    after = msgspec.structs.replace(after, face_down=((30, 11),))
    told: tuple[Event, ...] = (
        events.PhaseBegan("3.2", 2, "combat-1"),
        events.Entered("4.12", "Golden Song", "Sewage Outlet 2", (0, 13), 1),
        events.Revealed("4.2", "J-5", (2, 2), "choice"),
        events.AttackResolved("5.4", "Rising Dream", "fist", "J-1", "inactive", 4, 3, True),
        events.ShotRolled("R20", "CloneMaster", "Rising Dream", 3, 6, False),
        events.DoorStruck("5.7", "Rising Dream", "kick", "door 0,8 W", 2, 1, True),
        events.EquipmentDestroyed("5.8", "Rising Dream", "fist", "tank 21,0"),
        events.FellUnconscious("5.5", "J-1"),
        events.Killed("5.5", "Technician 2"),
        events.RecoveryRolled("5.6", "Nobody here", 2, 5, False),
    )
    ended: list[int] = []
    board.animate(told, lambda: ended.append(1))
    board.show_view(after)
    qtbot.waitUntil(lambda: bool(ended), timeout=8000)
    shown = {item.name for item in board.scene().items() if isinstance(item, FigureItem)}
    assert shown == {one.name for one in after.figures} | {""}
    fresh = picture(board)
    board.show_view(None)
    board.show_view(after)
    assert picture(board) == fresh


def test_a_fault_in_a_picture_never_stops_the_game(
    board: BoardView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If drawing a step fails, the outcome is shown, the game is called back, and the fault is reported."""
    board.set_animation_speed(1)
    board.show_view(view())
    ended: list[int] = []

    def fail(board: BoardView, event: Event) -> None:
        raise RuntimeError("no such picture")

    monkeypatch.setattr("app.board.animation.steps_of", fail)
    with qtbot.captureExceptions() as faults:
        board.animate((walk("Rising Dream", (8, 6), (7, 6)),), lambda: ended.append(1))
        board.show_view(moved("Rising Dream", (7, 6)))
        qtbot.waitUntil(lambda: bool(ended), timeout=3000)
    assert ended == [1]
    assert board.figure_at((7, 6)) == ("Rising Dream",)
    assert [kind for kind, _, _ in faults] == [RuntimeError]


# Looks


@pytest.mark.parametrize("mode", theme.MODES)
def test_a_new_palette_repaints_the_board(
    board: BoardView, qapp: QApplication, mode: str, tmp_path: Path
) -> None:
    """Changing the theme while a game is open changes paper, walls and counters at once."""
    board.show_view(view())
    theme.apply(qapp, "dark" if mode != "dark" else "light")
    before = picture(board)
    theme.apply(qapp, mode)
    QApplication.sendPostedEvents(board, QEvent.Type.PaletteChange.value)
    after = picture(board)
    folder = Path(os.environ.get("KUNGFU_SCREENSHOTS", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    assert after.save(str(folder / f"board-{mode}.png"))
    assert before != after
    wall = board.mapFromScene(QPointF(9 * UNIT, 11.8 * UNIT))
    assert after.pixelColor(wall) == theme.colors().wall


def test_who_waits_outside_a_door_is_seen_there(board: BoardView) -> None:
    """R10, R12: figures outside the front door stand beside it, can be picked there and are in the list."""
    waiting = tuple(
        msgspec.structs.replace(figure(f"LC {n}", "lc"), place="waiting", entry="Front Door")
        for n in (1, 2, 3)
    )
    board.show_view(view((*FIGURES, *waiting)))
    assert board.figure_at((-1, 8)) == ("LC 1", "LC 2", "LC 3")
    items = [board.item_of(f"LC {n}") for n in (1, 2, 3)]
    assert all(item is not None and item.pos().x() < 0 for item in items)
    assert len({item.pos().y() for item in items if item is not None}) == 3
    clicked: list[tuple[int, int]] = []
    board.squareClicked.connect(clicked.append)
    point = board.mapFromScene(centre((-1, 8)))
    QTest.mouseClick(board.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert clicked == [(-1, 8)]
    text = access.describe_square(board.plan, board.view, (-1, 8))
    assert text.startswith("Outside the Front Door; LC 1")
    assert any("LC 2" in row for row, _ in access.rows_of(board.plan, board.view))
    board.show_view(None)
    assert board.figure_at((-1, 8)) == ()


def test_a_plan_is_made_ready_once_for_all_boards(qapp: QApplication, citadel: FloorPlan) -> None:
    """The next board of the same plan need not wait for it; another palette or plan has its own."""
    light, dark = theme.palette_of("light"), theme.palette_of("dark")
    first = art_of(citadel, light)
    assert art_of(msgspec.structs.replace(citadel), light) is first
    assert art_of(citadel, dark).colors is dark
    other = msgspec.structs.replace(citadel, name="Another")
    assert art_of(other, light).plan is other
