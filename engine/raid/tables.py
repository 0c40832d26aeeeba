"""Every number of the rules in one place, each with its rule."""

from __future__ import annotations

from typing import Final

from engine.fortress.graph import Walker
from engine.raid.figures import FIST, KICK, MIST, SERVANT, SOUL, TERM, WEAPON

# 2.6, R20: the columns of the Combat Results Table.
HELPLESS, INACTIVE, VS_FIST, VS_KICK, VS_MIST, VS_SOUL = range(6)
COLUMNS: Final = ("helpless", "inactive", "fist", "kick", "mist", "soul")

# 2.6: the highest roll that hits, by attack and column; 0 cannot hit and needs no die.
CRT: Final[dict[int, tuple[int, int, int, int, int, int]]] = {
    FIST: (5, 4, 3, 3, 0, 1),
    KICK: (5, 4, 3, 3, 1, 0),
    WEAPON: (4, 3, 2, 2, 1, 1),
}
SPIKES_HIT: Final = 3  # R19: whatever the reply
GUN_HIT: Final = 3  # 5.4 gunfire, R20: always
DOOR_HIT: Final = 2  # 5.7
RECOVERY_HIT: Final = 2  # 5.6

# R20: a weapon played in reply guards nobody.
REPLY_COLUMN: Final[dict[int, int]] = {
    FIST: VS_FIST,
    KICK: VS_KICK,
    WEAPON: INACTIVE,
    MIST: VS_MIST,
    SOUL: VS_SOUL,
}

TERMINATOR_COUNTERS: Final = 3  # 5.4: counters a Terminator picks for a combat
JELLY_COUNTERS: Final = 2  # 5.4
HOSTILE_COST: Final = 2  # 4.43: on top of the square
DROP_OFF_COST: Final = 2  # 4.42: on top of the square, without an undisabled Monkey Soul
ARMORED_DOOR_COST: Final = 1  # 4.41: CloneMaster's units only
FREE_MOVE: Final = 4  # 4.21: the CloneMaster's points at his release
LEVEL_CAP: Final = 3  # R30: boxes on the record sheet

# 4.41, 4.42: how a figure walks, by its side and whether it climbs.
_WALKERS: Final = tuple(
    (Walker(DROP_OFF_COST, armored_door), Walker(0, armored_door))
    for armored_door in (None, ARMORED_DOOR_COST)
)
TERMINATOR_WALKER: Final = _WALKERS[0][0]
CLONE_WALKER: Final = _WALKERS[1][0]


def walker(side: int, climbs: bool) -> Walker:
    """Return how a figure of a side (0 Terminators, 1 CloneMaster) walks; with Monkey Soul it climbs."""
    return _WALKERS[side][climbs]


def column(kind: int, is_conscious: bool, reply: int | None) -> int:
    """Return the column for a target of a kind by its own reply, None without one (2.6, R20)."""
    if reply is not None:
        return REPLY_COLUMN[reply]
    return HELPLESS if kind == SERVANT or not is_conscious else INACTIVE


def needed(counter: int, in_column: int, is_spikes: bool) -> int:
    """Return the highest roll on which an attack hits in a column, 0 for none (2.6, R19)."""
    return SPIKES_HIT if counter == WEAPON and is_spikes else CRT[counter][in_column]


def hand_limit(kind: int) -> int:
    """Return how many counters a figure of a fighting kind picks for a combat (5.4)."""
    return TERMINATOR_COUNTERS if kind == TERM else JELLY_COUNTERS
