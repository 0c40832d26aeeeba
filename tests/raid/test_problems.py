"""What is found wrong with scenarios that can be read."""

from __future__ import annotations

import msgspec
import pytest

from engine.raid.problems import problems
from engine.raid.scenario import Scenario, StartPosition, load_scenario
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


def test_start_position_needs_no_room() -> None:
    """A scenario with a start position is not set up."""
    assert no_room(map=SMALL, start=StartPosition()) == []
    assert no_room(map=SMALL, start=None) != []


def test_faults_of_the_map_have_their_place() -> None:
    """A fault of the map is told with its place in the scenario's file."""
    bare = msgspec.structs.replace(SMALL, entries=())
    found = problems(Scenario(name="x", map=bare, servants=0, technicians=0, jellies=0))
    assert found
    assert all(problem.place.startswith("map") for problem in found)
