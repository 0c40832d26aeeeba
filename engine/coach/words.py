"""The coach's sentences: what to take, why, and what the numbers take for granted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.coach.options import Option
from engine.coach.situation import Situation
from engine.core.decision import Choice
from engine.raid import choices
from engine.raid.figures import ABILITY_NAMES, COUNTERS, SIDES
from engine.raid.view import FigureView

SHARE = 0.995  # a choice with more of the mix than this is the mix


def counter_name(word: str, figure: FigureView) -> str:
    """Return a counter's name, a weapon's by its own."""
    return figure.weapon.title() if word == "weapon" and figure.weapon else ABILITY_NAMES[word]


def hand_name(counters: Sequence[str], figure: FigureView) -> str:
    """Return a hand in words: "2 Lightning Foot, 1 Monkey Soul"."""
    parts = [f"{counters.count(word)} {counter_name(word, figure)}" for word in COUNTERS if word in counters]
    return ", ".join(parts) if parts else "nothing"


def percent(chance: float) -> str:
    """Return a chance in whole per cent."""
    return f"{round(100 * chance)} %"


def signed(number: float) -> str:
    """Return a balance with its sign and one decimal."""
    rounded = round(number, 1)
    return f"{rounded:+.1f}".replace("-", "−") if rounded else "0.0"


def expected(one: Option, own: str, foe: str) -> str:
    """Return what a choice is expected to bring, in words."""
    said = f"{own} loses {one.lost:.1f} levels and {foe} {one.taken:.1f} on average"
    extra = [
        f"{name} {verb} with {percent(chance)}"
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
    now: Situation, name: str, foe: str, options: Sequence[Option], best: Option, value: float
) -> str:
    """Return why a hand is recommended."""
    figure = now.figure(name)
    assert isinstance(best.choice, choices.ChooseCounters)
    picked = hand_name(best.choice.counters, figure)
    outlook = expected(best, name, foe)
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
        return f"{name} is all there is to do."
    if 0 < best.share < SHARE:
        return f"No one play is best against every hand: {name} most often, the others in the shares shown."
    second = max(others, key=lambda one: one.worth)
    gap = best.worth - second.worth
    if gap < 0.05:
        return f"{name} brings {signed(best.worth)}; {choice_name(now, second)} is as good."
    return f"{name} brings {signed(best.worth)}, {gap:.1f} more than {choice_name(now, second)}."


def choice_name(now: Situation, option: Option) -> str:
    """Return a choice of the combat in words."""
    return choice_words(option.choice, now.known, SIDES[now.side])


def choice_words(choice: Choice, known: Mapping[str, FigureView], side: str) -> str:
    """Return a choice of a side's in words; `known` are the figures by name."""
    match choice:
        case choices.Begin():
            return "To begin" if choice.side == side else "To let the other side begin"
        case choices.Throw():
            return "To throw" if choice.spikes else "Not to throw"
        case choices.PlayCounter():
            return f"{choice.figure}'s {counter_name(choice.counter, known[choice.figure])}"
        case choices.Discard():
            return f"Putting {counter_name(choice.counter, known[choice.figure])} aside"
        case choices.ChooseCounters():
            return hand_name(choice.counters, known[choice.figure])
        case choices.NameTarget():
            return f"To strike {choice.target}"
        case choices.LoseAbility():
            return f"To lose {counter_name(choice.ability, known[choice.figure])}"
        case choices.UntrainedAttack() | choices.Shoot():
            return f"{choice.figure} at {choice.target}"
        case choices.PlayMist():
            return f"To show {choice.figure}'s Body of Mist"
        case choices.PlaySoul():
            return f"To show {choice.figure}'s Monkey Soul"
        case choices.Stop():
            return "To stop"
        case _:
            return "To be done"


BALANCE = (
    "The balance counts 1 for each level the foe loses and −1 for each of one's own, a fall 2 and a death 2 "
    "on top."
)


def assumptions(now: Situation, pair: tuple[str, str], foes: int, *, is_choosing: bool) -> tuple[str, ...]:
    """Return what the numbers of a duel take for granted; `pair` is Terminator and Jelly."""
    foe = now.figure(pair[1 - now.side])
    said = [BALANCE]
    if foe.levels is None:
        counted = (
            f"{foe.name} has lost {foe.lost} of the printed levels, nobody knows which"
            if foe.original is not None
            else f"{foe.name}'s levels are secret: {now.levels(foe.name)} in all"
        )
        said.append(f"{counted}; every set of levels that fits counts as equally likely.")
    if is_choosing:
        said.append("The foe is taken to know what you may pick from, but not what you pick.")
    else:
        said.append(
            "Every hand the foe may still hold counts as equally likely, and he plays it as if he knew yours."
        )
    untrained, guns = now.threats(pair[0])
    if untrained or guns:
        near = " and ".join(
            f"{number} {word}{'s' if number > 1 else ''}"
            for number, word in ((untrained, "untrained attacker"), (guns, "gun"))
            if number
        )
        said.append(f"{near} near {pair[0]} live and attack him once the counters are played.")
    if now.things_near(pair[0]):
        said.append(f"{pair[0]} strikes at no door or equipment.")
    if foes > 1 or len(now.pairs()) > 1:
        said.append(
            "Approximate: figures are looked at one by one"
            + (", here against the most dangerous foe." if is_choosing else ".")
        )
    return tuple(said)
