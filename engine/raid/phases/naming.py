"""Names in choices, looked up and refused in one way."""

from __future__ import annotations

from engine.core.decision import IllegalChoice
from engine.raid.figures import ABILITIES
from engine.raid.state import State


def figure_of(state: State, name: str, side: int, rule: str) -> int:
    """Return a side's figure of that name; raises IllegalChoice where it has none."""
    figure = state.game.roster.index.get(name)
    if figure is None:
        raise IllegalChoice(f'there is no figure called "{name}"', rule)
    if state.game.roster.side(figure) != side:
        raise IllegalChoice(f"{name} is not yours", rule)
    return figure


def ability_of(word: str, rule: str) -> int:
    """Return the ability of that word; raises IllegalChoice where there is none."""
    if word not in ABILITIES:
        raise IllegalChoice(f'"{word}" is not one of {" ".join(ABILITIES)}', rule)
    return ABILITIES.index(word)
