"""The symbol chart: what is drawn on the map, on counters and on markers, and what it means (2.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from app import theme
from app.board.art import drawing
from app.board.counters import Face, draw_counter
from app.board.picking import UNIT
from app.board.things import draw_thing, things_of
from editor.printing import marks
from editor.printing.art import art_of
from editor.printing.chips import draw_marker
from editor.printing.inks import BLACK_AND_WHITE, MODE, inks
from editor.printing.options import PrintOptions
from editor.printing.paper import MM, Page, area_of
from editor.printing.pieces import sample
from engine.fortress.floorplan import EdgeKind, EdgeOverride, Entry, Equipment, FloorPlan, RoomInfo, Side
from engine.raid.scenario import Scenario

TITLE: Final = 9.0 * MM
ROW: Final = 13.5 * MM
HEAD: Final = 8.0 * MM
SIDE: Final = 11.5 * MM
"""The side of a square, and of a counter, on the chart."""
PICTURE: Final = 2 * SIDE
COLUMN: Final = 88.0 * MM
BETWEEN: Final = 8.0 * MM

Draw = Callable[[QPainter, QRectF, theme.Colors], None]


class Symbol(NamedTuple):
    """What is drawn, what it is called, and what it means; without a drawing the heading of some."""

    name: str
    meaning: str = ""
    draw: Draw | None = None

    @property
    def height(self) -> float:
        """How high its line is, units."""
        return HEAD if self.draw is None else ROW


def symbol_pages(scenario: Scenario, options: PrintOptions) -> Iterator[Page]:
    """Yield the symbol chart, lying the way that takes fewer sheets."""
    colors = inks(options.is_black_and_white)
    look = BLACK_AND_WHITE if options.is_black_and_white else MODE
    laid = [
        (is_landscape, _flow(tuple(symbols(look)), area_of(options, is_landscape)))
        for is_landscape in options.lies_across()
    ]
    is_landscape, sheets = min(laid, key=lambda one: len(one[1]))
    for number, columns in enumerate(sheets, 1):
        name = "Symbol chart" if len(sheets) == 1 else f"Symbol chart {number}"
        area = area_of(options, is_landscape)
        yield Page(name, "symbols", is_landscape, partial(_paint, area, columns, name, scenario.name, colors))


def _flow(every: Sequence[Symbol], area: QRectF) -> list[list[list[Symbol]]]:
    """Return the symbols by sheets and columns, no heading at the foot of one."""
    across = _columns(area)
    room = area.height() - TITLE
    sheets: list[list[list[Symbol]]] = [[[]]]
    left = room
    for at, one in enumerate(every):
        needed = one.height
        if one.draw is None and at + 1 < len(every):
            needed += every[at + 1].height
        if needed > left:
            if len(sheets[-1]) < across:
                sheets[-1].append([])
            else:
                sheets.append([[]])
            left = room
        sheets[-1][-1].append(one)
        left -= one.height
    return sheets


def _columns(area: QRectF) -> int:
    return max(1, int((area.width() + BETWEEN) // (COLUMN + BETWEEN)))


def _paint(
    area: QRectF,
    columns: Sequence[Sequence[Symbol]],
    name: str,
    about: str,
    colors: theme.Colors,
    painter: QPainter,
) -> None:
    title = QRectF(area.left(), area.top(), area.width(), TITLE - MM)
    marks.write_line(painter, title, f"{name} (2.2)", 5.0, colors.ink, is_bold=True)
    across = _columns(area)
    wide = (area.width() - (across - 1) * BETWEEN) / across
    for column, some in enumerate(columns):
        left, top = area.left() + column * (wide + BETWEEN), area.top() + TITLE
        for one in some:
            box = QRectF(left, top, wide, one.height)
            if one.draw is None:
                marks.write_line(painter, box, one.name, 3.8, colors.ink, is_bold=True)
            else:
                _paint_symbol(painter, box, one, one.draw, colors)
            top += one.height
    marks.foot(painter, area, name, about, colors)


def _paint_symbol(painter: QPainter, box: QRectF, symbol: Symbol, draw: Draw, colors: theme.Colors) -> None:
    picture = QRectF(box.left(), box.center().y() - SIDE / 2, PICTURE, SIDE)
    painter.save()
    draw(painter, picture, colors)
    painter.restore()
    text = QRectF(picture.right() + 3 * MM, picture.top(), box.right() - picture.right() - 3 * MM, SIDE / 2)
    marks.write_line(painter, text, symbol.name, 3.3, colors.ink, is_bold=True)
    marks.write_line(painter, text.translated(0, SIDE / 2 - MM), symbol.meaning, 2.8, colors.soft)


# What is on it


def symbols(look: str) -> Iterator[Symbol]:
    """Yield all symbols under their headings, those of the map in one of the looks of `art_of`."""
    yield Symbol("The map")
    yield Symbol("Outer wall", "Nobody crosses it; hatched beyond it is rock (2.1).", _map(look, _room("A.")))
    yield Symbol("Wall", "Nobody crosses it, sees or strikes over it (2.1, R2).", _between(look, "wall"))
    yield Symbol("Door", "Everybody goes and strikes through it (2.1).", _between(look, "door"))
    yield Symbol("Armored door", "Bars Terminators until it is broken (4.41).", _between(look, "armored"))
    yield Symbol(
        "Drop-off", "+2 to cross without Monkey Soul (4.42).", _between(look, "dropoff", level="upper")
    )
    yield Symbol("Entry", "Terminators come in and leave by it (4.1, 4.7).", _map(look, _entry("W")))
    yield Symbol("Entry through a pipe", "They come up from below (4.12).", _map(look, _entry(None)))
    yield Symbol("Set-up letters", "Who may be set up in the room (6.1).", _map(look, _room("AA", "STJ")))
    yield Symbol("Clone tank", "Nobody enters it; struck from beside it (4.5, 5.8).", _thing(look, "tank"))
    yield Symbol("Computer", "Struck from its own square (4.5, 5.8).", _thing(look, "computer"))
    yield Symbol("Markers")
    for kind, name, meaning in (
        ("door-destroyed", "Armored door, destroyed", "Everybody goes through (5.7)."),
        ("tank-destroyed", "Clone tank, destroyed", "Still nobody enters it (2.53, R2)."),
        ("computer-destroyed", "Computer, destroyed", "It counts as destroyed equipment (2.53)."),
        ("unconscious", "Unconscious", "No level is left; one more hit kills (5.5)."),
        ("fired", "Has fired", "A gun fires once a turn (R23)."),
    ):
        yield Symbol(name, meaning, partial(_draw_marker, kind))
    yield Symbol("Counters")
    for face, name, meaning in (
        ("Rising Dream", "Terminator", "His initials and stance; below, his movement (2.551)."),
        ("CloneMaster", "CloneMaster", "He has a gun (2.552)."),
        ("J-7", "Jelly", "Its number and a symbol for each level (2.553)."),
        ("Technician 1", "Technician", "An atom; unarmed (2.554)."),
        ("Armed Technician 1", "Armed technician", "An atom and a gun (2.555)."),
        ("Servant 1", "Servant", "A serving tray (2.556)."),
        ("LC 1", "Local Constabulary", "A badge and a gun, at any range (2.557, 6.2)."),
        ("back", "Face down", "Not released: only its place is known (4.2, R29)."),
    ):
        yield Symbol(name, meaning, partial(_draw_figure, face if face == "back" else sample(face)))
    yield Symbol("Skills and weapons")
    for art, name, meaning in (
        ("fist", "Iron Fist", "A punch (5.4)."),
        ("kick", "Lightning Foot", "A kick (5.4)."),
        ("mist", "Body of Mist", "A defence, best against punches (5.4)."),
        ("soul", "Monkey Soul", "A defence, best against kicks; dodges bullets (5.4)."),
        ("heart", "Mountain Heart", "Recovers, and is no counter (5.6)."),
        ("nunchaku", "Nunchaku", "A weapon (5.4)."),
        ("bo-stave", "Bo stave", "A weapon (5.4)."),
        ("kon-go", "Kon-go", "A weapon (5.4)."),
        ("throwing-spikes", "Throwing spikes", "A weapon that is thrown (5.1, R19)."),
        ("gun", "Gun", "Fires last, once a turn (5.4, R23)."),
    ):
        yield Symbol(name, meaning, partial(_draw_art, art))


def _plan(
    row: str, edges: Sequence[EdgeOverride] = (), *, setup: str = "", level: str = "lower"
) -> FloorPlan:
    """Return a row of squares whose rooms have no names; the second room has a level of its own."""
    rooms = tuple(
        RoomInfo(letter=letter, name="", level="lower" if letter == "A" else level, setup=setup)
        for letter in sorted(set(row) - {"."})
    )
    return FloorPlan(name="", grid=(row,), rooms=rooms, edges=tuple(edges))


def _room(row: str, setup: str = "") -> FloorPlan:
    return _plan(row, setup=setup)


def _between(look: str, kind: EdgeKind, *, level: str = "lower") -> Draw:
    return _map(look, _plan("AB", [EdgeOverride(x=0, y=0, side="E", kind=kind)], level=level))


def _entry(side: Side | None) -> FloorPlan:
    """Return three rows of which the middle one has an entry from the west."""
    plan = FloorPlan(name="", grid=("AA", ".A", "AA"), rooms=_room("A").rooms)
    return replace(plan, entries=(Entry(name="", x=1, y=1, enter=1, leave=1, side=side),))


def _thing(look: str, kind: str) -> Draw:
    thing = (
        Equipment(kind="tank", x=0, y=0) if kind == "tank" else Equipment(kind="computer", x=0, y=0, side="S")
    )
    return _map(look, replace(_room("AA"), equipment=(thing,)))


def _map(look: str, plan: FloorPlan) -> Draw:
    return partial(_draw_map, look, plan)


def _draw_map(look: str, plan: FloorPlan, painter: QPainter, box: QRectF, colors: theme.Colors) -> None:
    """Draw the middle row of a map, cut off in its rim."""
    art = art_of(plan, look)
    painter.setClipRect(box)
    scale = box.height() * 0.86 / UNIT
    painter.translate(box.center())
    painter.scale(scale, scale)
    painter.translate(-QPointF(plan.width, plan.height) * (UNIT / 2))
    art.draw(painter, art.bounds, 47.0 * box.height() * 0.86 / MM)
    for thing in things_of(plan, None):
        draw_thing(painter, thing, colors)


def _draw_marker(kind: str, painter: QPainter, box: QRectF, colors: theme.Colors) -> None:
    draw_marker(kind, colors, painter, _middle(box))


def _draw_figure(face: Face, painter: QPainter, box: QRectF, colors: theme.Colors) -> None:
    draw_counter(painter, _middle(box), face, colors)


def _draw_art(art: str, painter: QPainter, box: QRectF, colors: theme.Colors) -> None:
    inset = SIDE * 0.1
    place = _middle(box).adjusted(inset, inset, -inset, -inset)
    drawing(art).draw(painter, place, colors.ink, colors.paper)


def _middle(box: QRectF) -> QRectF:
    """Return the square in the middle of a symbol's place."""
    return QRectF(box.center().x() - SIDE / 2, box.top(), SIDE, SIDE)
