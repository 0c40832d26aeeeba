"""What every tool is: the spot under the pointer, the ghost of what a click would do, and their life."""

from __future__ import annotations

from typing import ClassVar, Final, Literal, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal

from editor.bench import Bench
from editor.document import Document
from editor.draft import Edge, Square
from editor.edits.pieces import Piece
from engine.fortress.floorplan import EdgeKind, Entry, Equipment, FloorPlan
from engine.raid.scenario import Placement, StartFigure

Mode = Literal["map", "scenario"]
EDGE_REACH: Final = 0.25
"""How far from an edge, in squares, the pointer still picks it; at small sizes the canvas allows more."""


class Spot(NamedTuple):
    """Where the pointer is: in squares from the map's corner, the square there, and the edge near it.

    `square` is None off the map; `edge` None in a square's middle. `near` is the closest edge, however
    far it is.
    """

    x: float
    y: float
    square: Square | None
    edge: Edge | None
    near: Edge | None


class Ghost(NamedTuple):
    """What a click would do, drawn before it: green where it can be done, red with `reason` where not.

    `letter` is the room that `squares` would go to: ROCK erases, "" is a new room, None tints nothing.
    `ring` are squares that are only outlined (a rectangle being drawn, a selection box).
    """

    squares: frozenset[Square] = frozenset()
    letter: str | None = None
    edges: tuple[tuple[Edge, EdgeKind], ...] = ()
    equipment: tuple[Equipment, ...] = ()
    entries: tuple[Entry, ...] = ()
    figures: tuple[Placement | StartFigure, ...] = ()
    piece: tuple[Piece, Square] | None = None
    ring: frozenset[Square] = frozenset()
    reason: str = ""

    @property
    def is_legal(self) -> bool:
        """Whether a click would do it."""
        return not self.reason


NO_GHOST = Ghost()


class Keys(NamedTuple):
    """The modifier keys that are down."""

    shift: bool = False
    ctrl: bool = False
    alt: bool = False

    @classmethod
    def of(cls, modifiers: Qt.KeyboardModifier) -> Keys:
        """Return what Qt says is down."""
        held = Qt.KeyboardModifier
        return cls(
            bool(modifiers & held.ShiftModifier),
            bool(modifiers & held.ControlModifier),
            bool(modifiers & held.AltModifier),
        )


class Tool(QObject):
    """A tool. The canvas calls `press`, `move` and `release` for the left and the right button.

    A gesture lasts from press to release and is one step, or none when `cancel` comes before. `hint` says
    what buttons and modifiers do now, for the status bar; `topic` is its page of the help. `changed` asks
    the canvas to draw the ghost again, `optionsChanged` the tool's panel.
    """

    key: ClassVar[str]
    """The tool's name in settings and tests."""
    title: ClassVar[str]
    shortcut: ClassVar[str]
    mode: ClassVar[Mode] = "map"
    topic: ClassVar[str] = "editor-tools"

    changed = Signal()
    optionsChanged = Signal()

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.bench = bench
        self.spot: Spot | None = None
        self.keys = Keys()

    @property
    def document(self) -> Document:
        """The document on the bench."""
        return self.bench.document

    @property
    def plan(self) -> FloorPlan:
        """The map as it is shown."""
        return self.bench.document.draft.plan

    @property
    def hint(self) -> str:
        """What left, right, Shift, Ctrl and Alt do now, in a line."""
        return ""

    @property
    def ghost(self) -> Ghost:
        """What a click at `spot` with `keys` would do."""
        return NO_GHOST

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """The tool's own options in order, each a key and words; digits 1, 2, … choose them."""
        return ()

    @property
    def option(self) -> str:
        """The key of the option in force."""
        return ""

    @property
    def in_force(self) -> frozenset[str]:
        """The keys of all options in force, where there may be more than one at once."""
        return frozenset({self.option})

    def choose(self, option: str) -> None:
        """Put another option in force."""

    def choose_next(self) -> None:
        """Put the option after the one in force in force, after the last the first."""
        keys = [key for key, _ in self.options]
        if keys:
            self.choose(keys[(keys.index(self.option) + 1) % len(keys) if self.option in keys else 0])

    def hover(self, spot: Spot | None, keys: Keys) -> None:
        """Follow the pointer; None when it leaves the canvas."""
        before = self.ghost
        self.spot, self.keys = spot, keys
        if self.ghost != before:
            self.changed.emit()

    def press(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        """Begin a gesture."""

    def move(self, spot: Spot, keys: Keys) -> None:
        """Go on with the gesture."""

    def release(self, spot: Spot, keys: Keys) -> None:
        """End the gesture, which commits it."""

    def double_click(self, spot: Spot, keys: Keys) -> None:
        """Do what a double click does, if anything; the gesture of its first click is over."""

    def cancel(self) -> bool:
        """Cancel what is on its way; return whether there was anything (then Esc has done its work)."""
        return False

    def wants_key(self, key: Qt.Key, keys: Keys) -> bool:
        """Return whether `key_press` is to have a key although it is the shortcut of an action."""
        return False

    def key_press(self, key: Qt.Key, keys: Keys) -> bool:
        """Take a key that no shortcut took; return whether it meant something."""
        return False
