"""The list of saved games: each row a small picture of the board, title, players and how far the game is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPalette, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app import theme
from app.board.picture import board_image, picture_size
from app.game_files import GameFile, SavedGame
from app.markup import as_text
from engine.raid.scenario import load_scenario, plan_of

PIXELS: Final = (5, 9)  # of a square in a picture
SHARE: Final = 0.36  # of the list's width that a picture may take
LINES: Final = 3  # for how far a game is
ROW_ROLE: Final = Qt.ItemDataRole.UserRole
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_Index = QModelIndex | QPersistentModelIndex


class GameRow(SavedGame):
    """A game in the list."""

    def __init__(self, file: GameFile) -> None:
        super().__init__(file)
        self.picture: QPixmap | None = None

    def draw(self, room: QSize, pixel_ratio: float) -> None:
        """Draw the picture for its room, as far as the board is known."""
        standing = self.standing
        if standing is not None and standing.view is not None and standing.plan is not None:
            size = picture_size(standing.plan, 1)
            pixels = min(_pixels(), room.width() / size.width(), room.height() / size.height())
            image = board_image(standing.plan, standing.view, pixels, pixel_ratio)
            self.picture = QPixmap.fromImage(image)

    def fits(self, words: Sequence[str], kind: str) -> bool:
        """Return whether a search and filter find it; deleted games are found only among themselves."""
        if kind == "all":
            if self.file.kind == "deleted":
                return False
        elif kind != self.file.kind:
            return False
        text = f"{self.title} {self.players} {self.detail} {self.file.path.stem}".casefold()
        return all(word in text for word in words)


def _pixels() -> int:
    return max(PIXELS[0], min(PIXELS[1], round(theme.size("body") * 0.45)))


def picture_room(width: int) -> QSize:
    """Return the room of a picture in a list so wide: the standard map's, which other maps fit into."""
    plan = plan_of(load_scenario("basic"))
    whole = picture_size(plan, 1)
    return picture_size(plan, max(PIXELS[0], min(_pixels(), int(width * SHARE / whole.width()))))


class _Delegate(QStyledItemDelegate):
    """Draws a row: the picture, then title, players and how far it is."""

    def __init__(self, view: QListWidget) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        picture = picture_room(self._view.viewport().width())
        body, small = QFontMetrics(theme.font("body")), QFontMetrics(theme.font("small"))
        text = 2 * body.height() + LINES * small.height()
        high = max(picture.height(), text) + 2 * theme.SPACE
        return QSize(self._view.viewport().width(), high)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        shown: GameRow = index.data(ROW_ROLE)
        state, rect, palette = option.state, option.rect, option.palette
        is_chosen = bool(state & QStyle.StateFlag.State_Selected)
        colors = theme.colors()
        painter.save()
        if is_chosen:
            painter.fillRect(rect, palette.color(QPalette.ColorRole.Highlight))
        room = picture_room(self._view.viewport().width())
        place = QRect(rect.left() + theme.SPACE, rect.top() + theme.SPACE, room.width(), room.height())
        self._paint_picture(painter, place, shown)
        ink = colors.field if is_chosen else colors.ink
        soft = colors.field if is_chosen else colors.soft
        left = place.right() + theme.SPACE * 2
        wide = rect.right() - left - theme.SPACE
        top = rect.top() + theme.SPACE
        for text, font, colour, lines in (
            (shown.title, theme.font("body", is_bold=True), ink, 1),
            (shown.players, theme.font("body"), ink, 1),
            (shown.detail, theme.font("small"), soft, LINES),
        ):
            metrics = QFontMetrics(font)
            box = QRect(left, top, wide, metrics.height() * lines)
            painter.setFont(font)
            painter.setPen(colour)
            if lines == 1:
                text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, wide)
                painter.drawText(box, _LEFT, text)
            else:
                painter.drawText(box, Qt.TextFlag.TextWordWrap | _LEFT, text)
            top += metrics.height() * lines
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(colors.ink, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        painter.restore()

    def _paint_picture(self, painter: QPainter, place: QRect, shown: GameRow) -> None:
        colors = theme.colors()
        painter.fillRect(place, colors.paper)
        if shown.picture is not None:
            size = shown.picture.deviceIndependentSize()
            painter.drawPixmap(
                place.left() + round((place.width() - size.width()) / 2),
                place.top() + round((place.height() - size.height()) / 2),
                shown.picture,
            )
        painter.setPen(QPen(colors.faint, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(place)
        if shown.problem:
            painter.setPen(colors.danger)
            painter.setFont(theme.font("display", is_title=True))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, "!")


class GameList(QListWidget):
    """The games found. `resized` follows every change of the room for pictures."""

    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Saved games")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        # All rows are as high as one another: only the first is measured.
        self.setUniformItemSizes(True)
        self.setItemDelegate(_Delegate(self))

    def fill(self, rows: Sequence[GameRow]) -> None:
        """Show these games and no others."""
        self.clear()
        for shown in rows:
            item = QListWidgetItem()
            item.setData(ROW_ROLE, shown)
            _describe(item, shown)
            self.addItem(item)

    def rows(self) -> list[GameRow]:
        """Return all games of the list, those that are hidden too."""
        return [self.item(number).data(ROW_ROLE) for number in range(self.count())]

    def chosen(self) -> GameRow | None:
        """Return the game chosen."""
        items = [item for item in self.selectedItems() if not item.isHidden()]
        found: GameRow | None = items[0].data(ROW_ROLE) if items else None
        return found

    def choose(self, path: Path) -> None:
        """Choose the game of a file, if it is not hidden."""
        for number, shown in enumerate(self.rows()):
            item = self.item(number)
            if shown.file.path == path and not item.isHidden():
                self.setCurrentItem(item)
                self.scrollToItem(item)
                return

    def choose_from(self, number: int) -> None:
        """Choose the first game that is not hidden from a row on."""
        for at in range(number, self.count()):
            if not self.item(at).isHidden():
                self.setCurrentRow(at)
                return

    def show_found(self, words: Sequence[str], kind: str) -> int:
        """Hide what a search and filter do not find; return how many games they find."""
        found = []
        for number, shown in enumerate(self.rows()):
            is_found = shown.fits(words, kind)
            self.item(number).setHidden(not is_found)
            if is_found:
                found.append(number)
        if self.chosen() is None and found:
            self.setCurrentRow(found[0])
        self.setVisible(bool(found))
        return len(found)

    def show_more(self, shown: GameRow, words: Sequence[str], kind: str) -> None:
        """Show what has become known of a game, and hide it if the search does not find it now."""
        item = self.item(self.rows().index(shown))
        _describe(item, shown)
        if words:
            item.setHidden(not shown.fits(words, kind))
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # The list has opened the game; the dialog must not press its first button as well.
            event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def shown_items(self) -> Iterator[QListWidgetItem]:
        """Yield the items in sight, from the top."""
        box = self.viewport().rect()
        item = self.itemAt(box.left() + 1, box.top() + 1)
        at = self.row(item) if item is not None else 0
        for number in range(at, self.count()):
            item = self.item(number)
            if not item.isHidden():
                if self.visualItemRect(item).top() > box.bottom():
                    return
                yield item


def _describe(item: QListWidgetItem, shown: GameRow) -> None:
    """Say for a screen reader what a row draws."""
    said = ", ".join(filter(None, (shown.title, shown.players, shown.detail)))
    item.setData(Qt.ItemDataRole.AccessibleTextRole, said)
    item.setToolTip(as_text(shown.problem))
