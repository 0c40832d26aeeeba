"""6, 7: the scenario file: forces, limits, house rules, and a start position if it has one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from engine.core.files import BadFile, Part, decode, encode, read_bytes, shortened
from engine.fortress.board import Board, compile_board
from engine.fortress.floorplan import FloorPlan, faults, load_floorplan, parse_floorplan
from engine.fortress.problems import meant
from engine.fortress.thing_names import door_names, equipment_names
from engine.raid.figures import ABILITIES, HEART, JELLIES, TERMINATOR_NAMES, WEAPON
from engine.raid.tables import Allowances, HitNumbers
from resources.path import resource

KIND = "kungfu2100.scenario"
VERSION = 1
MAX_TURNS = 99
MAX_REINFORCEMENTS = 200

Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
Extra = Annotated[int, msgspec.Meta(ge=0, le=9)]
Level = Annotated[int, msgspec.Meta(ge=0, le=9)]
Coordinate = Annotated[int, msgspec.Meta(ge=0, lt=256)]
Turn = Annotated[int, msgspec.Meta(ge=1, le=MAX_TURNS)]
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


class Reinforcement(Part, frozen=True, kw_only=True):
    """Figures that come in by an entry, face up, so many each turn from one turn to another (6.2, R12, 7).

    Without `to_turn` they come until the end.
    """

    from_turn: Turn
    to_turn: Turn | None = None
    kind: Literal["lc", "armed_technician", "technician", "servant"] = "lc"
    number: Annotated[int, msgspec.Meta(ge=1, le=20)]
    entry: str


class Placement(Part, frozen=True, kw_only=True):
    """A figure that starts face up on a square (6.3): the next of its kind, a Jelly drawn at random (R34)."""

    kind: Literal["terminator", "clonemaster", "armed_technician", "technician", "servant", "jelly"]
    square: tuple[Coordinate, Coordinate]


class Escape(Part, frozen=True, kw_only=True):
    """When a Terminator may leave though the mission is not done (6.3); 0 for never (6.1).

    With at most `levels_left` levels, or from `from_turn` on.
    """

    levels_left: Count = 0
    from_turn: Annotated[int, msgspec.Meta(ge=0, le=MAX_TURNS)] = 0


class Points(Part, frozen=True, kw_only=True):
    """What each side scores, and by how much a total victory is won (6.3, R34).

    To the Terminators: the CloneMaster, each piece of equipment, all of these together, each Jelly
    killed, and a start. To the CloneMaster: each Terminator killed, or captured at the end.
    """

    clonemaster: Count = 5
    equipment: Count = 5
    everything: Count = 50
    jelly: Count = 2
    killed: Count = 30
    captured: Count = 60
    start: Count = 0
    total_margin: Count = 30  # a total victory is won by more than this


class StartFigure(Part, frozen=True, kw_only=True):
    """A figure of a start position; levels it does not name are 0, absent levels are the printed ones.

    `entry` names the entry outside whose door a Terminator stands; where only one has a door it may be
    left out.
    """

    name: str
    square: tuple[Coordinate, Coordinate] | None = None
    place: Place = "map"
    entry: str | None = None
    is_face_up: bool = True
    original: dict[str, Level] | None = None
    levels: dict[str, Level] | None = None


class StartPosition(Part, frozen=True, kw_only=True):
    """A position to start from instead of a set-up, at the beginning of a phase.

    `figures` has every Terminator and the CloneMaster; others who are not there are not in the game.
    `doors` and `equipment` name what is destroyed ("door 17,9 E", "tank 21,0").
    """

    turn: Turn = 1
    phase: Phase = "terminator-move-1"
    figures: tuple[StartFigure, ...] = ()
    doors: tuple[str, ...] = ()
    equipment: tuple[str, ...] = ()


class Scenario(Part, frozen=True, kw_only=True, dict=True):
    """What is played: the map, the forces, the length, and everything a scenario may turn (6, 7).

    `jellies` are picked from `jelly_numbers`, `required_jellies` among them (7.3). `set_up` says who
    places the face-down counters: the CloneMaster player by the letters of the rooms (6.1), or chance,
    so that nobody knows them (6.3, R34); `room_limit` is the most to a room, 0 for any number. `release`
    is the player's choice of 4.2 (b) or the two nearest of 6.3 (b). Without `points` the mission decides
    (6.1).
    """

    name: str
    notes: str = ""
    map: str | FloorPlan = "citadel"
    turns: Turn = 10
    terminators: Annotated[int, msgspec.Meta(ge=1, le=5)] = 3
    levels: Annotated[int, msgspec.Meta(ge=5, le=15)] = 7
    jellies: Count = 8
    jelly_numbers: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    required_jellies: tuple[int, ...] = ()
    armed_technicians: Count = 2
    technicians: Count = 10
    servants: Count = 12
    extra_doors: Extra = 0
    extra_computers: Extra = 0
    reinforcements: tuple[Reinforcement, ...] = ()
    set_up: Literal["player", "random"] = "player"
    room_limit: Count = 0
    placements: tuple[Placement, ...] = ()
    release: Literal["choice", "nearest"] = "choice"
    escape: Escape = Escape()
    points: Points | None = None
    allowances: Allowances = Allowances()
    hits: HitNumbers = HitNumbers()
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
        if len(set(self.required_jellies)) != len(self.required_jellies):
            raise ValueError("required_jellies: a Jelly is named twice (R36)")
        missing = [number for number in self.required_jellies if number not in self.jelly_numbers]
        if missing:
            raise ValueError(f"required_jellies: Jelly {missing[0]} is not among jelly_numbers (7.3)")
        if len(self.required_jellies) > self.jellies:
            raise ValueError(f"required_jellies: more than the {self.jellies} Jellies of the force (7.3)")
        coming = sum(len(turns_of(row, self.turns)) * row.number for row in self.reinforcements)
        if coming > MAX_REINFORCEMENTS:
            raise ValueError(f"reinforcements: {coming} figures, more than {MAX_REINFORCEMENTS}")


FORCE_FIELDS: Final = {
    "terminator": "terminators",
    "armed_technician": "armed_technicians",
    "technician": "technicians",
    "servant": "servants",
    "jelly": "jellies",
}
"""The field of a scenario that says how many figures of a kind there are."""


def force(scenario: Scenario) -> dict[str, int]:
    """Return how many figures of each kind a scenario has at the start (6.1, 7)."""
    return {"clonemaster": 1, **{kind: getattr(scenario, field) for kind, field in FORCE_FIELDS.items()}}


def turns_of(row: Reinforcement, turns: int) -> range:
    """Return the turns in which reinforcements come, in a game of so many turns (6.2)."""
    return range(row.from_turn, min(row.to_turn or turns, turns) + 1)


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


def stations_of(board: Board, figure: StartFigure) -> list[int]:
    """Return the entries, by number, outside whose door a figure at "station" can be meant to stand (R10)."""
    return [
        number
        for number, entry in enumerate(board.entries)
        if entry.door >= 0 and figure.entry in (None, entry.name)
    ]


def start_levels(figure: StartFigure) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return a warrior's original and present levels at the start, by ability."""
    is_terminator = figure.name in TERMINATOR_NAMES
    original = figure.original
    if original is None and not is_terminator:
        original = dict(zip(ABILITIES, JELLIES[int(figure.name[2:])].levels, strict=True))
    elif original is None:
        original = figure.levels or {}
    levels = original if figure.levels is None else figure.levels
    return tuple(original.get(word, 0) for word in ABILITIES), tuple(
        levels.get(word, 0) for word in ABILITIES
    )


def is_warrior(name: str) -> bool:
    """Return whether a figure has levels: a Terminator or a Jelly."""
    return name in TERMINATOR_NAMES or name.startswith("J-")


def start_problems(scenario: Scenario, plan: FloorPlan) -> list[str]:
    """Return every fault of a start position, a line each with its place in the file."""
    start = scenario.start
    if start is None:
        return []
    board = compile_board(plan, scenario.rules.corner_sight)
    found: list[str] = []
    names = figure_names(scenario)
    seen: set[str] = set()
    taken: dict[tuple[int, int], str] = {}
    is_scored = scenario.points is not None and scenario.points.jelly > 0
    if start.turn > scenario.turns:
        found.append(f"start.turn: {start.turn} is after the last turn {scenario.turns}")
    for index, figure in enumerate(start.figures):
        where = f"start.figures[{index}]"
        if figure.name not in names:
            found.append(f"{where}.name: {_quoted(figure.name)} is no figure of this scenario")
            continue
        if figure.name in seen:
            found.append(f'{where}.name: "{figure.name}" is there twice')
        seen.add(figure.name)
        found += [f"{where}.{line}" for line in _place_problems(board, figure)]
        found += [f"{where}.{line}" for line in _level_problems(figure, is_scored)]
        is_awake = not is_warrior(figure.name) or any(start_levels(figure)[1])
        if figure.square is not None and is_awake:
            if figure.square in taken:
                found.append(f"{where}.square: {taken[figure.square]} is there too (4.6)")
            taken[figure.square] = figure.name
    found += [
        f"start.figures: {name} is not there"
        for name in (*TERMINATOR_NAMES[: scenario.terminators], "CloneMaster")
        if name not in seen
    ]
    if sum(1 for figure in start.figures if figure.name.startswith("J-")) > scenario.jellies:
        found.append(f"start.figures: more Jellies than the {scenario.jellies} of the force")
    for field, destroyed, known in (
        ("doors", start.doors, door_names(plan)),
        ("equipment", start.equipment, equipment_names(plan)),
    ):
        for index, name in enumerate(destroyed):
            if name not in known:
                found.append(f"start.{field}[{index}]: {_quoted(name)} is not on the map{meant(name, known)}")
    return found


def _place_problems(board: Board, figure: StartFigure) -> Iterator[str]:
    """Find what is wrong with where a figure is, and which side up."""
    is_terminator = figure.name in TERMINATOR_NAMES
    if not is_terminator and figure.place not in ("map", "dead"):
        yield f'place: only a Terminator can be at "{figure.place}"'
    elif figure.place == "station" and len(stations_of(board, figure)) != 1:
        if figure.entry is not None:
            yield f"entry: no entry called {_quoted(figure.entry)} has an armored door (R10)"
        elif stations_of(board, figure):
            yield "entry: missing; several entries have an armored door (R10)"
        else:
            yield "place: no entry has an armored door to stand outside of (R10)"
    if figure.entry is not None and figure.place != "station":
        yield 'entry: only a figure at "station" stands outside an entry'
    if (figure.place == "map") != (figure.square is not None):
        yield "square: a figure on the map has a square, any other has none"
    if figure.square is not None:
        x, y = figure.square
        if board.plan.room_at(x, y) is None:
            yield f"square: {x},{y} is no square of the map"
        elif board.tanks >> board.square(x, y) & 1:
            yield f"square: a clone growth tank fills {x},{y} (4.5)"
    if figure.is_face_up:
        return
    if is_terminator:
        yield "is_face_up: a Terminator is never face down (3.1)"
    elif figure.place != "map":
        yield "is_face_up: only a counter on the map lies face down"
    elif is_warrior(figure.name) and not any(start_levels(figure)[1]):
        yield "is_face_up: an unconscious Jelly is never face down (R9)"


def _level_problems(figure: StartFigure, is_scored: bool) -> Iterator[str]:
    """Find what is wrong with a figure's levels; a scored Jelly stays where it falls (5.62)."""
    is_terminator = figure.name in TERMINATOR_NAMES
    given = (("original", figure.original), ("levels", figure.levels))
    if not is_warrior(figure.name):
        for field, named in given:
            if named is not None:
                yield f"{field}: only Terminators and Jellies have levels (2.4)"
        return
    for field, named in given:
        for word in named or ():
            if word not in ABILITIES:
                yield f"{field}: {_quoted(word)} is not one of {' '.join(ABILITIES)}"
    original, levels = start_levels(figure)
    for word, most, now in zip(ABILITIES, original, levels, strict=True):
        if now > most:
            yield f"levels.{word}: {now} is above the original {most}"
    if not is_terminator:
        printed = JELLIES[int(figure.name[2:])].levels
        if original != printed:
            yield f"original: these are not the levels printed on {figure.name} (2.4)"
        elif figure.place == "map" and not any(levels) and not printed[HEART] and not is_scored:
            yield f"levels: {figure.name} has no Mountain Heart and dies where others fall unconscious (R28)"
    elif original[WEAPON]:
        yield "original.weapon: a Terminator has no weapon (2.4)"
    elif figure.place in ("map", "off", "station"):
        if not any(original):
            yield f"original: {figure.name} has no level at all (6.1)"
        elif not any(levels) and figure.place != "map":
            yield f"levels: {figure.name} is unconscious, which nobody is off the map (5.5)"


def _quoted(text: str) -> str:
    """Return a text of a file short and on one line."""
    return json.dumps(text[:80], ensure_ascii=False)


def shipped() -> Mapping[str, str]:
    """Return the shipped scenarios: the short name of each and its title."""
    return {name: load_scenario(name).name for name in SHIPPED}


SHIPPED = (
    "basic",
    "advanced",
    "solitaire",
    "solitaire-two-players",
    "hard-for-terminators",
    "eight-abilities",
    "all-twelve",
    "old-review-handicap",
    "tea-house",
    "mountain",
)


def parse_scenario(raw: bytes, path: str = "") -> Scenario:
    """Return the scenario that a file's bytes hold, its map with it, whose start position is sound.

    Raises BadFile; of a faulty start position it tells every other error with it. For `path` see
    `read_scenario`.
    """
    scenario = read_scenario(raw, path)
    if start_problems(scenario, plan_of(scenario)):
        from engine.raid.problems import errors

        raise BadFile(shortened(errors(scenario)), path)
    return scenario


def read_scenario(raw: bytes, path: str = "") -> Scenario:
    """Return the scenario that a file's bytes hold, its map with it, for whoever lists what is wrong with it.

    A map that is not shipped is read from beside the scenario's file, which `path` names. Without a
    `path` the bytes may have come from anybody, and no file is opened for them.

    Raises BadFile where it is no scenario or has no map.
    """
    scenario = decode(raw, Scenario, KIND, VERSION, path=path)
    if isinstance(scenario.map, str) and scenario.map not in MAPS and path:
        scenario = msgspec.structs.replace(scenario, map=_map_beside(path, scenario.map))
    found = _map_faults(scenario)
    if found:
        raise BadFile(shortened(found), path)
    return scenario


def _map_beside(path: str, name: str) -> FloorPlan:
    """Return the map of a file named as seen from the folder of a scenario's file; raises BadFile."""
    try:
        return load_floorplan(Path(path).parent / name)
    except BadFile as error:
        raise BadFile([f"map: {_quoted(name)}: {line}" for line in error.problems], path) from error


def _map_faults(scenario: Scenario) -> list[str]:
    """Return why a scenario has no map at all, a line each with its place in the scenario's file."""
    if isinstance(scenario.map, FloorPlan):
        return [f"map.{line}" for line in faults(scenario.map)]
    try:
        plan_of(scenario)
    except BadFile as error:
        return list(error.problems)
    return []


@lru_cache(maxsize=16)
def _load_shipped(name: str) -> Scenario:
    return parse_scenario(resource(f"scenarios/{name}.json").read_bytes(), name)


def load_scenario(name_or_path: str | os.PathLike[str]) -> Scenario:
    """Return a shipped scenario by its short name, or one from a file that can be played; raises BadFile."""
    from engine.raid.problems import check_playable

    name = os.fspath(name_or_path)
    if name in SHIPPED:
        return _load_shipped(name)
    if not Path(name).exists() and not Path(name).suffix:
        raise BadFile([f'there is no scenario called "{name}"; shipped are {", ".join(SHIPPED)}'], name)
    scenario = parse_scenario(read_bytes(name), name)
    check_playable(scenario, name)
    return scenario


def format_scenario(scenario: Scenario) -> bytes:
    """Return the bytes of a scenario's file."""
    return encode(scenario, KIND, VERSION)


@lru_cache(maxsize=16)
def _shipped_plan(name: str) -> FloorPlan:
    return parse_floorplan(resource(f"maps/{name}.json").read_bytes())


def plan_of(scenario: Scenario) -> FloorPlan:
    """Return a scenario's map: the one it holds or a shipped one by name; raises BadFile for any other."""
    if isinstance(scenario.map, FloorPlan):
        return scenario.map
    if scenario.map in MAPS:
        return _shipped_plan(scenario.map)
    raise BadFile([f"map: {_quoted(scenario.map)} is no shipped map; those are {', '.join(MAPS)}"])


def is_shipped_plan(plan: FloorPlan) -> bool:
    """Return whether a map is one of those shipped."""
    return any(plan == _shipped_plan(name) for name in MAPS)


MAPS = ("citadel", "tea-house", "mountain")
