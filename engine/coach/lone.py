"""Advice that needs no game of hidden hands: single rolls, injuries, and figures without a warrior for a foe.

Every chance is read from the numbers of the scenario (2.6); what a hit is worth is `gain`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from engine.coach import words
from engine.coach.beliefs import hands
from engine.coach.duel import DEATH, FALL, LEVEL, LIMITS, NO_HAND, NOTHING, Duel, Hand, Tally, balance, take
from engine.coach.options import Advice, Option
from engine.coach.situation import GUN_KINDS, UNTRAINED_KINDS, Situation
from engine.core.decision import Choice
from engine.core.dice import FACES
from engine.core.numbers import percent
from engine.raid import choices, tables
from engine.raid.figures import ABILITIES, ATTACKS, COUNTERS, FIST, HEART, KICK, KINDS, SPIKES, WEAPON

# What striking others is worth, a warrior's level counting 1.
OTHERS: Final = {"clonemaster": 5.0, "armed_technician": 1.0, "lc": 1.0, "technician": 0.5, "servant": 0.5}
EQUIPMENT, DOOR = 3.0, 1.0
MOST_TARGETS: Final = 6  # looked at for one figure, the most worth striking first
WORTHS: Final = (
    f"Besides levels, killing one who lies unconscious counts {DEATH:.0f}, {OTHERS['clonemaster']:.0f} the "
    f"CloneMaster, {EQUIPMENT:.0f} equipment, 1 a door or a gun, one half anybody else."
)


def gain(now: Situation, name: str) -> float:
    """Return what one hit on a figure is worth, by what everybody knows of it (5.5, 5.62, R28)."""
    figure = now.figure(name)
    if figure.kind not in ("terminator", "jelly"):
        return OTHERS[figure.kind]
    if not figure.is_conscious:
        return DEATH
    if now.levels(name) > 1:
        return LEVEL
    heart = (figure.original or {}).get(ABILITIES[HEART], 1)
    return LEVEL + FALL + (0.0 if heart else DEATH)


def chance_against(now: Situation, attacker: str, counter: int, target: str, reply: int | None) -> float:
    """Return the chance that a counter hits a target that makes this reply itself, None for none (2.6)."""
    struck = now.figure(target)
    column = tables.column(KINDS.index(struck.kind), struck.is_conscious, reply)
    is_spikes = now.figure(attacker).weapon == SPIKES
    return now.view.hits.needed(counter, column, is_spikes) / FACES


def mean_chance(now: Situation, attacker: str, counter: int, target: str) -> float:
    """Return the chance to hit over every reply that the target may make, each as likely.

    Where another of its side may reply instead, that is one more.
    """
    held = now.still_held(target) if now.is_fighter(target) else (NO_HAND,)
    side = now.figure(target).side
    others = any(
        other != target and now.figure(other).side == side and now.is_fighter(other)
        for other in now.fight.figures
    )
    chances = []
    for hand in held:
        replies: list[int | None] = [reply for reply, number in enumerate(hand) if number]
        if others or not replies:
            replies.append(None)
        found = [chance_against(now, attacker, counter, target, reply) for reply in replies]
        chances.append(sum(found) / len(found))
    return sum(chances) / len(chances)


# Choosing counters where no foe has any


class Target(NamedTuple):
    """Something to strike: the chance by attack counter, what it is worth, what it does if it lives."""

    chances: tuple[float, ...]
    worth: float
    is_untrained: bool
    is_gun: bool


def choose(now: Situation, name: str, offered: Mapping[Hand, Choice]) -> Advice:
    """Return advice on a hand where nobody can reply: attacks on whoever is there, defences for later."""
    targets = _targets(now, name)
    tallies = {hand: _alone(now, name, hand, targets) for hand in offered}
    worth = {hand: gained + _sign(now) * balance(tally) for hand, (gained, tally) in tallies.items()}
    top = max(worth, key=lambda hand: (round(worth[hand], 9), -sum(hand)))
    options = tuple(
        Option.of(
            choice,
            tallies[hand][1],
            now.side,
            worth=worth[hand],
            share=float(hand == top),
            note=f"strikes are worth {tallies[hand][0]:.1f}",
        )
        for hand, choice in offered.items()
    )
    best = next(one for one in options if one.share)
    picked = words.choice_name(now, best)
    others = sum(now.figure(one).kind in ("terminator", "jelly") for one in now.fight.figures)
    said = [words.BALANCE, WORTHS, "Untrained attackers and guns that live all attack him."]
    if others > 1:
        said.append("Approximate: figures are looked at one by one.")
    strikes = f"; its strikes are worth {tallies[top][0]:.1f}" if targets else ""
    return Advice(
        figure=name,
        foe="",
        options=options,
        best=best.choice,
        value=worth[top],
        reason=f"Take {picked}: no foe can reply. {name} loses {best.lost:.1f} levels on average{strikes}.",
        assumptions=tuple(said),
        is_exact=others == 1 and len(targets) < MOST_TARGETS,
    )


def _sign(now: Situation) -> int:
    return 1 if now.side == 0 else -1


def _targets(now: Situation, name: str) -> tuple[Target, ...]:
    found = []
    for other in now.linked(name):
        figure = now.figure(other)
        is_untrained, is_gun = figure.kind in UNTRAINED_KINDS, figure.kind in GUN_KINDS
        in_hand_reach = now.in_hand_reach(name, other)
        is_spikes = now.figure(name).weapon == SPIKES
        chances = tuple(
            chance_against(now, name, counter, other, None)
            if in_hand_reach or (counter == WEAPON and is_spikes and now.in_missile_reach(name, other))
            else 0.0
            for counter in ATTACKS
        )
        found.append(Target(chances, gain(now, other), is_untrained, is_gun and not figure.has_fired))
    if now.side == 0:
        for thing in now.things_near(name):
            is_door = thing.startswith("door")
            chance = now.view.hits.door / FACES if is_door else 1.0
            found.append(
                Target(
                    (chance, chance, 0.0), DOOR if is_door else EQUIPMENT, is_untrained=False, is_gun=False
                )
            )
    found.sort(key=lambda one: -max(one.chances) * one.worth)
    return tuple(found[:MOST_TARGETS])


def _alone(now: Situation, name: str, hand: Hand, targets: Sequence[Target]) -> tuple[float, Tally]:
    """Return what a hand's attacks are worth when played in the best order, and what befalls its owner."""
    levels = now.levels(name)

    @cache
    def best(left: Hand, alive: int) -> tuple[float, Tally]:
        end = NOTHING
        if now.side == 0:
            there = [target for at, target in enumerate(targets) if alive >> at & 1]
            duel = Duel(
                now.view.hits,
                (levels, 0),
                untrained=sum(target.is_untrained for target in there),
                shots=sum(target.is_gun for target in there),
            )
            mist, soul = left[COUNTERS.index("mist")], left[COUNTERS.index("soul")]
            end = duel.aftermath(levels, mist, soul)
        found, rating = (0.0, end), _sign(now) * balance(end)
        for counter in (FIST, KICK, WEAPON):
            if not left[counter]:
                continue
            rest = take(left, counter)
            for at, target in enumerate(targets):
                chance = target.chances[ATTACKS.index(counter)]
                if not chance or not alive >> at & 1:
                    continue
                hit, missed = best(rest, alive & ~(1 << at)), best(rest, alive)
                worth = chance * (target.worth + hit[0]) + (1 - chance) * missed[0]
                tally = NOTHING.plus(hit[1], chance).plus(missed[1], 1 - chance)
                new = worth + _sign(now) * balance(tally)
                if new > rating + 1e-12:
                    found, rating = (worth, tally), new
        return found

    return best(hand, (1 << len(targets)) - 1)


# One exchange of a larger combat


def exchange(now: Situation) -> Advice:
    """Return advice on the counter to play where more than two fight: only the coming exchange is weighed."""
    attack = now.fight.open_attack
    options = []
    for choice in now.decision.options:
        worth, chance, notes = 0.0, None, []
        if isinstance(choice, choices.PlayCounter):
            counter = COUNTERS.index(choice.counter)
            if attack is not None:
                reply = counter if choice.figure == attack.target else None
                chance = chance_against(
                    now, attack.figure, COUNTERS.index(attack.counter), attack.target, reply
                )
                worth -= chance * gain(now, attack.target)
                notes.append(f"{attack.figure} hits with {percent(chance)}")
            if counter in ATTACKS:
                own, target = _best_strike(now, choice.figure, counter)
                if target:
                    worth += own * gain(now, target)
                    notes.append(f"his own attack hits {target} with {percent(own)}")
                    chance = own if chance is None else chance
        options.append(Option(choice, 0.0, worth, chance=chance, note="; ".join(notes)))
    return _plain(
        now,
        options,
        why="It is the best of this exchange alone",
        said=(
            "Approximate: only the coming exchange is weighed, not what is kept for later.",
            "Every reply that a target may make counts as equally likely.",
            words.BALANCE,
        ),
        is_exact=False,
    )


def _best_strike(now: Situation, name: str, counter: int) -> tuple[float, str]:
    """Return the best target of an attack counter and the mean chance to hit it."""
    is_throw = counter == WEAPON and now.figure(name).weapon == SPIKES
    reach: Callable[[str, str], bool] = now.in_missile_reach if is_throw else now.in_hand_reach
    found = [
        (mean_chance(now, name, counter, other), other) for other in now.linked(name) if reach(name, other)
    ]
    return max(found, key=lambda one: one[0] * gain(now, one[1]), default=(0.0, ""))


# Single decisions


def advise(now: Situation) -> tuple[Advice, ...]:
    """Return advice on naming a target, an injury, untrained attacks, shots and what turns them aside."""
    by_kind: Mapping[str, Callable[[Situation], Advice]] = {
        "name-target": _name_target,
        "lose-ability": _lose,
        "untrained": _declare,
        "gunfire": _declare,
        "show-mist": _show,
        "show-soul": _show,
    }
    return (by_kind[now.decision.kind](now),)


def _plain(
    now: Situation, options: Sequence[Option], *, why: str, said: tuple[str, ...], is_exact: bool = True
) -> Advice:
    """Return advice that takes the option of most worth, the first of equals."""
    top = max(options, key=lambda one: one.worth)
    marked = tuple(
        Option(one.choice, float(one is top), one.worth, chance=one.chance, note=one.note) for one in options
    )
    best = next(one for one in marked if one.share)
    name = words.choice_name(now, best)
    note = f" – {best.note}" if best.note else ""
    return Advice(
        figure="",
        foe="",
        options=marked,
        best=best.choice,
        value=None,
        reason=f"{name}{note}. {why}." if len(options) > 1 else f"{name}: there is nothing else to do.",
        assumptions=said,
        is_exact=is_exact,
    )


def _name_target(now: Situation) -> Advice:
    assert now.fight.unnamed is not None
    attacker, word = now.fight.unnamed
    counter = COUNTERS.index(word)
    options = []
    for choice in now.decision.options:
        assert isinstance(choice, choices.NameTarget)
        if choice.target in now.known:
            chance = mean_chance(now, attacker, counter, choice.target)
            worth = chance * gain(now, choice.target)
        else:
            is_door = choice.target.startswith("door")
            chance = now.view.hits.door / FACES if is_door else 1.0
            worth = chance * (DOOR if is_door else EQUIPMENT)
        options.append(Option(choice, 0.0, worth, chance=chance, note=f"hits with {percent(chance)}"))
    return _plain(
        now,
        options,
        why="Chance and what a hit is worth together are greatest there",
        said=("Every reply that a target may make counts as equally likely.", words.BALANCE, WORTHS),
        is_exact=not any(
            isinstance(one.choice, choices.NameTarget)
            and one.choice.target in now.known
            and now.is_fighter(one.choice.target)
            for one in options
        ),
    )


def _lose(now: Situation) -> Advice:
    options = []
    offered = [one for one in now.decision.options if isinstance(one, choices.LoseAbility)]
    for choice in offered:
        # Who only peeks at his hand is shown what can be lost, but not how much of it there is.
        levels = dict(now.figure(choice.figure).levels or dict.fromkeys((one.ability for one in offered), 1))
        levels[choice.ability] = levels.get(choice.ability, 0) - 1
        limit = LIMITS[now.side]
        counters = tuple(max(levels.get(word, 0), 0) for word in COUNTERS)
        left = hands(counters, limit)
        picks = sum(sum(hand) == min(limit, sum(counters)) for hand in left)
        # 5.6: only Mountain Heart comes back, and no hand is the poorer for it.
        worth = float(sum(hand != NO_HAND for hand in left))
        if choice.ability == "heart":
            note = "it alone can come back, and no counter is lost"
        else:
            note = f"{picks} full hand{'s' if picks != 1 else ''} left to pick from"
        options.append(Option(choice, 0.0, worth, note=note))
    return _plain(
        now,
        options,
        why="It leaves the most hands to pick from later",
        said=("Counts the hands left to pick from; Mountain Heart first, since it recovers (5.6).",),
    )


def _declare(now: Situation) -> Advice:
    declared = [target for _, target in now.fight.untrained]
    options = []
    for choice in now.decision.options:
        worth, chance, note = 0.0, None, ""
        if isinstance(choice, choices.UntrainedAttack):
            number = declared.count(choice.target) + 1
            chance = min(number, FACES) / FACES
            worth = (chance - min(number - 1, FACES) / FACES) * gain(now, choice.target)
            note = f"{number} on {choice.target} hit with {percent(chance)}"
        elif isinstance(choice, choices.Shoot):
            chance = now.view.hits.gun / FACES
            worth = chance * gain(now, choice.target)
            note = f"hits with {percent(chance)}"
        options.append(Option(choice, 0.0, worth, chance=chance, note=note))
    shield = "Body of Mist" if now.decision.kind == "untrained" else "Monkey Soul"
    return _plain(
        now,
        options,
        why="An attack costs nothing, and a hit there is worth most",
        said=(f"The Terminator may still hold {shield}, which turns attacks aside.", words.BALANCE),
    )


def _show(now: Situation) -> Advice:
    options = []
    for choice in now.decision.options:
        worth, chance, note = 0.0, None, ""
        if isinstance(choice, choices.PlayMist):
            number = sum(target == choice.figure for _, target in now.fight.untrained)
            chance = min(number, FACES) / FACES
            worth = chance * gain(now, choice.figure)
            note = f"{number} untrained would hit with {percent(chance)}"
        elif isinstance(choice, choices.PlaySoul):
            chance = now.view.hits.gun / FACES
            worth = chance * gain(now, choice.figure)
            note = f"the shot would hit with {percent(chance)}"
        options.append(Option(choice, 0.0, worth, chance=chance, note=note))
    return _plain(
        now,
        options,
        why="The counter has no other use in this combat",
        said=("Counters do not outlast the combat (5.4).",),
    )
