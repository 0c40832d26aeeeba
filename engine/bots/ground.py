"""How far things are, for a bot: the board and a View put together."""

from __future__ import annotations

from collections.abc import Iterable

from engine.fortress.board import Board
from engine.fortress.graph import CLONE, TERMINATOR
from engine.raid.choices import Square
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
        return square[1] * self.board.width + square[0]

    def distance(self, start: Square, goals: Iterable[int], walker: int = TERMINATOR) -> int:
        """Return the cost of the cheapest walk to the nearest goal, other figures apart."""
        steps = self.board.steps(walker, self.doors)
        here = self.number(start)
        return min((self.board.distances(steps, goal)[here] for goal in goals), default=FAR)

    def hand(self, square: Square) -> list[int]:
        """Return the squares in hand-to-hand reach of one (R1, R2)."""
        return _bits(self.board.hand(self.number(square), self.doors))

    def missile(self, square: Square) -> list[int]:
        """Return the squares in missile reach of one (5.1)."""
        return _bits(self.board.missile(self.number(square), self.doors))

    def strike_squares(self, equipment: int) -> list[int]:
        """Return the squares from which a piece of equipment is struck (R25)."""
        thing = self.board.equipment[equipment]
        if thing.kind == "computer":
            return [thing.square]
        return _bits(self.board.tank_reach(equipment, self.doors))

    def terminators(self) -> list[Square]:
        """Return the squares of the Terminators inside."""
        return [f.square for f in self.view.figures if f.side == "terminator" and f.square is not None]

    def guard_distance(self, start: Square, goals: Iterable[int]) -> int:
        """Return the distance as the CloneMaster's units walk."""
        return self.distance(start, goals, CLONE)


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
