"""Levels of a fortress: which of two lies above the other, as far as their names say (2.1, 4.42)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

LEVEL_WORDS: Final[tuple[tuple[str, ...], ...]] = (
    ("cellar", "basement", "underground", "crypt", "dungeon", "sub"),
    ("low",),
    ("ground", "main"),
    ("upper", "high"),
    ("attic", "loft", "roof", "top"),
)
"""Beginnings of words that name levels, from the deepest up."""
_CELLAR, _LOWER, _GROUND, _UPPER, _ROOF = range(len(LEVEL_WORDS))
NUMBER_WORDS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ORDINALS: Final = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
_COUNTED: Final = frozenset({*ORDINALS, "st", "nd", "rd", "th"})
_BETWEEN: Final = {_CELLAR: (-99, -1), _LOWER: (-1, 1), _GROUND: (0, 1), _UPPER: (1, 2), _ROOF: (99, 99)}
"""The numbers that a level named by a word may have in another way of counting: ground is 0 or 1."""


class _Height(NamedTuple):
    """What a name says: which of LEVEL_WORDS it has, and which number; None for neither."""

    word: int | None
    number: int | None


@lru_cache(maxsize=1024)
def _height(level: str) -> _Height:
    tokens = re.findall(r"[^\W\d_]+|(?<!\w)-\d+|\d+", level.lower())
    word = number = None
    for token in tokens:
        for at, beginnings in enumerate(LEVEL_WORDS):
            if word is None and token.startswith(beginnings):
                word = at
        for names in (NUMBER_WORDS, ORDINALS):
            if number is None and token in names:
                number = names.index(token) + 1
        if number is None and token.lstrip("-").isdecimal():
            number = int(token)
    if word == _CELLAR:
        number = -abs(number if number is not None else 1)
    if number is not None and "floor" in tokens and not _COUNTED.isdisjoint(tokens):
        number += 1  # the first floor is the one over the ground
    return _Height(word, number)


def compare_levels(a: str, b: str) -> int | None:
    """Return 1 where level a lies above level b, -1 below, 0 where they are as high; None for unknown.

    Names tell by words ("cellar", "lower", "ground", "upper") or by numbers ("level 2", "third floor").
    """
    if a.strip().lower() == b.strip().lower():
        return 0
    here, there = _height(a), _height(b)
    if here == _Height(None, None) or there == _Height(None, None):
        return None
    if here.word is not None and there.word is not None and here.word != there.word:
        return 1 if here.word > there.word else -1
    if here.word == there.word:
        one, other = here.number or 1, there.number or 1
        if here.word is None:
            one, other = here.number or 0, there.number or 0
        return (one > other) - (one < other)
    low, high = _numbers(here)
    other_low, other_high = _numbers(there)
    if low > other_high:
        return 1
    return -1 if high < other_low else None


def _numbers(height: _Height) -> tuple[int, int]:
    if height.word is not None:
        return _BETWEEN[height.word]
    return height.number or 0, height.number or 0


def is_high(level: str) -> bool:
    """Return whether a level lies above the lowest of an ordinary fortress, the one on the ground."""
    height = _height(level)
    if height.word is not None:
        return height.word >= _UPPER
    return height.number is not None and height.number >= 2
