"""Scenarios as a designer might draw them: small houses at random, with any switch turned, without errors."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from engine.fortress import EdgeOverride, Entry, Equipment, FloorPlan, RoomInfo
from engine.fortress.board import compile_board
from engine.fortress.floorplan import ROCK, STEP, Side
from engine.fortress.thing_names import door_names, equipment_names
from engine.raid.problems import map_problems, problems
from engine.raid.scenario import (
    Escape,
    HouseRules,
    Placement,
    Points,
    Reinforcement,
    Scenario,
    StartFigure,
    StartPosition,
    figure_names,
    plan_of,
)
from engine.raid.tables import Allowances, HitNumbers
from engine.raid.view import PHASES

LETTERS = "ABCDEFG"
TRIES, TRIES_EACH = 400, 5  # houses drawn, and scenarios made for each


def random_design(seed: int) -> Scenario:
    """Return a small scenario on a map of its own in which nothing is an error."""
    rng = random.Random(f"design {seed}")
    for _ in range(TRIES):
        plan = _random_house(rng)
        if any(problem.severity == "error" for problem in map_problems(plan)):
            continue
        for _ in range(TRIES_EACH):
            scenario = _random_scenario(rng, plan, seed)
            if scenario is not None and not any(one.severity == "error" for one in problems(scenario)):
                return scenario
    raise AssertionError(f"no design for seed {seed}")


def _random_house(rng: random.Random) -> FloorPlan:
    """Return rooms laid over one another, doors where they touch, and things where there is room."""
    width, height = rng.randint(2, 12), rng.randint(1, 10)
    grid = [[ROCK] * width for _ in range(height)]
    for letter in LETTERS[: rng.randint(1, len(LETTERS))]:
        left, top = rng.randrange(width), rng.randrange(height)
        for y in range(top, min(height, top + rng.randint(1, 6))):
            for x in range(left, min(width, left + rng.randint(1, 6))):
                grid[y][x] = letter
    rows = tuple(map("".join, grid))
    letters = sorted({letter for row in rows for letter in row if letter != ROCK})
    floor = [(x, y) for y in range(height) for x in range(width) if grid[y][x] != ROCK]

    def letter_at(x: int, y: int) -> str:
        return grid[y][x] if 0 <= x < width and 0 <= y < height else ROCK

    inner, outer, plain = [], [], []
    for x, y in floor:
        for side, (dx, dy) in STEP.items():
            there = letter_at(x + dx, y + dy)
            if there == ROCK:
                outer.append((x, y, side))
            elif there != grid[y][x]:
                inner.append((x, y, side))
            elif side in ("E", "S"):
                plain.append((x, y, side))
    kinds: list[Any] = ["door", "door", "armored", "dropoff", "open"]
    chance = rng.choice((0.2, 0.4, 0.7))
    edges = [EdgeOverride(x, y, side, rng.choice(kinds)) for x, y, side in inner if rng.random() < chance]
    for x, y, side in plain:
        if rng.random() < 0.06:
            edges.append(EdgeOverride(x, y, side, rng.choice(("wall", "dropoff"))))
    entries = []
    for number in range(rng.randint(1, 3)):
        gate: Side | None = None
        x, y = rng.choice(floor)
        if outer and rng.random() < 0.8:
            x, y, gate = rng.choice(outer)
            if rng.random() < 0.6:
                edges.append(EdgeOverride(x, y, gate, rng.choice(("armored", "door", "open"))))
        rates = (0, 1, 1, 2, 5) if number else (1, 2, 5)
        enter, leave = rng.choice(rates), rng.choice(rates)
        entries.append(Entry(f"Way {number}", x, y, enter or (0 if leave else 1), leave, gate))
    equipment: list[Equipment] = []
    walls = [(x, y, side) for x, y, side in (*inner, *outer)]
    for _ in range(rng.choice((0, 1, 1, 2, 3, 5))):
        if rng.random() < 0.5:
            equipment.append(Equipment("tank", *rng.choice(floor)))
        elif walls:
            x, y, side = rng.choice(walls)
            equipment.append(Equipment("computer", x, y, side))
    names = [f"Room {letter}" for letter in letters]
    return FloorPlan(
        name="House",
        grid=rows,
        rooms=tuple(
            RoomInfo(
                letter,
                name,
                rng.choice(("upper", "lower")),
                rng.choice(("STJ", "STJ", "ST", "TJ", "J", "S", "")),
            )
            for letter, name in zip(letters, names, strict=True)
        ),
        edges=tuple(edges),
        equipment=tuple(equipment),
        entries=tuple(entries),
        no_sight=((names[0], names[-1]),) if len(names) > 1 and rng.random() < 0.3 else (),
    )


def _random_scenario(rng: random.Random, plan: FloorPlan, seed: int) -> Scenario | None:
    """Return forces and switches for a map; None where they contradict one another."""
    floor = [(x, y) for y in range(plan.height) for x in range(plan.width) if plan.room_at(x, y) is not None]
    turns = rng.choice((1, 2, 3, 5, 8))
    few = max(1, len(floor) // 6)
    numbers = rng.sample(range(1, 13), rng.randint(0, min(12, few + 2)))
    jellies = rng.randint(0, len(numbers))
    required = rng.sample(numbers, rng.randint(0, jellies))
    parts: dict[str, Any] = {
        "name": f"Design {seed}",
        "map": plan,
        "turns": turns,
        "terminators": rng.randint(1, 5),
        "levels": rng.randint(5, 15),
        "jellies": jellies,
        "jelly_numbers": tuple(numbers),
        "required_jellies": tuple(required),
        "armed_technicians": rng.randint(0, few),
        "technicians": rng.randint(0, few),
        "servants": rng.randint(0, few),
        "extra_doors": rng.choice((0, 0, 1, 3)),
        "extra_computers": rng.choice((0, 0, 1, 3)),
        "set_up": rng.choice(("player", "player", "random")),
        "room_limit": rng.choice((0, 0, 1, 3)),
        "release": rng.choice(("choice", "choice", "nearest")),
        "escape": Escape(levels_left=rng.choice((0, 0, 3)), from_turn=rng.choice((0, 0, 2))),
        "points": rng.choice((None, Points(), Points(equipment=9, killed=0, captured=5, total_margin=0))),
        "rules": HouseRules(
            corner_sight=rng.choice(("strict", "graze")), may_underpick=rng.choice((True, False))
        ),
        "reinforcements": tuple(
            Reinforcement(
                from_turn=rng.randint(1, turns + 1),
                kind=rng.choice(("lc", "armed_technician", "technician", "servant")),
                number=rng.randint(1, 4),
                entry=rng.choice(plan.entries).name,
            )
            for _ in range(rng.choice((0, 0, 1, 2)))
        ),
    }
    if rng.random() < 0.3:
        names = [name for name in msgspec.structs.asdict(Allowances()) if name != "extra"]
        squares: dict[str, Any] = {name: rng.randint(1, 9) for name in names}
        parts["allowances"] = Allowances(**squares)
    if rng.random() < 0.3:
        rows: dict[str, Any] = {
            name: tuple(rng.randint(0, 6) for _ in range(6)) for name in ("fist", "kick", "weapon")
        }
        rows |= {name: rng.randint(0, 6) for name in ("spikes", "gun", "door", "recovery")}
        parts["hits"] = HitNumbers(**rows)
    try:
        scenario = Scenario(**parts)
    except ValueError:
        return None
    if rng.random() < 0.3:
        kinds = ("terminator", "clonemaster", "armed_technician", "technician", "servant", "jelly")
        places = rng.sample(floor, min(len(floor), rng.randint(1, 3)))
        placements = tuple(Placement(kind=rng.choice(kinds), square=square) for square in places)  # type: ignore[arg-type]
        return msgspec.structs.replace(scenario, placements=placements)
    if rng.random() < 0.3:
        return msgspec.structs.replace(scenario, start=_random_start(rng, scenario, floor))
    return scenario


def _random_start(rng: random.Random, scenario: Scenario, floor: list[tuple[int, int]]) -> StartPosition:
    """Return a position in the middle of a game."""
    levels = {"fist": 2, "kick": 1, "mist": 1, "soul": 1, "heart": 1}
    squares = iter(rng.sample(floor, len(floor)))
    figures = []
    for name in figure_names(scenario):
        square = next(squares, None)
        must = name == "CloneMaster" or not name[-1].isdigit()
        is_terminator = must and name != "CloneMaster"
        if square is None and not must:
            continue
        place = "map" if square is not None and rng.random() < 0.8 else "off" if is_terminator else "dead"
        figures.append(
            StartFigure(
                name=name,
                square=square if place == "map" else None,
                place=place,  # type: ignore[arg-type]
                is_face_up=is_terminator or place != "map" or rng.random() < 0.5,
                original=levels if is_terminator else None,
            )
        )
    rng.shuffle(figures)
    jellies = [one for one in figures if one.name.startswith("J-")][scenario.jellies :]
    board = compile_board(plan_of(scenario), scenario.rules.corner_sight)
    doors, things = door_names(board.plan), equipment_names(board.plan)
    return StartPosition(
        turn=rng.randint(1, scenario.turns),
        phase=rng.choice(PHASES[1:8]),  # type: ignore[arg-type]
        figures=tuple(one for one in figures if one not in jellies),
        doors=tuple(rng.sample(doors, rng.randint(0, len(doors)))),
        equipment=tuple(rng.sample(things, rng.randint(0, len(things)))),
    )
