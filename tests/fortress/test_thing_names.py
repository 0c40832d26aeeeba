"""What doors and equipment are called, whichever way the map's file writes their edges."""

from __future__ import annotations

import pytest

from engine.fortress.floorplan import Side, tidied
from engine.fortress.thing_names import ThingName, door_name, door_names, equipment_names, parsed_name
from tests.helpers.plans import drawn


@pytest.mark.parametrize(
    ("edge", "name"),
    [
        ((4, 1, "W"), "door 3,1 E"),
        ((3, 1, "E"), "door 3,1 E"),
        ((2, 3, "N"), "door 2,2 S"),
        ((0, 2, "W"), "door 0,2 W"),
        ((-1, 2, "E"), "door 0,2 W"),
        ((5, 0, "N"), "door 5,0 N"),
        ((5, -1, "S"), "door 5,0 N"),
    ],
)
def test_a_door_has_one_name_from_both_sides(edge: tuple[int, int, Side], name: str) -> None:
    """A door is named by its edge's owner, on the west and north rim by the square on the map."""
    assert door_name(*edge) == name


def test_names_are_taken_apart_and_nothing_else_is() -> None:
    """A name of a thing gives kind and place; a figure's name, or too many digits, does not."""
    assert parsed_name("tank 21,0") == ThingName("tank", 21, 0)
    assert parsed_name("door 0,2 W") == ThingName("door", 0, 2, "W")
    for name in ("", "Gray", "door 1,2", "tank 1,2 E", "door -1,2 E", "tank 1,2 ", f"tank {'9' * 5000},1"):
        assert parsed_name(name) is None


def test_a_map_and_its_tidied_one_have_the_same_doors() -> None:
    """An edge written from its other side, or twice, is the same door under the same name."""
    plan = drawn(
        "AAB AAB ...", "armored 2,1 W", "door 2,0 W", "armored 0,0 W", "armored 1,1 E", things="tank 1,1"
    )
    assert door_names(plan) == ("door 1,1 E", "door 0,0 W")
    assert sorted(door_names(tidied(plan))) == sorted(door_names(plan))
    assert equipment_names(plan) == ("tank 1,1",)
