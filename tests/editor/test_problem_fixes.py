"""Every fix takes its problem away, as one step that can be undone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from editor.document import Document
from editor.draft import OWN_MAP, Draft, format_draft
from editor.problems.check import check
from editor.problems.fixes.find import ANYWHERE, fixes_of
from editor.problems.fixes.on_map import ON_MAP
from editor.problems.fixes.on_scenario import ON_SCENARIO
from editor.problems.kinds import TITLES
from editor.problems.places import place_of
from engine.core.files import decode
from engine.fortress.floorplan import FloorPlan, RoomInfo, parse_floorplan
from engine.raid.scenario import (
    KIND,
    VERSION,
    Escape,
    Placement,
    Points,
    Reinforcement,
    Scenario,
    StartFigure,
    StartPosition,
)
from tests.helpers.plans import drawn, random_plan

SOUND = ("AAB AAB", "door 1,0 E")
PLAIN = drawn(*SOUND, entries="0,0 W")


def rooms(plan: FloorPlan, *more: RoomInfo) -> FloorPlan:
    """Return a plan with more rooms listed."""
    return replace(plan, rooms=(*plan.rooms, *more))


def entry(**changed: Any) -> FloorPlan:
    """Return the sound plan with a changed entry."""
    return replace(PLAIN, entries=(replace(PLAIN.entries[0], **changed),))


BARE = tuple(replace(room, setup="") for room in PLAIN.rooms)
FAULTY_MAPS: dict[str, FloorPlan] = {
    "unlisted-letter": replace(PLAIN, rooms=PLAIN.rooms[:1]),
    "rock-letter": rooms(PLAIN, RoomInfo(letter=".", name="Rock", level="lower", setup="S")),
    "room-empty": rooms(PLAIN, RoomInfo(letter="C", name="Attic", level="lower", setup="S")),
    "room-letter-twice": rooms(PLAIN, RoomInfo(letter="A", name="Attic", level="lower", setup="S")),
    "room-name-twice": replace(PLAIN, rooms=(PLAIN.rooms[0], replace(PLAIN.rooms[1], name="Room A"))),
    "room-in-pieces": drawn("ABA", "door 0,0 E", "door 1,0 E", entries="0,0"),
    "room-closed": drawn("AA BB", entries="0,0"),
    "room-unreachable": drawn("AA BB", entries="0,0"),
    "dropoff-only-way": drawn("AB AB", "dropoff 0,0 E", entries="0,0"),
    "room-without-letter": replace(PLAIN, rooms=(PLAIN.rooms[0], BARE[1])),
    "no-setup-room": replace(PLAIN, rooms=tuple(replace(room, setup="ST") for room in PLAIN.rooms)),
    "edge-twice": drawn(*SOUND, "armored 2,0 W", entries="0,0"),
    "edge-in-rock": drawn("A.. A..", "door 1,0 E", entries="0,0"),
    "edge-says-nothing": drawn("AB", "wall 0,0 E", "door 0,0 W", entries="0,0 W"),
    "wall-in-rock": drawn("A. A.", "wall 1,0 S", entries="0,0"),
    "dropoff-into-rock": drawn("AA", "dropoff 1,0 E", entries="0,0"),
    "dropoff-on-one-level": drawn("AB", "dropoff 0,0 E", entries="0,0"),
    "dropoff-parts-nothing": drawn("AA AA AA", "dropoff 0,1 E", entries="0,0"),
    "leads-off-the-map": drawn("AA AA", "door 1,0 E", entries="0,0"),
    "door-without-wall": drawn("AAAA AAAA AAAA", "door 1,1 E", entries="0,0"),
    "door-guards-nothing": drawn(
        "AB AB CC", "armored 0,0 E", "open 0,1 E", "door 0,1 S", entries="0,0"
    ),
    "doors-side-by-side": drawn("AB AB", "door 0,0 E", "door 0,1 E", entries="0,0"),
    "equipment-in-rock": drawn("AA.", things="tank 2,0", entries="0,0"),
    "equipment-overlaps": drawn("AAA AAA", things="tank 2,1; computer 2,1 S", entries="0,0"),
    "computer-without-side": drawn("AA AA", things="computer 1,1", entries="0,0"),
    "computer-without-wall": drawn("AA AA", things="computer 1,1 N", entries="0,0"),
    "tank-blocks-way": drawn("AAA AA.", things="tank 1,0", entries="0,0"),
    "tank-in-doorway": drawn(
        "AAAB AAAB AAAB", "door 2,0 E", "door 2,2 E", things="tank 2,0", entries="0,0"
    ),
    "no-entry": drawn(*SOUND),
    "entry-name-twice": drawn("AAA", entries="0,0; 0,0"),
    "entry-in-rock": drawn("AA.", entries="2,0"),
    "entry-on-tank": drawn("AAA", things="tank 0,0", entries="0,0"),
    "entry-inside": drawn("AAA", entries="0,0 E"),
    "entry-rate": entry(enter=0, leave=0),
    "no-way-in": entry(enter=0),
    "sight-room-missing": replace(PLAIN, no_sight=(("Room A", "Roomb B"),)),
    "sight-room-twice": drawn(*SOUND, entries="0,0", no_sight="AA"),
    "sight-pair-twice": drawn(*SOUND, entries="0,0", no_sight="AB BA"),
    "sight-changes-nothing": drawn("ACB", "door 0,0 E", "door 1,0 S", entries="0,0", no_sight="AB"),
}  # fmt: skip

HALL = drawn("AAAAAA AAAAAA AAAAAA", "door 5,0 E", things="tank 3,1", entries="0,0; 5,0 E")
FRONT = HALL.entries[0].name
DEAD = StartFigure(name="CloneMaster", place="dead")
MAN = StartFigure(name="Rising Dream", square=(0, 0), levels={"fist": 1})
ONE = StartPosition(figures=(DEAD, MAN))
JELLIES_INSIDE = tuple(StartFigure(name=f"J-{n}", square=(n, 2)) for n in (1, 2, 3))


def scenario(**changed: Any) -> Scenario:
    """Return a small scenario with some changes."""
    forces: dict[str, Any] = {"servants": 2, "technicians": 1, "armed_technicians": 1, "jellies": 2}
    return Scenario(name="Small", map=OWN_MAP, **(forces | {"terminators": 1} | changed))


def coming(**changed: Any) -> tuple[Reinforcement, ...]:
    """Return one row of reinforcements."""
    row: dict[str, Any] = {"from_turn": 1, "number": 1, "entry": FRONT}
    return (Reinforcement(**(row | changed)),)


FAULTY_SCENARIOS: dict[str, tuple[Scenario, ...]] = {
    "no-entry": (scenario(reinforcements=coming(entry="0,1")),),
    "never": (
        scenario(reinforcements=coming(from_turn=3, to_turn=2)),
        scenario(reinforcements=coming(from_turn=12)),
        scenario(escape=Escape(from_turn=12)),
    ),
    "off-map": (scenario(placements=(Placement(kind="servant", square=(9, 9)),)),),
    "on-tank": (scenario(placements=(Placement(kind="jelly", square=(3, 1)),)),),
    "taken": (scenario(placements=(Placement(kind="servant", square=(1, 1)),) * 2),),
    "in-doorway": (scenario(placements=(Placement(kind="servant", square=(5, 0)),)),),
    "too-many": (
        scenario(placements=tuple(Placement(kind="technician", square=(x, 0)) for x in (1, 2))),
        scenario(placements=tuple(Placement(kind="clonemaster", square=(x, 0)) for x in (1, 2))),
    ),
    "no-room": (
        scenario(extra_doors=2),
        scenario(servants=30),
        scenario(set_up="random", release="nearest", technicians=20, jellies=9),
    ),
    "start": (
        scenario(start=replace(ONE, doors=("door 9,9 E",))),
        scenario(start=replace(ONE, equipment=("tank 9,9",))),
        scenario(start=replace(ONE, turn=12)),
        scenario(start=replace(ONE, figures=(DEAD, replace(MAN, square=(3, 1))))),
        scenario(start=replace(ONE, figures=(DEAD, MAN, StartFigure(name="Servant 1", square=(0, 0))))),
        scenario(start=replace(ONE, figures=(DEAD, MAN, StartFigure(name="Servant 9", square=(2, 0))))),
        scenario(start=ONE, terminators=3),
        scenario(start=replace(ONE, figures=(MAN,))),
        scenario(start=replace(ONE, figures=(DEAD, MAN, *JELLIES_INSIDE))),
    ),
    "above-cap": (
        scenario(start=replace(ONE, figures=(DEAD, replace(MAN, levels={"fist": 9, "kick": 4})))),
    ),
    "start-excludes": (scenario(start=ONE, room_limit=2), scenario(start=ONE, set_up="random")),
    "letter-of-nobody": (scenario(jellies=0),),
    "no-guards": (scenario(jellies=0, technicians=0, armed_technicians=0, servants=0),),
    "rules-exclude": (scenario(set_up="random"),),
    "cannot-win": (scenario(points=Points(killed=0, captured=0)),),
    "never-total": (scenario(points=Points(killed=9, captured=9, total_margin=99)),),
    "at-once": (scenario(escape=Escape(levels_left=9)),),
}  # fmt: skip
ODD = replace(PLAIN, rooms=(replace(PLAIN.rooms[0], extra=(("colour", "red"), ("lift", 1))), PLAIN.rooms[1]))
CASES = [
    ("unknown", Draft(replace(ODD, extra=(("lvel", 1),)))),
    ("unknown", Draft(ODD, scenario(extra=(("trns", 3),)))),
    ("unknown", Draft(ODD, scenario(escape=Escape(extra=(("by", 2),))))),
    *((code, Draft(plan)) for code, plan in FAULTY_MAPS.items()),
    *((code, Draft(plan, scenario())) for code, plan in FAULTY_MAPS.items()),
    ("no-way-out", Draft(replace(HALL, entries=(replace(HALL.entries[0], leave=0),)), scenario())),
    *((code, Draft(HALL, one)) for code, some in FAULTY_SCENARIOS.items() for one in some),
]


def test_every_kind_that_has_a_fix_is_tried() -> None:
    """No fix goes untested, and every kind of problem has a title."""
    tried = {code for code, _ in CASES}
    assert tried == ON_MAP.keys() | ON_SCENARIO.keys() | ANYWHERE.keys()
    assert tried <= TITLES.keys()


@pytest.mark.parametrize(("code", "draft"), CASES, ids=[f"{code} {one.kind}" for code, one in CASES])
def test_each_fix_takes_its_problem_away_in_one_step(code: str, draft: Draft) -> None:
    """A press fixes it, one undo brings it back, and nothing that keeps a game from starting is new."""
    found = check(draft)
    problem = next(one for one in found if one.code == code)
    fixes = fixes_of(draft, problem)
    assert fixes
    assert len({fix.words for fix in fixes}) == len(fixes)
    before = Counter(one.code for one in found)
    for fix in fixes:
        document = Document(draft)
        assert document.apply(fix.words, fix.draft), fix.words
        after = check(document.draft)
        assert Counter(one.code for one in after)[code] < before[code], fix.words
        errors = Counter(one.code for one in after if one.severity == "error")
        allowed = before + Counter({"room-empty": 1, "room-unreachable": 1, "no-entry": 1, "no-room": 9})
        assert not errors - allowed, (fix.words, errors - allowed)
        assert document.stack.count() == 1
        document.undo()
        assert document.draft == draft


@pytest.mark.parametrize(("code", "draft"), CASES, ids=[f"{code} {one.kind}" for code, one in CASES])
def test_fixes_do_not_go_by_the_words(code: str, draft: Draft) -> None:
    """A message may be worded anew, or in another language: what is offered stays the same."""
    problem = next(one for one in check(draft) if one.code == code)
    assert fixes_of(draft, problem._replace(message="?")) == fixes_of(draft, problem)


@pytest.mark.parametrize(("code", "draft"), CASES, ids=[f"{code} {one.kind}" for code, one in CASES])
def test_each_problem_has_a_place_in_words(code: str, draft: Draft) -> None:
    """What is drawn wrong is found on the map, what is said wrong in the scenario has its field."""
    problem = next(one for one in check(draft) if one.code == code)
    place = place_of(problem, draft)
    assert place.words
    assert all(draft.plan.width > x >= 0 and draft.plan.height > y >= 0 for x, y in place.squares)
    has_parts = "[" in problem.place or problem.place[-1].isdigit()
    named_only = code in ("rock-letter", "room-empty", "off-map", "start", "no-entry", "sight-room-twice")
    if has_parts and not named_only:
        assert place.squares or place.field


def test_the_letter_is_offered_before_a_smaller_force() -> None:
    """Counters without any room are told to be given one first, in the largest that lacks their letter."""
    plan = drawn("AAB AAB", "door 1,0 E", entries="0,0 W")
    plan = replace(plan, rooms=tuple(replace(room, setup="SJ") for room in plan.rooms))
    draft = Draft(plan, scenario(technicians=1, armed_technicians=0, servants=0, jellies=0))
    problem = next(one for one in check(draft) if one.code == "no-room")
    words = [fix.words for fix in fixes_of(draft, problem)]
    assert words == ['Give the letter "T" to Room A', "Have 1 counter fewer"]


def test_a_fix_of_a_draft_that_has_moved_on_is_none() -> None:
    """The list may be older than the draft: what is no longer there has nothing to be fixed."""
    draft = Draft(FAULTY_MAPS["edge-in-rock"])
    (problem,) = (one for one in check(draft) if one.code == "edge-in-rock")
    assert fixes_of(Draft(replace(PLAIN, edges=())), problem) == ()


@given(st.integers(0, 10**6), st.booleans())
def test_no_fix_makes_what_cannot_be_saved(seed: int, has_scenario: bool) -> None:
    """Whatever is wrong with a map, each fix of it is a draft that is read again as it was saved."""
    draft = Draft(random_plan(seed), scenario() if has_scenario else None)
    first = {problem.code: problem for problem in reversed(check(draft))}
    for problem in first.values():
        for fix in fixes_of(draft, problem):
            raw = format_draft(fix.draft)
            again = parse_floorplan(raw) if not has_scenario else decode(raw, Scenario, KIND, VERSION)
            assert again == fix.draft.content, fix.words
