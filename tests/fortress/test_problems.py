"""Every check of a map finds its fault, and only that."""

from __future__ import annotations

import msgspec
import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fortress import FloorPlan, RoomInfo, grid_graph
from engine.fortress.ground import Ground, pieces
from engine.fortress.masks import bits
from engine.fortress.problems import Problem, problems
from tests.helpers.plans import drawn, random_plan

SOUND = ("AAB AAB", "door 1,0 E")


def found(plan: FloorPlan) -> set[tuple[str, str]]:
    """Return the codes and places of a plan's problems."""
    return {(problem.code, problem.place) for problem in problems(plan)}


def with_rooms(plan: FloorPlan, *rooms: RoomInfo) -> FloorPlan:
    """Return a plan with more rooms listed."""
    return msgspec.structs.replace(plan, rooms=(*plan.rooms, *rooms))


def test_a_sound_map_has_no_problems() -> None:
    """Two rooms, a door and a way in."""
    assert problems(drawn(*SOUND, entries="0,0 W")) == ()


@pytest.mark.parametrize(
    ("plan", "code", "place"),
    [
        (drawn(*SOUND), "no-entry", "entries"),
        (drawn("AA BB", entries="0,0"), "room-unreachable", "rooms[1]"),
        (drawn("AA BB", entries="0,0"), "room-closed", "rooms[1]"),
        (drawn("ABA", "door 0,0 E", "door 1,0 E", entries="0,0"), "room-in-pieces", "rooms[0]"),
        (drawn("AA AA", "door 0,0 E", entries="0,0"), "door-without-wall", "edges[0]"),
        (drawn("A.. A..", "door 1,0 E", entries="0,0"), "edge-in-rock", "edges[0]"),
        (drawn("AA AA", "door 1,0 E", entries="0,0"), "leads-off-the-map", "edges[0]"),
        (drawn("AA AA", "open 0,0 N", entries="0,0"), "leads-off-the-map", "edges[0]"),
        (
            drawn("AB AB CC", "armored 0,0 E", "open 0,1 E", "door 0,1 S", entries="0,0"),
            "door-guards-nothing",
            "edges[0]",
        ),
        (drawn("AB AB", "door 0,0 E", "door 0,1 E", entries="0,0"), "doors-side-by-side", "edges[1]"),
        (drawn("AA", "dropoff 1,0 E", entries="0,0"), "dropoff-into-rock", "edges[0]"),
        (drawn("AB", "dropoff 0,0 E", entries="0,0"), "dropoff-on-one-level", "edges[0]"),
        (drawn("AA AA", "dropoff 0,0 E", "dropoff 0,1 E", entries="0,0"), "dropoff-on-one-level", "edges[1]"),
        (drawn(*SOUND, "armored 2,0 W", entries="0,0"), "edge-twice", "edges[1]"),
        (drawn("AA.", things="tank 2,0", entries="0,0"), "equipment-in-rock", "equipment[0]"),
        (
            drawn("AA AA", things="tank 1,1; computer 1,1 S", entries="0,0"),
            "equipment-overlaps",
            "equipment[1]",
        ),
        (drawn("AA AA", things="computer 1,1", entries="0,0"), "computer-without-side", "equipment[0]"),
        (drawn("AA AA", things="computer 1,1 N", entries="0,0"), "computer-without-wall", "equipment[0]"),
        (drawn("AB", "dropoff 0,0 E", entries="0,0"), "dropoff-only-way", "rooms[1]"),
        (drawn("AA AA AA", "dropoff 0,1 E", entries="0,0"), "dropoff-parts-nothing", "edges[0]"),
        (drawn("A. A.", "wall 1,0 S", entries="0,0"), "wall-in-rock", "edges[0]"),
        (drawn("AB", "wall 0,0 E", entries="0,0"), "edge-says-nothing", "edges[0]"),
        (drawn("AA", "open 0,0 E", entries="0,0"), "edge-says-nothing", "edges[0]"),
        (drawn("A.", "wall 0,0 E", entries="0,0"), "edge-says-nothing", "edges[0]"),
        (drawn("AAA", things="tank 1,0", entries="0,0"), "tank-blocks-way", "equipment[0]"),
        (
            drawn("AAB AAB", "door 1,0 E", "open 1,1 E", things="tank 1,0", entries="0,0"),
            "tank-in-doorway",
            "equipment[0]",
        ),
        (drawn("AA.", entries="2,0"), "entry-in-rock", "entries[0]"),
        (drawn("AAA", things="tank 0,0", entries="0,0"), "entry-on-tank", "entries[0]"),
        (drawn("AAA", entries="0,0 E"), "entry-inside", "entries[0]"),
        (drawn("AAA", entries="0,0; 0,0"), "entry-name-twice", "entries[1]"),
        (drawn(*SOUND, entries="0,0", no_sight="AC"), "sight-room-missing", "no_sight[0]"),
        (drawn(*SOUND, entries="0,0", no_sight="AA"), "sight-room-twice", "no_sight[0]"),
        (drawn(*SOUND, entries="0,0", no_sight="AB BA"), "sight-pair-twice", "no_sight[1]"),
    ],
)
def test_a_fault_is_found_at_its_place(plan: FloorPlan, code: str, place: str) -> None:
    """A map drawn with one fault gets that problem, at that part of the file."""
    assert (code, place) in found(plan)


def test_rooms_must_be_listed_named_once_and_drawn() -> None:
    """Letters without a room, rooms without squares, and names or letters given twice."""
    plan = drawn(*SOUND, entries="0,0")
    assert ("unlisted-letter", "2,0") in found(msgspec.structs.replace(plan, rooms=plan.rooms[:1]))
    twin = RoomInfo(letter="C", name="Room A", level="lower", setup="S")
    assert {("room-name-twice", "rooms[2]"), ("room-empty", "rooms[2]")} <= found(with_rooms(plan, twin))
    same = RoomInfo(letter="A", name="Hall", level="lower", setup="S")
    assert ("room-letter-twice", "rooms[2]") in found(with_rooms(plan, same))
    rock = RoomInfo(letter=".", name="Rock", level="lower", setup="S")
    assert ("rock-letter", "rooms[2]") in found(with_rooms(plan, rock))


def test_every_letter_of_the_game_has_a_room() -> None:
    """6.1a: who has no room with its letter is told of, and nobody else; the letters are the game's."""
    plan = drawn(*SOUND, entries="0,0 W")
    bare = tuple(msgspec.structs.replace(room, setup="ST") for room in plan.rooms)
    bare_plan = msgspec.structs.replace(plan, rooms=bare)
    told = problems(bare_plan, {"S": "Servants", "J": "Jellies"})
    assert [(one.code, one.place, one.severity) for one in told] == [("no-setup-room", "rooms", "warning")]
    assert "Jellies" in told[0].message
    assert told[0].shortage == (0, 1, "J")
    assert problems(bare_plan) == ()


@pytest.mark.parametrize(("enter", "leave"), [(0, 0), (-1, 1), (10**9, 1), (1, -1), (1, 10**9)])
def test_entry_rates_out_of_bounds_are_found(enter: int, leave: int) -> None:
    """A rate must let somebody in or out, and be no absurd number (R11)."""
    plan = drawn(*SOUND, entries="0,0")
    entry = msgspec.structs.replace(plan.entries[0], enter=enter, leave=leave)
    codes = {problem.code for problem in problems(msgspec.structs.replace(plan, entries=(entry,)))}
    assert codes == {"entry-rate"}


def test_an_entry_may_be_a_way_out_only() -> None:
    """4.1, 4.7, R11: as long as another entry, or an armored door to stand outside of, lets somebody in."""
    two = drawn(*SOUND, entries="0,0 W; 2,1 E")
    out = msgspec.structs.replace(two.entries[1], enter=0)
    assert problems(msgspec.structs.replace(two, entries=(two.entries[0], out))) == ()
    only_out = msgspec.structs.replace(two, entries=(msgspec.structs.replace(two.entries[0], enter=0), out))
    assert [(one.code, one.severity, one.place) for one in problems(only_out)] == [
        ("no-way-in", "error", "entries")
    ]
    gate = drawn(*SOUND, "armored 0,0 W", entries="0,0 W")
    shut = msgspec.structs.replace(gate.entries[0], enter=0, leave=0)
    assert problems(msgspec.structs.replace(gate, entries=(shut,))) == ()


def test_nothing_is_in_reach_of_a_way_out_only() -> None:
    """4.1: what lies behind a way out can be reached only from where somebody comes in."""
    plan = drawn("AA BB", entries="0,0; 0,1 W")
    assert "room-unreachable" not in {code for code, _ in found(plan)}
    out = msgspec.structs.replace(plan.entries[1], enter=0)
    assert ("room-unreachable", "rooms[1]") in found(
        msgspec.structs.replace(plan, entries=(plan.entries[0], out))
    )


def test_a_sight_pair_that_changes_nothing_is_found() -> None:
    """5.9: a pair that walls part anyway is a warning, one that sees each other is not."""
    parted = drawn("ACB", "door 0,0 E", "door 1,0 S", entries="0,0", no_sight="AB")
    assert ("sight-changes-nothing", "no_sight[0]") in found(parted)
    assert "sight-changes-nothing" not in {
        code for code, _ in found(drawn(*SOUND, entries="0,0", no_sight="AB"))
    }


def test_the_same_edge_twice_alike_is_only_a_warning() -> None:
    """An import that doubled a door is told, but the map is playable."""
    plan = drawn(*SOUND, "door 2,0 W", entries="0,0")
    assert problems(plan) == (Problem("edge-twice", "warning", "edges[1]", "is the same edge as edges[0]"),)


def test_a_drop_off_with_a_way_round_is_not_the_only_way() -> None:
    """4.42: one drop-off that leads on is a warning, until there is a door as well."""
    one = drawn("AB AB", "dropoff 0,0 E", entries="0,0")
    assert ("dropoff-only-way", "rooms[1]") in found(one)
    both = drawn("AB AB", "dropoff 0,0 E", "door 0,1 E", entries="0,0")
    assert "dropoff-only-way" not in {code for code, _ in found(both)}


def test_a_drop_off_across_a_room_parts_it() -> None:
    """4.42: a drop-off from wall to wall is no odd one, though it lies inside one room."""
    plan = drawn("AAA AAA", "dropoff 0,0 E", "dropoff 0,1 E", entries="0,0")
    assert "dropoff-parts-nothing" not in {code for code, _ in found(plan)}


def test_a_room_walled_off_is_told_with_the_entries_that_do_not_lead_there() -> None:
    """A goal without a way to it is an error that names the room and the ways in, not a crash."""
    (one,) = [
        problem for problem in problems(drawn("AA BB", entries="0,0")) if problem.code == "room-unreachable"
    ]
    assert one.severity == "error"
    assert "Room B" in one.message
    assert "0,0" in one.message


def test_the_nearest_room_is_offered_for_one_that_is_missing() -> None:
    """5.9: a pair that names a room wrongly says which one may be meant."""
    plan = msgspec.structs.replace(drawn(*SOUND, entries="0,0"), no_sight=(("Room A", "Roomb B"),))
    assert [one.message for one in problems(plan) if one.code == "sight-room-missing"] == [
        'there is no room called "Roomb B"; is "Room B" meant? (5.9)'
    ]


def test_values_that_no_file_may_hold_are_told_before_they_are_saved() -> None:
    """What could be drawn but not read again is an error at its place."""
    plan = drawn(*SOUND, entries="0,0 W")
    rooms = (msgspec.structs.replace(plan.rooms[0], setup="Q"), plan.rooms[1])
    (one,) = problems(msgspec.structs.replace(plan, rooms=rooms))
    assert (one.code, one.severity, one.place) == ("not-a-map", "error", "rooms[0].setup")


@given(st.integers(0, 10**6))
def test_floods_find_what_graphs_find(seed: int) -> None:
    """The masks and runs that make the checks quick say what networkx says of the same plan."""
    plan = random_plan(seed)
    ground, graph = Ground(plan), grid_graph(plan)
    cuts = set(nx.articulation_points(graph))
    assert cuts <= {square for square in graph if ground.may_be_bridge(square)}
    for square in graph:
        assert set(ground.neighbours(square)) == set(graph[square])
        assert set(bits(ground.flood(1 << square, ground.passable, -1))) == nx.node_connected_component(
            graph, square
        )
    grid = nx.grid_2d_graph(plan.height, plan.width)
    for letter, count in pieces(plan).items():
        squares = [(y, x) for y, row in enumerate(plan.grid) for x, one in enumerate(row) if one == letter]
        assert count == nx.number_connected_components(grid.subgraph(squares))


def test_a_ragged_plan_is_told_and_never_crashes() -> None:
    """What is no map at all gives errors, not exceptions; random plans neither."""
    plan = drawn("AB A", "door 0,0 E")
    assert {problem.code for problem in problems(plan)} == {"not-a-map"}
    for seed in range(100):
        assert all(problem.severity in ("error", "warning") for problem in problems(random_plan(seed)))
