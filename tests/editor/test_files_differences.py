"""Differences between two drafts in words: each kind of thing, and nothing left untold."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from editor.draft import OWN_MAP, Draft
from editor.files.differences import differences
from engine.fortress.floorplan import EdgeOverride, Entry, Equipment, FloorPlan
from engine.raid.scenario import Placement, Points, Scenario, StartFigure, StartPosition
from tests.helpers.drafts import drafts
from tests.helpers.plans import drawn

PLAN = drawn(
    "AAAA AAAA BBBB BBBB", "door 1,1 S", things="tank 0,0; computer 2,2 W", entries="0,0 N", no_sight="AB"
)
SCENARIO = Scenario(
    name="s",
    map=OWN_MAP,
    placements=(Placement(kind="servant", square=(1, 1)),),
    start=StartPosition(figures=(StartFigure(name="CloneMaster", square=(1, 1)),)),
)
DRAFT = Draft(PLAN, SCENARIO)


def told(**changes: Any) -> list[str]:
    """Return the differences of DRAFT and the same with some fields of its map changed."""
    return [one.text for one in differences(DRAFT, Draft(replace(PLAN, **changes), SCENARIO))]


def test_rooms_and_squares_are_told_by_name() -> None:
    """A renamed room, one with other letters, squares that went over, a room that came."""
    first, second = PLAN.rooms
    rooms = (
        replace(first, name="Hall", setup="S"),
        replace(second, level="upper"),
        replace(first, letter="C"),
    )
    assert told(rooms=rooms, grid=("AAAA", "AABC", "BBBB", "BBBB")) == [
        "Room A “Hall”: was called “Room A”",
        "Room A “Hall”: set-up letters S T J → S",
        "Room B “Room B”: level “lower” → “upper”",
        "Room C “Room A” is new",
        "1 square of “Room A” became “Room B”: 2,1",
        "1 square of “Room A” became “Room A”: 3,1",
    ]
    assert told(rooms=(first,))[0] == "Room B “Room B” is gone"


def test_many_squares_are_told_by_where_they_lie() -> None:
    """Sixteen squares are a box, not a list of sixteen."""
    assert told(grid=("....",) * 4) == [
        "8 squares of “Room A” became rock: within 0,0 to 3,1",
        "8 squares of “Room B” became rock: within 0,2 to 3,3",
    ]


def test_edges_equipment_entries_and_pairs_are_told_one_by_one() -> None:
    """Each thing that came, went or changed has its line."""
    assert told(edges=(EdgeOverride(x=1, y=1, side="S", kind="armored"),)) == [
        "Edge 1,1 S: door → armored door"
    ]
    assert told(edges=()) == ["Edge 1,1 S: door → as the rooms make it"]
    things = (Equipment(kind="tank", x=3, y=3), PLAN.equipment[1], Equipment(kind="tank", x=1, y=0))
    assert told(equipment=things) == ["The tank at 0,0 is at 3,3", "A tank at 1,0 is new"]
    entry = PLAN.entries[0]
    assert told(
        entries=(replace(entry, enter=3, leave=0), Entry(name="Back", x=3, y=3, enter=1, leave=1))
    ) == [
        f"Entry “{entry.name}”: 1 → 3 may come in a phase",
        f"Entry “{entry.name}”: 1 → 0 may leave in a phase",
        "Entry “Back” at 3,3 is new",
    ]
    assert told(no_sight=()) == ["“Room A” and “Room B” are no longer a pair without sight"]


def test_hundreds_of_edges_are_counted_by_kind() -> None:
    """A wall through the whole map is one line."""
    plan = drawn(" ".join(["A" * 30] * 30))
    walls = tuple(EdgeOverride(x=x, y=y, side="E", kind="wall") for x in range(10) for y in range(20))
    (one,) = differences(Draft(plan), Draft(replace(plan, edges=walls)))
    assert one.text == "200 edges: as the rooms make it → wall, within 0,0 to 9,19"
    assert len(one.squares) == 200


def test_another_size_is_told_first() -> None:
    """Resizing names both sizes."""
    grid = (*(f"{row}." for row in PLAN.grid), ".....")
    assert told(grid=grid) == ["Size: 4 × 4 → 5 × 5 squares"]


def scenario_told(**changes: Any) -> list[str]:
    """Return the differences of DRAFT and the same with some fields of its scenario changed."""
    return [one.text for one in differences(DRAFT, Draft(PLAN, replace(SCENARIO, **changes)))]


def test_fields_of_the_scenario_are_told_as_everywhere_else() -> None:
    """Switches by their titles, placements and start figures by what they are."""
    assert scenario_told(turns=12) == ["Turns: 10 → 12"]
    assert scenario_told(map="citadel") == ["Map: in the scenario's own file → “citadel”"]
    assert scenario_told(name="other") == ["Name: “s” → “other”"]
    assert scenario_told(points=Points()) != []
    assert scenario_told(placements=(Placement(kind="servant", square=(2, 1)),)) == [
        "Fixed placement: the servant at 1,1 is gone",
        "Fixed placement: the servant at 2,1 is new",
    ]
    assert scenario_told(start=None) == ["Start: there → not there"]
    start = StartPosition(turn=2, figures=(StartFigure(name="CloneMaster", square=(2, 2)),))
    assert scenario_told(start=start) == [
        "Start, turn: 1 → 2",
        "Start position: CloneMaster, square: [1, 1] → [2, 2]",
    ]


def test_a_map_that_became_a_scenario_is_told() -> None:
    """Another kind of file is a difference by itself."""
    assert [one.text for one in differences(Draft(PLAN), DRAFT)] == ["It was a map and is a scenario"]


@settings(max_examples=100, deadline=None)
@given(drafts(), drafts())
def test_there_are_no_differences_exactly_where_the_drafts_are_the_same(one: Draft, other: Draft) -> None:
    """Every two random drafts differ in words if they differ at all."""
    assert differences(one, one) == ()
    assert bool(differences(one, other)) == (one != other)
    assert all("\n" not in line.text for line in differences(one, other))


@settings(max_examples=150, deadline=None)
@given(drafts(is_scenario=True), drafts(is_scenario=True), st.integers(0, 10**6))
def test_every_single_field_that_changes_is_told(one: Draft, other: Draft, seed: int) -> None:
    """A field taken over from another draft, alone, gives a line."""
    rng = random.Random(seed)
    assert one.scenario is not None
    assert other.scenario is not None
    fields = [field.name for field in msgspec.structs.fields(FloorPlan)]
    name = rng.choice(fields)
    plan = replace(one.plan, **{name: getattr(other.plan, name)})
    changed = Draft(plan, one.scenario)
    assert bool(differences(one, changed)) == (one != changed), name
    name = rng.choice([field.name for field in msgspec.structs.fields(Scenario)])
    try:
        scenario = replace(one.scenario, **{name: getattr(other.scenario, name)})
    except ValueError:
        return
    changed = Draft(one.plan, scenario)
    assert bool(differences(one, changed)) == (one != changed), name


@pytest.mark.parametrize("swap", ["rooms", "equipment", "entries", "edges"])
def test_another_order_is_a_difference_too(swap: str) -> None:
    """The order of a list is kept in the file, and numbers equipment; so it is told."""
    plan = drawn("AB AB", "door 0,0 E", "door 0,1 E", things="tank 0,0; tank 1,1", entries="0,0 N;1,0 N")
    other = replace(plan, **{swap: tuple(reversed(getattr(plan, swap)))})
    assert len(differences(Draft(plan), Draft(other))) == 1
