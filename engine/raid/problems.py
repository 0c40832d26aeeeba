"""What is wrong with a scenario that can be read: its map's faults, and counters that find no square."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, combinations

from engine.core.files import BadFile, shortened
from engine.fortress.board import Board, compile_board
from engine.fortress.floorplan import FloorPlan, format_floorplan, parse_floorplan
from engine.fortress.problems import Problem
from engine.fortress.problems import problems as plan_problems
from engine.raid.scenario import Scenario, is_shipped_plan, plan_of, start_problems

LETTERS = {"S": "Servants", "T": "Technicians", "J": "Jellies"}  # 6.1a


def map_problems(plan: FloorPlan) -> tuple[Problem, ...]:
    """Return the faults of a map that the game is to be played on, errors first (6.1a)."""
    return plan_problems(plan, LETTERS)


def problems(scenario: Scenario) -> tuple[Problem, ...]:
    """Return the faults of a scenario, those of its map first; errors keep a game from being played.

    Raises BadFile where the scenario names a map that is not shipped.
    """
    plan = plan_of(scenario)
    found = [problem._replace(place=_inside(problem.place)) for problem in map_problems(plan)]
    if not any(problem.code == "not-a-map" for problem in found):
        found += _beside_the_map(scenario, plan)
    return tuple(found)


def check_playable(scenario: Scenario, path: str = "") -> None:
    """Refuse a scenario that could break off or never end: raises BadFile with a line for every error."""
    plan = plan_of(scenario)
    # What is shipped is tested to have none, and finding that out again would slow down every start.
    found = [] if is_shipped_plan(plan) else list(_map_errors(format_floorplan(plan)))
    if not any(problem.code == "not-a-map" for problem in found):
        found += _beside_the_map(scenario, plan)
    if found:
        raise BadFile(shortened([f"{problem.place}: {problem.message}" for problem in found]), path)


@lru_cache(maxsize=32)
def _map_errors(raw: bytes) -> tuple[Problem, ...]:
    """Return what keeps the map of a file's bytes from being played; raises BadFile where it is no map."""
    return tuple(
        problem._replace(place=_inside(problem.place))
        for problem in map_problems(parse_floorplan(raw))
        if problem.severity == "error"
    )


def _beside_the_map(scenario: Scenario, plan: FloorPlan) -> list[Problem]:
    """Return what is wrong with the set-up, or with the position to start from."""
    if scenario.start is None:
        return _set_up(scenario, compile_board(plan, scenario.rules.corner_sight))
    lines = (line.split(": ", 1) for line in start_problems(scenario, plan))
    return [Problem("start", "error", place, message) for place, message in lines]


def _inside(place: str) -> str:
    """Return a place of the map's file as one of the scenario's; a square is no part of the path."""
    return f"map.{place}" if place[:1].isalpha() else f"map {place}"


def _set_up(scenario: Scenario, board: Board) -> list[Problem]:
    """Find kinds of counters that have fewer squares than counters, alone or together (6.1)."""
    open_squares = board.floor & ~board.beside_door & ~board.tanks
    counters = {
        "S": scenario.servants,
        "T": scenario.technicians + scenario.armed_technicians,
        "J": scenario.jellies,
    }
    found: list[Problem] = []
    short: list[set[str]] = []
    for letters in chain.from_iterable(combinations(LETTERS, size) for size in (1, 2, 3)):
        squares = _squares_for(board, letters) & open_squares
        wanted = sum(counters[letter] for letter in letters)
        # Kinds that are short of squares by themselves are not told again together with others.
        if squares.bit_count() < wanted and not any(kinds <= set(letters) for kinds in short):
            short.append(set(letters))
            names = " and ".join(LETTERS[letter] for letter in letters)
            message = f"{squares.bit_count()} squares for {wanted} {names} to be set up (6.1)"
            found.append(Problem("no-room", "error", "map.rooms", message))
    total = sum(counters.values()) + 1
    if open_squares.bit_count() < total and not short:
        message = f"{open_squares.bit_count()} squares for {total} counters to be set up (6.1)"
        found.append(Problem("no-room", "error", "map.rooms", message))
    return found


def _squares_for(board: Board, letters: tuple[str, ...]) -> int:
    """Return the squares of rooms with any of some letters."""
    mask = 0
    for letter in letters:
        mask |= board.setup_mask(letter)
    return mask
