"""What now: what is asked, the choices of this moment as buttons, and the answer to "why not?"."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMetaMethod, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QComboBox, QMessageBox, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from app import theme
from app.board.access import announce
from app.lan.pause import PAUSE
from app.markup import as_text, breakable, whole
from app.panels.consent import ConsentDialog, DrawDialog, TakebackDialog
from app.panels.recap import RecapPanel
from app.panels.widgets import (
    ActionButton,
    FlowLayout,
    Label,
    MoreSign,
    PromptKey,
    chain_tabs,
    clear_layout,
    refusal_words,
    rule_link,
)
from app.seats.human import MOVES, SET_UPS, HumanSeat
from app.session import Session
from app.wording import choice_words, ending_rule, reason_words, victory_words
from engine.core.agreement import DRAW, DrawAnswered
from engine.core.decision import Choice, Decision, IllegalChoice
from engine.core.event import Event
from engine.core.takeback import TAKEBACK, TakebackAnswered
from engine.raid import choices as c
from engine.raid.figures import CLONEMASTER, SIDE_NAMES, TERMINATOR
from engine.raid.log import describe

# Asked in the fight panel, with more room than a column of buttons has.
FIGHTS = c.COMBAT_DECISIONS | {c.FIGHT_ORDER}
# Asked by the other player, whatever else is to be decided.
ASKED = frozenset({TAKEBACK, DRAW, PAUSE})
DIGITS = "123456789"
# Of agreeing and declining: no key that an ordinary choice has, since the question comes in its place.
CONSENT_KEYS = ("Y", "N")
READING = 1000  # ms in which nothing is answered after a question of the other player has come, or gone
READ_FIRST = "What is asked has only just changed: answer once you have read it"
NOT_NOW = "Nothing is for you to choose until then"
NEW_GAME, START_SCREEN = "New game…", "Start screen"
UNDO, ASK = "Undo", "Ask to take back…"
RELEASE = "Release the CloneMaster"


class DecisionPanel(QWidget):
    """The one place that always says what to do now; in a combat the fight panel takes it over."""

    afterWanted = Signal()
    replayWanted = Signal()
    newWanted = Signal()
    startWanted = Signal()
    recapWanted = Signal()

    def __init__(
        self,
        session: Session,
        seat: HumanSeat | None = None,
        fight: QWidget | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.session = session
        self.seat = seat
        self.setAccessibleName("What now")
        self.buttons: list[ActionButton] = []
        self.new_words, self.start_words = NEW_GAME, START_SCREEN  # of the ways on after the end
        self.release_question: QMessageBox | None = None
        self.consent_question: ConsentDialog | None = None
        self._declined: tuple[int, str] | None = None  # the revision at which it was said, and what
        self._asked_kind = ""  # the kind of what the other player asks
        self._has_answered = False  # what he asked last
        self._reading = QTimer(self)
        self._reading.setSingleShot(True)
        self._reading.setInterval(READING)
        self._reading.timeout.connect(self._on_read)
        self._fight = fight
        self._make_question()
        self._make_foot()
        self.recap_panel = RecapPanel()
        self.recap_panel.ended.connect(session.recap.end)
        self.recap_panel.boardWanted.connect(session.recap.animate)
        self._lay_out()
        session.changed.connect(self.refresh)
        session.refused.connect(self.show_refusal)
        session.happened.connect(self._on_happened)
        session.waited.connect(self._on_waited)
        if seat is not None:
            seat.selectionChanged.connect(self.refresh)
            seat.explained.connect(self._on_explained)
        self.refresh()

    def _make_question(self) -> None:
        """Make what says who is asked what, and the place for his choices."""
        self._who = Label(step="small", is_soft=True)
        self._prompt = Label(step="body", is_bold=True)
        self._prompt.setAccessibleName("What to do now")
        self._rule = Label(step="small", is_soft=True, is_rich=True)
        self._figures = QComboBox()
        self._figures.setAccessibleName("Figure to act with")
        self._figures.activated.connect(self._on_figure)
        self._choices = QWidget()
        self._list = QVBoxLayout(self._choices)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(theme.SPACE // 2)
        self._list.setSizeConstraint(QVBoxLayout.SizeConstraint.SetMinimumSize)
        self._why = Label(step="body", is_rich=True)
        self._why.setAccessibleName("Why not")
        self._why.set_tone("danger")
        self._why.hide()

    def _make_foot(self) -> None:
        """Make the buttons that are at hand whatever is asked."""
        self.undo_button = ActionButton(UNDO, is_small=True)
        self.undo_button.set_key("Ctrl+Z")
        self.undo_button.clicked.connect(self._on_undo)
        self.release_button = ActionButton(RELEASE, is_small=True)
        self.release_button.set_key("Ctrl+Shift+R")
        self.release_button.clicked.connect(self._on_release)
        self.recap_button = ActionButton("What happened?", is_small=True)
        self.recap_button.set_key("F9")
        self.recap_button.clicked.connect(self.recapWanted)
        self._foot = QWidget()
        foot = FlowLayout(self._foot, spacing=theme.SPACE // 2)
        for button in (self.undo_button, self.recap_button, self.release_button):
            foot.addWidget(button)

    def _lay_out(self) -> None:
        inner = QWidget()
        layout = QVBoxLayout(inner)
        layout.setContentsMargins(theme.SPACE, theme.SPACE, theme.SPACE, theme.SPACE)
        layout.setSpacing(theme.SPACE)
        for part in (self._who, self._prompt, self._rule, self._why, self._figures, self._choices):
            layout.addWidget(part)
        layout.addStretch(1)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetMinimumSize)
        scroll = QScrollArea()
        scroll.setWidget(inner)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName("Choices of this moment")
        MoreSign(scroll)
        self._pages = QStackedWidget()
        self._pages.addWidget(scroll)
        if self._fight is not None:
            self._pages.addWidget(self._fight)
        self._pages.addWidget(self.recap_panel)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._pages, 1)
        # Below the choices, where it scrolls with them when text is large; below the fight in a combat.
        self._below_choices = layout
        self._below_fight = QVBoxLayout()
        self._below_fight.setContentsMargins(0, 0, 0, 0)
        outer.addLayout(self._below_fight)
        layout.addWidget(self._foot)

    def sizeHint(self) -> QSize:
        return QSize(theme.size("body") * 22, theme.size("body") * 22)

    @property
    def reason(self) -> str:
        """Why the last thing asked for is not possible, "" if nothing was refused."""
        return self._why.text()

    # What it shows.

    @Slot()
    def refresh(self) -> None:
        """Show the session's present question."""
        session = self.session
        self._why.hide()
        self._why.clear()
        announce(self._why, "")
        decision = session.decision
        if session.viewer is None:
            self._who.clear()
            self._prompt.clear()
            self._rule.clear()
        elif decision is None:
            self._show_waiting()
        else:
            player = session.names.get(decision.side, "")
            side = SIDE_NAMES[decision.side]
            self._who.setText(breakable(f"{player} ({side})" if player and player != side else side))
            self._prompt.setText(breakable(decision.prompt))
            link = rule_link(decision.rule)
            self._rule.setText(f"Rule {link}" if link else "")
        self._let_read(decision)
        self._fill_figures(decision)
        self._fill_choices(decision)
        self._show_foot(decision)
        self._turn_page(decision)
        self._show_declined()
        self.recap_panel.show_recap(
            session.recap.now, is_read=session.recap.is_read, decides=session.decides_next
        )
        said = whole(f"{self._who.text()}: {self._prompt.text()}" if self._prompt.text() else "")
        if said != self.accessibleDescription():
            announce(self, said)

    def _let_read(self, decision: Decision | None) -> None:
        """Take no answer for a moment after what the other player asks of a sudden, or takes back.

        Whoever is about to press a key or a button means what was there before.
        """
        question = decision.kind if decision is not None and decision.kind in ASKED else ""
        if question == self._asked_kind:
            return
        self._asked_kind = question
        is_own_doing, self._has_answered = self._has_answered and not question, False
        # At a shared screen it was asked there, just now.
        if is_own_doing or self.session.is_hot_seat:
            self._reading.stop()
        else:
            self._reading.start()

    @Slot()
    def _on_read(self) -> None:
        for button in self.buttons:
            if isinstance(button, _ChoiceButton):
                button.bar(button.is_refused)
        if self._why.text() == refusal_words(READ_FIRST, ""):
            self._why.hide()
            self._why.clear()

    @property
    def is_fighting(self) -> bool:
        """Whether the fight panel has taken over."""
        return self._fight is not None and self._pages.currentWidget() is self._fight

    def _turn_page(self, decision: Decision | None) -> None:
        view = self.session.view
        is_fight = (
            view is not None
            and not self.session.is_over
            and not self.session.held_up
            and (decision is None or decision.kind not in ASKED)
            and (view.fight is not None or (decision is not None and decision.kind in FIGHTS))
        )
        index = 1 if is_fight and self._fight is not None else 0
        if self.session.recap.now is not None:
            self._foot.hide()
            self._pages.setCurrentWidget(self.recap_panel)
            return
        self._foot.show()
        if index != self._pages.currentIndex():
            (self._below_fight if index else self._below_choices).addWidget(self._foot)
            margin = theme.SPACE if index else 0
            self._below_fight.setContentsMargins(margin, margin, margin, margin)
            self._pages.setCurrentIndex(index)

    def _show_waiting(self) -> None:
        session = self.session
        if session.is_over and session.view is not None:
            self._who.setText("Game over")
            self._prompt.setText(f"{victory_words(session.view)}. {reason_words(session.view)}")
            link = rule_link(ending_rule(session.events()))
            self._rule.setText(f"Rule {link}" if link else "")
        else:
            self._who.setText("Waiting")
            self._prompt.setText(breakable(session.waiting))
            self._rule.clear()

    @Slot()
    def _on_waited(self) -> None:
        """Say for how long it has been waited, and nothing else anew."""
        session = self.session
        if session.viewer is not None and session.decision is None and not session.is_over:
            self._prompt.setText(breakable(session.waiting))

    def _fill_figures(self, decision: Decision | None) -> None:
        names = self.seat.actors if self.seat is not None else ()
        selected = self.seat.selected if self.seat is not None else None
        self._figures.clear()
        if decision is None or not names:
            self._figures.hide()
            return
        self._figures.addItem("Pick a figure")
        self._figures.addItems(list(names))
        self._figures.setCurrentIndex(names.index(selected) + 1 if selected in names else 0)
        self._figures.setVisible(len(names) > 1 or selected is None)

    def _fill_choices(self, decision: Decision | None) -> None:
        held = self._focused_text()
        clear_layout(self._list)
        self.buttons = []
        session = self.session
        if decision is None:
            if session.is_over:
                self._add_ways_on()
            elif session.is_thinking and session.viewer is not None:
                self._add_pause()
            for way in session.ways_on if session.viewer is not None and not session.is_over else ():
                button = ActionButton(way.words)
                button.set_key(way.key)
                button.clicked.connect(way.do)
                self._add(button)
            return
        if decision.kind in SET_UPS | FIGHTS:
            return
        for number, (choice, refusal) in enumerate(self._offers(decision)):
            text, detail = choice_words(choice, session.view)
            if self.seat is not None and detail == self.seat.selected:
                detail = ""
            button = _ChoiceButton(choice, text, detail, is_main=self._is_main(choice, decision))
            button.is_refused = refusal is not None
            button.bar(button.is_refused or self._reading.isActive())
            if decision.kind in ASKED and number < len(CONSENT_KEYS):
                button.set_key(CONSENT_KEYS[number])
            elif isinstance(choice, c.EndPhase | c.EndMove | c.Done | c.Pass | c.Stop):
                button.set_key("Ctrl+Return")
            elif number < len(DIGITS):
                button.set_key(DIGITS[number])
            button.clicked.connect(self._on_choice)
            self._add(button)
            if text == held:
                button.setFocus()
        chain_tabs(self._figures, (*self.buttons, self.undo_button, self.recap_button, self.release_button))

    def _offers(self, decision: Decision) -> list[tuple[Choice, IllegalChoice | None]]:
        """Return the choices to put on buttons, each with the reason why it is barred, or None."""
        if decision.kind not in MOVES:
            return [(choice, None) for choice in decision.options]
        offers: list[tuple[Choice, IllegalChoice | None]] = []
        seat = self.seat
        if seat is not None and seat.selected is not None:
            legal = seat.choices_of_selected()
            for choice in self._imaginable(seat.selected):
                refusal = None if choice in legal else self.session.why(choice)
                if choice in legal or refusal is not None:
                    offers.append((choice, refusal))
            offers += [(choice, None) for choice in legal if choice not in [offer for offer, _ in offers]]
        general: list[Choice] = list(decision.options.of(""))
        if not general:
            general = [c.EndPhase()]
        offers += [
            (one, None if one in decision.options.of("") else self.session.why(one)) for one in general
        ]
        return offers

    def _imaginable(self, name: str) -> Sequence[Choice]:
        """Return what a Terminator might think of doing here, so that a refusal can say why not."""
        view = self.session.view
        figure = next((one for one in view.figures if one.name == name), None) if view is not None else None
        if figure is None or figure.side != TERMINATOR:
            return ()
        board = self.session.board
        entries = board.entries
        if figure.place in ("off", "station"):
            found: list[Choice] = [c.Enter(name, entries[at].name) for at in board.ways_in]
            return found + [c.Station(name, one.name) for one in entries if one.door >= 0]
        xy = board.xy
        if any(one.leave > 0 and xy(one.square) == figure.square for one in entries):
            return (c.Exit(name),)
        return ()

    def _is_main(self, choice: Choice, decision: Decision) -> bool:
        return len(decision.options.groups) == 1 and isinstance(choice, c.EndPhase)

    def _add(self, button: ActionButton) -> None:
        self.buttons.append(button)
        self._list.addWidget(button)

    def _add_pause(self) -> None:
        is_paused = self.session.paused
        pause = ActionButton("Go on" if is_paused else "Pause")
        pause.set_key("P")
        pause.clicked.connect(self._on_pause)
        self._add(pause)
        hurry = ActionButton("Next", "do not wait for the pace set")
        hurry.set_key("N")
        hurry.clicked.connect(self.session.hurry)
        self._add(hurry)

    def _add_ways_on(self) -> None:
        """Offer what can be done after the end."""
        ways = [
            ("Replay from the start", self.replayWanted),
            (self.new_words, self.newWanted),
            (self.start_words, self.startWanted),
        ]
        # A lesson has no story to tell: nobody listens there.
        if self.isSignalConnected(QMetaMethod.fromSignal(self.afterWanted)):
            ways.insert(0, ("What happened", self.afterWanted))
        for key, (text, signal) in enumerate(ways, 1):
            button = ActionButton(text)
            button.set_key(str(key))
            button.clicked.connect(signal)
            self._add(button)

    def _show_foot(self, decision: Decision | None) -> None:
        session = self.session
        is_asked = decision is not None and decision.kind in ASKED
        self.undo_button.setVisible(
            session.viewer is not None and bool(session.humans) and not session.is_over and not is_asked
        )
        can_undo = session.can_undo()
        asks = not can_undo and session.takeback.can_ask
        self.undo_button.setText(ASK if asks else UNDO)
        self.undo_button.setAccessibleName(self.undo_button.text())
        self.undo_button.bar(not can_undo and not asks)
        self.recap_button.setVisible(session.recap.can_show and not session.is_over)
        can_release = session.optional is not None
        # At a shared screen it may be on show in the other player's turn.
        own = f"{session.player(CLONEMASTER)}: {RELEASE[:1].lower()}{RELEASE[1:]}"
        self.release_button.setText(own if session.is_hot_seat else RELEASE)
        self.release_button.setAccessibleName(self.release_button.text())
        self.release_button.setVisible(
            can_release and (decision is None or decision.kind != "release-clonemaster")
        )

    def _focused_text(self) -> str:
        return next((button.text() for button in self.buttons if button.hasFocus()), "")

    # What the player does.

    @Slot()
    def _on_choice(self) -> None:
        button = self.sender()
        if not isinstance(button, _ChoiceButton):
            return
        if self._reading.isActive():
            self.show_refusal(IllegalChoice(READ_FIRST, ""))
            return
        if button.is_barred:
            refusal = self.session.why(button.choice)
            if refusal is not None:
                self.show_refusal(refusal)
            return
        self._has_answered = bool(self._asked_kind)
        self.session.submit(button.choice)

    @Slot(int)
    def _on_figure(self, index: int) -> None:
        if self.seat is not None:
            self.seat.select(self._figures.itemText(index) if index > 0 else None)

    @Slot()
    def _on_undo(self) -> None:
        if self.session.can_undo() or not self.session.takeback.can_ask:
            self.session.undo()
        else:
            self._question(TakebackDialog)

    @Slot()
    def offer_draw(self) -> None:
        """Offer the other player a draw, after a question; where that cannot be, it is said why."""
        if self.session.draw.can_ask:
            self._question(DrawDialog)
        else:
            self.session.draw.ask()

    def _question(self, kind: type[TakebackDialog | DrawDialog]) -> None:
        """Ask whether the other player shall be asked."""
        if self.consent_question is None:
            self.consent_question = kind(self.session, self)
            self.consent_question.finished.connect(self._on_consent_closed)
            self.consent_question.open()

    @Slot()
    def _on_consent_closed(self) -> None:
        if self.consent_question is not None:
            self.consent_question.deleteLater()
            self.consent_question = None

    @Slot(object)
    def _on_happened(self, told: Sequence[Event]) -> None:
        for event in told:
            if isinstance(event, TakebackAnswered | DrawAnswered) and not event.agrees:
                self._declined = (self.session.revision, describe(event))

    def _show_declined(self) -> None:
        """Say that a takeback or a draw was declined, until something else happens."""
        if self._declined is None or self.session.viewer is None:
            return
        revision, words = self._declined
        if revision != self.session.revision:
            self._declined = None
        else:
            self._why.setText(words)
            self._why.show()
            announce(self._why, words)

    @Slot()
    def _on_release(self) -> None:
        if not self.session.is_hot_seat:
            self.session.release_clonemaster()
        elif self.release_question is None and self.session.optional is not None:
            # Whoever sits at a shared screen can press the button, but the release is one player's (R13).
            self._ask_release()

    def _ask_release(self) -> None:
        buttons = QMessageBox.StandardButton
        self.release_question = box = QMessageBox(self)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Release the CloneMaster")
        box.setText(as_text(f"{self.session.player(CLONEMASTER)}: release the CloneMaster now?"))
        box.setInformativeText("It cannot be taken back.")
        box.setStandardButtons(buttons.Yes | buttons.No)
        box.setDefaultButton(buttons.No)
        box.setEscapeButton(buttons.No)
        box.finished.connect(self._on_release_answered)
        box.open()

    @Slot(int)
    def _on_release_answered(self, answer: int) -> None:
        if self.release_question is not None:
            self.release_question.deleteLater()
            self.release_question = None
        if answer == QMessageBox.StandardButton.Yes:
            self.session.release_clonemaster()

    @Slot()
    def _on_pause(self) -> None:
        self.session.pause(not self.session.paused)

    @Slot(object, object)
    def _on_explained(self, refusal: IllegalChoice, square: object) -> None:
        self.show_refusal(refusal)

    @Slot(object)
    def show_refusal(self, refusal: IllegalChoice) -> None:
        """Say why something is refused, with its rule."""
        # Where nothing is asked the line above says what is waited for.
        is_told = self.session.decision is None and refusal.reason == self.session.waiting
        reason = NOT_NOW if is_told else refusal.reason
        self._why.setText(refusal_words(reason, refusal.rule))
        self._why.show()
        rule = f" Rule {refusal.rule}" if rule_link(refusal.rule) else ""
        announce(self._why, f"Not possible: {reason[:1].upper() + reason[1:]}{rule}")


class _ChoiceButton(PromptKey, ActionButton):
    """A button that stands for one choice."""

    def __init__(self, choice: Choice, text: str, detail: str, *, is_main: bool) -> None:
        super().__init__(text, detail, is_main=is_main)
        self.choice = choice
        self.is_refused = False
