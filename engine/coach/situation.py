"""A combat read out of a View: who stands against whom, with what, and who else is near."""

from __future__ import annotations

from collections.abc import Callable

from engine.coach import beliefs
from engine.coach.duel import LIMITS, NO_HAND, Duel, Hand, Position
from engine.core.decision import Decision
from engine.fortress.board import Board
from engine.raid.choices import Discard, PlayCounter
from engine.raid.figures import ABILITIES, COUNTERS, GUNS, HEART, KINDS, SIDES, SPIKES, UNTRAINED, WEAPON
from engine.raid.scenario import Scenario
from engine.raid.view import FightView, FigureView, View

_Reach = Callable[[int, int], int]
FIGHTER_KINDS = ("terminator", "jelly")
GUN_KINDS = tuple(KINDS[kind] for kind in GUNS)
UNTRAINED_KINDS = tuple(KINDS[kind] for kind in UNTRAINED)


class Situation:
    """The combat of the moment as one side sees it; `side` is 0 for the Terminators, 1 for the others."""

    def __init__(self, view: View, decision: Decision, scenario: Scenario, board: Board) -> None:
        if view.fight is None:
            raise ValueError("no combat is being fought")
        self.view = view
        self.decision = decision
        self.scenario = scenario
        self.board = board
        self.fight: FightView = view.fight
        self.side = SIDES.index(decision.side)
        self.known = {figure.name: figure for figure in view.figures}
        self.doors = sum(1 << at for at, door in enumerate(view.doors) if door.is_destroyed)

    def figure(self, name: str) -> FigureView:
        """Return the figure of that name."""
        return self.known[name]

    def is_fighter(self, name: str) -> bool:
        """Return whether a figure can still play counters."""
        figure = self.known[name]
        return figure.kind in FIGHTER_KINDS and figure.is_conscious and figure.place in ("map", "station")

    def linked(self, name: str) -> list[str]:
        """Return those who may strike a figure of the combat, or be struck by it (R15)."""
        return [
            other
            for pair in self.fight.links
            for me, other in (pair, pair[::-1])
            if me == name and other != name
        ]

    def pairs(self) -> list[tuple[str, str]]:
        """Return every conscious Terminator with every conscious Jelly that he is linked with."""
        return [pair for pair in self.fight.links if all(self.is_fighter(name) for name in pair)]

    def levels(self, name: str) -> int:
        """Return how many levels a warrior has left in all."""
        return beliefs.total_levels(self.known[name], self.scenario.levels)

    def things_near(self, terminator: str) -> tuple[str, ...]:
        """Return the doors and equipment that a Terminator could strike instead (R25)."""
        figure = self.known[terminator]
        if figure.place == "station":
            shut = {entry.door for entry in self.board.entries if entry.door >= 0}
            return tuple(
                door.name for at, door in enumerate(self.view.doors) if at in shut and not door.is_destroyed
            )
        if figure.square is None:
            return ()
        here = self.board.square(*figure.square)
        things = (self.view.equipment[at] for at in self.board.strikes(here, self.doors))
        doors = self.board.doors_at(here, self.doors)
        return (
            *(thing.name for thing in things if not thing.is_destroyed),
            *(self.view.doors[at].name for at in doors),
        )

    def in_hand_reach(self, one: str, other: str) -> bool:
        """Return whether two figures can strike each other hand-to-hand (R1, R2, R4)."""
        return self._in_reach(one, other, self.board.hand)

    def in_missile_reach(self, one: str, other: str) -> bool:
        """Return whether a missile of one reaches the other (5.1)."""
        return self._in_reach(one, other, self.board.missile)

    def _in_reach(self, one: str, other: str, reach: _Reach) -> bool:
        here, there = self.known[one].square, self.known[other].square
        if here is None or there is None:
            return False
        return bool(reach(self.board.square(*here), self.doors) >> self.board.square(*there) & 1)

    def threats(self, terminator: str) -> tuple[int, int]:
        """Return how many untrained attackers and guns may still attack a Terminator (R22, R23)."""
        near = [self.known[name] for name in self.linked(terminator)]
        untrained = sum(figure.kind in UNTRAINED_KINDS and figure.place == "map" for figure in near)
        guns = sum(
            figure.kind in GUN_KINDS and not figure.has_fired and figure.place == "map" for figure in near
        )
        return untrained, guns

    def duel(self, terminator: str, jelly: str) -> Duel:
        """Return the duel of two linked warriors, with those who attack the Terminator afterwards."""
        foe = self.known[jelly]
        untrained, guns = self.threats(terminator)
        original = foe.original or {}
        return Duel(
            self.view.hits,
            (self.levels(terminator), self.levels(jelly)),
            throws=foe.weapon == SPIKES,
            stays=(True, bool(original.get(ABILITIES[HEART], 0))),
            in_hand_reach=self.in_hand_reach(terminator, jelly),
            in_missile_reach=self.in_missile_reach(jelly, terminator),
            untrained=untrained,
            shots=guns,
        )

    def is_alone_together(self, terminator: str, jelly: str) -> bool:
        """Return whether a duel is all there is to the combat, so that what is said of it is exact."""
        return set(self.fight.figures) == {terminator, jelly} and not self.things_near(terminator)

    # Counters.

    def hand(self, name: str) -> Hand:
        """Return what an own warrior has in hand."""
        return beliefs.hand_of(self.fight.hand.get(name, ()))

    def shown(self, name: str) -> Hand:
        """Return what a warrior has played in this combat."""
        return beliefs.hand_of(one.counter for one in self.fight.played if one.figure == name)

    def picks(self, name: str) -> tuple[beliefs.Levels, ...]:
        """Return the levels that a foe may have had when counters were chosen.

        What it lost since then is not to be told from earlier losses, so all that fits is counted.
        """
        figure = self.known[name]
        attacks = sum(one.target == name for one in self.fight.played)
        found: dict[beliefs.Levels, None] = {}
        for regained in range(min(figure.lost, attacks) + 1):
            found |= dict.fromkeys(beliefs.level_sets(figure, self.scenario.levels, regained))
        return tuple(found)

    def still_held(self, name: str) -> tuple[Hand, ...]:
        """Return what a foe may still hold, each as likely."""
        if not self.is_fighter(name):
            return (NO_HAND,)
        figure = self.known[name]
        is_empty = figure.side in self.fight.empty_hands
        limit = LIMITS[SIDES.index(figure.side)]
        return beliefs.still_held(self.picks(name), limit, self.shown(name), is_empty)

    def position(self, terminator: str, jelly: str) -> Position:
        """Return the moment of a duel at which the side asked has to choose; the foe's hand is left empty."""
        names = (terminator, jelly)
        left = [0, 0]
        hands = [NO_HAND, NO_HAND]
        for side, name in enumerate(names):
            if SIDES[side] not in self.fight.empty_hands:
                left[side] = max(LIMITS[side] - sum(self.shown(name)), 0)
        hands[self.side] = self.hand(names[self.side])
        levels = (self.levels(terminator), self.levels(jelly))
        step = {"spikes": "spikes", "first": "first"}.get(self.fight.step, "play")
        attack = -1
        if self.fight.open_attack is not None and self.fight.open_attack.target == names[self.side]:
            attack = COUNTERS.index(self.fight.open_attack.counter)
        is_throwing, must_throw = self._throwing(jelly)
        return Position(
            step,
            self.side,
            attack,
            (hands[0], hands[1]),
            levels,
            (left[0], left[1]),
            is_throwing,
            must_throw,
        )

    def _throwing(self, jelly: str) -> tuple[bool, bool]:
        """Return whether spikes may be thrown now, and whether they must be (R19)."""
        figures = {name for name in self.fight.figures if self.known[name].weapon == SPIKES}
        theirs = [one for one in self.fight.played if self.known[one.figure].side == SIDES[1]]
        word = COUNTERS[WEAPON]
        if theirs:
            return all(one.figure in figures and one.counter == word for one in theirs), False
        if self.side == 0 or self.fight.played or self.known[jelly].weapon != SPIKES:
            return False, False
        # Who declared a throw may play nothing else first, and has no spikes to put aside.
        plays = [one for one in self.decision.options if isinstance(one, PlayCounter)]
        must = bool(plays) and all(one.counter == word for one in plays)
        must &= not any(isinstance(one, Discard) for one in self.decision.options)
        return must, must
