"""The bench: the document, and everything the tools share that is no part of a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from PySide6.QtCore import QObject, Signal

from editor.document import Document
from editor.draft import Square
from editor.edits.symmetry import Symmetry
from editor.selection import NOTHING, Selection

if TYPE_CHECKING:
    from editor.tools.base import Tool


Overlay = Literal["off", "sight", "reach"]
Severity = Literal["error", "warning"]
Who = Literal["terminator", "climber", "clonemaster"]


class Walk(NamedTuple):
    """Whose reach is shown: a Terminator's, one's with Monkey Soul (4.42), or a unit's of the CloneMaster.

    Armored doors stand intact, which opens them to the CloneMaster's units alone (4.41), or are destroyed.
    """

    who: Who = "terminator"
    points: int = 5
    are_doors_destroyed: bool = False


class Bench(QObject):
    """What tools, canvas and panels have in common: document, selection, active tool and room, symmetry.

    `room` is the letter of the room that brush and rectangle extend, "" for a new one. `said` carries a
    line for the status bar: a refusal, what was done. `flashed` asks the canvas to show where squares are,
    `gone_to` to bring a square into view. `overlay` shows what is seen, or reached on `walk`, from the square
    under the pointer or, when there is one, from `overlay_from`: as the tool in hand wants it, else as it is
    kept on with every tool (`overlay_kept`). `marks` are the squares with problems. `native_key` tells how
    the key of an action is called, for what is said of keys; without a window, which sets it, that is the
    action's own name. `keysChanged` follows when keys change.
    """

    selectionChanged = Signal()
    toolChanged = Signal()
    roomChanged = Signal()
    symmetryChanged = Signal()
    overlayChanged = Signal()
    marksChanged = Signal()
    keysChanged = Signal()
    said = Signal(str)
    flashed = Signal(object)  # frozenset[Square]
    gone_to = Signal(object)  # Square

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self._selection = NOTHING
        self._room = ""
        self._symmetry: Symmetry = "off"
        self._tool: Tool | None = None
        self._overlay: Overlay = "off"
        self._overlay_kept: Overlay = "off"
        self._overlay_from: Square | None = None
        self._walk = Walk()
        self._marks: Mapping[Square, Severity] = {}
        self.native_key: Callable[[str], str] = str
        document.replaced.connect(self.forget)
        document.changed.connect(self._keep_what_is_there)

    @property
    def selection(self) -> Selection:
        """What is selected."""
        return self._selection

    def select(self, selection: Selection) -> None:
        """Select other things; what is not there (any more) is left out."""
        there = self._there(selection)
        if there != self._selection:
            self._selection = there
            self.selectionChanged.emit()

    @property
    def room(self) -> str:
        """The letter of the room being drawn, "" for a new one."""
        return self._room

    def choose_room(self, letter: str) -> None:
        """Draw another room from now on."""
        if letter != self._room:
            self._room = letter
            self.roomChanged.emit()

    @property
    def symmetry(self) -> Symmetry:
        """How every stroke is drawn again."""
        return self._symmetry

    def set_symmetry(self, symmetry: Symmetry) -> None:
        """Draw strokes again in another way."""
        if symmetry != self._symmetry:
            self._symmetry = symmetry
            self.symmetryChanged.emit()

    @property
    def tool(self) -> Tool | None:
        """The tool in hand."""
        return self._tool

    def take(self, tool: Tool) -> None:
        """Take another tool in hand; what the last one was doing is cancelled."""
        if tool is not self._tool:
            if self._tool is not None:
                self._tool.cancel()
            self._tool = tool
            self.toolChanged.emit()

    @property
    def overlay(self) -> Overlay:
        """What is shown about the square under the pointer."""
        return self._overlay if self._overlay != "off" else self._overlay_kept

    @property
    def overlay_kept(self) -> Overlay:
        """What is shown whatever tool is in hand, while nothing else is."""
        return self._overlay_kept

    @property
    def overlay_from(self) -> Square | None:
        """The square the overlay is about; None for the one under the pointer."""
        return self._overlay_from

    @property
    def walk(self) -> Walk:
        """Whose reach the overlay shows."""
        return self._walk

    def set_overlay(self, overlay: Overlay, start: Square | None = None) -> None:
        """Show an overlay while the tool in hand wants it, from a held square or from the pointer's."""
        self._change_overlay(overlay, self._overlay_kept, start, self._walk)

    def keep_overlay(self, overlay: Overlay) -> None:
        """Show an overlay whatever tool is in hand, "off" for none; without any no square is held."""
        held = self._overlay_from if overlay != "off" or self._overlay != "off" else None
        self._change_overlay(self._overlay, overlay, held, self._walk)

    def hold(self, square: Square | None) -> None:
        """Show what is shown from a square, wherever the pointer is; None lets go of it."""
        self._change_overlay(self._overlay, self._overlay_kept, square, self._walk)

    def set_walk(self, walk: Walk) -> None:
        """Show the reach of another walk."""
        self._change_overlay(self._overlay, self._overlay_kept, self._overlay_from, walk)

    def _change_overlay(self, overlay: Overlay, kept: Overlay, held: Square | None, walk: Walk) -> None:
        before = self._overlay, self._overlay_kept, self._overlay_from, self._walk
        self._overlay, self._overlay_kept, self._overlay_from, self._walk = overlay, kept, held, walk
        if before != (overlay, kept, held, walk):
            self.overlayChanged.emit()

    @property
    def marks(self) -> Mapping[Square, Severity]:
        """The squares with problems, each with the worst of its own."""
        return self._marks

    def set_marks(self, marks: Mapping[Square, Severity]) -> None:
        """Mark other squares."""
        if marks != self._marks:
            self._marks = dict(marks)
            self.marksChanged.emit()

    def say(self, text: str) -> None:
        """Show a line in the status bar."""
        self.said.emit(text)

    def forget(self) -> None:
        """Select nothing and no room: the draft is another one."""
        self.select(NOTHING)
        self.choose_room("")
        self.hold(None)

    def _keep_what_is_there(self, _change: object) -> None:
        """Deselect what is no longer there."""
        if self._room and not any(room.letter == self._room for room in self.document.draft.plan.rooms):
            self.choose_room("")
        self.select(self._selection)

    def _there(self, chosen: Selection) -> Selection:
        """Return what of a selection is in the draft."""
        if chosen is NOTHING:
            return chosen
        plan, scenario = self.document.draft.plan, self.document.draft.scenario
        start = scenario.start.figures if scenario is not None and scenario.start is not None else ()
        placements = scenario.placements if scenario is not None else ()
        width, height = plan.width, plan.height
        return Selection(
            frozenset((x, y) for x, y in chosen.squares if 0 <= x < width and 0 <= y < height),
            frozenset((x, y, side) for x, y, side in chosen.edges if x < width and y < height),
            frozenset(at for at in chosen.equipment if at < len(plan.equipment)),
            frozenset(at for at in chosen.entries if at < len(plan.entries)),
            frozenset(at for at in chosen.placements if at < len(placements)),
            frozenset(at for at in chosen.figures if at < len(start)),
        )
