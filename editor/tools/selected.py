"""What is done to a selection: moved, deleted, made a piece of, drawn again by symmetry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from editor.bench import NOTHING, Selection
from editor.draft import Draft, Edge, Square
from editor.edits.edges import rooms_beside, why_not, with_edges
from editor.edits.figures import figures_in, figures_of, moved_figures, placements_of
from editor.edits.lines import bare_kind
from editor.edits.pieces import cleared, edges_of, moved
from editor.edits.placing import taken_away
from editor.edits.symmetry import Symmetry, twin, twin_edge
from editor.edits.things import (
    changed_entry,
    changed_equipment,
    why_no_entry,
    why_no_equipment,
    without_entries,
    without_equipment,
)
from editor.tools.edge import SIDES
from editor.tools.layers import is_own
from engine.fortress.floorplan import STEP, Entry, Equipment, FloorPlan, Side


class Moved(NamedTuple):
    """A draft in which a selection is somewhere else, the selection there, and why not if it cannot be."""

    draft: Draft
    selection: Selection
    reason: str = ""


def squares_with_things(draft: Draft, chosen: Selection) -> frozenset[Square]:
    """Return every square that a selection has to do with."""
    plan = draft.plan
    equipment = ((plan.equipment[at].x, plan.equipment[at].y) for at in chosen.equipment)
    entries = ((plan.entries[at].x, plan.entries[at].y) for at in chosen.entries)
    figures = [
        *(placements_of(draft)[at].square for at in chosen.placements),
        *(square for at in chosen.figures if (square := figures_of(draft)[at].square) is not None),
    ]
    beside = [(max(x, 0), max(y, 0)) for x, y, _ in chosen.edges]
    return chosen.squares.union(equipment, entries, figures, beside)


def clamped(plan: FloorPlan, squares: Iterable[Square], step: Square) -> Square:
    """Return the step nearest to a step that leaves all squares on the map."""
    some = list(squares)
    if not some:
        return (0, 0)
    dx = max(-min(x for x, _ in some), min(step[0], plan.width - 1 - max(x for x, _ in some)))
    dy = max(-min(y for _, y in some), min(step[1], plan.height - 1 - max(y for _, y in some)))
    return dx, dy


def moved_by(draft: Draft, chosen: Selection, step: Square, symmetry: Symmetry = "off") -> Moved:
    """Return a draft with a selection so many columns and rows away; its twin goes the twin way.

    The step is cut short at the map's rim. A selection that overlaps its own twin moves alone.
    """
    step = clamped(draft.plan, squares_with_things(draft, chosen), step)
    done = _moved(draft, chosen, step)
    if symmetry == "off" or done.reason:
        return done
    other = twin_selection(draft, chosen, symmetry)
    mine, theirs = squares_with_things(draft, chosen), squares_with_things(draft, other)
    after = frozenset((x + step[0], y + step[1]) for x, y in mine)
    size = draft.plan.width, draft.plan.height
    if mine & theirs or after & frozenset(twin(one, symmetry, *size) for one in after):
        return done
    way = (
        -step[0] if symmetry in ("x", "half-turn") else step[0],
        -step[1] if symmetry in ("y", "half-turn") else step[1],
    )
    both = _moved(done.draft, other, way)
    return done if both.reason else Moved(both.draft, done.selection)


def _moved(draft: Draft, chosen: Selection, step: Square) -> Moved:
    """Return a draft with a selection moved by a step that leaves it on the map."""
    if step == (0, 0) or chosen == NOTHING:
        return Moved(draft, chosen)
    plan = draft.plan
    here = chosen.squares
    there = frozenset(_by(square, step) for square in here)
    placements, figures = figures_in(draft, here)
    made = moved_figures(draft, chosen.placements | placements, chosen.figures | figures, step)
    equipment = [plan.equipment[at] for at in sorted(chosen.equipment)]
    entries = [plan.entries[at] for at in sorted(chosen.entries)]
    if here:
        plan = _without_doors_in_rock(moved(plan, here, *step), {e for one in here for e in edges_of(one)})
    landed_equipment: list[Equipment] = []
    for one in equipment:
        goal = replace(one, x=one.x + step[0], y=one.y + step[1])
        if one not in plan.equipment and (one.x, one.y) not in here:
            continue  # squares were put over it
        if (one.x, one.y) not in here:
            at = plan.equipment.index(one)
            goals = [goal] if one.side is None else [replace(goal, side=side) for side in _sides(one.side)]
            reasons = [why_no_equipment(plan, each, at) for each in goals]
            if all(reasons):
                return Moved(draft, chosen, reasons[0])
            goal = goals[reasons.index("")]
            plan = changed_equipment(plan, at, goal)
        landed_equipment.append(goal)
    landed_entries: list[Entry] = []
    for entry in entries:
        way_in = replace(entry, x=entry.x + step[0], y=entry.y + step[1])
        if entry not in plan.entries and (entry.x, entry.y) not in here:
            continue
        if (entry.x, entry.y) not in here:
            at = plan.entries.index(entry)
            ways = [way_in] if entry.side is None else [replace(way_in, side=s) for s in _sides(entry.side)]
            reasons = [why_no_entry(plan, each, at) for each in (*ways, replace(way_in, side=None))]
            if all(reasons):
                return Moved(draft, chosen, reasons[0])
            way_in = (*ways, replace(way_in, side=None))[reasons.index("")]
            plan = changed_entry(plan, at, way_in)
        landed_entries.append(way_in)
    edges = {edge: draft.plan.edge_kind(*edge) for edge in chosen.edges if not _is_in(edge, here)}
    goals_of_edges = {(x + step[0], y + step[1], side): kind for (x, y, side), kind in edges.items()}
    if edges:
        plan = with_edges(plan, {edge: bare_kind(plan, edge) for edge in edges})
        for edge, kind in goals_of_edges.items():
            reason = why_not(plan, edge, kind)
            if reason:
                return Moved(draft, chosen, reason)
        plan = with_edges(plan, dict(goals_of_edges))
    selection = Selection(
        there,
        frozenset((x + step[0], y + step[1], side) for x, y, side in chosen.edges),
        frozenset(at for at, one in enumerate(plan.equipment) if one in landed_equipment),
        frozenset(at for at, one in enumerate(plan.entries) if one in landed_entries),
        chosen.placements,
        chosen.figures,
    )
    return Moved(made.with_plan(plan), selection)


def _by(square: Square, step: Square) -> Square:
    return square[0] + step[0], square[1] + step[1]


def _sides(first: Side) -> list[Side]:
    """Return the four sides, one of them first."""
    return sorted(SIDES, key=lambda side: side != first)


def _is_in(edge: Edge, squares: frozenset[Square]) -> bool:
    x, y, side = edge
    dx, dy = STEP[side]
    return (x, y) in squares and (x + dx, y + dy) in squares


def _without_doors_in_rock(plan: FloorPlan, edges: Iterable[Edge]) -> FloorPlan:
    """Return the plan without what stands on some edges that have rock on both sides."""
    stray = [one for one in edges if rooms_beside(plan, one) == (None, None) and is_own(plan, one)]
    return with_edges(plan, dict.fromkeys(stray)) if stray else plan


def deleted(draft: Draft, chosen: Selection, symmetry: Symmetry = "off") -> Draft:
    """Return a draft without what is selected, and without its twins: rock in place of squares."""
    if symmetry != "off":
        chosen = united(chosen, twin_selection(draft, chosen, symmetry))
    plan = draft.plan
    made = without_figures(draft, chosen)
    plan = without_equipment(plan, chosen.equipment)
    plan = without_entries(plan, chosen.entries)
    own = [edge for edge in chosen.edges if is_own(plan, edge)]
    plan = with_edges(plan, {edge: bare_kind(plan, edge) for edge in own})
    if chosen.squares:
        rims = {edge for square in chosen.squares for edge in edges_of(square)}
        plan = _without_doors_in_rock(cleared(plan, chosen.squares), rims)
    return made.with_plan(plan)


def without_figures(draft: Draft, chosen: Selection) -> Draft:
    """Return a draft without the figures that are selected or stand in selected squares."""
    placements, figures = figures_in(draft, chosen.squares)
    if draft.scenario is None:
        return draft
    is_placed = draft.scenario.start is None
    return taken_away(draft, chosen.placements | placements if is_placed else chosen.figures | figures)


def twin_selection(draft: Draft, chosen: Selection, symmetry: Symmetry) -> Selection:
    """Return what lies where a selection is drawn again; the scenario's figures have no twins."""
    plan = draft.plan
    size = plan.width, plan.height

    equipment = {
        twin((plan.equipment[at].x, plan.equipment[at].y), symmetry, *size) for at in chosen.equipment
    }
    entries = {twin((plan.entries[at].x, plan.entries[at].y), symmetry, *size) for at in chosen.entries}
    return Selection(
        frozenset(twin(one, symmetry, *size) for one in chosen.squares),
        frozenset(twin_edge(one, symmetry, *size) for one in chosen.edges),
        frozenset(at for at, one in enumerate(plan.equipment) if (one.x, one.y) in equipment),
        frozenset(at for at, one in enumerate(plan.entries) if (one.x, one.y) in entries),
    )


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
