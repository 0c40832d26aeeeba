"""The rulebook bot as CloneMaster: where counters lie, who is released, who goes where."""

from __future__ import annotations

from engine.bots.drawing import Draws
from engine.bots.ground import FAR, Ground
from engine.core.decision import Choice, Decision
from engine.fortress.board import Board
from engine.fortress.masks import bits
from engine.raid.choices import (
    EndMove,
    EndPhase,
    Move,
    Place,
    PlaceComputer,
    PlaceDoor,
    Ready,
    Release,
    Square,
)
from engine.raid.tables import CLONE_WALKER, TERMINATOR_WALKER
from engine.raid.view import FigureView, View

DANGER = 6  # squares from a Terminator at which the CloneMaster runs


def extras(board: Board, decision: Decision, draws: Draws) -> tuple[Choice, str]:
    """Return the next addition: doors near the machines, computers far from every way in (7.4)."""
    for group in decision.options.groups:
        choices = decision.options.of(group) if group else ()
        tries = [draws.pick(choices) for _ in range(8)] if choices else []
        doors = [choice for choice in tries if isinstance(choice, PlaceDoor)]
        computers = [choice for choice in tries if isinstance(choice, PlaceComputer)]
        if doors:
            return min(
                doors, key=lambda door: _to_equipment(board, door.square)
            ), "it bars the way to a machine"
        if computers:
            return max(computers, key=lambda one: _from_entries(board, one.square)), "far from every way in"
    return Ready(), "nothing more can be added"


def set_up(board: Board, view: View, decision: Decision, draws: Draws) -> tuple[Choice, str]:
    """Return the next counter's place: fighters by the machines, the CloneMaster far from every way in."""
    groups = decision.options.groups
    if groups == ("",):
        return Ready(), "every counter lies"
    name = groups[draws.randrange(len(groups))]
    places = [choice for choice in decision.options.of(name) if isinstance(choice, Place)]
    if not places:
        return decision.options.sample(draws), "the house is full: something must give way"
    tries = [places[draws.randrange(len(places))] for _ in range(8)]
    if name == "CloneMaster":
        best = max(tries, key=lambda place: _from_entries(board, place.square))
        return best, "far from every way in"
    if name.startswith(("J-", "Armed")):
        best = min(tries, key=lambda place: _to_equipment(board, place.square))
        return best, "near a machine that must be guarded"
    return tries[0], "somewhere in the way"


def _from_entries(board: Board, square: Square) -> int:
    here = board.square(*square)
    starts = [board.entries[at].square for at in board.ways_in]
    return min(board.distances(TERMINATOR_WALKER, 0, start)[here] for start in starts)


def _to_equipment(board: Board, square: Square) -> int:
    """Return the walk to the nearest machine; a tank itself cannot be entered, so its surroundings count."""
    here = board.square(*square)
    goals: list[int] = []
    for number, thing in enumerate(board.equipment):
        if thing.kind == "computer":
            goals.append(thing.square)
        else:
            goals += bits(board.tank_reach(number, 0))[:1]
    return min((board.distances(CLONE_WALKER, 0, goal)[here] for goal in goals), default=0)


def move(board: Board, view: View, decision: Decision, draws: Draws) -> tuple[Choice, str]:
    """Return a release, else a figure's move that gains, else the end of the phase."""
    ground = Ground(board, view)
    men = [
        ground.number(f.square)
        for f in view.figures
        if f.side == "terminator" and f.square is not None and f.is_conscious
    ]
    release = _release(ground, decision, men)
    if release is not None:
        return release
    moving = view.movement
    for name in decision.options.groups:
        if not name:
            continue
        figure = view.figure(name)
        if moving is not None and moving.figure == name:
            if moving.must_go_on:
                return _go_on(ground, figure, decision, men)
            if not ground.is_at_entry(figure.square):
                continue  # a figure that has made its move is done
        if figure.place == "waiting":
            return decision.options.of(name)[0], f"{name} answers the alarm"
        if not figure.is_face_up or figure.square is None:
            continue
        found = _step(ground, figure, decision, men)
        if found is not None:
            return found
    return EndPhase(), "nobody gains by moving"


def _go_on(ground: Ground, figure: FigureView, decision: Decision, men: list[int]) -> tuple[Choice, str]:
    """Return the best square for a figure that cannot stop where it is (R8)."""
    moves = [choice for choice in decision.options.of(figure.name) if isinstance(choice, Move)]
    best = min(moves, key=lambda move: _badness(ground, figure, move.path[-1], men) if men else 0)
    return best, f"{figure.name} cannot stop on another"


def _release(ground: Ground, decision: Decision, men: list[int]) -> tuple[Choice, str] | None:
    """Return the release of the nearest counter that may still be released this turn (4.2 b)."""
    if not men:
        return None
    found: list[tuple[int, str, Choice]] = []
    for name in decision.options.groups:
        figure = ground.view.figure(name) if name else None
        if figure is None or figure.is_face_up or figure.square is None:
            continue
        away = ground.guard_distance(figure.square, men)
        found += [(away, name, choice) for choice in decision.options.of(name) if isinstance(choice, Release)]
    if not found:
        return None
    _, name, choice = min(found, key=lambda row: (row[0], row[1]))
    return choice, f"{name} is nearest to the Terminators"


def _step(
    ground: Ground, figure: FigureView, decision: Decision, men: list[int]
) -> tuple[Choice, str] | None:
    assert figure.square is not None
    if not men:
        return None
    here = _badness(ground, figure, figure.square, men)
    best: tuple[float, Move] | None = None
    for choice in decision.options.of(figure.name):
        if isinstance(choice, Move):
            bad = _badness(ground, figure, choice.path[-1], men)
            if best is None or bad < best[0]:
                best = (bad, choice)
    if best is None or best[0] >= here:
        return None
    why = {
        "clonemaster": "keeps away from the Terminators",
        "jelly": "goes for the nearest Terminator",
        "armed_technician": "takes aim from out of reach",
    }.get(figure.kind, "gets in the way")
    return best[1], f"{figure.name} {why}"


def _badness(ground: Ground, figure: FigureView, square: Square, men: list[int]) -> float:
    """Return how bad a square is for a figure's purpose: less is better."""
    distance = ground.guard_distance(square, men)
    in_hand = sum(1 for man in men if man in set(ground.hand(square)))
    if figure.kind == "clonemaster":
        return -float(distance) if distance < FAR else -50.0
    if figure.kind in ("armed_technician", "lc"):
        in_range = any(man in set(ground.missile(square)) for man in men)
        return (0.0 if in_range and not figure.has_fired else float(distance)) + 3.0 * in_hand
    if figure.kind == "jelly":
        return -float(in_hand) if in_hand else float(distance)
    # Servants and technicians: beside a Terminator they block him, and together they hurt.
    return 0.0 if in_hand else float(distance)


def free_move(board: Board, view: View, decision: Decision) -> tuple[Choice, str]:
    """Return the CloneMaster's flight on his free move (4.21)."""
    ground = Ground(board, view)
    clone = next(f for f in view.figures if f.kind == "clonemaster")
    men = [ground.number(square) for square in ground.terminators()]
    found = _step(ground, clone, decision, men)
    return found if found is not None else (EndMove(clone.name), "he stands well here")


def is_in_danger(board: Board, view: View) -> bool:
    """Return whether a Terminator is so near to the hidden CloneMaster that he should run (4.21)."""
    ground = Ground(board, view)
    clone = next((f for f in view.figures if f.kind == "clonemaster" and f.square is not None), None)
    if clone is None or clone.square is None:
        return False
    men = [ground.number(square) for square in ground.terminators()]
    return ground.guard_distance(clone.square, men) <= DANGER
