"""The rulebook bot as Terminator: abilities, and where each man goes."""

from __future__ import annotations

from engine.bots.drawing import Draws
from engine.bots.ground import FAR, Ground
from engine.core.decision import Choice, Decision
from engine.fortress.board import Board
from engine.raid.choices import EndPhase, Enter, Exit, Move, Ready, SetAbilities, Square, Station
from engine.raid.figures import TERMINATOR_NAMES
from engine.raid.scenario import Scenario
from engine.raid.tables import TERMINATOR_WALKER
from engine.raid.view import FigureView, View

# Where further levels go, beyond one in each talent: a striker, a kicker, a hard one to hit, then again.
FAVOURITES = (
    ("fist", "heart", "kick", "mist"),
    ("kick", "heart", "fist", "soul"),
    ("mist", "heart", "fist", "kick"),
)
WALL_OF_FOES = 1.5  # what standing beside one more Jelly or gun costs, in squares
DOOR_DELAY = 9  # squares of walking that breaking an armored door is worth
RAIDER = TERMINATOR_WALKER._replace(armored_door=DOOR_DELAY)
"""A Terminator who plans ahead: he walks up to an armored door, to break it, where nothing else leads on."""


def set_up(scenario: Scenario, decision: Decision) -> tuple[Choice, str]:
    """Return the next choice of the set-up: levels in the order of FAVOURITES."""
    name = decision.options.groups[0]
    if not name:
        return Ready(), "all levels are given"
    order = FAVOURITES[TERMINATOR_NAMES.index(name) % len(FAVOURITES)]
    levels = dict.fromkeys(("fist", "kick", "mist", "soul", "heart"), 1)
    spare = scenario.levels - 5
    for word in (*order * 2, *levels, *levels):
        if spare and levels[word] < 3:
            levels[word] += 1
            spare -= 1
    return SetAbilities(name, **levels), f"{name} is good at {order[0]} and recovers"


def move(board: Board, view: View, decision: Decision, draws: Draws) -> tuple[Choice, str]:
    """Return a move for the next man who can gain by one, else the end of the phase."""
    ground = Ground(board, view)
    groups = [group for group in decision.options.groups if group]
    if view.movement is not None and view.movement.figure in groups:
        groups = [view.movement.figure]  # R6: one at a time
        if not view.movement.must_go_on and not view.movement.points:
            groups = []
    claimed = _claims(ground)
    for name in groups or [group for group in decision.options.groups if group]:
        figure = view.figure(name)
        if figure.has_moved:
            continue
        found = _best(ground, figure, decision, claimed)
        if found is not None:
            return found
    if "" in decision.options.groups:
        return EndPhase(), "nobody gains by moving on"
    return decision.options.sample(draws), "it cannot stop here"


def _claims(ground: Ground) -> dict[str, tuple[int, ...]]:
    """Return the squares each Terminator makes for: the nearest targets, shared out (5.8, 6.1)."""
    view = ground.view
    targets: list[tuple[int, ...]] = [
        ground.strike_squares(i) for i, thing in enumerate(view.equipment) if not thing.is_destroyed
    ]
    clone = next((f for f in view.figures if f.kind == "clonemaster"), None)
    if clone is not None and clone.square is not None:
        targets.append(ground.hand(clone.square))
    elif clone is None and not targets:
        # He is still face down: any counter may be he.
        targets = [ground.hand(square) for square in view.face_down]
    men = [f for f in view.figures if f.side == "terminator" and f.place in ("map", "off", "station")]
    claims: dict[str, tuple[int, ...]] = {}
    left = list(targets)
    for figure in sorted(men, key=lambda f: f.place != "map"):
        if not left:
            left = list(targets)
        if not left:
            break
        starts = [figure.square] if figure.square else _doorsteps(ground)
        nearest = min(left, key=lambda goals: min(ground.distance(start, goals, RAIDER) for start in starts))
        left.remove(nearest)
        claims[figure.name] = nearest
    return claims


def _doorsteps(ground: Ground) -> list[Square]:
    """Return the squares where a Terminator can come in."""
    board = ground.board
    return [board.xy(board.entries[at].square) for at in board.ways_in]


def _best(
    ground: Ground, figure: FigureView, decision: Decision, claims: dict[str, tuple[int, ...]]
) -> tuple[Choice, str] | None:
    choices = decision.options.of(figure.name)
    must = ground.view.movement is not None and ground.view.movement.must_go_on
    for choice in choices:
        if isinstance(choice, Exit):
            return choice, "the work is done: out"
    goals = claims.get(figure.name)
    is_done = not goals
    if is_done:
        goals = tuple(entry.square for entry in ground.board.entries if entry.leave)
    assert goals is not None
    here = _cost(ground, figure.square, goals) if figure.square is not None and not must else float(FAR * 2)
    best: tuple[float, Choice] | None = None
    for choice in choices:
        if isinstance(choice, Move):
            cost = _cost(ground, choice.path[-1], goals)
        elif isinstance(choice, Enter):
            entry = next(e for e in ground.board.entries if e.name == choice.entry)
            cost = ground.distance(ground.board.xy(entry.square), goals, RAIDER)
        elif isinstance(choice, Station):
            cost = FAR + DOOR_DELAY  # only where no other way in is open
        else:
            continue
        if best is None or cost < best[0]:
            best = (cost, choice)
    if best is None or best[0] >= here:
        return None
    aim = "the way out" if is_done else "the nearest target"
    return best[1], f"{figure.name} makes for {aim}"


def _cost(ground: Ground, square: Square, goals: tuple[int, ...]) -> float:
    """Return how bad a square is to end on: its distance, and the foes who strike there."""
    reach = set(ground.hand(square))
    foes = sum(
        1
        for f in ground.view.figures
        if f.square is not None
        and f.kind in ("jelly", "armed_technician", "clonemaster", "lc")
        and f.is_conscious
        and f.is_face_up
        and ground.number(f.square) in reach
    )
    distance = ground.distance(square, goals, RAIDER)
    return distance + (WALL_OF_FOES * max(0, foes - 1) if distance else 0.0)
