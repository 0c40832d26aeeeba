"""What a choice was, in words that both sides may read: what a takeback would go back to before."""

from __future__ import annotations

from engine.core.decision import Choice
from engine.raid import choices as c
from engine.raid.figures import ABILITY_NAMES, SIDE_NAMES
from engine.raid.log import target
from engine.raid.state import SET_UP
from engine.raid.view import PHASE_NAMES, PHASES

Moment = tuple[int, int]  # turn and phase


def name_choice(side: str, choice: Choice, moment: Moment) -> str:
    """Return a choice in public words with its turn; secret choices are told by their kind alone (R29)."""
    turn, phase = moment
    player = f"the {SIDE_NAMES[side]} player"
    if phase == SET_UP:
        step = "the end" if isinstance(choice, c.Ready) else "the last step"
        return f"{step} of {player}'s set-up"
    return f"{_what(player, choice, phase)} in turn {turn}"


def _what(player: str, choice: Choice, phase: int) -> str:
    match choice:
        case c.Enter():
            return f"{choice.figure}'s coming in"
        case c.Station():
            return f"{choice.figure}'s taking station"
        case c.Move():
            return f"{choice.figure}'s move"
        case c.Exit():
            return f"{choice.figure}'s escape"
        case c.EndMove():
            return f"the end of {choice.figure}'s free move"
        case c.EndPhase():
            return f"the end of {player}'s {PHASE_NAMES[PHASES[phase]]}"
        case c.Release():
            return f"the release of {choice.figure}"
        case c.ReleaseCloneMaster():
            return "the release of the CloneMaster"
        case c.FreeMove():
            return "the word on the CloneMaster's free move"
        case c.Pass():
            return "the word on the CloneMaster's release"
        case c.Fight():
            return "the choice of the next combat"
        case c.ChooseCounters():
            # Not whose: how far a side has come with choosing is its own secret (R16).
            return f"{player}'s last choice of counters"
        case c.Throw():
            return "the word on throwing spikes"
        case c.Begin():
            return "the word on who plays first"
        case c.PlayCounter():
            return f"{choice.figure}'s {ABILITY_NAMES.get(choice.counter, choice.counter)}"
        case c.NameTarget():
            return f"the strike at {target(choice.target)}"
        case c.Discard():
            return f"{player}'s putting a counter aside"
        case c.LoseAbility():
            return f"{choice.figure}'s loss of a level"
        case c.UntrainedAttack() | c.Shoot():
            return f"{choice.figure}'s attack on {choice.target}"
        case c.PlayMist() | c.PlaySoul():
            return f"the counter shown for {choice.figure}"
        case c.Displace():
            return f"the putting aside of {choice.figure}"
        case _:
            return f"{player}'s last choice"
