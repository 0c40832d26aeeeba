"""A game begun or gone on with: its file, its bots, and what its players are called."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from app.file_names import clean_name, numbered
from app.folders import games_folder
from engine.raid.figures import SIDE_NAMES, SIDES
from engine.raid.seats import BOT_NAMES

if TYPE_CHECKING:
    from engine.core.player import Player
    from engine.core.record import Record
    from engine.raid.match import RaidMatch
    from engine.raid.scenario import Scenario

BOTS = BOT_NAMES


def new_path(title: str) -> Path:
    """Return a file for a new game that no other game has."""
    name = f"{datetime.now():%Y-%m-%d %H.%M.%S} {clean_name(title)[:40] or 'Game'}.json"
    return next(path for path in numbered(games_folder() / name) if not path.exists())


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


def players_words(record: Record) -> str:
    """Return who plays a game, as a list says it: names, else which bot, else the side."""
    return " against ".join(
        record.names.get(side) or BOTS.get(record.seats.get(side, ""), SIDE_NAMES[side]) for side in SIDES
    )
