"""What stands in the way between two squares an offset apart, wherever on a map they lie.

For an offset (dx, dy), dx and dy not negative, a stencil names the places, counted from the first
square, that the line from centre to centre meets: walls it crosses, corners it passes through, clone
tanks, computers along each side. Shapely answers this once for each offset; the answers for every map
up to SHIPPED columns and rows are shipped as data, so that play need not load shapely.

`python -m engine.fortress.make_stencils` writes the data anew; a test holds it equal to shapely's answers.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable
from math import gcd
from typing import Any, NamedTuple

import msgspec

TANK_RADIUS = 3 / 8  # R2
COMPUTER_WIDTH = 3 / 4
COMPUTER_DEPTH = 1 / 4

SHIPPED = 44

Offset = tuple[int, int]
Places = tuple[int, ...]
"""Squares x columns east and y rows south of a line's first square, each as y * 256 + x."""


class Stencil(NamedTuple):
    """The places that the line over an offset meets.

    `east` and `south`: squares whose east or south edge it crosses between that edge's ends. `corners`:
    squares through whose south-east corner it passes. `tanks`: squares whose tank it meets, the two ends
    left out (R2: equipment does not block the line to itself). `computers`: for each of N, E, S, W the
    squares whose computer along that side it meets.
    """

    east: Places
    south: Places
    corners: Places
    tanks: Places
    computers: tuple[Places, Places, Places, Places]


def swapped(stencil: Stencil) -> Stencil:
    """Return the stencil of an offset with dx and dy exchanged: the picture mirrored at its diagonal."""
    east, south, corners, tanks, computers = (
        *(tuple(sorted((c & 255) << 8 | c >> 8 for c in places)) for places in stencil[:4]),
        tuple(tuple(sorted((c & 255) << 8 | c >> 8 for c in places)) for places in stencil.computers),
    )
    return Stencil(south, east, corners, tanks, (computers[3], computers[2], computers[1], computers[0]))


def is_primitive(offset: Offset) -> bool:
    """Say whether an offset is no multiple of a shorter one; of the others the line is made of theirs."""
    return gcd(*offset) == 1


def computer_box(x: float, y: float, side: str) -> tuple[float, float, float, float]:
    """Return (west, north, east, south) of a computer along a side of square (x, y), in squares (R2)."""
    margin = (1 - COMPUTER_WIDTH) / 2
    if side == "N":
        return x + margin, y, x + 1 - margin, y + COMPUTER_DEPTH
    if side == "S":
        return x + margin, y + 1 - COMPUTER_DEPTH, x + 1 - margin, y + 1
    if side == "W":
        return x, y + margin, x + COMPUTER_DEPTH, y + 1 - margin
    return x + 1 - COMPUTER_DEPTH, y + margin, x + 1, y + 1 - margin


def ask_shapely(offsets: Iterable[Offset]) -> dict[Offset, Stencil]:
    """Return the stencils of offsets as shapely answers them, on a grid with everything everywhere."""
    import shapely

    wanted = list(offsets)
    columns = max(dx for dx, _ in wanted) + 1
    rows = max(dy for _, dy in wanted) + 1
    cells = [(x, y) for y in range(rows) for x in range(columns)]
    lines = shapely.linestrings([[(0.5, 0.5), (dx + 0.5, dy + 0.5)] for dx, dy in wanted])

    def meeting(shapes: Any, predicate: Any, distance: float | None = None) -> list[Places]:
        met: list[list[int]] = [[] for _ in wanted]
        for line, shape in shapely.STRtree(shapes).query(lines, predicate, distance).T.tolist():
            x, y = cells[shape]
            met[line].append(y << 8 | x)
        return [tuple(sorted(some)) for some in met]

    east = meeting(shapely.linestrings([[(x + 1, y), (x + 1, y + 1)] for x, y in cells]), "crosses")
    south = meeting(shapely.linestrings([[(x, y + 1), (x + 1, y + 1)] for x, y in cells]), "crosses")
    corners = meeting(shapely.points([(x + 1, y + 1) for x, y in cells]), "intersects")
    # The distance to the centre, not a polygon with many corners: exact for a disc.
    tanks = meeting(shapely.points([(x + 0.5, y + 0.5) for x, y in cells]), "dwithin", TANK_RADIUS)
    north, right, bottom, west = (
        meeting([shapely.box(*computer_box(x, y, side)) for x, y in cells], "intersects") for side in "NESW"
    )
    return {
        (dx, dy): Stencil(
            east[at],
            south[at],
            corners[at],
            tuple(place for place in tanks[at] if place not in (0, dy << 8 | dx)),
            (north[at], right[at], bottom[at], west[at]),
        )
        for at, (dx, dy) in enumerate(wanted)
    }


def primitive_offsets(columns: int, rows: int) -> list[Offset]:
    """Return every primitive offset below `columns` and `rows`."""
    return [(dx, dy) for dy in range(rows) for dx in range(columns) if is_primitive((dx, dy))]


_known: dict[Offset, Stencil] = {}


def stencils(columns: int, rows: int) -> dict[Offset, Stencil]:
    """Return the stencils of (at least) every primitive offset below `columns` and `rows`."""
    if not _known:
        _known.update(_shipped())
    missing = [offset for offset in primitive_offsets(columns, rows) if offset not in _known]
    if missing:
        _known.update(ask_shapely(missing))
    return _known


# The shipped data: JSON, packed, as text in a module, so that every way of packaging carries it.


def shipped_offsets() -> list[Offset]:
    """Return the offsets whose stencils are shipped; the others below SHIPPED are their mirror images."""
    return [(dx, dy) for dx, dy in primitive_offsets(SHIPPED, SHIPPED) if dx >= dy]


def _shipped() -> dict[Offset, Stencil]:
    from engine.fortress.stencil_data import PACKED

    rows = msgspec.json.decode(zlib.decompress(base64.b85decode(PACKED)), type=list[Stencil])
    known = dict(zip(shipped_offsets(), rows, strict=True))
    known.update({(dy, dx): swapped(stencil) for (dx, dy), stencil in known.items() if dx != dy})
    return known


def pack(known: dict[Offset, Stencil]) -> str:
    """Return the source of `stencil_data`; of mirror images one is enough."""
    rows = [known[offset] for offset in shipped_offsets()]
    text = base64.b85encode(zlib.compress(msgspec.json.encode(rows), 9)).decode()
    lines = "\n".join(f'    "{text[at : at + 100]}"' for at in range(0, len(text), 100))
    return (
        f'"""Shapely\'s answers for every offset on maps of up to {SHIPPED} x {SHIPPED} squares.\n\n'
        'Made by `python -m engine.fortress.make_stencils`.\n"""\n\n'
        f"PACKED = (\n{lines}\n)\n"
    )
