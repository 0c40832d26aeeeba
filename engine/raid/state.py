"""The whole truth of a raid: flat, copied in microseconds, never shown to a player.

Figures, squares, doors and equipment are small integers; `game` is what never changes and is shared
by all copies. Everything that a side may know leaves through `redact` alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import Final

from engine.core.dice import Dice
from engine.fortress.board import Board
from engine.fortress.thing_names import door_names, equipment_names
from engine.raid.figures import ABILITIES, HEART
from engine.raid.roster import Roster
from engine.raid.scenario import Scenario

# Where a figure is, when not on a square (squares are 0 and up). Below STATION lie the stations
# outside the doors of the entries: STATION - entry index (R10).
OFF, DEAD, ESCAPED, BOX, UNKNOWN, WAITING = -1, -2, -3, -4, -5, -6
STATION: Final = -10

# 3.2: the phases, in the order of `view.PHASES`.
(
    SET_UP,
    TERMINATOR_MOVE_1,
    COMBAT_1,
    TERMINATOR_MOVE_2,
    CLONEMASTER_MOVE,
    COMBAT_2,
    RECOVERY,
    ADVANCE,
    OVER,
) = range(9)

# What the CloneMaster's free move waits for (4.21).
NO_FREE_MOVE, ASK_WHEN, KEPT, FREE_MOVING = range(4)

# Steps of a combat (5.4), in the order of `STEPS`.
(
    CHOOSE,
    SPIKES_STEP,
    FIRST,
    PLAY,
    TARGET,
    SETTLE,
    UNTRAINED_STEP,
    MIST_STEP,
    UNTRAINED_ROLL,
    GUNFIRE_STEP,
    SOUL_STEP,
    GUNFIRE_ROLL,
) = range(12)
STEPS: Final = (
    "choose",
    "spikes",
    "first",
    "play",
    "target",
    "play",
    "untrained",
    "mist",
    "untrained",
    "gunfire",
    "soul",
    "gunfire",
)

WIDE: Final = len(ABILITIES)  # places of a figure in `State.levels`
HAND: Final = 5  # places of a figure in `Fight.hands`, one for each kind of counter


class Game:
    """One scenario ready to play: its board and its figures; another one once the map is added to (7.4)."""

    __slots__ = (
        "_numbers",
        "board",
        "door_names",
        "entry_of",
        "equipment_names",
        "extra_computers",
        "extra_doors",
        "is_dealt",
        "packed",
        "roster",
        "scenario",
        "targets",
        "xy",
    )

    def __init__(
        self,
        scenario: Scenario,
        board: Board,
        roster: Roster,
        extra_doors: tuple[str, ...] = (),
        extra_computers: tuple[str, ...] = (),
    ) -> None:
        self.scenario = scenario
        # What the CloneMaster player added to the map, by name (7.4).
        self.extra_doors = extra_doors
        self.extra_computers = extra_computers
        # Whether the counters are dealt by chance, so that nobody knows those face down (R29, R34).
        self.is_dealt = scenario.set_up == "random"
        # The number of the entry by which each reinforcement comes (6.2).
        numbers = {entry.name: number for number, entry in reversed(list(enumerate(board.entries)))}
        self.entry_of = {
            figure: numbers[row.entry]
            for row, figures in zip(scenario.reinforcements, roster.reinforcements, strict=True)
            for figure in figures
        }
        # The scenario with its map in JSON form, once it is asked for.
        self.packed: bytes | None = None
        self.board = board
        self.roster = roster
        self.xy = tuple(board.xy(square) for square in range(board.size))
        self._numbers = {xy: square for square, xy in enumerate(self.xy)}
        self.equipment_names = equipment_names(board.plan)
        self.door_names = door_names(board.plan)
        # Every name a target can have: figures first, then equipment, then doors.
        self.targets = (*roster.name, *self.equipment_names, *self.door_names)

    def square(self, xy: tuple[int, int]) -> int:
        """Return the square's number; -1 off the map."""
        return self._numbers.get(xy, -1)

    def squares(self, path: Iterable[tuple[int, int]]) -> list[int]:
        """Return the numbers of a path's squares; -1 for those off the map."""
        return [self._numbers.get(xy, -1) for xy in path]


class Fight:
    """One combat being resolved (5.4). Figures and targets are indices of `Game.targets`; -1 is nobody."""

    __slots__ = (
        "attacker",
        "chosen",
        "combat",
        "counter",
        "dodged",
        "empty",
        "hands",
        "injured",
        "is_throwing",
        "members",
        "played",
        "queue",
        "reply_counter",
        "reply_figure",
        "shots",
        "shown",
        "step",
        "target",
        "turn",
        "untrained",
    )

    def __init__(self, combat: int, members: tuple[int, ...], size: int) -> None:
        self.combat = combat
        self.members = members
        self.step = CHOOSE
        self.hands = bytearray(size * HAND)
        self.chosen: tuple[int, ...] = ()
        # Whether each side has run out of counters, which is public (R16).
        self.empty = [False, False]
        self.is_throwing = False
        self.turn = 0
        self.played: tuple[tuple[int, int, int], ...] = ()
        # The attack that waits for its reply.
        self.attacker = -1
        self.counter = -1
        self.target = -1
        # The counter played last, while its target is still to be named (R17).
        self.reply_figure = -1
        self.reply_counter = -1
        self.injured = -1
        self.untrained: tuple[tuple[int, int], ...] = ()
        self.shown: tuple[int, ...] = ()
        self.shots: tuple[tuple[int, int], ...] = ()
        self.dodged: tuple[int, ...] = ()
        # What is left to roll at the untrained and gunfire steps.
        self.queue: tuple[tuple[int, int], ...] = ()

    def copy(self) -> Fight:
        """Return an equal combat that goes on apart."""
        new = Fight.__new__(Fight)
        new.combat = self.combat
        new.members = self.members
        new.step = self.step
        new.hands = self.hands[:]
        new.chosen = self.chosen
        new.empty = self.empty[:]
        new.is_throwing = self.is_throwing
        new.turn = self.turn
        new.played = self.played
        new.attacker = self.attacker
        new.counter = self.counter
        new.target = self.target
        new.reply_figure = self.reply_figure
        new.reply_counter = self.reply_counter
        new.injured = self.injured
        new.untrained = self.untrained
        new.shown = self.shown
        new.shots = self.shots
        new.dodged = self.dodged
        new.queue = self.queue
        return new


class Outcome:
    """How a game ended: winner "terminator", "clonemaster" or "draw" (6.1, R31).

    It `is_agreed` where the players ended it as a draw themselves, which no rule decided: `rule` is "" then.
    """

    __slots__ = ("is_agreed", "level", "points", "reason", "rule", "winner")

    def __init__(
        self,
        winner: str,
        level: str | None,
        reason: str,
        rule: str,
        points: dict[str, int] | None = None,
        *,
        is_agreed: bool = False,
    ) -> None:
        self.winner = winner
        self.level = level
        self.reason = reason
        self.rule = rule
        self.points = points
        self.is_agreed = is_agreed


class State:
    """A raid at one moment; `copy` is cheap, and a copy goes on apart."""

    __slots__ = (
        "awake",
        "closing",
        "combats",
        "dice",
        "displaced",
        "doors",
        "entered",
        "face_up",
        "fight",
        "fired",
        "fought",
        "free_move",
        "free_points",
        "game",
        "hidden",
        "is_built",
        "left",
        "levels",
        "moved",
        "mover",
        "next_combat",
        "original",
        "outcome",
        "phase",
        "points",
        "ready",
        "recovering",
        "released",
        "trail",
        "turn",
        "where",
        "window",
        "wrecked",
    )

    def __init__(self, game: Game, dice: Dice) -> None:
        size = game.roster.size
        self.game = game
        self.dice = dice
        self.turn = 1
        self.phase = SET_UP
        self.where = [OFF if figure < game.roster.terminators else BOX for figure in range(size)]
        self.face_up = bytearray(size)
        self.awake = bytearray([1]) * size
        self.levels = bytearray(size * WIDE)
        self.original = bytearray(size * WIDE)
        for figure, levels in enumerate(game.roster.printed):
            self.train(figure, levels)
        self.fired = bytearray(size)
        self.moved = bytearray(size)
        # Squares of face-down counters whose names the holder of a redacted copy does not know.
        self.hidden: frozenset[int] = frozenset()
        self.doors = 0
        self.wrecked = 0
        # Uses of each entry in this movement phase, inwards and outwards (R11).
        self.entered = bytearray(len(game.board.entries))
        self.left = bytearray(len(game.board.entries))
        self.released = 0
        self.ready = [False, False]
        # False while the CloneMaster player may still add to the map (7.4).
        self.is_built = not (game.scenario.extra_doors or game.scenario.extra_computers)
        # The figure now moving (R6), its points, and where it has been, from where it set out (R8).
        self.mover = -1
        self.points = 0
        self.trail: tuple[int, ...] = ()
        self.free_move = NO_FREE_MOVE
        self.free_points = 0
        # True where the CloneMaster player must say whether he releases before the game goes on (R13).
        self.window = False
        # True once the side moving has ended its phase, while a kept free move may still come (4.21).
        self.closing = False
        self.combats: tuple[tuple[int, ...], ...] = ()
        self.next_combat = 0
        self.fought: frozenset[int] = frozenset()
        self.fight: Fight | None = None
        self.recovering: tuple[int, ...] = ()
        self.displaced = -1
        self.outcome: Outcome | None = None

    def copy(self, dice: Dice | None = None) -> State:
        """Return an equal state that goes on apart, with other dice if given; a few microseconds."""
        new = State.__new__(State)
        new.game = self.game
        new.dice = self.dice.copy() if dice is None else dice
        new.turn = self.turn
        new.phase = self.phase
        new.where = self.where[:]
        new.face_up = self.face_up[:]
        new.awake = self.awake[:]
        new.levels = self.levels[:]
        new.original = self.original[:]
        new.fired = self.fired[:]
        new.moved = self.moved[:]
        new.hidden = self.hidden
        new.doors = self.doors
        new.wrecked = self.wrecked
        new.entered = self.entered[:]
        new.left = self.left[:]
        new.released = self.released
        new.ready = self.ready[:]
        new.is_built = self.is_built
        new.mover = self.mover
        new.points = self.points
        new.trail = self.trail
        new.free_move = self.free_move
        new.free_points = self.free_points
        new.window = self.window
        new.closing = self.closing
        new.combats = self.combats
        new.next_combat = self.next_combat
        new.fought = self.fought
        new.fight = self.fight.copy() if self.fight is not None else None
        new.recovering = self.recovering
        new.displaced = self.displaced
        new.outcome = self.outcome
        return new

    # Questions that many rules ask.

    def current_fight(self) -> Fight:
        """Return the combat being resolved; there is one while its steps are decided."""
        assert self.fight is not None
        return self.fight

    def level(self, figure: int, ability: int) -> int:
        """Return a figure's present level of an ability."""
        return self.levels[figure * WIDE + ability]

    def levels_of(self, figure: int) -> bytearray:
        """Return a figure's present levels by ability."""
        return self.levels[figure * WIDE : figure * WIDE + WIDE]

    def original_of(self, figure: int) -> bytearray:
        """Return the levels by ability that a figure began with."""
        return self.original[figure * WIDE : figure * WIDE + WIDE]

    def set_level(self, figure: int, ability: int, level: int) -> None:
        """Set a figure's present level of an ability."""
        self.levels[figure * WIDE + ability] = level

    def set_levels(self, figure: int, levels: Iterable[int]) -> None:
        """Set a figure's present levels by ability."""
        self.levels[figure * WIDE : figure * WIDE + WIDE] = bytes(levels)

    def train(self, figure: int, levels: Iterable[int]) -> None:
        """Set the levels by ability that a figure begins with, and now has."""
        self.original[figure * WIDE : figure * WIDE + WIDE] = bytes(levels)
        self.set_levels(figure, self.original_of(figure))

    def total(self, figure: int) -> int:
        """Return the sum of a figure's present levels."""
        return sum(self.levels[figure * WIDE : figure * WIDE + WIDE])

    def is_hidden_clonemaster(self) -> bool:
        """Return whether the CloneMaster is still face down and known to his player (4.21, R29)."""
        if self.game.is_dealt:
            return False
        clone = self.game.roster.clonemaster
        place = self.where[clone]
        return (place >= 0 or place == UNKNOWN) and not self.face_up[clone]

    def taken_squares(self, but: int) -> set[int]:
        """Return the squares where one figure may not stop: those of all other conscious figures (4.6)."""
        where = self.where[:]
        where[but] = OFF
        taken = set(compress(where, self.awake))
        if self.hidden:
            taken |= self.hidden
        return taken

    def is_taken(self, square: int, but: int) -> bool:
        """Return whether one figure may not stop on a square, for another conscious one is there (4.6)."""
        if square in self.hidden:
            return True
        others = self.where.count(square) - (self.where[but] == square)
        return others > 0 and square in self.taken_squares(but)

    def shares_square(self, figure: int) -> bool:
        """Return whether another conscious figure is on a figure's square."""
        return self.is_taken(self.where[figure], figure)

    def face_down(self) -> frozenset[int]:
        """Return the squares of face-down counters."""
        where, face_up = self.where, self.face_up
        counters = self.game.roster.clone_indices
        return self.hidden.union([where[f] for f in counters if not face_up[f] and where[f] >= 0])

    def heart_is_damaged(self, figure: int) -> bool:
        """Return whether a figure's Mountain Heart is below its original level (5.6)."""
        at = figure * WIDE + HEART
        return self.levels[at] < self.original[at]
