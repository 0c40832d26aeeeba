"""What lies under the pointer, from the top down, and what a selection is called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from editor.draft import Draft, Edge, Square
from editor.edits.edges import KIND_WORDS, is_something, rooms_beside
from editor.edits.figures import figure_words, figures_at, placements_of, start_figures_of
from editor.edits.squares import letter_at, squares_of
from editor.selection import Selection
from editor.words import at_edge, at_square, corner, counted, room_here
from engine.fortress.floorplan import ROCK, FloorPlan

Layer = Literal["figure", "equipment", "entry", "edge", "square", "room"]


class Pick(NamedTuple):
    """One thing under the pointer, as the selection of it alone."""

    layer: Layer
    selection: Selection


def picks(draft: Draft, square: Square | None, edge: Edge | None) -> Iterator[Pick]:
    """Yield what lies under a pointer on a square and near an edge, from the top down."""
    plan = draft.plan
    if square is not None:
        for at in reversed(figures_at(draft, square)):
            is_placed = draft.scenario is None or draft.scenario.start is None
            one = frozenset((at,))
            yield Pick("figure", Selection(placements=one) if is_placed else Selection(figures=one))
        for at, thing in enumerate(plan.equipment):
            if (thing.x, thing.y) == square:
                yield Pick("equipment", Selection(equipment=frozenset((at,))))
        for at, entry in enumerate(plan.entries):
            if (entry.x, entry.y) == square:
                yield Pick("entry", Selection(entries=frozenset((at,))))
    if edge is not None and is_something(plan, edge):
        yield Pick("edge", Selection(edges=frozenset((edge,))))
    if square is not None and letter_at(plan, square) != ROCK:
        yield Pick("square", Selection(squares=frozenset((square,))))
        yield Pick("room", Selection(squares=frozenset(squares_of(plan, letter_at(plan, square)))))


def described(draft: Draft, chosen: Selection) -> str:
    """Return a selection in words: "Door at 4,7 E", "12 squares at 3,4", "5 things"; "" for none."""
    plan = draft.plan
    things = [
        *(figure_words(start_figures_of(draft)[at]) for at in sorted(chosen.figures)),
        *(figure_words(placements_of(draft)[at]) for at in sorted(chosen.placements)),
        *(_equipment(plan, at) for at in sorted(chosen.equipment)),
        *(f"Entry {plan.entries[at].name}" for at in sorted(chosen.entries)),
        *(_edge(plan, edge) for edge in sorted(chosen.edges)),
    ]
    if chosen.squares:
        place = at_square(corner(chosen.squares))
        count = len(chosen.squares)
        text = f"Square {place}, {room_here(plan, corner(chosen.squares))}" if count == 1 else ""
        room = plan.room_at(*corner(chosen.squares))
        if room is not None and chosen.squares == frozenset(squares_of(plan, room.letter)):
            text = f"All of {room.name}"
        text = text or f"{counted(count, 'square')} at {place}"
        return f"{text} and {counted(len(things), 'thing')}" if things else text
    return things[0] if len(things) == 1 else counted(len(things), "thing") if things else ""


def _equipment(plan: FloorPlan, at: int) -> str:
    one = plan.equipment[at]
    return f"{one.kind.capitalize()} at {at_square((one.x, one.y))}"


def _edge(plan: FloorPlan, edge: Edge) -> str:
    kind = plan.edge_kind(*edge)
    here, there = rooms_beside(plan, edge)
    word = "partition wall" if kind == "wall" and here is there else KIND_WORDS[kind]
    return f"{word.capitalize()} at {at_edge(edge)}"
