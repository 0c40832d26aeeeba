"""From the pointer to a square and an edge: by arithmetic, without flicker, on every zoom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.canvas.picking import spot_at
from editor.edits.edges import is_edge
from editor.edits.squares import is_on
from engine.fortress.floorplan import FloorPlan
from tests.helpers.plans import drawn

PLAN = drawn("AAAA AAAA AAAA")
NORMAL = 40.0


@pytest.mark.parametrize(
    ("point", "edge"),
    [
        ((1.2, 1.5), (0, 1, "E")),
        ((1.8, 1.5), (1, 1, "E")),
        ((1.5, 1.2), (1, 0, "S")),
        ((1.5, 1.8), (1, 1, "S")),
        ((0.2, 1.5), (-1, 1, "E")),
        ((1.5, 0.1), (1, -1, "S")),
    ],
)
def test_a_click_a_fifth_of_a_square_from_an_edge_is_on_that_edge(
    point: tuple[float, float], edge: tuple[int, int, str]
) -> None:
    """Thread 5: a door clicked near a wall stands exactly on it, named by its owner."""
    assert spot_at(PLAN, *point, NORMAL).edge == edge


def test_the_middle_of_a_square_is_no_edge_but_knows_the_nearest() -> None:
    """Beyond a quarter of a square only `near` tells the edge."""
    spot = spot_at(PLAN, 1.55, 1.7, NORMAL)
    assert spot.edge is None
    assert spot_at(PLAN, 1.55, 1.7, NORMAL).near == (1, 1, "S")
    assert spot.square == (1, 1)


def test_where_squares_are_small_six_pixels_are_near() -> None:
    """At 15 pixels a square the edge is picked from 6 pixels, 0.4 of a square, away."""
    assert spot_at(PLAN, 1.38, 1.5, 15).edge == (0, 1, "E")
    assert spot_at(PLAN, 1.38, 1.5, NORMAL).edge is None


def test_at_a_corner_the_nearer_across_wins_and_a_tie_keeps_the_last_edge() -> None:
    """A pointer that rests exactly between two edges does not make the ghost flicker."""
    assert spot_at(PLAN, 1.1, 1.12, NORMAL).edge == (0, 1, "E")
    assert spot_at(PLAN, 1.12, 1.1, NORMAL).edge == (1, 0, "S")
    for last in ((0, 1, "E"), (1, 0, "S")):
        assert spot_at(PLAN, 1.125, 1.125, NORMAL, last).edge == last


def test_just_outside_the_map_its_rim_is_picked_but_no_square() -> None:
    """An outer wall can be clicked from both sides."""
    spot = spot_at(PLAN, -0.1, 1.5, NORMAL)
    assert (spot.square, spot.edge) == (None, (-1, 1, "E"))
    assert spot_at(PLAN, 4.1, 1.5, NORMAL).edge == (3, 1, "E")
    assert spot_at(PLAN, 9.5, 9.5, NORMAL).near is None


@given(
    x=st.floats(-3, 12, allow_nan=False),
    y=st.floats(-3, 12, allow_nan=False),
    pixels=st.floats(2, 200),
    wide=st.integers(1, 8),
    high=st.integers(1, 8),
)
def test_a_spot_is_always_on_the_map_it_was_asked_of(
    x: float, y: float, pixels: float, wide: int, high: int
) -> None:
    """Whatever the point, the square and the edges told are of the map, and the edge is the nearest."""
    plan = FloorPlan(name="", grid=("A" * wide,) * high, rooms=())
    spot = spot_at(plan, x, y, pixels)
    assert spot.square is None or is_on(plan, spot.square)
    assert (spot.square is not None) == is_on(plan, (int(x // 1), int(y // 1)))
    for edge in (spot.edge, spot.near):
        assert edge is None or is_edge(plan, edge)
    if spot.edge is not None:
        assert spot.edge == spot.near
