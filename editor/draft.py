"""What is being edited: a map, or a scenario with its map."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec

from engine.fortress.floorplan import FloorPlan, Side, format_floorplan, owner, tidied
from engine.raid.scenario import Scenario, format_scenario

OWN_MAP = ""
"""What `Draft.scenario.map` says while the map is kept in the scenario's own file."""

Square = tuple[int, int]
Edge = tuple[int, int, Side]
"""An edge by its owner, as `engine.fortress.floorplan.owner` names it."""


class Draft(NamedTuple):
    """A map, or a scenario with its map; it never changes, so that keeping one is keeping a version.

    `plan` is the map. `scenario.map` is only the map's name, of a shipped map or of a file beside the
    scenario's, or `OWN_MAP`; what is played and saved is made by `whole` and `content`.
    """

    plan: FloorPlan
    scenario: Scenario | None = None

    @property
    def name(self) -> str:
        """The title of the scenario, or of the map."""
        return self.scenario.name if self.scenario is not None else self.plan.name

    @property
    def kind(self) -> Literal["map", "scenario"]:
        """Which kind of file holds the draft."""
        return "map" if self.scenario is None else "scenario"

    @property
    def whole(self) -> Scenario:
        """The scenario with its map in it, to be checked and played; a bare map gives the Basic one (6.1)."""
        if self.scenario is None:
            return Scenario(name=self.plan.name, map=self.plan)
        return msgspec.structs.replace(self.scenario, map=self.plan)

    @property
    def content(self) -> FloorPlan | Scenario:
        """What the draft's file holds."""
        if self.scenario is None or self.scenario.map != OWN_MAP:
            return self.scenario or self.plan
        return self.whole

    def with_plan(self, plan: FloorPlan) -> Draft:
        """Return the draft with another map; a scenario that only named its map now keeps it in its file."""
        if plan == self.plan:
            return self
        scenario = self.scenario
        if scenario is not None and scenario.map != OWN_MAP:
            scenario = msgspec.structs.replace(scenario, map=OWN_MAP)
        return Draft(plan, scenario)

    def tidied(self, before: Draft) -> Draft:
        """Return the draft as any designer would save it, if its map is not that of `before`."""
        return self if self.plan is before.plan else self._replace(plan=tidied(self.plan))


def format_draft(draft: Draft) -> bytes:
    """Return the bytes of the draft's file; the same draft always gives the same bytes."""
    content = draft.content
    return format_floorplan(content) if isinstance(content, FloorPlan) else format_scenario(content)


class Change(NamedTuple):
    """What differs between the draft that was and the draft that is.

    `squares` have another room than before, `edges` may look different; both are None where too much
    changed to be told apart (another size, another file). `fields` names what else changed: fields of the
    map ("rooms", "equipment", "entries", "no_sight", "name", "notes", "extra") and "scenario".
    """

    squares: frozenset[Square] | None
    edges: frozenset[Edge] | None
    fields: frozenset[str]

    @property
    def is_of_map(self) -> bool:
        """Whether anything of the map changed."""
        return self.squares is None or bool(self.squares or self.edges or self.fields - {"scenario"})


def change_between(before: Draft, after: Draft) -> Change:
    """Return what changed from one draft to another."""
    old, new = before.plan, after.plan
    fields = {"scenario"} if before.scenario != after.scenario else set()
    if old is new:
        return Change(frozenset(), frozenset(), frozenset(fields))
    fields |= {
        field
        for field in ("rooms", "equipment", "entries", "no_sight", "name", "notes", "extra")
        if getattr(old, field) is not getattr(new, field) and getattr(old, field) != getattr(new, field)
    }
    if (old.width, old.height) != (new.width, new.height):
        return Change(None, None, frozenset(fields))
    squares = frozenset(_squares_between(old, new))
    edges = set(_edges_round(squares))
    if old.edges is not new.edges:
        edges |= {owner(edge.x, edge.y, edge.side) for edge in set(old.edges).symmetric_difference(new.edges)}
    return Change(squares, frozenset(edges), frozenset(fields))


def _squares_between(old: FloorPlan, new: FloorPlan) -> Iterator[Square]:
    for y, (was, now) in enumerate(zip(old.grid, new.grid, strict=True)):
        if was is not now and was != now:
            yield from ((x, y) for x, (one, other) in enumerate(zip(was, now, strict=True)) if one != other)


def _edges_round(squares: frozenset[Square]) -> Iterator[Edge]:
    for x, y in squares:
        yield from ((x, y, "E"), (x, y, "S"), (x - 1, y, "E"), (x, y - 1, "S"))
