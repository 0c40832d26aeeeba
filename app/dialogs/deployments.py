"""The CloneMaster player's set-ups kept by name, and a sensible one to start with at once (6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app import theme
from app.folders import data_folder
from app.markup import as_text
from app.panels.widgets import ActionButton, Label, column, row
from engine.core.files import BadFile, Part, decode, encode, read_bytes, write_atomic
from engine.raid.choices import Place
from engine.raid.tables import CLONE_WALKER
from resources.path import resource

if TYPE_CHECKING:
    from engine.core.decision import Options
    from engine.fortress.board import Board
    from engine.raid.scenario import Scenario
    from engine.raid.view import FigureView

FORMAT: Final = "kungfu2100.deployment"
VERSION: Final = 1
SHIPPED: Final = "deployments"
SIZE_LIMIT: Final = 1024 * 1024  # bytes; a deployment holds some dozens of lines


class PlacedCounter(Part, frozen=True, kw_only=True):
    """One counter of a deployment."""

    figure: str
    square: tuple[int, int]


class Deployment(Part, frozen=True, kw_only=True):
    """Where a CloneMaster player puts his counters; `map` names the map it was made for."""

    name: str
    map: str
    notes: str = ""
    counters: tuple[PlacedCounter, ...] = ()


class Stored(NamedTuple):
    """A deployment at hand: `path` None where it is shipped; `problem` says why it cannot be read."""

    name: str
    path: Path | None
    deployment: Deployment | None
    problem: str


class Forces(NamedTuple):
    """What a game has to set up: its map's name, the counters, and how many Jellies of them."""

    map: str
    figures: tuple[FigureView, ...]
    jellies: int

    @property
    def total(self) -> int:
        """How many counters are to lie on the map in the end."""
        return self.jellies + sum(figure.kind != "jelly" for figure in self.figures)


class Chooser(Protocol):
    """What placing needs of a random generator; `random.Random` has it."""

    def random(self) -> float: ...

    def shuffle(self, items: list[str], /) -> None: ...


# Files


def folder() -> Path:
    """Return where the player's deployments are kept."""
    return data_folder() / "deployments"


def file_name(name: str) -> str:
    """Return the file's name for a deployment's name: letters and digits of it, which no system refuses."""
    clean = "".join(letter if letter.isalnum() else "-" for letter in name.strip().lower())
    return f"{clean[:60] or 'deployment'}.json"


def parse_deployment(raw: bytes, path: str = "") -> Deployment:
    """Return the deployment that a file's bytes hold; raises BadFile."""
    return decode(raw, Deployment, FORMAT, VERSION, path=path)


def save(deployment: Deployment) -> Path:
    """Keep a deployment under its name, over an older one of that name; raises OSError."""
    path = folder() / file_name(deployment.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, encode(deployment, FORMAT, VERSION))
    return path


def stored() -> list[Stored]:
    """Return the shipped deployments, then the player's own by name; spoilt files are told, not hidden."""
    found = []
    for file in sorted(resource(SHIPPED).iterdir(), key=lambda one: one.name):
        if file.name.endswith(".json"):
            shipped = parse_deployment(file.read_bytes(), file.name)
            found.append(Stored(shipped.name, None, shipped, ""))
    own = []
    for path in sorted(folder().glob("*.json")) if folder().is_dir() else ():
        try:
            one = parse_deployment(read_bytes(path, SIZE_LIMIT), str(path))
            own.append(Stored(one.name, path, one, ""))
        except BadFile as error:
            own.append(Stored(path.stem, path, None, error.problems[0]))
    return found + sorted(own, key=lambda one: one.name.lower())


# A sensible set-up


def _ways(board: Board, goals: Iterable[int]) -> list[int]:
    """Return each square's cost to the nearest of the goals; squares that reach none get a large number."""
    tables = [board.distances(CLONE_WALKER, 0, goal) for goal in goals]
    far = board.size
    if not tables:
        return [far] * board.size
    return [min((cost if 0 <= cost < far else far) for cost in row_) for row_ in zip(*tables, strict=True)]


def _beside(board: Board, square: int) -> list[int]:
    """Return the squares around a piece of equipment where somebody can stand, its own if that is free."""
    if not board.tanks >> square & 1:
        return [square]
    x, y = board.xy(square)
    around = [board.square(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    return [one for one in around if one >= 0 and board.floor >> one & 1 and not board.tanks >> one & 1]


def _wish(kind: str, to_entry: int, to_equipment: int, is_front: bool) -> float:
    """Return how little a square suits a kind; less is better.

    The CloneMaster hides deep inside; half of the Jellies wait where Terminators come in, which turns
    them up early, and half at the equipment; guns and technicians stand at the equipment, and
    servants in the way (8).
    """
    if kind == "clonemaster":
        return -0.5 * to_entry
    if kind == "jelly":
        return abs(to_entry - 6) if is_front else to_equipment
    if kind == "servant":
        return 0.6 * to_entry
    return to_equipment


_ORDER: Final = ("clonemaster", "jelly", "armed_technician", "technician", "servant")


def sensible(
    board: Board, figures: Sequence[FigureView], options: Options, scenario: Scenario, chooser: Chooser
) -> list[Place]:
    """Return places for every counter still in the box, each among its offered squares.

    The Jellies that must be taken are, and no room gets more than its limit (6.3, 7.3). Chance keeps an
    opponent from knowing it by heart.
    """
    entry = _ways(board, [one.square for one in board.entries])
    goals = [square for thing in board.equipment for square in _beside(board, thing.square)]
    equipment = _ways(board, goals)
    taken = {figure.square for figure in figures if figure.square is not None}
    crowd: dict[int, int] = {}

    for square in taken:
        room = board.room_of[board.square(*square)]
        crowd[room] = crowd.get(room, 0) + 1
    waiting: dict[str, list[str]] = {kind: [] for kind in _ORDER}
    for figure in figures:
        if figure.place == "box" and figure.kind in waiting:
            waiting[figure.kind].append(figure.name)
    chooser.shuffle(waiting["jelly"])
    placed = sum(figure.kind == "jelly" and figure.place == "map" for figure in figures)
    required = {f"J-{number}" for number in scenario.required_jellies}
    waiting["jelly"].sort(key=lambda name: name not in required)
    waiting["jelly"] = waiting["jelly"][: max(0, scenario.jellies - placed)]
    home: dict[str, int] = {}
    if scenario.room_limit:
        names = [name for kind in _ORDER for name in waiting[kind]]
        home = _rooms_for(board, names, options, crowd, scenario.room_limit, chooser)
    found: list[Place] = []
    for kind in _ORDER:
        for count, name in enumerate(waiting[kind]):
            best: Place | None = None
            least = float("inf")
            for choice in options.of(name):
                if not isinstance(choice, Place) or choice.square in taken:
                    continue
                at = board.square(*choice.square)
                if name in home and board.room_of[at] != home[name]:
                    continue
                cost = (
                    _wish(kind, entry[at], equipment[at], count % 2 == 0)
                    + 1.6 * crowd.get(board.room_of[at], 0)
                    + 4 * chooser.random()
                )
                if cost < least:
                    best, least = choice, cost
            if best is None:
                continue  # no square left for it; the panel says so
            found.append(best)
            taken.add(best.square)
            room = board.room_of[board.square(*best.square)]
            crowd[room] = crowd.get(room, 0) + 1
    return found


def _rooms_for(
    board: Board, names: Sequence[str], options: Options, held: dict[int, int], limit: int, chooser: Chooser
) -> dict[str, int]:
    """Return a room for each counter so that as many as can be find one and none is over its limit (6.3)."""
    from scipy.optimize import linear_sum_assignment

    squares = [
        {board.square(*choice.square) for choice in options.of(name) if isinstance(choice, Place)}
        for name in names
    ]
    places: list[int] = []  # a room, once for each counter that it can still take
    for room in range(len(board.rooms)):
        free = {at for one in squares for at in one if board.room_of[at] == room}
        places += [room] * max(0, min(limit - held.get(room, 0), len(free)))
    open_rooms = [{board.room_of[at] for at in one} for one in squares]
    costs = [[chooser.random() if room in rooms else _BARRED for room in places] for rooms in open_rooms]
    if not names or not places:
        return {}
    rows, columns = linear_sum_assignment(costs)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return {names[at]: places[to] for at, to in pairs if costs[at][to] < _BARRED}


_BARRED: Final = 1000.0  # more than all else together, for a room where a counter may not lie


def taken_down(name: str, map_name: str, figures: Iterable[FigureView]) -> Deployment:
    """Return the counters on the map as a deployment."""
    counters = tuple(
        PlacedCounter(figure=figure.name, square=figure.square)
        for figure in figures
        if figure.side == "clonemaster" and figure.square is not None
    )
    return Deployment(name=name, map=map_name, counters=counters)


def misfit(deployment: Deployment, forces: Forces) -> str:
    """Return in what a deployment does not suit a game's forces, "" where it does."""
    if deployment.map != forces.map:
        return f"Made for another map, “{deployment.map}”."
    known = {figure.name for figure in forces.figures}
    usable = {counter.figure for counter in deployment.counters if counter.figure in known}
    jellies = sum(name.startswith("J-") for name in usable)
    spare = len(deployment.counters) - len(usable) + max(0, jellies - forces.jellies)
    short = forces.total - len(usable) + max(0, jellies - forces.jellies)
    parts = [f"{spare} of its counters are not in this game"] if spare else []
    parts += [f"{short} of this game's {forces.total} counters stay in the tray"] if short else []
    return f"{'; '.join(parts)}." if parts else ""


# The dialog


class DeploymentsDialog(QDialog):
    """Keeps deployments by name. `loaded` carries the one to use."""

    loaded = Signal(object)

    def __init__(self, current: Deployment, forces: Forces, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Deployments")
        self._current = current
        self._forces = forces
        self._stored: list[Stored] = []
        self.list = QListWidget()
        self.list.setAccessibleName("Saved deployments")
        self.list.setWordWrap(True)
        self.list.itemSelectionChanged.connect(self._follow)
        self.list.itemActivated.connect(self._load)
        self.name = QLineEdit()
        self.name.setPlaceholderText("Name for the counters as they stand now")
        self.name.setAccessibleName("Name to save under")
        self.name.textChanged.connect(self._follow)
        self.name.returnPressed.connect(self._save)
        self.load_button = ActionButton("Use this one", "", is_main=True)
        self.load_button.clicked.connect(self._load)
        self.delete_button = ActionButton("Delete", "")
        self.delete_button.clicked.connect(self._delete)
        self.save_button = ActionButton("Save", "")
        self.save_button.clicked.connect(self._save)
        self.close_button = ActionButton("Close", "")
        self.close_button.clicked.connect(self.reject)
        self._note = Label("", "small", is_soft=True)
        number = len(current.counters)
        self._head = Label(
            f"{number} counter{'' if number == 1 else 's'} on the map now", "small", is_soft=True
        )
        save_row = row(self.name, self.save_button)
        save_row.setStretch(0, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.addLayout(
            column(
                Label("Deployments", "title", is_title=True),
                self.list,
                self._note,
                row(self.load_button, self.delete_button),
                self._head,
                save_row,
                self.close_button,
            )
        )
        self.resize(min(theme.size("body") * 32, 1240), min(theme.size("body") * 30, 680))
        self.refresh()

    def refresh(self) -> None:
        """Read the folder anew."""
        self._stored = sorted(stored(), key=lambda one: bool(self._misfit(one)))
        self.list.clear()
        for one in self._stored:
            where = "shipped" if one.path is None else "yours"
            if one.problem:
                where = "unreadable"
            elif self._misfit(one):
                where += ", fits in part"
            item = QListWidgetItem(f"{one.name}  ({where})")
            item.setData(Qt.ItemDataRole.ToolTipRole, as_text(one.problem) or None)
            self.list.addItem(item)
        if self._stored:
            self.list.setCurrentRow(0)
        self._follow()

    def _misfit(self, one: Stored) -> str:
        return misfit(one.deployment, self._forces) if one.deployment is not None else one.problem

    def selected(self) -> Stored | None:
        """Return the deployment chosen in the list."""
        at = self.list.currentRow()
        return self._stored[at] if 0 <= at < len(self._stored) else None

    @Slot()
    def _follow(self) -> None:
        one = self.selected()
        self.load_button.setEnabled(one is not None and one.deployment is not None)
        self.delete_button.setEnabled(one is not None and one.path is not None)
        self.save_button.setEnabled(bool(self.name.text().strip()) and bool(self._current.counters))
        note = ""
        if one is not None and one.problem:
            note = one.problem
        elif one is not None and one.deployment is not None:
            note = one.deployment.notes or f"{len(one.deployment.counters)} counters on {one.deployment.map}"
            note = "\n".join(filter(None, (note, self._misfit(one))))
        self._note.setText(note)

    @Slot()
    def _load(self) -> None:
        one = self.selected()
        if one is not None and one.deployment is not None:
            self.loaded.emit(one.deployment)
            self.accept()

    @Slot()
    def _delete(self) -> None:
        one = self.selected()
        if one is not None and one.path is not None:
            one.path.unlink(missing_ok=True)
            self.refresh()

    @Slot()
    def _save(self) -> None:
        name = self.name.text().strip()
        if not name or not self._current.counters:
            return
        kept = Deployment(name=name, map=self._current.map, notes="", counters=self._current.counters)
        try:
            save(kept)
        except OSError as error:
            self._note.setText(f"Not saved: {error.strerror or error}")
            return
        self.name.clear()
        self.refresh()
        rows = [at for at, one in enumerate(self._stored) if one.path is not None and one.name == name]
        self.list.setCurrentRow(rows[0] if rows else 0)
        self._note.setText(f"Saved as “{name}”.")
