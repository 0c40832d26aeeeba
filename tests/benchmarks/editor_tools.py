"""How long the editor's tools take for one event of the pointer; run it by hand.

    QT_QPA_PLATFORM=offscreen python -m tests.benchmarks.editor_tools

Prints milliseconds on maps of 60 by 60 and 200 by 200 full of rooms and doors: hover, press, the median
and the longest move, release; with all that follows `Document.changed` but the canvas.
"""

from __future__ import annotations

import os
import statistics
import string
import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from editor.edits.symmetry import Symmetry
from editor.selection import Selection
from editor.tools.base import Keys, Tool
from editor.tools.brush import Brush
from editor.tools.door import Door
from editor.tools.erase import Erase
from editor.tools.fill import Fill
from editor.tools.room import Room
from editor.tools.select import Select
from editor.tools.stamp import Stamp
from editor.tools.wall import Wall
from engine.fortress.floorplan import EdgeOverride, FloorPlan, RoomInfo, Side
from tests.benchmarks.anchor import machine
from tests.helpers.bench import LEFT, Desk

MOVES = 120
FRAME = 16.0  # ms
SYMMETRIES: tuple[tuple[Symmetry, str], ...] = (("off", ""), ("x", ", mirrored"))
SHIFT = Keys(shift=True)
DOORS: tuple[tuple[int, int, Side], ...] = ((3, 1, "E"), (1, 3, "S"))


def rooms_and_doors(side: int) -> FloorPlan:
    """Return a map of rooms of four by four, with a corridor round each and two doors."""
    letters = string.ascii_letters
    grid = tuple(
        "".join(
            letters[(x // 5 + y // 5 * 7) % len(letters)] if x % 5 < 4 and y % 5 < 4 else "0"
            for x in range(side)
        )
        for y in range(side)
    )
    many = side // 5
    edges = [
        EdgeOverride(x=5 * x + dx, y=5 * y + dy, side=side_of, kind="door")
        for x in range(many)
        for y in range(many)
        for dx, dy, side_of in DOORS
    ]
    rooms = tuple(
        RoomInfo(letter=one, name=f"Room {one}", level="lower", setup="") for one in (*letters, "0")
    )
    return FloorPlan(name="large", grid=grid, rooms=rooms, edges=tuple(edges))


def _clocked(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def _hands() -> Iterator[tuple[str, type[Tool], Keys, str]]:
    yield "brush 1", Brush, Keys(), "1"
    yield "brush 4, extend", Brush, SHIFT, "4"
    yield "room", Room, Keys(), ""
    yield "fill", Fill, Keys(), ""
    yield "wall", Wall, SHIFT, ""
    yield "door", Door, Keys(), ""
    yield "erase", Erase, Keys(), ""
    yield "erase whole", Erase, SHIFT, ""
    yield "move 400", Select, Keys(), ""
    yield "stamp 400", Stamp, Keys(), ""


class Times(NamedTuple):
    """Milliseconds of one gesture: the longest hover, the press, every move, the release."""

    hover: float
    press: float
    moves: list[float]
    release: float


def _gesture(plan: FloorPlan, kind: type[Tool], keys: Keys, option: str, symmetry: Symmetry) -> Times:
    """Draw with a tool over the whole map."""
    desk = Desk(plan)
    desk.bench.set_symmetry(symmetry)
    tool = desk.take(kind)
    if option:
        tool.choose(option)
    if kind in (Select, Stamp):
        desk.bench.select(Selection(squares=frozenset((x, y) for x in range(20) for y in range(20))))
    desk.hover((10, 10))
    if isinstance(tool, Stamp):
        tool.duplicate()
    rng = Random(1)
    x, y = 10.5, 10.5
    hovers = [_clocked(partial(tool.hover, desk.spot(x + n * 0.7, y + n * 0.3), keys)) for n in range(20)]
    press = _clocked(partial(tool.press, desk.spot(x, y), LEFT, keys))
    moves = []
    for _ in range(MOVES):
        x = min(max(x + rng.uniform(-4, 5), 0.0), plan.width - 0.1)
        y = min(max(y + rng.uniform(-4, 5), 0.0), plan.height - 0.1)
        moves.append(_clocked(partial(tool.move, desk.spot(x, y), keys)))
    release = _clocked(partial(tool.release, desk.spot(x, y), keys))
    return Times(max(hovers), press, moves, release)


def main() -> None:
    """Print a line for each tool, with and without symmetry."""
    application = QApplication.instance() or QApplication([])
    print(f"{machine():.0f} million additions a second")
    for side in (60, 200):
        plan = rooms_and_doors(side)
        print(f"\n{side} x {side}, {len(plan.edges)} doors; ms, a frame is {FRAME:.0f}")
        for words, kind, keys, option in _hands():
            for symmetry, mark in SYMMETRIES:
                times = _gesture(plan, kind, keys, option, symmetry)
                print(
                    f"{words + mark:26} hover {times.hover:6.2f}  press {times.press:6.2f}  "
                    f"move {statistics.median(times.moves):6.2f}, longest {max(times.moves):6.2f}  "
                    f"release {times.release:6.2f}"
                )
    del application


if __name__ == "__main__":
    main()
