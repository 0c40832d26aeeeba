"""All saved games in one list, each with a small picture of its board: go on, replay, keep in order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import (
    QEvent,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPalette,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QInputDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app import game_files, theme
from app.board.picture import board_image, picture_size
from app.dialogs.export import ExportDialog
from app.exports import of_end
from app.game_files import GameFile, SavedGame
from app.panels.widgets import THEME_EVENTS, Label, row
from engine.core.files import BadFile
from engine.core.record import load_record
from engine.raid.match import RaidReplay
from engine.raid.scenario import load_scenario, plan_of

KINDS: Final = (
    ("all", "All games"),
    ("unfinished", "Unfinished"),
    ("finished", "Finished"),
    ("deleted", "Deleted"),
)
SLICE: Final = 0.012  # s of work between two looks at the keyboard
PAUSE: Final = 5  # ms
PIXELS: Final = (5, 9)  # of a square in a picture
SHARE: Final = 0.36  # of the list's width that a picture may take
EXPORT_FILTER: Final = "Games (*.json)"
IMPORT_FILTER: Final = "Games (*.json *.txt);;All files (*)"
FAULTS_SHOWN: Final = 12
LINES: Final = 3  # for how far a game is
ROW_ROLE: Final = Qt.ItemDataRole.UserRole
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_Index = QModelIndex | QPersistentModelIndex


class _Row(SavedGame):
    """A game in the list."""

    def __init__(self, file: GameFile) -> None:
        super().__init__(file)
        self.picture: QPixmap | None = None

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


def _picture_room(width: int) -> QSize:
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
        picture = _picture_room(self._view.viewport().width())
        body, small = QFontMetrics(theme.font("body")), QFontMetrics(theme.font("small"))
        text = 2 * body.height() + LINES * small.height()
        high = max(picture.height(), text) + 2 * theme.SPACE
        return QSize(self._view.viewport().width(), high)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        shown: _Row = index.data(ROW_ROLE)
        state, rect, palette = option.state, option.rect, option.palette
        is_chosen = bool(state & QStyle.StateFlag.State_Selected)
        colors = theme.colors()
        painter.save()
        if is_chosen:
            painter.fillRect(rect, palette.color(QPalette.ColorRole.Highlight))
        room = _picture_room(self._view.viewport().width())
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

    def _paint_picture(self, painter: QPainter, place: QRect, shown: _Row) -> None:
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


def _describe(item: QListWidgetItem, shown: _Row) -> None:
    """Say for a screen reader what a row draws."""
    said = ", ".join(filter(None, (shown.title, shown.players, shown.detail)))
    item.setData(Qt.ItemDataRole.AccessibleTextRole, said)
    item.setToolTip(shown.problem)


class GameList(QListWidget):
    """The games found."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Saved games")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        # All rows are as high as one another: only the first is measured.
        self.setUniformItemSizes(True)
        self.setItemDelegate(_Delegate(self))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # The list has opened the game; the dialog must not press its first button as well.
            event.accept()

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


def dropped_files(data: QMimeData) -> list[Path]:
    """Return the files that are dragged along."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


class SavedGamesDialog(QDialog):
    """All saved games. `continueWanted` and `replayWanted` carry a file's path; the dialog is closed then.

    `open_path` is the game being played, which can be exported but not renamed or deleted.
    """

    continueWanted = Signal(object)
    replayWanted = Signal(object)

    def __init__(self, parent: QWidget | None = None, *, open_path: Path | None = None) -> None:
        self._text_size = theme.size("body")  # first: change events come from here on
        super().__init__(parent)
        self.setWindowTitle("Saved games")
        self.setAccessibleName("Saved games")
        self.setAcceptDrops(True)
        self._open_path = open_path
        self._deleted: list[tuple[Path, str]] = []
        self._work: tuple[_Row, Iterator[None]] | None = None
        self._room = QSize()
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search: title, player, scenario, turn…")
        self.search.setAccessibleName("Search")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.kinds = QComboBox()
        self.kinds.setAccessibleName("Which games")
        for kind, text in KINDS:
            self.kinds.addItem(text, kind)
        self.kinds.currentIndexChanged.connect(self._filter)
        self.list = GameList()
        self.list.itemActivated.connect(self._on_open)
        self.list.itemSelectionChanged.connect(self._on_selected)
        self.empty = Label("", is_soft=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setMargin(theme.SPACE * 4)
        self.problem = Label("", "small")
        self.problem.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.said = Label("")
        self.undo_button = self._button("&Undo", "Ctrl+Z", self._on_undo)
        self.open_button = self._button("&Continue", "", self._on_open)
        self.replay_button = self._button("Repla&y", "Ctrl+R", self._on_replay)
        self.replay_button.setToolTip("Go through what both sides have seen so far (Ctrl+R)")
        self.rename_button = self._button("&Rename…", "F2", self._on_rename)
        self.delete_button = self._button("&Delete", "Del", self._on_delete)
        self.export_button = self._button("&Export…", "Ctrl+E", self._on_export)
        self.import_button = self._button("&Import…", "Ctrl+I", self._on_import)
        self.paste_button = self._button("&Paste", "Ctrl+V", self._on_paste)
        self.paste_button.setToolTip("Take in a game that was copied as text (Ctrl+V)")
        self.close_button = self._button("Close", "Esc", self.reject)
        right = QVBoxLayout()
        right.setSpacing(theme.SPACE)
        for button in (
            self.open_button,
            self.rename_button,
            self.delete_button,
            self.export_button,
            self.replay_button,
        ):
            right.addWidget(button)
        # The other buttons stay where they are while one goes through the list.
        policy = self.replay_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.replay_button.setSizePolicy(policy)
        right.addSpacing(theme.SPACE * 2)
        right.addWidget(self.import_button)
        right.addWidget(self.paste_button)
        right.addStretch(1)
        right.addWidget(self.close_button)
        label = QLabel("Sho&w")
        label.setBuddy(self.kinds)
        head = row(self.search, label, self.kinds)
        head.setStretch(0, 1)
        left = QVBoxLayout()
        left.setSpacing(theme.SPACE)
        left.addWidget(self.list, 1)
        left.addWidget(self.empty, 1)
        left.addWidget(self.problem)
        foot = row(self.said, self.undo_button)
        foot.setStretch(0, 1)
        body = row(left, right)
        body.setStretch(0, 1)
        layout = QVBoxLayout(self)
        layout.setSpacing(theme.SPACE)
        layout.addLayout(head)
        layout.addLayout(body, 1)
        layout.addLayout(foot)
        self._idle = QTimer(self)
        self._idle.setInterval(PAUSE)
        self._idle.timeout.connect(self._go_on)
        self.undo_button.hide()
        self.problem.hide()
        self.said.hide()
        self._resize()
        self.refresh()
        self.list.setFocus()

    def _button(self, text: str, key: str, slot: object) -> QPushButton:
        button = QPushButton(text)
        button.setAccessibleName(text.replace("&", "").rstrip("…"))
        # Return presses what has the focus, or opens the game.
        button.setAutoDefault(True)
        if key:
            button.setToolTip(f"{button.accessibleName()} ({key})")
        if key and key != "Esc":
            button.setShortcut(key)
        button.clicked.connect(slot)
        return button

    def _resize(self) -> None:
        body = theme.size("body")
        wanted = QSize(body * 62, body * 46)
        room = self.screen().availableGeometry().size() * 0.92
        self.resize(wanted.boundedTo(room))

    # The list.

    def refresh(self, chosen: Path | None = None) -> None:
        """Read the folder of games anew, and choose a game."""
        before = {shown.file: shown for shown in self._rows()}
        self._work = None
        self.list.clear()
        for file in game_files.game_files():
            item = QListWidgetItem()
            shown = before.get(file) or _Row(file)
            item.setData(ROW_ROLE, shown)
            _describe(item, shown)
            self.list.addItem(item)
        self._filter()
        if chosen is not None:
            self._choose(chosen)
        self._idle.start()

    def _rows(self) -> list[_Row]:
        return [self.list.item(number).data(ROW_ROLE) for number in range(self.list.count())]

    def _choose(self, path: Path) -> None:
        for number in range(self.list.count()):
            item = self.list.item(number)
            if item.data(ROW_ROLE).file.path == path and not item.isHidden():
                self.list.setCurrentItem(item)
                self.list.scrollToItem(item)
                return

    @property
    def chosen(self) -> _Row | None:
        """The game chosen in the list."""
        items = [item for item in self.list.selectedItems() if not item.isHidden()]
        found: _Row | None = items[0].data(ROW_ROLE) if items else None
        return found

    @Slot()
    def _filter(self) -> None:
        words = self.search.text().casefold().split()
        kind = str(self.kinds.currentData())
        count = 0
        first = None
        for number in range(self.list.count()):
            item = self.list.item(number)
            is_found = item.data(ROW_ROLE).fits(words, kind)
            item.setHidden(not is_found)
            count += is_found
            first = item if is_found and first is None else first
        if self.chosen is None and first is not None:
            self.list.setCurrentItem(first)
        self.list.setVisible(count > 0)
        self.empty.setVisible(count == 0)
        self.empty.setText(self._empty_words(words, kind))
        self._on_selected()

    def _empty_words(self, words: Sequence[str], kind: str) -> str:
        if words:
            return "No game has all of these words. Search for less, or show all games."
        if kind == "deleted":
            return "Nothing is deleted."
        return (
            "No game yet. Every game saves itself after each choice and is listed here. "
            "A game's file can be imported, or dropped onto this window."
        )

    # What a row shows is worked out between two events: first of the games in sight, then of the others.

    @Slot()
    def _go_on(self) -> None:
        room = _picture_room(self.list.viewport().width())
        if room != self._room:
            self._room = room
            self._forget_pictures()
        end = time.monotonic() + SLICE
        while time.monotonic() < end:
            if not self._step():
                self._idle.stop()
                return

    def _step(self) -> bool:
        """Do a bit of what is still to be done; return whether there was anything."""
        if self._work is not None:
            shown, work = self._work
            try:
                next(work)
            except StopIteration:
                self._work = None
                self._draw(shown)
            return True
        for items in (self.list.shown_items(), map(self.list.item, range(self.list.count()))):
            for item in items:
                if self._begin(item.data(ROW_ROLE)):
                    return True
        return False

    def _forget_pictures(self) -> None:
        for shown in self._rows():
            shown.picture = None

    def _begin(self, shown: _Row) -> bool:
        """Begin with what a row lacks; return whether it lacked anything."""
        if shown.info is None:
            shown.read()
            self._write(shown)
            return True
        if shown.info.problem:
            return False
        if shown.standing is None:
            self._work = shown, shown.go_through()
            return True
        if shown.picture is None and shown.standing.view is not None:
            self._draw(shown)
            return True
        return False

    def _draw(self, shown: _Row) -> None:
        standing, room = shown.standing, self._room
        if standing is not None and standing.view is not None and standing.plan is not None:
            size = picture_size(standing.plan, 1)
            pixels = min(_pixels(), room.width() / size.width(), room.height() / size.height())
            image = board_image(standing.plan, standing.view, pixels, self.devicePixelRatioF())
            shown.picture = QPixmap.fromImage(image)
        self._write(shown)

    def _write(self, shown: _Row) -> None:
        """Show what has become known of a row, and whether the search finds it now."""
        words, kind = self.search.text().casefold().split(), str(self.kinds.currentData())
        for number in range(self.list.count()):
            item = self.list.item(number)
            if item.data(ROW_ROLE) is shown:
                _describe(item, shown)
                if words:
                    item.setHidden(not shown.fits(words, kind))
                break
        self.list.viewport().update()
        if shown is self.chosen:
            self._on_selected()

    # What may be done with the game chosen.

    @Slot()
    def _on_selected(self) -> None:
        shown = self.chosen
        kind = shown.file.kind if shown is not None else "unfinished"
        problem = shown.problem if shown is not None else ""
        words = {"unfinished": "&Continue", "finished": "&Replay", "deleted": "&Put back"}[kind]
        self.open_button.setText(words)
        self.open_button.setAccessibleName(words.replace("&", ""))
        self.open_button.setEnabled(shown is not None and (not problem or kind == "deleted"))
        is_open = self._is_open(shown)
        barred = "This game is being played now. Go to the start screen first (Ctrl+L)." if is_open else ""
        for button, is_fit in (
            (self.rename_button, not problem and kind != "deleted"),
            (self.delete_button, kind != "deleted"),
        ):
            button.setEnabled(shown is not None and is_fit and not is_open)
        self.export_button.setEnabled(shown is not None)
        # A finished game is opened as its replay; of another one not all can be seen yet.
        self.replay_button.setVisible(kind == "unfinished")
        self.replay_button.setEnabled(not problem and shown is not None and shown.choices > 0)
        lines = problem.splitlines()
        if len(lines) > FAULTS_SHOWN:
            lines = [*lines[:FAULTS_SHOWN], f"and {len(lines) - FAULTS_SHOWN} more"]
        self.problem.setText("\n".join(lines) or barred)
        self.problem.setVisible(bool(lines or barred))

    def _is_open(self, shown: _Row | None) -> bool:
        """Return whether a game is the one being played, by whatever path its file was reached."""
        if shown is None or self._open_path is None:
            return False
        try:
            return shown.file.path.samefile(self._open_path)
        except OSError:
            return False  # one of them is gone

    @Slot()
    def _on_open(self) -> None:
        shown = self.chosen
        if shown is None or not self.open_button.isEnabled():
            return
        path = shown.file.path
        if shown.file.kind == "deleted":
            self._take_back(path, shown.title)
            return
        self.accept()
        if self._is_open(shown):
            return
        (self.continueWanted if shown.file.kind == "unfinished" else self.replayWanted).emit(path)

    @Slot()
    def _on_replay(self) -> None:
        shown = self.chosen
        if shown is not None:
            self.accept()
            self.replayWanted.emit(shown.file.path)

    @Slot()
    def _on_rename(self) -> None:
        shown = self.chosen
        if shown is None:
            return
        title, is_given = QInputDialog.getText(
            self, "Rename the game", "Title:", QLineEdit.EchoMode.Normal, shown.title
        )
        if not is_given or not title.strip() or title == shown.title:
            return
        try:
            game_files.rename(shown.file.path, title)
        except (BadFile, OSError) as error:
            self._warn("The game cannot be renamed.", error)
            return
        shown.info = None
        self.refresh(shown.file.path)
        self._say(f"Renamed to “{title.strip()}”.")

    @Slot()
    def _on_delete(self) -> None:
        shown = self.chosen
        if shown is None:
            return
        answer = QMessageBox.question(
            self,
            "Delete the game?",
            f"Delete “{shown.title}” of {shown.file.day}?\n\nIt goes to the deleted games, "
            "from where it can be put back.",
        )
        if answer != QMessageBox.StandardButton.Yes:
            return
        at = self.list.currentRow()
        try:
            gone = game_files.delete(shown.file.path)
        except OSError as error:
            self._warn("The game cannot be deleted.", error)
            return
        self._deleted.append((gone, shown.title))
        self.refresh()
        following = next(
            (one for one in range(at, self.list.count()) if not self.list.item(one).isHidden()), None
        )
        if following is not None:
            self.list.setCurrentRow(following)
        self._say(f"“{shown.title}” is deleted.", may_undo=True)

    @Slot()
    def _on_undo(self) -> None:
        if self._deleted:
            self._take_back(*self._deleted[-1])

    def _take_back(self, path: Path, title: str) -> None:
        """Put a deleted game back to the others."""
        try:
            back = game_files.put_back(path)
        except OSError as error:
            self._warn("The game cannot be put back.", error)
            return
        self._deleted = [one for one in self._deleted if one[0] != path]
        if self.kinds.currentData() == "deleted":
            self.kinds.setCurrentIndex(0)
        self.refresh(back)
        self._say(f"“{title}” is back.", may_undo=bool(self._deleted))
        self.list.setFocus()

    @Slot()
    def _on_export(self) -> None:
        shown = self.chosen
        if shown is None:
            return
        path = shown.file.path
        if not shown.problem:
            try:
                export = of_end(RaidReplay.of(load_record(path)), path)
            except BadFile:
                pass  # changed since it was looked at: then the file is all there is
            else:
                dialog = ExportDialog(export, self, form="file")
                dialog.finished.connect(dialog.deleteLater)
                dialog.open()
                return
        name, _ = QFileDialog.getSaveFileName(
            self, "Export the file", str(Path.home() / path.name), EXPORT_FILTER
        )
        if not name:
            return
        target = Path(name)
        if not target.suffix:
            target = target.with_suffix(".json")
        try:
            game_files.export(path, target)
        except (BadFile, OSError) as error:
            self._warn("The game cannot be exported.", error)
            return
        self._say(f"Exported to {target}.")

    @Slot()
    def _on_import(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, "Import games", str(Path.home()), IMPORT_FILTER)
        self.import_files([Path(name) for name in names])

    def import_files(self, paths: Sequence[Path]) -> None:
        """Take files into the folder of games; those that cannot be used are told with their faults."""
        self._take_in([(path.name, partial(game_files.import_game, path)) for path in paths])

    @Slot()
    def _on_paste(self) -> None:
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            self._say("Nothing is copied. Export… copies a game as text.")
            return
        self._take_in([("What was copied", partial(game_files.import_text, text))])

    def _take_in(self, sources: Sequence[tuple[str, Callable[[], Path]]]) -> None:
        """Take games in, each by its name and what does it."""
        taken: list[Path] = []
        faults: list[str] = []
        for name, take in sources:
            try:
                taken.append(take())
            except BadFile as error:
                faults += [f"{name}: {line}" for line in error.problems]
            except OSError as error:
                faults.append(f"{name}: {error.strerror or error}")
        if taken:
            self.search.clear()
            self.kinds.setCurrentIndex(0)
            self.refresh(taken[-1])
            self._say(f"Imported {len(taken)} game{'' if len(taken) == 1 else 's'}.")
        if faults:
            if len(faults) > FAULTS_SHOWN:
                faults = [*faults[:FAULTS_SHOWN], f"and {len(faults) - FAULTS_SHOWN} more"]
            self._warn("This cannot be imported; nothing of it was taken.", "\n".join(faults))

    def _say(self, text: str, *, may_undo: bool = False) -> None:
        self.said.setText(text)
        self.said.show()
        self.undo_button.setVisible(may_undo)

    def _warn(self, text: str, error: object) -> None:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        QMessageBox.warning(self, self.windowTitle(), f"{text}\n\n{reason}")

    # Events.

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = dropped_files(event.mimeData())
        event.acceptProposedAction()
        # The drag ends first, so that the program dragged from does not wait for what is said here.
        QTimer.singleShot(0, self, lambda: self.import_files(files))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._idle.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.search.setFocus()
        elif event.key() == Qt.Key.Key_Down and self.search.hasFocus():
            self.list.setFocus()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in THEME_EVENTS and hasattr(self, "_idle"):
            self._forget_pictures()
            if theme.size("body") != self._text_size:
                self._text_size = theme.size("body")
                self._resize()
            self.list.scheduleDelayedItemsLayout()
            self._idle.start()

    def done(self, result: int) -> None:
        self._idle.stop()
        super().done(result)
