"""The people of a table in words."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.lan_protocol import SeatCard
from engine.raid.figures import SIDE_NAMES
from engine.raid.seats import BOT_NAMES


def time_words(seconds: float) -> str:
    """Return a time as minutes and seconds, with hours where there are any: "0:12", "1:02:03"."""
    whole = max(0, round(seconds))
    hours, minutes = divmod(whole // 60, 60)
    start = f"{hours}:{minutes:02}" if hours else str(minutes)
    return f"{start}:{whole % 60:02}"


def away_words(seconds: float) -> str:
    """Return for how long somebody has not been connected: "away for 0:12"."""
    return f"away for {time_words(seconds)}"


def seat_words(card: SeatCard) -> str:
    """Return who has a seat: the person, else the bot, else that it is free."""
    return card.name or (BOT_NAMES.get(card.player, card.player) if card.player else "free")


def name_of(seats: Mapping[str, SeatCard], side: str) -> str:
    """Return how to call whoever has a side: the person, else the bot, else the side."""
    card = seats.get(side)
    if card is None:
        return f"the {SIDE_NAMES[side]} player" if side in SIDE_NAMES else "the other player"
    return card.name or BOT_NAMES.get(card.player, "") or f"the {SIDE_NAMES[side]} player"
