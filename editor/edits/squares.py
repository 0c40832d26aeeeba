"""Rooms and rock, square by square: paint, erase, fill, new rooms.

Nothing here touches an edge: doors and partition walls stay where they are, whatever becomes of the
squares beside them, and it is for the problems to say that one of them stands in a room's midst.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from editor.draft import Square
from engine.fortress.floorplan import ROCK, FloorPlan, RoomInfo, owner

LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits
"""Letters for new rooms, in this order; when all are used, other letters follow."""
GROUND_LEVEL = "ground"


def is_on(plan: FloorPlan, square: Square) -> bool:
    """Return whether a square is on the map."""
    return 0 <= square[0] < plan.width and 0 <= square[1] < plan.height


def letter_at(plan: FloorPlan, square: Square) -> str:
    """Return the letter of a square's room; rock's for rock and anywhere off the map."""
    x, y = square
    return plan.grid[y][x] if is_on(plan, square) else ROCK


def squares_of(plan: FloorPlan, letter: str) -> Iterator[Square]:
    """Yield the squares of a room, in reading order."""
    for y, row in enumerate(plan.grid):
        x = row.find(letter)
        while x >= 0:
            yield x, y
            x = row.find(letter, x + 1)


def squares_of_all(plan: FloorPlan, letters: Iterable[str]) -> frozenset[Square]:
    """Return the squares of some rooms."""
    return frozenset(square for letter in letters for square in squares_of(plan, letter))


def floor_by_distance(plan: FloorPlan, square: Square) -> list[Square]:
    """Return the squares of rooms, the nearest to a square first, which may be off the map."""
    x, y = square
    floor = [one for room in plan.rooms for one in squares_of(plan, room.letter)]
    return sorted(set(floor), key=lambda one: ((one[0] - x) ** 2 + (one[1] - y) ** 2, one))


def paint(plan: FloorPlan, squares: Iterable[Square], letter: str) -> FloorPlan:
    """Return the plan with squares given to a room, or to rock; those off the map are left out.

    A room that loses its last square by this is gone from the list, and from the pairs without sight.
    """
    # A long stroke is painted anew at every move: no step of it may take a whole row for each square.
    width, height, old = plan.width, plan.height, plan.grid
    rows: dict[int, list[str]] = {}
    lost = set()
    for x, y in squares:
        if 0 <= x < width and 0 <= y < height and old[y][x] != letter:
            lost.add(old[y][x])
            cells = rows.get(y)
            if cells is None:
                cells = rows[y] = list(old[y])
            cells[x] = letter
    if not rows:
        return plan
    grid = tuple("".join(rows[y]) if y in rows else row for y, row in enumerate(old))
    whole = "".join(grid)
    gone = {one for one in lost if one not in whole}
    return without_rooms(replace(plan, grid=grid), gone)


def without_rooms(plan: FloorPlan, letters: Iterable[str]) -> FloorPlan:
    """Return the plan without some rooms in its list and in its pairs without sight; no square changes."""
    gone = set(letters)
    rooms = tuple(room for room in plan.rooms if room.letter not in gone)
    if len(rooms) == len(plan.rooms):
        return plan
    names = {room.name for room in rooms}
    lost = {room.name for room in plan.rooms if room.letter in gone} - names
    pairs = tuple(pair for pair in plan.no_sight if not lost & set(pair))
    return replace(plan, rooms=rooms, no_sight=pairs)


def area_at(plan: FloorPlan, square: Square) -> frozenset[Square]:
    """Return the squares of the same room, or rock, that can be come to without crossing a wall or door."""
    if not is_on(plan, square):
        return frozenset()
    letter, grid = letter_at(plan, square), plan.grid
    last_x, last_y = plan.width - 1, plan.height - 1
    # Only an override can part two squares of the same letter.
    parted = {owner(edge.x, edge.y, edge.side) for edge in plan.edges}
    parted = {edge for edge in parted if plan.edge_kind(*edge) != "open"}
    found = {square}
    todo = [square]
    while todo:
        x, y = todo.pop()
        row = grid[y]
        beside = []
        if x < last_x and row[x + 1] == letter and (x, y, "E") not in parted:
            beside.append((x + 1, y))
        if x and row[x - 1] == letter and (x - 1, y, "E") not in parted:
            beside.append((x - 1, y))
        if y < last_y and grid[y + 1][x] == letter and (x, y, "S") not in parted:
            beside.append((x, y + 1))
        if y and grid[y - 1][x] == letter and (x, y - 1, "S") not in parted:
            beside.append((x, y - 1))
        for other in beside:
            if other not in found:
                found.add(other)
                todo.append(other)
    return frozenset(found)


def free_letter(plan: FloorPlan) -> str:
    """Return a letter that no room and no square of the plan has."""
    listed = {room.letter for room in plan.rooms}

    def is_free(letter: str) -> bool:
        return letter not in listed and not any(letter in row for row in plan.grid)

    for letter in LETTERS:
        if is_free(letter):
            return letter
    code = 0xC0  # beyond the plain letters: the accented ones, and on from there
    while not chr(code).isalpha() or not is_free(chr(code)):
        code += 1
    return chr(code)


def with_new_room(plan: FloorPlan, squares: Iterable[Square], level: str = "") -> tuple[FloorPlan, str]:
    """Return the plan with a new room of some squares, and the room's letter.

    It has the level of the first room where none is asked for, and a name that no other room has.
    """
    letter = free_letter(plan)
    names = {room.name for room in plan.rooms}
    number = 1
    while f"Room {number}" in names:
        number += 1
    wanted = level or (plan.rooms[0].level if plan.rooms else GROUND_LEVEL)
    room = RoomInfo(letter=letter, name=f"Room {number}", level=wanted, setup="")
    return paint(replace(plan, rooms=(*plan.rooms, room)), squares, letter), letter
