"""Some squares mirrored or turned where they are, with all that is in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from editor.draft import Draft, Edge, Square
from editor.edits.carrying import carried
from editor.edits.edges import edges_of, with_edges
from editor.edits.pieces import cleared, cut, stamped, transformed
from editor.edits.squares import is_on, without_rooms
from editor.edits.transforms import Axis, Transform, mirror, turn


def mirrored_in_place(draft: Draft, squares: Iterable[Square], axis: Axis) -> tuple[Draft, frozenset[Square]]:
    """Return a draft with some squares mirrored in the box they lie in, and where they are now.

    Raises ValueError when none of them is on the map.
    """
    return _put_again(draft, squares, lambda width, height: mirror(axis, width, height))


def turned_in_place(draft: Draft, squares: Iterable[Square]) -> tuple[Draft, frozenset[Square]]:
    """Return a draft with some squares turned clockwise about the middle of the box they lie in.

    Raises ValueError when none of them is on the map, or when they do not fit on it the other way.
    """
    return _put_again(draft, squares, turn)


def _put_again(
    draft: Draft, squares: Iterable[Square], way: Callable[[int, int], Transform]
) -> tuple[Draft, frozenset[Square]]:
    plan = draft.plan
    inside = frozenset(square for square in squares if is_on(plan, square))
    if not inside:
        raise ValueError("select squares first: rooms, or a box of floor")
    piece, (left, top) = cut(plan, inside, with_ring=True)
    transform = way(piece.plan.width, piece.plan.height)
    made = transformed(piece, transform)
    width, height = transform.width, transform.height
    if width > plan.width or height > plan.height:
        raise ValueError("they do not fit on the map the other way")
    at = (
        max(0, min(plan.width - width, left + (piece.plan.width - width) // 2)),
        max(0, min(plan.height - height, top + (piece.plan.height - height) // 2)),
    )
    there = frozenset((x + at[0], y + at[1]) for x, y in made.squares)
    rims = {edge for square in inside for edge in edges_of(square)}
    covered = {edge for square in there for edge in edges_of(square)}
    emptied = with_edges(cleared(plan, inside), dict.fromkeys(rims - covered))
    # The rooms are listed still when their squares come back, so that they keep their places in the list.
    ground = replace(emptied, rooms=plan.rooms, no_sight=plan.no_sight)
    put = stamped(ground, made, at)
    put = without_rooms(put, {room.letter for room in plan.rooms} - set().union(*put.grid))

    def figure(square: Square) -> Square:
        if square not in inside:
            return square
        x, y = transform.to(square[0] - left, square[1] - top)
        return x + at[0], y + at[1]

    def thing(square: Square) -> Square | None:
        return None if square in there and square not in inside else figure(square)

    def door(edge: Edge) -> Edge | None:
        if edge not in rims:
            return None if edge in covered else edge
        x, y, side = transform.edge((edge[0] - left, edge[1] - top, edge[2]))
        return x + at[0], y + at[1], side

    return carried(draft, figure, door, thing).with_plan(put), there
