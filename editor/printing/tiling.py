"""How a map is cut into sheets: along the lines of its grid, so that no square is torn."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple


class Tile(NamedTuple):
    """A sheet of the map: its row and column, what it shows, and what of that is under the next sheets.

    Lengths in squares. `left` and `top` are where it is cut; it shows the map as far as `right` and
    `bottom`, but from `cut_right` and `cut_bottom` on the next sheets lie over it.
    """

    row: int
    column: int
    left: float
    top: float
    right: float
    bottom: float
    cut_right: float
    cut_bottom: float

    @property
    def name(self) -> str:
        """The sheet's name: rows by letters, columns by numbers ("A1")."""
        return f"{letters(self.row)}{self.column + 1}"


def letters(number: int) -> str:
    """Return A to Z for 0 to 25, then AA, AB and so on."""
    found = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        found = chr(65 + rest) + found
    return found


def cuts(squares: int, rim: float, room: float, overlap: float) -> list[float]:
    """Return where a length of so many squares, with a rim at both ends, is cut for sheets of `room`.

    The first number is -rim, the last squares + rim; those between are whole. As few sheets as can be,
    and those as equal as whole squares let them be. Empty where a sheet has no room for a square.
    """
    if squares + 2 * rim <= room + 1e-9:
        return [-rim, squares + rim]
    first, step = floor(room - overlap - rim + 1e-9), floor(room - overlap + 1e-9)
    last = floor(room - rim + 1e-9)  # the last sheet runs on under no other
    if first < 1 or step < 1:
        return []
    sheets = 2 + max(0, ceil((squares - first - last) / step))
    found: list[float] = [-rim]
    at = 0
    for left in range(sheets - 1, 0, -1):
        # What the sheets after this one can hold at most says how little it may take.
        least = squares - at - (last + (left - 1) * step)
        most = first if at == 0 else step
        share = round((squares - at) / (left + 1))
        at += max(1, min(most, max(least, share)))
        found.append(float(at))
    return [*found, squares + rim]


def tiles(
    width: int, height: int, rim: float, across: float, down: float, overlap: float
) -> tuple[Tile, ...]:
    """Return the sheets of a map, row by row, for sheets that hold `across` by `down` squares.

    Empty where a sheet has no room for a square.
    """
    columns, rows = cuts(width, rim, across, overlap), cuts(height, rim, down, overlap)
    found = []
    for row, (top, bottom) in enumerate(pairwise(rows)):
        for column, (left, right) in enumerate(pairwise(columns)):
            found.append(
                Tile(
                    row,
                    column,
                    left,
                    top,
                    right + (overlap if column < len(columns) - 2 else 0),
                    bottom + (overlap if row < len(rows) - 2 else 0),
                    right,
                    bottom,
                )
            )
    return tuple(found)
