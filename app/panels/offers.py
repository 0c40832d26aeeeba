"""What the fight panel's buttons say of a combat's choices: the words, the odds, the counters' pictures."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QWidget

from app import theme
from app.panels import odds
from app.panels.widgets import ability_pixmap, figure_pixmap, icon_size
from app.wording import choice_words
from engine.core.decision import Choice, Decision
from engine.raid import choices, log
from engine.raid.figures import TERMINATOR
from engine.raid.view import View

DONE: Final = {
    "untrained": "No more untrained attacks",
    "gunfire": "No more shots",
    "show-mist": "Show no Body of Mist",
    "show-soul": "Show no more Monkey Soul",
}
"""What ends each of the decisions that are answered several times."""


class Offer(NamedTuple):
    """A choice as a button shows it; `is_main` marks the usual one."""

    text: str
    detail: str
    pixmaps: tuple[QPixmap, ...] = ()
    is_main: bool = False


def offer(choice: Choice, view: View, asked: Decision, widget: QWidget) -> Offer:
    """Return what a button of this widget is to show of a choice."""
    text, detail = choice_words(choice, view)
    match choice:
        case choices.Fight():
            return _fight(choice, view, asked, widget)
        case choices.ReleaseCloneMaster():
            return Offer("Release the CloneMaster first", "he turns face up and may move 4 squares (4.21)")
        case choices.Throw(spikes=True):
            detail = f"you play first, with spikes; each {_hits(view.hits.spikes)} whatever the reply"
            return Offer(text, detail, (), True)
        case choices.Throw():
            return Offer(text, "the Terminator player then says who begins")
        case choices.Begin():
            is_own = choice.side == asked.side
            detail = "lead with an attack, or see a defence wasted"
            return Offer(text, detail if is_own else "see the other's first counter first")
        case choices.PlayCounter():
            return _play(choice, text, view, widget)
        case choices.NameTarget():
            return _target(choice, view, widget)
        case choices.LoseAbility():
            return _injury(choice, view, asked, widget)
        case choices.UntrainedAttack():
            before = view.fight.untrained if view.fight is not None else ()
            number = 1 + sum(target == choice.target for _, target in before)
            detail = f"{number} on {choice.target}: {_hits(odds.untrained_needs(number))}"
            return Offer(text, detail, _face(choice.figure, view, widget))
        case choices.Shoot():
            return Offer(text, _hits(view.hits.gun), _face(choice.figure, view, widget))
        case choices.PlayMist():
            return Offer(text, detail, _shown(choice.figure, "mist", view, widget), True)
        case choices.PlaySoul():
            return Offer(text, detail, _shown(choice.figure, "soul", view, widget), True)
        case choices.Done():
            return Offer(DONE.get(asked.kind, text), "", (), len(asked.options) == 1)
    return Offer(text, detail)


def _chance(needs: int) -> str:
    return f"{odds.format_needs(needs)} ({odds.format_chance(needs)})"


def _hits(needs: int) -> str:
    return f"hits on {_chance(needs)}" if 0 < needs < odds.AUTOMATIC else odds.format_needs(needs)


def _face(name: str, view: View, widget: QWidget) -> tuple[QPixmap, ...]:
    """Return the counter of a figure that the viewer knows."""
    return tuple(figure_pixmap(one, widget) for one in view.figures if one.name == name)


def _shown(name: str, ability: str, view: View, widget: QWidget) -> tuple[QPixmap, ...]:
    symbol = ability_pixmap(ability, widget, color=theme.colors().accent_text)
    return (*_face(name, view, widget), symbol)


def _fight(choice: choices.Fight, view: View, asked: Decision, widget: QWidget) -> Offer:
    members = view.combats[choice.combat]
    known = {one.name: one for one in view.figures}
    foes = [name for name in members if name in known and known[name].side != TERMINATOR]
    mine = [name for name in members if name not in foes]
    detail = f"against {', '.join(foes)}" if foes else "against a door or equipment"
    shown = tuple(figure_pixmap(known[name], widget, icon_size() * 3 // 4) for name in mine if name in known)
    return Offer(", ".join(mine), detail, shown, len(asked.options) == 1)


def _play(choice: choices.PlayCounter, text: str, view: View, widget: QWidget) -> Offer:
    figure = view.figure(choice.figure)
    parts = []
    after = odds.reply_odds(view, choice.figure, choice.counter)
    if after is not None and view.fight is not None and view.fight.open_attack is not None:
        chance = f" ({odds.format_chance(after.needs)})" if after.needs else ""
        attacker = view.fight.open_attack.figure
        parts.append(f"then {attacker} needs {odds.format_needs(after.needs)}{chance}")
    if odds.is_attack(choice.counter):
        parts.append("its target is named next" if after is None else "its own target comes after")
    elif after is None:
        parts.append("no attack to meet: it would be wasted")
    symbol = ability_pixmap(choice.counter, widget, weapon=figure.weapon)
    return Offer(text, "; ".join(parts), (figure_pixmap(figure, widget), symbol))


def _target(choice: choices.NameTarget, view: View, widget: QWidget) -> Offer:
    target = next((one for one in view.figures if one.name == choice.target), None)
    if target is None:
        named = log.target(choice.target)
        needs = odds.thing_odds(view.hits, choice.target).needs
        detail = f"needs {_chance(needs)}" if needs < odds.AUTOMATIC else "destroyed, no die needed"
        return Offer(f"{named[:1].upper()}{named[1:]}", detail)
    detail = ""
    if view.fight is not None and view.fight.unnamed is not None:
        figure, counter = view.fight.unnamed
        detail = odds.spoken(odds.odds(counter, view.figure(figure), target, view), target)
    return Offer(choice.target, detail, (figure_pixmap(target, widget),))


def _injury(choice: choices.LoseAbility, view: View, asked: Decision, widget: QWidget) -> Offer:
    offered = [one.ability for one in asked.options if isinstance(one, choices.LoseAbility)]
    figure = view.figure(choice.figure)
    levels = figure.levels or {}
    is_best = odds.best_to_lose({word: levels.get(word, 1) for word in offered}) == choice.ability
    parts = []
    if levels:
        number = levels[choice.ability]
        parts.append(f"{number} level{'s' if number != 1 else ''} now")
    if choice.ability == "heart":
        parts.append("suggested: only this one can come back (5.6)")
    elif is_best:
        parts.append("suggested: there is most of it")
    color = theme.colors().accent_text if is_best else None
    symbol = ability_pixmap(choice.ability, widget, weapon=figure.weapon, color=color)
    name = odds.counter_name(choice.ability, figure)
    return Offer(name, "; ".join(parts), (symbol,), is_best)
