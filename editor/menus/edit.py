"""The Edit menu: steps back and forth, the clipboard, and what to do with the selection."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QActionGroup

from editor.draft import Draft, Square
from editor.edits.symmetry import Symmetry
from editor.edits.turning import mirrored_in_place, turned_in_place
from editor.selection import NOTHING
from editor.tools.base import Keys
from editor.tools.select import Select
from editor.tools.stamp import SLOTS, Stamp
from editor.words import sentence

if TYPE_CHECKING:
    from editor.window import EditorWindow

SYMMETRIES: Final[tuple[tuple[Symmetry, str], ...]] = (
    ("off", "&Off"),
    ("x", "&Left to right"),
    ("y", "&Top to bottom"),
    ("half-turn", "By &half a turn"),
)


class EditMenu(QObject):
    """Undo, the clipboard, the selection, symmetry."""

    def __init__(self, window: EditorWindow, select: Select, stamp: Stamp) -> None:
        super().__init__(window)
        self._window = window
        self._select = select
        self._stamp = stamp
        menu = window.menuBar().addMenu("&Edit")
        self.menu = menu
        add = window.named_actions.add
        document = window.document
        self._undo = add("undo", "&Undo", "Ctrl+Z", document.undo, menu="Edit")
        self._redo = add("redo", "&Redo", "Ctrl+Shift+Z", document.redo, menu="Edit", also=("Ctrl+Y",))
        menu.addAction(self._undo)
        menu.addAction(self._redo)
        menu.addSeparator()
        menu.addAction(add("cut", "Cu&t", "Ctrl+X", self.cut, menu="Edit", on_canvas=True))
        menu.addAction(add("copy", "&Copy", "Ctrl+C", self.copy, menu="Edit", on_canvas=True))
        menu.addAction(add("paste", "&Paste", "Ctrl+V", self.paste, menu="Edit", on_canvas=True))
        menu.addAction(add("duplicate", "D&uplicate", "Ctrl+D", self.duplicate, menu="Edit"))
        menu.addAction(add("delete", "&Delete", "Delete", self.delete, menu="Edit", on_canvas=True))
        menu.addSeparator()
        menu.addAction(
            add("select-all", "Select &all", "Ctrl+A", self.select_all, menu="Edit", on_canvas=True)
        )
        menu.addAction(
            add("escape", "Leave &it, select nothing", "Esc", self.escape, menu="Edit", on_canvas=True)
        )
        menu.addSeparator()
        menu.addAction(add("mirror-x", "&Mirror left to right", "Ctrl+M", self._mirror_x, menu="Edit"))
        menu.addAction(add("mirror-y", "Mirror top to &bottom", "Ctrl+Shift+M", self._mirror_y, menu="Edit"))
        menu.addAction(add("turn", "Tur&n clockwise", "Ctrl+T", self._turn, menu="Edit"))
        slots = menu.addMenu("&Keep in slot")
        for slot in SLOTS:
            key, text = f"Ctrl+Shift+{slot}", f"Slot &{slot}"
            store = partial(self._stamp.store, slot)
            slots.addAction(add(f"keep-{slot}", text, key, store, menu="Edit > Keep in slot", on_canvas=True))
        menu.addSeparator()
        self.symmetry_menu = menu.addMenu("S&ymmetry")
        group = QActionGroup(self)
        for key, text in SYMMETRIES:
            name = f"symmetry-{key}"
            choose = partial(window.bench.set_symmetry, key)
            action = add(name, text, "", choose, menu="Edit > Symmetry", is_checkable=True)
            group.addAction(action)
            self.symmetry_menu.addAction(action)
        document.stack.undoTextChanged.connect(self.follow)
        document.stack.redoTextChanged.connect(self.follow)
        document.stack.indexChanged.connect(self.follow)
        window.bench.symmetryChanged.connect(self._follow_symmetry)
        window.bench.selectionChanged.connect(self.follow)
        self.follow()
        self._follow_symmetry()

    @Slot()
    def follow(self) -> None:
        """Offer what can be done now."""
        window = self._window
        if window.mode == "playtest":
            return
        stack = window.document.stack
        for name, word, text, reason in (
            ("undo", "&Undo", stack.undoText(), "" if stack.canUndo() else "there is nothing to take back"),
            ("redo", "&Redo", stack.redoText(), "" if stack.canRedo() else "nothing was taken back"),
        ):
            window.named_actions[name].setText(f"{word}: {text.replace('&', '&&')}" if text else word)
            window.named_actions.bar(name, reason)
        selection = window.bench.selection
        for name in ("cut", "copy", "duplicate"):
            window.named_actions.bar(name, "" if selection != NOTHING else "nothing is selected")
        for name in ("mirror-x", "mirror-y", "turn"):
            window.named_actions.bar(name, "" if selection.squares else "no square is selected")

    # The clipboard.

    def _to_canvas(self) -> None:
        self._window.canvas.setFocus()

    @Slot()
    def cut(self) -> None:
        """Copy the selection and take it away."""
        self._stamp.cut()

    @Slot()
    def copy(self) -> None:
        """Copy the selection."""
        self._stamp.copy()

    @Slot()
    def paste(self) -> None:
        """Take what was copied in hand, to be put down by a click or Enter."""
        self._stamp.paste()
        self._to_canvas()

    @Slot()
    def duplicate(self) -> None:
        """Take a copy of the selection in hand."""
        self._stamp.duplicate()
        self._to_canvas()

    # The selection.

    @Slot()
    def delete(self) -> None:
        """Take away what is selected; a tool that has something selected of its own goes first."""
        tool = self._window.bench.tool
        if (tool is None or not tool.key_press(Qt.Key.Key_Delete, Keys())) and not self._select.delete():
            self._window.bench.say("Nothing is selected.")

    @Slot()
    def select_all(self) -> None:
        """Select all floor."""
        self._select.select_all()

    @Slot()
    def escape(self) -> None:
        """Cancel what is on its way, or else select nothing, or else take the Select tool."""
        bench = self._window.bench
        tool = bench.tool
        if tool is not None and tool.cancel():
            return
        if bench.selection != NOTHING:
            bench.select(NOTHING)
        elif tool is not self._select:
            bench.take(self._select)

    @Slot()
    def _mirror_x(self) -> None:
        squares = self._window.bench.selection.squares
        self._put_again("Mirror left to right", lambda draft: mirrored_in_place(draft, squares, "x"))

    @Slot()
    def _mirror_y(self) -> None:
        squares = self._window.bench.selection.squares
        self._put_again("Mirror top to bottom", lambda draft: mirrored_in_place(draft, squares, "y"))

    @Slot()
    def _turn(self) -> None:
        squares = self._window.bench.selection.squares
        self._put_again("Turn clockwise", lambda draft: turned_in_place(draft, squares))

    def _put_again(self, text: str, way: Callable[[Draft], tuple[Draft, frozenset[Square]]]) -> None:
        bench = self._window.bench
        try:
            made, squares = way(bench.document.draft)
        except ValueError as error:
            bench.say(sentence(error))
            return
        if not self._select.put_again(text, made, squares):
            bench.say("That changes nothing.")

    @Slot()
    def _follow_symmetry(self) -> None:
        self._window.named_actions[f"symmetry-{self._window.bench.symmetry}"].setChecked(True)
