"""How far things are, for a bot: the board and a View put together."""

from __future__ import annotations

from collections.abc import Iterable

from engine.fortress.board import Board
from engine.fortress.graph import Walker
from engine.fortress.masks import bits
from engine.raid.choices import Square
from engine.raid.tables import CLONE_WALKER, TERMINATOR_WALKER
from engine.raid.view import View

FAR = 10_000


class Ground:
    """The board as it stands in a View; squares are (x, y)."""

    def __init__(self, board: Board, view: View) -> None:
        self.board = board
        self.view = view
        self.doors = sum(1 << i for i, door in enumerate(view.doors) if door.is_destroyed)

    def number(self, square: Square) -> int:
        """Return a square's number on the board."""
        return self.board.square(*square)

    def distance(self, start: Square, goals: Iterable[int], walker: Walker = TERMINATOR_WALKER) -> int:
        """Return the cost of the cheapest walk to the nearest goal, other figures apart."""
        here = self.number(start)
        return min((self.board.distances(walker, self.doors, goal)[here] for goal in goals), default=FAR)

    def hand(self, square: Square) -> tuple[int, ...]:
        """Return the squares in hand-to-hand reach of one (R1, R2)."""
        return bits(self.board.hand(self.number(square), self.doors))

    def missile(self, square: Square) -> tuple[int, ...]:
        """Return the squares in missile reach of one (5.1)."""
        return bits(self.board.missile(self.number(square), self.doors))

    def strike_squares(self, equipment: int) -> tuple[int, ...]:
        """Return the squares from which a piece of equipment is struck (R25)."""
        thing = self.board.equipment[equipment]
        if thing.kind == "computer":
            return (thing.square,)
        return bits(self.board.tank_reach(equipment, self.doors))

    def is_at_entry(self, square: Square | None) -> bool:
        """Return whether a square is where an entry leads: a reinforcement there makes room (R12)."""
        return any(self.board.xy(entry.square) == square for entry in self.board.entries)

    def terminators(self) -> list[Square]:
        """Return the squares of the Terminators inside."""
        return [f.square for f in self.view.figures if f.side == "terminator" and f.square is not None]

    def guard_distance(self, start: Square, goals: Iterable[int]) -> int:
        """Return the distance as the CloneMaster's units walk."""
        return self.distance(start, goals, CLONE_WALKER)
