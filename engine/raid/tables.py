"""Every number of the rules in one place, each with its rule."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from engine.core.files import Part
from engine.fortress.graph import Walker
from engine.raid.figures import FIST, KICK, MIST, SERVANT, SOUL, TERM, WEAPON

# 2.6, R20: the columns of the Combat Results Table.
HELPLESS, INACTIVE, VS_FIST, VS_KICK, VS_MIST, VS_SOUL = range(6)
COLUMNS: Final = ("helpless", "inactive", "fist", "kick", "mist", "soul")

Hit = Annotated[int, msgspec.Meta(ge=0, le=6)]
Row = tuple[Hit, Hit, Hit, Hit, Hit, Hit]
Allowance = Annotated[int, msgspec.Meta(ge=1, le=20)]


class HitNumbers(Part, frozen=True, kw_only=True):
    """The highest rolls that hit, as printed unless a scenario turns them (2.6, 7).

    The rows of the Combat Results Table go by `COLUMNS`; 0 cannot hit and needs no die.
    """

    fist: Row = (5, 4, 3, 3, 0, 1)
    kick: Row = (5, 4, 3, 3, 1, 0)
    weapon: Row = (4, 3, 2, 2, 1, 1)
    spikes: Hit = 3  # R19: whatever the reply
    gun: Hit = 3  # 5.4 gunfire, R20: always
    door: Hit = 2  # 5.7
    recovery: Hit = 2  # 5.6

    def needed(self, counter: int, in_column: int, is_spikes: bool) -> int:
        """Return the highest roll on which an attack counter hits in a column, 0 for none (2.6, R19)."""
        if counter == FIST:
            return self.fist[in_column]
        if counter == KICK:
            return self.kick[in_column]
        return self.spikes if is_spikes else self.weapon[in_column]


class Allowances(Part, frozen=True, kw_only=True):
    """The squares that figures move each phase, as printed unless a scenario turns them (2.551-2.557)."""

    terminator: Allowance = 5
    clonemaster: Allowance = 4
    armed_technician: Allowance = 4
    technician: Allowance = 4
    servant: Allowance = 3
    jelly: Allowance = 5
    lc: Allowance = 4


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
NEAREST_RELEASED: Final = 2  # 6.3b: counters turned up each CloneMaster Move
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


def hand_limit(kind: int) -> int:
    """Return how many counters a figure of a fighting kind picks for a combat (5.4)."""
    return TERMINATOR_COUNTERS if kind == TERM else JELLY_COUNTERS
