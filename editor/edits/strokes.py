"""Strokes: the squares that a pointer passes over, and rooms drawn with them, mirrored where that is on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from math import floor

from editor.draft import Square
from editor.edits.squares import is_on, letter_at, paint, squares_of, with_new_room
from editor.edits.symmetry import Symmetry, twin
from engine.fortress.floorplan import ROCK, STEP, FloorPlan

NEW_ROOM = ""
"""In the place of a letter: a room that is not there yet."""


def crossed(start: tuple[float, float], end: tuple[float, float]) -> list[Square]:
    """Return the squares that a straight line passes through, in order, each beside the one before it."""
    (x0, y0), (x1, y1) = start, end
    x, y = floor(x0), floor(y0)
    last_x, last_y = floor(x1), floor(y1)
    dx, dy = x1 - x0, y1 - y0
    step_x, step_y = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    # How much of the line lies before the next column and the next row, and between two of them.
    far = float("inf")
    next_x = ((x + (step_x > 0)) - x0) / dx if dx else far
    next_y = ((y + (step_y > 0)) - y0) / dy if dy else far
    across, down = (abs(1 / dx) if dx else far), (abs(1 / dy) if dy else far)
    found = [(x, y)]
    for _ in range(abs(last_x - x) + abs(last_y - y)):
        if y == last_y or (x != last_x and next_x <= next_y):
            x += step_x
            next_x += across
        else:
            y += step_y
            next_y += down
        found.append((x, y))
    return found


def block(corner: Square, size: int) -> frozenset[Square]:
    """Return the squares of a brush, `size` by `size`, from its north-west corner."""
    left, top = corner
    return frozenset((x, y) for y in range(top, top + size) for x in range(left, left + size))


def rectangle(a: Square, b: Square) -> frozenset[Square]:
    """Return the squares of the rectangle with two opposite corners."""
    left, right = sorted((a[0], b[0]))
    top, bottom = sorted((a[1], b[1]))
    return frozenset((x, y) for y in range(top, bottom + 1) for x in range(left, right + 1))


def clipped(a: Square, b: Square, width: int, height: int) -> tuple[Square, Square] | None:
    """Return the corners of what lies on the map of a rectangle; None where that is nothing."""
    left, right = max(min(a[0], b[0]), 0), min(max(a[0], b[0]), width - 1)
    top, bottom = max(min(a[1], b[1]), 0), min(max(a[1], b[1]), height - 1)
    return ((left, top), (right, bottom)) if left <= right and top <= bottom else None


def drawn(
    plan: FloorPlan, squares: Iterable[Square], letter: str, symmetry: Symmetry = "off"
) -> tuple[FloorPlan, str]:
    """Return the plan with squares, and their twins, given to a room, a new one or rock; and the letter.

    Where the two halves touch they are one room; where not, the second goes to the room that is the twin
    of the first, or to a new one of its own.
    """
    mine = frozenset(square for square in squares if is_on(plan, square))
    if not mine:
        return plan, letter
    size = plan.width, plan.height
    twins = frozenset(twin(one, symmetry, *size) for one in mine) - mine if symmetry != "off" else frozenset()
    if letter == ROCK:
        return paint(plan, mine | twins, ROCK), ROCK
    if letter == NEW_ROOM:
        level = level_round(plan, mine)
        if not twins or touching(mine, twins):
            return with_new_room(plan, mine | twins, level)
        made, letter = with_new_room(plan, mine, level)
        return with_new_room(made, twins, level_round(plan, twins))[0], letter
    made = paint(plan, mine, letter)
    if not twins:
        return made, letter
    other = twin_letter(plan, letter, symmetry)
    if other == NEW_ROOM and touching(mine.union(squares_of(plan, letter)), twins):
        other = letter
    if other == NEW_ROOM:
        return with_new_room(made, twins, level_round(plan, twins))[0], letter
    return paint(made, twins, other), letter


def twin_letter(plan: FloorPlan, letter: str, symmetry: Symmetry) -> str:
    """Return the room that has most of the twins of a room's squares; NEW_ROOM where rock has them."""
    size = plan.width, plan.height
    counts = Counter(letter_at(plan, twin(one, symmetry, *size)) for one in squares_of(plan, letter))
    listed = {room.letter for room in plan.rooms}
    most = counts.most_common(1)
    return most[0][0] if most and most[0][0] in listed else NEW_ROOM


def touching(some: frozenset[Square], others: frozenset[Square]) -> bool:
    """Return whether any of some squares has one of others beside it."""
    few, many = sorted((some, others), key=len)
    return any((x + dx, y + dy) in many for x, y in few for dx, dy in STEP.values())


def level_round(plan: FloorPlan, squares: Collection[Square]) -> str:
    """Return the level of most of the floor in and round some squares; "" where there is none."""
    left, right = max(min(x for x, _ in squares) - 1, 0), max(x for x, _ in squares) + 2
    top, bottom = max(min(y for _, y in squares) - 1, 0), max(y for _, y in squares) + 2
    letters = Counter("".join(row[left:right] for row in plan.grid[top:bottom]))
    counts: Counter[str] = Counter()
    for room in plan.rooms:
        counts[room.level] += letters[room.letter]
    most = counts.most_common(1)
    return most[0][0] if most and most[0][1] else ""
