"""The scenario on a map: made, taken away, its rules turned, the map it is played on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from editor.draft import OWN_MAP, Draft
from engine.fortress.floorplan import FloorPlan
from engine.raid import switches
from engine.raid.figures import ABILITIES, TERMINATOR_NAMES, TRAINED
from engine.raid.scenario import Scenario, StartFigure, figure_names
from engine.raid.tables import LEVEL_CAP


def with_scenario(draft: Draft) -> Draft:
    """Return the draft as a scenario: on a bare map the Basic one (6.1)."""
    if draft.scenario is not None:
        return draft
    return Draft(draft.plan, Scenario(name=draft.plan.name, map=OWN_MAP))


def without_scenario(draft: Draft) -> Draft:
    """Return the draft as a bare map."""
    return Draft(draft.plan)


def on_map(draft: Draft, name: str, plan: FloorPlan) -> Draft:
    """Return the scenario on another map, named as its file names it; `OWN_MAP` keeps the map there is."""
    if draft.scenario is None:
        return draft
    scenario = replace(draft.scenario, map=name)
    return Draft(draft.plan if name == OWN_MAP else plan, scenario)


def value_of(scenario: Scenario, path: str) -> Any:
    """Return a field of a scenario by its path ("turns", "hits.gun", "start.turn")."""
    if path in switches.BY_PATH:
        return switches.value_of(scenario, path)
    value: Any = scenario
    for field in path.split("."):
        value = None if value is None else getattr(value, field)
    return value


def with_value(draft: Draft, path: str, value: Any) -> Draft:
    """Return the draft with a field of its scenario changed, and with it what can only be meant.

    A Jelly that is not to be picked need not be taken, and a smaller choice gives a smaller force; one
    that must be taken is among those to pick from (7.3). A start position has every Terminator, and
    nobody who is not in the forces.

    Raises ValueError, with its place in front, where the fields do not go together.
    """
    scenario = draft.scenario
    if scenario is None or value_of(scenario, path) == value:
        return draft
    values = {path: value, **_ALONG.get(path, _nothing)(scenario, value)}
    made = switches.turned(scenario, values)
    return draft._replace(scenario=_mustered(made) if path in _FORCES else made)


def _nothing(_scenario: Scenario, _value: Any) -> dict[str, Any]:
    return {}


def _fewer_to_pick(scenario: Scenario, numbers: tuple[int, ...]) -> dict[str, Any]:
    required = tuple(number for number in scenario.required_jellies if number in numbers)
    return {"required_jellies": required, "jellies": min(scenario.jellies, len(numbers))}


def _required_to_pick(scenario: Scenario, required: tuple[int, ...]) -> dict[str, Any]:
    return {"jelly_numbers": tuple(sorted({*scenario.jelly_numbers, *required}))}


_ALONG: Final[dict[str, Callable[[Scenario, Any], dict[str, Any]]]] = {
    "jelly_numbers": _fewer_to_pick,
    "required_jellies": _required_to_pick,
}
_FORCES: Final = (
    "terminators",
    "armed_technicians",
    "technicians",
    "servants",
    "jellies",
    "jelly_numbers",
    "required_jellies",
)


def _mustered(scenario: Scenario) -> Scenario:
    """Return the scenario with its start position suited to its forces; new Terminators wait outside."""
    start = scenario.start
    if start is None:
        return scenario
    names = figure_names(scenario)
    jellies = [one.name for one in start.figures if one.name.startswith("J-") and one.name in names]
    surplus = set(jellies[scenario.jellies :])
    there = tuple(one for one in start.figures if one.name in names and one.name not in surplus)
    known = {one.name for one in there}
    coming = tuple(
        waiting_terminator(scenario, name)
        for name in TERMINATOR_NAMES[: scenario.terminators]
        if name not in known
    )
    if not coming and len(there) == len(start.figures):
        return scenario
    return replace(scenario, start=replace(start, figures=(*there, *coming)))


def waiting_terminator(scenario: Scenario, name: str) -> StartFigure:
    """Return a Terminator of a start position not yet inside, his levels spread evenly (7.2, R30)."""
    return StartFigure(name=name, place="off", original=spread(scenario.levels))


def spread(levels: int) -> dict[str, int]:
    """Return so many levels spread over what a Terminator is trained in, no talent above the cap (R30)."""
    shared = min(levels, LEVEL_CAP * len(TRAINED))
    each, more = divmod(shared, len(TRAINED))
    return {ABILITIES[ability]: each + (at < more) for at, ability in enumerate(TRAINED)}
