"""Edits of a scenario, without a window: whatever is asked for, the file stays one that can be read."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from editor.draft import OWN_MAP, Draft, format_draft
from editor.edits.figures import (
    FIGURE_KINDS,
    first_start,
    moved_figure,
    shown_figures,
    taken_away,
    with_figure,
)
from editor.edits.scenario import on_map, spread, value_of, with_scenario, with_value, without_scenario
from engine.fortress.floorplan import format_floorplan
from engine.raid import switches
from engine.raid.problems import problems
from engine.raid.scenario import (
    Reinforcement,
    Scenario,
    load_scenario,
    parse_scenario,
    plan_of,
    shipped,
    start_problems,
)
from engine.raid.switches import SWITCHES, Choice, Jellies, Number, Numbers, Presence, Rows, Tick
from tests.helpers.plans import drawn


def of_switch(switch: switches.Switch) -> st.SearchStrategy[Any]:
    """Return values that a switch's control can give."""
    match switch.control:
        case Number(least, most):
            return st.integers(least, most)
        case Choice(options):
            return st.sampled_from([value for value, _ in options])
        case Tick():
            return st.booleans()
        case Presence(made=made):
            return st.sampled_from([None, made])
        case Jellies():
            return st.lists(st.integers(1, 12), unique=True).map(lambda one: tuple(sorted(one)))
        case Numbers(headings, least, most):
            return st.tuples(*(st.integers(least, most) for _ in headings))
        case Rows():
            row = st.builds(
                Reinforcement,
                from_turn=st.integers(1, 99),
                to_turn=st.none() | st.integers(1, 99),
                number=st.integers(1, 20),
                entry=st.sampled_from(["Front Door", "nowhere"]),
            )
            return st.lists(row, max_size=4).map(tuple)


STEPS = st.lists(
    st.sampled_from(SWITCHES).flatmap(lambda one: st.tuples(st.just(one.path), of_switch(one))), max_size=25
)


def citadel(*, has_start: bool = False) -> Draft:
    """Return the Basic scenario on a citadel of its own, with a start position or none."""
    scenario = load_scenario("basic")
    draft = Draft(plan_of(scenario), replace(scenario, map=OWN_MAP))
    if not has_start:
        return draft
    draft = with_value(draft, "start", first_start(draft))
    for square in ((5, 5), (6, 5), (7, 5)):
        draft = with_figure(draft, "jelly", square)
    return draft


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS, st.booleans())
def test_any_run_of_changes_leaves_a_file_that_can_be_read(
    steps: list[tuple[str, Any]], has_start: bool
) -> None:
    """A change is made, or refused with its place in front; a start position keeps to the forces."""
    draft = citadel(has_start=has_start)
    refusals: list[str] = []
    for path, value in steps:
        try:
            draft = with_value(draft, path, value)
        except ValueError as error:
            refusals.append(str(error))
            continue
        assert draft.scenario is not None
        outer, _, inner = path.partition(".")
        if not inner or getattr(draft.scenario, outer) is not None:
            assert value_of(draft.scenario, path) == value
    assert all(switches.fault_of_line(line).path in switches.BY_PATH for line in refusals)
    assert draft.scenario is not None
    if draft.scenario.start is not None:
        assert not start_problems(draft.whole, draft.plan)
    raw = format_draft(draft)
    if not has_start:
        assert format_draft(Draft(draft.plan, replace(parse_scenario(raw), map=OWN_MAP))) == raw


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["put", "move", "take"]),
            st.sampled_from(FIGURE_KINDS),
            st.integers(-1, 8),
            st.integers(-1, 4),
        ),
        max_size=40,
    ),
    st.booleans(),
)
def test_figures_never_stand_where_none_can(steps: list[tuple[str, Any, int, int]], has_start: bool) -> None:
    """However figures are put down and taken away, the engine finds nothing wrong with where they are."""
    plan = drawn("AAAABBBB AAAABBBB AAAABBBB AAAABBB.", "door 3,1 E", things="tank 6,0", entries="0,2 W")
    draft = Draft(plan, Scenario(name="House", map=OWN_MAP, servants=2, technicians=2, jellies=2))
    if has_start:
        draft = with_value(draft, "start", first_start(draft))
    for what, kind, x, y in steps:
        figures = shown_figures(draft)
        number = (x * 7 + y) % len(figures) if figures else -1
        try:
            if what == "put":
                draft = with_figure(draft, kind, (x, y))
            elif what == "take" and figures:
                draft = taken_away(draft, [number])
        except ValueError:
            continue
    codes = {one.code for one in problems(draft.whole) if one.severity == "error"}
    assert not codes & {"off-map", "on-tank", "taken", "too-many", "start"}


@pytest.mark.parametrize("name", shipped())
def test_a_first_start_position_can_be_played_on_every_shipped_scenario(name: str) -> None:
    """What the panel begins with has nothing wrong: every Terminator, the CloneMaster, fixed places kept."""
    scenario = load_scenario(name)
    draft = Draft(plan_of(scenario), replace(scenario, map=OWN_MAP))
    draft = with_value(draft, "start", first_start(draft))
    assert not [one for one in problems(draft.whole) if one.severity == "error"]
    squares = {one.square for one in scenario.placements}
    assert squares <= {one.square for one in shown_figures(draft)}


def test_levels_are_spread_under_the_cap() -> None:
    """Seven levels are 2 2 1 1 1; fifteen fill the sheet; more are not there to be had (R30)."""
    assert list(spread(7).values()) == [2, 2, 1, 1, 1]
    assert set(spread(15).values()) == {3}
    assert spread(99) == spread(15)


def test_a_map_and_its_scenario_part_without_loss() -> None:
    """The map alone is, byte for byte, the map that the scenario was made of."""
    plan = plan_of(load_scenario("basic"))
    bare = Draft(plan)
    made = with_scenario(bare)
    assert with_scenario(made) is made
    assert without_scenario(made) == bare
    assert format_draft(without_scenario(made)) == format_floorplan(plan)
    assert on_map(bare, "citadel", plan) is bare


def test_a_moved_figure_comes_onto_the_map() -> None:
    """A Terminator who waited outside is on the map once he is put on a square."""
    draft = citadel(has_start=True)
    made = moved_figure(draft, 0, (0, 8))
    figure = shown_figures(made)[0]
    assert (getattr(figure, "place", ""), figure.square) == ("map", (0, 8))
