"""What one side knows of a raid: plain values, built by adding, never by deleting.

Nothing here knows the State. Squares are (x, y); abilities are dicts from the words of
`figures.ABILITIES` to levels, None where this viewer may not know them.
"""

from __future__ import annotations

import msgspec

from engine.raid.choices import Square
from engine.raid.tables import HitNumbers

PHASES = (
    "set-up",
    "terminator-move-1",
    "combat-1",
    "terminator-move-2",
    "clonemaster-move",
    "combat-2",
    "recovery",
    "advance",
    "over",
)
PHASE_NAMES = {
    "set-up": "Set-up",
    "terminator-move-1": "Terminator Move I",
    "combat-1": "Combat I",
    "terminator-move-2": "Terminator Move II",
    "clonemaster-move": "CloneMaster Move",
    "combat-2": "Combat II",
    "recovery": "Recovery",
    "advance": "Advance Game Turn",
    "over": "Game over",
}


class FigureView(msgspec.Struct, frozen=True):
    """One figure this viewer knows by name.

    `place` is "map", "off" (a Terminator not yet inside), "station" (outside the front door),
    "box" (a counter not yet placed), "waiting" (one that comes in by an entry), "escaped" or "dead".
    `entry` is the one outside which it stands, at "station" and "waiting".
    `allowance` is what it moves each phase (4.3).
    `levels` are what it has now, `original` what it began with; `lost` counts levels lost and not
    recovered, which everybody may keep track of.
    """

    name: str
    kind: str
    side: str
    place: str
    square: Square | None
    is_face_up: bool
    is_conscious: bool
    original: dict[str, int] | None
    levels: dict[str, int] | None
    lost: int
    weapon: str | None
    has_fired: bool
    has_moved: bool
    allowance: int
    entry: str | None


class MovementView(msgspec.Struct, frozen=True):
    """The figure now moving and the points it has left (None to the other side); `is_free_move` is 4.21."""

    figure: str
    points: int | None
    is_free_move: bool
    must_go_on: bool


class OpenAttack(msgspec.Struct, frozen=True):
    """An attack counter whose target is named but which is not yet settled."""

    figure: str
    counter: str
    target: str


class PlayedCounter(msgspec.Struct, frozen=True):
    """A counter played in the present combat, in order."""

    figure: str
    counter: str
    target: str | None


class FightView(msgspec.Struct, frozen=True):
    """The combat being resolved.

    `step` is "choose", "spikes", "first", "play", "target", "injury", "untrained", "mist", "gunfire",
    "soul" (see 5.4). `hand` has the viewer's own counters by figure; of the opponent's only
    `empty_hands` is public. `open_attack` awaits a reply; `unnamed` is (figure, counter) of a reply
    that was an attack and whose target is still to be named. `links` are pairs that may strike.
    """

    combat: int
    figures: tuple[str, ...]
    step: str
    turn_of: str | None
    hand: dict[str, tuple[str, ...]]
    chosen: tuple[str, ...]
    empty_hands: tuple[str, ...]
    open_attack: OpenAttack | None
    unnamed: tuple[str, str] | None
    played: tuple[PlayedCounter, ...]
    links: tuple[tuple[str, str], ...]
    untrained: tuple[tuple[str, str], ...]
    shots: tuple[tuple[str, str], ...]


class DoorView(msgspec.Struct, frozen=True):
    """An armored door, by its target name ("door 17,9 E")."""

    name: str
    square: Square
    side: str
    is_destroyed: bool


class EquipmentView(msgspec.Struct, frozen=True):
    """A piece of vital equipment, by its target name ("tank 21,0")."""

    name: str
    kind: str
    square: Square
    side: str | None
    is_destroyed: bool


class OutcomeView(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the game ended (6.1, R31).

    A draw `is_agreed` where both players wanted it, and not the rules; JSON has the field only there.
    """

    winner: str
    level: str | None
    reason: str
    points: dict[str, int] | None
    is_agreed: bool = False


class View(msgspec.Struct, frozen=True):
    """All that one viewer knows: "terminator", "clonemaster", "public" or, after the end, "open".

    `face_down` are the squares of counters whose names this viewer does not know. `released` names
    the kinds already turned up by choice this turn (4.2 b). `combats` are those still to be fought.
    `points` are what each side has scored so far, None where the scenario does not score (6.3). `hits`
    are the numbers of the dice (2.6).
    """

    viewer: str
    scenario: str
    turn: int
    last_turn: int
    phase: str
    figures: tuple[FigureView, ...]
    face_down: tuple[Square, ...]
    doors: tuple[DoorView, ...]
    equipment: tuple[EquipmentView, ...]
    movement: MovementView | None
    released: tuple[str, ...]
    free_move_kept: bool
    combats: tuple[tuple[str, ...], ...]
    fight: FightView | None
    ready: tuple[str, ...]
    points: dict[str, int] | None
    hits: HitNumbers
    outcome: OutcomeView | None

    def figure(self, name: str) -> FigureView:
        """Return the figure of that name; raises KeyError."""
        for figure in self.figures:
            if figure.name == name:
                return figure
        raise KeyError(name)
