"""6.2, R12: figures that come to an entry during the game."""

from __future__ import annotations

from engine.core.event import Telling, tell_all
from engine.raid import events
from engine.raid.scenario import turns_of
from engine.raid.state import BOX, WAITING, State


def arrive(state: State, tell: list[Telling]) -> None:
    """Bring this turn's figures to their entries, where they wait to be moved in, face up (6.2, R12)."""
    game = state.game
    for row, figures in zip(game.scenario.reinforcements, game.roster.reinforcements, strict=True):
        turns = turns_of(row, game.scenario.turns)
        if state.turn not in turns:
            continue
        first = turns.index(state.turn) * row.number
        coming = [figure for figure in figures[first : first + row.number] if state.where[figure] == BOX]
        for figure in coming:
            state.where[figure] = WAITING
            state.face_up[figure] = 1
        if coming:
            names = tuple(game.roster.name[figure] for figure in coming)
            tell.append(tell_all(events.ReinforcementsCame("6.2", names, row.entry)))
