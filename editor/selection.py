"""What is selected: squares, edges, things and figures; it is never on the undo stack."""

from __future__ import annotations

from typing import Final, NamedTuple

from editor.draft import Edge, Square


class Selection(NamedTuple):
    """What is selected: squares, edges, equipment and entries (by number).

    `placements` and `figures` are the scenario's fixed placements and the figures of its start position.
    """

    squares: frozenset[Square] = frozenset()
    edges: frozenset[Edge] = frozenset()
    equipment: frozenset[int] = frozenset()
    entries: frozenset[int] = frozenset()
    placements: frozenset[int] = frozenset()
    figures: frozenset[int] = frozenset()


NOTHING: Final = Selection()


def united(some: Selection, others: Selection) -> Selection:
    """Return what either of two selections has."""
    return Selection(
        some.squares | others.squares,
        some.edges | others.edges,
        some.equipment | others.equipment,
        some.entries | others.entries,
        some.placements | others.placements,
        some.figures | others.figures,
    )


def without(some: Selection, others: Selection) -> Selection:
    """Return what a selection has and another one has not."""
    return Selection(
        some.squares - others.squares,
        some.edges - others.edges,
        some.equipment - others.equipment,
        some.entries - others.entries,
        some.placements - others.placements,
        some.figures - others.figures,
    )


def has(some: Selection, others: Selection) -> bool:
    """Return whether a selection holds all of another one."""
    return united(some, others) == some
