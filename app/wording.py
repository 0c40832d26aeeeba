"""Choices in words: what a button says, and the second line below it."""

from __future__ import annotations

from collections.abc import Iterable

from app.lan.pause import AnswerPause
from app.panels import odds
from engine.core.agreement import AnswerDraw
from engine.core.decision import Choice
from engine.core.event import Event
from engine.core.takeback import AnswerTakeback
from engine.raid import choices as c
from engine.raid.events import GameEnded
from engine.raid.figures import ABILITY_NAMES, SIDE_NAMES
from engine.raid.log import target
from engine.raid.view import View

PHASE_SHORT = {
    "set-up": "Set-up",
    "terminator-move-1": "Term. Move I",
    "combat-1": "Combat I",
    "terminator-move-2": "Term. Move II",
    "clonemaster-move": "CloneMaster Move",
    "combat-2": "Combat II",
    "recovery": "Recovery",
    "advance": "Advance",
    "over": "Over",
}


def victory_words(view: View) -> str:
    """Return who won and how, as a headline."""
    outcome = view.outcome
    if outcome is None:
        return ""
    if outcome.winner == "draw":
        return "A draw"
    level = outcome.level or "victory"
    return f"{SIDE_NAMES[outcome.winner]} {level}"


def reason_words(view: View) -> str:
    """Return why the game is over, as a sentence."""
    reason = view.outcome.reason if view.outcome is not None else ""
    return reason[:1].upper() + reason[1:] + ("" if reason.endswith(".") else ".")


def ending_rule(events: Iterable[Event]) -> str:
    """Return the rule by which a game ended (6.1, 6.3, R31); "" while it goes on, and where none did."""
    return next((event.rule for event in events if isinstance(event, GameEnded)), "")


def counter_list(counters: tuple[str, ...]) -> str:
    """Return a hand in words."""
    return ", ".join(ABILITY_NAMES[word] for word in counters) or "no counter"


def choice_words(choice: Choice, view: View | None = None) -> tuple[str, str]:
    """Return what a button for a choice says, and its second line or ""."""
    match choice:
        case c.SetAbilities():
            return f"{choice.figure}: set levels", ""
        case c.Place():
            return f"Place {choice.figure} at {choice.square[0]},{choice.square[1]}", ""
        case c.TakeBack():
            return f"Take {choice.figure} back", ""
        case c.Ready():
            return "Set-up complete", "nothing can be changed afterwards"
        case c.PlaceDoor():
            return f"Put an armored door at {choice.square[0]},{choice.square[1]} {choice.side}", ""
        case c.PlaceComputer():
            return f"Put a computer at {choice.square[0]},{choice.square[1]} {choice.side}", ""
        case c.RemoveExtra():
            return f"Take {target(choice.name)} away", ""
        case c.Enter():
            return f"Enter by the {choice.entry}", choice.figure
        case c.Station():
            return f"Take station at the {choice.entry}", f"{choice.figure} may attack the door in combat"
        case c.Move():
            x, y = choice.path[-1]
            return f"Move {choice.figure} to {x},{y}", ""
        case c.Exit():
            return "Leave the map", f"{choice.figure}; nobody who left comes back"
        case c.EndMove():
            return "End the free move", ""
        case c.EndPhase():
            return "End this phase", ""
        case c.Release():
            return f"Release {choice.figure}", "turned up for the rest of the game"
        case c.ReleaseCloneMaster():
            return "Release the CloneMaster", "turned up now, with a free move of four"
        case c.FreeMove():
            if choice.now:
                return "Take the free move now", ""
            return "Keep the free move", "for the end of this Terminator Move"
        case c.Pass():
            return "Not now", ""
        case c.Fight():
            return f"Resolve combat {choice.combat + 1}", _combat_words(choice.combat, view)
        case c.ChooseCounters():
            return f"{choice.figure}: {counter_list(choice.counters)}", ""
        case c.Throw():
            return "Throw spikes" if choice.spikes else "Do not throw", ""
        case c.Begin():
            return f"{SIDE_NAMES[choice.side]} side plays first", ""
        case c.PlayCounter():
            return f"{choice.figure}: {_counter_name(choice.counter, choice.figure, view)}", ""
        case c.NameTarget():
            return f"Strike {target(choice.target)}", ""
        case c.Discard():
            name = _counter_name(choice.counter, choice.figure, view)
            return f"Put aside: {choice.figure}'s {name}", "it can do nothing any more (R18)"
        case c.Stop():
            return "Stop here", "keep the attacks that are left"
        case c.LoseAbility():
            return f"Lose {ABILITY_NAMES[choice.ability]}", choice.figure
        case c.UntrainedAttack():
            return f"{choice.figure} attacks {choice.target}", "untrained"
        case c.PlayMist():
            return f"{choice.figure} shows Body of Mist", "no untrained attack on him counts"
        case c.Shoot():
            return f"{choice.figure} fires at {choice.target}", ""
        case c.PlaySoul():
            return f"{choice.figure} shows Monkey Soul", "one shot at him misses"
        case c.Done():
            return "Done", ""
        case c.Displace():
            return f"Put {choice.figure} at {choice.square[0]},{choice.square[1]}", ""
        case AnswerPause():
            if choice.agrees:
                return "Agree", "the game stops until one of you goes on"
            return "Play on", "the game goes on as it is"
        case AnswerTakeback():
            if choice.agrees:
                return "Agree", "the game goes back"
            return "Decline", "the game goes on as it is"
        case AnswerDraw():
            if choice.agrees:
                return "Agree", "the game ends as a draw"
            return "Decline", "the game goes on"
    return str(choice), ""


def _counter_name(word: str, name: str, view: View | None) -> str:
    """Return a counter's name; a weapon's by its own where the figure is known."""
    known = view.figures if view is not None else ()
    return odds.counter_name(word, next((one for one in known if one.name == name), None))


def _combat_words(number: int, view: View | None) -> str:
    if view is None or not 0 <= number < len(view.combats):
        return ""
    return ", ".join(view.combats[number])
