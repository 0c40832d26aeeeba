"""What of a map is written, not drawn: its name and its notes, on either page of the panel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from app.dialogs.switch_controls import SwitchControl
from editor.document import Document
from editor.scenario import fields
from editor.scenario.controls import NotesControl, TextControl
from editor.scenario.rows import FieldRow
from engine.fortress.floorplan import FloorPlan

MAP_WORDS: Final = {fields.MAP_NAME.path: "name", fields.MAP_NOTES.path: "notes"}
"""The map's fields, by the paths that their controls go by."""


def map_word_rows() -> tuple[FieldRow, ...]:
    """Return a row for each, name first."""
    made = []
    for field, kind in ((fields.MAP_NAME, TextControl), (fields.MAP_NOTES, NotesControl)):
        control = kind(field.title)
        made.append(FieldRow(field, control, is_wide=True))
    return tuple(made)


def show_map_words(plan: FloorPlan, controls: Mapping[str, SwitchControl]) -> None:
    """Show what the map says, where a control does not say so already."""
    for path, field in MAP_WORDS.items():
        value = getattr(plan, field)
        if controls[path].value != value:
            controls[path].show_value(value)


def turn_map_words(document: Document, path: str, value: Any) -> None:
    """Make a step to other words of the map; a run in one box is one step."""
    draft = document.draft
    title = next(one.title for one in fields.FIELDS if one.path == path)
    plan = replace(draft.plan, **{MAP_WORDS[path]: value})
    document.apply(title, draft.with_plan(plan), path)
