"""A scenario and the map it names: found, missing, renamed, unreadable, or at odds with another of its name.

What can be done is a list of `Remedy`; the window asks, `mended` does it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from editor.draft import OWN_MAP, Draft
from editor.files.opening import Content, Opened, own_map, read_content
from editor.files.reading import read_file
from engine.core.files import BadFile, format_of, read_bytes
from engine.fortress.floorplan import KIND as MAP_KIND
from engine.fortress.floorplan import MAX_SIDE, ROCK, FloorPlan, parse_floorplan
from engine.fortress.thing_names import door_names, equipment_names
from engine.raid.scenario import MAPS, Scenario, plan_of

FILES_LOOKED_AT: Final = 60  # of the folder, by name
LOOK_LIMIT: Final = 2 * 1024 * 1024  # bytes of a file that is looked at only to find out whether it is a map
OFFERED: Final = 4
EMPTY_SIZE: Final = (20, 15)  # squares, of the rock that stands for a map nobody has
_ALIKE: Final = 0.6

Kind = Literal["missing", "renamed", "unreadable", "conflicting"]
Key = Literal["beside", "shipped", "embedded", "apart", "repaired", "pick", "without"]


class Remedy(NamedTuple):
    """Something to do about a scenario's map.

    `map` is what the scenario says of it from then on: a name, or `OWN_MAP` for one in its own file; `plan`
    the map, None where a file is still to be picked; `source` the file it goes on being read from, as it is.
    """

    key: Key
    text: str
    detail: str
    map: str = OWN_MAP
    plan: FloorPlan | None = None
    repairs: tuple[str, ...] = ()
    source: tuple[Path, bytes] | None = None


class Mending(NamedTuple):
    """What is wrong with a scenario's map, in words, and what can be done, the best first.

    `name` is what the scenario calls its map.
    """

    kind: Kind
    name: str
    words: str
    remedies: tuple[Remedy, ...]

    @property
    def must_choose(self) -> bool:
        """Whether there is no map to show before something is done."""
        return self.kind != "conflicting"

    def remedy(self, key: str) -> Remedy:
        """Return the first remedy of a kind; raises KeyError."""
        for one in self.remedies:
            if one.key == key:
                return one
        raise KeyError(key)


def with_map(
    scenario: Scenario, path: Path, sources: tuple[tuple[Path, bytes], ...], content: Content
) -> Opened:
    """Return a scenario opened with its map, or with what can be done about that."""
    opened = Opened(
        Draft(_empty(scenario), scenario),
        path,
        sources,
        content.repairs,
        content.newer,
        None,
        bool(content.repairs),
    )
    draft = own_map(scenario)
    if draft is not None:
        return opened._replace(draft=draft, mending=conflict(draft, path))
    name = str(scenario.map)
    if name in MAPS:
        return opened._replace(draft=Draft(plan_of(scenario), scenario))
    beside = path.parent / name
    if not name or not beside.is_file():
        return opened._replace(mending=_missing(scenario, name, path))
    try:
        raw = read_file(beside)
        found = read_content(raw)
    except BadFile as error:
        return opened._replace(mending=_unreadable(scenario, name, path, error.problems[0], None))
    if not isinstance(found.value, FloorPlan):
        return opened._replace(mending=_unreadable(scenario, name, path, "it is no map", None))
    if found.repairs or found.newer or found.is_text:
        reason = "it is a text that draws a plan" if found.is_text else found.newer or found.repairs[0]
        return opened._replace(mending=_unreadable(scenario, name, path, reason, found))
    return opened._replace(draft=Draft(found.value, scenario), sources=(*sources, (beside, raw)))


def mended(opened: Opened, remedy: Remedy) -> Opened:
    """Return an opened scenario with something done about its map."""
    scenario = opened.draft.scenario
    assert scenario is not None
    if remedy.key in ("embedded", "without"):
        return opened._replace(mending=None)
    assert remedy.plan is not None
    return opened._replace(
        draft=Draft(remedy.plan, replace(scenario, map=remedy.map)),
        sources=opened.sources if remedy.source is None else (*opened.sources, remedy.source),
        mending=None,
        repairs=opened.repairs + remedy.repairs,
        is_changed=True,
    )


def picked(opened: Opened, path: Path) -> Remedy:
    """Return the remedy that takes the map of a file; one in the scenario's own folder is only named.

    Raises BadFile where the file holds no map.
    """
    raw = read_file(path)
    content = read_content(raw, str(path))
    value = content.value
    if not isinstance(value, FloorPlan):
        if not isinstance(value.map, FloorPlan):
            raise BadFile(("is a scenario without a map of its own",), str(path))
        return Remedy("pick", path.name, "", OWN_MAP, value.map, content.repairs)
    is_beside = opened.path is not None and path.absolute().parent == opened.path.absolute().parent
    if is_beside and not (content.repairs or content.newer or content.is_text):
        return Remedy("pick", path.name, "", path.name, value, source=(path, raw))
    return Remedy("pick", path.name, "", OWN_MAP, value, content.repairs)


def misfits(scenario: Scenario, plan: FloorPlan) -> tuple[str, ...]:
    """Return what a scenario names that is not on a map: squares, entries, doors, equipment."""
    return tuple(_not_there(scenario, plan))


def _not_there(scenario: Scenario, plan: FloorPlan) -> Iterator[str]:
    squares = {one.square for one in scenario.placements}
    entries = {row.entry for row in scenario.reinforcements}
    things: set[str] = set()
    if scenario.start is not None:
        squares |= {one.square for one in scenario.start.figures if one.square is not None}
        entries |= {one.entry for one in scenario.start.figures if one.entry is not None}
        things |= {*scenario.start.doors, *scenario.start.equipment}
    yield from (f"square {x},{y}" for x, y in sorted(squares) if plan.room_at(x, y) is None)
    yield from (f"entry {name}" for name in sorted(entries - {entry.name for entry in plan.entries}))
    yield from sorted(things.difference(door_names(plan), equipment_names(plan)))


def _counts(scenario: Scenario) -> bool:
    """Return whether a scenario names anything on its map."""
    return bool(scenario.placements or scenario.reinforcements or scenario.start is not None)


class _MapFile(NamedTuple):
    """A map in a file beside a scenario's."""

    path: Path
    raw: bytes
    plan: FloorPlan


def _maps_beside(path: Path) -> Iterator[_MapFile]:
    """Yield the maps of the files beside another, by the files' names."""
    try:
        names = sorted(one.name for one in os.scandir(path.absolute().parent) if one.name.endswith(".json"))
    except OSError:
        return
    for name in names[:FILES_LOOKED_AT]:
        other = path.parent / name
        try:
            if other.name == path.name or not other.is_file() or other.stat().st_size > LOOK_LIMIT:
                continue
            raw = read_bytes(other, LOOK_LIMIT)
            if format_of(raw) == MAP_KIND:
                yield _MapFile(other, raw, parse_floorplan(raw))
        except (BadFile, OSError):
            continue


def _missing(scenario: Scenario, name: str, path: Path) -> Mending:
    """Return what can be done about a map whose file is not there: it may have another name now."""
    ranked = sorted(
        (
            (
                not _is_named(one.plan, one.path.name, name),
                len(misfits(scenario, one.plan)),
                -_likeness(one.path.name, name),
                one.path.name,
            ),
            one,
        )
        for one in _maps_beside(path)
    )
    offers = [_beside(scenario, one) for _, one in ranked[:OFFERED]]
    is_found = any(not other or (not wrong and _counts(scenario)) for (other, wrong, _, _), _ in ranked)
    kind: Kind = "renamed" if is_found else "missing"
    said = f"“{name}”" if name else "without a name"
    if kind == "renamed":
        words = (
            f"The scenario is on the map {said}, and no file of that name is beside it. "
            f"It may be called “{ranked[0][0][3]}” now."
        )
    else:
        words = (
            f"The scenario is on the map {said}. It is no shipped map, and no file of that name is beside it."
        )
    return Mending(kind, name, words, (*offers, *_shipped(scenario, name), _PICK, _without(scenario)))


def _unreadable(scenario: Scenario, name: str, path: Path, reason: str, found: Content | None) -> Mending:
    """Return what can be done about a map whose file is there, but not as a map that can simply be used."""
    words = f"The scenario is on the map of the file “{name}”, which has a fault: {reason}."
    offers: tuple[Remedy, ...] = ()
    if found is not None and isinstance(found.value, FloorPlan):
        detail = "The map goes into the scenario's own file, repaired; the map's file stays as it is."
        offers = (Remedy("repaired", "Use what can be read", detail, OWN_MAP, found.value, found.repairs),)
    return Mending("unreadable", name, words, (*offers, *_shipped(scenario, name), _PICK, _without(scenario)))


def conflict(draft: Draft, path: Path) -> Mending | None:
    """Return what can be done where a scenario's own map has the name of another that is not the same."""
    scenario, own = draft.scenario, draft.plan
    if scenario is None or scenario.map != OWN_MAP:
        return None
    others = [
        Remedy("shipped", f"Use the shipped map “{name}”", _fit(scenario, plan), name, plan)
        for name, plan in _shipped_plans()
        if plan.name == own.name
    ]
    others += [_beside(scenario, one) for one in _maps_beside(path) if one.plan.name == own.name]
    if not others or any(one.plan == own for one in others):
        return None
    where = "a shipped map" if others[0].key == "shipped" else f"the map of “{others[0].map}”"
    words = f"The map in this scenario's file is called “{own.name}” like {where}, but is another one."
    apart = replace(own, name=f"{own.name} of {scenario.name}")
    keep = Remedy("embedded", "Keep the scenario's own map", "Both go on having the same name.", OWN_MAP, own)
    rename = Remedy(
        "apart", "Keep it under a name of its own", f"It is called “{apart.name}” then.", OWN_MAP, apart
    )
    return Mending("conflicting", own.name, words, (keep, rename, *others[:OFFERED]))


def _beside(scenario: Scenario, one: _MapFile) -> Remedy:
    name, plan = one.path.name, one.plan
    detail = f"“{plan.name}”, {_fit(scenario, plan)}"
    return Remedy("beside", f"Use the file “{name}”", detail, name, plan, source=(one.path, one.raw))


def _shipped(scenario: Scenario, name: str) -> list[Remedy]:
    """Return the shipped maps as remedies, those that fit first, then the ones with a name like this."""
    found = sorted(
        ((len(misfits(scenario, plan)), -_likeness(shipped, name), shipped), plan)
        for shipped, plan in _shipped_plans()
    )
    return [
        Remedy("shipped", f"Use the shipped map “{shipped}”", _fit(scenario, plan), shipped, plan)
        for (_, _, shipped), plan in found[:OFFERED]
    ]


def _shipped_plans() -> list[tuple[str, FloorPlan]]:
    return [(name, plan_of(Scenario(name="", map=name))) for name in MAPS]


def _fit(scenario: Scenario, plan: FloorPlan) -> str:
    """Return in words how large a map is, and how well it has what a scenario names."""
    wrong = misfits(scenario, plan)
    more = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    fit = f" Not on it: {wrong[0]}{more}." if wrong else ""
    if not wrong and _counts(scenario):
        fit = " All that the scenario names is on it."
    return f"{plan.width} × {plan.height} squares.{fit}"


_PICK: Final = Remedy(
    "pick", "Pick another file…", "A map from elsewhere is taken into the scenario's own file."
)


def _without(scenario: Scenario) -> Remedy:
    detail = "Rock stands for the map. As long as you draw nothing, the scenario's file still names its map."
    return Remedy("without", "Open without the map", detail, str(scenario.map), _empty(scenario))


def _empty(scenario: Scenario) -> FloorPlan:
    """Return rock that is large enough for all squares a scenario names."""
    squares = [one.square for one in scenario.placements]
    if scenario.start is not None:
        squares += [one.square for one in scenario.start.figures if one.square is not None]
    width = min(MAX_SIDE, max([EMPTY_SIZE[0], *(x + 1 for x, _ in squares)]))
    height = min(MAX_SIDE, max([EMPTY_SIZE[1], *(y + 1 for _, y in squares)]))
    name = Path(str(scenario.map)).stem if isinstance(scenario.map, str) else ""
    return FloorPlan(name=name or "Map", grid=(ROCK * width,) * height, rooms=())


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.removesuffix(".json")).strip().casefold()


def _is_named(plan: FloorPlan, file: str, name: str) -> bool:
    """Return whether a map or its file has, but for spaces and hyphens, the name that is looked for."""
    return bool(_plain(name)) and _plain(Path(name).name) in (_plain(plan.name), _plain(file))


def _likeness(one: str, other: str) -> float:
    found = SequenceMatcher(None, _plain(one), _plain(Path(other).name)).ratio()
    return found if found >= _ALIKE else 0.0
