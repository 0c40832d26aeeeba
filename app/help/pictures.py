"""The pictures of the help: positions drawn as text, shown by the board's own drawing.

A file of the folder "pictures" has the sections of a plan ([grid] [rooms] [edges] [equipment] [entries]), or
"map citadel" in [show] instead, and besides

    [figures]
    Rising Dream  2,1  fist2 soul1      levels; none are one of each, a Jelly's the printed ones
    Servant 1     5,1  down             face down
    J-1           4,1  out              unconscious

    [show]
    reach Rising Dream                  what the engine lets it walk to, each square with its price
    hand 3,3 / missile 3,3 / sight 3,3  squares that an attack from there reaches
    tank 3,3 / computer 3,3             squares from which that equipment can be struck
    strike door 2,1 E                   squares from which that door can be struck
    set-up                              squares where counters may be set up
    light 3,3 4,3                       these squares
    path 1,1 2,1 3,1
    target J-1                          a figure, door or piece of equipment marked as a target
    graze                               with the switch of R3 turned
    destroyed door 3,1 E                what is destroyed already
    crop 0,0 5,3                        only the squares between these two
    margin 0.9                          squares of ground around
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from app import theme
from app.board.counters import counter_pixmap, counter_symbol_pixmap
from app.board.picking import UNIT, square_rect
from app.board.scene import BoardView
from engine.fortress.board import Board, compile_board
from engine.fortress.floorplan import FloorPlan
from engine.fortress.masks import bits
from engine.fortress.plan_text import parse_floorplan_text
from engine.fortress.thing_names import door_names
from engine.raid import choices, rooms
from engine.raid.figures import CLONEMASTER, JELLIES, TERMINATOR, TERMINATOR_NAMES
from engine.raid.match import RaidMatch
from engine.raid.scenario import HouseRules, Scenario, StartFigure, StartPosition, plan_of
from engine.raid.tables import Allowances
from engine.raid.view import FigureView, View
from resources.path import resource

FOLDER: Final = "help/pictures"
MARGIN: Final = 0.3  # squares
_SECTIONS: Final = ("grid", "rooms", "edges", "equipment", "entries", "sight", "figures", "show")
_ONE_OF_EACH: Final = {"fist": 1, "kick": 1, "mist": 1, "soul": 1, "heart": 1}

Square = tuple[int, int]


class Position(NamedTuple):
    """What a picture shows: a board, what is known of its figures, and what is marked on it."""

    board: Board
    view: View | None
    lit: dict[Square, str]
    path: tuple[Square, ...]
    targets: tuple[str, ...]
    marked: tuple[str, ...]
    area: QRectF  # scene units


def _square(text: str) -> Square:
    x, _, y = text.partition(",")
    return int(x), int(y)


def _sections(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {name: [] for name in _SECTIONS}
    now = ""
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith("[") and bare.endswith("]"):
            now = bare[1:-1]
        elif bare:
            found[now].append(bare)
    return found


def _figure(line: str) -> StartFigure:
    name, _, rest = line.partition("  ")
    place, *words = rest.split()
    is_jelly = name.startswith("J-")
    levels: dict[str, int] | None = {word[:-1]: int(word[-1]) for word in words if word[-1].isdigit()}
    if not levels:
        levels = dict(_ONE_OF_EACH) if name in TERMINATOR_NAMES else None
    original = levels if name in TERMINATOR_NAMES else None
    if "out" in words:
        original, levels = (None if is_jelly else _ONE_OF_EACH), {}
    return StartFigure(
        name=name,
        square=_square(place),
        is_face_up="down" not in words,
        levels=levels,
        original=original,
    )


def _scenario(plan: FloorPlan | str, lines: list[str], shown: dict[str, list[str]]) -> Scenario:
    """Return a scenario that begins with the figures of a picture, everybody else dead."""
    placed = [_figure(line) for line in lines]
    names = {one.name for one in placed}
    terminators = max((TERMINATOR_NAMES.index(name) + 1 for name in names & set(TERMINATOR_NAMES)), default=1)
    placed += [
        StartFigure(name=name, place="dead")
        for name in (*TERMINATOR_NAMES[:terminators], "CloneMaster")
        if name not in names
    ]

    def highest(kind: str) -> int:
        return max((int(name.removeprefix(kind)) for name in names if name.startswith(kind)), default=0)

    jellies = tuple(sorted(int(name[2:]) for name in names if name.startswith("J-")))
    mover = next(iter(shown.get("reach", ())), "")
    is_raid = not mover or mover in TERMINATOR_NAMES
    destroyed = shown.get("destroyed", [])
    return Scenario(
        name="Picture",
        map=plan,
        terminators=terminators,
        jellies=len(jellies),
        jelly_numbers=jellies,
        armed_technicians=highest("Armed Technician "),
        technicians=highest("Technician "),
        servants=highest("Servant "),
        rules=HouseRules(corner_sight="graze" if "graze" in shown else "strict"),
        start=StartPosition(
            phase="terminator-move-1" if is_raid else "clonemaster-move",
            figures=tuple(placed),
            doors=tuple(one for one in destroyed if one.startswith("door")),
            equipment=tuple(one for one in destroyed if not one.startswith("door")),
        ),
    )


def _reach(match: RaidMatch, name: str) -> dict[Square, str]:
    """Return what the engine lets a figure walk to, each square with its price."""
    decision = match.decision(TERMINATOR if name in TERMINATOR_NAMES else CLONEMASTER)
    if decision is None:
        raise ValueError(f"{name} is not asked for a move")
    found: dict[Square, str] = {}
    for choice in decision.options.of(name):
        if isinstance(choice, choices.Move):
            found[choice.path[-1]] = str(decision.options.price(choice) or "")
    if not found:
        raise ValueError(f"{name} cannot move")
    return found


def _lit(board: Board, match: RaidMatch | None, shown: dict[str, list[str]]) -> dict[Square, str]:
    """Return the squares that a picture lights."""
    found: dict[Square, str] = {}
    if match is not None:
        for name in shown.get("reach", ()):
            found |= _reach(match, name)
    mask = 0
    doors = 0
    for word in ("hand", "missile", "sight"):
        for place in shown.get(word, ()):
            square = board.square(*_square(place))
            reached = {"hand": board.hand, "missile": board.missile, "sight": board.sight}[word]
            mask |= reached(square, doors) & ~board.tanks & ~(1 << square)
    for kind in ("tank", "computer"):
        for place in shown.get(kind, ()):
            square = board.square(*_square(place))
            number = next(at for at, one in enumerate(board.equipment) if one.square == square)
            mask |= (board.tank_reach(number, doors) if kind == "tank" else 1 << square) & ~board.tanks
    for name in shown.get("strike", ()):
        number = door_names(board.plan).index(name)
        mask |= sum(1 << square for square in bits(board.floor) if number in board.doors_at(square, doors))
    if "set-up" in shown:
        mask |= rooms.set_up_squares(board)
    found |= {board.xy(square): "" for square in bits(mask)}
    return found | {_square(place): "" for row in shown.get("light", ()) for place in row.split()}


def _area(plan: FloorPlan, shown: dict[str, list[str]]) -> QRectF:
    margin = float(shown["margin"][0]) if "margin" in shown else MARGIN
    if "crop" in shown:
        first, last = (_square(place) for place in shown["crop"][0].split())
    else:
        floor = [
            (x, y) for y in range(plan.height) for x in range(plan.width) if plan.room_at(x, y) is not None
        ]
        first = min(x for x, _ in floor), min(y for _, y in floor)
        last = max(x for x, _ in floor), max(y for _, y in floor)
    wide = margin * UNIT

    def edge(squares: Iterable[Square]) -> float:
        """Return the margin of a side: none where the floor goes on beyond it."""
        return 0 if any(plan.room_at(x, y) is not None for x, y in squares) else wide

    rows, columns = range(first[1], last[1] + 1), range(first[0], last[0] + 1)
    return (
        square_rect(first)
        .united(square_rect(last))
        .adjusted(
            -edge((first[0] - 1, y) for y in rows),
            -edge((x, first[1] - 1) for x in columns),
            edge((last[0] + 1, y) for y in rows),
            edge((x, last[1] + 1) for x in columns),
        )
    )


@lru_cache(maxsize=64)
def _drawn(name: str) -> tuple[FloorPlan | str, tuple[str, ...], dict[str, list[str]]]:
    """Return a shipped picture's plan, lines of figures, and what it shows by word."""
    parts = _sections(resource(f"{FOLDER}/{name}.txt").read_text(encoding="utf-8"))
    shown: dict[str, list[str]] = {}
    for line in parts["show"]:
        word, _, rest = line.partition(" ")
        shown.setdefault(word, []).append(rest.strip())
    plan: FloorPlan | str = "citadel"
    if parts["grid"]:
        text = "\n".join(f"[{key}]\n" + "\n".join(parts[key]) for key in _SECTIONS[:6])
        plan = parse_floorplan_text(text)
    return plan, tuple(parts["figures"]), shown


@lru_cache(maxsize=64)
def position(name: str) -> Position:
    """Return a shipped picture's position; raises FileNotFoundError, and BadFile for one that cannot be."""
    plan, figures, shown = _drawn(name)
    match: RaidMatch | None = None
    if figures:
        match = RaidMatch.new(
            _scenario(plan, list(figures), shown),
            "1",
            seats={TERMINATOR: "human", CLONEMASTER: "human"},
            names={TERMINATOR: "", CLONEMASTER: ""},
        )
        board = match.board
    else:
        board = compile_board(plan_of(Scenario(name="Picture", map=plan)))
    mover = shown.get("reach", [])
    return Position(
        board,
        match.view("public") if match is not None else None,
        _lit(board, match, shown),
        tuple(_square(place) for row in shown.get("path", ()) for place in row.split()),
        tuple(shown.get("target", ())),
        tuple(mover),
        _area(board.plan, shown),
    )


def board_picture(name: str, unit: float, dpr: float) -> QImage:
    """Return a shipped position as the board draws it, `unit` logical pixels a square."""
    shown = position(name)
    view = BoardView()
    view.set_board(shown.board)
    view.show_view(shown.view)
    view.set_lit(shown.lit)
    view.set_path(shown.path)
    view.set_targets(shown.targets)
    if shown.marked:
        view.set_selected(shown.marked[0])
    scale = unit / UNIT * dpr
    image = QImage(
        round(shown.area.width() * scale),
        round(shown.area.height() * scale),
        QImage.Format.Format_ARGB32_Premultiplied,
    )
    image.fill(theme.colors().paper)
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    view.scene().render(painter, QRectF(image.rect()), shown.area, Qt.AspectRatioMode.IgnoreAspectRatio)
    painter.end()
    image.setDevicePixelRatio(dpr)
    view.deleteLater()
    return image


def board_size(name: str, unit: float) -> tuple[float, float]:
    """Return how wide and high a picture is, logical pixels, with `unit` pixels a square."""
    plan, _, shown = _drawn(name)
    area = _area(plan_of(Scenario(name="Picture", map=plan)), shown)
    return area.width() / UNIT * unit, area.height() / UNIT * unit


def _sample(kind: str) -> FigureView | str:
    """Return a figure to stand for its kind."""
    if kind == "back":
        return "back"
    is_jelly = kind == "jelly"
    is_out = kind == "unconscious"
    name = {"terminator": "Rising Dream", "unconscious": "Shadow Lotus", "jelly": "J-3"}.get(kind, kind)
    levels = {"fist": 0} if is_out else None
    return FigureView(
        name=name,
        kind="terminator" if is_out else kind,
        side=TERMINATOR if kind == "terminator" or is_out else CLONEMASTER,
        place="map",
        square=None,
        is_face_up=True,
        is_conscious=not is_out,
        original=None,
        levels=levels,
        lost=0,
        weapon=JELLIES[3].weapon if is_jelly else None,
        has_fired=False,
        has_moved=False,
        allowance=getattr(Allowances(), kind, 0),
        entry=None,
    )


def counter_picture(kind: str, size: float, dpr: float) -> QImage:
    """Return the counter of a kind of figure, of "back", or of one "unconscious"."""
    return counter_pixmap(_sample(kind), size, dpr).toImage()


def symbol_picture(name: str, size: float, dpr: float) -> QImage:
    """Return the symbol of an ability or of a weapon, or another that stands on counters ("gun", "tray")."""
    return counter_symbol_pixmap(name, size, dpr).toImage()
