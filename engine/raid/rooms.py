"""What the rules say of rooms: loos, vital ones, the counters one holds, what can be added (R34, R35)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.fortress.board import Board
from engine.fortress.floorplan import STEP
from engine.raid.choices import PlaceComputer, PlaceDoor

SETUP_LETTERS: Final[dict[str, str]] = {"S": "Servants", "T": "Technicians", "J": "Jellies"}
"""Who may be set up in rooms with a letter, in the order in which a map names them (6.1a)."""
LETTER_OF: Final[dict[str, str]] = {
    "servant": "S",
    "technician": "T",
    "armed_technician": "T",
    "jelly": "J",
}
"""The letter of a kind of figure; the CloneMaster may be set up anywhere (6.1a)."""
LOO = "Loo"  # 4.12: the rooms that a map so calls; nothing is dealt or put up there (R34, R35)


def is_loo(board: Board, room: int) -> bool:
    """Return whether a room is a loo, by the first word of its name."""
    return is_loo_name(board.rooms[room].name)


def is_loo_name(name: str) -> bool:
    """Return whether a room so called is a loo."""
    return name.split(" ")[0] == LOO


def is_vital(board: Board, room: int) -> bool:
    """Return whether vital equipment stands in a room (2.1)."""
    return any(board.room_of[thing.square] == room for thing in board.equipment)


def common_doors(board: Board) -> Iterator[PlaceDoor]:
    """Find the common doors whose edges an armored door can take (R35)."""
    for edge in board.plan.edges:
        if board.plan.edge_kind(edge.x, edge.y, edge.side) == "door":
            yield PlaceDoor((edge.x, edge.y), edge.side)


def free_walls(board: Board) -> Iterator[PlaceComputer]:
    """Find the walls that a computer can stand along: of a square without equipment, in no loo (R35)."""
    filled = {thing.square for thing in board.equipment}
    for square in range(board.size):
        room = board.room_of[square]
        if room < 0 or square in filled or is_loo(board, room):
            continue
        x, y = board.xy(square)
        for side in STEP:
            if board.plan.edge_kind(x, y, side) == "wall":
                yield PlaceComputer((x, y), side)


def set_up_squares(board: Board) -> int:
    """Return the squares where a counter can be set up at all: no tank, not next to a door (6.1b, R5)."""
    return board.floor & ~board.beside_door & ~board.tanks


def room_for(squares: int, taken: int, held: int, limit: int) -> int:
    """Return how many more counters a room can take.

    `squares` are those of the room where counters may lie, `taken` those where some do, `held` the
    number of counters in the room wherever they stand, `limit` the most to a room, 0 for any number.
    """
    free = (squares & ~taken).bit_count()
    return free if not limit else max(0, min(free, limit - held))
