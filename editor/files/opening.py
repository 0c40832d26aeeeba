"""Opening: a file becomes a draft, whatever is wrong with it, as far as anything can be made of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec.structs import replace

from editor.draft import OWN_MAP, Draft
from editor.files.repairing import filled_out, repaired
from engine.core.files import BadFile, NewerFile, decode, format_of, read_bytes
from engine.core.record import KIND as RECORD_KIND
from engine.fortress.floorplan import KIND as MAP_KIND
from engine.fortress.floorplan import VERSION as MAP_VERSION
from engine.fortress.floorplan import FloorPlan
from engine.fortress.plan_text import is_plan_text, parse_floorplan_text
from engine.raid.notation import is_game
from engine.raid.scenario import KIND as SCENARIO_KIND
from engine.raid.scenario import VERSION as SCENARIO_VERSION
from engine.raid.scenario import Scenario

if TYPE_CHECKING:
    from editor.files.mending import Mending

SIZE_LIMIT: Final = 16 * 1024 * 1024
"""Bytes; the largest map with every edge said is half of it."""
KIND_NAMES: Final = {MAP_KIND: "a map", SCENARIO_KIND: "a scenario", RECORD_KIND: "a saved game"}


class Opened(NamedTuple):
    """A file that was opened, and what is to be said about it.

    `sources` are the files that were read with their bytes, the draft's own first, then its map's.
    `repairs` has a line for each fault that had to be mended for the file to be opened; `newer` says why it
    may not be written over ("" where it may); `mending` is what is to be decided about the scenario's map.
    `is_changed` says that the draft is not what the file holds.
    """

    draft: Draft
    path: Path | None
    sources: tuple[tuple[Path, bytes], ...] = ()
    repairs: tuple[str, ...] = ()
    newer: str = ""
    mending: Mending | None = None
    is_changed: bool = False


class Content(NamedTuple):
    """What a file holds: a map or a scenario, the faults mended in it, and why it may not be written over."""

    value: FloorPlan | Scenario
    repairs: tuple[str, ...] = ()
    newer: str = ""


def open_file(path: Path) -> Opened:
    """Return what a file of a map or a scenario holds.

    Raises BadFile with a line a fault where nothing can be made of it.
    """
    raw = read_file(path)
    if is_plan_text(raw):
        return Opened(Draft(_text_plan(raw, path)), None, is_changed=True)
    content = read_content(raw, str(path))
    sources = ((path, raw),)
    if isinstance(content.value, FloorPlan):
        draft = Draft(content.value)
        return Opened(draft, path, sources, content.repairs, content.newer, None, bool(content.repairs))
    from editor.files.mending import with_map

    return with_map(content.value, path, sources, content)


def read_file(path: Path) -> bytes:
    """Return the bytes of a file that may be a map or a scenario; raises BadFile."""
    if path.is_dir():
        raise BadFile(("is a folder, not a file",), str(path))
    if path.exists() and not path.is_file():
        # Reading a pipe or a device might never end.
        raise BadFile(("is no ordinary file",), str(path))
    return read_bytes(path, SIZE_LIMIT)


def read_content(raw: bytes, path: str = "") -> Content:
    """Return what the bytes of a file hold, repaired where need be; raises BadFile."""
    kind = _kind(raw, path)
    try:
        value = _decoded(raw, kind, path)
        lines: tuple[str, ...] = ()
        newer = ""
    except NewerFile as error:
        if error.value is None:
            raise
        value, lines, newer = error.value, (), error.problems[0]
    except BadFile:
        value, lines = repaired(raw, kind, path)
        newer = ""
    if isinstance(value, FloorPlan):
        value, more = filled_out(value)
    elif isinstance(value.map, FloorPlan):
        plan, more = filled_out(value.map, "map.")
        value = replace(value, map=plan) if more else value
    else:
        more = ()
    return Content(value, lines + more, newer)


def _decoded(raw: bytes, kind: str, path: str) -> Any:
    if kind == MAP_KIND:
        return decode(raw, FloorPlan, MAP_KIND, MAP_VERSION, path=path)
    return decode(raw, Scenario, SCENARIO_KIND, SCENARIO_VERSION, path=path)


def _kind(raw: bytes, path: str) -> str:
    """Return which kind of file this is or, where it does not say, looks like; raises BadFile for others."""
    found = format_of(raw.removeprefix(b"\xef\xbb\xbf"))
    if found is None:
        found = _format_of_broken(raw)
    if found == RECORD_KIND or (found is None and is_game(raw)):
        raise BadFile(("is a saved game, not a map or a scenario; the game itself opens it",), path)
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
        raise BadFile(("format: missing; this is no map and no scenario",), path)
    if found not in (MAP_KIND, SCENARIO_KIND):
        raise BadFile((f"format: {json.dumps(str(found)[:40])} is no map and no scenario",), path)
    return str(found)


def _format_of_broken(raw: bytes) -> str | None:
    """Return what a file says it is that has a fault no JSON may have, such as half a letter."""
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return str(document.get("format", "")) if isinstance(document, dict) else None


def _text_plan(raw: bytes, path: Path) -> FloorPlan:
    """Return the plan of a text that draws one; raises BadFile."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile((f"byte {error.start}: not UTF-8 text",), str(path)) from error
    return parse_floorplan_text(text, path.stem, str(path))


def own_map(scenario: Scenario) -> Draft | None:
    """Return the draft of a scenario with its map in its file; None where it only names one."""
    if not isinstance(scenario.map, FloorPlan):
        return None
    return Draft(scenario.map, replace(scenario, map=OWN_MAP))
