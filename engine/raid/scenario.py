"""6, 7: the scenario file: forces, limits, house rules, and a start position if it has one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from engine.core.files import BadFile, Part, decode, encode, read_bytes, shortened
from engine.fortress.floorplan import FloorPlan, faults, load_floorplan, parse_floorplan
from engine.raid.figures import ABILITIES, JELLIES, TERMINATOR_NAMES
from resources.path import resource

KIND = "kungfu2100.scenario"
VERSION = 1
MAX_TURNS = 99

Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
Level = Annotated[int, msgspec.Meta(ge=0, le=9)]
Coordinate = Annotated[int, msgspec.Meta(ge=0, lt=256)]
Place = Literal["map", "off", "station", "dead", "escaped"]
Phase = Literal[
    "terminator-move-1",
    "combat-1",
    "terminator-move-2",
    "clonemaster-move",
    "combat-2",
    "recovery",
    "advance",
]


class HouseRules(Part, frozen=True, kw_only=True):
    """Rules that a scenario may turn, with their rulings' tags."""

    corner_sight: Literal["strict", "graze"] = "strict"  # R3
    may_underpick: bool = True  # R16


class StartFigure(Part, frozen=True, kw_only=True):
    """A figure of a start position; levels it does not name are 0, absent levels are the printed ones."""

    name: str
    square: tuple[Coordinate, Coordinate] | None = None
    place: Place = "map"
    is_face_up: bool = True
    original: dict[str, Level] | None = None
    levels: dict[str, Level] | None = None


class StartPosition(Part, frozen=True, kw_only=True):
    """A position to start from instead of a set-up, at the beginning of a phase.

    `doors` and `equipment` name what is destroyed ("door 17,9 E", "tank 21,0").
    """

    turn: Annotated[int, msgspec.Meta(ge=1, le=MAX_TURNS)] = 1
    phase: Phase = "terminator-move-1"
    figures: tuple[StartFigure, ...] = ()
    doors: tuple[str, ...] = ()
    equipment: tuple[str, ...] = ()


class Scenario(Part, frozen=True, kw_only=True, dict=True):
    """What is played: the map, the forces of both sides, the length, and the house rules (6, 7)."""

    name: str
    notes: str = ""
    map: str | FloorPlan = "citadel"
    turns: Annotated[int, msgspec.Meta(ge=1, le=MAX_TURNS)] = 10
    terminators: Annotated[int, msgspec.Meta(ge=1, le=5)] = 3
    levels: Annotated[int, msgspec.Meta(ge=5, le=15)] = 7
    jellies: Count = 8
    jelly_numbers: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    armed_technicians: Count = 2
    technicians: Count = 10
    servants: Count = 12
    rules: HouseRules = HouseRules()
    start: StartPosition | None = None

    def __post_init__(self) -> None:
        if len(set(self.jelly_numbers)) != len(self.jelly_numbers):
            raise ValueError("jelly_numbers: a Jelly is named twice (R36)")
        unknown = [number for number in self.jelly_numbers if number not in JELLIES]
        if unknown:
            raise ValueError(f"jelly_numbers: there is no Jelly {unknown[0]} (2.4)")
        if self.jellies > len(self.jelly_numbers):
            raise ValueError(f"jellies: {self.jellies} cannot be picked from {len(self.jelly_numbers)} (6.1)")


def figure_names(scenario: Scenario) -> tuple[str, ...]:
    """Return the names of all figures a scenario can have."""
    return (
        *TERMINATOR_NAMES[: scenario.terminators],
        "CloneMaster",
        *(f"Armed Technician {n}" for n in range(1, scenario.armed_technicians + 1)),
        *(f"Technician {n}" for n in range(1, scenario.technicians + 1)),
        *(f"Servant {n}" for n in range(1, scenario.servants + 1)),
        *(f"J-{n}" for n in scenario.jelly_numbers),
    )


def start_problems(scenario: Scenario, plan: FloorPlan) -> list[str]:
    """Return every fault of a start position, a line each with its place in the file."""
    start = scenario.start
    if start is None:
        return []
    found: list[str] = []
    names = set(figure_names(scenario))
    seen: set[str] = set()
    taken: dict[tuple[int, int], str] = {}
    if start.turn > scenario.turns:
        found.append(f"start.turn: {start.turn} is after the last turn {scenario.turns}")
    tanks = {(thing.x, thing.y) for thing in plan.equipment if thing.kind == "tank"}
    for index, figure in enumerate(start.figures):
        where = f"start.figures[{index}]"
        if figure.name not in names:
            found.append(f'{where}.name: "{figure.name}" is no figure of this scenario')
        if figure.name in seen:
            found.append(f'{where}.name: "{figure.name}" is there twice')
        seen.add(figure.name)
        if (figure.place == "map") != (figure.square is not None):
            found.append(f"{where}.square: a figure on the map has a square, any other has none")
        if figure.square is not None:
            if plan.room_at(*figure.square) is None:
                found.append(f"{where}.square: {figure.square[0]},{figure.square[1]} is no square of the map")
            elif figure.square in tanks:
                found.append(
                    f"{where}.square: a clone growth tank fills {figure.square[0]},{figure.square[1]} (4.5)"
                )
            is_awake = figure.levels is None or any(figure.levels.values())
            if is_awake and figure.square in taken:
                found.append(f"{where}.square: {taken[figure.square]} is there too (4.6)")
            if is_awake:
                taken[figure.square] = figure.name
        for field, levels in (("original", figure.original), ("levels", figure.levels)):
            found += [
                f'{where}.{field}: "{word}" is not one of {" ".join(ABILITIES)}'
                for word in levels or ()
                if word not in ABILITIES
            ]
        if figure.original is not None and figure.levels is not None:
            for word, level in figure.levels.items():
                if level > figure.original.get(word, 0):
                    found.append(
                        f"{where}.levels.{word}: {level} is above the original {figure.original.get(word, 0)}"
                    )
    if sum(1 for figure in start.figures if figure.name.startswith("J-")) > scenario.jellies:
        found.append(f"start.figures: more than {scenario.jellies} Jellies")
    things = {f"{thing.kind} {thing.x},{thing.y}" for thing in plan.equipment}
    doors = {f"door {edge.x},{edge.y} {edge.side}" for edge in plan.edges if edge.kind == "armored"}
    for field, destroyed, known in (("doors", start.doors, doors), ("equipment", start.equipment, things)):
        for index, name in enumerate(destroyed):
            if name not in known:
                found.append(f'start.{field}[{index}]: "{name}" is not on the map')
    return found


def shipped() -> Mapping[str, str]:
    """Return the shipped scenarios: the short name of each and its title."""
    return {name: load_scenario(name).name for name in SHIPPED}


SHIPPED = ("basic",)


def parse_scenario(raw: bytes, path: str = "") -> Scenario:
    """Return the scenario that a file's bytes hold; raises BadFile."""
    scenario = decode(raw, Scenario, KIND, VERSION, path=path)
    found = _map_faults(scenario) or start_problems(scenario, plan_of(scenario))
    if found:
        raise BadFile(shortened(found), path)
    return scenario


def _map_faults(scenario: Scenario) -> list[str]:
    """Return why a scenario has no map at all, a line each with its place in the scenario's file."""
    if isinstance(scenario.map, FloorPlan):
        return [f"map.{line}" for line in faults(scenario.map)]
    try:
        plan_of(scenario)
    except BadFile as error:
        return [f"map: {scenario.map[:80]}: {line}" for line in error.problems]
    return []


@lru_cache(maxsize=16)
def _load_shipped(name: str) -> Scenario:
    return parse_scenario(resource(f"scenarios/{name}.json").read_bytes(), name)


def load_scenario(name_or_path: str | os.PathLike[str]) -> Scenario:
    """Return a shipped scenario by its short name, or one from a file; raises BadFile."""
    name = os.fspath(name_or_path)
    if name in SHIPPED:
        return _load_shipped(name)
    if not Path(name).exists() and not Path(name).suffix:
        raise BadFile([f'there is no scenario called "{name}"; shipped are {", ".join(SHIPPED)}'], name)
    return parse_scenario(read_bytes(name), name)


def format_scenario(scenario: Scenario) -> bytes:
    """Return the bytes of a scenario's file."""
    return encode(scenario, KIND, VERSION)


@lru_cache(maxsize=16)
def _shipped_plan(name: str) -> FloorPlan:
    return parse_floorplan(resource(f"maps/{name}.json").read_bytes())


def plan_of(scenario: Scenario) -> FloorPlan:
    """Return a scenario's map: the one it holds, a shipped one by name, or a file; raises BadFile."""
    if isinstance(scenario.map, FloorPlan):
        return scenario.map
    if scenario.map in MAPS:
        return _shipped_plan(scenario.map)
    return load_floorplan(scenario.map)


def is_shipped_plan(plan: FloorPlan) -> bool:
    """Return whether a map is one of those shipped."""
    return any(plan == _shipped_plan(name) for name in MAPS)


MAPS = ("citadel",)
