"""Opening: a file becomes a draft, whatever is wrong with it, as far as anything can be made of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from editor.draft import OWN_MAP, Draft
from editor.files.reading import TEXT_KIND, decoded, kind_of, read_file, refuse_games, text_plan
from editor.files.repairing import filled_out, repaired
from engine.core.files import BadFile, NewerFile
from engine.fortress.floorplan import FloorPlan
from engine.raid.scenario import Scenario

if TYPE_CHECKING:
    from editor.files.mending import Mending


class Opened(NamedTuple):
    """A file that was opened, and what is to be said about it.

    `sources` are the files that were read with their bytes, the draft's own first, then its map's.
    `repairs` has a line for each fault that had to be repaired for the file to be opened; `newer` says why it
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
    """What a file holds: a map or a scenario, the faults repaired in it, and why it may not be written over.

    `is_text` says that a text draws the map: it can be read, and is never written.
    """

    value: FloorPlan | Scenario
    repairs: tuple[str, ...] = ()
    newer: str = ""
    is_text: bool = False


def open_file(path: Path) -> Opened:
    """Return what a file of a map or a scenario holds.

    Raises BadFile with a line a fault where nothing can be made of it.
    """
    raw = read_file(path)
    content = read_content(raw, str(path))
    sources = ((path, raw),)
    if isinstance(content.value, FloorPlan):
        draft = Draft(content.value)
        if content.is_text:
            return Opened(draft, None, is_changed=True)
        return Opened(draft, path, sources, content.repairs, content.newer, None, bool(content.repairs))
    from editor.files.mending import with_map

    return with_map(content.value, path, sources, content)


def read_content(raw: bytes, path: str = "") -> Content:
    """Return what the bytes of a file hold, repaired where need be; raises BadFile."""
    kind = kind_of(raw, path)
    refuse_games(kind, path)
    if kind == TEXT_KIND:
        return Content(text_plan(raw, path), is_text=True)
    try:
        value = decoded(raw, kind, path)
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


def own_map(scenario: Scenario) -> Draft | None:
    """Return the draft of a scenario with its map in its file; None where it only names one."""
    if not isinstance(scenario.map, FloorPlan):
        return None
    return Draft(scenario.map, replace(scenario, map=OWN_MAP))
