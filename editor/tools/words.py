"""Places in words, as the game's log and the map's problems say them: a square is "4,7", an edge "4,7 E"."""

from __future__ import annotations

from editor.draft import Edge, Square
from editor.edits.squares import letter_at
from editor.edits.strokes import NEW_ROOM
from engine.fortress.floorplan import ROCK, FloorPlan


def at_square(square: Square) -> str:
    """Return a square's place: column and row, from 0."""
    return f"{square[0]},{square[1]}"


def at_edge(edge: Edge) -> str:
    """Return an edge's place, by its owner; on the west and north rim by the square on the map."""
    x, y, side = edge
    if x < 0:
        return f"0,{y} W"
    if y < 0:
        return f"{x},0 N"
    return f"{x},{y} {side}"


def corner(squares: frozenset[Square]) -> Square:
    """Return the first of some squares in reading order."""
    return min(squares, key=lambda one: (one[1], one[0]))


def room_name(plan: FloorPlan, letter: str) -> str:
    """Return what to call a room: its name, "rock", or "a new room"."""
    if letter == NEW_ROOM:
        return "a new room"
    if letter == ROCK:
        return "rock"
    return next((room.name for room in plan.rooms if room.letter == letter), f'letter "{letter}"')


def room_here(plan: FloorPlan, square: Square) -> str:
    """Return the name of a square's room, or "rock"."""
    return room_name(plan, letter_at(plan, square))


def counted(number: int, what: str) -> str:
    """Return a number of things: "1 square", "3 squares"."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
