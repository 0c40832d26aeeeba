"""The values advice is made of."""

from __future__ import annotations

import msgspec

from engine.coach.duel import Tally
from engine.core.decision import Choice


class Option(msgspec.Struct, frozen=True):
    """One choice and what is expected of it.

    `share` is its part in the mix, 0 to 1. `worth` is the balance it brings on average: levels lost by the
    foe less those lost by oneself, falls and deaths on top (see `duel.balance`). `lost` and `taken` are the
    levels lost by oneself and by the foe on average; the rest are chances from 0 to 1 that one falls or dies
    and that the foe does. `chance` is that of the one roll in question, None where it is not about one.
    """

    choice: Choice
    share: float
    worth: float
    lost: float = 0.0
    taken: float = 0.0
    own_fall: float = 0.0
    foe_fall: float = 0.0
    own_death: float = 0.0
    foe_death: float = 0.0
    chance: float | None = None
    note: str = ""

    @classmethod
    def of(
        cls,
        choice: Choice,
        tally: Tally,
        side: int,
        *,
        worth: float,
        share: float,
        chance: float | None = None,
        note: str = "",
    ) -> Option:
        """Return a choice with what a tally means to a side, 0 for the Terminators."""
        terminator = (tally.terminator_levels, tally.terminator_falls, tally.terminator_dies)
        jelly = (tally.jelly_levels, tally.jelly_falls, tally.jelly_dies)
        own, foe = (terminator, jelly) if side == 0 else (jelly, terminator)
        return cls(
            choice,
            share,
            worth,
            lost=own[0],
            taken=foe[0],
            own_fall=own[1],
            foe_fall=foe[1],
            own_death=own[2],
            foe_death=foe[2],
            chance=chance,
            note=note,
        )


class Advice(msgspec.Struct, frozen=True):
    """What the coach says of one decision, or of one figure's part in it.

    `figure` and `foe` name whom it is about, "" where it is about all. `best` is the choice recommended: the
    one with the greatest share of the mix. `value` is the balance that the mix brings on average whatever the
    foe does, None where nothing is guaranteed. `assumptions` name what the numbers take for granted;
    `is_exact` tells whether the whole combat was worked out. `foe_mix` are the hands that a single foe would
    best pick from, with their shares.
    """

    figure: str
    foe: str
    options: tuple[Option, ...]
    best: Choice
    value: float | None
    reason: str
    assumptions: tuple[str, ...]
    is_exact: bool
    foe_mix: tuple[tuple[tuple[str, ...], float], ...] = ()

    @property
    def mix(self) -> tuple[Option, ...]:
        """The choices that the mix takes, the commonest first."""
        return tuple(sorted((one for one in self.options if one.share > 0), key=lambda one: -one.share))
