"""What the doctor says of a scenario, against games that are really played with the best of luck."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.bots import make_bot
from engine.core.decision import Choice
from engine.core.match import play
from engine.fortress.floorplan import Entry, FloorPlan
from engine.fortress.graph import Walker
from engine.raid import choices
from engine.raid.doctor import Diagnosis, diagnose, examine
from engine.raid.figures import TERMINATOR_NAMES
from engine.raid.match import RaidMatch
from engine.raid.problems import map_problems, problems
from engine.raid.scenario import (
    SHIPPED,
    Escape,
    Placement,
    Points,
    Reinforcement,
    Scenario,
    StartFigure,
    StartPosition,
    load_scenario,
)
from engine.raid.tables import Allowances, HitNumbers
from tests.helpers.designs import random_design
from tests.helpers.plans import drawn, random_plan
from tests.helpers.raid import DREAM, LOTUS, ONE_OF_EACH, C, T, asked, decision, idle, kind, plan

CLONE = StartFigure(name="CloneMaster", place="dead")
ALWAYS = (1,) * 5000
HARMLESS = HitNumbers(fist=(5, 0, 3, 3, 0, 1), kick=(5, 0, 3, 3, 1, 0))
CORRIDOR = plan("A" * 30, entries="West  0,0  2  2  -", equipment="computer 29,0 N")


def raid(board: FloorPlan, *men: StartFigure, **changes: Any) -> Scenario:
    """Return a scenario of Terminators alone in a map, outside unless they are placed."""
    men = men or (StartFigure(name=DREAM, place="off", levels=ONE_OF_EACH),)
    phase = changes.pop("phase", "terminator-move-1")
    doors = changes.pop("doors", ())
    start = StartPosition(figures=(*men, CLONE), phase=phase, doors=doors)
    parts: dict[str, Any] = {"terminators": len(men), "jellies": 0, "servants": 0, "technicians": 0}
    parts |= {"armed_technicians": 0, "turns": 6}
    return Scenario(name="Alone", map=board, start=start, **(parts | changes))


class Runner:
    """Plays the Terminators with dice that always hit, and notes when they are where, and what is struck.

    With a goal he takes the way there; without one he strays.
    """

    def __init__(self, scenario: Scenario, seed: int = 1, goal: tuple[int, int] | None = None) -> None:
        self.random = random.Random(seed)
        self.game = RaidMatch.new(scenario, str(seed), dice=ALWAYS)
        self.board = self.game.board
        self.far: tuple[int, ...] | None = None
        if goal is not None:
            self.far = self.board.distances(Walker(0, 0), -1, self.board.square(*goal))
        self.squares: dict[int, int] = {}
        self.struck: dict[int, int] = {}

    def run(self) -> Runner:
        """Play to the end, or until the goal is reached."""
        for _ in range(3000):
            self._note()
            if self.game.is_over or (self.far is not None and self.far.index(0) in self.squares):
                return self
            if asked(self.game) == C:
                idle(self.game)
            else:
                self.game.submit(T, self._choice())
        raise AssertionError("no end")

    def _note(self) -> None:
        view = self.game.view("public")
        for name in TERMINATOR_NAMES[: self.game.scenario.terminators]:
            square = view.figure(name).square
            if square is not None:
                self.squares.setdefault(self.board.square(*square), view.turn)
        for at, thing in enumerate(view.equipment):
            if thing.is_destroyed:
                self.struck.setdefault(at, view.turn)

    def _choice(self) -> Choice:
        options = decision(self.game, T).options
        match kind(self.game):
            case "terminator-move":
                return self._move(
                    [one for one in options if not isinstance(one, choices.Exit)] or list(options)
                )
            case "choose-counters":
                return choices.ChooseCounters(options.groups[0], ("fist", "kick"))
            case _:
                eager = [one for one in options if not isinstance(one, (choices.Stop, choices.Discard))]
                doors = [one for one in eager if "door" in str(one)]
                return self.random.choice(doors or eager or list(options))

    def _move(self, options: list[Choice]) -> Choice:
        far = self.far
        if far is None:
            return self.random.choice(options)

        def rank(choice: Choice) -> tuple[int, int]:
            if isinstance(choice, choices.Move):
                return 1, far[self.board.square(*choice.path[-1])]
            if isinstance(choice, choices.Enter):
                entry = next(one for one in self.board.entries if one.name == choice.entry)
                return 0, far[entry.square]
            if isinstance(choice, choices.EndPhase):
                return 1, min([far[one] for one in self._stands()], default=1 << 30)
            return 0, 1 << 29

        return min(options, key=lambda one: (rank(one)[1], rank(one)[0]))

    def _stands(self) -> list[int]:
        view = self.game.view("public")
        places = [view.figure(name).square for name in TERMINATOR_NAMES[: self.game.scenario.terminators]]
        return [self.board.square(*place) for place in places if place is not None]


def turn_at(found: Diagnosis, board: FloorPlan, x: int, y: int) -> int | None:
    """Return the turn in which a square is first reached."""
    return found.squares.get(board.square(x, y))


def codes(scenario: Scenario) -> set[tuple[str, str]]:
    """Return the codes and places of a scenario's findings."""
    return {(finding.code, finding.place) for finding in diagnose(scenario)}


# Earliest turns are right


def test_a_corridor_is_walked_five_squares_a_phase() -> None:
    """4.1, 4.3: the first square of an entry costs one, and a turn has two movement phases of five."""
    found = examine(raid(CORRIDOR))
    assert [turn_at(found, CORRIDOR, x, 0) for x in (0, 9, 10, 19, 20, 29)] == [1, 1, 2, 2, 3, 3]
    assert found.rooms[0][:3] == (0, 1, 3)
    assert found.equipment[0].turn == 3
    assert diagnose(raid(CORRIDOR)) == ()


@pytest.mark.parametrize(
    ("phase", "turns"),
    [
        ("terminator-move-1", [1, 1, 2, 2]),
        ("combat-1", [1, 2, 2, 3]),
        ("terminator-move-2", [1, 2, 2, 3]),
        ("clonemaster-move", [2, 2, 3, 3]),
        ("combat-2", [2, 2, 3, 3]),
        ("recovery", [2, 2, 3, 3]),
        ("advance", [2, 2, 3, 3]),
    ],
)
def test_a_start_in_the_midst_of_a_turn_has_fewer_moves(phase: str, turns: list[int]) -> None:
    """3.2: what is left of the first turn counts, and no more."""
    scenario = raid(CORRIDOR, phase=phase)
    found = examine(scenario)
    assert [turn_at(found, CORRIDOR, x, 0) for x in (4, 9, 14, 19)] == turns
    assert Runner(scenario, goal=(14, 0)).run().squares[14] == turns[2]


DOORS = (
    plan("AAABBBCCCDDD", edges="armored 2,0 E; armored 5,0 E; door 8,0 E", entries="In  0,0  1  1  -"),
    plan("AABB AABB", edges="armored 0,0 W; armored 1,1 E", entries="Gate  0,0  1  1  W"),
    plan("AAAB AAAB", edges="dropoff 2,0 E; dropoff 2,1 E", entries="In  0,0  1  1  -"),
    plan("AAAAAAAA", equipment="tank 4,0", entries="In  0,0  1  1  -; Out  7,0  1  1  -"),
    plan(
        "AAAAAAAAAA BBBBBBBBBB",
        edges="armored 9,0 S; door 0,1 W",
        entries="In  0,0  1  1  -; B  0,1  1  1  W",
    ),
)


@pytest.mark.parametrize("board", DOORS, ids=lambda board: board.grid[0])
def test_a_lucky_runner_is_there_in_the_very_turn(board: FloorPlan) -> None:
    """4.3, 4.41, R10: every square is reached in the turn that the doctor says, and no sooner."""
    scenario = raid(board, turns=9)
    found = examine(scenario)
    compiled = RaidMatch.new(scenario, "1").board
    for square in range(compiled.size):
        if compiled.floor >> square & 1 and not compiled.tanks >> square & 1:
            runner = Runner(scenario, goal=compiled.xy(square)).run()
            assert runner.squares.get(square) == found.squares.get(square), compiled.xy(square)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3), st.booleans())
def test_nobody_is_anywhere_before_the_doctor_says(seed: int, men: int, are_inside: bool) -> None:
    """No game on any map, with dice that always hit and nobody in the way, beats the earliest turns."""
    board = _sound(random_plan(seed))
    tanks = {(one.x, one.y) for one in board.equipment if one.kind == "tank"}
    free = [one for one in _floor(board) if one not in tanks]
    names = TERMINATOR_NAMES[:men]
    squares = random.Random(seed).sample(free, min(men, len(free)))
    assume(len(squares) == men)
    figures = [
        StartFigure(name=name, square=square, levels=ONE_OF_EACH)
        if are_inside
        else StartFigure(name=name, place="off", levels=ONE_OF_EACH)
        for name, square in zip(names, squares, strict=True)
    ]
    scenario = raid(board, *figures, turns=4)
    assume(not any(problem.severity == "error" for problem in problems(scenario)))
    found = examine(scenario)
    runner = Runner(scenario, seed).run()
    for square, turn in runner.squares.items():
        assert found.squares[square] <= turn
    for at, turn in runner.struck.items():
        earliest = found.equipment[at].turn
        assert earliest is not None
        assert earliest <= turn


def _sound(board: FloorPlan) -> FloorPlan:
    """Return as much of a random plan as can be played on."""
    rooms = tuple(room for room in board.rooms if room.letter in set().union(*board.grid))
    made = msgspec.structs.replace(board, edges=(), equipment=(), entries=(), no_sight=(), rooms=rooms)
    for field in ("edges", "equipment", "entries"):
        for thing in getattr(board, field):
            if field == "entries":
                thing = msgspec.structs.replace(thing, enter=2)
            more = msgspec.structs.replace(made, **{field: (*getattr(made, field), thing)})
            if not _errors(more) - _errors(made):
                made = more
    if not made.entries:
        tanks = {(one.x, one.y) for one in made.equipment if one.kind == "tank"}
        free = [one for one in _floor(made) if one not in tanks]
        assume(free)
        x, y = free[0]
        made = msgspec.structs.replace(made, entries=(Entry(name="In", x=x, y=y, enter=2, leave=1),))
    lost = {
        rooms[int(problem.place[6:-1])].letter
        for problem in map_problems(made)
        if problem.code == "room-unreachable"
    }
    for letter in sorted(lost):
        x, y = next(one for one in _floor(made) if made.grid[one[1]][one[0]] == letter)
        entry = Entry(name=f"In {letter}", x=x, y=y, enter=1, leave=1)
        more = msgspec.structs.replace(made, entries=(*made.entries, entry))
        made = more if not _errors(more) else made
    return made


def _floor(board: FloorPlan) -> list[tuple[int, int]]:
    return [
        (x, y)
        for y, row in enumerate(board.grid)
        for x, _ in enumerate(row)
        if board.room_at(x, y) is not None
    ]


def _errors(board: FloorPlan) -> set[tuple[str, str]]:
    return {
        (one.code, one.place)
        for one in map_problems(board)
        if one.severity == "error" and one.code not in ("room-unreachable", "no-entry")
    }


# What follows from the numbers


def test_a_room_beyond_the_last_turn_is_told_with_the_turn_it_would_take() -> None:
    """R31: what is too far to be walked to in time, and the equipment there, is told with numbers."""
    far = raid(CORRIDOR, turns=2)
    assert codes(far) == {
        ("equipment-too-far", "map.equipment[0]"),
        ("safe-place", "turns"),
        ("cannot-win", "turns"),
    }
    (piece,) = (one for one in diagnose(far) if one.code == "equipment-too-far")
    assert "in turn 3 at the earliest" in piece.message
    parted = plan("A" * 20 + "B", edges="door 19,0 E", entries="West  0,0  2  2  -")
    assert ("room-too-far", "map.rooms[1]") in codes(raid(parted, turns=2))
    assert codes(raid(parted, turns=3)) == set()


def test_doors_that_hold_shut_everything_behind_them() -> None:
    """5.7: with a door number of 0 nobody ever gets through, and what is behind is never reached."""
    scenario = raid(DOORS[0], hits=HitNumbers(door=0))
    assert ("doors-hold", "hits.door") in codes(scenario)
    (never,) = (one for one in diagnose(scenario) if one.place == "map.rooms[1]")
    assert "ever" in never.message
    assert ("room-too-far", "map.rooms[1]") not in codes(raid(DOORS[0]))
    opened = raid(DOORS[0], hits=HitNumbers(door=0), doors=("door 2,0 E", "door 5,0 E"))
    assert codes(opened) == set()


def test_faster_terminators_are_in_time() -> None:
    """7: the allowance of the scenario counts, not the printed one."""
    assert codes(raid(CORRIDOR, turns=3)) == {("no-escape", "turns")}
    assert codes(raid(CORRIDOR, turns=3, allowances=Allowances(terminator=10))) == set()


def test_more_equipment_than_attacks() -> None:
    """5.4, 5.8: three counters a combat and Terminator are all that can strike."""
    board = plan(
        "AAAAAAA",
        equipment="; ".join(f"computer {x},0 N" for x in range(7)),
        entries="In  0,0  1  1  -",
    )
    assert ("too-much-equipment", "map.equipment") in codes(raid(board, turns=1))
    assert ("too-much-equipment", "map.equipment") not in codes(raid(board, turns=2))


def test_a_mission_done_too_late_to_escape() -> None:
    """6.1, 4.7: with one Terminator the way back counts; a second one may wait at the way out."""
    board = plan("A" * 20, entries="In  0,0  2  2  -", equipment="computer 19,0 N")
    assert ("no-escape", "turns") in codes(raid(board, turns=3))
    assert codes(raid(board, turns=4)) == set()
    two = tuple(StartFigure(name=name, place="off", levels=ONE_OF_EACH) for name in (DREAM, LOTUS))
    assert codes(raid(board, *two, turns=3)) == set()
    assert codes(raid(board, turns=3, points=Points())) == set()
    shut = msgspec.structs.replace(board, entries=(msgspec.structs.replace(board.entries[0], leave=0),))
    assert ("no-escape", "map.entries") in codes(raid(shut))


def test_who_cannot_be_hit_cannot_be_killed() -> None:
    """2.6, R20: with no number for fist and kick against one who does not reply, the CloneMaster lives."""
    (told,) = (one for one in diagnose(Scenario(name="x", hits=HARMLESS)) if one.code == "cannot-hit")
    assert "the Terminators cannot win" in told.message
    assert ("cannot-hit", "hits.fist") not in codes(raid(CORRIDOR, hits=HARMLESS))


def test_who_scores_more_may_win_without_killing_the_clonemaster() -> None:
    """6.3, R31: where points are scored, hit numbers that never hit him do not decide who wins."""
    scored = msgspec.structs.replace(
        load_scenario("tea-house"), points=Points(killed=1, captured=1, total_margin=0), hits=HARMLESS
    )
    (told,) = (one for one in diagnose(scored) if one.severity == "warning")
    assert told.code == "cannot-hit"
    assert "nobody can kill him" in told.message
    assert "win" not in told.message


ROOMS = drawn("AAAABBBB AAAABBBB AAAABBBB AAAABBBB", "door 3,1 E", things="tank 6,0", entries="0,2 W")


def test_one_who_leaves_before_the_mission_is_done_wins_totally_too() -> None:
    """6.1, 6.3: an early escaper and one who does the work are a total victory; nobody else is needed."""
    levels = {"fist": 3, "kick": 3, "mist": 1, "soul": 1, "heart": 1}
    by_tank = StartFigure(name=DREAM, square=(6, 1), original=levels)
    by_way_out = StartFigure(name=LOTUS, square=(0, 2), original=levels)
    target = StartFigure(name="CloneMaster", square=(7, 1))

    def last_move(*men: StartFigure, **changes: Any) -> set[tuple[str, str]]:
        start = StartPosition(phase="terminator-move-2", figures=(*men, target))
        parts: dict[str, Any] = {"terminators": len(men), "jellies": 0, "technicians": 0, "servants": 0}
        return codes(
            Scenario(name="x", map=ROOMS, turns=1, armed_technicians=0, start=start, **parts | changes)
        )

    late = ("no-escape", "turns")
    assert late in last_move(by_tank, by_way_out)
    assert late not in last_move(by_tank, by_way_out, escape=Escape(from_turn=1))
    assert late not in last_move(by_tank, by_way_out, escape=Escape(levels_left=2))
    assert late in last_move(by_tank, escape=Escape(from_turn=1))
    assert late not in last_move(by_tank, StartFigure(name=LOTUS, place="escaped", original=levels))


def test_an_early_escape_is_really_judged_a_total_victory() -> None:
    """6.1, 6.3: in a game, one who left by the turn counts when another does the mission after him."""
    men = (
        StartFigure(name=DREAM, square=(6, 1), levels=ONE_OF_EACH),
        StartFigure(name=LOTUS, square=(0, 2), levels=ONE_OF_EACH),
    )
    scenario = raid(ROOMS, *men, phase="terminator-move-2", turns=1, escape=Escape(from_turn=1))
    assert ("no-escape", "turns") not in codes(scenario)
    game = RaidMatch.new(scenario, "1", dice=ALWAYS)
    for _ in range(50):
        if game.is_over:
            break
        if asked(game) == C:
            idle(game)
            continue
        options = decision(game, T).options
        match kind(game):
            case "terminator-move":
                leaving = [one for one in options if isinstance(one, choices.Exit)]
                game.submit(T, leaving[0] if leaving else choices.EndPhase())
            case "choose-counters":
                game.submit(T, choices.ChooseCounters(options.groups[0], ("fist",)))
            case _:
                game.submit(T, next(one for one in options if not isinstance(one, choices.Stop)))
    outcome = game.view("public").outcome
    assert outcome is not None
    assert (outcome.winner, outcome.level) == (T, "total victory")


def test_a_mission_that_is_done_at_the_start_only_wants_a_way_out() -> None:
    """6.1, 4.7: with nothing left to destroy and nobody left to kill, the first move leads out."""
    done = plan("AAAA", entries="In  0,0  1  1  -")
    inside = StartFigure(name=DREAM, square=(1, 0), levels=ONE_OF_EACH)
    scenario = raid(done, inside, turns=1, phase="terminator-move-2")
    assert diagnose(scenario) == ()
    game = RaidMatch.new(scenario, "1")
    game.submit(T, choices.Move(DREAM, ((0, 0),)))
    game.submit(T, choices.Exit(DREAM))
    while not game.is_over:
        idle(game)
    outcome = game.view("public").outcome
    assert outcome is not None
    assert (outcome.winner, outcome.level) == (T, "total victory")


def test_one_of_a_thing_is_told_in_the_singular() -> None:
    """6.1: one square, one counter and one turn are not told as several."""
    board = plan("AB AB AB", edges="door 0,0 E", entries="In  0,2  1  1  -")
    rooms = (board.rooms[0], msgspec.structs.replace(board.rooms[1], setup="J"))
    few = Scenario(
        name="Few",
        map=msgspec.structs.replace(board, rooms=(msgspec.structs.replace(rooms[0], setup="ST"), rooms[1])),
        room_limit=1, servants=1, technicians=1, armed_technicians=0, jellies=2, turns=1,
    )  # fmt: skip
    told = [one.message for one in diagnose(few)]
    assert 'rooms with the letter "J" have 1 square for 2 Jellies (6.1)' in told
    assert not any(text in line for line in told for text in (" 1 squares", " 1 turns", " 1 Terminators"))


def test_a_way_out_only_is_no_way_in() -> None:
    """4.1, R11: by an entry that lets nobody in no room is reached, and the way out is still one."""
    board = plan("A" * 30, entries="In  0,0  2  0  -; Out  29,0  0  2  -")
    found = examine(raid(board))
    assert turn_at(found, board, 29, 0) == 3
    assert found.findings == ()
    assert Runner(raid(board), goal=(29, 0)).run().squares[29] == 3


@pytest.mark.parametrize("seed", [10114, 10270, 10362, *range(20000, 20250)])
def test_what_the_doctor_calls_impossible_never_happens(seed: int) -> None:
    """6.1, 6.3: what he says cannot be won, or not totally, no game is; missions done at the start too."""
    scenario = random_design(seed)
    said = {one.code: one.message for one in diagnose(scenario)}
    is_lost = any("Terminators cannot win" in message for message in said.values())
    if not is_lost and "no-escape" not in said:
        return
    for bot in ("random", "rulebook"):
        for number in range(3):
            game = RaidMatch.new(scenario, str(number))
            play(game, {side: make_bot(bot, f"{number}-{side}") for side in game.sides})
            outcome = game.view("public").outcome
            assert outcome is not None
            if outcome.winner == T:
                assert not is_lost, said
                assert outcome.level != "total victory", said


def test_letters_with_too_few_squares_are_counted() -> None:
    """6.1a: each letter's counters and squares are told, and which are too many."""
    board = plan("AAAB AAAB", edges="door 2,0 E")
    rooms = (board.rooms[0], msgspec.structs.replace(board.rooms[1], setup="S"))
    board = msgspec.structs.replace(board, rooms=rooms)
    few = Scenario(name="Few", map=board, servants=1, technicians=1, armed_technicians=0, jellies=6)
    found = examine(few)
    assert [(one.letter, one.counters, one.places) for one in found.supplies] == [
        ("S", 1, 6),
        ("T", 1, 5),
        ("J", 6, 5),
    ]
    assert [one.code for one in found.findings if one.place == "map.rooms"] == ["letter-too-small"]
    placed = Placement(kind="jelly", square=(0, 0))
    assert examine(msgspec.structs.replace(few, placements=(placed,))).supplies[2].counters == 5


def test_an_entry_that_saves_nobody_a_step_is_noted() -> None:
    """4.1: an entry beside a better one is worth a note, unless the rates make it needed."""
    board = plan("AAAA", entries="One  0,0  3  1  -; Two  0,0  3  1  -")
    men = tuple(StartFigure(name=name, place="off", levels=ONE_OF_EACH) for name in (DREAM, LOTUS))
    assert codes(raid(board, *men)) == {
        ("entry-needless", "map.entries[0]"),
        ("entry-needless", "map.entries[1]"),
    }
    coming = Reinforcement(from_turn=1, number=1, entry="One")
    assert codes(raid(board, *men, reinforcements=(coming,))) == {("entry-needless", "map.entries[1]")}
    slow = tuple(msgspec.structs.replace(entry, enter=1) for entry in board.entries)
    assert codes(raid(msgspec.structs.replace(board, entries=slow), *men)) == set()


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_scenarios_can_be_won(name: str) -> None:
    """The doctor has nothing to say of what is shipped, not even that its front door is slow (4.11)."""
    assert diagnose(load_scenario(name)) == ()
