"""Events in words, a line each, in the third person so that anybody may read over a shoulder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core.agreement import DrawAnswered, DrawAsked
from engine.core.event import Event
from engine.core.takeback import TakebackAnswered, TakebackAsked
from engine.raid import events as e
from engine.raid.choices import Square
from engine.raid.figures import ABILITY_NAMES
from engine.raid.view import PHASE_NAMES

SIDE_TITLES = {"terminator": "The Terminator player", "clonemaster": "The CloneMaster player"}
COLUMN_NAMES = {
    "helpless": "helpless",
    "inactive": "inactive",
    "fist": "against Iron Fist",
    "kick": "against Lightning Foot",
    "mist": "against Body of Mist",
    "soul": "against Monkey Soul",
}


def describe(event: Event) -> str:
    """Return what happened as one line without its rule number; raises KeyError for an unknown kind."""
    return _LINES[type(event)](event)


def place(square: Square) -> str:
    """Return a square in words."""
    return f"{square[0]},{square[1]}"


def thing(name: str) -> str:
    """Return a door or piece of equipment in words: "armored door at 5,6 S", "computer at 20,7"."""
    kind, _, where = name.partition(" ")
    words = {"door": "armored door", "tank": "clone tank"}
    return f"{words.get(kind, kind)} at {where}"


def target(name: str) -> str:
    """Return what is struck at in words: a figure's name, a thing with its article and place."""
    return f"the {thing(name)}" if "," in name else name


def _names(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _needs(needs: int, die: int | None) -> str:
    if die is None:
        return "no roll can hit"
    return f"rolls {die}, needs {needs} or less" if needs > 1 else f"rolls {die}, needs 1"


def _levels(levels: dict[str, int]) -> str:
    return ", ".join(f"{ABILITY_NAMES[word]} {level}" for word, level in levels.items() if level) or "none"


def _combats(event: e.CombatsFound) -> str:
    if not event.combats:
        return "No combat in this phase."
    count = "One combat" if len(event.combats) == 1 else f"{len(event.combats)} combats"
    return f"{count}: {'; '.join(_names(figures) for figures in event.combats)}."


def _secret(event: e.Secret) -> str:
    where = f" lay face down at {place(event.square)}" if event.square else ""
    if event.original is None or event.levels is None:
        return f"{event.figure}{where}."
    return f"{event.figure}{where}: began with {_levels(event.original)}; left: {_levels(event.levels)}."


def _counters(event: e.CountersChosen) -> str:
    chosen = _names(tuple(ABILITY_NAMES[word] for word in event.counters)) if event.counters else "no counter"
    return f"{event.figure}: {chosen} chosen."


def _resolved(event: e.AttackResolved) -> str:
    result = "hit" if event.hit else "miss"
    return (
        f"{event.figure}'s {ABILITY_NAMES[event.counter]} on {event.target}, {COLUMN_NAMES[event.column]}: "
        f"{_needs(event.needs, event.die)}: {result}."
    )


def _discarded(event: e.CounterDiscarded) -> str:
    if event.counter is None:
        return f"{SIDE_TITLES[event.side]} puts a counter aside."
    return f"{event.figure} puts {ABILITY_NAMES[event.counter]} aside."


def _ended(event: e.GameEnded) -> str:
    side = {"terminator": "The Terminators win", "clonemaster": "The CloneMaster wins", "draw": "A draw"}
    level = f" ({event.level})" if event.level else ""
    return f"{side[event.winner]} in turn {event.turn}{level}. {event.reason}"


_LINES: dict[type[Event], Callable[[Any], str]] = {
    e.AbilitiesSet: lambda v: (
        f"{v.figure}: "
        + _levels({"fist": v.fist, "kick": v.kick, "mist": v.mist, "soul": v.soul, "heart": v.heart})
        + "."
    ),
    e.Placed: lambda v: f"{v.figure} is placed at {place(v.square)}.",
    e.TakenBack: lambda v: f"{v.figure} is taken back.",
    e.ExtraPlaced: lambda v: f"The {thing(v.name)} is added to the fortress.",
    e.ExtraRemoved: lambda v: f"The {thing(v.name)} is taken away again.",
    e.StartsAt: lambda v: f"{v.figure} starts at {place(v.square)}.",
    e.CountersDealt: lambda v: f"{v.number} counters are dealt face down; nobody knows which lies where.",
    e.SetUpDone: lambda v: f"{SIDE_TITLES[v.side]} is ready.",
    e.PhaseBegan: lambda v: f"Turn {v.turn}: {PHASE_NAMES[v.phase]}.",
    e.Entered: lambda v: f"{v.figure} enters by {v.entry} at {place(v.square)} for {_points(v.cost)}.",
    e.ReinforcementsCame: lambda v: (
        f"{_names(v.figures)} {'comes' if len(v.figures) == 1 else 'come'} to the {v.entry}."
    ),
    e.Stationed: lambda v: f"{v.figure} takes station outside the {v.entry}.",
    e.Moved: lambda v: (
        f"{v.figure} moves from {place(v.path[0])} to {place(v.path[-1])}"
        + (f" for {_points(v.cost)}; {v.left} left." if v.cost is not None else ".")
    ),
    e.PutBack: lambda v: (
        f"{v.figure} finds no free square and goes back "
        + (f"to {place(v.square)}." if v.square else "outside.")
    ),
    e.Exited: lambda v: f"{v.figure} escapes by {v.entry}.",
    e.Revealed: lambda v: f"{v.figure} is {'found' if v.by == 'entry' else 'released'} at {place(v.square)}.",
    e.FreeMoveKept: lambda v: f"{v.figure} keeps his free move for the end of this phase.",
    e.CombatsFound: _combats,
    e.CombatBegan: lambda v: f"Combat {v.combat}: {_names(v.figures)}.",
    e.CountersChosen: _counters,
    e.SideChose: lambda v: f"{SIDE_TITLES[v.side]} has chosen counters.",
    e.SpikesDeclared: lambda v: (
        "Throwing spikes open this combat." if v.throws else "No throwing spikes in this combat."
    ),
    e.FirstPlayer: lambda v: f"{SIDE_TITLES[v.side]} plays first.",
    e.CounterPlayed: lambda v: (
        f"{v.figure} {'replies with' if v.is_reply else 'plays'} {ABILITY_NAMES[v.counter]}."
    ),
    e.TargetNamed: lambda v: f"{v.figure} strikes at {v.target} with {ABILITY_NAMES[v.counter]}.",
    e.AttackVoid: lambda v: f"{v.figure}'s {ABILITY_NAMES.get(v.counter, 'shot')} does nothing: {v.reason}.",
    e.AttackResolved: _resolved,
    e.CounterDiscarded: _discarded,
    e.HandEmpty: lambda v: f"{SIDE_TITLES[v.side]} has no counter left.",
    e.Stopped: lambda v: f"{SIDE_TITLES[v.side]} keeps the remaining attacks.",
    e.DoorStruck: lambda v: (
        f"{v.figure} strikes the armored {v.target} with {ABILITY_NAMES[v.counter]}: "
        f"{_needs(v.needs, v.die)}: {'destroyed' if v.destroyed else 'it holds'}."
    ),
    e.EquipmentDestroyed: lambda v: f"{v.figure} destroys the {v.target} with {ABILITY_NAMES[v.counter]}.",
    e.UntrainedDeclared: lambda v: f"{v.figure} sets upon {v.target}.",
    e.MistShown: lambda v: f"{v.figure} shows Body of Mist: untrained attackers cannot touch him.",
    e.UntrainedRolled: lambda v: (
        f"{_names(v.figures)} against {v.target}: {_needs(v.needs, v.die)}: {'hit' if v.hit else 'miss'}."
    ),
    e.ShotDeclared: lambda v: f"{v.figure} aims at {v.target}.",
    e.SoulShown: lambda v: f"{v.figure} shows Monkey Soul and dodges {v.gun}'s shot.",
    e.ShotRolled: lambda v: (
        f"{v.figure} shoots at {v.target}: {_needs(v.needs, v.die)}: {'hit' if v.hit else 'miss'}."
    ),
    e.Injured: lambda v: (
        f"{v.figure} loses a level" + (f" of {ABILITY_NAMES[v.ability]}." if v.ability else ".")
    ),
    e.FellUnconscious: lambda v: f"{v.figure} falls unconscious.",
    e.Killed: lambda v: f"{v.figure} is out of the game.",
    e.Captured: lambda v: f"{v.figure} is captured.",
    e.CombatEnded: lambda v: f"Combat {v.combat} is over.",
    e.RecoveryRolled: lambda v: (
        f"{v.figure} {_needs(v.needs, v.die)}: "
        + ("a level of Mountain Heart comes back." if v.recovered else "no recovery.")
    ),
    e.Woke: lambda v: f"{v.figure} comes to.",
    e.Displaced: lambda v: f"{v.figure} is put aside to {place(v.square)}.",
    TakebackAsked: lambda v: f"{SIDE_TITLES[v.side]} asks to go back to before {v.what}.",
    TakebackAnswered: lambda v: (
        f"{SIDE_TITLES[v.side]} agrees: back to before {v.what}."
        if v.agrees
        else f"{SIDE_TITLES[v.side]} declines to go back."
    ),
    DrawAsked: lambda v: f"{SIDE_TITLES[v.side]} offers a draw.",
    DrawAnswered: lambda v: (
        f"{SIDE_TITLES[v.side]} agrees to a draw." if v.agrees else f"{SIDE_TITLES[v.side]} declines a draw."
    ),
    e.Secret: _secret,
    e.GameEnded: _ended,
}
