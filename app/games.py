"""The player's games on disk: new ones, unfinished ones to go on with, finished ones to replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.game_files import FINISHED, GameFile, known_standing, work_out_standing
from app.settings import games_folder
from app.trash import move_into

if TYPE_CHECKING:
    from engine.core.player import Player
    from engine.raid.match import RaidMatch
    from engine.raid.scenario import Scenario
    from engine.raid.view import View

MOST_LISTED = 50
BOTS = {"rulebook": "Rulebook bot", "solitaire": "Solitaire rules", "random": "Random bot"}


class SavedGame(NamedTuple):
    """A game file, as a list shows it; `problem` says why it cannot be opened, "" if it can."""

    path: Path
    title: str
    day: str
    detail: str
    problem: str


def new_path(title: str) -> Path:
    """Return a file for a new game that no other game has."""
    clean = (
        "".join(letter if letter.isalnum() or letter in " -" else "-" for letter in title).strip() or "Game"
    )
    stem = f"{datetime.now():%Y-%m-%d %H.%M.%S} {clean[:40]}"
    folder = games_folder()
    path = folder / f"{stem}.json"
    number = 2
    while path.exists():
        path = folder / f"{stem} {number}.json"
        number += 1
    return path


def new_game(
    scenario: Scenario, seats: Mapping[str, str], names: Mapping[str, str], seed: str | None = None
) -> RaidMatch:
    """Return a new game that saves itself after every choice."""
    import secrets

    from engine.raid.match import RaidMatch

    return RaidMatch.new(
        scenario, seed or secrets.token_hex(8), seats=seats, names=names, path=new_path(scenario.name)
    )


def bots_for(side: str) -> dict[str, str]:
    """Return the bots that can play a side, each with its name for the player."""
    from engine.bots import bots_of

    return {bot: BOTS.get(bot, bot) for bot in bots_of(side)}


def make_bots(seats: Mapping[str, str], seed: str) -> dict[str, Player]:
    """Return the bots of a game's seats; raises ValueError for a seat that nobody here can take."""
    from engine.bots import bots_of, make_bot

    for side, seat in seats.items():
        if seat != "human" and seat not in bots_of(side):
            raise ValueError(
                f'seats.{side}: "{seat[:40]}" is not one of {" ".join(("human", *bots_of(side)))}'
            )
    return {side: make_bot(seat, f"{seed} {side}") for side, seat in seats.items() if seat != "human"}


def unfinished() -> list[SavedGame]:
    """Return the games to go on with, the latest first."""
    return _listed(games_folder())


def finished() -> list[SavedGame]:
    """Return the games played to their end, the latest first."""
    return _listed(games_folder() / FINISHED)


def look_into(game: SavedGame) -> Iterator[SavedGame]:
    """Yield a game again and again while it is played through, at last with how far it is or who won."""
    if game.problem:
        return
    try:
        about = game.path.stat()
    except OSError as error:
        yield game._replace(problem=str(error))
        return
    file = GameFile(game.path, "unfinished", about.st_mtime, about.st_size)
    if known_standing(file) is None:
        for _ in work_out_standing(file):
            yield game
    standing = known_standing(file)
    if standing is not None:
        words = f"{game.day} · {standing.words}" if not standing.problem else game.detail
        yield game._replace(detail=words, problem=standing.problem)


def put_away(path: Path) -> Path:
    """Move a game that has ended to the finished ones; return where it is then."""
    return move_into(path, path.parent / FINISHED)


def _listed(folder: Path) -> list[SavedGame]:
    if not folder.is_dir():
        return []
    dated = sorted(((file.stat().st_mtime, file) for file in folder.glob("*.json")), reverse=True)
    return [_described(file, when) for when, file in dated[:MOST_LISTED]]


def _described(path: Path, when: float) -> SavedGame:
    from engine.core.files import BadFile
    from engine.core.record import load_record

    day = f"{datetime.fromtimestamp(when):%d %b %Y, %H:%M}"
    try:
        record = load_record(path)
    except (BadFile, OSError) as error:
        return SavedGame(path, path.stem, day, day, str(error))
    sides = [
        player_words(record.names.get(side, ""), record.seats.get(side, "human"), side) for side in _SIDES
    ]
    count = len(record.choices)
    detail = f"{day} · {count} choice{'' if count == 1 else 's'}"
    return SavedGame(path, f"{record.title}: {sides[0]} against {sides[1]}", day, detail, "")


def standing_words(view: View) -> str:
    """Return how far a game is, or who won it."""
    from app.wording import victory_words
    from engine.raid.view import PHASE_NAMES

    if view.outcome is not None:
        return victory_words(view)
    phase = PHASE_NAMES[view.phase]
    return phase if view.phase == "set-up" else f"turn {view.turn}, {phase}"


_SIDES = {"terminator": "Terminator", "clonemaster": "CloneMaster"}


def player_words(name: str, seat: str, side: str) -> str:
    """Return how a list calls a player."""
    return name or BOTS.get(seat) or _SIDES[side]
