"""The start screen: one click to a game."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QTimer, Signal, Slot
from PySide6.QtGui import QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.markup import as_text
from app.panels.dressed import Dressed

if TYPE_CHECKING:
    from PySide6.QtWidgets import QListWidget, QListWidgetItem

    from app.game_files import SavedGame
    from app.lan.kept import KeptGame

# Numbers of the enumerations in `Qt`: importing that name alone would take a sixth of a bare window's start.
PATH_ROLE = 0x100  # Qt.ItemDataRole.UserRole
PROBLEM_ROLE = PATH_ROLE + 1
KEPT_ROLE = PATH_ROLE + 2  # which of the games kept for a network
ACCESSIBLE_TEXT_ROLE = 11  # Qt.ItemDataRole.AccessibleTextRole
# A painter needs `Qt` too: what it draws is added when the first window has been shown.
SETTLED_AFTER = 150  # ms
# Games are played through a little at a time, so that the screen answers in between.
LOOK_PAUSE = 10  # ms
LOOK_SLICE = 0.008  # s
ROOMY = 46  # times the size of the text that a page with all its explanations is high


class _Text(QLabel):
    """A label in a step of the type scale that follows the theme."""

    def __init__(self, text: str, step: str, *, is_title: bool = False, is_soft: bool = False) -> None:
        super().__init__(text)
        self._step, self._is_title, self._is_soft = step, is_title, is_soft
        self.setWordWrap(True)

    def dress(self) -> None:
        """Take the theme's font and colour."""
        self.setFont(theme.font(self._step, is_title=self._is_title))
        palette = self.palette()
        colors = theme.colors()
        palette.setColor(self.foregroundRole(), colors.soft if self._is_soft else colors.ink)
        self.setPalette(palette)


class _Banner(QFrame):
    """The title, on a strip of the map; the map is drawn once the window is there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setAccessibleName("Kung Fu 2100")
        self._is_settled = False
        self._title = QLabel("Kung Fu 2100")
        self._line = QLabel("Three Terminators, one fortress, ten turns.")
        self._is_tight = False
        layout = QVBoxLayout(self)
        margin = theme.SPACE * 4
        layout.setContentsMargins(margin, theme.SPACE, margin, theme.SPACE * 2)
        layout.setSpacing(0)
        layout.addWidget(self._title)
        layout.addWidget(self._line)

    def set_tight(self, is_tight: bool) -> None:
        """Leave room for the rest of the page, or take the room there is."""
        self._is_tight = is_tight
        self._line.setVisible(not is_tight)
        self.dress()

    def dress(self) -> None:
        """Take the theme's colours and sizes."""
        colors = theme.colors()
        font = theme.font("display", is_title=True)
        font.setPixelSize(round(theme.size("display") * (1.0 if self._is_tight else 1.5)))
        self._title.setFont(font)
        self._line.setFont(theme.font("body"))
        floor, wall = colors.rooms[0].name(), colors.wall.name()
        self.setStyleSheet(f"#banner {{ background: {floor}; border-bottom: 4px solid {wall}; }}")
        self.update()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(SETTLED_AFTER, self, self._settle)

    @Slot()
    def _settle(self) -> None:
        self._is_settled = True
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._is_settled:
            self._paint_map()

    def _paint_map(self) -> None:
        from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPen

        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        unit = self.height() / 4
        dots = QPainterPath()
        across = int(self.width() / unit) + 1
        for row in range(4):
            for column in range(across):
                dots.addEllipse(QPointF((column + 0.5) * unit, (row + 0.5) * unit), 1.4, 1.4)
        painter.fillPath(dots, colors.faint)
        # A door in the wall.
        painter.fillRect(QRectF(unit * 2, self.height() - 4, unit, 4), colors.rooms[0])
        for index, side in enumerate(("terminator", "clonemaster")):
            left = unit * (across - 3 + index)
            box = QRectF(left, unit * (1.0 + index), unit, unit).adjusted(3, 3, -3, -3)
            painter.setPen(QPen(colors.chip_edge, 1.5))
            painter.setBrush(colors.side(side))
            painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
            painter.setPen(QPen(colors.side_art(side), 2))
            painter.setBrush(QBrush())
            painter.drawEllipse(box.center(), box.width() / 5, box.width() / 5)


class _Lists:
    """The lists of games with what belongs to them."""

    def __init__(self) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtWidgets import QListWidget

        from app.dialogs.line_rows import LineRows

        self.games = QListWidget()
        self.games.setAccessibleName("Unfinished games")
        self.games.setWordWrap(True)
        self.continue_button = QPushButton("&Continue")
        self.continue_button.setAccessibleName("Continue the selected game")
        self.continue_button.setAutoDefault(True)
        self.forget_button = QPushButton("&Forget…")
        self.forget_button.setAccessibleName("Forget the selected game over the network")
        self.forget_button.setAutoDefault(True)
        self.finished = QListWidget()
        self.finished.setAccessibleName("Finished games to replay")
        self.finished.setWordWrap(True)
        for one in (self.games, self.finished):
            one.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            one.setItemDelegate(LineRows(one))
        self.replay_button = QPushButton("&Replay")
        self.replay_button.setAccessibleName("Replay the selected game")
        self.replay_button.setAutoDefault(True)
        self.replay_button.setEnabled(False)


def _write(item: QListWidgetItem, game: SavedGame) -> None:
    """Write a game into its row of a list."""
    title = f"{game.title}: {game.players}" if game.players else game.title
    item.setText(f"{title}\n{game.detail}")
    item.setToolTip(as_text(game.problem))
    item.setData(PATH_ROLE, str(game.file.path))
    item.setData(PROBLEM_ROLE, game.problem)
    item.setData(ACCESSIBLE_TEXT_ROLE, f"{title}, {game.detail}")


class StartPage(Dressed, QWidget):
    """What the program opens with. `continueWanted` and `replayWanted` carry a file's path.

    `keptWanted` and `forgetWanted` carry a game over the network.
    """

    playWanted = Signal()
    learnWanted = Signal()
    newWanted = Signal()
    hostWanted = Signal()
    joinWanted = Signal()
    drawWanted = Signal()
    helpWanted = Signal()
    settingsWanted = Signal()
    quitWanted = Signal()
    continueWanted = Signal(object)
    replayWanted = Signal(object)
    keptWanted = Signal(object)
    forgetWanted = Signal(object)
    allGamesWanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Start")
        self._texts: list[_Text] = []
        self._banner = _Banner()
        self.play_button = self._button("&Play now", self.playWanted)
        self.play_button.setDefault(True)
        self.learn_button = self._button("&Learn to play", self.learnWanted)
        self.new_button = self._button("&New game…", self.newWanted)
        self.host_button = self._button("H&ost a game over the network…", self.hostWanted)
        self.join_button = self._button("&Join a game…", self.joinWanted)
        self.draw_button = self._button("&Draw a fortress…", self.drawWanted)
        self.help_button = self._button("&Help and rules", self.helpWanted)
        self.settings_button = self._button("&Settings…", self.settingsWanted)
        self.quit_button = self._button("&Quit", self.quitWanted)
        self.all_button = self._button("&All games…", self.allGamesWanted)
        self._games_title = self._text("Unfinished games", "title", is_title=True)
        self._games_empty = self._text(
            "None yet. Every game saves itself after each choice, and is listed here until it is over.",
            "body",
            is_soft=True,
        )
        self._problem = self._text("", "small")
        self._finished_title = self._text("Finished games", "title", is_title=True)
        self._hints = (
            self._text(
                "The Basic scenario: you lead the Terminators, the rulebook bot holds the fortress. "
                "Their abilities are filled in.",
                "small",
                is_soft=True,
            ),
            self._text("Choose scenario, sides, names; two at one screen, or a bot.", "small", is_soft=True),
            self._text("Two machines on one network; games are found by name.", "small", is_soft=True),
            self._text("Maps and scenarios of your own, in the editor.", "small", is_soft=True),
        )
        self._is_tight: bool | None = None
        self._lists: _Lists | None = None
        self._kept: list[KeptGame] = []
        self._unlooked: list[tuple[QListWidgetItem, SavedGame]] = []
        self._look: tuple[QListWidgetItem, SavedGame, Iterator[None]] | None = None
        self._look_timer = QTimer(self)
        self._look_timer.setInterval(LOOK_PAUSE)
        self._look_timer.timeout.connect(self._look_into_next)
        self._right = QVBoxLayout()
        self._columns = QHBoxLayout()
        self._lay_out()
        for widget in (self._games_title, self._games_empty, self._problem, self._finished_title):
            widget.hide()
        self.dress()

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(theme.SPACE)
        left.addWidget(self.play_button)
        left.addWidget(self._hints[0])
        left.addSpacing(theme.SPACE)
        left.addWidget(self.learn_button)
        left.addWidget(self.new_button)
        left.addWidget(self._hints[1])
        left.addSpacing(theme.SPACE)
        left.addWidget(self.host_button)
        left.addWidget(self.join_button)
        left.addWidget(self._hints[2])
        left.addSpacing(theme.SPACE)
        left.addWidget(self.draw_button)
        left.addWidget(self._hints[3])
        left.addSpacing(theme.SPACE)
        left.addWidget(self.help_button)
        left.addStretch(1)
        # Side by side: one below the other they would not all fit a small window in large text.
        last = QHBoxLayout()
        last.addWidget(self.settings_button)
        last.addWidget(self.quit_button)
        left.addLayout(last)
        right = self._right
        right.setSpacing(theme.SPACE)
        right.addWidget(self._games_title)
        right.addWidget(self._games_empty)
        right.addWidget(self._problem)
        right.addWidget(self._finished_title)
        right.addStretch(0)
        self._columns.addLayout(left, 2)
        self._columns.addLayout(right, 3)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._banner)
        layout.addLayout(self._columns, 1)

    def _made(self) -> _Lists:
        """Return the lists, made when first needed: the first window does not wait for them."""
        if self._lists is None:
            self._lists = made = _Lists()
            made.games.itemActivated.connect(self._on_game)
            made.games.itemSelectionChanged.connect(self._on_selected)
            made.continue_button.clicked.connect(self._on_continue)
            made.forget_button.clicked.connect(self._on_forget)
            made.finished.itemActivated.connect(self._on_finished)
            made.finished.itemSelectionChanged.connect(self._on_finished_selected)
            made.replay_button.clicked.connect(self._on_replay)
            self._right.insertWidget(2, made.games, 2)
            line = QHBoxLayout()
            line.addWidget(made.continue_button)
            line.addWidget(made.forget_button)
            line.addStretch(1)
            self._right.insertLayout(4, line)
            self._right.insertWidget(6, made.finished, 1)
            below = QHBoxLayout()
            below.addWidget(made.replay_button)
            below.addStretch(1)
            below.addWidget(self.all_button)
            self._right.insertLayout(7, below)
        return self._lists

    @property
    def games(self) -> QListWidget:
        """The games to go on with."""
        return self._made().games

    @property
    def finished(self) -> QListWidget:
        """The games to replay."""
        return self._made().finished

    @property
    def continue_button(self) -> QPushButton:
        """Goes on with the selected game."""
        return self._made().continue_button

    @property
    def forget_button(self) -> QPushButton:
        """Throws the selected game over the network away."""
        return self._made().forget_button

    @property
    def replay_button(self) -> QPushButton:
        """Replays the selected finished game."""
        return self._made().replay_button

    def focus_first(self) -> None:
        """Give the focus to what is wanted most: going on with a game, or beginning one."""
        lists = self._lists
        if lists is not None and not lists.continue_button.isHidden() and lists.continue_button.isEnabled():
            lists.continue_button.setFocus()
        else:
            self.play_button.setFocus()

    def show_games(
        self,
        unfinished: Sequence[SavedGame],
        finished: Sequence[SavedGame],
        kept: Sequence[KeptGame] = (),
    ) -> None:
        """List the games to go on with, those kept for a network first, and those to replay."""
        self._unlooked, self._look = [], None
        self._fill(self.games, unfinished)
        self._fill_kept(kept)
        self._fill(self.finished, finished)
        self._games_title.show()
        has_games = bool(unfinished or kept)
        self.games.setVisible(has_games)
        self.continue_button.setVisible(has_games)
        self._games_empty.setVisible(not has_games)
        self.finished.setVisible(bool(finished))
        self._finished_title.setVisible(bool(finished))
        self.replay_button.setVisible(bool(finished))
        if has_games:
            problems = [*("" for _ in kept), *(one.problem for one in unfinished)]
            self.games.setCurrentRow(next((row for row, one in enumerate(problems) if not one), 0))
        self._on_selected()
        self._look_timer.start()

    def _fill(self, into: QListWidget, games: Sequence[SavedGame]) -> None:
        into.clear()
        from PySide6.QtWidgets import QListWidgetItem

        for game in games:
            item = QListWidgetItem()
            _write(item, game)
            into.addItem(item)
            if game.standing is None and not game.problem:
                self._unlooked.append((item, game))

    def _fill_kept(self, kept: Sequence[KeptGame]) -> None:
        from PySide6.QtWidgets import QListWidgetItem

        self._kept = list(kept)
        for number, game in enumerate(kept):
            item = QListWidgetItem(f"{game.title}\n{game.detail}")
            item.setData(KEPT_ROLE, number)
            item.setData(ACCESSIBLE_TEXT_ROLE, f"{game.title}, {game.detail}")
            self.games.insertItem(number, item)

    def _kept_of(self, item: QListWidgetItem) -> KeptGame | None:
        """Return the game over the network of a row, None for one of another kind."""
        number = item.data(KEPT_ROLE)
        return self._kept[number] if number is not None else None

    @Slot()
    def _look_into_next(self) -> None:
        """Write into the next row how far the game is or who won, which takes going through it."""
        if not self.isVisible():
            self._look_timer.stop()
            return
        end = time.monotonic() + LOOK_SLICE
        while time.monotonic() < end:
            if self._look is None:
                if not self._unlooked:
                    self._look_timer.stop()
                    return
                item, game = self._unlooked.pop(0)
                self._look = item, game, game.go_through()
            item, game, looks = self._look
            try:
                next(looks)
            except StopIteration:
                self._look = None
                _write(item, game)
                if item.isSelected():
                    self._on_selected()
                    self._on_finished_selected()

    def _button(self, text: str, signal: object) -> QPushButton:
        button = QPushButton(text)
        button.setAccessibleName(text.replace("&", "").rstrip("…"))
        button.setMinimumHeight(theme.SPACE * 5)
        # Outside a dialog only such a button takes Return.
        button.setAutoDefault(True)
        button.clicked.connect(signal)
        return button

    def _text(self, text: str, step: str, *, is_title: bool = False, is_soft: bool = False) -> _Text:
        label = _Text(text, step, is_title=is_title, is_soft=is_soft)
        self._texts.append(label)
        return label

    @Slot(object)
    def _on_game(self, item: QListWidgetItem) -> None:
        kept = self._kept_of(item)
        if kept is not None:
            self.keptWanted.emit(kept)
        elif not item.data(PROBLEM_ROLE):
            self.continueWanted.emit(Path(item.data(PATH_ROLE)))

    @Slot(object)
    def _on_finished(self, item: QListWidgetItem) -> None:
        if not item.data(PROBLEM_ROLE):
            self.replayWanted.emit(Path(item.data(PATH_ROLE)))

    @Slot()
    def _on_continue(self) -> None:
        for item in self.games.selectedItems():
            self._on_game(item)

    @Slot()
    def _on_forget(self) -> None:
        for item in self.games.selectedItems():
            kept = self._kept_of(item)
            if kept is not None:
                self.forgetWanted.emit(kept)

    @Slot()
    def _on_replay(self) -> None:
        for item in self.finished.selectedItems():
            self._on_finished(item)

    @Slot()
    def _on_finished_selected(self) -> None:
        found: list[QListWidgetItem] = self.finished.selectedItems()
        self.replay_button.setEnabled(bool(found) and not found[0].data(PROBLEM_ROLE))

    @Slot()
    def _on_selected(self) -> None:
        found: list[QListWidgetItem] = self.games.selectedItems()
        problem = str(found[0].data(PROBLEM_ROLE) or "") if found else ""
        self.forget_button.setVisible(bool(found) and self._kept_of(found[0]) is not None)
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        self.continue_button.setEnabled(bool(found) and not problem)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._suit()

    def _suit(self) -> None:
        """Do without what explains the rest where large text leaves no room for it."""
        is_tight = self.height() < theme.size("body") * ROOMY
        if is_tight == self._is_tight:
            return
        self._is_tight = is_tight
        self._banner.set_tight(is_tight)
        for hint in self._hints:
            hint.setVisible(not is_tight)
        margin = theme.SPACE * (2 if is_tight else 4)
        self._columns.setContentsMargins(margin, margin, margin, margin)
        self._columns.setSpacing(theme.SPACE * (3 if is_tight else 6))

    def _dress(self) -> None:
        for text in self._texts:
            text.dress()
        self._banner.dress()
        self._suit()
