"""A combat's story: every counter as it was played, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.panels import odds
from app.panels.widgets import (
    figure_pixmap,
    paint_tactics,
    paint_tactics_back,
)
from engine.core.event import Event
from engine.core.takeback import TakebackAnswered
from engine.raid import events
from engine.raid.figures import COUNTERS, SIDE_NAMES
from engine.raid.view import FigureView


def short_target(name: str) -> str:
    """Return how a target is called in a sentence: equipment and doors without their squares."""
    kind = name.split(" ", 1)[0]
    return {"tank": "the clone tank", "computer": "the computer", "door": "the armored door"}.get(kind, name)


class StoryRow:
    """One line of a combat's story: who did what to whom, and what came of it."""

    def __init__(self, figure: str, counter: str, target: str | None = None) -> None:
        self.figure = figure
        self.counter = counter
        self.target = target
        self.outcome = ""
        self.is_hit: bool | None = None

    @property
    def is_settled(self) -> bool:
        """Whether nothing more will come of it."""
        return bool(self.outcome)

    def say(self, outcome: str, is_hit: bool | None = None) -> None:
        """Add what came of it."""
        self.outcome = f"{self.outcome}; {outcome}" if self.outcome else outcome
        if is_hit is not None:
            self.is_hit = is_hit


def _roll_text(needs: int, die: int | None) -> str:
    if needs <= 0:
        return "full defence, no die"
    if die is None:
        return odds.format_needs(odds.AUTOMATIC)
    return f"needed {odds.format_needs(needs)}, rolled {die}: {'hit' if die <= needs else 'miss'}"


def story(happened: Sequence[Event]) -> list[StoryRow]:
    """Return the lines of the last combat among these events, oldest first."""
    start = max(
        (index for index, event in enumerate(happened) if isinstance(event, events.CombatBegan)), default=-1
    )
    rows: list[StoryRow] = []
    if start < 0:
        return rows

    def row_of(figure: str, counter: str, *, is_named: bool) -> StoryRow:
        for one in rows:
            is_like = one.figure == figure and one.counter == counter and not one.is_settled
            if is_like and (one.target is not None) == is_named:
                return one
        rows.append(StoryRow(figure, counter))
        return rows[-1]

    last: StoryRow | None = None
    for event in happened[start:]:
        if isinstance(event, events.CounterPlayed):
            rows.append(StoryRow(event.figure, event.counter))
            if not odds.is_attack(event.counter):
                rows[-1].outcome = "in reply" if event.is_reply else "no attack to meet"
        elif isinstance(event, events.TargetNamed):
            row_of(event.figure, event.counter, is_named=False).target = event.target
        elif isinstance(event, events.AttackResolved):
            last = row_of(event.figure, event.counter, is_named=True)
            last.say(_roll_text(event.needs, event.die), event.hit)
        elif isinstance(event, events.AttackVoid):
            if event.counter == "gun":
                rows.append(StoryRow(event.figure, "gun"))
                rows[-1].say(f"no shot: {event.reason}")
            else:
                unsettled = [
                    one
                    for one in rows
                    if (one.figure, one.counter) == (event.figure, event.counter) and not one.is_settled
                ]
                (unsettled[-1] if unsettled else row_of(event.figure, event.counter, is_named=False)).say(
                    f"void: {event.reason}"
                )
        elif isinstance(event, events.DoorStruck):
            last = row_of(event.figure, event.counter, is_named=True)
            last.say(_roll_text(event.needs, event.die), event.destroyed)
        elif isinstance(event, events.EquipmentDestroyed):
            last = row_of(event.figure, event.counter, is_named=True)
            last.say("destroyed", is_hit=True)
        elif isinstance(event, events.CounterDiscarded):
            who = event.figure or f"{SIDE_NAMES[event.side]} side"
            rows.append(StoryRow(who, event.counter or ""))
            rows[-1].say("put a counter aside")
        elif isinstance(event, events.UntrainedRolled):
            last = StoryRow(" + ".join(event.figures), "untrained", event.target)
            last.say(_roll_text(event.needs, event.die), event.hit)
            rows.append(last)
        elif isinstance(event, events.MistShown):
            rows.append(StoryRow(event.figure, "mist"))
            rows[-1].say("turns every untrained attack aside")
        elif isinstance(event, events.SoulShown):
            rows.append(StoryRow(event.figure, "soul", event.gun))
            rows[-1].say("dodges the shot")
        elif isinstance(event, events.ShotRolled):
            last = StoryRow(event.figure, "gun", event.target)
            last.say(_roll_text(event.needs, event.die), event.hit)
            rows.append(last)
        elif isinstance(event, events.Stopped):
            rows.append(StoryRow(f"{SIDE_NAMES[event.side]} side", ""))
            rows[-1].say("keeps its remaining attacks")
        elif isinstance(event, TakebackAnswered) and event.agrees:
            last = None
            rows.append(StoryRow("Taken back", ""))
            rows[-1].say(f"to before {event.what}")
        elif last is not None and isinstance(event, events.FellUnconscious):
            last.say(f"{event.figure} falls unconscious")
        elif last is not None and isinstance(event, events.Killed):
            last.say(f"{event.figure} is out of the game")
    return rows


class StoryLine(QWidget):
    """A line of the combat's story: number, counter, who and whom, and what came of it."""

    def __init__(self, number: int, one: StoryRow, figure: FigureView | None, parent: QWidget) -> None:
        super().__init__(parent)
        self._row = one
        self._figure = figure
        self._number = str(number)
        name = self._counter_name()
        self._first = f"{one.figure}{f' → {short_target(one.target)}' if one.target else ''}"
        self._second = " · ".join(part for part in (name, one.outcome) if part)
        self.setAccessibleName(f"{number}: {self._first}: {self._second}")
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def _counter_name(self) -> str:
        if self._row.counter in COUNTERS:
            return odds.counter_name(self._row.counter, self._figure)
        return {"gun": "Gun", "untrained": "Untrained"}.get(self._row.counter, "")

    def _side(self) -> int:
        return round(theme.size("small") * 2)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        metrics = QFontMetrics(theme.font("small"))
        room = max(60, width - self._left())
        wrapped = metrics.boundingRect(
            QRect(0, 0, room, 9999), Qt.TextFlag.TextWordWrap, self._second
        ).height()
        first = metrics.boundingRect(QRect(0, 0, room, 9999), Qt.TextFlag.TextWordWrap, self._first).height()
        return max(self._side() + 2, first + wrapped)

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(240))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self._side())

    def _left(self) -> int:
        return self._side() * 2 + theme.SPACE

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("small"))
        metrics = QFontMetrics(painter.font())
        side = self._side()
        painter.setPen(colors.soft)
        painter.drawText(QRectF(0, 0, side * 0.8, side), Qt.AlignmentFlag.AlignCenter, self._number)
        box = QRectF(side * 0.9, 1, side, side)
        if self._row.counter in COUNTERS:
            weapon = self._figure.weapon if self._figure is not None else None
            paint_tactics(painter, box, self._row.counter, self, weapon=weapon)
        elif self._figure is not None:
            painter.drawPixmap(box.toRect(), figure_pixmap(self._figure, self, side))
        elif not self._row.counter:
            paint_tactics_back(painter, box, "")
        room = self.width() - self._left()
        wrap = Qt.TextFlag.TextWordWrap
        first = metrics.boundingRect(QRect(0, 0, room, 9999), wrap, self._first).height()
        painter.setPen(colors.ink)
        painter.drawText(QRect(self._left(), 0, room, first), wrap, self._first)
        is_hit = self._row.is_hit
        painter.setPen(colors.ink if is_hit else colors.soft)
        if is_hit:
            painter.setFont(theme.font("small", is_bold=True))
        painter.drawText(QRect(self._left(), first, room, self.height() - first), wrap, self._second)
