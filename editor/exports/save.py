"""Makes a draft into the bytes of a form, and writes them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from editor.draft import Draft
from editor.exports.forms import CannotExport, ExportOptions, Form
from editor.exports.tabletop import tabletop_bytes
from engine.core.files import write_atomic
from engine.fortress.floorplan import format_floorplan
from engine.fortress.plan_text import format_floorplan_text, text_losses
from engine.raid.scenario import format_scenario

MAP_ENDING = " map.json"


def losses(draft: Draft, form: Form, options: ExportOptions) -> tuple[str, ...]:
    """Return, a line each, what of a draft a form cannot hold."""
    if form == "txt":
        lost = text_losses(draft.plan)
        return ("the scenario: only its map is a plan", *lost) if draft.scenario is not None else lost
    if form == "json":
        return ("the scenario",) if options.json == "map" and draft.scenario is not None else ()
    return ()


def export(draft: Draft, form: Form, options: ExportOptions) -> bytes:
    """Return a draft in a form; raises CannotExport."""
    match form:
        case "json":
            return _json(draft, options)
        case "txt":
            return format_floorplan_text(draft.plan).encode()
        case "png":
            from editor.exports.pictures import png_bytes

            return png_bytes(draft, options)
        case "svg":
            from editor.exports.pictures import svg_bytes

            return svg_bytes(draft, options)
        case _:
            return tabletop_bytes(draft, options)


def _json(draft: Draft, options: ExportOptions) -> bytes:
    if draft.scenario is None or options.json == "map":
        return format_floorplan(draft.plan)
    return format_scenario(draft.whole)


def targets(form: Form, options: ExportOptions, path: Path) -> tuple[Path, ...]:
    """Return the files that saving in a form writes, the one asked for first."""
    return (path, map_path(path)) if form == "json" and options.json == "beside" else (path,)


def save(draft: Draft, form: Form, options: ExportOptions, path: Path) -> tuple[Path, ...]:
    """Write a draft in a form; return the files written, the one asked for first.

    Raises CannotExport, OSError.
    """
    written = targets(form, options, path)
    if len(written) > 1:
        _save_beside(draft, *written)
    else:
        write_atomic(path, export(draft, form, options))
    return written


def map_path(path: Path) -> Path:
    """Return where the map goes of a scenario that names it."""
    return path.with_name(path.stem + MAP_ENDING)


def _save_beside(draft: Draft, path: Path, there: Path) -> None:
    if draft.scenario is None:
        raise CannotExport("a map alone names no other map")
    # The map first: a scenario never names a file that is not there.
    write_atomic(there, format_floorplan(draft.plan))
    write_atomic(path, format_scenario(msgspec.structs.replace(draft.scenario, map=there.name)))
