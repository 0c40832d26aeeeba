"""Where the CloneMaster's units go without a player: Jellies, guns, the rest, nearest first (6.3c, R33)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.bots.drawing import Draws
from engine.bots.ground import FAR, Ground
from engine.core.decision import Choice, Decision
from engine.fortress.board import Board
from engine.fortress.masks import bits
from engine.raid import tables
from engine.raid.choices import EndMove, EndPhase, Move, Square
from engine.raid.figures import SPIKES
from engine.raid.view import FigureView, View

GUNS = ("clonemaster", "armed_technician", "lc")


def move(board: Board, view: View, decision: Decision, draws: Draws) -> tuple[Choice, str]:
    """Return the move of the first unit in order whose line moves it, else the end of the phase."""
    field = _Field(Ground(board, view), decision, draws)
    moving = view.movement
    for figure in field.in_order():
        has_begun = moving is not None and moving.figure == figure.name
        must = has_begun and moving is not None and moving.must_go_on
        if figure.place == "waiting":
            return decision.options.of(figure.name)[0], "6.2: they answer the alarm"
        if has_begun and not must and not field.ground.is_at_entry(figure.square):
            continue
        found = field.go(figure, must)
        if found is not None:
            return found
    return EndPhase(), "R33: every unit has acted"


def free_move(board: Board, view: View, decision: Decision, draws: Draws) -> tuple[Choice, str]:
    """Return the CloneMaster's free move, as any gun goes (4.21, R33)."""
    field = _Field(Ground(board, view), decision, draws)
    clone = next(figure for figure in view.figures if figure.kind == "clonemaster")
    found = field.go(clone, must=False)
    return (
        found if found is not None else (EndMove(clone.name), "R33: a gun that finds no better square stays")
    )


class _Field:
    """The fortress as the units see it in one moment."""

    def __init__(self, ground: Ground, decision: Decision, draws: Draws) -> None:
        self.ground = ground
        self.view = ground.view
        self.decision = decision
        self.draws = draws
        self.men = [ground.number(square) for square in ground.terminators()]
        self.taken = {
            ground.number(f.square) for f in self.view.figures if f.square is not None and f.is_conscious
        } | {ground.number(square) for square in self.view.face_down}

    def in_order(self) -> list[FigureView]:
        """Return the units that may still move: Jellies, guns, the rest; nearest first, ties by chance."""
        figures = [self.view.figure(name) for name in self.decision.options.groups if name]
        luck = {figure.name: self.draws.randrange(1 << 16) for figure in figures}

        def key(figure: FigureView) -> tuple[int, int, int]:
            rank = 0 if figure.kind == "jelly" else 1 if figure.kind in GUNS else 2
            return rank, self._distance(figure, self._square(figure), self.men), luck[figure.name]

        return sorted((figure for figure in figures if figure.is_face_up), key=key)

    def _square(self, figure: FigureView) -> Square:
        if figure.square is not None:
            return figure.square
        board = self.ground.board
        return board.xy(next(e.square for e in board.entries if e.name == figure.entry))

    def _distance(self, figure: FigureView, square: Square, goals: Iterable[int]) -> int:
        """Return what a unit's walk costs, a Jelly with Monkey Soul climbing free (4.42)."""
        climbs = (figure.levels or {}).get("soul", 0) > 0
        return self.ground.distance(square, goals, tables.walker(1, climbs))

    def go(self, figure: FigureView, must: bool) -> tuple[Choice, str] | None:
        """Return a unit's move by its line, None where it stays; one that must go on cannot stay (R8)."""
        if figure.kind == "jelly":
            found = self._attack(figure, must, "R33: a Jelly goes where it can strike")
        elif figure.kind in GUNS:
            found = self._aim(figure, must)
        else:
            found = self._protect(figure, must)
        if found is None and must:
            return self._least(self._moves(figure)), "R8: it cannot stop on another"
        return found

    def _attack(self, figure: FigureView, must: bool, why: str) -> tuple[Choice, str] | None:
        """Go to the cheapest square from which a Terminator can be struck, else as near as possible (R33)."""
        squares = {square for man in self.men for square in self._reach(figure, man)}
        return self._toward(figure, squares, must, why)

    def _reach(self, figure: FigureView, man: int) -> tuple[int, ...]:
        """Return the squares from which a Terminator can be struck; sight is the same both ways (R1, R2)."""
        place = self.ground.board.xy(man)
        throws = figure.weapon == SPIKES and (figure.levels or {}).get("weapon", 0) > 0
        return self.ground.missile(place) if throws else self.ground.hand(place)

    def _aim(self, figure: FigureView, must: bool) -> tuple[Choice, str] | None:
        """Make for a square in range and sight but out of hand-to-hand reach (6.3c, R33).

        "Else stays" of R33 is read as: where there is no such square to walk to. All released figures
        move to attack by 6.3 (c), so one too far from it comes nearer, keeping out of hands' reach.
        """
        board, doors = self.ground.board, self.ground.doors
        near = {square for man in self.men for square in (man, *self.ground.hand(board.xy(man)))}
        safe: set[int] = set()
        for man in self.men:
            is_far = figure.kind == "lc"  # 5.1: at any range
            safe |= set(bits(board.sight(man, doors)) if is_far else self.ground.missile(board.xy(man)))
        safe -= near
        return self._toward(figure, safe, must, "6.3c: guns fire from safe squares", near)

    def _protect(self, figure: FigureView, must: bool) -> tuple[Choice, str] | None:
        """Crowd around the nearest intact equipment with room; with none left, attack (6.3c, R33)."""
        assert figure.square is not None
        here = self.ground.number(figure.square)
        whole = [number for number, thing in enumerate(self.view.equipment) if not thing.is_destroyed]
        if not whole:
            return self._attack(figure, must, "R33: nothing is left to protect, so it attacks")
        others = self.taken - {here}
        free = [squares for number in whole if (squares := self._guard_squares(number, others))]
        if not free:
            return None
        away = [self._distance(figure, figure.square, squares) for squares in free]
        equals = [squares for squares, distance in zip(free, away, strict=True) if distance == min(away)]
        goals = self.draws.pick(equals)
        return self._toward(figure, goals, must, "6.3c: it protects the nearest equipment")

    def _guard_squares(self, equipment: int, others: set[int]) -> set[int]:
        """Return the free squares on which a unit guards a machine: those from which it is struck (R33).

        Around a computer, whose own square alone is that, the rest crowd once it is taken (6.3c).
        """
        squares = set(self.ground.strike_squares(equipment))
        if squares <= others and self.ground.board.equipment[equipment].kind == "computer":
            (own,) = squares
            squares = set(self.ground.hand(self.ground.board.xy(own)))
        return squares - others

    def _toward(
        self,
        figure: FigureView,
        goals: set[int],
        must: bool,
        why: str,
        shunned: frozenset[int] | set[int] = frozenset(),
    ) -> tuple[Choice, str] | None:
        """Return the cheapest move onto one of some squares, else what comes nearest; None to stay.

        On squares that are `shunned` it does not end.
        """
        assert figure.square is not None
        if not goals or (not must and self.ground.number(figure.square) in goals):
            return None
        move = self._cheapest(figure, lambda square: square in goals)
        if move is not None:
            return move, why
        number = self.ground.number
        moves = [choice for choice in self._moves(figure) if number(choice.path[-1]) not in shunned]
        if not moves:
            return None
        away = {choice.path[-1]: self._distance(figure, choice.path[-1], goals) for choice in moves}
        least = min(away.values())
        if least >= FAR or (not must and least >= self._distance(figure, figure.square, goals)):
            return None
        return self._least([choice for choice in moves if away[choice.path[-1]] == least]), why

    def _moves(self, figure: FigureView) -> list[Move]:
        return [choice for choice in self.decision.options.of(figure.name) if isinstance(choice, Move)]

    def _cheapest(self, figure: FigureView, is_wanted: Callable[[int], bool]) -> Move | None:
        number = self.ground.number
        moves = [choice for choice in self._moves(figure) if is_wanted(number(choice.path[-1]))]
        return self._least(moves) if moves else None

    def _least(self, moves: list[Move]) -> Move:
        """Return the cheapest of some moves; chance decides between equals."""
        prices = [self.decision.options.price(choice) or 0 for choice in moves]
        least = min(prices)
        equals = [choice for choice, price in zip(moves, prices, strict=True) if price == least]
        return self.draws.pick(equals)
