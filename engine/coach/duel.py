"""5.4 between one Terminator and one Jelly, as a game of hidden hands that can be solved.

Sides are 0 for the Terminator and 1 for the Jelly, hands are counts by counter. Doors, equipment and other
figures are no targets here; what untrained attackers and guns do to the Terminator afterwards is.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from engine.core.dice import FACES
from engine.raid import tables
from engine.raid.figures import ATTACKS, COUNTERS, JELLY, MIST, SOUL, TERM, WEAPON
from engine.raid.tables import HitNumbers

Hand = tuple[int, ...]
"""How many of each kind of counter, in the order of `figures.COUNTERS`."""
NO_HAND: Final[Hand] = (0,) * len(COUNTERS)
KINDS: Final = (TERM, JELLY)
LIMITS: Final = (tables.hand_limit(TERM), tables.hand_limit(JELLY))
SAFE: Final = 99  # levels of a figure that no more hits in this combat can bring down


class Tally(NamedTuple):
    """What is expected to befall the two: levels lost, and chances from 0 to 1 of falls and deaths."""

    terminator_levels: float = 0.0
    jelly_levels: float = 0.0
    terminator_falls: float = 0.0
    jelly_falls: float = 0.0
    terminator_dies: float = 0.0
    jelly_dies: float = 0.0

    def plus(self, other: Tally, share: float = 1.0) -> Tally:
        """Return the sum with a share of another."""
        return Tally(*(a + share * b for a, b in zip(self, other, strict=True)))


NOTHING: Final = Tally()
LEVEL, FALL, DEATH = 1.0, 2.0, 2.0
"""What the balance counts: each level lost, a fall and a death on top of it."""


def balance(tally: Tally) -> float:
    """Return what a tally is worth to the Terminator; the Jelly's worth is its negative."""
    return (
        LEVEL * (tally.jelly_levels - tally.terminator_levels)
        + FALL * (tally.jelly_falls - tally.terminator_falls)
        + DEATH * (tally.jelly_dies - tally.terminator_dies)
    )


class Move(NamedTuple):
    """A choice in a duel.

    `do` is "play" or "discard" (`what` a counter), "throw" (1 or 0), "begin" (a side) or, where the other
    hand is empty, "stop".
    """

    do: str
    what: int


class Position(NamedTuple):
    """A moment of a duel at which `turn` chooses; `step` is "spikes", "first" or "play".

    `attack` is the counter of the open attack on `turn`, -1 for none. `left` are the most counters each
    may still hold for all that everybody knows. `levels` are `SAFE` where they no longer matter.
    """

    step: str
    turn: int
    attack: int
    hands: tuple[Hand, Hand]
    levels: tuple[int, int]
    left: tuple[int, int]
    is_throwing: bool = False
    must_throw: bool = False


class Outcome(NamedTuple):
    """What may follow a move: `mark` tells it apart for all to see, `then` is None at the end."""

    chance: float
    tally: Tally
    mark: int
    then: Position | None


def take(hand: Hand, counter: int) -> Hand:
    """Return a hand with one counter fewer."""
    return (*hand[:counter], hand[counter] - 1, *hand[counter + 1 :])


class Duel:
    """The rules of one duel: who reaches whom, what both have left, and who waits around the Terminator.

    `levels` are all levels left of each, `stays` whether it stays on the map when it falls (R28),
    `throws` whether the Jelly's weapon is spikes, `untrained` and `shots` how many attack the
    Terminator when all counters are played (R22, R23).
    """

    def __init__(
        self,
        hits: HitNumbers,
        levels: tuple[int, int],
        *,
        throws: bool = False,
        stays: tuple[bool, bool] = (True, True),
        in_hand_reach: bool = True,
        in_missile_reach: bool = True,
        untrained: int = 0,
        shots: int = 0,
    ) -> None:
        self.hits = hits
        self.levels = levels
        self.throws = throws
        self.stays = stays
        self.in_hand_reach = in_hand_reach
        self.in_missile_reach = in_missile_reach
        self.untrained = untrained
        self.shots = shots
        self.key = (hits, levels, throws, stays, in_hand_reach, in_missile_reach, untrained, shots)
        """What tells one duel from another."""
        self.after = lru_cache(maxsize=None)(self._after)
        self.moves = lru_cache(maxsize=None)(self._moves)
        self._alone = lru_cache(maxsize=None)(self._play_alone)
        self.aftermath = lru_cache(maxsize=None)(self._be_attacked)

    def needed(self, attacker: int, counter: int, reply: int | None, is_awake: bool = True) -> int:
        """Return the highest roll that hits the other one, 0 for none (2.6, R19, R20)."""
        column = tables.column(KINDS[1 - attacker], is_awake, reply)
        return self.hits.needed(counter, column, attacker == 1 and counter == WEAPON and self.throws)

    # The stops of the game.

    def open(self, terminator: Hand, jelly: Hand) -> list[Outcome]:
        """Return how a duel goes on when both have picked (R16, R19)."""
        if any(jelly) and self.throws:
            start = Position("spikes", 1, -1, (terminator, jelly), self.levels, LIMITS)
            return [Outcome(1.0, NOTHING, 0, self.capped(start))]
        return self._find_first((terminator, jelly))

    def _find_first(self, hands: tuple[Hand, Hand]) -> list[Outcome]:
        if all(any(hand) for hand in hands):
            start = Position("first", 0, -1, hands, self.levels, LIMITS)
            return [Outcome(1.0, NOTHING, 0, self.capped(start))]
        turn = 0 if any(hands[0]) else 1
        return self.settle(Position("play", turn, -1, hands, self.levels, LIMITS))

    def _moves(self, position: Position) -> tuple[Move, ...]:
        """Return what the player at a stop may do (5.4, R18, R19)."""
        if position.step == "first":
            return (Move("begin", 0), Move("begin", 1))
        if position.step == "spikes":
            can = bool(position.hands[1][WEAPON]) and self.in_missile_reach
            return (Move("throw", 1), Move("throw", 0)) if can else (Move("throw", 0),)
        side = position.turn
        hand = position.hands[side]
        if position.must_throw:
            return (Move("play", WEAPON),)
        held = [counter for counter, number in enumerate(hand) if number]
        return (
            *(Move("play", counter) for counter in held),
            *(Move("discard", counter) for counter in held if self._is_discardable(position, counter)),
        )

    def _has_target(self, side: int, counter: int, is_throwing: bool) -> bool:
        if side == 1 and counter == WEAPON and self.throws:
            return is_throwing and self.in_missile_reach
        return self.in_hand_reach

    def _is_discardable(self, position: Position, counter: int) -> bool:
        side = position.turn
        if counter in ATTACKS:
            return not self._has_target(side, counter, position.is_throwing)
        if position.attack >= 0:
            return False
        throws = side == 0 and self.throws and position.is_throwing and self.in_missile_reach
        if any(position.hands[1 - side]) and (self.in_hand_reach or throws):
            return False
        if side == 1:
            return True
        return not self.untrained if counter == MIST else not self.shots

    def _after(self, position: Position, move: Move) -> list[Outcome]:
        """Return what may follow a move."""
        if move.do == "begin":
            return self.settle(position._replace(step="play", turn=move.what))
        if move.do == "stop":
            return self._end(position)
        if move.do == "throw":
            if not move.what:
                return self._find_first(position.hands)
            return self.settle(
                position._replace(
                    step="play", turn=1, is_throwing=True, must_throw=bool(position.hands[1][WEAPON])
                ),
            )
        side, counter = position.turn, move.what
        hand = take(position.hands[side], counter)
        hands = (hand, position.hands[1]) if side == 0 else (position.hands[0], hand)
        most = max(position.left[side] - 1, 0) if any(hand) else 0
        left = (most, position.left[1]) if side == 0 else (position.left[0], most)
        now = position._replace(hands=hands, left=left, must_throw=False)
        if move.do == "discard":
            return self.settle(now)
        if side == 1 and not (self.throws and counter == WEAPON):
            now = now._replace(is_throwing=False)
        if position.attack < 0:
            return self.settle(self._aim(now, counter))
        return self._resolve(now, counter)

    def _aim(self, position: Position, counter: int) -> Position:
        """Open the attack of the counter just played, if it is one, and pass the turn (R17)."""
        side = position.turn
        is_open = counter in ATTACKS and self._has_target(side, counter, position.is_throwing)
        return position._replace(turn=1 - side, attack=counter if is_open else -1)

    def _resolve(self, position: Position, reply: int | None) -> list[Outcome]:
        """Roll the open attack on the player at turn, whose reply is None where he has no counter left."""
        side = position.turn
        share = self.needed(1 - side, position.attack, reply) / FACES
        closed = position._replace(attack=-1)
        missed = self._aim(closed, reply) if reply is not None else closed._replace(turn=1 - side)
        if not share:
            return self.settle(missed)
        is_last = position.levels[side] == 1
        hurt = Tally(**{("terminator_levels", "jelly_levels")[side]: 1.0})
        if is_last:
            hands = (NO_HAND, position.hands[1]) if side == 0 else (position.hands[0], NO_HAND)
            hurt, lying = self._fall(side, hurt)
            end = self._end_alone(1 - side, hands[1 - side], lying, position)
            return _both(share, self.settle(missed), [Outcome(1.0, hurt.plus(end), 0, None)])
        fewer = position.levels[side] - (position.levels[side] != SAFE)
        levels = (fewer, position.levels[1]) if side == 0 else (position.levels[0], fewer)
        after_hit = self.settle(missed._replace(levels=levels))
        return _both(
            share, self.settle(missed), [one._replace(tally=one.tally.plus(hurt)) for one in after_hit]
        )

    def _fall(self, side: int, hurt: Tally) -> tuple[Tally, int]:
        """Return the tally of the last level lost, and the target's levels: 0 lying, -1 dead (R28)."""
        if side == 0:
            fallen = hurt._replace(terminator_falls=1.0, terminator_dies=float(not self.stays[0]))
        else:
            fallen = hurt._replace(jelly_falls=1.0, jelly_dies=float(not self.stays[1]))
        return fallen, 0 if self.stays[side] else -1

    def settle(self, position: Position) -> list[Outcome]:
        """Go on from a position without a choice as far as the rules allow."""
        side = position.turn
        mine, theirs = position.hands[side], position.hands[1 - side]
        if any(mine):
            if position.attack < 0 and not any(theirs):
                end = self._end_alone(side, mine, position.levels[1 - side], position)
                return [Outcome(1.0, end, 0, None)]
            return [Outcome(1.0, NOTHING, 0, self.capped(position))]
        if position.attack >= 0:
            return self._resolve(position, None)
        if any(theirs):
            return self.settle(position._replace(turn=1 - side))
        levels = position.levels[0]
        return [
            Outcome(1.0, self.aftermath(levels, position.hands[0][MIST], position.hands[0][SOUL]), 0, None)
        ]

    def _end(self, position: Position) -> list[Outcome]:
        hand = position.hands[0]
        return [Outcome(1.0, self.aftermath(position.levels[0], hand[MIST], hand[SOUL]), 0, None)]

    def capped(self, position: Position) -> Position:
        """Return a position in which levels that cannot run out are all alike, as nothing depends on them."""
        threats = [position.left[1] + (self.untrained > 0) + self.shots, position.left[0]]
        if position.attack >= 0:
            threats[position.turn] += 1
        levels = tuple(
            SAFE if have > most else have for have, most in zip(position.levels, threats, strict=True)
        )
        return position._replace(levels=(levels[0], levels[1]))

    # What one does whom nobody can answer any more.

    def _end_alone(self, side: int, hand: Hand, levels: int, position: Position) -> Tally:
        """Return the rest of a duel in which only one side has counters; `levels` are the other's."""
        own = position.levels[side]
        return self._alone(side, hand, levels, own, position.is_throwing)

    def _play_alone(self, side: int, hand: Hand, levels: int, own: int, is_throwing: bool) -> Tally:
        """Play the attacks left in the best order on a target with `levels` (0 lying, -1 dead), or stop."""
        sign = 1 if side == 0 else -1
        if side == 0:
            best = self.aftermath(own, hand[MIST], hand[SOUL])
        else:
            best = self.aftermath(levels, 0, 0) if levels >= 0 else NOTHING
        if levels < 0:
            return best
        for counter in ATTACKS:
            if not hand[counter] or not self._has_target(side, counter, is_throwing):
                continue
            still = is_throwing and (side == 0 or (self.throws and counter == WEAPON))
            share = self.needed(side, counter, None, levels > 0) / FACES
            rest = take(hand, counter)
            missed = self._alone(side, rest, levels, own, still)
            hurt, then = self._hurt(1 - side, levels)
            hit = hurt.plus(self._alone(side, rest, then, own, still))
            found = NOTHING.plus(missed, 1 - share).plus(hit, share)
            if sign * balance(found) > sign * balance(best) + 1e-12:
                best = found
        return best

    def _hurt(self, side: int, levels: int) -> tuple[Tally, int]:
        """Return what one hit does to a figure with so many levels, and what it has then (5.5, 5.62)."""
        if levels == 0:
            return (Tally(terminator_dies=1.0), -1) if side == 0 else (Tally(jelly_dies=1.0), -1)
        hurt = Tally(terminator_levels=1.0) if side == 0 else Tally(jelly_levels=1.0)
        if levels == 1:
            return self._fall(side, hurt)
        return hurt, levels if levels == SAFE else levels - 1

    def _be_attacked(self, levels: int, mist: int, soul: int) -> Tally:
        """Return what untrained attackers and guns do to the Terminator, each attacking him (R22, R23)."""
        counters = (mist, soul) if levels > 0 else (0, 0)
        shares = [] if counters[0] else [min(self.untrained, FACES) / FACES]
        shares += [self.hits.gun / FACES] * max(self.shots - counters[1], 0)
        total = NOTHING
        shares = [share for share in shares if share]
        for rolls in product((True, False), repeat=len(shares)):
            chance, tally, now = 1.0, NOTHING, levels
            for share, is_hit in zip(shares, rolls, strict=True):
                chance *= share if is_hit else 1 - share
                if is_hit and now >= 0:
                    hurt, now = self._hurt(0, now)
                    tally = tally.plus(hurt)
            total = total.plus(tally, chance)
        return total


def _both(share: float, missed: list[Outcome], hit: list[Outcome]) -> list[Outcome]:
    """Return what follows a roll; where a hit changes nothing that is still to come, both are one."""
    if len(missed) == len(hit) == 1 and missed[0].then == hit[0].then:
        tally = NOTHING.plus(missed[0].tally, 1 - share).plus(hit[0].tally, share)
        return [Outcome(1.0, tally, 0, missed[0].then)]
    return [
        one._replace(chance=one.chance * part, mark=one.mark * 2 + number)
        for number, (part, found) in enumerate(((1 - share, missed), (share, hit)), 1)
        for one in found
    ]
