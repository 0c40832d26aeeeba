"""The fix of a key that nobody here knows: it is taken out of the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from editor.draft import Draft
from editor.problems.fixes.fix import Fix
from engine.core.files import Part, unknown_fields
from engine.fortress.floorplan import FloorPlan
from engine.fortress.problems import Problem

PartT = TypeVar("PartT", bound=Part)


def remove_unknown(draft: Draft, problem: Problem) -> Iterator[Fix]:
    """Yield the draft without the key that a problem names."""
    if draft.scenario is None:
        for plan in _without_one(draft.plan):
            if not _has(plan, problem.place):
                yield Fix("Remove the field", draft.with_plan(plan))
                return
        return
    for whole in _without_one(draft.whole):
        if not _has(whole, problem.place):
            assert isinstance(whole.map, FloorPlan)
            scenario = replace(whole, map=draft.scenario.map)
            yield Fix("Remove the field", draft._replace(scenario=scenario).with_plan(whole.map))
            return


def _has(part: Part, place: str) -> bool:
    return any(field.place == place for field in unknown_fields(part))


def _without_one(part: PartT) -> Iterator[PartT]:
    """Yield a part without one unknown key, for each of its own and of the parts within it."""
    for key, _ in part.extra:
        yield replace(part, extra=tuple(pair for pair in part.extra if pair[0] != key))
    for field in msgspec.structs.fields(part):
        value = getattr(part, field.name)
        if isinstance(value, Part):
            for made in _without_one(value):
                yield replace(part, **{field.name: made})
        elif isinstance(value, tuple) and field.name != "extra":
            for at, one in enumerate(value):
                if isinstance(one, Part):
                    for made in _without_one(one):
                        yield replace(part, **{field.name: (*value[:at], made, *value[at + 1 :])})
