"""4: what movement costs, where a figure may stop, and what happens while it walks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import overload

from engine.core.decision import Choice, IllegalChoice
from engine.core.event import Telling, own_and_others, tell_all
from engine.fortress.graph import FAR, Steps, Walker
from engine.raid import events, release, tables, victory
from engine.raid.choices import Move, Square
from engine.raid.figures import JELLY, SOUL
from engine.raid.state import FREE_MOVING, OFF, STATION, State
from engine.raid.tables import HOSTILE_COST


def walker_of(state: State, figure: int) -> Walker:
    """Return how a figure walks now (4.41, 4.42)."""
    return tables.walker(state.game.roster.side(figure), state.level(figure, SOUL) > 0)


def steps_of(state: State, figure: int) -> Steps:
    """Return the static costs of the steps a figure can take now (4.41, 4.42)."""
    return state.game.board.steps(walker_of(state, figure), state.doors)


def reach_of(
    state: State, figure: int, start: int, points: int, extra: Mapping[int, int]
) -> Mapping[int, int]:
    """Return what every square within a figure's points costs it from a square on."""
    return state.game.board.reach_of(walker_of(state, figure), state.doors, start, points, extra)


def extra_costs(state: State, side: int) -> dict[int, int]:
    """Return what entering a square costs a side on top (4.43).

    A face-down counter counts as a Jelly for the Terminator player until it is turned up (R9).
    """
    roster = state.game.roster
    if side == 1:
        terminators = compress(state.where[: roster.terminators], state.awake)
        return {square: HOSTILE_COST for square in terminators if square >= 0}
    where, face_up, awake, kind = state.where, state.face_up, state.awake, roster.kind
    hostile = [
        where[figure]
        for figure in roster.clone_indices
        if where[figure] >= 0 and (not face_up[figure] or (kind[figure] == JELLY and awake[figure]))
    ]
    return dict.fromkeys(state.hidden.union(hostile), HOSTILE_COST)


def points_of(state: State, figure: int) -> int:
    """Return the movement points a figure has left in this phase (4.3, 4.21)."""
    if state.free_move == FREE_MOVING and figure == state.game.roster.clonemaster:
        return state.free_points
    if figure == state.mover:
        return state.points
    return 0 if state.moved[figure] else state.game.roster.allowance[figure]


def must_go_on(state: State, figure: int) -> bool:
    """Return whether a figure stands on another conscious one, where it may not stop (4.6)."""
    return state.where[figure] >= 0 and state.shares_square(figure)


def way_out(state: State, figure: int, square: int, points: int) -> int:
    """Return the entry by which a Terminator may leave the map from a square with these points; -1 for none.

    He leaves without stopping there, so a conscious figure on the square does not hold him (4.7, R8, R11).
    """
    if figure >= state.game.roster.terminators or points < 1:
        return -1
    if not victory.may_escape(state, figure):
        return -1
    for number, entry in enumerate(state.game.board.entries):
        if entry.square == square and state.left[number] < entry.leave:
            return number
    return -1


class Moves(Sequence[Choice]):
    """The squares a figure can move to and stop on, each with one cheapest path (R7, R8)."""

    __slots__ = ("_blocked", "_costs", "_extra", "_figure", "_goals", "_state", "_steps")

    def __init__(self, state: State, figure: int, points: int) -> None:
        start = state.where[figure]
        self._state = state
        self._figure = figure
        self._steps = steps_of(state, figure)
        self._extra = extra_costs(state, 0 if figure < state.game.roster.terminators else 1)
        self._costs = costs = reach_of(state, figure, start, points, self._extra)
        self._blocked = blocked = state.taken_squares(figure)
        goals = [
            goal
            for goal in costs
            if goal != start
            and (goal not in blocked or way_out(state, figure, goal, points - costs[goal]) >= 0)
        ]
        self._goals = sorted(goals)

    def __len__(self) -> int:
        return len(self._goals)

    @overload
    def __getitem__(self, index: int) -> Choice: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Choice, ...]: ...
    def __getitem__(self, index: int | slice) -> Choice | tuple[Choice, ...]:
        game = self._state.game
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self._goals))))
        xy = game.xy
        return Move(game.roster.name[self._figure], tuple(xy[s] for s in self._path(self._goals[index])))

    def _path(self, goal: int) -> list[int]:
        costs, steps, extra, blocked = self._costs, self._steps, self._extra, self._blocked
        room_of = self._state.game.board.room_of
        start = self._state.where[self._figure]

        def preference(square: int) -> tuple[bool, bool, bool, int]:
            return square != start, square in blocked, room_of[square] != room_of[goal], square

        path = [goal]
        here = goal
        while True:
            entry = costs[here] - extra.get(here, 0)
            # Of equal ways take one over free squares and through few rooms, so that no counter is
            # turned up without need.
            ways = [before for before, cost in steps[here] if costs.get(before, FAR) + cost == entry]
            here = ways[0] if len(ways) == 1 else min(ways, key=preference)
            if here == start:
                path.reverse()
                return path
            path.append(here)


def price(state: State) -> Callable[[Choice], int | None]:
    """Return the pricing of Move choices in a state: the points a path costs by what its side knows (R7)."""

    def of(choice: Choice) -> int | None:
        if not isinstance(choice, Move):
            return None
        game = state.game
        figure = game.roster.index[choice.figure]
        return path_cost(
            state,
            figure,
            game.squares(choice.path),
            steps_of(state, figure),
            extra_costs(state, game.roster.side(figure)),
        )

    return of


def path_cost(state: State, figure: int, path: Sequence[int], steps: Steps, extra: Mapping[int, int]) -> int:
    """Return the points a path costs; raises IllegalChoice at a step that cannot be taken (4.3, 4.5)."""
    here = state.where[figure]
    total = 0
    for there in path:
        cost = step_cost(steps, here, there)
        if cost is None:
            raise _no_step(state, figure, here, there)
        total += cost + extra.get(there, 0)
        here = there
    return total


def step_cost(steps: Steps, here: int, there: int) -> int | None:
    """Return what a step costs, figures apart; None where there is none."""
    for after, cost in steps[here]:
        if after == there:
            return cost
    return None


def _no_step(state: State, figure: int, here: int, there: int) -> IllegalChoice:
    """Explain why there is no step between two squares."""
    board = state.game.board
    if there < 0 or not board.floor >> there & 1:
        return IllegalChoice("there is no square there", "4.5")
    (x, y), (to_x, to_y) = state.game.xy[here], state.game.xy[there]
    if abs(x - to_x) + abs(y - to_y) != 1:
        return IllegalChoice(
            "figures step north, south, east or west to the next square, never diagonally", "4.3"
        )
    if board.tanks >> there & 1:
        return IllegalChoice("a clone growth tank fills its square", "4.5")
    for door, place in enumerate(board.armored):
        if {place.a, place.b} == {here, there} and not state.doors >> door & 1:
            return IllegalChoice("a Terminator cannot pass an armored door until it is destroyed", "4.41")
    return IllegalChoice("a wall is in the way", "4.5")


def check_move(state: State, figure: int, path: Sequence[Square], points: int) -> None:
    """Refuse a path that cannot be walked or ended; raises IllegalChoice (R7, R8, R9)."""
    game = state.game
    if not path:
        raise IllegalChoice("a path needs at least one square", "4.3")
    squares = game.squares(path)
    extra = extra_costs(state, game.roster.side(figure))
    cost = path_cost(state, figure, squares, steps_of(state, figure), extra)
    if cost > points:
        rule = "4.43" if any(square in extra for square in squares) else "4.3"
        raise IllegalChoice(f"this way costs {cost} and {game.roster.name[figure]} has {points} left", rule)
    if state.is_taken(squares[-1], figure) and way_out(state, figure, squares[-1], points - cost) < 0:
        raise IllegalChoice("a figure may pass through a conscious one but not stop on it", "4.6")


def walk(state: State, figure: int, path: Sequence[int], tell: list[Telling]) -> None:
    """Walk a figure along a checked path, pausing where counters are turned up (R8, R9)."""
    game = state.game
    is_terminator = figure < game.roster.terminators
    is_free = state.free_move == FREE_MOVING and figure == game.roster.clonemaster
    steps = steps_of(state, figure)
    room_of = game.board.room_of
    points = start_points = points_of(state, figure)
    here = state.where[figure]
    walked = [here]
    shown: list[Telling] = []
    extra = extra_costs(state, game.roster.side(figure))
    for there in path:
        cost = step_cost(steps, here, there)
        assert cost is not None
        if is_terminator and room_of[there] != room_of[here]:
            release.reveal_room(state, there, shown)
            if shown:
                extra = extra_costs(state, 0)
        points -= cost + extra.get(there, 0)
        here = there
        walked.append(there)
        if shown:
            break
    state.where[figure] = here
    if is_free:
        state.free_points = points
    else:
        before = state.trail if figure == state.mover else ()
        state.mover, state.points, state.trail = figure, points, (*before, *walked)
    way = tuple(game.xy[square] for square in walked)
    name, side = game.roster.name[figure], game.roster.side(figure)
    # The points paid over a drop-off would tell whether Monkey Soul is left (R24, R29).
    own = events.Moved("4.3", name, way, start_points - points, points)
    tell.append(own_and_others(side, own, events.Moved("4.3", name, way, None, None)))
    tell += shown


def put_back_if_stuck(state: State, tell: list[Telling]) -> bool:
    """Put the figure now moving back if it cannot go on to a free square from where it was stopped (R8).

    Returns whether it was put back; its movement is then over.
    """
    figure = state.mover
    if not must_go_on(state, figure) or len(Moves(state, figure, state.points)) > 0:
        return False
    if way_out(state, figure, state.where[figure], state.points) >= 0:
        return False
    # Who came out meanwhile may stand on the path too, so the last square that is free now counts.
    taken = state.taken_squares(figure)
    free = [place for place in state.trail if place < 0 or place not in taken]
    # A path that came back to its start may have no free square at all: then the closest one, as in R14.
    place = free[-1] if free else min(closest_empty(state, figure), default=state.where[figure])
    state.where[figure] = place
    square = state.game.xy[place] if place >= 0 else None
    tell.append(tell_all(events.PutBack("R8", state.game.roster.name[figure], square)))
    return True


def closest_empty(state: State, figure: int) -> list[int]:
    """Return the closest squares without a conscious figure, by cost without hostile costs (R14).

    A figure that wakes has Mountain Heart only, so it climbs no drop-off.
    """
    board = state.game.board
    steps = board.steps(tables.walker(state.game.roster.side(figure), climbs=False), state.doors)
    blocked = state.taken_squares(figure)
    points = 1
    while True:
        costs = board.reach(steps, state.where[figure], points, {})
        free = [(cost, square) for square, cost in costs.items() if square not in blocked]
        if free:
            least = min(free)[0]
            return sorted(square for cost, square in free if cost == least)
        if points > board.size * 3:  # a figure walled in among others stays where it is
            return []
        points *= 2


def entry_cost(state: State, figure: int, number: int) -> int:
    """Return the points that an entry's first square costs: 1, and what is on top (R7, R12)."""
    entry = state.game.board.entries[number]
    side = state.game.roster.side(figure)
    is_shut = entry.door >= 0 and not state.doors >> entry.door & 1
    door = tables.ARMORED_DOOR_COST if side == 1 and is_shut else 0
    return 1 + door + extra_costs(state, side).get(entry.square, 0)


def check_entry(state: State, figure: int, number: int) -> None:
    """Refuse an entry whose first square cannot be paid or stopped behind; raises IllegalChoice (R7, R8)."""
    square = state.game.board.entries[number].square
    left = state.game.roster.allowance[figure] - entry_cost(state, figure, number)
    if left < 0:
        raise IllegalChoice("the first square costs more than he has", "R7")
    blocked = state.taken_squares(figure)
    if square in blocked:
        extra = extra_costs(state, state.game.roster.side(figure))
        if blocked.issuperset(reach_of(state, figure, square, left, extra)):
            raise IllegalChoice("the first square is taken and no free one is in reach behind it", "R8")


def enter(state: State, figure: int, number: int, rule: str, tell: list[Telling]) -> None:
    """Bring a figure onto an entry's square; a Terminator so turns up the room (4.1, 4.2a, R12)."""
    game = state.game
    entry = game.board.entries[number]
    state.mover, state.trail = figure, (state.where[figure], entry.square)
    state.where[figure] = entry.square
    shown: list[Telling] = []
    if figure < game.roster.terminators:
        release.reveal_room(state, entry.square, shown)
    cost = entry_cost(state, figure, number)
    state.points = game.roster.allowance[figure] - cost
    name = game.roster.name[figure]
    tell.append(tell_all(events.Entered(rule, name, entry.name, game.xy[entry.square], cost)))
    tell += shown


def is_outside(state: State, figure: int) -> bool:
    """Return whether a Terminator is off the map but can still come in (4.1)."""
    place = state.where[figure]
    return place == OFF or place <= STATION


def finish_mover(state: State) -> None:
    """End the movement of the figure now moving (R6)."""
    if state.mover >= 0:
        state.moved[state.mover] = 1
        state.mover = -1
        state.points = 0
        state.trail = ()
