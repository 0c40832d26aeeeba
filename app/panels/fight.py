"""The fight panel: one combat from the secret choice of counters to the last shot (5.4).

It shows who can strike whom, asks for every choice of a combat, gives the odds before anything is
committed, and rolls the die in sight. What a side may not show stays face down: with two at one
screen the mover's hand is seen only while he peeks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QToolTip, QVBoxLayout, QWidget

from app import theme
from app.markup import as_text, refusal_tip
from app.panels import odds
from app.panels.coach import CoachPanel
from app.panels.die import Die
from app.panels.dressed import Dressed
from app.panels.hands import HandPicker, PeekButton
from app.panels.links import LinksDiagram
from app.panels.odds_table import OddsTable
from app.panels.offers import offer
from app.panels.story import StoryLine, short_target, story
from app.panels.widgets import (
    ActionButton,
    Bar,
    Label,
    MoreSign,
    chain_tabs,
    clear_layout,
    column,
    escaped,
    key_text,
    rule_link,
)
from engine.core.decision import Choice, Decision, IllegalChoice
from engine.core.event import Event
from engine.raid import choices, events
from engine.raid.figures import COUNTERS, SIDE_NAMES, SIDES
from engine.raid.view import FightView, FigureView, View

if TYPE_CHECKING:
    from app.session import Session

KINDS: Final = choices.COMBAT_DECISIONS | {choices.FIGHT_ORDER}
"""The decisions this panel asks for."""
STEP_TITLES: Final = {
    "choose": "Choosing counters",
    "spikes": "Throwing spikes?",
    "first": "Who begins",
    "play": "Counters are played",
    "target": "Naming a target",
    "injury": "An injury",
    "untrained": "Untrained attacks",
    "mist": "Body of Mist?",
    "gunfire": "Gunfire",
    "soul": "Monkey Soul?",
}

LOW: Final = 38  # lines of text; a panel lower than this shows the choices before the diagram


class FightPanel(Dressed, QWidget):
    """The combat of the moment, for whoever must decide in it and for those who look on.

    `wanted` is emitted when a combat begins, so that the window can bring the panel forward.
    """

    wanted = Signal()
    _moved = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._key: Any = None
        self._combat = -1
        self._pickers: list[HandPicker] = []
        self._odds_target = ""
        self._keys = 0
        self._is_holding = False

        self._title = Label("", "title", is_title=True)
        self._prompt = Label("", is_rich=True)
        self._links = LinksDiagram()
        self._links.figureClicked.connect(self._figure_clicked)
        self._attack = Label("", is_bold=True)
        self._attack_odds = Label("", "small", is_soft=True)
        self._die = Die()
        self._die.stopped.connect(self._die_stopped)
        self._peek = PeekButton(session)
        self._hands = Label("", "small", is_soft=True)
        self._choices = QWidget()
        self._choices_layout = QVBoxLayout(self._choices)
        self._choices_layout.setContentsMargins(0, 0, 0, 0)
        self._choices_layout.setSpacing(theme.SPACE)
        self._why = Label("", "small", is_rich=True)
        self._why.set_tone("danger")
        self.coach = CoachPanel(session)
        self.coach.taken.connect(self._take_advice)
        self.coach.opened.connect(self._on_coach)
        self.coach.advised.connect(self._on_advised)
        self._goes_to_coach = False
        self._coach_at = (-1, -1)  # its place and the end of the bar, when last looked at
        # Behind whatever asks to be laid out.
        self._moved.connect(self._settle, Qt.ConnectionType.QueuedConnection)
        self._odds_head = Label("", "small", is_soft=True, is_rich=True)
        self._odds = OddsTable()
        self._story_head = Label("Played so far", "small", is_soft=True)
        self._story = QWidget()
        self._story_layout = QVBoxLayout(self._story)
        self._story_layout.setContentsMargins(0, 0, 0, 0)
        self._story_layout.setSpacing(theme.SPACE // 2)

        inner = QWidget()
        self._bar = Bar()
        self._order: tuple[QWidget, ...] = ()
        self._layout = column(margin=theme.SPACE)
        layout = self._layout
        self._arrange()
        layout.addStretch(1)
        inner.setLayout(layout)
        self._scroll = QScrollArea()
        self._scroll.setWidget(inner)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.verticalScrollBar().rangeChanged.connect(self._go_to_coach)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        MoreSign(self._scroll)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._scroll)
        self.setAccessibleName("Combat")

        session.changed.connect(self._refresh)
        session.happened.connect(self._happened)
        session.refused.connect(self._refused)
        self._refresh()
        self.dress()

    def _arrange(self) -> None:
        """Put the choices first where the panel is low, so that one need not scroll to them."""
        head = (self._title, self._prompt)
        picture = (self._links,)
        attack = (self._attack, self._attack_odds)
        ask = (self._hands, self._peek, self._choices, self._why, self.coach)
        tail = (self._odds_head, self._odds, self._bar, self._story_head, self._story)
        is_low = self.height() < theme.size("body") * LOW
        if is_low:
            order: tuple[QWidget, ...] = (*head, *attack, *ask, self._die, *picture, *tail)
        else:
            order = (*head, *picture, *attack, self._die, *ask, *tail)
        if order == self._order:
            return
        self._order = order
        for at, widget in enumerate(order):
            self._layout.removeWidget(widget)
            self._layout.insertWidget(at, widget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    # What others use.

    @property
    def die(self) -> Die:
        """The panel's die."""
        return self._die

    def set_animation_speed(self, speed: float) -> None:
        """Set how fast the die rolls; 0 shows results at once."""
        self._die.set_speed(speed)

    def skip(self) -> None:
        """Stop the die at once."""
        self._die.skip()

    def buttons(self) -> list[ActionButton]:
        """Return the choices offered, in order."""
        found = (self._choices_layout.itemAt(at) for at in range(self._choices_layout.count()))
        widgets = [item.widget() for item in found if item is not None]
        return [widget for widget in widgets if isinstance(widget, ActionButton)]

    @property
    def pickers(self) -> tuple[HandPicker, ...]:
        """The figures whose counters are being chosen."""
        return tuple(self._pickers)

    # Following the session.

    @Slot()
    def _refresh(self) -> None:
        view = self._session.view
        decision = self._session.decision
        if view is None:
            self._clear()
            return
        fight = view.fight
        self._peek.refresh()
        asked = decision if decision is not None and decision.kind in KINDS else None
        number = fight.combat if fight is not None else -1
        if number != self._combat:
            self._combat = number
            self._odds_target = ""
            if number >= 0:
                self._die.clear()
                self.wanted.emit()
        elif asked is not None and asked.kind == choices.FIGHT_ORDER and self._key is None:
            self.wanted.emit()
        key = (
            view.viewer,
            fight,
            view.combats,
            view.phase,
            None if asked is None else (asked.kind, asked.side, asked.revision, len(asked.options)),
            self._session.needs_peek,
        )
        if key == self._key:
            return
        is_new = self._key is None or key[4] != self._key[4]
        self._key = key
        self._say("", "")
        self._show_head(view, asked)
        self._show_attack(view)
        self._show_hands(view)
        self._show_choices(view, asked)
        self._show_odds(view)
        self._show_story(view)
        if is_new and not self._goes_to_coach:
            self._scroll.verticalScrollBar().setValue(0)  # a new question begins with what is asked

    def _dress(self) -> None:
        if self._key is not None:
            # Pictures are made for one palette and one size of text; what is picked stays picked.
            picked = {
                one.figure.name: [button.isChecked() for button in one.buttons] for one in self._pickers
            }
            self._key = None
            self._refresh()
            for one in self._pickers:
                for button, is_on in zip(one.buttons, picked.get(one.figure.name, ()), strict=False):
                    if is_on:
                        button.click()

    def _clear(self) -> None:
        """Leave no trace of what anybody knew: the curtain is about to rise for the other player."""
        self._key = None
        self._combat = -1
        self._odds_target = ""
        self._links.show_fight(None)
        self._die.clear()
        self._pickers.clear()
        clear_layout(self._choices_layout)
        clear_layout(self._story_layout)
        self._odds.show_odds((), None, None)
        for label in (
            self._title,
            self._prompt,
            self._attack,
            self._attack_odds,
            self._hands,
            self._odds_head,
        ):
            label.setText("")
        for widget in (self._peek, self._story_head, self._die):
            widget.hide()
        self._say("", "")

    def _show_head(self, view: View, asked: Decision | None) -> None:
        fight = view.fight
        if fight is not None:
            self._title.setText(STEP_TITLES.get(fight.step, "Combat"))
            if asked is not None:
                self._prompt.setText(self._asked_text(asked))
            else:
                self._prompt.setText(escaped(self._session.waiting))
        elif asked is not None:
            self._title.setText("Combats to be fought")
            self._prompt.setText(self._asked_text(asked))
        elif view.combats:
            self._title.setText("Combats to be fought")
            self._prompt.setText(escaped(self._session.waiting))
        else:
            self._title.setText("No combat now")
            self._prompt.setText(
                "Combats are fought in Combat I, after the Terminators' first move, and in Combat II, after "
                f"the CloneMaster's. Put a figure next to a foe to start one. {rule_link('5.1')}"
            )
        targets = self._legal_targets(asked)
        self._links.show_fight(view, targets, self._odds_target)
        self._die.setVisible(fight is not None or self._die.is_busy)

    def _asked_text(self, asked: Decision) -> str:
        """Return what is asked, at a shared screen with the name of who decides."""
        who = f"<b>{escaped(self._session.player(asked.side))}:</b> " if self._session.is_hot_seat else ""
        return f"{who}{escaped(asked.prompt)} {rule_link(asked.rule)}"

    def _show_attack(self, view: View) -> None:
        """Show the open attack, and what it will need by the reply."""
        fight = view.fight
        text, detail = "", ""
        if fight is not None and fight.open_attack is not None:
            attack = fight.open_attack
            attacker, target = view.figure(attack.figure), view.figure(attack.target)
            counter = odds.counter_name(attack.counter, attacker)
            text = f"{attack.figure} strikes {attack.target}: {counter}"
            found = odds.odds(attack.counter, attacker, target, view)
            detail = odds.spoken(found, target)
        elif fight is not None and fight.unnamed is not None:
            figure, counter = fight.unnamed
            text = f"{figure} strikes with {odds.counter_name(counter, view.figure(figure))}"
        for label, words in ((self._attack, text), (self._attack_odds, detail)):
            label.setText(words)
            label.setVisible(bool(words))

    def _show_hands(self, view: View) -> None:
        fight = view.fight
        is_peek = self._session.needs_peek or self._session.peeking
        self._peek.setVisible(is_peek and fight is not None)
        if fight is None:
            self._hands.hide()
            return
        said = []
        for side in SIDES:
            if side in fight.empty_hands:
                said.append(f"{SIDE_NAMES[side]}: none left")
            elif side == view.viewer and fight.step != "choose":
                left = sum(len(hand) for hand in fight.hand.values())
                said.append(f"{SIDE_NAMES[side]}: you hold {left}")
            elif fight.step != "choose":
                said.append(f"{SIDE_NAMES[side]}: face down")
        self._hands.setText(f"Hands – {' · '.join(said)}" if said else "")
        self._hands.setVisible(bool(said))

    # The choices of the moment.

    def _next_key(self) -> str:
        self._keys += 1
        return str(self._keys) if self._keys <= 9 else ""

    def _show_choices(self, view: View, asked: Decision | None) -> None:
        clear_layout(self._choices_layout)
        self._pickers.clear()
        self._keys = 0
        self._choices.setVisible(asked is not None)
        if asked is None or self._session.needs_peek:
            return
        if asked.kind == "choose-counters":
            self._ask_counters(view, asked)
            return
        for choice in asked.options:
            self._offer(choice, view, asked)
        chain_tabs(self._peek, self.buttons())

    def _offer(self, choice: Choice, view: View, asked: Decision) -> None:
        shown = offer(choice, view, asked, self)
        button = ActionButton(
            shown.text, shown.detail, self._choices, pixmaps=shown.pixmaps, is_main=shown.is_main
        )
        is_last = isinstance(choice, choices.Done | choices.Stop)
        key = "Ctrl+Return" if is_last else self._next_key()
        if key:
            button.set_key(key)
            button.setToolTip(as_text(f"Key {key_text(key)}"))
        button.setProperty("choice", choice)
        button.clicked.connect(self._chosen)
        self._choices_layout.addWidget(button)

    @Slot()
    def _chosen(self) -> None:
        button = self.sender()
        if isinstance(button, ActionButton):
            choice = button.property("choice")
            self._die.skip()
            self._session.submit(choice)

    def _ask_counters(self, view: View, asked: Decision) -> None:
        for name in asked.options.groups:
            picker = HandPicker(view.figure(name), asked.options.of(name), self._next_key, self._choices)
            picker.changed.connect(self._picks_changed)
            picker.refused.connect(self._say)
            self._pickers.append(picker)
            self._choices_layout.addWidget(picker)
        self._commit = ActionButton("Take these counters", "", self._choices, is_main=True)
        self._commit.set_key("Ctrl+Return")
        self._commit.clicked.connect(self._commit_counters)
        self._choices_layout.addWidget(self._commit)
        self._picks_changed()

    @Slot(bool)
    def _on_coach(self, is_open: bool) -> None:
        self._goes_to_coach = is_open

    @Slot()
    def _on_advised(self) -> None:
        if self._goes_to_coach:
            self._coach_at = (-1, -1)
            self._moved.emit()

    @Slot()
    def _go_to_coach(self) -> None:
        if self._goes_to_coach:
            self._scroll.verticalScrollBar().setValue(self.coach.y())

    @Slot()
    def _settle(self) -> None:
        """Stay with the coach until its place no longer changes; only for who has just asked for it."""
        self._go_to_coach()
        place = (self.coach.y(), self._scroll.verticalScrollBar().maximum())
        if place != self._coach_at:
            self._coach_at = place
            self._moved.emit()
        else:
            self._goes_to_coach = False

    @Slot(object)
    def _take_advice(self, advised: Sequence[Choice]) -> None:
        """Fill in the hands that the coach's reader took; another choice he takes is made."""
        hands = {one.figure: one for one in advised if isinstance(one, choices.ChooseCounters)}
        for picker in self._pickers:
            if picker.figure.name in hands:
                picker.pick(hands[picker.figure.name].counters)
                self._scroll.ensureWidgetVisible(self._commit)
        if not hands:
            for choice in advised:
                self._die.skip()
                self._session.submit(choice)

    @Slot()
    def _picks_changed(self) -> None:
        self._say("", "")
        refusal = self._picks_refusal()
        self._commit.bar(refusal is not None)
        free = sum(min(one.limit, len(one.buttons)) - len(one.counters) for one in self._pickers)
        if refusal is not None:
            self._commit.set_detail("why not?")
        else:
            self._commit.set_detail(f"{free} more could be taken" if free else "face down, until played")
        if self._session.view is not None:
            self._show_odds(self._session.view)

    def _picks_refusal(self) -> IllegalChoice | None:
        for picker in self._pickers:
            refusal = self._session.why(picker.choice())
            if refusal is not None:
                return refusal
        return None

    @Slot()
    def _commit_counters(self) -> None:
        refusal = self._picks_refusal()
        if refusal is not None:
            self._say(refusal.reason, refusal.rule)
            return
        self._session.submit_all([picker.choice() for picker in self._pickers])

    @staticmethod
    def _legal_targets(asked: Decision | None) -> tuple[str, ...]:
        if asked is None or asked.kind != "name-target":
            return ()
        return tuple(one.target for one in asked.options if isinstance(one, choices.NameTarget))

    # Odds.

    @Slot(str)
    def _figure_clicked(self, name: str) -> None:
        decision = self._session.decision
        if name in self._legal_targets(decision):
            self._session.submit(choices.NameTarget(name))
            return
        if decision is not None and decision.kind == "name-target":
            refusal = self._session.why(choices.NameTarget(name))
            if refusal is not None:
                self._say(refusal.reason, refusal.rule)
        self._odds_target = name
        if self._session.view is not None:
            self._links.show_fight(self._session.view, self._legal_targets(decision), name)
            self._show_odds(self._session.view)

    def _own_side(self, view: View) -> str | None:
        if view.viewer in SIDES:
            return view.viewer
        decision = self._session.decision
        return decision.side if decision is not None and decision.kind in KINDS else None

    def _show_odds(self, view: View) -> None:
        """Show the odds of the own attack counters against one foe: the one clicked, else the first."""
        fight = view.fight
        side = self._own_side(view)
        decision = self._session.decision
        is_wanted = decision is not None and decision.kind in (
            "choose-counters",
            "who-begins",
            "play-counter",
        )
        if fight is None or side is None or not is_wanted or self._session.needs_peek:
            self._odds_head.hide()
            self._odds.show_odds((), None, None)
            return
        known = {figure.name: figure for figure in view.figures}
        foes = [
            known[name]
            for name in fight.figures
            if name in known and known[name].side != side and known[name].place in ("map", "station")
        ]
        target = next((one for one in foes if one.name == self._odds_target), None) or next(
            (one for one in foes if odds.is_fighter(one)), foes[0] if foes else None
        )
        attackers = [known[name] for name in fight.figures if name in known and known[name].side == side]
        self._odds.show_odds(self._own_attacks(attackers, fight), target, view)
        self._odds_head.setVisible(bool(self._odds.rows))
        if target is not None:
            self._odds_head.setText(
                f"Your attacks on <b>{escaped(target.name)}</b> hit on … by his reply "
                f"(click another in the diagram) {rule_link('2.6')}"
            )

    @staticmethod
    def _own_attacks(attackers: Sequence[FigureView], fight: FightView) -> list[tuple[str, FigureView]]:
        """Return the attack counters at hand, each once: only weapons differ by who holds them."""
        found: dict[tuple[str, str | None], tuple[str, FigureView]] = {}
        for word in COUNTERS:
            if not odds.is_attack(word):
                continue
            for one in attackers:
                is_held = word in fight.hand.get(one.name, ())
                if fight.step == "choose" and one.levels is not None:
                    is_held = bool(one.levels.get(word, 0)) and one.is_conscious
                if is_held:
                    found.setdefault((word, one.weapon if word == "weapon" else None), (word, one))
        return list(found.values())

    # The story.

    def _show_story(self, view: View) -> None:
        rows = story(self._session.events())
        clear_layout(self._story_layout)
        self._story_head.setText("Played so far" if view.fight is not None else "The last combat")
        self._story_head.setVisible(bool(rows))
        known = {figure.name: figure for figure in view.figures}
        for number, one in enumerate(rows, 1):
            self._story_layout.addWidget(StoryLine(number, one, known.get(one.figure), self._story))

    @Slot(object)
    def _happened(self, told: Sequence[Event]) -> None:
        for event in told:
            if isinstance(event, events.AttackResolved) and event.die is not None:
                self._roll(f"{event.figure} on {short_target(event.target)}", event.needs, event.die)
            elif isinstance(event, events.DoorStruck):
                self._roll(f"{event.figure} on the armored door", event.needs, event.die)
            elif isinstance(event, events.UntrainedRolled):
                self._roll(f"{len(event.figures)} untrained on {event.target}", event.needs, event.die)
            elif isinstance(event, events.ShotRolled):
                self._roll(f"{event.figure} fires at {event.target}", event.needs, event.die)
            elif isinstance(event, events.RecoveryRolled):
                self._roll(f"{event.figure} recovers", event.needs, event.die)

    def _roll(self, text: str, needs: int, die: int) -> None:
        self._die.show()
        if not self._is_holding:
            # Bots wait for the die, so that a result can be read before the next counter is played.
            self._is_holding = True
            self._session.hold()
        self._die.roll(text, needs, die)

    @Slot()
    def _die_stopped(self) -> None:
        if self._is_holding:
            self._is_holding = False
            self._session.resume()

    # Why not.

    @Slot(object)
    def _refused(self, refusal: IllegalChoice) -> None:
        decision = self._session.decision
        if decision is not None and decision.kind in KINDS:
            self._say(refusal.reason, refusal.rule)

    @Slot(str, str)
    def _say(self, reason: str, rule: str) -> None:
        text = f"{escaped(reason[:1].upper() + reason[1:])}. {rule_link(rule)}" if reason else ""
        self._why.setText(text)
        self._why.setVisible(bool(text))
        if reason and self.isVisible():
            QToolTip.showText(self.cursor().pos(), refusal_tip(reason, rule), self)
