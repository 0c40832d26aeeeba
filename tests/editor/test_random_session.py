"""A designer without a plan: keys, clicks, strokes and actions at random, in the whole window."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog
from pytestqt.qtbot import QtBot

from editor.draft import format_draft
from editor.templates import templates
from editor.window import EditorWindow
from tests.helpers.editor import open_editor

STEPS = 120
LEAVING = (
    "close",
    "start-screen",
    "help",
    "help-editor",
    "text-larger",
    "text-smaller",
    "text-normal",
    "print",
)
"""Actions that lead out of the window, or are slow by nature."""
LETTERS = tuple(getattr(Qt.Key, f"Key_{one}") for one in "123456789VRBFWDOENTLCXSMGJ")
KEYS = (
    *(Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Space, Qt.Key.Key_Delete, Qt.Key.Key_Tab),
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_F2, Qt.Key.Key_Insert),
    *(Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight, Qt.Key.Key_Backslash, Qt.Key.Key_Backspace),
    *LETTERS,
)
HELD = Qt.KeyboardModifier
BUTTON = Qt.MouseButton


class Hand:
    """Does something or other, `rng` says what."""

    def __init__(self, window: EditorWindow, rng: random.Random) -> None:
        self.window = window
        self.rng = rng
        self.names = [known.name for known in window.named_actions if known.name not in LEAVING]

    def _held(self) -> Qt.KeyboardModifier:
        plain = [HELD.NoModifier] * 5
        return self.rng.choice([*plain, HELD.ShiftModifier, HELD.ControlModifier, HELD.AltModifier])

    def _point(self) -> QPoint:
        view = self.window.canvas.viewport()
        return QPoint(self.rng.randrange(view.width()), self.rng.randrange(view.height()))

    def key(self) -> None:
        """Press a key where the focus is."""
        QTest.keyClick(QApplication.focusWidget() or self.window, self.rng.choice(KEYS), self._held())

    def click(self) -> None:
        """Click the map."""
        button, point = self.rng.choice([BUTTON.LeftButton, BUTTON.RightButton]), self._point()
        QTest.mouseMove(self.window.canvas.viewport(), point)
        QTest.mouseClick(self.window.canvas.viewport(), button, self._held(), point)

    def drag(self) -> None:
        """Drag over the map, and now and then break it off."""
        view, start, end = self.window.canvas.viewport(), self._point(), self._point()
        button = self.rng.choice([BUTTON.LeftButton, BUTTON.LeftButton, BUTTON.RightButton])
        QTest.mousePress(view, button, self._held(), start)
        for part in (1, 2, 3, 4):
            QTest.mouseMove(view, start + (end - start) * part / 4)
        if self.rng.random() < 0.2:
            self.rng.choice([self.window.document.undo, self.window.edit_menu.escape])()
        QTest.mouseRelease(view, button, HELD.NoModifier, end)

    def action(self) -> None:
        """Do what a menu offers."""
        action = self.window.named_actions[self.rng.choice(self.names)]
        if action.isEnabled():
            action.trigger()

    def panel(self) -> None:
        """Go to a panel and type."""
        self.window.go_to_panel(self.rng.choice(list(self.window.docks)))
        QTest.keyClicks(QApplication.focusWidget() or self.window, "ab")

    def step(self) -> None:
        """Do one thing, and answer or close what opens."""
        weights = (25, 20, 20, 25, 10)
        self.rng.choices((self.key, self.click, self.drag, self.action, self.panel), weights)[0]()
        QApplication.processEvents()
        for dialog in QApplication.topLevelWidgets():
            if isinstance(dialog, QDialog) and dialog.isVisible():
                (dialog.accept if self.rng.random() < 0.3 else dialog.reject)()
        if self.window.page is not None:
            self.window.page.leave()
        QApplication.processEvents()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_anything_at_all_can_be_done_and_undone(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """No order of things breaks the window, and undoing and redoing all leads to the same bytes."""
    path = str(tmp_path / "draft.json")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (path, ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (path, ""))
    monkeypatch.setattr("editor.menus.map.new_number", lambda *_: 5.0)
    monkeypatch.setattr(QDialog, "exec", lambda _: 0)
    rng = random.Random(f"session {seed}")
    draft = rng.choice(templates()).make()
    window = open_editor(qtbot, tmp_path, draft)
    hand = Hand(window, rng)
    for _ in range(STEPS):
        hand.step()
    window.document.interrupt()
    stack = window.document.stack
    there, index = format_draft(window.document.draft), stack.index()
    stack.setIndex(0)
    first = format_draft(window.document.draft)
    stack.setIndex(stack.count())
    stack.setIndex(index)
    assert format_draft(window.document.draft) == there
    stack.setIndex(0)
    assert format_draft(window.document.draft) == first
