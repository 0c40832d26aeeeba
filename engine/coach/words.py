"""The coach's sentences: what to take, why, and what the numbers take for granted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.coach.options import Option
from engine.coach.situation import Situation
from engine.core.decision import Choice
from engine.core.numbers import percent, signed
from engine.raid import choices
from engine.raid.figures import COUNTERS, SIDES, counter_name
from engine.raid.log import target
from engine.raid.view import FigureView

SHARE = 0.995  # a choice with more of the mix than this is the mix


def hand_name(counters: Sequence[str], figure: FigureView) -> str:
    """Return a hand in words: "2 Lightning Foot, 1 Monkey Soul"."""
    parts = [
        f"{counters.count(word)} {counter_name(word, figure.weapon)}" for word in COUNTERS if word in counters
    ]
    return ", ".join(parts) if parts else "nothing"


def expected(one: Option, own: str, foe: str) -> str:
    """Return what a choice is expected to bring, in words."""
    said = f"{own} loses {one.lost:.1f} levels and {foe} {one.taken:.1f} on average"
    extra = [
        f"{name} {verb} in {percent(chance)} of all cases"
        for name, verb, chance in (
            (foe, "dies", one.foe_death),
            (foe, "falls", one.foe_fall if one.foe_fall > one.foe_death + 0.005 else 0.0),
            (own, "dies", one.own_death),
            (own, "falls", one.own_fall if one.own_fall > one.own_death + 0.005 else 0.0),
        )
        if chance >= 0.005
    ]
    return "; ".join((said, *extra))


def why_counters(
    now: Situation,
    name: str,
    foes: Sequence[str],
    options: Sequence[Option],
    best: Option,
    value: float,
) -> str:
    """Return why a hand is recommended."""
    figure = now.figure(name)
    assert isinstance(best.choice, choices.ChooseCounters)
    picked = hand_name(best.choice.counters, figure)
    foe = foes[0] if len(foes) == 1 else "the foe"
    outlook = expected(best, name, foe)
    if len(foes) > 1:
        lead = f"Take {picked}" if best.share > SHARE else f"Mix your picks, {picked} most often"
        among = " or ".join(foes)
        return (
            f"{lead}: that brings {signed(value)} on average, whether {among} fights back. Expect: {outlook}."
        )
    if best.share > SHARE:
        equals = sum(abs(one.worth - best.worth) < 0.005 for one in options) - 1
        also = f" {equals} other pick{'s' if equals > 1 else ''} may do as well." if equals else ""
        return (
            f"Take {picked}: whatever {foe} does it brings {signed(value)} or more on average, and no other "
            f"pick is sure of more. Expect: {outlook}.{also}"
        )
    return (
        f"Mix your picks: whoever always takes the same can be read. Taken in these shares they bring "
        f"{signed(value)} whatever {foe} does; {picked} is the commonest. Expect of it: {outlook}."
    )


def why_move(now: Situation, options: Sequence[Option], best: Option) -> str:
    """Return why a way to begin or a counter to play is recommended."""
    others = [one for one in options if one is not best]
    name = choice_name(now, best)
    if not others:
        return f"{name}: there is nothing else to do."
    if 0 < best.share < SHARE:
        return f"No one play is best against every hand: {name} most often, the others in the shares shown."
    second = max(others, key=lambda one: one.worth)
    gap = best.worth - second.worth
    if gap < 0.05:
        return f"{name}: it brings {signed(best.worth)} on average; “{choice_name(now, second)}” is as good."
    return (
        f"{name}: it brings {signed(best.worth)} on average, {gap:.1f} more than "
        f"“{choice_name(now, second)}”."
    )


def choice_name(now: Situation, option: Option) -> str:
    """Return a choice of the combat in words."""
    return choice_words(option.choice, now.known, SIDES[now.side])


def choice_words(choice: Choice, known: Mapping[str, FigureView], side: str) -> str:
    """Return a choice of a side's in words; `known` are the figures by name."""
    match choice:
        case choices.Begin():
            return "Begin yourself" if choice.side == side else "Let the other side begin"
        case choices.Throw():
            return "Throw" if choice.spikes else "Do not throw"
        case choices.PlayCounter():
            return f"{choice.figure}'s {counter_name(choice.counter, known[choice.figure].weapon)}"
        case choices.Discard():
            return f"Put {choice.figure}'s {counter_name(choice.counter, known[choice.figure].weapon)} aside"
        case choices.ChooseCounters():
            return hand_name(choice.counters, known[choice.figure])
        case choices.NameTarget():
            return f"Strike {target(choice.target)}"
        case choices.LoseAbility():
            return f"Lose {counter_name(choice.ability, known[choice.figure].weapon)}"
        case choices.UntrainedAttack() | choices.Shoot():
            return f"{choice.figure} at {choice.target}"
        case choices.PlayMist():
            return f"Show {choice.figure}'s Body of Mist"
        case choices.PlaySoul():
            return f"Show {choice.figure}'s Monkey Soul"
        case choices.Stop():
            return "Stop"
        case _:
            return "Be done"


BALANCE = (
    "The balance counts 1 for each level the foe loses and −1 for each of one's own, a fall 2 and a death 2 "
    "on top."
)


def assumptions(
    now: Situation, pairs: Sequence[tuple[str, str]], foes: int, *, is_choosing: bool
) -> tuple[str, ...]:
    """Return what the numbers of duels take for granted; a pair is Terminator and Jelly.

    `foes` counts those among whom the pair was picked.
    """
    said = []
    if foes > 1 or len(pairs) > 1 or len(now.pairs()) > 1:
        more = (
            ", and where there are several foes within reach as if any one of them might fight back"
            if is_choosing
            else f"; the numbers are the means of {len(pairs)} duels"
        )
        said.append(f"Approximate: figures are looked at one by one{more}.")
    said.append(BALANCE)
    for name in dict.fromkeys(pair[1 - now.side] for pair in pairs):
        foe = now.figure(name)
        if foe.levels is None:
            counted = (
                f"{name} has lost {foe.lost} of the printed levels, nobody knows which"
                if foe.original is not None
                else f"{name}'s levels are secret: {now.levels(name)} in all"
            )
            said.append(f"{counted}; every set of levels that fits counts as equally likely.")
    if is_choosing:
        said.append("The foe is taken to know what you may pick from, but not what you pick.")
    else:
        said.append(
            "Every hand the foe may still hold counts as equally likely, and he plays it as if he knew yours."
        )
    for name in dict.fromkeys(pair[0] for pair in pairs):
        threats = zip(now.threats(name), ("untrained attacker", "gun"), strict=True)
        near = [f"{number} {word}{'s' if number > 1 else ''}" for number, word in threats if number]
        if near:
            said.append(
                f"{' and '.join(near)} near {name}: taken to attack him once the counters are played."
            )
        if now.things_near(name):
            said.append(f"{name} strikes at no door or equipment.")
    return tuple(said)
