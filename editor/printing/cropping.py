"""The map without the empty rock round it, for paper; the scenario on it goes along."""

from __future__ import annotations

from editor.draft import Draft
from editor.edits.whole import losses, resized
from engine.fortress.floorplan import ROCK


def cropped(draft: Draft) -> Draft:
    """Return a draft without the rows and columns of rock at its map's rim, as far as they hold nothing.

    Squares count anew from the first that is left, on the map's rim and wherever they are named.
    """
    plan = draft.plan
    floor = [(x, y) for y, row in enumerate(plan.grid) for x, letter in enumerate(row) if letter != ROCK]
    if not floor:
        return draft
    columns, rows = {x for x, _ in floor}, {y for _, y in floor}
    sides = (-min(columns), -min(rows), max(columns) + 1 - plan.width, max(rows) + 1 - plan.height)
    return draft if losses(draft, *sides) else resized(draft, *sides)
