"""The fixes of a problem, by its code and by where it is."""

from __future__ import annotations

from typing import Final

from editor.draft import Draft
from editor.problems.fixes.fix import Finder, Fix
from editor.problems.fixes.on_map import ON_MAP
from editor.problems.fixes.on_scenario import ON_SCENARIO, as_many_as_fit
from editor.problems.fixes.unknown import remove_unknown
from engine.fortress.problems import Problem

ANYWHERE: Final[dict[str, Finder]] = {"unknown": remove_unknown, "no-room": as_many_as_fit}
"""Finders for problems of map and scenario alike."""


def fixes_of(draft: Draft, problem: Problem) -> tuple[Fix, ...]:
    """Return what can be done about a problem of a draft, the least first; nothing if it is not there."""
    is_of_map = draft.scenario is None or problem.place.startswith("map")
    finder = ANYWHERE.get(problem.code) or (ON_MAP if is_of_map else ON_SCENARIO).get(problem.code)
    if finder is None:
        return ()
    try:
        return tuple(fix for fix in finder(draft, problem) if fix.draft != draft)
    except (LookupError, ValueError):  # the problem is of a draft that has moved on
        return ()
