"""How counters share a square: any number unconscious, and one conscious figure on top (4.6)."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from app.board.picking import UNIT
from engine.fortress.floorplan import STEP, FloorPlan
from engine.raid.choices import Square
from engine.raid.view import FigureView, View

ALONE = 0.86  # squares
STANDING = 0.63
LYING = 0.56
OUTSIDE = 0.8


class Spot(NamedTuple):
    """How a counter is drawn: offset from the dot in scene units, size in squares, "back" where unknown."""

    key: str
    face: FigureView | str
    square: Square
    offset: tuple[float, float]
    size: float
    layer: int
    note: str


def doorsteps(plan: FloorPlan) -> dict[str, Square]:
    """Return the squares of the margin just outside those entries that lie on a side of the map."""
    found = {}
    for entry in plan.entries:
        if entry.side is not None:
            dx, dy = STEP[entry.side]
            found[entry.name] = (entry.x + dx, entry.y + dy)
    return found


def spots(view: View, plan: FloorPlan) -> list[Spot]:
    """Return every counter on the map or outside a door of it; keys tell only what the viewer knows."""
    found = [
        Spot(f"\N{WHITE SQUARE}{x},{y}", "back", (x, y), (0.0, 0.0), ALONE, 10, "") for x, y in view.face_down
    ]
    here: dict[Square, list[FigureView]] = defaultdict(list)
    for figure in view.figures:
        if figure.place == "map" and figure.square is not None:
            here[figure.square].append(figure)
    for square, figures in here.items():
        standing = [figure for figure in figures if figure.is_conscious]
        lying = [figure for figure in figures if not figure.is_conscious]
        if len(figures) == 1:
            found.append(Spot(figures[0].name, figures[0], square, (0.0, 0.0), ALONE, 10, ""))
            continue
        for at, figure in enumerate(lying):
            # Fanned from behind to the front; the one in front says how many there are.
            spread = (at + 1) / len(lying) if standing else at / (len(lying) - 1)
            low, high = (0.08, 0.21) if standing else (-0.15, 0.15)
            shift = (low + (high - low) * spread) * UNIT
            is_front = at == len(lying) - 1
            note = str(len(lying)) if is_front and len(lying) > 1 else ""
            found.append(
                Spot(figure.name, figure, square, (shift, shift), LYING if standing else STANDING, 8, note)
            )
        for at, figure in enumerate(standing):
            shift = (-0.16 + 0.2 * at) * UNIT
            found.append(Spot(figure.name, figure, square, (shift, shift), STANDING, 11 + at, ""))
    return found + _outside(view, plan)


def _outside(view: View, plan: FloorPlan) -> list[Spot]:
    """Return the counters of those who stand outside an entry (R10, R12), fanned along its wall."""
    steps = doorsteps(plan)
    here: dict[Square, list[FigureView]] = defaultdict(list)
    for figure in view.figures:
        if figure.entry in steps:
            here[steps[figure.entry]].append(figure)
    found = []
    for square, figures in here.items():
        for at, figure in enumerate(figures):
            shift = (at / (len(figures) - 1) - 0.5) * 0.9 * UNIT if len(figures) > 1 else 0.0
            note = str(len(figures)) if at == len(figures) - 1 and len(figures) > 1 else ""
            along = (0.0, shift) if square[0] in (-1, plan.width) else (shift, 0.0)
            found.append(Spot(figure.name, figure, square, along, OUTSIDE, 8 + at, note))
    return found
