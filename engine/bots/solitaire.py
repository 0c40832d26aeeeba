"""The CloneMaster's side without a player: it acts by the printed lines and by nothing else (6.3c, R33).

Its units cannot be more cunning than the rulebook makes them. Where the lines leave a choice open,
chance decides; where they say nothing at all (a set-up, additions to the map) it does as the rulebook
bot does. `said` names the line that each act follows.
"""

from __future__ import annotations

from engine.bots import guarding, solitaire_moves
from engine.bots.drawing import Draws, draws_for
from engine.bots.ground import Ground
from engine.core.agreement import DRAW, AnswerDraw
from engine.core.decision import Choice, Decision
from engine.core.player import Player
from engine.core.takeback import TAKEBACK, AnswerTakeback
from engine.fortress.board import Board
from engine.raid import tables
from engine.raid.choices import (
    ChooseCounters,
    Discard,
    Done,
    FreeMove,
    LoseAbility,
    NameTarget,
    Pass,
    PlayCounter,
    Shoot,
    Stop,
    Throw,
    UntrainedAttack,
)
from engine.raid.figures import ABILITIES, ATTACKS, COUNTERS, KINDS, SPIKES, TERMINATOR
from engine.raid.view import FightView, FigureView, View

ATTACK_WORDS = tuple(ABILITIES[counter] for counter in ATTACKS)
# R33: what a Jelly picks once it has no more attacks to pick, and what it loses first.
DEFENCES = ("soul", "mist")
LOSS_ORDER = ("heart", *DEFENCES)


class SolitairePlayer(Player):
    """Plays the CloneMaster's side by 6.3 (c) and R33."""

    follows_lines = True

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.said = ""
        self._board: Board | None = None

    def begin(self, side: str, scenario: object, board: Board) -> None:
        """Take the seat; raises ValueError for the Terminators' side, for which there are no lines."""
        if side != "clonemaster":
            raise ValueError("the printed lines play the CloneMaster's side only (6.3)")
        self._board = board

    def decide(self, view: View, decision: Decision) -> Choice | None:
        """Return the choice that the lines prescribe, or None to let a standing offer lapse."""
        if self._board is None:
            raise RuntimeError("a player must be seated with begin() before he decides")
        choice, self.said = _choose(self._board, view, decision, draws_for(self.seed, decision))
        return choice


def _choose(board: Board, view: View, decision: Decision, draws: Draws) -> tuple[Choice | None, str]:
    kind = decision.kind
    if kind == "place-extras":
        return guarding.extras(board, decision, draws)
    if kind == "set-up-clonemaster":
        return guarding.set_up(board, view, decision, draws)
    if kind == "clonemaster-move":
        return solitaire_moves.move(board, view, decision, draws)
    if kind == "free-move":
        return solitaire_moves.free_move(board, view, decision, draws)
    if kind == "free-move-when":
        return FreeMove(True), "4.21: the free move comes at once"
    if kind == "release-clonemaster":
        return (None if decision.optional else Pass()), "6.3b: only the nearest counters come out"
    if kind == TAKEBACK:
        return AnswerTakeback(True), "a friendly game: have it back"
    if kind == DRAW:
        return AnswerDraw(False), "it is played to its end"
    if view.fight is None:
        return _by_chance(decision, draws)
    return _fight(Ground(board, view), view.fight, decision, draws)


def _fight(ground: Ground, fight: FightView, decision: Decision, draws: Draws) -> tuple[Choice, str]:
    """Return the choice at a step of a combat (5.4)."""
    kind, view = decision.kind, ground.view
    if kind == "choose-counters":
        return _hand(ground, fight, decision)
    if kind == "throw-spikes":
        choice = decision.options[0]
        thrown = isinstance(choice, Throw) and choice.spikes
        return (
            choice,
            "6.3c: attacks before defences" if thrown else "R19: no spikes picked reach anybody",
        )
    if kind == "play-counter":
        return _play(view, fight, decision, draws)
    if kind == "name-target":
        return _target(view, fight, decision, draws)
    if kind == "lose-ability":
        return _loss(view, decision)
    if kind in ("untrained", "gunfire"):
        return _declare(decision, draws)
    return _by_chance(decision, draws)


def _by_chance(decision: Decision, draws: Draws) -> tuple[Choice, str]:
    """Return a choice on which the lines say nothing; of the only one there is nothing to be said (R33)."""
    said = "R33: the lines leave it to chance" if len(decision.options) > 1 else ""
    return decision.options.sample(draws), said


def number_of(view: View, figure: FigureView, counter: str, reply: str | None = None) -> int:
    """Return an attack counter's hit number against a foe that does not reply, or by his reply (2.6, R33)."""
    column = tables.INACTIVE if reply is None else tables.REPLY_COLUMN[COUNTERS.index(reply)]
    return view.hits.needed(COUNTERS.index(counter), column, figure.weapon == SPIKES)


def _hand(ground: Ground, fight: FightView, decision: Decision) -> tuple[Choice, str]:
    """Return as many attack counters as the Jelly may take, then defences (R33).

    Those that can strike somebody from where it stands come first, then the highest hit numbers.
    """
    view = ground.view
    name = decision.options.groups[0]
    figure = view.figure(name)
    levels = figure.levels or {}
    attacks = sorted(
        ATTACK_WORDS,
        key=lambda word: (not _reaches(ground, fight, figure, word), -number_of(view, figure, word)),
    )
    limit = tables.hand_limit(KINDS.index(figure.kind))
    picked: list[str] = []
    for word in (*attacks, *DEFENCES):
        picked += [word] * min(levels.get(word, 0), limit - len(picked))
    return ChooseCounters(name, tuple(sorted(picked, key=COUNTERS.index))), "6.3c: attacks before defences"


def _reaches(ground: Ground, fight: FightView, figure: FigureView, counter: str) -> bool:
    """Return whether an attack of a Jelly can strike a Terminator of the combat from where it stands."""
    assert figure.square is not None
    is_thrown = counter == "weapon" and figure.weapon == SPIKES
    reach = ground.missile(figure.square) if is_thrown else ground.hand(figure.square)
    return any(
        foe.side == TERMINATOR and foe.square is not None and ground.number(foe.square) in reach
        for foe in map(ground.view.figure, fight.figures)
    )


def _play(view: View, fight: FightView, decision: Decision, draws: Draws) -> tuple[Choice, str]:
    """Return the attack with the highest hit number, else what can still be done (R33)."""
    choices = list(decision.options)
    plays = [choice for choice in choices if isinstance(choice, PlayCounter)]
    attacks = [play for play in plays if play.counter in ATTACK_WORDS]
    if fight.open_attack is None:
        # A lead that could be put aside as well would strike nobody (R18).
        attacks = [play for play in attacks if Discard(play.figure, play.counter) not in choices]
    if attacks:
        struck = fight.open_attack.target if fight.open_attack is not None else ""

        def rank(play: PlayCounter) -> tuple[int, bool]:
            return number_of(view, view.figure(play.figure), play.counter), play.figure == struck

        best = max(map(rank, attacks))
        return draws.pick(
            [play for play in attacks if rank(play) == best]
        ), "R33: the highest hit number first"
    for choice in choices:
        if isinstance(choice, Discard | Stop):
            return choice, "R18: nothing is left to do"
    attack = fight.open_attack
    if attack is None:
        return plays[0], "R18: a counter must be played"
    foe = view.figure(attack.figure)

    def needed(play: PlayCounter) -> int:
        return number_of(view, foe, attack.counter, play.counter if play.figure == attack.target else None)

    return min(plays, key=needed), "R18: no attack is left, so it defends"


def _target(view: View, fight: FightView, decision: Decision, draws: Draws) -> tuple[Choice, str]:
    """Return the Terminator who is easiest to hit; chance decides between equals."""
    assert fight.unnamed is not None
    name, counter = fight.unnamed
    figure = view.figure(name)
    targets = [choice for choice in decision.options if isinstance(choice, NameTarget)]

    def needed(choice: NameTarget) -> int:
        foe = view.figure(choice.target)
        column = tables.column(KINDS.index(foe.kind), foe.is_conscious, None)
        return view.hits.needed(COUNTERS.index(counter), column, figure.weapon == SPIKES)

    best = max(map(needed, targets))
    return draws.pick(
        [choice for choice in targets if needed(choice) == best]
    ), "6.3c: it attacks the Terminator"


def _loss(view: View, decision: Decision) -> tuple[Choice, str]:
    """Return the injury: Mountain Heart, then Monkey Soul or Body of Mist, then the weakest attack (R33)."""
    losses = [choice for choice in decision.options if isinstance(choice, LoseAbility)]
    figure = view.figure(losses[0].figure)
    weakest = sorted(ATTACK_WORDS, key=lambda word: number_of(view, figure, word))
    order = (*LOSS_ORDER, *weakest)
    return min(losses, key=lambda choice: order.index(choice.ability)), "6.3c: defences are lost first"


def _declare(decision: Decision, draws: Draws) -> tuple[Choice, str]:
    """Return an attack for whoever can make one: all attack the Terminator (6.3c)."""
    attacks = [choice for choice in decision.options if isinstance(choice, UntrainedAttack | Shoot)]
    if not attacks:
        return Done(), "6.3c: all have attacked"
    first = [attack for attack in attacks if attack.figure == attacks[0].figure]
    return draws.pick(first), "6.3c: it attacks the Terminator"
