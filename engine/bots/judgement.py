"""What the rulebook bot thinks of attacks, replies and injuries; from a View alone."""

from __future__ import annotations

from engine.raid import tables
from engine.raid.figures import ABILITIES, COUNTERS, KINDS, SPIKES
from engine.raid.view import FigureView, View

# What a hit is worth, by kind of the one hit; equipment needs no roll and wins games.
WORTH = {
    "clonemaster": 9.0,
    "jelly": 3.0,
    "terminator": 3.0,
    "armed_technician": 3.5,
    "lc": 3.5,
    "technician": 1.0,
    "servant": 0.8,
}
EQUIPMENT_WORTH, DOOR_WORTH = 8.0, 1.5
# 5.6: Mountain Heart first, since only it comes back; then what is doubled, then defences.
LOSS_ORDER = ("heart", "soul", "mist", "weapon", "kick", "fist")


def needed(view: View, attacker: str, counter: str, target: str, reply: str | None) -> int:
    """Return the highest roll that hits against a target's own reply, None for none (2.6, R19, R20)."""
    struck = view.figure(target)
    own_reply = None if reply is None else COUNTERS.index(reply)
    column = tables.column(KINDS.index(struck.kind), struck.is_conscious, own_reply)
    return view.hits.needed(COUNTERS.index(counter), column, view.figure(attacker).weapon == SPIKES)


def worth(view: View, target: str) -> float:
    """Return what striking a target is worth, before the chance to hit it."""
    if target.startswith("door "):
        return DOOR_WORTH
    if target.startswith(("tank ", "computer ")):
        return EQUIPMENT_WORTH
    figure = view.figure(target)
    value = WORTH[figure.kind]
    if figure.kind in ("jelly", "terminator"):
        # One already hurt falls sooner; a Terminator who is down is killed by one more hit.
        value += 0.5 * figure.lost
        if not figure.is_conscious:
            value = 7.0 if figure.kind == "terminator" else 0.3
    return value


def attack_value(view: View, attacker: str, counter: str, target: str) -> float:
    """Return the worth of an attack times its chance against a target that does not reply itself."""
    if target.startswith(("tank ", "computer ")):
        return EQUIPMENT_WORTH
    if target.startswith("door "):
        return DOOR_WORTH * view.hits.door / 6
    return worth(view, target) * needed(view, attacker, counter, target, None) / 6


def loss(levels: dict[str, int]) -> str:
    """Return the ability to lose a level of: Mountain Heart, then a doubled one, then the least useful."""
    if levels.get("heart"):
        return "heart"
    doubled = [word for word in LOSS_ORDER if levels.get(word, 0) > 1]
    return (doubled or [word for word in LOSS_ORDER if levels.get(word, 0)])[0]


def hand_size(figure: FigureView) -> int:
    """Return how many counters a figure may pick (5.4)."""
    return tables.hand_limit(KINDS.index(figure.kind))


def attacks_first(levels: dict[str, int], limit: int, defences: tuple[str, ...]) -> tuple[str, ...]:
    """Return a hand: so many of these defences as asked for and held, the rest attacks, then what is left."""
    left = {word: levels.get(word, 0) for word in ABILITIES[:5]}
    picked: list[str] = []
    for word in (*defences, *("weapon", "kick", "fist") * 3, *("mist", "soul") * 3):
        if len(picked) < limit and left[word]:
            left[word] -= 1
            picked.append(word)
    return tuple(sorted(picked, key=COUNTERS.index))
