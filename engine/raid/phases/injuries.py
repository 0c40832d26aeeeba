"""5.5, R24: the owner chooses which ability an injury costs."""

from __future__ import annotations

from engine.core.decision import Choice, Decision, IllegalChoice, Options
from engine.core.event import Telling
from engine.raid import injury
from engine.raid.choices import LoseAbility
from engine.raid.figures import ABILITIES, ABILITY_NAMES, SIDES
from engine.raid.phases.naming import ability_of, figure_of
from engine.raid.state import State


def decisions(state: State) -> list[Decision]:
    """Return the owner's choice; he is asked even for the last ability, which nobody else must learn."""
    fight = state.current_fight()
    figure = fight.injured
    roster = state.game.roster
    name = roster.name[figure]
    options = tuple(
        LoseAbility(name, word) for index, word in enumerate(ABILITIES) if state.level(figure, index)
    )
    side = SIDES[roster.side(figure)]
    return [
        Decision(
            side,
            "lose-ability",
            "5.5",
            f"{name} is hit: choose the ability that loses a level.",
            f"{name}'s owner marks the injury.",
            Options.listed(options),
        )
    ]


def check(state: State, side: int, choice: Choice) -> None:
    """Refuse an ability the figure does not have; raises IllegalChoice."""
    fight = state.current_fight()
    figure = fight.injured
    if not isinstance(choice, LoseAbility) or side != state.game.roster.side(figure):
        raise IllegalChoice("the game waits for an injury to be marked", "5.5")
    if figure_of(state, choice.figure, side, "5.5") != figure:
        raise IllegalChoice(f"it is {state.game.roster.name[figure]} who was hit", "5.5")
    if not state.level(figure, ability_of(choice.ability, "5.5")):
        raise IllegalChoice(f"{choice.figure} has no {ABILITY_NAMES[choice.ability]} to lose", "5.5")


def apply(state: State, side: int, choice: Choice, tell: list[Telling]) -> None:
    """Mark the injury."""
    fight = state.current_fight()
    assert isinstance(choice, LoseAbility)
    injury.lose(state, fight, fight.injured, ABILITIES.index(choice.ability), tell)
