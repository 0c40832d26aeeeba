"""Sets of squares as bit masks: bit n stands for square n."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache


@lru_cache(maxsize=64)
def bits(mask: int) -> tuple[int, ...]:
    """Return the squares of a mask in order; kept, since the same masks are asked for again and again."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


def mask_of(squares: Iterable[int]) -> int:
    """Return the mask of squares."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask
