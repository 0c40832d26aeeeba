"""Where a room's name goes: as large as fits, clear of walls, equipment and, if it can be, of the dots."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor
from typing import Final, TypeVar

from PySide6.QtGui import QFontMetricsF

from app import theme

SIZES: Final = (0.40, 0.36, 0.33, 0.30, 0.27, 0.24, 0.21, 0.18)  # em, squares
MAX_LINES: Final = 4
CAP: Final = 0.70  # height of a capital, em
LEADING: Final = 1.24  # em
CLEARANCE: Final = 0.2  # from a wall, squares
STEP_PLACES: Final = 500  # places looked at in a step
_MEASURE: Final = 100

T = TypeVar("T")
Box = tuple[float, float, float, float]
"""Left, top, right, bottom in squares."""


@dataclass(frozen=True, slots=True)
class Label:
    """Lines of text, each with the left end and the base line of its own, in squares."""

    size: float  # em, squares
    lines: tuple[tuple[str, float, float], ...]
    boxes: tuple[Box, ...]  # what each line covers


@lru_cache(maxsize=4096)
def text_width(text: str) -> float:
    """Return the width of room-name capitals, em."""
    metrics = QFontMetricsF(theme.small_capitals(_MEASURE))
    # The last letter's spacing is no part of the text.
    return (metrics.horizontalAdvance(text) - 0.08 * metrics.averageCharWidth()) / _MEASURE


def _wraps(words: Sequence[str], lines: int) -> Iterator[tuple[str, ...]]:
    if lines == 1:
        yield (" ".join(words),)
        return
    for first in range(1, len(words) - lines + 2):
        for rest in _wraps(words[first:], lines - 1):
            yield " ".join(words[:first]), *rest


def _words(name: str) -> list[str]:
    return name.upper().replace("/", "/ ").split()


def _joined(line: str) -> str:
    return line.replace("/ ", "/")


@lru_cache(maxsize=1024)
def _best_wrap(name: str, lines: int) -> tuple[tuple[str, ...], float] | None:
    words = _words(name)
    if lines > len(words):
        return None
    wrapped = [tuple(_joined(line) for line in wrap) for wrap in _wraps(words, lines)]
    # A bracket is not torn if it can be kept together.
    best = min(
        wrapped, key=lambda wrap: max(map(text_width, wrap)) + 3 * sum("(" in line[1:] for line in wrap)
    )
    return best, max(map(text_width, best))


def _inside(box: Box, squares: Collection[tuple[int, int]]) -> bool:
    left, top, right, bottom = (
        box[0] - CLEARANCE,
        box[1] - CLEARANCE,
        box[2] + CLEARANCE,
        box[3] + CLEARANCE,
    )
    return all(
        (x, y) in squares
        for y in range(int(top // 1), int(bottom // 1) + 1)
        for x in range(int(left // 1), int(right // 1) + 1)
    )


def _meets(box: Box, other: Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


def _dots(box: Box) -> int:
    """Count the squares' centres that a box would hide."""
    across = floor(box[2] - 0.44) - ceil(box[0] - 0.56) + 1
    down = floor(box[3] - 0.44) - ceil(box[1] - 0.56) + 1
    return max(0, across) * max(0, down)


def _centres(squares: Collection[tuple[int, int]], middle_x: float) -> Iterator[tuple[float, float]]:
    """Yield the points that a name's middle may be at, half a square apart across and a quarter down.

    A room may be in pieces far apart. Each line of a name runs across the middle, and lines are a square
    apart at most, so that a square of the room lies within half a square above or below, in that column.
    """
    columns, rows = [x for x, _ in squares], [y for _, y in squares]
    beside: dict[int, set[int]] = defaultdict(set)
    for column, row in squares:
        for quarter in range(4 * row - 2, 4 * row + 7):
            beside[quarter].add(column)
    halves = {*(half / 2 for half in range(2 * min(columns) + 1, 2 * max(columns) + 2)), middle_x}
    across: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for at, x in enumerate(halves):
        across[floor(x)].append((at, x))
    for quarter in range(4 * min(rows) + 1, 4 * max(rows) + 4):
        for _, x in sorted(one for column in beside.get(quarter, ()) for one in across[column]):
            yield x, quarter / 4


def place_label(name: str, squares: Collection[tuple[int, int]], taken: Sequence[Box]) -> Label | None:
    """Return a room's name laid out inside its squares; None where not even one letter high fits.

    `taken` are the boxes of equipment. A large size is worth a little distance from the middle and a
    hidden dot or two, never a wall or a piece of equipment.
    """
    return finished(placing_label(name, squares, taken))


def finished(steps: Generator[None, None, T]) -> T:
    """Take all steps at once, and return what comes of them."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: T = end.value
            return found


def placing_label(
    name: str, squares: Collection[tuple[int, int]], taken: Sequence[Box]
) -> Generator[None, None, Label | None]:
    """Lay out a room's name as `place_label` does, in steps of a few milliseconds."""
    if not squares or not name.strip():
        return None
    middle_x = sum(x + 0.5 for x, _ in squares) / len(squares)
    middle_y = sum(y + 0.5 for _, y in squares) / len(squares)
    columns = [x for x, _ in squares]
    places = sorted(
        _centres(squares, middle_x),
        key=lambda place: 2 * abs(place[0] - middle_x) + abs(place[1] - middle_y),
    )
    best: tuple[float, Label] | None = None
    for size in SIZES:
        if best is not None and best[0] >= size * 20:
            break
        for lines in range(1, MAX_LINES + 1):
            wrap = _best_wrap(name, lines)
            if wrap is None:
                break
            texts, width = wrap
            if width * size > max(columns) - min(columns) + 1 - 2 * CLEARANCE:
                continue
            for leading in (LEADING * size, 1.0) if lines > 1 else (LEADING * size,):
                found = yield from _trying(texts, size, leading, places, squares, taken, (middle_x, middle_y))
                if found is not None and (best is None or found[0] > best[0]):
                    best = found
    return best[1] if best is not None else None


def _trying(
    texts: tuple[str, ...],
    size: float,
    leading: float,
    places: Sequence[tuple[float, float]],
    squares: Collection[tuple[int, int]],
    taken: Sequence[Box],
    middle: tuple[float, float],
) -> Generator[None, None, tuple[float, Label] | None]:
    widths = [text_width(text) * size for text in texts]
    high = size * CAP
    best: tuple[float, Label] | None = None
    start = size * 20 - 0.8 * (len(texts) - 1) - (1.2 if leading == 1.0 else 0)
    for at, (x, y) in enumerate(places):
        if at % STEP_PLACES == 0:
            yield
        far = 2 * abs(x - middle[0]) + abs(y - middle[1])
        if best is not None and start - 1.2 * far <= best[0]:
            break
        top = y - (leading * (len(texts) - 1) + high) / 2
        boxes = tuple(
            (x - width / 2, top + leading * line, x + width / 2, top + leading * line + high)
            for line, width in enumerate(widths)
        )
        if not all(_inside(box, squares) for box in boxes):
            continue
        if any(_meets(box, other) for box in boxes for other in taken):
            continue
        score = start - 1.2 * far - 0.35 * sum(map(_dots, boxes))
        if best is None or score > best[0]:
            lines = tuple((text, box[0], box[3]) for text, box in zip(texts, boxes, strict=True))
            best = score, Label(size, lines, boxes)
    return best
