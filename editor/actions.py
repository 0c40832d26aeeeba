"""Every action of the editor by its name, with its keys: one list for menus, search and own shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

RESERVED: Final = (
    *"123456789",
    *("[", "]", "\\", "Space", "Return", "Enter", "Tab", "Shift+Tab", "Left", "Right", "Up", "Down"),
    *("Backspace", "Insert", "F2"),
)
"""Keys that the canvas and the tools take themselves: the cursor, a tool's options, turning a piece."""


class Known(NamedTuple):
    """An action with its built-in key; `path` says where it stands, as "File > Save"."""

    name: str
    action: QAction
    key: str
    also: tuple[str, ...]
    path: str
    on_canvas: bool


def plain(text: str) -> str:
    """Return an action's text without the mark of its mnemonic and without dots."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("…")


class Actions(QObject):
    """The actions. Those `on_canvas` act by their key only while the canvas has the focus.

    So single letters can be typed everywhere else. No key is given twice, in whatever context: Qt would
    let neither action have it.
    """

    def __init__(self, window: QWidget, canvas: QWidget, own_keys: Mapping[str, str]) -> None:
        super().__init__(window)
        self._window = window
        self._canvas = canvas
        self._own_keys = dict(own_keys)
        self._known: dict[str, Known] = {}
        self._reasons: dict[str, str] = {}

    def add(
        self,
        name: str,
        text: str,
        key: str,
        slot: Callable[..., object],
        *,
        menu: str,
        also: Sequence[str] = (),
        on_canvas: bool = False,
        is_checkable: bool = False,
    ) -> QAction:
        """Return a new action; `menu` is the plain title of where it stands, `also` are further keys."""
        if name in self._known:
            raise ValueError(f"there is an action called {name}")
        action = QAction(text, self._window)
        action.setObjectName(name)
        action.setCheckable(is_checkable)
        action.setShortcutContext(
            Qt.ShortcutContext.WidgetWithChildrenShortcut if on_canvas else Qt.ShortcutContext.WindowShortcut
        )
        action.triggered.connect(slot)
        # A menu alone does not make its actions heard while it is closed.
        (self._canvas if on_canvas else self._window).addAction(action)
        self._known[name] = Known(name, action, key, tuple(also), f"{menu} > {plain(text)}", on_canvas)
        own = self._own_keys.get(name)
        for wanted in (own, key):
            if wanted is not None and not self.why_not(name, wanted):
                self._set(name, wanted)
                break
        return action

    def __getitem__(self, name: str) -> QAction:
        return self._known[name].action

    def __iter__(self) -> Iterator[Known]:
        return iter(self._known.values())

    def bar(self, name: str, reason: str) -> None:
        """Let an action not be done for a reason, or be done with none."""
        self._reasons[name] = reason
        self[name].setEnabled(not reason)

    def why_barred(self, name: str) -> str:
        """Return why an action cannot be done now, "" where it can."""
        return "" if self[name].isEnabled() else self._reasons.get(name) or "not now"

    def key_of(self, name: str) -> str:
        """Return an action's key as Qt writes it in files, "" for none."""
        return self[name].shortcut().toString(QKeySequence.SequenceFormat.PortableText)

    def native_key(self, name: str) -> str:
        """Return an action's key as this machine calls it, or its place in the menus where it has none."""
        known = self._known.get(name)
        if known is None:
            return ""
        return known.action.shortcut().toString(QKeySequence.SequenceFormat.NativeText) or known.path

    def why_not(self, name: str, key: str) -> str:
        """Return why an action cannot have a key, "" if it can."""
        wanted = QKeySequence(key)
        if wanted.isEmpty():
            return "" if not key else "that is no key"
        if any(wanted == QKeySequence(one) for one in RESERVED):
            return f"{wanted.toString()} belongs to the map itself: cursor and options of tools"
        for other in self._known.values():
            if other.name != name and wanted in other.action.shortcuts():
                return f"{wanted.toString()} is the key of {other.path}"
        text = wanted.toString(QKeySequence.SequenceFormat.PortableText)
        is_plain = not any(held in text for held in ("Ctrl+", "Alt+", "Meta+"))
        is_letter = len(text.removeprefix("Shift+")) == 1
        if is_plain and is_letter and not self._known[name].on_canvas:
            return "a single letter can only be the key of a tool: it would act while a name is typed"
        return ""

    def set_key(self, name: str, key: str) -> str:
        """Give an action another key; return why not, "" when it is done."""
        reason = self.why_not(name, key)
        if not reason:
            self._set(name, key)
        return reason

    def own_keys(self) -> dict[str, str]:
        """Return the keys that differ from the built-in ones, by action."""
        return {
            known.name: self.key_of(known.name)
            for known in self._known.values()
            if known.action.shortcut() != QKeySequence(known.key)
        }

    def reset(self) -> None:
        """Give every action its built-in key back."""
        for known in self._known.values():
            known.action.setShortcuts([])
        for known in self._known.values():
            self._set(known.name, known.key)

    def _set(self, name: str, key: str) -> None:
        known = self._known[name]
        further = known.also if key == known.key else ()
        known.action.setShortcuts([QKeySequence(one) for one in (key, *further) if one])
