"""Pieces put down again: rooms of their own, mirrored where symmetry is on, and passed on as text."""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from editor.draft import Edge, Square
from editor.edits.edges import Extra, doorways, is_between, is_edge
from editor.edits.pieces import Piece, cut, free_name, mirrored, stamped
from editor.edits.squares import free_letter, letter_at, squares_of
from editor.edits.symmetry import Symmetry
from engine.core.files import BadFile
from engine.fortress.floorplan import (
    ROCK,
    STEP,
    EdgeKind,
    FloorPlan,
    RoomInfo,
    format_floorplan,
    owner,
    parse_floorplan,
)
from engine.fortress.plan_text import is_plan_text, parse_floorplan_text

Axis = Literal["x", "y"]
_AXES: dict[Symmetry, tuple[Axis, ...]] = {"off": (), "x": ("x",), "y": ("y",), "half-turn": ("x", "y")}


def without_ring(piece: Piece) -> Piece:
    """Return a piece without what stands round it, but for the doors of its entries."""
    ways = doorways(piece.plan.entries)
    return piece._replace(
        edges=tuple(
            (edge, kind)
            for edge, kind in piece.edges
            if is_between(edge, piece.squares) or (edge in ways and kind != "wall")
        )
    )


def put(plan: FloorPlan, piece: Piece, at: Square, symmetry: Symmetry = "off") -> FloorPlan:
    """Return the plan with a piece put down, its corner at a square, and its twin.

    A room of the piece is the map's room of the same letter and name only where the two touch.
    """
    made = stamped(plan, _with_own_rooms(plan, piece, at), at)
    if symmetry == "off":
        return made
    other, there = twin_of(piece, at, symmetry, plan)
    return (
        made if (other, there) == (piece, at) else stamped(made, _with_own_rooms(made, other, there), there)
    )


def twin_of(piece: Piece, at: Square, symmetry: Symmetry, plan: FloorPlan) -> tuple[Piece, Square]:
    """Return a piece as symmetry draws it again, and where."""
    other = piece
    x, y = at
    for axis in _AXES[symmetry]:
        other = mirrored(other, axis)
        if axis == "x":
            x = plan.width - x - piece.plan.width
        else:
            y = plan.height - y - piece.plan.height
    return other, (x, y)


def _with_own_rooms(plan: FloorPlan, piece: Piece, at: Square) -> Piece:
    """Return a piece whose rooms are other ones than the map's, but for those that touch them."""
    covered = frozenset((x + at[0], y + at[1]) for x, y in piece.squares)
    there = {room.letter: room for room in plan.rooms}
    small = piece.plan
    names = {room.name for room in (*plan.rooms, *small.rooms)}
    rooms: list[RoomInfo] = []
    letters: dict[str, str] = {}
    for room in small.rooms:
        same = there.get(room.letter)
        if same is not None and same.name == room.name:
            mine = {(x + at[0], y + at[1]) for x, y in squares_of(small, room.letter)}
            if not _is_beside(plan, room.letter, mine, covered):
                both = replace(plan, rooms=(*plan.rooms, *small.rooms, *rooms))
                letter, name = free_letter(both), free_name(room.name, names)
                names.add(name)
                letters[room.letter] = letter
                rooms.append(replace(room, letter=letter, name=name))
                continue
        rooms.append(room)
    if not letters:
        return piece
    table = str.maketrans(letters)
    grid = tuple(row.translate(table) for row in small.grid)
    return piece._replace(plan=replace(small, grid=grid, rooms=tuple(rooms)))


def _is_beside(plan: FloorPlan, letter: str, squares: set[Square], covered: frozenset[Square]) -> bool:
    """Return whether squares touch what is left of a room when others are covered, or nothing is left."""
    beside = {(x + dx, y + dy) for x, y in squares for dx, dy in STEP.values()} - covered
    if any(letter_at(plan, square) == letter for square in beside):
        return True
    return sum(row.count(letter) for row in plan.grid) == sum(
        letter_at(plan, one) == letter for one in covered
    )


PIECE: Final = "kungfu2100.piece"


class _Kept(msgspec.Struct, frozen=True):
    """A piece as it is passed on: its plan as a map file holds it, its squares, edges and unknown fields."""

    format: Literal["kungfu2100.piece"]
    plan: msgspec.Raw
    squares: list[Square]
    edges: list[tuple[Edge, EdgeKind]]
    extras: list[tuple[Edge, Extra]] = []


def format_piece(piece: Piece) -> str:
    """Return a piece as a text that another window, or a friend, can paste."""
    plan = msgspec.Raw(format_floorplan(piece.plan))
    kept = _Kept(PIECE, plan, sorted(piece.squares), list(piece.edges), list(piece.extras))
    return msgspec.json.encode(kept).decode()


def parse_piece(text: str) -> Piece:
    """Return the piece that a text holds: one that was copied, or a floor plan in the text format.

    Raises BadFile where it holds none.
    """
    try:
        kept = msgspec.json.decode(text, type=_Kept)
    except (msgspec.DecodeError, UnicodeEncodeError):
        # Any word would be a row of letters: in the clipboard only what says that it is a plan is one.
        if not is_plan_text(text.encode(errors="replace")):
            raise BadFile(["is no piece of a map and no plan"]) from None
        plan = parse_floorplan_text(text)
        squares = {(x, y) for y, row in enumerate(plan.grid) for x, one in enumerate(row) if one != ROCK}
        if not squares:
            raise BadFile(["there is nothing but rock"]) from None
        return cut(plan, squares, with_ring=True)[0]
    plan = parse_floorplan(bytes(kept.plan))
    inside = {(x, y) for y in range(plan.height) for x in range(plan.width)}
    edges = tuple((owner(*edge), kind) for edge, kind in kept.edges if is_edge(plan, owner(*edge)))
    extras = tuple((owner(*edge), extra) for edge, extra in kept.extras)
    return Piece(plan, frozenset(kept.squares) & inside, edges, extras)
