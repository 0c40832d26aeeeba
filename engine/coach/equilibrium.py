"""Games of two whose interests are opposed, solved by linear programming (scipy's HiGHS).

`solve_matrix` takes a table of payoffs. `solve_duel` takes a duel with hidden hands whole: hands are
picked, then counters are played in sight, so a plan says what to pick and what to play after everything
that can be seen. Its linear programme is the sequence form of that tree, with one variable for each way a
player can have come to a choice; its answer is exact, up to the solver's tolerance.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.coach.duel import NOTHING, Duel, Hand, Move, Outcome, Position, Tally, balance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

EPSILON: Final = 1e-9  # shares below this are the solver's rounding


class Cancelled(Exception):
    """Nobody waits for this answer any more."""


class Solution(NamedTuple):
    """The value of a matrix game to the row player, and both mixes."""

    value: float
    rows: tuple[float, ...]
    columns: tuple[float, ...]


def _clean(shares: Vector) -> Vector:
    """Return shares without the solver's rounding, summing to 1."""
    kept = shares * (shares > EPSILON)
    total = kept.sum()
    return kept / total if total else kept


def solve_matrix(payoffs: Sequence[Sequence[float]]) -> Solution:
    """Return the unexploitable mixes of a table of payoffs to the row player, who wants much.

    Raises ValueError for an empty table.
    """
    import numpy as np
    from scipy import optimize

    linprog: Any = optimize.linprog
    table = np.asarray(payoffs, dtype=float)
    if table.ndim != 2 or not table.size:
        raise ValueError("a matrix game needs at least one row and one column")
    rows, columns = table.shape
    found = linprog(
        np.r_[np.zeros(rows), -1.0],
        A_ub=np.c_[-table.T, np.ones(columns)],
        b_ub=np.zeros(columns),
        A_eq=np.r_[np.ones(rows), 0.0][None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    _check(found)
    return Solution(
        -float(found.fun),
        tuple(_clean(found.x[:rows]).tolist()),
        tuple(_clean(-found.ineqlin.marginals).tolist()),
    )


def _check(found: Any) -> None:
    if found.status:
        raise ArithmeticError(f"the linear programme was not solved: {found.message}")


class Holding(NamedTuple):
    """One of the level sets or hands that a side may have: how likely, and which hands it may pick."""

    chance: float
    hands: tuple[Hand, ...]


@dataclass
class _Tree:
    """One side's choices: `sequences` are numbered, the first ones are the hands.

    A stop is (the sequence that leads to it, the sequences of its moves).
    """

    holdings: tuple[Holding, ...]
    hands: list[Hand] = field(default_factory=list)
    of_hand: list[int] = field(default_factory=list)
    stops: list[tuple[int, list[int]]] = field(default_factory=list)
    moves: list[tuple[Move, ...]] = field(default_factory=list)
    known: dict[Hashable, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.hands = list(dict.fromkeys(hand for holding in self.holdings for hand in holding.hands))
        self.of_hand = list(range(len(self.hands)))

    def stop(self, key: Hashable, parent: int, moves: tuple[Move, ...]) -> list[int]:
        """Return the sequences of the moves at a stop, made when first seen."""
        number = self.known.get(key)
        if number is None:
            number = self.known[key] = len(self.stops)
            first = len(self.of_hand)
            self.of_hand += [self.of_hand[parent]] * len(moves)
            self.stops.append((parent, list(range(first, first + len(moves)))))
            self.moves.append(moves)
        return self.stops[number][1]


Opening = Callable[[Hand, Hand], list[Outcome]]


class Pick(NamedTuple):
    """One hand: its share in the mix, its worth if the foe plays his best mix, and what then happens."""

    share: float
    worth: float
    tally: Tally


class Answer(NamedTuple):
    """A solved duel from one side.

    `value` is the balance that the plan brings on average whatever the foe does, `picks` go by hand.
    `theirs` is the foe's best mix of hands. `moves` are the shares of the first moves where this side has
    one hand and is the first to choose, else nothing.
    """

    value: float
    picks: dict[Hand, Pick]
    theirs: dict[Hand, float]
    moves: dict[Move, float]


class _Builder:
    """Walks a duel for every pair of hands and notes the payoffs by both sides' sequences."""

    def __init__(self, duel: Duel, trees: tuple[_Tree, _Tree], stop: threading.Event | None) -> None:
        self.duel = duel
        self.trees = trees
        self.cancel = stop
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.tallies: list[Tally] = []
        self._histories: dict[tuple[int, Hashable], int] = {}

    def build(self, opening: Opening) -> None:
        for row, terminator in enumerate(self.trees[0].hands):
            for column, jelly in enumerate(self.trees[1].hands):
                if self.cancel is not None and self.cancel.is_set():
                    raise Cancelled
                self._follow(opening(terminator, jelly), 0, (), (row, column), 1.0)

    def _history(self, before: int, event: Hashable) -> int:
        return self._histories.setdefault((before, event), len(self._histories) + 1)

    def _follow(
        self,
        outcomes: list[Outcome],
        history: int,
        event: tuple[int, ...],
        sequences: tuple[int, int],
        chance: float,
    ) -> None:
        for one in outcomes:
            share = chance * one.chance
            if one.tally is not NOTHING and any(one.tally):
                self.rows.append(sequences[0])
                self.columns.append(sequences[1])
                self.tallies.append(Tally(*(share * number for number in one.tally)))
            if one.then is not None:
                # That a hand is empty is told to all (R16), so it belongs to what both have seen.
                hands = one.then.hands
                seen = (*event, one.mark, any(hands[0]), any(hands[1]))
                self._walk(one.then, self._history(history, seen), sequences, share)

    def _walk(self, position: Position, history: int, sequences: tuple[int, int], chance: float) -> None:
        side = position.turn
        moves = self.duel.moves(position)
        tree = self.trees[side]
        own = sequences[side]
        if len(moves) > 1:
            # A player remembers all he did, also what he put aside unseen.
            key = (own, position.hands[side], history)
            following = tree.stop(key, own, moves)
        else:
            following = [own]
        for move, sequence in zip(moves, following, strict=True):
            event = (side, _DO[move.do], -1 if move.do == "discard" else move.what)
            pair = (sequence, sequences[1]) if side == 0 else (sequences[0], sequence)
            self._follow(self.duel.after(position, move), history, event, pair, chance)


_DO: Final = {"play": 0, "discard": 1, "throw": 2, "begin": 3}


def solve_duel(
    duel: Duel,
    side: int,
    mine: Sequence[Holding],
    theirs: Sequence[Holding],
    opening: Opening | None = None,
    cancel: threading.Event | None = None,
) -> Answer:
    """Return one side's unexploitable plan for a duel.

    `mine` and `theirs` hold what either may pick from, with chances that sum to 1: each player knows
    which of his holdings he has, the other only the chances. `opening` says how it goes on once both
    hands are picked, the start of the duel unless given. Raises Cancelled once `cancel` is set.
    """
    import numpy as np
    from scipy import sparse

    holdings = (tuple(mine), tuple(theirs)) if side == 0 else (tuple(theirs), tuple(mine))
    trees = (_Tree(holdings[0]), _Tree(holdings[1]))
    builder = _Builder(duel, trees, cancel)
    builder.build(opening or duel.open)
    me, foe = trees[side], trees[1 - side]
    sign = 1.0 if side == 0 else -1.0
    tallies = np.array(builder.tallies, dtype=float).reshape(-1, len(NOTHING))
    worth = sign * np.array([balance(Tally(*row)) for row in np.eye(len(NOTHING))])
    rows = np.array((builder.rows, builder.columns)[side], dtype=int)
    columns = np.array((builder.columns, builder.rows)[side], dtype=int)
    shape = (len(me.of_hand), len(foe.of_hand))
    payoffs: Any = sparse.csr_matrix((tallies @ worth, (rows, columns)), shape=shape)

    plan, counterplan = _optimise(me, foe, payoffs)
    if cancel is not None and cancel.is_set():
        raise Cancelled
    counter = _realised(foe, counterplan, -(payoffs.T @ plan), _shares(foe, counterplan))
    against = payoffs @ counter
    worths = _best(me, against)
    shares = _shares(me, plan)
    value = -_worth_of(foe, -(payoffs.T @ _realised(me, plan, against, shares)))
    each = _realised(me, plan, against, np.ones(len(me.hands)))
    happened = tallies * (each[rows] * counter[columns])[:, None]
    sums = np.zeros((len(me.hands), len(NOTHING)))
    np.add.at(sums, np.array(me.of_hand)[rows], happened)
    picks = {
        hand: Pick(float(shares[at]), float(worths[at]), Tally(*sums[at].tolist()))
        for at, hand in enumerate(me.hands)
    }
    theirs_found = _shares(foe, counterplan)
    moves = {}
    if len(me.hands) == 1 and me.stops and me.stops[0][0] == 0:
        moves = dict(zip(me.moves[0], each[me.stops[0][1]].tolist(), strict=True))
    return Answer(float(value), picks, dict(zip(foe.hands, theirs_found.tolist(), strict=True)), moves)


def _optimise(me: _Tree, foe: _Tree, payoffs: Any) -> tuple[Vector, Vector]:
    """Return the sequences of both unexploitable plans; `payoffs` are sparse, by both sides' sequences.

    The variables are this side's plan and, for each of the foe's equations, what he can get out of it.
    """
    import numpy as np
    from scipy import optimize, sparse

    stack: Any = sparse.hstack
    linprog: Any = optimize.linprog
    own, own_sums = _constraints(me)
    other, other_sums = _constraints(foe)
    # Choosing a hand pays nothing by itself; those variables come before the sequences.
    own_first, other_first = own.shape[1] - payoffs.shape[0], other.shape[1] - payoffs.shape[1]
    padded: Any = sparse.block_diag([sparse.csr_matrix((other_first, own_first)), -payoffs.T])
    found = linprog(
        np.r_[np.zeros(own.shape[1]), -other_sums],
        A_ub=stack([padded, other.T], format="csr"),
        b_ub=np.zeros(other.shape[1]),
        A_eq=stack([own, sparse.csr_matrix((own.shape[0], other.shape[0]))], format="csr"),
        b_eq=own_sums,
        bounds=[(0, None)] * own.shape[1] + [(None, None)] * other.shape[0],
        method="highs",
    )
    _check(found)
    return found.x[own_first : own.shape[1]], -found.ineqlin.marginals[other_first:]


def _constraints(tree: _Tree) -> tuple[Any, Vector]:
    """Return the equations that a side's plan fulfils: matrix and right-hand sides.

    First one variable for each holding and hand, then one for each sequence.
    """
    import numpy as np
    from scipy import sparse

    at = {hand: number for number, hand in enumerate(tree.hands)}
    choices = [(number, hand) for number, holding in enumerate(tree.holdings) for hand in holding.hands]
    held, hands = len(tree.holdings), len(tree.hands)
    entries: list[tuple[int, int, float]] = []
    for variable, (number, hand) in enumerate(choices):
        entries.append((number, variable, 1.0))
        entries.append((held + at[hand], variable, -tree.holdings[number].chance))
    first = len(choices)
    entries += [(held + hand, first + hand, 1.0) for hand in range(hands)]
    for number, (parent, following) in enumerate(tree.stops, held + hands):
        entries.append((number, first + parent, -1.0))
        entries += [(number, first + sequence, 1.0) for sequence in following]
    row, column, data = (np.array(part) for part in zip(*entries, strict=True))
    size = (held + hands + len(tree.stops), first + len(tree.of_hand))
    return sparse.csr_matrix((data, (row, column)), shape=size), np.r_[
        np.ones(held), np.zeros(size[0] - held)
    ]


def _shares(tree: _Tree, plan: Vector) -> Vector:
    """Return how much of a plan goes to each hand."""
    return _clean(plan[: len(tree.hands)])


def _best(tree: _Tree, payoffs: Vector) -> Vector:
    """Return the worth of each hand if every later choice is the best against what gave these payoffs."""
    worths = payoffs.copy()
    for parent, following in reversed(tree.stops):
        worths[parent] += max(worths[sequence] for sequence in following)
    return worths[: len(tree.hands)]


def _worth_of(tree: _Tree, payoffs: Vector) -> float:
    """Return the worth of the best plan against what gave these payoffs, holdings being dealt."""
    worths: dict[Hand, float] = dict(zip(tree.hands, _best(tree, payoffs).tolist(), strict=True))
    return sum(holding.chance * max(worths[hand] for hand in holding.hands) for holding in tree.holdings)


def _realised(tree: _Tree, plan: Vector, payoffs: Vector, hands: Vector) -> Vector:
    """Return a plan's sequences when hands have these shares; what it leaves open is played at its best."""
    import numpy as np

    worths = payoffs.copy()
    for parent, following in reversed(tree.stops):
        worths[parent] += max(worths[sequence] for sequence in following)
    found = np.zeros(len(tree.of_hand))
    found[: len(tree.hands)] = hands
    for parent, following in tree.stops:
        shares = plan[following]
        if plan[parent] > EPSILON and shares.sum() > EPSILON:
            shares = _clean(shares)
        else:
            shares = np.zeros(len(following))
            shares[max(range(len(following)), key=lambda at: worths[following[at]])] = 1.0
        found[following] = found[parent] * shares
    return found
