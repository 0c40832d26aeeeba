"""Edits of a plan: doors keep their walls, rooms their things, and what cannot be says why."""

from __future__ import annotations

import pytest

from editor.draft import Draft
from editor.edits.edges import why_not, with_edges
from editor.edits.pieces import cleared, cut, mirrored, moved, stamped, turned
from editor.edits.rooms import merged, with_room, with_sight_pair
from editor.edits.squares import area_at, paint, with_new_room
from editor.edits.things import why_no_entry, why_no_equipment
from editor.edits.whole import losses, resized
from editor.edits.whole import mirrored as whole_mirrored
from editor.edits.whole import turned as whole_turned
from engine.fortress.floorplan import EdgeOverride, Entry, Equipment, FloorPlan, load_floorplan, tidied
from engine.raid.problems import problems
from engine.raid.scenario import Placement, Scenario, StartFigure, StartPosition
from tests.helpers.plans import CITADEL, drawn


def walls(plan: FloorPlan) -> set[tuple[int, int, str]]:
    """Return every edge with a wall on it."""
    return {
        (x, y, side)
        for y in range(-1, plan.height)
        for x in range(-1, plan.width)
        for side in ("E", "S")
        if plan.edge_kind(x, y, side) == "wall"
    }


def test_a_room_drawn_beside_a_door_leaves_the_door() -> None:
    """A new room south of a room with a door on its south side: the edge is still the door."""
    plan = drawn("AA ..", "door 0,0 S", entries="0,0 S")
    made, _ = with_new_room(plan, [(0, 1), (1, 1)])
    assert made.edge_kind(0, 0, "S") == "door"
    assert made.edge_kind(1, 0, "S") == "wall"


def test_painting_elsewhere_keeps_an_armored_door_armored() -> None:
    """Nothing that is drawn far off resets a door."""
    plan = drawn("AAB AAB AAB", "armored 1,1 E")
    for squares in ([(0, 0)], [(2, 0)], [(2, 2)]):
        assert paint(plan, squares, ".").edge_kind(1, 1, "E") == "armored"


def test_neighbouring_rooms_have_a_wall_and_extended_ones_none() -> None:
    """A new room beside another is parted from it by a wall; the same room extended is open."""
    plan, first = with_new_room(FloorPlan(name="", grid=("....",) * 2, rooms=()), [(0, 0), (0, 1)])
    new, _ = with_new_room(plan, [(1, 0), (1, 1)])
    assert new.edge_kind(0, 0, "E") == "wall"
    assert paint(plan, [(1, 0)], first).edge_kind(0, 0, "E") == "open"


def test_a_hole_has_walls_and_the_outer_ones_stay() -> None:
    """The middle of a 5x5 room erased: four walls more, the outer twenty as they were."""
    plan = drawn("AAAAA AAAAA AAAAA AAAAA AAAAA")
    made = paint(plan, [(2, 2)], ".")
    assert walls(plan) < walls(made)
    assert walls(made) - walls(plan) == {(2, 2, "E"), (2, 2, "S"), (1, 2, "E"), (2, 1, "S")}


def test_an_edge_set_twice_is_one_record() -> None:
    """A door on a wall, and another kind on the same edge, is one record, wherever it was named from."""
    plan = drawn("AB")
    for kind in ("wall", "door", "armored"):
        plan = with_edges(plan, {(0, 0, "E"): kind})
    assert plan.edges == (EdgeOverride(x=0, y=0, side="E", kind="armored"),)
    named_from_east = FloorPlan(
        name="", grid=("AB",), rooms=(), edges=(EdgeOverride(x=1, y=0, side="W", kind="door"),)
    )
    assert len(with_edges(named_from_east, {(0, 0, "E"): "armored"}).edges) == 1


def test_plain_edges_leave_no_record() -> None:
    """A wall where the rooms make one, or an opening where they make that, is not written down."""
    plan = with_edges(drawn("AAB"), {(1, 0, "E"): "wall", (0, 0, "E"): "open"})
    assert plan.edges == ()
    opened = with_edges(plan, {(1, 0, "E"): "open"})
    assert tidied(with_edges(opened, {(1, 0, "E"): "wall"})).edges == ()


def test_a_door_says_why_it_cannot_be() -> None:
    """Each refusal names its reason; an entry lets a door lead off the map (4.1)."""
    plan = drawn("AAB ..B", entries="0,0 W")
    assert why_not(plan, (0, 0, "E"), "door") == "no wall here: both sides are Room A"
    assert "rock on both sides" in why_not(plan, (0, 1, "E"), "door")
    assert "off the map" in why_not(plan, (2, 0, "E"), "armored")
    assert why_not(plan, (-1, 0, "E"), "armored") == ""
    assert why_not(plan, (1, 0, "E"), "dropoff") == ""
    assert "4.42" in why_not(plan, (0, 0, "S"), "dropoff")
    assert "off the map" in why_not(plan, (7, 0, "S"), "wall")


def test_the_last_square_takes_the_room_along() -> None:
    """A room without squares is gone from the list and from the pairs without sight."""
    plan = drawn("ABC", no_sight="AB BC")
    made = paint(plan, [(1, 0)], "C")
    assert [room.letter for room in made.rooms] == ["A", "C"]
    assert made.no_sight == ()


def test_fill_stops_at_partition_walls_and_doors() -> None:
    """Flooding goes through openings of the same room only."""
    plan = drawn("AAAB", "wall 1,0 E")
    assert area_at(plan, (0, 0)) == {(0, 0), (1, 0)}
    assert area_at(plan, (9, 9)) == frozenset()


def test_a_renamed_room_is_renamed_everywhere() -> None:
    """Name and letter change in the grid, the list and the pairs; a taken one is refused."""
    plan = with_room(drawn("AB", no_sight="AB"), "A", new_letter="Z", name="Vault")
    assert plan.grid == ("ZB",)
    assert plan.no_sight == (("Vault", "Room B"),)
    with pytest.raises(ValueError, match="letter of Room B"):
        with_room(plan, "Z", new_letter="B")
    with pytest.raises(ValueError, match="called"):
        with_room(plan, "Z", name="Room B")


def test_merged_rooms_keep_what_parted_them() -> None:
    """The door between two merged rooms stays, their set-up is put together, pairs are one."""
    plan = drawn("ABC", "door 0,0 E", no_sight="AC BC")
    plan = with_room(with_room(plan, "A", setup="S"), "B", setup="J")
    made = merged(plan, "A", ["B"])
    assert made.grid == ("AAC",)
    assert made.edge_kind(0, 0, "E") == "door"
    assert made.rooms[0].setup == "SJ"
    assert made.no_sight == (("Room A", "Room C"),)
    assert with_sight_pair(made, "Room C", "Room A", False).no_sight == ()


def test_a_copy_carries_its_doors_to_any_place() -> None:
    """A 3x3 copy with doors and a partition stands the same way wherever it is put, sides right."""
    plan = drawn("AAB.... AAB.... CCC.... .......", "door 1,0 E", "wall 0,0 E", "armored 0,1 S")
    piece, _ = cut(plan, [(x, y) for x in range(3) for y in range(3)])
    for at in ((4, 0), (3, 1), (0, 1)):
        made = tidied(stamped(plan, piece, at))
        for x, y, side, kind in ((1, 0, "E", "door"), (0, 0, "E", "wall"), (0, 1, "S", "armored")):
            assert made.edge_kind(x + at[0], y + at[1], side) == kind  # type: ignore[arg-type]


def test_a_copy_beside_itself_is_the_same_room_extended_or_another_elsewhere() -> None:
    """A piece put on its own map extends its rooms; elsewhere its rooms are new ones."""
    piece, _ = cut(drawn("AA"), [(0, 0), (1, 0)])
    other = with_room(drawn("A.... ....."), "A", name="Hall")
    made = stamped(other, piece, (3, 1))
    assert len(made.rooms) == 2
    assert made.room_at(3, 1) is made.rooms[1]
    assert made.rooms[1].letter != "A"
    assert made.rooms[1].name == "Room A"
    assert stamped(drawn("AA..."), piece, (3, 0)).rooms == drawn("AA").rooms


def test_turning_four_times_and_mirroring_twice_change_nothing() -> None:
    """A piece and a whole map come back to themselves, equipment, entries and the rim's edges too."""
    plan = load_floorplan(CITADEL)
    piece, _ = cut(plan, [(x, y) for x in range(32) for y in range(19)], with_ring=True)
    again = turned(turned(turned(turned(piece))))
    assert (again.plan, again.squares, set(again.edges)) == (piece.plan, piece.squares, set(piece.edges))
    for axis in ("x", "y"):
        twice = mirrored(mirrored(piece, axis), axis)
        assert (twice.plan, set(twice.edges)) == (piece.plan, set(piece.edges))
        draft = Draft(plan)
        assert whole_mirrored(whole_mirrored(draft, axis), axis).tidied(draft) == draft
    draft = Draft(plan)
    assert whole_turned(whole_turned(whole_turned(whole_turned(draft)))).tidied(draft) == draft


def test_a_mirrored_citadel_has_no_problems() -> None:
    """The front door, computers and drop-offs still stand where the rules want them."""
    for draft in (
        whole_mirrored(Draft(load_floorplan(CITADEL)), "x"),
        whole_turned(Draft(load_floorplan(CITADEL))),
    ):
        assert problems(draft.whole) == ()


def test_moving_squares_moves_all_in_them_and_keeps_numbers() -> None:
    """Moved equipment keeps its place in the list, which names it; rock is left behind."""
    plan = drawn("AAB... ......", "door 1,0 E", things="tank 0,0; tank 2,0", entries="1,0 N")
    made = moved(plan, [(0, 0), (1, 0), (2, 0)], 2, 1)
    assert made.grid == ("......", "..AAB.")
    assert [(one.x, one.y) for one in made.equipment] == [(2, 1), (4, 1)]
    assert (made.entries[0].x, made.entries[0].y, made.entries[0].name) == (3, 1, plan.entries[0].name)
    assert made.edge_kind(3, 1, "E") == "door"
    assert tidied(made).edges == made.edges
    assert tidied(moved(made, [(2, 1), (3, 1), (4, 1)], -2, -1)) == tidied(plan)


def test_a_deleted_entry_does_not_come_back_with_a_paste() -> None:
    """Delete an entry, copy the area, paste: no entry."""
    plan = drawn("AA..", entries="0,0 W")
    piece, _ = cut(cleared(plan, [(0, 0)]), [(0, 0), (1, 0)])
    assert stamped(plan, piece, (2, 0)).entries == plan.entries


def test_things_say_why_they_cannot_stand() -> None:
    """Equipment and entries are refused with a reason and its rule."""
    plan = drawn("AAB ...", things="tank 0,0", entries="2,0 N")
    assert "rock" in why_no_equipment(plan, Equipment(kind="tank", x=0, y=1))
    assert "other equipment" in why_no_equipment(plan, Equipment(kind="tank", x=0, y=0))
    assert why_no_equipment(plan, Equipment(kind="tank", x=0, y=0), at=0) == ""
    assert "4.5" in why_no_equipment(plan, Equipment(kind="computer", x=1, y=0, side="W"))
    assert why_no_equipment(plan, Equipment(kind="computer", x=1, y=0, side="E")) == ""
    assert "4.1" in why_no_equipment(plan, Equipment(kind="tank", x=2, y=0))
    assert "into the fortress" in why_no_entry(plan, Entry(name="x", x=1, y=0, enter=1, leave=1, side="E"))
    assert "tank" in why_no_entry(plan, Entry(name="x", x=0, y=0, enter=1, leave=1))
    for rate in (-1, 10**9):
        assert "R11" in why_no_entry(plan, Entry(name="x", x=1, y=0, enter=rate, leave=1))
    assert why_no_entry(plan, Entry(name="x", x=1, y=0, enter=0, leave=1)) == ""
    assert "4.7" in why_no_entry(plan, Entry(name="x", x=1, y=0, enter=0, leave=0))
    gate = drawn("AA", "armored 0,0 W")
    assert why_no_entry(gate, Entry(name="x", x=0, y=0, enter=0, leave=0, side="W")) == ""


def test_a_smaller_map_tells_its_losses_and_the_scenario_follows() -> None:
    """Everything that is lost is listed; placements, start squares, doors and equipment move together."""
    plan = drawn("AAB AAB AAB", "armored 1,1 E", "door 1,0 E", things="tank 2,2; tank 0,2", entries="0,0 W")
    start = StartPosition(
        figures=(StartFigure(name="CloneMaster", square=(2, 1)), StartFigure(name="Gray", square=(0, 0))),
        doors=("door 1,1 E",),
        equipment=("tank 2,2",),
    )
    scenario = Scenario(
        name="s",
        map="",
        placements=(Placement(kind="jelly", square=(0, 1)), Placement(kind="jelly", square=(2, 2))),
        start=start,
    )
    draft = Draft(plan, scenario)
    lost = losses(draft, -1, 0, 0, 0)
    assert lost == (
        "Room A: 3 of 6 squares",
        "tank at 0,2",
        'entry "0,0 W"',
        "fixed placement 1: jelly at 0,1",
        "start position: Gray at 0,0",
    )
    made = resized(draft, left=-1)
    assert made.plan.grid == ("AB", "AB", "AB")
    assert made.plan.edge_kind(0, 1, "E") == "armored"
    assert made.scenario is not None
    assert made.scenario.start is not None
    assert made.scenario.placements == (Placement(kind="jelly", square=(1, 2)),)
    assert made.scenario.start.doors == ("door 0,1 E",)
    assert made.scenario.start.equipment == ("tank 1,2",)
    assert [one.square for one in made.scenario.start.figures] == [(1, 1)]
    assert losses(draft, 2, 1, 0, 5) == ()
    grown = resized(draft, 2, 1, 0, 5)
    assert resized(grown, -2, -1, 0, -5) == draft
    with pytest.raises(ValueError, match="nothing would be left"):
        resized(draft, left=-3)
    with pytest.raises(ValueError, match="limit of 256"):
        resized(draft, left=300)
