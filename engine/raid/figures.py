"""2.55: the figures and their abilities; the twelve Jellies."""

from __future__ import annotations

from typing import Final, NamedTuple

TERMINATOR: Final = "terminator"
CLONEMASTER: Final = "clonemaster"
SIDES: Final = (TERMINATOR, CLONEMASTER)
SIDE_NAMES: Final = {TERMINATOR: "Terminator", CLONEMASTER: "CloneMaster"}
OTHER_SIDE: Final = {TERMINATOR: CLONEMASTER, CLONEMASTER: TERMINATOR}

# Abilities by index; the first five are also the kinds of tactics counters (2.52, 5.4).
ABILITIES: Final = ("fist", "kick", "weapon", "mist", "soul", "heart")
FIST, KICK, WEAPON, MIST, SOUL, HEART = range(6)
ATTACKS: Final = (FIST, KICK, WEAPON)
COUNTERS: Final = ABILITIES[:HEART]
ABILITY_NAMES: Final = {
    "fist": "Iron Fist",
    "kick": "Lightning Foot",
    "weapon": "Weapon",
    "mist": "Body of Mist",
    "soul": "Monkey Soul",
    "heart": "Mountain Heart",
}


def counter_name(word: str, weapon: str | None = None) -> str:
    """Return an ability's or a counter's name, a weapon by what it is."""
    return weapon.title() if word == "weapon" and weapon else ABILITY_NAMES[word]


# What a Terminator can be trained in (2.4); a Jelly may have a weapon as well.
TRAINED: Final = (FIST, KICK, MIST, SOUL, HEART)

# Kinds of figures by index.
KINDS: Final = ("terminator", "clonemaster", "armed_technician", "technician", "servant", "jelly", "lc")
TERM, CLONE, ARMED, TECH, SERVANT, JELLY, LC = range(7)
KIND_NAMES: Final = {
    "terminator": "Terminator",
    "clonemaster": "CloneMaster",
    "armed_technician": "Armed Technician",
    "technician": "Technician",
    "servant": "Servant",
    "jelly": "Jelly",
    "lc": "Local Constabulary",
}
FIGHTERS: Final = (TERM, JELLY)
GUNS: Final = (CLONE, ARMED, LC)
UNTRAINED: Final = (TECH, SERVANT)

TERMINATOR_NAMES: Final = ("Rising Dream", "Shadow Lotus", "Golden Song", "Leaping Dragon", "Arnie Goldman")


class JellyPrint(NamedTuple):
    """What is printed on a Jelly's counter: levels by ability index, and the weapon's name."""

    levels: tuple[int, int, int, int, int, int]
    weapon: str | None


def _jelly(weapon: str | None = None, **levels: int) -> JellyPrint:
    carried = {**levels, "weapon": 1} if weapon else levels
    fist, kick, arm, mist, soul, heart = (carried.get(name, 0) for name in ABILITIES)
    return JellyPrint((fist, kick, arm, mist, soul, heart), weapon)


SPIKES: Final = "throwing spikes"

# 2.4, 2.553: the Jelly Record Sheet.
JELLIES: Final[dict[int, JellyPrint]] = {
    1: _jelly(kick=2, heart=1),
    2: _jelly("kon-go", kick=1, soul=1),
    3: _jelly("nunchaku", kick=1, mist=1),
    4: _jelly("bo stave", fist=1, soul=1),
    5: _jelly(fist=2, heart=1),
    6: _jelly(kick=1, soul=1, mist=1),
    7: _jelly(SPIKES, fist=1, kick=1),
    8: _jelly(fist=1, mist=2),
    9: _jelly("nunchaku", fist=1, soul=1),
    10: _jelly(fist=1, kick=1, mist=1),
    11: _jelly(kick=2, soul=1, mist=1),
    12: _jelly(SPIKES, fist=1, kick=1, heart=1),
}
