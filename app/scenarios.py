"""The player's own scenarios on disk: kept, renamed, thrown away and brought back, handed on as one file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from app import trash
from app.file_names import clean_name, free_path
from app.folders import data_folder
from engine.core.files import BadFile, format_of, read_bytes, write_atomic
from engine.core.record import KIND as RECORD_KIND
from engine.raid.notation import is_game
from engine.raid.problems import check_playable
from engine.raid.scenario import Scenario, format_scenario, load_scenario, parse_scenario, plan_of, shipped

SIZE_LIMIT = 4 * 1024 * 1024  # bytes; a scenario with its map holds some thousands of lines at most
OWN = "own:"  # before the file's name, in the key of a scenario of the player's


class KeptScenario(NamedTuple):
    """A scenario to choose from: `path` None where it is shipped, `problem` why it cannot be played.

    `key` is its name among all: a shipped one's short name, or the file's of one's own.
    """

    key: str
    title: str
    path: Path | None
    scenario: Scenario | None
    problem: str


class Saved(NamedTuple):
    """Where a scenario is kept now, and where in the trash the one lies that it took the place of."""

    path: Path
    thrown: Path | None


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


def file_name(title: str) -> str:
    """Return the name of a file for a scenario of that title, in small letters and without spaces."""
    clean = clean_name(title).lower().replace(" ", "-")
    return f"{clean[:60] or 'scenario'}.json"


def titles() -> dict[str, Path]:
    """Return the titles of the player's scenarios, each with its file; spoilt files have none."""
    found: dict[str, Path] = {}
    for path in sorted(folder().glob("*.json")):
        with suppress(BadFile):
            found[_title(path)] = path
    return found


def _title(path: Path) -> str:
    return parse_scenario(read_bytes(path, SIZE_LIMIT), str(path)).name.strip()


def save(scenario: Scenario) -> Saved:
    """Keep a scenario under its title; the one that had this title goes to the trash.

    Raises OSError; nothing has changed then.
    """
    old = titles().get(scenario.name.strip())
    path = _write_new(scenario)
    if old is None:
        return Saved(path, None)
    try:
        return Saved(path, throw_away(old))
    except OSError:
        path.unlink()
        raise


def _write_new(scenario: Scenario) -> Path:
    """Write a scenario into a file of its own, whatever else its title's name has."""
    path = free_path(folder(), file_name(scenario.name))
    try:
        write_atomic(path, format_scenario(scenario))
    except OSError:
        path.unlink()
        raise
    return path


def rename(kept: KeptScenario, title: str) -> Path:
    """Give a scenario of the player's another title, and its file a name for it.

    Raises OSError, and FileExistsError where another has that title; nothing has changed then.
    """
    assert kept.path is not None
    assert kept.scenario is not None
    if titles().get(title.strip(), kept.path) != kept.path:
        raise FileExistsError(f"there is a scenario called “{title}” already")
    renamed = msgspec.structs.replace(kept.scenario, name=title)
    if file_name(title) == file_name(kept.scenario.name):
        write_atomic(kept.path, format_scenario(renamed))
        return kept.path
    path = _write_new(renamed)
    try:
        kept.path.unlink()
    except OSError:
        path.unlink()
        raise
    return path


def throw_away(path: Path) -> Path:
    """Move a scenario's file to the trash; return where it is then. Raises OSError."""
    return trash.throw_away(path, folder())


def bring_back(thrown: Path) -> Saved:
    """Move a scenario's file out of the trash again; one that has its title by now changes places with it.

    Raises OSError.
    """
    there = None
    with suppress(BadFile):
        there = titles().get(_title(thrown))
    path = trash.put_back(thrown, folder())
    return Saved(path, throw_away(there) if there is not None else None)


def export(scenario: Scenario, path: Path) -> None:
    """Write a scenario as one file that needs no other, its map within. Raises OSError."""
    write_atomic(path, format_scenario(msgspec.structs.replace(scenario, map=plan_of(scenario))))


def bring_in(path: Path) -> Path:
    """Keep a scenario of a file among the player's own, with a number where its title is taken; return where.

    Raises BadFile where it cannot be played, OSError where it cannot be kept.
    """
    raw = read_bytes(path, SIZE_LIMIT)
    if is_game(raw) or format_of(raw) == RECORD_KIND:
        raise BadFile(("This is a saved game; open it under Saved games",), str(path))
    scenario = parse_scenario(raw, str(path))
    check_playable(scenario, str(path))
    taken = titles()
    title, number = scenario.name, 2
    while title.strip() in taken:
        title = f"{scenario.name} {number}"
        number += 1
    return save(msgspec.structs.replace(scenario, name=title)).path
