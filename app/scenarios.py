"""The player's own scenarios on disk: kept, renamed, thrown away and brought back, handed on as one file."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import msgspec

from app.settings import data_folder
from engine.core.files import BadFile, read_bytes, write_atomic
from engine.raid.problems import check_playable
from engine.raid.scenario import Scenario, format_scenario, load_scenario, parse_scenario, plan_of, shipped

SIZE_LIMIT = 4 * 1024 * 1024  # bytes; a scenario with its map holds some thousands of lines at most
OWN = "own:"  # before the file's name, in the key of a scenario of the player's
TRASH = "trash"


class KeptScenario(NamedTuple):
    """A scenario to choose from: `path` None where it is shipped, `problem` why it cannot be played.

    `key` is its name among all: a shipped one's short name, or the file's of one's own.
    """

    key: str
    title: str
    path: Path | None
    scenario: Scenario | None
    problem: str


def folder() -> Path:
    """Return where the player's scenarios are kept."""
    return data_folder() / "scenarios"


def listed() -> list[KeptScenario]:
    """Return the shipped scenarios, then the player's own by title; spoilt files are told, not hidden."""
    found = [KeptScenario(name, title, None, load_scenario(name), "") for name, title in shipped().items()]
    own = [_read(path) for path in folder().glob("*.json")] if folder().is_dir() else []
    return found + sorted(own, key=lambda one: (one.title.lower(), one.key))


def _read(path: Path) -> KeptScenario:
    key = f"{OWN}{path.name}"
    try:
        scenario = parse_scenario(read_bytes(path, SIZE_LIMIT), str(path))
    except BadFile as error:
        return KeptScenario(key, path.stem, path, None, error.problems[0])
    try:
        check_playable(scenario, str(path))
    except BadFile as error:
        # It can be read, so its rules can be turned until it can be played.
        return KeptScenario(key, scenario.name, path, scenario, error.problems[0])
    return KeptScenario(key, scenario.name, path, scenario, "")


def path_of(title: str) -> Path:
    """Return the file for a scenario of that title: letters and digits of it, which no system refuses."""
    clean = "".join(letter if letter.isalnum() else "-" for letter in title.strip().lower())
    return folder() / f"{clean[:60] or 'scenario'}.json"


def save(scenario: Scenario) -> Path:
    """Keep a scenario under its name; an older file of that name is thrown away. Raises OSError."""
    path = path_of(scenario.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        throw_away(path)
    write_atomic(path, format_scenario(scenario))
    return path


def rename(kept: KeptScenario, title: str) -> Path:
    """Give a scenario of the player's another title, and its file the name for it.

    Raises OSError, and FileExistsError where another has that file's name.
    """
    assert kept.path is not None
    assert kept.scenario is not None
    path = path_of(title)
    if path != kept.path and path.exists():
        raise FileExistsError(f"there is a scenario called “{title}” already")
    write_atomic(path, format_scenario(msgspec.structs.replace(kept.scenario, name=title)))
    if path != kept.path:
        kept.path.unlink()
    return path


def throw_away(path: Path) -> Path:
    """Move a scenario's file to the trash; return where it is then. Raises OSError."""
    trash = path.parent / TRASH
    trash.mkdir(parents=True, exist_ok=True)
    return path.rename(_free(trash / path.name))


def bring_back(thrown: Path) -> Path:
    """Move a scenario's file out of the trash again; return where it is then. Raises OSError."""
    return thrown.rename(_free(thrown.parent.parent / thrown.name))


def _free(path: Path) -> Path:
    """Return a path, with a number where its name is taken."""
    number = 2
    free = path
    while free.exists():
        free = path.with_stem(f"{path.stem} {number}")
        number += 1
    return free


def export(scenario: Scenario, path: Path) -> None:
    """Write a scenario as one file that needs no other, its map within. Raises OSError."""
    write_atomic(path, format_scenario(msgspec.structs.replace(scenario, map=plan_of(scenario))))


def bring_in(path: Path) -> Path:
    """Keep a scenario of a file among the player's own, with a number where its name is taken; return where.

    Raises BadFile where it cannot be played, OSError where it cannot be kept.
    """
    scenario = parse_scenario(read_bytes(path, SIZE_LIMIT), str(path))
    check_playable(scenario, str(path))
    title, number = scenario.name, 2
    while path_of(title).exists():
        title = f"{scenario.name} {number}"
        number += 1
    return save(msgspec.structs.replace(scenario, name=title))
