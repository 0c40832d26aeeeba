"""The list of turning points: a mark as in the plot, when and for whom, what was told of it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app import theme
from app.after import words
from app.panels.dressed import Dressed
from engine.raid.chronicle import Chronicle

POSITION, TITLE, DETAIL, FAVOURED = (Qt.ItemDataRole.UserRole + number for number in range(4))
WRAP = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
Index = QModelIndex | QPersistentModelIndex


class _PointDelegate(QStyledItemDelegate):
    """Draws a turning point; all of its text wraps."""

    def _fonts(self) -> tuple[QFont, QFont]:
        return theme.font("body", is_bold=True), theme.font("body")

    def _boxes(self, index: Index, left: int, top: int, width: int) -> tuple[QRect, QRect]:
        """Return where title and detail go."""
        mark = self._mark_width()
        room = max(1, width - mark - theme.SPACE)
        boxes: list[QRect] = []
        at = top + theme.SPACE // 2
        for font, role in zip(self._fonts(), (TITLE, DETAIL), strict=True):
            metrics = QFontMetrics(font)
            found = metrics.boundingRect(QRect(0, 0, room, 1_000_000), WRAP, str(index.data(role)))
            boxes.append(QRect(left + mark, at, room, found.height()))
            at += found.height()
        return boxes[0], boxes[1]

    def _mark_width(self) -> int:
        return round(theme.size("body") * 1.8)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view = self.parent()
        width = view.viewport().width() if isinstance(view, QAbstractItemView) else 100
        _, detail = self._boxes(index, 0, 0, width)
        return QSize(width, detail.bottom() + theme.SPACE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colors = theme.colors()
        area: QRect = option.rect
        state: QStyle.StateFlag = option.state
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        ground, ink = (colors.ink, colors.field) if is_selected else (colors.field, colors.ink)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(area, ground)
        painter.setPen(QPen(colors.faint, 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        boxes = self._boxes(index, area.left(), area.top(), area.width())
        self._paint_mark(painter, boxes[0], str(index.data(FAVOURED)), ink)
        painter.setPen(ink)
        for font, box, role in zip(self._fonts(), boxes, (TITLE, DETAIL), strict=True):
            painter.setFont(font)
            painter.drawText(box, WRAP, str(index.data(role)))
        painter.restore()

    def _paint_mark(self, painter: QPainter, title: QRect, side: str, rim: QColor) -> None:
        """Draw the plot's triangle: up for the Terminators, down for the CloneMaster."""
        reach = theme.size("body") * 0.4
        line = QFontMetrics(self._fonts()[0]).height()
        middle = QPointF(title.left() - self._mark_width() / 2, title.top() + line / 2)
        way = -1 if side == "terminator" else 1
        painter.setPen(QPen(rim, 1.5))
        painter.setBrush(theme.colors().side(side))
        painter.drawPolygon(
            QPolygonF(
                [
                    middle + QPointF(0, way * reach),
                    middle + QPointF(reach, -way * reach),
                    middle + QPointF(-reach, -way * reach),
                ]
            )
        )


class PointList(Dressed, QListWidget):
    """The turning points; Enter or a double click asks for the moment in the replay."""

    momentWanted = Signal(int)

    def __init__(self, told: Chronicle, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Turning points")
        self.setItemDelegate(_PointDelegate(self))
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for number, point in enumerate(told.turning_points, 1):
            title = words.point_title(number, point)
            detail = "\n".join(line for line in (point.text, words.point_changes(point)) if line)
            item = QListWidgetItem(f"{title}\n{detail}")
            favour = point.luck if point.is_luck else point.swing
            for role, value in (
                (POSITION, point.position),
                (TITLE, title),
                (DETAIL, detail),
                (FAVOURED, "terminator" if favour > 0 else "clonemaster"),
            ):
                item.setData(role, value)
            item.setToolTip("Enter or a double click shows this moment in the replay")
            self.addItem(item)
        if self.count():
            self.setCurrentRow(0)
        self.itemActivated.connect(self._on_activated)
        self.dress()

    def _dress(self) -> None:
        self.scheduleDelayedItemsLayout()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def show_moment(self) -> None:
        """Ask for the selected moment."""
        item = self.currentItem()
        if item is not None:
            self._on_activated(item)

    @Slot(object)
    def _on_activated(self, item: QListWidgetItem) -> None:
        self.momentWanted.emit(item.data(POSITION))
