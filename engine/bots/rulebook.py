"""A plain, sensible player of both sides, so that anyone can play alone at once.

It goes for the nearest target, prefers the most dangerous legal attack, keeps Mountain Heart for
injuries, and says in a line why it chose. It knows its View and the Decision, nothing else.
"""

from __future__ import annotations

from engine.bots import guarding, judgement, raiding
from engine.bots.drawing import Draws, draws_for
from engine.core.agreement import DRAW, AnswerDraw
from engine.core.decision import Choice, Decision
from engine.core.player import Player
from engine.core.takeback import TAKEBACK, AnswerTakeback
from engine.fortress.board import Board
from engine.raid.choices import (
    Begin,
    ChooseCounters,
    Discard,
    Done,
    FreeMove,
    LoseAbility,
    NameTarget,
    Pass,
    PlayCounter,
    ReleaseCloneMaster,
    Shoot,
    Stop,
    Throw,
    UntrainedAttack,
)
from engine.raid.scenario import Scenario
from engine.raid.view import FightView, View


class RulebookPlayer(Player):
    """Plays either side from its View; `said` is why it chose as it last did."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.said = ""
        self._board: Board | None = None
        self._scenario: Scenario | None = None

    def begin(self, side: str, scenario: Scenario, board: Board) -> None:
        """Take the seat."""
        self._scenario = scenario
        self._board = board

    def decide(self, view: View, decision: Decision) -> Choice | None:
        """Return the choice for a decision, or None to let a standing offer lapse."""
        if self._board is None or self._scenario is None:
            raise RuntimeError("a player must be seated with begin() before he decides")
        choice, self.said = self._choose(view, decision, draws_for(self.seed, decision))
        return choice

    def _choose(self, view: View, decision: Decision, draws: Draws) -> tuple[Choice | None, str]:
        board, scenario = self._board, self._scenario
        assert board is not None
        assert scenario is not None
        kind = decision.kind
        if kind == TAKEBACK:
            return AnswerTakeback(True), "it is a friendly game"
        if kind == DRAW:
            return AnswerDraw(False), "it is played to its end"
        if kind == "set-up-terminator":
            return raiding.set_up(scenario, decision)
        if kind == "set-up-clonemaster":
            return guarding.set_up(board, view, decision, draws)
        if kind == "place-extras":
            return guarding.extras(board, decision, draws)
        if kind == "terminator-move":
            return raiding.move(board, view, decision, draws)
        if kind == "clonemaster-move":
            return guarding.move(board, view, decision, draws)
        if kind == "free-move":
            return guarding.free_move(board, view, decision)
        if kind == "free-move-when":
            return FreeMove(True), "away at once"
        if kind == "release-clonemaster":
            if guarding.is_in_danger(board, view):
                return ReleaseCloneMaster(), "a Terminator is too near: the CloneMaster runs"
            return (None if decision.optional else Pass()), "the CloneMaster stays hidden"
        if view.fight is None:
            return decision.options[0], "the first is as good as any"
        return _fight(view, view.fight, decision)


def _fight(view: View, fight: FightView, decision: Decision) -> tuple[Choice, str]:
    """Return the choice at a step of a combat (5.4)."""
    kind = decision.kind
    if kind == "choose-counters":
        return _hand(view, fight, decision)
    if kind == "throw-spikes":
        return decision.options[0], "spikes strike from afar" if _throws(decision) else "nobody to throw at"
    if kind == "who-begins":
        return Begin("clonemaster"), "he who replies chooses better"
    if kind == "play-counter":
        return _play(view, fight, decision)
    if kind == "name-target":
        return _target(view, fight, decision)
    if kind == "lose-ability":
        choice = decision.options[0]
        assert isinstance(choice, LoseAbility)
        levels = view.figure(choice.figure).levels
        assert levels is not None
        ability = judgement.loss(levels)
        return LoseAbility(choice.figure, ability), f"{ability} is missed least"
    if kind in ("untrained", "gunfire"):
        return _declare(view, decision)
    if kind in ("show-mist", "show-soul"):
        choice = decision.options[0]
        return choice, "nothing more to show" if isinstance(choice, Done) else "that attack must not land"
    return decision.options[0], "one square is as good as another"


def _throws(decision: Decision) -> bool:
    choice = decision.options[0]
    return isinstance(choice, Throw) and choice.spikes


def _hand(view: View, fight: FightView, decision: Decision) -> tuple[Choice, str]:
    name = decision.options.groups[0]
    figure = view.figure(name)
    levels = figure.levels or {}
    defences: tuple[str, ...] = ()
    if figure.kind == "terminator":
        foes = [view.figure(other) for one, other in fight.links if one == name]
        if any(foe.kind in ("armed_technician", "clonemaster", "lc") for foe in foes):
            defences += ("soul",)
        elif sum(1 for foe in foes if foe.kind == "jelly" and foe.is_conscious) > 0:
            defences += ("mist",)
    limit = judgement.hand_size(figure)
    hand = judgement.attacks_first(levels, limit, defences)
    reason = f"{name} keeps {defences[0]} for what comes" if defences else f"{name} goes all out"
    return ChooseCounters(name, hand), reason


def _play(view: View, fight: FightView, decision: Decision) -> tuple[Choice, str]:
    choices = list(decision.options)
    plays = [choice for choice in choices if isinstance(choice, PlayCounter)]
    attack = fight.open_attack
    if attack is not None and plays:
        own = [play for play in plays if play.figure == attack.target]
        if own:
            best = min(
                own,
                key=lambda play: (
                    judgement.needed(view, attack.figure, attack.counter, attack.target, play.counter),
                    play.counter in ("mist", "soul"),
                ),
            )
            alone = judgement.needed(view, attack.figure, attack.counter, attack.target, None)
            now = judgement.needed(view, attack.figure, attack.counter, attack.target, best.counter)
            if now < alone:
                return best, f"{best.counter} leaves them {now} in 6 instead of {alone}"
        play = max(plays, key=lambda play: play.counter not in ("mist", "soul"))
        return play, f"no better answer; {play.counter} strikes back"
    attacks = [play for play in plays if play.counter not in ("mist", "soul")]
    if attacks:
        play = max(attacks, key=lambda play: _promise(view, fight, play))
        return play, f"{play.figure}'s {play.counter} promises most"
    for choice in choices:
        if isinstance(choice, Stop | Discard):
            return choice, "nothing is left to strike"
    return choices[0], "a counter must be played"


def _promise(view: View, fight: FightView, play: PlayCounter) -> float:
    """Return the best an attack counter could do, from who may strike whom."""
    foes = [other for pair in fight.links for one, other in (pair, pair[::-1]) if one == play.figure]
    machines = [thing.name for thing in view.equipment if not thing.is_destroyed]
    values = [judgement.attack_value(view, play.figure, play.counter, foe) for foe in foes]
    figure = view.figure(play.figure)
    if figure.side == "terminator" and machines and figure.square is not None:
        near = any(
            max(abs(thing.square[0] - figure.square[0]), abs(thing.square[1] - figure.square[1])) <= 1
            for thing in view.equipment
            if not thing.is_destroyed
        )
        values.append(judgement.EQUIPMENT_WORTH if near else 0.0)
    return max(values, default=0.0)


def _target(view: View, fight: FightView, decision: Decision) -> tuple[Choice, str]:
    assert fight.unnamed is not None
    figure, counter = fight.unnamed
    choices = [choice for choice in decision.options if isinstance(choice, NameTarget)]
    best = max(choices, key=lambda choice: judgement.attack_value(view, figure, counter, choice.target))
    return best, f"{best.target} is the most dangerous place to hit"


def _declare(view: View, decision: Decision) -> tuple[Choice, str]:
    """Return an attack on the Terminator on whom most is gained; all on one, for untrained attackers."""
    attacks = [choice for choice in decision.options if isinstance(choice, UntrainedAttack | Shoot)]
    if not attacks:
        return Done(), "all attacks are declared"
    crowd = {target: sum(1 for a in attacks if a.target == target) for target in {a.target for a in attacks}}
    best = max(attacks, key=lambda a: (judgement.worth(view, a.target), crowd[a.target], a.target))
    return best, f"{best.target} is worth most"
