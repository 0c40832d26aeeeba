"""Motion that explains what happened: built from Events only, short, skippable, off at speed 0."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QAbstractAnimation,
    QObject,
    QPointF,
    QRectF,
    Qt,
    QTimer,
    QVariantAnimation,
    Signal,
    Slot,
)
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from app import theme
from app.board.picking import UNIT, centre
from engine.core.event import Event
from engine.raid import events as happened
from engine.raid.choices import Square

if TYPE_CHECKING:
    from app.board.items import FigureItem
    from app.board.scene import BoardView

SHORT: Final = 150  # milliseconds
LONG: Final = 300
PER_SQUARE: Final = 60
_TUMBLE: Final = (3, 6, 2, 5, 1, 4)


class DieItem(QGraphicsItem):
    """A die beside the number it must not exceed."""

    def __init__(self, needs: int) -> None:
        super().__init__()
        self.setZValue(40)
        self.needs = needs
        self.face = 1
        self.spin = 0.0
        self.is_settled = False
        self.is_success = False

    def boundingRect(self) -> QRectF:
        return QRectF(-UNIT * 1.3, -UNIT * 0.62, UNIT * 2.6, UNIT * 1.24)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        colors = theme.colors()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colors.ink, UNIT * 0.035))
        painter.setBrush(colors.field)
        plate = QRectF(-UNIT * 1.2, -UNIT * 0.5, UNIT * 2.4, UNIT)
        painter.drawRoundedRect(plate, UNIT * 0.12, UNIT * 0.12)
        # A tick or a cross says the outcome without colour.
        sign = (" ✓" if self.is_success else " ✗") if self.is_settled else ""
        font = theme.font("body", is_bold=True)
        font.setPixelSize(round(UNIT * 0.4))
        painter.setFont(font)
        painter.setPen(colors.ink)
        painter.drawText(
            QRectF(-UNIT * 0.2, -UNIT * 0.5, UNIT * 1.3, UNIT),
            Qt.AlignmentFlag.AlignCenter,
            f"≤{self.needs}{sign}",
        )
        painter.translate(-UNIT * 0.7, 0)
        painter.rotate(self.spin)
        die = QRectF(-UNIT * 0.35, -UNIT * 0.35, UNIT * 0.7, UNIT * 0.7)
        painter.setPen(QPen(colors.ink, UNIT * 0.04))
        painter.setBrush(colors.ink if self.is_settled else colors.field)
        painter.drawRoundedRect(die, UNIT * 0.1, UNIT * 0.1)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.field if self.is_settled else colors.ink)
        for across, down in _pips(self.face):
            painter.drawEllipse(QPointF(across, down) * (UNIT * 0.2), UNIT * 0.07, UNIT * 0.07)
        painter.restore()


def _pips(face: int) -> list[tuple[int, int]]:
    pips = [(0, 0)] if face % 2 else []
    if face > 1:
        pips += [(-1, -1), (1, 1)]
    if face > 3:
        pips += [(1, -1), (-1, 1)]
    if face == 6:
        pips += [(-1, 0), (1, 0)]
    return pips


class Step:
    """One movement: `begin`, then `show` with 0 to 1, then `end`, whether it was played or skipped."""

    length = SHORT

    def begin(self) -> bool:
        """Prepare, and return whether there is anything to see."""
        return True

    def show(self, share: float) -> None:
        """Show the state after a share of the time."""

    def end(self) -> None:
        """Leave nothing behind."""


class Walk(Step):
    """A figure walks its path."""

    def __init__(self, board: BoardView, name: str, path: Sequence[Square]) -> None:
        self._board = board
        self._name = name
        self._points = [centre(square) for square in path]
        self._item: FigureItem | None = None
        self._layer = 0.0
        self.length = max(SHORT, min(LONG, PER_SQUARE * (len(path) - 1)))

    def begin(self) -> bool:
        self._item = self._board.item_of(self._name)
        if self._item is None or len(self._points) < 2:
            return False
        self._layer = self._item.zValue()
        self._item.setZValue(30)
        self._board.bring_into_view(self._points[-1])
        return True

    def show(self, share: float) -> None:
        if self._item is None:
            return
        way = share * (len(self._points) - 1)
        at = min(int(way), len(self._points) - 2)
        start, stop = self._points[at], self._points[at + 1]
        self._item.setPos(start + (stop - start) * (way - at))

    def end(self) -> None:
        if self._item is not None:
            self._item.setZValue(self._layer)
            self._item = None


class Turn(Step):
    """A face-down counter turns over."""

    length = 240

    def __init__(self, board: BoardView, name: str, square: Square) -> None:
        self._board = board
        self._name = name
        self._square = square
        self._item: FigureItem | None = None
        self._is_over = False

    def begin(self) -> bool:
        board = self._board
        face = board.face_of(self._name)
        if face is None:
            return False
        self._item = board.item_of(self._name) or board.back_at(self._square)
        if self._item is None:
            return False
        self._face = face
        self._item.set_face("back", self._item.size)
        board.bring_into_view(centre(self._square))
        return True

    def show(self, share: float) -> None:
        if self._item is None:
            return
        if share >= 0.5 and not self._is_over:
            self._is_over = True
            self._item.set_face(self._face, self._item.size)
        self._item.set_turn(abs(1 - 2 * share))

    def end(self) -> None:
        if self._item is not None:
            self._item.set_face(self._face, self._item.size)
            self._item.set_turn(1.0)
            self._item = None


class Fade(Step):
    """A figure appears or disappears."""

    def __init__(self, board: BoardView, name: str, *, is_in: bool, square: Square | None = None) -> None:
        self._board = board
        self._name = name
        self._is_in = is_in
        self._square = square
        self._item: FigureItem | None = None
        self.length = SHORT if is_in else 250

    def begin(self) -> bool:
        self._item = self._board.item_of(self._name)
        if self._item is None and self._is_in and self._square is not None:
            self._item = self._board.add_for_now(self._name, self._square)
        if self._item is None:
            return False
        if self._square is not None:
            self._item.setPos(centre(self._square))
        return True

    def show(self, share: float) -> None:
        if self._item is not None:
            self._item.setOpacity(max(0.02, share if self._is_in else 1 - share))

    def end(self) -> None:
        if self._item is not None:
            self._item.setOpacity(1.0 if self._is_in else 0.0)
            self._item = None


class Fall(Step):
    """A figure falls over."""

    length = 220

    def __init__(self, board: BoardView, name: str) -> None:
        self._board = board
        self._name = name
        self._item: FigureItem | None = None

    def begin(self) -> bool:
        self._item = self._board.item_of(self._name)
        # A figure that is drawn lying already needs no fall.
        return (
            self._item is not None and not isinstance(self._item.face, str) and self._item.face.is_conscious
        )

    def show(self, share: float) -> None:
        if self._item is not None:
            self._item.setRotation(90 * share * share)

    def end(self) -> None:
        if self._item is not None:
            self._item.setRotation(0)
            self._item = None


class Flash(Step):
    """A hit glows once, on a figure or on a thing."""

    length = 180

    def __init__(self, board: BoardView, name: str) -> None:
        self._board = board
        self._name = name

    def begin(self) -> bool:
        if self._board.item_of(self._name) is None:
            self._board.things_item.set_flashing(self._name)
        return True

    def show(self, share: float) -> None:
        item = self._board.item_of(self._name)
        if item is not None:
            item.set_flash(1 - abs(1 - 2 * share))

    def end(self) -> None:
        item = self._board.item_of(self._name)
        if item is not None:
            item.set_flash(0.0)
        self._board.things_item.set_flashing(None)


class Roll(Step):
    """A die tumbles, stops beside the number needed, and rests as long again."""

    length = 2 * LONG

    def __init__(self, board: BoardView, name: str, needs: int, die: int, *, is_success: bool) -> None:
        self._board = board
        self._name = name
        self._die = die
        self._is_success = is_success
        self._item = DieItem(needs)

    def begin(self) -> bool:
        place = self._board.place_of(self._name)
        if place is None:
            return False
        above = place.y() - UNIT * 1.1
        self._item.setPos(place.x(), above if above > 0 else place.y() + UNIT * 1.1)
        self._board.scene().addItem(self._item)
        self._board.bring_into_view(place)
        return True

    def show(self, share: float) -> None:
        if share < 0.5:
            self._item.face = _TUMBLE[int(share * 12) % len(_TUMBLE)]
            self._item.spin = 720 * share * (1 - share)
        else:
            self._item.face = self._die
            self._item.is_settled = True
            self._item.is_success = self._is_success
            self._item.spin = 0.0
        self._item.update()

    def end(self) -> None:
        scene = self._item.scene()
        if scene is not None:
            scene.removeItem(self._item)


def steps_of(board: BoardView, event: Event) -> Iterator[Step]:
    """Yield what an event looks like on the board; most events are for the log alone."""
    match event:
        case happened.Moved(figure=figure, path=path):
            yield Walk(board, figure, path)
        case happened.Entered(figure=figure, square=square):
            yield Fade(board, figure, is_in=True, square=square)
        case happened.Exited(figure=figure) | happened.Killed(figure=figure):
            yield Fade(board, figure, is_in=False)
        case happened.Revealed(figure=figure, square=square):
            yield Turn(board, figure, square)
        case happened.AttackResolved(target=target, needs=needs, die=die, hit=hit):
            if die is not None:
                yield Roll(board, target, needs, die, is_success=hit)
            if hit:
                yield Flash(board, target)
        case (
            happened.ShotRolled(target=target, needs=needs, die=die, hit=hit)
            | happened.UntrainedRolled(target=target, needs=needs, die=die, hit=hit)
        ):
            yield Roll(board, target, needs, die, is_success=hit)
            if hit:
                yield Flash(board, target)
        case happened.DoorStruck(target=target, needs=needs, die=die, destroyed=destroyed):
            yield Roll(board, target, needs, die, is_success=destroyed)
            if destroyed:
                yield Flash(board, target)
        case happened.EquipmentDestroyed(target=target):
            yield Flash(board, target)
        case happened.RecoveryRolled(figure=figure, needs=needs, die=die, recovered=recovered):
            yield Roll(board, figure, needs, die, is_success=recovered)
        case happened.FellUnconscious(figure=figure):
            yield Fall(board, figure)
        case happened.Displaced(figure=figure, square=square):
            start = board.square_of(figure)
            if start is not None:
                yield Walk(board, figure, (start, square))
        case _:
            return


def length_of(board: BoardView, events: Sequence[Event]) -> int:
    """Return how long events take at speed 1 at most, in milliseconds."""
    return sum(step.length for event in events for step in steps_of(board, event))


class Animator(QObject):
    """Plays events on a board one after the other, then calls back exactly once.

    `began` follows each event as it begins, and none of those that are skipped.
    """

    began = Signal(object)

    def __init__(self, board: BoardView) -> None:
        super().__init__(board)
        self._board = board
        self._done: Callable[[], None] | None = None
        self._events: list[Event] = []
        self._steps: list[Step] = []
        self._step: Step | None = None
        self.speed = 1.0
        self._hurry = 1.0
        self._clock = QVariantAnimation(self)
        self._clock.setStartValue(0.0)
        self._clock.setEndValue(1.0)
        self._clock.valueChanged.connect(self._on_value)
        self._clock.finished.connect(self._on_finished)
        # The first step waits for the event loop: a new view told right after the events is then known.
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._next)

    @property
    def is_running(self) -> bool:
        """Whether something is still moving."""
        return self._done is not None

    def play(self, events: Sequence[Event], done: Callable[[], None], hurry: float = 1.0) -> None:
        """Play events, `hurry` times as fast as usual; whatever was still running is skipped first."""
        self.skip()
        self._done = done
        self._hurry = hurry
        if self.speed <= 0 or not self._board.isVisible() or self._board.view is None:
            self.skip()
            return
        self._events = list(events)
        begun: set[str] = set()
        for event in self._events:
            # A board that shows the end already goes back to the beginning.
            if isinstance(event, happened.Moved) and event.figure not in begun:
                begun.add(event.figure)
                item = self._board.item_of(event.figure)
                if item is not None and event.path:
                    item.setPos(centre(event.path[0]))
        self._soon.start()

    def skip(self) -> None:
        """Go to the end at once."""
        self._soon.stop()
        # Not stop() first: finished() must not begin another step.
        self._events, self._steps = [], []
        step, self._step = self._step, None
        if self._clock.state() != QAbstractAnimation.State.Stopped:
            self._clock.stop()
        done, self._done = self._done, None
        try:
            if step is not None:
                step.end()
            if done is not None:
                self._board.settle()
        finally:
            # Whatever goes wrong in a picture, the game goes on.
            if done is not None:
                done()

    @Slot()
    def _next(self) -> None:
        try:
            self._go_on()
        except Exception:
            self.skip()
            raise

    def _go_on(self) -> None:
        while self._done is not None:
            if not self._steps:
                if not self._events:
                    self.skip()
                    return
                event = self._events.pop(0)
                self._steps = list(steps_of(self._board, event))
                self.began.emit(event)
                continue
            step = self._steps.pop(0)
            if not step.begin():
                step.end()
                continue
            self._step = step
            step.show(0.0)
            self._clock.setDuration(max(1, round(step.length / self.speed / self._hurry)))
            self._clock.start()
            return

    @Slot(object)
    def _on_value(self, share: float) -> None:
        if self._step is not None:
            self._step.show(share)

    @Slot()
    def _on_finished(self) -> None:
        step, self._step = self._step, None
        if step is not None:
            step.end()
            self._next()
