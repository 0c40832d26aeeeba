"""Where rooms' names go: quickly, also in rooms of many pieces, and nowhere else for being quick."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.board import labels
from engine.fortress.floorplan import FloorPlan, load_floorplan
from tests.helpers.plans import CITADEL, random_plan

NAMES = ("Loo 1", "Dining Nook", "Jelly Jar (Guards' Quarters)", "CloneMaster Exercise and Recreation Area")


def _everywhere(squares: Collection[tuple[int, int]], middle_x: float) -> Iterator[tuple[float, float]]:
    """Yield all points of the grid that names are put on, over the whole of a room's extent."""
    columns, rows = [x for x, _ in squares], [y for _, y in squares]
    halves = {*(half / 2 for half in range(2 * min(columns) + 1, 2 * max(columns) + 2)), middle_x}
    for quarter in range(4 * min(rows) + 1, 4 * max(rows) + 4):
        yield from ((x, quarter / 4) for x in halves)


@pytest.mark.parametrize(
    "plan", [load_floorplan(CITADEL), *map(random_plan, range(12))], ids=lambda one: one.name
)
def test_names_stand_where_a_search_of_every_place_puts_them(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, plan: FloorPlan
) -> None:
    """Leaving out places without a square of the room near them leaves out no name's place."""
    dice = random.Random(7)
    rooms = []
    for room in plan.rooms:
        squares = {
            (x, y) for y, row in enumerate(plan.grid) for x, letter in enumerate(row) if letter == room.letter
        }
        taken = [(x + 0.06, y + 0.06, x + 0.94, y + 0.94) for x, y in sorted(squares) if dice.random() < 0.1]
        rooms.append((squares, taken))
    for name in NAMES:
        quick = [labels.place_label(name, *room) for room in rooms]
        with monkeypatch.context() as patched:
            patched.setattr(labels, "_centres", _everywhere)
            assert [labels.place_label(name, *room) for room in rooms] == quick


def test_a_room_in_many_pieces_is_named_in_short_steps(qapp: QApplication) -> None:
    """However far apart its pieces are, few places are looked at, and not all of them at once."""
    squares = {
        (x + dx, y + dy) for x in range(0, 60, 20) for y in range(0, 60, 20) for dx in (0, 1) for dy in (0, 1)
    }
    assert len(list(labels._centres(squares, 21.0))) < len(squares) * 30
    steps = labels.placing_label(NAMES[-1], squares, ())
    next(steps)
    assert labels.finished(steps) == labels.place_label(NAMES[-1], squares, ())
