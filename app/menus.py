"""The menus over all pages, with the size of the text and the keys of the board."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QDockWidget, QMenu

    from app.game_page import GamePage
    from app.main_window import MainWindow
    from app.settings import SettingsStore

TEXT_STEP = 1.1


def add_action(menu: QMenu, text: str, key: str, slot: Callable[..., object]) -> QAction:
    """Add an entry with its key to a menu."""
    action = menu.addAction(text)
    # As a property: the method would have all of `Qt` loaded, a fifth of a bare window's start.
    action.setProperty("shortcut", key)
    action.triggered.connect(slot)
    return action


class Menus(QObject):
    """The window's menus; what they offer changes with the page in front."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        bar = window.menuBar()
        game = bar.addMenu("&Game")
        add_action(game, "&Play now", "Ctrl+P", window.play_now)
        add_action(game, "&New game…", "Ctrl+N", window.new_game)
        add_action(game, "&Host a game over the network…", "Ctrl+Shift+H", window.host_game)
        add_action(game, "&Join a game…", "Ctrl+J", window.join_game)
        add_action(game, "Saved &games…", "Ctrl+O", window.show_saved_games)
        add_action(game, "&Draw a fortress…", "Ctrl+D", window.draw)
        self.export_action = add_action(game, "&Export…", "Ctrl+E", window.export_game)
        self._draw = add_action(game, "O&ffer a draw…", "Ctrl+Shift+D", self._on_draw)
        self._pause = add_action(game, "Ask for a pause", "Ctrl+Shift+P", self._on_pause)
        self._bot = add_action(game, "Let a bot play for me…", "Ctrl+Shift+B", self._on_bot)
        game.aboutToShow.connect(self._name_seat)
        self._leave = add_action(game, "&Start screen", "Ctrl+L", window.leave_game)
        game.addSeparator()
        add_action(game, "Se&ttings…", "Ctrl+,", window.show_settings)
        game.addSeparator()
        add_action(game, "&Quit", "Ctrl+Q", window.quit)
        view = bar.addMenu("&View")
        self._text_size = TextSize(window.store, view)
        view.addSeparator()
        self._board_keys = BoardKeys(window, view)
        self._panels = view.addMenu("&Panels")
        helps = bar.addMenu("&Help")
        add_action(helps, "&Learn to play", "Ctrl+T", window.learn)
        add_action(helps, "&Help and rules", "F1", window.show_help)
        helps.addAction("&About").triggered.connect(window.show_about)

    def offer(self, *, board: bool, leave: bool, export: bool) -> None:
        """Offer what makes sense on the page in front: a board's keys, leaving it, taking it out."""
        self._board_keys.set_enabled(board)
        self._panels.setEnabled(board)
        page = self._window.page
        table = page.table_panel if page is not None else None
        # Who looks on has no say in the game.
        self._draw.setEnabled(board and (table is None or bool(table.game.side)))
        for action in (self._pause, self._bot):
            action.setVisible(board and table is not None and bool(table.game.side))
        self._leave.setEnabled(leave)
        self.export_action.setEnabled(export)

    def list_panels(self, docks: Iterable[QDockWidget]) -> None:
        """List the panels of a page, to be shown and hidden."""
        self._panels.clear()
        for dock in docks:
            self._panels.addAction(dock.toggleViewAction())

    @Slot()
    def _name_seat(self) -> None:
        """Call what can be done about one's seat as the table does at the moment."""
        page = self._window.page
        if page is not None and page.table_panel is not None:
            self._pause.setText(page.table_panel.pause_button.text())
            self._bot.setText(page.table_panel.bot_button.text())

    @Slot()
    def _on_pause(self) -> None:
        page = self._window.page
        if page is not None and page.table_panel is not None:
            page.show_table()  # which says why, where it cannot be
            page.table_panel.pause_button.click()

    @Slot()
    def _on_bot(self) -> None:
        page = self._window.page
        if page is not None and page.table_panel is not None:
            page.show_table()
            page.table_panel.bot_button.click()

    @Slot()
    def _on_draw(self) -> None:
        if self._window.page is not None:
            self._window.page.decision_panel.offer_draw()


class TextSize(QObject):
    """Makes all text larger and smaller by steps."""

    def __init__(self, store: SettingsStore, menu: QMenu) -> None:
        super().__init__(menu)
        self._store = store
        add_action(menu, "&Larger text", "Ctrl++", self._on_larger)
        add_action(menu, "&Smaller text", "Ctrl+-", self._on_smaller)
        add_action(menu, "&Normal text", "Ctrl+0", self._on_normal)

    @Slot()
    def _on_larger(self) -> None:
        self._store.set(text_scale=round(self._store.now.text_scale * TEXT_STEP, 2))

    @Slot()
    def _on_smaller(self) -> None:
        self._store.set(text_scale=round(self._store.now.text_scale / TEXT_STEP, 2))

    @Slot()
    def _on_normal(self) -> None:
        self._store.set(text_scale=1.0)


class BoardKeys(QObject):
    """Acts on the board of the window's game or lesson."""

    def __init__(self, window: MainWindow, menu: QMenu) -> None:
        super().__init__(menu)
        self._window = window
        self._actions = [
            add_action(menu, "&Whole board", "F4", self._on_fit),
            add_action(menu, "To the &board", "F6", self._on_board),
            add_action(menu, "N&ext figure", "F7", self._on_next_figure),
            add_action(menu, "Pre&vious figure", "Shift+F7", self._on_previous_figure),
            add_action(menu, "S&kip the animation", "F8", self._on_skip),
        ]

    @property
    def _page(self) -> GamePage | None:
        return self._window.page

    def set_enabled(self, is_enabled: bool) -> None:
        """Let the keys act, or not."""
        for action in self._actions:
            action.setEnabled(is_enabled)

    @Slot()
    def _on_fit(self) -> None:
        if self._page is not None:
            self._page.board_view.fit()

    @Slot()
    def _on_board(self) -> None:
        if self._page is not None:
            self._page.board_view.setFocus()

    @Slot()
    def _on_next_figure(self) -> None:
        if self._page is not None:
            self._page.seat.select_next()

    @Slot()
    def _on_previous_figure(self) -> None:
        if self._page is not None:
            self._page.seat.select_next(-1)

    @Slot()
    def _on_skip(self) -> None:
        if self._page is not None:
            self._page.skip()
