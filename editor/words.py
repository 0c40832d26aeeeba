"""Words: places as the game's log says them ("4,7", "4,7 E"), rooms, numbers of things, sentences."""

from __future__ import annotations

from editor.draft import Edge, Square
from editor.edits.squares import letter_at
from editor.edits.strokes import NEW_ROOM
from engine.fortress.floorplan import ROCK, Entry, FloorPlan, written


def at_square(square: Square) -> str:
    """Return a square's place: column and row, from 0."""
    return f"{square[0]},{square[1]}"


def at_edge(edge: Edge) -> str:
    """Return an edge's place, by its owner; on the west and north rim by the square on the map."""
    x, y, side = written(*edge)
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


def rate_in(plan: FloorPlan, entry: Entry) -> str:
    """Return how many may come in by an entry in a phase, "all" by an armored door (4.11, R10, R11)."""
    return "all" if plan.is_barred(entry) else str(entry.enter)


def counted(number: int, what: str) -> str:
    """Return a number of things: "1 square", "3 squares", "2 entries"."""
    return f"{number} {what if number == 1 else plural(what)}"


def plural(word: str) -> str:
    """Return the plural of a word: "squares", "entries"."""
    return f"{word[:-1]}ies" if word.endswith("y") and word[-2:-1] not in "aeiou" else f"{word}s"


def capitalized(text: str) -> str:
    """Return a text with its first letter capital and all others as they are."""
    return f"{text[:1].upper()}{text[1:]}"


def sentence(reason: object) -> str:
    """Return a reason, or an error, as a sentence: with a capital letter and a full stop; "" for none."""
    text = str(reason)
    return f"{capitalized(text)}." if text else ""
