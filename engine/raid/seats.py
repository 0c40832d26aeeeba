"""Who can sit in a seat besides people, as players read it."""

from __future__ import annotations

from typing import Final

BOT_NAMES: Final = {"rulebook": "Rulebook bot", "solitaire": "Solitaire rules", "random": "Random bot"}
