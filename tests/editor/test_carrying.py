"""The scenario goes where its map goes: figures, and what is destroyed at the start, rim doors too."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PySide6.QtCore import Qt

from editor.draft import OWN_MAP, Draft
from editor.edits.pieces import cleared, cut, moved, stamped
from editor.edits.stamping import format_piece, parse_piece, without_ring
from editor.edits.turning import mirrored_in_place, turned_in_place
from editor.edits.whole import losses, mirrored, resized, turned
from editor.selection import Selection
from editor.tools.select import ARROWS, Select
from engine.fortress.floorplan import FloorPlan, load_floorplan, owner, tidied
from engine.fortress.thing_names import door_names, equipment_names
from engine.raid.scenario import Scenario, StartFigure, StartPosition
from tests.helpers.bench import Desk
from tests.helpers.plans import CITADEL, drawn, random_plan

CLONE = StartFigure(name="CloneMaster", square=(1, 1))
DREAM = StartFigure(name="Rising Dream", square=(0, 0), original={"fist": 1})


def wrecked(plan: FloorPlan, *names: str, figures: tuple[StartFigure, ...] = (CLONE,)) -> Draft:
    """Return a scenario that starts with some things of its map destroyed."""
    start = StartPosition(
        figures=figures,
        doors=tuple(name for name in names if name.startswith("door")),
        equipment=tuple(name for name in names if not name.startswith("door")),
    )
    return Draft(plan, Scenario(name="s", map=OWN_MAP, start=start))


def wrecks(draft: Draft) -> tuple[str, ...]:
    """Return what is destroyed at the start: doors, then equipment."""
    assert draft.scenario is not None
    assert draft.scenario.start is not None
    return draft.scenario.start.doors + draft.scenario.start.equipment


def square_of(draft: Draft, number: int = 0) -> tuple[int, int] | None:
    """Return where a figure of the start position is."""
    assert draft.scenario is not None
    assert draft.scenario.start is not None
    return draft.scenario.start.figures[number].square


HOUSE = drawn("AABB AABB AABB", "armored 1,1 E", "armored 0,2 W", "armored 3,0 N", things="tank 0,0")
"""Armored doors inside, on the west rim and on the north rim, and a tank in a corner."""
ALL = "door 1,1 E", "door 0,2 W", "door 3,0 N", "tank 0,0"


@pytest.mark.parametrize(
    ("way", "names", "square"),
    [
        (lambda draft: mirrored(draft, "x"), ("door 1,1 E", "door 3,2 E", "door 0,0 N", "tank 3,0"), (2, 1)),
        (lambda draft: mirrored(draft, "y"), ("door 1,1 E", "door 0,0 W", "door 3,2 S", "tank 0,2"), (1, 1)),
        (turned, ("door 1,1 S", "door 0,0 N", "door 2,3 E", "tank 2,0"), (1, 1)),
        (lambda draft: resized(draft, 1, 2), ("door 2,3 E", "door 0,4 E", "door 4,1 S", "tank 1,2"), (2, 3)),
    ],
    ids=["left to right", "top to bottom", "clockwise", "larger"],
)
def test_what_is_destroyed_goes_along_with_the_whole_map(
    way: Callable[[Draft], Draft], names: tuple[str, ...], square: tuple[int, int]
) -> None:
    """Doors and equipment are named where they are now, whole map or all of it in place."""
    made = way(wrecked(HOUSE, *ALL))
    assert wrecks(made) == names
    assert square_of(made) == square


@pytest.mark.parametrize(
    ("way", "names"),
    [
        ("x", ("door 2,2 E", "door 4,3 E", "door 1,0 S", "tank 4,1")),
        ("y", ("door 2,2 E", "door 0,1 E", "door 4,3 S", "tank 1,3")),
        ("turn", ("door 2,1 S", "door 1,0 N", "door 3,3 E", "tank 3,0")),
    ],
)
def test_what_is_destroyed_goes_along_in_place(way: str, names: tuple[str, ...]) -> None:
    """A house mirrored or turned where it is takes the names of what is destroyed in it along."""
    house = resized(wrecked(HOUSE, *ALL), 1, 1, 2, 2)
    squares = [(x, y) for x in range(1, 5) for y in range(1, 4)]
    if way == "turn":
        made, _ = turned_in_place(house, squares)
    else:
        made, _ = mirrored_in_place(house, squares, "x" if way == "x" else "y")
    assert {*wrecks(made)} <= {*door_names(made.plan), *equipment_names(made.plan)}
    assert wrecks(made) == names


def test_a_door_beside_a_corner_leaves_no_other_behind() -> None:
    """An L mirrored in place takes the door on its inner side along; none is left that leads into rock."""
    plan = drawn("A..B A..B AAAB", "armored 0,0 E", "door 2,2 E")
    squares = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2)]
    made, _ = mirrored_in_place(wrecked(plan, "door 0,0 E"), squares, "x")
    assert made.plan.grid == ("..AB", "..AB", "AAAB")
    assert {(one.x, one.y, one.side, one.kind) for one in tidied(made.plan).edges} == {
        (1, 0, "E", "armored"),
        (0, 2, "W", "door"),
    }
    assert wrecks(made) == ("door 1,0 E",)


def test_a_door_on_the_rim_keeps_its_name_when_it_moves() -> None:
    """A door of an entry on the map's rim, drawn along it, is still destroyed."""
    plan = drawn("AABB AABB AABB", "armored 0,1 W", entries="0,2 W")
    desk = Desk(wrecked(plan, "door 0,1 W"))
    desk.take(Select)
    desk.bench.select(Selection(edges=frozenset({(-1, 1, "E")})))
    desk.drag(desk.spot(0.02, 1.5), desk.spot(0.02, 2.5))
    assert door_names(desk.plan) == ("door 0,2 W",)
    assert wrecks(desk.document.draft) == ("door 0,2 W",)


@pytest.mark.parametrize("kind", ["armored", "door"])
@pytest.mark.parametrize("key", [Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left])
def test_the_door_of_an_entry_goes_along_with_its_squares(key: Qt.Key, kind: str) -> None:
    """An entry's door that leads off the map is nudged with the house, destroyed or not (4.1, 4.41)."""
    plan = drawn("..... .AAA. .ABB. .....", f"{kind} 1,1 N", f"{kind} 1,2 W", entries="1,1 N; 1,2 W")
    doors = ("door 1,0 S", "door 0,2 E") if kind == "armored" else ()
    desk = Desk(wrecked(plan, *doors, figures=()))
    tool = desk.take(Select)
    tool.select_all()
    desk.key(key)
    dx, dy = ARROWS[key]
    edges = {owner(one.x, one.y, one.side): one.kind for one in tidied(desk.plan).edges}
    assert edges == {(1 + dx, dy, "S"): kind, (dx, 2 + dy, "E"): kind}
    assert [(one.x, one.y) for one in desk.plan.entries] == [(1 + dx, 1 + dy), (1 + dx, 2 + dy)]
    assert set(wrecks(desk.document.draft)) == (set(door_names(desk.plan)) if doors else set())
    desk.document.undo()
    assert desk.bytes == desk.first


def test_the_tea_house_keeps_its_front_door_wherever_it_is_drawn() -> None:
    """All of a printed map nudged on an empty margin plays as before, its front door at its entry."""
    plan = load_floorplan(CITADEL.with_name("tea-house.json"))
    desk = Desk(resized(Draft(plan), left=3, top=2, right=3, bottom=2))
    tool = desk.take(Select)
    tool.select_all()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down):
        desk.key(key)
    there = resized(Draft(plan), left=4, top=3, right=2, bottom=1)
    assert tidied(desk.plan) == tidied(there.plan)


def test_a_cut_entry_takes_its_door_along_and_one_put_over_loses_it() -> None:
    """Cut and stamped, with its ring or without, a gate is at the entry only; so is one that is covered."""
    plan = drawn("AAA.BBB", "armored 0,0 W", "armored 6,0 E", entries="0,0 W; 6,0 E")
    house = [(0, 0), (1, 0), (2, 0)]
    for with_ring in (True, False):
        piece, _ = cut(plan, house, with_ring=with_ring)
        bare = cleared(plan, house)
        assert {one.x for one in bare.edges} == {6}
        made = stamped(bare, without_ring(piece), (4, 0))
        assert {owner(one.x, one.y, one.side) for one in tidied(made).edges} == {(3, 0, "E")}
        assert [(one.x, one.side) for one in made.entries] == [(4, "W")]


def test_fields_that_are_not_known_go_along_with_their_edges() -> None:
    """A door's and a wall's unknown fields are theirs still: mirrored, turned, moved, cut and stamped."""
    plan = drawn("...... .AABB. .AABB. ......", "door 2,1 E", "wall 2,2 E", "armored 1,2 W", entries="1,2 W")
    locked = tuple(replace(one, extra=(("lock", at),)) for at, one in enumerate(plan.edges))
    draft = Draft(tidied(replace(plan, edges=locked)))
    squares = frozenset((x, y) for x in range(1, 5) for y in (1, 2))
    for axis in ("x", "y"):
        once, _ = mirrored_in_place(draft, squares, axis)
        assert {one.extra for one in once.plan.edges} == {one.extra for one in locked}
        assert tidied(mirrored_in_place(once, squares, axis)[0].plan).edges == draft.plan.edges
    around = draft, squares
    for _ in range(4):
        around = turned_in_place(*around)
        assert sorted(str(one.extra) for one in around[0].plan.edges) == [str(one.extra) for one in locked]
    there = frozenset((x + 1, y + 1) for x, y in squares)
    assert tidied(moved(moved(draft.plan, squares, 1, 1), there, -1, -1)).edges == draft.plan.edges
    piece, _ = cut(draft.plan, squares)
    again = parse_piece(format_piece(piece))
    assert again == piece
    assert tidied(stamped(cleared(draft.plan, squares), again, (1, 1))).edges == draft.plan.edges
    other = stamped(draft.plan, piece._replace(extras=()), (1, 1))
    assert [one.extra for one in tidied(other).edges] == [(), ()]


def test_a_sound_tank_is_not_destroyed_where_a_destroyed_one_stood() -> None:
    """Floor with a tank moved over a destroyed tank: that one is gone, from the start position too."""
    plan = drawn("AAAA.. AAAA..", things="tank 0,0; tank 3,0")
    desk = Desk(wrecked(plan, "tank 3,0"))
    desk.take(Select)
    desk.bench.select(Selection(squares=frozenset({(0, 0)})))
    desk.drag((0, 0), (3, 0))
    assert equipment_names(desk.plan) == ("tank 3,0",)
    assert wrecks(desk.document.draft) == ()


def test_names_of_an_untidy_file_are_carried_to_the_games_own() -> None:
    """A door that a file names from its other side follows; a place off the map is nobody's any more."""
    plan = drawn("AABB AABB", "armored 2,1 W")
    draft = wrecked(plan, "door 2,1 W", "door to nowhere", "tank 7,7")
    assert wrecks(resized(draft, left=1)) == ("door 2,1 E", "door to nowhere")
    assert wrecks(resized(draft, left=-2)) == ("door 0,1 W", "door to nowhere")


def test_a_terminator_whose_square_is_cut_off_waits_outside() -> None:
    """A start position has every Terminator, so he is off the map then, and the losses say so (7)."""
    draft = wrecked(drawn("AABB AABB"), figures=(CLONE, DREAM))
    assert losses(draft, -1, 0, 0, 0)[-1] == "start position: Rising Dream at 0,0 goes off the map"
    made = resized(draft, left=-1)
    assert made.scenario is not None
    assert made.scenario.start is not None
    assert made.scenario.start.figures == (
        replace(CLONE, square=(0, 1)),
        replace(DREAM, square=None, place="off"),
    )


@given(seed=st.integers(0, 10**6), data=st.data())
def test_what_is_destroyed_is_on_the_map_after_every_edit(seed: int, data: st.DataObject) -> None:
    """Whatever is mirrored, turned or cut off, the names are those of things that are there."""
    plan = random_plan(seed)
    draft = wrecked(plan, *door_names(plan), *equipment_names(plan))
    width, height = plan.width, plan.height
    cut = st.integers(-((min(width, height) - 1) // 2), 3)
    ways: dict[str, Callable[[], Draft]] = {
        "x": lambda: mirrored(draft, "x"),
        "turn": lambda: turned(draft),
        "size": lambda: resized(draft, *(data.draw(cut) for _ in range(4))),
        "all in place": lambda: mirrored_in_place(
            draft, [(x, y) for x in range(width) for y in range(height)], "y"
        )[0],
    }
    made = ways[data.draw(st.sampled_from(sorted(ways)))]()
    known = {*door_names(made.plan), *equipment_names(made.plan)}
    assert {*wrecks(made)} == known
