"""What the scenario names on the map goes along when the map, or a part of it, goes elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from editor.draft import Draft, Edge, Square
from engine.fortress.floorplan import owner
from engine.fortress.thing_names import door_name, equipment_name, parsed_name
from engine.raid.figures import TERMINATOR_NAMES
from engine.raid.scenario import StartFigure, StartPosition

SquareMap = Callable[[Square], Square | None]
"""Where a square goes; None off the map."""
EdgeMap = Callable[[Edge], Edge | None]
"""Where an edge, by its owner, goes; None off the map."""


def carried(draft: Draft, squares: SquareMap, edges: EdgeMap, equipment: SquareMap | None = None) -> Draft:
    """Return the draft whose scenario follows the map: figures, and what is destroyed at the start.

    `equipment` says where the equipment of a square goes, if not with the square. What goes off the map
    is gone, but for the Terminators of a start position, who wait off the map then (7).
    """
    scenario = draft.scenario
    if scenario is None:
        return draft
    placements = tuple(
        replace(one, square=there)
        for one in scenario.placements
        if (there := squares(one.square)) is not None
    )
    start = scenario.start
    if start is not None:
        start = replace(
            start,
            figures=tuple(_figures(start, squares)),
            doors=tuple(_names(start.doors, squares, edges)),
            equipment=tuple(_names(start.equipment, equipment or squares, edges)),
        )
    made = replace(scenario, placements=placements, start=start)
    return draft if made == scenario else draft._replace(scenario=made)


def _figures(start: StartPosition, squares: SquareMap) -> Iterator[StartFigure]:
    for one in start.figures:
        if one.square is None:
            yield one
            continue
        there = squares(one.square)
        if there is not None:
            yield replace(one, square=there)
        elif one.name in TERMINATOR_NAMES:
            yield replace(one, square=None, place="off", entry=None)


def _names(names: Iterable[str], squares: SquareMap, edges: EdgeMap) -> Iterator[str]:
    """Yield the names of things where they are now; one that names no place stays as it is."""
    for name in names:
        named = parsed_name(name)
        if named is None:
            yield name
        elif named.side is not None:
            edge = edges(owner(named.x, named.y, named.side))
            if edge is not None:
                yield door_name(*edge)
        else:
            there = squares((named.x, named.y))
            if there is not None:
                yield equipment_name(named.kind, *there)
