"""The Edit menu: steps back and forth, and what to do with the selection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QActionGroup

from editor.edits.symmetry import Symmetry

if TYPE_CHECKING:
    from editor.window import EditorWindow

SYMMETRIES: Final[tuple[tuple[Symmetry, str], ...]] = (
    ("off", "&Off"),
    ("x", "&Left to right"),
    ("y", "&Top to bottom"),
    ("half-turn", "Turned by &half"),
)


class EditMenu(QObject):
    """Undo, the clipboard, the selection, symmetry, and the search for actions."""

    def __init__(self, window: EditorWindow) -> None:
        super().__init__(window)
        self._window = window
        menu = window.menuBar().addMenu("&Edit")
        self.menu = menu
        add = window.commands.add
        document = window.document
        self._undo = add("undo", "&Undo", "Ctrl+Z", document.undo, menu="Edit")
        self._redo = add("redo", "&Redo", "Ctrl+Shift+Z", document.redo, menu="Edit", also=("Ctrl+Y",))
        menu.addAction(self._undo)
        menu.addAction(self._redo)
        menu.addSeparator()
        self.symmetry_menu = menu.addMenu("S&ymmetry")
        group = QActionGroup(self)
        for key, text in SYMMETRIES:
            action = add(
                f"symmetry-{key}", text, "", self._on_symmetry, menu="Edit > Symmetry", is_checkable=True
            )
            action.setData(key)
            group.addAction(action)
            self.symmetry_menu.addAction(action)
        document.stack.undoTextChanged.connect(self._follow_stack)
        document.stack.redoTextChanged.connect(self._follow_stack)
        document.stack.indexChanged.connect(self._follow_stack)
        window.bench.symmetryChanged.connect(self._follow_symmetry)
        self._follow_stack()
        self._follow_symmetry()

    @Slot()
    def _follow_stack(self) -> None:
        stack = self._window.document.stack
        for action, word, text, can in (
            (self._undo, "&Undo", stack.undoText(), stack.canUndo()),
            (self._redo, "&Redo", stack.redoText(), stack.canRedo()),
        ):
            action.setText(f"{word}: {text}" if text else word)
            action.setEnabled(can)

    @Slot()
    def _on_symmetry(self) -> None:
        action = self.sender()
        if action is not None:
            self._window.bench.set_symmetry(action.data())  # type: ignore[attr-defined]

    @Slot()
    def _follow_symmetry(self) -> None:
        self._window.commands[f"symmetry-{self._window.bench.symmetry}"].setChecked(True)
