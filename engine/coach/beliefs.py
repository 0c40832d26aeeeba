"""What an opponent may hold, as far as the asking side can know it (R29).

A Jelly's levels are the printed ones less those it lost, a Terminator's are any that a set-up allows, less
those lost; how many were lost is public, which is not. All sets of levels that fit are equally likely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations_with_replacement, product

from engine.coach.duel import NO_HAND, Hand
from engine.coach.equilibrium import Holding
from engine.raid.figures import ABILITIES, COUNTERS, TRAINED
from engine.raid.tables import LEVEL_CAP
from engine.raid.view import FigureView

Levels = tuple[int, ...]  # by ability, in the order of `figures.ABILITIES`


def hand_of(words: Iterable[str]) -> Hand:
    """Return counters as a count of each kind."""
    held = Counter(words)
    return tuple(held[word] for word in COUNTERS)


def words_of(hand: Hand) -> tuple[str, ...]:
    """Return a hand's counters by their words, repeats included."""
    return tuple(word for word, number in zip(COUNTERS, hand, strict=True) for _ in range(number))


@lru_cache(maxsize=1024)
def hands(levels: Hand, limit: int, may_underpick: bool = True) -> tuple[Hand, ...]:
    """Return every hand that counters' levels allow, most counters first (5.4, R16)."""
    most = min(limit, sum(levels))
    kinds = range(len(COUNTERS))
    return tuple(
        hand
        for size in (range(most, -1, -1) if may_underpick else (most,))
        for picked in combinations_with_replacement(kinds, size)
        for hand in (tuple(picked.count(kind) for kind in kinds),)
        if all(have <= level for have, level in zip(hand, levels, strict=True))
    )


def total_levels(figure: FigureView, terminator_levels: int) -> int:
    """Return how many levels a warrior has left in all, which everybody can count."""
    if figure.levels is not None:
        return sum(figure.levels.values())
    began = terminator_levels if figure.original is None else sum(figure.original.values())
    return max(began - figure.lost, int(figure.is_conscious))


def level_sets(figure: FigureView, terminator_levels: int, regained: int = 0) -> tuple[Levels, ...]:
    """Return every set of levels that a warrior may have for all that the viewer knows (6.1, R30).

    `terminator_levels` is what a Terminator of the scenario begins with, `regained` counts as not yet lost.
    """
    if figure.levels is not None and not regained:
        return (tuple(figure.levels.get(word, 0) for word in ABILITIES),)
    if figure.original is not None:
        most: Levels = tuple(figure.original.get(word, 0) for word in ABILITIES)
        total = sum(most) - figure.lost + regained
        return _sets(most, total, total)
    trained = [ABILITIES.index(word) for word in ABILITIES if word in _TRAINED]
    most = tuple(LEVEL_CAP if at in trained else 0 for at in range(len(ABILITIES)))
    total = max(terminator_levels - figure.lost + regained, int(figure.is_conscious))
    return _sets(most, total, terminator_levels, tuple(trained))


_TRAINED = frozenset(ABILITIES[ability] for ability in TRAINED)


@lru_cache(maxsize=1024)
def _sets(most: Levels, total: int, began: int, trained: tuple[int, ...] = ()) -> tuple[Levels, ...]:
    """Return the sets of that total within `most`, to which losses can have brought a whole set.

    A whole one had `began` levels and at least one of each ability it was trained in.
    """
    return tuple(
        levels
        for levels in product(*(range(top + 1) for top in most))
        if sum(levels) == total
        and sum(max(level, int(at in trained)) for at, level in enumerate(levels)) <= max(began, total)
    )


def holdings(sets: Iterable[Levels], limit: int, may_underpick: bool = True) -> tuple[Holding, ...]:
    """Return the hands that each set of levels allows, sets with the same counters together."""
    found = Counter(levels[: len(COUNTERS)] for levels in sets)
    total = sum(found.values())
    return tuple(
        Holding(number / total, hands(levels, limit, may_underpick)) for levels, number in found.items()
    )


def still_held(sets: Iterable[Levels], limit: int, shown: Hand, is_empty: bool) -> tuple[Hand, ...]:
    """Return what somebody may still hold who has shown some counters of as large a hand as he could pick.

    `is_empty` is what was announced (R16).
    """
    if is_empty:
        return (NO_HAND,)
    found: dict[Hand, None] = {}
    loose: dict[Hand, None] = {}
    for levels in sets:
        counters = levels[: len(COUNTERS)]
        for hand in hands(counters, limit):
            rest = tuple(have - out for have, out in zip(hand, shown, strict=True))
            if min(rest) >= 0 and any(rest):
                is_whole = sum(hand) == min(limit, sum(counters))
                (found if is_whole else loose)[rest] = None
    return tuple(found or loose) or (NO_HAND,)
