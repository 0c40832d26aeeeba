"""5.5, 5.62: what a hit does."""

from __future__ import annotations

from engine.core.event import Telling, own_and_others, tell_all
from engine.raid import events
from engine.raid.figures import ABILITIES, HEART, JELLY, SIDES
from engine.raid.state import DEAD, HAND, Fight, State


def hit(state: State, fight: Fight, figure: int, tell: list[Telling]) -> None:
    """Apply one injury: a warrior's owner must choose a level to lose, others die (5.5)."""
    if state.game.roster.is_fighter[figure] and state.awake[figure]:
        fight.injured = figure
    else:
        kill(state, figure, "5.5", tell)


def kill(state: State, figure: int, rule: str, tell: list[Telling]) -> None:
    """Take a figure out of the game (5.5, R28)."""
    state.where[figure] = DEAD
    tell.append(tell_all(events.Killed(rule, state.game.roster.name[figure])))


def lose(state: State, fight: Fight, figure: int, ability: int, tell: list[Telling]) -> None:
    """Take an injury on an ability; the last one lost makes the figure fall (5.5, 5.62, R21, R28)."""
    roster = state.game.roster
    name = roster.name[figure]
    fight.injured = -1
    state.set_level(figure, ability, state.level(figure, ability) - 1)
    tell.append(
        own_and_others(
            roster.side(figure),
            events.Injured("5.5", name, ABILITIES[ability]),
            events.Injured("R24", name, None),
        )
    )
    if state.total(figure):
        return
    state.awake[figure] = 0
    tell.append(tell_all(events.FellUnconscious("5.5", name)))
    fight.hands[figure * HAND : figure * HAND + HAND] = bytes(HAND)
    announce_empty_hand(state, fight, roster.side(figure), tell)
    points = state.game.scenario.points
    is_scored = points is not None and points.jelly > 0
    if roster.kind[figure] == JELLY and not state.original_of(figure)[HEART] and not is_scored:
        kill(state, figure, "R28", tell)


def announce_empty_hand(state: State, fight: Fight, side: int, tell: list[Telling]) -> None:
    """Say that a side has no counter left, once (R16)."""
    if fight.empty[side]:
        return
    first = state.game.roster.terminators * HAND
    mine = fight.hands[:first] if side == 0 else fight.hands[first:]
    if not any(mine):
        fight.empty[side] = True
        tell.append(tell_all(events.HandEmpty("R16", SIDES[side])))


def restore_heart(state: State, figure: int) -> None:
    """Give back one level of Mountain Heart (5.6)."""
    state.set_level(figure, HEART, state.level(figure, HEART) + 1)
