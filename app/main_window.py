"""The window: start screen, game, curtain, replay, and the menus over all of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QEvent, QSize, QTimer, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QStackedWidget, QWidget

from app import __version__, theme
from app.dialogs.start import StartPage
from app.garbage import SafeCollector
from app.help.screens import HelpKey
from app.look_back import LookBack
from app.markup import as_text
from app.menus import Menus
from app.settings import SettingsStore
from app.stage import Stage

if TYPE_CHECKING:
    from app.after.page import AfterPage
    from app.dialogs.curtain import CurtainPage
    from app.dialogs.end import EndDialog
    from app.dialogs.saved_games import SavedGamesDialog
    from app.editing import Editing
    from app.game_page import GamePage
    from app.lan.kept import KeptGame
    from app.lan_game import LanGame
    from app.lan_play import LanPlay
    from app.replay.page import ReplayPage
    from app.session import Session
    from app.tutorial.lessons import TutorialPage
    from engine.raid.match import RaidMatch, RaidReplay

TITLE = "Kung Fu 2100"
ABOUT = (
    "The 1980 microgame on the desktop, for two at one screen or against the computer.\n\n"
    "Free software under the MIT licence (file LICENSE). The fonts have licences of their own, "
    "in resources/fonts."
)
NO_FILE = "No game can be begun, as its file cannot be written."
NOT_PUT_AWAY = "The game is saved, but it cannot be put with the finished ones."
NO_RECORD = "The record of this game is not here yet."
LISTED_AFTER = 60  # ms
SETTLED_AFTER = 100  # ms, in which all pages have been laid out anew
# Left free at the first start for what the desktop puts around a window, unknown until it is shown.
FRAME = QSize(16, 48)
ICON_SIZES = (16, 32, 48, 64, 128)


class _Desktop:
    """What the desktop looked like before this program put on its own look."""

    is_dark: bool | None = None


def theme_mode(wanted: str) -> str:
    """Return the palette to use; "auto" follows the desktop, told by the palette it gave us."""
    if _Desktop.is_dark is None:
        _Desktop.is_dark = QGuiApplication.palette().window().color().lightness() < 128
    if wanted != "auto":
        return wanted
    return "dark" if _Desktop.is_dark else "light"


def apply_theme(store: SettingsStore) -> None:
    """Put the look that the settings ask for in force."""
    app = QApplication.instance()
    if isinstance(app, QApplication):
        theme.apply(app, theme_mode(store.now.theme), store.now.text_scale)


class MainWindow(QMainWindow):
    """Everything the program shows. Only one page is ever to be seen; under the curtain it is the curtain."""

    def __init__(self, store: SettingsStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.store = store
        self._collector = SafeCollector(self)
        self.setWindowTitle(TITLE)
        self.setAcceptDrops(True)
        self.tutorial_page: TutorialPage | None = None
        self.end_dialog: EndDialog | None = None
        self._look = (store.now.theme, store.now.text_scale)
        self._own_size: QSize | None = None  # before the size of the text was changed
        self.stack = QStackedWidget()
        self.setCentralWidget(self.stack)
        self.stage = Stage(self.stack, store, self)
        self.stage.shown.connect(self._show)
        self.stage.ended.connect(self._on_ended)
        self.look_back = LookBack(self.stack, store, self)
        self.look_back.shown.connect(self._show)
        self.look_back.left.connect(self._on_looked_back)
        self.look_back.playOn.connect(self.begin)
        self.start_page = StartPage()
        self.stack.addWidget(self.start_page)
        self.start_page.playWanted.connect(self.play_now)
        self.start_page.learnWanted.connect(self.learn)
        self.start_page.newWanted.connect(self.new_game)
        self.start_page.hostWanted.connect(self.host_game)
        self.start_page.joinWanted.connect(self.join_game)
        self.start_page.keptWanted.connect(self._on_kept)
        self.start_page.forgetWanted.connect(self._on_forget)
        self.start_page.drawWanted.connect(self.draw)
        self.start_page.helpWanted.connect(self.show_help)
        self.start_page.settingsWanted.connect(self.show_settings)
        self.start_page.quitWanted.connect(self.quit)
        self.start_page.continueWanted.connect(self.continue_game)
        self.start_page.replayWanted.connect(self.open_replay)
        self.start_page.allGamesWanted.connect(self.show_saved_games)
        self.menus = Menus(self)
        store.changed.connect(self._on_settings)
        self.resize(self._first_size())
        if store.now.geometry:
            self.restoreGeometry(QByteArray.fromBase64(store.now.geometry.encode()))
        self._editing: Editing | None = None
        self._lan: LanPlay | None = None
        self._help_key = HelpKey(self)
        self._show(self.start_page)
        self.start_page.play_button.setFocus()
        # The list of games comes when the first window is there.
        QTimer.singleShot(LISTED_AFTER, self, self._list_first)
        QTimer.singleShot(LISTED_AFTER, self, self._draw_icon)

    def _first_size(self) -> QSize:
        room = self.screen().availableGeometry().size()
        return room * 0.9 if room.width() > 1400 else room - FRAME

    @Slot()
    def _draw_icon(self) -> None:
        """Give every window the back of a counter as its icon."""
        from PySide6.QtGui import QIcon

        from app.board.counters import counter_pixmap

        icon = QIcon()
        for side in ICON_SIZES:
            icon.addPixmap(counter_pixmap("back", side))
        QGuiApplication.setWindowIcon(icon)

    def event(self, event: QEvent) -> bool:
        """Keep a held Ctrl+Return from ending one phase after another, the other player's among them."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            from PySide6.QtCore import Qt

            if event.isAutoRepeat() and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                event.accept()
                return True
        return super().event(event)

    # Pages.

    @property
    def session(self) -> Session | None:
        """The game on show; a lesson has one of its own."""
        return self.stage.session

    @property
    def page(self) -> GamePage | None:
        """The page of the game or lesson on show."""
        return self.tutorial_page.game_page if self.tutorial_page is not None else self.stage.page

    @property
    def curtain(self) -> CurtainPage | None:
        """The curtain, once it has fallen for the first time."""
        return self.stage.curtain

    @Slot(QWidget)
    def _show(self, page: QWidget) -> None:
        self.stack.setCurrentWidget(page)
        if page is self.curtain:
            self.statusBar().clearMessage()
        self.menus.offer(
            board=self.page is not None and page in (self.page, self.tutorial_page),
            leave=page is not self.start_page,
            export=page in self.look_back.pages or self.session is not None,
        )
        self._retitle()

    def _retitle(self) -> None:
        title = TITLE
        if self.session is not None and self.stack.currentWidget() is self.page:
            players = " against ".join(self.session.speaker(side) for side in ("terminator", "clonemaster"))
            title = f"{self.session.scenario.name}: {players} – {TITLE}"
        elif self.tutorial_page is not None and self.stack.currentWidget() is self.tutorial_page:
            title = f"{self.tutorial_page.title} – {TITLE}"
        self.setWindowTitle(title)

    @Slot()
    def show_start(self) -> None:
        """Show the start screen with the games there are."""
        self._list_games()
        self._show(self.start_page)
        self.start_page.focus_first()

    @Slot()
    def _list_first(self) -> None:
        """List the games in the window that has just been opened."""
        self._list_games()
        if self.focusWidget() is self.start_page.play_button:
            self.start_page.focus_first()

    @Slot()
    def _list_games(self) -> None:
        from app import game_files
        from app.lan.kept import kept_games

        kept = self._lan.kept() if self._lan is not None else kept_games()
        self.start_page.show_games(game_files.unfinished(), game_files.finished(), kept)

    # Beginning, going on, leaving.

    @Slot()
    def play_now(self) -> None:
        """Start the Basic scenario against the bot, abilities filled in: one click to the board."""
        if not self._may_leave():
            return
        from app import games
        from app.suggestions import suggested_abilities
        from engine.raid.choices import Ready
        from engine.raid.scenario import load_scenario

        scenario = load_scenario("basic")
        names = {"terminator": "You", "clonemaster": games.BOTS["rulebook"]}
        try:
            match = games.new_game(scenario, {"terminator": "human", "clonemaster": "rulebook"}, names)
            for choice in (*suggested_abilities(scenario), Ready()):
                match.submit("terminator", choice)
        except OSError as error:
            self._warn(f"{NO_FILE}\n\n{error}")
            return
        self.begin(match)

    @Slot()
    def new_game(self) -> None:
        """Ask for scenario, seats and names, and start."""
        from app.dialogs.new_game import NewGameDialog

        dialog = NewGameDialog(self.store, self)
        dialog.finished.connect(dialog.deleteLater)
        dialog.accepted.connect(self._on_new_accepted)
        dialog.open()

    @Slot()
    def _on_new_accepted(self) -> None:
        dialog = self.sender()
        from app import games
        from app.dialogs.new_game import NewGameDialog

        if not isinstance(dialog, NewGameDialog) or not self._may_leave():
            return
        try:
            match = games.new_game(dialog.scenario, dialog.seats, dialog.names, dialog.seed)
        except OSError as error:
            self._warn(f"{NO_FILE}\n\n{error}")
            return
        self.begin(match)

    @Slot(object)
    def continue_game(self, path: Path) -> None:
        """Go on with a saved game; a file that cannot be read says why and changes nothing."""
        if not self._may_leave():
            return
        from app import games
        from engine.core.files import BadFile
        from engine.raid.match import RaidMatch

        try:
            match = RaidMatch.resume(path)
            bots = games.make_bots(match.seats, match.record.last_seed)
        except (BadFile, OSError, ValueError) as error:
            self._warn(f"This game cannot be opened.\n\n{error}")
            return
        self.begin(match, bots, is_taken_up=True)

    @Slot()
    def show_saved_games(self) -> SavedGamesDialog:
        """Show all saved games, to go on with, replay and keep in order."""
        from app.dialogs.saved_games import SavedGamesDialog

        dialog = SavedGamesDialog(self, open_path=self.stage.path)
        dialog.continueWanted.connect(self.continue_game)
        dialog.replayWanted.connect(self._on_saved_replay)
        dialog.finished.connect(dialog.deleteLater)
        dialog.finished.connect(self._list_games)
        dialog.open()
        return dialog

    @Slot()
    def export_game(self) -> None:
        """Take what is on show out of the program, as text or picture."""
        from app import exports
        from app.dialogs.export import ExportDialog

        export = self.look_back.export()
        if export is None and self.session is not None:
            export = exports.of_session(self.session)
        if export is None:
            return
        dialog = ExportDialog(export, self)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(object)
    def _on_saved_replay(self, path: Path) -> None:
        if not self._may_leave():
            return
        # The game on show waits in its file: a replay must not lie over its curtain.
        self._drop_game()
        self.open_replay(path)

    def begin(self, match: RaidMatch, bots: Any = None, *, is_taken_up: bool = False) -> None:
        """Show a game and play it; `bots` replaces the players that the game's seats name.

        A game `is_taken_up` when it was played at another time: then its players are told what happened.
        """
        self._drop_game()
        self._follow(self.stage.set(match, bots))
        self.stage.play(is_taken_up=is_taken_up)

    @Slot(object)
    def play_lan(self, game: LanGame) -> None:
        """Show a game over the network that has begun, and play it; it belongs to the stage from now on."""
        self._drop_game(keep=game)
        self._follow(self.stage.set_lan(game))
        self.stage.play()

    def _follow(self, page: GamePage) -> None:
        """Listen to the page of a game that is about to be shown."""
        panel = page.decision_panel
        panel.afterWanted.connect(self._on_after_wanted)
        panel.replayWanted.connect(self._on_replay_wanted)
        panel.newWanted.connect(self.new_game)
        panel.startWanted.connect(self.leave_game)
        self.menus.list_panels(page.docks)

    @Slot()
    def leave_game(self) -> None:
        """Go to the start screen; the game waits in its file, or at its host."""
        if self._may_leave():
            self._drop_game()
            self.show_start()

    def _may_leave(self) -> bool:
        """Return whether what is shown may go; asks where others would wait."""
        return self._lan is None or self._lan.may_leave()

    def _drop_game(self, keep: LanGame | None = None) -> None:
        """Let go of game and replay, and of any game over the network but the one to `keep`.

        Nothing is asked and nothing lost: every choice is on disk.
        """
        self._leave_tutorial()
        if self.end_dialog is not None:
            self.end_dialog.close()
            self.end_dialog = None
        self.look_back.close()
        self.stage.drop()
        if self._lan is not None:
            self._lan.leave(keep)
        self.menus.list_panels(())
        self.statusBar().clearMessage()

    # Over the network.

    @property
    def lan(self) -> LanPlay:
        """The games over the network of this window, made when first wanted."""
        if self._lan is None:
            from app.lan_play import LanPlay

            self._lan = LanPlay(self, self.stack, self.store, self._drop_game)
            self._lan.shown.connect(self._show)
            self._lan.begun.connect(self.play_lan)
            self._lan.left.connect(self.show_start)
            self._lan.failed.connect(self._warn)
        return self._lan

    @Slot()
    def host_game(self) -> None:
        """Ask for what is needed to host a game over the network."""
        self.lan.open_host()

    @Slot()
    def join_game(self) -> None:
        """Ask which game over the network to join."""
        self.lan.open_join()

    @Slot(object)
    def _on_kept(self, game: KeptGame) -> None:
        self.lan.go_on(game)

    @Slot(object)
    def _on_forget(self, game: KeptGame) -> None:
        self.lan.forget(game)
        self._list_games()

    # The game is over.

    @Slot()
    def _on_ended(self) -> None:
        from app import game_files
        from app.dialogs.end import EndDialog

        if self.session is None or self.page is None or self.stage.match is None:
            return
        path = self.stage.path
        if path is not None and path.parent.name != game_files.FINISHED and path.exists():
            try:
                game_files.put_away(path)
            except OSError as error:
                self._warn(f"{NOT_PUT_AWAY}\n\n{error}")
        self._show(self.page)
        self.end_dialog = EndDialog(self.session, self, lan_game=self.stage.lan_game)
        self.end_dialog.replayWanted.connect(self._on_replay_wanted)
        self.end_dialog.afterWanted.connect(self._on_after_wanted)
        self.end_dialog.newWanted.connect(self.new_game)
        self.end_dialog.startWanted.connect(self.leave_game)
        self.end_dialog.open()

    @Slot(str)
    def _warn(self, text: str) -> None:
        from PySide6.QtWidgets import QMessageBox

        QMessageBox.warning(self, TITLE, as_text(text))

    # Looking back.

    @property
    def replay_page(self) -> ReplayPage | None:
        """The replay that is open."""
        return self.look_back.replay_page

    @property
    def after_page(self) -> AfterPage | None:
        """What happened in a finished game, where that is open."""
        return self.look_back.after_page

    @Slot()
    def _on_replay_wanted(self) -> None:
        if (replay := self._replay()) is not None:
            self.look_back.show_replay(replay)

    @Slot()
    def _on_after_wanted(self) -> None:
        if (replay := self._replay()) is not None:
            self.look_back.show_after(replay)
            self.statusBar().clearMessage()

    def _replay(self) -> RaidReplay | None:
        """Return the replay of the game on show."""
        from engine.raid.match import RaidReplay

        game = self.stage.lan_game
        if game is not None and not game.has_record:
            game.fetch_record()
            self._warn(f"{NO_RECORD}\n\n{game.record_words}")
            return None
        return RaidReplay.of(self.stage.match.record) if self.stage.match is not None else None

    @Slot(object)
    def open_replay(self, path: Path) -> None:
        """Show the replay of a game's file."""
        from engine.core.files import BadFile
        from engine.core.record import load_record
        from engine.raid.match import RaidReplay

        try:
            replay = RaidReplay.of(load_record(path), str(path))
        except (BadFile, OSError) as error:
            self._warn(f"This game cannot be opened.\n\n{error}")
            return
        self.look_back.show_replay(replay)

    @Slot()
    def _on_looked_back(self) -> None:
        if self.page is not None:
            self._show(self.page)
        else:
            self.show_start()

    # Lessons.

    @Slot()
    def learn(self) -> None:
        """Show the list of lessons."""
        if not self._may_leave():
            return
        from app.tutorial.lessons import TutorialPage

        self._drop_game()
        self.tutorial_page = TutorialPage(self.store)
        self.tutorial_page.left.connect(self.leave_game)
        self.tutorial_page.newWanted.connect(self.new_game)
        self.tutorial_page.shown.connect(self._on_lesson_shown)
        self.stack.addWidget(self.tutorial_page)
        self._show(self.tutorial_page)
        self.tutorial_page.focus_list()

    @Slot()
    def _on_lesson_shown(self) -> None:
        """Let the board's keys act on the lesson's board."""
        if self.tutorial_page is not None:
            self.menus.list_panels(self.page.docks if self.page is not None else ())
            self._show(self.tutorial_page)

    def _leave_tutorial(self) -> None:
        if self.tutorial_page is not None:
            self.tutorial_page.end()
            self.stack.removeWidget(self.tutorial_page)
            self.tutorial_page.deleteLater()
            self.tutorial_page = None

    # The editor.

    @Slot()
    def draw(self) -> None:
        """Open the editor in a window of its own."""
        self.editing.open()

    @property
    def editing(self) -> Editing:
        """The editor of this program, made when first wanted."""
        if self._editing is None:
            from app.editing import Editing

            self._editing = Editing(self.store, self.come_forward, self)
        return self._editing

    @Slot()
    def come_forward(self) -> None:
        """Show this window, with the start screen unless a game is on."""
        if self.stack.currentWidget() is self.start_page:
            self.show_start()
        self.show()
        self.raise_()
        self.activateWindow()

    @Slot()
    def quit(self) -> None:
        """End the program: the editor goes first, as it may have to ask."""
        if self._editing is None or self._editing.close():
            self.close()

    # Help and settings.

    @Slot()
    def show_help(self) -> None:
        """Open the help beside the game, at what is on the screen."""
        from app.help.screens import open_at, title_for

        page: QWidget = self.stack.currentWidget() or self
        focus = self.focusWidget()
        open_at(
            title_for(
                focus if page.isAncestorOf(focus) else page,
                self._asked() if page is self.page else "",
                is_over=self.session is not None and page is self.page and self.session.is_over,
            )
        )

    def _asked(self) -> str:
        """Return the kind of what the game on show asks, or of what holds it up, as the help knows it."""
        session = self.session
        if session is None:
            return ""
        if session.decision is not None:
            return str(session.decision.kind)
        if not session.held_up:
            return ""
        game = self._lan.game if self._lan is not None else None
        return "held-up" if game is None or game.is_connected else "no-line"

    @Slot()
    def show_about(self) -> None:
        """Say what this program is, its version and its licence."""
        from PySide6.QtWidgets import QMessageBox

        box = QMessageBox(self)
        box.setWindowTitle(f"About {TITLE}")
        box.setText(f"{TITLE}, version {__version__}")
        box.setInformativeText(ABOUT)
        box.setIconPixmap(QGuiApplication.windowIcon().pixmap(ICON_SIZES[-2]))
        box.finished.connect(box.deleteLater)
        box.open()

    @Slot()
    def show_settings(self) -> None:
        """Open the settings."""
        from app.dialogs.settings import open_settings

        open_settings(self.store, self)

    @Slot()
    def _on_settings(self) -> None:
        look = (self.store.now.theme, self.store.now.text_scale)
        if look != self._look:
            self._look = look
            self._own_size = self._own_size or self.size()
            apply_theme(self.store)
            QTimer.singleShot(SETTLED_AFTER, self, self._take_own_size)

    @Slot()
    def _take_own_size(self) -> None:
        """Have the size again that the window had before larger text needed more."""
        own = self._own_size
        has_grown = own is not None and self.size() == self.size().expandedTo(own)
        if own is not None and has_grown and not (self.isMaximized() or self.isFullScreen()):
            self.resize(own)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.spontaneous():
            self._own_size = None  # the player has chosen another

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ThemeChange:
            from PySide6.QtCore import Qt

            # Asked only now: `Qt` and all its enumerations would slow every start.
            _Desktop.is_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
            if self.store.now.theme == "auto":
                apply_theme(self.store)

    # Files dropped onto the window.

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        from app.dialogs.saved_games import dropped_files

        files = dropped_files(event.mimeData())
        event.acceptProposedAction()
        if files:
            QTimer.singleShot(0, self, lambda: self.show_saved_games().import_files(files))

    # Closing.

    def save_now(self) -> None:
        """Write the game once more, for when something has gone wrong."""
        if self._editing is not None:
            self._editing.keep_now()
        self.stage.save()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close at once, as the game is on disk; only a game over the network is asked about."""
        if not self._may_leave():
            event.ignore()
            return
        geometry = bytes(self.saveGeometry().toBase64().data()).decode()
        self.store.set(geometry=geometry)
        self._drop_game()
        self._collector.stop()
        event.accept()
