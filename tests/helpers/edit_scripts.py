"""Random edits: what a designer at work could do to a draft, one step after another."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Literal

import msgspec

from editor.draft import Draft, Edge, Square
from editor.edits import edges, pieces, rooms, squares, symmetry, things, whole
from engine.fortress.floorplan import COMPASS, ROCK, EdgeKind, Entry, Equipment, FloorPlan
from engine.raid.scenario import Placement, Scenario

KINDS: tuple[EdgeKind | None, ...] = ("door", "armored", "dropoff", "open", "wall", None)
SYMMETRIES: tuple[symmetry.Symmetry, ...] = ("off", "off", "x", "y", "half-turn")


class Script:
    """A random designer: `step` returns the next draft, which may be the same."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def step(self, draft: Draft) -> tuple[str, Draft]:
        """Return what is done in a word, and the draft it leads to."""
        edit = self.rng.choice(
            (
                self.room,
                self.room,
                self.stroke,
                self.stroke,
                self.fill,
                self.edges,
                self.edges,
                self.thing,
                self.entry,
                self.rename,
                self.merge,
                self.blind,
                self.stamp,
                self.move,
                self.remove,
                self.size,
                self.turn,
                self.placement,
                self.switch,
            )
        )
        return edit.__name__, edit(draft)

    def _square(self, plan: FloorPlan) -> Square:
        return self.rng.randrange(plan.width), self.rng.randrange(plan.height)

    def _box(self, plan: FloorPlan, most: int = 6) -> frozenset[Square]:
        x, y = self._square(plan)
        wide, high = self.rng.randint(1, most), self.rng.randint(1, most)
        box = {(x + dx, y + dy) for dx in range(wide) for dy in range(high)}
        kind = self.rng.choice(SYMMETRIES)
        return symmetry.with_twins(box, kind, plan.width, plan.height)

    def _letter(self, plan: FloorPlan) -> str:
        return self.rng.choice([room.letter for room in plan.rooms] or [ROCK])

    def room(self, draft: Draft) -> Draft:
        """Draw a new room."""
        return draft.with_plan(squares.with_new_room(draft.plan, self._box(draft.plan))[0])

    def stroke(self, draft: Draft) -> Draft:
        """Extend a room, or erase."""
        letter = ROCK if self.rng.random() < 0.2 else self._letter(draft.plan)
        return draft.with_plan(squares.paint(draft.plan, self._box(draft.plan, 3), letter))

    def fill(self, draft: Draft) -> Draft:
        """Give the area at a square to a room."""
        area = squares.area_at(draft.plan, self._square(draft.plan))
        return draft.with_plan(squares.paint(draft.plan, area, self._letter(draft.plan)))

    def edges(self, draft: Draft) -> Draft:
        """Put something on some edges, the map's rim among them."""
        plan = draft.plan
        kind = self.rng.choice(SYMMETRIES)
        some: set[Edge] = set()
        for _ in range(self.rng.randint(1, 5)):
            x, y = self._square(plan)
            some.add((x - self.rng.randint(0, 1), y, "E") if self.rng.random() < 0.5 else (x, y - 1, "S"))
        chosen = symmetry.with_twin_edges(some, kind, plan.width, plan.height)
        return draft.with_plan(edges.with_edges(plan, dict.fromkeys(chosen, self.rng.choice(KINDS))))

    def thing(self, draft: Draft) -> Draft:
        """Put up equipment, or change it."""
        plan = draft.plan
        kind: Literal["tank", "computer"] = self.rng.choice(("tank", "computer"))
        x, y = self._square(plan)
        made = Equipment(kind=kind, x=x, y=y, side=self.rng.choice(COMPASS) if kind == "computer" else None)
        if plan.equipment and self.rng.random() < 0.3:
            at = self.rng.randrange(len(plan.equipment))
            return draft.with_plan(things.changed_equipment(plan, at, made))
        return draft.with_plan(things.with_equipment(plan, made))

    def entry(self, draft: Draft) -> Draft:
        """Add an entry."""
        x, y = self._square(draft.plan)
        side = self.rng.choice((None, *COMPASS))
        name = things.new_entry_name(draft.plan)
        made = Entry(
            name=name, x=x, y=y, enter=self.rng.randint(0, 3), leave=self.rng.randint(0, 3), side=side
        )
        return draft.with_plan(things.with_entry(draft.plan, made))

    def rename(self, draft: Draft) -> Draft:
        """Give a room another name, letter and set-up."""
        plan = draft.plan
        if not plan.rooms:
            return draft
        letter = self._letter(plan)
        made = rooms.with_room(
            plan,
            letter,
            new_letter=squares.free_letter(plan),
            name=f"Hall {self.rng.randrange(10**6)}",
            setup="".join(self.rng.sample("STJ", self.rng.randint(0, 3))),
        )
        return draft.with_plan(made)

    def merge(self, draft: Draft) -> Draft:
        """Make a room part of another."""
        if len(draft.plan.rooms) < 4:
            return draft
        return draft.with_plan(rooms.merged(draft.plan, self._letter(draft.plan), [self._letter(draft.plan)]))

    def blind(self, draft: Draft) -> Draft:
        """Let two rooms not see one another, or see."""
        names = [room.name for room in draft.plan.rooms]
        if len(names) < 2:
            return draft
        a, b = self.rng.sample(names, 2)
        return draft.with_plan(rooms.with_sight_pair(draft.plan, a, b, self.rng.random() < 0.7))

    def _piece(self, plan: FloorPlan) -> pieces.Piece:
        piece, _ = pieces.cut(plan, self._box(plan), with_ring=self.rng.random() < 0.5)
        turn: Callable[[pieces.Piece], pieces.Piece] = self.rng.choice(
            (lambda one: one, pieces.mirrored, pieces.turned, lambda one: pieces.mirrored(one, "y"))
        )
        return turn(piece)

    def stamp(self, draft: Draft) -> Draft:
        """Put a copy of some squares down elsewhere, also over the rim."""
        x, y = self._square(draft.plan)
        return draft.with_plan(pieces.stamped(draft.plan, self._piece(draft.plan), (x - 2, y - 2)))

    def move(self, draft: Draft) -> Draft:
        """Move some squares."""
        by = self.rng.randint(-3, 3), self.rng.randint(-3, 3)
        return draft.with_plan(pieces.moved(draft.plan, self._box(draft.plan), *by))

    def remove(self, draft: Draft) -> Draft:
        """Clear some squares, or take equipment away."""
        if draft.plan.equipment and self.rng.random() < 0.5:
            return draft.with_plan(things.without_equipment(draft.plan, {0}))
        return draft.with_plan(pieces.cleared(draft.plan, self._box(draft.plan, 3)))

    def size(self, draft: Draft) -> Draft:
        """Make the map larger or smaller at its sides."""
        by = [self.rng.randint(-2, 2) for _ in range(4)]
        width = draft.plan.width + by[0] + by[2]
        height = draft.plan.height + by[1] + by[3]
        return whole.resized(draft, *by) if 6 <= width <= 30 and 6 <= height <= 30 else draft

    def turn(self, draft: Draft) -> Draft:
        """Mirror or turn the whole map."""
        if self.rng.random() < 0.5:
            return whole.turned(draft)
        return whole.mirrored(draft, self.rng.choice(("x", "y")))

    def placement(self, draft: Draft) -> Draft:
        """Let a figure of the scenario start on a square."""
        if draft.scenario is None:
            return draft
        one = Placement(
            kind=self.rng.choice(("jelly", "servant", "technician")), square=self._square(draft.plan)
        )
        placements = (*draft.scenario.placements, one)[-6:]
        return draft._replace(scenario=msgspec.structs.replace(draft.scenario, placements=placements))

    def switch(self, draft: Draft) -> Draft:
        """Turn a rule, make a scenario of the map, or leave only the map."""
        if draft.scenario is None:
            return draft._replace(scenario=Scenario(name="Script", map=""))
        if self.rng.random() < 0.1:
            return Draft(draft.plan)
        turns = self.rng.randint(1, 20)
        return draft._replace(scenario=msgspec.structs.replace(draft.scenario, turns=turns))
