"""The saved games: listed, gone through, renamed, deleted and taken back, put away, exported, imported.

No file is ever written over: whatever comes into the folder of games gets a name that nothing there has.
"""

from __future__ import annotations

import errno
import os
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import msgspec

from app import trash
from app.file_names import clean_name, free_path, move_into
from app.folders import games_folder
from app.games import players_words
from app.trash import TRASH
from engine.core.files import BadFile, NewerFile, read_bytes, write_atomic
from engine.core.record import Record, format_record, load_record

if TYPE_CHECKING:
    from engine.fortress.floorplan import FloorPlan
    from engine.raid.view import View

FINISHED: Final = "finished"
TITLE_LENGTH: Final = 80
MOST_AT_START: Final = 50  # games of a kind
KEPT: Final = 500  # games of which is kept how far they are

Kind = Literal["unfinished", "finished", "deleted"]


class GameFile(NamedTuple):
    """A file in the folder of games, as far as the folder itself tells; `when` is its last change."""

    path: Path
    kind: Kind
    when: float
    size: int

    @property
    def day(self) -> str:
        """The day and time of the last choice."""
        return f"{datetime.fromtimestamp(self.when):%d %b %Y, %H:%M}"


class GameInfo(NamedTuple):
    """What a game's file tells at once; `problem` says why it cannot be opened, a line a fault, or ""."""

    title: str
    scenario: str
    players: str
    choices: int
    problem: str


class Standing(NamedTuple):
    """How far a game is, as everybody may know it; of a finished game everything.

    `view` and `plan` are None where the game turned out not to follow the rules: `problem` says where.
    """

    view: View | None
    plan: FloorPlan | None
    words: str
    problem: str


UNKNOWN: Final = Standing(None, None, "", "this game could not be gone through")


class SavedGame:
    """A saved game as a list shows it: its file at once, `info` once read, `standing` once gone through."""

    def __init__(self, file: GameFile) -> None:
        self.file = file
        self.info: GameInfo | None = None
        self.standing: Standing | None = known_standing(file)

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.info.title if self.info is not None else self.file.path.stem

    @property
    def players(self) -> str:
        """Who plays it, or ""."""
        return self.info.players if self.info is not None else ""

    @property
    def choices(self) -> int:
        """How many choices were made in it."""
        return self.info.choices if self.info is not None else 0

    @property
    def problem(self) -> str:
        """Why it cannot be opened, a line a fault, or ""."""
        if self.info is not None and self.info.problem:
            return self.info.problem
        return self.standing.problem if self.standing is not None else ""

    @property
    def detail(self) -> str:
        """The scenario, unless it is the title, how far the game is or who won, and the day."""
        parts = []
        if self.file.kind == "deleted":
            parts.append("deleted")
        if self.problem:
            parts.append("cannot be opened")
        else:
            if self.info is not None and self.info.scenario != self.title:
                parts.append(self.info.scenario)
            if self.standing is not None:
                parts.append(self.standing.words)
            elif self.info is not None:
                parts.append(f"{self.choices} choice{'' if self.choices == 1 else 's'}")
        return " · ".join([*parts, self.file.day])

    def read(self) -> None:
        """Read what the file tells at once."""
        self.info = look_at(self.file.path)

    def go_through(self) -> Iterator[None]:
        """Find out how far the game is, a choice a step; what fails here is not begun again."""
        try:
            yield from work_out_standing(self.file)
        except Exception:
            self.standing = UNKNOWN
            raise
        self.standing = known_standing(self.file)


# Listing


def unfinished() -> list[SavedGame]:
    """Return the latest games to go on with, the latest first, as far as their files tell at once."""
    return _latest("unfinished")


def finished() -> list[SavedGame]:
    """Return the latest games played to their end, the latest first, as far as their files tell at once."""
    return _latest("finished")


def _latest(kind: Kind) -> list[SavedGame]:
    found = [SavedGame(file) for file in game_files() if file.kind == kind][:MOST_AT_START]
    for game in found:
        game.read()
    return found


def game_files() -> list[GameFile]:
    """Return every file in the folder of games, deleted ones too, the latest first."""
    folder = games_folder()
    found: list[GameFile] = []
    for where, kind in _folders(folder):
        if where.is_dir():
            found += _files(where, kind)
    return sorted(found, key=lambda one: (-one.when, one.path.name))


def _folders(folder: Path) -> tuple[tuple[Path, Kind], ...]:
    return (
        (folder, "unfinished"),
        (folder / FINISHED, "finished"),
        (folder / TRASH, "deleted"),
        (folder / TRASH / FINISHED, "deleted"),
    )


def _files(where: Path, kind: Kind) -> Iterator[GameFile]:
    for path in where.glob("*.json"):
        with suppress(OSError):  # gone since the folder was read
            about = path.stat()
            yield GameFile(path, kind, about.st_mtime, about.st_size)


def look_at(path: Path) -> GameInfo:
    """Return what a game's file tells without playing it through."""
    try:
        record = load_record(path)
    except NewerFile as error:
        title = error.value.title if isinstance(error.value, Record) else ""
        return GameInfo(title or path.stem, "", "", 0, "\n".join(error.problems))
    except BadFile as error:
        return GameInfo(path.stem, "", "", 0, "\n".join(error.problems))
    scenario = str(record.scenario.get("name", ""))
    return GameInfo(record.title or scenario, scenario, players_words(record), len(record.choices), "")


_standings: OrderedDict[GameFile, Standing] = OrderedDict()


def known_standing(game: GameFile) -> Standing | None:
    """Return how far a game is, if that has been worked out since the file last changed."""
    return _standings.get(game)


def work_out_standing(game: GameFile) -> Iterator[None]:
    """Work out how far a game is, a choice a step, so that whoever asks can do something else in between.

    At the end `known_standing` has it.
    """
    from engine.core.course import Course, follow, started
    from engine.core.match import PUBLIC
    from engine.raid.match import RULES

    try:
        record = load_record(game.path)
        scenario = RULES.unpack_scenario(record.scenario, "")
        yield
        course = started(lambda: Course(RULES, record, scenario), "")
        for _ in follow(RULES, record, course.apply, ""):
            yield
    except BadFile as error:
        made = Standing(None, None, "", "\n".join(error.problems))
    else:
        state = course.state
        # Anybody may look at the list: of a game that goes on it has what both sides know.
        view = RULES.view_open(state) if RULES.is_over(state) else RULES.view(state, PUBLIC)
        made = Standing(view, RULES.board(state).plan, standing_words(view), "")
    _standings[game] = made
    while len(_standings) > KEPT:
        _standings.popitem(last=False)


def standing_words(view: View) -> str:
    """Return how far a game is, or who won it."""
    from app.wording import victory_words
    from engine.raid.view import PHASE_NAMES

    if view.outcome is not None:
        return victory_words(view)
    phase = PHASE_NAMES[view.phase]
    return phase if view.phase == "set-up" else f"turn {view.turn}, {phase}"


# Changing


def put_away(path: Path) -> Path:
    """Move a game that has ended to the finished ones; return where it is then. Raises OSError."""
    return move_into(path, path.parent / FINISHED)


def keep_finished(record: Record, name: str) -> Path:
    """Keep the record of a game that ended elsewhere under a name of its own; return where. Raises OSError.

    What has that name already is the same game, and stays as it is.
    """
    path = games_folder() / FINISHED / f"{clean_name(f'{record.title[:40]} {name}') or 'Game'}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, format_record(record))
    return path


def rename(path: Path, title: str) -> None:
    """Give a game another title; nothing else in its file changes, nor its day. Raises BadFile, OSError."""
    record = load_record(path)
    clean = " ".join(title.split())[:TITLE_LENGTH]
    about = path.stat()
    write_atomic(path, format_record(msgspec.structs.replace(record, title=clean)))
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


def delete(path: Path) -> Path:
    """Put a game into the trash; return where it is there. Raises OSError."""
    return trash.throw_away(path, games_folder())


def put_back(path: Path) -> Path:
    """Take a game out of the trash again; return where it is then. Raises OSError."""
    return trash.put_back(path, games_folder())


def export(path: Path, target: Path) -> None:
    """Copy a game's file to a place outside the folder of games, whatever is in it.

    Raises BadFile where the file cannot be read, OSError where the copy cannot be written, and
    FileExistsError rather than write over another game.
    """
    keep_games(target)
    write_atomic(target, read_bytes(path))


def delete_for_good(path: Path) -> None:
    """Delete a game that is in the trash, with no way back. Raises OSError, ValueError for any other game."""
    trash.delete_for_good(path, games_folder())


def keep_games(target: Path) -> None:
    """Raise FileExistsError where a saved game is, so that nothing is written over it."""
    is_game = target.suffix.lower() == ".json" and target.exists()
    if is_game and target.resolve().is_relative_to(games_folder().resolve()):
        raise FileExistsError(errno.EEXIST, "another game is there; choose another name", str(target))


def import_game(path: Path) -> Path:
    """Take a file into the folder of games, a record or its notation; return where it is then.

    Raises BadFile with a line for each fault, OSError where it cannot be written; then nothing has changed.
    """
    return _take_in(read_bytes(path), path.stem, str(path))


def import_text(text: str) -> Path:
    """Take a game that was copied as text into the folder of games; return where it is then.

    Raises as `import_game` does.
    """
    return _take_in(text.encode("utf-8", "replace"), "", "")


def _take_in(raw: bytes, name: str, path: str) -> Path:
    from engine.raid.match import RaidMatch
    from engine.raid.notation import is_game, read_game

    record = read_game(raw, path)
    try:
        is_over = RaidMatch.from_record(record).is_over
    except BadFile as error:
        raise BadFile(error.problems, path) from error
    if is_game(raw):
        raw = format_record(record)
    folder = games_folder() / FINISHED if is_over else games_folder()
    target = free_path(folder, f"{name[:80] or 'Copied game'}.json")
    try:
        write_atomic(target, raw)
    except OSError:
        target.unlink(missing_ok=True)
        raise
    return target
