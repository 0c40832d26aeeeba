"""Rooms' names and set-up letters: where they stand, and what of the floor they cover."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainterPath

from app.board import labels
from app.board.plan import SETUP_SIZE, computer_box, text_path
from app.board.things import Thing
from editor.draft import Square
from engine.fortress.floorplan import RoomInfo

NAME_WINDOW: Final = 30
"""Columns and rows of a large room in which a place for its name is looked for."""

Cuts = tuple[labels.Box, ...]
"""What a name covers of a square: left, top, right, bottom of each line, in squares from its corner."""


class Name(NamedTuple):
    """A room's name and set-up letters on the floor, and what of each square's lines and dot they cover."""

    text: QPainterPath
    setup: QPainterPath
    size: float
    cuts: Mapping[Square, Cuts]


def placing_name(
    room: RoomInfo, squares: frozenset[Square], things: Iterable[Thing]
) -> Generator[None, None, Name | None]:
    """Lay out a room's name and letters on its squares, clear of the equipment in it, in short steps."""
    if not squares:
        return None
    taken = []
    for thing in things:
        x, y = thing.x, thing.y
        box = (x + 0.06, y + 0.06, x + 0.94, y + 0.94)
        if thing.kind == "computer":
            left, top, right, bottom = computer_box(x, y, thing.side)
            box = (left - 0.08, top - 0.08, right + 0.08, bottom + 0.08)
        taken.append(box)
    label = yield from labels.placing_label(room.name, _near_the_middle(squares), taken)
    text, setup = QPainterPath(), QPainterPath()
    for path in (text, setup):
        path.setFillRule(Qt.FillRule.WindingFill)
    boxes: tuple[labels.Box, ...] = ()
    if label is not None:
        for line, left, base in label.lines:
            text.addPath(text_path(line, label.size, left, base))
        boxes = tuple((a - 0.1, b - 0.09, c + 0.1, d + 0.09) for a, b, c, d in label.boxes)
    cuts: dict[Square, Cuts] = {
        (x, y): tuple((a - x, b - y, c - x, d - y) for a, b, c, d in boxes)
        for left, top, right, bottom in boxes
        for y in range(int(top), int(bottom) + 1)
        for x in range(int(left), int(right) + 1)
    }
    if room.setup:
        x, y = max(squares, key=lambda square: (square[1], -square[0]))
        setup = text_path(" ".join(room.setup), SETUP_SIZE, x + 0.2, y + 0.82)
        cuts.setdefault((x, y), ())
    return Name(text, setup, label.size if label is not None else 0.0, cuts)


def _near_the_middle(squares: frozenset[Square]) -> frozenset[Square]:
    """Return a large room's squares nearest to its middle, among which its name is put."""
    if len(squares) <= NAME_WINDOW**2 // 2:
        return squares
    x = sum(x for x, _ in squares) / len(squares)
    y = sum(y for _, y in squares) / len(squares)
    middle = min(squares, key=lambda one: (abs(one[0] - x) + abs(one[1] - y), one))
    half = NAME_WINDOW // 2
    return frozenset(
        one for one in squares if abs(one[0] - middle[0]) <= half and abs(one[1] - middle[1]) <= half // 2
    )
