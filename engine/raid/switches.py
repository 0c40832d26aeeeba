"""6, 7: every rule of a scenario that a player may turn for a game, in one table.

A switch says where in the scenario its value stands, by which rule, in a sentence what it does, and with
what control it is turned. Where figures stand, and on which map, is drawn, not turned: `DRAWN_FIELDS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from engine.core.files import BadFile
from engine.fortress.problems import Problem
from engine.raid.figures import ABILITY_NAMES, JELLIES, KIND_NAMES
from engine.raid.problems import problems
from engine.raid.scenario import MAX_TURNS, Points, Reinforcement, Scenario
from engine.raid.tables import COLUMNS

DRAWN_FIELDS: Final = ("name", "notes", "map", "placements", "start")
"""The fields that are not rules to turn: what the scenario is called, and what an editor draws."""

PARTS: Final = (
    "Terminators",
    "CloneMaster's counters",
    "Set-up and release",
    "Reinforcements",
    "Length and victory",
    "Movement",
    "Dice",
    "House rules",
)


# Controls: what a value may be.


class Number(NamedTuple):
    """A whole number; `zero` is what 0 means where it is not just none."""

    least: int
    most: int
    zero: str = ""


class Choice(NamedTuple):
    """One of a few words, each with what it means."""

    options: tuple[tuple[str, str], ...]


class Tick(NamedTuple):
    """Yes or no; `text` stands beside the box."""

    text: str


class Presence(NamedTuple):
    """A part of the scenario that is there or not; `made` is what it begins with."""

    text: str
    made: msgspec.Struct


class Jellies(NamedTuple):
    """Some of the twelve numbers of Jellies."""


class Numbers(NamedTuple):
    """A row of whole numbers, each under its heading."""

    headings: tuple[str, ...]
    least: int
    most: int
    zero: str = ""


class Column(NamedTuple):
    """A column of a table of rows: a field of each row, its heading, its control."""

    field: str
    heading: str
    control: Number | Choice | EntryName


class EntryName(NamedTuple):
    """The name of one of the map's entries."""


class Rows(NamedTuple):
    """A list of parts, a row each, to be added and removed."""

    made: type[msgspec.Struct]
    columns: tuple[Column, ...]


Control = Number | Choice | Tick | Presence | Jellies | Numbers | Rows


class Switch(NamedTuple):
    """A rule to turn: its place in the scenario ("hits.gun"), its rules, name, sentence and control."""

    path: str
    part: str
    rules: tuple[str, ...]
    title: str
    sentence: str
    control: Control


HIT_HEADINGS: Final = {
    "helpless": "Helpless",
    "inactive": "Inactive",
    **{word: f"vs. {ABILITY_NAMES[word].split()[-1]}" for word in ("fist", "kick", "mist", "soul")},
}
_HITS: Final = Numbers(tuple(HIT_HEADINGS[word] for word in COLUMNS), 0, 6, "–")
_DIE: Final = Number(0, 6, "never")
_MOVES: Final = Number(1, 20)
_SCORE: Final = Number(0, 99)
_CORNERS: Final = (
    ("strict", "Touching a wall blocks"),
    ("graze", "Corners may be grazed"),
)

SWITCHES: Final = (
    Switch(
        "terminators",
        PARTS[0],
        ("7.1", "R36"),
        "Terminators",
        "How many attack. The Basic scenario has three; each one fewer makes their task much harder.",
        Number(1, 5),
    ),
    Switch(
        "levels",
        PARTS[0],
        ("7.2", "R30"),
        "Levels of each",
        "Seven by the scenarios, eight by the optional rule; any other number is a house rule. No talent "
        "starts above three.",
        Number(5, 15),
    ),
    Switch(
        "jellies",
        PARTS[1],
        ("6.1", "7.3"),
        "Jellies",
        "How many of the guards defend the fortress.",
        Number(0, 12),
    ),
    Switch(
        "jelly_numbers",
        PARTS[1],
        ("6.1", "7.3"),
        "Jellies to pick from",
        "The numbers that may be picked. 11 and 12, with four levels each, are for harder games.",
        Jellies(),
    ),
    Switch(
        "required_jellies",
        PARTS[1],
        ("7.3", "R36"),
        "Jellies that must be taken",
        "Those that the CloneMaster player cannot leave out.",
        Jellies(),
    ),
    Switch(
        "armed_technicians",
        PARTS[1],
        ("6.1", "6.2"),
        "Armed technicians",
        "Two in the Basic scenario, four in the Advanced one. Each carries a gun.",
        Number(0, 99),
    ),
    Switch(
        "technicians",
        PARTS[1],
        ("6.1", "6.2"),
        "Unarmed technicians",
        "Ten in the Basic scenario, eight in the Advanced one.",
        Number(0, 99),
    ),
    Switch(
        "servants",
        PARTS[1],
        ("6.1",),
        "Servants",
        "Nobody's match, but always in the way.",
        Number(0, 99),
    ),
    Switch(
        "extra_doors",
        PARTS[1],
        ("7.4", "R35"),
        "Extra armored doors",
        "The CloneMaster player turns so many common doors into armored ones, openly, before the set-up.",
        Number(0, 9),
    ),
    Switch(
        "extra_computers",
        PARTS[1],
        ("7.4", "R35"),
        "Extra computers",
        "So many computers more, placed openly before the set-up; all count as vital equipment.",
        Number(0, 9),
    ),
    Switch(
        "set_up",
        PARTS[2],
        ("6.3", "R34"),
        "Who sets up the counters",
        "The CloneMaster player by the rooms' letters, or chance, so that nobody knows what lies where.",
        Choice((("player", "The CloneMaster player"), ("random", "Chance (solitaire)"))),
    ),
    Switch(
        "room_limit",
        PARTS[2],
        ("6.3",),
        "Most counters in a room",
        "How many face-down counters a room may hold at the start.",
        Number(0, 99, "any number"),
    ),
    Switch(
        "release",
        PARTS[2],
        ("4.2", "6.3", "R32"),
        "Release without contact",
        "What is turned up at the start of each CloneMaster Move: one counter of each kind as the player "
        "likes, or the two nearest to a Terminator.",
        Choice((("choice", "As the CloneMaster player likes"), ("nearest", "The two nearest (solitaire)"))),
    ),
    Switch(
        "reinforcements",
        PARTS[3],
        ("6.2", "R12"),
        "Reinforcements",
        "Who comes in, face up: from which turn to which, how many a turn, and by which entry.",
        Rows(
            Reinforcement,
            (
                Column("number", "How many", Number(1, 20)),
                Column(
                    "kind",
                    "Kind",
                    Choice(
                        tuple(
                            (kind, KIND_NAMES[kind])
                            for kind in ("lc", "armed_technician", "technician", "servant")
                        )
                    ),
                ),
                Column("from_turn", "From turn", Number(1, MAX_TURNS)),
                Column("to_turn", "To turn", Number(0, MAX_TURNS, "the last")),
                Column("entry", "By the entry", EntryName()),
            ),
        ),
    ),
    Switch(
        "turns",
        PARTS[4],
        ("6.1", "6.2"),
        "Turns",
        "Ten in the Basic scenario, twelve in the others. Whoever is still inside then is lost.",
        Number(1, MAX_TURNS),
    ),
    Switch(
        "escape.levels_left",
        PARTS[4],
        ("6.3", "R11"),
        "May escape when down to so many levels",
        "Lets a badly hurt Terminator leave though the mission is not done.",
        Number(0, 99, "not for that"),
    ),
    Switch(
        "escape.from_turn",
        PARTS[4],
        ("6.3", "R11"),
        "May escape from turn",
        "Lets every Terminator leave from this turn on though the mission is not done.",
        Number(0, MAX_TURNS, "not before"),
    ),
    Switch(
        "points",
        PARTS[4],
        ("6.3",),
        "Victory by points",
        "The side with more points wins. Without points the mission alone decides, as in the Basic scenario.",
        Presence("Score the game by points", Points()),
    ),
    *(
        Switch(f"points.{field}", PARTS[4], rules, title, sentence, _SCORE)
        for field, rules, title, sentence in (
            ("clonemaster", ("6.3",), "Points for the CloneMaster", "To the Terminators, for killing him."),
            (
                "equipment",
                ("6.3",),
                "Points for a piece of equipment",
                "To the Terminators, for each tank or computer destroyed.",
            ),
            (
                "everything",
                ("6.3",),
                "Points for everything together",
                "To the Terminators on top, for the CloneMaster and all equipment together.",
            ),
            ("jelly", ("6.3",), "Points for a Jelly killed", "To the Terminators, for each."),
            ("killed", ("6.3",), "Points for a Terminator killed", "To the CloneMaster for each one."),
            (
                "captured",
                ("6.3", "R31"),
                "Points for a Terminator captured",
                "To the CloneMaster for each one in the building at the end.",
            ),
            (
                "start",
                ("6.3",),
                "Points to start with",
                "What the Terminators begin with, to even a harder game.",
            ),
            (
                "total_margin",
                ("6.3",),
                "Points that make a victory total",
                "A win by more points than this number is a total victory.",
            ),
        )
    ),
    *(
        Switch(
            f"allowances.{field}",
            PARTS[5],
            (rule,),
            title,
            f"Squares that {who} moves in each movement phase; {printed} as printed.",
            _MOVES,
        )
        for field, rule, title, who, printed in (
            ("terminator", "2.551", "A Terminator", "a Terminator", 5),
            ("clonemaster", "2.552", "The CloneMaster", "the CloneMaster", 4),
            ("jelly", "2.553", "A Jelly", "a Jelly", 5),
            ("armed_technician", "2.555", "An armed technician", "an armed technician", 4),
            ("technician", "2.554", "A technician", "a technician", 4),
            ("servant", "2.556", "A servant", "a servant", 3),
            ("lc", "2.557", "Local Constabulary", "a man of the Local Constabulary", 4),
        )
    ),
    *(
        Switch(
            f"hits.{field}",
            PARTS[6],
            ("2.6", "R20"),
            f"{ABILITY_NAMES[field]} hits up to",
            "The highest roll of the die that hits, by what the target replies; – for no hit, 6 for always.",
            _HITS,
        )
        for field in ("fist", "kick", "weapon")
    ),
    Switch(
        "hits.spikes",
        PARTS[6],
        ("2.6", "R19"),
        "Throwing spikes hit up to",
        "The highest roll that hits, whatever the reply; 3 as printed.",
        _DIE,
    ),
    Switch(
        "hits.gun",
        PARTS[6],
        ("5.4", "R23"),
        "A gun hits up to",
        "The highest roll that hits; 3 as printed.",
        _DIE,
    ),
    Switch(
        "hits.door",
        PARTS[6],
        ("5.7", "R25"),
        "An armored door breaks up to",
        "The highest roll that destroys a door; 2 as printed.",
        _DIE,
    ),
    Switch(
        "hits.recovery",
        PARTS[6],
        ("5.6",),
        "Mountain Heart comes back up to",
        "The highest roll in the Recovery phase that brings back a lost level of it; 2 as printed.",
        _DIE,
    ),
    Switch(
        "rules.corner_sight",
        PARTS[7],
        ("R3",),
        "Sight past corners",
        "Whether the line of an attack may touch the end or the corner of a wall, as beside a door.",
        Choice(_CORNERS),
    ),
    Switch(
        "rules.may_underpick",
        PARTS[7],
        ("R16",),
        "Fewer counters than allowed",
        "Whether a player may choose fewer tactics counters for a combat than his figures could.",
        Tick("A player may choose fewer"),
    ),
)
BY_PATH: Final = {switch.path: switch for switch in SWITCHES}


# Values.


def value_of(scenario: Scenario, path: str) -> Any:
    """Return the value of a switch in a scenario; that of a part which is not there is its usual one."""
    outer, _, inner = path.partition(".")
    value = getattr(scenario, outer)
    if not inner:
        return value
    if value is None:
        value = _made(outer)
    return getattr(value, inner)


def _made(outer: str) -> msgspec.Struct:
    control = BY_PATH[outer].control
    assert isinstance(control, Presence)
    return control.made


def is_same(switch: Switch, one: Any, other: Any) -> bool:
    """Return whether two values of a switch say the same."""
    if isinstance(switch.control, Presence):
        return (one is None) == (other is None)
    return bool(one == other)


def turned(scenario: Scenario, values: Mapping[str, Any]) -> Scenario:
    """Return a scenario with some switches turned, by their paths.

    Raises ValueError, with its place in front, where the values do not go together.
    """
    changes: dict[str, Any] = {path: value for path, value in values.items() if "." not in path}
    inner: dict[str, dict[str, Any]] = {}
    for path, value in values.items():
        outer, _, field = path.partition(".")
        if field:
            inner.setdefault(outer, {})[field] = value
    for outer, fields in inner.items():
        part = changes.get(outer, getattr(scenario, outer))
        if part is not None:
            changes[outer] = msgspec.structs.replace(part, **fields)
    return msgspec.structs.replace(scenario, **changes)


def applies(switch: Switch, scenario: Scenario) -> bool:
    """Return whether a switch says anything in a scenario: points only where it scores."""
    outer, _, inner = switch.path.partition(".")
    return not inner or getattr(scenario, outer) is not None


def differences(base: Scenario, scenario: Scenario) -> list[Switch]:
    """Return the switches that say something else in a scenario than in another."""
    return [
        switch
        for switch in SWITCHES
        if applies(switch, scenario)
        and not is_same(switch, value_of(base, switch.path), value_of(scenario, switch.path))
    ]


# Words.


def value_words(switch: Switch, value: Any) -> str:
    """Return a switch's value as a short text."""
    match switch.control:
        case Number(zero=zero):
            return zero if value == 0 and zero else str(value)
        case Choice(options=options):
            return dict(options)[value].lower()
        case Tick():
            return "yes" if value else "no"
        case Presence():
            return "no" if value is None else "yes"
        case Jellies():
            return numbers_words(value) or "none"
        case Numbers():
            return " ".join(str(one) if one else "–" for one in value)
        case Rows():
            return "; ".join(row_words(row) for row in value) or "none"


def numbers_words(numbers: Sequence[int]) -> str:
    """Return numbers with runs drawn together: "1–10, 12"."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(
        str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" if len(run) > 2 else f"{run[0]}, {run[1]}"
        for run in runs
    )


def row_words(row: Reinforcement) -> str:
    """Return a row of the reinforcements as a text."""
    if row.to_turn is None:
        when = f"each turn from {row.from_turn} on"
    elif row.to_turn == row.from_turn:
        when = f"in turn {row.from_turn}"
    else:
        when = f"each turn from {row.from_turn} to {row.to_turn}"
    return f"{counted(row.number, KIND_NAMES[row.kind])} {when} by the {row.entry}"


def counted(number: int, word: str) -> str:
    """Return a number and a word, in the plural where there are not one; a body of people has none."""
    plural = word if word == KIND_NAMES["lc"] else f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    return f"{number or 'no'} {word if number == 1 else plural}"


def difference_words(switch: Switch, scenario: Scenario) -> str:
    """Return what a switch says in a scenario: "Turns: 12"."""
    return f"{switch.title}: {value_words(switch, value_of(scenario, switch.path))}"


def forces(scenario: Scenario) -> str:
    """Return who fights whom and for how long, in a line."""
    technicians = scenario.technicians + scenario.armed_technicians
    armed = f" ({scenario.armed_technicians} armed)" if scenario.armed_technicians else ""
    each = " each" if scenario.terminators > 1 else ""
    parts = [
        f"{counted(scenario.terminators, 'Terminator')} with {scenario.levels} levels{each} against the "
        f"CloneMaster, {counted(scenario.jellies, 'Jelly')}, {counted(technicians, 'technician')}{armed} "
        f"and {counted(scenario.servants, 'servant')}"
    ]
    extras = [
        counted(number, f"extra {word}")
        for number, word in (
            (scenario.extra_doors, "armored door"),
            (scenario.extra_computers, "computer"),
        )
        if number
    ]
    parts += [" and ".join(extras)] if extras else []
    parts += [row_words(row) for row in scenario.reinforcements]
    parts.append("1 turn" if scenario.turns == 1 else f"{scenario.turns} turns")
    parts += ["scored by points"] if scenario.points is not None else []
    return "; ".join(parts) + "."


def drawn_words(scenario: Scenario) -> list[str]:
    """Return, a line each, what the scenario fixes: its map, and where figures stand at the start."""
    name = scenario.map if isinstance(scenario.map, str) else scenario.map.name
    lines = [f"Map: {name}"]
    lines += [
        f"Starts face up: {KIND_NAMES[one.kind]} at {one.square[0]},{one.square[1]}"
        for one in scenario.placements
    ]
    if scenario.start is not None:
        lines.append(
            f"Begins in turn {scenario.start.turn}; {len(scenario.start.figures)} figures are in place"
        )
    return lines


# What is wrong.


class Fault(NamedTuple):
    """Something wrong with a scenario: how bad, where in words and which switch that is, and what."""

    is_error: bool
    place: str
    path: str
    message: str

    @property
    def text(self) -> str:
        """The fault in a line."""
        return f"{self.place}: {self.message}"


def place_words(place: str) -> tuple[str, str]:
    """Return a place of a scenario's file in words, and the path of the switch that stands there or ""."""
    dotted, _, rest = place.partition("[")
    if dotted == "map" or dotted.startswith(("map.", "map ")):
        part = place[4:].strip(" .")
        return (f"Map, {part}" if part else "Map"), ""
    path = dotted if dotted in BY_PATH else dotted.partition(".")[0]
    if path not in BY_PATH:
        named = {"placements": "Fixed placement", "start": "Start position"}.get(path, path or "Scenario")
        number = rest.partition("]")[0]
        return (f"{named} {int(number) + 1}" if number.isdecimal() else named), ""
    switch = BY_PATH[path]
    number, _, field = rest.partition("]")
    if not number.isdecimal():
        return switch.title, path
    words = f"{switch.title}, row {int(number) + 1}"
    if isinstance(switch.control, Rows):
        headings = {one.field: one.heading.lower() for one in switch.control.columns}
        heading = headings.get(field.strip("."), "")
        words += f", “{heading}”" if heading else ""
    return words, path


def fault_of(problem: Problem) -> Fault:
    """Return a problem of the engine with its place in words."""
    place, path = place_words(problem.place)
    return Fault(problem.severity == "error", place, path, problem.message)


def faults(scenario: Scenario) -> list[Fault]:
    """Return what is wrong with a scenario, worst first."""
    try:
        found = [fault_of(problem) for problem in problems(scenario)]
    except BadFile as error:
        found = [fault_of_line(line) for line in error.problems]
    return sorted(found, key=lambda fault: not fault.is_error)


def fault_of_line(line: str) -> Fault:
    """Return a fault from a line with its place in front ("jellies: 11 cannot be picked from 10")."""
    place, found, message = line.partition(": ")
    if not found:
        return Fault(True, "Scenario", "", line)
    return Fault(True, *place_words(place), message)


def jelly_words(number: int) -> str:
    """Return a Jelly's number and abilities in words."""
    levels, weapon = JELLIES[number]
    names = {**ABILITY_NAMES, "weapon": weapon or "Weapon"}
    has = (
        names[word] + (f" {count}" if count > 1 else "")
        for word, count in zip(ABILITY_NAMES, levels, strict=True)
        if count
    )
    return f"J-{number}: {', '.join(has)}"
