"""The list of problems as a tree: one row a problem, and one row with a count for many of a kind."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, QPointF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QApplication

from app import theme
from editor.problems.checking import Checker
from editor.problems.kinds import title_of
from editor.words import capitalized
from engine.fortress.problems import Problem

SEVERITY, MESSAGE, PLACE = range(3)
HEADINGS: Final = ("", "Problem", "Place")
WORDS: Final = {"error": "Error", "warning": "Warning"}
MUTED: Final = "Muted"

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole


class Group(NamedTuple):
    """The problems of one kind, in the order in which they were found."""

    code: str
    severity: str
    is_muted: bool
    problems: tuple[Problem, ...]

    @property
    def word(self) -> str:
        """How bad they are, in a word."""
        return MUTED if self.is_muted else WORDS[self.severity]


class ProblemsModel(QAbstractItemModel):
    """Problems by kind, errors first; a kind with one problem is that problem.

    Places are worked out for rows that are shown, not before.
    """

    def __init__(self, checker: Checker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._checker = checker
        self.groups: tuple[Group, ...] = ()
        self._icons: dict[tuple[str, int, str], QIcon] = {}

    def show(self, *, with_muted: bool) -> None:
        """Show what the checker knows now, muted warnings last or not at all."""
        kinds: dict[tuple[bool, str, str], list[Problem]] = {}
        for problem in self._checker.told:
            kinds.setdefault((False, problem.severity, problem.code), []).append(problem)
        for problem in self._checker.muted if with_muted else ():
            kinds.setdefault((True, problem.severity, problem.code), []).append(problem)
        self.beginResetModel()
        self.groups = tuple(
            Group(code, severity, is_muted, tuple(found))
            for (is_muted, severity, code), found in kinds.items()
        )
        self.endResetModel()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems in the order of the list."""
        return tuple(problem for group in self.groups for problem in group.problems)

    def problem_at(self, index: Index) -> Problem | None:
        """Return the problem of a row; the first one for a row of many, None for no row."""
        found = self._found(index)
        return None if found is None else found[0].problems[max(found[1], 0)]

    def group_at(self, index: Index) -> Group | None:
        """Return the kind of a row's problem; None for no row."""
        found = self._found(index)
        return None if found is None else found[0]

    def index_of(self, problem: Problem) -> QModelIndex:
        """Return the row of a problem; an invalid one where it is not listed."""
        for row, group in enumerate(self.groups):
            if group.code == problem.code and problem in group.problems:
                top = self.index(row, 0)
                if len(group.problems) == 1:
                    return top
                return self.index(group.problems.index(problem), 0, top)
        return QModelIndex()

    def _found(self, index: Index) -> tuple[Group, int] | None:
        """Return a row's group, and the number in it, -1 for the group's own row."""
        if not index.isValid():
            return None
        at = int(index.internalId())
        return (self.groups[index.row()], -1) if at == 0 else (self.groups[at - 1], index.row())

    # Qt

    def index(self, row: int, column: int, parent: Index | None = None) -> QModelIndex:
        if parent is None or not parent.isValid():
            is_there = 0 <= row < len(self.groups) and 0 <= column < len(HEADINGS)
            return self.createIndex(row, column, 0) if is_there else QModelIndex()
        if parent.internalId() != 0 or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1)

    def parent(self, child: Index) -> QModelIndex:  # type: ignore[override]
        at = int(child.internalId()) if child.isValid() else 0
        return self.createIndex(at - 1, 0, 0) if at else QModelIndex()

    def rowCount(self, parent: Index | None = None) -> int:
        if parent is None or not parent.isValid():
            return len(self.groups)
        if parent.internalId() != 0 or parent.column() != 0:
            return 0
        count = len(self.groups[parent.row()].problems)
        return count if count > 1 else 0

    def columnCount(self, parent: Index | None = None) -> int:
        return len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Role.DisplayRole:
            return HEADINGS[section]
        return None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        found = self._found(index)
        if found is None:
            return None
        group, number = found
        is_many = number < 0 and len(group.problems) > 1
        problem = group.problems[max(number, 0)]
        column = index.column()
        if role == Role.DisplayRole or (role == Role.ToolTipRole and column != SEVERITY):
            if column == SEVERITY:
                return group.word if number < 0 else ""
            if column == MESSAGE:
                return (
                    f"{title_of(group.code)} × {len(group.problems):,}"
                    if is_many
                    else capitalized(problem.message)
                )
            words = self._checker.place_of(problem).words
            return f"{words} and {len(group.problems) - 1:,} more" if is_many else words
        if role == Role.AccessibleTextRole:
            return f"{group.word}: {self.data(index)}" if column == MESSAGE else None
        if role == Role.DecorationRole and column == SEVERITY and number < 0:
            return self._icon(MUTED if group.is_muted else group.severity)
        if role == Role.ForegroundRole and group.is_muted:
            return theme.colors().soft
        return None

    def _icon(self, severity: str) -> QIcon:
        key = (severity, theme.size("body"), theme.colors().mode)
        icon = self._icons.get(key)
        if icon is None:
            icon = self._icons[key] = severity_icon(severity)
        return icon


def severity_icon(severity: str) -> QIcon:
    """Return the sign of a severity: a triangle for an error, a dot for a warning, a ring for a muted one."""
    icon = QIcon()
    for ratio in {1.0, *(screen.devicePixelRatio() for screen in QApplication.screens())}:
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
            side = theme.size("body")
            pixmap = QPixmap(round(side * ratio), round(side * ratio))
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            _draw_sign(painter, side, severity, is_selected=mode == QIcon.Mode.Selected)
            painter.end()
            icon.addPixmap(pixmap, mode)
    return icon


def _draw_sign(painter: QPainter, side: float, severity: str, *, is_selected: bool) -> None:
    colors = theme.colors()
    # A row that is selected is written in the colour of fields on that of ink.
    plain = colors.field if is_selected else colors.soft
    colour = QColor(colors.danger if severity == "error" else plain)
    painter.setPen(QPen(colors.ink if is_selected and severity != "error" else colors.field, 1))
    painter.setBrush(colour)
    if severity == "error":
        points = [(0.5, 0.06), (0.97, 0.92), (0.03, 0.92)]
        painter.drawPolygon(QPolygonF([QPointF(x * side, y * side) for x, y in points]))
        painter.setPen(QPen(colors.field, max(1.4, side * 0.12)))
        painter.drawLine(QPointF(0.5 * side, 0.36 * side), QPointF(0.5 * side, 0.6 * side))
        painter.drawPoint(QPointF(0.5 * side, 0.77 * side))
    elif severity == "warning":
        painter.drawEllipse(QPointF(side / 2, side / 2), side * 0.3, side * 0.3)
    else:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, max(1.4, side * 0.1)))
        painter.drawEllipse(QPointF(side / 2, side / 2), side * 0.27, side * 0.27)
