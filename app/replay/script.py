"""The whole log of a game as a list: what is still to come is faded, a line leads to its moment."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QColor, QFont, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app import theme
from app.panels.dressed import Dressed
from app.panels.widgets import open_rule
from engine.core.event import Event
from engine.raid.events import GameEnded, PhaseBegan
from engine.raid.log import describe
from engine.raid.view import PHASE_NAMES

Index = QModelIndex | QPersistentModelIndex
LINE_ROLE = Qt.ItemDataRole.UserRole
MARK = "▸"
GROUND = 0.14  # of the accent behind the present moment
FADED = 0.8


class Line(NamedTuple):
    """A line of the log, and the number of choices after which it was told."""

    position: int
    text: str
    rule: str
    is_head: bool


def lines_of(timeline: Sequence[tuple[int, Event]]) -> tuple[Line, ...]:
    """Return the lines of all that a viewer was told."""
    return tuple(_line(position, event) for position, event in timeline)


def _line(position: int, event: Event) -> Line:
    if isinstance(event, PhaseBegan):
        return Line(position, f"Turn {event.turn} · {PHASE_NAMES[event.phase]}", "", is_head=True)
    rule = getattr(event, "rule", "")
    return Line(position, describe(event), "" if rule == "-" else rule, is_head=isinstance(event, GameEnded))


class _Model(QAbstractListModel):
    """The lines, as a screen reader reads them."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.lines: tuple[Line, ...] = ()
        self.position = 0

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.lines[index.row()]
        if role == LINE_ROLE:
            return line
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{line.text} {line.rule}".strip()
        if role == Qt.ItemDataRole.AccessibleTextRole:
            when = "" if line.position < self.position else "now: "
            return f"{'still to come: ' if line.position > self.position else when}{line.text}"
        return None


class _Painter(QStyledItemDelegate):
    """Draws a line: bold heads, the present moment marked by form and ground, the future faded."""

    def __init__(self, script: Script) -> None:
        super().__init__(script)
        self._script = script

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        line: Line = index.data(LINE_ROLE)
        width = self._script.viewport().width()
        return QSize(width, self._text_box(line, width).height() + theme.SPACE // 2)

    def _font(self, line: Line) -> QFont:
        return theme.font("body", is_bold=line.is_head)

    def _left(self) -> int:
        return theme.size("body") + theme.SPACE // 2

    def _text_box(self, line: Line, width: int) -> QRect:
        room = max(width - self._left() - theme.SPACE // 2, 40)
        return QFontMetrics(self._font(line)).boundingRect(
            QRect(0, 0, room, 99999), Qt.TextFlag.TextWordWrap, f"{line.text} {line.rule}"
        )

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line: Line = index.data(LINE_ROLE)
        colors = theme.colors()
        rect: QRect = option.rect
        is_now = line.position == self._script.position
        painter.save()
        if is_now:
            ground = QColor(colors.accent)
            ground.setAlphaF(GROUND)
            painter.fillRect(rect, ground)
            painter.fillRect(QRect(rect.left(), rect.top(), 4, rect.height()), colors.accent)
        if index == self._script.currentIndex() and self._script.hasFocus():
            painter.setPen(colors.accent)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.setFont(self._font(line))
        inside = rect.adjusted(self._left(), theme.SPACE // 4, -theme.SPACE // 2, 0)
        faded = line.position > self._script.position
        if faded:
            painter.setOpacity(FADED)
        painter.setPen(colors.soft if faded else colors.ink)
        painter.drawText(inside, Qt.TextFlag.TextWordWrap, f"{line.text} {line.rule}")
        if is_now:
            painter.setPen(colors.ink)
            painter.drawText(rect.adjusted(6, theme.SPACE // 4, 0, 0), 0, MARK)
        painter.restore()


class Script(Dressed, QListView):
    """The whole log; `momentChosen` carries the position of a line that was clicked or entered."""

    momentChosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Log of the whole game: Enter goes to a line's moment")
        self._model = _Model(self)
        self.setModel(self._model)
        self.setItemDelegate(_Painter(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setTabKeyNavigation(False)
        self.activated.connect(self._on_chosen)
        self.clicked.connect(self._on_chosen)
        self.rule_action = QAction("Open the &rule of this line", self)
        self.rule_action.setShortcut("Ctrl+R")
        self.rule_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.rule_action.triggered.connect(self._on_rule)
        self.addAction(self.rule_action)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.dress()

    @property
    def position(self) -> int:
        """The moment that is marked, as a number of choices."""
        return self._model.position

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines."""
        return self._model.lines

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Show other lines: those that other eyes were told."""
        self._model.beginResetModel()
        self._model.lines = tuple(lines)
        self._model.endResetModel()

    def set_position(self, position: int) -> None:
        """Mark the lines of a moment, and bring them into sight."""
        lines = self._model.lines
        if not lines:
            self._model.position = position
            return
        positions = [line.position for line in lines]
        first, end = bisect_left(positions, position), bisect_right(positions, position)
        self._model.position = position
        self._model.dataChanged.emit(self._model.index(0), self._model.index(len(lines) - 1))
        # A moment that brought no line is shown by the last one before it.
        row = first if first < end else max(end - 1, 0)
        current = self.currentIndex().row()
        if not first <= current < end:
            self.setCurrentIndex(self._model.index(row))
        self.scrollTo(self._model.index(row), QListView.ScrollHint.PositionAtCenter)
        self.viewport().update()

    def now(self) -> tuple[Line, ...]:
        """Return the lines of the moment that is marked."""
        return tuple(line for line in self._model.lines if line.position == self._model.position)

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        self.momentChosen.emit(self._model.lines[index.row()].position)

    @Slot()
    def _on_rule(self) -> None:
        index = self.currentIndex()
        if index.isValid() and self._model.lines[index.row()].rule:
            open_rule(f"rule:{self._model.lines[index.row()].rule}")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()

    def _dress(self) -> None:
        self.scheduleDelayedItemsLayout()
