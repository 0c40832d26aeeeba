"""Which of two levels lies above the other, by their names (2.1, 4.42)."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine.fortress.floorplan import load_floorplan
from engine.fortress.levels import compare_levels, is_high
from tests.helpers.plans import CITADEL


@pytest.mark.parametrize(
    "upwards",
    [
        ("lower", "upper", "level 3", "level 4"),
        ("deep cellar", "Lower Level", "ground floor", "Upper", "attic"),
        ("basement 2", "basement", "ground", "first floor", "second floor", "roof"),
        ("level -1", "level 0", "level 1", "level 2", "level 10"),
        ("level one", "level two", "level three"),
        ("1st floor", "2nd floor", "3rd floor"),
        ("lower", "higher"),
        ("cellar", "level 1"),
        ("level-1", "level-2"),
    ],
)
def test_levels_are_ordered_by_words_and_numbers(upwards: tuple[str, ...]) -> None:
    """Cellar below ground below upper, numbers by number, and both ways round."""
    for below, above in combinations(upwards, 2):
        assert compare_levels(above, below) == 1, (below, above)
        assert compare_levels(below, above) == -1, (below, above)


@pytest.mark.parametrize(
    ("one", "other"),
    [("east wing", "west wing"), ("upper", "east wing"), ("upper", "level 2"), ("ground", "1")],
)
def test_where_names_do_not_tell_neither_is_above(one: str, other: str) -> None:
    """A guess would be a lie: the upper one of two levels may be called level 2."""
    assert compare_levels(one, other) is None
    assert compare_levels(other, one) is None


def test_levels_of_one_name_are_as_high() -> None:
    """Whatever they are called; and so are two words for the same."""
    for one, other in (("east wing", "East Wing "), ("upper", "upper deck"), ("level 2", "floor 2")):
        assert compare_levels(one, other) == 0


def test_shipped_maps_have_a_lower_and_an_upper_level() -> None:
    """The citadel's levels are told apart as they are called."""
    for room in load_floorplan(CITADEL).rooms:
        assert is_high(room.level) == (room.level == "upper")
    assert [is_high(one) for one in ("level 1", "level 2", "first floor", "ground", "cellar")] == [
        False, True, True, False, False,
    ]  # fmt: skip
