"""What the scenario panel says: its sections, the fields that no switch turns, victory in sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from engine.raid import switches
from engine.raid.scenario import Scenario, turns_of


class Field(NamedTuple):
    """A field that an editor draws or writes: its path, its rules, name and sentence."""

    path: str
    rules: tuple[str, ...]
    title: str
    sentence: str


NAME: Final = Field("name", (), "Name", "What the scenario is called in the list of scenarios.")
NOTES: Final = Field(
    "notes", (), "Notes for players", "A few words on what is different here, read before the game."
)
MAP: Final = Field(
    "map",
    ("6.1",),
    "Map",
    "A map kept in the scenario's own file goes along when the file is handed on. One that is only named is "
    "kept in this file as soon as it is drawn on.",
)
MAP_NAME: Final = Field("map.name", (), "Name of the map", "What the fortress is called.")
MAP_NOTES: Final = Field("map.notes", (), "Notes on the map", "Where the map comes from, who drew it.")
SETUP_LETTERS: Final = Field(
    "map.rooms.setup",
    ("6.1",),
    "Who may be set up where",
    "The letters of each room: servants, technicians, Jellies. No counter lies beside a door.",
)
PLACEMENTS: Final = Field(
    "placements",
    ("6.3", "R34"),
    "Figures with a fixed place",
    "They start face up on their squares, before the others are set up: the next of their kind, a Jelly "
    "drawn at random.",
)
START: Final = Field(
    "start",
    ("3.1",),
    "Begin in the middle of a game",
    "Nobody sets anything up: the figures are where you put them, at the beginning of a phase.",
)
START_TURN: Final = Field("start.turn", ("3.1",), "Begin in turn", "The first turn that is played.")
START_PHASE: Final = Field("start.phase", ("3.1",), "Begin with the phase", "The first phase that is played.")
START_FIGURES: Final = Field(
    "start.figures",
    ("3.1", "4.6", "5.5"),
    "Figures",
    "Every Terminator and the CloneMaster; others who are not in the list are not in the game.",
)
START_DOORS: Final = Field(
    "start.doors", ("5.7",), "Destroyed doors", "The armored doors that are broken already."
)
START_EQUIPMENT: Final = Field(
    "start.equipment", ("2.1", "5.8"), "Destroyed equipment", "The tanks and computers that are gone already."
)

FIELDS: Final = (
    *(NAME, NOTES, MAP, MAP_NAME, MAP_NOTES, SETUP_LETTERS, PLACEMENTS),
    *(START, START_TURN, START_PHASE, START_FIGURES, START_DOORS, START_EQUIPMENT),
)

STEP_LENGTH: Final = 60
"""Letters up to which a step in the history says the new value, too."""

SHORT: Final = ("allowances.",)
"""The switches, by the beginning of their paths, whose names say it all."""


class Sentence(NamedTuple):
    """Some switches said as a sentence: words, and in braces the paths whose controls stand there."""

    title: str
    rules: tuple[str, ...]
    words: str

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of the controls in it, in order."""
        return tuple(piece for at, piece in enumerate(self.pieces) if at % 2)

    @property
    def pieces(self) -> tuple[str, ...]:
        """Words and paths by turns, words first."""
        return tuple(self.words.replace("}", "{").split("{"))


SENTENCES: Final = (
    Sentence(
        "The end",
        ("6.1", "6.2", "R31"),
        "The game ends with turn {turns} at the latest; a Terminator who is still inside then is lost.",
    ),
    Sentence(
        "Early escape",
        ("6.3", "R11"),
        "A Terminator may leave though the mission is not done: with at most {escape.levels_left} levels "
        "left, and whatever his levels, from turn {escape.from_turn} on "
        "(– for not at all).",
    ),
    Sentence(
        "The Terminators score",
        ("6.3",),
        "{points.clonemaster} for the CloneMaster, {points.equipment} for each tank and computer, "
        "{points.everything} on top for him and all equipment together, {points.jelly} for each Jelly "
        "killed, {points.start} to start with.",
    ),
    Sentence(
        "The CloneMaster scores",
        ("6.3", "R31"),
        "{points.killed} for each Terminator killed, {points.captured} for each one in the building at "
        "the end.",
    ),
    Sentence(
        "Total victory", ("6.3",), "It takes more than {points.total_margin} points above the other side."
    ),
)


class Section(NamedTuple):
    """A section of the panel: title, side if it is one's ("" for none), what it says while folded.

    `part` is the part of the switches in it.
    """

    title: str
    summary: Callable[[Scenario], str]
    side: str = ""
    part: str = ""


def _terminators(scenario: Scenario) -> str:
    return f"{scenario.terminators} with {scenario.levels} levels"


def _counters(scenario: Scenario) -> str:
    technicians = scenario.technicians + scenario.armed_technicians
    return f"{scenario.jellies} Jellies, {technicians} technicians, {scenario.servants} servants"


def _set_up(scenario: Scenario) -> str:
    if scenario.start is not None:
        return "none: a start position"
    who = "by chance" if scenario.set_up == "random" else "by the CloneMaster player"
    return f"{who}, at most {scenario.room_limit} in a room" if scenario.room_limit else who


def _placements(scenario: Scenario) -> str:
    return switches.counted(len(scenario.placements), "figure")


def _reinforcements(scenario: Scenario) -> str:
    coming = sum(len(turns_of(row, scenario.turns)) * row.number for row in scenario.reinforcements)
    return f"{switches.counted(coming, 'figure')} in all" if coming else "none"


def _victory(scenario: Scenario) -> str:
    by = "points" if scenario.points is not None else "the mission alone"
    return f"{switches.counted(scenario.turns, 'turn')}, {by}"


def _turned(part: str) -> Callable[[Scenario], str]:
    def summary(scenario: Scenario) -> str:
        usual = Scenario(name="")
        count = sum(
            switches.value_of(usual, one.path) != switches.value_of(scenario, one.path)
            for one in switches.SWITCHES
            if one.part == part
        )
        return f"{count} changed" if count else "as printed"

    return summary


def _start(scenario: Scenario) -> str:
    return "no" if scenario.start is None else f"turn {scenario.start.turn}"


PARTS: Final = switches.PARTS
ABOUT: Final = Section("About", lambda scenario: scenario.name)
THE_MAP: Final = Section("Map", lambda scenario: str(scenario.map) or "in this file")
FORCE: Final = Section("Terminators", _terminators, "terminator", PARTS[0])
COUNTERS: Final = Section("CloneMaster's counters", _counters, "clonemaster", PARTS[1])
SET_UP: Final = Section("Set-up and release", _set_up, "", PARTS[2])
FIXED: Final = Section("Fixed placements", _placements)
COMING: Final = Section("Reinforcements", _reinforcements, "", PARTS[3])
VICTORY: Final = Section("Length and victory", _victory, "", PARTS[4])
MOVEMENT: Final = Section("Movement", _turned(PARTS[5]), "", PARTS[5])
DICE: Final = Section("Dice", _turned(PARTS[6]), "", PARTS[6])
HOUSE: Final = Section("House rules", _turned(PARTS[7]), "", PARTS[7])
POSITION: Final = Section("Start position", _start)
SECTIONS: Final = (
    *(ABOUT, THE_MAP, FORCE, COUNTERS, SET_UP, FIXED, COMING, VICTORY, MOVEMENT, DICE, HOUSE, POSITION),
)


def totals(scenario: Scenario) -> list[tuple[range, int]]:
    """Return how many reinforcements come each turn, turns with as many in a row drawn together (6.2)."""
    counts = [
        sum(row.number for row in scenario.reinforcements if turn in turns_of(row, scenario.turns))
        for turn in range(1, scenario.turns + 1)
    ]
    runs: list[tuple[range, int]] = []
    for turn, count in enumerate(counts, 1):
        if runs and runs[-1][1] == count:
            runs[-1] = (range(runs[-1][0].start, turn + 1), count)
        else:
            runs.append((range(turn, turn + 1), count))
    return [run for run in runs if run[1]]


def totals_words(scenario: Scenario) -> str:
    """Return how many reinforcements come each turn, as a text; "" where none do."""
    runs = totals(scenario)
    if not runs:
        return "Nobody comes." if scenario.reinforcements else ""
    said = [
        f"turn {turns.start}: {count}"
        if len(turns) == 1
        else f"turns {turns.start}–{turns[-1]}: {count} each"
        for turns, count in runs
    ]
    everybody = sum(len(turns) * count for turns, count in runs)
    return f"{'; '.join(said).capitalize()}. In all {everybody}."
