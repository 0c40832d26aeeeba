"""What a screen reader hears of the board, and the board as a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QListView, QWidget

from app import theme
from app.board.stacks import doorsteps
from app.board.things import Thing, things_of
from engine.fortress.floorplan import COMPASS_NAMES, FloorPlan
from engine.raid.choices import Square
from engine.raid.figures import KIND_NAMES
from engine.raid.view import FigureView, View

Row = tuple[str, Square | None]


def describe_figure(figure: FigureView) -> str:
    """Return a figure's name and state in words."""
    words = [figure.name]
    kind = KIND_NAMES[figure.kind]
    if not figure.name.startswith(kind):
        words.append(kind)
    if not figure.is_face_up:
        words.append("face down")
    if not figure.is_conscious:
        words.append("unconscious")
    if figure.lost:
        words.append(f"{figure.lost} lost")
    if figure.has_fired:
        words.append("has fired")
    return ", ".join(words)


def figures_at(view: View | None, square: Square) -> tuple[FigureView, ...]:
    """Return the figures that a viewer knows in a square, the conscious one first."""
    if view is None:
        return ()
    found = [one for one in view.figures if one.place == "map" and one.square == square]
    return tuple(sorted(found, key=lambda one: not one.is_conscious))


def figures_outside(view: View | None, entry: str) -> tuple[FigureView, ...]:
    """Return the figures that stand outside an entry (R10, R12)."""
    return tuple(one for one in view.figures if one.entry == entry) if view is not None else ()


def describe_square(plan: FloorPlan | None, view: View | None, square: Square, note: str = "") -> str:
    """Return a square's room, place, counters and equipment in words; `note` is what it costs."""
    if plan is None:
        return ""
    room = plan.room_at(*square)
    outside = next((entry for entry, step in doorsteps(plan).items() if step == square), None)
    if room is None and outside is not None:
        return "; ".join([f"Outside the {outside}", *map(describe_figure, figures_outside(view, outside))])
    words = [f"{room.name if room else 'Rock'}, {square[0]},{square[1]}"]
    words += [describe_figure(figure) for figure in figures_at(view, square)]
    if view is not None and square in view.face_down:
        words.append("a face-down counter")
    words += [describe_thing(thing) for thing in things_of(plan, view) if (thing.x, thing.y) == square]
    words += [f"entry: {entry.name}" for entry in plan.entries if (entry.x, entry.y) == square]
    if note:
        points = "movement point" if note == "1" else "movement points"
        words.append(f"you may go here for {note} {points}" if note.isdigit() else note)
    return "; ".join(words)


def describe_thing(thing: Thing) -> str:
    """Return a piece of equipment or an armored door, and its state, in words."""
    state = "destroyed " if thing.is_destroyed else ""
    if thing.kind == "armored":
        return f"{state}armored door, {COMPASS_NAMES[thing.side or 'E']} side"
    return state + ("clone tank" if thing.kind == "tank" else thing.kind)


def announce(widget: QWidget, text: str) -> None:
    """Have a screen reader speak a text, and keep it as the widget's description."""
    widget.setAccessibleDescription(text)
    if text and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


def rows_of(plan: FloorPlan | None, view: View | None) -> list[Row]:
    """Return the board as lines: each room, then the counters and equipment in it."""
    if plan is None:
        return []
    inside: dict[str, list[Row]] = {room.letter: [] for room in plan.rooms}
    if view is not None:
        for figure in view.figures:
            if figure.place == "map" and figure.square is not None:
                room = plan.room_at(*figure.square)
                if room is not None:
                    x, y = figure.square
                    inside[room.letter].append((f"{describe_figure(figure)}, at {x},{y}", figure.square))
        for thing in things_of(plan, view):
            room = plan.room_at(thing.x, thing.y)
            if room is not None:
                text = f"{describe_thing(thing).capitalize()}, at {thing.x},{thing.y}"
                inside[room.letter].append((text, (thing.x, thing.y)))
        for x, y in view.face_down:
            room = plan.room_at(x, y)
            if room is not None:
                inside[room.letter].append((f"Face-down counter, at {x},{y}", (x, y)))
    rows: list[Row] = []
    for room in plan.rooms:
        held = inside[room.letter]
        corner = next(
            ((x, y) for y, line in enumerate(plan.grid) for x, one in enumerate(line) if one == room.letter),
            None,
        )
        what = "empty" if not held else "1 thing" if len(held) == 1 else f"{len(held)} things"
        rows.append((f"{room.name}, {room.level} level, {what}", corner))
        rows += [("    " + text, square) for text, square in held]
    for entry in plan.entries:
        standing = figures_outside(view, entry.name)
        if standing:
            rows.append((f"Outside the {entry.name}", None))
            rows += [("    " + describe_figure(figure), None) for figure in standing]
    return rows


class _BoardModel(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: Sequence[Row] = ()

    def show_rows(self, rows: Sequence[Row]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        text, _ = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return text.strip()
        return None


class BoardList(QListView):
    """The board's twin for eyes that need words: a line per room, then its counters.

    `squareChosen` tells the square of the line that was entered.
    """

    squareChosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Rooms and counters")
        self.setWordWrap(True)
        self.setSpacing(theme.SPACE // 4)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._model = _BoardModel(self)
        self.setModel(self._model)
        self._plan: FloorPlan | None = None
        self.activated.connect(self._choose)

    def set_plan(self, plan: FloorPlan | None) -> None:
        """Show another map, without counters."""
        self._plan = plan
        self.show_view(None)

    def show_view(self, view: View | None) -> None:
        """List what a viewer knows; None leaves no trace of a counter."""
        row = self.currentIndex().row()
        self._model.show_rows(rows_of(self._plan, view))
        if 0 <= row < self._model.rowCount():
            self.setCurrentIndex(self._model.index(row))

    def _choose(self, index: QModelIndex) -> None:
        _, square = self._model.rows[index.row()]
        if square is not None:
            self.squareChosen.emit(square)
