"""All saved games in one list, each with a small picture of its board: go on, replay, keep in order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import (
    QMimeData,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from app import game_files, theme
from app.dialogs import ask
from app.dialogs.export import ExportDialog
from app.dialogs.game_list import ROW_ROLE, GameList, GameRow, picture_room
from app.exports import of_end
from app.markup import as_text
from app.panels.dressed import Dressed
from app.panels.widgets import Label, keyed_button, row
from engine.core.files import BadFile
from engine.core.record import load_record
from engine.raid.match import RaidReplay

KINDS: Final = (
    ("all", "All games"),
    ("unfinished", "Unfinished"),
    ("finished", "Finished"),
    ("deleted", "Deleted"),
)
SLICE: Final = 0.012  # s of work between two looks at the keyboard
PAUSE: Final = 5  # ms
EXPORT_FILTER: Final = "Games (*.json)"
IMPORT_FILTER: Final = "Games (*.json *.txt);;All files (*)"
FAULTS_SHOWN: Final = 12


def dropped_files(data: QMimeData) -> list[Path]:
    """Return the files that are dragged along."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def _spoken(text: str) -> str:
    """Return what a button's text says without its marks."""
    return text.rstrip("…")


class SavedGamesDialog(Dressed, QDialog):
    """All saved games. `continueWanted` and `replayWanted` carry a file's path; the dialog is closed then.

    `open_path` is the game being played, which can be exported but not renamed or deleted.
    """

    continueWanted = Signal(object)
    replayWanted = Signal(object)

    def __init__(self, parent: QWidget | None = None, *, open_path: Path | None = None) -> None:
        super().__init__(parent)
        self._text_size = 0
        self.setWindowTitle("Saved games")
        self.setAccessibleName("Saved games")
        self.setAcceptDrops(True)
        self._open_path = open_path
        self._deleted: list[tuple[Path, str]] = []
        self._work: tuple[GameRow, Iterator[None]] | None = None
        self._room = QSize()
        self._make_list()
        self.said = Label("")
        self.undo_button = keyed_button("Undo", "Ctrl+Z", self._on_undo)
        self.open_button = keyed_button("Continue", "Ctrl+Return", self._on_open, is_main=True)
        self.replay_button = keyed_button("Replay", "Ctrl+R", self._on_replay)
        self.replay_button.setToolTip("Go through what both sides have seen so far")
        self.rename_button = keyed_button("Rename…", "F2", self._on_rename)
        self.delete_button = keyed_button("Delete", "Del", self._on_delete)
        self.empty_button = keyed_button("Delete all for good…", "Alt+L", self._on_empty)
        self.export_button = keyed_button("Export…", "Ctrl+E", self._on_export)
        self.import_button = keyed_button("Import…", "Ctrl+I", self._on_import)
        self.paste_button = keyed_button("Paste", "Ctrl+V", self._on_paste)
        self.paste_button.setToolTip("Take in a game that was copied as text")
        self.close_button = keyed_button("Close", "Esc", self.reject)
        self._idle = QTimer(self)
        self._idle.setInterval(PAUSE)
        self._idle.timeout.connect(self._go_on)
        self.list.resized.connect(self._idle.start)
        self._lay_out()
        self.refresh()
        self.dress()
        self.list.setFocus()

    def _make_list(self) -> None:
        """Make the list, what finds games in it, and what stands in its place or says more of the game."""
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

    def _lay_out(self) -> None:
        label = QLabel("Sho&w")
        label.setBuddy(self.kinds)
        head = row(self.search, label, self.kinds, self.empty_button)
        head.setStretch(0, 1)
        left = QVBoxLayout()
        left.setSpacing(theme.SPACE)
        left.addWidget(self.list, 1)
        left.addWidget(self.empty, 1)
        left.addWidget(self.problem)
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
        body = row(left, right)
        body.setStretch(0, 1)
        foot = row(self.said, self.undo_button)
        foot.setStretch(0, 1)
        layout = QVBoxLayout(self)
        layout.setSpacing(theme.SPACE)
        layout.addLayout(head)
        layout.addLayout(body, 1)
        layout.addLayout(foot)
        for hidden in (self.undo_button, self.problem, self.said):
            hidden.hide()

    def _resize(self) -> None:
        body = theme.size("body")
        wanted = QSize(body * 62, body * 46)
        room = self.screen().availableGeometry().size() * 0.92
        self.resize(wanted.boundedTo(room))

    # The list.

    def refresh(self, chosen: Path | None = None) -> None:
        """Read the folder of games anew, and choose a game."""
        before = {shown.file: shown for shown in self.list.rows()}
        self._work = None
        self.list.fill([before.get(file) or GameRow(file) for file in game_files.game_files()])
        self._filter()
        if chosen is not None:
            self.list.choose(chosen)
        self._idle.start()

    @property
    def chosen(self) -> GameRow | None:
        """The game chosen in the list."""
        return self.list.chosen()

    def _sought(self) -> tuple[list[str], str]:
        """Return the words of the search and the kind of games to show."""
        return self.search.text().casefold().split(), str(self.kinds.currentData())

    @Slot()
    def _filter(self) -> None:
        words, kind = self._sought()
        count = self.list.show_found(words, kind)
        self.empty_button.setVisible(kind == "deleted")
        self.empty_button.setEnabled(any(shown.file.kind == "deleted" for shown in self.list.rows()))
        self.empty.setVisible(count == 0)
        self.empty.setText(self._empty_words(words, kind))
        self._on_selected()

    def _empty_words(self, words: Sequence[str], kind: str) -> str:
        if words:
            return "No game has all of these words. Search for less, or show all games."
        if kind == "deleted":
            return "Nothing is deleted."
        return (
            "No game yet. Every game on this machine saves itself after each choice and is listed here; one "
            "over the network waits on the start screen, and is listed here when it is over. "
            "A game's file can be imported, or dropped onto this window."
        )

    # What a row shows is worked out between two events: first of the games in sight, then of the others.

    @Slot()
    def _go_on(self) -> None:
        room = picture_room(self.list.viewport().width())
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
        for shown in self.list.rows():
            shown.picture = None

    def _begin(self, shown: GameRow) -> bool:
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

    def _draw(self, shown: GameRow) -> None:
        shown.draw(self._room, self.devicePixelRatioF())
        self._write(shown)

    def _write(self, shown: GameRow) -> None:
        """Show what has become known of a row."""
        self.list.show_more(shown, *self._sought())
        if shown is self.chosen:
            self._on_selected()

    # What may be done with the game chosen.

    @Slot()
    def _on_selected(self) -> None:
        shown = self.chosen
        kind = shown.file.kind if shown is not None else "unfinished"
        problem = shown.problem if shown is not None else ""
        words = {"unfinished": "Continue", "finished": "Replay", "deleted": "Put back"}[kind]
        self.open_button.setText(words)
        self.open_button.setAccessibleName(_spoken(words))
        self.open_button.setEnabled(shown is not None and (not problem or kind == "deleted"))
        is_open = self._is_open(shown)
        barred = "This game is being played now. Go to the start screen first (Ctrl+L)." if is_open else ""
        words = "Delete for good…" if kind == "deleted" else "Delete"
        self.delete_button.setText(words)
        self.delete_button.setAccessibleName(_spoken(words))
        self.delete_button.setEnabled(shown is not None and not is_open)
        self.rename_button.setEnabled(shown is not None and not problem and kind != "deleted" and not is_open)
        self.export_button.setEnabled(shown is not None)
        # A finished game is opened as its replay; of another one not all can be seen yet.
        self.replay_button.setVisible(kind == "unfinished")
        self.replay_button.setEnabled(not problem and shown is not None and shown.choices > 0)
        lines = problem.splitlines()
        if len(lines) > FAULTS_SHOWN:
            lines = [*lines[:FAULTS_SHOWN], f"and {len(lines) - FAULTS_SHOWN} more"]
        self.problem.setText("\n".join(lines) or barred)
        self.problem.setVisible(bool(lines or barred))

    def _is_open(self, shown: GameRow | None) -> bool:
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
        title = ask.new_name(self, "Rename the game", shown.title)
        if title is None:
            return
        try:
            game_files.rename(shown.file.path, title)
        except (BadFile, OSError) as error:
            self._warn("The game cannot be renamed.", error)
            return
        shown.info = None
        self.refresh(shown.file.path)
        self._say(f"Renamed to “{title}”.")

    @Slot()
    def _on_delete(self) -> None:
        shown = self.chosen
        if shown is None:
            return
        is_final = shown.file.kind == "deleted"
        if not (self._asks_for_good([shown]) if is_final else self._asks(shown)):
            return
        at = self.list.currentRow()
        try:
            if is_final:
                game_files.delete_for_good(shown.file.path)
            else:
                self._deleted.append((game_files.delete(shown.file.path), shown.title))
        except OSError as error:
            self._warn("The game cannot be deleted.", error)
            return
        self.refresh()
        self.list.choose_from(at)
        if is_final:
            self._say_gone([shown])
        else:
            self._say(f"“{shown.title}” is deleted.", may_undo=True)

    def _asks(self, shown: GameRow) -> bool:
        return ask.is_sure(
            self,
            "Delete the game?",
            f"“{shown.title}” of {shown.file.day} goes to the deleted games, from where it can be put back.",
            "Delete",
        )

    def _asks_for_good(self, games: Sequence[GameRow]) -> bool:
        if len(games) == 1:
            what = f"“{games[0].title}” of {games[0].file.day}"
        else:
            what = f"all {len(games)} deleted games"
        words = f"{what[:1].upper()}{what[1:]}: this cannot be undone."
        return ask.is_sure(self, "Delete for good?", words, "Delete for good", is_final=True)

    def _say_gone(self, games: Sequence[GameRow]) -> None:
        self._deleted = [one for one in self._deleted if one[0].exists()]
        what = f"“{games[0].title}” is" if len(games) == 1 else f"{len(games)} games are"
        self._say(f"{what} deleted for good.", may_undo=bool(self._deleted))

    @Slot()
    def _on_empty(self) -> None:
        """Delete all deleted games for good, also those that a search hides."""
        games = [shown for shown in self.list.rows() if shown.file.kind == "deleted"]
        if not games or not self._asks_for_good(games):
            return
        gone: list[GameRow] = []
        try:
            for shown in games:
                game_files.delete_for_good(shown.file.path)
                gone.append(shown)
        except OSError as error:
            self._warn("Not all of these games can be deleted.", error)
        self.refresh()
        if gone:
            self._say_gone(gone)

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
        QMessageBox.warning(self, self.windowTitle(), as_text(f"{text}\n\n{reason}"))

    # Events.

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = dropped_files(event.mimeData())
        event.acceptProposedAction()
        # The drag ends first, so that the program dragged from does not wait for what is said here.
        QTimer.singleShot(0, self, lambda: self.import_files(files))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.search.setFocus()
        elif event.key() == Qt.Key.Key_Down and self.search.hasFocus():
            self.list.setFocus()
        else:
            super().keyPressEvent(event)

    def _dress(self) -> None:
        self._forget_pictures()
        if theme.size("body") != self._text_size:
            self._text_size = theme.size("body")
            self._resize()
        self.list.scheduleDelayedItemsLayout()
        self._idle.start()

    def done(self, result: int) -> None:
        self._idle.stop()
        super().done(result)
