"""Opening: round trips, repair mode, newer and other files, and scenarios whose map must be mended."""

from __future__ import annotations

import copy
import json
import os
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app.cli import main
from editor.draft import OWN_MAP, Draft, format_draft
from editor.edits.edges import with_edges
from editor.edits.squares import with_new_room
from editor.files.mending import mended, misfits, picked
from editor.files.opening import Opened, open_file, read_content
from editor.files.reading import SIZE_LIMIT, read_draft
from engine.core.files import BadFile
from engine.fortress.floorplan import FloorPlan, format_floorplan
from engine.raid.problems import problems
from engine.raid.scenario import (
    MAPS,
    SHIPPED,
    Placement,
    Scenario,
    StartPosition,
    format_scenario,
    load_scenario,
    plan_of,
)
from resources.path import resource
from tests.helpers.drafts import drafts
from tests.helpers.plans import CITADEL, drawn

HOUSE = drawn("AAAA AAAA BBBB BBBB", "door 1,1 S", entries="0,0 N")
SHIPPED_FILES = [f"maps/{name}.json" for name in MAPS] + [f"scenarios/{name}.json" for name in SHIPPED]


def written(path: Path, content: FloorPlan | Scenario | dict[str, Any]) -> Path:
    """Write a file and return its path."""
    if isinstance(content, dict):
        path.write_text(json.dumps(content), encoding="utf-8")
    else:
        raw = format_floorplan(content) if isinstance(content, FloorPlan) else format_scenario(content)
        path.write_bytes(raw)
    return path


def changed(path: Path, content: FloorPlan | Scenario, **keys: Any) -> Path:
    """Write a file in which some keys are others, and return its path."""
    document = json.loads(written(path, content).read_bytes())
    for key, value in keys.items():
        inner, steps = document, key.split("__")
        for step in steps[:-1]:
            inner = inner[int(step) if step.isdecimal() else step]
        last: Any = int(steps[-1]) if steps[-1].isdecimal() else steps[-1]
        if value is ...:
            del inner[last]
        else:
            inner[last] = value
    return written(path, document)


# Round trips


@pytest.mark.parametrize("name", SHIPPED_FILES)
def test_a_shipped_file_that_is_opened_and_saved_is_the_same_file(tmp_path: Path, name: str) -> None:
    """save(load(f)) == f, byte for byte, for every shipped map and scenario."""
    path = tmp_path / "file.json"
    path.write_bytes(resource(name).read_bytes())
    opened = open_file(path)
    assert (opened.repairs, opened.newer, opened.mending, opened.is_changed) == ((), "", None, False)
    assert format_draft(opened.draft) == path.read_bytes()


@settings(max_examples=60, deadline=None)
@given(drafts())
def test_whatever_was_saved_opens_as_the_same_draft(draft: Draft) -> None:
    """load(save(x)) == x and save(load(f)) == f on random maps and scenarios."""
    raw = format_draft(draft)
    content = read_content(raw)
    assert content.value == draft.content
    assert content.repairs == ()
    assert format_draft(_draft_of(content.value)) == raw


def _draft_of(value: FloorPlan | Scenario) -> Draft:
    if isinstance(value, FloorPlan):
        return Draft(value)
    assert isinstance(value.map, FloorPlan)
    return Draft(value.map, replace(value, map=OWN_MAP))


@settings(max_examples=30, deadline=None)
@given(drafts())
def test_what_is_wrong_is_the_same_after_saving_and_opening(draft: Draft) -> None:
    """validate(x) == validate(load(save(x)))."""
    back = _draft_of(read_content(format_draft(draft)).value)
    assert problems(back.whole) == problems(draft.whole)


def test_unknown_keys_are_kept_with_their_types(tmp_path: Path) -> None:
    """Keys of a later program or of a person stay where they are, numbers stay numbers."""
    scenario = replace(load_scenario("basic"), map=HOUSE)
    path = changed(
        tmp_path / "s.json",
        scenario,
        zeal={"a": [1, 2.5, None, True, "1"]},
        map__weather="rain",
        map__rooms__0__colour=7,
        map__entries__0__sign="EXIT",
    )
    document = json.loads(path.read_bytes())
    opened = open_file(path)
    assert opened.repairs == ()
    assert json.loads(format_draft(opened.draft)) == document


def test_a_map_of_nothing_but_its_name_keeps_its_name_only_while_it_is_unchanged(tmp_path: Path) -> None:
    """A scenario that names its map goes on naming it until the map is drawn on."""
    written(tmp_path / "house.json", HOUSE)
    path = written(tmp_path / "s.json", replace(load_scenario("basic"), map="house.json"))
    opened = open_file(path)
    assert opened.draft.plan == HOUSE
    assert [name.name for name, _ in opened.sources] == ["s.json", "house.json"]
    assert format_draft(opened.draft) == path.read_bytes()
    other = opened.draft.with_plan(replace(HOUSE, name="another"))
    assert json.loads(format_draft(other))["map"]["name"] == "another"


# Repair mode


def opened_with_repairs(path: Path) -> Opened:
    """Open a file that must need repairs."""
    opened = open_file(path)
    assert opened.repairs
    assert opened.is_changed
    return opened


def test_a_ragged_grid_is_filled_up_with_rock(tmp_path: Path) -> None:
    """Rows of different lengths open, told as any reader of maps tells them."""
    path = changed(tmp_path / "m.json", HOUSE, grid=["AAAA", "AA", "BBBBB", "BBBB"])
    opened = opened_with_repairs(path)
    assert opened.draft.plan.grid == ("AAAA.", "AA...", "BBBBB", "BBBB.")
    assert opened.repairs == (
        "grid[1]: has 2 squares, grid[0] has 4; rock is filled in",
        "grid[2]: has 5 squares, grid[0] has 4; the other rows are filled up with rock",
    )


def test_things_off_the_grid_get_rock_to_stand_on(tmp_path: Path) -> None:
    """Nothing that stands off the map is lost: the map grows, and the problem list has the rest."""
    path = changed(tmp_path / "m.json", HOUSE, entries__0__x=6, edges__0__y=5)
    plan = opened_with_repairs(path).draft.plan
    assert (plan.width, plan.height) == (7, 6)
    assert plan.entries[0].x == 6
    assert any(one.code == "entry-in-rock" for one in problems(Draft(plan).whole))


@pytest.mark.parametrize("grid", [[], [""], ["", "AA"]])
def test_an_empty_grid_becomes_a_map(tmp_path: Path, grid: list[str]) -> None:
    """A grid without squares opens as rock."""
    path = changed(tmp_path / "m.json", drawn("AA"), grid=grid)
    plan = opened_with_repairs(path).draft.plan
    assert plan.width >= 1
    assert len({len(row) for row in plan.grid}) == 1


def test_a_map_beyond_the_largest_size_is_cut(tmp_path: Path) -> None:
    """A map of 300 columns opens cut to 256, and says so."""
    path = changed(tmp_path / "m.json", HOUSE, grid=["A" * 300] * 4)
    opened = opened_with_repairs(path)
    assert (opened.draft.plan.width, opened.draft.plan.height) == (256, 4)
    assert "beyond" in opened.repairs[0]


def test_a_scenario_with_placements_off_its_map_opens_in_the_editor(tmp_path: Path) -> None:
    """What the game refuses to play the editor opens, and the problems name every place."""
    off = Placement(kind="servant", square=(200, 200))
    path = written(tmp_path / "s.json", replace(load_scenario("basic"), map=HOUSE, placements=(off, off)))
    with pytest.raises(BadFile):
        load_scenario(path)
    opened = open_file(path)
    assert opened.repairs == ()
    assert not opened.is_changed
    places = {one.place for one in problems(opened.draft.whole) if one.severity == "error"}
    assert {"placements[0].square", "placements[1].square"} <= places


def test_every_fault_is_told_with_its_place_in_the_file(tmp_path: Path) -> None:
    """Values that are refused are left out, items that cannot be without them go; places are the file's."""
    path = changed(
        tmp_path / "s.json",
        replace(load_scenario("basic"), map=plan_of(load_scenario("basic"))),
        turns=1000,
        map__edges__1=5,
        map__edges__2__side="Q",
        map__edges__2__kind="gate",
        map__edges__4__x=-1,
        map__equipment__0__kind=...,
        map__rooms__0__name=...,
        map__rooms__1__setup="JS",
        terminators="three",
    )
    before = json.loads(path.read_bytes())
    opened = opened_with_repairs(path)
    told = {line.split(": ")[0]: line for line in opened.repairs}
    assert set(told) == {
        "turns",
        "terminators",
        "map.edges[1]",
        "map.edges[2].side",
        "map.edges[2].kind",
        "map.edges[4].x",
        "map.equipment[0].kind",
        "map.rooms[0].name",
        "map.rooms[1].setup",
    }
    plan = opened.draft.plan
    assert len(plan.edges) == len(before["map"]["edges"]) - 3
    assert plan.edges[1].x == before["map"]["edges"][3]["x"]
    assert plan.edges[2].x == before["map"]["edges"][5]["x"]
    assert len(plan.equipment) == len(before["map"]["equipment"]) - 1
    assert plan.rooms[0].name
    assert plan.rooms[1].setup == ""
    assert opened.draft.scenario is not None
    assert (opened.draft.scenario.turns, opened.draft.scenario.terminators) == (10, 3)


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"jellies": 9, "jelly_numbers": [1, 2, 3]}, "jellies"),
        ({"jelly_numbers": [1, 1, 2]}, "jelly_numbers"),
        ({"jelly_numbers": [40]}, "jelly_numbers"),
        ({"required_jellies": [12]}, "required_jellies"),
        ({"points": 5}, "points"),
        ({"escape": {"levels_left": -1}}, "escape.levels_left"),
        ({"rules": {"corner_sight": "maybe"}}, "rules.corner_sight"),
        ({"start": {"figures": [{"square": [1, 2]}]}}, "start.figures[0].name"),
        ({"placements": [{"kind": "servant", "square": [1]}]}, "placements[0].square"),
        ({"reinforcements": [{"from_turn": 1, "number": 20, "entry": "a"}] * 30}, "reinforcements"),
        ({"map": {"name": "x", "rooms": []}}, "map.grid"),
        ({"version": "1"}, "version"),
        ({"format": ..., "turns": 12}, "format"),
        ({"name": ...}, "name"),
    ],
)
def test_a_scenario_whose_fields_do_not_fit_opens(tmp_path: Path, keys: dict[str, Any], told: str) -> None:
    """Each wrong field of a scenario is told, and the rest of the scenario is there."""
    path = changed(tmp_path / "s.json", replace(load_scenario("basic"), map="citadel"), **keys)
    opened = opened_with_repairs(path)
    assert any(line.startswith(f"{told}:") for line in opened.repairs), opened.repairs
    assert opened.draft.scenario is not None
    assert open_again(tmp_path, opened).repairs == ()


def open_again(tmp_path: Path, opened: Opened) -> Opened:
    """Save what was opened and open that."""
    path = tmp_path / "again.json"
    path.write_bytes(format_draft(opened.draft))
    return open_file(path)


def test_a_byte_order_mark_and_keys_given_twice_are_no_reason_to_refuse(tmp_path: Path) -> None:
    """What a text editor or a merge left behind is told and repaired."""
    raw = format_floorplan(HOUSE).replace(b'"name": "drawn"', b'"name": "one", "name": "two"')
    path = tmp_path / "m.json"
    path.write_bytes(b"\xef\xbb\xbf" + raw)
    opened = opened_with_repairs(path)
    assert opened.draft.plan.name == "two"
    assert [line.split(":")[0] for line in opened.repairs] == ["byte 0", "name"]


def test_half_a_letter_is_replaced(tmp_path: Path) -> None:
    """A lone surrogate, which no file can hold again, opens as a question mark."""
    path = tmp_path / "m.json"
    path.write_bytes(format_floorplan(HOUSE).replace(b'"drawn"', b'"dr\\ud800wn"'))
    assert opened_with_repairs(path).draft.plan.name == "dr?wn"


def test_hundreds_of_faults_keep_their_places(tmp_path: Path) -> None:
    """More faults than are shown at a time are all repaired, each with the number it has in the file."""
    edges = [{"x": 1, "y": 1, "side": "E", "kind": "door" if at % 2 else "gate"} for at in range(400)]
    path = changed(tmp_path / "m.json", HOUSE, edges=edges)
    opened = opened_with_repairs(path)
    assert len(opened.draft.plan.edges) == 200
    assert {line.split(":")[0] for line in opened.repairs} == {f"edges[{at}].kind" for at in range(0, 400, 2)}


def test_a_room_that_two_designers_added_is_told_as_twice_there(tmp_path: Path) -> None:
    """A merge that kept both rooms of one letter opens, and the problems name it."""
    base = json.loads(format_floorplan(HOUSE))
    rooms = base["rooms"]
    both = [
        *rooms,
        {**rooms[0], "letter": "C", "name": "Mine"},
        {**rooms[0], "letter": "C", "name": "Theirs"},
    ]
    opened = open_file(written(tmp_path / "m.json", {**base, "rooms": both}))
    assert opened.repairs == ()
    assert any(one.code == "room-letter-twice" for one in problems(opened.draft.whole))


_JUNK: tuple[Any, ...] = (None, True, -1, 300, 3.5, "", "AB", "\ud800", [], {}, [[1, 2]], {"a": 1}, 10**400)


def _spoilt(draft: Draft, rng: random.Random) -> bytes:
    """Return a draft's file in which some values, anywhere, are gone or others."""
    document = json.loads(format_draft(draft))
    for _ in range(rng.randint(1, 5)):
        inner: Any = document
        while True:
            keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
            if not keys:
                break
            key = rng.choice(keys)
            if isinstance(inner[key], dict | list) and inner[key] and rng.random() < 0.7:
                inner = inner[key]
                continue
            if rng.random() < 0.2:
                del inner[key]
            else:
                inner[key] = copy.deepcopy(rng.choice(_JUNK))
            break
    return json.dumps(document).encode()


@settings(max_examples=150, deadline=None)
@given(drafts(), st.integers(0, 10**6))
def test_whatever_is_spoilt_in_a_file_it_opens_mended_or_is_refused(draft: Draft, seed: int) -> None:
    """No fault at all goes unnoticed into the editor, nor any exception; what was repaired opens clean."""
    try:
        content = read_content(_spoilt(draft, random.Random(seed)))
    except BadFile:
        return
    value = content.value
    if isinstance(value, Scenario) and not isinstance(value.map, FloorPlan):
        made = Draft(HOUSE, value)
    else:
        made = _draft_of(value)
    again = read_content(format_draft(made))
    assert again.value == made.content
    assert again.repairs == ()
    problems(made.whole)


def _merged(folder: Path, base: FloorPlan, mine: FloorPlan, theirs: FloorPlan) -> Path:
    """Return the file that Git makes of two branches."""
    files = [
        written(folder / f"{name}.json", plan) for name, plan in zip("mbt", (mine, base, theirs), strict=True)
    ]
    subprocess.run(["git", "merge-file", "-q", *map(str, files)], check=False, timeout=30)
    return files[0]


@pytest.mark.skipif(shutil.which("git") is None, reason="no Git")
def test_branches_that_draw_in_different_places_merge_and_open(tmp_path: Path) -> None:
    """One designer adds a room, another arms a door: Git puts both together."""
    base = drawn(" ".join(["AAAAAA"] * 3 + ["BBBBBB"] * 6), "door 1,2 S", "door 4,2 S", entries="0,0 N")
    mine, letter = with_new_room(base, [(0, 8), (1, 8)])
    theirs = with_edges(base, {(1, 2, "S"): "armored"})
    opened = open_file(_merged(tmp_path, base, mine, theirs))
    assert opened.repairs == ()
    assert opened.draft.plan == with_edges(mine, {(1, 2, "S"): "armored"})
    assert letter in opened.draft.plan.grid[8]


@pytest.mark.skipif(shutil.which("git") is None, reason="no Git")
def test_branches_that_both_add_a_room_are_told_to_be_in_conflict(tmp_path: Path) -> None:
    """Both rooms have the next letter; the conflict is told with its line, not taken for a broken file."""
    base = drawn(" ".join(["AAAAAA"] * 3 + ["BBBBBB"] * 6), "door 1,2 S", entries="0,0 N")
    mine, _ = with_new_room(base, [(0, 8)])
    theirs, _ = with_new_room(base, [(0, 0)], "upper")
    with pytest.raises(BadFile, match=r"line \d+: holds a conflict of a merge"):
        open_file(_merged(tmp_path, base, mine, theirs))


# Newer, other and impossible files


def test_a_newer_file_opens_with_the_reason(tmp_path: Path) -> None:
    """What can be read of a file of a later version is shown, and why it may not be written over."""
    path = changed(tmp_path / "m.json", HOUSE, version=7, weather="rain")
    opened = open_file(path)
    assert opened.draft.plan.grid == HOUSE.grid
    assert "newer" in opened.newer
    assert not opened.repairs


def test_a_newer_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """A later version whose parts changed their meaning is refused with the reason."""
    path = changed(tmp_path / "m.json", HOUSE, version=7, grid={"rows": []})
    with pytest.raises(BadFile, match="newer"):
        open_file(path)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b'{"format": "kungfu2100.record", "version": 1}', "saved game"),
        (b'[Game "x"]\n', "saved game"),
        (b'{"format": "something.else"}', 'format: "something.else" is not one of kungfu2100.map'),
        (b'{"a": 1}', "format: missing; it is one of kungfu2100.map"),
        (b"not json at all", "line 1 column 1"),
        (b"", "line 1 column 1"),
        (b'{"format": "kungfu2100.map",\n<<<<<<< ours\n', "line 2: holds a conflict of a merge"),
        (b"\xff\xfe\x00", "byte 0"),
        (b"[1,2", "line 1 column 5: not JSON: Expecting ',' delimiter"),
        (b"[1, 2]", "holds a list [...] where an object"),
        (
            b'{"name": "x',
            "line 1 column 10: not JSON: the text that begins here has no closing quotation mark",
        ),
        (b'{"format": "kungfu2100.map", "version": 1, "name": "x"}', "grid: missing"),
        (b'{"format": "kungfu2100.map", "version": 1, "name": "x", "grid": ["A"], ', "line 1"),
    ],
)
def test_what_is_no_map_and_no_scenario_is_refused_in_a_line(tmp_path: Path, raw: bytes, said: str) -> None:
    """A record, another program's file and a broken one say what they are."""
    path = tmp_path / "x.json"
    path.write_bytes(raw)
    with pytest.raises(BadFile) as caught:
        open_file(path)
    assert said in caught.value.problems[0]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{}",
        b"\xff",
        b"[grid]\nAA\n[rooms]\nnonsense\n",
        b'{"format": "something.else"}',
        b'{"format": "kungfu2100.map",\n<<<<<<< ours\n',
        format_floorplan(HOUSE).replace(b'"AAAA"', b'"AA"', 1),
        format_floorplan(HOUSE).replace(b'"kind": "door"', b'"kind": "gate"'),
        format_floorplan(HOUSE).replace(b'  "format": "kungfu2100.map",\n', b""),
        format_floorplan(HOUSE).replace(b'"version": 1', b'"version": 7'),
        format_scenario(replace(load_scenario("basic"), map=replace(HOUSE, grid=("AAAA", "AA")))),
        b" " * (SIZE_LIMIT + 1),
        None,
    ],
)
def test_the_command_line_tells_the_faults_that_opening_tells(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], raw: bytes | None
) -> None:
    """`check`, `export` and the editor say the same line about a fault, repaired or not."""
    path = tmp_path / "x.json"
    if raw is None:
        path.mkdir()
    else:
        path.write_bytes(raw)
    assert main(["check", str(path)]) == 2
    told = [line.removeprefix(f"{path}: ") for line in capfd.readouterr().out.splitlines()]
    with pytest.raises(BadFile) as refused:
        read_draft(path)
    assert told == list(refused.value.problems)
    try:
        opened = open_file(path)
    except BadFile as error:
        found = list(error.problems)
    else:
        found = [*opened.repairs, *filter(None, [opened.newer])]
    assert len(found) == len(told)
    assert all(line == one or line.startswith(f"{one}; ") for line, one in zip(found, told, strict=True))


def test_check_reads_a_text_floor_plan(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What the editor opens the command line checks: a drawn plan's problems, not that it is no JSON."""
    path = tmp_path / "shed.txt"
    path.write_text("[grid]\nAA\n[rooms]\nA Shed ground S\n", encoding="utf-8")
    assert main(["check", str(path)]) == 1
    told = capfd.readouterr().out.splitlines()
    assert any("no entry" in line or "entries" in line for line in told), told


def test_folders_pipes_missing_and_huge_files_are_refused(tmp_path: Path) -> None:
    """Nothing that cannot be a map is read to its end."""
    huge = tmp_path / "huge.json"
    with huge.open("wb") as stream:
        stream.truncate(SIZE_LIMIT + 1)
    others = [tmp_path, tmp_path / "missing.json", huge]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.json")
        others.append(tmp_path / "pipe.json")
    for path in others:
        with pytest.raises(BadFile):
            open_file(path)


def test_a_text_floor_plan_opens_as_a_new_map(tmp_path: Path) -> None:
    """The text format of hand-drawn plans can be opened; what it becomes has no file yet."""
    path = tmp_path / "shed.txt"
    path.write_text("[grid]\nAA\nAA\n[rooms]\nA Shed ground S\n[entries]\nDoor 0,0 1 1 N\n", encoding="utf-8")
    opened = open_file(path)
    assert opened.path is None
    assert opened.is_changed
    assert (opened.draft.plan.name, opened.draft.plan.grid) == ("shed", ("AA", "AA"))


# The map of a scenario


def scenario_on(name: str, **changes: Any) -> Scenario:
    """Return a scenario that names a map and stands on some squares of HOUSE."""
    placed = (Placement(kind="servant", square=(1, 1)), Placement(kind="clonemaster", square=(3, 3)))
    return replace(load_scenario("basic"), map=name, **({"placements": placed} | changes))


def test_a_missing_map_offers_the_shipped_one_another_file_or_none(tmp_path: Path) -> None:
    """A scenario whose map is nowhere opens after a choice, and without one it goes on naming its map."""
    path = written(tmp_path / "s.json", scenario_on("house.json"))
    opened = open_file(path)
    mending = opened.mending
    assert mending is not None
    assert mending.kind == "missing"
    assert mending.must_choose
    assert "house.json" in mending.words
    assert [one.key for one in mending.remedies] == [*["shipped"] * len(MAPS), "pick", "without"]
    without = mended(opened, mending.remedy("without"))
    assert without.mending is None
    assert format_draft(without.draft) == path.read_bytes()
    assert not without.is_changed
    shipped = mended(opened, mending.remedy("shipped"))
    assert shipped.is_changed
    assert json.loads(format_draft(shipped.draft)).get("map", "citadel") in MAPS


def test_a_renamed_map_is_found_beside_the_scenario(tmp_path: Path) -> None:
    """Another file with the map's name, or on which all that the scenario names fits, is offered first."""
    written(tmp_path / "big.json", drawn("CCC CCC"))
    written(tmp_path / "renamed.json", HOUSE)
    (tmp_path / "junk.json").write_bytes(b"{")
    path = written(tmp_path / "s.json", scenario_on("house.json"))
    opened = open_file(path)
    assert opened.mending is not None
    assert opened.mending.kind == "renamed"
    first = opened.mending.remedies[0]
    assert (first.key, first.map) == ("beside", "renamed.json")
    assert "All that the scenario names" in first.detail
    second = opened.mending.remedies[1]
    assert second.map == "big.json"
    assert "Not on it: square 1,1" in second.detail or "Not on it: square 3,3" in second.detail
    draft = mended(opened, first).draft
    assert draft.plan == HOUSE
    assert json.loads(format_draft(draft))["map"] == "renamed.json"


def test_a_map_of_the_missing_name_is_found_in_another_file(tmp_path: Path) -> None:
    """A map called like the missing file is taken for it, whatever its file is called now."""
    written(tmp_path / "zzz.json", replace(HOUSE, name="Small House"))
    path = written(tmp_path / "s.json", scenario_on("small-house.json", placements=()))
    mending = open_file(path).mending
    assert mending is not None
    assert (mending.kind, mending.remedies[0].map) == ("renamed", "zzz.json")


def test_a_conflicting_map_of_its_own_opens_and_offers_the_other(tmp_path: Path) -> None:
    """A changed citadel still called so opens as it is; the shipped one and a new name are offered."""
    citadel = plan_of(load_scenario("basic"))
    own = replace(citadel, grid=tuple(row.replace("A", ".") for row in citadel.grid))
    path = written(tmp_path / "s.json", replace(load_scenario("basic"), name="Raid", map=own))
    opened = open_file(path)
    assert opened.draft.plan == own
    assert opened.mending is not None
    assert opened.mending.kind == "conflicting"
    assert not opened.mending.must_choose
    assert [one.key for one in opened.mending.remedies] == ["embedded", "apart", "shipped"]
    assert format_draft(mended(opened, opened.mending.remedy("embedded")).draft) == path.read_bytes()
    apart = mended(opened, opened.mending.remedy("apart")).draft
    assert apart.plan.name == f"{citadel.name} of Raid"
    shipped = mended(opened, opened.mending.remedy("shipped")).draft
    assert shipped.plan == citadel
    assert json.loads(format_draft(shipped)).get("map", "citadel") == "citadel"


def test_a_map_of_its_own_that_differs_from_the_file_beside_it_is_told(tmp_path: Path) -> None:
    """An embedded map that has the name of one beside it, but is another, conflicts with it."""
    written(tmp_path / "house.json", HOUSE)
    path = written(tmp_path / "s.json", replace(scenario_on(""), map=replace(HOUSE, notes="newer")))
    mending = open_file(path).mending
    assert mending is not None
    assert mending.remedy("beside").map == "house.json"
    written(tmp_path / "house.json", replace(HOUSE, notes="newer"))
    assert open_file(path).mending is None


def test_a_map_with_faults_beside_a_scenario_can_be_used_repaired(tmp_path: Path) -> None:
    """A broken map file is told, and what can be read of it goes into the scenario's own file."""
    changed(tmp_path / "house.json", HOUSE, grid=["AAAA", "AA", "BBBB", "BBBB"])
    opened = open_file(written(tmp_path / "s.json", scenario_on("house.json")))
    assert opened.mending is not None
    assert opened.mending.kind == "unreadable"
    assert "grid[1]" in opened.mending.words
    draft = mended(opened, opened.mending.remedy("repaired")).draft
    assert draft.plan.grid[1] == "AA.."
    assert draft.scenario is not None
    assert draft.scenario.map == OWN_MAP


def test_a_picked_map_is_named_from_its_own_folder_and_taken_in_from_elsewhere(tmp_path: Path) -> None:
    """A file beside the scenario is named by it; a map from another folder comes into the scenario's file."""
    (tmp_path / "other").mkdir()
    here = written(tmp_path / "here.json", replace(HOUSE, name="here"))
    there = written(tmp_path / "other" / "there.json", HOUSE)
    opened = open_file(written(tmp_path / "s.json", scenario_on("gone.json")))
    assert picked(opened, here).map == "here.json"
    assert picked(opened, there).map == OWN_MAP
    assert mended(opened, picked(opened, there)).draft.plan == HOUSE
    with pytest.raises(BadFile):
        picked(opened, written(tmp_path / "named.json", scenario_on("citadel")))


def test_a_scenario_names_what_a_map_lacks() -> None:
    """Squares, entries, doors and equipment that a scenario names are looked for on a map."""
    citadel = plan_of(load_scenario("basic"))
    for name in SHIPPED:
        scenario = load_scenario(name)
        if plan_of(scenario) == citadel:
            assert misfits(scenario, citadel) == ()
    assert misfits(scenario_on("x"), drawn("AA")) == ("square 1,1", "square 3,3")
    written_otherwise = drawn("AAB AAB", "armored 2,1 W", things="tank 0,0")
    start = StartPosition(doors=("door 1,1 E",), equipment=("tank 0,0", "tank 2,0"))
    assert misfits(Scenario(name="s", map="", start=start), written_otherwise) == ("tank 2,0",)
    assert CITADEL.is_file()
