"""Some squares mirrored or turned where they are, with all that is in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from msgspec.structs import replace

from editor.draft import Draft, Square
from editor.edits.pieces import Piece, cleared, cut, mirrored, stamped, turned
from editor.edits.squares import is_on, without_rooms


def mirrored_in_place(
    draft: Draft, squares: Iterable[Square], axis: Literal["x", "y"]
) -> tuple[Draft, frozenset[Square]]:
    """Return a draft with some squares mirrored in the box they lie in, and where they are now.

    Raises ValueError when none of them is on the map.
    """

    def to(square: Square, width: int, height: int) -> Square:
        x, y = square
        return (width - 1 - x, y) if axis == "x" else (x, height - 1 - y)

    return _put_again(draft, squares, lambda piece: mirrored(piece, axis), to)


def turned_in_place(draft: Draft, squares: Iterable[Square]) -> tuple[Draft, frozenset[Square]]:
    """Return a draft with some squares turned clockwise about the middle of the box they lie in.

    Raises ValueError when none of them is on the map, or when they do not fit on it the other way.
    """

    def to(square: Square, _width: int, height: int) -> Square:
        return height - 1 - square[1], square[0]

    return _put_again(draft, squares, turned, to)


def _put_again(
    draft: Draft,
    squares: Iterable[Square],
    way: Callable[[Piece], Piece],
    to: Callable[[Square, int, int], Square],
) -> tuple[Draft, frozenset[Square]]:
    plan = draft.plan
    inside = frozenset(square for square in squares if is_on(plan, square))
    if not inside:
        raise ValueError("select squares first: rooms, or a box of floor")
    piece, (left, top) = cut(plan, inside, with_ring=True)
    made = way(piece)
    width, height = made.plan.width, made.plan.height
    if width > plan.width or height > plan.height:
        raise ValueError("they do not fit on the map the other way")
    at = (
        max(0, min(plan.width - width, left + (piece.plan.width - width) // 2)),
        max(0, min(plan.height - height, top + (piece.plan.height - height) // 2)),
    )
    emptied = cleared(plan, inside)
    # The rooms are listed still when their squares come back, so that they keep their places in the list.
    ground = replace(emptied, rooms=plan.rooms, no_sight=plan.no_sight)
    put = stamped(ground, made, at)
    put = without_rooms(put, {room.letter for room in plan.rooms} - set().union(*put.grid))
    there = frozenset((x + at[0], y + at[1]) for x, y in made.squares)

    def carried(square: Square) -> Square:
        x, y = to((square[0] - left, square[1] - top), piece.plan.width, piece.plan.height)
        return x + at[0], y + at[1]

    return _with_figures(draft, inside, carried).with_plan(put), there


def _with_figures(draft: Draft, inside: frozenset[Square], carried: Callable[[Square], Square]) -> Draft:
    """Return the draft with the figures in some squares carried along."""
    scenario = draft.scenario
    if scenario is None:
        return draft
    placements = tuple(
        replace(one, square=carried(one.square)) if one.square in inside else one
        for one in scenario.placements
    )
    start = scenario.start
    if start is not None:
        figures = tuple(
            replace(one, square=carried(one.square))
            if one.square is not None and one.square in inside
            else one
            for one in start.figures
        )
        start = replace(start, figures=figures)
    return draft._replace(scenario=replace(scenario, placements=placements, start=start))
