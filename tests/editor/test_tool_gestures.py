"""Any gestures with any tools: the map stays a map, and undo and redo give every byte back."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from editor.draft import Draft, format_draft
from editor.edits.symmetry import Symmetry
from editor.tools import TOOLS
from editor.tools.base import Keys, Tool
from editor.tools.brush import Brush
from editor.tools.door import Door
from editor.tools.dropoff import DropOff
from editor.tools.entry import Entry
from editor.tools.equipment import Equipment
from editor.tools.erase import Erase
from editor.tools.fill import Fill
from editor.tools.room import Room
from editor.tools.select import Select
from editor.tools.stamp import Stamp
from editor.tools.wall import Wall
from editor.words import sentence
from engine.fortress.floorplan import ROCK, faults, parse_floorplan
from engine.raid.scenario import Placement, Scenario
from tests.helpers.bench import RIGHT, Desk
from tests.helpers.plans import random_plan

pytestmark = pytest.mark.usefixtures("qapp")
KEYS = (
    Qt.Key.Key_Tab,
    Qt.Key.Key_Delete,
    Qt.Key.Key_Left,
    Qt.Key.Key_Up,
    Qt.Key.Key_BracketRight,
    Qt.Key.Key_Backslash,
    Qt.Key.Key_Return,
    Qt.Key.Key_S,
    Qt.Key.Key_1,
)
SYMMETRIES: tuple[Symmetry, ...] = ("off", "off", "x", "y", "half-turn")


class Turn(NamedTuple):
    """What a hand does with one tool: options, a drag with a button, how it ends, a key afterwards."""

    tool: int
    option: int
    points: list[tuple[float, float]]
    is_right: bool
    keys: Keys
    end: str
    key: int
    symmetry: int


places = st.tuples(st.floats(-0.1, 1.1), st.floats(-0.1, 1.1))
"""Points in parts of the map's width and height, some of them off the map."""
turns = st.builds(
    Turn,
    st.integers(0, len(TOOLS) - 1),
    st.integers(0, 9),
    st.lists(places, min_size=1, max_size=4),
    st.booleans(),
    st.builds(Keys, st.booleans(), st.booleans(), st.booleans()),
    st.sampled_from([*["release"] * 8, "cancel", "undo", "other button", "copy"]),
    st.integers(0, 2 * len(KEYS)),
    st.integers(0, len(SYMMETRIES) - 1),
)


def do(desk: Desk, turn: Turn) -> None:
    """Do what a hand does."""
    desk.bench.set_symmetry(SYMMETRIES[turn.symmetry])
    tool = desk.take(TOOLS[turn.tool])
    options = [key for key, _ in tool.options]
    if options:
        tool.choose(options[turn.option % len(options)])
    width, height = desk.plan.width, desk.plan.height
    spots = [desk.spot(x * width, y * height) for x, y in turn.points]
    button = RIGHT if turn.is_right else Qt.MouseButton.LeftButton
    before, count = desk.bytes, desk.document.stack.index()
    desk.drag(*spots, button=button, keys=turn.keys, is_released=False)
    assert desk.document.stack.index() == count or tool is not desk.bench.tool or tool.mode == "scenario"
    if turn.end == "cancel":
        tool.cancel()
        assert desk.bytes == before or tool.mode == "scenario"
    elif turn.end == "undo" and desk.document.kept is not desk.document.draft:
        desk.document.undo()
        assert desk.bytes == before
    elif turn.end == "other button":
        tool.press(spots[-1], Qt.MouseButton.LeftButton if turn.is_right else RIGHT, turn.keys)
    tool.release(spots[-1], turn.keys)
    assert desk.document.kept is desk.document.draft
    if turn.end == "copy":
        stamp = desk.bench.findChild(Stamp) or Stamp(desk.bench)
        if stamp.copy() and stamp.paste():
            desk.click(spots[0])
            desk.take(Select)
    if turn.key < len(KEYS) and desk.bench.tool is not None:
        desk.bench.tool.key_press(KEYS[turn.key], turn.keys)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10_000), st.lists(turns, min_size=1, max_size=14), st.booleans())
def test_any_gestures_keep_a_map_a_map_and_come_back(
    seed: int, hands: list[Turn], has_scenario: bool
) -> None:
    """After each turn the map has no faults and loads as it was; undo all, redo all give every byte."""
    plan = random_plan(seed, most=10)
    scenario = Scenario(name="s", map="", placements=(Placement(kind="clonemaster", square=(0, 0)),))
    desk = Desk(Draft(plan, scenario if has_scenario else None))
    for turn in hands:
        do(desk, turn)
        assert faults(desk.plan) == []
        assert parse_floorplan(format_draft(Draft(desk.plan))) == desk.plan
    last, states = desk.bytes, []
    while desk.document.stack.canUndo():
        states.append(desk.bytes)
        desk.document.undo()
    assert desk.bytes == desk.first
    assert not desk.document.is_modified
    for state in reversed(states):
        desk.document.redo()
        assert desk.bytes == state
    assert desk.bytes == last


CLICKED: tuple[type[Tool], ...] = (Room, Brush, Fill, Wall, Door, DropOff, Equipment, Entry, Erase)
modifiers = st.sampled_from([Keys(), Keys(), Keys(shift=True), Keys(ctrl=True), Keys(alt=True)])


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(0, 10_000),
    st.sampled_from(CLICKED),
    places,
    modifiers,
    st.integers(0, 5),
    st.sampled_from(SYMMETRIES),
)
def test_a_click_does_what_its_ghost_shows(
    seed: int, kind: type[Tool], place: tuple[float, float], keys: Keys, option: int, symmetry: Symmetry
) -> None:
    """A red ghost changes nothing and its reason is said; a green one stands on the map after the click."""
    desk = Desk(random_plan(seed, most=10))
    desk.bench.set_symmetry(symmetry)
    tool = desk.take(kind)
    if tool.options:
        tool.choose(tool.options[option % len(tool.options)][0])
    spot = desk.spot(place[0] * desk.plan.width, place[1] * desk.plan.height)
    desk.hover(spot, keys)
    ghost = tool.ghost
    desk.click(spot, keys=keys)
    if ghost.reason:
        assert (desk.steps, desk.bytes) == ([], desk.first)
        assert sentence(ghost.reason) in desk.said
        return
    plan = desk.plan
    for (x, y, side), edge_kind in ghost.edges:
        assert plan.edge_kind(x, y, side) == edge_kind
    on_map = {(x, y) for x, y in ghost.squares if 0 <= x < plan.width and 0 <= y < plan.height}
    letters = {plan.grid[y][x] for x, y in on_map}
    if ghost.letter == ROCK:
        assert letters <= {ROCK}
    elif ghost.letter is not None and on_map:
        assert ROCK not in letters
        assert len(letters) <= (1 if symmetry == "off" else 2)
    things = {(one.kind, one.x, one.y, one.side) for one in plan.equipment}
    assert {(one.kind, one.x, one.y, one.side) for one in ghost.equipment} <= things
    entries = {(one.x, one.y, one.side, one.enter, one.leave) for one in plan.entries}
    assert {(one.x, one.y, one.side, one.enter, one.leave) for one in ghost.entries} <= entries
