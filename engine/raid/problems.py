"""What is wrong with a scenario that can be read: its map's faults, and counters that find no square."""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from itertools import chain, combinations

import msgspec

from engine.core.files import BadFile, Part, decode, shortened, unknown_fields
from engine.fortress.board import Board, compile_board
from engine.fortress.floorplan import FloorPlan, format_floorplan, parse_floorplan
from engine.fortress.masks import mask_of
from engine.fortress.problems import Problem, Shortage, meant
from engine.fortress.problems import problems as plan_problems
from engine.fortress.thing_names import equipment_names
from engine.raid import rooms
from engine.raid.figures import ABILITIES, TERMINATOR_NAMES
from engine.raid.scenario import (
    KIND,
    VERSION,
    Scenario,
    force,
    format_scenario,
    is_shipped_plan,
    plan_of,
    start_levels,
    start_problems,
)
from engine.raid.tables import LEVEL_CAP

_ONE = {"S": "Servant", "T": "Technician", "J": "Jelly"}


def counters_of(letters: str, number: int) -> str:
    """Return a number of counters in words, by the letters of the kinds that they are of (6.1a)."""
    if number == 1 and len(letters) == 1:
        return f"1 {_ONE[letters]}"
    return f"{number} {' and '.join(rooms.SETUP_LETTERS[letter] for letter in letters)}"


def map_problems(plan: FloorPlan) -> tuple[Problem, ...]:
    """Return the faults of a map that the game is to be played on, errors first (6.1a)."""
    return plan_problems(plan, rooms.SETUP_LETTERS) + _rooms_without_letter(plan)


def _rooms_without_letter(plan: FloorPlan) -> tuple[Problem, ...]:
    """Find rooms in which nobody may be set up, loos and rooms without squares excepted (6.1a, 4.12)."""
    drawn = set().union(*plan.grid)
    return tuple(
        Problem(
            "room-without-letter",
            "warning",
            f"rooms[{at}]",
            f"{room.name} has no letter: nobody is set up there (6.1)",
        )
        for at, room in enumerate(plan.rooms)
        if not room.setup and room.letter in drawn and not rooms.is_loo_name(room.name)
    )


def problems(scenario: Scenario) -> tuple[Problem, ...]:
    """Return the faults of a scenario, those of its map first; errors keep a game from being played.

    Raises BadFile where the scenario names a map that is not shipped.
    """
    plan = plan_of(scenario)
    found = [problem._replace(place=_inside(problem.place)) for problem in map_problems(plan)]
    if not any(problem.code == "not-a-map" for problem in found):
        found += _beside_the_map(scenario, plan)
    return tuple(found + unknown_problems(scenario))


def unknown_problems(part: Part) -> list[Problem]:
    """Return a warning for each key of a file that nobody here knows: it is kept, and does nothing."""
    return [
        Problem("unknown", "warning", place, f"an unknown field{f'; is {meant} meant?' if meant else ''}")
        for place, meant in unknown_fields(part)
    ]


def errors(scenario: Scenario) -> list[str]:
    """Return what keeps a scenario from being played, a line each with its place in the file.

    Raises BadFile where it names a map that is not shipped.
    """
    plan = plan_of(scenario)
    # What is shipped is tested to have none, and finding that out again would slow down every start.
    found = [] if is_shipped_plan(plan) else list(_map_errors(format_floorplan(plan)))
    if not any(problem.code == "not-a-map" for problem in found):
        found += _beside_the_map(scenario, plan)
    return [f"{one.place}: {one.message}" for one in found if one.severity == "error"]


def check_playable(scenario: Scenario, path: str = "") -> None:
    """Refuse a scenario that could break off or never end: raises BadFile with a line for every error."""
    found = errors(scenario)
    if found:
        raise BadFile(shortened(found), path)


@lru_cache(maxsize=32)
def _map_errors(raw: bytes) -> tuple[Problem, ...]:
    """Return what keeps the map of a file's bytes from being played; raises BadFile where it is no map."""
    return tuple(
        problem._replace(place=_inside(problem.place))
        for problem in map_problems(parse_floorplan(raw))
        if problem.severity == "error"
    )


def _beside_the_map(scenario: Scenario, plan: FloorPlan) -> list[Problem]:
    """Return what is wrong with the set-up, or with the position to start from, and with the aims."""
    found = _unreadable(scenario)
    if found:
        return found
    board = compile_board(plan, scenario.rules.corner_sight)
    found = _coming(scenario, board)
    if scenario.start is not None:
        lines = (line.split(": ", 1) for line in start_problems(scenario, plan))
        found += [Problem("start", "error", place, message) for place, message in lines]
        found += _above_cap(scenario) + _over_at_once(scenario, board) + _idle(scenario)
    else:
        placed = _placed(scenario, board)
        found += placed + _extras(scenario, board)
        # Which squares are left is known only where every placement can be.
        if not any(one.severity == "error" for one in placed):
            found += set_up_problems(scenario, board)
        found += _lone_letters(scenario, board) + _releases(scenario)
    return found + _aims(scenario, board) + _escapes(scenario, board)


def _unreadable(scenario: Scenario) -> list[Problem]:
    """Return what would keep a scenario from being read again once it is saved: values beyond their limits.

    Its map is checked by itself.
    """
    try:
        decode(format_scenario(msgspec.structs.replace(scenario, map="")), Scenario, KIND, VERSION)
    except BadFile as error:
        lines = (line.split(": ", 1) for line in error.problems)
        return [Problem("not-a-scenario", "error", place, message) for place, message in lines]
    return []


def _coming(scenario: Scenario, board: Board) -> list[Problem]:
    """Find reinforcements that cannot come (6.2)."""
    found: list[Problem] = []
    names = [entry.name for entry in board.entries]
    for at, row in enumerate(scenario.reinforcements):
        place = f"reinforcements[{at}]"
        if row.entry not in names:
            message = f"{_quoted(row.entry)} is no entry of the map{meant(row.entry, names)} (6.2)"
            found.append(Problem("no-entry", "error", f"{place}.entry", message))
        if row.to_turn is not None and row.to_turn < row.from_turn:
            message = f"{row.to_turn} is before from_turn {row.from_turn}"
            found.append(Problem("never", "error", f"{place}.to_turn", message))
        elif row.from_turn > scenario.turns:
            message = f"nobody comes: the game ends with turn {scenario.turns} (6.2)"
            found.append(Problem("never", "warning", f"{place}.from_turn", message))
    return found


def _over_at_once(scenario: Scenario, board: Board) -> list[Problem]:
    """Find a start position in which nothing is left to be done (R31, 6.1)."""
    start = scenario.start
    if start is None:
        return []
    found: list[Problem] = []
    alive = [one for one in start.figures if one.place not in ("dead", "escaped")]
    if not any(one.name in TERMINATOR_NAMES for one in alive):
        message = "no Terminator is left: the game ends as it begins (R31)"
        found.append(Problem("over-at-once", "warning", "start.figures", message))
    is_wrecked = set(equipment_names(board.plan)) <= set(start.equipment)
    if is_wrecked and not any(one.name == "CloneMaster" for one in alive):
        message = "the CloneMaster is dead and all equipment destroyed before the game begins (6.1)"
        found.append(Problem("done-at-once", "warning", "start.figures", message))
    return found


def _above_cap(scenario: Scenario) -> list[Problem]:
    """Find Terminators who start with more levels of a skill than the record sheet has boxes for (R30)."""
    start = scenario.start
    if start is None:
        return []
    return [
        Problem(
            "above-cap",
            "warning",
            f"start.figures[{at}].{'levels' if figure.original is None else 'original'}.{word}",
            f"{figure.name} starts with {most}, and no skill above {LEVEL_CAP} (2.4, R30)",
        )
        for at, figure in enumerate(start.figures)
        if figure.name in TERMINATOR_NAMES
        for word, most in zip(ABILITIES, start_levels(figure)[0], strict=True)
        if most > LEVEL_CAP
    ]


def _idle(scenario: Scenario) -> list[Problem]:
    """Find what is said of a set-up that a start position does away with (6.1, 7.4)."""
    plain = Scenario(name="")
    return [
        Problem("start-excludes", "warning", field, "does nothing: a start position leaves no set-up (6.1)")
        for field in ("placements", "set_up", "room_limit", "extra_doors", "extra_computers")
        if getattr(scenario, field) != getattr(plain, field)
    ]


def _lone_letters(scenario: Scenario, board: Board) -> list[Problem]:
    """Find letters on the map for counters that the force does not have (6.1a)."""
    forces = {
        "S": ("servants", scenario.servants),
        "T": ("technicians", scenario.technicians + scenario.armed_technicians),
        "J": ("jellies", scenario.jellies),
    }
    if not any(number for _, number in forces.values()):
        message = "the CloneMaster has no counters but himself (6.1)"
        return [Problem("no-guards", "warning", "servants", message)]
    if scenario.set_up == "random":
        return []
    return [
        Problem(
            "letter-of-nobody",
            "warning",
            field,
            f'rooms have the letter "{letter}", but the force has no {rooms.SETUP_LETTERS[letter]} (6.1)',
        )
        for letter, (field, number) in forces.items()
        if not number and any(letter in room.setup for room in board.rooms)
    ]


def _releases(scenario: Scenario) -> list[Problem]:
    """Find a release by choice of counters that nobody knows (R34)."""
    if scenario.set_up == "random" and scenario.release == "choice":
        message = "nobody knows the counters dealt at random, so none is released by choice (R34)"
        return [Problem("rules-exclude", "warning", "release", message)]
    return []


def _aims(scenario: Scenario, board: Board) -> list[Problem]:
    """Find a side that cannot win, whatever happens (6.1, 6.3)."""
    found: list[Problem] = []
    pieces = len(board.equipment) + scenario.extra_computers
    if not pieces:
        message = "no vital equipment: to kill the CloneMaster is the whole mission (2.1, 6.1)"
        found.append(Problem("no-equipment", "warning", "map.equipment", message))
    values = scenario.points
    if values is None:
        return found
    most = (
        values.start
        + values.clonemaster
        + values.equipment * pieces
        + values.everything
        + values.jelly * scenario.jellies
    )
    lost = max(values.killed, values.captured) * scenario.terminators
    if not most:
        message = "the Terminators score nothing, whatever they do (6.3)"
        found.append(Problem("cannot-win", "warning", "points", message))
    if lost <= values.start:
        message = (
            f"the CloneMaster scores {lost} at most, and the Terminators start with {values.start} (6.3)"
        )
        found.append(Problem("cannot-win", "warning", "points", message))
    if max(most, lost - values.start) <= values.total_margin:
        message = f"nobody can be ahead by more than {values.total_margin}: no victory is total (6.3)"
        found.append(Problem("never-total", "warning", "points.total_margin", message))
    return found


def _escapes(scenario: Scenario, board: Board) -> list[Problem]:
    """Find conditions of escape that are met at once, or never (4.7, 6.3)."""
    found: list[Problem] = []
    escape = scenario.escape
    if board.entries and not any(entry.leave for entry in board.entries):
        message = "nobody can leave: no entry lets anybody out (4.7, R11)"
        found.append(Problem("no-way-out", "warning", "map.entries", message))
    if escape.from_turn > scenario.turns:
        message = f"nobody may leave for it: the game ends with turn {scenario.turns} (6.3)"
        found.append(Problem("never", "warning", "escape.from_turn", message))
    if scenario.start is None and escape.levels_left >= scenario.levels:
        message = f"a Terminator starts with {scenario.levels} levels and may leave at once (6.3)"
        found.append(Problem("at-once", "warning", "escape.levels_left", message))
    return found


def _quoted(text: str) -> str:
    """Return a text of a file short and on one line."""
    return json.dumps(text[:80], ensure_ascii=False)


def _placed(scenario: Scenario, board: Board) -> list[Problem]:
    """Find figures of fixed placements that are too many, or on no square of their own (6.3)."""
    found: list[Problem] = []
    most = force(scenario)
    taken: set[int] = set()
    for at, placement in enumerate(scenario.placements):
        place = f"placements[{at}]"
        x, y = placement.square
        square = board.square(x, y)
        if square < 0 or not board.floor >> square & 1:
            found.append(Problem("off-map", "error", f"{place}.square", f"{x},{y} is no square of the map"))
        elif board.tanks >> square & 1:
            message = f"a clone growth tank fills {x},{y} (4.5)"
            found.append(Problem("on-tank", "error", f"{place}.square", message))
        elif square in taken:
            message = f"another figure starts at {x},{y} (4.6)"
            found.append(Problem("taken", "error", f"{place}.square", message))
        elif board.beside_door >> square & 1 and placement.kind != "terminator":
            message = f"{x},{y} is next to a door, where nobody is set up (6.3, R5)"
            found.append(Problem("in-doorway", "warning", f"{place}.square", message))
        taken.add(square)
        most[placement.kind] -= 1
        if most[placement.kind] == -1:
            message = f"there are not so many figures of this kind ({placement.kind})"
            found.append(Problem("too-many", "error", f"{place}.kind", message))
    return found


def _extras(scenario: Scenario, board: Board) -> list[Problem]:
    """Find additions for which the map has no place (7.4, R35)."""
    found: list[Problem] = []
    doors = sum(1 for _ in rooms.common_doors(board)) if scenario.extra_doors else 0
    if scenario.extra_doors > doors:
        message = f"the map has {_counted(doors, 'common door')} whose place an armored one can take (R35)"
        shortage = Shortage(doors, scenario.extra_doors)
        found.append(Problem("no-room", "warning", "extra_doors", message, shortage))
    walls = sum(1 for _ in rooms.free_walls(board)) if scenario.extra_computers else 0
    if scenario.extra_computers > walls:
        message = f"the map has {_counted(walls, 'wall')} that a computer can stand along (R35)"
        shortage = Shortage(walls, scenario.extra_computers)
        found.append(Problem("no-room", "warning", "extra_computers", message, shortage))
    return found


def _inside(place: str) -> str:
    """Return a place of the map's file as one of the scenario's; a square is no part of the path."""
    return f"map.{place}" if place[:1].isalpha() else f"map {place}"


def set_up_problems(scenario: Scenario, board: Board) -> list[Problem]:
    """Find counters that have fewer places than they are, by kinds alone or together (6.1, 6.3, R34)."""
    placed = Counter(placement.kind for placement in scenario.placements)
    counters = {
        "S": scenario.servants - placed["servant"],
        "T": scenario.technicians
        + scenario.armed_technicians
        - placed["technician"]
        - placed["armed_technician"],
        "J": scenario.jellies - placed["jelly"],
    }
    total = sum(counters.values()) + 1 - placed["clonemaster"]
    room_for = room_places(scenario, board)
    found: list[Problem] = []
    if scenario.set_up == "random":
        places = sum(room_for[room] for room in range(len(board.rooms)) if not rooms.is_loo(board, room))
        return _too_few(places, total, f"{_counted(total, 'counter')} to be dealt (6.3)")
    short: list[set[str]] = []
    for letters in chain.from_iterable(combinations(rooms.SETUP_LETTERS, size) for size in (1, 2, 3)):
        places = sum(
            room_for[at] for at, room in enumerate(board.rooms) if any(one in room.setup for one in letters)
        )
        wanted = sum(counters[letter] for letter in letters)
        # Kinds that are short of places by themselves are not told again together with others.
        if places < wanted and not any(kinds <= set(letters) for kinds in short):
            short.append(set(letters))
            kinds_of = "".join(letters)
            found += _too_few(places, wanted, f"{counters_of(kinds_of, wanted)} to be set up (6.1)", kinds_of)
    return found or _too_few(sum(room_for), total, f"{_counted(total, 'counter')} to be set up (6.1)")


def room_places(scenario: Scenario, board: Board) -> list[int]:
    """Return how many counters each room can still take beside those of fixed placements."""
    squares = rooms.set_up_squares(board)
    starts = [(one.kind, board.square(*one.square)) for one in scenario.placements]
    taken = mask_of(square for _, square in starts)
    held = Counter(board.room_of[square] for kind, square in starts if kind != "terminator")
    return [
        rooms.room_for(squares & mask, taken, held[room], scenario.room_limit)
        for room, mask in enumerate(board.room_mask)
    ]


def _too_few(places: int, wanted: int, whom: str, letters: str = "") -> list[Problem]:
    if places >= wanted:
        return []
    message = f"{_counted(places, 'square')} for {whom}"
    return [Problem("no-room", "error", "map.rooms", message, Shortage(places, wanted, letters))]


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
