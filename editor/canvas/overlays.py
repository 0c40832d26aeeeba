"""Sight and reach from a square, from the engine's own tables, compiled when first asked for."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from editor.bench import Overlay
from editor.draft import Draft, Square
from engine.core.files import BadFile
from engine.fortress.board import Board, compile_board
from engine.fortress.masks import bits
from engine.raid import tables

SEEN = "seen"
BARRED = "barred"
"""A square that would be seen, were its room not one of a pair without sight (5.9)."""


class Tables:
    """The engine's tables of one draft.

    All armored doors stand intact; sight follows the scenario's R3. Raises nothing: of a map that cannot
    be compiled nothing is seen or reached.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self._board: Board | None = None
        self._free: Board | None = None
        corner_sight = draft.scenario.rules.corner_sight if draft.scenario is not None else "strict"
        try:
            self._board = compile_board(draft.plan, corner_sight)
            if draft.plan.no_sight:
                self._free = compile_board(replace(draft.plan, no_sight=()), corner_sight)
        except (ValueError, BadFile):
            self._board = None

    def cells(self, overlay: Overlay, start: Square, points: int) -> Mapping[Square, str]:
        """Return what is seen (SEEN or BARRED), or what each square within reach costs (4.3-4.43)."""
        board = self._board
        square = board.square(*start) if board is not None else -1
        if board is None or square < 0 or not board.floor >> square & 1:
            return {}
        if overlay == "sight":
            seen = board.sight(square, 0)
            found = {board.xy(one): SEEN for one in bits(seen)}
            if self._free is not None:
                for one in bits(self._free.sight(square, 0) & ~seen):
                    found[board.xy(one)] = BARRED
            return found
        if overlay == "reach":
            walker = tables.walker(0, climbs=False)
            costs = board.reach_of(walker, 0, square, points, {})
            return {board.xy(one): str(cost) for one, cost in costs.items()}
        return {}
