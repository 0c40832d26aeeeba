"""The chance of every attack before it is made, from the numbers of `engine.raid.tables` alone.

What may come in reply is judged as the asking player could: from printed abilities and empty hands,
never from what the other side holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.core.dice import FACES
from engine.core.numbers import percent
from engine.raid import figures, tables
from engine.raid.figures import ABILITIES, ATTACKS, COUNTERS, HEART, KINDS, SPIKES
from engine.raid.tables import HitNumbers
from engine.raid.view import FigureView, View

AUTOMATIC = FACES + 1  # no die is rolled at all; a hit number of 6 is rolled, and always hits
_FIGHTERS = ("terminator", "jelly")
_ATTACK_WORDS = tuple(ABILITIES[attack] for attack in ATTACKS)


class Odds(NamedTuple):
    """What an attack needs if this reply comes: `reply` is a counter's word, or "" for none by the target.

    `needs` is the highest roll that hits, 0 where nothing does, `AUTOMATIC` where no die is needed.
    """

    reply: str
    column: str
    needs: int

    @property
    def chance(self) -> float:
        """Chance to hit, 0 to 1."""
        return min(self.needs / FACES, 1.0)


def is_attack(counter: str) -> bool:
    """Return whether a counter is one of the three that strike (5.4)."""
    return counter in _ATTACK_WORDS


def is_fighter(figure: FigureView) -> bool:
    """Return whether a figure picks counters and loses abilities: a Terminator or a Jelly (5.4)."""
    return figure.kind in _FIGHTERS


def counter_name(counter: str, figure: FigureView | None = None) -> str:
    """Return a counter's name; a Jelly's weapon by its own."""
    return figures.counter_name(counter, figure.weapon if figure is not None else None)


def column(target: FigureView, reply: str) -> str:
    """Return the column when the target replies with this counter, "" for none (2.6, R20)."""
    own_reply = COUNTERS.index(reply) if reply else None
    return tables.COLUMNS[tables.column(KINDS.index(target.kind), target.is_conscious, own_reply)]


def needs(hits: HitNumbers, counter: str, attacker: FigureView, in_column: str) -> int:
    """Return the highest roll on which an attack counter hits in a column (2.6, R19)."""
    under = tables.COLUMNS.index(in_column)
    return hits.needed(COUNTERS.index(counter), under, attacker.weapon == SPIKES)


def possible_replies(target: FigureView, view: View) -> tuple[str, ...]:
    """Return the counters a target might reply with, as far as its opponent can know.

    A Terminator may hold any that he was trained in; a Jelly only what is printed on it (R29). Nobody
    replies who is no fighter, has fallen, or whose side has announced an empty hand (R16).
    """
    fight = view.fight
    if not is_fighter(target) or not target.is_conscious:
        return ()
    if fight is not None and target.side in fight.empty_hands:
        return ()
    known = target.levels if target.levels is not None else target.original
    if target.side == view.viewer and fight is not None and target.name in fight.hand:
        held = set(fight.hand[target.name])
        return tuple(word for word in COUNTERS if word in held)
    if known is None:
        return tuple(word for word in COUNTERS if word != "weapon" or target.weapon)
    return tuple(word for word in COUNTERS if known.get(word, 0))


def odds(counter: str, attacker: FigureView, target: FigureView, view: View) -> tuple[Odds, ...]:
    """Return what an attack needs for each reply that may come, no reply by the target first."""
    found = [Odds("", column(target, ""), needs(view.hits, counter, attacker, column(target, "")))]
    for reply in possible_replies(target, view):
        under = column(target, reply)
        found.append(Odds(reply, under, needs(view.hits, counter, attacker, under)))
    return tuple(found)


def thing_odds(hits: HitNumbers, target: str) -> Odds:
    """Return what a kick or punch at a door or at equipment needs (5.7, 5.8)."""
    return Odds("", "", hits.door if target.startswith("door") else AUTOMATIC)


def reply_odds(view: View, replier: str, reply: str) -> Odds | None:
    """Return what the open attack would need if this figure replied with this counter; None without one."""
    if view.fight is None or view.fight.open_attack is None:
        return None
    attack = view.fight.open_attack
    target = view.figure(attack.target)
    under = column(target, reply if replier == target.name else "")
    return Odds(reply, under, needs(view.hits, attack.counter, view.figure(attack.figure), under))


def untrained_needs(attackers: int) -> int:
    """Return the highest roll on which that many untrained attackers hit a Terminator (R22)."""
    return min(attackers, FACES)


def format_needs(number: int) -> str:
    """Return the numbers that hit, as one reads them off a die."""
    if number <= 0:
        return "cannot hit"
    if number >= AUTOMATIC:
        return "no die needed"
    return "1" if number == 1 else f"1–{number}"


def format_chance(number: int) -> str:
    """Return the chance of rolling `number` or less, in whole per cent."""
    return percent(min(max(number, 0), FACES) / FACES)


def reply_name(one: Odds, target: FigureView) -> str:
    """Return how a row of the odds is called."""
    if one.reply:
        name = counter_name(one.reply, target)
        return f"{name} (guards nobody)" if one.reply == "weapon" else name
    if one.column == tables.COLUMNS[tables.HELPLESS]:
        return "helpless"
    return "no reply of his own" if is_fighter(target) else "cannot reply"


def spoken(rows: Sequence[Odds], target: FigureView) -> str:
    """Return the odds as one line: each number once, with the replies that it meets."""
    groups: dict[int, list[str]] = {}
    for one in rows:
        groups.setdefault(one.needs, []).append(reply_name(one, target))
    said = []
    for number, names in groups.items():
        chance = f" ({format_chance(number)})" if 0 < number < AUTOMATIC else ""
        against = "" if len(groups) == 1 and len(rows) > 1 else f": {', '.join(names)}"
        said.append(f"{format_needs(number)}{chance}{against}")
    text = " · ".join(said)
    return f"{text} whatever the reply" if len(groups) == 1 and len(rows) > 1 else text


def best_to_lose(levels: dict[str, int]) -> str | None:
    """Return the ability an injury costs least: Mountain Heart, which alone comes back (5.6).

    Without it, the talent with most levels, which still leaves some; None where nothing is left.
    """
    held = [word for word in ABILITIES if levels.get(word, 0)]
    if not held:
        return None
    heart = ABILITIES[HEART]
    return heart if heart in held else max(held, key=lambda word: levels[word])
