"""Which lessons are done and which are begun, kept among the player's own files."""

from __future__ import annotations

from pathlib import Path

import msgspec

from app.folders import data_folder
from engine.core.files import BadFile, Part, decode, encode, read_bytes, write_atomic

KIND = "kungfu2100.lessons-done"
VERSION = 1


class Progress(Part, frozen=True, kw_only=True):
    """How far a learner is in the lessons, by short name: those gone through, and the steps in the others.

    A step counts from 0; the game that belongs to it is had by playing the lesson up to there.
    """

    done: tuple[str, ...] = ()
    steps: dict[str, int] = msgspec.field(default_factory=dict)


def progress_path() -> Path:
    """Return the file of the lessons done and begun."""
    return data_folder() / "lessons.json"


def progress() -> Progress:
    """Return how far the learner is; a file that is missing or spoilt must not stop a lesson."""
    try:
        return decode(read_bytes(progress_path()), Progress, KIND, VERSION)
    except BadFile:
        return Progress()


def _keep(changed: Progress) -> None:
    """Write progress down; a disk that cannot be written on is no reason to stop."""
    path = progress_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, encode(changed, KIND, VERSION))
    except OSError:
        return


def mark_done(name: str) -> None:
    """Remember that a lesson is done, and begun no longer."""
    found = progress()
    done = found.done if name in found.done else (*found.done, name)
    steps = {one: step for one, step in found.steps.items() if one != name}
    changed = msgspec.structs.replace(found, done=done, steps=steps)
    if changed != found:
        _keep(changed)


def mark_step(name: str, step: int) -> None:
    """Remember the step that a lesson is left at; at the first one, 0, it is not begun."""
    found = progress()
    steps = {one: at for one, at in found.steps.items() if one != name}
    if step > 0:
        steps[name] = step
    if steps != found.steps:
        _keep(msgspec.structs.replace(found, steps=steps))
