"""What is done to a selection: moved, deleted, made a piece of, drawn again by symmetry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from editor.draft import Draft, Edge, Square
from editor.edits.carrying import carried
from editor.edits.edges import edges_of, gates, is_between, is_own, rooms_beside, why_not, with_edges
from editor.edits.figures import (
    figures_in,
    moved_figures,
    placements_of,
    shown_figures,
    start_figures_of,
    taken_away,
    why_not_there,
)
from editor.edits.lines import bared
from editor.edits.pieces import cleared, moved
from editor.edits.symmetry import Symmetry, twin, twin_edge
from editor.edits.things import (
    changed_entry,
    changed_equipment,
    why_no_entry,
    why_no_equipment,
    without_entries,
    without_equipment,
)
from editor.selection import NOTHING, Selection, united
from engine.fortress.floorplan import COMPASS, Entry, Equipment, FloorPlan, Side

Thing = TypeVar("Thing", Equipment, Entry)


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
        *(square for at in chosen.figures if (square := start_figures_of(draft)[at].square) is not None),
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
    here = chosen.squares
    rims = {edge for square in here for edge in edges_of(square)}
    carried_along = {edge for edge in rims if is_between(edge, here)} | gates(draft.plan, here)
    edges = chosen.edges - carried_along
    if not all(is_own(draft.plan, edge) for edge in edges):
        return Moved(draft, chosen, "two rooms make that wall; it goes where they go")
    plan = draft.plan
    if here:
        plan = _without_doors_in_rock(moved(plan, here, *step), rims)
    # Numbers change where squares were put over equipment and entries.
    equipment = _numbers(plan.equipment, (draft.plan.equipment[at] for at in chosen.equipment))
    entries = _numbers(plan.entries, (draft.plan.entries[at] for at in chosen.entries))
    for at in equipment:
        plan = changed_equipment(plan, at, _shifted(plan.equipment[at], step))
    for at in entries:
        plan = changed_entry(plan, at, _shifted(plan.entries[at], step))
    plan, reason = _edges_moved(draft.plan, plan, edges, step)
    # All is in its new place: only now can be told what is in whose way.
    for at in equipment:
        plan, why = _equipment_settled(plan, at)
        reason = reason or why
    for at in entries:
        plan, why = _entry_settled(plan, at)
        reason = reason or why
    made = _scenario_moved(draft, chosen, edges | carried_along, step)
    made = made.with_plan(plan)
    if not here:
        shown = shown_figures(made)
        squares = ((at, shown[at].square) for at in chosen.placements | chosen.figures if at < len(shown))
        reasons = (why_not_there(made, square, at) for at, square in squares if square is not None)
        reason = reason or next(filter(None, reasons), "")
    if reason:
        return Moved(draft, chosen, reason)
    carried_equipment = (_shifted(draft.plan.equipment[at], step) for at in chosen.equipment)
    carried_entries = (_shifted(draft.plan.entries[at], step) for at in chosen.entries)
    selection = Selection(
        frozenset(_by(square, step) for square in here),
        frozenset(_edge_by(edge, step) for edge in chosen.edges),
        frozenset((*equipment, *_numbers(plan.equipment, carried_equipment))),
        frozenset((*entries, *_numbers(plan.entries, carried_entries))),
        chosen.placements,
        chosen.figures,
    )
    return Moved(made, selection)


def _scenario_moved(draft: Draft, chosen: Selection, edges: frozenset[Edge], step: Square) -> Draft:
    """Return a draft whose scenario follows a selection by a step, and some edges with it."""
    here = chosen.squares
    things = here.union((draft.plan.equipment[at].x, draft.plan.equipment[at].y) for at in chosen.equipment)
    covered = {_by(square, step) for square in here}
    goals = gates(draft.plan, covered).union(_edge_by(edge, step) for edge in edges)

    def figure(square: Square) -> Square:
        return _by(square, step) if square in here else square

    def thing(square: Square) -> Square | None:
        if square in things:
            return _by(square, step)
        return None if square in covered else square

    def door(edge: Edge) -> Edge | None:
        if edge in edges:
            return _edge_by(edge, step)
        return None if edge in goals else edge

    placements, figures = figures_in(draft, here)
    made = carried(draft, figure, door, thing)
    return moved_figures(made, chosen.placements - placements, chosen.figures - figures, step)


def _edges_moved(
    before: FloorPlan, plan: FloorPlan, edges: Iterable[Edge], step: Square
) -> tuple[FloorPlan, str]:
    """Return a plan with what stands on some edges on others, and why that cannot be."""
    kinds = {edge: before.edge_kind(*edge) for edge in edges}
    if not kinds:
        return plan, ""
    plan = bared(plan, kinds)
    goals = {_edge_by(edge, step): kind for edge, kind in kinds.items()}
    reason = next(filter(None, (why_not(plan, edge, kind) for edge, kind in goals.items())), "")
    return with_edges(plan, dict(goals)), reason


def _equipment_settled(plan: FloorPlan, at: int) -> tuple[FloorPlan, str]:
    """Return a plan with equipment along a wall of its new square, and why it cannot stand there."""
    thing = plan.equipment[at]
    goals = [thing] if thing.side is None else [replace(thing, side=side) for side in _sides(thing.side)]
    reasons = [why_no_equipment(plan, goal, at) for goal in goals]
    if "" in reasons:
        return changed_equipment(plan, at, goals[reasons.index("")]), ""
    return plan, reasons[0]


def _entry_settled(plan: FloorPlan, at: int) -> tuple[FloorPlan, str]:
    """Return a plan with an entry through a side of its new square that leads out, and why it cannot be."""
    entry = plan.entries[at]
    goals = [entry] if entry.side is None else [replace(entry, side=side) for side in _sides(entry.side)]
    goals.append(replace(entry, side=None))
    reasons = [why_no_entry(plan, goal, at) for goal in goals]
    if "" in reasons:
        return changed_entry(plan, at, goals[reasons.index("")]), ""
    return plan, reasons[0]


def _shifted(thing: Thing, step: Square) -> Thing:
    return replace(thing, x=thing.x + step[0], y=thing.y + step[1])


def _numbers(things: tuple[Thing, ...], wanted: Iterable[Thing]) -> list[int]:
    """Return the numbers of some things that are there still."""
    return [things.index(one) for one in wanted if one in things]


def _by(square: Square, step: Square) -> Square:
    return square[0] + step[0], square[1] + step[1]


def _edge_by(edge: Edge, step: Square) -> Edge:
    return edge[0] + step[0], edge[1] + step[1], edge[2]


def _sides(first: Side) -> list[Side]:
    """Return the four sides, one of them first."""
    return sorted(COMPASS, key=lambda side: side != first)


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
    plan = bared(plan, (edge for edge in chosen.edges if is_own(plan, edge)))
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
