"""5.4, R22, R23: untrained attacks, then gunfire."""

from __future__ import annotations

from engine.core.decision import Choice, Decision, IllegalChoice, Options
from engine.core.event import Telling, tell_all
from engine.raid import events, injury, strikes
from engine.raid.choices import Done, PlayMist, PlaySoul, Shoot, UntrainedAttack
from engine.raid.figures import MIST, SIDES, SOUL
from engine.raid.phases.naming import figure_of
from engine.raid.state import (
    GUNFIRE_ROLL,
    GUNFIRE_STEP,
    HAND,
    MIST_STEP,
    SOUL_STEP,
    UNTRAINED_ROLL,
    UNTRAINED_STEP,
    Fight,
    State,
)


def _attackers(state: State, fight: Fight) -> list[int]:
    """Return the untrained figures that could attack and have not declared (R22)."""
    declared = {figure for figure, _ in fight.untrained}
    return [
        figure
        for figure in fight.members
        if state.game.roster.is_untrained[figure]
        and figure not in declared
        and strikes.untrained_targets(state, fight, figure)
    ]


def _guns(state: State, fight: Fight) -> list[int]:
    """Return the guns that could shoot and have not declared (R23)."""
    return [
        figure
        for figure in fight.members
        if state.game.roster.is_gun[figure] and strikes.gun_targets(state, fight, figure)
    ]


def _dodgers(state: State, fight: Fight) -> list[int]:
    """Return the Terminators with a shot to dodge and a Monkey Soul counter in hand (R23)."""
    aimed = {target for number, (_, target) in enumerate(fight.shots) if number not in fight.dodged}
    return [one for one in sorted(aimed) if fight.hands[one * HAND + SOUL]]


def _misted(fight: Fight) -> list[int]:
    """Return the Terminators under untrained attack with a Body of Mist counter not yet shown (R22)."""
    attacked = {target for _, target in fight.untrained} - set(fight.shown)
    return [one for one in sorted(attacked) if fight.hands[one * HAND + MIST]]


def decisions(state: State) -> list[Decision]:
    """Return who must declare attacks, or may show counters against them."""
    fight = state.current_fight()
    name = state.game.roster.name
    side, kind, rule, prompt, waiting, choices = _asked(state, fight, name)
    return [Decision(SIDES[side], kind, rule, prompt, waiting, Options.listed((*choices, Done())))]


def _asked(state: State, fight: Fight, name: tuple[str, ...]) -> tuple[int, str, str, str, str, list[Choice]]:
    if fight.step == UNTRAINED_STEP:
        return (
            1,
            "untrained",
            "R22",
            "Declare untrained attacks, one Terminator each, or be done.",
            "The CloneMaster player declares untrained attacks.",
            [
                UntrainedAttack(name[figure], name[one])
                for figure in _attackers(state, fight)
                for one in strikes.untrained_targets(state, fight, figure)
            ],
        )
    if fight.step == MIST_STEP:
        return (
            0,
            "show-mist",
            "R22",
            "Untrained attackers: a Body of Mist counter turns all of one Terminator's aside.",
            "The Terminator player may show Body of Mist.",
            [PlayMist(name[one]) for one in _misted(fight)],
        )
    if fight.step == GUNFIRE_STEP:
        return (
            1,
            "gunfire",
            "R23",
            "Declare shots, one for each gun, or be done.",
            "The CloneMaster player aims.",
            [
                Shoot(name[figure], name[one])
                for figure in _guns(state, fight)
                for one in strikes.gun_targets(state, fight, figure)
            ],
        )
    return (
        0,
        "show-soul",
        "R23",
        "Shots: each Monkey Soul counter dodges one at its owner.",
        "The Terminator player may show Monkey Soul.",
        [PlaySoul(name[one]) for one in _dodgers(state, fight)],
    )


def check(state: State, side: int, choice: Choice) -> None:
    """Refuse what 5.4 does not allow at this step; raises IllegalChoice."""
    fight = state.current_fight()
    asked = 1 if fight.step in (UNTRAINED_STEP, GUNFIRE_STEP) else 0
    if side != asked:
        raise IllegalChoice("the game waits for the other player's part of this combat", "5.4")
    if isinstance(choice, Done):
        return
    expected: type = {
        UNTRAINED_STEP: UntrainedAttack,
        MIST_STEP: PlayMist,
        GUNFIRE_STEP: Shoot,
        SOUL_STEP: PlaySoul,
    }[fight.step]
    if not isinstance(choice, expected):
        raise IllegalChoice(decisions(state)[0].prompt, "5.4")
    if isinstance(choice, UntrainedAttack):
        figure = figure_of(state, choice.figure, 1, "R22")
        if figure not in _attackers(state, fight):
            raise IllegalChoice(f"{choice.figure} has nobody to attack, or has attacked", "R22")
        one = figure_of(state, choice.target, 0, "R22")
        if one not in strikes.untrained_targets(state, fight, figure):
            raise IllegalChoice(f"{choice.target} is out of reach", "R1")
    elif isinstance(choice, Shoot):
        gun = figure_of(state, choice.figure, 1, "R23")
        if not state.game.roster.is_gun[gun] or gun not in fight.members:
            raise IllegalChoice(f"{choice.figure} has no gun in this combat", "R23")
        if state.fired[gun]:
            raise IllegalChoice(f"{choice.figure} has fired this turn", "R23")
        if figure_of(state, choice.target, 0, "R23") not in strikes.gun_targets(state, fight, gun):
            raise IllegalChoice(f"{choice.target} is out of range or sight", "5.1")
    elif isinstance(choice, PlayMist):
        if figure_of(state, choice.figure, 0, "R22") not in _misted(fight):
            raise IllegalChoice(f"{choice.figure} needs no Body of Mist now, or has none in hand", "R22")
    elif isinstance(choice, PlaySoul) and figure_of(state, choice.figure, 0, "R23") not in _dodgers(
        state, fight
    ):
        raise IllegalChoice(f"{choice.figure} has no shot to dodge, or no Monkey Soul in hand", "R23")


def apply(state: State, side: int, choice: Choice, tell: list[Telling]) -> None:
    """Carry out a checked choice."""
    fight = state.current_fight()
    index = state.game.roster.index
    if isinstance(choice, UntrainedAttack):
        fight.untrained += ((index[choice.figure], index[choice.target]),)
        tell.append(tell_all(events.UntrainedDeclared("R22", choice.figure, choice.target)))
    elif isinstance(choice, PlayMist):
        one = index[choice.figure]
        fight.hands[one * HAND + MIST] -= 1
        fight.shown += (one,)
        tell.append(tell_all(events.MistShown("R22", choice.figure)))
        injury.announce_empty_hand(state, fight, 0, tell)
    elif isinstance(choice, Shoot):
        state.fired[index[choice.figure]] = 1
        fight.shots += ((index[choice.figure], index[choice.target]),)
        tell.append(tell_all(events.ShotDeclared("R23", choice.figure, choice.target)))
    elif isinstance(choice, PlaySoul):
        _dodge(state, fight, index[choice.figure], tell)
    elif fight.step == UNTRAINED_STEP:
        fight.step = MIST_STEP
    elif fight.step == MIST_STEP:
        _queue_untrained(fight)
    elif fight.step == GUNFIRE_STEP:
        fight.step = SOUL_STEP
    else:
        _queue_shots(fight)


def _dodge(state: State, fight: Fight, one: int, tell: list[Telling]) -> None:
    number = next(
        number
        for number, (_, target) in enumerate(fight.shots)
        if target == one and number not in fight.dodged
    )
    fight.hands[one * HAND + SOUL] -= 1
    fight.dodged += (number,)
    name = state.game.roster.name
    tell.append(tell_all(events.SoulShown("R23", name[one], name[fight.shots[number][0]])))
    injury.announce_empty_hand(state, fight, 0, tell)


def _queue_untrained(fight: Fight) -> None:
    """Line up one roll for each Terminator attacked: (target, number of attackers)."""
    attacked = [target for _, target in fight.untrained if target not in fight.shown]
    fight.queue = tuple((one, attacked.count(one)) for one in sorted(set(attacked)))
    fight.step = UNTRAINED_ROLL


def _queue_shots(fight: Fight) -> None:
    """Line up the shots that nobody dodged."""
    fight.queue = tuple(shot for number, shot in enumerate(fight.shots) if number not in fight.dodged)
    fight.step = GUNFIRE_ROLL


def proceed(state: State, fight: Fight, tell: list[Telling]) -> bool:
    """Go on without a decision as far as the rules allow; return whether a player must decide."""
    if fight.step == UNTRAINED_STEP:
        if _attackers(state, fight):
            return True
        fight.step = MIST_STEP
    elif fight.step == MIST_STEP:
        # Asked whenever a hand is left, since what is in it is secret (R16).
        if fight.untrained and not fight.empty[0]:
            return True
        _queue_untrained(fight)
    elif fight.step == UNTRAINED_ROLL:
        if fight.queue:
            _roll_untrained(state, fight, tell)
        else:
            fight.step = GUNFIRE_STEP
    elif fight.step == GUNFIRE_STEP:
        if _guns(state, fight):
            return True
        fight.step = SOUL_STEP
    elif fight.step == SOUL_STEP:
        if fight.shots and not fight.empty[0]:
            return True
        _queue_shots(fight)
    elif fight.queue:
        _roll_shot(state, fight, tell)
    else:
        _end(state, fight, tell)
    return False


def _roll_untrained(state: State, fight: Fight, tell: list[Telling]) -> None:
    (one, number), fight.queue = fight.queue[0], fight.queue[1:]
    name = state.game.roster.name
    attackers = tuple(name[figure] for figure, target in fight.untrained if target == one)
    die = state.dice.roll()
    is_hit = die <= number
    tell.append(tell_all(events.UntrainedRolled("R22", name[one], attackers, min(number, 6), die, is_hit)))
    if is_hit:
        injury.hit(state, fight, one, tell)


def _roll_shot(state: State, fight: Fight, tell: list[Telling]) -> None:
    (gun, one), fight.queue = fight.queue[0], fight.queue[1:]
    name = state.game.roster.name
    if state.where[one] < 0:
        tell.append(tell_all(events.AttackVoid("R23", name[gun], "gun", f"{name[one]} is dead already")))
        return
    needs = state.game.scenario.hits.gun
    die = state.dice.roll()
    is_hit = die <= needs
    tell.append(tell_all(events.ShotRolled("R20", name[gun], name[one], needs, die, is_hit)))
    if is_hit:
        injury.hit(state, fight, one, tell)


def _end(state: State, fight: Fight, tell: list[Telling]) -> None:
    state.fought |= frozenset(fight.members)
    state.fight = None
    tell.append(tell_all(events.CombatEnded("5.4", fight.combat)))
