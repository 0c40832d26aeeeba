"""Everything that can happen in a raid, as told to one viewer.

Figures, squares, counters and targets are written as in `choices`. A field that the viewer may not
know is None. `rule` is the paragraph or ruling an event comes from.
"""

from __future__ import annotations

from engine.core.event import Event
from engine.core.tags import tag_of
from engine.raid.choices import Square


class RaidEvent(Event, frozen=True, tag=tag_of):
    """Something that happened in a raid; in JSON the key "event" names it ("counter-played")."""

    rule: str


# 3, 6.1: set-up and turns
class AbilitiesSet(RaidEvent, frozen=True):
    """A Terminator's levels were chosen; told to his own side only."""

    figure: str
    fist: int
    kick: int
    mist: int
    soul: int
    heart: int


class Placed(RaidEvent, frozen=True):
    """A counter was put face down; told to its own side only."""

    figure: str
    square: Square


class TakenBack(RaidEvent, frozen=True):
    """A counter was taken off the map during set-up; told to its own side only."""

    figure: str


class ExtraPlaced(RaidEvent, frozen=True):
    """The CloneMaster player added an armored door or a computer, named as a target is (7.4)."""

    name: str


class ExtraRemoved(RaidEvent, frozen=True):
    """An addition was taken away again."""

    name: str


class StartsAt(RaidEvent, frozen=True):
    """A figure starts face up on a square by the scenario (6.3)."""

    figure: str
    square: Square


class CountersDealt(RaidEvent, frozen=True):
    """So many counters were dealt face down by chance; nobody knows which lies where (R34)."""

    number: int


class SetUpDone(RaidEvent, frozen=True):
    """A side has completed its set-up."""

    side: str


class PhaseBegan(RaidEvent, frozen=True):
    """A phase of the turn began (3.2)."""

    turn: int
    phase: str


# 4: movement and release
class Entered(RaidEvent, frozen=True):
    """A figure came onto the map at an entry."""

    figure: str
    entry: str
    square: Square
    cost: int


class ReinforcementsCame(RaidEvent, frozen=True):
    """Figures came to an entry, where they wait until they are brought in (6.2, R12)."""

    figures: tuple[str, ...]
    entry: str


class Stationed(RaidEvent, frozen=True):
    """A Terminator took station outside the front door."""

    figure: str
    entry: str


class Moved(RaidEvent, frozen=True):
    """A figure walked along `path`, which starts with the square it left.

    The points it paid and has left are told to its own side only: they would tell whether it climbs.
    """

    figure: str
    path: tuple[Square, ...]
    cost: int | None
    left: int | None


class PutBack(RaidEvent, frozen=True):
    """A figure found no free square in reach and went back; `square` None is off the map (R8)."""

    figure: str
    square: Square | None


class Exited(RaidEvent, frozen=True):
    """A Terminator left the map alive."""

    figure: str
    entry: str


class Revealed(RaidEvent, frozen=True):
    """A face-down counter was turned up; `by` is "entry", "choice" (4.2) or "nearest" (6.3b)."""

    figure: str
    square: Square
    by: str


class FreeMoveKept(RaidEvent, frozen=True):
    """The CloneMaster keeps his free move for the end of this Terminator Move (4.21)."""

    figure: str


# 5: combat
class CombatsFound(RaidEvent, frozen=True):
    """The combats of this phase, each the names of its figures (5.3, R15)."""

    combats: tuple[tuple[str, ...], ...]


class CombatBegan(RaidEvent, frozen=True):
    """One combat is being resolved."""

    combat: int
    figures: tuple[str, ...]


class CountersChosen(RaidEvent, frozen=True):
    """A figure's counters were picked; told to its own side only (R16)."""

    figure: str
    counters: tuple[str, ...]


class SideChose(RaidEvent, frozen=True):
    """A side has picked all its counters for this combat."""

    side: str


class SpikesDeclared(RaidEvent, frozen=True):
    """The CloneMaster player said whether spikes open this combat (R19)."""

    throws: bool


class FirstPlayer(RaidEvent, frozen=True):
    """This side plays the first counter (5.4)."""

    side: str


class CounterPlayed(RaidEvent, frozen=True):
    """A counter was played, as a lead or in reply to the attack still open."""

    figure: str
    counter: str
    is_reply: bool


class TargetNamed(RaidEvent, frozen=True):
    """An attack counter's target was named."""

    figure: str
    counter: str
    target: str


class AttackVoid(RaidEvent, frozen=True):
    """An attack counter found nothing to strike, or its owner fell before it was rolled (R17, 5.62)."""

    figure: str
    counter: str
    reason: str


class AttackResolved(RaidEvent, frozen=True):
    """An attack was settled: it needs `needs` or less on `die` (None: no roll), in this column."""

    figure: str
    counter: str
    target: str
    column: str
    needs: int
    die: int | None
    hit: bool


class CounterDiscarded(RaidEvent, frozen=True):
    """A counter that could do nothing was put aside unseen (R18)."""

    side: str
    figure: str | None
    counter: str | None


class HandEmpty(RaidEvent, frozen=True):
    """A side has no counter left in this combat (R16)."""

    side: str


class Stopped(RaidEvent, frozen=True):
    """A side keeps its remaining attacks (R18)."""

    side: str


class DoorStruck(RaidEvent, frozen=True):
    """A counter was thrown at an armored door (5.7)."""

    figure: str
    counter: str
    target: str
    needs: int
    die: int
    destroyed: bool


class EquipmentDestroyed(RaidEvent, frozen=True):
    """A tank or computer was destroyed, without a die (5.8)."""

    figure: str
    counter: str
    target: str


class UntrainedDeclared(RaidEvent, frozen=True):
    """An unarmed technician or servant attacks a Terminator (R22)."""

    figure: str
    target: str


class MistShown(RaidEvent, frozen=True):
    """A Body of Mist counter turned all untrained attacks on its owner aside (R22)."""

    figure: str


class UntrainedRolled(RaidEvent, frozen=True):
    """The untrained attackers of one Terminator rolled their one die (R22)."""

    target: str
    figures: tuple[str, ...]
    needs: int
    die: int
    hit: bool


class ShotDeclared(RaidEvent, frozen=True):
    """A gun was aimed at a Terminator (R23)."""

    figure: str
    target: str


class SoulShown(RaidEvent, frozen=True):
    """A Monkey Soul counter dodged one shot (R23)."""

    figure: str
    gun: str


class ShotRolled(RaidEvent, frozen=True):
    """A shot was rolled (R20: hits on `needs` or less)."""

    figure: str
    target: str
    needs: int
    die: int
    hit: bool


class Injured(RaidEvent, frozen=True):
    """A Terminator or Jelly lost one level; the opponent is not told of which ability (R24)."""

    figure: str
    ability: str | None


class Captured(RaidEvent, frozen=True):
    """A Terminator was still inside at the end of a scenario that scores (6.3, R31)."""

    figure: str


class FellUnconscious(RaidEvent, frozen=True):
    """A figure lost its last ability (5.5)."""

    figure: str


class Killed(RaidEvent, frozen=True):
    """A figure was killed, or taken out of the game (5.5, R28)."""

    figure: str


class CombatEnded(RaidEvent, frozen=True):
    """A combat is over."""

    combat: int


# 5.6, 3.2: recovery and the end
class RecoveryRolled(RaidEvent, frozen=True):
    """A figure with a damaged Mountain Heart rolled to recover a level (5.6)."""

    figure: str
    needs: int
    die: int
    recovered: bool


class Woke(RaidEvent, frozen=True):
    """An unconscious figure came to (5.61)."""

    figure: str


class Displaced(RaidEvent, frozen=True):
    """A figure that woke on another was put to the closest empty square (R14)."""

    figure: str
    square: Square


class Secret(RaidEvent, frozen=True):
    """A secret opened at the end: a warrior's levels, or a counter left face down."""

    figure: str
    square: Square | None
    original: dict[str, int] | None
    levels: dict[str, int] | None


class GameEnded(RaidEvent, frozen=True):
    """The game is over: winner "terminator", "clonemaster" or "draw"; level "victory" or "total victory"."""

    winner: str
    level: str | None
    reason: str
    turn: int
    points: dict[str, int] | None
