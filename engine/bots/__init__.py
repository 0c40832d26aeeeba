"""Players that think: each knows its side's View and the Decision, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.bots.random import RandomPlayer
from engine.bots.rulebook import RulebookPlayer
from engine.bots.solitaire import SolitairePlayer
from engine.core.player import Player
from engine.raid.figures import CLONEMASTER

if TYPE_CHECKING:
    from engine.raid.scenario import Scenario

BOTS = ("random", "rulebook", "solitaire")
# 6.3c: the printed lines are the CloneMaster's.
ONLY_SIDE = {"solitaire": CLONEMASTER}


def bots_of(side: str) -> tuple[str, ...]:
    """Return the names of the bots that can play a side."""
    return tuple(bot for bot in BOTS if ONLY_SIDE.get(bot, side) == side)


def usual_bot(side: str, scenario: Scenario) -> str:
    """Return the bot that plays a side where nobody names one, by the lines of 6.3 where chance sets up."""
    return "solitaire" if side == CLONEMASTER and scenario.set_up == "random" else "rulebook"


def make_bot(name: str, seed: str) -> Player:
    """Return a bot by its name; raises ValueError for an unknown one."""
    if name == "random":
        return RandomPlayer(seed)
    if name == "rulebook":
        return RulebookPlayer(seed)
    if name == "solitaire":
        return SolitairePlayer(seed)
    raise ValueError(f'"{name}" is not one of {" ".join(BOTS)}')
