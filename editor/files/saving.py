"""Saving: a draft becomes a file, all of it or nothing, and what the file held before is kept."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from editor.draft import OWN_MAP, Draft, format_draft
from editor.files.backups import keep_backup
from editor.files.reading import SIZE_LIMIT, decoded, is_same_file, kind_of, read_file
from engine.core.files import BadFile, NewerFile, write_atomic
from engine.core.record import KIND as RECORD_KIND
from engine.fortress.floorplan import KIND as MAP_KIND
from engine.fortress.floorplan import ROCK, FloorPlan, parse_floorplan
from engine.raid.notation import is_game
from engine.raid.scenario import KIND as SCENARIO_KIND
from engine.raid.scenario import MAPS

LEFTOVER_AGE: Final = 60.0  # seconds after which an unfinished write of this file is no longer on its way

Clash = Literal["other-kind", "newer", "no-plan", ""]


class NotSaved(Exception):
    """A draft that could not be saved; the text says why, in a sentence. The file is as it was."""


class Saved(NamedTuple):
    """What a file holds now, and what else is to be said ("" where nothing)."""

    raw: bytes
    note: str = ""


def encoded(draft: Draft) -> bytes:
    """Return the bytes of a draft's file, read back and compared.

    Raises NotSaved where they would not give the same draft again.
    """
    try:
        raw = format_draft(draft)
        back = decoded(raw, _kind_for(draft))
    except (BadFile, ValueError, TypeError) as error:
        reason = error.problems[0] if isinstance(error, BadFile) else str(error)
        raise NotSaved(f"The {draft.kind} cannot be written as a file: {reason}.") from error
    if back != draft.content:
        raise NotSaved(f"The {draft.kind} would not be the same when it is opened again.")
    if len(raw) > SIZE_LIMIT:
        raise NotSaved(f"The {draft.kind} is larger than the limit of {SIZE_LIMIT // 2**20} MB.")
    return raw


def clash(draft: Draft, path: Path) -> Clash:
    """Return what speaks against putting a draft in the place of a file; "" where nothing does.

    Raises NotSaved where a saved game, or something that is no file, would be written over.
    """
    if not path.exists():
        return ""
    try:
        raw = read_file(path)
    except BadFile as error:
        raise NotSaved(f"“{path.name}” {error.problems[0]}.") from error
    if not raw.strip():
        return ""
    try:
        kind = kind_of(raw)
    except BadFile:
        return "no-plan"
    if kind == RECORD_KIND and not is_game(raw):  # which looks like many a text
        raise NotSaved(f"“{path.name}” is a saved game; choose another name.")
    if kind not in (MAP_KIND, SCENARIO_KIND):
        return "no-plan"
    if kind != _kind_for(draft):
        return "other-kind"
    return "newer" if _is_newer(raw, kind) else ""


def _kind_for(draft: Draft) -> str:
    return MAP_KIND if draft.kind == "map" else SCENARIO_KIND


def _is_newer(raw: bytes, kind: str) -> bool:
    try:
        decoded(raw, kind)
    except NewerFile:
        return True
    except BadFile:
        pass
    return False


def map_beside(draft: Draft, path: Path) -> Path | None:
    """Return where the map is that a scenario names in the folder of its file; None where it names none."""
    name = draft.scenario.map if draft.scenario is not None else OWN_MAP
    return path.parent / str(name) if name not in (OWN_MAP, *MAPS) else None


def portable(draft: Draft, path: Path) -> Draft:
    """Return the draft as it can be saved in a file: with its map in it, if the file it names is not that."""
    beside = map_beside(draft, path)
    if beside is None or _is_bare(draft.plan):
        return draft
    if not is_same_file(beside, path) and _has_map(beside, draft.plan):
        return draft
    assert draft.scenario is not None
    return Draft(draft.plan, replace(draft.scenario, map=OWN_MAP))


def _is_bare(plan: FloorPlan) -> bool:
    """Return whether a map is the rock that stands for one nobody has: none to take along."""
    is_rock = not any(row.strip(ROCK) for row in plan.grid)
    return is_rock and not (plan.rooms or plan.edges or plan.equipment or plan.entries)


def _has_map(path: Path, plan: FloorPlan) -> bool:
    try:
        return parse_floorplan(read_file(path)) == plan
    except BadFile:
        return False


def save_draft(draft: Draft, path: Path) -> Saved:
    """Put a draft into a file in one stroke, its backup first; a link stays one, and permissions stay.

    Raises NotSaved; the file is as it was then.
    """
    raw = encoded(draft)
    try:
        target = path.resolve()
        if target.is_dir():
            raise NotSaved(f"“{path.name}” is a folder.")
        old = target.read_bytes() if target.exists() else None
        if old == raw:
            return Saved(raw)
        if old is not None and not target.stat().st_mode & 0o222:
            raise NotSaved(f"“{path.name}” may not be written to: it is marked as read-only.")
        note = _backed_up(target, old)
        write_atomic(target, raw)
        _clear_leftovers(target)
    except OSError as error:
        raise NotSaved(f"“{path.name}” could not be saved: {error.strerror or error}.") from error
    return Saved(raw, note)


def _backed_up(target: Path, old: bytes | None) -> str:
    """Keep a backup; return why there is none, "" where there is."""
    if not old:
        return ""
    try:
        keep_backup(target, old)
    except OSError as error:
        return f"What it held before could not be kept: {error.strerror or error}."
    return ""


def _clear_leftovers(target: Path) -> None:
    """Delete what writes of this file left behind that never came to their end."""
    with suppress(OSError), os.scandir(target.parent) as entries:
        for one in entries:
            if one.name.startswith(f".{target.name}.") and one.name.endswith(".tmp"):
                with suppress(OSError):
                    if time.time() - one.stat().st_mtime > LEFTOVER_AGE:
                        Path(one.path).unlink()
