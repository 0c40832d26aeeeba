"""The tactics coach in the fight panel: folded away until asked for, and it never picks by itself.

It speaks only to the side that decides in private: behind the curtain, at a screen of one's own, or while
the mover peeks at his hand. The numbers are worked out beside the window and dropped when the moment passes.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Final

import msgspec
from PySide6.QtCore import (
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app import theme
from app.markup import as_text
from app.panels.dressed import Drawn, Dressed
from app.panels.widgets import (
    ActionButton,
    Label,
    ability_pixmap,
    clear_layout,
    column,
    escaped,
    rule_link,
)
from engine.coach import words
from engine.coach.advice import Advice, Option, advise
from engine.core.decision import Decision
from engine.core.numbers import percent, signed
from engine.raid import choices
from engine.raid.view import FigureView, View

if TYPE_CHECKING:
    from app.session import Session
    from engine.fortress.board import Board
    from engine.raid.scenario import Scenario

KEY, TAKE_KEY, DRAW_KEY, ALL_KEY = "C", "T", "D", "A"
SHOWN: Final = 4  # picks shown of each figure before all are asked for
ROUNDING: Final = 0.005
LOOK_IN: Final = 20  # ms between two looks whether a thought is through


class Thought:
    """One piece of advice being worked out beside the window, in a thread that touches nothing of Qt's."""

    def __init__(self, view: View, decision: Decision, scenario: Scenario, board: Board) -> None:
        self._cancel = threading.Event()
        self._found = _thinker.submit(advise, view, decision, scenario, board, self._cancel)

    @property
    def is_done(self) -> bool:
        """Whether there is an answer."""
        return self._found.done()

    def advice(self) -> tuple[Advice, ...]:
        """Return the answer; raises what went wrong."""
        return self._found.result()

    def call_off(self) -> None:
        """Let it go: nobody waits for it any more."""
        self._found.cancel()
        self._cancel.set()

    def wait(self) -> None:
        """Wait until its thread is through with it."""
        wait([self._found])


# One thread: a thought called off ends soon, and makes way for the next.
_thinker: Final = ThreadPoolExecutor(1, "coach")


def _numbers(option: Option) -> str:
    """Return an option's numbers in words, the chances as they stand in the tables."""
    if option.note:
        return option.note
    said = [f"worth {signed(option.worth)}"]
    if option.chance is not None:
        said.append(f"the attack replied to hits: {percent(option.chance)}")
    if option.lost or option.taken:
        said.append(f"you lose {option.lost:.2f}, the foe {option.taken:.2f} levels")
    for dies, falls, fall, death in (
        ("foe dies", "foe falls", option.foe_fall, option.foe_death),
        ("you die", "you fall", option.own_fall, option.own_death),
    ):
        if death >= ROUNDING:
            said.append(f"{dies} {percent(death)}")
        if fall - death >= ROUNDING:
            said.append(f"{falls} {percent(fall)}")
    return " · ".join(said)


class OptionRow(Drawn, QWidget):
    """One option: its counters, its name, its share of the mix as a bar and a number, and its chances."""

    def __init__(
        self,
        option: Option,
        name: str,
        figure: FigureView | None,
        is_best: bool,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.option = option
        self._name = name
        self._weapon = figure.weapon if figure is not None else None
        choice = option.choice
        self._counters = choice.counters if isinstance(choice, choices.ChooseCounters) else ()
        self._share = percent(option.share)
        self._numbers = _numbers(option)
        self._is_best = is_best
        self.setAccessibleName(f"{name}: taken {self._share}; {self._numbers}")
        self.setToolTip(as_text(self.accessibleName()))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def _side(self) -> int:
        return round(theme.size("small") * 1.7)

    def _heights(self, width: int) -> tuple[int, int, int]:
        """Return the heights of the symbols' line, the name and the numbers."""
        small, body = (
            QFontMetrics(theme.font("small")),
            QFontMetrics(theme.font("body", is_bold=self._is_best)),
        )
        wrap = Qt.TextFlag.TextWordWrap
        room = width - body.horizontalAdvance("100 %") - theme.SPACE
        symbols = self._side() + theme.SPACE // 2 if self._counters else 0
        name = body.boundingRect(QRect(0, 0, max(room, 60), 9999), wrap, self._name).height()
        numbers = small.boundingRect(QRect(0, 0, max(width, 60), 9999), wrap, self._numbers).height()
        return symbols, name, numbers

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return sum(self._heights(width)) + theme.SPACE * 2

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(self.width(), 240)))

    def minimumSizeHint(self) -> QSize:
        return QSize(140, self.heightForWidth(max(self.width(), 140)))

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        symbols, name, numbers = self._heights(self.width())
        wrap = Qt.TextFlag.TextWordWrap
        top = theme.SPACE // 2
        side = self._side()
        for at, counter in enumerate(self._counters):
            pixmap = ability_pixmap(counter, self, side, weapon=self._weapon)
            painter.drawPixmap(QPointF(at * (side + theme.SPACE // 2), top), pixmap)
        top += symbols
        painter.setFont(theme.font("body", is_bold=self._is_best))
        share = QFontMetrics(painter.font()).horizontalAdvance("100 %")
        painter.setPen(colors.ink if self.option.share or self._is_best else colors.soft)
        painter.drawText(QRect(0, top, self.width() - share - theme.SPACE, name), wrap, self._name)
        right = QRect(self.width() - share, top, share, name)
        painter.drawText(right, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, self._share)
        top += name + 2
        # The bar's length repeats the number, so that a mix is read at a glance.
        painter.fillRect(QRectF(0, top, self.width() * self.option.share, 4), colors.ink)
        painter.setPen(QPen(colors.faint, 1))
        painter.drawLine(QPointF(0, top + 3.5), QPointF(self.width(), top + 3.5))
        top += theme.SPACE
        painter.setFont(theme.font("small"))
        painter.setPen(colors.soft)
        painter.drawText(QRect(0, top, self.width(), numbers), wrap, self._numbers)


class CoachPanel(Dressed, QWidget):
    """What the coach says of the decision at hand.

    `opened` tells that it was folded out or in, `advised` that what there is to say is shown; `taken` hands
    over the choices that its reader takes, one for each figure asked.
    """

    opened = Signal(bool)
    advised = Signal()
    taken = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._is_open = False
        self._shows_all = False
        self._thought: Thought | None = None
        self._clock = QTimer(self)
        self._clock.setInterval(LOOK_IN)
        self._clock.timeout.connect(self._look_in)
        self._key: object = None
        self._advice: tuple[Advice, ...] | None = None
        self._has_failed = False  # at the moment of `_key`
        self._shown: object = None
        self.button = ActionButton("Coach", "")
        self.button.set_key(KEY)
        self.button.clicked.connect(self._toggle)
        self._body = QWidget()
        self._lines = QVBoxLayout(self._body)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(theme.SPACE)
        self.setLayout(column(self.button, self._body))
        self.setAccessibleName("Coach")
        session.changed.connect(self.refresh)
        self.set_open(False)
        self.dress()

    # What others use.

    @property
    def is_open(self) -> bool:
        """Whether it is folded out."""
        return self._is_open

    @property
    def advice(self) -> tuple[Advice, ...] | None:
        """What is shown; None while there is nothing, or it is still being worked out."""
        return self._advice if self._shown is not None else None

    @property
    def rows(self) -> list[OptionRow]:
        """The options shown."""
        return self._body.findChildren(OptionRow)

    def stop(self) -> None:
        """End what is being worked out, and wait for its thread: the page is about to go."""
        thought = self._thought
        self._call_off()
        if thought is not None:
            thought.wait()

    def set_open(self, is_open: bool) -> None:
        """Fold the coach out or in."""
        self._is_open = is_open
        self.button.setText("Hide the coach" if is_open else "Coach")
        self.button.setAccessibleName(self.button.text())
        self.button.set_detail("" if is_open else "exact chances, and a choice nobody can exploit")
        self.refresh()

    # Following the session.

    def _asked(self) -> tuple[View, Decision] | None:
        """Return what to advise on, if whoever looks at the screen may know what the asked side knows."""
        view, decision = self._session.view, self._session.decision
        if view is None or view.fight is None:
            return None
        if decision is None or decision.kind not in choices.COMBAT_DECISIONS:
            return None
        if not len(decision.options) or self._session.needs_peek:
            return None
        if view.viewer == decision.side:
            return view, decision
        if self._session.peeking and view.viewer == "public":
            return msgspec.structs.replace(view, viewer=decision.side), decision
        return None

    @Slot()
    def refresh(self) -> None:
        """Follow what the session shows; nothing said to one side stays for the other."""
        asked = self._asked()
        self.setVisible(asked is not None)
        if asked is None or not self._is_open:
            self._forget(keeps=asked is not None or self._session.needs_peek)
            return
        view, decision = asked
        key = (
            decision.revision,
            decision.side,
            decision.kind,
            decision.options.groups,
            self._session.revision,
        )
        if key != self._key:
            self._call_off()
            self._key, self._advice, self._has_failed, self._shows_all = key, None, False, False
            self._think(view, decision)
        self._show(view)

    def _forget(self, *, keeps: bool) -> None:
        """Take everything off the screen; what was worked out is kept only for a side that looks again."""
        if self._shown is not None or self._lines.count():
            clear_layout(self._lines)
        self._shown = None
        self._body.hide()
        if not keeps:
            self._call_off()
            self._key = self._advice = None

    def _call_off(self) -> None:
        self._clock.stop()
        if self._thought is not None:
            self._thought.call_off()
            self._thought = None

    def _think(self, view: View, decision: Decision) -> None:
        self._thought = Thought(view, decision, self._session.scenario, self._session.board)
        self._clock.start()

    @Slot()
    def _look_in(self) -> None:
        if self._thought is None or not self._thought.is_done:
            return
        thought, self._thought = self._thought, None
        self._clock.stop()
        try:
            self._advice = thought.advice()
        except Exception:
            # Said here and reported once: this moment is not thought about a second time.
            self._has_failed = True
            raise
        finally:
            self.refresh()
            self.advised.emit()

    # Showing.

    def _dress(self) -> None:
        if self._shown is not None:
            self._shown = None  # symbols are drawn for one palette and size
            self.refresh()

    def _show(self, view: View) -> None:
        shown = (self._key, self._advice is not None, self._has_failed, self._shows_all)
        if shown == self._shown:
            return
        self._shown = shown
        clear_layout(self._lines)
        self._body.show()
        if self._advice is None:
            text = "No advice for this moment." if self._has_failed else "Thinking…"
            self._lines.addWidget(Label(text, "small", is_soft=True))
            return
        known = {figure.name: figure for figure in view.figures}
        self._show_takers(known)
        hidden = sum([self._show_advice(one, known) for one in self._advice])
        if hidden or self._shows_all:
            text = "Fewer picks" if self._shows_all else f"All picks ({hidden} more)"
            self._add_button(text, ALL_KEY, self._toggle_all)
        said = dict.fromkeys(line for one in self._advice for line in one.assumptions)
        is_exact = all(one.is_exact for one in self._advice)
        head = "Exact, given that:" if is_exact else "Not exact:"
        self._lines.addWidget(Label(head, "small", is_bold=True))
        for line in said:
            self._lines.addWidget(Label(f"– {line}", "small", is_soft=True))

    def _show_advice(self, advice: Advice, known: dict[str, FigureView]) -> int:
        """Show what is said of one figure; return how many of its options are not shown."""
        if advice.figure:
            against = f" against {advice.foe}" if advice.foe else ""
            self._lines.addWidget(Label(f"{advice.figure}{against}", is_bold=True))
        decision = self._session.decision
        rule = decision.rule if decision is not None else ""
        self._lines.addWidget(Label(f"{escaped(advice.reason)} {rule_link(rule)}", is_rich=True))
        ranked = sorted(advice.options, key=lambda one: (-one.share, -one.worth))
        mixed = len(advice.mix)
        shown = ranked if self._shows_all else ranked[: max(SHOWN, mixed)]
        figure = known.get(advice.figure)
        for option in shown:
            name = words.choice_words(option.choice, known, self._side())
            row = OptionRow(option, name, figure, option.choice == advice.best, self._body)
            self._lines.addWidget(row)
        if advice.foe_mix:
            mix = "; ".join(
                f"{percent(share)} {words.hand_name(counters, known[advice.foe])}"
                for counters, share in sorted(advice.foe_mix, key=lambda part: -part[1])[:SHOWN]
            )
            self._lines.addWidget(Label(f"{advice.foe}'s own best mix: {mix}", "small", is_soft=True))
        return len(ranked) - len(shown)

    def _show_takers(self, known: dict[str, FigureView]) -> None:
        """Offer to fill in what is advised; where it is a mix, to draw from it."""
        assert self._advice is not None
        if not any(len(one.mix) > 1 for one in self._advice):
            named = "; ".join(
                f"{one.figure}: {picked}" if len(self._advice) > 1 else picked
                for one in self._advice
                for picked in (words.choice_words(one.best, known, self._side()),)
            )
            self._add_button("Take this", TAKE_KEY, self._take).set_detail(named)
            return
        draw = self._add_button("Draw from the mix", DRAW_KEY, self._draw)
        draw.set_detail("by chance, in the shares shown, so that nobody can read you")
        self._add_button("Take this", TAKE_KEY, self._take).set_detail("the commonest of the mix")

    def _side(self) -> str:
        decision = self._session.decision
        return decision.side if decision is not None else ""

    def _add_button(self, text: str, key: str, slot: Callable[[], None]) -> ActionButton:
        button = ActionButton(text, "", self._body)
        button.set_key(key)
        button.clicked.connect(slot)
        self._lines.addWidget(button)
        return button

    @Slot()
    def _toggle(self) -> None:
        self.set_open(not self._is_open)
        self.opened.emit(self._is_open)

    @Slot()
    def _toggle_all(self) -> None:
        self._shows_all = not self._shows_all
        self.refresh()

    @Slot()
    def _take(self) -> None:
        if self._advice is not None:
            self.taken.emit(tuple(one.best for one in self._advice))

    @Slot()
    def _draw(self) -> None:
        if self._advice is None:
            return
        chance = random.SystemRandom()
        self.taken.emit(
            tuple(
                chance.choices([two.choice for two in one.mix], [two.share for two in one.mix])[0]
                for one in self._advice
            )
        )
