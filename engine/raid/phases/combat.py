"""5.3: the combats of a phase and the order in which they are resolved."""

from __future__ import annotations

from engine.core.decision import Choice, Decision, IllegalChoice, Options
from engine.core.event import Telling, tell_all
from engine.raid import events, strikes
from engine.raid.choices import Fight as FightChoice
from engine.raid.choices import ReleaseCloneMaster
from engine.raid.figures import CLONEMASTER, TERMINATOR
from engine.raid.phases import tactics
from engine.raid.state import COMBAT_1, Fight, State


def find(state: State, tell: list[Telling]) -> None:
    """Find the combats that are to be fought from here on (R15, R13)."""
    state.combats = strikes.find_combats(state)
    name = state.game.roster.name
    named = tuple(tuple(name[figure] for figure in members) for members in state.combats)
    tell.append(tell_all(events.CombatsFound("5.3", named)))


def order_side(state: State) -> int:
    """Return the side that picks the order: Terminator in Combat I, CloneMaster in Combat II (R15)."""
    return 0 if state.phase == COMBAT_1 else 1


def decisions(state: State) -> list[Decision]:
    """Return the choice of the combat to resolve next."""
    side = order_side(state)
    fights: list[Choice] = [FightChoice(number) for number in range(len(state.combats))]
    if side == 1 and state.is_hidden_clonemaster():
        fights.append(ReleaseCloneMaster())
    prompt = (
        "Resolve this combat."
        if len(state.combats) == 1
        else "Choose which combat to resolve next, to its end."
    )
    return [
        Decision(
            (TERMINATOR, CLONEMASTER)[side],
            "fight-order",
            "5.3",
            prompt,
            f"The {('Terminator', 'CloneMaster')[side]} player chooses the next combat.",
            Options.listed(fights),
        )
    ]


def check(state: State, side: int, choice: Choice) -> None:
    """Refuse a combat that is not to be fought; raises IllegalChoice."""
    if side != order_side(state):
        who = ("Terminator", "CloneMaster")[order_side(state)]
        raise IllegalChoice(f"the {who} player picks the order in this phase", "R15")
    if not isinstance(choice, FightChoice):
        raise IllegalChoice("this is a combat phase; choose the combat to resolve", "5.3")
    if not 0 <= choice.combat < len(state.combats):
        raise IllegalChoice("there is no combat of that number", "5.3")


def apply(state: State, side: int, choice: Choice, tell: list[Telling]) -> None:
    """Begin the chosen combat."""
    assert isinstance(choice, FightChoice)
    members = state.combats[choice.combat]
    state.combats = state.combats[: choice.combat] + state.combats[choice.combat + 1 :]
    state.next_combat += 1
    state.fight = Fight(state.next_combat, members, state.game.roster.size)
    name = state.game.roster.name
    tell.append(tell_all(events.CombatBegan("5.3", state.next_combat, tuple(name[f] for f in members))))
    tactics.begin(state, state.fight, tell)
