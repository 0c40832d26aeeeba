"""The figures of one scenario by index: what never changes while a game is played."""

from __future__ import annotations

from collections.abc import Sequence

from engine.raid import figures
from engine.raid.figures import (
    ARMED,
    CLONE,
    FIGHTERS,
    GUNS,
    JELLIES,
    JELLY,
    KINDS,
    LC,
    SERVANT,
    SPIKES,
    TECH,
    TERM,
    TERMINATOR_NAMES,
)
from engine.raid.tables import Allowances

NO_LEVELS = (0, 0, 0, 0, 0, 0)


class Roster:
    """All figures of a scenario; an index stands for the same figure in every game of it.

    The index and the name of a figure therefore tell nothing about where it is hidden. Terminators
    come first, so `index < terminators` says whose side a figure is on. `coming` are the reinforcements,
    each a kind and a number; `reinforcements` has the figures of each (6.2).
    """

    def __init__(
        self,
        terminators: int,
        armed: int,
        technicians: int,
        servants: int,
        jellies: Sequence[int],
        allowances: Allowances,
        coming: Sequence[tuple[int, int]] = (),
    ) -> None:
        kinds: list[int] = []
        names: list[str] = []
        printed: list[tuple[int, ...]] = []
        weapons: list[str | None] = []

        def add(kind: int, name: str, levels: tuple[int, ...] = NO_LEVELS, weapon: str | None = None) -> None:
            kinds.append(kind)
            names.append(name)
            printed.append(levels)
            weapons.append(weapon)

        for name in TERMINATOR_NAMES[:terminators]:
            add(TERM, name)
        add(CLONE, "CloneMaster")
        for number in range(1, armed + 1):
            add(ARMED, f"Armed Technician {number}")
        for number in range(1, technicians + 1):
            add(TECH, f"Technician {number}")
        for number in range(1, servants + 1):
            add(SERVANT, f"Servant {number}")
        for number in jellies:
            add(JELLY, f"J-{number}", JELLIES[number].levels, JELLIES[number].weapon)
        self.reinforcements: list[range] = []
        for kind, number in coming:
            first = kinds.count(kind)
            self.reinforcements.append(range(len(kinds), len(kinds) + number))
            for one in range(first + 1, first + number + 1):
                add(kind, f"{_COMING[kind]} {one}")

        self.size = len(kinds)
        # The CloneMaster's figures that are set up, and all of them.
        self.counters = range(terminators, self.size - sum(number for _, number in coming))
        self.terminators = terminators
        self.clonemaster = terminators
        self.kind = tuple(kinds)
        self.name = tuple(names)
        self.index = {name: figure for figure, name in enumerate(names)}
        self.printed = tuple(printed)
        self.printed_levels = bytes(level for levels in printed for level in levels)
        self.weapon = tuple(weapons)
        self.allowance = tuple(getattr(allowances, KINDS[kind]) for kind in kinds)
        self.is_fighter = tuple(kind in FIGHTERS for kind in kinds)
        self.is_gun = tuple(kind in GUNS for kind in kinds)
        self.is_untrained = tuple(kind in figures.UNTRAINED for kind in kinds)
        self.throws = tuple(weapon == SPIKES for weapon in weapons)
        self.terminator_indices = range(terminators)
        self.clone_indices = range(terminators, self.size)
        self.jelly_indices = self.of(JELLY)

    def of(self, *wanted: int) -> tuple[int, ...]:
        """Return the figures of these kinds."""
        return tuple(figure for figure, kind in enumerate(self.kind) if kind in wanted)

    def side(self, figure: int) -> int:
        """Return 0 for a Terminator, 1 for a figure of the CloneMaster's."""
        return 0 if figure < self.terminators else 1


# What reinforcements of a kind are called; those of the force are numbered first (6.2).
_COMING = {LC: "LC", ARMED: "Armed Technician", TECH: "Technician", SERVANT: "Servant"}

# 4.2 b: one of each of these may be released a turn; a technician armed or not.
RELEASE_KIND = {JELLY: 0, SERVANT: 1, TECH: 2, ARMED: 2}
RELEASE_NAMES = ("Jelly", "Servant", "Technician")
