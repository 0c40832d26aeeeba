"""Maps and scenarios of earlier versions open for ever, and are written again as they were.

Each folder `tests/designs/version-N` holds files with every field of that version set, unknown ones among
them. They are never written anew: where one no longer opens, or is written otherwise, the program is wrong
and not the file.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from editor.draft import format_draft
from editor.files.reading import read_draft
from engine.fortress.floorplan import FloorPlan, format_floorplan, load_floorplan
from engine.raid.problems import problems
from engine.raid.scenario import format_scenario, load_scenario

OLD = Path(__file__).parents[1] / "designs"
KEPT = {
    "version-1/map.json": "feb7b631321e8a55",
    "version-1/scenario.json": "82620f096b475af1",
    "version-1/scenario-of-a-named-map.json": "452d769a95412c92",
}


@pytest.mark.parametrize("name", KEPT)
def test_a_file_of_an_earlier_version_never_changes(name: str) -> None:
    """What is kept here is what that version wrote, byte for byte."""
    digest = hashlib.sha256((OLD / name).read_bytes()).hexdigest()[:16]
    assert digest == KEPT[name], "a golden file must never change"


@pytest.mark.parametrize("name", KEPT)
def test_a_file_of_an_earlier_version_is_written_as_it_was(name: str) -> None:
    """Opened and formatted, by the engine or in the editor, it has the same bytes, unknown fields too."""
    raw = (OLD / name).read_bytes()
    again = (
        format_floorplan(load_floorplan(OLD / name))
        if name.endswith("/map.json")
        else format_scenario(load_scenario(OLD / name))
    )
    assert again == raw
    assert format_draft(read_draft(OLD / name)) == raw


def test_every_old_design_is_checked() -> None:
    """No golden file lies about unchecked."""
    assert sorted(KEPT) == sorted(path.relative_to(OLD).as_posix() for path in OLD.glob("version-*/*"))


def test_every_field_of_version_1_says_what_it_said() -> None:
    """Not only the bytes stay: the fields mean to the program what they meant."""
    scenario = load_scenario(OLD / "version-1/scenario.json")
    assert isinstance(scenario.map, FloorPlan)
    assert scenario.map == load_floorplan(OLD / "version-1/map.json")
    plan = scenario.map
    assert [plan.edge_kind(3, y, "E") for y in range(3)] == ["armored", "dropoff", "wall"]
    assert [(one.name, one.enter, one.leave, plan.is_barred(one)) for one in plan.entries] == [
        ("Gate", 3, 0, True),
        ("Pipe", 1, 1, False),
    ]
    assert (scenario.turns, scenario.levels, scenario.required_jellies) == (9, 8, (7,))
    assert (scenario.points and scenario.points.total_margin, scenario.escape.from_turn) == (25, 7)
    assert (scenario.rules.corner_sight, scenario.hits.gun, scenario.release) == ("graze", 4, "nearest")
    start = scenario.start
    assert start is not None
    assert [one.place for one in start.figures[:4]] == ["map", "station", "off", "escaped"]
    assert not any(one.severity == "error" for one in problems(scenario))
