"""Every choice a player of the raid can make.

Figures go by name ("Rising Dream", "J-3", "Servant 4"), squares are (x, y), abilities and
counters are the words of `figures.ABILITIES`. A target is a figure's name or a thing's place:
"tank 21,0", "computer 20,7", "door 17,9 E".
"""

from __future__ import annotations

from typing import Final

from engine.core.decision import Choice
from engine.core.tags import tag_of

Square = tuple[int, int]
FIGHT_ORDER: Final = "fight-order"
COMBAT_DECISIONS: Final = frozenset(
    {
        "choose-counters",
        "throw-spikes",
        "who-begins",
        "play-counter",
        "name-target",
        "lose-ability",
        "untrained",
        "show-mist",
        "gunfire",
        "show-soul",
    }
)
"""The kinds of decisions inside a combat (5.3 to 5.7); before it `FIGHT_ORDER` asks which is next (5.2)."""


class RaidChoice(Choice, frozen=True, tag=tag_of, forbid_unknown_fields=True):
    """A choice of the raid; in JSON the key "do" names it ("end-phase")."""


# 3.1, 6.1: set-up
class SetAbilities(RaidChoice, frozen=True):
    """Give a Terminator his levels (6.1, R30); may be given anew until ready."""

    figure: str
    fist: int
    kick: int
    mist: int
    soul: int
    heart: int


class Place(RaidChoice, frozen=True):
    """Put a counter face down on a square (6.1), or move it there if already placed."""

    figure: str
    square: Square


class TakeBack(RaidChoice, frozen=True):
    """Take a placed counter off the map again during set-up."""

    figure: str


class Ready(RaidChoice, frozen=True):
    """Declare the own set-up complete."""


# 7.4: additions to the map
class PlaceDoor(RaidChoice, frozen=True):
    """Put an extra armored door in the place of the common door on a square's side (7.4, R35)."""

    square: Square
    side: str


class PlaceComputer(RaidChoice, frozen=True):
    """Put an extra computer along the wall on a square's side (7.4, R35)."""

    square: Square
    side: str


class RemoveExtra(RaidChoice, frozen=True):
    """Take an addition away again, by its name ("door 5,6 S")."""

    name: str


# 4: movement
class Enter(RaidChoice, frozen=True):
    """Bring a figure onto the first square of an entry (4.1, R12)."""

    figure: str
    entry: str


class Station(RaidChoice, frozen=True):
    """Take station outside an entry that an armored door shuts, for this movement phase (R10)."""

    figure: str
    entry: str


class Move(RaidChoice, frozen=True):
    """Walk a figure along squares, its own excluded; it may go on while points are left."""

    figure: str
    path: tuple[Square, ...]


class Exit(RaidChoice, frozen=True):
    """Leave the map from an exit square (4.7, R11)."""

    figure: str


class EndMove(RaidChoice, frozen=True):
    """End the CloneMaster's free move where he stands (4.21)."""

    figure: str


class EndPhase(RaidChoice, frozen=True):
    """End the own movement phase."""


# 4.2: release
class Release(RaidChoice, frozen=True):
    """Turn up one face-down counter at the start of the CloneMaster Move (4.2 b)."""

    figure: str


class ReleaseCloneMaster(RaidChoice, frozen=True):
    """Turn up the CloneMaster, who gets his free move (4.21, R13)."""


class FreeMove(RaidChoice, frozen=True):
    """Take the free move of a CloneMaster found by a Terminator now, or at the end of this move (4.21)."""

    now: bool


class Pass(RaidChoice, frozen=True):
    """Let a window for releasing the CloneMaster go by (R13)."""


# 5: combat
class Fight(RaidChoice, frozen=True):
    """Resolve this combat next (R15), by its number."""

    combat: int


class ChooseCounters(RaidChoice, frozen=True):
    """Pick a figure's tactics counters for this combat in secret (5.4, R16)."""

    figure: str
    counters: tuple[str, ...]


class Throw(RaidChoice, frozen=True):
    """Say whether throwing spikes open this combat (R19)."""

    spikes: bool


class Begin(RaidChoice, frozen=True):
    """Name the side that plays the first counter (5.4)."""

    side: str


class PlayCounter(RaidChoice, frozen=True):
    """Play one counter of a figure (5.4)."""

    figure: str
    counter: str


class NameTarget(RaidChoice, frozen=True):
    """Name whom or what the attack counter just played strikes (R17)."""

    target: str


class Discard(RaidChoice, frozen=True):
    """Put a counter that can do nothing any more aside (R18)."""

    figure: str
    counter: str


class Stop(RaidChoice, frozen=True):
    """Keep the remaining attack counters when the other hand is empty (R18)."""


class LoseAbility(RaidChoice, frozen=True):
    """Take an injury on this ability (5.5, R24)."""

    figure: str
    ability: str


class UntrainedAttack(RaidChoice, frozen=True):
    """Declare an untrained attack (5.4, R22)."""

    figure: str
    target: str


class PlayMist(RaidChoice, frozen=True):
    """Show a Body of Mist counter against all untrained attacks on its owner (R22)."""

    figure: str


class Shoot(RaidChoice, frozen=True):
    """Declare a shot (5.4, R23)."""

    figure: str
    target: str


class PlaySoul(RaidChoice, frozen=True):
    """Show a Monkey Soul counter that dodges one shot at its owner (R23)."""

    figure: str


class Done(RaidChoice, frozen=True):
    """Declare no more attacks, or show no more counters, at this step (R22, R23)."""


# 5.61
class Displace(RaidChoice, frozen=True):
    """Put a figure that woke on another to one of the closest empty squares (R14)."""

    figure: str
    square: Square


AnyChoice = (
    SetAbilities
    | Place
    | TakeBack
    | Ready
    | PlaceDoor
    | PlaceComputer
    | RemoveExtra
    | Enter
    | Station
    | Move
    | Exit
    | EndMove
    | EndPhase
    | Release
    | ReleaseCloneMaster
    | FreeMove
    | Pass
    | Fight
    | ChooseCounters
    | Throw
    | Begin
    | PlayCounter
    | NameTarget
    | Discard
    | Stop
    | LoseAbility
    | UntrainedAttack
    | PlayMist
    | Shoot
    | PlaySoul
    | Done
    | Displace
)
