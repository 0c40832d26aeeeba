"""What is found wrong with scenarios that can be read."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.files import BadFile
from engine.fortress.floorplan import format_floorplan, parse_floorplan
from engine.raid.figures import TERMINATOR_NAMES
from engine.raid.problems import map_problems, problems
from engine.raid.scenario import (
    SHIPPED,
    Escape,
    Placement,
    Points,
    Reinforcement,
    Scenario,
    StartFigure,
    StartPosition,
    format_scenario,
    load_scenario,
    parse_scenario,
)
from tests.helpers.plans import random_plan
from tests.helpers.raid import plan

BASIC = load_scenario("basic")
# 4 x 3 squares of a room for technicians beside 2 for everybody, no doors.
SMALL = plan("AAAABB AAAABB AAAABB", edges="open 3,0 E", entries="Front  0,0  1  1  -")


def no_room(**changed: object) -> list[str]:
    """Return what is said about missing squares of the basic scenario with some changes."""
    scenario = msgspec.structs.replace(BASIC, **changed)
    return [problem.message for problem in problems(scenario) if problem.code == "no-room"]


def test_shipped_scenario_has_none() -> None:
    """The shipped scenario has no problem."""
    assert problems(BASIC) == ()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"servants": 6, "technicians": 6, "armed_technicians": 0, "jellies": 7},
            ["18 squares for 19 Servants and Technicians and Jellies to be set up (6.1)"],
        ),
        (
            {"servants": 19, "technicians": 1, "armed_technicians": 0, "jellies": 1},
            ["18 squares for 19 Servants to be set up (6.1)"],
        ),
        (
            {"servants": 10, "technicians": 9, "armed_technicians": 0, "jellies": 0},
            ["18 squares for 19 Servants and Technicians to be set up (6.1)"],
        ),
        ({"servants": 17, "technicians": 0, "armed_technicians": 0, "jellies": 0}, []),
        (
            {"servants": 18, "technicians": 0, "armed_technicians": 0, "jellies": 0},
            ["18 squares for 19 counters to be set up (6.1)"],
        ),
    ],
    ids=str,
)
def test_counters_without_squares(changed: dict[str, int], said: list[str]) -> None:
    """6.1: more counters than squares where they may be set up are told, of one kind or of several."""
    assert no_room(map=SMALL, **changed) == said


def test_letters_count() -> None:
    """6.1a: only rooms with a kind's letter count for it."""
    rooms = tuple(
        msgspec.structs.replace(room, setup="S" if room.letter == "A" else "STJ") for room in SMALL.rooms
    )
    scenario = {"map": msgspec.structs.replace(SMALL, rooms=rooms), "armed_technicians": 0, "jellies": 0}
    assert no_room(**scenario, servants=11, technicians=6) == []
    assert no_room(**scenario, servants=2, technicians=7) == [
        "6 squares for 7 Technicians to be set up (6.1)"
    ]


def test_a_shortage_is_told_in_numbers_too() -> None:
    """6.1, 7.4: whoever mends it need not read the sentence."""
    crowded = Scenario(name="x", map=SMALL, servants=10, technicians=9, armed_technicians=0, jellies=0)
    assert [one.shortage for one in problems(crowded) if one.code == "no-room"] == [(18, 19, "ST")]
    added = small(extra_doors=2)
    assert [one.shortage for one in problems(added) if one.code == "no-room"] == [(1, 2, "")]


def test_start_position_needs_no_room() -> None:
    """A scenario with a start position is not set up."""
    assert no_room(map=SMALL, start=StartPosition()) == []
    assert no_room(map=SMALL, start=None) != []


def test_faults_of_the_map_have_their_place() -> None:
    """A fault of the map is told with its place in the scenario's file."""
    bare = msgspec.structs.replace(SMALL, entries=())
    found = problems(Scenario(name="x", map=bare, servants=1, technicians=1, jellies=1))
    assert found
    assert all(problem.place.startswith("map") for problem in found)


# Aims, letters, rates, rules


SOME = Reinforcement(from_turn=1, number=3, entry="Front")
MISNAMED = Reinforcement(from_turn=1, number=1, entry="front")
ROUND = plan(
    "AAAB AAAB AAAB",
    edges="door 2,1 E",
    equipment="tank 1,1",
    entries="Front  0,0  2  1  -; Back  0,2  1  0  -",
)


def codes(scenario: Scenario) -> set[tuple[str, str]]:
    """Return the codes and places of a scenario's problems."""
    return {(problem.code, problem.place) for problem in problems(scenario)}


def small(**changed: Any) -> Scenario:
    """Return a scenario on the small map that has nothing wrong, with some changes."""
    forces = {"servants": 1, "technicians": 1, "armed_technicians": 1, "jellies": 1}
    return Scenario(name="Small", **({"map": ROUND} | forces | changed))


def test_a_small_scenario_has_none() -> None:
    """A map with a tank, two entries and all letters, and one figure of each kind."""
    assert problems(small()) == ()


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_scenarios_have_none(name: str) -> None:
    """Whatever is checked, what is shipped has nothing wrong."""
    assert problems(load_scenario(name)) == ()


@pytest.mark.parametrize(
    ("changed", "code", "place"),
    [
        ({"reinforcements": (MISNAMED,)}, "no-entry", "reinforcements[0].entry"),
        ({"technicians": 0, "armed_technicians": 0}, "letter-of-nobody", "technicians"),
        ({"jellies": 0}, "letter-of-nobody", "jellies"),
        ({"servants": 0, "technicians": 0, "armed_technicians": 0, "jellies": 0}, "no-guards", "servants"),
        ({"set_up": "random"}, "rules-exclude", "release"),
        ({"extra_doors": 2}, "no-room", "extra_doors"),
        ({"points": Points(clonemaster=0, equipment=0, everything=0, jelly=0)}, "cannot-win", "points"),
        ({"points": Points(killed=0, captured=0)}, "cannot-win", "points"),
        ({"points": Points(killed=9, captured=9, total_margin=99)}, "never-total", "points.total_margin"),
        ({"escape": Escape(from_turn=11)}, "never", "escape.from_turn"),
        ({"escape": Escape(levels_left=7)}, "at-once", "escape.levels_left"),
        ({"map": msgspec.structs.replace(ROUND, equipment=())}, "no-equipment", "map.equipment"),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_odd_about_a_scenario_is_told_at_its_place(
    changed: dict[str, Any], code: str, place: str
) -> None:
    """6.1, 6.3, R11, R34, R35: each fault of forces, aims and options is found, and nothing else."""
    assert codes(small(**changed)) == {(code, place)}


def test_more_may_come_than_an_entry_lets_terminators_in() -> None:
    """R11, R12: rates are the Terminators'; of reinforcements all come, who finds no room later."""
    assert problems(small(reinforcements=(SOME,))) == ()


def test_the_nearest_entry_is_offered() -> None:
    """6.2: a row that names an entry wrongly says which one may be meant."""
    (one,) = problems(small(reinforcements=(MISNAMED,)))
    assert one.message == '"front" is no entry of the map; is "Front" meant? (6.2)'


def test_rooms_without_letter_are_told_but_no_loo() -> None:
    """6.1a, 4.12: a room in which nobody may be set up is a warning, unless it is called a loo."""
    rooms = tuple(msgspec.structs.replace(room, setup="") for room in ROUND.rooms[1:])
    bare = msgspec.structs.replace(ROUND, rooms=(ROUND.rooms[0], *rooms))
    assert codes(small(map=bare)) == {("room-without-letter", "map.rooms[1]")}
    empty = msgspec.structs.replace(rooms[0], letter="q", name="Nowhere")
    beside = msgspec.structs.replace(ROUND, rooms=(*ROUND.rooms, empty))
    assert codes(small(map=beside)) == {("room-empty", f"map.rooms[{len(ROUND.rooms)}]")}
    loo = msgspec.structs.replace(rooms[0], name="Loo 1")
    assert problems(small(map=msgspec.structs.replace(ROUND, rooms=(ROUND.rooms[0], loo)))) == ()


def test_nobody_can_leave() -> None:
    """4.7: entries that let nobody out are told, once."""
    entries = tuple(msgspec.structs.replace(entry, leave=0) for entry in ROUND.entries)
    assert codes(small(map=msgspec.structs.replace(ROUND, entries=entries))) == {
        ("no-way-out", "map.entries")
    }


def test_a_start_position_with_nothing_left_to_do() -> None:
    """R31, 6.1: no Terminator left, or nothing left to destroy, is told; so are idle set-up rules."""
    dead = StartFigure(name="CloneMaster", place="dead")
    men = tuple(StartFigure(name=name, place="dead") for name in TERMINATOR_NAMES[:3])
    start = StartPosition(figures=(dead, *men), equipment=("tank 1,1",))
    assert codes(small(start=start, room_limit=2)) == {
        ("over-at-once", "start.figures"),
        ("done-at-once", "start.figures"),
        ("start-excludes", "room_limit"),
    }


def test_zero_forces_are_an_error_and_no_crash() -> None:
    """A scenario with no Terminators at all is told so, as loading it would; nothing breaks."""
    none = small()
    msgspec.structs.force_setattr(none, "terminators", 0)
    (one,) = problems(none)
    assert (one.code, one.severity, one.place) == ("not-a-scenario", "error", "terminators")
    with pytest.raises(BadFile):
        parse_scenario(format_scenario(none))


@pytest.mark.parametrize("rate", [-1, 10**9])
def test_rates_that_the_game_rejects_are_flagged(rate: int) -> None:
    """R11: an absurd rate is an error in the editor as at loading."""
    entries = (msgspec.structs.replace(ROUND.entries[0], enter=rate), *ROUND.entries[1:])
    found = problems(small(map=msgspec.structs.replace(ROUND, entries=entries)))
    assert [(one.code, one.severity) for one in found] == [("entry-rate", "error")]


@given(st.integers(0, 10**6))
def test_what_is_valid_is_valid_after_saving_and_loading(seed: int) -> None:
    """A map has the same problems before it is saved and after it is loaded again."""
    drawn = random_plan(seed)
    again = parse_floorplan(format_floorplan(drawn))
    assert map_problems(drawn) == map_problems(again)
    scenario = small(map=drawn)
    try:
        loaded = parse_scenario(format_scenario(scenario))
    except BadFile:
        assert any(problem.severity == "error" for problem in problems(scenario))
    else:
        assert problems(scenario) == problems(loaded)


def test_a_figure_placed_next_to_a_door_is_told() -> None:
    """6.3, R5: nobody of the CloneMaster's is set up next to a door; it can be played all the same."""
    beside = Placement(kind="servant", square=(2, 1))
    assert codes(small(placements=(beside,))) == {("in-doorway", "placements[0].square")}
    prisoner = msgspec.structs.replace(beside, kind="terminator")
    assert codes(small(placements=(prisoner,))) == set()


def test_a_terminator_with_more_levels_than_boxes_is_told() -> None:
    """2.4, R30: no skill starts above three, by whichever of the two lists of levels it is given."""
    dead = StartFigure(name="CloneMaster", place="dead")
    men = (
        StartFigure(name="Rising Dream", place="off", levels={"fist": 9, "kick": 3}),
        StartFigure(name="Shadow Lotus", place="off", original={"heart": 4}, levels={"heart": 1}),
    )
    found = [
        one
        for one in problems(small(terminators=2, start=StartPosition(figures=(dead, *men))))
        if one.code == "above-cap"
    ]
    assert [(one.severity, one.place) for one in found] == [
        ("warning", "start.figures[1].levels.fist"),
        ("warning", "start.figures[2].original.heart"),
    ]


def test_a_faulty_start_position_hides_no_other_fault() -> None:
    """Whoever opens a file is told every error at once, of the map and of the scenario, a line each."""
    start = StartPosition(figures=(StartFigure(name="Nobody", square=(0, 0)),))
    bare = msgspec.structs.replace(ROUND, entries=())
    faulty = small(map=bare, terminators=1, start=start)
    with pytest.raises(BadFile) as refused:
        parse_scenario(format_scenario(faulty))
    assert list(refused.value.problems) == [
        f"{one.place}: {one.message}" for one in problems(faulty) if one.severity == "error"
    ]
    assert {line.split(":")[0] for line in refused.value.problems} == {
        "map.entries",
        "start.figures[0].name",
        "start.figures",
    }


def test_one_counter_is_told_in_the_singular() -> None:
    """6.1: "0 squares for 1 counter", not counters."""
    board = plan("A", entries="In  0,0  1  1  -", edges="door 0,0 W")
    none = Scenario(name="x", map=board, servants=0, technicians=0, armed_technicians=0, jellies=0)
    assert [one.message for one in problems(none) if one.code == "no-room"] == [
        "0 squares for 1 counter to be set up (6.1)"
    ]
    one = msgspec.structs.replace(none, jellies=1)
    assert [one.message for one in problems(one) if one.code == "no-room"] == [
        "0 squares for 1 Jelly to be set up (6.1)"
    ]
