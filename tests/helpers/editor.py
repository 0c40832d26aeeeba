"""The editor's window as a designer uses it, with files, settings and recovery of the test's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from editor.document import Document
from editor.draft import Draft, Edge, Square
from editor.settings import EditorSettings
from editor.window import EditorWindow
from tests.helpers.canvas import edge_point, square_point

LEFT = Qt.MouseButton.LeftButton


def open_editor(
    qtbot: QtBot,
    tmp_path: Path,
    draft: Draft | None = None,
    size: tuple[int, int] = (1280, 720),
    **settings: Any,
) -> EditorWindow:
    """Show the editor with a draft, an empty map without one."""
    from app.editing import GameHost
    from app.garbage import SafeCollector
    from app.main_window import apply_theme
    from app.settings import SettingsStore

    store = SettingsStore(tmp_path / "settings.json")
    store.set(**({"animation_speed": 0.0, "pace": 0, "theme": "light", "recap": "off"} | settings))
    apply_theme(store)
    document = Document(draft) if draft is not None else None
    window = EditorWindow(
        GameHost(store, lambda: None), document, settings=EditorSettings(tmp_path / "editor.json")
    )
    # As in the program: left to itself the collector may run in a bot's thread, among Qt's objects.
    window.closed.connect(SafeCollector(window).stop)
    qtbot.addWidget(window, before_close_func=let_go)
    # The bot refers to it weakly; see tests.helpers.gui.open_window.
    vars(qtbot).setdefault("windows", []).append(window)
    window.resize(*size)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    QApplication.processEvents()
    return window


def let_go(window: QWidget) -> None:
    """Let the draft go, so that closing the window asks nothing."""
    assert isinstance(window, EditorWindow)
    window.document.interrupt()
    if window.document.is_modified:
        window.document.stack.setClean()
    window.document.stack.blockSignals(True)
    window.files.is_free = lambda: True  # type: ignore[method-assign]


def press(window: EditorWindow, key: Qt.Key, *held: Qt.KeyboardModifier) -> None:
    """Press a key where the focus is."""
    modifiers = Qt.KeyboardModifier.NoModifier
    for one in held:
        modifiers |= one
    QTest.keyClick(QApplication.focusWidget() or window, key, modifiers)
    QApplication.processEvents()


def click(window: EditorWindow, at: Square | Edge) -> None:
    """Click a square or an edge of the map."""
    point = _point(window, at)
    QTest.mouseMove(window.canvas.viewport(), point)
    QTest.mouseClick(window.canvas.viewport(), LEFT, pos=point)
    QApplication.processEvents()


def drag(window: EditorWindow, start: Square | Edge, end: Square | Edge) -> None:
    """Drag from one square or edge to another."""
    view = window.canvas.viewport()
    one, other = _point(window, start), _point(window, end)
    QTest.mouseMove(view, one)
    QTest.mousePress(view, LEFT, pos=one)
    QTest.mouseMove(view, (one + other) / 2)
    QTest.mouseMove(view, other)
    QTest.mouseRelease(view, LEFT, pos=other)
    QApplication.processEvents()


def _point(window: EditorWindow, at: Square | Edge) -> QPoint:
    if len(at) == 3:
        return edge_point(window.canvas, at)
    return square_point(window.canvas, at)
