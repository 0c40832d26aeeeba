"""Plays the window as a person does, with clicks and keys, and reads all that is in it."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGraphicsItem,
    QGraphicsView,
    QGroupBox,
    QLabel,
    QLineEdit,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.panels import hands
from app.stage import Stage
from engine.bots import make_bot
from engine.core.match import play
from engine.core.record import Record
from engine.raid import choices as c
from engine.raid.match import RULES, RaidMatch
from engine.raid.scenario import Scenario
from tests.helpers.small_games import brawl as brawl  # the windows' tests take both from here
from tests.helpers.small_games import small_scenario as small_scenario

LAST_CHOICES = 3
TEXT_ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.WhatsThisRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)


def hot_seat_match(
    path: Path | None = None, *, turns: int = 1, seed: str = "1", scenario: Scenario | None = None
) -> RaidMatch:
    """Return a small game for two at one screen."""
    return RaidMatch.new(
        scenario or small_scenario(turns),
        seed,
        seats={"terminator": "human", "clonemaster": "human"},
        names={"terminator": "Ann", "clonemaster": "Bob"},
        path=path,
    )


def nearly_over(path: Path | None = None, turns: int = 1, seed: str = "1", **changes: Any) -> RaidMatch:
    """Return a fight with its last choices yet to be made; `changes` are of the scenario."""
    record = _fought(turns, seed)
    scenario = msgspec.structs.replace(brawl(turns), **changes)
    record = msgspec.structs.replace(record, scenario=RULES.pack_scenario(scenario))
    return RaidMatch.from_record(record.cut(len(record.choices) - LAST_CHOICES), path)


@cache
def _fought(turns: int, seed: str) -> Record:
    match = hot_seat_match(scenario=brawl(turns), seed=seed)
    play(match, {side: make_bot("random", seed) for side in match.sides})
    return match.record


def all_texts(roots: Iterable[QWidget] | None = None) -> dict[str, str]:
    """Return every text in every widget, shown or hidden, by where it is.

    Texts of labels, buttons, lists, logs, inputs, tooltips, accessible names, window titles, scene items.
    """
    found: dict[str, str] = {}
    for root in QApplication.topLevelWidgets() if roots is None else roots:
        for widget in (root, *root.findChildren(QWidget)):
            place = f"{type(widget).__name__}:{widget.objectName() or widget.accessibleName()}"
            for kind, text in _texts_of(widget):
                if text:
                    found[f"{place} {kind} {len(found)}"] = text
    return found


def _texts_of(widget: QWidget) -> list[tuple[str, str]]:
    found = [
        ("title", widget.windowTitle()),
        ("tooltip", widget.toolTip()),
        ("status tip", widget.statusTip()),
        ("what's this", widget.whatsThis()),
        ("accessible name", widget.accessibleName()),
        ("accessible description", widget.accessibleDescription()),
    ]
    if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
        found.append(("text", widget.text()))
    if isinstance(widget, QGroupBox):
        found.append(("text", widget.title()))
    if isinstance(widget, QTextEdit):
        found.append(("text", widget.toPlainText()))
        found.append(("html", widget.document().toHtml() if widget.toPlainText() else ""))
    if isinstance(widget, QComboBox):
        found += _texts_of_model(widget.model())
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        found += _texts_of_model(widget.model())
    if isinstance(widget, QGraphicsView) and widget.scene() is not None:
        for item in widget.scene().items():
            found.append(("item tooltip", item.toolTip()))
            # Items of the plotting library have another `data`.
            values = (QGraphicsItem.data(item, key) for key in range(4))
            found += [("item data", str(value)) for value in values if value is not None]
            name = getattr(item, "name", None)
            if isinstance(name, str):
                found.append(("item name", name))
    for action in widget.actions():
        if isinstance(action, QAction):
            found.append(("action", action.text()))
    return found


def _texts_of_model(model: QAbstractItemModel, parent: QModelIndex | None = None) -> list[tuple[str, str]]:
    found = []
    root = parent if parent is not None else QModelIndex()
    for row in range(model.rowCount(root)):
        # A list's own columnCount and hasChildren are private, so is a table's hasChildren.
        is_list = isinstance(model, QAbstractListModel)
        is_flat = is_list or isinstance(model, QAbstractTableModel)
        for column in range(1 if is_list else model.columnCount(root)):
            index = model.index(row, column, root)
            for role in TEXT_ROLES:
                value = model.data(index, role)
                if isinstance(value, str) and value:
                    found.append(("row", value))
            found += _texts_of_model(model, index) if not is_flat and model.hasChildren(index) else []
    return found


def leaks(words: Iterable[str], texts: Mapping[str, str]) -> list[str]:
    """Return where one of the words stands whole in a text, a line each.

    "Technician 1" is neither in "Technician 10" nor in "Armed Technician 1".
    """
    patterns = {word: re.compile(rf"(?<!\w)(?<!Armed ){re.escape(word)}(?!\w)") for word in words}
    return [
        f"{word!r} in {place}: {text[max(0, found.start() - 30) : found.end() + 30]!r}"
        for place, text in texts.items()
        for word, pattern in patterns.items()
        if (found := pattern.search(text)) is not None
    ]


def screenshot(widget: QWidget, name: str, folder: Path) -> Path:
    """Save a picture of a widget; KUNGFU_SCREENSHOTS names another folder."""
    target = Path(os.environ.get("KUNGFU_SCREENSHOTS") or folder)
    target.mkdir(parents=True, exist_ok=True)
    file = target / f"{name}.png"
    assert widget.grab().save(str(file)), file
    return file


class Driver:
    """Plays whatever the window asks, by real clicks and keys; `random` picks among the choices.

    `stage` is where the game is in a window that has not the game's own names for it.
    """

    def __init__(
        self, qtbot: QtBot, window: MainWindow | QWidget, seed: int = 1, stage: Stage | None = None
    ) -> None:
        self.qtbot = qtbot
        self.window = window
        shown = stage if stage is not None else window
        assert isinstance(shown, Stage | MainWindow)
        self._shown = shown
        self.random = random.Random(seed)
        self.kinds: list[str] = []
        self.last = ""  # what was done last, for the message of a failing test

    @property
    def session(self) -> Any:
        """The session on show."""
        assert self._shown.session is not None
        return self._shown.session

    @property
    def page(self) -> Any:
        """The game page on show."""
        assert self._shown.page is not None
        return self._shown.page

    def click(self, widget: QWidget) -> None:
        """Click a widget in its middle, once it has been given its place."""
        self.qtbot.waitUntil(lambda: not widget.size().isEmpty(), timeout=5000)
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)

    def click_square(self, square: tuple[int, int]) -> None:
        """Click a square of the board."""
        from app.board.picking import centre

        view = self.page.board_view
        view.ensureVisible(centre(square).x() - 8, centre(square).y() - 8, 16, 16)
        point = view.mapFromScene(centre(square))
        assert view.viewport().rect().contains(point), square
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point)

    def press(self, text: str) -> None:
        """Click the shown button whose text begins so."""
        QApplication.processEvents()
        for button in self.window.findChildren(QAbstractButton):
            if button.isVisible() and button.text().replace("&", "").startswith(text):
                self.click(button)
                return
        shown = [one.text() for one in self.window.findChildren(QAbstractButton) if one.isVisible()]
        raise AssertionError(f"no button {text!r} among {shown}")

    def _refusal(self) -> str:
        return str(self.page.decision_panel.reason or self.page.bubble.text())

    def wait(self, limit: int = 20000) -> None:
        """Wait until the screen is asked something, or the curtain is down, or the game is over."""

        def is_asked() -> bool:
            session = self.session
            return session.decision is not None or session.curtain_for is not None or session.is_over

        self.qtbot.waitUntil(is_asked, timeout=limit)

    def lift_curtain(self) -> None:
        """Press the curtain's button."""
        assert self._shown.curtain is not None
        self.click(self._shown.curtain.button)

    def step(self) -> None:
        """Answer one question by mouse or key."""
        self.wait()
        # Widgets put into a layout are shown by the event loop.
        QApplication.processEvents()
        session = self.session
        if session.is_over:
            return
        if session.curtain_for is not None:
            self.lift_curtain()
            return
        decision = session.decision
        self.kinds.append(decision.kind)
        before = session.revision
        if decision.kind == "place-extras":
            self._add_extras()
        elif decision.kind == "set-up-terminator":
            self._set_up_terminators()
        elif decision.kind == "set-up-clonemaster":
            self._set_up_clonemaster()
        elif decision.kind in ("terminator-move", "clonemaster-move", "free-move", "displace"):
            self._move()
        elif decision.kind == "release-clonemaster":
            self.press("Not now")
        elif decision.kind == "choose-counters":
            self._choose_counters()
        else:
            self._fight()
        # A button pressed by its key goes down for a tenth of a second before it acts.
        try:
            self.qtbot.waitUntil(lambda: session.revision != before or session.is_over, timeout=5000)
        except self.qtbot.TimeoutError:
            raise AssertionError(f"{decision} not answered by {self.last}: {self._refusal()}") from None

    def _add_extras(self) -> None:
        panel = self.page.set_up
        if not panel.places:
            self.click(panel.ready_button)
            return
        self.click_square(self.random.choice(list(panel.places)))
        if panel.side_buttons:
            self.click(self.random.choice(panel.side_buttons))

    def _set_up_terminators(self) -> None:
        panel = self.page.set_up
        self.click(panel.suggestion_buttons[0])
        for button in panel.findChildren(QAbstractButton):
            if button.text().startswith("Give all"):
                self.click(button)
        self.click(panel.ready_button)

    def _set_up_clonemaster(self) -> None:
        panel = self.page.set_up
        for button in panel.findChildren(QAbstractButton):
            if button.text().startswith("Place the rest"):
                self.click(button)
        self.click(panel.ready_button)

    def _move(self) -> None:
        seat = self.page.seat
        decision = self.session.decision
        if decision.kind != "displace":
            if self.random.random() < 0.3 and decision.options.of(""):
                self.last = "Ctrl+Return"
                QTest.keyClick(self.window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
                return
            seat.select(self.random.choice(seat.actors) if seat.actors else None)
        goals = sorted(seat.goals)
        others = [one for one in seat.choices_of_selected() if not isinstance(one, c.Move | c.Enter)]
        if goals and (not others or self.random.random() < 0.8):
            square = self.random.choice(goals)
            self.last = f"click on {square} for {seat.goals[square]}"
            self.click_square(square)
            return
        legal = [one for one in self.page.decision_panel.buttons if not one.is_barred]
        button = self.random.choice(legal)
        self.last = f"button {button.text()}"
        self.click(button)

    def _choose_counters(self) -> None:
        panel = self.page.fight_panel
        for picker in panel.pickers:
            for button in picker.findChildren(QAbstractButton):
                if button.isCheckable() and self.random.random() < 0.7:
                    self.click(button)
        QTest.keyClick(self.window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    def _fight(self) -> None:
        panel = self.page.fight_panel
        session = self.session
        if session.needs_peek:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(hands, "LATCH", 60_000)  # a short press, however slow the machine is
                self.press("Look at my hand")
                self.qtbot.waitUntil(lambda: session.peeking and not panel._peek.isDown(), timeout=5000)
            QApplication.processEvents()
        buttons = [one for one in panel.buttons() if not one.is_barred and one.isEnabled()]
        assert buttons, session.decision
        self.click(self.random.choice(buttons))

    def play(self, limit: int = 2000) -> None:
        """Play to the end."""
        for _ in range(limit):
            self.wait()
            if self.session.is_over:
                return
            self.step()
        raise AssertionError("the game did not end")


def open_window(
    qtbot: QtBot, tmp_path: Path, size: tuple[int, int] = (1280, 720), **settings: Any
) -> MainWindow:
    """Show the window with its own settings and games, animations and recaps off."""
    from app.main_window import apply_theme
    from app.settings import SettingsStore

    os.environ["KUNGFU2100_DATA"] = str(tmp_path / "data")
    store = SettingsStore(tmp_path / "settings.json")
    store.set(**({"animation_speed": 0.0, "pace": 0, "theme": "light", "recap": "off"} | settings))
    apply_theme(store)
    window = MainWindow(store)
    qtbot.addWidget(window)
    # The bot refers to it weakly: one that a test lets go of while it is shown, as no program does, would
    # be taken apart by the collector, and the process with it.
    vars(qtbot).setdefault("windows", []).append(window)
    window.resize(*size)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    return window
