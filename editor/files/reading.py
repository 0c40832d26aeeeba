"""Reading: what kind of file something is and what it holds, for those who refuse faults and who repair them.

    read_file -> bytes        kind_of -> which kind        decoded, parsed -> map or scenario

`opening` takes up what has faults; `read_draft` refuses it, with the same lines.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from editor.draft import OWN_MAP, Draft
from engine.core.files import BadFile, decode, format_of, read_bytes
from engine.core.record import KIND as RECORD_KIND
from engine.fortress.floorplan import KIND as MAP_KIND
from engine.fortress.floorplan import VERSION as MAP_VERSION
from engine.fortress.floorplan import FloorPlan, parse_floorplan
from engine.fortress.plan_text import is_plan_text, parse_floorplan_text
from engine.raid.notation import is_game
from engine.raid.scenario import KIND as SCENARIO_KIND
from engine.raid.scenario import MAPS, SHIPPED, Scenario, load_scenario, parse_scenario, plan_of
from engine.raid.scenario import VERSION as SCENARIO_VERSION

SIZE_LIMIT: Final = 16 * 1024 * 1024
"""Bytes; the largest map with every edge said is half of it."""
KINDS: Final = (MAP_KIND, SCENARIO_KIND, RECORD_KIND)
TEXT_KIND: Final = "text"
"""What `kind_of` calls a text that draws a plan, which says nothing of itself."""


def read_file(path: Path, *, is_patient: bool = False) -> bytes:
    """Return the bytes of a file that may be a map or a scenario; raises BadFile.

    Whoever `is_patient` reads a pipe or a device too, which might never end.
    """
    if path.is_dir():
        raise BadFile(("is a folder, not a file",), str(path))
    if not is_patient and path.exists() and not path.is_file():
        raise BadFile(("is no ordinary file",), str(path))
    return read_bytes(path, SIZE_LIMIT)


def is_same_file(path: Path, other: str | os.PathLike[str] | None) -> bool:
    """Return whether two paths lead to one file that is there."""
    return other is not None and path.exists() and Path(other).exists() and path.samefile(other)


def kind_of(raw: bytes, path: str = "") -> str:
    """Return which of the KINDS a file is or, where it does not say, looks like, or TEXT_KIND.

    Raises BadFile for any other.
    """
    if is_plan_text(raw):
        return TEXT_KIND
    if is_game(raw):
        return RECORD_KIND
    found = format_of(raw.removeprefix(b"\xef\xbb\xbf"))
    if found is None:
        found = _format_of_broken(raw)
    if found is None:
        lines = raw.splitlines()
        conflict = next((at for at, line in enumerate(lines, 1) if line.startswith(b"<<<<<<<")), 0)
        if conflict:
            raise BadFile((f"line {conflict}: holds a conflict of a merge that was not resolved",), path)
        # The careful reader says what is wrong, with line and column.
        decode(raw, FloorPlan, MAP_KIND, MAP_VERSION, path=path)
    if found == "":
        if b'"grid"' in raw and b'"rooms"' in raw:
            return SCENARIO_KIND if b'"map"' in raw else MAP_KIND
        if b'"name"' in raw and (b'"terminators"' in raw or b'"turns"' in raw or b'"map"' in raw):
            return SCENARIO_KIND
        raise BadFile((f"format: missing; it is one of {' '.join(KINDS)}",), path)
    if found not in KINDS:
        raise BadFile((f"format: {json.dumps(str(found)[:40])} is not one of {' '.join(KINDS)}",), path)
    return str(found)


def _format_of_broken(raw: bytes) -> str | None:
    """Return what a file says it is that has a fault no JSON may have, such as half a letter."""
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return str(document.get("format", "")) if isinstance(document, dict) else None


def refuse_games(kind: str, path: str = "") -> None:
    """Refuse a saved game where a map or a scenario is wanted; raises BadFile."""
    if kind == RECORD_KIND:
        raise BadFile(("is a saved game, not a map or a scenario; the game itself opens it",), path)


def decoded(raw: bytes, kind: str, path: str = "") -> FloorPlan | Scenario:
    """Return the map or scenario that a file's bytes hold by its model alone, not what that means.

    Raises NewerFile, BadFile.
    """
    if kind == MAP_KIND:
        return decode(raw, FloorPlan, MAP_KIND, MAP_VERSION, path=path)
    return decode(raw, Scenario, SCENARIO_KIND, SCENARIO_VERSION, path=path)


def parsed(raw: bytes, kind: str, path: str = "") -> FloorPlan | Scenario:
    """Return the map or scenario that a file's bytes hold, with the map that a scenario names beside it.

    Raises BadFile for a saved game and for every fault.
    """
    refuse_games(kind, path)
    if kind == TEXT_KIND:
        return text_plan(raw, path)
    return parse_floorplan(raw, path) if kind == MAP_KIND else parse_scenario(raw, path)


def text_plan(raw: bytes, path: str) -> FloorPlan:
    """Return the plan of a text that draws one, called like its file; raises BadFile."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile((f"byte {error.start}: not UTF-8 text",), path) from error
    return parse_floorplan_text(text, Path(path).stem, path)


def is_shipped(name: str) -> bool:
    """Return whether a name is that of a shipped map or scenario, and of no file that is there."""
    return name.lower() in (*SHIPPED, *MAPS) and not Path(name).is_file()


def read_draft(name: str | os.PathLike[str]) -> Draft:
    """Return the draft of a shipped name or a file, a text floor plan too; raises BadFile for any fault."""
    found = _read(os.fspath(name))
    if isinstance(found, FloorPlan):
        return Draft(found)
    # A file beside the scenario was read into it; that it was named is of no use elsewhere.
    named = found.map if isinstance(found.map, str) else OWN_MAP
    return Draft(plan_of(found), replace(found, map=named))


def _read(name: str) -> FloorPlan | Scenario:
    if is_shipped(name):
        short = name.lower()
        return load_scenario(short) if short in SHIPPED else plan_of(Scenario(name="", map=short))
    if not Path(name).exists() and not Path(name).suffix:
        known = ", ".join(dict.fromkeys((*MAPS, *SHIPPED)))
        raise BadFile([f'there is no map or scenario called "{name}"; shipped are {known}'], name)
    raw = read_file(Path(name), is_patient=True)
    return parsed(raw, kind_of(raw, name), name)
