"""What a scenario's numbers make of it: how soon rooms are reached and equipment struck, and whether in time.

Everything here is the best that could happen to the Terminators, so that nothing is called too late that a
lucky player, or one whose opponent helps, could do in time. A Terminator walks all his points in both
movement phases of every turn, meets nobody, pays for no drop-off (4.42) and comes in by whichever way in
suits him, whatever its rate (R11). Every armored door beside a square where he could stand falls in the
next combat, if doors can be hit at all (5.7). A piece of equipment is struck in the first combat for which
somebody can stand where, all doors gone, it can be struck from (R25). Whoever is struck down and wakes on
another's square is put beside it (R14); that is no walking, and is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from engine.fortress.board import Board, compile_board
from engine.fortress.ground import Edges, Ground
from engine.fortress.masks import bits, mask_of
from engine.fortress.thing_names import door_names, equipment_names
from engine.raid.figures import TERMINATOR_NAMES
from engine.raid.problems import counters_of, room_places
from engine.raid.scenario import Scenario, plan_of
from engine.raid.tables import INACTIVE, TERMINATOR_COUNTERS

_MOVES_LEFT: Final = {"terminator-move-1": 2, "combat-1": 1, "terminator-move-2": 1}
"""Movement phases of the Terminators still to come in a turn, by the phase at which a game starts (3.2)."""
_STARTS_WITH_COMBAT: Final = ("combat-1", "clonemaster-move", "combat-2")
"""Phases to start at with a combat before the Terminators move."""


class Finding(NamedTuple):
    """Something about a scenario as a whole: `note` is worth knowing, `warning` probably not meant.

    `place` is a part of the scenario's file, as problems name it.
    """

    code: str
    severity: Literal["warning", "note"]
    place: str
    message: str


class RoomTimes(NamedTuple):
    """The turns in which a Terminator is first in a room, and can first have been in every square of it.

    None stands for never; `squares` counts those of its squares where one can stand at all.
    """

    room: int
    first: int | None
    whole: int | None
    squares: int


class EquipmentTime(NamedTuple):
    """The turn in which a piece of equipment can first be struck; None for never, 0 for destroyed already."""

    equipment: int
    turn: int | None


class Supply(NamedTuple):
    """How many counters of a letter there are, and how many the rooms with it can take (6.1a)."""

    letter: str
    counters: int
    places: int


class Diagnosis(NamedTuple):
    """A scenario's numbers and what follows from them.

    `squares` has the turn in which a Terminator can first be on a square, by its number; a square that
    is never walked to is missing. Turns may lie after the last one: that is what they would take.
    """

    last_turn: int
    squares: Mapping[int, int]
    rooms: tuple[RoomTimes, ...]
    equipment: tuple[EquipmentTime, ...]
    supplies: tuple[Supply, ...]
    findings: tuple[Finding, ...]


def diagnose(scenario: Scenario) -> tuple[Finding, ...]:
    """Return what a scenario's numbers say against it, warnings first (see the module).

    Raises BadFile where it names a map that is not shipped, ValueError where its map is none.
    """
    return examine(scenario).findings


def examine(scenario: Scenario) -> Diagnosis:
    """Return how soon everything can be reached in a scenario, and what follows from it.

    Raises BadFile where it names a map that is not shipped, ValueError where its map is none.
    """
    board = compile_board(plan_of(scenario), scenario.rules.corner_sight)
    raid = _Raid(scenario, board)
    course = raid.course(board.ways_in)
    squares = {square: raid.turn(move) for square, move in course.squares.items()}
    supplies = _supplies(scenario, board) if scenario.start is None else ()
    findings = [
        *_too_far(raid, course),
        *_untouched(raid, course),
        *_too_many(raid, course),
        *_unbeatable(raid),
        *_no_escape(raid, course),
        *_short(supplies),
        *_needless_entries(raid, course),
    ]
    return Diagnosis(
        scenario.turns,
        squares,
        tuple(_room_times(raid, squares)),
        tuple(
            EquipmentTime(at, 0 if at in raid.wrecked else _turn_or_never(raid, course.equipment.get(at)))
            for at in range(len(board.equipment))
        ),
        supplies,
        tuple(sorted(findings, key=lambda finding: finding.severity == "note")),
    )


class _Course(NamedTuple):
    """In which movement phase, 0 before the first, squares are reached and equipment can be struck after."""

    squares: dict[int, int]
    equipment: dict[int, int]

    def within(self, move: int) -> int:
        """Return the squares reached by the end of a movement phase."""
        return mask_of(square for square, reached in self.squares.items() if reached <= move)


class _Raid:
    """The Terminators of a scenario at its start, and how they get about."""

    def __init__(self, scenario: Scenario, board: Board) -> None:
        self.scenario = scenario
        self.board = board
        self.ground = ground = Ground(board.plan)
        self.points = scenario.allowances.terminator
        self.standing = ground.floor & ~ground.tanks
        self.open = ground.edges(("open", "door", "dropoff"))
        start = scenario.start
        self.first_turn = start.turn if start is not None else 1
        phase = start.phase if start is not None else "terminator-move-1"
        self.moves_at_first = _MOVES_LEFT.get(phase, 0)
        self.has_combat_first = phase in _STARTS_WITH_COMBAT
        self.doors = 0
        self.wrecked: frozenset[int] = frozenset()
        self.stations: frozenset[int] = frozenset()
        if start is not None:
            men = [one for one in start.figures if one.name in TERMINATOR_NAMES]
            men = [one for one in men if one.place not in ("dead", "escaped")]
            inside = [board.square(*one.square) for one in men if one.square is not None]
            self.number = len(men)
            self.has_escaped = any(one.place == "escaped" for one in start.figures)
            clonemaster = next((one for one in start.figures if one.name == "CloneMaster"), None)
            self.is_clonemaster_dead = clonemaster is not None and clonemaster.place == "dead"
            self.are_outside = any(one.square is None for one in men)
            if any(one.place == "station" for one in men):
                self.stations = frozenset(at for at, entry in enumerate(board.entries) if entry.door >= 0)
            self.doors = mask_of(at for at, name in enumerate(door_names(board.plan)) if name in start.doors)
            known = equipment_names(board.plan)
            self.wrecked = frozenset(at for at, name in enumerate(known) if name in start.equipment)
        else:
            inside = [board.square(*one.square) for one in scenario.placements if one.kind == "terminator"]
            self.number = scenario.terminators
            self.has_escaped = self.is_clonemaster_dead = False
            self.are_outside = len(inside) < scenario.terminators
        self.inside = mask_of(square for square in inside if square >= 0) & self.standing
        self.last_move = self.moves_at_first + 2 * max(0, scenario.turns - self.first_turn)

    def turn(self, move: int) -> int:
        """Return the turn of a movement phase, and of the combat after it."""
        later = move - self.moves_at_first
        return self.first_turn if later <= 0 else self.first_turn + (later + 1) // 2

    def is_in_time(self, move: int | None) -> bool:
        """Return whether a movement phase comes before the end of the game."""
        return move is not None and move <= self.last_move

    def course(self, entries: Sequence[int]) -> _Course:
        """Return when everything is reached by some of the entries, however long it takes."""
        board = self.board
        doors, crossed = self.doors, self.across(self.doors)
        reached = self.inside
        found = _Course(dict.fromkeys(bits(reached), 0), {})
        stations = self.stations & frozenset(entries)
        targets = {
            at: board.tank_reach(at, -1) for at in range(len(board.equipment)) if at not in self.wrecked
        }
        move = 0
        while True:
            if move or self.has_combat_first:
                for at in [at for at, place in targets.items() if place & reached]:
                    found.equipment[at] = move
                    del targets[at]
                fallen = self.fallen(reached, stations) & ~doors
                doors |= fallen
                if fallen:
                    crossed = self.across(doors)
            else:
                fallen = 0
            move += 1
            area = self.walked(reached, self.points, crossed)
            can_come = stations
            if self.are_outside:
                for at in entries:
                    entry = board.entries[at]
                    if entry.door < 0 or (at in can_come and doors >> entry.door & 1):
                        area |= self.walked(1 << entry.square, self.points - 1, crossed)
                    elif at not in stations:
                        stations = stations | {at}
            new = area & ~reached
            if not (new or fallen or stations != can_come) and move > 1:
                return found
            found.squares.update(dict.fromkeys(bits(new), move))
            reached |= new

    def walked(self, squares: int, points: int, edges: Edges) -> int:
        """Return the squares that can be walked to from some, themselves included."""
        reached = frontier = squares & self.standing
        for _ in range(points):
            frontier = self.ground.spread(frontier, edges) & self.standing & ~reached
            if not frontier:
                break
            reached |= frontier
        return reached

    def fallen(self, reached: int, stations: frozenset[int]) -> int:
        """Return the armored doors that those on some squares, and outside some entries, can bring down."""
        if not self.scenario.hits.door:
            return 0
        board = self.board
        found = 0
        for at, door in enumerate(board.armored):
            beside = 1 << door.a | (1 << door.b if door.b is not None else 0)
            if beside & reached or any(board.entries[entry].door == at for entry in stations):
                found |= 1 << at
        return found

    def across(self, doors: int) -> Edges:
        """Return the edges that Terminators cross with some armored doors destroyed."""
        east, south = self.open
        every = self.ground.passable
        for at, door in enumerate(self.board.armored):
            if doors >> at & 1:
                bit = 1 << door.a
                if door.side == "E":
                    east |= bit & every.east
                elif door.side == "S":
                    south |= bit & every.south
        return Edges(east, south)


def _turn_or_never(raid: _Raid, move: int | None) -> int | None:
    return None if move is None else raid.turn(move)


def _room_times(raid: _Raid, squares: Mapping[int, int]) -> list[RoomTimes]:
    found = []
    for at, mask in enumerate(raid.board.room_mask):
        standing = bits(mask & raid.standing)
        turns = [squares[square] for square in standing if square in squares]
        whole = max(turns) if turns and len(turns) == len(standing) else None
        found.append(RoomTimes(at, min(turns, default=None), whole, len(standing)))
    return found


def _when(raid: _Raid, move: int) -> str:
    """Return when a thing that comes too late would come."""
    return f"in turn {raid.turn(move)} at the earliest"


def _too_far(raid: _Raid, course: _Course) -> list[Finding]:
    """Find rooms and equipment that no Terminator walks to before the game ends (4.3, R31)."""
    found = []
    last = raid.scenario.turns
    for at, mask in enumerate(raid.board.room_mask):
        squares = bits(mask & raid.standing)
        move = min((course.squares[one] for one in squares if one in course.squares), default=None)
        if squares and not raid.is_in_time(move):
            name = raid.board.rooms[at].name
            message = f"no Terminator ever walks into {name} (4.3)"
            if move is not None:
                message = (
                    f"{name}: a Terminator is there {_when(raid, move)}, and turn {last} is the last (4.3)"
                )
            found.append(Finding("room-too-far", "warning", f"map.rooms[{at}]", message))
    names = equipment_names(raid.board.plan)
    for at, name in enumerate(names):
        move = course.equipment.get(at)
        if at not in raid.wrecked and not raid.is_in_time(move):
            message = f"the {name} can never be struck (5.8, R25)"
            if move is not None:
                message = f"the {name} can be struck {_when(raid, move)}, and turn {last} is the last (5.8)"
            found.append(Finding("equipment-too-far", "warning", f"map.equipment[{at}]", message))
    return found


def _untouched(raid: _Raid, course: _Course) -> list[Finding]:
    """Find squares where nobody can strike the CloneMaster before the game ends (5.1, 6.1)."""
    board = raid.board
    reached = course.within(raid.last_move)
    safe = [one for one in bits(raid.standing & ~reached) if not board.hand(one, -1) & reached]
    if not safe or not reached:
        return []
    names = [board.rooms[at].name for at in sorted({board.room_of[one] for one in safe})]
    where = ", ".join(names[:3]) + (f" and {len(names) - 3} more rooms" if len(names) > 3 else "")
    squares = "1 square" if len(safe) == 1 else f"{len(safe)} squares"
    message = f"on {squares} ({where}) no Terminator can strike the CloneMaster in time (5.1)"
    return [Finding("safe-place", "warning", "turns", message)]


def _too_many(raid: _Raid, course: _Course) -> list[Finding]:
    """Find more equipment than the Terminators have attacks for from when it can be struck on (5.4, 5.8)."""
    moves = sorted((move for move in course.equipment.values() if move <= raid.last_move), reverse=True)
    for number, move in enumerate(moves, 1):
        combats = raid.last_move - move + 1
        most = raid.number * TERMINATOR_COUNTERS * combats
        if number > most:
            message = (
                f"{_count(number, 'piece')} of equipment can be struck from turn {raid.turn(move)} on, and "
                f"{_count(raid.number, 'Terminator')} can strike {most} times at most until the end "
                "(5.4, 5.8)"
            )
            return [Finding("too-much-equipment", "warning", "map.equipment", message)]
    return []


def _unbeatable(raid: _Raid) -> list[Finding]:
    """Find hit numbers with which nobody can be killed, or no door broken (2.6, 5.7)."""
    hits = raid.scenario.hits
    found = []
    if not hits.fist[INACTIVE] and not hits.kick[INACTIVE] and not raid.is_clonemaster_dead:
        # Where points are scored, who cannot kill him may still be ahead (6.3).
        follows = "the Terminators cannot win" if raid.scenario.points is None else "nobody can kill him"
        message = f"no fist or kick can hit the CloneMaster: {follows} (2.6, R20)"
        found.append(Finding("cannot-hit", "warning", "hits.fist", message))
    if not hits.door and len(raid.board.armored) > raid.doors.bit_count():
        message = "no armored door can be destroyed (5.7)"
        found.append(Finding("doors-hold", "note", "hits.door", message))
    return found


def _no_escape(raid: _Raid, course: _Course) -> list[Finding]:
    """Find a mission that cannot be done and escaped from in time, so that none wins totally (6.1, 4.7)."""
    board = raid.board
    if raid.scenario.points is not None or not raid.number:
        return []
    moves = [course.equipment.get(at) for at in range(len(board.equipment)) if at not in raid.wrecked]
    if any(not raid.is_in_time(move) for move in moves):
        message = "not all vital equipment can be destroyed in time: the Terminators cannot win (6.1)"
        return [Finding("cannot-win", "warning", "turns", message)]
    if raid.has_escaped:
        return []
    done = max([move for move in moves if move is not None], default=0)
    if not raid.is_clonemaster_dead:
        done = max(done, 0 if raid.has_combat_first else 1)
    exits = mask_of(entry.square for entry in board.entries if entry.leave) & mask_of(course.squares)
    if not exits:
        return [Finding("no-escape", "warning", "map.entries", "no Terminator can leave the map (4.7)")]
    out = min(course.squares[square] for square in bits(exits))
    if raid.number > 1 and _may_leave_early(raid, out):
        return []
    left = max(done + 1, out)
    if raid.number == 1 and moves:
        left = max(left, done + _moves_to(raid, exits))
    if raid.is_in_time(left):
        return []
    turns = _count(raid.scenario.turns, "turn")
    message = (
        f"the mission is done in turn {raid.turn(done)} at the earliest, and nobody gets out before turn "
        f"{raid.turn(left)}: no total victory in {turns} (6.1, 4.7)"
    )
    if raid.turn(left) <= raid.scenario.turns:
        message = "the mission is done in the last combat at the earliest, and nobody gets out (6.1, 4.7)"
    return [Finding("no-escape", "warning", "turns", message)]


def _may_leave_early(raid: _Raid, out: int) -> bool:
    """Return whether one can leave in time while others still do the mission, which wins totally too (6.3).

    `out` is the movement phase in which a way out is first reached.
    """
    escape = raid.scenario.escape
    # He may have lost as many levels as it takes by then, but moves only while he has one.
    can_be_weak = escape.levels_left > 0
    can_be_late = 0 < escape.from_turn <= raid.turn(raid.last_move)
    return (can_be_weak or can_be_late) and max(1, out) <= raid.last_move


def _moves_to(raid: _Raid, exits: int) -> int:
    """Return the movement phases from the piece of equipment nearest to a way out, the step out included."""
    board = raid.board
    targets = 0
    for at in range(len(board.equipment)):
        if at not in raid.wrecked:
            targets |= board.tank_reach(at, -1)
    reached, steps = exits, 0
    while not reached & targets:
        wider = raid.walked(reached, 1, raid.ground.passable)
        if wider == reached:
            break
        reached, steps = wider, steps + 1
    return max(1, -(-(steps + 1) // raid.points))


def _supplies(scenario: Scenario, board: Board) -> tuple[Supply, ...]:
    """Return the counters and places of each letter (6.1a); the letters mean nothing to chance (R34)."""
    if scenario.set_up == "random":
        return ()
    room_for = room_places(scenario, board)
    counters = {
        "S": scenario.servants,
        "T": scenario.technicians + scenario.armed_technicians,
        "J": scenario.jellies,
    }
    kinds = {"servant": "S", "technician": "T", "armed_technician": "T", "jelly": "J"}
    for placement in scenario.placements:
        if placement.kind in kinds:
            counters[kinds[placement.kind]] -= 1
    return tuple(
        Supply(
            letter,
            number,
            sum(room_for[at] for at, room in enumerate(board.rooms) if letter in room.setup),
        )
        for letter, number in counters.items()
    )


def _short(supplies: tuple[Supply, ...]) -> list[Finding]:
    """Find letters with fewer places than counters (6.1a)."""
    return [
        Finding(
            "letter-too-small",
            "warning",
            "map.rooms",
            f'rooms with the letter "{one.letter}" have {_count(one.places, "square")} for '
            f"{counters_of(one.letter, one.counters)} (6.1)",
        )
        for one in supplies
        if one.counters > one.places
    ]


def _needless_entries(raid: _Raid, course: _Course) -> list[Finding]:
    """Find entries that nobody needs: nothing is reached sooner by them, and no reinforcements come (4.1).

    A way in behind an armored door is slower by intent, and one that lets nobody in is there to leave by.
    """
    board = raid.board
    if not raid.are_outside:
        return []
    found = []
    coming = {row.entry for row in raid.scenario.reinforcements}
    for at in board.ways_in:
        if board.entries[at].name in coming or board.entries[at].door >= 0:
            continue
        others = [other for other in board.ways_in if other != at]
        rates = sum(board.entries[other].enter for other in others if board.entries[other].door < 0)
        # Beside enough others that let everybody in at once, it only matters where it leads to.
        if rates >= raid.number and raid.course(others).squares == course.squares:
            message = f"by the {board.entries[at].name} no Terminator is anywhere sooner than by others (4.1)"
            found.append(Finding("entry-needless", "note", f"map.entries[{at}]", message))
    return found


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
