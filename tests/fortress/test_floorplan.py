"""The map file: the shipped citadel, round trips, and what a bad one is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.fortress import (
    BadFile,
    FloorPlan,
    NewerFile,
    RoomInfo,
    compile_board,
    format_floorplan,
    format_floorplan_text,
    load_floorplan,
    parse_floorplan,
    parse_floorplan_text,
    text_losses,
    tidied,
)
from engine.fortress.problems import problems
from engine.schemas import format_schema, schemas
from tests.helpers.plans import CITADEL, drawn, random_plan

TEXT = Path(__file__).with_name("data") / "citadel-floorplan.txt"


def document() -> dict[str, Any]:
    """Return the citadel's file as JSON."""
    loaded: dict[str, Any] = json.loads(CITADEL.read_bytes())
    return loaded


def refused(changed: Any) -> tuple[str, ...]:
    """Return what is said of a file that must be refused."""
    with pytest.raises(BadFile) as caught:
        parse_floorplan(json.dumps(changed).encode())
    return caught.value.problems


def test_the_citadel_is_the_drawn_floor_plan() -> None:
    """The shipped map has the rooms, edges, equipment, entries and sight pairs of the text plan."""
    citadel = load_floorplan(CITADEL)
    plan = parse_floorplan_text(TEXT.read_text(encoding="utf-8"))
    assert msgspec.structs.replace(citadel, name="", notes="") == tidied(plan)
    assert len(citadel.rooms) == 30
    assert (citadel.width, citadel.height) == (32, 16)


def test_the_citadel_has_no_problems() -> None:
    """Nothing is wrong with the map that the program ships."""
    assert problems(load_floorplan(CITADEL)) == ()


def test_saving_the_citadel_changes_no_byte() -> None:
    """save(load(f)) == f for the shipped map."""
    assert format_floorplan(load_floorplan(CITADEL)) == CITADEL.read_bytes()


@pytest.mark.parametrize("seed", range(60))
def test_random_plans_come_back_from_their_files(seed: int) -> None:
    """load(save(plan)) == plan and save(load(f)) == f, and checks say the same before and after."""
    plan = random_plan(seed)
    raw = format_floorplan(plan)
    loaded = parse_floorplan(raw)
    assert loaded == plan
    assert format_floorplan(loaded) == raw
    assert problems(loaded) == problems(plan)
    assert tidied(tidied(plan)) == tidied(plan)
    for y in range(-1, plan.height + 1):
        for x in range(-1, plan.width + 1):
            assert tidied(plan).edge_kind(x, y, "E") == plan.edge_kind(x, y, "E")
            assert tidied(plan).edge_kind(x, y, "S") == plan.edge_kind(x, y, "S")


def test_unknown_keys_are_kept_wherever_they_stand() -> None:
    """A newer program's keys survive a passage through this one, byte for byte."""
    changed = document()
    changed["author"] = {"name": "Ⅹ", "born": 1980, "tags": [1, 2.5, None, True]}
    changed["rooms"][0]["colour"] = "red"
    changed["edges"][3]["secret"] = []
    changed["entries"][0]["sign"] = {}
    plan = parse_floorplan(json.dumps(changed).encode())
    raw = format_floorplan(plan)
    assert json.loads(raw) == changed
    assert format_floorplan(parse_floorplan(raw)) == raw
    assert plan.edges[3].extra == (("secret", []),)


def test_changing_one_door_changes_one_line() -> None:
    """A diff shows what changed and nothing else."""
    plan = load_floorplan(CITADEL)
    edges = list(plan.edges)
    edges[4] = msgspec.structs.replace(edges[4], kind="armored")
    before = CITADEL.read_text(encoding="utf-8").splitlines()
    after = format_floorplan(msgspec.structs.replace(plan, edges=tuple(edges))).decode().splitlines()
    assert len(before) == len(after)
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1


def test_an_edge_has_one_owner_from_whichever_side_it_is_named() -> None:
    """The east edge of a square is the west edge of its neighbour; the rim has edges too."""
    for text in ("door 0,0 E", "door 1,0 W"):
        plan = drawn("AB", text)
        assert plan.edge_kind(0, 0, "E") == plan.edge_kind(1, 0, "W") == "door"
    plan = drawn("AB", "armored 0,0 W")
    assert plan.edge_kind(0, 0, "W") == "armored"
    assert plan.edge_kind(0, 0, "N") == plan.edge_kind(1, 0, "E") == "wall"
    board = compile_board(plan)
    assert board.armored[0][:2] == (0, None)


def test_every_fault_is_told_with_its_place() -> None:
    """One line a fault, all of them, led by the path to it."""
    changed = document()
    changed["edges"][3]["side"] = "Q"
    changed["edges"][5]["x"] = "4"
    changed["edges"][6]["y"] = -1
    del changed["rooms"][2]["name"]
    changed["rooms"][4]["setup"] = "JS"
    changed["equipment"] = {}
    changed["entries"][1]["enter"] = 1.5
    changed["no_sight"] = [["Central"]]
    told = refused(changed)
    assert 'edges[3].side: "Q" is not one of E N S W' in told
    assert 'edges[5].x: "4" is not a whole number' in told
    assert "edges[6].y: -1 is below 0" in told
    assert "rooms[2].name: missing" in told
    assert "equipment: an object {...} is not a list [...]" in told
    assert "entries[1].enter: 1.5 is not a whole number" in told
    assert any(line.startswith("rooms[4].setup: ") for line in told)
    assert any(line.startswith("no_sight[0]: ") for line in told)
    assert len(told) == 8


def test_a_grid_must_be_a_rectangle_and_hold_everything() -> None:
    """Rows of different lengths and things off the grid make no map."""
    changed = document()
    changed["grid"][3] = changed["grid"][3][:-1]
    changed["edges"][0]["x"] = 32
    changed["entries"][0]["y"] = 16
    assert refused(changed) == (
        "grid[3]: has 31 squares, grid[0] has 32",
        "edges[0].x: 32 is off the grid (0 to 31)",
        "entries[0].y: 16 is off the grid (0 to 15)",
    )
    changed["grid"] = []
    assert refused(changed) == ("grid: has no squares",)
    changed["grid"] = ["A" * 300]
    assert "beyond the limit" in refused(changed)[0]
    with pytest.raises(ValueError, match="off the grid"):
        compile_board(drawn("AB", "door 5,0 E"))


def test_a_newer_version_says_so_and_shows_what_it_can() -> None:
    """A file from a newer program is no mere bad file: its plan can be looked at."""
    changed = document() | {"version": 7, "weather": "fog"}
    with pytest.raises(NewerFile) as caught:
        parse_floorplan(json.dumps(changed).encode(), "fog.json")
    assert caught.value.problems == (
        "version: 7 is newer than 1, the newest this program knows; open it with a newer program",
    )
    assert isinstance(caught.value.value, FloorPlan)
    assert caught.value.path == "fog.json"


def test_a_text_plan_tells_its_faults_by_line() -> None:
    """A drawn plan with bad rows is refused with the lines' numbers."""
    text = (
        "[grid]\nAB\n[rooms]\nA  Hall  lower S\nB\n[edges]\ndoor 0,0\ndoor 0;0 E\n[nonsense]\n[sight]\nHall\n"
    )
    with pytest.raises(BadFile) as caught:
        parse_floorplan_text(text)
    assert [line.split(":")[0] for line in caught.value.problems] == [
        "line 9",
        "line 5",
        "line 7",
        "line 8",
        "line 11",
    ]


def test_half_a_letter_in_a_text_plan_is_a_fault_of_its_line() -> None:
    """What no file can hold is refused with its line; in the name of the plan's file it is replaced."""
    text = "[grid]\nAA\n[rooms]\nA  H\ud800ll  lower S\n"
    with pytest.raises(BadFile) as caught:
        parse_floorplan_text(text)
    assert caught.value.problems == ("line 4: holds half of a surrogate pair",)
    assert parse_floorplan_text(text.replace("\ud800", "a"), "od\udcffd").name == "od?d"


def test_the_shipped_schema_is_current() -> None:
    """resources/schema holds what the models say today."""
    for name, made in schemas().items():
        shipped = CITADEL.parents[1] / "schema" / name
        assert shipped.read_text(encoding="utf-8") == format_schema(made)


def test_a_plan_written_as_text_is_read_back_whole() -> None:
    """The text of any plan draws the same plan again, but for what is named as lost."""
    for plan in [load_floorplan(CITADEL), *(random_plan(seed) for seed in range(200))]:
        again = parse_floorplan_text(format_floorplan_text(plan), plan.name)
        assert again == msgspec.structs.replace(plan, notes="")
        assert text_losses(plan) == (("notes: the text has no place for them",) if plan.notes else ())


def test_text_tells_what_it_cannot_hold() -> None:
    """A level of two words, a name with the sign of a comment and unknown keys are named, and still drawn."""
    room = RoomInfo(
        letter="A", name="Lab #2 | east", level="first floor", setup="", extra=(("colour", "red"),)
    )
    plan = FloorPlan(name="odd", grid=("A",), rooms=(room,))
    again = parse_floorplan_text(format_floorplan_text(plan), "odd")
    assert again.rooms[0] == RoomInfo(letter="A", name="Lab No.2 / east", level="first-floor", setup="")
    assert [line.partition(":")[0] for line in text_losses(plan)] == [
        "rooms[0].level",
        "rooms[0].name",
        "rooms[0].colour",
    ]


def test_faults_of_a_text_are_told_with_their_lines() -> None:
    """A ragged row, a square off the grid and an unknown side of a pasted plan are each told by line."""
    ragged = "[grid]\nAA\nA\n[rooms]\nA Hall ground -\n[edges]\ndoor 1,0 E\n# a comment\ndoor 99,1 E\n"
    with pytest.raises(BadFile) as caught:
        parse_floorplan_text(ragged)
    assert [line.partition(":")[0] for line in caught.value.problems] == ["line 3", "line 9"]
    with pytest.raises(BadFile) as caught:
        parse_floorplan_text("[grid]\nAA\n\n[edges]\ndoor 0,0 Q\n")
    assert caught.value.problems == ('line 5: side: "Q" is not one of E N S W',)
