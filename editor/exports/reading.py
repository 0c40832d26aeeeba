"""What the command line is given: a shipped scenario or map by name, or a file of either."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec.structs import replace

from editor.draft import OWN_MAP, Draft
from engine.core.files import BadFile, format_of, read_bytes
from engine.core.record import KIND as RECORD_KIND
from engine.fortress.floorplan import KIND as MAP_KIND
from engine.fortress.floorplan import FloorPlan, parse_floorplan
from engine.fortress.plan_text import is_plan_text, parse_floorplan_text
from engine.raid.notation import is_game
from engine.raid.scenario import MAPS, SHIPPED, Scenario, load_scenario, parse_scenario, plan_of


def read_draft(name: str | os.PathLike[str]) -> Draft:
    """Return the draft of a shipped name or a file, a text floor plan too; raises BadFile."""
    found = _read(os.fspath(name))
    if isinstance(found, FloorPlan):
        return Draft(found)
    # A file beside the scenario was read into it; that it was named is of no use elsewhere.
    named = found.map if isinstance(found.map, str) else OWN_MAP
    return Draft(plan_of(found), replace(found, map=named))


def _read(name: str) -> FloorPlan | Scenario:
    if name.lower() in SHIPPED:
        return load_scenario(name.lower())
    if name.lower() in MAPS:
        return plan_of(Scenario(name="", map=name.lower()))
    if not Path(name).exists() and not Path(name).suffix:
        known = ", ".join(dict.fromkeys((*MAPS, *SHIPPED)))
        raise BadFile([f'there is no map or scenario called "{name}"; shipped are {known}'], name)
    raw = read_bytes(name)
    kind = format_of(raw)
    if kind == MAP_KIND:
        return parse_floorplan(raw, name)
    if kind is None and is_plan_text(raw):
        return parse_floorplan_text(raw.decode("utf-8-sig", errors="replace"), Path(name).stem, name)
    if kind == RECORD_KIND or (kind is None and is_game(raw)):
        raise BadFile(["is a saved game, not a map or a scenario"], name)
    return parse_scenario(raw, name)
